"""mu_k over a grid of kernels and dimensions, through any concurrent.futures executor, with a cache on disk."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import time
from collections.abc import Iterable
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from html import escape
from multiprocessing import get_context
from pathlib import Path
from threading import get_ident
from typing import Any, NamedTuple

from sympy import Expr, srepr

from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.spectrum.compute import eigenvalues
from asymptok.spectrum.frames import data_frame_class
from asymptok.spectrum.spectrum import checked_degree, checked_dimension

#: changes whenever stored cells could no longer be what a fresh run gives
_FORMAT = 1
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
    """A cell that gave no answer, and why."""

    kernel: str
    d: int
    reason: str


@dataclass(frozen=True, slots=True)
class Sweep:
    """A tidy table: one row for each kernel, dimension and degree; failed cells apart."""

    rows: tuple[Row, ...]
    failures: tuple[Failure, ...]
    seconds: float

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

    def to_csv(self, path: Any = None) -> str:
        """Comma-separated rows under the names of the fields; written to `path` if given."""
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(self.rows)
        if path is not None:
            Path(path).write_text(buffer.getvalue(), encoding="utf-8")
        return buffer.getvalue()


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def sweep(
    kernels: Iterable[Any],
    dims: Iterable[int],
    kmax: int,
    executor: Executor | None = None,
    *,
    dps: int = 30,
    method: str = "auto",
    cache: Any = None,
) -> Sweep:
    """mu_0 ... mu_kmax for every kernel and every dimension, in the order of the arguments.

    `executor` is anything with submit(): a process pool by default, Dask's client.get_executor() or
    mpi4py.futures.MPIPoolExecutor. The trap: the threads of one process share flint's precision, so a thread
    pool must have a single worker. With `cache` (a directory) finished cells are kept as JSON and found again
    by a later run, also after an interrupt. A cell that fails is listed in `.failures` and does not lose the
    others.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(1) as pool:
    ...     table = sweep(["(1+u)/2", "1/(1-u)**2"], [3, 4], kmax=2, executor=pool)
    >>> table
    <Sweep: 6 eigenvalues in 2 cells, 2 cells failed>
    """
    start = time.perf_counter()
    if isinstance(kernels, Kernel | Expr | str):
        raise AsymptokError(
            f"sweep takes a list of kernels: sweep([{str(kernels)[:40]}], [3, 5], kmax={kmax!r})"
        )
    if isinstance(dims, str) or not isinstance(dims, Iterable):
        raise AsymptokError(f"sweep takes a list of dimensions: [3, 5], not {dims!r}")
    wanted = list(dims)
    grid = [(as_kernel(kernel), checked_dimension(d)) for kernel in kernels for d in wanted]
    kmax = checked_degree(kmax)
    store = None if cache is None else Path(cache)
    if store is not None:
        store.mkdir(parents=True, exist_ok=True)
    own = executor is None
    # spawned workers start clean: a fork would copy locks that another thread may hold
    pool = executor or ProcessPoolExecutor(mp_context=get_context("spawn"))
    try:
        pending: list[Any] = []
        for kernel, d in grid:
            place = None if store is None else store / f"{_key(kernel, d, kmax, dps, method)}.json"
            found = _stored(place)
            if found is not None:
                pending.append((None, found))
                continue
            future = pool.submit(cell, kernel, d, kmax, dps, method)
            if place is not None:
                # kept when it is done, not when its turn comes: an interrupt loses only what was running
                future.add_done_callback(partial(_keep, place))
            pending.append((place, future))
        rows: list[Row] = []
        failures: list[Failure] = []
        for (kernel, d), (place, answer) in zip(grid, pending, strict=True):
            name = kernel.name or str(kernel.expr)
            result = answer if isinstance(answer, dict) else _result(answer)
            if place is not None and not place.exists():
                _keep(place, answer)  # the callback may still be on its way
            if "failure" in result:
                failures.append(Failure(name, d, result["failure"]))
                continue
            rows += [Row(name, d, *entry) for entry in result["rows"]]
    finally:
        if own:
            # after Ctrl-C or an error nothing new is started
            pool.shutdown(wait=True, cancel_futures=True)
    return Sweep(tuple(rows), tuple(failures), time.perf_counter() - start)


def cell(kernel: Any, d: int, kmax: int, dps: int, method: str) -> dict[str, Any]:
    """One cell of the grid as plain data: runs in the worker."""
    try:
        return {
            "rows": [list(row) for row in eigenvalues(kernel, d, kmax=kmax, dps=dps, method=method).rows()]
        }
    except AsymptokError as error:
        return {"failure": f"{type(error).__name__}: {error}"}


def _result(future: Any) -> dict[str, Any]:
    try:
        result: dict[str, Any] = future.result()
    except Exception as error:  # a dead worker, a kernel that cannot be sent: one cell, not the run
        return {"failure": f"{type(error).__name__}: {error}"}
    return result


def _key(kernel: Any, d: int, kmax: int, dps: int, method: str) -> str:
    question = json.dumps([_FORMAT, srepr(kernel.expr), d, kmax, dps, method])
    return hashlib.sha256(question.encode()).hexdigest()[:32]


def _stored(place: Path | None) -> dict[str, Any] | None:
    if place is None or not place.exists():
        return None
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None  # a damaged file is computed again
    return found if isinstance(found, dict) and "rows" in found else None


def _keep(place: Path, future: Any) -> None:
    result = {} if future.cancelled() else _result(future)
    if "rows" not in result:
        return
    # write beside and rename: an interrupt leaves no half file
    beside = place.with_suffix(f".{os.getpid()}-{get_ident()}.tmp")
    beside.write_text(json.dumps(result), encoding="utf-8")
    beside.replace(place)
