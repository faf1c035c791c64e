"""Questions put to an object and answered by what stands on it: slots, filled by the public names of the package."""

from __future__ import annotations

import sys
from typing import Generic, ParamSpec, TypeVar

__all__ = ["Slot"]

P = ParamSpec("P")
R = TypeVar("R")


class Slot(Generic[P, R]):
    """A function that lies downstream, under its public name: the package itself, and nobody else, knows where."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        answer: R = getattr(sys.modules[__package__], self.name)(*args, **kwargs)
        return answer
