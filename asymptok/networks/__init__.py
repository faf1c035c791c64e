"""What an activation says about the kernel of its network, whether that kernel has a closed form or not."""

from __future__ import annotations

from asymptok.networks.laws_of_activations import ActivationLaw, activation_law
from asymptok.networks.strip import StripLaw, strip_law

__all__ = ["ActivationLaw", "StripLaw", "activation_law", "strip_law"]
