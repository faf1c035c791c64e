"""Data as rows of a matrix, and rows as points of the sphere."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from asymptok.errors import AsymptokError

Array = NDArray[np.float64]

__all__ = ["Array", "as_points", "as_targets", "on_sphere"]

#: how far from 1 the norm of a point of the sphere may be, where points are not moved
OFF_SPHERE = 1e-6


def as_points(X: Any, name: str = "X", columns: int | None = None) -> Array:
    """X as doubles, one point in each row; whatever is no such matrix gets an error that says so."""
    data = _real(X, name)
    if data.ndim != 2:
        hint = f": one point is {name}.reshape(1, -1)" if data.ndim == 1 else ""
        raise AsymptokError(
            f"{name} must be a matrix with one point in each row, not of shape {data.shape}{hint}"
        )
    if data.shape[0] == 0:
        raise AsymptokError(f"{name} has no rows: give at least one point")
    if data.shape[1] < 2:
        raise AsymptokError(f"{name} has {data.shape[1]} column: the sphere S^(d-1) needs d >= 2 coordinates")
    if columns is not None and data.shape[1] != columns:
        raise AsymptokError(f"{name} has {data.shape[1]} columns where {columns} are needed")
    bad = ~np.isfinite(data).all(axis=1)
    if bad.any():
        raise AsymptokError(f"{name} has nan or infinity in row {int(np.argmax(bad))}")
    return data


def as_targets(y: Any, rows: int, name: str = "y") -> Array:
    """y as doubles, one value (or one row of values) for each point."""
    data = _real(y, name)
    if data.ndim not in (1, 2) or data.shape[0] != rows:
        raise AsymptokError(
            f"{name} must have one entry for each of the {rows} points, not shape {data.shape}"
        )
    if not np.isfinite(data).all():
        raise AsymptokError(f"{name} has nan or infinity among its entries")
    return data


def on_sphere(points: Array, name: str = "X") -> tuple[Array, Array]:
    """Directions and lengths of the rows; a zero row has length 0 and direction 0.

    >>> on_sphere(np.array([[3.0, 4.0]]))
    (array([[0.6, 0.8]]), array([5.]))
    """
    # scaled by its largest entry, a row neither overflows nor vanishes when it is squared
    scale = np.abs(points).max(axis=1, keepdims=True)
    scaled = points / np.where(scale > 0, scale, 1.0)
    lengths = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]
    return scaled / np.where(lengths > 0, lengths, 1.0), (lengths * scale)[:, 0]


def require_on_sphere(points: Array, name: str = "X") -> None:
    """Raise unless every row has length one, up to rounding."""
    lengths = on_sphere(points)[1]
    off = np.abs(lengths - 1) > OFF_SPHERE
    if off.any():
        row = int(np.argmax(off))
        raise AsymptokError(
            f"row {row} of {name} has length {lengths[row]:.6g} and is no point of the sphere: divide each row by its "
            "length first"
        )


def _real(values: Any, name: str) -> Array:
    try:
        data = np.asarray(values)
        if data.dtype.kind not in "iufO" or hasattr(values, "toarray"):
            raise TypeError
        return data.astype(np.float64)
    except (TypeError, ValueError):
        raise AsymptokError(f"{name} must be an array of real numbers") from None
