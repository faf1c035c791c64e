"""Verdicts of check() for a cell of a table, for a spreadsheet and for a machine."""

from __future__ import annotations

from asymptok.quantities import JSON
from asymptok.reporting.model import Column, Line, Table
from asymptok.theorems import Condition, ConditionReport

__all__ = ["conditions_table", "report_data", "verdict_lines"]


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
    heads = [Column("status", ("verdict",)), Column("condition", ("condition",))]
    heads.append(Column("evidence", ("evidence",), "p"))
    return Table(heads, [[c.status, c.name, c.evidence] for c in report])


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
