"""Parameters of a kernel: real symbols, each in an interval.

The interval comes from the assumptions of the symbol, or a pair (lower, upper) declares it, without its ends. The one
end that can belong to a range is 0: for a symbol with `nonnegative=True` or `nonpositive=True`, or as "[0, 2)". What
is said of the kernel then holds at 0 too; where it does not, as where a kernel loses its singularity, the question
stays open, and the two cases are asked apart: by a pair, and by `kernel.subs`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from numbers import Integral, Real
from typing import Protocol, TypeAlias

import mpmath
import sympy
from sympy import Expr, Float, Interval, Rational, S, Symbol, oo
from sympy.core.expr import Expr as _Expr

from asymptok import ways_out
from asymptok.errors import AsymptokError, Undecided
from asymptok.slots import Slot

Range = tuple[Expr, Expr]


#: what may be any real number
REALS: Range = (-oo, oo)


class WithZero(tuple[Expr, Expr]):
    """A range with the end 0, which belongs to it.

    >>> WithZero((S.Zero, oo)), WithZero((S.Zero, oo)) == (0, oo)
    ([0, oo), True)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        lower, upper = self
        return f"{'[' if lower == 0 else '('}{lower}, {upper}{']' if upper == 0 else ')'}"


#: what a user may write: names or symbols with a pair of bounds or a value
Given: TypeAlias = "Mapping[Symbol, object] | Mapping[str, object] | Mapping[Symbol | str, object]"

_MAX_DIGITS = 4000

__all__ = [
    "CONSTANTS",
    "REALS",
    "Given",
    "Range",
    "WithZero",
    "assumed_in",
    "check_inside",
    "common_range",
    "condition",
    "conditions",
    "declared",
    "exact_number",
    "fitting",
    "intersect",
    "is_range",
    "kept",
    "number_or_symbol",
    "range_of_symbol",
    "relations",
    "symbol_in",
    "zero_belongs",
]


def exact_number(value: object, what: str = "the value") -> Expr:
    """A number as an exact SymPy value: a float means the decimal it prints, an mpf means itself.

    >>> exact_number(0.1), exact_number("2/3"), exact_number(Fraction(1, 3)), exact_number("sqrt(2)/3")
    (1/10, 2/3, 1/3, sqrt(2)/3)
    """
    if isinstance(value, bool):
        raise AsymptokError(f"{what} must be a number, not {value}")
    if isinstance(value, Float):
        return _finite(Rational(str(value)) if value.is_finite else value, what)
    if isinstance(value, _Expr):
        return _finite(value, what)
    if isinstance(value, mpmath.mpf):
        return _finite(
            Rational(*mpmath.libmp.to_rational(value._mpf_)) if mpmath.isfinite(value) else S.NaN, what
        )
    if isinstance(value, Integral):
        return Rational(int(value))
    if isinstance(value, Fraction):
        return Rational(value.numerator, value.denominator)
    if isinstance(value, str | Decimal | Real):
        text = value.strip() if isinstance(value, str) else str(value)
        # "1e999999999" is short and would fill the memory.
        exponent = re.search(r"[eE]([+-]?\d+)$", text)
        if len(text) > _MAX_DIGITS or (exponent and abs(int(exponent[1][:12])) > _MAX_DIGITS):
            raise AsymptokError(f"{what} has more than {_MAX_DIGITS} digits")
        try:
            fraction = Fraction(text)
        except (ValueError, ZeroDivisionError):
            return _written(text, value, what)
        return Rational(fraction.numerator, fraction.denominator)
    name = getattr(value, "__name__", "")
    if callable(value) and name:
        kind = "class" if isinstance(value, type) else "function"
        call = f": call it, {name}(...)" if name.isidentifier() else ""
        raise AsymptokError(f"{what} must be a number or a SymPy expression, not the {kind} {name}{call}")
    raise AsymptokError(
        f"{what} must be a number or a SymPy expression, not {type(value).__name__} {value!r}"
    )


class _Formula(Protocol):
    @property
    def expr(self) -> Expr: ...


_formula: Slot[[str], _Formula] = Slot("Kernel")


