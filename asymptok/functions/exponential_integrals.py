"""Error functions, and exponential, sine and cosine integrals."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import sympy
from flint import acb, arb
from sympy import (
    Expr,
    Integer,
    Rational,
    S,
    erf,
    erfc,
    erfi,
    oo,
    pi,
    sqrt,
)

from asymptok.errors import Obstruction
from asymptok.functions.cuts import NEGATIVE_AXIS
from asymptok.functions.expanding import Context, Series, direction, expands, finite_limit
from asymptok.functions.inverse import by_derivative
from asymptok.functions.record import (
    NONZERO,
    POSITIVE,
    Monotone,
    Record,
    constantly,
    cut_along,
    entire_record,
    of_argument,
)
from asymptok.points import Array


def _ei_continued(z: acb) -> acb | None:
    """Ei on Re z > 0, and -E_1(-z) on Re z < 0.

    The principal Ei has its cut on (-oo, 0], where the real function is analytic all the same: its continuation
    from there is -E_1(-z), which differs from the principal values by i pi above and by -i pi below the cut.
    """
    if z.real > 0:
        return z.ei()
    return -((-z).expint(1)) if z.real < 0 else None


@expands(erf)
def _erf(context: Context, node: Expr, a: Series) -> Series:
    if a.limit() is None:
        return context.number(direction(a, node)) + context.flat(a)
    return by_derivative(context, erf, a, _gauss(context, a, node, -1), node)


@expands(erfc)
def _erfc(context: Context, node: Expr, a: Series) -> Series:
    if a.limit() is None:
        return context.number(1 - direction(a, node)) + context.flat(a)
    return by_derivative(context, erfc, a, -_gauss(context, a, node, -1), node)


@expands(erfi)
def _erfi(context: Context, node: Expr, a: Series) -> Series:
    finite_limit(a, node, "it grows faster than every power", Obstruction.GROWS)
    return by_derivative(context, erfi, a, _gauss(context, a, node, 1), node)


def _gauss(context: Context, a: Series, node: Expr, sign: int) -> Series:
    square = (a * a).scaled(context.dom.rational(sign))
    return context.exponential(square, node).scaled(context.dom.constant(2 / sqrt(pi)))


def _error_function(x: Expr, sign: int) -> Expr:
    """erf or erfi: 2 x/sqrt(pi) 1F1(1/2; 3/2; sign x^2)."""
    return 2 * x / sqrt(pi) * sympy.hyper((S.Half,), (Rational(3, 2),), sign * x**2)


def _point_by_point(function: Callable[[float], float]) -> Callable[[Array], Array]:
    """A function of the standard library at an array of doubles."""
    values = np.vectorize(function, otypes=[float])
    return lambda x: np.asarray(values(x))


RECORDS = (
    entire_record(
        sympy.erf,
        arb.erf,
        acb.erf,
        lambda x: x.erf(),
        order=2,
        monotone=constantly(Monotone(1, (-oo, oo), (S.NegativeOne, S.One))),
        majorant=constantly(sympy.erfi),
        of_square=lambda x: _error_function(x, -1),
        tail=(2, 1),
        names=("erf",),
        numpy=_point_by_point(math.erf),
    ),
    entire_record(
        sympy.erfc,
        arb.erfc,
        acb.erfc,
        lambda x: x.erfc(),
        order=2,
        monotone=constantly(Monotone(-1, (-oo, oo), (Integer(2), S.Zero))),
        tail=(2, 1),
        names=("erfc",),
        numpy=_point_by_point(math.erfc),
    ),
    entire_record(
        sympy.erfi,
        arb.erfi,
        acb.erfi,
        lambda x: x.erfi(),
        order=2,
        monotone=constantly(Monotone(1, (-oo, oo), (-oo, oo))),
        upward=constantly(oo),
        majorant=constantly(sympy.erfi),
        of_square=lambda x: _error_function(x, 1),
    ),
    entire_record(sympy.Si, arb.si, acb.si, order=1, majorant=constantly(sympy.Shi)),
    entire_record(
        sympy.Shi,
        arb.shi,
        acb.shi,
        order=1,
        monotone=constantly(Monotone(1, (-oo, oo), (-oo, oo))),
        upward=constantly(oo),
        majorant=constantly(sympy.Shi),
    ),
    Record(
        function=sympy.Ei,
        real=arb.ei,
        complex=acb.ei,
        requirements=of_argument(lambda x: [(x, NONZERO)]),
        singular_values=constantly((S.Zero,)),
        **cut_along(NEGATIVE_AXIS),
        continuation=_ei_continued,
    ),
    Record(
        function=sympy.Ci,
        real=arb.ci,
        complex=acb.ci,
        requirements=of_argument(lambda x: [(x, POSITIVE)]),
        singular_values=constantly((S.Zero,)),
        **cut_along(NEGATIVE_AXIS),
    ),
    Record(
        function=sympy.Chi,
        real=arb.chi,
        complex=acb.chi,
        requirements=of_argument(lambda x: [(x, POSITIVE)]),
        singular_values=constantly((S.Zero,)),
        **cut_along(NEGATIVE_AXIS),
    ),
)
