"""An expression on complex balls: a value, or None where it is not shown to be analytic.

On each box every function is one analytic function that agrees with it at the real points of the box (the field
`analytic` of its record). So boxes along a path prove continuation, and a real interval is such a path. Choices
(|x|, Max, Piecewise, ...) are made by real parts on the whole box.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import flint
from flint import acb, arb, fmpq
from sympy import Expr, Piecewise, Rational, Symbol, Tuple
from sympy.core.relational import Relational
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import And, Not, Or

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions import record_of
from asymptok.functions.record import Record
from asymptok.patience import tick
from asymptok.precision import flint_precision
from asymptok.symbols import u
from asymptok.truth import Truth

Parameters = Mapping[Symbol, tuple[Expr, Expr]]

_BITS = 96


class Boxes:
    """An expression prepared for many boxes; with parameters, for all their values at once.

    >>> from sympy import Abs, sin
    >>> boxes = Boxes(Abs(u)/(u - 2))
    >>> boxes.on(Rational(1, 2), Rational(1)) is None, boxes.on(Rational(-1, 2), Rational(1, 2)) is None
    (False, True)
    """

    def __init__(self, expr: Expr, parameters: Parameters | None = None) -> None:
        self.expr = expr
        self._given: dict[Any, Any] = {}
        for symbol, (low, high) in (parameters or {}).items():
            self._given[symbol] = acb(ball(low).union(ball(high)))
        self._nodes: list[tuple[Any, Record | None, bool]] = []
        varying = {u, *self._given}
        for node in dag.postorder(expr):
            if node not in self._given and node != u:
                if not varying.isdisjoint(node.args):
                    varying.add(node)
                self._nodes.append((node, record_of(node.func), node in varying))
        self._constants: dict[int, dict[Any, Any]] = {}

    def on(self, low: Rational, high: Rational, bits: int = _BITS) -> arb | None:
        """A ball around the values on a closed interval, None unless the expression is shown analytic there."""
        with flint_precision(bits):
            found = self.at(acb(_exact(low).union(_exact(high))))
        return None if found is None else found.real

    def at(self, z: acb) -> acb | None:
        """The same on a complex box, at the precision that is set."""
        tick("boxes")
        values = self._known().copy()
        values[u] = z
        for node, record, varies in self._nodes:
            if varies:
                values[node] = _value(node, record, values)
        found: acb | None = values[self.expr]
        return found if found is not None and found.is_finite() else None

    def _known(self) -> dict[Any, Any]:
        """The values of what depends on nothing, once for each precision."""
        bits = flint.ctx.prec
        if bits not in self._constants:
            found = dict(self._given)
            for node, _, varies in self._nodes:
                if not varies:
                    found[node] = _constant(node)
            self._constants[bits] = found
        return self._constants[bits]


def sign_on(g: Boxes, low: Rational, high: Rational, bits: int = _BITS) -> int:
    """The sign on a closed interval on which g is analytic; 0 if it is not shown."""
    value = g.on(low, high, bits)
    return 0 if value is None else int(value > 0) - int(value < 0)


def _exact(x: Rational) -> arb:
    return arb(fmpq(int(x.p), int(x.q)))


def _constant(node: object) -> Any:
    """A ball, or a tuple of them; None if it is not known to be a real number; of a condition its truth."""
    if isinstance(node, Tuple):
        parts = tuple(_constant(a) for a in node.args)
        return None if None in parts else parts
    if isinstance(node, Expr):
        try:
            value = ball(node)
        except AsymptokError:
            return None
        return acb(value) if value.is_finite() else None
    return Truth.of(bool(node)) if node in (True, False) else Truth.UNKNOWN


def _value(node: Any, record: Record | None, values: dict[Any, Any]) -> Any:
    args = [values[a] for a in node.args]
    if isinstance(node, ExprCondPair):
        return tuple(args)
    if isinstance(node, Piecewise):
        for value, truth in args:
            if truth is not Truth.FALSE:
                return value if truth is Truth.TRUE else None
        return None
    if isinstance(node, Relational):
        return _relation(node.rel_op, *args)
    if isinstance(node, And | Or | Not):
        return _logic(node, args)
    if isinstance(node, Tuple):
        return None if None in args else tuple(args)
    if record is None or not isinstance(node, Expr) or any(a is None for a in args):
        return None
    return record.analytic(*args)


def _relation(operator: str, left: acb | None, right: acb | None) -> Truth:
    if left is None or right is None:
        return Truth.UNKNOWN
    difference = (left - right).real
    if not (difference > 0 or difference < 0):
        return Truth.UNKNOWN
    return Truth.of(operator in ((">", ">=", "!=") if difference > 0 else ("<", "<=", "!=")))


def _logic(node: Any, args: list[Truth]) -> Truth:
    if isinstance(node, Not):
        return ~args[0]
    found = args[0]
    for truth in args[1:]:
        found = found & truth if isinstance(node, And) else found | truth
    return found
