"""Bounds of the ways to mu_k: rules and what they leave out, tails of series, cells, ranges."""

from __future__ import annotations

import math
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy
from flint import acb, arb, arb_series, fmpq
from sympy import Abs, Rational, S, acos, cos, erf, erfc, exp, lambdify, log, sin, sqrt, tanh

from asymptok.atlas import ranges
from asymptok.atlas.charts import Boundary, Chart, boundary, log2_upper, substitution
from asymptok.atlas.local import Unproved
from asymptok.atlas.pieces import Pieces
from asymptok.atlas.program import program
from asymptok.functions.arccosine import ArcCosine, kappa1
from asymptok.functions.orthant import Orthant
from asymptok.kernels.means import Mean
from asymptok.precision import flint_precision
from asymptok.spectrum import cores, interpolating, panels, power_series
from asymptok.spectrum.bessel_core import BesselSecondKind
from asymptok.spectrum.chebyshev import polynomial
from asymptok.spectrum.cores import StretchedExponential
from asymptok.spectrum.disc import _Rule, _step, _truncation
from asymptok.spectrum.moments import cosine_moments, gegenbauer_moments, normalisation
from asymptok.spectrum.power_series import _eigenvalue, _Part
from asymptok.spectrum.settle import settle
from asymptok.symbols import u


def number(value: arb) -> mp.mpf:
    return mp.mpf(value.mid().str(60, radius=False))


def close(found: Any, true: Any, share: float = 1e-9) -> bool:
    found = found if isinstance(found, mp.mpf) else mp.mpf(found)
    return bool(true <= found * (1 + mp.mpf(10) ** -13) and found <= true * (1 + share))


def polynomial_of(k: int, d: int, x: Any) -> Any:
    """P_k in dimension d, with P_k(1) = 1."""
    return mp.hyp2f1(-k, k + d - 2, mp.mpf(d - 1) / 2, (1 - x) / 2)


def monomial_moment(p: int, k: int, d: int) -> mp.mpf:
    """mu_k(u^p) by Rodrigues' formula: p!/(p-k)! times a beta integral."""
    if p < k or (p - k) % 2:
        return mp.mpf(0)
    m = (p - k) // 2
    return (
        mp.gamma(mp.mpf(d) / 2) * mp.factorial(p) * mp.gamma(m + mp.mpf(1) / 2)
        / (mp.mpf(2) ** k * mp.sqrt(mp.pi) * mp.factorial(p - k) * mp.gamma(mp.mpf(k) + m + mp.mpf(d) / 2))
    )  # fmt: skip


