"""What the shape of a dot-product kernel says about its spectrum: expansions, decay laws, eigenvalues, verdicts."""

from asymptok import kernels
from asymptok.consequences import Consequences, consequences
from asymptok.decay import Decay, ParityDecay, decay
from asymptok.errors import AsymptokError, ExpansionError, ParseError, PrecisionError, Undecided
from asymptok.expansion import Expansion, Term, expand, puiseux
from asymptok.kernels.kernel import Kernel
from asymptok.plotting import plot_decay
from asymptok.report import Table, cite, report, table
from asymptok.spectrum import Spectrum, Sweep, eigenvalues, multiplicity, sweep
from asymptok.symbols import d, k, t, u
from asymptok.theorems import Condition, ConditionReport, Theorem, applicable_theorems, check
from asymptok.verification import Verification, verify

__version__ = "0.1.0"

__all__ = [
    "AsymptokError",
    "Condition",
    "ConditionReport",
    "Consequences",
    "Decay",
    "Expansion",
    "ExpansionError",
    "Kernel",
    "ParityDecay",
    "ParseError",
    "PrecisionError",
    "Spectrum",
    "Sweep",
    "Table",
    "Term",
    "Theorem",
    "Undecided",
    "Verification",
    "applicable_theorems",
    "check",
    "cite",
    "consequences",
    "d",
    "decay",
    "eigenvalues",
    "expand",
    "k",
    "kernels",
    "multiplicity",
    "plot_decay",
    "puiseux",
    "report",
    "sweep",
    "t",
    "table",
    "u",
    "verify",
]
