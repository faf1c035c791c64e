"""Numbers that can be compared exactly: Q[sqrt n, pi, 1/pi], n square-free, negative n standing for i sqrt(-n).

pi is transcendental and the roots of different n are independent over Q, so that equality is equality of coefficients.
This is the only place where something is called zero. Rational numbers are Fractions, the others are `Exact`.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, isqrt

__all__ = ["PI", "Exact", "Number", "bounds", "exact_power", "surd"]

BITS = 256


class Exact:
    """The sum of q sqrt(n) pi^j over parts[n, j] = q, not a rational number."""

    __slots__ = ("_hash", "parts")

    def __init__(self, parts: dict[tuple[int, int], Fraction]) -> None:
        self.parts, self._hash = parts, hash(frozenset(parts.items()))

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return " + ".join(f"({q}) sqrt({n}) pi^{j}" for (n, j), q in self.parts.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exact) and self.parts == other.parts

    def __add__(self, other: Number) -> Number:
        return _build([*self.parts.items(), *_parts(other)])

    def __mul__(self, other: Number) -> Number:
        return _build(_times(a, p, b, q) for a, p in self.parts.items() for b, q in _parts(other))

    def __neg__(self) -> Number:
        return self * -1

    def __sub__(self, other: Number) -> Number:
        return self + -other

    def __rsub__(self, other: Number) -> Number:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __lt__(self, other: Number) -> bool:
        return bounds(self - other)[1] < 0

    def __gt__(self, other: Number) -> bool:
        return bounds(self - other)[0] > 0

    def __le__(self, other: Number) -> bool:
        return self == other or self < other

    def __ge__(self, other: Number) -> bool:
        return self == other or self > other


Number = int | Fraction | Exact
Item = tuple[tuple[int, int], Fraction]


def _parts(x: Number) -> Iterable[Item]:
    return x.parts.items() if isinstance(x, Exact) else [((1, 0), Fraction(x))]


def _build(items: Iterable[Item]) -> Number:
    total: dict[tuple[int, int], Fraction] = {}
    for key, q in items:
        total[key] = total.get(key, Fraction(0)) + q
    total = {key: q for key, q in total.items() if q}
    return Exact(total) if total.keys() - {(1, 0)} else total.get((1, 0), Fraction(0))


def _times(a: tuple[int, int], p: Fraction, b: tuple[int, int], q: Fraction) -> Item:
    """sqrt(g m) sqrt(g n) = g sqrt(m n), and the opposite if both radicands are negative."""
    g = gcd(a[0], b[0]) * (-1 if a[0] < 0 and b[0] < 0 else 1)
    return (a[0] * b[0] // g**2, a[1] + b[1]), p * q * g


def surd(n: int, pi_power: int = 0) -> Exact:
    """sqrt(n) pi^pi_power, n without square factors."""
    return Exact({(n, pi_power): Fraction(1)})


PI = surd(1, 1)


def exact_power(x: Number | None, q: Number) -> Number | None:
    """x^q where x has one part and the result is found in the ring; None otherwise."""
    if x == 1:
        return Fraction(1)
    if x is None or x == 0 or isinstance(q, Exact) or not -16 <= q <= 16:
        return None
    parts, q = list(_parts(x)), Fraction(q)
    if len(parts) > 1:
        return None
    (root, j), value = parts[0]
    if q.denominator == 1:
        n = int(q)
        return _build([((root if n % 2 else 1, j * n), value**n * Fraction(root) ** (n // 2))])
    free, square = _square_free(value.numerator * value.denominator)
    if q.denominator != 2 or root != 1 or j % 2 or value < 0 or not free:
        return None
    return exact_power(_build([((free, j // 2), Fraction(square, value.denominator))]), q.numerator)


def _square_free(n: int) -> tuple[int, int]:
    """(f, s) with n = f s^2, f without square factors; (0, 0) if that takes long."""
    if n > 10**8:
        return (1, isqrt(n)) if isqrt(n) ** 2 == n else (0, 0)
    free, square, p = n, 1, 2
    while p * p <= free:
        while free % (p * p) == 0:
            free, square = free // (p * p), square * p
        p += 1
    return free, square


def _arctan_inverse(n: int) -> tuple[Fraction, Fraction]:
    """arctan(1/n) between two partial sums of its alternating series."""
    total, term, j = Fraction(0), Fraction(1, n), 0
    while term.denominator < 1 << (BITS + 8):
        total, term, j = total + (-1) ** j * term / (2 * j + 1), term / (n * n), j + 1
    return total - term, total + term


def _outward(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    one = 1 << BITS
    return Fraction(low * one // 1, one), Fraction(-(-high * one // 1), one)


def _machin() -> tuple[Fraction, Fraction]:
    (a, b), (c, d) = _arctan_inverse(5), _arctan_inverse(239)
    return _outward(16 * a - 4 * d, 16 * b - 4 * c)


_PI = _machin()


def bounds(x: Number) -> tuple[Fraction, Fraction]:
    """low <= x <= high, close together, for a real number."""
    if not isinstance(x, Exact):
        return Fraction(x), Fraction(x)
    low = high = Fraction(0)
    for (n, j), q in x.parts.items():
        if n < 0 or abs(j) > 64:
            raise ArithmeticError("the size of a number that is not real")
        root = isqrt(n << 2 * BITS)
        small, large = (
            Fraction(root, 1 << BITS) * _PI[j < 0] ** j,
            Fraction(root + 1, 1 << BITS) * _PI[j > 0] ** j,
        )
        low, high = low + min(q * small, q * large), high + max(q * small, q * large)
    return _outward(low, high)
