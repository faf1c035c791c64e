"""Bounds that say where a kernel is smooth or analytic: each holds, and what is nearly as large shows it is needed."""

from __future__ import annotations

import math
from typing import Any

import mpmath as mp
import pytest
import sympy
from flint import acb, arb, arb_poly, fmpq
from sympy import Abs, I, Rational, S, Symbol, acos, asin, cos, erf, exp, lambdify, log, pi, sin, sqrt, tanh

from asymptok import u
from asymptok.precision import flint_precision
from asymptok.regularity.bernstein import _is_singular, _thick, analytic_value, continues_to, largest_ellipse
from asymptok.regularity.flat import Envelope
from asymptok.regularity.germ import Germ
from asymptok.regularity.leading import Beside
from asymptok.regularity.model import LENGTH, Model, NotShown, _series_inverse, taylor_coefficients
from asymptok.regularity.neighbourhood import Regular, analytic_beside, as_ball, regular_at
from asymptok.regularity.recheck import _reach
from asymptok.regularity.rho import rho_ball, rho_of, smallest_rho
from asymptok.regularity.roots import Root, all_roots, isolate, regular_near
from asymptok.regularity.rules import _power_flat
from asymptok.regularity.side import Side
from asymptok.regularity.sizes import lead, product, whole_power
from asymptok.truth import Sign

HALF = arb(1) / 2
FLAT = exp(-1 / u)


def number(value: arb) -> mp.mpf:
    return mp.mpf(value.mid().str(60, radius=False))


def close(found: arb, true: Any, share: float = 1e-9) -> bool:
    """An upper bound that is no larger than it has to be."""
    return bool(true <= number(found) * (1 + mp.mpf(10) ** -14) and number(found) <= true * (1 + share))


# ellipses ----------------------------------------------------------------------------------------------------


def rho(z: Any) -> Any:
    z = mp.mpc(z)
    a = (abs(z - 1) + abs(z + 1)) / 2
    return a + mp.sqrt(a * a - 1)


@pytest.mark.parametrize("z", [S(5) / 4, -S(3), 3 * I / 4, 1 + I, Rational(1, 2) - 2 * I, sqrt(2) + I / 5])
def test_rho_is_the_sum_of_the_semi_axes(z: Any) -> None:
    true = rho(complex(z))
    assert abs(number(rho_ball(z)) - true) < 1e-14 and abs(mp.mpf(sympy.N(rho_of(z, {}), 20)) - true) < 1e-14


def test_the_smallest_of_several() -> None:
    points = [S(2), -S(3) / 2, 3 * I / 2, Rational(9, 8) + I / 2, S.Half, -S(3) / 2 + S(10) ** -30]
    found = smallest_rho([(z, u) for z in points], {})
    assert found is not None and found[1] == [(Rational(9, 8) + I / 2, u)]
    found = smallest_rho([(z, u) for z in (-S(3) / 2, S(3) / 2, S(3))], {})
    assert found is not None and {z for z, _ in found[1]} == {-S(3) / 2, S(3) / 2}
    assert smallest_rho([(S.Half, u), (-S.One, u)], {}) == (None, [])


#: a kernel and its nearest singular point
ELLIPSES: list[tuple[Any, Any]] = [
    (1 / (u**2 + 4) + exp(u), 2j),
    (log(2 - u) + 1 / (3 - u), 2),
    (sqrt(2 - u) / (3 + u), 2),
    (exp(1 / (2 - u)), 2),
    (asin(2 * u / 3), 1.5),
    ((u - 2) / (u**2 - 4), -2),
    (tanh(u), 1j * mp.pi / 2),
    (exp(sqrt(3 + u)), -3),
]  # fmt: skip


