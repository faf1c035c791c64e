r"""Struve functions of whole order: H_n, and the modified L_n with L_n(x) = i^(-n-1) H_n(ix).

H_n(x) = (x/2)^(n+1)/(Gamma(3/2) Gamma(n+3/2)) 1F2(1; 3/2, n+3/2; -x^2/4), and L_n with +x^2/4: entire functions, even
for odd n and odd for even n.
"""

from __future__ import annotations

from typing import ClassVar

import mpmath
import numpy as np
import sympy
from flint import acb, arb, fmpq
from mpmath import mpf
from sympy import Expr, Integer, Rational, S, gamma, oo, pi, sqrt
from sympy.core.function import ArgumentIndexError
from sympy.printing.printer import Printer

from asymptok.functions.evaluated import EvaluatedFunction
from asymptok.functions.expanding import Context, Series, expands, finite_integer
from asymptok.functions.hypergeometric import hypergeometric
from asymptok.functions.mean_value import around_middle
from asymptok.functions.record import Implementation, Record, constantly
from asymptok.points import Array
from asymptok.quantities import B, whole

__all__ = ["StruveH", "StruveL"]

_HALF = fmpq(1, 2)


class StruveH(EvaluatedFunction):
    """H_n(x), n = 0, 1, ...

    >>> from sympy.abc import x
    >>> StruveH(0, x).diff(x), StruveH(2, 0), StruveH(0, 1).n(15)
    (-H_1(x) + 2/pi, 0, 0.568656627048288)
    """

    nargs = 2
    #: of x^2/4 in the series, and the letter
    sign: ClassVar[int] = -1
    letter: ClassVar[str] = "H"

    @classmethod
    def eval(cls, n: Expr, x: Expr) -> Expr | None:
        return S.Zero if isinstance(n, Integer) and n >= 0 and x.is_zero else None

    @staticmethod
    def _imp_(n: mpf | int, x: mpf | float | Array) -> mpf | float | Array:
        return _values(mpmath.struveh, n, x)

    def fdiff(self, argindex: int = 2) -> Expr:
        """H_n' = (H_(n-1) - H_(n+1))/2 + p, H_(-1) = 2/pi - H_1; for L_n with plus signs."""
        n, x = self.args
        if argindex != 2:
            raise ArgumentIndexError(self, argindex)
        later = self.sign * self.func(n + 1, x)
        if n == 0:
            return 2 / pi + later
        return (self.func(n - 1, x) + later + (x / 2) ** n / (sqrt(pi) * gamma(n + Rational(3, 2)))) / 2

    def _eval_is_extended_real(self) -> bool | None:
        n, x = self.args
        return True if n.is_Integer and n >= 0 and x.is_extended_real else None

    def _sympystr(self, printer: Printer) -> str:
        n, x = self.args
        return f"{self.letter}_{n}({printer._print(x)})"

    def shown_latex(self, printer: Printer) -> str:
        n, x = map(printer._print, self.args)
        return rf"\mathbf{{{self.letter}}}_{{{n}}}\left({x}\right)"


class StruveL(StruveH):
    """L_n(x), n = 0, 1, ...: all coefficients of its power series are >= 0."""

    sign = 1
    letter = "L"

    @staticmethod
    def _imp_(n: mpf | int, x: mpf | float | Array) -> mpf | float | Array:
        return _values(mpmath.struvel, n, x)


def _values(f: object, n: mpf | int, x: mpf | float | Array) -> mpf | float | Array:
    if isinstance(x, mpmath.mpf | mpmath.mpc):
        return f(n, x)  # type: ignore[operator]
    found = np.vectorize(lambda y: float(f(int(n), y)), otypes=[float])(x)  # type: ignore[operator]
    return found if isinstance(x, np.ndarray) else float(found)


def _is_order(n: Expr) -> bool:
    return bool(n.is_Integer and n >= 0)


def _of_square(sign: int, n: Expr, x: Expr) -> Expr | None:
    if not _is_order(n):
        return None
    b = n + Rational(3, 2)
    factor = 2 * (x / 2) ** (n + 1) / (sqrt(pi) * gamma(b))
    return factor * sympy.hyper((1,), (Rational(3, 2), b), sign * x**2 / 4)


def _ball(sign: int) -> Implementation:
    def direct(n: B, x: B) -> B:
        order = n.real.unique_fmpz() if isinstance(n, acb) else n.unique_fmpz()
        if order is None or order < 0:
            return x * arb.nan()
        b = arb(order) + 3 * _HALF
        series = (x * x * sign / 4).hypgeom([1 + 0 * x], [1 + _HALF + 0 * x, b + 0 * x])
        return 2 * (x / 2) ** (int(order) + 1) / (arb.pi().sqrt() * b.gamma()) * series

    def slope(n: B, x: B) -> B:
        order = whole(n.real if isinstance(n, acb) else n)
        later = sign * direct(n + 1, x)
        if order == 0:
            return 2 / arb.pi() + later
        power = (x / 2) ** order / (arb.pi().sqrt() * (arb(order) + 3 * _HALF).gamma())
        return (direct(n - 1, x) + later + power) / 2

    return around_middle(direct, slope, regular=_regular)


def _regular(n: acb, x: acb) -> bool:
    order = n.real.unique_fmpz() if n.imag.is_zero() else None
    return bool(order is not None and order >= 0 and x.is_finite())


@expands(StruveH)
def _struve_h(context: Context, node: Expr, order: Series, a: Series) -> Series:
    return _expanded(context, node, order, a, -1)


@expands(StruveL)
def _struve_l(context: Context, node: Expr, order: Series, a: Series) -> Series:
    return _expanded(context, node, order, a, 1)


def _expanded(context: Context, node: Expr, order: Series, a: Series, sign: int) -> Series:
    n, dom = finite_integer(context, order), context.dom
    b = fmpq(2 * n + 3, 2)
    half = a.scaled(dom.rational(_HALF))
    lower = [dom.rational(1 + _HALF), dom.rational(b)]
    series = hypergeometric(context, node, [dom.one], lower, (half * half).scaled(dom.rational(sign)))
    factor = dom.constant(2 / (sqrt(pi) * gamma(n + Rational(3, 2))))
    return (context.power(half, fmpq(n + 1), node) * series).scaled(factor)


def _record(function: type[StruveH], *names: str) -> Record:
    sign = function.sign
    balls = _ball(sign)
    return Record(
        function=function,
        real=balls,
        complex=balls,
        requirements=lambda node: [] if _is_order(node.args[0]) else None,
        entire=lambda node: _is_order(node.args[0]),
        singular_values=lambda node: () if _is_order(node.args[0]) else None,
        many_sheets=False,
        regular=_regular,
        rays=lambda node: () if _is_order(node.args[0]) else None,
        growth=lambda node: S.One if _is_order(node.args[0]) else None,
        of_square=lambda n, x: _of_square(sign, n, x),
        majorant=lambda node: StruveL if _is_order(node.args[0]) else None,
        upward=constantly(oo) if sign > 0 else constantly(None),
        names=names,
        arity=2,
        ordered=True,
    )


RECORDS = (_record(StruveH, "struveh", "StruveH"), _record(StruveL, "struvel", "modstruve", "StruveL"))
