"""What a kernel with singular points inside (-1, 1) is between them, and what is singular at each of them.

The kernel is one analytic function in every gap. Next to a point p it is a sum of analytic functions times
(u-p)^nu log(u-p)^j to the right, and of such functions of p - u to the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import sympy
from sympy import Add, Expr, Mul, S

from asymptok import dag
from asymptok.atlas.local import Unproved
from asymptok.atlas.pieces import Pieces, ends
from asymptok.atlas.rewriting import rewritten
from asymptok.atlas.switches import prepared
from asymptok.balls import ball
from asymptok.functions import SWITCHES
from asymptok.kernels.kernel import Kernel
from asymptok.precision import flint_precision
from asymptok.regularity import analyse
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = ["Factor", "Factored", "InnerPart", "factored", "gaps_of"]

#: bits to which [0, pi] is cut in search of the expression between two points
_CUT = 24


@dataclass(frozen=True, slots=True)
class InnerPart:
    """(side (u - location))_+^nu log(side (u - location))^log_power g."""

    location: Expr
    nu: Expr
    side: int
    g: Expr
    log_power: int = 0

    @property
    def whole(self) -> Expr:
        """The function on its side of the point."""
        x = self.side * (u - self.location)
        return x**self.nu * sympy.log(x) ** self.log_power * self.g


def gaps_of(expr: Expr) -> tuple[list[Expr], list[Expr]]:
    """The points inside, ascending, and what the kernel is between them, with what is singular at each taken out."""
    places = _places(expr)
    branches = []
    for j, branch in enumerate(_between(expr, places)):
        for i, place in enumerate(places):
            branch = _apart(branch, place, 1 if i < j else -1)
        branches.append(branch)
    return places, branches


class Factor(NamedTuple):
    """x^nu (log x)^log_power, x = side (u - location)."""

    location: Expr
    side: int
    nu: Expr
    log_power: int

    @property
    def expr(self) -> Expr:
        """The factor as an expression."""
        x = self.side * (u - self.location)
        return x**self.nu * sympy.log(x) ** self.log_power


#: products of what is singular -> the analytic rest
Factored = dict[tuple[Factor, ...], Expr]


def factored(branch: Expr, points: Sequence[tuple[Expr, int]]) -> Factored:
    """A branch as a sum of products of what is singular at points (location, side) and of something analytic."""
    found: dict[tuple[Factor, ...], Expr] = {}
    for summand in Add.make_args(branch):
        factors = []
        for place, side in points:
            nu, logs, rest = _taken_out(summand, place, side)
            if logs or not nu.is_Integer:
                factors.append(Factor(place, side, nu, logs))
                summand = rest
        key = tuple(factors)
        found[key] = found.get(key, S.Zero) + summand
    return found


def _taken_out(summand: Expr, place: Expr, side: int) -> tuple[Expr, int, Expr]:
    """(nu, j, rest) with summand = x^nu (log x)^j rest, x = side (u - p), nu the fractional powers together."""
    x, nu, logs, rest = side * (u - place), S.Zero, 0, []
    for factor in Mul.make_args(summand):
        base, exponent = factor.as_base_exp()
        if base == x and not exponent.has(u) and not exponent.is_Integer:
            nu += exponent
        elif base == sympy.log(x) and exponent.is_Integer and exponent > 0:
            logs += int(exponent)
        else:
            rest.append(factor)
    return nu, logs, Mul(*rest)


def _places(expr: Expr) -> list[Expr]:
    """All singular points inside, ascending and exact: where switches with linear arguments switch, or as analysed."""
    found = _switch_points(expr)
    if found is None:
        known = analyse(Kernel(expr))
        if known.smooth is not Truth.FALSE or not known.complete or not known.interior:
            raise Unproved("the singular points inside are not all known")
        found = {p.location for p in known.interior if p.location is not None and p.proved}
        if len(found) < len(known.interior):
            raise Unproved("where the kernel is singular inside is not known exactly")
    return sorted(found, key=lambda p: float(ball(p, prec=64).mid()))


def _switch_points(expr: Expr) -> set[Expr] | None:
    """Where |u-p|, Max(u, p), ... switch, if all switches are of this kind; else None.

    That the kernel is analytic between these points, the contour shows.
    """
    found: set[Expr] = set()
    for node in dag.postorder(prepared(rewritten(expr))):
        if not isinstance(node, SWITCHES):
            continue
        if not isinstance(node, sympy.Abs | sympy.sign | sympy.Max | sympy.Min):
            return None
        args = node.args if len(node.args) > 1 else (*node.args, S.Zero)
        for a, b in combinations(args, 2):
            difference = sympy.expand(a - b)
            if not difference.is_polynomial(u) or sympy.degree(difference, u) != 1:
                return None
            point = -difference.coeff(u, 0) / difference.coeff(u, 1)
            size = abs(ball(point, prec=128))
            if not (size < 1 or size > 1):
                return None
            found |= {point} if size < 1 else set()
    return found or None


def _between(expr: Expr, places: list[Expr]) -> list[Expr]:
    """The expressions left of the first point, between neighbours, and right of the last one.

    kappa is analytic between the points, and equal to the expression on a part of the gap at least.
    """
    pieces = Pieces(prepared(rewritten(expr))).refine(_CUT)
    balls = [ball(p, prec=128) for p in places]
    found: list[Expr | None] = [None] * (len(places) + 1)
    with flint_precision(128):
        for piece in pieces:
            if piece.expr is None:
                continue
            low, high = ends(piece.low, piece.high)
            middle = (low + high) / 2
            if any(p.overlaps(middle) for p in balls):
                continue
            gap = sum(bool(p < middle) for p in balls)
            found[gap] = piece.expr if found[gap] is None else found[gap]
    if any(f is None for f in found):
        raise Unproved("the kernel between two singular points is not found")
    return [f for f in found if f is not None]


def _apart(branch: Expr, place: Expr, side: int) -> Expr:
    """The branch on its side of p with x = side (u - p) taken out of polynomials p = x^m q, q > 0 next to the point:
    p^e = x^(me) q^e and log p = m log x + log q.
    """
    x = side * (u - place)
    replaced: dict[Expr, Expr] = {}
    branch = _with_roots(branch, place)
    for node in dag.postorder(branch):
        power = node.is_Pow and node.exp.is_Rational and not node.exp.is_Integer
        if not (power or (node.func is sympy.log and len(node.args) == 1)):
            continue
        m, rest = 0, node.args[0]
        while rest.is_polynomial(u) and rest.has(u) and sympy.expand(rest.subs(u, place)) == 0:
            m, rest = m + 1, sympy.quo(rest, x, u)
        if m and ball(rest.subs(u, place), prec=128) > 0:
            replaced[node] = (
                x ** (m * node.exp) * rest**node.exp if power else m * sympy.log(x) + sympy.log(rest)
            )
    found = dag.rebuild(branch, replaced) if replaced else branch
    if any(new.is_Add for new in replaced.values()):
        found = sympy.expand_multinomial(found)
    return sympy.expand_mul(found)


def _with_roots(branch: Expr, place: Expr) -> Expr:
    """Inverse sines and cosines with their root at p written out: acos(N) = 2 asin(sqrt((1-N)/2)) where N = 1."""
    replaced: dict[Expr, Expr] = {}
    for node in dag.postorder(branch):
        if not (isinstance(node, sympy.acos | sympy.asin) and node.args[0].is_polynomial(u)):
            continue
        end = sympy.expand(node.args[0].subs(u, place))
        if node.has(u) and end in (1, -1):
            # the angle from the end: acos(N), or pi - acos(N)
            angle = 2 * sympy.asin(sympy.sqrt(sympy.expand((1 - end * node.args[0]) / 2)))
            cosine = angle if end == 1 else sympy.pi - angle
            replaced[node] = cosine if isinstance(node, sympy.acos) else sympy.pi / 2 - cosine
    return dag.rebuild(branch, replaced) if replaced else branch
