"""Local expansions of functions, one rule each; importing this package fills the table."""

from asymptok.series.functions import (
    bessel,
    depth,
    exponential,
    hypergeometric,
    inverse,
    orthant,
    selection,
    special,
)
from asymptok.series.functions.registry import Context, expands, known_functions

__all__ = [
    "Context",
    "bessel",
    "depth",
    "expands",
    "exponential",
    "hypergeometric",
    "inverse",
    "known_functions",
    "orthant",
    "selection",
    "special",
]
