"""Choices that are made on the whole interval: |x| of something positive, a Max that one branch always wins.

Each replacement is an identity on [-1, 1], proved by ranges or by balls on cells. Branches that are never taken
disappear, and with them whatever they would ask for; they have to be real numbers, since a Max of complex numbers
has no meaning.
"""

from __future__ import annotations

import sympy
from flint import arb
from sympy import Abs, Expr, Rational, S
from sympy.functions.elementary.piecewise import ExprCondPair

from asymptok import dag
from asymptok.regularity.cells import CellTest
from asymptok.regularity.domains import NONZERO
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.intervals import Interval
from asymptok.regularity.monotone import Parameters
from asymptok.regularity.ranges import CLOSED, OPEN
from asymptok.symbols import u
from asymptok.truth import Sign, Truth

_CHOICES = (Abs, sympy.sign, sympy.Heaviside, sympy.Max, sympy.Min, sympy.Piecewise)
#: cells on which a sign is looked for
_CELLS = 128


def decided(expr: Expr, parameters: Parameters, trace: list[tuple[Expr, Expr]] | None = None) -> Expr:
    """The same function on [-1, 1] with every choice replaced that is made once and for all; `trace` takes up which.

    >>> decided(sympy.Max(u**5 + u, Rational(1, 3) - u/7, 10), {}), decided(Abs(u - 2) + Abs(u), {})
    (10, -u + Abs(u) + 2)
    """
    if not any(node.func in _CHOICES for node in dag.postorder(expr) if isinstance(node, Expr)):
        return expr
    signs = Signs(parameters)
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        rebuilt = node if same or isinstance(node, ExprCondPair) else node.func(*args)
        new[node] = _decided(rebuilt, signs)
        if trace is not None and new[node] != rebuilt:
            trace.append((rebuilt, new[node]))
    return new[expr]


def with_moduli(expr: Expr) -> Expr:
    """Max(a, b) = (a + b + |a - b|)/2 and Min alike, if that leaves fewer choices: kinks that cancel are gone then.

    >>> with_moduli(sympy.Max(u, u**2) + sympy.Min(u, u**2)), with_moduli(sympy.Max(0, u) - Abs(u)/2)
    (u**2 + u, u/2)
    """
    if not _count(expr):
        return expr
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        rebuilt = node if same else node.func(*args)
        if rebuilt.func in (sympy.Max, sympy.Min) and len(rebuilt.args) == 2:
            a, b = rebuilt.args
            rebuilt = (a + b + (1 if rebuilt.func is sympy.Max else -1) * Abs(a - b)) / 2
        new[node] = sympy.expand_mul(rebuilt) if node.is_Add and not same else rebuilt
    found: Expr = new[expr]
    return found if _count(found) < _count(expr) else expr


def _count(expr: Expr) -> int:
    return sum(1 for node in dag.postorder(expr) if node.func in _CHOICES)


def has_choices(expr: Expr) -> bool:
    """Whether a case distinction on u is left."""
    kinds = (*_CHOICES, sympy.floor, sympy.ceiling)
    return any(node.func in kinds and node.has(u) for node in dag.postorder(expr))


def _decided(node: Expr, signs: Signs) -> Expr:
    if not isinstance(node, Expr) or node.func not in _CHOICES or not node.has(u):
        return node
    if node.func is Abs:
        # |x| is continuous: the sign inside the interval settles the ends
        x = node.args[0]
        sign = signs.of(x, OPEN)
        # a range says nothing of where x is complex, and |log u| is real there all the same
        return sign.number * x if sign.known and signs.real(x) else node
    if node.func in (sympy.sign, sympy.Heaviside):
        sign = signs.of(node.args[0], CLOSED)
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
        if any(signs.of(b - a, OPEN) is wanted for b in others) and signs.defined(a):
            kept = others
    return node if len(kept) == len(node.args) else node.func(*kept)


class Signs:
    """Signs on the whole interval, for all values of the parameters."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters

    def of(self, x: Expr, domain: Interval) -> Sign:
        if not isinstance(x, Expr):
            return Sign.UNKNOWN
        found = Enclosure(domain, self.parameters).range(x)
        if found.nonzero():
            return Sign.POSITIVE if found.positive() else Sign.NEGATIVE
        return Sign.UNKNOWN if self.parameters else _by_cells(x)

    def defined(self, x: Expr) -> bool:
        """Whether the expression is a real number on the whole interval, smooth or not."""
        enclosure = Enclosure(OPEN, self.parameters)
        enclosure.range(x)
        # a choice is defined where its arguments are
        return not enclosure.unknown and all(r.node.func in _CHOICES for r in enclosure.failed)

    def real(self, x: Expr) -> bool:
        """Whether the expression is real wherever it is defined: what may fail is that it is not divided by zero."""
        enclosure = Enclosure(OPEN, self.parameters)
        enclosure.range(x)
        return not enclosure.unknown and all(
            r.relation == NONZERO or r.node.func in _CHOICES for r in enclosure.failed
        )

    def truth(self, condition: Expr) -> Truth:
        enclosure = Enclosure(CLOSED, self.parameters)
        return enclosure.truth(condition)


def _by_cells(x: Expr) -> Sign:
    test, sign = CellTest(x), Sign.UNKNOWN
    for j in range(_CELLS):
        value = test.value(x, Rational(2 * j, _CELLS) - 1, Rational(2 * j + 2, _CELLS) - 1)
        here = Sign.shown(value > 0, value < 0) if isinstance(value, arb) else Sign.UNKNOWN
        if not here.known or (sign.known and here is not sign):
            return Sign.UNKNOWN
        sign = here
    return sign
