"""The germs of an expression at a point, from one side, with a proved radius.

The side of the point u0 is u = u0 + side s^q with 0 < s <= r. A germ (see `germ`) says that on this side the
expression is analytic for s > 0 and equals a Laurent polynomial with a proved remainder (see `model`), plus a flat
part (see `flat`), times an exponential of something that grows. Where only a bound by a power of s is known (a
logarithm, an irrational power, an oscillation), the model is missing. Nothing else is a germ, and without one
nothing is claimed about the whole.

Zeros are decided exactly: a coefficient whose ball contains 0 is asked of the exact expansion of that subexpression.
Parameters are held fixed in their ranges; what is shown, is shown for all their values at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import flint
import sympy
from flint import arb, fmpq
from sympy import Expr, S, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.patience import tick
from asymptok.regularity.cells import CellTest
from asymptok.regularity.factoring import reduced
from asymptok.regularity.flat import Envelope, sum_of
from asymptok.regularity.forms import resolved
from asymptok.regularity.germ import Germ, constant, nothing_but
from asymptok.regularity.model import FinerGrid, Model, NotShown
from asymptok.regularity.rules import RULES, exponential, function
from asymptok.symbols import u

#: u = u0 + side s^q is tried up to this q
FINEST = 12
#: orders to which a subexpression is expanded in search of its leading term
_ORDERS = (2, 6)


class Side:
    """One side of a point; germs of subexpressions are made once, and a failure is remembered with its reason.

    >>> from sympy import S, sin
    >>> right = Side(S.Zero, 1, arb(1)/4)
    >>> right.without_pole(sin(u)/u).values().contains(1)
    True
    """

    def __init__(
        self,
        point: Expr,
        side: int,
        radius: arb,
        grid: int = 1,
        parameters: Mapping[Symbol, tuple[Expr, Expr]] | None = None,
    ) -> None:
        if not radius <= 1:
            # powers of s bound each other, and logarithms, up to s = 1
            raise NotShown("a side longer than 1")
        self.point, self.side, self.radius, self.grid = point, side, radius, grid
        self.parameters = dict(parameters or {})
        self._germs: dict[Expr, Germ | NotShown] = {}
        self._settled: dict[Expr, Germ | NotShown] = {}
        self._orders: dict[Expr, int | None] = {}
        self._forms: dict[Expr, Expr] = {}
        self._varying: dict[Expr, bool] = {u: True}

    def germ(self, expr: Expr) -> Germ:
        """The germ without a scale: what falls like an exponential is flat, what grows like one has none."""
        self.raw(expr)
        return self[expr]

    def raw(self, expr: Expr) -> Germ:
        """The germ with its scale."""
        for node in dag.postorder(expr):
            if node not in self._varying:
                self._varying[node] = any(self._varying[a] for a in node.args)
            if node not in self._germs:
                try:
                    self._germs[node] = self._known(node)
                except NotShown as reason:
                    # the branch of a case distinction that is not taken need not have a germ
                    self._germs[node] = reason
        found = self._germs[expr]
        if isinstance(found, NotShown):
            raise found
        return found

    def __getitem__(self, node: Expr) -> Germ:
        found = self._settled.get(node)
        if found is None:
            try:
                found = self.settled(self.raw(node))
            except NotShown as reason:
                found = reason
            self._settled[node] = found
        if isinstance(found, NotShown):
            raise found
        return found

    def varies(self, node: Expr) -> bool:
        """Whether u occurs; SymPy's own search walks the printed tree, which may be exponentially larger."""
        if node not in self._varying:
            for part in dag.postorder(node):
                if part not in self._varying:
                    self._varying[part] = any(self._varying[a] for a in part.args)
        return self._varying[node]

    def _known(self, node: Expr) -> Germ:
        tick("germs at a point")
        if not isinstance(node, Expr):
            raise NotShown("a condition has no germ")  # asked of `holds`
        if node == u:
            return Germ(Model.variable(self.radius, ball(self.point), self.grid, self.side))
        if not self.varies(node):
            return constant(self.value(node), self.radius)
        rule = RULES.get(node.func)
        try:
            return function(self, node) if rule is None else rule(self, node)
        except FinerGrid:
            raise
        except NotShown:
            # where its choices are made it may be less than what is written: 0^(5/3)
            form = resolved(node, self, self._forms)
            if form == node:
                raise
            return self.raw(form)

    def is_real(self, form: Expr) -> bool:
        """Whether it has a germ: then it is real and analytic next to the point."""
        try:
            self.raw(form)
        except FinerGrid as finer:
            grid = self.grid * finer.factor
            root = self.radius.root(finer.factor).upper()
            return grid <= FINEST and Side(self.point, self.side, root, grid, self.parameters).is_real(form)
        except NotShown:
            return False
        return True

    def value(self, node: Expr) -> arb:
        """The ball of what does not depend on u, for all values of the parameters, in which it is analytic."""
        if dag.free_symbols(node):
            test = CellTest(node, self.parameters)
            bits = flint.ctx.prec
            found = test.value(node, S.Zero, S.Zero, bits) if test.holds(S.Zero, S.Zero, bits) else arb.nan()
        else:
            found = ball(node)
        if not found.is_finite():
            raise NotShown(f"{node} is not known to be a real number")
        return found

    # zeros and signs -------------------------------------------------------------------------------------

    def lead(self, node: Expr) -> Model:
        """The model of `node`, its scale left out, with a leading coefficient that is not zero, and no other zero."""
        germ = self.raw(node)
        if germ.model is None:
            raise NotShown(f"no series of {node}")
        model = germ.model.normal()
        if model.body[0].contains(0):
            order = self.order(node) if germ.scale is None else None
            if order is None:
                raise NotShown(f"the order of the zero of {node} is not known")
            model = model.lifted(order)
        if model.values().contains(0):
            raise NotShown(f"{node} may vanish nearby")
        return model

    def without_pole(self, node: Expr) -> Model:
        """The model of `node`, which has no negative power of s."""
        model = self.with_order(node)
        if model.order < 0:
            raise NotShown(f"{node} is not bounded")
        return model

    def with_order(self, node: Expr) -> Model:
        """The model of `node` whose order, if it is negative, is that of its pole."""
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
        return model

    def order(self, node: Expr) -> int | None:
        """The exact exponent of the leading term of `node`, in powers of s; None if it is not known."""
        if node not in self._orders:
            self._orders[node] = self._exact_order(node)
        return self._orders[node]

    def product_order(self, node: Expr) -> int:
        """The exact order of a product from those of its factors; NotShown if one is not known."""
        if node.is_Mul:
            return sum(self.product_order(factor) for factor in node.args)
        base, exponent = node.as_base_exp()
        if exponent.is_Integer and base != node:
            return int(exponent) * self.product_order(base)
        return self.lead(node).order

    def _exact_order(self, node: Expr) -> int | None:
        direction = "+" if self.side > 0 else "-"
        for order in _ORDERS:
            try:
                terms = puiseux(node, u, self.point, direction, order, parameters=self.parameters).terms
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
        germ = self.raw(node)
        if germ.vanishes and germ.flat is None:
            return 0
        model = self.lead(node)
        self.relative_flat(germ, model)
        return 1 if model.values() > 0 else -1

    def relative_flat(self, germ: Germ, model: Model) -> arb:
        """sup |Z|/|L|, which must be below 1/2 for the sign and the powers of L + Z to be those of L."""
        if germ.flat is None:
            return arb(0)
        least = abs(model.values()).lower()
        share = (germ.flat.largest(self.radius, model.order) / least).upper()
        if not share < arb(fmpq(1, 2)):
            raise NotShown("a flat part that is not small beside the rest")
        return share

    # exponentials of what grows --------------------------------------------------------------------------

    def growth(self, scale: Expr) -> tuple[int, Envelope]:
        """The sign of something with a pole, and an envelope of exp(-|scale|)."""
        model = self.with_order(scale)
        if model.order >= 0 or model.values().contains(0):
            raise NotShown(f"whether {scale} grows is not known")
        flat = self[scale].flat
        slack = arb(0) if flat is None else flat.largest(self.radius, 0)
        size = abs(model.values()).lower()
        return (1 if model.values() > 0 else -1), Envelope(slack.exp().upper(), 0, size, -model.order)

    def settled(self, germ: Germ) -> Germ:
        """Without a scale: flat if it falls."""
        if germ.scale is None:
            return germ
        sign, envelope = self.growth(germ.scale)
        if sign > 0:
            raise NotShown("it grows faster than every power")
        return nothing_but(envelope.times(*germ.moderate()), self.radius)

    def exp(self, argument: Expr) -> Germ:
        """exp(argument), as a scale if the argument has a pole."""
        if argument == 0:
            return constant(1, self.radius)
        flat = self[argument].flat
        try:
            model = self.with_order(argument)
        except NotShown:
            # a difference that cancels: it is defined on the side, so that cancelling is an identity there
            shorter = reduced(argument)
            if shorter == argument:
                raise
            return self.exp(shorter)
        if model.order < 0:
            self.growth(argument)
            return replace(constant(1, self.radius), scale=argument)
        return exponential(self, model, flat)

    # sums and products -----------------------------------------------------------------------------------

    def times(self, a: Germ, b: Germ) -> Germ:
        if a.scale is None and b.scale is None:
            return self._product(a, b)
        product = self._product(replace(a, scale=None), replace(b, scale=None))
        together = (a.scale or S.Zero) + (b.scale or S.Zero)
        factor = self.exp(together)
        if factor.scale is not None:
            return replace(product, scale=factor.scale)
        return self._product(product, factor)

    def _product(self, a: Germ, b: Germ) -> Germ:
        parts: list[Envelope | None] = []
        for one, other in ((a, b), (b, a)):
            if one.flat is not None:
                parts.append(one.flat.times(*other.moderate()))
        flat = sum_of(parts)
        if a.vanishes or b.vanishes:
            return nothing_but(flat, self.radius)
        if a.model is None or b.model is None:
            (x, v), (y, w) = a.moderate(), b.moderate()
            return Germ(None, None, ((x * y).upper(), v + w))
        return Germ(a.model * b.model, flat)

    def plus(self, a: Germ, b: Germ) -> Germ:
        if a.scale == b.scale:
            return replace(self._sum(a, b), scale=a.scale)
        for one, other in ((a, b), (b, a)):
            if one.vanishes and one.flat is None:
                return other
        ratio = self.exp((b.scale or S.Zero) - (a.scale or S.Zero))
        if ratio.scale is not None and self.growth(ratio.scale)[0] > 0:
            return self.plus(b, a)
        # what is smaller by an exponential is flat beside the other
        beside = self.settled(self.times(replace(b, scale=None), ratio))
        return replace(self._sum(replace(a, scale=None), beside), scale=a.scale)

    def _sum(self, a: Germ, b: Germ) -> Germ:
        if a.model is not None and b.model is not None:
            return Germ(a.model + b.model, sum_of([a.flat, b.flat]))
        (x, v), (y, w) = a.moderate(), b.moderate()
        # s <= 1: the larger weight bounds both
        return Germ(None, None, ((x + y).upper(), max(v, w)))

    # conditions ------------------------------------------------------------------------------------------

    def holds(self, condition: object) -> bool:
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

    def branch(self, node: Expr) -> Expr:
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


_RELATIONS = {
    "<": lambda s: s < 0,
    "<=": lambda s: s <= 0,
    ">": lambda s: s > 0,
    ">=": lambda s: s >= 0,
    "==": lambda s: s == 0,
    "!=": lambda s: s != 0,
}
