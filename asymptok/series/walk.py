"""The walk: the expansion of a SymPy expression, each distinct subexpression once, to the order that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import cast

from flint import fmpq
from sympy import Expr, Piecewise, Symbol, exp, hyper
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants.ball_domain import BallDomain
from asymptok.constants.domain import Domain, opaque
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import RATIONAL, Form, Ranges, exponent_from_expr
from asymptok.dag import postorder
from asymptok.errors import AsymptokError, ExpansionError, Undecided
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.expanding import Node, by_rule, direction
from asymptok.functions.hypergeometric import hypergeometric
from asymptok.patience import tick
from asymptok.quantities import Element
from asymptok.series.algebra import substituted
from asymptok.series.context import Context
from asymptok.series.elementary import exponential, logarithm, power
from asymptok.series.rational_values import rational_value
from asymptok.series.truncated import Key, NeedMoreTerms, NotIntegrable, OTerm, Series
from asymptok.symbols import Correlation, MeanProduct
from asymptok.truth import Sign, Truth

#: the working order starts this much above the order asked for: acos and sqrt at a branch point cost one half
_GUARD = fmpq(1, 2)
#: the working order is raised by at most this much
_MAX_EXTRA = 60
#: raises without any gain after which an exponent with a parameter in it is left as it is
_PATIENCE = 3


#: subexpressions that bear a name, with their definitions in terms of the variable and of each other
Layers = Mapping[Symbol, Expr]
_NO_LAYERS: Layers = {}


class Walk(Context):
    """Expansions of subexpressions in one variable, at one working order."""

    def __init__(
        self, dom: Domain, top: fmpq, variable: Symbol, leaf: Series, layers: Layers = _NO_LAYERS
    ) -> None:
        super().__init__(dom, top)
        self.variable = variable
        self._memo: dict[Expr, Series] = {variable: leaf}
        #: names of constants, with their values
        self._values: dict[Expr, Expr] = {}
        for symbol, definition in layers.items():
            if not dag.free_symbols(definition) & {variable, *layers} - self._values.keys():
                self._values[symbol] = dag.rebuild(definition, self._values)
        self._layers = {symbol: f for symbol, f in layers.items() if symbol not in self._values}
        self._varying: dict[Expr, bool] = {variable: True, **dict.fromkeys(self._layers, True)}
        self._arc_cosines: dict[tuple[int, int], Series] = {}
        self._keep: list[Series] = []
        #: over balls, rational values at the point: 1/3 + 2/3 is 1, and no ball knows it
        start = dom.as_rational(leaf.limit() or dom.zero) if isinstance(dom, BallDomain) else None
        self._rationals: dict[Expr, fmpq] = {} if start is None else {variable: start}

    def series(self, expr: Expr) -> Series:
        """The expansion of an expression; children first, on an explicit stack (networks are deep)."""
        stack = [expr]
        memo = self._memo
        while stack:
            tick("the terms of an expansion")
            node = stack[-1]
            if node in memo:
                stack.pop()
                continue
            if isinstance(node, Symbol) and node in self._layers:
                memo[node] = (
                    self._correlation(node, self._layers[node])
                    if isinstance(node, Correlation)
                    else self._layer(node, self._layers[node])
                )
                stack.pop()
                continue
            if not self._varies(node):
                memo[node] = Series.constant(self.dom, self.top, self.dom.constant(self._valued(node)))
                stack.pop()
                continue
            missing = [child for child in _children(node) if child not in memo]
            if missing:
                stack += missing
                continue
            try:
                result = self._node(node)
            except NotIntegrable:
                raise ExpansionError(f"{dag.brief(node)} is unbounded at the point", node) from None
            if self._rationals:
                result = self._with_rational(node, result)
            memo[node] = result if node is expr else result.compacted()
            stack.pop()
        return memo[expr]

    def _with_rational(self, node: Expr, found: Series) -> Series:
        """The series with its value at the point, if that is rational for a reason that is seen."""
        value = rational_value(node, self._rationals)
        if value is None:
            return found
        self._rationals[node] = value
        start = {0: self.dom.rational(value)} if value != 0 else {}
        plain = start | {i: c for i, c in found.blocks.get((RATIONAL, 0), {}).items() if i}
        return found.like(found.q, {**found.blocks, (RATIONAL, 0): plain}, found.rem)

    def _correlation(self, symbol: Correlation, definition: Expr) -> Series:
        """A correlation, whose limit needs no look at its formula: 1 where u is, and what its name tells at u = -1."""
        found, dom = self.series(definition).compacted(), self.dom
        where = dom.as_rational(self._memo[self.variable].limit() or dom.zero)
        end = 1 if where == 1 else symbol.end if where == -1 else None
        if end is None:
            return found
        plain = found.blocks.get((RATIONAL, 0), {})
        limit = dom.rational(end) if end else dom.held(plain[0], -1, 1) if 0 in plain else None
        return found.like(
            found.q,
            found.blocks if limit is None else {**found.blocks, (RATIONAL, 0): {**plain, 0: limit}},
            found.rem,
        )

    def _layer(self, name: Symbol, definition: Expr) -> Series:
        """A layer: as a function of the one before it, if of that alone, and the series of that one put in.

        Parts of a layer that cancel do so while the constants are short; put together over u they would be as long
        as the whole network.
        """
        below = dag.free_symbols(definition) & {self.variable, *self._layers}
        if len(below) != 1:
            return self.series(definition)
        (symbol,) = below
        argument = self.series(symbol)
        limit = argument.limit()
        if limit is None:
            return self.series(definition)
        rest = argument.without_constant()
        if rest.is_empty:  # a constant, up to something flat
            return self.series(definition)
        if isinstance(symbol, Correlation) and isinstance(name, MeanProduct) and self._is_inside(limit):
            return self._taylor(name, definition, symbol, limit, rest)
        lead = rest.lead()
        if lead.form or lead.log_power:
            return self.series(definition)
        # 1, -1 and 0 are the points where functions are singular: a sum that is one of them must be seen to be it
        known = [
            n
            for n in (1, -1, 0)
            if self.dom.is_zero(self.dom.add(limit, self.dom.rational(-n))) is Truth.TRUE
        ]
        start = self.dom.rational(known[0]) if known else limit
        side = self.dom.sign(lead.coefficient)
        if isinstance(symbol, Correlation) and known and known[0]:
            side = Sign.of(-known[0])  # it stays in [-1, 1]
        if not side.known:
            raise self.dom.undecided(lead.coefficient, "the sign of {}", self._valued(definition))
        mirrored = isinstance(name, MeanProduct) and bool(name.parity) and known == [-1]
        if mirrored:  # kappa(-1 + s) = +-kappa(1 - s)
            start, known = self.dom.one, [1]
        step = {1: self.dom.rational(1 if side.positive and not mirrored else -1)}
        top = self.top / lead.rest
        leaf = Series(
            self.dom, top, 1, {(RATIONAL, 0): step if self.dom.is_empty(start) else {0: start, **step}}
        )
        outer = None
        if known and isinstance(self.dom, BallDomain):
            outer = self._in_balls(definition, symbol, top, known[0], side.positive and not mirrored)
        elif known:
            outer = self._for_every_value(definition, symbol, leaf, known[0])
        if outer is None:
            outer = Walk(self.dom, top, symbol, leaf).series(self._valued(definition))
        if mirrored:
            outer = outer.scaled(self.dom.rational(name.parity))
        distance = rest if side.positive else -rest
        return substituted(outer, distance, lead.rest, definition).compacted()

    def _in_balls(
        self, definition: Expr, symbol: Symbol, top: fmpq, start: int, rising: bool
    ) -> Series | None:
        """A layer at a point where functions are singular: balls alone leave open which of its terms vanish."""
        dom = self.dom
        try:
            terms, q, rem = _exact_layer(definition, symbol, top, start, rising)
            values = {cast(Symbol, s): ball(value) for s, value in self._values.items()}
            blocks: dict[Key, dict[int, Element]] = {}
            for c, form, rest, j in terms:
                blocks.setdefault((form, j), {})[int(rest * q)] = cast(Element, ball(c, values))
        except AsymptokError:
            return None
        return Series(dom, top, q, blocks, rem)

    def _is_inside(self, limit: Element) -> bool:
        """Whether -1 < limit < 1 is proved."""
        sign, add, one = self.dom.sign, self.dom.add, self.dom.one
        return sign(add(one, limit)).positive and sign(add(one, self.dom.neg(limit))).positive

    def _taylor(
        self, name: MeanProduct, definition: Expr, symbol: Correlation, limit: Element, rest: Series
    ) -> Series:
        """A mean as a function of a correlation inside (-1, 1), where it is analytic: on both sides of the limit."""
        dom = self.dom
        least = min((form_rest for _, form, form_rest, _ in rest.terms() if not form), default=self.top)
        if any(form for _, form, _, _ in rest.terms()) or least <= 0:
            return self.series(definition)
        top = self.top / least
        start = {} if dom.is_empty(limit) else {0: limit}
        leaf = Series(dom, top, 1, {(RATIONAL, 0): {**start, 1: dom.one}})
        outer = Walk(dom, top, symbol, leaf).series(self._valued(definition))
        held = {
            key: {i: self._below_one(name, definition, symbol, i, c) for i, c in vector.items()}
            for key, vector in outer.blocks.items()
        }
        return substituted(outer.like(outer.q, held, outer.rem), rest, least, definition).compacted()

    def _below_one(
        self, name: MeanProduct, definition: Expr, symbol: Correlation, i: int, c: Element
    ) -> Element:
        """A coefficient inside (-1, 1), a long one under a name; mean and slope as shares of those at 1."""
        dom = self.dom
        held = dom.held(c)
        if held is c or i > 1 or not name.varies[i]:
            return held
        leaf = Series(dom, fmpq(3, 2), 1, {(RATIONAL, 0): {0: dom.one, 1: dom.rational(-1)}})
        found = self._for_every_value(definition, symbol, leaf, 1)
        if found is None or set(found.blocks) != {(RATIONAL, 0)}:
            return held
        at_one = found.blocks[RATIONAL, 0]
        index = i * found.q
        if index not in at_one or any(0 < j < index for j in at_one):
            return held  # the slope at 1 is infinite
        largest = at_one[index] if i == 0 else dom.neg(at_one[index])
        return dom.mul(largest, dom.held(dom.mul(c, dom.inverse(largest)), 0 if name.signs[i] else -1, 1))

    def _for_every_value(self, definition: Expr, symbol: Symbol, leaf: Series, start: int) -> Series | None:
        """A layer as a series for all values of its named constants, the values put in after what vanishes for all."""
        dom = self.dom
        try:
            found = Walk(dom, leaf.top, symbol, leaf).series(definition)
            blocks = {
                key: {i: c for i, c in vector.items() if not dom.is_proved_zero(c)}
                for key, vector in found.blocks.items()
            }
            if self._values:
                blocks = {
                    key: {i: dom.constant(self._valued(dom.to_expr(c))) for i, c in vector.items()}
                    for key, vector in blocks.items()
                }
        except AsymptokError:
            return None
        return self._held(found.like(found.q, blocks, found.rem), start)

    def _held(self, found: Series, start: int) -> Series:
        """The terms up to the first that is no polynomial, long ones as names that know their signs.

        At 1 a mean E[phi(X) phi(Y)] and its slope are positive: it is a power series with coefficients >= 0.
        """
        dom = self.dom
        plain = dict(found.blocks.get((RATIONAL, 0), {}))
        slope, kink = (
            min((i for i in plain if i > 0), default=0),
            min((i for i in plain if i % found.q), default=0),
        )
        for i, c in plain.items():
            sign = Sign.UNKNOWN
            if start == 1 and (i == 0 or (i == slope == found.q and len(found.blocks) == 1)):
                sign = Sign.POSITIVE if i == 0 else Sign.NEGATIVE
            elif i and i == kink:
                sign = dom.sign(c)
            if sign.negative:
                plain[i] = dom.neg(dom.held(dom.neg(c), 0))
            else:
                plain[i] = dom.held(c, 0 if sign.positive else None)
        return found.like(found.q, {**found.blocks, (RATIONAL, 0): plain}, found.rem)

    def _valued(self, expr: Expr) -> Expr:
        return dag.rebuild(expr, self._values) if self._values else expr

    def _varies(self, expr: Expr) -> bool:
        """Does the variable occur? Each node is asked once: SymPy's own test walks the tree, not its shared nodes."""
        known = self._varying
        if expr not in known:
            for node in postorder(expr):
                if node not in known:
                    known[node] = any(known[child] for child in node.args)
        return known[expr]

    def _node(self, node: Expr) -> Series:
        if node.is_Add:
            total = self._memo[node.args[0]]
            for term in node.args[1:]:
                total = total + self._memo[term]
            return total
        if node.is_Mul:
            product = self._memo[node.args[0]]
            for factor in node.args[1:]:
                product = product * self._memo[factor]
            return product
        if node.is_Pow and node.func is not exp:
            return self._power(node)
        if node.func is Piecewise:
            return self._piecewise(node)
        if any(not isinstance(child, Expr) and self._varies(child) for child in node.args):
            # parameters in a tuple, bound variables, O-terms: nothing that a rule could receive
            raise ExpansionError(f"no local expansion is known for {dag.brief(node)}", node)
        if node.func is hyper:
            upper, lower = ([self.dom.constant(x) for x in group] for group in (node.ap, node.bq))
            return by_rule(hypergeometric, self, node, upper, lower, self._memo[node.argument])
        if node.func is ArcCosine:
            return self.arc_cosine(int(node.args[0]), self._memo[node.args[1]], node)
        if any(child not in self._memo for child in node.args):
            raise ExpansionError(f"no local expansion is known for {dag.brief(node)}", node)
        return self.expand(node.func, *[self._memo[child] for child in node.args], node=node)

    def arc_cosine(self, n: int, a: Series, node: Node | None = None) -> Series:
        """kappa_n of a series, remembered: kappa_1 and kappa_0 of the same layer share their work."""
        key = (n, id(a))
        found = self._arc_cosines.get(key)
        if found is None:
            found = self._arc_cosines[key] = super().arc_cosine(n, a, node)
            self._keep.append(a)  # an id is a key only as long as its object lives
        return found

    def _power(self, node: Expr) -> Series:
        base, exponent = node.args
        if not self._varies(exponent):
            return power(self._memo[base], *exponent_from_expr(exponent), node)
        return exponential(self._memo[exponent] * logarithm(self._memo[base], node), node)

    def _piecewise(self, node: Expr) -> Series:
        for pair in node.args:
            value, condition = pair.args
            if self._holds(condition, node):
                return self.series(value)
        raise ExpansionError(f"{dag.brief(node)}: no branch holds next to the point", node)

    def _holds(self, condition: object, node: Expr) -> bool:
        if isinstance(condition, BooleanTrue | BooleanFalse | bool):
            return bool(condition)
        if isinstance(condition, And):
            return all(self._holds(part, node) for part in condition.args)
        if isinstance(condition, Or):
            return any(self._holds(part, node) for part in condition.args)
        if isinstance(condition, Not):
            return not self._holds(condition.args[0], node)
        if isinstance(condition, Relational):
            side = direction(self.series(condition.lhs - condition.rhs), node)
            compare = {
                "<": side < 0,
                "<=": side <= 0,
                ">": side > 0,
                ">=": side >= 0,
                "==": side == 0,
                "!=": side != 0,
            }
            return compare[condition.rel_op]
        raise ExpansionError(f"{dag.brief(node)}: the condition {condition} is not a comparison", node)


