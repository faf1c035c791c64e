"""Every bound that the laws use for all later degrees, against mpmath: docs/constants-of-bounds.md."""

# short functions of one letter, each used where it stands
# ruff: noqa: B023, E731
from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import mpmath as mp
import pytest
import sympy
from flint import acb, arb, fmpq
from outward import bounds, encloses, exact, high, low
from sympy import Integer, Rational, S, besselk, cos, cosh, exp, log, sin, sinh, sqrt
from test_docs_formulas import eigenvalue

from asymptok import Kernel
from asymptok.laws import (
    flatness,
    geometric,
    inner_sizes,
    orders,
    oscillation,
    point_terms,
    stretched,
    taylor_signs,
)
from asymptok.laws.exponential_sums import Term, exponential_sum, falling, spread
from asymptok.laws.leading_exponentials import Frame, derivatives_nonnegative, leading_part
from asymptok.laws.numeric import BallGroup, contribution, log_size, term_balls
from asymptok.precision import flint_precision
from asymptok.symbols import u

TINY = mp.mpf(10) ** -20


@pytest.fixture(autouse=True)
def _precision() -> Iterator[None]:
    with mp.workdps(30), flint_precision(160):
        yield


def number(x: Any) -> Any:
    return mp.mpf(int(sympy.sympify(x).p)) / int(sympy.sympify(x).q)


def as_ball(x: Any) -> arb:
    return arb(fmpq(int(sympy.sympify(x).p), int(sympy.sympify(x).q)))


# --------------------------------------------------------------------------------------------- points inside


def frame(k: int, d: int, place: Any, nu: Any) -> Any:
    """C(nu) Gamma(k-nu)/Gamma(k+d/2)."""
    lam, sine = mp.mpf(d - 2) / 2, mp.sqrt(1 - place * place)
    size = mp.gamma(mp.mpf(d) / 2) * 2**lam / mp.pi * mp.gamma(nu + 1) * sine ** (nu + lam)
    return size * mp.gamma(k - nu) / mp.gamma(k + mp.mpf(d) / 2)


def shape(k: int, d: int, place: Any, nu: Any) -> Any:
    """F(nu), the 2F1 of the law."""
    lam, sine = mp.mpf(d - 2) / 2, mp.sqrt(1 - place * place)
    order = nu + lam + mp.mpf(1) / 2
    return mp.hyp2f1(0.5 + order, 0.5 - order, k + lam + 1, mp.mpc(0.5, -place / (2 * sine)))


def one_side(k: int, d: int, place: Any, nu: Any, side: int) -> Any:
    """mu_k of (side (u-p))_+^nu."""
    if side < 0:
        return (-1) ** k * one_side(k, d, -place, nu, 1)
    lam, theta = mp.mpf(d - 2) / 2, mp.acos(place)
    wave = mp.expj((k + lam) * theta - mp.pi / 4 - (nu + lam + mp.mpf(1) / 2) * mp.pi / 2)
    return frame(k, d, place, nu) * mp.re(wave * shape(k, d, place, nu))


@pytest.mark.parametrize(("d", "place", "nu"), [(2, "1/3", "1/2"), (3, "-4/5", "-1/2"), (6, "0", "5/2")])
def test_the_frame_of_a_point_inside(d: int, place: str, nu: str) -> None:
    """C, and e >= |2F1 - 1| for this and all later degrees, also for complex exponents."""
    p, e = number(place), number(nu)
    for k in (6, 40):
        size, found = point_terms.inner_frame(k, d, as_ball(place), as_ball(nu))
        assert encloses(size, frame(k, d, p, e) * mp.gamma(k + mp.mpf(d) / 2) / mp.gamma(k - e))
        truth = max(abs(shape(j, d, p, e) - 1) for j in (k, k + 1, 2 * k, 9 * k))
        assert truth * (1 - mp.mpf(10) ** -20) <= high(found)
        assert k == 6 or high(found) <= 1.6 * truth + mp.mpf(10) ** -20
        _, wide = point_terms.inner_frame(k, d, as_ball(place), as_ball(nu), fmpq(1, 4))
        turns = [shape(k, d, p, e + mp.expj(2 * mp.pi * i / 24) / 4) for i in range(24)]
        assert max(abs(x - 1) for x in turns) <= high(wide) <= 4 * max(abs(x - 1) for x in turns)


@pytest.mark.parametrize("nu", ["-9/10", "-1/2", "0", "3/2"])
@pytest.mark.parametrize("k", [2, 7, 100])
def test_the_majorant_of_the_derivatives_in_the_exponent(k: int, nu: str) -> None:
    """Coefficients of C(nu+x) Gamma(j-nu-x)/(C(nu) Gamma(j-nu)), j >= k; psi(j-nu) <= log j + max(0, -nu)/k."""
    e, place, top = number(nu), mp.mpf(3) / 5, 3
    if mp.psi(0, k - e) <= 0:  # then there is no bound
        powers = {1: (S.One, S.Zero)}
        assert inner_sizes.inner_size(k, 3, Rational(3, 5), sympy.sympify(nu), powers) is None
        return
    found = inner_sizes._growth(k, as_ball("3/5"), as_ball(nu), top)
    slope = abs(mp.psi(0, e + 1) + mp.log(mp.sin(mp.acos(place)))) + max(-e, 0) / k
    assert encloses(found[1][0], slope) and found[1][1] == 1 and found[0][0] == 1
    for j in (k, k + 1, 3 * k, 50 * k):
        assert mp.psi(0, j - e) <= mp.log(j) + max(-e, 0) / k

        def quotient(x: Any, j: int = j) -> Any:
            logs = mp.loggamma(e + 1 + x) - mp.loggamma(e + 1) + mp.loggamma(j - e - x) - mp.loggamma(j - e)
            return mp.exp(logs + x * mp.log(mp.sin(mp.acos(place))))

        for n, c in enumerate(mp.taylor(quotient, 0, top)):
            value = high(found[n](arb(j).log()))
            assert abs(c) <= value * (1 + mp.mpf(10) ** -15)
    # the coefficients beyond the first: sum of |log Gamma|'s, taken at k
    later = [mp.psi(n - 1, e + 1) / mp.factorial(n) for n in (2, 3)]
    later = [abs(x) + abs(mp.psi(n - 1, k - e)) / mp.factorial(n) for n, x in zip((2, 3), later, strict=True)]
    assert encloses(found[2][0], slope**2 / 2 + later[0], 15)
    assert encloses(found[3][0], slope**3 / 6 + slope * later[0] + later[1], 15)
    assert encloses(found[3][1], slope**2 / 2 + later[0], 15)


