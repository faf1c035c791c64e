"""Deep ReLU kernels whose depth is a symbol, and the constants of their expansions at u = -1.

RF_1 = x, RF_L = kappa_1(RF_(L-1)); NTK_1 = x, NTK_L = NTK_(L-1) kappa_0(RF_(L-1)) + RF_L. For a whole number L
these are ordinary expressions, and the functions here evaluate to them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from flint import acb, acb_series, arb, arb_series
from mpmath import mp, mpc, mpf
from sympy import Expr, Integer, Mul, S, Symbol, sstr
from sympy.printing.printer import Printer

from asymptok.arguments import whole_number
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.arccosine_numeric import arccosine_value
from asymptok.functions.evaluated import EvaluatedFunction
from asymptok.slots import Slot
from asymptok.symbols import u

__all__ = ["DeepReLU", "EndCoefficient", "SlopeProduct", "is_depth", "whole_depth"]

#: layers that are written out
_DEEPEST = 10_000
_expand: Slot[..., Any] = Slot("expand")
X = TypeVar("X", mpf | mpc, Expr, arb, acb, arb_series, acb_series)


def is_depth(value: object) -> bool:
    """Whether a value is a symbol for a positive whole number."""
    return isinstance(value, Symbol) and bool(value.is_integer) and bool(value.is_positive)


def whole_depth(value: object, least: int = 1) -> int:
    """The depth as an integer >= `least`."""
    if isinstance(value, Symbol):
        raise AsymptokError(
            f"the depth is an integer >= 1, not {value}: a symbol with integer=True and positive=True stands for every "
            "depth in kernels.ntk(L) and kernels.random_features(L), and in no other network"
        )
    found = whole_number(value, "depth", least)
    if found > _DEEPEST:
        raise AsymptokError(
            f"the depth of a network written out is at most {_DEEPEST}, not {found}; for laws of every depth "
            "use a symbol, kernels.ntk(L) with L a positive integer"
        )
    return found


def layers(tangent: bool, depth: int, x: X, kappa: Callable[[int, X], X]) -> X:
    """The recursion with any implementation kappa(n, x) of the arc-cosine functions."""
    layer = total = x
    for _ in range(depth - 1):
        slope, layer = kappa(0, layer), kappa(1, layer)
        total = total * slope + layer
    return total if tangent else layer


def _value(tangent: int, depth: int, x: mpf | mpc) -> mpf | mpc:
    return layers(bool(tangent), int(depth), x, arccosine_value)


def _of_whole_numbers(function: Callable[..., Expr]) -> Callable[..., Any]:
    """The values for lambdify of what is an expression at whole numbers."""

    def value(*args: Any) -> Any:
        if any(isinstance(a, np.ndarray) for a in args):
            return np.vectorize(value, otypes=[float])(*args)
        exact = function(*(Integer(int(a)) for a in args))
        precise = any(isinstance(a, mpf) for a in args)
        return exact._to_mpmath(mp.prec) if precise else float(exact)

    return value


class DeepReLU(EvaluatedFunction):
    """RF_L(x) (tangent = 0) or NTK_L(x) (tangent = 1).

    >>> L, x = Symbol("L", integer=True, positive=True), Symbol("x", real=True)
    >>> DeepReLU(0, 3, x), DeepReLU(1, L, 1), DeepReLU(0, L, 1)
    (kappa1(kappa1(x)), L, 1)
    >>> DeepReLU(1, L, x)
    NTK_L(x)
    """

    nargs = 3
    _imp_ = staticmethod(_value)

    @classmethod
    def eval(cls, tangent: Expr, depth: Expr, x: Expr) -> Expr | None:
        if isinstance(depth, Integer):
            if depth < 1:
                raise AsymptokError(f"the depth is an integer >= 1, not {depth}")
            return layers(bool(tangent), int(depth), x, ArcCosine)
        if x is S.One:
            return depth if tangent == 1 else S.One
        return None

    def _eval_is_extended_real(self) -> bool | None:
        return True if self.args[2].is_extended_real else None

    def _sympystr(self, printer: Printer) -> str:
        tangent, depth, x = self.args
        return f"{'NTK' if tangent == 1 else 'RF'}_{printer._print(depth)}({printer._print(x)})"

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        tangent, depth, x = (self.args[0], *(printer._print(a) for a in self.args[1:]))
        power = "" if exp is None else f"^{{{exp}}}"
        label = "NTK" if tangent == 1 else "RF"
        return rf"\kappa_{{\mathrm{{{label}}}}}^{{({depth})}}\left({x}\right){power}"


class SlopeProduct(EvaluatedFunction):
    """prod_(j=2)^(L-1) kappa_0(RF_j(-1)), in (0, 1] for L >= 2: what the layers above do to the singularity at -1.

    >>> SlopeProduct(2), SlopeProduct(4)
    (1, kappa0(1/pi)/2)
    """

    nargs = 1
    _imp_ = staticmethod(_of_whole_numbers(lambda depth: SlopeProduct(depth)))

    @classmethod
    def eval(cls, depth: Expr) -> Expr | None:
        if not isinstance(depth, Integer):
            return None
        if depth < 2:
            raise AsymptokError(f"the depth of the product is an integer >= 2, not {depth}")
        factors: list[Expr] = []
        layer: Expr = S.Zero
        for _ in range(2, int(depth)):
            factors.append(ArcCosine(0, layer))
            layer = ArcCosine(1, layer)
        return Mul(*factors)

    def _eval_is_positive(self) -> bool:
        return True

    def _eval_is_finite(self) -> bool:
        return True

    def shown_latex(self, printer: Printer) -> str:
        depth = printer._print(self.args[0])
        return rf"\prod_{{j=2}}^{{{depth}-1}} \kappa_0(\kappa_{{\mathrm{{RF}}}}^{{(j)}}(-1))"


class EndCoefficient(EvaluatedFunction):
    """The coefficient of t^(m/2) in NTK_L(-1 + t) or RF_L(-1 + t): a name for it until L is a number.

    >>> L = Symbol("L", integer=True, positive=True)
    >>> EndCoefficient(0, L, 5), EndCoefficient(0, L, 5).subs(L, 2)
    ([t^5/2]RF_L(-1 + t), sqrt(2)/(30*pi))
    """

    nargs = 3
    _imp_ = staticmethod(_of_whole_numbers(lambda *args: EndCoefficient(*args)))

    @classmethod
    def eval(cls, tangent: Expr, depth: Expr, m: Expr) -> Expr | None:
        if not isinstance(depth, Integer):
            return None
        found = _expand(DeepReLU(tangent, depth, u), at=-1, order=m / 2).terms
        return sum((t.coefficient for t in found if t.exponent == m / 2), S.Zero)

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_is_finite(self) -> bool:
        return True

    def _sympystr(self, printer: Printer) -> str:
        tangent, depth, m = self.args
        return f"[t^{sstr(m / 2)}]{'NTK' if tangent == 1 else 'RF'}_{printer._print(depth)}(-1 + t)"

    def shown_latex(self, printer: Printer) -> str:
        tangent, depth, m = self.args
        label = "NTK" if tangent == 1 else "RF"
        return rf"[t^{{{m}/2}}]\,\kappa_{{\mathrm{{{label}}}}}^{{({printer._print(depth)})}}(-1+t)"
