"""Sums of p u^e exp(cu + x) with rational p, c, x: a F(k) <= mu_k <= b F(k), in rational numbers but for the e^x.

kappa^(n)(0) = sum p e^x (n)_e c^(n-e), (n)_e = n!/(n-e)!, and with (d) = d (d+2) ... (d+2k-2)
    mu_k = 1/(d) sum_m kappa^(k+2m)(0)/(4^m m! (k+d/2) ... (k+d/2+m-1)),     F(k) = c^k (k)_q/(d).
For n >= K of one parity the term c^n (n)_q leads: its quotients with the others decrease in steps of 2 once the product
of (c'/c)^2 and of the factors (n+i-q)/(n+i-e) above 1, i = 1, 2, is at most 1.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from .balls import rational as ball
from .contour import Refuted
from .exact import Unsupported
from .kernel import Program
from .read import fields, integer, rational

Key = tuple[Fraction, int, Fraction]  # c, e, x
Sum = dict[Key, Fraction]
Pair = tuple[Fraction, Fraction]
FINE = 2**220
ZERO, HALF = Fraction(0), Fraction(1, 2)


def exponential_sum(nodes: Program) -> Sum:
    """The terms of the kernel."""
    values: list[Sum] = []
    for node in nodes:
        args = [values[j] for j in node[1:] if isinstance(j, int)]
        match node:
            case ["num", str(text)]:
                out = {(ZERO, 0, ZERO): rational(text)}
            case ["u"]:
                out = {(ZERO, 1, ZERO): Fraction(1)}
            case ["e"]:
                out = {(ZERO, 0, Fraction(1)): Fraction(1)}
            case ["add", _, *_]:
                out = {}
                for value in args:
                    for key, p in value.items():
                        out[key] = out.get(key, ZERO) + p
            case ["mul", _, *_]:
                out = {(ZERO, 0, ZERO): Fraction(1)}
                for value in args:
                    out = _product(out, value)
            case ["pow", int(j), str(text)] if text.isdigit() and int(text) <= 24:
                out = {(ZERO, 0, ZERO): Fraction(1)}
                for _ in range(int(text)):
                    out = _product(out, values[j])
            case ["exp" | "cosh" | "sinh" as op, int()]:
                c, x = _line(args[0])
                out = {(c, 0, x): Fraction(1) if op == "exp" else HALF}
                if op != "exp":
                    out[-c, 0, -x] = out.get((-c, 0, -x), ZERO) + (HALF if op == "cosh" else -HALF)
            case _:
                raise Unsupported(f"the operation {str(node[:1])[:40]} in a sum of exponentials")
        values.append({key: p for key, p in out.items() if p})
    return values[-1]


def _product(f: Sum, g: Sum) -> Sum:
    if len(f) * len(g) > 500:
        raise Unsupported("so many exponentials")
    out: Sum = {}
    for (c, e, x), p in f.items():
        for (b, i, y), q in g.items():
            key = c + b, e + i, x + y
            out[key] = out.get(key, ZERO) + p * q
    return out


def _line(f: Sum) -> tuple[Fraction, Fraction]:
    """(c, x) of c u + x."""
    keys = {(ZERO, 1, ZERO), (ZERO, 0, ZERO)}
    if not set(f) <= keys or any(abs(p) > 1000 for p in f.values()):
        raise Unsupported("an exponential of something else than cu + x")
    return f.get((ZERO, 1, ZERO), ZERO), f.get((ZERO, 0, ZERO), ZERO)


def falling(n: int, e: int) -> int:
    out = 1
    for i in range(e):
        out *= n - i
    return out


def _above(x: Fraction) -> Fraction:
    return Fraction(ceil(x * FINE), FINE)


class Exponentials:
    """Eigenvalues and laws of one kernel in one dimension."""

    def __init__(self, nodes: Program, d: int) -> None:
        self.d, self.terms = d, exponential_sum(nodes)
        self.e = {x: ball(x).exp().real().interval() for _, _, x in self.terms}
        self.degree = max((e for c, e, _ in self.terms if c == 0), default=-1)
        self.first = max((e for _, e, _ in self.terms), default=0)

    def combined(self, parts: dict[Fraction, Fraction]) -> Pair:
        """sum_x p_x e^x between two numbers."""
        low = high = ZERO
        for x, p in parts.items():
            a, b = self.e[x]
            low, high = low + min(p * a, p * b), high + max(p * a, p * b)
        return low, high

    def derivative(self, n: int) -> Pair:
        """kappa^(n)(0)."""
        parts: dict[Fraction, Fraction] = {}
        for (c, e, x), p in self.terms.items():
            if n >= e and (c or n == e):
                parts[x] = parts.get(x, ZERO) + p * falling(n, e) * c ** (n - e)
        return self.combined(parts)

    def series(self, k: int, scale: Fraction) -> Pair:
        """scale (d) mu_k."""
        low, high, weight = ZERO, ZERO, scale
        for m in range(2000):
            n = k + 2 * m
            a, b = self.derivative(n)
            low, high = low + min(a * weight, b * weight), high + max(a * weight, b * weight)
            weight = weight / (4 * (m + 1) * (Fraction(2 * k + self.d, 2) + m))
            if n + 2 <= max(self.first, self.degree):
                continue
            rest, halved = ZERO, True
            for (c, e, x), p in self.terms.items():
                size = abs(p) * self.e[x][1] * falling(n + 2, e) * abs(c) ** (n + 2 - e)
                step = c * c * Fraction((n + 3) * (n + 4), (n + 3 - e) * (n + 4 - e))
                halved = halved and step < 2 * (m + 2) * (Fraction(2 * k + self.d, 2) + m + 1)
                rest += 2 * size * abs(weight)
            if halved and rest * 2**100 <= max(abs(low), abs(high)):
                return low - rest, high + rest
        raise Unsupported("a series that converges so slowly")

    def eigenvalue(self, k: int) -> Pair:
        """mu_k."""
        product = 1
        for i in range(k):
            product *= self.d + 2 * i
        return self.series(k, Fraction(1, product))

    def parity(self, data: object, parity: int) -> tuple[int, int, str]:
        """Verify a F(k) <= mu_k <= b F(k) for all k >= k0; the degree k0, the sign, and words."""
        _, base, power, order, first, last, low, high = fields(data, "kind base power order k0 tail a b")
        if order is not None or isinstance(base, dict):
            raise Unsupported("exponentials with irrational c, or other entire functions")
        c, q, a, b = rational(base), integer(power, 0, 100), rational(low), rational(high)
        k0, tail = integer(first, 0, 4096), integer(last, 1, 4096)
        weights = self._weights(parity)
        if (
            (c, q) not in weights
            or tail % 2 != parity
            or not q < k0 <= tail
            or tail <= max(self.first, self.degree)
        ):
            raise Refuted(f"the law of the parity {parity} does not begin so")
        lead = self.combined(weights.pop((c, q)))
        least = max(lead[0], -lead[1])
        if least <= 0:
            raise Refuted("the leading term may vanish")
        rest = ZERO
        for (other, e), parts in weights.items():
            step = (other / c) ** 2
            for i in (1, 2):
                step *= max(Fraction(1), Fraction(tail + i - q, tail + i - e))
            if step > 1:
                raise Refuted("another term may outgrow the leading one")
            size = max(abs(x) for x in self.combined(parts))
            rest += size * (other / c) ** tail * Fraction(falling(tail, e), falling(tail, q)) / least
        small, large = (
            least * (1 - rest),
            max(abs(lead[0]), abs(lead[1])) * (1 + rest) * self._later(c, q, tail),
        )
        x, y = (small, large) if lead[0] > 0 else (-large, -small)
        if not (rest < 1 and a <= x and y <= b):
            raise Refuted(f"a F(k) <= mu_k <= b F(k) for all k >= {tail} is not confirmed")
        for k in range(k0 + (k0 - parity) % 2, tail, 2):
            x, y = self.series(k, 1 / (c**k * falling(k, q)))
            if not a <= x <= y <= b:
                raise Refuted(f"a F(k) <= mu_k <= b F(k) is not confirmed at k = {k}")
        words = (
            f"a F(k) <= mu_k <= b F(k), a = {low}, b = {high}, F(k) = ({base}/2)^k Gamma(d/2)/Gamma(k+d/2)"
        )
        return k0, 1 if a > 0 else -1 if b < 0 else 2, words + (f" k!/(k-{q})!" if q else "")

    def _weights(self, parity: int) -> dict[tuple[Fraction, int], dict[Fraction, Fraction]]:
        """(|c|, e) -> x -> the sum of all p +-|c|^-e; what cancels is left out."""
        out: dict[tuple[Fraction, int], dict[Fraction, Fraction]] = {}
        for (c, e, x), p in self.terms.items():
            if c:
                side = -1 if c < 0 and (parity - e) % 2 else 1
                parts = out.setdefault((abs(c), e), {})
                parts[x] = parts.get(x, ZERO) + side * p * abs(c) ** -e
        return {key: parts for key, parts in out.items() if any(parts.values())}

    def _later(self, c: Fraction, q: int, k: int) -> Fraction:
        """sum_m f(k+2m)/f(k)/(4^m m! (k+d/2) ... (k+d/2+m-1)), f(n) = c^n (n)_q: its steps decrease in k and in m."""
        total, summand = Fraction(1), Fraction(1)
        for m in range(2000):
            n = k + 2 * m
            growth = c * c * Fraction((n + 1) * (n + 2), (n + 1 - q) * (n + 2 - q))
            step = growth / (4 * (m + 1) * (Fraction(2 * k + self.d, 2) + m))
            summand = _above(summand * step)
            total += summand
            if step < HALF and summand * 2**150 < 1:
                return total + summand
        raise Unsupported("so large a base")
