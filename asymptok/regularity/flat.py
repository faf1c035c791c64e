"""C-infinity at a point without a power series there: exp(-1/x^2), and what is made of such parts.

exp(g) with g -> -oo like a negative power is flat: it and all its derivatives are smaller than every power. Flat times
a part with an expansion, whose derivatives grow at most like powers (docs/theory.md, Termwise differentiation), is
flat; F(smooth) is smooth where F is analytic at the limit of its argument. Nothing else is concluded: 1/flat and
log(flat) are not smooth.
"""

from __future__ import annotations

from enum import IntEnum

import sympy
from sympy import Add, Expr, Rational, S

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.expansion import Term, puiseux
from asymptok.functions import SWITCHES, record_of
from asymptok.regularity.boxes import Boxes, Parameters
from asymptok.regularity.choices import decided
from asymptok.regularity.intervals import Interval
from asymptok.regularity.points import analytic_at
from asymptok.regularity.ranges import by_ranges
from asymptok.symbols import u

__all__ = ["Grade", "flat_part_is_there", "flat_term", "grade_at", "pole", "smooth_up_to_ends"]

#: how far from the point case distinctions are looked at
_NEXT_TO = Rational(1, 256)
#: where the value of a flat part is looked at
_DISTANCES = (Rational(1, 4), Rational(1, 32))


class Grade(IntEnum):
    """What is known of a part next to a point: flat, C-infinity there, or no more than an expansion."""

    FLAT = 0
    SMOOTH = 1
    MODERATE = 2
    UNKNOWN = 3


def grade_at(expr: Expr, point: Expr, parameters: Parameters, sides: str = "+-") -> Grade:
    """The calculus of flat parts from the leaves upwards, on one side of a point or around it.

    >>> grade_at(sympy.Abs(u)*sympy.exp(-1/u**2), S.Zero, {}), grade_at(u + sympy.exp(-1/u), S.Zero, {}, "+")
    (<Grade.FLAT: 0>, <Grade.SMOOTH: 1>)
    """
    nodes = list(dag.postorder(expr))
    if _is_analytic(expr, point, parameters, sides):
        return Grade.SMOOTH
    if not any(smooth_up_to_ends(n) or flat_term(n, point, parameters, sides) for n in nodes):
        return Grade.UNKNOWN
    grades: dict[Expr, Grade] = {}
    for node in nodes:
        if isinstance(node, Expr):
            grades[node] = _grade(node, point, parameters, sides, grades)
    return grades[expr]


def _grade(node: Expr, point: Expr, parameters: Parameters, sides: str, grades: dict[Expr, Grade]) -> Grade:
    """One node from the grades of its arguments."""
    if not node.has(u) or _is_analytic(node, point, parameters, sides):
        return Grade.SMOOTH
    if flat_term(node, point, parameters, sides) is not None:
        return Grade.FLAT
    inner = [grades.get(a, Grade.UNKNOWN) for a in node.args]
    if node.is_Add and max(inner) <= Grade.SMOOTH:
        return max(inner)
    if node.is_Mul:
        if max(inner) <= Grade.SMOOTH:
            return min(inner)
        if Grade.FLAT in inner and max(inner) <= Grade.MODERATE:
            return Grade.FLAT
    if node.is_Pow and node.exp.is_Integer and node.exp > 0 and inner[0] <= Grade.SMOOTH:
        return inner[0]
    smooth = max(inner) <= Grade.SMOOTH
    if smooth and (smooth_up_to_ends(node) or _analytic_at_limit(node, point, parameters, sides)):
        return Grade.SMOOTH
    return Grade.MODERATE if _expands(node, point, parameters, sides) else Grade.UNKNOWN


def smooth_up_to_ends(node: Expr) -> bool:
    """Whether the outermost function is C-infinity on a closed interval, which its argument does not leave."""
    record = record_of(node.func)
    return record is not None and record.smooth_ends and record.fixed_parameters(node)


