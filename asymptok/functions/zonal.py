"""Sums of Gegenbauer polynomials P_k(x) of one dimension as SymPy functions: finite ones, and with a formula for mu_k.

P_k is normalised to P_k(1) = 1, so that (k+d-2) P_(k+1) = (2k+d-2) x P_k - k P_(k-1). Multiplied out, such a sum has
coefficients of size 2^K that cancel; Clenshaw's recurrence, the same for numbers, balls, arrays and series, does not.

sum_(k >= 0) mu_k N(d, k) P_k(x) has a function of its own for each formula and dimension, made by `zonal_series`; what
is neglected of a sum is for its values alone, and bounded there.
"""

from __future__ import annotations

import copyreg
import hashlib
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from math import comb
from typing import Any, ClassVar, cast

import mpmath
import numpy as np
from flint import acb, arb, ctx, fmpq
from mpmath import mpc, mpf
from sympy import Add, Expr, Function, Integer, Rational, S, sstr
from sympy.core.function import ArgumentIndexError, FunctionClass
from sympy.printing.printer import Printer

from asymptok.errors import AsymptokError, ExpansionError
from asymptok.functions.evaluated import EvaluatedFunction
from asymptok.functions.expanding import Context, Series, expands, finite_integer
from asymptok.functions.record import Record, entire_record
from asymptok.points import Array
from asymptok.precision import flint_precision
from asymptok.quantities import Ball, midpoint, whole
from asymptok.slots import Slot
from asymptok.symbols import k

__all__ = [
    "ZonalFamily",
    "ZonalSeries",
    "ZonalSum",
    "clenshaw",
    "dimension_of_harmonics",
    "zonal_polynomials",
    "zonal_record",
    "zonal_series",
]


def dimension_of_harmonics(k: int, d: int) -> int:
    """N(d, k), the number of spherical harmonics of degree k on S^(d-1)."""
    return 1 if k == 0 else (2 * k + d - 2) * comb(k + d - 3, d - 2) // k


@cache
def _recurrence(d: int, k: int) -> tuple[Fraction, Fraction]:
    """(a, b) with P_(k+1) = a x P_k - b P_(k-1)."""
    if k == 0:
        return Fraction(1), Fraction(0)
    return Fraction(2 * k + d - 2, k + d - 2), Fraction(k, k + d - 2)


def clenshaw(
    d: int, coefficients: Sequence[object], x: Any, number: Callable[[Fraction], Any] = float
) -> Any:
    """sum_k c_k P_k(x) in whatever arithmetic x and number() are.

    >>> clenshaw(3, [0, 0, 1], 0.5)
    -0.125
    """
    first = second = x - x
    for j in range(len(coefficients) - 1, -1, -1):
        a, b = number(_recurrence(d, j)[0]), number(_recurrence(d, j + 1)[1])
        first, second = coefficients[j] + a * (x * first) - b * second, first
    return first


def zonal_polynomials(d: int, x: Array) -> Iterator[Array | None]:
    """P_0(x), P_1(x), ... on an array of doubles."""
    x = np.asarray(x, dtype=float)
    before, here = np.zeros_like(x), np.ones_like(x)
    k = 0
    while True:
        yield here
        a, b = (float(c) for c in _recurrence(d, k))
        before, here = here, a * x * here - b * before
        k += 1


def _value(d: int, *rest: object) -> mpf | mpc:
    """In the arithmetic of the argument: mpmath numbers, or NumPy arrays and plain floats."""
    *coefficients, x = rest
    exact = isinstance(x, mpmath.mpf | mpmath.mpc)
    return clenshaw(
        int(d), coefficients, x, (lambda f: mpmath.mpf(f.numerator) / f.denominator) if exact else float
    )


