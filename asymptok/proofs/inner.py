"""Kernels with singular points inside (-1, 1): one law for all k from their exact terms and what these leave.

For the terms of one point and exponent, sums of (+-(u-u_0))_+^nu log^j,
    |mu_k| <= Gamma(k-nu)/Gamma(k+d/2) p(log k)  for all k >= K,  p a polynomial (`laws.inner_sizes`).
What the terms of a point leave has a bound W A_k (k+1)^(-beta-1), times powers of log k, and one that
falls geometrically (`atlas.inside`); the kernel without all of them has a contour of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from flint import arb, ctx, fmpq
from sympy import Expr, Rational, S

from asymptok.atlas.factors import curve_factor, gamma_ratio
from asymptok.atlas.local import Unproved
from asymptok.atlas.waves import (
    InnerRest,
    InnerTerm,
    inner_sum,
    least_degree,
    rest_bound,
    wave_factor,
    wave_integral,
)
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.laws.inner_sizes import inner_logs, inner_size
from asymptok.laws.terms import find_lead
from asymptok.precision import flint_precision
from asymptok.proofs.claims import Claims, Law, Lead, ParityClaim
from asymptok.proofs.decimals import down, interval, number, up
from asymptok.proofs.tails import LADDER, Tail, exact_law, tail_at

_BITS = 160
#: degrees at which an oscillating law may begin to follow from its bound
_LADDER = (8, 10, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
#: how much larger than farther out the constant may be
_LOOSE = fmpq(1, 4)
_ROOM = fmpq(1, 5000)
#: of the expansions at the ends that are asked for their leading term
_ORDER = 4
#: share of the terms at the ends that the points inside may have
_SHARE = fmpq(1, 4)


@dataclass(frozen=True, slots=True)
class RestClaim:
    """The numbers of an `InnerRest`, written down."""

    location: Expr
    nu: Expr
    count: int
    size: str
    height: fmpq
    log_power: int = 0

    @staticmethod
    def of(rest: InnerRest, slack: fmpq) -> RestClaim:
        if not rest.size.is_finite():
            raise Unproved(f"the bound of what is left at u = {rest.location} is not finite")
        size = up(rest.size * (1 + arb(slack)), 6)
        return RestClaim(rest.location, rest.nu, rest.count, size, rest.height, rest.log_power)

    def numbers(self) -> InnerRest:
        """The bound with balls in it."""
        size = number(self.size)
        return InnerRest(self.location, self.nu, self.count, size, self.height, self.log_power)


@dataclass(frozen=True, slots=True)
class Points:
    """All that is claimed about the points inside."""

    terms: tuple[InnerTerm, ...]
    rests: tuple[RestClaim, ...]

    @property
    def leading(self) -> tuple[Expr, int]:
        """The least exponent and the power of log k in front of k^(-nu-d/2).

        Terms of both sides that add up to a power (u-p)^n leave nothing: |x|^|x| = 1 + |x| log|x| + ... has 1 as such.
        """
        logs = [(e, inner_logs(e, powers)) for (_, e), powers in self.groups.items()]
        left = [(e, q) for e, q in logs if q >= 0]
        if not left:
            raise Unproved("all terms known at the points inside leave nothing")
        nu = min(e for e, _ in left)
        return nu, max(q for e, q in left if e == nu)

    @property
    def nu(self) -> Expr:
        """The least exponent."""
        return self.leading[0]

    def enclosure(self, k: int, d: int) -> arb | None:
        """What they add to mu_k; None where the laws do not speak of it."""
        if k < least_degree(self.terms):
            return None
        error = sum((rest_bound(rest.numbers(), k, d) for rest in self.rests), arb(0))
        total: arb = inner_sum(self.terms, k, d) + arb(0, error.upper())
        return total

    @property
    def groups(self) -> dict[tuple[Expr, Expr], dict[int, tuple[Expr, Expr]]]:
        """The terms of each point and exponent: power of the logarithm -> coefficients on the left and on the right."""
        found: dict[tuple[Expr, Expr], dict[int, tuple[Expr, Expr]]] = {}
        for t in self.terms:
            powers = found.setdefault((t.location, t.exponent), {})
            left, right = powers.get(t.log_power, (S.Zero, S.Zero))
            side = (left + t.coefficient, right) if t.side == -1 else (left, right + t.coefficient)
            powers[t.log_power] = side
        return found

    @property
    def log_power(self) -> int:
        """The power of log k in front of k^(-nu-d/2)."""
        return self.leading[1]

    def bound_at(self, k: int, d: int) -> arb | None:
        """As `_bound_at`, which is asked once for every bound of the rest."""
        return _bound_at(self, k, d, ctx.prec)

    def _bound_at(self, k: int, d: int) -> arb | None:
        """sup |mu_j| j^(nu+d/2) (log j)^-q over all j >= k of what they add; None if it is not to be had from k on."""
        half, nu, q, total = arb(fmpq(d, 2)), ball(self.nu), self.log_power, arb(0)
        log = arb(k).log()
        for (location, exponent), powers in self.groups.items():
            size = inner_size(k, d, location, exponent, powers)
            if size is None:
                return None
            e = ball(exponent)
            for i in range(len(size)):
                # j^(nu-e) (log j)^(i-q) falls from k on
                if i > q and not (i - q) < (e - nu) * log:
                    return None
                power = supremum(k, e, half) * arb(k) ** (nu - e)
                total = total + size[i] * power * log ** (i - q)
        for claim in self.rests:
            rest = claim.numbers()
            # j^(nu+1) (j+1)^(-beta-1) <= j^(nu-beta), which falls, beside j^(d/2-1) A_j and powers of log j
            if not rest.log_power < (ball(rest.beta) - nu) * log:
                return None
            factor = 2 * half.gamma() * supremum(k, arb(-1), half) * wave_integral(rest, k) / log**q
            total = total + wave_factor(rest, d) * factor * arb(k) ** (nu - ball(rest.beta))
        return total.upper()


@lru_cache(maxsize=256)
def _bound_at(points: Points, k: int, d: int, prec: int) -> arb | None:
    """`prec` is the current precision, named for the cache."""
    return points._bound_at(k, d)


def end_lead(kernel: Kernel, parity: int, d: int) -> Lead | None:
    """The exact leading terms of the ends, before which everything cancels in the parity; None if that is not known."""
    try:
        law = exact_law(kernel, parity).at(d)
        # the law of the points inside has forgotten the ends
        lead = law.lead or find_lead(kernel, _ORDER, -1 if parity else 1)
    except AsymptokError:
        return None
    return None if lead is None else Lead(lead.nu, lead.log_power)


def law_with_points(points: Points, claims: Claims, parity: int, end: Lead | None) -> ParityClaim:
    """The law of one parity: of the points inside, or of the ends (leading terms `end`) where these are stronger.

    Where the ends prevail too late |mu_k| <= b k^p with their p is all that is said.
    """
    s = points.nu + Rational(claims.d, 2)
    found = oscillating_law(points, claims, parity, s, points.log_power, end)
    if found.law is Law.UNKNOWN and end is not None and end.nu.is_finite:
        found = _ends_prevail(points, claims, parity, end)
        slower = 2 * end.nu + (claims.d - 1)
        if found.law is Law.UNKNOWN and slower < s:
            found = oscillating_law(points, claims, parity, slower, end.log_power, end)
    return found


def lowered(claim: ParityClaim, small: Mapping[int, tuple[str, str]]) -> ParityClaim:
    """The claim with the least k0 down to which the listed intervals show it, one by one."""
    if claim.k0 is None or claim.law not in (Law.OSCILLATING, Law.ALGEBRAIC):
        return claim
    k = claim.k0
    with flint_precision(_BITS):
        while k > 2 and k - 2 in small and obeys(claim, k - 2, interval(*small[k - 2])):
            k -= 2
    return replace(claim, k0=k)


def obeys(claim: ParityClaim, k: int, value: arb) -> bool:
    """Whether a k^p (log k)^q <= mu_k <= b k^p (log k)^q by an enclosure of mu_k."""
    if claim.low is None or claim.high is None or claim.rate is None:
        return False
    scale = arb(k) ** ball(claim.rate) * arb(k).log() ** claim.log_power
    return bool(number(claim.low) * scale <= value) and bool(value <= number(claim.high) * scale)


def _ends_prevail(points: Points, claims: Claims, parity: int, end: Lead) -> ParityClaim:
    """The law of the ends, a k^p (log k)^q <= mu_k <= b k^p (log k)^q, where the points inside are smaller."""
    rate, q = 1 - claims.d - 2 * end.nu, end.log_power
    with flint_precision(_BITS):
        for step in LADDER:
            k = step + (step - parity) % 2
            for index in range(len(claims.bounds)):
                tail = tail_beside(points, claims, k, index, end)
                if tail is not None:
                    low, high = tail.low * (1 - arb(_ROOM)), tail.high * (1 + arb(_ROOM))
                    a, b = (low, high) if tail.positive else (-high, -low)
                    numbers = (k, k, index, down(a, 12), up(b, 12))
                    return ParityClaim(Law.ALGEBRAIC, end.nu, rate, *numbers, log_power=q)
    reason = "neither the ends nor the points inside prevail"
    return ParityClaim(Law.UNKNOWN, nu=end.nu, rate=rate, reason=reason, log_power=q)


def tail_beside(points: Points, claims: Claims, k: int, index: int, end: Lead) -> Tail | None:
    """The tail of the ends with the points inside as a part of its rest; None if these are too strong.

    For j >= k they add at most B j^(-s) (log j)^q <= B k^(-p-s) (log k)^(q-r) j^p (log j)^r, since s > -p.
    """
    order, s = 2 * ball(end.nu) + (claims.d - 1), ball(points.nu) + arb(fmpq(claims.d, 2))
    tail = tail_at(claims, k, index, end)
    if tail is None or not order < s or k < least_degree(points.terms):
        return None
    size = points.bound_at(k, claims.d)
    # (log j)^(q-r) j^(-p-s) falls from k on
    gap = points.log_power - end.log_power
    if gap > 0 and not gap < (s - order) * arb(k).log():
        return None
    extra = None if size is None else size * arb(k) ** (order - s) * arb(k).log() ** gap
    if extra is None or not extra < arb(_SHARE) * tail.low:
        return None
    # tail.low is not more than the lead times 1 - rest
    rest = tail.rest + extra * (1 - tail.rest) / tail.low
    low, high = (tail.low - extra).lower(), (tail.high + extra).upper()
    return replace(tail, low=low, high=high, rest=rest.upper())


def oscillating_law(
    points: Points, claims: Claims, parity: int, s: Expr, q: int, end: Lead | None
) -> ParityClaim:
    """|mu_k| <= b k^-s (log k)^q for all k >= k0 of the parity; unknown where the ends or the points are stronger.

    k0 is the first degree of the ladder at which b is not much larger than farther out.
    """
    best: tuple[arb, int, int] | None = None
    with flint_precision(_BITS):
        for step in reversed(_LADDER):
            k = step + (step - parity) % 2
            sizes = [(bound_at(points, claims, k, i, s, q, end), i) for i in range(len(claims.bounds))]
            known = [(size, i) for size, i in sizes if size is not None]
            size, index = min(known, key=lambda entry: float(entry[0]), default=(None, 0))
            if best is not None and (size is None or size > (1 + arb(_LOOSE)) * best[0]):
                break
            if size is not None:
                best = (size, k, index) if best is None or size < best[0] else (best[0], k, index)
                chosen = (size, k, index)
        if best is None:
            reason = "the points inside are not seen to prevail"
            return ParityClaim(Law.UNKNOWN, nu=points.nu, rate=-s, reason=reason)
        size, k, index = chosen
        b = up(size * (1 + arb(_ROOM)), 12)
    return ParityClaim(Law.OSCILLATING, points.nu, -s, k, k, index, f"-{b}", b, log_power=q)


def bound_at(
    points: Points, claims: Claims, k: int, index: int, s: Expr, q: int, end: Lead | None
) -> arb | None:
    """sup |mu_j| j^s (log j)^-q over all j >= k by one bound of the rest; None if it is not to be had from k on.

    Before the leading terms `end` of the ends everything cancels in the parity of k.
    """
    if q < 0 or k < least_degree(points.terms):
        return None  # (log j)^-q grows, and a value at k bounds nothing
    order, log, gap = ball(points.nu) + arb(fmpq(claims.d, 2)), arb(k).log(), points.log_power - q
    size, same = points.bound_at(k, claims.d), s == points.nu + Rational(claims.d, 2)
    # j^(s-order) (log j)^gap falls from k on
    falls = gap <= 0 if same else bool(ball(s) < order) and bool(gap < (order - ball(s)) * log)
    if size is None or not falls:
        return None
    rest = _rest(claims, k, s, index, end)
    if rest is None:
        return None
    return (size * arb(k) ** (0 if same else ball(s) - order) * log**gap + rest / log**q).upper()


def supremum(k: int, nu: arb, half: arb) -> arb:
    """sup j^s Gamma(j-nu)/Gamma(j+d/2), s = nu + d/2, over j >= k: two factors that tend to 1 monotonously."""
    s, middle = nu + half, arb(k) + (half - nu - 1) / 2
    gammas = middle**s * ((k - nu).lgamma() - (k + half).lgamma()).exp()
    return arb.max(gammas, arb(1)) * arb.max((k / middle) ** s, arb(1))


def _rest(claims: Claims, k: int, s: Expr, index: int, end: Lead | None) -> arb | None:
    """A bound of sup j^s |mu_j(rest)| over j >= k; None where a term of an end falls more slowly than j^-s."""
    bound, d = claims.bounds[index], claims.d
    total = _curve(number(bound.curve), arb(bound.height), k, d, ball(s))
    if bound.beta is None or total is None:
        return total
    part = claims.part(k, index, end)
    if part is None:
        return None
    exact, least = bound.beta, ball(bound.beta)
    for exponent in {t.exponent for t in claims.terms if t.exponent < bound.beta}:
        if end is None or exponent >= end.nu:
            slowest = claims.slowest(exponent)
            exact, least = (exponent, slowest) if slowest < least else (exact, least)
    order = 2 * least + (d - 1)
    # s may be just the order of the leading terms, if these have no logarithms
    same = s == 2 * exact + d - 1 and bool(least.overlaps(ball(exact)))
    if not (same or ball(s) <= order):
        return None
    # all these parts fall at least as fast as the gamma ratio of the least exponent, relative to their values at k
    middle = arb(fmpq(2 * k + d - 2, 2))
    scale = arb.max(middle**order * gamma_ratio(least, k, d), arb(1)) / gamma_ratio(least, k, d)
    gap = arb(0) if same else ball(s) - order
    lead = arb(0) if end is None else claims.size_of_lead(k, end)
    found = total + (lead + part.size_of_later + part.error) * scale * arb(k) ** gap
    return found if found.is_finite() else None


def _curve(size: arb, height: arb, k: int, d: int, s: arb) -> arb | None:
    """sup j^s size S A_j e^(-(j+1)h) over j >= k; None unless it decreases from k on."""
    if size.is_zero():
        return arb(0)
    growth = arb.max(arb(1), arb(k + 1) / (k + arb(fmpq(d, 2))))
    if not (1 + arb(1) / k) ** s * growth * (-height).exp() < 1:
        return None
    return size * curve_factor(height, k, d) * arb(k) ** s


__all__ = [
    "Points",
    "RestClaim",
    "bound_at",
    "end_lead",
    "law_with_points",
    "lowered",
    "obeys",
    "supremum",
    "tail_beside",
]
