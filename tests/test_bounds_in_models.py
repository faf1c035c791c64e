"""Bounds of local models: each holds, and is nearly attained by the functions that are largest for it."""

from __future__ import annotations

import itertools
from fractions import Fraction
from inspect import isroutine
from typing import Any

import mpmath as mp
import pytest
import sympy
from flint import acb, arb, fmpq
from sympy import Rational, S, sqrt

from asymptok import Kernel
from asymptok.atlas.local import Unproved
from asymptok.atlas.models import at_one, compositions
from asymptok.atlas.models.arithmetic import Frame, Model, below
from asymptok.atlas.models.at_one import _Series, connection
from asymptok.atlas.models.branches import _rational_part
from asymptok.atlas.models.caps import Cap
from asymptok.atlas.models.lines import ModelLine, inward_line
from asymptok.atlas.models.rules import _largest_on, _taylor_coefficients, local_model
from asymptok.balls import ball
from asymptok.constants.exponents import RATIONAL, exponent_from_expr, exponent_to_expr
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.orthant import Orthant
from asymptok.precision import flint_precision
from asymptok.symbols import u

ROOT_TWO, _ = exponent_from_expr(sqrt(2))


def model(frame: Frame, terms: dict[tuple[Any, int], int], top: Any, rest: Any) -> Model:
    """sum c t^e (log t)^j with the rest on top."""
    found = frame.constant(arb(0))
    for (exponent, j), c in terms.items():
        found = found + frame.monomial(arb(c), RATIONAL, fmpq(exponent.numerator, exponent.denominator), j)
    return found + Model(frame, {}, fmpq(top), arb(rest))


def value(found: Model, t: mp.mpf) -> mp.mpf:
    """The terms at a point, by mpmath."""
    total = mp.mpf(0)
    for form, rest, j, c in found.terms():
        e = number(ball(exponent_to_expr(form, rest), prec=128))
        total += number(c) * mp.power(t, e) * mp.log(t) ** j
    return total


def number(x: arb) -> mp.mpf:
    return mp.mpf(x.mid().str(60, radius=False))


# sums, products, compositions --------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [fmpq(1, 2), fmpq(3, 2)])
def test_the_largest_value_of_a_term(radius: fmpq) -> None:
    """sup |t|^e |log t|^j for |t| <= r, |arg t| <= pi, over a grid and a search at its best point."""
    frame = Frame(radius, fmpq(4), 1)
    left = -mp.log(mp.mpf(int(radius.p)) / int(radius.q))
    for (p, q), j in itertools.product(((1, 8), (1, 2), (1, 1), (3, 1)), range(4)):
        e = mp.mpf(p) / q

        def size(x: mp.mpf, e: mp.mpf = e, j: int = j) -> mp.mpf:
            return mp.exp(-e * x) * (x * x + mp.pi**2) ** (mp.mpf(j) / 2)

        best = max((left + mp.mpf(n) / 8 for n in range(250)), key=size)
        true = max(size(best + mp.mpf(n) / 200) for n in range(-25, 26) if best + mp.mpf(n) / 200 >= left)
        found = number(frame.largest(fmpq(p, q), j))
        assert true <= found * (1 + mp.mpf(10) ** -18) and found <= true * (1 + mp.mpf(10) ** -3)


def test_terms_from_the_top_on_are_in_the_rest() -> None:
    """At t = r all terms of f = 1 + t + 2 t^3 + 3 t^4 + 5 t^(7/2) E with E = 1 add up."""
    frame = Frame(fmpq(1, 2), fmpq(5, 2), 2)
    found = model(frame, {(0, 0): 1, (1, 0): 1, (3, 0): 2, (4, 0): 3}, fmpq(7, 2), 5)
    r = mp.mpf(1) / 2
    left = (2 * r**3 + 3 * r**4 + 5 * r ** (mp.mpf(7) / 2)) / r ** (mp.mpf(5) / 2)
    assert left <= number(found.rest) * (1 + mp.mpf(10) ** -18) <= left * (1 + mp.mpf(10) ** -12)
    assert value(found, r) == 1 + r and found.top == fmpq(5, 2)
    for order in (0, -1, -2):
        true = (1 + r + left * r ** mp.mpf(2.5)) / r**order
        assert (
            true <= number(found.size(fmpq(order))) * (1 + mp.mpf(10) ** -15) <= true * (1 + mp.mpf(10) ** -9)
        )


def test_a_rest_alone_is_of_the_order_of_its_top() -> None:
    frame = Frame(fmpq(1, 2), fmpq(6), 1)
    rest = Model(frame, {}, fmpq(2), arb(3))
    assert rest.order == 2 and rest.size(rest.order) == 3
    square = rest * rest
    for t in (mp.mpf(1) / 2, mp.mpf(1) / 200):
        assert 9 * t**4 <= number(square.rest) * t ** int(square.top) * (1 + mp.mpf(10) ** -15)


