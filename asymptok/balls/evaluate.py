"""A SymPy expression evaluated in ball arithmetic: the true value lies in the ball that comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn, overload

import flint
import mpmath
import sympy
from flint import acb, acb_series, arb, arb_series, fmpq, fmpz
from sympy import Expr, Symbol
from sympy.core.relational import Relational
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from asymptok.errors import AsymptokError
from asymptok.functions import RECORDS, record_of
from asymptok.functions.constants import CONSTANTS
from asymptok.functions.evaluated import EvaluatedFunction
from asymptok.functions.long_constant import Leaf, LongConstant
from asymptok.functions.powers import (
    complex_power,
    complex_rsqrt,
    complex_sqrt,
    hull,
    integer_power,
    real_power,
    real_sqrt,
)
from asymptok.functions.record import Implementation
from asymptok.parameters import exact_number
from asymptok.patience import tick
from asymptok.precision import flint_precision
from asymptok.quantities import Ball, BallFunction, BallSeries
from asymptok.symbols import Known
from asymptok.truth import Truth

_REAL, _COMPLEX, _SERIES = range(3)
_SERIES_TYPES = (flint.arb_series, flint.acb_series)


def ball(expr: Expr, values: Mapping[Symbol, object] | None = None, prec: int | None = None) -> arb:
    """A real ball around the value of `expr`; nan where the real value does not exist or cannot be had.

    `values` gives each free symbol an arb, an int, a rational, an mpf or a decimal string.

    >>> from sympy import pi, sqrt, symbols
    >>> x = symbols("x")
    >>> ball(sqrt(x) + pi, {x: 2}, prec=100).contains(ball(sqrt(2) + pi, prec=200))
    True
    """
    found = _evaluate(expr, values, prec, _REAL)
    return found if isinstance(found, arb) else arb.nan()


EvaluatedFunction.enclosure = staticmethod(ball)


def complex_ball(expr: Expr, values: Mapping[Symbol, object] | None = None, prec: int | None = None) -> acb:
    """A complex ball around the value of `expr`, principal branches as in SymPy and mpmath.

    The trap: a ball across a branch cut is answered by the union of both sides. That encloses the principal
    value; it does not prove the expression analytic there.

    >>> from sympy import log
    >>> complex_ball(log(-1)).imag.contains(arb.pi())
    True
    """
    return acb(_evaluate(expr, values, prec, _COMPLEX))


def compile_ball(expr: Expr, symbols: Sequence[Symbol]) -> BallFunction:
    """`expr` as a function of `symbols` on balls, each distinct subexpression evaluated once per call.

    For thousands of nodes: constants are computed once per precision. The arguments are all arb, or all acb,
    or power series (arb_series, acb_series; at regular points of the functions inside).

    >>> from sympy import cos, symbols
    >>> x = symbols("x")
    >>> f = compile_ball(cos(x) ** 2 + cos(x), [x])
    >>> f(arb(0)) == 2, f(flint.arb_series([0, 1], prec=3))[2].contains(fmpq(-3, 2))
    (True, True)
    """
    return _program(_expression(expr), tuple(symbols)).run


@overload
def exact_point(x: acb) -> acb: ...
@overload
def exact_point(x: Any) -> arb: ...
def exact_point(x: object) -> Ball:
    """The number x as a ball: no error for integers, mpf and dyadic numbers, one rounding for rationals and decimals.

    A float means the decimal that it prints, as everywhere.

    >>> exact_point("0.1").contains(fmpq(1, 10)), exact_point(sympy.Rational(1, 2)).is_exact()
    (True, True)
    """
    if isinstance(x, arb | acb):
        return x
    if isinstance(x, int | fmpz | fmpq):
        return arb(x)
    if isinstance(x, Fraction):
        return arb(fmpq(x.numerator, x.denominator))
    if isinstance(x, sympy.Rational):
        return arb(fmpq(int(x.p), int(x.q)))
    if isinstance(x, mpmath.mpf | sympy.Float):
        return _from_mpf_tuple(x._mpf_, x)
    if isinstance(x, Expr):
        if x.free_symbols:
            raise AsymptokError(f"{x} is no number while it has symbols: give them values")
        return ball(x)
    return exact_point(exact_number(x))


def _from_mpf_tuple(value: tuple[int, int, int, int], shown: object) -> arb:
    sign, mantissa, exponent, _ = value
    if not mantissa and exponent:
        raise AsymptokError(f"{shown} is not a finite number")
    return arb((-mantissa if sign else mantissa, exponent))


def _expression(expr: Expr) -> Expr:
    try:
        # strict: text is never evaluated here
        return sympy.sympify(expr, strict=True)
    except sympy.SympifyError:
        raise AsymptokError(
            f"{expr!r} is not a SymPy expression: parse text with Kernel(...) first"
        ) from None


def _evaluate(expr: Expr, values: Mapping[Symbol, object] | None, prec: int | None, mode: int) -> Ball:
    with flint_precision(flint.ctx.prec if prec is None else prec):
        if not values and mode == _REAL:
            return _constant_value(_expression(expr))
        given = dict(values or {})
        program = _program(_expression(expr), tuple(given))
        points = [exact_point(v) for v in given.values()]
        if mode == _COMPLEX:
            return program.run_as(mode, [acb(p) for p in points])
        return program.run_as(mode, points)


#: on real balls, on complex ones, on power series
Implementations = tuple[Implementation, Implementation, Implementation]

#: the values of functions at constants, by precision: those of a deep network stand on each other
_values: dict[int, dict[Expr, Any]] = {}
_MOST_VALUES, _MOST_PRECISIONS = 8192, 8


def _constant_value(root: Expr) -> arb:
    """The real value of an expression without symbols, children first."""
    known = _values.get(flint.ctx.prec)
    if known is None or len(known) > _MOST_VALUES:
        if len(_values) >= _MOST_PRECISIONS:
            _values.clear()
        known = _values[flint.ctx.prec] = {}
    local: dict[Any, Any] = {}
    stack = [root]
    while stack:
        node = stack[-1]
        if node in local:
            stack.pop()
            continue
        if node in known:
            local[node] = known[node]
            continue
        implementation, children = lower(node)
        missing = [c for c in children if c not in local]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        tick("the value of a constant")
        local[node] = implementation[_REAL](*[local[c] for c in children])
        if isinstance(node, sympy.Function):
            known[node] = local[node]
    return local[root]


class _Program:
    """A straight-line program: registers for the arguments, then one per distinct subexpression."""

    def __init__(self, expr: Expr, symbols: tuple[Symbol, ...]) -> None:
        self._arguments = len(symbols)
        # instructions: (implementations per mode, argument registers, node); constants come first
        self._constant: list[tuple[Implementations, list[int], int]] = []
        self._variable: list[tuple[Implementations, list[int], int]] = []
        self._frozen: dict[tuple[int, int], list[Any]] = {}
        self._size = len(symbols)
        self._result = self._compile(expr, {s: i for i, s in enumerate(symbols)})

    @overload
    def run(self, *args: arb) -> arb: ...
    @overload
    def run(self, *args: acb) -> acb: ...
    @overload
    def run(self, *args: arb_series) -> arb_series: ...
    @overload
    def run(self, *args: acb_series) -> acb_series: ...
    def run(self, *args: Ball | BallSeries) -> Ball | BallSeries:
        if any(isinstance(a, _SERIES_TYPES) for a in args):
            mode = _SERIES
        else:
            mode = _COMPLEX if any(isinstance(a, acb) for a in args) else _REAL
        return self.run_as(mode, args)

    def run_as(self, mode: int, args: Sequence[Any]) -> Any:
        if len(args) != self._arguments:
            raise AsymptokError(f"{self._arguments} arguments expected, {len(args)} given")
        tick("values on balls")
        registers = self._constants(mode).copy()
        registers[: len(args)] = args
        for implementation, inputs, output in self._variable:
            registers[output] = implementation[mode](*[registers[i] for i in inputs])
        return registers[self._result]

    def _constants(self, mode: int) -> list[Ball | None]:
        key = (mode, flint.ctx.prec)
        found = self._frozen.get(key)
        if found is None:
            found = [None] * self._size
            kind = _REAL if mode == _SERIES else mode
            for implementation, inputs, output in self._constant:
                found[output] = implementation[kind](*[found[i] for i in inputs])
            # a handful of precisions is in use at a time; old ones are not worth keeping
            if len(self._frozen) > 8:
                self._frozen.clear()
            self._frozen[key] = found
        return found

    def _compile(self, root: Expr, place: dict[object, int]) -> int:
        """Number the distinct nodes children first, with an explicit stack: depth is no obstacle."""
        varying = set(place)
        stack = [root]
        while stack:
            node = stack[-1]
            if node in place:
                stack.pop()
                continue
            implementation, children = lower(node)
            missing = [c for c in children if c not in place]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            place[node] = self._size
            instruction = (implementation, [place[c] for c in children], self._size)
            self._size += 1
            if any(c in varying for c in children):
                varying.add(node)
                self._variable.append(instruction)
            else:
                self._constant.append(instruction)
        return place[root]


@lru_cache(maxsize=256)
def _program(expr: Expr, symbols: tuple[Symbol, ...]) -> _Program:
    return _Program(expr, symbols)


def lower(node: Expr) -> tuple[Implementations, tuple[Expr, ...]]:
    """The implementations (real, complex, series) of one node and the nodes they take as arguments."""
    if node in CONSTANTS:
        return _constant(CONSTANTS[node]), ()
    if isinstance(node, sympy.Rational | sympy.Float):
        return _constant(lambda: exact_point(node)), ()
    if isinstance(node, Known):
        return _everywhere(lambda value: value), (node.value,)
    if isinstance(node, LongConstant):
        return _everywhere(lambda value: value), node.args
    if isinstance(node, Leaf):
        return _everywhere(lambda value: value), (node.value,)
    if isinstance(node, sympy.Symbol):
        raise AsymptokError(f"no value for the symbol {node}: give one in `values`")
    if isinstance(node, sympy.Pow):
        return _lower_power(node)
    if isinstance(node, sympy.Tuple):
        return _everywhere(lambda *xs: xs), node.args
    if isinstance(node, ExprCondPair):
        return _everywhere(lambda value, truth: (value, truth)), node.args
    if isinstance(node, sympy.Piecewise):
        return (_piecewise_real, _piecewise_complex, _no_series(node)), node.args
    if isinstance(node, BooleanTrue | BooleanFalse):
        truth = Truth.of(bool(node))
        return _everywhere(lambda: truth), ()
    if isinstance(node, Relational):
        return _everywhere(_RELATIONS[node.rel_op]), node.args
    if isinstance(node, And | Or | Not):
        return _everywhere(_CONNECTIVES[type(node)]), node.args
    record = record_of(type(node))
    if record is None:
        known = ", ".join(sorted(cls.__name__ for cls in RECORDS))
        raise AsymptokError(
            f"{type(node).__name__} in {node} has no ball implementation; the supported functions are {known}"
        )
    return (record.real, record.complex, record.series or _no_series(node)), node.args


def _everywhere(f: Implementation) -> Implementations:
    return f, f, f


def _constant(value: Callable[[], Ball]) -> Implementations:
    def real() -> arb:
        number = value()
        # the imaginary unit has no real value; whatever is built from it is nan on the real side
        return arb.nan() if isinstance(number, acb) else number

    return real, lambda: acb(value()), value


def _no_series(node: Expr) -> Implementation:
    name = type(node).__name__

    def refuse(*_: arb | arb_series) -> NoReturn:
        raise AsymptokError(f"{name} is not available on power series arguments")

    return refuse


def _lower_power(node: Expr) -> tuple[Implementations, tuple[Expr, ...]]:
    base, exponent = node.args
    if isinstance(exponent, sympy.Integer):
        n = int(exponent)
        return _everywhere(lambda x: integer_power(x, n)), (base,)
    if isinstance(exponent, sympy.Rational) and exponent.q == 2:
        p = int(exponent.p)
        if p == -1:
            return (lambda x: 1 / real_sqrt(x), complex_rsqrt, lambda s: s.rsqrt()), (base,)
        return (
            lambda x: integer_power(real_sqrt(x), p),
            lambda z: integer_power(complex_sqrt(z), p),
            lambda s: integer_power(s.sqrt(), p),
        ), (base,)
    if base == sympy.E:
        return _everywhere(lambda x: x.exp()), (exponent,)
    return (real_power, complex_power, lambda s, e: (s.log() * e).exp()), (base, exponent)


# ------------------------------------------------------------------------------------------ conditions


def _as_real(x: arb) -> arb:
    return x if isinstance(x, arb) else (x.real if x.imag.is_zero() else arb.nan())


def _less(a: arb, b: arb) -> Truth:
    a, b = _as_real(a), _as_real(b)
    return Truth.TRUE if a < b else Truth.FALSE if a >= b else Truth.UNKNOWN


def _equal(a: arb, b: arb) -> Truth:
    if a.is_exact() and b.is_exact():
        return Truth.of(bool(a == b))
    return Truth.UNKNOWN if a.overlaps(b) else Truth.FALSE


_RELATIONS: dict[str, Callable[[arb, arb], Truth]] = {
    "<": _less,
    ">": lambda a, b: _less(b, a),
    ">=": lambda a, b: ~_less(a, b),
    "<=": lambda a, b: ~_less(b, a),
    "==": _equal,
    "!=": lambda a, b: ~_equal(a, b),
}


def _all(*truths: Truth) -> Truth:
    return Truth(min(t.value for t in truths))


def _any(*truths: Truth) -> Truth:
    return Truth(max(t.value for t in truths))


_CONNECTIVES: dict[object, Callable[..., Truth]] = {And: _all, Or: _any, Not: lambda t: ~t}


def _piecewise_real(*pairs: tuple[arb, Truth]) -> arb:
    """The first branch whose condition holds; the hull of all candidates while that is undecided."""
    candidates: list[arb] = []
    for value, truth in pairs:
        if truth is not Truth.FALSE:
            candidates.append(value)
        if truth is Truth.TRUE:
            break
    else:
        return arb.nan()
    result = candidates[0]
    for other in candidates[1:]:
        result = hull(result, other)
    return result


def _piecewise_complex(*pairs: tuple[acb, Truth]) -> acb:
    for value, truth in pairs:
        if truth is Truth.TRUE:
            return value
        if truth is Truth.UNKNOWN:
            break
    return acb(arb.nan())
