"""What algebra shows: whether kappa(u) -+ kappa(-u) is a polynomial, Taylor coefficients >= 0, sums of exponentials.

kappa(-u) is found by running the same program at -u; asin is odd. The branches of the kernel are positive on (-1, 1)
wherever a power is not an integer, which the contour proves, so that N^a N^b = N^(a+b).

Sums of p u^e exp(cu + x) with rational p, c, x have a F(k) <= mu_k <= b F(k), in rational numbers but for the e^x:
kappa^(n)(0) = sum p e^x (n)_e c^(n-e), (n)_e = n!/(n-e)!, and with (d) = d (d+2) ... (d+2k-2)
    mu_k = 1/(d) sum_m kappa^(k+2m)(0)/(4^m m! (k+d/2) ... (k+d/2+m-1)),     F(k) = c^k (k)_q/(d).
For n >= K of one parity the term c^n (n)_q leads: its quotients with the others decrease in steps of 2 once the product
of (c'/c)^2 and of the factors (n+i-q)/(n+i-e) above 1, i = 1, 2, is at most 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, perm, prod

from .balls import Clock
from .contour import Refuted
from .exact import NUMBERS, ONE, Atom, Form, Number, Product, Unsupported, ball, parts
from .kernel import ENTIRE, Program, Symbols
from .read import Pair, fields, integer, rational

U: Atom = ("u", 0)
FIRST: Product = frozenset({(U, 1)})


def collected(f: Number) -> dict[Product, Number]:
    """The coefficients, which are numbers, of the products in u."""
    out: dict[Product, Number] = {}
    for product, q in parts(f):
        fixed = frozenset(one for one in product if one[0][0] in NUMBERS and not isinstance(one[0][1], Form))
        out[product - fixed] = out.get(product - fixed, 0) + Form({fixed: q}) * 1
    return {product: c for product, c in out.items() if c != 0}


def polynomial_degree(program: Program, parity: int) -> int | None:
    """The degree of the part of the given parity, if that is a polynomial (-1 if it vanishes)."""
    part = Symbols(1).run(program) + Symbols(-1).run(program) * (1 - 2 * parity)
    powers = [dict(product) for product in collected(part)]
    if any(name != "u" for product in powers for name, _ in product):
        return None
    return max((int(ball(product.get(U, 0)).interval()[0]) for product in powers), default=-1)


def nonnegative(f: Number) -> bool:
    """Whether all Taylor coefficients at 0 are shown to be >= 0; then every mu_k is, in every dimension."""
    return all(
        c > 0 and all(_atom_nonnegative(*one) for one in product) for product, c in collected(f).items()
    )


def _atom_nonnegative(one: Atom, e: Number) -> bool:
    name, base = one
    c = collected(base).get(ONE, 0)
    if name == "exp":  # e^c e^g
        return nonnegative(base - c)
    if name == "power":  # (c - g)^e, g(0) = 0
        small = all(U in dict(product) for product in collected(c - base))
        return small and e < 0 and c > 0 and nonnegative(c - base)
    return name == "u"


def full(f: Number) -> bool:
    """Whether, besides, all Taylor coefficients from some degree on are positive: a product with exp(cu + ...) or
    (a - cu - ...)^-q, c > 0, is a summand."""
    slopes = [
        collected(base).get(FIRST, 0) * (1 if name == "exp" else -1)
        for product in collected(f)
        for (name, base), _ in product
        if name in ("exp", "power")
    ]
    return any(slope > 0 for slope in slopes) and nonnegative(f)


def is_entire(f: Number) -> bool:
    """Whether u is met by sums, products, whole powers >= 0, exp, sin, ... alone."""
    return all(
        name == "u" or (name in ("exp", *ENTIRE) and is_entire(base))
        for product in collected(f)
        for (name, base), _ in product
    )


def exponentials(f: Number) -> dict[tuple[Fraction, int, Fraction], Fraction]:
    """p at (c, e, x) for the sum of p u^e exp(cu + x) that f is, all of them rational."""
    out: dict[tuple[Fraction, int, Fraction], Fraction] = {}
    for product, p in parts(f):
        c, e, x = Fraction(0), 0, Fraction(0)
        for (name, base), q in product:
            line = collected(base)
            slope, shift = line.pop(FIRST, 0) * q, line.pop(ONE, 0) * q
            if name == "u":
                e = int(ball(q).interval()[0])
            elif name != "exp" or line or isinstance(slope, Form) or isinstance(shift, Form):
                raise Unsupported("a sum of exponentials other than p u^e exp(cu + x) with rational p, c, x")
            else:
                c, x = c + slope, x + shift
        if max(abs(c), abs(x), Fraction(e)) > 1000:
            raise Unsupported("so large an exponential")
        out[c, e, x] = out.get((c, e, x), Fraction(0)) + p
    return {key: p for key, p in out.items() if p}


FINE = 2**220
ZERO = Fraction(0)
Parts = dict[Fraction, Fraction]  # x -> p of sum p e^x


class Exponentials:
    """Eigenvalues and laws of one kernel in one dimension."""

    def __init__(self, nodes: Program, d: int) -> None:
        self.d, self.terms = d, exponentials(Symbols().run(nodes))
        self.e = {x: ball(x).exp().real().interval() for _, _, x in self.terms}
        self.first = max((e for _, e, _ in self.terms), default=0)
        self.summary = [f"the kernel is a sum of {len(self.terms)} terms p u^e exp(cu + x)"]

    def _combined(self, sizes: Parts) -> Pair:
        """sum_x p_x e^x between two numbers."""
        ends = [sorted(p * y for y in self.e[x]) for x, p in sizes.items()]
        return sum((low for low, _ in ends), ZERO), sum((high for _, high in ends), ZERO)

    def _step(self, k: int, m: int) -> Fraction:
        """The quotient of 1/(4^m m! (k+d/2) ... (k+d/2+m-1)) and the next one."""
        return 4 * (m + 1) * (Fraction(2 * k + self.d, 2) + m)

    def _series(self, k: int, scale: Fraction) -> Pair:
        """scale (d) mu_k."""
        low, high, weight = ZERO, ZERO, abs(scale)
        for m in range(2000):
            Clock.tick()
            n, sizes, rest, halved = k + 2 * m, Parts(), ZERO, True
            step = self._step(k, m)
            for (c, e, x), p in self.terms.items():
                sizes[x] = sizes.get(x, ZERO) + p * perm(n, e) * (c ** (n - e) if n >= e else 0)
                if n + 2 > self.first:
                    growth = c * c * Fraction((n + 3) * (n + 4), (n + 3 - e) * (n + 4 - e))
                    halved = halved and 2 * growth < self._step(k, m + 1)
                    rest += 2 * abs(p) * self.e[x][1] * perm(n + 2, e) * abs(c) ** (n + 2 - e) * weight / step
            a, b = self._combined(sizes)
            low, high, weight = low + a * weight, high + b * weight, weight / step
            if n + 2 > self.first and halved and rest * 2**100 <= max(abs(low), abs(high)):
                return low - rest, high + rest
        raise Unsupported("a series that converges so slowly")

    def eigenvalues(self, claims: Mapping[int, Pair]) -> dict[int, Pair]:
        """mu_k."""
        return {k: self._series(k, Fraction(1, prod(self.d + 2 * i for i in range(k)))) for k in claims}

    def parity(self, data: object, parity: int) -> tuple[int, Pair, str]:
        """Verify a F(k) <= mu_k <= b F(k) for all k >= k0; the degree k0, a and b, and words."""
        kind, base, power, order, first, last, *ends = fields(data, "kind base power order k0 tail a b")
        if kind != "exponential" or order is not None or isinstance(base, dict):
            raise Unsupported("exponentials with irrational c, or other entire functions")
        c, q, (a, b) = rational(base), integer(power, 0, 100), map(rational, ends)
        k0, tail, weights = integer(first, 0, 4096), integer(last, 1, 4096), self._weights(parity)
        begins = tail % 2 == parity and q < k0 <= tail <= k0 + 400 and tail > self.first
        lead = self._combined(weights.pop((c, q), {}))
        least = max(lead[0], -lead[1])
        if not begins or least <= 0:
            raise Refuted(f"the law of the parity {parity} does not begin so")
        rest = ZERO
        for (other, e), sizes in weights.items():
            steps = [max(Fraction(1), Fraction(tail + i - q, tail + i - e)) for i in (1, 2)]
            if (other / c) ** 2 * prod(steps) > 1:
                raise Refuted("another term may outgrow the leading one")
            size = max(map(abs, self._combined(sizes)))
            rest += size * (other / c) ** tail * Fraction(perm(tail, e), perm(tail, q)) / least
        small, large = least * (1 - rest), max(map(abs, lead)) * (1 + rest) * self._later(c, q, tail)
        found = [(small, large) if lead[0] > 0 else (-large, -small)]
        found += (self._series(k, 1 / (c**k * perm(k, q))) for k in range(k0 + (k0 - parity) % 2, tail, 2))
        if not (rest < 1 and all(a <= x <= y <= b for x, y in found)):
            raise Refuted(f"a F(k) <= mu_k <= b F(k) for all k >= {k0} is not confirmed")
        words = f"a = {ends[0]}, b = {ends[1]}, F(k) = ({base}/2)^k Gamma(d/2)/Gamma(k+d/2)"
        return k0, (a, b), f"a F(k) <= mu_k <= b F(k), {words}" + (f" k!/(k-{q})!" if q else "")

    def _weights(self, parity: int) -> dict[tuple[Fraction, int], Parts]:
        """(|c|, e) -> x -> the sum of all p +-|c|^-e; what cancels is left out."""
        out: dict[tuple[Fraction, int], Parts] = {}
        for (c, e, x), p in self.terms.items():
            if c:
                side = -1 if c < 0 and (parity - e) % 2 else 1
                sizes = out.setdefault((abs(c), e), {})
                sizes[x] = sizes.get(x, ZERO) + side * p * abs(c) ** -e
        return {key: sizes for key, sizes in out.items() if any(sizes.values())}

    def _later(self, c: Fraction, q: int, k: int) -> Fraction:
        """sum_m f(k+2m)/f(k)/(4^m m! (k+d/2) ... (k+d/2+m-1)), f(n) = c^n (n)_q: its steps decrease in k and in m."""
        total, summand = Fraction(1), Fraction(1)
        for m in range(2000):
            n = k + 2 * m
            step = c * c * Fraction((n + 1) * (n + 2), (n + 1 - q) * (n + 2 - q)) / self._step(k, m)
            summand = Fraction(ceil(summand * step * FINE), FINE)
            total += summand
            if 2 * step < 1 and summand * 2**150 < 1:
                return total + summand
        raise Unsupported("so large a base")
