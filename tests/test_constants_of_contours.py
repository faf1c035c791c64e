"""Every constant of the contour's bounds, as the package computes it, against mpmath: docs/constants-of-bounds.md.

A bound has to lie above the truth and close to it, so that a factor of two, a summand left out, an index off by one or
a number rounded inward is seen. The formulas of T, A_k, S and q_k are those that test_certificate_formulas compares
with the integrals that define them.
"""

# short functions of one letter, each used where it stands
# ruff: noqa: E731
from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest
import sympy
from flint import acb, arb, arb_poly, fmpq
from outward import bounds, encloses, exact, high, largest, low
from sympy import Rational, S, cos, exp, log, sin, sqrt
from test_certificate_formulas import amplitude, moment, second_kind
from test_docs_formulas import eigenvalue

from asymptok import kernels
from asymptok.atlas import core, flat, inside, poles, removable, slits, waves
from asymptok.atlas.branches import InnerPart, gaps_of
from asymptok.atlas.curves import Disc, disc, pieces, upper_edge
from asymptok.atlas.factored import Root, Summand
from asymptok.atlas.factors import curve_factor, gamma_ratio, series_bound, slit_factor
from asymptok.atlas.germs import Germ, germ
from asymptok.atlas.program import program
from asymptok.atlas.samples import StripSample, interval
from asymptok.errors import AsymptokError
from asymptok.functions.orthant import Orthant
from asymptok.precision import flint_precision
from asymptok.spectrum import far
from asymptok.symbols import u


@pytest.fixture(autouse=True)
def _precision() -> Iterator[None]:
    with mp.workdps(30), flint_precision(160):
        yield


def series(d: int, h: Any) -> Any:
    """S, term by term until nothing is left."""
    total, j = mp.mpf(0), 0
    while True:
        term = abs(mp.rf(2 - mp.mpf(d) / 2, j)) / mp.factorial(j) * mp.exp(-2 * j * h)
        total, j = total + term, j + 1
        if j > d and term < mp.mpf(10) ** -25:
            return total


def half_plane(x: Any, height: Any) -> Any:
    return mp.cos(mp.mpc(x, height))


# ------------------------------------------------------------------------------- T, A_k, S and their product


@pytest.mark.parametrize("d", [2, 3, 4, 6, 11])
def test_the_moment_of_a_slit(d: int) -> None:
    for beta, k in ((fmpq(-1, 4), 1), (fmpq(1, 2), 1), (fmpq(1, 2), 7), (fmpq(7, 2), 40), (fmpq(4), 5)):
        e = mp.mpf(int(beta.p)) / int(beta.q)
        assert encloses(slit_factor(arb(beta), k, d), moment(e, k, d))
        assert encloses(gamma_ratio(arb(beta), k, d), mp.gamma(k - e) / mp.gamma(k + e + d - 1))


@pytest.mark.parametrize("d", range(2, 16))
def test_the_sum_of_the_moduli_of_binomial_coefficients(d: int) -> None:
    for h in (fmpq(1, 2), fmpq(1), fmpq(3)):
        truth = series(d, mp.mpf(int(h.p)) / int(h.q))
        assert bounds(series_bound(arb(h), d), truth, 1 + 1e-9)
    # where 64 of its terms leave something
    assert bounds(series_bound(arb(fmpq(1, 40)), d), series(d, mp.mpf(1) / 40), 1.01)


@pytest.mark.parametrize("d", [2, 3, 5, 7, 8])
def test_the_factor_of_the_curve(d: int) -> None:
    for k, h in ((0, fmpq(1)), (1, fmpq(1, 2)), (12, fmpq(2))):
        height = mp.mpf(int(h.p)) / int(h.q)
        truth = amplitude(k, d) * series(d, height) * mp.exp(-(k + 1) * height)
        assert bounds(curve_factor(arb(h), k, d), truth, 1 + 1e-9)
        assert bounds(waves.amplitude(k, d), amplitude(k, d))
        here = largest(lambda x, k=k, y=height: second_kind(k, d, None, mp.exp(mp.mpc(y, -x))), 0, mp.pi, 12)
        assert here <= high(curve_factor(arb(h), k, d)) * (1 + mp.mpf(10) ** -20)


# --------------------------------------------------------------------------------------------- points inside


def a_rest(place: Any, **kept: Any) -> waves.InnerRest:
    """With K = 1 unless told otherwise."""
    given = {"nu": Rational(1, 2), "count": 3, "size": arb(1), "height": fmpq(3, 4)}
    return waves.InnerRest(sympy.sympify(place), **(given | kept))


@pytest.mark.parametrize("place", [Rational(-9, 10), Rational(-1, 3), S.Zero, Rational(4, 5)])
def test_the_vertical_line_at_a_point(place: Rational) -> None:
    """E, X and Q of K/pi Q E^beta X: suprema along Re theta = theta_0, or from 0 to e^(2 i theta_0)."""
    theta, height = mp.acos(mp.mpf(place.p) / place.q), mp.mpf(3) / 4
    rest = a_rest(place)
    step = lambda y: abs(mp.cos(mp.mpc(theta, y)) - mp.cos(theta)) / y
    stretch = largest(step, mp.mpf(1) / 100, height)
    assert bounds(waves._slope(rest), stretch)
    widest = largest(lambda y: mp.sin(mp.mpc(theta, y)), 0, height)
    turn = mp.expj(2 * theta)
    distances = [abs(1 - turn * mp.mpf(i) / 4000) for i in range(4001)]
    for d in (2, 3, 4, 5, 9):
        lam = mp.mpf(d - 2) / 2
        mean = min(distances) ** (lam - 1) if d < 4 else mp.mpf(2) ** (lam - 1)
        found = waves._mean(arb(fmpq(place.p, place.q)), d)
        assert mean * (1 - mp.mpf(10) ** -6) <= high(found) <= mean * (1 + mp.mpf(10) ** -6)
        truth = mean / mp.pi * stretch ** mp.mpf("3.5") * widest
        assert bounds(waves.wave_factor(rest, d), truth, 1 + 1e-6) or d < 4
        for y in (mp.mpf(1) / 100, height):
            here = abs(second_kind(6, d, None, mp.exp(mp.mpc(y, -theta))))
            assert here <= amplitude(6, d) * high(found) * mp.exp(-7 * y) * (1 + mp.mpf(10) ** -20)


