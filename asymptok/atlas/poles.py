"""Kernels with poles and branch points at known points off [-1, 1]: exact terms there, and what they leave.

A summand is g(u) times powers of polynomials over the rationals, g(u) log p(u) or g(u) atan(a u + b), with g analytic
in the ellipse of height H. Roots z, L_z and the arcs are those of `factored`. Next to z the summand is exp(q L_z) h
or L_z h; the terms h_n (z-u)^(q+n), n < N, have exact eigenvalues (`laws.point_terms`). Without them it is analytic in
the ellipse up to the arcs, and the contour runs around the ellipse and along both sides of each arc, where the two
values differ by 2 sin(pi q) |z-u|^q |h - sum| (2 pi |h - sum| for logarithms, nothing for poles). On the arc
|z-u| <= (y-y_0) cosh H and |q_k| <= S A_k e^(-(k+1)y), y_0 = log 1/|r|, so that with K >= |h - sum|/|z-u|^N and
beta = q + N it adds at most
    |sin(pi q)|/pi K S A_k (cosh H)^(beta+1) Gamma(beta+1)/(k+1)^(beta+1) |r|^(k+1).
K is the maximum on the boundary of a disc in the plane of theta, cos(theta) = u, that holds the arc.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from flint import acb, acb_poly, arb, fmpq
from sympy import Expr, S

from asymptok.atlas.core import ELLIPSES, HUGE, USUAL, Effort, kernel_program
from asymptok.atlas.curves import NotProved, upper_edge
from asymptok.atlas.factored import Root, Summand, point, power_at, summands_of, zeta_of
from asymptok.atlas.factors import curve_factor, series_bound
from asymptok.atlas.local import Unproved
from asymptok.atlas.samples import Straddles, StripSample
from asymptok.balls import ball
from asymptok.functions.cuts import off_negative_axis
from asymptok.laws.point_terms import outer_term
from asymptok.precision import flint_precision

#: terms at a branch point
_TERMS = 12
#: radii of discs, as shares of the distance of theta_0 from the next point with the same cosine; boxes on the circle
_SHARES = tuple(fmpq(n, 64) for n in (56, 44, 34, 26, 20, 15, 11, 8, 5, 3, 2, 1))
_BOXES = 128
#: heights for branch points
_FINE = tuple(fmpq(n, 32) for n in range(1, 129))
_TRIED = 10
#: degree and dimension at which the best height is chosen
_LOOKED_AT = (40, 3)


@dataclass(frozen=True, slots=True)
class Pole:
    """c (z-u)^exponent (log(z-u))^log_power (u-z instead if Re z < 0), and its conjugate if z is not real."""

    location: Expr
    exponent: Expr
    log_power: int
    coefficient: acb

    @property
    def real(self) -> bool:
        return bool(self.location.is_real)


@dataclass(frozen=True, slots=True)
class Arc:
    """What the terms at a branch point leave on its arc: |sin(pi q)| K (pi K for a logarithm), beta = q + N, H."""

    location: Expr
    beta: Expr
    size: arb
    height: fmpq


@dataclass(frozen=True, slots=True)
class Meromorphic:
    """The terms at all points in some ellipses, what they leave on arcs, and (G, height) for each ellipse."""

    poles: tuple[Pole, ...]
    arcs: tuple[Arc, ...]
    bounds: tuple[tuple[arb, fmpq], ...]


def meromorphic(expr: Expr, heights: tuple[fmpq, ...] | None = None, effort: Effort = USUAL) -> Meromorphic:
    """Of the ellipses with singular points in them those with the most; for branch points the best one of these.

    Unproved if there is none.
    """
    with flint_precision(effort.bits):
        summands = summands_of(expr)
        if not any(s.roots for s in summands):
            raise Unproved("no singular points are seen")
        branches = any(_branches(s, r) for s in summands for r in s.roots)
        best: Meromorphic | None = None
        discs: dict[tuple[int, Expr], list[_Disc]] = {}
        for height in heights or (_near(summands) if branches else ELLIPSES):
            try:
                found = _at(summands, height, effort, discs)
            except (NotProved, Straddles):
                continue
            if not found.poles:
                continue
            if best is None or len(found.poles) > len(best.poles):
                best = found
            elif len(found.poles) == len(best.poles):
                if not branches:
                    best = Meromorphic(best.poles, (), (*best.bounds, *found.bounds))
                elif _error(found) < _error(best):
                    best = found
    if best is None:
        raise Unproved("no ellipse with the singular points inside is found")
    return best


def _branches(s: Summand, root: Root) -> bool:
    return s.logs or not root.q.is_Integer


def _near(summands: tuple[Summand, ...]) -> tuple[fmpq, ...]:
    """Heights just above the nearest singular point."""
    least = min((_height(r.z) for s in summands for r in s.roots), key=lambda x: float(x.mid()))
    above = [h for h in _FINE if arb(h) > least]
    return tuple(above[:2] + above[2 : 4 * _TRIED : 4])


def _error(found: Meromorphic) -> arb:
    k, d = _LOOKED_AT
    curve, height = found.bounds[0]
    return sum((arc_bound(a, k, d) for a in found.arcs), curve * curve_factor(arb(height), k, d)).upper()


# one ellipse ---------------------------------------------------------------------------------------------


def _at(
    summands: tuple[Summand, ...], height: fmpq, effort: Effort, discs: dict[tuple[int, Expr], list[_Disc]]
) -> Meromorphic:
    """One ellipse; NotProved if a g is not shown to be analytic there, or a root may lie on its edge.

    `discs` keeps what does not depend on the ellipse.
    """
    poles: dict[tuple[Expr, Expr, int], acb] = {}
    arcs: list[Arc] = []
    total = arb(0)
    for i, s in enumerate(summands):
        program = kernel_program(s.g)
        if program.grids != (1, 1):
            raise Unproved(f"{s.g} is not shown to be analytic at the ends")
        with flint_precision(effort.box_bits):
            edge = upper_edge(program, height, effort.pieces)
        inner = [r for r in s.roots if _is_inside(r.z, height)]
        _require_apart(inner)
        mine: list[Pole] = []
        for root in inner:
            if point(root.z).imag < 0:
                continue  # the conjugate stands for it
            if (i, root.z) not in discs:
                discs[i, root.z] = _discs(s, root, effort)
            terms, arc = _expanded(s, root, height, discs[i, root.z])
            mine += terms
            arcs += [] if arc is None else [arc]
        for length, sample, value in edge:
            zeta = ((sample.halves[1] - acb(0, 1) * sample.halves[0]) ** 2) / 2  # exp(-i theta)
            rest = value * s.factor(sample.u, zeta) - _sum(mine, zeta, sample.u)
            total = total + length * abs(sample.halves[0] * sample.halves[1]) * abs(rest)
        for p in mine:
            key = (p.location, p.exponent, p.log_power)
            poles[key] = poles.get(key, acb(0)) + p.coefficient
    if not total < arb(2) ** HUGE:
        raise NotProved
    found = tuple(Pole(*key, c) for key, c in poles.items())
    return Meromorphic(found, tuple(arcs), (((total / arb.pi()).upper(), height),))


def _is_inside(z: Expr, height: fmpq) -> bool:
    """Whether the ellipse holds z; NotProved on its edge, Unproved on the interval."""
    value = point(z)
    gap = arb(height).exp() - abs(zeta_of(value))
    if value.imag.contains(0) and not abs(value.real) > 1:
        raise Unproved("a singular point on the interval")
    if not (gap > 0 or gap < 0):
        raise NotProved
    return bool(gap > 0)


def _require_apart(roots: list[Root]) -> None:
    """No arc runs through another root."""
    for i, first in enumerate(roots):
        for second in roots[:i]:
            if not off_negative_axis(-zeta_of(point(first.z)) / zeta_of(point(second.z))):
                raise NotProved


@dataclass(frozen=True, slots=True)
class _Disc:
    """The first h_n from a disc around theta_0, and K on it."""

    radius: arb
    taylor: list[acb]
    size: arb


def _expanded(s: Summand, root: Root, height: fmpq, discs: list[_Disc]) -> tuple[list[Pole], Arc | None]:
    """The terms at a root, and what they leave on its arc: by the disc with the least K of those that hold the arc."""
    branches = _branches(s, root)
    reach = arb(height) - _height(root.z)
    wide = [disc for disc in discs if not branches or reach < disc.radius]
    if not wide:
        raise NotProved
    best = min(wide, key=lambda disc: float(disc.size.log().mid()) if branches else 0)
    nu = S.Zero if s.logs else root.q
    taylor = [acb(c.real) for c in best.taylor] if root.z.is_real else best.taylor
    terms = [Pole(root.z, nu + n, int(s.logs), c) for n, c in enumerate(taylor)]
    if not branches:
        return terms, None
    weight = arb.pi() if s.logs else abs(arb(fmpq(int(nu.p), int(nu.q))).sin_pi())
    return terms, Arc(root.z, nu + len(terms), (weight * best.size).upper(), height)


def _discs(s: Summand, root: Root, effort: Effort) -> list[_Disc]:
    """Discs around theta_0 in which h is analytic, proved by the tests on their circles; the widest if z is a pole."""
    place, branches, program = point(root.z), _branches(s, root), kernel_program(s.g)
    count = _TERMS if branches else -int(root.q)
    centre = acb(0, 1) * zeta_of(place).log()
    # -theta_0 has the same cosine, as all translates of both by 2 pi have
    side = arb.min(abs(centre.real), arb.pi() - abs(centre.real))
    # a product: the square of a ball around 0 as a power is no number in FLINT
    widest = 2 * (centre.imag**2 + side * side).sqrt()

    def at(theta: acb) -> tuple[acb, acb, acb]:
        """h, z - u (or u - z) and du/dtheta."""
        sample, zeta = StripSample.of(theta), (acb(0, -1) * theta).exp()
        if not s.logs and not all(r.regular(zeta) for r in s.roots if r is not root):
            raise Straddles
        value = program.run(sample) * s.factor(sample.u, zeta, root)
        return value, root.side * (place - sample.u), -theta.sin()

    found: list[_Disc] = []
    for share in _SHARES:
        radius = widest * arb(share)
        try:
            with flint_precision(effort.box_bits):
                boxes = [acb(arb(fmpq(2 * j + 1, _BOXES), fmpq(1, _BOXES))).exp_pi_i() for j in range(_BOXES)]
                circle = [at(centre + radius * box) for box in boxes]
            points = [acb(arb(fmpq(2 * j, effort.points))).exp_pi_i() for j in range(effort.points)]
            values = [(x, *at(centre + radius / 2 * x)) for x in points]
        except Straddles:
            continue
        taylor = [_coefficient(n, values, circle, radius, -root.side) for n in range(count)]
        polynomial, size = acb_poly(taylor), arb(0)
        for h, w, _ in circle:
            size = arb.max(size, (abs(h - polynomial(w)) / w.abs_lower() ** count).upper())
        if size.is_finite():
            found.append(_Disc(radius, taylor, size))
            if not branches:
                break
    return found


def _coefficient(
    n: int,
    values: list[tuple[acb, acb, acb, acb]],
    circle: list[tuple[acb, acb, acb]],
    radius: arb,
    sign: int,
) -> acb:
    """h_n, the residue of h du/w^(n+1) at theta_0: the trapezoidal rule on half the radius, with its aliasing error."""
    count = len(values)
    total = sum((x * h * slope / w ** (n + 1) for x, h, w, slope in values), acb(0)) * radius / (2 * count)
    largest = arb(0)
    for h, w, slope in circle:
        largest = arb.max(largest, (abs(h * slope) / w.abs_lower() ** (n + 1) * radius).upper())
    error = (largest * arb(2) ** -count / (1 - arb(2) ** -count)).upper()
    return sign * total + acb(arb(0, error), arb(0, error))


# points --------------------------------------------------------------------------------------------------


def _height(z: Expr) -> arb:
    return abs(zeta_of(point(z))).log()


# what they add -------------------------------------------------------------------------------------------


def _sum(poles: list[Pole], zeta: acb, x: acb) -> acb:
    """The terms at u = x, with their conjugates."""
    total = acb(0)
    for p in poles:
        places = [(p.location, p.coefficient)]
        if not p.real:
            places.append((sympy.conjugate(p.location), p.coefficient.conjugate()))
        for z, c in places:
            root = Root(z, p.exponent)
            value = power_at(root, p.exponent, x, zeta)
            total = total + c * (value * root.log(zeta) if p.log_power else value)
    return total


def pole_sum(poles: tuple[Pole, ...], k: int, d: int) -> arb:
    """What the terms add to mu_k, as a ball; k beyond every exponent."""
    total = arb(0)
    for p in poles:
        z, sign = point(p.location), 1
        if z.real < 0:
            z, sign = -z, (-1) ** k  # kappa(-u) has (-1)^k mu_k
        value = sign * p.coefficient * outer_term(k, d, z, ball(p.exponent), p.log_power)
        total = total + (value.real if p.real else 2 * value.real)
    return total


def arc_factor(arc: Arc, d: int) -> arb:
    """The bound of what is left on the arc is this times A_k (k+1)^(-beta-1) |r|^(k+1)."""
    beta, size = ball(arc.beta), arc.size / arb.pi() * (1 if arc.location.is_real else 2)
    return (
        size
        * series_bound(_height(arc.location), d)
        * arb(arc.height).cosh() ** (beta + 1)
        * (beta + 1).gamma()
    )


def arc_bound(arc: Arc, k: int, d: int) -> arb:
    """|mu_k| of what is left on the arc, and on that of the conjugate, is at most this."""
    half = arb(fmpq(d, 2))
    amplitude = 2 * half.gamma() * (arb(k + 1).lgamma() - (k + half).lgamma()).exp()
    falling = (-(k + 1) * _height(arc.location)).exp()
    return (arc_factor(arc, d) * amplitude * falling / arb(k + 1) ** (ball(arc.beta) + 1)).upper()


__all__ = ["Arc", "Meromorphic", "Pole", "arc_bound", "arc_factor", "meromorphic", "point", "pole_sum"]
