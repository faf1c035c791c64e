"""Eigenvalues that vanish: if kappa(u) - kappa(-u) is a polynomial, mu_k = 0 for odd k above its degree."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy
from sympy import S

from asymptok import dag
from asymptok.kernels.arccosine import ArcCosine
from asymptok.kernels.arccosine_numeric import polynomials
from asymptok.symbols import u

#: expressions larger than this are not expanded in search of a symmetry
_LARGEST = 400


@lru_cache(maxsize=128)
def vanishing(expr: Any) -> tuple[int | None, int | None]:
    """(a, b): mu_k = 0 is proved for even k > a and for odd k > b; None where nothing is proved.

    >>> vanishing(ArcCosine(1, u)), vanishing(sympy.cosh(u)), vanishing(sympy.exp(u))
    ((None, 1), (None, -1), (None, None))
    """
    if dag.tree_size(expr) > _LARGEST:
        return None, None
    expr = _without_max(expr)
    mirrored = _reflected(dag.rebuild(expr, {u: -u}))
    return _degree(expr + mirrored), _degree(expr - mirrored)


def _without_max(expr: Any) -> Any:
    """Max(a, b) = (a + b + |a - b|)/2 and likewise Min: |w| knows its symmetry."""
    replacements = {}
    for node in dag.postorder(expr):
        if isinstance(node, sympy.Max | sympy.Min) and len(node.args) == 2:
            a, b = node.args
            distance = sympy.Abs(a - b)
            replacements[node] = (a + b + (distance if isinstance(node, sympy.Max) else -distance)) / 2
    return dag.rebuild(expr, replacements) if replacements else expr


def _reflected(expr: Any) -> Any:
    """kappa_n(-x) = (-1)^n (A_n(x)/(2n-1)!! - kappa_n(x)), A_n the polynomial in front of pi - theta."""
    replacements = {}
    for node in dag.postorder(expr):
        if isinstance(node, ArcCosine) and node.args[1].could_extract_minus_sign():
            n, x = int(node.args[0]), -node.args[1]
            polynomial = sum((c * x**j for j, c in enumerate(polynomials(n)[0])), S.Zero)
            reflected = polynomial / sympy.factorial2(2 * n - 1) - ArcCosine(n, x)
            replacements[node] = reflected if n % 2 == 0 else -reflected
    return dag.rebuild(expr, replacements) if replacements else expr


def _degree(expr: Any) -> int | None:
    expanded = sympy.expand(expr)
    if expanded.is_zero:
        return -1
    return int(sympy.degree(expanded, u)) if expanded.is_polynomial(u) else None
