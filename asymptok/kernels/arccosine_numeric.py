"""Another door to `asymptok.functions.arccosine_numeric`."""

from __future__ import annotations

from asymptok.functions.arccosine_numeric import (
    arccosine_mpmath,
    arccosine_numpy,
    arccosine_value,
    odd_factorial,
    polynomials,
)

__all__ = ["arccosine_mpmath", "arccosine_numpy", "arccosine_value", "odd_factorial", "polynomials"]
