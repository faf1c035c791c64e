"""How long a search may take, in seconds of processor time: one clock, opened by a question, asked for in every loop.

A public question is a function under `@question`, or under `@long_question` if it computes rather than searches; the
loops below it call `tick()`, and `need(seconds)` stands before one call that cannot be stopped. A search that may end
without a result, UNKNOWN with what was left open, runs `with Portion(share)` and looks at `cut` afterwards. What ends a
search is no Exception: no handler on the way can take it for an answer about the mathematics, and no cache keeps it.
What was found after a cut is kept by `remembered` for this question only: with more time there may be a better answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from math import inf
from time import monotonic, thread_time
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, cast

from asymptok import ways_out
from asymptok.errors import AsymptokError, Undecided

__all__ = [
    "OutOfTime",
    "Portion",
    "computing",
    "cuts",
    "long_question",
    "need",
    "question",
    "remembered",
    "tick",
    "time_limit",
]

P = ParamSpec("P")
R = TypeVar("R")
#: seconds for a search, and for a computation at the top level, unless time_limit sets them
_SECONDS, _LONG = 10.0, 25.0
_VARIABLE = "ASYMPTOK_SECONDS"


class OutOfTime(BaseException):
    """The time is over; `doing` is what was being done."""

    def __init__(self, doing: str) -> None:
        super().__init__(doing)
        self.doing = doing


class _Question:
    """One question to the package: the seconds of which searches have their shares, and what was found after a cut."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.cuts = 0
        self.found: dict[Hashable, object] = {}


class _Limit:
    """A moment on the processor's clock; `wake` is one on the wall's before which it cannot have come."""

    def __init__(self, asked: _Question, until: float) -> None:
        self.asked, self.until = asked, until
        self.wake = monotonic() + (until - thread_time())

    def look(self, doing: str) -> None:
        left = self.until - thread_time()
        if left <= 0:
            raise OutOfTime(doing)
        self.wake = monotonic() + left


_limit: ContextVar[_Limit | None] = ContextVar("limit", default=None)
_seconds: ContextVar[float | None] = ContextVar("seconds", default=None)


def tick(doing: str = "") -> None:
    """Written in every loop that may be long: nothing, until the time is over."""
    limit = _limit.get()
    # one thread uses no more of the processor than the wall's clock shows, which is cheaper to read
    if limit is not None and monotonic() >= limit.wake:
        limit.look(doing)


def need(seconds: float, doing: str = "") -> None:
    """Before a single operation of about that length: OutOfTime now if it would end after the time is over."""
    limit = _limit.get()
    if limit is not None and limit.until - thread_time() < seconds:
        raise OutOfTime(doing)


