"""Signs of constants: intervals that hold every value, boxes with all their ends, heights of small numbers."""

from __future__ import annotations

import itertools
from typing import Any

import mpmath as mp
import pytest
import sympy
from flint import arb, fmpq
from sympy import (
    Expr,
    Heaviside,
    Integer,
    Rational,
    S,
    Symbol,
    atan,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    floor,
    gamma,
    lambdify,
    log,
    oo,
    pi,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)

from asymptok.constants import boxes, decide, exponents, ordered, relations
from asymptok.constants.ball_domain import BallDomain
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import Ranges
from asymptok.constants.gamma_values import gamma_by_others
from asymptok.constants.halving import _Proof, sign_by_halving
from asymptok.constants.parametric import _linear_sign, _point
from asymptok.precision import flint_precision
from asymptok.truth import Sign, Truth

x, y = Symbol("x", real=True), Symbol("y", real=True)
HALF = fmpq(1, 2)
POSITIVE, NEGATIVE, UNKNOWN, ZERO = Sign.POSITIVE, Sign.NEGATIVE, Sign.UNKNOWN, Sign.ZERO


def fraction(value: Any) -> fmpq:
    value = Rational(value)
    return fmpq(int(value.p), int(value.q))


def number(value: arb) -> mp.mpf:
    if not value.is_finite():
        return mp.inf if value > 0 else -mp.inf
    return mp.mpf(value.mid().str(60, radius=False))


# intervals of halving ----------------------------------------------------------------------------------------

#: an expression, ends of the box, and how much wider the interval may be than its values
SPANS: list[tuple[Expr, Any, Any, float]] = [
    (cos(x), Rational(-1, 10), 2, 1e-4),
    (cos(x), Rational(1, 2), 2, 1e-9),
    (cos(x), 2, 4, 1e-4),
    (cos(x), 3, 7, 1e-4),
    (cos(x), Rational(-5), Rational(-7, 2), 1e-9),
    (cos(x), 1, 9, 1e-4),
    (cos(x), 100, Rational(1001, 10), 1e-4),
    (sin(x), Rational(1, 2), 2, 1e-4),
    (sin(x), 2, 4, 1e-9),
    (sin(x), 4, 5, 1e-4),
    (sin(x), Rational(-2), Rational(-1), 1e-4),
    (sin(x), Rational(-1), 1, 1e-9),
    (sin(x), 5, 8, 1e-4),
    (x**2, -2, 1, 1e-4),
    (x**2, -1, 3, 1e-4),
    (x**2, 1, 3, 1e-9),
    (x**4, -3, -2, 1e-9),
    (x**3, -2, 1, 1e-9),
    (1 / x, 1, 3, 1e-9),
    (1 / x**2, -3, -1, 1e-9),
    (x**-3, -3, -1, 1e-9),
    (x ** Rational(5, 2), Rational(1, 4), 3, 1e-9),
    (x ** Rational(-1, 3), Rational(1, 4), 3, 1e-9),
    (2**x, -3, 2, 1e-9),
    (Rational(1, 3) ** x, -3, 2, 1e-9),
    (x - 3 * x**3, -2, 1, 60),
    (x * exp(x), -2, 1, 18),
    (exp(x) * (x - 3) * (x + 4), -1, 2, 140),
    (exp(-(x**2)), -1, 2, 1e-4),
    (log(x), Rational(1, 3), 5, 1e-9),
    (log(2 + x), -1, 1, 1e-9),
    (tanh(x) - erf(x), -1, 2, 4),
    (cosh(x), Rational(1, 2), 2, 3),
    (sinh(3 - x), -1, 2, 1e-9),
    (erfc(x) + atan(x), -1, 2, 4),
    (gamma(2 + x), Rational(1, 2), 1, 3),
]


def span_of(expr: Expr, low: Any, high: Any) -> Any:
    ranges = Ranges({x: (S(low), S(high))})
    proof = _Proof(expr, [x], ranges, lambda *_: UNKNOWN)
    return proof._span(expr, {x: ranges.of(x)})


