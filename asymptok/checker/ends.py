"""Functions at an end of the interval, t = 1 -+ u, as sums of c t^e (log t)^j with real exponents and a proved rest, on
0 < |t| <= radius, |arg t| <= pi: both sides of the slit beyond the end belong to it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, cached_property

from .balls import HUGE, ONE, PI, Ball, Retry, rational, up
from .exact import Coefficient, Number, Unsupported, added, ball, enclosed, multiplied, simple

Key = tuple[Number, int]
KEPT = (
    4  # coefficients below this exponent are known exactly, where they are products of roots and powers of pi
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
        self,
        radius: Fraction,
        cut: Number,
        terms: dict[Key, Coefficient],
        rest: int = 0,
        order: Number | None = None,
    ) -> None:
        self.radius, self.cut, self.rest, self.order = radius, cut, rest, cut if order is None else order
        if rest > HUGE:
            raise Retry("a number is too large")
        self.terms: dict[Key, Coefficient] = {}
        for key, c in terms.items():
            if isinstance(c, Ball):
                self.terms[key] = c
            elif c != 0:  # nothing else is ever taken for 0
                self.terms[key] = c if key[0] < KEPT and simple(c) else ball(c)

    def _like(self, terms: dict[Key, Coefficient], rest: int = 0, order: Number | None = None) -> End:
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
            terms[key] = added(terms[key], c) if key in terms else c
        rest = self.rest * self._weight(self.order - order) + other.rest * self._weight(other.order - order)
        for e, j in [*terms]:
            if e >= order + (ROOM if j else 0):
                rest += enclosed(terms.pop((e, j))).mag() * self._weight(e - order, j)
        return self._like(terms, up(rest), order)

    def __mul__(self, other: End) -> End:
        order = min(self.order + other.low, other.order + self.low, self.cut)
        terms: dict[Key, Coefficient] = {}
        rest = 0
        for a, i, c, m in self._sizes:
            for b, j, d, n in other._sizes:
                e, k = a + b, i + j
                if e < order or (k and e < order + ROOM):
                    terms[e, k] = (
                        added(terms[e, k], multiplied(c, d)) if (e, k) in terms else multiplied(c, d)
                    )
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
