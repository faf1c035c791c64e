"""A constant that fills pages when it is written out: a name for it, with its digits, that SymPy computes with.

Constants of deep networks share their parts: 700 different subexpressions make a text of 400,000 characters. SymPy
walks over the text, a ball over the subexpressions.
"""

from __future__ import annotations

from flint import arb
from mpmath import mp, mpf
from sympy import Expr
from sympy.core.expr import AtomicExpr
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.printer import Printer

from asymptok import dag
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.evaluated import EvaluatedFunction
from asymptok.precision import flint_precision

__all__ = ["Leaf", "LongConstant", "readable"]

#: nodes of a constant that is handed out as it is; one of the constants of deep networks counts as one
_LARGEST = 300
#: bits at which a sign is looked for, digits that are shown, and what is cut off behind them
_BITS, _DIGITS, _SPARE = 128, 15, 8

#: the constants of compiled formulas, by number
_compiled: list[Expr] = []


def _value(index: object) -> mpf:
    return _compiled[int(str(index).partition(".")[0])]._to_mpmath(mp.prec)


class Leaf(AtomicExpr):
    """The constant as a leaf of the tree, where SymPy does not look for parts."""

    __slots__ = ("value",)
    value: Expr
    is_number = True

    def __new__(cls, value: Expr) -> Leaf:
        made: Leaf = AtomicExpr.__new__(cls)
        made.value = value
        return made

    def __getnewargs__(self) -> tuple[Expr]:
        return (self.value,)

    def _hashable_content(self) -> tuple[Expr]:
        return (self.value,)


class LongConstant(EvaluatedFunction):
    """The real number `exact`.

    >>> from sympy import sqrt
    >>> c = LongConstant(sqrt(2))
    >>> c, c.exact, c.evalf(20), c < 1.5
    (1.41421356237309..., sqrt(2), 1.4142135623730950488, True)
    """

    nargs = 1
    _imp_ = staticmethod(_value)

    @classmethod
    def eval(cls, exact: Expr) -> Expr | None:
        return None if isinstance(exact, Leaf) else cls(Leaf(exact))

    @property
    def exact(self) -> Expr:
        """The constant written out."""
        found: Expr = self.args[0].value
        return found

    def doit(self, **_: object) -> Expr:
        return self.exact

    def _ball(self) -> arb:
        with flint_precision(_BITS):
            return type(self).enclosure(self.exact)

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_is_finite(self) -> bool:
        return True

    def _eval_is_positive(self) -> bool | None:
        found = self._ball()
        return None if found.contains(0) else bool(found > 0)

    def _eval_is_negative(self) -> bool | None:
        found = self._ball()
        return None if found.contains(0) else bool(found < 0)

    def _eval_is_zero(self) -> bool | None:
        return None if self._ball().contains(0) else False

    @property
    def precedence(self) -> int:
        """For SymPy's printers: a negative number stands in brackets."""
        return PRECEDENCE["Atom" if self.is_nonnegative else "Add"]

    def _digits(self) -> tuple[str, str]:
        """The first digits, cut and not rounded, and the power of ten."""
        mantissa, _, power = self._ball().str(_DIGITS + _SPARE, radius=False).partition("e")
        return mantissa[: len(mantissa) - _SPARE], power

    def _sympystr(self, printer: Printer) -> str:
        mantissa, power = self._digits()
        return f"{mantissa}..." + (f"e{int(power)}" if power else "")

    def shown_latex(self, printer: Printer) -> str:
        mantissa, power = self._digits()
        return rf"{mantissa}\ldots" + (rf" \cdot 10^{{{int(power)}}}" if power else "")

    def _mpmathcode(self, printer: Printer) -> str:
        if self not in _compiled:
            _compiled.append(self)
        return f"{type(self).__name__}({_compiled.index(self)})"

    def _pythoncode(self, printer: Printer) -> str:
        return repr(float(self))

    _numpycode = _scipycode = _pythoncode


def readable(value: Expr) -> Expr:
    """The constant itself, or its name if it is long; the constants of deep ReLU networks have names of their own."""
    if value.is_Atom or dag.free_symbols(value):
        return value
    size: dict[Expr, int] = {}
    for node in dag.postorder(value):
        size[node] = 1 if isinstance(node, ArcCosine) else 1 + sum(size[arg] for arg in node.args)
    return LongConstant(value) if size[value] > _LARGEST else value
