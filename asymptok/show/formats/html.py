"""Tables and lines as HTML with MathML formulas."""

from __future__ import annotations

from html import escape

from asymptok.show.blocks import (
    Badge,
    Block,
    Cell,
    Display,
    Facts,
    Heading,
    Inline,
    Line,
    Listing,
    Paragraph,
    Sheet,
)
from asymptok.show.formats.format import Format
from asymptok.show.formula import Formula
from asymptok.show.mathml import math_lines
from asymptok.show.prose import prose_html

__all__ = ["line_html", "table_html"]

_ALIGN = {"l": "left", "r": "right", "c": "center", "p": "left"}


def line_html(line: Line) -> str:
    """One line of prose and formulas."""
    return "".join(map(_inline, line))


def _inline(part: Inline) -> str:
    if isinstance(part, Badge):
        return f'<span class="badge {part.status}">{part.text()}</span>'
    return math_lines(part) if isinstance(part, Formula) else prose_html(part)


def table_html(table: Sheet) -> str:
    """<table> with a caption; notes follow as small paragraphs."""
    styles = [f' style="text-align:{_ALIGN[column.align]}"' for column in table.columns]
    out = ['<table class="asymptok">']
    if table.caption:
        out.append(f"<caption>{escape(table.caption)}</caption>")
    heads = "".join(
        f'<th scope="col"{style}>{line_html(column.title)}</th>'
        for column, style in zip(table.columns, styles, strict=True)
    )
    out.append(f"<thead><tr>{heads}</tr></thead>")
    out.append("<tbody>")
    for row in table.rows:
        cells = "".join(f"<td{style}>{_cell(cell)}</td>" for cell, style in zip(row, styles, strict=True))
        out.append(f"<tr>{cells}</tr>")
    out += ["</tbody>", "</table>"]
    out += [f'<p class="asymptok-note"><small>{line_html(note)}</small></p>' for note in table.notes]
    return "\n".join(out)


def _cell(cell: Cell) -> str:
    return "<br>".join(line_html(line) for line in cell.lines)


def block_html(block: Block) -> str:
    """One block as HTML."""
    if isinstance(block, Heading):
        return f"<h3>{escape(block.text)}</h3>"
    if isinstance(block, Paragraph):
        return f"<p>{line_html(block.line)}</p>"
    if isinstance(block, Display):
        return f'<p class="display">{math_lines(block.formula, display=True)}</p>'
    if isinstance(block, Facts):
        rows = (f"<tr><th>{line_html(head)}</th><td>{line_html(body)}</td></tr>" for head, body in block.rows)
        return '<table class="asymptok facts">\n' + "\n".join(rows) + "\n</table>"
    return f"<pre>{escape(block.text)}</pre>" if isinstance(block, Listing) else table_html(block)


FORMAT = Format("html", (".html", ".htm"), table_html, block_html)
