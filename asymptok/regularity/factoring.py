"""Polynomial algebra with everything else taken as unknowns: factors that are seen without knowing any function.

SymPy's own factor looks into functions: exp(u/10**6) becomes a polynomial of degree 10**6 in exp(u/10**6), and
never ends.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Dummy, Expr, PolynomialError, Rational

from asymptok import dag
from asymptok.symbols import u

#: larger expressions, in nodes, in degree and in terms that they may have multiplied out, are not factored
_LARGEST = 150
_HIGHEST = 40
_TERMS = 3000


def factored(expr: Expr) -> Expr:
    """The expression as a product, functions and irrational constants being unknowns; unchanged if that fails.

    >>> factored(u*sympy.cos(u)**2 - u), factored(u**2 - sympy.pi)
    (u*(cos(u) - 1)*(cos(u) + 1), u**2 - pi)
    >>> factored(sympy.exp(2*u) - 4*sympy.exp(u) + 4)
    (exp(u) - 2)**2
    """
    return _algebra(sympy.factor, expr)


def reduced(expr: Expr) -> Expr:
    """The expression over one denominator, common factors cancelled; unchanged if that fails or nothing is divided by.

    >>> reduced(1/(1 + 1/(u**2 + 4)))
    (u**2 + 4)/(u**2 + 5)
    """
    if not _denominators(expr):
        return expr
    return _algebra(sympy.cancel, expr)


def _denominators(expr: Expr) -> list[Expr]:
    """What is divided by, inside functions as well."""
    return [node.base for node in dag.postorder(expr) if node.is_Pow and node.exp.is_negative and node.has(u)]


def _algebra(operation: Callable[[Expr], Expr], expr: Expr) -> Expr:
    """A rational operation on the expression, all that is no sum, product or whole power being an unknown."""
    if dag.tree_size(expr) > _LARGEST or dag.most_terms(expr) > _TERMS:
        return expr
    unknowns: dict[Expr, Expr] = {}
    new = _exponentials(expr, unknowns)
    for node in dag.postorder(expr):
        if node in new:
            continue
        if node.is_Rational or node.is_Symbol:
            new[node] = node
        elif node.is_Add or node.is_Mul:
            new[node] = node.func(*(new[a] for a in node.args))
        elif node.is_Pow and node.exp.is_Integer and abs(node.exp) <= _HIGHEST:
            new[node] = new[node.base] ** node.exp
        else:
            new[node] = unknowns[node] = Dummy()
    try:
        found = operation(new[expr])
    except PolynomialError:
        return expr
    return dag.rebuild(found, {name: node for node, name in unknowns.items()})


def _exponentials(expr: Expr, unknowns: dict[Expr, Expr]) -> dict[Expr, Expr]:
    """e^x, e^(2x), e^(-3x) as powers of one unknown e^x, as long as these are low."""
    families: dict[Expr, dict[Expr, Expr]] = {}
    for node in dag.postorder(expr):
        if node.func is sympy.exp:
            factor, rest = node.args[0].as_coeff_Mul()
            if factor.is_Rational:
                families.setdefault(rest, {})[node] = factor
    new: dict[Expr, Expr] = {}
    for rest, family in families.items():
        if len(family) < 2:
            continue
        step = Rational(
            sympy.igcd(*(f.p for f in family.values())), sympy.ilcm(*(f.q for f in family.values()))
        )
        if any(abs(f / step) > _HIGHEST for f in family.values()):
            continue
        name = unknowns[sympy.exp(step * rest)] = Dummy()
        new.update({node: name ** (f / step) for node, f in family.items()})
    return new
