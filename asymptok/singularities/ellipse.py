"""How far an analytic kernel continues: rho, the sum of the semi-axes of the largest ellipse with foci -1 and 1 inside.

Every singular point of the continued expression solves x(u) = s for a function of the expression with argument x
that is singular at s. The solutions are sought on all branches, so that the smallest rho over them bounds the true
one from below; it is the true one if a nearest candidate is shown to be singular.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from flint import acb
from sympy import Expr, I, S, oo, pi

from asymptok import dag
from asymptok.balls import complex_ball
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.kernels.arccosine import ArcCosine
from asymptok.singularities.chains import survives
from asymptok.singularities.choices import decided, has_choices
from asymptok.singularities.domains import COMPLEX_ENTIRE, SINGULAR_VALUES
from asymptok.singularities.equations import Solutions, solve
from asymptok.singularities.intervals import Interval
from asymptok.singularities.monotone import Parameters
from asymptok.singularities.ranges import by_ranges
from asymptok.singularities.rho import BITS, number_ball, smallest_rho
from asymptok.symbols import u

_POLES = 4


@dataclass(frozen=True, slots=True)
class Ellipse:
    """rho (oo if entire, None if unknown), the nearest singular points, and what is known about both.

    `complete`: no singular point lies inside the ellipse, so mu_k = O(r^-k) for every r < rho.
    `attained`: a nearest point is a singularity indeed, so that no larger rho will do.
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
            return False
        if not node.args or not node.has(u):
            continue
        if node.is_Pow and node.func is not sympy.exp:
            whole = node.exp.is_integer and node.exp.is_nonnegative and not node.exp.has(u)
            positive_base = not node.base.has(u) and node.base.is_positive
            if not (whole or positive_base):
                return False
        elif node.func in (sympy.besselj, sympy.besseli):
            if not (node.args[0].is_integer and not node.args[0].has(u)):
                return False
        elif node.func is sympy.hyper:
            if len(node.ap) > len(node.bq):
                return False
        elif node.func not in COMPLEX_ENTIRE:
            return False
    return True


def largest_ellipse(expr: Expr, parameters: Parameters) -> Ellipse:
    """rho of an expression that is analytic on [-1, 1].

    >>> largest_ellipse(sympy.asin(2*u/3), {}).rho
    sqrt(5)/2 + 3/2
    >>> largest_ellipse(1/(u**2 + 1), {}).rho
    1 + sqrt(2)
    """
    chosen = decided(expr, parameters)
    if has_choices(chosen):
        return Ellipse(None, reason="a case distinction of the expression is not decided on [-1, 1]")
    if is_entire(chosen):
        return Ellipse(oo, (), True, True, "entire functions of polynomials")
    candidates: list[tuple[Expr, Expr]] = []
    complete = True
    for node in dag.postorder(chosen):
        if not isinstance(node, Expr) or not node.args or not node.has(u):
            continue
        found = singular_points(node)
        if found is None:
            return Ellipse(None, reason=f"the singular points of {node.func} are not known here")
        complete = complete and found.complete and (not found.periodic or _affine_period(node))
        candidates += [(z, node) for z in found.values]
    if not complete:
        return Ellipse(None, reason="an equation for the singular points has no solution in closed form")
    ranked = smallest_rho(candidates, parameters)
    if ranked is None:
        return Ellipse(None, reason="the singular points cannot be compared")
    if not ranked:
        return Ellipse(oo, (), True, True, "no singular point in the plane")
    rho, points = ranked
    nearest = tuple(dict.fromkeys(z for z, _ in points))
    attained = any(_is_singular(chosen, node, z) for z, node in points) or any(
        _is_singular_on_the_axis(chosen, z) for z in nearest
    )
    return Ellipse(rho, nearest, True, attained, "singular points of the functions inside")


def singular_points(node: Any) -> Solutions | None:
    """The points where the outermost function of the node is singular; None for a function that is not known."""
    if node.is_Pow and node.func is not sympy.exp:
        if node.exp.has(u):
            return solve(node.base) if node.base.has(u) else Solutions(())
        whole = node.exp.is_integer and node.exp.is_nonnegative
        return Solutions(()) if whole else solve(node.base)
    if node.func in COMPLEX_ENTIRE:
        return Solutions(())
    x = node.args[-1]
    values = _values(node)
    if values is None:
        return None
    parts = [solve(x, s) for s in values]
    # the nearest pole of gamma is among the first few only if the argument is affine
    affine = node.func not in (sympy.gamma, sympy.loggamma) or (
        x.is_polynomial(u) and sympy.degree(x, u) == 1
    )
    return Solutions(
        tuple(dict.fromkeys(v for part in parts for v in part.values)),
        affine and all(part.complete for part in parts),
        any(part.periodic for part in parts) or node.func in _PERIODIC,
    )


