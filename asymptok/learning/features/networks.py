"""Networks of finite width at initialisation: the features of the last hidden layer, and the gradient."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from asymptok import kernels
from asymptok.arguments import whole_number
from asymptok.errors import AsymptokError
from asymptok.functions.depth import whole_depth
from asymptok.kernels.kernel import Kernel
from asymptok.learning.features.maps import ArcCosineFeatures, FeatureMap, homogeneous
from asymptok.points import as_points, generator
from asymptok.symbols import u

__all__ = ["NetworkFeatures", "TangentFeatures", "empirical_ntk", "network"]

Array = NDArray[np.float64]
#: numbers in an explicit gradient that fit into a few gigabytes
_MAX_ENTRIES = 3 * 10**8
_DEEP = (
    "error bars are known exactly for depth 2; units of deeper networks are not independent: use replicate()"
)


def _draw(depth: int, m: int, d: int, seed: object) -> tuple[Array, ...]:
    """Standard Gaussian weights of the L - 1 hidden layers."""
    L, width = whole_depth(depth), whole_number(m, "width m")
    dim, rng = whole_number(d, "dimension d"), generator(seed)
    sizes = [dim, *[width] * (L - 1)]
    return tuple(rng.standard_normal((n, k)) for k, n in pairwise(sizes))


def _forward(layers: tuple[Array, ...], X: Array) -> list[Array]:
    """x, then the features sqrt(2/m) max(W h, 0) of each hidden layer h."""
    out = [X]
    for weights in layers:
        out.append(np.sqrt(2 / len(weights)) * np.maximum(out[-1] @ weights.T, 0.0))
    return out


@dataclass(frozen=True)
class NetworkFeatures(FeatureMap):
    """The last hidden layer of a ReLU network of depth L and width m; |x| |y| RF_L(cos) for great width."""

    d: int
    layers: tuple[Array, ...] = field(repr=False)

    @property
    def kernel(self) -> Kernel:
        return kernels.random_features(len(self.layers) + 1)

    def __call__(self, X: ArrayLike) -> Array:
        return _forward(self.layers, as_points(X, columns=self.d, least=1))[-1]

    def standard_error(self, X: ArrayLike, Y: ArrayLike | None = None) -> Array:
        """The standard deviation of each entry of the Gram matrix, exactly, for depth 2."""
        if len(self.layers) != 1:
            raise AsymptokError(_DEEP)
        return ArcCosineFeatures(1, self.layers[0]).standard_error(X, Y)


@dataclass(frozen=True)
class TangentFeatures(FeatureMap):
    """The gradient in all parameters of f(x) = sqrt(2/m) <v, max(W_(L-1) ..., 0)>, weights of variance 1.

    <grad f(x), grad f(y)> is near |x| |y| NTK_L(cos): unbiased for L = 2, with a bias of order 1/m beyond.
    """

    d: int
    layers: tuple[Array, ...] = field(repr=False)
    output: Array = field(repr=False)

    @property
    def kernel(self) -> Kernel:
        return kernels.ntk(len(self.layers) + 1)

    def _passes(self, X: ArrayLike) -> list[tuple[Array, Array]]:
        """For each weight matrix (backward signal, forward signal): the gradient of a row is their outer product."""
        forward = _forward(self.layers, as_points(X, columns=self.d, least=1))
        signal = np.broadcast_to(self.output, (len(forward[0]), len(self.output)))
        out = [(np.ones((len(forward[0]), 1)), forward[-1])]
        for weights, below, above in zip(self.layers[::-1], forward[-2::-1], forward[:0:-1], strict=True):
            signal = np.sqrt(2 / len(weights)) * signal * (above > 0)
            out.append((signal, below))
            signal = signal @ weights
        return out

    def __call__(self, X: ArrayLike) -> Array:
        """The gradients as rows; gram() needs far less memory when the network is wide."""
        passes = self._passes(X)
        size = sum(b.shape[1] * h.shape[1] for b, h in passes) * len(passes[0][0])
        if size > _MAX_ENTRIES:
            raise AsymptokError(
                f"the gradients hold {size:.1e} numbers: use gram(X, Y), which does not store them"
            )
        return np.hstack([(b[:, :, None] * h[:, None, :]).reshape(len(b), -1) for b, h in passes])

    def gram(self, X: ArrayLike, Y: ArrayLike | None = None) -> Array:
        """<grad f(x), grad f(y)>, layer by layer: the inner product of outer products is a product."""
        first = self._passes(X)
        second = first if Y is None else self._passes(Y)
        total = np.zeros((len(first[0][0]), len(second[0][0])))
        for (b, h), (c, g) in zip(first, second, strict=True):
            total += (b @ c.T) * (h @ g.T)
        return total

    def standard_error(self, X: ArrayLike, Y: ArrayLike | None = None) -> Array:
        """The standard deviation of each entry of the Gram matrix, exactly, for depth 2.

        One unit contributes 2 (s s' + v^2 1 1' u), whose square has the mean 6 kappa_2 + 4 u kappa_1 + 6 u^2 kappa_0.
        """
        if len(self.layers) != 1:
            raise AsymptokError(_DEEP)
        zero, one, two = (kernels.arc_cosine(n) for n in range(3))
        square = 6 * two + 4 * u * one + 6 * u**2 * zero
        variance = homogeneous(square - (one + u * zero) ** 2, X, Y, self.d)
        return np.asarray(np.sqrt(variance / len(self.output)))


def network(depth: int, m: int, d: int, seed: Any = None) -> NetworkFeatures:
    """The m features of the last hidden layer of a random ReLU network on R^d; depth 2 has one hidden layer.

    >>> network(3, 100, d=4, seed=0)([[1.0, 0.0, 0.0, 0.0]]).shape
    (1, 100)
    """
    return NetworkFeatures(whole_number(d, "dimension d"), _draw(depth, m, d, seed))


def empirical_ntk(depth: int, m: int, d: int, seed: object = None) -> TangentFeatures:
    """The gradient features of a random ReLU network of depth L and width m on R^d.

    >>> import numpy as np
    >>> phi = empirical_ntk(3, 50, d=4, seed=0)
    >>> X = np.eye(4)[:2]
    >>> F = phi(X)
    >>> F.shape, bool(np.allclose(F @ F.T, phi.gram(X)))
    ((2, 2750), True)
    """
    rng = generator(seed)
    layers = _draw(depth, m, d, rng)
    dim = whole_number(d, "dimension d")
    return TangentFeatures(dim, layers, rng.standard_normal(len(layers[-1]) if layers else dim))
