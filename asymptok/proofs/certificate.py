"""A proved statement about every eigenvalue of a kernel on one sphere, that can be written down and proved again."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from os import PathLike

from asymptok.proofs import files, reading
from asymptok.proofs.recheck import Recheck, rechecked
from asymptok.proofs.stated_laws import law_text
from asymptok.proofs.statement import Statement
from asymptok.proofs.theorem import intervals_latex, statement_latex, theorem_latex
from asymptok.show.preformatted import Page
from asymptok.show.prose import latex_prose_html


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

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """The certificate as JSON, every number as text; written to `path` if given."""
        return files.write(self, path)

    @classmethod
    def from_json(cls, source: object) -> Certificate:
        """The certificate in a file, a JSON text or a dictionary; AsymptokError if it was damaged."""
        return reading.parts(reading.read(source), cls)

    def recheck(self) -> Recheck:
        """Everything that the certificate claims, proved again at a higher precision and with other boxes."""
        return rechecked(self)

    @property
    def statement(self) -> str:
        """What is proved, in LaTeX."""
        return statement_latex(self)

    def theorem(
        self, label: str | None = None, digits: int | None = 4, proof: bool = True, document: bool = False
    ) -> str:
        r"""The theorem with its numbers, and a complete proof unless `proof` is False, in LaTeX (amsmath and amsthm).

        Every display fits a column of 3.25 inches. The numbers have so many digits, rounded outward, or all that the
        file has if `digits` is None; `label` is that of the theorem, and `intervals` gives the table that it refers to.
        With `document` it is a whole file for pdflatex. AsymptokError if there is nothing to state for all k.

        >>> from asymptok import certify
        >>> print(certify("exp(-sqrt(1 - u))", 3).theorem("thm:laplace", proof=False).splitlines()[5])
        \item $0.2698\, k^{-3} \le \mu_k \le 0.3635\, k^{-3}$ for all even $k \ge 6$;
        """
        return theorem_latex(self, label, digits, proof, document)

    def intervals(self, label: str | None = None, digits: int | None = None) -> str:
        """The first eigenvalues between proved bounds as a LaTeX table, for the appendix of a paper."""
        return intervals_latex(self, label, digits)

    def __str__(self) -> str:
        grade = "proved for all k" if self.proved else f"not proved for all k ({self.reason})"
        lines = [f"certificate of {self.kernel.name or self.kernel}, d = {self.d}: {grade}"]
        for parity, name in enumerate(("even", "odd")):
            start, law = law_text(self, parity)
            lines.append(f"{name} k{'' if start is None else f' >= {start}'}: {law}")
        verdict = {True: "yes", False: f"no, mu_{self.offending} < 0", None: "open"}[self.positive_definite]
        return "\n".join([*lines, f"positive definite: {verdict}"])

    __repr__ = __str__

    def _latex(self, printer: object) -> str:
        return self.statement

    def _repr_html_(self) -> str:
        return latex_prose_html(self.statement) if self.proved else f"<pre>{escape(str(self))}</pre>"

    def _repr_pretty_(self, printer: Page, cycle: bool) -> None:
        printer.text(str(self))


__all__ = ["Certificate"]
