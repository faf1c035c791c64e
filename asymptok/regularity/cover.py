"""A finite cover of (-1, 1) by pieces, each with a reason that stands alone, and what was left open.

A piece is the whole interval by ranges, a closed cell by balls, a neighbourhood of a point by germs, or a half-open
interval next to a point. Regularity is proved if the pieces cover everything; a doubt that remains anywhere is an
entry of `gaps`, and no other piece removes it. A singular point is a witness: expansions from both sides that no
smooth function has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from heapq import heappop, heappush
from time import process_time
from typing import Any

import sympy
from sympy import ComplexRootOf, Expr, Poly, PolynomialError, Rational, S

from asymptok import dag
from asymptok.balls import ball, complex_ball
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import Ranges
from asymptok.errors import AsymptokError
from asymptok.precision import flint_precision
from asymptok.regularity.cells import CellTest
from asymptok.regularity.choices import has_choices
from asymptok.regularity.equations import solve
from asymptok.regularity.factoring import with_factored_denominators
from asymptok.regularity.intervals import Interval, sign_of
from asymptok.regularity.model import NotShown
from asymptok.regularity.neighbourhood import Regular, analytic_beside, regular_at, regular_at_end
from asymptok.regularity.points import InteriorPoint, classify
from asymptok.regularity.ranges import OPEN, by_ranges
from asymptok.regularity.roots import Root, classify_root, isolate
from asymptok.symbols import u
from asymptok.truth import Truth

#: seconds of processor time after which the search ends with what is left open
_SECONDS = 2.5
#: cells in all, and the narrowest
_MAX_CELLS = 6000
_NARROWEST = Rational(1, 2**18)
#: radii of the neighbourhoods that are tried
_RADII = tuple(Rational(1, 2**j) for j in (2, 3, 5, 7, 10, 14, 18, 24))
#: the degree up to which all roots of a polynomial are isolated
_MAX_DEGREE = 60
#: where in a gap a complex value is looked for
_SAMPLES = (Rational(1, 2), Rational(2, 7), Rational(5, 6))


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
    #: what is proved at u = -1 and u = +1, None if nothing
    ends: tuple[Regular | None, Regular | None] = (None, None)
    #: subexpressions of which nothing is known
    unknown: tuple[Expr, ...] = ()

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


@dataclass
class _Search:
    expr: Expr
    test: CellTest
    pieces: list[Piece] = field(default_factory=list)
    points: list[InteriorPoint] = field(default_factory=list)
    gaps: list[tuple[Expr, Expr]] = field(default_factory=list)
    ends: list[Regular | None] = field(default_factory=lambda: [None, None])
    cells: int = 0
    until: float = 0.0

    @property
    def exhausted(self) -> bool:
        return self.cells > _MAX_CELLS or process_time() > self.until


def cover(expr: Expr) -> Cover:
    """Cover (-1, 1) for an expression without parameters.

    >>> found = cover(sympy.sin(u)/u + sympy.sqrt(1 - u))
    >>> found.smooth, len(found.gaps)
    (TRUE, 0)
    >>> [str(p) for p in cover(sympy.Abs(u) + sympy.sin(u)/u).points]
    ['kink at u = 0: the derivative of order 1 jumps, from -1 to 1']
    """
    whole = by_ranges(expr, {}, OPEN)
    if not whole.holds:
        expr = with_factored_denominators(expr)
        whole = by_ranges(expr, {}, OPEN)
    if whole.holds:
        piece = Piece(S.NegativeOne, S.One, True, True, Reason.RANGES)
        return Cover(expr, (piece,))
    if not has_choices(expr) and (whole.unknown or any(not r.g.has(u) for r in whole.open)):
        # a function that nobody knows, or a condition on a constant that fails: no cell would hold
        everything = [(S.NegativeOne, S.One)]
        return Cover(
            expr, (), tuple(_complex_values(expr, everything)), tuple(everything), unknown=whole.unknown
        )
    search = _Search(expr, CellTest(expr), until=process_time() + _SECONDS)
    taken = _neighbourhoods(search, list(_marks(whole.open)))
    low, high = _left_end(search, taken), _right_end(search, taken)
    edges = [low, *(x for a, b in taken for x in (a, b)), high]
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        if a < b:
            _fill(search, a, b)
    if search.gaps and not any(p.proved for p in search.points):
        search.points += _complex_values(expr, search.gaps)
    return Cover(
        expr,
        tuple(sorted(search.pieces, key=lambda p: float(p.low))),
        tuple(sorted(search.points, key=lambda p: float(sympy.N(p.enclosure[0])))),
        tuple(search.gaps),
        (search.ends[0], search.ends[1]),
        tuple(whole.unknown),
    )


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


def _marks(conditions: Any) -> Iterator[Expr]:
    """Exact numbers in (-1, 1) at which a condition fails, as far as they have a closed form."""
    seen: list[Expr] = []
    for requirement in conditions:
        for root in _exact_roots(requirement.g):
            if sign_of(root + 1) == 1 and sign_of(1 - root) == 1 and root not in seen:
                seen.append(root)
    seen.sort(key=lambda x: float(sympy.N(x)))
    distinct: list[Expr] = []
    for root in seen:
        if not distinct or sign_of(root - distinct[-1]) == 1:
            distinct.append(root)
    yield from distinct


def _exact_roots(g: Expr) -> list[Expr]:
    if g.is_polynomial(u):
        try:
            polynomial = Poly(g, u)
        except PolynomialError:
            return []
        if polynomial.degree() < 1:
            return []
        if polynomial.degree() <= _MAX_DEGREE and all(c.is_Rational for c in polynomial.all_coeffs()):
            return [r for r in dict.fromkeys(polynomial.real_roots()) if not isinstance(r, ComplexRootOf)]
    parts = sympy.Mul.make_args(g) if g.is_Mul else (g,)
    return [r for part in parts for r in solve(part).values if r.is_number and _is_real(r)]


def _is_real(root: Expr) -> bool:
    if root.is_real is not None:
        return bool(root.is_real)
    try:
        return bool(ball(root, prec=128).is_finite())
    except AsymptokError:
        return False


def _neighbourhoods(search: _Search, marks: list[Expr]) -> list[tuple[Rational, Rational]]:
    """A rational interval around each mark, inside which nothing is left to be shown; ascending and disjoint."""
    taken: list[tuple[Rational, Rational]] = []
    for i, point in enumerate(marks):
        room = [_distance(point, other) for other in (*marks[:i], *marks[i + 1 :], S.One, S.NegativeOne)]
        largest = min(room) / 2
        found = _at_point(search, point, largest)
        if found is not None:
            taken.append(found)
    return taken


def _distance(a: Expr, b: Expr) -> Rational:
    """A rational number below |a - b|."""
    return _rational(abs(ball(a - b, prec=128)).lower()) * Rational(1023, 1024)


def _rational(x: Any) -> Rational:
    exact = x.mid().fmpq() if not x.is_exact() else x.fmpq()
    return Rational(int(exact.p), int(exact.q))


def _at_point(search: _Search, point: Expr, largest: Rational) -> tuple[Rational, Rational] | None:
    """A neighbourhood of an exact point that is regular, or regular but for the point, which is then singular."""
    radii = [r for r in _RADII if r <= largest]
    for radius in radii:
        if search.exhausted:
            return None
        try:
            regular = regular_at(search.expr, point, radius)
        except NotShown:
            continue
        low, high = _inside(point, radius)
        search.pieces.append(Piece(low, high, False, False, Reason.GERM, regular, point))
        return low, high
    found = classify(search.expr, point, {})
    search.points.append(found)
    return _punctured(search, point, radii)


def _inside(point: Expr, radius: Rational) -> tuple[Rational, Rational]:
    """A rational interval around the point within the radius."""
    if point.is_Rational:
        return point - radius, point + radius
    with flint_precision(160):
        value = ball(point)
        low, high = _rational((value - 0).lower()), _rational((value - 0).upper())
    shrunk = radius * Rational(1023, 1024)
    return high - shrunk, low + shrunk


def _punctured(search: _Search, point: Expr, radii: list[Rational]) -> tuple[Rational, Rational]:
    """Both sides of a point that is singular; where nothing is shown, the narrowest interval remains open."""
    narrowest = radii[-1] if radii else _NARROWEST
    low, high = _inside(point, narrowest)
    reach = {-1: low, 1: high}
    for side in (-1, 1):
        for radius in radii:
            if search.exhausted:
                break
            reason = _beside(search.expr, point, side, radius)
            if reason is not None:
                reach[side] = _inside(point, radius)[0 if side < 0 else 1]
                ends = (reach[side], point) if side < 0 else (point, reach[side])
                search.pieces.append(Piece(*ends, side > 0, side < 0, reason, point=point))
                break
        else:
            search.gaps.append((reach[side], point) if side < 0 else (point, reach[side]))
    return reach[-1], reach[1]


def _beside(expr: Expr, point: Expr, side: int, radius: Rational) -> Reason | None:
    try:
        analytic_beside(expr, point, side, radius)
        return Reason.SIDE
    except NotShown:
        pass
    interval = (
        Interval(point, point + radius, True, False)
        if side > 0
        else Interval(point - radius, point, False, True)
    )
    return Reason.RANGES if by_ranges(expr, {}, interval).holds else None


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
            search.ends[(at + 1) // 2] = Regular.ANALYTIC
            search.pieces.append(Piece(low, high, False, False, Reason.CELL))
            return inner
        regular = _end_germ(search.expr, at, width)
        if regular is not None:
            search.ends[(at + 1) // 2] = regular
            search.pieces.append(Piece(low, high, False, False, Reason.END, regular, S(at)))
            return inner
        reason = _beside(search.expr, S(at), -at, width)
        if reason is not None:
            search.pieces.append(Piece(low, high, at < 0, at > 0, reason, point=S(at)))
            return inner
    width = min(_RADII[-1], room)
    inner = at - at * width
    low, high = sorted((Rational(at), inner))
    search.gaps.append((low, high))
    return inner


def _end_germ(expr: Expr, at: int, width: Rational) -> Regular | None:
    try:
        return regular_at_end(expr, at, width)
    except NotShown:
        return None


def ends_of(found: Cover) -> tuple[Regular | None, Regular | None]:
    """What holds at u = -1 and u = +1; what the search for the cover has not come across is asked now."""
    test = CellTest(found.expr)
    result = []
    for at, known in zip((-1, 1), found.ends, strict=True):
        regular = known
        for width in _RADII[1::2]:
            if regular is not None:
                break
            low, high = sorted((Rational(at), at - at * width))
            regular = Regular.ANALYTIC if test.holds(low, high) else _end_germ(found.expr, at, width)
        result.append(regular)
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
        search.gaps.append((a, b))
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
    search.gaps.append((a, b))


def _vanishes(g: Expr, point: Rational) -> bool:
    try:
        dom = ExactDomain(Ranges())
        return dom.is_zero(dom.constant(dag.rebuild(g, {u: point}))) is Truth.TRUE
    except (AsymptokError, ZeroDivisionError):
        return False


def _resolved(search: _Search, point: Rational, reach: Rational, a: Rational, b: Rational) -> bool:
    """Whether a neighbourhood of an exact point covers [a, b]."""
    for radius in (8 * reach, 2 * reach, reach):
        try:
            regular = regular_at(search.expr, point, radius)
        except NotShown:
            continue
        search.pieces.append(Piece(a, b, False, False, Reason.GERM, regular, point))
        return True
    found = classify(search.expr, point, {})
    if not found.proved:
        return False
    reasons = [
        _beside(search.expr, point, side, end) if end > 0 else Reason.SIDE
        for side, end in ((-1, point - a), (1, b - point))
    ]
    search.points.append(found)
    for low, high, reason in ((a, point, reasons[0]), (point, b, reasons[1])):
        if reason is None:
            search.gaps.append((low, high))
        elif low < high:
            search.pieces.append(Piece(low, high, low == point, high == point, reason, point=point))
    return True


def _resolved_root(search: _Search, root: Root, a: Rational, b: Rational) -> bool:
    """The same for a root that is known by its bracket."""
    radius = 2 * (b - a)
    try:
        regular = regular_at(search.expr, None, radius, root.ball(), root.zeros(), root.values())
        search.pieces.append(Piece(a, b, False, False, Reason.GERM, regular, root))
        return True
    except NotShown:
        pass
    found = classify_root(search.expr, root, radius)
    if found is None:
        return False
    # the germs from both sides are analytic within the radius, the root left out
    search.points.append(found)
    search.pieces.append(Piece(a, root.high, False, True, Reason.SIDE, point=root))
    search.pieces.append(Piece(root.low, b, True, False, Reason.SIDE, point=root))
    return True


def _short(x: Any) -> str:
    return str(x) if len(str(x)) < 24 else str(sympy.N(x, 12))


__all__ = ["Cover", "Piece", "Reason", "cover"]