def _written(text: str, value: object, what: str) -> Expr:
    """The number that a text such as "sqrt(2)/3" writes."""
    try:
        found = _formula(text).expr
    except AsymptokError:
        found = S.NaN
    if found.free_symbols or found is S.NaN:
        raise AsymptokError(f"{what} must be a finite number, not {value!r}") from None
    return _finite(found, what)


def _finite(value: Expr, what: str) -> Expr:
    if value.is_finite is False or value.is_real is False:
        raise AsymptokError(f"{what} must be a finite real number, not {value}")
    return value


def zero_belongs(symbol: Symbol) -> bool:
    """Whether 0 is the end of what the symbol may be, and one of its values.

    >>> zero_belongs(Symbol("b", nonnegative=True)), zero_belongs(Symbol("b", positive=True))
    (True, False)
    """
    return symbol.is_zero is None and bool(symbol.is_extended_nonnegative or symbol.is_extended_nonpositive)


def range_of_symbol(symbol: Symbol) -> Range:
    """The interval that the assumptions of a symbol allow.

    >>> [range_of_symbol(Symbol("c", **{word: True})) for word in ("positive", "nonnegative", "real")]
    [(0, oo), [0, oo), (-oo, oo)]
    """
    if symbol.is_extended_real is False:
        raise AsymptokError(
            f"the parameter {symbol} is not real; kernels are real-valued functions of real parameters"
        )
    if symbol.is_zero:
        raise AsymptokError(f"the parameter {symbol} is assumed to be zero; write 0 instead")
    bounds = (
        S.Zero if symbol.is_extended_nonnegative else -oo,
        S.Zero if symbol.is_extended_nonpositive else oo,
    )
    return WithZero(bounds) if zero_belongs(symbol) else bounds


def symbol_in(name: str, bounds: Range) -> Symbol:
    """A symbol whose assumptions say as much about the interval as SymPy's can.

    >>> symbol_in("gamma", (S(0), S(2))).is_positive
    True
    """
    return Symbol(name, **{_assumption(bounds): True})


def _assumption(bounds: Range) -> str:
    """What SymPy can say of all numbers of the range."""
    lower, upper = bounds
    if lower >= 0:
        return "nonnegative" if _has_zero(bounds) else "positive"
    if upper <= 0:
        return "nonpositive" if _has_zero(bounds) else "negative"
    return "real"


def fitting(symbol: Symbol, bounds: Range) -> Symbol:
    """The symbol itself if it is real and says of 0 what the range says, else one of that name that does.

    >>> b = Symbol("b", nonnegative=True)
    >>> fitting(b, range_of_symbol(b)) == b, fitting(b, (S(0), S(2))).is_positive
    (True, True)
    """
    if symbol.is_real and (0 not in bounds or zero_belongs(symbol) == _has_zero(bounds)):
        return symbol
    return Symbol(symbol.name, **{**symbol.assumptions0, _assumption(bounds): True})


#: names that are numbers, in formulas as in arguments
CONSTANTS: dict[str, Expr] = {
    "pi": S.Pi,
    "E": S.Exp1,
    "e": S.Exp1,
    "EulerGamma": S.EulerGamma,
    "euler_gamma": S.EulerGamma,
    "Catalan": sympy.Catalan,
}
#: names that would be taken for something else
_NO_NAMES = {"nan", "inf", "infinity", "oo", "zoo", "none", "true", "false"}


def number_or_symbol(value: object, bounds: Range, what: str) -> Expr:
    """An exact number, or from a name the parameter of that name in the interval; "pi" is a number.

    >>> number_or_symbol("w", (S(0), oo), "the variance").is_positive, number_or_symbol("1/2", (S(0), oo), "it")
    (True, 1/2)
    """
    name = value.strip() if isinstance(value, str) else ""
    if name in CONSTANTS:
        return CONSTANTS[name]
    if name.isidentifier() and name.lower() not in _NO_NAMES and name != "I":
        value = symbol_in(name, bounds)
    return exact_number(value, what)


def intersect(name: str, first: Range, second: Range) -> Range:
    """The common part of two ranges, which must not be empty."""
    lower = first[0] if first[0] >= second[0] else second[0]
    upper = first[1] if first[1] <= second[1] else second[1]
    if not lower < upper:
        raise AsymptokError(
            f"no value is left for the parameter {name}: it must lie in {_text(first)} and in {_text(second)}"
        )
    return WithZero((lower, upper)) if 0 in (lower, upper) and _both(first, second) else (lower, upper)


