"""What every test gets: fixed Hypothesis settings, and a watch on the global precision."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import flint
import mpmath
import pytest
from hypothesis import settings

# There is a worker for each core: threads of its own only make linear algebra wait. NumPy is not loaded yet.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No deadline: the first call of a SymPy function pays for imports and caches.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


_LIST = Path(__file__).with_name("slow_tests.txt")
SLOW = frozenset(line for line in _LIST.read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#"))


#: what the tests of peers and backends use, and nobody is asked to install
PEERS = ("jax", "torch", "neural_tangents")


def pytest_report_header() -> str:
    absent = [name for name in PEERS if find_spec(name) is None]
    return f"not installed, their tests are left out: {', '.join(absent) or 'none'}"


# first: before pytest sorts out what the command line does not ask for
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What slow_tests.txt lists is slow; what needs a package that is not there is no test here."""
    absent = []
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        if name in SLOW or name.partition("[")[0] in SLOW:
            item.add_marker(pytest.mark.slow)
        if any(find_spec(mark.args[0]) is None for mark in item.iter_markers("needs")):
            absent.append(item)
    if absent:
        config.hook.pytest_deselected(items=absent)
        items[:] = [item for item in items if item not in absent]


def _global_precision() -> dict[str, int]:
    return {
        "mpmath.mp.prec": mpmath.mp.prec,
        "flint.ctx.prec": flint.ctx.prec,
        "flint.ctx.cap": flint.ctx.cap,
    }


@pytest.fixture(autouse=True)
def precision_is_restored() -> Iterator[None]:
    """A test that leaves the global precision changed fails, and does not spoil the next one."""
    before = _global_precision()
    yield
    after = _global_precision()
    mpmath.mp.prec = before["mpmath.mp.prec"]
    flint.ctx.prec = before["flint.ctx.prec"]
    flint.ctx.cap = before["flint.ctx.cap"]
    leaks = [f"{name}: {before[name]} -> {after[name]}" for name in before if before[name] != after[name]]
    if leaks:
        pytest.fail("global precision was not restored: " + ", ".join(leaks))


@pytest.fixture(autouse=True)
def _no_referee(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """mpmath takes its second in every verify(): only tests that ask for it wait, and the pages of the docs."""
    if not any(word in request.node.name for word in ("referee", "test_page")):
        for limit in ("_BUDGET", "_PATIENCE"):
            monkeypatch.setattr(f"asymptok.verification.referee.{limit}", 0.0)
