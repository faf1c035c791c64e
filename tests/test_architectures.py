"""Trained biases, weights of parts and residual blocks of two matrices: against recursions and wide random networks."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Rational, oo, pi, sqrt, symbols

from asymptok import AsymptokError, check, decay, eigenvalues, kernels, same_rkhs
from asymptok.kernels import network

POINTS = np.array([-0.999, -0.7, -0.2, 0.3, 0.9, 0.9999])


def kappa0(u: np.ndarray) -> np.ndarray:
    return (np.pi - np.arccos(u)) / np.pi


def kappa1(u: np.ndarray) -> np.ndarray:
    return (u * (np.pi - np.arccos(u)) + np.sqrt(1 - u**2)) / np.pi


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_trained_biases(depth: int) -> None:
    """Theta_1 = u + beta^2, Theta_(l+1) = Theta_l kappa_0(Sigma_l) + kappa_1(Sigma_l) + beta^2."""
    beta, sigma = 0.7, POINTS
    theta = sigma + beta**2
    for _ in range(depth - 1):
        theta = theta * kappa0(sigma) + kappa1(sigma) + beta**2
        sigma = kappa1(sigma)
    mine = network(depth, tangent=True, trained_bias="0.49")(POINTS)
    assert np.allclose(mine, theta, rtol=1e-12)


def test_two_layers_with_trained_biases_lose_no_parity() -> None:
    s = symbols("s", positive=True)
    kernel = network(2, tangent=True, trained_bias=s)
    law = decay(kernel)
    assert law.odd.coefficient == -2 * sqrt(2) * s / pi
    assert same_rkhs(kernel, kernels.laplace("c")).same is True
    numbers = eigenvalues(kernel.subs(s=1), 3, ks=[41])
    assert abs(numbers[41] / law.subs(s=1).evaluate(41, 3, dps=20) - 1) < 1e-15


def test_weights_of_the_parts_add_up() -> None:
    whole = network(3, tangent=True, trained={1: 1, 2: 1, 3: 1}).expr
    assert whole == kernels.ntk(3).expr
    parts = [network(3, "erf", tangent=True, trained=[n])(POINTS) for n in (1, 2, 3)]
    weighted = network(3, "erf", tangent=True, trained={1: 2, 2: Rational(1, 3), 3: 5})(POINTS)
    assert np.allclose(weighted, 2 * parts[0] + parts[1] / 3 + 5 * parts[2], rtol=1e-12)


def blocks(depth: int, r: float, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sum over blocks, each term on its own."""
    layers, sizes = [u], [1.0]
    for _ in range(depth):
        layers.append(layers[-1] + r**2 * sizes[-1] * kappa1(layers[-1] / sizes[-1]))
        sizes.append(sizes[-1] * (1 + r**2))
    total = np.zeros_like(u)
    for n in range(depth):
        above = np.prod([1 + r**2 * kappa0(layers[m] / sizes[m]) for m in range(n + 1, depth)], axis=0)
        mean, slope = sizes[n] * kappa1(layers[n] / sizes[n]), kappa0(layers[n] / sizes[n])
        total = total + above * (mean + layers[n] * slope)
    return layers[-1], total


@pytest.mark.parametrize(("depth", "r"), [(1, "1/2"), (2, "7/10"), (4, "1")])
def test_residual_blocks_of_two_matrices(depth: int, r: str) -> None:
    value = float(Rational(r))
    layer, theta = blocks(depth, value, POINTS)
    assert np.allclose(network(depth, residual=r, block=2)(POINTS), layer, rtol=1e-12)
    assert np.allclose(network(depth, residual=r, block=2, tangent=True)(POINTS), theta, rtol=1e-11)
    kernel = network(depth, residual=r, block=2, tangent=True)
    assert kernel.mean.diagonal == 2 * depth * (1 + Rational(r) ** 2) ** (depth - 1)
    assert abs(float(kernel.evaluate(1)) - kernel.mean.diagonal) < 1e-12


def random_blocks(depth: int, r: float, u: float, width: int, rng: np.random.Generator) -> np.ndarray:
    """Covariance and tangent kernel of one random network at two points with the inner product u."""
    x = rng.standard_normal((width, 2)) @ np.array([[1, u], [0, np.sqrt(1 - u * u)]])
    states, inner, first, second = [x], [], [], []
    for _ in range(depth):
        w, v = rng.standard_normal((2, width, width))
        h = w @ x / np.sqrt(width)
        x = x + r * np.sqrt(2 / width) * (v @ np.maximum(h, 0))
        states.append(x)
        inner.append(h)
        first.append(w)
        second.append(v)
    g = np.repeat(rng.standard_normal(width)[:, None], 2, axis=1) / np.sqrt(width)
    total = 0.0
    for n in reversed(range(depth)):
        s = np.maximum(inner[n], 0)
        total += 2 / width * (g[:, 0] @ g[:, 1]) * (s[:, 0] @ s[:, 1])
        q = (inner[n] > 0) * (second[n].T @ g) * np.sqrt(2 / width)
        total += (q[:, 0] @ q[:, 1]) * (states[n][:, 0] @ states[n][:, 1]) / width
        g = g + r * first[n].T @ q / np.sqrt(width)
    return np.array([x[:, 0] @ x[:, 1] / width, total])


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "r"), [(2, 0.7), (3, 1.0)])
def test_wide_random_networks_have_these_kernels(depth: int, r: float) -> None:
    rng = np.random.default_rng(7)
    for u in (0.9, 0.2, -0.7):
        samples = np.array([random_blocks(depth, r, u, 400, rng) for _ in range(60)])
        error = samples.std(axis=0) / np.sqrt(len(samples))
        predicted = np.array([float(x[0]) for x in blocks(depth, r, np.array([u]))])
        assert (np.abs(samples.mean(axis=0) - predicted) < 4 * error + 0.01 * np.abs(predicted)).all()


def test_residual_tangent_kernels_have_the_space_of_the_laplace_kernel() -> None:
    a = symbols("a", positive=True)
    for depth in (2, 3):
        kernel = network(depth, residual=a, block=2, tangent=True)
        assert decay(kernel).nu == Rational(1, 2)
        assert same_rkhs(kernel, kernels.laplace("c")).same is True
    assert check(kernel, oo)["positive definite"].status == "proved"


@pytest.mark.parametrize(
    "given",
    [
        {"trained_bias": 1},
        {"trained_bias": -1, "tangent": True},
        {"trained": {1: -1, 2: 1}, "tangent": True},
        {"block": 3, "residual": 1},
        {"block": 2},
        {"block": 2, "residual": 1, "activation": "tanh"},
        {"block": 2, "residual": 1, "bias_variance": 1},
        {"block": 2, "residual": 1, "tangent": True, "trained": "last"},
    ],
)
def test_what_is_not_meant_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(AsymptokError):
        network(2, **given)
