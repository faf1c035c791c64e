"""Even functions of a square root are functions of what is under it: cos((1-u)^(3/2)) is entire in u.

f(w) = E(w^2) + w O(w^2) with hypergeometric functions E and O, entire where f is. If w^2 has no root in it, and the
roots of w are gone from the sums and products of all of them, the kernel is a function without these roots.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import sympy
from sympy import Expr, Rational, S, hyper, pi, sqrt

from asymptok import dag
from asymptok.symbols import u

__all__ = ["without_roots"]

_HALF, _MORE = S.Half, Rational(3, 2)


def _bessel(sign: int) -> Callable[[Expr, Expr], Expr]:
    """J_n or I_n, n = 0, 1, ..."""
    return lambda n, w: (w / 2) ** n * hyper((), (n + 1,), sign * w**2 / 4) / sympy.factorial(n)


def _cosh(w: Expr, sign: int = 1) -> Expr:
    return hyper((), (_HALF,), sign * w**2 / 4)


def _sinh(w: Expr, sign: int = 1) -> Expr:
    return w * hyper((), (_MORE,), sign * w**2 / 4)


#: f(w) by functions of w^2
_RULES: dict[object, Callable[..., Expr]] = {
    sympy.cosh: _cosh,
    sympy.sinh: _sinh,
    sympy.exp: lambda w: _cosh(w) + _sinh(w),
    sympy.cos: lambda w: _cosh(w, -1),
    sympy.sin: lambda w: _sinh(w, -1),
    sympy.tan: lambda w: _sinh(w, -1) / _cosh(w, -1),
    sympy.tanh: lambda w: _sinh(w) / _cosh(w),
    sympy.erf: lambda w: 2 * w / sqrt(pi) * hyper((_HALF,), (_MORE,), -(w**2)),
    sympy.erfi: lambda w: 2 * w / sqrt(pi) * hyper((_HALF,), (_MORE,), w**2),
    sympy.besselj: _bessel(-1),
    sympy.besseli: _bessel(1),
}


@lru_cache(maxsize=256)
def without_roots(expr: Expr) -> Expr:
    """The kernel without roots that occur in even functions alone; itself where there are none.

    >>> without_roots(sympy.cos((1 - u) ** Rational(3, 2))), without_roots(sympy.exp(-sqrt(1 - u)))
    (hyper((), (1/2,), -(1 - u)**3/4), exp(-sqrt(1 - u)))
    >>> w = sqrt(1 - u)
    >>> without_roots(w * sympy.sin(w) + sympy.exp(w) + sympy.exp(-w)).has(w)
    False
    """
    nodes = list(dag.postorder(expr))
    functions = {node for node in nodes if _is_of_a_root(node)}
    if not functions:
        return expr
    bases = {x.base for f in functions for x in _roots(f.args[-1])}
    new: dict[Expr, Expr] = {}
    for node in nodes:
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        if node in functions:
            new[node] = _RULES[node.func](*node.args)
        else:
            new[node] = node if same else node.func(*args)
    for found in (new[expr], sympy.expand_mul(new[expr])):
        if not any(x.base in bases for x in _roots(found)):
            return found
    return expr


def _roots(expr: Expr) -> list[Expr]:
    """The powers of something with u in it that are not whole."""
    return [x for x in dag.postorder(expr) if x.is_Pow and x.base.has(u) and not x.exp.is_Integer]


def _is_of_a_root(node: Expr) -> bool:
    """f(w), f in the table, w a product with roots in it and w^2 without one."""
    if node.func not in _RULES or not node.has(u):
        return False
    *orders, w = node.args
    if not all(n.is_Integer and n >= 0 for n in orders):
        return False
    return bool(_roots(w)) and not _roots(w**2)
