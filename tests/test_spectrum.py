"""mu_k: closed forms, quadrature and the referee agree, and every error bound holds."""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress
from pathlib import Path

import flint
import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, fmpq
from sympy import Rational as Q
from thorough import some

from asymptok import check, expand, kernels, u
from asymptok.atlas.charts import Chart
from asymptok.atlas.local import Unproved, behaviour, substitution_power
from asymptok.atlas.program import program
from asymptok.atlas.rewriting import rewritten
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.spectrum import Spectrum, eigenvalues, multiplicity
from asymptok.spectrum import quadrature as quadrature_module
from asymptok.spectrum.closed_forms import recognise
from asymptok.spectrum.moments import cosine_moments, gegenbauer_moments, normalisation
from asymptok.spectrum.parity import vanishing
from asymptok.spectrum.quadrature import quadrature

DIMENSIONS = (2, 3, 4, 5, 10, 20)

#: kernels with a closed form: two proved methods can be compared
CLOSED = {
    "kappa_0": ArcCosine(0, u),
    "kappa_1": ArcCosine(1, u),
    "kappa_2": ArcCosine(2, u),
    "NTK_2": kernels.ntk(2).expr,
    "first layer": kernels.first_layer_ntk().expr,
    "laplace": kernels.laplace().expr,
    "laplace 30": kernels.laplace(c=30).expr,
    "gamma 1/2": kernels.gamma_exponential(Q(1, 2)).expr,
    "matern 3/2": kernels.matern(Q(3, 2)).expr,
    "matern 5/2": kernels.matern(Q(5, 2), length=2).expr,
    "gaussian": kernels.gaussian(2).expr,
    "exponential": sympy.exp(-3 * u),
    "rational quadratic": kernels.rational_quadratic(2).expr,
    "cauchy": kernels.cauchy().expr,
    "poisson": kernels.poisson(Q(1, 2), 3).expr,
    "polynomial": kernels.polynomial(5).expr,
    "power": (1 - u) ** Q(1, 3) + 2 * (1 + u) ** Q(7, 2),
    "u^2 power": u**2 * (1 + u) ** Q(1, 3),
    "asin": sympy.asin(u) * u**2,
    "circle": sympy.sqrt(1 - u**2),
    "pole": (1 - u) ** Q(-1, 4),
}
#: kernels without one: the proved quadrature against the referee
OPEN = {
    "NTK_3": kernels.ntk(3).expr,
    "RF_3": kernels.random_features(3).expr,
    "NTK_5": kernels.ntk(5).expr,
    "step 3": kernels.step_features(3).expr,
    "kappa_1(kappa_0)": ArcCosine(1, ArcCosine(0, u)),
    "erf": kernels.erf_network().expr,
    "sqrt(1-u^4)": sympy.sqrt(1 - u**4),
    "kappa_1((9u+1)/10)": ArcCosine(1, (9 * u + 1) / 10),
    "mixed": sympy.tanh(u) + sympy.gamma(3 + u) + sympy.atan(u / 2) + sympy.log(3 - u),
    "dilogarithm": sympy.polylog(2, u / 2),
}
#: no single ellipse will do: proved on panels, or by models at the ends
PANELS = {
    "elliptic K": sympy.elliptic_k(u),
    "matern 1": kernels.matern(1).expr,
    "sin of a power": sympy.sin((1 - u) ** (sympy.sqrt(2) / 2)),
    "|u|": sympy.Abs(u),
    "t log t": (1 - u) * sympy.log(1 - u) + ArcCosine(1, u),
    "polylog at 1": sympy.polylog(2, u),
}


#: kernels that cost mpmath seconds for each integral
SLOW = {"matern 1", "dilogarithm", "polylog at 1", "NTK_5", "RF_3", "elliptic K"}


def _slow(name: str) -> object:
    return pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name


def overlapping(a: Spectrum, b: Spectrum) -> int:
    """The number of k compared; fails on the first pair of balls that exclude each other."""
    for k in a.ks:
        assert a.ball(k).overlaps(b.ball(k)), (k, a.ball(k), b.ball(k))
    return len(a)


def holds(spectrum: Spectrum, better: Spectrum) -> int:
    """|spectrum[k] - mu_k| <= error(k), mu_k taken from a ball that is far smaller."""
    for k in spectrum.ks:
        with flint.ctx.workprec(4000):
            distance = abs(better.ball(k) - arb(spectrum[k]))
            assert not distance > arb(spectrum.error(k)), (k, distance, spectrum.error(k))
    return len(spectrum)


