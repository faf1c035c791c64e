"""What mpmath sees of a random kernel: where it may fail to be smooth inside, and whether it does.

A kernel made of analytic functions can be singular only where one of them is: where the argument of a modulus, a root
or a logarithm vanishes, that of an arcsine is +-1, two branches cross. These quantities are sampled on a grid, their
zeros are refined to many digits, and there the difference quotients from both sides are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import mpmath as mp
import numerics
import sympy
from sympy import Expr

from asymptok.functions.arccosine import ArcCosine
from asymptok.symbols import u

#: points of the grid, in the angle
_GRID = 60
#: arguments at which a function is singular, apart from poles that no draw contains
_SINGULAR: dict[Any, Callable[..., list[Expr]]] = {
    sympy.Abs: lambda x: [x],
    sympy.log: lambda x: [x],
    sympy.asin: lambda x: [1 - x, 1 + x],
    sympy.acos: lambda x: [1 - x, 1 + x],
    ArcCosine: lambda n, x: [1 - x, 1 + x],
    sympy.elliptic_k: lambda x: [1 - x],
    sympy.elliptic_e: lambda x: [1 - x],
    sympy.besselk: lambda n, x: [x],
    sympy.LambertW: lambda x: [x + sympy.exp(-1)],
    sympy.tan: lambda x: [sympy.cos(x)],
    sympy.gamma: lambda x: [x],
    sympy.hyper: lambda a, b, x: [1 - x],
}


def critical(expr: Expr) -> list[Expr]:
    """The quantities whose zeros are the only places where the expression may be singular."""
    found: dict[Expr, None] = {}
    for node in sympy.preorder_traversal(expr):
        if node.func in (sympy.Max, sympy.Min):
            found.update(dict.fromkeys(a - b for a, b in pairwise(node.args)))
        elif node.is_Pow and not (node.exp.is_Integer and node.exp > 0):
            found[node.base] = None
        elif node.func in _SINGULAR:
            found.update(dict.fromkeys(_SINGULAR[node.func](*node.args)))
    return [q for q in found if q.has(u)]


def candidates(expr: Expr) -> list[Any] | None:
    """Zeros of the critical quantities inside, to 40 digits or so; None if the kernel is not real somewhere."""
    with mp.workdps(15):
        grid = [mp.cos(mp.pi * (2 * j + 1) / (2 * _GRID)) for j in range(_GRID)]
        if any(abs(mp.im(numerics.value(expr, {u: x}))) > 1e-9 for x in grid):
            return None
        places: list[Any] = []
        for q in critical(expr):
            values = [mp.re(numerics.value(q, {u: x})) for x in grid]
            for j in range(len(grid) - 1):
                if values[j] * values[j + 1] < 0:
                    places.append(_refined(q, (grid[j], grid[j + 1])))
            for j in range(1, len(grid) - 1):
                low = abs(values[j])
                if low < 0.05 and low <= min(abs(values[j - 1]), abs(values[j + 1])):
                    places.append(_refined(sympy.diff(q, u), (grid[j - 1], grid[j + 1])))
        return [x for x in places if x is not None and abs(x) < 1 - mp.mpf(10) ** -6]


def _refined(q: Expr, bracket: tuple[Any, Any]) -> Any:
    """A zero of q in the bracket, None if mpmath finds none."""
    function = lambda x: mp.re(numerics.value(q, {u: x}))  # noqa: E731
    try:
        with mp.workdps(25):
            start = mp.findroot(function, bracket, solver="anderson", tol=mp.mpf(10) ** -30, verify=False)
        with mp.workdps(120):
            found = mp.findroot(function, start, solver="secant", tol=mp.mpf(10) ** -200, verify=False)
        return found if abs(found - start) < mp.mpf(10) ** -10 else start
    except (ValueError, ZeroDivisionError, KeyError, mp.mp.NoConvergence, TypeError):
        return None


def is_singular(expr: Expr, where: Any, orders: int = 5) -> bool:
    """A derivative up to `orders` that differs from one side to the other, or values that are not finite and real."""
    with mp.workdps(200):
        h = mp.mpf(10) ** -18
        try:
            sides = [
                [numerics.value(expr, {u: where + s * (j + 1) * h}) for j in range(orders + 1)]
                for s in (1, -1)
            ]
        except (ZeroDivisionError, ValueError):
            return True
        if any(abs(mp.im(v)) > 0 or not mp.isfinite(v) for side in sides for v in side):
            return True
        right, left = sides
        for n in range(orders + 1):
            scale = 1 + abs(right[0]) / h**n
            if abs(right[0] - (-1) ** n * left[0]) / h**n > mp.mpf(10) ** -6 * scale:
                return True
            right, left = ([b - a for a, b in pairwise(side)] for side in (right, left))
        return False
