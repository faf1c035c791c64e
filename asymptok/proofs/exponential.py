r"""Entire kernels whose derivatives at 0 are known: a F(k) <= mu_k <= b F(k) for all k, each mu_k to many digits.

mu_k = Gamma(d/2)/(2^k Gamma(k+d/2)) sum_m kappa^(k+2m)(0)/(4^m m! (k+d/2) ... (k+d/2+m-1)), and for the n >= K of one
parity kappa^(n)(0) = c f(n) (1 + r_n), |r_n| <= r < 1, with the frame f (`laws.leading_exponentials`). With
F(k) = Gamma(d/2)/(2^k Gamma(k+d/2)) f(k) the first summand and the sum of all bound mu_k:

    |c| (1-r) F(k) <= |mu_k| <= |c| (1+r) s F(k)   for all k >= K,

s the value at k = K of sum_m f(k+2m)/f(k)/(4^m m! (k+d/2) ... (k+d/2+m-1)), or of a bound of it that decreases in k.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq
from sympy import Expr

from asymptok.balls import ball
from asymptok.laws.exponential_sums import ExponentialSum, exponential_sum
from asymptok.laws.leading_exponentials import ParityPart, leading_part
from asymptok.precision import flint_precision
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.decimals import down, number, up

__all__ = [
    "ExponentialTail",
    "exponential_law",
    "exponential_tail",
    "exponential_value",
    "is_exponential_law",
    "ratio_of_tails",
    "step_of",
]

#: degrees at which the tail may begin
_LADDER = (4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
_LARGEST_REST = fmpq(1, 2)
#: relative room in a and b
_ROOM = fmpq(1, 5000)
_BITS = 160
#: of the degrees at which a tail is rechecked
_LATEST = 4096


@dataclass(frozen=True, slots=True)
class ExponentialTail:
    """low F(k) <= mu_k <= high F(k) for all k >= start of its parity."""

    part: ParityPart
    start: int
    low: arb
    high: arb


def exponential_tail(found: ExponentialSum, k: int, d: int) -> ExponentialTail | None:
    """The tail from k on; None where the lead is not shown to prevail."""
    part = leading_part(found, k % 2)
    if part is None:
        return None
    rest = part.rest(k)
    if rest is None or not rest < arb(_LARGEST_REST):
        return None
    c = ball(part.constant)
    sizes = (
        (abs(c) * (1 - rest) * part.at_least(k, d)).lower(),
        (abs(c) * (1 + rest) * part.later(k, d)).upper(),
    )
    low, high = sizes if c > 0 else (-sizes[1], -sizes[0])
    return ExponentialTail(part, k, low, high)


def ratio_of_tails(first: ExponentialTail, second: ExponentialTail) -> tuple[arb, arb] | None:
    """Bounds of mu_k/mu'_k, both positive, for all k from the common start on; None if they do not follow."""
    if not (first.low > 0 and second.low > 0):
        return None
    mine, other = first.part.lead, second.part.lead
    if mine == other:
        return (first.low / second.high).lower(), (first.high / second.low).upper()
    if not mine.falls_behind(other, first.start):
        return None
    return arb(0), (first.high / second.low * mine.over(other, first.start)).upper()


def step_of(tail: ExponentialTail, d: int) -> arb:
    """F(k+2) <= step F(k) for all k from the start on."""
    return tail.part.lead.step(tail.start, arb(fmpq(d, 2)))


def exponential_value(expr: Expr, k: int, d: int) -> arb | None:
    """mu_k by the series, at the precision in force; None if the kernel is not of this kind."""
    found = exponential_sum(expr)
    value = None if found is None else found.eigenvalue(k, d)
    return value if value is not None and value.is_finite() else None


def exponential_law(expr: Expr, parity: int, d: int, goal: fmpq) -> ParityClaim | None:
    """The law of one parity: the tail, and below it the degrees that hardly widen it; None without one."""
    found = exponential_sum(expr)
    if found is None:
        return None
    with flint_precision(_BITS):
        best = None
        for step in _LADDER:
            tail = exponential_tail(found, step + parity, d)
            best = best if tail is None else tail
            if tail is not None and (tail.high - tail.low) < 2 * arb(goal) * abs(tail.low):
                break
        if best is None:
            return None
        low, high, k0, part = best.low, best.high, best.start, best.part
        least, most = (low, high) if low > 0 else (-high, -low)
        for k in range(best.start - 2, max(part.lead.power, part.degree, 0), -2):
            ratio = found.eigenvalue(k, d) / part.scale(k, d)
            size = ratio if best.low > 0 else -ratio
            if not (2 * size > least and size < 2 * most):
                break
            low, high, k0 = arb.min(low, ratio.lower()), arb.max(high, ratio.upper()), k
        room = arb(_ROOM)
        low, high = low - room * abs(low), high + room * abs(high)
        return ParityClaim(
            Law.EXPONENTIAL, k0=k0, tail=best.start, low=down(low, 12), high=up(high, 12), frame=part.lead
        )


def is_exponential_law(expr: Expr, claim: ParityClaim, parity: int, d: int, bits: int) -> bool:
    """Whether the law holds: from its tail on by monotony, and one by one from k0 to there."""
    found = exponential_sum(expr)
    if found is None or claim.k0 is None or claim.tail is None or claim.low is None or claim.high is None:
        return False
    if claim.tail % 2 != parity or not 0 <= claim.k0 <= claim.tail <= _LATEST:
        return False
    with flint_precision(bits):
        low, high = number(claim.low), number(claim.high)
        tail = exponential_tail(found, claim.tail, d)
        if tail is None or tail.part.lead != claim.frame or not (low <= tail.low and tail.high <= high):
            return False
        for k in range(claim.k0, claim.tail):
            if k % 2 == parity:
                if k <= tail.part.lead.power:
                    return False
                ratio = found.eigenvalue(k, d) / tail.part.scale(k, d)
                if not (low <= ratio.lower() and ratio.upper() <= high):
                    return False
    return True
