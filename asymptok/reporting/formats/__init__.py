"""The formats of tables and answers: each is one file in this folder with its FORMAT; no list has to be told."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from asymptok.reporting.formats.format import Format

__all__ = ["FORMATS", "Format"]

_FILES = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]

#: every format by its name
FORMATS: dict[str, Format] = {file.FORMAT.name: file.FORMAT for file in _FILES if hasattr(file, "FORMAT")}
