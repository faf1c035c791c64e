"""From the bounds to the claims about every degree, in one dimension d.

For every k > beta (the proof is in docs/certificates.md)

    |mu_k - sum_j [c_j + (-1)^k c'_j] f(nu_j) T(nu_j, k)| <= (B_+ + B_-) T(beta, k) + G S A_k e^(-(k+1)h),

f(nu) = -sin(pi nu) for t^nu and its derivative -pi (-1)^n for t^n log t, t = b -+ u, where

    T(nu, k) = C(nu) r^k Gamma(k-nu)/Gamma(k+sigma) F_k,    r = b - sqrt(b^2-1);
    b = 1: sigma = nu+d-1, C = 2^(nu+d-2) Gamma(d/2) Gamma(nu+(d-1)/2) Gamma(nu+1)/pi^(3/2), F_k = 1;
    b > 1: sigma = d/2, C = Gamma(d/2) (2r)^-nu (1-r^2)^(nu+d/2-1) Gamma(nu+1)/pi,
           F_k = 2F1(nu+d/2, 1-nu-d/2; k+d/2; -r^2/(1-r^2)); for nu < 0 with 1/Gamma(-nu) for f(nu) Gamma(nu+1)/pi.

Divided by r^k Gamma(k-nu)/Gamma(k+sigma) of the leading term everything else decreases in k, so that one k speaks for
all the later ones.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from .balls import ONE, PI, Ball, Clock, log_gamma, up
from .contour import Bound, Contour, Refuted, on_slit
from .exact import Number, Unsupported, added, ball, enclosed, multiplied, whole

UNIT = Ball(ONE)


@cache
def _log_gamma(x: Number) -> Ball:
    return log_gamma(ball(x))


class Law:
    """mu_k of one parity by one entry of the bounds."""

    def __init__(self, contour: Contour, bound: Bound, d: int, parity: int) -> None:
        b, self.bound, self.d, self.first = ball(contour.scale), bound, d, bound.beta
        self.outside = contour.scale != 1
        self.kind = "geometric" if self.outside else "algebraic"
        self.log_r = (
            (b - (b * b - UNIT).log().scaled(Fraction(1, 2)).exp()).log() if self.outside else Ball(0)
        )
        if (
            self.outside and not any(bound.slit) and not bound.curve
        ):  # the terms at an end are all of the kernel
            self.first = max(e for end in contour.ends if not end.rest for e, _ in end.terms)
        elif self.outside and bound.beta < 0:
            raise Unsupported("a bound outside of [-1, 1] with a negative beta")
        self.terms: dict[Number, Ball] = {}
        here, there = (contour.terms(end, bound.beta) for end in (0, 1))
        for e, j in {**here, **there}:
            if j > 1 or (j and not (whole(e) and e >= 0)):
                raise Unsupported("the law of a term t^nu (log t)^j other than t^n log t")
            if not self.outside and not 2 * e > 1 - d:
                raise Unsupported("a kernel that is not integrable")
            total = added(here.get((e, j), 0), multiplied(there.get((e, j), 0), 1 - 2 * parity))
            if total != 0:  # exactly, that is
                scale = (b.log() * ball(-e)).exp() if self.outside else UNIT  # the model has t = 1 -+ u/b
                self.terms[e] = enclosed(total).real() * self._factor(e, j) * scale
                self.first = max(self.first, 1 - d - e) if self.outside else self.first  # see F_k

    def sigma(self, nu: Number) -> Number:
        return Fraction(self.d, 2) if self.outside else nu + self.d - 1

    def _factor(self, e: Number, j: int) -> Ball:
        if self.outside and e < 0:
            return UNIT
        return on_slit(e + Fraction(j, 2), 0, Ball(0)).scaled(-1) * (PI if j else UNIT)

    def _constant(self, nu: Number) -> Ball:
        """log C(nu)."""
        half, r = Fraction(self.d, 2), self.log_r
        if not self.outside:
            gammas = _log_gamma(nu + half - Fraction(1, 2)) + _log_gamma(nu + 1) + _log_gamma(half)
            return ball(2).log() * ball(nu + self.d - 2) + gammas - PI.log().scaled(Fraction(3, 2))
        gammas = _log_gamma(half) + (_log_gamma(-nu).scaled(-1) if nu < 0 else _log_gamma(nu + 1) - PI.log())
        return gammas - (r + ball(2).log()) * ball(nu) + (UNIT - (r + r).exp()).log() * ball(nu + half - 1)

    def _gammas(self, nu: Number, k: int) -> Ball:
        """log of r^k Gamma(k-nu)/Gamma(k+sigma)."""
        return self.log_r.scaled(k) + _log_gamma(k - nu) - _log_gamma(k + self.sigma(nu))

    def _series(self, nu: Number, k: int) -> tuple[Ball, int]:
        """F_k, and a bound of |F_m - 1| for all m >= k, in units: all terms decrease in k, and if nu+d/2+J > 0 and
        1-nu-d/2+J > 0, the rest from the J-th term on is at most that term."""
        if not self.outside:
            return UNIT, 0
        s, c, square = nu + Fraction(self.d, 2), k + Fraction(self.d, 2), (self.log_r + self.log_r).exp()
        x, term, total, spread, best = square * (UNIT - square).inverse(), UNIT, Ball(0), -ONE, ONE
        if not c > 1 - s:
            raise Refuted(f"a law says nothing about k = {k}")
        for j in range(300):
            if j and s + j > 0 and 1 - s + j > 0:
                best = min(best, spread + term.mag())
                if term.mag() < ONE >> 80:
                    return total.widened(term.mag()), best
            total, spread = total + term, spread + term.mag()
            term = (term * x * ball(-(s + j) * (1 - s + j))).scaled(1 / Fraction((c + j) * (j + 1)))
        raise Refuted(f"the series of a term is too long at k = {k}")

    def _log_t(self, nu: Number, k: int) -> Ball:
        return self._constant(nu) + self._gammas(nu, k) + self._series(nu, k)[0].log()

    def _log_curve(self, k: int) -> Ball:
        """log of S A_k e^(-(k+1)h), A_k = 2 Gamma(d/2) k!/Gamma(k+d/2), S = sum_j |(1 - (d-2)/2)_j|/j! e^(-2jh)."""
        half, h = Fraction(self.d, 2), self.bound.height
        total, term, j, q = Ball(0), UNIT, 0, ball(-2 * h).exp()
        while j < half or term.mag() > ONE >> 64:
            total, term = total + term, (term * q).scaled(abs(2 - half + j) / Fraction(j + 1))
            j += 1
        # from j >= d/2 on the quotient of two terms is q (j + 2 - d/2)/(j + 1) <= q < 1
        total = total.widened((term * (UNIT - q).inverse()).mag())
        gammas = _log_gamma(half) + _log_gamma(k + 1) - _log_gamma(k + half)
        return total.log() + ball(2).log() + gammas - ball((k + 1) * h)

    def _parts(self, k: int, shift: Ball) -> tuple[dict[Number, Ball], Ball]:
        """The terms and the error bound at k > beta, all times exp(-shift)."""
        if not k > self.first:
            raise Refuted(f"a bound says nothing about k = {k}")
        Clock.tick()
        terms = {e: c * (self._log_t(e, k) - shift).exp() for e, c in self.terms.items()}
        error = ball(self.bound.curve) * (self._log_curve(k) - shift).exp()
        if any(self.bound.slit):
            error = error + ball(sum(self.bound.slit)) * (self._log_t(self.bound.beta, k) - shift).exp()
        return terms, error

    def enclosure(self, k: int, shift: Ball) -> tuple[Fraction, Fraction]:
        """Bounds of mu_k exp(-shift)."""
        terms, error = self._parts(k, shift)
        return sum(terms.values(), Ball(0)).widened(error.mag()).interval()

    def verify_all(self, nu: Number, k: int, a: Fraction, b: Fraction) -> None:
        """a <= mu_m r^-m m^(nu+sigma) <= b for all m >= k.

        Quotients of terms fall like Gamma(m-nu')/Gamma(m-nu), for b = 1 times Gamma(m+sigma)/Gamma(m+sigma'), up to
        F_m, which is 1 up to its spread; that of the curve falls once e^-h/r times the factor below is at most 1. With
        H(m) = m^(nu+sigma) Gamma(m-nu)/Gamma(m+sigma) -> 1 the derivative of log H(m+1) - log H(m) -> 0 has the sign
        of nu sigma - (sigma-nu-1) m: after its zero, if there is one, H is monotone.
        """
        if nu not in self.terms or not all(e > nu for e in self.terms if e != nu) or not k > nu:
            raise Refuted("the leading exponent is not proved to be the claimed one")
        terms, error = self._parts(k, self._gammas(nu, k))
        others = [e for e in terms if e != nu] + [self.bound.beta] * any(self.bound.slit)
        sigma, most = self.sigma(nu), max((self._series(e, k)[1] for e in others), default=0)
        factor = (k + (1 if self.outside else ball(sigma).interval()[1])) / ball(k - nu).interval()[0]
        growth = (
            max(Fraction(1), factor) * (self.log_r.scaled(-1) - ball(self.bound.height)).exp().interval()[1]
        )
        last = k
        if not sigma - nu <= 1:
            zero = (ball(nu * sigma) * ball(sigma - nu - 1).inverse()).interval()[1]
            last = max(k, zero.__ceil__() + 1)
        if growth > 1 or most > ONE >> 1 or last > k + 200:
            raise Refuted(f"no law is confirmed for all k >= {k}")
        rest = sum(value.mag() for e, value in terms.items() if e != nu) + error.mag()
        lead = self.terms[nu] * self._constant(nu).exp() * Ball(ONE, 0, self._series(nu, k)[1])
        lead = lead.widened(up(rest * (ONE + most), ONE - most))
        for m in (None, *range(k, last + 1)):
            h = UNIT if m is None else (self._gammas(nu, m) + self.shift(nu, m).scaled(-1)).exp()
            low, high = (lead * h).interval()
            if not a <= low <= high <= b:
                raise Refuted(f"a and b are not confirmed for all k >= {k}")

    def shift(self, nu: Number, k: int) -> Ball:
        """log of r^k k^-(nu+sigma), of which the claim speaks."""
        return self.log_r.scaled(k) - ball(k).log() * ball(nu + self.sigma(nu))


def enclosure(laws: list[Law], k: int, shift: Ball) -> tuple[Fraction, Fraction] | None:
    """What all laws say about mu_k exp(-shift); None if none speaks of it."""
    values = [law.enclosure(k, shift) for law in laws if k > law.first]
    return (max(low for low, _ in values), min(high for _, high in values)) if values else None
