"""A kernel with singular points inside as a base and functions on one side of a point each (`inside`).

The decomposition is linear: summands with roots or logarithms of the distance to a point run from it to both ends, and
the rest of the kernel keeps a branch that goes on through all points.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Add, Expr, S

from asymptok import dag
from asymptok.balls import ball, complex_ball
from asymptok.spectrum.contour.branches import InnerPart, branches_of, jumps_from
from asymptok.spectrum.contour.core import kernel_program
from asymptok.spectrum.contour.rough import RoughFunction, is_rough
from asymptok.spectrum.local import Unproved
from asymptok.symbols import u

__all__ = ["is_regular", "parts_of", "told"]


def parts_of(expr: Expr, order: int) -> tuple[Expr, list[InnerPart]]:
    """The base, and the functions that begin or end at the points inside."""
    places, smooth, parts = branches_of(expr)
    # x^nu g with powers of x in g is one function of them
    parts = [replace(p, nu=S.Zero, g=p.whole) if is_rough(p) else p for p in parts]
    _require_regular(parts)
    base: Expr = S.Zero
    sums: dict[tuple[Expr, int], Expr] = {}
    for group in _by_points(places, smooth):
        rest, inner = _of_group(places, group, order)
        base += rest
        for part in inner:
            key = (part.location, part.side)
            sums[key] = sums.get(key, S.Zero) + part.g
    return base, [*parts, *(InnerPart(place, S.Zero, side, g) for (place, side), g in sums.items() if g != 0)]


def _by_points(places: list[Expr], smooth: list[Expr]) -> list[list[Expr]]:
    """The branches as sums of branches, by the points at which summands have roots or logarithms, or are infinite.

    sqrt(1+u) beside exp(-|u-p|^(1/3)) belongs to the base, though the other runs from p to both ends.
    """
    found: dict[frozenset[Expr], list[Expr]] = {}
    for j, branch in enumerate(smooth):
        for f in Add.make_args(branch):
            key = frozenset(p for p in places if _has_root_at(f, p) or _is_pole(f, p))
            found.setdefault(key, [S.Zero] * len(smooth))[j] += f
    return list(found.values())


def _has_root_at(f: Expr, place: Expr) -> bool:
    return any(is_rough(InnerPart(place, S.Zero, side, f), here=True) for side in (1, -1))


def _is_pole(f: Expr, place: Expr) -> bool:
    """Whether f may be infinite at p; where its real value ends the complex one goes on."""
    return not complex_ball(f, {u: ball(place)}).is_finite()


def _of_group(places: list[Expr], smooth: list[Expr], order: int) -> tuple[Expr, list[InnerPart]]:
    """The base of these branches, and what is added on one side of each point."""
    # powers and logarithms of the distance to the point left of a gap, and to the one right of it
    left = [j > 0 and _has_root_at(f, places[j - 1]) for j, f in enumerate(smooth)]
    right = [j < len(places) and _has_root_at(f, places[j]) for j, f in enumerate(smooth)]
    blame: Unproved | None = None
    for base in range(len(smooth)):
        # a function is continued away from the base, and so across the points beyond its own
        if any(left[: base + 1]) or any(right[base:]):
            continue
        jumps = jumps_from(places, smooth, base)
        try:
            _require_regular(jumps)
        except Unproved as error:
            blame = blame or error
            continue
        return smooth[base], jumps
    for pivot in range(len(places)):
        if (left[pivot + 1] or right[pivot]) and not (any(left[: pivot + 1]) or any(right[pivot + 1 :])):
            return _around(pivot, places, smooth, order)
    shown = " and ".join(map(str, places))
    raise blame or Unproved(f"a function with roots or logarithms of the distances to both u = {shown}")


def _around(pivot: int, places: list[Expr], smooth: list[Expr], order: int) -> tuple[Expr, list[InnerPart]]:
    """Both sides of a point run from it to the ends; the base is a polynomial: what their series have in common."""
    place = places[pivot]
    sides = [InnerPart(place, S.Zero, 1, smooth[pivot + 1]), InnerPart(place, S.Zero, -1, smooth[pivot])]
    series = [
        {
            t.exponent: t.coefficient * part.side**t.exponent
            for t in RoughFunction(part, order).terms
            if t.exponent.is_Integer and not t.log_power
        }
        for part in sides
    ]
    base = Add(*(c * (u - place) ** n for n, c in series[0].items() if c == series[1].get(n)))
    inner = [InnerPart(place, S.Zero, part.side, part.g - base) for part in sides]
    others = [*jumps_from(places[pivot + 1 :], smooth[pivot + 1 :], 0)]
    others += jumps_from(places[:pivot], smooth[: pivot + 1], pivot)
    _require_regular(others)
    return base, [*inner, *others]


def told(part: InnerPart, error: Unproved) -> Unproved:
    """The reason with the point and the function that it speaks of."""
    where = f"{'right' if part.side == 1 else 'left'} of u = {part.location}"
    shown = Add(*(f for f in Add.make_args(part.whole) if not f.is_polynomial(u))) or part.whole
    return Unproved(f"{dag.brief(shown)} {where}: {error}", error.kind)


def _require_regular(parts: list[InnerPart]) -> None:
    """Unproved unless every function that begins inside is analytic at the end to which it runs."""
    for part in parts:
        if not (is_rough(part) or is_regular(part)):
            raise told(part, Unproved(f"not shown to be analytic at u = {part.side}, to which it runs"))


def is_regular(part: InnerPart) -> bool:
    """Whether g is analytic at the end to which the part runs."""
    if part.g.is_polynomial(u):
        return True
    try:
        return kernel_program(part.g).grids[0 if part.side == 1 else 1] == 1
    except Unproved:
        return False
