"""Kernels with kinks, jumps and algebraic points inside (-1, 1): exact terms there, a bound of what they leave, a base.

Between neighbouring singular points kappa is one analytic function, so that
    kappa = base + sum (u-p)_+^nu g(u) + sum (p-u)_+^nu g(u)
over the points p, with nu = 0 and g = the difference of two neighbours, or nu a fraction. Every g is analytic in the
ellipse |Im theta| <= H, or in the part of it on its side of p and a little beyond, Re theta >= x or <= x: what is added
on u < p may be singular at u = 1, as in |u-p| sqrt(1-u). The base is one of the neighbours.
The terms c_n (u-p)_+^(nu+n), n < N, of the Taylor series of g at p have exact laws (`laws.point_terms`).
For the rest, with K = max |g - sum c_n (u-p)^n|/|u-p|^N on the boundary (and so inside) and
beta = nu + N, the contour goes up from p along Re theta = theta_0 and then along the ellipse:
    |mu_k| <= K/pi A_k Q E^beta X Gamma(beta+1)/(k+1)^(beta+1) + G S A_k e^(-(k+1)H),
for |q_k| <= A_k Q e^(-(k+1)y) and |u-p| = 2 sinh(y/2) |sin(theta_0+iy/2)| <= E y on the first part, whose |sin| is at
most X; Q bounds 2F1(1-l, k+1; k+1+l; e^(-2y) e^(2i theta_0)), a mean of (1-sx)^(l-1) over 0 <= s <= 1, l = (d-2)/2.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import sympy
from flint import acb, acb_poly, arb, fmpq
from sympy import Add, Expr, Mul, S

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.kernels.kernel import Kernel
from asymptok.laws.point_terms import inner_term
from asymptok.patience import remembered
from asymptok.precision import flint_precision
from asymptok.quantities import whole
from asymptok.regularity import analyse
from asymptok.spectrum.contour.core import ELLIPSES, USUAL, Effort, kernel_program
from asymptok.spectrum.contour.curves import NotProved, pieces, upper_edge
from asymptok.spectrum.contour.factors import curve_factor
from asymptok.spectrum.contour.program import Program
from asymptok.spectrum.contour.rewriting import rewritten
from asymptok.spectrum.contour.samples import StripSample
from asymptok.spectrum.local import Unproved
from asymptok.spectrum.pieces import Pieces, ends
from asymptok.spectrum.switches import SWITCHES, prepared
from asymptok.symbols import u
from asymptok.truth import Truth

#: bits to which [0, pi] is cut in search of the expression between two points
_CUT = 24
#: pieces of the best ellipse, in units of those of the others
_FINER = 16
#: denominators of Re theta/pi where a part of an ellipse ends
_GRAIN = 1024
#: the degree at which the best ellipse is chosen
_LOOKED_AT = 40


@dataclass(frozen=True, slots=True)
class InnerTerm:
    """c (side (u - location))_+^exponent, everything exact."""

    location: Expr
    exponent: Expr
    side: int
    coefficient: Expr


@dataclass(frozen=True, slots=True)
class InnerRest:
    """What `count` terms of one function at one point leave: K and G on the ellipse of that height."""

    location: Expr
    nu: Expr
    count: int
    size: arb
    curve: arb
    height: fmpq

    @property
    def beta(self) -> Expr:
        """nu + N."""
        return self.nu + self.count


@dataclass(frozen=True, slots=True)
class Inside:
    """The exact terms inside, what they leave, and the kernel without them."""

    terms: tuple[InnerTerm, ...]
    rests: tuple[InnerRest, ...]
    base: Expr


@dataclass(frozen=True, slots=True)
class InnerPart:
    """(side (u - location))_+^nu g."""

    location: Expr
    nu: Expr
    side: int
    g: Expr


@remembered(maxsize=64)
def inside(expr: Expr, order: int, effort: Effort = USUAL, heights: tuple[fmpq, ...] = ELLIPSES) -> Inside:
    """The decomposition with exact terms below (u-p)^(nu+order+1); Unproved where kappa is not of this kind.

    Of the heights the one that gives the least bound is taken.

    >>> found = inside(sympy.Abs(u - S.Half) * sympy.exp(u), 3)
    >>> found.terms[0].exponent, found.terms[0].coefficient, found.rests[0].beta
    (1, 2*exp(1/2), 4)
    """
    base, parts = _parts(expr)
    terms: list[InnerTerm] = []
    rests: list[InnerRest] = []
    for part in parts:
        found, taylor = expanded(part, order)
        terms += found
        rests += [] if taylor is None else [_rest(part, taylor, order + 1, effort, heights)]
    if not terms:
        raise Unproved("no singular point inside is known exactly")
    return Inside(tuple(terms), tuple(rests), base)


def least_degree(terms: tuple[InnerTerm, ...]) -> int:
    """The laws of the terms speak of all k from here on, beyond every exponent."""
    return max(int(sympy.floor(t.exponent)) for t in terms) + 1


def inner_sum(terms: tuple[InnerTerm, ...], k: int, d: int) -> arb:
    """What the terms add to mu_k, k beyond every exponent, as a ball."""
    total = arb(0)
    for t in terms:
        total = total + ball(t.coefficient) * inner_term(k, d, ball(t.location), ball(t.exponent), 0, t.side)
    return total


# the decomposition ---------------------------------------------------------------------------------------


def _parts(expr: Expr) -> tuple[Expr, list[InnerPart]]:
    """The base, and the functions that begin or end at the points inside."""
    places, smooth, parts = branches_of(expr)
    for base in range(len(smooth)):
        jumps = jumps_from(places, smooth, base)
        if all(_is_regular(part) for part in (*parts, *jumps)):
            return smooth[base], parts + jumps
    raise Unproved("functions that begin inside are singular at the ends to which they run")


def branches_of(expr: Expr) -> tuple[list[Expr], list[Expr], list[InnerPart]]:
    """The points inside, the analytic functions between them, and the parts with fractional powers beside these."""
    places = _places(expr)
    branches = _between(expr, places)
    parts: list[InnerPart] = []
    for i, place in enumerate(places):
        # what stands right of the point with a fractional power of u - p, left of it with one of p - u
        parts += _fractional(branches[i + 1], place, 1) + _fractional(branches[i], place, -1)
    smooth = []
    for j, branch in enumerate(branches):
        for part in parts:
            left_of = places.index(part.location) < j
            if left_of == (part.side == 1):
                branch = branch - (part.side * (u - part.location)) ** part.nu * part.g
        smooth.append(sympy.expand_mul(branch))
    return places, smooth, parts


def _places(expr: Expr) -> list[Expr]:
    """All singular points inside, ascending and exact: where switches with linear arguments switch, or as analysed."""
    found = _switch_points(expr)
    if found is None:
        known = analyse(Kernel(expr))
        if known.smooth is not Truth.FALSE or not known.complete or not known.interior:
            raise Unproved("the singular points inside are not all known")
        found = {p.location for p in known.interior if p.location is not None and p.proved}
        if len(found) < len(known.interior):
            raise Unproved("where the kernel is singular inside is not known exactly")
    return sorted(found, key=lambda p: float(ball(p, prec=64).mid()))


def _switch_points(expr: Expr) -> set[Expr] | None:
    """Where |u-p|, Max(u, p), ... switch, if all switches are of this kind; else None.

    That the kernel is analytic between these points, the contour shows.
    """
    found: set[Expr] = set()
    for node in dag.postorder(prepared(rewritten(expr))):
        if not isinstance(node, SWITCHES):
            continue
        if not isinstance(node, sympy.Abs | sympy.sign | sympy.Max | sympy.Min):
            return None
        args = node.args if len(node.args) > 1 else (*node.args, S.Zero)
        for a, b in combinations(args, 2):
            difference = sympy.expand(a - b)
            if not difference.is_polynomial(u) or sympy.degree(difference, u) != 1:
                return None
            point = -difference.coeff(u, 0) / difference.coeff(u, 1)
            size = abs(ball(point, prec=128))
            if not (size < 1 or size > 1):
                return None
            found |= {point} if size < 1 else set()
    return found or None


def jumps_from(places: list[Expr], smooth: list[Expr], base: int) -> list[InnerPart]:
    """What is added to the base from point to point, on its right side and on its left side."""
    found = []
    for i, (place, (left, right)) in enumerate(zip(places, pairwise(smooth), strict=True)):
        side = 1 if i >= base else -1
        jump = sympy.expand_mul(side * (right - left))
        if jump != 0:
            found.append(InnerPart(place, S.Zero, side, jump))
    return found


def _is_regular(part: InnerPart) -> bool:
    """Whether g is analytic at the end to which the part runs."""
    if part.g.is_polynomial(u):
        return True
    try:
        return kernel_program(part.g).grids[0 if part.side == 1 else 1] == 1
    except Unproved:
        return False


def _between(expr: Expr, places: list[Expr]) -> list[Expr]:
    """The expressions left of the first point, between neighbours, and right of the last one.

    kappa is analytic between the points, and equal to the expression on a part of the gap at least.
    """
    pieces = Pieces(prepared(rewritten(expr))).refine(_CUT)
    balls = [ball(p, prec=128) for p in places]
    found: list[Expr | None] = [None] * (len(places) + 1)
    with flint_precision(128):
        for piece in pieces:
            if piece.expr is None:
                continue
            low, high = ends(piece.low, piece.high)
            middle = (low + high) / 2
            if any(p.overlaps(middle) for p in balls):
                continue
            gap = sum(bool(p < middle) for p in balls)
            found[gap] = piece.expr if found[gap] is None else found[gap]
    if any(f is None for f in found):
        raise Unproved("the kernel between two singular points is not found")
    return [f for f in found if f is not None]


def _fractional(branch: Expr, place: Expr, side: int) -> list[InnerPart]:
    """The summands with a fractional power of side (u - p), as powers and the sum of what they are multiplied by."""
    found: dict[Expr, Expr] = {}
    for summand in Add.make_args(sympy.expand_mul(branch)):
        nu, rest = S.Zero, []
        for factor in Mul.make_args(summand):
            scale = _scale(factor, place, side)
            if scale is None:
                rest.append(factor)
            else:
                nu += factor.exp
                rest.append(scale**factor.exp)
        if not nu.is_Integer:
            found[nu] = found.get(nu, S.Zero) + Mul(*rest)
    return [InnerPart(place, nu, side, g) for nu, g in found.items()]


def _scale(factor: Expr, place: Expr, side: int) -> Expr | None:
    """c > 0 with factor = (c side (u - p))^e, e a fraction; None for anything else."""
    if not factor.is_Pow or factor.func is sympy.exp or not factor.exp.is_Rational or factor.exp.is_Integer:
        return None
    base = factor.base
    if not base.is_polynomial(u) or sympy.degree(base, u) != 1:
        return None
    c = side * base.coeff(u, 1)
    return c if sympy.expand(base - side * c * (u - place)) == 0 and ball(c, prec=64) > 0 else None


# one function at one point -------------------------------------------------------------------------------


def expanded(part: InnerPart, order: int) -> tuple[list[InnerTerm], list[tuple[int, Expr]] | None]:
    """The terms up to (u-p)^(nu+order), and those of g in u - p; None for these if they are all of g."""
    if not part.nu > -1:
        raise Unproved("a power inside that is not integrable")
    try:
        found = puiseux(part.g, u, part.location, "+", order)
    except AsymptokError as error:
        raise Unproved(str(error)) from error
    if any(t.log_power or not (t.exponent.is_Integer and t.exponent >= 0) for t in found.terms):
        raise Unproved(f"{part.g} is no power series at u = {part.location}")
    # (p-u)^n = (-1)^n (u-p)^n
    terms = [
        InnerTerm(
            part.location, part.nu + t.exponent, part.side, part.side ** int(t.exponent) * t.coefficient
        )
        for t in found.terms
    ]
    polynomial = Add(*(t.coefficient * (u - part.location) ** t.exponent for t in found.terms))
    if part.g.is_polynomial(u) and sympy.expand(part.g - polynomial) == 0:
        return terms, None
    taylor = [(int(t.exponent), t.coefficient) for t in found.terms]
    return terms, taylor


def _rest(
    part: InnerPart, taylor: list[tuple[int, Expr]], count: int, effort: Effort, heights: tuple[fmpq, ...]
) -> InnerRest:
    """K and G on the ellipse that gives the least bound."""
    program = kernel_program(part.g)
    if not _is_regular(part):
        raise Unproved(f"{part.g} is not shown to be analytic at u = {part.side}")
    best, least = None, None
    for height in heights:
        rest = _on_ellipse(part, taylor, count, effort, program, height, effort.pieces)
        total = None if rest is None else rest_bound(rest, _LOOKED_AT, 3)
        if total is not None and total.is_finite() and (least is None or total < least):
            best, least = rest, total
    if best is None:
        raise Unproved(f"no ellipse in which {part.g} is shown to be analytic")
    # a small difference of large numbers: on short pieces the bound is near the truth
    finer = _on_ellipse(part, taylor, count, effort, program, best.height, _FINER * effort.pieces)
    return best if finer is None else finer


def _on_ellipse(
    part: InnerPart,
    taylor: list[tuple[int, Expr]],
    count: int,
    effort: Effort,
    program: Program,
    height: fmpq,
    most: int,
) -> InnerRest | None:
    """K and G on one ellipse; None if g is not shown to be analytic in it."""
    try:
        with flint_precision(effort.box_bits):
            edge = _boundary(part, program, height, most)
    except NotProved:
        return None
    size, curve = on_boundary(part, taylor, count, effort, edge)
    return InnerRest(part.location, part.nu, count, size, curve, height)


def on_boundary(
    part: InnerPart,
    taylor: list[tuple[int, Expr]],
    count: int,
    effort: Effort,
    edge: list[tuple[arb, StripSample, acb]],
) -> tuple[arb, arb]:
    """K and G from the values of g on pieces of a boundary."""
    with flint_precision(effort.bits):
        place, nu = ball(part.location), ball(part.nu)
        polynomial = acb_poly(_coefficients(taylor))
        size, curve = arb(0), arb(0)
        for length, sample, value in edge:
            x = sample.u - place
            left, distance = abs(value - polynomial(x)), abs(x)
            size = arb.max(size, (left / distance**count).upper())
            sine = abs(sample.halves[0] * sample.halves[1])
            curve = curve + length * sine * left * distance**nu
        return size.upper(), (curve / arb.pi()).upper()


def _boundary(
    part: InnerPart, program: Program, height: fmpq, count: int
) -> list[tuple[arb, StripSample, acb]]:
    """(length on the contour, sample, g) of pieces that cover the upper half of the boundary."""
    if program.grids == (1, 1):
        return upper_edge(program, height, count)
    # half of the way from theta_0 to the other end
    angle = whole((ball(part.location).acos() / arb.pi() * _GRAIN).mid().floor())
    cut = fmpq(angle, 2 * _GRAIN) if part.side == -1 else fmpq(angle + _GRAIN, 2 * _GRAIN)
    low, high = (cut, fmpq(1)) if part.side == -1 else (fmpq(0), cut)

    def across(y: arb) -> StripSample:
        return StripSample.of(acb(arb.pi() * arb(cut), y))

    found = upper_edge(program, height, count, low, high)
    for _, sample, value in pieces(program, across, fmpq(0), height, count):
        assert isinstance(sample, StripSample)
        found.append((arb(0), sample, value))
    return found


def _coefficients(taylor: list[tuple[int, Expr]]) -> list[acb]:
    found = dict(taylor)
    return [acb(ball(found[n])) if n in found else acb(0) for n in range(max(found, default=-1) + 1)]


# the bound -----------------------------------------------------------------------------------------------


def rest_bound(rest: InnerRest, k: int, d: int) -> arb:
    """|mu_k| of what the terms leave is at most this."""
    first = wave_factor(rest, d) * amplitude(k, d) / arb(k + 1) ** (ball(rest.beta) + 1)
    return (first + rest.curve * curve_factor(arb(rest.height), k, d)).upper()


def amplitude(k: int, d: int) -> arb:
    """A_k = 2 Gamma(d/2) k!/Gamma(k+d/2)."""
    half = arb(fmpq(d, 2))
    return 2 * half.gamma() * (arb(k + 1).lgamma() - (k + half).lgamma()).exp()


def wave_factor(rest: InnerRest, d: int) -> arb:
    """K/pi Q E^beta X Gamma(beta+1): the bound of the first part is this times A_k (k+1)^(-beta-1)."""
    place, beta = ball(rest.location), ball(rest.beta)
    sine2 = (1 - place) * (1 + place)
    height = arb(rest.height)
    half = height / 2
    e = half.sinh() / half * (sine2 + half.sinh() ** 2).sqrt()
    x = (sine2 + height.sinh() ** 2).sqrt()
    return rest.size / arb.pi() * _mean(place, d) * e**beta * x * (beta + 1).gamma()


def _mean(place: arb, d: int) -> arb:
    """Q: |1 - sx| lies between the distance of 1 from the ray through e^(2i theta_0), and 2."""
    lam = arb(fmpq(d - 2, 2))
    if d >= 4:
        return arb(2) ** (lam - 1)
    cosine = 2 * place * place - 1
    sine = 2 * abs(place) * ((1 - place) * (1 + place)).sqrt()
    distance = arb(1) if cosine < 0 else sine
    return distance ** (lam - 1)


__all__ = [
    "InnerRest",
    "InnerTerm",
    "Inside",
    "amplitude",
    "inner_sum",
    "inside",
    "least_degree",
    "rest_bound",
    "wave_factor",
]
