"""Kernel ridge regression, its Gaussian process reading, leave-one-out errors, and kernel gradient descent.

With the matrix K of the training points, the predictor is k(x)^T (K + ridge I)^-1 y. As a Gaussian process with noise
variance `ridge`, the variance at x is kappa(x, x) - k(x)^T (K + ridge I)^-1 k(x). Leaving out one point changes its
prediction to y_i - alpha_i/[(K + ridge I)^-1]_ii.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from asymptok.errors import AsymptokError
from asymptok.kernels.gram import diagonal, gram
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.points import Array, as_numbers, as_points, as_targets, nonnegative

__all__ = ["Flow", "KernelRegression", "spectrum_of_matrix"]

#: eigenvalues of K below this many units of rounding times n times the largest are rounding
_RANK = 4
#: and negative ones beyond this fraction are not
_NEGATIVE = 1e-8
#: rows that are predicted at a time
_ROWS = 4096


class KernelRegression:
    """f(x) = k(x)^T (K + ridge I)^-1 y, an estimator of scikit-learn that does not need scikit-learn.

    Without a ridge it is the interpolant of minimal norm. Single precision in is single precision out.

    >>> from asymptok import kernels
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    >>> model = KernelRegression(kernels.laplace()).fit(X, [1.0, 2.0, 3.0])
    >>> mean, deviation = model.predict(X, return_std=True)
    >>> bool(np.allclose(mean, [1, 2, 3])), bool((deviation < 1e-7).all())
    (True, True)
    """

    _estimator_type = "regressor"

    def __init__(self, kernel: object, ridge: float = 0, normalize: bool = True) -> None:
        # a scikit-learn estimator keeps its parameters as they are given, and reads them in fit
        self.kernel, self.ridge, self.normalize = kernel, ridge, normalize

    def fit(self, X: object, y: object) -> KernelRegression:
        """Learn from the rows of X and the values y (one column for each task)."""
        self._kernel: Kernel = as_kernel(self.kernel)
        self._ridge = nonnegative(self.ridge, "the ridge")
        points = as_points(X)
        self._points = _in_precision_of(X, points)
        self._y = as_targets(y, len(points)).astype(self._points.dtype)
        self._matrix = self._gram(self._points)
        self._eigen: tuple[Array, Array] | None = None
        self._factor = self._cholesky()
        self.dual_coef_ = self._solve(self._y)
        self.n_features_in_ = points.shape[1]
        return self

    # ------------------------------------------------------------------ what scikit-learn asks

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters of the constructor."""
        return {"kernel": self.kernel, "ridge": self.ridge, "normalize": self.normalize}

    def set_params(self, **parameters: Any) -> KernelRegression:
        """Change parameters; the next fit() reads them."""
        for name, value in parameters.items():
            if name not in self.get_params():
                raise AsymptokError(f"{name} is no parameter: there are {', '.join(self.get_params())}")
            setattr(self, name, value)
        return self

    def score(self, X: object, y: object, sample_weight: object = None) -> float:
        """R^2 = 1 - sum (y - f(X))^2/sum (y - mean y)^2, the mean over tasks."""
        found = np.asarray(self.predict(X))
        truth = as_targets(y, len(found)).reshape(len(found), -1)
        weight = np.ones(len(found)) if sample_weight is None else as_numbers(sample_weight, "the weights")
        left = weight @ (truth - found.reshape(truth.shape)) ** 2
        spread = weight @ (truth - np.average(truth, axis=0, weights=weight)) ** 2
        # constant labels, as scikit-learn counts them
        exact = np.where(left > 0, 0.0, 1.0)
        return float(np.mean(np.where(spread > 0, 1 - left / np.where(spread > 0, spread, 1.0), exact)))

    def __repr__(self) -> str:
        return f"KernelRegression({self.kernel!r}, ridge={self.ridge!r}, normalize={self.normalize!r})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import RegressorTags, Tags, TargetTags

        target = TargetTags(required=True, multi_output=True)
        return Tags(estimator_type="regressor", target_tags=target, regressor_tags=RegressorTags())

    # ------------------------------------------------------------------ what it says

    def predict(self, X: object, return_std: bool = False) -> Any:
        """Values at the rows of X; with `return_std` also the standard deviation of the Gaussian process there."""
        points = self._rows(X)
        values, deviations = [], []
        for start in range(0, len(points), _ROWS):
            rows = points[start : start + _ROWS]
            cross = self._gram(rows, self._points)
            values.append(cross @ self.dual_coef_)
            if return_std:
                explained = np.einsum("ij,ji->i", cross, self._solve(cross.T))
                prior = diagonal(self._kernel, rows, self.normalize)
                deviations.append(np.sqrt(np.maximum(prior - explained, 0)).astype(cross.dtype))
        mean = np.concatenate(values)
        return (mean, np.concatenate(deviations)) if return_std else mean

    def weights(self, X: object) -> Array:
        """w(x) with predict(X) = w y, a row for each point: how the prediction depends on the values learned from."""
        return np.asarray(self._solve(self._gram(self._points, self._rows(X))).T)

    def leave_one_out(self) -> Array:
        """For each training point the prediction of the model trained without it."""
        self._rows(None)
        values, vectors = self._decomposition()
        weights = self._weights(values)
        if not weights.all():
            raise AsymptokError("K is singular (repeated points?): leave-one-out needs a ridge > 0")
        return self._y - (self.dual_coef_.T / (vectors**2 @ weights)).T

    @property
    def norm(self) -> float:
        """The norm of the predictor in the RKHS (the root of the sum of squares over tasks)."""
        self._rows(None)
        return float(np.sqrt(max(0.0, float(np.sum(self.dual_coef_ * (self._matrix @ self.dual_coef_))))))

    def flow(self, t: float, rate: float = 1.0) -> Flow:
        """The predictor of kernel gradient descent after time t, f_t = k(x)^T K^-1 (I - exp(-rate K t/n)) y.

        It starts from 0, knows nothing of the ridge, and tends to the interpolant of minimal norm as t -> oo.
        """
        self._rows(None)
        time, speed = nonnegative(t, "the time t", finite=False), nonnegative(rate, "the rate")
        values, vectors = self._decomposition()
        return Flow(self, time, vectors @ _along(self._step(values, time * speed), vectors.T @ self._y))

    def early_stopping(self, X: object, y: object, times: object = None, rate: float = 1.0) -> Flow:
        """The flow stopped at the time, among `times`, with the least squared error on the points X, y."""
        points = self._rows(X)
        wanted = as_targets(y, len(points))
        values, vectors = self._decomposition()
        speed = nonnegative(rate, "the rate")
        if times is None:
            largest = values.max() * speed or 1.0
            smallest = max(values.min() * speed, largest * 1e-12)
            times = len(values) * np.geomspace(0.01 / largest, 100 / smallest, 200)
        times = np.atleast_1d(as_numbers(times, "times"))
        cross = self._gram(points, self._points) @ vectors
        start = vectors.T @ self._y
        steps = (self._step(values, nonnegative(t, "a time") * speed) for t in times)
        errors = [np.mean((cross @ _along(step, start) - wanted) ** 2) for step in steps]
        return self.flow(float(times[int(np.argmin(errors))]), rate)

    # ------------------------------------------------------------------ linear algebra

    def _rows(self, X: object) -> Array:
        """The points to predict at; those of the training for None."""
        if not hasattr(self, "dual_coef_"):
            raise AsymptokError("this model has not been trained: call fit(X, y) first")
        if X is None:
            return self._points
        points = as_points(X, columns=self.n_features_in_)
        return _in_precision_of(X, points)

    def _gram(self, X: Array, Y: Array | None = None) -> Array:
        return gram(self._kernel, X, Y, normalize=self.normalize)

    def _cholesky(self) -> Array | None:
        """The lower factor of K + ridge I; None where it is singular and there is no ridge."""
        regular = self._matrix.copy()
        regular.flat[:: len(regular) + 1] += self._ridge
        try:
            factor = _lower(regular)
        except np.linalg.LinAlgError:
            return None
        # a failing factorisation shows a singular matrix more surely than a solution does
        least = _rounding(self._matrix, self._matrix.max()) if not self._ridge else 0.0
        return factor if np.diag(factor).min() ** 2 > least else None

    def _decomposition(self) -> tuple[Array, Array]:
        if self._eigen is None:
            self._eigen = spectrum_of_matrix(self._matrix, self._kernel)
        return self._eigen

    def _solve(self, right: Array) -> Array:
        """(K + ridge I)^-1, the pseudo-inverse where K is singular and there is no ridge."""
        if self._factor is not None:
            return _solved(self._factor, right)
        values, vectors = self._decomposition()
        return np.asarray(vectors @ _along(self._weights(values), vectors.T @ right))

    def _weights(self, values: Array) -> Array:
        shifted = values + self._ridge
        kept = shifted > _rounding(self._matrix, values.max(initial=0.0))
        return np.where(kept, 1 / np.where(kept, shifted, 1.0), 0.0)

    def _step(self, values: Array, time: float) -> Array:
        """(1 - exp(-v t/n))/v, which is t/n at v = 0; a direction that is rounding only is never learned."""
        safe = np.where(values > 0, values, 1.0)
        return np.where(values > 0, -np.expm1(-safe * (time / len(values))) / safe, 0.0)


