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

    kind, rho = "algebraic", Ball(ONE)

    def __init__(self, contour: Contour, bound: Bound, d: int, parity: int) -> None:
        self.bound, self.d, self.height, self.first = bound, d, bound.height, bound.beta
        self.constant = _log(2).scaled(d - 2) + _log_gamma(Fraction(d, 2)) - PI.log().scaled(Fraction(3, 2))
        self.terms: dict[Number, Ball] = {}
        here, there = (contour.terms(end, bound.beta) for end in (0, 1))
        for e, j in {**here, **there}:
            if j > 1 or (j and not (whole(e) and e >= 0)):
                raise Unsupported("the law of a term t^nu (log t)^j other than t^n log t")
            total = added(here.get((e, j), 0), multiplied(there.get((e, j), 0), 1 - 2 * parity))
            if total != 0:  # exactly, that is
                self.terms[e] = enclosed(total).real() * self.factor(e, j)

    def rate(self, nu: Number) -> Number:
        return 1 - self.d - 2 * nu

    def factor(self, e: Number, j: int) -> Ball:
        """-sin(pi nu) for t^nu, and its derivative -pi (-1)^n for t^n log t."""
        return (on_slit(e + HALF, 0, Ball(0)) * PI if j else on_slit(e, 0, Ball(0))).scaled(-1)

    def slit(self, beta: Number, k: int) -> Ball:
        """log of the integral of x^beta q_k/pi over the slit."""
        return self.log_t(beta, k)

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
        if not k > self.first:
            raise Refuted(f"a bound says nothing about k = {k}")
        terms = {e: c * (self.log_t(e, k) - shift).exp() for e, c in self.terms.items()}
        error = ball(self.bound.curve) * (self.log_curve(k) - shift).exp()
        if any(self.bound.slit):
            error = error + ball(sum(self.bound.slit)) * (self.slit(self.bound.beta, k) - shift).exp()
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


