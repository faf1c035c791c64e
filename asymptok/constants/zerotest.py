"""Is an exact constant zero, and what is its sign? Balls first, then normal forms, then a height bound.

The order of the tests, and why each of them is a proof, is in docs/theory.md, "What is decided, and how".
"""

from __future__ import annotations

from math import ceil, lcm, log2
from typing import TYPE_CHECKING, Any

from flint import arb, fmpq
from sympy import (
    Add,
    Dummy,
    Expr,
    Integer,
    Poly,
    Rational,
    Symbol,
    acos,
    acosh,
    acot,
    asin,
    asinh,
    atan,
    atanh,
    cos,
    cosh,
    cot,
    coth,
    erf,
    erfc,
    exp,
    fraction,
    gamma,
    log,
    pi,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    together,
    totient,
)

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants.boxes import BoxSigns
from asymptok.constants.exponents import to_rational
from asymptok.constants.gamma_values import gamma_by_others
from asymptok.constants.generators import BASE_BITS
from asymptok.constants.numbers import ONE, UNIT, Number, Terms, add_terms, from_units
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.depth import SlopeProduct
from asymptok.precision import flint_precision
from asymptok.truth import Truth

if TYPE_CHECKING:
    from asymptok.constants.exact import ExactDomain

#: precisions tried, in bits, for a constant that the base precision does not separate from zero
_LADDER = (512, 4096)
_MAX_BITS = 40_000
_MAX_TERMS = 4_000
_SMALL = 12
#: nodes up to which a sum of fractions is brought over one denominator
_FRACTION = 300
#: derivatives taken in search of a monotone one
_MAX_DERIVATIVES = 2


