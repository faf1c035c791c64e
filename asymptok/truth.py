"""Three-valued truth: mathematics may be undecided, and undecided is not false."""

from __future__ import annotations

from enum import Enum

from flint import fmpq, fmpz
from sympy import Rational

#: the four answers to "does this condition hold?"; `supported` is what numbers say, and no proof
PROVED, REFUTED, SUPPORTED, UNKNOWN = "proved", "refuted", "supported", "unknown"


class Truth(Enum):
    """TRUE, FALSE or UNKNOWN (Kleene's strong logic).

    >>> (Truth.TRUE & Truth.UNKNOWN, Truth.FALSE & Truth.UNKNOWN, ~Truth.UNKNOWN)
    (UNKNOWN, FALSE, UNKNOWN)
    >>> bool(Truth.UNKNOWN)
    Traceback (most recent call last):
    ...
    TypeError: a Truth value has three cases: compare it with `is`
    """

    FALSE = 0
    UNKNOWN = 1
    TRUE = 2

    @staticmethod
    def of(value: bool | None) -> Truth:
        """None is UNKNOWN."""
        return Truth.UNKNOWN if value is None else (Truth.TRUE if value else Truth.FALSE)

    def __and__(self, other: Truth) -> Truth:
        return Truth(min(self.value, other.value))

    def __or__(self, other: Truth) -> Truth:
        return Truth(max(self.value, other.value))

    def __invert__(self) -> Truth:
        return Truth(2 - self.value)

    def __bool__(self) -> bool:
        # `if zero_test(x):` would read UNKNOWN as one of the two; make that impossible.
        raise TypeError("a Truth value has three cases: compare it with `is`")

    def __repr__(self) -> str:
        return self.name


class Sign(Enum):
    """The sign of a real number: NEGATIVE, ZERO, POSITIVE, or UNKNOWN, of which nothing is claimed.

    >>> Sign.of(-7) * Sign.NEGATIVE, -Sign.UNKNOWN, Sign.ZERO.nonnegative, Sign.UNKNOWN.nonnegative
    (POSITIVE, UNKNOWN, True, False)
    """

    NEGATIVE = -1
    ZERO = 0
    POSITIVE = 1
    UNKNOWN = 2

    @staticmethod
    def of(value: int | fmpz | fmpq | Rational) -> Sign:
        """The sign of an exact number (a ball may have none)."""
        return Sign.POSITIVE if value > 0 else (Sign.NEGATIVE if value < 0 else Sign.ZERO)

    @staticmethod
    def shown(positive: bool | None, negative: bool | None, zero: bool | None = False) -> Sign:
        """The case that is shown, if one is."""
        return (
            Sign.POSITIVE if positive else Sign.NEGATIVE if negative else Sign.ZERO if zero else Sign.UNKNOWN
        )

    @property
    def known(self) -> bool:
        return self is not Sign.UNKNOWN

    @property
    def positive(self) -> bool:
        return self is Sign.POSITIVE

    @property
    def negative(self) -> bool:
        return self is Sign.NEGATIVE

    @property
    def zero(self) -> bool:
        return self is Sign.ZERO

    @property
    def nonnegative(self) -> bool:
        return self in (Sign.ZERO, Sign.POSITIVE)

    @property
    def nonpositive(self) -> bool:
        return self in (Sign.ZERO, Sign.NEGATIVE)

    @property
    def nonzero(self) -> bool:
        return self in (Sign.NEGATIVE, Sign.POSITIVE)

    @property
    def number(self) -> int:
        """-1, 0 or 1."""
        if self is Sign.UNKNOWN:
            raise ValueError("an unknown sign is no number")
        return int(self.value)

    def __neg__(self) -> Sign:
        return Sign(-self.value) if self.known else self

    def __mul__(self, other: Sign) -> Sign:
        # 0 times what is unknown stays unknown: it need not be finite
        return Sign(self.value * other.value) if self.known and other.known else Sign.UNKNOWN

    def __bool__(self) -> bool:
        raise TypeError("a Sign has four cases: ask for the one that is meant")

    def __repr__(self) -> str:
        return self.name
