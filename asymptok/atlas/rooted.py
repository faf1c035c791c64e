"""Even functions of a square root are functions of what is under it: cos((1-u)^(3/2)) is entire in u.

f(w) = E(w^2) + w O(w^2) with hypergeometric functions E and O, entire where f is. If w^2 has no root in it, and the
roots of w are gone from the sums and products of all of them, the kernel is a function without these roots.
"""

from __future__ import annotations

from functools import lru_cache

import sympy
from sympy import Expr

from asymptok import dag
from asymptok.functions import record_of
from asymptok.symbols import u

__all__ = ["without_roots"]


@lru_cache(maxsize=256)
def without_roots(expr: Expr) -> Expr:
    """The kernel without roots that occur in even functions alone; itself where there are none.

    >>> from sympy import Rational, exp, cos, sin, sqrt
    >>> without_roots(cos((1 - u) ** Rational(3, 2))), without_roots(exp(-sqrt(1 - u)))
    (hyper((), (1/2,), -(1 - u)**3/4), exp(-sqrt(1 - u)))
    >>> w = sqrt(1 - u)
    >>> without_roots(w * sin(w) + exp(w) + exp(-w)).has(w)
    False
    """
    nodes = list(dag.postorder(expr))
    functions = {node: form for node in nodes if (form := _form(node)) is not None}
    if not functions:
        return expr
    bases = {x.base for f in functions for x in _roots(f.args[-1])}
    new: dict[Expr, Expr] = {}
    for node in nodes:
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        if node in functions:
            new[node] = functions[node]
        else:
            new[node] = node if same else node.func(*args)
    for found in (new[expr], sympy.expand_mul(new[expr])):
        if not any(x.base in bases for x in _roots(found)):
            return found
    return expr


def _roots(expr: Expr) -> list[Expr]:
    """The powers of something with u in it that are not whole."""
    return [x for x in dag.postorder(expr) if x.is_Pow and x.base.has(u) and not x.exp.is_Integer]


def _form(node: Expr) -> Expr | None:
    """f(w) by functions of w^2, w a product with roots in it and w^2 without one."""
    record = record_of(node.func)
    form = record.of_square(*node.args) if record is not None and node.args else None
    return form if form is not None and _roots(node.args[-1]) and not _roots(node.args[-1] ** 2) else None