@pytest.mark.parametrize("j", [0, 1, 2])
@pytest.mark.parametrize(("place", "k"), [(S.Zero, 1), (Rational(19, 20), 9)])
def test_the_integral_along_the_line(place: Rational, k: int, j: int) -> None:
    """int v^beta (|log v| + log(k+1) + L)^j e^-v with |log v|^i <= (2i/e)^i (v^(1/2) + v^(-1/2))."""
    rest = a_rest(place, log_power=j)
    theta, height, beta = mp.acos(mp.mpf(place.p) / place.q), mp.mpf(3) / 4, mp.mpf("3.5")
    stretch = abs(mp.cos(mp.mpc(theta, height)) - mp.cos(theta)) / height
    logs = mp.log(k + 1) + max(abs(mp.log(stretch)), abs(mp.log(mp.sin(theta)))) + mp.pi
    truth = mp.quad(lambda v: v**beta * (abs(mp.log(v)) + logs) ** j * mp.exp(-v), [0, 1, 5, 20, 80])
    majorant = logs**j * mp.gamma(beta + 1)
    for i in range(1, j + 1):
        power = (2 * i / mp.e) ** i * (mp.gamma(beta + 1.5) + mp.gamma(beta + 0.5))
        majorant += mp.binomial(j, i) * logs ** (j - i) * power
    found = waves.wave_integral(rest, k)
    assert bounds(found, majorant) and truth * (1 - mp.mpf(10) ** -12) <= high(found)
    # |log(u-p)| <= |log y| + L on the line
    for y in (mp.mpf(1) / 50, height):
        x = mp.cos(mp.mpc(theta, y)) - mp.cos(theta)
        assert abs(mp.log(x)) <= abs(mp.log(y)) + logs - mp.log(k + 1)


def test_the_bound_of_what_is_left_at_a_point() -> None:
    for d in (2, 3, 6):
        for k in (5, 30):
            one = waves.rest_bound(a_rest(Rational(1, 3)), k, d)
            line = high(waves.wave_factor(a_rest(Rational(1, 3)), d)) * amplitude(k, d)
            assert bounds(one, line * mp.gamma(mp.mpf("4.5")) / mp.mpf(k + 1) ** mp.mpf("4.5"))


@pytest.mark.parametrize("side", [1, -1])
def test_what_is_left_on_the_boundary_around_a_line(side: int) -> None:
    """K = max |g - P|/|u-p|^N on the upper half of the boundary of a rectangle in theta, g = exp(u)."""
    place, height, count = mp.mpf(1) / 3, mp.mpf(3) / 4, 3
    contour = inside._Contour(
        [Rational(1, 3)], [S.Zero, exp(u)] if side == 1 else [exp(u), S.Zero], count - 1
    )
    part, gap = contour.parts[0]
    _, taylor = inside.expanded(part, count - 1)
    assert taylor is not None
    sides = [fmpq(1, 4), fmpq(5, 8)]
    edge = contour._boundary(gap, fmpq(3, 4), *sides, 400)
    size = inside.on_boundary(part, taylor, count, core.USUAL, edge)

    def quotient(theta: Any) -> Any:
        z = mp.cos(theta)
        terms = mp.exp(place) * sum((z - place) ** n / mp.factorial(n) for n in range(count))
        return (mp.exp(z) - terms) / (z - place) ** count

    low_angle, high_angle = (mp.pi * int(x.p) / int(x.q) for x in sides)
    truth = max(
        largest(lambda x: quotient(mp.mpc(x, height)), low_angle, high_angle),
        *(largest(lambda y, x=x: quotient(mp.mpc(x, y)), 0, height) for x in (low_angle, high_angle)),
    )
    assert bounds(size, truth, 1.12)


def test_the_degree_from_which_the_terms_speak() -> None:
    for exponent, start in ((S.Zero, 1), (Rational(1, 2), 1), (S.One, 2), (Rational(5, 2), 3), (S(4), 5)):
        term = waves.InnerTerm(Rational(1, 3), exponent, 1, S.One)
        assert waves.least_degree((term, waves.InnerTerm(S.Zero, S.Zero, 1, S.One))) == start
        nu, p = mp.mpf(exponent.p) / exponent.q, mp.mpf(1) / 3
        truth = eigenvalue(
            lambda t, p=p, nu=nu: (1 - t - p) ** nu if 1 - t > p else mp.mpf(0),
            start,
            3,
            (float(mp.acos(p)),),
        )
        assert encloses(waves.inner_sum((term,), start, 3), truth, 9)


# ------------------------------------------------------------------------------------- programs in the strip


def _orthant(h: Any, k: Any, r: Any) -> Any:
    """P(X > h, Y > k) for the correlation r, all three complex."""
    root = mp.sqrt(1 - r) * mp.sqrt(1 + r)
    line = lambda x: mp.exp(-(x**2) / 2) * mp.erfc((k - r * x) / root / mp.sqrt(2))
    return mp.quad(lambda s: line(h + s), [0, 1, 3, 8, 14]) / mp.sqrt(8 * mp.pi)


