"""The sign of what grows or falls in one of its parameters, from its value or its limit at an end of the range.

(1 + x) e^(-x) < 1 for x > 0: the difference starts at 0 and its derivative x e^(-x) has one sign. Positive exponentials
are divided out first, and parameters that occur only in one product x = a/b are that product.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import TYPE_CHECKING

from flint import fmpq
from sympy import Add, Dummy, Expr, Mul, Pow, Symbol, exp, nan, oo, zoo

from asymptok import dag
from asymptok.constants.exponents import Bounds, Ranges, exponent_from_expr, to_rational
from asymptok.constants.halving import analytic_where_finite, sign_by_halving
from asymptok.constants.numbers import Number, Terms
from asymptok.errors import AsymptokError
from asymptok.functions import record_of
from asymptok.truth import Sign

if TYPE_CHECKING:
    from asymptok.constants.exact import ExactDomain

__all__ = ["Monotone"]

#: derivatives taken in search of a monotone one
_MAX_DERIVATIVES = 3
_MAX_SIZE, _MAX_SYMBOLS = 150, 3
#: functions looked at for one question
_MAX_LOOKS = 12


class Monotone:
    """Signs by monotony, for one exact domain."""

    def __init__(self, domain: ExactDomain) -> None:
        self.domain = domain
        #: derivatives that may still be taken
        self.depth = _MAX_DERIVATIVES
        #: whether a product of parameters may become one of its own
        self.may_join = True
        self._looks = _MAX_LOOKS

    @property
    def is_fresh(self) -> bool:
        """Whether the question is not one of the many that a derivative raises."""
        return self.depth == _MAX_DERIVATIVES

    def sign(self, a: Number) -> Sign:
        """NEGATIVE or POSITIVE if it is that everywhere; UNKNOWN if nothing was found out."""
        if self.is_fresh:
            self._looks = _MAX_LOOKS
        if not self.depth or not self._looks or self.domain.generators.size(a.terms) > _MAX_SIZE:
            return Sign.UNKNOWN
        self._looks -= 1
        outer, primitive = self.domain.without_content(a.terms)
        sign = self.domain.generators.monomial_signs(outer)
        if not sign.known:
            sign, primitive = Sign.POSITIVE, a.terms
        found = self._by_product(self.domain.to_expr(Number(primitive)))
        if found.known:
            return sign * found
        forms = [primitive]
        lowered = self._without_exponentials(primitive)
        if lowered is not None:
            forms.append(lowered)
        for terms in forms:
            found = self._by_slope(self.domain.to_expr(Number(terms)))
            if found.known:
                return sign * found
        if self.is_fresh:
            return sign * self._by_halving(self.domain.to_expr(Number(primitive)))
        return Sign.UNKNOWN

    def _by_halving(self, expr: Expr) -> Sign:
        with self.at_depth(0):
            return sign_by_halving(expr, self.domain.ranges, self.limit_sign)

    def _without_exponentials(self, terms: Terms) -> Terms | None:
        """Divided by the highest power of every exponential: e^x - x becomes 1 - x e^(-x)."""
        info, keys = self.domain.generators.info, self.domain.monomials.keys
        highest: dict[int, int] = {}
        for i, m in enumerate(terms):
            powers = {
                g: e for g, e in keys[m] if info[g].symbolic and getattr(info[g].expr, "func", None) is exp
            }
            for g in powers.keys() | highest.keys():
                highest[g] = max(powers.get(g, 0), highest.get(g, 0 if i else powers.get(g, 0)))
        index, _ = self.domain.monomials.normal({g: -e for g, e in highest.items() if e})
        return self.domain.monomials.multiply(terms, {index: fmpq(1)}) if index else None

    def _by_slope(self, expr: Expr) -> Sign:
        """What starts at zero or above and grows is positive inside; the same from the upper end."""
        symbols = sorted(dag.free_symbols(expr), key=lambda s: s.name)
        if not symbols or len(symbols) > _MAX_SYMBOLS or not _is_continuous(expr):
            return Sign.UNKNOWN
        for symbol in symbols:
            slope = self._sign_of(dag.derivative(expr, symbol))
            if not slope.nonzero:
                continue
            for way in (Sign.POSITIVE, Sign.NEGATIVE):
                start = self.limit_sign(expr, symbol, -way)
                # moving away from this end the value changes by way * slope
                if start.known and start is not -way * slope:
                    return way * slope
        return Sign.UNKNOWN

    def limit_sign(self, expr: Expr, symbol: Symbol, side: Sign) -> Sign:
        """The sign of the limit at the lower (NEGATIVE) or upper end of the range of a symbol."""
        end = self.domain.ranges.end(symbol, int(side.positive))
        if end is None:
            value = self._limit(expr, symbol, side.number)
        else:
            value = dag.rebuild(expr, {symbol: end})
        if value is None:
            return Sign.UNKNOWN
        found = self._sign_or_infinite(value)
        return found if found.known or not self.depth else self._by_halving(value)

    def _sign_of(self, expr: Expr) -> Sign:
        with self.at_depth(self.depth - 1):
            return self.domain.sign_of(expr)

    def _sign_or_infinite(self, value: Expr) -> Sign:
        return Sign.shown(value is oo, value is -oo) if value in (oo, -oo) else self._sign_of(value)

    @contextmanager
    def at_depth(self, depth: int) -> Iterator[None]:
        """Fewer derivatives for the questions asked on the way; with 0 they are settled without this."""
        before, self.depth = self.depth, depth
        try:
            yield
        finally:
            self.depth = before

    def _limit(self, expr: Expr, symbol: Symbol, way: int) -> Expr | None:
        """The limit as the symbol goes to infinity (way 1) or minus infinity; None if these rules do not tell it."""
        limits: dict[Expr, Expr | None] = {symbol: oo if way > 0 else -oo}
        for node in dag.postorder(expr):
            if node == symbol:
                continue
            if symbol not in dag.free_symbols(node):
                limits[node] = node
                continue
            found = [limits[arg] for arg in node.args]
            parts = [p for p in found if p is not None]
            if node.is_Mul and any(p == 0 for p in parts):
                limits[node] = self._vanishing(node, found, symbol)
            elif len(parts) < len(found):
                limits[node] = None
            elif parts[0] in (oo, -oo) and (limit := _at_infinity(node, parts[0])) is not None:
                limits[node] = limit
            else:
                limits[node] = self._combined(node, parts)
        return limits[expr]

    def _combined(self, node: Expr, parts: list[Expr]) -> Expr | None:
        if node.is_Mul and any(p in (oo, -oo) for p in parts):
            sign = prod((self._sign_or_infinite(part) for part in parts), start=Sign.POSITIVE)
            return (oo if sign.positive else -oo) if sign.nonzero else None
        if node.is_Add and (oo in parts) and (-oo in parts):
            return None
        if node.is_Pow and parts[0] in (oo, -oo) and not parts[1].is_Rational:
            return None
        value = node.func(*parts)
        return None if value.has(nan, zoo) or (value.has(oo) and value not in (oo, -oo)) else value

    def _vanishing(self, node: Expr, parts: list[Expr | None], symbol: Symbol) -> Expr | None:
        """A product with a factor that tends to 0: 0 if all others stay bounded, or an exponential beats powers."""
        beaten = any(
            p == 0 and arg.func is exp and arg.args[0].is_polynomial(symbol)
            for p, arg in zip(parts, node.args, strict=True)
        )
        for part, arg in zip(parts, node.args, strict=True):
            bounded = part is not None and part not in (oo, -oo)
            power = arg is symbol or (arg.is_Pow and arg.base is symbol and arg.exp.is_Rational)
            sum_of_powers = arg.is_polynomial(symbol)
            if not (bounded or (beaten and (power or sum_of_powers))):
                return None
        return Add()

    def _by_product(self, expr: Expr) -> Sign:
        """The expression as a function of one product of its parameters, if it is one."""
        if not self.may_join:
            return Sign.UNKNOWN
        symbols = dag.free_symbols(expr)
        for product in _products(expr):
            own = sorted(dag.free_symbols(product), key=lambda s: s.name)
            powers = product.as_powers_dict()
            chosen = next((s for s in own if powers[s] in (1, -1)), None)
            if chosen is None:
                continue
            joined = Dummy("x", real=True)
            others = Mul(*[Pow(s, e) for s, e in powers.items() if s is not chosen])
            new = dag.rebuild(expr, {chosen: Pow(joined / others, powers[chosen])})
            left = dag.free_symbols(new) - {joined}
            if len(left) >= max(len(symbols), 2) or left & set(own):
                continue
            ranges = {s: _interval(self.domain.ranges.of(s)) for s in left}
            ranges[joined] = _interval(self.domain.ranges.of(product))
            domain = type(self.domain)(Ranges(ranges))
            inner = domain.zero_test.parametric.monotone
            inner.may_join = False
            inner.depth, inner._looks = self.depth - 1, self._looks
            found = domain.sign_of(new)
            if found.known:
                return found
        return Sign.UNKNOWN


def _interval(bounds: Bounds) -> tuple[Expr, Expr]:
    low, high = bounds
    return (-oo if low is None else to_rational(low), oo if high is None else to_rational(high))


def _products(expr: Expr) -> list[Expr]:
    """Products of powers of parameters, other than one parameter alone, in the arguments of functions."""
    found: list[Expr] = []
    for node in dag.postorder(expr):
        if not analytic_where_finite(node) or not dag.free_symbols(node):
            continue
        try:
            form, _ = exponent_from_expr(node.args[0])
        except AsymptokError:
            continue
        for monomial, _ in form:
            _, product = monomial.as_independent(*dag.free_symbols(monomial), as_Add=False)
            simple = all(b.is_Symbol and e.is_Integer for b, e in product.as_powers_dict().items())
            if simple and not product.is_Symbol and product not in found:
                found.append(product)
    return found


def _is_continuous(expr: Expr) -> bool:
    """Made of functions whose values at the end of a range are their limits there."""
    return all(
        not node.args or node.is_Add or node.is_Mul or analytic_where_finite(node)
        or (node.is_Pow and not (node.base.free_symbols and node.exp.free_symbols))
        for node in dag.postorder(expr)
    )  # fmt: skip


def _at_infinity(node: Expr, end: Expr) -> Expr | None:
    """The limit of a monotone function of one argument at plus or minus infinity."""
    record = record_of(node.func)
    rule = record.monotone(node) if record is not None and len(node.args) == 1 else None
    return None if rule is None else dict(zip(rule.domain, rule.limits, strict=True)).get(end)
