"""Flat functions: smaller than every power of s as s -> 0+, with all derivatives, like exp(-1/s).

An envelope is |Z(s)| <= scale s^(-weight) exp(-rate s^(-speed)) for 0 < s <= r <= 1. A flat function times one that
grows at most like a power is flat. Times one that grows faster it need not be: that is why nothing here multiplies
by anything but a bounded power.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb

from asymptok.regularity.model import NotShown


@dataclass(frozen=True, slots=True)
class Envelope:
    """|Z(s)| <= scale s^(-weight) exp(-rate s^(-speed)) on (0, r], r <= 1.

    >>> from flint import arb
    >>> z = Envelope(arb(1), 0, arb(1), 2)
    >>> z.largest(arb(1)/4, 0) >= (-arb(16)).exp(), z.largest(arb(1)/4, 0) < arb(2)**-23
    (True, True)
    """

    scale: arb
    weight: int
    rate: arb
    speed: int

    def times(self, factor: arb, weight: int) -> Envelope:
        """Multiplied by something of modulus at most factor s^(-weight)."""
        return Envelope((self.scale * factor).upper(), self.weight + weight, self.rate, self.speed)

    def plus(self, other: Envelope | None) -> Envelope:
        """The sum: s <= 1, so that the slower speed, the smaller rate and the larger weight bound both."""
        if other is None:
            return self
        rate = self.rate if self.rate.lower() < other.rate.lower() else other.rate
        return Envelope(
            (self.scale + other.scale).upper(),
            max(self.weight, other.weight),
            rate,
            min(self.speed, other.speed),
        )

    def largest(self, radius: arb, order: int) -> arb:
        """A bound of s^(-order) |Z(s)| on (0, radius].

        The bound increases with s as long as order + weight <= rate speed s^(-speed).
        """
        power = self.weight + order
        growth = (self.rate * self.speed / radius**self.speed).lower()
        if not growth >= power:
            raise NotShown("a flat part is not yet small on so wide a neighbourhood")
        return (self.scale / radius**power * (-self.rate / radius**self.speed).exp()).upper()


def sum_of(parts: list[Envelope | None]) -> Envelope | None:
    total: Envelope | None = None
    for part in parts:
        total = total if part is None else part.plus(total)
    return total
