"""What a certificate claims, as numbers: terms, bounds, a law for each parity, and enclosures of every mu_k.

Everything here is computed from the decimals of the certificate alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple

from flint import acb, arb, ctx, fmpq
from sympy import Expr, oo

from asymptok.atlas.factors import curve_factor, slit_factor
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.laws.leading_exponentials import Frame
from asymptok.laws.numeric import term_balls
from asymptok.laws.point_terms import outer_slit, outer_term
from asymptok.precision import flint_precision
from asymptok.proofs.decimals import decimal, interval, number

#: (log power, (low, high)) of the terms at one exponent
Powers = tuple[tuple[int, tuple[str, str]], ...]
#: bits in which claims are evaluated, beside those of the degree
_BITS = 160
#: of the sum of two coefficients; those in our files have fewer
_DIGITS = 60


class Law(Enum):
    """What is proved about the eigenvalues of one parity."""

    #: a k^p (log k)^q <= mu_k <= b k^p (log k)^q for all k >= k0
    ALGEBRAIC = "algebraic"
    #: mu_k = 0 from some k on
    ZERO = "zero"
    #: a rho^-k k^p <= mu_k <= b rho^-k k^p for all k >= k0
    GEOMETRIC = "geometric"
    #: |mu_k| <= b k^p for all k >= k0: singular points inside
    OSCILLATING = "oscillating"
    #: |mu_k| is at most a bound that falls geometrically
    BOUNDED = "bounded"
    #: |mu_k| is at most the least over all ellipses of one bound: the kernel is entire
    ENTIRE = "entire"
    #: a F(k) <= mu_k <= b F(k) for all k >= k0, F(k) = Gamma(d/2)/(2^k Gamma(k+d/2)) frame(k): entire kernels
    EXPONENTIAL = "exponential"
    #: 0 <= mu_k <= b k^p for all k >= k0, by a derivative at u = 1 of a power series with coefficients >= 0
    SMOOTH = "smooth"
    #: 0 <= mu_k <= b k^p exp(-(3/2) (2 tau k)^(2/3)) for all k >= k0, by the coefficients of such a power series
    STRETCHED = "stretched"
    #: |mu_k| <= b k^p exp(-c k^g) for all k >= k0: flat at an end
    FLAT = "flat"
    #: mu_k is what a given formula says, and falls faster than every power of k
    GIVEN = "given"
    #: nothing for all k
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TermClaim:
    """The coefficient of t^exponent (log t)^log_power at the end `at` lies in [low, high]."""

    at: int
    exponent: Expr
    log_power: int
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class BoundClaim:
    """|Im R| <= plus x^beta, minus x^beta on the slits and (1/pi) int |R sin| <= curve on Im theta = height.

    R is kappa minus all terms with exponents below beta. Where kappa is analytic there are no terms, and beta is None.
    """

    beta: Expr | None
    plus: str
    minus: str
    curve: str
    height: fmpq


class Lead(NamedTuple):
    """The leading terms of a parity, t^nu (log t)^j with j <= logs: lower exponents and higher j cancel exactly."""

    nu: Expr
    logs: int = 0

    @property
    def log_power(self) -> int:
        """The power of log k that it brings: a whole nu >= 0 swallows one logarithm."""
        return self.logs - is_whole(self.nu)


@dataclass(frozen=True, slots=True)
class ParityClaim:
    """The law of all even or all odd k; `nu` is the exponent of its leading term.

    From `tail` on the law follows from `bounds[bound]` by monotony; for k0 <= k < tail from the enclosures one by one.
    """

    law: Law
    nu: Expr | None = None
    rate: Expr | None = None
    k0: int | None = None
    tail: int | None = None
    bound: int | None = None
    low: str | None = None
    high: str | None = None
    zero_from: int | None = None
    reason: str = ""
    #: q in k^p (log k)^q
    log_power: int = 0
    #: of the leading derivatives at 0
    frame: Frame | None = None
    #: the half width of a strip in which the activation is analytic
    tau: fmpq | None = None
    #: (c, g) in exp(-c k^g)
    stretch: tuple[str, Expr] | None = None

    @property
    def power(self) -> str:
        """k^p (log k)^q, or k^p exp(-(3/2) (2 tau k)^(2/3))."""
        logs = {0: "", 1: " log k"}.get(self.log_power, f" (log k)^{self.log_power}")
        stretch = "" if self.tau is None else f" exp(-3/2 ({2 * self.tau} k)^(2/3))"
        if self.stretch is not None:
            stretch = f" exp(-{self.stretch[0]} k^({self.stretch[1]}))"
        return f"k^({self.rate}){logs}{stretch}"

    @property
    def stretched(self) -> bool:
        """Whether there is an exponential beside k^p."""
        return self.tau is not None or self.stretch is not None

    @property
    def lead(self) -> Lead | None:
        """What the law follows from."""
        return None if self.nu is None else Lead(self.nu, self.log_power + is_whole(self.nu))


@dataclass(frozen=True, slots=True)
class Part:
    """What one bound says about mu_k: the sum of the terms, the leading one apart, and the error around it."""

    lead: arb
    later: arb
    size_of_later: arb
    error: arb

    @property
    def value(self) -> arb:
        return self.lead + self.later + arb(0, self.error.upper())


@dataclass(frozen=True)
class Claims:
    """Terms and bounds in one dimension."""

    d: int
    terms: tuple[TermClaim, ...]
    bounds: tuple[BoundClaim, ...]
    #: the terms are powers of b -+ u at this b > 1; None for those of 1 -+ u
    place: Expr | None = None

    def part(self, k: int, index: int, lead: Lead | None, *, sizes: bool = True) -> Part | None:
        """mu_k by one bound; what lies before the lead cancels exactly in the parity of k. None unless k > beta.

        Without `sizes` the size of the later terms is left out.
        """
        bound = self.bounds[index]
        height = arb(bound.height)
        error = number(bound.curve) * curve_factor(height, k, self.d)
        first = later = size = arb(0)
        if bound.beta is None and self.place is None:
            return Part(first, later, size, error)
        top = oo if bound.beta is None else bound.beta
        if any(not _ball(e) < k for e in ([t.exponent for t in self.terms] if bound.beta is None else [top])):
            return None
        slits = number(bound.plus) + number(bound.minus)
        if not slits.is_zero():
            assert bound.beta is not None
            error = error + slits * self._slit(k, _ball(bound.beta))
        for exponent, coefficients in _combined(self.terms, top, k % 2, lead):
            value = arb(0)
            laws = _term_laws(k, self.d, exponent, max(j for j, _ in coefficients), ctx.prec, self.place)
            for j, (low, high) in coefficients:
                value = value + interval(low, high) * laws[j]
            if lead is not None and exponent == lead.nu:
                first = value
            else:
                later = later + value
                if sizes:
                    ratio = _is_ratio(exponent, max(j for j, _ in coefficients))
                    size = size + (abs(value) if ratio else self._size(k, exponent, coefficients, lead))
        return Part(first, later, size, error)

    def leading(self, parity: int, lead: Lead) -> dict[int, arb]:
        """The coefficients of t^nu (log t)^j in this parity, by j."""
        found = dict(_combined(self.terms, oo, parity, lead)).get(lead.nu, ())
        return {j: interval(low, high) for j, (low, high) in found}

    def size_of_lead(self, k: int, lead: Lead) -> arb:
        """A bound of the leading terms that falls at least as fast as `slowest` says: with a logarithm they themselves
        may vanish at k and be large later on."""
        found = dict(_combined(self.terms, oo, k % 2, lead)).get(lead.nu, ())
        highest = max((j for j, _ in found), default=0)
        if not _is_ratio(lead.nu, highest):
            return self._size(k, lead.nu, found, None)
        laws = _term_laws(k, self.d, lead.nu, highest, ctx.prec, self.place)
        return abs(sum((interval(low, high) * laws[j] for j, (low, high) in found), arb(0)))

    def slowest(self, exponent: Expr) -> arb:
        """Whatever is bounded for the terms at this exponent falls at least as fast as T(e, k) with this e."""
        highest = max(t.log_power for t in self.terms if t.exponent == exponent)
        e = _ball(exponent)
        return e if _is_ratio(exponent, highest) else e - _room(e + 1)

    def _size(self, k: int, exponent: Expr, coefficients: Powers, lead: Lead | None) -> arb:
        """A bound of |sum_j c_j mu_k(t^e (log t)^j)| whose ratio to the lead decreases in k: no digamma values in it.

        mu_k(t^e (log t)^j) is the j-th derivative of -sin(pi e) T(e, k), |d^m T/de^m| <= (1/pi) int x^e |log x|^m q_k,
        and |log x|^m <= (m/(a exp(1)))^m (x^-a + x^a).
        """
        e = _ball(exponent)
        apart = e + 1 if lead is None else e - _ball(lead.nu)
        a = _room(apart)
        if not (a > 0 and e - a > -1 and e + a < k):
            return arb.pos_inf()
        around = slit_factor(e - a, k, self.d) + slit_factor(e + a, k, self.d)
        total = arb(0)
        for j, (low, high) in coefficients:
            weight = arb(0)
            for m in range(j + 1):
                factor = (m / (a * arb.const_e())) ** m if m else arb(1)
                weight += comb(j, m) * arb.pi() ** (j - m) * factor
            total += abs(interval(low, high)) * weight * around
        return total

    def scaled(self, value: arb, k: int) -> arb:
        """rho^k mu_k for terms at b, and mu_k for terms at the ends."""
        if self.place is None:
            return value
        z = _ball(self.place)
        return value * (z + ((z - 1) * (z + 1)).sqrt()) ** k

    def _slit(self, k: int, beta: arb) -> arb:
        if self.place is None:
            return slit_factor(beta, k, self.d)
        return outer_slit(k, self.d, _ball(self.place), beta)

    def sharpest(self, k: int, lead: Lead | None) -> int:
        """The bound that says the most about mu_k."""
        best, least = len(self.bounds) - 1, None
        for index in range(len(self.bounds)):
            part = self.part(k, index, lead, sizes=False)
            if part is None:
                continue
            width = part.value.rad()
            if least is None or width < least:
                best, least = index, width
        return best

    def enclosure(self, k: int, lead: Lead | None, among: Iterable[int] | None = None) -> arb | None:
        """mu_k as the common part of what all bounds say, or those `among` them; None if none applies."""
        best = None
        with flint_precision(_BITS + 2 * k.bit_length()):
            for index in range(len(self.bounds)) if among is None else among:
                part = self.part(k, index, lead, sizes=False)
                if part is None or not part.value.is_finite():
                    continue
                if best is not None and not best.overlaps(part.value):
                    raise AsymptokError(
                        f"the bounds contradict each other at k = {k}: the certificate is false"
                    )
                best = part.value if best is None else best.intersection(part.value)
        return best


def _ball(number: Expr) -> arb:
    """A ball around an exponent or a place, of which there are few."""
    return _ball_at(number, ctx.prec)


@lru_cache(maxsize=1024)
def _ball_at(number: Expr, prec: int) -> arb:
    """`prec` is the current precision, named for the cache."""
    return ball(number)


def is_whole(nu: Expr) -> bool:
    """Whether t^nu is a power that leaves nothing in mu_k without its logarithm."""
    return bool(nu.is_Integer and nu >= 0)


def _room(apart: arb) -> arb:
    """The a with which |log x| is at most a multiple of x^-a + x^a."""
    return arb.min(apart / 2, arb(fmpq(1, 4)))


def _is_ratio(exponent: Expr, highest: int) -> bool:
    """Whether mu_k of terms with logarithms up to that power is a constant times Gamma(k-e)/Gamma(k+e+d-1)."""
    return highest <= is_whole(exponent)


@lru_cache(maxsize=4096)
def _term_laws(
    k: int, d: int, exponent: Expr, highest: int, prec: int, place: Expr | None = None
) -> list[arb]:
    """mu_k of t^exponent (log t)^j, j = 0 .. highest; `prec` is the current precision, named for the cache."""
    if place is not None:
        # (b-u)^n itself, n = 0, 1, ..., leaves nothing; it is asked for beside its logarithm
        skipped = is_whole(exponent)
        z, nu = acb(_ball(place)), _ball(exponent)
        return [arb(0) if skipped and j == 0 else outer_term(k, d, z, nu, j).real for j in range(highest + 1)]
    return term_balls(k, d, _ball(exponent), highest)


@lru_cache(maxsize=512)
def _combined(
    terms: tuple[TermClaim, ...], beta: Expr, parity: int, lead: Lead | None
) -> tuple[tuple[Expr, Powers], ...]:
    """exponent -> ((log power, interval of c_1 + (-1)^k c_-1), ...) from the lead up to beta."""
    sums: dict[Expr, dict[int, list[TermClaim]]] = {}
    for term in terms:
        here = lead is not None and term.exponent == lead.nu
        if lead is not None and (term.log_power > lead.logs if here else term.exponent < lead.nu):
            continue
        if term.exponent < beta:
            sums.setdefault(term.exponent, {}).setdefault(term.log_power, []).append(term)
    return tuple(
        (exponent, tuple((j, _sum(group, parity)) for j, group in powers.items()))
        for exponent, powers in sums.items()
    )


def _sum(group: list[TermClaim], parity: int) -> tuple[str, str]:
    """The sum of the intervals, exactly unless the numbers in a file have more digits than decimals of ours."""
    low = high = Fraction(0)
    for term in group:
        a, b = Fraction(term.low), Fraction(term.high)
        a, b = (a, b) if term.at == 1 or parity == 0 else (-b, -a)
        low, high = low + a, high + b
    return decimal(low, _DIGITS, up=False), decimal(high, _DIGITS, up=True)
