"""The Chebyshev interpolant of a function whose values are balls, in powers of the variable of its cell."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from flint import arb, fmpq

from asymptok.points import Array
from asymptok.precision import flint_precision
from asymptok.quantities import whole

__all__ = ["BITS", "coefficients", "dyadic", "polynomial"]

BITS = 128


def coefficients(value: Callable[[fmpq], arb], low: fmpq, high: fmpq, degree: int) -> Array:
    """Those of the Chebyshev interpolant, rounded once each."""
    return np.array([float(c.mid()) for c in polynomial(value, low, high, degree)])


def polynomial(value: Callable[[fmpq], arb], low: fmpq, high: fmpq, degree: int) -> list[arb]:
    """Coefficients in powers of y = (x - middle)/(high - low) of the Chebyshev interpolant, as balls."""
    nodes, matrix = _rule(degree)
    middle, width = (low + high) / 2, high - low
    with flint_precision(BITS):
        sampled = [value(middle + width * node / 2) for node in nodes]
        return [sum((a * f for a, f in zip(row, sampled, strict=True)), arb(0)) for row in matrix]


@lru_cache(maxsize=64)
def _rule(degree: int) -> tuple[list[fmpq], list[list[arb]]]:
    """Nodes of degree + 1 points as exact fractions next to the Chebyshev ones, and the matrix values -> coefficients.

    Interpolation in points that are rounded to 2^-64 is interpolation all the same; the bound above is that of the
    Chebyshev points, whose nodal polynomial differs by a factor of 1 + 2^-50.
    """
    n = degree + 1
    with flint_precision(2 * BITS):
        exact = [(arb.pi() * fmpq(2 * j + 1, 2 * n)).cos() for j in range(n)]
        nodes = [dyadic(x) for x in exact]
        # Lagrange polynomials in y = node/2, from the product of all (y - y_j)
        points = [x / 2 for x in nodes]
        matrix: list[list[arb]] = [[arb(0)] * n for _ in range(n)]
        for j, centre in enumerate(points):
            poly = [fmpq(1)]
            scale = fmpq(1)
            for i, other in enumerate(points):
                if i != j:
                    poly = [
                        (poly[m - 1] if m else fmpq(0)) - (other * poly[m] if m < len(poly) else fmpq(0))
                        for m in range(len(poly) + 1)
                    ]
                    scale *= centre - other
            for m in range(n):
                matrix[m][j] = arb(poly[m] / scale)
    return nodes, matrix


def dyadic(x: arb) -> fmpq:
    return fmpq(whole((x * 2**64).mid().floor()), 2**64)
