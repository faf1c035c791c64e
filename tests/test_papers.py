"""The papers of docs/examples: built from what the package prints, and compiled without overfull boxes."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("matplotlib")
FOLDER = Path(__file__).parent.parent / "docs" / "examples"


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("papers", FOLDER / "papers.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


papers = _script()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("name", papers.PAPERS)
def test_a_paper_compiles_without_overfull_boxes(name: str, tmp_path: Path) -> None:
    log = papers.compiled(papers.paper(name, tmp_path))
    assert (tmp_path / f"{name}.pdf").exists(), log[-2000:]
    assert not [x for x in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log) if float(x) > 1]
    assert "undefined" not in log and "multiply" not in log


@pytest.mark.parametrize("name", papers.PAPERS)
def test_a_paper_is_there_to_be_read(name: str) -> None:
    text = (FOLDER / f"{name}.tex").read_text(encoding="utf-8")
    assert (FOLDER / f"{name}.decay.pdf").exists()
    for part in (r"\begin{theorem}", r"\begin{proof}", r"\toprule", "decay.pdf"):
        assert part in text
