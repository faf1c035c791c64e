"""Power series of models: sum a_n f^n, and with it f^q, log f and exp f.

f = z^p c (1 + w) with the leading term c z^p; the branches are the principal ones, so c (1 + w) must miss (-oo, 0]."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import factorial, isqrt
from typing import TypeVar

from .balls import ONE, Ball, P, Retry, rational, up
from .ends import End
from .exact import Coefficient, Form, Number, enclosed, raised, whole
from .taylor import Taylor

S = TypeVar("S", Taylor, End)


def compose(f: S, a: Callable[[int], Fraction], growth: Callable[[int], Fraction]) -> S:
    """sum_n a_n f^n for an f that vanishes at 0, where |a_(n+1)| <= growth(m) |a_n| for all n >= m."""
    m = f.depth()
    if growth(m) * f.size >= ONE:
        raise Retry("a function is too large for its power series")
    return _sum(f, m, a) + f.tail(m, abs(a(m)) / (1 - growth(m) * Fraction(f.size, ONE)))


def _sum(f: S, m: int, a: Callable[[int], Coefficient]) -> S:
    """sum_(n < m) a_n f^n."""
    block, powers = isqrt(m - 1) + 1, [f.constant(1)]
    for _ in range(block):
        powers.append(powers[-1] * f)
    out = f.constant(0)
    for start in reversed(range(0, m, block)):
        if start + block < m:
            out = out * powers[block]
        for i in range(min(block, m - start)):
            out = out + powers[i].times(a(start + i))
    return out


def entire(f: S, a: Callable[[int], Fraction], least: int = 1) -> S:
    """sum_n a_n f^n for every f, where |a_(n+1)/a_n| decreases for n >= least.

    Around c = f(0) the coefficients are b_j = sum_n binom(n, j) a_n c^(n-j). With R >= |c| + rho, rho >= 4 |f - c|, and
    A = sum |a_n| R^n, |b_j| <= A rho^-j, and terms that add 2 units to A, as those from n on do if |a_n| R^n is one and
    the quotients are at most 1/2, add 2 rho^-j to b_j.
    """
    _, c, w = f.lead(0)
    m = w.depth()
    if c == 0 and m >= least:
        return compose(w, a, lambda n: abs(a(n + 1) / a(n)))
    centre, rho = enclosed(c), 4 * w.size + ONE
    radius = 1 << ((centre.mag() + rho) >> P).bit_length()
    b: list[Ball] = []
    total = size = ONE  # of what is left out, and of the next term
    while len(b) < least or size > 1 or 2 * radius * abs(a(len(b) + 1)) > abs(a(len(b))):
        b.append(rational(a(len(b)) * radius ** len(b)))
        total, size = total + b[-1].mag(), (abs(a(len(b))) * radius ** len(b) * ONE).__ceil__()
        if len(b) > 400:
            raise Retry("the argument of an entire function is too large")
    b += [Ball(0)] * (m - len(b))
    for j in range(m):  # Horner's rule for the coefficients around c, all in units of the radius
        for n in reversed(range(j, len(b) - 1)):
            b[n] = b[n] + b[n + 1] * centre.scaled(Fraction(1, radius))
    near, ratio = w.times(Fraction(1, radius)), Fraction(radius * ONE, rho)
    out = _sum(near, m, lambda j: b[j].widened((2 * ratio**j).__ceil__()))
    return out + near.tail(m, Fraction(4 * total, 3 * ONE) * ratio**m)


def _unit(f: S, opposite: bool = False) -> tuple[Number, Coefficient, S]:
    """p, c and w, if c (1 + w) misses (-oo, 0], or [0, oo) if opposite."""
    p, c, rest = f.lead()
    centre, w = enclosed(c), rest.shifted(-p).times(raised(c, -1))
    (centre.scaled(-1) if opposite else centre).widened(up(centre.mag() * w.size)).off_cut()
    return p, c, w


def power(f: S, q: Number, opposite: bool = False) -> S:
    if not isinstance(q, Form) and whole(q) and q >= 0:
        if q < 2:
            return f if q == 1 else f.constant(1)
        root = power(f, Fraction(q // 2))
        return root * root * f if q % 2 else root * root
    p, c, w = _unit(f, opposite)
    if isinstance(q, Form):
        unit = exp(_log(w).times(q))
    else:
        binomial = binomials(Fraction(q))
        size = abs(binomial[1])
        unit = compose(w, lambda n: binomial[n], lambda m: max((size + m) / (m + 1), Fraction(1)))
    return unit.times(raised(c, q)).shifted(p * q)


@cache
def binomials(q: Fraction) -> list[Fraction]:
    out = [Fraction(1)]
    for n in range(420):
        out.append(out[-1] * (q - n) / (n + 1))
    return out


def _log(w: S) -> S:
    """log(1 + w)."""
    return compose(w, lambda n: Fraction((-1) ** (n + 1), n or 1) * (n > 0), lambda m: Fraction(1))


def log(f: S) -> S:
    p, c, w = _unit(f)
    out = _log(w) if c == 1 else _log(w) + f.constant(enclosed(c).log())
    return out + f.logarithm(p) if p != 0 else out


def exp(f: S) -> S:
    _, c, rest = f.lead(0)
    unit = compose(rest, lambda n: Fraction(1, factorial(n)), lambda m: Fraction(1, m + 1))
    return unit if c == 0 else unit.times(enclosed(c).exp())
