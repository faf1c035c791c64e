"""What is known of a kernel because of how it was made: as a mean E[phi(X) phi(Y)], or from such means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sympy import Expr, Symbol

from asymptok import dag

__all__ = ["Making", "Mean", "Parity", "added", "composed", "made"]

#: the parity of a result, from those of two kernels
Parity = Callable[[int, int], int]


@dataclass(frozen=True, slots=True)
class Making:
    """How a kernel was made: a call with its arguments, applied to kernels that were made before.

    The calls are those of `proofs.making`, which makes the kernel of a file anew.
    """

    call: str
    of: tuple[Making, ...] = ()
    given: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mean:
    """kappa = sum a_n u^n with a_n >= 0, squares of Hermite coefficients; the diagonal kappa(1) is their sum.

    `parity` is 1 for an even, -1 for an odd kernel, as an even or odd phi makes it, and 0 where nothing is known.
    A network may also be known by its layers: `layered` is the function in terms of u and of names for them, and each
    layer is a function of u and of the layers before it. `making` is the way to the same kernel from nothing.
    """

    diagonal: Expr
    parity: int = 0
    making: Making | None = None
    layered: Expr | None = None
    layers: Mapping[Symbol, Expr] = field(default_factory=dict)

    def with_values(self, replacements: Mapping[Symbol, Expr]) -> Mean:
        """The mean with its parameters replaced."""
        if not replacements:
            return self
        making = made("values", self.making, **{s.name: value for s, value in replacements.items()})
        return Mean(dag.rebuild(self.diagonal, replacements), self.parity, making=making)


def made(call: str, *of: Making | None, **given: object) -> Making | None:
    """The making of a kernel from others, if theirs are known."""
    known = tuple(making for making in of if making is not None)
    return Making(call, known, given) if len(known) == len(of) else None


def added(*parities: int) -> int:
    """The parity of a sum.

    >>> added(1, 1), added(1, -1)
    (1, 0)
    """
    return parities[0] if len(set(parities)) == 1 else 0


def composed(outer: int, inner: int) -> int:
    """The parity of f(c(u)).

    >>> composed(-1, -1), composed(0, 1), composed(1, 0)
    (-1, 1, 0)
    """
    return 1 if inner == 1 else outer * abs(inner)
