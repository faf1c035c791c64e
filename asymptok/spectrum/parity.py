"""Eigenvalues that vanish: if kappa(u) - kappa(-u) is a polynomial, mu_k = 0 for odd k above its degree."""

from __future__ import annotations

from functools import lru_cache

import sympy
from sympy import Expr

from asymptok import dag
from asymptok.laws.parity import polynomial_part_degree


@lru_cache(maxsize=128)
def vanishing(expr: Expr) -> tuple[int | None, int | None]:
    """(a, b): mu_k = 0 is proved for even k > a and for odd k > b; None where nothing is proved.

    >>> from asymptok import u
    >>> vanishing(sympy.cosh(u)), vanishing(sympy.Max(u, 0)), vanishing(sympy.exp(u))
    ((None, -1), (None, 1), (None, None))
    """
    expr = _without_max(expr)
    return polynomial_part_degree(expr, 1), polynomial_part_degree(expr, -1)


def _without_max(expr: Expr) -> Expr:
    """Max(a, b) = (a + b + |a - b|)/2 and likewise Min: |w| knows its symmetry."""
    replacements = {}
    for node in dag.postorder(expr):
        if isinstance(node, sympy.Max | sympy.Min) and len(node.args) == 2:
            a, b = node.args
            distance = sympy.Abs(a - b)
            replacements[node] = (a + b + (distance if isinstance(node, sympy.Max) else -distance)) / 2
    return dag.rebuild(expr, replacements) if replacements else expr
