"""From the bounds to the claims about every degree, in one dimension d.

For every k > beta (the proof is in docs/certificates.md)

    |mu_k - sum_j [c_j + (-1)^k c'_j] f(nu_j) T(nu_j, k)| <= (B_+ + B_-) T(beta, k) + G S A_k e^(-(k+1)h),

f(nu) = -sin(pi nu) for t^nu and its derivative -pi (-1)^n for t^n log t. Divided by T(nu, k) of the leading term
everything but the leading term decreases in k, the geometric part once (k + nu + d - 1)/(k - nu) e^-h <= 1, so that
one k speaks for all the later ones.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from .balls import HALF, ONE, PI, Ball, P, log_gamma, up
from .contour import Bound, Contour, Refuted, on_slit
from .exact import Number, Unsupported, added, ball, enclosed, multiplied, whole


def _log(q: int | Fraction) -> Ball:
    return ball(q).log()


@cache
def _log_gamma(x: Number) -> Ball:
    return log_gamma(ball(x))


class Law:
    """mu_k of one parity by one entry of the bounds."""

    def __init__(self, contour: Contour, bound: Bound, d: int, parity: int) -> None:
        self.bound, self.d, self.height = bound, d, bound.height
        self.constant = _log(2).scaled(d - 2) + _log_gamma(Fraction(d, 2)) - PI.log().scaled(Fraction(3, 2))
        self.terms: dict[Number, Ball] = {}
        here, there = (contour.terms(end, bound.beta) for end in (0, 1))
        for e, j in {**here, **there}:
            if j > 1 or (j and not whole(e)):
                raise Unsupported("the law of a term t^nu (log t)^j other than t^n log t")
            total = added(here.get((e, j), 0), multiplied(there.get((e, j), 0), 1 - 2 * parity))
            if total != 0:  # exactly, that is
                # -sin(pi nu) for t^nu, and its derivative -pi (-1)^n for t^n log t
                factor = on_slit(e + HALF, 0, Ball(0)) * PI if j else on_slit(e, 0, Ball(0))
                self.terms[e] = (enclosed(total).real() * factor).scaled(-1)

    def log_t(self, nu: Number, k: int | None) -> Ball:
        """log T(nu, k); without the quotient of Gamma functions that contains k, if k is None."""
        gammas = _log_gamma(nu + Fraction(self.d - 1, 2)) + _log_gamma(nu + 1)
        out = self.constant + _log(2) * ball(nu) + gammas
        return out if k is None else out + _log_gamma(k - nu) - _log_gamma(k + nu + self.d - 1)

    def log_curve(self, k: int) -> Ball:
        """log of S A_k e^(-(k+1)h), A_k = 2 Gamma(d/2) k!/Gamma(k+d/2), S = sum_j |(1 - (d-2)/2)_j|/j! e^(-2jh)."""
        half, q = Fraction(self.d, 2), ball(-2 * self.height).exp()
        total, term, j = Ball(0), Ball(ONE), 0
        while j < half or term.mag() > ONE >> 64:
            total, term = total + term, (term * q).scaled(abs(2 - half + j) / Fraction(j + 1))
            j += 1
        # from j >= d/2 on the quotient of two terms is q (j + 2 - d/2)/(j + 1) <= q < 1
        total = total.widened((term * (Ball(ONE) - q).inverse()).mag())
        gammas = _log_gamma(half) + _log_gamma(k + 1) - _log_gamma(k + half)
        return total.log() + _log(2) + gammas - ball((k + 1) * self.height)

    def _parts(self, k: int, shift: Ball) -> tuple[dict[Number, Ball], Ball]:
        """The terms and the error bound at k > beta, all times exp(-shift)."""
        if k <= self.bound.beta:
            raise Refuted(f"a bound says nothing about k = {k}")
        terms = {e: c * (self.log_t(e, k) - shift).exp() for e, c in self.terms.items()}
        error = ball(self.bound.curve) * (self.log_curve(k) - shift).exp()
        if any(self.bound.slit):
            error = error + ball(sum(self.bound.slit)) * (self.log_t(self.bound.beta, k) - shift).exp()
        return terms, error

    def enclosure(self, k: int, shift: Ball) -> tuple[Fraction, Fraction]:
        """Bounds of mu_k exp(-shift)."""
        terms, error = self._parts(k, shift)
        total = Ball(0)
        for value in terms.values():
            total = total + value
        return total.widened(error.mag()).interval()

    def verify_all(self, nu: Number, k: int, a: Fraction, b: Fraction) -> None:
        """a m^rate <= mu_m <= b m^rate, rate = 1 - d - 2 nu, for all m >= k."""
        if nu not in self.terms or not all(e > nu for e in self.terms if e != nu):
            raise Refuted("the leading exponent is not proved to be the claimed one")
        d, (_, above) = self.d, ball(nu).interval()
        terms, error = self._parts(k, self.log_t(nu, k))
        growth = (k + above + d - 1) / (k - above) * ball(-self.height).exp().interval()[1]
        rest = error.mag() + sum(value.mag() for e, value in terms.items() if e != nu)
        spread = up(rest << P, max(terms[nu].size() - terms[nu].r, 1))
        # F(k) = k^-rate Gamma(k-nu)/Gamma(k+nu+d-1) -> 1; log F(k+1) - log F(k) -> 0 and its derivative has the sign
        # of nu(nu+d-1) - (d-2)k: from k* = nu(nu+d-1)/(d-2) on (always, if d = 2) F is monotone
        last = k if d == 2 else max(k, (above * (above + d - 1) / (d - 2)).__ceil__() + 1)
        if growth > 1 or spread >= ONE or last > k + 200:
            raise Refuted(f"no law is confirmed for all k >= {k}")
        limit = self.terms[nu] * self.log_t(nu, None).exp() * Ball(ONE, 0, spread)
        for f in (Ball(ONE), *(self._against_power(nu, m) for m in range(k, last + 1))):
            low, high = (limit * f).interval()
            if not a <= low <= high <= b:
                raise Refuted(f"a k^p <= mu_k <= b k^p is not confirmed for all k >= {k}")

    def _against_power(self, nu: Number, k: int) -> Ball:
        ratio = _log_gamma(k - nu) - _log_gamma(k + nu + self.d - 1)
        return (ratio + _log(k) * ball(self.d - 1 + 2 * nu)).exp()


def enclosure(laws: list[Law], k: int, shift: Ball) -> tuple[Fraction, Fraction] | None:
    """What all laws say about mu_k exp(-shift); None if none speaks of it."""
    values = [law.enclosure(k, shift) for law in laws if k > law.bound.beta]
    return (max(low for low, _ in values), min(high for _, high in values)) if values else None