@pytest.mark.parametrize(("kernel", "point"), ELLIPSES, ids=[str(k) for k, _ in ELLIPSES])
def test_rho_is_that_of_the_nearest_singular_point(kernel: Any, point: Any) -> None:
    found = largest_ellipse(kernel, {})
    assert found.complete and found.attained
    assert abs(mp.mpf(sympy.N(found.rho, 20)) - rho(point)) < 1e-12


@pytest.mark.parametrize(
    "kernel",
    [
        # acos(1 - w^2) = sqrt(2) w (1 + w^2/12 + ...) is analytic at w = 0
        acos(1 - (2 - u) ** 2 / 9),
        asin(1 - (2 - u) ** 2 / 9),
        acos(1 - (2 - u) ** 2 / 16) + u,
        1 / (u - 2) - 5 / (u**2 + u - 6),  # 1/(u + 3)
        (exp(u) - exp(2)) / (2 - u) + 1 / (3 + u),
        cos(sqrt(u**2 - 4 * u + 5)),  # even in the root
        sqrt((2 - u) ** 2 * (3 - u)) / 5,
        (asin(u / 2) - asin(u / 2)) + u,
        1 / (1 + exp(1 / (2 - u)) * exp(-1 / (2 - u))),
        log(exp(u)),
        cos(acos(u / 2)),
    ],
    ids=str,
)
def test_what_cancels_is_not_attained(kernel: Any) -> None:
    """The singular points of a part: 2, 2 +- i, ... are none of the whole."""
    found = largest_ellipse(kernel, {})
    if found.attained and found.rho is not sympy.oo:
        assert mp.mpf(sympy.N(found.rho, 20)) > rho(2.5)


def test_a_singularity_needs_a_simple_crossing() -> None:
    """x crosses the branch point of f only where x' != 0 there; a pole stays one."""
    for x, crosses in (
        (1 - (2 - u) ** 2 / 9, False),
        (u / 2, True),
        (u - 1, True),
        (1 + (u - 2) ** 3, False),
    ):
        for f in (acos(x), asin(x)):
            assert _is_singular(f, f, S(2), {}) is crosses
    root = sympy.Pow(u**2 - 4 * u + 4, S.Half, evaluate=False)
    assert not _is_singular(root, root, S(2), {})
    assert _is_singular((u**2 - 4 * u + 4) ** -1, (u**2 - 4 * u + 4) ** -1, S(2), {})


def test_a_path_of_overlapping_discs() -> None:
    """Along it and at its end the expression is analytic; where it is not, no path gets by."""
    for kernel, z, regular in (
        (1 / (2 - u), S(2), False),
        (1 / (2 - u), Rational(19, 10), True),
        (1 / (2 - u), S(3), False),
        (sqrt(2 - u), S(2), False),
        (1 / (u**2 + 4), 2 * I, False),
        (1 / (u**2 + 4), 2 * I - I / 16, True),
        (1 / (u**2 + 4), 3 * I, False),
        (1 / (u - 2 - I / 10**6), S(3), False),
        (exp(u) * u, S(7), True),
        (asin(4 * asin(2 * u / 3) / (3 * pi)), 3 / (2 * sqrt(2)), True),
    ):
        assert continues_to(kernel, z) is regular
    with flint_precision(128):
        steps = 16
        pieces = [_thick(acb(arb(2 * j + 1, 1)) / (2 * steps), steps) for j in range(steps + 1)]
        for j, piece in enumerate(pieces):
            for x in (fmpq(j, steps), fmpq(j + 1, steps)):
                around = acb(arb(x) + arb(0, "1e-20"), arb(0, "1e-20"))
                assert piece.contains(around)
        assert analytic_value(1 / (2 - u), acb(arb(2, 0.5))) is None
        assert analytic_value(exp(u), acb(arb(2, 0.5))).contains(acb(2).exp())  # type: ignore[union-attr]


# models on a disc --------------------------------------------------------------------------------------------


