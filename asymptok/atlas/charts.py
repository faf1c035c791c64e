"""Charts: parts of [0, pi], each with ellipses in which kappa(cos theta) is proved analytic and bounded.

A chart maps s in [-1, 1] onto an interval of theta, the same map takes the Bernstein ellipse of parameter e^beta around
[-1, 1] to the neighbourhood in question. The tests of a program on the boundary of the ellipse prove that kappa is
analytic inside (`curves`), the values there bound it. A kernel is real on the interval: the upper half of the
boundary is enough.

The chart of the whole interval has theta = (pi/2)(1 + psi(s)), psi(s) = I(s)/I(1), I(s) = int_0^s (1-x^2)^(p-1) dx,
so that theta ~ (1+s)^p at theta = 0 and pi - theta ~ (1-s)^p at theta = pi: powers theta^(j/p) become analytic in s.
For p = 1 psi(s) = s. On any other interval the map is linear, and 0 and pi are no points of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log, log2

import numpy as np
from flint import acb, arb, fmpq, fmpq_poly

from asymptok.atlas.curves import NotProved, pieces
from asymptok.atlas.local import Unproved
from asymptok.atlas.program import Program
from asymptok.atlas.samples import ChartSample, Sample, Straddles
from asymptok.balls import ball
from asymptok.functions.powers import integer_power
from asymptok.points import Array
from asymptok.precision import flint_precision
from asymptok.quantities import B, Ball

__all__ = ["WHOLE", "Boundary", "Chart", "boundary", "log2_upper", "substitution"]

#: bits in which the boundary of an ellipse is enclosed
_BOX_BITS = 64
#: pieces of the upper half of the boundary to begin with
_PIECES = 12
#: slack, in bits, for the double-precision arithmetic on logarithms
_SLACK = 0.01
#: boxes that are narrower than this part of a chart may be loose
_NARROW = fmpq(1, 64)
#: halvings of a piece of the boundary of a chart, and of the one around all of the interval
_SHALLOW, _DEEP = 4, 8


@lru_cache(maxsize=32)
def substitution(p: int) -> tuple[fmpq_poly, fmpq]:
    """The polynomial q over Q with 1 + psi(s) = (1+s)^p q(s), and the constant psi'(0).

    >>> substitution(2) == (fmpq_poly([1, fmpq(-1, 2)]), fmpq(3, 2))
    True
    """
    density = fmpq_poly([1, 0, -1]) ** (p - 1)
    psi = density.integral()
    total = psi(1)
    return (1 + psi / total) // fmpq_poly([1, 1]) ** p, 1 / total


@dataclass(frozen=True, slots=True)
class Chart:
    """low <= theta/pi <= high; `p` is the power at the ends of the whole interval, 1 on others."""

    low: fmpq
    high: fmpq
    p: int = 1

    @property
    def whole(self) -> bool:
        """Whether it reaches both ends."""
        return bool(self.low == 0 and self.high == 1)

    def angle(self, s: B) -> tuple[B, B]:
        """theta(s) and theta'(s), on real or complex balls; to full relative accuracy at both ends.

        >>> chart = Chart(fmpq(0), fmpq(1), 3)
        >>> chart.angle(arb(0))[0].overlaps(arb.pi() / 2), chart.angle(arb(1))[0].overlaps(arb.pi())
        (True, True)
        """
        half = arb.pi() * arb((self.high - self.low) / 2)
        if not self.whole:
            return arb.pi() * arb((self.high + self.low) / 2) + half * s, half + 0 * s
        if self.p == 1:
            return half * (1 + s), half + 0 * s
        cofactor, slope = substitution(self.p)
        derivative = half * integer_power((1 - s) * (1 + s), self.p - 1) * arb(slope)
        if s.real.mid() <= 0:
            return half * integer_power(1 + s, self.p) * _horner(cofactor, s), derivative
        return arb.pi() - half * integer_power(1 - s, self.p) * _horner(cofactor, -s), derivative

    def sample(self, s: acb) -> ChartSample:
        """Where kappa is evaluated for s in a box."""
        middle = acb(s.mid())
        slope = self.angle(s)[1]
        theta = self.angle(middle)[0] + slope * (s - middle)
        roots = (1 + s, 1 - s) if self.whole else (None, None)
        return ChartSample.of(theta, slope, roots, self.p)


WHOLE = Chart(fmpq(0), fmpq(1))


def _horner(polynomial: fmpq_poly, s: B) -> B:
    total = s * 0
    for j in range(polynomial.degree(), -1, -1):
        total = total * s + arb(polynomial[j])
    return total


@dataclass(frozen=True, slots=True)
class Boundary:
    """Upper bounds on each piece of an ellipse: log2 of |kappa|, |sin theta|, |theta'|, and |Im theta|."""

    beta: float
    kappa: Array
    sine: Array
    derivative: Array
    height: Array

    def log2_error(self, n: int, d: int, ks: object) -> Array:
        """log2 of the truncation error of the n-point rule for each k, without the factor c_d."""
        fixed = self.kappa + (d - 2) * self.sine + self.derivative
        growth = np.max(fixed[None, :] + np.asarray(ks)[:, None] * self.height[None, :] / log(2), axis=1)
        tail = log2(64 / 15) - 2 * n * self.beta / log(2) - log2(-np.expm1(-2 * self.beta))
        return growth + tail + _SLACK

    def nodes(self, bits: float, d: int, k: int) -> int:
        """The least even n with an error of at most 2^-bits at degree k (and below)."""
        excess = float(self.log2_error(0, d, [k])[0]) + bits
        return max(4, 2 * ceil(excess * log(2) / (4 * self.beta)))


