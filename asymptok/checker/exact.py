"""Sums of products that are compared exactly: q * product of atom^e, q and mostly e rational.

Atoms are roots of primes and pi, for numbers, and u and opaque functions of such sums, for kernels. Two sums with the
same parts are equal, and only then something is called zero; that two are different, or which is larger, is never read
off the parts but off their enclosures. Rational numbers are Fractions, everything else is a `Form`.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache, cached_property
from math import floor

from .balls import HALF, Ball, Clock, I, log_gamma, rational
from .balls import PI as PI_BALL


class Unsupported(ValueError):
    """The certificate is about something that this program cannot verify."""


class Form:
    """The sum of q * product over parts[product] = q; not a rational number."""

    def __init__(self, terms: dict[Product, Fraction]) -> None:
        self.parts, self._hash = terms, hash(frozenset(terms.items()))

    @cached_property
    def ball(self) -> Ball:
        """An enclosure of a number."""
        total = Ball(0)
        for product, q in self.parts.items():
            value = rational(q)
            for one, e in product:
                value = value * _enclosure(one, e)
            total = total + value
        return total

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.parts == other.parts

    def __str__(self) -> str:
        return f"{float(self.ball.interval()[0]):.12g}..."

    def __add__(self, other: Number) -> Number:
        return _sum([*self.parts.items(), *parts(other)])

    def __mul__(self, other: Number) -> Number:
        return _sum(
            (product, p * q * c)
            for f, p in self.parts.items()
            for g, q in parts(other)
            for product, c in _times(f, g)
        )

    def __neg__(self) -> Number:
        return self * -1

    def __sub__(self, other: Number) -> Number:
        return self + -other

    def __rsub__(self, other: Number) -> Number:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __lt__(self, other: Number) -> bool:
        return ball(self - other).interval()[1] < 0

    def __gt__(self, other: Number) -> bool:
        return ball(self - other).interval()[0] > 0

    def __le__(self, other: Number) -> bool:
        return self == other or self < other

    def __ge__(self, other: Number) -> bool:
        return self == other or self > other


Number = int | Fraction | Form
Atom = tuple[str, Number]
Product = frozenset[tuple[Atom, Number]]
ONE: Product = frozenset()
POSITIVE = ("pi", "power", "gamma")
NUMBERS = (*POSITIVE, "log", "exp", "asin")


@cache
def _enclosure(one: Atom, e: Number) -> Ball:
    name, base = one
    if name not in NUMBERS:
        raise Unsupported("the size of what is no number")
    if name == "gamma":
        return (log_gamma(ball(base)) * ball(e)).exp()
    x = PI_BALL if name == "pi" else ball(base)
    if name == "log":
        x = x.log()
    elif name == "exp":
        x = x.exp()
    elif name == "asin":
        x = ((rational(1) - x * x).power(HALF) + x * I).log().imaginary()
    return (x.log() * ball(e)).exp() if isinstance(e, Form) else x.power(e)


def parts(x: Number) -> Iterable[tuple[Product, Fraction]]:
    return x.parts.items() if isinstance(x, Form) else [(ONE, Fraction(x))]


def leading(x: Number) -> Fraction:
    """The coefficient of the first part in some order, the number without a root if there is one."""
    return min(parts(x), key=lambda part: sorted(map(repr, part[0])))[1]


def sized(x: Number) -> Number:
    """x, if it is not too long."""
    found = list(parts(x))
    if len(found) > 400 or any(
        q.numerator.bit_length() + q.denominator.bit_length() > 9999 for _, q in found
    ):
        raise Unsupported("so long an expression")
    return x


def _sum(items: Iterable[tuple[Product, Fraction]]) -> Number:
    Clock.tick()
    total: dict[Product, Fraction] = {}
    for product, q in items:
        total[product] = total.get(product, Fraction(0)) + q
    total = {product: q for product, q in total.items() if q}
    return sized(Form(total) if total.keys() - {ONE} else total.get(ONE, Fraction(0)))


def _times(f: Product, g: Product) -> Iterable[tuple[Product, Fraction]]:
    """f g as a sum: exponents are added, and N^(3/2) is N N^(1/2), also 2^(-1/2) = 2^(1/2)/2."""
    exponents: dict[Atom, Number] = dict(f)
    for one, e in g:
        exponents[one] = exponents.get(one, 0) + e
    kept: dict[Atom, Number] = {}
    scale: Number = Fraction(1)
    for (name, base), e in exponents.items():
        n = 0
        if name == "power" and not isinstance(e, Form) and (e >= 1 or not isinstance(base, Form)):
            n = floor(e)
            if abs(n) > 64 or (n < 0 and base == 0):
                raise Unsupported("so large a power")
            scale = scale * power(base, n)
        if e - n != 0:
            kept[name, base] = e - n
    rest = frozenset(kept.items())
    return parts(Form({rest: Fraction(1)}) * scale) if isinstance(scale, Form) else [(rest, Fraction(scale))]


def atom(name: str, base: Number = 0, e: Number = 1) -> Number:
    return _sum(_times(frozenset({((name, base), e)}), ONE))


PI = atom("pi")


def whole(x: Number) -> bool:
    return not isinstance(x, Form) and x.denominator == 1


def ball(x: Number) -> Ball:
    """An enclosure of a number."""
    return x.ball if isinstance(x, Form) else rational(x)


def power(x: Number, q: Number) -> Number:
    """x^q, where x > 0 if q is not an integer."""
    if x == 1:
        return Fraction(1)
    if isinstance(q, Form) or not -64 <= q <= 64:
        return atom("power", x, q)
    if whole(q) and (q >= 0 or (not isinstance(x, Form) and x != 0)):
        out: Number = Fraction(1)
        for _ in range(abs(int(q))):
            out = sized(out * x)
        return out if q >= 0 or isinstance(out, Form) else 1 / Fraction(out)
    (product, c), *more = parts(x)
    constant = all(
        name in POSITIVE and not isinstance(base, Form) and (name == "pi" or base > 0)
        for (name, base), _ in product
    )
    if more and whole(q) and (first := leading(x)) != 1:  # so that 1/(1-u) and 1/(u-1) have one form
        return atom("power", x * (1 / first), q) * first ** int(ball(q).interval()[0])
    if more or c == 0 or (c < 0 and not whole(q)) or not constant:
        return atom("power", x, q)
    primes = [*_primes(abs(c.numerator), 1), *_primes(c.denominator, -1)]
    out = Fraction(-1 if c < 0 and q % 2 else 1)
    for factors in (product, primes):
        out = Form({frozenset((one, e * q) for one, e in factors): Fraction(1)}) * out
    return out


def _primes(n: int, sign: int) -> Iterable[tuple[Atom, Number]]:
    p = 2
    while n > 1:
        if p * p > n or p > 10_000:
            p = n
        e = 0
        while n % p == 0:
            n, e = n // p, e + sign
        if e:
            yield ("power", Fraction(p)), e
        p += 1


# coefficients are known exactly, or up to an error ----------------------------------------------------------

Coefficient = Number | Ball


def enclosed(c: Coefficient) -> Ball:
    return c if isinstance(c, Ball) else ball(c)


def multiplied(a: Coefficient, b: Coefficient) -> Coefficient:
    return enclosed(a) * enclosed(b) if isinstance(a, Ball) or isinstance(b, Ball) else a * b


def added(a: Coefficient, b: Coefficient) -> Coefficient:
    return enclosed(a) + enclosed(b) if isinstance(a, Ball) or isinstance(b, Ball) else a + b


def exponential(c: Coefficient) -> Coefficient:
    """e^c, exactly for rational multiples of logarithms of rational numbers."""
    if not isinstance(c, Ball):
        for (name, base), q in [(one, q) for product, q in parts(c) for one, _ in product]:
            if name == "log" and c == atom("log", base) * q and base > 0:
                return power(base, q)
    return enclosed(c).exp()


def raised(c: Coefficient, q: Number) -> Coefficient:
    if not isinstance(c, Ball) and simple(exact := power(c, q)):
        return exact
    return (enclosed(c).log() * ball(q)).exp() if isinstance(q, Form) else enclosed(c).power(q)


def simple(c: Number) -> bool:
    """Worth being carried along exactly: at most twelve products of roots of primes and powers of pi."""
    found = list(parts(c))
    bits = max(q.numerator.bit_length() + q.denominator.bit_length() for _, q in found)
    return (
        len(found) <= 12 and bits < 2000 and not any(isinstance(b, Form) for f, _ in found for (_, b), _ in f)
    )
