"""Bessel and Airy functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import acb, arb
from sympy import Expr, Rational, S, oo

from asymptok.functions.bessel_numeric import bessel_k
from asymptok.functions.cuts import NEGATIVE_AXIS, off_negative_axis
from asymptok.functions.mean_value import around_middle
from asymptok.functions.record import (
    POSITIVE,
    Implementation,
    Monotone,
    Pairs,
    Points,
    Record,
    constantly,
    entire_record,
)
from asymptok.quantities import B
from asymptok.symbols import u


def _entire(node: Expr) -> bool:
    """J_n and I_n for a fixed integer n."""
    order = node.args[0]
    return bool(order.is_integer and not order.has(u))


def _positive(node: Expr) -> Pairs:
    """x > 0: there all four are real and analytic in the argument and in a real order."""
    return [(node.args[1], POSITIVE)]


def _first_kind_requirements(node: Expr) -> Pairs:
    return [] if node.args[0].is_integer else _positive(node)


def _first_kind_values(node: Expr) -> Points | None:
    if node.args[0].has(u):
        return None
    return () if _entire(node) else (S.Zero,)


def _second_kind_values(node: Expr) -> Points | None:
    return None if node.args[0].has(u) else (S.Zero,)


def _first_kind_regular(order: acb, z: acb) -> bool:
    whole = order.imag.is_zero() and order.real.is_integer()
    return bool(whole) or _second_kind_regular(order, z)


def _second_kind_regular(order: acb, z: acb) -> bool:
    return bool(order.is_finite()) and off_negative_axis(z)


def _decreasing(node: Expr) -> Monotone | None:
    """K_nu' = -(K_(nu-1) + K_(nu+1))/2 < 0 for real nu."""
    order = node.args[0]
    return Monotone(-1, (S.Zero, oo), (oo, S.Zero)) if order.is_real and not order.has(u) else None


def _first_kind(function: object, ball: Implementation, *names: str) -> Record:
    return Record(
        function=function,
        real=ball,
        complex=ball,
        requirements=_first_kind_requirements,
        entire=_entire,
        singular_values=_first_kind_values,
        regular=_first_kind_regular,
        rays=lambda node: () if _entire(node) else NEGATIVE_AXIS,
        growth=lambda node: S.One if _entire(node) else None,
        names=names,
        arity=2,
        ordered=True,
    )


def _second_kind(function: object, ball: Implementation, *names: str, **others: Any) -> Record:
    return Record(
        function=function,
        real=ball,
        complex=ball,
        requirements=_positive,
        singular_values=_second_kind_values,
        regular=_second_kind_regular,
        rays=constantly(NEGATIVE_AXIS),
        names=names,
        arity=2,
        ordered=True,
        **others,
    )


def _j(n: B, x: B) -> B:
    return x.bessel_j(n)


def _i(n: B, x: B) -> B:
    return x.bessel_i(n)


def _y(n: B, x: B) -> B:
    return x.bessel_y(n)


def _k(n: B, x: B) -> B:
    return x.bessel_k(n)


def _sharp(f: Implementation, sign: int, neighbours: int, regular: Callable[..., bool]) -> Implementation:
    """With 2 f' = +-(f_(n-1) +- f_(n+1)), where `neighbours` joins the two and `sign` stands before them."""
    return around_middle(
        f,
        lambda n, x: sign * (f(n - 1, x) + neighbours * f(n + 1, x)) / 2,
        lambda n, x: (f(n - 2, x) + 2 * neighbours * f(n, x) + f(n + 2, x)) / 4,
        regular=regular,
    )


RECORDS = (
    _first_kind(sympy.besselj, _sharp(_j, 1, -1, _first_kind_regular), "besselj", "jv"),
    _first_kind(sympy.besseli, _sharp(_i, 1, 1, _first_kind_regular), "besseli", "iv"),
    _second_kind(sympy.bessely, _sharp(_y, 1, -1, _second_kind_regular), "bessely", "yv"),
    _second_kind(
        sympy.besselk,
        _sharp(_k, -1, 1, _second_kind_regular),
        "besselk",
        "kv",
        monotone=_decreasing,
        numpy=bessel_k,
    ),
    entire_record(sympy.airyai, arb.airy_ai, acb.airy_ai, order=Rational(3, 2)),
    entire_record(sympy.airybi, arb.airy_bi, acb.airy_bi, order=Rational(3, 2)),
)
