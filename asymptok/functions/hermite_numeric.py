r"""Hermite coefficients a_n = E[phi(X) h_n(X)] with proved errors, and kappa(z) = sum a_n^2 z^n.

phi is even or odd and analytic for |Im z| <= c (`strips`). The trapezoidal rule with step h is then off by at most
2 M/(e^(2 pi c/h) - 1), M = sup_y int |F(x+iy)| dx; for F = phi h_n p, p the normal density,

    M <= e^(c^2/2) B sqrt(L_n(-c^2)) <= B e^(c^2/2 + c sqrt(n)),      B^2 = sup_y E|phi(X+iy)|^2,

by Cauchy and Schwarz, for E|h_n(X+iy)|^2 is the Laguerre polynomial L_n(-y^2). Beyond |x| = X Cramer's bound
|h_n(x)| <= 1.0865 e^(x^2/4) is enough, whatever n is. The tail of the series is known by Parseval's identity,
sum_(n > N) a_n^2 = E[phi(X)^2] - sum_(n <= N) a_n^2, and bounds what is left out for every |z| <= 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log, pi, sqrt

from flint import acb, arb, arb_poly, fmpq
from sympy import Expr, Symbol

from asymptok.errors import AsymptokError
from asymptok.functions.strips import Strip, analytic_value, strip_of
from asymptok.precision import flint_precision

__all__ = ["PARAMETER_BITS", "Coefficients", "Squares"]

_LOG_2 = log(2)
_CRAMER = fmpq(10865, 10000)
#: coefficients that are computed at most
_MOST = 2500
#: bits of the parameters of an activation (moments of the layer below) that are used at most
PARAMETER_BITS = 128


@dataclass(frozen=True)
class Squares:
    """a_n^2 for n = parity, parity + 2, ...; the others of that parity add up to a number in [0, tail]."""

    parity: int
    values: tuple[arb, ...]
    tail: arb
    moment: arb

    @property
    def degree(self) -> int:
        """The largest n."""
        return self.parity + 2 * (len(self.values) - 1)

    @cached_property
    def polynomial(self) -> arb_poly:
        """The sum of the terms that are known, as a polynomial in z^2, without the factor z of an odd phi."""
        return arb_poly(list(self.values))

    def at(self, z: arb) -> arb:
        """kappa at a real ball in [0, 1]: what is left out is positive."""
        rest = (self.tail * z ** (self.degree + 2)).upper() / 2
        return self.polynomial(z * z) * (z if self.parity else 1) + rest + arb(0, rest)

    def at_complex(self, z: acb) -> acb:
        """kappa at a complex ball with |z| <= 1."""
        radius = (self.tail * abs(z) ** (self.degree + 2)).upper()
        return self.polynomial(z * z) * (z if self.parity else 1) + acb(arb(0, radius), arb(0, radius))


class Coefficients:
    """The Hermite coefficients of one activation, to as many bits as are asked for."""

    def __init__(
        self,
        expr: Expr,
        x: Symbol,
        parity: int,
        values: Mapping[Symbol, arb],
        base: Coefficients | None = None,
        order: int = 0,
    ) -> None:
        """Of phi, or of the derivative of phi of an order > 0, whose own coefficients are `base`."""
        self.expr, self.x, self.parity, self.values = expr, x, parity, dict(values)
        self.base, self.order = base, order
        self._moments: dict[int, arb] = {}
        self._known: dict[int, list[arb]] = {}
        self._squares: dict[tuple[int, int], Squares] = {}

    @cached_property
    def _strip(self) -> Strip | None:
        if self.base is None:
            return strip_of(self.expr, self.x, self.values)
        found = self.base._strip
        return None if found is None else found.derivative(self.order)

    @property
    def _width(self) -> float:
        """The width of the strip of phi itself, also for a derivative of it."""
        return float((self.base or self).strip.width)

    @property
    def exists(self) -> bool:
        """Whether phi is proved analytic in a strip."""
        return self._strip is not None

    @property
    def strip(self) -> Strip:
        """The strip in which phi is proved analytic; an error if there is none."""
        if self._strip is None:
            raise AsymptokError(
                f"the activation {self.expr} is not proved analytic in a strip around the real axis, with exponential "
                "growth at most: its Hermite coefficients are not had"
            )
        return self._strip

    def require(self) -> None:
        """An error if there is no strip."""
        assert self.strip.norm.is_finite()

    def moment(self, bits: int) -> arb:
        """E[phi(X)^2], to about 2^-bits."""
        size = _rounded(min(bits, PARAMETER_BITS + 32 if self.values else _MOST))
        if size not in self._moments:
            strip = self.strip
            with flint_precision(size + 40):
                c = strip.width
                scale = c * c / 2 + 2 * strip.norm.log()
                h = _step(c, size * _LOG_2 + max(0.0, float(scale.upper())) + 2)
                rate = strip.rate
                reach = max(float(strip.start), sqrt(2 * (size * _LOG_2 + max(0.0, _log(strip.size) * 2))))
                reach += 2 * max(0.0, float(rate.upper())) + 2
                count = _count(reach, h)
                nodes, weights = self._samples(h, count)
                total = weights[0] * nodes[0] ** 2
                total += 2 * sum((w * v * v for w, v in zip(weights[1:], nodes[1:], strict=True)), arb(0))
                end = arb(h) * count
                outside = strip.size**2 * (2 * rate**2).exp() * ((end - 2 * rate) / arb(2).sqrt()).erfc()
                error = 2 * scale.exp() / ((2 * arb.pi() * c / h).exp() - 1)
                self._moments[size] = total + arb(0, (outside + error).upper())
        return self._moments[size]

    def squares(self, bits: int, tail: int | None = None) -> Squares:
        """a_n^2 to about 2^-bits E[phi^2], as many as leave a tail below 2^-tail E[phi^2]."""
        # more bits than the most coefficients can show are not worked for
        size = min(_rounded(bits), _rounded(int(2.5 * self._width * sqrt(_MOST) / _LOG_2)))
        size = min(size, PARAMETER_BITS) if self.values else size
        rest = size if tail is None else min(size, _rounded(tail))
        if (size, rest) not in self._squares:
            self._squares[size, rest] = self._computed(size, rest)
        return self._squares[size, rest]

    def squares_at(self, bits: int, radius: arb) -> Squares:
        """As many a_n^2 as kappa needs for |z| <= radius."""
        with flint_precision(64):
            for tail in range(32, bits, 32):
                # by the number to begin with, before any are computed
                if arb((1, -tail)) * arb(radius) ** self._count(tail) < arb((1, -bits)):
                    found = self.squares(bits, tail)
                    if arb((1, -tail)) * arb(radius) ** (found.degree + 2) < arb((1, -bits)):
                        return found
        return self.squares(bits)

    def _count(self, rest: int) -> int:
        """How many coefficients may leave a tail of 2^-rest."""
        return min(ceil((0.4 * (rest + 16) * _LOG_2 / self._width) ** 2) + 24, _MOST)

    def _computed(self, bits: int, rest: int) -> Squares:
        moment = self.moment(bits + 32)
        with flint_precision(bits + 64):
            small = moment.upper() * arb((1, -rest))
            scale = max(0.0, -_log(moment) / _LOG_2)
        work = bits + 32 + int(scale)
        count = self._count(rest)
        extra, best = 0, arb.pos_inf()
        while True:
            found = self._of_base(count, work + extra) if self.base else self._up_to(count, work, extra)
            with flint_precision(work + extra + 64):
                squares: list[arb] = []
                left = moment
                for a in found:
                    squares.append(a * a)
                    left = left - squares[-1]
                    if left < small:
                        break
                tail = arb.max(left.upper(), arb(0))
                done = left < small or (left.rad() > small and not tail < best / 2)
            # parameters that are known to a few digits only leave no more to be gained
            if done or count >= _MOST or (self.values and left.rad() > small):
                return Squares(self.parity, tuple(squares), tail, moment)
            if left.rad() > small:
                extra, best = extra + bits, tail
            else:
                count = min(int(1.6 * count) + 16, _MOST)

    def _of_base(self, count: int, bits: int) -> list[arb]:
        """a_n(phi^(j)) = sqrt((n+j)!/n!) a_(n+j)(phi)."""
        assert self.base is not None
        j = self.order
        first = self.parity + j  # the least n + j; the base has n of its own parity from 0 or 1 on
        found = self.base._coefficients(count + j, bits + int(j * log(count + j + 1) / _LOG_2))
        with flint_precision(bits + 64):
            result = []
            for n in range(first, count + j + 1, 2):
                weight = arb(1)
                for i in range(j):
                    weight *= n - i
                result.append(found[(n - self.base.parity) // 2] * weight.sqrt())
        return result

    def _coefficients(self, count: int, bits: int) -> list[arb]:
        """a_n up to n = count at least, remembered: the derivatives share them."""
        size = _rounded(bits)
        found = self._known.get(size)
        if found is None or self.parity + 2 * (len(found) - 1) < count:
            found = self._known[size] = self._up_to(count + 2, size, 0)
        return found

    def _samples(self, h: fmpq, count: int) -> tuple[list[arb], list[arb]]:
        """phi and h p at 0, h, ..., count h."""
        phi = analytic_value(self.expr, self.x, self.values, self.order)
        root = arb(h) / (2 * arb.pi()).sqrt()
        nodes, weights = [], []
        for j in range(count + 1):
            node = arb(h) * j
            value = phi(acb(node)) if j or not self.parity else acb(0)
            nodes.append(arb.nan() if value is None else value.real)
            weights.append(root * (-node * node / 2).exp())
        return nodes, weights

    def _up_to(self, count: int, bits: int, extra: int) -> list[arb]:
        """a_n for n = parity, parity + 2, ... <= count."""
        strip = self.strip
        c, top = strip.width, sqrt(count + 1.0)
        width = float(c)
        goal = bits * _LOG_2 + width * top + width * width / 2 + max(0.0, _log(strip.norm)) + 2
        h = _step(c, goal)
        reach = max(float(strip.start), 2 * sqrt(bits * _LOG_2 + max(0.0, _log(strip.size))) + 1)
        reach += 2 * max(0.0, float(strip.rate.upper())) + 1
        nodes_count = _count(reach, h)
        low = min(reach, top)
        lost = int((low * top - low * low / 2) / _LOG_2) + 40 + extra
        with flint_precision(bits + lost):
            nodes, weights = self._samples(h, nodes_count)
            # the recursion takes the middles of phi: it would multiply their radii, which Cramer bounds for every n
            sums = self._summed(h, [value.mid() for value in nodes], weights, count)
            unknown = arb(0)
            for j, (value, weight) in enumerate(zip(nodes, weights, strict=True)):
                unknown += weight * value.rad() * ((arb(h) * j) ** 2 / 4).exp()
            # what the rule, and the nodes left out, may add
            end = arb(h) * nodes_count
            factor = 2 * strip.norm * (c * c / 2).exp() / ((2 * arb.pi() * c / h).exp() - 1)
            gap = (end - 2 * strip.rate) / 2
            outside = strip.size * (strip.rate**2).exp() * arb(2).sqrt() * gap.erfc()
            outside = arb(_CRAMER) * (outside + 2 * unknown)
            result = []
            size = arb(1)
            for i, total in enumerate(sums):
                n = self.parity + 2 * i
                if i:
                    size = size * (n - 1) * n
                error = factor * (c * arb(n).sqrt()).exp() + outside
                result.append(total / size.sqrt() + arb(0, error.upper()))
        return result

    def _summed(self, h: fmpq, nodes: list[arb], weights: list[arb], count: int) -> list[arb]:
        """sum_j h p(x_j) phi(x_j) He_n(x_j), by He_(n+2) = (x^2 - 2n - 1) He_n - n (n-1) He_(n-2)."""
        first = self.parity
        steps = [(2 * n + 1, n * (n - 1)) for n in range(first, count + 1, 2)]
        sums = [arb(0)] * len(steps)
        for j, (value, weight) in enumerate(zip(nodes, weights, strict=True)):
            x = arb(h) * j
            y = x * x
            here = value * weight * (x if first else 1) * (2 if j else 1)
            before = arb(0)
            for i, (a, b) in enumerate(steps):
                sums[i] += here
                here, before = (y - a) * here - before * b, here
        return sums


def _rounded(bits: int) -> int:
    return 32 * ceil(bits / 32)


def _log(value: arb) -> float:
    """log of a positive number, about; it decides how much work is done, never what is true."""
    upper = value.upper()
    return float(upper.log().mid()) if upper > 0 else 0.0


def _step(c: arb, goal: float) -> fmpq:
    """A dyadic h with 2 pi c/h >= goal."""
    h = 2 * pi * float(c) / goal
    scale = 1
    while h * scale < 64:
        scale *= 2
    return fmpq(int(h * scale), scale)


def _count(reach: float, h: fmpq) -> int:
    return ceil(reach * int(h.q) / int(h.p))
