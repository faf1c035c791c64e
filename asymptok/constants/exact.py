"""The exact coefficient domain: real constants with parameters, as polynomials in generators."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import lcm

from flint import arb, fmpq, fmpz
from sympy import Add, Expr, Integer, Mul, Pow, Symbol, exp, factor_list
from sympy.core.function import FunctionClass

from asymptok import dag
from asymptok.constants.advice import zero_advice
from asymptok.constants.conversion import convert, exponential
from asymptok.constants.domain import VectorOf
from asymptok.constants.exponents import Form, Ranges, exponent_from_expr, exponent_to_expr, to_rational
from asymptok.constants.generators import Generator, Generators
from asymptok.constants.normal_form import fraction, shortest
from asymptok.constants.numbers import (
    ONE,
    UNIT,
    ZERO,
    Number,
    Terms,
    add_terms,
    from_units,
    scale_terms,
    sweep,
    to_units,
)
from asymptok.constants.vectors import SparseVectors
from asymptok.constants.zerotest import ZeroTest
from asymptok.errors import AsymptokError, ExpansionError, Undecided
from asymptok.patience import tick
from asymptok.symbols import known
from asymptok.truth import Sign, Truth

#: a coefficient with more terms than this, in several nested constants, becomes one generator of its own
FREEZE_TERMS = 24
_FREEZE_NESTED = 3
#: an argument of a function passes on coefficients of at most this many factors
COMPACT_SIZE = 12
#: prime factors of a radicand are looked for up to this many bits
_FACTOR_BITS = 110
_MAX_POWER = 10_000
#: larger constants are not put into SymPy's canonical order, which would cost more than the expansion
TIDY_SIZE = 300
#: larger ones are not brought over one denominator
_FRACTION_SIZE = 150


class ExactDomain(SparseVectors[Number]):
    """Exact real constants; every generator carries a ball, so that most zero tests cost nothing.

    >>> from sympy import pi, sqrt
    >>> dom = ExactDomain(Ranges())
    >>> a = dom.constant(sqrt(6)/pi)
    >>> b = dom.constant(sqrt(2))
    >>> dom.to_expr(dom.mul(a, b))
    2*sqrt(3)/pi
    """

    zero = ZERO
    one = ONE

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self.generators = Generators(ranges)
        self.monomials = self.generators.monomials
        self._constants: dict[Expr, Number] = {}
        self._factors: dict[frozenset[tuple[int, fmpq]], list[tuple[Terms, int]]] = {}
        self.zero_test = ZeroTest(self)

    # ring operations -------------------------------------------------------------------------------------

    def rational(self, value: fmpq | int) -> Number:
        value = fmpq(value) if isinstance(value, int) else value
        return Number({0: value}) if value != 0 else ZERO

    def is_empty(self, a: Number) -> bool:
        return not a.terms

    def add(self, a: Number, b: Number) -> Number:
        return Number(add_terms(a.terms, b.terms))

    def neg(self, a: Number) -> Number:
        return Number({m: -c for m, c in a.terms.items()})

    def scale(self, a: Number, r: fmpq) -> Number:
        return Number(scale_terms(a.terms, r))

    def mul(self, a: Number, b: Number) -> Number:
        return self._settled(self.monomials.multiply(a.terms, b.terms))

    def inverse(self, a: Number) -> Number:
        return self._power(a, fmpq(-1))

    # vectors: accumulate products term by term, without a Number in between ------------------------------

    def vector_mul(self, a: VectorOf[Number], b: VectorOf[Number], stop: int | None) -> VectorOf[Number]:
        sums: dict[int, Terms] = {}
        into = self.monomials.multiply_into
        other = [(j, y.terms) for j, y in b.items()]
        for i, x in a.items():
            tick("products of series")
            xs = x.terms
            for j, ys in other:
                n = i + j
                if stop is None or n < stop:
                    target = sums.get(n)
                    if target is None:
                        target = sums[n] = {}
                    into(target, xs, ys)
        return self._vector(sums)

    def _vector(self, sums: dict[int, Terms]) -> VectorOf[Number]:
        result: VectorOf[Number] = {}
        for n, terms in sums.items():
            swept = sweep(terms)
            if swept:
                result[n] = self._settled(swept)
        return result

    def convolve(
        self, a: VectorOf[Number], b: VectorOf[Number], n: int, weight: Callable[[int], fmpq]
    ) -> Number:
        target: Terms = {}
        into = self.monomials.multiply_into
        for i, x in a.items():
            tick("products of series")
            y = b.get(n - i)
            if y is not None:
                w = weight(i)
                if w != 0:
                    into(target, scale_terms(x.terms, w), y.terms)
        return self._settled(sweep(target))

    def _settled(self, terms: Terms) -> Number:
        if len(terms) > FREEZE_TERMS and self._nested_generators(terms) >= _FREEZE_NESTED:
            return self._frozen(terms)
        return Number(terms)

    def _nested_generators(self, terms: Terms) -> int:
        keys, info = self.monomials.keys, self.generators.info
        return len({g for m in terms for g, _ in keys[m] if info[g].nested})

    def compact(self, a: Number) -> Number:
        """The same constant; one with many nested factors as a single generator, so that layers do not pile up."""
        terms, keys, info = a.terms, self.monomials.keys, self.generators.info
        if sum(len(keys[m]) for m in terms) + len(terms) <= COMPACT_SIZE:
            return a
        used = [g for m in terms for g, _ in keys[m]]
        if not any(info[g].nested for g in used) or any(info[g].symbolic for g in used):
            return a
        return self._frozen(terms)

    def _frozen(self, terms: Terms) -> Number:
        """The constant as one generator; generators are not zero, so one that may vanish is looked at first."""
        tick("long constants")
        if self.generators.quick_sign(terms) is None and self.zero_test.vanishes(terms):
            return ZERO
        if len(terms) == 1:
            ((m, c),) = terms.items()
            return self.scale(self.generator(self.generators.polynomial({m: fmpq(1)})), c)
        outer, primitive = self.without_content(terms, monomial=False)
        g = self.generators.polynomial(primitive)
        return Number(self.monomials.multiply(outer, {self.monomials.index(((g, UNIT),)): fmpq(1)}))

    def held(self, a: Number, low: int | None = None, high: int | None = None) -> Number:
        """The same constant; one with parameters and several terms as a name for all numbers between two."""
        used = {g for m in a.terms for g, _ in self.monomials.keys[m]}
        if not any(self.info(g).symbolic for g in used) or (len(a.terms) < 2 and high is None):
            return a
        return self.constant(known(self.to_expr(a), low, high))

    def enclosure(self, a: Number, bits: int) -> arb:
        return self.generators.ball_at(a.terms, bits)

    # powers ----------------------------------------------------------------------------------------------

    def power(self, a: Number, form: Form, rest: fmpq) -> Number:
        result = self._power(a, rest)
        if not form:
            return result
        for base, e in self.factors(a):
            for monomial, r in form:
                result = self.mul(result, self._power_of_expr(base, monomial, r * e))
        return result

    def factors(self, a: Number) -> Iterable[tuple[Expr, fmpq]]:
        """a as a product of powers of positive SymPy constants."""
        if len(a.terms) != 1:
            return [(self.to_expr(a), fmpq(1))]
        ((m, c),) = a.terms.items()
        parts = [(Integer(p), e) for p, e in _prime_powers(c)] if c > 0 else None
        info = self.generators.info
        if parts is None or any(not info[g].sign.positive for g, _ in self.monomials.keys[m]):
            return [(self.to_expr(a), fmpq(1))]
        return parts + [(self.generators.expr(g, self), from_units(e)) for g, e in self.monomials.keys[m]]

    def _power_of_expr(self, base: Expr, monomial: Expr, r: fmpq) -> Number:
        """(base**monomial)**r for positive base, in the generator base**monomial."""
        if base == 1 or r == 0:
            return ONE
        if base.func is exp:
            return self.constant(exp(base.args[0] * monomial * to_rational(r)))
        g = self.generators.atom(Pow(base, monomial), positive=True)
        return self.generator(g, r)

    def _power(self, a: Number, e: fmpq) -> Number:
        """a**e for rational e; a must be positive where e is not an integer."""
        if e == 0:
            return ONE
        if e == 1:
            return a
        if abs(e) > _MAX_POWER:
            raise ExpansionError(f"the power {e} of a constant is too high to be kept exactly")
        if not a.terms:
            if e < 0:
                raise ExpansionError("a constant is divided by zero")
            return ZERO
        if len(a.terms) == 1:
            return self._power_single(a, e)
        if e.q == 1 and e > 0:
            return self._power_integer(a, int(e.p))
        outer, primitive = self.without_content(a.terms)
        parts = self._irreducible(primitive)
        signs = [self._sign_of_part(p) if e.q != 1 else Sign.POSITIVE for p, _ in parts]
        if not all(s.nonzero for s in signs):
            # Only the product is known to be positive: it is not taken apart.
            return self.generator(self.generators.polynomial(a.terms, positive=True), e)
        result = ONE
        for (p, n), s in zip(parts, signs, strict=True):
            if s.negative:
                p, outer = scale_terms(p, fmpq(-1)), scale_terms(outer, fmpq(-1) ** n)
            g = self.generators.polynomial(p, positive=e.q != 1)
            result = self.mul(result, self.generator(g, e * n))
        return self.mul(self._power_single(Number(outer), e), result)

    def _irreducible(self, terms: Terms) -> list[tuple[Terms, int]]:
        """A polynomial in parameters as a product: 1/(a^4 + 2a^2 + 1) and 1/(a^2 + 1) are powers of one generator."""
        key = frozenset(terms.items())
        if key not in self._factors:
            parts = [(terms, 1)]
            if self._in_parameters(terms):
                content, found = factor_list(self._sum(Number(terms)))
                parts = [(self.constant(p).terms, int(n)) for p, n in found] if content == 1 else parts
            self._factors[key] = parts
        return self._factors[key]

    def _sign_of_part(self, terms: Terms) -> Sign:
        return self.sign(Number(terms)) if self._in_parameters(terms) else self.generators.quick_sign(terms)

    def _in_parameters(self, terms: Terms) -> bool:
        used = {(g, e) for m in terms for g, e in self.monomials.keys[m]}
        plain = all(e > 0 and e % UNIT == 0 and isinstance(self.info(g).expr, Symbol) for g, e in used)
        return plain and len(terms) <= FREEZE_TERMS

    def _power_integer(self, a: Number, n: int) -> Number:
        result, square = ONE, a
        while n:
            if n & 1:
                result = self.mul(result, square)
            n >>= 1
            if n:
                square = self.mul(square, square)
        return result

    def _power_single(self, a: Number, e: fmpq) -> Number:
        ((m, c),) = a.terms.items()
        if e.q == 1:
            index, given_off = self.monomials.power(m, int(e.p))
            return Number({index: c ** int(e.p) * (given_off if given_off is not None else 1)})
        # c g^x h^y ... > 0: a negative g is replaced by -g, and generators of unknown sign are kept together.
        result, unknown = ONE, {}
        for g, x in self.monomials.keys[m]:
            sign = self.info(g).sign
            if not sign.known:
                unknown[g] = x
                continue
            if sign.negative:
                c = c if x % (2 * UNIT) == 0 else -c
                g = self.generators.polynomial({self.monomials.index(((g, UNIT),)): fmpq(-1)}, positive=True)
            result = self.mul(result, self.generator(g, from_units(x) * e))
        if unknown:
            index, _ = self.monomials.normal(unknown)
            sign_of_rest = fmpq(1 if c > 0 else -1)
            g = self.generators.polynomial({index: sign_of_rest}, positive=True)
            result = self.mul(result, self.generator(g, e))
        for prime, n in _prime_powers(abs(c)):
            result = self.mul(result, self.generator(self.generators.prime(prime), n * e))
        return result

    def without_content(self, terms: Terms, monomial: bool = True) -> tuple[Terms, Terms]:
        """terms = factor * primitive: coprime integer coefficients, no common monomial, positive if that is known.

        With monomial=False only a rational factor is taken out: a common monomial would grow with every layer.
        """
        denominator = lcm(*[int(c.q) for c in terms.values()])
        content = fmpz(0)
        for c in terms.values():
            content = content.gcd((c * denominator).p)
        index = self._common_monomial(terms) if monomial else 0
        scale = fmpq(int(content), denominator)
        inverse, _ = self.monomials.power(index, -1)
        rest = self.monomials.multiply(terms, {inverse: 1 / scale})
        if self.generators.quick_sign(rest).negative:
            scale, rest = -scale, {m: -c for m, c in rest.items()}
        return {index: scale}, rest

    def _common_monomial(self, terms: Terms) -> int:
        keys = self.monomials.keys
        common: dict[int, int] = dict(keys[next(iter(terms))])
        for m in terms:
            key = dict(keys[m])
            common = {g: min(e, key.get(g, 0)) for g, e in common.items() if g in key or e < 0}
            common.update({g: e for g, e in key.items() if e < 0 and g not in common})
        index, _ = self.monomials.normal({g: e for g, e in common.items() if g not in self.monomials.primes})
        return index

    # from and to SymPy -----------------------------------------------------------------------------------

    def constant(self, expr: Expr) -> Number:
        if expr not in self._constants:
            self._constants[expr] = convert(self, expr)
        return self._constants[expr]

    def generator(self, g: int, e: fmpq | int = 1) -> Number:
        """The power g^e of a generator."""
        units = to_units(e)
        if units is None:
            # an unusual root: a generator of its own, whose powers are not related to those of g
            root = Pow(self.generators.expr(g, self), to_rational(fmpq(1, int(fmpq(e).q))))
            g, units = self.generators.atom(root, positive=True), int(fmpq(e).p) * UNIT
        index, given_off = self.monomials.normal({g: units})
        return Number({index: given_off if given_off is not None else fmpq(1)})

    def real_power(self, a: Number, form: Form, rest: fmpq, blame: Expr) -> Number:
        """a**(form + rest) if it is real; otherwise the reason why not."""
        if form or rest.q != 1 or rest < 0:
            s = self.sign(a)
            if not s.known and (form or rest.q != 1):
                raise self.undecided(a, "the sign of {}", blame)
            if not s.known and self.is_zero(a) is not Truth.FALSE:
                raise self.undecided(a, "whether {} is zero", blame)
            if s.zero:
                if self.ranges.sign(form, rest).positive:
                    return ZERO
                raise ExpansionError(f"{dag.brief(blame)} divides by zero", blame)
            if s.negative and (form or rest.q != 1):
                raise ExpansionError(f"{dag.brief(blame)} is complex: a power of a negative number", blame)
        return self.power(a, form, rest)

    def to_expr(self, a: Number) -> Expr:
        """The constant as a SymPy expression; a sprawling one is left as it was built, not sorted by SymPy."""
        if len(a.terms) > 1 and self.is_fraction(a):
            return self.over_one_denominator(a)
        return self._sum(a)

    def is_fraction(self, a: Number) -> bool:
        """Not long, with a polynomial of parameters in a denominator: the normal form has one denominator."""
        keys, info = self.monomials.keys, self.generators.info
        below = any(
            e < 0 and e % UNIT == 0 and info[g].symbolic and info[g].polynomial is not None
            for m in a.terms
            for g, e in keys[m]
        )
        return below and self.generators.size(a.terms) <= _FRACTION_SIZE

    def over_one_denominator(self, a: Number) -> Expr:
        """Numerator and denominator without a common factor, both factored; functions are independent unknowns."""
        return fraction(self._sum(a), roots=False)

    def _sum(self, a: Number) -> Expr:
        generators, keys = self.generators, self.monomials.keys
        tidy = generators.size(a.terms) <= TIDY_SIZE
        parts = []
        for m, c in a.terms.items():
            factors = [_raised(generators.expr(g, self), e, tidy) for g, e in keys[m]]
            parts.append(_joined(Mul, [to_rational(c), *factors] if c != 1 else factors, tidy))
        return _joined(Add, parts, tidy)

    def apply(self, function: Callable[..., Expr], *args: Number) -> Number:
        exprs = [self.to_expr(a) for a in args]
        if function is exp:
            return exponential(self, *exprs)
        # before it takes erf of a long number SymPy computes its sign, at more cost than all the rest
        long = any(self.generators.size(a.terms) > TIDY_SIZE for a in args)
        as_written = {"evaluate": False} if long and isinstance(function, FunctionClass) else {}
        return self.constant(function(*exprs, **as_written))

    def exponent(self, a: Number) -> tuple[Form, fmpq]:
        return exponent_from_expr(self.to_expr(a))

    def from_exponent(self, form: Form, rest: fmpq) -> Number:
        return self.constant(exponent_to_expr(form, rest)) if form else self.rational(rest)

    def as_rational(self, a: Number) -> fmpq | None:
        if not a.terms:
            return fmpq(0)
        return a.terms.get(0) if len(a.terms) == 1 else None

    # tests -----------------------------------------------------------------------------------------------

    def is_zero(self, a: Number) -> Truth:
        return self.zero_test.is_zero(a)

    def is_proved_zero(self, a: Number) -> bool:
        return self.zero_test.is_proved_zero(a)

    def sign(self, a: Number) -> Sign:
        return self.zero_test.sign(a)

    def sign_of(self, expr: Expr) -> Sign:
        """The sign of a SymPy constant; None also if it is none."""
        try:
            return self.sign(self.constant(expr))
        except AsymptokError:
            return Sign.UNKNOWN

    def undecided(self, a: Number, what: str, blame: object) -> Undecided:
        value = shortest(dag.plain(self.to_expr(a)))
        return Undecided(
            f"cannot decide {what.format(dag.brief(value))}, which is needed for {dag.brief(blame)}",
            value,
            lambda: zero_advice(value, self.ranges),
            value,
        )

    def info(self, g: int) -> Generator:
        return self.generators.info[g]


def _raised(base: Expr, units: int, tidy: bool) -> Expr:
    """base^e; before it takes a power of a sum SymPy asks whether that is infinite, at more cost than all the rest."""
    if units == UNIT:
        return base
    exponent = to_rational(from_units(units))
    # a power of exp(4000) may be exp of something small
    plainly = tidy or not base.args or isinstance(base, exp | Pow)
    return Pow(base, exponent) if plainly else Pow(base, exponent, evaluate=False)


def _joined(operation: Callable[..., Expr], parts: list[Expr], tidy: bool) -> Expr:
    return operation(*parts) if tidy or len(parts) < 2 else operation(*parts, evaluate=False)


def _prime_powers(c: fmpq) -> list[tuple[int, fmpq]]:
    """The factorisation of a positive rational; a large part without small factors stays in one piece."""
    result = []
    for n, e in ((c.p, 1), (c.q, -1)):
        if n != 1:
            found = n.factor() if n.bit_length() <= _FACTOR_BITS else n.factor_smooth(20)
            result += [(int(p), fmpq(e * int(m))) for p, m in found]
    return result