def test_the_rest_of_a_model_is_attained() -> None:
    """1/(1-x) and products with positive coefficients are largest at x = r."""
    for r in (arb(1) / 4, HALF):
        x, true = Model.variable(r), number(r)
        inverse = (Model.constant(1, r) - x).inverse()
        assert close(inverse.tail, 1 / (1 - true))
        total = inverse + Model.variable(r, 0, 14)
        assert close(total.tail, 1 / (1 - true) + true**2)
        body = sum(true**j for j in range(LENGTH))
        square = inverse * inverse
        rest = (1 / (1 - true) ** 2 - sum((j + 1) * true**j for j in range(LENGTH))) / true**LENGTH
        assert close(square.tail, rest)
        assert close(inverse.spread(), 1 / (1 - true) - 1) and close(inverse.size(), 1 / (1 - true))
        assert (
            close(inverse.scaled(arb(-3)).tail, 3 / (1 - true))
            and abs(number(inverse.body(r)) - body) < 1e-14
        )
        shifted = Model(2, inverse.body, 3, inverse.tail, r) + Model(0, arb_poly([1]), 8, arb(0), r)
        assert (
            shifted.order == 0
            and shifted.length == 5
            and close(shifted.tail, 1 / (1 - true) + sum(true**j for j in range(9)), 1e-9) is not None
        )
    assert [int(c.unique_fmpz()) for c in _series_inverse([arb(1), arb(-1), arb(-1)])] == [1, 1, 2]


def test_taylor_coefficients_hold_their_aliases() -> None:
    """x^48 looks like a constant on 48 points, and x^47 like 1/x."""
    for power in (47, 48, 49, 50):
        found = taylor_coefficients(lambda z, n=power: z**n, arb(0), arb(1), arb(1), 3)
        assert all(c.contains(0) for c in found)
        assert all(float(c.abs_upper()) <= 2.0 ** (-46 + j) for j, c in enumerate(found))
    for n, c in enumerate(taylor_coefficients(lambda z: 1 / (1 - z / 2), arb(0), arb(1), arb(2), 12)):
        assert c.contains(arb(2) ** -n) and float(c.rad()) < 1e-11


def test_the_rest_of_a_composition_and_its_slope() -> None:
    """|f_j| <= M outer^-j behind 12 coefficients; |f'| on the values and beyond them by the slack."""
    x = Model.variable(HALF)
    model, slope = x.composed(lambda _: acb(arb(0, 3)), arb(0), lambda _, count: [arb(0)] * count)
    outer = mp.mpf(2) ** 15
    assert close(model.tail, 3 * sum(outer**-j / 2 ** (j - LENGTH) for j in range(LENGTH, 40)), 1e-6)
    assert close(slope, 3 / (outer - 0.5), 1e-6)
    for slack in (arb(0), arb(1) / 4):
        for f, derivative in (
            (acb.exp, mp.exp),
            (lambda z: 1 / (2 - z) if z.real < 2 else None, lambda z: (2 - z) ** -2),
        ):
            _, slope = x.composed(f, slack)
            assert number(slope) >= derivative(0.5 + number(slack))
    with pytest.raises(NotShown):
        x.composed(lambda z: 1 / (2 - z) if z.real < 2 else None, arb(3) / 2)
    # few digits of the values: the constant term of w is 0 all the same
    wide = Model(0, arb_poly([arb(1, "1e-3"), 1]), LENGTH, arb(0), arb(1) / 8)
    found = wide.compose(acb.exp)
    assert found.body[0].contains(arb(1).exp()) and found.values().contains((arb(1) + arb(1) / 8).exp())


