"""Functions with an algebraic derivative: f(a) = f(a_0) + int f'(a) da, at regular and at branch points alike."""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq
from sympy import (
    Expr,
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
    erf,
    erfc,
    erfi,
    pi,
    sqrt,
)

from asymptok.errors import Obstruction
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.expanding import Context, Series, direction, expands, finite_integer, finite_limit
from asymptok.quantities import Element
from asymptok.truth import Truth

_HALF = fmpq(1, 2)
_COMPLEX = "its argument leaves the interval where the function is real"


def _by_derivative(
    context: Context, function: Callable[..., Expr], a: Series, derivative: Series, node: Expr
) -> Series:
    value = context.dom.apply(function, _settled(context, finite_limit(a, node, _COMPLEX)))
    return context.primitive(value, derivative, a)


def _settled(context: Context, value: Element) -> Element:
    """0, 1 or -1 if the constant is one of these in disguise: functions have closed forms there."""
    dom = context.dom
    if dom.as_rational(value) is None:
        for special in (0, 1, -1):
            if dom.is_zero(dom.add(value, dom.rational(-special))) is Truth.TRUE:
                return dom.rational(special)
    return value


@expands(asin)
def _asin(context: Context, node: Expr, a: Series) -> Series:
    return _by_derivative(context, asin, a, _inverse_cosine(context, a, node), node)


def _inverse_cosine(context: Context, a: Series, node: Expr) -> Series:
    """(1 - a^2)^(-1/2), by its factors where the sign of 1 - a^2 is not seen from that."""
    value, one = finite_limit(a, node, _COMPLEX), context.number(1)
    if context.dom.sign(_one_minus_square(context, value)).known:
        return context.power(one - a * a, -_HALF, node)
    return context.power(one - a, -_HALF, node) * context.power(one + a, -_HALF, node)


@expands(acos)
def _acos(context: Context, node: Expr, a: Series) -> Series:
    return _by_derivative(context, acos, a, -_inverse_cosine(context, a, node), node)


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
    return _by_derivative(context, atan, a, context.reciprocal(context.number(1) + a * a, node), node)


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
    return _by_derivative(context, asinh, a, context.power(square, -_HALF, node), node)


@expands(acosh)
def _acosh(context: Context, node: Expr, a: Series) -> Series:
    square = a * a - context.number(1)
    if a.limit() is None:
        return context.logarithm(a + context.power(square, _HALF, node), node)
    return _by_derivative(context, acosh, a, context.power(square, -_HALF, node), node)


@expands(atanh)
def _atanh(context: Context, node: Expr, a: Series) -> Series:
    value = a.limit()
    if value is not None and context.dom.sign(_one_minus_square(context, value)).positive:
        return _by_derivative(context, atanh, a, context.reciprocal(context.number(1) - a * a, node), node)
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


@expands(erf)
def _erf(context: Context, node: Expr, a: Series) -> Series:
    if a.limit() is None:
        return context.number(direction(a, node)) + context.flat(a)
    return _by_derivative(context, erf, a, _gauss(context, a, node, -1), node)


@expands(erfc)
def _erfc(context: Context, node: Expr, a: Series) -> Series:
    if a.limit() is None:
        return context.number(1 - direction(a, node)) + context.flat(a)
    return _by_derivative(context, erfc, a, -_gauss(context, a, node, -1), node)


@expands(erfi)
def _erfi(context: Context, node: Expr, a: Series) -> Series:
    finite_limit(a, node, "it grows faster than every power", Obstruction.GROWS)
    return _by_derivative(context, erfi, a, _gauss(context, a, node, 1), node)


def _gauss(context: Context, a: Series, node: Expr, sign: int) -> Series:
    square = (a * a).scaled(context.dom.rational(sign))
    return context.exponential(square, node).scaled(context.dom.constant(2 / sqrt(pi)))


@expands(ArcCosine)
def _arc_cosine(context: Context, node: Expr, order: Series, a: Series) -> Series:
    n = finite_integer(context, order)
    point = _settled(context, finite_limit(a, node, _COMPLEX))
    value = context.dom.apply(lambda x: ArcCosine(n, x), point)
    if n == 0:
        derivative = _inverse_cosine(context, a, node).scaled(context.dom.constant(1 / pi))
    else:
        # kappa_n' = n^2/(2n-1) kappa_(n-1)
        lower = context.arc_cosine(n - 1, a, node)
        derivative = lower.scaled(context.dom.rational(fmpq(n * n, 2 * n - 1)))
    return context.primitive(value, derivative, a)