@pytest.mark.parametrize("radius", [fmpq(1, 2), fmpq(3, 2)])
def test_the_rest_of_sums_and_products_is_attained(radius: fmpq) -> None:
    """(P + R t^a)(Q + S t^b) with positive coefficients is largest at t = r, and so is the sum."""
    r = mp.mpf(int(radius.p)) / int(radius.q)
    frame = Frame(radius, fmpq(6), 1)
    for a, b in itertools.product((3, 4, 5), (2, 5)):
        first = model(frame, {(0, 0): 1, (1, 0): 2}, a, 7)
        second = model(frame, {(0, 0): 3, (2, 0): 1}, b, 11)
        one, other = 1 + 2 * r + 7 * r**a, 3 + r**2 + 11 * r**b
        for found, true in ((first + second, one + other), (first * second, one * other)):
            left = (true - value(found, r)) / r ** int(found.top)
            assert left <= number(found.rest) * (1 + mp.mpf(10) ** -15) <= left * (1 + mp.mpf(10) ** -3)
        found = (-first).scaled(arb(-3))
        assert 21 <= number(found.rest) < 21.01
        assert number(first.size(fmpq(0), whole=False)) < 1.001 + 2 * r


def test_products_with_logarithms_hold_on_the_sector() -> None:
    frame = Frame(fmpq(1, 2), fmpq(3), 1)
    first = model(frame, {(0, 0): 1, (1, 1): 2}, 3, 1)
    second = model(frame, {(1, 0): 1, (1, 2): -1, (2, 0): 1}, 3, 2)
    found = first * second
    worst = mp.mpf(0)
    for share, turn in itertools.product((1, mp.mpf(1) / 3, mp.mpf(1) / 50), (-1, 0, mp.mpf(2) / 3, 1)):
        # t on the surface of the logarithm, arg t from -pi to pi
        log = mp.log(share / 2) + mp.pi * turn * 1j
        t = mp.exp(log)
        for e, d in itertools.product((1, -1, 1j), repeat=2):
            true = (1 + 2 * t * log + e * t**3) * (t - t * log**2 + t * t + 2 * d * t**3)
            terms = sum(number(c) * mp.exp(log * int(q.p)) * log**j for _, q, j, c in found.terms())
            worst = max(worst, abs(true - terms) / abs(t) ** int(found.top) / number(found.rest))
    assert 0.3 < worst <= 1


def test_exponents_that_are_no_fractions_leave_slack() -> None:
    """t^sqrt(2) is filed under a number just below sqrt(2): beyond |t| = 1 it is larger than that says."""
    frame = Frame(fmpq(3, 2), fmpq(4), 1)
    low = below(ROOT_TWO)
    assert 0 < mp.sqrt(2) - mp.mpf(int(low.p)) / int(low.q) <= mp.mpf(2) ** -12
    found = Model(frame, {}, fmpq(2), arb(5)).shifted(ROOT_TWO, fmpq(0))
    r = mp.mpf(3) / 2
    true = 5 * r ** (2 + mp.sqrt(2) - mp.mpf(int(found.top.p)) / int(found.top.q))
    assert true <= number(found.rest) <= true * (1 + mp.mpf(10) ** -3)
    term = frame.monomial(arb(3), ROOT_TWO, fmpq(1))
    for size in (term.size(term.order), term.size_from(term.order)):
        true = 3 * r ** (mp.sqrt(2) + 1 - mp.mpf(int(term.order.p)) / int(term.order.q))
        assert true <= number(size) <= true * (1 + mp.mpf(10) ** -3)


def test_what_is_left_from_a_power_on() -> None:
    frame = Frame(fmpq(1, 2), fmpq(5), 2)
    found = model(frame, {(0, 0): 9, (1, 0): 2, (Fraction(3, 2), 0): -1, (2, 0): 4}, 5, 3)
    r = mp.mpf(1) / 2
    true = r ** mp.mpf(0.5) + 4 * r + 3 * r**4
    assert true <= number(found.size_from(fmpq(1))) - 2 <= true * (1 + mp.mpf(10) ** -9)
    true = 4 * r ** mp.mpf(0.5) + 3 * r ** mp.mpf(3.5) + 1
    assert (
        true <= number(found.size_from(fmpq(3, 2))) * (1 + mp.mpf(10) ** -15) <= true * (1 + mp.mpf(10) ** -9)
    )


@pytest.mark.parametrize(("e", "top"), [(1, 3), (2, 4), (2, 5), (1, 4)])
def test_a_geometric_series_of_a_power_attains_its_rest(e: int, top: int) -> None:
    """sum (w/rho)^m with w = c t^e: every coefficient is as large as Cauchy's estimate allows."""
    frame = Frame(fmpq(1, 2), fmpq(top), 1)
    w = frame.monomial(arb(3) / 4, RATIONAL, fmpq(e))
    rho = arb(fmpq(3, 2))
    found = w.composed([rho**-m for m in range(w.depth)], arb(1), rho)
    r = mp.mpf(1) / 2
    true = (1 / (1 - r**e / 2) - value(found, r)) / r**top
    assert true <= number(found.rest) * (1 + mp.mpf(10) ** -15) and number(found.rest) <= true * (
        1 + mp.mpf(10) ** -9
    )
    with pytest.raises(Unproved):
        w.composed([arb(1)] * w.depth, arb(1), number_as_arb(w.size(fmpq(0)), fmpq(99, 100)))


