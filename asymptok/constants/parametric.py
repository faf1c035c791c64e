"""The sign of a constant with parameters, the same for all their values: the cheapest argument that settles it.

Signs of terms, Sturm's theorem, intervals, factors on boxes, fractions in positive unknowns, square roots, and
monotony from one end of a range. docs/theory.md, "Signs with parameters", says why each of them is a proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb, fmpq
from sympy import (
    Add,
    Dummy,
    Expr,
    Integer,
    Mul,
    Poly,
    Rational,
    S,
    Symbol,
    cos,
    cosh,
    exp,
    expand_mul,
    fraction,
    gamma,
    log,
    nan,
    oo,
    pi,
    sin,
    sinh,
    together,
    zoo,
)  # fmt: skip

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants.boxes import BoxSigns
from asymptok.constants.exponents import Bounds, Ranges, exponent_from_expr, to_rational
from asymptok.constants.generators import BASE_BITS
from asymptok.constants.monotone import Monotone
from asymptok.constants.numbers import ONE, Number, Terms, ball_sign
from asymptok.constants.ordered import is_moment, rational_unknowns
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.depth import SlopeProduct
from asymptok.functions.hermite import HermiteDual
from asymptok.precision import flint_precision
from asymptok.truth import Sign

if TYPE_CHECKING:
    from asymptok.constants.exact import ExactDomain

__all__ = ["ParameterSigns"]

_SMALL = 12
#: different exponentials in a sum that is divided by one of them
_EXPONENTS = 3
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

    def sign(self, a: Number) -> Sign:
        """The sign that it has everywhere: inside all ranges, and at each end that belongs to its range."""
        found = self._sign_inside(a)
        if found.nonzero:
            expr = self.domain.to_expr(a)
            for symbol in dag.free_symbols(expr):
                if self.domain.ranges.with_zero(symbol) and self._at_zero(expr, symbol) is not found:
                    return Sign.UNKNOWN
        return found

    def _at_zero(self, expr: Expr, symbol: Symbol) -> Sign:
        value = dag.rebuild(expr, {symbol: S.Zero})
        return Sign.UNKNOWN if value.has(nan, zoo, oo, -oo) else self.domain.sign_of(value)

    def _sign_inside(self, a: Number) -> Sign:
        """The sign over the open ranges."""
        generators = self.domain.generators
        self._find_signs(a.terms)
        found = generators.monomial_signs(a.terms)
        if not found.known:
            found = self._polynomial_sign(a)
        if not found.known:
            found = self._interval_sign(a)
        if found.known:
            return found
        if self.domain.zero_test.vanishes(a.terms):
            return Sign.ZERO
        # the values of means are dear
        dear = any(isinstance(generators.info[g].expr, HermiteDual) for g in generators.closure(a.terms))
        if dear and (found := self._fraction_sign(a)).known:
            return found
        if self._is_seen_to_change(a):
            return self._sign_of_values(a)
        found = self.boxes.sign(a.terms, thorough=self.monotone.is_fresh)
        if not found.known and not dear:
            found = self._fraction_sign(a)
        if not found.known:
            found = self._exponential_sign(a)
        if not found.known:
            found = self._root_sign(a)
        if not found.known and generators.size(a.terms) <= _SMALL:
            # SymPy's own inference takes seconds on larger expressions
            expr = self.domain.to_expr(a)
            found = Sign.shown(expr.is_positive, expr.is_negative)
        if not found.known:
            found = self.monotone.sign(a)
        return found if found.known else self._sign_of_values(a)

    def _sign_of_values(self, a: Number) -> Sign:
        """With the values of the constants that have names: relations between them may be needed."""
        expr = self.domain.to_expr(a)
        value = dag.plain(expr)
        return (
            self._plainly(value) if value is not expr and dag.tree_size(value) <= _FRACTION else Sign.UNKNOWN
        )

    def _is_seen_to_change(self, a: Number) -> bool:
        """Whether two points of the ranges show both signs, so that no proof need be looked for."""
        expr = self.domain.to_expr(a)
        symbols = sorted(dag.free_symbols(expr), key=lambda s: s.name)
        if any(s.is_integer for s in symbols) or self.domain.generators.size(a.terms) > _FRACTION:
            return False
        seen: set[Sign] = set()
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
        return {Sign.POSITIVE, Sign.NEGATIVE} <= seen

    def _plainly(self, expr: Expr) -> Sign:
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
                if not info.sign.known:
                    info.sign = generators.monomial_signs(info.polynomial)
                continue
            self._looked_at.add(g)
            assert info.expr is not None
            side = self._beside_one(info.expr)
            if side.known:
                info.sign, info.below_one, info.above_one = Sign.POSITIVE, side.negative, side.positive
            elif info.expr.func is gamma:
                info.sign = self._gamma_sign(info.expr.args[0])
            elif info.expr.func in (sin, cos):
                info.sign = self._wave_sign(info.expr)
            elif is_moment(info.expr):
                info.sign = Sign.POSITIVE

    def _gamma_sign(self, x: Expr) -> Sign:
        """Gamma > 0 for x > 0, and (-1)^n between the poles -n and 1 - n."""
        if self._plainly(x).positive:
            return Sign.POSITIVE
        form, rest = exponent_from_expr(x)
        low, high = self.domain.ranges.bounds(form)
        if low is None or high is None or not self.domain.ranges.are_open(form):
            return Sign.UNKNOWN
        below = int((low + rest).p // (low + rest).q)
        if below >= 0:
            return Sign.POSITIVE
        return Sign.of(-1 if below % 2 else 1) if high + rest <= below + 1 else Sign.UNKNOWN

    def _wave_sign(self, wave: Expr) -> Sign:
        """sin(pi x) has the sign (-1)^n between the integers n and n + 1, and cos(pi x) is sin(pi (x + 1/2))."""
        form, rest = exponent_from_expr(wave.args[0] / pi + (S.Half if wave.func is cos else 0))
        low, high = self.domain.ranges.bounds(form)
        if low is None or high is None or not self.domain.ranges.are_open(form):
            return Sign.UNKNOWN
        below = int((low + rest).p // (low + rest).q)
        return Sign.of(-1 if below % 2 else 1) if high + rest <= below + 1 else Sign.UNKNOWN

    def _beside_one(self, node: Expr) -> Sign:
        """The sign of the logarithm, if the value is positive: kappa_n(x) for -1 < x < 1, e^x and b^x by signs."""
        if node.func is ArcCosine:
            return Sign.NEGATIVE if self._is_inside(node.args[1]) else Sign.UNKNOWN
        if node.func is SlopeProduct:
            low = self.domain.ranges.of(node.args[0])[0] if node.args[0].is_Symbol else None
            return Sign.NEGATIVE if low is not None and low >= 2 else Sign.UNKNOWN
        if node.func is exp:
            return _unless_zero(self._plainly(node.args[0]))
        if node.is_Pow and dag.free_symbols(node.exp):
            base = self._plainly(node.base - 1) if self._plainly(node.base).positive else Sign.UNKNOWN
            return _unless_zero(base * self._plainly(node.exp)) if base.nonzero else Sign.UNKNOWN
        return Sign.UNKNOWN

    def _is_inside(self, x: Expr) -> bool:
        """Whether -1 < x < 1 is proved."""
        value = self.domain.constant(x)
        with self.monotone.at_depth(0):
            return all(
                self.domain.sign(self.domain.add(ONE, y)).positive for y in (value, self.domain.neg(value))
            )

    def _polynomial_sign(self, a: Number) -> Sign:
        """A polynomial over Q in one parameter has one sign if it has no root in the open range (Sturm)."""
        factor, primitive = self.domain.without_content(a.terms)
        outer = self.domain.generators.monomial_signs(factor)
        primitive = self._without_common_root(primitive)
        expr = self.domain.to_expr(Number(primitive))
        symbols = dag.free_symbols(expr)
        if not outer.known or len(symbols) != 1:
            return Sign.UNKNOWN
        (symbol,) = symbols
        if not _is_rational_polynomial(expr) or self.domain.generators.size(primitive) > 200:
            return Sign.UNKNOWN
        polynomial = Poly(expr, symbol)
        if not polynomial.domain.is_QQ and not polynomial.domain.is_ZZ:
            return Sign.UNKNOWN
        if polynomial.is_zero:
            return Sign.ZERO
        low, high = (None if end is None else to_rational(end) for end in self.domain.ranges.of(symbol))
        roots = polynomial.count_roots(low, high)  # counts the ends too, which are not in the range
        roots -= sum(1 for end in (low, high) if end is not None and polynomial.eval(end) == 0)
        if roots:
            return Sign.UNKNOWN
        inside = _between(low, high)
        return outer if polynomial.eval(inside) > 0 else -outer

    def _fraction_sign(self, a: Number) -> Sign:
        """Over one denominator, every parameter and every function beside 1 written by an unknown z > 0.

        1 - ((b - w)/(b + w))^2 = 4 b w/(b + w)^2 for b, w > 0, and low + (high - low)/(1 + z) for a bounded range: if
        all terms of numerator and denominator have one sign, that is the sign of the quotient.
        """
        if self.domain.generators.size(a.terms) > _FRACTION:
            return Sign.UNKNOWN
        expr = self.domain.to_expr(a)
        if not (expr.is_Add or expr.is_Mul):
            return Sign.UNKNOWN
        unknowns: dict[Expr, Expr] = {}
        for node in dag.postorder(expr):
            if not dag.free_symbols(node) or node.is_Symbol:
                continue
            side = self._beside_one(node)
            if side.known:
                unknowns[node] = (1 + Dummy(positive=True)) ** side.number
            elif node.func is ArcCosine:
                return Sign.UNKNOWN
            elif node.func is SlopeProduct:
                unknowns[node] = Dummy(positive=True)
        others = rational_unknowns(dag.rebuild(expr, unknowns), self._plainly)
        if others is None:
            return Sign.UNKNOWN
        unknowns |= others
        for symbol in dag.free_symbols(expr):
            unknowns[symbol] = _by_positive(*self.domain.ranges.of(symbol))
        rational = dag.rebuild(expr, unknowns)
        if not rational.is_rational_function(*dag.free_symbols(rational)):
            return Sign.UNKNOWN
        sign = Sign.POSITIVE
        for part in fraction(together(rational)):
            signs = {_sign_of_term(term) for term in Add.make_args(part.expand())}
            if len(signs) != 1 or Sign.UNKNOWN in signs:
                return Sign.UNKNOWN
            sign *= signs.pop()
        return sign

    def _exponential_sign(self, a: Number) -> Sign:
        """A sum of multiples of exponentials, divided by one of them: an unknown beside 1 for each other exponent.

        exp(-3b) exp(b/pi) - 6 is y - 6 with 0 < y < 1, for -3b + b/pi < 0.
        """
        if self.domain.generators.size(a.terms) > _SMALL * _SMALL:
            return Sign.UNKNOWN
        expr = self.domain.to_expr(a)
        if expr.has(sinh, cosh):
            expr = expand_mul(expr.rewrite([sinh, cosh], exp))
        parts = [_by_exponent(term) for term in Add.make_args(expr)]
        exponents = list(dict.fromkeys(exponent for _, exponent in parts))
        if exponents == [0] or len(exponents) > _EXPONENTS:
            return Sign.UNKNOWN
        for base in exponents:
            unknowns: dict[Expr, Expr] = {base: S.One}
            ranges: dict[Symbol, tuple[fmpq | Expr, fmpq | Expr]] = {}
            for exponent in exponents:
                side = Sign.ZERO if exponent == base else self._plainly((exponent - base).expand())
                if side.nonzero:
                    unknowns[exponent] = y = Dummy(positive=True)
                    ranges[y] = (S.Zero, S.One) if side.negative else (S.One, oo)
            if len(unknowns) < len(exponents):
                continue
            total = Add(*(c * unknowns[exponent] for c, exponent in parts))
            for symbol in dag.free_symbols(total) - ranges.keys():
                low, high = self.domain.ranges.end(symbol, 0), self.domain.ranges.end(symbol, 1)
                ranges[symbol] = (-oo if low is None else low, oo if high is None else high)
            found = type(self.domain)(Ranges(ranges)).sign_of(total)
            if found.known:
                return found
        return Sign.UNKNOWN

    def _root_sign(self, a: Number) -> Sign:
        """x + y sqrt(D): where x and y have opposite signs, that of x times that of x^2 - y^2 D."""
        if self.domain.generators.size(a.terms) > _FRACTION:
            return Sign.UNKNOWN
        expr = self.domain.to_expr(a)
        bases = [
            node.base
            for node in dag.postorder(expr)
            if node.is_Pow and node.exp.is_Rational and node.exp.q == 2 and dag.free_symbols(node.base)
        ]
        if not bases or not self._plainly(bases[0]).positive:
            return Sign.UNKNOWN
        base, root = bases[0], Dummy()
        powers = {
            node: root * base ** (node.exp - Rational(1, 2))
            for node in dag.postorder(expr)
            if node.is_Pow and node.base == base and node.exp.is_Rational and node.exp.q == 2
        }
        form = dag.rebuild(expr, powers).expand()
        x, y = form.coeff(root, 0), form.coeff(root, 1)
        if (form - x - y * root).expand() != 0 or root in dag.free_symbols(x) | dag.free_symbols(y):
            return Sign.UNKNOWN
        first, second = self._plainly(x), self._plainly(y)
        if not first.known or not second.known:
            return Sign.UNKNOWN
        if (first * second).nonnegative:
            return first if first.nonzero else second
        inner = self._plainly((x**2 - y**2 * base).expand())
        return first * inner

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

    def _interval_sign(self, a: Number) -> Sign:
        """Interval arithmetic over bounded ranges; the ends are open, so a bound of 0 is not attained."""
        ranges = self.domain.ranges
        boxes = {}
        expr = self.domain.to_expr(a)
        for symbol in dag.free_symbols(expr):
            low, high = ranges.of(symbol)
            if low is None or high is None:
                return Sign.UNKNOWN
            boxes[symbol] = (low, high)
        linear = _linear_sign(expr, boxes)
        if linear.known:
            return linear
        with flint_precision(BASE_BITS):
            try:
                return ball_sign(ball(expr, {s: arb(lo).union(arb(hi)) for s, (lo, hi) in boxes.items()}))
            except AsymptokError:
                return Sign.UNKNOWN


def _point(bounds: Bounds, share: fmpq) -> fmpq:
    low, high = bounds
    if low is not None and high is not None:
        return low + share * (high - low)
    if low is not None:
        return low + share / (1 - share)
    return (high if high is not None else fmpq(0)) - share / (1 - share) + (2 if high is None else 0)


def _between(low: Rational | None, high: Rational | None) -> Rational:
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


def _by_exponent(term: Expr) -> tuple[Expr, Expr]:
    """c and E with term = c e^E, where c has no exponential of the parameters."""
    rest: list[Expr] = []
    exponent: Expr = S.Zero
    for factor in Mul.make_args(term):
        base, power = factor.as_base_exp()
        if dag.free_symbols(power) and not dag.free_symbols(base) and base.is_positive:
            exponent += power * log(base)
        else:
            rest.append(factor)
    return Mul(*rest), exponent.expand()


def _sign_of_term(term: Expr) -> Sign:
    return Sign.shown(term.is_positive, term.is_negative, term.is_zero)


def _unless_zero(sign: Sign) -> Sign:
    return sign if sign.nonzero else Sign.UNKNOWN


def _is_rational_polynomial(expr: Expr) -> bool:
    """Whether nothing but sums, products and whole powers of rational numbers and symbols occurs."""
    return all(
        node.is_Rational or node.is_Symbol or node.is_Add or node.is_Mul
        or (node.is_Pow and node.exp.is_Integer and node.exp >= 0)
        for node in dag.postorder(expr)
    )  # fmt: skip


def _linear_sign(expr: Expr, boxes: dict[Symbol, tuple[fmpq, fmpq]]) -> Sign:
    """The sign of a linear polynomial in one bounded parameter, from its values at the two open ends."""
    if len(boxes) != 1:
        return Sign.UNKNOWN
    ((symbol, (low, high)),) = boxes.items()
    # SymPy's as_poly takes seconds on long constants; a slope without the parameter says the same
    if not expr.is_polynomial(symbol) or symbol in dag.free_symbols(dag.derivative(expr, symbol)):
        return Sign.UNKNOWN
    with flint_precision(BASE_BITS):
        ends = [ball(expr, {symbol: arb(end)}) for end in (low, high)]
    if all(x >= 0 for x in ends) and any(x > 0 for x in ends):
        return Sign.POSITIVE
    if all(x <= 0 for x in ends) and any(x < 0 for x in ends):
        return Sign.NEGATIVE
    return Sign.UNKNOWN
