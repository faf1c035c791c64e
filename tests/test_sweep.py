"""Sweeps: any executor, a cache that resumes, and one failing cell that loses nothing else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import mpmath
import pytest

from asymptok import kernels
from asymptok.errors import AsymptokError
from asymptok.spectrum import eigenvalues, sweep
from asymptok.spectrum.workers import through
from asymptok.version import __version__

GRID = [kernels.ntk(2), kernels.laplace(), "1/(1-u)**2"]


class Here(Executor):
    """Runs at once, and counts."""

    def __init__(self) -> None:
        self.calls = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.calls += 1
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def test_rows_are_the_eigenvalues_and_failures_are_named() -> None:
    with ThreadPoolExecutor(1) as pool:
        table = sweep(GRID, [3, 4], kmax=6, executor=pool, dps=20)
    assert len(table) == 2 * 2 * 7 and [(f.kernel, f.d) for f in table.failures] == [
        ("(1 - u)**(-2)", 3),
        ("(1 - u)**(-2)", 4),
    ]
    assert "integrable" in table.failures[0].reason
    spectrum = eigenvalues(kernels.laplace(), d=4, kmax=6, dps=20)
    for row in table.rows:
        if row.kernel == kernels.laplace().name and row.d == 4:
            assert mpmath.almosteq(mpmath.mpf(row.mu), spectrum[row.k], 1e-14) and row.proved


def test_the_cache_resumes_and_survives_damage(tmp_path: Path) -> None:
    first = Here()
    table = sweep(GRID, [3, 4], kmax=4, executor=first, cache=tmp_path)
    assert first.calls == 6
    again = Here()
    assert sweep(GRID, [3, 4], kmax=4, executor=again, cache=tmp_path).rows == table.rows
    assert again.calls == 2  # the failures only
    next(tmp_path.glob("*.json")).write_text("{")
    repaired = Here()
    assert sweep(GRID, [3, 4], kmax=4, executor=repaired, cache=tmp_path).rows == table.rows
    assert repaired.calls == 3
    other = Here()
    sweep(GRID, [3], kmax=5, executor=other, cache=tmp_path)
    assert other.calls == 3


def test_a_worker_that_dies_loses_one_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    sweep_module = import_module("asymptok.spectrum.grid")
    real = sweep_module.cell

    def sometimes(kernel: Any, d: int, *rest: Any) -> Any:
        if d == 4:
            raise MemoryError("gone")
        return real(kernel, d, *rest)

    monkeypatch.setattr(sweep_module, "cell", sometimes)
    table = sweep([kernels.ntk(2)], [3, 4, 5], kmax=2, executor=Here())
    assert {row.d for row in table.rows} == {3, 5} and table.failures[0].d == 4


def test_table_and_bad_input(tmp_path: Path) -> None:
    table = sweep([kernels.ntk(2)], iter([3]), kmax=2, executor=Here())
    text = table.to_csv(tmp_path / "sweep.csv")
    assert (
        text.splitlines()[0] == "kernel,d,k,mu,error,multiplicity,method,proved"
        and len(text.splitlines()) == 4
    )
    assert (tmp_path / "sweep.csv").read_text() == text and "3 eigenvalues in 1 cell," in repr(table)
    with pytest.raises(AsymptokError):
        sweep([kernels.ntk(2)], [1], kmax=2, executor=Here())


@pytest.mark.slow
def test_process_pool_is_the_default() -> None:
    table = sweep([kernels.ntk(3), kernels.laplace()], [3, 5], kmax=20)
    assert len(table) == 4 * 21 and not table.failures


def test_a_stored_cell_says_what_it_holds_and_another_one_is_refused(tmp_path: Path) -> None:
    table = sweep([kernels.laplace()], [3, 4], kmax=2, executor=Here(), cache=tmp_path)
    first, second = sorted(tmp_path.glob("*.json"), key=lambda path: json.loads(path.read_text())["d"])
    found = json.loads(first.read_text())
    assert (found["kernel"], found["d"], found["version"]) == ("exp(-sqrt(1 - u))", 3, __version__)
    # the cell of another dimension, of another release, and one that lost a row
    spoilt = (
        second.read_text(),
        json.dumps({**found, "version": "0"}),
        json.dumps({**found, "rows": found["rows"][:2]}),
    )
    for text in spoilt:
        first.write_text(text)
        again = sweep([kernels.laplace()], [3, 4], kmax=2, executor=Here(), cache=tmp_path)
        assert again.rows == table.rows and len(again.refused) == 1 and first.name in again.refused[0]
        assert json.loads(first.read_text()) == found


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((5, [3], 4), {}),
        (("ntk(2)", [3], 4), {}),
        (([kernels.ntk(2)], 3, 4), {}),
        (([kernels.ntk(2)], "3", 4), {}),
        (([kernels.ntk(2)], ["3"], 4), {}),
        (([kernels.ntk(2)], [3.5], 4), {}),
        (([kernels.ntk(2)], [3], "4"), {}),
        (([kernels.ntk(2)], [3], None), {}),
        (([None], [3], 4), {}),
        (([kernels.ntk(2)], [3], 4), {"executor": 2}),
        (([kernels.ntk(2)], [3], 4), {"executor": "dask"}),
        (([kernels.ntk(2)], [3], 4), {"cache": 3}),
        (([kernels.ntk(2)], [3], 4), {"dps": "30"}),
        (([kernels.ntk(2)], [3], 4), {"method": "fast"}),
        (([kernels.ntk(2)], [3], 4), {"method": 1}),
    ],
)
def test_numbers_and_texts_given_by_mistake(arguments: Any, options: Any) -> None:
    with pytest.raises(AsymptokError):
        sweep(*arguments, **options)


def _killed_once(mark: str) -> int:
    """A job whose first try kills its process."""
    path = Path(mark)
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def _killed_always(mark: str) -> int:
    if mark:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0


@pytest.mark.slow
def test_a_dead_process_of_the_pool_is_replaced(tmp_path: Path) -> None:
    jobs = {i: (str(tmp_path / "mark"),) for i in range(3)}
    found = dict(through(_killed_once, jobs, None))
    assert sorted(found) == [0, 1, 2] and all(isinstance(value, int) for value in found.values())
    # one that always dies fails by itself
    found = dict(through(_killed_always, {0: ("",), 1: ("die",)}, None))
    assert found[0] == 0 and isinstance(found[1], AsymptokError)


@pytest.mark.slow
def test_a_script_without_the_guard_gets_one_error(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text('from asymptok import sweep\nprint(sweep(["exp(u)"], [3, 4], 2))\n')
    found = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 1 and found.stdout == ""
    assert found.stderr.count("Traceback") == 1 and 'if __name__ == "__main__":' in found.stderr


@pytest.mark.slow
def test_dask_survives_a_worker_that_is_killed(tmp_path: Path) -> None:
    distributed = pytest.importorskip("dask.distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        ThreadPoolExecutor(1) as here,
    ):
        workers = client.run(os.getpid)
        grid = [kernels.ntk(depth) for depth in (3, 4)]
        run = here.submit(sweep, grid, range(3, 6), 60, client.get_executor(), cache=tmp_path)
        while not list(tmp_path.glob("*.json")):
            assert not run.done()
        os.kill(next(iter(workers.values())), signal.SIGKILL)
        table = run.result()
    assert len(table) == 6 * 61 and not table.failures
