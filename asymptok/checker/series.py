"""Power series of models: sum a_n f^n, and with it f^q, log f and exp f.

f = z^p c (1 + w) with the leading term c z^p; the branches are the principal ones, so c (1 + w) must miss (-oo, 0]."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import factorial, isqrt
from typing import TypeVar

from .balls import ONE, Retry, up
from .ends import End
from .exact import Coefficient, Form, Number, enclosed, raised, whole
from .taylor import Taylor

S = TypeVar("S", Taylor, End)


def compose(f: S, a: Callable[[int], Fraction], growth: Callable[[int], Fraction]) -> S:
    """sum_n a_n f^n for an f that vanishes at 0, where |a_(n+1)| <= growth(m) |a_n| for all n >= m."""
    m = f.depth()
    if growth(m) * f.size >= ONE:
        raise Retry("a function is too large for its power series")
    block, powers = isqrt(m - 1) + 1, [f.constant(1)]
    for _ in range(block):
        powers.append(powers[-1] * f)
    out = f.constant(0)
    for start in reversed(range(0, m, block)):
        if start + block < m:
            out = out * powers[block]
        for i in range(min(block, m - start)):
            out = out + powers[i].times(a(start + i))
    return out + f.tail(m, abs(a(m)) / (1 - growth(m) * Fraction(f.size, ONE)))


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
        binomials = _binomials(Fraction(q))
        size = abs(binomials[1])
        unit = compose(w, lambda n: binomials[n], lambda m: max((size + m) / (m + 1), Fraction(1)))
    return unit.times(raised(c, q)).shifted(p * q)


@cache
def _binomials(q: Fraction) -> list[Fraction]:
    out = [Fraction(1)]
    for n in range(200):
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
