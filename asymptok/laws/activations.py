"""What an activation says about the kernel of its network, whether that kernel has a closed form or not.

Activations that are analytic in a strip |Im z| < tau and no further (tanh, sigmoid, softplus, SiLU, mish): tau is the
height of their nearest singular points (`kernels.strip_points`). The Hermite coefficients fall like exp(-tau sqrt(n)),
kappa = sum a_n^2 u^n is C-infinity on [-1, 1] but not analytic at its ends, and log mu_k ~ -(3/2) (2 tau k)^(2/3) for
the parities that occur (docs/network-theory.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Expr

from asymptok.errors import AsymptokError
from asymptok.kernels.architecture import network
from asymptok.kernels.duals import as_activation
from asymptok.kernels.strip_points import nearest_points
from asymptok.kernels.strips import zero_from
from asymptok.laws.derive import decay
from asymptok.laws.results import Decay
from asymptok.laws.stretched import Stretched
from asymptok.symbols import x

__all__ = ["ActivationLaw", "StripLaw", "activation_law", "strip_law"]


@dataclass(frozen=True, slots=True)
class ActivationLaw:
    """`features` and `tangent` are the laws of the two kernels; an activation that jumps has no tangent kernel."""

    name: str
    features: Decay
    tangent: Decay | None

    @property
    def nu(self) -> Expr | None:
        """nu of the random features; one less for the tangent kernel."""
        return self.features.nu


def activation_law(activation: object) -> ActivationLaw:
    """The laws of a network with one hidden layer of these units, its diagonal kept at 1.

    >>> activation_law("selu").nu, activation_law("elu").nu, activation_law("sigmoid").features.odd.stretched.tau
    (3/2, 5/2, pi)
    """
    phi = as_activation(activation)
    features = decay(network(2, phi))
    try:
        tangent = decay(network(2, phi, tangent=True))
    except AsymptokError:
        tangent = None  # an activation that jumps has none
    return ActivationLaw(phi.name or str(phi.expr), features, tangent)


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

    The singular points are found exactly; a zero of a denominator that the numerator shares is none.

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
    points = nearest_points(phi.expr)
    if not points:
        raise AsymptokError(
            f"{phi.name or phi.expr} has no singular point in the plane: decay(dual(...)) gives its law"
        )
    return StripLaw(points[0].height / sympy.sqrt(v), zero_from(phi.expr, 0), zero_from(phi.expr, 1))
