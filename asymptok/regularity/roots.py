"""A root known by a change of sign: unique in its bracket, without a closed form, and what the germs say there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import Expr, Integer, Rational

from asymptok import dag
from asymptok.precision import flint_precision
from asymptok.regularity.cells import CellTest
from asymptok.regularity.germ import Side
from asymptok.regularity.model import FinerGrid, Model, NotShown
from asymptok.regularity.points import InteriorPoint
from asymptok.symbols import u

#: bits to which a root is narrowed, and of the arithmetic with it
_NARROW, _BITS = 160, 256
_FINEST = 6


@dataclass(frozen=True, slots=True)
class Root:
    """The only zero of g in [low, high]; g' does not vanish there."""

    g: Expr
    low: Rational
    high: Rational

    def ball(self) -> Any:
        with flint_precision(_BITS):
            low, high = (arb(fmpq(int(x.p), int(x.q))) for x in (self.low, self.high))
            return low.union(high)

    def zeros(self) -> dict[Expr, int]:
        """What is known to vanish there, with the order: g, its multiples, and the factor of it that depends on u."""
        factor, rest = self.g.as_independent(u, as_Add=False)
        return {self.g: 1, -self.g: 1, rest: 1, -rest: 1, sympy.expand_mul(factor * rest): 1}

    def values(self) -> dict[Expr, Any]:
        """F(u0) = -b/a where g = a F + b with rational a and b: erf(u) is exactly 1/2 at the root of erf(u) - 1/2."""
        b, rest = self.g.as_independent(u, as_Add=True)
        a, inner = rest.as_independent(u, as_Add=False)
        if rest.is_Add or inner == u or not (a.is_Rational and b.is_Rational):
            return {}
        value = -b / a
        return {inner: arb(fmpq(int(value.p), int(value.q)))}

    def __str__(self) -> str:
        return f"{sympy.N((self.low + self.high) / 2, 15)}..."


def isolate(g: Expr, a: Rational, b: Rational) -> Root | None:
    """The root of g in or next to [a, b], if g is analytic there, monotone, and changes its sign.

    >>> root = isolate(sympy.cos(u) - u, Rational(7, 10), Rational(8, 10))
    >>> print(root)
    0.739085133215161...
    """
    wide = b - a
    low, high = max(a - wide, Rational(-1)), min(b + wide, Rational(1))
    test = CellTest(g)
    if not test.holds(low, high):
        return None
    try:
        slope = dag.derivative(g, u)
    except (
        AttributeError,
        TypeError,
        ValueError,
        NotImplementedError,
    ):  # SymPy has no derivative of a function
        return None
    inclination = CellTest(slope).value(slope, low, high)
    if not (isinstance(inclination, arb) and (inclination > 0 or inclination < 0)):
        return None
    left, right = (test.value(g, x, x, _BITS) for x in (low, high))
    if not ((left > 0 and right < 0) or (left < 0 and right > 0)):
        return None
    rising = bool(left < 0)
    while high - low > Rational(1, 2**_NARROW):
        middle = (low + high) / 2
        value = test.value(g, middle, middle, _BITS)
        if value > 0 or value < 0:
            low, high = (middle, high) if bool(value < 0) == rising else (low, middle)
        else:
            break
    return Root(g, low, high)


def classify_root(expr: Expr, root: Root, radius: Rational) -> InteriorPoint | None:
    """The singularity of `expr` at the root, if the germs from both sides prove one."""
    grid = 1
    while True:
        try:
            with flint_precision(_BITS):
                r = arb(fmpq(int(radius.p), int(radius.q)))
                r = r if grid == 1 else r.root(grid).upper()
                sides = [Side(None, s, r, grid, root.ball(), root.zeros(), root.values()) for s in (1, -1)]
                models = [side.germ(expr).model for side in sides]
                if None in models:
                    return None
                return _compare(root, grid, models[0].normal(), models[1].normal())  # type: ignore[union-attr]
        except FinerGrid as finer:
            grid *= finer.factor
            if grid > _FINEST:
                return None
        except NotShown:
            return None


def _compare(root: Root, grid: int, right: Model, left: Model) -> InteriorPoint | None:
    """A pole, a fractional power or a jump of a derivative whose coefficient is proved not to vanish."""
    for j in range(min(right.order, left.order), min(right.order + right.length, left.order + left.length)):
        a, b = left.coefficient(j), right.coefficient(j)
        if j < 0 or j % grid:
            if a.contains(0) and b.contains(0):
                if not (a.is_zero() and b.is_zero()):
                    return None  # it may vanish, and may not
                continue
            nu = Rational(j, grid)
            kind = "pole" if j < 0 and nu.is_Integer else "branch point"
            reason = f"unbounded like |u - u0|^({nu})" if j < 0 else f"|u - u0|^({nu})"
            return _point(root, kind, nu, reason)
        power = j // grid
        difference = b - (-1) ** power * a
        if not difference.contains(0):
            kind = "kink" if power else "jump"
            what = f"the derivative of order {power} jumps" if power else "the value jumps"
            return _point(root, kind, Integer(power), what)
    return None


def _point(root: Root, kind: str, nu: Expr, reason: str) -> InteriorPoint:
    where = f"{reason}, where {sympy.sstr(root.g)[:80]} = 0"
    return InteriorPoint(None, (root.low, root.high), kind, nu, None, None, True, where)
