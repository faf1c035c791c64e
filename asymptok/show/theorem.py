"""How a report shows itself: aligned text, and a table for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from textwrap import wrap

from sympy import sstr

from asymptok.show.kernel import kernel_label
from asymptok.show.latex_prose import formulas_latex
from asymptok.show.prose import prose_html
from asymptok.show.subjects import Condition, ConditionReport
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
    return f"{report.theorem.title} [{report.theorem.reference.key}] for {kernel_label(report.kernel)}{where}"


def _summary(report: ConditionReport) -> str:
    if report.by_clause:
        return f"The theorem holds by its clause for smooth kernels: {report.conclusion}."
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
    rows = "".join(_row(c) for c in report)
    where = "" if report.d is None else f", <i>d</i> = {report.d}"
    key = escape(report.theorem.reference.key)
    title = f"{prose_html(report.theorem.title)} [{key}]: {prose_html(kernel_label(report.kernel))}{where}"
    aside = prose_html(" ".join([_summary(report), *_asides(report)]))
    head = "<tr><th>status</th><th>condition</th><th>statement and evidence</th></tr>"
    return f"<div><strong>{title}</strong><table>{head}{rows}</table><div>{aside}</div></div>"


def report_latex(report: ConditionReport) -> str:
    """A table for a paper (packages array and booktabs), as wide as a line or a column."""
    rows = [f"{formulas_latex(c.name)} & {c.status} & {formulas_latex(c.evidence)} \\\\" for c in report]
    column = r">{\raggedright\arraybackslash}p"
    shown = formulas_latex(" ".join([_summary(report), *_asides(report)]))
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


def condition_html(condition: Condition) -> str:
    """One condition as a table of one row."""
    return f"<table>{_row(condition)}</table>"


def _row(c: Condition) -> str:
    left = 'style="text-align:left;vertical-align:top"'
    statement = f"${escape(c.latex, quote=False)}$<br>" if c.latex else ""
    return (
        f'<tr><td style="text-align:left;vertical-align:top;white-space:nowrap;color:{_COLOUR[c.status]}">'
        f"{_MARK[c.status]} {c.status}</td><td {left}>{prose_html(c.name)}</td>"
        f"<td {left}>{statement}<small>{prose_html(c.evidence)}</small></td></tr>"
    )


def reports_html(reports: Sequence[ConditionReport]) -> str:
    """The theorems that apply, one below the other."""
    return "".join(map(report_html, reports)) or "<p>no theorem of the catalogue is proved to apply</p>"