# Gauss-Legendre on an ellipse --------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [4, 6, 10])
def test_the_error_of_a_rule_on_an_ellipse(n: int) -> None:
    """T_(2n), which is at most cosh(2n beta), is taken for something near -pi/2."""
    beta = 1.0
    edge = Boundary(beta, np.array([0.0]), np.array([0.0]), np.array([0.0]), np.array([0.25]))
    bound = mp.mpf(2) ** float(edge.log2_error(n, 2, [0])[0]) * mp.cosh(2 * n * beta)
    nodes = [arb.legendre_p_root(n, j, weight=True) for j in range(n)]
    rule = sum(number(w) * mp.chebyt(2 * n, number(x)) for x, w in nodes)
    true = abs(mp.mpf(2) / (1 - 4 * n * n) - rule)
    assert 1.3 < true <= bound <= 1.9 * true
    # the exact sum of the tail: (64/15) M rho^-2n/(1 - rho^-2), with e^(k y) and the powers of sin
    for d, k in ((2, 0), (5, 3)):
        edge = Boundary(
            beta, np.array([3.0, 1.0]), np.array([-1.0, 0.5]), np.array([2.0, 0.0]), np.array([0.25, 0.5])
        )
        found = float(edge.log2_error(n, d, [k])[0])
        size = max(3 - (d - 2) + 2 + k / 4 / math.log(2), 1 + (d - 2) / 2 + k / 2 / math.log(2))
        exact = size + math.log2(64 / 15) - 2 * n * beta / math.log(2) - math.log2(1 - math.exp(-2 * beta))
        assert exact < found < exact + 0.02
        count = edge.nodes(40.0, d, k)
        assert (
            edge.log2_error(count, d, [k])[0] <= -40 < edge.log2_error(count - 2, d, [k])[0]
            and count % 2 == 0
        )


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("beta", [fmpq(1, 4), fmpq(1, 2)])
def test_the_boundary_of_an_ellipse_holds_the_values_on_it(p: int, beta: fmpq) -> None:
    """The largest |kappa|, |sin theta|, |theta'| and |Im theta| around points of the upper half."""
    expr = exp(u) * sqrt(1 - u) if p == 2 else exp(u)
    edge = boundary(program(expr), Chart(fmpq(0), fmpq(1), p), beta)
    assert edge is not None
    b = mp.mpf(int(beta.p)) / int(beta.q)
    rows: list[list[Any]] = []
    for j in range(129):
        s = mp.cosh(b + 1j * mp.pi * j / 128)
        psi = s if p == 1 else (3 * s - s**3) / 2
        slope = mp.pi / 2 * (1 if p == 1 else 3 * (1 - s * s) / 2)
        theta = mp.pi / 2 * (1 + psi)
        root = mp.sqrt(2) * abs(mp.sin(theta / 2)) if p == 2 else 1
        value = abs(mp.exp(mp.cos(theta))) * root
        rows.append([mp.log(abs(x), 2) for x in (value, mp.sin(theta), slope)] + [abs(mp.im(theta))])
    for found, column in zip(
        (edge.kappa, edge.sine, edge.derivative, edge.height), zip(*rows, strict=True), strict=True
    ):
        assert max(column) <= float(max(found)) <= float(max(column)) + 2.5
    for row in rows:
        # some box holds all four at once
        held = [
            all(f >= r for f, r in zip(box, row, strict=True))
            for box in zip(edge.kappa, edge.sine, edge.derivative, edge.height, strict=True)
        ]
        assert any(held)


def test_the_map_of_the_whole_interval() -> None:
    for p in (1, 2, 3, 5):
        q, slope = substitution(p)
        for x in (mp.mpf(-3) / 4, mp.mpf(0), mp.mpf(2) / 3):
            true = mp.quad(lambda t, p=p: (1 - t * t) ** (p - 1), [-1, x]) / mp.quad(
                lambda t, p=p: (1 - t * t) ** (p - 1), [0, 1]
            )
            theta, derivative = Chart(fmpq(0), fmpq(1), p).angle(arb(mp.nstr(x, 20)))
            assert abs(number(theta) - mp.pi / 2 * true) < 1e-13
            assert (
                abs(
                    number(derivative)
                    - mp.pi / 2 * (1 - x * x) ** (p - 1) * mp.mpf(int(slope.p)) / int(slope.q)
                )
                < 1e-13
            )
        assert q.degree() == p - 1


def test_moments_and_their_norm() -> None:
    for d in range(2, 9):
        true = mp.gamma(mp.mpf(d) / 2) / mp.sqrt(mp.pi) / mp.gamma(mp.mpf(d - 1) / 2)
        assert abs(number(normalisation(d)) - true) < 1e-14
        theta, values = [arb(1) / 3, arb(2)], [arb(3), arb(-5)]
        cosines = cosine_moments(theta, values, values, 9)
        for m, found in enumerate(cosines):
            assert abs(number(found) - 3 * mp.cos(mp.mpf(m) / 3) + 5 * mp.cos(2 * m)) < 1e-13
        for k, found in gegenbauer_moments(cosines, d, range(10)).items():
            true = 3 * polynomial_of(k, d, mp.cos(mp.mpf(1) / 3)) - 5 * polynomial_of(k, d, mp.cos(2))
            assert abs(number(found) - true) < 1e-11


# panels ------------------------------------------------------------------------------------------------------


