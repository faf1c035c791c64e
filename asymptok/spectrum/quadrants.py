r"""mu_k of the kernels of piecewise polynomial activations, as integrals over the length of a Gaussian vector.

For a standard normal vector w = r v in R^d, v on the sphere, E[f(<w, x>) g(<w, y>)] = E_r[(f_r * g_r)], and the
coefficients multiply: mu_k = E[l_k(f, r) l_k(g, r)], r^2 of the chi-squared law with d degrees of freedom. With t = a/r

    l_k(delta(x - a), r) = c_d/r (1-t^2)^((d-3)/2) P_k(t; d),
    l_k(1[x > a], r)     = c_d/(d-1) (1-t^2)^((d-1)/2) P_(k-1)(t; d+2),             k >= 1,
    l_k((x - a)_+, r)    = c_d r/((d-1)(d+1)) (1-t^2)^((d+1)/2) P_(k-2)(t; d+4),    k >= 2,

all of them 0 for r < |a|, a >= 0, and J_d(t) = int_t^1 (1-s^2)^((d-3)/2) ds in the others. Orthant(h, k, u) has the
indicators of x > h and x > k, erf((a + b u)/sqrt(2(1-u^2))) is 1 - 2/p(b) E[delta(X+b) 1[Y > a]], and with a, b =
sqrt(A) +- sqrt(B) exp(-A/(1+u) - B/(1-u))/sqrt(1-u^2) is 2 pi E[delta(X-a) delta(Y-b)]. On the circle that is not
integrable for a = +-b; (1-u^2) times it is 2 pi times E[delta(X-a) (Y-b)_+] - (a u - b) E[delta(X-a) 1[Y > b]].

In y = sqrt(r^2 - m^2),
m the larger threshold, the integrands are analytic around [0, oo): Gauss-Legendre rules on panels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log, log2

from flint import acb, arb, fmpq
from sympy import Expr, Poly, Rational, S, exp, sqrt
from sympy import pi as sympy_pi

from asymptok.atlas.local import Unproved
from asymptok.atlas.quadrant_form import QuadrantForm
from asymptok.balls import ball
from asymptok.functions.cuts import off_negative_axis
from asymptok.precision import flint_precision
from asymptok.quantities import B
from asymptok.spectrum.cores import times_u
from asymptok.spectrum.moments import normalisation
from asymptok.spectrum.nodes import gauss_legendre
from asymptok.spectrum.settle import settle
from asymptok.spectrum.value import Values
from asymptok.symbols import u

__all__ = ["quadrant_values"]

#: semi-axes of the ellipse rho = 4, boxes on its upper half, and their bits
_WIDE, _HIGH = fmpq(17, 8), fmpq(15, 8)
_BOXES, _BOX_BITS = 12, 64
#: panels are as long as this at most, and halved down to 2^-_DEEPEST of it
_LENGTH, _DEEPEST = fmpq(3, 2), 40


@dataclass(frozen=True, slots=True)
class _Side:
    """delta(x - a), 1[x > a] or (x - a)_+, of order -1, 0 or 1."""

    at: Expr
    order: int


@dataclass(frozen=True, slots=True)
class _Product:
    """`weight` E[f(X) g(Y)] at sign u, times a polynomial in u."""

    first: _Side
    second: _Side
    sign: int
    weight: Expr
    poly: Poly


def quadrant_values(form: QuadrantForm, d: int, ks: Sequence[int], bits: int) -> Values:
    """mu_k of the form without its rest, to `bits` bits relative to each; Unproved where a summand alone has none."""
    products, constant = _products(form, d)
    top = max(ks)
    start = 24 + min(ceil((d + 1) * log2(top + 2)), ceil((top + 1) * log2(top + d + 2)))

    def moments(left: Sequence[int], target: int) -> dict[int, arb]:
        return _moments(products, constant, d, left, target)

    return settle(moments, ks, bits, start, 600 + 24 * (top + d))


def _products(form: QuadrantForm, d: int) -> tuple[list[_Product], Poly]:
    """What is integrated, and a polynomial beside it."""

    def exact(poly: Poly) -> Poly:
        return Poly(form.exact(poly.as_expr()), u)

    found = [
        _Product(_Side(h, 0), _Side(k, 0), sign, S.One, exact(poly))
        for (h, k, sign), poly in form.quadrants.items()
    ]
    constant = Poly(0, u)
    for (a, b), poly in form.errors.items():
        poly = exact(poly)
        constant += poly
        density = exp(-(b**2) / 2) / sqrt(2 * sympy_pi)
        found.append(_Product(_Side(-b, -1), _Side(a, 0), 1, -2 / density, poly))
    for (first, second), powers in form.exponentials.items():
        total: Expr = S.Zero
        for (p, q), c in powers.items():
            p, q = p + Rational(1, 2), q + Rational(1, 2)
            if not all(e.is_Integer and e >= 0 for e in (p, q)):
                raise Unproved("an exponential with a pole at an end")
            total += form.exact(c) * (1 - u) ** p * (1 + u) ** q
        a, b = sqrt(first) + sqrt(second), sqrt(first) - sqrt(second)
        poly = Poly(total.expand(), u)
        if d == 2 and 0 in (first, second):
            poly, left = poly.div(Poly(1 - u**2, u))
            if not left.is_zero:
                raise Unproved("a summand that is not integrable on the circle")
            b, a = max(a, b), min(a, b)
            found.append(_Product(_Side(a, -1), _Side(b, 1), 1, 2 * sympy_pi, poly))
            poly = Poly((poly.as_expr() * (b - a * u)).expand(), u)
            found.append(_Product(_Side(a, -1), _Side(b, 0), 1, 2 * sympy_pi, poly))
            continue
        found.append(_Product(_Side(a, -1), _Side(b, -1), 1, 2 * sympy_pi, poly))
    return found, constant


def _moments(
    products: list[_Product], constant: Poly, d: int, ks: Sequence[int], target: int
) -> dict[int, arb]:
    """mu_k with absolute errors of about 2^-target."""
    wide = max([constant.degree(), *(p.poly.degree() for p in products)], default=0)
    wide = max(wide, 0)
    degrees = list(range(max(0, min(ks) - wide), max(ks) + wide + 1))
    with flint_precision(64):
        weights = sum(
            (abs(ball(p.weight)) * sum(abs(ball(c)) for c in p.poly.coeffs()) for p in products), arb(1)
        )
        goal = target + 8 + ceil(log2(float(weights.upper())))
    raw: dict[tuple[_Side, _Side], dict[int, arb]] = {}
    with flint_precision(goal + 64):
        total = {k: arb(0) for k in ks}
        for product in products:
            pair = (product.first, product.second)
            if pair not in raw:
                raw[pair] = _Integral(pair, d, degrees[-1], goal).values(degrees)
            found = {k: v if product.sign > 0 or k % 2 == 0 else -v for k, v in raw[pair].items()}
            _add(total, found, product.poly, ball(product.weight), d, degrees)
        _add(total, {k: arb(0 if k else 1) for k in degrees}, constant, arb(1), d, degrees)
    return total


def _add(
    total: dict[int, arb], found: dict[int, arb], poly: Poly, weight: arb, d: int, degrees: list[int]
) -> None:
    """total += mu_k of weight * poly(u) * (what has the moments `found`)."""
    inner = list(degrees)
    coefficients = poly.all_coeffs()[::-1]
    for power, c in enumerate(coefficients):
        if power:
            inner = [k for k in inner if (k == 0 or k - 1 in found) and k + 1 in found]
            found = times_u(found, d, inner)
        if c != 0:
            for k in total:
                total[k] += weight * ball(c) * found[k]


class _Integral:
    """E_r[l_k(f, r) l_k(g, r)] for one pair of sides."""

    def __init__(self, pair: tuple[_Side, _Side], d: int, top: int, goal: int) -> None:
        self.sides, self.d, self.top, self.goal = pair, d, top, goal
        self.at = [ball(side.at) for side in pair]
        # powers of sqrt(1 - t^2) that the sides bring
        self.powers = [d - 1 + 2 * side.order for side in pair]
        sizes = [abs(a) for a in self.at]
        larger = 0 if sizes[0] > sizes[1] else 1
        self.m = sizes[larger]
        same = (pair[0].at - pair[1].at).equals(0) or (pair[0].at + pair[1].at).equals(0)
        self.largest = [bool(same) or i == larger for i in (0, 1)]
        if not same and not (sizes[larger] > sizes[1 - larger]):
            raise Unproved("two thresholds that cannot be told apart")
        constant = normalisation(d)
        self.factor = 2 / (arb(2) ** fmpq(d, 2) * arb(fmpq(d, 2)).gamma())
        self.scales = [constant / (1, d - 1, d * d - 1)[side.order + 1] for side in pair]

    def values(self, degrees: list[int]) -> dict[int, arb]:
        sums = [arb(0)] * (self.top + 1)
        end, low, errors = self._end(), fmpq(0), arb(self._beyond)
        while low < end:
            length = _LENGTH
            for _ in range(_DEEPEST):
                size = self._size(low, low + length)
                if size is not None:
                    break
                length = length / 2
            else:
                raise Unproved("an integrand is not shown to be analytic")
            # the error of n nodes on a panel of half-width h is at most (64/15) h M rho^(-2n)/(1 - rho^-2), rho = 4
            h = arb(length / 2)
            n = max(4, 2 * ceil((float((size * h * 5).log().upper()) / log(2) + self.goal + 6) / 8))
            errors += 5 * h * size * arb(4) ** (-2 * n)
            self._nodes(low, length, n, sums)
            low += length
        return {k: sums[k] + arb(0, errors.upper()) for k in degrees}

    def _end(self) -> fmpq:
        """Where the integral is cut off; what is left out is in `_beyond`.

        P(r^2 > R^2) <= (R^2/d)^(d/2) e^((d-R^2)/2) for R^2 > d, and l_k is at most c_d/sqrt(r^2 - a^2), 1 or r, where a
        factor r is the density in one dimension more, times E[r] < sqrt(d+1).
        """
        d = self.d + sum(side.order == 1 for side in self.sides)
        with flint_precision(_BOX_BITS):
            y = fmpq(4)
            while True:
                r2 = self.m**2 + arb(y) ** 2
                if r2 > d:
                    chance = ((r2 / d).log() * d / 2 + (d - r2) / 2).exp() * (d - self.d + 1) * (d + 1)
                    for side, scale in zip(self.sides, self.scales, strict=True):
                        chance *= (scale / arb(y) if side.order < 0 else arb(1)) + 1
                    if chance < arb((1, -self.goal - 2)):
                        self._beyond = chance.upper()
                        return y
                y += fmpq(3, 2)

    def _frame(self, y: B) -> tuple[B, list[B]]:
        """The integrand without l_k's polynomials, and t at both sides; y a real number or a complex box."""
        r2 = self.m**2 + y * y
        r = r2.sqrt()
        of_y, of_r = 1, self.d - 2
        value = self.factor * (-r2 / 2).exp() * self.scales[0] * self.scales[1]
        for a, side, power, largest in zip(self.at, self.sides, self.powers, self.largest, strict=True):
            of_r += side.order - power
            if largest:
                of_y += power
            else:
                value *= _power((r2 - a * a).sqrt(), power)
        return value * _power(y, of_y) * _power(r, of_r), [a / r for a in self.at]

    def _size(self, low: fmpq, high: fmpq) -> arb | None:
        """A bound of the integrand for all k <= top on the ellipse; None if it is not shown to be analytic in it."""
        with flint_precision(_BOX_BITS):
            middle, half = arb((low + high) / 2), arb((high - low) / 2)
            whole = acb(middle + half * arb(0, _WIDE), half * arb(0, _HIGH))
            r2 = self.m**2 + whole * whole
            ends = [
                r2,
                *(r2 - a * a for a, largest in zip(self.at, self.largest, strict=True) if not largest),
            ]
            if not all(off_negative_axis(z) for z in ends):
                return None
            size = arb(0)
            for j in range(_BOXES):
                # the integrand is real on the real axis: the upper half is enough
                turn = acb(arb(fmpq(2 * j + 1, 2 * _BOXES), fmpq(1, 2 * _BOXES))).exp_pi_i()
                y = middle + half * acb(turn.real * arb(_WIDE), turn.imag * arb(_HIGH))
                if not all(off_negative_axis(self.m**2 + y * y - b) for b in (arb(0), *self._others())):
                    return None
                value, ts = self._frame(y)
                bound = abs(value)
                for t, side, a in zip(ts, self.sides, self.at, strict=True):
                    c = arb.max(((abs(1 - t) + abs(1 + t)) / 2).upper(), arb(1))
                    waves = (c + arb.max(c * c - 1, arb(0)).sqrt()) ** self.top
                    if side.order >= 0:
                        waves = arb.max(waves, self._first(t, a, side.order))
                    bound = bound * waves
                if not bound.is_finite():
                    return None
                size = arb.max(size, bound.upper())
            return size

    def _others(self) -> list[arb]:
        return [a * a for a, largest in zip(self.at, self.largest, strict=True) if not largest]

    def _first(self, t: acb, at: arb, order: int) -> arb:
        """A bound of l_0 and l_1 over the frame, a >= 0.

        With 1 - s^2 = (1-t^2) v the quotient (d-1) (1-t^2)^((1-d)/2) J_d(t) is the mean of 1/s, s^2 between 1 and t^2,
        in the density of v^((d-1)/2); for the ramp l_0 has two such means, one after the other, and l_1 has one.
        """
        if at.is_zero():
            return (self.d - 1) / (2 * normalisation(self.d)) if order == 0 else arb.nan()
        least = arb.min(arb(1), (t * t).real)
        return 1 / least.sqrt() ** (order + 1) if least > 0 else arb.nan()

    def _nodes(self, low: fmpq, length: fmpq, n: int, sums: list[arb]) -> None:
        middle, half = arb(low + length / 2), arb(length / 2)
        for node, weight in gauss_legendre(n, self.goal + 64):
            for sign in (1, -1):
                value, ts = self._frame(middle + sign * half * node)
                value *= half * weight
                rows = [self._row(t, side) for t, side in zip(ts, self.sides, strict=True)]
                for k, (first, second) in enumerate(zip(*rows, strict=True)):
                    sums[k] += value * first * second

    def _row(self, t: arb, side: _Side) -> list[arb]:
        """l_k over its frame, k = 0 .. top."""
        d, top = self.d, self.top
        square = (1 - t) * (1 + t)
        waves = _gegenbauer(t, d + 2 + 2 * side.order, top)
        if side.order < 0:
            return waves
        first = arb(1) / (2 * normalisation(d)) if t.is_zero() else _cap(t, square, d)
        root = square ** fmpq(d - 1, 2)
        if side.order == 0:
            return [(d - 1) * first / root, *waves][: top + 1]
        start = (root / (d - 1) - t * first) * (d * d - 1), _cap(t, square, d + 2) * (d + 1)
        return [*(x / (root * square) for x in start), *waves][: top + 1]


def _power(x: B, n: int) -> B:
    return x**n if n >= 0 else 1 / x**-n


def _gegenbauer(t: arb, d: int, top: int) -> list[arb]:
    """P_0, ..., P_top at t."""
    found = [arb(1), t]
    for k in range(1, top):
        found.append(((2 * k + d - 2) * t * found[-1] - k * found[-2]) / (k + d - 2))
    return found[: top + 1]


def _cap(t: arb, square: arb, d: int) -> arb:
    """int_t^1 (1-s^2)^((d-3)/2) ds, by parts from d = 2 or 3 on; square = 1 - t^2."""
    value, power = (t.acos(), square ** fmpq(1, 2)) if d % 2 == 0 else (1 - t, square)
    for e in range(2 + d % 2, d, 2):  # from dimension e to e + 2: exponent (e-1)/2
        value = (-t * power + (e - 1) * value) / e
        power = power * square
    return value
