"""Digits relative to each mu_k, from a method that controls the absolute error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from time import process_time

from flint import arb

from asymptok.errors import PrecisionError
from asymptok.progress import share
from asymptok.quantities import exponent_above
from asymptok.spectrum.value import Value, Values

#: (degrees, bits of absolute accuracy) -> proved balls
Moments = Callable[[Sequence[int], int], dict[int, arb]]

#: seconds of processor time for a value that cannot be told from zero, more by so much for each so many degrees
_SECONDS, _DEGREES = 1.5, 16
#: bits below the digits asked for of the largest value
_BELOW = 24


def settle(moments: Moments, ks: Sequence[int], bits: int, start: int, limit: int) -> Values:
    """Each mu_k to `bits` bits of its size: `start` extra bits, then as many as are missing, at most `limit`.

    Where mu_k cannot be told from zero at the limit, the ball is 0 with the bound that was found. The limit is
    reached sooner where rounds are long and mu_k is far below the digits asked for of the others: a symmetry that
    nobody recognised makes it zero, and each round would take several times the one before.
    """
    done: Values = {}
    left = list(ks)
    extra = start
    until = process_time() + _SECONDS * (1 + len(left) / _DEGREES)
    while left:
        missing = 0
        # most often the first round settles all
        with share(len(done) / len(ks), 1 - len(left) / len(ks) / 8):
            found = moments(left, bits + extra)
        largest = max(map(_log2_below, [*found.values(), *(value.ball for value in done.values())]))
        for k, ball in found.items():
            short = bits - (0 if ball.contains(0) else int(ball.rel_accuracy_bits()))
            hidden = process_time() > until and _log2_above(ball) < largest - bits - _BELOW
            if short <= 0 or ((extra >= limit or hidden) and ball.contains(0)):
                # a ball that still holds zero at the limit of effort is the answer: |mu_k| is at most that
                done[k] = Value(ball if short <= 0 else arb(0, ball.abs_upper()), True, "quadrature")
            else:
                missing = max(missing, short)
        left = [k for k in left if k not in done]
        if left and extra >= limit:
            raise PrecisionError(
                f"mu_k for k = {left[0]} needs more than {limit} extra bits: ask for fewer digits"
            )
        # a ball around zero says nothing about the size: double; otherwise what is missing is known
        extra = min(limit, extra + missing + 8 if missing < bits else 2 * extra + 32)
    return done


def _log2_below(ball: arb) -> float:
    """A lower bound of log2 |mu_k|; -oo for a ball around zero."""
    return -inf if ball.contains(0) else exponent_above(ball.abs_lower()) - 1


def _log2_above(ball: arb) -> float:
    return exponent_above(ball.abs_upper())
