"""Every error a user can meet, each naming the input, the cause and the way out."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+(?=>)")
_LONG_WORD = re.compile(r"(\S{40})\S{320,}(\S{20})")


class Obstruction(Enum):
    """Why there is no expansion. Only the rule that has proved a fact about the function may say more than METHOD."""

    #: the method does not reach this far; nothing is claimed about the function
    METHOD = "method"
    #: the function tends to infinity at the point
    UNBOUNDED = "unbounded"
    #: its modulus exceeds every power of 1/t
    GROWS = "grows"
    #: it oscillates and has no limit
    OSCILLATES = "oscillates"
    #: no sum of powers and logarithms describes it to all orders; it may have a limit, as t^2 cos(log t) has
    IRREGULAR = "irregular"
    #: it is not real next to the point
    COMPLEX = "complex"
    #: it is no integrable real function: a pole or complex values inside the interval
    UNDEFINED = "undefined"


class AsymptokError(Exception):
    """Root of all errors raised on purpose by this package."""

    def __str__(self) -> str:
        # messages quote what users wrote: addresses in memory and 5,000 digits help no reader
        return _LONG_WORD.sub(r"\1...\2", _ADDRESS.sub("", BaseException.__str__(self)))


class ParseError(AsymptokError):
    """Text that is not an expression of the accepted grammar; `position` is the 0-based offset.

    `unknown_name` and `unknown_function` are what stood where a known one was needed.
    """

    def __init__(
        self,
        message: str,
        text: str = "",
        position: int | None = None,
        *,
        unknown_name: str | None = None,
        unknown_function: str | None = None,
    ) -> None:
        super().__init__(message)
        self.text = text
        self.position = position
        self.unknown_name = unknown_name
        self.unknown_function = unknown_function


class ExpansionError(AsymptokError):
    """No generalised power series at the point: `subexpression` is the part to blame.

    `kind` is what is proved: of the kernel in the errors of `expand` and `decay`, of that part in those of `puiseux`.
    """

    def __init__(
        self, message: str, subexpression: object = None, kind: Obstruction = Obstruction.METHOD
    ) -> None:
        super().__init__(message)
        self.subexpression = subexpression
        self.kind = kind


class Undecided(AsymptokError):
    """A zero, sign or order test could not be settled; `assumption` is a condition that would settle it.

    `advice` is asked for a way out when the message is read: most of these errors are caught and never read.
    `boundary` is an expression in the parameters: with its sign, or that it is zero, the question is settled.
    """

    def __init__(
        self,
        message: str,
        assumption: object = None,
        advice: Callable[[], str] | None = None,
        boundary: object = None,
    ) -> None:
        super().__init__(message)
        self.assumption = assumption
        self.boundary = boundary
        self._advice = advice

    def __str__(self) -> str:
        message = super().__str__()
        return message if self._advice is None else f"{message}: {self._advice()}"

    def __reduce__(self) -> tuple[object, ...]:
        return Undecided, (str(self), self.assumption, None, self.boundary)


class UnknownCondition(AsymptokError, KeyError):
    """A report has no condition of that name."""


class Impossible(AsymptokError):
    """What was asked for is proved not to exist: eigenvalues of a kernel that is not integrable, the space of one that
    is not positive definite."""


class PrecisionError(AsymptokError):
    """The digits asked for cannot be had within the bound on effort."""


class Contradiction(Exception):
    """Two proofs of this package contradict each other: a defect of the package, and no answer about the kernel.

    It is no AsymptokError, so that nothing which handles a refusal can take it for one.
    """

    def __init__(self, subject: object, first: str, second: str) -> None:
        super().__init__(f"two proofs about {subject} contradict each other: {first}; but {second}")
        self.first, self.second = first, second


#: what SymPy raises from deep inside on expressions that it cannot handle; none of it is an answer
SYMPY_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,  # digits that cancel are asked for without end
    NotImplementedError,
    RecursionError,
    TypeError,
    ValueError,
)
