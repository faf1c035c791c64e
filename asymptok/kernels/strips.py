"""Even and odd parts of an activation, and its form: a rational function of E = exp(c x), x, logarithms and roots."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import gcd, lcm

import sympy
from sympy import Dummy, Expr, I, Poly, Rational, S, Symbol, exp, log

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.functions.half_strip import in_exponentials
from asymptok.symbols import x

__all__ = ["Branch", "RationalForm", "normal_part", "parity_parts", "rational_form", "zero_from"]


def parity_parts(expr: Expr) -> tuple[Expr, Expr]:
    """(even, odd) with expr = even + odd; a part that is a polynomial is written as one.

    >>> parity_parts(1/(1 + exp(-x)))[0], parity_parts(sympy.tanh(x))
    (1/2, (0, tanh(x)))
    """
    mirrored = dag.rebuild(expr, {x: -x})
    return normal_part((expr + mirrored) / 2), normal_part((expr - mirrored) / 2)


@lru_cache(maxsize=256)
def normal_part(expr: Expr) -> Expr:
    """The expression multiplied out; a polynomial if it is one, also in disguise."""
    part = expr.expand()
    if part.is_polynomial(x):
        return part
    if part.is_rational_function(x):
        reduced = sympy.cancel(part)
        return reduced if reduced.is_polynomial(x) else part
    if not in_exponentials(part).has(exp):
        return part
    try:
        found = rational_form(part)
    except AsymptokError:
        return part
    if found.form.free_symbols - {found.E, found.z}:
        return part  # branches are left
    written = found.form.subs({found.z: x, found.E: exp(found.unit * x)})
    if written.is_polynomial(x):
        return written.expand()
    return written if written.count_ops() < part.count_ops() else part


@dataclass(frozen=True, slots=True)
class Branch:
    """log f (root = 0) or f^(1/root), f a polynomial in E or in z without a zero on the real axis."""

    base: Expr
    root: int


@dataclass(frozen=True)
class RationalForm:
    """An activation as a rational function, in lowest terms, of E = exp(unit z), z, branches and what is left."""

    form: Expr
    E: Symbol
    z: Symbol
    unit: Expr
    branches: dict[Symbol, Branch]


@lru_cache(maxsize=256)
def rational_form(expr: Expr) -> RationalForm:
    """The form with its branches by names; AsymptokError where an exponential or a branch is of another kind.

    >>> found = rational_form(sympy.log(sympy.cosh(x)))
    >>> found.unit, [str(b.base).replace("_", "") for b in found.branches.values()]
    (1, ['E**2 + 1'])
    """
    plain, E, z, unit = _in_one_exponential(expr)
    names = _Names(E, z, unit)
    return RationalForm(sympy.cancel(sympy.together(names.put_in(plain))), E, z, unit, names.branches)


class _Names:
    """Names for the branches of an activation."""

    def __init__(self, E: Symbol, z: Symbol, unit: Expr) -> None:
        self.E, self.z, self.unit = E, z, unit
        self.branches: dict[Symbol, Branch] = {}

    def put_in(self, plain: Expr) -> Expr:
        """Logarithms, roots and arc tangents by names, those of products as sums and products of branches."""
        given = (self.E, self.z)
        named: dict[Expr, Expr] = {}
        powers = [p for p in plain.atoms(sympy.Pow) if p.exp.is_Rational and not p.exp.is_Integer]
        factored = {p: self._factored(p.base) for p in powers if p.has(*given)}
        roots: dict[Expr, int] = {}
        for node, (_, factors) in factored.items():
            for f, m in factors:
                roots[f] = lcm(roots.get(f, 1), int((m * node.exp).q))
        for node, (constant, factors) in factored.items():
            parts = [self._root(f, m * node.exp, roots[f]) for f, m in factors]
            named[node] = constant**node.exp * sympy.Mul(*parts)
        for node in plain.atoms(log):
            if node.has(*given):
                top, bottom = sympy.fraction(sympy.together(node.args[0]))
                named[node] = self._log(top) - self._log(bottom)
        for node in plain.atoms(sympy.atan):
            inner = node.args[0]
            if inner.is_polynomial(self.z) and not inner.has(self.E):
                named[node] = (self._name(1 + I * inner, 0) - self._name(1 - I * inner, 0)) / (2 * I)
        return dag.rebuild(plain, named)

    def _name(self, base: Expr, root: int) -> Symbol:
        branch = Branch(base, root)
        name = next((n for n, b in self.branches.items() if b == branch), None) or Dummy()
        self.branches[name] = branch
        return name

    def _root(self, f: Expr, power: Rational, root: int) -> Expr:
        """f^power as a whole power of f, which may be negative, and one of f^(1/root), which is not."""
        whole = int(sympy.floor(power))
        rest = int((power - whole) * root)
        return f**whole * (self._name(f, root) ** rest if rest else S.One)

    def _log(self, part: Expr) -> Expr:
        constant, factors = self._factored(part)
        parts = [m * (self.unit * self.z if f == self.E else self._name(f, 0)) for f, m in factors]
        return log(constant) + sympy.Add(*parts)

    def _factored(self, part: Expr) -> tuple[Expr, list[tuple[Expr, int]]]:
        """Irreducible factors that are positive on the real axis, as the branches of a product need them."""
        if not part.is_polynomial(self.E, self.z) or (part.has(self.E) and part.has(self.z)):
            raise AsymptokError("a branch of something else than a polynomial in x, or in exponentials")
        if not part.has(self.E, self.z):
            return part, []
        constant, factors = sympy.factor_list(part)
        if any(f != self.E and not self._positive(f) for f, _ in factors) or not constant.is_positive:
            raise AsymptokError("a branch of something that may change its sign")
        return constant, factors

    def _positive(self, factor: Expr) -> bool:
        """Whether a polynomial over the rational numbers is positive for E >= 0, or for real z."""
        poly = Poly(factor, self.E if factor.has(self.E) else self.z)
        if not (poly.domain.is_ZZ or poly.domain.is_QQ) or not poly.eval(1) > 0:
            return False
        return bool((poly.count_roots(0) if factor.has(self.E) else poly.count_roots()) == 0)


def _in_one_exponential(expr: Expr) -> tuple[Expr, Symbol, Symbol, Expr]:
    """The activation as an expression in z = x and E = exp(c x), with c (1 if there is no exponential)."""
    plain = in_exponentials(expr)
    slopes = [node.args[0] / x for node in plain.atoms(exp)]
    ratios = [sympy.cancel(slope / slopes[0]) for slope in slopes]
    if any(s.has(x) for s in slopes) or any(not r.is_Rational for r in ratios):
        raise AsymptokError(f"{expr} is not built of exponentials exp(c x) with commensurable c")
    # gcd_list of SymPy stops at the first 1, also where a fraction follows
    common = Rational(gcd(*(int(r.p) for r in ratios)), lcm(*(int(r.q) for r in ratios)))
    unit = sympy.Abs(slopes[0]) * common if slopes else S.One
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
