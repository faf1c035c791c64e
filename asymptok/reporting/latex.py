"""Tables as LaTeX: booktabs rules, formulas broken in front of operators, a document on request."""

from __future__ import annotations

from asymptok.reporting.model import Cell, Line, Table
from asymptok.show.formula import Formula

__all__ = ["escape_latex", "line_latex", "table_latex"]

#: characters after which a formula goes on in the next line of its cell
_WIDTH = 26
_PACKAGES = ("amsmath", "array", "booktabs", "graphicx")

#: "p" is a column of prose, whose lines TeX breaks
_ALIGN = {"l": "l", "r": "r", "c": "c", "p": r">{\raggedright\arraybackslash}p{9cm}"}

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "\u2212": "$-$",
    "\u00b1": r"$\pm$",
    "\u2248": r"$\approx$",
    "\u2264": r"$\le$",
    "\u2265": r"$\ge$",
    "\u223c": r"$\sim$",
    "\u03bc": r"$\mu$",
    "\u03bd": r"$\nu$",
    "\u03ba": r"$\kappa$",
    "\u03b3": r"$\gamma$",
    "\u2026": r"\ldots{}",
    "\u2014": "---",
    "\u2013": "--",
    "\u221e": r"$\infty$",
    "\u2713": "+",
    "\u2717": r"$\times$",
}


def escape_latex(text: str) -> str:
    r"""Prose whose special characters stand for themselves.

    >>> print(escape_latex("50% of a_1"))
    50\% of a\_1
    """
    return "".join(_ESCAPES.get(char, char) for char in text)


def line_latex(line: Line) -> str:
    """One line of prose and formulas."""
    return "".join(f"${part.latex()}$" if isinstance(part, Formula) else escape_latex(part) for part in line)


def table_latex(
    table: Table, caption: str, label: str, standalone: bool = False, rotate: bool = False
) -> str:
    """The tabular alone without caption and label, else a float; with `standalone` a complete document."""
    body = _tabular(table)
    if standalone:
        return _document(body, caption)
    if not caption and not label and not rotate:
        return f"% packages: {', '.join(_PACKAGES)}\n{body}"
    float_ = "sidewaystable" if rotate else "table"
    packages = (*_PACKAGES, "rotating") if rotate else _PACKAGES
    # the box shrinks to the line only if it is wider than the line
    parts = [
        f"% packages: {', '.join(packages)}",
        rf"\begin{{{float_}}}",
        r"\centering",
        *([rf"\caption{{{caption}}}", r"\smallskip"] if caption else []),
        *([rf"\label{{{label}}}"] if label else []),
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        body + "%",
        "}",
        rf"\end{{{float_}}}",
    ]
    return "\n".join(parts)


def _tabular(table: Table) -> str:
    count = len(table.columns)
    out = [
        rf"\begin{{tabular}}{{@{{}}{''.join(_ALIGN[column.align] for column in table.columns)}@{{}}}}",
        r"\toprule",
        " & ".join(line_latex(column.heading) for column in table.columns) + r" \\",
        r"\midrule",
    ]
    tall = any(_tall(cell) for row in table.rows for cell in row)
    for i, row in enumerate(table.rows):
        if tall and i:
            out.append(r"\addlinespace")
        out.append(" & ".join(_cell(cell) for cell in row) + r" \\")
    out.append(r"\bottomrule")
    out += [
        rf"\multicolumn{{{count}}}{{@{{}}l@{{}}}}{{\footnotesize {line_latex(note)}}} \\"
        for note in table.notes
    ]
    out.append(r"\end{tabular}")
    return "\n".join(out)


def _tall(cell: Cell) -> bool:
    return any(isinstance(part, Formula) and "frac" in part.latex() for line in cell.lines for part in line)


def _cell(cell: Cell) -> str:
    """One line as it is; several in an array of their own, aligned at the first one with the row."""
    lines: list[str] = []
    for line in cell.lines:
        if len(line) == 1 and isinstance(line[0], Formula):
            first, *rest = line[0].lines(_WIDTH)
            lines.append(rf"$\displaystyle {first.latex()}$")
            lines += [rf"$\displaystyle \quad {{}} {more.latex(continued=True)}$" for more in rest]
        else:
            lines.append(line_latex(line))
    if len(lines) <= 1:
        return "".join(lines)
    stacked = r" \\[0.8ex] ".join(lines)
    return rf"\begin{{tabular}}[t]{{@{{}}l@{{}}}}{stacked}\end{{tabular}}"


def _document(body: str, caption: str) -> str:
    r"""A page as large as the table, so that nothing is cut off however wide it is."""
    heading = [rf"\caption{{{caption}}}", r"\vspace{1.5ex}"] if caption else []
    return "\n".join(
        [
            r"\documentclass[border=6mm,varwidth=100cm]{standalone}",
            r"\usepackage[utf8]{inputenc}",
            rf"\usepackage{{{','.join(_PACKAGES)}}}",
            r"\usepackage{capt-of}" if caption else "%",
            r"\begin{document}",
            *[part.replace(r"\caption", r"\captionof{table}") for part in heading],
            body,
            r"\end{document}",
        ]
    )