@pytest.mark.parametrize(
    ("expr", "low", "high", "wider"), SPANS, ids=[f"{s[0]} {s[1]} {s[2]}" for s in SPANS]
)
def test_an_interval_holds_the_values_and_little_more(expr: Expr, low: Any, high: Any, wider: float) -> None:
    with flint_precision(128):
        found = span_of(expr, low, high)
    f = lambdify(x, expr, "mpmath")
    with mp.workdps(30):
        a, b = (mp.mpf(int(v.p)) / int(v.q) for v in map(Rational, (low, high)))
        values = [mp.mpf(f(a + (b - a) * n / 400)) for n in range(401)]
        assert number(found.lo) <= min(values) + mp.mpf(10) ** -25
        assert number(found.hi) >= max(values) - mp.mpf(10) ** -25
        assert number(found.lo) >= min(values) - wider and number(found.hi) <= max(values) + wider
        inside = values[1:-1]
        if found.sign.known:
            assert {Sign.of(int(mp.sign(v))) for v in inside} == {found.sign}
        if min(values) > wider or max(values) < -wider:
            assert found.sign.known


@pytest.mark.parametrize(
    ("expr", "low", "high", "ends", "sign"),
    [
        (x, 0, oo, (0, mp.inf), POSITIVE),
        (-x, 0, oo, (-mp.inf, 0), NEGATIVE),
        (1 / x, 0, 1, (1, mp.inf), POSITIVE),
        (1 / x, -oo, -2, (mp.mpf(-1) / 2, 0), NEGATIVE),
        (x * (x - 3), 0, oo, (-mp.inf, mp.inf), UNKNOWN),
        (exp(-x), 0, oo, (0, 1), POSITIVE),
        (exp(x), -oo, oo, (0, mp.inf), POSITIVE),
        (log(x), 0, 1, (-mp.inf, 0), UNKNOWN),
        (x * log(x), 0, 1, (-mp.inf, 0), UNKNOWN),
        (tanh(x), 0, oo, (0, 1), POSITIVE),
        (1 - tanh(x), 0, oo, (0, 1), UNKNOWN),
        (x + x**2, 0, 1, (0, 2), POSITIVE),
        (2**-x, 0, oo, (0, 1), POSITIVE),
        (2**x, 0, oo, (1, mp.inf), POSITIVE),
        (cos(x), 0, oo, (-1, 1), UNKNOWN),
        (erfc(x), -oo, oo, (0, 2), POSITIVE),
    ],
    ids=str,
)  # fmt: skip
def test_intervals_at_open_and_infinite_ends(expr: Expr, low: Any, high: Any, ends: Any, sign: Sign) -> None:
    with flint_precision(128):
        found = span_of(expr, low, high)
    assert (number(found.lo), number(found.hi)) == ends and found.sign is sign


def test_outside_of_its_domain_a_function_has_no_interval() -> None:
    with flint_precision(128):
        for expr, low, high in (
            (log(x), -1, 1),
            (1 / x, -1, 1),
            (sqrt(x), -1, 1),
            (x ** Rational(-1, 2), -1, 1),
        ):
            assert span_of(expr, low, high) is None
        for expr in (log(1 + x), sqrt(1 + x) / (2 + x)):
            assert span_of(expr, Rational(-1, 2), 1) is not None


