"""Tables as LaTeX: booktabs rules, formulas broken in front of operators, a document on request."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from asymptok.errors import AsymptokError
from asymptok.show.blocks import Block, Cell, Display, Facts, Heading, Line, Listing, Paragraph, Sheet
from asymptok.show.formats.format import Format
from asymptok.show.formats.text import line_text
from asymptok.show.formula import Formula
from asymptok.show.latex_prose import escape_latex, prose_latex
from asymptok.show.measure import line_width, longest_word

__all__ = ["Layout", "line_latex", "math_latex", "table_latex"]

#: characters after which a formula goes on in the next line of its cell
_WIDTH = 26
_PACKAGES = ("amsmath", "array", "booktabs")

#: "p" is a column of prose, whose lines TeX breaks
_ALIGN = {"l": "l", "r": "r", "c": "c", "p": r">{\raggedright\arraybackslash}p{9cm}"}


def line_latex(line: Line) -> str:
    """One line of prose and formulas."""
    return "".join(prose_latex(part) if isinstance(part, str) else f"${part.latex()}$" for part in line)


def math_latex(line: Line) -> str:
    """One line inside a formula."""
    shown = (rf"\text{{{prose_latex(part)}}}" if isinstance(part, str) else part.latex() for part in line)
    return "".join(shown)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a float is set; None leaves the choice to the content."""

    environment: str | None = None
    fontsize: str | None = None
    width: int | None = None
    siunitx: bool = False


#: points in a line of an article, across both columns of a paper, and up a page
_LINE = {"table": 345.0, "table*": 410.0, "sidewaystable": 540.0}
#: sizes of type, and how wide they set what is one wide at 10 points
_SIZES = (("normalsize", 1.0), ("small", 0.925), ("footnotesize", 0.85))
#: points for a character of `width`, and between two columns
_CHARACTER, _GAP = 5.0, 12.5
#: the narrowest column of prose, in points
_NARROWEST = 50.0


def table_latex(
    table: Sheet, caption: str, label: str, standalone: bool = False, layout: Layout | None = None
) -> str:
    """The tabular alone without caption and label, else a float; with `standalone` a complete document."""
    layout = layout or Layout()
    sizes = [name for name, _ in _SIZES]
    if layout.fontsize is not None and layout.fontsize not in sizes:
        raise AsymptokError(f"unknown size {layout.fontsize!r}: choose from {', '.join(sizes)}")
    packages = (*_PACKAGES, *(("siunitx",) if layout.siunitx else ()))
    if standalone:
        return _document(_tabular(table, layout), caption, packages)
    if not caption and not label and layout.environment is None:
        return f"% packages: {', '.join(packages)}\n{_tabular(table, layout)}"
    float_ = layout.environment or "table"
    if float_ not in _LINE:
        raise AsymptokError(f"unknown environment {float_!r}: choose from {', '.join(_LINE)}")
    room = 0.98 * (_LINE[float_] if layout.width is None else layout.width * _CHARACTER)
    size, parts = _fitted(Sheet(table.columns, table.rows), layout, room)
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
            _tabular(part.table, layout, part),
            *(rf"\par\smallskip\parbox{{\linewidth}}{{\footnotesize {line_latex(note)}}}" for note in notes),
            rf"\end{{{float_}}}",
        ]
    return "\n".join([f"% packages: {', '.join(packages)}", *floats])


@dataclass(frozen=True, slots=True)
class _Part:
    """Some columns of a table: where formulas are broken, and which columns of prose are how wide."""

    table: Sheet
    wrap: int = _WIDTH
    prose: Mapping[int, float] = field(default_factory=dict)


def _fitted(table: Sheet, layout: Layout, room: float) -> tuple[str, list[_Part]]:
    """The largest size in which the table fits into the line; or the smallest, with the columns in several parts."""
    allowed = [(name, scale) for name, scale in _SIZES if layout.fontsize in (None, name)]
    for name, scale in allowed:
        if _total(_widths(table, layout, _WIDTH), scale) <= room:
            return name, [_Part(table)]
    name, scale = allowed[-1]
    whole = _squeezed(table, layout, room, scale, _WRAPS[:2])
    if whole is not None:
        return name, [whole]
    parts: list[_Part] = []
    chosen: list[int] = []
    for unit in _units(table)[1:]:
        columns = (0, *chosen, *unit)
        more = _squeezed(_selected(table, columns), layout, room, scale, _WRAPS[:2]) if chosen else None
        if more is not None:
            chosen += unit
            parts[-1] = more
            continue
        # a column that fits nowhere is set as narrow as can be
        chosen, alone = list(unit), _selected(table, (0, *unit))
        parts.append(_squeezed(alone, layout, room, scale, _WRAPS) or _Part(alone, _WRAPS[-1]))
    return name, parts or [_Part(table, _WRAPS[-1])]


