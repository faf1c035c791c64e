"""Kernel ridge regression, its Gaussian process reading, leave-one-out errors, and kernel gradient descent.

With the matrix K of the training points, the predictor is k(x)^T (K + ridge I)^-1 y. As a Gaussian process with noise
variance `ridge`, the variance at x is kappa(x, x) - k(x)^T (K + ridge I)^-1 k(x). Leaving out one point changes its
prediction to y_i - alpha_i/[(K + ridge I)^-1]_ii.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from asymptok.errors import AsymptokError
from asymptok.kernels.gram import diagonal, gram
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.points import Array, as_numbers, as_points, as_targets, nonnegative

__all__ = ["Flow", "KernelRegression"]

#: eigenvalues of K below this fraction of n times the largest are rounding
_RANK = 4 * np.finfo(float).eps
#: and negative ones beyond this fraction are not
_NEGATIVE = 1e-8
#: rows that are predicted at a time
_ROWS = 4096


class KernelRegression:
    """Regression with a kernel on the sphere; without a ridge the interpolant of minimal norm.

    >>> from asymptok import kernels
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    >>> model = KernelRegression(kernels.laplace()).fit(X, [1.0, 2.0, 3.0])
    >>> bool(np.allclose(model.predict(X), [1, 2, 3])), bool(np.allclose(model.predict(X, return_std=True)[1], 0))
    (True, True)
    """

    def __init__(self, kernel: object, ridge: float = 0, normalize: bool = True) -> None:
        self.kernel: Kernel = as_kernel(kernel)
        self.ridge, self.normalize = nonnegative(ridge, "the ridge"), bool(normalize)
        self._points: Array | None = None
        self._eigen: tuple[Array, Array] | None = None

    def fit(self, X: object, y: object) -> KernelRegression:
        """Learn from the rows of X and the values y (one column for each task)."""
        points = as_points(X)
        self._y = as_targets(y, len(points))
        self._matrix = np.asarray(gram(self.kernel, points, normalize=self.normalize))
        self._points, self._eigen = points, None
        self.dual = self._solve(self._y)
        return self

    # ------------------------------------------------------------------ what it says

    def predict(self, X: object, return_std: bool = False) -> Array | tuple[Array, Array]:
        """Values at the rows of X; with `return_std` also the standard deviation of the Gaussian process there."""
        train, points = self._fitted(X)
        values, deviations = [], []
        for start in range(0, len(points), _ROWS):
            rows = points[start : start + _ROWS]
            cross = gram(self.kernel, rows, train, normalize=self.normalize)
            values.append(cross @ self.dual)
            if return_std:
                prior = diagonal(self.kernel, rows, self.normalize)
                explained = np.einsum("ij,ji->i", cross, self._solve(cross.T))
                deviations.append(np.sqrt(np.maximum(prior - explained, 0)))
        mean = np.concatenate(values)
        return (mean, np.concatenate(deviations)) if return_std else mean

    def weights(self, X: object) -> Array:
        """w(x) with predict(X) = w y, a row for each point: how the prediction depends on the values learned from."""
        train, points = self._fitted(X)
        return np.asarray(self._solve(gram(self.kernel, train, points, normalize=self.normalize)).T)

    def leave_one_out(self) -> Array:
        """For each training point the prediction of the model trained without it."""
        self._fitted(None)
        values, vectors = self._decomposition()
        weights = self._weights(values)
        if not weights.all():
            raise AsymptokError("K is singular (repeated points?): leave-one-out needs a ridge > 0")
        return self._y - (self.dual.T / (vectors**2 @ weights)).T

    @property
    def norm(self) -> float:
        """The norm of the predictor in the RKHS (the root of the sum of squares over tasks)."""
        self._fitted(None)
        return float(np.sqrt(max(0.0, float(np.sum(self.dual * (self._matrix @ self.dual))))))

    def flow(self, t: float, rate: float = 1.0) -> Flow:
        """The predictor of kernel gradient descent after time t, f_t = k(x)^T K^-1 (I - exp(-rate K t/n)) y.

        It starts from 0, knows nothing of the ridge, and tends to the interpolant of minimal norm as t -> oo.
        """
        self._fitted(None)
        time, speed = nonnegative(t, "the time t", finite=False), nonnegative(rate, "the rate")
        values, vectors = self._decomposition()
        return Flow(self, time, vectors @ _along(self._step(values, time * speed), vectors.T @ self._y))

    def early_stopping(self, X: object, y: object, times: object = None, rate: float = 1.0) -> Flow:
        """The flow stopped at the time, among `times`, with the least squared error on the points X, y."""
        train, points = self._fitted(X)
        wanted = as_targets(y, len(points))
        values, vectors = self._decomposition()
        speed = nonnegative(rate, "the rate")
        if times is None:
            largest = values.max() * speed or 1.0
            smallest = max(values.min() * speed, largest * 1e-12)
            times = len(values) * np.geomspace(0.01 / largest, 100 / smallest, 200)
        times = np.atleast_1d(as_numbers(times, "times"))
        cross = gram(self.kernel, points, train, normalize=self.normalize) @ vectors
        start = vectors.T @ self._y
        steps = (self._step(values, nonnegative(t, "a time") * speed) for t in times)
        errors = [np.mean((cross @ _along(step, start) - wanted) ** 2) for step in steps]
        return self.flow(float(times[int(np.argmin(errors))]), rate)

    # ------------------------------------------------------------------ linear algebra

    def _fitted(self, X: object) -> tuple[Array, Array]:
        if self._points is None:
            raise AsymptokError("this model has not been trained: call fit(X, y) first")
        return self._points, self._points if X is None else as_points(X, columns=self._points.shape[1])

    def _decomposition(self) -> tuple[Array, Array]:
        if self._eigen is None:
            values, vectors = np.linalg.eigh(self._matrix)
            if values[0] < -_NEGATIVE * np.abs(values).max():
                raise AsymptokError(
                    f"the matrix of {self.kernel} has the negative eigenvalue {values[0]:.3g}"
                )
            self._eigen = np.maximum(values, 0.0), vectors
        return self._eigen

    def _solve(self, right: Array) -> Array:
        """(K + ridge I)^-1, the pseudo-inverse where K is singular and there is no ridge."""
        if self._eigen is None:
            regular = self._matrix + self.ridge * np.eye(len(self._matrix))
            try:
                # a failing factorisation shows a singular matrix more surely than a solution does
                factor = np.linalg.cholesky(regular)
                if self.ridge or np.diag(factor).min() ** 2 > len(regular) * _RANK * regular.max():
                    return np.asarray(np.linalg.solve(regular, right))
            except np.linalg.LinAlgError:
                pass
        values, vectors = self._decomposition()
        return np.asarray(vectors @ _along(self._weights(values), vectors.T @ right))

    def _weights(self, values: Array) -> Array:
        shifted = values + self.ridge
        kept = shifted > len(values) * _RANK * values.max(initial=0.0)
        return np.where(kept, 1 / np.where(kept, shifted, 1.0), 0.0)

    def _step(self, values: Array, time: float) -> Array:
        """(1 - exp(-v t/n))/v, which is t/n at v = 0; a direction that is rounding only is never learned."""
        n = len(values)
        real = values > n * _RANK * values.max(initial=0.0)
        safe = np.where(real, values, 1.0)
        return np.where(real, -np.expm1(-safe * (time / n)) / safe, 0.0)


@dataclass(frozen=True)
class Flow:
    """Kernel gradient descent stopped at time t; f_t(x) = sum_i dual_i kappa(x, x_i)."""

    model: KernelRegression
    t: float
    dual: Array

    def predict(self, X: object) -> Array:
        """Values at the rows of X."""
        train, points = self.model._fitted(X)
        return np.asarray(gram(self.model.kernel, points, train, normalize=self.model.normalize) @ self.dual)

    def __call__(self, X: object) -> Array:
        return self.predict(X)


def _along(weights: Array, rows: Array) -> Array:
    """Each row of a vector or a matrix times its weight."""
    return np.asarray((rows.T * weights).T)
