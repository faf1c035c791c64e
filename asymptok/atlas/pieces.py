"""[0, pi] cut where the kernel changes its expression.

Intervals on which a switch stays open are halved; what is left at the end is a set of tiny cells around the kinks and
jumps, and between them the kernel is a known expression. Nothing is sampled: a kink cannot be missed.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq
from sympy import Expr

from asymptok.atlas.local import Doubt, Unproved
from asymptok.atlas.signs import Factor, Open, Signs
from asymptok.atlas.switches import Resolver
from asymptok.precision import flint_precision
from asymptok.truth import Sign

#: cells that may be open at once before the search is given up
_MOST_OPEN = 2_000
#: bits to which [0, pi] is cut in search of a kernel whose switches are all idle
_IDLE = 10


@dataclass(frozen=True, slots=True)
class Piece:
    """theta/pi in [low, high], exact dyadic numbers; `expr` is None on a tiny cell around a kink."""

    low: fmpq
    high: fmpq
    expr: Expr | None


class Pieces:
    """[0, pi] cut where the kernel changes its expression; `refine` shrinks the cells around the cuts."""

    def __init__(self, expr: Expr) -> None:
        self._resolver = Resolver(expr)
        self._pieces = [Piece(fmpq(0), fmpq(1), None)]
        if not self._resolver.switching:
            self._pieces = [Piece(fmpq(0), fmpq(1), expr)]

    def refine(self, bits: int) -> list[Piece]:
        """Pieces in order, the cells without an expression no wider than 2^-bits."""
        narrow = fmpq(1, 1 << bits)
        done: list[Piece] = []
        for piece in self._pieces:
            if piece.expr is not None or piece.high - piece.low <= narrow:
                done.append(piece)
            else:
                done += self._cut(piece.low, piece.high, narrow, {})
            if sum(cell.expr is None for cell in done) > _MOST_OPEN:
                raise _not_isolated()
        self._pieces = _merged(done)
        return self._pieces

    def _cut(self, low: fmpq, high: fmpq, narrow: fmpq, known: Signs) -> list[Piece]:
        """The interval in pieces; `known` holds the signs that are proved on all of it."""
        with flint_precision(_precision(low, high)):
            try:
                return [Piece(low, high, self._resolver(interval(low, high), known))]
            except Open as reason:
                factor = reason.factor
        if high - low <= narrow:
            return [Piece(low, high, None)]
        if factor is None:
            middle = (low + high) / 2
            return self._cut(low, middle, narrow, known) + self._cut(middle, high, narrow, known)
        result: list[Piece] = []
        for left, right, sign in _isolate(factor, low, high, narrow):
            if not sign.known:
                result.append(Piece(left, right, None))
            else:
                result += self._cut(left, right, narrow, {**known, factor.f: sign.number})
        return result


def _isolate(factor: Factor, low: fmpq, high: fmpq, narrow: fmpq) -> list[tuple[fmpq, fmpq, Sign]]:
    """[low, high] in intervals of one sign of the factor, and cells no wider than `narrow` where it stays open."""
    done: list[tuple[fmpq, fmpq, Sign]] = []
    cells: list[tuple[fmpq, fmpq, Sign]] = [(low, high, Sign.UNKNOWN)]
    while any(not sign.known and right - left > narrow for left, right, sign in cells):
        done = []
        for left, right, sign in cells:
            halves = [(left, right, sign)]
            if not sign.known and right - left > narrow:
                middle = (left + right) / 2
                halves = [(x, y, _sign_between(factor, x, y)) for x, y in ((left, middle), (middle, right))]
            for cell in halves:
                if done and cell[2].known and done[-1][2] is cell[2]:
                    done[-1] = (done[-1][0], cell[1], cell[2])
                else:
                    done.append(cell)
        cells = done
        if sum(not sign.known for _, _, sign in cells) > _MOST_OPEN:
            raise _not_isolated()
    return cells


def _sign_between(factor: Factor, low: fmpq, high: fmpq) -> Sign:
    with flint_precision(_precision(low, high)):
        try:
            return Sign.of(factor(interval(low, high)))
        except Open:
            return Sign.UNKNOWN


def _precision(low: fmpq, high: fmpq) -> int:
    """Bits that tell the ends of the interval of u apart: next to u = 1 twice those of theta."""
    width = high - low
    return 64 + 2 * max(0, int(width.q).bit_length() - int(width.p).bit_length())


def _not_isolated() -> Unproved:
    return Unproved("the places where the kernel changes its branch are not isolated", Doubt.INSIDE)


def interval(low: fmpq, high: fmpq) -> arb:
    """A ball around u = cos(theta) for theta/pi in [low, high]."""
    left, right = ends(low, high)
    return left.union(right)


def ends(low: fmpq, high: fmpq) -> tuple[arb, arb]:
    """Exact numbers in [-1, 1] around cos(theta) for theta/pi in [low, high]."""
    # cos decreases, and is exact at both ends of the interval
    left = arb(-1) if high == 1 else (arb.pi() * arb(high)).cos().lower()
    right = arb(1) if low == 0 else (arb.pi() * arb(low)).cos().upper()
    return (left if left > -1 else arb(-1)), (right if right < 1 else arb(1))


def _merged(pieces: list[Piece]) -> list[Piece]:
    """Neighbours with the same expression are one piece; open cells stay apart, to be halved further."""
    result: list[Piece] = []
    for piece in pieces:
        last = result[-1] if result else None
        if last is not None and piece.expr is not None and last.expr == piece.expr:
            result[-1] = Piece(last.low, piece.high, piece.expr)
        else:
            result.append(piece)
    return result


def idle_removed(expr: Expr) -> Expr:
    """The expression without its switches, if all of them go one way on the whole interval: |u - 2| = 2 - u."""
    if not Resolver(expr).switching:
        return expr
    try:
        pieces = Pieces(expr).refine(_IDLE)
    except Unproved:
        return expr
    return pieces[0].expr if len(pieces) == 1 and pieces[0].expr is not None else expr
