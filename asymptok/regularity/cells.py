"""Analytic on a closed cell, by real balls: every function inside is analytic at its argument.

On a compact cell strict inequalities g > 0 hold on a neighbourhood, so the conditions under which the functions are
analytic need to be shown at real points only. Where a choice is made (Max, Abs, Piecewise, ...) only the branch
that is taken on the whole cell has to be analytic; the others have to be real numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import flint
import sympy
from flint import acb, arb, fmpq
from sympy import Expr, Piecewise, Rational, Symbol
from sympy.core.relational import Relational

from asymptok import dag
from asymptok.balls import ball, lower
from asymptok.errors import AsymptokError
from asymptok.functions import record_of
from asymptok.patience import tick
from asymptok.precision import flint_precision
from asymptok.regularity.domains import NONZERO, POSITIVE, Requirement, requirements
from asymptok.regularity.forms import CHOICES, resolved
from asymptok.regularity.model import NotShown
from asymptok.symbols import u
from asymptok.truth import Truth

_BITS = 96

Parameters = Mapping[Symbol, tuple[Expr, Expr]]

#: the sign of the argument decides
_SWITCHES = (sympy.Abs, sympy.sign, sympy.Heaviside)


class _Step(NamedTuple):
    """How to evaluate one node, and under which conditions it is analytic if its arguments are."""

    node: Expr
    evaluate: Any
    children: tuple[Any, ...]
    conditions: list[Requirement] | None
    varies: bool


class CellTest:
    """An expression prepared for many cells.

    >>> test = CellTest(sympy.Abs(u)/(u - 2))
    >>> test.holds(Rational(1, 2), Rational(1)), test.holds(Rational(-1, 2), Rational(1, 2))
    (True, False)
    """

    def __init__(self, expr: Expr, parameters: Parameters | None = None) -> None:
        """`parameters` are symbols with their ranges: what holds, holds for all their values at once."""
        self.expr = expr
        self.parameters = dict(parameters or {})
        self._steps = _steps(expr, self.parameters)
        self._constants: dict[int, dict[Any, Any]] = {}
        self._chooses = any(step.varies and step.node.func in CHOICES for step in self._steps)
        self._forms: dict[Expr, CellTest] = {}

    def holds(self, a: Rational, b: Rational, bits: int = _BITS) -> bool:
        """Whether the expression is shown to be analytic on [a, b], as it stands or with its choices made."""
        values, analytic = self._evaluate(a, b, bits)
        if analytic[self.expr] and _is_number(values[self.expr]):
            return True
        if not self._chooses:
            return False
        try:
            form = resolved(self.expr, _Cell(self, values, a, b, bits))
        except NotShown:
            return False
        return form != self.expr and self.of_form(form).holds(a, b, bits)

    def of_form(self, form: Expr) -> CellTest:
        """The test of what is left of the expression, or of a part, on some of the cells."""
        if form not in self._forms:
            self._forms[form] = CellTest(form, self.parameters)
        return self._forms[form]

    def open_conditions(self, a: Rational, b: Rational, bits: int = _BITS) -> list[Requirement]:
        """The conditions that are not shown on the cell, innermost first."""
        values, _ = self._evaluate(a, b, bits)
        found = [r for step in self._steps for r in step.conditions or () if not _shown(r, values)]
        for step in self._steps:
            for r in switches(step.node):
                if not _has_a_sign(CellTest(r.g, self.parameters).value(r.g, a, b, bits)):
                    found.append(r)
        return found

    def value(self, node: Expr, a: Rational, b: Rational, bits: int = _BITS) -> arb:
        """The ball of a subexpression on the cell."""
        return self._evaluate(a, b, bits)[0].get(node, arb.nan())

    def _evaluate(self, a: Rational, b: Rational, bits: int) -> tuple[dict[Expr, arb], dict[Expr, bool]]:
        tick("cells of a cover")
        with flint_precision(bits):
            low, high = (arb(fmpq(int(x.p), int(x.q))) for x in (a, b))
            values = self._frozen().copy()
            values[u] = low.union(high)
            analytic = dict.fromkeys(values, True)
            for step in self._steps:
                if step.varies and step.node not in values:
                    values[step.node] = _value(step, values)
                    analytic[step.node] = _is_analytic(step, values, analytic)
            return values, analytic

    def _frozen(self) -> dict[Expr, arb]:
        """The values of what does not depend on u, once for each precision."""
        found = self._constants.get(flint.ctx.prec)
        if found is None:
            found = range_balls(self.parameters)
            for step in self._steps:
                if not step.varies:
                    found[step.node] = _value(step, found)
            self._constants[flint.ctx.prec] = found
        return found


def range_balls(parameters: Parameters) -> dict[Expr, arb]:
    """A ball around all values of each parameter; not a number where the range is unbounded."""
    return {symbol: ball(low).union(ball(high)) for symbol, (low, high) in parameters.items()}


def _steps(expr: Expr, parameters: Parameters) -> list[_Step]:
    """Every node after what it is computed from and after the conditions on it."""
    done: dict[Expr, _Step] = {s: _Step(s, None, (), [], True) for s in (u, *parameters)}
    stack: list[Expr] = [expr]
    parts: dict[object, tuple[Any, tuple[Any, ...], list[Requirement] | None]] = {}
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        if node not in parts:
            parts[node] = _parts(node)
        evaluate, children, conditions = parts[node]
        # the arguments that the evaluation passes over (a whole exponent) are asked whether they vary
        before = [*children, *node.args, *(r.g for r in conditions or ())]
        missing = [child for child in before if child not in done and child != node]
        if missing:
            stack += missing
            continue
        varies = any(done[child].varies for child in (*children, *node.args))
        done[node] = _Step(node, evaluate, children, conditions, varies)
        stack.pop()
    return list(done.values())


def _parts(node: Expr) -> tuple[Any, tuple[Any, ...], list[Requirement] | None]:
    try:
        implementation, children = lower(node)
    except AsymptokError:
        return None, (), None
    plain = isinstance(node, Expr) and not isinstance(node, Piecewise)
    if not plain or node.func in (sympy.Max, sympy.Min, *_SWITCHES) or not node.args:
        return implementation[0], children, []
    return implementation[0], children, requirements(node)


def _value(step: _Step, values: dict[Expr, arb]) -> arb:
    if step.evaluate is None:
        return arb.nan()
    return step.evaluate(*[values[child] for child in step.children])


def _is_analytic(step: _Step, values: dict[Expr, arb], analytic: dict[Expr, bool]) -> bool:
    node: Expr = step.node
    if not isinstance(node, Expr):
        return True
    if isinstance(node, Piecewise):
        taken = _taken(node, values)
        return taken is not None and analytic[taken]
    if node.func in (sympy.Max, sympy.Min):
        best = _extreme(node, values)
        return best is not None and analytic[best]
    if node.func in _SWITCHES:
        return _has_a_sign(values[node.args[0]]) and (node.func is not sympy.Abs or analytic[node.args[0]])
    if step.conditions is None or not all(analytic[a] for a in node.args):
        return False
    return all(_shown(r, values) for r in step.conditions) or _off_poles(node, values)


def _off_poles(node: Expr, values: dict[Expr, arb]) -> bool:
    """Between its poles a function of one value that is real somewhere is real on the whole axis: Gamma at -1/2."""
    record = record_of(node.func)
    if record is None or record.many_sheets or not node.is_Function:
        return False
    balls = [acb(x) for x in map(values.get, node.args) if isinstance(x, arb) and x.is_finite()]
    return len(balls) == len(node.args) and bool(record.regular(*balls))


def switches(node: Expr) -> list[Requirement]:
    """What must not vanish for a choice to be made once and for all."""
    if isinstance(node, Relational):
        return [Requirement(node, node.lhs - node.rhs, NONZERO)]
    if not isinstance(node, Expr):
        return []
    if node.func in _SWITCHES:
        return [Requirement(node, node.args[0], NONZERO)]
    if node.func in (sympy.Max, sympy.Min):
        return [Requirement(node, a - b, NONZERO) for i, a in enumerate(node.args) for b in node.args[:i]]
    return []


@dataclass
class _Cell:
    """A cell as a place where choices are made, by the balls of what they depend on."""

    test: CellTest
    values: dict[Expr, arb]
    low: Rational
    high: Rational
    bits: int

    def varies(self, node: Expr) -> bool:
        return u in dag.free_symbols(node)

    def number(self, node: Expr) -> arb:
        """The ball of a part, of what its own choices leave of it if need be."""
        found = self.values.get(node, arb.nan())
        if not _is_number(found):
            form = resolved(node, self)
            found = self.test.of_form(form).value(form, self.low, self.high, self.bits)
            self.values[node] = found
        return found

    def sign(self, node: Expr) -> int:
        x = self.number(node)
        if _has_a_sign(x):
            return 1 if x > 0 else -1
        # a ball that is zero is not enough: Max(0, u) is zero on [-1, 0] and on no neighbourhood of it
        if resolved(node, self) == 0:
            return 0
        raise NotShown(f"the sign of {node} on the cell")

    def branch(self, node: Expr) -> Expr:
        if isinstance(node, Piecewise):
            found = _taken(node, self.values)
        else:
            for a in node.args:
                self.number(a)
            found = _extreme(node, self.values)
        if found is None:
            raise NotShown(f"which branch of {node.func} is taken on the cell")
        return found

    def is_real(self, form: Expr) -> bool:
        return _is_number(self.test.of_form(form).value(form, self.low, self.high, self.bits))


def _is_number(x: object) -> bool:
    return isinstance(x, arb) and bool(x.is_finite())


def _has_a_sign(x: arb) -> bool:
    return isinstance(x, arb) and bool(x > 0 or x < 0)


def _shown(requirement: Requirement, values: dict[Expr, arb]) -> bool:
    value = values[requirement.g]
    if not isinstance(value, arb):
        return False
    return bool(value > 0) or (requirement.relation != POSITIVE and bool(value < 0))


def _taken(node: Expr, values: dict[Any, Any]) -> Any:
    """The branch of a Piecewise that holds on the whole cell."""
    for value, condition in node.args:
        truth = values[condition]
        if truth is Truth.TRUE:
            return value
        if truth is not Truth.FALSE:
            return None
    return None


def _extreme(node: Expr, values: dict[Expr, arb]) -> Expr | None:
    """The argument of Max or Min that exceeds all others on the whole cell; these must be numbers."""
    numbers = [values[a] for a in node.args]
    if not all(isinstance(x, arb) and x.is_finite() for x in numbers):
        return None
    sign = 1 if node.func is sympy.Max else -1
    for i, x in enumerate(numbers):
        if all(i == j or sign * (x - y) > 0 for j, y in enumerate(numbers)):
            return node.args[i]
    return None
