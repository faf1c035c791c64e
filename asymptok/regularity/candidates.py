"""Where an expression may be singular in the complex plane: all solutions of x(u) = s, s singular for a function of x.

The list is meant to miss nothing: it holds the singular points on all sheets that continuation can reach.
"""

from __future__ import annotations

import sympy
from flint import acb, arb
from sympy import Expr

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions import Progression, record_of
from asymptok.regularity.equations import PERIODS, Solutions, solve
from asymptok.symbols import u

#: of infinitely many points, those beyond the nearest on either side that are in the list
SPARE = 2


def singular_points(node: Expr) -> Solutions | None:
    """The points where the outermost function of the node may be singular; None for a function that is not known.

    >>> singular_points(sympy.tan(u/10 + 100)).values[2:4]
    (-1000 + 315*pi, -1000 + 325*pi)
    """
    if node.is_Add or node.is_Mul:
        return Solutions(())
    if node.is_Pow and node.func is not sympy.exp:
        return _of_power(node)
    record = record_of(node.func)
    if record is None or not record.fixed_parameters(node):
        return None
    if record.entire(node):
        return Solutions(())
    values = record.singular_values(node)
    if values is None:
        return None
    x = record.argument(node)
    parts = [_progression(x, s) if isinstance(s, Progression) else solve(x, s) for s in values]
    return Solutions(
        tuple(dict.fromkeys(v for part in parts for v in part.values)),
        all(part.complete for part in parts),
        any(part.periodic for part in parts),
    )


def _of_power(node: Expr) -> Solutions | None:
    """f^g = exp(g log f) is singular where f vanishes, unless g is a whole number."""
    base, exponent = node.args
    if not base.has(u):
        return Solutions(()) if base.is_positive else None
    whole = exponent.is_integer and exponent.is_nonnegative and not exponent.has(u)
    return Solutions(()) if whole else solve(base)


def _progression(x: Expr, points: Progression) -> Solutions:
    """Of infinitely many points those next to the values of x; they hold the nearest solution if x is affine in u.

    For x = a u + b with real a the solutions lie on a line parallel to an axis, where rho grows away from [-1, 1].
    Some more on either side: the nearest may turn out to be regular, as 0 does for u coth(u).
    """
    slope = x.coeff(u, 1) if x.is_polynomial(u) and sympy.degree(x, u) == 1 else None
    offset = None if slope is None else x.coeff(u, 0)
    if slope is None or offset is None or (slope.free_symbols | offset.free_symbols) or not slope.is_real:
        return Solutions((), complete=False)
    try:
        middle, reach = ball(offset, prec=128), abs(ball(slope, prec=128))
        near = points.near(acb(middle + arb(0, reach.upper())), margin=SPARE)
    except AsymptokError:
        return Solutions((), complete=False)
    return Solutions(tuple(v for s in near for v in solve(x, s).values))


def is_endless(node: Expr) -> bool:
    """Whether the function of the node may have infinitely many singular points, of which a few are in the list."""
    if node.is_Pow and node.func is not sympy.exp:
        found = singular_points(node)
        return found is None or found.periodic
    record = record_of(node.func)
    values = None if record is None else record.singular_values(node)
    return values is None or any(
        isinstance(s, Progression) or solve(node.args[-1], s).periodic for s in values
    )


def all_singular_points(expr: Expr) -> tuple[list[tuple[Expr, Expr]], str]:
    """(point, node) for every function of the expression; and why the list may lack some, empty if it does not."""
    found: list[tuple[Expr, Expr]] = []
    for node in dag.postorder(expr):
        if not isinstance(node, Expr) or not node.args or not node.has(u):
            continue
        points = singular_points(node)
        if points is None:
            return [], f"the singular points of {node.func} are not known here"
        if not points.complete or (points.periodic and not _affine_period(node)):
            return [], "an equation for the singular points has no solution in closed form"
        found += [(z, node) for z in points.values]
    return found, ""


_WAVES = (sympy.sin, sympy.cos, sympy.tan, sympy.sinh, sympy.cosh, sympy.tanh, sympy.exp)
_ON_REAL_AXIS = (sympy.sin, sympy.cos, sympy.tan)
#: periods on either side that cover the interval; `solve` looks at SPARE more
_PERIODS = PERIODS - SPARE


def _affine_period(node: Expr) -> bool:
    """Solutions a period apart lie on a line parallel to an axis if all arguments are affine with real slope.

    On such a line rho grows away from the axis of symmetry, so that the periods looked at contain the smallest.
    """
    for part in dag.postorder(node):
        if not isinstance(part, Expr) or not part.has(u) or part == u:
            continue
        if part.is_polynomial(u):
            if sympy.degree(part, u) > 1:
                return False
        elif part.func not in (sympy.Add, sympy.Mul, sympy.Pow, *_WAVES) and part is not node:
            return False
        elif part.func in _WAVES:
            x = part.args[0]
            if not (x.is_polynomial(u) and sympy.degree(x, u) == 1 and x.coeff(u, 1).is_real):
                return False
            # solutions on the real axis: the far ones must be covered by the periods looked at
            if part.func in _ON_REAL_AXIS:
                offset = x.coeff(u, 0)
                if not (offset.is_number and abs(offset) + abs(x.coeff(u, 1)) < sympy.pi * (_PERIODS - 1)):
                    return False
    return True
