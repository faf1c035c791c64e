"""Identities that bring a kernel into a form with rules of continuation."""

from __future__ import annotations

import sympy
from sympy import Expr, Rational

from asymptok import dag
from asymptok.symbols import u


def rewritten(expr: Expr) -> Expr:
    """K_nu of fractional order by entire functions and powers, multiplied out with the powers around it.

    K_nu(z) = pi/(2 sin(pi nu)) (I_-nu(z) - I_nu(z)),  I_nu(z) = (z/2)^nu 0F1(; nu+1; z^2/4)/Gamma(nu+1), z > 0.

    >>> from sympy import besselk, sqrt
    >>> z = sqrt(1 - u)
    >>> rewritten(z ** Rational(1, 3) * besselk(Rational(1, 3), z)).has(besselk)
    False
    """
    found: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        if isinstance(node, sympy.atanh) and node.has(u):
            found[node] = (sympy.log(1 + node.args[0]) - sympy.log(1 - node.args[0])) / 2
        if isinstance(node, sympy.besselk) and _fractional(node.args[0]) and node.args[1].has(u):
            found[node] = _by_entire_functions(*node.args)
    if not found:
        return expr
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        built = found[node] if node in found else (node if same else node.func(*args))
        # z^nu (z^-nu A - z^nu B) = A - z^(2 nu) B: the pole is gone before anybody looks for it
        new[node] = sympy.expand_mul(built) if not same and isinstance(built, sympy.Mul) else built
    return new[expr]


def _fractional(order: Expr) -> bool:
    return isinstance(order, Rational) and not order.is_Integer


def _by_entire_functions(order: Rational, z: Expr) -> Expr:
    def first_kind(nu: Rational) -> Expr:
        # z^nu and not (z/2)^nu: powers of one base combine
        return 2**-nu * z**nu * sympy.hyper((), (nu + 1,), z**2 / 4) / sympy.gamma(nu + 1)

    return sympy.pi / (2 * sympy.sin(sympy.pi * order)) * (first_kind(-order) - first_kind(order))
