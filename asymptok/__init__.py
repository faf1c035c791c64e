"""What the shape of a dot-product kernel says about its spectrum: expansions, decay laws, verdicts."""

from asymptok import kernels
from asymptok.errors import AsymptokError, ExpansionError, ParseError, PrecisionError, Undecided
from asymptok.expansion import Expansion, Term, expand, puiseux
from asymptok.kernels.kernel import Kernel
from asymptok.symbols import d, k, t, u

__version__ = "0.1.0"

__all__ = [
    "AsymptokError",
    "Expansion",
    "ExpansionError",
    "Kernel",
    "ParseError",
    "PrecisionError",
    "Term",
    "Undecided",
    "d",
    "expand",
    "k",
    "kernels",
    "puiseux",
    "t",
    "u",
]
