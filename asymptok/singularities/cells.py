"""Analytic on a closed cell, by real balls: every function inside is analytic at its argument.

On a compact cell strict inequalities g > 0 hold on a neighbourhood, so the conditions under which the functions are
analytic need to be shown at real points only. Where a choice is made (Max, Abs, Piecewise, ...) only the branch that is
taken on the whole cell has to be analytic; the others have to be real numbers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import Expr, Piecewise, Rational

from asymptok import dag
from asymptok.balls import ball, lower
from asymptok.errors import AsymptokError
from asymptok.precision import flint_precision
from asymptok.singularities.domains import POSITIVE, Requirement, requirements
from asymptok.symbols import u
from asymptok.truth import Truth

_BITS = 96

#: the sign of the argument decides
_SWITCHES = (sympy.Abs, sympy.sign, sympy.Heaviside)


class CellTest:
    """An expression prepared for many cells.

    >>> test = CellTest(sympy.Abs(u)/(u - 2))
    >>> test.holds(Rational(1, 2), Rational(1)), test.holds(Rational(-1, 2), Rational(1, 2))
    (True, False)
    """

    def __init__(self, expr: Expr) -> None:
        self.expr = expr
        self.supported = True
        self._steps: list[Any] = []
        self._conditions: dict[Any, list[Requirement] | None] = {}
        self._varying: dict[Any, bool] = {u: True}
        pending: list[Any] = [expr]
        seen: set[Any] = set()
        while pending:
            for node in dag.postorder(pending.pop()):
                if node in seen:
                    continue
                seen.add(node)
                self._varying.setdefault(node, any(self._varying[a] for a in node.args))
                if not self._varying[node] or node == u:
                    continue
                if isinstance(node, Expr) and not _is_choice(node):
                    self._conditions[node] = requirements(node)
                    pending += [r.g for r in self._conditions[node] or ()]
                self._steps.append(node)
        # children first, the conditions among them
        self._order = _children_first(self._steps, self._conditions)

    def holds(self, a: Rational, b: Rational, bits: int = _BITS) -> bool:
        """Whether the expression is analytic on [a, b]."""
        with flint_precision(bits):
            return self._run(_cell(a, b))

    def failed(self, a: Rational, b: Rational, bits: int = _BITS) -> list[Requirement]:
        """The conditions that were not shown on the cell."""
        with flint_precision(bits):
            cell = _cell(a, b)
            values, _ = self._evaluate(cell)
            return [r for rs in self._conditions.values() for r in rs or () if not _shown(r, values)]

    def _run(self, cell: Any) -> bool:
        values, analytic = self._evaluate(cell)
        value = values.get(self.expr)
        return bool(analytic.get(self.expr, False)) and isinstance(value, arb) and bool(value.is_finite())

    def _evaluate(self, cell: Any) -> tuple[dict[Any, Any], dict[Any, bool]]:
        values: dict[Any, Any] = {u: cell}
        analytic: dict[Any, bool] = {u: True}
        for node in self._order:
            for a in node.args:
                if a not in values and not self._varying[a]:
                    values[a] = _constant(a)
                    analytic[a] = True
            implementation, children = lower(node)
            for c in children:
                if c not in values and not self._varying.get(c, False):
                    values[c] = _constant(c)
                    analytic[c] = True
            try:
                values[node] = implementation[0](*[values[c] for c in children])
            except (KeyError, AsymptokError):
                values[node] = arb.nan()
            analytic[node] = self._analytic(node, values, analytic)
        return values, analytic

    def _analytic(self, node: Any, values: dict[Any, Any], analytic: dict[Any, bool]) -> bool:
        if not isinstance(node, Expr):
            return True
        if isinstance(node, Piecewise):
            taken = _taken(node, values)
            return taken is not None and analytic.get(taken, True)
        if node.func in (sympy.Max, sympy.Min):
            best = _extreme(node, values)
            return best is not None and analytic.get(best, True)
        if node.func in _SWITCHES:
            x = values[node.args[0]]
            if not (isinstance(x, arb) and (x > 0 or x < 0)):
                return False
            return node.func is not sympy.Abs or analytic[node.args[0]]
        conditions = self._conditions[node]
        if conditions is None or not all(analytic.get(a, True) for a in node.args):
            return False
        return all(_shown(r, values) for r in conditions)


def _is_choice(node: Any) -> bool:
    return isinstance(node, Piecewise) or node.func in (sympy.Max, sympy.Min, *_SWITCHES)


def _shown(requirement: Requirement, values: dict[Any, Any]) -> bool:
    value = values.get(requirement.g)
    if value is None:
        value = _constant(requirement.g)
    if not isinstance(value, arb):
        return False
    return bool(value > 0) or (requirement.relation != POSITIVE and bool(value < 0))


def _taken(node: Any, values: dict[Any, Any]) -> Any:
    """The branch of a Piecewise that holds on the whole cell."""
    for value, condition in node.args:
        truth = values.get(condition)
        if truth is None:
            truth = _constant(condition)
        if truth is Truth.TRUE:
            return value
        if truth is not Truth.FALSE:
            return None
    return None


def _extreme(node: Any, values: dict[Any, Any]) -> Any:
    """The argument of Max or Min that exceeds all others on the whole cell, which must be numbers."""
    numbers = [values[a] if a in values else _constant(a) for a in node.args]
    if not all(isinstance(x, arb) and x.is_finite() for x in numbers):
        return None
    sign = 1 if node.func is sympy.Max else -1
    for i, x in enumerate(numbers):
        if all(i == j or sign * (x - y) > 0 for j, y in enumerate(numbers)):
            return node.args[i]
    return None


def _children_first(nodes: list[Any], conditions: dict[Any, list[Requirement] | None]) -> list[Any]:
    """Each node after its arguments and after the conditions on it."""
    wanted = set(nodes)
    done: set[Any] = set()
    result: list[Any] = []
    stack = list(reversed(nodes))
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        before = [a for a in (*node.args, *(r.g for r in conditions.get(node) or ())) if a in wanted - done]
        before = [a for a in before if a != node]
        if before:
            stack += before
            continue
        done.add(node)
        result.append(node)
        stack.pop()
    return result


@lru_cache(maxsize=4096)
def _constant_at(node: Any, bits: int) -> Any:
    try:
        return ball(node, prec=bits) if isinstance(node, Expr) else lower(node)[0][0]()
    except (AsymptokError, TypeError):
        return arb.nan()


def _constant(node: Any) -> Any:
    import flint

    return _constant_at(node, flint.ctx.prec)


def _cell(a: Any, b: Any) -> Any:
    low, high = (arb(fmpq(int(x.p), int(x.q))) for x in (a, b))
    return low.union(high)
