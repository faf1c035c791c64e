"""mu_k by Gauss-Legendre on panels in theta, for kernels with kinks, jumps, narrow peaks and singular ends.

[0, pi] is cut where the kernel changes its expression (`pieces`). Each piece is halved until the expression is
proved analytic on a box around the Bernstein ellipse rho = 4 of every panel (`analytic`), with a range that makes
the rule short. The truncation error of one panel of half-width h is at most

    (64/15) h M S^(d-2) exp(k Y) rho^(-2n)/(1 - rho^-2),   |kappa| <= M, |sin theta| <= S, |Im theta| <= Y on the box,

as for the single ellipse (`quadrature`). A box sees every narrow feature, for it encloses all values, so nothing
depends on where the nodes fall. What is left are cells around kinks and singular points, too small to matter: where
the kernel is bounded on them, width times bound is a proof; where it is not (a logarithm, an integrable pole), the
trend of the integrand towards the cell is extrapolated, and the result is an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from math import ceil, log, log2
from time import process_time

from flint import acb, arb, fmpq
from sympy import Expr

from asymptok.balls import compile_ball
from asymptok.errors import PrecisionError
from asymptok.precision import flint_precision
from asymptok.progress import each, share
from asymptok.quantities import Ball, BallFunction
from asymptok.spectrum.analytic import Analytic, analytic
from asymptok.spectrum.local import Doubt, Unproved
from asymptok.spectrum.models.caps import Cap, cap
from asymptok.spectrum.moments import cosine_moments, gegenbauer_moments, normalisation
from asymptok.spectrum.nodes import gauss_legendre
from asymptok.spectrum.pieces import Piece, Pieces, ends
from asymptok.spectrum.ranges import range_on
from asymptok.spectrum.settle import settle
from asymptok.spectrum.tails import bounded_tail, no_value, refuse_undefined, short, tail
from asymptok.spectrum.value import Values
from asymptok.symbols import u

#: semi-axes of the ellipse rho = 4
_WIDE, _HIGH = fmpq(17, 8), fmpq(15, 8)
_LOG2_RHO = 2.0
#: log2 of (64/15)/(1 - rho^-2), rounded up
_CONSTANT = 2.187
#: each of so many (2^_SHARE) panels and cells gets its share of the error allowed
_SHARE = 12
#: nodes times degrees beyond which the sums would take minutes
_MOST_WORK = 1e8
_MOST_PANELS = 20_000
#: cells that stay open at once while a piece is halved
_MOST_OPEN = 3_000
#: seconds of processor time for panels that come to nothing
_IN_VAIN = 3
#: halvings after which a pole is looked for: it would take all of them, and then be refused
_DEEP = 8
#: points at which the kernel is looked at first: is it real, and how large is it
_SAMPLES = 64
#: bits of accuracy whose panels show where the narrow features are
_FEATURE_BITS = 40
#: bits by which it may grow with each halving; an essential singularity grows faster, and is not integrable
_GROWTH = 8
#: nodes that are summed in one matrix product
_BLOCK = 4096


def panel_quadrature(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    """mu_k for k in `ks` to `bits` bits relative to its size: proved where the kernel is bounded next to its
    singular points; Unproved if no cover by panels is found."""
    top = max(ks)
    if top * top > _MOST_WORK:
        raise PrecisionError(
            f"mu_k for k = {top} of a kernel with kinks or singular points: the degree is too large"
        )
    # kinks inside make mu_k fall like a power of k, and of d
    most = ceil((d + 1) * log2(top + 2))
    start = 24 + min(most, ceil((top + 1) * log2(top + d + 2)))
    run = _Run(expr, d, top)
    return settle(run.moments, ks, bits, start, 600 + most + 2 * top)


def features(expr: Expr, d: int, bits: int) -> list[fmpq]:
    """theta/pi at the kinks (to 2^-bits) and around narrow features inside, as exact numbers in order.

    Panels that shrink towards the ends of the interval are no features: other rules see to the ends.

    >>> features(abs(u), 3, 40) == [fmpq(1, 2)]
    True
    """
    parts = _Sum()
    pieces = Pieces(expr).refine(bits)
    _Cover(expr, d, 0, _FEATURE_BITS, parts, survey=True).run(pieces)
    found = {(low + high) / 2 for low, high in _clusters([(p.low, p.high) for p in pieces if p.expr is None])}
    for low, high in parts.panels:
        width = high - low
        if width < fmpq(1, 64) and low > 16 * width and 1 - high > 16 * width:
            found |= {low, high}
    return sorted(found)


@dataclass(slots=True)
class _Sum:
    """Nodes with weighted values, and what was left out: proved bounds and estimates."""

    theta: list[arb] = field(default_factory=list)
    values: list[arb] = field(default_factory=list)
    #: (log2 of the truncation error without exp(k Y), Y)
    truncation: list[tuple[float, float]] = field(default_factory=list)
    omitted: arb = field(default_factory=lambda: arb(0))
    proved: bool = True
    panels: list[tuple[fmpq, fmpq]] = field(default_factory=list)


class _Run:
    """One kernel in one dimension; the pieces are refined from one precision to the next."""

    def __init__(self, expr: Expr, d: int, top: int) -> None:
        self._expr, self._d, self._top = expr, d, top
        self._pieces = Pieces(expr)

    def moments(self, ks: Sequence[int], target: int) -> tuple[dict[int, arb], bool]:
        """mu_k with absolute errors of about 2^-target, and whether the errors are proved."""
        goal = target + _SHARE
        pieces = self._pieces.refine(goal + 8)
        parts = _Sum()
        caps = _caps(pieces, self._top, goal)
        with share(0, 0.7):
            _Cover(self._expr, self._d, self._top, goal, parts).run(_between(pieces, caps))
        if len(parts.theta) * (self._top + 1) > _MOST_WORK:
            raise PrecisionError(
                f"mu_k up to k = {self._top} needs {len(parts.theta)} nodes: ask for fewer digits or a smaller k"
            )
        with flint_precision(target + 2 * _SHARE + 64):
            with share(0.7, 1):
                sums = _moments(parts, self._d, self._top, ks)
            for end in caps:
                for k, value in end.moments(self._d, list(ks)).items():
                    sums[k] = sums[k] + value
            factor = normalisation(self._d)
            found = {
                k: factor * (sums[k] + arb(0, (_truncation(parts, k) + parts.omitted).upper())) for k in ks
            }
        return found, parts.proved


def _caps(pieces: Sequence[Piece], top: int, goal: int) -> list[Cap]:
    """Local models next to the ends where they are wanted, and where no kink is so close."""
    found = []
    for at, piece in ((1, pieces[0]), (-1, pieces[-1])):
        end = cap(piece.expr, at, top, goal) if piece.expr is not None else None
        if end is not None and piece.high - piece.low > 4 * end.width:
            found.append(end)
    return found


def _between(pieces: Sequence[Piece], caps: list[Cap]) -> list[Piece]:
    """The pieces without the caps."""
    result = list(pieces)
    for end in caps:
        if end.at == 1:
            result[0] = replace(result[0], low=end.width)
        else:
            result[-1] = replace(result[-1], high=1 - end.width)
    return result


def _moments(parts: _Sum, d: int, top: int, ks: Sequence[int]) -> dict[int, arb]:
    total = [arb(0)] * (top + 1)
    for start in each(range(0, len(parts.theta), _BLOCK)):
        some = slice(start, start + _BLOCK)
        found = cosine_moments(parts.theta[some], parts.values[some], parts.values[some], top)
        total = [a + b for a, b in zip(total, found, strict=True)]
    return gegenbauer_moments(total, d, ks)


def _truncation(parts: _Sum, k: int) -> arb:
    total = arb(0)
    for error, height in parts.truncation:
        total += arb((1, ceil(error + k * height / log(2) + 1e-6)))
    return total


class _Cover:
    """The panels of all pieces for one goal: each panel and each cell may err by 2^-goal.

    A survey only asks how narrow the panels are: no values at nodes, and no bound for what does not matter.
    """

    def __init__(self, expr: Expr, d: int, top: int, goal: int, parts: _Sum, survey: bool = False) -> None:
        self._expr, self._d, self._top, self._goal, self._parts = expr, d, top, goal, parts
        self._survey = survey
        self._values = compile_ball(expr, [u])
        self._usual, self._in_vain = 0.0, 0.0

    def run(self, pieces: Sequence[Piece]) -> None:
        self._usual = self._look()
        # what diverges at an end or at a kink is refused before the work is done
        width = fmpq(1, 1 << (self._goal + 8))
        suspects = [
            *([(fmpq(0), width)] if pieces[0].low == 0 else []),
            *([(1 - width, fmpq(1))] if pieces[-1].high == 1 else []),
            *_clusters([(p.low, p.high) for p in pieces if p.expr is None]),
        ]
        for low, high in suspects:
            with flint_precision(64 + 2 * _level(high - low)):
                if (
                    range_on(self._expr, *ends(low, high)) is None
                    and bounded_tail(self._expr, self._d, low, high) is None
                ):
                    tail(self._expr, self._d, low, high)
        open_cells: list[tuple[fmpq, fmpq]] = []
        for piece in each(pieces):
            if piece.expr is None:
                open_cells.append((piece.low, piece.high))
            else:
                open_cells += self._piece(piece, analytic(piece.expr))
        for low, high in [] if self._survey else _clusters(open_cells):
            if not self._negligible(low, high):
                bound = bounded_tail(self._expr, self._d, low, high)
                self._parts.proved = self._parts.proved and bound is not None
                self._parts.omitted += tail(self._expr, self._d, low, high) if bound is None else bound

    # ------------------------------------------------------------------------------------- one piece

    def _look(self) -> float:
        """log2 of the largest |kappa| at a few points, which are irrational: isolated holes are not hit."""
        largest = 0.0
        with flint_precision(128):
            for j in range(_SAMPLES):
                point = (arb.pi() * fmpq(2 * j + 1, 2 * _SAMPLES)).cos()
                value = self._values(point)
                if not value.is_finite():
                    # a singular point may be next to this one, a complex value stays
                    with flint_precision(2 * self._goal):
                        point = (arb.pi() * fmpq(2 * j + 1, 2 * _SAMPLES)).cos()
                        value = self._values(point)
                if not value.is_finite():
                    raise no_value(self._expr, point)
                largest = max(largest, _log2(value))
        return largest

    def _piece(self, piece: Piece, kappa: Analytic) -> list[tuple[fmpq, fmpq]]:
        """Panels over the piece; the cells that no box settles, narrower than 2^-goal, come back."""
        waiting = [(piece.low, piece.high)]
        assert piece.expr is not None
        values = compile_ball(piece.expr, [u])
        # the panels shrink by halves, at most down to 2^-goal
        for level in each(count(), self._goal + 8):
            if level == _DEEP:
                refuse_undefined(self._expr)
            failed = [cell for cell in waiting if not self._settled(cell, kappa, values)]
            if not failed or failed[0][1] - failed[0][0] < fmpq(1, 1 << (self._goal + 8)):
                return failed
            if len(failed) > _MOST_OPEN:
                raise Unproved(
                    "the kernel is not shown to be analytic between finitely many points, or it has too many narrow "
                    "features",
                    Doubt.INSIDE,
                )
            waiting = [
                half for low, high in failed for half in ((low, (low + high) / 2), ((low + high) / 2, high))
            ]
        raise AssertionError("unreachable: the cells shrink")

    def _settled(self, cell: tuple[fmpq, fmpq], kappa: Analytic, values: BallFunction) -> bool:
        """Whether the panel is done; a search that settles nothing for seconds is given up."""
        start = process_time()
        if self._panel(*cell, kappa, values):
            return True
        self._in_vain += process_time() - start
        if self._in_vain > _IN_VAIN:
            at = (arb.pi() * arb((cell[0] + cell[1]) / 2)).cos()
            raise Unproved(
                f"after {_IN_VAIN} seconds the kernel is not shown to be analytic around u = {at.str(8, radius=False)}",
                Doubt.COSTLY,
            )
        return False

    def _panel(self, low: fmpq, high: fmpq, kappa: Analytic, values: BallFunction) -> bool:
        """Whether the panel is done: by nodes, or because it does not matter."""
        level = _level(high - low)
        # next to an end u = 1 - theta^2/2 needs twice the bits of theta
        prec = 64 + 2 * level
        with flint_precision(prec):
            middle, half = arb.pi() * arb((low + high) / 2), arb.pi() * arb((high - low) / 2)
            if self._small(low, high, half):
                return True
            box = acb(middle + arb(0, (half * arb(_WIDE)).upper()), arb(0, (half * arb(_HIGH)).upper()))
            sine, cosine = _sine_cosine(box)
            try:
                size = kappa(cosine)
            except Unproved as reason:
                if reason.kind is Doubt.RULE:
                    raise
                late = level > self._goal // (2 * self._d) and not self._survey
                return late and self._negligible(low, high)
            fixed = _log2(size) + (self._d - 2) * _log2(sine) + _log2(half) + _CONSTANT
            height = float((half * arb(_HIGH)).upper()) * (1 + 1e-12)
            at_middle = self._log2_at(middle, values)
        n = ceil((fixed + self._top * height / log(2) + self._goal) / (2 * _LOG2_RHO))
        if n <= 0:
            self._parts.truncation.append((fixed, height))
            return True
        if at_middle > self._usual + _GROWTH * (level + 8):
            return False
        allowed = 1.5 * (max(0.0, at_middle) + self._goal) / (2 * _LOG2_RHO) + 12
        if n > allowed:
            return False
        n = -(-n // 8) * 8
        self._parts.panels.append((low, high))
        if len(self._parts.panels) > _MOST_PANELS:
            raise Unproved(f"more than {_MOST_PANELS} panels are needed", Doubt.COSTLY)
        self._parts.truncation.append((fixed - 2 * _LOG2_RHO * n, height))
        if not self._survey:
            self._add_nodes(low, high, n, level, values)
        return True

    def _log2_at(self, middle: arb, values: BallFunction) -> float:
        value = values(middle.cos())
        return _log2(value) if value.is_finite() else 0.0

    def _small(self, low: fmpq, high: fmpq, half: arb) -> bool:
        """A quick look: in high dimension sin^(d-2) makes the neighbourhood of the ends vanish."""
        if self._d == 2:
            return False
        sine = _largest_sine(low, high)
        if (self._d - 2) * _log2(sine) + _log2(half) > -self._goal:
            return False
        return self._survey or self._negligible(low, high)

    def _negligible(self, low: fmpq, high: fmpq) -> bool:
        """Whether width times bound is below the share of a cell; the bound is then taken into account."""
        with flint_precision(64 + 2 * _level(high - low)):
            found = range_on(self._expr, *ends(low, high))
            if found is None:
                return False
            bound = arb.max(abs(found[0]), abs(found[1]))
            width = arb.pi() * arb(high - low)
            error = (width * bound * _largest_sine(low, high) ** (self._d - 2)).upper()
            if not error < arb((1, -self._goal)):
                return False
            self._parts.omitted += error
            return True

    def _add_nodes(self, low: fmpq, high: fmpq, n: int, level: int, values: BallFunction) -> None:
        parts, goal = self._parts, self._goal + n.bit_length()
        prec = _round_up(goal + 2 * level + 32)
        most = 16 * prec + 4096
        todo = [(j, sign) for j in range(n // 2) for sign in (1, -1)]
        while todo:
            left: list[tuple[int, int]] = []
            rule = gauss_legendre(n, prec)
            with flint_precision(prec):
                middle, half = arb.pi() * arb((low + high) / 2), arb.pi() * arb((high - low) / 2)
                for j, sign in todo:
                    s, weight = rule[j]
                    theta = middle + sign * half * s
                    sine, cosine = theta.sin_cos()
                    value = half * weight * values(cosine) * sine ** (self._d - 2)
                    if value.is_finite() and value.rad() < arb((1, -goal)):
                        parts.theta.append(theta)
                        parts.values.append(value)
                    else:
                        left.append((j, sign))
            todo, prec = left, 2 * prec
            if left and prec > most:
                raise PrecisionError(
                    f"the kernel {short(self._expr)} cannot be evaluated to the digits asked for near u = "
                    f"{cosine.str(8, radius=False)}"
                )


# ----------------------------------------------------------------------------------------------- tools


def _clusters(cells: list[tuple[fmpq, fmpq]]) -> list[tuple[fmpq, fmpq]]:
    """Neighbouring cells as one."""
    result: list[tuple[fmpq, fmpq]] = []
    for low, high in sorted(cells):
        if result and result[-1][1] == low:
            result[-1] = (result[-1][0], high)
        else:
            result.append((low, high))
    return result


def _level(width: fmpq) -> int:
    """-log2 of the width, at least 0."""
    return max(0, int(width.q).bit_length() - int(width.p).bit_length())


def _largest_sine(low: fmpq, high: fmpq) -> arb:
    """An upper bound of sin(theta) on the cell, at least relative to its distance from the ends."""
    theta = arb.pi() * arb(high if high <= fmpq(1, 2) else 1 - low if low >= fmpq(1, 2) else fmpq(1, 2))
    return arb.min(theta.sin(), arb(1)).upper()


def _sine_cosine(z: acb) -> tuple[acb, acb]:
    """sin and cos of a box in mean value form: near theta = 0 the box of cos shrinks with |sin|."""
    middle = acb(z.mid())
    sine_middle, cosine_middle = middle.sin_cos()
    sine, cosine = z.sin_cos()
    sine = sine_middle + cosine * (z - middle)
    return sine, cosine_middle - sine * (z - middle)


def _log2(z: Ball) -> float:
    """An upper bound of log2 |z|."""
    magnitude = z.abs_upper()
    if magnitude.is_zero():
        return -1e9
    return float((magnitude.log() / arb(2).log()).upper()) + 1e-6


def _round_up(bits: int) -> int:
    return -(-bits // 64) * 64


__all__ = ["features", "panel_quadrature"]
