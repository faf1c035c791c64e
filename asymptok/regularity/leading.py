"""The size of an expression next to a point, by inequalities alone: no series, no germs, no search.

On the side u = u0 + side x, 0 < x <= h, every subexpression is x^a L^b theta(x) with L = log(1/x), exact a and b, and
theta in a proved interval (see `sizes`). Sums take out the largest term; where the leading terms cancel, f(u0) = 0 is
asked of the zero test and f is the integral of its derivative. On the way every function is shown to be analytic at its
argument on the whole open side, so that derivatives are what the chain rule says.

It is coarser than the germs of `side` and shares nothing with them: it is what checks a refutation again.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from flint import arb
from sympy import Expr, Rational, S, Symbol
from sympy.core.relational import Relational

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants import decide
from asymptok.errors import SYMPY_ERRORS, AsymptokError
from asymptok.functions import record_of
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.powers import integer_power, real_power
from asymptok.regularity.cells import range_balls
from asymptok.regularity.domains import MONOTONE, POSITIVE, requirements
from asymptok.regularity.model import NotShown
from asymptok.regularity.quotients import QUOTIENTS
from asymptok.regularity.roots import Root
from asymptok.regularity.sizes import Lead, as_arb, lead, least, most, product, whole_power
from asymptok.symbols import u
from asymptok.truth import Truth

#: times that a cancellation is undone by integrating a derivative, one inside the other
_DEEPEST = 4
#: an exponential that grows or falls is compared with x to this power, at least
_POWER = 6
#: continuous up to the ends of their real domains
_CONTINUOUS = (sympy.Abs, sympy.Max, sympy.Min, sympy.acos, sympy.asin, ArcCosine)


class Beside:
    """One side of a point: an exact number, or the only zero of a function in a bracket.

    >>> right = Beside(S.Zero, 1, Rational(1, 1024), {})
    >>> found = right[sympy.cos(u)/sympy.sqrt(u)]
    >>> found.power, found.sign, found.unbounded
    (-1/2, POSITIVE, True)
    """

    def __init__(
        self, point: Expr | Root, side: int, h: Rational, parameters: Mapping[Symbol, tuple[Expr, Expr]]
    ) -> None:
        self.point, self.side, self.parameters = point, side, parameters
        self.h = as_arb(h)
        self.logarithm = -self.h.log()
        self._values = range_balls(parameters)
        self._found: dict[Expr, Lead] = {}
        self._varying: dict[Expr, bool] = {u: True}
        self._depth = 0

    def __getitem__(self, expr: Expr) -> Lead:
        """The size of the expression; NotShown if it is not known."""
        for node in dag.postorder(expr):
            if node not in self._varying:
                self._varying[node] = any(self._varying[a] for a in node.args)
        return self._of(expr)

    def _of(self, node: Expr) -> Lead:
        if node not in self._varying:
            return self[node]
        if node not in self._found:
            if not isinstance(node, Expr):
                raise NotShown("a condition has no size")
            self._found[node] = self._constant(node) if not self._varying[node] else self._rule(node)
        return self._found[node]

    # ranges ------------------------------------------------------------------------------------------------

    def _constant(self, node: Expr) -> Lead:
        try:
            value = ball(node, {s: self._values[s] for s in dag.free_symbols(node)})
        except (AsymptokError, KeyError) as error:
            raise NotShown("a constant without an enclosure") from error
        if not value.is_finite():
            raise NotShown("a constant that is not known to be real")
        return lead(0, 0, value.lower(), value.upper())

    def _largest(self, power: Rational, logs: Rational) -> arb:
        """The supremum of x^power L^logs on (0, h], which it takes at h."""
        a, b = as_arb(power), as_arb(logs)
        if power < 0 or (power == 0 and logs > 0) or not a * self.logarithm >= b:
            raise NotShown("unbounded, or not increasing")
        return (self.h**a * self.logarithm**b).upper()

    def ends(self, node: Expr) -> tuple[arb, arb]:
        """Bounds of the values on the whole side."""
        found = self._of(node)
        if found.power == 0 and found.logs == 0:
            return found.low, found.high
        top = self._largest(found.power, found.logs)
        return least(arb(0), found.low * top), most(arb(0), found.high * top)

    def bounds(self, node: Expr) -> tuple[arb, arb] | None:
        """The same, None where the values are unbounded or not known to be bounded."""
        try:
            return self.ends(node)
        except NotShown:
            return None

    def _near(self) -> arb:
        """A ball around u for 0 <= x <= h."""
        if isinstance(self.point, Root):
            low, high = (as_arb(x) for x in (self.point.low, self.point.high))
            start = low.union(high)
        else:
            start = ball(self.point)
        return start.union(start + self.side * self.h)

    # rules -------------------------------------------------------------------------------------------------

    def _rule(self, node: Expr) -> Lead:
        if node == u:
            if self.point == 0:
                return lead(1, 0, arb(self.side), arb(self.side))
            return lead(0, 0, self._near().lower(), self._near().upper())
        if node.is_Add:
            return self._sum(node)
        if node.is_Mul:
            found = self._of(node.args[0])
            for factor in node.args[1:]:
                found = product(found, self._of(factor))
            return found
        if node.func is sympy.exp:
            return self._exponential(node)
        if node.is_Pow:
            return self._power(node)
        if node.func in _CHOICES:
            return self._choice(node)
        return self._function(node)

    def _sum(self, node: Expr) -> Lead:
        parts = [part for part in map(self._of, node.args) if not part.sign.zero]
        if not parts:
            return lead(0, 0, arb(0), arb(0))
        power = min(part.power for part in parts)
        logs = max(part.logs for part in parts if part.power == power)
        low = high = arb(0)
        for part in parts:
            a, b = part.low, part.high
            if (part.power, part.logs) != (power, logs):
                top = self._largest(part.power - power, part.logs - logs)
                a, b = least(arb(0), a * top), most(arb(0), b * top)
            low, high = low + a, high + b
        found = lead(power, logs, low, high)
        if not found.sign.known and power >= 0:
            return self._integral(node) or found
        return found

    def _integral(self, node: Expr) -> Lead | None:
        """f(u0) = 0 and f continuous: f is the integral of its derivative, of which the size is known."""
        if self._depth >= _DEEPEST or not self._vanishes(node):
            return None
        self._depth += 1
        try:
            slope = self[dag.derivative(node, u)]
        except (NotShown, AsymptokError):
            return None
        finally:
            self._depth -= 1
        a = slope.power + 1
        # what is continuous by `_vanishes` has no logarithm in its derivative
        if a <= 0 or slope.logs != 0:
            return None
        # the integral of t^(a-1) is x^a/a
        bounds = slope.low / as_arb(a), slope.high / as_arb(a)
        return lead(a, 0, *(bounds if self.side > 0 else (-bounds[1], -bounds[0])))

    def _vanishes(self, node: Expr) -> bool:
        """Whether the expression is continuous up to the point, with the value 0 there."""
        if isinstance(self.point, Root):
            # a multiple of the function that vanishes there by definition
            ours, theirs = node.primitive()[1], self.point.g.primitive()[1]
            return bool(ours in (theirs, -theirs))
        values: dict[Expr, Expr] = {u: self.point}
        for part in dag.postorder(node):
            if part in values:
                continue
            try:
                values[part] = part.func(*(values[a] for a in part.args)) if self._varying[part] else part
            except SYMPY_ERRORS:
                return False
            if self._varying[part] and not (self._finite(values[part]) and self._continuous(part)):
                return False
        return decide.is_zero(values[node], self.parameters) is Truth.TRUE

    def _finite(self, value: object) -> bool:
        if not isinstance(value, Expr) or not dag.free_symbols(value) <= set(self._values):
            return False
        try:
            return bool(ball(value, {s: self._values[s] for s in dag.free_symbols(value)}).is_finite())
        except AsymptokError:
            return False

    def _continuous(self, part: Expr) -> bool:
        """Whether the outermost function is continuous at the values of its arguments, from within its domain."""
        if part.is_Add or part.is_Mul:
            return True
        if part.is_Pow and part.func is not sympy.exp and part.exp.is_Rational and part.exp > 0:
            return True
        if part.func in _CONTINUOUS:
            return True
        wanted = requirements(part)
        return wanted is not None and all(self._strict(r.g, r.relation) for r in wanted)

    def _strict(self, g: Expr, relation: str) -> bool:
        if isinstance(self.point, Root):
            return False
        try:
            number = dag.rebuild(g, {u: self.point})
        except SYMPY_ERRORS:
            return False
        try:
            value = ball(number)
        except AsymptokError:
            return False
        return bool(value > 0) or (relation != POSITIVE and bool(value < 0))

    def _power(self, node: Expr) -> Lead:
        base, exponent = node.args
        if not exponent.is_Rational:
            # b^e = exp(e log b), the base being positive
            return self[sympy.exp(exponent * sympy.log(base), evaluate=False)]
        found = self._of(base)
        if exponent.is_Integer:
            n = int(exponent)
            if n < 0 and not found.sign.nonzero:
                raise NotShown("a denominator that may vanish")
            values = whole_power(found, n)
        elif found.sign.zero and exponent > 0:
            return found
        else:
            if not found.sign.positive:
                raise NotShown("a power of something that may be negative")
            e = as_arb(Rational(exponent))
            values = real_power(found.low, e), real_power(found.high, e)
            values = values if exponent > 0 else values[::-1]
        return lead(found.power * exponent, found.logs * exponent, *values)

    def _exponential(self, node: Expr) -> Lead:
        x = self._of(node.args[0])
        if x.power > 0 or (x.power == 0 and x.logs <= 0):
            low, high = self.ends(node.args[0])
            return lead(0, 0, low.exp(), high.exp())
        if x.power == 0 or x.logs < 0 or not x.sign.nonzero:
            raise NotShown("an exponential between powers")
        # |y| >= c x^power, since L > 1, and e^|y| >= |y|^n/n!
        n = int(sympy.ceiling(_POWER / -x.power))
        c = x.low if x.sign.positive else -x.high
        least = integer_power(c, n) / arb(n).gamma() / n
        if x.sign.positive:
            return lead(x.power * n, 0, least, arb("inf"))
        return lead(-x.power * n, 0, arb(0), 1 / least)

    def _choice(self, node: Expr) -> Lead:
        if isinstance(node, sympy.Piecewise):
            for value, condition in node.args:
                if self._holds(condition):
                    return self._of(value)
            raise NotShown("no branch is taken")
        if node.func in (sympy.Max, sympy.Min):
            wanted = 1 if node.func is sympy.Max else -1
            for best in node.args:
                if all(best is other or self._sign(best - other) == wanted for other in node.args):
                    return self._of(best)
            raise NotShown("no branch exceeds the others")
        sign = self._sign(node.args[0])
        if node.func is sympy.DiracDelta:  # the derivative of a step, which is not there
            return lead(0, 0, arb(0), arb(0))
        if node.func is sympy.Abs:
            found = self._of(node.args[0])
            low, high = (found.low, found.high) if sign > 0 else (-found.high, -found.low)
            return lead(found.power, found.logs, low, high)
        value = arb(sign) if node.func is sympy.sign else arb((sign + 1) // 2)
        return lead(0, 0, value, value)

    def _sign(self, x: Expr) -> int:
        sign = self[x].sign
        if not sign.nonzero:
            raise NotShown("a choice that is not made")
        return sign.number

    def _holds(self, condition: object) -> bool:
        if condition in (S.true, S.false):
            return condition is S.true
        if not isinstance(condition, Relational):
            raise NotShown("a condition that is no comparison")
        sign = self._sign(condition.lhs - condition.rhs)
        return condition.rel_op in ((">", ">=", "!=") if sign > 0 else ("<", "<=", "!="))

    def _function(self, node: Expr) -> Lead:
        if node.func in QUOTIENTS:
            return self[QUOTIENTS[node.func](node.args[0])]
        wanted = requirements(node)
        if wanted is None:
            raise NotShown("a function that nobody knows")
        signs = [(self[r.g].sign, r.relation) for r in wanted]
        if not all(s.positive or (s.negative and relation != POSITIVE) for s, relation in signs):
            raise NotShown("not analytic at its argument")
        if node.func is sympy.log:
            return self._log(self._of(node.args[0]))
        found = self._values_of(node)
        return (self._integral(node) or found) if not found.sign.known else found

    def _values_of(self, node: Expr) -> Lead:
        """A bounded function of bounded arguments."""
        if node.func in MONOTONE and len(node.args) == 1:
            return self._monotone(node)
        record = record_of(node.func)
        assert record is not None
        balls = []
        for argument in node.args:
            low, high = self.ends(argument)
            balls.append(low.union(high))
        value = record.real(*balls)
        if not isinstance(value, arb) or not value.is_finite():
            raise NotShown("no enclosure of a function")
        return lead(0, 0, value.lower(), value.upper())

    def _log(self, x: Lead) -> Lead:
        """log(x^a L^b theta) = L (-a + (b log L + log theta)/L), and (log L)/L falls, since L > e."""
        small, large = x.low.log(), x.high.log()
        if x.power == 0 and x.logs == 0:
            return lead(0, 0, small, large)
        top = self.logarithm.log() * abs(as_arb(x.logs))
        size = (most(abs(small), abs(large)) + top).upper() / self.logarithm
        return lead(0, 1, -as_arb(x.power) - size, -as_arb(x.power) + size)

    def _monotone(self, node: Expr) -> Lead:
        """The values at the ends of the range of the argument, which does not leave the domain."""
        record, (sign, domain, limits) = record_of(node.func), MONOTONE[node.func]
        assert record is not None
        values = []
        for end, edge, limit in zip(self.ends(node.args[0]), domain, limits, strict=True):
            outside = edge.is_finite and not (end > ball(edge) if edge is domain[0] else end < ball(edge))
            value = ball(limit) if outside and limit.is_finite else record.real(end)
            if not value.is_finite():
                raise NotShown("no enclosure of a function")
            values.append(value)
        return lead(0, 0, *(values if sign > 0 else values[::-1]))


_CHOICES = (
    sympy.Abs, sympy.sign, sympy.Heaviside, sympy.DiracDelta, sympy.Max, sympy.Min, sympy.Piecewise
)  # fmt: skip
