"""Analytic kernels by their ellipses alone: one power of k and one of rho for all k >= 1.

In the ellipse |Im theta| <= h, |mu_k| <= G S A_k e^(-(k+1)h), and A_k <= 2 Gamma(d/2) k^(1-d/2), since Gamma is
log-convex. With rho = e^h that is |mu_k| <= b rho^-k k^(1-d/2), b = 2 Gamma(d/2) G S/rho.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, fmpq
from sympy import Expr, Rational, exp

from asymptok.atlas.factors import curve_factor
from asymptok.precision import flint_precision
from asymptok.proofs.claims import BoundClaim, Law, ParityClaim
from asymptok.proofs.decimals import number, up

__all__ = ["ellipse_law", "rho_of_ellipse", "widest"]

_BITS, _DIGITS = 128, 12
#: the degree at which ellipses are compared: near the largest one G may be huge
_AT = 100


def widest(bounds: Sequence[BoundClaim], d: int) -> BoundClaim | None:
    """The ellipse that is told first; None where bounds are not those of ellipses alone."""
    if not bounds or any(bound.beta is not None for bound in bounds):
        return None
    with flint_precision(_BITS):
        return min(bounds, key=lambda b: float(_log(number(b.curve) * curve_factor(arb(b.height), _AT, d))))


def _log(x: arb) -> arb:
    return x.log().mid() if x > 0 else arb(-(10**9))


def rho_of_ellipse(bound: BoundClaim) -> Expr:
    """The sum of the semi-axes."""
    return exp(Rational(int(bound.height.p), int(bound.height.q)))


def ellipse_law(bound: BoundClaim, d: int) -> ParityClaim:
    """|mu_k| <= b rho^-k k^(1-d/2) for all k >= 1.

    >>> from flint import fmpq
    >>> law = ellipse_law(BoundClaim(None, "0", "0", "1", fmpq(1)), 2)
    >>> law.rate, law.high  # 2 S/e = 1/sinh(1), as S = 1/(1 - e^-2)
    (0, '8.5091812824e-1')
    """
    with flint_precision(_BITS):
        # S A_0 e^-h with A_0 = 2
        size = number(bound.curve) * arb(fmpq(d, 2)).gamma() * curve_factor(arb(bound.height), 0, d)
        high = up(size, _DIGITS)
    return ParityClaim(Law.BOUNDED, rate=1 - Rational(d, 2), k0=1, low=f"-{high}", high=high)
