"""A proved statement about every eigenvalue of a kernel on one sphere, that can be written down and proved again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from asymptok.proofs import files
from asymptok.proofs.recheck import Recheck, rechecked
from asymptok.proofs.statement import Statement
from asymptok.proofs.theorem_text import statement_latex, theorem_latex


@dataclass(frozen=True)
class Certificate(Statement):
    """mu_k(kappa) on S^(d-1), for every k >= 0, between numbers that are proved.

    >>> from asymptok import certify, kernels
    >>> found = certify(kernels.ntk(3), d=3)
    >>> found.proved, found.positive_definite, found.rate
    (True, True, -3)
    >>> a, b = found.constants
    >>> bool(found.lower(40) < found.upper(40) < found.lower(40) * 1.000001), bool(a * 40**-3 < found.lower(40))
    (True, True)
    """

    def to_json(self, path: Any = None) -> str:
        """The certificate as JSON, every number as text; written to `path` if given."""
        return files.write(self, path)

    @classmethod
    def from_json(cls, source: Any) -> Certificate:
        """The certificate in a file, a JSON text or a dictionary; AsymptokError if it was damaged."""
        return cls(**files.parts(files.read(source)))

    def recheck(self) -> Recheck:
        """Everything that the certificate claims, proved again at a higher precision and with other boxes."""
        return rechecked(self)

    @property
    def statement(self) -> str:
        """What is proved, in LaTeX."""
        return statement_latex(self)

    def theorem(self, *, document: bool = False) -> str:
        """The theorem with its numbers and a complete proof, in LaTeX (amsmath and amsthm); with `document` a whole
        file for pdflatex. AsymptokError if there is nothing to state for all k."""
        return theorem_latex(self, document=document)


__all__ = ["Certificate"]
