"""Every example of the README and of docs/ is run, and prints what the page says."""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import inspect
import io
import json
import re
import shlex
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import asymptok
from asymptok import kernels
from asymptok.cli import main

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [page for page in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))) if page.exists()]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def _load(name: str) -> ModuleType:
    """A script of docs/, which is no package."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses look for the annotations, and the scripts for each other
    spec.loader.exec_module(module)
    return module


examples = _load("examples")
notebook = _load("make_notebook")
gallery = _load("make_gallery")


def _run_session(page: Path, block: Any, names: dict[str, Any]) -> None:
    """The block as one doctest in the namespace of its page."""
    # DocTest counts lines from 0, and the runner shows the source line by this number
    test = doctest.DocTest(block.doctests(), names, page.name, str(page), block.line - 1, None)
    output = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(test, out=output.write, clear_globs=False)
    names.update(test.globs)
    if runner.failures:
        pytest.fail(output.getvalue(), pytrace=False)


def _run_shell(page: Path, block: Any) -> None:
    """The commands through the command line's own entry; `echo $?` shows the exit status of the last one."""
    status: int | None = None
    for line, command, wanted in block.commands():
        words = shlex.split(command)
        printed = io.StringIO()
        if words == ["echo", "$?"]:
            printed.write(f"{status}\n")
        elif words[0] == "asymptok":
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                try:
                    status = main(words[1:])
                except SystemExit as end:  # --help and --version
                    status = int(end.code or 0)
        else:
            pytest.fail(
                f"{page.name}:{line}: only asymptok and echo $? are run here, not {words[0]}", pytrace=False
            )
        checker = doctest.OutputChecker()
        # an empty line counts here: the output stands in the page as the terminal shows it
        if not checker.check_output(wanted, printed.getvalue(), FLAGS):
            example = doctest.Example(f"{command}\n", wanted)
            difference = checker.output_difference(example, printed.getvalue(), FLAGS)
            pytest.fail(f"{page.name}:{line}: {command}\n{difference}", pytrace=False)
        if status and not _shows_status(block):
            pytest.fail(
                f"{page.name}:{line}: {command} ended with {status}, which the page does not show",
                pytrace=False,
            )


def _shows_status(block: Any) -> bool:
    return any(command == "echo $?" for _, command, _ in block.commands())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python blocks share one namespace; files go to an empty directory."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in examples.blocks(page):
        if block.not_run or block.needs:
            continue
        if block.is_session:
            _run_session(page, block, names)
        elif block.is_shell:
            _run_shell(page, block)
        elif block.language == "python":
            exec(compile("\n" * (block.line - 1) + block.body, str(page), "exec"), names)


NEEDING = sorted({(page, block.needs) for page in PAGES for block in examples.blocks(page) if block.needs})


@pytest.mark.parametrize(("page", "needs"), NEEDING, ids=lambda x: getattr(x, "name", x))
def test_blocks_that_need_more(
    page: Path, needs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of a page that need the same packages are a session of their own, skipped where one is missing."""
    for module in needs.split(","):
        pytest.importorskip(module.strip())
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in examples.blocks(page):
        if block.needs != needs:
            continue
        if block.is_session:
            _run_session(page, block, names)
        else:
            exec(compile("\n" * (block.line - 1) + block.body, str(page), "exec"), names)


@pytest.mark.parametrize("name", notebook.NOTEBOOKS)
def test_notebook_is_its_page(name: str) -> None:
    """The stored notebook is what the script makes of the page."""
    stored = (DOCS / f"{name}.ipynb").read_text(encoding="utf-8")
    assert json.loads(stored) == notebook.notebook(DOCS / f"{name}.md"), "run python docs/make_notebook.py"


@pytest.mark.parametrize("name", notebook.NOTEBOOKS)
def test_notebook_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code cells run from top to bottom."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    stored = json.loads((DOCS / f"{name}.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in stored["cells"] if cell["cell_type"] == "code"]
    assert cells
    for number, cell in enumerate(cells, 1):
        needs = cell["metadata"].get("needs")
        if needs and importlib.util.find_spec(needs) is None:
            continue
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)


def test_the_gallery_shows_every_kernel() -> None:
    shown = {entry.kernel.name: entry.code for entries in gallery.GALLERY.values() for entry in entries}
    called = {code.removeprefix("kernels.").partition("(")[0] for code in shown.values()}
    assert called == set(kernels.names())


def test_the_reference_has_every_public_name() -> None:
    page = (DOCS / "reference.md").read_text(encoding="utf-8")
    assert [name for name in asymptok.__all__ if not re.search(rf"\b{name}\b", page)] == []


#: what scripts and notebooks call, beside the functions: each has a description, and its class shows all of them
MEMBERS = {
    "Kernel": "evaluate subs compose gram lambdify from_eigenvalues taylor taylor_law named",
    "Expansion": "terms polynomial nu log_power coefficient as_expr as_series evaluate bound subs",
    "Decay": "series evaluate estimate parity subs cases",
    "ParityDecay": "nu coefficient exponent constant by_dimension at",
    "Spectrum": "values error rigorous is_proved method to_numpy to_csv plot multiplicities expanded trace tail",
    "ConditionReport": "holds require refuted open by_clause conclusion",
    "Verification": "passed verdict rows checks explain fitted_exponent require",
    "Certificate": "lower upper to_json from_json recheck theorem",
    "RadialKernel": "spectral_density tail on_sphere",
    "LearningCurve": "plot measure",
    "Table": "to_latex to_markdown to_html to_csv to_pandas",
}


def test_the_reference_shows_every_member() -> None:
    page = (DOCS / "reference.md").read_text(encoding="utf-8")
    for name, members in MEMBERS.items():
        assert re.search(rf"autoclass:: {name}\n   :members:\n", page), name
        bare = [m for m in members.split() if not inspect.getdoc(getattr(getattr(asymptok, name), m))]
        assert not bare, (name, bare)


# ------------------------------------------------------------------------- the reader of examples itself


def test_blocks_are_found_with_their_lines() -> None:
    page = (
        "a\n\n```python\n>>> 1\n1\n```\n\n<!-- needs: dask -->\n```python\n>>> 2\n2\n```\n````md\n```\n````\n"
    )
    first, second, third = (part for part in examples.split(page) if isinstance(part, examples.Block))
    assert (first.line, first.needs, first.is_session) == (4, "", True)
    assert (second.line, second.needs) == (10, "dask")
    assert (third.language, third.body) == ("md", "```\n")


def test_an_output_may_hold_an_empty_line() -> None:
    block = examples.Block("python", ">>> print('a\\n\\nb')\na\n\nb\n\n>>> 1\n1\n", 1)
    assert [e.want for e in block.doctests()] == ["a\n<BLANKLINE>\nb\n", "1\n"]


def test_commands_with_their_output() -> None:
    block = examples.Block("console", "$ asymptok expand \\\n  u\n1\n2\n$ echo $?\n0\n", 7)
    assert list(block.commands()) == [(7, "asymptok expand    u", "1\n2\n"), (11, "echo $?", "0\n")]


def test_a_wrong_output_is_caught(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    with pytest.raises(pytest.fail.Exception, match="Expected"):
        _run_session(page, examples.Block("python", ">>> 1\n2\n", 1), {})
    with pytest.raises(pytest.fail.Exception, match="Expected"):
        _run_shell(page, examples.Block("console", "$ asymptok --version\nnothing\n", 1))
    with pytest.raises(pytest.fail.Exception, match="only asymptok"):
        _run_shell(page, examples.Block("console", "$ asymptok --version\nasymptok ...\n$ rm x\n", 1))
