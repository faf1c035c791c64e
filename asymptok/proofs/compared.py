"""The answer to a question about the spaces of two kernels."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import mpmath
from flint import arb
from sympy.logic.boolalg import Boolean

from asymptok.kernels.kernel import Kernel
from asymptok.precision import flint_precision
from asymptok.proofs.decimals import mpf_down, mpf_up
from asymptok.show.cases import condition_text
from asymptok.show.preformatted import Prose

__all__ = ["Comparison", "Question"]

_BITS = 192


class Question(Enum):
    """What a comparison answers."""

    SAME = "the spaces are the same set of functions"
    EMBEDS = "the first space lies in the second"


@dataclass(frozen=True, slots=True)
class Comparison(Prose):
    """`same` answers the question: True, False or None (open). `bounds` enclose mu_k/mu'_k for all k where mu'_k > 0.

    Laws alone answer for every d and for all values of parameters, without bounds; `condition` is set where they
    decide. For `embeds` the question is inclusion, and the lower bound may be 0: that of a mu_k which vanishes is.

    >>> from asymptok import kernels, same_rkhs
    >>> found = same_rkhs(kernels.ntk(3), kernels.laplace(), d=3)
    >>> a, b = found.bounds
    >>> found.same, bool(0 < a < b < 100)
    (True, True)
    """

    first: Kernel
    second: Kernel
    #: None for every d >= 3
    d: int | None
    question: Question
    #: True, False, or None where it stays open
    same: bool | None
    #: on mu_k/mu'_k for every k where mu'_k > 0; None where the laws alone answer
    bounds: tuple[mpmath.mpf, mpmath.mpf] | None
    #: in a sentence
    reason: str
    #: where the parameters decide: the answer is yes exactly under this condition
    condition: Boolean | None = None

    @property
    def holds(self) -> bool | None:
        """The answer, under the name that fits both questions."""
        return self.same

    @property
    def norm_bounds(self) -> tuple[mpmath.mpf, mpmath.mpf] | None:
        """(m, M) with m |f| <= |f|' <= M |f|, norms of the first and of the second space."""
        if self.bounds is None:
            return None
        with flint_precision(_BITS):
            low, high = (arb(x).sqrt() for x in self.bounds)
            return mpf_down(low), mpf_up(high)

    def __str__(self) -> str:
        answer = {True: "yes", False: "no", None: "open"}[self.same]
        if self.condition is not None:
            answer = f"yes if {condition_text(self.condition)}, and no otherwise"
        where = "every d >= 3" if self.d is None else f"d = {self.d}"
        names = " and ".join(kernel.name or str(kernel) for kernel in (self.first, self.second))
        lines = [f"{names}, {where}: {self.question.value}? {answer}", self.reason]
        if self.bounds is not None:
            low, high = (mpmath.nstr(x, 6) for x in self.bounds)
            between = f"lies between about {low} and {high}" if self.bounds[0] else f"is at most about {high}"
            lines.append(f"mu_k/mu'_k {between}")
        return "\n".join(lines)

    __repr__ = __str__

    def __bool__(self) -> bool:
        raise TypeError("the answer may be open: ask for .same")
