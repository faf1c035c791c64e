"""Headings, paragraphs, displayed formulas and tables in a row, in every format: what commands answer with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from asymptok.reporting.html import line_html, table_html
from asymptok.reporting.latex import escape_latex, line_latex, table_latex
from asymptok.reporting.markdown import line_markdown, table_markdown
from asymptok.reporting.model import Line, Table
from asymptok.reporting.text import line_text, table_text
from asymptok.show.formula import Formula
from asymptok.show.mathml import math_lines

__all__ = ["Block", "Display", "Heading", "Listing", "Paragraph", "render_blocks"]

_TEXT_WIDTH = 78
_LATEX_WIDTH = 60


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    line: Line


@dataclass(frozen=True, slots=True)
class Display:
    """A formula on lines of its own."""

    formula: Formula


@dataclass(frozen=True, slots=True)
class Listing:
    """Text to be copied as it is."""

    text: str


Block = Heading | Paragraph | Display | Listing | Table


def render_blocks(blocks: Iterable[Block], format: str) -> str:
    """The blocks in text, latex, markdown or html."""
    render = {"text": _text, "latex": _latex, "markdown": _markdown, "html": block_html}[format]
    return "\n\n".join(render(block) for block in blocks)


def _text(block: Block) -> str:
    if isinstance(block, Heading):
        return block.text
    if isinstance(block, Paragraph):
        return line_text(block.line)
    if isinstance(block, Display):
        first, *rest = block.formula.lines(_TEXT_WIDTH, typeset=False)
        return "\n".join(["  " + first.text(), *("      " + more.text(continued=True) for more in rest)])
    return block.text if isinstance(block, Listing) else table_text(block)


def _latex(block: Block) -> str:
    if isinstance(block, Heading):
        return rf"\paragraph{{{escape_latex(block.text)}}}"
    if isinstance(block, Paragraph):
        return line_latex(block.line)
    if isinstance(block, Display):
        lines = block.formula.lines(_LATEX_WIDTH)
        if len(lines) == 1:
            return "\\[\n" + lines[0].latex() + "\n\\]"
        first, *rest = (line.latex(continued=i > 0) for i, line in enumerate(lines))
        body = " \\\\\n".join([f"&{first}", *(rf"&\quad {{}} {more}" for more in rest)])
        return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"
    if isinstance(block, Listing):
        return f"\\begin{{verbatim}}\n{block.text}\n\\end{{verbatim}}"
    return table_latex(block, escape_latex(block.caption), block.label, standalone=False)


def _markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"## {block.text}"
    if isinstance(block, Paragraph):
        return line_markdown(block.line)
    if isinstance(block, Display):
        return f"$$\n{block.formula.latex()}\n$$"
    return f"```\n{block.text}\n```" if isinstance(block, Listing) else table_markdown(block)


def block_html(block: Block) -> str:
    """One block as HTML."""
    if isinstance(block, Heading):
        return f"<h3>{escape(block.text)}</h3>"
    if isinstance(block, Paragraph):
        return f"<p>{line_html(block.line)}</p>"
    if isinstance(block, Display):
        return f'<p class="display">{math_lines(block.formula, display=True)}</p>'
    return f"<pre>{escape(block.text)}</pre>" if isinstance(block, Listing) else table_html(block)
