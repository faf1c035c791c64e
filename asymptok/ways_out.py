"""The ways out that errors name: in Python, or in the words of the command line while that is asking."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = [
    "all_kernels",
    "at_the_shell",
    "dimension",
    "farther",
    "method",
    "more_time",
    "ranges",
    "referee",
    "value",
]

_shell: ContextVar[bool] = ContextVar("shell", default=False)


@contextmanager
def at_the_shell() -> Iterator[None]:
    """Errors are read by somebody who types commands."""
    token = _shell.set(True)
    try:
        yield
    finally:
        _shell.reset(token)


def ranges(name: object, *bounds: tuple[object, object]) -> str:
    """One range of a parameter, or several to choose from.

    >>> ranges("w", (0, 1), (1, "oo"))
    'parameters={"w": (0, 1)} or {"w": (1, oo)}'
    >>> with at_the_shell():
    ...     ranges("w", (0, 1), (1, "oo"))
    '--parameter w=0..1 or --parameter w=1..'
    """
    if _shell.get():
        ends = [("" if str(a) == "-oo" else a, "" if str(b) == "oo" else b) for a, b in bounds]
        return " or ".join(f"--parameter {name}={low}..{high}" for low, high in ends)
    texts = [f"({b[0]}, {b[1]})" if type(b) is tuple else f'"{b!r}"' for b in bounds]
    return "parameters=" + " or ".join(f'{{"{name}": {text}}}' for text in texts)


def value(*names: object, example: object = "...") -> str:
    """Values for all of them.

    >>> value("b", "w", example=1)
    'kernel.subs(b=1, w=1)'
    """
    if _shell.get():
        return " ".join(f"--set {name}={example}" for name in names)
    return f"kernel.subs({', '.join(f'{name}={example}' for name in names)})"


def method(name: str) -> str:
    return f"--method {name}" if _shell.get() else f"method={name!r}"


def dimension() -> str:
    return "add --dim 3" if _shell.get() else "give d, for example d=3"


def farther(order: int) -> str:
    return f"--order {order}" if _shell.get() else f"decay(kernel, order={order})"


def more_time(seconds: float) -> str:
    return f"ASYMPTOK_SECONDS={seconds:g}" if _shell.get() else f"with time_limit({seconds:g}):"


def referee(degree: int) -> str:
    return f"--referee {degree}" if _shell.get() else f"referee=[{degree}]"


def all_kernels() -> str:
    return "asymptok kernels" if _shell.get() else "kernels.names()"