def number_as_arb(x: arb, share: fmpq) -> arb:
    return (x * share).lower()


# Taylor coefficients from values -----------------------------------------------------------------------------


def test_aliasing_is_in_the_coefficients() -> None:
    """z^64 looks like a constant to the rule with 64 points, and like z to the one that is off by one."""
    with flint_precision(64):
        for power in (63, 64, 65):
            found = _taylor_coefficients(lambda z, n=power: z**n, arb(0), arb(1), arb(1), 3)
            assert all(c.contains(0) for c in found)
        assert 0.99 < float(found[1].abs_upper()) * 2.0**64 < 4.1
        # a bound that is attained on one side of the circle only
        for turn in range(0, 64, 5):
            direction = acb(arb(fmpq(turn, 32))).exp_pi_i()
            found = _largest_on(lambda z, a=direction: 1 / (fmpq(5, 4) - z / a), arb(0), arb(1))
            assert found is not None and found >= 4


# functions of a model ----------------------------------------------------------------------------------------


class Probe:
    """A model that shows what it is composed with."""

    depth = 12

    def __init__(self, variation: Any) -> None:
        self.variation = arb(variation)

    def size(self, order: fmpq) -> arb:
        return self.variation

    def composed(self, coefficients: list[arb], size: arb, radius: arb) -> Any:
        return coefficients, number(size), number(radius)


def circle(f: Any, rho: mp.mpf, count: int = 100) -> mp.mpf:
    return max(abs(f(rho * mp.expjpi(mp.mpf(2 * n) / count))) for n in range(count))


@pytest.mark.parametrize("variation", [fmpq(1, 8), fmpq(9, 10), fmpq(999, 1000)])
def test_roots_and_logarithms_are_bounded_on_their_disc(variation: fmpq) -> None:
    for a in (mp.mpf(1) / 3, -mp.mpf(1) / 2, -mp.mpf(7) / 2, mp.mpf(5) / 2, mp.mpf(0)):
        coefficients, size, rho = compositions.binomial(Probe(variation), arb(mp.nstr(a, 50)))
        true = max(circle(lambda w, a=a: (1 + w) ** a, rho), 1)
        assert true <= size * (1 + mp.mpf(10) ** -15) <= true * (1 + mp.mpf(10) ** -9)
        assert all(abs(number(c) - mp.binomial(a, m)) < mp.mpf(10) ** -12 for m, c in enumerate(coefficients))
        assert number(arb(variation)) < rho < 1 and len(coefficients) >= Probe.depth
    coefficients, size, rho = compositions.log_unit(Probe(variation))
    true = circle(lambda w: mp.log(1 + w), rho)
    assert true <= size * (1 + mp.mpf(10) ** -15) <= true * (1 + mp.mpf(10) ** -9)
    assert all(
        abs(number(c) * m - (-1) ** (m + 1)) < mp.mpf(10) ** -14 for m, c in enumerate(coefficients) if m
    )
    with pytest.raises(Unproved):
        compositions.inside_one(Probe(1))  # type: ignore[arg-type]


def test_a_radius_above_the_values_and_below_the_singular_point() -> None:
    for n in range(1, 200):
        one = compositions.inside_one(Probe(fmpq(n, 200)))  # type: ignore[arg-type]
        two = compositions.inside_two(Probe(fmpq(n, 100)))  # type: ignore[arg-type]
        assert arb(fmpq(n, 200)) < one < 1 and arb(fmpq(n, 100)) < two < 2
    with pytest.raises(Unproved):
        compositions.inside_two(Probe(2))  # type: ignore[arg-type]


@pytest.mark.parametrize("nu", [fmpq(-77, 50), fmpq(-23, 50), fmpq(27, 50), fmpq(7, 2), fmpq(-7, 2), fmpq(3)])
def test_the_largest_reciprocal_of_gamma(nu: fmpq) -> None:
    """1/|Gamma(nu+m+1)|, m >= 0, is largest next to the minimum 1.46 of Gamma, or far to the left."""
    coefficients, size, rho = compositions.bessel_series(Probe(1), arb(nu))
    order = mp.mpf(int(nu.p)) / int(nu.q)
    true = max(abs(mp.rgamma(order + m + 1)) for m in range(60)) * mp.exp(rho)
    assert true <= size * (1 + mp.mpf(10) ** -15) <= true * (1 + mp.mpf(10) ** -9)
    for m, c in enumerate(coefficients):
        assert abs(number(c) - mp.rgamma(order + m + 1) / mp.factorial(m)) < mp.mpf(10) ** -12
    assert rho >= 2 and all(
        abs(mp.rgamma(order + m + 1)) / mp.factorial(m) * rho**m <= size for m in range(200)
    )


