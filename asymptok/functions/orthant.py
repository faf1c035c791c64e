r"""Orthant(h, k, r) = P(X > h, Y > k) for standard normal X, Y with correlation r: Gaussian integrals over quadrants.

All three derivatives are elementary, which is what everything else rests on (p and Q are the normal density and
its upper tail):

    d/dr = exp(-(h^2 - 2 r h k + k^2)/(2 (1 - r^2)))/(2 pi sqrt(1 - r^2)),
    d/dh = -p(h) Q((k - r h)/sqrt(1 - r^2)),          d/dk likewise.
"""

from __future__ import annotations

from sympy import Rational, S, erf, exp, pi, sqrt
from sympy.core.expr import Expr
from sympy.printing.printer import Printer

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.evaluated import EvaluatedFunction
from asymptok.functions.orthant_numeric import orthant_value

__all__ = ["Orthant", "normal_density", "normal_tail"]

#: thresholds of more nodes are not evaluated to be brought to an order
_LONG = 400


def normal_tail(h: Expr) -> Expr:
    """Q(h) = P(X > h), written with erf, whose sign SymPy moves out.

    >>> normal_tail(S.Zero)
    1/2
    """
    return Rational(1, 2) - erf(h / sqrt(2)) / 2


def normal_density(h: Expr) -> Expr:
    """exp(-h^2/2)/sqrt(2 pi)."""
    return exp(-(h**2) / 2) / sqrt(2 * pi)


class Orthant(EvaluatedFunction):
    r"""P(X > h, Y > k), X and Y standard normal with correlation r in [-1, 1].

    >>> from sympy import Symbol
    >>> r = Symbol("r", real=True)
    >>> Orthant(0, 0, r)
    kappa0(r)/2
    >>> Orthant(1, 2, r).diff(r)
    exp(-(5 - 4*r)/(2 - 2*r**2))/(2*pi*sqrt(1 - r**2))

    Thresholds are brought to one order and one sign, P(X > -h, Y > k) = P(Y > k) - P(-X > h, Y > k):

    >>> Orthant(2, -1, r)
    -Orthant(1, 2, -r) - erf(sqrt(2))/2 + 1/2
    >>> Orthant(1, 2, 1), Orthant(1, 2, -1), Orthant(1, 2, 0)
    (1/2 - erf(sqrt(2))/2, 0, (1/2 - erf(sqrt(2)/2)/2)*(1/2 - erf(sqrt(2))/2))
    """

    nargs = 3
    # lambdify finds the implementation here, for NumPy, math and mpmath alike
    _imp_ = staticmethod(orthant_value)

    @classmethod
    def eval(cls, h: Expr, k: Expr, r: Expr) -> Expr | None:
        if S.NaN in (h, k, r):
            return S.NaN
        if h.is_zero and k.is_zero:
            return S.Half * ArcCosine(0, r)
        if _later(h, k):
            return cls(k, h, r)
        if h.could_extract_minus_sign():
            return normal_tail(k) - cls(-h, k, -r)
        if k.could_extract_minus_sign():
            return normal_tail(h) - cls(h, -k, -r)
        if r.could_extract_minus_sign() and (h.is_zero or k.is_zero):
            return normal_tail(k if h.is_zero else h) - cls(h, k, -r)
        if r is S.Zero:
            return normal_tail(h) * normal_tail(k)
        if r is S.One:
            return _at_one(h, k)
        if r is S.NegativeOne:
            return _at_minus_one(h, k)
        return None

    def fdiff(self, argindex: int = 3) -> Expr:
        h, k, r = self.args
        if argindex == 3:
            form = (h**2 - 2 * r * h * k + k**2) / (2 * (1 - r**2))
            return exp(-form) / (2 * pi * sqrt(1 - r**2))
        if argindex == 2:
            h, k = k, h
        elif argindex != 1:
            raise AsymptokError("Orthant has three arguments")
        return -normal_density(h) * normal_tail((k - r * h) / sqrt(1 - r**2))

    def _eval_is_extended_real(self) -> bool | None:
        return True if all(a.is_extended_real for a in self.args) else None

    def _eval_is_nonnegative(self) -> bool | None:
        return self._eval_is_extended_real()

    def _eval_is_finite(self) -> bool | None:
        return self._eval_is_extended_real()

    def shown_latex(self, printer: Printer) -> str:
        h, k, r = (printer._print(a) for a in self.args)
        return rf"\Phi_2\left({h}, {k}; {r}\right)"


def _later(h: Expr, k: Expr) -> bool:
    """Whether h comes after k; SymPy's own order evaluates long sums, for minutes where they are nested."""
    if dag.tree_size(h) + dag.tree_size(k) > _LONG:
        return h.compare(k) > 0
    return h.sort_key() > k.sort_key()


def _at_one(h: Expr, k: Expr) -> Expr | None:
    """P(X > max(h, k))."""
    above = (k - h).is_nonnegative
    if above is None and (k - h).is_nonpositive is not True:
        return None
    return normal_tail(k if above else h)


def _at_minus_one(h: Expr, k: Expr) -> Expr | None:
    """P(h < X < -k)."""
    if (h + k).is_nonnegative:
        return S.Zero
    return normal_tail(h) - normal_tail(-k) if (h + k).is_nonpositive else None
