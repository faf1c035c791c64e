"""What is claimed about smoothness checked again, without the search that found it.

A cover: do the pieces cover (-1, 1), and does each reason hold? A change of form: do its steps lead where it says, and
is each of them an identity (`rewriting`)? A witness: is a derivative unbounded there, or different on the two sides, by
inequalities (`leading`) that know neither series nor germs? What cannot be checked is UNKNOWN, never TRUE.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Protocol

from flint import arb, fmpq
from sympy import Expr, Rational, S, ceiling, ff

from asymptok import dag
from asymptok.balls import ball, complex_ball
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.precision import flint_precision
from asymptok.regularity.cells import CellTest, Parameters
from asymptok.regularity.even import with_exponentials
from asymptok.regularity.intervals import Interval, sign_of
from asymptok.regularity.leading import Beside
from asymptok.regularity.model import NotShown
from asymptok.regularity.neighbourhood import Regular, analytic_beside, regular_at, regular_at_end
from asymptok.regularity.pieces import Cover, Piece, Reason
from asymptok.regularity.points import InteriorPoint
from asymptok.regularity.ranges import CLOSED, OPEN, by_ranges
from asymptok.regularity.rewriting import Rewriting, rewritten
from asymptok.regularity.roots import Root, classify_near, regular_near
from asymptok.regularity.sizes import Lead
from asymptok.symbols import u
from asymptok.truth import Truth

#: bits of the cells, twice those of the search, and of the inequalities next to a point
_BITS = 192
_FINE_BITS = 320
#: how far next to a point inequalities are tried
_DISTANCES = (Rational(1, 2**6), Rational(1, 2**20), Rational(1, 2**60))
#: the highest derivative of a witness that is looked at
_HIGHEST = 8
#: cells that a function analytic on the closed interval is looked at on
_CELLS = 64


def recheck(cover: Cover) -> bool:
    """Whether the cover proves what it says: the pieces reach from -1 to 1, and each of them stands by its own reason,
    as does each singular point that it lists.

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
        and all(witnessed(cover, point) is Truth.TRUE for point in cover.points)
    )


def covers(cover: Cover) -> bool:
    """Whether every point of (-1, 1) lies in a piece, or is a singular point of the list."""
    left_out = [p.location if p.location is not None else p.enclosure for p in cover.points if p.proved]
    reached: Expr = S.NegativeOne
    closed = True  # -1 itself is not asked for
    for piece in sorted(cover.pieces, key=lambda p: (float(p.low), p.low_open)):
        order = sign_of(piece.low - reached)
        if not order.known or order.positive:
            return False
        if order.zero and piece.low_open and not closed and not _excused(reached, left_out):
            return False
        further = sign_of(piece.high - reached)
        if not further.known:
            return False
        if further.positive:
            reached, closed = piece.high, not piece.high_open
        elif further.zero:
            closed = closed or not piece.high_open
    return sign_of(reached - 1).zero


def _excused(point: Expr, left_out: Sequence[Expr | tuple[Expr, Expr]]) -> bool:
    for p in left_out:
        if isinstance(p, tuple):
            if p[0] <= point <= p[1]:
                return True
        elif sign_of(p - point).zero:
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
    if sign_of(root.low - piece.high).positive or sign_of(piece.low - root.high).positive:
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
        # both sides of such a point are analytic where the germs that classify it are; the point belongs to neither
        ends_there = (piece.low_open and piece.low == point.low) or (
            piece.high_open and piece.high == point.high
        )
        if (
            not ends_there
            and not sign_of(piece.low - point.high).positive
            and not sign_of(point.low - piece.high).positive
        ):
            return False
        return classify_near(expr, point, *piece.rational_ends(), parameters) is not None
    assert point is not None
    if (
        piece.low_open == piece.high_open
        or not sign_of(point - (piece.low if piece.low_open else piece.high)).zero
    ):
        return False  # one open end, and that is the point
    analytic_beside(expr, point, 1 if piece.low_open else -1, _reach(point, piece), parameters)
    return True


def _reach(point: Expr, piece: Piece) -> Rational:
    """A rational number no smaller than the distance from the point to either end of the piece."""
    distances = [abs(ball(x - point, prec=256)).upper() for x in (piece.low, piece.high)]
    exact = arb.max(*distances).upper().fmpq()
    return Rational(int(exact.p), int(exact.q))


# ------------------------------------------------------------------------------------------------- witnesses


