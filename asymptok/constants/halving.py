"""The sign of a function of parameters on their open ranges, by halving: values on a box, or a slope of one sign.

1 + x log x has a minimum inside (0, oo): next to 0 it falls to a positive value, beyond 1 it grows from one, and
intervals do the rest. x - sin x starts at 0, and its slope 1 - cos x is nowhere negative. Ends of a range are open;
where the range is cut, both parts contain the cut. docs/theory.md, "Signs with parameters".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from flint import arb, fmpq
from sympy import (
    Add,
    Expr,
    S,
    Symbol,
    cos,
    exp,
    log,
    sin,
)

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants.exponents import Bounds, Ranges, between
from asymptok.functions import record_of
from asymptok.functions.record import Monotone
from asymptok.patience import tick
from asymptok.precision import flint_precision
from asymptok.truth import Sign

__all__ = ["analytic_where_finite", "sign_by_halving"]

_BITS = 128
_MAX_SYMBOLS, _MAX_NODES = 2, 120
#: boxes and slopes looked at for one question, derivatives taken in a row
_LOOKS, _DERIVATIVES = 160, 3
#: ways to write one expression
_FORMS = 5
#: no half-line is cut farther out
_FAR = 2**12
_OO = arb.pos_inf()

Box = dict[Symbol, Bounds]
#: the sign of the limit at an end of the range of a symbol, if it is known
Limit = Callable[[Expr, Symbol, Sign], Sign]


class Span(NamedTuple):
    """lo <= value <= hi; `sign`, where given, is that of every value, also where an end is 0."""

    lo: arb
    hi: arb
    sign: Sign


def sign_by_halving(expr: Expr, ranges: Ranges, limit: Limit) -> Sign:
    """The sign of the expression, if it is shown to be the same for all values in the open ranges.

    `limit(expr, symbol, side)` is the sign of the limit at the lower (NEGATIVE) or upper end of the range of a symbol.

    >>> x = Symbol("x", positive=True)
    >>> sign_by_halving(1 + x*log(x), Ranges({x: (0, S.Infinity)}), lambda *_: Sign.UNKNOWN)
    POSITIVE
    """
    symbols = sorted(dag.free_symbols(expr), key=lambda s: s.name)
    if not symbols or len(symbols) > _MAX_SYMBOLS or any(s.is_integer for s in symbols):
        return Sign.UNKNOWN
    powers = {
        node: exp(node.exp * log(node.base))
        for node in dag.postorder(expr)
        if node.is_Pow and dag.free_symbols(node.base) and dag.free_symbols(node.exp)
    }
    expr = dag.rebuild(expr, powers) if powers else expr
    if dag.tree_size(expr) > _MAX_NODES or not _is_analytic(expr):
        return Sign.UNKNOWN
    with flint_precision(_BITS):
        return _Proof(expr, symbols, ranges, limit).sign()


class _Proof:
    def __init__(self, expr: Expr, symbols: list[Symbol], ranges: Ranges, limit: Limit) -> None:
        self._expr, self._symbols, self._limit = expr, symbols, limit
        self._whole: Box = {s: ranges.of(s) for s in symbols}
        self._looks = _LOOKS
        self._divided: dict[Expr, tuple[Expr, ...]] = {}

    def sign(self) -> Sign:
        expr = self._expr
        inside = {s: arb(between(*self._whole[s])) for s in self._symbols}
        seen = _strict(ball(expr, inside))
        # a value decides which of the two is to be shown, and that the function is not zero throughout
        if not seen.known:
            return seen
        pending = [(self._whole, 0)]
        while pending:
            box, turn = pending.pop()
            if not self._has_sign(expr, box, seen, _DERIVATIVES):
                parts = self._cut(box, turn) if self._looks > 0 else None
                if parts is None:
                    return Sign.UNKNOWN
                pending += [(part, turn + 1) for part in parts]
        return seen

    def _has_sign(self, expr: Expr, box: Box, sign: Sign, depth: int, weakly: bool = False) -> bool:
        """Whether sign * expr > 0 on the box, or >= 0 (`weakly`)."""
        tick("boxes of parameters")
        self._looks -= 1
        # at depth 0 a parameter may be at a cut, which may be 0: nothing is divided by it
        for form in self._forms(expr) if depth else (expr,):
            span = self._span(form, box)
            if span is not None and (span.sign is sign or (weakly and _is_weakly(span, sign))):
                return True
        if span is None or not depth or self._looks < 0:
            return False
        for symbol, way in product(dag.free_symbols(expr), (Sign.POSITIVE, Sign.NEGATIVE)):
            start = self._start(expr, box, symbol, sign, way)
            slope = dag.derivative(expr, symbol) if start.known else expr
            if not start.known or not _is_analytic(slope):
                continue
            # From 0 on an analytic function of one parameter grows strictly if its slope is nowhere negative, since a
            # value shows that it is not constant; with more parameters it may be constant for some of the others.
            enough = weakly or start is sign or (expr is self._expr and len(self._symbols) == 1)
            if self._has_sign(slope, box, way * sign, depth - 1, weakly=enough):
                return True
        return False

    def _forms(self, expr: Expr) -> tuple[Expr, ...]:
        """The expression divided by powers of positive parameters (x - cos x as 1 - cos(x)/x far out), itself last."""
        if expr not in self._divided:
            forms = [expr]
            for symbol in self._symbols:
                low, _ = self._whole[symbol]
                if expr.is_Add and low is not None and low >= 0:
                    terms = Add.make_args(expr.expand())
                    powers = {t.as_powers_dict().get(symbol, S.Zero) for t in terms}
                    forms += [
                        Add(*(t * symbol**-p for t in terms)) for p in powers if p != 0 and p.is_Rational
                    ]
            self._divided[expr] = tuple(reversed(forms[:_FORMS]))
        return self._divided[expr]

    def _start(self, expr: Expr, box: Box, symbol: Symbol, sign: Sign, way: Sign) -> Sign:
        """`sign` or ZERO where the box ends below (way POSITIVE) or above, if that is shown; ZERO only at open ends."""
        i = int(way.negative)
        end = box[symbol][i]
        if end == self._whole[symbol][i]:
            found = self._limit(expr, symbol, -way)
            return found if found in (Sign.ZERO, sign) else Sign.UNKNOWN
        return sign if self._has_sign(expr, {**box, symbol: (end, end)}, sign, 0) else Sign.UNKNOWN

    def _cut(self, box: Box, turn: int) -> list[Box] | None:
        for shift in range(len(self._symbols)):
            symbol = self._symbols[(turn + shift) % len(self._symbols)]
            low, high = box[symbol]
            middle = between(low, high)
            if None in (low, high) and abs(middle) > _FAR:
                continue
            return [{**box, symbol: (low, middle)}, {**box, symbol: (middle, high)}]
        return None

    # values on a box -------------------------------------------------------------------------------------

    def _span(self, expr: Expr, box: Box) -> Span | None:
        """What contains all values on the box; None unless the expression is shown to be finite and real inside."""
        found: dict[Expr, Span] = {}
        for node in dag.postorder(expr):
            if isinstance(node, Symbol):
                value: Span | None = self._symbol(node, box[node])
            elif not dag.free_symbols(node):
                value = _around(ball(node))
            else:
                value = _image(node, [found[a] for a in node.args])
            if value is None or value.lo.is_nan() or value.hi.is_nan():
                return None
            found[node] = value
        return found[expr]

    def _symbol(self, symbol: Symbol, bounds: Bounds) -> Span:
        low, high = bounds
        first, last = self._whole[symbol] if low != high else (None, None)
        above = low is not None and (low > 0 or (low == 0 and low == first))
        below = high is not None and (high < 0 or (high == 0 and high == last))
        return Span(
            -_OO if low is None else arb(low), _OO if high is None else arb(high), Sign.shown(above, below)
        )


def _image(node: Expr, args: list[Span]) -> Span | None:
    if node.is_Add:
        return _sum(args)
    if node.is_Mul:
        total = args[0]
        for factor in args[1:]:
            total = _product(total, factor)
        return total
    if node.is_Pow:
        return _power(node, *args)
    (inside,) = args
    record = record_of(node.func)
    rule = record.monotone(node) if record is not None else None
    if rule is not None:
        return _along(node, inside, rule)
    if node.func in (sin, cos):
        return _wave(node.func, inside)
    if inside.lo.is_finite() and inside.hi.is_finite():
        return None if record is None else _around(record.real(inside.lo.union(inside.hi)))
    return None


def _wave(function: Callable[..., Expr], inside: Span) -> Span:
    """sin or cos between their values at the ends, or up to 1 and down to -1 where a crest or trough may lie."""
    low, high = arb(-1), arb(1)
    if inside.lo.is_finite() and inside.hi.is_finite():
        ends = [x.sin() if function is sin else x.cos() for x in inside[:2]]
        for top in (1, -1):
            # sin has its crests at pi/2 + 2 pi n, its troughs at -pi/2, cos at 0 and at pi
            crest = top * arb.pi() / 2 if function is sin else arb.pi() * (1 - top) / 2
            first, last = ((x - crest) / (2 * arb.pi()) for x in inside[:2])
            if last.upper().floor() < first.lower().ceil():
                if top > 0:
                    high = max(e.upper() for e in ends)
                else:
                    low = min(e.lower() for e in ends)
    return Span(low, high, Sign.shown(low > 0, high < 0))


def _sum(args: list[Span]) -> Span:
    low, high = sum((a.lo for a in args), arb(0)).lower(), sum((a.hi for a in args), arb(0)).upper()
    up = any(a.sign.positive for a in args) and all(a.lo >= 0 for a in args)
    down = any(a.sign.negative for a in args) and all(a.hi <= 0 for a in args)
    return Span(low, high, Sign.shown(low > 0 or up, high < 0 or down))


def _product(a: Span, b: Span) -> Span:
    # finite values only: an end 0 times an infinite one adds nothing that the other corners do not have
    corners = [arb(0) if x == 0 or y == 0 else x * y for x, y in product(a[:2], b[:2])]
    low, high = corners[0].lower(), corners[0].upper()
    for c in corners[1:]:
        low, high = min(low, c.lower()), max(high, c.upper())
    return Span(low, high, a.sign * b.sign)


def _power(node: Expr, base: Span, exponent: Span) -> Span | None:
    power = node.exp
    if power.is_Rational and (power.q == 1 or base.sign.positive):
        if power < 0:
            if not base.sign.nonzero:
                return None
            low, high = _inverse(base.hi, base.sign), _inverse(base.lo, base.sign)
            return _positive_power(Span(low, high, base.sign), -power)
        return _positive_power(base, power)
    if dag.free_symbols(node.base):
        return None
    # b^x = exp(x log b)
    logarithm = _around(ball(node.base).log())
    if logarithm is None:
        return None
    inner = _product(exponent, logarithm)
    return Span(_exponential(inner.lo), _exponential(inner.hi), Sign.POSITIVE)


def _positive_power(base: Span, power: Expr) -> Span:
    low, high = (_raised(x, power) for x in base[:2])
    if power.q == 1 and power.p % 2 == 0:
        least = arb(0) if base.lo <= 0 <= base.hi else min(low.lower(), high.lower())
        return Span(least, max(low.upper(), high.upper()), base.sign * base.sign)
    return Span(low.lower(), high.upper(), base.sign)


def _raised(x: arb, power: Expr) -> arb:
    if not x.is_finite():
        return _OO if x > 0 or power.p % 2 == 0 else -_OO
    return x ** int(power) if power.q == 1 else arb.max(x, arb(0)) ** arb(fmpq(int(power.p), int(power.q)))


def _inverse(x: arb, sign: Sign) -> arb:
    if x == 0:
        return sign.number * _OO
    return 1 / x if x.is_finite() else arb(0)


def _exponential(x: arb) -> arb:
    return x.exp() if x.is_finite() else (_OO if x > 0 else arb(0))


def _along(node: Expr, inside: Span, rule: Monotone) -> Span | None:
    """The values of a monotone function; its argument must stay in the open domain."""
    ends = []
    for x, edge, limit, way in zip(
        inside[:2], rule.domain, rule.limits, (Sign.POSITIVE, Sign.NEGATIVE), strict=True
    ):
        at_edge = not x.is_finite() if not edge.is_finite else x == _exact(edge)
        if at_edge:
            # 0 is the only finite end of which it is known whether it is reached
            if edge.is_finite and not (edge == 0 and inside.sign is way):
                return None
            ends.append(_exact(limit))
        elif x.is_finite() and (not edge.is_finite or way.number * (x - _exact(edge)) > 0):
            found = record_of(node.func)
            if found is None:
                return None
            ends.append(found.real(x))
        else:
            return None
    low, high = ends if rule.sign > 0 else ends[::-1]
    low, high = low.lower(), high.upper()
    # values of a strictly monotone function on an open set do not reach its limits at the ends of its domain
    above, below = min(map(_exact, rule.limits)), max(map(_exact, rule.limits))
    sign = Sign.shown(low > 0 or above >= 0, high < 0 or below <= 0)
    if not sign.known and node.func(S.Zero) == 0:
        sign = Sign.of(rule.sign) * inside.sign
    return Span(low, high, sign)


@lru_cache(maxsize=64)
def _exact(value: Expr) -> arb:
    if value.is_infinite:
        return _OO if value is S.Infinity else -_OO
    return ball(value)


def _around(value: arb) -> Span | None:
    return Span(value.lower(), value.upper(), _strict(value)) if value.is_finite() else None


def _strict(value: arb) -> Sign:
    return Sign.shown(value > 0, value < 0)


def _is_weakly(span: Span, sign: Sign) -> bool:
    return bool(span.lo >= 0) if sign.positive else bool(span.hi <= 0)


def analytic_where_finite(node: Expr) -> bool:
    """A function of one argument that is real analytic wherever it is finite, and continuous up to the ends of a range.

    So are all that are analytic or have poles, and those that are monotone on all of their domain.
    """
    record = record_of(node.func)
    if record is None or len(node.args) != 1:
        return False
    return not record.many_sheets or record.monotone(node) is not None


def _is_analytic(expr: Expr) -> bool:
    return all(
        not node.args or node.is_Add or node.is_Mul or analytic_where_finite(node)
        or (node.is_Pow and (node.exp.is_Rational or not dag.free_symbols(node.base)))
        for node in dag.postorder(expr)
    )  # fmt: skip
