"""Which powers of s = sqrt(t) can occur at an end: truncated series with exact coefficients in Q[sqrt n, pi, 1/pi].

A coefficient outside that ring is None (any number); an exponent below `known` that is absent has coefficient 0
exactly. This is the only place where something is called zero; pi is transcendental and the roots of different
square-free n are independent over Q, so the ring decides it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd, isqrt
from typing import NamedTuple

__all__ = [
    "Exact",
    "Series",
    "acos",
    "add",
    "compose",
    "constant",
    "exp",
    "log",
    "monomial",
    "mul",
    "order",
    "plus",
    "power",
    "scalar",
    "times",
]

Exact = dict[
    tuple[int, int], Fraction
]  # {(n, j): q} is the sum of q sqrt(n) pi^j, n > 0 without square factors
KNOWN = Fraction(8)
NOTHING = Fraction(-(10**9))  # what is known of a function that has no such series
TERMS = 100


class Series(NamedTuple):
    """sum of terms[e] s^e over the exponents e < known, plus O(s^known)."""

    terms: dict[Fraction, Exact | None]
    known: Fraction = KNOWN


def constant(q: Fraction | int, pi_power: int = 0, root: int = 1) -> Exact:
    return {(root, pi_power): Fraction(q)} if q else {}


def scalar(c: Exact | None) -> Series:
    return Series({Fraction(0): c} if c is None or c else {})


def times(a: Exact | None, b: Exact | None) -> Exact | None:
    if a is None or b is None:
        return {} if a == {} or b == {} else None
    out: Exact = {}
    for (i, j), p in a.items():
        for (k, m), q in b.items():
            common = gcd(i, k)  # sqrt(i) sqrt(k) = g sqrt(i k/g^2)
            key = (i * k // common**2, j + m)
            out[key] = out.get(key, Fraction(0)) + p * q * common
    return {key: q for key, q in out.items() if q}


def plus(a: Exact | None, b: Exact | None) -> Exact | None:
    if a is None or b is None:
        return None
    total = {key: a.get(key, Fraction(0)) + b.get(key, Fraction(0)) for key in {*a, *b}}
    return {key: q for key, q in total.items() if q}


def _series(terms: dict[Fraction, Exact | None], known: Fraction) -> Series:
    return Series({e: c for e, c in terms.items() if e < known and (c is None or c)}, known)


def add(f: Series, g: Series) -> Series:
    out = dict(f.terms)
    for e, b in g.terms.items():
        out[e] = plus(out.get(e, {}), b)
    return _series(out, min(f.known, g.known))


def order(f: Series) -> Fraction:
    """A proved order of vanishing: f = O(s^order)."""
    return min(f.terms, default=f.known)


def mul(f: Series, g: Series) -> Series:
    out: dict[Fraction, Exact | None] = {}
    for e, a in f.terms.items():
        for h, b in g.terms.items():
            out[e + h] = plus(out.get(e + h, {}), times(a, b))
    return _series(out, min(order(f) + g.known, order(g) + f.known, KNOWN))


def compose(h: Series, coefficient: Callable[[int], Exact | None]) -> Series:
    """sum_n coefficient(n) h^n for h = O(s^e), e > 0; cut short, if it is long, with what is then known."""
    if order(h) <= 0:
        return Series({}, NOTHING)
    out, term = Series({}, h.known), Series({Fraction(0): constant(1)})
    for n in range(TERMS):
        if order(term) >= h.known:
            return out
        out, term = add(out, mul(scalar(coefficient(n)), term)), mul(term, h)
    return _series(out.terms, min(out.known, order(term)))


def monomial(c: Exact | None, q: Fraction) -> Exact | None:
    """c^q where that stays in the ring and c has one term."""
    if c is None or len(c) != 1 or abs(q) > 16:
        return None
    ((root, j), value), *_ = c.items()
    if q.denominator == 2 and root == 1 and j % 2 == 0 and value > 0:
        free, square = _square_free(value.numerator * value.denominator)
        half = {(free, j // 2): Fraction(square, value.denominator)}
        return monomial(half, Fraction(q.numerator)) if free else None
    if q.denominator != 1:
        return None
    n = int(q)
    whole = value**n * Fraction(root) ** (n // 2)
    return {(root if n % 2 else 1, j * n): whole}


def _square_free(n: int) -> tuple[int, int]:
    """(f, s) with n = f s^2 and f without square factors; (0, 0) if that takes long."""
    if n > 10**8:
        s = isqrt(n)
        return (1, s) if s * s == n else (0, 0)
    free, square, p = n, 1, 2
    while p * p <= free:
        while free % (p * p) == 0:
            free, square = free // (p * p), square * p
        p += 1
    return free, square


def power(f: Series, q: Fraction) -> Series:
    """f^q. Unless q is a natural number f = c s^p (1 + ...), and that c is not 0 is left to the ray test."""
    if q.denominator == 1 and 0 <= q <= 16:
        out = scalar(constant(1))
        for _ in range(int(q)):
            out = mul(out, f)
        return out
    p = order(f)
    if not f.terms:
        return Series({}, NOTHING)
    lead, inverse = monomial(f.terms[p], q), monomial(f.terms[p], Fraction(-1))
    rest = Series({e - p: times(c, inverse) for e, c in f.terms.items() if e > p}, f.known - p)
    binomials = [Fraction(1)]
    for n in range(TERMS):
        binomials.append(binomials[-1] * (q - n) / (n + 1))
    unit = compose(rest, lambda n: constant(binomials[n]))
    return _series({e + q * p: times(lead, c) for e, c in unit.terms.items()}, min(unit.known + q * p, KNOWN))


def _split(f: Series) -> tuple[Exact | None, Series]:
    return f.terms.get(Fraction(0), {}), Series({e: c for e, c in f.terms.items() if e}, f.known)


def exp(f: Series) -> Series:
    at, rest = _split(f)
    inverse = [Fraction(1)]
    for n in range(TERMS):
        inverse.append(inverse[-1] / (n + 1))
    return compose(rest, lambda n: constant(inverse[n]) if at == {} else None)


def log(f: Series) -> Series:
    """log f for f(0) not 0; log s itself is no series."""
    at, rest = _split(f)
    if order(f) != 0:
        return Series({}, NOTHING)
    if at != constant(1):
        return compose(rest, lambda n: None)
    return compose(rest, lambda n: constant(Fraction((-1) ** (n + 1), n)) if n else {})


def _asin(n: int) -> Exact:
    value = Fraction(n % 2, n or 1)
    for m in range(n // 2):
        value *= Fraction(2 * m + 1, 2 * m + 2)
    return constant(value)


def acos(f: Series) -> Series:
    """acos f; if f(0) is not known exactly, the ray tests of 1 - f and 1 + f prove that it is not +-1."""
    at, rest = _split(f)
    if at == {}:
        return add(scalar(constant(Fraction(1, 2), 1)), mul(scalar(constant(-1)), compose(rest, _asin)))
    for sign in (1, -1):  # acos(1 - y) = 2 asin sqrt(y/2), acos(-1 + y) = pi - 2 asin sqrt(y/2)
        if at == constant(sign):
            root = power(mul(scalar(constant(Fraction(-sign, 2))), rest), Fraction(1, 2))
            turn = scalar(constant(0 if sign == 1 else 1, 1))
            return add(turn, mul(scalar(constant(2 * sign)), compose(root, _asin)))
    return compose(rest, lambda n: None)
