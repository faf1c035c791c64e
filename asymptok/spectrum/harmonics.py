"""Spherical harmonics of all degrees and dimensions on data, without coordinates.

In degree k the space of harmonics has the reproducing kernel N P_k(<x, y>), N = N(d, k). With M >= N points v_i and
G = N P_k(<v_i, v_j>)/M = Q diag(w) Q^T, of rank N,

    Y(x) = diag(w)^(-1/2) Q^T N P_k(<v, x>)/sqrt(M)

is an orthonormal basis: Y(x)^T Y(y) = N P_k(<x, y>). With M = 3N random points the w lie near 1: a well conditioned
basis. The points are drawn with a fixed seed, so that the basis is the same on every call.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice

import numpy as np

from asymptok.errors import AsymptokError
from asymptok.functions.zonal import dimension_of_harmonics, zonal_polynomials
from asymptok.points import Array, as_points, on_sphere, require_on_sphere

__all__ = ["harmonic_features", "harmonics"]

#: more columns than this are refused
_MOST = 20_000
#: harmonics of one degree, beyond which finding a basis takes minutes
_WIDEST = 3_000


def harmonic_features(mu: Mapping[int, float], d: int, X: object) -> Array:
    """sqrt(mu_k) Y_k(x) for all degrees, side by side; see Spectrum.features."""
    points = as_points(X, columns=d)
    require_on_sphere(points)
    used = {k: value for k, value in mu.items() if value != 0}
    negative = [k for k, value in used.items() if value < 0]
    if negative:
        raise AsymptokError(f"mu_{negative[0]} is negative: an indefinite kernel has no features")
    columns = sum(dimension_of_harmonics(k, d) for k in used)
    if columns > _MOST:
        raise AsymptokError(f"{columns} features are too many (at most {_MOST}): compute fewer degrees")
    parts = [np.sqrt(value) * harmonics(k, d, points) for k, value in used.items()]
    return np.hstack(parts) if parts else np.zeros((len(points), 0))


def harmonics(k: int, d: int, points: Array) -> Array:
    """An orthonormal basis of the harmonics of degree k at unit vectors, one column for each of them."""
    centres, matrix = _basis(k, d)
    return _zonal(k, d, np.clip(points @ centres.T, -1.0, 1.0)) @ matrix


@lru_cache(maxsize=64)
def _basis(k: int, d: int) -> tuple[Array, Array]:
    count = dimension_of_harmonics(k, d)
    if count > _WIDEST:
        raise AsymptokError(f"degree {k} has {count} harmonics, more than {_WIDEST}: compute fewer degrees")
    many = 1 if count == 1 else 3 * count
    centres = on_sphere(np.random.default_rng(k).normal(size=(many, d)))[0]
    inner = _zonal(k, d, np.clip(centres @ centres.T, -1.0, 1.0)) * (count / many)
    weights, vectors = np.linalg.eigh(inner)
    top = slice(len(weights) - count, None)
    return centres, vectors[:, top] / np.sqrt(weights[top]) * (count / np.sqrt(many))


def _zonal(k: int, d: int, x: Array) -> Array:
    return np.asarray(next(islice(zonal_polynomials(d, x), k, None)))