def witnessed(cover: Cover, point: InteriorPoint) -> Truth:
    """Whether the point is singular as it says: FALSE if that is contradicted, UNKNOWN if inequalities do not show it.

    >>> import sympy
    >>> from asymptok.regularity.cover import cover
    >>> found = cover(sympy.Abs(u - sympy.cos(u)))
    >>> [witnessed(found, p) for p in found.points]
    [TRUE]
    """
    if not point.proved:
        return Truth.UNKNOWN
    place: Expr | Root
    if point.location is None:
        roots = [p.point for p in cover.pieces if isinstance(p.point, Root)]
        brackets = [r for r in roots if (r.low, r.high) == point.enclosure and _is_root(r)]
        if not brackets:
            return Truth.UNKNOWN
        place = brackets[0]
    else:
        place = point.location
        if not (sign_of(place + 1).positive and sign_of(1 - place).positive):
            return Truth.FALSE
    return singular(cover.expr, place, point, cover.parameters, (1, -1))


def _is_root(root: Root) -> bool:
    """A change of sign, and a derivative of one sign between: one zero, and only one."""
    try:
        slope = CellTest(dag.derivative(root.g, u))
    except AsymptokError:
        return False
    test = CellTest(root.g)
    ends = [test.value(root.g, x, x, _FINE_BITS) for x in (root.low, root.high)]
    between = slope.value(slope.expr, root.low, root.high, _FINE_BITS)
    return (
        test.holds(root.low, root.high, _FINE_BITS)
        and bool(ends[0] * ends[1] < 0)
        and bool(between > 0 or between < 0)
    )


def singular(
    expr: Expr, place: Expr | Root, point: InteriorPoint, parameters: Parameters, sides: tuple[int, ...]
) -> Truth:
    """A derivative that is unbounded on a side, or bounded apart on both: no function C-infinity there has it."""
    if (
        isinstance(place, Expr)
        and point.kind == "undefined/complex"
        and _is_not_real(expr, place, parameters)
    ):
        return Truth.TRUE
    order = _order(point)
    if order is None:
        return Truth.UNKNOWN
    try:
        for _ in range(order):
            expr = dag.derivative(expr, u)
    except AsymptokError:
        return Truth.UNKNOWN
    # e^(-h) sinh(2h) grows, which is seen where one exponential is left
    for form, h in product(dict.fromkeys((expr, with_exponentials(expr))), _DISTANCES):
        found: dict[int, tuple[Lead, tuple[arb, arb] | None]] = {}
        with flint_precision(_FINE_BITS):
            for side in sides:
                try:
                    beside = Beside(place, side, h, parameters)
                    found[side] = (beside[form], beside.bounds(form))
                except (NotShown, AsymptokError):
                    continue
            verdict = _verdict(point, order, found)
        if verdict is not Truth.UNKNOWN:
            return verdict
    return Truth.UNKNOWN


def _order(point: InteriorPoint) -> int | None:
    """The first derivative that a term |x|^nu log^j|x| spoils."""
    if point.nu is None:
        return 0 if point.kind in ("undefined/complex", "unbounded") else None
    if not point.nu.is_Rational:
        return None
    order = max(int(ceiling(point.nu)), 0)
    return order if order <= _HIGHEST else None


def _verdict(
    point: InteriorPoint, order: int, found: dict[int, tuple[Lead, tuple[arb, arb] | None]]
) -> Truth:
    if point.kind in ("kink", "jump"):
        if len(found) < 2 or any(bounds is None for _, bounds in found.values()):
            return Truth.UNKNOWN
        (right, left) = (found[side][1] for side in (1, -1))
        assert right is not None and left is not None
        apart = bool(right[0] > left[1]) or bool(left[0] > right[1])
        claims = [_agrees(right, point.right, point, order, 1), _agrees(left, point.left, point, order, -1)]
        return Truth.FALSE if not all(claims) else Truth.of(True if apart else None)
    grows = {side: size for side, (size, _) in found.items() if size.unbounded}
    if not grows or point.nu is None:
        return Truth.TRUE if grows else Truth.UNKNOWN
    wanted: tuple[Expr, Expr | int] = (point.nu - order, point.log_power)
    as_said = [size.exact and (size.power, size.logs) == wanted for size in grows.values()]
    if not any(as_said):
        return Truth.FALSE if all(size.exact for size in grows.values()) else Truth.UNKNOWN
    for said, (side, size) in zip(as_said, grows.items(), strict=True):
        c = point.right if side > 0 else point.left
        if said and not _agrees((size.low, size.high), c, point, order, side):
            return Truth.FALSE
    return Truth.TRUE


def _agrees(
    bounds: tuple[arb, arb], coefficient: Expr | None, point: InteriorPoint, order: int, side: int
) -> bool:
    """Whether the coefficient of |x|^nu log^j|x|, as the derivative has it, lies within the bounds."""
    if coefficient is None:
        return True
    try:
        value = ball(coefficient * ff(point.nu, order)) * side**order * (-1) ** point.log_power
    except AsymptokError:
        return True  # a coefficient with parameters
    return bool(value.is_finite()) and not value < bounds[0] and not value > bounds[1]


