"""Expansions of a kernel at an end of [-1, 1], and of any expression at any point."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flint import fmpq
from sympy import Expr, Float, Rational, S, Symbol, nsimplify, oo

from asymptok import dag
from asymptok.arguments import whole_number
from asymptok.constants.ball_domain import BallDomain
from asymptok.constants.domain import opaque
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import (
    RATIONAL,
    Parameters,
    Ranges,
    exponent_to_expr,
    to_fmpq,
)
from asymptok.errors import AsymptokError, ExpansionError, Obstruction
from asymptok.expansion.obstruction import proved_of_whole
from asymptok.expansion.result import Expansion
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.parameters import (
    Range,
    declared,
    exact_number,
    extended_number,
    fitting,
    intersect,
    range_of_symbol,
)
from asymptok.parsing import parse
from asymptok.patience import long_question
from asymptok.precision import flint_precision
from asymptok.series.ends import expand_at_end
from asymptok.series.truncated import Series
from asymptok.series.walk import expand_expression
from asymptok.symbols import t as default_t
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = ["expand", "leading_exponent", "puiseux"]

#: bits of the coefficients of a ball expansion unless told otherwise
_BALL_BITS = 128
_MAX_ORDER = 400


@long_question
def expand(
    kernel: Kernel | Expr | str,
    at: int = 1,
    order: Any = 4,
    *,
    balls: bool = False,
    bits: int = _BALL_BITS,
    unbounded: bool = False,
) -> Expansion:
    """kappa(1-t) (at=1) or kappa(-1+t) (at=-1) for t -> 0+, with every term up to and including t^order.

    Exponents that depend on a parameter stay symbolic; where a range such as 0 < gamma < 2 leaves infinitely many
    terms below the order, those that lie below it for every gamma are given, and the remainder says so.
    A kernel that is unbounded at the end is refused, unless unbounded=True lets negative exponents and log t pass.
    With balls=True the coefficients are real balls with `bits` bits: fast, but zero tests may stay open.
    After 25 s of processor time it ends with Undecided, unless `with time_limit(seconds):` gives it more.

    >>> from asymptok import expand, kernels
    >>> expand(kernels.ntk(3), order=1)
    3 - 3*sqrt(2)/pi*t**(1/2) + (-3 + 10/(3*pi**2))*t + O(t**(3/2))
    """
    if (
        isinstance(kernel, Expr)
        and kernel.free_symbols
        and u.name not in {s.name for s in kernel.free_symbols}
    ):
        raise AsymptokError(
            f"{kernel} has no u: asymptok.expand expands a kernel at an end of [-1, 1]; did you mean u? To multiply "
            "out an expression write sympy.expand"
        )
    kernel = as_kernel(kernel)
    _refuse_distance(kernel.parameters)
    side = _side(at)
    bound = _order(order)
    if bound < 0 and not unbounded:
        raise AsymptokError(f"the order of the expansion of a kernel is a number >= 0, not {order}")
    expr, layers = kernel.layered, kernel.layers
    try:
        if balls:
            with flint_precision(bits):
                domain = opaque(BallDomain(Ranges(kernel.parameters)))
                series = expand_at_end(domain, expr, u, side, bound, layers)
        else:
            series = _exact_series(expr, tuple(layers.items()), tuple(kernel.parameters.items()), side, bound)
    except ExpansionError as error:
        raise _about_the_kernel(error, kernel, side) from error
    if not unbounded:
        _refuse_unbounded(series, kernel, side)
    return Expansion(series, Rational(int(bound.p), int(bound.q)), side, kernel)


def _side(at: object) -> int:
    try:
        side = whole_number(at, "end", least=-1)
    except AsymptokError:
        side = 0
    if side not in (1, -1):
        hint = f" (the number {at.strip()} is meant, not the text)" if isinstance(at, str) else ""
        raise AsymptokError(f"a kernel is expanded at the number 1 or at -1, not at {at!r}{hint}")
    return side


@lru_cache(maxsize=64)
def _exact_series(
    expr: Expr,
    layers: tuple[tuple[Symbol, Expr], ...],
    parameters: tuple[tuple[Symbol, tuple[Expr, Expr]], ...],
    side: int,
    bound: fmpq,
) -> Series:
    """Kept: the regularity, the conditions and the law of a kernel ask for the same few orders in turn."""
    with flint_precision(_BALL_BITS):
        return expand_at_end(
            opaque(ExactDomain(Ranges(dict(parameters)))), expr, u, side, bound, dict(layers)
        )


def _about_the_kernel(error: ExpansionError, kernel: Kernel, at: int) -> ExpansionError:
    """The same error with what it proves about the kernel in the place of what it says about a part of it."""
    side = "-" if at == 1 else "+"
    kind = proved_of_whole(error, kernel.expr, S(at), side, kernel.parameters, leading_exponent)
    return ExpansionError(str(error), error.subexpression, kind)


def leading_exponent(expr: Expr, point: Expr, parameters: Parameters, side: str) -> Expr | None:
    """The exponent of the first term at a point from one side; None if it is not known."""
    try:
        first = puiseux(expr, u, point, side, 2, parameters=parameters).first()
        return None if first is None else first.exponent
    except AsymptokError:
        return None


def _refuse_distance(symbols: dict[Symbol, tuple[Expr, Expr]] | set[Symbol]) -> None:
    if default_t in symbols:
        raise AsymptokError("the symbol t is the distance from the point: give the parameter another name")


def _refuse_unbounded(series: Series, kernel: Kernel, at: int) -> None:
    for c, form, rest, j in series.terms():
        sign = series.dom.ranges.sign(form, rest)
        if not sign.known:
            raise series.dom.ranges.undecided_order((form, rest), (RATIONAL, fmpq(0)))
        if not (sign.negative or (sign.zero and j)):
            continue
        zero = series.dom.is_zero(c)
        if zero is Truth.UNKNOWN:
            where = f"the coefficient of t^({exponent_to_expr(form, rest)})"
            raise series.dom.undecided(c, "whether {} is zero", where)
        if zero is Truth.FALSE:
            raise ExpansionError(
                f"the kernel {kernel} is unbounded at u = {at}", kernel.expr, Obstruction.UNBOUNDED
            )


@long_question
def puiseux(
    expr: Expr | str, x: Symbol, x0: Any = 0, dir: str = "+", order: Any = 4, *, parameters: Any = None
) -> Expansion:
    """The generalised series of any real expression at x0 from one side, in t = x - x0 (dir "+") or x0 - x ("-").

    At x0 = oo the variable is t = 1/x. Negative exponents are allowed.

    >>> from sympy import symbols, acos, log, oo, sqrt
    >>> x = symbols("x")
    >>> puiseux(acos(x)/x, x, 1, "-", 2)
    sqrt(2)*t**(1/2) + 13*sqrt(2)/12*t**(3/2) + O(t**(5/2))
    >>> puiseux(sqrt(x**2 + x) - x, x, oo, order=2)
    1/2 - 1/8*t + 1/16*t**2 + O(t**3)
    """
    if not isinstance(x, Symbol):
        raise AsymptokError(f"the variable of an expansion is a Symbol, not {x!r}")
    expr = _parse(expr, x) if isinstance(expr, str) else _expression(expr)
    _refuse_distance(expr.free_symbols - {x})
    if not isinstance(dir, str) or dir not in ("+", "-"):
        raise AsymptokError(f"the direction is '+' or '-', not {dir!r}")
    expr, known = _with_ranges(expr, x, parameters)
    dom = opaque(ExactDomain(known))
    sign = 1 if dir == "+" else -1
    point = _exact(extended_number(x0, "the point of the expansion"))
    if point.has(x):
        raise AsymptokError(f"the point {point} of the expansion depends on its variable {x}")

    def leaf(top: fmpq) -> Series:
        if point in (oo, -oo):
            unit = dom.rational(1 if point is oo else -1)
            return Series(dom, top, 1, {(RATIONAL, 0): {-1: unit}})
        start = {0: dom.constant(point)} if point != 0 else {}
        return Series(dom, top, 1, {(RATIONAL, 0): {**start, 1: dom.rational(sign)}})

    bound = _order(order)
    series = expand_expression(dom, _exact(expr), x, leaf, bound)
    return Expansion(series, Rational(int(bound.p), int(bound.q)), point, expr)


def _expression(expr: Expr) -> Expr:
    """A SymPy expression, or a number."""
    return expr if isinstance(expr, Expr) else exact_number(expr, "the expression")


def _parse(text: str, x: Symbol) -> Expr:
    return parse(text, {x.name: x}, variable=x.name)


def _exact(expr: Expr) -> Expr:
    """Decimal numbers as the rationals that they show."""
    floats = expr.atoms(Float)
    return expr.xreplace({f: nsimplify(f, rational=True) for f in floats}) if floats else expr


def _with_ranges(
    expr: Expr, x: Symbol, parameters: dict[Symbol, tuple[Rational | int, Expr | int]] | None
) -> tuple[Expr, Ranges]:
    """The ranges, and the expression in symbols that say of 0 what they say."""
    intervals: dict[Symbol, Range] = {}
    replacements: dict[Symbol, Expr] = {}
    for name, (_, bounds) in declared(parameters).items():
        if not isinstance(bounds, tuple):
            raise AsymptokError(
                f"the parameter {name} needs a range, such as (0, oo); put a value in with subs()"
            )
        for symbol in expr.free_symbols - {x}:
            if symbol.name == name:
                common = intersect(name, range_of_symbol(symbol), bounds)
                new = fitting(symbol, common) if symbol.is_real else symbol
                intervals[new] = common
                replacements |= {symbol: new} if new != symbol else {}
    return (dag.rebuild(expr, replacements) if replacements else expr), Ranges(intervals)


def _order(order: int) -> fmpq:
    value = exact_number(order, "the order of an expansion")
    if not (value.is_Rational and -_MAX_ORDER <= value <= _MAX_ORDER):
        raise AsymptokError(f"the order of an expansion is a rational number up to {_MAX_ORDER}, not {order}")
    return to_fmpq(value)