def test_waves_of_both_sides() -> None:
    """Z_j(x) = c_+ e^(-i pi (nu+1+x)/2) + c_- e^(i pi (nu+1+x)/2)."""
    for nu, left, right in ((Rational(1, 3), S(2), S(-5)), (S.One, S.One, S(3)), (S.Zero, S.One, S.One)):
        e = number(nu)
        wave = lambda x, e=e, a=int(left), b=int(right): (
            b * mp.expj(-mp.pi * (e + 1 + x) / 2) + a * mp.expj(mp.pi * (e + 1 + x) / 2)
        )
        for z, truth in zip(inner_sizes._waves(nu, (left, right), 3), mp.taylor(wave, 0, 3), strict=True):
            assert encloses(z.real, truth.real, 12) and encloses(z.imag, truth.imag, 12)
    # |u|^1 and sign(u): what cancels is known exactly
    assert [inner_sizes._cancels(S.One, S.One, S.One, n) for n in range(3)] == [False, True, False]
    assert [inner_sizes._cancels(S.One, S(-1), S.One, n) for n in range(3)] == [True, False, True]
    assert inner_sizes.inner_logs(S.One, {2: (S(-1), S.One)}) == 1


@pytest.mark.parametrize(
    ("nu", "powers", "slack"),
    [
        ("-1/2", {0: ("0", "1")}, 1.3),
        ("1", {0: ("1", "1")}, 1.3),
        ("0", {1: ("1", "1")}, 1.3),
        ("1/2", {1: ("0", "1"), 0: ("2", "-1")}, 1.6),
        ("-9/10", {1: ("1", "-1")}, 4),
    ],
)
def test_how_large_the_terms_of_a_point_are(nu: str, powers: dict[int, Any], slack: float) -> None:
    """|mu_j| <= Gamma(j-nu)/Gamma(j+d/2) p(log j) for all j >= k, and p is no waste; derivatives by differences."""
    k, d, place, e = 60, 3, number("1/3"), number(nu)
    pairs = {j: tuple(sympy.sympify(c) for c in pair) for j, pair in powers.items()}
    p = inner_sizes.inner_size(k, d, Rational(1, 3), sympy.sympify(nu), pairs)
    assert p is not None
    best = mp.mpf(0)
    for j in (*range(k, k + 8), 2 * k, 2 * k + 1, 30 * k, 30 * k + 1):
        total = mp.mpf(0)
        for power, pair in pairs.items():
            for side, c in zip((-1, 1), pair, strict=True):
                if c != 0:
                    h = mp.mpf(10) ** -10
                    f = [one_side(j, d, place, e + i * h, side) for i in ((-1, 1) if power else (0,))]
                    total += number(c) * ((f[1] - f[0]) / (2 * h) if power else f[0])
        share = abs(total) * mp.gamma(j + mp.mpf(d) / 2) / mp.gamma(j - e) / high(p(arb(j).log()))
        assert share <= 1 + mp.mpf(10) ** -9
        best = max(best, share)
    assert best * slack >= 1
    assert inner_sizes.inner_size(1, d, Rational(1, 3), S.One, {0: (S.One, S.One)}) is None


@pytest.mark.parametrize("powers", [{0: (2, -1)}, {0: (2, -1), 1: (0, 3)}, {2: (1, 1), 0: (4, 0)}])
def test_the_parts_of_that_polynomial(powers: dict[int, Any]) -> None:
    """C sum_j j! [x^j] |Z_j|(x) W(x) (1 + e + e_r (x/r + x^2/r^2 + ...)), e and e_r the spreads at k."""
    k, d, nu, top = 5, 3, S.Half, max(powers)
    place = as_ball("1/3")
    pairs = {j: (S(a), S(b)) for j, (a, b) in powers.items()}
    found = inner_sizes.inner_size(k, d, Rational(1, 3), nu, pairs)
    assert found is not None
    size, spread = point_terms.inner_frame(k, d, place, as_ball(nu))
    wide = high(point_terms.inner_frame(k, d, place, as_ball(nu), fmpq(1, 4))[1])
    gauss = [1 + high(spread), *(wide * 4**n for n in range(1, top + 1))]
    growth = inner_sizes._growth(k, place, as_ball(nu), top)
    truth = [mp.mpf(0)] * (top + 1)
    for j, pair in pairs.items():
        waves = [abs(mp.mpc(high(z.real), high(z.imag))) for z in inner_sizes._waves(nu, pair, j)]
        for a in range(j + 1):
            for b in range(j + 1 - a):
                for i in range(j - a - b + 1):
                    share = waves[a] * gauss[b] * high(growth[j - a - b][i])
                    truth[i] += mp.factorial(j) * share * high(size)
    assert len(found) == top + 1 and all(bounds(c, x, 1 + 1e-9) for c, x in zip(found, truth, strict=True))


