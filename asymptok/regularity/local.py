"""A point and its two sides: the forms of an expression beside it, and whether they are one analytic function there."""

from __future__ import annotations

from enum import Enum

import sympy
from sympy import Expr, S

from asymptok import dag
from asymptok.constants import decide
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.regularity.boxes import Parameters
from asymptok.regularity.choices import decided, has_choices
from asymptok.regularity.flat import Grade, grade_at
from asymptok.regularity.identities import with_quotients
from asymptok.regularity.intervals import Interval
from asymptok.regularity.points import InteriorPoint, analytic_at, classify
from asymptok.regularity.ranges import by_ranges
from asymptok.symbols import u
from asymptok.truth import Truth

#: the order to which two functions that differ are expanded, where a first look has shown no difference
_FAR = 20
#: functions whose value at a point may differ from the limits on both sides
_STEPS = (sympy.sign, sympy.Heaviside, sympy.Piecewise, sympy.floor, sympy.ceiling)


class Regular(Enum):
    """What is proved at a point."""

    ANALYTIC = "analytic"
    #: C-infinity, with a part that is flat at the point
    SMOOTH = "smooth"


#: what an expression is on the left and on the right of a point, where it is shown analytic
Sides = tuple["Expr | None", "Expr | None"]


def form_on(expr: Expr, interval: Interval, parameters: Parameters) -> Expr | None:
    """The expression on the interval, its choices made, if it is shown analytic there by ranges.

    >>> form_on(sympy.sqrt(sympy.Abs(u)), Interval(S.NegativeOne, S.Zero, True, True), {})
    sqrt(-u)
    """
    form = decided(expr, parameters, interval)
    return form if by_ranges(form, parameters, interval).holds else None


def regular_at(expr: Expr, point: Expr, sides: Sides, parameters: Parameters) -> Regular | None:
    """How both sides continue one function: analytic there, C-infinity, or None where neither is shown.

    >>> regular_at(sympy.sin(u)/u, S.Zero, (None, None), {}), regular_at(sympy.Abs(u), S.Zero, (-u, u), {})
    (<Regular.ANALYTIC: 'analytic'>, None)
    """
    left, right = sides
    if left is None and right is None and not has_choices(expr):
        left = right = expr
    if left is None or right is None:
        return None
    alike = _same(left, right)
    if expr.has(*_STEPS) and not _has_limit_as_value(expr, point, parameters):
        return None
    if alike and is_analytic(left, point, parameters):
        return Regular.ANALYTIC
    if grade_at(left if alike else expr, point, parameters) <= Grade.SMOOTH:
        return Regular.SMOOTH
    for one, other, side in ((left, right, "+"), (right, left, "-")):
        # one function on both sides, and on one of them something flat beside it
        beside = Grade.UNKNOWN if alike else grade_at(other - one, point, parameters, side)
        if beside is Grade.FLAT and grade_at(one, point, parameters) <= Grade.SMOOTH:
            return Regular.SMOOTH
    return None


def witness_at(expr: Expr, point: Expr, sides: Sides, parameters: Parameters) -> InteriorPoint:
    """What happens at a point that is not shown to be regular, proved or not.

    >>> print(witness_at(sympy.Abs(u), S.Zero, (-u, u), {}))
    kink at u = 0: the derivative of order 1 jumps, from -1 to 1
    """
    found = classify(expr, point, parameters)
    left, right = sides
    if found.proved or left is None or right is None or _same(left, right):
        return found
    both = is_analytic(left, point, parameters) and is_analytic(right, point, parameters)
    return classify(expr, point, parameters, _FAR) if both else found


def _same(left: Expr, right: Expr) -> bool:
    return bool(left == right or sympy.expand(left - right) == 0)


def is_analytic(form: Expr, point: Expr, parameters: Parameters, sides: str = "+-") -> bool:
    """Whether the form agrees on the given sides of the point with a function that is analytic there."""
    shapes = dict.fromkeys((form, with_quotients(form)))
    return any(analytic_at(shape, point, parameters, sides) for shape in shapes)


def _has_limit_as_value(expr: Expr, point: Expr, parameters: Parameters) -> bool:
    """A value at the point itself, if there is one, has to be the limit."""
    value = dag.value_at(expr, u, point)
    if value is None:
        return not expr.has(sympy.Max, sympy.Min)
    try:
        terms = puiseux(expr, u, point, "+", 1, parameters=parameters).terms
    except AsymptokError:
        return False
    limit = sum((t.coefficient for t in terms if t.exponent == 0), S.Zero)
    return decide.is_zero(value - limit, parameters) is Truth.TRUE
