"""How long a question may take: `with Patience(10): ...` raises Hang after ten seconds of processor time."""

from __future__ import annotations

import _weakrefset
import signal
import sys
import weakref
from types import FrameType, TracebackType
from typing import Any

#: code that Python runs on the side, where an exception is reported and then forgotten
_ASIDE = (weakref.__file__, _weakrefset.__file__)


class Hang(BaseException):
    """Raised by the alarm; no `except Exception` of the package can swallow it."""


class Patience:
    """Processor time, so that a busy machine changes nothing.

    Python calls finalizers and callbacks wherever it likes, and an exception raised in one of them never reaches the
    question. The alarm leaves those alone where it knows them, and rings `again` seconds later, and so on until
    the question ends: long enough for the `finally` clauses of what it stops.
    """

    def __init__(self, seconds: float, again: float = 1.0) -> None:
        self._seconds, self._again = seconds, again

    def __enter__(self) -> None:
        self._hook = sys.unraisablehook
        sys.unraisablehook = self._report
        self._handler = signal.signal(signal.SIGPROF, self._ring)
        signal.setitimer(signal.ITIMER_PROF, self._seconds, self._again)

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, self._handler)
        sys.unraisablehook = self._hook

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        while frame is not None:
            code = frame.f_code
            # in `__exit__` the question is over, and raising would leave the alarm on
            over = code is Patience.__exit__.__code__
            if over or code.co_name == "__del__" or code.co_filename in _ASIDE:
                return
            frame = frame.f_back
        raise Hang

    def _report(self, lost: Any) -> None:
        """An alarm that was lost after all (in a callback of the collector, say) rings again: no defect of anybody."""
        if lost.exc_type is not Hang:
            self._hook(lost)
