"""Parameters of a kernel: real symbols, each in an open interval.

The interval comes from the assumptions of the symbol or is given. It is always open: `nonnegative=True`
counts as (0, oo), since what holds for c > 0 may fail at c = 0, where a kernel can lose its singularity. Put
c = 0 into the expression to ask about that case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Protocol, TypeAlias

import mpmath
import sympy
from sympy import Expr, Float, Rational, S, Symbol, oo
from sympy.core.expr import Expr as _Expr

from asymptok.errors import AsymptokError, Undecided
from asymptok.slots import Slot

Range = tuple[Expr, Expr]
#: what a user may write: names or symbols with a pair of bounds or a value
Given: TypeAlias = "Mapping[Symbol, object] | Mapping[str, object] | Mapping[Symbol | str, object]"

_MAX_DIGITS = 4000

__all__ = [
    "CONSTANTS",
    "Given",
    "Range",
    "check_inside",
    "declared",
    "exact_number",
    "intersect",
    "number_or_symbol",
    "range_of_symbol",
    "symbol_in",
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


def range_of_symbol(symbol: Symbol) -> Range:
    """The open interval that the assumptions of a symbol allow.

    >>> range_of_symbol(Symbol("c", positive=True)), range_of_symbol(Symbol("x"))
    ((0, oo), (-oo, oo))
    """
    if symbol.is_extended_real is False:
        raise AsymptokError(
            f"the parameter {symbol} is not real; kernels are real-valued functions of real parameters"
        )
    if symbol.is_zero:
        raise AsymptokError(f"the parameter {symbol} is assumed to be zero; write 0 instead")
    lower = S.Zero if symbol.is_nonnegative else -oo
    upper = S.Zero if symbol.is_nonpositive else oo
    return lower, upper


def symbol_in(name: str, bounds: Range) -> Symbol:
    """A symbol whose assumptions say as much about the interval as SymPy's can.

    >>> symbol_in("gamma", (S(0), S(2))).is_positive
    True
    """
    lower, upper = bounds
    if lower >= 0:
        return Symbol(name, positive=True)
    return Symbol(name, negative=True) if upper <= 0 else Symbol(name, real=True)


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
    """The common part of two open intervals, which must not be empty."""
    lower = first[0] if first[0] >= second[0] else second[0]
    upper = first[1] if first[1] <= second[1] else second[1]
    if not lower < upper:
        raise AsymptokError(
            f"no value is left for the parameter {name}: it must lie in {_text(first)} and in {_text(second)}"
        )
    return lower, upper


def declared(parameters: Given | None) -> dict[str, tuple[Symbol | None, Range | Expr]]:
    """What a user wrote as `parameters`, by name: a symbol if given, and an interval or a value."""
    out: dict[str, tuple[Symbol | None, Range | Expr]] = {}
    if parameters is not None and not isinstance(parameters, Mapping):
        raise AsymptokError('parameters must be a dict such as {"gamma": (0, 2)}')
    for key, bounds in (parameters or {}).items():
        name = key.name if isinstance(key, Symbol) else key
        if not isinstance(name, str) or not name.isidentifier():
            raise AsymptokError(f"a parameter is named by a symbol or an identifier, not {key!r}")
        if name == "u":
            raise AsymptokError("u is the variable of the kernel and cannot be a parameter")
        symbol = key if isinstance(key, Symbol) else None
        if isinstance(bounds, tuple | list):
            out[name] = symbol, _read_range(name, bounds)
        else:
            out[name] = symbol, exact_number(bounds, f"the value of {name}")
    return out


def _read_range(name: str, bounds: Sequence[object]) -> Range:
    if len(bounds) != 2:
        raise AsymptokError(f"the range of {name} is a pair (lower, upper), not {bounds!r}")
    lower, upper = (extended_number(value, f"a bound of {name}") for value in bounds)
    if not (lower.is_extended_real and upper.is_extended_real and lower.is_number and upper.is_number):
        raise AsymptokError(f"the range of {name} must have real numbers (or oo) as bounds, not {bounds!r}")
    if not lower < upper:
        raise AsymptokError(f"the range of {name} is empty: {_text((lower, upper))}")
    return lower, upper


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
    """Raise unless lower < value < upper is certain."""
    for sign, bound in ((1, bounds[0]), (-1, bounds[1])):
        if bound in (oo, -oo):
            continue
        inside = (sign * (value - bound)).is_positive
        relation = f"{name} {'>' if sign > 0 else '<'} {bound}"
        if inside is False:
            raise AsymptokError(f"{name} = {value} is outside its range {_text(bounds)}")
        if inside is None:
            raise Undecided(f"cannot tell whether {name} = {value} satisfies {relation}", assumption=relation)


def _text(bounds: Range) -> str:
    return f"({bounds[0]}, {bounds[1]})"