def _units(table: Sheet) -> list[tuple[int, ...]]:
    """Columns that stay together: those of a group."""
    found: list[tuple[int, ...]] = []
    for i, column in enumerate(table.columns):
        if i and column.group and column.group == table.columns[i - 1].group:
            found[-1] = (*found[-1], i)
        else:
            found.append((i,))
    return found


def _selected(table: Sheet, columns: Sequence[int]) -> Sheet:
    return Sheet([table.columns[j] for j in columns], [[row[j] for j in columns] for row in table.rows])


#: characters after which formulas are broken, if the table does not fit otherwise
_WRAPS = (_WIDTH, 20, 14)


def _squeezed(table: Sheet, layout: Layout, room: float, scale: float, wraps: Sequence[int]) -> _Part | None:
    """The table with shorter lines of formulas, and with lines of prose that TeX breaks; None if it does not fit."""
    for wrap in wraps:
        widths = _widths(table, layout, wrap)
        excess = _total(widths, scale) - room
        if excess <= 0:
            return _Part(table, wrap)
        prose = [i for i in range(len(widths)) if _is_prose(table, i)]
        for i in sorted(prose, key=lambda i: -widths[i]):
            left = widths[i] * scale - excess
            if left >= max(_NARROWEST, scale * _longest(table, i)):
                return _Part(table, wrap, {i: left})
    return None


def _total(widths: Sequence[float], scale: float) -> float:
    return sum(widths) * scale + _GAP * (len(widths) - 1)


def _is_prose(table: Sheet, i: int) -> bool:
    """Whether every cell is one line without formulas, or empty."""
    cells = [row[i] for row in table.rows]
    return all(
        len(c.lines) <= 1 and all(isinstance(part, str) for line in c.lines for part in line) for c in cells
    )


def _longest(table: Sheet, i: int) -> float:
    texts = [
        line_latex(table.columns[i].heading),
        *(line_latex(x) for row in table.rows for x in row[i].lines),
    ]
    return max(map(longest_word, texts))


def _widths(table: Sheet, layout: Layout, wrap: int) -> list[float]:
    return [_column_width(table, i, layout, wrap) for i in range(len(table.columns))]


def _column_width(table: Sheet, i: int, layout: Layout, wrap: int) -> float:
    if layout.siunitx and _is_numeric(table, i):
        texts = [f"${_number(row[i])}$" for row in table.rows]
    else:
        texts = [
            text
            for row in table.rows
            if not {i, i - 1} & {*_spans(table, row)}  # a cell across two columns fits between them
            for text in _cell_lines(row[i], wrap)
        ]
    return max(map(line_width, (line_latex(table.columns[i].heading), *texts)))


def _tabular(table: Sheet, layout: Layout | None = None, part: _Part | None = None) -> str:
    count = len(table.columns)
    part = part or _Part(table)
    numbers = [layout is not None and layout.siunitx and _is_numeric(table, i) for i in range(count)]
    kinds = [_kind(table, i, n, part) for i, n in enumerate(numbers)]
    heads = [
        f"{{{line_latex(column.heading)}}}" if n else line_latex(column.heading)
        for column, n in zip(table.columns, numbers, strict=True)
    ]
    out = [
        rf"\begin{{tabular}}{{@{{}}{''.join(kinds)}@{{}}}}",
        r"\toprule",
        *_groups(table),
        " & ".join(heads) + r" \\",
        r"\midrule",
    ]
    tall = any(_tall(cell) for row in table.rows for cell in row)
    for i, row in enumerate(table.rows):
        if tall and i:
            out.append(r"\addlinespace")
        cells = [_entry(c) if n else _cell(c, part.wrap) for c, n in zip(row, numbers, strict=True)]
        if layout is not None and layout.siunitx:
            cells = [c if n else _POWER.sub(r"\\num{\1e\2}", c) for c, n in zip(cells, numbers, strict=True)]
        for j in part.prose:
            cells[j] = cells[j].replace("*", r"*\allowbreak{}")
        for j in _spans(table, row):
            cells[j : j + 2] = [rf"\multicolumn{{2}}{{c}}{{{cells[j]}}}", ""]
        out.append(
            " & ".join(text for j, text in enumerate(cells) if j - 1 not in _spans(table, row)) + r" \\"
        )
    out.append(r"\bottomrule")
    out += [
        rf"\multicolumn{{{count}}}{{@{{}}l@{{}}}}{{\footnotesize {line_latex(note)}}} \\"
        for note in table.notes
    ]
    out.append(r"\end{tabular}")
    return "\n".join(out)


def _spans(table: Sheet, row: Sequence[Cell]) -> list[int]:
    """Where the two columns of a group have the same in a row, which is set once across both."""
    groups = [column.group for column in table.columns]
    pairs = [i for i in range(len(groups) - 1) if groups[i] and groups.count(groups[i]) == 2]
    return [i for i in pairs if groups[i] == groups[i + 1] and row[i] == row[i + 1]]


