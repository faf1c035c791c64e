"""The constant in front of rho^-k: what the nearest singular points outside of [-1, 1] leave in mu_k.

A term c (z-u)^nu with z = (r + 1/r)/2, |r| = 1/rho, leaves (docs/spectrum.md, eq. (12b))
    c (2r)^(-nu) (1-r^2)^(nu+d/2-1) Gamma(d/2)/Gamma(-nu) r^k k^(-nu-d/2) (1 + O(1/k)),
and c (z-u)^nu (log(z-u))^j that times (-log k)^j, or, for nu = n = 0, 1, 2, ..., with j (-1)^(n+1) n! (-log k)^(j-1) in
place of 1/Gamma(-nu). The constant is exact, but that it is the one of the sheet of kappa, and that the other points
of the ellipse leave nothing, is seen numerically (`sheets`): an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy
from flint import arb
from sympy import Abs, Add, ComplexRootOf, Expr, I, Mul, S, conjugate, factorial, gamma, re, sqrt

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
    `mirrored` is the coefficient at -z, if -z and its conjugate are singular points as well.
    """

    nu: Expr
    logs: int
    location: Expr
    coefficient: Expr
    parity: int
    turning: bool
    mirrored: Expr = S.Zero

    @property
    def one_sign(self) -> bool:
        """Whether the constant is a limit: the points are real."""
        return bool(self.location.is_real)

    @property
    def log_power(self) -> int:
        """The power of log k: a whole nu >= 0 swallows one logarithm."""
        return self.logs - int(self._swallows)

    @property
    def _swallows(self) -> bool:
        return bool(self.nu.is_Integer and self.nu >= 0)

    def exponent(self, d: Expr) -> Expr:
        """The power of k beside rho^-k."""
        return -self.nu - d / 2

    def constant(self, d: Expr) -> Expr:
        """lim mu_k rho^k k^-exponent(d) (log k)^-log_power for real points, limsup of its modulus for complex ones.

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
        value = self._at(z, self.coefficient, d)
        if self.mirrored != 0:
            value += (-1) ** self.parity * self._at(-z, self.mirrored, d)
        return value * (1 if z.is_real or self.turning else (-I) ** self.parity)

    def _at(self, z: Expr, c: Expr, d: Expr) -> Expr:
        r = z - sqrt(z**2 - 1) if z.is_real else 1 / (z + sqrt(z - 1) * sqrt(z + 1))
        sign = (-1) ** self.log_power
        whole = (
            self.logs * factorial(self.nu) * (-1) ** (self.nu + 1) if self._swallows else 1 / gamma(-self.nu)
        )
        return c * sign * (2 * r) ** (-self.nu) * (1 - r**2) ** (self.nu + d / 2 - 1) * gamma(d / 2) * whole


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


def _order(term: FarTerm | Term) -> tuple[float, int]:
    """Ascending: what leads comes first."""
    return float(term.exponent), -term.log_power


def _real(kernel: Kernel, nearest: Sequence[FarPoint], sign: int) -> GeometricLead | None:
    first = min((_order(p.terms[0]) for p in nearest), default=None)
    found: list[tuple[FarTerm, Expr, Expr]] = []
    for p in nearest:
        if first is None or _order(p.terms[0]) != first:
            continue
        right = bool(p.ball.real > 0)
        try:
            exact = puiseux(kernel.expr, u, p.location, "-" if right else "+", 4).first(_is_singular)
        except AsymptokError:
            return None
        lead = p.terms[0]
        if exact is None or (exact.exponent, exact.log_power) != (lead.exponent, lead.log_power):
            return None
        if not number_ball(exact.coefficient).overlaps(p.terms[0].coefficient):
            return None  # the expression beyond [-1, 1] is on another sheet than kappa: (x^2)^(1/2) past a zero of x
        place, c = (p.location, exact.coefficient) if right else (-p.location, sign * exact.coefficient)
        found.append((lead, place, c))
    total = Add(*[c for _, _, c in found])
    if not found or vanishes(total, kernel) is not Truth.FALSE:
        return None
    lead, place, _ = found[0]
    if any(other.exponent != lead.exponent for other, _, _ in found):
        return None
    return GeometricLead(lead.exponent, lead.log_power, place, total, 0 if sign == 1 else 1, False)


def _is_singular(term: Term) -> bool:
    return bool(term.log_power or not term.exponent.is_Integer or term.exponent.is_negative)


def _complex(kernel: Kernel, nearest: Sequence[FarPoint], sign: int) -> GeometricLead | None:
    """One point of the upper half plane, or two that are mirror images of each other, with the same leading powers."""
    point, *others = sorted(nearest, key=lambda p: -float(p.ball.real.mid()))
    lead, z = point.terms[0], point.location
    if len(others) > 1 or any(sympy.expand(p.location + conjugate(z)) != 0 for p in others):
        return None
    others = [p for p in others if _order(p.terms[0]) <= _order(lead)]
    if any(_order(p.terms[0]) < _order(lead) for p in others):
        (point,), others = others, []  # the other one is smaller
        lead, z = point.terms[0], point.location
    found = []
    for place, numeric in [
        (z, lead.coefficient),
        *((-z, p.terms[0].coefficient.conjugate()) for p in others),
    ]:
        exact = _exact_coefficient(kernel.expr, place, lead.exponent, lead.log_power)
        if exact is None or not number_ball(exact).overlaps(numeric):
            return None
        found.append(exact)
    upright = bool(number_ball(z).real.is_zero())
    law = GeometricLead(
        lead.exponent, lead.log_power, z, found[0], 0 if sign == 1 else 1, not upright, Add(*found[1:])
    )
    value = number_ball(law.complex_constant(S(3)))
    return None if (value.real if upright else value).contains(0) else law


def _exact_coefficient(expr: Expr, z: Expr, nu: Expr, log_power: int) -> Expr | None:
    """c of c (z-u)^nu (log(z-u))^j, the leading term: by a limit for rational functions, else summand by summand."""
    if expr.is_rational_function(u) and nu.is_Integer and not log_power:
        top, bottom = sympy.fraction(sympy.together(expr))
        m = -int(nu)
        return (-1) ** m * factorial(m) * top.subs(u, z) / bottom.diff(u, m).subs(u, z)
    total: Expr = S.Zero
    for summand in Add.make_args(sympy.expand_mul(expr)):
        leads = [_lead_of(factor, z) for factor in Mul.make_args(summand)]
        if (Add(*(e for e, _, _ in leads)), sum(j for _, j, _ in leads)) == (nu, log_power):
            total += Mul(*(c for _, _, c in leads))
    return total if number_ball(total).is_finite() else None


def _lead_of(factor: Expr, z: Expr) -> tuple[Expr, int, Expr]:
    """(e, j, c) of the leading term c (z-u)^e (log(z-u))^j of a power or logarithm of a polynomial with a simple zero
    at z, or of an inverse tangent; (0, 0, value at z) for what has none there.
    """
    base, power = factor.as_base_exp() if not isinstance(factor, sympy.exp) else (factor, S.One)
    inner = base.args[0] if isinstance(base, sympy.log | sympy.atan) else base
    value = sympy.expand(inner.subs(u, z)) if inner.is_polynomial(u) else None
    if isinstance(base, sympy.log) and value == 0 and power.is_Integer and power > 0:
        return S.Zero, int(power), S.One
    if isinstance(base, sympy.atan) and value in (I, -I) and power == 1:
        # atan x = (log(1 + ix) - log(1 - ix))/(2i)
        return S.Zero, 1, (1 if value == I else -1) / (2 * I)
    if base.is_polynomial(u) and value == 0:
        return power, 0, (-base.diff(u).subs(u, z)) ** power
    return S.Zero, 0, factor.subs(u, z)
