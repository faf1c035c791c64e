"""Tables and lines as Markdown with formulas between dollar signs."""

from __future__ import annotations

import re

from asymptok.show.blocks import Block, Cell, Display, Facts, Heading, Line, Listing, Paragraph, Sheet
from asymptok.show.formats.format import Format
from asymptok.show.prose import prose_math

__all__ = ["line_markdown", "table_markdown"]

_ALIGN = {"l": ":--", "r": "--:", "c": ":-:", "p": ":--"}


def line_markdown(line: Line) -> str:
    """One line of prose and formulas."""
    return "".join(_prose(part) if isinstance(part, str) else _math(part.latex()) for part in line)


def _prose(text: str) -> str:
    return "".join(_math(piece) if math else _escaped(piece) for math, piece in prose_math(text))


def table_markdown(table: Sheet) -> str:
    """A pipe table; notes follow as paragraphs."""
    out = [_row([line_markdown(column.title) for column in table.columns])]
    out.append(_row([_ALIGN[column.align] for column in table.columns]))
    out += [_row([_cell(cell) for cell in row]) for row in table.rows]
    if table.caption:
        out[:0] = [f"**{_escaped(table.caption)}**", ""]
    for note in table.notes:
        out += ["", line_markdown(note)]
    return "\n".join(out)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    return "<br>".join(line_markdown(line) for line in cell.lines)


def _math(latex: str) -> str:
    # a bar would end the cell
    return f"${latex.replace('|', chr(92) + 'vert ')}$"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|$])", r"\\\1", text).replace("\n", " ")


def block_markdown(block: Block) -> str:
    """A heading, a paragraph, a formula on its own lines, a listing or a table."""
    if isinstance(block, Heading):
        return f"## {block.text}"
    if isinstance(block, Paragraph):
        return line_markdown(block.line)
    if isinstance(block, Display):
        return f"$$\n{block.formula.latex()}\n$$"
    if isinstance(block, Facts):
        return "\n".join(f"- {line_markdown(head)}: {line_markdown(body)}" for head, body in block.rows)
    return f"```\n{block.text}\n```" if isinstance(block, Listing) else table_markdown(block)


FORMAT = Format("markdown", (".md",), table_markdown, block_markdown)
