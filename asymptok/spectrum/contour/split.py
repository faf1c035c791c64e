"""Points inside beside two singular ends: one contour for all of kappa, with a vertical line at every point.

Between neighbouring points p kappa is F_j, analytic in its part of the strip, so that |u-p| sqrt(1-u^2) is of this kind
though neither branch is analytic at both ends. Let S be the terms below beta at both ends, each of the branch at its
end, P the exact terms inside (`inside`), and R_j = F_j - S - P on the j-th part, P with those terms that are not zero
there. The contour of kappa - S - P follows the slits and the curve Im theta = h, with R_j on its part, and both sides
of each line Re theta = theta_0, where the two neighbours differ by what the terms leave: g - sum c_n (u-p)^n times
(u-p)^nu for each part (`InnerPart`) of p. Hence
    |mu_k - mu_k(S + P)| <= (B_+ + B_-) T(beta, k) + G S A_k e^(-(k+1)h)
                            + sum K/pi A_k Q E^b X Gamma(b+1)/(k+1)^(b+1),  b = nu + N.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import sympy
from flint import acb, acb_poly, arb, fmpq
from sympy import Expr

from asymptok import dag
from asymptok.balls import ball
from asymptok.functions.cuts import off_negative_axis
from asymptok.precision import flint_precision
from asymptok.quantities import whole
from asymptok.spectrum.contour.branches import InnerPart, branches_of, jumps_from
from asymptok.spectrum.contour.core import HEIGHTS, USUAL, Core, Effort, core_of, end_slit, kernel_program
from asymptok.spectrum.contour.curves import NotProved, pieces, upper_edge
from asymptok.spectrum.contour.inside import InnerRest, InnerTerm, expanded, on_boundary
from asymptok.spectrum.contour.samples import Exponent, Sample, Straddles, StripSample, principal_power
from asymptok.spectrum.local import Unproved
from asymptok.symbols import u

__all__ = ["Split", "split"]

#: denominators of Re theta/pi of vertical lines
_GRAIN = 4096
#: pieces of the boundary on which a small difference of large numbers is bounded, in units of those of others
_FINER = 6
#: an expression in the strip
Function = Callable[[Sample], acb]


@dataclass(frozen=True, slots=True)
class Split:
    """The exact terms inside, what they leave on the vertical lines, and terms and bounds of the whole contour."""

    terms: tuple[InnerTerm, ...]
    rests: tuple[InnerRest, ...]
    core: Core


@lru_cache(maxsize=32)
def split(
    expr: Expr,
    order: int,
    count: int,
    effort: Effort = USUAL,
    heights: tuple[fmpq, ...] = HEIGHTS,
    betas: tuple[Expr, ...] | None = None,
) -> Split:
    """The contour with exact terms below (u-p)^(nu+order+1) inside, at the first height at which it is proved."""
    places, smooth, parts = branches_of(expr)
    found = _Contour(places, smooth, parts + jumps_from(places, smooth, 0), order)
    reason = "no strip around the interval in which the kernel is analytic but for its points inside"
    for wide in (True, False):
        for height in heights:
            try:
                return found.at(height, count, effort, betas, wide)
            except NotProved:
                continue
            except Unproved as error:
                reason = str(error)
    raise Unproved(reason)


class _Contour:
    def __init__(self, places: list[Expr], smooth: list[Expr], parts: list[InnerPart], order: int) -> None:
        self.places, self.smooth, self.parts, self.order = places, smooth, parts, order
        self.expansions = [expanded(part, order) for part in parts]
        self.terms = [term for terms, _ in self.expansions for term in terms]
        if not self.terms:
            raise Unproved("no singular point inside is known exactly")
        self.broken = [part for part in parts if not part.plain]
        self.functions: dict[Expr, Function] = {}

    def at(self, height: fmpq, count: int, effort: Effort, betas: Sequence[Expr] | None, wide: bool) -> Split:
        """The contour at one height; NotProved if a branch is not shown to be analytic where it is used."""
        cuts = self._cuts(wide)
        last = len(self.places)
        with flint_precision(effort.box_bits):
            for j, branch in enumerate(self.smooth):
                # from beyond the point on the right to beyond the one on the left
                low = cuts[j][0] if j < last else fmpq(0)
                high = cuts[j - 1][1] if j else fmpq(1)
                self._tested(branch, height, low, high, effort.pieces)
            for part in self.broken:
                i = self.places.index(part.location)
                low, high = (fmpq(0), cuts[i][1]) if part.side == 1 else (cuts[i][0], fmpq(1))
                self._tested(part.g, height, low, high, effort.pieces)
            edge = [piece for j in range(last + 1) for piece in self._edge(j, height, effort.pieces)]
        rests = []
        for part, (_, taylor) in zip(self.parts, self.expansions, strict=True):
            if taylor is not None:
                low, high = cuts[self.places.index(part.location)]
                with flint_precision(effort.box_bits):
                    around = self._boundary(part.g, height, low, high, _FINER * effort.pieces)
                size, _ = on_boundary(part, taylor, self.order + 1, effort, around)
                left, logs = self.order + 1, part.log_power
                rests.append(InnerRest(part.location, part.nu, left, size, arb(0), height, logs))
        with flint_precision(effort.bits):
            slits = [
                end_slit(self._branch(j), at, height, effort, count, betas) for j, at in ((last, 1), (0, -1))
            ]
            core = core_of(self.smooth[0], edge, slits, height, count, effort, betas)
        return Split(tuple(self.terms), tuple(rests), core)

    def _cuts(self, wide: bool) -> list[tuple[fmpq, fmpq]]:
        """Re theta/pi of lines on both sides of every point, half of the way to the ends or to its neighbours."""
        with flint_precision(128):
            angles = [whole((ball(p).acos() / arb.pi() * _GRAIN).mid().floor()) for p in self.places]
        if any(not 1 < a < _GRAIN - 2 for a in angles) or len(set(angles)) < len(angles):
            raise Unproved("the points inside are too close to each other, or to an end")
        around = [_GRAIN, *angles, 0]
        found = []
        for i, a in enumerate(angles):
            left, right = (_GRAIN, 0) if wide else (around[i], around[i + 2])
            found.append((fmpq(a + right, 2 * _GRAIN), fmpq(a + 1 + left, 2 * _GRAIN)))
        return found

    def _branch(self, j: int) -> Expr:
        """F_j, with every function in it that is evaluated apart."""
        active = [part for part in self.broken if self._active(part.location, part.side, j)]
        total = self.smooth[j] + sympy.Add(*(part.whole for part in active))
        nodes = set(dag.postorder(total))
        for piece in (self.smooth[j], *(part.g for part in active)):
            for node in dag.postorder(piece):
                plain = node.is_Add or node.is_Mul or not node.args or not node.has(u)
                if not plain and not (node.is_Pow and node.exp.is_Integer) and node not in nodes:
                    raise Unproved("a function inside is lost in the sum of its parts")
        return total

    def _active(self, location: Expr, side: int, j: int) -> bool:
        return (self.places.index(location) < j) == (side == 1)

    def _function(self, expr: Expr) -> Function:
        if expr not in self.functions:
            if expr.is_polynomial(u):
                coefficients = sympy.Poly(expr, u).all_coeffs()[::-1]

                def polynomial(sample: Sample) -> acb:
                    return acb_poly([acb(ball(c)) for c in coefficients])(sample.u)

                self.functions[expr] = polynomial
            else:
                self.functions[expr] = kernel_program(expr).run
        return self.functions[expr]

    def _tested(self, expr: Expr, height: fmpq, low: fmpq, high: fmpq, count: int) -> None:
        if not expr.is_polynomial(u):
            self._boundary(expr, height, low, high, count)

    def _boundary(
        self, expr: Expr, height: fmpq, low: fmpq, high: fmpq, count: int
    ) -> list[tuple[arb, StripSample, acb]]:
        """The values on the upper half of the boundary of low < Re theta/pi < high, lines at the ends left out."""
        runner = _Runner(self._function(expr))
        found = upper_edge(runner, height, count, low, high)
        for cut in (low, high):
            if cut in (0, 1):
                continue

            def across(y: arb, cut: fmpq = cut) -> StripSample:
                return StripSample.of(acb(arb.pi() * arb(cut), y))

            for _, sample, value in pieces(runner, across, fmpq(0), height, count):
                assert isinstance(sample, StripSample)
                found.append((arb(0), sample, value))
        return found

    def _edge(self, j: int, height: fmpq, count: int) -> list[tuple[arb, StripSample, acb]]:
        """F_j minus the exact terms inside on its part of the curve."""
        active = [part for part in self.broken if self._active(part.location, part.side, j)]
        # long constants are evaluated once, not on every piece
        terms = [(t, ball(t.coefficient)) for t in self.terms if self._active(t.location, t.side, j)]

        def value(sample: Sample) -> acb:
            total = self._function(self.smooth[j])(sample)
            for part in active:
                power = _power(sample.u, part, part.nu)
                total = total + power * self._function(part.g)(sample)
            for term, coefficient in terms:
                total = total - coefficient * _power(sample.u, term, term.exponent)
            return total

        angles = [ball(p).acos() / arb.pi() for p in self.places]
        low = fmpq(0) if j == len(self.places) else _outward(angles[j].lower(), -1)
        high = fmpq(1) if j == 0 else _outward(angles[j - 1].upper(), 1)
        return upper_edge(_Runner(value), height, max(8, count // (len(self.places) + 1)), low, high)


class _Runner:
    """A function in the strip, to be run along curves."""

    def __init__(self, function: Function) -> None:
        self.function = function

    def run(self, sample: Sample) -> acb:
        return self.function(sample)


def _outward(x: arb, sign: int) -> fmpq:
    """A fraction just below or above."""
    scaled = x * 2**40
    n = whole(scaled.lower().floor()) if sign < 0 else whole(scaled.upper().ceil())
    return fmpq(n, 2**40)


def _power(z: acb, at: InnerPart | InnerTerm, exponent: Expr) -> acb:
    """x^e (log x)^j, x = side (u - p), real on its side of p: u is real on the interval and beyond the ends alone."""
    base = at.side * (z - ball(at.location))
    power = principal_power(base, Exponent.of(exponent)) if exponent != 0 else acb(1)
    if not at.log_power:
        return power
    if not off_negative_axis(base):
        raise Straddles
    return power * base.log() ** at.log_power
