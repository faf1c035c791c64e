"""Tables and lines as plain text in aligned columns, no wider than the terminal."""

from __future__ import annotations

import re
import sys
from shutil import get_terminal_size
from textwrap import wrap

from asymptok.show.blocks import Badge, Block, Cell, Display, Facts, Heading, Line, Listing, Paragraph, Sheet
from asymptok.show.formats.format import Format
from asymptok.show.formula import Formula

__all__ = ["block_text", "line_text", "readable", "table_text"]

#: characters after which a formula goes on in the next line
_WIDTH = 48
#: and prose
_PROSE = 78


#: columns of a text that no terminal shows, and the fewest that a table is squeezed into
_PAGE, _NARROW = 110, 40
#: a blank at which no line ends
_JOINED = "\x00"
#: what stays in one line of a cell: L >= 3
_RELATION = re.compile(r"(\w) ([<>]=?|=) (\w)")
#: the fewest for one column of a table that is squeezed
_COLUMN = 18


def _room() -> int:
    """Columns to fill: those of the terminal, if one reads this."""
    columns = get_terminal_size((_PAGE, 24)).columns if sys.stdout.isatty() else _PAGE
    return max(_NARROW, min(columns, _PAGE))


def readable(text: str) -> str:
    """Powers with ^, products with a blank, but 3*2^(1/3) where numbers meet.

    >>> readable("-7*sqrt(2)/(2*pi)*k**(-3) + 3*2**(1/3)")
    '-7 sqrt(2)/(2 pi) k^(-3) + 3*2^(1/3)'
    """
    return re.sub(r"(?<!\d)\*(?=\S)|(?<=\S)\*(?!\d)", " ", text.replace("**", "^"))


def line_text(line: Line) -> str:
    """One line of prose and formulas."""
    return readable("".join(part if isinstance(part, str) else part.text() for part in line))


def table_text(table: Sheet) -> str:
    """Headings, a rule, the rows; rows of several lines are set apart by an empty one."""
    heads = [line_text(column.title) for column in table.columns]
    limits = [_PROSE] * len(heads)
    while True:
        rows = [[_lines(cell, limit) for cell, limit in zip(row, limits, strict=True)] for row in table.rows]
        widths = [
            max([len(head), *(len(line) for row in rows for line in row[i])]) for i, head in enumerate(heads)
        ]
        widest = max(range(len(heads)), key=lambda i: min(widths[i], limits[i]))
        excess = sum(widths) + 2 * (len(heads) - 1) - _room()
        limit = max(_COLUMN, min(widths[widest], limits[widest]) - excess)
        if excess <= 0 or limit >= min(widths[widest], limits[widest]):
            break
        limits[widest] = limit
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


def _lines(cell: Cell, limit: int) -> list[str]:
    out: list[str] = []
    for line in cell.lines:
        if len(line) == 1 and isinstance(line[0], Formula):
            first, *rest = line[0].lines(min(_WIDTH, limit), typeset=False)
            out += [readable(first.text()), *("  " + readable(more.text(continued=True)) for more in rest)]
        elif all(isinstance(part, str) for part in line):
            text = _RELATION.sub(rf"\1{_JOINED}\2{_JOINED}\3", line_text(line))
            out += [found.replace(_JOINED, " ") for found in wrap(text, limit, break_long_words=False)] or [
                ""
            ]
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
        first, *rest = block.formula.lines(min(_DISPLAY, _room()), typeset=False)
        lines = ["  " + first.text(), *("      " + more.text(continued=True) for more in rest)]
        return readable("\n".join(lines))
    if isinstance(block, Facts):
        return _facts(block)
    return block.text if isinstance(block, Listing) else table_text(block)


def _facts(block: Facts) -> str:
    """The names in one column, what is said in another."""
    badges = [part.text() for head, _ in block.rows for part in head[:1] if isinstance(part, Badge)]
    column = max(map(len, badges), default=0)
    heads = [_head(head, column) for head, _ in block.rows]
    width = max(map(len, heads), default=0) + 2
    out = []
    for head, (_, body) in zip(heads, block.rows, strict=True):
        first, *rest = _wrapped(body, max(_room() - width, _COLUMN))
        out += [(head.ljust(width) + first).rstrip(), *(" " * width + line for line in rest)]
    return "\n".join(out)


def _wrapped(line: Line, width: int) -> list[str]:
    """Lines of at most that width; a formula stays in one of them if it fits."""
    parts = [line_text((part,)) for part in line]
    parts = [
        shown if isinstance(part, str) or len(shown) > width else shown.replace(" ", _JOINED)
        for part, shown in zip(line, parts, strict=True)
    ]
    lines = wrap("".join(parts), width, break_long_words=False, break_on_hyphens=False) or [""]
    return [found.replace(_JOINED, " ") for found in lines]


def _head(line: Line, column: int) -> str:
    """The name of a fact; verdicts in front stand in a column of their own."""
    first, *rest = line
    if not isinstance(first, Badge):
        return line_text(line)
    return f"{first.text().ljust(column)} {line_text(tuple(rest))}"


FORMAT = Format("text", (".txt", ".bib"), table_text, block_text)
