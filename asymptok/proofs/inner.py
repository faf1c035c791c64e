"""Kernels with kinks or jumps inside (-1, 1): exact terms c (u-u_0)_+^nu and c (u_0-u)_+^nu, and a rest without them.

A summand that is singular at one point u_0 of (-1, 1), analytic elsewhere in (-1, 1), and next to u_0 on either side
equal to a finite sum of powers of |u - u_0|, equals these sums on (u_0, 1) and (-1, u_0): both are analytic there.
Its eigenvalues are known exactly (`laws.point_terms`); what is left has a contour of its own. For (u-u_0)_+^nu
    |mu_k| <= C Gamma(k-nu)/Gamma(k+d/2) (1 + e),  C = Gamma(d/2) 2^l/pi Gamma(nu+1) sin(theta)^(nu+l),  l = (d-2)/2,
where |2F1 - 1| <= e for all k >= K.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq
from sympy import Add, Expr, Rational

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.laws.further import inner_terms
from asymptok.laws.point_terms import inner_frame, inner_term
from asymptok.precision import flint_precision
from asymptok.proofs.claims import Claims, Law, ParityClaim
from asymptok.proofs.decimals import number, up
from asymptok.regularity import analyse
from asymptok.spectrum.contour.factors import curve_factor, gamma_ratio
from asymptok.spectrum.local import Unproved
from asymptok.symbols import u
from asymptok.truth import Truth

_BITS = 160
#: order to which a finite sum of powers is looked for
_ORDER = 8
#: degrees at which a law may begin
_LADDER = (8, 10, 12, 16, 24, 32, 48, 64, 128)
_ROOM = fmpq(1, 5000)


@dataclass(frozen=True, slots=True)
class InnerClaim:
    """c (side (u - location))_+^exponent, everything exact."""

    location: Expr
    exponent: Expr
    side: int
    coefficient: Expr


@dataclass(frozen=True, slots=True)
class Split:
    """The exact terms inside, and the kernel without them."""

    terms: tuple[InnerClaim, ...]
    rest: Expr


def split(kernel: Kernel) -> Split:
    """The kernel as exact terms inside and a rest; Unproved where a summand is not of this kind."""
    terms: list[InnerClaim] = []
    rest: list[Expr] = []
    for part in Add.make_args(kernel.expr):
        found = analyse(Kernel(part)) if part.has(u) else None
        if found is None or found.smooth is Truth.TRUE:
            rest.append(part)
        else:
            terms += _terms(part, found)
    if not terms:
        raise Unproved("no singular point inside is known exactly")
    return Split(tuple(terms), Add(*rest))


def _terms(part: Expr, found: Any) -> list[InnerClaim]:
    points = found.interior
    if found.smooth is not Truth.FALSE or not found.complete or len(points) != 1:
        raise Unproved(f"{part} is not shown to be singular at a single point inside")
    location = points[0].location
    if location is None or not points[0].proved:
        raise Unproved(f"where {part} is singular is not known exactly")
    try:
        listed, later = inner_terms(Kernel(part), location, _ORDER)
    except AsymptokError as error:
        raise Unproved(str(error)) from error
    if later or any(j for _, j, _, _ in listed):
        raise Unproved(f"{part} is no finite sum of powers next to u = {location}")
    if not all(e.is_Rational and e > -1 for e, *_ in listed):
        raise Unproved(f"{part} has an exponent that is not rational next to u = {location}")
    return [InnerClaim(location, e, side, c) for e, _, side, c in listed]


def least_degree(terms: tuple[InnerClaim, ...]) -> int:
    """The terms speak of all k from here on: beyond every exponent, and beyond polynomials that were dropped."""
    return max(_ORDER, *(int(t.exponent) for t in terms)) + 1


def inner_sum(terms: tuple[InnerClaim, ...], k: int, d: int) -> Any:
    """What the terms add to mu_k, k >= least_degree, as a ball."""
    total = arb(0)
    for t in terms:
        total = total + ball(t.coefficient) * inner_term(k, d, ball(t.location), ball(t.exponent), 0, t.side)
    return total


def oscillating_law(terms: tuple[InnerClaim, ...], claims: Claims, parity: int) -> ParityClaim:
    """|mu_k| <= b k^(-nu-d/2) for all k >= k0 of the parity; unknown where the ends are stronger."""
    nu = min(t.exponent for t in terms)
    rate = -nu - Rational(claims.d, 2)
    with flint_precision(_BITS):
        for step in _LADDER:
            k = step + (step - parity) % 2
            if k < least_degree(terms):
                continue
            sizes = [(bound_at(terms, claims, k, nu, i), i) for i in range(len(claims.bounds))]
            known = [(size, i) for size, i in sizes if size is not None]
            if known:
                size, index = min(known, key=lambda entry: float(entry[0]))
                b = up(size * (1 + arb(_ROOM)), 12)
                return ParityClaim(Law.OSCILLATING, nu, rate, k, k, index, f"-{b}", b)
    return ParityClaim(
        Law.UNKNOWN, nu=nu, rate=rate, reason="an end is at least as strong as the points inside"
    )


def bound_at(terms: tuple[InnerClaim, ...], claims: Claims, k: int, nu: Expr, index: int) -> Any:
    """sup |mu_j| j^(nu+d/2) over all j >= k by one bound of the rest; None if it is not to be had from k on."""
    d, half = claims.d, arb(fmpq(claims.d, 2))
    total = arb(0)
    for t in terms:
        frame, spread = inner_frame(k, d, ball(t.location), ball(t.exponent))
        if not spread < 1:
            return None
        power = _supremum(k, ball(t.exponent), half) * arb(k) ** ball(nu - t.exponent)
        total = total + abs(ball(t.coefficient)) * frame * (1 + spread) * power
    rest = _rest(claims, k, ball(nu) + half, index)
    return None if rest is None else (total + rest).upper()


def _supremum(k: int, nu: Any, half: Any) -> Any:
    """sup j^s Gamma(j-nu)/Gamma(j+d/2), s = nu + d/2, over j >= k: two factors that tend to 1 monotonously."""
    s, middle = nu + half, arb(k) + (half - nu - 1) / 2
    gammas = middle**s * ((k - nu).lgamma() - (k + half).lgamma()).exp()
    return arb.max(gammas, arb(1)) * arb.max((k / middle) ** s, arb(1))


def _rest(claims: Claims, k: int, s: Any, index: int) -> Any:
    """sup j^s |mu_j(rest)| over j >= k; None where a term of an end falls more slowly than j^-s."""
    bound, d = claims.bounds[index], claims.d
    height, total = arb(bound.height), arb(0)
    curve = number(bound.curve)
    if curve > 0:
        # j^s A_j e^(-jh) decreases from k on
        growth = arb.max(arb(1), arb(k + 1) / (k + arb(fmpq(d, 2))))
        if not (1 + arb(1) / k) ** s * growth * (-height).exp() < 1:
            return None
        total = total + curve * curve_factor(height, k, d) * arb(k) ** s
    if bound.beta is None:
        return total
    part = claims.part(k, index, None)
    if part is None or any(t.log_power for t in claims.terms):
        return None
    exponents = [t.exponent for t in claims.terms if t.exponent < bound.beta]
    least = ball(min([*exponents, bound.beta]))
    order = 2 * least + (d - 1)
    if not s <= order:
        return None
    # all these parts fall at least as fast as the gamma ratio of the least exponent, relative to their values at k
    middle = arb(fmpq(2 * k + d - 2, 2))
    scale = arb.max(middle**order * gamma_ratio(least, k, d), arb(1)) / gamma_ratio(least, k, d)
    return total + (part.size_of_later + part.error) * scale * arb(k) ** (s - order)


__all__ = ["InnerClaim", "Split", "bound_at", "inner_sum", "least_degree", "oscillating_law", "split"]
