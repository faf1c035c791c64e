"""How much the representation of a signal can change when the signal moves a little.

Both bounds hold for patches divided by the root of their size (an isometry), pooling weights that are positive with
sum 1 (which never increase a norm), and the ReLU. docs/convolutional.md has the proofs.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from asymptok.points import nonnegative

__all__ = ["smoothness_bound", "translation_bound"]

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
