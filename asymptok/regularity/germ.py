"""The germ of an expression at a point, from one side: a model with a proved radius, and a flat part.

The side of the point u0 is u = u0 + side s^q with 0 < s <= r. A germ says that on this side the expression is
analytic (for s > 0) and equals a Laurent polynomial with a proved remainder (see `model`), plus a flat part (see
`flat`). Where only a bound by a power of s is known (a logarithm, an irrational power), the model is missing.
Nothing else is a germ: a part that grows faster than every power has none, and then nothing is claimed about the
whole.

Zeros are decided exactly. A coefficient whose ball contains 0 is asked of the exact expansion of that
subexpression, or, at a root that is known by a change of sign only, of the list of functions that are known to
vanish there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil
from typing import Any

import sympy
from flint import acb, arb, arb_poly, arb_series, fmpq
from sympy import Expr
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.functions import record_of
from asymptok.precision import flint_length
from asymptok.regularity.flat import Envelope, sum_of
from asymptok.regularity.model import FinerGrid, Model, NotShown, coefficients_at_zero
from asymptok.symbols import u

#: orders to which a subexpression is expanded in search of its leading term
_ORDERS = (2, 6)
#: a power of a germ is multiplied out up to this exponent
_LARGEST_POWER = 64


@dataclass(frozen=True, slots=True)
class Germ:
    """model + flat; where the model is missing, |f| <= bound[0] s^(-bound[1])."""

    model: Model | None
    flat: Envelope | None = None
    bound: tuple[Any, int] | None = None

    def moderate(self) -> tuple[Any, int]:
        """(A, w) with |f| <= A s^(-w)."""
        if self.model is None:
            assert self.bound is not None
            return self.bound
        rest = arb(0) if self.flat is None else self.flat.largest(self.model.radius, 0)
        weight = -self.model.order
        # the flat part is bounded; a factor s^(-w) with w >= 0 only enlarges its bound
        return (self.model.size() + rest).upper(), weight if rest.is_zero() else max(weight, 0)

    @property
    def vanishes(self) -> bool:
        """Whether nothing but a flat part is left."""
        return self.model is not None and self.model.is_zero


class Side:
    """One side of a point; germs of subexpressions are made once, and a failure is remembered with its reason.

    >>> from sympy import S, sin
    >>> right = Side(S.Zero, 1, arb(1)/4)
    >>> right.without_pole(sin(u)/u).values().contains(1)
    True
    """

    def __init__(
        self,
        point: Expr | None,
        side: int,
        radius: Any,
        grid: int = 1,
        centre: Any = None,
        zeros: Mapping[Expr, int] | None = None,
        values: Mapping[Expr, Any] | None = None,
    ) -> None:
        """`centre` is a ball around the point if the point itself is not known; `zeros` vanish there to that order.

        `values` are subexpressions whose value at such a point is a known rational number.
        """
        self.point, self.side, self.radius, self.grid = point, side, radius, grid
        self.centre = ball(point) if centre is None else centre
        self.zeros = dict(zeros or {})
        self.values = dict(values or {})
        self._germs: dict[Any, Germ | NotShown] = {}
        self._orders: dict[Any, int | None] = {}
        self._varying: dict[Any, bool] = {u: True}

    def germ(self, expr: Expr) -> Germ:
        for node in dag.postorder(expr):
            if node not in self._varying:
                self._varying[node] = any(self._varying[a] for a in node.args)
            if node not in self._germs:
                try:
                    self._germs[node] = self._known(node)
                except NotShown as reason:
                    # the branch of a case distinction that is not taken need not have a germ
                    self._germs[node] = reason
        return self[expr]

    def __getitem__(self, node: Any) -> Germ:
        found = self._germs.get(node)
        if found is None:
            return self.germ(node)
        if isinstance(found, NotShown):
            raise found
        return found

    def varies(self, node: Any) -> bool:
        """Whether u occurs; SymPy's own search walks the printed tree, which may be exponentially larger."""
        return self._varying[node]

    # zeros and signs -------------------------------------------------------------------------------------

    def lead(self, node: Expr) -> Model:
        """The model of `node` with a leading coefficient that is not zero, and no zero on the disc but s = 0."""
        germ = self[node]
        if germ.model is None:
            raise NotShown(f"no series of {node}")
        model = germ.model.normal()
        if model.body[0].contains(0):
            order = self.order(node)
            if order is None:
                raise NotShown(f"the order of the zero of {node} is not known")
            model = model.lifted(order)
        if model.values().contains(0):
            raise NotShown(f"{node} may vanish nearby")
        return model

    def without_pole(self, node: Expr) -> Model:
        """The model of `node`, which has no negative power of s."""
        model = self[node].model
        if model is None:
            raise NotShown(f"no series of {node}")
        if model.order < 0:
            model = model.normal()
        if model.order < 0 and model.body[0].contains(0):
            order = self.order(node)
            if order is None:
                raise NotShown(f"whether {node} is bounded is not known")
            model = model.lifted(order)
        if model.order < 0:
            raise NotShown(f"{node} is not bounded")
        return model

    def order(self, node: Expr) -> int | None:
        """The exact exponent of the leading term of `node`, in powers of s; None if it is not known."""
        if node in self.zeros:
            return int(self.zeros[node] * self.grid)
        if self.point is None:
            return None
        if node not in self._orders:
            self._orders[node] = self._exact_order(node)
        return self._orders[node]

    def _exact_order(self, node: Expr) -> int | None:
        for order in _ORDERS:
            try:
                terms = puiseux(node, u, self.point, "+" if self.side > 0 else "-", order).terms
            except AsymptokError:
                return None
            if terms:
                exponent = terms[0].exponent * self.grid
                if not exponent.is_Rational or terms[0].log_power:
                    return None
                if exponent.q != 1:
                    raise FinerGrid(int(exponent.q))
                return int(exponent)
        return None

    def sign(self, node: Expr) -> int:
        """The sign of `node` on the whole side, 0 < s <= r; 0 only if it is identically zero there."""
        germ = self[node]
        if germ.vanishes and germ.flat is None:
            return 0
        model = self.lead(node)
        self._relative_flat(germ, model)
        return 1 if model.values() > 0 else -1

    def _relative_flat(self, germ: Germ, model: Model) -> Any:
        """sup |Z|/|L|, which must be below 1/2 for the sign and the powers of L + Z to be those of L."""
        if germ.flat is None:
            return arb(0)
        least = abs(model.values()).lower()
        share = (germ.flat.largest(self.radius, model.order) / least).upper()
        if not share < arb(fmpq(1, 2)):
            raise NotShown("a flat part that is not small beside the rest")
        return share

    # one node --------------------------------------------------------------------------------------------

    def _known(self, node: Any) -> Germ:
        if not isinstance(node, Expr):
            raise NotShown("a condition has no germ")  # asked of `holds`
        if node == u:
            return Germ(Model.variable(self.radius, self.centre, self.grid, self.side))
        if not self.varies(node):
            value = ball(node)
            if not value.is_finite():
                raise NotShown(f"{node} is not known to be a real number")
            return Germ(Model.constant(value, self.radius))
        rule = _RULES.get(node.func)
        found = rule(self, node) if rule is not None else self._function(node)
        order = self.zeros.get(node)
        if order is not None and found.model is not None:
            found = replace(found, model=found.model.lifted(order * self.grid))
        if node in self.values and found.model is not None:
            found = replace(found, model=found.model.with_value(self.values[node]))
        return found

    def _function(self, node: Any) -> Germ:
        """f(L + Z) = f(L) + flat, f analytic on a disc around the values of L."""
        record = record_of(node.func)
        varying = [i for i, a in enumerate(node.args) if self.varies(a)]
        if record is None or len(varying) != 1 or not isinstance(node.args[varying[0]], Expr):
            raise NotShown(f"nothing is known about {node.func}")
        balls = [None if i in varying else _constant_balls(a) for i, a in enumerate(node.args)]

        def f(z: Any) -> Any:
            return record.analytic(*(z if b is None else b for b in balls))

        series = record.series if len(node.args) == 1 else None
        return self._composed(f, node.args[varying[0]], series, parity(node.func, node.args, varying[0]))

    def _composed(self, f: Any, argument: Expr, series: Any, symmetry: int | None) -> Germ:
        inner = self.without_pole(argument)
        flat = self[argument].flat
        slack = arb(0) if flat is None else flat.largest(self.radius, 0)
        taylor = None if series is None else _taylor(series)
        if symmetry is not None and (inner.order > 0 or inner.body[0].is_zero()):
            taylor = _symmetric(taylor, f, symmetry)
        model, slope = inner.composed(f, slack, taylor)
        return Germ(model, None if flat is None else flat.times(slope, 0))

    def _zero(self, flat: Envelope | None = None) -> Germ:
        return Germ(Model(0, arb_poly([]), 12, arb(0), self.radius), flat)

    def times(self, a: Germ, b: Germ) -> Germ:
        parts: list[Envelope | None] = []
        for one, other in ((a, b), (b, a)):
            if one.flat is not None:
                parts.append(one.flat.times(*other.moderate()))
        flat = sum_of(parts)
        if a.vanishes or b.vanishes:
            return self._zero(flat)
        if a.model is None or b.model is None:
            (x, v), (y, w) = a.moderate(), b.moderate()
            return Germ(None, None, ((x * y).upper(), v + w))
        return Germ(a.model * b.model, flat)

    # conditions ------------------------------------------------------------------------------------------

    def holds(self, condition: Any) -> bool:
        """Whether a condition holds on the whole side, s = 0 left out."""
        if isinstance(condition, BooleanTrue | BooleanFalse | bool):
            return bool(condition)
        if isinstance(condition, And):
            return all(self.holds(part) for part in condition.args)
        if isinstance(condition, Or):
            return any(self.holds(part) for part in condition.args)
        if isinstance(condition, Not):
            return not self.holds(condition.args[0])
        if isinstance(condition, Relational):
            sign = self.sign(condition.lhs - condition.rhs)
            return bool(_RELATIONS[condition.rel_op](sign))
        raise NotShown(f"{condition} is not a comparison")

    def branch(self, node: Any) -> Expr:
        """The branch of Max, Min or Piecewise that is taken on the whole side."""
        if isinstance(node, sympy.Piecewise):
            for value, condition in node.args:
                if self.holds(condition):
                    return value
            raise NotShown("no branch is taken")
        wanted = 1 if isinstance(node, sympy.Max) else -1
        best = node.args[0]
        for other in node.args[1:]:
            if self.sign(other - best) == wanted:
                best = other
        return best


