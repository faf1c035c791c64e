"""What is known of a kernel because of how it was made: as a mean E[phi(X) phi(Y)], or from such means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sympy import Expr, Symbol

from asymptok import dag

__all__ = ["Mean"]


@dataclass(frozen=True, slots=True)
class Mean:
    """kappa = sum a_n u^n with a_n >= 0, squares of Hermite coefficients; the diagonal kappa(1) is their sum.

    A network may also be known by its layers: `layered` is the function in terms of u and of names for them, and each
    layer is a function of u and of the layers before it.
    """

    diagonal: Expr
    layered: Expr | None = None
    layers: Mapping[Symbol, Expr] = field(default_factory=dict)

    def with_values(self, replacements: Mapping[Symbol, Expr]) -> Mean:
        """The mean with its parameters replaced."""
        return Mean(dag.rebuild(self.diagonal, replacements)) if replacements else self

    def combined(self, operation: Callable[[Expr, Expr], Expr], other: Expr) -> Mean:
        """The sum or product with a mean, or a number >= 0, of which that is the diagonal."""
        return Mean(operation(self.diagonal, other))
