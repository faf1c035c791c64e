"""A function near a point as a finite sum with a proved rest:

    f = sum of c_(e,j) z^e (log z)^j + rho,   |rho| <= B |z|^E   for 0 < |z| <= r, |arg z| <= pi.

At an end of the interval z = t = 1 -+ u and the exponents are any real numbers; around other points z is a shift of
theta and they are 0, 1, 2, ... Sums, products and power series of models are models, and so is z^p (c + ...)^q.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, cached_property
from math import factorial, isqrt

from .balls import ONE, Ball, Retry, number, up
from .exact import Exact, Number

__all__ = ["Frame", "Model", "Unsupported"]

Key = tuple[Number, int]
KEPT = 4  # coefficients below this exponent are known exactly, where they are in the ring
MOST = 150  # terms of a power series
ROOM = Fraction(1, 8)  # |log z| is weighed against this power of z


class Unsupported(ValueError):
    """The certificate is about something that this program cannot verify."""


@cache
def _binomials(q: int | Fraction) -> list[Fraction]:
    out = [Fraction(1)]
    for n in range(MOST + 1):
        out.append(out[-1] * (q - n) / (n + 1))
    return out


class Frame:
    """The disc |z| <= radius, terms below `order`; at an end (not regular) it is cut along (-oo, 0]."""

    def __init__(self, radius: Fraction, order: Number, regular: bool) -> None:
        self.radius, self.order, self.regular = radius, order, regular
        self.weights: dict[Key, int] = {}

    def weight(self, a: Number, j: int = 0) -> int:
        """An upper bound of |z|^a |log z|^j, in units."""
        if (a, j) not in self.weights:
            self.weights[a, j] = self._weight(a, j)
        return self.weights[a, j]

    def _weight(self, a: Number, j: int) -> int:
        if a < 0 or (a == 0 and j) or (j and self.radius > 1):
            raise Unsupported("a function that grows too fast at an end")
        if not isinstance(a, Exact) and a.denominator == 1:
            size = up(self.radius.numerator ** int(a) * ONE, self.radius.denominator ** int(a))
        else:
            size = number(self.radius).power(a).mag()
        if not j:
            return size
        # |log z| <= pi - log|z|, and b = a/j: x^b (pi - log x) increases up to its maximum e^(pi b - 1)/b
        b = number(a).scaled(Fraction(1, j))
        log = number(self.radius).log()
        here = (b * log).exp() * (number(Fraction(22, 7)) - log)
        peak = (b.scaled(Fraction(22, 7)) - Ball(ONE)).exp() * b.inverse()
        return up(max(here.mag(), peak.mag()) ** j, ONE ** (j - 1))


class Model:
    def __init__(
        self, frame: Frame, terms: dict[Key, Ball], rest: int = 0, order: Number | None = None
    ) -> None:
        self.frame, self.rest, self.order = frame, rest, frame.order if order is None else order
        self.terms = {}
        for key, c in terms.items():
            if c.exact != 0:
                if c.exact is not None and key[0] >= KEPT:
                    c = Ball(c.x, c.y, c.r)
                self.terms[key] = c

    @cached_property
    def sizes(self) -> list[tuple[Number, int, Ball, int]]:
        return [(e, j, c, c.mag()) for (e, j), c in self.terms.items()]

    @property
    def degree(self) -> int:
        """The number of terms in a regular frame."""
        assert not isinstance(self.order, Exact)
        return self.order.__ceil__()

    @cached_property
    def low(self) -> Number:
        """f = O(z^low)."""
        least = self.order
        for e, j in self.terms:
            least = min(least, e - ROOM if j else e)
        return least

    def size(self, low: Number) -> int:
        """An upper bound of |f z^-low|, in units."""
        weight = self.frame.weight
        total = sum(size * weight(e - low, j) for e, j, _, size in self.sizes)
        return up(total + self.rest * weight(self.order - low), ONE)

    @cached_property
    def norm(self) -> int:
        return self.size(self.low)

    def __add__(self, other: Model) -> Model:
        order = min(self.order, other.order)
        terms = dict(self.terms)
        for key, c in other.terms.items():
            terms[key] = terms[key] + c if key in terms else c
        weight = self.frame.weight
        rest = self.rest * weight(self.order - order) + other.rest * weight(other.order - order)
        for e, j in [*terms]:
            if e >= order + (ROOM if j else 0):
                rest += terms.pop((e, j)).mag() * weight(e - order, j)
        return Model(self.frame, terms, up(rest, ONE), order)

    def __sub__(self, other: Model) -> Model:
        return self + other.times(Ball(-ONE, exact=Fraction(-1)))

    def __mul__(self, other: Model) -> Model:
        order = min(self.order + other.low, other.order + self.low, self.frame.order)
        terms: dict[Key, Ball] = {}
        rest, weight = 0, self.frame.weight
        for a, i, c, m in self.sizes:
            for b, j, d, n in other.sizes:
                e, k = a + b, i + j
                if e < order or (k and e < order + ROOM):
                    terms[e, k] = terms[e, k] + c * d if (e, k) in terms else c * d
                else:
                    rest += up(m * n, ONE) * weight(e - order, k)
        for f, g in ((self, other), (other, self)):
            if f.rest:
                rest += up(f.rest * g.norm, ONE) * weight(f.order + g.low - order)
        return Model(self.frame, terms, up(rest, ONE), order)

    def times(self, c: Ball) -> Model:
        return Model(
            self.frame,
            {key: a * c for key, a in self.terms.items()},
            up(self.rest * c.mag(), ONE),
            self.order,
        )

    def shifted(self, p: Number) -> Model:
        """z^p f."""
        terms = {(e + p, j): c for (e, j), c in self.terms.items()}
        return Model(self.frame, terms, self.rest, self.order + p)

    def constant(self, c: Ball) -> Model:
        return Model(self.frame, {(0, 0): c})

    def without(self, key: Key) -> Model:
        terms = {other: c for other, c in self.terms.items() if other != key}
        return Model(self.frame, terms, self.rest, self.order)

    def compose(self, coefficient: Callable[[int], Fraction], growth: Callable[[int], Fraction]) -> Model:
        """sum_n a_n f^n for f = O(z^low), low > 0, where |a_(n+1)| <= growth(m) |a_n| for all n >= m."""
        if not self.terms and not self.rest:
            return self.constant(number(coefficient(0)))
        if self.low <= 0:
            raise Retry("a function does not vanish where it should")
        m = 1
        while self.low * m < self.order:
            m += 1
            if m > MOST:
                raise Unsupported("an exponent that is too small")
        size = up(self.norm * self.frame.weight(self.low), ONE)  # |f| on the disc
        if growth(m) * size >= ONE:
            raise Retry("a function is too large for its power series")
        block, powers = isqrt(m - 1) + 1, [self.constant(Ball(ONE, exact=Fraction(1)))]
        for _ in range(block):
            powers.append(powers[-1] * self)
        out: Model | None = None
        for start in reversed(range(0, m, block)):
            part = powers[0].times(number(coefficient(start)))
            for i in range(1, min(block, m - start)):
                part = part + powers[i].times(number(coefficient(start + i)))
            out = part if out is None else out * powers[block] + part
        assert out is not None
        tail = self.frame.weight(self.low * m - self.order)
        for _ in range(m):
            tail = up(tail * self.norm, ONE)
        rest = (tail * abs(coefficient(m)) / (1 - growth(m) * Fraction(size, ONE))).__ceil__()
        return out + Model(self.frame, {}, rest, self.order)

    def _lead(self) -> tuple[Number, Ball, Model]:
        """p, c and w of f = c z^p (1 + w)."""
        p = min((e for e, _ in self.terms), default=self.order)
        if (p, 0) not in self.terms or any(e == p and j for e, j in self.terms):
            raise Unsupported("a power or a logarithm of a function without a leading power at an end")
        c = self.terms[p, 0]
        if p and self.frame.regular:
            raise Retry("a function vanishes at a point of the strip")
        return p, c, self.without((p, 0)).shifted(-p).times(c.inverse())

    def _test(self, c: Ball, w: Model) -> None:
        """c (1 + w) misses (-oo, 0]."""
        c.widened(up(c.mag() * up(w.norm * w.frame.weight(w.low), ONE), ONE)).off_cut()

    def power(self, q: Number, opposite: bool = False) -> Model:
        """f^q; without f^-p z^p meeting (-oo, 0], or [0, oo) if opposite (for integers q only)."""
        if not isinstance(q, Exact) and q.denominator == 1 and q >= 0:
            out = self.constant(Ball(ONE, exact=Fraction(1)))
            for _ in range(int(q)):
                out = out * self
            return out
        p, c, w = self._lead()
        self._test(c.scaled(-1) if opposite else c, w)
        if isinstance(q, Exact):
            return w._log().times(number(q)).exp().times(c.power(q)).shifted(p * q)
        a, binomials = abs(Fraction(q)), _binomials(q)
        unit = w.compose(lambda n: binomials[n], lambda m: max((a + m) / (m + 1), Fraction(1)))
        return unit.times(c.power(q)).shifted(p * q)

    def _log(self) -> Model:
        """log(1 + f)."""
        return self.compose(lambda n: Fraction((-1) ** (n + 1), n or 1) * (n > 0), lambda m: Fraction(1))

    def log(self) -> Model:
        p, c, w = self._lead()
        self._test(c, w)
        out = w._log() + self.constant(c.log())
        return out + Model(self.frame, {(0, 1): number(p)}) if p else out

    def exp(self) -> Model:
        c = self.terms.get((0, 0), Ball(0, exact=Fraction(0)))
        unit = self.without((0, 0)).compose(lambda n: Fraction(1, factorial(n)), lambda m: Fraction(1, m + 1))
        return unit.times(c.exp())

    def imaginary_along(self, turn: Ball) -> Model:
        """Im f(turn v) as a model in a real v, in a regular frame."""
        terms: dict[Key, Ball] = {}
        power = Ball(ONE)
        for n in range(self.degree):
            if (n, 0) in self.terms:
                terms[n, 0] = (self.terms[n, 0] * power).imaginary()
            power = power * turn
        return Model(self.frame, terms, self.rest, self.order)

    def at(self, z: Ball) -> Ball:
        """The value in a regular frame, |z| <= radius."""
        total = Ball(0)
        for n in reversed(range(self.degree)):
            total = total * z + self.terms.get((n, 0), Ball(0))
        return total.widened(up(self.rest * self.frame.weight(self.order), ONE))
