"""Functions with a branch point at 1: f(1-y) = A(y) + B(y) y^sigma, or A(y) + B(y) log y, A and B analytic in |y| < 1.

Polylogarithms, with w = -log(1-y) = y g(y):
    Li_s(1-y) = sum_k zeta(s-k) (-w)^k/k! + Gamma(1-s) y^(s-1) g^(s-1),
where for whole s = n the term k = n-1 and the last one become (-w)^(n-1)/(n-1)! (H_(n-1) - log g - log y). The powers
of y in g and log g have coefficients > 0, those of 1/g - 1 are negative and of sum -1 at most, so that |g| <= g(r),
|log g| <= log g(r) and |1/g| <= 2 for |y| <= r < 1. `_beyond` bounds the sum over k from K on.

Gauss's function, s = c-a-b no integer:
    F(a,b;c;1-y) = G(c)G(s)/(G(c-a)G(c-b)) F(a,b;1-s;y) + G(c)G(-s)/(G(a)G(b)) y^s F(c-a,c-b;1+s;y),
and for s = m = 0, 1, 2, ... the limit of this, with log y and digamma values. The complete elliptic integrals are
pi/2 F(1/2,1/2;1;.) and pi/2 F(-1/2,1/2;1;.).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import factorial

import flint
import sympy
from flint import acb, acb_poly, arb, arb_series, fmpq
from sympy import Expr, S

from asymptok.atlas.local import Unproved
from asymptok.balls import ball
from asymptok.precision import flint_length

#: terms of the sum over k beside those for the precision, and of a hypergeometric series before it is bounded
_MORE = 48
_LONGEST = 400


@dataclass(frozen=True)
class Connection:
    """A and B by their first coefficients, and bounds of |A| and |B| on |y| = r for any r < 1 not too near to it."""

    #: sigma, or None for log y
    exponent: Expr | None
    regular: tuple[arb, ...]
    singular: tuple[arb, ...]
    sizes: Callable[[arb], tuple[arb, arb]]

    def value(self, y: acb, log: acb, radius: arb) -> acb | None:
        """f(1-y) for |y| < radius < 1, log y given: on the sheet that this logarithm says."""
        ratio = abs(y) / radius
        if not ratio < 1:
            return None
        total = []
        for coefficients, size in zip((self.regular, self.singular), self.sizes(radius), strict=True):
            tail = (size * ratio ** len(coefficients) / (1 - ratio)).upper()
            total.append(acb_poly(list(coefficients))(y) + flint.acb(arb(0, tail), arb(0, tail)))
        factor = log if self.exponent is None else (log * ball(self.exponent)).exp()
        return total[0] + total[1] * factor


def connection(node: Expr, count: int) -> Connection | None:
    """The connection of the outermost function of a node, as a function of its last argument; None if it has none."""
    if isinstance(node, sympy.polylog):
        s = node.args[0]
        return _polylog(s, count, flint.ctx.prec) if s.is_Rational or s.is_integer is False else None
    if isinstance(node, sympy.elliptic_k | sympy.elliptic_e) and len(node.args) == 1:
        first = S.Half if isinstance(node, sympy.elliptic_k) else -S.Half
        return _gauss(first, S.Half, S.One, sympy.pi / 2, count, flint.ctx.prec)
    if isinstance(node, sympy.hyper) and (len(node.ap), len(node.bq)) == (2, 1):
        return _gauss(*node.ap, *node.bq, S.One, count, flint.ctx.prec)
    return None


# polylogarithms ------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _polylog(order: Expr, count: int, prec: int) -> Connection:
    """Li_s, s > 0 or no integer; `prec` is the current precision, named for the cache."""
    n = int(order) if order.is_Integer else None
    if n is not None and n < 1:
        raise Unproved("a polylogarithm with a pole")
    s = ball(order)
    with flint_length(count):
        # g = sum y^m/(m+1), and w = y g
        g = arb_series([arb(fmpq(1, m + 1)) for m in range(count)], prec=count)
        w = arb_series([0, 1], prec=count) * g
        total = max(count, prec) + _MORE
        weights = [arb(0) if k + 1 == n else (s - k).zeta() * (-1) ** k / arb(k).fac() for k in range(total)]
        # of w^k nothing lies below y^k
        regular = arb_series([0], prec=count)
        for weight in reversed(weights[:count]):
            regular = regular * w + weight
        if n is None:
            singular, exponent = (g.log() * (s - 1)).exp() * (1 - s).gamma(), order - 1
        else:
            power = arb_series([1], prec=count)
            for _ in range(n - 1):
                power = power * (-w)
            power, exponent = power / factorial(n - 1), None
            harmonic = sum((arb(fmpq(1, j)) for j in range(1, n)), arb(0))
            regular, singular = regular + power * (harmonic - g.log()), -power

    def sizes(r: arb) -> tuple[arb, arb]:
        top = -(1 - r).log()
        steep = top / r
        first = sum((abs(x) * top**k for k, x in enumerate(weights)), arb(0)) + _beyond(s, top, total)
        if n is None:
            gamma = abs((1 - s).gamma())
            return first.upper(), (gamma * arb.max(steep ** (s - 1), arb(2) ** (1 - s))).upper()
        second = top ** (n - 1) / factorial(n - 1)
        return (first + second * (abs(harmonic) + steep.log())).upper(), second.upper()

    return Connection(exponent, _padded(regular, count), _padded(singular, count), sizes)


def _beyond(s: arb, top: arb, count: int) -> arb:
    """A bound of sum |zeta(s-k)| top^k/k! over k >= count.

    By the functional equation a term is at most 4 (2 pi)^(s-1) Gamma(k+1-s)/k! (top/(2 pi))^k. The quotient of gammas
    is at most 1 for s >= 0 and k >= s + 2; for s < 0 it grows, by (k+1-s)/(k+1) from k to k+1.
    """
    growth = arb.max(arb(1), (count + 1 - s) / (count + 1))
    ratio = top / (2 * arb.pi())
    if not growth * ratio < 1 or not count >= s + 2:
        raise Unproved("a polylogarithm too far from 1")
    quotient = ((count + 1 - s).lgamma() - arb(count + 1).lgamma()).exp()
    most = arb.max(arb(1), quotient)
    return 4 * (2 * arb.pi()) ** (s - 1) * most * ratio**count / (1 - growth * ratio)


def _padded(series: arb_series, count: int) -> tuple[arb, ...]:
    return tuple(series[i] for i in range(count))


# Gauss's function ----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _gauss(a: Expr, b: Expr, c: Expr, scale: Expr, count: int, prec: int) -> Connection:
    """scale F(a,b;c;.); `prec` is the current precision, named for the cache."""
    s = c - a - b
    if not all(x.is_real for x in (a, b, c)) or not (s.is_Integer or s.is_integer is False):
        raise Unproved(f"it is not known whether {s} is an integer")
    if any(x.is_integer is not False and not x.is_positive for x in (a, b, c, c - a, c - b)):
        raise Unproved("a hypergeometric function that ends, or has a pole at 1")
    if s.is_Integer:
        if s < 0:
            raise Unproved("a hypergeometric function with a pole at 1")
        return _logarithmic(ball(a), ball(b), int(s), ball(scale), count)
    x, y, z, w, factor = (ball(e) for e in (a, b, c, s, scale))
    outer = factor * z.gamma()
    first = _Series(x, y, 1 - w, outer * w.gamma() * (z - x).rgamma() * (z - y).rgamma())
    second = _Series(z - x, z - y, 1 + w, outer * (-w).gamma() * x.rgamma() * y.rgamma())
    return Connection(
        s, first.coefficients(count), second.coefficients(count), lambda r: (first.size(r), second.size(r))
    )


def _logarithmic(a: arb, b: arb, m: int, scale: arb, count: int) -> Connection:
    """c = a + b + m: a polynomial of degree m-1, and y^m times series with digamma values and log y."""
    top = scale * (a + b + m).gamma()
    series = _Series(a + m, b + m, arb(m + 1), top * a.rgamma() * b.rgamma() * (-1) ** (m + 1) / factorial(m))

    def digammas(n: int) -> arb:
        values = (a + (m + n)).digamma() + (b + (m + n)).digamma()
        return values - arb(n + 1).digamma() - arb(n + m + 1).digamma()

    def spread(n: int) -> arb:
        # |psi(x) - psi(z)| <= |x-z| (1/v + 1/v^2), v the smaller one: decreases in n
        least = arb.min(arb.min(a + m, b + m), arb(1)) + n
        return (abs(a + (m - 1)) + abs(b - 1)) * (1 / least + 1 / least**2) if least > 0 else arb.pos_inf()

    plain = series.coefficients(count)
    regular = [arb(0)] * m + [x * digammas(n) for n, x in enumerate(plain)]
    value = top * factorial(max(m - 1, 0)) * (a + m).rgamma() * (b + m).rgamma()
    for n in range(m):
        regular[n] = value
        value = value * (a + n) * (b + n) / ((n + 1) * (1 - m + n)) if n < m - 1 else value
    start = regular[:m]

    def sizes(r: arb) -> tuple[arb, arb]:
        until = series.from_where(r)
        first = sum((abs(x) * r**n for n, x in enumerate(start)), arb(0))
        head = series.coefficients(until)
        first = first + r**m * sum((abs(x * digammas(n)) * r**n for n, x in enumerate(head)), arb(0))
        return (first + r**m * series.tail(r) * spread(until)).upper(), (r**m * series.size(r)).upper()

    return Connection(None, tuple(regular[:count]), tuple(([arb(0)] * m + list(plain))[:count]), sizes)


@dataclass(frozen=True)
class _Series:
    """first sum_n (a)_n (b)_n/((c)_n n!) y^n."""

    a: arb
    b: arb
    c: arb
    first: arb

    def ratio(self, n: int) -> arb:
        return (self.a + n) * (self.b + n) / ((self.c + n) * (n + 1))

    def coefficients(self, count: int) -> tuple[arb, ...]:
        found = [self.first]
        for n in range(count - 1):
            found.append(found[-1] * self.ratio(n))
        return tuple(found[:count])

    def from_where(self, r: arb) -> int:
        """An n from which each coefficient is at most (1 + 1/r)/2 times the one before, so that the tail is summed."""
        a, b, c = abs(self.a), abs(self.b), abs(self.c)
        for n in range(1, _LONGEST):
            # decreases in n
            if n > c and (1 + a / n) * (1 + b / n) / (1 - c / n) < (1 + 1 / r) / 2:
                return n
        raise Unproved("a hypergeometric function too far from 1")

    def tail(self, r: arb) -> arb:
        """sum of |coefficients| r^n from there on."""
        until = self.from_where(r)
        last = self.coefficients(until + 1)[-1]
        return abs(last) * r**until / (1 - (1 + r) / 2)

    def size(self, r: arb) -> arb:
        """A bound of the series on |y| = r."""
        head = self.coefficients(self.from_where(r))
        return (sum((abs(x) * r**n for n, x in enumerate(head)), arb(0)) + self.tail(r)).upper()


__all__ = ["Connection", "connection"]