# flat parts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("r", [Rational(1, 8), Rational(1, 4)])
def test_flat_parts_of_a_side(r: Any) -> None:
    """Z = e^(-1/s): of 1/(2 + Z), log(2 + Z), (2 + Z)^(1/3), exp(1 + Z), cos(1 + Z), and of products."""
    side = Side(S.Zero, 1, as_ball(r))
    z = mp.exp(-1 / mp.mpf(r))
    for expr, f, wide in (
        (FLAT, lambda z: z, 1.001),
        (1 / (2 + FLAT), lambda z: 1 / (2 + z) - mp.mpf(1) / 2, 2.05),
        ((2 + FLAT) ** -3, lambda z: (2 + z) ** -3 - mp.mpf(1) / 8, 4.2),
        (log(2 + FLAT), lambda z: mp.log(2 + z) - mp.log(2), 2.05),
        ((2 + FLAT) ** Rational(1, 3), lambda z: mp.cbrt(2 + z) - mp.cbrt(2), 2.6),
        (1 / (2 - 50 * FLAT), lambda z: 1 / (2 - 50 * z) - mp.mpf(1) / 2, 2.05),
        (log(2 - 50 * FLAT), lambda z: mp.log(1 - 25 * z), 2.05),
        ((2 - 50 * FLAT) ** Rational(-5, 2), lambda z: (2 - 50 * z) ** -2.5 - mp.mpf(2) ** -2.5, 12),
        (exp(1 + FLAT), lambda z: mp.exp(1 + z) - mp.e, 1e10),
        (cos(1 + FLAT), lambda z: mp.cos(1 + z) - mp.cos(1), 1e10),
        (5 * FLAT * (2 + u) + FLAT / u, lambda z: 5 * z * (2 + mp.mpf(r)) + z / mp.mpf(r), 1.4),
        (erf(1 / u), lambda z: mp.erfc(1 / mp.mpf(r)), 20),
    ):
        flat = side[expr].flat
        assert flat is not None
        true = abs(f(z))
        assert true * (1 - mp.mpf(10) ** -12) <= number(flat.largest(as_ball(r), 0)) <= wide * true


def test_powers_of_something_with_a_flat_part() -> None:
    """|(1+z)^e - 1| <= |e| 2^(|e|+1) |z| for complex |z| <= 1/2, that is a bound of its share."""
    for e in (-3, -1, Rational(-1, 2), Rational(1, 3), 2, Rational(7, 2)):
        model = Model.constant(1, HALF)
        germ = Germ(model, Envelope(arb(1), 0, arb(1), 1))
        found = _power_flat(germ, model, as_ball(Rational(e)), HALF)
        true = max(
            abs((1 + z) ** mp.mpf(e) - 1) / abs(z) for k in range(32) for z in [mp.expjpi(mp.mpf(k) / 16) / 2]
        )
        assert found is not None and true <= number(found.scale) <= 16 * true


def test_a_flat_part_must_be_small_beside_the_rest() -> None:
    """sqrt(1 - c e^(-1/s)) up to s = 1/4 where c e^-4 is just below or above 1/2."""
    side = Side(S.Zero, 1, as_ball(Rational(1, 4)))
    assert side[sqrt(1 - 27 * FLAT)].flat is not None
    with pytest.raises(NotShown):
        side[sqrt(1 - 28 * FLAT)]
    assert side.sign(27 * FLAT - 1) == -1
    with pytest.raises(NotShown):
        side.sign(28 * FLAT - 1)


