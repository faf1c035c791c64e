"""Abs, sign, Min, Max, Heaviside, Piecewise: the branch that holds next to the point is the expansion."""

from __future__ import annotations

from typing import Any

from sympy import Abs, Heaviside, Max, Min, sign

from asymptok.series.functions.registry import Context, direction, expands
from asymptok.series.series import Series


@expands(Abs)
def _abs(context: Context, node: Any, a: Series) -> Series:
    return -a if direction(a, node) < 0 else a


@expands(sign)
def _sign(context: Context, node: Any, a: Series) -> Series:
    return context.number(direction(a, node))


@expands(Heaviside)
def _heaviside(context: Context, node: Any, a: Series, at_zero: Series | None = None) -> Series:
    side = direction(a, node)
    if side == 0 and at_zero is not None:
        return at_zero
    return context.number(1 if side > 0 else 0)


@expands(Max)
def _max(context: Context, node: Any, *args: Series) -> Series:
    best = args[0]
    for a in args[1:]:
        if direction(a - best, node) > 0:
            best = a
    return best


@expands(Min)
def _min(context: Context, node: Any, *args: Series) -> Series:
    best = args[0]
    for a in args[1:]:
        if direction(a - best, node) < 0:
            best = a
    return best
