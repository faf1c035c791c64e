"""What the failure of an expansion proves about the whole function, and not only about the part to blame."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sympy import Expr, Rational, S, Symbol, oo

from asymptok import dag
from asymptok.balls import ball, complex_ball
from asymptok.errors import AsymptokError, ExpansionError, Obstruction
from asymptok.symbols import u

__all__ = ["is_complex_near", "proved_of_whole"]

#: the distance at which a complex value is looked for
_STEP = Rational(1, 2**48)


def proved_of_whole(
    error: ExpansionError,
    expr: Expr,
    point: Expr,
    side: str,
    parameters: Mapping[Symbol, tuple[Expr, Expr]],
    leading_exponent: Callable[..., Expr | None],
) -> Obstruction:
    """What is proved of `expr` itself next to the point: COMPLEX, GROWS, OSCILLATES, IRREGULAR, or nothing (METHOD).

    |log u| is real for u < 0, where log u is not; 1/(1 + e^(1/t)) is bounded; t^2 sin(1/t) has a limit: the kind of the
    part to blame speaks of that part. f + a and f b have an expansion only if f has one, for a and b != 0 with
    expansions of their own, and f b has no limit if f oscillates without one and b does not tend to 0. With
    parameters all of this is for every value of them: a part that is not real shows nothing if its factor may vanish.
    """
    not_real = is_complex_near(expr, point, side, parameters)
    if not_real and dag.free_symbols(expr).isdisjoint(parameters):
        return Obstruction.COMPLEX
    kind, part, current = error.kind, error.subexpression, expr
    if kind is Obstruction.COMPLEX:
        # for every value of the parameters, of which the sample is one: (u - 2)^a is real for a = 1
        if not not_real or not isinstance(part, Expr) or _has_free_exponent(part, parameters):
            return Obstruction.METHOD
    elif kind not in (Obstruction.GROWS, Obstruction.OSCILLATES, Obstruction.IRREGULAR):
        return Obstruction.METHOD
    while current != part:
        inside: list[Expr] = [a for a in current.args if a == part or a.has(part)]
        others = [leading_exponent(a, point, parameters, side) for a in current.args if a not in inside]
        known = [e for e in others if e is not None]
        if len(inside) != 1 or not (current.is_Add or current.is_Mul) or len(known) < len(others):
            return Obstruction.METHOD
        if current.is_Mul and kind is Obstruction.OSCILLATES and not sum(known, S.Zero).is_nonpositive:
            kind = Obstruction.IRREGULAR
        current = inside[0]
    return kind


def _has_free_exponent(part: Expr, parameters: Mapping[Symbol, tuple[Expr, Expr]]) -> bool:
    return bool(part.is_Pow) and not dag.free_symbols(part.exp).isdisjoint(parameters)


def is_complex_near(
    expr: Expr, point: Expr, side: str, parameters: Mapping[Symbol, tuple[Expr, Expr]]
) -> bool:
    """Whether at a sample point of (-1, 1) next to the given one the value is proved not to be real."""
    sample = {symbol: _inside(*bounds) for symbol, bounds in dict(parameters).items()}
    # as near as balls can tell: further away another singular point may be the reason
    at = point.xreplace(sample) + (_STEP if side == "+" else -_STEP)
    if not (ball(1 - at, prec=256) > 0 and ball(1 + at, prec=256) > 0):
        return False
    try:
        # by balls: SymPy would evaluate the sine of a number with a million digits
        numbers = {symbol: ball(number, prec=512) for symbol, number in {u: at, **sample}.items()}
        value = complex_ball(expr, numbers, prec=512)
    except AsymptokError:
        return False
    return bool(value.is_finite()) and not value.imag.contains(0)


def _inside(low: Expr, high: Expr) -> Expr:
    """A number of an open interval."""
    if low is -oo:
        return high - 1 if high is not oo else S.Zero
    return low + 1 if high is oo else (low + high) / 2
