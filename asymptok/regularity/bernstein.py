"""How far an analytic kernel continues: rho, the sum of the semi-axes of the largest ellipse with foci -1 and 1 inside.

Every singular point of the continued expression is among the candidates, which are sought on all sheets. Those nearest
to [-1, 1] are looked at in turn: shown to be singular, and rho is theirs; shown to be regular, by following the
expression on a path of complex balls up to them, and the next ones count; or neither, and rho is a lower bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from flint import acb, arb
from sympy import Expr, S, oo

from asymptok import dag
from asymptok.balls import ball, complex_ball
from asymptok.errors import AsymptokError
from asymptok.expansion import Term, puiseux
from asymptok.functions import record_of
from asymptok.precision import flint_precision
from asymptok.regularity.boxes import Boxes, Parameters
from asymptok.regularity.candidates import SPARE, all_singular_points, is_endless, singular_points
from asymptok.regularity.choices import decided, has_choices
from asymptok.regularity.factoring import reduced
from asymptok.regularity.identities import without_reciprocals
from asymptok.regularity.intervals import Interval
from asymptok.regularity.ranges import by_ranges
from asymptok.regularity.rho import BITS, number_ball, smallest_rho
from asymptok.regularity.signs import sign_with_parameters
from asymptok.symbols import u

#: rings of candidates that are looked at before the search ends with a lower bound
_RINGS = 6
#: balls along the way to a candidate
_STEPS = (16, 64, 256)


@dataclass(frozen=True, slots=True)
class Ellipse:
    """rho (oo if entire, None if unknown), the nearest singular points, and what is known about both.

    `complete`: no singular point lies inside the ellipse, so mu_k = O(r^-k) for every r < rho.
    `attained`: a nearest point is a singularity indeed, so that no larger rho will do; otherwise rho is a lower bound.
    """

    rho: Expr | None
    nearest: tuple[Expr, ...] = ()
    complete: bool = False
    attained: bool = False
    reason: str = ""


def is_entire(expr: Expr) -> bool:
    """Whether the expression is made of entire functions and whole powers.

    >>> is_entire(sympy.exp(u**2)*sympy.cos(3*u)), is_entire(1/(2 - u))
    (True, False)
    """
    for node in dag.postorder(expr):
        if not isinstance(node, Expr):
            if node.has(u):
                return False
            continue
        if not node.args or not node.has(u) or node.is_Add or node.is_Mul:
            continue
        record = record_of(node.func)
        if record is None or not record.entire(node) or not (record.fixed_parameters(node) or node.is_Pow):
            return False
    return True


def largest_ellipse(expr: Expr, parameters: Parameters) -> Ellipse:
    """rho of an expression that is analytic on [-1, 1].

    >>> largest_ellipse(sympy.asin(2*u/3), {}).rho
    sqrt(5)/2 + 3/2
    >>> largest_ellipse(1/(1 + 1/(u**2 + 4)), {}).rho
    sqrt(5) + sqrt(6)
    """
    chosen = without_reciprocals(decided(expr, parameters))
    if has_choices(chosen):
        return Ellipse(None, reason="a case distinction of the expression is not decided on [-1, 1]")
    found = _of_form(chosen, parameters)
    if found.attained:
        return found
    # poles that cancel are gone when everything stands over one denominator
    other = _of_form(reduced(chosen), parameters)
    return other if other.attained or found.rho is None else found


def _of_form(chosen: Expr, parameters: Parameters) -> Ellipse:
    if is_entire(chosen):
        return Ellipse(oo, (), True, True, "entire functions of polynomials")
    candidates, missing = all_singular_points(chosen)
    if missing:
        return Ellipse(None, reason=missing)
    spare = SPARE
    for _ in range(_RINGS):
        ranked = smallest_rho(candidates, parameters)
        if ranked is None:
            return Ellipse(None, reason="the singular points cannot be compared")
        rho, points = ranked
        if not points:
            return Ellipse(oo, (), True, True, "no singular point in the plane")
        if rho is None or rho.has(S.NaN, S.ComplexInfinity) or not _is_number_or_symbolic(rho):
            return Ellipse(None, reason="rho of the nearest singular point cannot be evaluated")
        nearest = tuple(dict.fromkeys(z for z, _ in points))
        found = Ellipse(rho, nearest, True, False, "singular points of the functions inside")
        if _attained(chosen, points, nearest, parameters):
            return Ellipse(rho, nearest, True, True, found.reason)
        if not all(not z.free_symbols and continues_to(chosen, z) for z in nearest):
            return found
        if any(is_endless(node) for _, node in points):
            # further on the list of such points comes to an end before they do
            spare -= 1
            if not spare:
                return found
        candidates = [(z, node) for z, node in candidates if z not in nearest]
    return found


def _is_number_or_symbolic(rho: Expr) -> bool:
    if rho.free_symbols or rho.has(sympy.ComplexRootOf):
        return True
    try:
        return bool(ball(rho, prec=BITS).is_finite())
    except AsymptokError:
        return False


def _attained(
    expr: Expr, points: list[tuple[Expr, Expr]], nearest: tuple[Expr, ...], parameters: Parameters
) -> bool:
    return any(_is_singular(expr, node, z, parameters) for z, node in points) or any(
        _is_singular_on_the_axis(expr, z) for z in nearest
    )


# ------------------------------------------------------------------------------------- is it regular there?


def continues_to(expr: Expr, z: Expr) -> bool:
    """Whether the continuation of the expression from [-1, 1] along a segment to z is analytic at z.

    Each function is enclosed on balls along the segment by one analytic function that agrees with it on the real line.

    >>> continues_to(sympy.asin(4*sympy.asin(2*u/3)/(3*sympy.pi)), 3/(2*sympy.sqrt(2)))
    True
    """
    with flint_precision(BITS):
        end = _at(z)
        if not end.is_finite():
            return False
        boxes, foot = Boxes(expr), min(max(float(end.real.mid()), -1.0), 1.0)
        start = acb(arb(round(foot * 1024)) / 1024)
        for steps in _STEPS:
            # one step beyond, so that the last ball is a neighbourhood of z
            pieces = (start + (end - start) * arb(2 * j + 1, 1) / (2 * steps) for j in range(steps + 1))
            if all(boxes.at(_thick(piece, steps)) is not None for piece in pieces):
                return True
    return False


def _thick(piece: acb, steps: int) -> acb:
    margin = arb(0, (piece.real.rad() + piece.imag.rad() + arb(2) ** -60).upper())
    return acb(piece.real + margin, piece.imag + margin)


# --------------------------------------------------------------------------------------- is it a singularity?


#: bounded at their singular values, with a square root there
_ALGEBRAIC = (sympy.asin, sympy.acos, sympy.acosh)


def _is_singular(expr: Expr, node: Expr, z: Expr, parameters: Parameters) -> bool:
    """Whether a candidate is a singularity of the whole expression: nothing cancels it, and it is on this sheet."""
    if z.free_symbols or dag.free_symbols(expr) - {u}:
        return _is_singular_with_parameters(expr, node, parameters)
    power = node.is_Pow and node.func is not sympy.exp
    x = node.base if power else node.args[-1]
    record = record_of(node.func)
    if record is None or not _single_valued(x) or record.elsewhere(node) or (power and node.exp.has(u)):
        return False
    pole = bool(node.exp.is_integer) if power else not record.many_sheets
    if not pole and not _nonzero(dag.derivative(x, u), z):
        return False
    return _survives(expr, node, z, pole)


def _is_singular_with_parameters(expr: Expr, node: Expr, parameters: Parameters) -> bool:
    """a + b f(x), b != 0, x affine in u, no parameter in f itself: a simple singular point of f on every sheet."""
    factor, rest = expr.as_independent(u, as_Add=True)[1].as_independent(u, as_Add=False)
    power = node.is_Pow and node.func is not sympy.exp
    x = node.base if power else node.args[-1]
    others = (node.exp,) if power else node.args[:-1]
    record = record_of(node.func)
    plain = record is not None and not record.elsewhere(node) and all(not a.free_symbols for a in others)
    affine = x.is_polynomial(u) and sympy.degree(x, u) == 1
    if rest != node or not plain or not affine or (power and not node.exp.is_Rational):
        return False
    # log(1 + c u) is constant where c = 0
    return all(sign_with_parameters(g, parameters).nonzero for g in (factor, dag.derivative(x, u)))


def _survives(expr: Expr, node: Expr, z: Expr, pole: bool) -> bool:
    """f + a and f b with b != 0 are singular with f; 1/f is if f has a branch point, since f = 1/(1/f).

    exp(f) is if f has a pole, or is bounded with an algebraic branch point; exp of a logarithm is a power. All else
    must be analytic at z. An even function of f need not be singular, nor 1/f for a pole.
    """
    algebraic = node.func in _ALGEBRAIC or (node.is_Pow and node.exp.is_Rational and node.exp > 0)
    current: Expr = expr
    while current != node:
        inside = [a for a in current.args if a.has(node)]
        if len(inside) != 1:
            return False
        others = [a for a in current.args if a is not inside[0]]
        if current.is_Add:
            if not all(_is_analytic(a, z) for a in others):
                return False
        elif current.is_Mul:
            if not all(_is_analytic(a, z) and _single_valued(a) and _nonzero(a, z) for a in others):
                return False
        elif current.func is sympy.exp:
            if not (pole or algebraic):
                return False
        elif pole or not (current.is_Pow and current.exp == -1):
            return False
        current = inside[0]
    return True


def _is_analytic(part: Expr, z: Expr) -> bool:
    return _finite(part, z) and not any(_hits(inner, z) for inner in dag.postorder(part))


def _is_singular_on_the_axis(expr: Expr, z: Expr) -> bool:
    """For a real point: kappa is analytic from [-1, 1] up to it, and its expansion there is not a power series."""
    if dag.free_symbols(expr) != {u} or not z.is_real:
        return False
    right = z.is_positive
    path = Interval(S.NegativeOne, z, False, True) if right else Interval(z, S.One, True, False)
    if not by_ranges(expr, {}, path).holds:
        return False
    try:
        found = puiseux(expr, u, z, "-" if right else "+", 4)
        return found.first(_is_no_power) is not None
    except AsymptokError:
        return False


def _is_no_power(term: Term) -> bool:
    """A term that no power series has."""
    return bool(term.log_power or not term.exponent.is_Integer or term.exponent.is_negative)


def _single_valued(x: Expr) -> bool:
    """Whether the functions inside have one sheet each."""
    for part in dag.postorder(x):
        if not isinstance(part, Expr) or not part.args or not part.has(u):
            continue
        if part.is_Pow and part.func is not sympy.exp:
            if not part.exp.is_integer:
                return False
            continue
        record = record_of(part.func)
        if record is None or record.many_sheets:
            return False
    return True


def _hits(part: Expr, z: Expr) -> bool:
    if not isinstance(part, Expr) or not part.args or not part.has(u):
        return False
    found = singular_points(part)
    if found is None or not found.complete:
        return True
    here = _at(z)
    return any(_at(v).overlaps(here) for v in found.values)


def _at(z: Expr) -> acb:
    try:
        return number_ball(z)
    except AsymptokError:
        return acb("nan")


def _value(part: Expr, z: Expr) -> acb:
    try:
        return complex_ball(part, {u: _at(z)}, prec=BITS)
    except AsymptokError:
        return acb("nan")


def _finite(part: Expr, z: Expr) -> bool:
    return bool(_value(part, z).is_finite())


def _nonzero(part: Expr, z: Expr) -> bool:
    value = _value(part, z)
    return bool(value.is_finite()) and not value.contains(0)
