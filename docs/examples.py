"""The examples of a page: its fenced blocks, in order, each with what a test or a notebook needs to run it."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(
    r"^(?P<ticks>`{3,})(?P<language>[^`\s]*)[^\n]*\n(?P<body>.*?)^(?P=ticks)`*[ \t]*$", re.M | re.S
)
#: an invisible remark on the line above a block: <!-- needs: distributed --> or <!-- not run: why -->
_REMARK = re.compile(r"<!--\s*(?P<key>needs|not run):\s*(?P<value>.*?)\s*-->\s*\Z", re.S)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block, the line of the page on which its content starts, and the remark above it."""

    language: str
    body: str
    line: int
    needs: str = ""
    not_run: str = ""

    @property
    def is_session(self) -> bool:
        """Python with prompts."""
        return self.language == "python" and self.body.startswith(">>>")

    @property
    def is_shell(self) -> bool:
        """Commands of this package, each after a dollar sign and followed by what it prints."""
        return self.language == "console" and self.body.startswith("$ asymptok")

    def doctests(self) -> list[doctest.Example]:
        """The statements with what they print; an empty line inside an output needs no <BLANKLINE>."""
        lines = self.body.splitlines()
        for i, line in enumerate(lines):
            following = next((later for later in lines[i + 1 :] if later.strip()), ">>>")
            if not line.strip() and not following.startswith(">>>"):
                lines[i] = "<BLANKLINE>"
        return doctest.DocTestParser().get_examples("\n".join(lines) + "\n")

    def commands(self) -> Iterator[tuple[int, str, str]]:
        """The line of the page, the command without its dollar sign, and what it prints."""
        starts = [match.start() for match in re.finditer(r"^\$ ", self.body, re.M)]
        for start, end in zip(starts, [*starts[1:], len(self.body)], strict=True):
            command, output = re.fullmatch(
                r"\$ ((?:[^\n]*\\\n)*[^\n]*)\n?(.*)", self.body[start:end], re.S
            ).groups()
            yield self.line + self.body.count("\n", 0, start), command.replace("\\\n", " "), output


def split(text: str) -> Iterator[str | Block]:
    """The page as prose and blocks, in order."""
    position = 0
    for match in _FENCE.finditer(text):
        prose = text[position : match.start()]
        remark = _REMARK.search(prose)
        remarks = {remark["key"].replace(" ", "_"): remark["value"]} if remark else {}
        yield prose[: remark.start()] if remark else prose
        line = text.count("\n", 0, match.start("body")) + 1
        yield Block(match["language"], match["body"], line, **remarks)
        position = match.end()
    yield text[position:]


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page."""
    return [part for part in split(page.read_text(encoding="utf-8")) if isinstance(part, Block)]
