"""tutorial.md and digits.md as notebooks: prose becomes Markdown cells, every result ends a code cell.

python docs/make_notebook.py
"""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from examples import Block, split  # noqa: E402

#: the pages that are notebooks as well
NOTEBOOKS = ("tutorial", "digits")
_HEADER = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebook(page: Path) -> dict[str, Any]:
    """The notebook (format 4.5) as plain data; the same page always gives the same notebook."""
    cells: list[dict[str, Any]] = []
    for part in split(page.read_text(encoding="utf-8")):
        if isinstance(part, Block) and part.is_session:
            cells += _code(part)
        elif isinstance(part, Block) and not part.language.startswith("{"):
            cells.append(_cell("markdown", f"```{part.language}\n{part.body}```"))
        elif isinstance(part, str) and _plain(part):
            cells.append(_cell("markdown", _plain(part)))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return {"cells": cells, "metadata": _HEADER, "nbformat": 4, "nbformat_minor": 5}


def _code(block: Block) -> list[dict[str, Any]]:
    """One cell for each result, with the statements that lead to it."""
    cells: list[dict[str, Any]] = []
    source = ""
    for example in block.doctests():
        if _imports(source) and not _imports(example.source):
            source += "\n"
        source += example.source
        if example.want:
            # an object that shows itself otherwise in a notebook has no text to store
            outputs = [] if example.want.startswith("<...") else _output(example.source, example.want)
            cells.append(_code_cell(source, outputs))
            source = ""
    cells += [_code_cell(source, [])] if source else []
    # packages beyond asymptok itself that the cells need, for those who run the notebook by a program
    return [cell | {"metadata": {"needs": block.needs}} if block.needs else cell for cell in cells]


def _imports(source: str) -> bool:
    body = ast.parse(source).body
    return bool(body) and isinstance(body[-1], ast.Import | ast.ImportFrom)


def _code_cell(source: str, outputs: list[dict[str, Any]]) -> dict[str, Any]:
    return _cell("code", source) | {"execution_count": None, "outputs": outputs}


def _output(source: str, want: str) -> list[dict[str, Any]]:
    text = want.replace("<BLANKLINE>\n", "\n")
    last = ast.parse(source).body[-1]
    printed = isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and _name(last.value) == "print"
    if printed or not isinstance(last, ast.Expr):
        return [{"output_type": "stream", "name": "stdout", "text": _lines(text)}]
    data = {"text/plain": _lines(text.rstrip("\n"))}
    return [{"output_type": "execute_result", "execution_count": None, "data": data, "metadata": {}}]


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _plain(prose: str) -> str:
    """Prose without what only Sphinx understands: roles, labels, and links to the other pages' sources."""
    prose = re.sub(r"^\([\w-]+\)=\n", "", prose, flags=re.M)
    prose = re.sub(r"\{[\w-]+\}`([^`<]*?)\s*(?:<[^`>]*>)?`", r"\1", prose)
    prose = re.sub(r"\[([^\]]*)\]\([\w.-]+\.(?:md|ipynb)(?:#[\w-]+)?\)", r"\1", prose)
    return prose.strip()


def _cell(kind: str, source: str) -> dict[str, Any]:
    return {"cell_type": kind, "id": "", "metadata": {}, "source": _lines(source.rstrip("\n"))}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    for name in NOTEBOOKS:
        made = json.dumps(notebook(HERE / f"{name}.md"), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        (HERE / f"{name}.ipynb").write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