def _constant_balls(argument: Any) -> Any:
    """A constant, or the parameters of a hypergeometric function, as complex balls."""
    if isinstance(argument, sympy.Tuple):
        return tuple(_constant_balls(a) for a in argument)
    return acb(ball(argument))


def _taylor(series: Any) -> Any:
    def coefficients(centre: Any, count: int) -> list[Any] | None:
        with flint_length(count):
            found = series(arb_series([centre, 1], prec=count))
        values = [found[j] for j in range(count)]
        return values if all(v.is_finite() for v in values) else None

    return coefficients


def _symmetric(taylor: Any, f: Any, symmetry: int) -> Any:
    """The Taylor coefficients at 0 of an even or odd function: every other one is zero."""

    def coefficients(centre: Any, count: int) -> list[Any]:
        found = None if taylor is None else taylor(centre, count)
        if found is None:
            found = coefficients_at_zero(f, count)
        return [c if (j % 2 == 0) == (symmetry > 0) else arb(0) for j, c in enumerate(found)]

    return coefficients


@lru_cache(maxsize=256)
def parity(function: Any, args: tuple[Any, ...], place: int) -> int | None:
    """1 if the function is even in that argument, -1 if odd, as SymPy knows it; None if it is neither.

    >>> parity(sympy.cos, (u,), 0), parity(sympy.asin, (u,), 0), parity(sympy.exp, (u,), 0)
    (1, -1, None)
    """
    x = sympy.Dummy("x", real=True)

    def at(value: Any) -> Any:
        return function(*args[:place], value, *args[place + 1 :])

    if at(-x) == at(x):
        return 1
    return -1 if at(-x) == -at(x) else None


