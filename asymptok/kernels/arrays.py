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
from flint import arb
from numpy.typing import NDArray
from sympy import Expr, S
from sympy.core.relational import Relational
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import And, Not, Or

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions import record_of
from asymptok.functions.arccosine import ArcCosine
from asymptok.kernels.values import constant_value, evaluate, require_no_parameters
from asymptok.points import Array
from asymptok.slots import Slot
from asymptok.symbols import u

if TYPE_CHECKING:
    from asymptok.kernels.kernel import Kernel

__all__ = ["ArrayFunction", "array_function", "call"]

#: kappa on arrays with a proved error; None where the kernel has a kink
_interpolant: Slot[[Expr, bool], Callable[[Array], Array] | None] = Slot("interpolant")
#: how far outside [-1, 1] an inner product of doubles may come out
OVERSHOOT = 1e-12
#: and one of single precision
_OVERSHOOT_SINGLE = 1e-5
#: points computed at once: the intermediate arrays stay in the cache
_BLOCK = 16384
#: points after which an interpolant pays for itself; fewer where a function is computed point by point and one ellipse
#: does, for cells that narrow towards the ends take some ten thousand values to build
_MANY, _SLOW, _GRADED = 30_000, 200, 20_000
#: building takes as long as this many points by the formula, about, at every depth
_MOST = 400_000
#: cells of [-1, 1] that are looked at for zeros of a denominator
_CELLS = 64


class ArrayFunction:
    """kappa on arrays: the formula, and an interpolant from the moment on when it pays."""

    def __init__(self, kernel: Kernel) -> None:
        self.formula, slow = array_function(kernel)
        self._kernel = kernel
        # the interpolant of a deep network takes longer to build
        size = sum(1 for _ in dag.postorder(kernel.expr))
        self.hazards = _hazards(kernel.expr, self.formula)
        by_points = bool(slow or self.hazards.any())
        many = min(_MANY + 50 * size**2, _MOST)
        # points after which each kind is tried: on one ellipse, and any
        self._after = [(_SLOW, False), (_GRADED, True)] if by_points else [(many, True)]
        self._seen = 0
        self._fast: Callable[[Any], Any] | None = None
        # a formula of elementary functions is as fast as any interpolant
        costly = any(isinstance(node, ArcCosine | sympy.besselk) for node in dag.postorder(kernel.expr))
        self._worth = by_points or costly

    def choose(self, points: int) -> Callable[[Any], Any]:
        """What to evaluate so many points with."""
        self._seen += points
        while self._worth and self._fast is None and self._after and self._seen >= self._after[0][0]:
            _, graded = self._after.pop(0)
            self._fast = _interpolant(self._kernel.expr, graded)
        return self._fast or self.formula


def call(kernel: Kernel, function: ArrayFunction, points: object) -> Any:
    """See Kernel.__call__."""
    try:
        x = np.asarray(points)
        if x.dtype.kind == "c":
            raise TypeError("complex")
        if x.dtype.kind not in "iuf":
            x = np.asarray([float(value) for value in x.ravel()], dtype=float).reshape(x.shape)
    except (TypeError, ValueError, OverflowError):
        raise AsymptokError(f"kappa is evaluated at real numbers, not at {points!r}") from None
    single = x.dtype in (np.float32, np.float16)
    flat = x.reshape(-1)
    values = np.empty(flat.shape, dtype=np.float32 if single else float)
    chosen = function.choose(flat.size)
    hazards = function.hazards if chosen is function.formula and function.hazards.any() else None
    overshoot = _OVERSHOOT_SINGLE if single else OVERSHOOT
    with np.errstate(all="ignore"):
        for start in range(0, flat.size, _BLOCK):
            block = flat[start : start + _BLOCK].astype(float)
            values[start : start + _BLOCK] = _on_block(kernel, chosen, block, overshoot, hazards)
    return values.reshape(x.shape) if x.ndim else (values[0] if single else float(values[0]))


def _on_block(
    kernel: Kernel,
    function: Callable[[Any], Any],
    x: Array,
    overshoot: float,
    hazards: NDArray[np.bool_] | None,
) -> Array:
    if not (x.min() >= -1 and x.max() <= 1):
        outside = np.abs(x) > 1 + overshoot
        if outside.any():
            raise AsymptokError(f"u = {float(x[outside][0])!r} is outside [-1, 1]")
        x = np.clip(x, -1.0, 1.0)
    found = np.broadcast_to(np.asarray(function(x), dtype=float), x.shape)
    if hazards is None and np.isfinite(found.sum()):
        return found
    # A formula that breaks down at a point (0 times infinity, overflow, 0/0 nearby) is evaluated there with care.
    values = np.array(found, dtype=float)
    broken = ~np.isfinite(values) & np.isfinite(x)
    if hazards is not None:
        cell = np.clip(((np.nan_to_num(x) + 1) * (_CELLS / 2)).astype(int), 0, _CELLS - 1)
        broken |= hazards[cell] & np.isfinite(x)
    for place in np.unique(x[broken]):
        values[broken & (x == place)] = _with_care(
            kernel, float(place), float(values[broken & (x == place)][0])
        )
    values[np.isnan(x)] = np.nan
    return values


