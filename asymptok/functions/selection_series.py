"""Abs, sign, Min, Max, Heaviside, Piecewise: the branch that holds next to the point is the expansion."""

from __future__ import annotations

from sympy import Abs, Expr, Heaviside, Max, Min, arg, atan, atan2, conjugate, im, pi, re, sign

from asymptok.errors import ExpansionError
from asymptok.functions.expanding import Context, Series, direction, expands


@expands(Abs)
def _abs(context: Context, node: Expr, a: Series) -> Series:
    return -a if direction(a, node) < 0 else a


@expands(sign)
def _sign(context: Context, node: Expr, a: Series) -> Series:
    return context.number(direction(a, node))


@expands(re, conjugate)
def _real_part(context: Context, node: Expr, a: Series) -> Series:
    # SymPy writes re, im and arg where it cannot see that an expression is real; ours are.
    return a


@expands(im)
def _imaginary_part(context: Context, node: Expr, a: Series) -> Series:
    return context.number(0)


@expands(arg)
def _argument(context: Context, node: Expr, a: Series) -> Series:
    return _atan2(context, node, context.number(0), a)


@expands(atan2)
def _atan2(context: Context, node: Expr, y: Series, x: Series) -> Series:
    up, right = direction(y, node), direction(x, node)
    if right == 0:
        if up == 0:
            raise ExpansionError(f"{node} has no direction at zero", node)
        return context.number(up * pi / 2)
    turn = context.number(0 if right > 0 else (pi if up >= 0 else -pi))
    return turn if up == 0 else turn + context.expand(atan, y * context.reciprocal(x, node), node=node)


@expands(Heaviside)
def _heaviside(context: Context, node: Expr, a: Series, at_zero: Series | None = None) -> Series:
    side = direction(a, node)
    if side == 0 and at_zero is not None:
        return at_zero
    return context.number(1 if side > 0 else 0)


@expands(Max)
def _max(context: Context, node: Expr, *args: Series) -> Series:
    best = args[0]
    for a in args[1:]:
        if direction(a - best, node) > 0:
            best = a
    return best


@expands(Min)
def _min(context: Context, node: Expr, *args: Series) -> Series:
    best = args[0]
    for a in args[1:]:
        if direction(a - best, node) < 0:
            best = a
    return best
