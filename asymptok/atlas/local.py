"""How each subexpression behaves at u = +1 and u = -1: its value there and the exponents of t around it.

A record says N = value + O(t^rise) with all exponents in (1/grid) Z (grid = 0: no such grid, or too fine a one), or
N = O(t^order) with order < 0. The
rules only bound from below (cancellation may make the true rise larger); `continuation` confirms by counting
zeros that the bound is attained wherever the proof needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from math import lcm

import sympy
from sympy import Expr, S

from asymptok import dag
from asymptok.atlas.orthants import mixture
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.orthant import Orthant
from asymptok.symbols import u


class Doubt(Enum):
    """What stands in the way of a proof, so that the caller knows what else to try."""

    #: this method does not reach so far; smaller boxes or another method may
    METHOD = "method"
    #: zeros of a denominator, a radicand or a switch lie inside the region: smaller boxes change nothing
    INSIDE = "inside"
    #: a division by something that may vanish in the box
    POLE = "pole"
    #: a function whose analytic continuation is not known here
    RULE = "rule"
    #: the proof exists but costs more than other methods
    COSTLY = "costly"


class Unproved(Exception):
    """The kernel is not shown to be analytic in the region at hand; `kind` says what stands in the way."""

    def __init__(self, message: str, kind: Doubt = Doubt.METHOD) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Local:
    """N = value + O(t^rise); `order` is the exponent of the leading term, negative if N is unbounded."""

    value: Expr | None
    rise: Expr
    grid: int = 1

    @property
    def constant(self) -> bool:
        """Whether the subexpression is free of u."""
        return self.rise is S.Infinity

    @property
    def order(self) -> Expr:
        if self.value is None:
            return self.rise
        return self.rise if is_zero(self.value) else S.Zero


@lru_cache(maxsize=4096)
def is_zero(value: Expr) -> bool:
    """Whether an exact constant vanishes: structurally, or refuted by a ball; Unproved in between.

    >>> is_zero(sympy.sqrt(2) ** 2 - 2), is_zero(sympy.pi - 3)
    (True, False)
    """
    # the ball first: it is cheap, and SymPy's own question evaluates nested constants at length
    if not ball(value, prec=64).contains(0):
        return False
    if value.is_zero:
        return True
    if not ball(value, prec=512).contains(0):
        return False
    raise Unproved(f"cannot decide whether {value} is zero")


@lru_cache(maxsize=128)
def behaviour(expr: Expr, at: int) -> dict[Expr, Local]:
    """The record of every distinct subexpression of `expr` at the end u = `at` (+1 or -1).

    >>> kappa = ArcCosine(1, ArcCosine(0, u))
    >>> behaviour(kappa, 1)[kappa]
    Local(value=1, rise=1/2, grid=4)
    """
    found: dict[Expr, Local] = {}
    for node in dag.postorder(expr):
        try:
            found[node] = _record(node, found, at)
        except AsymptokError as error:
            raise Unproved(str(error)) from error
    return found


def substitution_power(expr: Expr) -> int:
    """The least p such that kappa(cos theta) is analytic in theta^(1/p) at 0 and (pi - theta)^(1/p) at pi.

    t = 1 - cos(theta) is theta^2 times an analytic factor, so exponents of t in (1/grid) Z become exponents of
    theta in (2/grid) Z.

    >>> from sympy import sqrt
    >>> substitution_power(sqrt(1 - u)), substitution_power(ArcCosine(0, ArcCosine(0, ArcCosine(0, u))))
    (1, 4)
    """
    grids = [behaviour(expr, at)[expr].grid for at in (1, -1)]
    if 0 in grids:
        raise Unproved("the exponents of t are no simple fractions")
    return lcm(*(grid // 2 if grid % 2 == 0 else grid for grid in grids))


def _record(node: Expr, found: dict[Expr, Local], at: int) -> Local:
    if node == u:
        return Local(sympy.Integer(at), S.One)
    if isinstance(node, sympy.Add | sympy.Mul) and node.is_polynomial(u):
        return _polynomial(node, at)
    arguments = [found[a] for a in node.args]
    if all(a.constant for a in arguments):
        return Local(node, S.Infinity)
    rule = _RULES.get(type(node), _regular)
    return rule(node, arguments)


def _polynomial(node: Expr, at: int) -> Local:
    """N(at (1-t)) = value + c t^n + ..., c != 0: n is exact, where cancellation hides it from the rules."""
    coefficients = sympy.Poly(node, u).compose(sympy.Poly(at - at * u, u)).all_coeffs()[::-1]
    rise = next((n for n, c in enumerate(coefficients) if n and not is_zero(c)), None)
    return Local(coefficients[0], S.Infinity if rise is None else sympy.Integer(rise))


def _common(records: list[Local]) -> int:
    return lcm(*(r.grid for r in records))


def _with(grid: int, exponent: Expr) -> int:
    if exponent is S.Infinity:
        return grid
    if not isinstance(exponent, sympy.Rational) or exponent.q > 64:
        return 0
    return lcm(grid, int(exponent.q))


def _regular(node: Expr, arguments: list[Local]) -> Local:
    """f(N) at a point where f is analytic: the zeros and cuts of f are checked by `continuation`."""
    if any(a.value is None for a in arguments):
        raise Unproved(f"{node} is a function of something unbounded")
    value = node.func(*(a.value for a in arguments))
    if value.has(S.ComplexInfinity, S.Infinity, S.NegativeInfinity, S.NaN):
        raise Unproved(f"{node} is infinite at the end of the interval")
    return Local(value, min(a.rise for a in arguments), _common(arguments))


def _add(node: Expr, arguments: list[Local]) -> Local:
    grid = _common(arguments)
    if all(a.value is not None for a in arguments):
        return Local(sympy.Add(*(a.value for a in arguments)), min(a.rise for a in arguments), grid)
    orders = sorted(a.rise for a in arguments if a.value is None)
    if len(orders) > 1 and orders[0] == orders[1]:
        raise Unproved(f"{node}: two poles of the same order may cancel")
    return Local(None, orders[0], grid)


def _mul(node: Expr, arguments: list[Local]) -> Local:
    grid = _common(arguments)
    order = sum((a.order for a in arguments), S.Zero)
    unbounded = any(a.value is None for a in arguments)
    if order < 0:
        return Local(None, order, grid)
    if order > 0:
        return Local(S.Zero, order, grid)
    if unbounded:
        raise Unproved(f"{node}: a zero meets a pole, the value at the end is hidden")
    return Local(sympy.Mul(*(a.value for a in arguments)), min(a.rise for a in arguments), grid)


def _pow(node: Expr, arguments: list[Local]) -> Local:
    base, exponent = node.args
    inner, power = arguments
    if not power.constant:
        if not inner.constant or not base.is_positive:
            raise Unproved(f"{node}: both base and exponent depend on u")
        return _regular(node, arguments)
    if inner.value is None or is_zero(inner.value):
        order = inner.order * exponent
        grid = _with(inner.grid, order)
        return Local(S.Zero if order > 0 else None, order, grid)
    return Local(inner.value**exponent, inner.rise, inner.grid)


def _acos(node: Expr, arguments: list[Local]) -> Local:
    inner = arguments[0]
    if inner.value is None:
        raise Unproved(f"{node} is a function of something unbounded")
    value = node.func(inner.value)
    if is_zero(1 - inner.value) or is_zero(1 + inner.value):
        return Local(value, inner.rise / 2, _with(inner.grid, inner.rise / 2))
    return Local(value, inner.rise, inner.grid)


def _arc_cosine(node: Expr, arguments: list[Local]) -> Local:
    n, inner = int(node.args[0]), arguments[1]
    if inner.value is None:
        raise Unproved(f"{node} is a function of something unbounded")
    value = ArcCosine(n, inner.value)
    half = inner.rise / 2
    if is_zero(1 - inner.value):
        # kappa_n(1 - y) = 1 - O(y) + O(y^(n+1/2))
        return Local(value, half if n == 0 else inner.rise, _with(inner.grid, half))
    if is_zero(1 + inner.value):
        # kappa_n(-1 + y) = O(y^(n+1/2))
        return Local(value, half * (2 * n + 1), _with(inner.grid, half))
    return Local(value, inner.rise, inner.grid)


def _singular_at(*points: Expr | int) -> Callable[[Expr, list[Local]], Local]:
    """Functions with a logarithm at the given values of their last argument."""

    def rule(node: Expr, arguments: list[Local]) -> Local:
        inner = arguments[-1].value
        if inner is not None and any(is_zero(inner - p) for p in points):
            raise Unproved(f"{node} has a logarithm at the end of the interval")
        return _regular(node, arguments)

    return rule


def _orthant(node: Expr, arguments: list[Local]) -> Local:
    inner = arguments[2]
    record = _regular(node, arguments)
    if inner.value is None or not (is_zero(1 - inner.value) or is_zero(1 + inner.value)):
        return record
    if mixture(node) is None:
        raise Unproved(f"{node} is not analytic in the angle at the end of the interval")
    return Local(record.value, inner.rise / 2, _with(inner.grid, inner.rise / 2))


_RULES: dict[object, Callable[[Expr, list[Local]], Local]] = {
    sympy.Add: _add,
    sympy.Mul: _mul,
    sympy.Pow: _pow,
    sympy.acos: _acos,
    sympy.asin: _acos,
    ArcCosine: _arc_cosine,
    Orthant: _orthant,
    sympy.log: _singular_at(S.Zero),
    sympy.atanh: _singular_at(S.One, S.NegativeOne),
    sympy.acosh: _singular_at(S.One),
    sympy.polylog: _singular_at(S.One),
    sympy.elliptic_k: _singular_at(S.One),
    sympy.elliptic_e: _singular_at(S.One),
    sympy.hyper: _singular_at(S.One),
    sympy.besselk: _singular_at(S.Zero),
    sympy.bessely: _singular_at(S.Zero),
    sympy.LambertW: _singular_at(-1 / S.Exp1),
}
