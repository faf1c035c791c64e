"""Bounds inside of functions: strips, Hermite coefficients, kinks, sums over powers, wide balls."""

from __future__ import annotations

import itertools
import math
from inspect import isroutine
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy
from flint import acb, arb, arb_poly, fmpq
from sympy import (
    Integer,
    Rational,
    Symbol,
    asinh,
    atan,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    lambdify,
    log,
    sin,
    sqrt,
    tanh,
)

from asymptok.functions import hermite_numeric, panels, polylog, record_of
from asymptok.functions.arccosine import arc_cosine_complex, arc_cosine_real
from asymptok.functions.half_strip import growth
from asymptok.functions.hermite_numeric import Coefficients, Squares
from asymptok.functions.jump_part import Jump, jump_coefficients, jump_kernel
from asymptok.functions.kinked_numeric import KinkedCoefficients
from asymptok.functions.mean_value import around_middle
from asymptok.functions.orthant_record import owen_t
from asymptok.functions.polylog import _polylog_slope, polylog_on_interval
from asymptok.functions.powers import complex_power, real_power
from asymptok.functions.strips import Line, Plan, Strip, largest, line_of, strip_of
from asymptok.precision import flint_precision

x = Symbol("x", real=True)
SLACK = mp.mpf(10) ** -13


def number(value: arb) -> mp.mpf:
    return mp.mpf(value.mid().str(60, radius=False))


def near(value: Any) -> Any:
    """A ball of radius 10^-13 around a number of mpmath."""
    if isinstance(value, mp.mpc):
        return acb(near(value.real), near(value.imag))
    return arb(mp.nstr(value, 17), "1e-13")


def hermite(n: int, t: Any) -> Any:
    """He_n/sqrt(n!)."""
    root = mp.sqrt if isinstance(t, mp.mpf) else math.sqrt
    before, here = 0 * t, 0 * t + 1
    for m in range(n):
        before, here = here, (t * here - root(m) * before) / root(m + 1)
    return here


NODES, WEIGHTS = np.polynomial.legendre.leggauss(80)


def product(f: Any, n: int, edges: list[int]) -> float:
    """E[f(X) h_n(X)] in doubles."""
    total = 0.0
    for a, b in pairwise(edges):
        t = (a + b) / 2 + (b - a) / 2 * NODES
        total += (
            (b - a)
            / 2
            * float(WEIGHTS @ (f(t) * hermite(n, t) * np.exp(-t * t / 2)))
            / math.sqrt(2 * math.pi)
        )
    return total


# strips ------------------------------------------------------------------------------------------------------

#: activations that are even or odd
SMOOTH = [tanh(x), erf(x), sin(2 * x), exp(-(x**2) / 2), x * tanh(x), log(cosh(x)), atan(x), x**3 - x]


@pytest.mark.parametrize("phi", SMOOTH, ids=str)
def test_a_strip_bounds_the_activation_and_its_norm(phi: Any) -> None:
    """Columns hold max |phi|, what lies beyond them is below size e^(rate x), and norm^2 >= sup E|phi(X+iy)|^2."""
    found = strip_of(phi, x, {})
    assert found is not None
    f, c = lambdify(x, phi, "mpmath"), number(found.width)
    heights = [c * j / 4 for j in range(5)]
    for j in (0, 1, 5, 20, len(found.columns) - 1):
        true = max(abs(f(mp.mpf(j + s) / 2 + 1j * y)) for s in (0, mp.mpf(1) / 3, 1) for y in heights)
        assert true <= number(found.columns[j]) + SLACK
    for t in (found.start, found.start + 7, 3 * found.start):
        true = max(abs(f(t + 1j * y)) for y in heights)
        assert true <= number(found.size) * mp.exp(number(found.rate) * t) * (1 + SLACK)
    for y in (heights[0], heights[2], heights[4]):
        mean = 2 * mp.quad(lambda t, y=y: abs(f(t + 1j * y)) ** 2 * mp.npdf(t), [0, 1, 3, 8], maxdegree=4)
        assert mean <= number(found.norm) ** 2


