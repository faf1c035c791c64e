"""mu_k from its asymptotic series: milliseconds at any degree, with an estimate of the error instead of a bound."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from flint import arb
from sympy import Expr

from asymptok import ways_out
from asymptok.errors import AsymptokError, PrecisionError
from asymptok.laws import Decay
from asymptok.laws.derive import decay
from asymptok.progress import each
from asymptok.spectrum.value import Value, Values

_BITS_PER_DIGIT = 3.3219280948873626


def asymptotic(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    """mu_k by the series of `decay`, to `bits` bits relative to its size as far as its own terms can tell.

    Raises PrecisionError at the first k that is too small for the digits asked for.
    """
    law = decay(expr)
    result: Values = {}
    for k in each(ks):
        result[k] = _value(law, k, d, bits)
    return result


def where_good(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    """The k, from the largest downwards, at which the series reaches `bits` bits; possibly none."""
    result: Values = {}
    try:
        law = decay(expr)
    except AsymptokError:
        return result
    # each parity has its own law, and in each the series gets better as k grows
    for parity in (0, 1):
        for k in sorted((k for k in ks if k % 2 == parity), reverse=True):
            try:
                result[k] = _value(law, k, d, bits)
            except AsymptokError:
                break
    return result


def _value(law: Decay, k: int, d: int, bits: int) -> Value:
    found = law.estimate(k, d, dps=ceil(bits / _BITS_PER_DIGIT) + 1)
    ball = arb(found.value, arb(found.error))
    if not ball.is_exact() and (ball.contains(0) or ball.rel_accuracy_bits() < bits):
        raise PrecisionError(
            f"the asymptotic series gives {found.digits:.0f} digits of mu_{k}: ask for fewer, for a larger k, or use "
            f"{ways_out.method('quadrature')}"
        )
    return Value(ball, False, "asymptotic")
