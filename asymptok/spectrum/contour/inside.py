"""Kernels with kinks, jumps, fractional powers and logarithms inside (-1, 1): exact terms there, a bound of what they
leave, a base.

Between neighbouring singular points kappa is one analytic function (`branches`), so that
    kappa = base + sum (u-p)_+^nu g(u) + sum (p-u)_+^nu g(u)
over the points p, with nu = 0 and g = the difference of two neighbours, or nu a fraction; a part may have a factor
log(u-p)^j, log(p-u)^j as well, and |log|^j stands beside |u-p|^nu then. Every g is analytic in the
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
from math import comb

import sympy
from flint import acb, acb_poly, arb, fmpq
from sympy import Add, Expr

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.laws.point_terms import inner_log_term
from asymptok.patience import remembered
from asymptok.precision import flint_precision
from asymptok.quantities import whole
from asymptok.spectrum.contour.branches import InnerPart
from asymptok.spectrum.contour.core import ELLIPSES, USUAL, Effort, kernel_program
from asymptok.spectrum.contour.curves import NotProved, pieces, upper_edge
from asymptok.spectrum.contour.factors import curve_factor
from asymptok.spectrum.contour.parts import is_regular, parts_of, told
from asymptok.spectrum.contour.program import Program
from asymptok.spectrum.contour.rough import RoughFunction, is_rough
from asymptok.spectrum.contour.samples import StripSample
from asymptok.spectrum.local import Doubt, Unproved
from asymptok.symbols import u

#: pieces of the best ellipse, in units of those of the others
_FINER = 16
#: denominators of Re theta/pi where a part of an ellipse ends
_GRAIN = 1024
#: the degree at which the best ellipse is chosen
_LOOKED_AT = 40


@dataclass(frozen=True, slots=True)
class InnerTerm:
    """c (side (u - location))_+^exponent log(side (u - location))^log_power, everything exact."""

    location: Expr
    exponent: Expr
    side: int
    coefficient: Expr
    log_power: int = 0


@dataclass(frozen=True, slots=True)
class InnerRest:
    """What `count` terms of one function at one point leave: K and G on the ellipse of that height."""

    location: Expr
    nu: Expr
    count: int
    size: arb
    curve: arb
    height: fmpq
    log_power: int = 0

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

    @property
    def bare(self) -> bool:
        """Whether the base is a polynomial that leaves nothing in the mu_k of which the laws of the terms speak."""
        polynomial = self.base.is_polynomial(u)
        return bool(polynomial and max(sympy.degree(self.base, u), 0) < least_degree(self.terms))


@remembered(maxsize=64)
def inside(expr: Expr, order: int, effort: Effort = USUAL, heights: tuple[fmpq, ...] = ELLIPSES) -> Inside:
    """The decomposition with exact terms below (u-p)^(nu+order+1); Unproved where kappa is not of this kind.

    Of the heights the one that gives the least bound is taken.

    >>> found = inside(sympy.Abs(u - sympy.Rational(1, 2)) * sympy.exp(u), 3)
    >>> found.terms[0].exponent, found.terms[0].coefficient, found.rests[0].beta
    (1, 2*exp(1/2), 4)
    """
    base, parts = parts_of(expr, order)
    terms: list[InnerTerm] = []
    rests: list[InnerRest] = []
    for part in parts:
        try:
            found, rest = _at_point(part, order, effort, heights)
        except Unproved as error:
            raise told(part, error) from error
        terms += found
        rests += [] if rest is None else [rest]
    if not terms:
        raise Unproved("no singular point inside is known exactly")
    return Inside(tuple(terms), tuple(rests), base)


def _at_point(
    part: InnerPart, order: int, effort: Effort, heights: tuple[fmpq, ...]
) -> tuple[list[InnerTerm], InnerRest | None]:
    """The terms of one function at one point, and what they leave; None if that is nothing."""
    if not is_rough(part):
        terms, taylor = expanded(part, order)
        return terms, None if taylor is None else _rest(part, taylor, order + 1, effort, heights)
    function = RoughFunction(part, order)
    terms = [
        InnerTerm(part.location, t.exponent, part.side, t.coefficient, t.log_power) for t in function.terms
    ]
    return terms, _rough_rest(function, order + 1, effort, heights)


def least_degree(terms: tuple[InnerTerm, ...]) -> int:
    """The laws of the terms speak of all k from here on, beyond every exponent."""
    return max(int(sympy.floor(t.exponent)) for t in terms) + 1


def inner_sum(terms: tuple[InnerTerm, ...], k: int, d: int) -> arb:
    """What the terms add to mu_k, k beyond every exponent, as a ball."""
    total = arb(0)
    for t in terms:
        law = inner_log_term(k, d, t.location, t.exponent, t.log_power, t.side)
        total = total + ball(t.coefficient) * law
    return total


def _rough_rest(function: RoughFunction, count: int, effort: Effort, heights: tuple[fmpq, ...]) -> InnerRest:
    """K and G on the ellipse that gives the least bound."""
    best, least = None, None
    for height in heights:
        found = function.left(height, effort)
        if found is None:
            break  # what is not analytic in an ellipse is not so in a larger one
        rest = InnerRest(function.location, function.beta - count, count, *found, height)
        total = rest_bound(rest, _LOOKED_AT, 3)
        if least is not None and total > least:
            break
        best, least = rest, total
    if best is None:
        raise Unproved("no ellipse in which it is shown to be analytic")
    return best


# one function at one point -------------------------------------------------------------------------------


def expanded(part: InnerPart, order: int) -> tuple[list[InnerTerm], list[tuple[int, Expr]] | None]:
    """The terms up to (u-p)^(nu+order), and those of g in u - p; None for these if they are all of g."""
    if not part.nu > -1:
        raise Unproved("a power inside that is not integrable")
    if is_rough(part, here=True):
        raise Unproved("no power series there", Doubt.RULE)
    try:
        found = puiseux(part.g, u, part.location, "+", order)
    except AsymptokError as error:
        raise Unproved(str(error)) from error
    if any(t.log_power or not (t.exponent.is_Integer and t.exponent >= 0) for t in found.terms):
        raise Unproved("no power series there")
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


def _rest(
    part: InnerPart, taylor: list[tuple[int, Expr]], count: int, effort: Effort, heights: tuple[fmpq, ...]
) -> InnerRest:
    """K and G on the ellipse that gives the least bound."""
    program = kernel_program(part.g)
    if not is_regular(part):
        raise Unproved(f"not shown to be analytic at u = {part.side}")
    best, least = None, None
    for height in heights:
        rest = _on_ellipse(part, taylor, count, effort, program, height, effort.pieces)
        total = None if rest is None else rest_bound(rest, _LOOKED_AT, 3)
        if total is not None and total.is_finite() and (least is None or total < least):
            best, least = rest, total
    if best is None:
        raise Unproved("no ellipse in which it is shown to be analytic")
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
    return InnerRest(part.location, part.nu, count, size, curve, height, part.log_power)


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
            logs = (abs(distance.log()) + arb.pi()) ** part.log_power
            curve = curve + length * sine * left * distance**nu * logs
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
    first = (
        wave_factor(rest, d) * amplitude(k, d) * wave_integral(rest, k) / arb(k + 1) ** (ball(rest.beta) + 1)
    )
    return (first + rest.curve * curve_factor(arb(rest.height), k, d)).upper()


def amplitude(k: int, d: int) -> arb:
    """A_k = 2 Gamma(d/2) k!/Gamma(k+d/2)."""
    half = arb(fmpq(d, 2))
    return 2 * half.gamma() * (arb(k + 1).lgamma() - (k + half).lgamma()).exp()


def wave_factor(rest: InnerRest, d: int) -> arb:
    """K/pi Q E^beta X: the bound of the first part is this times A_k (k+1)^(-beta-1) times `wave_integral`."""
    place, height = ball(rest.location), arb(rest.height)
    x = ((1 - place) * (1 + place) + height.sinh() ** 2).sqrt()
    return rest.size / arb.pi() * _mean(place, d) * _slope(rest) ** ball(rest.beta) * x


def _slope(rest: InnerRest) -> arb:
    """E with |u-p| <= E y."""
    place, half = ball(rest.location), arb(rest.height) / 2
    return half.sinh() / half * ((1 - place) * (1 + place) + half.sinh() ** 2).sqrt()


def wave_integral(rest: InnerRest, k: int) -> arb:
    """A bound of int_0^oo v^beta (|log v| + log(k+1) + L)^j e^-v dv, which is Gamma(beta+1) for j = 0.

    With v = (k+1) y it stands for |log(u-p)|^j <= (|log y| + L)^j, since y sin(theta_0) <= |u-p| <= E y and the
    argument is at most pi; and |log v|^i <= (2i/e)^i (v^(1/2) + v^(-1/2)).
    """
    place, beta, j = ball(rest.location), ball(rest.beta), rest.log_power
    if j == 0:
        return (beta + 1).gamma()
    sine = ((1 - place) * (1 + place)).sqrt()
    logs = arb(k + 1).log() + arb.max(abs(_slope(rest).log()), abs(sine.log())) + arb.pi()
    half, total = arb(fmpq(1, 2)), logs**j * (beta + 1).gamma()
    for i in range(1, j + 1):
        power = (2 * i / arb(1).exp()) ** i * ((beta + 1 + half).gamma() + (beta + half).gamma())
        total = total + comb(j, i) * logs ** (j - i) * power
    return total


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
    "wave_integral",
]