def _is_analytic(expr: Expr, point: Expr, parameters: Parameters, sides: str) -> bool:
    """Whether the part agrees on the sides with a function analytic at the point."""
    if not isinstance(expr, Expr) or expr.has(sympy.nan, sympy.zoo):
        return False
    try:
        if len(sides) == 1:
            # Max(0, u - 1/6)^(3/2) is 0 next to -1, where x^(3/2) is not analytic
            expr = decided(expr, parameters, _beside(point, sides, _NEXT_TO))
        return analytic_at(expr, point, parameters, sides)
    except AsymptokError:
        return False


def _beside(point: Expr, side: str, length: Rational) -> Interval:
    low, high = (point, point + length) if side == "+" else (point - length, point)
    return Interval(low, high, side == "+", side == "-")


def _expands(node: Expr, point: Expr, parameters: Parameters, sides: str) -> bool:
    """Whether there is an expansion on each side."""
    try:
        return all(puiseux(node, u, point, side, 1, parameters=parameters) is not None for side in sides)
    except AsymptokError:
        return False


def _analytic_at_limit(node: Expr, point: Expr, parameters: Parameters, sides: str) -> bool:
    """Whether the outermost function is analytic at the limit of its one varying argument, on both sides of it."""
    varying = [i for i, a in enumerate(node.args) if a.has(u)]
    if isinstance(node, SWITCHES) or len(varying) != 1:
        return False
    place = varying[0]
    try:
        found = puiseux(node.args[place], u, point, sides[0], 0, parameters=parameters)
    except AsymptokError:
        return False
    if any(term.exponent != 0 or term.log_power for term in found.terms):
        return False
    value = sum((term.coefficient for term in found.terms), S.Zero)
    args = [*node.args[:place], value + u - point, *node.args[place + 1 :]]
    return _is_analytic(node.func(*args), point, parameters, "+-")


def flat_term(node: Expr, point: Expr, parameters: Parameters, sides: str) -> Term | None:
    """The leading term of g for a node exp(g) with g -> -oo like a negative power of the distance on all sides."""
    exponent = exponent_of(node) if isinstance(node, Expr) and node.has(u) else None
    if exponent is None or not exponent.has(u):
        return None
    found = [pole(exponent, point, parameters, side) for side in sides]
    return found[0] if all(term is not None and term.coefficient.is_negative for term in found) else None


def exponent_of(node: Expr) -> Expr | None:
    """g for a node exp(g), or b^x = exp(x log b) with a constant b > 0."""
    if isinstance(node, sympy.exp):
        return node.args[0]
    if node.is_Pow and node.exp.has(u) and node.base.is_positive and not node.base.has(u):
        return node.exp * sympy.log(node.base)
    return None


def pole(expr: Expr, point: Expr, parameters: Parameters, side: str) -> Term | None:
    """The leading term of something that tends to infinity like a power."""
    try:
        return puiseux(expr, u, point, side, 1, parameters=parameters).pole
    except AsymptokError:
        return None


def flat_part_is_there(expr: Expr, point: Expr, parameters: Parameters, side: str) -> bool:
    """Whether the expression is an analytic function plus something flat that is not zero, hence not analytic.

    >>> flat_part_is_there(u + sympy.exp(-1/(1 - u)), S.One, {}, "-")
    True
    """
    rest = Add(*[a for a in Add.make_args(expr) if not _is_analytic(a, point, parameters, side)])
    if (
        parameters
        or not isinstance(point, Rational)
        or grade_at(rest, point, parameters, side) is not Grade.FLAT
    ):
        return False
    for distance in _DISTANCES:
        sample = point + distance if side == "+" else point - distance
        value = Boxes(rest).on(sample, sample)
        if value is not None and not value.contains(0):
            # analytic on the way to the point: it cannot vanish next to it
            return by_ranges(rest, parameters, _beside(point, side, distance)).holds
    return False
