"""The matrix kappa(<x_i, y_j>) of data, in blocks that bound the memory beside the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from asymptok.errors import AsymptokError
from asymptok.kernels.ends import EndFunction
from asymptok.kernels.values import require_no_parameters
from asymptok.points import Array, as_points, on_sphere
from asymptok.slots import Slot

if TYPE_CHECKING:
    from asymptok.kernels.kernel import Kernel
    from asymptok.kernels.off_sphere import TwoNorms

__all__ = ["TWO_POINTS", "diagonal", "gram"]

#: what is said to a program that calls a kernel with two points, one pair after the other
TWO_POINTS = (
    "a kernel is a function of the number u = <x, y>, and gram(X, Y) takes matrices with points in their rows; in "
    "scikit-learn write kernel=ZonalKernel(K), with ZonalKernel from asymptok.sklearn"
)

#: the degree of a homogeneous kernel, or the kernel as a function of <x, x>, <x, y> and <y, y>
_two_norms: Slot[[Kernel], tuple[float, TwoNorms | None]] = Slot("two_norms")
#: rows and columns of a block: a few arrays of this size fit into a processor's cache
_BLOCK = 128
#: panels of rows, each with one matrix product; one of them at a time is kept beside the result
_PANELS = 16
#: numbers held at once for pairs of points that are close to each other
_PAIRS = 2**20


def gram(kernel: Kernel, X: object, Y: object = None, normalize: bool = True) -> Array:
    """See Kernel.gram."""
    require_no_parameters(kernel)
    if Y is not None and np.ndim(X) == np.ndim(Y) == 1:  # type: ignore[arg-type]
        raise AsymptokError(TWO_POINTS)
    if not isinstance(normalize, bool | int | np.bool_):
        raise AsymptokError(f"normalize is True or False, not {normalize!r}")
    left = as_points(X)
    same = Y is None
    right = left if same else as_points(Y, "Y", columns=left.shape[1])
    single = all(getattr(data, "dtype", None) == np.float32 for data in ((X,) if same else (X, Y)))
    a, a_lengths = _directions(left, "X", normalize)
    b, b_lengths = (a, a_lengths) if same else _directions(right, "Y", normalize)
    degree, at_norms = (0.0, None) if normalize else _two_norms(kernel)
    if at_norms is None:
        # one way of evaluation for all blocks, chosen by their number
        kernel._arrays().choose(len(a) * len(b) // (1 + same))
    result = np.empty((len(a), len(b)), dtype=np.float32 if single else np.float64)
    for rows, columns, cosines in _blocks(a, b, same):
        if at_norms is None:
            block = _block(kernel, kernel._arrays().ends, a[rows], b[columns], cosines)
            if not normalize:
                block *= _scale(a_lengths[rows, None], degree) * _scale(b_lengths[None, columns], degree)
        else:
            block = at_norms(*_inner_products(a_lengths[rows, None], cosines, b_lengths[None, columns]))
        result[rows, columns] = block
        if same:
            # the blocks on the diagonal too are symmetric to the last bit
            result[columns, rows] = block.T if rows != columns else np.triu(block) + np.triu(block, 1).T
    if same:
        np.fill_diagonal(result, diagonal(kernel, left, normalize))
    return result


def diagonal(kernel: Kernel, X: object, normalize: bool = True) -> Array:
    """kappa(1) for each point, or the kernel at x and x."""
    lengths = _directions(as_points(X), "X", normalize)[1]
    degree, at_norms = (0.0, None) if normalize else _two_norms(kernel)
    if at_norms is not None:
        found = at_norms(*_inner_products(lengths, np.ones_like(lengths), lengths))
        return np.array(np.broadcast_to(found, lengths.shape))
    top = kernel._arrays().top
    return np.full(len(lengths), top) if normalize else top * _scale(lengths, 2 * degree)


def _scale(lengths: Array, degree: float) -> Array:
    """|x|^p, and 0 for a point that has no direction."""
    return np.asarray(np.where(lengths > 0, lengths**degree, 0.0))


def _inner_products(first: Array, cosines: Array, second: Array) -> tuple[Array, Array, Array]:
    products = first**2, first * cosines * second, second**2
    if not all(np.isfinite(p).all() for p in products):
        raise AsymptokError("the squares of the lengths of the rows are no doubles: scale the rows")
    return products


def _directions(points: Array, name: str, normalize: bool) -> tuple[Array, Array]:
    directions, lengths = on_sphere(points)
    if normalize and not lengths.all():
        raise AsymptokError(
            f"row {int(np.argmin(lengths))} of {name} is zero and has no direction: it cannot be put on the sphere "
            "(normalize=False takes it, for kernels that are known at points of any norms)"
        )
    return directions, lengths


def _blocks(a: Array, b: Array, same: bool) -> Iterator[tuple[slice, slice, Array]]:
    """Rows, columns and their cosines; of a matrix with itself the blocks on and above the diagonal.

    There is one product for a panel of rows: many small ones wait for the threads of BLAS while other programs run.
    """
    panel = _BLOCK * max(1, len(a) // (_BLOCK * _PANELS))
    for top in range(0, len(a), panel):
        first, end = top if same else 0, min(top + panel, len(a))
        cosines = a[top:end] @ b[first:].T
        np.clip(cosines, -1.0, 1.0, out=cosines)
        for i in range(top, end, _BLOCK):
            rows = slice(i, min(i + _BLOCK, end))
            for j in range(i if same else 0, len(b), _BLOCK):
                columns = slice(j, min(j + _BLOCK, len(b)))
                yield rows, columns, cosines[i - top : rows.stop - top, j - first : columns.stop - first]


def _block(kernel: Kernel, ends: dict[int, EndFunction], a: Array, b: Array, cosines: Array) -> Array:
    values: Array = kernel(cosines)
    for at, near in ends.items():
        if (cosines.max() if at == 1 else -cosines.min()) <= 1 - near.reach:
            continue
        i, j = np.nonzero(at * cosines > 1 - near.reach)
        step = max(1, _PAIRS // a.shape[1])
        for start in range(0, len(i), step):
            rows, columns = i[start : start + step], j[start : start + step]
            # t = |x - y|^2/2 next to u = 1 and |x + y|^2/2 next to u = -1, without cancellation
            chord = a[rows] - at * b[columns]
            values[rows, columns] = near(0.5 * np.einsum("ij,ij->i", chord, chord))
    return values
