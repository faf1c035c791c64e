"""The expression that a case distinction is on one side of a point: |x| is x or -x, a Max one of its branches.

If what is left has no choice and is the same on both sides, the expression is that function. If it is not, but both
are analytic at the point, their difference says which derivative jumps.
"""

from __future__ import annotations

import sympy
from sympy import Expr, Integer, S

from asymptok import dag
from asymptok.regularity.factoring import factored
from asymptok.regularity.identities import identical
from asymptok.regularity.model import NotShown
from asymptok.regularity.side import Side
from asymptok.regularity.symmetry import ANY, class_of

_CHOICES = (sympy.Abs, sympy.sign, sympy.Heaviside, sympy.Max, sympy.Min, sympy.Piecewise)


def resolved(expr: Expr, side: Side) -> Expr:
    """The same function on this side, without the choices that are made there; NotShown if one is not known.

    >>> from flint import arb
    >>> from asymptok.symbols import u
    >>> resolved(sympy.Max(u, u**2) + sympy.Abs(u), Side(S.Zero, -1, arb(1)/8))
    u**2 - u
    """
    new: dict[Expr, Expr] = {}
    # only what is reached from the root: the branches that are not taken need no resolution
    stack: list[Expr] = [expr]
    while stack:
        node = stack[-1]
        if node in new:
            stack.pop()
            continue
        choice = node.func in _CHOICES and side.varies(node)
        parts = [_taken(node, side)[0]] if choice else list(node.args)
        missing = [part for part in parts if part not in new]
        if missing:
            stack += missing
            continue
        stack.pop()
        if choice:
            part, factor = _taken(node, side)
            new[node] = factor * new[part]
        else:
            args = [new[a] for a in node.args]
            same = all(a is b for a, b in zip(args, node.args, strict=True))
            new[node] = node if same else node.func(*args)
    found: Expr = new[expr]
    return found


def _taken(node: Expr, side: Side) -> tuple[Expr, int]:
    """(part, factor) with node = factor part on the side."""
    if node.func in (sympy.Max, sympy.Min, sympy.Piecewise):
        return side.branch(node), 1
    sign = side.sign(node.args[0])
    if node.func is sympy.Abs:
        return node.args[0], sign
    if node.func is sympy.sign:
        return Integer(sign), 1
    if sign == 0:
        raise NotShown("a step at a function that vanishes")
    return (S.One if sign > 0 else S.Zero), 1


def has_open_choices(expr: Expr, side: Side) -> bool:
    return any(node.func in _CHOICES and side.varies(node) for node in dag.postorder(expr))


def common_form(expr: Expr, sides: list[Side]) -> Expr | None:
    """One expression without choices that equals the given one on both sides; None if that is not seen.

    >>> from flint import arb
    >>> from asymptok.symbols import u
    >>> sides = [Side(S.Zero, s, arb(1)/8) for s in (1, -1)]
    >>> common_form(sympy.exp(sympy.Abs(u)) + sympy.exp(-sympy.Abs(u)), sides)
    exp(u) + exp(-u)
    """
    if not has_open_choices(expr, sides[0]):
        return None
    right, left = (resolved(expr, side) for side in sides)
    return right if identical(right, left) else None


def flat_form(expr: Expr, sides: list[Side]) -> Expr | None:
    """What the expression is on one side, if on the other it differs from that by something flat."""
    if not has_open_choices(expr, sides[0]):
        return None
    first, second = (resolved(expr, side) for side in sides)
    for side, here, there in ((sides[0], first, second), (sides[1], second, first)):
        try:
            if side[sympy.expand_mul(here - there)].vanishes:
                return there
        except NotShown:
            continue
    return None


def jump(expr: Expr, sides: list[Side]) -> int | None:
    """The order of the first derivative that jumps, if each side agrees with a function analytic at the point."""
    if sides[0].grid != 1 or not has_open_choices(expr, sides[0]):
        return None
    forms = [resolved(expr, side) for side in sides]
    for form in forms:
        if has_open_choices(form, sides[0]):
            return None
        for side in sides:
            if side.without_pole(form) is None or side[form].flat is not None:
                return None
        if class_of(form, *sides) not in (0, ANY):
            return None
    difference = forms[0] - forms[1]
    if difference == 0:
        return None
    for shape in dict.fromkeys((sympy.expand_mul(difference), factored(difference))):
        try:
            # for all values of the parameters the leading coefficient is not zero
            return sides[0].product_order(shape)
        except NotShown:
            continue
    return None