# ------------------------------------------------------------------------------------- known numbers


def test_two_layer_ntk_in_three_dimensions() -> None:
    for method in ("closed_form", "quadrature", "mpmath"):
        s = eigenvalues(kernels.ntk(2), d=3, ks=[0, 1, 2, 4, 10], method=method)
        with mpmath.workdps(40):
            assert abs(s[0] - mpmath.mpf(1) / 2) < mpmath.mpf(10) ** -30
            assert abs(s[1] - mpmath.mpf(1) / 3) < mpmath.mpf(10) ** -30
            assert abs(s[2] - mpmath.mpf(5) / 64) < mpmath.mpf(10) ** -30
            assert abs(s[10] - mpmath.mpf("0.000295956929524739583333333333333")) < mpmath.mpf(10) ** -32
    assert eigenvalues(kernels.ntk(2), d=3, ks=[3, 5, 101]).values == (0, 0, 0)


def test_poisson_kernel_has_the_powers_of_r() -> None:
    s = eigenvalues(kernels.poisson(Q(1, 3), 5), d=5, kmax=20, dps=40)
    for k in s.ks:
        assert s.ball(k).overlaps(arb(fmpq(1, 3**k))), k


def test_values_of_the_constant_kernel_sum_up() -> None:
    # kappa(1) = sum_k mu_k N(d, k), exactly for a polynomial
    for d in DIMENSIONS:
        s = eigenvalues(kernels.polynomial(6), d=d, kmax=10)
        total = sum(s.ball(k) * multiplicity(k, d) for k in s.ks)
        assert total.overlaps(arb(2**6))
        assert s.values[7:] == (0, 0, 0, 0)


def test_logarithm_in_closed_form() -> None:
    # log(1-u), d = 3: mu_k = -1/(k(k+1))
    s = eigenvalues("log(1-u)", d=3, ks=[1, 2, 10], dps=25)
    assert s.rigorous
    for k in s.ks:
        assert s.ball(k).overlaps(arb(fmpq(-1, k * (k + 1))))


# --------------------------------------------------------------------------------- agreement and bounds


@pytest.mark.parametrize("name", CLOSED)
def test_closed_form_and_quadrature_agree(name: str) -> None:
    compared = 0
    for d in DIMENSIONS:
        exact = eigenvalues(CLOSED[name], d=d, kmax=24, dps=50, method="closed_form")
        assert exact.rigorous
        for dps in (15, 30):
            s = eigenvalues(CLOSED[name], d=d, kmax=24, dps=dps, method="quadrature")
            assert s.rigorous, (name, d)
            compared += overlapping(s, exact) + holds(s, exact)
    assert compared == 2 * 2 * 25 * len(DIMENSIONS)


def _agrees_with_the_referee(name: str, d: int, ks: list[int]) -> None:
    s = eigenvalues(OPEN[name], d=d, ks=ks, dps=15)
    assert s.rigorous
    referee = eigenvalues(OPEN[name], d=d, ks=ks, dps=15, method="mpmath")
    assert not referee.rigorous
    overlapping(s, referee)


@pytest.mark.parametrize("name", [_slow(name) for name in OPEN])
def test_quadrature_and_referee_agree(name: str) -> None:
    _agrees_with_the_referee(name, 3, [0, 5])


@pytest.mark.slow
@pytest.mark.parametrize("name", OPEN)
def test_quadrature_and_referee_agree_in_other_dimensions(name: str) -> None:
    for d in some((2, 3, 10), 2, name, OPEN):
        _agrees_with_the_referee(name, d, [0, 1, 2, 8])


@pytest.mark.parametrize(
    "dimensions", [(2, 3, 20), pytest.param((4, 5, 10), marks=pytest.mark.slow)], ids=str
)
@pytest.mark.parametrize("name", OPEN)
def test_error_bounds_hold_at_every_precision(name: str, dimensions: tuple[int, ...]) -> None:
    for d in dimensions:
        best = eigenvalues(OPEN[name], d=d, kmax=30, dps=80)
        for dps in (15, 30, 50):
            s = eigenvalues(OPEN[name], d=d, kmax=30, dps=dps)
            holds(s, best)
            for k in s.ks:
                assert s.error(k) <= mpmath.mpf(10) ** -dps * abs(s[k]), (name, d, k)


