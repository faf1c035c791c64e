"""cos(sqrt(g)) and sin(sqrt(g))/sqrt(g) are entire functions of g: write them so, and the square root is gone."""

from __future__ import annotations

from sympy import Expr, S, cosh, exp, expand_mul, sinh

from asymptok import dag
from asymptok.functions import record_of
from asymptok.symbols import u


def entire_form(expr: Expr, trace: list[tuple[Expr, Expr]] | None = None) -> Expr:
    """The same function with cos, sinh, erf, whole Bessel functions, ... of c sqrt(g) as hypergeometric functions of g.

    `trace` takes up the replacements.

    >>> from sympy import sin, sqrt
    >>> entire_form(cosh(2*sqrt(1 - u))), entire_form(sin(sqrt(1 - u))/sqrt(1 - u))
    (hyper((), (1/2,), 1 - u), hyper((), (3/2,), u/4 - 1/4))
    """
    replacements: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        record = record_of(node.func)
        if record is None or not node.args or not _is_root(node.args[-1]) or record.parity(node) is None:
            continue
        form = record.of_square(*node.args) if record.entire(node) else None
        if form is not None:
            replacements[node] = form
    if trace is not None:
        trace += replacements.items()
    return dag.rebuild(expr, replacements) if replacements else expr


def with_exponentials(expr: Expr) -> Expr:
    """The same function with cosh and sinh as exponentials, multiplied out so that products of these become one.

    >>> with_exponentials(exp(-u)*sinh(u))
    1/2 - exp(-2*u)/2
    """
    replacements: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        if node.func in (cosh, sinh) and node.has(u):
            x = node.args[0]
            replacements[node] = (exp(x) + (1 if node.func is cosh else -1) * exp(-x)) / 2
    return expand_mul(dag.rebuild(expr, replacements)) if replacements else expr


def _is_root(x: Expr) -> bool:
    """Whether x is a constant times one square root."""
    rest = x.as_independent(u, as_Add=False)[1]
    return bool(rest.is_Pow and rest.exp == S.Half)
