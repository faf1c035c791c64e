"""The expression that case distinctions leave where they are made: |x| is x or -x, a Max one of its branches.

What is left says more than what was written: Max(0, u - 1/4)^(5/3) is 0 for u < 1/4, although x^(5/3) has a branch
point at 0. Nothing undefined may get lost on the way: 0 f stands for 0 only where f is known to be a real number.
"""

from __future__ import annotations

from typing import Protocol

import sympy
from sympy import AccumBounds, Expr, Integer, S

from asymptok.regularity.model import NotShown

CHOICES = (sympy.Abs, sympy.sign, sympy.Heaviside, sympy.Max, sympy.Min, sympy.Piecewise)
_UNDEFINED = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)


class Place(Protocol):
    """A set of points on which choices may be made once and for all; NotShown where that is not known."""

    def varies(self, node: Expr) -> bool: ...
    def sign(self, node: Expr) -> int:
        """The sign on the whole set; 0 only if it is identically zero there."""

    def branch(self, node: Expr) -> Expr:
        """What a Max, Min or Piecewise is on the whole set."""

    def is_real(self, form: Expr) -> bool:
        """Whether a form is shown to be a real number on the whole set."""


def resolved(expr: Expr, place: Place, known: dict[Expr, Expr] | None = None) -> Expr:
    """The same function on the set, without the choices that are made there; NotShown if one is not known.

    `known` takes up the forms of the parts.

    >>> from flint import arb
    >>> from asymptok.regularity.side import Side
    >>> from asymptok.symbols import u
    >>> resolved(sympy.Max(u, u**2) + sympy.Abs(u), Side(S.Zero, -1, arb(1)/8))
    u**2 - u
    """
    new: dict[Expr, Expr] = {} if known is None else known
    # only what is reached from the root: the branches that are not taken need no resolution
    stack: list[Expr] = [expr]
    while stack:
        node = stack[-1]
        if node in new:
            stack.pop()
            continue
        choice = node.func in CHOICES and place.varies(node)
        part, factor = _taken(node, place) if choice else (node, 1)
        missing = [x for x in ([part] if choice else node.args) if x not in new]
        if missing:
            stack += missing
            continue
        stack.pop()
        new[node] = factor * new[part] if choice else _rebuilt(node, [new[a] for a in node.args], place)
    return new[expr]


def _rebuilt(node: Expr, args: list[Expr], place: Place) -> Expr:
    if all(a is b for a, b in zip(args, node.args, strict=True)):
        return node
    if node.is_Pow and args[0] == 0 and not args[1].is_positive:
        raise NotShown("a power of zero that is not positive")
    found = node.func(*args)
    if found in _UNDEFINED or isinstance(found, AccumBounds):
        raise NotShown(f"{node.func} is not defined where its choices are made")
    if node.is_Mul and found == 0 and not all(place.is_real(a) for a in args if place.varies(a)):
        raise NotShown("zero times something that may be undefined")
    return found


def _taken(node: Expr, place: Place) -> tuple[Expr, int]:
    """(part, factor) with node = factor part on the set."""
    if node.func in (sympy.Max, sympy.Min, sympy.Piecewise):
        return place.branch(node), 1
    sign = place.sign(node.args[0])
    if node.func is sympy.Abs:
        return node.args[0], sign
    if node.func is sympy.sign:
        return Integer(sign), 1
    if sign == 0:
        raise NotShown("a step at a function that vanishes")
    return (S.One if sign > 0 else S.Zero), 1
