"""What a command answers: blocks for people, data for machines, an exit code for scripts."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.quantities import JSON
from asymptok.show.blocks import Block, Sheet
from asymptok.show.formats import FORMATS, render

__all__ = ["Answer", "chosen_format", "kernel_data"]

#: the ending of a file -> the format that it asks for
_SUFFIXES = {suffix: format.name for format in FORMATS.values() for suffix in format.suffixes} | {
    ".json": "json"
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command has found out; `data` for --json and `sheet` for CSV are made only if asked for.

    `written`: the command has written its file itself; `verbatim`: the blocks are in the right format already.
    """

    blocks: tuple[Block, ...]
    data: Callable[[], JSON]
    code: int = 0
    sheet: Callable[[], Sheet] | None = None
    written: bool = False
    verbatim: bool = False

    def text(self, options: argparse.Namespace) -> str:
        """The answer in the format that the options ask for."""
        if self.written and not options.json:
            return render(self.blocks, "text")
        # --output is then the name of another file, and the data go to standard output
        format = "json" if self.written else chosen_format(options)
        if format == "json":
            return json.dumps(self.data(), indent=2, ensure_ascii=False)
        if FORMATS[format].block is None:
            if self.sheet is None:
                others = ", ".join(name for name, known in FORMATS.items() if known.block is not None)
                raise AsymptokError(f"this command has no table to show as {format}: choose from {others}")
            return FORMATS[format].table(self.sheet()).rstrip("\n")
        return render(self.blocks, "text" if self.verbatim else format)


def chosen_format(options: argparse.Namespace) -> str:
    """--json, --format, or what the name of the output file suggests."""
    if options.json:
        suffix = "" if options.output is None else PurePath(options.output).suffix.lower()
        if _SUFFIXES.get(suffix, "json") != "json":
            raise AsymptokError(
                f"--json writes JSON, and the ending of {options.output} says {_SUFFIXES[suffix]}"
            )
        return "json"
    if options.format is not None:
        return str(options.format)
    if options.output is not None:
        suffix = PurePath(options.output).suffix.lower()
        if not suffix:
            return "text"
        if suffix not in _SUFFIXES:
            known = ", ".join(_SUFFIXES)
            raise AsymptokError(
                f"--output {options.output}: no format has the ending {suffix}; known are {known}"
            )
        return _SUFFIXES[suffix]
    return "text"


def kernel_data(kernel: Kernel) -> dict[str, JSON]:
    """A kernel for a machine."""
    ranges = {str(symbol): [str(low), str(high)] for symbol, (low, high) in kernel.parameters.items()}
    return {"name": kernel.name, "expression": str(kernel), "parameters": ranges}
