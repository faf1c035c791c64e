"""Choices that are made on the whole interval: |x| of something positive, a Max that one branch always wins.

Each replacement is an identity on [-1, 1], proved by ranges or by balls on cells. Branches that are never taken
disappear, and with them whatever they would ask for; they have to be real numbers, since a Max of complex numbers
has no meaning.
"""

from __future__ import annotations

import sympy
from sympy import Abs, Expr, S
from sympy.functions.elementary.piecewise import ExprCondPair

from asymptok import dag
from asymptok.functions import SWITCHES
from asymptok.regularity.boxes import Parameters
from asymptok.regularity.intervals import CLOSED, Interval
from asymptok.regularity.signs import CHOICES, Signs
from asymptok.symbols import u
from asymptok.truth import Sign, Truth

_UNDEFINED = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity, sympy.AccumBounds)


def decided(expr: Expr, parameters: Parameters, domain: Interval = CLOSED) -> Expr:
    """The same function on the domain with every choice replaced that is made once and for all.

    >>> decided(sympy.Max(u**5 + u, S(1)/3 - u/7, 10), {}), decided(Abs(u - 2) + Abs(u), {})
    (10, -u + Abs(u) + 2)
    >>> decided(sympy.Max(0, u)**(S(3)/2), {}, Interval(S.NegativeOne, S.Zero, True, True))
    0
    """
    if not has_choices(expr):
        return expr
    signs = Signs(parameters, domain)
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        rebuilt = node if same else _rebuilt(node, args, signs)
        new[node] = _decided(rebuilt, signs)
    return new[expr]


def _rebuilt(node: Expr, args: list[Expr], signs: Signs) -> Expr:
    """With other arguments; as it is written where that would be undefined, or hide what is no real number."""
    if isinstance(node, ExprCondPair):
        return ExprCondPair(*args)
    found = node.func(*args)
    if isinstance(found, Expr) and found.has(*_UNDEFINED):
        return node
    if node.is_Mul and found == 0 and not all(a == 0 or signs.defined(a) for a in args):
        return node  # 0 log 0
    return found


def has_choices(expr: Expr) -> bool:
    """Whether a case distinction on u is left."""
    return any(isinstance(node, SWITCHES) and node.has(u) for node in dag.postorder(expr))


def _decided(node: Expr, signs: Signs) -> Expr:
    if not isinstance(node, Expr) or node.func not in CHOICES or not node.has(u):
        return node
    if node.func is Abs:
        # |x| is continuous: the sign inside the interval settles the ends
        x = node.args[0]
        sign = signs.inside(x)
        # a range says nothing of where x is complex, and |log u| is real there all the same
        return sign.number * x if sign.known and signs.real(x) else node
    if node.func in (sympy.sign, sympy.Heaviside):
        sign = signs.of(node.args[0], signs.domain)
        if not sign.known or not signs.defined(node.args[0]):
            return node
        return S(sign.number) if node.func is sympy.sign else S((sign.number + 1) // 2)
    if isinstance(node, sympy.Piecewise):
        return _piecewise(node, signs)
    return _extreme(node, signs)


def _piecewise(node: Expr, signs: Signs) -> Expr:
    kept = []
    for value, condition in node.args:
        truth = signs.truth(condition)
        if truth is Truth.FALSE:
            continue
        kept.append((value, condition))
        if truth is Truth.TRUE:
            break
    if kept and signs.truth(kept[0][1]) is Truth.TRUE:
        return kept[0][0]
    return sympy.Piecewise(*kept) if kept and len(kept) < len(node.args) else node


def _extreme(node: Expr, signs: Signs) -> Expr:
    """Without the arguments that another one exceeds throughout."""
    wanted = Sign.POSITIVE if node.func is sympy.Max else Sign.NEGATIVE
    kept = list(node.args)
    for a in node.args:
        others = [b for b in kept if b is not a]
        if any(signs.inside(b - a) is wanted for b in others) and signs.defined(a):
            kept = others
    return node if len(kept) == len(node.args) else node.func(*kept)