def common_range(name: str, ranges: Iterable[Range]) -> Range:
    """The common part of several ranges."""
    return reduce(lambda first, second: intersect(name, first, second), ranges, REALS)


def _both(first: Range, second: Range) -> bool:
    return _has_zero(first) and _has_zero(second)


def _has_zero(bounds: Range) -> bool:
    return isinstance(bounds, WithZero) or bool(bounds[0] < 0 < bounds[1])


def relations(symbol: Symbol, bounds: Range) -> tuple[tuple[Expr, str] | None, tuple[Expr, str] | None]:
    """Each end with "<", or "<=" where it belongs to the range; None at infinity. A whole number starts at one.

    >>> relations(Symbol("L", integer=True), (S(2), oo))
    ((3, '<='), None)
    """

    def relation(end: Expr, step: int) -> tuple[Expr, str] | None:
        if not end.is_finite:
            return None
        if symbol.is_integer and end.is_Integer and not (end == 0 and isinstance(bounds, WithZero)):
            return end + step, "<="
        return end, "<=" if end == 0 and isinstance(bounds, WithZero) else "<"

    return relation(bounds[0], 1), relation(bounds[1], -1)


def condition(
    symbol: Symbol, bounds: Range, write: Callable[[Expr], str] = str, at_most: str = "<=", least: str = ">="
) -> str:
    """The range as a formula; nothing for all real numbers.

    >>> b, half_line = Symbol("b"), WithZero((S.Zero, oo))
    >>> condition(b, (S.Zero, S(2))), condition(b, half_line), condition(b, (-oo, oo))
    ('0 < b < 2', 'b >= 0', '')
    """
    low, high = relations(symbol, bounds)
    marks = {"<": "<", "<=": at_most}
    if low and high:
        return f"{write(low[0])} {marks[low[1]]} {write(symbol)} {marks[high[1]]} {write(high[0])}"
    if low:
        return f"{write(symbol)} {least if low[1] == '<=' else '>'} {write(low[0])}"
    return f"{write(symbol)} {marks[high[1]]} {write(high[0])}" if high else ""


def conditions(parameters: Mapping[Symbol, Range], write: Callable[[Expr], str] = str, *marks: str) -> str:
    """The ranges of all parameters as formulas in a row."""
    found = (condition(symbol, bounds, write, *marks) for symbol, bounds in parameters.items())
    return (r",\ " if marks else ", ").join(filter(None, found))


def kept(name: str, given: Range, allowed: Range, what: str) -> Range:
    """The range that was declared, refused unless all of it is allowed.

    >>> kept("c", (S(1), S(2)), (S(0), oo), "the kernel needs")
    (1, 2)
    """
    common = intersect(name, given, allowed)
    if common == given and _has_zero(common) == _has_zero(given):
        return given
    raise AsymptokError(
        f"{name} was declared to lie in {_text(given)}, and {what} {_text(allowed)}: "
        f"give {ways_out.ranges(name, common)}"
    )


def assumed_in(symbol: Symbol, allowed: Range, what: str) -> Range:
    """The part of the allowed range in which the assumptions of a symbol lie; 0 is not dropped where it was an end.

    >>> assumed_in(Symbol("g", positive=True), (S(0), S(2)), "gamma")
    (0, 2)
    """
    common = intersect(symbol.name, range_of_symbol(symbol), allowed)
    if zero_belongs(symbol) and 0 in common and not _has_zero(common):
        side = "positive" if common[0] == 0 else "negative"
        raise AsymptokError(
            f"{symbol} may be 0, and {what} lies in {_text(allowed)}: "
            f'give the symbol {side}=True, Symbol("{symbol}", {side}=True)'
        )
    return common


