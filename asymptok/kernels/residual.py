"""Residual networks whose blocks have two matrices, x_l = x_(l-1) + r V_l relu(W_l x_(l-1)).

The variances are those of He's initialisation. With K_0 = u, q_l = (1 + r^2)^l the variance after block l and u_l =
K_l/q_l the correlation,

    K_l = K_(l-1) + r^2 q_(l-1) kappa_1(u_(l-1)),
    Theta = sum_l B_(l+1) (q_(l-1) kappa_1(u_(l-1)) + K_(l-1) kappa_0(u_(l-1))),

the two summands for V_l and W_l, where B_(L+1) = 1 and B_l = B_(l+1) (1 + r^2 kappa_0(u_(l-1))) is what the blocks
above pass on. The common factor r^2 of Theta is left out, and the first and the last matrix are not trained.
"""

from __future__ import annotations

from sympy import Add, Expr

from asymptok.functions.arccosine import kappa0, kappa1
from asymptok.symbols import u

__all__ = ["two_matrix_blocks"]


def two_matrix_blocks(depth: int, skip: Expr, tangent: bool) -> tuple[Expr, Expr]:
    """K_L or Theta over u, for r^2 = `skip`, and the value at u = 1.

    >>> from sympy import S
    >>> two_matrix_blocks(1, S.One, True)
    (u*kappa0(u) + kappa1(u), 2)
    >>> two_matrix_blocks(1, S.One, False)
    (u + kappa1(u), 2)
    """
    layer: Expr = u
    parts: list[Expr] = []
    slopes: list[Expr] = []
    for number in range(depth):
        size = (1 + skip) ** number
        correlation = Add(*(term / size for term in Add.make_args(layer)))
        value, slope = size * kappa1(correlation), kappa0(correlation)
        parts.append(value + layer * slope)
        slopes.append(1 + skip * slope)
        layer = layer + skip * value
    top = (1 + skip) ** (depth - 1)
    if not tangent:
        return layer, (1 + skip) * top
    total = parts[0]
    for part, slope in zip(parts[1:], slopes[1:], strict=True):
        total = total * slope + part
    return total, 2 * depth * top
