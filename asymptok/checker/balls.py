"""Discs in the complex plane with integer centres and radii, in units of 2^-P.

Every operation returns a disc that contains all values over its operands: centres are cut to integers and the
error, at most one unit for each cut, goes into the radius. Nothing but integer arithmetic is trusted.
"""

from __future__ import annotations

from fractions import Fraction
from math import atan2, comb, frexp, hypot, inf, isqrt, log
from time import process_time

P = 256
ONE = 1 << P
HALF = Fraction(1, 2)
HUGE = 1 << 10_000


class Retry(ArithmeticError):
    """A disc meets a branch cut or a pole, or is too wide: smaller pieces may do."""


class OutOfTime(Exception):
    """The verification takes longer than it may."""


class Clock:
    """When to give up, in seconds of processor time."""

    end = inf

    @classmethod
    def tick(cls) -> None:
        if process_time() > cls.end:
            raise OutOfTime


def up(a: int, b: int = ONE) -> int:
    """a/b rounded up, b > 0."""
    return -(-a // b)


class Ball:
    """All z with |z - (x + iy)/2^P| <= r/2^P."""

    __slots__ = ("r", "x", "y")

    def __init__(self, x: int, y: int = 0, r: int = 0) -> None:
        self.x, self.y, self.r = x, y, r

    def size(self) -> int:
        """The modulus of the centre, rounded down, in units."""
        return isqrt(self.x * self.x + self.y * self.y)

    def mag(self) -> int:
        """An upper bound of |z|, in units."""
        return self.size() + 1 + self.r

    def interval(self) -> tuple[Fraction, Fraction]:
        """Bounds of the real part."""
        return Fraction(self.x - self.r, ONE), Fraction(self.x + self.r, ONE)

    def __add__(self, other: Ball) -> Ball:
        return Ball(self.x + other.x, self.y + other.y, self.r + other.r)

    def __sub__(self, other: Ball) -> Ball:
        return Ball(self.x - other.x, self.y - other.y, self.r + other.r)

    def __mul__(self, other: Ball) -> Ball:
        a, b, c, d = self.x, self.y, other.x, other.y
        x, y = (a * c - b * d) >> P, (a * d + b * c) >> P
        if max(abs(x), abs(y)) > HUGE:
            raise Retry("a number is too large")
        wide = self.r or other.r
        return Ball(x, y, 2 + (up(self.mag() * other.r + other.mag() * self.r) if wide else 0))

    def scaled(self, q: Fraction | int) -> Ball:
        """q z for a rational q."""
        n, m = q.numerator, q.denominator
        return Ball(self.x * n // m, self.y * n // m, up(self.r * abs(n), m) + (0 if m == 1 else 2))

    def widened(self, r: int) -> Ball:
        return Ball(self.x, self.y, self.r + r)

    def real(self) -> Ball:
        return Ball(self.x, 0, self.r)

    def imaginary(self) -> Ball:
        return Ball(self.y, 0, self.r)

    def off_cut(self) -> None:
        """Raise unless the disc misses the ray (-oo, 0]."""
        if not (abs(self.y) > self.r or (self.x > 0 and self.size() > self.r)):
            raise Retry("a disc meets the branch cut")

    def inverse(self) -> Ball:
        size, norm = self.size(), self.x * self.x + self.y * self.y
        if size <= self.r:
            raise Retry("a disc contains 0")
        r = up(self.r << 2 * P, size * (size - self.r)) + 2
        return Ball((self.x << 2 * P) // norm, (-self.y << 2 * P) // norm, r)

    def exp(self) -> Ball:
        """By the series at z/2^m and m squarings; the radius by |e^(z+h) - e^z| <= |e^z| (r + r^2), |h| <= r <= 1."""
        if self.r > ONE or max(abs(self.x), abs(self.y)) > 4096 * ONE:
            raise Retry("exp of a wide disc or of a large number")
        m = max((abs(self.x) + abs(self.y)).bit_length() - P, 0) + 16
        # guard bits: the squarings lose m of them and log2|e^z|
        w = P + 2 * m + 16 + max(self.x, 0) * 3 // (2 * ONE)
        x, y = self.x << (w - P - m), self.y << (w - P - m)  # |x + iy| <= 2^-15, in units of 2^-w
        a, b, sx, sy, n = 1 << w, 0, 1 << w, 0, 0
        while not (
            -2 <= a <= 1 and -2 <= b <= 1
        ):  # a term is cut by less than two units, the tail is below two
            n += 1
            a, b = ((a * x - b * y) >> w) // n, ((a * y + b * x) >> w) // n
            sx, sy = sx + a, sy + b
        e = 8 * n + 16
        for _ in range(m):
            e = up(2 * (abs(sx) + abs(sy) + e) * e, 1 << w) + 2
            sx, sy = (sx * sx - sy * sy) >> w, (2 * sx * sy) >> w
        size = (isqrt(sx * sx + sy * sy) + e >> (w - P)) + 1
        r = up(size * (self.r * ONE + self.r * self.r), ONE * ONE)
        return Ball(sx >> (w - P), sy >> (w - P), r + (e >> (w - P)) + 3)

    def log(self) -> Ball:
        """The principal logarithm: a guess g in floats, and log c = g + log(1 + v), v = c e^-g - 1, twice, where
        |log(1+v) - v + v^2/2| <= |v|^3 for |v| <= 1/2."""
        self.off_cut()
        s = max(abs(self.x), abs(self.y)).bit_length() - 60
        fx, fy = (float(a >> s if s > 0 else a << -s) for a in (self.x, self.y))
        mantissa, power = frexp(hypot(fx, fy))
        parts = log(mantissa) + (power + s - P) * log(2.0), atan2(fy, fx)
        guess, error = Ball(*(int(part * 2.0**60) << (P - 60) for part in parts)), 0
        for _ in range(2):
            v = Ball(self.x, self.y) * guess.scaled(-1).exp() - Ball(ONE)
            if v.mag() > ONE >> 8:
                raise Retry("the logarithm of a number too small for the precision")
            guess = guess + (v - (v * v).scaled(HALF)).widened(up(v.mag() ** 3, ONE * ONE))
            error, guess = guess.r, Ball(guess.x, guess.y)
        # on the disc |log z - log(centre)| <= -log(1 - q) <= q + q^2/(2(1-q)), q = radius/|centre|
        q = up(self.r << P, self.size()) if self.r else 0
        if q >= ONE:
            raise Retry("the logarithm of a wide disc")
        return guess.widened(error + q + up(q * q, 2 * (ONE - q)))

    def power(self, q: Fraction | int) -> Ball:
        """z^q, principal."""
        if q.denominator != 1:
            return (self.log() * rational(q)).exp()
        value, base = Ball(ONE), self if q >= 0 else self.inverse()
        for _ in range(abs(q.numerator)):
            value = value * base
        return value


def rational(q: Fraction | int) -> Ball:
    n, exact = divmod(q.numerator << P, q.denominator)
    return Ball(n, 0, 1 if exact else 0)


I = Ball(0, ONE)  # noqa: E741
PI = Ball(ONE, ONE).log().imaginary().scaled(4)


def _bernoulli(n: int) -> list[Fraction]:
    out: list[Fraction] = []
    for m in range(n + 1):
        out.append(Fraction(m == 0) - sum(comb(m, j) * b / (m - j + 1) for j, b in enumerate(out)))
    return out


_B = _bernoulli(80)
# gamma = H_n - log n - 1/(2n) + sum_m B_m/(m n^m), n = 64, up to less than the first term that is left out
EULER = (
    rational(
        sum(Fraction(1, m) for m in range(1, 65))
        - Fraction(1, 128)
        + sum(_B[m] / (m * 64**m) for m in range(2, 80, 2))
    ).widened((abs(_B[80]) * ONE / (80 * 64**80)).__ceil__())
    - Ball(64 * ONE).log()
)


def log_gamma(x: Ball) -> Ball:
    """log Gamma(x), x > 0: the recurrence to x >= 64, then Stirling's series, whose error is at most its first
    omitted term."""
    if x.x <= x.r:
        raise Retry("log Gamma of a number that is not positive")
    product, shift = Ball(ONE), Ball(0)
    while x.x - x.r < 64 * ONE:
        product, x = product * x, x + Ball(ONE)
        if product.x > ONE << 64:
            shift, product = shift + product.log(), Ball(ONE)
    inverse = x.inverse()
    square, total = inverse * inverse, Ball(0)
    for m in reversed(range(2, 80, 2)):
        total = total * square + rational(_B[m] / (m * (m - 1)))
    out = (x - rational(HALF)) * x.log() - x + PI.scaled(2).log().scaled(HALF) - shift - product.log()
    return (out + total * inverse).widened((abs(_B[80]) * ONE / (80 * 79 * 64**79)).__ceil__())
