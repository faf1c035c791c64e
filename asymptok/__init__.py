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
from asymptok.kernels import arrays
from asymptok.kernels.kernel import Kernel
from asymptok.symbols import d as d
from asymptok.symbols import k as k
from asymptok.symbols import t as t
from asymptok.symbols import u as u
from asymptok.version import __version__ as __version__

if TYPE_CHECKING:
    from asymptok.laws import Decay, Estimate, ParityDecay
    from asymptok.laws.derive import decay
    from asymptok.meaning.function_space import Consequences, consequences
    from asymptok.regularity import Singularities, analyse
    from asymptok.reporting import Bibliography, Table, cite, report
    from asymptok.reporting.entries import table
    from asymptok.reporting.figures import plot_decay
    from asymptok.spectrum import Spectrum, Sweep, eigenvalues, multiplicity
    from asymptok.spectrum.grid import sweep
    from asymptok.theorems import THEOREMS, Condition, ConditionReport, Theorem, applicable_theorems
    from asymptok.theorems.judge import check
    from asymptok.verification import Verification
    from asymptok.verification.compare import verify

_LATER = {
    "asymptok.laws": ("Decay", "Estimate", "ParityDecay", "decay"),
    "asymptok.meaning.function_space": ("Consequences", "consequences"),
    "asymptok.reporting.figures": ("plot_decay",),
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
arrays.accelerate_with(lambda expr: import_module("asymptok.spectrum.interpolant").interpolant(expr))
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
    "analyse",
    "applicable_theorems",
    "check",
    "cite",
    "consequences",
    "decay",
    "eigenvalues",
    "expand",
    "kernels",
    "multiplicity",
    "plot_decay",
    "puiseux",
    "report",
    "sweep",
    "table",
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