def test_the_norm_of_a_strip_is_a_sum_over_columns() -> None:
    """2 sum P(X in column) max^2 + 2 size^2 e^(2 b^2) Q(R - 2b), attained by the step function of the columns."""
    from asymptok.functions.strips import _assembled

    columns = [arb(3), arb(2), arb(5), arb(1)]
    for rate in (arb(0), arb(1) / 2):
        found = _assembled(arb(1), 2, arb(7), rate, columns)
        b = number(rate)
        true = 2 * sum(
            number(m) ** 2 * (mp.ncdf(mp.mpf(j + 1) / 2) - mp.ncdf(mp.mpf(j) / 2))
            for j, m in enumerate(columns)
        )
        true += 2 * mp.quad(lambda t, b=b: 49 * mp.exp(2 * b * t) * mp.npdf(t), [2, 4, 8, 20])
        assert true <= number(found.norm) ** 2 * (1 + SLACK) <= true * (1 + 1e-9)


@pytest.mark.parametrize("order", [1, 2, 4])
def test_a_derivative_on_half_the_strip(order: int) -> None:
    phi = tanh(x)
    found = strip_of(phi, x, {})
    assert found is not None
    inner = found.derivative(order)
    assert inner.width == found.width / 2 and found.derivative(0) is found
    f = lambdify(x, phi.diff(x, order), "mpmath")
    c = number(inner.width)
    for j in (0, 1, 3, 8, 30):
        true = max(
            abs(f(mp.mpf(j + s) / 2 + 1j * c * y))
            for s in (0, mp.mpf(1) / 2, 1)
            for y in (0, mp.mpf(1) / 2, 1)
        )
        # Cauchy: j! max/r^j over the discs around the column, and these columns are wider by as much
        reach = int(mp.ceil(c * 2))
        most = max(
            number(found.columns[i]) for i in range(max(0, j - reach), min(len(found.columns), j + reach + 1))
        )
        bound = mp.factorial(order) / c**order * most
        assert true <= number(inner.columns[j]) + SLACK and bound * (1 - SLACK) <= number(
            inner.columns[j]
        ) <= bound * (1 + 1e-6)
    b = number(abs(found.rate))
    exact = mp.factorial(order) / c**order * number(found.size) * mp.exp(b * c)
    assert exact <= number(inner.size) * (1 + SLACK) <= exact * (1 + 1e-6)


GROWING = [
    exp(-x), log(1 + exp(x)), tanh(x), asinh(x), sqrt(1 + x**2), x**3 - 5 * x + 2, 3 * x**2, exp(-(x**2)),
    exp(x / 2 - x**2 / 8), erf(x), erfc(2 * x - 1), sin(3 * x), cos(x) + 2, atan(x**2), 1 / (1 + exp(-x)),
    (1 + exp(x)) ** Rational(1, 3), log(x), x * exp(-x) + 1, exp(2 * x) - exp(x), (x + 2) ** -2,
]  # fmt: skip


@pytest.mark.parametrize("expr", GROWING, ids=str)
def test_growth_on_a_half_strip(expr: Any) -> None:
    """|f| <= size e^(rate x), |f| >= least e^(least_rate x), arg f and f in their balls."""
    f = lambdify(x, expr, "mpmath")
    for start, width in ((8, 1), (16, 3)):
        found = growth(expr, x, {}, arb(start), arb(width))
        if found is None:
            continue
        with mp.workdps(40):
            for t, y in itertools.product((0, mp.mpf(1) / 2, 3, 30), (-1, mp.mpf(-1) / 3, 0, 1)):
                z = start + t + 1j * width * y
                value = mp.mpc(f(z))
                assert abs(value) <= number(found.size) * mp.exp(number(found.rate) * z.real) * (1 + SLACK)
                if found.least is not None:
                    assert abs(value) * (1 + SLACK) >= number(found.least) * mp.exp(
                        number(found.least_rate) * z.real
                    )
                if found.angle is not None:
                    assert found.angle.overlaps(near(mp.arg(value)))
                if found.box is not None:
                    assert found.box.overlaps(near(value))


@pytest.mark.parametrize(
    ("expr", "size", "rate"),
    [
        (exp(-x), lambda s, c: mp.mpf(1), -1),
        (5 * exp(x) + exp(x / 2), lambda s, c: 5 + mp.exp(-s / 2), 1),
        (exp(-(x**2)), lambda s, c: mp.exp(c * c - s * s), 0),
        (exp(x - x**2 / 2), lambda s, c: mp.exp(c * c / 2 + s - s * s / 2), 0),
        (sin(3 * x), lambda s, c: mp.sqrt(2) * mp.cosh(3 * c), 0),
    ],
    ids=lambda value: None if isroutine(value) else str(value),
)  # fmt: skip
def test_growth_is_nearly_attained(expr: Any, size: Any, rate: float) -> None:
    for start, width in ((8, 1), (16, 2)):
        found = growth(expr, x, {}, arb(start), arb(width))
        assert found is not None and found.rate == rate
        true = size(mp.mpf(start), mp.mpf(width))
        assert true * (1 - SLACK) <= number(found.size) <= true * 1.001


