"""Local expansions of functions, one rule each; importing this package fills the table."""

from asymptok.series.functions import bessel, exponential, hypergeometric, inverse, selection, special, zonal
from asymptok.series.functions.registry import Context, expands, known_functions

__all__ = [
    "Context",
    "bessel",
    "expands",
    "exponential",
    "hypergeometric",
    "inverse",
    "known_functions",
    "selection",
    "special",
    "zonal",
]
