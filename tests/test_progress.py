"""Progress: real shares that grow, on a terminal and in a notebook after a second, nothing elsewhere."""

from __future__ import annotations

import io
import re
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from asymptok import certify, eigenvalues, kernels, progress, report, sweep, table, verify
from asymptok.progress import each, share, task
from asymptok.reporting.networks import network_table


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal in front of a user whose seconds are over at once."""
    screen = Terminal()
    # pytest puts its own stream into sys.stderr between the fixture and the test
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=screen, modules={}))
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_PAUSE", 0.0)
    return screen


def shares(text: str) -> list[int]:
    return [int(x) for x in re.findall(r"(\d+) %", text)]


def test_shares_of_nested_loops_grow_and_the_line_is_wiped(terminal: Terminal) -> None:
    with task("work"):
        for _ in each(range(2)):
            with share(0.5, 1):
                for _ in each([1, 2, 3, 4, 5]):
                    pass
    seen = shares(terminal.getvalue())
    assert seen == sorted(set(seen)) and {0, 25, 35, 50, 75, 85, 100} <= set(seen)
    assert terminal.getvalue().endswith(" \r") and "work" in terminal.getvalue()


def test_nothing_is_shown_in_the_first_second(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    # pytest puts its own stream into sys.stderr between the fixture and the test
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=screen, modules={}))
    with task("work"):
        for _ in each(range(99)):
            pass
    assert "%" not in screen.getvalue().replace("100 %", "")


def _everything(tmp_path: Any) -> dict[str, Any]:
    from test_sweep import Here

    return {
        "eigenvalues": lambda: eigenvalues(kernels.random_features(3), 4, kmax=12, dps=16),
        "verify": lambda: verify(kernels.laplace(3), 4, kmax=12, dps=16, referee=[1]),
        "certify": lambda: certify(kernels.laplace(3), 4),
        "report": lambda: report(kernels.laplace(3), 4, tmp_path / "page.html", kmax=12),
        "sweep": lambda: sweep([kernels.laplace(3)], [3, 4, 5, 6], 3, Here()),
        "table": lambda: table([kernels.laplace(c) for c in (1, 2, 3)]),
        "table of networks": lambda: network_table([(name, {}) for name in ("relu", "step", "sign", "abs")]),
    }


@pytest.mark.parametrize(
    "name",
    [
        *("eigenvalues", "verify", "certify", "sweep", "table", "table of networks"),
        pytest.param("report", marks=pytest.mark.slow),
    ],
)
def test_every_long_function_tells_where_it_is(name: str, terminal: Terminal, tmp_path: Any) -> None:
    _everything(tmp_path)[name]()
    seen = shares(terminal.getvalue())
    assert len(seen) >= 4 and seen == sorted(seen)
    # one bar, of the function that was called
    assert set(re.findall(r"\r(\w+) ", terminal.getvalue())) == {name.split()[0]}


def test_none_where_nobody_watches(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    eigenvalues(kernels.ntk(3), 3, kmax=5)
    assert capsys.readouterr() == ("", "")


def test_switched_off(terminal: Terminal) -> None:
    verify(kernels.laplace(), 3, kmax=8, dps=16, referee=(), progress=False)
    assert terminal.getvalue() == ""


def test_a_notebook_gets_an_element_that_is_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[dict[str, str]] = []
    handle = SimpleNamespace(update=lambda data, raw: shown.append(data))

    def display(data: dict[str, str], raw: bool, display_id: bool) -> Any:
        shown.append(data)
        return handle

    page = SimpleNamespace(
        get_ipython=lambda: SimpleNamespace(kernel=True), display=SimpleNamespace(display=display)
    )
    monkeypatch.setitem(sys.modules, "IPython", page)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    eigenvalues(kernels.laplace(2), 3, kmax=5)
    assert len(shown) > 1 and "<progress" in shown[0]["text/html"] and shown[-1]["text/html"] == ""
