"""The kinds of quantities that signatures speak of: enclosures, their power series, and opaque coefficients."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import NewType, Protocol, Self, TypeAlias, TypeVar, overload

import mpmath
from flint import acb, acb_series, arb, arb_series
from sympy import Rational

__all__ = [
    "JSON",
    "B",
    "Ball",
    "BallFunction",
    "BallSeries",
    "Element",
    "by_squaring",
    "exact_midpoint",
    "exponent_above",
    "midpoint",
    "whole",
]

#: an enclosure of a real or of a complex number
Ball = arb | acb
#: one of the two, the same in all places of a signature
B = TypeVar("B", arb, acb)
#: a truncated power series with such coefficients
BallSeries = arb_series | acb_series
#: a coefficient as everybody but its domain sees it: made by the domain, handed on, never looked into
Element = NewType("Element", object)

#: what a file in JSON can hold
JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"


class BallFunction(Protocol):
    """A function on balls, or on power series of them."""

    @overload
    def __call__(self, *args: arb) -> arb: ...
    @overload
    def __call__(self, *args: acb) -> acb: ...
    @overload
    def __call__(self, *args: arb_series) -> arb_series: ...
    @overload
    def __call__(self, *args: acb_series) -> acb_series: ...


def whole(ball: arb) -> int:
    """The integer that the ball is, or the only one that it contains."""
    value = ball.unique_fmpz()
    if value is None:
        raise ValueError(f"{ball} does not contain exactly one integer")
    return int(value)


def exponent_above(x: arb) -> float:
    """The whole e with |x| <= 2^e for the centre of the ball, -oo for 0.

    >>> exponent_above(arb(1)), exponent_above(arb(-5)), exponent_above(arb(0))
    (1, 3, -inf)
    """
    mantissa, exponent = x.mid().man_exp()
    return -inf if mantissa == 0 else int(exponent) + abs(int(mantissa)).bit_length()


def midpoint(ball: arb, bits: int = 0) -> mpmath.mpf:
    """The centre of the ball, rounded to so many bits, or with all that it has.

    >>> midpoint(arb(1) / 4), midpoint(arb(3), 1)
    (mpf('0.25'), mpf('4.0'))
    """
    mantissa, exponent = ball.mid().man_exp()
    rounding = (bits, "n") if bits else ()
    return mpmath.mp.make_mpf(mpmath.libmp.from_man_exp(int(mantissa), int(exponent), *rounding))


def exact_midpoint(ball: arb) -> Rational:
    """The centre of the ball, a dyadic fraction.

    >>> exact_midpoint(arb(3) / 8)
    3/8
    """
    mantissa, exponent = ball.mid().man_exp()
    return Rational(int(mantissa)) * Rational(2) ** int(exponent)


class Factor(Protocol):
    def __mul__(self, other: Self, /) -> Self: ...


F = TypeVar("F", bound=Factor)


def by_squaring(x: F, n: int) -> F:
    """x^n for n >= 1, in whatever can be multiplied.

    >>> by_squaring(3, 13) == 3**13
    True
    """
    result: F | None = None
    while True:
        if n & 1:
            result = x if result is None else result * x
        n >>= 1
        if not n:
            break
        x = x * x
    assert result is not None
    return result


# copies ------------------------------------------------------------------------------------------------------


def _restored(centre: tuple[int, int], radius: tuple[int, int]) -> arb:
    return arb(centre, radius)


def _taken_apart(x: arb) -> tuple[Callable[..., arb], tuple[object, ...]]:
    """Centre and radius as m 2^e, exactly: results with balls can be copied, pickled and sent to other processes."""
    if not x.is_finite():
        return arb, (str(x),)
    parts = (tuple(map(int, end.man_exp())) for end in (x.mid(), x.rad()))
    return _restored, tuple(parts)


def _pair(z: acb) -> tuple[Callable[..., acb], tuple[object, ...]]:
    return acb, (z.real, z.imag)


copyreg.pickle(arb, _taken_apart)
copyreg.pickle(acb, _pair)
