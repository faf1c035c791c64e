"""A cover of (-1, 1) as data: pieces with their reasons, singular points, and what is left open."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import sympy
from sympy import Expr, Rational

from asymptok.regularity.cells import Parameters
from asymptok.regularity.neighbourhood import Regular
from asymptok.regularity.points import InteriorPoint
from asymptok.regularity.roots import Root
from asymptok.truth import Truth

__all__ = ["Cover", "Piece", "Reason"]


class Reason(Enum):
    """Why a piece is regular."""

    RANGES = "every function inside is analytic at its argument, by ranges with exact open ends"
    CELL = "every function inside is analytic at its argument, by ball arithmetic on the closed cell"
    GERM = "germs from both sides fit together, with a proved radius"
    SIDE = "a germ with a proved radius, the point itself left out"
    END = "a germ at the end that is a power series in the distance, with a proved radius"


@dataclass(frozen=True, slots=True)
class Piece:
    """[low, high], open where the flags say so, with the reason and what is proved on it."""

    low: Expr
    high: Expr
    low_open: bool
    high_open: bool
    reason: Reason
    regular: Regular = Regular.ANALYTIC
    #: the point of a germ: an exact number, or a root known by its bracket
    point: Expr | Root | None = None

    def rational_ends(self) -> tuple[Rational, Rational]:
        """The ends of a cell, or of a neighbourhood; only a piece beside a point ends at an irrational number."""
        assert isinstance(self.low, Rational) and isinstance(self.high, Rational)
        return self.low, self.high

    def contains_end(self, at: int) -> bool:
        """Whether u = -1 or u = +1 belongs to the piece."""
        return (self.high == 1 and not self.high_open) if at > 0 else (self.low == -1 and not self.low_open)

    def __str__(self) -> str:
        left, right = "(" if self.low_open else "[", ")" if self.high_open else "]"
        return f"{left}{_short(self.low)}, {_short(self.high)}{right}: {self.reason.value}"


@dataclass(frozen=True, slots=True)
class Cover:
    """The pieces, the points that are singular or not understood, and the intervals that no piece covers."""

    expr: Expr
    pieces: tuple[Piece, ...]
    points: tuple[InteriorPoint, ...] = ()
    gaps: tuple[tuple[Expr, Expr], ...] = ()
    #: subexpressions of which nothing is known
    unknown: tuple[Expr, ...] = ()
    #: symbols with their ranges, for all values of which the cover holds
    parameters: Parameters = field(default_factory=dict)
    #: whether the search ended because its time was over
    cut: bool = False

    @property
    def smooth(self) -> Truth:
        """C-infinity on (-1, 1): a witness against it, or a cover without gaps and doubtful points."""
        if any(p.proved for p in self.points):
            return Truth.FALSE
        return Truth.of(None if self.points or self.gaps else True)

    @property
    def complete(self) -> bool:
        """Whether kappa is analytic everywhere in (-1, 1) but at the points that are listed."""
        return not self.gaps and all(p.proved for p in self.points)

    @property
    def analytic_inside(self) -> bool:
        return self.smooth is Truth.TRUE and all(p.regular is Regular.ANALYTIC for p in self.pieces)


def _short(x: object) -> str:
    return str(x) if len(str(x)) < 24 else str(sympy.N(x, 12))
