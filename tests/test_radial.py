"""Radial kernels: transforms against numerical integrals, tails against transforms, samples against kernels."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from sympy import Rational, Symbol, besselk, exp, gamma, lambdify, limit, oo, pi, sqrt

from asymptok import AsymptokError, Undecided, decay, expand
from asymptok.learning.radial.components import decompose
from asymptok.learning.radial.sector import is_tame
from asymptok.radial import RadialKernel
from asymptok.symbols import d as dim
from asymptok.symbols import r, w

Array = NDArray[np.float64]

#: text and nu (None: analytic)
KNOWN = [
    ("exp(-r)", Rational(1, 2)),
    ("exp(-2*r)", Rational(1, 2)),
    ("(1 + sqrt(3)*r)*exp(-sqrt(3)*r)", Rational(3, 2)),
    ("(1 + sqrt(5)*r + 5*r**2/3)*exp(-sqrt(5)*r)", Rational(5, 2)),
    ("(2 + r)*exp(-r)/2", Rational(1, 2)),
    ("r**(3/4)*besselk(3/4, 2*r)", Rational(3, 4)),
    ("r*besselk(1, r)", Rational(1)),
    ("r**2*besselk(2, r)", Rational(2)),
    ("exp(-r**2/2)", None),
    ("1/(1 + r**2)", None),
    ("(2 + r**2/3)**(-5/2)", None),
    ("3*exp(-r) + exp(-r**2)/4", Rational(1, 2)),
]


def radial_integral(f: Callable[[Array], Array], d: int, at: float, top: float) -> float:
    """int f(|x|) exp(-i <w, x>) dx over R^d, |w| = at, d odd, by Gauss-Legendre panels up to `top`, graded at 0."""
    nodes, weights = np.polynomial.legendre.leggauss(30)
    edges = np.concatenate([[0.0], np.geomspace(1e-10, 1e-1, 60), np.linspace(0.1, top, int(3 * top))[1:]])
    half = np.diff(edges)[:, None] / 2
    x = (edges[:-1, None] + half + half * nodes).ravel()
    z = at * x
    wave = {
        1: 2 * np.cos(z),
        3: 4 * np.pi * x**2 * np.sin(z) / z,
        5: 8 * np.pi**2 * x**4 * (np.sin(z) / z - np.cos(z)) / z**2,
    }[d]
    # the wave of R^5 loses digits near z = 0
    if d == 5:
        wave = np.where(z < 1e-2, 8 * np.pi**2 / 3 * x**4 * (1 - z**2 / 10), wave)
    return float(np.sum((half * weights).ravel() * f(x) * wave))


@pytest.mark.parametrize("text", [text for text, _ in KNOWN])
@pytest.mark.parametrize("d", [1, 3, 5])
def test_transform_and_kernel_are_a_pair(text: str, d: int) -> None:
    """Kernels that decay exponentially are transformed; from the others' densities the kernel is got back."""
    kernel = RadialKernel(text)
    density = kernel.spectral_density(d)
    assert density is not None
    if "exp" in text or "besselk" in text:
        phi, at = lambdify(r, kernel.expr, [{"besselk": _besselk}, "numpy"]), 2.5
        value = radial_integral(phi, d, at, 60.0)
        wanted = density.subs(w, Rational(5, 2)).evalf(20)
    else:
        at = 0.8
        transform = lambdify(w, density, [{"besselk": _besselk}, "numpy"])
        value = radial_integral(transform, d, at, 60.0) / (2 * np.pi) ** d
        wanted = kernel.expr.subs(r, Rational(4, 5)).evalf(20)
    assert value == pytest.approx(float(wanted), rel=1e-8)


def _besselk(order: object, x: Array) -> Array:
    """K by its integral int exp(-x cosh s) cosh(order s) ds, the trapezoidal rule being exponentially accurate."""
    s = np.linspace(0.0, 32.0, 1500)
    total = np.zeros_like(x)
    for point, weight in zip(s, np.r_[0.5, np.ones(len(s) - 1)] * (s[1] - s[0]), strict=True):
        total += weight * np.exp(-x * np.cosh(point)) * np.cosh(float(order) * point)
    return total


