"""Functions with a proved rest, and their power series.

`Taylor`: on a disc theta = centre + step z, |z| <= 1, a polynomial in z. `End`: at an end of the interval, t = 1 -+ u,
a sum of c t^e (log t)^j with real exponents on 0 < |t| <= radius, |arg t| <= pi: both sides of the slit beyond the end
belong to it. Of both, f = z^p c (1 + w) with the leading term c z^p, there are sum a_n f^n, and with it f^q, log f and
exp f; the branches are the principal ones, so c (1 + w) must miss (-oo, 0].
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, cached_property
from math import factorial, isqrt
from typing import TypeVar

from .balls import HUGE, ONE, PI, Ball, P, Retry, rational, up
from .exact import (
    Coefficient,
    Form,
    Number,
    Unsupported,
    added,
    ball,
    enclosed,
    exponential,
    multiplied,
    raised,
    simple,
    whole,
)


class Taylor:
    """f = sum_n (x_n + i y_n) z^n + rho, |rho| <= rest, for |z| <= 1, in units of 2^-P; the x_n, y_n are exact."""

    def __init__(self, x: list[int], y: list[int], rest: int = 0) -> None:
        self.x, self.y, self.rest = x, y, rest

    @cached_property
    def size(self) -> int:
        """An upper bound of |f|."""
        pairs = zip(self.x, self.y, strict=True)
        return self.rest + sum(isqrt(a * a + b * b) + 1 for a, b in pairs if a or b)

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


Key = tuple[Number, int]
Terms = dict[Key, Coefficient]
KEPT = (
    4  # below this exponent coefficients are known exactly, where they are products of roots and powers of pi
)
ROOM = Fraction(1, 8)  # |log t| is weighed against this power of t


@cache
def weight(radius: Fraction, a: Number, j: int = 0) -> int:
    """An upper bound of |t|^a |log t|^j, in units: |log t| <= pi - log|t|, and x^b (pi - log x), b = a/j, increases up
    to its maximum e^(pi b - 1)/b."""
    if not a >= 0 or (a == 0 and j):
        raise Unsupported("a function that grows too fast at an end")
    if not j:
        return (rational(radius).log() * ball(a)).exp().mag()
    b, log = ball(a).scaled(Fraction(1, j)), rational(radius).log()
    here, peak = (b * log).exp() * (PI - log), (b * PI - Ball(ONE)).exp() * b.inverse()
    return up(max(here.mag(), peak.mag()) ** j, ONE ** (j - 1))


class End:
    """f = sum of terms[e, j] t^e (log t)^j + rho, |rho| <= rest |t|^order; terms from `cut` on are dropped."""

    def __init__(
        self, radius: Fraction, cut: Number, terms: Terms, rest: int = 0, order: Number | None = None
    ) -> None:
        self.radius, self.cut, self.rest, self.order = radius, cut, rest, cut if order is None else order
        if rest > HUGE:
            raise Retry("a number is too large")
        self.terms = Terms()
        for key, c in terms.items():
            if isinstance(c, Ball) or c != 0:  # nothing else is ever taken for 0
                self.terms[key] = c if isinstance(c, Ball) or (key[0] < KEPT and simple(c)) else ball(c)

    def _like(self, terms: Terms, rest: int = 0, order: Number | None = None) -> End:
        return End(self.radius, self.cut, terms, rest, order)

    def _weight(self, a: Number, j: int = 0) -> int:
        return weight(self.radius, a, j)

    @cached_property
    def _sizes(self) -> list[tuple[Number, int, Coefficient, int]]:
        return [(e, j, c, enclosed(c).mag()) for (e, j), c in self.terms.items()]

    @cached_property
    def low(self) -> Number:
        """f = O(t^low)."""
        return min([self.order, *(e - ROOM if j else e for e, j in self.terms)])

    @cached_property
    def norm(self) -> int:
        """An upper bound of |f t^-low|, in units."""
        total = sum(size * self._weight(e - self.low, j) for e, j, _, size in self._sizes)
        return up(total + self.rest * self._weight(self.order - self.low))

    @cached_property
    def size(self) -> int:
        """An upper bound of |f|."""
        return up(self.norm * self._weight(self.low))

    def constant(self, c: Coefficient) -> End:
        return self._like({(0, 0): c})

    def __add__(self, other: End) -> End:
        order = min(self.order, other.order)
        terms = dict(self.terms)
        for key, c in other.terms.items():
            terms[key] = added(terms.get(key, 0), c)
        rest = self.rest * self._weight(self.order - order) + other.rest * self._weight(other.order - order)
        for e, j in [*terms]:
            if e >= order + (ROOM if j else 0):
                rest += enclosed(terms.pop((e, j))).mag() * self._weight(e - order, j)
        return self._like(terms, up(rest), order)

    def __mul__(self, other: End) -> End:
        order = min(self.order + other.low, other.order + self.low, self.cut)
        terms, rest = Terms(), 0
        for a, i, c, m in self._sizes:
            for b, j, d, n in other._sizes:
                e, k = a + b, i + j
                if e < order + (ROOM if k else 0):
                    terms[e, k] = added(terms.get((e, k), 0), multiplied(c, d))
                else:
                    rest += up(m * n) * self._weight(e - order, k)
        for f, g in ((self, other), (other, self)):
            if f.rest:
                rest += up(f.rest * g.norm) * self._weight(f.order + g.low - order)
        return self._like(terms, up(rest), order)

    def times(self, c: Coefficient) -> End:
        terms = {key: multiplied(a, c) for key, a in self.terms.items()}
        return self._like(terms, up(self.rest * enclosed(c).mag()), self.order)

    def shifted(self, p: Number) -> End:
        """t^p f."""
        return self._like({(e + p, j): c for (e, j), c in self.terms.items()}, self.rest, self.order + p)

    def logarithm(self, p: Number) -> End:
        """p log t."""
        return self._like({(0, 1): p})

    def lead(self, p: Number | None = None) -> tuple[Number, Coefficient, End]:
        """p, c and f - c t^p for the leading term, or for that with the given exponent."""
        if p is None:
            p = min((e for e, _ in self.terms), default=self.order)
            if (p, 0) not in self.terms or any(e == p and j for e, j in self.terms):
                raise Unsupported("a power or a logarithm of a function without a leading power at an end")
        terms = {key: c for key, c in self.terms.items() if key != (p, 0)}
        return p, self.terms.get((p, 0), 0), self._like(terms, self.rest, self.order)

    def depth(self) -> int:
        """m, where f^m is no more than a rest if f vanishes at 0."""
        if self.low <= 0:
            raise Retry("a function does not vanish where it should")
        m = 1
        while self.low * m < self.order:
            m += 1
            if m > 150:
                raise Unsupported("an exponent that is too small")
        return m

    def tail(self, m: int, factor: Fraction) -> End:
        """Anything that is at most factor |f|^m."""
        value = self._weight(self.low * m - self.order)
        for _ in range(m):
            value = up(value * self.norm)
        return self._like({}, (value * factor).__ceil__(), self.order)


S = TypeVar("S", Taylor, End)


def compose(f: S, a: Callable[[int], Fraction], growth: Callable[[int], Fraction]) -> S:
    """sum_n a_n f^n for an f that vanishes at 0, where |a_(n+1)| <= growth(m) |a_n| for all n >= m."""
    m = f.depth()
    if growth(m) * f.size >= ONE:
        raise Retry("a function is too large for its power series")
    return _sum(f, m, a) + f.tail(m, abs(a(m)) / (1 - growth(m) * Fraction(f.size, ONE)))


def _sum(f: S, m: int, a: Callable[[int], Coefficient]) -> S:
    """sum_(n < m) a_n f^n."""
    block, powers = isqrt(m - 1) + 1, [f.constant(1)]
    for _ in range(block):
        powers.append(powers[-1] * f)
    out = f.constant(0)
    for start in reversed(range(0, m, block)):
        if start + block < m:
            out = out * powers[block]
        for i in range(min(block, m - start)):
            out = out + powers[i].times(a(start + i))
    return out


def entire(f: S, a: Callable[[int], Fraction], least: int = 1) -> S:
    """sum_n a_n f^n for every f, where |a_(n+1)/a_n| decreases for n >= least.

    Around c = f(0) the coefficients are b_j = sum_n binom(n, j) a_n c^(n-j). With R >= |c| + rho, rho >= 4 |f - c|, and
    A = sum |a_n| R^n, |b_j| <= A rho^-j, and terms that add 2 units to A, as those from n on do if |a_n| R^n is one and
    the quotients are at most 1/2, add 2 rho^-j to b_j.
    """
    _, c, w = f.lead(0)
    m = w.depth()
    if c == 0 and m >= least:
        return compose(w, a, lambda n: abs(a(n + 1) / a(n)))
    centre, rho = enclosed(c), 4 * w.size + ONE
    radius = 1 << ((centre.mag() + rho) >> P).bit_length()
    b: list[Ball] = []
    total = size = ONE  # of what is left out, and of the next term
    while len(b) < least or size > 1 or 2 * radius * abs(a(len(b) + 1)) > abs(a(len(b))):
        b.append(rational(a(len(b)) * radius ** len(b)))
        total, size = total + b[-1].mag(), (abs(a(len(b))) * radius ** len(b) * ONE).__ceil__()
        if len(b) > 400:
            raise Retry("the argument of an entire function is too large")
    b += [Ball(0)] * (m - len(b))
    for j in range(m):  # Horner's rule for the coefficients around c, all in units of the radius
        for n in reversed(range(j, len(b) - 1)):
            b[n] = b[n] + b[n + 1] * centre.scaled(Fraction(1, radius))
    near, ratio = w.times(Fraction(1, radius)), Fraction(radius * ONE, rho)
    out = _sum(near, m, lambda j: b[j].widened((2 * ratio**j).__ceil__()))
    return out + near.tail(m, Fraction(4 * total, 3 * ONE) * ratio**m)


def _unit(f: S, opposite: bool = False) -> tuple[Number, Coefficient, S]:
    """p, c and w, if c (1 + w) misses (-oo, 0], or [0, oo) if opposite."""
    p, c, rest = f.lead()
    centre, w = enclosed(c), rest.shifted(-p).times(raised(c, -1))
    (centre.scaled(-1) if opposite else centre).widened(up(centre.mag() * w.size)).off_cut()
    return p, c, w


def power(f: S, q: Number, opposite: bool = False) -> S:
    if not isinstance(q, Form) and whole(q) and q >= 0:
        if q < 2:
            return f if q == 1 else f.constant(1)
        root = power(f, Fraction(q // 2))
        return root * root * f if q % 2 else root * root
    p, c, w = _unit(f, opposite)
    if isinstance(q, Form):
        unit = exp(_log(w).times(q))
    else:
        binomial = binomials(Fraction(q))
        size = abs(binomial[1])
        unit = compose(w, lambda n: binomial[n], lambda m: max((size + m) / (m + 1), Fraction(1)))
    return unit.times(raised(c, q)).shifted(p * q)


@cache
def binomials(q: Fraction) -> list[Fraction]:
    out = [Fraction(1)]
    for n in range(420):
        out.append(out[-1] * (q - n) / (n + 1))
    return out


def _log(w: S) -> S:
    """log(1 + w)."""
    return compose(w, lambda n: Fraction((-1) ** (n + 1), n or 1) * (n > 0), lambda m: Fraction(1))


def log(f: S) -> S:
    p, c, w = _unit(f)
    out = _log(w) if c == 1 else _log(w) + f.constant(enclosed(c).log())
    return out + f.logarithm(p) if p != 0 else out


def exp(f: S) -> S:
    _, c, rest = f.lead(0)
    unit = compose(rest, lambda n: Fraction(1, factorial(n)), lambda m: Fraction(1, m + 1))
    return unit if c == 0 else unit.times(exponential(c))
