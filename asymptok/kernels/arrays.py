"""kappa on arrays of doubles: by its formula, or by an interpolant where that pays."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy
from flint import arb
from numpy.typing import NDArray
from sympy import Expr

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions import record_of
from asymptok.functions.arccosine import ArcCosine
from asymptok.kernels.ends import EndFunction, end_function
from asymptok.kernels.means import Making
from asymptok.kernels.program import Program
from asymptok.kernels.values import evaluate, require_no_parameters
from asymptok.points import Array
from asymptok.slots import Slot
from asymptok.symbols import u

if TYPE_CHECKING:
    from asymptok.kernels.kernel import Kernel
    from asymptok.kernels.layers import Layers

__all__ = ["ArrayFunction", "call"]

#: a network layer by layer at numbers; None for other kernels
_layers_of: Slot[[Making | None], Layers | None] = Slot("layers_of")
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
#: nodes of a layer, about, and layers up to which a network gets an interpolant
_NODES, _DEEPEST = 12, 12
#: cells of [-1, 1] that are looked at for zeros of a denominator
_CELLS = 64


class ArrayFunction:
    """kappa on arrays: the formula, and an interpolant from the moment on when it pays."""

    def __init__(self, kernel: Kernel) -> None:
        require_no_parameters(kernel)
        self._kernel = kernel
        self._layers = _layers_of(kernel.making)
        self._seen = 0
        self._fast: Callable[[Any], Any] | None = None
        self.hazards = np.zeros(_CELLS, dtype=bool)
        if self._layers:
            self.formula: Program | Layers = self._layers
            by_points, size, costly = False, _NODES * self._layers.depth, self._layers.depth <= _DEEPEST
        else:
            self.formula = Program(kernel.expr, (u,))
            nodes = list(dag.postorder(kernel.expr))
            self.hazards = _hazards(kernel.expr, self.formula)
            by_points, size = bool(self.formula.slow or self.hazards.any()), len(nodes)
            # a formula of elementary functions is as fast as any interpolant
            costly = any(isinstance(node, ArcCosine | sympy.besselk) for node in nodes)
        self._worth = by_points or costly
        # the interpolant of a deep network takes longer to build
        many = min(_MANY + 50 * size**2, _MOST)
        # points after which each kind is tried: on one ellipse, and any
        self._after = [(_SLOW, False), (_GRADED, True)] if by_points else [(many, True)]

    @cached_property
    def top(self) -> float:
        """kappa(1)."""
        return self._layers.top if self._layers else float(evaluate(self._kernel, 1))

    @cached_property
    def ends(self) -> dict[int, EndFunction]:
        """kappa in the distance from an end, where it has an infinite slope there."""
        if self._layers and not self._layers.kinked:
            return {}
        return {at: found for at in (1, -1) if (found := end_function(self._kernel, at)) is not None}

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
