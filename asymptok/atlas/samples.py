"""Where a kernel is evaluated: a box or a point, with the powers of 1 - u and 1 + u that belong to it.

All branches of a certificate are fixed by two functions, (1-u)^p and (1+u)^p, which are positive on (-1, 1). A sample
knows them: in the strip u = cos(theta), 0 < Re theta < pi, as powers of sqrt(2) sin(theta/2) and sqrt(2) cos(theta/2),
which have positive real parts there; in the disc of the local variable sigma at an end, t = sigma^q, as whole powers of
sigma. Where both are defined they agree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from flint import acb, arb, fmpq
from sympy import Expr, Rational

from asymptok.atlas.local import Unproved
from asymptok.balls import ball
from asymptok.functions.cuts import off_negative_axis
from asymptok.functions.powers import integer_power


class Exponent(NamedTuple):
    """An exponent of t: p/q, or (q = 0) the number `irrational`. Quick to compare, unlike expressions."""

    p: int
    q: int
    irrational: Expr | None = None

    @staticmethod
    def of(value: Expr) -> Exponent:
        if isinstance(value, Rational):
            return Exponent(int(value.p), int(value.q))
        return Exponent(0, 0, value)

    def ball(self) -> arb:
        return arb(fmpq(self.p, self.q)) if self.irrational is None else ball(self.irrational)

    def doubled(self) -> Exponent:
        if self.irrational is not None:
            return Exponent(0, 0, 2 * self.irrational)
        return Exponent(2 * self.p, self.q) if self.q % 2 else Exponent(self.p, self.q // 2)


class Straddles(Exception):
    """An enclosure meets a branch cut, a zero or infinity: the box is too wide, or the claim is false."""


ZERO = Exponent(0, 1)


def principal_power(z: acb, exponent: Exponent) -> acb:
    """z^e for a ball off the negative axis."""
    if exponent.q == 1:
        if exponent.p < 0 and z.contains(0):
            raise Straddles
        return integer_power(z, exponent.p)
    if not off_negative_axis(z):
        raise Straddles
    if exponent.q == 2:
        return integer_power(z.sqrt(), exponent.p)
    return z.pow(acb(exponent.ball()))


@dataclass(slots=True, kw_only=True)
class Sample(ABC):
    """A box or a point: u there, and the two powers. `thin`: a point, where wide enclosures are not needed."""

    #: whether the tests are made on all of a domain, and not on its boundary alone
    filled: ClassVar[bool] = False

    u: acb
    thin: bool
    _known: dict[tuple[int, Exponent], acb] = field(default_factory=dict)

    def power(self, end: int, exponent: Exponent) -> acb:
        """(1-u)^e at end = 1, (1+u)^e at end = -1."""
        key = (end, exponent)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._power(end, exponent)
        return found

    def factor(self, orders: tuple[Exponent, Exponent]) -> acb:
        """(1-u)^p0 (1+u)^p1."""
        first, second = orders
        if second == ZERO:
            return self.power(1, first)
        return self.power(-1, second) if first == ZERO else self.power(1, first) * self.power(-1, second)

    def term(self, end: int, exponent: Exponent, log_power: int) -> acb:
        """t^e (log t)^j, t the distance from the end."""
        value = self.power(end, exponent)
        return value * self.log(end) ** log_power if log_power else value

    def divided(self, value: acb, orders: tuple[Exponent, Exponent]) -> acb:
        """N/((1-u)^p0 (1+u)^p1), for N that vanishes to these orders."""
        return value / self.factor(orders)

    @abstractmethod
    def _power(self, end: int, exponent: Exponent) -> acb: ...

    @abstractmethod
    def log(self, end: int) -> acb:
        """log(1-u) or log(1+u), real on (-1, 1)."""


@dataclass(slots=True, kw_only=True)
class StripSample(Sample):
    """theta in the closed strip 0 <= Re theta <= pi, away from the ends; `halves` are sqrt(1-u) and sqrt(1+u)."""

    halves: tuple[acb, acb]

    @staticmethod
    def of(theta: acb) -> StripSample:
        root = arb(2).sqrt()
        sine, cosine = _sine_cosine(theta / 2)
        _, whole = _sine_cosine(theta)
        thin = theta.is_exact()
        return StripSample(u=whole, thin=thin, halves=(root * sine, root * cosine))

    def _power(self, end: int, exponent: Exponent) -> acb:
        half = self.halves[0 if end == 1 else 1]
        return principal_power(half, exponent.doubled())

    def log(self, end: int) -> acb:
        half = self.halves[0 if end == 1 else 1]
        if not off_negative_axis(half):
            raise Straddles
        return 2 * half.log()


@dataclass(slots=True, kw_only=True)
class PlainSample(Sample):
    """A whole box of u that keeps off both rays beyond the ends, every branch the principal one.

    What passes all tests on it is analytic on the box itself, not only inside of a curve.
    """

    filled: ClassVar[bool] = True

    def _power(self, end: int, exponent: Exponent) -> acb:
        return principal_power(1 - end * self.u, exponent)

    def log(self, end: int) -> acb:
        if not off_negative_axis(1 - end * self.u):
            raise Straddles
        return (1 - end * self.u).log()


@dataclass(slots=True, kw_only=True)
class ChartSample(Sample):
    """theta(s) of a chart, also beyond the ends 0 and pi that it reaches: `halves` are sqrt(1-u) and sqrt(1+u) there.

    At an end that the chart reaches `roots` has r with half = r^p h, h without a zero: (1-u)^e = r^(2pe) h^(2e).
    """

    theta: acb
    slope: acb
    halves: tuple[acb, acb]
    roots: tuple[acb | None, acb | None]
    p: int

    @staticmethod
    def of(theta: acb, slope: acb, roots: tuple[acb | None, acb | None], p: int) -> ChartSample:
        root = arb(2).sqrt()
        sine, cosine = _sine_cosine(theta / 2)
        _, whole = _sine_cosine(theta)
        halves = (root * sine, root * cosine)
        return ChartSample(u=whole, thin=False, theta=theta, slope=slope, halves=halves, roots=roots, p=p)

    def divided(self, value: acb, orders: tuple[Exponent, Exponent]) -> acb:
        for end, order in zip((1, -1), orders, strict=True):
            if order != ZERO:
                self._unit(end)
        return value / self.factor(orders)

    def _unit(self, end: int) -> acb:
        """h, or sqrt(1 -+ u) itself where the end is not reached; Straddles where it may vanish in the chart."""
        at = 0 if end == 1 else 1
        half, root = self.halves[at], self.roots[at]
        unit = half if root is None else half / integer_power(root, self.p)
        if not off_negative_axis(unit):
            raise Straddles
        return unit

    def _power(self, end: int, exponent: Exponent) -> acb:
        at, twice = (0 if end == 1 else 1), exponent.doubled()
        if twice.q == 1 and twice.p >= 0:
            return integer_power(self.halves[at], twice.p)
        power, root = principal_power(self._unit(end), twice), self.roots[at]
        if root is None:
            return power
        if not twice.q or twice.p * self.p % twice.q:
            raise Unproved(f"t^({exponent}) is no whole power in the chart")
        return power * integer_power(root, twice.p * self.p // twice.q)

    def log(self, end: int) -> acb:
        if self.roots[0 if end == 1 else 1] is not None:
            raise Unproved("a logarithm is not analytic at its end")
        return 2 * self._unit(end).log()


@dataclass(slots=True, kw_only=True)
class DiscSample(Sample):
    """sigma near 0 with t = sigma^grid, t the distance from the end `at`."""

    at: int
    grid: int
    sigma: acb
    other: acb

    @staticmethod
    def of(sigma: acb, at: int, grid: int, *, thin: bool) -> DiscSample:
        t = integer_power(sigma, grid)
        return DiscSample(u=at * (1 - t), thin=thin, at=at, grid=grid, sigma=sigma, other=2 - t)

    def _power(self, end: int, exponent: Exponent) -> acb:
        if end != self.at:
            return principal_power(self.other, exponent)
        if not exponent.q or exponent.p * self.grid % exponent.q:
            raise ValueError(f"t^({exponent}) is no whole power of t^(1/{self.grid})")
        n = exponent.p * self.grid // exponent.q
        if n < 0 and self.sigma.contains(0):
            raise Straddles
        return integer_power(self.sigma, n)

    def log(self, end: int) -> acb:
        if end == self.at:
            raise ValueError("a logarithm is not analytic at its end")
        if not off_negative_axis(self.other):
            raise Straddles
        return self.other.log()


@dataclass(slots=True, kw_only=True)
class SectorSample(Sample):
    """t on the surface of log t next to the end `at`, away from 0: `logarithm` is log t."""

    at: int
    logarithm: acb
    other: acb

    @staticmethod
    def of(logarithm: acb, at: int) -> SectorSample:
        t = logarithm.exp()
        return SectorSample(u=at * (1 - t), thin=False, at=at, logarithm=logarithm, other=2 - t)

    def _power(self, end: int, exponent: Exponent) -> acb:
        if end != self.at:
            return principal_power(self.other, exponent)
        return (self.logarithm * exponent.ball()).exp()

    def log(self, end: int) -> acb:
        if end == self.at:
            return self.logarithm
        if not off_negative_axis(self.other):
            raise Straddles
        return self.other.log()


def _sine_cosine(z: acb) -> tuple[acb, acb]:
    """sin and cos of a box in mean value form."""
    sine, cosine = z.sin_cos()
    if z.is_exact():
        return sine, cosine
    middle = z.mid()
    sine_middle, cosine_middle = middle.sin_cos()
    step = z - middle
    return sine_middle + cosine * step, cosine_middle - sine * step


def interval(low: fmpq, high: fmpq) -> arb:
    """The ball around [low, high]."""
    return arb((low + high) / 2, (high - low) / 2)
