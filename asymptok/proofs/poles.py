"""Analytic kernels with poles and branch points at known points: |mu_k| <= b rho^-k k^p, each mu_k enclosed.

With z = (r + 1/r)/2, |r| < 1, the power (z-u)^nu has
    |mu_k| <= C |r|^k Gamma(k-nu)/Gamma(k+d/2) (1 + e),  C = Gamma(d/2)/|Gamma(-nu)| |2r|^-nu |1-r^2|^(nu+d/2-1),
where |2F1 - 1| <= e for all k >= K (`laws.point_terms`); (z-u)^n log(z-u) has n! for 1/|Gamma(-nu)|. A complex pair
adds 2 Re(c (z-u)^nu), whose sign changes with k, so that the law is a bound of |mu_k|. What the terms leave is bounded
on larger ellipses and, at branch points, on arcs (`atlas.poles`).
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import acb, arb, fmpq
from sympy import Expr, Rational

from asymptok.atlas.factors import curve_factor
from asymptok.atlas.poles import Arc, Meromorphic, Pole, arc_bound, arc_factor, point, pole_sum
from asymptok.balls import ball
from asymptok.laws.point_terms import outer_frame
from asymptok.precision import flint_precision
from asymptok.proofs.claims import BoundClaim, Claims, Law, ParityClaim
from asymptok.proofs.decimals import down, interval, number, up
from asymptok.proofs.inner import supremum
from asymptok.regularity.rho import rho_ball, rho_of

_BITS = 160
_DIGITS, _FEW = 30, 6
#: degrees at which the law may begin
_LADDER = (4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64, 128)
_ROOM = fmpq(1, 5000)


@dataclass(frozen=True, slots=True)
class PoleClaim:
    """c (z-u)^exponent (log(z-u))^log_power and its conjugate (none if z is real), the parts of c between decimals."""

    location: Expr
    exponent: Expr
    log_power: int
    real: tuple[str, str]
    imaginary: tuple[str, str]

    @staticmethod
    def of(pole: Pole) -> PoleClaim:
        sides = [(down(x, _DIGITS), up(x, _DIGITS)) for x in (pole.coefficient.real, pole.coefficient.imag)]
        imaginary = ("0", "0") if pole.real else sides[1]
        return PoleClaim(pole.location, pole.exponent, pole.log_power, sides[0], imaginary)

    def numbers(self) -> Pole:
        """The term with a ball as its coefficient."""
        c = acb(interval(*self.real), interval(*self.imaginary))
        return Pole(self.location, self.exponent, self.log_power, c)


@dataclass(frozen=True, slots=True)
class ArcClaim:
    """The numbers of an `Arc`, written down."""

    location: Expr
    beta: Expr
    size: str
    height: fmpq

    @staticmethod
    def of(arc: Arc, slack: fmpq) -> ArcClaim:
        return ArcClaim(arc.location, arc.beta, up(arc.size * (1 + arb(slack)), _FEW), arc.height)

    def numbers(self) -> Arc:
        """The bound with a ball in it."""
        return Arc(self.location, self.beta, number(self.size), self.height)


@dataclass(frozen=True, slots=True)
class Poles:
    """All that is claimed about poles and branch points off the interval."""

    claims: tuple[PoleClaim, ...]
    arcs: tuple[ArcClaim, ...] = ()

    @property
    def nearest(self) -> list[PoleClaim]:
        """Those on the smallest ellipse; points that are not told apart count as equally near."""
        least = min((rho_ball(p.location) for p in self.claims), key=lambda x: float(x.mid()))
        return [p for p in self.claims if not rho_ball(p.location) > least]

    @property
    def rho(self) -> Expr:
        found = rho_of(self.nearest[0].location, {})
        assert found is not None
        return found

    @property
    def nu(self) -> Expr:
        """The least exponent among the nearest."""
        return min(p.exponent for p in self.nearest)

    def enclosure(self, k: int, d: int) -> arb | None:
        """What they add to mu_k; None where the laws of the terms do not speak of it."""
        if any(not p.exponent < k for p in self.claims):
            return None
        error = sum((arc_bound(a.numbers(), k, d) for a in self.arcs), arb(0))
        total: arb = pole_sum(tuple(p.numbers() for p in self.claims), k, d) + arb(0, error.upper())
        return total

    def bound_at(self, k: int, d: int, bound: BoundClaim) -> arb | None:
        """sup |mu_j| rho^j j^(nu+d/2) over all j >= k, by one bound of what is left; None if it does not follow."""
        half, nu = arb(fmpq(d, 2)), ball(self.nu)
        rho, total = rho_ball(self.nearest[0].location), arb(0)
        near = self.nearest
        z = near[0].location
        if any(p.location not in (z, -z, z.conjugate(), -z.conjugate()) for p in near):
            return None  # not told apart, and not shown to be equally near
        for claim in self.claims:
            pole, e = claim.numbers(), ball(claim.exponent)
            if not e < k:
                return None
            frame, spread = outer_frame(k, d, point(pole.location), e, pole.log_power)
            size = abs(pole.coefficient) * (1 if pole.real else 2) * frame * (1 + spread)
            size = size * supremum(k, e, half) * arb(k) ** (nu - e)
            if claim not in near:
                # (rho/rho')^j j^(nu-nu') decreases from k on
                quotient = rho / rho_ball(pole.location)
                if not quotient * (1 + arb(1) / k) ** arb.max(arb(0), nu - e) < 1:
                    return None
                size = size * quotient**k
            total = total + size
        for entry in self.arcs:
            arc = entry.numbers()
            if not ball(arc.beta) > nu:
                return None
            # j^(nu+1) (j+1)^(-beta-1) <= j^(nu-beta), which falls, beside j^(d/2-1) A_j and (rho/rho')^j <= 1
            factor = 2 * half.gamma() * supremum(k, arb(-1), half) * arb(k) ** (nu - ball(arc.beta))
            total = total + arc_factor(arc, d) * factor / rho_ball(arc.location)
        height, curve = arb(bound.height), number(bound.curve)
        step = rho * (-height).exp() * (1 + arb(1) / k) ** arb.max(half + nu, arb(0))
        if not step < 1:
            return None
        total = total + curve * curve_factor(height, k, d) * rho**k * arb(k) ** (half + nu)
        return total.upper() if total.is_finite() else None


def pole_bounds(found: Meromorphic, slack: fmpq) -> tuple[BoundClaim, ...]:
    """The bounds of what is left, with room for other boxes."""
    room = 1 + arb(slack)
    return tuple(BoundClaim(None, "0", "0", up(curve * room, _FEW), height) for curve, height in found.bounds)


def pole_law(poles: Poles, claims: Claims, parity: int) -> ParityClaim:
    """|mu_k| <= b rho^-k k^p for all k >= k0 of the parity, p = -nu - d/2."""
    nu = poles.nu
    rate = -nu - Rational(claims.d, 2)
    with flint_precision(_BITS):
        for step in _LADDER:
            k = step + (step - parity) % 2
            sizes = [(poles.bound_at(k, claims.d, bound), i) for i, bound in enumerate(claims.bounds)]
            known = [(size, i) for size, i in sizes if size is not None]
            if known:
                size, index = min(known, key=lambda entry: float(entry[0]))
                b = up(size * (1 + arb(_ROOM)), 12)
                return ParityClaim(Law.OSCILLATING, nu, rate, k, k, index, f"-{b}", b)
    return ParityClaim(Law.BOUNDED, k0=0)


__all__ = ["ArcClaim", "PoleClaim", "Poles", "pole_bounds", "pole_law"]
