"""A meromorphic function on a disc as a Laurent polynomial with a proved remainder.

A model says f(x) = x^v (c_0 + c_1 x + ... + c_(n-1) x^(n-1) + x^n E(x)) with E analytic and |E| <= tail for all
complex |x| <= r. The c_j are balls. Sums, products, quotients and compositions of models are models on the same
disc, so that a removable singularity disappears by arithmetic: what is asked of a quotient is that the rest of its
denominator, after the power of x, has no zero on the disc.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flint import acb, arb, arb_poly

from asymptok.functions.cuts import off_negative_axis

#: coefficients kept
LENGTH = 12
#: points on the circle from which Taylor coefficients are read off
_POINTS = 48
#: how much wider than the values of the inner function the disc is on which the outer one is bounded
_WIDER = (2**16, 2**10, 2**6, 16, 4, 2)

#: the values of an analytic function on a closed complex ball, None where it is not known to be analytic
Analytic = Callable[[acb], acb | None]
#: (centre, count) -> Taylor coefficients, or None where they are not to be had
Taylor = Callable[[arb, int], "list[arb] | None"]


class NotShown(Exception):
    """What was to be proved was not proved; nothing follows about its truth."""


class FinerGrid(NotShown):
    """A fractional power of x: x has to be a power of a finer variable, whose exponent is a multiple of `factor`."""

    def __init__(self, factor: int) -> None:
        super().__init__(f"a power with the denominator {factor}")
        self.factor = factor


@dataclass(frozen=True, slots=True)
class Model:
    """x^order (body + x^length E), |E| <= tail on |x| <= radius.

    >>> x = Model.variable(arb(1)/8)
    >>> sine_over_x = x.compose(acb.sin).lifted(1) / x
    >>> sine_over_x.order, sine_over_x.values().contains(arb(1))
    (0, True)
    """

    order: int
    body: arb_poly
    length: int
    tail: arb
    radius: arb

    # making them -----------------------------------------------------------------------------------------

    @staticmethod
    def constant(value: arb | int, radius: arb) -> Model:
        return Model(0, arb_poly([value]), LENGTH, arb(0), radius)

    @staticmethod
    def variable(radius: arb, centre: arb | int = 0, power: int = 1, sign: int = 1) -> Model:
        """centre + sign x^power."""
        return Model(0, arb_poly([centre, *[0] * (power - 1), sign]), max(LENGTH, power + 1), arb(0), radius)

    # what it says ----------------------------------------------------------------------------------------

    @property
    def is_zero(self) -> bool:
        return self.body.length() == 0 and bool(self.tail.is_zero())

    def coefficient(self, j: int) -> arb:
        """The coefficient of x^j, if the model reaches that far."""
        place = j - self.order
        if place >= self.length:
            raise NotShown(f"the coefficient of x^{j} lies behind the remainder")
        return self.body[place] if place >= 0 else arb(0)

    def values(self) -> arb:
        """A real ball around x^(-order) f(x) for real |x| <= radius, and the real part of a complex one."""
        return self.body[0] + arb(0, self.spread().upper())

    def spread(self) -> arb:
        """An upper bound of |x^(-order) f(x) - c_0| on the disc."""
        return _norm(self.body, self.radius, 1) * self.radius + self.tail * self.radius**self.length

    def size(self) -> arb:
        """An upper bound of |x^(-order) f(x)| on the disc."""
        return abs(self.body[0]).upper() + self.spread().upper()

    def lifted(self, order: int) -> Model:
        """The same function with its first coefficients left out: they are known to be zero."""
        drop = order - self.order
        if drop <= 0:
            return self
        if drop >= self.length:
            raise NotShown("a zero of so high an order that the remainder hides it")
        return Model(order, self.body.right_shift(drop), self.length - drop, self.tail, self.radius)

    # arithmetic ------------------------------------------------------------------------------------------

    def _shifted(self, order: int, length: int) -> tuple[arb_poly, arb]:
        """Body and tail of the function written as x^order (body + x^length E)."""
        up = self.order - order
        body, r = self.body.left_shift(up), self.radius
        high = body.right_shift(length)
        # x^(length) E_new = (what lies behind the new length) + x^(up + old length) E_old
        tail = _norm(high, r, 0) + self.tail * r ** (up + self.length - length)
        return body.truncate(length), tail

    def __add__(self, other: Model) -> Model:
        order = min(self.order, other.order)
        length = min(self.order + self.length, other.order + other.length) - order
        if length < 1:
            raise NotShown("a remainder hides the leading term")
        first, second = self._shifted(order, length), other._shifted(order, length)
        return Model(order, first[0] + second[0], length, first[1] + second[1], self.radius)

    def __neg__(self) -> Model:
        return Model(self.order, -self.body, self.length, self.tail, self.radius)

    def __sub__(self, other: Model) -> Model:
        return self + (-other)

    def __mul__(self, other: Model) -> Model:
        length = min(self.length, other.length)
        order, r = self.order + other.order, self.radius
        (p, s), (q, t) = self._shifted(self.order, length), other._shifted(other.order, length)
        product = p * q
        tail = _norm(product.right_shift(length), r, 0)
        tail += _norm(p, r, 0) * t + _norm(q, r, 0) * s + s * t * r**length
        return Model(order, product.truncate(length), length, tail, r)

    def scaled(self, factor: arb) -> Model:
        return Model(
            self.order, self.body * factor, self.length, self.tail * abs(factor).upper(), self.radius
        )

    def normal(self) -> Model:
        """Without the leading coefficients that are exactly zero."""
        drop = 0
        while drop < self.length - 1 and self.body[drop].is_zero():
            drop += 1
        return self.lifted(self.order + drop)

    def inverse(self) -> Model:
        """1/f, if f without its power of x has no zero on the disc."""
        return self.normal()._inverse()

    def _inverse(self) -> Model:
        least = abs(self.body[0]).lower() - self.spread().upper()
        if not least > 0:
            raise NotShown("a denominator that may vanish")
        series = _series_inverse([self.body[j] for j in range(self.length)])
        guess = Model(-self.order, arb_poly(series), self.length, arb(0), self.radius)
        # 1 - guess f = x^length E exactly, because the true coefficients of the guess are those of the inverse
        rest = (guess * self).tail
        return Model(-self.order, guess.body, self.length, rest / least, self.radius)

    def __truediv__(self, other: Model) -> Model:
        return self * other.inverse()

    def power(self, n: int) -> Model:
        if n < 0:
            return self.inverse().power(-n)
        result = Model.constant(1, self.radius)
        square = self
        while n:
            if n & 1:
                result = result * square
            n >>= 1
            if n:
                square = square * square
        return result

    def root_power(self, p: int, q: int) -> Model:
        """f^(p/q) for f = x^order h with h > 0 on the real part of the disc, on the side x > 0."""
        if (self.order * p) % q:
            raise FinerGrid(q)
        unit = Model(0, self.body, self.length, self.tail, self.radius)
        exponent = arb(p) / q
        found = unit.compose(lambda z: z.pow(acb(exponent)) if off_negative_axis(z) else None)
        return Model(found.order + self.order * p // q, found.body, found.length, found.tail, found.radius)

    def compose(self, f: Analytic) -> Model:
        """f of a function without a pole."""
        return self.composed(f, arb(0))[0]

    def composed(self, f: Analytic, slack: arb, taylor: Taylor | None = None) -> tuple[Model, arb]:
        """f of the function, and a bound of |f'| on its values and on all that is nearer to them than `slack`.

        Taylor's series of f at c_0, what is left of it by Cauchy's estimate on a wider disc. `taylor` gives the
        coefficients where they can be had exactly: at c_0 = 0 those of cos x that vanish are then known to vanish.
        """
        inner = self if self.order == 0 else Model(*_as_analytic(self))
        centre, spread = inner.body[0], (inner.spread() + slack).upper()
        if spread.is_zero():
            value = f(acb(centre))
            if value is None or not value.is_finite() or not value.imag.contains(0):
                raise NotShown("the function is not analytic at its argument")
            return Model.constant(value.real, self.radius), arb(0)
        outer, bound, wider = _wide_disc(f, centre, spread)
        coefficients = None if taylor is None else taylor(centre, inner.length)
        if coefficients is None:
            coefficients = taylor_coefficients(f, centre, outer, bound, inner.length)
        result = _horner(coefficients, inner)
        # |sum_(j >= n) f_j w^j| <= bound (|w|/outer)^n / (1 - 1/wider), and |w| <= |x| slope
        slope = inner.spread().upper() / self.radius
        rest = bound * (slope / outer) ** inner.length * wider / (wider - 1)
        model = Model(0, result.body, result.length, (result.tail + rest).upper(), self.radius)
        return model, (bound / (outer - spread)).upper()


def _wide_disc(f: Analytic, centre: arb, spread: arb) -> tuple[arb, arb, int]:
    """A disc around the values on which f is analytic: its radius, a bound of |f| there, and how much wider it is.

    Of several the one with the smallest Cauchy estimate bound/wider^LENGTH.
    """
    best: tuple[arb, arb, int] | None = None
    least = None
    for wider in _WIDER:
        outer = (spread * wider).upper()
        value = f(acb(centre + arb(0, outer), arb(0, outer)))
        if value is None or not value.abs_upper().is_finite():
            continue
        estimate = value.abs_upper() / arb(wider) ** LENGTH
        if least is None or estimate < least:
            best, least = (outer, value.abs_upper(), wider), estimate
    if best is None:
        raise NotShown("the function is not shown to be analytic at its argument")
    return best


def _as_analytic(model: Model) -> tuple[int, arb_poly, int, arb, arb]:
    if model.order < 0:
        raise NotShown("a function of something unbounded")
    body, tail = model._shifted(0, model.length)
    return 0, body, model.length, tail, model.radius


def _horner(coefficients: Sequence[arb], inner: Model) -> Model:
    w = Model(0, inner.body - arb_poly([inner.body[0]]), inner.length, inner.tail, inner.radius)
    # the constant term of w is 0 by definition, not only within rounding
    w = Model(0, arb_poly([0, *[w.body[j] for j in range(1, inner.length)]]), w.length, w.tail, w.radius)
    total = Model.constant(coefficients[-1], inner.radius)
    for c in reversed(coefficients[:-1]):
        total = total * w + Model.constant(c, inner.radius)
    return total


def taylor_coefficients(f: Analytic, centre: arb, outer: arb, bound: arb, count: int) -> list[arb]:
    """f_0 ... f_(count-1) at a real centre, f real on the real line with |f| <= bound on the disc of radius `outer`.

    The trapezoidal rule on the circle of half that radius gives f_j + f_(j+P) rho^P + ..., and |f_j| <= bound
    outer^-j.

    >>> [c.contains(v) for c, v in zip(taylor_coefficients(acb.exp, arb(0), arb(1), arb(3), 3), (1, 1, arb(1)/2))]
    [True, True, True]
    """
    rho = (outer / 2).upper()
    ratio = rho / outer
    roots = [acb(*(arb(2 * j) / _POINTS).sin_cos_pi()[::-1]) for j in range(_POINTS)]
    values = [value for z in roots if (value := f(acb(centre) + z * rho)) is not None]
    if len(values) < len(roots):
        raise NotShown("the function is not shown to be analytic at its argument")
    alias = bound * ratio**_POINTS / (1 - ratio**_POINTS)
    found = []
    for j in range(count):
        total = acb(0)
        for i, value in enumerate(values):
            total += value * roots[-i * j % _POINTS]
        error = (alias / outer**j).upper()
        found.append((total.real / _POINTS) / rho**j + arb(0, error))
    return found


def coefficients_at_zero(f: Analytic, count: int) -> list[arb]:
    """Taylor coefficients of f at 0 from the largest of a few discs on which it is analytic."""
    for radius in (arb(1), arb(1) / 4, arb(1) / 64):
        value = f(acb(arb(0, radius), arb(0, radius)))
        if value is not None and value.abs_upper().is_finite():
            return taylor_coefficients(f, arb(0), radius, value.abs_upper(), count)
    raise NotShown("the function is not shown to be analytic at 0")


def _series_inverse(c: list[arb]) -> list[arb]:
    inverse = [1 / c[0]]
    for j in range(1, len(c)):
        inverse.append(-sum((c[i] * inverse[j - i] for i in range(1, j + 1)), arb(0)) * inverse[0])
    return inverse


def _norm(poly: arb_poly, r: arb, start: int) -> arb:
    """An upper bound of sum_(j >= start) |c_j| r^(j - start)."""
    total = arb(0)
    for j in range(poly.length() - 1, start - 1, -1):
        total = (total * r + abs(poly[j])).upper()
    return total
