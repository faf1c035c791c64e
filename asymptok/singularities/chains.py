"""A singularity of a part that no other part can cancel is a singularity of the whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from sympy import Expr


def survives(
    expr: Expr, node: Expr, is_analytic: Callable[[Expr], bool], is_nonzero: Callable[[Expr], bool]
) -> bool:
    """Whether `expr` is singular where `node` is, all else being analytic there.

    f + a, f b with b != 0, 1/f for f with a branch point, and exp(f) are singular with f (if exp(f) were analytic,
    so would be its logarithm f). An even function of f need not be, which is why nothing else is accepted.

    >>> from asymptok.symbols import u
    >>> survives(2*sympy.exp(sympy.sqrt(u)) + u, sympy.sqrt(u), lambda e: True, lambda e: True)
    True
    >>> survives(sympy.cos(sympy.sqrt(u)), sympy.sqrt(u), lambda e: True, lambda e: True)
    False
    """
    current: Any = expr
    while current != node:
        inside = [a for a in current.args if a.has(node)]
        if len(inside) != 1:
            return False
        others = [a for a in current.args if a is not inside[0]]
        if current.is_Add:
            if not all(is_analytic(a) for a in others):
                return False
        elif current.is_Mul:
            if not all(is_analytic(a) and is_nonzero(a) for a in others):
                return False
        elif not (current.func is sympy.exp or (current.is_Pow and current.exp == -1)):
            return False
        current = inside[0]
    return True
