"""Bounds of Im R on the slits beyond the ends, R = kappa minus its first terms.

On the upper side of the slit t = x e^(-i pi), so that c t^nu has the imaginary part -c sin(pi nu) x^nu, and whole
powers have none. With y = x^(1/grid) everything is a polynomial in y with a proved rest, on each disc that covers a
part of the slit; Im R/x^beta is bounded on short pieces of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from flint import arb, arb_poly, fmpq
from sympy import Expr, Rational

from asymptok.atlas.curves import Disc, NotProved, disc
from asymptok.atlas.germs import Germ, germ
from asymptok.atlas.local import Unproved
from asymptok.atlas.program import Program
from asymptok.balls import exact_point
from asymptok.precision import flint_precision
from asymptok.quantities import whole

#: share of a disc around 0, and of one on the slit, that answers for the slit
_FIRST, _NEXT = fmpq(5, 8), fmpq(9, 16)
#: radii that are tried, as shares of the largest one wanted
_SHARES = tuple(fmpq(n, 64) for n in (64, 52, 44, 36, 30, 25, 21, 17, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2))
#: shares of the widest radius that are used, at most and at least
_MARGIN, _NARROWEST = fmpq(7, 8), fmpq(3, 4)
#: discs on one slit, and pieces of each
_MOST_DISCS = 24
_PIECES = 24
#: bits of the boxes on the circles
_BOX_BITS = 64
#: halvings of a piece of the circle while radii are tried
_SHALLOW = 5


@dataclass(frozen=True)
class Stretch:
    """A germ and the part low <= y <= high of the slit that it answers for."""

    germ: Germ
    low: fmpq
    high: fmpq

    def cuts(self) -> list[tuple[fmpq, fmpq]]:
        """Short pieces of it."""
        width = (self.high - self.low) / _PIECES
        return [(self.low + width * j, self.low + width * (j + 1)) for j in range(_PIECES)]

    @cached_property
    def shifted(self) -> list[arb_poly]:
        """Im kappa as a polynomial in y - (middle of the piece), for each piece."""
        on_slit, centre = self.germ.on_slit(), arb(self.germ.disc.centre)
        return [on_slit(arb_poly([arb((a + b) / 2) - centre, 1])) for a, b in self.cuts()]


@dataclass(frozen=True, slots=True)
class Slit:
    """One end: stretches that cover 0 <= y <= length, t = -y^grid."""

    at: int
    grid: int
    length: fmpq
    stretches: tuple[Stretch, ...]

    @property
    def first(self) -> Germ:
        return self.stretches[0].germ

    @property
    def reach(self) -> fmpq:
        """The last exponent whose coefficient the model at the end has."""
        return fmpq(len(self.first.coefficients) - 1, self.grid)

    def exponents(self, count: int) -> list[Expr]:
        """The first exponents whose terms leave something on the slit: those that are no integers."""
        exponents: list[Expr] = [
            Rational(n, self.grid) for n in range(1, (count + 2) * self.grid) if n % self.grid
        ]
        return exponents[:count]

    def coefficients(self, exponent: Expr) -> list[tuple[int, arb]]:
        """(0, c) with c t^exponent in kappa; nothing off the grid, and nothing that is real on the slit."""
        n = exponent * self.grid
        if not n.is_Integer or exponent.is_Integer:
            return []
        if n >= len(self.first.coefficients):
            raise Unproved(f"the local model ends before t^({exponent})")
        return [(0, self.first.coefficients[int(n)].real)]

    def bound(self, beta: Expr) -> arb:
        """B with |Im R| <= B x^beta on the slit, R = kappa minus all its terms below t^beta at this end."""
        if not isinstance(beta, Rational):
            # the other end has irrational exponents: here the next one of the grid, x^e <= X^(e - beta) x^beta
            exponent = exact_point(beta)
            above = whole((exponent * self.grid).upper().ceil())
            reach = arb(self.length) ** self.grid
            return (
                self.bound(Rational(above, self.grid)) * reach ** (fmpq(above, self.grid) - exponent)
            ).upper()
        start = fmpq(int(beta.p), int(beta.q)) * self.grid
        best = arb(0)
        for stretch in self.stretches:
            piece = _around_zero if stretch.germ.disc.centre == 0 else _further_out
            best = arb.max(best, piece(self, stretch, start))
        return best.upper()


def cover(program: Program, at: int, grid: int, length: fmpq, points: int, *, inward: bool = False) -> Slit:
    """Discs along the slit (or inward) up to y = length, each proved; NotProved if one cannot be found."""
    found: list[Stretch] = []
    covered = fmpq(0)
    while covered < length or not found:
        if len(found) == _MOST_DISCS:
            raise NotProved
        share = _FIRST if not found else _NEXT
        wanted = (length - covered) / share
        around = _widest(program, at, grid, covered, wanted, first=not found, inward=inward)
        reach = around.centre + around.radius * share
        found.append(Stretch(germ(program, around, points), covered, min(reach, length)))
        covered = reach
    return Slit(at, grid, length, tuple(found))


def _widest(
    program: Program, at: int, grid: int, covered: fmpq, wanted: fmpq, *, first: bool, inward: bool
) -> Disc:
    """The widest disc that is proved: around 0, or with its near part reaching back to y = covered.

    By bisection in the list of radii: where a wider disc is proved, so are the narrower ones. Where one failed, the
    next is tested first.
    """
    doubtful: fmpq | None = None

    def attempt(share: fmpq) -> Disc | None:
        nonlocal doubtful
        radius = _rounded(wanted * share)
        centre = fmpq(0) if first else covered + radius * _NEXT
        try:
            with flint_precision(_BOX_BITS):
                return disc(
                    program, at, grid, centre, radius, inward=inward, deepest=_SHALLOW, doubtful=doubtful
                )
        except NotProved as failure:
            doubtful = failure.where
            return None

    best = attempt(_SHARES[0])
    if best is not None:
        return best
    low, high = 1, len(_SHARES)
    narrower: Disc | None = None
    while low < high:
        probe = (low + high) // 2
        found = attempt(_SHARES[probe])
        if found is not None:
            low, high, best, narrower = low, probe, found, best
        else:
            low = probe + 1
    if best is None:
        raise NotProved
    # a margin, so that whoever proves it again with wider boxes succeeds too
    if narrower is not None and best.radius * _NARROWEST <= narrower.radius <= best.radius * _MARGIN:
        return narrower
    return attempt(_SHARES[low] * _MARGIN) or best


def _rounded(x: fmpq) -> fmpq:
    """x with few digits: radii are written into certificates."""
    return fmpq(int(x.p * 1024 // x.q) + 1, 1024)


def _around_zero(slit: Slit, stretch: Stretch, start: fmpq) -> arb:
    """Im R/y^start, start = q beta, is a series in y: what is left of it after the first terms, in mean value form."""
    first = _ceiling(start)
    tail = stretch.germ.on_slit().right_shift(first)
    slope = tail.derivative()
    best = arb(0)
    with flint_precision(_BOX_BITS):
        for low, high in stretch.cuts():
            middle, half = arb((low + high) / 2), arb((high - low) / 2)
            size = (abs(tail(middle)) + abs(slope(middle + arb(0, half))) * half).upper()
            # y^(first - q beta) <= its value at the right end, 1 unless beta lies off the grid of this end
            size = size * arb(high) ** arb(first - start)
            best = arb.max(best, size + _rest_over_power(stretch.germ, arb(high), arb(start)))
    return best


def _rest_over_power(found: Germ, y: arb, power: arb) -> arb:
    """A bound of (rest at y)/y^power, which increases with y as long as power < terms."""
    radius = arb(found.disc.radius)
    ratio = y / radius
    return found.disc.size * ratio ** (found.terms - power) / radius**power / (1 - ratio)


def _further_out(slit: Slit, stretch: Stretch, start: fmpq) -> arb:
    """Im R as a polynomial in w = y - (middle of the piece), divided by y^start in mean value form."""
    centre, power = arb(stretch.germ.disc.centre), arb(start)
    first = slit.first.on_slit().truncate(_ceiling(start))
    best = arb(0)
    for (low, high), shifted in zip(stretch.cuts(), stretch.shifted, strict=True):
        left, middle, half = arb(low), arb((low + high) / 2), arb((high - low) / 2)
        value = shifted - first(arb_poly([middle, 1]))
        with flint_precision(_BOX_BITS):
            span = arb(0, half)
            here = abs(value[0]) / middle**power
            # |d/dy (Im R/y^p)| <= |Im R'|/y^p + p |Im R|/y^(p+1)
            change = abs(value.derivative()(span)) / left**power
            change = change + power * abs(value(span)) / left ** (power + 1)
            rest = stretch.germ.rest(arb.max(abs(left - centre), abs(arb(high) - centre)))
            best = arb.max(best, here.upper() + change.upper() * half + rest / left**power)
    return best


def _ceiling(x: fmpq) -> int:
    return -int(-x.p // x.q)