def cuts() -> int:
    """How many searches of the present question were cut off so far."""
    limit = _limit.get()
    return 0 if limit is None else limit.asked.cuts


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Each question asked inside may take this many seconds of processor time, instead of the usual ten or 25.

    >>> from asymptok import check
    >>> with time_limit(0):
    ...     print(check("exp(-sqrt(1-u)/71) + sin(u)/u")["smooth inside"].status)
    unknown
    >>> check("exp(-sqrt(1-u)/71) + sin(u)/u")["smooth inside"].status
    'proved'
    """
    token = _seconds.set(_checked(seconds))
    try:
        yield
    finally:
        _seconds.reset(token)


def _checked(seconds: object) -> float:
    try:
        value = float(cast(Any, seconds))
    except (TypeError, ValueError):
        value = -1.0
    if not value >= 0:
        raise AsymptokError(f"the seconds that a question may take are a number >= 0 or oo, not {seconds!r}")
    return value


def _allowed(usual: float) -> float:
    """The seconds that were set, here or in the environment, or the usual ones."""
    chosen, text = _seconds.get(), os.environ.get(_VARIABLE)
    return chosen if chosen is not None else usual if text is None else _checked(text)


class Portion:
    """The share of the time for a question that one search in it may take; `cut` tells whether it was not enough.

    Entered again it goes on with what is left of its time. With `of_rest` it is a share of what the question has left.
    """

    def __init__(self, share: float, of_rest: bool = False) -> None:
        self.cut, self.doing = False, ""
        self._share, self._of_rest = share, of_rest
        self._asked: _Question | None = None
        self._start = self._until = 0.0

    def __enter__(self) -> Portion:
        outer = _limit.get()
        if self._asked is None:
            self._asked = _Question(_allowed(_SECONDS)) if outer is None else outer.asked
            self._start = thread_time()
            whole = self._asked.seconds
            if self._of_rest and outer is not None:
                whole = outer.until - self._start
            self._until = self._start + self._share * whole
        self.cut = False
        until = self._until if outer is None else min(self._until, outer.until)
        self._token = _limit.set(_Limit(self._asked, until))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        limit = _limit.get()
        _limit.reset(self._token)
        if not isinstance(error, OutOfTime) or limit is None:
            return False
        limit.asked.cuts += 1
        self.cut, self.doing = True, error.doing
        return True

    def beyond(self, fraction: float) -> bool:
        """Whether this much of the time is over, so that a loop ends here with what it has."""
        limit = _limit.get()
        if limit is None or thread_time() < self._start + fraction * (self._until - self._start):
            return False
        if not self.cut:
            limit.asked.cuts += 1
        self.cut = True
        return True

    def __str__(self) -> str:
        """For the evidence of a search that was cut off."""
        what = f" ({self.doing})" if self.doing else ""
        return f"not finished within the time that a search may take{what}"


def question(function: Callable[P, R]) -> Callable[P, R]:
    """A public function that searches: Undecided once its time, or that of the question which asks it, is over."""
    return _asked(function, lambda: _allowed(_SECONDS))


def long_question(function: Callable[P, R]) -> Callable[P, R]:
    """A public function that computes: it has more time, or that of the question which asks it."""
    return _asked(function, lambda: _long(1))


def _long(times: float) -> float:
    return _allowed(_LONG * times) if _limit.get() is None else inf


def _asked(function: Callable[P, R], allowed: Callable[[], float]) -> Callable[P, R]:
    @wraps(function)
    def ask(*args: P.args, **kwargs: P.kwargs) -> R:
        with _asking(function.__name__, allowed()):
            return function(*args, **kwargs)

    return ask


def computing(name: str, times: float) -> AbstractContextManager[None]:
    """A long question whose time grows with what is asked for: `times` the usual work, at least once."""
    return _asking(name, _long(max(times, 1)))


@contextmanager
def _asking(name: str, seconds: float) -> Iterator[None]:
    outer, until = _limit.get(), thread_time() + seconds
    if outer is not None and outer.until <= until:
        yield
        return
    limit = _Limit(_Question(_allowed(_SECONDS)) if outer is None else outer.asked, until)
    token = _limit.set(limit)
    try:
        yield
    except OutOfTime as cut:
        limit.asked.cuts += 1
        doing = f" ({cut.doing})" if cut.doing else ""
        raise Undecided(
            f"{name} was not finished within {seconds:g} s of processor time{doing}: "
            f"{ways_out.more_time(max(60, 6 * seconds))} gives it more"
        ) from None
    finally:
        _limit.reset(token)


class _Fleeting(Exception):
    """What was found after a cut, on its way past a cache that is not to keep it."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


def remembered(maxsize: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """lru_cache for what rests on searches: an answer that time has cut off is kept for the present question only."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(maxsize=maxsize)
        def kept(*args: Any, **kwargs: Any) -> R:
            before = cuts()
            value = function(*args, **kwargs)
            if cuts() > before:
                raise _Fleeting(value)  # no cache keeps what is raised
            return value

        @wraps(function)
        def ask(*args: P.args, **kwargs: P.kwargs) -> R:
            limit = _limit.get()
            if limit is None:
                return opened(*args, **kwargs)
            key = (function, args, tuple(kwargs.items()))
            if key not in limit.asked.found:
                try:
                    return kept(*args, **cast(dict[str, Any], kwargs))
                except _Fleeting as cut:
                    limit.asked.found[key] = cut.value
            return cast(R, limit.asked.found[key])

        opened = _asked(ask, lambda: inf)
        return ask

    return decorate