#: sign of all values in the open ranges, by mathematics; UNKNOWN where both occur, or a zero
SIGNS: list[tuple[Expr, dict[Symbol, tuple[Any, Any]], Sign]] = [
    (Rational(999, 1000) - cos(x), {x: (Rational(-1, 10), 2)}, UNKNOWN),
    (Rational(1001, 1000) - cos(x), {x: (Rational(-1, 10), 2)}, POSITIVE),
    (Rational(999, 1000) + cos(x), {x: (2, 4)}, UNKNOWN),
    (Rational(999, 1000) - sin(x), {x: (1, 2)}, UNKNOWN),
    (Rational(999, 1000) + sin(x), {x: (4, 5)}, UNKNOWN),
    (1 - cos(x), {x: (0, 6)}, POSITIVE),
    (1 - cos(x), {x: (0, 7)}, UNKNOWN),
    (x - sin(x), {x: (0, oo)}, POSITIVE),
    (x - sin(x), {x: (Rational(-1, 100), oo)}, UNKNOWN),
    (1 + x * log(x), {x: (0, oo)}, POSITIVE),
    (Rational(36, 100) + x * log(x), {x: (0, oo)}, UNKNOWN),  # 1/e = 0.3679
    (Rational(37, 100) + x * log(x), {x: (0, oo)}, POSITIVE),
    (exp(x) - 1 - x, {x: (0, oo)}, POSITIVE),
    (exp(x) - 1 - x - x**2 / 2, {x: (-1, oo)}, UNKNOWN),
    (exp(x) - Rational(26, 10) * x, {x: (0, oo)}, POSITIVE),
    (exp(x) - Rational(28, 10) * x, {x: (0, oo)}, UNKNOWN),
    (x - tanh(x), {x: (0, oo)}, POSITIVE),
    (tanh(x) - x + x**3 / 3, {x: (0, oo)}, POSITIVE),
    (erf(x) - x, {x: (0, 1)}, UNKNOWN),
    (2 * x / sqrt(pi) - erf(x), {x: (0, oo)}, POSITIVE),
    (cosh(x) - 1 - x**2 / 2, {x: (0, 4)}, POSITIVE),
    (gamma(x) - Rational(88, 100), {x: (1, 2)}, POSITIVE),
    (gamma(x) - Rational(89, 100), {x: (1, 2)}, UNKNOWN),
    (1 - x * y * exp(-x * y) * Rational(27, 10), {x: (0, oo), y: (0, oo)}, POSITIVE),
    (1 - x * y * exp(-x * y) * Rational(28, 10), {x: (0, oo), y: (0, oo)}, UNKNOWN),
    (x**2 + y**2 - x * y, {x: (0, 1), y: (0, 1)}, POSITIVE),
    (x**2 + y**2 - 2 * x * y, {x: (0, 1), y: (0, 1)}, UNKNOWN),
    (x**4 - 2 * x**2 + 1, {x: (0, 2)}, UNKNOWN),
    (x**4 - 2 * x**2 + Rational(1001, 1000), {x: (0, 2)}, POSITIVE),
    (x**2 - 2, {x: (Rational(7, 5), 2)}, UNKNOWN),
    (x**2 - 2, {x: (Rational(3, 2), 2)}, POSITIVE),
    (x**2 - 2, {x: (1, oo)}, UNKNOWN),
    (x**3 - 2, {x: (-oo, 5)}, UNKNOWN),
    (x**3 - 8, {x: (2, oo)}, POSITIVE),
    (sqrt(1 + x) - 1 - x / 2, {x: (0, 3)}, NEGATIVE),
    (x + y - 2 * sqrt(x * y), {x: (1, 2), y: (3, 4)}, POSITIVE),
    (x + y - 2 * sqrt(x * y), {x: (1, 3), y: (2, 4)}, UNKNOWN),
    (1 - 2 * x, {x: (0, Rational(1, 2))}, POSITIVE),
    (1 - 2 * x, {x: (0, Rational(51, 100))}, UNKNOWN),
    (gamma(x), {x: (-1, 0)}, NEGATIVE),
    (gamma(x), {x: (-2, -1)}, POSITIVE),
    (gamma(x), {x: (Rational(-3, 2), Rational(-1, 2))}, UNKNOWN),
    # b^2 < 4 a c for all y, and for some y alone
    (x**2 - 2 * x * y + 2 * y**2 + 1, {x: (-oo, oo), y: (0, oo)}, POSITIVE),
    (x**2 - 10 * x * y + 5 * y**2 + 1, {x: (-oo, oo), y: (0, oo)}, UNKNOWN),
    (x**2 + 10 * x * y + 5 * y**2 + 1, {x: (-oo, oo), y: (-oo, oo)}, UNKNOWN),
    # limits at infinity, on both sides
    (atan(x) + 1, {x: (-oo, oo)}, UNKNOWN),
    (atan(x) + pi / 2, {x: (-oo, oo)}, POSITIVE),
    (1 - 2 * tanh(x), {x: (-oo, oo)}, UNKNOWN),
    (erfc(x) - Rational(1, 2), {x: (-oo, 0)}, POSITIVE),
    (2 - erfc(x), {x: (-oo, oo)}, POSITIVE),
    (1 - erfc(x), {x: (-oo, oo)}, UNKNOWN),
    # the bound 0 of an exponent is that of the sum
    (x + Rational(1, 2), {x: (-1, 0)}, UNKNOWN),
    (x - Rational(1, 2), {x: (0, Rational(1, 2))}, NEGATIVE),
    (1 / x, {x: (-1, Rational(1, 2))}, UNKNOWN),
]


