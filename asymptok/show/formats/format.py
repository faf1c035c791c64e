"""What a format has to bring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from asymptok.show.blocks import Block, Sheet


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write tables, and (if it has one for them) headings, paragraphs and formulas in a row."""

    name: str
    #: endings of files that ask for it
    suffixes: tuple[str, ...]
    table: Callable[[Sheet], str]
    block: Callable[[Block], str] | None = None
