"""How much the representation of a signal can change when the signal moves a little.

The bounds hold for patches divided by the root of their size (an isometry), pooling weights that are positive with
sum 1 (which never increase a norm), and the ReLU. docs/convolutional.md has the proofs.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gamma, sqrt

import numpy as np
from numpy.typing import NDArray

from asymptok.points import nonnegative

__all__ = ["deformation_bound", "smoothness_bound", "translation_bound"]

#: frequencies at which the transfer function of a filter is looked at
_FREQUENCIES = 2**18


def smoothness_bound(layers: int, tangent: bool, distance: float, norm: float, other: float) -> float:
    """|Phi(x) - Phi(y)| <= |x - y| for the kernel network, and for the tangent kernel of n layers

        |Phi(x) - Phi(y)|^2 <= (n+1) |x - y|^2 + n(n+1)/2 sqrt(|x| |y|) |x - y|.

    The second term cannot be better by more than the factor 2/pi: the fully connected network has n(n+1)/pi there.
    """
    distance, norm, other = (nonnegative(value, "a norm or distance") for value in (distance, norm, other))
    if not tangent:
        return distance
    n = layers
    return sqrt((n + 1) * distance**2 + n * (n + 1) / 2 * sqrt(norm * other) * distance)


def translation_bound(taps: NDArray[np.float64], shift: Sequence[int]) -> float:
    """sup_w |h(w)| |1 - exp(-i w c)|, the norm of A - A L_c for the last filter A; near |c|/(sigma sqrt(e)).

    The layers below commute with translations. The supremum is taken on a grid, and what can lie between two of its
    points is added from the Lipschitz constant of the function. Several axes add up.
    """
    places = np.arange(len(taps)) - len(taps) // 2
    transfer = np.abs(np.fft.rfft(taps, _FREQUENCIES))
    w = np.linspace(0.0, np.pi, len(transfer))
    total = 0.0
    for c in shift:
        slope = 2 * float(np.sum(np.abs(places) * np.abs(taps))) + abs(c)
        between = slope * (w[1] - w[0]) / 2 if c else 0.0
        total += float(np.max(transfer * np.abs(1 - np.exp(-1j * w * c)))) + between
    return total


def deformation_bound(
    dim: int, patches: Sequence[int], widths: Sequence[float], tangent: bool, gradient: float, move: float
) -> float:
    """|Phi(x(. - tau)) - Phi(x)| for |x| = 1, |tau'| <= gradient < 1 and |tau| <= move, signals on R or R^2.

    `widths` are sigma_0, ..., sigma_n of the Gaussians, `patches` the places of a patch along an axis. With
    E = ((1+g)^D - 1)/(1-g)^D and m the mean length of a standard normal vector, L: x -> x(. - tau) has

        |L| <= l = (1-g)^(-D/2),    |P_k A_(k-1) L - L P_k A_(k-1)| <= c_k = l E (2 + m |P_k|/(D sigma_(k-1))),
        |A_n L - A_n| <= 2 l E + (m move/sigma_n) sqrt(l),

    |P_k| the largest offset of the patch; the layers add up what these say.
    """
    mean = sqrt(2) * gamma((dim + 1) / 2) / gamma(dim / 2)
    norm = (1 - gradient) ** (-dim / 2)
    turn = norm * ((1 + gradient) ** dim - 1) / (1 - gradient) ** dim
    # x and y: how far x_k and y_k of the deformed signal are from the deformed x_k and y_k
    x = y = 0.0
    for k, (patch, width) in enumerate(zip(patches, widths, strict=False)):
        commutator = turn * (2 + mean * sqrt(dim) * (patch // 2) / (dim * width))
        y = sqrt(y**2 + x**2 + k * norm * x) + sqrt(k + 1) * commutator
        x += commutator
    n = len(patches)
    last = 2 * turn + mean * move / widths[-1] * sqrt(norm)
    return sqrt(y**2 + x**2 + n * norm * x) + sqrt(n + 1) * last if tangent else x + last
