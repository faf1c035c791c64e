"""Points of R^d as the rows of an array, checked once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from asymptok.errors import AsymptokError

__all__ = ["as_numbers", "generator", "pairwise_distances", "points_of"]

Array = NDArray[np.float64]


def as_numbers(values: ArrayLike, what: str) -> Array:
    """A non-empty array of finite doubles."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "iuf":
            raise TypeError
    except (TypeError, ValueError):
        raise AsymptokError(f"{what} must be an array of real numbers") from None
    array = array.astype(float)
    if array.size == 0:
        raise AsymptokError(f"{what} must not be empty")
    if not np.isfinite(array).all():
        raise AsymptokError(f"{what} must be finite numbers: NaN or infinity was found")
    return array


def points_of(X: ArrayLike, d: int | None = None) -> Array:
    """The rows of X as points; with `d`, points of R^d.

    >>> points_of([[1, 0], [0, 1]]).shape
    (2, 2)
    """
    array = as_numbers(X, "the points")
    if array.ndim != 2:
        raise AsymptokError(f"points are the rows of a matrix, not an array of shape {array.shape}")
    if d is not None and array.shape[1] != d:
        raise AsymptokError(f"points of R^{d} were expected, and these lie in R^{array.shape[1]}")
    return array


def pairwise_distances(X: Array, Y: Array) -> Array:
    """|x - y| for the rows of X and Y, without the cancellation of |x|^2 + |y|^2 - 2<x, y>."""
    squares = np.zeros((len(X), len(Y)))
    for column in range(X.shape[1]):
        squares += (X[:, column, None] - Y[None, :, column]) ** 2
    return np.asarray(np.sqrt(squares))


def generator(seed: object) -> np.random.Generator:
    """A numpy Generator from a whole number, None (fresh entropy) or a Generator."""
    if isinstance(seed, np.random.Generator):
        return seed
    if seed is None or (isinstance(seed, int | np.integer) and not isinstance(seed, bool) and seed >= 0):
        return np.random.default_rng(seed)
    raise AsymptokError(f"a seed is a whole number >= 0, None or a numpy Generator, not {seed!r}")
