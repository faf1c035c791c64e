"""Sharper enclosures over wide balls: Taylor's formula at the middle, with the last derivative over the whole ball.

    f(z) = f(m) + f'(m) h + ... + f^(n)(Z) h^n/n!,   h = z - m,

where f^(n)(Z) stands for a mean of values on the segment from m to z, which a convex enclosure contains. Arb's own
enclosures of asin, of Bessel and of hypergeometric functions over a wide ball may be hundreds of times too wide.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flint import acb, arb

from asymptok.functions.record import Implementation
from asymptok.precision import flint_precision
from asymptok.quantities import Ball

#: a ball with more accurate bits than this is narrow
_NARROW = 48


B = TypeVar("B", arb, acb)


def meet(first: B, second: B) -> B:
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
        if z.is_exact() or not z.is_finite() or not regular(*(_as_complex(a) for a in args)):
            return f(*args)
        middle = z.mid()
        step = z - middle
        if z.rel_accuracy_bits() > _NARROW:
            # one derivative says enough, and a few of its digits
            with flint_precision(_NARROW):
                slope = derivatives[0](*parameters, z)
            if slope.is_finite():
                return f(*parameters, middle) + slope * step
        direct = f(*args)
        total, power = f(*parameters, middle), step
        for n, derivative in enumerate(derivatives, 1):
            where = z if n == len(derivatives) else middle
            total += derivative(*parameters, where) * power
            power *= step / (n + 1)
        return meet(direct, total)

    return sharpened


def _as_complex(argument: Ball) -> acb:
    if isinstance(argument, tuple | list):
        return tuple(map(acb, argument))
    return acb(argument)
