"""Closed curves on which all tests of a program succeed, and what they prove.

Ray principle. Let N be analytic in a bounded domain D and continuous on its closure, and let N(boundary of D) miss a
closed ray that goes to infinity. Then N(D) misses it: the number of solutions of N = w in D is the same for all w on
the ray, and none for large w.

Applied node by node to a program: if every test succeeds on the boundary of D, every U and W misses its ray in D as
well, hence every root and logarithm is analytic in D, and so is kappa. No cover of D is needed. At an end the orders of
vanishing make U analytic there: they are lower bounds known from exact values, and were one too low, U would vanish at
the end, and its values on the circle would meet the ray.

A disc in sigma has the q-th roots of t on it, not only the positive one: where a pole at t is lifted on one sheet and
may be left on others, their points have to lie outside (`Program.hidden`).

Next to an end with a local model the domain stops at the arc |t| = r, |arg t| <= pi, on which the tests are made as
well: inside of it the model itself continues kappa, and both agree on the interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from flint import acb, arb, fmpq

from asymptok.atlas.program import Program
from asymptok.atlas.samples import (
    DiscSample,
    Sample,
    SectorSample,
    Straddles,
    StripSample,
    interval,
)
from asymptok.balls import ball

#: pieces that a curve may be cut into
_MOST = 3000
#: halvings of one piece
_DEEPEST = 9
_ZERO, _ONE = fmpq(0), fmpq(1)


class NotProved(Exception):
    """A test failed on a piece of the curve that is as short as pieces get, around the parameter `where`."""

    def __init__(self, where: fmpq | None = None) -> None:
        super().__init__()
        self.where = where


class Runs(Protocol):
    """Whatever has values on samples, and says where it fails."""

    def run(self, sample: Sample) -> acb: ...


def pieces(
    program: Runs,
    place: Callable[[arb], Sample],
    low: fmpq,
    high: fmpq,
    start: int,
    deepest: int = _DEEPEST,
    doubtful: fmpq | None = None,
) -> Iterator[tuple[fmpq, Sample, acb]]:
    """(length, sample, kappa on it) for pieces of a curve x -> place(x), low <= x <= high, that all pass the tests.

    A piece that fails is halved; NotProved as soon as one as short as allowed still fails. The piece with the
    parameter `doubtful` comes first.
    """
    width = (high - low) / start
    stack = [(low + width * j, low + width * (j + 1), deepest) for j in reversed(range(start))]
    if doubtful is not None:
        stack.sort(key=lambda piece: piece[0] <= doubtful <= piece[1])
    count = 0
    while stack:
        a, b, left = stack.pop()
        count += 1
        sample = None
        try:
            sample = place(interval(a, b))
            value = program.run(sample)
        except Straddles:
            middle = (a + b) / 2
            if not left or count > _MOST:
                raise NotProved(middle) from None
            stack += [(middle, b, left - 1), (a, middle, left - 1)]
            continue
        yield b - a, sample, value


@dataclass(frozen=True, slots=True)
class Disc:
    """kappa is analytic on |sigma - centre e^(-i pi/grid)| <= radius, t = sigma^grid, and |kappa| <= size there.

    With `inward` the centre lies on the other side, inside the interval: |sigma - centre| <= radius.
    """

    at: int
    grid: int
    centre: fmpq
    radius: fmpq
    size: arb
    inward: bool = False

    def point(self) -> acb:
        """The centre as a complex ball."""
        return direction(self.grid, self.inward) * arb(self.centre)


def direction(grid: int, inward: bool) -> acb:
    """Where sigma goes along the slit, or into the interval."""
    return acb(1) if inward else slit_direction(grid)


def slit_direction(grid: int) -> acb:
    """e^(-i pi/grid): sigma = y e^(-i pi/grid) is the upper side of the slit, t = -y^grid."""
    return acb(arb(fmpq(-1, grid))).exp_pi_i()


def disc(
    program: Program,
    at: int,
    grid: int,
    centre: fmpq,
    radius: fmpq,
    *,
    inward: bool = False,
    start: int = 24,
    deepest: int = _DEEPEST,
    doubtful: fmpq | None = None,
) -> Disc:
    """The disc, proved by the tests on its circle; NotProved if they fail. The angle `doubtful`/pi is tested first."""
    middle, r = direction(grid, inward) * arb(centre), arb(radius)
    for end, place_of_pole in program.hidden:
        size = (1 - at * ball(place_of_pole)).root(grid)
        others = [size * acb(arb(fmpq(2 * j, grid))).exp_pi_i() for j in range(1, grid)]
        if end == at and not all(abs(point - middle) > r for point in others):
            raise NotProved

    def place(angle: arb) -> Sample:
        return DiscSample.of(middle + r * acb(angle).exp_pi_i(), at, grid, thin=False)

    # around sigma = 0 the lower half is the mirror image; next to the negative axis a failure shows first
    turns = [(fmpq(1, 2), fmpq(1)), (fmpq(0), fmpq(1, 2))] if centre == 0 else [(fmpq(-1), fmpq(1))]
    if doubtful is not None:
        turns.sort(key=lambda turn: not turn[0] <= doubtful <= turn[1])
    size = arb(0)
    for low, high in turns:
        for _, _, value in pieces(program, place, low, high, start, deepest, doubtful):
            size = arb.max(size, value.abs_upper())
    return Disc(at, grid, centre, radius, size.upper(), inward)


def arc(program: Program, at: int, radius: fmpq, start: int = 32) -> None:
    """All tests on |t| = radius, 0 <= arg t <= pi, the other half being its mirror image; NotProved if one fails."""
    size = arb(radius).log()

    def place(angle: arb) -> Sample:
        return SectorSample.of(acb(size, arb.pi() * angle), at)

    for _ in pieces(program, place, fmpq(0), fmpq(1), start):
        pass


def upper_edge(
    program: Runs, height: fmpq, start: int = 96, low: fmpq = _ZERO, high: fmpq = _ONE
) -> list[tuple[arb, StripSample, acb]]:
    """theta = x + i h, low <= x/pi <= high: (length in x, sample, kappa) of pieces that cover it."""

    def place(x: arb) -> Sample:
        return StripSample.of(acb(arb.pi() * x, arb(height)))

    found = []
    for length, sample, value in pieces(program, place, low, high, start):
        assert isinstance(sample, StripSample)
        found.append((arb.pi() * arb(length), sample, value))
    return found
