"""kappa(1 - t) and kappa(-1 + t) at small t in doubles, from the expansion at the end.

A double u next to 1 knows t = 1 - u to 1e-16 only, and sqrt(t) to 1e-8. Where points are at hand, t = |x - y|^2/2 is
known to all its digits, and the expansion takes it from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq

from asymptok.constants.domain import opaque
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import Ranges, exponent_to_expr
from asymptok.errors import AsymptokError
from asymptok.kernels.values import constant_value, evaluate
from asymptok.points import Array
from asymptok.series.ends import expand_at_end
from asymptok.symbols import u
from asymptok.truth import Truth

if TYPE_CHECKING:
    from asymptok.kernels.kernel import Kernel

__all__ = ["EndFunction", "end_function", "end_terms"]

#: the expansion is taken to this order, and first tried at distances up to 2^-12
_ORDER, _FIRST, _LAST = 6, 12, 44
#: units in the last place that the sum of the terms may be off at its furthest point
_UNITS = 8


@dataclass(frozen=True, slots=True)
class EndFunction:
    """sum_i c_i t^(e_i) (log t)^(j_i), good to doubles for 0 <= t <= reach."""

    reach: float
    constant: float
    terms: tuple[tuple[float, float, int], ...]

    def __call__(self, distance: Array) -> Array:
        positive = distance > 0
        t = np.where(positive, distance, 1.0)
        total = np.zeros_like(t)
        for coefficient, exponent, logs in reversed(self.terms):
            total += coefficient * t**exponent * (np.log(t) ** logs if logs else 1.0)
        return self.constant + np.where(positive, total, 0.0)


@lru_cache(maxsize=256)
def end_function(kernel: Kernel, at: int) -> EndFunction | None:
    """kappa next to u = at where its slope is infinite; None where u is good enough, or nothing better is known."""
    try:
        terms = end_terms(kernel, at, _ORDER)
        # an infinite slope at t = 0
        if not any(0 < exponent < 1 or (exponent == 1 and logs) for _, exponent, logs in terms):
            return None
        constant = float(evaluate(kernel, at))
    except AsymptokError:
        return None
    for bits in range(_FIRST, _LAST, 4):
        found = EndFunction(2.0**-bits, constant, terms)
        if all(_agrees(kernel, found, at, bits + shift) for shift in (0, 1, 3)):
            return found
    return None


def end_terms(kernel: Kernel, at: int, order: int) -> tuple[tuple[float, float, int], ...]:
    """The terms (c, e, j) of c t^e (log t)^j up to t^order at an end, the constant left out, ascending, in doubles."""
    dom = opaque(ExactDomain(Ranges({})))
    series = expand_at_end(dom, kernel.layered, u, at, fmpq(order), kernel.layers)
    found = []
    for c, form, rest, logs in series.terms():
        exponent = float(constant_value(exponent_to_expr(form, rest), 20))
        if exponent <= order and (exponent, logs) != (0, 0) and dom.is_zero(c) is not Truth.TRUE:
            found.append((float(constant_value(dom.to_expr(c), 20)), exponent, logs))
    return tuple(sorted(found, key=lambda term: (term[1], -term[2])))


def _agrees(kernel: Kernel, found: EndFunction, at: int, bits: int) -> bool:
    t = Fraction(1, 2**bits)
    exact = float(evaluate(kernel, at * (1 - t), dps=20))
    size = max(abs(exact), abs(found.constant))
    return bool(abs(float(found(np.array([float(t)]))[0]) - exact) <= _UNITS * np.finfo(float).eps * size)
