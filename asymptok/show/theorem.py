"""A report on conditions as a list of facts: the verdict first, then each condition with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

from sympy import sstr

from asymptok.show.blocks import Badge, Block, Facts, Line, Paragraph
from asymptok.show.formats.html import block_html
from asymptok.show.formats.text import block_text
from asymptok.show.kernel import kernel_label
from asymptok.show.latex_prose import formulas_latex
from asymptok.show.subjects import Condition, ConditionReport
from asymptok.truth import PROVED, REFUTED, UNKNOWN

__all__ = [
    "condition_html",
    "report_blocks",
    "report_html",
    "report_latex",
    "report_text",
    "reports_html",
    "verdict_line",
]

#: characters of the reason of a proved condition where details are left out
_BRIEF = 74


def verdict_line(report: ConditionReport) -> Line:
    """The verdict on the theorem, and what follows or what stands against it."""
    if report.by_clause:
        return (
            Badge(PROVED),
            f": the theorem holds by its clause for smooth kernels, and so {report.conclusion}.",
        )
    if report.holds:
        rate = "" if report.exponent is None else f" (the exponent is {sstr(report.exponent)})"
        return (Badge(PROVED), f": every condition holds, and so {report.theorem.conclusion}{rate}.")
    if report.holds is False:
        failed = ", ".join(c.name for c in report.refuted)
        return (Badge(REFUTED), f": the theorem does not apply. It fails at: {failed}.")
    left = ", ".join(f"{c.name} ({c.status})" for c in report.open)
    return (Badge(UNKNOWN), f": not settled is {left}.")


def report_blocks(report: ConditionReport, verbose: bool = True) -> tuple[Block, ...]:
    """The verdict, the answers to questions beside the theorem, the conditions with their evidence, the theorem."""
    asides = [
        Paragraph((Badge(c.status), f": {c.name} (a question beside the theorem).")) for c in report.questions
    ]
    rows = tuple(_row(c, verbose) for c in report)
    reference = report.theorem.reference
    source = Paragraph((f"Theorem: {report.theorem.title} [{reference.key}].",))
    return (Paragraph(verdict_line(report)), *asides, Facts(rows), source)


def _row(c: Condition, verbose: bool) -> tuple[Line, Line]:
    brief = not verbose and c.status == PROVED
    evidence = shorten(c.evidence, _BRIEF, placeholder=" ...") if brief else c.evidence
    return (Badge(c.status), " ", c.name), (evidence,)


def report_text(report: ConditionReport) -> str:
    """The kernel, then one block below the other."""
    return "\n".join([_heading(report), *map(block_text, report_blocks(report))])


def _heading(report: ConditionReport) -> str:
    return kernel_label(report.kernel) + ("" if report.d is None else f", d = {report.d}")


def report_html(report: ConditionReport) -> str:
    """The same for a notebook."""
    head = block_html(Paragraph((_heading(report),)))
    return f"<div>{head}{''.join(map(block_html, report_blocks(report)))}</div>"


def report_latex(report: ConditionReport) -> str:
    """A table for a paper (packages array and booktabs), as wide as a line or a column."""
    rows = [f"{formulas_latex(c.name)} & {c.status} & {formulas_latex(c.evidence)} \\\\" for c in report]
    column = r">{\raggedright\arraybackslash}p"
    told = [verdict_line(report), *((Badge(c.status), f": {c.name}.") for c in report.questions)]
    shown = formulas_latex(" ".join(_plain(line) for line in told))
    return "\n".join(
        [
            r"{\noindent\footnotesize\begin{tabular}{@{}"
            + column
            + "{.2\\linewidth}l"
            + column
            + r"{.52\linewidth}@{}}",
            r"\toprule",
            r"condition & verdict & because \\",
            r"\midrule",
            *rows,
            r"\midrule",
            rf"\multicolumn{{3}}{{@{{}}{column}{{\linewidth}}@{{}}}}{{{shown}}} \\",
            r"\bottomrule",
            r"\end{tabular}}",
        ]
    )


def _plain(line: Line) -> str:
    """A verdict in a sentence without its mark."""
    return "".join(part.status if isinstance(part, Badge) else str(part) for part in line)


def condition_html(condition: Condition) -> str:
    """One condition as a table of one row."""
    return block_html(Facts((_row(condition, True),)))


def reports_html(reports: Sequence[ConditionReport]) -> str:
    """The theorems that apply, one below the other."""
    return "".join(map(report_html, reports)) or "<p>no theorem of the catalogue is proved to apply</p>"
