"""The constant in front of rho^-k: what the nearest singular points outside of [-1, 1] leave in mu_k.

A term c (z-u)^nu with z = (r + 1/r)/2, |r| = 1/rho, leaves (docs/spectrum.md, eq. (12b))
    c (2r)^(-nu) (1-r^2)^(nu+d/2-1) Gamma(d/2)/Gamma(-nu) r^k k^(-nu-d/2) (1 + O(1/k)),
with (-1)^(n+1) n! for 1/Gamma(-nu) if it is c (z-u)^n log(z-u). The constant is exact, but that it is the one of the
sheet of kappa, and that the other points of the ellipse leave nothing, is seen numerically (`sheets`): an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy
from flint import arb, fmpq
from sympy import Abs, Add, ComplexRootOf, Expr, I, Rational, S, factorial, gamma, re, sqrt

from asymptok.errors import AsymptokError
from asymptok.expansion import Term, puiseux
from asymptok.kernels.kernel import Kernel
from asymptok.laws.sheets import FarPoint, FarTerm, far_points
from asymptok.laws.terms import vanishes
from asymptok.regularity.rho import number_ball
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = ["GeometricLead", "geometric_lead"]


@dataclass(frozen=True, slots=True)
class GeometricLead:
    """The leading term c (z-u)^nu (log(z-u))^j at the nearest points z; a real z < 0 counts at -z, times (-1)^k.

    `turning`: z is a pair of complex points z and its conjugate, off the imaginary axis, and the sign of mu_k varies.
    """

    nu: Expr
    log_power: int
    location: Expr
    coefficient: Expr
    parity: int
    turning: bool

    @property
    def one_sign(self) -> bool:
        """Whether the constant is a limit: the points are real."""
        return bool(self.location.is_real)

    def exponent(self, d: Expr) -> Expr:
        """The power of k beside rho^-k."""
        return -self.nu - d / 2

    def constant(self, d: Expr) -> Expr:
        """lim mu_k rho^k k^-exponent(d) for real points, limsup |mu_k| rho^k k^-exponent(d) for complex ones.

        >>> lead = geometric_lead(Kernel("1/(5 - 4*u)"), 1)
        >>> lead.constant(S(3)), lead.exponent(S(3))
        (sqrt(3)*sqrt(pi)/12, -1/2)
        """
        value = self.complex_constant(d)
        if self.one_sign:
            return value
        return 2 * Abs(value if self.turning else re(value, evaluate=False), evaluate=False)

    def constant_ball(self, d: int) -> arb:
        """constant(d) as a ball."""
        value = number_ball(self.complex_constant(S(d)))
        if self.one_sign:
            return value.real
        return 2 * abs(value if self.turning else value.real)

    def complex_constant(self, d: Expr) -> Expr:
        """The factor of (rho r)^k before conjugates are added; on the imaginary axis with i^-k put in."""
        z = self.location
        r = z - sqrt(z**2 - 1) if z.is_real else 1 / (z + sqrt(z - 1) * sqrt(z + 1))
        whole = factorial(self.nu) * (-1) ** (self.nu + 1) if self.log_power else 1 / gamma(-self.nu)
        value = self.coefficient * (2 * r) ** (-self.nu) * (1 - r**2) ** (self.nu + d / 2 - 1)
        return value * gamma(d / 2) * whole * (1 if z.is_real or self.turning else (-I) ** self.parity)


def geometric_lead(kernel: Kernel, sign: int) -> GeometricLead | None:
    """The lead of one parity of an analytic kernel; None where it is not known exactly.

    Points of the same rho count together: only a real pair z, -z, or one complex point with its conjugate, is settled.
    """
    if kernel.parameters:
        return None
    points, rest = far_points(kernel.expr)
    if not points:
        return None
    nearest = [p for p in points if p.rate < points[0].rate * (1 + 1e-12)]
    # SymPy takes no conjugate of an expression in a root without a formula
    if rest <= points[0].rate * (1 + 1e-12) or any(p.location.has(ComplexRootOf) for p in nearest):
        return None
    if all(p.real for p in nearest):
        return _real(kernel, nearest, sign)
    return _complex(kernel, nearest, sign)


def _order(term: FarTerm) -> tuple[fmpq, int]:
    return term.exponent, -term.log_power


def _real(kernel: Kernel, nearest: Sequence[FarPoint], sign: int) -> GeometricLead | None:
    first = min((_order(p.terms[0]) for p in nearest), default=None)
    found: list[tuple[Expr, Expr]] = []
    for p in nearest:
        if first is None or _order(p.terms[0]) != first:
            continue
        right = bool(p.ball.real > 0)
        try:
            exact = puiseux(kernel.expr, u, p.location, "-" if right else "+", 4).first(_is_singular)
        except AsymptokError:
            return None
        if exact is None or (_fraction(exact.exponent), -exact.log_power) != first:
            return None
        if not number_ball(exact.coefficient).overlaps(p.terms[0].coefficient):
            return None  # the expression beyond [-1, 1] is on another sheet than kappa: (x^2)^(1/2) past a zero of x
        found.append((p.location if right else -p.location, exact.coefficient * (1 if right else sign)))
    if not found or first is None:
        return None
    nu, j = Rational(int(first[0].p), int(first[0].q)), -first[1]
    total = Add(*[c for _, c in found])
    if j > 1 or (j and not (nu.is_Integer and nu >= 0)) or vanishes(total, kernel) is not Truth.FALSE:
        return None
    return GeometricLead(nu, j, found[0][0], total, 0 if sign == 1 else 1, False)


def _is_singular(term: Term) -> bool:
    return bool(term.log_power or not term.exponent.is_Integer or term.exponent.is_negative)


def _fraction(value: Expr) -> fmpq | None:
    return fmpq(int(value.p), int(value.q)) if isinstance(value, Rational) else None


def _complex(kernel: Kernel, nearest: Sequence[FarPoint], sign: int) -> GeometricLead | None:
    """One pole in the upper half plane, of a rational function, or the point of the leading function itself."""
    if len(nearest) != 1:
        return None
    point = nearest[0]
    z, term = point.location, point.terms[0]
    exponent = Rational(int(term.exponent.p), int(term.exponent.q))
    exact = _exact_coefficient(kernel.expr, z, exponent, term.log_power)
    if exact is None or not number_ball(exact).overlaps(term.coefficient):
        return None
    upright = bool(number_ball(z).real.is_zero())
    lead = GeometricLead(exponent, term.log_power, z, exact, 0 if sign == 1 else 1, not upright)
    value = number_ball(lead.complex_constant(S(3)))
    return None if (value.real if upright else value).contains(0) else lead


def _exact_coefficient(expr: Expr, z: Expr, nu: Expr, log_power: int) -> Expr | None:
    """c of c (z-u)^nu: by a limit for rational functions; for a + b f(x), x affine or quadratic, from f itself."""
    if expr.is_rational_function(u) and nu.is_Integer and not log_power:
        top, bottom = sympy.fraction(sympy.together(expr))
        m = -int(nu)
        return (-1) ** m * factorial(m) * top.subs(u, z) / bottom.diff(u, m).subs(u, z)
    factor, node = expr.as_independent(u, as_Add=True)[1].as_independent(u, as_Add=False)
    if node.is_Pow and node.base.is_polynomial(u) and node.exp == nu and not log_power:
        slope = -node.base.diff(u).subs(u, z)
        return factor * slope**nu
    if isinstance(node, sympy.log) and node.args[0].is_polynomial(u) and log_power == 1 and nu == 0:
        return factor
    if isinstance(node, sympy.atan) and node.args[0].is_polynomial(u) and log_power == 1 and nu == 0:
        # atan x = (log(1 + ix) - log(1 - ix))/(2i)
        return factor / (2 * I) * (1 if sympy.expand(node.args[0].subs(u, z) - I) == 0 else -1)
    return None
