"""Activations that are analytic in a strip |Im z| < tau and no further: tanh, sigmoid, softplus, SiLU, mish.

They are rational functions, or logarithms of such, of E = exp(c z), times polynomials in z. A zero E_0 of a denominator
or of the argument of a logarithm is a singular point at height |arg E_0|/c, and tau is the least of these heights. The
Hermite coefficients then fall like exp(-tau sqrt(n)), kappa = sum a_n^2 u^n is C-infinity on [-1, 1] but not analytic
at its ends, and log mu_k ~ -(3/2) (2 tau k)^(2/3) for the parities that occur (docs/networks.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Dummy, Expr, Poly, PolynomialError, Rational, S, Symbol, exp, log

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.kernels.duals import as_activation
from asymptok.symbols import k, x

__all__ = ["StripLaw", "strip_law"]

_HYPERBOLIC = (sympy.tanh, sympy.coth, sympy.sech, sympy.csch, sympy.sinh, sympy.cosh)


@dataclass(frozen=True, slots=True)
class StripLaw:
    """log mu_k ~ -(3/2) (2 tau k)^(2/3): between every power and every geometric rate.

    `even_zero_from` and `odd_zero_from` are set where the even or odd part of the activation is a polynomial: from that
    degree on the eigenvalues of the parity are exactly zero, and the law speaks of the others.

    >>> strip_law("tanh").tau, strip_law("mish").tau
    (pi/2, 3*pi/4)
    """

    tau: Expr
    even_zero_from: int | None = None
    odd_zero_from: int | None = None

    @property
    def log_rate(self) -> Expr:
        """The leading term of log mu_k, an expression in k."""
        return -Rational(3, 2) * (2 * self.tau * k) ** Rational(2, 3)

    def __str__(self) -> str:
        return f"log mu_k ~ {sympy.sstr(self.log_rate)} (analytic in |Im z| < {sympy.sstr(self.tau)})"


def strip_law(activation: Any, variance: Any = 1) -> StripLaw:
    """The width of the strip of an activation, and the law that follows; AsymptokError where the method does not reach.

    The singular points of the formula are found exactly. That each is one of the activation (and not removable) is
    checked for poles; a logarithm is singular where its argument vanishes.

    >>> strip_law("sigmoid").log_rate
    -3*2**(2/3)*pi**(2/3)*k**(2/3)/2
    >>> strip_law("tanh", variance=4).tau
    pi/4
    """
    phi = as_activation(activation)
    v = sympy.sympify(variance)
    if v.is_positive is not True:
        raise AsymptokError(f"the variance of the input is a positive number, not {variance}")
    if phi.expr.free_symbols - {x}:
        raise AsymptokError("give values to the parameters of the activation first")
    heights = _heights(phi.expr)
    if not heights:
        raise AsymptokError(
            f"{phi.name or phi.expr} has no singular point in the plane: decay(dual(...)) gives its law"
        )
    least = heights[0]
    for other in heights[1:]:
        if (other - least).is_negative:
            least = other
    return StripLaw(least / sympy.sqrt(v), _zero_from(phi.expr, 0), _zero_from(phi.expr, 1))


def _zero_from(expr: Expr, parity: int) -> int | None:
    """The degree from which mu_k = 0 for k of that parity, if that part of the activation is a polynomial.

    phi(x) + s phi(-x) is a polynomial if and only if its derivative phi'(x) - s phi'(-x) is one, and the derivative has
    no logarithms left.
    """
    s = -1 if parity else 1
    slope, E, z, _ = _in_exponentials(sympy.diff(expr, x))
    if slope.atoms(log):
        return None
    part = sympy.cancel(sympy.together(slope - s * slope.subs({E: 1 / E, z: -z}, simultaneous=True)))
    if E in part.free_symbols or not part.is_polynomial(z):
        return None
    degree = 0 if part == 0 else int(Poly(part, z).degree()) + 1
    if part == 0 and parity == 0 and expr.subs(x, 0) == 0:
        degree = -1
    first = max(degree + 1, parity)
    return first if first % 2 == parity else first + 1


def _in_exponentials(expr: Expr) -> tuple[Expr, Symbol, Symbol, Expr]:
    """The activation as an expression in z = x and E = exp(c x), with c."""
    plain = dag.rebuild(expr, {n: n.rewrite(exp) for n in expr.atoms(*_HYPERBOLIC)})
    exponents = [node.args[0] for node in plain.atoms(exp)]
    if not exponents or any(not (e / x).is_Rational for e in exponents):
        raise AsymptokError(f"{expr} is not built of exponentials exp(c x) with rational c")
    unit = sympy.gcd_list([sympy.Abs(e / x) for e in exponents])
    E, z = Dummy("E", positive=True), Dummy("z", real=True)
    named = dag.rebuild(plain, {exp(e): E ** (e / x / unit) for e in exponents})
    return named.subs(x, z), E, z, unit


def _heights(expr: Expr) -> list[Expr]:
    """|Im z| of the singular points nearest to the real axis, one for each zero of a denominator or logarithm."""
    plain, E, _, unit = _in_exponentials(expr)
    found: list[Expr] = []
    logs = plain.atoms(log)
    for node in logs:
        found += _arguments(node.args[0], E, both=True)
    outside = dag.rebuild(plain, {node: Dummy() for node in logs})
    found += _arguments(outside, E, both=False)
    return [height / unit for height in found]


def _arguments(expr: Expr, E: Symbol, both: bool) -> list[Expr]:
    """|arg| of the non-zero roots of the denominator (and of the numerator)."""
    numerator, denominator = sympy.fraction(sympy.cancel(sympy.together(expr)))
    found = []
    for part in (denominator, numerator) if both else (denominator,):
        try:
            poly = Poly(part, E)
        except PolynomialError:
            raise AsymptokError("the activation is no rational function of exponentials") from None
        if poly.degree() < 1:
            continue
        if not poly.domain.is_QQ and not poly.domain.is_ZZ:
            raise AsymptokError(
                "the activation is no rational function of exponentials over the rational numbers"
            )
        y = Dummy("y")  # a positive symbol would hide the complex roots
        roots = sympy.roots(Poly(poly.as_expr().subs(E, y), y))
        for root in roots:
            if root != 0:
                height = sympy.Abs(sympy.arg(root))
                if height == S.Zero:
                    raise AsymptokError("the activation is singular on the real axis")
                found.append(height)
        if sum(roots.values()) != poly.degree():
            raise AsymptokError("the singular points of the activation have no closed form")
    return found