@pytest.mark.parametrize(
    ("expr", "truth"),
    [
        ((exp(u) - exp(Rational(1, 3))) / (u - Rational(1, 3)), None),
        (sin(u) / u * sqrt(3 - u), None),
        ((cos(u) - 1) ** 2 / u**4, None),
        (u**2 * exp(u) / (1 - cos(u)), None),
        ((exp(u) - 1 - u) ** 3 / (u**6 * (2 + u)), None),
        (Orthant(1 + 2 * u, 2 + u, u), lambda z: _orthant(1 + 2 * z, 2 + z, z)),
        (u * Orthant(2 + u, 1 + 2 * u, u) ** 2, lambda z: z * _orthant(1 + 2 * z, 2 + z, z) ** 2),
    ],
    ids=lambda x: "" if callable(x) else str(x),
)
def test_a_program_has_the_values_of_its_kernel(expr: Any, truth: Any) -> None:
    """At points of the strip and on a small box around one."""
    made = program(expr)
    places = (mp.mpc("1.1", "0.3"), mp.mpc("2.2", "-0.125"), mp.mpc("1.25", "0.5"))
    for theta in places if truth is None else places[:1]:
        z = mp.cos(theta)
        value = mp.mpmathify(sympy.N(expr.subs(u, sympy.sympify(z)), 25)) if truth is None else truth(z)
        for radius in (0, mp.mpf(2) ** -20):
            centre = acb(*(arb(mp.nstr(x, 30), mp.nstr(radius, 5)) for x in (theta.real, theta.imag)))
            found = made.run(StripSample.of(centre))
            for part, exactly in ((found.real, value.real), (found.imag, value.imag)):
                slack = mp.mpf(10) ** -20 * abs(value)
                assert low(part) - slack <= exactly <= high(part) + slack
                assert high(part) - low(part) <= slack + 2000 * radius * (1 + abs(value))


# ---------------------------------------------------------------------------------------- slits and their discs


