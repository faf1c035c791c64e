"""Tables and lines as HTML with MathML formulas."""

from __future__ import annotations

import re
from html import escape

from asymptok.reporting.model import Cell, Line, Table
from asymptok.show.formula import Formula
from asymptok.show.mathml import math_lines

__all__ = ["line_html", "prose_html", "table_html"]

_ALIGN = {"l": "left", "r": "right", "c": "center", "p": "left"}


def line_html(line: Line) -> str:
    """One line of prose and formulas."""
    return "".join(math_lines(part) if isinstance(part, Formula) else prose_html(part) for part in line)


#: formulas inside prose are typed as on a keyboard; each pattern sets one kind of them
_KEYBOARD = (
    (r"\*\*\(([^()]*)\)|\^\(([^()]*)\)", r"<sup>\1\2</sup>"),
    (r"\*\*(\w+)|\^(-?\w+)", r"<sup>\1\2</sup>"),
    (r"\bsqrt\((\w+)\)", "\u221a\\1"),
    (r"\b(kappa|mu|nu)_(-?\w+)", r"\1<sub>\2</sub>"),
    (r"\bkappa(\d)", r"kappa<sub>\1</sub>"),
    (r"\b([ac])_(-?\d+)", r"<i>\1</i><sub>\2</sub>"),
    (r"\bkappa\b", "\u03ba"),
    (r"\bmu\b", "\u03bc"),
    (r"\b(?<![\w-])nu\b|(?<=\d)nu\b", "\u03bd"),
    (r"\bgamma\b(?!-)", "\u03b3"),
    (r"\bpi\b", "\u03c0"),
    (r"\brho\b", "\u03c1"),
    (r"\bPhi\b", "\u03a6"),
    (r"\beta\b", "\u03b7"),
    (r"\bdelta\b", "\u03b4"),
    (r" -&gt; ", " \u2192 "),
    (r"\bC-infinity\b", "C<sup>\u221e</sup>"),
    (r"(?<=[\w)>])\*(?=[\w(\u221a])", "\u00b7"),
    (r"&gt;=", "\u2265"),
    (r"&lt;=", "\u2264"),
    (r"!=", "\u2260"),
    (r"(?<=[\s(,=>\[])-(?=[\d\u221a(\s\w])", "\u2212"),
)


def prose_html(text: str) -> str:
    """Prose with the formulas in it made readable: mu_k, t**(1/2), sqrt(2), >=.

    >>> prose_html("mu_k >= 0 and t**(1/2)")
    '\u03bc<sub>k</sub> \u2265 0 and t<sup>1/2</sup>'
    """
    html = escape(text)
    for pattern, replacement in _KEYBOARD:
        html = re.sub(pattern, replacement, html)
    return html


def table_html(table: Table) -> str:
    """<table> with a caption; notes follow as small paragraphs."""
    styles = [f' style="text-align:{_ALIGN[column.align]}"' for column in table.columns]
    out = ['<table class="asymptok">']
    if table.caption:
        out.append(f"<caption>{escape(table.caption)}</caption>")
    heads = "".join(
        f'<th scope="col"{style}>{line_html(column.heading)}</th>'
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
