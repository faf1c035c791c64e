"""Kernels with kinks, jumps, fractional powers and logarithms inside (-1, 1): one contour for all of kappa.

There is a vertical line at every point. Between neighbouring points p kappa is F_j, analytic in its part of the
strip, so that |u-p| sqrt(1-u^2) is of this kind though neither branch is analytic at both ends (`branches`). Let S be
the terms below beta at both ends, each of the branch at its end, P the exact terms inside (`waves`), and
R_j = F_j - S - P on the j-th part, P with those terms that are not zero there. The contour of kappa - S - P follows the
slits and the curve Im theta = h, with R_j on its part, and both sides of each line Re theta = theta_0, where the two
neighbours differ by what the terms leave: g - sum c_n (u-p)^n times (u-p)^nu (log(u-p))^j for each part (`InnerPart`)
of p; g may be singular at the other points. Hence
    |mu_k - mu_k(S + P)| <= (B_+ + B_-) T(beta, k) + G S A_k e^(-(k+1)h)
                            + sum K/pi A_k Q E^b X Gamma(b+1)/(k+1)^(b+1),  b = nu + N.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sympy
from flint import acb, acb_poly, arb, fmpq
from sympy import Add, Expr, S

from asymptok import dag
from asymptok.atlas.branches import Factor, Factored, InnerPart, factored, gaps_of
from asymptok.atlas.core import HEIGHTS, USUAL, Core, Effort, core_of, end_slit, kernel_program
from asymptok.atlas.curves import NotProved, pieces, upper_edge
from asymptok.atlas.factors import curve_factor
from asymptok.atlas.local import Unproved
from asymptok.atlas.samples import Exponent, Sample, Straddles, StripSample, principal_power
from asymptok.atlas.waves import InnerRest, InnerTerm, rest_bound
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.functions.cuts import off_negative_axis
from asymptok.patience import remembered
from asymptok.precision import flint_precision
from asymptok.quantities import whole
from asymptok.symbols import u

__all__ = ["Inside", "expanded", "inside", "on_boundary"]

#: denominators of Re theta/pi of vertical lines
_GRAIN = 4096
#: pieces of the boundary on which a small difference of large numbers is bounded, in units of those of others
_FINER = 16
#: lines beside a point: half of the way to both ends, or this part of the way to the neighbours
_ROOMS = (0, 2, 6, 24)
#: the degree at which heights are compared
_LOOKED_AT = 40
#: an expression in the strip
Function = Callable[[Sample], acb]


@dataclass(frozen=True, slots=True)
class Inside:
    """The exact terms inside, what they leave on the vertical lines, and terms and bounds of the whole contour."""

    terms: tuple[InnerTerm, ...]
    rests: tuple[InnerRest, ...]
    core: Core

    @property
    def left_by_points(self) -> arb:
        """What the lines add to mu_k at most, at a usual degree and dimension."""
        return sum((rest_bound(rest, _LOOKED_AT, 3) for rest in self.rests), arb(0))

    @property
    def left_by_curve(self) -> arb:
        """The same of the curve."""
        bound = self.core.bounds[-1]
        return bound.curve * curve_factor(arb(bound.height), _LOOKED_AT, 3)


@remembered(maxsize=32)
def inside(
    expr: Expr,
    order: int,
    count: int,
    effort: Effort = USUAL,
    heights: tuple[fmpq, ...] = HEIGHTS,
    betas: tuple[Expr, ...] | None = None,
) -> Inside:
    """The contour with exact terms below (u-p)^(nu+order+1) inside, at a height at which it is proved and useful.

    >>> found = inside(sympy.Abs(u - sympy.Rational(1, 2)) * sympy.exp(u), 3, 9)
    >>> found.terms[0].exponent, found.terms[0].coefficient, found.rests[0].beta
    (1, 2*exp(1/2), 4)
    """
    places, branches = gaps_of(expr)
    found = _Contour(places, branches, order)
    reason = "no strip around the interval in which the kernel is analytic but for its points inside"
    best: Inside | None = None
    for room in _ROOMS:
        for height in heights:
            try:
                here = found.at(height, count, effort, betas, room)
            except NotProved:
                continue
            except Unproved as error:
                reason = str(error)
                continue
            if best is not None and not here.left_by_points < best.left_by_points:
                return best
            best = here
            # a lower strip is worth a look only if the lines leave more than the curve
            if not here.left_by_curve < here.left_by_points:
                return best
        if best is not None:
            return best
    raise Unproved(reason)


class _Contour:
    def __init__(self, places: list[Expr], branches: list[Expr], order: int) -> None:
        self.places, self.branches, self.order = places, branches, order
        self.gaps = [
            factored(branch, [(p, 1 if i < j else -1) for i, p in enumerate(places)])
            for j, branch in enumerate(branches)
        ]
        self.parts = [part for i in range(len(places)) for part in self._at_point(i)]
        self.expansions = [expanded(part, order) for part, _ in self.parts]
        self.terms = [term for terms, _ in self.expansions for term in terms]
        if not self.terms:
            raise Unproved("no singular point inside is known exactly")
        self.functions: dict[Expr, Function] = {}

    def _at_point(self, i: int) -> list[tuple[InnerPart, Factored]]:
        """What is singular at one point, right and left of it, and the difference of what is not."""
        place, left, right = self.places[i], self.gaps[i], self.gaps[i + 1]
        found: dict[tuple[Expr, int, int], Factored] = {}
        for side, gap in ((1, right), (-1, left)):
            for factors, g in gap.items():
                mine = [f for f in factors if f.location == place]
                others = tuple(f for f in factors if f.location != place)
                nu, logs = (mine[0].nu, mine[0].log_power) if mine else (S.Zero, 0)
                # a jump is added to the right of the point
                key, value = ((nu, side, logs), g) if mine else ((nu, 1, logs), side * g)
                sums = found.setdefault(key, {})
                sums[others] = sympy.expand_mul(sums.get(others, S.Zero) + value)
        result = []
        for (nu, side, logs), sums in found.items():
            kept = {factors: g for factors, g in sums.items() if g != 0}
            if kept:
                g = sympy.Add(*(sympy.Mul(h, *(f.expr for f in factors)) for factors, h in kept.items()))
                result.append((InnerPart(place, nu, side, g, logs), kept))
        return result

    def at(self, height: fmpq, count: int, effort: Effort, betas: Sequence[Expr] | None, room: int) -> Inside:
        """The contour at one height; NotProved if a branch is not shown to be analytic where it is used."""
        cuts = self._cuts(room)
        last = len(self.places)
        with flint_precision(effort.box_bits):
            for j, gap in enumerate(self.gaps):
                # from beyond the point on the right to beyond the one on the left
                low = cuts[j][0] if j < last else fmpq(0)
                high = cuts[j - 1][1] if j else fmpq(1)
                for g in gap.values():
                    if not g.is_polynomial(u):
                        self._boundary({(): g}, height, low, high, effort.pieces)
            edge = [piece for j in range(last + 1) for piece in self._edge(j, height, effort.pieces)]
        rests = []
        for (part, pieces_of_g), (_, taylor) in zip(self.parts, self.expansions, strict=True):
            if taylor is not None:
                low, high = cuts[self.places.index(part.location)]
                with flint_precision(effort.box_bits):
                    around = self._boundary(pieces_of_g, height, low, high, _FINER * effort.pieces)
                left, logs = self.order + 1, part.log_power
                size = on_boundary(part, taylor, left, effort, around)
                rests.append(InnerRest(part.location, part.nu, left, size, height, logs))
        with flint_precision(effort.bits):
            slits = [
                end_slit(self.branches[j], at, height, effort, count, betas) for j, at in ((last, 1), (0, -1))
            ]
            core = core_of(self.branches[0], edge, slits, height, count, effort, betas)
        return Inside(tuple(self.terms), tuple(rests), core)

    def _cuts(self, room: int) -> list[tuple[fmpq, fmpq]]:
        """Re theta/pi of lines on both sides of every point, a part of the way to the ends or to its neighbours."""
        with flint_precision(128):
            angles = [whole((ball(p).acos() / arb.pi() * _GRAIN).mid().floor()) for p in self.places]
        if any(not 1 < a < _GRAIN - 2 for a in angles) or len(set(angles)) < len(angles):
            raise Unproved("the points inside are too close to each other, or to an end")
        around = [_GRAIN, *angles, 0]
        found = []
        for i, a in enumerate(angles):
            left, right = (around[i], around[i + 2]) if room else (_GRAIN, 0)
            part = max(2, room)
            right, left = (part - 1) * a + right, (part - 1) * (a + 1) + left
            found.append((fmpq(right, part * _GRAIN), fmpq(left, part * _GRAIN)))
        return found

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

    def _sum(self, pieces_of_g: Factored) -> Function:
        """A sum of products as a function in the strip."""
        summands = [(factors, self._function(g)) for factors, g in pieces_of_g.items()]

        def value(sample: Sample) -> acb:
            total = acb(0)
            for factors, function in summands:
                product = function(sample)
                for factor in factors:
                    product = product * _power(sample.u, factor, factor.nu)
                total = total + product
            return total

        return value

    def _boundary(
        self, g: Factored, height: fmpq, low: fmpq, high: fmpq, count: int
    ) -> list[tuple[arb, StripSample, acb]]:
        """The values on the upper half of the boundary of low < Re theta/pi < high, lines at the ends left out."""
        runner = _Runner(self._sum(g))
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
        branch = self._sum(self.gaps[j])
        # long constants are evaluated once, not on every piece
        terms = [(t, ball(t.coefficient)) for t in self.terms if self._active(t.location, t.side, j)]

        def value(sample: Sample) -> acb:
            total = branch(sample)
            for term, coefficient in terms:
                total = total - coefficient * _power(sample.u, term, term.exponent)
            return total

        angles = [ball(p).acos() / arb.pi() for p in self.places]
        low = fmpq(0) if j == len(self.places) else _outward(angles[j].lower(), -1)
        high = fmpq(1) if j == 0 else _outward(angles[j - 1].upper(), 1)
        return upper_edge(_Runner(value), height, max(8, count // (len(self.places) + 1)), low, high)


def expanded(part: InnerPart, order: int) -> tuple[list[InnerTerm], list[tuple[int, Expr]] | None]:
    """The terms up to (u-p)^(nu+order), and those of g in u - p; None for these if they are all of g."""
    if not part.nu > -1:
        raise _told(part, "a power inside that is not integrable")
    for node in dag.postorder(part.g):
        root = (node.is_Pow and not node.exp.is_Integer) or node.func is sympy.log
        if root and node.args[0].is_polynomial(u) and _vanishes(node.args[0], part.location):
            raise Unproved(
                f"next to u = {part.location} the kernel is not a sum of powers of the distance times power series: "
                f"{dag.brief(node)} stands inside another function"
            )
    try:
        found = puiseux(part.g, u, part.location, "+", order)
    except AsymptokError as error:
        raise _told(part, str(error)) from error
    if any(t.log_power or not (t.exponent.is_Integer and t.exponent >= 0) for t in found.terms):
        raise _told(part, "no power series there")
    # (p-u)^n = (-1)^n (u-p)^n
    terms = [
        InnerTerm(
            part.location,
            part.nu + t.exponent,
            part.side,
            part.side ** int(t.exponent) * t.coefficient,
            part.log_power,
        )
        for t in found.terms
    ]
    polynomial = Add(*(t.coefficient * (u - part.location) ** t.exponent for t in found.terms))
    if part.g.is_polynomial(u) and sympy.expand(part.g - polynomial) == 0:
        return terms, None
    taylor = [(int(t.exponent), t.coefficient) for t in found.terms]
    return terms, taylor


def _vanishes(polynomial: Expr, point: Expr) -> bool:
    return bool(sympy.expand(polynomial.subs(u, point)) == 0)


def _told(part: InnerPart, reason: str) -> Unproved:
    """The reason with the point and the function that it speaks of."""
    where = f"{'right' if part.side == 1 else 'left'} of u = {part.location}"
    shown = Add(*(f for f in Add.make_args(part.whole) if not f.is_polynomial(u))) or part.whole
    return Unproved(f"{dag.brief(shown)} {where}: {reason}")


def on_boundary(
    part: InnerPart,
    taylor: list[tuple[int, Expr]],
    count: int,
    effort: Effort,
    edge: list[tuple[arb, StripSample, acb]],
) -> arb:
    """K from the values of g on pieces of a boundary."""
    with flint_precision(effort.bits):
        place = ball(part.location)
        polynomial = acb_poly(_coefficients(taylor))
        size = arb(0)
        for _, sample, value in edge:
            x = sample.u - place
            size = arb.max(size, (abs(value - polynomial(x)) / abs(x) ** count).upper())
        return size.upper()


def _coefficients(taylor: list[tuple[int, Expr]]) -> list[acb]:
    found = dict(taylor)
    return [acb(ball(found[n])) if n in found else acb(0) for n in range(max(found, default=-1) + 1)]


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


def _power(z: acb, at: Factor | InnerTerm, exponent: Expr) -> acb:
    """x^e (log x)^j, x = side (u - p), real on its side of p: u is real on the interval and beyond the ends alone."""
    base = at.side * (z - ball(at.location))
    power = principal_power(base, Exponent.of(exponent)) if exponent != 0 else acb(1)
    if not at.log_power:
        return power
    if not off_negative_axis(base):
        raise Straddles
    return power * base.log() ** at.log_power
