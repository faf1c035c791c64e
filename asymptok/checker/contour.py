"""The analytic work, independent of the dimension: where the kernel is analytic, its terms at the ends, and the
bounds of what is left on the two slits and on the curve Im(theta) = h.

If N is analytic in a bounded domain, continuous up to its boundary, and N(boundary) misses a closed ray that goes to
infinity, then N(domain) misses it. So the branches are tested on circles, whose discs cover the slits, and on the
curve; these discs and the rectangle (0, pi) x (-h, h), whose lower half is the mirror image, are then free of cuts.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import NamedTuple

from .balls import ONE, Ball, Jet, P, Retry, number, pi_ball, up
from .kernel import Kernel, Unsupported, local, strip

__all__ = ["Bound", "Contour", "Disc", "Refuted", "sine", "slit_length"]

POINTS = 256
TERMS = 160
SHIFTED = 12


class Refuted(ValueError):
    """A claim of the certificate could not be confirmed."""


class Bound(NamedTuple):
    """|Im R| <= slit[end] x^beta on the slits and (1/pi) int |R sin| <= curve on Im(theta) = height, where R is the
    kernel without its terms below beta."""

    beta: Fraction
    slit: tuple[Fraction, Fraction]
    curve: Fraction
    height: Fraction


def units(q: Fraction) -> int:
    """q in units, rounded up."""
    return up(q.numerator << P, q.denominator)


def sine(q: Fraction) -> Ball:
    """sin(pi q)."""
    if q.denominator == 1:
        return Ball(0)
    value = pi_ball.scaled(q % 2).turned().exp()
    return Ball(value.y, 0, value.r)


def slit_length(height: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of cosh h - 1."""
    return ((number(height).exp() + number(-height).exp()).scaled(Fraction(1, 2)) - Ball(ONE)).interval()


def cover(
    what: str, a: Fraction, b: Fraction, pieces: int, test: Callable[[Fraction, Fraction], None]
) -> None:
    """Apply the test to pieces (centre, half-width) that cover [a, b], halving those that fail."""
    half = (b - a) / (2 * pieces)
    stack = [(a + (2 * i + 1) * half, half) for i in range(pieces)]
    least, budget = (b - a) / 2**18, 40 * pieces + 4000
    while stack:
        centre, half = stack.pop()
        budget -= 1
        try:
            test(centre, half)
        except Retry as error:
            if half < least or budget < 0:
                raise Refuted(f"{what}: {error} near {float(centre):.6g}") from None
            stack += [(centre - half / 2, half / 2), (centre + half / 2, half / 2)]


