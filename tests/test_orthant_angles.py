"""Quadrants whose probability is entire in the angle of the correlation: exponentials that end at a kink in 0."""

from __future__ import annotations

import mpmath
import pytest
import sympy
from flint import acb, arb
from mpmath import mpf
from sympy import Rational, S

from asymptok import Kernel, dual, eigenvalues, u
from asymptok.atlas.charts import WHOLE
from asymptok.atlas.local import Unproved, substitution_power
from asymptok.atlas.orthants import mixture
from asymptok.atlas.program import program
from asymptok.atlas.ranges import range_on
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.orthant import Orthant
from asymptok.spectrum.panels import panel_quadrature

MIXTURES = [(S.One, S.Zero), (S.One, S.One), (S.Half, Rational(3, 2)), (Rational(1, 3), Rational(-1, 2))]


def _density(z: mpf) -> mpf:
    return mpmath.exp(-z * z / 2) / mpmath.sqrt(2 * mpmath.pi)


def _tail(z: mpf) -> mpf:
    return mpmath.erfc(z / mpmath.sqrt(2)) / 2


def _derivative(a: mpf, b: mpf, theta: mpf) -> mpf:
    """d/dtheta of P(X > h, Y > k) from its three partial derivatives, correlation cos(theta)."""
    sine, r = mpmath.sin(theta), mpmath.cos(theta)
    h, k = a + b * r, b + a * r
    form = (h * h - 2 * r * h * k + k * k) / (2 * sine * sine)
    return (
        sine * b * _density(h) * _tail((k - r * h) / sine)
        + sine * a * _density(k) * _tail((h - r * k) / sine)
        - mpmath.exp(-form) / (2 * mpmath.pi)
    )


@pytest.mark.parametrize(("a", "b"), MIXTURES)
def test_eigenvalues_against_an_elementary_integral(a: sympy.Expr, b: sympy.Expr) -> None:
    """mu_k = 1/2 int kappa P_k du, d = 3, by parts: the integral of P_k is (P_(k+1) - P_(k-1))/(2k+1)."""
    spectrum = eigenvalues(Orthant(a + b * u, b + a * u, u), 3, ks=[1, 4])
    assert spectrum.rigorous
    with mpmath.workdps(32):
        p, q = mpf(int(a.p)) / int(a.q), mpf(int(b.p)) / int(b.q)
        for k in spectrum.ks:

            def integrand(theta: mpf, k: int = k) -> mpf:
                c = mpmath.cos(theta)
                inner = (mpmath.legendre(k + 1, c) - mpmath.legendre(k - 1, c)) / (2 * k + 1)
                return inner * _derivative(p, q, theta)

            expected = mpmath.quad(integrand, [0, mpmath.pi / 2, mpmath.pi], method="gauss-legendre") / 2
            assert abs(spectrum[k] - expected) < mpf(10) ** -27


def test_a_mean_by_symmetry() -> None:
    """P(X > 1, Y > u) + P(X > 1, Y > -u) at correlations u and -u is P(X > 1): half of it is the mean."""
    found = eigenvalues(Orthant(1, u, u), 3, ks=[0, 2], dps=60)
    with mpmath.workdps(60):
        assert abs(found[0] - mpmath.erfc(1 / mpmath.sqrt(2)) / 4) < mpf(10) ** -58
    assert found[2] == 0


@pytest.mark.parametrize(("a", "b"), MIXTURES)
def test_enclosures_beyond_the_ends(a: sympy.Expr, b: sympy.Expr) -> None:
    """On the path around the interval, past theta = 0 and pi, where the principal branch has long been left."""
    expr = Orthant(a + b * u, b + a * u, u)
    p, q = mpf(int(a.p)) / int(a.q), mpf(int(b.p)) / int(b.q)
    middle = _tail(p) * _tail(q)
    for s in ("-1.1", "1.1", "0.9"):
        box = acb(arb(s, "0.001"), arb("0.2" if s == "0.9" else 0, "0.001"))
        value = program(expr).run(WHOLE.sample(box))
        z = mpmath.mpc(complex(acb(WHOLE.angle(box)[0].mid())))
        corner = mpmath.mpc(mpmath.pi / 2, 1)
        exact = middle + mpmath.quad(lambda t: _derivative(p, q, t), [mpmath.pi / 2, corner, z])
        assert value.overlaps(acb(complex(exact)) + acb(arb(0, 1e-11), arb(0, 1e-11)))
        assert value.real.rad() < 0.25 and value.imag.rad() < 0.25


def test_which_quadrants_are_mixtures() -> None:
    inner = ArcCosine(1, u)
    assert mixture(Orthant(1 + 2 * u, 2 + u, u)) in {(1, 2), (2, 1)}
    assert mixture(Orthant(2 - u, 2 * u - 1, -u)) is None and mixture(Orthant(1, inner, inner)) == (1, 0)
    for flat in (Orthant(1, 1, u), Orthant(1, u, -u), Orthant(1, u, u**2), Orthant(1, sympy.exp(u), u)):
        assert mixture(flat) is None
        with pytest.raises(Unproved):
            substitution_power(flat)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["elu", "selu"])
def test_one_ellipse_and_panels_agree(name: str) -> None:
    kernel = dual(name)
    spectrum = eigenvalues(kernel, 3, 3)
    panels = panel_quadrature(kernel.expr, 3, [0, 1, 2, 3], 40)
    assert spectrum.rigorous
    for k, value in panels.items():
        assert value.proved and value.ball.overlaps(spectrum.ball(k))


def test_ranges_at_an_essential_singularity() -> None:
    """erf of something infinite is bounded, so that cells at the ends are proved and not extrapolated."""
    step = arb((1, -30))
    for expr in (dual("relu6").expr, dual("hard_tanh").expr, sympy.erfc(1 / sympy.sqrt(1 - u**2))):
        for end, low, high in ((-1, arb(-1), step - 1), (1, 1 - step, arb(1))):
            found = range_on(expr, low, high)
            with mpmath.workdps(30):
                point = mpf(end) * (1 - mpf(2) ** -31)
                inside = float(Kernel(expr).evaluate(point))
            assert found is not None and found[0] - 1e-12 < inside < found[1] + 1e-12
            assert found[1] - found[0] < 1e-3
    assert range_on(1 / sympy.sqrt(1 - u), 1 - step, arb(1)) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kinks"), [("relu6", {0: 1, 6: -1}), ("hard_tanh", {-1: 1, 1: -1})], ids=["relu6", "hard_tanh"]
)
def test_bounded_kinks_against_an_elementary_integral(name: str, kinks: dict[int, int]) -> None:
    """kappa'' is a sum of normal densities at the pairs of kinks (Price); mu_3 for d = 3 by parts, twice."""
    spectrum = eigenvalues(dual(name), 3, ks=[3], dps=20)
    assert spectrum.rigorous

    def integrand(theta: mpf) -> mpf:
        s, c = mpmath.sin(theta), mpmath.cos(theta)
        density = sum(
            m * n * mpmath.exp(-(a * a - 2 * a * b * c + b * b) / (2 * s * s))
            for a, m in kinks.items()
            for b, n in kinks.items()
        ) / (2 * mpmath.pi)
        p1, p3, p5 = (mpmath.legendre(k, c) for k in (1, 3, 5))
        return density * ((p5 - p3) / 9 - (p3 - p1) / 5) / 7

    with mpmath.workdps(30):
        expected = mpmath.quad(integrand, mpmath.linspace(0, mpmath.pi, 9)) / 2
        assert abs(spectrum[3] / expected - 1) < mpf(10) ** -18
