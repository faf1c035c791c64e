"""A kernel as a sum of analytic functions times powers of polynomials, logarithms of them or inverse tangents.

With zeta = u + sqrt(u^2-1), |zeta| > 1, and a root z = (r + 1/r)/2, |r| < 1, put
    L_z = log z - log(1+r^2) + log(1 - r zeta) + log(1 - r/zeta),
which is log(z-u), with its cut along the arc zeta = s/r, s >= 1 (and L_-z(-u) = log(u-z) if Re z < 0). A polynomial
without roots in [-1, 1] is c exp(sum L_z), and its powers are c^q exp(sum q L_z).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import sympy
from flint import acb, arb
from sympy import Add, Expr, Mul, S
from sympy.polys.polyerrors import BasePolynomialError

from asymptok.atlas.local import Unproved
from asymptok.balls import ball, complex_ball
from asymptok.functions.cuts import off_negative_axis
from asymptok.symbols import u

#: of polynomials, and of the multiplicity of their roots
_LARGEST_DEGREE, _LARGEST_ORDER = 12, 6


@dataclass(frozen=True)
class Root:
    """A root with what L_z needs; q is its exponent, or the coefficient of L_z."""

    z: Expr
    q: Expr

    @property
    def side(self) -> int:
        """-1 if log(u-z) is meant."""
        return -1 if point(self.z).real < 0 else 1

    @property
    def weight(self) -> acb:
        """q as a ball."""
        return point(self.q)

    def log(self, zeta: acb) -> acb:
        """L_z; both sides of the arc where a ball meets it."""
        place = self.side * point(self.z)
        r, at = 1 / zeta_of(place), self.side * zeta
        return place.log() - (1 + r * r).log() + (1 - r * at).log() + (1 - r / at).log()

    def regular(self, zeta: acb) -> bool:
        """Whether a ball misses the arc, and its image under zeta -> 1/zeta."""
        r = self.side / zeta_of(self.side * point(self.z))
        return off_negative_axis(1 - r * zeta) and off_negative_axis(1 - r / zeta)


@dataclass(frozen=True)
class Summand:
    """g times c exp(sum q L_z), or with `logs` g times (c + sum q L_z); roots with their conjugates."""

    g: Expr
    c: arb
    roots: tuple[Root, ...]
    logs: bool

    def factor(self, x: acb, zeta: acb, without: Root | None = None) -> acb:
        """The factor beside g at u = x, or h/g at a root."""
        if self.logs:
            if without is not None:
                return without.weight
            return sum((r.weight * r.log(zeta) for r in self.roots), acb(self.c))
        product = acb(self.c)
        for r in self.roots:
            product = product if r is without else product * power_at(r, r.q, x, zeta)
        return product


def power_at(root: Root, exponent: Expr, x: acb, zeta: acb) -> acb:
    """(z-u)^e at u = x, or (u-z)^e; whole powers do not see the arc."""
    if exponent.is_Integer:
        return (root.side * (point(root.z) - x)) ** int(exponent)
    return (root.log(zeta) * ball(exponent)).exp()


def point(z: Expr) -> acb:
    """A complex ball around a point."""
    return acb(ball(z)) if z.is_real else complex_ball(z)


def zeta_of(z: acb) -> acb:
    return z + (z - 1).sqrt() * (z + 1).sqrt()


def summands_of(expr: Expr) -> tuple[Summand, ...]:
    """The kernel as a sum; Unproved if a summand is not of this kind."""
    apart = sympy.apart(expr, u) if expr.is_rational_function(u) else sympy.expand_mul(expr)
    return tuple(_summand(part) for part in Add.make_args(apart))


def _summand(part: Expr) -> Summand:
    g: list[Expr] = []
    powers: list[Expr] = []
    logs: list[Expr] = []
    for factor in Mul.make_args(part):
        power = factor.is_Pow and factor.func is not sympy.exp
        inner = factor.base if power else factor.args[0] if factor.args else S.One
        if not inner.has(u) or not inner.is_polynomial(u):
            g.append(factor)
        elif power and factor.exp.is_Rational and not (factor.exp.is_Integer and factor.exp > 0):
            powers.append(factor)
        elif isinstance(factor, sympy.log | sympy.atan) and len(factor.args) == 1:
            logs.append(factor)
        else:
            g.append(factor)
    if len(logs) > 1 or (logs and powers):
        raise Unproved("a logarithm beside another singular factor")
    roots: list[Root] = []
    c = arb(1)
    for factor in powers:
        found = _roots(factor.base)
        mine = [Root(z, factor.exp * n) for z, n in found]
        value = ball(factor.base.subs(u, 0))
        if not factor.exp.is_Integer and not value > 0:
            raise Unproved(f"{factor} is not real")
        # c exp(sum q L) = the factor at u = 0, where zeta = i
        base = value / sum((point(r.q / factor.exp) * r.log(acb(0, 1)) for r in mine), acb(0)).exp().real
        c = c * (base ** int(factor.exp) if factor.exp.is_Integer else base ** ball(factor.exp))
        roots += mine
    if logs:
        roots, c = _logarithm(logs[0])
    return Summand(Mul(*g), c, tuple(roots), bool(logs))


def _logarithm(factor: Expr) -> tuple[list[Root], arb]:
    """c + sum q L_z for log p, and for atan(a u + b): atan' = Re of i/(z-u), z = (i-b)/a."""
    inner = factor.args[0]
    if isinstance(factor, sympy.atan):
        if sympy.degree(inner, u) != 1:
            raise Unproved("atan of a polynomial of higher degree")
        sign = 1 if ball(inner.coeff(u, 1)) > 0 else -1
        z = sympy.expand((S.ImaginaryUnit - sign * inner.coeff(u, 0)) / (sign * inner.coeff(u, 1)))
        half = sign * S.ImaginaryUnit / 2
        roots = [Root(z, -half), Root(sympy.conjugate(z), half)]
    else:
        roots = [Root(z, S(n)) for z, n in _roots(inner)]
    value = ball(factor.subs(u, 0))
    if not value.is_finite():
        raise Unproved(f"{factor} is not real")
    return roots, value - sum((r.weight * r.log(acb(0, 1)) for r in roots), acb(0)).real


@lru_cache(maxsize=256)
def _roots(polynomial: Expr) -> tuple[tuple[Expr, int], ...]:
    """All roots; factors of degree 1 and 2 are solved."""
    try:
        poly = sympy.Poly(polynomial, u, domain="QQ")
    except BasePolynomialError as error:
        raise Unproved(f"{polynomial} has coefficients that are not rational") from error
    if poly.degree() > _LARGEST_DEGREE:
        raise Unproved("a polynomial of high degree")
    found: list[tuple[Expr, int]] = []
    for factor, power in poly.factor_list()[1]:
        if factor.degree() > 2 or power > _LARGEST_ORDER:
            raise Unproved("a polynomial whose roots are not written down")
        found += [(z, power) for z in sympy.roots(factor)]
    return tuple(found)


__all__ = ["Root", "Summand", "point", "power_at", "summands_of", "zeta_of"]
