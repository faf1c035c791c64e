"""Gauss-Legendre rules on a panel next to a kink: moments against Hermite polynomials, with proved errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import lgamma, log, sqrt

from flint import arb, arb_poly, fmpq

from asymptok.functions.strips import Plan, largest
from asymptok.patience import tick
from asymptok.precision import flint_precision

LOG_2 = log(2)
PROOF_BITS = 96
CRAMER = fmpq(10865, 10000)
#: of the ellipses
RHO = 4
#: lengths of the panels that are tried
_LENGTHS = tuple(fmpq(2, 2**j) for j in range(9))
#: radii of the discs of Cauchy's estimate
_RADII = tuple(
    fmpq(n, 32) for n in (128, 96, 64, 56, 50, 46, 40, 36, 31, 28, 24, 20, 16, 15, 12, 10, 8, 6, 4, 2)
)


@dataclass(frozen=True, slots=True)
class Panel:
    """An interval of a cell; |f| <= most on a box around the ellipse, and (delta, max |f|) on wider boxes."""

    cell: int
    low: arb
    high: arb
    most: arb
    discs: tuple[tuple[arb, arb], ...]


def first_panel(plan: Plan, cell: int, low: arb, end: arb) -> Panel | None:
    """The longest panel from `low` on, up to the end of the cell, on whose ellipse phi is proved bounded."""
    for length in _LENGTHS:
        high = low + length
        if not high < end:
            high = end
        side, height = ellipse((high - low) / 2)
        most = largest(plan, low - side, high + side, arb(0), height)
        if most is None:
            continue
        discs = []
        for radius in map(arb, _RADII):
            bound = largest(plan, low - radius, high + radius, arb(0), radius)
            if bound is not None:
                discs.append((radius, bound))
            if len(discs) == 4:
                break
        return Panel(cell, low, high, most, tuple(discs)) if discs else None
    return None


def panel_moments(
    nodes: list[tuple[arb, arb, arb]], low: arb, high: arb, top: int, bits: int
) -> tuple[arb_poly, arb]:
    """sum_i w_i p(x_i) f(x_i) He_n(x_i)/n! for n <= top, as a polynomial, and a bound of sqrt(n!) times its error.

    With the exact number c in the middle, y = x - c and |y| <= h, the generating function of He_n(c + y)/n! is that of
    He_n(c)/n! times e^(yz), whose coefficients beyond J leave out at most
    1.0865 e^(c^2/4) sum |w p f| 2 (h sqrt(n))^(J+1)/(J+1)!, by Cramer's bound and J > 2 h sqrt(n).
    """
    root = (2 * arb.pi()).sqrt()
    middle = ((low + high) / 2).mid()
    points = [(x - middle, value * (-x * x / 2).exp() / root) for x, value, _ in nodes]
    half = arb.max(abs(low - middle), abs(high - middle)).upper()
    size = sum((abs(g) for _, g in points), arb(0)).upper()
    reach = float(half) * sqrt(top + 1.0)
    goal = bits * LOG_2 + max(0.0, float((middle * middle / 4).upper()) + log_size(size)) + 2
    last = int(2 * reach) + 2
    while last * log(reach) - lgamma(last + 1) > -goal:
        last += 8
    powers, sums = [g for _, g in points], []
    factorial = arb(1)
    for j in range(last + 1):
        tick("moments on panels")
        sums.append(sum(powers, arb(0)) / factorial)
        powers = [g * y for g, (y, _) in zip(powers, points, strict=True)]
        factorial *= j + 1
    here, before, known = arb(1), arb(0), []
    for n in range(top + 1):
        tick()
        known.append(here)  # He_n(c)/n!
        here, before = (middle * here - before) / (n + 1), here
    product = arb_poly(known) * arb_poly(sums)
    with flint_precision(PROOF_BITS):
        step = half * arb(top + 1).sqrt()
        tail = 2 * step ** (last + 1) / arb(last + 2).gamma()
        error = arb(CRAMER) * (middle * middle / 4).exp() * size * tail
    return product, error.upper()


def ellipse(half: arb) -> tuple[arb, arb]:
    """How far the ellipse goes beyond the ends of a panel, and how high."""
    return half * (fmpq(RHO**2 + 1, 2 * RHO) - 1), half * fmpq(RHO**2 - 1, 2 * RHO)


def gauss_error(half: arb, most: arb, count: int) -> arb:
    """(64/15) max |F| rho^(-2(m-1))/(1 - rho^-2) for m nodes on [-1, 1], times half the length."""
    return half * most * fmpq(64, 15) * arb(RHO) ** (2 - 2 * count) / (1 - fmpq(1, RHO**2))


@lru_cache(maxsize=64)
def gauss_rule(count: int, prec: int) -> tuple[tuple[arb, arb], ...]:
    with flint_precision(prec):
        return tuple(arb.legendre_p_root(count, i, weight=True) for i in range(count))


def log_size(value: arb) -> float:
    """log of a positive number, about; it decides how much work is done, never what is true."""
    upper = value.upper()
    return float(upper.log().mid()) if upper > 0 else 0.0
