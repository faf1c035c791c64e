"""Tables as LaTeX: booktabs rules, formulas broken in front of operators, a document on request."""

from __future__ import annotations

import re
from dataclasses import dataclass

from asymptok.errors import AsymptokError
from asymptok.reporting.model import Cell, Line, Table
from asymptok.show.formula import Formula

__all__ = ["Layout", "escape_latex", "line_latex", "table_latex"]

#: characters after which a formula goes on in the next line of its cell
_WIDTH = 26
_PACKAGES = ("amsmath", "array", "booktabs")

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


@dataclass(frozen=True, slots=True)
class Layout:
    """How a float is set; None leaves the choice to the content."""

    environment: str | None = None
    fontsize: str | None = None
    width: int | None = None
    siunitx: bool = False


#: characters of \normalsize in a line of an article, and across both columns of a paper
_LINE = {"table": 80, "table*": 108, "sidewaystable": 128}
#: sizes of type, and how many characters they fit in the place of one
_SIZES = (("normalsize", 1.0), ("small", 1.1), ("footnotesize", 1.25))


def table_latex(
    table: Table, caption: str, label: str, standalone: bool = False, layout: Layout | None = None
) -> str:
    """The tabular alone without caption and label, else a float; with `standalone` a complete document."""
    layout = layout or Layout()
    packages = (*_PACKAGES, *(("siunitx",) if layout.siunitx else ()))
    if standalone:
        return _document(_tabular(table, layout), caption, packages)
    if not caption and not label and layout.environment is None:
        return f"% packages: {', '.join(packages)}\n{_tabular(table, layout)}"
    float_ = layout.environment or "table"
    if float_ not in _LINE:
        raise AsymptokError(f"unknown environment {float_!r}: choose from {', '.join(_LINE)}")
    sizes = [name for name, _ in _SIZES]
    if layout.fontsize is not None and layout.fontsize not in sizes:
        raise AsymptokError(f"unknown size {layout.fontsize!r}: choose from {', '.join(sizes)}")
    size, parts = _fitted(Table(table.columns, table.rows), layout, _LINE[float_])
    if float_ == "sidewaystable":
        packages = (*packages, "rotating")
    floats = []
    for i, part in enumerate(parts):
        title = caption if i == 0 or not caption else f"{caption} (continued)"
        # below the table, where a long note does not widen it
        notes = table.notes if i == len(parts) - 1 else ()
        floats += [
            rf"\begin{{{float_}}}",
            r"\centering",
            *([rf"\caption{{{title}}}", r"\smallskip"] if caption else []),
            *([rf"\label{{{label}}}"] if label and i == 0 else []),
            *([rf"\{size}"] if size != "normalsize" else []),
            _tabular(part, layout),
            *(rf"\par\smallskip\parbox{{\linewidth}}{{\footnotesize {line_latex(note)}}}" for note in notes),
            rf"\end{{{float_}}}",
        ]
    return "\n".join([f"% packages: {', '.join(packages)}", *floats])


def _fitted(table: Table, layout: Layout, line: int) -> tuple[str, list[Table]]:
    """The largest size in which the table fits into the line; or the smallest, with the columns in several parts."""
    widths = [_column_width(table, i) for i in range(len(table.columns))]
    room = layout.width or line
    allowed = [(n, f) for n, f in _SIZES if layout.fontsize in (None, n)]
    for name, factor in allowed:
        if sum(widths) + _GAP * (len(widths) - 1) <= room * factor:
            return name, [table]
    name, factor = allowed[-1]
    groups: list[list[int]] = [[]]
    for i in range(1, len(widths)):
        used = widths[0] + sum(widths[j] + _GAP for j in groups[-1])
        if groups[-1] and used + widths[i] + _GAP > room * factor:
            groups.append([])
        groups[-1].append(i)
    parts = [
        Table(
            [table.columns[j] for j in (0, *group)],
            [[row[j] for j in (0, *group)] for row in table.rows],
        )
        for group in groups
    ]
    return name, parts


#: characters between two columns
_GAP = 2


