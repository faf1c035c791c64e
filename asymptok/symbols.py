"""The symbols that every formula of the package shares."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from sympy import Dummy, Expr, Symbol

#: the inner product <x, y>, in [-1, 1]
u = Symbol("u", real=True)
#: the distance to an end of the interval, 1 - u or 1 + u
t = Symbol("t", positive=True)
#: the degree of a spherical harmonic
k = Symbol("k", integer=True, nonnegative=True)
#: the dimension of the ambient space of the sphere S^(d-1)
d = Symbol("d", integer=True, positive=True)
#: the argument of an activation
x = Symbol("x", real=True)
#: the distance |x - y| of two points of R^d
r = Symbol("r", positive=True)
#: the modulus of a frequency in R^d
w = Symbol("w", positive=True)


class Known(Dummy):
    """A name for a long constant of which an open range is known, as of the variance of a layer; one for each value.

    Whatever holds for all numbers of the range holds for the constant, and is decided without a look at its value.

    >>> v = known(u**2 + 1, 0, None)
    >>> v.value, v.is_positive, v is known(u**2 + 1, 0, None)
    (u**2 + 1, True, True)
    """

    value: Expr
    low: int | None
    high: int | None

    def __reduce__(self) -> tuple[Callable[..., Known], tuple[object, ...]]:
        return known, (self.value, self.low, self.high)


class Correlation(Dummy):
    """A name for a function of u with values in [-1, 1] that is 1 at u = 1, a power series with coefficients >= 0.

    `end` is its value at u = -1 where that is -1 or 1, 0 where it lies between them, None where that is not known.
    """

    end: int | None

    @classmethod
    def with_end(cls, end: int | None) -> Correlation:
        made = cls("correlation", real=True)
        made.end = end
        return made

    def __getstate__(self) -> dict[str, object]:
        return {"end": self.end}


class MeanProduct(Dummy):
    """A name for E[phi(X) phi(Y)] as a function of the correlation: a power series with coefficients >= 0.

    `parity` is 1 or -1 if phi is even or odd, else 0. `signs`: whether phi and phi' have one sign, so that at every
    correlation inside (-1, 1) the mean and its slope are positive; `varies`: whether phi is proved not to be constant,
    nor affine, so that they are smaller there than at 1.
    """

    parity: int
    signs: tuple[bool, bool]
    varies: tuple[bool, bool]

    @classmethod
    def of(cls, parity: int, signs: tuple[bool, bool], varies: tuple[bool, bool]) -> MeanProduct:
        made = cls("mean", real=True)
        made.parity, made.signs, made.varies = parity, signs, varies
        return made

    def __getstate__(self) -> dict[str, object]:
        return {"parity": self.parity, "signs": self.signs, "varies": self.varies}


@lru_cache(maxsize=4096)
def known(value: Expr, low: int | None, high: int | None) -> Known:
    """The name of a constant that lies between `low` and `high`; None is an end at infinity."""
    name = Known("constant", **({"positive": True} if low is not None and low >= 0 else {"real": True}))
    name.value, name.low, name.high = value, low, high
    return name
