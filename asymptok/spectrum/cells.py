"""One cell of a sweep as plain data: the question, its answer in a worker, and the file that keeps both."""

from __future__ import annotations

import hashlib
import json
import os
from os import PathLike
from pathlib import Path
from typing import Any

from sympy import srepr

from asymptok.errors import AsymptokError, PrecisionError, Undecided
from asymptok.kernels.kernel import Kernel
from asymptok.spectrum.compute import eigenvalues
from asymptok.version import __version__

__all__ = ["Store", "cell", "question"]

#: changes whenever stored cells could no longer be what a fresh run gives
_FORMAT = 2


def cell(kernel: object, d: int, kmax: int, dps: int, method: str) -> dict[str, Any]:
    """mu_0 ... mu_kmax as rows of text and numbers, or why there are none: runs in the worker."""
    try:
        # a worker has no terminal of its own
        found = eigenvalues(kernel, d, kmax=kmax, dps=dps, method=method, progress=False)
    except AsymptokError as error:
        return {
            "failure": f"{type(error).__name__}: {error}",
            "undecided": isinstance(error, Undecided | PrecisionError),
        }
    return {"rows": [list(row) for row in found.rows()]}


def question(kernel: Kernel, d: int, kmax: int, dps: int, method: str) -> dict[str, int | str]:
    """What a cell holds, for people (kernel) and for the comparison (everything)."""
    return {
        "format": _FORMAT,
        "version": __version__,
        "kernel": str(kernel),
        "expression": srepr(kernel.expr),
        "d": d,
        "kmax": kmax,
        "dps": dps,
        "method": method,
    }


class Store:
    """A directory with a file for each finished cell; a file that does not answer its question is refused.

    >>> import tempfile
    >>> from asymptok import kernels
    >>> asked = question(kernels.laplace(), 3, 0, 15, "auto")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(folder)
    ...     store.keep(asked, [[0, "0.5", "0", 1, "auto", True]])
    ...     len(store.rows(asked)), store.rows({**asked, "d": 4}), store.refused
    (1, None, [])
    """

    def __init__(self, directory: str | PathLike[str]) -> None:
        try:
            self._directory = Path(directory)
            self._directory.mkdir(parents=True, exist_ok=True)
        except TypeError:
            raise AsymptokError(f"cache is the path of a directory, not {directory!r}") from None
        except OSError as error:
            raise AsymptokError(f"cache: {directory}: {error.strerror or error}") from None
        #: files that were not taken, and why
        self.refused: list[str] = []

    def rows(self, asked: dict[str, int | str]) -> list[list[int | str]] | None:
        """The rows that answer the question; None if they are not there, and if the file holds something else."""
        place = self._place(asked)
        if not place.exists():
            return None
        try:
            found = json.loads(place.read_text(encoding="utf-8"))
            differs = [key for key, value in asked.items() if found[key] != value]
            rows: list[list[int | str]] = found["rows"]
            whole = [row[0] for row in rows] == list(range(int(asked["kmax"]) + 1)) and {
                len(row) for row in rows
            } == {6}
        except (OSError, ValueError, LookupError, TypeError):
            self.refused.append(f"{place.name}: damaged")
            return None
        if differs or not whole:
            reason = ", ".join(f"{key} is {found[key]!r}" for key in differs) or "rows are missing"
            self.refused.append(f"{place.name}: {reason}")
            return None
        return rows

    def keep(self, asked: dict[str, int | str], rows: list[list[int | str]]) -> None:
        # write beside and rename: an interrupt leaves no half file
        place = self._place(asked)
        beside = place.with_suffix(f".{os.getpid()}.tmp")
        beside.write_text(json.dumps({**asked, "rows": rows}), encoding="utf-8")
        beside.replace(place)

    def _place(self, asked: dict[str, int | str]) -> Path:
        # the same file for every release: a cell of another one is found, refused and replaced
        key = json.dumps({name: value for name, value in asked.items() if name != "version"})
        return self._directory / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"
