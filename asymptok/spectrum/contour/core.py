"""What a certificate needs to know about a kernel, whatever the dimension: terms, slits and the outer curve.

If kappa(cos theta) is analytic in (0, pi) x (-h, h) and R is kappa minus its first terms at both ends, then
    |mu_k(kappa) - mu_k(terms)| <= (B_+ + B_-) T(beta, k) + G S A_k e^(-(k+1)h)
for every k > beta and every d >= 2, with |Im R| <= B x^beta on the slits and G = (1/pi) int |R sin| on Im theta = h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from flint import arb, fmpq
from sympy import Expr

from asymptok.balls import ball
from asymptok.precision import flint_precision
from asymptok.spectrum.contour.curves import NotProved, upper_edge
from asymptok.spectrum.contour.program import Program, program
from asymptok.spectrum.contour.rewriting import rewritten
from asymptok.spectrum.contour.samples import Exponent
from asymptok.spectrum.contour.slits import Slit, cover
from asymptok.spectrum.contour.torus import TorusSlit, torus
from asymptok.spectrum.integrate import idle_removed
from asymptok.spectrum.local import Unproved, behaviour
from asymptok.spectrum.switches import Resolver, prepared

#: heights of the strip that are tried
HEIGHTS = tuple(fmpq(n, 16) for n in (26, 24, 20, 16, 12, 8, 6, 4, 3, 2, 1))
#: and of ellipses in which an analytic kernel is
ELLIPSES = (
    *(fmpq(n, 16) for n in (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28)),
    *(fmpq(n, 4) for n in range(8, 25, 2)),
)


@dataclass(frozen=True, slots=True)
class Effort:
    """Bits of boxes and of points, points on a circle, pieces of the outer curve to begin with."""

    box_bits: int = 80
    bits: int = 192
    points: int = 96
    pieces: int = 96


AnySlit = Slit | TorusSlit
#: points in each of two angles
_TORUS_POINTS = 48
USUAL = Effort()
#: another proof of the same: other points, other boxes
HIGHER = Effort(box_bits=128, bits=320, points=128, pieces=224)


@dataclass(frozen=True, slots=True)
class EndTerm:
    """c t^exponent (log t)^log_power at the end `at`, c in a ball."""

    at: int
    exponent: Expr
    log_power: int
    coefficient: Any


@dataclass(frozen=True, slots=True)
class Bound:
    """B_+, B_- and G of R = kappa minus all terms with exponents below beta."""

    beta: Expr | None
    plus: Any
    minus: Any
    curve: Any
    height: fmpq


@dataclass(frozen=True)
class Core:
    """The analytic part of a proof: every number in it holds for all dimensions."""

    expr: Expr
    slits: tuple[AnySlit | None, AnySlit | None]
    terms: tuple[EndTerm, ...]
    bounds: tuple[Bound, ...]
    effort: Effort


def analytic_form(expr: Expr) -> Expr:
    """The kernel without switches that never switch; Unproved if a kink may be left inside."""
    reduced = idle_removed(prepared(rewritten(expr)))
    if Resolver(reduced).switching:
        raise Unproved("the kernel may have a kink inside the interval")
    return reduced


def bounded_program(expr: Expr) -> Program:
    """The program of a kernel that has values at both ends; Unproved if it has none or no rule applies."""
    kernel = program(analytic_form(expr))
    for at in (1, -1):
        if behaviour(kernel.expr, at)[kernel.expr].value is None:
            raise Unproved(f"the kernel is unbounded at u = {at}")
    return kernel


@lru_cache(maxsize=64)
def analytic_core(expr: Expr, terms: int = 9, effort: Effort = USUAL) -> Core:
    """The core of a kernel with `terms` bounds; Unproved if no strip is found."""
    kernel = bounded_program(expr)
    if kernel.grids == (1, 1):
        found = [core for height in ELLIPSES if (core := _attempt(kernel, height, terms, effort)) is not None]
        if not found:
            raise Unproved("no ellipse around the interval in which the kernel is shown to be analytic")
        return replace(found[0], bounds=tuple(core.bounds[0] for core in found))
    for height in HEIGHTS:
        core = _attempt(kernel, height, terms, effort)
        if core is not None:
            return core
    raise Unproved("no strip around the interval in which the kernel is shown to be analytic")


def _attempt(kernel: Program, height: fmpq, terms: int, effort: Effort) -> Core | None:
    try:
        return core_at(kernel, height, terms, effort)
    except NotProved:
        return None


def core_at(
    kernel: Program, height: fmpq, terms: int, effort: Effort, betas: Sequence[Expr] | None = None
) -> Core:
    """The core for the strip of one height; NotProved if kappa is not shown to be analytic there.

    With `terms` bounds, each after more exponents than the one before, or for the given betas alone.
    """
    with flint_precision(effort.box_bits):
        edge = upper_edge(kernel, height, effort.pieces)
    with flint_precision(effort.bits):
        # a series in t crosses its slit: nothing is to be proved there, and nothing contributes
        slits = [
            _slit(kernel, at, grid, height, effort) for at, grid in zip((1, -1), kernel.grids, strict=True)
        ]
        present = [slit for slit in slits if slit is not None]
        if not present:
            bound = Bound(None, arb(0), arb(0), _Edge(edge, ()).total(), height)
            return Core(kernel.expr, (None, None), (), (bound,), effort)
        # a finer grid has more exponents to the unit: as many units for the same number of bounds
        stride = max(1, *(slit.grid - 1 for slit in present)) if betas is None else 1
        exponents = _exponents(present, terms * stride, betas)
        found = tuple(
            EndTerm(slit.at, e, j, c)
            for slit in present
            for e in exponents[:-1]
            for j, c in slit.coefficients(e)
        )
        edges = _Edge(edge, found)
        bounds = []
        for beta in exponents[stride::stride] if betas is None else _ascending(set(betas)):
            plus, minus = (arb(0) if slit is None else slit.bound(beta) for slit in slits)
            bounds.append(Bound(beta, plus, minus, edges.integral(beta), height))
    return Core(kernel.expr, (slits[0], slits[1]), found, tuple(bounds), effort)


def _slit(kernel: Program, at: int, grid: int, height: fmpq, effort: Effort) -> AnySlit | None:
    if grid == 1:
        return None
    if grid:
        return cover(kernel, at, grid, slit_length(height, grid), effort.points)
    return torus(kernel, at, slit_length(height, 1), min(effort.points, _TORUS_POINTS))


def slit_length(height: fmpq, grid: int) -> fmpq:
    """A rational just above (cosh h - 1)^(1/grid)."""
    y = (arb(height).cosh() - 1).root(grid) if grid > 1 else arb(height).cosh() - 1
    return fmpq(int((y * 4096).upper().ceil().unique_fmpz()) + 1, 4096)


def _exponents(slits: list[AnySlit], terms: int, betas: Sequence[Expr] | None) -> list[Expr]:
    """The first exponents of all slits, one more than `terms`; so many that the largest beta is the last."""
    count = terms + 1
    while True:
        found = _ascending({e for slit in slits for e in slit.exponents(count)})[:count]
        if not betas:
            return found
        above = [i for i, e in enumerate(found) if all(e >= beta for beta in betas)]
        if above:
            return found[: above[0] + 1]
        count *= 2


def _ascending(exponents: set[Expr]) -> list[Expr]:
    return sorted(exponents, key=lambda e: float(ball(e, prec=64).mid()))


class _Edge:
    """The upper edge of the strip with the terms on it, for one integral after the other."""

    def __init__(self, pieces: list[tuple[Any, Any, Any]], terms: tuple[EndTerm, ...]) -> None:
        self.terms = sorted(terms, key=lambda term: ball(term.exponent).mid())
        self.pieces = [
            (length, abs(sample.halves[0] * sample.halves[1]), value, sample)
            for length, sample, value in pieces
        ]
        self.done = 0

    def integral(self, beta: Expr) -> Any:
        """G for the terms below beta; betas are to be asked for in ascending order."""
        while self.done < len(self.terms) and self.terms[self.done].exponent < beta:
            term = self.terms[self.done]
            power = Exponent.of(term.exponent)
            self.pieces = [
                (length, sine, value - term.coefficient * sample.power(term.at, power), sample)
                for length, sine, value, sample in self.pieces
            ]
            self.done += 1
        return self.total()

    def total(self) -> Any:
        """(1/pi) int |R sin| with the terms subtracted so far."""
        total = sum((length * sine * abs(value) for length, sine, value, _ in self.pieces), arb(0))
        return (total / arb.pi()).upper()
