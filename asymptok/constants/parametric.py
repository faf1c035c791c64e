"""The sign of a constant with parameters, the same for all their values: the cheapest argument that settles it.

Signs of terms, Sturm's theorem, intervals, factors on boxes, fractions in positive unknowns, square roots, and
monotony from one end of a range. docs/theory.md, "Signs with parameters", says why each of them is a proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flint import arb, fmpq
from sympy import Add, Dummy, Expr, Integer, Poly, Rational, Symbol, exp, fraction, gamma, together

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants.boxes import BoxSigns
from asymptok.constants.exponents import Bounds, to_rational
from asymptok.constants.generators import BASE_BITS
from asymptok.constants.monotone import Monotone
from asymptok.constants.numbers import ONE, Number, Terms, ball_sign
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.depth import SlopeProduct
from asymptok.precision import flint_precision

if TYPE_CHECKING:
    from asymptok.constants.exact import ExactDomain

__all__ = ["ParameterSigns"]

_SMALL = 12
#: nodes up to which a sum of fractions is brought over one denominator
_FRACTION = 300
#: where values are looked at, as shares of a bounded range; x/(1 - x) on a half-line
_PLACES = tuple(fmpq(n, 64) for n in (1, 7, 16, 29, 40, 51, 63))


class ParameterSigns:
    """Signs over the ranges of the parameters, for one exact domain."""

    def __init__(self, domain: ExactDomain) -> None:
        self.domain = domain
        self.boxes = BoxSigns(domain)
        self.monotone = Monotone(domain)
        self._looked_at: set[int] = set()

    def sign(self, a: Number) -> int | None:
        """-1, 0 or 1 if it is that everywhere."""
        generators = self.domain.generators
        self._find_signs(a.terms)
        found = generators.monomial_signs(a.terms)
        if found is None:
            found = self._polynomial_sign(a)
        if found is None:
            found = self._interval_sign(a)
        if found is not None:
            return found
        if self.domain.zero_test.vanishes(a.terms):
            return 0
        if self._is_seen_to_change(a):
            return None
        found = self.boxes.sign(a.terms, thorough=self.monotone.is_fresh)
        if found is None:
            found = self._fraction_sign(a)
        if found is None:
            found = self._root_sign(a)
        if found is None and generators.size(a.terms) <= _SMALL:
            # SymPy's own inference takes seconds on larger expressions
            expr = self.domain.to_expr(a)
            found = 1 if expr.is_positive else (-1 if expr.is_negative else None)
        return self.monotone.sign(a) if found is None else found

    def _is_seen_to_change(self, a: Number) -> bool:
        """Whether two points of the ranges show both signs, so that no proof need be looked for."""
        expr = self.domain.to_expr(a)
        symbols = sorted(dag.free_symbols(expr), key=lambda s: s.name)
        if any(s.is_integer for s in symbols) or self.domain.generators.size(a.terms) > _FRACTION:
            return False
        seen: set[int | None] = set()
        with flint_precision(BASE_BITS):
            for i, place in enumerate(_PLACES):
                # neighbouring parameters are not moved alike
                point = {
                    s: arb(
                        _point(
                            self.domain.ranges.of(s),
                            _PLACES[(i * (j + 1) + j) % len(_PLACES)] if j else place,
                        )
                    )
                    for j, s in enumerate(symbols)
                }
                try:
                    seen.add(ball_sign(ball(expr, point)))
                except AsymptokError:
                    return False
        return {1, -1} <= seen

    def _plainly(self, expr: Expr) -> int | None:
        """The sign of what is asked for on the way, without derivatives."""
        with self.monotone.at_depth(0):
            return self.domain.sign_of(expr)

    def _find_signs(self, terms: Terms) -> None:
        """The signs of generators, and the side of 1 on which they lie; then what follows for the polynomials above."""
        generators = self.domain.generators
        for g in generators.closure(terms):
            info = generators.info[g]
            if not info.symbolic or g in self._looked_at:
                continue
            if info.polynomial is not None:
                if info.sign is None:
                    info.sign = generators.monomial_signs(info.polynomial)
                continue
            self._looked_at.add(g)
            assert info.expr is not None
            side = self._beside_one(info.expr)
            if side is not None:
                info.sign, info.below_one, info.above_one = 1, side < 0, side > 0
            elif info.expr.func is gamma and self._plainly(info.expr.args[0]) == 1:
                info.sign = 1

    def _beside_one(self, node: Expr) -> int | None:
        """1 if the value exceeds 1, -1 if it lies between 0 and 1: kappa_n(x) for -1 < x < 1, e^x and b^x by signs."""
        if node.func is ArcCosine:
            return -1 if self._is_inside(node.args[1]) else None
        if node.func is SlopeProduct:
            low = self.domain.ranges.of(node.args[0])[0] if node.args[0].is_Symbol else None
            return -1 if low is not None and low >= 2 else None
        if node.func is exp:
            return self._plainly(node.args[0]) or None
        if node.is_Pow and dag.free_symbols(node.exp):
            base = self._plainly(node.base - 1) if self._plainly(node.base) == 1 else None
            exponent = self._plainly(node.exp) if base else None
            return base * exponent or None if base and exponent else None
        return None

    def _is_inside(self, x: Expr) -> bool:
        """Whether -1 < x < 1 is proved."""
        value = self.domain.constant(x)
        with self.monotone.at_depth(0):
            return all(
                self.domain.sign(self.domain.add(ONE, y)) == 1 for y in (value, self.domain.neg(value))
            )

    def _polynomial_sign(self, a: Number) -> int | None:
        """A polynomial over Q in one parameter has one sign if it has no root in the open range (Sturm)."""
        factor, primitive = self.domain.primitive(a.terms)
        outer = self.domain.generators.monomial_signs(factor)
        primitive = self._without_common_root(primitive)
        expr = self.domain.to_expr(Number(primitive))
        symbols = dag.free_symbols(expr)
        if outer is None or len(symbols) != 1:
            return None
        (symbol,) = symbols
        if not _is_rational_polynomial(expr) or self.domain.generators.size(primitive) > 200:
            return None
        polynomial = Poly(expr, symbol)
        if not polynomial.domain.is_QQ and not polynomial.domain.is_ZZ:
            return None
        if polynomial.is_zero:
            return 0
        low, high = (None if end is None else to_rational(end) for end in self.domain.ranges.of(symbol))
        roots = polynomial.count_roots(low, high)  # counts the ends too, which are not in the range
        roots -= sum(1 for end in (low, high) if end is not None and polynomial.eval(end) == 0)
        if roots:
            return None
        inside = _between(low, high)
        return outer if polynomial.eval(inside) > 0 else -outer

    def _fraction_sign(self, a: Number) -> int | None:
        """Over one denominator, every parameter and every function beside 1 written by an unknown z > 0.

        1 - ((b - w)/(b + w))^2 = 4 b w/(b + w)^2 for b, w > 0, and low + (high - low)/(1 + z) for a bounded range: if
        all terms of numerator and denominator have one sign, that is the sign of the quotient.
        """
        if self.domain.generators.size(a.terms) > _FRACTION:
            return None
        expr = self.domain.to_expr(a)
        if not (expr.is_Add or expr.is_Mul):
            return None
        unknowns: dict[Expr, Expr] = {}
        for node in dag.postorder(expr):
            if not dag.free_symbols(node) or node.is_Symbol:
                continue
            side = self._beside_one(node)
            if side is not None:
                unknowns[node] = (1 + Dummy(positive=True)) ** side
            elif node.func is ArcCosine:
                return None
            elif node.func is SlopeProduct:
                unknowns[node] = Dummy(positive=True)
        for symbol in dag.free_symbols(expr):
            unknowns[symbol] = _by_positive(*self.domain.ranges.of(symbol))
        rational = dag.rebuild(expr, unknowns)
        if not rational.is_rational_function(*dag.free_symbols(rational)):
            return None
        sign = 1
        for part in fraction(together(rational)):
            signs = {_sign_of_term(term) for term in Add.make_args(part.expand())}
            if len(signs) != 1 or None in signs:
                return None
            sign *= signs.pop() or 0
        return sign

    def _root_sign(self, a: Number) -> int | None:
        """x + y sqrt(D): where x and y have opposite signs, that of x times that of x^2 - y^2 D."""
        if self.domain.generators.size(a.terms) > _FRACTION:
            return None
        expr = self.domain.to_expr(a)
        bases = [
            node.base
            for node in dag.postorder(expr)
            if node.is_Pow and node.exp.is_Rational and node.exp.q == 2 and dag.free_symbols(node.base)
        ]
        if not bases or self._plainly(bases[0]) != 1:
            return None
        base, root = bases[0], Dummy()
        powers = {
            node: root * base ** (node.exp - Rational(1, 2))
            for node in dag.postorder(expr)
            if node.is_Pow and node.base == base and node.exp.is_Rational and node.exp.q == 2
        }
        form = dag.rebuild(expr, powers).expand()
        x, y = form.coeff(root, 0), form.coeff(root, 1)
        if (form - x - y * root).expand() != 0 or root in dag.free_symbols(x) | dag.free_symbols(y):
            return None
        first, second = self._plainly(x), self._plainly(y)
        if first is None or second is None:
            return None
        if first * second >= 0:
            return first or second
        inner = self._plainly((x**2 - y**2 * base).expand())
        return None if inner is None else first * inner

    def _without_common_root(self, terms: Terms) -> Terms:
        """Divided by the roots of primes that all terms share: sqrt(2) a - sqrt(2) becomes a - 1."""
        monomials = self.domain.monomials
        parts = [
            [(g, e) for g, e in monomials.keys[m] if (g in monomials.primes) is rational]
            for m in terms
            for rational in (True, False)
        ]
        roots, others = parts[0::2], parts[1::2]
        if not roots[0] or any(root != roots[0] for root in roots):
            return terms
        return {monomials.index(tuple(rest)): c for rest, c in zip(others, terms.values(), strict=True)}

    def _interval_sign(self, a: Number) -> int | None:
        """Interval arithmetic over bounded ranges; the ends are open, so a bound of 0 is not attained."""
        ranges = self.domain.ranges
        boxes = {}
        expr = self.domain.to_expr(a)
        for symbol in dag.free_symbols(expr):
            low, high = ranges.of(symbol)
            if low is None or high is None:
                return None
            boxes[symbol] = (low, high)
        linear = _linear_sign(expr, boxes)
        if linear is not None:
            return linear
        with flint_precision(BASE_BITS):
            try:
                return ball_sign(ball(expr, {s: arb(lo).union(arb(hi)) for s, (lo, hi) in boxes.items()}))
            except AsymptokError:
                return None


def _point(bounds: Bounds, share: fmpq) -> fmpq:
    low, high = bounds
    if low is not None and high is not None:
        return low + share * (high - low)
    if low is not None:
        return low + share / (1 - share)
    return (high if high is not None else fmpq(0)) - share / (1 - share) + (2 if high is None else 0)


def _between(low: Any, high: Any) -> Any:
    """A rational number inside an open interval; None stands for an infinite end."""
    if low is None:
        return Integer(0) if high is None else high - 1
    return low + 1 if high is None else (low + high) / 2


def _by_positive(low: fmpq | None, high: fmpq | None) -> Expr:
    """An open interval as the image of z > 0; z itself is real where there is no end."""
    z = Dummy(positive=True)
    if low is None:
        return Dummy(real=True) if high is None else to_rational(high) - z
    if high is None:
        return to_rational(low) + z
    return to_rational(low) + to_rational(high - low) / (1 + z)


def _sign_of_term(term: Expr) -> int | None:
    if term.is_zero:
        return 0
    return 1 if term.is_positive else (-1 if term.is_negative else None)


def _is_rational_polynomial(expr: Expr) -> bool:
    """Whether nothing but sums, products and whole powers of rational numbers and symbols occurs."""
    return all(
        node.is_Rational or node.is_Symbol or node.is_Add or node.is_Mul
        or (node.is_Pow and node.exp.is_Integer and node.exp >= 0)
        for node in dag.postorder(expr)
    )  # fmt: skip


def _linear_sign(expr: Expr, boxes: dict[Symbol, tuple[fmpq, fmpq]]) -> int | None:
    """The sign of a linear polynomial in one bounded parameter, from its values at the two open ends."""
    if len(boxes) != 1:
        return None
    ((symbol, (low, high)),) = boxes.items()
    # SymPy's as_poly takes seconds on long constants; a slope without the parameter says the same
    if not expr.is_polynomial(symbol) or symbol in dag.free_symbols(dag.derivative(expr, symbol)):
        return None
    with flint_precision(BASE_BITS):
        ends = [ball(expr, {symbol: arb(end)}) for end in (low, high)]
    if all(x >= 0 for x in ends) and any(x > 0 for x in ends):
        return 1
    if all(x <= 0 for x in ends) and any(x < 0 for x in ends):
        return -1
    return None