@pytest.mark.parametrize("d", [pytest.param(2, marks=pytest.mark.slow), 3, 5])
@pytest.mark.parametrize("name", [_slow(name) for name in PANELS])
def test_panels_agree_with_the_referee(name: str, d: int) -> None:
    expr = PANELS[name]
    s = eigenvalues(expr, d=d, ks=[0, 2, 6], dps=15)
    assert s.rigorous
    overlapping(s, eigenvalues(expr, d=d, ks=[0, 2, 6], dps=15, method="mpmath"))
    holds(s, eigenvalues(expr, d=d, ks=[0, 2, 6], dps=30))


def test_kinks_inside_the_interval() -> None:
    half = eigenvalues(sympy.Max(u, 0) ** 2, d=3, ks=[0, 1, 2, 3, 4, 5], dps=20)
    # Max(u, 0)^2 = (u^2 + u|u|)/2: for even k the eigenvalues of u^2/2
    assert half[4] == 0 and half.method(4) == "symmetry"
    assert half.ball(0).overlaps(arb(fmpq(1, 6))) and half.ball(1).overlaps(arb(fmpq(1, 8)))
    shifted = eigenvalues(sympy.Abs(u - Q(1, 3)), d=3, ks=[0], dps=20)
    # (1/2) int |u - 1/3| du = ((4/3)^2 + (2/3)^2)/4
    assert shifted.ball(0).overlaps(arb(fmpq(5, 9)))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CLOSED, *OPEN])
def test_two_hundred_digits(name: str) -> None:
    expr = (CLOSED | OPEN)[name]
    for d in some(DIMENSIONS, 2, name, CLOSED | OPEN):
        s = eigenvalues(expr, d=d, kmax=12, dps=200)
        holds(s, eigenvalues(expr, d=d, kmax=12, dps=230, method="quadrature"))


@pytest.mark.slow
@pytest.mark.parametrize("name", OPEN)
def test_referee_at_many_digits(name: str) -> None:
    for d, dps in some(((2, 50), (5, 30), (20, 30)), 1, name, OPEN):
        s = eigenvalues(OPEN[name], d=d, ks=[0, 7], dps=dps)
        overlapping(s, eigenvalues(OPEN[name], d=d, ks=[0, 7], dps=dps, method="mpmath"))


# ----------------------------------------------------------------------------------- relative digits


def test_tiny_eigenvalues_get_their_digits() -> None:
    s = eigenvalues(kernels.erf_network(), d=3, ks=[151], dps=30)
    assert 0 < s[151] < mpmath.mpf(10) ** -60 and s.error(151) < s[151] * mpmath.mpf(10) ** -30
    s = eigenvalues(kernels.ntk(3), d=100, kmax=40, dps=30)
    assert s.rigorous and s[40] < mpmath.mpf(10) ** -35
    assert all(s.error(k) < s[k] * mpmath.mpf(10) ** -30 for k in s.ks)


@pytest.mark.parametrize("c", [Q(1, 10**6), 1, 1000])
def test_tiny_and_huge_parameters(c: sympy.Rational) -> None:
    s = eigenvalues(kernels.laplace(c=c), d=3, ks=[0, 1, 40], dps=30)
    direct = eigenvalues(kernels.laplace(c=c), d=3, ks=[0, 1, 40], dps=30, method="quadrature")
    assert s.rigorous and direct.rigorous
    overlapping(s, direct)


def test_closed_forms_reach_very_high_degrees() -> None:
    s = eigenvalues(kernels.ntk(2), d=3, ks=[10**6, 10**12], dps=40)
    # mu_k ~ 2 c_1 C(3, 1/2) k^-3 for even k, c_1 = -sqrt(2)/pi
    assert abs(s[10**12] * mpmath.mpf(10) ** 36 * mpmath.pi - 1) < 1e-10
    assert s.error(10**12) < s[10**12] * mpmath.mpf(10) ** -40


@pytest.mark.parametrize("d", [3, 10])
def test_the_series_takes_over_at_high_degrees(d: int) -> None:
    kernel = kernels.ntk(3)
    series = eigenvalues(kernel, d=d, ks=[400, 401], dps=30, method="asymptotic")
    assert not series.rigorous and series.method(400) == "asymptotic"
    overlapping(series, eigenvalues(kernel, d=d, ks=[400, 401], dps=40, method="quadrature"))
    mixed = eigenvalues(kernel, d=d, ks=[5, 10**12], dps=40)
    assert (mixed.method(5), mixed.method(10**12)) == ("quadrature", "contour") and mixed.rigorous
    assert mixed.error(10**12) < mixed[10**12] * mpmath.mpf(10) ** -40
    with pytest.raises(AsymptokError):
        eigenvalues(kernel, d=d, ks=[3], dps=30, method="asymptotic")


