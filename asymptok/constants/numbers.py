"""Exact constants: polynomials over Q in generators, with negative and rational exponents.

A constant is a dict {monomial: rational}; a monomial is the index of a tuple ((generator, exponent), ...) in
a table, and products of monomials are looked up. docs/theory.md, "Exact constants", says which generators
there are and why this is a normal form up to algebraic relations between them.
"""

from __future__ import annotations

from flint import arb, fmpq

from asymptok.patience import tick
from asymptok.truth import Sign

#: terms of a factor from which on a product takes its time
_LONG = 100

#: monomial index -> non-zero rational
Terms = dict[int, fmpq]
#: exponents of generators are counted in units of 1/UNIT, so that keys hold machine integers only
UNIT = 2**8 * 3**4 * 5**2 * 7**2 * 11 * 13
Key = tuple[tuple[int, int], ...]


def to_units(e: fmpq | int) -> int | None:
    """The exponent in units, or None if its denominator does not divide UNIT."""
    scaled = fmpq(e) * UNIT
    return int(scaled.p) if scaled.q == 1 else None


def from_units(units: int) -> fmpq:
    return fmpq(units, UNIT)


class Number:
    """An immutable exact constant; `ball` caches its enclosure at the base precision."""

    __slots__ = ("ball", "terms")

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.ball: arb | None = None

    def __repr__(self) -> str:
        return f"Number({self.terms})"


ZERO = Number({})
ONE = Number({0: fmpq(1)})


def add_terms(a: Terms, b: Terms) -> Terms:
    if len(a) < len(b):
        a, b = b, a
    result = dict(a)
    for m, c in b.items():
        old = result.get(m)
        if old is None:
            result[m] = c
        else:
            total = old + c
            if total == 0:
                del result[m]
            else:
                result[m] = total
    return result


def scale_terms(a: Terms, r: fmpq) -> Terms:
    return {m: c * r for m, c in a.items()} if r != 0 else {}


class Monomials:
    """The table of monomials. Index 0 is the monomial 1.

    A generator that is a prime keeps its exponent in [0, 1); the whole part moves to the rational coefficient.
    """

    def __init__(self) -> None:
        self.keys: list[Key] = [()]
        self.primes: dict[int, int] = {}
        self._index: dict[Key, int] = {(): 0}
        self._rows: list[dict[int, tuple[int, fmpq | None]]] = [{}]

    def index(self, key: Key) -> int:
        found = self._index.get(key)
        if found is None:
            found = self._index[key] = len(self.keys)
            self.keys.append(key)
            self._rows.append({})
        return found

    def normal(self, exponents: dict[int, int]) -> tuple[int, fmpq | None]:
        """The monomial with these exponents, and the rational that its primes give off."""
        factor: fmpq | None = None
        for g, prime in self.primes.items():
            if g in exponents:
                whole, exponents[g] = divmod(exponents[g], UNIT)
                if whole:
                    factor = (factor if factor is not None else fmpq(1)) * fmpq(prime) ** whole
        return self.index(tuple(sorted(pair for pair in exponents.items() if pair[1]))), factor

    def product(self, i: int, j: int) -> tuple[int, fmpq | None]:
        found = self._rows[i].get(j)
        if found is None:
            exponents = dict(self.keys[i])
            for g, e in self.keys[j]:
                exponents[g] = exponents[g] + e if g in exponents else e
            found = self._rows[i][j] = self._rows[j][i] = self.normal(exponents)
        return found

    def power(self, i: int, n: int) -> tuple[int, fmpq | None]:
        return self.normal({g: a * n for g, a in self.keys[i]})

    def multiply_into(self, target: Terms, a: Terms, b: Terms) -> None:
        """target += a*b; cancelled entries stay behind as zeros for the caller to sweep."""
        if len(a) > len(b):
            a, b = b, a
        get = target.get
        long = len(b) > _LONG
        for i, c1 in a.items():
            if long:
                tick("products of long constants")
            row = self._rows[i]
            for j, c2 in b.items():
                found = row.get(j)
                m, factor = found if found is not None else self.product(i, j)
                c = c1 * c2 if factor is None else c1 * c2 * factor
                old = get(m)
                target[m] = c if old is None else old + c

    def multiply(self, a: Terms, b: Terms) -> Terms:
        target: Terms = {}
        self.multiply_into(target, a, b)
        return sweep(target)


def sweep(terms: Terms) -> Terms:
    """Without the entries that cancelled."""
    for c in terms.values():
        if c == 0:
            return {m: x for m, x in terms.items() if x != 0}
    return terms


def ball_sign(value: arb) -> Sign:
    """The sign if the ball shows it."""
    return Sign.shown(value > 0, value < 0, value == 0)
