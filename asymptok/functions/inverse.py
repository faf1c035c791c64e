"""Inverse circular and hyperbolic functions, with the cuts of SymPy, mpmath and Arb.

Their derivatives are algebraic: f(a) = f(a_0) + int f'(a) da, at regular and at branch points alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import sympy
from flint import acb, acb_series, arb, arb_series, fmpq
from sympy import (
    Expr,
    I,
    S,
    acos,
    acosh,
    acot,
    acoth,
    acsc,
    asec,
    asin,
    asinh,
    atan,
    atanh,
    oo,
    pi,
)

from asymptok.functions import cuts
from asymptok.functions.expanding import Context, Series, direction, expands, finite_limit
from asymptok.functions.mean_value import around_middle
from asymptok.functions.powers import complex_rsqrt, hull
from asymptok.functions.record import (
    NONZERO,
    POSITIVE,
    Implementation,
    Monotone,
    Pairs,
    Points,
    Record,
    constantly,
    cut_along,
    of_argument,
)
from asymptok.quantities import Element
from asymptok.truth import Truth

_ONE: Points = (S.One, S.NegativeOne)
_I: Points = (I, -I)


def unit_interval(x: Expr) -> Pairs:
    """-1 < x < 1."""
    return [(1 - x, POSITIVE), (1 + x, POSITIVE)]


def _outside(x: Expr) -> Pairs:
    return [(x**2 - 1, POSITIVE)]


Q = TypeVar("Q", arb_series, acb_series)


def acos_series(x: Q) -> Q:
    if isinstance(x, arb_series):
        return x.acos()
    # acb_series has no acos: integrate acos' = -1/sqrt(1 - x^2) from the constant term
    return x[0].acos() - (x.derivative() * ((1 - x) * (1 + x)).rsqrt()).integral()


def _acot_real(x: arb) -> arb:
    # atan(1/x), which jumps at 0
    if x.is_zero():
        return arb.pi() / 2
    if x.contains(0):
        return hull(-arb.pi() / 2, arb.pi() / 2)
    return (1 / x).atan()


def _acot_complex(z: acb) -> acb:
    return acb.pi() / 2 if z.is_zero() else (1 / z).atan()


def _sine_slope(z: acb) -> acb:
    """1/sqrt(1 - z^2), as a product that is right off both cuts."""
    return complex_rsqrt(1 - z) * complex_rsqrt(1 + z)


complex_asin = around_middle(acb.asin, _sine_slope, regular=cuts.off_both_real_rays)
complex_acos = around_middle(acb.acos, lambda z: -_sine_slope(z), regular=cuts.off_both_real_rays)
_complex_asinh = around_middle(
    acb.asinh, lambda z: complex_rsqrt(1 + z * z), regular=cuts.off_both_imaginary_rays
)

_complex_acosh = around_middle(
    acb.acosh,
    lambda z: complex_rsqrt(z - 1) * complex_rsqrt(z + 1),
    regular=lambda z: cuts.off(z, cuts.UP_TO_ONE),
)


def _inverse(
    name: str,
    requirement: Callable[[Expr], Pairs],
    values: Points,
    cut: cuts.Test | tuple[cuts.Ray, ...],
    *,
    of: str,
    balls: tuple[Implementation, Implementation] | None = None,
    series: Implementation | None = None,
    monotone: Monotone | None = None,
    **others: Any,
) -> Record:
    """The inverse of the function named `of`."""
    forward, long_name = getattr(sympy, of), "arc" + name[1:]
    real, complex_ = balls or (getattr(arb, name), getattr(acb, name))
    return Record(
        function=getattr(sympy, name),
        real=real,
        complex=complex_,
        series=series,
        requirements=of_argument(requirement),
        singular_values=constantly(values),
        monotone=constantly(monotone),
        preimages=lambda s: (forward(s),),
        names=(name, long_name),
        numpy=getattr(np, long_name, None),
        **others,
        **(cut_along(cut) if isinstance(cut, tuple) else {"regular": cut}),
    )


def _of_reciprocal(real: Implementation, complex_: Implementation) -> tuple[Implementation, Implementation]:
    """f(1/x)."""
    return (lambda x: real(1 / x)), (lambda z: complex_(1 / z))


def _off_asech(z: acb) -> bool:
    """1/z lies on (-oo, 1] for z <= 0 and for z >= 1."""
    return cuts.off(z, cuts.NEGATIVE_AXIS + cuts.FROM_ONE)


_HALF = fmpq(1, 2)

COMPLEX = "its argument leaves the interval where the function is real"


def by_derivative(
    context: Context, function: Callable[..., Expr], a: Series, derivative: Series, node: Expr
) -> Series:
    value = context.dom.apply(function, settled(context, finite_limit(a, node, COMPLEX)))
    return context.primitive(value, derivative, a)


def settled(context: Context, value: Element) -> Element:
    """0, 1 or -1 if the constant is one of these in disguise: functions have closed forms there."""
    dom = context.dom
    if dom.as_rational(value) is None:
        for special in (0, 1, -1):
            if dom.is_zero(dom.add(value, dom.rational(-special))) is Truth.TRUE:
                return dom.rational(special)
    return value


@expands(asin)
def _asin(context: Context, node: Expr, a: Series) -> Series:
    return by_derivative(context, asin, a, inverse_cosine(context, a, node), node)


def inverse_cosine(context: Context, a: Series, node: Expr) -> Series:
    """(1 - a^2)^(-1/2), by its factors where the sign of 1 - a^2 is not seen from that."""
    value, one = finite_limit(a, node, COMPLEX), context.number(1)
    if context.dom.sign(_one_minus_square(context, value)).known:
        return context.power(one - a * a, -_HALF, node)
    return context.power(one - a, -_HALF, node) * context.power(one + a, -_HALF, node)


@expands(acos)
def _acos(context: Context, node: Expr, a: Series) -> Series:
    return by_derivative(context, acos, a, -inverse_cosine(context, a, node), node)


@expands(asec)
def _asec(context: Context, node: Expr, a: Series) -> Series:
    return context.expand(acos, context.reciprocal(a, node), node=node)


@expands(acsc)
def _acsc(context: Context, node: Expr, a: Series) -> Series:
    return context.expand(asin, context.reciprocal(a, node), node=node)


@expands(atan)
def _atan(context: Context, node: Expr, a: Series) -> Series:
    if a.limit() is None:
        # atan a = +-pi/2 - atan(1/a) for large |a|
        return context.number(direction(a, node) * pi / 2) - context.expand(
            atan, context.reciprocal(a, node), node=node
        )
    return by_derivative(context, atan, a, context.reciprocal(context.number(1) + a * a, node), node)


@expands(acot)
def _acot(context: Context, node: Expr, a: Series) -> Series:
    return context.expand(atan, context.reciprocal(a, node), node=node)


@expands(asinh)
def _asinh(context: Context, node: Expr, a: Series) -> Series:
    square = context.number(1) + a * a
    if a.limit() is None:
        sign = direction(a, node)
        large = a.scaled(context.dom.rational(sign))
        return context.logarithm(large + context.power(square, _HALF, node), node).scaled(
            context.dom.rational(sign)
        )
    return by_derivative(context, asinh, a, context.power(square, -_HALF, node), node)


@expands(acosh)
def _acosh(context: Context, node: Expr, a: Series) -> Series:
    square = a * a - context.number(1)
    if a.limit() is None:
        return context.logarithm(a + context.power(square, _HALF, node), node)
    return by_derivative(context, acosh, a, context.power(square, -_HALF, node), node)


@expands(atanh)
def _atanh(context: Context, node: Expr, a: Series) -> Series:
    value = a.limit()
    if value is not None and context.dom.sign(_one_minus_square(context, value)).positive:
        return by_derivative(context, atanh, a, context.reciprocal(context.number(1) - a * a, node), node)
    difference = context.logarithm(context.number(1) + a, node) - context.logarithm(
        context.number(1) - a, node
    )
    return difference.scaled(context.dom.rational(_HALF))


def _one_minus_square(context: Context, value: Element) -> Element:
    dom = context.dom
    return dom.add(dom.one, dom.neg(dom.mul(value, value)))


@expands(acoth)
def _acoth(context: Context, node: Expr, a: Series) -> Series:
    return context.expand(atanh, context.reciprocal(a, node), node=node)


RECORDS = (
    _inverse(
        "asin",
        unit_interval,
        _ONE,
        cuts.REAL_RAYS,
        of="sin",
        balls=(arb.asin, complex_asin),
        series=lambda x: arb.pi() / 2 - acos_series(x),
        monotone=Monotone(1, (S.NegativeOne, S.One), (-pi / 2, pi / 2)),
        upward=constantly(S.One),
    ),
    _inverse(
        "acos",
        unit_interval,
        _ONE,
        cuts.REAL_RAYS,
        of="cos",
        balls=(arb.acos, complex_acos),
        series=acos_series,
        monotone=Monotone(-1, (S.NegativeOne, S.One), (pi, S.Zero)),
        downward=constantly(S.One),
        reflected=lambda node: pi - acos(-node.args[0]),
    ),
    _inverse(
        "atan",
        lambda x: [],
        _I,
        cuts.IMAGINARY_RAYS,
        of="tan",
        series=lambda x: x.atan(),
        monotone=Monotone(1, (-oo, oo), (-pi / 2, pi / 2)),
    ),
    # the principal acot jumps across [-i, i], yet 0 is no singular point: acot' = -1/(1 + x^2)
    _inverse(
        "acot",
        lambda x: [(x, NONZERO)],
        _I,
        cuts.off_imaginary_segment,
        of="cot",
        balls=(_acot_real, _acot_complex),
    ),
    _inverse(
        "asec",
        _outside,
        (*_ONE, S.Zero),
        cuts.off_real_segment,
        of="sec",
        balls=_of_reciprocal(arb.acos, complex_acos),
    ),
    _inverse(
        "acsc",
        _outside,
        (*_ONE, S.Zero),
        cuts.off_real_segment,
        of="csc",
        balls=_of_reciprocal(arb.asin, complex_asin),
    ),
    _inverse(
        "asinh",
        lambda x: [],
        _I,
        cuts.IMAGINARY_RAYS,
        of="sinh",
        balls=(arb.asinh, _complex_asinh),
        series=lambda x: (x + (x * x + 1).sqrt()).log(),
        monotone=Monotone(1, (-oo, oo), (-oo, oo)),
    ),
    # at -1 the principal acosh is singular too, seen from the upper and from the lower half plane
    _inverse(
        "acosh",
        lambda x: [(x - 1, POSITIVE)],
        _ONE,
        cuts.UP_TO_ONE,
        of="cosh",
        balls=(arb.acosh, _complex_acosh),
        monotone=Monotone(1, (S.One, oo), (S.Zero, oo)),
    ),
    _inverse(
        "atanh",
        unit_interval,
        _ONE,
        cuts.REAL_RAYS,
        of="tanh",
        series=lambda x: ((1 + x) / (1 - x)).log() / 2,
        monotone=Monotone(1, (S.NegativeOne, S.One), (-oo, oo)),
        upward=constantly(S.One),
    ),
    _inverse(
        "acoth", _outside, _ONE, cuts.off_real_segment, of="coth", balls=_of_reciprocal(arb.atanh, acb.atanh)
    ),
    _inverse(
        "asech",
        lambda x: [(x, POSITIVE), (1 - x, POSITIVE)],
        (*_ONE, S.Zero),
        _off_asech,
        of="sech",
        balls=_of_reciprocal(arb.acosh, _complex_acosh),
        monotone=Monotone(-1, (S.Zero, S.One), (oo, S.Zero)),
    ),
    _inverse(
        "acsch",
        lambda x: [(x, NONZERO)],
        (*_I, S.Zero),
        cuts.off_imaginary_segment,
        of="csch",
        balls=_of_reciprocal(arb.asinh, _complex_asinh),
    ),
)