@pytest.mark.parametrize(("expr", "ranges", "sign"), SIGNS, ids=[f"{s[0]} {s[1]}" for s in SIGNS])
def test_a_sign_is_that_of_all_values(expr: Expr, ranges: dict[Symbol, tuple[Any, Any]], sign: Sign) -> None:
    found = decide.sign(expr, ranges)
    assert found is sign or (found is UNKNOWN and sign.known and len(ranges) == 2)
    # and by halving alone: never another sign
    halved = sign_by_halving(expr, Ranges(ranges), lambda *_: UNKNOWN)
    assert halved in (sign, UNKNOWN)


def test_signs_of_exponents_and_their_reciprocals() -> None:
    """A sum is negative if its upper bound, the number added to it counted, is 0 and not attained."""
    for low, high, rest, sign in (
        (-1, 0, 0, NEGATIVE),
        (-1, 0, Rational(1, 2), UNKNOWN),
        (-1, 0, -1, NEGATIVE),
        (0, 1, 0, POSITIVE),
        (0, 1, Rational(-1, 2), UNKNOWN),
        (0, 1, -1, NEGATIVE),
        (-2, -1, 1, NEGATIVE),
        (1, 2, -1, POSITIVE),
    ):
        ranges = Ranges({x: (S(low), S(high))})
        form, none = exponents.exponent_from_expr(x)
        assert none == 0 and ranges.sign(form, fraction(rest)) is sign
    for low, high, ends in (
        (1, 2, (HALF, 1)),
        (-2, -1, (-1, -HALF)),
        (0, 2, (HALF, None)),
        (-2, 0, (None, -HALF)),
        (-1, HALF, None),
        (-1, 1, None),
    ):
        assert exponents._reciprocal((fmpq(low), fmpq(high))) == (ends if ends is not None else (None, None))


def test_a_discriminant_below_zero() -> None:
    """By this rule alone: b^2 < 4 a c for all y, or for some."""
    for expr, sign in (
        (x**2 - 2 * x * y + 2 * y**2 + 1, POSITIVE),
        (x**2 - 10 * x * y + 5 * y**2 + 1, UNKNOWN),
    ):
        domain = ExactDomain(Ranges({x: (-oo, oo), y: (0, oo)}))
        (found, factors) = boxes.BoxSigns(domain).factors(domain.constant(expr).terms) or (UNKNOWN, [])
        assert found is POSITIVE and boxes.BoxSigns(domain)._by_discriminant(factors[0]) is sign


