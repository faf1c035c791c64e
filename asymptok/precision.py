"""The one place that changes the working precision of flint and mpmath, and puts it back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import flint
import mpmath


@contextmanager
def flint_precision(bits: int) -> Iterator[None]:
    """Run with flint's balls at `bits` bits; the old precision returns also after an error.

    >>> import flint
    >>> before = flint.ctx.prec
    >>> with flint_precision(200):
    ...     inside = flint.ctx.prec
    >>> inside, flint.ctx.prec == before
    (200, True)
    """
    saved = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = saved


@contextmanager
def flint_length(terms: int) -> Iterator[None]:
    """Run with flint's power series kept to at least `terms` terms."""
    saved = flint.ctx.cap
    flint.ctx.cap = max(terms, saved)
    try:
        yield
    finally:
        flint.ctx.cap = saved


@contextmanager
def mpmath_precision(bits: int) -> Iterator[None]:
    """Run with mpmath's global context at `bits` bits; the old precision returns also after an error."""
    saved = mpmath.mp.prec
    mpmath.mp.prec = bits
    try:
        yield
    finally:
        mpmath.mp.prec = saved


def digits_to_bits(dps: int) -> int:
    """Bits that hold `dps` decimal digits, with a few to spare.

    >>> digits_to_bits(30)
    110
    """
    return int(dps * 3.3219280948873626) + 11
