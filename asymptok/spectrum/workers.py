"""Jobs through an executor, answers as they come; dead processes of our own pool are replaced."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from functools import partial
from queue import SimpleQueue
from typing import Any

from asymptok.errors import AsymptokError

__all__ = ["checked_executor", "through"]

#: pools that may die before the jobs that are left get a process each, so that only the guilty one fails
_POOLS = 2
_GUARD = (
    "no worker process could start: a script calls sweep under a guard, because each worker imports the script\n"
    '    if __name__ == "__main__":\n'
    "        table = sweep(...)\n"
    "(or give an executor, for example ThreadPoolExecutor(1))"
)

#: what a job came to: its result, or the error that it died of
Answer = tuple[int, Any]


def checked_executor(executor: object) -> Any:
    """The executor or None; in a worker that is only importing the script of its parent the program ends here."""
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise AsymptokError(
            "executor is something with submit(), such as concurrent.futures.ProcessPoolExecutor() or Dask's "
            f"client.get_executor(), not {executor!r}"
        )
    spawning = getattr(multiprocessing.current_process(), "_inheriting", False)
    if spawning and (executor is None or isinstance(executor, ProcessPoolExecutor)):
        # no guard: the parent says so, once
        raise SystemExit(1)
    return executor


def through(
    work: Callable[..., Any], jobs: Mapping[int, tuple[object, ...]], executor: Executor | None
) -> Generator[Answer]:
    """work(*job) for every job, in the order in which they end."""
    if executor is None:
        yield from _own_pools(work, jobs)
        return
    answered = False
    for i, answer in _pass(executor, work, jobs.items()):
        if isinstance(answer, BrokenExecutor) and not answered:
            raise AsymptokError(f"the executor is broken: {answer}") from answer
        answered = True
        yield i, answer


def _pass(
    executor: Executor, work: Callable[..., Any], jobs: Iterable[tuple[int, tuple[object, ...]]]
) -> Iterator[Answer]:
    ended: SimpleQueue[tuple[int, Future[Any]]] = SimpleQueue()
    count = 0
    for i, job in jobs:
        count += 1
        try:
            future = executor.submit(work, *job)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        future.add_done_callback(partial(_put, ended, i))
    for _ in range(count):
        i, future = ended.get()
        try:
            yield i, future.result()
        except Exception as error:  # a dead worker, a kernel that cannot be sent: one cell, not the run
            yield i, error


def _put(ended: SimpleQueue[tuple[int, Future[Any]]], i: int, future: Future[Any]) -> None:
    ended.put((i, future))


def _own_pools(work: Callable[..., Any], jobs: Mapping[int, tuple[object, ...]]) -> Iterator[Answer]:
    left = dict(jobs)
    for _ in range(_POOLS):
        if left:
            for i, answer in _one_pool(work, left, min(os.cpu_count() or 1, len(left))):
                if not isinstance(answer, BrokenExecutor):
                    del left[i]
                    yield i, answer
    for i, job in left.items():
        for _, answer in _one_pool(work, {i: job}, 1):
            if isinstance(answer, BrokenExecutor):
                answer = AsymptokError(f"the process of this cell died, {_POOLS + 1} times: {answer}")
            yield i, answer


def _one_pool(
    work: Callable[..., Any], jobs: Mapping[int, tuple[object, ...]], size: int
) -> Iterator[Answer]:
    """All jobs through a fresh pool; those that a dead worker took along are answered by BrokenExecutor."""
    # spawned workers start clean: a fork would copy locks that another thread may hold
    spawn = multiprocessing.get_context("spawn")
    started = spawn.Event()
    pool = ProcessPoolExecutor(size, mp_context=spawn, initializer=_started, initargs=(started,))
    try:
        for i, answer in _pass(pool, work, list(jobs.items())):
            if isinstance(answer, BrokenExecutor) and not started.is_set():
                raise AsymptokError(_GUARD)
            yield i, answer
    finally:
        # after Ctrl-C or an error nothing new is started
        pool.shutdown(wait=True, cancel_futures=True)


def _started(event: Any) -> None:
    event.set()
