"""The constant of the eigenvalues of (1 - u)^nu on the sphere."""

from __future__ import annotations

from sympy import Expr, gamma, pi, sqrt, sympify

__all__ = ["regular_factor"]


def regular_factor(d: object, nu: Expr) -> Expr:
    """C(d, nu) Gamma(-nu) = 2^(nu+d-2) Gamma(d/2) Gamma(nu+(d-1)/2)/sqrt(pi).

    It has neither zeros nor poles for nu > -(d-1)/2.
    """
    d = sympify(d)
    return 2 ** (nu + d - 2) * gamma(d / 2) * gamma(nu + (d - 1) / 2) / sqrt(pi)
