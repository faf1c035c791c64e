"""The forms of an expression with case distinctions on the two sides of a point, and whether they fit together.

If what is left has no choice and is the same on both sides, the expression is that function. If it is not, but both
are analytic at the point, their difference says which derivative jumps.
"""

from __future__ import annotations

import sympy
from sympy import Expr

from asymptok import dag
from asymptok.regularity.factoring import factored
from asymptok.regularity.forms import CHOICES, resolved
from asymptok.regularity.identities import identical
from asymptok.regularity.model import NotShown
from asymptok.regularity.side import Side
from asymptok.regularity.symmetry import ANY, class_of


def has_open_choices(expr: Expr, side: Side) -> bool:
    return any(node.func in CHOICES and side.varies(node) for node in dag.postorder(expr))


def common_form(expr: Expr, sides: list[Side]) -> Expr | None:
    """One expression without choices that equals the given one on both sides; None if that is not seen.

    >>> from flint import arb
    >>> from sympy import S
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
