"""P(X > h, Y > k) as a number: mpmath by one integral, doubles by Owen's function (see orthant_record)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from mpmath import mpc, mpf
from numpy.typing import ArrayLike

from asymptok.points import Array

__all__ = ["orthant_mpmath", "orthant_numpy", "orthant_value"]

#: nodes of the Gauss rule for Owen's function on [0, 1]: its poles +-i leave 1e-17
_NODES = 24


def orthant_mpmath(h: mpf, k: mpf, r: mpf | mpc) -> mpf | mpc:
    """P(X > h, Y > k) at mpmath's precision, by one integral in the angle asin(r); complex arguments off the cuts.

    >>> import mpmath
    >>> mpmath.nstr(orthant_mpmath(mpmath.mpf(0), mpmath.mpf(0), mpmath.mpf(1) / 2), 12)
    '0.333333333333'
    """
    mp = mpmath.mp
    h, k, r = (mp.mpmathify(a) for a in (h, k, r))

    def tail(y: mpf) -> mpf:
        return mp.erfc(y / mp.sqrt(2)) / 2

    if isinstance(r, mpmath.mpf) and abs(r) >= 1:
        if abs(r) > 1 or not all(isinstance(a, mpmath.mpf) for a in (h, k)):
            return mp.nan
        if r == 1:
            return tail(max(h, k))
        return tail(h) - tail(-k) if h + k < 0 else mp.zero

    def integrand(theta: mpf) -> mpf:
        s, c = mp.sin(theta), mp.cos(theta)
        return mp.exp(-(h * h - 2 * h * k * s + k * k) / (2 * c * c))

    end = mp.asin(r)
    # The integrand changes on the scale of the distance to the ends: halve towards them.
    points = [mp.zero]
    gap = 1 - abs(mp.re(end)) / (mp.pi / 2)
    share = mp.mpf(1) / 2
    while share > gap:
        points.append((1 - share) * end / (1 - gap))
        share /= 2
    points.append(end)
    return tail(h) * tail(k) + mp.quad(integrand, points) / (2 * mp.pi)


def orthant_numpy(h: ArrayLike, k: ArrayLike, r: ArrayLike) -> Array:
    """P(X > h, Y > k) on arrays of doubles, to about 1e-15; nan where r lies outside [-1, 1].

    >>> float(orthant_numpy(0.0, 0.0, -1.0)), bool(abs(orthant_numpy(1.0, 1.0, 0.3) - 0.045457848515603966) < 1e-15)
    (0.0, True)
    """
    x, y, rho = np.broadcast_arrays(*(np.asarray(a, dtype=float) for a in (h, k, r)))
    outside = np.abs(rho) > 1 + 1e-14
    rho = np.clip(rho, -1.0, 1.0)
    tail = np.vectorize(lambda y: math.erfc(y / math.sqrt(2)) / 2, otypes=[float])
    # P(X > -h, Y > k) = P(Y > k) - P(-X > h, Y > k), for each threshold in turn
    flip_h, flip_k = x < 0, y < 0
    a, b = np.abs(x), np.abs(y)
    c = np.where(flip_h == flip_k, rho, -rho)
    sine = np.sqrt((1 - c) * (1 + c))
    with np.errstate(all="ignore"):
        v, w = (b - c * a) / sine, (a - c * b) / sine
        core = (tail(a) + tail(b)) / 2 - _ratio_t(a, v, tail) - _ratio_t(b, w, tail)
    core = np.where((a == 0) & (b == 0), 0.25 + np.arcsin(c) / (2 * np.pi), core)
    core = np.where(c == 1, tail(np.maximum(a, b)), np.where(c == -1, 0.0, core))
    one = np.where(flip_k, tail(a) - core, core)
    value = np.where(flip_h, tail(y) - one, one)
    return np.where(outside, np.nan, value)[()]


def _ratio_t(h: Array, v: Array, tail: Callable[[Array], Array]) -> Array:
    """T(h, v/h), h >= 0."""
    size = np.abs(v)
    small = size <= h
    first = np.where(small, h, size)
    slope = np.where(small, size, h) / np.where(first > 0, first, 1.0)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    y = 0.5 * slope[..., None] * (nodes + 1)
    inner = np.exp(-0.5 * first[..., None] ** 2 * (1 + y * y)) / (1 + y * y)
    t = 0.5 * slope * (inner @ weights) / (2 * np.pi)
    large = (tail(h) + tail(size)) / 2 - tail(h) * tail(size) - t
    return np.sign(v) * np.where(small, t, large)


def orthant_value(h: Any, k: Any, r: Any) -> Any:
    """P(X > h, Y > k) in the arithmetic of the arguments: mpmath numbers, or NumPy arrays and plain floats."""
    if any(isinstance(a, mpmath.mpf | mpmath.mpc) for a in (h, k, r)):
        return orthant_mpmath(h, k, r)
    value = orthant_numpy(h, k, r)
    return float(value) if all(isinstance(a, float | int) for a in (h, k, r)) else value
