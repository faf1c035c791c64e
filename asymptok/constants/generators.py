"""The generators of exact constants: primes, parameters, named constants, and polynomials kept in one piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb, fmpq
from sympy import Expr, Integer

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants.exponents import Ranges
from asymptok.constants.numbers import UNIT, Monomials, Number, Terms, from_units
from asymptok.errors import ExpansionError
from asymptok.precision import flint_precision
from asymptok.truth import Sign

if TYPE_CHECKING:
    from asymptok.constants.exact import ExactDomain

#: bits of the ball that every generator and every tested coefficient carries
BASE_BITS = 128
MAX_SIZE = 10**6


@dataclass(slots=True)
class Generator:
    """One generator: an irreducible SymPy constant, or a polynomial in earlier generators.

    sign is +1 or -1 where that is proved for all values of the parameters, None otherwise, and so are
    below_one and above_one; ball is its enclosure at BASE_BITS (None if it depends on a parameter);
    size counts the nodes of the constant written out in full, up to MAX_SIZE.
    """

    expr: Expr | None
    sign: Sign
    ball: arb | None
    symbolic: bool
    nested: bool
    size: int
    polynomial: Terms | None = None
    below_one: bool = False
    above_one: bool = False


class Generators:
    """The growing list of generators of one expansion. A generator only refers to earlier ones."""

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self.info: list[Generator] = []
        self.balls: list[arb | None] = []
        self.monomials = Monomials()
        self._atoms: dict[Expr, int] = {}
        self._polynomials: dict[frozenset[tuple[int, fmpq]], int] = {}

    def prime(self, p: int) -> int:
        g = self._atoms.get(Integer(p))
        if g is None:
            g = self._new(Generator(Integer(p), Sign.POSITIVE, arb(p), False, False, 1))
            self._atoms[Integer(p)] = g
            self.monomials.primes[g] = p
        return g

    def atom(self, expr: Expr, positive: bool = False) -> int:
        """The generator for a SymPy constant that is left as it is."""
        g = self._atoms.get(expr)
        if g is None:
            symbolic = bool(expr.free_symbols)
            value = None
            if symbolic:
                sign = Sign.POSITIVE if positive else self._assumed_sign(expr)
            else:
                with flint_precision(BASE_BITS):
                    value = ball(expr)
                if not value.is_finite():
                    raise ExpansionError(f"{dag.brief(expr)} is not a finite real number", expr)
                sign = _ball_sign(value)
            nested = bool(expr.args) and not symbolic
            g = self._atoms[expr] = self._new(Generator(expr, sign, value, symbolic, nested, _size(expr)))
        return g

    def _assumed_sign(self, expr: Expr) -> Sign:
        if expr.is_Symbol:
            low, high = (None, None) if self.ranges.with_zero(expr) else self.ranges.of(expr)
            return Sign.shown(low is not None and low >= 0, high is not None and high <= 0)
        return Sign.shown(expr.is_positive, expr.is_negative)

    def polynomial(self, terms: Terms, positive: bool = False) -> int:
        """The generator for a polynomial in earlier ones; `positive` if the caller has proved that."""
        key = frozenset(terms.items())
        g = self._polynomials.get(key)
        if g is None:
            symbolic = any(self.info[x].symbolic for m in terms for x, _ in self.monomials.keys[m])
            value = None
            if not symbolic:
                with flint_precision(BASE_BITS):
                    value = self.evaluate(terms, self.balls)
            if positive:
                sign = Sign.POSITIVE
            else:
                sign = self.quick_sign(terms) if value is None else _ball_sign(value)
            g = self._polynomials[key] = self._new(
                Generator(None, sign, value, symbolic, True, self.size(terms), terms)
            )
        elif positive:
            self.info[g].sign = Sign.POSITIVE
        return g

    def quick_sign(self, terms: Terms) -> Sign:
        """The sign, if the balls at the base precision or the signs of the generators tell it."""
        if any(self.info[g].symbolic for m in terms for g, _ in self.monomials.keys[m]):
            return self.monomial_signs(terms)
        with flint_precision(BASE_BITS):
            return _ball_sign(self.evaluate(terms, self.balls))

    def size(self, terms: Terms) -> int:
        """The number of nodes of a polynomial with all its generators written out, up to MAX_SIZE."""
        keys, info = self.monomials.keys, self.info
        return min(MAX_SIZE, sum(1 + sum(info[g].size for g, _ in keys[m]) for m in terms))

    def monomial_signs(self, terms: Terms) -> Sign:
        """The common sign of all terms, if each has one: then it is the sign of the sum.

        An even power of a real number is not negative; at least one term must have no such factor, or the sum may be 0.
        """
        common, strict = Sign.UNKNOWN, False
        for m, c in terms.items():
            s, certain = Sign.of(c), True
            for g, e in self.monomials.keys[m]:
                sign = self.info[g].sign
                if not sign.known:
                    if e % (2 * UNIT):
                        return Sign.UNKNOWN
                    certain = False
                elif sign.negative and e % (2 * UNIT):
                    s = -s
            if common.known and common is not s:
                return Sign.UNKNOWN
            common, strict = s, strict or certain
        return common if strict else Sign.UNKNOWN

    def evaluate(self, terms: Terms, values: Sequence[arb | None] | Mapping[int, arb]) -> arb:
        """The ball of a polynomial from the balls of the generators, at the current precision."""
        total = arb(0)
        for m, c in terms.items():
            product = arb(c)
            for g, e in self.monomials.keys[m]:
                base = values[g]
                assert base is not None
                if e % UNIT == 0:
                    product *= base ** (e // UNIT)
                elif 2 * e % UNIT == 0:
                    product *= base.sqrt() ** (2 * e // UNIT)
                else:
                    product *= base ** arb(from_units(e))
            total += product
        return total

    def expr(self, g: int, domain: ExactDomain) -> Expr:
        info = self.info[g]
        if info.expr is None:
            assert info.polynomial is not None
            info.expr = domain.to_expr(Number(info.polynomial))
        return info.expr

    def closure(self, terms: Terms) -> list[int]:
        """All generators below a polynomial, earliest first."""
        seen: set[int] = set()
        stack = [terms]
        while stack:
            for m in stack.pop():
                for g, _ in self.monomials.keys[m]:
                    if g not in seen:
                        seen.add(g)
                        polynomial = self.info[g].polynomial
                        if polynomial is not None:
                            stack.append(polynomial)
        return sorted(seen)

    def ball_at(self, terms: Terms, bits: int) -> arb:
        """The ball of a polynomial without parameters, with `bits` of working precision."""
        with flint_precision(bits):
            values: dict[int, arb] = {}
            for g in self.closure(terms):
                info = self.info[g]
                if info.polynomial is not None:
                    values[g] = self.evaluate(info.polynomial, values)
                else:
                    assert info.expr is not None
                    values[g] = ball(info.expr)
            return self.evaluate(terms, values)

    def _new(self, generator: Generator) -> int:
        self.info.append(generator)
        self.balls.append(generator.ball)
        return len(self.info) - 1


def _ball_sign(value: arb) -> Sign:
    return Sign.shown(value > 0, value < 0)


def _size(expr: Expr) -> int:
    count, stack = 0, [expr]
    while stack and count < MAX_SIZE:
        node = stack.pop()
        count += 1
        stack += node.args
    return count