_PERIODIC: dict[Any, tuple[Expr, Expr]] = {
    # first pole and period
    sympy.tanh: (I * pi / 2, I * pi),
    sympy.sech: (I * pi / 2, I * pi),
    sympy.coth: (S.Zero, I * pi),
    sympy.csch: (S.Zero, I * pi),
    sympy.tan: (pi / 2, pi),
    sympy.sec: (pi / 2, pi),
    sympy.cot: (S.Zero, pi),
    sympy.csc: (S.Zero, pi),
}


def _values(node: Any) -> tuple[Expr, ...] | None:
    f = node.func
    if f in _PERIODIC:
        first, period = _PERIODIC[f]
        return tuple(first + j * period for j in range(-_POLES, _POLES))
    if f is ArcCosine:
        return (S.One, S.NegativeOne)
    if f in SINGULAR_VALUES:
        return SINGULAR_VALUES[f]
    if f in (sympy.bessely, sympy.besselk):
        return (S.Zero,)
    if f in (sympy.besselj, sympy.besseli):
        return () if node.args[0].is_integer else (S.Zero,)
    if f is sympy.polylog:
        return (S.One, S.Zero)
    if f is sympy.hyper:
        return (S.One, S.Zero) if len(node.ap) == len(node.bq) + 1 else ()
    if f in (sympy.gamma, sympy.loggamma):
        return tuple(S(-j) for j in range(_POLES))
    return None


_WAVES = (sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.exp, *_PERIODIC)
_ON_REAL_AXIS = (sympy.tan, sympy.sec, sympy.cot, sympy.csc, sympy.sin, sympy.cos)


def _affine_period(node: Any) -> bool:
    """Solutions a period apart lie on a line parallel to an axis if all arguments are affine with real slope.

    On such a line rho grows away from the axis of symmetry, so that the periods looked at contain the smallest.
    """
    for part in dag.postorder(node):
        if not isinstance(part, Expr) or not part.has(u) or part == u:
            continue
        if part.is_polynomial(u):
            if sympy.degree(part, u) > 1:
                return False
        elif part.func not in (sympy.Add, sympy.Mul, sympy.Pow, *_WAVES):
            return False
        elif part.func in _WAVES:
            x = part.args[0]
            if not (x.is_polynomial(u) and sympy.degree(x, u) == 1 and x.coeff(u, 1).is_real):
                return False
            # poles on the real axis: the far ones must be covered by the periods looked at
            if part.func in _ON_REAL_AXIS:
                offset = x.coeff(u, 0)
                if not (offset.is_number and abs(offset) + abs(x.coeff(u, 1)) < pi * (_POLES - 1)):
                    return False
    return True


# --------------------------------------------------------------------------------------- is it a singularity?


#: functions with singular points that are not on every sheet
_SHEETS = (sympy.LambertW, sympy.polylog, sympy.elliptic_k, sympy.elliptic_e, sympy.hyper)


def _is_singular(expr: Expr, node: Any, z: Expr) -> bool:
    """Whether a candidate is a singularity of the whole expression: nothing cancels it, and it is on this sheet."""
    if z.free_symbols:
        return bool(expr.as_independent(u, as_Add=True)[1].as_independent(u, as_Add=False)[1] == node)
    x = node.base if node.is_Pow and node.func is not sympy.exp else node.args[-1]
    if not _single_valued(x):
        return False
    if node.func in _SHEETS:
        return False
    pole = node.is_Pow and node.exp.is_integer
    if not pole and not _nonzero(dag.derivative(x, u), z):
        return False

    def is_analytic(part: Expr) -> bool:
        return _finite(part, z) and not any(_hits(inner, z) for inner in dag.postorder(part))

    return survives(expr, node, is_analytic, lambda part: _nonzero(part, z))


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
        return any(
            term.log_power or not term.exponent.is_Integer or term.exponent.is_negative
            for term in found.terms
        )
    except AsymptokError:
        return False


def _single_valued(x: Expr) -> bool:
    return all(
        not isinstance(part, Expr) or not part.has(u) or not part.args
        or (part.is_Pow and part.exp.is_integer) or part.func in COMPLEX_ENTIRE or part.func in _PERIODIC
        for part in dag.postorder(x)
    )  # fmt: skip


def _hits(part: Any, z: Expr) -> bool:
    if not isinstance(part, Expr) or not part.args or not part.has(u):
        return False
    found = singular_points(part)
    if found is None or not found.complete:
        return True
    here = _at(z)
    return any(_at(v).overlaps(here) for v in found.values)


def _at(z: Expr) -> Any:
    try:
        return number_ball(z)
    except AsymptokError:
        return acb("nan")


def _value(part: Expr, z: Expr) -> Any:
    try:
        return complex_ball(part, {u: _at(z)}, prec=BITS)
    except AsymptokError:
        return acb("nan")


def _finite(part: Expr, z: Expr) -> bool:
    return bool(_value(part, z).is_finite())


def _nonzero(part: Expr, z: Expr) -> bool:
    value = _value(part, z)
    return bool(value.is_finite()) and not value.contains(0)
