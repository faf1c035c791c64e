"""The steps of a program where a function has branches: powers, logarithms and angles, each with the test it needs.

What a step tests, and what follows if no test fails, is said in `program`; a test that fails raises Straddles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import acb, arb
from sympy import Expr

from asymptok.atlas.samples import ZERO, Exponent, Sample, Straddles
from asymptok.balls import ball
from asymptok.functions.arccosine import arc_cosine_closed
from asymptok.functions.cuts import Ray, off, off_negative_axis
from asymptok.functions.mean_value import meet
from asymptok.functions.powers import complex_power, integer_power
from asymptok.functions.record import Record

__all__ = ["Angle", "Step", "angle", "inverse_power", "off_rays", "on_boxes", "principal_log", "unit_power"]

Step = Callable[..., "acb | Angle"]
_I, _MINUS_2I = acb(0, 1), acb(0, -2)


def unit_power(exponent: Expr) -> Step:
    """U^e, U off the negative axis."""

    def step(_: Sample, value: acb) -> acb:
        if not off_negative_axis(value):
            raise Straddles
        return complex_power(value, acb(ball(exponent)))

    return step


def inverse_power(n: int, sign: int) -> Step:
    """U^n, n < 0: sign U misses (-oo, 0] all around a domain, hence vanishes nowhere inside."""

    def step(_: Sample, value: acb) -> acb:
        if not off_negative_axis(sign * value):
            raise Straddles
        return integer_power(1 / value, -n)

    return step


def principal_log(_: Sample, value: acb) -> acb:
    if not off_negative_axis(value):
        raise Straddles
    return value.log()


def off_rays(f: Step, rays: tuple[Ray, ...]) -> Step:
    def step(_: Sample, *values: acb) -> acb | Angle:
        if not off(values[-1], rays):
            raise Straddles
        return f(*values)

    return step


def on_boxes(record: Record) -> Step:
    """A function whose record tells on which closed boxes it is analytic."""

    def step(sample: Sample, *values: acb) -> acb:
        value = record.analytic(*values) if sample.filled else None
        if value is None:
            raise Straddles
        return value

    return step


@dataclass(slots=True)
class Angle:
    """acos N on a box and at its middle, with sqrt(1 - N^2); `step` is N minus its middle (None at a point)."""

    value: acb
    theta: acb
    sine: acb
    step: acb | None = None
    middle: acb | None = None
    theta_middle: acb | None = None
    sine_middle: acb | None = None

    def is_finite(self) -> bool:
        return bool(self.theta.is_finite() and self.sine.is_finite())

    def arc_cosine(self, n: int) -> acb:
        """kappa_n(N), on a box in mean value form with kappa_n' = n^2/(2n-1) kappa_(n-1)."""
        if self.step is None:
            return arc_cosine_closed(n, self.value, self.theta, self.sine)
        if n == 0:
            return 1 - self.theta / arb.pi()
        assert self.middle is not None and self.theta_middle is not None and self.sine_middle is not None
        at_middle = arc_cosine_closed(n, self.middle, self.theta_middle, self.sine_middle)
        return at_middle + self.arc_cosine(n - 1) * n * n / (2 * n - 1) * self.step


def angle(halves: list[tuple[Exponent, Exponent]]) -> Step:
    plain = [half == (ZERO, ZERO) for half in halves]

    def step(sample: Sample, value: acb, lower: acb, upper: acb) -> Angle:
        if not (off_negative_axis(lower) and off_negative_axis(upper)):
            raise Straddles
        a, b = lower.sqrt(), upper.sqrt()
        a = a if plain[0] else a * sample.factor(halves[0])
        b = b if plain[1] else b * sample.factor(halves[1])
        if sample.thin:
            return Angle(value, _half_angle(a, b), a * b)
        return _on_box(value, a, b)

    return step


def _half_angle(a: acb, b: acb) -> acb:
    w = (b + _I * a) / arb(2).sqrt()
    if not off_negative_axis(w):
        raise Straddles
    return _MINUS_2I * w.log()


def _on_box(value: acb, a: acb, b: acb) -> Angle:
    """On the ball around N the roots of 1 - N and 1 + N are analytic; which of the two they are, a and b tell."""
    middle = value.mid()
    whole_a, middle_a = _followed(1 - value, 1 - middle, a)
    whole_b, middle_b = _followed(1 + value, 1 + middle, b)
    theta_middle = _half_angle(middle_a, middle_b)
    sine = whole_a * whole_b
    step = value - middle
    theta = meet(_half_angle(whole_a, whole_b), theta_middle - step / sine)
    return Angle(value, theta, sine, step, middle, theta_middle, middle_a * middle_b)


def _followed(z: acb, middle: acb, root: acb) -> tuple[acb, acb]:
    """The square root on the convex ball z, and at its middle, that agrees with the enclosure `root` of some values."""
    if off_negative_axis(z):
        whole, here = z.sqrt(), middle.sqrt()
    elif off_negative_axis(-z):
        whole, here = (-z).sqrt() * _I, (-middle).sqrt() * _I
    else:
        raise Straddles
    plus, minus = whole.overlaps(root), (-whole).overlaps(root)
    if plus and not minus:
        return whole, here
    if minus and not plus:
        return -whole, -here
    raise Straddles