def test_the_constants_of_a_panel() -> None:
    one, other = (
        Boundary(1.0, np.array([size]), np.zeros(1), np.zeros(1), np.array([tall]))
        for size, tall in ((-10.0, 0.5), (-20.0, 0.0))
    )
    parts = panels._Sum(rules=[(one, 0), (other, 2)])
    for k in (0, 7):
        true = 64 / 15 / (1 - math.exp(-2)) * (2**-10 * math.exp(k / 2) + 2**-20 * math.exp(-4))
        assert true <= number(parts.truncation(k, 3)) <= 2.02 * true
    for low, high in (
        (fmpq(0), fmpq(1, 8)),
        (fmpq(1, 8), fmpq(1, 4)),
        (fmpq(2, 5), fmpq(3, 5)),
        (fmpq(3, 4), fmpq(7, 8)),
    ):
        a, b = (mp.mpf(int(x.p)) / int(x.q) for x in (low, high))
        true = max(mp.sin(mp.pi * (a + (b - a) * j / 64)) for j in range(65))
        assert close(number(panels._largest_sine(low, high)), true)
        assert 2.0 ** -panels._level(high - low) >= float(b - a) / 2 and 2.0 ** -(
            panels._level(high - low) + 1
        ) < float(b - a)
    for z in (acb(3, 4), acb(arb(0, 2)), acb("1e-40")):
        exact = math.log2(max(float(z.abs_upper()), 1e-300))
        assert exact <= log2_upper(z) <= exact + 1e-5


@pytest.mark.parametrize("d", [2, 3, 6])
def test_a_cell_is_negligible_by_its_width_and_its_largest_value(d: int) -> None:
    low, high = fmpq(1, 4), fmpq(1, 4) + fmpq(1, 1024)
    a, b = mp.mpf(1) / 4, mp.mpf(1) / 4 + mp.mpf(1) / 1024
    size = mp.pi * (b - a) * mp.exp(mp.cos(mp.pi * a)) * mp.sin(mp.pi * b) ** (d - 2)
    for goal, done in ((int(-mp.log(size, 2)) - 1, True), (int(-mp.log(size, 2)) + 2, False)):
        parts = panels._Sum()
        cover = panels._Cover(exp(u), d, 0, goal, parts)
        assert cover._negligible(low, high) is done
        assert close(number(parts.omitted), size, 1e-6) if done else parts.omitted == 0


@pytest.mark.parametrize(("goal", "top"), [(60, 0), (100, 30)])
def test_a_panel_with_the_nodes_that_its_bound_asks_for(goal: int, top: int) -> None:
    """The integral of e^u P_k over a panel up to the truncation that is written down, which is below 2^-goal."""
    parts = panels._Sum()
    cover = panels._Cover(exp(u), 3, top, goal, parts)
    low, high = fmpq(1, 4), fmpq(3, 8)
    cover._usual = 10.0
    assert cover._panel(low, high, program(exp(u), ends=False), cover._values)
    with mp.workdps(60):
        a, b = mp.pi / 4, 3 * mp.pi / 8
        true = mp.quad(lambda t: mp.exp(mp.cos(t)) * mp.legendre(top, mp.cos(t)) * mp.sin(t), [a, b])
        rule = sum(
            mp.mpf(v.mid().str(60, radius=False))
            * mp.legendre(top, mp.cos(mp.mpf(t.mid().str(60, radius=False))))
            for t, v in zip(parts.theta, parts.values, strict=True)
        )
        bound = number(parts.truncation(top, cover._d))
        assert abs(rule - true) <= bound <= mp.mpf(2) ** -goal * 1.01


@pytest.mark.parametrize(("d", "top"), [(3, 0), (6, 20)])
def test_the_truncation_of_a_panel_is_that_of_its_ellipse(d: int, top: int) -> None:
    """(64/15) h M S^(d-2) e^(kY) rho^-2n/(1 - rho^-2), M and S on the ellipse rho = e^(11/8)."""
    parts = panels._Sum()
    cover = panels._Cover(exp(u), d, top, 60, parts)
    cover._usual = 10.0
    assert cover._panel(fmpq(1, 4), fmpq(3, 8), program(exp(u), ends=False), cover._values)
    middle, half, n = 5 * mp.pi / 16, mp.pi / 16, len(parts.theta)
    edge = [middle + half * mp.cosh(mp.mpf(11) / 8 + 1j * mp.pi * j / 32) for j in range(33)]
    size = max(abs(mp.exp(mp.cos(z))) for z in edge) * max(abs(mp.sin(z)) for z in edge) ** (d - 2)
    true = (
        mp.mpf(64)
        / 15
        * half
        * size
        * mp.exp(top * max(mp.im(z) for z in edge))
        * mp.exp(-mp.mpf(11) / 4 * n)
        / (1 - mp.exp(-mp.mpf(11) / 4))
    )
    assert true <= number(parts.truncation(top, cover._d)) <= 20 * true