def _column_width(table: Table, i: int) -> float:
    heading = line_latex(table.columns[i].heading)
    texts = [heading, *(text for row in table.rows for text in _cell_lines(row[i]))]
    return max(_text_width(text) for text in texts)


def _text_width(text: str) -> float:
    """About how many characters wide a formula is set: the wider half of a fraction, a command as one character."""
    while True:
        found = re.search(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", text)
        if found is None:
            inner = re.search(r"\{([^{}]*)\}", text)
            if inner is None:
                break
            text = text[: inner.start()] + inner[1] + text[inner.end() :]
            continue
        wider = max(found[1], found[2], key=lambda part: len(re.sub(r"\\[A-Za-z]+", "x", part)))
        text = text[: found.start()] + wider + text[found.end() :]
    text = re.sub(r"\\(left|right|displaystyle|quad|,|!|text|operatorname)", "", text)
    plain = re.sub(r"\\[A-Za-z]+", "xx", text)
    return len(re.sub(r"[$^_ \\]", "", plain)) + 0.5 * plain.count(" ")


def _tabular(table: Table, layout: Layout | None = None) -> str:
    count = len(table.columns)
    numbers = [layout is not None and layout.siunitx and _is_numeric(table, i) for i in range(count)]
    kinds = [
        _number_column(table, i) if n else _ALIGN[column.align]
        for i, (column, n) in enumerate(zip(table.columns, numbers, strict=True))
    ]
    heads = [
        f"{{{line_latex(column.heading)}}}" if n else line_latex(column.heading)
        for column, n in zip(table.columns, numbers, strict=True)
    ]
    out = [
        rf"\begin{{tabular}}{{@{{}}{''.join(kinds)}@{{}}}}",
        r"\toprule",
        " & ".join(heads) + r" \\",
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


_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")


def _is_numeric(table: Table, i: int) -> bool:
    cells = [_cell_lines(row[i]) for row in table.rows]
    return bool(cells) and all(len(lines) == 1 and _NUMBER.fullmatch(lines[0]) for lines in cells)


def _number_column(table: Table, i: int) -> str:
    """An S column with room for the longest number."""
    parts = [re.match(r"-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?", _cell_lines(row[i])[0]) for row in table.rows]
    whole, decimals, power = (max(len(p[n] or "") for p in parts if p) for n in (1, 2, 3))
    return f"S[table-format=-{whole}.{decimals}{f'e{power}' if power else ''}]"


def _tall(cell: Cell) -> bool:
    return any(isinstance(part, Formula) and "frac" in part.latex() for line in cell.lines for part in line)


def _cell_lines(cell: Cell) -> list[str]:
    lines: list[str] = []
    for line in cell.lines:
        if len(line) == 1 and isinstance(line[0], Formula):
            first, *rest = line[0].lines(_WIDTH)
            lines.append(rf"$\displaystyle {first.latex()}$")
            lines += [rf"$\displaystyle \quad {{}} {more.latex(continued=True)}$" for more in rest]
        else:
            lines.append(line_latex(line))
    return lines


def _cell(cell: Cell) -> str:
    """One line as it is; several in an array of their own, aligned at the first one with the row."""
    lines = _cell_lines(cell)
    if len(lines) <= 1:
        return "".join(lines)
    stacked = r" \\[0.8ex] ".join(lines)
    return rf"\begin{{tabular}}[t]{{@{{}}l@{{}}}}{stacked}\end{{tabular}}"


def _document(body: str, caption: str, packages: tuple[str, ...]) -> str:
    r"""A page as large as the table, so that nothing is cut off however wide it is."""
    heading = [rf"\caption{{{caption}}}", r"\vspace{1.5ex}"] if caption else []
    return "\n".join(
        [
            r"\documentclass[border=6mm,varwidth=100cm]{standalone}",
            r"\usepackage[utf8]{inputenc}",
            rf"\usepackage{{{','.join(packages)}}}",
            r"\usepackage{capt-of}" if caption else "%",
            r"\begin{document}",
            *[part.replace(r"\caption", r"\captionof{table}") for part in heading],
            body,
            r"\end{document}",
        ]
    )
