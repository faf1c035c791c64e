r"""Kernels of piecewise polynomial activations as sums of polynomials times three kinds of functions, and a rest.

    Orthant(h, k, +-u),     erf((a + b u)/sqrt(2 (1 - u^2))),     (1-u)^p (1+u)^q exp(-A/(1+u) - B/(1-u)),

h, k, A, B >= 0. They are closed under differentiation: with A = (h+k)^2/4 and B = (h-k)^2/4

    d/du Orthant(h, k, u) = exp(-A/(1+u) - B/(1-u))/(2 pi sqrt(1-u^2)),
    d/du erf(...)         = sqrt(2/pi) (b + a u) (1-u^2)^(-3/2) exp(b^2/2 - A/(1+u) - B/(1-u)),  A, B = (a -+ b)^2/4,

so that polynomials of degree < n times the first two are gone after n derivatives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import sympy
from sympy import Dummy, Expr, Poly, PolynomialError, Rational, S, erf, exp, pi, sqrt

from asymptok import dag
from asymptok.balls import ball
from asymptok.functions.orthant import Orthant
from asymptok.symbols import u

__all__ = ["QuadrantForm", "quadrant_form"]

#: (h, k, sign) of Orthant(h, k, sign u)
Quadrant = tuple[Expr, Expr, int]
#: (a, b) of erf((a + b u)/sqrt(2 (1-u^2))), a >= 0
ErrorKey = tuple[Expr, Expr]
#: (A, B), both >= 0 and not both 0
Rates = tuple[Expr, Expr]
#: (p, q) -> coefficient of (1-u)^p (1+u)^q
Powers = dict[tuple[Expr, Expr], Expr]
#: larger expressions are not taken apart
_LARGEST = 2000


@dataclass(frozen=True)
class QuadrantForm:
    """The summands by kind; `rest` has none of these functions in it."""

    quadrants: Mapping[Quadrant, Poly] = field(default_factory=dict)
    errors: Mapping[ErrorKey, Poly] = field(default_factory=dict)
    exponentials: Mapping[Rates, Powers] = field(default_factory=dict)
    rest: Expr = S.Zero
    #: quotients of sums without u stand under a name in the coefficients: what cancels is seen then
    constants: Mapping[Dummy, Expr] = field(default_factory=dict)

    def exact(self, expr: Expr) -> Expr:
        """A coefficient with its constants put in."""
        return expr.xreplace(dict(self.constants)) if self.constants else expr

    @property
    def order(self) -> int:
        """How many derivatives leave exponentials alone (and those of the rest)."""
        polys = [*self.quadrants.values(), *self.errors.values()]
        return max((poly.degree() + 1 for poly in polys), default=0)

    def differentiated(self) -> QuadrantForm:
        """The form of the derivative, without that of the rest."""
        made = _Maker()
        for (h, k, sign), poly in self.quadrants.items():
            made.quadrant((h, k, sign), poly.diff(u))
            rates = ((h + k) ** 2 / 4, (h - k) ** 2 / 4)
            made.exponential(_turned(rates, sign), _powers(poly.as_expr() * sign / (2 * pi), -S.Half))
        for (a, b), poly in self.errors.items():
            made.error((a, b), poly.diff(u))
            inner = poly.as_expr() * (b + a * u) * sqrt(2 / pi) * exp(b**2 / 2)
            made.exponential(((a - b) ** 2 / 4, (a + b) ** 2 / 4), _powers(inner, -Rational(3, 2)))
        for (first, second), powers in self.exponentials.items():
            for (p, q), c in powers.items():
                slope = {
                    (p - 1, q): -p * c,
                    (p, q - 1): q * c,
                    (p, q - 2): first * c,
                    (p - 2, q): -second * c,
                }
                made.exponential((first, second), {key: v for key, v in slope.items() if v != 0})
        return replace(made.form(S.Zero), constants=self.constants)

    def exponentials_after(self, order: int) -> Mapping[Rates, Powers]:
        """The derivative of that order, all of it exponentials."""
        form = self
        for _ in range(order):
            form = form.differentiated()
        assert not form.quadrants and not form.errors
        return {
            rates: {key: self.exact(c) for key, c in powers.items()}
            for rates, powers in form.exponentials.items()
        }


def _turned(rates: Rates, sign: int) -> Rates:
    return rates if sign > 0 else (rates[1], rates[0])


def _powers(poly: Expr, exponent: Expr) -> Powers:
    """poly(u) (1-u^2)^e in powers of 1 - u."""
    shifted = Poly(poly.subs(u, 1 - u).expand(), u)  # u = 1 - (1-u)
    return {(exponent + n, exponent): c for (n,), c in shifted.terms()}


def _lowest_terms(powers: Powers) -> Powers:
    """The same sum as (1-u)^p (1+u)^q times a polynomial in 1 - u that vanishes at neither end."""
    if not powers or len({(p - q) % 1 for p, q in powers}) > 1 or len({p % 1 for p, _ in powers}) > 1:
        return powers
    low, other = min(p for p, _ in powers), min(q for _, q in powers)
    t = Dummy("t")
    total = sum((c * t ** (p - low) * (2 - t) ** (q - other) for (p, q), c in powers.items()), S.Zero)
    poly = Poly(total.expand(), t)
    if poly.is_zero:
        return {}
    for factor, end in ((t, 0), (2 - t, 2)):
        while poly.eval(end).expand() == 0:
            poly = poly.quo(Poly(factor, t))
            low, other = (low + 1, other) if end == 0 else (low, other + 1)
    return {(low + n, other): c for (n,), c in poly.terms()}


class _Maker:
    """Summands of equal kind are added up."""

    def __init__(self) -> None:
        self.quadrants: dict[Quadrant, Poly] = {}
        self.errors: dict[ErrorKey, Poly] = {}
        self.exponentials: dict[Rates, Powers] = {}

    def quadrant(self, key: Quadrant, poly: Poly) -> None:
        self.quadrants[key] = self.quadrants.get(key, Poly(0, u)) + poly

    def error(self, key: ErrorKey, poly: Poly) -> None:
        self.errors[key] = self.errors.get(key, Poly(0, u)) + poly

    def exponential(self, rates: Rates, powers: Powers) -> None:
        rates = (rates[0].expand(), rates[1].expand())
        mine = self.exponentials.setdefault(rates, {})
        for key, c in powers.items():
            mine[key] = mine.get(key, S.Zero) + c

    def form(self, rest: Expr) -> QuadrantForm:
        exponentials = {rates: _lowest_terms(powers) for rates, powers in self.exponentials.items()}
        return QuadrantForm(
            {key: poly for key, poly in self.quadrants.items() if not poly.is_zero},
            {key: poly for key, poly in self.errors.items() if not poly.is_zero},
            {rates: powers for rates, powers in exponentials.items() if powers},
            rest,
        )


# from an expression ------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def quadrant_form(expr: Expr) -> QuadrantForm | None:
    """The form of a kernel with Orthant(h, k, +-u) in it; None if it has another kind of summand with such functions.

    >>> found = quadrant_form(u * Orthant(1, 1, u) + exp(-1 / (1 + u)) * sqrt(1 - u**2) + u**3)
    >>> found.order, found.exponentials, found.rest
    (2, {(1, 0): {(1/2, 1/2): 1}}, u**3)
    """
    if not expr.has(Orthant) or expr.free_symbols - {u} or dag.tree_size(expr) > _LARGEST:
        return None
    made, rest = _Maker(), []
    names: dict[Expr, Dummy] = {}
    for node in dag.postorder(expr):
        if isinstance(node, sympy.Pow) and node.base.is_Add and node.exp.is_negative and not node.has(u):
            names[node] = Dummy(f"c{len(names)}", real=True, nonzero=True)
    back = {name: node for node, name in names.items()}
    for summand in sympy.Add.make_args(dag.rebuild(expr, dict(names)).expand() if names else expr.expand()):
        if not _summand(made, summand):
            if summand.has(Orthant):
                return None
            rest.append(summand)
    return replace(made.form(sympy.Add(*rest).xreplace(back)), constants=back)


def _summand(made: _Maker, summand: Expr) -> bool:
    """Whether it is of one of the three kinds; it is then taken in."""
    coefficient, p, q, power, exponent, special = S.One, S.Zero, S.Zero, 0, S.Zero, None
    for factor in sympy.Mul.make_args(summand):
        base, e = factor.as_base_exp()
        if not factor.has(u):
            coefficient *= factor
        elif isinstance(factor, exp):
            exponent += factor.args[0]
        elif base == u and e.is_Integer and e > 0:
            power += int(e)
        elif isinstance(factor, Orthant | erf) and special is None:
            special = factor
        else:
            ends = _ends(base) if e.is_Rational else None
            if ends is None or (not e.is_Integer and not ends[0].is_positive):
                return False
            coefficient, p, q = coefficient * ends[0] ** e, p + ends[1] * e, q + ends[2] * e
    rates = _rates(exponent)
    if rates is None:
        return False
    coefficient *= exp(rates[2])
    if special is None:
        if rates[0] == 0 == rates[1]:
            return False
        made.exponential(
            rates[:2], {(p + n, q): c for (n, _), c in _powers(coefficient * u**power, S.Zero).items()}
        )
        return True
    if rates[0] != 0 or rates[1] != 0 or not all(e.is_Integer and e >= 0 for e in (p, q)):
        return False
    poly = Poly((coefficient * u**power * (1 - u) ** p * (1 + u) ** q).expand(), u)
    return _quadrant(made, special, poly) if isinstance(special, Orthant) else _error(made, special, poly)


def _quadrant(made: _Maker, node: Expr, poly: Poly) -> bool:
    h, k, r = node.args
    if h.has(u) or k.has(u) or r not in (u, -u) or not all(ball(a, prec=64) >= 0 for a in (h, k)):
        return False
    made.quadrant((h, k, 1 if r == u else -1), poly)
    return True


def _error(made: _Maker, node: Expr, poly: Poly) -> bool:
    inner = node.args[0]
    if not all(_is_plain(f) for a in sympy.Add.make_args(inner) for f in sympy.Mul.make_args(a)):
        return False
    # (a + b u)^2 = 2 (1-u^2) g^2, and g is analytic on (-1, 1): it is (a + b u)/sqrt(2 (1-u^2)) up to its sign
    a = sqrt(2) * inner.subs(u, 0)
    b = 2 * (sqrt(2) * inner.subs(u, S.Half) * sqrt(3) / 2 - a)
    a, b = a.expand(), b.expand()
    if sympy.cancel((2 * (1 - u**2) * inner**2 - (a + b * u) ** 2).expand()) != 0:
        return False
    if ball(a, prec=64) < 0:
        a, b, poly = -a, -b, -poly
    if not ball(a, prec=64) >= 0:
        return False
    made.error((a, b), poly)
    return True


def _is_plain(factor: Expr) -> bool:
    base, e = factor.as_base_exp()
    return not factor.has(u) or factor == u or bool(e.is_Rational and _ends(base) is not None)


def _ends(base: Expr) -> tuple[Expr, int, int] | None:
    """(c, i, j) with base = c (1-u)^i (1+u)^j."""
    try:
        poly = Poly(base, u)
    except PolynomialError:
        return None
    counts = []
    for end in (1, -1):
        count = 0
        while not poly.is_zero and poly.eval(end).expand() == 0:
            poly = poly.quo(Poly(1 - end * u, u))
            count += 1
        counts.append(count)
    return (poly.as_expr(), counts[0], counts[1]) if poly.degree() == 0 else None


def _rates(exponent: Expr) -> tuple[Expr, Expr, Expr] | None:
    """(A, B, c) with exponent = c - A/(1+u) - B/(1-u), A and B >= 0."""
    if not exponent.has(u):
        return S.Zero, S.Zero, exponent
    try:
        poly = Poly(sympy.cancel(exponent * (1 - u**2)), u)
    except PolynomialError:
        return None
    if poly.degree() > 2:
        return None
    first, second = ((-poly.eval(end) / 2).expand() for end in (-1, 1))
    if not all(a == 0 or ball(a, prec=64) > 0 for a in (first, second)):
        return None
    return first, second, -poly.coeff_monomial(u**2)