# next to a singular point inside -----------------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 3, 4, 7])
@pytest.mark.parametrize(
    ("kernel", "point"),
    [
        (log(Abs(u)), 0),
        (Abs(u - Rational(1, 2)) ** Rational(-1, 2), 0.5),
        (log(Abs(u + Rational(4, 5))), -0.8),
    ],
    ids=str,
)
def test_a_cell_around_a_singular_point_holds_the_integral(kernel: Any, point: float, d: int) -> None:
    f = lambdify(u, kernel, "mpmath")
    at = mp.acos(mp.mpf(point)) / mp.pi
    middle = fmpq(round(float(at) * 4096), 4096)
    low, high = middle - fmpq(1, 1024), middle + fmpq(1, 2048)
    found = panels._beside_point(kernel, Pieces(kernel).refine(60), d, low, high)
    a, b = (mp.pi * int(x.p) / int(x.q) for x in (low, high))
    edge = mp.acos(mp.mpf(point))
    parts = [a, edge - (edge - a) / 10**4, edge, edge + (b - edge) / 10**4, b]
    with mp.workdps(25):
        true = mp.quad(lambda t: abs(f(mp.cos(t))) * mp.sin(t) ** (d - 2), parts)
    # the longer side counts on both, and a logarithm is bounded by a power
    assert 0.99 * true <= number(found) <= 2.5 * true
    with pytest.raises(Unproved):
        panels._beside_point(kernel, Pieces(kernel).refine(60), d, fmpq(0), high)


def test_the_weight_of_a_cell_is_the_largest_on_it() -> None:
    """One side alone, where (1-u^2)^((d-3)/2) is larger than at the point, by a quarter for d = 60."""
    kernel = sympy.Heaviside(u + Rational(4, 5)) * log(Abs(u + Rational(4, 5)))
    edge = mp.acos(mp.mpf(-4) / 5)
    low, high = fmpq(809, 1024), fmpq(816, 1024)
    found = panels._beside_point(kernel, Pieces(kernel).refine(60), 60, low, high)

    def f(t: mp.mpf) -> mp.mpf:
        return abs(mp.log(abs(mp.cos(t) + mp.mpf(4) / 5))) * mp.sin(t) ** 58

    with mp.workdps(25):
        a = mp.pi * 809 / 1024
        true = mp.quad(f, [a, (a + edge) / 2, edge - (edge - a) / 10**3, edge])
    assert true <= number(found) <= 12 * true


def test_a_pole_is_not_integrated() -> None:
    for kernel in (1 / u**2, 1 / Abs(u)):
        with pytest.raises(Unproved):
            panels._beside_point(kernel, Pieces(kernel).refine(60), 3, fmpq(511, 1024), fmpq(513, 1024))


# the trapezoidal rule on the disc ----------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "k"), [(2, 0), (3, 0), (6, 0), (2, 1), (2, 4), (3, 5), (5, 2)])
def test_the_error_of_the_trapezoidal_rule(d: int, k: int) -> None:
    """2/(e^(2 pi c/h) - 1) times the largest integrand on the line Im s = c, for the best c; attained for k = 0."""
    for step in (fmpq(1, 4), fmpq(1), fmpq(2)):
        h = mp.mpf(int(step.p)) / int(step.q)

        def most(c: mp.mpf, h: mp.mpf = h) -> mp.mpf:
            size = max(
                abs(polynomial_of(k, d, mp.tanh(x + 1j * c)))
                * abs(mp.cosh(x) / mp.cosh(x + 1j * c)) ** (d - 1)
                for x in (mp.mpf(n) / 8 for n in range(12))
            )
            return 2 * size / mp.expm1(2 * mp.pi * c / h)

        true = min(most(mp.pi / 4 * j / 16) for j in range(1, 17))
        found = number(_truncation(step, k, d))
        assert true * (1 - mp.mpf(10) ** -12) <= found
        assert h > 1 / mp.mpf(4) or found <= true * (1.0001 if k == 0 else 2.5 if d == 2 else 30)
        assert _truncation(_step(k, d, 30.0), k, d) < arb((1, -29))


