"""What the shape of a dot-product kernel says about its spectrum: expansions, decay laws, eigenvalues, verdicts.

Every name is loaded when it is first used: importing the package alone imports nothing, and so the checker of
certificates, `python -m asymptok.checker`, runs without SymPy and without the rest of the package.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from asymptok.version import __version__ as __version__

if TYPE_CHECKING:
    from asymptok import kernels
    from asymptok.errors import (
        AsymptokError,
        ExpansionError,
        Impossible,
        ParseError,
        PrecisionError,
        Undecided,
    )
    from asymptok.expansion import Expansion, Term, expand, puiseux
    from asymptok.kernels import activations
    from asymptok.kernels.duals import dual
    from asymptok.kernels.kernel import Kernel
    from asymptok.laws import Decay, DecayByCases, Estimate, ParityDecay, critical_values, decay
    from asymptok.learning import LearningCurve, high_dimension, learnable_degree, learning_curve
    from asymptok.learning.radial import RadialKernel
    from asymptok.meaning.function_space import Consequences, consequences
    from asymptok.patience import time_limit
    from asymptok.proofs import Certificate, Comparison, RemainderBound
    from asymptok.proofs.comparison import embeds, same_rkhs
    from asymptok.proofs.parities import certify
    from asymptok.proofs.remainder import remainder_bound
    from asymptok.regularity import Singularities, analyse
    from asymptok.reporting import Bibliography, Table, cite, report
    from asymptok.reporting.entries import table
    from asymptok.reporting.figures import plot_decay
    from asymptok.spectrum import Spectrum, Sweep, eigenvalues, multiplicity
    from asymptok.spectrum.formulas import eigenvalue_formula
    from asymptok.spectrum.grid import sweep
    from asymptok.symbols import d as d
    from asymptok.symbols import k as k
    from asymptok.symbols import t as t
    from asymptok.symbols import u as u
    from asymptok.theorems import THEOREMS, Condition, ConditionReport, Theorem, applicable_theorems
    from asymptok.theorems.judge import check
    from asymptok.verification import Verification
    from asymptok.verification.compare import verify

_LATER = {
    "asymptok.errors": (
        "AsymptokError",
        "ExpansionError",
        "Impossible",
        "ParseError",
        "PrecisionError",
        "Undecided",
    ),
    "asymptok.expansion": ("Expansion", "Term", "expand", "puiseux"),
    "asymptok.kernels.kernel": ("Kernel",),
    "asymptok.symbols": ("d", "k", "t", "u"),
    "asymptok.kernels": ("activations",),
    "asymptok.kernels.duals": ("dual",),
    "asymptok.kernels.layers": ("layers_of",),
    "asymptok.kernels.off_sphere": ("two_norms",),
    "asymptok.kernels.given": ("zonal_value", "zonal_values"),
    "asymptok.expansion.taylor": ("taylor",),
    "asymptok.theorems.taylor": ("taylor_law",),
    "asymptok.laws": ("Decay", "DecayByCases", "Estimate", "ParityDecay", "critical_values", "decay"),
    "asymptok.learning": ("LearningCurve", "high_dimension", "learnable_degree", "learning_curve"),
    "asymptok.meaning.function_space": ("Consequences", "consequences"),
    "asymptok.patience": ("time_limit",),
    "asymptok.proofs": ("Certificate", "Comparison", "RemainderBound", "certify", "embeds", "same_rkhs"),
    "asymptok.proofs.remainder": ("remainder_bound",),
    "asymptok.reporting.figures": ("plot_decay",),
    "asymptok.reporting": ("Bibliography", "Table", "cite", "report", "table"),
    "asymptok.learning.radial": ("RadialKernel",),
    "asymptok.regularity": ("Singularities", "analyse"),
    "asymptok.spectrum.formulas": ("eigenvalue_formula",),
    "asymptok.spectrum.interpolating": ("interpolant",),
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
#: parts of asymptok.learning that have a name of their own, as in `from asymptok.features import relu`
_PARTS = ("convolutional", "features", "radial", "sklearn")
#: modules that are attributes without an import statement, as in asymptok.features.relu(...)
_ROOMS = ("checker", "kernels", "learning", *_PARTS)
_HOME = {name: module for module, names in _LATER.items() for name in names}

__all__ = [
    "THEOREMS",
    "AsymptokError",
    "Bibliography",
    "Certificate",
    "Comparison",
    "Condition",
    "ConditionReport",
    "Consequences",
    "Decay",
    "DecayByCases",
    "Estimate",
    "Expansion",
    "ExpansionError",
    "Impossible",
    "Kernel",
    "LearningCurve",
    "ParityDecay",
    "ParseError",
    "PrecisionError",
    "RadialKernel",
    "RemainderBound",
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
    "certify",
    "check",
    "cite",
    "consequences",
    "critical_values",
    "decay",
    "dual",
    "eigenvalue_formula",
    "eigenvalues",
    "embeds",
    "expand",
    "high_dimension",
    "kernels",
    "learnable_degree",
    "learning_curve",
    "multiplicity",
    "plot_decay",
    "puiseux",
    "remainder_bound",
    "report",
    "same_rkhs",
    "sweep",
    "table",
    "time_limit",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"asymptok.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'asymptok' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


class _Parts:
    """Finds `asymptok.features` as `asymptok.learning.features`: one module under two names."""

    def find_spec(self: Any, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        package, _, part = name.partition(".")
        return ModuleSpec(name, self) if package == __name__ and part.split(".")[0] in _PARTS else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(spec.name.replace(".", ".learning.", 1))
        # the import system is about to write the second name over the first
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state


sys.meta_path.insert(0, _Parts())


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS, "d", "k", "t", "u", "__version__"})
