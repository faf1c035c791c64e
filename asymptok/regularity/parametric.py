"""Kernels with parameters: conditions settled one by one, for all values of the parameters at once.

There are no balls here, only ranges, factored forms and roots in closed form. A condition g != 0 is settled if g
has one sign, or if all its zeros in (-1, 1) are known exactly; then the kernel is analytic between them, and each
of them is looked at with expansions that hold for all values of the parameters.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Expr

from asymptok.regularity.boxes import Parameters
from asymptok.regularity.domains import POSITIVE, Requirement, short
from asymptok.regularity.equations import solve
from asymptok.regularity.intervals import OPEN, Interval
from asymptok.regularity.local import is_analytic
from asymptok.regularity.points import InteriorPoint, classify
from asymptok.regularity.ranges import by_ranges
from asymptok.regularity.signs import Signs, sign_with_parameters
from asymptok.symbols import u
from asymptok.truth import Truth


@dataclass(frozen=True, slots=True)
class ParametricProof:
    """What is known of the kernel on the domain, for all values of the parameters."""

    holds: Truth
    points: tuple[InteriorPoint, ...]
    reasons: tuple[str, ...]
    doubts: tuple[str, ...]


def prove_with_parameters(expr: Expr, parameters: Parameters, domain: Interval = OPEN) -> ParametricProof:
    """Analytic on the domain, singular at a point of it, or neither shown.

    >>> from sympy import Symbol
    >>> c = Symbol("c", positive=True)
    >>> prove_with_parameters(sympy.sin(c*u)/(c*u), {c: (sympy.S(0), sympy.oo)}).holds
    TRUE
    """
    found = by_ranges(expr, parameters, domain)
    reasons = ["every function inside is analytic at its argument", *found.lemmas]
    if found.holds:
        return ParametricProof(Truth.TRUE, (), tuple(reasons), ())
    signs = Signs(parameters, domain)
    doubts = [f"nothing is known about {short(node)}" for node in found.unknown]
    roots: dict[Expr, None] = {}
    for requirement in found.open:
        sign = signs.of(requirement.g, domain)
        if sign.positive or (sign.negative and requirement.relation != POSITIVE):
            reasons.append(f"{requirement}: it has one sign")
            continue
        inside, complete = _roots(requirement, parameters, domain)
        roots.update(dict.fromkeys(inside))
        if complete:
            reasons.append(f"{requirement}: its zeros are known")
        else:
            doubts.insert(0, str(requirement))
    points: list[InteriorPoint] = []
    for root in roots:
        sides = "+-"
        if root == domain.lo or root == domain.hi:
            sides = "+" if root == domain.lo else "-"
        if not is_analytic(expr, root, parameters, sides):
            points.append(classify(expr, root, parameters))
    if any(p.proved for p in points):
        return ParametricProof(Truth.FALSE, tuple(points), (), tuple(doubts))
    if points or doubts:
        return ParametricProof(Truth.UNKNOWN, tuple(points), (), tuple(doubts))
    reasons += [f"removable at u = {sympy.sstr(root)}" for root in roots]
    return ParametricProof(Truth.TRUE, (), tuple(reasons), ())


def _roots(requirement: Requirement, parameters: Parameters, domain: Interval) -> tuple[list[Expr], bool]:
    """Every zero of g, each inside for all parameters or outside for all, and whether that settles the condition."""
    found = solve(requirement.g)
    inside: list[Expr] = []
    complete = found.complete and not found.periodic and requirement.relation != POSITIVE
    # solutions are those for generic parameters: a leading coefficient must not vanish for special ones
    complete = complete and _degree_is_fixed(requirement.g, parameters)
    for root in found.values:
        if root.is_real is False:
            continue
        low = sign_with_parameters(root - domain.lo, parameters)
        high = sign_with_parameters(domain.hi - root, parameters)
        beyond_low = low.negative or (low.zero and domain.lo_open)
        beyond_high = high.negative or (high.zero and domain.hi_open)
        if beyond_low or beyond_high:
            continue
        if not low.known or not high.known or root.is_real is None:
            complete = False
        else:
            inside.append(root)
    return inside, complete


def _degree_is_fixed(g: Expr, parameters: Parameters) -> bool:
    if not g.is_polynomial(u):
        return False
    leading = sympy.Poly(g, u).LC()
    return sign_with_parameters(leading, parameters).nonzero