def test_the_largest_value_in_a_rectangle() -> None:
    plan = Plan(exp(x) * (x - 2), x, {})
    found = largest(plan, arb(0), arb(3), arb(0), arb(1))
    true = max(abs(mp.exp(z) * (z - 2)) for z in (mp.mpc(3, 1), mp.mpc(0, 1)))
    assert found is not None and true <= number(found) <= 1.6 * true
    assert largest(Plan(1 / (x - 1), x, {}), arb(0), arb(3), arb(0), arb(1)) is None


# lines -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phi", "tau"),
    [(tanh(x), fmpq(3, 2)), (sin(x), fmpq(1)), (1 / (1 + x**2), fmpq(3, 4)), (x * tanh(x), fmpq(1))],
    ids=str,
)
def test_squares_of_hermite_coefficients_fall_as_the_line_says(phi: Any, tau: fmpq) -> None:
    found = line_of(phi, x, {}, tau)
    assert found is not None
    f, t = lambdify(x, phi, "mpmath"), mp.mpf(int(tau.p)) / int(tau.q)
    real = lambdify(x, phi, "numpy")
    excess = mp.quad(
        lambda s: max(abs(f(s + 1j * t)) - number(found.size) * mp.exp(number(found.rate) * abs(s)), 0),
        [-9, -2, -0.5, 0.5, 2, 9],
        maxdegree=4,
    )
    assert excess <= number(found.excess) * 1.0001 + mp.mpf(10) ** -6
    for start in (9, 16):
        bound = number(found.squares(start))
        for n in (start, start + 1, start + 2, start + 3):
            a = product(real, n, [-12, -6, -3, 0, 3, 6, 12])
            assert a * a <= bound / mp.sqrt(n) * mp.exp(-2 * t * mp.sqrt(n))


def test_the_constant_of_a_line() -> None:
    """The formula of the page, for numbers without an activation."""
    for size, rate, excess, tau, n in ((3, 0, 2, fmpq(3, 2), 9), (1, mp.mpf(1) / 2, 0, fmpq(1), 16)):
        line = Line(tau, arb(size), arb(mp.nstr(mp.mpf(rate), 20)), arb(excess))
        t = mp.mpf(int(tau.p)) / int(tau.q)
        root = mp.sqrt(n)
        r, lam = root + t / 2, (root + t / 2) * (root - 3 * t / 2) / 2
        weight = mp.mpf(size)
        if rate:
            weight *= (
                mp.sqrt(2)
                * mp.exp(rate**2 * r * r / (2 * lam))
                * 2
                * mp.exp(rate**2 / mp.mpf(2))
                * mp.ncdf(rate)
            )
        w = mp.sqrt(mp.pi) / 2 * (weight + excess / mp.sqrt(2 * mp.pi))
        a = w * (2 * mp.pi * n) ** 0.25 * mp.exp(mp.mpf(1) / (24 * n) + t * t / 4 - t * root) / mp.sqrt(lam)
        true = a * a * root * mp.exp(2 * t * root)
        assert true <= number(line.squares(n)) * (1 + SLACK) <= true * (1 + 1e-6)
        assert not line.squares(int((1.5 * t) ** 2)).is_finite()


# Hermite coefficients ----------------------------------------------------------------------------------------


def test_cramer_bounds_every_hermite_function() -> None:
    assert hermite_numeric._CRAMER == panels.CRAMER == fmpq(10865, 10000)
    most = max(
        abs(hermite(n, t)) * mp.exp(-t * t / 4)
        for n in (0, 1, 2, 3, 4, 10, 50)
        for t in (2 * mp.sqrt(n + 0.5) * (1 + mp.mpf(k) / 60) for k in range(-60, 12, 2))
    )
    assert most <= mp.mpf(10865) / 10000