@pytest.mark.parametrize("d", [2, 3, 5])
def test_the_nodes_that_are_left_out(d: int) -> None:
    """sum over |j| > J of h cosh(jh)^(1-d) |kappa - l| for kappa_1, whose even and odd parts rise."""
    rule = _Rule(kappa1(u), Mean(S.One), d)
    for step, goal in ((fmpq(1, 4), 20), (fmpq(1, 2), 40)):
        h = mp.mpf(int(step.p)) / int(step.q)
        with flint_precision(64):
            count, left, other = rule._reach(step, goal, arb(1))

        def value(x: mp.mpf) -> mp.mpf:
            return (mp.sqrt(1 - x * x) + (mp.pi - mp.acos(x)) * x) / mp.pi

        total = mp.mpf(0)
        for j in range(count + 1, count + 200):
            w, x = h * mp.sech(h * j) ** (d - 1), mp.tanh(h * j)
            line = [(1 + number(other)) / 2 + s * (1 - number(other)) / 2 * x for s in (1, -1)]
            total += w * sum(abs(value(s * x) - y) for s, y in zip((1, -1), line, strict=True))
        assert total <= number(left) <= mp.mpf(2) ** -goal and number(left) < 100 * total + mp.mpf(10) ** -15
        with flint_precision(64 + goal):
            here = rule._value(step * 3, 1, goal)
        assert (
            here.rad() < arb((1, -goal))
            and abs(number(here) - value(mp.tanh(3 * h))) < mp.mpf(2) ** -goal + mp.mpf(10) ** -14
        )


# series ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 3, 8])
@pytest.mark.parametrize("k", [0, 1, 4, 9])
def test_what_a_series_leaves_out_lies_at_the_worst_degree(d: int, k: int) -> None:
    """A single coefficient more, at any degree, is in the ball; the largest one is its end."""
    for length in (k + 1, k + 2, 2 * k + 3, 40):
        for up in (True, False):
            with flint_precision(128):
                part = _Part(arb_series([1] * length, prec=200), arb(1), up)
                found = _eigenvalue(part, d, k)
            known = sum(monomial_moment(p, k, d) for p in range(length))
            most = max(monomial_moment(p, k, d) for p in range(length, length + 400))
            low, high = number(found.lower()), number(found.upper())
            assert (
                low <= known + (0 if up else -most) + mp.mpf(10) ** -8
                and known + most <= high + mp.mpf(10) ** -8
            )
            assert high <= known + 1 + mp.mpf(10) ** -8 and (not up or low >= known - mp.mpf(10) ** -8)
            if (length - 1) * (d - 1) > k * k + d * k + 2 * d:
                # from the largest on they fall: the one before the first that is left out bounds them
                before = max(monomial_moment(p, k, d) for p in range(k, length))
                assert high <= known + before + mp.mpf(10) ** -8


def test_sums_and_products_of_series_keep_what_they_leave_out() -> None:
    series = power_series._Series(10, 64)
    one = _Part(arb_series([1, 2]), arb(3), True)
    other = _Part(arb_series([0, 1]), arb(5), False)
    total = series._sum(u + 1, [one, other])
    assert total.left == 8 and not total.up and not total.cut
    constant = series._constant(S(-7))
    scaled = series._product(-7 * u, [constant, one])
    assert scaled.left == 21 and not scaled.up
    for value, least in ((arb(2, 1), 1), (arb(0, 1), 0), (arb(-1, "0.5"), 0)):
        assert (
            abs(number(power_series._least(value)) - least) < 1e-8
            and power_series._least(value) <= value.lower()
        ) or least == 0
    with flint_precision(64):
        below = series._below(u**3 + 2, arb_series([2, 0, 0, "0.25"]), True)
    assert below.left >= fmpq(3, 4) and below.left < fmpq(7600, 10000) and below.up and below.cut


#: a sum of powers times a function, its values in y = 1 - u, and the dimension
SUMS: list[tuple[Any, Any, int]] = [
    (StretchedExponential(S.Zero, S(1), S.Half), lambda y: mp.exp(-mp.sqrt(y)), 3),
    (StretchedExponential(S.Half, S(2), S(1)), lambda y: mp.sqrt(y) * mp.exp(-2 * y), 4),
    (
        BesselSecondKind(S.Half, Rational(1, 3), S(2)),
        lambda y: mp.sqrt(y) * mp.besselk(mp.mpf(1) / 3, 2 * mp.sqrt(y)),
        3,
    ),
    (BesselSecondKind(S.One, S(1), S(2)), lambda y: y * mp.besselk(1, 2 * mp.sqrt(y)), 3),
]


