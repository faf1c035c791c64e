"""Smooth or analytic next to one point, with a radius: what the germs from its sides prove."""

from __future__ import annotations

from enum import Enum

import sympy
from flint import arb, fmpq
from sympy import Expr, Rational, S

from asymptok import dag
from asymptok.constants import decide
from asymptok.errors import SYMPY_ERRORS, AsymptokError
from asymptok.expansion import puiseux
from asymptok.precision import flint_precision
from asymptok.regularity.cells import Parameters
from asymptok.regularity.model import FinerGrid, NotShown
from asymptok.regularity.resolved import common_form, flat_form
from asymptok.regularity.side import FINEST, Side
from asymptok.regularity.symmetry import ANY, class_of
from asymptok.symbols import u
from asymptok.truth import Truth

#: bits of the germs
_BITS = 192

#: functions whose value at a point may differ from the limits on both sides
_STEPS = (sympy.sign, sympy.Heaviside, sympy.Piecewise, sympy.floor, sympy.ceiling)


class Regular(Enum):
    """What is proved on a neighbourhood."""

    ANALYTIC = "analytic"
    #: C-infinity, with a part that is flat at the point
    SMOOTH = "smooth"


def regular_at(expr: Expr, point: Expr, radius: arb | Expr, parameters: Parameters | None = None) -> Regular:
    """On [u0 - radius, u0 + radius] the expression agrees with such a function, u0 left out if it is undefined there.

    Raises NotShown if that is not proved.

    >>> regular_at(sympy.sin(u)/u, S.Zero, Rational(1, 4)), regular_at(u + sympy.exp(-1/u**2), S.Zero, Rational(1, 4))
    (<Regular.ANALYTIC: 'analytic'>, <Regular.SMOOTH: 'smooth'>)
    """
    with flint_precision(_BITS):
        r = as_ball(radius)
        sides = [Side(point, sign, r, parameters=parameters) for sign in (1, -1)]
        try:
            for side in sides:
                side.without_pole(expr)
            flat = any(side[expr].flat is not None for side in sides)
            fits = class_of(expr, *sides) in (0, ANY)
        except NotShown:
            # what is written may have fractional powers that its choices multiply by zero
            flat = fits = False
        if not fits:
            flat = _by_forms(expr, sides) or flat
        if expr.has(*_STEPS):
            _require_value(expr, point, "+", parameters)
    return Regular.SMOOTH if flat else Regular.ANALYTIC


def _by_forms(expr: Expr, sides: list[Side]) -> bool:
    """Choices that come to the same on both sides, or up to something flat: then True; NotShown if neither is seen."""
    for find, flat in ((common_form, False), (flat_form, True)):
        form = find(expr, sides)
        if form is None:
            continue
        for side in sides:
            side.without_pole(form)
        if class_of(form, *sides) in (0, ANY):
            return flat
    raise NotShown("the two sides are not shown to fit together")


def regular_at_end(expr: Expr, at: int, radius: Rational, parameters: Parameters | None = None) -> Regular:
    """On the closed interval of this length next to u = +-1 the expression agrees with such a function.

    >>> regular_at_end(sympy.cos(sympy.sqrt(1 - u)), 1, Rational(1, 4))
    <Regular.ANALYTIC: 'analytic'>
    """
    grid = 1
    while True:
        try:
            with flint_precision(_BITS):
                side = _end_side(at, radius, grid, parameters)
                side.without_pole(expr)
                if class_of(expr, side, None) not in (0, ANY):
                    raise NotShown("a power that is not whole is not excluded")
                if expr.has(*_STEPS):
                    _require_value(expr, S(at), "-" if at == 1 else "+", parameters)
                return Regular.ANALYTIC if side[expr].flat is None else Regular.SMOOTH
        except FinerGrid as finer:
            grid = _next_grid(grid, finer)


def analytic_beside(
    expr: Expr, point: Expr, side: int, radius: Expr, parameters: Parameters | None = None
) -> None:
    """Analytic on the half-open interval of this length on one side of the point, the point left out; else NotShown.

    >>> analytic_beside(sympy.sqrt(u)*sympy.log(u), S.Zero, 1, Rational(1, 4))
    """
    grid = 1
    while True:
        try:
            with flint_precision(_BITS):
                root = as_ball(radius) if grid == 1 else as_ball(radius).root(grid).upper()
                Side(point, side, root, grid, parameters).raw(expr)
                return
        except FinerGrid as finer:
            grid = _next_grid(grid, finer)


def _end_side(at: int, radius: Rational, grid: int, parameters: Parameters | None) -> Side:
    root = as_ball(radius) if grid == 1 else as_ball(radius).root(grid).upper()
    return Side(S(at), -at, root, grid, parameters)


def _next_grid(grid: int, finer: FinerGrid) -> int:
    if grid * finer.factor > FINEST:
        raise NotShown("fractional powers with too large a denominator")
    return grid * finer.factor


def as_ball(radius: Expr | arb) -> arb:
    """A rational number, or a ball as it is."""
    return radius if isinstance(radius, arb) else arb(fmpq(int(radius.p), int(radius.q)))


def _require_value(expr: Expr, point: Expr, side: str, parameters: Parameters | None) -> None:
    """A value at the point itself, if there is one, has to be the limit."""
    try:
        value = dag.rebuild(expr, {u: point})
    except SYMPY_ERRORS as error:  # a Max of something undefined
        raise NotShown("the value at the point itself is not to be had") from error
    try:
        if value.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity):
            return
        terms = puiseux(expr, u, point, side, 1, parameters=dict(parameters or {})).terms
        limit = sum((t.coefficient for t in terms if t.exponent == 0), S.Zero)
        if decide.is_zero(value - limit, parameters) is Truth.TRUE:
            return
    except AsymptokError as error:
        raise NotShown("the value at the point itself is not decided") from error
    raise NotShown("the value at the point itself is not shown to be the limit")
