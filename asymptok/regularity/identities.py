"""Identities: what undoes itself, roots of squares, even functions of a root, functions that are quotients.

They hold at every point of [-1, 1] where the expression is defined; what an identity drops has to be defined on the
whole interval.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Abs, Add, Expr, Integer, Mul, Pow, S

from asymptok import dag
from asymptok.functions import RECORDS, record_of
from asymptok.regularity.boxes import Parameters
from asymptok.regularity.factoring import factored
from asymptok.regularity.signs import Signs
from asymptok.symbols import u

#: the largest multiple of an angle
_HIGHEST = 24
#: larger expressions are left as they are
_LARGEST_SIMPLIFIED = 400


def simplified(expr: Expr, parameters: Parameters) -> Expr:
    """The same function on [-1, 1], up to holes at isolated points, written without detours.

    >>> simplified(sympy.asin(sympy.sin(u/2)), {}), simplified(sympy.cos(3*sympy.acos(u)), {})
    (u/2, 4*u**3 - 3*u)
    >>> simplified(sympy.sqrt(u**2 + 4*u + 4), {}), simplified(sympy.asin(sympy.sin(3*u)), {})
    (u + 2, asin(sin(3*u)))
    """
    if dag.tree_size(expr) > _LARGEST_SIMPLIFIED:
        return expr
    signs = Signs(parameters)
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        rebuilt = node if same else node.func(*args)
        new[node] = _simpler(rebuilt, signs) if isinstance(rebuilt, Expr) and rebuilt.args else rebuilt
    found: Expr = new[expr]
    return found


def _simpler(node: Expr, signs: Signs) -> Expr:
    if node.is_Pow and node.func is not sympy.exp:
        return _root(node, signs)
    if len(node.args) != 1 or not node.has(u):
        return node
    rule = _RULES.get(node.func)
    found = _undone(node, signs) if rule is None else rule(node.args[0], signs)
    return node if found is None else found


def _undone(node: Expr, signs: Signs) -> Expr | None:
    """f(y) = z for an inverse function f and the only z of its range with f^-1(z) = y: asin(sin x), W(x e^x)."""
    record = record_of(node.func)
    if record is None or len(node.args) != 1:
        return None
    y = node.args[0]
    for z in dict.fromkeys(part for factor in Mul.make_args(y) for part in (factor, *factor.args)):
        found = record.inverted(node, z) if z.has(u) else None
        if found is None or sympy.expand_mul(found[0] - y) != 0 or not signs.real(z):
            continue
        ends = ((found[1], 1), (found[2], -1))
        if all(end.is_infinite or signs.inside(side * (z - end)).positive for end, side in ends):
            return z
    return None


def _logarithm(y: Expr, signs: Signs) -> Expr | None:
    """log(e^x p) = x + log p: a positive factor may be taken out; log(x^n) = n log x for x > 0."""
    base, n = y.as_base_exp()
    if base != y and n.is_Rational and base != S.Exp1:
        positive = signs.real(base) and signs.inside(base).positive
        return n * sympy.log(base) if positive else None
    factors = Mul.make_args(y)
    exponents = [f.args[0] for f in factors if f.func is sympy.exp]
    if not exponents or not all(x.is_real for x in exponents):
        return None
    rest = Mul(*(f for f in factors if f.func is not sympy.exp))
    return Add(*exponents, sympy.log(rest))


def _multiple_angle(
    outer: Callable[..., Expr], inner: Callable[..., Expr]
) -> Callable[[Expr, Signs], Expr | None]:
    """cos(n acos x) = T_n(x) = cosh(n acosh x), sin(n acos x) = sqrt(1 - x^2) U_(n-1)(x): for all complex x."""

    def rule(y: Expr, _: Signs) -> Expr | None:
        n, angle = y.as_coeff_Mul()
        if angle.func is not inner or not n.is_Integer or not 0 < n <= _HIGHEST:
            return None
        x: Expr = angle.args[0]
        if outer is sympy.sin:
            return sympy.sqrt(1 - x**2) * sympy.chebyshevu(n - 1, x)
        return sympy.chebyshevt(n, x)

    return rule


_RULES: dict[object, Callable[[Expr, Signs], Expr | None]] = {
    sympy.cos: _multiple_angle(sympy.cos, sympy.acos),
    sympy.sin: _multiple_angle(sympy.sin, sympy.acos),
    sympy.cosh: _multiple_angle(sympy.cosh, sympy.acosh),
    sympy.log: _logarithm,
}


def without_double_zeros(power: Expr) -> Expr:
    """(F^2 R)^e = |F|^(2e) R^e, e > 0, for F that is real on the whole interval; the power itself if none is seen.

    >>> without_double_zeros(sympy.sqrt(sympy.exp(2*u) - 2*sympy.exp(u) + 1))
    Abs(exp(u) - 1)
    """
    return _root(power, Signs({}))


def _root(node: Expr, signs: Signs) -> Expr:
    """(F^(2n) R)^e = |F|^(2n e) R^e, and (F^n)^e = F^(n e) for F > 0: a positive factor may be taken out."""
    base, exponent = node.args
    if not exponent.is_Rational or exponent.is_Integer or not base.has(u) or exponent < 0:
        return node
    outside, inside = [], []
    for factor in Mul.make_args(_as_square(base) or factored(base) if base.is_Add else base):
        inner, n = factor.as_base_exp()
        if n.is_Integer and n > 1 and inner.func is not sympy.exp and inner.has(u) and signs.real(inner):
            if n % 2 == 0:
                outside.append(_modulus(inner, signs) ** (n * exponent))
                continue
            if signs.inside(inner).positive:
                outside.append(inner ** (n * exponent))
                continue
        inside.append(factor)
    return Mul(*outside, Mul(*inside) ** exponent) if outside else node


def _as_square(x: Expr) -> Expr | None:
    """a (u + b)^2 for a polynomial of degree two without a discriminant, whatever its coefficients."""
    if not x.is_polynomial(u) or sympy.degree(x, u) != 2:
        return None
    a, b, c = sympy.Poly(x, u).all_coeffs()
    if sympy.expand(b**2 - 4 * a * c) != 0 or not a.is_positive:
        return None
    return Mul(a, Pow(u + sympy.expand(b / (2 * a)), 2))


def _modulus(x: Expr, signs: Signs) -> Expr:
    sign = signs.inside(x)
    return Integer(sign.number) * x if sign.known else Abs(x)


# ------------------------------------------------------------------- functions by others


def entire_form(expr: Expr) -> Expr:
    """The same function with cos, sinh, erf, whole Bessel functions, ... of c sqrt(g) as hypergeometric functions of g.

    >>> from sympy import cosh, sin, sqrt
    >>> entire_form(cosh(2*sqrt(1 - u))), entire_form(sin(sqrt(1 - u))/sqrt(1 - u))
    (hyper((), (1/2,), 1 - u), hyper((), (3/2,), u/4 - 1/4))
    """
    replacements: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        record = record_of(node.func)
        if record is None or not node.args or not _is_root(node.args[-1]) or record.parity(node) is None:
            continue
        form = record.of_square(*node.args) if record.entire(node) else None
        if form is not None:
            replacements[node] = form
    return dag.rebuild(expr, replacements) if replacements else expr


def _is_root(x: Expr) -> bool:
    """Whether x is a constant times one square root."""
    rest = x.as_independent(u, as_Add=False)[1]
    return bool(rest.is_Pow and rest.exp == S.Half)


#: the functions with poles on the real axis, by functions without
QUOTIENTS: dict[object, Callable[[Expr], Expr]] = {
    f: record.quotient
    for f, record in RECORDS.items()
    if record.quotient is not None and record.requirements(record.function(u))
}


def without_reciprocals(expr: Expr) -> Expr:
    """1/tanh(x) as coth(x), and the like: the poles of tanh are zeros of the quotient."""
    found: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        other = _reciprocal(node.base) if node.is_Pow and node.exp.is_Integer and node.exp < 0 else None
        if other is not None:
            found[node] = other(node.base.args[0]) ** -node.exp
    return dag.rebuild(expr, found) if found else expr


def _reciprocal(node: Expr) -> Callable[..., Expr] | None:
    record = record_of(node.func)
    return None if record is None else record.reciprocal


def with_quotients(expr: Expr) -> Expr:
    """The same function with tan, cot, ... written as quotients, and 1/tanh as cosh/sinh.

    >>> from sympy import tan, tanh
    >>> with_quotients(tan(u) + 1/tanh(u))
    sin(u)/cos(u) + cosh(u)/sinh(u)
    """
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        if node.func in QUOTIENTS:
            new[node] = QUOTIENTS[node.func](args[0])
        elif node.is_Pow and node.exp.is_Integer and node.exp < 0 and _reciprocal(node.base) in QUOTIENTS:
            new[node] = QUOTIENTS[_reciprocal(node.base)](new[node.base.args[0]]) ** -node.exp
        else:
            same = all(a is b for a, b in zip(args, node.args, strict=True))
            new[node] = node if same else node.func(*args)
    found: Expr = new[expr]
    return found
