"""How large a part of a kernel without singular points may be at a given k: mu_k = O(M(h) e^(-kh)), docs eq. (9b).

Such a part, for instance cos(40 u), leaves no term in any series, and still is all of mu_k for k < 40. The maximum M(h)
on an ellipse is taken over finitely many points: an estimate, not a bound.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf, log

from flint import acb, arb, fmpq
from sympy import Expr

from asymptok.balls import compile_ball
from asymptok.errors import AsymptokError
from asymptok.precision import flint_precision
from asymptok.symbols import u

__all__ = ["ellipse_size"]

#: h of the ellipses z = cosh(h + i theta), and the number of angles on each
_HEIGHTS = tuple(fmpq(j, 8) for j in (0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 24, 32, 40, 56, 80, 112, 160, 224))
#: the last one has this share of the rate, or of the farthest; and its denominator
_SHARE, _FARTHEST, _GRID = 0.9, 40, 4096
_ANGLES = 24
_BITS = 64
#: sizes this far (a log) above the least are past the minimum: log M is convex
_PAST = 40.0


@lru_cache(maxsize=1024)
def ellipse_size(expr: Expr, k: int, rate: float) -> float | None:
    """log of an estimate of what is left in mu_k without the terms of all points up to the rate; None if unavailable.

    >>> from sympy import cos
    >>> round(ellipse_size(cos(40*u), 20, inf)), round(ellipse_size(cos(40*u), 80, inf))
    (1, -36)
    """
    nearest = fmpq(int(_SHARE * min(rate, _FARTHEST) * _GRID), _GRID)
    heights = [*(h for h in _HEIGHTS if h < nearest), nearest]
    sizes: list[float] = []
    for h in heights:
        largest = _maximum(expr, h)
        if largest is None or (sizes and sizes[-1] > min(sizes) + _PAST):
            break
        sizes.append(largest - k * int(h.p) / int(h.q) + log(2))
    # the interval itself, h = 0, tells nothing of what follows
    return min(sizes) if len(sizes) > 1 else None


@lru_cache(maxsize=1024)
def _maximum(expr: Expr, h: fmpq) -> float | None:
    """log max |kappa| over points of the ellipse; None where there are no values."""
    largest = -inf
    with flint_precision(_BITS):
        try:
            kappa = compile_ball(expr, [u])
            for i in range(_ANGLES):
                theta = arb.pi() * fmpq(2 * i + 1, 2 * _ANGLES) + arb(fmpq(1, 97))
                value = abs(kappa(acb(arb(h), theta).cosh())).upper()
                if not value.is_finite():
                    return None
                if value > 0:
                    largest = max(largest, float(value.log().mid()))
        except AsymptokError:
            return None
    return largest
