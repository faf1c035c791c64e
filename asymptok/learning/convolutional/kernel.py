"""Convolutional kernel networks and the neural tangent kernel of convolutional networks (Bietti and Mairal, 2019).

    x_1 = P_1 x,  x_(k+1) = P_(k+1) A_k phi_1(x_k)                       P patches, A pooling, phi_1 the map of kappa_1
    y_1 = x_1,    y_(k+1) = P_(k+1) A_k M(x_k, y_k),    M(x, y)[u] = (phi_0(x[u]) (x) y[u], phi_1(x[u]))

The convolutional kernel network is A_n phi_1(x_n), the tangent kernel A_n M(x_n, y_n), with inner products summed over
positions. Only inner products of positions of two signals are needed: <x_k[u], x'_k[v]> and <y_k[u], y'_k[v]>.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from asymptok import kernels
from asymptok.arguments import whole_number
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.learning.convolutional.bounds import deformation_bound, smoothness_bound, translation_bound
from asymptok.learning.convolutional.grid import (
    Spatial,
    along,
    gaussian_taps,
    patch_means,
    pooling_matrix,
    signals_of,
)
from asymptok.points import as_numbers, nonnegative

__all__ = ["ConvolutionalKernel", "ckn", "conv_ntk"]

Array = NDArray[np.float64]
#: numbers in one batch of pairs of signals
_BATCH = 5 * 10**5


@dataclass(frozen=True)
class ConvolutionalKernel:
    """K(x, y) = <Phi(x), Phi(y)> for signals on Z or Z^2; call it on two arrays of signals.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((2, 8))
    >>> K = conv_ntk(layers=2, patch=3, pooling=1.0)
    >>> K(X).shape, bool(K.distance(X[0], X[1]) > 0)
    ((2, 2), True)
    """

    layers: tuple[Spatial, ...] = field(repr=False)
    mappings: tuple[Kernel, ...]
    dim: int
    periodic: bool
    #: the width of A_0
    prefilter: float
    #: those of the mappings, for the tangent kernel; empty for a kernel network
    derivatives: tuple[Kernel, ...] = ()

    @property
    def tangent(self) -> bool:
        """Whether this is the tangent kernel."""
        return bool(self.derivatives)

    def __call__(self, X: ArrayLike, Y: ArrayLike | None = None) -> Array:
        """The matrix K(x, y) for the signals of X and Y (n, places[, channels]), or (n, rows, columns[, channels])."""
        first = self._filtered(X)
        second = first if Y is None else self._filtered(Y)
        if second.shape[1:] != first.shape[1:]:
            raise AsymptokError("both sets of signals must have the same size and channels")
        pooling = self._pooling(first.shape[1 : 1 + self.dim])
        norms = self._own(first, pooling)[1]
        others = norms if Y is None else self._own(second, pooling)[1]
        shape = (len(first), len(second))
        i, j = np.triu_indices(shape[0]) if Y is None else (axis.ravel() for axis in np.indices(shape))
        out = np.empty(shape)
        for part in self._batches(len(i), pooling):
            a, b = i[part], j[part]
            sizes = [(one[a], two[b]) for one, two in zip(norms, others, strict=True)]
            out[a, b] = self._pairs(first[a], second[b], pooling, sizes, (a == b) & (Y is None))[0]
        if Y is None:
            out[j, i] = out[i, j]
        return out

    def diagonal(self, X: ArrayLike) -> Array:
        """|Phi(x)|^2 for each signal."""
        signals = self._filtered(X)
        return self._own(signals, self._pooling(signals.shape[1 : 1 + self.dim]))[0]

    def distance(self, x: ArrayLike, y: ArrayLike) -> float:
        """|Phi(x) - Phi(y)| for two signals."""
        first, second = as_numbers(x, "a signal"), as_numbers(y, "a signal")
        if first.shape != second.shape:
            raise AsymptokError(f"the signals have different shapes, {first.shape} and {second.shape}")
        matrix = self(np.stack([first, second]))
        return float(np.sqrt(max(matrix[0, 0] + matrix[1, 1] - 2 * matrix[0, 1], 0.0)))

    # ------------------------------------------------------------------ proved bounds

    def smoothness_bound(self, distance: float, norm: float = 1.0, other: float | None = None) -> float:
        """A bound on |Phi(x) - Phi(y)| from |x - y|, |x| and |y|; see docs/convolutional.md."""
        self._require_relu()
        return smoothness_bound(
            len(self.layers), self.tangent, distance, norm, norm if other is None else other
        )

    def translation_bound(self, shift: int | Sequence[int], norm: float = 1.0) -> float:
        """A bound on |Phi(x) - Phi(x moved by `shift`)| for |x| = norm, without subsampling."""
        self._require_relu(moved=True)
        moves = np.atleast_1d(as_numbers(shift, "the shift"))
        if moves.shape not in ((1,), (self.dim,)) or (moves % 1).any():
            raise AsymptokError(f"a shift is a whole number of places along each axis, not {shift!r}")
        size = len(self.layers) + 1 if self.tangent else 1
        bound = translation_bound(self.layers[-1].taps, [int(c) for c in moves])
        return float(nonnegative(norm, "a norm") * np.sqrt(size) * bound)

    def deformation_bound(self, gradient: float, displacement: float, norm: float = 1.0) -> float:
        """A bound on |Phi(x(. - tau)) - Phi(x)| from |tau'| <= gradient < 1, |tau| <= displacement and |x| = norm.

        It is proved for signals on the line or the plane, of which the grid is a sample: Gaussian pooling in every
        layer, and as `prefilter`, no narrower than a place. Lengths are in places of the grid.
        """
        self._require_relu(moved=True)
        slope, move = nonnegative(gradient, "the gradient"), nonnegative(displacement, "the displacement")
        widths = [self.prefilter, *(layer.width for layer in self.layers)]
        if min(widths) < 1 or slope >= 1:
            raise AsymptokError(
                "the bound needs a gradient < 1, and Gaussian filters, the prefilter too, of width >= 1 place"
            )
        patches = [layer.patch for layer in self.layers]
        bound = deformation_bound(self.dim, patches, widths, self.tangent, slope, move)
        return nonnegative(norm, "a norm") * bound

    def _require_relu(self, moved: bool = False) -> None:
        if any(kernel.expr != kernels.arc_cosine(1).expr for kernel in self.mappings):
            raise AsymptokError("the bounds are proved for the ReLU, kappa_1, in every layer")
        if any(layer.taps.min() < 0 or abs(layer.taps.sum() - 1) > 1e-12 for layer in self.layers):
            raise AsymptokError("the bounds are proved for pooling weights that are positive and add up to 1")
        if moved and any(layer.stride > 1 for layer in self.layers):
            raise AsymptokError(
                "with subsampling a translation is no symmetry of the layers: there is no bound"
            )

    # ------------------------------------------------------------------ the recursion

    def _filtered(self, X: ArrayLike) -> Array:
        """The signals after the first filter A_0."""
        signals = signals_of(X, self.dim)
        taps = gaussian_taps(self.prefilter)
        for axis in range(1, 1 + self.dim):
            matrix, _ = pooling_matrix(taps, signals.shape[axis], 1, None if self.periodic else 0)
            signals = along(matrix, signals, axis)
        return signals

    def _pooling(self, sizes: Sequence[int]) -> list[list[Array]]:
        """The matrices of A_k along each axis, for signals of these sizes after A_0."""
        found = []
        for size in sizes:
            column, origin = [], None if self.periodic else -(len(gaussian_taps(self.prefilter)) // 2)
            for layer in self.layers:
                if origin is not None:
                    size, origin = size + layer.patch - 1, origin - (layer.patch - layer.patch // 2 - 1)
                matrix, origin = pooling_matrix(layer.taps, size, layer.stride, origin)
                column.append(matrix)
                size = len(matrix)
            found.append(column)
        return [list(layer) for layer in zip(*found, strict=True)]

    def _batches(self, pairs: int, pooling: list[list[Array]]) -> Iterator[slice]:
        largest = max(int(np.prod([matrix.shape[1] for matrix in layer])) for layer in pooling)
        step = max(1, _BATCH // largest**2)
        return (slice(start, start + step) for start in range(0, pairs, step))

    def _own(self, signals: Array, pooling: list[list[Array]]) -> tuple[Array, list[Array]]:
        """K(x, x) for every signal, and |x_k[u]| for every layer k, signal and position."""
        parts = [
            self._pairs(signals[p], signals[p], pooling, None, True)
            for p in self._batches(len(signals), pooling)
        ]
        values, norms = zip(*parts, strict=True)
        return np.concatenate(values), [np.concatenate(layer) for layer in zip(*norms, strict=True)]

    def _pairs(
        self,
        X: Array,
        Y: Array,
        pooling: list[list[Array]],
        sizes: list[tuple[Array, Array]] | None,
        same: bool,
    ) -> tuple[Array, list[Array]]:
        """K for the i-th signals of X and Y, `same` where they are one, and |x_k[u]| if no sizes are given."""
        n, D = len(X), self.dim
        trace = _trace_weights(pooling[-1])
        near, far = np.nonzero(trace)
        # <x_k[u], x'_k[v]> and, for the tangent kernel and from y_1 = x_1 on, <y_k[u], y'_k[v]>
        parts = [_products(X, Y)]
        norms: list[Array] = []
        for number, layer in enumerate(self.layers):
            last = number + 1 == len(self.layers)
            for axis in range(1, 1 + D):
                parts = [patch_means(part, layer.patch, axis, axis + D, self.periodic) for part in parts]
            parts = parts[:1] + parts[-1:] * self.tangent
            grid = parts[0].shape[1:]
            flat = [part.reshape(n, round(parts[0][0].size ** 0.5), -1) for part in parts]
            if sizes is None:
                norms.append(np.sqrt(np.maximum(np.einsum("nuu->nu", flat[0]), 0.0)))
            left, right = (norms[-1], norms[-1]) if sizes is None else sizes[number]
            if last:
                # the trace needs the inner products of places that pooling brings together
                flat = [part[:, near, far] for part in flat]
                size, here = left[:, near] * right[:, far], near == far
            else:
                size, here = left[:, :, None] * right[:, None, :], np.eye(left.shape[1], dtype=bool)
            cosine = np.divide(flat[0], size, out=np.zeros(size.shape), where=size > 0).clip(-1.0, 1.0)
            # exactly 1 between a position and itself: kappa_0 would turn a rounding error e into sqrt(e)
            cosine[np.broadcast_to(same, n)[(...,) + (None,) * here.ndim] & here] = 1.0
            mapped = size * self.mappings[number](cosine)
            flat = [mapped, *(y * self.derivatives[number](cosine) + mapped for y in flat[1:])]
            if not last:
                parts = [part.reshape(n, *grid) for part in flat]
                for axis, matrix in enumerate(pooling[number], 1):
                    parts = [along(matrix, along(matrix, part, axis), axis + D) for part in parts]
        return np.asarray(flat[-1] @ trace[near, far]), norms


def _products(X: Array, Y: Array) -> Array:
    """<x[u], y[v]> over the channels, for the i-th signal of X with the i-th of Y."""
    n, channels = len(X), X.shape[-1]
    flat = X.reshape(n, -1, channels) @ Y.reshape(n, -1, channels).transpose(0, 2, 1)
    return np.asarray(flat.reshape(n, *X.shape[1:-1], *Y.shape[1:-1]))


def _trace_weights(matrices: list[Array]) -> Array:
    """A^T A, for sum_u <A f[u], A g[u]> = sum_(v, w) (A^T A)[v, w] <f[v], g[w]>."""
    weights: Array = np.ones((1, 1))
    for matrix in matrices:
        weights = np.asarray(np.kron(weights, matrix.T @ matrix))
    return weights


def _each(value: Any, n: int, what: str) -> list[Kernel | float]:
    """One value for every layer, or a list of n."""
    if isinstance(value, list | tuple):
        if len(value) != n:
            raise AsymptokError(f"{what} is one value for all layers or a list of {n}, not of {len(value)}")
        return list(value)
    return [value] * n


def _require_finite(mappings: tuple[Kernel, ...]) -> None:
    for kernel in mappings:
        if not np.isfinite(kernel(1.0)):
            raise AsymptokError(f"a mapping and its derivative are finite at u = 1, and {kernel} is not")


def ckn(
    layers: object,
    patch: object = 3,
    pooling: object = 1.0,
    subsampling: object = 1,
    mapping: object = None,
    dim: object = 1,
    boundary: str = "zero",
    prefilter: float = 0.0,
) -> ConvolutionalKernel:
    """The kernel of a convolutional kernel network: patches, |x| |y| kappa(cos), Gaussian pooling, layer upon layer.

    Each of patch (places along an axis), pooling (the width sigma, or a tuple of weights), subsampling and mapping
    (kappa, by default that of the ReLU) is one value or a list with one for each layer. boundary "zero" means signals
    on Z that vanish outside the places given, "periodic" signals on a circle. prefilter is the width of A_0.

    >>> ckn(layers=1, patch=1, pooling=0)([[3.0]], [[-4.0], [4.0]])
    array([[ 0., 12.]])
    """
    n = whole_number(layers, "number of layers")
    if dim not in (1, 2):
        raise AsymptokError(f"signals have dimension 1 or 2, not {dim!r}")
    if boundary not in ("zero", "periodic"):
        raise AsymptokError(f"the boundary is 'zero' or 'periodic', not {boundary!r}")
    given = {"patch": patch, "pooling": pooling, "subsampling": subsampling}
    columns = [_each(value, n, what) for what, value in given.items()]
    spatial = tuple(Spatial.read(*values) for values in zip(*columns, strict=True))
    chosen = kernels.arc_cosine(1) if mapping is None else mapping
    mappings = tuple(as_kernel(value) for value in _each(chosen, n, "mapping"))
    _require_finite(mappings)
    gaussian_taps(prefilter)  # refuses what is no width
    return ConvolutionalKernel(spatial, mappings, int(dim), boundary == "periodic", float(prefilter))


def conv_ntk(
    layers: object,
    patch: object = 3,
    pooling: object = 1.0,
    subsampling: object = 1,
    mapping: object = None,
    dim: object = 1,
    boundary: str = "zero",
    prefilter: float = 0.0,
) -> ConvolutionalKernel:
    """The tangent kernel of a convolutional ReLU network whose n layers are as in ckn(), all of them trained.

    For another mapping kappa the derivative kappa' stands in the place of kappa_0, which is the tangent kernel when
    kappa is the dual of a positively homogeneous activation.

    >>> conv_ntk(layers=1, patch=1, pooling=0)([[3.0]], [[-4.0], [4.0]])
    array([[ 0., 24.]])
    """
    kernel = ckn(layers, patch, pooling, subsampling, mapping, dim, boundary, prefilter)
    derivatives = tuple(mapping.diff() for mapping in kernel.mappings)
    _require_finite(derivatives)
    return replace(kernel, derivatives=derivatives)
