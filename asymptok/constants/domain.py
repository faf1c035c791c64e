"""What the series arithmetic asks of a coefficient domain: ring operations, real powers, three-valued tests."""

from __future__ import annotations

from typing import Protocol, TypeAlias, TypeVar, cast

from flint import arb, fmpq

from asymptok.constants.exponents import Form, Ranges
from asymptok.functions import expanding
from asymptok.quantities import Element

E = TypeVar("E")

#: index -> non-zero coefficient; index i stands for the exponent i/q of the series that owns the vector
VectorOf = dict[int, E]
Vector = dict[int, Element]


class DomainOf(expanding.DomainOf[E], Protocol[E]):
    """What rules ask of constants, and vectors of them."""

    ranges: Ranges

    def from_exponent(self, form: Form, rest: fmpq) -> E: ...
    def compact(self, a: E) -> E: ...
    def held(self, a: E, low: int | None = None, high: int | None = None) -> E:
        """The same constant, known to lie between two numbers; a long one with parameters as one unknown."""
        ...

    def enclosure(self, a: E, bits: int) -> arb: ...
    def vector_add(self, a: VectorOf[E], b: VectorOf[E]) -> VectorOf[E]: ...
    def vector_scale(self, a: VectorOf[E], c: E) -> VectorOf[E]: ...
    def vector_mul(self, a: VectorOf[E], b: VectorOf[E], stop: int | None) -> VectorOf[E]:
        """The product, without the indices >= stop."""
        ...

    def vector_power(self, a: VectorOf[E], form: Form, rest: fmpq, stop: int) -> VectorOf[E]:
        """(1 + a)**(form + rest) below index `stop`, for a with positive indices only."""
        ...

    def vector_exp(self, a: VectorOf[E], stop: int) -> VectorOf[E]:
        """exp(a) below index `stop`, for a with positive indices only."""
        ...


#: the domain as the series over it see it
Domain: TypeAlias = DomainOf[Element]


def opaque(domain: DomainOf[E]) -> Domain:
    """The domain, to those who never look into its elements."""
    return cast(Domain, domain)
