"""Eigenvalues for all large k at once: Taylor polynomials in 1/N with a bound of what they leave, N = k + (d-2)/2.

With v = N^(-1/g) a `Model` is f = v^p (c_0 + ... + c_(n-1) v^(n-1) + E v^n), |E| <= R, for all 0 < v <= `top`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from flint import arb, arb_poly, fmpq
from sympy import Add, Expr, Mul, Pow, Rational, bernoulli, exp
from sympy import log as logarithm

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.symbols import k

__all__ = ["Infinity", "Model", "NotModelled"]

#: roots of k beyond which nothing is tried
_FINEST = 12


class NotModelled(AsymptokError):
    """A formula that is not followed to k = oo."""


@dataclass(frozen=True, slots=True)
class Model:
    """v^power (sum_i c_i v^i + E v^n), |E| <= rest, for 0 < v <= top."""

    top: arb
    power: int
    c: tuple[arb, ...]
    rest: arb

    def size(self, start: int = 0) -> arb:
        """A bound of |f| v^-power, or of what is left of it from the coefficient `start` on, over v^start."""
        total = arb_poly([abs(c) for c in self.c[start:]])(self.top)
        return arb((total + self.rest * self.top ** (len(self.c) - start)).upper())

    def __mul__(self, other: Model) -> Model:
        n = min(len(self.c), len(other.c))
        product = list(arb_poly(list(self.c)) * arb_poly(list(other.c)))
        sizes = list(arb_poly([abs(a) for a in self.c]) * arb_poly([abs(b) for b in other.c]))
        rest = arb_poly(sizes[n:])(self.top)
        mine, theirs = self.rest * self.top ** (len(self.c) - n), other.rest * self.top ** (len(other.c) - n)
        whole = arb_poly([abs(a) for a in self.c])(self.top)
        rest += mine * other.size() + theirs * whole
        c = (product + [arb(0)] * n)[:n]
        return Model(self.top, self.power + other.power, tuple(c), arb(rest.upper()))

    def __add__(self, other: Model) -> Model:
        if self.power > other.power:
            return other + self
        shift = other.power - self.power
        n = min(len(self.c), len(other.c) + shift)
        c = list(self.c[:n])
        rest = self.rest * self.top ** (len(self.c) - n)
        rest += sum((abs(a) * self.top ** (i - n) for i, a in enumerate(self.c) if i >= n), arb(0))
        for j, b in enumerate(other.c):
            if j + shift < n:
                c[j + shift] += b
            else:
                rest += abs(b) * self.top ** (j + shift - n)
        rest += other.rest * self.top ** (len(other.c) + shift - n)
        return Model(self.top, self.power, tuple(c), arb(rest.upper()))

    def scaled(self, factor: arb) -> Model:
        return Model(self.top, self.power, tuple(factor * c for c in self.c), abs(factor) * self.rest)

    def shifted(self, power: int) -> Model:
        return Model(self.top, self.power + power, self.c, self.rest)

    def without(self, count: int) -> Model:
        """With the first coefficients 0, for whoever knows that they are: the balls have to contain 0."""
        if any(not c.contains(0) for c in self.c[:count]):
            raise NotModelled("terms that are left where all should have cancelled")
        return Model(self.top, self.power + count, self.c[count:], self.rest)

    def _one_plus(self) -> tuple[arb, Model]:
        """c_0 and s with f = c_0 v^power (1 + s)."""
        lead = self.c[0]
        if lead.contains(0):
            raise NotModelled("a leading coefficient that is not seen to be different from 0")
        s = Model(self.top, 0, (arb(0), *(c / lead for c in self.c[1:])), self.rest / abs(lead))
        return lead, s

    def to_power(self, exponent: fmpq) -> Model:
        """f^a by the binomial series, |binom(a, m+1)/binom(a, m)| <= max(1, (|a|+n)/(n+1)) for m >= n."""
        lead, s = self._one_plus()
        power = self.power * exponent
        if power.q != 1 or (exponent.q != 1 and not lead > 0):
            raise NotModelled("a root of what is not positive")
        n, a = len(self.c), arb(exponent)
        coefficients, b = [], arb(1)
        for m in range(n + 1):
            coefficients.append(b)
            b = b * (a - m) / (m + 1)
        growth = arb.max(arb(1), (abs(a) + n) / (n + 1))
        found = s._series(coefficients[:n], abs(coefficients[n]), growth)
        front = lead ** int(exponent.p) if exponent.q == 1 else lead**a
        return found.scaled(front).shifted(int(power.p))

    def _series(self, coefficients: list[arb], following: arb, growth: arb) -> Model:
        """sum_m b_m s^m of an s without constant, |b_n| = `following`, |b_(m+1)/b_m| <= `growth` from there on."""
        n, slope = len(self.c), self.size(1)
        ratio = growth * slope * self.top
        if not ratio < 1:
            raise NotModelled("a series that does not converge so early")
        rest = following * slope**n / (1 - ratio)
        total = Model(self.top, 0, (coefficients[-1], *[arb(0)] * (n - 1)), arb(0))
        for b in reversed(coefficients[:-1]):
            total = total * self + Model(self.top, 0, (b, *[arb(0)] * (n - 1)), arb(0))
        return Model(self.top, 0, total.c, arb((total.rest + rest).upper()))

    def exp(self) -> Model:
        """e^f for f that stays bounded."""
        if self.power < 0:
            raise NotModelled("the exponential of something unbounded")
        n = len(self.c)
        shift = self.power
        c = ((arb(0),) * shift + self.c)[:n]
        dropped = sum(
            (abs(x) * self.top ** (i + shift - n) for i, x in enumerate(self.c) if i + shift >= n), arb(0)
        )
        rest = dropped + self.rest * self.top**shift
        s = Model(self.top, 0, (arb(0), *c[1:]), arb(rest.upper()))
        coefficients, b = [], arb(1)
        for m in range(n + 1):
            coefficients.append(b)
            b = b / (m + 1)
        growth = arb(1) / (n + 1)
        return s._series(coefficients[:n], coefficients[n], growth).scaled(c[0].exp())


class Infinity:
    """Models of formulas in k in dimension d, for all k >= start, with n coefficients in v = N^(-1/g)."""

    def __init__(self, law: Expr, d: int, start: int, n: int) -> None:
        self.half, self.start, self.n = fmpq(d - 2, 2), start, n
        self.roots = roots(law)
        self.top = arb(fmpq(2 * start + d - 2, 2)) ** (-arb(1) / self.roots)

    def constant(self, value: arb) -> Model:
        return Model(self.top, 0, (value, *[arb(0)] * (self.n - 1)), arb(0))

    def inverse(self, b: fmpq) -> Model:
        """1 + b/N."""
        c = [arb(0)] * max(self.n, self.roots + 1)
        c[0], c[self.roots] = arb(1), arb(b)
        return Model(self.top, 0, tuple(c), arb(0))

    def model(self, expr: Expr) -> Model:
        """The formula, by its sums, products, powers and exponentials of what stays bounded."""
        if expr == k:
            return self.inverse(-self.half).shifted(-self.roots)
        if not expr.has(k):
            return self.constant(ball(expr))
        if isinstance(expr, Add | Mul):
            parts = [self.model(part) for part in expr.args]
            total = parts[0]
            for part in parts[1:]:
                total = total + part if isinstance(expr, Add) else total * part
            return total
        if isinstance(expr, exp):
            return self.model(expr.args[0]).exp()
        if isinstance(expr, Pow):
            base, exponent = expr.args
            if isinstance(exponent, Rational):
                return self.model(base).to_power(fmpq(int(exponent.p), int(exponent.q)))
            if not base.has(k) and base.is_positive:
                return self.model(exponent * logarithm(base)).exp()
        raise NotModelled(f"{expr} is not followed to k = oo")

    def ratio(self, s: fmpq) -> Model:
        """Gamma(N+1/2-s)/Gamma(N+1/2+s), by Stirling's series, whose error is below its first neglected term.

        Its logarithm is -2s log N + (N-s) log(1+a/N) - (N+s) log(1+b/N) + 2s + S(N+a) - S(N+b), a, b = 1/2 -+ s.
        """
        a, b = fmpq(1, 2) - s, fmpq(1, 2) + s
        logs = [self._log(x) for x in (a, b)]
        total = self.constant(arb(2 * s)) + self._stirling(a) + self._stirling(b).scaled(arb(-1))
        for log, factor, sign in ((logs[0], -s, 1), (logs[1], s, -1)):
            total = total + (log * self.inverse(factor)).shifted(-self.roots).scaled(arb(sign))
        power = 2 * s * self.roots
        if power.q != 1:
            raise NotModelled("a power beside those of the formula")
        # what stands at N is (a - b + 2s) = 0
        return Model(self.top, 0, total.c[self.roots :], total.rest).exp().shifted(int(power.p))

    def next_ratio(self, ratio: Model, s: fmpq) -> Model:
        """The one of s + 1 from that of s: divided by N^2 - (s+1/2)^2."""
        below = self.inverse(s + fmpq(1, 2)) * self.inverse(-s - fmpq(1, 2))
        return ratio * below.to_power(fmpq(-1)).shifted(2 * self.roots)

    def _log(self, b: fmpq) -> Model:
        """log(1 + b/N)."""
        n, g = self.n, self.roots
        c, order = [arb(0)] * n, 1
        while order * g < n:
            c[order * g] = (-1) ** (order + 1) * arb(b) ** order / order
            order += 1
        x = abs(arb(b)) * self.top**g
        if not x < 1:
            raise NotModelled("a logarithm that does not converge so early")
        rest = abs(arb(b)) ** order / (order * (1 - x)) * self.top ** (order * g - n)
        return Model(self.top, 0, tuple(c), arb(rest.upper()))

    def _stirling(self, b: fmpq) -> Model:
        """log Gamma(z) - (z-1/2) log z + z - log(2 pi)/2 at z = N + b > 0."""
        reciprocal = self.inverse(b).to_power(fmpq(-1)).shifted(self.roots)
        if not arb(b) * self.top**self.roots > -1:
            raise NotModelled("Stirling's series at a negative argument")
        square, power = reciprocal * reciprocal, reciprocal
        total, m = self.constant(arb(0)), 1
        while (2 * m - 1) * self.roots < self.n:
            total = total + power.scaled(_stirling_coefficient(m))
            power, m = power * square, m + 1
        last = abs(_stirling_coefficient(m)) * power.size() * self.top ** (power.power - self.n)
        return Model(self.top, 0, total.c[: self.n], arb((total.rest + last).upper()))


def _stirling_coefficient(m: int) -> arb:
    b = bernoulli(2 * m)
    return arb(fmpq(int(b.p), int(b.q))) / (2 * m * (2 * m - 1))


def roots(law: Expr) -> int:
    """g: the exponents of k in a formula are multiples of 1/g."""
    g = 1
    for node in law.atoms(Pow):
        if node.base.has(k) and isinstance(node.exp, Rational):
            g = g * int(node.exp.q) if node.base.atoms(Pow) and g > 1 else lcm(g, int(node.exp.q))
    if g > _FINEST:
        raise NotModelled(f"roots of k of order {g}")
    return g


def harmonics_above(model: Model, d: int, start: int, g: int) -> arb:
    """A bound of sum_(k > start) N(d, k) |f|, by N(d, k) <= 2 N^(d-2)/(d-2)! and an integral; infinite if that is."""
    n = arb(fmpq(2 * start + d - 2, 2))
    total = arb(0)
    for i, c in enumerate([*model.c, model.rest]):
        if abs(c).upper() == 0:
            continue
        q = Fraction(model.power + i, g)
        if q <= d - 1:
            return arb.pos_inf()
        gap = fmpq(q.numerator, q.denominator) - (d - 1)
        total += abs(c) * n ** (-arb(gap)) / arb(gap)
    return arb((2 * total / arb(d - 1).gamma()).upper())
