r"""mu_k of a mean E[phi(X) phi(Y)] from its values alone: such a kernel is bounded by its diagonal on the unit disc.

kappa(z) = sum_n a_n z^n with a_n >= 0 is analytic for |z| < 1, and |kappa(z)| <= kappa(1) there. u = tanh(s) maps the
strip |Im s| < pi/4 onto that disc, with sin(theta) = 1/cosh(s) and, for s = x + ic,

    |P_k(tanh s)| <= ((cosh x + sin c)/(cosh x - sin c))^(k/2),
    |cosh s|^2 = cosh(x)^2 - sin(c)^2 >= cos(c)^2 cosh(x)^2

(Laplace's integral: |P_k(cos theta)| <= exp(k |Im theta|)). So the trapezoidal rule of step h errs by at most

    2 B ((1 + sin c)/(1 - sin c))^(k/2) cos(c)^(1-d)/(e^(2 pi c/h) - 1),     |kappa - l| <= B, c <= pi/4.

l is the line with l(1) = kappa(1) and l(-1) = c, a number within e of kappa(-v), of which mu_k is known. The even and
the odd part of kappa rise towards u = 1, so that |kappa(u) - l(u)| <= kappa(1) - kappa(v) + kappa(1) (1 - v) + e for
|u| > v: that bounds the nodes left out. No box, no singular point and no derivative is looked at, and nothing is asked
of the kernel but values, the fewer digits of them the closer to an end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atanh, ceil, cos, log, log2, pi, sin

from flint import arb, fmpq
from sympy import Expr

from asymptok.atlas.local import Unproved
from asymptok.balls import compile_ball
from asymptok.errors import PrecisionError
from asymptok.kernels.means import Mean
from asymptok.precision import flint_precision
from asymptok.progress import each
from asymptok.spectrum.kinked import kinked_nodes
from asymptok.spectrum.moments import cosine_moments, gegenbauer_moments, normalisation
from asymptok.spectrum.settle import settle
from asymptok.spectrum.value import Values
from asymptok.symbols import u

__all__ = ["disc_quadrature"]

#: c is one of these parts of pi/4
_PARTS = tuple(range(16, 0, -1))
#: nodes at which the kernel is evaluated at most, on each side
_MOST_NODES = 40_000
#: how often the precision at a node rises, and its grain
_TIMES, _GRAIN = 6, 32


def disc_quadrature(expr: Expr, mean: Mean, d: int, ks: Sequence[int], bits: int) -> Values:
    """mu_k for k in `ks` to `bits` bits relative to its size."""
    top = max(ks)
    # mu_k falls like a power of k, and of d
    most = ceil((d + 1) * log2(top + 2))
    start = 24 + min(most, ceil((top + 1) * log2(top + d + 2)))
    rule = _Rule(expr, mean, d)
    return settle(rule.moments, ks, bits, start, 600 + most + 2 * top)


class _Rule:
    """The trapezoidal rule for one kernel in one dimension."""

    def __init__(self, expr: Expr, mean: Mean, d: int) -> None:
        self._d, self._parity = d, mean.parity
        self._dear = bool(kinked_nodes(expr))
        self._kappa, self._diagonal = compile_ball(expr, [u]), compile_ball(mean.diagonal, [])

    def moments(self, ks: Sequence[int], target: int) -> dict[int, arb]:
        """mu_k with absolute errors of about 2^-target."""
        d, top, goal = self._d, max(ks), target + 2
        with flint_precision(goal + 64):
            one = self._diagonal()
            if not one.is_finite():
                raise Unproved("the kernel has no finite value at u = 1")
        step = _step(top, d, goal + max(0.0, _log2(2 * one)))
        count, left, other = self._reach(step, goal, one)
        bits = goal + count.bit_length() + 8
        values = [self._both_sides(step * j, self._share(step * j, bits)) for j in each(range(count + 1))]
        nodes: list[arb] = []
        even: list[arb] = []
        odd: list[arb] = []
        with flint_precision(bits + 64):
            # |l| is at most the larger of |l(1)| and |l(-1)| on the disc
            bound = one.abs_upper() + arb.max(one.abs_upper(), abs(other))
            for j, (here, there) in enumerate(values):
                small = (-arb(step * j)).exp()
                weight = arb(step) * (2 * small / (1 + small * small)) ** (d - 1) / (1 if j else 2)
                nodes.append(2 * small.atan())
                even.append(weight * (here + there - one - other))
                odd.append(weight * (here - there - (one - other) * arb(step * j).tanh()))
            sums = gegenbauer_moments(cosine_moments(nodes, even, odd, top), d, ks)
            factor = normalisation(d)
            found = {
                k: factor * (sums[k] + arb(0, left)) + arb(0, (bound * _truncation(step, k, d)).upper())
                for k in ks
            }
            for k, line in ((0, (one + other) / 2), (1, (one - other) / 2 / d)):
                if k in found:
                    found[k] += line
        return found

    def _both_sides(self, s: fmpq, bits: int) -> tuple[arb, arb]:
        """kappa(tanh s) and kappa(-tanh s)."""
        here = self._value(s, 1, bits)
        if s == 0:
            return here, here
        if not self._parity:
            return here, self._value(s, -1, bits)
        # kappa(-u) = kappa(u), or -kappa(u): the values of one side are enough
        with flint_precision(bits + 64):
            return here, self._parity * here

    def _share(self, s: fmpq, bits: int) -> int:
        """The bits that kappa needs at tanh(s), where its weight is cosh(s)^(1-d)."""
        return max(bits - int((self._d - 1) * _float(s) / log(2)), 8)

    def _reach(self, step: fmpq, goal: int, one: arb) -> tuple[int, arb, arb]:
        """J, a bound of what the nodes beyond +-J add, about 2^-goal, and l(-1)."""
        d, h = self._d, _float(step)
        # kappa(1) - kappa(u) is about 1 - u = 2 e^(-2s), or larger
        count = ceil(goal * log(2) / (d + 1) / h)
        while count <= _MOST_NODES:
            near, far = self._both_sides(step * count, self._share(step * count, goal) + 4)
            with flint_precision(goal + 64):
                s = arb(step * count)
                most = (one - near + one * (1 - s.tanh()) + far.rad()).upper()
                # the sum is below the integral of cosh^(1-d), which falls at least at the rate (d-1) tanh(s)
                left = (2 * most * (1 / s.cosh()) ** (d - 1) / ((d - 1) * s.tanh())).upper()
            missing = goal + _log2(left)
            if missing <= 0:
                return count, left, far.mid()
            count += max(1, ceil(missing * log(2) / d / h))
        raise PrecisionError(
            f"mu_k to {goal} bits needs more than {2 * _MOST_NODES} values of the kernel: ask for fewer digits, or for "
            "a smaller k"
        )

    def _value(self, s: fmpq, side: int, bits: int) -> arb:
        """kappa(side tanh(s)) up to 2^-bits, with as much precision as that takes."""
        # next to an end the bits of 1 - u are lost in a formula; Hermite coefficients lose none, and each bit is dear
        precision = bits + (16 if self._dear else 64 + int(2 * _float(s) / log(2)))
        for _ in range(_TIMES):
            # constants are kept for each precision: few different ones
            with flint_precision(_GRAIN * -(-precision // _GRAIN)):
                value = self._kappa(side * arb(s).tanh())
                if value.is_finite() and value.rad() < arb((1, -bits)):
                    return value
            precision += 32 if self._dear else 64 + precision // 2
        raise Unproved("the kernel is not evaluated to the digits asked for")


def _step(k: int, d: int, bits: float) -> fmpq:
    """The largest step, about, that keeps the error below 2^-bits."""
    best = max(2 * pi * c / (bits * log(2) + _log_growth(c, k, d)) for c in map(_height, _PARTS))
    return fmpq(int(best * (1 << 20)), 1 << 20)


def _truncation(step: fmpq, k: int, d: int) -> arb:
    """2 ((1 + sin c)/(1 - sin c))^(k/2) cos(c)^(1-d)/(e^(2 pi c/h) - 1) for the best c."""
    h = _float(step)
    part = max(_PARTS, key=lambda j: 2 * pi * _height(j) / h - _log_growth(_height(j), k, d))
    c = arb.pi() * arb(fmpq(part, 4 * _PARTS[0]))
    sine, cosine = c.sin_cos()
    growth = ((1 + sine) / (1 - sine)) ** arb(fmpq(k, 2)) * cosine ** (1 - d)
    return 2 * growth / ((2 * arb.pi() * c / arb(step)).exp() - 1)


def _height(part: int) -> float:
    return pi / 4 * part / _PARTS[0]


def _log_growth(c: float, k: int, d: int) -> float:
    """How much the integrand grows up to the edge of the strip; it decides about work, never about what is true."""
    return k * atanh(sin(c)) - (d - 1) * log(cos(c)) + log(2)


def _log2(value: arb) -> float:
    """log2 of a positive number, about."""
    return float((value.upper().log() / arb(2).log()).mid())


def _float(step: fmpq) -> float:
    return int(step.p) / int(step.q)
