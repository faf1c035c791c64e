"""What a certificate needs to know about a kernel, whatever the dimension: terms, slits and the outer curve.

If kappa(cos theta) is analytic in (0, pi) x (-h, h) and R is kappa minus its first terms at both ends, then
    |mu_k(kappa) - mu_k(terms)| <= (B_+ + B_-) T(beta, k) + G S A_k e^(-(k+1)h)
for every k > beta and every d >= 2, with |Im R| <= B x^beta on the slits and G = (1/pi) int |R sin| on Im theta = h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import sympy
from flint import acb, arb, fmpq
from sympy import Expr, Integer, Rational

from asymptok.atlas.curves import NotProved, arc, upper_edge
from asymptok.atlas.local import Unproved
from asymptok.atlas.models.lines import ModelLine, slit_line
from asymptok.atlas.pieces import idle_removed
from asymptok.atlas.program import Program, program
from asymptok.atlas.rewriting import rewritten
from asymptok.atlas.samples import Exponent, StripSample
from asymptok.atlas.slits import Slit, cover
from asymptok.atlas.switches import Resolver, prepared
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions.orthant import Orthant
from asymptok.precision import flint_precision
from asymptok.progress import each, share
from asymptok.quantities import whole
from asymptok.symbols import u

#: heights of the strip that are tried
HEIGHTS = tuple(fmpq(n, 16) for n in (26, 24, 20, 16, 12, 8, 6, 4, 3, 2, 1))
#: distances of the exponents that carry bounds: from the last one, and from whatever lies below
_SPACING, _GAP = fmpq(3, 5), fmpq(1, 32)
#: and between the bounds behind the last exponent
_APART = 3
#: heights of ellipses in which an analytic kernel is
ELLIPSES = (
    *(fmpq(n, 16) for n in (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28)),
    *(fmpq(n, 4) for n in range(8, 25, 2)),
    *(fmpq(n) for n in (7, 8, 10, 12, 16, 24)),
)
#: how near the height of the widest ellipse is found
_FINEST = fmpq(1, 64)
_MODEST = fmpq(3, 4)
#: binary digits of a bound that is of any use
HUGE = 4000
#: strips and ellipses for singular points close to the interval
NARROW = tuple(fmpq(1, 2**n) for n in range(5, 13))


@dataclass(frozen=True, slots=True)
class Effort:
    """Bits of boxes and of points, points on a circle, pieces of the outer curve to begin with."""

    box_bits: int = 80
    bits: int = 192
    points: int = 96
    pieces: int = 96


AnySlit = Slit | ModelLine
USUAL = Effort()
#: another proof of the same: other points, other boxes
HIGHER = Effort(box_bits=128, bits=320, points=128, pieces=224)


@dataclass(frozen=True, slots=True)
class EndTerm:
    """c t^exponent (log t)^log_power at the end `at`, c in a ball."""

    at: int
    exponent: Expr
    log_power: int
    coefficient: arb


@dataclass(frozen=True, slots=True)
class Bound:
    """B_+, B_- and G of R = kappa minus all terms with exponents below beta."""

    beta: Expr | None
    plus: arb
    minus: arb
    curve: arb
    height: fmpq

    @property
    def is_of_use(self) -> bool:
        """Whether it can be written down: exp(u^9) has e^(10^30) on a curve that is far out."""
        return all(x < arb(2) ** HUGE for x in (self.plus, self.minus, self.curve))


@dataclass(frozen=True)
class Core:
    """The analytic part of a proof: every number in it holds for all dimensions."""

    expr: Expr
    slits: tuple[AnySlit | None, AnySlit | None]
    terms: tuple[EndTerm, ...]
    bounds: tuple[Bound, ...]
    effort: Effort


def require_integrable(core: Core, d: int) -> None:
    """AsymptokError unless every term is integrable on S^(d-1): t^e with e > -(d-1)/2."""
    for term in core.terms:
        if not ball(term.exponent) > -arb(fmpq(d - 1, 2)):
            raise AsymptokError(
                f"the kernel is not shown to be integrable on the sphere in dimension d = {d}: it has a term with "
                f"t^({term.exponent}) at u = {term.at}, and mu_k exists for exponents above {Rational(1 - d, 2)} only"
            )


def analytic_form(expr: Expr) -> Expr:
    """The kernel without switches that never switch; Unproved if a kink may be left inside."""
    reduced = idle_removed(prepared(rewritten(expr)))
    if Resolver(reduced).switching:
        raise Unproved("the kernel may have a kink inside the interval")
    return reduced


def kernel_program(expr: Expr) -> Program:
    """The program of a kernel; Unproved if a rule is missing."""
    return program(analytic_form(expr))


@lru_cache(maxsize=64)
def analytic_core(expr: Expr, terms: int = 9, effort: Effort = USUAL, below: fmpq | None = None) -> Core:
    """The core of a kernel with `terms` bounds, from the highest strip (less high than `below`) that serves.

    Unproved if no strip is found. Where |kappa| grows fast a low strip has the better bounds.
    """
    kernel = kernel_program(expr)
    if kernel.grids == (1, 1):
        found: list[Core] = []
        for height in ELLIPSES:
            core = _attempt(kernel, height, terms, effort)
            if found and core is None:
                found += _wider(kernel, found[-1].bounds[0].height, height, terms, effort)
            if found and (core is None or not core.bounds[0].is_of_use):
                break  # what is not analytic in an ellipse is not so in a larger one, and |kappa| grows
            found += [] if core is None else [core]
        for height in NARROW:
            core = None if found else _attempt(kernel, height, terms, effort)
            found += [] if core is None else [core]
        if not found:
            raise Unproved("no ellipse around the interval in which the kernel is shown to be analytic")
        return replace(found[0], bounds=tuple(core.bounds[0] for core in found))
    reason = "no strip around the interval in which the kernel is shown to be analytic"
    # erfc(sin(theta)) is as large as exp(sinh(h)^2): in a high strip boxes enclose next to nothing
    heights = [h for h in HEIGHTS if h <= _MODEST] if kernel.expr.has(Orthant) else HEIGHTS
    for height in (*heights, *NARROW[:2]):
        if below is not None and height >= below:
            continue
        try:
            core = core_at(kernel, height, terms, effort)
        except NotProved:
            continue
        except Unproved as error:
            reason = str(error)
            continue
        if any(bound.is_of_use for bound in core.bounds):
            return core
        reason = f"all bounds exceed 2^{HUGE}"
    raise Unproved(reason)


def _wider(kernel: Program, low: fmpq, high: fmpq, terms: int, effort: Effort) -> list[Core]:
    """The core of the widest ellipse found by halving between one that serves and one that does not, if any."""
    widest: list[Core] = []
    while high - low > _FINEST:
        middle = (low + high) / 2
        core = _attempt(kernel, middle, terms, effort)
        if core is not None and core.bounds[0].is_of_use:
            low, widest = middle, [core]
        else:
            high = middle
    return widest


def _attempt(kernel: Program, height: fmpq, terms: int, effort: Effort) -> Core | None:
    try:
        return core_at(kernel, height, terms, effort)
    except NotProved:
        return None


def core_at(
    kernel: Program, height: fmpq, terms: int, effort: Effort, betas: Sequence[Expr] | None = None
) -> Core:
    """The core for the strip of one height; NotProved if kappa is not shown to be analytic there.

    With `terms` bounds, each after more exponents than the one before, or for the given betas alone. Unproved if a
    local model does not reach so far.
    """
    with flint_precision(effort.box_bits):
        edge = upper_edge(kernel, height, effort.pieces)
    with flint_precision(effort.bits):
        # a series in t crosses its slit: nothing is to be proved there, and nothing contributes
        with share(0.2, 0.6):
            slits = [
                _slit(kernel, at, grid, height, effort, _highest(terms, betas))
                for at, grid in each(list(zip((1, -1), kernel.grids, strict=True)))
            ]
        with share(0.6, 1):
            return core_of(kernel.expr, edge, slits, height, terms, effort, betas)


def core_of(
    expr: Expr,
    edge: list[tuple[arb, StripSample, acb]],
    slits: Sequence[AnySlit | None],
    height: fmpq,
    terms: int,
    effort: Effort,
    betas: Sequence[Expr] | None,
) -> Core:
    """Terms and bounds from the values on the curve and from what is proved on the slits."""
    present = [slit for slit in slits if slit is not None]
    if not present:
        bound = Bound(None, arb(0), arb(0), _Edge(edge, ()).total(), height)
        return Core(expr, (None, None), (), (bound,), effort)
    if betas is not None and not betas:
        raise Unproved("a singular end, and no bound on its slit")
    exponents, wanted = _exponents(present, terms, betas)
    found = tuple(
        EndTerm(slit.at, e, j, c) for slit in present for e in exponents for j, c in slit.coefficients(e)
    )
    edges = _Edge(edge, found)
    bounds = []
    for beta in each(wanted):
        plus, minus = (arb(0) if slit is None else slit.bound(beta) for slit in slits)
        bounds.append(Bound(beta, plus, minus, edges.integral(beta), height))
    return Core(expr, (slits[0], slits[1]), found, tuple(bounds), effort)


def end_slit(
    expr: Expr, at: int, height: fmpq, effort: Effort, terms: int, betas: Sequence[Expr] | None
) -> AnySlit | None:
    """What is proved on the slit of one end; None where kappa is a series in t there."""
    if expr.is_polynomial(u):
        return None
    kernel = kernel_program(expr)
    return _slit(kernel, at, kernel.grids[0 if at == 1 else 1], height, effort, _highest(terms, betas))


def _slit(kernel: Program, at: int, grid: int, height: fmpq, effort: Effort, highest: fmpq) -> AnySlit | None:
    if grid == 1:
        return None
    if grid:
        return cover(kernel, at, grid, slit_length(height, grid), effort.points)
    length = slit_length(height, 1)
    line = slit_line(kernel.expr, at, length, highest)
    with flint_precision(effort.box_bits):
        arc(kernel, at, length)
    return line


def _highest(terms: int, betas: Sequence[Expr] | None) -> fmpq:
    """An exponent up to which a model lists its terms."""
    return fmpq(max(terms, *(whole(ball(beta, prec=64).upper().ceil()) for beta in betas or ()), 0))


def slit_length(height: fmpq, grid: int) -> fmpq:
    """A rational just above (cosh h - 1)^(1/grid)."""
    y = (arb(height).cosh() - 1).root(grid) if grid > 1 else arb(height).cosh() - 1
    return fmpq(whole((y * 4096).upper().ceil()) + 1, 4096)


def _exponents(
    slits: list[AnySlit], terms: int, betas: Sequence[Expr] | None
) -> tuple[list[Expr], list[Expr]]:
    """The exponents of the terms, ascending, and the betas of the bounds, each above one of them."""
    lines = [slit for slit in slits if isinstance(slit, ModelLine)]
    series = [slit for slit in slits if isinstance(slit, Slit)]
    if lines:
        return _of_models(lines, series, terms, betas)
    # a finer grid has more exponents to the unit: as many units for the same number of bounds
    stride = max(1, *(slit.grid - 1 for slit in series))
    count = terms * stride + 1
    while True:
        found = _ascending({e for slit in series for e in slit.exponents(count)})[:count]
        if betas is None:
            reached = [e for e in found if all(ball(e) <= arb(slit.reach) for slit in series)]
            if len(reached) <= stride:
                raise Unproved(f"the local model ends before t^({found[stride]})")
            return reached[:-1], reached[stride::stride]
        wanted = _ascending(set(betas))
        if found[-1] >= wanted[-1]:
            return [e for e in found if e < wanted[-1]], wanted
        count *= 2


def _of_models(
    lines: list[ModelLine], series: list[Slit], terms: int, betas: Sequence[Expr] | None
) -> tuple[list[Expr], list[Expr]]:
    """The same where an end has a model: every exponent below `complete` is listed, and no beta lies above it."""
    highest = _highest(terms, betas) + 1
    complete = min([*(line.model.top for line in lines), *(slit.reach for slit in series)])
    complete = min(complete, highest) if series else complete
    unclean = {e.exponent for line in lines for e in line.ordered if not e.clean}
    known = {e.exponent for line in lines for e in line.ordered}
    known |= {e for slit in series for e in slit.exponents(int(highest.p // highest.q + 1) * slit.grid)}
    found = [e for e in _ascending(known) if ball(e) < arb(complete)]
    if betas is None and not found:
        # powers of t alone, as in sin(pi u)/(1-u): only what the models leave is on the slits
        wanted: list[Expr] = [Integer(n) for n in range(1, terms + 1, _APART) if complete >= n]
        if not wanted:
            raise Unproved("the models at the ends do not reach far enough")
        return [], wanted
    if betas is None:
        # behind the last exponent of all there is nothing left on the slits but the rests of the models
        last = found[-1] + max(1, -sympy.floor(found[-1]))
        # (an expansion that goes on beyond what was asked for is cut off there, and has logarithms behind)
        ends = not unclean or ball(found[-1]) <= arb(highest)
        behind = [last + i for i in range(0, terms, _APART) if ends and ball(last + i) <= arb(complete)]
        possible = [e for e in [*found, *behind] if ball(e) <= arb(highest) or e in behind]
        # T(beta, k) is an integral for beta > -1; terms below are subtracted, whatever is integrable. A negative beta
        # says less than the others from k = 1 on
        spaced = _spaced(possible, unclean)
        wanted = [e for e in spaced if e >= 0][:terms] or [e for e in spaced if ball(e) > -1]
    else:
        wanted = _ascending(set(betas))
    if not ball(wanted[-1]) <= arb(complete):
        raise Unproved("a bound beyond the terms of the models")
    return [e for e in found if e < wanted[-1]], wanted


def _spaced(found: list[Expr], unclean: set[Expr]) -> list[Expr]:
    """Some of the exponents, at a distance from each other; where a logarithm outweighs the power, a little below."""
    values = [ball(e, prec=64) for e in found]
    picked: list[Expr] = []
    last = values[0]
    for i in range(1, len(found)):
        gap = values[i] - values[i - 1]
        if not (values[i] - last > _SPACING and gap > _GAP):
            continue
        room = fmpq(whole((gap * 32).lower().floor()), 64)
        room = min(room, fmpq(1, 4)) if found[i] in unclean else fmpq(0)
        picked.append(found[i] - Rational(int(room.p), int(room.q)))
        last = values[i]
    if not picked:
        raise Unproved("the exponents at the ends are too close to each other")
    return picked


def _ascending(exponents: set[Expr]) -> list[Expr]:
    return sorted(exponents, key=lambda e: float(ball(e, prec=64).mid()))


class _Edge:
    """The upper edge of the strip with the terms on it, for one integral after the other."""

    def __init__(self, pieces: list[tuple[arb, StripSample, acb]], terms: tuple[EndTerm, ...]) -> None:
        self.terms = sorted(terms, key=lambda term: ball(term.exponent).mid())
        self.pieces = [
            (length, abs(sample.halves[0] * sample.halves[1]), value, sample)
            for length, sample, value in pieces
        ]
        self.done = 0

    def integral(self, beta: Expr) -> arb:
        """G for the terms below beta; betas are to be asked for in ascending order."""
        while self.done < len(self.terms) and self.terms[self.done].exponent < beta:
            term = self.terms[self.done]
            power, j = Exponent.of(term.exponent), term.log_power
            self.pieces = [
                (length, sine, value - term.coefficient * sample.term(term.at, power, j), sample)
                for length, sine, value, sample in self.pieces
            ]
            self.done += 1
        return self.total()

    def total(self) -> arb:
        """(1/pi) int |R sin| with the terms subtracted so far."""
        total = sum((length * sine * abs(value) for length, sine, value, _ in self.pieces), arb(0))
        return (total / arb.pi()).upper()
