"""One line for each activation: nu of both kernels of a network with one hidden layer, and the kind of decay."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from asymptok.errors import AsymptokError
from asymptok.kernels.architecture import network
from asymptok.kernels.duals import as_activation
from asymptok.laws import Decay
from asymptok.laws.derive import decay

__all__ = ["ActivationLaw", "activation_law"]


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
