"""Sweeps: any executor, a cache that resumes, and one failing cell that loses nothing else."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import mpmath
import pytest

from asymptok import kernels
from asymptok.errors import AsymptokError
from asymptok.spectrum import eigenvalues, sweep
from asymptok.spectrum.cells import _digest
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
    cache = tmp_path / "cells.db"
    first = Here()
    table = sweep(GRID, [3, 4], kmax=4, executor=first, cache=cache)
    assert first.calls == 6
    again = Here()
    assert sweep(GRID, [3, 4], kmax=4, executor=again, cache=cache).rows == table.rows
    assert again.calls == 2  # the failures only
    spoil(cache, "UPDATE cells SET rows = replace(rows, '0.', '0.1') WHERE rowid = 1")
    repaired = Here()
    third = sweep(GRID, [3, 4], kmax=4, executor=repaired, cache=cache)
    assert third.rows == table.rows and repaired.calls == 3
    assert len(third.refused) == 1 and third.refused[0].endswith("damaged")
    other = Here()
    sweep(GRID, [3], kmax=5, executor=other, cache=cache)
    assert other.calls == 3
    assert [path.name for path in tmp_path.iterdir()] == ["cells.db"]


def spoil(cache: Path, command: str, *values: str) -> None:
    with contextlib.closing(sqlite3.connect(cache)) as file, file:
        assert file.execute(command, values).rowcount == 1


def test_programs_share_a_grid_and_its_file(tmp_path: Path) -> None:
    """Three shards are the whole, each cell once; a later run of everything computes none but the failures."""
    cache = tmp_path / "cells.db"
    whole = sweep(GRID, [3, 4, 5], kmax=2, executor=Here())
    parts, pools = [], [Here() for _ in range(3)]
    for i, pool in enumerate(pools):
        parts.append(sweep(GRID, [3, 4, 5], kmax=2, executor=pool, cache=cache, shard=(i, 3)))
    assert [pool.calls for pool in pools] == [3, 3, 3]
    assert sorted(row for part in parts for row in part.rows) == sorted(whole.rows)
    last = Here()
    assert sweep(GRID, [3, 4, 5], kmax=2, executor=last, cache=cache).rows == whole.rows
    assert last.calls == len(whole.failures)


def test_a_cell_has_its_seconds() -> None:
    table = sweep([kernels.ntk(3)], [3], kmax=3, executor=Here(), time_limit=0)
    assert (
        not table.rows and table.failures[0].undecided and "0 s of processor time" in table.failures[0].reason
    )


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    text, foreign = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("not a database, and long enough to be read as the head of one\n" * 50)
    with contextlib.closing(sqlite3.connect(foreign)) as file, file:
        file.execute("CREATE TABLE people (name TEXT)")
    before = text.read_bytes(), foreign.read_bytes()
    for path in (text, foreign, tmp_path, tmp_path / "missing" / "cells.db"):
        with pytest.raises(AsymptokError, match="cache"):
            sweep([kernels.ntk(2)], [3], kmax=2, executor=Here(), cache=path)
    assert (text.read_bytes(), foreign.read_bytes()) == before


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
    cache = tmp_path / "cells.db"
    table = sweep([kernels.laplace()], [3, 4], kmax=2, executor=Here(), cache=cache)
    with contextlib.closing(sqlite3.connect(cache)) as file:
        cells = {
            json.loads(about)["d"]: (key, about, *rest)
            for key, about, *rest in file.execute("SELECT * FROM cells")
        }
    (key, about, rows, digest), other = cells[3], cells[4]
    held = json.loads(about)
    assert (held["kernel"], held["d"], held["version"]) == ("exp(-sqrt(1 - u))", 3, __version__)
    # the cell of another dimension, of another release, and one that lost a row
    release = json.dumps({**held, "version": "0"})
    spoilt = (
        other[1:],
        (release, rows, _digest(release, rows)),
        (about, json.dumps(json.loads(rows)[:2]), digest),
    )
    for entry, reason in zip(spoilt, ("d is 4", "version is '0'", "damaged"), strict=True):
        spoil(cache, "UPDATE cells SET question = ?, rows = ?, digest = ? WHERE key = ?", *entry, key)
        again = sweep([kernels.laplace()], [3, 4], kmax=2, executor=Here(), cache=cache)
        assert again.rows == table.rows and len(again.refused) == 1 and reason in again.refused[0]
        assert not sweep([kernels.laplace()], [3, 4], kmax=2, executor=Here(), cache=cache).refused


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
        (([kernels.ntk(2)], [3], 4), {"shard": (2, 2)}),
        (([kernels.ntk(2)], [3], 4), {"shard": 2}),
        (([kernels.ntk(2)], [3], 4), {"time_limit": -1}),
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
def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import os, sys, time\n"
        "from asymptok.spectrum.workers import through\n\n\n"
        "def work(i):\n    return os.getpid() if i < 9 else time.sleep(600)\n\n\n"
        'if __name__ == "__main__":\n'
        "    for _, pid in through(work, {i: (i,) for i in range(12)}, None):\n"
        "        print(pid, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        workers = {int(parent.stdout.readline()) for _ in range(9)}
        parent.kill()
    for _ in range(300):
        workers = {pid for pid in workers if _lives(pid)}
        if not workers:
            return
        time.sleep(0.1)
    pytest.fail(f"processes {workers} outlived their parent")


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # a process that has ended may still wait to be counted by its new parent
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z" if Path(f"/proc/{pid}").exists() else False


def _cells(cache: Path) -> int:
    if not cache.exists():
        return 0
    with contextlib.closing(sqlite3.connect(cache, timeout=60)) as file:
        found = file.execute("SELECT count(*) FROM sqlite_master WHERE name = 'cells'").fetchone()[0]
        return found and file.execute("SELECT count(*) FROM cells").fetchone()[0]


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
        run = here.submit(sweep, grid, range(3, 6), 60, client.get_executor(), cache=tmp_path / "cells.db")
        while not _cells(tmp_path / "cells.db"):
            assert not run.done()
            time.sleep(0.01)
        os.kill(next(iter(workers.values())), signal.SIGKILL)
        table = run.result()
    assert len(table) == 6 * 61 and not table.failures
