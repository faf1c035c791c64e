"""Linear operators on signals, on a circle of positions or on Z, where an array holds the places from `origin` on.

A signal on Z vanishes outside its array; patches and pooling make the array as much longer as they reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import ArrayLike, NDArray

from asymptok.arguments import whole_number
from asymptok.errors import AsymptokError
from asymptok.points import as_numbers

__all__ = ["Spatial", "along", "gaussian_taps", "patch_means", "pooling_matrix", "signals_of"]

Array = NDArray[np.float64]
#: standard deviations at which the sampled Gaussian is cut off; exp(-4.5^2/2) = 4e-5
_CUT = 4.5


def gaussian_taps(sigma: float) -> Array:
    """exp(-v^2/(2 sigma^2)) at the integers |v| <= 4.5 sigma, with sum 1; a single 1 for sigma = 0.

    >>> gaussian_taps(0.4).round(3)
    array([0.   , 0.04 , 0.919, 0.04 , 0.   ])
    """
    if not isinstance(sigma, int | float | np.number) or isinstance(sigma, bool) or not 0 <= sigma < 1e4:
        raise AsymptokError(
            f"the width sigma of a Gaussian filter is a number from 0 to 10000, not {sigma!r}"
        )
    radius = ceil(_CUT * sigma)
    places = np.arange(-radius, radius + 1)
    taps = np.exp(-(places**2) / (2 * float(sigma) ** 2)) if radius else np.ones(1)
    return np.asarray(taps / taps.sum())


@dataclass(frozen=True)
class Spatial:
    """One layer: patches of `patch` places, then pooling with the weights `taps`, kept at every `stride`-th place.

    `width` is the sigma of Gaussian weights, 0 for others.
    """

    patch: int
    taps: Array
    stride: int
    width: float = 0.0

    @staticmethod
    def read(patch: object, pooling: object, stride: object) -> Spatial:
        """From the size of a patch, a width sigma or weights, and a factor of subsampling."""
        size, step = whole_number(patch, "size of a patch"), whole_number(stride, "factor of subsampling")
        if isinstance(pooling, int | float | np.number):
            return Spatial(size, gaussian_taps(float(pooling)), step, float(pooling))
        taps = as_numbers(pooling, "the weights of a pooling filter")
        if taps.ndim != 1 or len(taps) % 2 == 0:
            raise AsymptokError(
                "a pooling filter is a list of weights of odd length, its centre in the middle"
            )
        return Spatial(size, taps, step)


def pooling_matrix(taps: Array, size: int, stride: int, origin: int | None) -> tuple[Array, int | None]:
    """A with (A x)[u] = sum_v h[s u - v] x[v], s the stride, and the origin of A x; None for the circle."""
    half = len(taps) // 2
    if origin is None:
        if size % stride:
            raise AsymptokError(
                f"subsampling by {stride} needs a multiple of {stride} places on a periodic grid, not {size}"
            )
        first, count = 0, size // stride
    else:
        first = -((half - origin) // stride)
        count = (origin + size - 1 + half) // stride - first + 1
    matrix = np.zeros((count, size))
    rows = np.arange(count)
    for place, weight in zip(range(-half, half + 1), taps, strict=True):
        # h[place] multiplies x[s u - place]; on the circle taps that reach around it add up
        columns = stride * (first + rows) - place - (origin or 0)
        inside = np.full(count, True) if origin is None else (columns >= 0) & (columns < size)
        matrix[rows[inside], columns[inside] % size] += weight
    return matrix, None if origin is None else first


def patch_means(products: Array, patch: int, axis: int, other: int, periodic: bool) -> Array:
    """The mean over w in the patch of products[u + w, v + w], u and v along two axes; on Z they grow by patch - 1."""
    if patch == 1:
        return products
    if periodic:
        shifts = range(-(patch - patch // 2 - 1), patch // 2 + 1)
        return np.asarray(sum(np.roll(products, (w, w), (axis, other)) for w in shifts) / patch)
    shape = list(products.shape)
    size, second = shape[axis], shape[other]
    shape[axis], shape[other] = size + patch - 1, second + patch - 1
    total = np.zeros(shape)
    for w in range(patch):
        place = [slice(None)] * len(shape)
        place[axis], place[other] = slice(w, w + size), slice(w, w + second)
        total[tuple(place)] += products
    total /= patch
    return total


def along(matrix: Array, array: Array, axis: int) -> Array:
    """The matrix applied along an axis."""
    if axis == array.ndim - 1:
        return np.asarray(array @ matrix.T)
    before, size, after = array.shape[:axis], array.shape[axis], array.shape[axis + 1 :]
    return np.asarray(matrix @ array.reshape(-1, size, int(np.prod(after)))).reshape(*before, -1, *after)


def signals_of(X: ArrayLike, dim: int) -> Array:
    """Signals as (n, places, channels), or (n, rows, columns, channels) for dim = 2; one channel may be left out."""
    array = as_numbers(X, "the signals")
    if array.ndim == dim + 1:
        array = array[..., None]
    if array.ndim != dim + 2:
        shape = "(n, places[, channels])" if dim == 1 else "(n, rows, columns[, channels])"
        raise AsymptokError(f"signals are an array of shape {shape}, not {array.shape}")
    return array
