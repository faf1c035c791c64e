"""kappa(1 - t) and kappa(-1 + t) at small t in doubles, from the expansion at the end.

A double u next to 1 knows t = 1 - u to 1e-16 only, and sqrt(t) to 1e-8. Where points are at hand, t = |x - y|^2/2 is
known to all its digits, and the expansion takes it from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from asymptok.errors import SYMPY_ERRORS, AsymptokError
from asymptok.expansion import Expansion, Term, expand
from asymptok.kernels.kernel import Kernel
from asymptok.kernels.points import Array

__all__ = ["EndFunction", "end_function"]

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
        expansion = expand(kernel, at=at, order=_ORDER)
        if not _steep(expansion):
            return None
        constant = float(kernel.evaluate(at))
        terms = tuple(
            (float(Kernel(x.coefficient).evaluate(0)), float(x.exponent), x.log_power)
            for x in expansion.terms
            if (x.exponent, x.log_power) != (0, 0)
        )
    except (AsymptokError, *SYMPY_ERRORS):
        return None
    for bits in range(_FIRST, _LAST, 4):
        found = EndFunction(2.0**-bits, constant, terms)
        if all(_agrees(kernel, found, at, bits + shift) for shift in (0, 1, 3)):
            return found
    return None


def _steep(expansion: Expansion) -> bool:
    """Whether some term has an infinite slope at t = 0."""

    def steep(term: Term) -> bool:
        return bool(0 < term.exponent < 1) or (term.exponent == 1 and term.log_power > 0)

    return any(steep(term) for term in expansion.terms)


def _agrees(kernel: Kernel, found: EndFunction, at: int, bits: int) -> bool:
    t = Fraction(1, 2**bits)
    exact = float(kernel.evaluate(at * (1 - t), dps=20))
    size = max(abs(exact), abs(found.constant))
    return bool(abs(float(found(np.array([float(t)]))[0]) - exact) <= _UNITS * np.finfo(float).eps * size)
