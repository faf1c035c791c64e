"""The places where a kernel has a model: sectors at the ends u = +-1 and discs in the strip, u = cos(theta).

With s0 = sqrt(2) sin(theta/2) and s1 = sqrt(2) cos(theta/2), so that 1 - u = s0^2 and 1 + u = s1^2, a power N^q is
s0^(2pq) s1^(2rq) U^q, U = N s0^(-2p) s1^(-2r), p and r the orders of N in t at the ends, and U must miss (-oo, 0];
a denominator must miss one and the same ray. log N is 2p log s0 + 2r log s1 + log U, and
acos N = -2i log((sqrt(1+N) + i sqrt(1-N))/sqrt 2). The formulas hold in the strip 0 < Re theta < pi and at its ends.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import factorial
from typing import Generic

from . import series
from .balls import EULER, HALF, Ball, I, Retry, log_gamma, rational
from .balls import PI as PI_BALL
from .ends import End
from .exact import PI, Number, Unsupported, enclosed, power, whole
from .kernel import ENTIRE, Node, Place
from .series import S
from .taylor import Taylor

ROOT_HALF = power(HALF, HALF)
_HARMONIC = [*accumulate((Fraction(1, k) for k in range(1, 430)), initial=Fraction(0))]
_ASIN = [Fraction(1)]  # (1/2)_m/(m! (2m+1)), decreasing
for _m in range(200):
    _ASIN.append(_ASIN[-1] * Fraction((2 * _m + 1) ** 2, 2 * (_m + 1) * (2 * _m + 3)))


def _second(binomial: list[Fraction], k: int) -> Fraction:
    return Fraction((-1) ** k, factorial(k) ** 2) / binomial[k]


class Branches:
    """What is found at the ends about every branch and must hold everywhere: orders in t at u = 1 and -1, the ray that
    a denominator misses, and the ends at which a branch is not analytic in t."""

    def __init__(self) -> None:
        self.orders: dict[Node, list[Number | None]] = {}
        self.rays: dict[Node, bool] = {}
        self.slits: set[int] = set()


class Local(Place[S], Generic[S]):
    """A sector at an end (0 or 1), or a disc in the strip, with models of u, s0 and s1."""

    def __init__(self, branches: Branches, u: S, s: tuple[S, S], end: int | None) -> None:
        self.branches, self.u, self.end = branches, u, end
        self.s: tuple[S, S] = s
        self.sides: dict[tuple[int, Number], S] = {}
        self.angles: dict[int, tuple[S, S, S]] = {}  # by the identity of the argument

    def number(self, q: Number) -> S:
        return self.u.constant(q)

    def times(self, value: S, q: Number) -> S:
        return value.times(q)

    def exp(self, value: S) -> S:
        return series.exp(value)

    def side(self, which: int, e: Number) -> S:
        """s0^2e or s1^2e."""
        if (which, e) not in self.sides:
            lower = self.side(which, e - 1) * self.side(which, 1) if e > 1 else None
            self.sides[which, e] = lower or series.power(self.s[which], e * 2)
        return self.sides[which, e]

    def log_side(self, which: int) -> S:
        """log s0^2 or log s1^2."""
        return series.log(self.s[which]).times(2)

    def _unit(self, node: Node, value: S, q: Number) -> tuple[S, list[tuple[int, Number]]]:
        """U, and the orders p and r that are not 0."""
        orders = self.branches.orders.setdefault(node, [None, None])
        if isinstance(value, End) and self.end is not None:
            p = min((e for e, _ in value.terms), default=value.order)
            if orders[self.end] not in (None, p):
                raise Retry("an order at an end is not settled")
            orders[self.end] = p
            if not whole(p) or not whole(p * q):
                self.branches.slits.add(self.end)
        elif None in orders:
            raise Unsupported("a branch that was not met at an end")
        found = [(which, p) for which, p in enumerate(orders) if p]
        for which, p in found:
            value = value * self.side(which, -p)
        return value, found

    def power(self, node: Node, value: S, q: Number) -> S:
        if whole(q) and q >= 0:
            return series.power(value, q)
        unit, orders = self._unit(node, value, q)
        rays = self.branches.rays
        if whole(q) and node not in rays:
            rays[node] = enclosed(unit.lead(0)[1]).x < 0
        out = series.power(unit, q, whole(q) and rays[node])
        for which, p in orders:
            out = out * self.side(which, p * q)
        return out

    def log(self, node: Node, value: S) -> S:
        unit, orders = self._unit(node, value, 1)
        out = series.log(unit)
        for which, p in orders:
            out = out + self.log_side(which).times(p)
            if which == self.end:
                self.branches.slits.add(which)
        return out

    def entire(self, name: str, value: S) -> S:
        odd, a = ENTIRE[name]
        if name == "erf" or value.lead(0)[1] == 0:
            out = series.entire(value * value, a)
            return out * value if odd else out
        turned, back = (series.exp(value.times(I.scaled(sign))) for sign in (1, -1))
        return (turned + back.times(1 - 2 * odd)).times(I.scaled(-HALF) if odd else HALF)

    def bessel(self, node: Node, n: Fraction, value: S) -> S:
        """K_n(2y) = (-1)^n y^n sum_k [(H_k + H_(n+k))/2 - gamma - log y] y^2k/(k! (n+k)!)
        + 1/2 sum_(k<n) (-1)^k (n-k-1)!/k! y^(2k-n) for n = 0, 1, ...; otherwise the sum over m = n and -n of
        Gamma(m)/2 y^-m sum_k (-1)^k/(k!^2 binom(m-1, k)) y^2k, where Gamma(-n) = -pi/(sin(pi n) Gamma(n+1)).
        I_n(2y) and J_n(2y) are sum_k (+-1)^k y^(2k+n)/(k! (n+k)!)."""
        (i, name), m, y, out = node, int(n), value.times(HALF), self.number(0)
        square = y * y

        def entire(sign: int, sums: bool = False) -> S:
            def a(k: int) -> Fraction:
                factor = (_HARMONIC[k] + _HARMONIC[m + k]) / 2 if sums else sign**k
                return factor * Fraction(1, factorial(k) * factorial(m + k))

            return series.entire(square, a) * series.power(y, m)

        if name != "besselk":
            return entire(1 if name == "besseli" else -1)
        if whole(n):
            for k in range(m):
                c = Fraction((-1) ** k * factorial(m - k - 1), 2 * factorial(k))
                out = out + self.power((i, f"{2 * k - m}"), y, 2 * k - m).times(c)
            logs = (self.log((i, "log"), y) + y.constant(EULER)) * entire(1)
            return out + (entire(1, True) + logs.times(-1)).times(1 - 2 * (m % 2))
        sine = (PI_BALL * rational(n) * I).exp().imaginary()
        gammas = [log_gamma(rational(x)).exp() for x in (n, n + 1)]
        for q, gamma in ((n, gammas[0]), (-n, PI_BALL * (sine * gammas[1]).inverse().scaled(-1))):
            part = series.entire(square, partial(_second, series.binomials(q - 1)), m + 2)
            out = out + self.power((i, f"{q}"), y, -q) * part.times(gamma.scaled(HALF))
        return out

    def angle(self, node: Node, value: S) -> tuple[S, S]:
        """Where N vanishes at the end, pi - acos N is pi/2 + N sum_m (1/2)_m/(m! (2m+1)) N^2m, |N| < 1, so that nothing
        hides that asin N vanishes as well; there exp(i acos(N)/2) misses (-oo, 0]."""
        if id(value) not in self.angles:
            i, one = node[0], self.number(1)
            below = self.power((i, "1-N"), one + value.times(-1), HALF)
            above = self.power((i, "1+N"), one + value, HALF)
            if self.end is not None and value.lead(0)[1] == 0:
                self._unit((i, "log"), one, 1)
                series_of_asin = series.compose(value * value, lambda m: _ASIN[m], lambda m: Fraction(1))
                angle = self.number(PI * HALF) + value * series_of_asin
            else:
                log = self.log((i, "log"), (above + below.times(I)).times(ROOT_HALF))
                angle = self.number(PI) + log.times(I.scaled(2))
            self.angles[id(value)] = value, angle, below * above
        return self.angles[id(value)][1:]

    def kappa(self, n: int, i: int, x: S) -> S:
        """Where N = +-(1 - y) and y vanishes at the end, angle and root would cancel each other. Instead

        kappa_0(1-y) = 1 - (sqrt(2y)/pi) sum_m (1/2)_m/(m! (2m+1)) (y/2)^m, |y| < 2, and, integrated term by term,
        kappa_n' = n^2/(2n-1) kappa_(n-1), kappa_n(1) = 1; kappa_n(y-1) = (-1)^(n+1) times the part with sqrt(y).
        There 2 - y and exp(i acos(N)/2), where acos(N) = 2 asin sqrt(y/2) or pi minus that, miss (-oo, 0].
        """
        value = x.lead(0)[1] if self.end is not None else 0
        if value not in (1, -1):
            return Place.kappa(self, n, i, x)
        sign = 1 if value == 1 else -1
        y, (near, far) = self.number(1) + x.times(-sign), ("1-N", "1+N")[::sign]
        singular = [-b / (1 << m) for m, b in enumerate(_ASIN)]
        regular: list[Fraction] = [Fraction(1)]
        for k in range(1, n + 1):
            c: Fraction = Fraction(-k * k, 2 * k - 1)
            singular = [c * b / (m + k + HALF) for m, b in enumerate(singular)]
            regular = [Fraction(1), *(c * a / (m + 1) for m, a in enumerate(regular))]
        self._unit((i, "log"), self.number(1), 1)
        away, orders = self._unit((i, far), self.number(2) + y.times(-1), HALF)
        if orders:  # then 2 - y is not yet all
            series.power(away, HALF)
        branch = self.power((i, near), y, n + HALF).times(power(2, HALF) * power(PI, -1))
        out = branch * series.compose(y, lambda m: singular[m], lambda m: HALF)
        if sign == -1:
            return out.times((-1) ** (n + 1))
        polynomial = self.number(regular[-1])
        for a in reversed(regular[:-1]):
            polynomial = polynomial * y + self.number(a)
        return out + polynomial


def at_end(branches: Branches, end: int, radius: Fraction, cut: Number, scale: Number = 1) -> Local[End]:
    """The sector |t| <= radius at v = +1 (end 0) or -1 (end 1), u = scale v."""
    sign = 1 - 2 * end
    u = End(radius, cut, {(0, 0): sign * scale, (1, 0): -sign * scale})
    near = End(radius, cut, {(HALF, 0): 1})
    far = series.power(End(radius, cut, {(0, 0): 2, (1, 0): -1}), HALF)
    return Local(branches, u, (far, near) if end else (near, far), end)


def in_strip(branches: Branches, centre: Ball, step: Ball, length: int, scale: Number = 1) -> Local[Taylor]:
    """theta = centre + step z, |z| <= 1, u = scale cos(theta)."""
    zeros = [0] * (length - 2)
    theta = Taylor([centre.x, step.x, *zeros], [centre.y, step.y, *zeros], centre.r + step.r)
    w, inverse = (series.exp(theta.times(I.scaled(q))) for q in (HALF, -HALF))
    half = enclosed(ROOT_HALF)
    s = (inverse + w.times(-1)).times(I * half), (w + inverse).times(half)
    return Local(branches, (theta.constant(1) + (s[0] * s[0]).times(-1)).times(scale), s, None)
