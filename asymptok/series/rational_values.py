"""Values of expressions at a point that are rational for a reason that is seen."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from flint import fmpq
from sympy import Expr

from asymptok.functions.arccosine import ArcCosine

__all__ = ["rational_value"]


def rational_value(node: Expr, known: Mapping[Expr, fmpq]) -> fmpq | None:
    """The value of a sum, a product or an arc-cosine kernel from those of its arguments; None if it is not seen.

    >>> from sympy import Rational
    >>> from asymptok.symbols import u
    >>> rational_value(u / 3 + Rational(2, 3), {u: fmpq(1), u / 3: fmpq(1, 3)})
    1
    """
    values: list[fmpq] = []
    for a in node.args:
        value = fmpq(int(a.p), int(a.q)) if a.is_Rational else known.get(a)
        if value is None:
            return None
        values.append(value)
    if node.is_Add:
        return sum(values, fmpq(0))
    if node.is_Mul:
        return prod(values, start=fmpq(1))
    if isinstance(node, ArcCosine) and abs(values[1]) == 1:
        return (values[1] + 1) / 2  # kappa_n(1) = 1, kappa_n(-1) = 0
    return None