class Outer(Law):
    """For terms (b -+ u)^nu, b > 1: with r = b - sqrt(b^2-1) = 1/rho

    T(nu, k) = Gamma(d/2) (2r)^-nu (1-r^2)^(nu+d/2-1) r^k Gamma(k-nu)/Gamma(k+d/2) F_k,
    F_k = 2F1(nu+d/2, 1-nu-d/2; k+d/2; -r^2/(1-r^2)),

    with the factors 1/Gamma(-nu) for (b-u)^nu, (-1)^(n+1) n! for (b-u)^n log(b-u), and Gamma(1+beta)/pi on the slit.
    """

    kind = "geometric"

    def __init__(self, contour: Contour, bound: Bound, d: int, parity: int) -> None:
        self.b = b = ball(contour.scale)
        self.r = b - ((b * b - Ball(ONE)).log().scaled(HALF)).exp()
        self.rho = self.r.inverse()
        super().__init__(contour, bound, d, parity)
        if not any(bound.slit) and not bound.curve:  # the terms at an end are all of the kernel
            self.first = max(e for end in contour.ends if not end.rest for e, _ in end.terms)
        self.constant = _log_gamma(Fraction(d, 2)) + self._log_rest().scaled(Fraction(d, 2) - 1)

    def rate(self, nu: Number) -> Number:
        return -nu - Fraction(self.d, 2)

    def _log_rest(self) -> Ball:
        return (Ball(ONE) - self.r * self.r).log()

    def factor(self, e: Number, j: int) -> Ball:
        scale = (self.b.log() * ball(-e)).exp()  # t = 1 -+ u/b
        if e < 0:
            return scale * _log_gamma(-e).scaled(-1).exp()
        gamma = _log_gamma(e + 1).exp() * scale
        return (
            gamma.scaled(-1 if whole(e * HALF) else 1) if j else gamma * Law.factor(self, e, 0) * PI.inverse()
        )

    def slit(self, beta: Number, k: int) -> Ball:
        return self.log_t(beta, k) + _log_gamma(beta + 1) - PI.log()

    def log_t(self, nu: Number, k: int | None) -> Ball:
        out = self.constant + (self._log_rest() - self.r.scaled(2).log()) * ball(nu)
        return (
            out
            if k is None
            else out + self.r.log().scaled(k) + self._gammas(nu, k) + self._series(nu, k)[0].log()
        )

    def _gammas(self, nu: Number, k: int) -> Ball:
        return _log_gamma(k - nu) - _log_gamma(k + Fraction(self.d, 2))

    def _series(self, nu: Number, k: int) -> tuple[Ball, int]:
        """F_k, and a bound of |F_m - 1| for all m >= k, in units: all terms decrease in k, and if nu+d/2+J > 0 and
        1-nu-d/2+J > 0, the rest from the J-th term on is at most that term."""
        s, c = nu + Fraction(self.d, 2), k + Fraction(self.d, 2)
        x, term, total, spread = (
            self.r * self.r * (self._log_rest().scaled(-1)).exp(),
            Ball(ONE),
            Ball(0),
            -ONE,
        )
        if not c > 1 - s:
            raise Refuted(f"a law says nothing about k = {k}")
        for j in range(300):
            if s + j > 0 and 1 - s + j > 0 and j and term.mag() < ONE >> 80:
                break
            total, spread = total + term, spread + term.mag()
            term = (term * x * ball(-(s + j) * (1 - s + j))).scaled(1 / Fraction((c + j) * (j + 1)))
        else:
            raise Refuted(f"the series of a term is too long at k = {k}")
        return total.widened(term.mag()), spread + term.mag()

    def verify_all(self, nu: Number, k: int, a: Fraction, b: Fraction) -> None:
        """a <= mu_m rho^m m^s <= b, s = nu + d/2, for all m >= k: F_m is 1 up to its spread, quotients of terms fall
        like Gamma(m-nu')/Gamma(m-nu), that of the curve once rho e^-h max(1, (m+1)/(m-nu)) <= 1, and with
        N = m + (d/2-nu-1)/2 both N^s Gamma(m-nu)/Gamma(m+d/2) and (m/N)^s tend to 1 monotonously."""
        if nu not in self.terms or not all(e > nu for e in self.terms if e != nu) or not k > nu:
            raise Refuted("the leading exponent is not proved to be the claimed one")
        half, gammas = Fraction(self.d, 2), self._gammas(nu, k)
        terms, error = self._parts(k, self.r.log().scaled(k) + gammas)
        spread = {
            e: self._series(e, k)[1] for e in [*terms, *([self.bound.beta] if any(self.bound.slit) else [])]
        }
        growth = (
            max(Fraction(1), (k + 1) / ball(k - nu).interval()[0]) * ball(-self.height).exp().interval()[1]
        )
        if growth * self.rho.interval()[1] > 1 or max(spread.values()) > ONE >> 1:
            raise Refuted(f"no law is confirmed for all k >= {k}")
        rest = sum(value.mag() for e, value in terms.items() if e != nu) + error.mag()
        rest = up(rest * (ONE + max(spread.values())), ONE - max(spread.values()))
        lead = (self.terms[nu] * self.log_t(nu, None).exp() * Ball(ONE, 0, spread[nu])).widened(rest)
        middle, s = ball(k + (half - nu - 1) * HALF).log(), ball(nu + half)
        for f in (Ball(ONE), (middle * s + gammas).exp()):
            for g in (Ball(ONE), ((_log(k) - middle) * s).exp()):
                low, high = (lead * f * g).interval()
                if not a <= low <= high <= b:
                    raise Refuted(f"a rho^-k k^p <= mu_k <= b rho^-k k^p is not confirmed for all k >= {k}")


def enclosure(laws: list[Law], k: int, shift: Ball) -> tuple[Fraction, Fraction] | None:
    """What all laws say about mu_k exp(-shift); None if none speaks of it."""
    values = [law.enclosure(k, shift) for law in laws if k > law.first]
    return (max(low for low, _ in values), min(high for _, high in values)) if values else None
