"""Is an exact constant zero, and what is its sign? Balls first, then normal forms, then a height bound.

The order of the tests, and why each of them is a proof, is in docs/theory.md, "What is decided, and how".
"""

from __future__ import annotations

from math import ceil, lcm, log2
from typing import TYPE_CHECKING

from flint import arb, fmpq
from sympy import (
    Expr,
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
    gamma,
    log,
    pi,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    totient,
)

from asymptok.constants.gamma_values import gamma_by_others
from asymptok.constants.generators import BASE_BITS
from asymptok.constants.numbers import UNIT, Number, Terms, add_terms, ball_sign, from_units
from asymptok.constants.parametric import ParameterSigns
from asymptok.constants.relations import by_half_angle, linear_form_vanishes, power_beside_a_logarithm
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.patience import tick
from asymptok.precision import flint_precision
from asymptok.truth import Sign, Truth

if TYPE_CHECKING:
    from asymptok.constants.exact import ExactDomain

#: precisions tried, in bits, for a constant that the base precision does not separate from zero
_LADDER = (512, 4096)
_MAX_BITS = 40_000
_MAX_TERMS = 4_000


class ZeroTest:
    """The zero and sign tests of one exact domain."""

    def __init__(self, domain: ExactDomain) -> None:
        self.domain = domain
        self.parametric = ParameterSigns(domain)

    def is_zero(self, a: Number) -> Truth:
        sign = self.sign(a)
        if sign.known:
            return Truth.TRUE if sign.zero else Truth.FALSE
        if self._never_vanishes(a.terms):
            return Truth.FALSE
        return Truth.TRUE if self.vanishes(a.terms) else Truth.UNKNOWN

    def _never_vanishes(self, terms: Terms) -> bool:
        """One product of factors none of which is zero: Gamma has no zeros, whatever its sign, but 1/Gamma has."""
        if len(terms) != 1:
            return False
        generators = self.domain.generators
        factors = [(generators.info[g], e) for m in terms for g, e in generators.monomials.keys[m]]
        return all(
            f.sign.nonzero or (e > 0 and f.expr is not None and f.expr.func is gamma) for f, e in factors
        )

    def sign(self, a: Number) -> Sign:
        """The sign, if it is the same for all values of the parameters."""
        if not a.terms:
            return Sign.ZERO
        generators = self.domain.generators
        if any(generators.info[g].symbolic for m in a.terms for g, _ in generators.monomials.keys[m]):
            return self.parametric.sign(a)
        if a.ball is None:
            with flint_precision(BASE_BITS):
                a.ball = generators.evaluate(a.terms, generators.balls)
        found = ball_sign(a.ball)
        if found.known:
            return found
        if self.vanishes(a.terms):
            return Sign.ZERO
        for bits in _LADDER:
            found = ball_sign(generators.ball_at(a.terms, bits))
            if found.known:
                return found
        return self._algebraic_sign(a.terms)

    def eliminated(self, terms: Terms, g: int) -> list[Terms] | None:
        """The terms with a generator replaced by its definition; see `_eliminate`."""
        definition = self._definition(g)
        return None if definition is None else self._eliminate(terms, g, definition)

    def is_proved_zero(self, a: Number) -> bool:
        """Zero for all values of the parameters, by the tests that cost little."""
        generators = self.domain.generators
        if any(generators.info[g].symbolic for m in a.terms for g, _ in generators.monomials.keys[m]):
            return self.vanishes(a.terms)
        return self.sign(a).zero

    # normal form -----------------------------------------------------------------------------------------

    def vanishes(self, terms: Terms) -> bool:
        """True is a proof of zero: relations are applied until only free generators remain."""
        pending = [terms]
        generators = self.domain.generators
        keys = generators.monomials.keys
        while pending:
            tick("whether a constant is zero")
            current = pending.pop()
            if not current:
                continue
            if len(current) > _MAX_TERMS:
                return False
            # values of Gamma first: the roots that their relations bring in cancel among themselves; then what is
            # not algebraic
            present = {g for m in current for g, _ in keys[m]}
            order = sorted(present, key=lambda g: (self._is_gamma(g), g), reverse=True)
            algebraic = {g for g in present if self._is_algebraic(g)}
            groups = self._one_less(current, [g for g in order if g not in algebraic])
            if groups is None and not self._algebraic_parts_vanish(current):
                groups = self._one_less(current, [g for g in order if g in algebraic])
                if groups is None:
                    if linear_form_vanishes(self.domain, current):
                        continue
                    return False
            pending += groups or []
        return True

    def _one_less(self, terms: Terms, generators: list[int]) -> list[Terms] | None:
        """The terms without the first of the generators that has a definition."""
        for g in generators:
            definition = self._definition(g)
            groups = None if definition is None else self._eliminate(terms, g, definition)
            if groups is not None:
                return groups
        return None

    def _algebraic_parts_vanish(self, terms: Terms) -> bool:
        parts = self._by_transcendentals(terms)
        return parts is not None and all(self._algebraic_sign(part).zero for part in parts)

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

    def _algebraic_sign(self, terms: Terms) -> Sign:
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
                    return Sign.UNKNOWN
                # 2 cos is an algebraic integer of modulus at most 2 with all its conjugates; tan = sin/cos
                heights[g] = 4.0 if info.expr.func in (tan, cot) else 2.0
                turns = lcm(turns, turn)
        # the values of all trigonometric functions lie in the real part of one cyclotomic field
        degree = 1 if turns == 1 else int(totient(turns)) // 2
        for q in denominators.values():
            degree *= q
        bits = degree * (self._height(terms, heights) + 1)
        if bits > _MAX_BITS:
            return Sign.UNKNOWN
        value = generators.ball_at(terms, ceil(bits) + 64)
        found = ball_sign(value)
        if not found.known and abs(value) < arb(2) ** (-ceil(bits)):
            return Sign.ZERO
        return found

    def _height(self, terms: Terms, heights: dict[int, float]) -> float:
        """A bound in bits of the Weil height: h(a+b) <= h(a)+h(b)+1, h(ab) <= h(a)+h(b), h(a^e) = |e| h(a)."""
        keys = self.domain.generators.monomials.keys
        total = float(len(terms))
        for m, c in terms.items():
            total += max(int(c.p).bit_length(), int(c.q).bit_length())
            total += sum(abs(e) / UNIT * heights[g] for g, e in keys[m])
        return total


def _turn(expr: Expr | None) -> int | None:
    """N with f(pi p/q) in the field of the N-th roots of unity, for f one of sin, cos, tan, cot."""
    if expr is None or expr.func not in (sin, cos, tan, cot):
        return None
    ratio = expr.args[0] / pi
    return 4 * int(ratio.q) if ratio.is_Rational else None


def _reflected(x: Expr) -> Expr | None:
    """Gamma(x) = pi/(sin(pi x) Gamma(1-x)) for one of x and 1 - x, both with parameters."""
    if not x.free_symbols or not x.could_extract_minus_sign() or (1 - x).could_extract_minus_sign():
        return None
    return pi / (sin((pi * x).expand()) * gamma(1 - x))


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
        return gamma_by_others(expr.args[0]) or _reflected(expr.args[0])
    if expr.func in (sin, cos):
        flat = expr.func(expr.args[0].expand())
        return flat if flat != expr else by_half_angle(expr)
    if expr.func is acos and expr.args[0].is_negative:
        return pi - acos(-expr.args[0])
    if expr.is_Pow and not expr.exp.is_Rational:
        return power_beside_a_logarithm(expr)
    rule = _REWRITE.get(expr.func)
    return rule(*expr.args) if rule is not None else None
