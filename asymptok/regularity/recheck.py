"""A cover checked again, without the search that found it: do the pieces cover (-1, 1), and does each reason hold?"""

from __future__ import annotations

from typing import Any

from flint import arb
from sympy import Expr, Rational, S

from asymptok.balls import ball
from asymptok.regularity.cells import CellTest, Parameters
from asymptok.regularity.cover import Cover, Piece, Reason
from asymptok.regularity.intervals import Interval, sign_of
from asymptok.regularity.model import NotShown
from asymptok.regularity.neighbourhood import Regular, analytic_beside, regular_at, regular_at_end
from asymptok.regularity.ranges import by_ranges
from asymptok.regularity.roots import Root, classify_near, regular_near

#: bits of the cells, twice those of the search
_BITS = 192


def recheck(cover: Cover) -> bool:
    """Whether the cover proves what it says: the pieces reach from -1 to 1, and each of them stands by its own reason.

    >>> import sympy
    >>> from asymptok.regularity.cover import cover
    >>> from asymptok.symbols import u
    >>> recheck(cover(sympy.sin(u)/u + sympy.sqrt(1 - u)))
    True
    """
    return (
        not cover.gaps
        and covers(cover)
        and all(stands(cover.expr, piece, cover.parameters) for piece in cover.pieces)
        and all(_is_listed(piece, cover) for piece in cover.pieces)
    )


def covers(cover: Cover) -> bool:
    """Whether every point of (-1, 1) lies in a piece, or is a singular point of the list."""
    left_out = [p.location if p.location is not None else p.enclosure for p in cover.points if p.proved]
    reached: Any = S.NegativeOne
    closed = True  # -1 itself is not asked for
    for piece in sorted(cover.pieces, key=lambda p: (float(p.low), p.low_open)):
        order = sign_of(piece.low - reached)
        if order is None or order > 0:
            return False
        if order == 0 and piece.low_open and not closed and not _excused(reached, left_out):
            return False
        further = sign_of(piece.high - reached)
        if further is None:
            return False
        if further > 0:
            reached, closed = piece.high, not piece.high_open
        elif further == 0:
            closed = closed or not piece.high_open
    return sign_of(reached - 1) == 0


def _excused(point: Any, left_out: list[Any]) -> bool:
    for p in left_out:
        if isinstance(p, tuple):
            if p[0] <= point <= p[1]:
                return True
        elif sign_of(p - point) == 0:
            return True
    return False


def stands(expr: Expr, piece: Piece, parameters: Parameters) -> bool:
    """Whether the reason of one piece holds on the whole of it."""
    low, high = piece.low, piece.high
    if piece.reason is Reason.CELL:
        return CellTest(expr, parameters).holds(*piece.rational_ends(), _BITS)
    if piece.reason is Reason.RANGES:
        return by_ranges(expr, parameters, Interval(low, high, piece.low_open, piece.high_open)).holds
    try:
        if piece.reason is Reason.GERM:
            return _germ(expr, piece, parameters) in (piece.regular, Regular.ANALYTIC)
        if piece.reason is Reason.END:
            at = 1 if high == 1 else -1
            if (high if at == 1 else low) != at:
                return False
            low, high = piece.rational_ends()
            return regular_at_end(expr, at, high - low, parameters) in (piece.regular, Regular.ANALYTIC)
        return _side(expr, piece, parameters)
    except NotShown:
        return False


def _is_listed(piece: Piece, cover: Cover) -> bool:
    """Whether a root that a piece leaves out is in the list of singular points, unless it lies elsewhere."""
    root = piece.point
    if piece.reason is not Reason.SIDE or not isinstance(root, Root):
        return True
    if sign_of(root.low - piece.high) == 1 or sign_of(piece.low - root.high) == 1:
        return True
    return any(p.proved and p.enclosure[0] <= root.low and root.high <= p.enclosure[1] for p in cover.points)


def _germ(expr: Expr, piece: Piece, parameters: Parameters) -> Regular:
    point = piece.point
    if isinstance(point, Root):
        return regular_near(expr, point.g, *piece.rational_ends(), parameters)
    assert point is not None
    return regular_at(expr, point, _reach(point, piece), parameters)


def _side(expr: Expr, piece: Piece, parameters: Parameters) -> bool:
    point = piece.point
    if isinstance(point, Root):
        # both sides of such a point are analytic where the germs that classify it are
        return classify_near(expr, point, *piece.rational_ends(), parameters) is not None
    assert point is not None
    if (
        piece.low_open == piece.high_open
        or sign_of(point - (piece.low if piece.low_open else piece.high)) != 0
    ):
        return False  # one open end, and that is the point
    analytic_beside(expr, point, 1 if piece.low_open else -1, _reach(point, piece), parameters)
    return True


def _reach(point: Expr, piece: Piece) -> Rational:
    """A rational number no smaller than the distance from the point to either end of the piece."""
    distances = [abs(ball(x - point, prec=256)).upper() for x in (piece.low, piece.high)]
    exact = arb.max(*distances).upper().fmpq()
    return Rational(int(exact.p), int(exact.q))
