"""Three-valued truth: mathematics may be undecided, and undecided is not false."""

from __future__ import annotations

from enum import Enum

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
