"""A straight-line program of array operations, each distinct subexpression computed once: NumPy's at this place.

`sympy.lambdify` follows the printed tree, which is too large for deep networks, and its constants carry the
rounding of every step; here a constant subexpression is enclosed by a ball and rounded once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import mpmath
import numpy as np
import sympy
from sympy import Expr, S, Symbol
from sympy.core.relational import Relational
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import And, Not, Or

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions import record_of
from asymptok.kernels.values import constant_value

__all__ = ["Place", "Program"]

#: bits of the balls around constants, and those that have to be right
_BITS, _RIGHT = 128, 64

Operation = Callable[..., Any]
#: what computes a node, and the subexpressions that it takes
Step = tuple[Operation, tuple[Expr, ...]]


class Place:
    """The operations of NumPy; a library of arrays with automatic differentiation has its own."""

    def operation(self, node: Expr, varying: set[Expr]) -> Step:
        """The operation of one node, and the subexpressions that it takes."""
        if isinstance(node, sympy.Pow):
            return self.power(node, varying)
        if isinstance(node, Relational):
            return _RELATIONS[node.rel_op], node.args
        if node.func in _SYNTAX:
            return _SYNTAX[node.func], node.args
        if isinstance(node, sympy.Piecewise):
            return self.piecewise, node.args
        return self.function(node, varying)

    def function(self, node: Expr, varying: set[Expr]) -> Step:
        record = record_of(node.func)
        if record is not None and record.numpy is not None:
            return record.numpy, node.args
        return _by_points(node, varying)

    def power(self, node: Expr, varying: set[Expr]) -> Step:
        base, exponent = node.args
        if base == sympy.E:
            return np.exp, (exponent,)
        if exponent == S.Half:
            return np.sqrt, (base,)
        if exponent == -S.Half:
            return lambda x: 1 / np.sqrt(x), (base,)
        return lambda x, y: np.power(np.asarray(x, dtype=float), y), (base, exponent)

    def piecewise(self, *pairs: tuple[Any, Any]) -> Any:
        value: Any = np.nan
        for branch, condition in reversed(pairs):
            value = np.where(condition, branch, value)
        return value


class Program:
    """The expression as a function of arrays, one for each symbol; `slow` if a part of it goes point by point."""

    def __init__(self, expr: Expr, symbols: Sequence[Symbol], place: Place | None = None) -> None:
        place = place or Place()
        varying = dag.varying(expr, *symbols)
        registers: dict[Expr, int] = {symbol: i for i, symbol in enumerate(symbols)}
        self._constants: list[Any] = [None] * len(symbols)
        self._steps: list[tuple[Operation, list[int], int]] = []

        def register(node: Expr) -> int:
            if node not in registers:
                registers[node] = len(self._constants)
                self._constants.append(None if node in varying else _constant(node))
            return registers[node]

        for node in dag.postorder(expr):
            if node in varying and node not in symbols:
                operation, inputs = place.operation(node, varying)
                self._steps.append((operation, [register(arg) for arg in inputs], register(node)))
        self._result = register(expr)
        self.slow = any(isinstance(operation, np.vectorize) for operation, _, _ in self._steps)

    def __call__(self, *args: Any) -> Any:
        values = self._constants.copy()
        values[: len(args)] = args
        for operation, inputs, output in self._steps:
            values[output] = operation(*(values[i] for i in inputs))
        return values[self._result]


def _constant(node: Expr) -> Any:
    """A constant as a double (small integers stay integers: they make exact powers)."""
    if isinstance(node, sympy.Integer) and abs(node) < 2**31:
        return int(node)
    if node in (S.true, S.false):
        return bool(node)
    if not isinstance(node, Expr):
        return node
    found = ball(node, prec=_BITS)
    return float(found.mid()) if found.rel_accuracy_bits() > _RIGHT else float(constant_value(node, 20))


def _by_points(node: Expr, varying: set[Expr]) -> Step:
    """A function that NumPy lacks, computed by mpmath point by point; nan where it is not real."""
    inputs = tuple(arg for arg in dict.fromkeys(node.args) if arg in varying)
    if not isinstance(node, Expr) or not all(isinstance(arg, Expr) for arg in inputs):
        raise AsymptokError(f"{type(node).__name__} has no fast evaluation; use kernel.evaluate(u)")
    symbols = {arg: sympy.Dummy(real=True) for arg in inputs}
    template = node.func(*(symbols.get(arg, arg) for arg in node.args))
    function = sympy.lambdify(list(symbols.values()), template, "mpmath")

    def one(*args: float) -> float:
        try:
            value = mpmath.mpmathify(function(*(mpmath.mpf(float(a)) for a in args)))
        except (ArithmeticError, ValueError, TypeError):  # mpmath's, at a pole or outside a domain
            return float("nan")
        return float(value.real) if value.imag == 0 else float("nan")

    return np.vectorize(one, otypes=[float]), inputs


_SYNTAX: dict[object, Operation] = {
    sympy.Add: lambda *terms: reduce(operator.add, terms),
    sympy.Mul: lambda *factors: reduce(operator.mul, factors),
    sympy.Abs: abs,
    And: lambda *xs: reduce(operator.and_, xs),
    Or: lambda *xs: reduce(operator.or_, xs),
    Not: lambda x: ~x,
    sympy.Tuple: lambda *xs: xs,
    ExprCondPair: lambda value, condition: (value, condition),
}

_RELATIONS: dict[str, Operation] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