def a_slit(values: Callable[[Any], Any], polynomial: list[Any], size: arb, far_out: bool) -> slits.Slit:
    """A slit 0 <= y <= 2 of grid 2 with Im kappa = 0 on [0, 1] and a polynomial in y - 9/8 beyond; or one around 0."""
    zero = Germ(Disc(1, 2, fmpq(0), fmpq(4), arb(0)), (acb(0),) * 40)
    if not far_out:
        # Im of c_n sigma^n is -c_n sin(pi n/2) y^n
        kappa = [acb(0) if n % 2 == 0 else acb(-c * (-1) ** (n // 2)) for n, c in enumerate(polynomial)]
        kappa += [acb(0)] * (8 - len(kappa))
        only = Germ(Disc(1, 2, fmpq(0), fmpq(4), size), tuple(kappa))
        return slits.Slit(1, 2, fmpq(2), (slits.Stretch(only, fmpq(0), fmpq(2)),))
    # on the slit sigma - centre = (y - c) e^(-i pi/2)
    there = [acb(0, c) * acb(0, 1) ** n for n, c in enumerate(polynomial)]
    one = slits.Stretch(zero, fmpq(0), fmpq(1))
    two = slits.Stretch(Germ(Disc(1, 2, fmpq(9, 8), fmpq(4), size), tuple(there)), fmpq(1), fmpq(2))
    return slits.Slit(1, 2, fmpq(2), (one, two))


@pytest.mark.parametrize("polynomial", [[1], [0, 1], [1, -3, 2], [5, 0, 0, 1]])
@pytest.mark.parametrize("beta", [Rational(1, 2), Rational(9, 2), Rational(13, 3)])
def test_the_bound_on_a_far_part_of_a_slit(polynomial: list[int], beta: Rational) -> None:
    """sup |Im R|/y^(2 beta) over [1, 2]; the slope of y^(-2 beta) counts where Im R hardly changes."""
    function = lambda y: sum(c * (y - mp.mpf(9) / 8) ** n for n, c in enumerate(polynomial))
    power = 2 * mp.mpf(beta.p) / beta.q
    truth = largest(lambda y: function(y) / y**power, mp.mpf(1), mp.mpf(2), 480)
    found = a_slit(function, polynomial, arb(0), True).bound(beta)
    assert bounds(found, truth, 1.06)
    # the rest of the series: M q^P/(1-q), q the share of the radius, where it is largest on each piece
    count = len(polynomial) + 3
    share = lambda y: abs(y - mp.mpf(9) / 8) / 4
    rest = largest(lambda y: share(y) ** count / (1 - share(y)) / y**power, mp.mpf(1), mp.mpf(2), 480)
    alone = a_slit(function, [0] * count, arb(1), True).bound(beta)
    assert bounds(alone, rest, 1.6)
    both = a_slit(function, [*polynomial, 0, 0, 0], arb(1), True).bound(beta)
    assert max(truth, rest) <= high(both) <= (high(found) + high(alone)) * (1 + mp.mpf(10) ** -12)


@pytest.mark.parametrize("polynomial", [[0, 0, 0, 1], [0, 0, 0, 1, 0, -3], [0, 7, 0, 0, 0, 1, 0, 1]])
@pytest.mark.parametrize("beta", [Rational(3, 2), Rational(5, 2), Rational(4, 3), sqrt(2)])
def test_the_bound_on_a_slit_next_to_its_end(polynomial: list[int], beta: Any) -> None:
    """sup over 0 < y <= 2 of |sum of c_n y^n, n >= 2 beta|/y^(2 beta)."""
    value = mp.mpf(beta.p) / beta.q if beta.is_Rational else mp.sqrt(2)
    start, first = 2 * value, int(mp.ceil(2 * value))
    tail = lambda y: sum(c * y**n for n, c in enumerate(polynomial) if n >= first)
    truth = largest(lambda y: tail(y) / y**start, mp.mpf(1) / 10**6, mp.mpf(2), 480)
    slit = a_slit(tail, polynomial, arb(0), False)
    found = slit.bound(beta)
    if beta.is_Rational:
        assert truth * (1 - mp.mpf(10) ** -9) <= high(found) <= 1.12 * truth + mp.mpf(10) ** -20
        rough = a_slit(tail, polynomial, arb(1), False).bound(beta)
        rest = mp.mpf("0.5") ** 8 / mp.mpf("0.5") / 2**start
        assert max(truth, rest) * (1 - mp.mpf(10) ** -9) <= high(rough) <= high(found) + rest * 1.001
    else:  # by the next exponent of the grid, 3/2: x^(3/2) <= 4^(3/2 - sqrt(2)) x^sqrt(2)
        assert bounds(found, high(slit.bound(Rational(3, 2))) * mp.mpf(4) ** (mp.mpf("1.5") - value))
        assert high(found) >= truth * (1 - mp.mpf(10) ** -9)


def test_the_rest_of_a_germ() -> None:
    found = Germ(Disc(1, 2, fmpq(0), fmpq(3), arb(7)), (acb(0),) * 5)
    for y in (fmpq(1), fmpq(5, 2)):
        q = mp.mpf(int(y.p)) / int(y.q) / 3
        assert bounds(found.rest(arb(y)), 7 * q**5 / (1 - q))
        over = slits._rest_over_power(found, arb(y), arb(fmpq(7, 2)))
        assert bounds(over, 7 * q**5 / (1 - q) / (3 * q) ** mp.mpf("3.5"))


def test_coefficients_from_a_circle_and_their_error() -> None:
    """a_n up to M r^-n 2^-P/(1 - 2^-P), M the largest value on the circle."""
    kappa = program(1 / (Rational(5, 4) - u))  # 1/(1/4 + t)
    around = disc(kappa, 1, 1, fmpq(0), fmpq(7, 32), start=128)
    assert bounds(around.size, mp.mpf(32), 1.2)
    points = 8
    found = germ(kappa, around, points)
    for n, c in enumerate(found.coefficients):
        error = exact(around.size) * mp.mpf(32) ** n / mp.mpf(7) ** n / (2**points - 1)
        assert c.real.contains(arb(4) ** (n + 1) * (-1) ** n)
        assert abs(exact(c.real.rad()) / error - 1) < 0.001
    # the disc beside 0, in the plane of sigma = t^(1/2): centre -i c
    root = program(exp(-sqrt(1 - u)))
    beside = disc(root, 1, 2, fmpq(3, 2), fmpq(1), start=64)
    truth = largest(lambda a: mp.exp(-(mp.mpc(0, "-1.5") + mp.expj(a))), 0, 2 * mp.pi, 720)
    assert bounds(beside.size, truth, 1.1)
    for n, c in enumerate(germ(root, beside, 12).coefficients):
        value = mp.exp(mp.mpc(0, 1.5)) * (-1) ** n / mp.factorial(n)
        for part, mine in ((value.real, c.real), (value.imag, c.imag)):
            assert low(mine) <= part <= high(mine)
            assert abs(exact(mine.rad()) / (exact(beside.size) / (2**12 - 1)) - 1) < 0.001


def test_pieces_cover_the_curve() -> None:
    kappa = program(exp(-sqrt(1 - u)))
    edge = upper_edge(kappa, fmpq(1), 7)
    assert encloses(sum((length for length, _, _ in edge), arb(0)), mp.pi)
    assert interval(fmpq(1, 3), fmpq(1, 2)).contains(arb(fmpq(1, 3)))
    assert interval(fmpq(1, 3), fmpq(1, 2)).contains(arb(fmpq(1, 2)))
    seen: list[tuple[Fraction, Fraction]] = []

    def place(x: arb) -> StripSample:
        seen.append((Fraction(str(x.lower().fmpq())), Fraction(str(x.upper().fmpq()))))
        return StripSample.of(acb(arb.pi() * x, 1))

    list(pieces(kappa, place, fmpq(1, 7), fmpq(6, 7), 5))
    seen.sort()
    assert seen[0][0] <= Fraction(1, 7) and seen[-1][1] >= Fraction(6, 7)
    assert all(b[0] <= a[1] for a, b in pairwise(seen))


def test_the_length_of_a_slit_reaches_the_curve() -> None:
    for h in (fmpq(1, 16), fmpq(1), fmpq(13, 8)):
        for grid in (1, 2, 3, 5):
            reach = mp.mpf(int(core.slit_length(h, grid).p)) / int(core.slit_length(h, grid).q)
            truth = mp.root(mp.cosh(mp.mpf(int(h.p)) / int(h.q)) - 1, grid)
            assert truth < reach <= truth + mp.mpf(2) / 4096


def test_the_bounds_of_laplace_and_of_the_deep_tangent_kernel() -> None:
    """B over all discs of the slit and G on the curve, for the first and for later exponents."""
    found = core.analytic_core(exp(-sqrt(1 - u)), 5)
    height = mp.mpf(int(found.bounds[0].height.p)) / int(found.bounds[0].height.q)
    for bound in found.bounds:
        count = int(2 * bound.beta)
        # Im R on t = -x: the terms with odd n of exp(-i sqrt(x)) without those below beta
        rest = lambda y, c=count: (
            mp.sin(y) - sum((-1) ** (n // 2) * y**n / mp.factorial(n) for n in range(1, c, 2))
        )
        truth = largest(
            lambda y, c=count, rest=rest: rest(y) / y**c, mp.mpf(1) / 100, mp.sqrt(mp.cosh(height) - 1)
        )
        assert truth * (1 - mp.mpf(1) / 1000) <= high(bound.plus) <= 1.06 * truth
        assert bound.minus == 0

        def on_curve(x: Any, c: int = count) -> Any:
            root = mp.sqrt(2) * mp.sin(mp.mpc(x, height) / 2)
            odd = sum(-(root**n) / mp.factorial(n) for n in range(1, c, 2))
            return abs((mp.exp(-root) - odd) * mp.sin(mp.mpc(x, height)))

        integral = mp.quad(on_curve, [0, 1, 2, mp.pi]) / mp.pi
        assert bounds(bound.curve, integral, 1.1)
    for term in found.terms:
        assert encloses(term.coefficient, -1 / mp.factorial(int(2 * term.exponent)), 15)


@pytest.mark.slow
def test_the_bounds_on_the_slits_of_the_deep_tangent_kernel() -> None:
    """sup |Im R| x^-beta on both slits of the NTK of depth 3, t = x e^(-i pi) by hand."""
    found = core.analytic_core(kernels.ntk(3).expr, 5)

    def arc(z: Any, below: Any) -> tuple[Any, Any]:
        """kappa_0 and kappa_1 at z; `below` = sqrt(1-z) on the right branch, with the angle by the logarithm."""
        sine = below * mp.sqrt(1 + z)
        angle = -2j * mp.log(mp.sqrt((1 + z) / 2) + 1j * below / mp.sqrt(2))
        return (mp.pi - angle) / mp.pi, (z * (mp.pi - angle) + sine) / mp.pi

    def kappa(z: Any, root: Any) -> Any:
        zero, one = arc(z, root)
        deep = mp.sqrt(1 - one)
        deep = deep if mp.re(deep / root) > 0 else -deep
        first = z * zero + one
        zero2, one2 = arc(one, deep)
        return first * zero2 + one2

    height = mp.mpf(int(found.bounds[0].height.p)) / int(found.bounds[0].height.q)
    for bound in found.bounds[:3]:
        terms = [t for t in found.terms if t.at == 1 and t.exponent < bound.beta]

        def quotient(y: Any, terms: list[Any] = terms, bound: Any = bound) -> Any:
            value = mp.im(kappa(1 + y * y, mp.mpc(0, -y)))
            for t in terms:
                e = mp.mpf(t.exponent.p) / t.exponent.q
                value += exact(t.coefficient.mid()) * mp.sin(mp.pi * e) * y ** (2 * e)
            return value / y ** (2 * mp.mpf(bound.beta.p) / bound.beta.q)

        truth = largest(quotient, mp.mpf(1) / 20, mp.sqrt(mp.cosh(height) - 1), 200)
        assert truth * (1 - mp.mpf(10) ** -6) <= high(bound.plus) <= 1.4 * truth


def test_terms_that_are_not_integrable_are_refused() -> None:
    for d, exponent, fine in (
        (3, Rational(-99, 100), True),
        (3, S.NegativeOne, False),
        (2, Rational(-1, 2), False),
    ):
        made = core.Core(u, (None, None), (core.EndTerm(1, exponent, 0, arb(1)),), (), core.USUAL)
        if fine:
            core.require_integrable(made, d)
        else:
            with pytest.raises(AsymptokError, match="integrable"):
                core.require_integrable(made, d)


def test_which_bounds_are_of_use() -> None:
    for power, use in ((4001, False), (3999, True)):
        size = arb(2) ** power
        for sides in ((size, arb(0), arb(0)), (arb(0), size, arb(0)), (arb(0), arb(0), size)):
            assert core.Bound(None, *sides, fmpq(1)).is_of_use is use


# ------------------------------------------------------------------------------------------------- flat ends


def test_the_contour_along_two_rays() -> None:
    """|q_k(-1 + x e^(i pi/3))| <= 2^max(0, d-3) q_k(1 + x/4), and what bounds for kappa^(n) say about kappa."""
    for d in (2, 3, 4, 5, 8):
        for x in (mp.mpf("0.1"), mp.mpf("0.7"), mp.mpf("1.5")):
            z = 1 + x * mp.expj(2 * mp.pi / 3)
            assert abs(second_kind(3, d, z)) <= 2 ** max(0, d - 3) * second_kind(3, d, 1 + x / 4)
    for d, n, k, b in ((3, 2, 6, mp.mpf("3.5")), (2, 1, 4, mp.mpf("1.5"))):
        product = mp.fprod(d + 2 * i for i in range(n))
        back = mp.gamma(b - n + 1) / mp.gamma(b + 1)
        assert abs(moment(b - n, k - n, d + 2 * n) / product / (back * moment(b, k, d)) - 1) < 1e-20
        fall = sympy.Rational(str(b))
        assert encloses(1 / flat._falling(fall, n), back)
        h = mp.mpf(1)
        deep = amplitude(k - n, d + 2 * n) * series(d + 2 * n, h) * mp.exp(-(k - n + 1) * h) / product
        allowed = mp.cosh(h) ** n * mp.factorial(k - n) / mp.factorial(k) * amplitude(k, d) * series(d, h)
        assert deep <= allowed * mp.exp(-(k + 1) * h) * mp.exp(n * h) * mp.cosh(h) ** 0


@pytest.mark.parametrize("first", [0, 1, 3])
def test_what_is_left_of_a_series_beside_a_flat_end(first: int) -> None:
    """sup |sum_(j >= first) g_j (-x)^(j-first)|, g = (2-t)^(1/3) exp(-1/(2-t)), and Cauchy's estimate beyond."""
    groups = [(S.One, {(S.Half, Rational(1, 3)): S(2)})]
    length = fmpq(1, 2)
    with mp.workdps(40):
        g = lambda t: 2 * (2 - t) ** (mp.mpf(1) / 3) * mp.exp(-1 / (2 - t))
        taylor = mp.taylor(g, 0, 4)

        def rest(x: Any) -> Any:
            return (g(-x) - sum(c * (-x) ** j for j, c in enumerate(taylor[:first]))) / x**first

        truth = largest(rest, mp.mpf(1) / 1000, mp.mpf(1) / 2)
    found = flat._Series(groups, length, 60)
    assert found.start == S.Half
    assert truth <= high(found.bound(first)) <= 1.02 * truth
    # few coefficients: the rest counts, by values on |t| = 7/4
    few = flat._Series(groups, length, first + 1)
    most = 2 * (mp.mpf(15) / 4) ** (mp.mpf(1) / 3)
    assert bounds(few.size, most)
    ratio = mp.mpf(2) / 7
    tail = most / mp.mpf("1.75") ** first * ratio / (1 - ratio)
    assert bounds(few.bound(first), abs(taylor[first]) + tail, 1.000001)
    negative = flat._Series([(S.One, {(S.Half, Rational(-1, 3)): S(2)})], length, 4)
    assert bounds(negative.size, 2 * mp.mpf(4) ** (mp.mpf(1) / 3))  # the smallest distance counts


def rays(d: int, order: int, powers: dict[Any, Any], rate: Any, reach: Any) -> flat._Flat:
    made = object.__new__(flat._Flat)
    made.form = SimpleNamespace(order=order)  # type: ignore[assignment]
    made.d, made.order, made.reach = d, order, reach
    made.groups = {(sympy.sympify(rate), S.Zero): powers}
    return made


@pytest.mark.parametrize(("d", "order"), [(2, 0), (3, 0), (3, 1), (5, 2)])
@pytest.mark.parametrize(
    ("p", "q", "rate"), [(S.Half, S.Zero, 1), (Rational(-1, 2), Rational(1, 2), 8), (S(2), S(-1), 1)]
)
def test_what_the_rays_add(d: int, order: int, p: Any, q: Any, rate: int) -> None:
    """2^max(0, d'-3) 4^(b+1) sup |1-u|^p |1+u|^(q-b) e^(-A/(2x)) along u = -1 + x e^(i pi/3), d' = d + 2n."""
    beta, reach = Rational(3, 2), arb(fmpq(6, 5))
    found = rays(d, order, {(p, q): S(3)}, rate, reach)._rays(-1, arb(fmpq(3, 2)))
    widest = mp.mpf(6) / 5
    value = lambda e: mp.mpf(e.p) / e.q
    power = lambda x: x ** value(q - beta) * mp.exp(-mp.mpf(rate) / (2 * x))
    here = largest(power, mp.mpf(1) / 1000, widest, 2000)
    side = largest(lambda x: abs(2 - x * mp.expj(mp.pi / 3)) ** value(p), mp.mpf(0), widest, 400)
    factor = 2 ** max(0, d + 2 * order - 3) * mp.mpf(4) ** (mp.mpf("1.5") + 1)
    truth = 3 * side * here * factor
    assert truth * (1 - mp.mpf(1) / 1000) <= high(found) <= 1.001 * truth
    assert rays(d, order, {(p, q): S(3)}, rate, reach)._rays(1, arb(fmpq(3, 2))) == 0


def test_exponents_of_bounds_beside_flat_ends() -> None:
    assert flat._halves(S(-1), 3) == [Rational(-1, 2), S.Half, Rational(3, 2)]
    assert flat._halves(S.Half, 2) == [Rational(3, 2), Rational(5, 2)]
    assert flat._halves(S.One, 1) == [Rational(3, 2)]


# ----------------------------------------------------------------------------------- poles and branch points


@pytest.mark.parametrize(("z", "beta"), [("2", Rational(5, 2)), ("2*I", Rational(1, 2)), ("1/2+I", S(3))])
def test_what_is_left_on_an_arc(z: str, beta: Any) -> None:
    location = sympy.sympify(z)
    arc = poles.Arc(location, beta, arb(7), fmpq(9, 4))
    place = mp.mpmathify(complex(location))
    start = mp.log(abs(place + mp.sqrt(place - 1) * mp.sqrt(place + 1)))
    e, count = mp.mpf(beta.p) / beta.q, 1 if location.is_real else 2
    for d in (2, 3, 7):
        truth = 7 / mp.pi * count * series(d, start) * mp.cosh(mp.mpf(9) / 4) ** (e + 1) * mp.gamma(e + 1)
        assert bounds(poles.arc_factor(arc, d), truth, 1 + 1e-9)
        for k in (4, 50):
            here = truth * amplitude(k, d) * mp.exp(-(k + 1) * start) / mp.mpf(k + 1) ** (e + 1)
            assert bounds(poles.arc_bound(arc, k, d), here, 1 + 1e-9)


def test_poles_and_what_they_leave_on_the_ellipse() -> None:
    """exp(u)/(1+u^2): the residues at +-i, and G = (1/pi) int |R sin|."""
    found = poles.meromorphic(exp(u) / (1 + u**2), (fmpq(3, 2),))
    (pole,), ((curve, height),) = found.poles, found.bounds
    assert pole.location == sympy.I and pole.exponent == -1 and height == fmpq(3, 2)
    # c/(i-u) + conjugate
    c = -mp.expj(1) / 2j
    assert encloses(pole.coefficient.real, c.real, 15) and encloses(pole.coefficient.imag, c.imag, 15)

    def rest(x: Any) -> Any:
        z = half_plane(x, mp.mpf("1.5"))
        value = mp.exp(z) / (1 + z * z) - c / (1j - z) - mp.conj(c) / (-1j - z)
        return abs(value * mp.sin(mp.mpc(x, "1.5")))

    assert bounds(curve, mp.quad(rest, [0, 1, 2, mp.pi]) / mp.pi, 1.2)


@pytest.mark.parametrize("logs", [False, True])
def test_the_disc_of_a_branch_point(logs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """K = max |h - sum|/|w|^N on the circle around theta_0, and h_n with the error of the trapezoidal rule."""
    monkeypatch.setattr(poles, "_TERMS", 2)
    factor = log(2 - u) if logs else sqrt(2 - u)
    (summand,) = poles.summands_of(exp(u) * factor)
    (root,) = summand.roots
    wide = poles._discs(summand, root, core.USUAL)
    theta = 1j * mp.log(2 + mp.sqrt(3))
    h = lambda x: mp.exp(x)
    for found in (wide[0], wide[4]):
        assert len(found.taylor) == 2
        for n, c in enumerate(found.taylor):
            truth = mp.exp(2) * (-1) ** n / mp.factorial(n)
            assert low(c.real) <= truth <= high(c.real)
        coefficients = [mp.exp(2) * (-1) ** n / mp.factorial(n) for n in range(2)]

        def quotient(a: Any, radius: Any = exact(found.radius.mid()), c: Any = coefficients) -> Any:  # noqa: B008
            x = mp.cos(theta + radius * mp.expj(a))
            return abs(h(x) - sum(c[n] * (2 - x) ** n for n in range(2))) / abs(2 - x) ** 2

        truth = largest(quotient, 0, 2 * mp.pi, 256)
        assert truth <= high(found.size) <= 1.8 * truth
    # |sin(pi q)| K, or pi K
    _, arc = poles._expanded(summand, root, fmpq(3, 2), wide[:1])
    assert arc is not None and arc.beta == (2 if logs else Rational(5, 2))
    assert bounds(arc.size, high(wide[0].size) * (mp.pi if logs else 1))
    weak = Summand(S.One, arb(1), (Root(S(2), Rational(1, 6)),), False)
    _, arc = poles._expanded(weak, weak.roots[0], fmpq(3, 2), wide[:1])
    assert arc is not None and bounds(arc.size, high(wide[0].size) / 2)


def test_the_error_of_a_coefficient() -> None:
    """2^-P/(1-2^-P) times the largest |h du/dtheta/w^(n+1)| r on the circle."""
    points, radius, count = 16, mp.mpf(2), 3
    box = lambda z: acb(arb(z.real.__str__()), arb(z.imag.__str__()))
    circle = [(acb(3), box(radius * mp.expj(2 * mp.pi * i / 32)), acb(1)) for i in range(32)]
    values = [
        (
            box(mp.expj(2 * mp.pi * i / points)),
            acb(3),
            box(radius / 2 * mp.expj(2 * mp.pi * i / points)),
            acb(1),
        )
        for i in range(points)
    ]
    for n in range(count):
        found = poles._coefficient(n, values, circle, arb(2), 1)
        error = 3 / radius ** (n + 1) * radius / (2**points - 1)
        assert abs(exact(found.real.rad()) / error - 1) < 0.001
        assert found.real.contains(3 if n == 0 else 0)


# ------------------------------------------------------------------------------------ far out; divided contours


def test_a_step_of_the_recurrence() -> None:
    for d, k, nu in ((2, 5, fmpq(1, 2)), (5, 9, fmpq(7, 3)), (3, 4, fmpq(-1, 4))):
        e = mp.mpf(int(nu.p)) / int(nu.q)
        truth = mp.gamma(k + 2 - e) / mp.gamma(k + 2 + e + d - 1) * mp.gamma(k + e + d - 1) / mp.gamma(k - e)
        assert encloses(far._step(k, d, arb(nu)), truth)
    # mu_k of t^(1/2+x) to the first power of x, at 7 from its values at 5
    law = lambda k: lambda x: -mp.sin(mp.pi * (x + 0.5)) * moment(x + mp.mpf(1) / 2, k, 3)
    jet = [arb(str(c)) for c in mp.taylor(law(5), 0, 1)]
    with flint_precision(80):
        found = far._stepped(arb_poly(jet), 5, 3, arb(fmpq(1, 2)))
    for i, truth in enumerate(mp.taylor(law(7), 0, 1)):
        assert abs(exact(found[i].mid()) / truth - 1) < mp.mpf(10) ** -18


def test_enclosures_far_out_are_those_of_their_terms() -> None:
    """Laplace at the degrees around which the recurrence starts afresh, against the sum of its powers."""
    found = far.far_eigenvalues(exp(-sqrt(1 - u)), 3, [400, 402, 466, 468], 90)
    for k, value in found.items():
        with mp.workdps(50):
            powers = [(n, moment(mp.mpf(n) / 2, k, 3) / mp.factorial(n)) for n in range(1, 40, 2)]
            truth = mp.fsum((-1) ** ((n - 1) // 2) * size for n, size in powers)
        assert low(value.ball) <= truth <= high(value.ball) and value.ball.rel_accuracy_bits() >= 90
    assert len(found) == 4


@pytest.mark.slow
def test_a_contour_divided_at_a_point() -> None:
    """|u - 1/3| sqrt(1-u^2): K on both sides of the line, G with the branch of each side."""
    found = inside.inside(sympy.Abs(u - Rational(1, 3)) * sqrt(1 - u**2), 2, 3, heights=(fmpq(1, 2),))
    place, height = mp.mpf(1) / 3, mp.mpf(1) / 2
    root = lambda z: mp.sqrt(1 - z) * mp.sqrt(1 + z)
    taylor = mp.taylor(root, place, 3)
    # the jump at the point: 2 (u-p) sqrt(1-u^2), with its terms up to (u-p)^2
    rest = found.rests[0]
    assert rest.count == 3
    left = lambda z: 2 * ((z - place) * root(z) - sum(taylor[n] * (z - place) ** (n + 1) for n in (0, 1)))
    line = largest(
        lambda y: left(mp.cos(mp.mpc(mp.acos(place), y))) / (mp.cos(mp.mpc(mp.acos(place), y)) - place) ** 3,
        mp.mpf(1) / 50,
        height,
    )
    assert line <= high(rest.size) <= 4 * line
    bound = found.core.bounds[-1]
    terms = [
        (t.at, mp.mpf(t.exponent.p) / t.exponent.q, exact(t.coefficient.mid())) for t in found.core.terms
    ]

    def on_curve(x: Any) -> Any:
        z = half_plane(x, height)
        half = mp.mpc(x, height) / 2
        ends = {1: mp.sqrt(2) * mp.sin(half), -1: mp.sqrt(2) * mp.cos(half)}
        right = x < mp.acos(place)
        value = ends[1] * ends[-1] * (z - place) * (1 if right else -1)
        value -= sum(c * ends[at] ** (2 * e) for at, e, c in terms if e < mp.mpf(bound.beta.p) / bound.beta.q)
        if right:
            value -= 2 * sum(taylor[n] * (z - place) ** (n + 1) for n in (0, 1))
        return abs(value * mp.sin(mp.mpc(x, height)))

    integral = mp.quad(on_curve, [0, mp.acos(place), 2, mp.pi]) / mp.pi
    assert integral <= high(bound.curve) <= 1.4 * integral


@pytest.mark.parametrize("places", [("1/3",), ("-9/10",), ("-1/2", "1/4", "1/2")])
@pytest.mark.parametrize("room", [0, 2, 6])
def test_lines_on_both_sides_of_every_point(places: tuple[str, ...], room: int) -> None:
    """They lie between a point and its neighbours (or the ends, without room), so far from it as the room says."""
    made = [Rational(p) for p in places]
    found = inside._Contour(made, [u**i for i in range(len(made) + 1)], 2)._cuts(room)
    angles = [mp.acos(number_of(p)) / mp.pi for p in made]
    around = [mp.mpf(1), *angles, mp.mpf(0)] if room else [1] * (len(made) + 2)
    for i, (right, left) in enumerate(found):
        part, before, after = max(2, room), around[i] if room else 1, around[i + 2] if room else 0
        for line, neighbour in ((right, after), (left, before)):
            place = mp.mpf(int(line.p)) / int(line.q)
            assert abs(place - angles[i] - (neighbour - angles[i]) / part) <= mp.mpf(2) / 4096
        assert number_of(Rational(int(right.p), int(right.q))) < angles[i] < mp.mpf(int(left.p)) / int(left.q)


def number_of(x: Any) -> Any:
    return mp.mpf(int(x.p)) / int(x.q)


def test_branches_and_powers_on_a_divided_contour() -> None:
    """Sums of products of powers of side (u - p) with analytic functions; powers are real on their side of p."""
    kernel = sympy.Abs(u - Rational(1, 3)) ** sqrt(2) * (exp(u) + 2) + 3 * u**2
    places, branches = gaps_of(kernel)
    made = inside._Contour(places, branches, 2)
    for j, theta in ((0, mp.mpc("2.3", "0.25")), (1, mp.mpc("0.75", "0.25"))):
        z = mp.cos(theta)
        side = 1 if j else -1
        truth = (side * (z - mp.mpf(1) / 3)) ** mp.sqrt(2) * (mp.exp(z) + 2) + 3 * z**2
        sample = StripSample.of(acb(arb(mp.nstr(theta.real, 20)), arb(mp.nstr(theta.imag, 20))))
        value = made._sum(made.gaps[j])(sample)
        assert encloses(value.real, truth.real) and encloses(value.imag, truth.imag)
    for side, e, j, theta in (
        (1, "3/2", 2, mp.mpc(1, "0.5")),
        (-1, "-1/3", 1, mp.mpc(2, "0.5")),
        (1, "0", 1, 1),
    ):
        term = waves.InnerTerm(Rational(1, 3), Rational(e), side, S.One, j)
        z, theta = mp.cos(theta), mp.mpc(theta)
        x = side * (z - mp.mpf(1) / 3)
        truth = x ** number_of(Rational(e)) * mp.log(x) ** j
        point = StripSample.of(acb(arb(mp.nstr(theta.real, 20)), arb(mp.nstr(theta.imag, 20)))).u
        value = inside._power(point, term, term.exponent)
        assert encloses(value.real, truth.real) and encloses(value.imag, truth.imag)


def test_a_polynomial_beside_a_power_leaves_nothing() -> None:
    """(u^3 - u) (u-p)_+^nu is a finite sum of powers: the terms are all of it."""
    part = InnerPart(Rational(1, 3), S.Half, -1, u**3 - u)
    terms, taylor = inside.expanded(part, 3)
    assert taylor is None
    for z in (mp.mpf("-0.7"), mp.mpf("0.2")):
        x = mp.mpf(1) / 3 - z
        total = mp.fsum(number_of(t.coefficient) * x ** number_of(t.exponent) for t in terms)
        assert abs(total - (z**3 - z) * mp.sqrt(x)) < mp.mpf(10) ** -25
    assert inside.expanded(part, 2)[1] is not None


def test_the_order_of_a_zero_inside() -> None:
    for f, place, order in (
        (1 - cos(u), S.Zero, 2),
        ((3 * u - 1) ** 3 * exp(u), Rational(1, 3), 3),
        (sin(u), S.Zero, 1),
    ):
        assert removable._order(f, place) == order
