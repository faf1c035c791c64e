"""The sign of a constant with parameters over the open box of their ranges: factors first, then boxes.

A factor is a polynomial in the parameters and in functions of them, each taken as a variable in an interval of its
own. On an interval v = (l + h s)/(1 + s), or v = l + s for a half-line, with s > 0: if all coefficients in s have one
sign and one of them is not zero, so has the polynomial, at open ends too. Otherwise the box is cut in two, and the
cut is looked at by itself. docs/theory.md, "Signs with parameters", says why each step is a proof.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import comb, lcm
from typing import TYPE_CHECKING

from flint import Ordering, arb, fmpq, fmpz_mpoly_ctx
from sympy import Expr, Pow, Symbol, exp, log, oo

from asymptok.balls import ball
from asymptok.constants.exponents import Bounds, Ranges, between, exponent_from_expr, to_rational
from asymptok.constants.numbers import UNIT, ZERO, Number, Terms
from asymptok.errors import AsymptokError
from asymptok.patience import tick
from asymptok.precision import flint_precision
from asymptok.truth import Sign

if TYPE_CHECKING:
    from asymptok.constants.exact import ExactDomain

__all__ = ["BoxSigns", "Factor"]

#: what is larger than this is not looked at
_MAX_TERMS, _MAX_DEGREE, _MAX_VARIABLES, _MAX_SYMBOLS = 160, 24, 5, 3
#: boxes looked at before giving up, for one parameter and for more
_MAX_BOXES = (60, 240)
_FEW_BOXES = 12
_BITS = 128
#: no half-line is cut, and no exponential taken, farther out than this
_FAR = 2**10
#: a power of a generator by at most this is multiplied out
_MAX_POWER = 12

#: exponents of the variables -> exact coefficient without parameters
Poly = dict[tuple[int, ...], Number]


@dataclass(frozen=True)
class Variable:
    """The root g^(1/root) of a generator that depends on parameters."""

    expr: Expr
    sign: Sign
    root: int
    below_one: bool = False
    above_one: bool = False

    @cached_property
    def symbols(self) -> frozenset[Symbol]:
        return frozenset(self.expr.free_symbols)


@dataclass(frozen=True)
class Factor:
    """An irreducible polynomial in the variables, to be raised to a power."""

    variables: tuple[Variable, ...]
    poly: Poly
    power: int


class BoxSigns:
    """Signs over the ranges of the parameters, for one exact domain."""

    def __init__(self, domain: ExactDomain) -> None:
        self.domain = domain
        self._known: dict[tuple[bool, frozenset[tuple[int, fmpq]]], Sign] = {}
        self._thorough = True

    def sign(self, terms: Terms, thorough: bool = True) -> Sign:
        """NEGATIVE or POSITIVE if it is that everywhere; UNKNOWN if it changes, or if nothing was found out."""
        key, self._thorough = (thorough, frozenset(terms.items())), thorough
        if key not in self._known:
            self._known[key] = Sign.UNKNOWN  # a constant that contains itself is settled by nobody
            with suppress(AsymptokError):
                self._known[key] = self._sign(terms)
        return self._known[key]

    def _sign(self, terms: Terms) -> Sign:
        found = self.factors(terms)
        if found is None:
            return Sign.UNKNOWN
        sign, factors = found
        for factor in factors:
            value = self._factor_sign(factor)
            if not value.known:
                return Sign.UNKNOWN
            sign = sign * value if factor.power % 2 else sign
        return sign

    # taking apart ----------------------------------------------------------------------------------------

    def factors(self, terms: Terms) -> tuple[Sign, list[Factor]] | None:
        """The sign of what has one sign by itself, and the factors that are left; None if it is too large."""
        flat = self._flat(terms)
        if flat is None:
            return None
        sign, terms = flat
        if len(terms) > _MAX_TERMS:
            return None
        keys, info = self.domain.monomials.keys, self.domain.generators.info
        roots: dict[int, int] = {}
        for m in terms:
            for g, e in keys[m]:
                roots[g] = lcm(roots.get(g, 1), int(fmpq(e, UNIT).q))
        order = sorted(roots, key=lambda g: (not info[g].symbolic, g))
        varying = [g for g in order if info[g].symbolic]
        if len(varying) > _MAX_VARIABLES:
            return None
        variables = tuple(
            Variable(
                self.domain.generators.expr(g, self.domain),
                info[g].sign,
                roots[g],
                info[g].below_one,
                info[g].above_one,
            )
            for g in varying
        )
        if len({s for v in variables for s in v.symbols}) > _MAX_SYMBOLS:
            return None
        exponents = {}
        denominator = lcm(*[int(c.q) for c in terms.values()])
        for m, c in terms.items():
            powers = dict(keys[m])
            place = tuple(powers.get(g, 0) * roots[g] // UNIT for g in order)
            if max(place, default=0) > _MAX_DEGREE:
                return None
            exponents[place] = int((c * denominator).p)
        if not order:
            return (sign if sum(exponents.values()) > 0 else -sign), []
        context = fmpz_mpoly_ctx.get([f"x{i}" for i in range(len(order))], Ordering.lex)
        content, parts = context.from_dict(exponents).factor()
        if content < 0:
            sign = -sign
        found = []
        for part, power in parts:
            poly: Poly = {}
            for place, whole in part.to_dict().items():
                head = place[: len(varying)]
                rest = {g: int(e) * UNIT // roots[g] for g, e in zip(order, place, strict=True)}
                index, factor = self.domain.monomials.normal({g: rest[g] for g in order if g not in varying})
                value = Number({index: fmpq(int(whole)) * (factor if factor is not None else 1)})
                poly[head] = self.domain.add(poly.get(head, ZERO), value)
            found.append(Factor(variables, poly, int(power)))
        return sign, found

    def _flat(self, terms: Terms) -> tuple[Sign, Terms] | None:
        """Without the factors of known sign, and with every polynomial of parameters multiplied out."""
        sign = Sign.POSITIVE
        for _ in range(12):
            outer, terms = self.domain.without_content(terms)
            found = self._monomial_sign(outer)
            if not found.known:
                return None
            sign *= found
            g = self._to_multiply_out(terms)
            if g is None:
                return sign, terms
            groups = self.domain.zero_test.eliminated(terms, g)
            if groups is None or len(groups) != 1 or len(groups[0]) > _MAX_TERMS or not groups[0]:
                return None
            terms = groups[0]
        return None

    def _monomial_sign(self, terms: Terms) -> Sign:
        ((m, c),) = terms.items()
        sign = Sign.of(c)
        for g, e in self.domain.monomials.keys[m]:
            info = self.domain.generators.info[g]
            found = info.sign
            if not found.known and info.polynomial is not None:
                found = self.domain.sign(Number(info.polynomial))
            if not found.nonzero:
                return Sign.UNKNOWN
            if found.negative and (e // UNIT) % 2:
                sign = -sign
        return sign

    def _to_multiply_out(self, terms: Terms) -> int | None:
        keys, info = self.domain.monomials.keys, self.domain.generators.info
        powers: dict[int, list[int]] = {}
        for m in terms:
            for g, e in keys[m]:
                if info[g].polynomial is not None and info[g].symbolic:
                    powers.setdefault(g, []).append(e)
        for g in sorted(powers, reverse=True):
            if all(e % UNIT == 0 and e <= _MAX_POWER * UNIT for e in powers[g]):
                return g
        return None

    # one factor ------------------------------------------------------------------------------------------

    def _factor_sign(self, factor: Factor) -> Sign:
        if not factor.poly:
            return Sign.UNKNOWN  # zero has no sign
        if all(not any(place) for place in factor.poly):
            found = self.domain.sign(next(iter(factor.poly.values())))
            return found if found.nonzero else Sign.UNKNOWN
        found = self._by_discriminant(factor)
        if found.known:
            return found
        symbols = sorted({s for v in factor.variables for s in v.symbols}, key=lambda s: s.name)
        whole = {s: self.domain.ranges.of(s) for s in symbols}
        pending, looked_at, common = [(whole, 0)], 0, Sign.UNKNOWN
        budget = _MAX_BOXES[int(len(symbols) > 1)] if self._thorough else _FEW_BOXES
        while pending:
            tick("boxes of parameters")
            box, turn = pending.pop()
            looked_at += 1
            if looked_at > budget:
                return Sign.UNKNOWN
            found = self._box_sign(factor, box)
            if found.known:
                if found.zero or (common.known and common is not found):
                    return Sign.UNKNOWN  # it vanishes somewhere
                common = found
                continue
            cut = _cut(box, symbols, turn)
            if cut is None:
                return Sign.UNKNOWN
            # the next cut goes through the next parameter
            pending += [(part, turn + 1) for part in cut]
        return common

    def _by_discriminant(self, factor: Factor) -> Sign:
        """a v^2 + b v + c with b^2 - 4ac < 0 for all other parameters has the sign of a, and of c."""
        mul, add = self.domain.mul, self.domain.add
        for i, variable in enumerate(factor.variables):
            if max(place[i] for place in factor.poly) != 2 or len(factor.variables) < 2:
                continue
            if any(variable.symbols & other.symbols for j, other in enumerate(factor.variables) if j != i):
                continue
            parts: list[Poly] = [{}, {}, {}]
            for place, c in factor.poly.items():
                parts[place[i]][(*place[:i], *place[i + 1 :])] = c
            discriminant: Poly = {}
            for scale, first, second in ((1, parts[1], parts[1]), (-4, parts[0], parts[2])):
                for p, x in first.items():
                    for q, y in second.items():
                        key = tuple(a + b for a, b in zip(p, q, strict=True))
                        product = self.domain.scale(mul(x, y), fmpq(scale))
                        discriminant[key] = add(discriminant.get(key, ZERO), product)
            others = (*factor.variables[:i], *factor.variables[i + 1 :])
            if self._factor_sign(Factor(others, discriminant, 1)).negative:
                return self._factor_sign(Factor(others, parts[2], 1))
        return Sign.UNKNOWN

    def _box_sign(self, factor: Factor, box: dict[Symbol, Bounds]) -> Sign:
        """The sign on a box if one look shows it; ZERO if the factor vanishes there."""
        poly = factor.poly
        for i, variable in enumerate(factor.variables):
            low, high = _range(variable, box, self.domain.ranges)
            if low is None and high is None:
                if all(place[i] == 0 for place in poly):
                    continue
                return Sign.UNKNOWN
            poly = self._substituted(poly, i, low, high)
        signs = set()
        for c in poly.values():
            found = self.domain.sign(c)
            if not found.known:
                return Sign.UNKNOWN
            signs.add(found)
        signs -= {Sign.ZERO}
        if not signs:
            return Sign.ZERO
        return signs.pop() if len(signs) == 1 else Sign.UNKNOWN

    def _substituted(self, poly: Poly, i: int, low: fmpq | None, high: fmpq | None) -> Poly:
        """The polynomial in s > 0 in place of the i-th variable, which lies between the bounds."""
        degree = max(place[i] for place in poly)
        result: Poly = {}
        for place, c in poly.items():
            tick("boxes of parameters")
            for n, weight in enumerate(_weights(place[i], degree, low, high)):
                if weight != 0:
                    key = (*place[:i], n, *place[i + 1 :])
                    result[key] = self.domain.add(result.get(key, ZERO), self.domain.scale(c, weight))
        return result


def _weights(e: int, degree: int, low: fmpq | None, high: fmpq | None) -> list[fmpq]:
    """The coefficients in s of v^e (1+s)^degree with v = (l + h s)/(1 + s), or of v^e with v = l + s or h - s."""
    if low is not None and low == high:
        return [low**e]
    if low is not None and high is not None:
        # (l + h s)^e (1 + s)^(degree - e)
        first = [comb(e, j) * low ** (e - j) * high**j for j in range(e + 1)]
        total = [fmpq(0)] * (degree + 1)
        for j, a in enumerate(first):
            for m in range(degree - e + 1):
                total[j + m] += a * comb(degree - e, m)
        return total
    if low is not None:
        return [comb(e, j) * low ** (e - j) for j in range(e + 1)]
    assert high is not None
    return [comb(e, j) * high ** (e - j) * (-1) ** j for j in range(e + 1)]


def _cut(
    box: dict[Symbol, Bounds], symbols: list[Symbol], turn: int
) -> Iterable[dict[Symbol, Bounds]] | None:
    """The box below, at and above a point of one of the parameters, the parameters taking turns."""
    for shift in range(len(symbols)):
        symbol = symbols[(turn + shift) % len(symbols)]
        low, high = box[symbol]
        if low is not None and low == high:
            continue
        middle = between(low, high)
        if abs(middle) > _FAR and (low is None or high is None):
            continue
        return [
            {**box, symbol: (low, middle)},
            {**box, symbol: (middle, high)},
            {**box, symbol: (middle, middle)},
        ]
    return None


def _range(variable: Variable, box: dict[Symbol, Bounds], ranges: Ranges) -> Bounds:
    """Bounds of a variable on a box; open where the box is."""
    if isinstance(variable.expr, Symbol):
        return _root(box[variable.expr], variable.root)
    inside = {s: b for s, b in box.items() if s in variable.symbols}
    low, high = _function_range(variable, inside)
    if variable.sign.positive and (low is None or low < 0):
        low = fmpq(0)
    if variable.sign.negative and (high is None or high > 0):
        high = fmpq(0)
    if variable.below_one and (high is None or high > 1):
        high = fmpq(1)
    if variable.above_one and (low is None or low < 1):
        low = fmpq(1)
    return _root((low, high), variable.root)


def _function_range(variable: Variable, box: dict[Symbol, Bounds]) -> Bounds:
    expr = variable.expr
    if expr.func is exp or (expr.is_Pow and not expr.base.free_symbols and expr.base.is_positive):
        exponent = expr.args[0] if expr.func is exp else expr.exp
        base = None if expr.func is exp else expr.base
        local = Ranges({s: _as_range(b) for s, b in box.items() if b[0] is None or b[0] != b[1]})
        fixed = {s: to_rational(b[0]) for s, b in box.items() if b[0] is not None and b[0] == b[1]}
        form, rest = exponent_from_expr(exponent.xreplace(fixed))
        low, high = (None if b is None else b + rest for b in local.bounds(form))
        if base is not None and (log(base)).is_negative:
            low, high = high, low
        return _exponential(low, base, -1), _exponential(high, base, 1)
    if any(None in b for b in box.values()):
        return None, None
    with flint_precision(_BITS):
        balls = {s: arb(low).union(arb(high)) for s, (low, high) in box.items()}
        try:
            value = ball(expr, balls)
        except AsymptokError:
            return None, None
        if not value.is_finite():
            return None, None
        # the bounds of a ball may be attained, those of a range are not
        margin = (1 + abs(value.mid()).upper().fmpq()) / 2**_BITS
        return value.lower().fmpq() - margin, value.upper().fmpq() + margin


def _as_range(bounds: Bounds) -> tuple[Expr | fmpq, Expr | fmpq]:
    low, high = bounds
    return (-oo if low is None else low, oo if high is None else high)


def _exponential(x: fmpq | None, base: Expr | None, side: int) -> fmpq | None:
    """base^x (e^x), rounded away from the inside; exactly 1 at 0."""
    if x is None:
        return None
    if x == 0:
        return fmpq(1)
    if abs(x) > _FAR:
        if (x > 0) is (side > 0):
            return None if x > 0 else fmpq(0)
        x = fmpq(_FAR if x > 0 else -_FAR)
    with flint_precision(_BITS):
        value = arb(x).exp() if base is None else ball(Pow(base, to_rational(x)))
        return value.upper().fmpq() if side > 0 else value.lower().fmpq()


def _root(bounds: Bounds, root: int) -> Bounds:
    """Bounds of the root of a variable, which is positive where there is one to take."""
    if root == 1:
        return bounds
    low, high = bounds
    low = fmpq(0) if low is None or low < 0 else low
    # a box may have none of its values, such as x^2 - y^2 > 0 where x = 1 and y = 3
    return _one_root(low, root, -1), None if high is None or high < low else _one_root(high, root, 1)


def _one_root(x: fmpq, root: int, side: int) -> fmpq:
    if x in (0, 1):
        return x
    with flint_precision(_BITS):
        value = arb(x) ** (arb(1) / root)
        return value.upper().fmpq() if side > 0 else value.lower().fmpq()
