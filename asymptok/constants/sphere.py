"""The constant of the eigenvalues of (1 - u)^nu on the sphere, and functions whose large values stay unwritten."""

from __future__ import annotations

from sympy import Expr, Mul, ceiling, gamma, pi, polygamma, sqrt, sympify

from asymptok import dag

__all__ = ["gamma_above_zero", "gamma_of", "polygamma_of", "regular_factor", "with_gammas_above_zero"]

#: beyond it Gamma is left standing: its value exceeds every double, and at 10^9 nobody could write it
_LARGEST = 170


def gamma_of(x: Expr) -> Expr:
    """Gamma(x), as a value where it can be read.

    >>> from sympy import Integer
    >>> gamma_of(Integer(5)), gamma_of(Integer(10) ** 12)
    (24, gamma(1000000000000))
    """
    return gamma(x, evaluate=not _large(x))


def gamma_above_zero(x: Expr) -> Expr:
    """Gamma(x), a fraction below 0 moved above it: Gamma(x) = Gamma(x + n)/(x (x+1) ... (x+n-1)).

    >>> from sympy import Rational
    >>> gamma_above_zero(Rational(-1, 4))
    -4*gamma(3/4)
    """
    if not (x.is_Rational and not x.is_Integer and -_LARGEST < x < 0):
        return gamma_of(x)
    steps = range(int(ceiling(-x)))
    return gamma(x + len(steps)) / Mul(*(x + i for i in steps))


def with_gammas_above_zero(constant: Expr) -> Expr:
    """The constant with every Gamma at a negative fraction moved above 0, where it may cancel."""
    nodes = [node for node in dag.postorder(constant) if node.func is gamma and node.args[0].is_Rational]
    return (
        dag.rebuild(constant, {node: gamma_above_zero(node.args[0]) for node in nodes}) if nodes else constant
    )


def polygamma_of(n: int, x: Expr) -> Expr:
    """psi^(n)(x), as a value where it can be read."""
    return polygamma(n, x, evaluate=not _large(x))


def regular_factor(d: object, nu: Expr) -> Expr:
    """C(d, nu) Gamma(-nu) = 2^(nu+d-2) Gamma(d/2) Gamma(nu+(d-1)/2)/sqrt(pi).

    It has neither zeros nor poles for nu > -(d-1)/2.
    """
    d = sympify(d)
    if _large(d):
        # Gamma(d/2) doubled: no 2^d beside the Gamma functions that are left standing
        return 2 ** (nu - 1) * gamma_of(d) * gamma_of(nu + (d - 1) / 2) / gamma_of((d + 1) / 2)
    return 2 ** (nu + d - 2) * gamma(d / 2) * gamma(nu + (d - 1) / 2) / sqrt(pi)


def _large(x: Expr) -> bool:
    return bool(x.is_number and x.is_real and x > _LARGEST)
