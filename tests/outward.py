"""What a bound has to be: not below the truth, and not far above it. The truth is computed by mpmath alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
from flint import arb


def exact(x: arb) -> Any:
    """The exact value of a ball without radius."""
    man, exp = x.man_exp()
    return mp.make_mpf(mp.libmp.from_man_exp(int(man), int(exp)))


def high(x: arb) -> Any:
    return exact(x.upper())


def low(x: arb) -> Any:
    return exact(x.lower())


def encloses(x: arb, truth: Any, digits: int = 20) -> bool:
    """The ball holds the number, which is known to so many digits, and is as narrow."""
    slack = mp.mpf(10) ** -digits * max(abs(truth), mp.mpf(10) ** -digits)
    return bool(low(x) - slack <= truth <= high(x) + slack and high(x) - low(x) <= 2 * slack)


def bounds(x: arb, truth: Any, factor: float = 1.0) -> bool:
    """truth <= x <= factor truth; a factor of 1 stands for equality up to twelve digits."""
    room = mp.mpf(10) ** -12
    return bool(truth * (1 - room) <= high(x) <= factor * truth * (1 + room))


def largest(f: Callable[[Any], Any], a: Any, b: Any, count: int = 60) -> Any:
    """The largest of some values on [a, b], both ends among them."""
    return max(abs(f(a + (b - a) * mp.mpf(i) / count)) for i in range(count + 1))