@pytest.mark.parametrize(("core", "f", "d"), SUMS, ids=["exp sqrt", "exp", "K_1/3", "K_1"])
def test_tails_of_sums_over_powers(core: Any, f: Any, d: int) -> None:
    """With few bits the rest of the series is what the balls are wide by."""
    c = mp.gamma(mp.mpf(d) / 2) / mp.sqrt(mp.pi) / mp.gamma(mp.mpf(d - 1) / 2)
    for k in (0,) if core.__class__ is BesselSecondKind else (0, 2):

        def integrand(t: mp.mpf, k: int = k) -> mp.mpf:
            return f(2 * mp.sin(t / 2) ** 2) * polynomial_of(k, d, mp.cos(t)) * mp.sin(t) ** (d - 2)

        true = c * mp.quad(integrand, [0, 1, mp.pi], maxdegree=4)
        for bits in (6, 20, 40):
            with flint_precision(bits):
                found = core.moments(d, [k])[k]
            assert number(found.lower()) <= true + mp.mpf(10) ** -11 and true - mp.mpf(10) ** -11 <= number(
                found.upper()
            )


@pytest.mark.parametrize(
    ("a", "c", "g"),
    [(S.Zero, S(3), S.Half), (Rational(-3, 4), Rational(1, 1000), Rational(1, 8)), (S(1), S(5), S(1))],
)
def test_the_end_of_a_stretched_exponential(monkeypatch: pytest.MonkeyPatch, a: Any, c: Any, g: Any) -> None:
    """Where all moments are zero, the ball is the bound: the sum of |c|^j 2^(a+gj)/j! behind the last exponent."""
    asked: list[mp.mpf] = []

    def moments(nu: arb, d: int, ks: Any) -> dict[int, arb]:
        asked.append(number(nu))
        return {k: arb(0) for k in ks}

    monkeypatch.setattr(cores, "_power_moments", moments)
    with flint_precision(10):
        found = StretchedExponential(a, c, g).moments(3, [0])[0]
    b, h = mp.mpf(int(a.p)) / int(a.q), mp.mpf(int(g.p)) / int(g.q)
    # |mu_k(y^e)| <= 2^e for e >= 0 alone
    assert b + h * len(asked) >= 0
    rest = sum(mp.mpf(float(c)) ** j * 2 ** (b + h * j) / mp.factorial(j) for j in range(len(asked), 90))
    assert 0 < rest <= number(found.rad()) <= 2.2 * mp.mpf(2) ** -10


def test_the_end_of_a_bessel_series() -> None:
    """2 size 2^(e+1) for terms that fall by half from one to the next."""
    core = BesselSecondKind(S.One, S(1), S(2))
    for ratio, e, j, done in (
        (fmpq(1, 3), 1, 3, True),
        (fmpq(1, 2), 1, 3, False),
        (fmpq(1, 3), fmpq(1, 2), 3, False),
        (fmpq(1, 3), 1, 2, False),
    ):
        total = {0: arb(0)}
        with flint_precision(20):
            size = arb((1, -30))
            assert core._done(j, arb(e), size, arb(ratio), total) is done
        if done:
            true = sum(mp.mpf(2) ** -30 * mp.mpf(1) / 2**i * 2 ** (e + 1) for i in range(60))
            assert close(number(total[0].abs_upper()), true, 1e-6)
        else:
            assert total[0] == 0


# polynomials on cells ----------------------------------------------------------------------------------------


def test_the_degree_that_an_ellipse_asks_for() -> None:
    """4 M rho^-n/(rho - 1) <= 2^-54 size on the ellipse around a cell that lies in the one around all of them."""
    for cells in (8, 16):
        for beta, bound, size in ((0.5, 3.0, -1.0), (1.0, 10.0, 0.0)):
            n = interpolating._degree(cells, [(beta, bound)], size)
            assert n is not None
            worst = mp.mpf(0)
            for i in range(cells):
                centre, half = -1 + (2 * i + 1) / mp.mpf(cells), 1 / mp.mpf(cells)
                points = [mp.cosh(beta + 1j * mp.pi * j / 60) for j in range(61)]
                reach = min(abs(z - centre) for z in points) / half
                # the largest ellipse around the cell in the disc of that radius: its longer semi-axis is at most that
                rho = reach + mp.sqrt(reach**2 - 1)
                worst = max(worst, mp.ceil((2 + bound - mp.log(rho - 1, 2) + 54 - size) / mp.log(rho, 2)))
            assert worst <= n <= worst + 1
    assert interpolating._degree(2, [(0.1, 0.0)], 0.0) is None


