"""Ends where the kernel is smooth without a power series of its own: exp(-1/t); and the growth of entire kernels."""

from __future__ import annotations

from functools import lru_cache
from math import pi, sin
from typing import Any

import sympy
from sympy import Expr, Integer, S

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.expansion import Term, puiseux
from asymptok.kernels.kernel import Kernel
from asymptok.singularities.points import analytic_at
from asymptok.symbols import u

__all__ = ["flat_at_both_ends", "flat_terms", "growth_order", "log_flat_size"]


@lru_cache(maxsize=128)
def flat_at_both_ends(kernel: Kernel) -> bool:
    """Whether kappa is proved C-infinity up to both ends: analytic there, but for terms like exp(-1/t).

    >>> flat_at_both_ends(Kernel("exp(-1/(1 - u)) + u")), flat_at_both_ends(Kernel("sqrt(1 - u)"))
    (True, False)
    """
    return all(_smooth_at(kernel, at) for at in (1, -1))


def _smooth_at(kernel: Kernel, at: int) -> bool:
    """With the flat exponentials replaced by 0 the rest must be analytic at the end.

    A flat factor times any power of t stays flat, so that a product with one vanishes as a whole.
    """
    point = Integer(at)
    replacements = {node: S.Zero for node in dag.postorder(kernel.expr) if _is_flat(node, at, kernel)}
    rest = dag.rebuild(kernel.expr, replacements)
    if not isinstance(rest, Expr) or rest.has(sympy.nan, sympy.zoo):
        return False
    try:
        return bool(analytic_at(rest, point, kernel.parameters))
    except AsymptokError:
        return False


def _is_flat(node: Any, at: int, kernel: Kernel) -> bool:
    return _flat_term(node, at, kernel) is not None


def _flat_term(node: Any, at: int, kernel: Kernel) -> Term | None:
    """The leading term of g for a node exp(g) with g -> -oo like a negative power of t."""
    if not isinstance(node, sympy.exp) or not node.args[0].has(u):
        return None
    try:
        side = puiseux(node.args[0], u, at, "-" if at == 1 else "+", 1, parameters=kernel.parameters)
        if not side.terms:
            return None
        first = side.terms[0]
        return first if first.exponent.is_negative and first.coefficient.is_negative else None
    except AsymptokError:
        return None


@lru_cache(maxsize=128)
def flat_terms(kernel: Kernel) -> tuple[tuple[float, float], ...]:
    """(a, c) for each exp(-c t^-a ...) at an end: its eigenvalues are of size exp(-const k^(2a/(2a+1))), eq. (13).

    >>> flat_terms(Kernel("sqrt(1 - u) + exp(-2/(1 + u))"))
    ((1.0, 2.0),)
    """
    found = []
    for at in (1, -1):
        for node in dag.postorder(kernel.expr):
            term = _flat_term(node, at, kernel)
            if term is not None and not term.coefficient.free_symbols | term.exponent.free_symbols:
                found.append((-float(term.exponent), -float(term.coefficient)))
    return tuple(found)


def log_flat_size(a: float, c: float, k: int) -> float:
    """log of the size of mu_k for exp(-c t^-a): the saddle point of -c t^-a + i k theta, t = theta^2/2."""
    b, scale = 2 * a, c * 2**a
    if k == 0:
        return 0.0
    theta: float = (b * scale / k) ** (1 / (b + 1))
    return -k * theta * (1 + 1 / b) * sin(pi / (2 * (b + 1)))


#: the order of growth of the outer function, in powers of its argument
_ORDER = {
    sympy.exp: 1, sympy.sin: 1, sympy.cos: 1, sympy.sinh: 1, sympy.cosh: 1,
    sympy.erf: 2, sympy.erfc: 2, sympy.erfi: 2,
}  # fmt: skip


def growth_order(expr: Expr) -> Expr | None:
    """The order of an entire function built of polynomials, exponentials and error functions; None if not clear.

    Sums and products may cancel, so the answer is an upper bound for them and exact for a single function.

    >>> growth_order(sympy.exp(2*u)), growth_order(sympy.exp(-u**2) + u), growth_order(sympy.exp(sympy.exp(u)))
    (1, 2, None)
    """
    best = S.Zero
    for node in dag.postorder(expr):
        if not isinstance(node, Expr) or not node.args or not node.has(u) or node.is_polynomial(u):
            continue
        if (
            node.is_Add
            or node.is_Mul
            or (node.is_Pow and node.exp.is_Integer and node.exp > 0 and node.func is not sympy.exp)
        ):
            continue
        weight = _ORDER.get(node.func)
        if weight is None or not node.args[0].is_polynomial(u):
            return None
        best = max(best, weight * Integer(sympy.degree(node.args[0], u)))
    return best if best > 0 else None
