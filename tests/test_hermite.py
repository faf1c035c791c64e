"""Kernels defined by Hermite coefficients, against mpmath in two dimensions; what is not proved is refused."""

from __future__ import annotations

import pickle
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb
from sympy import Rational, Symbol, pi

from asymptok import AsymptokError, activations, check, decay, dual, eigenvalues, expand, kernels, u
from asymptok.functions.half_strip import growth
from asymptok.functions.hermite import hermite_dual
from asymptok.functions.strips import strip_of
from asymptok.kernels.strip_points import nearest_points
from asymptok.symbols import x

SMOOTH: dict[str, Any] = {
    "tanh": pi / 2,
    "sigmoid": pi,
    "softplus": pi,
    "silu": pi,
    "mish": 3 * pi / 4,
    "tanh(2*x)": pi / 4,
    "log(1 + exp(3*x))/3": pi / 3,
    "1/(1 + x**2)": sympy.S.One,
}


def by_trapezoids(phi: Any, point: Any, step: Any, reach: int) -> Any:
    """E[phi(X) phi(Y)] by the trapezoidal rule in both variables, in the sum and the difference of X and Y."""
    f = sympy.lambdify(x, phi, "mpmath")
    wide, narrow = mpmath.sqrt((1 + point) / 2), mpmath.sqrt((1 - point) / 2)
    nodes = [(j * step, mpmath.npdf(j * step) * step) for j in range(-reach, reach + 1)]
    return mpmath.fsum(
        w * v * f(wide * a + narrow * b) * f(wide * a - narrow * b) for a, w in nodes for b, v in nodes
    )


@pytest.mark.parametrize("name", ["tanh", "softplus"])
def test_values_against_two_dimensional_quadrature(name: str) -> None:
    with mpmath.workdps(17):
        expected = by_trapezoids(activations.get(name), mpmath.mpf(1) / 3, mpmath.mpf(1) / 5, 42)
        assert abs(dual(name).evaluate("1/3", dps=16) - expected) < mpmath.mpf(10) ** -13


@pytest.mark.slow
@pytest.mark.parametrize("name", SMOOTH)
def test_values_at_many_points(name: str) -> None:
    """Closed by Hermite sums, checked by a rule in two dimensions that knows nothing of them."""
    kernel = dual(name)
    phi = activations.get(name) if name in activations.names() else sympy.sympify(name, {"x": x})
    with mpmath.workdps(20):
        for j in (-9, 0, 9):
            point = mpmath.mpf(j) / 10
            # |Im| of both arguments stays below tau
            step = mpmath.mpf(str(sympy.N(SMOOTH[name], 20))) / 10
            expected = by_trapezoids(phi, point, min(step, mpmath.mpf(1) / 5), int(9 / min(step, 0.2)) + 1)
            assert abs(kernel.evaluate(Rational(j, 10), dps=18) - expected) < mpmath.mpf(10) ** -15


@pytest.mark.parametrize(
    ("name", "tau"),
    [
        (n, t) if n in ("tanh", "silu") else pytest.param(n, t, marks=pytest.mark.slow)
        for n, t in SMOOTH.items()
    ],
)
def test_laws(name: str, tau: Any) -> None:
    law = decay(dual(name))
    found = [side for side in (law.even, law.odd) if side.kind != "zero"]
    assert found and law.nu is None and not law.assumes
    for side in found:
        assert side.kind == "superpolynomial" and side.stretched is not None
        assert side.stretched.tau == tau and side.stretched.exponent == Rational(2, 3)
        assert sympy.expand(side.stretched.constant - Rational(3, 2) * (2 * tau) ** Rational(2, 3)) == 0


def test_each_parity_has_its_own_strip() -> None:
    law = decay(dual("tanh(x) + x/(1 + exp(-x))"))
    assert (law.even.stretched.tau, law.odd.stretched.tau) == (pi, pi / 2)
    assert decay(dual("sigmoid")).even.zero_from == 2


def test_a_logarithm_that_cancels_is_no_singularity() -> None:
    phi = sympy.log(1 + sympy.exp(x)) - sympy.log(1 + sympy.exp(-x)) + sympy.tanh(x / 3)
    assert {point.height for point in nearest_points(phi)} == {3 * pi / 2}


def test_the_variance_is_a_parameter() -> None:
    w = Symbol("w", positive=True)
    kernel = dual("tanh", variance=w)
    assert decay(kernel).odd.stretched.tau == pi / (2 * sympy.sqrt(w))
    assert abs(kernel.subs(w=4).evaluate("0.3") - dual("tanh(2*x)").evaluate("0.3")) < 1e-14


@pytest.mark.slow
def test_expansions_are_taylor_series_with_moments() -> None:
    kernel = dual("tanh")
    found = expand(kernel, 1, 3)
    assert found.nu is None
    slope = sympy.diff(sympy.tanh(x), x, 2)
    with mpmath.workdps(25):
        f = sympy.lambdify(x, slope**2, "mpmath")
        expected = mpmath.quad(lambda z: f(z) * mpmath.npdf(z), [-12, -4, 0, 4, 12]) / 2
        assert abs(sympy.N(found.terms[2].coefficient, 20) - expected) < 1e-17
    t = Rational(1, 10**6)
    assert abs(kernel.evaluate(1 - t, dps=30) - found.evaluate(t, dps=30)) < mpmath.mpf(10) ** -22


def test_eigenvalues_against_mpmath() -> None:
    kernel = dual("silu")
    found = eigenvalues(kernel, 3, ks=[0, 1, 2, 3, 4], dps=12)
    assert found.rigorous and found[3] == 0
    for k in (0, 1, 2, 4):
        with mpmath.workdps(15):
            expected = mpmath.quad(
                lambda s, k=k: float(kernel(float(s))) * mpmath.legendre(k, s) / 2, [-1, 0, 1], maxdegree=4
            )
        assert abs(found[k] - expected) < 1e-14


