"""Functions on discs as Taylor polynomials with a proved rest: theta = centre + step z, |z| <= 1."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, cached_property
from math import isqrt

from .balls import ONE, Ball, P, Retry, up
from .exact import Coefficient, Number, enclosed


class Taylor:
    """f = sum_n (x_n + i y_n) z^n + rho, |rho| <= rest, for |z| <= 1, in units of 2^-P; the x_n, y_n are exact."""

    def __init__(self, x: list[int], y: list[int], rest: int = 0) -> None:
        self.x, self.y, self.rest = x, y, rest

    @cached_property
    def size(self) -> int:
        """An upper bound of |f|."""
        return self.rest + sum(
            isqrt(a * a + b * b) + 1 for a, b in zip(self.x, self.y, strict=True) if a or b
        )

    def constant(self, c: Coefficient) -> Taylor:
        value, zeros = enclosed(c), [0] * (len(self.x) - 1)
        return Taylor([value.x, *zeros], [value.y, *zeros], value.r)

    def __add__(self, other: Taylor) -> Taylor:
        x, y = ([a + b for a, b in zip(f, g, strict=True)] for f, g in ((self.x, other.x), (self.y, other.y)))
        return Taylor(x, y, self.rest + other.rest)

    def __mul__(self, other: Taylor) -> Taylor:
        """The polynomials are multiplied at z = 2^(8 width), as integers."""
        n, sizes = len(self.x), self.size * other.size
        if sizes.bit_length() > 20_000:
            raise Retry("a number is too large")
        width = sizes.bit_length() // 8 + 1
        a, b, c, d = (_packed(f, 8 * width) for f in (self.x, self.y, other.x, other.y))
        first, last = a * c, b * d
        x = _unpacked(first - last, width, 2 * n)
        y = _unpacked((a + b) * (c + d) - first - last, width, 2 * n)
        dropped = sum(map(abs, x[n:])) + sum(map(abs, y[n:]))
        rest = up(self.rest * other.size + other.rest * self.size + dropped) + 2 * n
        return Taylor([a >> P for a in x[:n]], [a >> P for a in y[:n]], rest)

    def times(self, c: Coefficient) -> Taylor:
        value = enclosed(c)
        a, b, n = value.x, value.y, len(self.x)
        x = [(a * p - b * q) >> P for p, q in zip(self.x, self.y, strict=True)]
        y = [(a * q + b * p) >> P for p, q in zip(self.x, self.y, strict=True)]
        return Taylor(x, y, up(self.rest * value.mag() + self.size * value.r) + 2 * n)

    def shifted(self, p: Number) -> Taylor:
        if p != 0:
            raise Retry("a function vanishes at a point of the strip")
        return self

    logarithm = shifted

    def lead(self, p: Number | None = None) -> tuple[Number, Coefficient, Taylor]:
        """0, c and f - c for the value c at 0."""
        return 0, Ball(self.x[0], self.y[0]), Taylor([0, *self.x[1:]], [0, *self.y[1:]], self.rest)

    def depth(self) -> int:
        """m, where f^m is no more than a rest if f vanishes at 0."""
        return len(self.x)

    def tail(self, m: int, factor: Fraction) -> Taylor:
        """Anything that is at most factor |f|^m."""
        value = ONE
        for _ in range(m):
            value = up(value * self.size)
        return Taylor([0] * len(self.x), [0] * len(self.x), (value * factor).__ceil__())

    def imaginary(self) -> Taylor:
        """Im f for real z."""
        return Taylor(self.y, [0] * len(self.y), self.rest)

    def at(self, z: Ball) -> Ball:
        """The values at |z| <= 1."""
        total = Ball(0)
        for a, b in zip(reversed(self.x), reversed(self.y), strict=True):
            total = total * z + Ball(a, b)
        return total.widened(self.rest)

    def integral(self) -> Ball:
        """int f over [-1, 1]."""
        total = Ball(0)
        for n in range(0, len(self.x), 2):
            total = total + Ball(self.x[n], self.y[n]).scaled(Fraction(2, n + 1))
        return total.widened(2 * self.rest)


def _packed(f: list[int], bits: int) -> int:
    total = 0
    for a in reversed(f):
        total = (total << bits) + a
    return total


@cache
def _halves(width: int, count: int) -> int:
    return _packed([1 << (8 * width - 1)] * count, 8 * width)


def _unpacked(total: int, width: int, count: int) -> list[int]:
    """The signed digits in base 2^(8 width), each less than half of it in size."""
    half = 1 << (8 * width - 1)
    data = (total + _halves(width, count)).to_bytes(width * count, "little")
    return [int.from_bytes(data[i : i + width], "little") - half for i in range(0, width * count, width)]
