"""Sizes next to a point: x^a L^b theta with exact exponents, L = log(1/x), and theta in an interval."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq
from sympy import Rational

from asymptok.functions.powers import integer_power
from asymptok.regularity.model import NotShown
from asymptok.truth import Sign


@dataclass(frozen=True, slots=True)
class Lead:
    """x^power L^logs theta, low <= theta <= high (which may be infinite), for 0 < x <= h <= 1/16."""

    power: Rational
    logs: Rational
    low: arb
    high: arb

    @property
    def sign(self) -> Sign:
        """The sign of theta throughout; 0 if it vanishes identically."""
        if self.low > 0 or self.high < 0:
            return Sign.POSITIVE if self.low > 0 else Sign.NEGATIVE
        return Sign.ZERO if self.low.is_zero() and self.high.is_zero() else Sign.UNKNOWN

    @property
    def exact(self) -> bool:
        """Whether |f| lies between two multiples of x^power L^logs."""
        return self.sign.nonzero and bool(self.low.is_finite() and self.high.is_finite())

    @property
    def unbounded(self) -> bool:
        """Whether |f| tends to infinity."""
        return self.sign.nonzero and (self.power < 0 or (self.power == 0 and self.logs > 0))


def lead(power: object, logs: object, low: arb, high: arb) -> Lead:
    if low.is_nan() or high.is_nan():
        raise NotShown("no enclosure")
    return Lead(Rational(power), Rational(logs), low.lower(), high.upper())


def as_arb(x: Rational) -> arb:
    return arb(fmpq(int(x.p), int(x.q)))


def least(*values: arb) -> arb:
    if any(v.is_nan() for v in values):
        raise NotShown("no enclosure")
    found = values[0].lower()
    for v in values[1:]:
        found = found.min(v.lower())
    return found


def most(*values: arb) -> arb:
    return -least(*(-v for v in values))


def product(x: Lead, y: Lead) -> Lead:
    if x.sign.zero or y.sign.zero:
        return lead(0, 0, arb(0), arb(0))
    corners = [a * b for a in (x.low, x.high) for b in (y.low, y.high)]
    return lead(x.power + y.power, x.logs + y.logs, least(*corners), most(*corners))


def whole_power(x: Lead, n: int) -> tuple[arb, arb]:
    corners = [integer_power(x.low, n), integer_power(x.high, n)]
    low, high = least(*corners), most(*corners)
    return (least(arb(0), low), high) if n > 0 and n % 2 == 0 and not x.sign.known else (low, high)