@pytest.mark.parametrize("text", [text for text, _ in KNOWN])
@pytest.mark.parametrize("d", [2, 4])
def test_probability_density_integrates_to_one(text: str, d: int) -> None:
    """Even dimensions too: the area of the unit sphere times int p(w) w^(d-1) dw, panels graded at both ends."""
    density = RadialKernel(text).spectral_density(d, probability=True)
    nodes, weights = np.polynomial.legendre.leggauss(20)
    edges = np.geomspace(1e-12, 1e12, 200)
    half = np.diff(edges)[:, None] / 2
    x = (edges[:-1, None] + half + half * nodes).ravel()
    with np.errstate(all="ignore"):
        values = lambdify(w, density, [{"besselk": _besselk}, "numpy"])(x) * x ** (d - 1)
    values = np.where(np.isfinite(values), values, 0.0)
    area = 2 * np.pi ** (d / 2) / float(gamma(Rational(d, 2)))
    assert area * np.sum((half * weights).ravel() * values) == pytest.approx(1, rel=1e-7)


@pytest.mark.parametrize(("text", "nu"), KNOWN)
def test_smoothness_is_that_of_the_sphere(text: str, nu: Rational | None) -> None:
    kernel = RadialKernel(text)
    assert kernel.nu == nu
    assert expand(kernel.on_sphere(), at=1, order=3).nu == nu
    if nu is not None:
        assert decay(kernel.on_sphere()).nu == nu


@pytest.mark.parametrize("text", [text for text, nu in KNOWN if nu is not None])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_tail_is_the_limit_of_the_transform(text: str, d: int) -> None:
    kernel = RadialKernel(text)
    density, tail = kernel.spectral_density(d), kernel.tail(d, terms=3)
    far = 10**4
    assert abs(float((density / kernel.tail(d)).subs(w, far)) - 1) < 1e-2
    # with three terms the relative error falls by the sixth power of w (fourth, for terms one power apart)
    assert abs(float((density / tail - 1).subs(w, Rational(far)).evalf(60))) < 1e-9


@pytest.mark.parametrize("text", [text for text, nu in KNOWN if nu is not None])
@pytest.mark.parametrize("d", [2, 3, 6])
def test_tail_is_the_law_of_the_sphere(text: str, d: int) -> None:
    """mu_k ~ tail(d - 1) at w = k over the area of the sphere: C(d, nu) and logarithms by two ways."""
    kernel = RadialKernel(text)
    law = decay(kernel.on_sphere()).even
    area = 2 * pi ** Rational(d, 2) / gamma(Rational(d, 2))
    ratio = kernel.tail(d - 1) / (area * law.constant(d) * w ** law.exponent(d))
    assert abs(float(ratio.subs(w, 7).evalf(30)) - 1) < 1e-14


def test_tail_in_symbolic_dimension_and_with_parameters() -> None:
    c = Symbol("c", positive=True)
    kernel = RadialKernel("exp(-c*r)", parameters={"c": (0, oo)})
    ratio = kernel.spectral_density(dim) / kernel.tail(dim)
    assert limit(ratio.subs(dim, 4).subs(Symbol("c", positive=True), 2), w, oo) == 1
    assert kernel.subs(c=3).expr == exp(-3 * r)
    stable = RadialKernel(exp(-c * r ** Symbol("g", positive=True)), parameters={"g": (0, 2)})
    assert stable.nu == Symbol("g", positive=True) / 2
    # Cauchy's law at g = 1
    assert stable.tail(1).subs({Symbol("g", positive=True): 1}) == 2 * c / w**2


