"""Enclosures of the arc-cosine functions kappa_n, and their record."""

from __future__ import annotations

from typing import TypeVar

from flint import acb, acb_series, arb, arb_series
from sympy import S

from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.arccosine_numeric import arccosine_numpy
from asymptok.functions.cuts import off_both_real_rays
from asymptok.functions.inverse import acos_series, complex_acos, unit_interval
from asymptok.functions.mean_value import meet
from asymptok.functions.powers import complex_sqrt, hull
from asymptok.functions.record import Monotone, Record, constantly
from asymptok.quantities import whole

Q = TypeVar("Q", arb, acb, arb_series, acb_series)
P = TypeVar("P", arb_series, acb_series)


def arc_cosine_closed(n: int, x: Q, theta: Q, sine: Q) -> Q:
    # J_1 = sin + (pi - theta) cos and J_{m+1} = (2m+1) cos J_m + m^2 sin^2 J_{m-1}; J_n(0) = (2n-1)!! pi.
    pi = arb.pi()
    before = pi - theta
    if n == 0:
        return before / pi
    here = sine + x * before
    double_factorial = 1
    for m in range(1, n):
        before, here = here, (2 * m + 1) * x * here + m * m * (sine * sine) * before
        double_factorial *= 2 * m + 1
    return here / (pi * double_factorial)


def _arc_cosine_at(n: int, x: arb) -> arb:
    # atan2 keeps all digits next to x = 1, where acos(x) of a rounded x could not
    sine = ((1 - x) * (1 + x)).sqrt()
    return arc_cosine_closed(n, x, arb.atan2(sine, x), sine)


def arc_cosine_real(n: arb | int, x: arb) -> arb:
    """kappa_n(x) for x in [-1, 1]; what a ball has outside of [-1, 1] is cut off.

    The argument of an arc-cosine kernel is a correlation, so a ball around it that sticks out does so by
    rounding only: at kappa_1(kappa_1(1)) the answer is 1 and not nan. A ball certainly outside gives nan.

    >>> arc_cosine_real(1, arb(1, 2.0**-40)).overlaps(arb(1))
    True
    """
    n = int(n) if isinstance(n, int) else whole(n)
    if not x.is_finite() or x > 1 or x < -1:
        return arb.nan()
    if n:
        middle = x.mid()
        if -1 <= middle <= 1:
            # mean value form, 0 <= kappa_n' <= n^2/(2n-1): the ball grows by no more than the function does,
            # whereas x, theta and sin carry errors that cancel and blow up with each layer of a network
            return _arc_cosine_at(n, middle) + arb(0, x.rad() * n * n / (2 * n - 1))
    elif -1 < x < 1:
        sine = ((1 - x) * (1 + x)).sqrt()
        if sine.is_finite():
            return 1 - arb.atan2(sine, x) / arb.pi()
    # kappa_n increases on [-1, 1]: next to an end the values at the ends of the ball are the enclosure
    low, high = arb.max(x.lower(), arb(-1)), arb.min(x.upper(), arb(1))
    return hull(_arc_cosine_at(n, low), _arc_cosine_at(n, high))


def _principal(n: int, z: acb) -> acb:
    return arc_cosine_closed(n, z, complex_acos(z), complex_sqrt(1 - z) * complex_sqrt(1 + z))


def arc_cosine_complex(n: acb | int, z: acb) -> acb:
    """kappa_n(z) with principal acos and square root: cuts along (-oo, -1] and [1, oo)."""
    n = int(n) if isinstance(n, int) else whole(n.real)
    direct = _principal(n, z)
    if n == 0 or z.is_exact() or not z.is_finite() or not off_both_real_rays(z):
        return direct
    # mean value form along kappa_n' = n^2/(2n-1) kappa_(n-1), as on the real line
    slope = arc_cosine_complex(n - 1, z) * n * n / (2 * n - 1)
    middle = z.mid()
    return meet(direct, _principal(n, middle) + slope * (z - middle))


def arc_cosine_series(n: arb | int, x: P) -> P:
    n = int(n) if isinstance(n, int) else whole(n)
    return arc_cosine_closed(n, x, acos_series(x), ((1 - x) * (1 + x)).sqrt())


RECORDS = (
    # kappa_n = polynomial + polynomial times acos or sqrt(1 - x^2), with (1 -+ x)^(n + 1/2) at both ends
    Record(
        function=ArcCosine,
        real=arc_cosine_real,
        complex=arc_cosine_complex,
        series=arc_cosine_series,
        requirements=lambda node: unit_interval(node.args[1]),
        singular_values=constantly((S.One, S.NegativeOne)),
        regular=lambda n, z: off_both_real_rays(z),
        monotone=constantly(Monotone(1, (S.NegativeOne, S.One), (S.Zero, S.One))),
        numpy=lambda n, x: arccosine_numpy(int(n), x),
    ),
)
