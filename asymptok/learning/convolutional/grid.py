"""Linear operators on signals: patches, pooling and the room that a signal on Z needs around it.

Everything is computed on a circle of positions. A signal on Z that vanishes outside [0, N) is put on a circle so large
that no operator reaches around it, which gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import ArrayLike, NDArray

from asymptok.arguments import whole_number
from asymptok.errors import AsymptokError
from asymptok.points import as_numbers

__all__ = ["Spatial", "gaussian_taps", "pad", "pooling_matrix"]

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

    @property
    def reach(self) -> int:
        return self.patch // 2 + len(self.taps) // 2

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

    def offsets(self) -> range:
        """The positions of a patch relative to its centre."""
        return range(-(self.patch // 2), self.patch - self.patch // 2)


def pooling_matrix(taps: Array, size: int, stride: int) -> Array:
    """A with (A x)[u] = sum_v h[s u - v] x[v] on the circle of `size` places, s the stride."""
    if size % stride:
        raise AsymptokError(
            f"subsampling by {stride} needs a multiple of {stride} places on a periodic grid, not {size}"
        )
    matrix = np.zeros((size // stride, size))
    rows = np.arange(size // stride)
    for place, weight in zip(range(-(len(taps) // 2), len(taps) // 2 + 1), taps, strict=True):
        # h[place] multiplies x[s u - place]; taps that reach around the circle add up
        matrix[rows, (stride * rows - place) % size] += weight
    return matrix


def pad(signals: Array, dim: int, layers: Sequence[Spatial], first: float) -> Array:
    """Zeros around the signals (axes 1 to dim) so wide that nothing reaches around the circle."""
    reach, step = len(gaussian_taps(first)) // 2, 1
    for layer in layers:
        reach += step * layer.reach
        step *= layer.stride
    # a multiple of the stride leaves the kept positions where they were
    before = ceil(reach / step) * step
    widths = [(before, before + (-n) % step) for n in signals.shape[1 : 1 + dim]]
    return np.pad(signals, [(0, 0), *widths, (0, 0)])


def signals_of(X: ArrayLike, dim: int) -> Array:
    """Signals as (n, places, channels), or (n, rows, columns, channels) for dim = 2; one channel may be left out."""
    array = as_numbers(X, "the signals")
    if array.ndim == dim + 1:
        array = array[..., None]
    if array.ndim != dim + 2:
        shape = "(n, places[, channels])" if dim == 1 else "(n, rows, columns[, channels])"
        raise AsymptokError(f"signals are an array of shape {shape}, not {array.shape}")
    return array