# ------------------------------------------------------------------------------------- exact zeros


def test_zeros_by_symmetry() -> None:
    assert vanishing(kernels.ntk(2).expr) == (None, 1)
    assert vanishing(ArcCosine(3, u)) == (None, 3) and vanishing(ArcCosine(2, u)) == (2, None)
    assert vanishing(kernels.ntk(3).expr) == (None, None)
    s = eigenvalues(sympy.sqrt(1 - u**4), d=4, kmax=7)
    assert [k for k in s.ks if s[k] == 0] == [1, 3, 5, 7] and s.rigorous
    assert s.error(3) == 0 and s.method(3) == "symmetry"


def test_a_zero_by_the_symmetry_of_the_pieces_is_exact() -> None:
    # the even part is u^2/2
    s = eigenvalues(sympy.Piecewise((u**2, u < 0), (0, True)), d=3, ks=[1, 4], dps=15)
    assert s[4] == 0 and s.error(4) == 0 and s.is_proved(4)
    # mu_1 = (1/2) int_-1^0 u^3 du
    assert abs(s[1] + mpmath.mpf(1) / 8) <= s.error(1)


# ------------------------------------------------------------------------------- the parts of the proof


def test_moments_against_direct_sums() -> None:
    with flint.ctx.workprec(200):
        theta = [arb(1) / 3, arb(7) / 5]
        v = [arb(2), arb(-1)]
        moments = cosine_moments(theta, v, v, 57)
        assert all(
            m.overlaps(sum(x * (k * t).cos() for x, t in zip(v, theta, strict=True)))
            for k, m in enumerate(moments)
        )
        for d in (3, 4, 7):
            order = fmpq(d - 2, 2)
            for k, value in gegenbauer_moments(moments, d, [0, 1, 2, 3, 10, 57]).items():
                at_one = arb(1).gegenbauer_c(k, order)
                direct = (
                    sum(x * t.cos().gegenbauer_c(k, order) for x, t in zip(v, theta, strict=True)) / at_one
                )
                assert value.overlaps(direct) and value.rel_accuracy_bits() > 150


def test_normalisation_is_the_gamma_quotient() -> None:
    for d in range(2, 30):
        quotient = arb(fmpq(d, 2)).gamma() / (arb.const_sqrt_pi() * arb(fmpq(d - 1, 2)).gamma())
        assert normalisation(d).overlaps(quotient)


def test_local_behaviour_and_the_substitution() -> None:
    expr = ArcCosine(0, ArcCosine(0, u))
    assert behaviour(expr, 1)[expr].rise == Q(1, 4) and substitution_power(expr) == 2
    assert substitution_power((1 - u) ** Q(1, 3)) == 3
    assert substitution_power(sympy.exp(u)) == 1
    for bad in (sympy.log(1 - u), (1 - u) ** (sympy.sqrt(2)), sympy.besselk(1, sympy.sqrt(1 - u))):
        with pytest.raises(Unproved):
            substitution_power(bad)


@pytest.mark.parametrize("p", [1, 2, 3, 5])
def test_the_substitution_maps_the_interval_with_the_right_order(p: int) -> None:
    chart = Chart(fmpq(0), fmpq(1), p)
    with flint.ctx.workprec(200):
        near, slope = chart.angle(arb(-1) + arb((1, -40)))
        ratio = near / arb((1, -40 * p))
        assert ratio > 0.1 and ratio < 100
        step = arb((1, -100))
        quotient = (chart.angle(arb(1) / 3 + step)[0] - chart.angle(arb(1) / 3 - step)[0]) / (2 * step)
        assert abs(quotient - chart.angle(arb(1) / 3)[1]) < 1e-20
        assert slope > 0


@pytest.mark.parametrize("name", ["NTK_3", "step 3", "sqrt(1-u^4)", "mixed"])
def test_a_chart_encloses_the_values_on_its_ellipse(name: str) -> None:
    """Points above the middle of [0, pi], where principal values are right, lie in the enclosures of boxes."""
    expr = OPEN[name]
    kappa, chart = program(rewritten(expr)), Chart(fmpq(0), fmpq(1), substitution_power(expr))
    f = sympy.lambdify(u, expr.rewrite(sympy.acos) if expr.has(ArcCosine) else expr, "mpmath")
    for j in range(8):
        s = flint.acb(arb(0, "0.01"), arb(fmpq(j, 64), "0.01"))
        z = chart.angle(flint.acb(0, fmpq(j, 64)))[0]
        point = mpmath.mpc(float(z.real.mid()), float(z.imag.mid()))
        value = flint.acb(complex(f(mpmath.cos(point)))) + flint.acb(arb(0, 1e-12), arb(0, 1e-12))
        found = kappa.run(chart.sample(s))
        assert found.overlaps(value) and found.real.rad() < 2


