"""What a certificate claims, as numbers: terms, bounds, a law for each parity, and enclosures of every mu_k.

Everything here is computed from the decimals of the certificate alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, ctx, fmpq
from sympy import Expr

from asymptok.balls import ball
from asymptok.laws.numeric import term_balls
from asymptok.precision import flint_precision
from asymptok.proofs.decimals import interval, number
from asymptok.spectrum.contour.factors import curve_factor, slit_factor

#: bits in which claims are evaluated, beside those of the degree
_BITS = 160


class Law(Enum):
    """What is proved about the eigenvalues of one parity."""

    #: a k^p <= mu_k <= b k^p for all k >= k0
    ALGEBRAIC = "algebraic"
    #: mu_k = 0 from some k on
    ZERO = "zero"
    #: |mu_k| is at most a bound that falls geometrically
    BOUNDED = "bounded"
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


@dataclass(frozen=True, slots=True)
class Part:
    """What one bound says about mu_k: the sum of the terms, the leading one apart, and the error around it."""

    lead: Any
    later: Any
    size_of_later: Any
    error: Any

    @property
    def value(self) -> Any:
        return self.lead + self.later + arb(0, self.error.upper())


@dataclass(frozen=True)
class Claims:
    """Terms and bounds in one dimension."""

    d: int
    terms: tuple[TermClaim, ...]
    bounds: tuple[BoundClaim, ...]

    def part(self, k: int, index: int, nu: Expr | None) -> Part | None:
        """mu_k by one bound; terms with exponents below nu cancel exactly in the parity of k. None unless k > beta."""
        bound = self.bounds[index]
        height = arb(bound.height)
        error = number(bound.curve) * curve_factor(height, k, self.d)
        lead = later = size = arb(0)
        if bound.beta is None:
            return Part(lead, later, size, error)
        if not ball(bound.beta) < k:
            return None
        slits = number(bound.plus) + number(bound.minus)
        if not slits.is_zero():
            error = error + slits * slit_factor(ball(bound.beta), k, self.d)
        for exponent, coefficients in _combined(self.terms, bound.beta, k % 2, nu):
            value = arb(0)
            laws = _term_laws(k, self.d, exponent, max(j for j, _ in coefficients), ctx.prec)
            for j, (low, high) in coefficients:
                value = value + interval(low, high) * laws[j]
            if exponent == nu:
                lead = value
            else:
                later, size = later + value, size + abs(value)
        return Part(lead, later, size, error)

    def enclosure(self, k: int, nu: Expr | None) -> Any:
        """mu_k as the common part of what all bounds say; None if none applies."""
        best = None
        with flint_precision(_BITS + 2 * k.bit_length()):
            for index in range(len(self.bounds)):
                part = self.part(k, index, nu)
                if part is None or not part.value.is_finite():
                    continue
                best = part.value if best is None else best.intersection(part.value)
        return best


@lru_cache(maxsize=4096)
def _term_laws(k: int, d: int, exponent: Expr, highest: int, prec: int) -> list[Any]:
    """mu_k of t^exponent (log t)^j, j = 0 .. highest; `prec` is the current precision, named for the cache."""
    return term_balls(k, d, ball(exponent), highest)


@lru_cache(maxsize=512)
def _combined(
    terms: tuple[TermClaim, ...], beta: Expr, parity: int, nu: Expr | None
) -> tuple[tuple[Expr, tuple[tuple[int, tuple[str, str]], ...]], ...]:
    """exponent -> ((log power, interval of c_1 + (-1)^k c_-1), ...) for the exponents from nu up to beta."""
    sums: dict[Expr, dict[int, list[TermClaim]]] = {}
    for term in terms:
        if term.exponent < beta and (nu is None or term.exponent >= nu):
            sums.setdefault(term.exponent, {}).setdefault(term.log_power, []).append(term)
    return tuple(
        (exponent, tuple((j, _sum(group, parity)) for j, group in powers.items()))
        for exponent, powers in sums.items()
    )


def _sum(group: list[TermClaim], parity: int) -> tuple[str, str]:
    """The decimals are exact numbers, and so is their sum."""
    low = high = Fraction(0)
    for term in group:
        a, b = Fraction(term.low), Fraction(term.high)
        a, b = (a, b) if term.at == 1 or parity == 0 else (-b, -a)
        low, high = low + a, high + b
    return str(low), str(high)
