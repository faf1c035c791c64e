"""A network at numbers, layer by layer: arrays of correlations, and points of any norms, without its expression.

At points x, y the recursion of `architecture` runs on the covariances of a layer at (x, x), (x, y) and (y, y), with
E[phi phi] for two variances. The variances on the sphere are balls, each rounded once.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from flint import arb
from sympy import Add, Expr, S, Symbol, Tuple

from asymptok.balls import ball, compile_ball
from asymptok.errors import AsymptokError
from asymptok.kernels.architecture import derivative
from asymptok.kernels.duals import PAIR, Activation, dual_at, pair_dual, second_moment
from asymptok.kernels.means import Making
from asymptok.kernels.pieces import NoClosedForm, pieces
from asymptok.kernels.program import Program
from asymptok.precision import flint_precision
from asymptok.symbols import u

__all__ = ["Layers", "correlation", "layers_of", "mean_of_two"]

#: bits of the variances of layers, and the most bits at which values that cancel are computed anew
_BITS, _MOST_BITS = 256, 1 << 13
#: how many times the sum its terms may be
_CANCELLING = 2.0**13
#: what is as good as zero
_TINY = arb((1, -1100))
#: what the recursion knows; a network made with more has its expression only
_KNOWN = {"depth", "activation", "weight_variance", "bias_variance", "tangent", "residual", "trained"}


class MeanAtNumbers:
    """E[phi phi] as a formula in variances and the correlation, at arrays of them.

    Where the terms of the formula cancel in doubles, the value is computed anew with balls.
    """

    def __init__(self, formula: Expr, *variances: Symbol) -> None:
        symbols = (*variances, u)
        self._terms = Program(Tuple(*Add.make_args(formula.expand(deep=False))), symbols)
        self._exact = compile_ball(formula, symbols)
        self._careful = lru_cache(maxsize=4096)(self._with_care)

    def __call__(self, *places: Any) -> Any:
        with np.errstate(all="ignore"):
            terms = self._terms(*places)
            total, size = sum(terms), sum(abs(term) for term in terms)
            lost = ~(size <= _CANCELLING * abs(total))
        if not np.any(lost):
            return total
        total, lost, *inputs = (np.array(a) for a in np.broadcast_arrays(total, lost, *places))
        where = [a[lost].tolist() for a in inputs]
        total[lost] = [self._careful(*place) for place in zip(*where, strict=True)]
        return total[()]

    def _with_care(self, *place: float) -> float:
        *variances, rho = place
        bits = 128
        while bits <= _MOST_BITS:
            with flint_precision(3 * bits):
                # formulas that are 0/0 at the ends are taken next to them
                inside = arb(rho) if abs(rho) < 1 else rho * (1 - arb((1, -bits)))
                found = self._exact(*(arb(v) for v in variances), inside)
                if found.rel_accuracy_bits() > 53 or found.abs_upper() < _TINY:
                    return float(found.mid())
            bits *= 2
        raise AsymptokError(
            f"the mean of two units at the variances {', '.join(f'{v:.6g}' for v in variances)} is not finite, or not "
            f"computed with {_MOST_BITS} bits: scale the rows"
        )


def mean_of_two(phi: Activation) -> MeanAtNumbers:
    """E[phi(sqrt(v_1) X) phi(sqrt(v_2) Y)] at numbers."""
    return MeanAtNumbers(pair_dual(phi), *PAIR)


class Layers:
    """The network of a making, at correlations of points of the sphere and at points of any norms."""

    #: no part goes point by point
    slow = False

    def __init__(self, given: dict[str, Any]) -> None:
        phi: Activation = given["activation"]
        #: whether a slope may be infinite at u = 1 or -1
        self.kinked = len(pieces(phi.expr)) > 1
        self._tangent, self.depth = given["tangent"], given["depth"]
        self._chosen = set(given["trained"]) if self._tangent else set()
        self._units = [phi, derivative(phi)] if self._tangent else [phi]
        self._pairs = [pair_dual(f) for f in self._units]
        self._on_sphere = [MeanAtNumbers(dual_at(f, PAIR[0]).expr, PAIR[0]) for f in self._units]
        bias, skip, weight = given["bias_variance"], given["residual"] ** 2, given["weight_variance"]
        with flint_precision(_BITS):
            squares = [compile_ball(second_moment(f, PAIR[0]), PAIR[:1]) for f in self._units]
            b, r2, trained_bias = (ball(x) for x in (bias, skip, given.get("trained_bias", S.Zero)))
            self._bias, self._skip, self._trained_bias = (float(x.mid()) for x in (b, r2, trained_bias))
            w = 1 - b if weight is None else ball(weight)
            q = b + w
            self._weights, self._sizes = [float(w.mid())], []
            top = q + trained_bias if 1 in self._chosen else arb(0)
            for layer in range(2, self.depth + 1):
                # normalised, every layer has variance 1
                q = arb(1) if weight is None else q
                moment, *slope = (square(q) for square in squares)
                w = (1 - b - r2) / moment if weight is None else w
                self._weights.append(float(w.mid()))
                self._sizes.append(float(q.mid()))
                block = b + w * moment
                q = r2 * q + block
                if self._tangent:
                    top = top * (r2 + w * slope[0]) + (block + trained_bias if layer in self._chosen else 0)
            found = top if self._tangent else q
            if not found.rel_accuracy_bits() > 60:
                raise NoClosedForm("the variances of the layers are not computed to the digits of a double")
            #: the value at u = 1
            self.top = float(found.mid())

    @cached_property
    def _off_sphere(self) -> list[MeanAtNumbers]:
        return [MeanAtNumbers(pair, *PAIR) for pair in self._pairs]

    def __call__(self, x: Any) -> Any:
        """The kernel at correlations of points of the sphere."""
        xy = self._bias + self._weights[0] * x
        total = self._start(xy)
        for layer, (w, q) in enumerate(zip(self._weights[1:], self._sizes, strict=True), 2):
            rho = np.clip(xy / q, -1.0, 1.0)
            xy, total = self._next(layer, w, xy, total, [mean(q, rho) for mean in self._on_sphere])
        # at 1 no angle is lost to rounding
        return np.where(x == 1.0, self.top, total if self._tangent else xy)

    def at(self, xx: Any, xy: Any, yy: Any) -> Any:
        """The kernel at points with these inner products."""
        xx, xy, yy = (self._bias + self._weights[0] * value for value in (xx, xy, yy))
        total = self._start(xy)
        for layer, w in enumerate(self._weights[1:], 2):
            rho = correlation(xx, xy, yy)
            xy, total = self._next(layer, w, xy, total, [mean(xx, yy, rho) for mean in self._off_sphere])
            mean = self._off_sphere[0]
            # in the order of _next, so that a point and itself have correlation 1 to the last bit
            xx, yy = (self._skip * q + (self._bias + w * mean(q, q, np.ones_like(q))) for q in (xx, yy))
        return total if self._tangent else xy

    def _start(self, xy: Any) -> Any:
        return xy + self._trained_bias if 1 in self._chosen else 0.0 * xy

    def _next(self, layer: int, weight: float, xy: Any, total: Any, means: list[Any]) -> tuple[Any, Any]:
        """The covariance, and the tangent kernel, of the layer above."""
        block = self._bias + weight * means[0]
        if self._tangent:
            own = block + self._trained_bias if layer in self._chosen else 0.0
            total = total * (self._skip + weight * means[1]) + own
        return self._skip * xy + block, total


def correlation(xx: Any, xy: Any, yy: Any) -> Any:
    """xy/sqrt(xx yy), between -1 and 1; 1 for a point and itself, 0 for a point at the origin."""
    scale = np.sqrt(xx) * np.sqrt(yy)
    found = np.clip(xy / np.where(scale > 0, scale, 1.0), -1.0, 1.0)
    return np.where((xx == yy) & (xy == xx) & (scale > 0), 1.0, found)


def layers_of(making: Making | None) -> Layers | None:
    """The layers at numbers; None with parameters, or without a formula for two variances."""
    if making is None or making.call != "network" or making.given.keys() - {"trained_bias"} != _KNOWN:
        return None
    given = dict(making.given)
    weight = given["weight_variance"]
    values: list[Expr] = [given["bias_variance"], given["residual"], given.get("trained_bias", S.Zero)]
    values += [] if weight is None else [weight]
    if given["activation"].parameters or any(value.free_symbols for value in values):
        return None
    try:
        return Layers(given)
    except NoClosedForm:
        return None