def test_a_chart_goes_on_beyond_the_ends() -> None:
    """Beyond theta = 0 and pi the continuation of sqrt(1-u^2) is odd: kappa_1(cos theta) at the ends of an ellipse."""
    kappa, chart = program(ArcCosine(1, u)), Chart(fmpq(0), fmpq(1))
    for s in (flint.acb("-1.1", arb(0, "1e-6")), flint.acb("1.1", arb(0, "1e-6"))):
        z = chart.angle(s)[0].real
        assert z < 0 or z > arb.pi()
        direct = (z.cos() * (arb.pi() - z) + z.sin()) / arb.pi()
        found = kappa.run(chart.sample(s)).real
        assert found.overlaps(direct) and found.rad() < 1e-3


def test_a_singularity_inside_the_ellipse_is_noticed() -> None:
    near_pole = 1 / (Q(101, 100) - u)
    for beta, fine in ((fmpq(1, 32), True), (fmpq(1, 2), False)):
        assert (quadrature_module.around_interval(near_pole, 1, beta) is not None) is fine
    # kappa_1(2u) leaves [-1, 1]: no proof, and no answer
    with pytest.raises(AsymptokError):
        eigenvalues(ArcCosine(1, 2 * u), d=3, kmax=1)
    with pytest.raises(Unproved):
        quadrature(sympy.Abs(u), 3, [0, 2], 60)


# ------------------------------------------------------------------- the domains of the closed forms


def moment(nu: object, d: int, k: int) -> mpmath.mpf:
    """mu_k((1-u)^nu) from the theorem, with mpmath's own gamma functions."""
    nu = mpmath.mpmathify(nu)
    constant = (
        mpmath.mpf(2) ** (nu + d - 2)
        * mpmath.gamma(mpmath.mpf(d) / 2)
        * mpmath.gamma(nu + mpmath.mpf(d - 1) / 2)
    )
    return constant / mpmath.sqrt(mpmath.pi) * mpmath.rf(-nu, k) / mpmath.gamma(k + nu + d - 1)


@pytest.mark.parametrize(
    ("a", "c", "g", "d"),
    [
        (Q(-90), 1, Q(1, 2), 200),
        (Q(-9, 10), 1, Q(1, 3), 3),
        (Q(-3, 4), -2, Q(1, 2), 3),
        (-sympy.sqrt(2), 1, sympy.sqrt(2) / 2, 5),
        (Q(7, 2), 3, Q(1, 5), 2),
        (Q(-2, 5), 10, Q(1, 2), 2),
    ],
    ids=str,
)
def test_stretched_exponentials_with_a_negative_power(a: sympy.Expr, c: int, g: sympy.Expr, d: int) -> None:
    expr = (1 - u) ** a * sympy.exp(-c * (1 - u) ** g)
    s = eigenvalues(expr, d=d, ks=[0, 1, 7], dps=20, method="closed_form")
    assert s.rigorous
    with mpmath.workdps(80):
        low, step = mpmath.mpf(a.evalf(90)), mpmath.mpf(g.evalf(90))
        for k in s.ks:
            # the series term by term, summed until nothing is left: (10 sqrt(2))^150/150! < 10^-90
            total = mpmath.fsum(
                mpmath.mpf(-c) ** j / mpmath.factorial(j) * moment(low + j * step, d, k) for j in range(150)
            )
            assert abs(s[k] - total) <= s.error(k), k


def test_the_false_proof_at_a_high_dimension_is_gone() -> None:
    # by a rule that shares nothing with the series: the beta integral in t = 1 - u
    s = eigenvalues("(1-u)**(-90)*exp(-sqrt(1-u))", d=200, ks=[0], dps=15, method="closed_form")
    with mpmath.workdps(40):
        top = mpmath.quad(
            lambda x: 2 * x * x ** (-180) * mpmath.exp(-x) * (x**2 * (2 - x**2)) ** (mpmath.mpf(197) / 2),
            [0, 0.5, 0.75, 1, 1.2, mpmath.sqrt(2)],
        )
        constant = mpmath.gamma(100) / mpmath.sqrt(mpmath.pi) / mpmath.gamma(mpmath.mpf(199) / 2)
        assert abs(s[0] / (constant * top) - 1) < mpmath.mpf(10) ** -14