def test_limits_at_infinity() -> None:
    for f in (atan, erf, erfc, tanh, exp):
        domain = ExactDomain(Ranges({x: (-oo, oo)}))
        for side, far in ((POSITIVE, oo), (NEGATIVE, -oo)):
            limit = f(x).limit(x, far)
            for shift, sign in ((Rational(1, 10), POSITIVE), (Rational(-1, 10), NEGATIVE)):
                value = f(x) - limit + shift if limit.is_finite else f(x)
                expected = sign if limit.is_finite else POSITIVE
                found = domain.zero_test.parametric.monotone.limit_sign(value, x, side)
                assert found is expected


def test_gamma_and_fractions_with_parameters() -> None:
    """Gamma between its poles; fractions whose terms are all of one sign, and one with terms of both."""
    for low, high, sign in (
        (-1, 0, NEGATIVE),
        (-2, -1, POSITIVE),
        (-3, -2, NEGATIVE),
        (0, 1, POSITIVE),
        (-2, 0, UNKNOWN),
    ):
        domain = ExactDomain(Ranges({x: (low, high)}))
        assert domain.zero_test.parametric._gamma_sign(x) is sign
    domain = ExactDomain(Ranges({x: (0, oo), y: (0, oo)}))
    for expr, sign in (
        ((x + y) / (x * y + 1), POSITIVE),
        (-x - 1 / y, NEGATIVE),
        (x - y, UNKNOWN),
        (x - 1, UNKNOWN),
    ):
        assert domain.zero_test.parametric._fraction_sign(domain.constant(expr)) is sign


def test_no_integer_between() -> None:
    for low, high, rest, none in (
        (0, 1, 0, True),
        (0, 2, 0, False),
        (0, 1, HALF, False),
        (0, HALF, 0, True),
        (-1, 0, 3, True),
    ):
        form, _ = exponents.exponent_from_expr(x)
        assert (
            Ranges({x: (S(low), Rational(int(fmpq(high).p), int(fmpq(high).q)))}).no_integer(form, fmpq(rest))
            is none
        )
    form, _ = exponents.exponent_from_expr(x)
    assert not Ranges({x: (0, oo)}).no_integer(form, fmpq(0))


def test_unusual_roots_and_sums_of_angles() -> None:
    """x^(1/101) is not 1, and sin(a + b) is what it is taken apart into."""
    assert decide.is_zero(x ** Rational(1, 101) - 1, {x: (0, oo)}) is not Truth.TRUE
    root = Rational(2) ** Rational(1, 101)
    assert decide.sign(root - 1) is POSITIVE and decide.sign(root - Rational(101, 100)) is NEGATIVE
    for expr in (
        sin(1 + sqrt(2)),
        cos(1 + sqrt(2)),
        sin(2 * sqrt(3) + sqrt(2) / 3),
        cos(3),
        sin(5 * sqrt(2) / 2),
    ):
        found = relations.by_half_angle(expr)
        assert found is not None
        halves = {relations._half_tangent(m): tan(m / 2) for m in (S.One, sqrt(2) / 2)}
        assert abs((found.subs(halves) - expr).evalf(20)) < S(10) ** -15


@pytest.mark.parametrize("places", [(0, 1, 2), (-3, 0, 40), tuple(range(40))])
def test_products_of_series_with_balls(places: tuple[int, ...]) -> None:
    """Coefficient by coefficient, few and many of them, up to a degree or all."""
    a, b = ({n: arb(3 * n + s) for n in places} for s in (1, -7))
    for stop in (None, 5):
        found = BallDomain(64).vector_mul(a, b, stop)
        for n in range(2 * min(places), 2 * max(places) + 1 if stop is None else stop):
            truth = sum((3 * i + 1) * (3 * (n - i) - 7) for i in places if n - i in places)
            assert found.get(n, arb(0)) == truth
        assert stop is None or all(n < stop for n in found)


