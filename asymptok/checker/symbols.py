"""What algebra shows: whether kappa(u) -+ kappa(-u) is a polynomial, and Taylor coefficients >= 0.

Expressions are polynomials with exact coefficients in u and in opaque functions ("atoms") of such polynomials. That
kappa(-u) is found by running the same program at -u; asin is odd, and N^a N^b = N^(a+b).
"""

from __future__ import annotations

from .balls import HALF
from .exact import PI, Exact, Number, bounds, exact_power
from .kernel import Kernel
from .models import Unsupported

__all__ = ["Symbols", "full", "nonnegative", "polynomial_degree"]

# ("u", ()), or the name of a function and its argument; a product is a set of (atom, exponent)
Atom = tuple[str, "frozenset[tuple[Product, Number]]"]
Product = frozenset[tuple[Atom, Number]]
ONE: Product = frozenset()
LIMIT = 400


class Polynomial:
    def __init__(self, terms: dict[Product, Number]) -> None:
        self.terms = {product: c for product, c in terms.items() if c != 0}
        if len(self.terms) > LIMIT:
            raise Unsupported("so long an expression")

    def frozen(self) -> frozenset[tuple[Product, Number]]:
        return frozenset(self.terms.items())

    def __add__(self, other: Polynomial) -> Polynomial:
        out = dict(self.terms)
        for product, c in other.terms.items():
            out[product] = out.get(product, 0) + c
        return Polynomial(out)

    def __mul__(self, other: Polynomial) -> Polynomial:
        out = Polynomial({})
        for f, a in self.terms.items():
            for g, b in other.terms.items():
                out = out + _product(f, g).scaled(a * b)
        return out

    def scaled(self, q: Number) -> Polynomial:
        return Polynomial({product: q * c for product, c in self.terms.items()})

    @property
    def constant(self) -> Number:
        return self.terms.get(ONE, 0)


def _product(f: Product, g: Product) -> Polynomial:
    exponents: dict[Atom, Number] = dict(f)
    for atom, e in g:
        exponents[atom] = exponents.get(atom, 0) + e
    out, kept = Polynomial({ONE: 1}), {}
    for atom, e in exponents.items():
        whole = int(e) if atom[0] == "power" and not isinstance(e, Exact) and e >= 1 else 0
        for _ in range(whole):  # N^(1/2) N^(1/2) is N again
            out = out * Polynomial(dict(atom[1]))
        if e - whole != 0:
            kept[atom] = e - whole
    rest = frozenset(kept.items())
    return (
        Polynomial({product | rest: c for product, c in out.terms.items()})
        if out.terms.keys() == {ONE}
        else _spread(out, rest)
    )


def _spread(f: Polynomial, rest: Product) -> Polynomial:
    out = Polynomial({})
    for product, c in f.terms.items():
        out = out + _product(product, rest).scaled(c)
    return out


class Symbols:
    """The place where programs are run symbolically, at u or -u."""

    def __init__(self, sign: int = 1) -> None:
        atom: Atom = ("u", frozenset())
        self.u = Polynomial({frozenset({(atom, 1)}): sign})

    def number(self, q: Number) -> Polynomial:
        return Polynomial({ONE: q})

    def exact(self, value: Polynomial) -> Number:
        if value.terms.keys() - {ONE}:
            raise Unsupported("an exponent that is not an exact number")
        return value.constant

    def power(self, node: int, value: Polynomial, q: Number) -> Polynomial:
        if not isinstance(q, Exact) and q.denominator == 1 and 0 <= q <= 40:
            out = self.number(1)
            for _ in range(int(q)):
                out = out * value
            return out
        if not value.terms.keys() - {ONE}:
            found = exact_power(value.constant, q)
            if found is not None:
                return self.number(found)
        return _product(frozenset({(("power", value.frozen()), q)}), ONE)

    def _atom(self, name: str, value: Polynomial) -> Polynomial:
        return Polynomial({frozenset({((name, value.frozen()), 1)}): 1})

    def log(self, node: int, value: Polynomial) -> Polynomial:
        return self._atom("log", value)

    def exp(self, value: Polynomial) -> Polynomial:
        return self._atom("exp", value)

    def roots(self, node: int, value: Polynomial) -> tuple[Polynomial, Polynomial]:
        one = self.number(1)
        return self.power(node, one + value.scaled(-1), HALF), self.power(node, one + value, HALF)

    def acos(self, node: int, value: Polynomial) -> Polynomial:
        """pi/2 - asin N, with the one of N and -N whose first coefficient is positive."""
        first = min(value.terms, key=lambda product: sorted(map(repr, product)), default=ONE)
        sign = -1 if value.terms and bounds(value.terms[first])[1] < 0 else 1
        return self.number(PI * HALF) + self._atom("asin", value.scaled(sign)).scaled(-sign)

    def kappa_near_one(self, n: int, node: int, value: Polynomial) -> Polynomial | None:
        return None


def polynomial_degree(kernel: Kernel, parity: int) -> int | None:
    """The degree of the part of the given parity, if that is a polynomial (-1 if it vanishes)."""
    part = kernel.run(Symbols(1)) + kernel.run(Symbols(-1)).scaled(1 - 2 * parity)
    degrees = [0 if product == ONE else _degree(product) for product in part.terms]
    return None if None in degrees else max((n for n in degrees if n is not None), default=-1)


def _degree(product: Product) -> int | None:
    """n, if the product is u^n."""
    ((name, _), e), *more = product
    return int(e) if name == "u" and not more and not isinstance(e, Exact) else None


def nonnegative(f: Polynomial) -> bool:
    """Whether all Taylor coefficients at 0 are shown to be >= 0; then every mu_k is, in every dimension."""
    return all(
        bounds(c)[0] >= 0 and all(_atom_nonnegative(*item) for item in product)
        for product, c in f.terms.items()
    )


def _atom_nonnegative(atom: Atom, e: Number) -> bool:
    if atom[0] == "u":
        return True
    inner = Polynomial(dict(atom[1]))
    rest = Polynomial({product: c for product, c in inner.terms.items() if product != ONE})
    if atom[0] == "exp":  # e^c e^g
        return nonnegative(rest)
    if atom[0] == "power":  # (c - g)^-q, c > 0
        return e < 0 and bounds(inner.constant)[0] > 0 and nonnegative(rest.scaled(-1))
    return False


def full(f: Polynomial) -> bool:
    """Whether, besides, all Taylor coefficients from some degree on are positive: a product with exp(cu + ...) or
    (a - cu - ...)^-q, c > 0, is a summand."""
    linear: Product = frozenset({(("u", frozenset()), 1)})
    for product, c in f.terms.items():
        for (name, inner), _ in product:
            slope = dict(inner).get(linear, 0) if name in ("exp", "power") else 0
            if bounds(c)[0] > 0 and bounds(slope * (1 if name == "exp" else -1))[0] > 0:
                return nonnegative(f)
    return False
