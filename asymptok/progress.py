"""How much of the work is done: a bar on a terminal, one in a notebook, nothing elsewhere.

A public function opens a `task`; the loops below it are written `for k in each(ks)`. A task inside another one has its
share of it, and so has a loop, so that what is shown only ever grows.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from asymptok.patience import tick

__all__ = ["each", "share", "task"]

T = TypeVar("T")
#: seconds before anything is shown, and between two changes of it
_PATIENCE, _PAUSE = 1.0, 0.1
_WIDTH = 25


class _Task:
    """One bar: `low` and `high` are the ends of the part that is being worked on."""

    def __init__(self, screen: Any, patience: float) -> None:
        self.low, self.high = 0.0, 1.0
        self._screen = screen
        self._next = time.monotonic() + patience
        self._shown = -1

    def reached(self, fraction: float) -> None:
        percent = int(100 * fraction)
        if (
            self._screen is None
            or percent <= self._shown
            or (percent < 100 and time.monotonic() < self._next)
        ):
            return
        self._next = time.monotonic() + _PAUSE
        self._shown = percent
        self._screen.show(percent)

    def close(self) -> None:
        if self._shown >= 0:
            self._screen.clear()


_current: ContextVar[_Task | None] = ContextVar("task", default=None)


@contextmanager
def task(title: str, wanted: bool | None = None) -> Iterator[None]:
    """Show what the loops inside report, from the first second on; `wanted` is True for at once and wherever standard
    error goes, False for never. Inside another task it is a part of that one."""
    outer = _current.get()
    if outer is not None and wanted is not False:
        yield
        return
    screen = None if wanted is False else _screen(title, wanted is True)
    if screen is None and wanted is None:
        yield
        return
    mine = _Task(screen, 0.0 if wanted else _PATIENCE)
    token = _current.set(mine)
    try:
        yield
        if wanted:
            mine.reached(1.0)
    finally:
        _current.reset(token)
        mine.close()


@contextmanager
def share(low: float, high: float) -> Iterator[None]:
    """What is done inside takes the work from the fraction `low` of the present part to `high`."""
    here = _current.get()
    if here is None:
        yield
        return
    start, end = here.low, here.high
    here.low, here.high = start + low * (end - start), start + high * (end - start)
    here.reached(here.low)
    try:
        yield
    finally:
        here.low, here.high = start, end


def each(items: Iterable[T], among: int | None = None) -> Iterable[T]:
    """The items one after the other, each an equal share (of `among` shares, by default their number).

    The clock of a question is looked at before each of them.

    >>> list(each("abc"))
    ['a', 'b', 'c']
    """
    here = _current.get()
    if here is None:
        return _ticking(items)
    if among is None:
        items = items if isinstance(items, Collection) else list(items)
        among = len(items)
    return _watched(here, items, max(among, 1))


def _ticking(items: Iterable[T]) -> Iterator[T]:
    for item in items:
        tick()
        yield item


def _watched(here: _Task, items: Iterable[T], count: int) -> Iterator[T]:
    start, end = here.low, here.high
    for i, item in enumerate(items):
        here.low, here.high = (start + min(1.0, x / count) * (end - start) for x in (i, i + 1))
        here.reached(here.low)
        tick()
        yield item
    here.low, here.high = start, end
    here.reached(end)


# ------------------------------------------------------------------------------------------- screens


def _screen(title: str, forced: bool) -> Any:
    shell = sys.modules.get("IPython")
    if shell is not None and hasattr(shell.get_ipython(), "kernel"):
        return _Notebook(title)
    return _Terminal(title) if forced or (sys.stderr is not None and sys.stderr.isatty()) else None


class _Terminal:
    """One line on standard error, wiped out at the end."""

    def __init__(self, title: str) -> None:
        self._title, self._length = title, 0

    def show(self, percent: int) -> None:
        line = f"{self._title}  [{'#' * (percent * _WIDTH // 100):<{_WIDTH}}] {percent:3d} %"
        self._length = len(line)
        sys.stderr.write(f"\r{line}")
        sys.stderr.flush()

    def clear(self) -> None:
        sys.stderr.write(f"\r{' ' * self._length}\r")
        sys.stderr.flush()


class _Notebook:
    """An element of the page, taken away at the end."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._handle: Any = None

    def show(self, percent: int) -> None:
        self._display(
            {
                "text/plain": f"{self._title}: {percent} %",
                "text/html": f'{self._title} <progress value="{percent}" max="100"></progress> {percent} %',
            }
        )

    def clear(self) -> None:
        self._display({"text/plain": "", "text/html": ""})

    def _display(self, data: dict[str, str]) -> None:
        if self._handle is None:
            self._handle = sys.modules["IPython"].display.display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)
