"""Functions that choose by order: |x|, sign, Heaviside, Max, Min, floor, ceiling, and the angle atan2.

None is analytic as a function of a complex variable. The real functions are, piece by piece, and continue from each
piece: |x| as z from x > 0. Their pieces are told apart by real parts, so that no two continuations ever overlap.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np
import sympy
from flint import acb, arb
from sympy import Abs, Expr, Heaviside, Max, Min, arg, atan, atan2, conjugate, im, pi, re, sign

from asymptok.errors import ExpansionError
from asymptok.functions.cuts import off_both_imaginary_rays, off_negative_axis
from asymptok.functions.expanding import Context, Series, direction, expands
from asymptok.functions.powers import hull
from asymptok.functions.record import (
    NONZERO,
    POSITIVE,
    ArrayForm,
    Continuation,
    Implementation,
    Pairs,
    Points,
    Record,
)


def _real_only(f: Implementation) -> Implementation:
    """On complex balls only the real axis is answered."""

    def implementation(*args: acb) -> acb:
        if not all(a.imag.is_zero() for a in args):
            return acb(arb.nan())
        return acb(f(*(a.real for a in args)))

    return implementation


def _nonzero(node: Expr) -> Pairs:
    return [(node.args[0], NONZERO)]


def _by_side(right: Callable[[acb], acb], left: Callable[[acb], acb]) -> Continuation:
    """Two continuations, for Re z > 0 and for Re z < 0."""

    def continued(z: acb, *_: object) -> acb | None:
        return right(z) if z.real > 0 else left(z) if z.real < 0 else None

    return continued


def _heaviside(x: arb, at_zero: arb | None = None) -> arb:
    middle = arb(1) / 2 if at_zero is None else at_zero
    if x > 0:
        return arb(1)
    if x < 0:
        return arb(0)
    return middle if x.is_zero() else hull(arb(0), arb(1)).union(middle)


# ----------------------------------------------------------------------------------------- Max, Min


def _pairs_differ(node: Expr) -> Pairs:
    """No two arguments meet: more than is needed, for only the largest one counts."""
    args = node.args
    return [(a - b, NONZERO) for i, a in enumerate(args) for b in args[i + 1 :]]


def _extreme_continued(sign: int) -> Continuation:
    def continued(*args: acb) -> acb | None:
        for i, z in enumerate(args):
            if all(sign * (z - w).real > 0 for j, w in enumerate(args) if j != i):
                return z
        return None

    return continued


# --------------------------------------------------------------------------------- floor and ceiling


def _between_integers(node: Expr) -> Pairs:
    return [(sympy.sin(pi * node.args[0]), NONZERO)]


def _step_continued(shift: int) -> Continuation:
    def continued(z: acb) -> acb | None:
        if not z.real.is_finite() or z.real.contains_integer():
            return None
        return acb(z.real.lower().floor() + shift)

    return continued


# -------------------------------------------------------------------------------------------- atan2


def _off_the_cut(node: Expr) -> Pairs:
    """x > 0 or y != 0, as one condition: x + |(x, y)| > 0."""
    y, x = node.args
    return [(x + sympy.sqrt(x**2 + y**2), POSITIVE)]


def _angle_continued(y: acb, x: acb) -> acb | None:
    """2 atan(y/(r + x)), r = sqrt(x^2 + y^2)."""
    square = x * x + y * y
    if not off_negative_axis(square):
        return None
    below = square.sqrt() + x
    if below.contains(0):
        return None
    tangent = y / below
    return 2 * tangent.atan() if off_both_imaginary_rays(tangent) else None


def _choice(
    function: object,
    real: Implementation,
    requirements: Callable[[Expr], Pairs],
    continuation: Continuation,
    *,
    complex_: Implementation | None = None,
    preimages: Callable[[Expr], Points | None] = lambda s: None,
    switch: bool = True,
    index: int = -1,
    numpy: ArrayForm | None = None,
) -> Record:
    return Record(
        function=function,
        real=real,
        complex=complex_ or _real_only(real),
        requirements=requirements,
        continuation=continuation,
        preimages=preimages,
        switch=switch,
        index=index,
        numpy=numpy,
    )


@expands(Abs)
def _abs(context: Context, node: Expr, a: Series) -> Series:
    return -a if direction(a, node) < 0 else a


@expands(sign)
def _sign(context: Context, node: Expr, a: Series) -> Series:
    return context.number(direction(a, node))


@expands(re, conjugate)
def _real_part(context: Context, node: Expr, a: Series) -> Series:
    # SymPy writes re, im and arg where it cannot see that an expression is real; ours are.
    return a


@expands(im)
def _imaginary_part(context: Context, node: Expr, a: Series) -> Series:
    return context.number(0)


@expands(arg)
def _argument(context: Context, node: Expr, a: Series) -> Series:
    return _atan2(context, node, context.number(0), a)


@expands(atan2)
def _atan2(context: Context, node: Expr, y: Series, x: Series) -> Series:
    up, right = direction(y, node), direction(x, node)
    if right == 0:
        if up == 0:
            raise ExpansionError(f"{node} has no direction at zero", node)
        return context.number(up * pi / 2)
    turn = context.number(0 if right > 0 else (pi if up >= 0 else -pi))
    return turn if up == 0 else turn + context.expand(atan, y * context.reciprocal(x, node), node=node)


@expands(Heaviside)
def _heaviside_rule(context: Context, node: Expr, a: Series, at_zero: Series | None = None) -> Series:
    side = direction(a, node)
    if side == 0 and at_zero is not None:
        return at_zero
    return context.number(1 if side > 0 else 0)


@expands(Max)
def _max(context: Context, node: Expr, *args: Series) -> Series:
    best = args[0]
    for a in args[1:]:
        if direction(a - best, node) > 0:
            best = a
    return best


@expands(Min)
def _min(context: Context, node: Expr, *args: Series) -> Series:
    best = args[0]
    for a in args[1:]:
        if direction(a - best, node) < 0:
            best = a
    return best


RECORDS = (
    _choice(
        sympy.Abs,
        abs,
        _nonzero,
        _by_side(lambda z: z, lambda z: -z),
        complex_=lambda z: acb(abs(z)),
        preimages=lambda s: (s, -s),
        numpy=np.abs,
    ),
    _choice(
        sympy.sign,
        arb.sgn,
        _nonzero,
        _by_side(lambda z: acb(1), lambda z: acb(-1)),
        complex_=acb.sgn,
        numpy=np.sign,
    ),
    _choice(sympy.Heaviside, _heaviside, _nonzero, _by_side(lambda z: acb(1), lambda z: acb(0)), index=0),
    _choice(
        sympy.Max,
        lambda *xs: reduce(arb.max, xs),
        _pairs_differ,
        _extreme_continued(1),
        numpy=lambda *xs: reduce(np.maximum, xs),
    ),
    _choice(
        sympy.Min,
        lambda *xs: reduce(arb.min, xs),
        _pairs_differ,
        _extreme_continued(-1),
        numpy=lambda *xs: reduce(np.minimum, xs),
    ),
    _choice(sympy.floor, arb.floor, _between_integers, _step_continued(0), numpy=np.floor),
    _choice(sympy.ceiling, arb.ceil, _between_integers, _step_continued(1), numpy=np.ceil),
    _choice(
        sympy.atan2,
        lambda y, x: arb.atan2(y, x),
        _off_the_cut,
        _angle_continued,
        switch=False,
        numpy=np.arctan2,
    ),
)