def _is_not_real(expr: Expr, place: Expr, parameters: Parameters) -> bool:
    """A value at the point, or just beside it, that is not real."""
    if parameters:
        return False
    with flint_precision(2 * _FINE_BITS):
        for shift in (0, 1, -1):
            at = ball(place) + arb(fmpq(shift, 2**52))
            try:
                value = complex_ball(expr, {u: at})
            except AsymptokError:
                continue
            if value.is_finite() and not value.imag.contains(0) and abs(at) < 1:
                return True
    return False


# ----------------------------------------------------------------------------------------------- all claims


@dataclass(frozen=True, slots=True)
class Rechecked:
    """Whether the claims about smoothness inside and about analyticity stand.

    TRUE: the claim, yes or no, was proved again; FALSE: its evidence is contradicted; UNKNOWN: nothing is claimed, or
    what it rests on cannot be checked by other means.
    """

    smooth: Truth
    analytic: Truth


class Claims(Protocol):
    """What is claimed, and the evidence for it: see `Singularities`."""

    @property
    def kernel(self) -> Kernel: ...
    @property
    def smooth(self) -> Truth: ...
    @property
    def analytic(self) -> Truth: ...
    @property
    def interior(self) -> tuple[InteriorPoint, ...]: ...
    @property
    def cover(self) -> Cover | None: ...
    @property
    def rewriting(self) -> tuple[Rewriting, ...]: ...
    @property
    def ends(self) -> tuple[Piece | None, Piece | None]: ...
    @property
    def end(self) -> InteriorPoint | None: ...


def recheck_claims(found: Claims) -> Rechecked:
    """All that is claimed, from the kernel on."""
    smooth = _smooth(found)
    if found.analytic is Truth.TRUE:
        analytic = smooth & _analytic_ends(found)
    elif found.analytic is Truth.FALSE and found.smooth is Truth.FALSE:
        analytic = smooth
    elif found.analytic is Truth.FALSE and found.end is not None:
        at = found.end.location
        assert at is not None
        place = (-1,) if at == 1 else (1,)
        analytic = singular(found.kernel.expr, at, found.end, found.kernel.parameters, place)
    else:
        analytic = Truth.UNKNOWN
    return Rechecked(smooth, analytic)


def _smooth(found: Claims) -> Truth:
    parameters = found.kernel.parameters
    if found.smooth is Truth.UNKNOWN:
        return Truth.UNKNOWN
    if found.cover is None:
        last = found.rewriting[-1].after if found.rewriting else found.kernel.expr
        same = rewritten(found.kernel.expr, found.rewriting, last, parameters)
        if found.smooth is Truth.FALSE:
            judged = [
                singular(last, p.location, p, parameters, (1, -1)) for p in found.interior if p.location
            ]
            return same & (max(judged, key=lambda t: t.value) if judged else Truth.UNKNOWN)
        return same & Truth.of(True if _by_ranges_or_cells(last, parameters, closed=False) else None)
    cover = found.cover
    same = rewritten(found.kernel.expr, found.rewriting, cover.expr, parameters)
    if cover.points != found.interior or cover.smooth is not found.smooth:
        return Truth.FALSE
    if found.smooth is Truth.TRUE:
        return same & Truth.of(recheck(cover))
    judged = [witnessed(cover, point) for point in cover.points if point.proved]
    if Truth.FALSE in judged:
        return Truth.FALSE
    return same & (Truth.TRUE if Truth.TRUE in judged else Truth.UNKNOWN)


def _analytic_ends(found: Claims) -> Truth:
    """Pieces that hold the ends, and no piece that is no more than smooth."""
    parameters = found.kernel.parameters
    if found.cover is None:
        last = found.rewriting[-1].after if found.rewriting else found.kernel.expr
        return Truth.of(True if _by_ranges_or_cells(last, parameters, closed=True) else None)
    for at, piece in zip((-1, 1), found.ends, strict=True):
        if piece is None or not piece.contains_end(at) or not stands(found.cover.expr, piece, parameters):
            return Truth.FALSE
    pieces = [*found.cover.pieces, *(p for p in found.ends if p is not None)]
    return Truth.of(all(p.regular is Regular.ANALYTIC for p in pieces))


def _by_ranges_or_cells(expr: Expr, parameters: Parameters, closed: bool) -> bool:
    """Without a cover: every function is analytic at its argument, by ranges, or by balls on cells."""
    if by_ranges(expr, parameters, CLOSED if closed else OPEN).holds:
        return True
    test = CellTest(expr, parameters)
    ends = [Rational(2 * j, _CELLS) - 1 for j in range(_CELLS + 1)]
    return all(test.holds(a, b, _BITS) for a, b in pairwise(ends))
