"""Another door to `asymptok.functions.arccosine`."""

from __future__ import annotations

from asymptok.functions.arccosine import ArcCosine, kappa0, kappa1

__all__ = ["ArcCosine", "kappa0", "kappa1"]
