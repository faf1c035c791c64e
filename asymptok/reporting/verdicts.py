"""Verdicts of check() as tables, one-line summaries, HTML and data."""

from __future__ import annotations

from html import escape

from asymptok.quantities import JSON
from asymptok.reporting.model import Column, Line, Table
from asymptok.show.prose import prose_html
from asymptok.theorems import Condition, ConditionReport

__all__ = ["conditions_html", "conditions_table", "report_data", "summary", "verdict_lines"]

_MARKS = {"proved": "\u2713", "refuted": "\u2717", "supported": "~", "unknown": "?"}


def verdict_lines(report: ConditionReport) -> tuple[Line, ...]:
    """A few words for a cell: all proved, or what is refuted and what is open."""
    if report.by_clause:
        return (("smooth: proved",),)
    if report.holds:
        return (("all proved",),)
    lines: list[Line] = []
    for status in ("refuted", "unknown", "supported"):
        names = [c.name for c in report.conditions if c.status == status]
        if names:
            more = ", \u2026" if len(names) > 1 else ""
            lines.append((f"{status}: {names[0]}{more}",))
    return tuple(lines)


def conditions_table(report: ConditionReport) -> Table:
    """One row for each condition: verdict, name, evidence."""
    heads = [
        Column("status", ("verdict",)),
        Column("condition", ("condition",)),
        Column("evidence", ("evidence",), "p"),
    ]
    rows = [[f"{_MARKS[c.status]} {c.status}", c.name, c.evidence] for c in report]
    return Table(heads, rows)


def summary(report: ConditionReport) -> str:
    """The conclusion in one sentence, and one for what was asked beside the theorem."""
    if report.by_clause:
        told = f"The theorem holds by its clause for smooth kernels: {report.conclusion}."
    elif report.holds:
        told = f"All conditions are proved: {report.theorem.conclusion}."
    elif report.holds is False:
        told = f"The theorem does not apply: {', '.join(c.name for c in report.refuted)} refuted."
    else:
        told = f"Not settled: {', '.join(f'{c.name} ({c.status})' for c in report.open)}."
    return " ".join([told, *(f"Apart from the theorem, {c.name}: {c.status}." for c in report.questions)])


def conditions_html(report: ConditionReport) -> str:
    """Every condition with its verdict as a badge, the statement and the evidence."""
    items = "\n".join(
        f'<li><span class="badge {escape(c.status)}">{_MARKS[c.status]} {escape(c.status)}</span> '
        f"<strong>{prose_html(c.name)}</strong>: {prose_html(c.statement)}<br>"
        f'<span class="note">{prose_html(c.evidence)}</span></li>'
        for c in report
    )
    reference = report.theorem.reference
    return (
        f"<p>{escape(report.theorem.title)}, {escape(reference.where)}.</p>\n"
        f'<ul class="verdicts">\n{items}\n</ul>\n<p>{prose_html(summary(report))}</p>'
    )


def report_data(report: ConditionReport) -> dict[str, JSON]:
    """The verdicts for a machine."""
    return {
        "theorem": report.theorem.name,
        "reference": report.theorem.reference.key,
        "holds": report.holds,
        "exponent": None if report.exponent is None else str(report.exponent),
        "clause": report.clause.theorem.name if report.clause is not None and report.by_clause else None,
        "conditions": [_data(c, c not in report.questions) for c in report],
    }


def _data(c: Condition, hypothesis: bool) -> dict[str, bool | str]:
    """`hypothesis` is False for what was asked beside the theorem."""
    return {
        "name": c.name,
        "statement": c.statement,
        "status": c.status,
        "evidence": c.evidence,
        "hypothesis": hypothesis,
    }