def test_zeros_at_the_ends_are_taken_out_of_the_bound() -> None:
    """|kappa|/(theta^a (pi-theta)^b) on the ellipse for kappa = (1-u)^1 (1+u)^(1) = sin^2."""
    for (beta, found), (plain_beta, plain) in zip(
        interpolating._bounds(1 - u**2, 4), interpolating._bounds(1 - u**2, 0), strict=True
    ):
        assert beta == plain_beta
        distance = min(abs(mp.pi / 2 * (1 + mp.cosh(beta + 1j * mp.pi * j / 100))) for j in range(101))
        assert (
            found - plain >= -4 * mp.log(distance, 2) - 1e-9
            and found - plain <= -4 * mp.log(distance, 2) + 1e-3
        )


def test_an_interpolant_in_powers() -> None:
    """Of a polynomial of that degree it is the polynomial; of e^x it errs by at most 4 M rho^-n/(rho-1)."""
    low, high = fmpq(1, 3), fmpq(1, 2)
    found = polynomial(lambda x: arb(x) ** 3 - 2 * arb(x), low, high, 3)
    with flint_precision(128):
        for x in (low, fmpq(2, 5), high):
            y = (x - (low + high) / 2) / (high - low)
            assert sum((c * y**j for j, c in enumerate(found)), arb(0)).overlaps(arb(x) ** 3 - 2 * arb(x))
        found = polynomial(lambda x: arb(x).exp(), low, high, 4)
        worst = mp.mpf(0)
        for j in range(41):
            y = mp.mpf(j - 20) / 40
            x = mp.mpf(5) / 12 + y / 6
            worst = max(worst, abs(sum(number(c) * y**i for i, c in enumerate(found)) - mp.exp(x)))
        half = mp.mpf(1) / 12
        assert worst <= min(
            4 * mp.exp(mp.mpf(5) / 12 + half * (r + 1 / r) / 2) * r**-4 / (r - 1)
            for r in map(mp.mpf, range(2, 200))
        )


@pytest.mark.parametrize("kernel", [exp(u), exp(-sqrt(1 - u)), kappa1(u)], ids=str)
def test_the_degree_of_a_cell_next_to_an_end(kernel: Any) -> None:
    kappa, values = program(kernel, ends=False), interpolating.compile_ball(kernel, [u])
    f = lambdify(u, kernel.rewrite(acos), "mpmath")
    low, high = fmpq(1, 8), fmpq(1, 8) + fmpq(1, 64)
    n = interpolating._degree_of_cell(kappa, values, 1, low, high)
    middle, half = mp.pi * mp.mpf(17) / 128, mp.pi / 128
    rho = mp.exp(mp.mpf(11) / 8)
    most = max(abs(f(mp.cos(middle + half * mp.cosh(mp.log(rho) + 1j * mp.pi * j / 32)))) for j in range(33))
    need = mp.ceil((mp.log(4 * most / abs(f(mp.cos(middle))) / (rho - 1), 2) + 55) / mp.log(rho, 2))
    assert need <= n <= need + 1
    row, needed = interpolating._graded_cell(kappa, values, 1, low, high)
    for j in range(9):
        y = mp.mpf(j - 4) / 8
        x = f(mp.cos(middle + 2 * half * y))
        assert (
            abs(sum(mp.mpf(float(c)) * y**i for i, c in enumerate(row[: needed + 1])) - x) <= abs(x) * 2**-50
        )


# ranges, boxes -----------------------------------------------------------------------------------------------

