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
#: polynomials of a higher degree are not factored
_HIGHEST_DEGREE = 40

#: function of u -> its sign, proved on an interval
Signs = dict[Any, int]


class _Open(Exception):
    """A switch may go either way on the interval; `factor` is the function whose sign is open, if it is one."""

    def __init__(self, factor: _Sign | None = None) -> None:
        super().__init__()
        self.factor = factor


@dataclass(frozen=True, slots=True)
class Piece:
    """theta/pi in [low, high], exact dyadic numbers; `expr` is None on a tiny cell around a kink."""

    low: Any
    high: Any
    expr: Any


class Pieces:
    """[0, pi] cut where the kernel changes its expression; `refine` shrinks the cells around the cuts."""

    def __init__(self, expr: Any) -> None:
        self._resolver = Resolver(expr)
        self._pieces = [Piece(fmpq(0), fmpq(1), None)]
        if not self._resolver.switching:
            self._pieces = [Piece(fmpq(0), fmpq(1), expr)]

    def refine(self, bits: int) -> list[Piece]:
        """Pieces in order, the cells without an expression no wider than 2^-bits."""
        narrow = fmpq(1, 1 << bits)
        done: list[Piece] = []
        for piece in self._pieces:
            if piece.expr is not None or piece.high - piece.low <= narrow:
                done.append(piece)
            else:
                done += self._cut(piece.low, piece.high, narrow, {})
            if sum(cell.expr is None for cell in done) > _MOST_OPEN:
                raise _not_isolated()
        self._pieces = _merged(done)
        return self._pieces

    def _cut(self, low: Any, high: Any, narrow: Any, known: Signs) -> list[Piece]:
        """The interval in pieces; `known` holds the signs that are proved on all of it."""
        with flint_precision(_precision(low, high)):
            try:
                return [Piece(low, high, self._resolver(interval(low, high), known))]
            except _Open as reason:
                factor = reason.factor
        if high - low <= narrow:
            return [Piece(low, high, None)]
        if factor is None:
            middle = (low + high) / 2
            return self._cut(low, middle, narrow, known) + self._cut(middle, high, narrow, known)
        result: list[Piece] = []
        for left, right, sign in _isolate(factor, low, high, narrow):
            if sign is None:
                result.append(Piece(left, right, None))
            else:
                result += self._cut(left, right, narrow, {**known, factor.f: sign})
        return result


def _isolate(factor: _Sign, low: Any, high: Any, narrow: Any) -> list[tuple[Any, Any, int | None]]:
    """[low, high] in intervals of one sign of the factor, and cells no wider than `narrow` where it stays open."""
    done: list[tuple[Any, Any, int | None]] = []
    cells: list[tuple[Any, Any, int | None]] = [(low, high, None)]
    while any(sign is None and right - left > narrow for left, right, sign in cells):
        done = []
        for left, right, sign in cells:
            halves = [(left, right, sign)]
            if sign is None and right - left > narrow:
                middle = (left + right) / 2
                halves = [(x, y, _sign_between(factor, x, y)) for x, y in ((left, middle), (middle, right))]
            for cell in halves:
                if done and cell[2] is not None and done[-1][2] == cell[2]:
                    done[-1] = (done[-1][0], cell[1], cell[2])
                else:
                    done.append(cell)
        cells = done
        if sum(sign is None for _, _, sign in cells) > _MOST_OPEN:
            raise _not_isolated()
    return cells


def _sign_between(factor: _Sign, low: Any, high: Any) -> int | None:
    with flint_precision(_precision(low, high)):
        try:
            return factor(interval(low, high))
        except _Open:
            return None


def _precision(low: Any, high: Any) -> int:
    """Bits that tell the ends of the interval of u apart: next to u = 1 twice those of theta."""
    width = high - low
    return 64 + 2 * max(0, int(width.q).bit_length() - int(width.p).bit_length())


