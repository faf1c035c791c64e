"""The expected error of kernel ridge regression from the spectrum: of the kernel on the sphere, or of a data set.

For n points on the sphere, a ridge delta, noise of variance s2 and a target with power v_k in degree k,

    n = sum_k N(d, k) L_k + delta/c,    L_k = mu_k/(mu_k + c)                                        (c > 0 is sought)
    error + s2 = (sum_k (1 - L_k)^2 v_k + s2) n/(n - sum_k N(d, k) L_k^2).

For n of the P points of a data set, mu_i the eigenvalues of K/P and v_i the power of the labels along its eigenvectors,
these are the equations as P -> oo. For every P they hold for the n rows of a random rotation of the eigenvectors, with
A = sum L_i, B = sum L_i^2 (docs/learning.md),

    n = A + (delta/c) (1 - A/P),    error + s2 = (sum_i (1 - L_i)^2 (v_i + s2/P)) n/(n - B - (n (2A - B) - A^2)/P);

the error is that on the P - n other points. At n = P - 1 it is the generalised cross-validation of all of them.

Degrees above a cut K, where mu_k is far below c, act like a ridge: sum N mu_k/(mu_k + c) is about their trace over
c, and the trace of the rest is known exactly, kappa(1) - sum_{k <= K} N(d, k) mu_k. Where that cut lies beyond 512, the
degrees behind are taken in blocks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
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
from asymptok.learning.regression import KernelRegression, spectrum_of_matrix
from asymptok.points import Array, as_numbers, as_points, as_targets, nonnegative
from asymptok.show.preformatted import Prose
from asymptok.show.prose import prose_html
from asymptok.spectrum import Spectrum, eigenvalues, multiplicity

__all__ = ["DataCurve", "LearningCurve", "Modes", "SphereCurve", "learning_curve", "modes_for"]

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
    #: the points of a data set
    population: float = np.inf

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
            seen = self._sum(mu, count, c, 1)
            above = seen + delta / c * (1 - seen / self.population) > sizes
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        result[open_] = np.exp((low + high) / 2)
        return result

    def error(self, n: Array, c: Array, unlearned: Array, noise: float) -> Array:
        """The error from sum (1 - L)^2 v, infinite where n - B - ... is 0: the interpolation peak."""
        first, square = (self._sum(self.mu, self.count, c, power) for power in (1, 2))
        room = n - square - (n * (2 * first - square) - first**2) / self.population
        factor = np.where(room > 1e-12 * n, n / np.where(room > 0, room, 1.0), np.inf)
        return factor * (unlearned + noise * (1 - (2 * first - square) / self.population)) - noise

    @staticmethod
    def _sum(mu: Array, count: Array, c: Array, power: int) -> Array:
        """sum_k N L_k^power for each c."""
        return np.concatenate([_learned(mu, part) ** power @ count for part in _chunks(c)])


def _chunks(c: Array) -> Iterator[Array]:
    return (c[start : start + _CHUNK] for start in range(0, len(c), _CHUNK))


def _learned(mu: Array, c: Array) -> Array:
    """L = mu/(mu + c), rows for c; 0 for mu = 0 also where c = 0."""
    total = mu[None, :] + c[:, None]
    return np.where(mu > 0, mu / np.where(total > 0, total, 1.0), 0.0)


@dataclass(frozen=True, repr=False, eq=False)
class LearningCurve(Prose, ABC):
    """The expected squared error for each n, without the noise of the test labels; `effective_ridge` is c."""

    kernel: Kernel
    n: Array
    error: Array
    ridge: float
    noise: float
    effective_ridge: Array

    @property
    @abstractmethod
    def place(self) -> str:
        """Where the points are from."""

    @abstractmethod
    def _run(self, n: int, rng: np.random.Generator, test: int) -> float:
        """The error of one regression."""

    def __str__(self) -> str:
        head = f"learning curve of {self.kernel.name or self.kernel}, {self.place}"
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
        """(n, error, standard error) of actual regressions with other points in each run, for `plot`.

        On the sphere, with w(x) the weights of the prediction and V(x, y) = sum_k v_k P_k(<x, y>), the mean over random
        targets and over the noise is exact: V(x, x) - 2 w V(X, x) + w V(X, X) w + noise |w|^2, averaged over `test` new
        points x. A data set is split at random: n points to learn from, the others for the test.
        """
        runs, test = whole_number(runs, "number of runs", least=2), whole_number(test, "number of points")
        found = np.empty((len(self.n), runs))
        for i, run in np.ndindex(found.shape):
            n = int(self.n[i])
            found[i, run] = self._run(n, np.random.default_rng([seed, run, n]), test)
        return self.n, found.mean(axis=1), found.std(axis=1, ddof=1) / np.sqrt(runs)

    def plot(self, *others: LearningCurve, measured: object = None) -> Any:
        """The curve, and others beside it, as a matplotlib Figure (needs asymptok[plot]).

        `measured` is a list with (n, error, standard error) for each curve, as from `measure`.
        """
        return plot_learning_curves((self, *others), measured)


@dataclass(frozen=True, repr=False, eq=False)
class SphereCurve(LearningCurve):
    """Points drawn evenly from S^(d-1), and a target with given powers.

    `learned` is the fraction L_k (a row for each n, a column for each degree of the target), `cut` the last degree
    that enters one by one, the rest by its trace or in blocks; `proved` says whether that is a trace known exactly from
    proved eigenvalues.
    """

    d: int
    target: dict[int, float]
    learned: Array
    cut: int
    proved: bool

    @property
    def place(self) -> str:
        return f"d = {self.d}"

    def _run(self, n: int, rng: np.random.Generator, test: int) -> float:
        powers = [self.target.get(k, 0.0) / multiplicity(k, self.d) for k in range(max(self.target) + 1)]
        spread = Kernel.from_eigenvalues(powers, self.d)
        points = rng.normal(size=(n + test, self.d))
        X, new = points[:n], points[n:]
        w = KernelRegression(self.kernel, self.ridge).fit(X, np.zeros(n)).weights(new)
        seen = w @ (spread.gram(X) + self.noise * np.eye(n))
        return float(spread(1.0)) + float(np.sum(w * (seen - 2 * spread.gram(new, X)))) / test


@dataclass(frozen=True, repr=False, eq=False)
class DataCurve(LearningCurve):
    """n of the points of a data set, drawn at random; the error on the others, of several columns of labels the sum."""

    points: Array
    labels: Array

    @property
    def place(self) -> str:
        return f"{self.points.shape[0]} points in {self.points.shape[1]} columns"

    def _run(self, n: int, rng: np.random.Generator, test: int) -> float:
        order = rng.permutation(len(self.points))
        learned, rest = order[:n], order[n:]
        model = KernelRegression(self.kernel, self.ridge).fit(self.points[learned], self.labels[learned])
        w = model.weights(self.points[rest])
        error = np.sum((w @ self.labels[learned] - self.labels[rest]) ** 2)
        return float(error + self.labels.shape[1] * self.noise * np.sum(w**2)) / len(rest)


def learning_curve(
    kernel: object,
    d: int | None = None,
    n: Any = None,
    target: Mapping[int, float] | None = None,
    ridge: float = 0,
    noise: float = 0,
    *,
    data: tuple[object, object] | None = None,
) -> LearningCurve:
    """The expected squared error of kernel regression with n points drawn evenly from S^(d-1), or from a data set.

    On the sphere `target` gives the power (mean square) of the target in each degree, `ridge` is delta in
    (K + delta I)^-1, `noise` the variance of the labels' noise. It is a theory for many effective directions: with
    little ridge it is too low on S^1 and S^2 (docs/learning.md). A kernel of rank 4 and no ridge is least squares, with
    error noise rank/(n - rank):

    >>> learning_curve("1 + u", 3, [10, 100], {0: 1, 1: 2}, noise=3).error
    array([2.   , 0.125])

    With data=(X, y) in the place of d and target it is the error on the points of the data set that were not drawn;
    rows are put on the sphere, y has one column for each task, and `noise` is what is added to its own:

    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> learning_curve("1 + u", data=(X, X[:, 0] / np.linalg.norm(X, axis=1)), n=[10, 40]).error.round(6)
    array([0., 0.])
    """
    kernel, sizes = as_kernel(kernel), _sizes(n)
    delta, variance = nonnegative(ridge, "the ridge"), nonnegative(noise, "the noise variance")
    if data is not None:
        if d is not None or target is not None:
            raise AsymptokError("data=(X, y) takes the place of d and target: give one or the other")
        return _from_data(kernel, sizes, data, delta, variance)
    d, powers = checked_dimension(d), _powers(target)
    modes = modes_for(kernel, d, float(sizes.max()), delta, max(powers, default=0))
    c = modes.effective_ridge(sizes, delta)
    # a degree of the target beyond those computed is not learned
    mu = np.array([modes.mu[k] if k <= modes.top else 0.0 for k in powers])
    learned = _learned(mu, c)
    error = modes.error(sizes, c, (1 - learned) ** 2 @ np.array(list(powers.values())), variance)
    return SphereCurve(kernel, sizes, error, delta, variance, c, d, powers, learned, modes.top, modes.proved)


def _from_data(kernel: Kernel, n: Array, data: object, ridge: float, noise: float) -> DataCurve:
    if not isinstance(data, tuple | list) or len(data) != 2:
        raise AsymptokError("data is a pair (X, y): points in rows, and a label or a row of labels for each")
    points = as_points(data[0])
    labels = as_targets(data[1], len(points)).reshape(len(points), -1)
    P = len(points)
    if n.max() > P - 1:
        raise AsymptokError(f"n is at most {P - 1}, so that one of the {P} points is left to predict")
    values, vectors = spectrum_of_matrix(kernel.gram(points), kernel)
    modes = Modes(values / P, np.ones(P), 0.0, False, P, True, P)
    c = modes.effective_ridge(n, ridge)
    power = np.sum((vectors.T @ labels) ** 2, axis=1) / P
    unlearned = np.concatenate([(1 - _learned(modes.mu, part)) ** 2 @ power for part in _chunks(c)])
    error = modes.error(n, c, unlearned / labels.shape[1], noise) * labels.shape[1]
    return DataCurve(kernel, n, error, ridge, noise, c, points, labels)


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
