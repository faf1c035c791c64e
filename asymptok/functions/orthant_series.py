"""The probability of a quadrant, Orthant(h, k, r): by its three elementary derivatives, at r = +-1 as elsewhere.

Where the thresholds differ in the limit (h - k at r = 1, h + k at r = -1), the derivatives are flat there; where they
agree, (h - k)^2/(1 - r^2) has a limit, and the expansion is one in powers of sqrt(1 - r^2).
"""

from __future__ import annotations

from flint import fmpq
from sympy import Expr, erf, pi, sqrt

from asymptok.errors import ExpansionError
from asymptok.functions.expanding import Context, Series, exact_constant, expands, finite_limit
from asymptok.functions.orthant import Orthant, normal_tail
from asymptok.quantities import Element
from asymptok.truth import Truth

_UNBOUNDED = "a threshold is unbounded at the point"


@expands(Orthant)
def _orthant(context: Context, node: Expr, h: Series, k: Series, r: Series) -> Series:
    dom = context.dom
    values = [finite_limit(a, node, _UNBOUNDED) for a in (h, k, r)]
    result = h.scalar(_value(context, node, *values))
    square = context.number(1) - r * r
    half = dom.rational(fmpq(1, 2))
    if _varies(r):
        form = (h * h - (r * h * k).scaled(dom.rational(2)) + k * k).scaled(half)
        exponent = -(form * context.power(square, fmpq(-1), node))
        root = context.power(square, fmpq(-1, 2), node).scaled(dom.constant(1 / (2 * pi)))
        result = result + context.primitive(dom.zero, context.exponential(exponent, node) * root, r)
    for a, b in ((h, k), (k, h)):
        if _varies(a):
            distance = (b - r * a) * context.power(square, fmpq(-1, 2), node)
            cdf = context.expand(erf, distance.scaled(dom.constant(1 / sqrt(2))), node=node)
            density = context.exponential(-(a * a).scaled(half), node).scaled(dom.constant(1 / sqrt(2 * pi)))
            tail = (context.number(1) - cdf).scaled(half)
            result = result - context.primitive(dom.zero, density * tail, a)
    return result


def _varies(a: Series) -> bool:
    return exact_constant(a) is None


def _value(context: Context, node: Expr, h: Element, k: Element, r: Element) -> Element:
    """Orthant of the limits; at r = +-1 it is a probability in one variable."""
    dom = context.dom
    for end in (1, -1):
        if dom.is_zero(dom.add(r, dom.rational(-end))) is Truth.TRUE:
            gap = dom.add(h, dom.neg(k)) if end == 1 else dom.add(h, k)
            side = dom.sign(gap)
            if not side.known:
                raise dom.undecided(gap, "the sign of {}", node)
            if end == 1:
                return dom.apply(normal_tail, h if side.nonnegative else k)
            if side.nonnegative:
                return dom.zero
            return dom.add(dom.apply(normal_tail, h), dom.neg(dom.apply(normal_tail, dom.neg(k))))
    inside = dom.sign(dom.add(dom.one, dom.neg(dom.mul(r, r))))
    if not inside.known:
        raise dom.undecided(r, "whether {} lies in [-1, 1]", node)
    if inside.negative:
        raise ExpansionError(f"{node}: the correlation leaves [-1, 1]", node)
    return dom.apply(Orthant, h, k, r)
