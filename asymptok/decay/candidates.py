"""Where a kernel may be singular in the complex plane, ends included."""

from __future__ import annotations

from sympy import Expr

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.singularities.ellipse import singular_points
from asymptok.symbols import u

__all__ = ["singular_candidates"]


def singular_candidates(expr: Expr) -> tuple[Expr, ...]:
    """The solutions of x(u) = s for every function of the expression with argument x that is singular at s.

    Only those that have a closed form; some may lie on another sheet, or cancel.

    >>> from sympy import sqrt
    >>> singular_candidates(sqrt(1 - u) + 1/(u**2 + 4))
    (1, -2*I, 2*I)
    """
    found: dict[Expr, None] = {}
    for node in dag.postorder(expr):
        if not isinstance(node, Expr) or not node.args or not node.has(u) or node.is_Add or node.is_Mul:
            continue
        try:
            points = singular_points(node)
        except AsymptokError:
            continue
        found.update(
            dict.fromkeys(z for z in (points.values if points is not None else ()) if not z.free_symbols)
        )
    return tuple(found)
