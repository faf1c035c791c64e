"""A singularity that the germs from both sides of a point prove.

First the expression is stripped of what cannot matter: of regular terms of a sum, of regular factors without a zero,
of functions with a derivative that does not vanish. A function is smooth if and only if what is left is smooth. Of
that the first coefficient has to differ on the two sides by something that is not zero, and all before it have to
agree exactly.
"""

from __future__ import annotations

import sympy
from flint import arb
from sympy import Dummy, Expr, Integer, Rational

from asymptok.errors import SYMPY_ERRORS
from asymptok.precision import flint_precision
from asymptok.regularity.cells import Parameters
from asymptok.regularity.domains import MONOTONE
from asymptok.regularity.model import FinerGrid, Model, NotShown
from asymptok.regularity.points import classify
from asymptok.regularity.resolved import jump
from asymptok.regularity.side import Side
from asymptok.regularity.symmetry import ANY, class_of

_BITS = 256
_FINEST = 6

#: kind, nu and reason of a singularity
Witness = tuple[str, "Expr | None", str]


def compare_sides(expr: Expr, point: Expr, radius: arb, parameters: Parameters) -> Witness | None:
    """A singularity at the point, for all values of the parameters, that germs prove; None if they prove none.

    >>> from flint import arb
    >>> from asymptok.symbols import u
    >>> compare_sides(u + sympy.exp(sympy.Abs(u)*(2 + sympy.exp(-1/u**2))), sympy.S.Zero, arb(1)/8, {})
    ('kink', 1, 'the derivative of order 1 jumps')
    """
    grid = 1
    while True:
        try:
            with flint_precision(_BITS):
                r = radius if grid == 1 else radius.root(grid).upper()
                sides = [Side(point, s, r, grid, parameters) for s in (1, -1)]
                for side in sides:
                    side.raw(expr)
                core = singular_core(expr, sides)
                return (
                    _growing(core, sides)
                    or _jump(core, sides)
                    or _compare(grid, core, sides)
                    or _expansions(core, point, parameters)
                )
        except FinerGrid as finer:
            grid *= finer.factor
            if grid > _FINEST:
                return None
        except NotShown:
            return None


# --------------------------------------------------------------------------------------------- the core


def singular_core(expr: Expr, sides: list[Side]) -> Expr:
    """A subexpression that is smooth if and only if the expression is, and singular in the same way."""
    while True:
        inner = _inside(expr, sides)
        if inner is None:
            return expr
        expr = inner


def _inside(expr: Expr, sides: list[Side]) -> Expr | None:
    if expr.is_Add or expr.is_Mul:
        needed = _is_regular if expr.is_Add else _is_unit
        rest = [a for a in expr.args if not needed(a, sides)]
        return expr.func(*rest) if rest and len(rest) < len(expr.args) else None
    if expr.is_Pow and expr.func is not sympy.exp:
        base, exponent = expr.args
        if sides[0].varies(exponent) or not exponent.is_Rational or not _has_one_sign(base, sides):
            return None
        return base
    if expr.func in MONOTONE and len(expr.args) == 1 and _has_slope(expr, sides):
        return expr.args[0]
    return None


def _is_regular(expr: Expr, sides: list[Side]) -> bool:
    try:
        if sides[0].grid != 1:
            return not sides[0].varies(expr)
        for side in sides:
            side.without_pole(expr)
        return class_of(expr, sides[0], sides[1]) in (0, ANY)
    except NotShown:
        return False


def _is_unit(expr: Expr, sides: list[Side]) -> bool:
    """Regular, and not zero at the point."""
    try:
        return _is_regular(expr, sides) and all(
            s.raw(expr).scale is None and s.lead(expr).order == 0 for s in sides
        )
    except NotShown:
        return False


def _has_one_sign(base: Expr, sides: list[Side]) -> bool:
    try:
        return len({s.sign(base) for s in sides}) == 1 and all(
            s.raw(base).scale is None and s.lead(base).order == 0 for s in sides
        )
    except NotShown:
        return False


def _has_slope(node: Expr, sides: list[Side]) -> bool:
    """A strictly monotone function, bounded argument, and a derivative that does not vanish there."""
    x = Dummy("x", real=True)
    try:
        slope = node.func(x).diff(x).xreplace({x: node.args[0]})
    except SYMPY_ERRORS:
        return False
    try:
        for side in sides:
            side.without_pole(node.args[0])
            # a scale is an infinite slope, or none: log of something flat is not smooth where that is
            if side.varies(slope) and (side.raw(slope).scale is not None or side.lead(slope).order != 0):
                return False
        return True
    except NotShown:
        return False


# --------------------------------------------------------------------------------------- the two sides


def _model(side: Side, expr: Expr) -> Model:
    model = side[expr].model
    if model is None:
        raise NotShown("no series")
    return model.normal()


def _growing(expr: Expr, sides: list[Side]) -> Witness | None:
    """Both sides have a germ, and one of them grows like an exponential."""
    for side in sides:
        scale = side.raw(expr).scale
        if scale is not None and side.growth(scale)[0] > 0 and side.sign(expr):
            return "undefined/complex", None, "it grows faster than every power"
    return None


def _compare(grid: int, core: Expr, sides: list[Side]) -> Witness | None:
    """A pole, a fractional power or a jump of a derivative whose coefficient is proved not to vanish.

    What comes before it has to vanish exactly: a coefficient is a function of the parameters.
    """
    try:
        right, left = (_model(side, core) for side in sides)
    except FinerGrid:
        raise
    except NotShown:
        return None
    for j in range(min(right.order, left.order), min(right.order + right.length, left.order + left.length)):
        a, b = left.coefficient(j), right.coefficient(j)
        power = Rational(j, grid)
        whole = j >= 0 and power.is_Integer
        parts = [b - (-1) ** int(power) * a] if whole else [a, b]
        if all(x.is_zero() for x in parts):
            continue
        if all(x.contains(0) for x in parts):
            return None  # it may vanish, and may not
        if not whole:
            kind = "pole" if j < 0 and power.is_Integer else "branch point"
            return kind, power, f"unbounded like |u - u0|^({power})" if j < 0 else f"|u - u0|^({power})"
        what = f"the derivative of order {power} jumps" if power else "the value jumps"
        return ("kink" if power else "jump"), Integer(int(power)), what
    return None


def _jump(expr: Expr, sides: list[Side]) -> Witness | None:
    """Two functions analytic at the point, one on each side: the order to which they agree."""
    try:
        order = jump(expr, sides)
    except NotShown:
        return None
    if order is None:
        return None
    what = f"the derivative of order {order} jumps" if order else "the value jumps"
    return ("kink" if order else "jump"), Integer(order), what


def _expansions(expr: Expr, point: Expr, parameters: Parameters) -> Witness | None:
    """The same by exact expansions, which both sides must have."""
    found = classify(expr, point, parameters)
    if not found.proved or found.left is None or found.right is None:
        return None
    return found.kind, found.nu, found.reason


__all__ = ["Witness", "compare_sides", "singular_core"]