def test_the_difference_for_a_logarithm() -> None:
    for d, place, nu, j in ((2, "1/4", "-3/4", 1), (3, "-1/2", "1/2", 2), (3, "0", "0", 1)):
        with flint_precision(80):
            found = point_terms.inner_log_term(6, d, sympy.sympify(place), sympy.sympify(nu), j)
        with mp.workdps(60):
            truth = mp.diff(lambda x: one_side(6, d, number(place), x, 1), number(nu), j)
        assert encloses(found, truth, 16)


@pytest.mark.parametrize(("d", "place"), [(2, "1/4"), (2, "-3/5"), (3, "1/4"), (7, "0")])
def test_the_mean_of_a_power(d: int, place: str) -> None:
    p = number(place)
    sphere = mp.gamma(mp.mpf(d) / 2) / mp.sqrt(mp.pi) / mp.gamma(mp.mpf(d - 1) / 2)
    for least, most in (("-1/2", "0"), ("-9/10", "1/2"), ("1/2", "3/2")):
        found = high(point_terms._largest_mean(d, as_ball(place), as_ball(least), as_ball(most)))
        reach, bottom = (1 - p) / 2, number(least)
        for e in (bottom, number(most)):
            theta = mp.acos(p)
            # in y = (theta_0 - x)^(e+1) the power is no pole
            inner = lambda y, e=e: (
                abs((mp.cos(theta - y ** (1 / (e + 1))) - p) / y ** (1 / (e + 1))) ** e
                * mp.sin(theta - y ** (1 / (e + 1))) ** (d - 2)
                / (e + 1)
            )
            assert sphere * mp.quad(inner, [0, theta ** (e + 1) / 2, theta ** (e + 1)]) <= found
        truth = mp.mpf(2) ** max(number(most), 0)
        if bottom < 0:
            weight = 1 / mp.sqrt(reach * (1 + p)) if d == 2 else 1
            truth += reach**bottom + sphere * weight * reach ** (bottom + 1) / (bottom + 1)
        assert abs(found / truth - 1) < mp.mpf(10) ** -20


# ----------------------------------------------------------------------------------------- the series of 2F1


def test_the_distance_of_1_from_a_segment() -> None:
    for z in (
        mp.mpc(0.5, 0.5),
        mp.mpc(0.5, -3),
        mp.mpc(-2, 1),
        mp.mpc(0.9, 0.05),
        mp.mpc(3, 1),
        mp.mpc(0.3, 0),
    ):
        truth = min(abs(1 - z * mp.mpf(i) / 1000) for i in range(1001))
        found = point_terms._distance(acb(arb(str(z.real)), arb(str(z.imag))))
        assert truth - mp.mpf(10) ** -3 * abs(z) <= exact(found.mid()) <= truth + mp.mpf(10) ** -25


def test_that_distance_is_rounded_down() -> None:
    for z in (mp.mpc(0.5, 0.375), mp.mpc(0.625, -3), mp.mpc(0.8125, 0.0625), mp.mpc(3, 1)):
        truth = abs(z.imag) / abs(z) if z.real < abs(z) ** 2 else abs(1 - z)
        with flint_precision(10):
            found = point_terms._distance(acb(float(z.real), float(z.imag)))
        assert truth * 0.99 < exact(found) <= truth


def test_the_rest_of_the_series() -> None:
    """|sum of the terms from the J-th on| <= |J-th term| delta^(-a-J)."""
    a, b, c, z = mp.mpf("0.7"), mp.mpf("0.4"), mp.mpf(9), mp.mpc("0.5", "-0.8")
    delta = abs(z.imag) / abs(z)
    for j in (1, 4, 9):
        term = mp.rf(a, j) * mp.rf(b, j) / mp.rf(c, j) / mp.factorial(j) * z**j
        truth = abs(
            mp.nsum(lambda n: mp.rf(a, n) * mp.rf(b, n) / mp.rf(c, n) / mp.factorial(n) * z**n, [j, mp.inf])
        )
        found = point_terms.rest_of_gauss(arb(str(abs(term))), arb(str(a + j)), arb(str(delta)))
        assert bounds(found, abs(term) * delta ** -(a + j)) and truth <= high(found)


def test_the_spread_of_the_series(monkeypatch: pytest.MonkeyPatch) -> None:
    """sum |terms| below J and the rest from J on, for the best J; with complex exponents e^(pi r) cosh(pi r) more."""
    for k, d, z, nu in ((4, 3, "11/10", "1/2"), (10, 2, "5/4", "-1/2"), (3, 5, "2", "7/3")):
        found = point_terms.outer_spread(k, d, as_ball(z), as_ball(nu))
        b, e, half = number(z), number(nu), mp.mpf(d) / 2
        r = b - mp.sqrt(b * b - 1)
        x = -r * r / (1 - r * r)
        truth = max(abs(mp.hyp2f1(e + half, 1 - e - half, j + half, x) - 1) for j in (k, k + 1, 4 * k))
        assert truth <= high(found) * (1 + mp.mpf(10) ** -20)
        total, term, best = mp.mpf(0), mp.mpf(1), mp.inf
        for j in range(40):
            if j and e + half + j > 0 and 1 - e - half + j > 0:
                best = min(best, total + term)
            total += term if j else 0
            term *= abs((e + half + j) * (1 - e - half + j) / (k + half + j) / (j + 1) * x)
        assert bounds(found, best)
    # few terms, so that the rest counts
    monkeypatch.setattr(point_terms, "_SPREAD", 3)
    z, size = mp.mpc("0.2", "0.1"), abs(mp.mpc("0.2", "0.1"))
    delta = min(abs(1 - z * mp.mpf(i) / 1000) for i in range(1001))
    for r in (mp.mpf(0), mp.mpf("0.25")):
        narrow = point_terms._spread(arb(2), arb("0.3"), arb(9), acb("0.2", "0.1"), arb(str(r)))
        total, term, best = mp.mpf(0), mp.mpf(1), mp.inf
        for j in range(3):
            if j and mp.mpf("0.3") + j > r + 0.5:
                turn = mp.exp(mp.pi * r) * mp.cosh(mp.pi * r)
                best = min(best, total + term * turn * delta ** -(2 + r + j))
            total += term if j else 0
            term *= (2 + j + r) * (mp.mpf("0.3") + j + r) / (9 + j) / (j + 1) * size
        assert bounds(narrow, best, 1 + 1e-9)