def test_powers_with_parameters_in_the_exponent() -> None:
    """2^x - x is least at x = 0.53, and 1.44 - 0.53 > 0 there; 2^x - 2 x vanishes at 1 and 2."""
    ranges = Ranges({x: (0, oo)})
    assert sign_by_halving(2**x - x, Ranges({x: (0, 3)}), lambda *_: UNKNOWN) is POSITIVE
    assert sign_by_halving(2**x - 2 * x, Ranges({x: (0, 3)}), lambda *_: UNKNOWN) is UNKNOWN
    assert sign_by_halving(x**pi - x, ranges, lambda *_: UNKNOWN) is UNKNOWN
    # a slope says nothing across a jump
    for jump in (floor(x) - x + 2, (3 - x) * sympy.sign(x - 1) + 4, Heaviside(x - 1) - x):
        assert sign_by_halving(jump, Ranges({x: (0, 3)}), lambda *_: UNKNOWN) is UNKNOWN


def test_functions_that_rise_stand_for_unknowns() -> None:
    """The larger of two values of a rising function is a positive unknown, the other one a share of it."""
    judge = lambda e: decide.sign(e, {x: (0, 1)})  # noqa: E731
    assert ordered.rational_unknowns(cos(x) + 2, judge) is None
    found = ordered.rational_unknowns(sinh(x) * sinh(x / 2) + 1, judge)
    assert found is not None and found.keys() == {sinh(x), sinh(x / 2)}
    top, less = (found[sinh(e)] for e in (x, x / 2))
    assert top.is_positive and less.has(top) and less != top


def test_a_limit_of_zero_begins_a_sign_only_where_the_function_leaves_it() -> None:
    """x - sin x from its limit 0 at 0: the slope 1 - cos x >= 0 has the sign only weakly, which is enough."""

    def limit(at: Sign) -> Any:
        return lambda expr, symbol, side: at if side.negative else UNKNOWN

    def half(expr: Expr, at: Sign = ZERO) -> Sign:
        return sign_by_halving(expr, Ranges({x: (0, 1)}), limit(at))

    assert half(x - sin(x)) is POSITIVE and half(sin(x) - x) is NEGATIVE
    # an end that is not there: the limit of x - sin x + 1/10^9 is not 0, and that of x - sin x - 1/10^9 below 0
    assert half(x - sin(x), UNKNOWN) is UNKNOWN and half(x - sin(x), NEGATIVE) is UNKNOWN


def test_a_slope_that_vanishes_for_some_values_shows_no_sign() -> None:
    """y^2 (x - sin x) starts at 0 and its slope in x is nowhere negative; it is 0 where y is."""

    def limit(expr: Expr, symbol: Symbol, side: Sign) -> Sign:
        return ZERO if side.negative and symbol == x else UNKNOWN

    for low, sign in ((-1, UNKNOWN), (1, POSITIVE)):
        assert sign_by_halving(y**2 * (x - sin(x)), Ranges({x: (0, 1), y: (low, 2)}), limit) is sign


# boxes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("e", range(4))
@pytest.mark.parametrize(
    ("low", "high"),
    [(fmpq(-2, 3), fmpq(5, 2)), (fmpq(1, 3), None), (None, fmpq(7, 4)), (fmpq(2, 5), fmpq(2, 5))],
)
def test_weights_are_those_of_the_substituted_power(e: int, low: Any, high: Any) -> None:
    """v^e (1+s)^n for v = (l + h s)/(1 + s), v^e for v = l + s, h - s and for v = l = h."""
    degree = 3
    found = boxes._weights(e, degree, low, high)
    for s in (fmpq(1, 2), fmpq(3), fmpq(7, 5)):
        if low is not None and low == high:
            true = low**e
        elif low is not None and high is not None:
            true = (low + high * s) ** e * (1 + s) ** (degree - e)
        else:
            true = (low + s if low is not None else high - s) ** e
        assert sum(c * s**n for n, c in enumerate(found)) == true


