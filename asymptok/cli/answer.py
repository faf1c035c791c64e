"""What a command answers: blocks for people, data for machines, an exit code for scripts."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from asymptok.errors import AsymptokError
from asymptok.reporting.blocks import Block, render_blocks
from asymptok.reporting.model import Table

__all__ = ["Answer", "chosen_format", "kernel_data"]

_SUFFIXES = {
    ".tex": "latex",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
    ".csv": "csv",
    ".json": "json",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command has found out; `data` for --json and `sheet` for CSV are made only if asked for.

    `written`: the command has written its file itself; `verbatim`: the blocks are in the right format already.
    """

    blocks: tuple[Block, ...]
    data: Callable[[], Any]
    code: int = 0
    sheet: Callable[[], Table] | None = None
    written: bool = False
    verbatim: bool = False

    def text(self, options: Any) -> str:
        """The answer in the format that the options ask for."""
        if self.written and not options.json:
            return render_blocks(self.blocks, "text")
        format = chosen_format(options)
        if format == "json":
            return json.dumps(self.data(), indent=2, ensure_ascii=False)
        if format == "csv":
            if self.sheet is None:
                raise AsymptokError(
                    "this command has no table to show as csv: choose text, latex, markdown or html"
                )
            return self.sheet().to_csv().rstrip("\n")
        return render_blocks(self.blocks, "text" if self.verbatim else format)


def chosen_format(options: Any) -> str:
    """--json, --format, or what the name of the output file suggests."""
    if options.json:
        return "json"
    if options.format is not None:
        return str(options.format)
    if options.output is not None:
        suffix = PurePath(options.output).suffix.lower()
        if suffix in ("", ".txt", ".bib"):
            return "text"
        if suffix not in _SUFFIXES:
            known = ", ".join((".txt", *_SUFFIXES))
            raise AsymptokError(
                f"--output {options.output}: no format has the ending {suffix}; known are {known}"
            )
        return _SUFFIXES[suffix]
    return "text"


def kernel_data(kernel: Any) -> dict[str, Any]:
    """A kernel for a machine."""
    ranges = {str(symbol): [str(low), str(high)] for symbol, (low, high) in kernel.parameters.items()}
    return {"name": kernel.name, "expression": str(kernel), "parameters": ranges}
