"""Circular and hyperbolic functions: entire ones, and quotients with a progression of poles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import sympy
from flint import acb, arb
from sympy import Expr, I, S, oo, pi

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


def _wave(first: Expr, second: Expr, period: Expr) -> Points:
    """The two families of solutions of sin x = s and the like; one family where they coincide."""
    return tuple(Progression(v, period) for v in dict.fromkeys((first, second)))


def _acosh(s: Expr) -> Expr:
    return I * pi / 2 if s == 0 else sympy.acosh(s)


def _entire(name: str, series: Implementation | None, preimages: object, monotone: object = None) -> Record:
    return entire_record(
        getattr(sympy, name),
        getattr(arb, name),
        getattr(acb, name),
        series,
        order=1,
        preimages=preimages,
        monotone=constantly(monotone),
        names=(name,),
        numpy=getattr(np, name),
    )


def _one(_: object) -> int:
    return 1


def _meromorphic(
    name: str,
    ratio: tuple[Implementation, Implementation],
    poles: Progression,
    requirement: Callable[[Expr], Pairs],
    *,
    series: Implementation | None = None,
    preimages: Callable[[Expr], Points],
    monotone: Monotone | None = None,
) -> Record:
    return Record(
        function=getattr(sympy, name),
        real=getattr(arb, name),
        complex=getattr(acb, name),
        series=series,
        requirements=of_argument(requirement),
        singular_values=constantly((poles,)),
        many_sheets=False,
        regular=lambda z: not poles.meets(z),
        ratio=ratio,
        monotone=constantly(monotone),
        preimages=preimages,
        names=(name,),
        numpy=getattr(np, name, None),
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


RECORDS = (
    _entire("sin", lambda x: x.sin(), _sines),
    _entire("cos", lambda x: x.cos(), _cosines),
    _entire(
        "sinh",
        lambda x: (x.exp() - (-x).exp()) / 2,
        _hyperbolic_sines,
        Monotone(1, (-oo, oo), (-oo, oo)),
    ),
    _entire("cosh", lambda x: (x.exp() + (-x).exp()) / 2, _hyperbolic_cosines),
    entire_record(sympy.sinc, arb.sinc, acb.sinc, order=1),
    _meromorphic(
        "tan",
        (acb.sin, acb.cos),
        _HALF,
        lambda x: [(sympy.cos(x), NONZERO)],
        series=lambda x: x.tan(),
        preimages=_tangents,
    ),
    _meromorphic(
        "sec", (_one, acb.cos), _HALF, lambda x: [(sympy.cos(x), NONZERO)], preimages=_reciprocal(_cosines)
    ),
    _meromorphic(
        "cot",
        (acb.cos, acb.sin),
        _WHOLE,
        lambda x: [(sympy.sin(x), NONZERO)],
        preimages=lambda s: (_HALF,) if s == 0 else _tangents(1 / s),
    ),
    _meromorphic(
        "csc", (_one, acb.sin), _WHOLE, lambda x: [(sympy.sin(x), NONZERO)], preimages=_reciprocal(_sines)
    ),
    _meromorphic(
        "tanh",
        (acb.sinh, acb.cosh),
        _IMAGINARY_HALF,
        lambda x: [],
        series=lambda x: 1 - 2 / ((2 * x).exp() + 1),
        preimages=_hyperbolic_tangents,
        monotone=Monotone(1, (-oo, oo), (S.NegativeOne, S.One)),
    ),
    _meromorphic(
        "sech", (_one, acb.cosh), _IMAGINARY_HALF, lambda x: [], preimages=_reciprocal(_hyperbolic_cosines)
    ),
    _meromorphic(
        "coth",
        (acb.cosh, acb.sinh),
        _IMAGINARY_WHOLE,
        lambda x: [(x, NONZERO)],
        preimages=lambda s: (_IMAGINARY_HALF,) if s == 0 else _hyperbolic_tangents(1 / s),
    ),
    _meromorphic(
        "csch",
        (_one, acb.sinh),
        _IMAGINARY_WHOLE,
        lambda x: [(x, NONZERO)],
        preimages=_reciprocal(_hyperbolic_sines),
    ),
)
