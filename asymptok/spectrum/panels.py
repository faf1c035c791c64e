"""mu_k by quadrature on several charts, for kernels with kinks, jumps, narrow peaks and singular ends.

[0, pi] is cut where the kernel changes its expression (`pieces`). Each piece is halved until the expression is proved
analytic in the Bernstein ellipse rho = 4 around every panel, with a bound that makes the rule short: no narrow feature
is missed, wherever the nodes fall. Next to an end with roots or logarithms a local model is integrated (`models.caps`).
What is left are cells around kinks and singular points, too small to matter: where the kernel is bounded on them, width
times bound is a proof; where it is not (a logarithm, an integrable pole), a local model bounds the integral.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from math import ceil, log, log2
from time import process_time

import sympy
from flint import arb, fmpq
from sympy import Expr

from asymptok import dag
from asymptok.atlas.charts import Boundary, Chart, boundary, log2_upper
from asymptok.atlas.local import Doubt, Unproved
from asymptok.atlas.models.caps import Cap, cap
from asymptok.atlas.models.rules import local_model
from asymptok.atlas.pieces import Piece, Pieces, ends
from asymptok.atlas.program import Program, program
from asymptok.atlas.ranges import range_on
from asymptok.atlas.rewriting import rewritten
from asymptok.balls import ball, compile_ball, complex_ball
from asymptok.errors import AsymptokError, Impossible, PrecisionError
from asymptok.precision import flint_precision
from asymptok.progress import each, share
from asymptok.quantities import BallFunction
from asymptok.regularity import analyse
from asymptok.spectrum.moments import cosine_moments, gegenbauer_moments, normalisation
from asymptok.spectrum.nodes import gauss_legendre
from asymptok.spectrum.settle import settle
from asymptok.spectrum.value import Values
from asymptok.symbols import u

__all__ = ["features", "panel_quadrature"]

#: log 4, from below
_BETA = fmpq(88, 64)
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
#: the farthest that a local model is asked for beside a point inside
_NEAR = fmpq(1, 16)
#: its terms below this power of the distance are used
_TOP = 4


def panel_quadrature(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    """mu_k for k in `ks` to `bits` bits relative to its size, proved; Unproved if no cover by panels is found."""
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
    """Nodes with weighted values, and a bound of what was left out."""

    theta: list[arb] = field(default_factory=list)
    values: list[arb] = field(default_factory=list)
    #: the rules with their numbers of nodes
    rules: list[tuple[Boundary, int]] = field(default_factory=list)
    omitted: arb = field(default_factory=lambda: arb(0))
    panels: list[tuple[fmpq, fmpq]] = field(default_factory=list)

    def truncation(self, k: int, d: int) -> arb:
        """A bound of the errors of all rules at degree k, without c_d."""
        total = arb(0)
        for around, n in self.rules:
            total += arb((1, ceil(float(around.log2_error(n, d, [k])[0]))))
        return total


class _Run:
    """One kernel in one dimension; the pieces are refined from one precision to the next."""

    def __init__(self, expr: Expr, d: int, top: int) -> None:
        self._expr, self._d, self._top = expr, d, top
        self._pieces = Pieces(expr)

    def moments(self, ks: Sequence[int], target: int) -> dict[int, arb]:
        """mu_k with absolute errors of about 2^-target."""
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
            return {
                k: factor * (sums[k] + arb(0, (parts.truncation(k, self._d) + parts.omitted).upper()))
                for k in ks
            }


def _caps(pieces: Sequence[Piece], top: int, goal: int) -> list[Cap]:
    """Local models next to the ends where they are wanted, and where no kink is so close."""
    found = []
    for at, piece in ((1, pieces[0]), (-1, pieces[-1])):
        end = cap(rewritten(piece.expr), at, top, goal) if piece.expr is not None else None
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
        open_cells: list[tuple[fmpq, fmpq]] = []
        for piece in each(pieces):
            if piece.expr is None:
                open_cells.append((piece.low, piece.high))
            else:
                open_cells += self._piece(piece, piece.expr)
        for low, high in [] if self._survey else _clusters(open_cells):
            if not self._negligible(low, high):
                self._parts.omitted += _beside_point(self._expr, pieces, self._d, low, high)

    # ------------------------------------------------------------------------------------- one piece

    def _look(self) -> float:
        """log2 of the largest |kappa| at a few points, which are irrational: isolated holes are not hit."""
        largest = 0.0
        for j in range(_SAMPLES):
            # a singular point may be next to this one, a complex value stays
            for prec in (128, 2 * self._goal):
                with flint_precision(prec):
                    point = (arb.pi() * fmpq(2 * j + 1, 2 * _SAMPLES)).cos()
                    value = self._values(point)
                if value.is_finite():
                    break
            else:
                raise _no_value(self._expr, point)
            largest = max(largest, log2_upper(value))
        return largest

    def _piece(self, piece: Piece, expr: Expr) -> list[tuple[fmpq, fmpq]]:
        """Panels over the piece; the cells that no ellipse settles, narrower than 2^-goal, come back."""
        waiting = [(piece.low, piece.high)]
        kappa, values = program(rewritten(expr), ends=False), compile_ball(expr, [u])
        # the panels shrink by halves, at most down to 2^-goal
        for level in each(count(), self._goal + 8):
            if level == _DEEP:
                _refuse_undefined(self._expr)
            failed = [cell for cell in waiting if not self._settled(cell, kappa, values)]
            if not failed or failed[0][1] - failed[0][0] < fmpq(1, 1 << (self._goal + 8)):
                return failed
            if len(failed) > _MOST_OPEN:
                raise Unproved(
                    "the kernel is not shown to be integrable, and analytic between finitely many points, or it has "
                    "too many narrow features",
                    Doubt.INSIDE,
                )
            waiting = [
                half for low, high in failed for half in ((low, (low + high) / 2), ((low + high) / 2, high))
            ]
        raise AssertionError("unreachable: the cells shrink")

    def _settled(self, cell: tuple[fmpq, fmpq], kappa: Program, values: BallFunction) -> bool:
        """Whether the panel is done; a search that settles nothing for seconds is given up."""
        start = process_time()
        if self._panel(*cell, kappa, values):
            return True
        self._in_vain += process_time() - start
        if self._in_vain > _IN_VAIN:
            at = (arb.pi() * arb((cell[0] + cell[1]) / 2)).cos()
            raise Unproved(
                f"after {_IN_VAIN} seconds the kernel is not shown to be integrable, and analytic around u = "
                f"{at.str(8, radius=False)}",
                Doubt.COSTLY,
            )
        return False

    def _panel(self, low: fmpq, high: fmpq, kappa: Program, values: BallFunction) -> bool:
        """Whether the panel is done: by nodes, or because it does not matter."""
        level = _level(high - low)
        # next to an end u = 1 - theta^2/2 needs twice the bits of theta
        with flint_precision(64 + 2 * level):
            middle = arb.pi() * arb((low + high) / 2)
            if self._small(low, high):
                return True
            around = boundary(kappa, Chart(low, high), _BETA)
            if around is None:
                late = level > self._goal // (2 * self._d) and not self._survey
                return late and self._negligible(low, high)
            at_middle = values(middle.cos())
            size = log2_upper(at_middle) if at_middle.is_finite() else 0.0
        # the rule without nodes: what the panel is at most
        if float(around.log2_error(0, self._d, [self._top])[0]) <= -self._goal:
            self._parts.rules.append((around, 0))
            return True
        if size > self._usual + _GROWTH * (level + 8):
            return False
        n = around.nodes(self._goal, self._d, self._top)
        if n > 1.5 * (max(0.0, size) + self._goal) * log(2) / (2 * around.beta) + 12:
            return False
        n = -(-n // 8) * 8
        self._parts.panels.append((low, high))
        if len(self._parts.panels) > _MOST_PANELS:
            raise Unproved(f"more than {_MOST_PANELS} panels are needed", Doubt.COSTLY)
        self._parts.rules.append((around, n))
        if not self._survey:
            self._add_nodes(low, high, n, level, values)
        return True

    def _small(self, low: fmpq, high: fmpq) -> bool:
        """A quick look: in high dimension sin^(d-2) makes the neighbourhood of the ends vanish."""
        if self._d == 2:
            return False
        half = arb.pi() * arb((high - low) / 2)
        if (self._d - 2) * log2_upper(_largest_sine(low, high)) + log2_upper(half) > -self._goal:
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
                    f"the kernel {_short(self._expr)} cannot be evaluated to the digits asked for near u = "
                    f"{cosine.str(8, radius=False)}"
                )


# ----------------------------------------------------------------------------------- what is left out


def _beside_point(expr: Expr, pieces: Sequence[Piece], d: int, low: fmpq, high: fmpq) -> arb:
    """A bound of the integral of |kappa| sin^(d-2) over a tiny cell around an exact point, by local models beside it.

    On each side |kappa| <= M |u-p|^e there, and |u-p|^(e+1)/(e+1) is integrated.
    """
    with flint_precision(4 * _level(high - low) + 128):
        left, right = ((arb.pi() * arb(x)).cos() for x in (high, low))
        try:
            found = [p.location for p in analyse(expr).interior if p.proved]
        except AsymptokError as error:
            raise Unproved(str(error)) from error
        near = [p for p in found if p is not None and not (ball(p) < left or ball(p) > right)]
        if not 0 < low < high < 1 or len(near) != 1:
            raise _open_cell(expr, d, low)
        point = ball(near[0])
        reach = arb.max(right - point, point - left).upper().fmpq()
        weight = ((1 - point) * (1 + point) + arb(0, (3 * arb(reach)).upper())) ** arb(fmpq(d - 3, 2))
        if not reach < _NEAR or not weight.is_finite():
            raise _open_cell(expr, d, low)
        total = arb(0)
        for side, branch in ((1, _next_to(pieces, low, -1)), (-1, _next_to(pieces, high, 1))):
            beside = dag.rebuild(branch, {u: sympy.expand(near[0] + side * (1 - u))})
            model = local_model(beside, 1, reach, fmpq(_TOP), real=True)
            order = model.order
            if not order > -1:
                raise _open_cell(expr, d, low)
            total += model.size(order) * arb(reach) ** arb(order + 1) / arb(order + 1)
        return (total * weight).upper()


def _next_to(pieces: Sequence[Piece], edge: fmpq, direction: int) -> Expr:
    """The expression of the kernel next to a cell, at smaller theta for direction -1."""
    for piece in pieces:
        if piece.expr is not None and (
            piece.low < edge <= piece.high if direction < 0 else piece.low <= edge < piece.high
        ):
            return piece.expr
    raise Unproved("the kernel has no expression of its own next to a singular point")


def _open_cell(expr: Expr, d: int, low: fmpq) -> Unproved:
    at = round(float((arb.pi() * arb(low)).cos()), 12) + 0.0
    return Unproved(
        f"the kernel {_short(expr)} is not shown to be integrable on the sphere in dimension d = {d} next to "
        f"u = {at:g}: mu_k exists only if it is",
        Doubt.INSIDE,
    )


def _refuse_undefined(expr: Expr) -> None:
    """Impossible if a pole, a value that is not real or an essential singularity inside is proved."""
    try:
        found = analyse(expr).interior
    except AsymptokError:
        return  # what regularity has no answer to is left to the panels
    point = next((p for p in found if p.proved and p.undefined), None)
    if point is not None:
        raise Impossible(
            f"the kernel {_short(expr)} is not real and integrable: mu_k does not exist ({point})"
        )


def _no_value(expr: Expr, at: arb) -> AsymptokError:
    """The refusal where real balls give no value: cos(sqrt(u)) is real for u < 0 although they do not see it."""
    value, place = complex_ball(expr, {u: at}), f"at u = {at.str(8, radius=False)}"
    if value.is_finite() and not value.imag.contains(0):
        return Impossible(f"the kernel {_short(expr)} is not real {place}: there are no eigenvalues")
    return AsymptokError(
        f"the kernel {_short(expr)} is not shown to have a finite real value {place}: it must be real and integrable "
        "on (-1, 1), and written without complex intermediate values"
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


def _round_up(bits: int) -> int:
    return -(-bits // 64) * 64


def _short(expr: Expr) -> str:
    """The expression for a message, if it is short enough."""
    return str(expr) if dag.tree_size(expr) <= 60 else "of this size"