def test_envelopes_are_added_with_their_worst_parts() -> None:
    first, second = Envelope(arb(2), 1, arb(3), 2), Envelope(arb(5), 3, arb(4), 1)
    both = first.plus(second)
    for n in range(1, 9):
        s = mp.mpf(n) / 8
        true = 2 / s * mp.exp(-3 / s**2) + 5 / s**3 * mp.exp(-4 / s)
        assert true <= number(both.scale) * s**-both.weight * mp.exp(-number(both.rate) * s**-both.speed)
    assert number(both.scale) == 7
    one = (1, 0, 3, 1)
    for other in ((1, 3, 3, 1), (1, 0, 2, 1), (1, 0, 4, 1), (1, 0, 3, 2)):
        parts = [Envelope(arb(a), w, arb(b), q) for a, w, b, q in (one, other)]
        for total in (parts[0].plus(parts[1]), parts[1].plus(parts[0])):
            for n in range(1, 17):
                s = mp.mpf(n) / 16
                true = sum(a * s**-w * mp.exp(-b * s**-q) for a, w, b, q in (one, other))
                bound = number(total.scale) * s**-total.weight * mp.exp(-number(total.rate) * s**-total.speed)
                assert true <= bound * (1 + mp.mpf(10) ** -12)
    for order in (-1, 0, 4):
        r = arb(1) / 4
        true = max(
            s**-order * 2 / s * mp.exp(-3 / s**2) for s in (mp.mpf(n) / 4000 for n in range(100, 1001))
        )
        assert close(first.largest(r, order), true)
    with pytest.raises(NotShown):  # 4/s = 16 < 14 + 3: it is not largest at the end
        second.largest(arb(1) / 4, 14)
    assert second.largest(arb(1) / 4, 12) > 0


def test_a_side_is_no_longer_than_one() -> None:
    """Up to s = 1 a power is below those with a smaller exponent; beyond it this has a pole in the cell."""
    g = 50 * (cos(u) - u)
    expr = 1 / (1 - exp(29) * exp(-1000 / g**2) * (g**-2 + 100 * exp(-10 / g**4)))
    low, high = Rational(67, 100), Rational(79, 100)
    assert mp.mpf(sympy.N(expr.subs(u, low), 8)) < 0 < mp.mpf(sympy.N(expr.subs(u, high), 8))
    with pytest.raises(NotShown):
        regular_near(expr, g, low, high, {})
    with pytest.raises(NotShown):
        Side(S.Zero, 1, arb(1) + arb("1e-20"))
    assert Side(S.Zero, 1, arb(1)).sign(2 + u) == 1


def test_bounds_where_there_is_no_series() -> None:
    """|f| <= A s^-w on the side: logarithms, irrational powers, oscillations, and with a flat part."""
    r = Rational(1, 4)
    side = Side(S.Zero, 1, as_ball(r))
    for expr in (
        log(u), log(10**6 * u), log(3 * u**2), u ** sqrt(2), (2 * u) ** -sqrt(2), cos(1 / u), log(u) * u ** -sqrt(2),
        log(u) + u**-2 + cos(1 / u), (u * (1 + FLAT)) ** -sqrt(2), (u * (1 - 25 * FLAT)) ** (-5 * sqrt(2)),
        1 / u**2 + FLAT, 5 + FLAT, u**2 + 20 * FLAT, sqrt(u**4 + 25 * u**4 * FLAT),
    ):  # fmt: skip
        size, weight = side.raw(expr).moderate()
        f = lambdify(u, expr, "mpmath")
        for n in range(1, 65):
            s = mp.mpf(r) * n / 64
            assert abs(f(s)) <= number(size) * s**-weight * (1 + mp.mpf(10) ** -12)


# sizes by inequalities ---------------------------------------------------------------------------------------

HALF_POWER = Rational(1, 2)
#: an expression, the point, its power and logarithms, and the share by which theta may vary
SIZES: list[tuple[Any, Any, Any, Any, float]] = [
    (u, 0, 1, 0, 1e-9),
    (u + u**2, 0, 1, 0, 1.0),
    (3 * u - 5 * u**2 + u**3, 0, 1, 0, 6.0),
    (sin(u), 0, 1, 0, 0.01),
    (1 - cos(u), 0, 2, 0, 0.02),
    (sqrt(u) + u, 0, Rational(1, 2), 0, 1.0),
    (1 / u + 7, 0, -1, 0, 8.0),
    (log(u), 0, 0, 1, 0.01),
    (log(3 * u), 0, 0, 1, 1.0),
    (u * log(u) + 4 * u, 0, 1, 1, 4.0),
    (u**2 * log(u) ** 2 - u**2, 0, 2, 2, 1.0),
    (exp(u) / sqrt(u), 0, Rational(-1, 2), 0, 0.1),
    (log(u + 2 * u**2), 0, 0, 1, 0.5),
    (u ** Rational(-3, 2) + 2 * log(u), 0, Rational(-3, 2), 0, 2.0),
    (acos(1 - u), 0, HALF_POWER, 0, 0.1),
    (u - Rational(1, 3), Rational(1, 3), 1, 0, 0.01),
    ((u - Rational(1, 3)) * (5 + u), Rational(1, 3), 1, 0, 1.0),
    (Abs(u - Rational(1, 3)) ** Rational(3, 2), Rational(1, 3), Rational(3, 2), 0, 0.01),
    (1 / (cos(u) - 1), 0, -2, 0, 0.05),
    (tanh(u) * 2 + u**2, 0, 1, 0, 1.0),
]


