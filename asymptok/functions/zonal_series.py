"""sum_(k >= 0) mu_k N(d, k) P_k(x) for eigenvalues given by a formula in k: the whole sum, as one SymPy function.

Each formula and dimension has a function of its own, made by `zonal_series`; what is neglected of a sum is for its
values alone, and bounded there.
"""

from __future__ import annotations

import copyreg
import hashlib
from functools import cache, partial
from typing import Any, ClassVar, cast

import mpmath
import numpy as np
from flint import acb, arb, ctx
from mpmath import mpf
from sympy import Expr, Function, Integer, S, sstr
from sympy.core.function import ArgumentIndexError, FunctionClass
from sympy.printing.printer import Printer

from asymptok.errors import ExpansionError
from asymptok.functions.expanding import Context, Series, expands
from asymptok.functions.record import Record
from asymptok.points import Array
from asymptok.precision import flint_precision
from asymptok.quantities import midpoint
from asymptok.slots import Slot
from asymptok.symbols import k

#: of values for mpmath, which may ask for three times the bits that it needs
_MOST_BITS, _FEW_BITS = 250, 90

__all__ = ["ZonalFamily", "ZonalSeries", "zonal_record", "zonal_series"]

#: a ball around the sum at a point of [-1, 1], and its values at doubles
_value: Slot[[Expr, int, arb], arb] = Slot("zonal_value")
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
        return midpoint(_value(law, d, arb((-int(mantissa) if sign else int(mantissa), int(exponent)))))


def _reduce(cls: Any) -> Any:
    return "ZonalSeries" if cls is ZonalSeries else (zonal_series, (cls.law, cls.dimension))


copyreg.pickle(ZonalFamily, _reduce)


def _complex(cls: type[ZonalSeries], z: acb) -> acb:
    """The real value at a real point, to the bits that tell it from 0 and from what is complex."""
    if not z.imag.is_zero():
        return acb(arb.nan())
    with flint_precision(min(ctx.prec, _FEW_BITS)):
        return acb(_value(cls.law, cls.dimension, z.real))


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
        real=lambda x: _value(cls.law, cls.dimension, x),
        complex=lambda z: _complex(cls, z),
        numpy=lambda x: _values(cls.law, cls.dimension, x),
    )
