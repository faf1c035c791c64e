"""Abs, sign, Max, Piecewise, ...: the switch-free expression that the kernel equals on an interval.

A switch is resolved on an interval only if ball arithmetic proves which way it goes on all of it. Intervals on which
something stays open are halved; what is left at the end is a set of tiny cells around the kinks and jumps, and
between them the kernel is a known expression. Nothing is sampled: a kink cannot be missed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import S
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from asymptok import dag
from asymptok.balls import compile_ball
from asymptok.errors import AsymptokError
from asymptok.precision import flint_precision
from asymptok.spectrum.analytic import analytic
from asymptok.spectrum.local import Doubt, Unproved
from asymptok.symbols import u

SWITCHES = (
    sympy.Abs,
    sympy.sign,
    sympy.Heaviside,
    sympy.Max,
    sympy.Min,
    sympy.Piecewise,
    sympy.floor,
    sympy.ceiling,
)
#: cells that may be open at once before the search is given up
_MOST_OPEN = 2_000
_FIRST_CELLS = 16
#: polynomials of a higher degree are not factored
_HIGHEST_DEGREE = 40


class _Open(Exception):
    """A switch may go either way on the interval."""


@dataclass(frozen=True, slots=True)
class Piece:
    """theta/pi in [low, high], exact dyadic numbers; `expr` is None on a tiny cell around a kink."""

    low: Any
    high: Any
    expr: Any


class Pieces:
    """[0, pi] cut where the kernel changes its expression; `refine` shrinks the cells around the cuts."""

    def __init__(self, expr: Any) -> None:
        self._expr = expr
        self._resolver = Resolver(expr)
        self._bits = 0
        n = _FIRST_CELLS if self._resolver.switching else 1
        self._pieces = [Piece(fmpq(j, n), fmpq(j + 1, n), None) for j in range(n)]

    def refine(self, bits: int) -> list[Piece]:
        """Pieces in order, the cells without an expression no wider than 2^-bits."""
        while self._bits < bits:
            self._bits += 1
            done: list[Piece] = []
            for piece in self._pieces:
                if piece.expr is not None:
                    done.append(piece)
                    continue
                for cell in self._halved(piece):
                    done.append(Piece(cell[0], cell[1], self._resolve(*cell)))
            self._pieces = _merged(done)
            if sum(piece.expr is None for piece in self._pieces) > _MOST_OPEN:
                raise Unproved(
                    "the places where the kernel changes its branch are not isolated", Doubt.INSIDE
                )
        return self._pieces

    def _halved(self, piece: Piece) -> list[tuple[Any, Any]]:
        if not self._resolver.switching:
            return [(piece.low, piece.high)]
        middle = (piece.low + piece.high) / 2
        return [(piece.low, middle), (middle, piece.high)]

    def _resolve(self, low: Any, high: Any) -> Any:
        if not self._resolver.switching:
            return self._expr
        with flint_precision(2 * self._bits + 64):
            try:
                return self._resolver(interval(low, high))
            except _Open:
                return None


def interval(low: Any, high: Any) -> Any:
    """A ball around u = cos(theta) for theta/pi in [low, high]."""
    left, right = ends(low, high)
    return left.union(right)


def ends(low: Any, high: Any) -> tuple[Any, Any]:
    """Exact numbers in [-1, 1] around cos(theta) for theta/pi in [low, high]."""
    # cos decreases, and is exact at both ends of the interval
    left = arb(-1) if high == 1 else (arb.pi() * arb(high)).cos().lower()
    right = arb(1) if low == 0 else (arb.pi() * arb(low)).cos().upper()
    return (left if left > -1 else arb(-1)), (right if right < 1 else arb(1))


def _merged(pieces: list[Piece]) -> list[Piece]:
    """Neighbours with the same expression are one piece; open cells stay apart, to be halved further."""
    result: list[Piece] = []
    for piece in pieces:
        last = result[-1] if result else None
        if last is not None and piece.expr is not None and last.expr == piece.expr:
            result[-1] = Piece(last.low, piece.high, piece.expr)
        else:
            result.append(piece)
    return result


def prepared(expr: Any) -> Any:
    """The expression with double zeros taken out of radicands: sqrt(w^2 v) = |w| sqrt(v), also multiplied out.

    >>> prepared(sympy.sqrt(u**2 - u + sympy.Rational(1, 4)))
    sqrt(4*Abs(u - 1/2)**2)/2
    """
    replaced: dict[Any, Any] = {}
    for node in dag.postorder(expr):
        if not (node.is_Pow and not node.exp.is_Integer and not node.exp.has(u)):
            continue
        found = polynomial_factors(node.base)
        if found is None or all(power == 1 for _, power in found[1]):
            continue
        rest, outside = found[0], S.One
        for g, power in found[1]:
            outside *= sympy.Abs(g) ** (2 * (power // 2) * node.exp)
            rest *= g if power % 2 else 1
        # (x y)^e = x^e y^e for x >= 0
        replaced[node] = outside * rest**node.exp
    return dag.rebuild(expr, replaced) if replaced else expr


class Resolver:
    """The switch-free expression of a kernel on a ball of u; raises _Open while a switch is undecided."""

    def __init__(self, expr: Any) -> None:
        self._expr = expr
        self.switching: set[Any] = set()
        for node in dag.postorder(expr):
            if isinstance(node, SWITCHES) or not self.switching.isdisjoint(node.args):
                self.switching.add(node)
        self._built: dict[Any, Any] = {}

    def __call__(self, x: Any) -> Any:
        return self._node(self._expr, x, {})

    def _node(self, node: Any, x: Any, memo: dict[Any, Any]) -> Any:
        if node not in self.switching:
            return node
        if node not in memo:
            if isinstance(node, sympy.Piecewise):
                memo[node] = self._piecewise(node, x, memo)
            else:
                args = tuple(self._node(a, x, memo) for a in node.args)
                rule = _CHOICES.get(type(node))
                memo[node] = self._rebuilt(node, args) if rule is None else rule(args, x)
        return memo[node]

    def _rebuilt(self, node: Any, args: tuple[Any, ...]) -> Any:
        key = (node, args)
        if key not in self._built:
            self._built[key] = node.func(*args)
        return self._built[key]

    def _piecewise(self, node: Any, x: Any, memo: dict[Any, Any]) -> Any:
        for value, condition in node.args:
            if self._truth(condition, x, memo):
                return self._node(value, x, memo)
        raise AsymptokError(f"no branch of {node} is taken near u = {x.str(8, radius=False)}")

    def _truth(self, condition: Any, x: Any, memo: dict[Any, Any]) -> bool:
        if isinstance(condition, BooleanTrue | BooleanFalse):
            return bool(condition)
        if isinstance(condition, Not):
            return not self._truth(condition.args[0], x, memo)
        if isinstance(condition, And | Or):
            return self._joined(condition, x, memo)
        if not isinstance(condition, Relational):
            raise Unproved(f"the condition {condition} is not understood", Doubt.RULE)
        left, right = (self._node(a, x, memo) for a in condition.args)
        sign = sign_on(left - right, x)
        # a single point, where strict and weak conditions differ, has no measure
        return {
            "<": sign < 0,
            "<=": sign <= 0,
            ">": sign > 0,
            ">=": sign >= 0,
            "==": sign == 0,
            "!=": sign != 0,
        }[condition.rel_op]

    def _joined(self, condition: Any, x: Any, memo: dict[Any, Any]) -> bool:
        """And, Or: one decisive part is enough, whatever the others are."""
        decisive = isinstance(condition, Or)
        undecided = False
        for part in condition.args:
            try:
                if self._truth(part, x, memo) is decisive:
                    return decisive
            except _Open:
                undecided = True
        if undecided:
            raise _Open
        return not decisive


# ---------------------------------------------------------------------------------------------- signs


def sign_on(f: Any, x: Any) -> int:
    """The sign of f on the whole ball, proved; _Open if it may change."""
    result = 1
    for factor in _factors(f):
        result *= factor(x)
    return result


@lru_cache(maxsize=512)
def _factors(f: Any) -> tuple[Callable[[Any], int], ...]:
    """Functions on balls whose signs multiply to that of f: a double zero of a polynomial changes no sign."""
    found = polynomial_factors(f)
    if found is not None:
        constant, factors = found
        return (_Sign(constant), *(_Sign(g) for g, power in factors if power % 2))
    if f.is_Mul:
        return tuple(factor for part in f.args for factor in _factors(part))
    if f.is_Pow and f.exp.is_Integer:
        return _factors(f.base) if f.exp % 2 else (_Even(f.base),)
    return (_Sign(f),)


def polynomial_factors(f: Any) -> tuple[Any, list[tuple[Any, int]]] | None:
    """f = c prod g^n with polynomials g over the rationals (or the field of its coefficients); None if it is none."""
    if not (f.is_polynomial(u) and f.has(u)):
        return None
    try:
        poly = sympy.Poly(f, u)
        if poly.degree() > _HIGHEST_DEGREE:
            return None
        constant, factors = poly.factor_list()
    except (sympy.PolynomialError, NotImplementedError):
        return None
    return constant, [(factor.as_expr(), power) for factor, power in factors]


class _Sign:
    """The sign of a switch-free f, by its range or by the mean value form."""

    def __init__(self, f: Any) -> None:
        self._f = f
        self._value = compile_ball(f, [u])
        self._slope: Any = None
        self._differentiable: bool | None = None

    def __call__(self, x: Any) -> int:
        if self._f == 0:
            return 0
        found = self._value(x)
        if found > 0 or found < 0:
            return 1 if found > 0 else -1
        if self._smooth():
            middle = arb(x.mid())
            found = self._value(middle) + self._slope(x) * (x - middle)
            if found > 0 or found < 0:
                return 1 if found > 0 else -1
        raise _Open

    def _smooth(self) -> bool:
        """Whether a finite range of the derivative proves f differentiable: not for acot, which jumps at 0."""
        if self._differentiable is None:
            self._differentiable = _continuous_where_finite(self._f)
            if self._differentiable:
                self._slope = compile_ball(dag.derivative(self._f, u), [u])
        return self._differentiable


def _continuous_where_finite(f: Any) -> bool:
    if any(isinstance(node, sympy.acot | sympy.zeta | sympy.LambertW) for node in dag.postorder(f)):
        return False
    try:
        analytic(f)
    except Unproved:
        return False
    return True


class _Even:
    """The sign of an even power: +1 where the base is proved not to vanish."""

    def __init__(self, base: Any) -> None:
        self._factors = _factors(base)

    def __call__(self, x: Any) -> int:
        return 0 if any(factor(x) == 0 for factor in self._factors) else 1


# -------------------------------------------------------------------------------------------- choices


def _absolute(args: tuple[Any, ...], x: Any) -> Any:
    return args[0] if sign_on(args[0], x) >= 0 else -args[0]


def _sign(args: tuple[Any, ...], x: Any) -> Any:
    return sympy.Integer(sign_on(args[0], x))


def _heaviside(args: tuple[Any, ...], x: Any) -> Any:
    sign = sign_on(args[0], x)
    if sign == 0:
        return args[1] if len(args) > 1 else S.Half
    return S.One if sign > 0 else S.Zero


def _extreme(largest: bool) -> Callable[[tuple[Any, ...], Any], Any]:
    def choose(args: tuple[Any, ...], x: Any) -> Any:
        middle = arb(x.mid())
        best = args[0]
        for other in args[1:]:
            difference = compile_ball(other - best, [u])(middle)
            if (difference > 0) if largest else (difference < 0):
                best = other
        for other in args:
            sign = 0 if other == best else sign_on(best - other, x)
            if sign * (1 if largest else -1) < 0:
                raise _Open
        return best

    return choose


def _rounded(up: bool) -> Callable[[tuple[Any, ...], Any], Any]:
    def choose(args: tuple[Any, ...], x: Any) -> Any:
        w = args[0]
        value = compile_ball(w, [u])(arb(x.mid()))
        n = (value.mid().ceil() if up else value.mid().floor()).unique_fmpz()
        if n is None:
            raise _Open
        low, high = (int(n) - 1, int(n)) if up else (int(n), int(n) + 1)
        if sign_on(w - low, x) > 0 and sign_on(high - w, x) > 0:
            return sympy.Integer(int(n))
        raise _Open

    return choose


_CHOICES: dict[Any, Callable[[tuple[Any, ...], Any], Any]] = {
    sympy.Abs: _absolute,
    sympy.sign: _sign,
    sympy.Heaviside: _heaviside,
    sympy.Max: _extreme(True),
    sympy.Min: _extreme(False),
    sympy.floor: _rounded(False),
    sympy.ceiling: _rounded(True),
}
