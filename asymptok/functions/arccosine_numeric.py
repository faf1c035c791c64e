"""kappa_n(x) as a number, with full relative accuracy also next to x = 1 and x = -1.

Two forms are used. For x >= 0 the recurrence

    kappa_(n+1) = x kappa_n + n^2/((2n+1)(2n-1)) (1-x^2) kappa_(n-1)

adds positive terms only. For x < 0 it cancels (kappa_n vanishes like (1+x)^(n+1/2) at -1), while

    kappa_n(x) = (2/pi) 2^n (n!)^2/((3/2)_n (2n-1)!!) z^(n+1/2) 2F1(1/2, 1/2; n+3/2; z),   z = (1+x)/2,

has positive terms and converges geometrically. Both follow from kappa_n' = n^2/(2n-1) kappa_(n-1).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import factorial, pi, prod

import mpmath
import numpy as np
from mpmath import mpc, mpf
from numpy.typing import ArrayLike, NDArray

from asymptok.points import Array
from asymptok.precision import mpmath_precision

__all__ = ["arccosine_mpmath", "arccosine_numpy", "arccosine_value", "polynomials"]

#: an argument this far outside [-1, 1] is taken for a rounding error of the end
OVERSHOOT = 1e-14


@cache
def polynomials(n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Coefficients, lowest first, of A_n and B_n in J_n = A_n(x) (pi - theta) + B_n(x) sin(theta).

    >>> polynomials(2)
    ((1, 0, 2), (0, 3))
    """
    (a0, b0), (a1, b1) = ([1], [0]), ([0, 1], [1])
    for m in range(1, n):
        a0, a1 = a1, _next(m, a1, a0)
        b0, b1 = b1, _next(m, b1, b0)
    return (tuple(a0), tuple(b0)) if n == 0 else (tuple(a1), tuple(b1))


def _next(m: int, current: list[int], before: list[int]) -> list[int]:
    """(2m+1) x P_m + m^2 (1-x^2) P_(m-1)."""
    out = [0] * max(len(current) + 1, len(before) + 2)
    for j, c in enumerate(current):
        out[j + 1] += (2 * m + 1) * c
    for j, c in enumerate(before):
        out[j] += m * m * c
        out[j + 2] -= m * m * c
    while len(out) > 1 and out[-1] == 0:
        out.pop()
    return out


def odd_factorial(n: int) -> int:
    """(2n-1)!! = J_n(0)/pi."""
    return prod(range(1, 2 * n, 2))


# ---------------------------------------------------------------------- any precision


def _terms(n: int, x: mpf | mpc) -> tuple[mpf, mpf]:
    """A_n (pi - theta) and B_n sin(theta) at the current precision; x counts as exact."""
    mp = mpmath.mp
    below, above = mp.fsub(1, x, exact=True), mp.fadd(1, x, exact=True)
    # Both distances are exact, and half-angle formulas keep their relative accuracy.
    angle = _angle(above, below) if mp.re(x) < 0 else mp.pi - _angle(below, above)
    sine = mp.sqrt(below) * mp.sqrt(above)
    a, b = polynomials(n)
    return mp.polyval(list(reversed(a)), x) * angle, mp.polyval(list(reversed(b)), x) * sine


def _angle(gap: mpf, rest: mpf) -> mpf:
    """2 asin(sqrt(gap/2)) where gap + rest = 2."""
    mp = mpmath.mp
    if isinstance(gap, mpmath.mpc):
        # mpmath's own complex asin has been seen to lose digits next to 0.
        return -2j * mp.log(mp.sqrt(rest / 2) + 1j * mp.sqrt(gap / 2))
    return 2 * mp.asin(mp.sqrt(gap / 2))


def arccosine_mpmath(n: int, x: mpf | mpc) -> mpf | mpc:
    """kappa_n(x) at mpmath's current precision, x taken as exact; complex outside [-1, 1].

    >>> import mpmath
    >>> x = mpmath.fadd(-1, mpmath.mpf("1e-30"), exact=True)
    >>> mpmath.nstr(arccosine_mpmath(1, x) / (2 * mpmath.sqrt(2) / (3 * mpmath.pi) * mpmath.mpf("1e-45")), 15)
    '1.0'
    """
    mp = mpmath.mp
    x = mp.mpmathify(x)
    if not mp.isfinite(x):
        return mp.nan
    if x == 1:
        return mp.one
    if x == -1:
        return mp.zero
    prec = mp.prec
    spare = 12
    if isinstance(x, mpmath.mpc):
        # The logarithm in _angle loses the bits of a small angle, and cancels for a large argument.
        gaps = (mp.fsub(1, x, exact=True), mp.fadd(1, x, exact=True))
        spare += max(0, *(-mp.mag(gap) for gap in gaps), 2 * mp.mag(x))
    extra = spare + 8
    while True:
        with mpmath_precision(prec + extra):
            first, second = _terms(n, x)
            total = first + second
            value = total / (mp.pi * odd_factorial(n))
            lost = _lost_bits(first, second, total, prec + extra)
        if lost + spare <= extra:
            return +value
        extra = lost + spare + 8


