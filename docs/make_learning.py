"""The figures of docs/learning.md and docs/high_dimension.md.

    python docs/make_learning.py

writes docs/static/staircase.svg and docs/static/lazy-training.svg; learning-curves.svg is made by
benchmarks/learning_curves.py, which also prints the table.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from asymptok import kernels, learning_curve, multiplicity

COLOURS = ("#1f5fa8", "#c8590b", "#2e8b57", "#8e44ad")
D, DEGREES, RIDGE = 12, (1, 2, 3), 1e-6


def figure(width: float = 6.4, height: float = 4.4) -> Any:
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained")
    axes = made.subplots()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xscale("log")
    return made, axes


def staircase() -> Any:
    """The error of each degree against n: learned when n passes the number of harmonics of that degree."""
    kernel, made, axes = kernels.ntk(3), *figure()
    sizes, measured = np.geomspace(3, 1e5, 80), [5, 12, 30, 70, 160, 400, 1000, 2000]
    for degree, colour in zip(DEGREES, COLOURS, strict=False):
        predicted = learning_curve(kernel, D, sizes, {degree: 1.0}, RIDGE)
        axes.plot(sizes, predicted.error, color=colour, label=f"degree {degree}")
        axes.axvline(multiplicity(degree, D), color=colour, linewidth=0.7, linestyle=":")
        seen = learning_curve(kernel, D, measured, {degree: 1.0}, RIDGE).measure(runs=6, seed=degree)
        axes.errorbar(*seen, fmt="o", color=colour, markersize=3.5, capsize=2)
    axes.set_xlabel("points $n$ (dotted: the number of harmonics of the degree)")
    axes.set_ylabel("squared error of a target of one degree")
    axes.set_ylim(0, 1.4)
    axes.set_title(f"NTK of depth 3 on $S^{{{D - 1}}}$", fontsize=11)
    axes.legend(frameon=False)
    return made


def network(X: Any, weights: Any, width: int) -> tuple[Any, Any]:
    """f(x) = m^-1/2 sum_j a_j tanh(<w_j, x>) and its derivatives by the outer and the inner weights."""
    outer, inner = weights[:width], weights[width:].reshape(width, X.shape[1])
    hidden = np.tanh(X @ inner.T)
    by_inner = (outer * (1 - hidden**2))[:, :, None] * X[:, None, :]
    slope = np.hstack([hidden, by_inner.reshape(len(X), -1)]) / np.sqrt(width)
    return hidden @ outer / np.sqrt(width), slope


def lazy(X: Any, y: Any, alpha: float, width: int = 100, steps: int = 400) -> tuple[float, float]:
    """How far gradient descent on (1/(2 n alpha^2)) sum (alpha (f(x_i; w) - f(x_i; w_0)) - y_i)^2 moves the weights,

    and how far from those of the network linearised at the start they end after the same steps.
    """
    start = np.random.default_rng(0).normal(size=width * (1 + X.shape[1]))
    value, slope = network(X, start, width)
    # gradient descent on a quadratic is stable up to 2 over its largest curvature
    rate = 1 / float(np.linalg.eigvalsh(slope @ slope.T)[-1])
    weights, linear = start.copy(), np.zeros_like(start)
    for _ in range(steps):
        here, jacobian = network(X, weights, width)
        weights -= rate * jacobian.T @ (alpha * (here - value) - y) / alpha
        linear -= rate * slope.T @ (alpha * (slope @ linear) - y) / alpha
    return float(np.linalg.norm(weights - start)), float(np.linalg.norm(weights - start - linear))


def lazy_figure() -> Any:
    made, axes = figure()
    points = np.random.default_rng(0).normal(size=(30, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    alphas = 4.0 ** np.arange(6)
    found = np.array([lazy(points, points[:, 0] * points[:, 1] + points[:, 2], alpha) for alpha in alphas])
    axes.set_yscale("log")
    labels = ("weights moved", "distance to the linearised network")
    for values, label, colour in zip(found.T, labels, COLOURS, strict=False):
        slope = np.polyfit(np.log(alphas[3:]), np.log(values[3:]), 1)[0]
        axes.plot(alphas, values, "o-", color=colour, label=rf"{label}: slope {slope:.2f}")
    axes.set_xlabel(r"scale $\alpha$")
    axes.set_ylabel("norm of the difference of weights")
    axes.legend(frameon=False)
    return made


if __name__ == "__main__":
    static = Path(__file__).parent / "static"
    staircase().savefig(static / "staircase.svg", metadata={"Date": None})
    lazy_figure().savefig(static / "lazy-training.svg", metadata={"Date": None})
