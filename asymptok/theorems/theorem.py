"""A theorem as data: what it assumes, what follows, where it is from; and the verdict on one kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sympy import Expr

from asymptok.errors import AsymptokError, Undecided, UnknownCondition
from asymptok.kernels.kernel import Kernel
from asymptok.show.preformatted import Page, Preformatted
from asymptok.show.theorem import condition_html, report_html, report_latex, report_text, reports_html
from asymptok.truth import PROVED, REFUTED
from asymptok.ways_out import dimension

if TYPE_CHECKING:
    from asymptok.theorems.case import Case


@dataclass(frozen=True, slots=True)
class Condition(Preformatted):
    """One hypothesis and the verdict on it, with the evidence.

    `holds` is True if proved and False if refuted; None otherwise: what numbers support is not thereby true.
    """

    name: str
    statement: str
    status: str
    evidence: str
    latex: str = ""

    @property
    def holds(self) -> bool | None:
        return {PROVED: True, REFUTED: False}.get(self.status)

    def __str__(self) -> str:
        return f"{self.name}: {self.status} ({self.evidence})"

    def _repr_html_(self) -> str:
        return condition_html(self)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a decision procedure says: a status and the evidence."""

    status: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A named statement about kernels, with the procedure that tries to decide it."""

    name: str
    statement: str
    latex: str
    decide: Callable[[Case], Verdict] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a theorem is from, with its BibTeX entry."""

    key: str
    where: str
    bibtex: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Theorem:
    """Hypotheses, conclusion and reference; `rate(d)` is the exponent p in mu_k ~ k^p where the theorem names one."""

    name: str
    title: str
    hypotheses: tuple[Hypothesis, ...]
    conclusion: str
    latex: str
    reference: Reference
    rate: Callable[[Case], Expr | None] | None = field(default=None, repr=False, compare=False)

    @property
    def statement(self) -> str:
        """The whole theorem in one sentence."""
        assumed = "; ".join(h.statement for h in self.hypotheses)
        return f"If {assumed}, then {self.conclusion}"

    def __str__(self) -> str:
        return f"{self.title} [{self.reference.key}]. {self.statement}."

    def _repr_latex_(self) -> str:
        assumed = r";\; ".join(h.latex for h in self.hypotheses)
        return rf"$\displaystyle {assumed} \;\Longrightarrow\; {self.latex}$"


#: what is asked beside a theorem where a dimension is given
_QUESTION = "positive definite"


@dataclass(frozen=True, slots=True)
class ConditionReport:
    """The conditions of a theorem for one kernel; iterate over it, or ask `holds`.

    `holds` is True only if every condition of the theorem is proved, False if one is refuted, None if something stays
    open. A theorem of two clauses holds by either: what the second asks comes after the conditions of the first, which
    then keep their verdicts. `questions` are asked beside the theorem (positive definiteness, if a dimension is given):
    they come with the conditions when one iterates, and have no part in `holds`, `refuted` and `open`.
    """

    theorem: Theorem
    kernel: Kernel
    d: Expr | None
    conditions: tuple[Condition, ...]
    exponent: Expr | None = None
    questions: tuple[Condition, ...] = ()
    #: asks the other theorems
    others: Callable[[], tuple[ConditionReport, ...]] = field(default=tuple, repr=False, compare=False)
    #: the report on the second clause of the theorem, where the first is not proved
    clause: ConditionReport | None = None

    def __iter__(self) -> Iterator[Condition]:
        return iter((*self.conditions, *self.by_clause, *self.questions))

    def __len__(self) -> int:
        return len(self.conditions) + len(self.by_clause) + len(self.questions)

    @property
    def by_clause(self) -> tuple[Condition, ...]:
        """What the second clause asks beside the first, if the theorem holds by it."""
        if self.clause is None or not self.clause.holds:
            return ()
        known = {c.name for c in self.conditions}
        return tuple(c for c in self.clause.conditions if c.name not in known)

    @property
    def conclusion(self) -> str:
        """What follows if the theorem holds: by the clause that is proved."""
        clause = self.clause if self.by_clause else None
        return (self if clause is None else clause).theorem.conclusion

    def __getitem__(self, key: int | str) -> Condition:
        """A condition by its place or its name."""
        found = tuple(self)
        if isinstance(key, int) and -len(found) <= key < len(found):
            return found[key]
        for condition in found:
            if isinstance(key, str) and condition.name == key:
                return condition
        if isinstance(key, str) and key == _QUESTION and self.d is None:
            raise UnknownCondition(
                f"whether the kernel is {_QUESTION} depends on the dimension: {dimension()}"
            )
        raise UnknownCondition(f"no condition {key!r}; there are {', '.join(c.name for c in found)}")

    def __bool__(self) -> bool:
        raise AsymptokError(
            "a report on conditions has three answers: ask report.holds (True, False or None), or report.require()"
        )

    def require(self) -> ConditionReport:
        """The report itself if every condition is proved; otherwise an error that names those that are not."""
        if self.holds:
            return self
        failed = "; ".join(f"{c.name}: {c.status} ({c.evidence})" for c in (*self.refuted, *self.open))
        kind = AsymptokError if self.holds is False else Undecided
        raise kind(f"{self.kernel} does not satisfy {self.theorem.title}: {failed}")

    @property
    def holds(self) -> bool | None:
        """True if the theorem is proved to apply, False if a condition is refuted, None if something stays open."""
        verdicts = [condition.holds for condition in self.conditions]
        first = False if False in verdicts else (True if all(verdicts) else None)
        if self.clause is None or first or self.clause.holds is False:
            return first
        return self.clause.holds

    @property
    def refuted(self) -> tuple[Condition, ...]:
        """The conditions that stand against the theorem; none if it holds by its second clause."""
        return () if self.by_clause else tuple(c for c in self.conditions if c.status == REFUTED)

    @property
    def open(self) -> tuple[Condition, ...]:
        """The conditions that are neither proved nor refuted."""
        return () if self.by_clause else tuple(c for c in self.conditions if c.holds is None)

    def applicable(self) -> tuple[ConditionReport, ...]:
        """Every known theorem that is proved to apply to this kernel."""
        return self.others()

    def __repr__(self) -> str:
        return report_text(self)

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return report_html(self)

    def _latex(self, printer: object) -> str:
        return report_latex(self)

    def _repr_pretty_(self, printer: Page, cycle: bool) -> None:
        printer.text(repr(self))


class Reports(tuple[ConditionReport, ...]):
    """Reports in a row, as a tuple; a notebook shows them one below the other."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return reports_html(self)

    def _repr_pretty_(self, printer: Page, cycle: bool) -> None:
        printer.text("\n\n".join(map(str, self)) or "()")
