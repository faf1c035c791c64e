"""What the shape of a dot-product kernel says about its spectrum: expansions, decay laws, eigenvalues, verdicts.

Names that need more than the expander are loaded when they are first used, so that importing the package costs
little more than importing SymPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from asymptok import kernels
from asymptok.errors import AsymptokError, ExpansionError, ParseError, PrecisionError, Undecided
from asymptok.expansion import Expansion, Term, expand, puiseux
from asymptok.kernels import activations
from asymptok.kernels.kernel import Kernel
from asymptok.symbols import d, k, t, u

if TYPE_CHECKING:
    from asymptok.kernels.duals import dual
    from asymptok.laws import Decay, Estimate, ParityDecay
    from asymptok.laws.derive import decay
    from asymptok.meaning.function_space import Consequences, consequences
    from asymptok.regularity import Singularities, analyse
    from asymptok.reporting import Bibliography, Table, cite, report
    from asymptok.reporting.entries import table
    from asymptok.reporting.plots import plot_decay
    from asymptok.spectrum import Spectrum, Sweep, eigenvalues, multiplicity
    from asymptok.spectrum.grid import sweep
    from asymptok.theorems import THEOREMS, Condition, ConditionReport, Theorem, applicable_theorems
    from asymptok.theorems.judge import check
    from asymptok.verification import Verification
    from asymptok.verification.compare import verify

__version__ = "0.1.0"

_LATER = {
    "asymptok.kernels.duals": ("dual",),
    "asymptok.laws": ("Decay", "Estimate", "ParityDecay", "decay"),
    "asymptok.meaning.function_space": ("Consequences", "consequences"),
    "asymptok.reporting.plots": ("plot_decay",),
    "asymptok.reporting": ("Bibliography", "Table", "cite", "report", "table"),
    "asymptok.regularity": ("Singularities", "analyse"),
    "asymptok.spectrum": ("Spectrum", "Sweep", "eigenvalues", "multiplicity", "sweep"),
    "asymptok.theorems": (
        "THEOREMS",
        "Condition",
        "ConditionReport",
        "Theorem",
        "applicable_theorems",
        "check",
    ),
    "asymptok.verification": ("Verification", "verify"),
}
_HOME = {name: module for module, names in _LATER.items() for name in names}

__all__ = [
    "THEOREMS",
    "AsymptokError",
    "Bibliography",
    "Condition",
    "ConditionReport",
    "Consequences",
    "Decay",
    "Estimate",
    "Expansion",
    "ExpansionError",
    "Kernel",
    "ParityDecay",
    "ParseError",
    "PrecisionError",
    "Singularities",
    "Spectrum",
    "Sweep",
    "Table",
    "Term",
    "Theorem",
    "Undecided",
    "Verification",
    "activations",
    "analyse",
    "applicable_theorems",
    "check",
    "cite",
    "consequences",
    "d",
    "decay",
    "dual",
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


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'asymptok' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
