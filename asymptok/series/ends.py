"""The series of an expression in u at a point of [-1, 1], in the distance t from it."""

from __future__ import annotations

from flint import fmpq
from sympy import Expr, Integer, Symbol

from asymptok.constants.domain import Domain
from asymptok.constants.exponents import RATIONAL
from asymptok.series.truncated import Series
from asymptok.series.walk import Layers, expand_expression

__all__ = ["expand_at_end", "expand_at_point"]


def expand_at_end(
    dom: Domain, expr: Expr, variable: Symbol, end: int, order: fmpq, layers: Layers | None = None
) -> Series:
    """expr(end (1 - t)) for t -> 0+, with every term up to t^order; `end` is 1 or -1."""
    return expand_at_point(dom, expr, variable, Integer(end), -end, order, layers)


def expand_at_point(
    dom: Domain,
    expr: Expr,
    variable: Symbol,
    point: Expr,
    side: int,
    order: fmpq,
    layers: Layers | None = None,
) -> Series:
    """expr(point + side t) for t -> 0+, with every term up to t^order."""

    def leaf(top: fmpq) -> Series:
        start = {0: dom.constant(point)} if point != 0 else {}
        return Series(dom, top, 1, {(RATIONAL, 0): {**start, 1: dom.rational(side)}})

    return expand_expression(dom, expr, variable, leaf, order, layers or {})
