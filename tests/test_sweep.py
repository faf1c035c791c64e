"""Sweeps: any executor, a cache that resumes, and one failing cell that loses nothing else."""

from __future__ import annotations

from concurrent.futures import Executor, Future, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import mpmath
import pytest

from asymptok import kernels
from asymptok.errors import AsymptokError
from asymptok.spectrum import eigenvalues, sweep

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


@pytest.mark.slow
def test_dask() -> None:
    distributed = pytest.importorskip("dask.distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        table = sweep([kernels.ntk(2)], [3], kmax=4, executor=client.get_executor())
    assert len(table) == 5