class ZeroTest:
    """The zero and sign tests of one exact domain."""

    def __init__(self, domain: ExactDomain) -> None:
        self.domain = domain
        self.boxes = BoxSigns(domain)
        self._looked_at: set[int] = set()
        #: derivatives that may still be taken
        self._depth = _MAX_DERIVATIVES

    def is_zero(self, a: Number) -> Truth:
        sign = self.sign(a)
        if sign is not None:
            return Truth.TRUE if sign == 0 else Truth.FALSE
        if self._never_vanishes(a.terms):
            return Truth.FALSE
        return Truth.TRUE if self._vanishes(a.terms) else Truth.UNKNOWN

    def _never_vanishes(self, terms: Terms) -> bool:
        """One product of factors none of which is zero: Gamma has no zeros, whatever its sign."""
        if len(terms) != 1:
            return False
        generators = self.domain.generators
        factors = [generators.info[g] for m in terms for g, _ in generators.monomials.keys[m]]
        return all(f.sign in (1, -1) or (f.expr is not None and f.expr.func is gamma) for f in factors)

    def sign(self, a: Number) -> int | None:
        """-1, 0 or 1 if it is the same for all values of the parameters; None if that is not known."""
        if not a.terms:
            return 0
        generators = self.domain.generators
        if any(generators.info[g].symbolic for m in a.terms for g, _ in generators.monomials.keys[m]):
            return self._symbolic_sign(a)
        if a.ball is None:
            with flint_precision(BASE_BITS):
                a.ball = generators.evaluate(a.terms, generators.balls)
        found = _ball_sign(a.ball)
        if found is not None:
            return found
        if self._vanishes(a.terms):
            return 0
        for bits in _LADDER:
            found = _ball_sign(generators.ball_at(a.terms, bits))
            if found is not None:
                return found
        return self._algebraic_sign(a.terms)

    # constants with parameters ---------------------------------------------------------------------------

    def _symbolic_sign(self, a: Number) -> int | None:
        generators = self.domain.generators
        self._find_signs(a.terms)
        found = generators.monomial_signs(a.terms)
        if found is not None:
            return found
        found = self._polynomial_sign(a)
        if found is not None:
            return found
        found = self._interval_sign(a)
        if found is not None:
            return found
        if self._vanishes(a.terms):
            return 0
        found = self.boxes.sign(a.terms)
        if found is None:
            found = self._fraction_sign(a)
        if found is None:
            found = self._root_sign(a)
        if found is not None:
            return found
        if generators.size(a.terms) > _SMALL:
            return None  # SymPy's own inference takes seconds on larger expressions
        expr = self.domain.to_expr(a)
        if expr.is_positive or expr.is_negative:
            return 1 if expr.is_positive else -1
        return self._monotone_sign(expr, self._depth)

    def _find_signs(self, terms: Terms) -> None:
        """0 < kappa_n(x) < 1 where -1 < x < 1 is proved, and what follows for the polynomials above."""
        generators = self.domain.generators
        for g in generators.closure(terms):
            info = generators.info[g]
            if not info.symbolic or g in self._looked_at:
                continue
            if info.polynomial is not None and info.sign is None:
                info.sign = generators.monomial_signs(info.polynomial)
            elif info.expr is not None and info.expr.func is ArcCosine:
                self._looked_at.add(g)
                if self._is_inside(info.expr.args[1]):
                    info.sign, info.below_one = 1, True

    def _is_inside(self, x: Expr) -> bool:
        """Whether -1 < x < 1 is proved."""
        value = self.domain.constant(x)
        return all(self.sign(self.domain.add(ONE, y)) == 1 for y in (value, self.domain.neg(value)))

    def _monotone_sign(self, expr: Expr, depth: int) -> int | None:
        """In one parameter: what starts at zero or above and grows is positive inside; the same from the upper end."""
        symbols = dag.free_symbols(expr)
        if len(symbols) != 1 or not depth or not _is_continuous(expr):
            return None
        (symbol,) = symbols
        slope = self._sign_of(dag.derivative(expr, symbol), depth - 1)
        if slope not in (1, -1):
            return None
        for end, way in zip(self.domain.ranges.of(symbol), (1, -1), strict=True):
            if end is None:
                continue
            start = self._sign_of(dag.rebuild(expr, {symbol: to_rational(end)}), 0)
            # moving away from this end the value changes by way * slope
            if start is not None and start != -way * slope:
                return way * slope
        return None

    def _sign_of(self, expr: Expr, depth: int) -> int | None:
        try:
            value = self.domain.constant(expr)
        except AsymptokError:
            return None
        before, self._depth = self._depth, depth
        try:
            return self.sign(value)
        finally:
            self._depth = before

    def eliminated(self, terms: Terms, g: int) -> list[Terms] | None:
        """The terms with a generator replaced by its definition; see `_eliminate`."""
        definition = self._definition(g)
        return None if definition is None else self._eliminate(terms, g, definition)

    def is_proved_zero(self, a: Number) -> bool:
        """Zero for all values of the parameters, by the tests that cost little."""
        generators = self.domain.generators
        if any(generators.info[g].symbolic for m in a.terms for g, _ in generators.monomials.keys[m]):
            return self._vanishes(a.terms)
        return self.sign(a) == 0

    def _polynomial_sign(self, a: Number) -> int | None:
        """A polynomial over Q in one parameter has one sign if it has no root in the open range (Sturm)."""
        factor, primitive = self.domain.primitive(a.terms)
        outer = self.domain.generators.monomial_signs(factor)
        primitive = self._without_common_root(primitive)
        expr = self.domain.to_expr(Number(primitive))
        symbols = dag.free_symbols(expr)
        if outer is None or len(symbols) != 1:
            return None
        (symbol,) = symbols
        if not _is_rational_polynomial(expr) or self.domain.generators.size(primitive) > 200:
            return None
        polynomial = Poly(expr, symbol)
        if not polynomial.domain.is_QQ and not polynomial.domain.is_ZZ:
            return None
        if polynomial.is_zero:
            return 0
        low, high = (None if end is None else to_rational(end) for end in self.domain.ranges.of(symbol))
        roots = polynomial.count_roots(low, high)  # counts the ends too, which are not in the range
        roots -= sum(1 for end in (low, high) if end is not None and polynomial.eval(end) == 0)
        if roots:
            return None
        inside = _between(low, high)
        return outer if polynomial.eval(inside) > 0 else -outer

    def _fraction_sign(self, a: Number) -> int | None:
        """Over one denominator, every parameter and kappa_n(x), -1 < x < 1, written by an unknown z > 0.

        1 - ((b - w)/(b + w))^2 = 4 b w/(b + w)^2 for b, w > 0, and low + (high - low)/(1 + z) for a bounded range: if
        all terms of numerator and denominator have one sign, that is the sign of the quotient.
        """
        if self.domain.generators.size(a.terms) > _FRACTION:
            return None
        expr = self.domain.to_expr(a)
        if not (expr.is_Add or expr.is_Mul):
            return None
        unknowns: dict[Expr, Expr] = {}
        for node in dag.postorder(expr):
            if node.func is SlopeProduct:
                unknowns[node] = self._slope_product(node.args[0])
            if node.func is ArcCosine and dag.free_symbols(node):
                if not self._is_inside(node.args[1]):
                    return None
                unknowns[node] = 1 / (1 + Dummy(positive=True))
        for symbol in dag.free_symbols(expr):
            unknowns[symbol] = _by_positive(*self.domain.ranges.of(symbol))
        rational = dag.rebuild(expr, unknowns)
        if not rational.is_rational_function(*dag.free_symbols(rational)):
            return None
        sign = 1
        for part in fraction(together(rational)):
            signs = {_sign_of_term(term) for term in Add.make_args(part.expand())}
            if len(signs) != 1 or None in signs:
                return None
            sign *= signs.pop() or 0
        return sign

    def _root_sign(self, a: Number) -> int | None:
        """x + y sqrt(D): where x and y have opposite signs, that of x times that of x^2 - y^2 D."""
        if self.domain.generators.size(a.terms) > _FRACTION:
            return None
        expr = self.domain.to_expr(a)
        bases = [
            node.base
            for node in dag.postorder(expr)
            if node.is_Pow and node.exp.is_Rational and node.exp.q == 2 and dag.free_symbols(node.base)
        ]
        if not bases or self._sign_of(bases[0], 0) != 1:
            return None
        base, root = bases[0], Dummy()
        powers = {
            node: root * base ** (node.exp - Rational(1, 2))
            for node in dag.postorder(expr)
            if node.is_Pow and node.base == base and node.exp.is_Rational and node.exp.q == 2
        }
        form = dag.rebuild(expr, powers).expand()
        x, y = form.coeff(root, 0), form.coeff(root, 1)
        if (form - x - y * root).expand() != 0 or root in dag.free_symbols(x) | dag.free_symbols(y):
            return None
        first, second = self._sign_of(x, 0), self._sign_of(y, 0)
        if first is None or second is None:
            return None
        if first * second >= 0:
            return first or second
        inner = self._sign_of((x**2 - y**2 * base).expand(), 0)
        return None if inner is None else first * inner

    def _slope_product(self, depth: Expr) -> Expr:
        """An unknown for the product of the slopes of a deep network: below 1 if the depth exceeds 2, else positive."""
        z = Dummy(positive=True)
        low = self.domain.ranges.of(depth)[0] if depth.is_Symbol else None
        return 1 / (1 + z) if low is not None and low >= 2 else z

    def _without_common_root(self, terms: Terms) -> Terms:
        """Divided by the roots of primes that all terms share: sqrt(2) a - sqrt(2) becomes a - 1."""
        monomials = self.domain.monomials
        parts = [
            [(g, e) for g, e in monomials.keys[m] if (g in monomials.primes) is rational]
            for m in terms
            for rational in (True, False)
        ]
        roots, others = parts[0::2], parts[1::2]
        if not roots[0] or any(root != roots[0] for root in roots):
            return terms
        return {monomials.index(tuple(rest)): c for rest, c in zip(others, terms.values(), strict=True)}

    def _interval_sign(self, a: Number) -> int | None:
        """Interval arithmetic over bounded ranges; the ends are open, so a bound of 0 is not attained."""
        ranges = self.domain.ranges
        boxes = {}
        expr = self.domain.to_expr(a)
        for symbol in dag.free_symbols(expr):
            low, high = ranges.of(symbol)
            if low is None or high is None:
                return None
            boxes[symbol] = (low, high)
        linear = _linear_sign(expr, boxes)
        if linear is not None:
            return linear
        with flint_precision(BASE_BITS):
            try:
                return _ball_sign(ball(expr, {s: arb(lo).union(arb(hi)) for s, (lo, hi) in boxes.items()}))
            except AsymptokError:
                return None

    # normal form -----------------------------------------------------------------------------------------

    def _vanishes(self, terms: Terms) -> bool:
        """True is a proof of zero: relations are applied until only free generators remain."""
        pending = [terms]
        generators = self.domain.generators
        keys = generators.monomials.keys
        while pending:
            current = pending.pop()
            if not current:
                continue
            if len(current) > _MAX_TERMS:
                return False
            present = {g for m in current for g, _ in keys[m]}
            # values of Gamma first: the roots that their relations bring in cancel among themselves
            for g in sorted(present, key=lambda g: (self._is_gamma(g), g), reverse=True):
                definition = self._definition(g)
                if definition is not None:
                    groups = self._eliminate(current, g, definition)
                    if groups is not None:
                        pending += groups
                        break
            else:
                parts = self._by_transcendentals(current)
                if parts is None or any(self._algebraic_sign(part) != 0 for part in parts):
                    return False
        return True

    def _by_transcendentals(self, terms: Terms) -> list[Terms] | None:
        """The algebraic factors of each product of other constants: if all vanish, so does the sum."""
        generators = self.domain.generators
        parts: dict[tuple[tuple[int, int], ...], Terms] = {}
        for m, c in terms.items():
            key = generators.monomials.keys[m]
            if any(generators.info[g].symbolic for g, _ in key):
                return None
            algebraic = {g: e for g, e in key if self._is_algebraic(g)}
            other = tuple((g, e) for g, e in key if g not in algebraic)
            index, factor = generators.monomials.normal(algebraic)
            part = parts.setdefault(other, {})
            part[index] = part.get(index, fmpq(0)) + (c if factor is None else c * factor)
        return list(parts.values())

    def _is_gamma(self, g: int) -> bool:
        expr = self.domain.generators.info[g].expr
        return expr is not None and expr.func is gamma

    def _is_algebraic(self, g: int) -> bool:
        generators = self.domain.generators
        info = generators.info[g]
        if info.polynomial is not None:
            return all(self._is_algebraic(x) for x in generators.closure(info.polynomial))
        return g in generators.monomials.primes or _turn(info.expr) is not None

    def _definition(self, g: int) -> Terms | None:
        info = self.domain.generators.info[g]
        if info.polynomial is not None:
            return info.polynomial
        assert info.expr is not None
        rewritten = _rewritten(info.expr)
        if rewritten is None:
            return None
        try:
            return self.domain.constant(rewritten).terms
        except AsymptokError:
            return None

    def _eliminate(self, terms: Terms, g: int, definition: Terms) -> list[Terms] | None:
        """Polynomials that together vanish only if `terms` does, with g**e replaced by its definition.

        The terms are grouped by the fractional part of the exponent of g; a group is divided by the lowest
        power of g in it, which is not zero, so that only whole powers remain.
        """
        monomials = self.domain.generators.monomials
        groups: dict[int, dict[int, Terms]] = {}
        for m, c in terms.items():
            exponents = dict(monomials.keys[m])
            whole, fraction = divmod(exponents.pop(g, 0), UNIT)
            index, _ = monomials.normal(exponents)
            part = groups.setdefault(fraction, {}).setdefault(whole, {})
            part[index] = part.get(index, fmpq(0)) + c
        results = []
        for parts in groups.values():
            step = min(parts)
            if max(parts) - step > 60:
                return None
            total: Terms = {}
            power: Terms = {0: fmpq(1)}
            for whole in sorted(parts):
                while step < whole:
                    power = monomials.multiply(power, definition)
                    step += 1
                    if len(power) > _MAX_TERMS:
                        return None
                total = add_terms(total, monomials.multiply(parts[whole], power))
            results.append(total)
        return results

    # algebraic numbers -----------------------------------------------------------------------------------

    def _algebraic_sign(self, terms: Terms) -> int | None:
        """Liouville: a non-zero algebraic number of degree D and height h has log|a| >= -D h."""
        generators = self.domain.generators
        keys = generators.monomials.keys
        closure = generators.closure(terms)
        heights: dict[int, float] = {}
        turns = 1
        denominators: dict[int, int] = dict.fromkeys(closure, 1)
        for polynomial in [terms, *[p for g in closure if (p := generators.info[g].polynomial) is not None]]:
            for m in polynomial:
                for g, e in keys[m]:
                    denominators[g] = lcm(denominators[g], int(from_units(e).q))
        for g in closure:
            info = generators.info[g]
            if info.polynomial is not None:
                heights[g] = self._height(info.polynomial, heights)
            elif g in generators.monomials.primes:
                heights[g] = log2(generators.monomials.primes[g]) + 1e-9
            else:
                turn = _turn(info.expr)
                if turn is None or info.expr is None:
                    return None
                # 2 cos is an algebraic integer of modulus at most 2 with all its conjugates; tan = sin/cos
                heights[g] = 4.0 if info.expr.func in (tan, cot) else 2.0
                turns = lcm(turns, turn)
        # the values of all trigonometric functions lie in the real part of one cyclotomic field
        degree = 1 if turns == 1 else int(totient(turns)) // 2
        for q in denominators.values():
            degree *= q
        bits = degree * (self._height(terms, heights) + 1)
        if bits > _MAX_BITS:
            return None
        value = generators.ball_at(terms, ceil(bits) + 64)
        found = _ball_sign(value)
        if found is None and abs(value) < arb(2) ** (-ceil(bits)):
            return 0
        return found

    def _height(self, terms: Terms, heights: dict[int, float]) -> float:
        """A bound in bits of the Weil height: h(a+b) <= h(a)+h(b)+1, h(ab) <= h(a)+h(b), h(a^e) = |e| h(a)."""
        keys = self.domain.generators.monomials.keys
        total = float(len(terms))
        for m, c in terms.items():
            total += max(int(c.p).bit_length(), int(c.q).bit_length())
            total += sum(abs(e) / UNIT * heights[g] for g, e in keys[m])
        return total