def _lost_bits(first: mpf, second: mpf, total: mpf, prec: int) -> int:
    mag = mpmath.mp.mag
    largest = max(mag(part) for part in (first, second) if part != 0)
    return int(largest - mag(total)) if total != 0 else 2 * prec


# ---------------------------------------------------------------------- doubles


@cache
def _tail_coefficients(n: int) -> tuple[float, ...]:
    """Taylor coefficients of kappa_n z^(-n-1/2) in z, rounded once, as many as doubles need for z <= 1/2."""
    scale = Fraction(2 * 2**n * factorial(n) ** 2, odd_factorial(n))
    for j in range(n):
        scale /= Fraction(2 * j + 3, 2)
    out: list[float] = []
    term = Fraction(1)
    j = 0
    while j < 8 or float(term) * 0.5**j > 1e-18:
        out.append(float(scale * term) / pi)
        term *= Fraction((2 * j + 1) ** 2, 2 * (j + 1) * (2 * j + 2 * n + 3))
        j += 1
    return tuple(out)


def arccosine_numpy(n: int, x: ArrayLike) -> Array | NDArray[np.complex128]:
    """kappa_n on an array of doubles to a few units in the last place; nan outside [-1, 1].

    >>> bool(abs(arccosine_numpy(1, -1 + 1e-8) / 3.0010543e-13 - 1) < 1e-7)
    True
    """
    values = np.asarray(x)
    if np.iscomplexobj(values):
        return _arccosine_complex(n, values)
    values = values.astype(float, copy=False)
    outside = np.abs(values) > 1 + OVERSHOOT
    if outside.any():
        values = np.where(outside, np.nan, values)
    values = np.clip(values, -1.0, 1.0)
    z = 0.5 * (1.0 + values)
    if n == 0:
        right = 1.0 - (2 / np.pi) * np.arcsin(np.sqrt(0.5 * (1.0 - values)))
        result = np.where(z < 0.5, (2 / np.pi) * np.arcsin(np.sqrt(z)), right)
    else:
        result = np.where(z < 0.5, _left_half(n, z), _right_half(n, values))
    return result if result.ndim else result[()]


def _left_half(n: int, z: Array | float) -> Array | float:
    z = np.minimum(z, 0.5)
    total = np.zeros_like(z)
    for c in reversed(_tail_coefficients(n)):
        total = total * z + c
    return total * z**n * np.sqrt(z)


def _right_half(n: int, x: Array | float) -> Array | float:
    x = np.maximum(x, 0.0)
    square = (1.0 - x) * (1.0 + x)
    before = 1.0 - (2 / np.pi) * np.arcsin(np.sqrt(0.5 * (1.0 - x)))
    current = x * before + np.sqrt(square) / np.pi
    for m in range(1, n):
        before, current = current, x * current + m * m / ((2 * m + 1) * (2 * m - 1)) * square * before
    return current


def _arccosine_complex(n: int, x: NDArray[np.complex128]) -> NDArray[np.complex128]:
    # Off the cuts only; near -1 the plain closed form loses what cancellation takes.
    square_root = np.sqrt(1 - x) * np.sqrt(1 + x)
    angle = 2 * np.arcsin(np.sqrt((1 + x) / 2))
    a, b = polynomials(n)
    top = np.polyval(a[::-1], x) * angle + np.polyval(b[::-1], x) * square_root
    return top / (np.pi * odd_factorial(n))


def arccosine_value(n: int, x: mpf | mpc) -> mpf | mpc:
    """kappa_n(x) in the arithmetic of x: mpmath numbers, or NumPy arrays and plain floats."""
    if isinstance(x, mpmath.mpf | mpmath.mpc):
        return arccosine_mpmath(int(n), x)
    value = arccosine_numpy(int(n), x)
    return float(value) if isinstance(x, float | int) else value