def test_rounded_values_lie_outside() -> None:
    """e^x and b^x and roots, rounded away from the inside by less than 2^-100 of their size."""
    with mp.workdps(80):
        for n in range(-7, 8):
            at = fmpq(n, 3)
            for base, true in ((None, mp.exp(mp.mpf(n) / 3)), (S(5), mp.mpf(5) ** (mp.mpf(n) / 3))):
                low, high = (boxes._exponential(at, base, side) for side in (-1, 1))
                if n == 0:
                    assert low == high == 1
                    continue
                assert exact(low) <= true <= exact(high) < exact(low) * (1 + mp.mpf(2) ** -100)
                assert low < high or (n % 3 == 0 and base == 5)
        assert (
            boxes._exponential(fmpq(2**11), None, 1) is None
            and boxes._exponential(fmpq(-(2**11)), None, -1) == 0
        )
        low, high = boxes._exponential(fmpq(2**11), None, -1), boxes._exponential(fmpq(-(2**11)), None, 1)
        assert exact(low) <= mp.exp(2**10) and exact(high) >= mp.exp(-(2**10))
        for value, root in itertools.product((fmpq(2), fmpq(1, 3), fmpq(10)), (2, 3, 5)):
            low, high = boxes._root((value, value), root)
            true = exact(value) ** (mp.mpf(1) / root)
            assert exact(low) < true < exact(high) < exact(low) * (1 + mp.mpf(2) ** -100)
        assert boxes._root((fmpq(-1), fmpq(4)), 2)[0] == 0 and boxes._root((fmpq(0), fmpq(1)), 3) == (0, 1)


def exact(value: fmpq) -> mp.mpf:
    return mp.mpf(int(value.p)) / int(value.q)


def test_the_range_of_a_function_on_a_box() -> None:
    """The bounds of a variable are not attained: a ball is widened, an exponential has those of its exponent."""
    box = {x: (fmpq(1), fmpq(2))}
    for expr, low, high in (
        (exp(x), mp.e, mp.e**2),
        (exp(1 - 2 * x), mp.exp(-3), mp.exp(-1)),
        (3**x, 3, 9),
        (Rational(1, 3) ** x, mp.mpf(1) / 9, mp.mpf(1) / 3),
        (log(x), 0, mp.log(2)),
        (cos(x), mp.cos(2), mp.cos(1)),
    ):
        found = boxes._function_range(boxes.Variable(expr, UNKNOWN, 1), box)
        with mp.workdps(15):
            assert exact(found[0]) < low + mp.mpf(10) ** -14 and exact(found[1]) > high - mp.mpf(10) ** -14
            assert exact(found[0]) > low - 2 and exact(found[1]) < high + 2
    assert boxes._function_range(boxes.Variable(log(x), UNKNOWN, 1), {x: (fmpq(0), None)}) == (None, None)
    found = boxes._function_range(boxes.Variable(log(x), UNKNOWN, 1), {x: (fmpq(1), fmpq(1))})
    assert found[0] < 0 < found[1]
    ranges = Ranges({x: (0, 1)})
    inside = boxes.Variable(cos(x), POSITIVE, 1, below_one=True)
    assert boxes._range(inside, {x: (fmpq(0), fmpq(3, 2))}, ranges)[1] == 1
    above = boxes.Variable(2**x, POSITIVE, 2, above_one=True)
    assert boxes._range(above, {x: (fmpq(-1), fmpq(0))}, ranges) == (1, 1)


# one parameter, heights --------------------------------------------------------------------------------------


def test_a_linear_function_is_judged_by_both_ends() -> None:
    for expr, low, high, sign in (
        (1 - x, 0, 1, POSITIVE),
        (x - 1, 0, 1, NEGATIVE),
        (1 - 2 * x, 0, 1, UNKNOWN),
        (2 * x - 1, 0, 1, UNKNOWN),
        (0 * x, 0, 1, UNKNOWN),
        (pi * x - 1, Rational(1, 3), 1, POSITIVE),
        (pi * x - 1, Rational(3, 10), 1, UNKNOWN),
    ):
        assert _linear_sign(expr, {x: (fraction(low), fraction(high))}) is sign
    for bounds in ((fmpq(-3), fmpq(2)), (fmpq(5), None), (None, fmpq(-5)), (None, None)):
        for share in (fmpq(1, 64), fmpq(1, 2), fmpq(63, 64)):
            low, high = bounds
            assert (low is None or low < _point(bounds, share)) and (
                high is None or _point(bounds, share) < high
            )


