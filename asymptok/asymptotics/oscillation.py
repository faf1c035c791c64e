"""Singular points inside (-1, 1): how large the eigenvalues that they leave behind are (docs/spectrum.md, eq. (12))."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Abs, Add, Expr, Rational, S, cos, expand_mul, gamma, pi, sqrt, sympify

from asymptok.singularities import InteriorPoint

__all__ = ["amplitude", "strongest"]


def amplitude(points: Sequence[InteriorPoint], d: Any) -> Expr | None:
    """The sum of the amplitudes of eq. (12) over the points: limsup |mu_k| k^(d/2+nu) is at most that.

    For one point it is attained: a cosine of (k + (d-2)/2) theta_0 oscillates under it.
    """
    d = sympify(d)
    found = [_of_point(p, d) for p in points]
    known = [a for a in found if a is not None]
    return Add(*known) if known and len(known) == len(found) else None


def _of_point(point: InteriorPoint, d: Expr) -> Expr | None:
    if (
        point.left is None
        or point.right is None
        or point.nu is None
        or point.location is None
        or point.log_power
    ):
        return None
    nu, u0 = point.nu, point.location
    jump = _jump(point.left, point.right, nu)
    sine_power = sqrt(1 - u0**2) ** (nu + (d - 2) / 2)
    # Gamma(d/2)/(sqrt(pi) Gamma((d-1)/2)) times 2^(1-l) Gamma(2l)/Gamma(l), l = (d-2)/2, by the duplication formula
    scale = 2 ** (d / 2 - 1) * gamma(d / 2) / pi
    # points at +-u0 of the even or odd part count once; the one at 0 is its own mirror image, and counts half
    weight = Rational(1, 2) if u0 == 0 else S.One
    return weight * scale * gamma(nu + 1) * sine_power * jump


def _jump(left: Expr, right: Expr, nu: Expr) -> Expr:
    """|left e^(i phi) + right e^(-i phi)|, phi = pi (nu+1)/2: what is smooth in the two one-sided powers cancels."""
    if nu.is_Integer:
        return Abs(expand_mul(left - (-1) ** int(nu) * right))
    return sqrt(left**2 + right**2 + 2 * left * right * cos(pi * (nu + 1)))


def strongest(points: Sequence[InteriorPoint]) -> tuple[InteriorPoint, ...]:
    """The points u0 >= 0 with the smallest exponent, the mirror images left out."""
    exponents = [p.nu for p in points if p.nu is not None]
    if len(exponents) < len(points) or not exponents:
        return tuple(points)
    least = min(exponents)
    best = [p for p in points if p.nu == least]
    return tuple(p for p in best if p.location is None or not p.location.is_negative) or tuple(best)
