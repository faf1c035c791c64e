"""Random features of one hidden layer: units of arc-cosine kernels, and plane waves of radial kernels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from asymptok import kernels
from asymptok.arguments import whole_number
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.learning.features.uniform import uniform_bound
from asymptok.learning.radial import RadialKernel
from asymptok.points import as_points, generator

__all__ = ["ArcCosineFeatures", "FeatureMap", "FourierFeatures", "arc_cosine", "fourier", "relu"]

Array = NDArray[np.float64]
#: (2n - 1)!! of the order 2n is a double
_MAX_ORDER = 75
_NO_ERROR_BARS = "orthogonal units are not independent: take the standard error from replicate()"


class FeatureMap(ABC):
    """x -> features, with <phi(x), phi(y)> near a homogeneous kernel, which many units approach."""

    kernel: Any
    #: the number of coordinates of x
    d: Any

    @abstractmethod
    def __call__(self, X: ArrayLike) -> Array:
        """The features of the rows of X."""

    def limit(self, X: ArrayLike, Y: ArrayLike | None = None) -> Array:
        """The kernel that the Gram matrix approaches, for the rows of X and Y."""
        return homogeneous(self.kernel, X, Y, self.d)

    def gram(self, X: ArrayLike, Y: ArrayLike | None = None) -> Array:
        """<phi(x), phi(y)> for the rows of X and Y."""
        first = self(X)
        return np.asarray(first @ (first if Y is None else self(Y)).T)


def homogeneous(kernel: Kernel, X: ArrayLike, Y: ArrayLike | None, d: int) -> Array:
    """The homogeneous kernel at points of any norms, of a line too; zero where a point is zero."""
    first = as_points(X, columns=d, least=1)
    second = first if Y is None else as_points(Y, "Y", d, 1)
    # a line lies in a plane, with the same angles
    flat = [np.pad(points, [(0, 0), (0, d == 1)]) for points in (first, second)]
    return kernel.gram(flat[0], None if Y is None else flat[1], normalize=False)


#: weights drawn at once
_MOST_NUMBERS = 10**9


def gaussian_rows(m: int, d: int, rng: np.random.Generator, orthogonal: bool) -> Array:
    """m standard Gaussian vectors of R^d; with `orthogonal` those of each block of d are orthogonal to each other.

    Every single row keeps its law, so that features stay unbiased: a Haar matrix has uniform rows, and their lengths
    are drawn apart.
    """
    if m * d > _MOST_NUMBERS:
        raise AsymptokError(f"{m} units on R^{d} are more than {_MOST_NUMBERS} numbers: take fewer")
    rows = rng.standard_normal((m, d))
    if not orthogonal:
        return np.asarray(rows)
    lengths = np.linalg.norm(rows, axis=1)
    blocks = []
    for _ in range(-(-m // d)):
        q, triangle = np.linalg.qr(rng.standard_normal((d, d)))
        blocks.append(q * np.sign(np.diag(triangle)))
    return np.asarray(np.concatenate(blocks)[:m] * lengths[:, None])


@dataclass(frozen=True)
class ArcCosineFeatures(FeatureMap):
    """sqrt(2/((2n-1)!! m)) max(<w_i, x>, 0)^n with Gaussian w_i: (|x| |y|)^n kappa_n(cos) for many units."""

    order: int
    weights: Array = field(repr=False)
    orthogonal: bool = False

    @property
    def d(self) -> int:
        return int(self.weights.shape[1])

    @property
    def kernel(self) -> Kernel:
        return kernels.arc_cosine(self.order)

    def __call__(self, X: ArrayLike) -> Array:
        signals = as_points(X, columns=self.d, least=1) @ self.weights.T
        units = np.where(signals > 0, signals**self.order, 0.0)
        return np.asarray(np.sqrt(2 / (_odd_factorial(self.order) * len(self.weights))) * units)

    def standard_error(self, X: ArrayLike, Y: ArrayLike | None = None) -> Array:
        """The standard deviation of each entry of the Gram matrix, exactly, from kappa_(2n).

        The square of a product of two units is a product of two units of order 2n.
        """
        if self.orthogonal:
            raise AsymptokError(_NO_ERROR_BARS)
        n = self.order
        scale = 2 * _odd_factorial(2 * n) / _odd_factorial(n) ** 2
        squares = scale * homogeneous(kernels.arc_cosine(2 * n), X, Y, self.d)
        return np.asarray(np.sqrt((squares - self.limit(X, Y) ** 2) / len(self.weights)))


@dataclass(frozen=True)
class FourierFeatures(FeatureMap):
    """sqrt(phi(0)/m) (cos <w_i, x>, sin <w_i, x>), 2m columns: the radial kernel for many frequencies.

    The pair of cosine and sine makes the estimate a function of x - y alone, and exact at x = y.
    """

    kernel: RadialKernel
    frequencies: Array = field(repr=False)
    orthogonal: bool = False

    @property
    def d(self) -> int:
        return int(self.frequencies.shape[1])

    def __call__(self, X: ArrayLike) -> Array:
        phases = as_points(X, columns=self.d, least=1) @ self.frequencies.T
        size = float(self.kernel.at_zero) / len(self.frequencies)
        return np.asarray(np.sqrt(size) * np.hstack([np.cos(phases), np.sin(phases)]))

    def limit(self, X: ArrayLike, Y: ArrayLike | None = None) -> Array:
        """phi(|x - y|)."""
        return self.kernel.gram(X, Y)

    def standard_error(self, X: ArrayLike, Y: ArrayLike | None = None) -> Array:
        """The standard deviation of each entry of the Gram matrix, exactly: cos^2 z = (1 + cos 2z)/2."""
        if self.orthogonal:
            raise AsymptokError(_NO_ERROR_BARS)
        first = as_points(X, columns=self.d, least=1)
        second = first if Y is None else as_points(Y, "Y", self.d, 1)
        size = float(self.kernel.at_zero)
        square = size * (size + self.kernel.gram(2 * first, 2 * second)) / 2
        variance = square - self.kernel.gram(first, second) ** 2
        return np.asarray(np.sqrt(np.clip(variance, 0.0, None) / len(self.frequencies)))

    def uniform_bound(self, diameter: float, failure: float = 0.05, published: bool = False) -> float:
        """epsilon such that the error exceeds it anywhere on a set of that diameter with probability <= failure.

        See asymptok.features.uniform_bound; an error if the spectral density has no second moment (nu <= 1).
        """
        m, d = self.frequencies.shape
        moment = self.kernel.second_moment(d)
        if moment is None:
            raise AsymptokError(
                f"the bound needs a finite second moment of the spectral density, and that of {self.kernel} is "
                "infinite: the kernel is not twice differentiable at r = 0"
            )
        size = float(self.kernel.at_zero)
        return size * uniform_bound(m, d, float(moment), diameter, failure, published=published)


def arc_cosine(
    order: object, m: object, d: object, seed: object = None, orthogonal: bool = False
) -> ArcCosineFeatures:
    """m units max(<w, x>, 0)^order on R^d.

    >>> phi = arc_cosine(0, 500, d=3, seed=0)
    >>> phi([[1.0, 0.0, 0.0]]).shape
    (1, 500)
    """
    n = whole_number(order, "order", least=0)
    if n > _MAX_ORDER:
        raise AsymptokError(
            f"units of order {n} leave the range of doubles: the order is at most {_MAX_ORDER}"
        )
    count, dim = whole_number(m, "number of units m"), whole_number(d, "dimension d")
    return ArcCosineFeatures(n, gaussian_rows(count, dim, generator(seed), orthogonal), bool(orthogonal))


def relu(m: object, d: object, seed: object = None, orthogonal: bool = False) -> ArcCosineFeatures:
    """m ReLU units on R^d: <phi(x), phi(y)> is near |x| |y| kappa_1(cos), with standard error of order 1/sqrt(m).

    >>> phi = relu(10_000, d=3, seed=0)
    >>> X = [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0]]
    >>> bool(abs(phi.gram(X) - phi.limit(X)).max() < 3*phi.standard_error(X).max())
    True
    """
    return arc_cosine(1, m, d, seed, orthogonal)


def fourier(
    kernel: object, m: object, d: object, seed: object = None, orthogonal: bool = False
) -> FourierFeatures:
    """m frequencies (2m features) of a radial kernel on R^d, sampled exactly from its spectral density.

    The kernel is a RadialKernel, an expression in r or a text.

    >>> phi = fourier("exp(-r)", 1000, d=2, seed=0)
    >>> phi([[0.0, 0.0]]).shape, round(float(phi.gram([[1.0, 2.0]])[0, 0]), 12)
    ((1, 2000), 1.0)
    """
    radial = kernel if isinstance(kernel, RadialKernel) else RadialKernel(kernel)
    rng = generator(seed)
    frequencies = radial.sample(m, d, rng)
    if orthogonal:
        # the scale of a frequency and its direction are independent
        count, dim = frequencies.shape
        rows = gaussian_rows(count, dim, rng, True)
        lengths = np.linalg.norm(frequencies, axis=1) / np.linalg.norm(rows, axis=1)
        frequencies = rows * lengths[:, None]
    return FourierFeatures(radial, frequencies, bool(orthogonal))


def _odd_factorial(n: int) -> float:
    """(2n - 1)!! = 1 * 3 * ... * (2n - 1)."""
    return float(np.prod(np.arange(1, 2 * n, 2, dtype=float)))
