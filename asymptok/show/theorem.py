"""How a report shows itself: aligned text, and a table for a notebook."""

from __future__ import annotations

from html import escape
from textwrap import wrap

from sympy import sstr

from asymptok.show.subjects import ConditionReport
from asymptok.truth import PROVED, REFUTED, SUPPORTED, UNKNOWN

_MARK = {PROVED: "✓", REFUTED: "✗", SUPPORTED: "~", UNKNOWN: "?"}
_COLOUR = {PROVED: "#1a7f37", REFUTED: "#b42318", SUPPORTED: "#9a6700", UNKNOWN: "#57606a"}
_WIDTH = 110


def report_text(report: ConditionReport) -> str:
    """One condition a line, the evidence indented below its column."""
    names = max((len(c.name) for c in report), default=0)
    states = max((len(c.status) for c in report), default=0)
    indent = " " * (names + states + 6)
    lines = [_heading(report)]
    for c in report:
        head = f"{_MARK[c.status]} {c.name:<{names}}  {c.status:<{states}}  "
        evidence = wrap(c.evidence, _WIDTH - len(indent)) or [""]
        lines.append((head + evidence[0]).rstrip())
        lines += [indent + line for line in evidence[1:]]
    lines += [_summary(report), *_asides(report)]
    return "\n".join(lines)


def _heading(report: ConditionReport) -> str:
    where = "" if report.d is None else f", d = {report.d}"
    return f"{report.theorem.title} [{report.theorem.reference.key}] for {report.kernel}{where}"


def _summary(report: ConditionReport) -> str:
    if report.holds:
        rate = "" if report.exponent is None else f" (exponent {sstr(report.exponent)})"
        return f"All conditions are proved: {report.theorem.conclusion}{rate}."
    if report.holds is False:
        return "The theorem does not apply: " + ", ".join(c.name for c in report.refuted) + "."
    return "Not settled: " + ", ".join(c.name for c in report.open) + "."


def _asides(report: ConditionReport) -> list[str]:
    """What was asked beside the theorem."""
    return [f"Apart from the theorem, {c.name}: {c.status}." for c in report.questions]


def report_html(report: ConditionReport) -> str:
    """A table; the LaTeX between dollar signs is typeset by the notebook."""
    rows = "".join(
        f'<tr><td style="color:{_COLOUR[c.status]}">{_MARK[c.status]} {c.status}</td>'
        f'<td style="text-align:left">{escape(c.name)}</td>'
        f'<td style="text-align:left">${escape(c.latex)}$</td>'
        f'<td style="text-align:left">{escape(c.evidence)}</td></tr>'
        for c in report
    )
    head = "<tr><th>status</th><th>condition</th><th>statement</th><th>evidence</th></tr>"
    return (
        f"<div><strong>{escape(_heading(report))}</strong><table>{head}{rows}</table>"
        f"<div>{escape(' '.join([_summary(report), *_asides(report)]))}</div></div>"
    )