class ZonalSum(EvaluatedFunction):
    """ZonalSum(d, c_0, ..., c_K, x) = sum_k c_k P_k(x) in dimension d.

    >>> from sympy.abc import x
    >>> ZonalSum(3, 0, 0, 1, x).diff(x).polynomial()
    3*x
    >>> ZonalSum(3, 1, 2, 3, 1)
    6
    """

    # lambdify finds the implementation here
    _imp_ = staticmethod(_value)

    @classmethod
    def eval(cls, d: Expr, *rest: Expr) -> Expr | None:
        if not isinstance(d, Integer) or d < 2 or not rest:
            raise AsymptokError("ZonalSum(d, c_0, ..., c_K, x) needs an integer d >= 2")
        *coefficients, x = rest
        if not coefficients:
            return S.Zero
        if x in (S.One, S.NegativeOne):
            return sum((c * x**k for k, c in enumerate(coefficients)), S.Zero)
        return None

    @property
    def coefficients(self) -> tuple[Expr, ...]:
        return tuple(self.args[1:-1])

    def polynomial(self) -> Expr:
        """The sum written out in powers of x, exactly."""
        d, x = int(self.args[0]), self.args[-1]
        powers: list[Expr] = [S.Zero] * len(self.coefficients)
        before: list[Fraction] = []
        here = [Fraction(1)]
        for j, c in enumerate(self.coefficients):
            for n, p in enumerate(here):
                powers[n] += c * Rational(p.numerator, p.denominator)
            a, b = _recurrence(d, j)
            following = [Fraction(0), *(a * p for p in here)]
            for n, p in enumerate(before):
                following[n] -= b * p
            before, here = here, following
        return Add(*(c * x**n for n, c in enumerate(powers)))

    def fdiff(self, argindex: int = 1) -> Expr:
        """P_k' = k (k+d-2)/(d-1) P_(k-1) of dimension d + 2."""
        if argindex != len(self.args):
            raise AsymptokError("a zonal sum is differentiated in its last argument only")
        d = self.args[0]
        slopes = [c * k * (k + d - 2) / (d - 1) for k, c in enumerate(self.coefficients)][1:]
        return ZonalSum(d + 2, *slopes, self.args[-1])

    def _eval_derivative(self, s: Expr) -> Expr:
        inner = self.args[-1].diff(s)
        return S.Zero if inner is S.Zero else self.fdiff(len(self.args)) * inner

    def _eval_is_extended_real(self) -> bool | None:
        return True if all(arg.is_extended_real for arg in self.args) else None

    def _eval_is_finite(self) -> bool | None:
        return True if all(arg.is_finite for arg in self.args) else None

    def _sympystr(self, printer: Printer) -> str:
        return f"ZonalSum(d = {self.args[0]}, degree {len(self.args) - 3}, {printer._print(self.args[-1])})"

    def shown_latex(self, printer: Printer) -> str:
        return rf"\sum_{{k=0}}^{{{len(self.args) - 3}}} c_k P_k\left({printer._print(self.args[-1])}\right)"


def _fmpq(f: Fraction) -> fmpq:
    return fmpq(f.numerator, f.denominator)


def _dimension(d: Ball) -> int:
    return d if isinstance(d, int) else whole(d.real if isinstance(d, acb) else d)


def _real(d: arb, *rest: arb) -> arb:
    *coefficients, x = rest
    n = _dimension(d)
    if not isinstance(x, arb) or x.is_exact() or not -1 <= x <= 1:
        return clenshaw(n, coefficients, x, _fmpq)
    # mean value form: |P_k'| <= P_k'(1) = k (k+d-2)/(d-1) on [-1, 1]
    slope = sum((abs(c) * fmpq(k * (k + n - 2), n - 1) for k, c in enumerate(coefficients)), arb(0))
    return clenshaw(n, coefficients, x.mid(), _fmpq) + arb(0, (slope * x.rad()).upper())


def _any(d: acb, *rest: object) -> acb:
    return clenshaw(_dimension(d), rest[:-1], rest[-1], _fmpq)


@expands(ZonalSum)
def _zonal_sum(context: Context, node: Expr, d: Series, *rest: Series) -> Series:
    """A polynomial in the argument, whatever its expansion is."""
    *coefficients, x = rest
    number = lambda f: context.number(_fmpq(f))  # noqa: E731
    value: Series = clenshaw(finite_integer(context, d), coefficients, x, number)
    return value


RECORDS: tuple[Record, ...] = (
    entire_record(
        ZonalSum, _real, _any, _any, order=0, numpy=lambda d, *rest: clenshaw(int(d), rest[:-1], rest[-1])
    ),
)

#: of values for mpmath, which may ask for three times the bits that it needs
_MOST_BITS, _FEW_BITS = 250, 90

#: a ball around the sum at a point of [-1, 1], and its values at doubles
_ball_value: Slot[[Expr, int, arb], arb] = Slot("zonal_value")

