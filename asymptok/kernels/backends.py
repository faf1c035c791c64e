"""kappa as a function of arrays of NumPy, JAX or PyTorch, finite with finite slopes also at u = 1 and u = -1.

Automatic differentiation multiplies the slopes of all branches, so that one infinite slope makes a gradient nan even
where `where` picks another branch. Hence every operation with a singular point gets an argument that stays away from
it (the first `where`) and a value put in at the point (the second). At the two ends of [-1, 1] the kernel is
replaced by kappa(+-1) + slope (u -+ 1) with the one-sided slope, or slope 0 where that is infinite.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from importlib import import_module
from math import pi
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Expr, S
from sympy.core.relational import Relational
from sympy.functions.elementary.piecewise import ExprCondPair

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.zonal import ZonalSum, clenshaw
from asymptok.kernels.ends import end_terms
from asymptok.kernels.values import constant_value, evaluate, require_no_parameters
from asymptok.symbols import u

if TYPE_CHECKING:
    from asymptok.kernels.kernel import Kernel

__all__ = ["BACKENDS", "array_program"]

#: the module of array functions and the one of special functions
BACKENDS = {"jax": ("jax.numpy", "jax.scipy.special"), "torch": ("torch", "torch.special")}
_NAMES = {name: name for name in ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sign")}
_NAMES |= {"atan": "arctan", "asinh": "arcsinh", "atanh": "arctanh"}
_RELATIONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
_SPECIAL = {"erf": "erf", "erfc": "erfc", "loggamma": "gammaln", "digamma": "digamma", "erfinv": "erfinv"}


def array_program(kernel: Kernel, backend: str) -> Callable[[Any], Any]:
    """See Kernel.lambdify."""
    require_no_parameters(kernel)
    if backend == "numpy":
        return kernel.__call__
    if backend not in BACKENDS:
        raise AsymptokError(f"there is no backend {backend!r}: choose from numpy, {', '.join(BACKENDS)}")
    try:
        xp, special = (import_module(name) for name in BACKENDS[backend])
    except ImportError:
        raise AsymptokError(f"{backend} is not installed: pip install {backend}") from None
    steps = _Steps(xp, special, backend)
    program = _compile(kernel, steps)
    ends = [_end(kernel, at) for at in (1, -1)]

    def kappa(x: Any) -> Any:
        x = xp.asarray(x) if backend == "jax" else xp.as_tensor(x)
        if not (xp.issubdtype(x.dtype, xp.floating) if backend == "jax" else x.is_floating_point()):
            x = x * 1.0
        inside = abs(x) < 1
        values = program(xp.where(inside, x, 0.0))
        (top, up), (bottom, down) = ends
        edges = xp.where(x > 0, top + up * (x - 1), bottom + down * (x + 1))
        return xp.where(inside, values, edges)

    return kappa


def _end(kernel: Kernel, at: int) -> tuple[float, float]:
    """kappa(at) and the one-sided slope there, 0 for an infinite or unknown one."""
    value = float(evaluate(kernel, at))
    try:
        terms = end_terms(kernel, at, 1)
    except AsymptokError:
        return value, 0.0
    if not terms or terms[0][1:] != (1.0, 0):
        return value, 0.0
    # t = 1 - u at the upper end, 1 + u at the lower one
    return value, -at * terms[0][0]


def _compile(kernel: Kernel, steps: _Steps) -> Callable[[Any], Any]:
    """A straight-line program for the subexpressions that depend on u."""
    varying: set[Any] = set()
    program: list[tuple[Any, Callable[..., Any]]] = []
    for node in dag.postorder(kernel.expr):
        if node == u or any(arg in varying for arg in node.args):
            varying.add(node)
            if node != u:
                program.append((node, steps.operation(node)))
    needed = {arg for node, _ in program for arg in node.args if arg not in varying} | {kernel.expr} - varying
    numbers = {node: _constant(node) for node in needed}

    def run(x: Any) -> Any:
        values: dict[object, Any] = {**numbers, u: x}
        for node, operation in program:
            values[node] = operation(*(values[arg] for arg in node.args))
        result = values[kernel.expr]
        return result if kernel.expr in varying else x * 0 + result

    return run


def _constant(node: Expr) -> float:
    if node in (S.true, S.false):
        return bool(node)
    return float(constant_value(node, 20)) if isinstance(node, sympy.Expr) else node


class _Steps:
    """One operation for each kind of node, in the functions of one library."""

    def __init__(self, xp: Any, special: Any, backend: str) -> None:
        self.xp, self.special, self.backend = xp, special, backend

    def operation(self, node: Expr) -> Callable[..., Any]:
        xp, name = self.xp, type(node).__name__
        if isinstance(node, ArcCosine):
            order = int(node.args[0])
            return lambda _, x: self.arc_cosine(order, x)
        if isinstance(node, ZonalSum):
            dimension = int(node.args[0])
            return lambda _, *rest: clenshaw(dimension, rest[:-1], rest[-1])
        if isinstance(node, sympy.Pow):
            return self.power(node)
        if isinstance(node, Relational):
            return getattr(operator, _RELATIONS[node.rel_op])
        if name in _NAMES:
            return getattr(xp, _NAMES[name])
        if name in _SPECIAL and hasattr(self.special, _SPECIAL[name]):
            return getattr(self.special, _SPECIAL[name])
        found = _TABLE.get(name)
        if found is None:
            raise AsymptokError(
                f"{name} has no counterpart in {self.backend}; use kernel(array) or kernel.gram(X) in NumPy"
            )
        return lambda *args: found(self, *args)

    def guarded(self, x: Any, good: Any, away: float, function: Callable[[Any], Any], instead: float) -> Any:
        """function(x) where good, `instead` elsewhere, with no slope from the wrong branch."""
        value = function(self.xp.where(good, x, away))
        return self.xp.where(good, value, instead)

    def arc_cosine(self, order: int, x: Any) -> Any:
        """kappa_n by its recurrence; at the ends kappa_1 keeps its slope kappa_0(+-1), since kappa_0 has none there."""
        xp = self.xp
        inside = abs(x) < 1
        safe = xp.where(inside, x, 0.0)
        before = xp.where(inside, 1 - xp.arccos(safe) / pi, xp.where(x > 0, 1.0, 0.0))
        if order == 0:
            return before
        square = xp.where(inside, (1 - safe) * (1 + safe), 0.0)
        current = x * before + xp.where(inside, xp.sqrt((1 - safe) * (1 + safe)), 0.0) / pi
        for m in range(1, order):
            weight = m * m / ((2 * m + 1) * (2 * m - 1))
            before, current = current, x * current + weight * square * before
        return current

    def power(self, node: Expr) -> Callable[..., Any]:
        xp = self.xp
        base, exponent = node.args
        if base == sympy.E:
            return lambda _, y: xp.exp(y)
        if exponent.is_Integer:
            whole = int(exponent)
            return lambda x, _: x**whole
        root = xp.sqrt if exponent == S.Half else None

        def run(x: Any, y: Any) -> Any:
            at_zero = 0.0 if exponent.is_positive else float("inf")
            return self.guarded(x, x > 0, 1.0, root or (lambda z: z**y), at_zero)

        return run if base.has(u) and not exponent.has(u) else (lambda x, y: xp.exp(y * xp.log(x + 0 * y)))


def _circular(name: str) -> Callable[..., Any]:
    """arcsin or arccos with its value, and no slope, outside the open interval."""

    def run(s: _Steps, x: Any) -> Any:
        top, bottom = (sympy.pi / 2, -sympy.pi / 2) if name == "arcsin" else (S.Zero, sympy.pi)
        # 0 x keeps the edge in the precision of x: PyTorch takes two plain numbers for single precision
        edge = s.xp.where(x > 0, 0 * x + float(top), 0 * x + float(bottom))
        return s.guarded(x, abs(x) < 1, 0.0, getattr(s.xp, name), edge)

    return run


def _piecewise(s: _Steps, *pairs: tuple[object, object]) -> Any:
    value: Any = float("nan")
    for branch, condition in reversed(pairs):
        if condition is not False:
            value = branch if condition is True else s.xp.where(condition, branch, value)
    return value


_TABLE: dict[str, Callable[..., Any]] = {
    "Add": lambda s, *terms: reduce(operator.add, terms),
    "Mul": lambda s, *factors: reduce(operator.mul, factors),
    "log": lambda s, x: s.guarded(x, x > 0, 1.0, s.xp.log, -float("inf")),
    "asin": _circular("arcsin"),
    "acos": _circular("arccos"),
    "acosh": lambda s, x: s.guarded(x, x > 1, 2.0, s.xp.arccosh, 0.0),
    "Abs": lambda s, x: abs(x),
    "Min": lambda s, *xs: reduce(lambda a, b: s.xp.where(a < b, a, b), xs),
    "Max": lambda s, *xs: reduce(lambda a, b: s.xp.where(a > b, a, b), xs),
    "And": lambda s, *xs: reduce(operator.and_, xs),
    "Or": lambda s, *xs: reduce(operator.or_, xs),
    "Not": lambda s, x: ~x,
    "Piecewise": _piecewise,
    ExprCondPair.__name__: lambda s, value, condition: (value, condition),
}