@pytest.mark.parametrize(
    ("text", "d"),
    [
        ("(1-u)**(-3/2)*exp(-(1-u)**(1/3))", 3),
        ("(1+u)**(-1)*exp(-sqrt(1+u))", 3),
        ("(1-u)**(-1/2)", 2),
        ("u**2*(1-u)**(-1)", 3),
        ("(1-u)**(-5/2)+(1-u)**(-2)", 5),
        ("(1-u)**(-2)*sqrt(1-u)", 4),
    ],
)
def test_what_is_not_integrable_has_no_closed_form(text: str, d: int) -> None:
    for method in ("auto", "closed_form"):
        with pytest.raises(AsymptokError):
            eigenvalues(text, d=d, kmax=2, dps=15, method=method)


def test_parts_that_are_not_integrable_may_cancel() -> None:
    one = eigenvalues("(1-u**2)/(1-u)", d=3, kmax=2)
    assert one.rigorous and one[0] == 1 and one.ball(1).overlaps(arb(fmpq(1, 3))) and one[2] == 0
    s = eigenvalues("u/(1-u) - 1/(1-u) + exp(u)", d=3, kmax=4, dps=20)
    overlapping(s, eigenvalues("exp(u) - 1", d=3, kmax=4, dps=30))
    # (1 - e^(-t)) t^(-3/2): each part alone diverges at d = 3
    s = eigenvalues("(1-u)**(-3/2)*(1 - exp(u-1))", d=3, ks=[0, 3], dps=20)
    with mpmath.workdps(40):
        for k in s.ks:
            total = mpmath.fsum(
                mpmath.mpf(-1) ** (j + 1) / mpmath.factorial(j) * moment(j - mpmath.mpf(3) / 2, 3, k)
                for j in range(1, 60)
            )
            assert abs(s[k] - total) <= s.error(k) + mpmath.mpf(10) ** -35


@pytest.mark.parametrize("d", [2, 3, 20])
def test_an_integrable_pole_times_an_exponential(d: int) -> None:
    # e^u = e e^(-t); mpmath.quad itself is off by seven of its own errors here, the series is not
    s = eigenvalues("(1-u)**(-1/4)*exp(u)", d=d, ks=[0, 1, 9], dps=20)
    with mpmath.workdps(50):
        for k in s.ks:
            total = mpmath.e * mpmath.fsum(
                mpmath.mpf(-1) ** j / mpmath.factorial(j) * moment(j - mpmath.mpf(1) / 4, d, k)
                for j in range(60)
            )
            assert abs(s[k] - total) <= s.error(k)


def test_cores_over_the_whole_of_their_domain() -> None:
    """Each closed form against mpmath's functions: small and large d, k and parameters, on both sides of zero."""
    with mpmath.workdps(60):
        for d in (2, 3, 17, 200):
            for k in (0, 1, 6, 25_000):
                for nu in (Q(-2, 5), Q(1, 3), Q(7), Q(401, 2), sympy.sqrt(2)):
                    s = eigenvalues((1 - u) ** nu, d=d, ks=[k], dps=20, method="closed_form")
                    truth = moment(mpmath.mpf(nu.evalf(70)), d, k)
                    assert abs(s[k] - truth) <= s.error(k) + abs(truth) * mpmath.mpf(10) ** -50, (d, k, nu)
                for a in (Q(-1, 2), Q(-7, 3), Q(3, 2)):
                    # (5 - 4u)^(-a) = 2^(-2a) (5/4 - u)^(-a), r = 1/2: 5 - 4u = 4 (1 + r^2 - 2ru)
                    s = eigenvalues((5 - 4 * u) ** (-a), d=d, ks=[k], dps=20, method="closed_form")
                    e, half = mpmath.mpf(a.p) / a.q, mpmath.mpf(d) / 2
                    truth = mpmath.mpf(4) ** -e * mpmath.mpf(2) ** -k * mpmath.rf(e, k) / mpmath.rf(half, k)
                    truth *= mpmath.hyp2f1(e + k, e - half + 1, k + half, mpmath.mpf(1) / 4)
                    assert abs(s[k] - truth) <= s.error(k) + abs(truth) * mpmath.mpf(10) ** -40, (d, k, a)
                if k < 100:
                    for n in (7, 401, 1000):
                        s = eigenvalues(u**n, d=d, ks=[k], dps=20, method="closed_form")
                        truth = mpmath.mpf(0)
                        if k <= n and (n - k) % 2 == 0:
                            truth = (
                                mpmath.gamma(mpmath.mpf(d) / 2) / mpmath.sqrt(mpmath.pi) / mpmath.mpf(2) ** k
                            )
                            truth *= mpmath.ff(n, k) * mpmath.gamma(mpmath.mpf(n - k + 1) / 2)
                            truth /= mpmath.gamma(mpmath.mpf(n + k + d) / 2)
                        assert abs(s[k] - truth) <= s.error(k) + abs(truth) * mpmath.mpf(10) ** -50, (d, k, n)


