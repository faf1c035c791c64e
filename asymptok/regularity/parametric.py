"""Kernels with parameters: conditions settled one by one, for all values of the parameters at once.

There are no balls here, only ranges, factored forms and roots in closed form. A condition g != 0 is settled if g
has one sign, or if all its zeros in (-1, 1) are known exactly; then the kernel is analytic between them, and each
of them is looked at with expansions that hold for all values of the parameters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy
from sympy import Expr

from asymptok.constants import decide
from asymptok.functions import record_of
from asymptok.regularity.domains import POSITIVE, Requirement, short
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.equations import solve
from asymptok.regularity.factoring import factored
from asymptok.regularity.intervals import Interval, sign_of
from asymptok.regularity.monotone import Parameters
from asymptok.regularity.points import InteriorPoint, analytic_at, classify
from asymptok.regularity.quotients import with_quotients
from asymptok.regularity.ranges import OPEN, by_ranges
from asymptok.symbols import u
from asymptok.truth import Sign, Truth


@dataclass(frozen=True, slots=True)
class Settled:
    """One condition: true everywhere (no roots), or false exactly at the roots; `complete` if these are all."""

    requirement: Requirement
    roots: tuple[Expr, ...]
    complete: bool
    how: str


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
    settled = [settle(r, parameters, domain) for r in found.open]
    roots = list(dict.fromkeys(root for s in settled for root in s.roots))
    doubts = [str(s.requirement) for s in settled if not s.complete]
    doubts += [f"nothing is known about {short(node)}" for node in found.unknown]
    points: list[InteriorPoint] = []
    for root in roots:
        sides = "+-"
        if root == domain.lo or root == domain.hi:
            sides = "+" if root == domain.lo else "-"
        if not any(analytic_at(form, root, parameters, sides) for form in (expr, with_quotients(expr))):
            points.append(classify(expr, root, parameters))
    if any(p.proved for p in points):
        return ParametricProof(Truth.FALSE, tuple(points), (), tuple(doubts))
    if points or doubts:
        return ParametricProof(Truth.UNKNOWN, tuple(points), (), tuple(doubts))
    reasons += [f"{s.requirement}: {s.how}" for s in settled]
    reasons += [f"removable at u = {sympy.sstr(root)}" for root in roots]
    return ParametricProof(Truth.TRUE, (), tuple(reasons), ())


def settle(requirement: Requirement, parameters: Parameters, domain: Interval) -> Settled:
    """Decide g > 0 or g != 0 on the interval by factored forms, by the ends of an affine g, or by its roots."""
    g = requirement.g
    record = record_of(g.func)
    rule = record.monotone(g) if record is not None and len(g.args) == 1 else None
    if rule is not None and rule.sign == 1 and g.func(sympy.S.Zero) == 0:
        # sinh, tanh, atan, erf have the sign of their argument
        inner = settle(Requirement(requirement.node, g.args[0], requirement.relation), parameters, domain)
        return replace(inner, requirement=requirement)
    for form in _forms(g, parameters):
        found = Enclosure(domain, parameters).range(form)
        if found.positive() or (requirement.relation != POSITIVE and found.negative()):
            return Settled(requirement, (), True, f"{short(form)} has one sign")
    for form in _forms(g, parameters) or [g]:
        sign = _sign_of_product(form, parameters, domain)
        if sign.positive or (requirement.relation != POSITIVE and sign.negative):
            how = "a product of factors " if form.is_Mul else ""
            return Settled(requirement, (), True, f"{how}affine in u, with one sign at both ends")
    ends = [end for end, is_open in ((domain.lo, domain.lo_open), (domain.hi, domain.hi_open)) if not is_open]
    if ends or not g.is_polynomial(u):
        # u is one more parameter, in its open interval; ends that belong to the domain are asked for by themselves
        sign = sign_with_parameters(g, {**parameters, u: (domain.lo, domain.hi)}, enclose=False)
        alike = all(sign_with_parameters(g.subs(u, end), parameters) is sign for end in ends)
        if alike and (sign.positive or (sign.negative and requirement.relation != POSITIVE)):
            return Settled(requirement, (), True, f"{short(g)} has one sign")
    return _by_roots(requirement, parameters, domain)


def _forms(g: Expr, parameters: Parameters) -> list[Expr]:
    return [factored(g)] if g.is_polynomial(u, *parameters) else []


def _sign_of_product(g: Expr, parameters: Parameters, domain: Interval) -> Sign:
    """By the signs of factors that are affine in u: between the ends they lie strictly between their values there."""
    total = Sign.POSITIVE
    for base, exponent in (factor.as_base_exp() for factor in sympy.Mul.make_args(g)):
        if not (base.is_polynomial(u) and sympy.degree(base, u) <= 1 and exponent.is_Integer):
            return Sign.UNKNOWN
        signs = {sign_with_parameters(base.subs(u, end), parameters) for end in (domain.lo, domain.hi)}
        if domain.lo_open and domain.hi_open and len(signs) == 2:
            signs -= {Sign.ZERO}
        (sign,) = signs if len(signs) == 1 else {Sign.UNKNOWN}
        if not sign.nonzero:
            return Sign.UNKNOWN
        total = total * sign if exponent % 2 else total
    return total


def _by_roots(requirement: Requirement, parameters: Parameters, domain: Interval) -> Settled:
    """Every zero of g, each of them inside for all parameters or outside for all; g > 0 is not settled by them."""
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
    return Settled(requirement, tuple(inside), complete, "its zeros are known")


def _degree_is_fixed(g: Expr, parameters: Parameters) -> bool:
    if not g.is_polynomial(u):
        return False
    leading = sympy.Poly(g, u).LC()
    return sign_with_parameters(leading, parameters).nonzero


def sign_with_parameters(expr: Expr, parameters: Parameters, enclose: bool = True) -> Sign:
    """The sign of a constant with parameters, if it is the same for all their values."""
    if not expr.free_symbols:
        return sign_of(expr)
    for form in dict.fromkeys((expr, factored(expr))) if enclose else ():
        found = Enclosure(OPEN, parameters).range(form)
        if found.positive():
            return Sign.POSITIVE
        if found.negative():
            return Sign.NEGATIVE
    return decide.sign(expr, parameters)
