"""Series of different expansions in one: coefficients carried over to a common domain, a series or c t put in for t."""

from __future__ import annotations

from math import comb

from flint import fmpq
from sympy import Expr

from asymptok.constants.domain import Domain, Vector
from asymptok.constants.exponents import RATIONAL, form_scale
from asymptok.series.elementary import logarithm, power
from asymptok.series.truncated import Key, Series

__all__ = ["carried_over", "rescaled", "same", "substituted"]


def carried_over(series: Series, dom: Domain, top: fmpq) -> Series:
    """The same series over another domain, cut at `top`."""
    blocks: dict[Key, Vector] = {}
    for c, form, rest, j in series.terms():
        value = c if series.dom is dom else dom.constant(series.dom.to_expr(c))
        blocks.setdefault((form, j), {})[int(rest * series.q)] = value
    return Series(dom, min(top, series.top), series.q, blocks, series.rem)


def rescaled(series: Series, factor: Expr, log_factor: Expr) -> Series:
    """f(c t) for a positive constant c: c^e t^e (log c + log t)^j for every term."""
    dom = series.dom
    logarithm = dom.constant(log_factor)
    blocks: dict[Key, Vector] = {}
    for c, form, rest, j in series.terms():
        scaled = dom.mul(c, dom.power(dom.constant(factor), form, rest))
        power = dom.one
        for lower in range(j, -1, -1):
            # binom(j, lower) (log c)^(j - lower) (log t)^lower
            value = dom.scale(dom.mul(scaled, power), fmpq(comb(j, lower)))
            vector = blocks.setdefault((form, lower), {})
            index = int(rest * series.q)
            vector[index] = dom.add(vector[index], value) if index in vector else value
            power = dom.mul(power, logarithm)
    return Series(dom, series.top, series.q, blocks, series.rem)


def substituted(outer: Series, inner: Series, valuation: fmpq, blame: Expr) -> Series:
    """f(y(t)) from the series of f in y and that of y = c t^valuation (1 + o(1)), c > 0, over the same domain."""
    total = inner.like(1, {}, [(form_scale(f, valuation), r * valuation, j) for f, r, j in outer.rem])
    log_of_inner: Series | None = None
    for c, form, rest, j in outer.terms():
        term = power(inner, form, rest, blame)
        if j:
            log_of_inner = log_of_inner or logarithm(inner, blame)
            term = term * power(log_of_inner, RATIONAL, fmpq(j), blame)
        total = total + term.scaled(c)
    return total


def same(first: Series, second: Series) -> bool:
    """Whether all known terms agree, and the remainders."""
    rest = first - carried_over(second, first.dom, first.top)
    agree = all(first.dom.is_proved_zero(c) for c, *_ in rest.terms())
    return agree and sorted(map(str, first.rem)) == sorted(map(str, second.rem))
