"""What the series arithmetic asks of a coefficient domain: ring operations, real powers, three-valued tests."""

from __future__ import annotations

from typing import Any, Protocol

from flint import fmpq

from asymptok.constants.exponents import Form, Ranges
from asymptok.functions import expanding

#: index -> non-zero coefficient; index i stands for the exponent i/q of the series that owns the vector
Vector = dict[int, Any]


class Domain(expanding.Domain, Protocol):
    """What rules ask of constants, and vectors of them."""

    ranges: Ranges

    def from_exponent(self, form: Form, rest: fmpq) -> Any: ...
    def compact(self, a: Any) -> Any: ...
    def vector_add(self, a: Vector, b: Vector) -> Vector: ...
    def vector_scale(self, a: Vector, c: Any) -> Vector: ...
    def vector_mul(self, a: Vector, b: Vector, stop: int | None) -> Vector:
        """The product, without the indices >= stop."""
        ...

    def vector_power(self, a: Vector, form: Form, rest: fmpq, stop: int) -> Vector:
        """(1 + a)**(form + rest) below index `stop`, for a with positive indices only."""
        ...

    def vector_exp(self, a: Vector, stop: int) -> Vector:
        """exp(a) below index `stop`, for a with positive indices only."""
        ...