@pytest.mark.parametrize(
    ("phi", "parity", "a"),
    [
        # E sin(X) h_n = e^(-1/2)/sqrt(n!) up to a sign, E e^(-X^2/2) h_2m = sqrt((2m)!)/(m! 4^m sqrt 2)
        (sin(x), 1, lambda n: mp.exp(-mp.mpf(1) / 2) / mp.sqrt(mp.factorial(n)) * (-1) ** (n // 2)),
        (
            exp(-(x**2) / 2),
            0,
            lambda n: mp.sqrt(mp.factorial(n) / 2) / mp.factorial(n // 2) / mp.mpf(-4) ** (n // 2),
        ),
        (x**3, 1, lambda n: {1: mp.mpf(3), 3: mp.sqrt(6)}.get(n, mp.mpf(0))),
    ],
    ids=["sin", "gauss", "cube"],
)
@pytest.mark.parametrize("bits", [8, 40, 120])
def test_hermite_coefficients_lie_in_their_balls(phi: Any, parity: int, a: Any, bits: int) -> None:
    source = Coefficients(phi, x, parity, {})
    found = source._up_to(24, bits, 0)
    with mp.workdps(60):
        for i, value in enumerate(found):
            true = a(parity + 2 * i)
            assert number(value.lower()) <= true + mp.mpf(10) ** -45 and true - mp.mpf(10) ** -45 <= number(
                value.upper()
            )
            assert number(value.rad()) <= mp.mpf(2) ** (4 - bits)
        moment = sum(a(n) ** 2 for n in range(parity, 260, 2))
        found_moment = source.moment(bits)
        assert number(found_moment.lower()) <= moment + mp.mpf(10) ** -30 and moment - mp.mpf(
            10
        ) ** -30 <= number(found_moment.upper())
        squares = source.squares(32)
        known = sum(a(parity + 2 * i) ** 2 for i in range(len(squares.values)))
        assert moment - known <= number(squares.tail) <= mp.mpf(2) ** -28 * (1 + moment)


@pytest.mark.parametrize("parity", [0, 1])
def test_what_coefficients_leave_out_of_a_mean(parity: int) -> None:
    """All of it may lie at the next degree: there the ball ends."""
    values = (arb(1), arb(1) / 4, arb(1) / 16)
    squares = Squares(parity, values, arb(1) / 8, arb(2))
    assert squares.degree == parity + 4
    for z in (mp.mpf(1) / 2, mp.mpf(1)):
        known = sum(number(c) * z ** (parity + 2 * i) for i, c in enumerate(values))
        most = z ** (parity + 6) / 8
        found = squares.at(arb(mp.nstr(z, 20)))
        assert abs(number(found.lower()) - known) < 1e-8 and 0 <= number(found.upper()) - known - most < 1e-8
    z = mp.mpc(0.3, 0.4)
    known = sum(number(c) * z ** (parity + 2 * i) for i, c in enumerate(values))
    value = squares.at_complex(acb(arb("0.3"), arb("0.4")))
    most = mp.mpf(1) / 2 ** (parity + 6) / 8
    assert abs(number(value.real) - known.real) < 1e-14 and most <= number(value.real.rad()) <= most * 1.0001


def test_the_width_of_a_ball_next_to_a_convex_mean() -> None:
    """|kappa'| <= (kappa(1) - kappa(m))/(1 - |z|), for tanh: the ball holds what its ends are."""
    from asymptok import dual

    node = next(iter(dual("tanh(x)").expr.atoms(sympy.Function)))
    cls = type(node)
    for m, r in (("0.5", "1e-6"), ("0.9", "0.01"), ("-0.7", "0.1"), ("0", "0.2"), ("0.95", "0.2")):
        ball = arb(m, r)
        found = record_of(cls).real(ball)  # type: ignore[union-attr]
        for end in (ball.lower(), ball.mid(), arb.min(ball.upper(), arb(1))):
            assert found.contains(record_of(cls).real(end).mid())  # type: ignore[union-attr]
        assert found.rad() < 3 * ball.rad() + arb("1e-9")
    with flint_precision(90):
        ball = arb("0.9", "1e-20")
        found = record_of(cls).real(ball)  # type: ignore[union-attr]
        for end in (ball.lower(), ball.upper()):
            assert found.contains(record_of(cls).real(end))  # type: ignore[union-attr]


# panels next to a kink ---------------------------------------------------------------------------------------


def test_the_ellipse_of_a_panel_and_the_error_of_its_rule() -> None:
    """T_(2m-2) is the first that m nodes with f p of degree 0 may get wrong by so much."""
    side, height = panels.ellipse(arb(3))
    assert (side, height) == (arb(3) * fmpq(9, 8), arb(3) * fmpq(15, 8))
    for m in (3, 6):
        found = number(panels.gauss_error(arb(3), arb(2), m))
        true = mp.mpf(3) * 2 * 64 / 15 * mp.mpf(4) ** (2 - 2 * m) / (1 - mp.mpf(1) / 16)
        assert abs(found / true - 1) < 1e-12
    nodes = panels.gauss_rule(5, 64)
    assert abs(sum(number(w) * number(t) ** 8 for t, w in nodes) - mp.mpf(2) / 9) < 1e-15


@pytest.mark.parametrize(("bits", "low"), [(5, 1), (30, 1), (5, 5)])
def test_moments_against_hermite_polynomials(bits: int, low: int) -> None:
    """sum w p(x) f(x) He_n(x)/n! from powers around the middle, up to the error that is written down."""
    with flint_precision(256):
        nodes = [(arb(fmpq(n, 8)), arb(1), arb(1)) for n in range(8 * low, 8 * low + 17)]
        found, error = panels.panel_moments(nodes, arb(low), arb(low + 2), 20, bits)
    worst = mp.mpf(0)
    with mp.workdps(50):
        for n in range(21):
            true = sum(
                mp.npdf(number(t)) * number(v) * hermite(n, number(t)) / mp.sqrt(mp.factorial(n))
                for t, v, _ in nodes
            )
            worst = max(worst, abs(number(found[n]) - true) * mp.sqrt(mp.factorial(n)))
    assert worst <= number(error) <= mp.mpf(2) ** -bits * 10
    # 1.0865 e^(c^2/4) sum |w p f| 2 (h sqrt(n))^(J+1)/(J+1)!
    last, c = found.degree() - 20, mp.mpf(low + 1)
    size = sum(mp.npdf(number(t)) for t, _, _ in nodes)
    exact = 1.0865 * mp.exp(c * c / 4) * size * 2 * mp.sqrt(21) ** (last + 1) / mp.factorial(last + 1)
    assert abs(number(error) / exact - 1) < 1e-6


@pytest.mark.parametrize("order", [1, 2, 5])
def test_the_second_moment_of_a_derivative(order: int) -> None:
    """E[phi^(j)(X)^2] cell by cell, for phi = e^(-x), x > 0, and its odd continuation, and for 2 - x + x^2 beyond 1."""
    cells = ((Integer(1), exp(-x)), (None, 2 - x + x**2))
    source = KinkedCoefficients(cells, x, 1, {})
    fs = [lambdify(x, f.diff(x, order), "mpmath") for _, f in cells]
    true = 2 * mp.quad(lambda t: fs[0](t) ** 2 * mp.npdf(t), [0, 1]) + 2 * mp.quad(
        lambda t: fs[1](t) ** 2 * mp.npdf(t), [1, 3, 9]
    )
    found = mp.exp(number(source.log_derivative(order)))
    assert true <= found <= 10**5 * true
    # j!^2 times the sum over panels of P(X in it) (max/r^j)^2 by the best disc, and what is beyond the last
    panels_, far = source._panels, source._far
    assert panels_ is not None and far is not None
    total = mp.mpf(0)
    for panel in panels_:
        best = min(number(bound) / number(r) ** order for r, bound in panel.discs)
        total += 2 * (mp.ncdf(number(panel.high)) - mp.ncdf(number(panel.low))) * best**2
    start, c, b = far[0], number(far[1]), max(number(far[2].rate), 0)
    total += (
        2 * (number(far[2].size) * mp.exp(b * c) / c**order) ** 2 * mp.exp(2 * b * b) * mp.ncdf(2 * b - start)
    )
    assert abs(found / (mp.factorial(order) ** 2 * total) - 1) < 1e-6
    jumps = source.jumps(order)
    assert jumps is not None
    for jump, (at, left) in zip(jumps, ((0, None), (1, cells[0][1])), strict=True):
        for j, height in enumerate(jump.heights):
            above = lambdify(x, cells[at][1].diff(x, j), "mpmath")(mp.mpf(at))
            below = (
                (-1) ** (j + 1) * above
                if left is None
                else lambdify(x, left.diff(x, j), "mpmath")(mp.mpf(at))
            )
            assert height.overlaps(near(mp.mpf(above - below)))


@pytest.mark.parametrize("bits", [16, 60])
def test_coefficients_and_means_of_an_activation_with_kinks(bits: int) -> None:
    """phi = |x| and max(|x| - 1, 0): a_n by integration, kappa by Hermite series and by the closed form of |x|."""
    for cells, parity in ((((None, x),), 0), (((Integer(1), Integer(0) * x), (None, x - 1)), 0)):
        source = KinkedCoefficients(cells, x, parity, {})
        low = 0 if len(cells) == 1 else 1
        with mp.workdps(20):

            def phi(t: Any, low: int = low) -> Any:
                return t - low

            found = source._coefficients(20, bits)
            total = mp.mpf(0)
            for i, value in enumerate(found[:8]):
                true = 2 * product(phi, 2 * i, [low, 3, 8, 14])
                total += true**2
                assert number(value.lower()) <= true + mp.mpf(10) ** -11 and true - mp.mpf(
                    10
                ) ** -11 <= number(value.upper())
                assert number(value.rad()) < mp.mpf(2) ** (6 - bits)
            moment = 2 * mp.quad(lambda t: phi(t) ** 2 * mp.npdf(t), [low, 3, 8, 20])
            assert (
                abs(number(source.moment(bits)) - moment)
                <= number(source.moment(bits).rad()) + mp.mpf(10) ** -11
            )
        squares = source.squares(bits, 14)
        assert -1e-9 <= number(squares.tail) - (moment - total) <= 1e-9 + mp.mpf(2) ** (8 - bits)
        with mp.workdps(20):
            z = mp.mpf(1) / 3
            rest = sum((2 * product(phi, n, [low, 3, 8, 14])) ** 2 * z**n for n in range(0, 20, 2))
            assert source.at(arb(1) / 3, 30).overlaps(arb(mp.nstr(rest, 20), "1e-8"))


def test_what_the_jumps_leave_out() -> None:
    """kappa - kappa_P up to n = top, for |x|: kappa = 2 (sqrt(1-z^2) + z asin z)/pi."""
    source = KinkedCoefficients(((None, x),), x, 0, {})
    poly, error, jumps, prec = source.parts(20, 128)
    for z in (mp.mpf(1) / 2, mp.mpf(9) / 10):
        true = 2 * (mp.sqrt(1 - z * z) + z * mp.asin(z)) / mp.pi
        with flint_precision(prec):
            place = arb(mp.nstr(z, 30))
            found = jump_kernel(jumps, 0, place) + poly(place * place) + arb(0, error)
        assert found.overlaps(near(true))


@pytest.mark.parametrize("parity", [0, 1])
def test_the_kernel_of_jumps_alone(parity: int) -> None:
    """E[P(X) P(Y)] and E[P h_n] for P = sum J s_j(x - a) with kinks at 0 and 1, by integration."""
    jumps = (
        Jump(arb(0), (arb(0 if parity == 0 else 2), arb(3 if parity == 0 else 0))),
        Jump(arb(1), (arb(1), arb(-2))),
    )

    def p(t: Any) -> Any:
        total = 0 * t
        for jump in jumps:
            at = number(jump.at)
            for j, h in enumerate(map(number, jump.heights)):
                for a, c in ((at, h), (-at, h * (-1) ** (parity + j + 1))) if at else ((at, h),):
                    total = total + float(c) * np.sign(t - float(a)) * (t - float(a)) ** j / (
                        2 * math.factorial(j)
                    )
        return total

    edges = [-12, -4, -1, 0, 1, 4, 12]
    for i, value in enumerate(jump_coefficients(jumps, parity, 9)):
        true = product(p, parity + 2 * i, edges)
        assert abs(number(value) - true) < 1e-12
    for z in (mp.mpf(0), mp.mpf(1) / 2):
        coefficients = jump_coefficients(jumps, parity, 161)
        true = sum(number(c) ** 2 * z ** (parity + 2 * i) for i, c in enumerate(coefficients))
        assert abs(number(jump_kernel(jumps, parity, arb(mp.nstr(z, 20)))) - true) < 1e-11


# special functions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [6, 20, 53])
def test_polylogarithms_next_to_where_a_series_ends(bits: int) -> None:
    for s, z in itertools.product(
        (mp.mpf(1) / 2, mp.mpf(2), mp.mpf(7) / 2), (0.41, 0.43, -0.41, -0.43, 0.9, 0.99, -1.0)
    ):
        true = mp.polylog(s, mp.mpf(z))
        with flint_precision(bits):
            found = polylog_on_interval(arb(float(s)), arb(z))
        if z == -1.0 and s < 1:
            continue  # through Li_s(1), which is infinite
        assert found is not None
        assert number(found.lower()) <= mp.re(true) + SLACK and mp.re(true) - SLACK <= number(found.upper())
        assert number(found.rad()) <= mp.mpf(2) ** (6 - bits) * (1 + abs(true)) * (1 if z > 0 else 4)


def test_polylogarithms_by_few_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    """With tables of 8 and 14 terms the rest of both series is what the balls are wide by."""
    full = polylog._table

    def short(s: arb) -> tuple[arb_poly, arb_poly]:
        powers, zetas = full(s)
        return arb_poly(powers.coeffs()[:8]), arb_poly(zetas.coeffs()[:14])

    monkeypatch.setattr(polylog, "_table", short)
    for s, z in itertools.product((mp.mpf(1) / 2, mp.mpf(2), mp.mpf(7) / 2), (0.41, -0.41, 0.43, 0.9, -0.9)):
        found, true = polylog_on_interval(arb(float(s)), arb(z)), mp.re(mp.polylog(s, mp.mpf(z)))
        assert found is not None and found.rad() < 0.01
        assert number(found.lower()) <= true <= number(found.upper())


def test_slopes_of_polylogarithms_on_balls() -> None:
    """|Li_(s-1)(z)/z| <= Li_(s-1)(|z|)/|z|."""
    for s in (2, mp.mpf(-1) / 2):
        for size in (0.25, 0.75):
            bound = _polylog_slope(arb(float(s)), arb(0, size))
            true = mp.polylog(s - 1, size) / size
            assert true <= number(bound.abs_upper()) * (1 + SLACK) <= true * (1 + 1e-6)


@pytest.mark.parametrize("bits", [8, 20, 60])
def test_owens_function(bits: int) -> None:
    for h, a in itertools.product((0, 0.5, 2, 6, 20), (1, -0.75, 0.01, 2.0**-80)):
        true = mp.quad(
            lambda t, h=h: mp.exp(-(mp.mpf(h) ** 2) * (1 + t * t) / 2) / (1 + t * t), [0, mp.mpf(a)]
        ) / (2 * mp.pi)
        slack = mp.mpf(10) ** -15 * abs(mp.mpf(a))
        with flint_precision(bits):
            found = owen_t(arb(h), arb(a))
        assert number(found.lower()) <= true + slack and true - slack <= number(found.upper())
        assert number(found.rad()) <= max(mp.mpf(2) ** (2 - bits), 0.17 * (a < 0.001)) * abs(mp.mpf(a))


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_arc_cosine_kernels_of_wide_balls(n: int) -> None:
    def kappa(z: mp.mpc) -> mp.mpc:
        theta, s = mp.acos(z), mp.sqrt(1 - z) * mp.sqrt(1 + z)
        j = [mp.pi - theta, s + (mp.pi - theta) * z]
        for m in range(1, n):
            j.append((2 * m + 1) * z * j[m] + m * m * s * s * j[m - 1])
        return j[n] / mp.fac2(2 * n - 1) / mp.pi

    for m, r in (("0.5", "0.25"), ("0.9", "0.25"), ("-0.9", "0.05"), ("0", "1"), ("0.25", "1e-20")):
        found = arc_cosine_real(n, arb(m, r))
        for end in (-1, 0, 1):
            z = min(max(mp.mpf(m) + end * mp.mpf(r), -1), 1)
            assert number(found.lower()) <= kappa(z).real + SLACK and kappa(z).real - SLACK <= number(
                found.upper()
            )
        # it rises by n^2/(2n-1) at most
        if n:
            assert (
                number(found.rad())
                <= mp.mpf(n * n) / (2 * n - 1) * mp.mpf(r) * (1 + 1e-6) + mp.mpf(10) ** -12
            )
    ball = acb(arb("0.3", "0.2"), arb("0.4", "0.2"))
    value = arc_cosine_complex(n, ball)
    for a, b in itertools.product((-1, 0, 1), repeat=2):
        assert value.overlaps(near(mp.mpc(kappa(mp.mpc(0.3 + 0.2 * a, 0.4 + 0.2 * b)))))


def test_taylor_around_the_middle_of_a_ball() -> None:
    """f(m) + f'(m) h + f''(Z) h^2/2: with two derivatives the ball of z^2 and of e^z on a wide ball."""
    exact = around_middle(lambda z: z.exp(), lambda z: z.exp(), lambda z: z.exp(), regular=lambda z: True)
    for middle, radius in ((0, 1.0), (1, 0.5)):
        found = exact(arb(middle, radius))
        assert number(found.lower()) <= mp.exp(middle - radius) and mp.exp(middle + radius) <= number(
            found.upper()
        )
    narrow = exact(arb(1, 2.0**-60))
    assert number(narrow.rad()) >= mp.e * mp.mpf(2) ** -60 * (1 - SLACK)
    # the ball that f itself gives is wider than the true range, and is met with
    wide = around_middle(lambda z: z.exp() + arb(0, 9), lambda z: z.exp(), regular=lambda z: True)(
        arb(0, "0.1")
    )
    assert wide.rad() > 9


def test_powers_of_balls_that_touch_zero() -> None:
    for e in (arb(1) / 3, arb(5) / 2):
        assert real_power(arb(0), e) == 0 and real_power(arb(2), e).overlaps(near(mp.mpf(2) ** number(e)))
        found = real_power(arb(1, 1).nonnegative_part(), e)
        assert not found.is_finite() or number(found.upper()) >= mp.mpf(2) ** number(e) * (1 - SLACK)
        disc = complex_power(acb(arb(0, 1), arb(0, 1)), acb(e))
        for a, b in itertools.product((-1, 0, 1), repeat=2):
            assert disc.overlaps(near(mp.mpc(a, b) ** number(e)) if a or b else acb(0))
    assert not real_power(arb(0, 1), arb(1) / 2).is_finite()


def test_zonal_sums_of_wide_balls() -> None:
    """|P_k'| <= k (k+d-2)/(d-1) on [-1, 1], attained at 1."""
    from asymptok.functions.zonal import ZonalSum

    record = record_of(ZonalSum)
    assert record is not None
    for d in (3, 4):
        found = record.real(arb(d), arb(0), arb(0), arb(0), arb(1), arb(fmpq(98, 100), fmpq(1, 100)))
        slope = mp.mpf(3 * (d + 1)) / (d - 1)
        low = mp.hyp2f1(-3, d + 1, mp.mpf(d - 1) / 2, mp.mpf(15) / 1000)
        assert number(found.lower()) <= low and number(found.upper()) >= mp.hyp2f1(
            -3, d + 1, mp.mpf(d - 1) / 2, 0.005
        )
        assert abs(number(found.rad()) - slope / 100) < 1e-8


def test_large_discs_of_entire_hypergeometric_functions() -> None:
    """0F1(b; z) is at most cosh(2 Re sqrt z), and pFq with positive parameters at most its value at |z|."""
    record = record_of(sympy.hyper)
    assert record is not None
    for a, b in (
        ((), (mp.mpf(1) / 2,)),
        ((), (mp.mpf(3) / 2,)),
        ((mp.mpf(1),), (mp.mpf(2),)),
        ((), (mp.mpf(1) / 3,)),
    ):
        upper, lower = (tuple(acb(arb(mp.nstr(v, 25))) for v in group) for group in (a, b))
        for middle, radius in ((mp.mpc(0), 2), (mp.mpc(-5, 3), 3), (mp.mpc(20), 4)):
            ball = acb(arb(mp.nstr(middle.real, 10), radius), arb(mp.nstr(middle.imag, 10), radius))
            found = record.complex(upper, lower, ball)
            for i, j in itertools.product((-1, 0, 1), repeat=2):
                z = middle + mp.mpc(i, j) * radius
                assert found.overlaps(near(mp.mpc(mp.hyper(list(a), list(b), z))))


def test_columns_of_a_strip_begin_at_zero() -> None:
    found = Strip(arb(1), arb(1), 2, arb(1), arb(0), (arb(1), arb(2), arb(3), arb(4)))
    inner = found.derivative(1)
    # discs of radius 1/2 reach one column to either side, and by symmetry the first sees itself and the second
    assert [round(float(c) / 2, 6) for c in inner.columns][:3] == [2.0, 3.0, 4.0]
    steep = Strip(arb(1), arb(1), 2, arb(3), arb(1) / 2, found.columns).derivative(2)
    true = mp.factorial(2) * 4 * 3 * mp.exp(mp.mpf(1) / 4)
    assert true <= number(steep.size) * (1 + SLACK) <= true * (1 + 1e-6)
