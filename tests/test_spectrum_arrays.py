"""The spectrum as arrays, kernels from eigenvalues, formulas for mu_k: each against another way to the number."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Rational, legendre

from asymptok import (
    AsymptokError,
    Kernel,
    d,
    decay,
    eigenvalue_formula,
    eigenvalues,
    k,
    kernels,
    multiplicity,
)
from asymptok.functions.zonal import ZonalSum, clenshaw, zonal_polynomials
from asymptok.symbols import u

RNG = np.random.default_rng(7)


def sphere(n: int, dimension: int) -> Any:
    X = RNG.normal(size=(n, dimension))
    return X / np.linalg.norm(X, axis=1)[:, None]


# arrays ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [2, 3, 7])
def test_trace_and_tail(dimension: int) -> None:
    """Poisson: sum of N r^j beyond k, summed directly with mpmath."""
    spectrum = eigenvalues(kernels.poisson("2/3", dimension), dimension, kmax=12)
    r = mpmath.mpf(2) / 3
    with mpmath.workdps(40):
        weights = [multiplicity(j, dimension) * (mpmath.mpf(2) / 3) ** j for j in range(400)]
        for j in (0, 5, 12):
            exact = mpmath.fsum(weights[j + 1 :])
            assert 0 <= spectrum.tail(j) - exact < mpmath.mpf("1e-28") * (1 + sum(weights))
        assert abs(spectrum.trace - mpmath.fsum(weights[:13])) < mpmath.mpf("1e-28") * sum(weights)
    assert list(spectrum.multiplicities) == [multiplicity(j, dimension) for j in range(13)] and r < 1


def test_tail_needs_proofs_and_all_degrees() -> None:
    with pytest.raises(AsymptokError, match="not computed"):
        eigenvalues(kernels.ntk(2), 3, ks=[0, 2]).tail(2)
    with pytest.raises(AsymptokError, match="proved"):
        eigenvalues(kernels.ntk(2), 3, kmax=3, method="mpmath").tail(2)


def test_expanded_is_the_spectrum_of_large_gram_matrices() -> None:
    """Eigenvalues of K(X, X)/n tend to those of the operator: within five times the sampling scale n^-1/2."""
    kernel = kernels.laplace()
    wanted = eigenvalues(kernel, 3, kmax=30, dps=15).expanded(9)
    X = sphere(1200, 3)
    found = np.linalg.eigvalsh(kernel.gram(X) / len(X))[::-1][:9]
    assert np.allclose(found, wanted, rtol=5 / np.sqrt(len(X)))
    assert (np.diff(wanted) <= 0).all() and wanted[1] == wanted[3] > wanted[4]


def test_expanded_refuses_what_it_cannot_know() -> None:
    spectrum = eigenvalues(kernels.ntk(2), 3, kmax=10)
    for bad in (0, -1, 1.5, True, None):
        with pytest.raises(AsymptokError, match="integer"):
            spectrum.expanded(bad)
    with pytest.raises(AsymptokError, match="kmax"):
        spectrum.expanded(1000)
    with pytest.raises(AsymptokError, match="kmax"):
        eigenvalues(kernels.ntk(2), 3, ks=[1, 5]).expanded(2)
    # zeros of the odd degrees are no eigenvalues to begin with: the border is mu_10
    assert len(spectrum.expanded(1 + 3 + 5 + 9 + 13)) == 31


@pytest.mark.parametrize("dimension", [2, 3, 5])
def test_features_reproduce_the_kernel(dimension: int) -> None:
    spectrum = eigenvalues(kernels.ntk(3), dimension, kmax=7, dps=16)
    X, Y = sphere(12, dimension), sphere(5, dimension)
    cut = Kernel.from_eigenvalues(spectrum.values, dimension)
    assert np.allclose(spectrum.features(X) @ spectrum.features(Y).T, cut.gram(X, Y), rtol=0, atol=1e-13)
    assert spectrum.features(X).shape[1] == sum(spectrum.multiplicities)


def test_features_refuse() -> None:
    spectrum = eigenvalues(kernels.ntk(3), 3, kmax=4)
    for bad, message in [
        (2 * np.eye(3), "length 2"),
        (np.eye(4), "columns"),
        (np.full((2, 3), np.nan), "nan"),
        (np.zeros((0, 3)), "no rows"),
    ]:
        with pytest.raises(AsymptokError, match=message):
            spectrum.features(bad)
    with pytest.raises(AsymptokError, match="negative"):
        eigenvalues("-u", 3, kmax=2).features(np.eye(3))
    with pytest.raises(AsymptokError, match="too many"):
        eigenvalues(kernels.ntk(3), 30, kmax=6).features(np.eye(30))


# kernels from eigenvalues -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [2, 3, 6])
def test_there_and_back(dimension: int) -> None:
    values = [Rational(1, (j + 1) ** 2) for j in range(30)]
    kernel = Kernel.from_eigenvalues(values, dimension)
    spectrum = eigenvalues(kernel, dimension, kmax=32)
    for j, mu in enumerate(values):
        assert abs(spectrum[j] - mpmath.mpf(mu.p) / mu.q) <= spectrum.error(j) + mpmath.mpf("1e-16")
    assert spectrum[30] == spectrum[32] == 0
    # quadrature sees a polynomial only
    other = eigenvalues(kernel, dimension, ks=[0, 3, 29], method="quadrature", dps=20)
    assert all(abs(other[j] - spectrum[j]) < mpmath.mpf("1e-19") for j in (0, 3, 29))


def test_zonal_sums_against_legendre_and_chebyshev() -> None:
    x = sympy.Symbol("x")
    assert sympy.expand(ZonalSum(3, 0, 0, 0, 0, 1, x).polynomial() - legendre(4, x)) == 0
    assert sympy.expand(ZonalSum(2, 0, 0, 0, 0, 1, x).polynomial() - sympy.chebyshevt(4, x)) == 0
    points = np.linspace(-1, 1, 9)
    rows = zonal_polynomials(2, points)
    for j in range(6):
        assert np.allclose(next(rows), np.cos(j * np.arccos(points)), atol=1e-14)
    assert clenshaw(2, [0.0] * 40 + [1.0], np.cos(0.3)) == pytest.approx(np.cos(12), rel=1e-12)
    slope = ZonalSum(5, 1, 2, 3, 4, x).diff(x)
    assert sympy.expand(slope.polynomial() - ZonalSum(5, 1, 2, 3, 4, x).polynomial().diff(x)) == 0


def test_heat_kernel_of_the_circle_is_a_theta_function() -> None:
    """sum exp(-t k^2) N P_k = sum over all windings of the Gaussian on the line, by Poisson summation."""
    time = Rational(1, 7)
    kernel = Kernel.from_eigenvalues(sympy.exp(-time * k * (k + d - 2)), 2)
    for angle in (0.0, 0.4, 2.0, 3.1):
        windings = [np.exp(-((angle + 2 * np.pi * n) ** 2) * 7 / 4) for n in range(-9, 10)]
        assert kernel(np.cos(angle)) == pytest.approx(
            np.sqrt(np.pi * 7) * sum(windings), rel=1e-13, abs=1e-14
        )


def test_geometric_eigenvalues_are_the_poisson_kernel() -> None:
    kernel = Kernel.from_eigenvalues("3*(-1/2)**k", 5)
    assert np.allclose(kernel([0.3, -0.7]), 3 * kernels.poisson("-1/2", 5)([0.3, -0.7]), rtol=1e-14)


def test_eigenvalues_by_degree_and_a_law_that_is_zero() -> None:
    assert Kernel.from_eigenvalues({2: 2, 0: 1}, 3) == Kernel("1 + 5*(3*u**2 - 1)")
    assert Kernel.from_eigenvalues("0*k", 3).expr == 0


def test_matern_on_the_sphere_cut_where_told() -> None:
    law = (3 + k * (k + d - 2)) ** Rational(-5, 2)
    kernel = Kernel.from_eigenvalues(law, 3, degree=60)
    wanted = sum((2 * j + 1) * (3 + j * (j + 1)) ** -2.5 * mpmath.legendre(j, 0.4) for j in range(61))
    assert kernel(0.4) == pytest.approx(float(wanted), rel=1e-13)


@pytest.mark.parametrize(
    ("law", "dimension", "nu"),
    [
        ("(3 + k*(k + d - 2))**(-5/2)", 3, Rational(3, 2)),
        ("1/(k + 1)**5", 4, 1),
        ("(k + 1)**(-7/2)", 3, Rational(3, 4)),
        ("1/(k + 1)**4 + 2**(-k)", 2, Rational(3, 2)),
    ],
)
def test_eigenvalues_that_fall_like_a_power(law: str, dimension: int, nu: Rational) -> None:
    """The powers of 1 - u behind them are found: the law of the kernel is the one that was given."""
    kernel = Kernel.from_eigenvalues(law, dimension)
    mu = sympy.lambdify(k, sympy.sympify(law, {"k": k, "d": dimension}), "mpmath")
    assert decay(kernel).nu == nu
    degrees = (0, 1, 3, 8, 300)
    with mpmath.workdps(30):
        found = eigenvalues(kernel, dimension, ks=degrees, dps=25)
        assert all(abs(found[j] / mu(mpmath.mpf(j)) - 1) < mpmath.mpf(10) ** -14 for j in degrees)
    far = sum(float(mu(j)) * (2 if j and dimension == 2 else 1) * np.cos(2.0 * j) for j in range(3000))
    if dimension == 2:
        assert kernel(np.cos(2.0)) == pytest.approx(far, rel=1e-11)


def test_a_kernel_without_trace_is_refused() -> None:
    with pytest.raises(AsymptokError, match="finite only for a power below -2"):
        Kernel.from_eigenvalues("1/(k + 1)**2", 3)


@pytest.mark.parametrize(
    ("mu", "dimension"),
    [
        ([], 3),
        ([1, float("nan")], 3),
        ([1], 1),
        ("1/k", 3),
        ("q**k", 3),
        (7, 3),
        ([1, u], 3),
        ("1/(k-5)", 3),
        ({-1: 1}, 3),
        ({}, 3),
    ],
)
def test_bad_eigenvalues(mu: Any, dimension: int) -> None:
    with pytest.raises(AsymptokError):
        Kernel.from_eigenvalues(mu, dimension, degree=8 if isinstance(mu, str) else None)


# formulas ---------------------------------------------------------------------------------------------------


FORMULAS = [
    "u*kappa0(u) + kappa1(u)",
    "kappa(2, u)",
    "kappa(5, u)",
    "u**2*kappa(0, -u)",
    "u**3*kappa1(u)",
    "sqrt(1-u**2) + acos(u)",
    "(1-u)**(3/2)",
    "u**2*(1+u)**(1/3)",
    "exp(-sqrt(1-u))",
    "u*exp(-(1+u)**(3/4)/2)",
    "exp(2*u) - exp(-u)",
    "u**2*exp(-u)",
    "(5/4-u)**(-3/2)",
    "u*(2-u)**(-1/3)",
    "1/(4+3*u)",
    "(1+u)**4 - u",
    "exp(-(1-u)**2)",
]


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("dimension", [2, 4, *[pytest.param(n, marks=pytest.mark.slow) for n in (3, 9)]])
def test_formula_against_quadrature(text: str, dimension: int) -> None:
    formula = eigenvalue_formula(text)
    numbers = eigenvalues(text, dimension, ks=[0, 1, 2, 3, 6], method="quadrature", dps=18)
    for j, mu in numbers:
        with mpmath.workdps(30):
            value = mpmath.mpf(str(sympy.N(formula.subs({k: j, d: dimension}), 22)))
            assert abs(value - mu) <= mpmath.mpf("1e-17") * max(abs(mu), mpmath.mpf("1e-3")), (j, value, mu)


def test_exact_values() -> None:
    ntk = eigenvalue_formula(kernels.ntk(2))
    assert [ntk.subs({k: j, d: 3}) for j in range(4)] == [Rational(1, 2), Rational(1, 3), Rational(5, 64), 0]
    assert abs(ntk.subs({k: 10, d: 3}) - Rational("0.000295956929524739583333333333")) < Rational(1, 10**27)
    poisson = eigenvalue_formula(kernels.poisson("2/5", 3))
    assert poisson.subs({k: 4, d: 3}) == Rational(2, 5) ** 4
    assert eigenvalue_formula(kernels.poisson("r", d)).subs(k, 3) == sympy.Symbol("r", real=True) ** 3
    cube = eigenvalue_formula(u**3)
    assert [cube.subs({k: j, d: 5}) for j in range(5)] == [0, Rational(3, 35), 0, Rational(2, 105), 0]


def test_parameters_stay() -> None:
    c = sympy.Symbol("c", positive=True)
    formula = eigenvalue_formula(kernels.gaussian(c))
    value = formula.subs({c: 2, k: 3, d: 4}).evalf(20)
    assert abs(mpmath.mpf(str(value)) - eigenvalues(kernels.gaussian(2), 4, kmax=3)[3]) < mpmath.mpf("1e-18")


def test_no_formula_and_no_eigenvalue() -> None:
    assert eigenvalue_formula(kernels.ntk(3)) is None
    assert eigenvalue_formula("sin(exp(u))") is None
    steep = eigenvalue_formula("(1-u)**(-1)")
    assert steep.subs({k: 1, d: 3}) is sympy.nan
    assert abs(
        sympy.N(steep.subs({k: 1, d: 5}), 20) - sympy.Float(str(eigenvalues("1/(1-u)", 5, kmax=1)[1]), 20)
    ) < sympy.Float("1e-14")
