"""Abs, sign, Max, Piecewise, ...: the switch-free expression that the kernel equals on an interval.

A switch is resolved on an interval only if ball arithmetic proves which way it goes on all of it (`signs`).
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import arb
from sympy import Add, Expr, Mul, S
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from asymptok import dag
from asymptok.atlas.local import Doubt, Unproved
from asymptok.atlas.signs import Open, Signs, Where, polynomial_factors, sign_on
from asymptok.balls import compile_ball
from asymptok.errors import AsymptokError
from asymptok.functions import SWITCHES
from asymptok.regularity.identities import without_double_zeros
from asymptok.symbols import u


def prepared(expr: Expr) -> Expr:
    """The expression with double zeros taken out of radicands and logarithms, sqrt(w^2 v) = |w| sqrt(v), and
    |x| + x = 2 max(0, x).

    Balls see that sqrt(max(0, x)) is real, and not that sqrt(|x| + x) is.

    >>> prepared(sympy.sqrt(u**2 - u + sympy.Rational(1, 4)))
    Abs(2*u - 1)/2
    >>> prepared(sympy.sqrt(sympy.exp(2*u) - 4*sympy.exp(u) + 4)), prepared(sympy.sqrt(sympy.log(u)**2))
    (Abs(exp(u) - 2), sqrt(log(u)**2))
    >>> prepared(sympy.sqrt(sympy.Abs(u - 1) + 1 - u))
    sqrt(2)*sqrt(Max(0, 1 - u))
    """
    replaced: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        if node.is_Add and (ramp := _ramp(node)) is not None:
            replaced[node] = ramp
        if node.func is sympy.log and (found := polynomial_factors(node.args[0])) is not None:
            # log(c w^(2m) v) = 2m log|w| + log(c v)
            even = [(g, power // 2) for g, power in found[1] if power > 1]
            rest = Mul(found[0], *(g for g, power in found[1] if power % 2))
            if even:
                replaced[node] = Add(sympy.log(rest), *(2 * m * sympy.log(sympy.Abs(g)) for g, m in even))
        if not (node.is_Pow and not node.exp.is_Integer and not node.exp.has(u)):
            continue
        found = polynomial_factors(node.base)
        if found is None:
            other = without_double_zeros(node)
            if other != node:
                replaced[node] = other
            continue
        if all(power == 1 for _, power in found[1]):
            continue
        rest, outside = found[0], S.One
        for g, power in found[1]:
            outside *= sympy.Abs(g) ** (2 * (power // 2) * node.exp)
            rest *= g if power % 2 else 1
        # (x y)^e = x^e y^e for x >= 0
        replaced[node] = outside * rest**node.exp
    return dag.rebuild(expr, replaced) if replaced else expr


def _ramp(node: Expr) -> Expr | None:
    """c (|x| + x) or c (|x| - x) as 2 c max(0, x) or 2 c max(0, -x); None for any other sum."""
    for term in node.args:
        c, function = term.as_independent(u, as_Add=False)
        if function.func is sympy.Abs and function.args[0].is_polynomial(u):
            for x in (function.args[0], -function.args[0]):
                if sympy.expand(node - term - c * x) == 0:
                    return 2 * c * sympy.Max(0, x)
    return None


class Resolver:
    """The switch-free expression of a kernel on a ball of u; raises Open while a switch is undecided."""

    def __init__(self, expr: Expr) -> None:
        self._expr = expr
        self.switching: set[Expr] = set()
        for node in dag.postorder(expr):
            if isinstance(node, SWITCHES) or not self.switching.isdisjoint(node.args):
                self.switching.add(node)
        self._built: dict[object, Expr] = {}

    def __call__(self, x: arb, known: Signs) -> Expr:
        return self._node(self._expr, Where(x, known), {})

    def _node(self, node: Expr, x: Where, memo: dict[Expr, Expr]) -> Expr:
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

    def _rebuilt(self, node: Expr, args: tuple[Expr, ...]) -> Expr:
        key = (node, args)
        if key not in self._built:
            self._built[key] = node.func(*args)
        return self._built[key]

    def _piecewise(self, node: Expr, x: Where, memo: dict[Expr, Expr]) -> Expr:
        for value, condition in node.args:
            if self._truth(condition, x, memo):
                return self._node(value, x, memo)
        raise AsymptokError(f"no branch of {node} is taken near u = {x.ball.str(8, radius=False)}")

    def _truth(self, condition: object, x: Where, memo: dict[Expr, Expr]) -> bool:
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

    def _joined(self, condition: Expr, x: Where, memo: dict[Expr, Expr]) -> bool:
        """And, Or: one decisive part is enough, whatever the others are."""
        decisive = isinstance(condition, Or)
        undecided: Open | None = None
        for part in condition.args:
            try:
                if self._truth(part, x, memo) is decisive:
                    return decisive
            except Open as reason:
                undecided = reason
        if undecided is not None:
            raise undecided
        return not decisive


# -------------------------------------------------------------------------------------------- choices


def _absolute(args: tuple[Expr, ...], where: Where) -> Expr:
    return args[0] if sign_on(args[0], where) >= 0 else -args[0]


def _sign(args: tuple[Expr, ...], where: Where) -> Expr:
    return sympy.Integer(sign_on(args[0], where))


def _heaviside(args: tuple[Expr, ...], where: Where) -> Expr:
    sign = sign_on(args[0], where)
    if sign == 0:
        return args[1] if len(args) > 1 else S.Half
    return S.One if sign > 0 else S.Zero


def _extreme(largest: bool) -> Callable[[tuple[Expr, ...], Where], Expr]:
    def choose(args: tuple[Expr, ...], where: Where) -> Expr:
        middle = arb(where.ball.mid())
        best = args[0]
        for other in args[1:]:
            difference = compile_ball(other - best, [u])(middle)
            if (difference > 0) if largest else (difference < 0):
                best = other
        for other in args:
            sign = 0 if other == best else sign_on(best - other, where)
            if sign * (1 if largest else -1) < 0:
                raise Open
        return best

    return choose


def _rounded(up: bool) -> Callable[[tuple[Expr, ...], Where], Expr]:
    def choose(args: tuple[Expr, ...], where: Where) -> Expr:
        w = args[0]
        value = compile_ball(w, [u])(arb(where.ball.mid()))
        n = (value.mid().ceil() if up else value.mid().floor()).unique_fmpz()
        if n is None:
            raise Open
        low, high = (int(n) - 1, int(n)) if up else (int(n), int(n) + 1)
        if sign_on(w - low, where) > 0 and sign_on(high - w, where) > 0:
            return sympy.Integer(int(n))
        raise Open

    return choose


_CHOICES: dict[object, Callable[[tuple[Expr, ...], Where], Expr]] = {
    sympy.Abs: _absolute,
    sympy.sign: _sign,
    sympy.Heaviside: _heaviside,
    sympy.Max: _extreme(True),
    sympy.Min: _extreme(False),
    sympy.floor: _rounded(False),
    sympy.ceiling: _rounded(True),
}
