"""A finite cover of (-1, 1) by pieces, each with a reason that stands alone, and what was left open.

Marks are points at which a condition for analyticity may fail. Between them the expression, its choices made, is shown
analytic by ranges with open ends or by boxes; at a mark the expansions from both sides decide. Smoothness is proved if
the pieces cover everything; a doubt that remains anywhere is an entry of `gaps`, and no other piece removes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from heapq import heappop, heappush

import sympy
from sympy import Expr, Rational, S

from asymptok.balls import complex_ball
from asymptok.errors import AsymptokError
from asymptok.patience import Portion
from asymptok.regularity.boxes import Boxes, Parameters
from asymptok.regularity.choices import decided, has_choices
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.intervals import OPEN, Interval, sign_of
from asymptok.regularity.local import Regular, form_on, regular_at, witness_at
from asymptok.regularity.marks import Mark, find_marks, merged
from asymptok.regularity.points import InteriorPoint
from asymptok.regularity.ranges import by_ranges
from asymptok.regularity.roots import Root, local_forms, w
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = ["Cover", "Piece", "Reason", "cover"]

#: the share of the time for a question that the search may take, and how much of that before it begins nothing new
_SHARE, _ENOUGH = 0.3, 0.5
#: cells in all, the narrowest, and the cells at most on which ranges are tried too
_MAX_CELLS, _BY_RANGES = 3000, 24
_NARROWEST = Rational(1, 2**30)
#: gaps up to this length are searched for further marks
_NARROW_GAP = Rational(1, 2**12)
#: how far from a mark ranges are tried
_RADII = tuple(Rational(1, 2**j) for j in (2, 3, 5, 8, 12, 18, 24))
#: times that the gaps of one search are searched for further marks
_ROUNDS = 2
#: where in a gap a complex value is looked for
_SAMPLES = (Rational(1, 2), Rational(2, 7), Rational(5, 6))


class Reason(Enum):
    """Why kappa is analytic on a piece, or C-infinity if that is by a flat part."""

    RANGES = "ranges with exact open ends"
    BOX = "a box of complex numbers"
    POINT = "the expansions from both sides of a point"
    FLAT = "the expansions from both sides of a point, up to a flat part"


_REASONS = {Regular.ANALYTIC: Reason.POINT, Regular.SMOOTH: Reason.FLAT}


@dataclass(frozen=True, slots=True)
class Piece:
    """[low, high], open where the flags say so; around a root without closed form that root may be left out."""

    low: Expr
    high: Expr
    low_open: bool
    high_open: bool
    reason: Reason

    def __str__(self) -> str:
        left, right = "(" if self.low_open else "[", ")" if self.high_open else "]"
        return f"{left}{sympy.N(self.low, 12)}, {sympy.N(self.high, 12)}{right}: {self.reason.value}"


@dataclass(frozen=True, slots=True)
class Cover:
    """The pieces, the points that are singular or not understood, and the intervals that no piece covers."""

    expr: Expr
    pieces: tuple[Piece, ...]
    points: tuple[InteriorPoint, ...] = ()
    gaps: tuple[tuple[Expr, Expr], ...] = ()
    #: subexpressions of which nothing is known
    unknown: tuple[Expr, ...] = ()
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
    if whole.holds:
        return Cover(expr, (Piece(S.NegativeOne, S.One, True, True, Reason.RANGES),))
    everything: list[tuple[Expr, Expr]] = [(S.NegativeOne, S.One)]
    if not has_choices(expr) and (whole.unknown or any(not r.g.has(u) for r in whole.open)):
        # an unknown function, or a condition on a constant that fails: no piece would hold
        points = tuple(_complex_values(expr, everything))
        return Cover(expr, (), points, tuple(everything), whole.unknown)
    search, time = _Search(expr, parameters, Portion(_SHARE)), Portion(_SHARE)
    gaps = everything
    with time:
        marks = find_marks(whole.open)
        for _ in range(1 + _ROUNDS):
            search = _Search(expr, parameters, time)
            search.run(marks)
            gaps = _gaps(search.pieces, search.points)
            known, marks = marks, merged(marks, search.marks_in(gaps))
            if search.exhausted or len(marks) == len(known):
                break
    if gaps and not any(p.proved for p in search.points):
        search.points += _complex_values(expr, gaps)
    return Cover(
        expr,
        tuple(sorted(search.pieces, key=lambda p: float(p.low))),
        tuple(sorted(search.points, key=lambda p: float(sympy.N(p.enclosure[0])))),
        tuple(gaps),
        tuple(whole.unknown),
        time.cut,
    )


@dataclass(frozen=True, slots=True)
class _Edge:
    """Where an interval ends: at a point that is left out, between two rationals; or at a rational, taken in."""

    value: Expr
    low: Rational
    high: Rational
    left_out: bool


@dataclass
class _Search:
    expr: Expr
    parameters: Parameters
    time: Portion
    pieces: list[Piece] = field(default_factory=list)
    points: list[InteriorPoint] = field(default_factory=list)
    cells: int = 0
    asked: int = 0

    def __post_init__(self) -> None:
        self.boxes = Boxes(self.expr, self.parameters)
        self.chooses = has_choices(self.expr)

    @property
    def exhausted(self) -> bool:
        """Out of cells or of time; or not a real function at all, and where it is regular is of no interest."""
        hopeless = any(p.proved and p.kind == "undefined/complex" for p in self.points)
        return hopeless or self.cells > _MAX_CELLS or self.time.beyond(_ENOUGH)

    def run(self, marks: list[Mark]) -> None:
        """All pieces: at the marks without a closed form, between the marks, and at the exact ones."""
        edges = [_Edge(S.NegativeOne, Rational(-1), Rational(-1), True)]
        exact: list[tuple[Mark, int]] = []
        for i, mark in enumerate(marks):
            if mark.exact is not None:
                edges += 2 * [_Edge(mark.exact, mark.low, mark.high, True)]
                exact.append((mark, len(edges) - 2))
                continue
            others: list[Mark | Rational] = [*marks[:i], *marks[i + 1 :], S.One, S.NegativeOne]
            ends = self._at_root(mark, min(mark.distance(other) for other in others) / 2)
            if ends is not None:
                edges += [_Edge(x, x, x, False) for x in ends]
        edges.append(_Edge(S.One, Rational(1), Rational(1), True))
        forms: list[Expr | None] = []
        for left, right in zip(edges[::2], edges[1::2], strict=True):
            forms += self._between(left, right)
        for mark, place in exact:
            self._at_point(mark, (forms[place], forms[place + 1]))

    def _at_point(self, mark: Mark, sides: tuple[Expr | None, Expr | None]) -> None:
        point = mark.exact
        assert point is not None
        found = regular_at(self.expr, point, sides, self.parameters)
        if found is None:
            self.points.append(witness_at(self.expr, point, sides, self.parameters))
        else:
            self.pieces.append(Piece(point, point, False, False, _REASONS[found]))

    def _at_root(self, mark: Mark, room: Rational) -> tuple[Rational, Rational] | None:
        """A neighbourhood in which nothing is left to be shown, as a function of g, which vanishes at the root."""
        for root in mark.roots:
            for radius in _RADII:
                if radius > room or self.exhausted:
                    continue
                low = max(root.bracket[0], root.low - radius)
                high = min(root.bracket[1], root.high + radius)
                bound = Boxes(root.g, self.parameters).on(low, high)
                if bound is None:
                    continue
                reach = _above(abs(bound).upper())
                for form in local_forms(self.expr, root.g):
                    reason = self._resolved(root, form, reach, {**self.parameters, w: (low, high)})
                    if reason is not None:
                        self.pieces.append(Piece(low, high, True, True, reason))
                        return low, high
        return None

    def _resolved(self, root: Root, form: Expr, reach: Rational, ranges: Parameters) -> Reason | None:
        right = form_on(form, Interval(S.Zero, reach, True, False), ranges)
        left = None if right is None else form_on(form, Interval(-reach, S.Zero, False, True), ranges)
        if left is None:
            return None
        regular = regular_at(form, S.Zero, (left, right), ranges)
        if regular is not None:
            return _REASONS[regular]
        found = witness_at(form, S.Zero, (left, right), ranges)
        if not found.proved:
            return None
        reason, place = f"{found.reason}, where {sympy.sstr(root.g)[:80]} = 0", (root.low, root.high)
        self.points.append(InteriorPoint(None, place, found.kind, found.nu, None, None, True, reason))
        return Reason.POINT

    def _between(self, left: _Edge, right: _Edge) -> tuple[Expr | None, Expr | None]:
        """Pieces from one edge to the other, and the forms of the expression next to the two."""
        form = self._form(left.value, right.value, left.left_out, right.left_out)
        if form is not None:
            return form, form
        low, first = self._beside(left, 1, right.low - left.high)
        high, last = self._beside(right, -1, right.low - left.high)
        self._fill(low, high)
        return first, last

    def _form(self, low: Expr, high: Expr, low_open: bool, high_open: bool) -> Expr | None:
        form = form_on(self.expr, Interval(low, high, low_open, high_open), self.parameters)
        if form is not None:
            self.pieces.append(Piece(low, high, low_open, high_open, Reason.RANGES))
        return form

    def _beside(self, edge: _Edge, side: int, room: Rational) -> tuple[Rational, Expr | None]:
        """The end of the piece next to an edge; a narrow interval remains open where none is found."""
        end = edge.high if side > 0 else edge.low
        for radius in _RADII if edge.left_out else ():
            if 3 * radius > room or self.exhausted:
                continue
            end = edge.high + radius if side > 0 else edge.low - radius
            ends = (edge.value, end, True, False) if side > 0 else (end, edge.value, False, True)
            form = self._form(*ends)
            if form is not None:
                return end, form
        return end, None

    def _fill(self, low: Rational, high: Rational) -> None:
        """Boxes between two pieces, halved until they hold; the widest first, so that narrow gaps are left."""
        heap = [(low - high, low, high)] if low < high else []
        while heap and not self.exhausted:
            _, a, b = heappop(heap)
            self.cells += 1
            if self.boxes.on(a, b) is not None:
                self.pieces.append(Piece(a, b, False, False, Reason.BOX))
            elif b - a > _NARROWEST and not self._by_ranges(a, b):
                middle = (a + b) / 2
                for left, right in ((a, middle), (middle, b)):
                    heappush(heap, (left - right, left, right))

    def _by_ranges(self, a: Rational, b: Rational) -> bool:
        """Where choices are made ranges may show more: Max(0, u)^(3/2) is 0 on a cell with u < 0."""
        if not self.chooses or self.asked >= _BY_RANGES:
            return False
        self.asked += 1
        return self._form(a, b, False, False) is not None

    def marks_in(self, gaps: list[tuple[Expr, Expr]]) -> list[Mark]:
        """Zeros of the conditions that ranges leave open on narrow gaps."""
        found: list[Mark] = []
        for a, b in gaps:
            low, high = (Rational(str(sympy.N(x, 30))) for x in (a, b))
            if high - low > _NARROW_GAP:
                continue
            around = Interval(low - _NARROWEST, high + _NARROWEST)
            enclosure = Enclosure(around, self.parameters)
            enclosure.range(decided(self.expr, self.parameters, around))
            found += [m for m in find_marks(enclosure.failed) if m.low <= high and low <= m.high]
        return found


def _above(x: object) -> Rational:
    exact = x.fmpq()  # type: ignore[attr-defined]
    return Rational(int(exact.p), int(exact.q))


def _gaps(pieces: list[Piece], points: list[InteriorPoint]) -> list[tuple[Expr, Expr]]:
    """What no piece is shown to reach between -1 and 1, singular points left out."""
    reached: Expr = S.NegativeOne
    closed = True  # -1 itself is not asked for
    gaps: list[tuple[Expr, Expr]] = []
    for piece in sorted(pieces, key=lambda p: (float(p.low), p.low_open)):
        order = sign_of(piece.low - reached)
        hole = order.zero and piece.low_open and not closed
        if not order.nonpositive or (hole and not any(p.location == reached for p in points)):
            gaps.append((reached, piece.low))
        further = sign_of(piece.high - reached)
        if further.positive:
            reached, closed = piece.high, not piece.high_open
        elif further.zero:
            closed = closed or not piece.high_open
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
