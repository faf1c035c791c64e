"""Sharper enclosures over wide balls: Taylor's formula at the middle, with the last derivative over the whole ball.

    f(z) = f(m) + f'(m) h + ... + f^(n)(Z) h^n/n!,   h = z - m,

where f^(n)(Z) stands for a mean of values on the segment from m to z, which a convex enclosure contains. Arb's own
enclosures of asin, of Bessel and of hypergeometric functions over a wide ball may be hundreds of times too wide.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import acb, arb

from asymptok.functions.record import Implementation

#: a ball of relative radius 2^-64 is a rounded number, where a sharper enclosure is not worth six more values
_ROUNDED = arb(2) ** -64


def meet(first: Any, second: Any) -> Any:
    """What two enclosures of the same values have in common."""
    if not second.is_finite():
        return first
    if not first.is_finite():
        return second
    if isinstance(first, arb):
        return first.intersection(second)
    return acb(first.real.intersection(second.real), first.imag.intersection(second.imag))


def around_middle(
    f: Implementation, *derivatives: Implementation, regular: Callable[..., bool]
) -> Implementation:
    """f on balls, sharpened wherever f is analytic on the ball; the last argument varies, the others are parameters.

    >>> arcsine = around_middle(acb.asin, lambda z: (1 - z * z).rsqrt(), regular=lambda z: abs(z) < 1)
    >>> ball = acb(arb(0.5, 0.125), arb(0, 0.125))
    >>> ball.asin().real.rad() > 2 * arcsine(ball).real.rad()
    True
    """

    def sharpened(*args: Any) -> Any:
        *parameters, z = args
        direct = f(*args)
        if _is_rounded(z) or not z.is_finite() or not regular(*(_as_complex(a) for a in args)):
            return direct
        middle = z.mid()
        step = z - middle
        total, power = f(*parameters, middle), step
        for n, derivative in enumerate(derivatives, 1):
            where = z if n == len(derivatives) else middle
            total += derivative(*parameters, where) * power
            power *= step / (n + 1)
        return meet(direct, total)

    return sharpened


def _is_rounded(z: Any) -> bool:
    if z.is_exact():
        return True
    radius = z.rad() if isinstance(z, arb) else z.real.rad() + z.imag.rad()
    return bool(radius < z.abs_lower() * _ROUNDED)


def _as_complex(argument: Any) -> Any:
    if isinstance(argument, tuple | list):
        return tuple(map(acb, argument))
    return acb(argument)
