"""Whether a closed complex ball stays off a branch cut. Arb itself does not complain when a ball meets one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import acb, arb

Test = Callable[..., bool]

#: the four directions of a ray, as the factor that turns it into the positive real axis
RIGHT, LEFT, UP, DOWN = 1, -1, acb(0, -1), acb(0, 1)


def off_ray(z: Any, end: Any, direction: Any) -> bool:
    """Whether the ball misses the closed ray that starts at `end`.

    >>> off_ray(acb(-2, arb(0, 1)), 0, LEFT), off_ray(acb(-2, 1), 0, LEFT), off_ray(acb(0, 2), acb(0, 1), UP)
    (False, True, False)
    """
    turned = (z - end) * direction
    return bool(not turned.imag.contains(0) or turned.real < 0)


def off_negative_axis(z: acb) -> bool:
    """Off (-oo, 0], the cut of log and of non-integer powers."""
    return off_ray(z, 0, LEFT)


def off_axis_from_one(z: acb) -> bool:
    """Off [1, oo), the cut of polylogarithms, of pFq with p = q + 1 and of elliptic integrals."""
    return off_ray(z, 1, RIGHT)


def off_both_real_rays(z: acb) -> bool:
    """Off (-oo, -1] and [1, oo), the cuts of asin, acos and atanh."""
    return off_ray(z, 1, RIGHT) and off_ray(z, -1, LEFT)


def off_both_imaginary_rays(z: acb) -> bool:
    """Off i[1, oo) and -i[1, oo), the cuts of atan and asinh."""
    return off_ray(z, acb(0, 1), UP) and off_ray(z, acb(0, -1), DOWN)


def off_real_segment(z: acb) -> bool:
    """Off [-1, 1]: what 1/z makes of the two real rays."""
    return bool(not z.imag.contains(0) or z.real > 1 or z.real < -1)


def off_imaginary_segment(z: acb) -> bool:
    """Off [-i, i]."""
    return bool(not z.real.contains(0) or z.imag > 1 or z.imag < -1)


def off_minus_one_over_e(z: acb) -> bool:
    """Off (-oo, -1/e], the cut of the principal branch of Lambert's W."""
    return off_ray(z, -1 / acb(arb.const_e()), LEFT)
