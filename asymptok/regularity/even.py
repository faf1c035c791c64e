"""cos(sqrt(g)) and sin(sqrt(g))/sqrt(g) are entire functions of g: write them so, and the square root is gone."""

from __future__ import annotations

from sympy import Expr, Rational, S, besseli, besselj, cos, cosh, exp, expand_mul, factorial, hyper, sin, sinh

from asymptok import dag
from asymptok.symbols import u

_HALF = Rational(1, 2)


def entire_form(expr: Expr, trace: list[tuple[Expr, Expr]] | None = None) -> Expr:
    """The same function with cos, cosh, sin, sinh and whole Bessel functions of c sqrt(g) as 0F1 of g.

    `trace` takes up the replacements.

    cosh(2x) = 0F1(; 1/2; x^2) and sinh(2x) = 2x 0F1(; 3/2; x^2); cos and sin with -x^2;
    I_n(2x) = x^n/n! 0F1(; n+1; x^2), J_n with -x^2.

    >>> entire_form(cosh(2*(1 - u)**_HALF)), entire_form(sin((1 - u)**_HALF)/(1 - u)**_HALF)
    (hyper((), (1/2,), 1 - u), hyper((), (3/2,), u/4 - 1/4))
    """
    replacements: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        if node.func in (cos, cosh, sin, sinh) and node.has(u):
            square = _square(node.args[0])
            if square is not None:
                z = square / 4 if node.func in (cosh, sinh) else -square / 4
                if node.func in (cos, cosh):
                    replacements[node] = hyper([], [_HALF], z)
                else:
                    replacements[node] = node.args[0] * hyper([], [Rational(3, 2)], z)
        elif node.func in (besselj, besseli) and node.args[1].has(u) and node.args[0].is_Integer:
            square, n = _square(node.args[1]), node.args[0]
            if square is not None and n >= 0:
                z = square / 4 if node.func is besseli else -square / 4
                replacements[node] = (node.args[1] / 2) ** n / factorial(n) * hyper([], [n + 1], z)
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


def _square(x: Expr) -> Expr | None:
    """x^2 if x is a constant times one square root."""
    constant, rest = x.as_independent(u, as_Add=False)
    if rest.is_Pow and rest.exp == _HALF:
        return (constant**2 if constant != 1 else S.One) * rest.base
    return None