@pytest.mark.parametrize(("expr", "point", "power", "logs", "wide"), SIZES, ids=[str(s[0]) for s in SIZES])
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("h", [Rational(1, 16), Rational(1, 1024)])
def test_a_size_holds_on_its_side(
    expr: Any, point: Any, power: Any, logs: Any, wide: float, side: int, h: Any
) -> None:
    point = S(point)
    f = lambdify(u, expr, "mpmath")
    try:
        with flint_precision(192):
            beside = Beside(point, side, h, {})
            found, bounds = beside[expr], beside.bounds(expr)
    except NotShown:
        assert side < 0
        return
    assert (found.power, found.logs) == (power, logs)
    thetas = []
    with mp.workdps(50):
        for n in range(1, 33):
            x = mp.mpf(h) * n / 32 if n > 4 else mp.mpf(h) * mp.mpf(10) ** (-n)
            value = f(mp.mpf(int(point.p)) / int(point.q) + side * x)
            theta = value / (x ** mp.mpf(power) * mp.log(1 / x) ** mp.mpf(logs))
            assert (
                number(found.low) <= theta + mp.mpf(10) ** -25
                and theta <= number(found.high) + mp.mpf(10) ** -25
            )
            thetas.append(theta)
            if bounds is not None:
                assert (
                    number(bounds[0]) <= value + mp.mpf(10) ** -25
                    and value <= number(bounds[1]) + mp.mpf(10) ** -25
                )
    assert found.high - found.low <= 2 * (max(thetas) - min(thetas)) + wide


def test_sizes_of_exponentials_that_grow_or_fall() -> None:
    """e^(1/x) >= x^-n/n! for n = 6 and the like; of its reciprocal the other way round."""
    for h in (Rational(1, 16), Rational(1, 1024)):
        beside = Beside(S.Zero, 1, h, {})
        for expr, c, n in (
            (exp(1 / u), 1, 6),
            (exp(3 / u), 3, 6),
            (exp(2 / u**2), 2, 3),
            (exp(-1 / u), 1, 6),
            (exp(-2 / sqrt(u)), 2, 12),
        ):
            found = beside[expr]
            true = mp.mpf(c) ** n / mp.factorial(n)
            if found.power < 0:
                assert abs(number(found.low) / true - 1) < 1e-9 and found.power == -6 and found.unbounded
            else:
                assert found.low == 0 and abs(number(found.high) * true - 1) < 1e-9 and found.power == 6


def test_a_power_with_logarithms_is_largest_at_the_end_if_it_grows() -> None:
    """x^a L^b grows up to h if a L >= b there."""
    beside = Beside(S.Zero, 1, Rational(1, 16), {})
    assert close(beside._largest(Rational(1), Rational(2)), mp.log(16) ** 2 / 16)
    for power, logs in ((Rational(1, 4), 2), (Rational(1), 3), (Rational(0), 1), (Rational(-1), -3)):
        with pytest.raises(NotShown):
            beside._largest(power, Rational(logs))