def test_the_rational_part_of_arc_cosine_kernels() -> None:
    """Q = pi kappa_n(-1+y)/(sqrt(2) y^(n+1/2)): its Taylor coefficients, and its size on |y| = rho."""
    rho = fmpq(3, 2)
    for n in range(4):
        coefficients, size = _rational_part(n, -1, 30, arb(rho))

        def q(y: mp.mpc, n: int = n) -> mp.mpc:
            return mp.pi * arc_cosine(n, y - 1) / mp.sqrt(2) / y ** (n + mp.mpf(1) / 2)

        points = 64
        values = [q(1.5 * mp.expjpi(mp.mpf(2 * i + 1) / points)) for i in range(points)]
        assert max(map(abs, values)) <= number(size)
        assert len(coefficients) == 30
        for m, c in enumerate(coefficients):
            true = sum(v * mp.expjpi(-mp.mpf(2 * i + 1) * m / points) for i, v in enumerate(values)) / points
            assert abs(number(c) * mp.mpf(1.5) ** m - true) < mp.mpf(10) ** -8


def arc_cosine(n: int, x: mp.mpf) -> mp.mpf:
    """kappa_n by the derivatives of its generating function: J_(n+1) = (2n+1) x J_n + n^2 (1-x^2) J_(n-1)."""
    theta = mp.acos(x)
    j = [mp.pi - theta, mp.sin(theta) + (mp.pi - theta) * x]
    for m in range(1, n):
        j.append((2 * m + 1) * x * j[m] + m * m * (1 - x * x) * j[m - 1])
    return j[n] / mp.fac2(2 * n - 1) / mp.pi


#: a kernel, and the function of mpmath
MODELLED: list[tuple[Any, Any]] = [
    ("exp(-sqrt(1 - u))", lambda t: mp.exp(-mp.sqrt(t))),
    ("(1 + (1-u)/2)**(1/3)*log(2 - u)", lambda t: (1 + t / 2) ** (mp.mpf(1) / 3) * mp.log(1 + t)),
    ("acos(u)", lambda t: mp.acos(1 - t)),
    ("asin(u)*log(1 - u)", lambda t: mp.asin(1 - t) * mp.log(t)),
    ("besselk(1/3, sqrt(1-u))", lambda t: mp.besselk(mp.mpf(1) / 3, mp.sqrt(t))),
    ("besselk(1, sqrt(1-u))", lambda t: mp.besselk(1, mp.sqrt(t))),
    ("bessely(2, sqrt(1-u))", lambda t: mp.bessely(2, mp.sqrt(t))),
    ("bessely(1/4, sqrt(1-u))", lambda t: mp.bessely(mp.mpf(1) / 4, mp.sqrt(t))),
    ("polylog(2, u)", lambda t: mp.polylog(2, 1 - t)),
    ("polylog(-3/2, u)", lambda t: mp.polylog(mp.mpf(-3) / 2, 1 - t)),
    ("elliptic_k(u)", lambda t: mp.ellipk(1 - t)),
    ("elliptic_e(u)", lambda t: mp.ellipe(1 - t)),
    ("atanh(u/2) + atanh(u)", lambda t: mp.atanh((1 - t) / 2) + mp.atanh(1 - t)),
    ("gamma(3 + sqrt(1-u))", lambda t: mp.gamma(3 + mp.sqrt(t))),
    (
        "besselk(-2, sqrt(1-u)) + bessely(-1, sqrt(1-u))",
        lambda t: mp.besselk(2, mp.sqrt(t)) - mp.bessely(1, mp.sqrt(t)),
    ),
    ("((1-u)*(3-u))**sqrt(2)*(1-u)**(-1/4)", lambda t: (t * (2 + t)) ** mp.sqrt(2) * t**-0.25),
    ("sqrt((1-u)**sqrt(2) + (1-u)**3)", lambda t: mp.sqrt(t ** mp.sqrt(2) + t**3)),
    (ArcCosine(0, u) + ArcCosine(2, u), lambda t: arc_cosine(0, 1 - t) + arc_cosine(2, 1 - t)),
    (ArcCosine(3, u), lambda t: arc_cosine(3, 1 - t)),
    (ArcCosine(2, -u) + ArcCosine(3, -u), lambda t: arc_cosine(2, t - 1) + arc_cosine(3, t - 1)),
    ("exp(u*log(1-u)/3)", lambda t: mp.exp((1 - t) * mp.log(t) / 3)),
]


@pytest.mark.parametrize(("text", "f"), MODELLED, ids=[str(text) for text, _ in MODELLED])
def test_a_model_with_few_terms_holds(text: Any, f: Any) -> None:
    """So few that the rest is the sum of what was dropped: on the interval, up to its end."""
    found = local_model(Kernel(text).expr, 1, fmpq(1, 8), fmpq(2))
    top = mp.mpf(int(found.top.p)) / int(found.top.q)
    worst = mp.mpf(0)
    with mp.workdps(30):
        for n in range(1, 33):
            t = mp.mpf(n) / 256
            worst = max(worst, abs(f(t) - value(found, t)) / t**top)
    assert worst <= number(found.rest) <= 10**4 * worst + mp.mpf(10) ** -12


