"""The expected error of kernel ridge regression from the spectrum alone.

For n points on the sphere, a ridge delta, noise of variance s2 and a target with power v_k in degree k,

    n = sum_k N(d, k) L_k + delta/c,    L_k = mu_k/(mu_k + c)                                        (c > 0 is sought)
    error + s2 = (sum_k (1 - L_k)^2 v_k + s2) n/(n - sum_k N(d, k) L_k^2).

Degrees above a cut K, where mu_k is far below c, act like a ridge: sum N mu_k/(mu_k + c) is about their trace over
c, and the trace of the rest is known exactly, kappa(1) - sum_{k <= K} N(d, k) mu_k.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.kernels.points import Array
from asymptok.learning.plots import plot_learning_curves
from asymptok.spectrum import Spectrum, eigenvalues
from asymptok.spectrum.spectrum import checked_dimension

__all__ = ["LearningCurve", "Modes", "learning_curve", "modes_for"]

#: at the cut mu_k is at most this fraction of c: the rest is a ridge up to one per cent of itself
_CUT = 0.01
_FIRST, _LAST = 32, 4096
#: and at the last degree that is computed at most this, or there is no answer
_WORST = 0.1
#: bisections of an interval of logarithms: as many as doubles can use
_HALVINGS = 120
#: points at which sums over many degrees are taken at a time
_CHUNK = 64


@dataclass(frozen=True)
class Modes:
    """mu_k with N(d, k) for k = 0..K, and the trace of the degrees above K."""

    mu: Array
    count: Array
    rest: float
    proved: bool

    @property
    def rank(self) -> float:
        """The number of eigenvalues that are not zero."""
        return float("inf") if self.rest > 0 else float(self.count[self.mu > 0].sum())

    def effective_ridge(self, n: Array, ridge: float) -> Array:
        """c for each n; 0 where more points than dimensions and no ridge leave nothing to regularise."""
        delta = ridge + self.rest
        positive = self.mu > 0
        mu, count = self.mu[positive], self.count[positive]
        result = np.zeros(len(n))
        open_ = n < self.rank if delta == 0 else np.ones(len(n), dtype=bool)
        sizes = n[open_]
        if mu.size == 0 or sizes.size == 0:
            if delta > 0:
                result[open_] = delta / sizes
            return result
        # every term is at most mu/c, and at least mu_min/(mu_min + c): both ends enclose the root
        high = np.log((delta + float(mu @ count)) / sizes)
        low = np.log(delta / sizes) if delta > 0 else np.log(mu.min() * (self.rank / sizes - 1))
        low = np.minimum(low, high)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            c = np.exp(middle)
            above = self._sum(mu, count, c, 1) + delta / c > sizes
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        result[open_] = np.exp((low + high) / 2)
        return result

    def overfitting(self, n: Array, c: Array) -> Array:
        """n/(n - sum N L^2), infinite where that is the interpolation peak."""
        room = n - self._sum(self.mu, self.count, c, 2)
        return np.where(room > 1e-12 * n, n / np.where(room > 0, room, 1.0), np.inf)

    @staticmethod
    def _sum(mu: Array, count: Array, c: Array, power: int) -> Array:
        """sum_k N L_k^power for each c."""
        parts = [
            _learned(mu, c[start : start + _CHUNK]) ** power @ count for start in range(0, len(c), _CHUNK)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)


def _learned(mu: Array, c: Array) -> Array:
    """L = mu/(mu + c), rows for c; 0 for mu = 0 also where c = 0."""
    total = mu[None, :] + c[:, None]
    return np.where(mu > 0, mu / np.where(total > 0, total, 1.0), 0.0)


@dataclass(frozen=True)
class LearningCurve:
    """The expected squared error for each n, without the noise of the test labels.

    `effective_ridge` is c, `learned` the fraction L_k (a row for each n, a column for each degree of the target), `cut`
    the degree above which the spectrum enters by its trace; `proved` says whether that trace is.
    """

    kernel: Kernel
    d: int
    n: Array
    error: Array
    target: dict[int, float]
    ridge: float
    noise: float
    effective_ridge: Array = field(repr=False)
    learned: Array = field(repr=False)
    cut: int
    proved: bool

    def plot(self, *others: LearningCurve, measured: Any = None) -> Any:
        """The curve, and others beside it, as a matplotlib Figure (needs asymptok[plot]).

        `measured` is a list with (n, error, standard error) for each curve.
        """
        return plot_learning_curves((self, *others), measured)


def learning_curve(
    kernel: Any, d: int, n: Any, target: Mapping[int, float], ridge: float = 0, noise: float = 0
) -> LearningCurve:
    """The expected squared error of kernel regression with n points drawn evenly from S^(d-1).

    `target` gives the power (mean square) of the target in each degree, `ridge` is delta in (K + delta I)^-1, `noise`
    the variance of the labels' noise. A kernel of rank 4 and no ridge is least squares, with error
    noise rank/(n - rank):

    >>> learning_curve("1 + u", 3, [10, 100], {0: 1, 1: 2}, noise=3).error
    array([2.   , 0.125])
    """
    kernel, d = as_kernel(kernel), checked_dimension(d)
    sizes, powers = _sizes(n), _powers(target)
    delta, variance = _number(ridge, "the ridge"), _number(noise, "the noise variance")
    modes = modes_for(kernel, d, float(sizes.max()), delta, max(powers, default=0))
    c = modes.effective_ridge(sizes, delta)
    known = [k for k in powers if k < len(modes.mu)]
    learned = np.zeros((len(sizes), len(powers)))
    learned[:, [list(powers).index(k) for k in known]] = _learned(modes.mu[known], c) if known else 0.0
    bias = (1 - learned) ** 2 @ np.array(list(powers.values()))
    error = modes.overfitting(sizes, c) * (bias + variance) - variance
    return LearningCurve(
        kernel, d, sizes, error, powers, delta, variance, c, learned, len(modes.mu) - 1, modes.proved
    )


def modes_for(kernel: Kernel, d: int, most: float, ridge: float, degree: int) -> Modes:
    """As many degrees as n <= most points can tell from a ridge, and those of the target."""
    top = min(max(_FIRST, degree), _LAST)
    while True:
        modes = _modes(kernel, d, top)
        c = modes.effective_ridge(np.array([most]), ridge)[0]
        ratio = max(modes.mu[-2:]) / c if c > 0 else 0.0
        if modes.rest == 0 or ratio <= _CUT or (top >= _LAST and ratio <= _WORST):
            return modes
        if top >= _LAST:
            raise AsymptokError(
                f"n = {most:g} points on S^{d - 1} resolve degrees beyond {_LAST}, the last computed: take fewer "
                "points or a larger ridge"
            )
        top = min(2 * top, _LAST)


@lru_cache(maxsize=64)
def _modes(kernel: Kernel, d: int, top: int) -> Modes:
    spectrum = eigenvalues(kernel, d, kmax=top, dps=20)
    negative = [k for k, mu in spectrum if mu < 0 and -mu > spectrum.error(k)]
    if negative:
        raise AsymptokError(
            f"mu_{negative[0]} = {float(spectrum[negative[0]]):.3g} is negative: the kernel is not positive definite "
            f"on S^{d - 1}, and regression with it has no such theory"
        )
    mu = np.maximum(spectrum.to_numpy(), 0.0)
    return Modes(mu, spectrum.multiplicities.astype(float), _rest(spectrum, top), spectrum.rigorous)


def _rest(spectrum: Spectrum, top: int) -> float:
    """The trace above the cut; what is within the error of the numbers counts as nothing."""
    if spectrum.rigorous:
        rest = float(spectrum.tail(top))
    else:
        rest = float(spectrum.kernel.evaluate(1, 25) - spectrum.trace)
    return rest if rest > 1e-17 * abs(float(spectrum.trace)) else 0.0


# what a user gives -----------------------------------------------------------------------------------------


def _sizes(n: Any) -> Array:
    try:
        sizes = np.atleast_1d(np.asarray(n, dtype=float))
    except (TypeError, ValueError):
        raise AsymptokError(f"n is a number of points or a list of them, not {n!r}") from None
    if sizes.ndim != 1 or sizes.size == 0 or not (np.isfinite(sizes) & (sizes >= 1)).all():
        raise AsymptokError(f"n is a number of points >= 1 or a list of them, not {n!r}")
    return sizes


def _powers(target: Any) -> dict[int, float]:
    if not isinstance(target, Mapping) or not target:
        raise AsymptokError("the target is a dict {degree: power} with at least one degree")
    result: dict[int, float] = {}
    for degree, power in sorted(target.items()):
        if isinstance(degree, bool) or not hasattr(degree, "__index__") or degree.__index__() < 0:
            raise AsymptokError(f"a degree of the target is an integer >= 0, not {degree!r}")
        result[int(degree)] = _number(power, f"the power in degree {degree}")
    return result


def _number(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if isinstance(value, bool) or not 0 <= number < float("inf"):
        raise AsymptokError(f"{what} is a number >= 0, not {value!r}")
    return number
