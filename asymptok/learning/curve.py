"""The expected error of kernel ridge regression from the spectrum alone.

For n points on the sphere, a ridge delta, noise of variance s2 and a target with power v_k in degree k,

    n = sum_k N(d, k) L_k + delta/c,    L_k = mu_k/(mu_k + c)                                        (c > 0 is sought)
    error + s2 = (sum_k (1 - L_k)^2 v_k + s2) n/(n - sum_k N(d, k) L_k^2).

Degrees above a cut K, where mu_k is far below c, act like a ridge: sum N mu_k/(mu_k + c) is about their trace over
c, and the trace of the rest is known exactly, kappa(1) - sum_{k <= K} N(d, k) mu_k. Where that cut lies beyond 512, the
degrees behind are taken in blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np

from asymptok.arguments import checked_degree, checked_dimension, whole_number
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.learning.plots import plot_learning_curves
from asymptok.learning.regression import KernelRegression
from asymptok.points import Array, as_numbers, nonnegative
from asymptok.show.preformatted import Prose
from asymptok.show.prose import prose_html
from asymptok.spectrum import Spectrum, eigenvalues, multiplicity

__all__ = ["LearningCurve", "Modes", "learning_curve", "modes_for"]

#: at the cut mu_k is at most this fraction of c: the rest is a ridge up to one per cent of itself
_CUT = 0.01
#: degrees that are computed one by one, more of them only for a target that has them
_FIRST, _DENSE, _LAST = 32, 512, 4096
#: and beyond, up to this degree, one for each parity in blocks of this width
_FURTHEST, _WIDTH = 10**10, 0.05
#: bisections of an interval of logarithms: as many as doubles can use
_HALVINGS = 120
#: points at which sums over many degrees are taken at a time
_CHUNK = 64


#: rows at either end of a long curve that are printed
_SHOWN = 10


@dataclass(frozen=True)
class Modes:
    """mu_k with N(d, k) for k = 0..top and, behind them, for blocks of degrees; the trace of the degrees above."""

    mu: Array
    count: Array
    rest: float
    proved: bool
    top: int
    #: whether the degrees above are known to be absent
    finite: bool = False

    def effective_ridge(self, n: Array, ridge: float) -> Array:
        """c for each n; 0 where more points than dimensions and no ridge leave nothing to regularise."""
        delta = ridge + self.rest
        positive = self.mu > 0
        mu, count = self.mu[positive], self.count[positive]
        result = np.zeros(len(n))
        rank = count.sum()
        open_ = (n < rank) | (delta > 0)
        sizes = n[open_]
        if mu.size == 0 or sizes.size == 0:
            result[open_] = delta / sizes
            return result
        # every term is at most mu/c, and at least mu_min/(mu_min + c): both ends enclose the root
        high = np.log((delta + float(mu @ count)) / sizes)
        low = np.minimum(high, np.log(delta / sizes if delta > 0 else mu.min() * (rank / sizes - 1)))
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
        chunks = (c[start : start + _CHUNK] for start in range(0, len(c), _CHUNK))
        return np.concatenate([_learned(mu, chunk) ** power @ count for chunk in chunks])


def _learned(mu: Array, c: Array) -> Array:
    """L = mu/(mu + c), rows for c; 0 for mu = 0 also where c = 0."""
    total = mu[None, :] + c[:, None]
    return np.where(mu > 0, mu / np.where(total > 0, total, 1.0), 0.0)


@dataclass(frozen=True, repr=False, eq=False)
class LearningCurve(Prose):
    """The expected squared error for each n, without the noise of the test labels.

    `effective_ridge` is c, `learned` the fraction L_k (a row for each n, a column for each degree of the target), `cut`
    the last degree that enters one by one, the rest by its trace or in blocks; `proved` says whether that is a trace
    known exactly from proved eigenvalues.
    """

    kernel: Kernel
    d: int
    n: Array
    error: Array
    target: dict[int, float]
    ridge: float
    noise: float
    effective_ridge: Array
    learned: Array
    cut: int
    proved: bool

    def __str__(self) -> str:
        head = f"learning curve of {self.kernel.name or self.kernel}, d = {self.d}"
        head += f", ridge {self.ridge:g}, noise {self.noise:g}"
        rows = [
            f"n = {n:<10g} expected squared error {e:.6g}" for n, e in zip(self.n, self.error, strict=True)
        ]
        if len(rows) > 2 * _SHOWN:
            rows = [*rows[:_SHOWN], f"({len(rows) - 2 * _SHOWN} more)", *rows[-_SHOWN:]]
        return "\n".join([head, *rows])

    def _repr_html_(self) -> str:
        head, *_ = str(self).splitlines()
        rows = "".join(
            f"<tr><td>{n:g}</td><td>{e:.6g}</td></tr>" for n, e in zip(self.n, self.error, strict=True)
        )
        heads = "<tr><th><i>n</i></th><th>expected squared error</th></tr>"
        return f"<p>{prose_html(head)}</p><table>{heads}{rows}</table>"

    def measure(self, runs: int = 10, test: int = 500, seed: int = 0) -> tuple[Array, Array, Array]:
        """(n, error, standard error) of actual regressions with fresh points in each run, for `plot`.

        The mean over random targets of the given powers, and over the noise, is taken exactly for the points drawn: if
        w(x) are the weights of the prediction and V(x, y) = sum_k v_k P_k(<x, y>), it is V(x, x) - 2 w V(X, x) +
        w V(X, X) w + noise |w|^2, averaged over `test` new points x.
        """
        runs, test = whole_number(runs, "number of runs", least=2), whole_number(test, "number of points")
        powers = [self.target.get(k, 0.0) / multiplicity(k, self.d) for k in range(max(self.target) + 1)]
        spread = Kernel.from_eigenvalues(powers, self.d)
        found = np.empty((len(self.n), runs))
        for i, run in np.ndindex(found.shape):
            n = int(self.n[i])
            points = np.random.default_rng([seed, run, n]).normal(size=(n + test, self.d))
            X, new = points[:n], points[n:]
            w = KernelRegression(self.kernel, self.ridge).fit(X, np.zeros(n)).weights(new)
            seen = w @ (spread.gram(X) + self.noise * np.eye(n))
            found[i, run] = float(spread(1.0)) + np.sum(w * (seen - 2 * spread.gram(new, X))) / test
        return self.n, found.mean(axis=1), found.std(axis=1, ddof=1) / np.sqrt(runs)

    def plot(self, *others: LearningCurve, measured: object = None) -> Any:
        """The curve, and others beside it, as a matplotlib Figure (needs asymptok[plot]).

        `measured` is a list with (n, error, standard error) for each curve, as from `measure`.
        """
        return plot_learning_curves((self, *others), measured)


def learning_curve(
    kernel: object, d: int, n: Any, target: Mapping[int, float], ridge: float = 0, noise: float = 0
) -> LearningCurve:
    """The expected squared error of kernel regression with n points drawn evenly from S^(d-1).

    It is a theory for many effective directions: with little ridge it is too low on S^1 and S^2 (docs/learning.md).
    `target` gives the power (mean square) of the target in each degree, `ridge` is delta in (K + delta I)^-1, `noise`
    the variance of the labels' noise. A kernel of rank 4 and no ridge is least squares, with error
    noise rank/(n - rank):

    >>> learning_curve("1 + u", 3, [10, 100], {0: 1, 1: 2}, noise=3).error
    array([2.   , 0.125])
    """
    kernel, d = as_kernel(kernel), checked_dimension(d)
    sizes, powers = _sizes(n), _powers(target)
    delta, variance = nonnegative(ridge, "the ridge"), nonnegative(noise, "the noise variance")
    modes = modes_for(kernel, d, float(sizes.max()), delta, max(powers, default=0))
    c = modes.effective_ridge(sizes, delta)
    # a degree of the target beyond those computed is not learned
    mu = np.array([modes.mu[k] if k <= modes.top else 0.0 for k in powers])
    learned = _learned(mu, c)
    bias = (1 - learned) ** 2 @ np.array(list(powers.values()))
    error = modes.overfitting(sizes, c) * (bias + variance) - variance
    return LearningCurve(
        kernel, d, sizes, error, powers, delta, variance, c, learned, modes.top, modes.proved
    )


def modes_for(kernel: Kernel, d: int, most: float, ridge: float, degree: int) -> Modes:
    """As many degrees as n <= most points can tell from a ridge, and those of the target."""
    top = min(max(_FIRST, degree), _LAST)
    while True:
        modes = _modes(kernel, d, top)
        c = modes.effective_ridge(np.array([most]), ridge)[0]
        if modes.finite or max(modes.mu[-2:]) <= _CUT * c > 0:
            return modes
        if top >= _DENSE:
            break
        top = min(2 * top, _DENSE)
    if modes.rest == 0:
        raise AsymptokError(
            f"n = {most:g} points resolve eigenvalues below the range of doubles: give a ridge > 0"
        )
    modes = _far_modes(kernel, d, top)
    if max(modes.mu[-2:]) > _CUT * modes.effective_ridge(np.array([most]), ridge)[0]:
        raise AsymptokError(f"n = {most:g} points on S^{d - 1} resolve degrees beyond {_FURTHEST}")
    return modes


@lru_cache(maxsize=64)
def _far_modes(kernel: Kernel, d: int, top: int) -> Modes:
    """Degrees up to `top` one by one, then blocks, in which mu_k stands for all degrees of its parity.

    Up to K there are binom(K+d-1, d-1) harmonics of the parity of K. A power law on a block of 5 % differs from its
    middle by a tenth of a per cent of the trace; what the blocks leave of it stays a ridge.
    """
    near = _modes(kernel, d, top)
    edges = [top]
    while edges[-1] < _FURTHEST and comb(edges[-1] + d - 1, d - 1) < 2**900:
        # an odd number of degrees of each parity: one of them is in the middle
        edges.append(edges[-1] + 2 * (2 * int(_WIDTH * edges[-1] / 4) + 1))
    blocks = [(low - p, high - p) for low, high in pairwise(edges) for p in (1, 0)]
    middles = [(low + high) // 2 + 1 for low, high in blocks]
    spectrum = eigenvalues(kernel, d, ks=middles, dps=15)
    mu = np.array([max(float(spectrum[k]), 0.0) for k in middles])
    count = np.array([float(comb(high + d - 1, d - 1) - comb(low + d - 1, d - 1)) for low, high in blocks])
    rest = near.rest - float(mu @ count)
    if abs(rest) < 0.01 * near.rest:
        mu, rest = mu * near.rest / float(mu @ count), 0.0
    return Modes(np.append(near.mu, mu), np.append(near.count, count), max(rest, 0.0), False, top)


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
    try:
        count = spectrum.multiplicities.astype(float)
    except OverflowError:
        raise AsymptokError(
            f"the multiplicities in dimension d = {d} are beyond double precision: take a smaller d"
        ) from None
    finite = all(spectrum[k] == 0 for k in (top - 1, top))
    return Modes(mu, count, _rest(spectrum, top), spectrum.rigorous, top, finite)


def _rest(spectrum: Spectrum, top: int) -> float:
    """The trace above the cut; what is within the error of the numbers counts as nothing."""
    if spectrum.rigorous:
        rest = float(spectrum.tail(top))
    else:
        rest = float(spectrum.kernel.evaluate(1, 25) - spectrum.trace)
    return rest if rest > 1e-17 * abs(float(spectrum.trace)) else 0.0


# what a user gives -----------------------------------------------------------------------------------------


def _sizes(n: object) -> Array:
    sizes = np.atleast_1d(as_numbers(n, "n, the numbers of points,"))
    if sizes.ndim != 1 or sizes.min() < 1:
        raise AsymptokError(f"n is a number of points >= 1 or a list of them, not {n!r}")
    return sizes


def _powers(target: object) -> dict[int, float]:
    if not isinstance(target, Mapping) or not target:
        raise AsymptokError("the target is a dict {degree: power} with at least one degree")
    result: dict[int, float] = {}
    for degree, power in target.items():
        result[checked_degree(degree)] = nonnegative(power, f"the power in degree {degree}")
    return dict(sorted(result.items()))
