"""mu_k over a grid of kernels and dimensions, through any concurrent.futures executor, with a cache on disk."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterable
from concurrent.futures import Executor
from contextlib import closing, nullcontext
from dataclasses import dataclass
from html import escape
from os import PathLike
from typing import Any, NamedTuple

from sympy import Expr

from asymptok.arguments import checked_degree, checked_digits, checked_dimension, write_text
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.points import nonnegative
from asymptok.progress import each, task
from asymptok.spectrum.cells import Store, cell, question
from asymptok.spectrum.compute import checked_method
from asymptok.spectrum.frames import data_frame_class
from asymptok.spectrum.workers import checked_executor, through

#: rows that a notebook shows
_SHOWN = 20


class Row(NamedTuple):
    """One eigenvalue; numbers as decimal text, so that no digit is lost."""

    kernel: str
    d: int
    k: int
    mu: str
    error: str
    multiplicity: int
    method: str
    proved: bool


class Failure(NamedTuple):
    """A cell that gave no answer, and why; `undecided` if more effort or another assumption might give one."""

    kernel: str
    d: int
    reason: str
    undecided: bool = False


@dataclass(frozen=True, slots=True)
class Sweep:
    """A tidy table: one row for each kernel, dimension and degree; failed cells apart."""

    rows: tuple[Row, ...]
    failures: tuple[Failure, ...]
    seconds: float
    #: cells of the cache that held something else and were computed again
    refused: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        cells = _counted(len({(row.kernel, row.d) for row in self.rows}), "cell")
        failed = _counted(len(self.failures), "cell")
        return f"<Sweep: {_counted(len(self.rows), 'eigenvalue')} in {cells}, {failed} failed>"

    def _repr_html_(self) -> str:
        heads = "".join(f"<th>{name}</th>" for name in Row._fields)
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(str(x))}</td>" for x in row) + "</tr>"
            for row in self.rows[:_SHOWN]
        )
        more = f"<p>{len(self.rows) - _SHOWN} more</p>" if len(self.rows) > _SHOWN else ""
        failed = "".join(
            f"<p>failed: {escape(f'{f.kernel}, d = {f.d}: {f.reason}')}</p>" for f in self.failures
        )
        return f"<p>{escape(repr(self)[1:-1])}</p><table><tr>{heads}</tr>{rows}</table>{more}{failed}"

    def to_pandas(self) -> Any:
        """A pandas DataFrame with one row for each eigenvalue, numbers as doubles (needs pandas)."""
        frame = data_frame_class()(list(self.rows), columns=list(Row._fields))
        return frame.astype({"mu": float, "error": float}) if len(frame) else frame

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        """Comma-separated rows under the names of the fields; written to `path` if given."""
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(self.rows)
        if path is not None:
            write_text(path, buffer.getvalue())
        return buffer.getvalue()


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def sweep(
    kernels: Iterable[Kernel | Expr | str],
    dims: Iterable[int],
    kmax: int,
    executor: Executor | None = None,
    *,
    dps: int = 30,
    method: str = "auto",
    cache: str | PathLike[str] | None = None,
    shard: tuple[int, int] | None = None,
    time_limit: float | None = None,
    progress: bool | None = None,
) -> Sweep:
    """mu_0 ... mu_kmax for every kernel and every dimension, in the order of the arguments.

    `executor` is anything with submit(): a process pool by default, whose dead workers are replaced, Dask's
    client.get_executor() or mpi4py.futures.MPIPoolExecutor. The trap: the threads of one process share flint's
    precision, so a thread pool must have a single worker. With `cache` (the path of a SQLite file) finished cells are
    kept and found again by a later run, also after an interrupt; a cell that is damaged or holds another question or
    version is computed again and named in `.refused`. `shard` = (i, n) takes the cells i, i + n, i + 2n, ... only, for
    the i-th of n programs, and `time_limit` bounds the processor time of each cell in seconds. A cell that fails is
    listed in `.failures` and does not lose the others.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(1) as pool:
    ...     table = sweep(["(1+u)/2", "1/(1-u)**2"], [3, 4], kmax=2, executor=pool)
    >>> table
    <Sweep: 6 eigenvalues in 2 cells, 2 cells failed>
    """
    start = time.perf_counter()
    executor = checked_executor(executor)
    if isinstance(kernels, Kernel | Expr | str) or not isinstance(kernels, Iterable):
        raise AsymptokError(
            f"sweep takes a list of kernels: sweep([{str(kernels)[:40]}], [3, 5], kmax={kmax!r})"
        )
    if isinstance(dims, str) or not isinstance(dims, Iterable):
        raise AsymptokError(f"sweep takes a list of dimensions: [3, 5], not {dims!r}")
    wanted = [checked_dimension(d) for d in dims]
    kmax, dps, method = checked_degree(kmax), checked_digits(dps), checked_method(method)
    seconds = None if time_limit is None else nonnegative(time_limit, "the time limit", finite=False)
    first, step = _shard(shard)
    abouts = [(kernel, question(kernel, kmax, dps, method)) for kernel in map(as_kernel, kernels)]
    grid = [(kernel, {**about, "d": d}) for kernel, about in abouts for d in wanted][first::step]
    results: dict[int, dict[str, Any]] = {}
    with nullcontext() if cache is None else closing(Store(cache)) as store:
        if store is not None:
            known = store.rows([about for _, about in grid])
            results = {i: {"rows": rows} for i, rows in enumerate(known) if rows is not None}
        left = [i for i in range(len(grid)) if i not in results]
        jobs = {i: (grid[i][0], grid[i][1]["d"], kmax, dps, method, seconds) for i in left}
        with task("sweep", progress), closing(through(cell, jobs, executor)) as answers:
            for i, answer in each(answers, len(jobs)):
                if isinstance(answer, Exception):
                    answer = {"failure": f"{type(answer).__name__}: {answer}"}
                elif store is not None and "rows" in answer:
                    store.keep(grid[i][1], answer["rows"])
                results[i] = answer
    table: list[Row] = []
    failures: list[Failure] = []
    for i, (kernel, about) in enumerate(grid):
        name, d = kernel.name or str(kernel.expr), int(about["d"])
        if "failure" in results[i]:
            failures.append(Failure(name, d, results[i]["failure"], results[i].get("undecided", False)))
        else:
            table += [Row(name, d, *entry) for entry in results[i]["rows"]]
    refused = () if store is None else tuple(store.refused)
    return Sweep(tuple(table), tuple(failures), time.perf_counter() - start, refused)


def _shard(shard: object) -> tuple[int, int]:
    if shard is None:
        return 0, 1
    match shard:
        case (int(i), int(n)) if 0 <= i < n:
            return i, n
    raise AsymptokError(
        f"shard is (i, n) with 0 <= i < n: the i-th of n programs counted from 0, not {shard!r}"
    )
