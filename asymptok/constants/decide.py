"""Is this constant zero, of one sign, whole? One place answers, and UNKNOWN is the default.

`parameters` maps symbols to their open ranges; an answer holds for all their values.
"""

from __future__ import annotations

from sympy import Expr

from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import Parameters, Ranges, exponent_from_expr
from asymptok.errors import AsymptokError
from asymptok.truth import Sign, Truth

__all__ = ["is_zero", "sign", "whole"]


def is_zero(expr: Expr, parameters: Parameters | None = None) -> Truth:
    """Whether the constant vanishes.

    >>> from sympy import sqrt
    >>> is_zero(sqrt(2 + sqrt(3)) - (sqrt(6) + sqrt(2))/2)
    TRUE
    """
    try:
        dom = ExactDomain(Ranges(parameters))
        return dom.is_zero(dom.constant(expr))
    except AsymptokError:
        return Truth.UNKNOWN


def sign(expr: Expr, parameters: Parameters | None = None) -> Sign:
    """The sign of the constant.

    >>> from sympy import Symbol, oo, pi
    >>> g = Symbol("g")
    >>> sign(g*pi - 1, {g: (1, oo)}), sign(g*pi - 1, {g: (0, oo)})
    (POSITIVE, UNKNOWN)
    """
    try:
        dom = ExactDomain(Ranges(parameters))
        return dom.sign(dom.constant(expr))
    except AsymptokError:
        return Sign.UNKNOWN


def whole(exponent: Expr, parameters: Parameters | None = None) -> Truth:
    """Whether an exponent with parameters is an integer: for all values, for none, or neither.

    >>> from sympy import Symbol
    >>> p = Symbol("p", positive=True)
    >>> whole(p, {p: (1, 2)}), whole(p, {p: (0, 2)})
    (FALSE, UNKNOWN)
    """
    if exponent.is_integer is not None:
        return Truth.of(bool(exponent.is_integer))
    return Truth.FALSE if Ranges(parameters).no_integer(*exponent_from_expr(exponent)) else Truth.UNKNOWN
