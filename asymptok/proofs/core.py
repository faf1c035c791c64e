"""What a certificate needs to know about a kernel, whatever the dimension: terms, slits and the outer curve.

If kappa(cos theta) is analytic in (0, pi) x (-h, h) and R is kappa minus its first terms at both ends, then
    |mu_k(kappa) - mu_k(terms)| <= (B_+ + B_-) T(beta, k) + G S A_k e^(-(k+1)h)
for every k > beta and every d >= 2, with |Im R| <= B x^beta on the slits and G = (1/pi) int |R sin| on Im theta = h.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flint import arb, fmpq
from sympy import Expr, Rational

from asymptok.balls import ball
from asymptok.precision import flint_precision
from asymptok.proofs.curves import NotProved, upper_edge
from asymptok.proofs.program import Program, program
from asymptok.proofs.samples import Exponent
from asymptok.proofs.slits import Slit, cover, slit_bound
from asymptok.spectrum.integrate import idle_removed
from asymptok.spectrum.local import Unproved
from asymptok.spectrum.switches import Resolver, prepared

#: heights of the strip that are tried
HEIGHTS = tuple(fmpq(n, 16) for n in (24, 20, 16, 12, 8, 6, 4, 3, 2, 1))
#: and of ellipses in which an analytic kernel is
ELLIPSES = (
    *(fmpq(n, 16) for n in (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28)),
    *(fmpq(n, 4) for n in range(8, 25, 2)),
)
#: bits of boxes, of points, and points on a circle
_BOX_BITS, _BITS, _POINTS = 80, 192, 96


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
    slits: tuple[Slit | None, Slit | None]
    terms: tuple[EndTerm, ...]
    bounds: tuple[Bound, ...]
    bits: int


def analytic_form(expr: Expr) -> Expr:
    """The kernel without switches that never switch; Unproved if a kink may be left inside."""
    reduced = idle_removed(prepared(expr))
    if Resolver(reduced).switching:
        raise Unproved("the kernel may have a kink inside the interval")
    return reduced


@lru_cache(maxsize=64)
def analytic_core(expr: Expr, terms: int = 9, bits: int = _BITS, points: int = _POINTS) -> Core:
    """The core of a kernel with bounds after up to `terms` exponents; Unproved if no strip is found."""
    kernel = program(analytic_form(expr))
    if 0 in kernel.grids:
        raise Unproved("the exponents of t at an end are no simple fractions")
    if kernel.grids == (1, 1):
        return _analytic(kernel, expr, bits)
    for height in HEIGHTS:
        try:
            return _at_height(kernel, expr, height, terms, bits, points)
        except NotProved:
            continue
    raise Unproved("no strip around the interval in which the kernel is shown to be analytic")


def _analytic(kernel: Program, expr: Expr, bits: int) -> Core:
    """Series in t at both ends: kappa is analytic inside the ellipse, no slit is left, and G alone bounds mu_k."""
    bounds = []
    with flint_precision(_BOX_BITS):
        for height in ELLIPSES:
            try:
                edge = upper_edge(kernel, height)
            except NotProved:
                continue
            bounds.append(Bound(None, arb(0), arb(0), _Edge(edge, ()).total(), height))
    if not bounds:
        raise Unproved("no ellipse around the interval in which the kernel is shown to be analytic")
    return Core(expr, (None, None), (), tuple(bounds), bits)


def _at_height(kernel: Program, expr: Expr, height: fmpq, terms: int, bits: int, points: int) -> Core:
    with flint_precision(_BOX_BITS):
        edge = upper_edge(kernel, height)
    with flint_precision(bits):
        # a series in t crosses its slit: nothing is to be proved there, and nothing contributes
        slits = [
            None if grid == 1 else cover(kernel, at, grid, slit_length(height, grid), points)
            for at, grid in zip((1, -1), kernel.grids, strict=True)
        ]
        exponents = _exponents([slit for slit in slits if slit is not None], terms)
        found = tuple(
            EndTerm(slit.at, e, 0, slit.coefficient(fmpq(int(e.p), int(e.q))))
            for slit in slits
            for e in exponents[:-1]
            if slit is not None and (e * slit.grid).is_Integer
        )
        edges = _Edge(edge, found)
        bounds = []
        for beta in exponents[1:]:
            at = fmpq(int(beta.p), int(beta.q))
            plus, minus = (arb(0) if slit is None else slit_bound(slit, at) for slit in slits)
            bounds.append(Bound(beta, plus, minus, edges.integral(beta), height))
    return Core(expr, (slits[0], slits[1]), found, tuple(bounds), bits)


def slit_length(height: fmpq, grid: int) -> fmpq:
    """A rational just above (cosh h - 1)^(1/grid)."""
    y = (arb(height).cosh() - 1).root(grid) if grid > 1 else arb(height).cosh() - 1
    return fmpq(int((y * 4096).upper().ceil().unique_fmpz()) + 1, 4096)


def _exponents(slits: list[Slit], count: int) -> list[Rational]:
    """The first `count` + 1 exponents that leave something on a slit."""
    grids = {slit.grid for slit in slits if slit.grid > 1}
    found = {Rational(n, grid) for grid in grids for n in range(1, (count + 2) * grid) if n % grid}
    return sorted(found)[: count + 1]


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