def test_a_core_with_an_undefined_rate_ends() -> None:
    from asymptok.spectrum.cores import StretchedExponential

    for rate in (sympy.log(-1), sympy.nan):
        with pytest.raises(AsymptokError, match="rate"):
            StretchedExponential(sympy.Integer(0), rate, Q(1, 2)).moments(3, [0])


def test_recognised_forms() -> None:
    for name, expr in CLOSED.items():
        assert recognise(expr) is not None, name
    for name, expr in OPEN.items():
        assert recognise(expr) is None, name


# ------------------------------------------------------------------------------------------ interface


def test_multiplicity() -> None:
    assert [multiplicity(k, 3) for k in range(4)] == [1, 3, 5, 7]
    assert [multiplicity(k, 2) for k in range(4)] == [1, 2, 2, 2]
    for d in range(2, 9):
        # dimension of the homogeneous polynomials of degree 6 = sum over 6, 4, 2, 0
        assert sum(multiplicity(k, d) for k in (6, 4, 2, 0)) == sympy.binomial(6 + d - 1, 6)


def test_spectrum_is_a_table(tmp_path: Path) -> None:
    s = eigenvalues("exp(-sqrt(1-u))", d=3, kmax=20, dps=20)
    assert len(s) == 21 and list(s)[3] == (3, s[3]) and s[:3] == s.values[:3] and 7 in s and 21 not in s
    assert np.allclose(s.to_numpy(), [float(v) for v in s.values]) and s.to_numpy().dtype == float
    s.to_csv(tmp_path / "mu.csv")
    lines = (tmp_path / "mu.csv").read_text().splitlines()
    assert lines[0] == "k,mu,error,multiplicity,method,proved" and len(lines) == 22
    assert mpmath.almosteq(mpmath.mpf(lines[4].split(",")[1]), s[3], 1e-15)
    assert (
        "d = 3" in str(s) and "closed_form" in str(s) and "<table>" in s._repr_html_() and "proved" in repr(s)
    )
    with pytest.raises(AsymptokError, match="mu_21"):
        s[21]
    with pytest.raises(AttributeError):
        s.d = 4  # type: ignore[misc]


def test_questions_that_make_no_sense() -> None:
    kernel = kernels.ntk(3)
    for bad in (1, 0, -3, 2.5, "3", True, np.array([3]), 10**31):
        with pytest.raises(AsymptokError, match="dimension"):
            eigenvalues(kernel, d=bad, kmax=3)  # type: ignore[arg-type]
    for arguments in (
        {"kmax": -1},
        {"kmax": 10**9},
        {"ks": [-1]},
        {"ks": []},
        {},
        {"kmax": 2, "ks": [1]},
        {"ks": [1.5]},
    ):
        with pytest.raises(AsymptokError):
            eigenvalues(kernel, d=3, **arguments)
    with pytest.raises(AsymptokError, match="method"):
        eigenvalues(kernel, d=3, kmax=1, method="simpson")
    with pytest.raises(AsymptokError, match="dps"):
        eigenvalues(kernel, d=3, kmax=1, dps=0)
    with pytest.raises(AsymptokError, match="closed form"):
        eigenvalues(kernel, d=3, kmax=1, method="closed_form")
    with pytest.raises(AsymptokError, match="parameter c"):
        eigenvalues(sympy.exp(-sympy.Symbol("c", positive=True) * u), d=3, kmax=1)


