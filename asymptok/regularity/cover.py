"""A finite cover of (-1, 1) by pieces, each with a reason that stands alone, and what was left open.

A piece is the whole interval by ranges, a closed cell by balls, a neighbourhood of a point by germs, or a half-open
interval next to a point. Regularity is proved if the pieces cover everything; a doubt that remains anywhere is an
entry of `gaps`, and no other piece removes it. A singular point is a witness: expansions from both sides that no
smooth function has.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush

import sympy
from flint import arb, fmpq
from sympy import Expr, Rational, S

from asymptok import dag
from asymptok.balls import complex_ball
from asymptok.constants import decide
from asymptok.errors import AsymptokError
from asymptok.patience import Portion
from asymptok.regularity.cells import CellTest, Parameters
from asymptok.regularity.choices import has_choices
from asymptok.regularity.factoring import with_factored_denominators
from asymptok.regularity.intervals import Interval, sign_of
from asymptok.regularity.marks import Mark, find_marks
from asymptok.regularity.model import NotShown
from asymptok.regularity.neighbourhood import Regular, analytic_beside, regular_at, regular_at_end
from asymptok.regularity.pieces import Cover, Piece, Reason
from asymptok.regularity.points import InteriorPoint, classify
from asymptok.regularity.ranges import OPEN, by_ranges
from asymptok.regularity.roots import Root, classify_near, isolate, regular_near
from asymptok.regularity.witness import compare_sides
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = ["Cover", "Piece", "Reason", "cover", "end_pieces"]

#: the share of the time for a question that the search may take, and how much of that before it begins nothing new
_SHARE, _ENOUGH = 0.3, 0.5
#: cells in all, and the narrowest
_MAX_CELLS = 3000
_NARROWEST = Rational(1, 2**18)
#: radii of the neighbourhoods that are tried
_RADII = tuple(Rational(1, 2**j) for j in (2, 3, 5, 7, 10, 14, 18, 24))
#: where in a gap a complex value is looked for
_SAMPLES = (Rational(1, 2), Rational(2, 7), Rational(5, 6))


@dataclass
class _Search:
    expr: Expr
    test: CellTest
    time: Portion
    parameters: Parameters = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)
    points: list[InteriorPoint] = field(default_factory=list)
    cells: int = 0

    @property
    def exhausted(self) -> bool:
        """Out of cells or of time; or not a real function at all, and where it is regular is of no interest."""
        hopeless = any(p.proved and p.kind == "undefined/complex" for p in self.points)
        return hopeless or self.cells > _MAX_CELLS or self.time.beyond(_ENOUGH)


def cover(expr: Expr, parameters: Parameters | None = None) -> Cover:
    """Cover (-1, 1), for all values of the parameters at once.

    >>> found = cover(sympy.sin(u)/u + sympy.sqrt(1 - u))
    >>> found.smooth, len(found.gaps)
    (TRUE, 0)
    >>> [str(p) for p in cover(sympy.Abs(u) + sympy.sin(u)/u).points]
    ['kink at u = 0: the derivative of order 1 jumps, from -1 to 1']
    """
    parameters = dict(parameters or {})
    whole = by_ranges(expr, parameters, OPEN)
    if not whole.holds:
        expr = with_factored_denominators(expr)
        whole = by_ranges(expr, parameters, OPEN)
    if whole.holds:
        piece = Piece(S.NegativeOne, S.One, True, True, Reason.RANGES)
        return Cover(expr, (piece,), parameters=parameters)
    if not has_choices(expr) and (whole.unknown or any(not r.g.has(u) for r in whole.open)):
        # a function that nobody knows, or a condition on a constant that fails: no cell would hold
        everything: list[tuple[Expr, Expr]] = [(S.NegativeOne, S.One)]
        return Cover(
            expr,
            (),
            tuple(_complex_values(expr, everything)),
            tuple(everything),
            unknown=whole.unknown,
            parameters=parameters,
        )
    time = Portion(_SHARE)
    search = _Search(expr, CellTest(expr, parameters), time, parameters)
    with time:
        _search(search, find_marks(whole.open))
    gaps = _uncovered(search.pieces)
    if gaps and not any(p.proved for p in search.points):
        search.points += _complex_values(expr, gaps)
    return Cover(
        expr,
        tuple(sorted(search.pieces, key=lambda p: float(p.low))),
        tuple(sorted(search.points, key=lambda p: float(sympy.N(p.enclosure[0])))),
        tuple(gaps),
        tuple(whole.unknown),
        parameters,
        time.cut,
    )


def _search(search: _Search, marks: list[Mark]) -> None:
    taken = _neighbourhoods(search, marks)
    low, high = _left_end(search, taken), _right_end(search, taken)
    edges = [low, *(x for a, b in taken for x in (a, b)), high]
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        if a < b:
            _fill(search, a, b)


def _uncovered(pieces: list[Piece]) -> list[tuple[Expr, Expr]]:
    """The intervals between -1 and 1 that no piece is shown to reach, whatever the search has come to."""
    reached: Expr = S.NegativeOne
    gaps: list[tuple[Expr, Expr]] = []
    for piece in sorted(pieces, key=lambda p: float(p.low)):
        if not sign_of(piece.low - reached).nonpositive:
            gaps.append((reached, piece.low))
        if not sign_of(piece.high - reached).nonpositive:
            reached = piece.high
    return gaps if sign_of(1 - reached).zero else [*gaps, (reached, S.One)]


def _complex_values(expr: Expr, gaps: list[tuple[Expr, Expr]]) -> list[InteriorPoint]:
    """A point of the widest gap at which the value is certainly not real."""
    a, b = max(gaps, key=lambda gap: float(gap[1] - gap[0]))
    for share in _SAMPLES:
        sample = a + share * (b - a)
        if not sample.is_Rational:
            continue
        try:
            value = complex_ball(expr, {u: sample}, prec=128)
        except AsymptokError:
            return []
        if value.is_finite() and not value.imag.contains(0):
            reason = "the value there is not real"
            return [InteriorPoint(sample, (a, b), "undefined/complex", None, None, None, True, reason)]
    return []


# ---------------------------------------------------------------------------------- points known beforehand


def _neighbourhoods(search: _Search, marks: list[Mark]) -> list[tuple[Rational, Rational]]:
    """A rational interval around each mark, inside which nothing is left to be shown; ascending and disjoint."""
    taken: list[tuple[Rational, Rational]] = []
    for i, mark in enumerate(marks):
        others: list[Mark | Rational] = [*marks[:i], *marks[i + 1 :], S.One, S.NegativeOne]
        room = [mark.distance(other) for other in others]
        found = _at_mark(search, mark, min(room) / 2)
        if found is not None:
            taken.append(found)
    return taken


def _radii(largest: Rational) -> list[Rational]:
    """The radii to be tried: a large one, then the smallest, which tells whether the others are worth it."""
    widest = _RADII[0]
    while widest > largest > 0:
        widest /= 2
    fitting = [widest, *(r for r in _RADII if r < widest)] if largest > 0 else []
    return [*fitting[:1], *fitting[-1:], *fitting[1:-1]] if len(fitting) > 2 else fitting


def _at_mark(search: _Search, mark: Mark, largest: Rational) -> tuple[Rational, Rational] | None:
    """A neighbourhood of a point that is regular, or regular but for the point, which is then singular."""
    radii = _radii(largest)
    best: Piece | None = None
    for i, radius in enumerate(radii):
        if search.exhausted:
            break
        piece = _regular_piece(search, mark, *mark.around(radius))
        if piece is not None:
            best = piece if best is None or piece.low < best.low else best
        if (piece is not None and i != 1) or (piece is None and i == 1):
            break
    if best is not None:
        search.pieces.append(best)
        return best.rational_ends()
    if mark.exact is not None:
        return _singular_point(search, mark, mark.exact, radii)
    return _singular_root(search, mark, radii)


def _regular_piece(search: _Search, mark: Mark, low: Rational, high: Rational) -> Piece | None:
    """[low, high] around the mark as a piece, by germs at an exact point or by those in a function that vanishes."""
    if mark.exact is not None:
        try:
            reach = max(mark.high - low, high - mark.low)
            regular = regular_at(search.expr, mark.exact, reach, search.parameters)
            return Piece(low, high, False, False, Reason.GERM, regular, mark.exact)
        except NotShown:
            pass
    for root in mark.roots:
        try:
            regular = regular_near(search.expr, root.g, low, high, search.parameters)
            return Piece(low, high, False, False, Reason.GERM, regular, root)
        except NotShown:
            continue
    return None


def _singular_point(
    search: _Search, mark: Mark, point: Expr, radii: list[Rational]
) -> tuple[Rational, Rational]:
    """An exact point that is not shown to be regular: what the expansions say, and both sides of it."""
    found = classify(search.expr, point, search.parameters)
    smallest = radii[min(1, len(radii) - 1)] if radii else _NARROWEST
    if not found.proved:
        witness = compare_sides(search.expr, point, _as_ball(smallest), search.parameters)
        if witness is not None:
            kind, nu, why = witness
            found = InteriorPoint(point, (point, point), kind, nu, None, None, True, why)
    search.points.append(found)
    ordered = sorted(radii, reverse=True)
    low, high = mark.around(ordered[-1] if ordered else _NARROWEST)
    reach = {-1: low, 1: high}
    for side in (-1, 1):
        for radius in ordered:
            if search.exhausted:
                break
            reason = _beside(search, point, side, radius)
            if reason is not None:
                reach[side] = mark.around(radius)[0 if side < 0 else 1]
                left, right = (reach[side], point) if side < 0 else (point, reach[side])
                search.pieces.append(Piece(left, right, side > 0, side < 0, reason, point=point))
                break
    return reach[-1], reach[1]


def _singular_root(search: _Search, mark: Mark, radii: list[Rational]) -> tuple[Rational, Rational] | None:
    """The same at a root without a closed form; None if nothing is shown, and cells have to try."""
    for radius in sorted(radii, reverse=True):
        low, high = mark.around(radius)
        if search.exhausted:
            break
        for root in mark.roots:
            if _resolved_root(search, root, low, high):
                return low, high
    return None


def _as_ball(radius: Rational) -> arb:
    return arb(fmpq(int(radius.p), int(radius.q)))


def _beside(search: _Search, point: Expr, side: int, radius: Rational) -> Reason | None:
    try:
        analytic_beside(search.expr, point, side, radius, search.parameters)
        return Reason.SIDE
    except NotShown:
        pass
    interval = (
        Interval(point, point + radius, True, False)
        if side > 0
        else Interval(point - radius, point, False, True)
    )
    return Reason.RANGES if by_ranges(search.expr, search.parameters, interval).holds else None


# ------------------------------------------------------------------------------------------- the two ends


def _left_end(search: _Search, taken: list[tuple[Rational, Rational]]) -> Rational:
    return _end(search, -1, taken[0][0] if taken else Rational(1, 2))


def _right_end(search: _Search, taken: list[tuple[Rational, Rational]]) -> Rational:
    return _end(search, 1, taken[-1][1] if taken else Rational(-1, 2))


def _end(search: _Search, at: int, limit: Rational) -> Rational:
    """The inner end of the piece next to u = +-1; where nothing is shown, a narrow interval remains open."""
    room = abs(at - limit)
    for width in (r for r in _RADII if r <= room):
        if search.exhausted:
            break
        inner = at - at * width
        low, high = sorted((Rational(at), inner))
        if search.test.holds(low, high):
            search.pieces.append(Piece(low, high, False, False, Reason.CELL))
            return inner
        regular = _end_germ(search.expr, at, width, search.parameters)
        if regular is not None:
            search.pieces.append(Piece(low, high, False, False, Reason.END, regular, S(at)))
            return inner
        reason = _beside(search, S(at), -at, width)
        if reason is not None:
            search.pieces.append(Piece(low, high, at < 0, at > 0, reason, point=S(at)))
            return inner
    return at - at * min(_RADII[-1], room)


def _end_germ(expr: Expr, at: int, width: Rational, parameters: Parameters) -> Regular | None:
    try:
        return regular_at_end(expr, at, width, parameters)
    except NotShown:
        return None


def end_pieces(found: Cover) -> tuple[Piece | None, Piece | None]:
    """Pieces that hold u = -1 and u = +1 themselves; what the search for the cover has not come across is asked now."""
    test = CellTest(found.expr, found.parameters)
    result: list[Piece | None] = []
    for at in (-1, 1):
        known = [p for p in found.pieces if p.contains_end(at)]
        piece = known[0] if known else None
        for width in () if known else _RADII[1::2]:
            low, high = sorted((Rational(at), at - at * width))
            if test.holds(low, high):
                piece = Piece(low, high, False, False, Reason.CELL)
                break
            regular = _end_germ(found.expr, at, width, found.parameters)
            if regular is not None:
                piece = Piece(low, high, False, False, Reason.END, regular, S(at))
                break
        result.append(piece)
    return result[0], result[1]


# ------------------------------------------------------------------------------------------------- cells


def _fill(search: _Search, low: Rational, high: Rational) -> None:
    """Cells between two pieces, halved until they hold; what is too narrow is looked at as a whole."""
    failing: list[tuple[Rational, Rational]] = []
    # the widest first, so that an exhausted search leaves narrow gaps
    heap = [(low - high, low, high)]
    while heap:
        _, a, b = heappop(heap)
        search.cells += 1
        if search.test.holds(a, b):
            search.pieces.append(Piece(a, b, False, False, Reason.CELL))
        elif b - a <= _NARROWEST or search.exhausted:
            failing.append((a, b))
        else:
            middle = (a + b) / 2
            for left, right in ((a, middle), (middle, b)):
                heappush(heap, (left - right, left, right))
    for a, b in _merged(failing):
        _examine(search, a, b)


def _merged(cells: list[tuple[Rational, Rational]]) -> list[tuple[Rational, Rational]]:
    result: list[tuple[Rational, Rational]] = []
    for a, b in sorted(cells):
        if result and result[-1][1] == a:
            result[-1] = (result[-1][0], b)
        else:
            result.append((a, b))
    return result


def _examine(search: _Search, a: Rational, b: Rational) -> None:
    """A narrow interval on which no cell holds: a root of an open condition that accounts for all of it, or a gap."""
    if search.exhausted or b - a > 64 * _NARROWEST:
        return
    for requirement in search.test.open_conditions(a, b):
        g = requirement.g
        middle = (a + b) / 2
        guess = Fraction(int(middle.p), int(middle.q)).limit_denominator(10**4)
        exact = Rational(guess.numerator, guess.denominator)
        if a <= exact <= b and _vanishes(g, exact):
            reach = max(exact - a, b - exact, _NARROWEST)
            if _resolved(search, exact, reach, a, b):
                return
        root = isolate(g, a, b)
        if root is not None and _resolved_root(search, root, a, b):
            return


def _vanishes(g: Expr, point: Rational) -> bool:
    value = dag.value_at(g, u, point)
    return value is not None and decide.is_zero(value) is Truth.TRUE


def _resolved(search: _Search, point: Rational, reach: Rational, a: Rational, b: Rational) -> bool:
    """Whether a neighbourhood of an exact point covers [a, b]."""
    for radius in (8 * reach, 2 * reach, reach):
        try:
            regular = regular_at(search.expr, point, radius, search.parameters)
        except NotShown:
            continue
        search.pieces.append(Piece(a, b, False, False, Reason.GERM, regular, point))
        return True
    found = classify(search.expr, point, search.parameters)
    if not found.proved:
        return False
    reasons = [
        _beside(search, point, side, end) if end > 0 else Reason.SIDE
        for side, end in ((-1, point - a), (1, b - point))
    ]
    search.points.append(found)
    for low, high, reason in ((a, point, reasons[0]), (point, b, reasons[1])):
        if reason is not None and low < high:
            search.pieces.append(Piece(low, high, low == point, high == point, reason, point=point))
    return True


def _resolved_root(search: _Search, root: Root, a: Rational, b: Rational) -> bool:
    """The same for a root that is known by its bracket."""
    try:
        regular = regular_near(search.expr, root.g, a, b, search.parameters)
        search.pieces.append(Piece(a, b, False, False, Reason.GERM, regular, root))
        return True
    except NotShown:
        pass
    found = classify_near(search.expr, root, a, b, search.parameters)
    if found is None:
        return False
    # the germs from both sides are analytic on the cell, the root left out
    if root.high < a or root.low > b:
        search.pieces.append(Piece(a, b, False, False, Reason.SIDE, point=root))
        return True
    if not any(_overlap(found.enclosure, p.enclosure) for p in search.points):
        search.points.append(found)
    search.pieces.append(Piece(a, root.high, False, True, Reason.SIDE, point=root))
    search.pieces.append(Piece(root.low, b, True, False, Reason.SIDE, point=root))
    return True


def _overlap(first: tuple[Expr, Expr], second: tuple[Expr, Expr]) -> bool:
    return not sign_of(first[1] - second[0]).negative and not sign_of(second[1] - first[0]).negative