RANGES: list[tuple[Any, Any, Any, float]] = [
    (u**2 - u, -0.5, 0.25, 1.0),
    (1 / (2 + u), -1, 1, 1e-12),
    (u**-2, 0.25, 0.5, 1e-12),
    (u**-3, -0.5, -0.25, 1e-12),
    ((u - 2) ** -1, -1, 1, 1e-12),
    (u**4, -0.5, 0.25, 1e-11),
    (u**3, -0.5, 0.25, 1e-12),
    (sqrt(1 - u), 0.5, 1, 1e-12),
    ((1 - u) ** Rational(3, 2), -1, 1, 1e-12),
    ((1 + u) ** Rational(-1, 3), -0.5, 1, 1e-12),
    (2**u, -1, 1, 1e-8),
    (log(1 + u), -0.5, 1, 1e-12),
    (Abs(u), -0.75, 0.5, 1e-12),
    (sympy.Max(u, -u / 2), -0.5, 0.25, 0.13),
    (sympy.Min(u, -u / 2), -0.5, 0.25, 0.26),
    (sin(3 * u), -1, 1, 1e-4),
    (cos(u), -0.5, 1, 0.1),
    (tanh(2 * u), -1, 1, 1e-12),
    (erf(u), -1, 1, 1e-12),
    (erfc(u), -1, 1, 1e-12),
    (acos(u), -1, 1, 1e-12),
    (ArcCosine(1, u), -1, 1, 1e-12),
    (ArcCosine(0, u), -0.5, 1, 1e-12),
    (exp(-1 / (1 - u)), 0, 1, 1e-12),
    (erf(1 / (1 - u)), 0, 1, 1e-12),
    (u * (1 - u) * (2 + u), -1, 0.5, 6.0),
]  # fmt: skip


@pytest.mark.parametrize(("expr", "low", "high", "wide"), RANGES, ids=[str(r[0]) for r in RANGES])
def test_a_range_holds_the_values_and_little_more(expr: Any, low: float, high: float, wide: float) -> None:
    found = ranges.range_on(expr, arb(low), arb(high))
    assert found is not None
    f = lambdify(u, expr.rewrite(acos) if expr.has(ArcCosine) else expr, "mpmath")
    a, b = mp.mpf(low), mp.mpf(high)
    values = []
    for j in range(201):
        x = a + (b - a) * j / 200
        try:
            values.append(f(x))
        except ZeroDivisionError:
            continue
    slack = mp.mpf(10) ** -14
    assert number(found[0]) <= min(values) + slack and max(values) - slack <= number(found[1])
    assert (
        number(found[0]) >= min(values) - wide - 1e-3 * (wide < 1e-3) * (expr.has(exp) or expr.has(erf))
        and number(found[1]) <= max(values) + wide
    )


def test_orthants_on_a_box_of_thresholds() -> None:
    found = ranges._orthant(Orthant(u, u, u), (arb(0), arb(1)), (arb(-1), arb(0)), (arb(0), arb(1) / 2))
    assert found is not None

    def quadrant(h: float, k: float, r: float) -> mp.mpf:
        return mp.quad(
            lambda x: mp.npdf(x) * mp.erfc((k - r * x) / mp.sqrt(2 - 2 * r * r)) / 2, [h, h + 2, h + 9]
        )

    assert (
        abs(number(found[0]) - quadrant(1, 0, 0)) < 1e-12
        and abs(number(found[1]) - quadrant(0, -1, 0.5)) < 1e-12
    )
    assert ranges._orthant(Orthant(u, u, u), (arb(0), arb(1)), (arb(0), arb(1)), (arb(0), arb(1) * 2)) is None


def test_a_value_is_settled_by_its_digits() -> None:
    """Balls that are too wide are asked again; one that holds 0 at the limit is 0 with its bound."""
    asked: list[tuple[tuple[int, ...], int]] = []

    def moments(ks: Any, target: int) -> dict[int, arb]:
        asked.append((tuple(ks), target))
        return {k: arb(k and fmpq(1, 2**k), fmpq(1, 2**target)) for k in ks}

    found = settle(moments, [0, 1, 30], 40, 8, 100)
    assert asked[0] == ((0, 1, 30), 48) and asked[1][0] == (0, 30)
    assert found[1].ball.rel_accuracy_bits() >= 40 and found[30].ball.rel_accuracy_bits() >= 40
    assert found[0].ball.contains(0) and found[0].ball.mid() == 0 and found[0].ball.rad() <= arb((1, -139))
    assert found[0].ball.rad() >= arb((1, -140))
