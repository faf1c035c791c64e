"""How a germ changes from one side of a point to the other, and around an end: a sign, or a root of unity.

Inside the interval (two sides, u = u0 + x): class k means that the model for x < 0 is (-1)^k times the continuation
of the one for x > 0. At an end (one side, t = s^q): class k means that the model is s^k times a function of s^q =
t. In both cases class 0 is what analyticity needs, and the classes multiply: k + l for a product, equal classes for
a sum, k n for a power; an even function of something of class k with 2k = 0 has class 0. Equality of functions is
thus proved by their form, never by comparing coefficients.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr

from asymptok import dag
from asymptok.regularity.germ import Side
from asymptok.regularity.germ import parity as parity_of
from asymptok.regularity.model import NotShown

#: nothing but a flat part, which fits to every class
ANY = -1


def class_of(expr: Expr, side: Side, other: Side | None) -> int | None:
    """The class of the model part of `expr`; None if it has none, ANY if there is no model part.

    >>> from flint import arb
    >>> from sympy import Abs, S, cos
    >>> from asymptok.symbols import u
    >>> right, left = (Side(S.Zero, sign, arb(1)/8) for sign in (1, -1))
    >>> [class_of(e, right, left) for e in (Abs(u), Abs(u)**2, cos(Abs(u)), Abs(u) + u)]
    [1, 0, 0, None]
    """
    for one in (side, other):
        if one is not None:
            one.germ(expr)
    if other is not None and side.grid != 1:
        return None  # fractional powers of x on two sides
    modulus = 2 if other is not None else side.grid
    classes: dict[Any, int | None] = {}
    for node in dag.postorder(expr):
        try:
            classes[node] = _class(node, classes, side, other, modulus)
        except NotShown:
            classes[node] = None
    return classes[expr]


def _class(node: Any, classes: dict[Any, int | None], side: Side, other: Side | None, n: int) -> int | None:
    if not isinstance(node, Expr):
        return None
    if not node.args or not side.varies(node):
        return 0
    sides = [s for s in (side, other) if s is not None]
    if all(s[node].vanishes for s in sides):
        return ANY
    inner = [classes[a] for a in node.args]
    if node.is_Add:
        distinct = {k for k in inner if k != ANY}
        return distinct.pop() if len(distinct) == 1 else None
    if node.is_Mul:
        return None if None in inner or ANY in inner else sum(inner) % n  # type: ignore[arg-type]
    if node.is_Pow and node.func is not sympy.exp:
        return _power(node, inner, side, n)
    if node.func in (sympy.Max, sympy.Min, sympy.Piecewise):
        taken = {s.branch(node) for s in sides}
        return classes[taken.pop()] if len(taken) == 1 else None
    if node.func in (sympy.Abs, sympy.sign, sympy.Heaviside):
        return _of_sign(node, inner[0], [s.sign(node.args[0]) for s in sides], n)
    return _function(node, inner, side, n)


def _power(node: Any, inner: list[int | None], side: Side, n: int) -> int | None:
    base, exponent = node.args
    if inner[0] is None or inner[0] == ANY:
        return None
    if exponent.is_Integer:
        return inner[0] * int(exponent) % n
    if side.varies(exponent) or not exponent.is_Rational:
        return 0 if inner == [0, 0] and side.lead(base).order == 0 else None
    # x^m h becomes |x|^(m e) h^e on either side, and s^(m e) h^e at an end
    power = side.lead(base).order * exponent
    return int(power) % n if power.is_Integer else None


def _of_sign(node: Any, inner: int | None, signs: list[int], n: int) -> int | None:
    changes = len(set(signs)) > 1
    if changes and 0 in signs:
        return None  # zero on one side only: no sign relates the two
    if node.func is sympy.Abs:
        return None if inner is None or inner == ANY else (inner + changes) % n
    if node.func is sympy.sign:
        return int(changes) % n
    return None if changes else 0


def _function(node: Any, inner: list[int | None], side: Side, n: int) -> int | None:
    varying = [i for i, a in enumerate(node.args) if side.varies(a)]
    if any(inner[i] is None for i in varying):
        return None
    if all(inner[i] in (0, ANY) for i in varying):
        return 0
    k = inner[varying[0]]
    if len(varying) != 1 or k is None or 2 * k % n:
        return None
    parity = parity_of(node.func, node.args, varying[0])
    return None if parity is None else (0 if parity > 0 else k)
