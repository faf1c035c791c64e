"""How fast random features approach their kernel: independent copies, error bars, and the fitted rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from asymptok.arguments import whole_number
from asymptok.errors import AsymptokError
from asymptok.learning.features.maps import FeatureMap
from asymptok.points import generator

__all__ = ["Convergence", "Replicates", "convergence", "replicate"]

Array = NDArray[np.float64]
#: makes features from a seed
Maker = Callable[[np.random.Generator], FeatureMap]


@dataclass(frozen=True)
class Replicates:
    """Gram matrices of independent copies: their mean, its standard error, and the kernel that they approach."""

    mean: Array
    standard_error: Array
    limit: Array

    @property
    def deviation(self) -> Array:
        """(mean - limit)/standard error, entry by entry, 0 up to rounding; the bias of finite width shows here."""
        same = np.isclose(self.mean, self.limit, rtol=1e-13, atol=0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(same, 0.0, (self.mean - self.limit) / self.standard_error)


@dataclass(frozen=True)
class Convergence:
    """Errors of the Gram matrix against the number m of units, each with its standard error over the copies."""

    m: tuple[int, ...]
    rms: Array
    rms_error: Array
    supremum: Array
    supremum_error: Array

    @property
    def slope(self) -> float:
        """The exponent p of rms ~ m^p, by weighted least squares; -1/2 in theory."""
        return self._fit()[0]

    @property
    def slope_error(self) -> float:
        """Its standard error."""
        return self._fit()[1]

    def _fit(self) -> tuple[float, float]:
        weights = self.rms / self.rms_error
        (slope, _), covariance = np.polyfit(np.log(self.m), np.log(self.rms), 1, w=weights, cov="unscaled")
        return float(slope), float(np.sqrt(covariance[0, 0]))


def replicate(make: Maker, X: ArrayLike, repeats: object = 100, seed: object = None) -> Replicates:
    """The mean Gram matrix over independent copies of the features, with error bars.

    `make` takes a numpy Generator and gives features.

    >>> from asymptok.learning.features import empirical_ntk
    >>> found = replicate(lambda rng: empirical_ntk(3, 200, 3, rng), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], seed=1)
    >>> bool(abs(found.deviation).max() < 3)
    True
    """
    count, rng = whole_number(repeats, "number of repeats", least=2), generator(seed)
    maps = [make(copy) for copy in rng.spawn(count)]
    grams = np.array([features.gram(X) for features in maps])
    error = grams.std(axis=0, ddof=1) / np.sqrt(count)
    return Replicates(grams.mean(axis=0), error, maps[0].limit(X))


def convergence(
    make: Callable[[int, np.random.Generator], FeatureMap],
    X: ArrayLike,
    m: Sequence[int],
    repeats: object = 20,
    seed: object = None,
) -> Convergence:
    """The error of the Gram matrix of X for several numbers of units; `make` takes m and a numpy Generator.

    >>> from asymptok.learning.features import relu
    >>> found = convergence(lambda m, rng: relu(m, 2, rng), [[1.0, 0.0], [0.6, 0.8]], m=[50, 200, 800], seed=0)
    >>> bool(abs(found.slope + 0.5) < 3*found.slope_error)
    True
    """
    counts = tuple(whole_number(value, "number of units m") for value in m)
    if len(set(counts)) < 2:
        raise AsymptokError("a rate needs at least two different numbers of units")
    repeats, rng = whole_number(repeats, "number of repeats", least=2), generator(seed)
    squares, suprema = np.empty((len(counts), repeats)), np.empty((len(counts), repeats))
    for i, count in enumerate(counts):
        for j, copy in enumerate(rng.spawn(repeats)):
            features = make(count, copy)
            difference = features.gram(X) - features.limit(X)
            squares[i, j], suprema[i, j] = np.mean(difference**2), np.abs(difference).max()
    rms = np.sqrt(squares.mean(axis=1))
    root = np.sqrt(repeats)
    # d sqrt(x) = dx/(2 sqrt(x))
    return Convergence(
        counts,
        rms,
        squares.std(axis=1, ddof=1) / root / (2 * rms),
        suprema.mean(axis=1),
        suprema.std(axis=1, ddof=1) / root,
    )
