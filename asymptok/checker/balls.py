"""Discs in the complex plane with integer centres and radii, in units of 2^-P, and first-order models over a disc.

Every operation returns a disc that contains all values over its operands: centres are cut to integers and the
error, at most one unit for each cut, goes into the radius. Nothing but integer arithmetic is trusted.
"""

from __future__ import annotations

from fractions import Fraction
from math import atan2, frexp, hypot, isqrt, log

__all__ = ["ONE", "Ball", "Jet", "P", "Retry", "gamma_log", "number", "pi_ball"]

P = 192
ONE = 1 << P


class Retry(ArithmeticError):
    """A disc meets a branch cut or a pole, or is too wide: smaller pieces may do."""


def up(a: int, b: int) -> int:
    """a/b rounded up, b > 0."""
    return -(-a // b)


class Ball:
    """All z with |z - (x + iy)/2^P| <= r/2^P."""

    __slots__ = ("r", "x", "y")

    def __init__(self, x: int, y: int = 0, r: int = 0) -> None:
        self.x, self.y, self.r = x, y, r

    def mag(self) -> int:
        """An upper bound of |z|, in units."""
        return isqrt(self.x * self.x + self.y * self.y) + 1 + self.r

    def low(self) -> int:
        """A lower bound of |z|, in units, at least 0."""
        return max(isqrt(self.x * self.x + self.y * self.y) - self.r, 0)

    def __add__(self, other: Ball) -> Ball:
        return Ball(self.x + other.x, self.y + other.y, self.r + other.r)

    def __sub__(self, other: Ball) -> Ball:
        return Ball(self.x - other.x, self.y - other.y, self.r + other.r)

    def __neg__(self) -> Ball:
        return Ball(-self.x, -self.y, self.r)

    def __mul__(self, other: Ball) -> Ball:
        a, b, c, d = self.x, self.y, other.x, other.y
        r = 2
        if self.r or other.r:
            r += up((isqrt(a * a + b * b) + 1) * other.r + (isqrt(c * c + d * d) + 1 + other.r) * self.r, ONE)
        if b == 0 and d == 0:
            return Ball((a * c) >> P, 0, r)
        return Ball((a * c - b * d) >> P, (a * d + b * c) >> P, r)

    def scaled(self, q: Fraction | int) -> Ball:
        """q z for an exact rational q."""
        q = Fraction(q)
        n, m = q.numerator, q.denominator
        return Ball(self.x * n // m, self.y * n // m, up(self.r * abs(n), m) + 2)

    def turned(self) -> Ball:
        """i z."""
        return Ball(-self.y, self.x, self.r)

    def widened(self, r: int) -> Ball:
        return Ball(self.x, self.y, self.r + r)

    def real(self) -> Ball:
        """The real part, as a real interval."""
        return Ball(self.x, 0, self.r)

    def interval(self) -> tuple[Fraction, Fraction]:
        """Bounds of the real part."""
        return Fraction(self.x - self.r, ONE), Fraction(self.x + self.r, ONE)

    def off_cut(self) -> None:
        """Raise unless the disc misses the ray (-oo, 0]."""
        if not (abs(self.y) > self.r or (self.x > 0 and self.low() > 0)):
            raise Retry("a disc meets the branch cut")

    def relative(self) -> tuple[int, int]:
        """(|centre| rounded down, q = radius/|centre| rounded up); the disc must miss 0."""
        size = isqrt(self.x * self.x + self.y * self.y)
        if size <= self.r:
            raise Retry("a disc contains 0")
        return size, up(self.r << P, size)

    def inverse(self) -> Ball:
        size, _ = self.relative()
        norm = self.x * self.x + self.y * self.y
        r = up(self.r << 2 * P, size * (size - self.r))
        return Ball((self.x << 2 * P) // norm, -(self.y << 2 * P) // norm, r + 2)

    def exp(self) -> Ball:
        if self.r > ONE or abs(self.x) > 4096 * ONE or abs(self.y) > 4096 * ONE:
            raise Retry("exp of a wide disc or of a large number")
        m = max((abs(self.x) + abs(self.y)).bit_length() - P, 0) + 16
        w = (
            P + 2 * m + 16 + max(self.x, 0) * 3 // (2 * ONE)
        )  # guard bits: the squarings lose m of them and log2|e^z|
        x, y = self.x << (w - P - m), self.y << (w - P - m)  # |x + iy| <= 2^-15, in units of 2^-w
        a, b, sx, sy, n = 1 << w, 0, 1 << w, 0, 0
        while a or b:  # at most w/15 terms; each is cut by less than two units, the tail is below two units
            n += 1
            a, b = ((a * x - b * y) >> w) // n, ((a * y + b * x) >> w) // n
            sx, sy = sx + a, sy + b
            if -2 <= a <= 1 and -2 <= b <= 1:
                break
        e = 8 * n + 16
        for _ in range(m):
            e = up(2 * (abs(sx) + abs(sy) + e) * e, 1 << w) + 2
            sx, sy = (sx * sx - sy * sy) >> w, (2 * sx * sy) >> w
        size = (abs(sx) + abs(sy) + e) >> (w - P)
        size = (isqrt(sx * sx + sy * sy) + e >> (w - P)) + 1
        r = up(size * (self.r * ONE + self.r * self.r), ONE * ONE)  # e^r - 1 <= r + r^2 for r <= 1
        return Ball(sx >> (w - P), sy >> (w - P), r + (e >> (w - P)) + 3)

    def log(self) -> Ball:
        """The principal logarithm; the disc must miss (-oo, 0]."""
        self.off_cut()
        s = max(abs(self.x), abs(self.y)).bit_length() - 60
        fx, fy = float(self.x >> s if s > 0 else self.x << -s), float(self.y >> s if s > 0 else self.y << -s)
        mantissa, power = frexp(hypot(fx, fy))
        guess = Ball(
            int((log(mantissa) + (power + s - P) * log(2.0)) * 2.0**60) << (P - 60),
            int(atan2(fy, fx) * 2.0**60) << (P - 60),
        )
        centre = Ball(self.x, self.y)
        for _ in range(
            2
        ):  # log c = g + log(1 + v), v = c e^-g - 1; |log(1+v) - v + v^2/2| <= |v|^3 for |v| <= 1/2
            v = centre * (-guess).exp() - Ball(ONE)
            if v.mag() > ONE >> 8:
                raise Retry("the logarithm of a number too small for the precision")
            step = v - (v * v).scaled(Fraction(1, 2))
            guess = guess + step.widened(up(v.mag() ** 3, ONE * ONE))
            error, guess = guess.r, Ball(guess.x, guess.y)
        return guess.widened(error + (self.log_spread() if self.r else 0))

    def log_spread(self) -> int:
        """|log z - log(centre)| on the disc, at most -log(1 - q) <= q + q^2/(2(1-q)), q = radius/|centre|."""
        _, q = self.relative()
        if q >= ONE:
            raise Retry("the logarithm of a wide disc")
        return q + up(q * q, 2 * (ONE - q))

    def sqrt(self) -> Ball:
        """The principal square root; the disc must miss (-oo, 0]."""
        self.off_cut()
        size, q = self.relative()
        if self.x >= 0:
            a = isqrt((size + self.x) << (P - 1))
            b = (self.y << (P - 1)) // a
        else:
            b = isqrt((size - self.x) << (P - 1)) * (1 if self.y > 0 else -1)
            a = (self.y << (P - 1)) // b
        rest = Ball(self.x, self.y) - Ball(a, b) * Ball(
            a, b
        )  # sqrt c = g + (c - g^2)/(sqrt c + g), |sqrt c + g| >= |g|
        g = isqrt(a * a + b * b)
        r = up(up((g + 1) * (q + up(q * q, ONE)), 2), ONE)  # |sqrt(1+w) - 1| <= q/2 + q^2/2 for |w| <= q <= 1
        return Ball(a, b, up(rest.mag() << P, g) + (r if self.r else 0) + 1)

    def power(self, q: Fraction) -> Ball:
        """z^q for a rational q: exactly for integers, principal otherwise."""
        if q.denominator == 2 and abs(q.numerator) < 64:
            return self.sqrt().power(Fraction(q.numerator))
        if q.denominator != 1:
            return self.log().scaled(q).exp()
        n, base, out = abs(q.numerator), self, Ball(ONE)
        while n:
            if n & 1:
                out = out * base
            n >>= 1
            if n:
                base = base * base
        return out.inverse() if q < 0 else out


def number(q: Fraction | int) -> Ball:
    """A ball around a rational number."""
    return Ball(ONE).scaled(q)


def _arctan_inverse(n: int, w: int) -> int:
    total, term, j = 0, (1 << w) // n, 0
    while term:
        total += (-1) ** j * (term // (2 * j + 1))
        term //= n * n
        j += 1
    return total


# Machin; fewer than 200 terms with an error of at most two units each, times 20, are far below 2^64 units of 2^-(P+64)
pi_ball = Ball((16 * _arctan_inverse(5, P + 64) - 4 * _arctan_inverse(239, P + 64)) >> 64, 0, 2)


def _bernoulli(n: int) -> list[Fraction]:
    out = [Fraction(1)]
    for m in range(1, n + 1):
        binomial, total = 1, Fraction(0)
        for j in range(m):
            total += binomial * out[j]
            binomial = binomial * (m + 1 - j) // (j + 1)
        out.append(-total / (m + 1))
    return out


_B = _bernoulli(50)


def gamma_log(q: Ball) -> Ball:
    """log Gamma(x) for a real ball x > 0: the recurrence to x >= 40, then Stirling's series, whose error is at
    most its first omitted term."""
    if q.x <= q.r:
        raise Retry("log Gamma of a number that is not positive")
    product = Ball(ONE)
    shift = Ball(0)
    while q.x - q.r < 40 * ONE:
        product, q = product * q, q + Ball(ONE)
        if product.x > ONE << 64:
            shift, product = shift + product.log(), Ball(ONE)
    shift = shift + product.log()
    inverse = q.inverse()
    square, power = inverse * inverse, inverse
    half_log = (pi_ball + pi_ball).log().scaled(Fraction(1, 2))
    out = (q - number(Fraction(1, 2))) * q.log() - q + half_log - shift
    for m in range(2, 50, 2):
        out, power = out + power.scaled(_B[m] / (m * (m - 1))), power * square
    return out.widened(up(abs(_B[50].numerator) * power.mag(), _B[50].denominator * 50 * 49) + 1)


class Jet:
    """A function on the disc |z - z0| <= rho: its value c at z0, an enclosure d of its derivative on the disc, and a
    disc v of all its values, the smaller one of the mean-value form and of what the operation itself gives. Without d
    the disc is the point z0."""

    __slots__ = ("c", "d", "rho", "v")

    def __init__(self, c: Ball, d: Ball | None = None, rho: int = 0, direct: Ball | None = None) -> None:
        self.c, self.d, self.rho, self.v = c, d, rho, c
        if d is not None:
            r = c.r + up(d.mag() * rho, ONE) + 1
            if direct is not None:
                r = min(r, direct.r + abs(direct.x - c.x) + abs(direct.y - c.y))
            self.v = Ball(c.x, c.y, r)

    def __add__(self, other: Jet) -> Jet:
        if self.d is None or other.d is None:
            return Jet(self.c + other.c, self.d or other.d, self.rho or other.rho, self.v + other.v)
        return Jet(self.c + other.c, self.d + other.d, self.rho, self.v + other.v)

    def __sub__(self, other: Jet) -> Jet:
        return self + other.scaled(-1)

    def __mul__(self, other: Jet) -> Jet:
        if self.d is None and other.d is None:
            return Jet(self.c * other.c)
        a = self.d * other.v if self.d is not None else None
        b = other.d * self.v if other.d is not None else None
        d = a + b if a is not None and b is not None else a or b
        return Jet(self.c * other.c, d, self.rho or other.rho, self.v * other.v)

    def scaled(self, q: Fraction | int) -> Jet:
        return Jet(self.c.scaled(q), None if self.d is None else self.d.scaled(q), self.rho, self.v.scaled(q))

    def turned(self) -> Jet:
        return Jet(self.c.turned(), None if self.d is None else self.d.turned(), self.rho, self.v.turned())

    def exp(self) -> Jet:
        if self.d is None:
            return Jet(self.c.exp())
        v = self.v.exp()
        return Jet(self.c.exp(), self.d * v, self.rho, v)

    def log(self) -> Jet:
        c = self.c.log()
        if self.d is None:
            return Jet(c)
        self.v.off_cut()
        return Jet(c, self.d * self.v.inverse(), self.rho, c.widened(self.v.log_spread()))

    def power(self, q: Fraction) -> Jet:
        if q == 0:
            return Jet(Ball(ONE))
        if self.d is None:
            return Jet(self.c.power(q))
        if q.denominator != 1:
            self.v.off_cut()
        v = self.v.power(q)
        derivative = v * self.v.inverse() if q.denominator != 1 else self.v.power(q - 1)
        return Jet(self.c.power(q), self.d * derivative.scaled(q), self.rho, v)