def test_the_derivatives_of_the_series_and_their_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """2F1(a-x, b-x; c; z) to x^2 with ten terms: the rest counts, and Cauchy's estimate with e = 1/4."""
    a, b, c, z = mp.mpf(2), mp.mpf("-1.3"), mp.mpf(3), mp.mpf("0.45")
    truth = mp.taylor(lambda x: mp.hyp2f1(a - x, b - x, c, z), 0, 2)
    monkeypatch.setattr(point_terms, "_LONGEST", 1)
    found = point_terms._gauss_jet(arb(2), arb("-1.3"), arb(3), acb("0.45"), 3)
    terms = [
        mp.taylor(
            lambda x, n=n: mp.rf(a - x, n) * mp.rf(b - x, n) / mp.rf(c, n) / mp.factorial(n) * z**n, 0, 2
        )
        for n in range(9)
    ]
    e, most, quotient = mp.mpf("0.25"), mp.mpf(1), mp.mpf(0)
    for n in range(9):
        most *= (abs(a + n) + e) * (abs(b + n) + e) / ((c + n) * (n + 1)) * z
    quotient = z * max(1, (a + 9 + e) / (c + 9)) * max(1, (abs(b) + 9 + e) / 10)
    for i in range(3):
        assert low(found[i].real) <= truth[i] <= high(found[i].real)
        left = abs(truth[i] - sum(t[i] for t in terms))
        assert left <= exact(found[i].real.rad()) * (1 + mp.mpf(10) ** -6)
        assert abs(exact(found[i].real.rad()) / (most / (1 - quotient) / e**i) - 1) < mp.mpf(10) ** -6
    monkeypatch.undo()
    for i, x in enumerate(truth):
        assert encloses(point_terms._gauss_jet(arb(2), arb("-1.3"), arb(3), acb("0.45"), 3)[i].real, x)


@pytest.mark.parametrize(
    ("z", "nu", "logs"), [("2", "1/2", 0), ("-5/4", "-2", 0), ("3/2", "1", 1), ("2", "0", 1)]
)
def test_the_frame_of_a_point_outside(z: str, nu: str, logs: int) -> None:
    """|mu_j((z-u)^nu)| <= C |r|^j Gamma(j-nu)/Gamma(j+d/2) (1 + e) for all j >= k."""
    b, e = abs(number(z)), number(nu)
    for d in (2, 3, 6):
        half, r, k = mp.mpf(d) / 2, b - mp.sqrt(b * b - 1), 12
        size, found = point_terms.outer_frame(k, d, acb(as_ball(z)), as_ball(nu), logs)
        factor = mp.gamma(e + 1) if logs else abs(mp.rgamma(-e))
        truth = (2 * r) ** -e * (1 - r * r) ** (e + half - 1) * mp.gamma(half) * factor
        assert encloses(size, truth, 15)
        kappa = lambda t, b=b, e=e: (b - 1 + t) ** e * (mp.log(b - 1 + t) if logs else 1)
        with mp.workdps(40):
            value = abs(eigenvalue(kappa, k, d))
        share = value / (truth * r**k * mp.gamma(k - e) / mp.gamma(k + half))
        assert (
            abs(share - 1) <= high(found) * (1 + mp.mpf(10) ** -9) + mp.mpf(10) ** -20 and high(found) < 0.5
        )
        mine = point_terms.outer_size(k, d, acb(as_ball(z)), as_ball(nu))
        wave = mp.gamma(1 + e) if e > -1 else abs(mp.rgamma(-e)) + 1
        bare = truth / factor * r**k * mp.gamma(k - e) / mp.gamma(k + half)
        assert abs(exact(mine.mid()) / (bare * wave) - 1) < 0.5 and (logs or high(mine) >= value * 0.999)


# ------------------------------------------------------------------------------------- derivatives at zero


def test_falling_factorials_and_the_spread_of_0f1() -> None:
    assert falling(7, 3) == 210 and falling(3, 3) == 6
    assert encloses(falling(2, -3), mp.mpf(1) / 60)
    for b, x in ((mp.mpf("0.5"), mp.mpf(-1)), (mp.mpf(7), mp.mpf(3))):
        found = high(spread(arb(str(b)), arb(str(x))))
        assert abs(mp.hyp0f1(b, x) - 1) <= found <= 1.3 * abs(mp.hyp0f1(b, abs(x)) - 1) or b < 1
        assert abs(found - mp.expm1(abs(x) / b)) < mp.mpf(10) ** -25


