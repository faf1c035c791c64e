"""One cell of a sweep as plain data: the question, its answer in a worker, and the SQLite file that keeps both."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from hashlib import sha256
from math import inf
from os import PathLike
from time import monotonic
from typing import Any

from sympy import srepr

from asymptok.errors import AsymptokError, PrecisionError, Undecided
from asymptok.kernels.kernel import Kernel
from asymptok.patience import time_limit
from asymptok.spectrum.compute import eigenvalues
from asymptok.version import __version__

__all__ = ["Question", "Store", "cell", "question"]

Question = dict[str, int | str]
#: changes whenever stored cells could no longer be what a fresh run gives
_FORMAT = 3
#: cells looked up at a time, seconds to wait for another program that writes to the same file, and between two writes
_MANY, _WAIT, _PAUSE = 500, 60, 1.0
_TABLE = "CREATE TABLE IF NOT EXISTS cells (key TEXT PRIMARY KEY, question TEXT, rows TEXT, digest TEXT)"


def cell(kernel: object, d: int, kmax: int, dps: int, method: str, seconds: float | None) -> dict[str, Any]:
    """mu_0 ... mu_kmax as rows of text and numbers, or why there are none: runs in the worker."""
    try:
        with nullcontext() if seconds is None else time_limit(seconds):
            # a worker has no terminal of its own
            found = eigenvalues(kernel, d, kmax=kmax, dps=dps, method=method, progress=False)
    except AsymptokError as error:
        return {
            "failure": f"{type(error).__name__}: {error}",
            "undecided": isinstance(error, Undecided | PrecisionError),
        }
    return {"rows": [list(row) for row in found.rows()]}


def question(kernel: Kernel, kmax: int, dps: int, method: str) -> Question:
    """What the cells of a kernel hold, all but the dimension: `kernel` for people, everything for the comparison."""
    return {
        "format": _FORMAT,
        "version": __version__,
        "kernel": str(kernel),
        "expression": srepr(kernel.expr),
        "kmax": kmax,
        "dps": dps,
        "method": method,
    }


class Store:
    """A SQLite file with a row for each finished cell; a row that does not answer its question is refused.

    >>> from asymptok import kernels
    >>> asked = {**question(kernels.laplace(), 0, 15, "auto"), "d": 3}
    >>> store = Store(":memory:")
    >>> store.keep(asked, [[0, "0.5", "0", 1, "auto", True]])
    >>> [len(rows or []) for rows in store.rows([asked, {**asked, "d": 4}])], store.refused
    ([1, 0], [])
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self._path = path
        #: cells that were not taken, and why
        self.refused: list[str] = []
        self._new: list[tuple[str, str, str, str]] = []
        self._written = -inf
        with self._errors():
            self._file = sqlite3.connect(path, timeout=_WAIT)
            tables = {
                name for (name,) in self._file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            }
            if tables - {"cells"}:
                raise AsymptokError(
                    f"cache: {path} belongs to another program: it has the table {min(tables)}"
                )
            self._file.execute(_TABLE)

    def rows(self, asked: list[Question]) -> Iterator[list[list[int | str]] | None]:
        """The rows that answer each question; None if they are not there, and if the file holds something else."""
        for start in range(0, len(asked), _MANY):
            part = {_key(about): about for about in asked[start : start + _MANY]}
            with self._errors():
                found = self._file.execute(
                    f"SELECT * FROM cells WHERE key IN ({', '.join('?' * len(part))})", list(part)
                )
                held = {key: entry for key, *entry in found}
            for key, about in part.items():
                yield self._checked(about, *held[key]) if key in held else None

    def _checked(self, asked: Question, held: str, rows: str, digest: str) -> list[list[int | str]] | None:
        if digest != _digest(held, rows):
            reason = "damaged"
        elif held == json.dumps(asked):
            return json.loads(rows)
        else:
            other = json.loads(held)
            reason = ", ".join(f"{k} is {other.get(k)!r}" for k, v in asked.items() if other.get(k) != v)
        self.refused.append(f"{asked['kernel']}, d = {asked['d']}: {reason}")
        return None

    def keep(self, asked: Question, rows: list[list[int | str]]) -> None:
        about, text = json.dumps(asked), json.dumps(rows)
        self._new.append((_key(asked), about, text, _digest(about, text)))
        # a transaction waits for the disk: one for all the cells that come within a second
        if monotonic() > self._written + _PAUSE:
            self._write()

    def _write(self) -> None:
        with self._errors(), self._file:
            self._file.executemany("INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?)", self._new)
        self._new, self._written = [], monotonic()

    def close(self) -> None:
        try:
            self._write()
        finally:
            self._file.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except TypeError:
            raise AsymptokError(f"cache is the path of a file, not {self._path!r}") from None
        except sqlite3.Error as error:
            raise AsymptokError(
                f"cache: {self._path} is no SQLite file with the cells of a sweep: {error}"
            ) from None


def _key(asked: Question) -> str:
    # the same for every release: a cell of another one is found, refused and replaced
    return sha256(json.dumps({**asked, "version": ""}).encode()).hexdigest()


def _digest(asked: str, rows: str) -> str:
    return sha256(f"{asked}\n{rows}".encode()).hexdigest()
