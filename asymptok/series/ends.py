"""The series of an expression in u at an end of [-1, 1], in the distance t from it."""

from __future__ import annotations

from flint import fmpq
from sympy import Expr, Symbol

from asymptok.constants.domain import Domain
from asymptok.constants.exponents import RATIONAL
from asymptok.series.truncated import Series
from asymptok.series.walk import expand_expression

__all__ = ["expand_at_end"]


def expand_at_end(dom: Domain, expr: Expr, variable: Symbol, end: int, order: fmpq) -> Series:
    """expr(end (1 - t)) for t -> 0+, with every term up to t^order; `end` is 1 or -1."""

    def leaf(top: fmpq) -> Series:
        return Series(dom, top, 1, {(RATIONAL, 0): {0: dom.rational(end), 1: dom.rational(-end)}})

    return expand_expression(dom, expr, variable, leaf, order)
