"""Sums of p u^e exp(cu + x) and p u^e exp(cu^2 + x), all numbers rational: a F(k) <= mu_k <= b F(k) for all k.

At 0 the derivatives of the terms are p e^x D(n), where with (n)_e = n!/(n-e)! D(n) = (n)_e c^(n-e), or for the squares
(n)_e c^i (2i)!/i! if n - e = 2i and 0 if not, so that D(n+2)/D(n) = (n+1)(n+2)/((n+1-e)(n+2-e)) times c^2, or times
2c(n+1-e). With (d) = d (d+2) ... (d+2k-2)
    mu_k = 1/(d) sum_m kappa^(k+2m)(0)/(4^m m! (k+d/2) ... (k+d/2+m-1)),     F(k) = f(k)/(d),
f(n) = b^n (n)_q, b = c, or b^n (n)_q Gamma((n-q+1)/2), b = 2 sqrt(c), a multiple of D(n) for the term that leads. For
n >= K of one parity it does: quotients with the others decrease in steps of 2, as every factor of such a step tends to
its limit monotonously and the product at K, with 1 for the factors that tend to 1 from below, is at most 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, factorial, floor, perm, prod
from typing import NamedTuple

from .algebra import FIRST, SECOND, collected
from .balls import HALF, Clock
from .contour import Refuted
from .exact import ONE, PI, Form, Number, Unsupported, ball, parts, power
from .kernel import Program, Symbols, exact_number
from .read import Pair, fields, integer, rational

FINE = 2**220
ZERO = Fraction(0)
Parts = dict[Fraction, Fraction]  # x -> p of sum p e^x


class Kind(NamedTuple):
    """u^e exp(cu), or u^e exp(cu^2)."""

    square: bool
    c: Fraction
    e: int

    def derivative(self, n: int) -> Fraction:
        """D(n)."""
        i, odd = divmod(n - self.e, 2)
        if i < 0 or (self.square and odd):
            return ZERO
        return perm(n, self.e) * (
            self.c**i * (factorial(2 * i) // factorial(i)) if self.square else self.c ** (n - self.e)
        )

    def quotient(self, d: int, k: int, m: int) -> Fraction:
        """Of the summands m+1 and m of mu_k; for the squares a bound, by n+1 <= 2k+d+2m: it decreases in m."""
        n, e = k + 2 * m, self.e
        step = Fraction(n + 2, (m + 1) * (n + 2 - e))
        return step * (
            self.c if self.square else self.c**2 * Fraction(n + 1, (n + 1 - e) * (4 * (k + m) + 2 * d))
        )

    def outgrows(self, other: Kind, n: int) -> bool:
        """Whether D'(m+2)/D'(m) <= D(m+2)/D(m) for all m >= n."""
        size = [2 * x.c if x.square else x.c**2 for x in (other, self)]
        at = [max(Fraction(1), Fraction(n + i - self.e, n + i - other.e)) for i in (1, 2)]
        if self.square:
            at[0] = Fraction(1) if other.square else Fraction(1, n + 1 - other.e)
        return self.square >= other.square and size[0] * prod(at) <= size[1]

    def sums(self, d: int, k: int) -> Pair:
        """Bounds of sum_m D(j+2m)/D(j)/(4^m m! (j+d/2) ... (j+d/2+m-1)) for all j >= k. Its quotients decrease to 0
        in j; those of the squares are c/(m+1) times (n+2)/(n+2-e), n = j+2m, which decreases to 1, and times
        (n+1)/(2j+2m+d), which tends to 1/2 monotonously."""
        low, high, least, most = (Fraction(1),) * 4
        for m in range(2000):
            step = self.quotient(d, k, m)
            turn = Fraction(k + 2 * m + 1, 2 * (k + m) + d) if self.square else None
            least = ZERO if turn is None else least * self.c / (m + 1) * min(turn, HALF)
            most = most * step * (1 if turn is None else max(turn, HALF))
            least, most = Fraction(floor(least * FINE), FINE), Fraction(ceil(most * FINE), FINE)
            low, high = low + least, high + most
            if 2 * step < 1 and most * 2**150 < 1:
                return low, high + most
        raise Unsupported("so large a base")


class Exponentials:
    """Eigenvalues and laws of one kernel in one dimension."""

    def __init__(self, nodes: Program, d: int) -> None:
        self.d, self.terms = d, exponentials(Symbols().run(nodes))
        self.e = {x: ball(x).exp().real().interval() for _, x in self.terms}
        self.first = max((kind.e for kind, _ in self.terms), default=0)
        self.summary = [
            f"the kernel is a sum of {len(self.terms)} terms p u^e exp(cu + x) or p u^e exp(cu^2 + x)"
        ]

    def _combined(self, sizes: Parts) -> Pair:
        """sum_x p_x e^x between two numbers."""
        ends = [sorted(p * y for y in self.e[x]) for x, p in sizes.items()]
        return sum((low for low, _ in ends), ZERO), sum((high for _, high in ends), ZERO)

    def _series(self, k: int, scale: Fraction) -> Pair:
        """scale (d) mu_k."""
        low, high, weight = ZERO, ZERO, abs(scale)
        for m in range(2000):
            Clock.tick()
            n, sizes = k + 2 * m, Parts()
            for (kind, x), p in self.terms.items():
                sizes[x] = sizes.get(x, ZERO) + p * kind.derivative(n) * weight
            a, b = self._combined(sizes)
            low, high, weight = low + a, high + b, weight / (4 * (m + 1) * (k + m + Fraction(self.d, 2)))
            if n + 2 > self.first and all(2 * kind.quotient(self.d, k, m + 1) < 1 for kind, _ in self.terms):
                later = [
                    abs(p * kind.derivative(n + 2)) * self.e[x][1] for (kind, x), p in self.terms.items()
                ]
                rest = 2 * weight * sum(later)
                if rest * 2**100 <= max(abs(low), abs(high)):
                    return low - rest, high + rest
        raise Unsupported("a series that converges so slowly")

    def eigenvalues(self, claims: Mapping[int, Pair]) -> dict[int, Pair]:
        """mu_k."""
        return {k: self._series(k, Fraction(1, prod(self.d + 2 * i for i in range(k)))) for k in claims}

    def parity(self, data: object, parity: int) -> tuple[int, Pair, str]:
        """Verify a F(k) <= mu_k <= b F(k) for all k >= k0; the degree k0, a and b, and words."""
        kind, text, q, order, *rest = fields(data, "kind base power order k0 tail a b", "square")
        square, base = isinstance(data, dict) and data.get("square", False), exact_number(text)
        c = base * base * Fraction(1, 4) if square else base
        if kind != "exponential" or order is not None or not isinstance(square, bool):
            raise Unsupported("entire functions other than sums of exponentials")
        lead, (a, b) = Kind(square, fraction(c), integer(q, 0, 100)), map(rational, rest[2:])
        k0, tail, weights = integer(rest[0], 0, 4096), integer(rest[1], 1, 4096), self._weights(parity)
        begins = base > 0 and tail % 2 == parity and lead.e < k0 <= tail <= k0 + 400 and tail > self.first
        size = self._combined(weights.pop(lead, {}))
        least, most = max(size[0], -size[1]), max(map(abs, size))
        if not begins or least <= 0 or not all(lead.outgrows(other, tail) for other in weights):
            raise Refuted(f"the law of the parity {parity} does not begin so")
        others = (max(map(abs, self._combined(x))) * other.derivative(tail) for other, x in weights.items())
        loss, (low, high) = sum(others) / (lead.derivative(tail) * least), lead.sums(self.d, tail)
        low, high = least * (1 - loss) * low, most * (1 + loss) * high
        found = [(low, high) if size[0] > 0 else (-high, -low)]
        found += (self._series(k, 1 / lead.derivative(k)) for k in range(k0 + (k0 - parity) % 2, tail, 2))
        # f(n) times this is D(n)
        scale = ball(power(base, -lead.e) * (power(PI, -HALF) if square else 1)).interval()
        if not (loss < 1 and all(a <= x * y <= b for pair in found for x in pair for y in scale)):
            raise Refuted(f"a F(k) <= mu_k <= b F(k) for all k >= {k0} is not confirmed")
        words = f"a = {rest[2]}, b = {rest[3]}, F(k) = (({base})/2)^k Gamma(d/2)/Gamma(k+d/2)"
        words += f" k!/(k-{q})!" * (lead.e > 0) + f" Gamma((k+1-{q})/2)" * square
        return k0, (a, b), f"a F(k) <= mu_k <= b F(k), {words}"

    def _weights(self, parity: int) -> dict[Kind, Parts]:
        """The sum of all +-p e^x for each kind with c > 0; what cancels or has D(n) = 0 is left out."""
        out: dict[Kind, Parts] = {}
        for (kind, x), p in self.terms.items():
            odd = (parity - kind.e) % 2
            if kind.c and not (kind.square and odd):
                sizes = out.setdefault(kind._replace(c=abs(kind.c)), {})
                sizes[x] = sizes.get(x, ZERO) + (-p if kind.c < 0 and odd else p)
        return {kind: sizes for kind, sizes in out.items() if any(sizes.values())}


def fraction(x: Number) -> Fraction:
    if isinstance(x, Form):
        raise Unsupported("exponentials with irrational numbers")
    return Fraction(x)


def exponentials(f: Number) -> dict[tuple[Kind, Fraction], Fraction]:
    """p at (kind, x) for the sum that f is."""
    out: dict[tuple[Kind, Fraction], Fraction] = {}
    for product, p in parts(f):
        e, total = 0, [ZERO] * 3
        for (name, base), q in product:
            line = collected(base)
            found = [line.pop(key, 0) * q for key in (FIRST, SECOND, ONE)]
            if name == "u":
                e = int(ball(q).interval()[0])
            elif name != "exp" or line:
                raise Unsupported("a sum of exponentials other than p u^e exp(cu + x) with rational p, c, x")
            else:
                total = [a + fraction(b) for a, b in zip(total, found, strict=True)]
        c, square, x = total
        if max(abs(c), abs(x), square, Fraction(e)) > 1000 or square < 0 or (c and square):
            raise Unsupported("so large an exponential, or exp(cu^2) with c < 0 or beside exp(u)")
        key = Kind(square > 0, c + square, e), x
        out[key] = out.get(key, ZERO) + p
    return {key: p for key, p in out.items() if p}
