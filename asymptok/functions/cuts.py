"""Whether a closed complex ball stays off a branch cut. Arb itself does not complain when a ball meets one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flint import acb, arb

Test = Callable[..., bool]

#: the four directions of a ray, as the factor that turns it into the positive real axis
RIGHT, LEFT, UP, DOWN = 1, -1, acb(0, -1), acb(0, 1)


def off_ray(z: acb, end: acb | int, direction: acb | int) -> bool:
    """Whether the ball misses the closed ray that starts at `end`.

    >>> off_ray(acb(-2, arb(0, 1)), 0, LEFT), off_ray(acb(-2, 1), 0, LEFT), off_ray(acb(0, 2), acb(0, 1), UP)
    (False, True, False)
    """
    turned = (z - end) * direction
    return bool(not turned.imag.contains(0) or turned.real < 0)


class Ray(NamedTuple):
    """A cut to infinity; where it ends is asked for at the precision of the moment."""

    end: Callable[[], acb | int]
    direction: acb | int


def _ray(end: acb | int, direction: acb | int) -> Ray:
    return Ray(lambda: end, direction)


def off(z: acb, rays: tuple[Ray, ...]) -> bool:
    return all(off_ray(z, end(), direction) for end, direction in rays)


#: the cut of log and of non-integer powers
NEGATIVE_AXIS = (_ray(0, LEFT),)
#: that of polylogarithms, of pFq with p = q + 1 and of elliptic integrals
FROM_ONE = (_ray(1, RIGHT),)
#: those of asin, acos and atanh; of atan and asinh; of acosh
REAL_RAYS = (_ray(1, RIGHT), _ray(-1, LEFT))
IMAGINARY_RAYS = (_ray(acb(0, 1), UP), _ray(acb(0, -1), DOWN))
UP_TO_ONE = (_ray(1, LEFT),)
#: that of the principal branch of Lambert's W
UP_TO_MINUS_ONE_OVER_E = (Ray(lambda: -1 / acb(arb.const_e()), LEFT),)


def off_negative_axis(z: acb) -> bool:
    # asked millions of times: `off` with nothing to subtract and to turn
    return bool(not z.imag.contains(0) or z.real > 0)


def off_axis_from_one(z: acb) -> bool:
    return off(z, FROM_ONE)


def off_both_real_rays(z: acb) -> bool:
    return off(z, REAL_RAYS)


def off_both_imaginary_rays(z: acb) -> bool:
    return off(z, IMAGINARY_RAYS)


def off_real_segment(z: acb) -> bool:
    """Off [-1, 1]: what 1/z makes of the two real rays."""
    return bool(not z.imag.contains(0) or z.real > 1 or z.real < -1)


def off_imaginary_segment(z: acb) -> bool:
    """Off [-i, i]."""
    return bool(not z.real.contains(0) or z.imag > 1 or z.imag < -1)
