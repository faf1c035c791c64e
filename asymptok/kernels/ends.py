"""kappa(1 - t) and kappa(-1 + t) at small t in doubles, from the expansion at the end.

A double u next to 1 knows t = 1 - u to 1e-16 only, and sqrt(t) to 1e-8. Where points are at hand, t = |x - y|^2/2 is
known to all its digits, and the expansion takes it from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, fmpq
from sympy import Expr, S

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants.ball_domain import BallDomain
from asymptok.constants.decide import sign
from asymptok.constants.domain import opaque
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import Ranges, exponent_to_expr
from asymptok.errors import AsymptokError
from asymptok.kernels.values import constant_value, evaluate
from asymptok.precision import flint_precision
from asymptok.series.ends import expand_at_end
from asymptok.series.truncated import Series
from asymptok.symbols import t, u
from asymptok.truth import Truth

if TYPE_CHECKING:
    from asymptok.kernels.kernel import Kernel

__all__ = ["EndFunction", "end_function", "end_slope", "end_value", "in_distance"]

#: the expansion is taken to this order, and first tried at distances up to 2^-12
_ORDER, _FIRST, _LAST = 6, 12, 44
#: units in the last place that the sum of the terms may be off at its furthest point
_UNITS = 8
#: bits of the coefficients, and nodes of polynomials that are multiplied out
_BITS, _SHORT = 192, 60


@dataclass(frozen=True, slots=True)
class EndFunction:
    """sum_i c_i t^(e_i) (log t)^(j_i), good to doubles for 0 <= t <= reach."""

    reach: float
    constant: float
    terms: tuple[tuple[float, float, int], ...]

    def __call__(self, distance: Any, xp: Any = np) -> Any:
        positive = distance > 0
        near = xp.where(positive, distance, 1.0)
        total = 0.0 * near
        for coefficient, exponent, logs in reversed(self.terms):
            total = total + coefficient * near**exponent * (xp.log(near) ** logs if logs else 1.0)
        return self.constant + xp.where(positive, total, 0.0)


@lru_cache(maxsize=256)
def end_function(kernel: Kernel, at: int) -> EndFunction | None:
    """kappa next to u = at where its slope is infinite; None where u is good enough, or nothing better is known."""
    try:
        terms = end_terms(kernel, at, _ORDER)
        # an infinite slope at t = 0
        if not any(0 < exponent < 1 or (exponent == 1 and logs) for _, exponent, logs in terms):
            return None
        constant = float(evaluate(kernel, at))
    except AsymptokError:
        return None
    for bits in range(_FIRST, _LAST, 4):
        found = EndFunction(2.0**-bits, constant, terms)
        if all(_agrees(kernel, found, at, bits + shift) for shift in (0, 1, 3)):
            return found
    return None


def end_terms(kernel: Kernel, at: int, order: int) -> tuple[tuple[float, float, int], ...]:
    """The terms (c, e, j) of c t^e (log t)^j up to t^order at an end, the constant left out, ascending, in doubles.

    The coefficients are balls; where those cannot decide what vanishes, exact numbers do.
    """
    with flint_precision(_BITS):
        try:
            dom = opaque(BallDomain())
            found = [
                (dom.enclosure(c, _BITS), float(constant_value(exponent_to_expr(form, rest), 20)), logs)
                for c, form, rest, logs in _series(kernel, dom, at, order).terms()
            ]
            terms = [(float(c.mid()), e, j) for c, e, j in found if not _is_nothing(c)]
        except AsymptokError:
            dom = opaque(ExactDomain(Ranges({})))
            terms = [
                (
                    float(ball(dom.to_expr(c)).mid()),
                    float(constant_value(exponent_to_expr(form, rest), 20)),
                    logs,
                )
                for c, form, rest, logs in _series(kernel, dom, at, order).terms()
                if dom.is_zero(c) is not Truth.TRUE
            ]
    kept = [term for term in terms if term[1] <= order and term[1:] != (0.0, 0)]
    return tuple(sorted(kept, key=lambda term: (term[1], -term[2])))


def _series(kernel: Kernel, dom: Any, at: int, order: int) -> Series:
    return expand_at_end(dom, kernel.layered, u, at, fmpq(order), kernel.layers)


def _is_nothing(c: arb) -> bool:
    """Zero as far as doubles go."""
    return bool(c.contains(0)) and bool(c.abs_upper() < arb((1, -_BITS // 2)))


def end_value(kernel: Kernel, at: int) -> Expr:
    """kappa(at), with the parameters of the kernel."""
    if at == 1 and kernel.mean:
        return kernel.mean.diagonal
    found = dag.value_at(kernel.expr, u, S(at))
    if found is not None:
        return found
    # (1-u) log(1-u): the limit
    dom = opaque(ExactDomain(Ranges(kernel.parameters)))
    for c, form, rest, logs in _series(kernel, dom, at, 0).terms():
        if not form and rest == 0 and not logs:
            found = dom.to_expr(c)
        elif (
            not sign(exponent_to_expr(form, rest), kernel.parameters).positive
            and dom.is_zero(c) is not Truth.TRUE
        ):
            raise AsymptokError(f"{kernel} has no value at u = {at} that is finite for all its parameters")
    return S.Zero if found is None else found


def end_slope(kernel: Kernel, at: int) -> Expr:
    """The one-sided slope in the distance from an end, 0 for an infinite or unknown one; with the parameters."""
    try:
        if not kernel.parameters:
            terms = end_terms(kernel, at, 1)
            return S(terms[0][0]) if terms and terms[0][1:] == (1.0, 0) else S.Zero
        dom = opaque(ExactDomain(Ranges(kernel.parameters)))
        for c, form, rest, logs in _series(kernel, dom, at, 1).terms():
            if (form or rest != 0) and dom.is_zero(c) is not Truth.TRUE:
                return dag.plain(dom.to_expr(c)) if not form and rest == 1 and not logs else S.Zero
    except AsymptokError:
        pass
    return S.Zero


def in_distance(expr: Expr, at: int) -> Expr:
    """The expression in the distance t from an end: 1 - u is t and 1 - u^2 is 2 t - t^2, with all their digits."""
    polynomials = {
        node: dag.rebuild(node, {u: at * (1 - t)}).expand()
        for node in dag.varying(expr, u)
        if node.is_Add and dag.tree_size(node) <= _SHORT and node.is_polynomial(u)
    }
    return dag.rebuild(expr, {**polynomials, u: at * (1 - t)})


def _agrees(kernel: Kernel, found: EndFunction, at: int, bits: int) -> bool:
    t = Fraction(1, 2**bits)
    exact = float(evaluate(kernel, at * (1 - t), dps=20))
    size = max(abs(exact), abs(found.constant))
    return bool(abs(float(found(np.array([float(t)]))[0]) - exact) <= _UNITS * np.finfo(float).eps * size)