def declared(parameters: Given | None) -> dict[str, tuple[Symbol | None, Range | Expr | None]]:
    """What a user wrote as `parameters`, by name: a symbol if given, and an interval or a value; None leaves it open.

    >>> declared({"b": "[0, 2)", "c": (1, 2), "g": "1/2"})
    {'b': (None, [0, 2)), 'c': (None, (1, 2)), 'g': (None, 1/2)}
    """
    out: dict[str, tuple[Symbol | None, Range | Expr | None]] = {}
    if parameters is not None and not isinstance(parameters, Mapping):
        raise AsymptokError('parameters must be a dict such as {"gamma": (0, 2)}')
    for key, bounds in (parameters or {}).items():
        name = key.name if isinstance(key, Symbol) else key
        if not isinstance(name, str) or not name.isidentifier():
            raise AsymptokError(f"a parameter is named by a symbol or an identifier, not {key!r}")
        if name == "u":
            raise AsymptokError("u is the variable of the kernel and cannot be a parameter")
        symbol = key if isinstance(key, Symbol) else None
        written = _WRITTEN.fullmatch(bounds) if isinstance(bounds, str) else None
        if bounds is None:
            out[name] = symbol, None
        elif written:
            left, *ends, right = written.groups()
            out[name] = symbol, _read_range(name, ends, left == "[", right == "]")
        elif isinstance(bounds, Interval):
            out[name] = (
                symbol,
                _read_range(name, bounds.args[:2], not bounds.left_open, not bounds.right_open),
            )
        elif isinstance(bounds, tuple | list):
            closed = isinstance(bounds, WithZero)
            ends_at_zero = [closed and end == 0 for end in bounds]
            out[name] = symbol, _read_range(name, bounds, *ends_at_zero)
        else:
            out[name] = symbol, exact_number(bounds, f"the value of {name}")
    return out


def is_range(value: object) -> bool:
    """Whether a user wrote an interval, and not a value.

    >>> is_range((0, 1)), is_range("[0, 2)"), is_range("1/2")
    (True, True, False)
    """
    return isinstance(value, tuple | list | Interval) or (
        isinstance(value, str) and _WRITTEN.fullmatch(value) is not None
    )


#: an interval as it is written, "[0, 2)"
_WRITTEN = re.compile(r"\s*([\[(])(.+),(.+)([\])])\s*")


def _read_range(name: str, bounds: Sequence[object], *closed: bool) -> Range:
    if len(bounds) != 2:
        raise AsymptokError(f"the range of {name} is a pair (lower, upper), not {bounds!r}")
    lower, upper = (extended_number(value, f"a bound of {name}") for value in bounds)
    if not (lower.is_extended_real and upper.is_extended_real and lower.is_number and upper.is_number):
        raise AsymptokError(f"the range of {name} must have real numbers (or oo) as bounds, not {bounds!r}")
    if not lower < upper:
        raise AsymptokError(f"the range of {name} is empty: {_text((lower, upper))}")
    ends = [end for end, belongs in zip((lower, upper), closed, strict=False) if belongs and end.is_finite]
    for end in ends:
        if end != 0:
            raise AsymptokError(
                f"{name} = {end} cannot belong to the range of {name}, only 0 can: give "
                f"{ways_out.ranges(name, (lower, upper))}, and ask about {name} = {end} apart"
            )
    return WithZero((lower, upper)) if ends else (lower, upper)


def extended_number(value: object, what: str) -> Expr:
    """A number as `exact_number` reads it, or oo or -oo."""
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return oo if value > 0 else -oo
    if isinstance(value, str) and value.strip().lstrip("+-") in ("oo", "inf"):
        return -oo if value.strip().startswith("-") else oo
    if value is oo or value is -oo:
        return value
    return exact_number(value, what)


def check_inside(name: str, value: Expr, bounds: Range) -> None:
    """Raise unless it is certain that the value lies in the range."""
    for sign, bound in ((1, bounds[0]), (-1, bounds[1])):
        if bound in (oo, -oo):
            continue
        closed = bound == 0 and isinstance(bounds, WithZero)
        distance = sign * (value - bound)
        inside = distance.is_nonnegative if closed else distance.is_positive
        relation = f"{name} {'>' if sign > 0 else '<'}{'=' if closed else ''} {bound}"
        if inside is False:
            raise AsymptokError(f"{name} = {value} is outside its range {_text(bounds)}")
        if inside is None:
            raise Undecided(f"cannot tell whether {name} = {value} satisfies {relation}", assumption=relation)


def _text(bounds: Range) -> str:
    return repr(bounds) if isinstance(bounds, WithZero) else f"({bounds[0]}, {bounds[1]})"
