"""Sums and products, exponential and logarithm."""

from __future__ import annotations

from functools import reduce
from operator import mul
from typing import Any

import numpy as np
import sympy
from flint import acb, arb
from sympy import (
    Expr,
    I,
    S,
    exp,
    log,
    oo,
    pi,
)

from asymptok.functions.cuts import off_negative_axis
from asymptok.functions.expanding import Context, Series, expands
from asymptok.functions.progression import Progression
from asymptok.functions.record import (
    NONZERO,
    POSITIVE,
    Monotone,
    Pairs,
    Points,
    Record,
    constantly,
    entire_record,
    of_argument,
)
from asymptok.quantities import Ball, BallSeries
from asymptok.symbols import u


def _sum(*xs: Any) -> Ball:
    return sum(xs[1:], xs[0])


def _product(*xs: Any) -> Ball:
    return reduce(mul, xs)


def logarithms(s: Expr) -> Points:
    """All x with e^x = s."""
    return () if s == 0 else (Progression(sympy.log(s), 2 * pi * I),)


def _log(x: Ball | BallSeries, base: Ball | None = None) -> Ball | BallSeries:
    return x.log() if base is None else x.log() / base.log()


def _log_requirements(node: Expr) -> Pairs:
    x, *base = node.args
    return [(x, POSITIVE), *((b, POSITIVE) for b in base), *((b - 1, NONZERO) for b in base)]


def _log_values(node: Expr) -> Points | None:
    return None if any(b.has(u) for b in node.args[1:]) else (S.Zero,)


def _log_regular(x: acb, base: acb | None = None) -> bool:
    return off_negative_axis(x) and (base is None or (off_negative_axis(base) and not base.contains(1)))


@expands(exp)
def _exp_rule(context: Context, node: Expr, a: Series) -> Series:
    return context.exponential(a, node)


@expands(log)
def _log_rule(context: Context, node: Expr, a: Series, base: Series | None = None) -> Series:
    result = context.logarithm(a, node)
    return result if base is None else result * context.reciprocal(context.logarithm(base, node), node)


def _even_and_odd(x: Expr) -> Expr:
    """cosh x + sinh x."""
    square = x**2 / 4
    return sympy.hyper((), (S.Half,), square) + x * sympy.hyper((), (3 * S.Half,), square)


RECORDS = (
    entire_record(sympy.Add, _sum, _sum, _sum, numpy=_sum),
    entire_record(sympy.Mul, _product, _product, _product, numpy=_product),
    entire_record(
        sympy.exp,
        arb.exp,
        acb.exp,
        lambda x: x.exp(),
        order=1,
        monotone=constantly(Monotone(1, (-oo, oo), (S.Zero, oo))),
        preimages=logarithms,
        upward=constantly(oo),
        majorant=constantly(sympy.exp),
        of_square=_even_and_odd,
        numpy=np.exp,
    ),
    Record(
        function=sympy.log,
        real=_log,
        complex=_log,
        series=_log,
        requirements=_log_requirements,
        singular_values=_log_values,
        regular=_log_regular,
        monotone=of_argument(constantly(Monotone(1, (S.Zero, oo), (-oo, oo)))),
        preimages=lambda s: (sympy.exp(s),),
        index=0,
        numpy=np.log,
    ),
)