class Disc:
    """|sigma - c w| <= r, w = e^(-i pi/q), t = sigma^q at the end: tested, with the Taylor coefficients of the kernel
    there; on the slit, sigma = y w and x = y^q, it answers for low <= y <= high."""

    def __init__(
        self,
        kernel: Kernel,
        end: int,
        q: int,
        circle: tuple[Fraction, Fraction],
        low: Fraction,
        high: Fraction,
    ) -> None:
        self.kernel, self.end, self.q, self.low, self.high = kernel, end, q, low, high
        self.c, self.r = circle
        self.turn = pi_ball.scaled(Fraction(-1, q)).turned().exp()
        self.reach = max(high - self.c, self.c - low)
        if self.reach > self.r * Fraction(9, 10):
            raise Refuted(f"a disc at u = {1 - 2 * end} does not reach as far as it claims")
        self.r = min(self.r, self.reach * Fraction(10, 7))  # a smaller circle is easier, and wide enough
        self.size = self._test()
        self.terms = self._taylor()

    def _at(self, offset: Ball, rho: int = 0) -> Jet:
        """The kernel at sigma = w (c + offset)."""
        point = self.turn * (number(self.c) + offset) if self.c else offset
        jet = Jet(Ball(point.x, point.y), Ball(ONE), rho + point.r) if rho else Jet(point)
        return self.kernel.at(local(self.end, jet, self.q))

    def _test(self) -> int:
        """Test the branches on the circle; a bound of the kernel in the disc, in units."""
        size, r = 0, number(self.r)

        def test(centre: Fraction, half: Fraction) -> None:
            nonlocal size
            value = self._at(
                pi_ball.scaled(centre).turned().exp() * r, units(self.r * half * Fraction(22, 7))
            )
            size = max(size, value.v.mag())

        # a disc around 0 and its values are symmetric
        name = f"the disc around {float(self.c):g} at u = {1 - 2 * self.end}"
        cover(name, Fraction(0), Fraction(2 if self.c else 1), 96 if self.c else 48, test)
        return size

    def _taylor(self) -> list[Ball]:
        """Coefficients in (sigma/w - c), in sigma if c = 0: the trapezoidal rule on the circle of half the radius. Its
        aliasing error is the sum of a_(j+nP) (r/2)^nP, n >= 1, at most 2 M r^-j 2^-P by Cauchy."""
        turn = [pi_ball.scaled(Fraction(2 * m, POINTS)).turned().exp() for m in range(POINTS)]
        half = number(self.r / 2)
        values = [self._at(z * half).c for z in turn[: POINTS if self.c else POINTS // 2 + 1]]
        for m in range(len(values), POINTS):
            mirror = values[POINTS - m]
            values.append(Ball(mirror.x, -mirror.y, mirror.r))
        out, scale = [], Ball(ONE).scaled(Fraction(1, POINTS))
        for j in range(TERMS):
            total = Ball(0)
            for m, value in enumerate(values):
                total = total + value * turn[-j * m % POINTS]
            error = up(2 * self.size * (1 / self.r**j).__ceil__(), 2**POINTS)
            coefficient = (total * scale).widened(error)
            out.append(coefficient if self.c else self._exact(j, coefficient.real()))
            scale = scale.scaled(2 / self.r)
        return out

    def _exact(self, j: int, value: Ball) -> Ball:
        """Exactly 0 where the series at the end has no such power of s = sigma^(q/2)."""
        series = self.kernel.series[self.kernel.root][self.end]
        e = Fraction(2 * j, self.q)
        return Ball(0) if e < series.known and e not in series.terms else value

    def slit(self, coefficients: list[Ball], beta: Fraction, bound: Fraction) -> None:
        """|Im R| <= bound y^(q beta), coefficients[j] being those of sigma^j that are subtracted."""
        if self.q == 1:
            return  # the kernel is real on the whole slit
        # around c the terms are sigma^n = w^n sum_j binom(n, j) c^(n-j) (y-c)^j; around 0 they are left out
        rest = list(self.terms)
        power = [Ball(ONE)]
        for _ in range(len(coefficients)):
            power.append(power[-1] * self.turn)
        if self.c:
            for n, a in enumerate(coefficients):
                for j in range(n + 1):
                    rest[j] = rest[j] - (a * power[n]).scaled(comb(n, j) * self.c ** (n - j))
            imaginary = [Ball(a.y, 0, a.r) for a in rest]
            lowest = Fraction(0)
        else:
            kept = [a * sine(Fraction(j, self.q)) for j, a in enumerate(rest)]
            first = (self.q * beta).__ceil__()
            imaginary, lowest = kept[first:], Fraction(first)
        ratio = self.reach / self.r
        tail = units(
            ratio ** (TERMS - lowest.numerator)
            / (1 - ratio)
            / self.r**lowest.numerator
            * Fraction(self.size, ONE)
        )

        whole = sum((a.mag() * self.r**j).__ceil__() for j, a in enumerate(imaginary))
        room = self.r - self.reach

        def test(centre: Fraction, half: Fraction) -> None:
            # around the centre of the piece: |f^(n)|/n! <= whole/room^n by Cauchy, and the first ones are computed
            if half * 2 > room:
                raise Retry("a piece of the slit is long")
            size = tail + units(Fraction(whole, ONE) * (half / room) ** SHIFTED / (1 - half / room))
            row, y = imaginary, number(centre - self.c)
            for n in range(min(SHIFTED, len(imaginary))):
                total, quotient = Ball(0), []
                for a in reversed(row):
                    total = total * y + a
                    quotient.append(total)
                row = quotient[-2::-1]
                size += (total.mag() * half**n).__ceil__()
            power = self.q * beta - lowest
            base = number(centre - half) if power >= 0 else number(centre + half)
            allowed = number(bound) * (base.power(power) if power else Ball(ONE))
            if size > allowed.x - allowed.r:
                raise Retry(f"the bound on the slit, beta = {beta}, does not hold")

        cover(f"the slit at u = {1 - 2 * self.end}", self.low, self.high, 16, test)


class Contour:
    """The kernel on the boundary of the strip and in the discs that cover the slits. An end without discs is one where
    the kernel is analytic in t: there is no slit, and nothing to be tested inside of the curve."""

    def __init__(self, kernel: Kernel, height: Fraction, discs: tuple[list[Disc], list[Disc]]) -> None:
        self.kernel, self.discs = kernel, discs
        self.sizes: dict[Fraction, int] = {}  # height -> a bound of the kernel in that part of the strip
        longest = slit_length(height)[1]
        for end, pair in enumerate(discs):
            if not pair and kernel.grid(end) == 1:
                continue
            gaps = any(a.high != b.low for a, b in pairwise(pair))
            if not pair or pair[0].c or pair[0].low or gaps or pair[-1].high ** pair[-1].q < longest:
                raise Refuted("the discs do not cover the slits up to the curve")

    def coefficient(self, end: int, exponent: Fraction) -> Ball:
        """The coefficient of t^exponent."""
        if not self.discs[end]:
            return Ball(0)
        disc = self.discs[end][0]
        j = disc.q * exponent
        if j.denominator != 1:
            return Ball(0)
        if j >= TERMS // 2:
            raise Unsupported(f"a term t^{exponent}: too many terms come before it")
        return disc.terms[int(j)]

    def exponents(self, end: int, beta: Fraction) -> list[Fraction]:
        """The exponents below beta, not integers, that can occur at the end."""
        q = self.discs[end][0].q if self.discs[end] else 1
        every = [Fraction(j, q) for j in range((beta * q).__ceil__())]
        return [e for e in every if e.denominator != 1 and self.coefficient(end, e).mag() > 1]

    def verify(self, bounds: list[Bound]) -> None:
        if any(bound.beta <= 0 for bound in bounds) and any(self.discs):
            raise Refuted("a bound without terms for a kernel that is not analytic at the ends")
        for bound in bounds:
            for end, pair in enumerate(self.discs):
                q = pair[0].q if pair else 1
                subtracted = [
                    Ball(0) if j % q == 0 else self.coefficient(end, Fraction(j, q))
                    for j in range((bound.beta * q).__ceil__())
                ]
                for disc in pair:
                    disc.slit(subtracted, bound.beta, bound.slit[end])
        for height in {bound.height for bound in bounds}:
            self._curve(height, [bound for bound in bounds if bound.height == height])

    def _curve(self, height: Fraction, bounds: list[Bound]) -> None:
        """Test the branches on Im(theta) = h; the integral of |R sin| as a sum of width times supremum."""
        pieces, size = 128, max((disc.size for pair in self.discs for disc in pair), default=0)
        chosen = [[(end, e) for end in (0, 1) for e in self.exponents(end, bound.beta)] for bound in bounds]
        every = {key for keys in chosen for key in keys}
        while True:
            total = [0] * len(bounds)

            def test(centre: Fraction, half: Fraction, total: list[int] = total) -> None:
                nonlocal size
                point = pi_ball.scaled(centre) + number(height).turned()
                base = strip(Jet(Ball(point.x, point.y), Ball(ONE), units(half * Fraction(22, 7)) + point.r))
                value = self.kernel.at(base)
                parts = {
                    key: base.root_power(key[0], 2 * key[1]) * Jet(self.coefficient(*key)) for key in every
                }
                size = max(size, value.v.mag())
                sin = (base.roots[0] * base.roots[1]).v.mag()
                for n, keys in enumerate(chosen):
                    rest = value
                    for key in keys:
                        rest = rest - parts[key]
                    total[n] += up(rest.v.mag() * sin * 2 * units(half), ONE * ONE)

            cover("the curve", Fraction(0), Fraction(1), pieces, test)
            bad = [n for n, bound in enumerate(bounds) if total[n] > int(bound.curve * ONE)]
            if not bad:
                self.sizes[height] = size
                return
            pieces *= 2
            if pieces > 1024:
                raise Refuted(f"the integral over the curve, beta = {bounds[bad[0]].beta}, exceeds its bound")
