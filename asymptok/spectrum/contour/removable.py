"""Zeros of denominators inside (-1, 1) that the numerators lift, as in sin(u)/u.

A denominator D with the exact zeros p of order m is (u-p)^m times a function that is to miss a ray on the boundary of a
domain, as any other denominator; so D vanishes nowhere else in it, and a quotient by D is meromorphic. Where the exact
expansion of the quotient at p has no negative power, it is analytic there.
"""

from __future__ import annotations

from collections.abc import Iterable

from flint import acb, arb, fmpq
from sympy import Expr

from asymptok import dag
from asymptok.balls import ball, compile_ball
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.precision import flint_precision
from asymptok.spectrum.local import Unproved
from asymptok.spectrum.removable import exact_zero, vanishes
from asymptok.symbols import u

#: pieces of the interval in which zeros are looked for, and the highest order
_PIECES, _HIGHEST = 16, 6


def zeros_inside(base: Expr) -> tuple[tuple[Expr, int], ...]:
    """(p, m) with base = O((u-p)^m), -1 < p < 1, exact; some zeros may be missing.

    >>> from sympy import sin
    >>> zeros_inside(u * sin(u)), zeros_inside(u - 2)
    (((0, 2),), ())
    """
    found: dict[Expr, int] = {}
    with flint_precision(64):
        value = compile_ball(base, [u])
        if not value(arb(0, 1)).contains(0):
            return ()
        for j in range(_PIECES):
            here = arb(fmpq(2 * j + 1 - _PIECES, _PIECES), fmpq(1, _PIECES))
            if not value(here).contains(0):
                continue
            try:
                point = exact_zero([base], acb(here))
                if point is not None and point not in found and abs(ball(point)) < 1:
                    found[point] = _order(base, point)
            except (Unproved, AsymptokError):
                continue
    return tuple(found.items())


def lifted_zeros(expr: Expr) -> list[Expr]:
    """The points inside (-1, 1) at which denominators in the expression vanish."""
    below = {
        node.base for node in dag.postorder(expr) if node.is_Pow and node.exp.is_Integer and node.exp < 0
    }
    found = {point for base in below if base.has(u) for point, _ in zeros_inside(base)}
    return sorted(found, key=lambda point: float(ball(point)))


def _order(f: Expr, point: Expr) -> int:
    """How many of f, f', ... vanish at the point; each zero is proved."""
    count = 0
    while count < _HIGHEST and vanishes(f, point):
        count, f = count + 1, dag.derivative(f, u)
    return count


def poles_left(node: Expr, points: Iterable[Expr]) -> set[Expr]:
    """Those of the points at which the meromorphic function has a pole; Unproved if that is not decided."""
    left = set()
    for point in points:
        try:
            found = puiseux(node, u, point, "+", 0)
        except AsymptokError as error:
            raise Unproved(str(error)) from error
        if any(not t.exponent >= 0 for t in found.terms):
            left.add(point)
    return left


__all__ = ["lifted_zeros", "poles_left", "zeros_inside"]
