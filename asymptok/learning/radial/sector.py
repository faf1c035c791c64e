"""Whether a function of r > 0 is analytic in a sector around the half-line, without exponential growth.

Then the Fourier transform of phi(|x|) at infinity is decided at r = 0 alone: the two Hankel functions of the radial
integral decay along rays turned by a small angle up or down, the contour follows, and Watson's lemma takes every term
of the expansion at 0. A kink or an oscillation elsewhere would put its own term beside them, as in max(1 - r, 0).
"""

from __future__ import annotations

from sympy import Add, Expr, Mul, Pow, S, atan, besselk, cos, cosh, erfc, exp, log, sin, sinh, tanh

from asymptok.symbols import r

__all__ = ["is_analytic_in_square", "is_tame"]


def is_tame(expr: Expr) -> bool:
    """True if that is shown by the way the expression is built; False says nothing.

    >>> is_tame(exp(-r)/(1 + r**2)), is_tame(exp(r))
    (True, False)
    """
    if not expr.has(r) or _is_positive(expr):
        return True
    if isinstance(expr, Add | Mul):
        return all(is_tame(arg) for arg in expr.args)
    if isinstance(expr, exp):
        return _is_positive(-expr.args[0])
    if isinstance(expr, Pow):
        return bool(expr.exp.is_integer and expr.exp.is_nonnegative) and is_tame(expr.base)
    if isinstance(expr, besselk):
        return not expr.args[0].has(r) and _is_positive(expr.args[1])
    # bounded, or growing like a logarithm, where the argument keeps to a narrow sector
    return isinstance(expr, log | atan | tanh | erfc) and _is_positive(expr.args[0])


def _is_positive(expr: Expr) -> bool:
    """Whether it maps narrow sectors around r > 0 into narrow sectors around the positive half-line."""
    if not expr.has(r):
        return bool(expr.is_positive)
    if expr == r:
        return True
    if isinstance(expr, Add | Mul):
        return all(_is_positive(arg) for arg in expr.args)
    if isinstance(expr, Pow):
        return not expr.exp.has(r) and bool(expr.exp.is_real) and _is_positive(expr.base)
    if isinstance(expr, log) and isinstance(expr.args[0], Add):
        rest = expr.args[0] - S.One
        return _is_positive(rest)
    return False


def is_analytic_in_square(expr: Expr) -> bool:
    """True if the way it is built shows that it is an analytic function of r^2 at r = 0; False says nothing.

    >>> is_analytic_in_square(exp(-((1 + r**2)**S.Half))), is_analytic_in_square((r**2 + r**4)**S.Half)
    (True, False)
    """
    if not expr.has(r):
        return True
    if isinstance(expr, Add | Mul | exp | sin | cos | sinh | cosh):
        return all(is_analytic_in_square(arg) for arg in expr.args)
    if isinstance(expr, Pow | log):
        base, power = (expr.base, expr.exp) if isinstance(expr, Pow) else (expr.args[0], -S.One)
        if power.is_Integer and power >= 0 and (base != r or power % 2 == 0):
            return bool(base == r) or is_analytic_in_square(base)
        return not power.has(r) and is_analytic_in_square(base) and bool(base.subs(r, 0).is_positive)
    return False