def _ball_sign(value: arb) -> int | None:
    return 1 if value > 0 else (-1 if value < 0 else (0 if value == 0 else None))


#: continuous wherever they are finite, up to the ends of a range
_CONTINUOUS = (exp, log, sin, cos, sinh, cosh, tanh, erf, erfc, gamma)


def _is_continuous(expr: Expr) -> bool:
    """Made of functions whose values at the end of a range are their limits there."""
    return all(
        not node.args or node.is_Add or node.is_Mul or isinstance(node, _CONTINUOUS)
        or (node.is_Pow and not (node.base.free_symbols and node.exp.free_symbols))
        for node in dag.postorder(expr)
    )  # fmt: skip


def _turn(expr: Expr | None) -> int | None:
    """N with f(pi p/q) in the field of the N-th roots of unity, for f one of sin, cos, tan, cot."""
    if expr is None or expr.func not in (sin, cos, tan, cot):
        return None
    ratio = expr.args[0] / pi
    return 4 * int(ratio.q) if ratio.is_Rational else None


def _between(low: Any, high: Any) -> Any:
    """A rational number inside an open interval; None stands for an infinite end."""
    if low is None:
        return Integer(0) if high is None else high - 1
    return low + 1 if high is None else (low + high) / 2


def _by_positive(low: fmpq | None, high: fmpq | None) -> Expr:
    """An open interval as the image of z > 0; z itself is real where there is no end."""
    z = Dummy(positive=True)
    if low is None:
        return Dummy(real=True) if high is None else to_rational(high) - z
    if high is None:
        return to_rational(low) + z
    return to_rational(low) + to_rational(high - low) / (1 + z)


