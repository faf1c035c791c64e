"""Identities that bring a kernel into a form with rules of continuation."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Expr, Rational

from asymptok import dag
from asymptok.symbols import u

#: quotients of functions with rules, poles where the denominators vanish
_QUOTIENTS: dict[object, Callable[[Expr], Expr]] = {
    sympy.tanh: lambda x: 1 - 2 / (sympy.exp(2 * x) + 1),
    sympy.coth: lambda x: 1 + 2 / (sympy.exp(2 * x) - 1),
    sympy.sech: lambda x: 1 / sympy.cosh(x),
    sympy.csch: lambda x: 1 / sympy.sinh(x),
    sympy.tan: lambda x: sympy.sin(x) / sympy.cos(x),
    sympy.cot: lambda x: sympy.cos(x) / sympy.sin(x),
    sympy.sec: lambda x: 1 / sympy.cos(x),
    sympy.csc: lambda x: 1 / sympy.sin(x),
    sympy.atanh: lambda x: (sympy.log(1 + x) - sympy.log(1 - x)) / 2,
}


def rewritten(expr: Expr) -> Expr:
    """K_nu of fractional order by entire functions and powers, multiplied out with the powers around it; tanh, tan and
    their kin as quotients.

    K_nu(z) = pi/(2 sin(pi nu)) (I_-nu(z) - I_nu(z)),  I_nu(z) = (z/2)^nu 0F1(; nu+1; z^2/4)/Gamma(nu+1), z > 0.

    >>> from sympy import besselk, sqrt
    >>> z = sqrt(1 - u)
    >>> rewritten(z ** Rational(1, 3) * besselk(Rational(1, 3), z)).has(besselk), rewritten(sympy.tanh(u))
    (False, 1 - 2/(exp(2*u) + 1))
    """
    if not any(_is_rewritten(node) for node in dag.postorder(expr)):
        return expr
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        if _is_rewritten(node):
            rule = _QUOTIENTS.get(node.func)
            built = _by_entire_functions(*args) if rule is None else rule(*args)
        else:
            built = node if same else node.func(*args)
        # z^nu (z^-nu A - z^nu B) = A - z^(2 nu) B: the pole is gone before anybody looks for it
        new[node] = sympy.expand_mul(built) if not same and isinstance(built, sympy.Mul) else built
    return new[expr]


def _is_rewritten(node: Expr) -> bool:
    if isinstance(node, sympy.besselk):
        return _fractional(node.args[0]) and bool(node.args[1].has(u))
    return node.func in _QUOTIENTS and bool(node.has(u))


def _fractional(order: object) -> bool:
    return isinstance(order, Rational) and not order.is_Integer


def _by_entire_functions(order: Expr, z: Expr) -> Expr:
    def first_kind(nu: Expr) -> Expr:
        # z^nu and not (z/2)^nu: powers of one base combine
        return 2**-nu * z**nu * sympy.hyper((), (nu + 1,), z**2 / 4) / sympy.gamma(nu + 1)

    return sympy.pi / (2 * sympy.sin(sympy.pi * order)) * (first_kind(-order) - first_kind(order))