@pytest.mark.slow
def test_networks_of_smooth_units() -> None:
    kernel = kernels.network(3, "tanh", weight_variance=2, bias_variance="1/10")
    f = sympy.lambdify(x, sympy.tanh(x), "mpmath")
    with mpmath.workdps(17):
        here, size = mpmath.mpf("0.1") + 2 * mpmath.mpf("0.3"), mpmath.mpf("2.1")
        for _ in range(2):
            phi = sympy.tanh(sympy.Float(str(mpmath.sqrt(size)), 20) * x)
            here, size = (
                mpmath.mpf("0.1") + 2 * by_trapezoids(phi, here / size, mpmath.mpf(1) / 6, 48),
                mpmath.mpf("0.1")
                + 2 * mpmath.quad(lambda z: f(mpmath.sqrt(size) * z) ** 2 * mpmath.npdf(z), [-9, 0, 9]),  # noqa: B023
            )
        assert abs(kernel.evaluate("0.3") - here) < 1e-11
    parts = [kernels.network(2, "tanh", tangent=True, trained=who) for who in ("all", "first", "last")]
    whole, first, last = (p.evaluate("-0.4", dps=20) for p in parts)
    with mpmath.workdps(30):
        assert abs(whole - first - last) < mpmath.mpf(10) ** -18


@pytest.mark.slow
def test_positive_definite_in_every_dimension() -> None:
    report = {c.name: c.status for c in check(dual("mish"), 3)}
    assert report["positive definite"] == "proved" and report["smooth inside"] == "proved"


def test_arrays_and_pickles() -> None:
    kernel = dual("mish")
    points = np.array([-1.0, -0.3, 0.0, 0.8, 1.0])
    assert np.allclose(kernel(points), [float(kernel.evaluate(float(p))) for p in points], rtol=0, atol=1e-15)
    assert pickle.loads(pickle.dumps(kernel)) == kernel
    assert sympy.diff(dual("tanh").expr, u).subs(u, 0) == hermite_dual(sympy.tanh(x), (), 0, 1)(0)


@pytest.mark.parametrize(
    ("expr", "width"),
    [
        ("tanh(x)", 1.58),
        ("1/(1 + x**2)", 1.01),
        ("log(1 + exp(x))", 3.15),
        ("x/sqrt(1 + x**2)", 1.01),
        ("tanh(10*x)", 0.16),
    ],
)
def test_no_strip_is_wider_than_the_singular_points_allow(expr: str, width: float) -> None:
    found = strip_of(sympy.sympify(expr, {"x": x}), x, {})
    assert found is not None and found.width < width


@pytest.mark.parametrize(
    "expr", ["1/x", "1/(x - 20)", "log(x)", "exp(x**2)", "sqrt(x)", "1/sin(x)", "tan(x)", "Abs(x)"]
)
def test_functions_without_a_strip(expr: str) -> None:
    assert strip_of(sympy.sympify(expr, {"x": x}), x, {}) is None


@pytest.mark.parametrize(
    "expr",
    [
        "tanh(x)",
        "log(1 + exp(x))",
        "x*exp(x)/(1 + exp(x))",
        "asinh(x)",
        "atan(x)*exp(-x)",
        "sqrt(1 + x**2)*sin(x)",
    ],
)
def test_growth_bounds_hold_at_points(expr: str) -> None:
    phi = sympy.sympify(expr, {"x": x})
    found = growth(phi, x, {}, arb(16), arb("0.75"))
    assert found is not None
    f = sympy.lambdify(x, phi, "mpmath")
    for re in (16, 20, 50):
        for im in (-0.75, 0, 0.4, 0.75):
            value = abs(f(mpmath.mpc(re, im)))
            assert value <= float(found.size.upper()) * mpmath.exp(float(found.rate.upper()) * re) * (
                1 + 1e-12
            )
            if found.least is not None:
                low = float(found.least.lower()) * mpmath.exp(float(found.least_rate.lower()) * re)
                assert value >= low * (1 - 1e-12)


def test_parameters_need_values_for_numbers() -> None:
    kernel = dual("tanh(a*x)", parameters={"a": (0, 1)})
    assert decay(kernel).odd.kind == "superpolynomial"
    with pytest.raises(AsymptokError):
        kernel.evaluate("0.3")


def test_many_coefficients_of_a_layer_with_biases() -> None:
    """mu_k of 1 + 2 E[phi phi] at the correlation (1 + 2u)/3, phi = tanh(sqrt(3) x): sums in NumPy."""
    x, h = np.linspace(-15, 15, 6001, retstep=True)
    weight = np.exp(-x * x / 4) * np.sqrt(h / np.sqrt(2 * np.pi))
    values, before, here = np.tanh(np.sqrt(3) * x) * weight, np.zeros_like(x), weight
    squares = []
    for n in range(600):
        squares.append(float(values @ here) ** 2)
        before, here = here, (x * here - np.sqrt(n) * before) / np.sqrt(n + 1)
    nodes, weights = np.polynomial.legendre.leggauss(320)
    kernel = 1 + 2 * np.polynomial.polynomial.polyval((1 + 2 * nodes) / 3, squares)
    found = eigenvalues(kernels.network(2, "tanh", weight_variance=2, bias_variance=1), 3, ks=[5, 30], dps=20)
    assert found.rigorous
    for k, error in ((5, 1e-10), (30, 1e-3)):
        known = weights @ (kernel * np.polynomial.legendre.Legendre.basis(k)(nodes)) / 2
        assert float(found[k]) == pytest.approx(float(known), rel=error)