_values: Slot[[Expr, int, Array], Array] = Slot("zonal_values")


class ZonalFamily(FunctionClass):
    """The classes of functions made by `zonal_series`, one for each formula and dimension."""


class ZonalSeries(Function, metaclass=ZonalFamily):
    """What all sums of this kind have in common; see `zonal_series`."""

    #: mu_k, and the dimension in which they are the eigenvalues
    law: ClassVar[Expr]
    dimension: ClassVar[int]

    def fdiff(self, argindex: int = 1) -> Expr:
        """The eigenvalues of kappa' in dimension d + 2 are d mu_(k+1)."""
        if argindex != 1:
            raise ArgumentIndexError(self, argindex)
        d = self.dimension
        return zonal_series(d * self.law.subs(k, k + 1), d + 2)(self.args[0])

    def _eval_is_extended_real(self) -> bool | None:
        return True if self.args[0].is_extended_real else None

    def _eval_is_finite(self) -> bool | None:
        x = self.args[0]
        return True if x in (S.One, S.NegativeOne) else None

    def _sympystr(self, printer: Printer) -> str:
        return f"ZonalSeries(mu_k = {sstr(self.law)}, d = {self.dimension}, {printer._print(self.args[0])})"

    def _latex(self, printer: Printer) -> str:
        law, x = printer._print(self.law), printer._print(self.args[0])
        return rf"\sum_{{k=0}}^{{\infty}} \left({law}\right) N({self.dimension}, k) P_k\left({x}\right)"


@cache
def zonal_series(law: Expr, d: int) -> type[ZonalSeries]:
    """The class of the function x -> sum_k mu_k N(d, k) P_k(x).

    >>> from sympy.abc import x
    >>> zonal_series((k + 1) ** -4, 3)(x)
    ZonalSeries(mu_k = (k + 1)**(-4), d = 3, x)
    """
    digits = hashlib.sha256(f"{sstr(law)} {d}".encode()).hexdigest()[:12]
    fields: dict[str, Any] = {"law": law, "dimension": int(Integer(d)), "nargs": 1, "__module__": __name__}
    # lambdify finds the implementation here
    fields["_imp_"] = staticmethod(partial(_number, law, fields["dimension"]))
    return cast(type[ZonalSeries], ZonalFamily(f"ZonalSeries{digits}", (ZonalSeries,), fields))


def _number(law: Expr, d: int, x: mpf | float | Array) -> mpf | float | Array:
    """In the arithmetic of the argument: mpmath numbers, or NumPy arrays and plain floats."""
    if not isinstance(x, mpmath.mpf):
        values = _values(law, d, np.asarray(x, dtype=float))
        return values if isinstance(x, np.ndarray) else float(values)
    with flint_precision(min(mpmath.mp.prec + 10, _MOST_BITS)):
        sign, mantissa, exponent, _ = x._mpf_
        return midpoint(_ball_value(law, d, arb((-int(mantissa) if sign else int(mantissa), int(exponent)))))


def _reduce(cls: Any) -> Any:
    return "ZonalSeries" if cls is ZonalSeries else (zonal_series, (cls.law, cls.dimension))


copyreg.pickle(ZonalFamily, _reduce)


def _complex(cls: type[ZonalSeries], z: acb) -> acb:
    """The real value at a real point, to the bits that tell it from 0 and from what is complex."""
    if not z.imag.is_zero():
        return acb(arb.nan())
    with flint_precision(min(ctx.prec, _FEW_BITS)):
        return acb(_ball_value(cls.law, cls.dimension, z.real))


@expands(ZonalSeries)
def _ends(context: Context, node: Expr, x: Series) -> Series:
    """No expansion: its constants would be sums over all k."""
    raise ExpansionError(
        "a kernel that is given by its eigenvalues has no expansion here, whose constants are sums over all k; its law "
        "is that of the formula",
        node,
    )


@cache
def zonal_record(cls: type[ZonalSeries]) -> Record:
    """Values on [-1, 1]; nothing is claimed of the function elsewhere, nor how smooth it is."""
    return Record(
        function=cls,
        real=lambda x: _ball_value(cls.law, cls.dimension, x),
        complex=lambda z: _complex(cls, z),
        numpy=lambda x: _values(cls.law, cls.dimension, x),
    )