def _groups(table: Sheet) -> list[str]:
    """What columns have in common, above a rule across them."""
    spans: list[tuple[str, int, int]] = []
    for i, column in enumerate(table.columns):
        text = line_latex(column.group)
        if spans and spans[-1][0] == text:
            spans[-1] = (text, spans[-1][1], i)
        else:
            spans.append((text, i, i))
    if not any(text for text, _, _ in spans):
        return []
    heads = [rf"\multicolumn{{{last - first + 1}}}{{c}}{{{text}}}" for text, first, last in spans]
    rules = "".join(rf"\cmidrule(lr){{{first + 1}-{last + 1}}}" for text, first, last in spans if text)
    return [" & ".join(heads) + r" \\", rules]


def _kind(table: Sheet, i: int, number: bool, part: _Part) -> str:
    if number:
        return _number_column(table, i)
    if i in part.prose:
        return rf">{{\raggedright\arraybackslash}}p{{{part.prose[i]:.0f}pt}}"
    return _ALIGN[table.columns[i].align]


#: a number with a power of ten in LaTeX, and what stands in a column of numbers for want of one
_POWER = re.compile(r"(-?\d+(?:\.\d+)?) \\cdot 10\^\{(-?\d+)\}")
_DASH = "\u2014"
_NUMBER = re.compile(r"(-?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?")


def _number(cell: Cell) -> str:
    """What an S column reads: 1.25e-7 for a formula that shows powers of ten."""
    return "".join(line_text(line) for line in cell.lines)


def _entry(cell: Cell) -> str:
    """A number, or what stands for none, which an S column leaves alone in braces."""
    text = _number(cell)
    return text if _NUMBER.fullmatch(text) else "{---}"


def _is_numeric(table: Sheet, i: int) -> bool:
    texts = [_number(row[i]) if len(row[i].lines) == 1 else "" for row in table.rows]
    return any(map(_NUMBER.fullmatch, texts)) and all(x == _DASH or _NUMBER.fullmatch(x) for x in texts)


def _number_column(table: Sheet, i: int) -> str:
    """An S column with room for the longest number."""
    found = [match for row in table.rows if (match := _NUMBER.fullmatch(_number(row[i])))]
    whole, decimals, power = (
        max(len(m[n] or "") - (m[n] or "").startswith(("-", "+")) for m in found) for n in (1, 2, 3)
    )
    sign = "-" if any(m[1].startswith("-") for m in found) else ""
    below = "-" if any((m[3] or "").startswith("-") for m in found) else ""
    point = f".{decimals}" if decimals else ""
    return f"S[table-format={sign}{whole}{point}{f'e{below}{power}' if power else ''}]"


def _tall(cell: Cell) -> bool:
    return any(isinstance(part, Formula) and "frac" in part.latex() for line in cell.lines for part in line)


def _cell_lines(cell: Cell, wrap: int = _WIDTH) -> list[str]:
    lines: list[str] = []
    for line in cell.lines:
        if len(line) == 1 and isinstance(line[0], Formula):
            first, *rest = line[0].lines(wrap)
            lines.append(rf"$\displaystyle {first.latex()}$")
            lines += [rf"$\displaystyle \quad {{}} {more.latex(continued=True)}$" for more in rest]
        else:
            lines.append(line_latex(line))
    return lines


def _cell(cell: Cell, wrap: int = _WIDTH) -> str:
    """One line as it is; several in an array of their own, aligned at the first one with the row."""
    lines = _cell_lines(cell, wrap)
    if len(lines) <= 1:
        return "".join(lines)
    # rows of a tabular touch: a skip after the end of the line keeps fractions apart
    stacked = r" \\ \addlinespace[0.6ex] ".join(lines)
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


#: characters of a displayed formula in one line
_DISPLAY = 60


def block_latex(block: Block) -> str:
    """A heading, a paragraph, a formula on its own lines, a listing or a table."""
    if isinstance(block, Heading):
        return rf"\paragraph{{{escape_latex(block.text)}}}"
    if isinstance(block, Paragraph):
        return line_latex(block.line)
    if isinstance(block, Display):
        lines = block.formula.lines(_DISPLAY)
        if len(lines) == 1:
            return "\\[\n" + lines[0].latex() + "\n\\]"
        first, *rest = (line.latex(continued=i > 0) for i, line in enumerate(lines))
        body = " \\\\\n".join([f"&{first}", *(rf"&\quad {{}} {more}" for more in rest)])
        return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"
    if isinstance(block, Facts):
        items = (rf"\item[{line_latex(head)}] {line_latex(body)}" for head, body in block.rows)
        return "\\begin{description}\n" + "\n".join(items) + "\n\\end{description}"
    if isinstance(block, Listing):
        return f"\\begin{{verbatim}}\n{block.text}\n\\end{{verbatim}}"
    return _captioned(block)


def _captioned(table: Sheet) -> str:
    """The table with its own caption and label."""
    return table_latex(table, escape_latex(table.caption), table.label)


FORMAT = Format("latex", (".tex",), _captioned, block_latex)
