"""Dawson's integral F(x) = exp(-x^2) int_0^x exp(t^2) dt = x 1F1(1; 3/2; -x^2)."""

from __future__ import annotations

import mpmath
import numpy as np
import sympy
from flint import arb
from mpmath import mpf
from sympy import Expr, Rational, S, erf, erfi, exp, pi, sqrt
from sympy.printing.printer import Printer

from asymptok.functions.evaluated import EvaluatedFunction
from asymptok.functions.expanding import Context, Series, expands, finite_limit
from asymptok.functions.mean_value import around_middle
from asymptok.functions.record import always, constantly, entire_record
from asymptok.points import Array
from asymptok.quantities import Ball, BallSeries

__all__ = ["Dawson"]


class Dawson(EvaluatedFunction):
    """F(x); F' = 1 - 2 x F.

    >>> from sympy.abc import x
    >>> Dawson(x).diff(x), Dawson(-x), Dawson(1).n(15)
    (-2*x*F(x) + 1, -F(x), 0.538079506912768)
    """

    nargs = 1

    @classmethod
    def eval(cls, x: Expr) -> Expr | None:
        if x.is_zero:
            return S.Zero
        return -cls(-x) if x.could_extract_minus_sign() else None

    @staticmethod
    def _imp_(x: mpf | float | Array) -> mpf | float | Array:
        if isinstance(x, mpmath.mpf | mpmath.mpc):
            return _value(x)
        found = np.vectorize(lambda y: float(_value(mpmath.mpf(float(y)))), otypes=[float])(x)
        return found if isinstance(x, np.ndarray) else float(found)

    def fdiff(self, argindex: int = 1) -> Expr:
        (x,) = self.args
        return 1 - 2 * x * self

    def _eval_is_extended_real(self) -> bool | None:
        return True if self.args[0].is_extended_real else None

    def _sympystr(self, printer: Printer) -> str:
        return f"F({printer._print(self.args[0])})"

    def shown_latex(self, printer: Printer) -> str:
        return rf"F\left({printer._print(self.args[0])}\right)"


def _value(x: mpf) -> mpf:
    return x * mpmath.hyp1f1(1, mpmath.mpf(3) / 2, -x * x)


def _direct(x: Ball | BallSeries) -> Ball | BallSeries:
    return (-x * x).exp() * x.erfi() * (arb.pi().sqrt() / 2)


_sharp = around_middle(_direct, lambda x: 1 - 2 * x * _direct(x), regular=always)


@expands(Dawson)
def _dawson(context: Context, node: Expr, a: Series) -> Series:
    finite_limit(a, node, "the argument is unbounded")
    product = context.exponential(-(a * a), node) * context.expand(erfi, a, node=node)
    return product.scaled(context.dom.constant(sqrt(pi) / 2))


RECORDS = (
    entire_record(
        Dawson,
        _sharp,
        _sharp,
        _direct,
        order=2,
        of_square=lambda x: x * sympy.hyper((1,), (Rational(3, 2),), -(x**2)),
        majorant=constantly(lambda x: sqrt(pi) / 2 * exp(x**2) * erf(x)),
        names=("dawson", "dawsn", "Dawson"),
    ),
)