def _hazards(expr: Expr, formula: Callable[[Any], Any]) -> NDArray[np.bool_]:
    """The cells of [-1, 1] in which something that is divided by may vanish: next to 0/0 doubles lose digits."""
    found = np.zeros(_CELLS, dtype=bool)
    nodes = dag.varying(expr, u) - {u}
    below = [node.base for node in nodes if node.is_Pow and node.exp.is_negative]
    records = [(node, record) for node in nodes if (record := record_of(node.func)) is not None]
    below += [g for node, r in records if r.quotient is not None for g, _ in r.requirements(node) or ()]
    for base in below:
        for cell in range(_CELLS):
            box = arb(2 * cell + 1 - _CELLS, 1) / _CELLS
            found[cell] |= ball(base, {u: box}).contains(0)
    for cell, end in ((0, -1.0), (_CELLS - 1, 1.0)):
        if found[cell]:
            with np.errstate(all="ignore"):
                # an infinite value is a power that nothing cancels
                found[cell] = np.isnan(formula(np.array([end]))).all()
    return found


def _with_care(kernel: Kernel, place: float, formula: float) -> float:
    try:
        return float(evaluate(kernel, place))
    except AsymptokError:
        # a kernel that is unbounded at an end is infinite there, as the formula says
        if abs(place) == 1 and np.isinf(formula):
            return formula
        raise


def array_function(kernel: Kernel) -> tuple[Callable[[Any], Any], bool]:
    """A straight-line program for the varying subexpressions, and whether a part of it goes point by point."""
    require_no_parameters(kernel)
    varying = dag.varying(kernel.expr, u)
    place: dict[Expr, int] = {u: 0}
    constants: list[float | None] = [None]
    program: list[tuple[Callable[..., Any], list[int], int]] = []
    slow = False

    def position(node: Expr) -> int:
        if node not in place:
            place[node] = len(constants)
            constants.append(None if node in varying else _constant(node))
        return place[node]

    for node in dag.postorder(kernel.expr):
        if node in varying and node != u:
            operation, inputs = _operation(node, varying)
            slow = slow or isinstance(operation, np.vectorize)
            program.append((operation, [position(arg) for arg in inputs], position(node)))
    result = position(kernel.expr)

    def run(x: Any) -> Any:
        values = constants.copy()
        values[0] = x
        for operation, inputs, output in program:
            values[output] = operation(*(values[i] for i in inputs))
        return values[result]

    return run, slow


def _constant(node: Expr) -> float:
    """A constant as a double (small integers stay integers: they make exact powers)."""
    if isinstance(node, sympy.Integer) and abs(node) < 2**31:
        return int(node)
    if node in (S.true, S.false):
        return bool(node)
    if not isinstance(node, Expr):
        return node
    return float(constant_value(node, 20))


def _operation(node: Expr, varying: set[Expr]) -> tuple[Callable[..., Any], tuple[Expr, ...]]:
    """The operation of one node, and the subexpressions that it takes."""
    if isinstance(node, sympy.Pow):
        return _power(node)
    if isinstance(node, Relational):
        return _RELATIONS[node.rel_op], node.args
    record = record_of(node.func)
    found = _SYNTAX.get(node.func) if record is None else record.numpy
    return (found, node.args) if found is not None else _by_points(node, varying)


def _power(node: Expr) -> tuple[Callable[..., Any], tuple[Expr, ...]]:
    base, exponent = node.args
    if base == sympy.E:
        return np.exp, (exponent,)
    if exponent == S.Half:
        return np.sqrt, (base,)
    if exponent == -S.Half:
        return lambda x: 1 / np.sqrt(x), (base,)
    return lambda x, y: np.power(np.asarray(x, dtype=float), y), (base, exponent)


def _by_points(node: Expr, varying: set[Expr]) -> tuple[Callable[..., Any], tuple[Expr, ...]]:
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


def _piecewise(*pairs: tuple[Any, Any]) -> Any:
    value: Any = np.nan
    for branch, condition in reversed(pairs):
        value = np.where(condition, branch, value)
    return value


_SYNTAX: dict[object, Callable[..., Any]] = {
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