def _sign_of_term(term: Expr) -> int | None:
    if term.is_zero:
        return 0
    return 1 if term.is_positive else (-1 if term.is_negative else None)


def _is_rational_polynomial(expr: Expr) -> bool:
    """Whether nothing but sums, products and whole powers of rational numbers and symbols occurs."""
    return all(
        node.is_Rational or node.is_Symbol or node.is_Add or node.is_Mul
        or (node.is_Pow and node.exp.is_Integer and node.exp >= 0)
        for node in dag.postorder(expr)
    )  # fmt: skip


def _linear_sign(expr: Expr, boxes: dict[Symbol, tuple[fmpq, fmpq]]) -> int | None:
    """The sign of a linear polynomial in one bounded parameter, from its values at the two open ends."""
    if len(boxes) != 1:
        return None
    ((symbol, (low, high)),) = boxes.items()
    # SymPy's as_poly takes seconds on long constants; a slope without the parameter says the same
    if not expr.is_polynomial(symbol) or symbol in dag.free_symbols(dag.derivative(expr, symbol)):
        return None
    with flint_precision(BASE_BITS):
        ends = [ball(expr, {symbol: arb(end)}) for end in (low, high)]
    if all(x >= 0 for x in ends) and any(x > 0 for x in ends):
        return 1
    if all(x <= 0 for x in ends) and any(x < 0 for x in ends):
        return -1
    return None


_REWRITE = {
    asin: lambda x: pi / 2 - acos(x),
    sinh: lambda x: (exp(x) - exp(-x)) / 2,
    cosh: lambda x: (exp(x) + exp(-x)) / 2,
    tanh: lambda x: (exp(2 * x) - 1) / (exp(2 * x) + 1),
    coth: lambda x: (exp(2 * x) + 1) / (exp(2 * x) - 1),
    tan: lambda x: sin(x) / cos(x),
    cot: lambda x: cos(x) / sin(x),
    acot: lambda x: atan(1 / x),
    erfc: lambda x: 1 - erf(x),
    asinh: lambda x: log(x + sqrt(x**2 + 1)),
    acosh: lambda x: log(x + sqrt(x**2 - 1)),
    atanh: lambda x: (log(1 + x) - log(1 - x)) / 2,
}


def _rewritten(expr: Expr) -> Expr | None:
    """A defining relation of a function value in terms of fewer functions, or None for a free generator."""
    if expr.func is ArcCosine:
        return expr.rewrite(acos)
    if expr.func is gamma:
        return gamma_by_others(expr.args[0])
    rule = _REWRITE.get(expr.func)
    return rule(*expr.args) if rule is not None else None