def derivative(term: Term, n: int) -> Any:
    """The n-th derivative at 0 by the power series."""
    p, c, e = number(term.coefficient), number(term.base), term.power
    if n < e or (term.square and (n - e) % 2):
        return mp.mpf(0)
    top = mp.factorial(n)
    if term.square:
        return p * top * c ** ((n - e) // 2) / mp.factorial((n - e) // 2)
    if term.order is None:
        return p * top * c ** (n - e) / mp.factorial(n - e)
    b, x = number(term.order), number(term.shift)
    f = mp.hyp0f1(b + n - e, x) * mp.gamma(b) / mp.gamma(b + n - e)
    return p * top * c ** (n - e) * f / mp.factorial(n - e)


TERMS = [
    Term(S(3), S(-2), 0),
    Term(S(-1), Rational(5, 2), 3),
    Term(S.One, S(2), -1),
    Term(S(2), S(3), 1, Rational(3, 2), S.One),
    Term(S(2), S(-3), 0, S(2), S(-2)),
    Term(S(2), S(3), 2, square=True),
    Term(S(2), S(-1), 0, square=True),
]


@pytest.mark.parametrize("term", TERMS)
def test_terms_of_entire_kernels(term: Term) -> None:
    """Derivatives, their sizes, the quotient of summands of mu_k and what is left of the series of mu_k."""
    half = arb(fmpq(3, 2))
    for n in range(max(term.power, 0), 12):
        truth = derivative(term, n)
        assert encloses(term.derivative(n).real, truth, 15)
        if truth:
            slack = 12 if term.order is not None else 1
            assert bounds(term.size(n), abs(truth), slack)

    def summand(k: int, m: int) -> Any:
        product = mp.fprod(k + mp.mpf("1.5") + i for i in range(m))
        return abs(derivative(term, k + 2 * m)) / (4**m * mp.factorial(m) * product)

    for k in (max(term.power, 0) + term.power % 2, 8 + term.power % 2):
        for m in (1, 4):
            sizes = [
                high(term.size(k + 2 * i))
                / (4**i * mp.factorial(i) * mp.fprod(k + 1.5 + x for x in range(i)))
                for i in range(m, m + 9)
            ]
            found = high(term.quotient(k, m, half))
            steps = [b / a for a, b in pairwise(sizes)]
            assert max(steps) <= found * (1 + mp.mpf(10) ** -9)
            assert found <= steps[0] * (
                4
                if term.square
                else 1.3
                if term.order is not None
                else 1 + mp.mpf(10) ** -9
                if term.power >= 0
                else 2
            )
            rest = term.rest(k, m, half)
            if found < 0.5:
                tail = mp.fsum(summand(k, i) for i in range(m, m + 60)) / (
                    summand(k, m) / abs(derivative(term, k + 2 * m))
                )
                slack = 4 if term.order is not None else 2
                assert tail <= high(rest) <= 2 * slack * abs(derivative(term, k + 2 * m))
                assert bounds(rest, 2 * high(term.size(k + 2 * m)))
            else:
                assert not rest.is_finite()


def by_series(term: Term, k: int, d: int) -> Any:
    scale = mp.gamma(mp.mpf(d) / 2) / mp.gamma(k + mp.mpf(d) / 2) / mp.mpf(2) ** k
    return scale * mp.fsum(
        derivative(term, k + 2 * m) / (mp.mpf(4) ** m * mp.factorial(m) * mp.rf(k + mp.mpf(d) / 2, m))
        for m in range(90)
    )


@pytest.mark.parametrize(
    ("expr", "mine"),
    [
        (exp(2 * u) + u**4, lambda x: mp.exp(2 * x) + x**4),
        (sinh(u) / u, lambda x: mp.sinh(x) / x),
        (u**2 * exp(-3 * u), lambda x: x**2 * mp.exp(-3 * x)),
        (exp(u**2), lambda x: mp.exp(x * x)),
        (cosh(sqrt(u + 2)), lambda x: mp.cosh(mp.sqrt(x + 2))),
    ],
)
def test_eigenvalues_by_derivatives(expr: Any, mine: Any) -> None:
    found = exponential_sum(expr)
    assert found is not None
    for k, d in ((0, 2), (3, 3), (4, 5)):
        assert encloses(found.eigenvalue(k, d), eigenvalue(lambda t: mine(1 - t), k, d, (1.5,)), 12)
        with flint_precision(30):
            coarse = found.eigenvalue(k, d)
        assert coarse.overlaps(found.eigenvalue(k, d)) and coarse.rel_accuracy_bits() > 15


KERNELS = {
    "exp(3u) - 5 exp(u)": exp(3 * u) - 5 * exp(u),
    "u^3 exp(2u) + exp(2u)": u**3 * exp(2 * u) + exp(2 * u),
    "exp(u^2) u^2 + exp(u^2)": exp(u**2) * u**2 + exp(u**2),
    "cosh(sqrt(u+3)) + u^5": cosh(sqrt(u + 3)) + u**5,
    "exp(2u) + u^10 exp(u)/10^7": exp(2 * u) + u**10 * exp(u) / 10**7,
    "(exp(u)-1)/u + cosh(2u)": sympy.expand((exp(u) - 1) / u) + cosh(2 * u),
}


@lru_cache(maxsize=16)
def derivatives_of(name: str) -> tuple[Any, ...]:
    with mp.workdps(40):
        series = {
            "exp(3u) - 5 exp(u)": lambda n: mp.mpf(3) ** n - 5,
            "u^3 exp(2u) + exp(2u)": lambda n: (
                mp.mpf(2) ** n
                + (mp.factorial(n) / mp.factorial(n - 3) * mp.mpf(2) ** (n - 3) if n > 2 else 0)
            ),
            "exp(u^2) u^2 + exp(u^2)": lambda n: (
                0
                if n % 2
                else mp.factorial(n) * (1 / mp.factorial(n // 2) + (1 / mp.factorial(n // 2 - 1) if n else 0))
            ),
            "cosh(sqrt(u+3)) + u^5": lambda n: (
                mp.gamma(0.5) / mp.gamma(0.5 + n) / 4**n * mp.hyp0f1(0.5 + n, 0.75) + 120 * (n == 5)
            ),
            # the second summand grows against the first up to n = 20
            "exp(2u) + u^10 exp(u)/10^7": lambda n: (
                mp.mpf(2) ** n + (mp.factorial(n) / mp.factorial(n - 10) / 10**7 if n > 9 else 0)
            ),
            "(exp(u)-1)/u + cosh(2u)": lambda n: mp.mpf(1) / (n + 1) + (mp.mpf(2) ** n if n % 2 == 0 else 0),
        }[name]
        return tuple(series(n) for n in range(80))


@pytest.mark.parametrize("name", KERNELS)
def test_what_leads_the_derivatives(name: str) -> None:
    """kappa^(n)(0) = c f(n) (1 + r_n), |r_n| <= rest(K) for all n >= K; and no smaller than the truth at K by far."""
    found = exponential_sum(KERNELS[name])
    assert found is not None
    truth = derivatives_of(name)
    for parity in (0, 1):
        part = leading_part(found, parity)
        if part is None:
            assert name.startswith("exp(u^2)") and parity == 1
            continue
        c = high(arb(1) * inner_ball(part.constant))
        for start in (8 + parity, 14 + parity, 20 + parity):
            rest = part.rest(start)
            if rest is None:
                continue
            gaps = [abs(truth[n] / (c * lead(part.lead, n)) - 1) for n in range(start, 60, 2)]
            assert max(gaps) <= high(rest) + mp.mpf(10) ** -12
            assert high(rest) <= 2.2 * gaps[0] + mp.mpf(10) ** -12 or "sqrt" in name
        assert part.rest(max(found.degree, part.lead.power)) is None


def inner_ball(x: Any) -> arb:
    from asymptok.balls import ball

    return ball(x)


def lead(frame: Frame, n: int) -> Any:
    base = mp.mpmathify(sympy.N(frame.base, 40))
    value = base**n * mp.factorial(n) / mp.factorial(n - frame.power)
    if frame.square:
        return value * mp.gamma(mp.mpf(n - frame.power + 1) / 2)
    return value if frame.order is None else value / mp.gamma(number(frame.order) + n - frame.power)


FRAMES = [
    Frame(S(2), 0),
    Frame(S(2), 3),
    Frame(S(3), -1),
    Frame(Rational(1, 4), 0, S.Half),
    Frame(S.One, 1, Rational(3, 2)),
    Frame(S(2), 0, None, True),
    Frame(2 * sqrt(3), 2, None, True),
]


@pytest.mark.parametrize("frame", FRAMES)
def test_sums_and_steps_of_a_frame(frame: Frame) -> None:
    """Bounds for all k >= K of sum f(k+2m)/f(k)/(4^m m! ...), of its quotients and of the steps of F."""
    part = leading_part(exponential_sum(exp(u)), 0)
    assert part is not None
    part = type(part)(frame, S.One, part.piece, (), -1)
    for d, start in ((2, 6), (3, 12), (7, 20)):
        half = mp.mpf(d) / 2

        def summand(k: int, m: int, half: Any = half) -> Any:
            return (
                lead(frame, k + 2 * m)
                / lead(frame, k)
                / (mp.mpf(4) ** m * mp.factorial(m) * mp.rf(k + half, m))
            )

        sums = [mp.fsum(summand(k, m) for m in range(80)) for k in (*range(start, start + 8, 2), 60, 160)]
        upper, lower = part.later(start, d), part.at_least(start, d)
        assert (
            max(sums) * (1 - mp.mpf(10) ** -20) <= high(upper) <= max(sums) * (1.6 if frame.square else 1.35)
        )
        assert low(lower) <= min(sums) * (1 + mp.mpf(10) ** -20)
        assert low(lower) >= (min(sums) * 0.7 if frame.square else mp.mpf(1) - mp.mpf(10) ** -20)
        size = lambda j, half=half: lead(frame, j) / (mp.mpf(2) ** j * mp.gamma(j + half))
        steps = [size(j + 2) / size(j) for j in range(start, start + 30, 2)]
        step = frame.step(start, arb(fmpq(d, 2)))
        if step.is_finite():
            assert max(steps) * (1 - mp.mpf(10) ** -20) <= high(step)
            assert high(step) <= steps[0] * (1 + mp.mpf(10) ** -20 if frame.power >= 0 else 2)
        for m in (0, 3):
            quotients = [summand(j, m + 1) / summand(j, m) for j in range(start, start + 40, 2)] + [
                summand(900, m + 1) / summand(900, m)
            ]
            most, least = (
                frame.quotient(start, m, arb(fmpq(d, 2))),
                frame.least_quotient(start, m, arb(fmpq(d, 2))),
            )
            assert max(quotients) * (1 - mp.mpf(10) ** -20) <= high(most) <= 1.5 * max(quotients)
            assert low(least) <= min(quotients) * (1 + mp.mpf(10) ** -20) and (
                low(least) >= 0.6 * min(quotients) or not frame.square
            )
        assert encloses(part.scale(start, d), mp.gamma(half) * size(start), 15)


@pytest.mark.parametrize("first", FRAMES)
@pytest.mark.parametrize("second", FRAMES)
def test_which_frame_falls_behind(first: Frame, second: Frame) -> None:
    """Where it is said from n on, the quotient decreases in steps of 2; it is said soon where it is so."""
    for n in (4, 5, 9, 16):
        steps = [
            lead(first, j + 2) / lead(first, j) * lead(second, j) / lead(second, j + 2)
            for j in range(n, n + 60, 2)
        ]
        assert encloses(first.over(second, n), lead(first, n) / lead(second, n), 15)
        if first.falls_behind(second, n):
            assert max(steps) <= 1 + mp.mpf(10) ** -20
    order = first.order_against(second)
    late = lead(first, 400) / lead(second, 400) * lead(second, 200) / lead(first, 200)
    assert order.negative == (late < 1 - mp.mpf(10) ** -20) and order.positive == (
        late > 1 + mp.mpf(10) ** -20
    )
    if order.negative:
        assert first.falls_behind(second, 200)


def test_derivatives_that_are_all_nonnegative() -> None:
    for expr, first, answer in (
        (sinh(u), 0, True),
        (exp(3 * u) - 5 * exp(u), 0, False),
        (exp(3 * u) - 5 * exp(u), 2, True),  # 3^n >= 5 from n = 2 on
        (exp(3 * u) - 5 * exp(u), 1, False),
        (exp(u) - u**4 / 24, 0, True),  # the fourth is exactly 0
        (exp(u) - u**4 / 23, 0, False),
        (exp(u) - u**4 / 23, 5, True),
    ):
        found = exponential_sum(expr)
        assert found is not None and derivatives_nonnegative(found, first) is answer


# ---------------------------------------------------------------------------------------- terms at the ends


def test_eigenvalues_of_a_term_in_balls() -> None:
    def law(k: int, d: int) -> Any:
        def f(nu: Any) -> Any:
            size = mp.power(2, nu + d - 2) * mp.gamma(mp.mpf(d) / 2) * mp.gamma(nu + mp.mpf(d - 1) / 2)
            product = mp.fprod(i - nu for i in range(k))  # Gamma(k-nu)/Gamma(-nu)
            return size / mp.sqrt(mp.pi) * product / mp.gamma(k + nu + d - 1)

        return f

    for k, d, nu in ((1, 2, "1/2"), (9, 3, "5/2"), (2, 5, "4"), (7, 4, "2"), (5, 3, "-1/2")):
        with mp.workdps(50):
            truth = [mp.diff(law(k, d), number(nu), j) for j in range(4)]
        for found, value in zip(term_balls(k, d, as_ball(nu), 3), truth, strict=True):
            assert encloses(found, value, 15)
    group = BallGroup(arb(2), 2.0, True, {0: arb(5), 1: arb(3)}, {1: arb(1)})
    with mp.workdps(50):
        slope = mp.diff(law(7, 4), mp.mpf(2))
    assert encloses(contribution(group, 1, 7, 4), 4 * slope, 15)
    assert encloses(contribution(group, -1, 7, 4), 2 * slope, 15)
    # the estimate of sizes is one of the term without its sine
    half = BallGroup(arb(fmpq(1, 2)), 0.5, False, {0: arb(5)}, {})
    assert abs(log_size(half, 1, 50, 3) - float(mp.log(abs(5 * law(50, 3)(mp.mpf(1) / 2))))) < 1e-9


def test_the_constant_outside() -> None:
    """mu_k rho^k k^(nu+d/2) at k = 4000 by the exact law."""
    for nu, d in ((Rational(-1), 3), (Rational(1, 2), 2)):
        found = geometric.GeometricLead(nu, 0, S(2), S(7), 0, False)
        with flint_precision(400):
            value = point_terms.outer_term(4000, d, acb(2), as_ball(nu)).real * (2 + arb(3).sqrt()) ** 4000
            value = 7 * value * arb(4000) ** (as_ball(nu) + arb(fmpq(d, 2)))
        assert abs(exact(value.mid()) / exact(found.constant_ball(d).mid()) - 1) < 0.002
        assert found.exponent(S(d)) == -nu - Rational(d, 2)


def test_the_amplitude_of_a_wave() -> None:
    """limsup |mu_k| k^(d/2+nu) of (u - 1/3)_+^(1/2) by the exact law far out."""
    wave = oscillation.Wave(
        Rational(1, 3), S.Half, 0, ((S.Zero, S.Zero), (S.One, -sympy.pi * Rational(3, 4)))
    )
    for d in (2, 3, 6):
        values = [
            abs(one_side(k, d, mp.mpf(1) / 3, mp.mpf(1) / 2, 1)) * mp.mpf(k) ** (mp.mpf(d) / 2 + 0.5)
            for k in range(3000, 3060)
        ]
        truth = mp.mpmathify(sympy.N(wave.amplitude(Integer(d)), 20))
        assert 0.99 * truth < max(values) < 1.002 * truth


def test_the_law_of_a_strip() -> None:
    """b_n = n^(m-3/2) w sqrt(pi/2) e^(-2 tau sqrt(n)): the sum over n of b_n mu_k(u^n) follows C k^p e^(-c k^(2/3))."""
    law = stretched.Stretched(S.One, stretched.StripLead(S.One, S(2)))
    k, d = 40000, 2
    c, p = mp.mpmathify(sympy.N(law.constant, 30)), mp.mpmathify(sympy.N(law.power(d), 30))
    total = mp.mpf(0)
    peak = (mp.mpf(k) ** 2 / 2) ** (mp.mpf(2) / 3)
    for i in range(-400, 401):  # by the trapezoidal rule in log n, the mean of both parities
        n = peak * mp.exp(mp.mpf(i) / 400 * 2)
        if n < k:
            continue
        logs = (
            mp.loggamma(n + 1) - mp.loggamma((n - k) / 2 + 1) - mp.loggamma((n + k) / 2 + 1) - n * mp.log(2)
        )
        total += mp.exp(logs - 2 * mp.sqrt(n)) * n**-0.5 * 2 * mp.sqrt(mp.pi / 2) * n / 2 * 2 / 400
    truth = total * mp.exp(c * mp.mpf(k) ** (mp.mpf(2) / 3)) * mp.mpf(k) ** -p
    assert abs(truth / mp.mpmathify(sympy.N(law.factor(d), 30)) - 1) < 0.05


# --------------------------------------------------------------------------------- signs of power series


@pytest.mark.parametrize(
    ("expr", "answer"),
    [
        ((2 - u) ** Rational(1, 2), False),
        ((2 - u) ** Rational(-1, 2), True),
        (3 - (2 - u) ** Rational(1, 2), True),
        (3 - (2 - u) ** Rational(3, 2), None),
        (1 - (1 - u) ** Rational(1, 2), True),
        (exp(u) - u**2 / 2, True),
        (exp(u) - 2 * u**2 / 3, False),
        (sympy.asin(u), True),
        (sympy.asin(u - Rational(1, 2)), None),
        (cos(u), False),
        (sin(u) + sinh(u), None),
        (u * (1 - u), False),
        (sympy.atanh(u / 2) - u / 3, True),
        (sympy.atanh(u / 2) - 2 * u / 3, False),
    ],
)
def test_the_signs_of_taylor_coefficients(expr: Any, answer: bool | None) -> None:
    """Said only where the first coefficients have it; and where there is a rule for it, it is said."""
    said = taylor_signs.taylor_coefficients_nonnegative(expr, {}) is not None
    with mp.workdps(60):
        coefficients = mp.taylor(sympy.lambdify(u, expr, "mpmath"), 0, 24)
    true = all(abs(mp.im(c)) < TINY and mp.re(c) > -TINY for c in coefficients)
    assert true or not said
    if answer is not None:
        assert said is answer is true


def test_power_series_of_matern_kernels() -> None:
    """z K_1(z), z = b sqrt(y), has the sign of b: on the other side of its cut it is not real."""
    for b, said in ((3, True), (-3, False), (Rational(1, 2), True)):
        kernel = sqrt(2 - u) * besselk(1, b * sqrt(2 - u))
        assert (taylor_signs.taylor_coefficients_nonnegative(kernel, {}) is not None) is said
        with mp.workdps(20):
            values = [
                mp.sqrt(2 - x) * mp.besselk(1, b * mp.sqrt(2 - x)) for x in (0, mp.mpf("0.1"), mp.mpf("0.2"))
            ]
        if said:
            assert values[0] > 0 and values[1] > values[0] and values[2] - values[1] > values[1] - values[0]
        else:
            assert abs(mp.im(values[0])) > 0.1


@pytest.mark.parametrize(
    ("expr", "z", "nu", "logs", "truth"),
    [
        (sqrt(2 - u) * exp(u), S(2), S.Half, 0, exp(2)),
        ((4 - 2 * u) ** Rational(-3, 2) * cos(u), S(2), Rational(-3, 2), 0, cos(2) / sqrt(8)),
        (u * log(2 - u) ** 2 + log(2 - u) + exp(u), S(2), S.Zero, 2, S(2)),
        (sympy.atan(u) * exp(u), sympy.I, S.Zero, 1, -exp(sympy.I) * sympy.I / 2),
        (1 / (u**2 + 1) ** 2, sympy.I, S(-2), 0, Rational(-1, 4)),
        (exp(u) / (u**2 + 1) + 1 / (3 - u), sympy.I, S(-1), 0, exp(sympy.I) * sympy.I / 2),
    ],
    ids=str,
)
def test_coefficients_at_points_outside(expr: Any, z: Any, nu: Any, logs: int, truth: Any) -> None:
    """c of c (z-u)^nu (log(z-u))^j, also by the quotient next to the point."""
    found = geometric._exact_coefficient(expr, z, nu, logs)
    assert found is not None
    with mp.workdps(60):
        wanted = mp.mpmathify(sympy.N(truth, 40))
        assert abs(mp.mpmathify(sympy.N(found, 40)) - wanted) < mp.mpf(10) ** -35
        if not logs:
            place, step = mp.mpmathify(sympy.N(z, 60)), mp.mpf(10) ** -20
            near = sympy.lambdify(u, expr, "mpmath")(place - step)
            assert abs(near / step ** mp.mpmathify(nu) - wanted) < mp.mpf(10) ** -8


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("exp(-1/(u - 1/2)**2)", (2, Rational(4, 3))),
        ("exp(-3/abs(u + 3/5))", (1, Rational(15, 4))),
        ("exp(-5/(u - 1/3)**4)", (4, 5 * Rational(81, 64))),
        ("exp(-1/(1 - u))", (2, S(2))),
    ],
)
def test_flat_points_in_the_angle(text: str, size: Any) -> None:
    """exp(-c/|u-p|^a) is exp(-b/|theta-theta_0|^a) near theta_0, b = c sin(theta_0)^-a; at an end t = theta^2/2."""
    (found,) = set(flatness.flat_sizes(Kernel(text)))  # of both sides
    assert abs(found[0] - float(size[0])) < 1e-12 and abs(found[1] / float(size[1]) - 1) < 1e-12


def test_the_sign_of_a_term_in_a_dimension_in_which_it_has_one() -> None:
    """C(d, nu) has the sign of 1/Gamma(-nu) where t^nu is integrable, nu + (d-1)/2 > 0."""
    for nu in map(Rational, ("-1/4", "-1/2", "-3/2", "-7/3", "-9/2", "1/2", "7/3", "1/5")):
        d = orders._some_dimension(nu)
        assert nu + Rational(d - 1, 2) > 0
        value = mp.gamma(number(nu) + mp.mpf(d - 1) / 2) * mp.rgamma(-number(nu))
        assert mp.sign(value) == (1 if nu < 0 else (-1) ** (int(sympy.floor(nu)) + 1))
        assert orders._constant_sign(nu, 0, Kernel("u")).number == mp.sign(value)
