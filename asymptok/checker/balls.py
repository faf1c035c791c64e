"""Discs in the complex plane with integer centres and radii, in units of 2^-P.

Every operation returns a disc that contains all values over its operands: centres are cut to integers and the
error, at most one unit for each cut, goes into the radius. Nothing but integer arithmetic is trusted.
"""

from __future__ import annotations

from fractions import Fraction
from math import atan2, comb, frexp, hypot, isqrt, log

from .exact import PI, Exact, Number, bounds, exact_power, surd

__all__ = ["HALF", "ONE", "PI_BALL", "Ball", "P", "Retry", "log_gamma", "number", "up"]

P = 192
ONE = 1 << P
HALF = Fraction(1, 2)
LONG = 12  # parts of an exact number that is still carried along
# the exact logarithms of 1, i and (1 + i)/sqrt 2
LOGS: dict[Number, Number] = {
    Fraction(1): Fraction(0),
    surd(-1): surd(-1, 1) * HALF,
    (surd(2) + surd(-2)) * HALF: surd(-1, 1) * Fraction(1, 4),
}


class Retry(ArithmeticError):
    """A disc meets a branch cut or a pole, or is too wide: smaller pieces may do."""


def up(a: int, b: int) -> int:
    """a/b rounded up, b > 0."""
    return -(-a // b)


def _hypot(a: int, b: int) -> int:
    """At least |a + ib|: m + n/2 for m >= n >= 0."""
    a, b = abs(a), abs(b)
    return a + b // 2 + 1 if a > b else b + a // 2 + 1


class Ball:
    """All z with |z - (x + iy)/2^P| <= r/2^P; `exact` is the number itself where it is known exactly."""

    __slots__ = ("exact", "r", "x", "y")

    def __init__(self, x: int, y: int = 0, r: int = 0, exact: Number | None = None) -> None:
        self.x, self.y, self.r, self.exact = x, y, r, exact
        if exact is not None and isinstance(exact, Exact) and len(exact.parts) > LONG:
            self.exact = None

    def mag(self) -> int:
        """An upper bound of |z|, in units."""
        return isqrt(self.x * self.x + self.y * self.y) + 1 + self.r

    def low(self) -> int:
        """A lower bound of |z|, in units, at least 0."""
        return max(isqrt(self.x * self.x + self.y * self.y) - self.r, 0)

    def interval(self) -> tuple[Fraction, Fraction]:
        """Bounds of the real part."""
        return Fraction(self.x - self.r, ONE), Fraction(self.x + self.r, ONE)

    def __add__(self, other: Ball) -> Ball:
        a, b = self.exact, other.exact
        exact = None if a is None or b is None else a + b
        return Ball(self.x + other.x, self.y + other.y, self.r + other.r, exact)

    def __sub__(self, other: Ball) -> Ball:
        return self + other.scaled(-1)

    def __mul__(self, other: Ball) -> Ball:
        a, b, c, d = self.x, self.y, other.x, other.y
        r = 2
        if self.r or other.r:
            r += up(_hypot(a, b) * other.r + (_hypot(c, d) + other.r) * self.r, ONE)
        e, f = self.exact, other.exact
        return Ball((a * c - b * d) >> P, (a * d + b * c) >> P, r, None if e is None or f is None else e * f)

    def scaled(self, q: Fraction | int) -> Ball:
        """q z for a rational q."""
        n, m = q.numerator, q.denominator
        exact = None if self.exact is None else self.exact * q
        return Ball(self.x * n // m, self.y * n // m, up(self.r * abs(n), m) + (0 if m == 1 else 2), exact)

    def widened(self, r: int) -> Ball:
        return Ball(self.x, self.y, self.r + r)

    def real(self) -> Ball:
        return Ball(self.x, 0, self.r)

    def imaginary(self) -> Ball:
        return Ball(self.y, 0, self.r)

    def off_cut(self) -> None:
        """Raise unless the disc misses the ray (-oo, 0]."""
        if not (abs(self.y) > self.r or (self.x > 0 and self.low() > 0)):
            raise Retry("a disc meets the branch cut")

    def inverse(self) -> Ball:
        size, norm = isqrt(self.x * self.x + self.y * self.y), self.x * self.x + self.y * self.y
        if size <= self.r:
            raise Retry("a disc contains 0")
        r = up(self.r << 2 * P, size * (size - self.r)) + 2
        return Ball((self.x << 2 * P) // norm, -(self.y << 2 * P) // norm, r, exact_power(self.exact, -1))

    def exp(self) -> Ball:
        if self.r > ONE or abs(self.x) > 4096 * ONE or abs(self.y) > 4096 * ONE:
            raise Retry("exp of a wide disc or of a large number")
        m = max((abs(self.x) + abs(self.y)).bit_length() - P, 0) + 16
        # guard bits: the squarings lose m of them and log2|e^z|
        w = P + 2 * m + 16 + max(self.x, 0) * 3 // (2 * ONE)
        x, y = self.x << (w - P - m), self.y << (w - P - m)  # |x + iy| <= 2^-15, in units of 2^-w
        a, b, sx, sy, n = 1 << w, 0, 1 << w, 0, 0
        while not (
            -2 <= a <= 1 and -2 <= b <= 1
        ):  # each term is cut by less than two units, the tail is below two
            n += 1
            a, b = ((a * x - b * y) >> w) // n, ((a * y + b * x) >> w) // n
            sx, sy = sx + a, sy + b
        e = 8 * n + 16
        for _ in range(m):
            e = up(2 * (abs(sx) + abs(sy) + e) * e, 1 << w) + 2
            sx, sy = (sx * sx - sy * sy) >> w, (2 * sx * sy) >> w
        size = (isqrt(sx * sx + sy * sy) + e >> (w - P)) + 1
        r = up(size * (self.r * ONE + self.r * self.r), ONE * ONE)  # e^r - 1 <= r + r^2 for r <= 1
        exact = Fraction(1) if self.exact == 0 else None
        return Ball(sx >> (w - P), sy >> (w - P), r + (e >> (w - P)) + 3, exact)

    def log(self) -> Ball:
        """The principal logarithm; the disc must miss (-oo, 0]."""
        self.off_cut()
        s = max(abs(self.x), abs(self.y)).bit_length() - 60
        fx, fy = float(self.x >> s if s > 0 else self.x << -s), float(self.y >> s if s > 0 else self.y << -s)
        mantissa, power = frexp(hypot(fx, fy))
        logarithm, angle = log(mantissa) + (power + s - P) * log(2.0), atan2(fy, fx)
        guess = Ball(int(logarithm * 2.0**60) << (P - 60), int(angle * 2.0**60) << (P - 60))
        error = 0
        for _ in range(
            2
        ):  # log c = g + log(1 + v), v = c e^-g - 1; |log(1+v) - v + v^2/2| <= |v|^3 for |v| <= 1/2
            v = Ball(self.x, self.y) * guess.scaled(-1).exp() - Ball(ONE)
            if v.mag() > ONE >> 8:
                raise Retry("the logarithm of a number too small for the precision")
            guess = guess + (v - (v * v).scaled(HALF)).widened(up(v.mag() ** 3, ONE * ONE))
            error, guess = guess.r, Ball(guess.x, guess.y)
        # on the disc |log z - log(centre)| <= -log(1 - q) <= q + q^2/(2(1-q)), q = radius/|centre|
        q = up(self.r << P, isqrt(self.x * self.x + self.y * self.y)) if self.r else 0
        if q >= ONE:
            raise Retry("the logarithm of a wide disc")
        exact = None if self.exact is None else LOGS.get(self.exact)
        return Ball(guess.x, guess.y, error + q + up(q * q, 2 * (ONE - q)), exact)

    def power(self, q: Number) -> Ball:
        """z^q, principal."""
        if isinstance(q, Exact) or q.denominator != 1:
            value = (self.log() * number(q)).exp()
        else:
            value, base = Ball(ONE), self if q >= 0 else self.inverse()
            for _ in range(abs(q.numerator)):
                value = value * base
        return Ball(value.x, value.y, value.r, exact_power(self.exact, q))


def number(q: Number) -> Ball:
    """A ball around an exact number."""
    low, high = bounds(q)
    x, y = low * ONE // 1, -(-high * ONE // 1)
    return Ball((x + y) // 2, 0, (y - x + 1) // 2, q)


PI_BALL = number(PI)


def _bernoulli(n: int) -> list[Fraction]:
    out: list[Fraction] = []
    for m in range(n + 1):
        out.append(
            Fraction(m == 0) - sum((comb(m, j) * b / (m - j + 1) for j, b in enumerate(out)), Fraction(0))
        )
    return out


_B = _bernoulli(50)


def log_gamma(q: Ball) -> Ball:
    """log Gamma(x) for a real ball x > 0: the recurrence to x >= 40, then Stirling's series, whose error is at
    most its first omitted term."""
    if q.x <= q.r:
        raise Retry("log Gamma of a number that is not positive")
    product, shift = Ball(ONE), Ball(0)
    while q.x - q.r < 40 * ONE:
        product, q = product * q, q + Ball(ONE)
        if product.x > ONE << 64:
            shift, product = shift + product.log(), Ball(ONE)
    inverse = q.inverse()
    square, power = inverse * inverse, inverse
    out = (q - number(HALF)) * q.log() - q + (PI_BALL + PI_BALL).log().scaled(HALF) - shift - product.log()
    for m in range(2, 50, 2):
        out, power = out + power.scaled(_B[m] / (m * (m - 1))), power * square
    return out.widened(up(abs(_B[50].numerator) * power.mag(), _B[50].denominator * 50 * 49) + 1)