_RELATIONS = {
    "<": lambda s: s < 0,
    "<=": lambda s: s <= 0,
    ">": lambda s: s > 0,
    ">=": lambda s: s >= 0,
    "==": lambda s: s == 0,
    "!=": lambda s: s != 0,
}


# ------------------------------------------------------------------------------------------------- rules


def _add(side: Side, node: Any) -> Germ:
    germs = [side[a] for a in node.args]
    models = [g.model for g in germs if g.model is not None]
    if len(models) < len(germs):
        total, weight = arb(0), 0
        for g in germs:
            size, w = g.moderate()
            # s <= 1: the largest weight bounds all of them
            total, weight = total + size, max(weight, w)
        return Germ(None, None, (total.upper(), weight))
    model = models[0]
    for other in models[1:]:
        model = model + other
    return Germ(model, sum_of([g.flat for g in germs]))


def _mul(side: Side, node: Any) -> Germ:
    total = side[node.args[0]]
    for factor in node.args[1:]:
        total = side.times(total, side[factor])
    return total


def _pow(side: Side, node: Any) -> Germ:
    base, exponent = node.args
    if side.varies(exponent):
        return _exponential_of(side, side.times(side[exponent], _logarithm(side, base)), node)
    if exponent.is_Integer and abs(exponent) <= _LARGEST_POWER:
        return _integer_power(side, base, int(exponent))
    model = side.lead(base)
    if not model.values() > 0:
        raise NotShown(f"{base} is not known to be positive")
    share = side._relative_flat(side[base], model)
    if exponent.is_Rational:
        result = model.root_power(int(exponent.p), int(exponent.q))
        return Germ(
            result, _power_flat(side[base], model, arb(fmpq(int(exponent.p), int(exponent.q))), share)
        )
    e = ball(exponent)
    if model.order == 0 and side[base].flat is None:
        return Germ(model.compose(lambda z: z.pow(acb(e)) if z.real > 0 else None))
    power = (model.order * e).lower()
    weight = ceil(-float(power)) + 1
    # with a flat part (1+z)^e, |z| <= 1/2, is at most 2^|e|
    return Germ(None, None, ((model.values() ** e * 2 ** abs(e)).abs_upper(), weight))


