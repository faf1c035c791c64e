"""Docstrings are plain text with formulas such as |x-y|^2 and c_-1: make reStructuredText of them."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

_CODE = re.compile(r"`+([^`]+)`+")
_SPECIAL = re.compile(r"([\\*_|])")


def as_rst(lines: list[str]) -> list[str]:
    """Examples stay, indented lines become literal, the rest is text in which only `code` is marked up.

    >>> as_rst(["|c_-1| for `x`:", "    a  b", "", ">>> 2*3", "6"])
    ['\\\\|c\\\\_-1\\\\| for ``x``:', '', '::', '', '    a  b', '', '>>> 2*3', '6']
    """
    out: list[str] = []
    example = literal = False
    for line in lines:
        example = bool(line.strip()) and (example or line.startswith(">>>"))
        if example or not line.strip():
            out.append(line)
        elif line.startswith("    "):
            out += [line] if literal else ["", "::", "", line]
        else:
            out += [""] if literal and out[-1] else []
            out.append(_text(line))
        literal = bool(line.startswith("    ") or (literal and not line.strip())) and not example
    return out


def _text(line: str) -> str:
    parts = _CODE.split(line)
    return "".join(f"``{part}``" if i % 2 else _SPECIAL.sub(r"\\\1", part) for i, part in enumerate(parts))


def _process(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    lines[:] = as_rst(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", _process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
