"""mu_k in double precision from values of kappa on arrays: a second opinion that shares no code with the balls."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, pi

import numpy as np
from numpy.typing import NDArray

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.points import Array
from asymptok.regularity import analyse

__all__ = ["DoubleSpectrum", "double_spectrum"]

#: nodes in each panel, for the value and for the rule that judges it
_NODES, _FEWER = 18, 14
#: panels shrink by halves towards the ends and the singular points, until less than 2^-_BITS of the sphere is left
_BITS = 44
#: what rounding u does is measured at every so many nodes: some kernels are slow
_EVERY = 3
#: degrees times panel width: P_k turns at most this often (in radians) inside a panel
_TURN = 12.0
_EPS = 2.0**-52
#: d + kmax at most: the nodes grow with it
_MOST_NODES = 10**6


@dataclass(frozen=True, slots=True)
class DoubleSpectrum:
    """mu_0 ... mu_K with estimates of their absolute errors, as arrays of doubles."""

    values: NDArray[np.float64]
    errors: NDArray[np.float64]


def double_spectrum(kernel: Kernel, d: int, kmax: int) -> DoubleSpectrum:
    """Composite Gauss-Legendre in theta = acos(u), panels halved towards every point where kappa is not smooth.

    The error adds up the difference to a rule with fewer nodes, the rounding of the sum, and what moving u by one
    unit in the last place does to kappa.

    >>> from asymptok import kernels
    >>> found = double_spectrum(kernels.ntk(2), 3, 4)
    >>> bool(abs(found.values[2] - 5/64) <= found.errors[2] < 1e-13)
    True
    """
    if d + kmax > _MOST_NODES:
        raise AsymptokError(
            f"the rule in double precision is for d + kmax up to {_MOST_NODES}, not {d + kmax}"
        )
    panels = _panels(_singular_angles(kernel), d, kmax)
    # where u rounds to an end at which kappa is infinite, values and errors are not numbers, and confirm nothing
    with np.errstate(invalid="ignore", divide="ignore"):
        values, noise = _rule(kernel, d, kmax, panels, _NODES, True)
        coarse, _ = _rule(kernel, d, kmax, panels, _FEWER, False)
        return DoubleSpectrum(values, 2 * np.abs(values - coarse) + noise)


def _singular_angles(kernel: Kernel) -> list[float]:
    found = {0.0, pi}
    for point in analyse(kernel).interior:
        where = (
            point.location if point.location is not None else (point.enclosure[0] + point.enclosure[1]) / 2
        )
        found.add(float(ball(where, prec=64).acos().mid()))
    return sorted(found)


def _panels(angles: list[float], d: int, kmax: int) -> Array:
    """The ends of all panels, ascending."""
    inside = len(angles) > 2
    levels = ceil(_BITS / (1 if inside else d - 1)) + 3
    # P_k sin^(d-2) is a trigonometric polynomial of degree k + d - 2
    widest = _TURN / max(kmax + d, 12)
    edges: set[float] = set(angles)
    for low, high in pairwise(angles):
        half = (high - low) / 2
        for level in range(levels):
            near, far = half * 2.0 ** -(level + 1), half * 2.0**-level
            for x in np.linspace(near, far, 1 + max(1, ceil((far - near) / widest))):
                edges.update((low + float(x), high - float(x)))
    return np.array(sorted(edges))


def _rule(kernel: Kernel, d: int, kmax: int, edges: Array, nodes: int, judged: bool) -> tuple[Array, Array]:
    x, w = np.polynomial.legendre.leggauss(nodes)
    middle, half = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
    theta = (middle[:, None] + half[:, None] * x).ravel()
    weight = (half[:, None] * w).ravel() * np.sin(theta) ** (d - 2)
    u = np.cos(theta)
    kappa = kernel(u)
    # a power sin^(d-2) carries d times the rounding of its base
    noise = (8 + d / 4) * _EPS * (np.abs(weight) @ np.abs(kappa))
    if judged:
        some = slice(None, None, _EVERY)
        moved = np.abs(kernel(np.nextafter(u[some], 0.0)) - kappa[some])
        noise += 2 * _EVERY * (np.abs(weight[some]) @ moved)
    # the constant kernel 1 has mu_0 = 1
    scale = 1 / weight.sum()
    values = np.empty(kmax + 1)
    growth = np.empty(kmax + 1)
    before, here = np.zeros_like(u), np.ones_like(u)
    for k in range(kmax + 1):
        values[k] = (weight * kappa) @ here
        # the recurrence itself loses about k units in the last place
        growth[k] = 1 + k / 8
        # (k + d - 2) P_(k+1) = (2k + d - 2) u P_k - k P_(k-1); for d = 2 its first step reads 0/0
        ahead = u if k == 0 else ((2 * k + d - 2) * u * here - k * before) / (k + d - 2)
        before, here = here, ahead
    return scale * values, scale * noise * growth
