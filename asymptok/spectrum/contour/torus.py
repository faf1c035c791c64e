"""Irrational exponents: kappa = F(sigma, tau) with t = sigma^q and tau = t^g, F analytic on a product of two discs.

The ray principle holds for a product of discs with tests on the torus |sigma| = r, |tau| = rho alone: for a fixed sigma
with |sigma| = r it gives all |tau| <= rho, and for each of these tau all |sigma| <= r. Cauchy's estimate on the torus
bounds the coefficients c_mn of sigma^m tau^n by M r^-m rho^-n, and the trapezoidal rule in both angles gives them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Any

from flint import acb, arb, fmpq
from sympy import Expr, Rational

from asymptok.balls import ball
from asymptok.functions.powers import integer_power
from asymptok.precision import flint_precision
from asymptok.spectrum.contour.curves import NotProved
from asymptok.spectrum.contour.program import Program
from asymptok.spectrum.contour.samples import ZERO, Exponent, Sample, Straddles, interval, principal_power
from asymptok.spectrum.local import Unproved

#: pieces in each angle to begin with, halvings, and pieces at most
_START, _DEEPEST, _MOST = 8, 8, 6000
_BOX_BITS = 64
#: how much wider than the slit the discs are
_WIDER = (fmpq(2), fmpq(8, 5), fmpq(7, 5))
_PIECES = 32
#: terms smaller than this share of the largest are bounded by their modulus
_SMALL = 2.0**-30


@dataclass(frozen=True, slots=True)
class Generators:
    """All exponents of t at an end are m/grid + n unit, m and n integers."""

    grid: int
    unit: Expr

    @staticmethod
    def of(exponents: set[Expr]) -> Generators:
        """Of the exponents that a program takes powers of t with; Unproved if one unit is not enough."""
        rationals, multiples, units = [1], [1], set()
        for exponent in exponents:
            a, rest = exponent.as_coeff_Add()
            rationals.append(int(a.q))
            if rest != 0:
                b, unit = rest.as_coeff_Mul()
                multiples.append(int(b.q))
                units.add(unit)
        if len(units) != 1:
            raise Unproved("exponents of t that are not multiples of one irrational number")
        return Generators(lcm(*rationals), units.pop() / lcm(*multiples))

    def split(self, exponent: Exponent) -> tuple[int, int]:
        """(m, n)."""
        if exponent.irrational is None:
            return exponent.p * self.grid // exponent.q, 0
        a, rest = exponent.irrational.as_coeff_Add()
        return int(a * self.grid), int(rest / self.unit)

    def exponent(self, m: int, n: int) -> Expr:
        return Rational(m, self.grid) + n * self.unit


@dataclass(slots=True)
class TorusSample(Sample):
    """A point or a box of (sigma, tau), taken as independent of each other."""

    at: int = 1
    generators: Generators | None = None
    sigma: Any = None
    tau: Any = None
    other: Any = None

    def _power(self, end: int, exponent: Exponent) -> Any:
        if end != self.at:
            return principal_power(self.other, exponent)
        assert self.generators is not None
        m, n = self.generators.split(exponent)
        if m < 0 or n < 0:
            raise Unproved("negative powers of t beside irrational ones")
        return integer_power(self.sigma, m) * integer_power(self.tau, n)

    def divided(self, value: Any, orders: tuple[Exponent, Exponent]) -> Any:
        """t^p divides N as a function of t; whether sigma^m tau^n does as a function of both is not known."""
        if orders[0 if self.at == 1 else 1] != ZERO:
            raise Unproved("a root or a logarithm of something that vanishes beside irrational exponents")
        return Sample.divided(self, value, orders)

    def log(self, end: int) -> Any:
        raise Unproved("logarithms beside irrational exponents")


def _sample(at: int, generators: Generators, sigma: Any, tau: Any, thin: bool) -> TorusSample:
    t = integer_power(sigma, generators.grid)
    return TorusSample(
        u=at * (1 - t), thin=thin, at=at, generators=generators, sigma=sigma, tau=tau, other=2 - t
    )


@dataclass(frozen=True)
class TorusSlit:
    """One end with irrational exponents: c_mn for m, n < points, |F| <= size on the torus, a slit up to x = length."""

    at: int
    generators: Generators
    length: fmpq
    radius: fmpq
    second: fmpq
    size: Any
    points: int
    table: list[list[Any]]

    @property
    def grid(self) -> int:
        """No root of t will do."""
        return 0

    @cached_property
    def ordered(self) -> list[tuple[float, Expr, Any]]:
        """(nu, exponent, coefficient) of all terms that leave something on the slit, ascending."""
        unit = float(ball(self.generators.unit, prec=64).mid())
        found = []
        for m in range(self.points):
            for n in range(self.points):
                if n or m % self.generators.grid:
                    found.append((m / self.generators.grid + n * unit, m, n))
        found.sort()
        return [(nu, self.generators.exponent(m, n), self.table[m][n]) for nu, m, n in found]

    def exponents(self, count: int) -> list[Expr]:
        return [exponent for _, exponent, _ in self.ordered[:count]]

    def coefficients(self, exponent: Expr) -> list[tuple[int, Any]]:
        return [(0, c) for _, e, c in self.ordered if e == exponent]

    def bound(self, beta: Expr) -> Any:
        """B with |Im R| <= B x^beta for 0 < x <= length: sum c sin(pi nu) x^(nu-beta) on short pieces, and the rest."""
        start, top = ball(beta), arb(self.length)
        terms = []
        for nu, exponent, c in self.ordered:
            if nu > float(start.mid()) - 1e-9:
                e = ball(exponent)
                terms.append((e - start if exponent != beta else arb(0), -c * e.sin_pi()))
        sizes = [abs(a) * top**e for e, a in terms]
        largest = max(float(s.upper()) for s in sizes)
        main = [t for t, s in zip(terms, sizes, strict=True) if float(s.upper()) > _SMALL * largest]
        rest = sum((s for s in sizes if float(s.upper()) <= _SMALL * largest), arb(0)) + self._rest(beta)
        best = arb(0)
        for low, high in _pieces(self.length):
            total = sum((a * _range(low, high, e) for e, a in main), arb(0))
            best = arb.max(best, abs(total).upper())
        return (best + rest).upper()

    def _rest(self, beta: Expr) -> Any:
        """A bound of what lies beyond the table, over x^beta; every exponent there is above beta."""
        x, start = arb(self.length), ball(beta)
        first = x ** (arb(1) / self.generators.grid) / arb(self.radius)
        second = x ** ball(self.generators.unit) / arb(self.second)
        lowest = min(
            float(self.points) / self.generators.grid, self.points * float(ball(self.generators.unit).mid())
        )
        if not lowest > float(start.mid()) + 1e-6:
            raise NotProved
        geometric = (first**self.points + second**self.points) / ((1 - first) * (1 - second))
        return self.size * geometric / x**start


def _pieces(length: fmpq) -> list[tuple[fmpq, fmpq]]:
    """Pieces of [0, length] that get shorter towards 0."""
    cuts = [length * fmpq(j * j, _PIECES * _PIECES) for j in range(_PIECES + 1)]
    return list(pairwise(cuts))


def _range(low: fmpq, high: fmpq, exponent: Any) -> Any:
    """x^e for low <= x <= high, e >= 0."""
    if exponent.is_zero():
        return arb(1)
    bottom = arb(low) ** exponent if low > 0 else arb(0)
    return bottom.union(arb(high) ** exponent)


def torus(program: Program, at: int, length: fmpq, points: int) -> TorusSlit:
    """The model of an end along the slit up to x = length; NotProved if no product of discs passes the tests."""
    generators = Generators.of(set(program.powers[0 if at == 1 else 1]))
    if not ball(generators.unit) > 0:
        raise Unproved("negative powers of t")
    x = arb(length)
    for wider in _WIDER:
        radii = [
            _above(x ** (arb(1) / generators.grid) * arb(wider)),
            _above(x ** ball(generators.unit) * arb(wider)),
        ]
        try:
            with flint_precision(_BOX_BITS):
                size = _largest(program, at, generators, radii)
        except NotProved:
            continue
        table = _coefficients(program, at, generators, radii, size, points)
        return TorusSlit(at, generators, length, radii[0], radii[1], size, points, table)
    raise NotProved


def _above(x: Any) -> fmpq:
    return fmpq(int((x * 1024).upper().ceil().unique_fmpz()) + 1, 1024)


def _largest(program: Program, at: int, generators: Generators, radii: list[fmpq]) -> Any:
    """max |F| on the torus, all tests passed on boxes that cover it; half of it is the mirror image of the other."""
    r, rho = (arb(x) for x in radii)
    step = fmpq(1, _START)
    stack = [
        (step * i, step * (i + 1), step * j, step * (j + 1), _DEEPEST)
        for i in range(_START)
        for j in range(-_START, _START)
    ]
    size, count = arb(0), 0
    while stack:
        a, b, c, e, left = stack.pop()
        count += 1
        sigma, tau = r * acb(interval(a, b)).exp_pi_i(), rho * acb(interval(c, e)).exp_pi_i()
        try:
            size = arb.max(size, program.run(_sample(at, generators, sigma, tau, thin=False)).abs_upper())
        except Straddles:
            if not left or count > _MOST:
                raise NotProved from None
            if b - a >= e - c:
                middle = (a + b) / 2
                stack += [(a, middle, c, e, left - 1), (middle, b, c, e, left - 1)]
            else:
                middle = (c + e) / 2
                stack += [(a, b, c, middle, left - 1), (a, b, middle, e, left - 1)]
    return size.upper()


def _coefficients(
    program: Program, at: int, generators: Generators, radii: list[fmpq], size: Any, points: int
) -> list[list[Any]]:
    """c_mn for m, n < points, with the aliasing error of the rule in both angles."""
    roots = [acb(arb(fmpq(2 * j, points))).exp_pi_i() for j in range(points)]
    halves = [arb(x) / 2 for x in radii]
    rows = []
    for j in range(points // 2 + 1):
        sigma = halves[0] * roots[j]
        values = [program.run(_sample(at, generators, sigma, halves[1] * root, thin=True)) for root in roots]
        rows.append(acb.dft(values))
    # F is real for real arguments: the row of the conjugate angle holds the conjugate coefficients
    rows += [[v.conjugate() for v in rows[points - j]] for j in range(len(rows), points)]
    # what the rule cannot tell apart: c_(m+iP, n+jP), (i, j) != (0, 0), weighs at most M r^-m rho^-n 2^(-P(i+j))
    alias = arb(2) ** -points
    alias = size * ((1 / (1 - alias)) ** 2 - 1)
    table: list[list[Any]] = [[None] * points for _ in range(points)]
    for n in range(points):
        column = acb.dft([row[n] for row in rows])
        for m in range(points):
            value = column[m].real / (points * points) / (halves[0] ** m * halves[1] ** n)
            error = alias / (arb(radii[0]) ** m * arb(radii[1]) ** n)
            table[m][n] = value + arb(0, error.upper())
    return table
