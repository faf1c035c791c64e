"""Identities that bring a kernel into a form with rules of continuation."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Expr

from asymptok import dag
from asymptok.atlas.rooted import without_roots
from asymptok.functions import RECORDS
from asymptok.symbols import u


def _first_kind(nu: Expr, z: Expr, sign: int = 1) -> Expr:
    """I_nu, or J_nu for sign = -1; z^nu and not (z/2)^nu: powers of one base combine."""
    return 2**-nu * z**nu * sympy.hyper((), (nu + 1,), sign * z**2 / 4) / sympy.gamma(nu + 1)


def _second_kind(nu: Expr, z: Expr) -> Expr:
    return sympy.pi / (2 * sympy.sin(sympy.pi * nu)) * (_first_kind(-nu, z) - _first_kind(nu, z))


#: quotients of functions with rules, poles where the denominators vanish; powers
_RULES: dict[object, Callable[..., Expr]] = {
    sympy.Pow: lambda base, exponent: sympy.exp(exponent * sympy.log(base)),
    sympy.gamma: lambda x: sympy.gamma(x + 1, evaluate=False) / x,
    sympy.besseli: _first_kind,
    sympy.besselj: lambda nu, z: _first_kind(nu, z, -1),
    sympy.besselk: _second_kind,
    sympy.factorial: lambda x: sympy.gamma(x + 2, evaluate=False) / (x + 1),
    **{f: record.quotient for f, record in RECORDS.items() if record.quotient is not None},
    sympy.atanh: lambda x: (sympy.log(1 + x) - sympy.log(1 - x)) / 2,
    sympy.acot: lambda x: sympy.atan(1 / x),
    sympy.asec: lambda x: sympy.acos(1 / x),
    sympy.acsc: lambda x: sympy.asin(1 / x),
    sympy.acoth: lambda x: (sympy.log(1 + 1 / x) - sympy.log(1 - 1 / x)) / 2,
    sympy.asech: lambda x: sympy.acosh(1 / x),
    sympy.acsch: lambda x: sympy.asinh(1 / x),
}


def rewritten(expr: Expr) -> Expr:
    """J_nu, I_nu, K_nu of fractional order by entire functions and powers, multiplied out with those around them; tanh,
    tan and their kin as quotients; Gamma(x) as Gamma(x+1)/x, its first pole apart; N^M, both with u in them, as
    exp(M log N).

    K_nu(z) = pi/(2 sin(pi nu)) (I_-nu(z) - I_nu(z)),  I_nu(z) = (z/2)^nu 0F1(; nu+1; z^2/4)/Gamma(nu+1), z > 0.

    Where roots of u occur in even functions alone, they are gone first (`atlas.rooted`).

    >>> from sympy import Rational, besselk, sqrt
    >>> z = sqrt(1 - u)
    >>> rewritten(z ** Rational(1, 3) * besselk(Rational(1, 3), z)).has(besselk), rewritten(sympy.tanh(u))
    (False, 1 - 2/(exp(2*u) + 1))
    """
    expr = without_roots(expr)
    if not any(_is_rewritten(node) for node in dag.postorder(expr)):
        return expr
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        if _is_rewritten(node):
            built = _RULES[node.func](*args)
        else:
            built = node if same else node.func(*args)
        # z^nu (z^-nu A - z^nu B) = A - z^(2 nu) B: the pole is gone before anybody looks for it
        new[node] = sympy.expand_mul(built) if not same and isinstance(built, sympy.Mul) else built
    return new[expr]


def _is_rewritten(node: Expr) -> bool:
    if isinstance(node, sympy.besselj | sympy.besseli | sympy.besselk):
        order, z = node.args
        whole = order.is_Integer or (isinstance(node, sympy.besselk) and not order.is_Rational)
        return bool(z.has(u) and order.is_number and not whole)
    if isinstance(node, sympy.Pow):
        return bool(node.base.has(u) and node.exp.has(u))
    return node.func in _RULES and bool(node.has(u))
