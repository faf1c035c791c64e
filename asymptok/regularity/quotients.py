"""Functions that are quotients: tan is sin/cos, and next to a pole only the quotient has a germ."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr

from asymptok import dag
from asymptok.functions import RECORDS, record_of
from asymptok.symbols import u

#: the functions with poles on the real axis, by functions without
QUOTIENTS: dict[object, Callable[[Expr], Expr]] = {
    f: record.quotient
    for f, record in RECORDS.items()
    if record.quotient is not None and record.requirements(record.function(u))
}


def without_reciprocals(expr: Expr) -> Expr:
    """1/tanh(x) as coth(x), and the like: the poles of tanh are zeros of the quotient."""
    found: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        other = _reciprocal(node.base) if node.is_Pow and node.exp.is_Integer and node.exp < 0 else None
        if other is not None:
            found[node] = other(node.base.args[0]) ** -node.exp
    return dag.rebuild(expr, found) if found else expr


def _reciprocal(node: Expr) -> Callable[..., Expr] | None:
    record = record_of(node.func)
    return None if record is None else record.reciprocal


def with_quotients(expr: Expr) -> Expr:
    """The same function with tan, cot, ... written as quotients, and 1/tanh as cosh/sinh.

    >>> from sympy import tan, tanh
    >>> with_quotients(tan(u) + 1/tanh(u))
    sin(u)/cos(u) + cosh(u)/sinh(u)
    """
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        if node.func in QUOTIENTS:
            new[node] = QUOTIENTS[node.func](args[0])
        elif node.is_Pow and node.exp.is_Integer and node.exp < 0 and _reciprocal(node.base) in QUOTIENTS:
            new[node] = QUOTIENTS[_reciprocal(node.base)](new[node.base.args[0]]) ** -node.exp
        else:
            same = all(a is b for a, b in zip(args, node.args, strict=True))
            new[node] = node if same else node.func(*args)
    found: Expr = new[expr]
    return found
