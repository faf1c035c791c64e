r"""An activation on the edge of a strip: |phi(x + i tau)| <= size e^(rate |x|) + psi(x), int psi <= excess.

phi is even or odd, real on the real axis, and analytic for |Im z| <= tau. Hence its normalised Hermite coefficients:
with h_n = He_n/sqrt(n!) and Cauchy's formula for the generating function of the He_n,

    a_n = sqrt(n!)/(2 pi i) oint Psi(w) w^(-n-1) dw,   Psi(w) = E[phi(X) e^(Xw - w^2/2)] = int phi(x) p(x-w) dx,

p the normal density; moving the path of x to Im x = +-tau gives |Psi(s+iy)| <= e^((|y|-tau)^2/2) E|phi(X+s+i tau)|. On
|w| = r, x = |cos(arg w)|, (r sin - tau)^2 <= (r-tau)^2 - 2 lam x^2 with lam = r^2/2 - tau r, since 1 - sin <= cos^2.
On the circle the mean of e^(-m cos^2) is at most sqrt(pi/m)/2, and e^(rate r x) <= e^(rate^2 r^2/(2 lam) + lam x^2/2).
Finally r = sqrt(n) + tau/2 and Stirling's formula: for sqrt(n) > 3 tau/2

    |a_n| <= w (2 pi n)^(1/4) e^(1/(24n) + tau^2/4 - tau sqrt(n)) lam^(-1/2),
    lam = (sqrt(n)+tau/2)(sqrt(n)-3tau/2)/2,

with w = sqrt(pi)/2 (size + excess/sqrt(2 pi)) for rate 0, and else sqrt(2) e^(rate^2 r^2/(2 lam)) E e^(rate |X|) beside
size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flint import arb, fmpq
from sympy import Expr, Symbol

from asymptok.functions.half_strip import growth
from asymptok.functions.strips import Plan, largest
from asymptok.precision import flint_precision

__all__ = ["Line", "line_of"]

#: where the half strips begin, columns per unit in the strip and on its edge, and how often a box is cut in two
_STARTS = (16, 40)
_COLUMNS, _FINE, _CUTS = 2, 64, 22
#: sizes that are tried are multiples of the least one by powers of 2
_SIZES = 12
_BITS = 96


@dataclass(frozen=True, slots=True)
class Line:
    """What is known on the edges |Im z| = tau."""

    tau: fmpq
    size: arb
    rate: arb
    excess: arb

    def squares(self, start: int) -> arb:
        """D with a_n^2 <= D n^(-1/2) e^(-2 tau sqrt(n)) for all n >= start; start > (3 tau/2)^2."""
        tau, root = arb(self.tau), arb(start).sqrt()
        lam = (root + tau / 2) * (root - 3 * tau / 2) / 2
        if not lam > 0:
            return arb.pos_inf()
        r = root + tau / 2
        half = arb.pi().sqrt() / 2
        weight = self.size
        if self.rate > 0:
            # E e^(b|X|) = 2 e^(b^2/2) P(X < b)
            mean = (self.rate**2 / 2).exp() * (1 + (self.rate / arb(2).sqrt()).erf())
            weight = weight * arb(2).sqrt() * (self.rate**2 * r**2 / (2 * lam)).exp() * mean
        w = half * (weight + self.excess / (2 * arb.pi()).sqrt())
        stirling = (2 * arb.pi()).sqrt() * (tau**2 / 2 + arb(1) / (12 * start)).exp()
        # n/lam decreases in n, and so does r^2/lam
        return (w**2 * stirling * start / lam).upper()


def line_of(expr: Expr, x: Symbol, values: Mapping[Symbol, arb], tau: fmpq) -> Line | None:
    """phi is analytic for |Im z| <= tau, and what holds on the edge; None if that is not shown.

    >>> from sympy import tanh
    >>> from sympy.abc import x
    >>> found = line_of(tanh(x), x, {}, fmpq(3, 2))
    >>> found.size < 3, line_of(tanh(x), x, {}, fmpq(8, 5))
    (True, None)
    """
    with flint_precision(_BITS):
        plan, width = Plan(expr, x, values), arb(tau)
        for start in _STARTS:
            far = growth(expr, x, values, arb(start), width)
            if far is None or not far.size.is_finite():
                continue
            for j in range(start * _COLUMNS):
                if largest(plan, arb(j) / _COLUMNS, arb(j + 1) / _COLUMNS, arb(0), width, _CUTS) is None:
                    return None
            maxima = []
            for j in range(start * _FINE):
                most = largest(plan, arb(j) / _FINE, arb(j + 1) / _FINE, width, width, _CUTS)
                if most is None:
                    return None
                maxima.append(most)
            rate = arb.max(far.rate, arb(0)).upper()
            least = (far.size * ((far.rate - rate) * start).exp()).upper()
            return min((_line(tau, least * 2**i, rate, maxima) for i in range(_SIZES)), key=_weight)
    return None


def _line(tau: fmpq, size: arb, rate: arb, maxima: list[arb]) -> Line:
    excess = arb(0)
    for j, most in enumerate(maxima):
        above = most - size * (rate * j / _FINE).exp()
        excess += arb.max(above, arb(0)) * 2 / _FINE
    return Line(tau, size, rate, excess.upper())


def _weight(line: Line) -> float:
    return float((line.size + line.excess / (2 * arb.pi()).sqrt()).mid())
