"""Data as rows of a matrix, rows as points of the sphere, and what else comes from a user as numbers: checked once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from asymptok.errors import AsymptokError

__all__ = ["Array", "as_numbers", "as_points", "as_targets", "generator", "nonnegative", "on_sphere"]

Array = NDArray[np.float64]
#: how far from 1 the norm of a point of the sphere may be, where points are not moved
OFF_SPHERE = 1e-6


def as_numbers(values: object, what: str) -> Array:
    """A non-empty array of finite doubles."""
    try:
        data = np.asarray(values)
        if values is None or data.dtype.kind not in "iufO" or hasattr(values, "toarray"):
            raise TypeError
        data = data.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise AsymptokError(f"{what} must be an array or a matrix of real numbers") from None
    if data.size == 0:
        raise AsymptokError(f"{what} is empty, with no rows: give at least one")
    bad = ~np.isfinite(data)
    if bad.any():
        row = f" in row {int(np.argmax(bad.reshape(len(data), -1).any(axis=1)))}" if data.ndim else ""
        raise AsymptokError(f"{what} must be finite: there is nan or infinity{row}")
    return data


def as_points(X: object, name: str = "X", columns: int | None = None, least: int = 2) -> Array:
    """X as doubles, one point in each row; whatever is no such matrix gets an error that says so.

    >>> as_points([[1, 0], [0, 1]]).shape
    (2, 2)
    """
    data = as_numbers(X, name)
    if data.ndim != 2:
        hint = f": one point is {name}.reshape(1, -1)" if data.ndim == 1 else ""
        raise AsymptokError(
            f"{name} must be a matrix with one point in each row, not of shape {data.shape}{hint}"
        )
    if columns is not None and data.shape[1] != columns:
        raise AsymptokError(f"{name} has {data.shape[1]} columns where {columns} are needed")
    if data.shape[1] < least:
        raise AsymptokError(f"{name} has {data.shape[1]} column: the sphere S^(d-1) needs d >= 2 coordinates")
    return data


def as_targets(y: object, rows: int, name: str = "y") -> Array:
    """y as doubles, one value (or one row of values) for each point."""
    data = as_numbers(y, name)
    if data.ndim not in (1, 2) or data.shape[0] != rows:
        raise AsymptokError(
            f"{name} must have one entry for each of the {rows} points, not shape {data.shape}"
        )
    return data


def on_sphere(points: Array) -> tuple[Array, Array]:
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


def nonnegative(value: Any, what: str, finite: bool = True) -> float:
    """A number >= 0, without `finite` also infinity."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = np.nan
    if isinstance(value, bool) or not number >= 0 or (finite and number == np.inf):
        raise AsymptokError(f"{what} is a number >= 0, not {value!r}")
    return number


def generator(seed: object) -> np.random.Generator:
    """A numpy Generator from a whole number, None (fresh entropy) or a Generator."""
    if isinstance(seed, np.random.Generator):
        return seed
    if seed is None or (isinstance(seed, int | np.integer) and not isinstance(seed, bool) and seed >= 0):
        return np.random.default_rng(seed)
    raise AsymptokError(f"a seed is a whole number >= 0, None or a numpy Generator, not {seed!r}")