def test_questions_in_other_words() -> None:
    expected = eigenvalues("abs(u)", d=3, ks=[4], dps=20)[4]
    assert eigenvalues("abs(u)", d=3, ks=4, dps=np.int64(20))[4] == expected
    assert eigenvalues("abs(u)", d=np.int64(3), ks=np.array([4]), dps=20)[4] == expected
    assert eigenvalues("abs(u)", d=3, ks=(k for k in (4, 4)), dps=20).ks == (4,)
    for ks in ("4", b"4", [None], [[4]], 4.5, 10**41):
        with pytest.raises(AsymptokError):
            eigenvalues("abs(u)", d=3, ks=ks)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "expr",
    [
        "sqrt(2)*(u**5-u)",
        "pi*(u**3-u)",
        sympy.Piecewise((u, u < Q(1, 3)), (u**2, u < Q(1, 2)), (1, True)),
        sympy.Piecewise((1, sympy.And(u > 0, u < Q(1, 2))), (u, True)),
        sympy.floor(3 * u),
        sympy.Heaviside(u - Q(1, 3)),
        sympy.zeta(2, u + 3),
        sympy.atan2(u, 2),
        sympy.Mod(u, 1),
        sympy.DiracDelta(u),
        sympy.re(u),
        sympy.hyper([1, 2, 3], [2], u / 2),
        sympy.Max(sympy.sin(u) ** 2 + sympy.cos(u) ** 2, 1),
        sympy.Integral(u, (u, 0, 1)),
        sympy.LambertW(u, -1),
        sympy.elliptic_f(u, Q(1, 2)),
        sympy.Abs(u) ** u,
        u**u,
        sympy.gamma(u),
        sympy.log(sympy.log(2 + u)),
        sympy.Si(u) + sympy.Ci(2 + u),
    ],
    ids=str,
)
def test_odd_kernels_are_answered_or_refused_in_our_own_words(expr: object) -> None:
    # any other exception than ours fails the test
    with suppress(AsymptokError):
        assert len(eigenvalues(expr, d=3, kmax=2, dps=12)) == 3


@pytest.mark.parametrize(
    "text",
    [
        "1/(1-u)**2",
        "1/u",
        "sqrt(u)",
        "1/(1+u)",
        "exp(1/(1-u))",
        "log(1-u)/(1-u)",
        "kappa1(u)/(1-u) + exp(u)/(1-u)",
        "log(u-2)",
    ],
)
def test_kernels_that_are_not_integrable_or_not_real(text: str) -> None:
    with pytest.raises(AsymptokError):
        eigenvalues(text, d=3, kmax=2, dps=15)


def test_a_pole_may_be_integrable_in_higher_dimension() -> None:
    s = eigenvalues("1/(1-u)", d=5, ks=[0, 3], dps=20)
    overlapping(s, eigenvalues("1/(1-u)", d=5, ks=[0, 3], dps=20, method="quadrature"))


def test_precision_survives_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    bits, digits = flint.ctx.prec, mpmath.mp.prec

    def interrupt(*_: object) -> None:
        assert flint.ctx.prec != bits
        raise KeyboardInterrupt

    monkeypatch.setattr(quadrature_module, "cosine_moments", interrupt)
    with pytest.raises(KeyboardInterrupt):
        eigenvalues(kernels.ntk(3), d=3, kmax=5)
    assert (flint.ctx.prec, mpmath.mp.prec) == (bits, digits)


def test_progress_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    eigenvalues(kernels.ntk(3), d=3, kmax=5, progress=True)
    captured = capsys.readouterr()
    assert captured.out == "" and "100 %" in captured.err


def test_far_degrees_of_a_kernel_that_grows_fast_off_the_interval() -> None:
    # cos(30 u) is entire: far out nothing is left but (1-u)^(1/2), whose eigenvalues are a quotient of gammas
    found = eigenvalues("cos(30*u) + sqrt(1-u)", 3, ks=[3000])
    half = mpmath.mpf(1) / 2
    with mpmath.workdps(30):
        exact = mpmath.sqrt(2) * mpmath.gammaprod([3000 - half, half + 1], [-half, 3000 + half + 2])
        assert found.rigorous and abs(found[3000] - exact) <= mpmath.mpf("1e-14") * abs(exact)


def test_results_can_be_copied_and_sent_to_other_processes() -> None:
    """Balls return with the same centre and a radius that is not smaller; a theorem is the entry of the catalogue."""
    spectrum, report = eigenvalues("sqrt(1 - u)", 3, kmax=2), check("sqrt(1 - u)")
    for result in (spectrum, report, expand("sqrt(1 - u)/3")):
        for copied in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert repr(copied) == repr(result)
    other = pickle.loads(pickle.dumps(spectrum))
    assert other.values == spectrum.values and all(other.error(k) >= spectrum.error(k) for k in range(3))
    assert pickle.loads(pickle.dumps(report)).theorem is report.theorem


def test_a_file_that_cannot_be_written() -> None:
    with pytest.raises(AsymptokError, match="cannot write /nowhere"):
        eigenvalues("u", 3, kmax=2).to_csv("/nowhere/a.csv")