# branch points at 1 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("s", [Rational(-9, 2), Rational(-3, 2), Rational(1, 2), Rational(5, 2), S(3)])
def test_the_zeta_values_beyond_the_last_one(s: Rational) -> None:
    """|zeta(s-k)| grows like k!/(2 pi)^k k^(-s): for s < 0 faster than k!/(2 pi)^k."""
    order = mp.mpf(int(s.p)) / int(s.q)
    for top, count in ((mp.mpf(1), 20), (mp.mpf(4), 60)):
        true = sum(abs(mp.zeta(order - k)) * top**k / mp.factorial(k) for k in range(count, count + 120))
        found = number(at_one._beyond(arb(int(s.p)) / int(s.q), arb(int(top)), count))
        assert true <= found
        # for s > 0 the quotient of gammas is k^-s, and 1 in the bound; otherwise the 4 is 2 sin(pi s/2) zeta
        assert found <= (16 if order < 0 else 80 * count**order) * true
    if order < 0:
        # where the quotient of gammas grows from term to term
        true = sum(abs(mp.zeta(order - 5 - k)) * 5.3**k / mp.factorial(k) for k in range(60, 200))
        assert true <= number(at_one._beyond(arb(int(s.p)) / int(s.q) - 5, arb("5.3"), 60))
    with pytest.raises(Unproved):
        at_one._beyond(arb(int(s.p)) / int(s.q), arb(7), 60)
    with pytest.raises(Unproved):
        at_one._beyond(arb(30), arb(1), 31)


@pytest.mark.parametrize(
    ("node", "f"),
    [
        (sympy.polylog(2, u), lambda z: mp.polylog(2, z)),
        (sympy.polylog(3, u), lambda z: mp.polylog(3, z)),
        (sympy.polylog(Rational(-3, 2), u), lambda z: mp.polylog(-1.5, z)),
        (sympy.polylog(Rational(5, 2), u), lambda z: mp.polylog(2.5, z)),
        (sympy.elliptic_k(u), mp.ellipk),
        (sympy.elliptic_e(u), mp.ellipe),
        (
            sympy.hyper([Rational(1, 3), 2], [Rational(9, 2)], u),
            lambda z: mp.hyp2f1(mp.mpf(1) / 3, 2, 4.5, z),
        ),
        (sympy.hyper([Rational(1, 2), Rational(5, 2)], [5], u), lambda z: mp.hyp2f1(0.5, 2.5, 5, z)),
    ],
    ids=lambda value: None if isroutine(value) else str(value),
)
@pytest.mark.parametrize("count", [2, 5, 12])
def test_few_terms_of_a_connection(node: Any, f: Any, count: int) -> None:
    found = connection(node, count)
    assert found is not None
    for y in (mp.mpc(0.01), mp.mpc(0.2, 0.3), mp.mpc(-0.3, 0.1), mp.mpc(0.45, 0)):
        place = acb(arb(mp.nstr(y.real, 30)), arb(mp.nstr(y.imag, 30)))
        enclosed = found.value(place, place.log(), arb(fmpq(9, 10)))
        assert enclosed is not None
        with mp.workdps(25):
            true = f(1 - y)
        assert enclosed.overlaps(acb(arb(mp.nstr(mp.re(true), 22)), arb(mp.nstr(mp.im(true), 22))))
    assert found.value(acb(0.5), acb(0.5).log(), arb(fmpq(1, 2))) is None


def test_the_sizes_of_a_connection_are_those_on_the_circle() -> None:
    """B of Li_3 is -w^2/2, w = -log(1-y); A of K is a series with coefficients of one sign, and so is B."""
    for r in (fmpq(1, 2), fmpq(9, 10)):
        rho = mp.mpf(int(r.p)) / int(r.q)
        _, second = connection(sympy.polylog(3, u), 40).sizes(arb(r))  # type: ignore[union-attr]
        true = mp.log(1 - rho) ** 2 / 2
        assert true <= number(second) * (1 + mp.mpf(10) ** -15) <= true * (1 + mp.mpf(10) ** -9)
        _, second = connection(sympy.polylog(Rational(5, 2), u), 40).sizes(arb(r))  # type: ignore[union-attr]
        true = mp.gamma(-1.5) * (-mp.log(1 - rho) / rho) ** 1.5
        assert true <= number(second) * (1 + mp.mpf(10) ** -12) <= true * (1 + mp.mpf(10) ** -9)
        _, second = connection(sympy.polylog(Rational(1, 2), u), 40).sizes(arb(r))  # type: ignore[union-attr]
        assert circle(lambda y: mp.gamma(0.5) * (-mp.log(1 - y) / y) ** -0.5, rho) <= number(second)
        first, second = connection(sympy.elliptic_k(u), 40).sizes(arb(r))  # type: ignore[union-attr]
        # K(1-y) = (K(y)/pi) (log 16 - log y) + ..., and 2 K(y)/pi has positive coefficients
        true = mp.ellipk(rho) / mp.pi
        assert true <= number(second) <= 2.5 * true
        true = circle(lambda y: mp.ellipk(1 - y) + mp.ellipk(y) / mp.pi * mp.log(y), rho)
        assert true <= number(first) <= 2.5 * true
        first, _ = connection(sympy.polylog(2, u), 40).sizes(arb(r))  # type: ignore[union-attr]
        true = circle(lambda y: mp.zeta(2) - mp.polylog(2, y), rho)
        assert true <= number(first) <= 4 * true


