"""Limits read off finitely many eigenvalues: Richardson extrapolation with the exponents of the corrections known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import mpmath
from mpmath import mpf

from asymptok.precision import digits_to_bits, mpmath_precision

__all__ = ["Fit", "correction_exponents", "richardson", "short", "spread"]

Basis = Callable[[mpf], mpf]


@dataclass(frozen=True, slots=True)
class Fit:
    """An extrapolated number, and how far it moved while the last corrections were eliminated."""

    value: mpf
    change: mpf


def short(value: object, digits: int = 2) -> str:
    """A number for a sentence."""
    return str(mpmath.nstr(value, digits))


def richardson(
    points: Sequence[mpf], values: Sequence[mpf], wanted: Basis, others: Sequence[Basis], dps: int
) -> Fit | None:
    """The coefficient of `wanted` in values = a wanted(x) + b + sum_j c_j others_j(x).

    With n corrections n + 2 points determine everything; n grows as long as the answer settles. None if there are
    not enough points.

    >>> xs = [10, 20, 40, 80]
    >>> fit = richardson(xs, [3*mpmath.log(x) + 7 - 5/mpmath.mpf(x)**2 for x in xs], mpmath.log, [lambda x: x**-2], 15)
    >>> print(mpmath.nstr(fit.value, 10))
    3.0
    """
    found: list[mpf] = []
    with mpmath_precision(3 * digits_to_bits(dps) + 100):
        for n in range(min(len(others), len(points) - 2) + 1):
            chosen = spread(points, n + 2)
            rows = [[wanted(x), 1, *(f(x) for f in others[:n])] for x in (points[i] for i in chosen)]
            try:
                solution = mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix([values[i] for i in chosen]))
            except ZeroDivisionError:
                break
            found.append(solution[0])
        if len(found) < 2:
            return None
        moves = [abs(b - a) for a, b in pairwise(found)]
        best = min(range(len(moves)), key=lambda i: moves[i])
        # one small move may be an accident: the smaller of its neighbours must be small too
        beside = [moves[i] for i in (best - 1, best + 1) if 0 <= i < len(moves)]
        return Fit(found[best + 1], max(moves[best], min(beside)) if beside else moves[best])


def spread(points: Sequence[mpf], count: int) -> list[int]:
    """Indices of `count` distinct points, the last one and others a roughly constant ratio apart, from the upper half.

    >>> spread(range(2, 102, 2), 4)
    [14, 21, 32, 49]
    """
    top = points[-1]
    # more corrections need a wider base, or the equations become dependent
    width = min(0.9, 0.5 + 0.05 * count)
    indices: list[int] = []
    for j in range(count):
        target = top * (1 - width) ** (j / max(1, count - 1))
        nearest = min(range(len(points)), key=lambda i: abs(points[i] - target))
        indices.append(nearest)
    chosen = sorted(set(indices))
    # neighbours fill up what coincided
    free = (i for i in reversed(range(len(points))) if i not in chosen)
    while len(chosen) < count:
        chosen = sorted([*chosen, next(free)])
    return chosen


def correction_exponents(gaps: Sequence[float], count: int = 16, largest: float = 14.0) -> list[float]:
    """All sums of the gaps and of 2, ascending: the powers of 1/N in log(mu_k) beyond the leading term.

    Each later term c_j t^nu_j is smaller by N^(-2(nu_j - nu)), the gamma ratios go in even powers of N = k + (d-2)/2,
    and the logarithm of a sum brings in all products.

    >>> correction_exponents([0.5, 3.0], 5)
    [0.5, 1.0, 1.5, 2.0, 2.5]
    """
    generators = sorted({round(g, 9) for g in (*gaps, 2.0) if 0 < g <= largest})
    found: set[float] = set()
    frontier = {0.0}
    while frontier:
        frontier = {
            round(a + g, 9)
            for a in frontier
            for g in generators
            if a + g <= largest and round(a + g, 9) not in found
        }
        found |= frontier
        if len(found) > 50 * count:
            break
    return sorted(found)[:count]