def test_products_and_powers_of_sizes() -> None:
    a, b = lead(1, 0, arb(-2), arb(3)), lead(Rational(1, 2), 1, arb(-5), arb(7))
    both = product(a, b)
    assert (both.power, both.logs, both.low, both.high) == (Rational(3, 2), 1, -15, 21)
    assert whole_power(a, 2) == (0, 9) and whole_power(a, 3) == (-8, 27)
    assert whole_power(lead(0, 0, arb(2), arb(4)), -1) == (arb(1) / 4, HALF)
    assert whole_power(lead(0, 0, arb(-4), arb(-2)), 2) == (4, 16)
    assert lead(0, 0, arb(0), arb(1)).sign is Sign.UNKNOWN and not lead(0, 1, arb(0), arb(1)).unbounded
    assert lead(0, 1, arb(1), arb(2)).unbounded and not lead(0, 0, arb(1), arb(2)).unbounded
    assert lead(-1, 0, arb(1), arb("inf")).unbounded and not lead(-1, 0, arb(1), arb("inf")).exact


# roots, reach, values ----------------------------------------------------------------------------------------


def test_roots_lie_in_their_brackets() -> None:
    for g, true in (
        (cos(u) - u, "0.73908513321516064165531208767387340401"),
        (exp(u) - Rational(3, 2), None),
    ):
        found = all_roots(g)
        assert len(found) == 1 and found[0].high - found[0].low <= Rational(1, 2**150)
        exact = S(true) if true else log(Rational(3, 2))
        assert found[0].low <= exact + S(10) ** -37 and exact - S(10) ** -37 <= found[0].high
    assert len(all_roots(sin(7 * u) - Rational(1, 3))) == 5 - (math.asin(1 / 3) + 2 * math.pi > 7)
    assert isolate(u**2 - Rational(1, 10**8), Rational(-1, 10), Rational(1, 10)) is None
    assert all_roots((u - Rational(1, 3)) ** 2) == []


def test_a_reach_is_no_shorter_than_the_distance() -> None:
    from asymptok.regularity.pieces import Piece, Reason

    point = sqrt(2) / 2
    for low, high in ((Rational(1, 2), Rational(3, 4)), (Rational(7, 10), Rational(9, 10))):
        piece = Piece(low, high, False, False, Reason.GERM, Regular.ANALYTIC, point)
        found = _reach(point, piece)
        assert (
            found > point - low
            and found > high - point
            and found < max(point - low, high - point) + S(2) ** -50
        )


def test_the_value_at_the_point_itself_counts() -> None:
    quarter = Rational(1, 4)
    assert regular_at(sympy.sign(u) ** 2 + u - sympy.sign(u) ** 2, S.Zero, quarter) is Regular.ANALYTIC
    for expr in (
        u * sympy.Heaviside(u) * sympy.Heaviside(-u) + sympy.sign(u) ** 2,
        sympy.floor(-(u**2)) + 0 * u,
    ):
        with pytest.raises(NotShown):
            regular_at(expr, S.Zero, quarter)
    analytic_beside(sqrt(u) * log(u), S.Zero, 1, quarter)
    with pytest.raises(NotShown):
        analytic_beside(1 / (u - Rational(1, 5)), S.Zero, 1, quarter)
    with pytest.raises(NotShown):
        regular_at(1 / (u - Rational(1, 5)), S.Zero, quarter)
    assert regular_at(1 / (u - Rational(13, 50)), S.Zero, quarter) is Regular.ANALYTIC


def test_where_a_parameter_moves_the_singular_point() -> None:
    c = Symbol("c", positive=True)
    found = largest_ellipse(1 / (2 + c - u), {c: (S.Zero, S.One)})
    assert found.rho is not None and sympy.simplify(found.rho - (2 + c + sqrt((2 + c) ** 2 - 1))) == 0
    root = Root(cos(u) - u, Rational(7, 10), Rational(8, 10))
    assert str(root).startswith("0.75")