class _Sharp:
    """A program that also refuses boxes on which its value may be twice as large as it is, but for narrow ones."""

    def __init__(self, program: Program, narrow: arb) -> None:
        self.program, self.narrow = program, narrow

    def run(self, sample: Sample) -> acb:
        value = self.program.run(sample)
        assert isinstance(sample, ChartSample)
        if sample.theta.rad() > self.narrow and value.rad() > abs(value.mid()):
            raise Straddles
        return value


@lru_cache(maxsize=4096)
def boundary(program: Program, chart: Chart, beta: fmpq) -> Boundary | None:
    """Bounds on the ellipse `beta` of a chart; None if kappa is not shown to be analytic inside.

    >>> from asymptok.atlas.program import program
    >>> from asymptok.symbols import u
    >>> kappa = program(1 / (2 - u))
    >>> boundary(kappa, WHOLE, fmpq(5, 4)) is None, boundary(kappa, WHOLE, fmpq(1, 2)) is None
    (True, False)
    """
    wide, high = arb(beta).cosh(), arb(beta).sinh()

    def place(x: arb) -> Sample:
        # finer next to the real axis, where the ends of the interval are near
        turn = (1 - x.cos_pi()) / 2
        return chart.sample(acb(wide * turn.cos_pi(), high * turn.sin_pi()))

    # next to an end u = 1 - theta^2/2 needs twice the bits of theta
    with flint_precision(_BOX_BITS + 2 * int((chart.high - chart.low).q).bit_length()):
        if not _one_sheet(program, chart, wide):
            return None
        sharp = _Sharp(program, arb.pi() * arb(chart.high - chart.low) * wide * arb(_NARROW))
        deepest = _DEEP if chart.whole else _SHALLOW
        try:
            if program.boxes:
                around = chart.sample(acb(arb(0, wide.upper()), arb(0, high.upper())))
                rows = [_row(around, program.on_box(around.u))]
            else:
                found = pieces(sharp, place, fmpq(0), fmpq(1), _PIECES, deepest)
                rows = [_row(sample, value) for _, sample, value in found]
        except (NotProved, Unproved):
            return None
    kappa, sines, derivative, heights = np.array(rows).T
    return Boundary(float(int(beta.p)) / float(int(beta.q)), kappa, sines, derivative, heights)


def _row(sample: Sample, value: acb) -> tuple[float, float, float, float]:
    assert isinstance(sample, ChartSample)
    sine = sample.halves[0] * sample.halves[1]
    tall = float(abs(sample.theta.imag).upper()) * (1 + 1e-12)
    return log2_upper(value), log2_upper(sine), log2_upper(sample.slope), tall


def _one_sheet(program: Program, chart: Chart, wide: arb) -> bool:
    """Whether poles, and the points outside [0, pi] at which cos takes the values of lifted ones, are not inside."""
    middle, half = (chart.high + chart.low) / 2, (chart.high - chart.low) / 2
    for at, point in program.hidden:
        if chart.p != 1:
            return False
        turn = ball(point).acos() / arb.pi()
        others = [-turn, 2 - turn, turn - 2, turn + 2] + ([] if at else [turn])
        if not all(abs(x - arb(middle)) > arb(half) * wide for x in others):
            return False
    return True


def log2_upper(z: Ball) -> float:
    """An upper bound of log2 |z|."""
    magnitude = z.abs_upper()
    return -1e9 if magnitude.is_zero() else float((magnitude.log() / arb(2).log()).upper()) + 1e-6
