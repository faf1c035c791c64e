"""Headings, paragraphs, displayed formulas and tables in a row: what commands answer with."""

from __future__ import annotations

from collections.abc import Iterable

from asymptok.errors import AsymptokError
from asymptok.reporting.cells import Block, Display, Heading, Listing, Paragraph
from asymptok.reporting.formats import FORMATS

__all__ = ["Block", "Display", "Heading", "Listing", "Paragraph", "render_blocks"]


def render_blocks(blocks: Iterable[Block], format: str) -> str:
    """The blocks in one of the formats that have a way to write them."""
    render = FORMATS[format].block
    if render is None:
        others = ", ".join(name for name, known in FORMATS.items() if known.block is not None)
        raise AsymptokError(f"{format} is for tables only: choose from {others}")
    return "\n\n".join(render(block) for block in blocks)
