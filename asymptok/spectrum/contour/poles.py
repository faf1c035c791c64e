"""Kernels with poles at known points off [-1, 1]: their principal parts, and what is left on a larger ellipse.

A summand g(u)/(p_1(u)^(n_1) p_2(u)^(n_2) ...) with polynomials p over the rationals and g analytic in the ellipse of
height H has its poles in it at roots of the p. With z such a root of multiplicity m, the principal part is the sum of
c_j (z-u)^(-j), j = 1 .. m, and the eigenvalues of its powers are exact (`laws.point_terms`). Without the principal
parts of all roots inside the ellipse the summand is analytic there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import Any

import sympy
from flint import acb, acb_poly, arb, fmpq
from sympy import Add, Expr, Mul
from sympy.polys.polyerrors import BasePolynomialError

from asymptok import dag
from asymptok.balls import ball, complex_ball
from asymptok.laws.point_terms import outer_term
from asymptok.precision import flint_precision
from asymptok.spectrum.contour.core import ELLIPSES, HUGE, USUAL, Effort, kernel_program
from asymptok.spectrum.contour.curves import NotProved, upper_edge
from asymptok.spectrum.local import Unproved
from asymptok.symbols import u

#: of denominators
_LARGEST_DEGREE = 12
#: the pole in larger powers than this is left alone
_LARGEST_ORDER = 6


@dataclass(frozen=True, slots=True)
class Pole:
    """c (z-u)^(-order) and, if z is not real, its conjugate; c is a complex ball."""

    location: Expr
    order: int
    coefficient: Any

    @property
    def real(self) -> bool:
        return bool(self.location.is_real)


@dataclass(frozen=True, slots=True)
class Meromorphic:
    """The principal parts of all poles in some ellipses, and (G, height) of what is left for each of these."""

    poles: tuple[Pole, ...]
    bounds: tuple[tuple[Any, fmpq], ...]


@dataclass(frozen=True, slots=True)
class _Summand:
    """g over polynomials, with the roots of each: (root, multiplicity in the whole denominator)."""

    g: Expr
    denominator: Expr
    roots: tuple[tuple[Expr, int], ...]


@lru_cache(maxsize=64)
def meromorphic(expr: Expr, heights: tuple[fmpq, ...] = ELLIPSES, effort: Effort = USUAL) -> Meromorphic:
    """Of the ellipses with poles in them those with the most; Unproved if there are none."""
    with flint_precision(effort.bits):
        summands = [_summand(a) for a in Add.make_args(_written_apart(expr))]
        if not any(s.roots for s in summands):
            raise Unproved("no poles are seen")
        best: Meromorphic | None = None
        for height in heights:
            try:
                found = _at(summands, height, effort)
            except NotProved:
                continue
            if best is not None and len(found.poles) == len(best.poles):
                best = Meromorphic(best.poles, (*best.bounds, *found.bounds))
            elif found.poles:
                best = found
    if best is None:
        raise Unproved("no ellipse with the poles inside is found")
    return best


def _written_apart(expr: Expr) -> Expr:
    return sympy.apart(expr, u) if expr.is_rational_function(u) else sympy.expand_mul(expr)


def _summand(part: Expr) -> _Summand:
    g: list[Expr] = []
    below: list[Expr] = []
    for factor in Mul.make_args(part):
        inverse = factor.is_Pow and factor.exp.is_Integer and factor.exp < 0
        polynomial = inverse and factor.base.is_polynomial(u) and factor.base.has(u)
        (below if polynomial else g).append(factor)
    denominator = Mul(*(1 / f for f in below))
    return _Summand(Mul(*g), denominator, _roots(denominator))


def _roots(denominator: Expr) -> tuple[tuple[Expr, int], ...]:
    """The roots, those off the real axis with positive imaginary part only; factors of degree 1 and 2 are solved."""
    if not denominator.has(u):
        return ()
    try:
        poly = sympy.Poly(denominator, u, domain="QQ")
    except BasePolynomialError as error:
        raise Unproved(f"{denominator} has coefficients that are not rational") from error
    if poly.degree() > _LARGEST_DEGREE:
        raise Unproved("a denominator of high degree")
    found: list[tuple[Expr, int]] = []
    for factor, power in poly.factor_list()[1]:
        if factor.degree() > 2 or power > _LARGEST_ORDER:
            raise Unproved("a denominator whose roots are not written down")
        found += [(z, power) for z in sympy.roots(factor) if sympy.im(z) >= 0]
    return tuple(found)


def _at(summands: list[_Summand], height: fmpq, effort: Effort) -> Meromorphic:
    """One ellipse; NotProved if a g is not shown to be analytic there, or a root may lie on its edge."""
    poles: dict[tuple[Expr, int], Any] = {}
    total = arb(0)
    for s in summands:
        mine = [p for z, order in s.roots if _is_inside(z, height) for p in _principal(s, z, order)]
        program = kernel_program(s.g)
        if program.grids != (1, 1):
            raise Unproved(f"{s.g} is not shown to be analytic at the ends")
        with flint_precision(effort.box_bits):
            edge = upper_edge(program, height, effort.pieces)
        below = acb_poly(_coefficients(s.denominator))
        for length, sample, value in edge:
            rest = value / below(sample.u) - _sum(mine, sample.u)
            total = total + length * abs(sample.halves[0] * sample.halves[1]) * abs(rest)
        for p in mine:
            key = (p.location, p.order)
            poles[key] = poles.get(key, acb(0)) + p.coefficient
    if not total < arb(2) ** HUGE:
        raise NotProved
    found = tuple(Pole(z, order, c) for (z, order), c in poles.items())
    return Meromorphic(found, (((total / arb.pi()).upper(), height),))


def _is_inside(z: Expr, height: fmpq) -> bool:
    """Whether the ellipse holds z; NotProved on its edge, Unproved on the interval."""
    value = point(z)
    gap = arb(height).exp() - abs(_zeta(value))
    if value.imag.contains(0) and not abs(value.real) > 1:
        raise Unproved("a pole on the interval")
    if not (gap > 0 or gap < 0):
        raise NotProved
    return bool(gap > 0)


def point(z: Expr) -> Any:
    """A complex ball around a point."""
    return acb(ball(z)) if z.is_real else complex_ball(z)


def _zeta(z: acb) -> acb:
    return z + (z - 1).sqrt() * (z + 1).sqrt()


def _coefficients(polynomial: Expr) -> list[acb]:
    found = sympy.Poly(polynomial, u).all_coeffs()[::-1]
    return [acb(ball(c)) for c in found]


def _principal(s: _Summand, z: Expr, order: int) -> list[Pole]:
    """c_j (z-u)^(-j): with u = z + x the summand is x^(-m) g(z+x)/q(x), q(x) = denominator/x^m."""
    place = point(z)
    shifted = acb_poly(_coefficients(s.denominator))(acb_poly([place, 1]))
    q = [shifted[order + i] for i in range(order)]
    series, node = [], s.g
    for i in range(order):
        # 1/q by long division beside the Taylor series of g
        series.append(complex_ball(node, {u: place}) / factorial(i))
        node = dag.derivative(node, u)
    quotient: list[Any] = []
    for i in range(order):
        value = series[i]
        for j in range(i):
            value = value - quotient[j] * q[i - j]
        quotient.append(value / q[0])
    # x^(-(m-i)) = (-1)^(m-i) (z-u)^(-(m-i))
    found = [Pole(z, order - i, (-1) ** (order - i) * c) for i, c in enumerate(quotient)]
    if not all(p.coefficient.is_finite() for p in found):
        raise Unproved("the principal part of a pole is not found")
    return found


def _sum(poles: list[Pole], x: object) -> acb:
    """The principal parts at u = x, with their conjugates."""
    total = acb(0)
    for p in poles:
        z = point(p.location)
        total = total + p.coefficient * (z - x) ** -p.order
        if not p.real:
            total = total + p.coefficient.conjugate() * (z.conjugate() - x) ** -p.order
    return total


def pole_sum(poles: tuple[Pole, ...], k: int, d: int) -> arb:
    """What the poles add to mu_k, as a ball."""
    total = arb(0)
    for p in poles:
        z, sign = point(p.location), 1
        if z.real < 0:
            # kappa(-u) has (-1)^k mu_k, and (z-u)^(-m) at -u is (-1)^m (-z-u)^(-m)
            z, sign = -z, (-1) ** (k + p.order)
        value = sign * p.coefficient * outer_term(k, d, z, arb(-p.order))
        total = total + (value.real if p.real else 2 * value.real)
    return total


__all__ = ["Meromorphic", "Pole", "meromorphic", "point", "pole_sum"]
