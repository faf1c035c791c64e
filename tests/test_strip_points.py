"""The singular points of activations nearest to the real axis, and the constants of the laws that follow from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy
from sympy import I, Rational, Symbol, log, pi, sqrt

from asymptok import AsymptokError, Kernel, decay, dual, eigenvalues, kernels
from asymptok.kernels.duals import as_activation
from asymptok.kernels.strip_points import nearest_points
from asymptok.laws.activations import strip_law
from asymptok.laws.stretched import Stretched, stretched_law
from asymptok.symbols import u
from asymptok.truth import Truth
from asymptok.verification.others import judge_analytic


@pytest.mark.parametrize(
    ("text", "place", "order", "size"),
    [
        ("tanh(x)**3", I * pi / 2, 3, 1),
        ("log(1 + exp(x))", I * pi, 0, 1),
        ("x/(1 + exp(x) + exp(2*x))", 2 * I * pi / 3, 1, 4 * pi**2 / 27),
        ("mish", log(2) / 2 + 3 * I * pi / 4, 1, log(2) ** 2 / 8 + 9 * pi**2 / 32),
        # the first poles are no singular points: a zero cancels them
        ("(x**2 + pi**2)*sigmoid(x)", 3 * I * pi, 1, 64 * pi**4),
        ("(x**2 + pi**2/4)*tanh(x)", 3 * I * pi / 2, 1, 4 * pi**4),
        ("tanh(x)/(4*x**2 + pi**2)", I * pi / 2, 2, 1 / (16 * pi**2)),
        ("(tanh(x) - x)/x**3", I * pi / 2, 1, 64 / pi**6),
        # a zero does not cancel a logarithm
        ("(x**2 + pi**2)*softplus(x)", I * pi, -1, 4 * pi**2),
        # branches nearer than the poles
        ("atan(x)*(2 + tanh(x) - tanh(x))", I, 0, 1),
        ("sqrt(1 + x**2)", I, Rational(-1, 2), 2),
        ("(2 + x**2)**(-2/3)", sqrt(2) * I, Rational(2, 3), Rational(1, 4)),
    ],
)
def test_points(text: str, place: Any, order: Any, size: Any) -> None:
    (found,) = nearest_points(as_activation(text).expr)
    assert sympy.expand(found.place - place) == 0 and found.order == order
    assert found.size is not None and abs(sympy.N(found.size - size, 20)) < 1e-15


def test_points_of_several_kinds() -> None:
    assert strip_law("atan(x)*tanh(x)").tau == strip_law("sqrt(1 + x**2)*tanh(x)").tau == 1
    assert strip_law("sin(2*x)*tanh(x)").tau == pi / 2
    assert nearest_points(as_activation("sin(x)/x").expr) == ()
    (squared,) = nearest_points(as_activation("softplus(x)**2").expr)
    assert squared.order is None and squared.height == pi


@pytest.mark.parametrize(
    "bad", ["sin(x**3)*tanh(x)", "erfi(x/4)*tanh(x)", "abs(x)*tanh(x)", "sqrt(1 + x**2)*atan(x)"]
)
def test_what_is_not_understood_is_refused(bad: str) -> None:
    with pytest.raises(AsymptokError):
        nearest_points(as_activation(bad).expr)


def eigenvalue(k: int, tau: float, weight: Callable[[Any], Any]) -> float:
    """log mu_k for d = 2 of phi = int w(s) cos(sx) ds, or sin(sx): a_n = int s^n e^(-s^2/2) w(s) ds/sqrt(n!); log w."""
    centre = (k * k / (2 * tau)) ** (2 / 3)
    logs = []
    step = 8
    for n in range(max(k, int(centre / 4) // 2 * 2 + k % 2), int(4 * centre), step):
        s = math.sqrt(n) + np.linspace(-8, 8, 321)
        s = s[s > 0]
        exponent = n * np.log(s) - s * s / 2 + weight(s) - math.lgamma(n + 1) / 2
        top = exponent.max()
        a = top + math.log(np.exp(exponent - top).sum() * 16 / 320)
        c = math.lgamma(n + 1) - n * math.log(2) - math.lgamma((n - k) / 2 + 1) - math.lgamma((n + k) / 2 + 1)
        logs.append(2 * a + c)
    top = max(logs)
    return top + math.log(sum(math.exp(x - top) for x in logs) * step / 2)


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("tanh(x)", lambda s: -np.log(np.sinh(np.pi * s / 2))),
        pytest.param("atan(x)", lambda s: -s - np.log(s), marks=pytest.mark.slow),
        pytest.param("1/(1 + x**2)", lambda s: -s, marks=pytest.mark.slow),
        ("log(2 + x**2)", lambda s: math.log(2) - math.sqrt(2) * s - np.log(s)),
        pytest.param("x*atan(x)", lambda s: -s - np.log(s) + np.log(1 + 1 / s), marks=pytest.mark.slow),
    ],
)
def test_the_constant_of_the_law(text: str, weight: Callable[[Any], Any]) -> None:
    """mu_k/law = 1 + O(k^(-2/3)) for d = 2: tenfold k, a 4.6 times smaller distance from 1."""
    law = decay(dual(text))
    side = law.even if law.odd.kind == "zero" else law.odd
    assert side.attained(2) is Truth.TRUE
    constant, power = float(side.constant(2)), float(side.beside(2))
    gaps = []
    for k in (300, 3000):
        k += side.parity == "odd"
        predicted = math.log(constant) + power * math.log(k) - float(side.stretched.constant) * k ** (2 / 3)
        gaps.append(math.expm1(eigenvalue(k, float(side.stretched.tau), weight) - predicted))
    assert abs(gaps[1]) < 0.02 and 3.5 < gaps[0] / gaps[1] < 6


def coefficients(c: float, count: int) -> Any:
    """a_n^2 of tanh(cx), divided by their sum: the weight of sin(sx) is 1/(c sinh(pi s/(2c)))."""
    found = np.zeros(count)
    for n in range(1, count, 2):
        s = math.sqrt(n) + np.linspace(-9, 9, 721)
        s = s[s > 0]
        x = np.pi * s / (2 * c)
        exponent = n * np.log(s) - s * s / 2 - x - np.log1p(-np.exp(-2 * x)) - math.lgamma(n + 1) / 2
        found[n] = np.exp(2 * exponent.max()) * np.exp(exponent - exponent.max()).sum() ** 2
    return found / found.sum()


@pytest.mark.parametrize(("below", "above"), [(1, 1), (2, 1), (1, 2)])
def test_two_layers(below: int, above: int) -> None:
    """The coefficients of f(g(u)), by multiplication of power series: log h_n = a - 2 tau sqrt(n) + b log(n)."""
    count = 500
    g, f = coefficients(below, count), coefficients(above, count)
    total, power, square = np.zeros(count), g.copy(), np.convolve(g, g)[:count]
    for m in range(1, count, 2):
        total += f[m] * power
        power = np.convolve(power, square)[:count]
    places = (299, 399, 499)
    rows = [[1, -2 * math.sqrt(n), math.log(n)] for n in places]
    fitted = np.linalg.solve(rows, np.log(total[list(places)]))[1]

    inner, outer = dual(f"tanh({below}*x)"), dual(f"tanh({above}*x)")
    kernel = Kernel(outer.expr.subs(u, inner.expr / inner.expr.subs(u, 1)))
    law = stretched_law(kernel.expr, 1)
    assert law is not None and abs(fitted / float(law.tau) - 1) < 0.01
    assert stretched_law(kernel.expr, 0) is None


@pytest.mark.slow
def test_layers_with_biases() -> None:
    """Only w counts in the first layer: the strip of E[phi(sqrt(w+b) X) phi(sqrt(w+b) Y)], corr = (b+wu)/(b+w)."""
    for b in (0, 1, 5):
        law = decay(kernels.network(2, "sigmoid", weight_variance=2, bias_variance=b))
        sides = [side for side in (law.even, law.odd) if side.kind != "zero"]
        assert {side.stretched.tau for side in sides} == {pi / sqrt(2)} and len(sides) == (2 if b else 1)


@pytest.mark.slow
def test_parities_and_sums() -> None:
    """The narrowest strip, then the highest order; softplus^2 has log^2 in its even part only."""
    both = decay(dual("softplus(x)**2"))
    assert both.even.constant(3) is None and both.odd.constant(3) is not None
    once, twice = (decay(dual(text)).odd for text in ("atan(x)", "2*atan(x) + tanh(x)"))
    assert sympy.expand(twice.constant(3) - 4 * once.constant(3)) == 0
    w = Symbol("w", positive=True)
    named = decay(dual("tanh", "w")).odd.constant(3)
    assert abs(sympy.N(named.subs(w, 4) - decay(dual("tanh(2*x)")).odd.constant(3))) < 1e-12
    with pytest.raises(AsymptokError, match="variance depends on x"):
        dual("tanh", "x")


def test_the_rate_is_verified_by_numbers() -> None:
    """The slope of log mu_k against k^(2/3) is that of the law, and not that of a strip 5 per cent wider."""
    kernel = dual("1/(1 + x**2)")
    side, spectrum = decay(kernel).even, eigenvalues(kernel, 3, kmax=60, dps=20)
    ks = list(range(0, 61, 2))
    (check,) = judge_analytic(side, spectrum, ks)[0].checks
    assert check.passed is True and "stretched" in check.name
    wider = replace(side, stretched=Stretched(side.stretched.tau * Rational(21, 20)))
    assert judge_analytic(wider, spectrum, ks)[0].checks[0].passed is False