def test_stable_kernel_has_no_closed_form_but_a_tail() -> None:
    kernel = RadialKernel("exp(-r**(1/2))")
    assert kernel.spectral_density(3) is None
    # int exp(-sqrt r) cos(60 r) dr by turning r = i s: Re int i exp(-sqrt(i s) - 60 s) ds, without oscillation
    wanted = 2 * mpmath.quad(lambda s: (1j * mpmath.exp(-mpmath.sqrt(1j * s) - 60 * s)).real, [0, 0.1, 1, 2])
    assert abs(float(kernel.tail(1, terms=12).subs(w, 60)) / float(wanted) - 1) < 1e-5


def test_analytic_kernels_have_no_tail() -> None:
    assert RadialKernel("exp(-r**2)").tail(3) == 0
    assert RadialKernel("(1 + r**2)**(-1/3)").tail(2) == 0


@pytest.mark.parametrize("text", ["max(1 - r, 0)", "cos(r**2)*exp(-r)", "sin(r)/r", "exp(-r)*abs(r - 1)"])
def test_what_happens_away_from_zero_is_not_overlooked(text: str) -> None:
    """max(1 - r, 0) has the transform 2(1 - cos w)/w^2 on the line: the kink at r = 1 is as loud as that at 0."""
    with pytest.raises(Undecided, match="sector"):
        RadialKernel(text).tail(1)


def test_an_even_expansion_proves_nothing() -> None:
    with pytest.raises(Undecided, match="even powers"):
        RadialKernel("exp(-r**2) + r**27*exp(-r)").tail(1)


@pytest.mark.parametrize("text", ["exp(-r**2/(1 + r**2))", "sqrt(1 + r**2)", "log(2 + r**2)", "1", "r**2"])
def test_functions_of_the_square(text: str) -> None:
    assert RadialKernel(text).nu is None and RadialKernel(text).tail(3) == 0


def test_sector_rules() -> None:
    assert is_tame(exp(-sqrt(1 + r)) * besselk(2, r + r**2) * r)
    assert not is_tame(exp(-r + r**2))
    assert not is_tame(besselk(2, 1 - r))


def test_difference_of_kernels_is_decomposed_but_not_sampled() -> None:
    weights = {type(c).__name__ + str(getattr(c, "nu", "")): x for x, c in decompose(r * exp(-r))}
    assert weights == {"Matern3/2": 1, "Matern1/2": -1}
    with pytest.raises(AsymptokError, match="difference"):
        RadialKernel("2*exp(-r) - exp(-2*r)").sample(10, 2, seed=0)


SAMPLED = [
    "exp(-r**2/2)",
    "exp(-r)",
    "1/(1 + r**2)",
    "(1 + sqrt(3)*r)*exp(-sqrt(3)*r)",
    "r**(3/4)*besselk(3/4, 2*r)",
    "exp(-r**(1/2)/2)",
    "exp(-2*r**(3/2))",
    "3*exp(-r) + exp(-r**2)",
]


@pytest.mark.parametrize("text", SAMPLED)
def test_samples_give_back_the_kernel(text: str) -> None:
    """E cos(w x) = phi(|x|)/phi(0), within four standard errors at ten points, the seed fixed."""
    kernel = RadialKernel(text)
    m, d = 40_000, 3
    frequencies = kernel.sample(m, d, seed=11)
    rng = np.random.default_rng(5)
    points = rng.standard_normal((10, d)) * np.linspace(0.1, 2.0, 10)[:, None]
    waves = np.cos(frequencies @ points.T)
    wanted = kernel(np.linalg.norm(points, axis=1)) / float(kernel.at_zero)
    deviation = np.abs(waves.mean(axis=0) - wanted) / (waves.std(axis=0) / np.sqrt(m))
    assert deviation.max() < 4
    # the density is not merely right on average over directions
    assert np.mean(deviation**2) < 3


def test_samples_follow_the_density_on_the_line() -> None:
    """Laplace: the frequencies are Cauchy, with quartiles -1, 0, 1."""
    frequencies = RadialKernel("exp(-r)").sample(100_000, 1, seed=3).ravel()
    for quantile in (0.25, 0.5, 0.75):
        point = np.tan(np.pi * (quantile - 0.5))
        below = np.mean(frequencies < point)
        assert abs(below - quantile) < 3 * np.sqrt(quantile * (1 - quantile) / 100_000)