def test_the_sum_over_zeta_values_goes_on_behind_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of Li_(5/2) next to |y| = 1 the terms from 64 on add up to 10^-13."""
    monkeypatch.setattr(at_one, "_MORE", 0)
    with flint_precision(64):
        first, _ = connection(sympy.polylog(Rational(5, 2), u), 9).sizes(arb(fmpq(99, 100)))  # type: ignore[union-attr]
    with mp.workdps(30):
        top = mp.log(100)
        true = sum(abs(mp.zeta(mp.mpf(5) / 2 - k)) * top**k / mp.factorial(k) for k in range(300))
        assert true <= number(first) <= true * (1 + mp.mpf(10) ** -7)


@pytest.mark.parametrize(("a", "b", "c"), [(0.5, 0.5, 1), (2, 1.5, 0.5), (0.25, 3, 2)])
def test_the_tail_of_a_hypergeometric_series(a: float, b: float, c: float) -> None:
    series = _Series(arb(a), arb(b), arb(c), arb(1))
    for r in (0.5, 0.9):
        until = series.from_where(arb(r))
        terms = [
            mp.rf(a, n) * mp.rf(b, n) / mp.rf(c, n) / mp.factorial(n) * mp.mpf(r) ** n for n in range(300)
        ]
        assert all(terms[n + 1] <= terms[n] * (1 + r) / 2 for n in range(until, 299))
        assert sum(terms[until:]) <= number(series.tail(arb(r))) <= 4 * sum(terms[until:])
        assert sum(terms) <= number(series.size(arb(r))) <= 2.1 * sum(terms)


def test_digammas_that_spread() -> None:
    """|psi(a+m+n) + psi(b+m+n) - psi(n+1) - psi(n+m+1)| <= spread(n), which the tail of A takes: by its size."""
    for a, b, m in ((3, 2.5, 0), (1.5, 4, 1), (0.25, 0.5, 2)):
        found = at_one._logarithmic(arb(a), arb(b), m, arb(1), 8)
        for r in (0.5, 0.9):
            first, _ = found.sizes(arb(r))
            top = mp.gamma(a + b + m) * mp.rgamma(a) * mp.rgamma(b) / mp.factorial(m)
            start = sum(abs(number(c)) * mp.mpf(r) ** n for n, c in enumerate(found.regular[:m]))
            total = sum(
                top * mp.rf(a + m, n) * mp.rf(b + m, n) / mp.rf(m + 1, n) / mp.factorial(n) * mp.mpf(r) ** (n + m)
                * abs(mp.psi(0, a + m + n) + mp.psi(0, b + m + n) - mp.psi(0, n + 1) - mp.psi(0, n + m + 1))
                for n in range(200)
            )  # fmt: skip
            assert start + total <= number(first) <= 3 * (start + total)


# caps --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 3, 4, 5, 7])
def test_the_rest_of_a_model_in_a_cap(d: int) -> None:
    """int_0^T t^top (2-t)^((d-3)/2) t^((d-3)/2) dt for k = 0, where the rest is t^top, T so small that 2 - t is 2."""
    frame = Frame(fmpq(1, 4), fmpq(3), 1)
    found = Cap(1, 6, Model(frame, {}, fmpq(3), arb(7)), 200).moments(d, [0])[0]
    edge, half = 1 - mp.cos(mp.pi / 64), mp.mpf(d - 3) / 2
    true = mp.quad(lambda t: 7 * t ** (3 + half) * (2 - t) ** half, [0, edge])
    assert found.contains(0) and true <= number(found.abs_upper()) <= true * 1.01


@pytest.mark.parametrize("d", [2, 3, 4, 5])
@pytest.mark.parametrize("k", [0, 1, 5, 40])
def test_few_terms_of_the_weight_in_a_cap(d: int, k: int) -> None:
    """t^(1/2) next to either end, with so few terms of P_k (2-t)^((d-3)/2) that the rest of it is seen."""
    frame = Frame(fmpq(1, 4), fmpq(3), 2)
    half = mp.mpf(d - 3) / 2
    for at, level, j in ((1, 3, 0), (-1, 4, 1)):
        edge = 1 - mp.cos(mp.pi / 2**level)
        if edge * k * k > 60:
            continue
        kappa = frame.monomial(arb(1), RATIONAL, fmpq(1, 2), j)
        found = Cap(at, level, kappa, 1).moments(d, [k])[k]

        def integrand(t: mp.mpf, j: int = j) -> mp.mpf:
            wave = mp.hyp2f1(-k, k + d - 2, mp.mpf(d - 1) / 2, t / 2)
            return mp.sqrt(t) * mp.log(t) ** j * wave * (t * (2 - t)) ** half

        true = mp.quad(integrand, [0, edge / 64, edge / 8, edge]) * (at**k)
        assert found.overlaps(arb(mp.nstr(true, 14)))
        assert d != 3 or k > 4 or number(found.rad()) < 1


# lines -------------------------------------------------------------------------------------------------------


def line(
    terms: dict[tuple[Any, int], int], length: fmpq, *, inward: bool = False, rest: Any = 0, grid: int = 2
) -> ModelLine:
    frame = Frame(length, fmpq(5), grid)
    return ModelLine(1, length, model(frame, terms, 5, rest), inward)


@pytest.mark.parametrize(
    ("found", "beta", "log_power", "true"),
    [
        (line({(Fraction(1, 2), 0): 1}, fmpq(3, 2)), Rational(1, 2), 0, 1),
        # Im (x e^(-i pi))^(5/2) = -x^(5/2): the largest value is at the end
        (line({(Fraction(1, 2), 0): 1, (Fraction(5, 2), 0): 1}, fmpq(1, 2)), Rational(1, 2), 0, 1.25),
        # 1 - x^2: the largest value is at 0 alone
        (line({(Fraction(1, 2), 0): 1, (Fraction(5, 2), 0): -1}, fmpq(1, 2)), Rational(1, 2), 0, 1),
        # Im t^2 log t = -pi x^2, and what is real on the slit does not count
        (line({(2, 1): 1, (2, 0): 9, (3, 0): 9}, fmpq(1, 2)), S(2), 0, mp.pi),
        (line({(2, 1): 3, (3, 1): 0}, fmpq(1, 2)), S(2), 0, 3 * mp.pi),
        (line({(1, 1): -2}, fmpq(1, 2)), S(1), 0, 2 * mp.pi),
        # pi (1 - x): largest at 0 alone
        (line({(2, 1): 1, (3, 1): 1}, fmpq(1, 2)), S(2), 0, mp.pi),
        # Im t^2 log^2 t = -2 pi x^2 log x, against x^(3/2): at x = e^-2
        (line({(2, 2): 1}, fmpq(1, 2)), Rational(3, 2), 0, 4 * mp.pi / mp.e),
        # only the terms from beta on: x^(3/2) of x^(1/2) + x^(3/2)
        (line({(Fraction(1, 2), 0): 1, (Fraction(3, 2), 0): 1}, fmpq(1, 2)), Rational(3, 2), 0, 1),
        (line({(Fraction(1, 2), 0): 1}, fmpq(1, 2), rest=4), Rational(1, 2), 0, 1 + 4 * mp.mpf(2) ** -4.5),
        (line({(1, 0): 1, (2, 0): 1}, fmpq(3, 2), inward=True), S(1), 0, 2.5),
        (line({(1, 1): 1}, fmpq(1, 2), inward=True), S(1), 1, 1),
        (line({(1, 1): 1, (1, 0): -1}, fmpq(1, 2), inward=True), S(1), 1, 1 + 1 / mp.log(2)),
        (line({(2, 0): 1}, fmpq(1, 2), inward=True), S(1), 1, mp.mpf(0.5) / mp.log(2)),
        (line({}, fmpq(1, 2), inward=True, rest=3), S(4), 2, 1.5 / mp.log(2) ** 2),
    ],
)  # fmt: skip
def test_bounds_along_a_line_are_attained(found: ModelLine, beta: Any, log_power: int, true: Any) -> None:
    bound = number(found.bound(beta, log_power))
    assert true <= bound * (1 + mp.mpf(10) ** -12) and bound <= true * 1.25
    assert (
        bound <= true * 1.01 or log_power or (2, 2) in [(int(r.p), j) for _, r, j, _ in found.model.terms()]
    )


def test_the_imaginary_part_of_a_logarithm_with_a_root() -> None:
    """Im t^(3/4) log t = x^(3/4) (pi - log x)/sqrt(2) and Im t^(1/4) log t = -x^(1/4) (pi + log x)/sqrt(2)."""
    xs = [mp.exp(-mp.mpf(n) / 20) / 2 for n in range(800)]
    for e, sign, beta in ((Fraction(3, 4), -1, Rational(1, 2)), (Fraction(1, 4), 1, Rational(1, 8))):
        power = mp.mpf(e.numerator) / e.denominator - mp.mpf(int(beta.p)) / int(beta.q)
        true = max(x**power * abs(mp.pi + sign * mp.log(x)) / mp.sqrt(2) for x in xs)
        found = number(line({(e, 1): 1}, fmpq(1, 2), grid=4).bound(beta))
        assert true * (1 - mp.mpf(10) ** -6) <= found <= 2.1 * true


def test_irrational_exponents_along_a_line() -> None:
    """Im t^sqrt(2) = -sin(pi sqrt(2)) x^sqrt(2), against x^(1/2), x^sqrt(2) and, with x^(1+sqrt(2)), beyond it."""
    frame = Frame(fmpq(1, 2), fmpq(5), 1)
    kappa = frame.monomial(arb(1), ROOT_TWO, fmpq(0)) + frame.monomial(arb(2), ROOT_TWO, fmpq(1))
    found = ModelLine(1, fmpq(1, 2), kappa)
    one = abs(mp.sin(mp.pi * mp.sqrt(2)))
    assert [(e.exponent, e.clean) for e in found.ordered] == [(sqrt(2), True), (1 + sqrt(2), True)]
    assert found.coefficients(sqrt(2))[0][1] == 1 and found.coefficients(S(1)) == []
    for beta, true in (
        (
            S.Half,
            max(
                one * abs(x ** (mp.sqrt(2) - 0.5) - 2 * x ** (mp.sqrt(2) + 0.5))
                for x in (0.125, 0.16, 0.2, 0.5)
            ),
        ),
        (sqrt(2), one),
        (1 + sqrt(2), 2 * one),
        (S(2), 2 * one * mp.mpf(0.5) ** (mp.sqrt(2) - 1)),
    ):
        assert true * (1 - mp.mpf(10) ** -12) <= number(found.bound(beta)) <= 1.1 * true


def test_the_exponents_that_leave_something_behind() -> None:
    """All but whole powers without a logarithm; clean where the slit sees a multiple of x^e."""
    root = Fraction(1, 2)
    terms = {(0, 0): 1, (2, 0): 1, (2, 1): 3, (root, 0): 5, (3, 2): 1, (-1, 0): 7, (root, 1): 2}
    found = line(terms, fmpq(1, 2))
    seen = [(e.exponent, [j for j, _ in e.coefficients], e.clean) for e in found.ordered]
    half = Rational(1, 2)
    assert seen == [(S(-1), [0], False), (half, [0, 1], False), (S(2), [1], True), (S(3), [2], False)]
    assert line({(root, 0): 1}, fmpq(1, 2)).ordered[0].clean


def test_a_logarithm_outweighs_the_power() -> None:
    for terms, inward, log_power in (({(1, 1): 1}, True, 0), ({(1, 2): 1}, True, 1), ({(2, 2): 1}, False, 0)):
        with pytest.raises(Unproved):
            line(terms, fmpq(1, 2), inward=inward).bound(S(next(iter(terms))[0]), log_power)
    with pytest.raises(Unproved):
        line({}, fmpq(1, 2), rest=1).bound(S(6))


def test_expansions_along_a_line_against_mpmath() -> None:
    found = inward_line(sympy.exp(-sqrt(1 - u)), 1, fmpq(1), fmpq(8))
    points = [mp.mpf(n) / 100 for n in range(1, 101)]
    with mp.workdps(30):
        true = max(abs(mp.exp(-mp.sqrt(t)) - 1 + mp.sqrt(t)) / t for t in [*points, mp.mpf(10) ** -8])
    assert true <= number(found.bound(S(1))) <= 1.05 * true


# what is flat ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expr", "f", "top", "radius", "tight"),
    [
        (sympy.exp(-1 / (1 - u)), lambda t: mp.exp(-1 / t), 3, fmpq(1, 2), 1.001),
        (sympy.exp(-1 / (1 - u)), lambda t: mp.exp(-1 / t), 3, fmpq(1, 20), 1.001),
        (sympy.exp(3 - 1 / (1 - u)), lambda t: mp.exp(3 - 1 / t), 3, fmpq(1, 8), 1.001),
        (2 ** (-1 / (1 - u)), lambda t: 2 ** (-1 / t), 3, fmpq(1, 8), 1.001),
        (3 * sympy.exp(-2 / sqrt(1 - u)), lambda t: 3 * mp.exp(-2 / mp.sqrt(t)), 4, fmpq(1, 8), 1.001),
        (sympy.erf(1 / sqrt(1 - u)), lambda t: -mp.erfc(1 / mp.sqrt(t)), 3, fmpq(1, 8), 6),
        (sympy.erf(-1 / sqrt(9 - 9 * u)), lambda t: mp.erfc(1 / mp.sqrt(9 * t)), 3, fmpq(1, 8), 6),
        (sympy.erfc(-1 / (1 - u)), lambda t: -mp.erfc(1 / t), 3, fmpq(1, 4), 10),
        (Orthant(0, 1, u), lambda t: -mp.quad(lambda r: mp.exp(-1 / (2 * (1 - r * r))) / mp.sqrt(1 - r * r),
                                              [1 - t, 1 - t / 2, 1]) / 2 / mp.pi, 3, fmpq(1, 8), 60),
    ],
)  # fmt: skip
def test_flat_parts_in_the_rest(expr: Any, f: Any, top: int, radius: fmpq, tight: float) -> None:
    found = local_model(expr, 1, radius, fmpq(top), real=True)
    r = mp.mpf(int(radius.p)) / int(radius.q)
    true = max(abs(f(r * n / 200)) / (r * n / 200) ** top for n in range(10, 201, 10))
    assert true <= number(found.rest) * (1 + mp.mpf(10) ** -15) <= tight * true * (1 + mp.mpf(10) ** -3)


@pytest.mark.parametrize(("h", "at"), [(0, 1), (1, 1), (1, -1), (-2, -1)])
def test_orthants_with_a_root_at_the_end(h: int, at: int) -> None:
    found = local_model(Orthant(h, at * h, u), at, fmpq(1, 4), fmpq(3))
    with mp.workdps(25):
        for n in (1, 8, 16):
            t = mp.mpf(n) / 64

            def density(s: mp.mpf) -> mp.mpf:
                # r = at (1 - s^2) and k = at h
                return 2 * mp.exp(-h * h / (2 - s * s)) / mp.sqrt(2 - s * s)

            # the value at the end is that of the model: what is compared is the way to it
            true = -at * mp.quad(density, [0, mp.sqrt(t)]) / (2 * mp.pi)
            left = abs(true + value(found, mp.mpf(0) + mp.mpf(10) ** -60) - value(found, t))
            assert left <= number(found.rest) * t**3 + mp.mpf(10) ** -15
