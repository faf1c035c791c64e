"""Even and odd parts of an activation, and its singular points nearest to the real axis, found exactly.

A rational function of E = exp(c z), or a logarithm of one, times polynomials in z, is singular where a denominator or
the argument of a logarithm vanishes: at height |arg E_0|/c for E = E_0. A rational function of z has poles.
"""

from __future__ import annotations

from math import gcd, lcm

import sympy
from sympy import Dummy, Expr, Poly, PolynomialError, Rational, S, Symbol, exp, log

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.functions.half_strip import in_exponentials
from asymptok.symbols import x

__all__ = ["heights", "normal_part", "parity_parts", "zero_from"]


def parity_parts(expr: Expr) -> tuple[Expr, Expr]:
    """(even, odd) with expr = even + odd; a part that is a polynomial is written as one.

    >>> parity_parts(1/(1 + exp(-x)))[0], parity_parts(sympy.tanh(x))
    (1/2, (0, tanh(x)))
    """
    mirrored = dag.rebuild(expr, {x: -x})
    return normal_part((expr + mirrored) / 2), normal_part((expr - mirrored) / 2)


def normal_part(expr: Expr) -> Expr:
    """The expression multiplied out; a polynomial if it is one, also in disguise."""
    part = expr.expand()
    if part.is_polynomial(x):
        return part
    try:
        form, E, z, unit, _ = _rational(part)
    except AsymptokError:
        if part.is_rational_function(x):
            reduced = sympy.cancel(part)
            return reduced if reduced.is_polynomial(x) else part
        return part
    if form.free_symbols - {E, z}:
        return part  # logarithms are left
    written = form.subs({z: x, E: exp(unit * x)})
    if written.is_polynomial(x):
        return written.expand()
    return written if written.count_ops() < part.count_ops() else part


def _rational(expr: Expr) -> tuple[Expr, Symbol, Symbol, Expr, dict[Expr, Symbol]]:
    """The normal form in E, z and logarithms of polynomials of E, in lowest terms; c, and the logarithms."""
    plain, E, z, unit = _in_one_exponential(expr)
    logs: dict[Expr, Expr] = {}
    names: dict[Expr, Symbol] = {}
    for node in plain.atoms(log):
        total = S.Zero
        for part, side in zip(sympy.fraction(sympy.together(node.args[0])), (1, -1), strict=True):
            constant, factors = _factored(part, E)
            total += side * log(constant)
            for base, power in factors:
                total += side * power * (unit * z if base == E else names.setdefault(base, Dummy()))
        logs[node] = total
    return sympy.cancel(sympy.together(dag.rebuild(plain, logs))), E, z, unit, names


def _factored(part: Expr, E: Symbol) -> tuple[Expr, list[tuple[Expr, int]]]:
    """Factors that are positive for E > 0, as the logarithm of a product needs them."""
    if part.free_symbols - {E}:
        raise AsymptokError("a logarithm of something else than exponentials")
    constant, factors = sympy.factor_list(part, E)
    if not constant.is_positive or any(f != E and not _positive(Poly(f, E)) for f, _ in factors):
        raise AsymptokError("a logarithm whose argument may change its sign")
    return constant, factors


def _positive(poly: Poly) -> bool:
    """Whether a polynomial over the rational numbers is positive for E >= 0."""
    return bool((poly.domain.is_ZZ or poly.domain.is_QQ) and poly.eval(1) > 0 and poly.count_roots(0) == 0)


def _in_one_exponential(expr: Expr) -> tuple[Expr, Symbol, Symbol, Expr]:
    """The activation as an expression in z = x and E = exp(c x), with c."""
    plain = in_exponentials(expr)
    exponents = [node.args[0] for node in plain.atoms(exp)]
    slopes = [e / x for e in exponents]
    ratios = [sympy.cancel(slope / slopes[0]) for slope in slopes]
    if not slopes or any(s.has(x) for s in slopes) or any(not r.is_Rational for r in ratios):
        raise AsymptokError(f"{expr} is not built of exponentials exp(c x) with commensurable c")
    # gcd_list of SymPy stops at the first 1, also where a fraction follows
    common = Rational(gcd(*(int(r.p) for r in ratios)), lcm(*(int(r.q) for r in ratios)))
    unit = sympy.Abs(slopes[0]) * common
    E, z = Dummy("E", positive=True), Dummy("z", real=True)
    named = dag.rebuild(plain, {exp(s * x): E ** sympy.cancel(s / unit) for s in slopes})
    return named.subs(x, z), E, z, unit


def zero_from(expr: Expr, parity: int) -> int | None:
    """The degree from which mu_k = 0 for k of that parity, if that part of the activation is a polynomial."""
    part = parity_parts(expr)[parity]
    if not part.is_polynomial(x):
        return None
    degree = -1 if part == 0 else int(Poly(part, x).degree())
    first = max(degree + 1, parity)
    return first if first % 2 == parity else first + 1


def heights(expr: Expr) -> list[Expr]:
    """|Im z| of the singular points nearest to the real axis, one for each zero of a denominator or logarithm.

    >>> heights(sympy.tanh(x)), heights(1/(x**2 + 4))
    ([pi/2, pi/2], [2, 2])
    """
    if expr.is_rational_function(x):
        found = [abs(sympy.im(root)) for root in _roots(sympy.fraction(sympy.cancel(expr))[1], x)]
        if S.Zero in found:
            raise AsymptokError("the activation is singular on the real axis")
        return found
    form, E, _, unit, names = _rational(expr)
    found = _arguments(sympy.fraction(form)[1], E)
    for base, name in names.items():
        if name in form.free_symbols:  # a logarithm that has not cancelled
            found += _arguments(base, E)
    return [height / unit for height in found]


def _arguments(expr: Expr, E: Symbol) -> list[Expr]:
    """|arg| of the non-zero roots."""
    found = [sympy.Abs(sympy.arg(root)) for root in _roots(expr, E) if root != 0]
    if S.Zero in found:
        raise AsymptokError("the activation is singular on the real axis")
    return found


def _roots(expr: Expr, E: Symbol) -> list[Expr]:
    try:
        poly = Poly(expr, E)
    except PolynomialError:
        raise AsymptokError("the activation is no rational function of exponentials") from None
    if poly.degree() < 1:
        return []
    if not poly.domain.is_QQ and not poly.domain.is_ZZ:
        raise AsymptokError(
            "the activation is no rational function of exponentials over the rational numbers"
        )
    y = Dummy("y")  # a positive symbol would hide the complex roots
    roots = sympy.roots(Poly(poly.as_expr().subs(E, y), y))
    if sum(roots.values()) != poly.degree():
        raise AsymptokError("the singular points of the activation have no closed form")
    return list(roots)
