"""Enclosures of Orthant(h, k, r), and its record.

At real points Owen's function T(h, a) = (1/2 pi) int_0^a exp(-h^2 (1 + x^2)/2)/(1 + x^2) dx does the work: for
positive h and k

    Orthant = Q(h)/2 + Q(k)/2 - T(h, v/h) - T(k, w/k),   v = (k - r h)/sqrt(1 - r^2),   w = (h - r k)/sqrt(1 - r^2),

where T(h, a) + T(a h, 1/a) = Q(h)/2 + Q(a h)/2 - Q(h) Q(a h), a > 0, brings the second argument to [0, 1], and

    2 pi T(h, a) = atan(a) - sum_j (-1)^j a^(2j+1)/(2j+1) (1 - e^-x (1 + x + ... + x^j/j!)),   x = h^2/2,

converges faster than geometrically. At complex points

    Orthant = Q(h) Q(k) + (1/2 pi) int_0^asin(r) exp(-(h^2 - 2 h k sin + k^2)/(2 cos^2)) dtheta,

along a segment inside the strip |Re theta| < pi/2, which is the plane of r without (-oo, -1] and [1, oo). Balls are
answered at one point and widened by the mean value theorem: the derivatives are elementary.
"""

from __future__ import annotations

from functools import lru_cache
from math import lgamma, log2

import flint
from flint import acb, arb
from sympy import S

from asymptok.functions.cuts import off_both_real_rays
from asymptok.functions.inverse import unit_interval
from asymptok.functions.mean_value import meet
from asymptok.functions.orthant import Orthant, orthant_numpy
from asymptok.functions.powers import B, hull
from asymptok.functions.record import Points, Record
from asymptok.precision import flint_precision
from asymptok.symbols import u

#: log(2), rounded down
_LOG_2 = 0.6931
_ENDS: Points = (S.One, S.NegativeOne)


def owen_t(h: arb, a: arb) -> arb:
    """T(h, a) for real balls with |a| <= 1.

    >>> (4 * owen_t(arb(0), arb(1)) - arb(1) / 2).contains(0)
    True
    """
    bits = flint.ctx.prec
    x = h * h / 2
    if not x.is_finite() or not a.is_finite():
        return arb.nan()
    if x > bits:
        # 0 < T(h, a)/a < exp(-x)/(2 pi)
        bound = ((-x).exp() * abs(a)).upper()
        return arb(0, bound)
    if abs(a) < arb((1, -bits - 4)):
        return arb(0, (abs(a) / 6).upper())
    size = float(x.upper())
    terms = _terms(size, bits + 10)
    with flint_precision(bits + int(1.5 * size) + 20):
        total, power, square = a.atan(), -a, -a * a
        term = (-x).exp()
        rest = 1 - term
        for j in range(1, terms + 1):
            total += power * rest / (2 * j - 1)
            power *= square
            term = term * x / j
            rest -= term
        # 1 - e^-x sum <= x^(j+1)/(j+1)! at j = terms, and each further term is below half of the one before
        total += arb(0, (2 * x ** (terms + 1) / arb(terms + 2).gamma() * abs(power)).upper())
        result = total / (2 * arb.pi())
    return +result


def _terms(x: float, bits: int) -> int:
    """j > 2 x with x^(j+1)/(j+1)! < 2^-bits, about; what is left out is bounded for the j that comes back."""
    j = int(2 * x) + 2
    while x > 0 and (j + 1) * log2(x) - lgamma(j + 2) / _LOG_2 > -bits:
        j += 4
    return j


def _ratio_t(h: arb, v: arb) -> arb:
    """T(h, v/h) for h > 0, or h >= 0 and v != 0."""
    if abs(v) <= h:
        return owen_t(h, v / h)
    if not abs(v) > 0:
        return owen_t(h, v / h) if abs(v).upper() < h else arb.nan()
    w = abs(v)
    first, second = _tail(h), _tail(w)
    half = (first + second) / 2 - first * second - owen_t(w, h / w)
    return half if v > 0 else -half


def _real_point(h: arb, k: arb, r: arb) -> arb:
    """Orthant for real points or narrow balls, -1 < r < 1."""
    if h < 0:
        return _tail(k) - _real_point(-h, k, -r)
    if k < 0:
        return _tail(h) - _real_point(h, -k, -r)
    sine = ((1 - r) * (1 + r)).sqrt()
    v, w = (k - r * h) / sine, (h - r * k) / sine
    if h >= 0 and k >= 0 and not (h.is_zero() and k.is_zero()):
        first = _ratio_t(h, v)
        second = first if h.is_exact() and h == k else _ratio_t(k, w)
        return (_tail(h) + _tail(k)) / 2 - first - second
    return arb.nan()


def _tail(h: B) -> B:
    if isinstance(h, arb) and h.is_exact() and h.is_finite():
        mantissa, exponent = h.man_exp()
        return _fixed_tail(int(mantissa), int(exponent), flint.ctx.prec)
    return (h / arb(2).sqrt()).erfc() / 2