@lru_cache(maxsize=64)
def _exact_layer(
    definition: Expr, symbol: Symbol, top: fmpq, start: int, rising: bool
) -> tuple[list[tuple[Expr, Form, fmpq, int]], int, tuple[OTerm, ...]]:
    """The terms in s of a layer at start + s, or start - s, exact for every value of the constants with names."""
    dom = opaque(ExactDomain(Ranges()))
    begin, step = {0: dom.rational(start)} if start else {}, dom.rational(1 if rising else -1)
    found = Walk(dom, top, symbol, Series(dom, top, 1, {(RATIONAL, 0): {**begin, 1: step}})).series(
        definition
    )
    terms = [
        (dom.to_expr(c), form, rest, j) for c, form, rest, j in found.terms() if not dom.is_proved_zero(c)
    ]
    return terms, found.q, found.rem


def _children(node: Expr) -> tuple[Expr, ...]:
    # The branches of a Piecewise are expanded on demand: those not taken may have no expansion.
    if node.func is hyper:
        return (node.argument,)
    return () if node.func is Piecewise else tuple(child for child in node.args if isinstance(child, Expr))


def expand_expression(
    dom: Domain,
    expr: Expr,
    variable: Symbol,
    leaf: Callable[[fmpq], Series],
    order: fmpq,
    layers: Layers = _NO_LAYERS,
) -> Series:
    """The expansion of `expr` with every term up to t^order.

    `leaf` makes the series of the variable for a working order. Cancellation may eat terms: the walk is then
    repeated with a higher working order, a bounded number of times.
    """
    top, step = order + _GUARD, _GUARD
    best: tuple[fmpq, Series] | None = None
    stalls = 0
    while top <= order + _MAX_EXTRA:
        try:
            result = Walk(dom, top, variable, leaf(top), layers).series(expr)
            reach = _reach(dom, result)
            if reach is None or reach > order:
                return result
            if _left_to_parameters(dom, result, order):
                if best is None or reach > best[0]:
                    best, stalls = (reach, result), 0
                else:
                    stalls += 1
                if stalls == _PATIENCE:
                    # More terms do not help: a parameter lets infinitely many of them lie below the order.
                    return best[1]
            missing = order - reach
        except NeedMoreTerms as need:
            missing = need.amount
        # Series on a coarse lattice gain nothing from a small raise, so that the steps grow.
        top += max(missing, step)
        step *= 2
    if best is not None:
        return best[1]
    raise Undecided(
        f"{dag.brief(expr)}: no non-zero term was found within {_MAX_EXTRA} orders where one is needed"
        " (a difference that cancels to all orders?)"
    )


def _reach(dom: Domain, result: Series) -> fmpq | None:
    """The exponent up to which all terms are known, whatever the parameters; None if the sum is exact."""
    lows = []
    for form, rest, _ in result.rem:
        low = dom.ranges.bounds(form)[0] if form else fmpq(0)
        lows.append(fmpq(-_MAX_EXTRA) if low is None else rest + low)
    return min(lows, default=None)


def _left_to_parameters(dom: Domain, result: Series, order: fmpq) -> bool:
    """Does it depend on parameters, for every O-term that is not above the order, whether it is?"""
    signs = [(form, dom.ranges.sign(form, rest - order)) for form, rest, _ in result.rem]
    short = [form for form, sign in signs if not sign.positive]
    return all(any(m.free_symbols for m, _ in form) for form in short) and not any(
        sign.nonpositive for _, sign in signs
    )