def test_second_moment() -> None:
    assert RadialKernel("exp(-r**2/2)").second_moment(5) == 5
    assert RadialKernel("(1 + sqrt(3)*r)*exp(-sqrt(3)*r)").second_moment(2) == 6
    assert RadialKernel("r*besselk(1, r)").second_moment(2) is None
    frequencies = RadialKernel("(1 + r**2/4)**(-2)").sample(100_000, 3, seed=1)
    squares = np.sum(frequencies**2, axis=1)
    wanted = float(RadialKernel("(1 + r**2/4)**(-2)").second_moment(3))
    assert abs(squares.mean() - wanted) < 3 * squares.std() / np.sqrt(100_000)


def test_values_and_gram() -> None:
    kernel = RadialKernel(r * besselk(1, r))
    assert kernel(0.0) == 1.0
    assert kernel([1.0])[0] == pytest.approx(float(besselk(1, 1)), rel=1e-14)
    assert kernel(2000.0) == 0.0
    X = np.random.default_rng(0).standard_normal((6, 2))
    K = kernel.gram(X)
    assert np.array_equal(K, K.T) and np.all(np.diag(K) == 1) and np.linalg.eigvalsh(K).min() > 0
    assert K[0, 1] == pytest.approx(kernel(float(np.linalg.norm(X[0] - X[1]))))
    assert kernel.at_zero == 1 and RadialKernel(gamma(3) * exp(-r)).at_zero == 2


@pytest.mark.parametrize(
    "call",
    [
        lambda: RadialKernel("exp(-sqrt(1 - u))"),
        lambda: RadialKernel("exp(-q*r)"),
        lambda: RadialKernel("exp(-w*r)", parameters={"w": (0, 1)}),
        lambda: RadialKernel("exp(-r)").tail(0),
        lambda: RadialKernel("exp(-r)").spectral_density(1.5),
        lambda: RadialKernel("exp(-r)").sample(0, 2),
        lambda: RadialKernel("exp(-r)").sample(5, 2, seed="x"),
        lambda: RadialKernel("exp(-c*r)", parameters={"c": (0, 1)}).sample(5, 2),
        lambda: RadialKernel("sin(r)/r").sample(5, 2),
        lambda: RadialKernel("exp(-r)")(-1.0),
        lambda: RadialKernel("exp(-r)")("x"),
        lambda: RadialKernel("exp(-r)").gram([[1.0, float("nan")]]),
        lambda: RadialKernel("exp(-r)").gram([1.0, 2.0]),
        lambda: RadialKernel("exp(-r)").gram([[1.0]], [[1.0, 2.0]]),
        lambda: RadialKernel("1/r").at_zero,
        lambda: RadialKernel("exp(-r**3)").second_moment(2),
        lambda: RadialKernel("r**3").second_moment(2),
        lambda: RadialKernel("sqrt(1 + r**2)").second_moment(2),
        lambda: RadialKernel([1, 2]),
    ],
)
def test_bad_input_gets_our_own_errors(call: object) -> None:
    with pytest.raises(AsymptokError):
        call()


def test_gram_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows in blocks, the upper half mirrored: every entry as the formula has it, symmetric to the last bit."""
    X, Y = np.random.default_rng(3).normal(size=(37, 4)), np.random.default_rng(4).normal(size=(5, 4))
    kernel = RadialKernel("(1 + sqrt(3)*r)*exp(-sqrt(3)*r)")
    monkeypatch.setattr("asymptok.learning.radial.kernel._BLOCK", 100)
    for points in (None, X, Y):
        others = X if points is None else points
        z = np.sqrt(3) * np.linalg.norm(X[:, None] - others, axis=2)
        assert np.allclose(kernel.gram(X, points), (1 + z) * np.exp(-z), rtol=1e-15, atol=0)
    assert (kernel.gram(X) == kernel.gram(X).T).all()
