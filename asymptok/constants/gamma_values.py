"""Gamma at rational arguments: what reflection and multiplication say about it.

log Gamma(j/q), j = 1, ..., q - 1, satisfy linear relations: Gamma(x) Gamma(1-x) = pi/sin(pi x), and, for m | q,
prod_(i<m) Gamma(x + i/m) = (2 pi)^((m-1)/2) m^(1/2-mx) Gamma(mx). Elimination leaves a few of them, in which all
the others are written.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import gcd

from sympy import Expr, Integer, Mul, Pow, Rational, S, gamma, pi, sin

__all__ = ["gamma_by_others"]

#: the relations grow with the denominator
_MAX_DENOMINATOR = 30
_MAX_SHIFT = 60

#: a known constant, to be raised to a power
Known = dict[Expr, Fraction]


def gamma_by_others(x: Expr) -> Expr | None:
    """Gamma(x) by the values of Gamma that are left after elimination; None if it is one of these.

    >>> gamma_by_others(Rational(3, 4))
    sqrt(2)*pi/gamma(1/4)
    """
    if not (isinstance(x, Rational) and 1 < x.q <= _MAX_DENOMINATOR) or abs(x) > _MAX_SHIFT:
        return None
    whole = x.p // x.q
    if whole:
        start = x - whole
        factors = [start + i for i in range(whole)] if whole > 0 else [1 / (x + i) for i in range(-whole)]
        return Mul(*factors, gamma(start))
    if x == S.Half:
        return None
    return _table(int(x.q)).get(int(x.p))


@lru_cache(maxsize=32)
def _table(q: int) -> dict[int, Expr]:
    """Gamma(p/q) for every p that elimination has solved for."""
    rows = [*_reflections(q), *_multiplications(q)]
    # the hardest first: a large denominator, then the larger argument
    order = sorted(range(1, q), key=lambda j: (q // gcd(j, q), j), reverse=True)
    solved: list[tuple[int, dict[int, Fraction], Known]] = []
    for j in order:
        pivot = next((row for row in rows if row[0].get(j)), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        pivot = _scaled(pivot, 1 / pivot[0][j])
        rows = [_less(row, pivot, row[0].get(j, Fraction(0))) for row in rows]
        solved = [(i, *_less((a, b), pivot, a.get(j, Fraction(0)))) for i, a, b in solved]
        solved.append((j, *pivot))
    return {j: _product(j, q, left, right) for j, left, right in solved}


def _product(j: int, q: int, left: dict[int, Fraction], right: Known) -> Expr:
    others = [Pow(gamma(Rational(i, q)), _rational(-c)) for i, c in left.items() if i != j and c]
    return Mul(*others, *[Pow(base, _rational(e)) for base, e in right.items() if e])


def _rational(value: Fraction) -> Rational:
    return Rational(value.numerator, value.denominator)


def _reflections(q: int) -> list[tuple[dict[int, Fraction], Known]]:
    found = []
    for j in range(1, q // 2 + 1):
        left = {j: Fraction(1), q - j: Fraction(1)} if 2 * j != q else {j: Fraction(2)}
        found.append((left, {pi: Fraction(1), sin(pi * Rational(j, q)): Fraction(-1)}))
    return found


def _multiplications(q: int) -> list[tuple[dict[int, Fraction], Known]]:
    found = []
    for m in range(2, q + 1):
        if q % m:
            continue
        for i in range(1, q // m + 1):
            left: dict[int, Fraction] = {}
            for n in range(m):
                place = i + n * q // m
                if place != q:
                    left[place] = left.get(place, Fraction(0)) + 1
            if m * i != q:
                left[m * i] = left.get(m * i, Fraction(0)) - 1
            half = Fraction(m - 1, 2)
            right: Known = {pi: half}
            for base, e in ((Integer(2), half), (Integer(m), Fraction(1, 2) - Fraction(m * i, q))):
                right[base] = right.get(base, Fraction(0)) + e
            found.append((left, right))
    return found


def _scaled(row: tuple[dict[int, Fraction], Known], c: Fraction) -> tuple[dict[int, Fraction], Known]:
    return {i: a * c for i, a in row[0].items()}, {base: e * c for base, e in row[1].items()}


def _less(
    row: tuple[dict[int, Fraction], Known], pivot: tuple[dict[int, Fraction], Known], c: Fraction
) -> tuple[dict[int, Fraction], Known]:
    """row - c pivot."""
    if not c:
        return row
    left, right = dict(row[0]), dict(row[1])
    for i, a in pivot[0].items():
        left[i] = left.get(i, Fraction(0)) - c * a
    for base, e in pivot[1].items():
        right[base] = right.get(base, Fraction(0)) - c * e
    return {i: a for i, a in left.items() if a}, right
