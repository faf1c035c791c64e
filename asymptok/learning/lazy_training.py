"""Lazy training: a network scaled by alpha moves by 1/alpha, and leaves its linearisation by 1/alpha^2 only.

A two-layer network f(x; w) = m^-1/2 sum_j a_j tanh(<w_j, x>) is trained by gradient descent on

    (1/alpha^2) (1/2n) sum_i (alpha (f(x_i; w) - f(x_i; w_0)) - y_i)^2,

and so is its linearisation at the start. Both see the same data, steps and initial weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from asymptok.arguments import whole_number
from asymptok.errors import AsymptokError
from asymptok.points import Array, as_numbers, as_points, as_targets, generator

__all__ = ["LazyTraining", "lazy"]


@dataclass(frozen=True)
class LazyTraining:
    """For each scale: how far the weights moved, how far from those of the linearised network they ended, how far the
    two predictors are apart on the training points (root mean square), and the mean squared error left."""

    alphas: Array
    movement: Array
    distance: Array
    gap: Array
    loss: Array

    def slope(self, which: str = "distance") -> float:
        """p with quantity ~ alpha^p, fitted to the larger half of the scales.

        The weights' `movement` has p = -1, their `distance` to the linearisation p = -2.
        """
        if which not in ("movement", "distance", "gap"):
            raise AsymptokError(f"slopes are those of movement, distance or gap, not {which!r}")
        values: Array = getattr(self, which)
        if not values.all():
            raise AsymptokError(f"the {which} is zero, as for targets that are: it has no slope")
        half = slice(len(self.alphas) // 2, None)
        return float(np.polyfit(np.log(self.alphas[half]), np.log(values[half]), 1)[0])


def lazy(
    X: object,
    y: object,
    alphas: object = (1, 4, 16, 64, 256, 1024),
    width: int = 100,
    steps: int = 500,
    seed: int = 0,
) -> LazyTraining:
    """Train the network and its linearisation at each scale alpha.

    >>> points = np.random.default_rng(1).normal(size=(10, 3))
    >>> result = lazy(points, points[:, 0] * points[:, 1], steps=100, width=30)
    >>> round(result.slope("movement"), 1), round(result.slope("distance"), 1)
    (-1.0, -2.0)
    """
    points = as_points(X)
    wanted = as_targets(y, len(points))
    if wanted.ndim != 1:
        raise AsymptokError("y must have one value for each point")
    scales = as_numbers(alphas, "alphas")
    if scales.ndim != 1 or scales.size < 2 or not (scales > 0).all():
        raise AsymptokError(f"alphas must be two or more positive numbers, not {alphas!r}")
    width, steps = whole_number(width, "width"), whole_number(steps, "number of steps")
    rng = generator(seed)
    start = np.concatenate([rng.normal(size=width), rng.normal(size=width * points.shape[1])])
    rows = [_train(points, wanted, start, width, float(alpha), steps) for alpha in scales]
    return LazyTraining(scales, *(np.array(column) for column in zip(*rows, strict=True)))


def _train(X: Array, y: Array, start: Array, width: int, alpha: float, steps: int) -> tuple[float, ...]:
    n = len(X)
    value, slope = _network(X, start, width)
    tangent = slope @ slope.T
    # gradient descent on a quadratic is stable up to 2 over its largest curvature
    rate = n / float(np.linalg.eigvalsh(tangent)[-1])
    weights, linear = start.copy(), np.zeros_like(start)
    for _ in range(steps):
        here, jacobian = _network(X, weights, width)
        weights -= rate / n * jacobian.T @ (alpha * (here - value) - y) / alpha
        linear -= rate / n * slope.T @ (alpha * (slope @ linear) - y) / alpha
    here, _ = _network(X, weights, width)
    trained, tangent_model = alpha * (here - value), alpha * (slope @ linear)
    return (
        float(np.linalg.norm(weights - start)),
        float(np.linalg.norm(weights - start - linear)),
        float(np.sqrt(np.mean((trained - tangent_model) ** 2))),
        float(np.mean((trained - y) ** 2)),
    )


def _network(X: Array, weights: Array, width: int) -> tuple[Array, Array]:
    """f(x_i) and its derivatives by the outer and the inner weights."""
    outer, inner = weights[:width], weights[width:].reshape(width, X.shape[1])
    hidden = np.tanh(X @ inner.T)
    by_inner = (outer * (1 - hidden**2))[:, :, None] * X[:, None, :]
    slope = np.hstack([hidden, by_inner.reshape(len(X), -1)]) / np.sqrt(width)
    return hidden @ outer / np.sqrt(width), slope
