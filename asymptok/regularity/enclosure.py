"""The range of every subexpression over an interval of u, and the requirements that the ranges do not settle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import sympy
from sympy import Expr, Piecewise, S, Symbol, oo
from sympy.core.relational import Relational
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from asymptok import dag
from asymptok.functions import record_of
from asymptok.functions.hermite import HermiteDual
from asymptok.parameters import zero_belongs
from asymptok.regularity.domains import NONZERO, POSITIVE, Requirement, requirements
from asymptok.regularity.intervals import REALS, Interval, end_ball, from_ball, increasing
from asymptok.symbols import u
from asymptok.truth import Truth


class Enclosure:
    """Ranges over `u_range` and over the open ranges of the parameters.

    A range is that of the values at the points where the subexpression is defined; `failed` lists the requirements
    that were not proved, so that an empty list proves the expression analytic on the whole interval.

    >>> from asymptok.functions.arccosine import kappa1
    >>> e = Enclosure(Interval(S(-1), S(1), True, True), {})
    >>> e.range(kappa1(kappa1(u))), e.failed
    ((1/pi, 1), [])
    """

    def __init__(self, u_range: Interval, parameters: Mapping[Symbol, tuple[Expr, Expr]]) -> None:
        self.u_range = u_range
        self.parameters = parameters
        self.failed: list[Requirement] = []
        self.settled: list[Requirement] = []
        self.unknown: list[Expr] = []
        self._ranges: dict[Any, Any] = {u: u_range}
        self._varies: dict[Expr, bool] = {}

    def range(self, expr: Expr) -> Interval:
        """Children first, on an explicit stack; branches of a Piecewise only as far as they may be taken."""
        ranges = self._ranges
        stack: list[Expr] = [expr]
        while stack:
            node = stack[-1]
            if node in ranges:
                stack.pop()
                continue
            missing = [child for child in self._children(node) if child not in ranges]
            if missing:
                stack += missing
                continue
            stack.pop()
            ranges[node] = self._truth(node) if _is_condition(node) else self._checked(node)
        return ranges[expr]

    def truth(self, condition: Expr) -> Truth:
        """Whether a condition holds on the whole interval."""
        self.range(condition)
        return self._ranges[condition]

    def refine(self, expr: Expr, better: Interval) -> None:
        """Use a sharper range, proved elsewhere, for a subexpression."""
        known = self._ranges.get(expr)
        self._ranges[expr] = better if known is None else known.meet(better)

    def holds(self, requirement: Requirement) -> bool:
        """Whether the range of g settles the requirement."""
        found = self.range(requirement.g)
        return found.positive() if requirement.relation == POSITIVE else found.nonzero()

    def varies(self, node: Expr) -> bool:
        """Whether a symbol occurs; remembered, because SymPy would search a shared subexpression again and again."""
        known = self._varies
        stack = [node]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            missing = [a for a in top.args if a not in known]
            if missing:
                stack += missing
                continue
            known[top] = isinstance(top, Symbol) or any(known[a] for a in top.args)
            stack.pop()
        return known[node]

    # one node --------------------------------------------------------------------------------------------

    def _children(self, node: Expr) -> tuple[Expr, ...]:
        if not self.varies(node):
            return ()
        if isinstance(node, Piecewise):
            wanted: list[Expr] = []
            for value, condition in node.args:
                wanted.append(condition)
                if condition not in self._ranges:
                    return tuple(wanted)
                if self._ranges[condition] is not Truth.FALSE:
                    wanted.append(value)
                if self._ranges[condition] is Truth.TRUE:
                    break
            return tuple(wanted)
        if isinstance(node, sympy.hyper):
            return (node.argument,)
        return tuple(node.args)

    def _checked(self, node: Expr) -> Interval:
        if not self.varies(node):
            if not end_ball(node).is_finite():
                self.unknown.append(node)  # not known to be a real number
                return REALS
            return Interval.point(node)
        if isinstance(node, Symbol):
            lower, upper = self.parameters.get(node, (-oo, oo))
            zero = zero_belongs(node)
            return Interval(lower, upper, not (zero and lower == 0), not (zero and upper == 0))
        if isinstance(node, Piecewise):
            return self._piecewise(node)
        wanted = requirements(node)
        if wanted is None:
            self.unknown.append(node)
            return REALS
        for requirement in wanted:
            target = self.settled if self.holds(requirement) else self.failed
            if requirement not in target:
                target.append(requirement)
        return self._image(node)

    def _image(self, node: Expr) -> Interval:
        args: list[Interval] = []
        if node.func is not sympy.hyper:
            args = [self._ranges[a] for a in node.args]
        if node.is_Add:
            total = args[0]
            for x in args[1:]:
                total = total + x
            return total
        if node.is_Mul:
            product = args[0]
            for x in args[1:]:
                product = product * x
            return product
        if node.is_Pow and node.func is not sympy.exp:
            return _power(node, *args)
        if isinstance(node, HermiteDual) and not any(self.varies(a) for a in node.args[:-1]):
            return _hermite(node, args[-1])
        record = record_of(node.func)
        rule = None if record is None else record.monotone(node)
        if record is None or rule is None:
            return _special(node, args)
        at, fixed = record.index % len(args), not any(self.varies(a) for a in record.parameters(node))
        # for all values of a parameter the image of the whole domain
        x = args[at] if fixed else Interval(*rule.domain, True, True)
        return _monotone(lambda v: node.func(*node.args[:at], v, *node.args[at + 1 :]), x, *rule)

    # conditions ------------------------------------------------------------------------------------------

    def _truth(self, condition: Expr) -> Truth:
        if isinstance(condition, BooleanTrue | BooleanFalse):
            return Truth.of(bool(condition))
        if isinstance(condition, And | Or):
            truths: list[Truth] = [self._ranges[part] for part in condition.args]
            result = truths[0]
            for truth in truths[1:]:
                result = result & truth if isinstance(condition, And) else result | truth
            return result
        if isinstance(condition, Not):
            inner: Truth = self._ranges[condition.args[0]]
            return ~inner
        if isinstance(condition, Relational):
            return self._relation(condition)
        return Truth.UNKNOWN

    def _relation(self, condition: Expr) -> Truth:
        difference = condition.lhs - condition.rhs
        if condition.rel_op in ("<", "<="):
            difference = -difference
        found = self.range(difference)
        if condition.rel_op in ("==", "!="):
            if found.nonzero():
                return Truth.of(condition.rel_op == "!=")
        elif found.positive():
            return Truth.TRUE
        elif found.negative():
            return Truth.FALSE
        self.failed.append(Requirement(condition, difference, NONZERO))
        return Truth.UNKNOWN

    def _piecewise(self, node: Expr) -> Interval:
        result: Interval | None = None
        for value, condition in node.args:
            truth = self._ranges[condition]
            if truth is not Truth.FALSE:
                found = self._ranges[value]
                result = found if result is None else result.hull(found)
            if truth is Truth.TRUE:
                break
        return REALS if result is None else result


def _is_condition(node: Expr) -> bool:
    return not isinstance(node, Expr) and not isinstance(node, ExprCondPair)


def _monotone(
    f: Callable[[Expr], Expr], x: Interval, sign: int, domain: tuple[Expr, Expr], ends: tuple[Expr, Expr]
) -> Interval:
    if sign > 0:
        return increasing(f, x, domain, ends)
    return -increasing(lambda v: -f(v), x, domain, (-ends[0], -ends[1]))


def _hermite(node: HermiteDual, x: Interval) -> Interval:
    """sum a_n^2 x^n, n even or n odd, rises with |x| or with x."""
    f = partial(node.func, *node.args[:-1])
    if node.parity:
        return _monotone(f, x, 1, (S.NegativeOne, S.One), (f(S.NegativeOne), f(S.One)))
    return _monotone(f, x.absolute(), 1, (S.Zero, S.One), (f(S.Zero), f(S.One)))


def _power(node: Expr, base: Interval, exponent: Interval) -> Interval:
    e = node.exp
    if e.is_Integer:
        n = int(e)
        if abs(n) > 1000:
            return REALS
        return base**n if n >= 0 else (base.inverse() ** -n if n != -1 else base.inverse())
    if base.is_point and base.lo == S.Exp1:
        return increasing(sympy.exp, exponent, (-oo, oo), (S.Zero, oo))
    if not base.nonnegative():
        base = base.meet(Interval(S.Zero, oo))
        if not base.nonnegative():
            return REALS
    if e.is_Rational and not dag.has_long_numbers(e):
        if e > 0:
            return increasing(lambda v: v**e, base, (S.Zero, oo), (S.Zero, oo))
        return -increasing(lambda v: -(v**e), base, (S.Zero, oo), (-oo, S.Zero))
    # x^e = exp(e log x); an exponent > 0 sends 0 to 0
    if base.positive():
        log_base = increasing(sympy.log, base, (S.Zero, oo), (-oo, oo))
        return increasing(sympy.exp, exponent * log_base, (-oo, oo), (S.Zero, oo))
    return Interval(S.Zero, oo, False, True)


def _special(node: Expr, args: list[Interval]) -> Interval:
    f = node.func
    if f in (sympy.sin, sympy.cos):
        return _wave(node, args[0])
    if f is sympy.cosh or f is sympy.sech:
        found = increasing(sympy.cosh, args[0].absolute(), (S.Zero, oo), (S.One, oo))
        return found if f is sympy.cosh else found.inverse()
    if f is sympy.Abs:
        return args[0].absolute()
    if f is sympy.Max or f is sympy.Min:
        return _extreme(args, f is sympy.Max)
    if f is sympy.besseli and args[1].nonnegative() and args[0].nonnegative():
        return Interval(S.Zero, oo)
    if f is sympy.gamma and args[0].positive() and not args[0].is_bounded:
        return Interval(S.Zero, oo, True, True)
    return _by_balls(node, args)


def _wave(node: Expr, x: Interval) -> Interval:
    """sin and cos, with sharp ends where they are monotone."""
    if not (x.is_bounded and x.as_ball().is_finite()):
        return Interval(S.NegativeOne, S.One)
    half, even = Interval(-sympy.pi / 2, sympy.pi / 2), x.absolute()
    if node.func is sympy.sin and half.holds(x):
        return increasing(sympy.sin, x, (half.lo, half.hi), (S.NegativeOne, S.One))
    if node.func is sympy.cos and Interval(S.Zero, sympy.pi).holds(even):
        return -increasing(lambda v: -sympy.cos(v), even, (S.Zero, sympy.pi), (S.NegativeOne, S.One))
    return _by_balls(node, [x]).meet(Interval(S.NegativeOne, S.One))


def _extreme(args: list[Interval], largest: bool) -> Interval:
    """Max of intervals: the larger of the lower ends and of the upper ends (an upper end is open if all such are)."""
    if not largest:
        return -_extreme([-x for x in args], True)
    result = args[0]
    for x in args[1:]:
        lower = result.meet(Interval(x.lo, oo, x.lo_open, True))
        upper = result.hull(x)
        result = Interval(lower.lo, upper.hi, lower.lo_open, upper.hi_open)
    return result


def _by_balls(node: Expr, args: list[Interval]) -> Interval:
    """The ball of a function over the balls of its arguments: no sharp ends, but valid."""
    found = record_of(node.func)
    if found is None or not all(x.is_bounded for x in args):
        return REALS
    if node.func is sympy.hyper:
        return REALS
    return from_ball(found.real(*(x.as_ball() for x in args)))
