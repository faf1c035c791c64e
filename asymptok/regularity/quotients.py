"""Functions that are quotients: tan is sin/cos, and next to a pole only the quotient has a germ."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Expr

from asymptok import dag

#: the functions with poles on the real axis, by functions without
QUOTIENTS: dict[object, Callable[[Expr], Expr]] = {
    sympy.tan: lambda x: sympy.sin(x) / sympy.cos(x),
    sympy.cot: lambda x: sympy.cos(x) / sympy.sin(x),
    sympy.sec: lambda x: 1 / sympy.cos(x),
    sympy.csc: lambda x: 1 / sympy.sin(x),
    sympy.coth: lambda x: sympy.cosh(x) / sympy.sinh(x),
    sympy.csch: lambda x: 1 / sympy.sinh(x),
}


def with_quotients(expr: Expr) -> Expr:
    """The same function with tan, cot, ... written as quotients, and 1/tanh as cosh/sinh.

    >>> from asymptok.symbols import u
    >>> with_quotients(sympy.tan(u) + 1/sympy.tanh(u))
    sin(u)/cos(u) + cosh(u)/sinh(u)
    """
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        if node.func in QUOTIENTS:
            new[node] = QUOTIENTS[node.func](args[0])
        elif node.is_Pow and node.base.func is sympy.tanh and node.exp.is_Integer and node.exp < 0:
            x = new[node.base.args[0]]
            new[node] = (sympy.cosh(x) / sympy.sinh(x)) ** -node.exp
        else:
            same = all(a is b for a, b in zip(args, node.args, strict=True))
            new[node] = node if same else node.func(*args)
    found: Expr = new[expr]
    return found
