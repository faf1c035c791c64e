"""exp, log and the functions built from the exponential: trigonometric and hyperbolic ones."""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq
from sympy import Expr, cos, cosh, cot, coth, csc, csch, exp, log, sec, sech, sin, sinc, sinh, tan, tanh

from asymptok.errors import ExpansionError, Obstruction
from asymptok.functions.expanding import Context, Series, direction, expands, finite_limit
from asymptok.quantities import Element

_WHY = {
    Obstruction.OSCILLATES: "it oscillates without limit at the point",
    Obstruction.GROWS: "it grows faster than every power at the point",
}


@expands(exp)
def _exp(context: Context, node: Expr, a: Series) -> Series:
    return context.exponential(a, node)


@expands(log)
def _log(context: Context, node: Expr, a: Series, base: Series | None = None) -> Series:
    result = context.logarithm(a, node)
    return result if base is None else result * context.reciprocal(context.logarithm(base, node), node)


def _alternating(context: Context, parity: int, sign: int) -> Callable[[int], Element]:
    """Coefficients of sum (sign)^m x^(2m+parity)/(2m+parity)!."""
    factorials = [fmpq(1)]

    def coefficient(n: int) -> Element:
        while len(factorials) <= n:
            factorials.append(factorials[-1] / len(factorials))
        return context.dom.rational(factorials[n] * sign ** (n // 2) if n % 2 == parity else 0)

    return coefficient


def _addition(
    context: Context, node: Expr, a: Series, even: Callable[..., Expr], odd: Callable[..., Expr], sign: int
) -> tuple[Series, Series]:
    """(even(a), odd(a)) from the addition theorem at the limit of a; sign is that of odd(x)^2."""
    dom = context.dom
    kind = Obstruction.OSCILLATES if sign < 0 else Obstruction.GROWS
    # sin(x)/x, alone among those that are made here, tends to 0
    value = finite_limit(a, node, _WHY[kind], Obstruction.IRREGULAR if node.func is sinc else kind)
    x = a.without_constant()
    c, s = (
        context.compose(_alternating(context, 0, sign), x),
        context.compose(_alternating(context, 1, sign), x),
    )
    c0, s0 = dom.apply(even, value), dom.apply(odd, value)
    return (
        c.scaled(c0) + s.scaled(dom.scale(s0, fmpq(sign))),
        c.scaled(s0) + s.scaled(c0),
    )


@expands(sin)
def _sin(context: Context, node: Expr, a: Series) -> Series:
    return _addition(context, node, a, cos, sin, -1)[1]


@expands(cos)
def _cos(context: Context, node: Expr, a: Series) -> Series:
    return _addition(context, node, a, cos, sin, -1)[0]


@expands(tan)
def _tan(context: Context, node: Expr, a: Series) -> Series:
    c, s = _addition(context, node, a, cos, sin, -1)
    return s * context.reciprocal(c, node)


@expands(cot)
def _cot(context: Context, node: Expr, a: Series) -> Series:
    c, s = _addition(context, node, a, cos, sin, -1)
    return c * context.reciprocal(s, node)


@expands(sec)
def _sec(context: Context, node: Expr, a: Series) -> Series:
    return context.reciprocal(_cos(context, node, a), node)


@expands(csc)
def _csc(context: Context, node: Expr, a: Series) -> Series:
    return context.reciprocal(_sin(context, node, a), node)


@expands(sinc)
def _sinc(context: Context, node: Expr, a: Series) -> Series:
    return _sin(context, node, a) * context.reciprocal(a, node)


@expands(sinh)
def _sinh(context: Context, node: Expr, a: Series) -> Series:
    return _addition(context, node, a, cosh, sinh, 1)[1]


@expands(cosh)
def _cosh(context: Context, node: Expr, a: Series) -> Series:
    return _addition(context, node, a, cosh, sinh, 1)[0]


@expands(tanh)
def _tanh(context: Context, node: Expr, a: Series) -> Series:
    dom = context.dom
    value = a.limit()
    if value is None:
        # tanh a = +-(1 - q)/(1 + q) with q = exp(-2|a|)
        sign = direction(a, node)
        q = context.exponential(a.scaled(dom.rational(-2 * sign)), node)
        ratio = (context.number(1) - q) * context.reciprocal(context.number(1) + q, node)
        return ratio.scaled(dom.rational(sign))
    # tanh(a_0 + x) = (T + tanh x)/(1 + T tanh x), T = tanh a_0
    x = a.without_constant()
    q = context.exponential(x.scaled(dom.rational(-2)), node)
    small = (context.number(1) - q) * context.reciprocal(context.number(1) + q, node)
    at = a.scalar(dom.apply(tanh, value))
    return (at + small) * context.reciprocal(context.number(1) + at * small, node)


@expands(coth)
def _coth(context: Context, node: Expr, a: Series) -> Series:
    return context.reciprocal(_tanh(context, node, a), node)


@expands(sech)
def _sech(context: Context, node: Expr, a: Series) -> Series:
    if a.limit() is None:
        q = context.exponential(a.scaled(context.dom.rational(-direction(a, node))), node)
        return (q + q) * context.reciprocal(context.number(1) + q * q, node)
    return context.reciprocal(_cosh(context, node, a), node)


@expands(csch)
def _csch(context: Context, node: Expr, a: Series) -> Series:
    if a.limit() is None:
        raise ExpansionError(f"{node}: expand 1/sinh through exp at an infinite argument", node)
    return context.reciprocal(_sinh(context, node, a), node)
