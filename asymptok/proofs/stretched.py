r"""Activations that are analytic in a strip: 0 <= mu_k <= b k^p exp(-(3/2) (2 tau k)^(2/3)) for all k, p = 2/3 - d/2.

Let kappa = sum b_n u^n with 0 <= b_n <= D n^(-1/2) e^(-2 tau sqrt(n)) for n >= n0 (`functions.strips`), k >= n0.
(1) mu_k(u^n) in dimension d is at most Gamma(d/2) k!/Gamma(k+d/2) <= Gamma(d/2) k^(1-d/2) times that for d = 2, and
    2^-n binom(n, (n-k)/2) <= sqrt(2/(pi n)) e^(-(k^2-1)/(2(n+1))): a central binomial coefficient times quotients
    (a-x)/(a+x) <= e^(-2x/a), a = (n+1)/2, x = 1/2, 3/2, ... or 1, 2, ... up to (k-1)/2.
(2) With N = n + 1: 1/n <= (1+1/k)/N, e^(-2 tau sqrt(n)) <= e^(tau/sqrt(k)) e^(-2 tau sqrt(N)), so that
    mu_k <= Gamma(d/2) k^(1-d/2) D sqrt(2/pi) (1+1/k) e^(tau/sqrt(k) + 1/(2(k+1))) sum_N N^-1 e^(-f(sqrt(N))),
    f(s) = 2 tau s + k^2/(2 s^2), over the N > k of one parity.
(3) f has its least value (3/2) (2 tau k)^(2/3) =: 3A at s* = (k^2/(2 tau))^(1/3), and f(s* e^t) = 3A + A g(t),
    g = e^(-2t) + 2e^t - 3, g(0) = g'(0) = 0, g'' = 4e^(-2t) + 2e^t >= 3 4^(1/3). N^-1 e^(-f) rises and then falls:
    the sum is at most half its integral, e^(-3A) int e^(-A g) dt <= e^(-3A) sqrt(2 pi/(3 4^(1/3) A)), plus
    e^(-3A)/(k+1).
All factors beside k^p e^(-3A) decrease in k: their values at k0 make b.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from flint import arb, fmpq
from sympy import Expr, Rational

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions.hermite import HermiteDual
from asymptok.functions.strips import line_of
from asymptok.kernels.strip_points import nearest_points
from asymptok.precision import flint_precision
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.decimals import number, up
from asymptok.quantities import whole
from asymptok.symbols import u, x

__all__ = [
    "CoefficientClaim",
    "coefficient_claim",
    "exponents",
    "found_bound",
    "stretched_bound",
    "stretched_high",
    "stretched_law",
]

#: how much narrower than the widest strip the strip is that is tried, and the denominator of its width
_NARROWER, _GRAIN = (fmpq(1, 512), fmpq(1, 128), fmpq(1, 32), fmpq(1, 8)), 4096
#: degrees up to which the series is summed, and digits
_SUMMED, _DIGITS = 3000, 12
_BITS = 128


@dataclass(frozen=True, slots=True)
class CoefficientClaim:
    """b_n <= size n^(-1/2) e^(-2 tau sqrt(n)) for all n >= start, kappa = sum b_n u^n."""

    tau: fmpq
    size: str
    start: int


def coefficient_claim(expr: Expr) -> CoefficientClaim | None:
    """The claim with the widest strip of those tried; None if the kernel is not of this kind."""
    parts = _parts(expr)
    width = None if not parts else _width(parts)
    if width is None:
        return None
    for share in _NARROWER:
        with flint_precision(_BITS):
            tau = fmpq(whole((width * (1 - arb(share)) * _GRAIN).floor().lower()), _GRAIN)
        found = found_bound(expr, tau) if tau > 0 else None
        if found is not None:
            return CoefficientClaim(tau, up(found[0], _DIGITS), found[1])
    return None


def found_bound(expr: Expr, tau: fmpq) -> tuple[arb, int] | None:
    """(D, n0) for a given strip; None if phi is not shown to be analytic in it."""
    parts = _parts(expr)
    if not parts:
        return None
    with flint_precision(_BITS):
        least = whole((4 * arb(tau) ** 2).ceil().upper()) + 1
        total, start, root = arb(0), least, arb(least).sqrt()
        for factor, power, node in parts:
            start = max(start, least + power)
            if node is None:
                start = max(start, power + 1)
                continue
            line = line_of(type(node).activation(*node.args[:-1]), x, {}, tau)
            if line is None:
                return None
            # u^p: b_(n+p) = a_n^2, and sqrt(n+p) - sqrt(n) <= p/(2 sqrt(n))
            shift = (arb(tau) * power / root).exp() * (1 + arb(power) / least).sqrt()
            total = total + abs(ball(factor)) * line.squares(least) * shift
        return (total.upper(), start) if total.is_finite() else None


def stretched_bound(claim: CoefficientClaim, k: int, d: int) -> arb | None:
    """A bound of mu_k; None for k below the start of the claim."""
    if k < claim.start:
        return None
    if k > _SUMMED:
        c, p = exponents(claim.tau, d)
        return stretched_high(claim, k, d) * arb(k) ** p * (-c * arb(k) ** arb(fmpq(2, 3))).exp()
    tau, half = arb(claim.tau), arb(fmpq(d, 2))
    small = (-2 * (2 * tau * k) ** arb(fmpq(2, 3))).exp() * arb((1, -64 - 2 * d))
    logs = half.lgamma() - (k + half).lgamma() + arb(k + 1).lgamma() - k * arb(2).log()
    weight, total, n = logs.exp(), arb(0), k
    while True:
        root = arb(n).sqrt()
        tail = (-2 * tau * root).exp()
        total = total + weight * tail / root
        if tail < small:
            # what is left, by its integral: mu_k(u^n) <= 1
            return (number(claim.size) * (total + tail / (2 * tau))).upper()
        weight = weight * ((n + 1) * (n + 2)) / ((n - k + 2) * (n + k + d))
        n += 2


def exponents(tau: fmpq, d: int) -> tuple[arb, arb]:
    """c and p in k^p exp(-c k^(2/3))."""
    return arb(fmpq(3, 2)) * (2 * arb(tau)) ** arb(fmpq(2, 3)), arb(fmpq(2, 3) - fmpq(d, 2))


def stretched_high(claim: CoefficientClaim, k0: int, d: int) -> arb:
    """b with mu_k <= b k^p exp(-(3/2) (2 tau k)^(2/3)) for all k >= k0 >= start."""
    tau, k = arb(claim.tau), arb(k0)
    third = arb(fmpq(1, 3))
    spread = (2 * arb.pi() / (3 * arb(4) ** third) * 2).sqrt() * (2 * tau) ** -third
    factors = (tau / k.sqrt() + 1 / (2 * (k + 1))).exp() * (1 + 1 / k) * (2 / arb.pi()).sqrt()
    return (number(claim.size) * arb(fmpq(d, 2)).gamma() * factors * (spread + k**third / (k + 1))).upper()


def stretched_law(claim: CoefficientClaim, parity: int, d: int) -> ParityClaim:
    """The law from the start of the claim on."""
    k0 = max(claim.start, 1)
    k0 += (k0 - parity) % 2
    with flint_precision(_BITS):
        b = up(stretched_high(claim, k0, d), _DIGITS)
    rate = Rational(2, 3) - Rational(d, 2)
    return ParityClaim(Law.STRETCHED, rate=rate, k0=k0, low="0", high=b, tau=claim.tau)


def _parts(expr: Expr) -> list[tuple[Expr, int, HermiteDual | None]] | None:
    """kappa as a sum of c u^p E[phi(X) phi(Y)] and of a polynomial; None if it is not one."""
    found: list[tuple[Expr, int, HermiteDual | None]] = []
    for summand in sympy.Add.make_args(sympy.expand(expr)):
        factor, varying = summand.as_independent(u, as_Add=False)
        power, node = 0, None
        for part in sympy.Mul.make_args(varying):
            base, exponent = part.as_base_exp()
            if isinstance(part, HermiteDual) and part.args[-1] == u and node is None:
                node = part
            elif base == u and exponent.is_Integer and exponent > 0:
                power += int(exponent)
            elif part != 1:
                return None
        found.append((factor, power, node))
    return found if any(node is not None for _, _, node in found) else None


def _width(parts: list[tuple[Expr, int, HermiteDual | None]]) -> arb | None:
    """The narrowest of the widest strips."""
    least: arb | None = None
    for _, _, node in parts:
        if node is None:
            continue
        given = node.args[:-1]
        try:
            widths = [ball(p.height) for p in nearest_points(type(node).activation(*given))[:1]]
        except AsymptokError:
            found = type(node).coefficients(*map(ball, given))
            if not found.exists:
                return None
            widths = [found.strip.width]
        for width in widths:  # none for entire functions
            least = width if least is None else arb.min(least, width)
    return least
