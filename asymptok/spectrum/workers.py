"""Jobs through an executor, answers as they come; dead processes of our own pool are replaced, and none outlives us."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, as_completed
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

#: the arguments of each job, and what a job came to: its result, or the error that it died of
Jobs = Mapping[int, tuple[object, ...]]
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


def through(work: Callable[..., Any], jobs: Jobs, executor: Executor | None) -> Generator[Answer]:
    """work(*job) for every job, in the order in which they end."""
    if executor is None:
        yield from _own_pools(work, jobs)
        return
    answered = False
    for i, answer in _pass(executor, work, jobs):
        if isinstance(answer, BrokenExecutor) and not answered:
            raise AsymptokError(f"the executor is broken: {answer}") from answer
        answered = True
        yield i, answer


def _pass(executor: Executor, work: Callable[..., Any], jobs: Jobs) -> Iterator[Answer]:
    futures: dict[Future[Any], int] = {}
    for i, job in jobs.items():
        try:
            future = executor.submit(work, *job)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        futures[future] = i
    for future in as_completed(futures):
        try:
            yield futures[future], future.result()
        except Exception as error:  # a dead worker, a kernel that cannot be sent: one cell, not the run
            yield futures[future], error


def _own_pools(work: Callable[..., Any], jobs: Jobs) -> Iterator[Answer]:
    left = dict(jobs)
    for attempt in range(_POOLS + len(left)):
        alone = attempt >= _POOLS
        batch = dict(list(left.items())[: 1 if alone else None])
        for i, answer in _one_pool(work, batch) if batch else ():
            died = isinstance(answer, BrokenExecutor)
            if died and not alone:
                continue
            del left[i]
            yield (
                i,
                AsymptokError(f"the process of this cell died, {attempt + 1} times: {answer}")
                if died
                else answer,
            )


def _one_pool(work: Callable[..., Any], jobs: Jobs) -> Iterator[Answer]:
    """All jobs through a fresh pool; those that a dead worker took along are answered by BrokenExecutor."""
    # spawned workers start clean: a fork would copy locks that another thread may hold
    spawn = multiprocessing.get_context("spawn")
    started = spawn.Event()
    size = min(os.cpu_count() or 1, len(jobs))
    pool = ProcessPoolExecutor(size, mp_context=spawn, initializer=_start, initargs=(started,))
    try:
        for i, answer in _pass(pool, work, jobs):
            if isinstance(answer, BrokenExecutor) and not started.is_set():
                raise AsymptokError(_GUARD)
            yield i, answer
    finally:
        # after Ctrl-C or an error nothing new is started
        pool.shutdown(wait=True, cancel_futures=True)


def _start(event: Any) -> None:
    event.set()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Idle workers of a pool hold each other's pipes open, and so would wait for a killed parent for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
