"""kernel(array) against hand-written NumPy, scikit-learn and, if installed, neural-tangents: nanoseconds a point.

python benchmarks/evaluation.py [POINTS]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from sympy import Rational

from asymptok import kernels


def network(u: Any, depth: int) -> Any:
    """The NTK as a paper writes it."""
    features = tangent = u
    for _ in range(depth - 1):
        share = 1 - np.arccos(features) / np.pi
        above = features * share + np.sqrt(1 - features**2) / np.pi
        tangent = tangent * share + above
        features = np.minimum(above, 1.0)
    return tangent


def matern(u: Any, nu: float) -> Any:
    """The Matern kernel through scikit-learn's formula, which needs SciPy."""
    from scipy.special import gamma, kv

    z = 2 * np.sqrt(nu) * np.sqrt(1 - u)
    return 2 ** (1 - nu) / gamma(nu) * z**nu * kv(nu, z)


def seconds(function: Callable[[], Any], repeats: int = 5) -> float:
    """Processor time, which other work on the machine does not change much; the best of several."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    points = int(sys.argv[1]) if len(sys.argv) > 1 else 10**6
    u = np.random.default_rng(0).uniform(-1, 1, points)
    print(
        f"{'kernel':28} {'ours':>9} {'by hand':>9} {'ratio':>6} {'first call':>11}   (ns a point, {points} points)"
    )
    for depth in (2, 3, 5, 10, 100):
        row(kernels.ntk(depth), u, lambda depth=depth: network(u, depth))
    single = u.astype(np.float32)
    row(kernels.ntk(3), single, lambda: network(single, 3), "float32")
    row(kernels.laplace(), u, lambda: np.exp(-np.sqrt(1 - u)))
    row(kernels.matern(Rational(3, 2)), u, lambda: _half_integer(u))
    if find_spec("scipy"):
        for nu in (Rational(1), Rational(1, 3), Rational(5, 2), Rational(10)):
            row(kernels.matern(nu), u, lambda nu=nu: matern(u, float(nu)))
    if find_spec("sklearn"):
        _sklearn(points)
    if find_spec("neural_tangents"):
        _neural_tangents(points)


def _half_integer(u: Any) -> Any:
    z = np.sqrt(6 * (1 - u))
    return (1 + z) * np.exp(-z)


def row(kernel: Any, u: Any, by_hand: Callable[[], Any], note: str = "") -> None:
    first = seconds(lambda: kernel(u), repeats=1)
    ours, theirs = seconds(lambda: kernel(u)), seconds(by_hand)
    scale = 1e9 / u.size
    name = f"{kernel.name} {note}"[:28]
    times = f"{ours * scale:9.1f} {theirs * scale:9.1f} {ours / theirs:6.2f} {first:9.2f} s"
    print(f"{name:28} {times}")


def _sklearn(points: int) -> None:
    from sklearn.gaussian_process.kernels import Matern

    n = int(points**0.5)
    x = np.random.default_rng(1).normal(size=(n, 3))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    kernel = kernels.matern(1)
    kernel(np.linspace(-1, 1, 1000))
    ours = seconds(lambda: kernel(np.clip(x @ x.T, -1, 1)))
    theirs = seconds(lambda: Matern(nu=1.0)(x), repeats=1)
    print(
        f"Gram matrix {n} x {n}, Matern 1: {ours:.3f} s, scikit-learn {theirs:.3f} s, ratio {ours / theirs:.2f}"
    )


def _neural_tangents(points: int) -> None:
    from neural_tangents import stax

    n = int(points**0.5)
    x = np.random.default_rng(1).normal(size=(n, 3))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    layers = [
        stax.Dense(1, W_std=2**0.5),
        stax.Relu(),
        stax.Dense(1, W_std=2**0.5),
        stax.Relu(),
        stax.Dense(1),
    ]
    _, _, theirs = stax.serial(*layers)
    kernel = kernels.ntk(3)
    ours = seconds(lambda: kernel(np.clip(x @ x.T, -1, 1)))
    other = seconds(lambda: np.asarray(theirs(x, x, "ntk")), repeats=2)
    print(
        f"Gram matrix {n} x {n}, NTK 3: {ours:.3f} s, neural-tangents {other:.3f} s, ratio {ours / other:.2f}"
    )


if __name__ == "__main__":
    main()