def powers_of(small: list[int], relation: list[int], n: int) -> list[int]:
    """small(t)^n modulo a monic relation, by repeated squaring."""

    def product(a: list[int], b: list[int]) -> list[int]:
        long = [0] * (len(a) + len(b) - 1)
        for i, p in enumerate(a):
            for j, q in enumerate(b):
                long[i + j] += p * q
        while len(long) > len(relation):
            top = long.pop()
            for i, r in enumerate(relation):
                long[len(long) - len(relation) + i] -= top * r
        return long

    result, square = [1], small
    while n:
        if n & 1:
            result = product(result, square)
        square, n = product(square, square), n >> 1
    return result


@pytest.mark.parametrize("n", [40, 601, 3401])
def test_a_small_algebraic_number_is_not_zero(n: int) -> None:
    """(sqrt 2 - 1)^n = a + b sqrt 2 is 2^(-1.27 n), beyond all bits that are tried without a proof for n = 3401."""
    a, b = powers_of([-1, 1], [-2, 0], n)
    domain = ExactDomain(Ranges(None))
    value = domain.constant(a + b * sqrt(2))
    assert domain.sign(value) is POSITIVE and domain.is_zero(value) is Truth.FALSE
    assert domain.sign(domain.neg(value)) is NEGATIVE
    # (sqrt 3 - sqrt 2)^(2n): a + b sqrt 6
    a, b = powers_of([5, -2], [-6, 0], n // 8)
    assert decide.sign(a + b * sqrt(2) * sqrt(3)) is POSITIVE and decide.sign(-a - b * sqrt(6)) is NEGATIVE


@pytest.mark.parametrize("n", [50, 400])
def test_a_small_number_of_a_cyclotomic_field_is_not_zero(n: int) -> None:
    """c = 2 cos(3 pi/7) = 0.445, c^3 = c^2 + 2 c - 1; by heights alone."""
    a, b, c = powers_of([0, 1], [1, -2, -1], n)
    t = 2 * cos(3 * pi / 7)
    domain = ExactDomain(Ranges(None))
    value = domain.constant(Integer(a) + b * t + c * t**2)
    assert domain.zero_test._algebraic_sign(value.terms) is POSITIVE
    assert domain.sign(value) is POSITIVE
    assert decide.is_zero(t**3 - t**2 - 2 * t + 1) is Truth.TRUE
    assert decide.is_zero(t**3 - t**2 - 2 * t + 1 + S(10) ** -1500) is Truth.FALSE


@pytest.mark.parametrize("q", [3, 4, 5, 6, 8, 10, 12, 24])
def test_values_of_gamma_by_others(q: int) -> None:
    """Reflection, multiplication and shifts, each to 25 digits."""
    solved = 0
    for p in (*range(1, q), 2 * q + 1, -q + 1, -3 * q + 2, 5 * q - 1):
        found = gamma_by_others(Rational(p, q))
        if found is not None:
            solved += 1
            with mp.workdps(30):
                assert abs(mp.mpf(found.evalf(30)) / mp.gamma(mp.mpf(p) / q) - 1) < mp.mpf(10) ** -25
    assert solved >= q // 2


def test_too_few_digits_prove_no_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    domain = ExactDomain(Ranges(None))
    value = domain.constant(3 * sqrt(2) - 4)
    monkeypatch.setattr(type(domain.generators), "ball_at", lambda self, terms, bits: arb(0, 1))
    assert domain.zero_test._algebraic_sign(value.terms) is UNKNOWN
    monkeypatch.setattr(type(domain.generators), "ball_at", lambda self, terms, bits: arb(0, arb((1, -bits))))
    assert domain.zero_test._algebraic_sign(value.terms) is ZERO
