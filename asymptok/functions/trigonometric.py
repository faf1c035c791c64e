"""Circular and hyperbolic functions: entire ones, and quotients with a progression of poles; addition theorems."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import sympy
from flint import acb, arb, fmpq
from sympy import (
    Expr,
    I,
    S,
    cos,
    cosh,
    cot,
    coth,
    csc,
    csch,
    oo,
    pi,
    sec,
    sech,
    sin,
    sinc,
    sinh,
    tan,
    tanh,
)

from asymptok.errors import ExpansionError, Obstruction
from asymptok.functions.expanding import Context, Series, direction, expands, finite_limit
from asymptok.functions.progression import Progression
from asymptok.functions.record import (
    NONZERO,
    Implementation,
    Monotone,
    Pairs,
    Points,
    Record,
    constantly,
    entire_record,
    of_argument,
)
from asymptok.quantities import Element


def _wave(first: Expr, second: Expr, period: Expr) -> Points:
    """The two families of solutions of sin x = s and the like; one family where they coincide."""
    return tuple(Progression(v, period) for v in dict.fromkeys((first, second)))


def _acosh(s: Expr) -> Expr:
    return I * pi / 2 if s == 0 else sympy.acosh(s)


#: (m, sign) of the form x^m 0F1(; m + 1/2; sign x^2/4)
_FORMS = {"sin": (1, -1), "cos": (0, -1), "sinh": (1, 1), "cosh": (0, 1)}


def _of_square(name: str, x: Expr) -> Expr:
    power, sign = _FORMS.get(name, (0, 0))
    return x**power * sympy.hyper((), (power + S.Half,), sign * x**2 / 4) if sign else S.One


def _entire(
    name: str,
    series: Implementation | None,
    preimages: Callable[[Expr], Points],
    **others: object,
) -> Record:
    power, sign = _FORMS[name]
    return entire_record(
        getattr(sympy, name),
        getattr(arb, name),
        getattr(acb, name),
        series,
        order=1,
        preimages=preimages,
        of_square=partial(_of_square, name),
        majorant=constantly(sympy.sinh if power else sympy.cosh),
        upward=constantly(oo if sign > 0 else None),
        names=(name,),
        numpy=getattr(np, name),
        **others,
    )


_HALF, _WHOLE = Progression(pi / 2, pi), Progression(S.Zero, pi)
_IMAGINARY_HALF, _IMAGINARY_WHOLE = Progression(I * pi / 2, I * pi), Progression(S.Zero, I * pi)


def _sines(s: Expr) -> Points:
    return _wave(sympy.asin(s), pi - sympy.asin(s), 2 * pi)


def _cosines(s: Expr) -> Points:
    return _wave(sympy.acos(s), -sympy.acos(s), 2 * pi)


def _hyperbolic_sines(s: Expr) -> Points:
    return _wave(sympy.asinh(s), I * pi - sympy.asinh(s), 2 * I * pi)


def _hyperbolic_cosines(s: Expr) -> Points:
    return _wave(_acosh(s), -_acosh(s), 2 * I * pi)


def _tangents(s: Expr) -> Points:
    return () if s in (I, -I) else (Progression(sympy.atan(s), pi),)


def _hyperbolic_tangents(s: Expr) -> Points:
    return () if s in (1, -1) else (Progression(sympy.atanh(s), I * pi),)


def _reciprocal(preimages: Callable[[Expr], Points]) -> Callable[[Expr], Points]:
    """1/f(x) = s as f(x) = 1/s; a pole of f is a zero of 1/f, and cot and coth have those."""
    return lambda s: () if s == 0 else preimages(1 / s)


_WHY = {
    Obstruction.OSCILLATES: "it oscillates without limit at the point",
    Obstruction.GROWS: "it grows faster than every power at the point",
}


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


def _one(_: object) -> int:
    return 1


#: where the denominators vanish, and what is not zero on the real axis off these points
_DENOMINATORS: dict[Callable[[Expr], Expr], tuple[Progression, Callable[[Expr], Pairs]]] = {
    sympy.cos: (_HALF, lambda x: [(sympy.cos(x), NONZERO)]),
    sympy.sin: (_WHOLE, lambda x: [(sympy.sin(x), NONZERO)]),
    sympy.cosh: (_IMAGINARY_HALF, lambda x: []),
    sympy.sinh: (_IMAGINARY_WHOLE, lambda x: [(x, NONZERO)]),
}


def _meromorphic(
    name: str,
    above: Callable[..., Any],
    below: Callable[[Expr], Expr],
    reciprocal: Callable[[Expr], Expr],
    preimages: Callable[[Expr], Points],
    **others: object,
) -> Record:
    """One entire function above another one, or 1, the other one being `below`."""
    poles, requirement = _DENOMINATORS[below]
    fields: dict[str, Any] = {
        "quotient": lambda x: above(x) / below(x),
        "numpy": getattr(np, name, None),
        **others,
    }
    return Record(
        function=getattr(sympy, name),
        real=getattr(arb, name),
        complex=getattr(acb, name),
        requirements=of_argument(requirement),
        singular_values=constantly((poles,)),
        many_sheets=False,
        regular=lambda z: not poles.meets(z),
        ratio=(getattr(acb, above.__name__, _one), getattr(acb, below.__name__)),
        of_square=lambda x: _of_square(above.__name__, x) / _of_square(below.__name__, x),
        reciprocal=reciprocal,
        preimages=preimages,
        names=(name,),
        **fields,
    )


RECORDS = (
    _entire("sin", lambda x: x.sin(), _sines),
    _entire("cos", lambda x: x.cos(), _cosines),
    _entire(
        "sinh",
        lambda x: (x.exp() - (-x).exp()) / 2,
        _hyperbolic_sines,
        monotone=constantly(Monotone(1, (-oo, oo), (-oo, oo))),
    ),
    _entire("cosh", lambda x: (x.exp() + (-x).exp()) / 2, _hyperbolic_cosines),
    entire_record(sympy.sinc, arb.sinc, acb.sinc, order=1),
    _meromorphic(
        "tan",
        sympy.sin,
        sympy.cos,
        sympy.cot,
        _tangents,
        series=lambda x: x.tan(),
        upward=constantly(pi / 2),
    ),
    _meromorphic("sec", _one, sympy.cos, sympy.cos, _reciprocal(_cosines), upward=constantly(pi / 2)),
    _meromorphic("cot", sympy.cos, sympy.sin, sympy.tan, lambda s: (_HALF,) if s == 0 else _tangents(1 / s)),
    _meromorphic("csc", _one, sympy.sin, sympy.sin, _reciprocal(_sines)),
    _meromorphic(
        "tanh",
        sympy.sinh,
        sympy.cosh,
        sympy.coth,
        _hyperbolic_tangents,
        tail=(1, 2),
        series=lambda x: 1 - 2 / ((2 * x).exp() + 1),
        quotient=lambda x: 1 - 2 / (sympy.exp(2 * x) + 1),
        monotone=constantly(Monotone(1, (-oo, oo), (S.NegativeOne, S.One))),
    ),
    _meromorphic("sech", _one, sympy.cosh, sympy.cosh, _reciprocal(_hyperbolic_cosines), tail=(1, 1)),
    _meromorphic(
        "coth",
        sympy.cosh,
        sympy.sinh,
        sympy.tanh,
        lambda s: (_IMAGINARY_HALF,) if s == 0 else _hyperbolic_tangents(1 / s),
        tail=(1, 2),
    ),
    _meromorphic("csch", _one, sympy.sinh, sympy.sinh, _reciprocal(_hyperbolic_sines), tail=(1, 1)),
)
