"""What to do about a question that stays open: where a coefficient changes its sign, and what to give."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product

from flint import arb, fmpq
from sympy import Expr, Rational, Symbol, expand_mul

from asymptok import dag, ways_out
from asymptok.balls import ball
from asymptok.constants.exponents import Bounds, Form, Ranges, to_rational
from asymptok.errors import AsymptokError
from asymptok.precision import flint_precision

__all__ = ["integer_advice", "zero_advice"]

_BITS = 96
#: places between the ends of a range at which a sign is asked for
_PLACES = (1, 2, 3, 5, 8, 11, 13, 14, 15)
_POINTS = 200
_STEPS = 60
#: nodes up to which a slope is looked at
_LONG = 300


def zero_advice(expr: Expr, ranges: Ranges) -> str:
    """A way out in words for a constant of which it is not known whether it vanishes.

    >>> w = Symbol("w", positive=True)
    >>> zero_advice(3*w - 1, Ranges({w: (0, 1)}))
    'it is zero at w = 1/3: give parameters={"w": (0, 1/3)} or {"w": (1/3, 1)}'
    >>> zero_advice((w - 1)**2, Ranges({w: (0, 3)}))
    'it is zero at w = 1: give parameters={"w": (0, 1)} or {"w": (1, 3)}'
    """
    symbols = sorted(expr.free_symbols, key=lambda s: s.name)
    if not symbols:
        return (
            "it is closer to zero than the precision tells, and no identity was found: write the kernel so that it "
            "cancels, or ask eigenvalues() for numbers"
        )
    names = ", ".join(s.name for s in symbols)
    found = _two_signs(expr, symbols, ranges)
    if found is None:
        for symbol in symbols:
            if halves := _double_root(expr, symbol, ranges):
                return halves
        for symbol in filter(ranges.with_zero, symbols):
            ends = zip(("-oo", "oo"), ranges.of(symbol), strict=True)
            low, high = (infinite if end is None else to_rational(end) for infinite, end in ends)
            return (
                f"{symbol} = 0 is a case of its own: give {ways_out.ranges(symbol, (low, high))}, and ask about it "
                f"apart, {ways_out.value(symbol, example=0)}"
            )
        return f"give {names} a narrower range, or a value: {ways_out.value(symbols[0])}"
    if len(symbols) == 1:
        return _one_root(expr, symbols[0], ranges, *(point[0] for point in found))
    places = [
        ", ".join(f"{s} = {to_rational(x)}" for s, x in zip(symbols, point, strict=True)) for point in found
    ]
    return f"it is positive at {places[0]} and negative at {places[1]}: give {names} ranges in which it keeps one sign"


def _two_signs(
    expr: Expr, symbols: list[Symbol], ranges: Ranges
) -> tuple[tuple[fmpq, ...], tuple[fmpq, ...]] | None:
    """A point where it is positive and one where it is negative, if a few points show both."""
    seen: dict[int, tuple[fmpq, ...]] = {}
    grids = [[_place(ranges.of(s), i) for i in _PLACES] for s in symbols]
    for point in islice(product(*grids), _POINTS):
        sign = _sign(expr, dict(zip(symbols, point, strict=True)))
        if sign:
            seen.setdefault(sign, point)
        if len(seen) == 2:
            return seen[1], seen[-1]
    return None


def _place(bounds: Bounds, i: int) -> fmpq:
    low, high = bounds
    x = fmpq(i, 16)
    if low is None and high is None:
        return (x - fmpq(1, 2)) / (x * (1 - x))
    if high is None:
        assert low is not None
        return low + x / (1 - x)
    return high - (1 - x) / x if low is None else low + (high - low) * x


def _sign(expr: Expr, values: dict[Symbol, fmpq]) -> int:
    with flint_precision(_BITS):
        try:
            value = ball(expr, {s: arb(x) for s, x in values.items()})
        except AsymptokError:
            return 0
        return 1 if value > 0 else (-1 if value < 0 else 0)


def _one_root(expr: Expr, symbol: Symbol, ranges: Ranges, plus: fmpq, minus: fmpq) -> str:
    """The zero between two points of different sign, exactly if it is a simple fraction."""
    near = _between(expr, symbol, plus, minus)
    return _halves(expr, symbol, ranges, near) or (
        f"it changes its sign near {symbol} = {float(near):.6g}: give {symbol} a range on one side of that"
    )


def _double_root(expr: Expr, symbol: Symbol, ranges: Ranges) -> str | None:
    """A simple fraction at which the slope changes its sign and the value is zero."""
    if dag.tree_size(expr) > _LONG:
        return None
    others = {s: to_rational(_place(ranges.of(s), _PLACES[3])) for s in expr.free_symbols - {symbol}}
    try:
        slope = dag.rebuild(dag.derivative(expr, symbol), others)
    except AsymptokError:  # a function without a rule for its parameters
        return None
    found = _two_signs(slope, [symbol], ranges)
    return found and _halves(expr, symbol, ranges, _between(slope, symbol, found[0][0], found[1][0]))


def _between(expr: Expr, symbol: Symbol, plus: fmpq, minus: fmpq) -> Fraction:
    """By halves, where the sign changes."""
    for _ in range(_STEPS):
        middle = (plus + minus) / 2
        sign = _sign(expr, {symbol: middle})
        if sign == 0:
            plus = middle
            break
        plus, minus = (middle, minus) if sign > 0 else (plus, middle)
    return Fraction(int(plus.p), int(plus.q))


def _halves(expr: Expr, symbol: Symbol, ranges: Ranges, near: Fraction) -> str | None:
    """The two ranges beside a zero that is a simple fraction."""
    guess = near.limit_denominator(1000)
    root = Rational(guess.numerator, guess.denominator)
    if expand_mul(expr.subs(symbol, root)) != 0:
        return None
    low, high = ranges.of(symbol)
    halves = ways_out.ranges(
        symbol,
        ("-oo" if low is None else to_rational(low), root),
        (root, "oo" if high is None else to_rational(high)),
    )
    return f"it is zero at {symbol} = {root}: give {halves}"


def integer_advice(form: Form, rest: fmpq, ranges: Ranges) -> str:
    """A range of the parameters in which an exponent is no integer.

    >>> nu = Symbol("nu", positive=True)
    >>> integer_advice(((nu, fmpq(1)),), fmpq(0), Ranges({nu: (0, 4)}))
    'give a value, or a range without an integer such as parameters={"nu": (0, 1)}'
    """
    if len(form) != 1 or not isinstance(form[0][0], Symbol):
        names = ", ".join(sorted({s.name for m, _ in form for s in m.free_symbols}))
        return f"give {names} values, or ranges in which it is no integer"
    symbol, slope = form[0]
    low, high = ranges.of(symbol)
    start = low if low is not None else (high - 1 / abs(slope) if high is not None else fmpq(0))
    value = start * slope + rest
    whole = (value.p // value.q) + (1 if slope > 0 else 0)
    if slope < 0 and value.q == 1:
        whole = whole - 1
    end = (fmpq(int(whole)) - rest) / slope
    if high is not None and end > high:
        end = high
    pair = ways_out.ranges(symbol, (to_rational(start), to_rational(end)))
    return f"give a value, or a range without an integer such as {pair}"
