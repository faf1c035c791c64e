"""The formats of tables and answers: each is one file in this folder with its FORMAT; no list has to be told."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules

from asymptok.errors import AsymptokError
from asymptok.show.blocks import Block
from asymptok.show.formats.format import Format

__all__ = ["FORMATS", "Format", "render"]

_FILES = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]

#: every format by its name
FORMATS: dict[str, Format] = {file.FORMAT.name: file.FORMAT for file in _FILES if hasattr(file, "FORMAT")}


def render(blocks: Iterable[Block], format: str) -> str:
    """The blocks in one of the formats that have a way to write them."""
    write = FORMATS[format].block
    if write is None:
        others = ", ".join(name for name, known in FORMATS.items() if known.block is not None)
        raise AsymptokError(f"{format} is for tables only: choose from {others}")
    return "\n\n".join(write(block) for block in blocks)
