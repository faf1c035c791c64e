"""Does kappa continue to a disc larger than |u| <= 1, cut along [1, oo) and (-oo, -1]?

Two arguments. The singular points of a function inside solve an equation, and all its solutions lie outside of the
closed unit disc or at +-1. Or its argument x has Taylor coefficients >= 0 with x(1) at most the singular value s > 0:
then |x(u)| <= x(1) in the disc, and with x(0) > 0 and x'(0) > 0 equality on the circle forces u = 1.
"""

from __future__ import annotations

import sympy
from sympy import Expr, S, sstr

from asymptok import dag
from asymptok.balls import complex_ball
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.functions.arccosine import ArcCosine
from asymptok.laws.taylor_signs import Shapes
from asymptok.regularity.candidates import singular_points
from asymptok.regularity.choices import decided, has_choices
from asymptok.regularity.domains import short
from asymptok.regularity.ranges import limit
from asymptok.symbols import u
from asymptok.theorems.case import Case
from asymptok.theorems.theorem import Hypothesis, Verdict
from asymptok.truth import PROVED, REFUTED, UNKNOWN, Sign

#: singular at +-1 only, and analytic in the unit disc
_UNIT = (ArcCosine, sympy.asin, sympy.acos, sympy.atanh)


def _slit_disc(case: Case) -> Verdict:
    expr = decided(case.kernel.expr, case.kernel.parameters)
    if has_choices(expr):
        return Verdict(UNKNOWN, "a case distinction is not decided on [-1, 1]")
    shapes = Shapes(case.kernel.parameters)
    for node in dag.postorder(expr):
        if not isinstance(node, Expr) or not node.args or not node.has(u):
            continue
        verdict = _node(case, expr, node, shapes)
        if verdict is not None:
            return verdict
    return Verdict(PROVED, "every function inside is analytic at its argument for |u| <= 1, u != +-1")


def _node(case: Case, expr: Expr, node: Expr, shapes: Shapes) -> Verdict | None:
    """None if the outermost function of the node is analytic on the closed disc without +-1."""
    if node.func in _UNIT and _dominated(node.args[-1], shapes):
        return None
    if not _bounded_arguments(case, node):
        return Verdict(
            UNKNOWN, f"the argument of {short(node)} is unbounded at an end, where it may grow in the plane"
        )
    found = singular_points(node)
    if found is None or not found.complete or found.periodic:
        return Verdict(UNKNOWN, f"the singular points of {short(node)} are not all known")
    for z in found.values:
        if z in (1, -1):
            continue  # where the disc is cut
        where = _position(case, z)
        if not where.known:
            return Verdict(
                UNKNOWN, f"whether the singular point {sstr(z)} lies in the unit disc is not decided"
            )
        if where.nonpositive:
            alone = node == expr.as_independent(u, as_Add=False)[1] and _surely_singular(node, z)
            grade = "is" if alone else "may be"
            return Verdict(
                REFUTED if alone else UNKNOWN,
                f"{short(node)} {grade} singular at u = {sstr(z)}, in the closed unit disc",
            )
    return None


def _surely_singular(node: Expr, z: Expr) -> bool:
    """p^e at a simple zero z of a polynomial p, e not a whole number >= 0: singular on every sheet.

    The points that solve the equations of other functions may lie on another sheet: 1/(sqrt(2+u) + 5/4) is regular at
    u = -7/16, where only the other root is -5/4.
    """
    if not node.is_Pow or node.exp.has(u) or not node.base.is_polynomial(u) or node.free_symbols != {u}:
        return False
    if node.exp.is_integer is None or node.exp.is_nonnegative is None:
        return False
    if node.exp.is_integer and node.exp.is_nonnegative:
        return False
    slope = complex_ball(dag.rebuild(sympy.diff(node.base, u), {u: z}), prec=128)
    return bool(slope.is_finite()) and not slope.contains(0)


def _bounded_arguments(case: Case, node: Expr) -> bool:
    """exp(-1/t) is small on the real axis and huge beside it: arguments of functions have to stay finite at +-1."""
    if node.is_Add or node.is_Mul or (node.is_Pow and not node.exp.has(u)):
        return True
    for argument in node.args:
        if not argument.has(u):
            continue
        for at, side in ((S.One, "-"), (S.NegativeOne, "+")):
            value = limit(argument, at, side, case.kernel.parameters)
            # an argument without a known limit is finite only if nothing infinite is inside it
            if value.is_infinite if value is not None else not _surely_bounded(case, argument, at, side):
                return False
    return True


def _surely_bounded(case: Case, argument: Expr, at: Expr, side: str) -> bool:
    try:
        found = puiseux(argument, u, at, side, 0, parameters=case.kernel.parameters)
    except AsymptokError:
        return False
    return not any(
        term.exponent.is_nonnegative is not True or (term.exponent.is_zero is not False and term.log_power)
        for term in found.terms
    )


def _position(case: Case, z: Expr) -> Sign:
    """The sign of |z| - 1."""
    if z.free_symbols:
        return case.sign(sympy.factor(z**2 - 1)) if z.is_real else Sign.UNKNOWN
    try:
        modulus = abs(complex_ball(z, prec=128))
    except AsymptokError:
        return Sign.UNKNOWN
    if modulus > 1:
        return Sign.POSITIVE
    return Sign.NEGATIVE if modulus < 1 else case.sign(sympy.expand(z * sympy.conjugate(z)) - 1)


def _dominated(x: Expr, shapes: Shapes) -> bool:
    """|x(u)| <= x(1) <= 1 on the disc, with equality at +-1 only."""
    if x == u:
        return True
    if not shapes.nonnegative(x) or not shapes.at_most(x, S.One):
        return False
    slope = dag.derivative(x, u)
    return shapes.sign_at_zero(x).positive and shapes.sign_at_zero(slope).positive


SLIT_DISC = Hypothesis(
    "slit disc",
    "kappa continues analytically to a disc |u| < 1 + epsilon cut along the real axis outside (-1, 1)",
    r"\kappa \text{ analytic for } |u| < 1+\varepsilon,\; u \notin (-\infty,-1] \cup [1,\infty)",
    _slit_disc,
)
