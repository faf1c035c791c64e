"""How SymPy evaluates, compares, prints and compiles the functions of this folder: one way for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import mpmath
from flint import arb
from sympy import Expr, Function
from sympy.printing.printer import Printer

from asymptok.errors import AsymptokError
from asymptok.precision import flint_precision, mpmath_precision
from asymptok.quantities import midpoint

__all__ = ["EvaluatedFunction"]

#: bits beyond those asked for, and what working precisions are multiples of, so that values are found again
_SPARE, _STEP = 24, 64


class EvaluatedFunction(Function):
    """A function whose values are those of its record: `evalf`, `N`, comparisons and `lambdify` rest on them.

    A class gives `_imp_`, its values on mpmath numbers and arrays, and `shown_latex`.
    """

    #: a ball around the real value of an expression; the evaluator of expressions, which stands on the records, is it
    enclosure: ClassVar[Callable[[Expr], arb]]
    _imp_: ClassVar[Callable[..., Any]]

    def _eval_evalf(self, prec: int) -> Expr | None:
        if self.free_symbols:
            return None
        found = self._enclosed(prec)
        if found is not None:
            return Expr._from_mpmath(midpoint(found, prec), prec)
        try:
            # complex values, and real ones that no ball is known of
            values = [mpmath.mpmathify(a._to_mpmath(prec + _SPARE)) for a in self.args]
        except ValueError:
            return None
        with mpmath_precision(prec + _SPARE):
            return Expr._from_mpmath(mpmath.mpmathify(type(self)._imp_(*values)), prec)

    def _enclosed(self, prec: int) -> arb | None:
        """A ball with `prec` correct bits; one around zero if the value is not told from zero; None without one."""
        work = -(-(prec + _SPARE) // _STEP) * _STEP
        while True:
            with flint_precision(work):
                try:
                    found = type(self).enclosure(self)
                except AsymptokError:
                    return None
            if not found.is_finite():
                return None
            if found.rel_accuracy_bits() > prec or work > 16 * prec + 16000:
                return found
            work *= 2

    def shown_latex(self, printer: Printer) -> str:
        """The call as LaTeX."""
        raise NotImplementedError

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        text = self.shown_latex(printer)
        return text if exp is None else rf"\left({text}\right)^{{{exp}}}"

    def _mpmathcode(self, printer: Printer) -> str:
        # A plain number given to an mpmath function stands for its exact value, at the current precision.
        convert = printer._module_format("mpmath.mpmathify")
        return f"{type(self).__name__}({', '.join(f'{convert}({printer._print(a)})' for a in self.args)})"
