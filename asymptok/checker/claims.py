"""From the bounds to the claims about every degree, in one dimension d.

For every k > beta (the proof is in docs/certificates.md)

    |mu_k + sum_j [c_j + (-1)^k c'_j] sin(pi nu_j) T(nu_j, k)| <= (B_+ + B_-) T(beta, k) + G S A_k e^(-(k+1)h).

Divided by T(nu, k) of the leading term everything but the leading term decreases in k, the geometric part once
(k + nu + d - 1)/(k - nu) e^-h <= 1, so that one k speaks for all the later ones.
"""

from __future__ import annotations

from fractions import Fraction

from . import exact
from .balls import ONE, Ball, gamma_log, number, pi_ball
from .contour import Bound, Contour, Refuted, sine

__all__ = ["Law", "enclosure"]


def _log(q: Fraction | int) -> Ball:
    return number(q).log()


class Law:
    """mu_k of one parity by one entry of the bounds."""

    def __init__(self, contour: Contour, bound: Bound, d: int, parity: int) -> None:
        self.bound, self.d, self.height = bound, d, bound.height
        self.constant = (
            _log(2).scaled(d - 2) + gamma_log(number(Fraction(d, 2))) - pi_ball.log().scaled(Fraction(3, 2))
        )
        self.terms: dict[Fraction, Ball] = {}
        for e in sorted({*contour.exponents(0, bound.beta), *contour.exponents(1, bound.beta)}):
            if not self._cancels(contour, e, parity):
                there = contour.coefficient(1, e).scaled((-1) ** parity)
                self.terms[e] = -((contour.coefficient(0, e) + there) * sine(e))

    @staticmethod
    def _cancels(contour: Contour, e: Fraction, parity: int) -> bool:
        """Whether c + (-1)^k c' = 0 exactly."""
        pair = contour.kernel.series[contour.kernel.root]
        if any(2 * e >= series.known for series in pair):
            return False
        here, there = (series.terms.get(2 * e, {}) for series in pair)
        total = exact.plus(here, exact.times(there, exact.constant((-1) ** parity)))
        return total == {}

    def log_T(self, nu: Fraction, k: int) -> Ball:
        d = self.d
        gammas = gamma_log(number(nu + Fraction(d - 1, 2))) + gamma_log(number(nu + 1))
        ratio = gamma_log(number(k - nu)) - gamma_log(number(k + nu + d - 1))
        return self.constant + _log(2).scaled(nu) + gammas + ratio

    def log_curve(self, k: int) -> Ball:
        """log of S A_k e^(-(k+1)h), A_k = 2 Gamma(d/2) k!/Gamma(k+d/2), S = sum_j |(1 - (d-2)/2)_j|/j! e^(-2jh)."""
        half, q = Fraction(self.d, 2), number(-2 * self.height).exp()
        total, term, j = Ball(0), Ball(ONE), 0
        while j < half or term.mag() > ONE >> 64:
            total, term = total + term, (term * q).scaled(abs(2 - half + j) / Fraction(j + 1))
            j += 1
        # from j >= d/2 on the quotient of two terms is q (j + 2 - d/2)/(j + 1) <= q < 1
        total = total.widened((term * (Ball(ONE) - q).inverse()).mag())
        gammas = gamma_log(number(half)) + gamma_log(number(k + 1)) - gamma_log(number(k + half))
        return total.log() + _log(2) + gammas - number((k + 1) * self.height)

    def _parts(self, k: int, shift: Ball) -> tuple[dict[Fraction, Ball], Ball]:
        """The terms and the error bound at k > beta, all times exp(-shift)."""
        terms = {e: c * (self.log_T(e, k) - shift).exp() for e, c in self.terms.items()}
        error = number(self.bound.curve) * (self.log_curve(k) - shift).exp()
        if any(self.bound.slit):
            error = error + number(sum(self.bound.slit)) * (self.log_T(self.bound.beta, k) - shift).exp()
        return terms, error

    def enclosure(self, k: int, shift: Ball) -> Ball:
        """mu_k exp(-shift)."""
        if k <= self.bound.beta:
            raise Refuted(f"the bound with beta = {self.bound.beta} says nothing about k = {k}")
        terms, error = self._parts(k, shift)
        total = Ball(0)
        for value in terms.values():
            total = total + value
        return total.widened(error.mag())

    def verify_all(self, nu: Fraction, k: int, a: Fraction, b: Fraction) -> None:
        """a m^rate <= mu_m <= b m^rate, rate = 1 - d - 2 nu, for all m >= k."""
        if not self.terms or min(self.terms) != nu:
            raise Refuted(f"the leading exponent is not proved to be {nu}")
        if k <= self.bound.beta or not self._all_later(nu, k, a, b):
            raise Refuted(f"a k^p <= mu_k <= b k^p is not confirmed for all k >= {k}")

    def _against_power(self, nu: Fraction, k: int) -> Ball:
        ratio = gamma_log(number(k - nu)) - gamma_log(number(k + nu + self.d - 1))
        return (ratio + _log(k).scaled(self.d - 1 + 2 * nu)).exp()

    def _all_later(self, nu: Fraction, k: int, a: Fraction, b: Fraction) -> bool:
        d = self.d
        growth = number((k + nu + d - 1) / (k - nu)) * number(-self.height).exp()
        if growth.interval()[1] > 1:
            return False
        terms, error = self._parts(k, self.log_T(nu, k))
        rest = error.mag() + sum(value.mag() for e, value in terms.items() if e != nu)
        lead = terms[nu]
        spread = Ball(ONE, 0, -(-(rest << (ONE.bit_length() - 1)) // max(lead.low(), 1)))
        if spread.r >= ONE:
            return False
        # F(k) = k^-rate Gamma(k-nu)/Gamma(k+nu+d-1) -> 1; log F(k+1) - log F(k) -> 0 and its derivative has the sign
        # of nu(nu+d-1) - (d-2)k: from k* = nu(nu+d-1)/(d-2) on (always, if d = 2) F is monotone
        last = k if d == 2 else max(k, (nu * (nu + d - 1) / (d - 2)).__ceil__() + 1)
        if last > k + 200:
            return False
        F = [Ball(ONE), *(self._against_power(nu, m) for m in range(k, last + 1))]
        gammas = gamma_log(number(nu + Fraction(d - 1, 2))) + gamma_log(number(nu + 1))
        limit = self.terms[nu] * (self.constant + _log(2).scaled(nu) + gammas).exp() * spread
        values = [(limit * f).interval() for f in F]
        return a <= min(low for low, _ in values) and max(high for _, high in values) <= b


def enclosure(laws: list[Law], k: int, shift: Ball) -> tuple[Fraction, Fraction]:
    """What all laws say about mu_k exp(-shift)."""
    values = [law.enclosure(k, shift).interval() for law in laws if k > law.bound.beta]
    far = Fraction(10**30)
    return max((low for low, _ in values), default=-far), min((high for _, high in values), default=far)