def _not_isolated() -> Unproved:
    return Unproved("the places where the kernel changes its branch are not isolated", Doubt.INSIDE)


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

    def __call__(self, x: Any, known: Signs) -> Any:
        return self._node(self._expr, _Where(x, known), {})

    def _node(self, node: Any, x: _Where, memo: dict[Any, Any]) -> Any:
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

    def _piecewise(self, node: Any, x: _Where, memo: dict[Any, Any]) -> Any:
        for value, condition in node.args:
            if self._truth(condition, x, memo):
                return self._node(value, x, memo)
        raise AsymptokError(f"no branch of {node} is taken near u = {x.ball.str(8, radius=False)}")

    def _truth(self, condition: Any, x: _Where, memo: dict[Any, Any]) -> bool:
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

    def _joined(self, condition: Any, x: _Where, memo: dict[Any, Any]) -> bool:
        """And, Or: one decisive part is enough, whatever the others are."""
        decisive = isinstance(condition, Or)
        undecided: _Open | None = None
        for part in condition.args:
            try:
                if self._truth(part, x, memo) is decisive:
                    return decisive
            except _Open as reason:
                undecided = reason
        if undecided is not None:
            raise undecided
        return not decisive


# ---------------------------------------------------------------------------------------------- signs


@dataclass(frozen=True, slots=True)
class _Where:
    """A ball of u, and the signs of functions that are proved on it."""

    ball: Any
    known: Signs


def sign_on(f: Any, where: _Where) -> int:
    """The sign of f on the whole ball, proved; _Open if it may change."""
    result = 1
    for factor in _factors(f):
        result *= factor.on(where)
    return result


@lru_cache(maxsize=512)
def _factors(f: Any) -> tuple[_Sign | _Even, ...]:
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
        self.f = f
        self._value = compile_ball(f, [u])
        self._slope: Any = None
        self._differentiable: bool | None = None

    def on(self, where: _Where) -> int:
        return where.known[self.f] if self.f in where.known else self(where.ball)

    def __call__(self, x: Any) -> int:
        if self.f == 0:
            return 0
        found = self._value(x)
        if found > 0 or found < 0:
            return 1 if found > 0 else -1
        if self._smooth():
            middle = arb(x.mid())
            found = self._value(middle) + self._slope(x) * (x - middle)
            if found > 0 or found < 0:
                return 1 if found > 0 else -1
        raise _Open(self)

    def _smooth(self) -> bool:
        """Whether a finite range of the derivative proves f differentiable: not for acot, which jumps at 0."""
        if self._differentiable is None:
            self._differentiable = _continuous_where_finite(self.f)
            if self._differentiable:
                self._slope = compile_ball(dag.derivative(self.f, u), [u])
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

    def on(self, where: _Where) -> int:
        return 0 if any(factor.on(where) == 0 for factor in self._factors) else 1


# -------------------------------------------------------------------------------------------- choices


def _absolute(args: tuple[Any, ...], where: _Where) -> Any:
    return args[0] if sign_on(args[0], where) >= 0 else -args[0]


def _sign(args: tuple[Any, ...], where: _Where) -> Any:
    return sympy.Integer(sign_on(args[0], where))


def _heaviside(args: tuple[Any, ...], where: _Where) -> Any:
    sign = sign_on(args[0], where)
    if sign == 0:
        return args[1] if len(args) > 1 else S.Half
    return S.One if sign > 0 else S.Zero


def _extreme(largest: bool) -> Callable[[tuple[Any, ...], _Where], Any]:
    def choose(args: tuple[Any, ...], where: _Where) -> Any:
        middle = arb(where.ball.mid())
        best = args[0]
        for other in args[1:]:
            difference = compile_ball(other - best, [u])(middle)
            if (difference > 0) if largest else (difference < 0):
                best = other
        for other in args:
            sign = 0 if other == best else sign_on(best - other, where)
            if sign * (1 if largest else -1) < 0:
                raise _Open
        return best

    return choose


def _rounded(up: bool) -> Callable[[tuple[Any, ...], _Where], Any]:
    def choose(args: tuple[Any, ...], where: _Where) -> Any:
        w = args[0]
        value = compile_ball(w, [u])(arb(where.ball.mid()))
        n = (value.mid().ceil() if up else value.mid().floor()).unique_fmpz()
        if n is None:
            raise _Open
        low, high = (int(n) - 1, int(n)) if up else (int(n), int(n) + 1)
        if sign_on(w - low, where) > 0 and sign_on(high - w, where) > 0:
            return sympy.Integer(int(n))
        raise _Open

    return choose


_CHOICES: dict[Any, Callable[[tuple[Any, ...], _Where], Any]] = {
    sympy.Abs: _absolute,
    sympy.sign: _sign,
    sympy.Heaviside: _heaviside,
    sympy.Max: _extreme(True),
    sympy.Min: _extreme(False),
    sympy.floor: _rounded(False),
    sympy.ceiling: _rounded(True),
}
