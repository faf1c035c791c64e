"""Balls written as decimals that are rounded outward, and read back exactly."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

import mpmath
from flint import arb, ctx, fmpq
from sympy import Expr, Rational

#: of two
_LARGEST_EXPONENT = 2**16


def exact(x: arb) -> Fraction:
    """The exact value of a ball without radius."""
    mantissa, exponent = x.man_exp()
    m, e = int(mantissa), int(exponent)
    return Fraction(m * 2**e) if e >= 0 else Fraction(m, 2**-e)


def writable(x: arb) -> bool:
    """Whether the ends of a ball have exponents that decimals can be written for: towers of exponentials do not."""
    return all(abs(int(end.man_exp()[1])) < _LARGEST_EXPONENT for end in (x.lower(), x.upper()))


def down(x: arb, digits: int = 20) -> str:
    """The largest decimal with so many digits that no value of the ball is below.

    >>> down(arb(1) / 3, 5), up(arb(1) / 3, 5), up(arb(-1) / 3, 5), up(arb(0), 5)
    ('3.3333e-1', '3.3334e-1', '-3.3333e-1', '0')
    """
    return decimal(exact(x.lower()), digits, up=False)


def up(x: arb, digits: int = 20) -> str:
    """The smallest decimal with so many digits that no value of the ball is above."""
    return decimal(exact(x.upper()), digits, up=True)


def plain(text: str) -> str:
    """A decimal as people write it: without a power of ten where a few zeros do.

    >>> plain("4.0876e-1"), plain("-2.5e3"), plain("1.2e-9"), plain("1/3")
    ('0.40876', '-2500', '1.2e-9', '1/3')
    """
    exponent = text.lower().partition("e")[2]
    return format(Decimal(text), "f") if exponent and -3 <= int(exponent) <= 5 else text


def decimal(x: Fraction, digits: int, *, up: bool) -> str:
    """The nearest decimal with so many digits above x, or below."""
    if x == 0:
        return "0"
    if x < 0:
        return "-" + decimal(-x, digits, up=not up)
    # 10^place <= x < 10^(place + 1), found from the bit lengths and corrected
    place = int((x.numerator.bit_length() - x.denominator.bit_length()) * 0.30103)
    while x >= Fraction(10) ** (place + 1):
        place += 1
    while x < Fraction(10) ** place:
        place -= 1
    scaled = x / Fraction(10) ** (place - digits + 1)
    whole = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    if whole == 10**digits:
        whole, place = whole // 10, place + 1
    text = str(whole).rstrip("0") or "0"
    head, tail = text[0], text[1:]
    return head + ("." + tail if tail else "") + (f"e{place}" if place else "")


def number(text: str) -> arb:
    """The decimal or quotient as a ball of the current precision."""
    return _number(text, ctx.prec)


@lru_cache(maxsize=4096)
def _number(text: str, prec: int) -> arb:
    """`prec` is the current precision, named for the cache."""
    x = Fraction(text)
    return arb(fmpq(x.numerator, x.denominator))


def interval(low: str, high: str) -> arb:
    """The ball around [low, high]."""
    return number(low).union(number(high))


def quotient(x: Expr | fmpq) -> str:
    """p/q as text."""
    return str(x) if isinstance(x, Rational) else str(Fraction(int(x.p), int(x.q)))


def mpf_down(x: arb, bits: int = 53) -> mpmath.mpf:
    """A floating-point number that is not above the ball."""
    return _mpf(x.lower(), bits, "f")


def mpf_up(x: arb, bits: int = 53) -> mpmath.mpf:
    """A floating-point number that is not below the ball."""
    return _mpf(x.upper(), bits, "c")


def _mpf(x: arb, bits: int, rounding: str) -> mpmath.mpf:
    """x, a ball without radius, to `bits` bits; its exponent may be huge, as for exp(u) at k = 10^6."""
    mantissa, exponent = x.man_exp()
    return mpmath.mp.make_mpf(mpmath.libmp.from_man_exp(int(mantissa), int(exponent), bits, rounding))
