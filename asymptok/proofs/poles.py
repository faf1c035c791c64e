"""Analytic kernels with poles at known points, complex pairs among them: |mu_k| <= b rho^-k k^p, each mu_k enclosed.

With z = (r + 1/r)/2, |r| < 1, the power (z-u)^(-m) has
    |mu_k| <= C |r|^k Gamma(k+m)/Gamma(k+d/2) (1 + e),   C = Gamma(d/2)/Gamma(m) |2r|^m |1-r^2|^(d/2-1-m),
where |2F1 - 1| <= e for all k >= K (`laws.point_terms`). A complex pair adds 2 Re(c (z-u)^(-m)), whose sign changes
with k, so that the law is a bound of |mu_k|. What the principal parts leave is bounded on larger ellipses.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import acb, arb, fmpq
from sympy import Expr, Integer, Rational

from asymptok.laws.point_terms import outer_frame
from asymptok.precision import flint_precision
from asymptok.proofs.claims import BoundClaim, Claims, Law, ParityClaim
from asymptok.proofs.decimals import down, interval, number, up
from asymptok.proofs.inner import supremum
from asymptok.regularity.rho import rho_ball, rho_of
from asymptok.spectrum.contour.factors import curve_factor
from asymptok.spectrum.contour.poles import Meromorphic, Pole, point, pole_sum

_BITS = 160
_DIGITS, _FEW = 30, 6
#: degrees at which the law may begin
_LADDER = (4, 6, 8, 10, 12, 16, 24, 32, 48, 64, 128)
_ROOM = fmpq(1, 5000)


@dataclass(frozen=True, slots=True)
class PoleClaim:
    """c (z-u)^(-order) and its conjugate (none if z is real), the parts of c between decimals."""

    location: Expr
    order: int
    real: tuple[str, str]
    imaginary: tuple[str, str]

    @staticmethod
    def of(pole: Pole) -> PoleClaim:
        sides = [(down(x, _DIGITS), up(x, _DIGITS)) for x in (pole.coefficient.real, pole.coefficient.imag)]
        return PoleClaim(pole.location, pole.order, sides[0], ("0", "0") if pole.real else sides[1])

    def numbers(self) -> Pole:
        """The pole with a ball as its coefficient."""
        return Pole(self.location, self.order, acb(interval(*self.real), interval(*self.imaginary)))


@dataclass(frozen=True, slots=True)
class Poles:
    """All that is claimed about poles."""

    claims: tuple[PoleClaim, ...]

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
    def order(self) -> int:
        """The highest order among the nearest."""
        return max(p.order for p in self.nearest)

    def enclosure(self, k: int, d: int) -> arb:
        """What they add to mu_k."""
        total: arb = pole_sum(tuple(p.numbers() for p in self.claims), k, d)
        return total

    def bound_at(self, k: int, d: int, bound: BoundClaim) -> arb | None:
        """sup |mu_j| rho^j j^(d/2-m) over all j >= k, by one bound of what is left; None if it does not follow."""
        half, m = arb(fmpq(d, 2)), self.order
        rho, total = rho_ball(self.nearest[0].location), arb(0)
        near = self.nearest
        z = near[0].location
        if any(p.location not in (z, -z, z.conjugate(), -z.conjugate()) for p in near):
            return None  # not told apart, and not shown to be equally near
        for claim in self.claims:
            pole = claim.numbers()
            frame, spread = outer_frame(k, d, point(pole.location), arb(-pole.order))
            size = abs(pole.coefficient) * (1 if pole.real else 2) * frame * (1 + spread)
            size = size * supremum(k, arb(-pole.order), half) * arb(k) ** (pole.order - m)
            if claim not in near:
                # (rho/rho')^j j^(m'-m) decreases from k on
                quotient = rho / rho_ball(pole.location)
                if not quotient * (1 + arb(1) / k) ** max(0, pole.order - m) < 1:
                    return None
                size = size * quotient**k
            total = total + size
        height, curve = arb(bound.height), number(bound.curve)
        step = rho * (-height).exp() * (1 + arb(1) / k) ** arb.max(half - m, arb(0))
        if not step < 1:
            return None
        total = total + curve * curve_factor(height, k, d) * rho**k * arb(k) ** (half - m)
        return total.upper() if total.is_finite() else None


def pole_bounds(found: Meromorphic, slack: fmpq) -> tuple[BoundClaim, ...]:
    """The bounds of what is left, with room for other boxes."""
    room = 1 + arb(slack)
    return tuple(BoundClaim(None, "0", "0", up(curve * room, _FEW), height) for curve, height in found.bounds)


def pole_law(poles: Poles, claims: Claims, parity: int) -> ParityClaim:
    """|mu_k| <= b rho^-k k^p for all k >= k0 of the parity, p = m - d/2."""
    nu = Integer(-poles.order)
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


__all__ = ["PoleClaim", "Poles", "pole_bounds", "pole_law"]
