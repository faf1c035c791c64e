"""What is known of a kernel because of how it was made: as a mean E[phi(X) phi(Y)], or from such means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sympy import Dummy, Expr, Symbol

from asymptok import dag
from asymptok.symbols import Correlation, Known, MeanProduct, known, u

__all__ = ["Making", "Mean", "Parity", "added", "composed", "made"]

_VARIANCE = Dummy("v", positive=True)
#: the parity of a result, from those of two kernels
Parity = Callable[[int, int], int]


@dataclass(frozen=True, slots=True)
class Making:
    """How a kernel was made: a call with its arguments, applied to kernels that were made before.

    The calls are those of `proofs.making`, which makes the kernel of a file anew.
    """

    call: str
    of: tuple[Making, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)


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

    @property
    def means(self) -> list[Expr]:
        """The means among the layers, as functions of u in the place of a correlation, and of a variance v > 0.

        Layers that differ in their variance only have one.
        """
        variances: set[Symbol] = {
            s for f in self.layers.values() for s in dag.free_symbols(f) if isinstance(s, Known)
        }
        variances |= {s for s in self.layers if not isinstance(s, Correlation | MeanProduct)}
        found = (
            dag.rebuild(
                f,
                {
                    s: _VARIANCE if s in variances else u
                    for s in dag.free_symbols(f)
                    if s in variances or isinstance(s, Correlation)
                },
            )
            for name, f in self.layers.items()
            if isinstance(name, MeanProduct)
        )
        return list(dict.fromkeys(found))

    def combined(self, other: Mean, operation: Callable[[Expr, Expr], Expr], parity: Parity) -> Mean:
        """The sum or the product, whichever the operation is, of two such power series."""
        making = made("sum" if parity is added else "product", self.making, other.making)
        top = operation(self.diagonal, other.diagonal)
        return Mean(top, parity(self.parity, other.parity), making=making)

    def with_values(self, replacements: Mapping[Symbol, Expr]) -> Mean:
        """The mean with its parameters replaced."""
        if not replacements:
            return self
        making = made("values", self.making, **{s.name: value for s, value in replacements.items()})
        new: dict[Symbol, Expr] = dict(replacements)
        constants: dict[Symbol, Expr] = {}
        for f in self.layers.values():
            for name in sorted(
                (s for s in dag.free_symbols(f) if isinstance(s, Known)), key=lambda s: s.dummy_index
            ):
                value = dag.rebuild(name.value, new)
                if dag.free_symbols(value) - constants.keys():
                    value = known(value, name.low, name.high)
                elif not value.is_Rational:
                    constants[variance := Dummy("variance", positive=True)] = value
                    value = variance
                new[name] = value
        layers = {**constants, **{name: dag.rebuild(f, new) for name, f in self.layers.items()}}
        layered = None if self.layered is None else dag.rebuild(self.layered, new)
        return Mean(dag.rebuild(self.diagonal, new), self.parity, making, layered, layers)


def made(call: str, *of: Making | None, **given: object) -> Making | None:
    """The making of a kernel from others, if theirs are known."""
    before = tuple(making for making in of if making is not None)
    return Making(call, before, given) if len(before) == len(of) else None


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