@lru_cache(maxsize=256)
def _fixed_tail(mantissa: int, exponent: int, prec: int) -> arb:
    """Q at an exact number, at the precision in force: thresholds come back at every point."""
    return (arb((mantissa, exponent)) / arb(2).sqrt()).erfc() / 2


def _form(h: acb, k: acb, sine: acb, square: acb) -> acb:
    """(h^2 - 2 h k s + k^2)/(2 (1 - s^2)), split so that the difference of close thresholds is taken first."""
    if sine.real > 0:
        return (h - k) ** 2 / (2 * square) + h * k / (1 + sine)
    return (h + k) ** 2 / (2 * square) - h * k / (1 - sine)


def _central(h: acb, k: acb, r: acb) -> acb:
    """The integral, for single points or balls that are small beside the distance of r from the ends."""
    end = r.asin()

    def integrand(theta: acb, _: bool) -> acb:
        sine, cosine = theta.sin_cos()
        return (-_form(h, k, sine, cosine * cosine)).exp()

    if end.is_zero():
        return _tail(h) * _tail(k)
    small = arb((1, -flint.ctx.prec))
    return _tail(h) * _tail(k) + acb.integral(integrand, 0, end, abs_tol=small) / (2 * arb.pi())


def _slope(index: int, h: acb, k: acb, r: acb) -> acb:
    """The derivative in h, k or r."""
    sine = (1 - r).sqrt() * (1 + r).sqrt()
    if index == 2:
        return (-_form(h, k, r, (1 - r) * (1 + r))).exp() / (2 * arb.pi() * sine)
    at, other = (h, k) if index == 0 else (k, h)
    return -(-at * at / 2).exp() / (2 * arb.pi()).sqrt() * _tail((other - r * at) / sine)


def _inside(a: acb) -> acb:
    """A point of the ball, real if there is a real one."""
    return acb(a.real.mid()) if a.imag.contains(0) else acb(a.mid())


def _at_point(h: acb, k: acb, r: acb) -> acb:
    if h.imag.is_zero() and k.imag.is_zero() and r.imag.is_zero() and -1 < r.real < 1:
        value = _real_point(h.real, k.real, r.real)
        if value.is_finite():
            return acb(value)
    return _central(h, k, r)


def _around_middle(args: tuple[acb, acb, acb]) -> acb:
    middle = tuple(_inside(a) for a in args)
    total = _at_point(*middle)
    if all(a.is_exact() for a in args):
        return total
    for index, (a, m) in enumerate(zip(args, middle, strict=True)):
        step = a - m
        if not step.is_zero():
            total += _slope(index, *args) * step
    return total


def orthant_complex(h: acb, k: acb, r: acb) -> acb:
    """Entire in h and k; in r the branch that is real on (-1, 1), off both real rays."""
    args = (acb(h), acb(k), acb(r))
    if not all(a.is_finite() for a in args) or not off_both_real_rays(args[2]):
        return acb(arb.nan())
    value = _around_middle(args)
    return value if value.is_finite() else _central(*args)


def orthant_real(h: arb, k: arb, r: arb) -> arb:
    """P(X > h, Y > k); what a ball of r has outside [-1, 1] is cut off, as rounding put it there.

    >>> orthant_real(arb(0), arb(0), arb("0.5")).contains(arb(1) / 3), orthant_real(arb(1), arb(2), arb(-1)).is_zero()
    (True, True)
    """
    if not (h.is_finite() and k.is_finite() and r.is_finite()) or r > 1 or r < -1:
        return arb.nan()
    low, high = arb.max(r.lower(), arb(-1)), arb.min(r.upper(), arb(1))
    found = arb.nan()
    if low > -1 and high < 1:
        found = _around_middle((acb(h), acb(k), acb(r))).real
        if found.is_finite() and found.rad() * (1 << (flint.ctx.prec // 2)) < 1:
            return found
    # it falls with h and with k and rises with r
    bottom = _at(h.upper(), k.upper(), low)
    top = _at(h.lower(), k.lower(), high)
    return meet(hull(bottom, top), found)


def _at(h: arb, k: arb, r: arb) -> arb:
    """The value at a point of [-1, 1]; between 0 and Q(max(h, k)) where the integral is not had."""
    if r == 1:
        return _tail(arb.max(h, k))
    if r == -1:
        return arb.max(arb(0), _tail(h) - _tail(-k)) if not h + k >= 0 else arb(0)
    value = _at_point(acb(h), acb(k), acb(r)).real
    return value if value.is_finite() else hull(arb(0), _tail(arb.max(h, k)))


RECORDS = (
    Record(
        function=Orthant,
        real=orthant_real,
        complex=orthant_complex,
        requirements=lambda node: unit_interval(node.args[2]),
        singular_values=lambda node: None if node.args[0].has(u) or node.args[1].has(u) else _ENDS,
        regular=lambda h, k, r: off_both_real_rays(r),
        names=("Orthant",),
        arity=3,
        numpy=orthant_numpy,
    ),
)