def _power_flat(germ: Germ, model: Model, e: Any, share: Any) -> Envelope | None:
    """(L + Z)^e - L^e = L^e ((1+z)^e - 1), and |(1+z)^e - 1| <= |e| 2^(|e|+1) |z| for |z| <= 1/2."""
    if germ.flat is None:
        return None
    size = (model.values() ** (e - 1)).abs_upper() * abs(e) * 2 ** (abs(e) + 1)
    return germ.flat.times(size.upper(), ceil(float((-model.order * (e - 1)).upper())))


def _integer_power(side: Side, base: Expr, n: int) -> Germ:
    if n >= 0:
        result = Germ(Model.constant(1, side.radius))
        for _ in range(n):
            result = side.times(result, side[base])
        return result
    germ, model = side[base], side.lead(base)
    side._relative_flat(germ, model)
    flat = None
    if germ.flat is not None:
        # 1/(L+Z) - 1/L = -Z/(L (L+Z)), and |L + Z| >= |L|/2
        least = abs(model.values()).lower()
        flat = germ.flat.times((2 / least**2).upper(), 2 * model.order)
    inverse = Germ(model.inverse(), flat)
    result = inverse
    for _ in range(-n - 1):
        result = side.times(result, inverse)
    return result


def _exp(side: Side, node: Any) -> Germ:
    return _exponential_of(side, side[node.args[0]], node.args[0])


def _exponential_of(side: Side, germ: Germ, argument: Expr) -> Germ:
    """exp of a series: analytic, or flat if the series tends to minus infinity."""
    model = germ.model
    if model is None:
        raise NotShown(f"exp of {argument}, which has no series")
    model = model.normal()
    if model.order < 0 and model.body[0].contains(0) and argument in side._germs:
        order = side.order(argument)
        if order is not None:
            model = model.lifted(order)
    slack = arb(0) if germ.flat is None else germ.flat.largest(side.radius, 0)
    if model.order < 0:
        if not model.values() < 0:
            raise NotShown(f"exp of {argument}, which is not known to tend to minus infinity")
        return side._zero(Envelope(slack.exp().upper(), 0, abs(model.values()).lower(), -model.order))
    result, slope = model.composed(acb.exp, slack, _taylor(lambda x: x.exp()))
    return Germ(result, None if germ.flat is None else germ.flat.times(slope, 0))


def _log(side: Side, node: Any) -> Germ:
    if len(node.args) != 1:
        raise NotShown("a logarithm with a base")
    return _logarithm(side, node.args[0])


def _logarithm(side: Side, argument: Expr) -> Germ:
    if not side.varies(argument):
        value = ball(argument).log()
        if not value.is_finite():
            raise NotShown(f"the logarithm of {argument}")
        return Germ(Model.constant(value, side.radius))
    model = side.lead(argument)
    if not model.values() > 0:
        raise NotShown(f"{argument} is not known to be positive")
    germ = side[argument]
    share = side._relative_flat(germ, model)
    if model.order:
        # |log s| <= 1/s for 0 < s <= 1, and |log(1 + z)| <= 2 |z| <= 1
        size = abs(model.order) + model.values().log().abs_upper() + 2 * share
        return Germ(None, None, (arb(size).upper(), 1))
    result = model.composed(lambda z: z.log() if z.real > 0 else None, arb(0), _taylor(lambda x: x.log()))[0]
    flat = germ.flat
    return Germ(result, None if flat is None else flat.times((2 / abs(model.values()).lower()).upper(), 0))


def _abs(side: Side, node: Any) -> Germ:
    return _times_sign(side[node.args[0]], side.sign(node.args[0]))


def _times_sign(germ: Germ, sign: int) -> Germ:
    if sign >= 0 or germ.model is None:
        return germ
    return replace(germ, model=-germ.model)


def _sign(side: Side, node: Any) -> Germ:
    return Germ(Model.constant(side.sign(node.args[0]), side.radius))


def _heaviside(side: Side, node: Any) -> Germ:
    sign = side.sign(node.args[0])
    if sign == 0:
        raise NotShown("a step at a function that vanishes")
    return Germ(Model.constant(1 if sign > 0 else 0, side.radius))


def _choice(side: Side, node: Any) -> Germ:
    return side[side.branch(node)]


_RULES: dict[Any, Any] = {
    sympy.Add: _add,
    sympy.Mul: _mul,
    sympy.Pow: _pow,
    sympy.exp: _exp,
    sympy.log: _log,
    sympy.Abs: _abs,
    sympy.sign: _sign,
    sympy.Heaviside: _heaviside,
    sympy.Max: _choice,
    sympy.Min: _choice,
    sympy.Piecewise: _choice,
}
