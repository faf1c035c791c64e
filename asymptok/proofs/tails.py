"""From enclosures of mu_k to one law for all k of a parity.

Write mu_k = lead + later + error with the lead c C(d, nu) Gamma(k-nu)/Gamma(k+nu+d-1). With N = k + (d-2)/2 and
m = nu + (d-1)/2 > 0:
  (a) N^(2m) Gamma(k-nu)/Gamma(k+nu+d-1) decreases to 1 if m >= 1/2 and increases to 1 if m <= 1/2, and (k/N)^(2m)
      increases to 1;
  (b) the ratios of all later terms and of T(beta, k) to the lead decrease, for psi increases;
  (c) so does that of A_k e^(-(k+1)h) once (k+nu+d-1)/(k-nu) e^-h <= 1, which then stays true.
Hence, with delta the sum of these ratios at k = K and g = N_K^(2m) Gamma(K-nu)/Gamma(K+nu+d-1), for all k >= K
    |c C| (1-delta) (K/N_K)^(2m) min(1, g)  <=  |mu_k| k^(2m)  <=  |c C| (1+delta) max(1, g).
(Proof of (a): the logarithmic derivative of the first in N is 2m/N - psi(N+1/2+m) + psi(N+1/2-m)
= int_0^oo (2m - sinh(mx)/sinh(x/2)) e^(-Nx) dx, and sinh(mx)/sinh(x/2) - 2m has the sign of m - 1/2.)
Terms with logarithms are bounded by sums of T(e -+ a, k) first, e - a > nu, so that (b) covers them. Where logarithms
lead, `logarithms` has the factor (log k)^q of the lead.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq
from sympy import Expr, Rational

from asymptok.atlas.factors import gamma_ratio
from asymptok.atlas.rewriting import rewritten
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.laws import Decay, ParityDecay
from asymptok.laws.derive import decay
from asymptok.laws.parity import first_of_parity
from asymptok.laws.point_terms import outer_spread
from asymptok.patience import remembered
from asymptok.precision import flint_precision
from asymptok.proofs.claims import Claims, Law, Lead, ParityClaim, is_whole
from asymptok.proofs.decimals import down, up
from asymptok.proofs.logarithms import leading_range
from asymptok.spectrum.parity import vanishing

#: degrees at which the tail may begin
LADDER = tuple(sorted({n * 2**j for n in (8, 10, 12, 14) for j in range(11)}))
#: share of the lead that the rest may have where the tail begins
_LARGEST_REST = fmpq(1, 2)
#: relative room that is left in a and b
_ROOM = fmpq(1, 5000)
#: degrees up to which all bounds are looked at, and the part of k over which the sharpest one stays the same
_STEADY = 64
_BITS = 128


@dataclass(frozen=True, slots=True)
class Tail:
    """low <= |mu_k| k^(2m) (log k)^-q <= high for all k >= start, enclosed to a relative half-width of `width`."""

    start: int
    bound: int
    low: arb
    high: arb
    width: arb
    positive: bool
    #: |c C(d, nu)|, and delta: mu_k is the lead up to a factor between 1 - delta and 1 + delta; the lead has
    #: (x_k/x_start)^q beside its gamma ratio where logarithms lead, x_k = psi(k-nu) + psi(k+nu+d-1)
    constant: arb
    rest: arb


@remembered(maxsize=128)
def known_decay(kernel: Kernel, made: bool) -> Decay:
    """decay(kernel), made once; SymPy writes J_nu(1-u) with a complex J_nu(u-1), another form of it does not.

    Kernels are equal if their formulas are; `made` is kernel.mean_product, which tells more.
    """
    try:
        return decay(kernel)
    except AsymptokError:
        other = rewritten(kernel.expr)
        if other == kernel.expr:
            raise
        return decay(Kernel(other))


def exact_law(kernel: Kernel, parity: int) -> ParityDecay:
    """The exact law of a parity."""
    found = known_decay(kernel, kernel.mean_product)
    return found.odd if parity else found.even


def zero_from(kernel: Kernel, parity: int) -> int | None:
    """The degree from which all mu_k of the parity are proved to vanish; None where they are not."""
    limit = vanishing(kernel.expr)[parity]
    if limit is not None:
        return first_of_parity(limit, parity)
    try:
        return exact_law(kernel, parity).zero_from
    except AsymptokError:
        return None


def tail_at(claims: Claims, k: int, index: int, lead: Lead) -> Tail | None:
    """The tail from k on by one bound; None if the rest may be as large as the lead, or the bound does not apply."""
    if claims.place is not None:
        return _outer_tail(claims, claims.place, k, index, lead)
    d = claims.d
    with flint_precision(_BITS):
        part = claims.part(k, index, lead)
        if part is None or part.lead.contains(0) or not part.lead.is_finite():
            return None
        exponent, height = ball(lead.nu), arb(claims.bounds[index].height)
        if not (k + exponent + (d - 1)) / (k - exponent) * (-height).exp() < 1:
            return None
        ratio = gamma_ratio(exponent, k, d)
        if lead.log_power:
            found = leading_range(claims, k, lead)
            if found is None:
                return None
            constant, logs = found
        else:
            constant, logs = abs(part.lead) / ratio, arb(1)
        # from k on the lead is at least its gamma ratio times this
        size = constant.lower() * ratio
        later, error = part.size_of_later / size, part.error / size
        rest = later + error
        if not rest < arb(_LARGEST_REST):
            return None
        order = 2 * exponent + (d - 1)
        middle = arb(fmpq(2 * k + d - 2, 2))
        whole = middle**order * ratio
        low = constant * logs.lower() * (1 - rest) * (k / middle) ** order * arb.min(whole, arb(1))
        high = constant * logs.upper() * (1 + rest) * arb.max(whole, arb(1))
        width, positive = (error / (1 - later)).upper(), bool(part.lead > 0)
        return Tail(k, index, low.lower(), high.upper(), width, positive, constant, rest.upper())


def _outer_tail(claims: Claims, place: Expr, k: int, index: int, lead: Lead) -> Tail | None:
    """The tail for terms at b > 1.

    The lead is c K r^k Gamma(k-nu)/Gamma(k+d/2) (1 + e_k), |e_k| <= `spread` from k on, and so are the others, each
    with a spread of its own; their quotients decrease like Gamma(k-nu')/Gamma(k-nu), the one of the curve once
    e^-h (k+1)/(r (k-nu)) <= 1. With s = nu + d/2 and N = k + (d/2-nu-1)/2 the numbers N^s Gamma(k-nu)/Gamma(k+d/2) and
    (k/N)^s tend to 1 monotonously, as in (a).
    """
    d, half = claims.d, arb(fmpq(claims.d, 2))
    with flint_precision(_BITS):
        part = claims.part(k, index, lead)
        if part is None or part.lead.contains(0) or not part.lead.is_finite():
            return None
        exponent, height, z = ball(lead.nu), arb(claims.bounds[index].height), ball(place)
        rho = z + ((z - 1) * (z + 1)).sqrt()
        if not k > exponent + 1 or not rho * (k + 1) / (k - exponent) * (-height).exp() < 1:
            return None
        spread = outer_spread(k, d, z, exponent)
        later = [ball(t.exponent) for t in claims.terms if t.exponent != lead.nu]
        beta = claims.bounds[index].beta
        others = max(
            (outer_spread(k, d, z, e) for e in [*later, *([] if beta is None else [ball(beta)])]),
            key=lambda x: float(x.mid()),
            default=arb(0),
        )
        if not (spread < arb(_LARGEST_REST) and others < arb(_LARGEST_REST)):
            return None
        # |value at k| = frame (1 + e): from frames at k to bounds for all later degrees
        size = abs(part.lead)
        bare = size / (1 - spread)  # not less than the frame of the lead
        low_frame = size / (1 + spread)
        rest = (part.size_of_later + part.error) * (1 + others) / (1 - others) / low_frame
        whole = spread + rest
        if not whole < arb(_LARGEST_REST):
            return None
        s, middle = exponent + half, arb(k) + (half - exponent - 1) / 2
        ratio = ((k - exponent).lgamma() - (k + half).lgamma()).exp()
        gammas, powers = middle**s * ratio, (k / middle) ** s
        one = arb(1)
        scale = rho**k / ratio
        low = low_frame * scale * (1 - whole) * arb.min(gammas, one) * arb.min(powers, one)
        high = bare * scale * (1 + whole) * arb.max(gammas, one) * arb.max(powers, one)
        width = (part.error / (size - part.size_of_later)).upper()
        constant = (bare * scale).union(low_frame * scale)
        return Tail(k, index, low.lower(), high.upper(), width, bool(part.lead > 0), constant, whole.upper())


def geometric_law(claims: Claims, parity: int, nu: Expr, goal: fmpq) -> ParityClaim:
    """a rho^-k k^p <= mu_k <= b rho^-k k^p, p = -nu - d/2; |mu_k| is bounded if the lead does not prevail."""
    found = law_of(claims, parity, Lead(nu, int(is_whole(nu))), goal)
    return ParityClaim(Law.BOUNDED, k0=0) if found.law is Law.UNKNOWN else found


def law_of(claims: Claims, parity: int, lead: Lead, goal: fmpq) -> ParityClaim:
    """The law for one parity: the tail, and below it as many degrees as keep the relative half-width below `goal`."""
    nu, q = lead.nu, lead.log_power
    rate = 1 - claims.d - 2 * nu if claims.place is None else -nu - Rational(claims.d, 2)
    kind = Law.ALGEBRAIC if claims.place is None else Law.GEOMETRIC
    found = _first_tail(claims, parity, lead, goal)
    if found is None:
        reason = (
            "the leading term does not prevail" if not q else "the power of log k that leads does not prevail"
        )
        return ParityClaim(Law.UNKNOWN, nu=nu, rate=rate, reason=reason, log_power=q)
    with flint_precision(_BITS):
        k0, low, high = found.start, found.low, found.high
        order = ball(-rate)
        k, near, renewed = found.start - 2, found.bound, found.start
        while k > (1 if q else 0):
            value = None
            if k > _STEADY:
                # far out one bound is the sharpest for long, and nearly as good as all of them
                if renewed - k > k // _STEADY:
                    near, renewed = claims.sharpest(k, lead), k
                value = claims.enclosure(k, lead, [near])
            if not _shows_sign(value, found.positive, goal):
                value = claims.enclosure(k, lead)
            if value is None or not _shows_sign(value, found.positive, goal):
                break
            scaled = abs(claims.scaled(value, k)) * arb(k) ** order / arb(k).log() ** q
            low, high = arb.min(low, scaled.lower()), arb.max(high, scaled.upper())
            k0, k = k, k - 2
        low, high = low * (1 - arb(_ROOM)), high * (1 + arb(_ROOM))
        a, b = (low, high) if found.positive else (-high, -low)
        numbers = (k0, found.start, found.bound, down(a, 12), up(b, 12))
        return ParityClaim(kind, nu, rate, *numbers, log_power=q)


def _shows_sign(value: arb | None, positive: bool, goal: fmpq) -> bool:
    """Whether mu_k has that sign, and is known up to a relative half-width below `goal`."""
    if value is None or value.contains(0) or (value > 0) != positive:
        return False
    return bool(value.rad() < arb(goal) * abs(value.mid()))


def _first_tail(claims: Claims, parity: int, lead: Lead, goal: fmpq) -> Tail | None:
    """The tail that begins first; of several bounds there the one with the smallest rest."""
    for step in LADDER:
        k = step if step % 2 == parity else step + 1
        best: Tail | None = None
        for index in range(len(claims.bounds)):
            tail = tail_at(claims, k, index, lead)
            if tail is not None and tail.width < arb(goal) and (best is None or tail.width < best.width):
                best = tail
        if best is not None:
            return best
    return None
