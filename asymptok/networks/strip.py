"""Activations that are analytic in a strip |Im z| < tau and no further: tanh, sigmoid, softplus, SiLU, mish.

They are rational functions, or logarithms of such, of E = exp(c z), times polynomials in z. A zero E_0 of a denominator
or of the argument of a logarithm is a singular point at height |arg E_0|/c, and tau is the least of these heights. The
Hermite coefficients then fall like exp(-tau sqrt(n)), kappa = sum a_n^2 u^n is C-infinity on [-1, 1] but not analytic
at its ends, and log mu_k ~ -(3/2) (2 tau k)^(2/3) for the parities that occur (docs/networks.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Expr

from asymptok.errors import AsymptokError
from asymptok.kernels.duals import as_activation
from asymptok.kernels.strips import heights, zero_from
from asymptok.laws.stretched import Stretched
from asymptok.symbols import x

__all__ = ["StripLaw", "strip_law"]


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
        return Stretched(self.tau).log_rate

    def __str__(self) -> str:
        return f"log mu_k ~ {sympy.sstr(self.log_rate)} (analytic in |Im z| < {sympy.sstr(self.tau)})"


def strip_law(activation: object, variance: object = 1) -> StripLaw:
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
    found = heights(phi.expr)
    if not found:
        raise AsymptokError(
            f"{phi.name or phi.expr} has no singular point in the plane: decay(dual(...)) gives its law"
        )
    least = found[0]
    for other in found[1:]:
        if (other - least).is_negative:
            least = other
    return StripLaw(least / sympy.sqrt(v), zero_from(phi.expr, 0), zero_from(phi.expr, 1))
