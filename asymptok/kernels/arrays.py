"""kappa on arrays of doubles, each distinct subexpression computed once.

`sympy.lambdify` follows the printed tree, which is too large for deep networks, and its constants carry the
rounding of every step; here a constant subexpression is enclosed by a ball and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Any

import mpmath
import numpy as np
import sympy
from sympy import Expr, S
from sympy.core.relational import Relational
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import And, Not, Or

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.functions import record_of
from asymptok.kernels.values import constant_value, evaluate, require_no_parameters
from asymptok.symbols import u

if TYPE_CHECKING:
    from asymptok.kernels.kernel import Kernel

__all__ = ["array_function", "call"]

#: how far outside [-1, 1] an inner product of doubles may come out
OVERSHOOT = 1e-12


def call(kernel: Kernel, function: Callable[[Any], Any], points: Any) -> Any:
    """See Kernel.__call__."""
    try:
        x = np.asarray(points)
        if x.dtype.kind not in "iuf":
            x = np.asarray([float(value) for value in x.ravel()], dtype=float).reshape(x.shape)
    except (TypeError, ValueError):
        raise AsymptokError(f"kappa is evaluated at real numbers, not at {points!r}") from None
    x = x.astype(float)
    outside = np.abs(x) > 1 + OVERSHOOT
    if outside.any():
        raise AsymptokError(f"u = {float(x[outside].ravel()[0])!r} is outside [-1, 1]")
    x = np.clip(x, -1.0, 1.0)
    with np.errstate(all="ignore"):
        values = np.array(np.broadcast_to(function(x), x.shape), dtype=float)
    # A formula that breaks down at a point (0 times infinity, overflow) is evaluated there with care.
    broken = ~np.isfinite(values) & np.isfinite(x)
    for place in np.unique(x[broken]):
        values[broken & (x == place)] = float(evaluate(kernel, float(place)))
    values[np.isnan(x)] = np.nan
    return values if values.ndim else float(values)


def array_function(kernel: Kernel) -> Callable[[Any], Any]:
    """A straight-line program for the varying subexpressions."""
    require_no_parameters(kernel)
    varying: set[Any] = set()
    for node in dag.postorder(kernel.expr):
        if node == u or any(arg in varying for arg in node.args):
            varying.add(node)
    place: dict[Any, int] = {u: 0}
    constants: list[Any] = [None]
    program: list[tuple[Callable[..., Any], list[int], int]] = []

    def position(node: Any) -> int:
        if node not in place:
            place[node] = len(constants)
            constants.append(None if node in varying else _constant(node))
        return place[node]

    for node in dag.postorder(kernel.expr):
        if node in varying and node != u:
            operation, inputs = _operation(node, varying)
            program.append((operation, [position(arg) for arg in inputs], position(node)))
    result = position(kernel.expr)

    def run(x: Any) -> Any:
        values = constants.copy()
        values[0] = x
        for operation, inputs, output in program:
            values[output] = operation(*(values[i] for i in inputs))
        return values[result]

    return run


def _constant(node: Any) -> Any:
    """A constant as a double (small integers stay integers: they make exact powers)."""
    if isinstance(node, sympy.Integer) and abs(node) < 2**31:
        return int(node)
    if node in (S.true, S.false):
        return bool(node)
    if not isinstance(node, Expr):
        return node
    return float(constant_value(node, 20))


def _operation(node: Any, varying: set[Any]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """The operation of one node, and the subexpressions that it takes."""
    if isinstance(node, sympy.Pow):
        return _power(node)
    if isinstance(node, Relational):
        return _RELATIONS[node.rel_op], node.args
    record = record_of(node.func)
    found = _SYNTAX.get(node.func) if record is None else record.numpy
    return (found, node.args) if found is not None else _by_points(node, varying)


def _power(node: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    base, exponent = node.args
    if base == sympy.E:
        return np.exp, (exponent,)
    if exponent == S.Half:
        return np.sqrt, (base,)
    if exponent == -S.Half:
        return lambda x: 1 / np.sqrt(x), (base,)
    return lambda x, y: np.power(np.asarray(x, dtype=float), y), (base, exponent)


def _by_points(node: Any, varying: set[Any]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A function that NumPy lacks, computed by mpmath point by point; nan where it is not real."""
    inputs = tuple(arg for arg in dict.fromkeys(node.args) if arg in varying)
    if not isinstance(node, Expr) or not all(isinstance(arg, Expr) for arg in inputs):
        raise AsymptokError(f"{type(node).__name__} has no fast evaluation; use kernel.evaluate(u)")
    symbols = {arg: sympy.Dummy(real=True) for arg in inputs}
    template = node.func(*(symbols.get(arg, arg) for arg in node.args))
    function = sympy.lambdify(list(symbols.values()), template, "mpmath")

    def one(*args: Any) -> float:
        try:
            value = mpmath.mpmathify(function(*(mpmath.mpf(float(a)) for a in args)))
        except (ArithmeticError, ValueError, TypeError):
            return float("nan")
        return float(value.real) if value.imag == 0 else float("nan")

    return np.vectorize(one, otypes=[float]), inputs


def _piecewise(*pairs: tuple[Any, Any]) -> Any:
    value: Any = np.nan
    for branch, condition in reversed(pairs):
        value = np.where(condition, branch, value)
    return value


_SYNTAX: dict[Any, Callable[..., Any]] = {
    And: lambda *xs: reduce(np.logical_and, xs),
    Or: lambda *xs: reduce(np.logical_or, xs),
    Not: np.logical_not,
    sympy.Piecewise: _piecewise,
    ExprCondPair: lambda value, condition: (value, condition),
}

_RELATIONS: dict[str, Callable[..., Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}
