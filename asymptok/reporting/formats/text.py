"""Tables and lines as plain text in aligned columns."""

from __future__ import annotations

from textwrap import wrap

from asymptok.reporting.cells import Block, Cell, Display, Heading, Line, Listing, Paragraph, Sheet
from asymptok.reporting.formats.format import Format
from asymptok.show.formula import Formula

__all__ = ["line_text", "table_text"]

#: characters after which a formula goes on in the next line
_WIDTH = 48
#: and prose
_PROSE = 78


def line_text(line: Line) -> str:
    """One line of prose and formulas."""
    return "".join(part.text() if isinstance(part, Formula) else part for part in line)


def table_text(table: Sheet) -> str:
    """Headings, a rule, the rows; rows of several lines are set apart by an empty one."""
    heads = [line_text(column.title) for column in table.columns]
    rows = [[_lines(cell) for cell in row] for row in table.rows]
    widths = [len(head) for head in heads]
    for row in rows:
        for i, lines in enumerate(row):
            widths[i] = max([widths[i], *map(len, lines)])
    aligns = [column.align for column in table.columns]
    out = [_row(heads, widths, aligns), _row(["-" * w for w in widths], widths, aligns)]
    tall = any(len(lines) > 1 for row in rows for lines in row)
    for number, row in enumerate(rows):
        if tall and number:
            out.append("")
        for i in range(max((len(lines) for lines in row), default=0)):
            out.append(_row([lines[i] if i < len(lines) else "" for lines in row], widths, aligns))
    if table.caption:
        out[:0] = [table.caption, ""]
    if table.notes:
        out += ["", *map(line_text, table.notes)]
    return "\n".join(out)


def _lines(cell: Cell) -> list[str]:
    out: list[str] = []
    for line in cell.lines:
        if len(line) == 1 and isinstance(line[0], Formula):
            first, *rest = line[0].lines(_WIDTH, typeset=False)
            out += [first.text(), *("  " + more.text(continued=True) for more in rest)]
        elif all(isinstance(part, str) for part in line):
            out += wrap(line_text(line), _PROSE) or [""]
        else:
            out.append(line_text(line))
    return out


def _row(cells: list[str], widths: list[int], aligns: list[str]) -> str:
    padded = (
        cell.rjust(width) if align == "r" else cell.ljust(width)
        for cell, width, align in zip(cells, widths, aligns, strict=True)
    )
    return "  ".join(padded).rstrip()


#: characters of a displayed formula in one line
_DISPLAY = 78


def block_text(block: Block) -> str:
    """A heading, a paragraph, a formula on its own lines, a listing or a table."""
    if isinstance(block, Heading):
        return block.text
    if isinstance(block, Paragraph):
        return line_text(block.line)
    if isinstance(block, Display):
        first, *rest = block.formula.lines(_DISPLAY, typeset=False)
        return "\n".join(["  " + first.text(), *("      " + more.text(continued=True) for more in rest)])
    return block.text if isinstance(block, Listing) else table_text(block)


FORMAT = Format("text", (".txt", ".bib"), table_text, block_text)
