"""A network at numbers, layer by layer: arrays of correlations, and points of any norms, without its expression.

At points x, y the recursion of `architecture` runs on the covariances of a layer at (x, x), (x, y) and (y, y), with
E[phi phi] for two variances. The variances on the sphere are balls, each rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb
from sympy import Add, Expr, S, Symbol, Tuple

from asymptok.balls import ball, compile_ball
from asymptok.errors import AsymptokError
from asymptok.kernels.architecture import derivative
from asymptok.kernels.duals import PAIR, Activation, pair_dual, second_moment
from asymptok.kernels.means import Making
from asymptok.kernels.pieces import NoClosedForm, pieces
from asymptok.kernels.program import Program
from asymptok.precision import flint_precision
from asymptok.symbols import u

__all__ = ["Layers", "MeanOfTwo", "correlation", "layers_of"]

#: bits of the variances of layers, and the most bits at which values that cancel are computed anew
_BITS, _MOST_BITS = 256, 1 << 13
#: how many times the sum its terms may be
_CANCELLING = 2.0**13
#: what the recursion knows; a network made with more has its expression only
_KNOWN = {"depth", "activation", "weight_variance", "bias_variance", "tangent", "residual", "trained"}


class MeanOfTwo:
    """E[phi(sqrt(v_1) X) phi(sqrt(v_2) Y)] at arrays of variances and correlations.

    Where the terms of the formula cancel in doubles, the value is computed anew with balls.
    """

    def __init__(self, phi: Activation) -> None:
        expr = pair_dual(phi)
        symbols: Sequence[Symbol] = (*PAIR, u)
        self._terms = Program(Tuple(*Add.make_args(expr.expand(deep=False))), symbols)
        self._exact = compile_ball(expr, symbols)
        self._careful = lru_cache(maxsize=4096)(self._with_care)

    def __call__(self, first: Any, second: Any, correlation: Any) -> Any:
        with np.errstate(all="ignore"):
            terms = self._terms(first, second, correlation)
            total, size = sum(terms), sum(abs(term) for term in terms)
            lost = ~(size <= _CANCELLING * abs(total))
        if not np.any(lost):
            return total
        total = np.array(np.broadcast_arrays(total, first, second, correlation)[0], dtype=float)
        lost = np.broadcast_to(lost, total.shape)
        where = [np.broadcast_to(a, total.shape)[lost].tolist() for a in (first, second, correlation)]
        total[lost] = [self._careful(*place) for place in zip(*where, strict=True)]
        return total[()]

    def _with_care(self, first: float, second: float, rho: float) -> float:
        bits = 128
        while bits <= _MOST_BITS:
            with flint_precision(3 * bits):
                # formulas that are 0/0 at the ends are taken next to them
                inside = arb(rho) if abs(rho) < 1 else rho * (1 - arb((1, -bits)))
                found = self._exact(arb(first), arb(second), inside)
                if found.rel_accuracy_bits() > 53 or found.abs_upper() < arb((1, -1100)):
                    return float(found.mid())
            bits *= 2
        raise AsymptokError(
            f"the mean of two layers at the variances {first:.6g} and {second:.6g} is not finite, or not "
            f"computed with {_MOST_BITS} bits: scale the rows"
        )


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
        self._mean = MeanOfTwo(phi)
        self._slope = MeanOfTwo(derivative(phi)) if self._tangent else None
        bias, skip, weight = given["bias_variance"], given["residual"] ** 2, given["weight_variance"]
        self._bias, self._skip = float(ball(bias).mid()), float(ball(skip).mid())
        with flint_precision(_BITS):
            squares = [compile_ball(second_moment(f, PAIR[0]), PAIR[:1]) for f in self._activations(phi)]
            b, r2 = ball(bias), ball(skip)
            w = 1 - b if weight is None else ball(weight)
            q = b + w
            self._weights, self._sizes, top = [float(w.mid())], [], q if 1 in self._chosen else arb(0)
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
                    top = top * (r2 + w * slope[0]) + (block if layer in self._chosen else 0)
            found = top if self._tangent else q
            if not found.rel_accuracy_bits() > 60:
                raise NoClosedForm("the variances of the layers are not computed to the digits of a double")
            #: the value at u = 1
            self.top = float(found.mid())

    def _activations(self, phi: Activation) -> list[Activation]:
        return [phi, derivative(phi)] if self._tangent else [phi]

    def __call__(self, x: Any) -> Any:
        """The kernel at correlations of points of the sphere."""
        return self._run(1.0, x, 1.0, self._sizes)

    def at(self, xx: Any, xy: Any, yy: Any) -> Any:
        """The kernel at points with these inner products."""
        return self._run(xx, xy, yy, None)

    def _run(self, xx: Any, xy: Any, yy: Any, sizes: list[float] | None) -> Any:
        b, r2 = self._bias, self._skip
        xx, xy, yy = (b + self._weights[0] * value for value in (xx, xy, yy))
        total = xy if 1 in self._chosen else 0.0 * xy
        for layer, w in enumerate(self._weights[1:], 2):
            if sizes is not None:
                xx = yy = sizes[layer - 2]
            rho = correlation(xx, xy, yy)
            if self._slope is not None:
                total = total * (r2 + w * self._slope(xx, yy, rho))
            block = b + w * self._mean(xx, yy, rho)
            if layer in self._chosen:
                total = total + block
            xy = r2 * xy + block
            if sizes is None:
                xx, yy = (r2 * q + b + w * self._mean(q, q, np.ones_like(q)) for q in (xx, yy))
        return total if self._tangent else xy


def correlation(xx: Any, xy: Any, yy: Any) -> Any:
    """xy/sqrt(xx yy), between -1 and 1; 1 for a point and itself, 0 for a point at the origin."""
    scale = np.sqrt(xx) * np.sqrt(yy)
    found = np.clip(xy / np.where(scale > 0, scale, 1.0), -1.0, 1.0)
    return np.where((xx == yy) & (xy == xx) & (scale > 0), 1.0, found)


def layers_of(making: Making | None) -> Layers | None:
    """The layers at numbers; None for other kernels, parameters, and activations without a formula for two variances."""
    if making is None or making.call != "network" or set(making.given) != _KNOWN:
        return None
    given = dict(making.given)
    weight = given["weight_variance"]
    values: list[Expr] = [given["bias_variance"], given["residual"], S.One if weight is None else weight]
    if given["activation"].parameters or any(value.free_symbols for value in values):
        return None
    try:
        return Layers(given)
    except NoClosedForm:
        return None
