"""The alarm that cuts off long questions reaches the question, wherever Python happens to be when it rings."""

from __future__ import annotations

import gc
import signal
import sys
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from patience import Hang, Patience

SECONDS = 0.02


def _work(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


class _Thing:
    """Something that a finalizer can be attached to."""


class _Slow(_Thing):
    def __del__(self) -> None:
        _work(4 * SECONDS)


def _by_del() -> None:
    _Slow()


def _by_finalize() -> None:
    thing = _Thing()
    weakref.finalize(thing, _work, 4 * SECONDS)


def _by_callback() -> None:
    thing = _Thing()
    kept = weakref.ref(thing, lambda _: _work(4 * SECONDS))
    del thing
    assert kept() is None


def _by_collection() -> None:
    def work(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            _work(4 * SECONDS)

    gc.callbacks.append(work)
    try:
        gc.collect()
    finally:
        gc.callbacks.remove(work)


@pytest.fixture
def unraisable(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What Python could not raise and reported instead."""
    found: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: found.append(lost.exc_type))
    return found


@pytest.mark.parametrize("aside", [_by_del, _by_finalize, _by_callback, _by_collection])
def test_an_alarm_during_a_callback_rings_again(aside: Callable[[], None], unraisable: list[Any]) -> None:
    finished = []

    def question() -> None:
        aside()
        finished.append(aside)
        _work(60)

    with pytest.raises(Hang), Patience(SECONDS, again=SECONDS):
        question()
    assert finished  # the first alarm was lost
    assert not unraisable


def test_other_errors_of_finalizers_are_reported(unraisable: list[Any]) -> None:
    class Broken:
        def __del__(self) -> None:
            raise LookupError

    with Patience(60):
        Broken()
    assert unraisable == [LookupError]


def test_a_question_that_ends_in_time_leaves_nothing_behind() -> None:
    handler, hook = signal.getsignal(signal.SIGPROF), sys.unraisablehook
    with Patience(SECONDS, again=SECONDS):
        pass
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGPROF) == handler
    assert sys.unraisablehook is hook


def test_no_except_of_the_question_swallows_the_alarm() -> None:
    def deaf() -> None:
        try:
            _work(60)
        except Exception:
            pytest.fail("the alarm is no Exception")

    with pytest.raises(Hang), Patience(SECONDS):
        deaf()
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