@dataclass(frozen=True)
class Flow:
    """Kernel gradient descent stopped at time t; f_t(x) = sum_i dual_i kappa(x, x_i)."""

    model: KernelRegression
    t: float
    dual: Array

    def predict(self, X: object) -> Array:
        """Values at the rows of X."""
        points = self.model._rows(X)
        return np.asarray(self.model._gram(points, self.model._points) @ self.dual)

    def __call__(self, X: object) -> Array:
        return self.predict(X)


def spectrum_of_matrix(matrix: Array, kernel: Kernel) -> tuple[Array, Array]:
    """Eigenvalues >= 0 of a Gram matrix, those that are rounding replaced by 0, and its eigenvectors."""
    values, vectors = np.linalg.eigh(matrix)
    largest = np.abs(values).max()
    least = _rounding(matrix, largest)
    if values[0] < -max(_NEGATIVE * largest, least):
        raise AsymptokError(f"the matrix of {kernel} has the negative eigenvalue {values[0]:.3g}")
    return np.where(values > least, values, 0.0), vectors


def _rounding(matrix: Array, largest: float) -> float:
    """What is rounding beside the largest eigenvalue or entry."""
    return float(_RANK * np.finfo(matrix.dtype).eps * len(matrix) * largest)


def _in_precision_of(X: object, points: Array) -> Array:
    return np.asarray(points, dtype=np.float32 if np.asarray(X).dtype == np.float32 else None)


def _along(weights: Array, rows: Array) -> Array:
    """Each row of a vector or a matrix times its weight."""
    return np.asarray((rows.T * weights).T)


def _lower(matrix: Array) -> Array:
    """L with L L^T = matrix; LinAlgError unless it is positive definite."""
    try:
        from scipy.linalg import cholesky
    except ImportError:
        return np.asarray(np.linalg.cholesky(matrix))
    return np.asarray(cholesky(matrix.T, lower=True, overwrite_a=True, check_finite=False))


def _solved(lower: Array, right: Array) -> Array:
    try:
        from scipy.linalg import cho_solve
    except ImportError:
        return np.asarray(np.linalg.solve(lower.T, np.linalg.solve(lower, right)))
    return np.asarray(cho_solve((lower, True), right, check_finite=False))
