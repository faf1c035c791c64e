"""Digits relative to each mu_k, from a method that controls the absolute error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import arb

from asymptok.errors import PrecisionError
from asymptok.progress import share
from asymptok.spectrum.value import Value, Values

#: (degrees, bits of absolute accuracy) -> balls, and whether they are proved
Moments = Callable[[Sequence[int], int], tuple[dict[int, Any], bool]]


def settle(moments: Moments, ks: Sequence[int], bits: int, start: int, limit: int) -> Values:
    """Each mu_k to `bits` bits of its size: `start` extra bits, then as many as are missing, at most `limit`.

    Where mu_k cannot be told from zero at the limit, the ball is 0 with the bound that was found.
    """
    done: Values = {}
    left = list(ks)
    extra = start
    while left:
        missing = 0
        # most often the first round settles all
        with share(len(done) / len(ks), 1 - len(left) / len(ks) / 8):
            found, proved = moments(left, bits + extra)
        for k, ball in found.items():
            short = bits - (0 if ball.contains(0) else int(ball.rel_accuracy_bits()))
            if short <= 0 or (extra >= limit and ball.contains(0)):
                # a ball that still holds zero at the limit of effort is the answer: |mu_k| is at most that
                done[k] = Value(ball if short <= 0 else arb(0, ball.abs_upper()), proved, "quadrature")
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
