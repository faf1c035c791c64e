"""kappa and its Gram matrix as functions of arrays of NumPy, JAX or PyTorch, with finite slopes at u = 1 and -1.

Automatic differentiation multiplies the slopes of all branches, so that one infinite slope makes a gradient nan even
where `where` picks another branch. Hence every operation with a singular point gets an argument that stays away from
it (the first `where`) and a value put in at the point (the second). At the two ends of [-1, 1] the kernel is
replaced by kappa(+-1) + slope (u -+ 1) with the one-sided slope, or slope 0 where that is infinite.

Next to an end a function of points takes the distance 1 -+ u = |x -+ y|^2/2 from the points, which know all its digits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from importlib import import_module
from math import inf, nan, pi
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy
from sympy import Expr, S

from asymptok import ways_out
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.zonal import ZonalSum, clenshaw
from asymptok.kernels.ends import end_function, end_slope, end_value, in_distance
from asymptok.kernels.program import Operation, Place, Program, Step
from asymptok.parameters import check_inside, exact_number
from asymptok.symbols import t, u

if TYPE_CHECKING:
    from asymptok.kernels.kernel import Kernel

__all__ = ["BACKENDS", "ArrayKernel"]

#: the module of array functions and the one of special functions
BACKENDS = {
    "numpy": ("numpy", ""),
    "jax": ("jax.numpy", "jax.scipy.special"),
    "torch": ("torch", "torch.special"),
}
_NAMES = {name: name for name in ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sign")}
_NAMES |= {"atan": "arctan", "asinh": "arcsinh", "atanh": "arctanh"}
_SPECIAL = {"erf": "erf", "erfc": "erfc", "loggamma": "gammaln", "digamma": "digamma", "erfinv": "erfinv"}
#: nearer to an end than this, 1 - |u| is taken from the points
_NEAR = 2.0**-6
#: how far outside [-1, 1] an inner product of doubles may come out
_OVERSHOOT = 1e-12


class ArrayKernel:
    """f(u, *parameters), or the Gram matrix f(X, Y, *parameters) of points, in a library; see Kernel.lambdify."""

    def __init__(self, kernel: Kernel, backend: str, parameters: tuple[str, ...], points: bool) -> None:
        self._made = (kernel, backend, parameters, points)
        self._points = points
        known = {symbol.name: symbol for symbol in kernel.parameters}
        if unknown := [name for name in parameters if name not in known]:
            raise AsymptokError(f"{kernel} has no parameter {unknown[0]}, only {', '.join(known) or 'none'}")
        if missing := [name for name in known if name not in parameters]:
            raise AsymptokError(
                f"give values to {', '.join(missing)} first, {ways_out.value(*missing)}, or make them arguments: "
                f"lambdify({backend!r}, parameters={(*parameters, *missing)!r})"
            )
        symbols = [known[name] for name in parameters]
        self._ranges = [kernel.parameters[symbol] for symbol in symbols]
        self._xp, place = _library(backend)
        self._inside = Program(kernel.expr, (u, *symbols), place)
        # kappa next to each end in the distance t from it, linear at the end itself and beyond
        self._edges = {
            at: Program(end_value(kernel, at) + t * end_slope(kernel, at), (t, *symbols), place)
            for at in (1, -1)
        }
        self._near: dict[int, Callable[..., Any]] = {}
        self._reach: dict[int, float] = {}
        for at in (1, -1) if points else ():
            if symbols:
                self._near[at] = Program(in_distance(kernel.expr, at), (t, *symbols), place)
                self._reach[at] = _NEAR
            elif (found := end_function(kernel, at)) is not None:
                self._near[at] = lambda distance, found=found: found(distance, self._xp)
                self._reach[at] = found.reach
        self.__name__ = "gram" if points else "kappa"

    def __reduce__(self) -> tuple[object, ...]:
        return ArrayKernel, self._made

    def __call__(self, *args: Any) -> Any:
        arrays, values = args[: 1 + self._points], args[1 + self._points :]
        if len(arrays) != 1 + self._points or len(values) != len(self._ranges):
            names = [*(("X", "Y") if self._points else ("u",)), *self._made[2]]
            raise AsymptokError(f"the arguments are {', '.join(names)}; {len(args)} were given")
        if self._xp is np:
            for name, value, bounds in zip(self._made[2], values, self._ranges, strict=True):
                check_inside(name, exact_number(value), bounds)
        data = [self._as_numbers(array) for array in arrays]
        if self._xp.__name__ == "torch":
            values = tuple(self._xp.as_tensor(value, dtype=data[0].dtype) for value in values)
        with np.errstate(all="ignore"):
            return self._gram(*data, *values) if self._points else self._kappa(*data, *values)

    def _as_numbers(self, x: Any) -> Any:
        xp = self._xp
        x = xp.as_tensor(x) if xp.__name__ == "torch" else xp.asarray(x)
        whole = (
            not x.is_floating_point() if xp.__name__ == "torch" else not xp.issubdtype(x.dtype, xp.floating)
        )
        return x * 1.0 if whole else x

    def _kappa(self, x: Any, *values: Any) -> Any:
        xp = self._xp
        inside = abs(x) < 1
        if xp is np and (outside := ~(abs(x) <= 1 + _OVERSHOOT)).any():
            raise AsymptokError(f"u = {float(x[outside][0])!r} is outside [-1, 1]")
        found = self._inside(xp.where(inside, x, 0.0), *values)
        edges = xp.where(x > 0, self._edges[1](1 - x, *values), self._edges[-1](1 + x, *values))
        return xp.where(inside, 0 * x + found, edges)[()]

    def _gram(self, X: Any, Y: Any, *values: Any) -> Any:
        xp = self._xp
        X, Y = (points / xp.sqrt((points * points).sum(-1))[:, None] for points in (X, Y))
        x = X @ Y.T
        found, far = 0.0 * x, abs(x) < 1
        for at, edge in self._edges.items():
            near, reach = self._near.get(at), self._reach.get(at, 0.0)
            distance = 1 - at * x if near is None else self._halved_square(X, at * Y)
            close = (distance < reach) | (at * x >= 1)
            far = far & ~close
            there = edge(xp.where(close, distance, 0.0), *values)
            if near is not None:
                regular = close & (distance > 0)
                there = xp.where(regular, near(xp.where(regular, distance, reach), *values), there)
            found = xp.where(close, there, found)
        return xp.where(far, self._inside(xp.where(far, x, 0.0), *values), found)

    def _halved_square(self, X: Any, Y: Any) -> Any:
        """|x - y|^2/2 for all pairs, from the differences of their coordinates."""
        xp = self._xp
        if xp is np:
            return np.stack([0.5 * ((x - Y) ** 2).sum(-1) for x in X])
        if xp.__name__ == "torch":
            return 0.5 * xp.cdist(X, Y, compute_mode="donot_use_mm_for_euclid_dist") ** 2
        # compiled, the differences are summed up as they are made, and never held
        halved = import_module("jax").jit(lambda a, b: 0.5 * ((a[:, None] - b[None]) ** 2).sum(-1))
        return halved(X, Y)


def _library(backend: str) -> tuple[Any, Place]:
    if backend not in BACKENDS:
        raise AsymptokError(f"there is no backend {backend!r}: choose from {', '.join(BACKENDS)}")
    if backend == "numpy":
        return np, Place()
    try:
        xp, special = (import_module(name) for name in BACKENDS[backend])
    except ImportError:
        raise AsymptokError(f"{backend} is not installed: pip install {backend}") from None
    return xp, _Traced(xp, special, backend)


class _Traced(Place):
    """The operations of a library that differentiates."""

    def __init__(self, xp: Any, special: Any, backend: str) -> None:
        self.xp, self.special, self.backend = xp, special, backend

    def function(self, node: Expr, varying: set[Expr]) -> Step:
        name = type(node).__name__
        if isinstance(node, ArcCosine):
            order = int(node.args[0])
            return lambda x: self.arc_cosine(order, x), node.args[1:]
        if isinstance(node, ZonalSum):
            dimension = int(node.args[0])
            return lambda *rest: clenshaw(dimension, rest[:-1], rest[-1]), node.args[1:]
        if name in _NAMES:
            return getattr(self.xp, _NAMES[name]), node.args
        if name in _SPECIAL and hasattr(self.special, _SPECIAL[name]):
            return getattr(self.special, _SPECIAL[name]), node.args
        found = _GUARDED.get(name)
        if found is None:
            raise AsymptokError(
                f"{name} has no counterpart in {self.backend}; use kernel(array) or kernel.gram(X) in NumPy"
            )
        return lambda *args: found(self, *args), node.args

    def guarded(self, x: Any, good: Any, away: float, function: Operation, instead: Any) -> Any:
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

    def power(self, node: Expr, varying: set[Expr]) -> Step:
        xp = self.xp
        base, exponent = node.args
        if base == sympy.E:
            return xp.exp, (exponent,)
        if exponent.is_Integer:
            whole = int(exponent)
            return lambda x: x**whole, (base,)
        if base not in varying:
            return lambda x, y: xp.exp(y * xp.log(x + 0 * y)), node.args
        if exponent in varying:
            return (
                lambda x, y: self.guarded(x, x > 0, 1.0, lambda z: z**y, xp.where(y > 0, 0 * y, 0 * y + inf)),
                node.args,
            )
        at_zero = 0.0 if exponent.is_positive else inf
        if exponent == S.Half:
            return lambda x: self.guarded(x, x > 0, 1.0, xp.sqrt, at_zero), (base,)
        return lambda x, y: self.guarded(x, x > 0, 1.0, lambda z: z**y, at_zero), node.args

    def piecewise(self, *pairs: tuple[Any, Any]) -> Any:
        value: Any = nan
        for branch, condition in reversed(pairs):
            if condition is not False:
                value = branch if condition is True else self.xp.where(condition, branch, value)
        return value


def _circular(name: str) -> Operation:
    """arcsin or arccos with its value, and no slope, outside the open interval."""

    def run(s: _Traced, x: Any) -> Any:
        top, bottom = (pi / 2, -pi / 2) if name == "arcsin" else (0.0, pi)
        # 0 x keeps the edge in the precision of x: PyTorch takes two plain numbers for single precision
        edge = s.xp.where(x > 0, 0 * x + top, 0 * x + bottom)
        return s.guarded(x, abs(x) < 1, 0.0, getattr(s.xp, name), edge)

    return run


_GUARDED: dict[str, Operation] = {
    "log": lambda s, x: s.guarded(x, x > 0, 1.0, s.xp.log, -inf),
    "asin": _circular("arcsin"),
    "acos": _circular("arccos"),
    "acosh": lambda s, x: s.guarded(x, x > 1, 2.0, s.xp.arccosh, 0.0),
    "Min": lambda s, *xs: reduce(lambda a, b: s.xp.where(a < b, a, b), xs),
    "Max": lambda s, *xs: reduce(lambda a, b: s.xp.where(a > b, a, b), xs),
}
