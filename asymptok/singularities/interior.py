"""Is kappa analytic on (-1, 1)? Ranges with open ends first, then monotonicity, exact roots and subdivision.

The argument (docs/conditions.md, "Smooth inside"): an expression is analytic on an interval if every function in it is
analytic at its argument, which is a list of conditions g > 0 or g != 0. Each is settled, in this order, by the range
of g over the open interval, by a derivative of one sign and the limits at the ends, by the roots of a polynomial, or by
subdivision in ball arithmetic with open ranges on the two end cells.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import ComplexRootOf, Expr, Poly, PolynomialError, Rational, S

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.series.exact import ExactDomain
from asymptok.series.exponents import Ranges
from asymptok.singularities.domains import POSITIVE, Requirement, short
from asymptok.singularities.enclosure import Enclosure
from asymptok.singularities.equations import solve
from asymptok.singularities.intervals import Interval, end_ball, sign_of
from asymptok.singularities.monotone import Parameters, monotone_range
from asymptok.singularities.subdivision import Verdict, by_subdivision
from asymptok.symbols import u
from asymptok.truth import Truth

OPEN = Interval(S.NegativeOne, S.One, True, True)
CLOSED = Interval(S.NegativeOne, S.One)

#: ranges shown as evidence
_SHOWN = 4
#: rounds of sharpening ranges by monotonicity
_ROUNDS = 8
#: degree up to which the roots of a polynomial are isolated exactly
_MAX_DEGREE = 40
#: half the width of the bracket of a root without a closed form
_ROOT_WIDTH = Rational(1, 2**70)


@dataclass
class Proof:
    """The verdicts on all requirements that ranges alone did not settle, and the functions nobody knows."""

    verdicts: list[Verdict]
    unknown: list[Expr]
    lemmas: list[str]

    @property
    def holds(self) -> bool:
        return not self.unknown and all(v.holds is Truth.TRUE for v in self.verdicts)


def prove_analytic(expr: Expr, parameters: Parameters, domain: Interval = OPEN) -> Proof:
    """Try to prove `expr` analytic on the domain for all values of the parameters.

    >>> x = (u*(sympy.pi - sympy.acos(u)) + sympy.sqrt(1 - u**2))/sympy.pi
    >>> prove_analytic(sympy.acos(x), {}).holds
    True
    """
    sharper: dict[Expr, Interval] = {}
    tried: set[Expr] = set()
    for _ in range(_ROUNDS):
        enclosure = Enclosure(domain, parameters)
        for node, better in sharper.items():
            enclosure.refine(node, better)
        enclosure.range(expr)
        if not enclosure.failed:
            break
        progress = False
        for requirement in enclosure.failed:
            for node in _worth_sharpening(requirement):
                if node in tried:
                    continue
                tried.add(node)
                found = monotone_range(node, parameters, domain, sharper)
                if found is not None:
                    sharper[node] = found
                    progress = True
        if not progress:
            break
    verdicts = [settle(r, parameters, domain) for r in enclosure.failed]
    lemmas = [f"{short(r.g, 60)} in {enclosure.range(r.g)}" for r in enclosure.settled[:_SHOWN]]
    if len(enclosure.settled) > _SHOWN:
        lemmas.append(f"and {len(enclosure.settled) - _SHOWN} more of the kind")
    lemmas += [f"{short(node)} is strictly monotone with values in {r}" for node, r in sharper.items()]
    return Proof(verdicts, enclosure.unknown, lemmas)


def _worth_sharpening(requirement: Requirement) -> list[Expr]:
    inside = [a for a in requirement.node.args if isinstance(a, Expr) and a.has(u) and a != u]
    return [*inside, requirement.g] if requirement.g not in inside and requirement.g != u else inside


# ------------------------------------------------------------------------------------------ one requirement


def settle(requirement: Requirement, parameters: Parameters, domain: Interval) -> Verdict:
    """Decide g > 0 or g != 0 on the interval by the means that ranges do not have."""
    g = requirement.g
    exact = _by_polynomial(requirement, domain)
    if exact is not None:
        return exact
    if dag.free_symbols(g) - {u}:
        return _with_parameters(requirement, parameters, domain)
    if not g.has(u):
        sign = sign_of(g)
        fails = sign == 0 or (sign == -1 and requirement.relation == POSITIVE)
        return Verdict(
            requirement, Truth.FALSE if fails else Truth.UNKNOWN, f"{short(g)} does not depend on u"
        )
    return by_subdivision(requirement, domain)


def _by_polynomial(requirement: Requirement, domain: Interval) -> Verdict | None:
    """The roots of a polynomial with rational coefficients, all found."""
    g = requirement.g
    if dag.free_symbols(g) != {u} or not g.is_polynomial(u):
        return None
    try:
        polynomial = Poly(g, u)
    except PolynomialError:
        return None
    if polynomial.degree() > _MAX_DEGREE or not all(c.is_Rational for c in polynomial.all_coeffs()):
        return None
    roots = [r for r in dict.fromkeys(polynomial.real_roots()) if _inside(_nearby(r), domain)]
    marks = [domain.lo, *map(_nearby, roots), domain.hi]
    negative = []
    for a, b in pairwise(marks):
        middle = _between(a, b)
        if middle is not None and polynomial.eval(middle) < 0:
            negative.append((a, b))
    fails = bool(roots) or (requirement.relation == POSITIVE and bool(negative))
    verdict = Verdict(requirement, Truth.FALSE if fails else Truth.TRUE, "the roots of the polynomial")
    for root in roots:
        if isinstance(root, ComplexRootOf):
            near = root.eval_rational(_ROOT_WIDTH / 4)
            verdict.brackets.append((near - _ROOT_WIDTH, near + _ROOT_WIDTH))
        else:
            verdict.roots.append(root)
    if requirement.relation == POSITIVE:
        verdict.violated = negative
    return verdict


def _nearby(root: Expr) -> Expr:
    """The root, or a rational so close to it that both lie on the same side of every end in use."""
    return root.eval_rational(_ROOT_WIDTH / 4) if isinstance(root, ComplexRootOf) else root


def _inside(x: Expr, domain: Interval) -> bool:
    below, above = sign_of(x - domain.lo), sign_of(domain.hi - x)
    left = below == 1 or (below == 0 and not domain.lo_open)
    return left and (above == 1 or (above == 0 and not domain.hi_open))


def _between(a: Expr, b: Expr) -> Rational | None:
    if a == b:
        return None
    x, y = end_ball(a), end_ball(b)
    if not x < y:
        return None
    middle = ((x.upper() + y.lower()) / 2).mid()
    exact = middle.fmpq()
    return Rational(int(exact.p), int(exact.q))


def _with_parameters(requirement: Requirement, parameters: Parameters, domain: Interval) -> Verdict:
    """Factored forms, and for g affine in u the values at the two ends."""
    g = requirement.g
    try:
        candidates = [sympy.factor(g)] if g.is_polynomial(u, *parameters) else []
        degree = sympy.degree(g, u) if g.is_polynomial(u) else None
    except (PolynomialError, ValueError):
        candidates, degree = [], None
    for form in candidates:
        found = Enclosure(domain, parameters).range(form)
        if found.positive() or (requirement.relation != POSITIVE and found.negative()):
            return Verdict(requirement, Truth.TRUE, f"{short(form)} has one sign")
    if degree == 1:
        signs = [sign_with_parameters(g.subs(u, end), parameters) for end in (domain.lo, domain.hi)]
        # affine in u: between the ends g lies strictly between its values there
        allowed = (0, 1) if domain.lo_open and domain.hi_open else (1,)
        for flip in (1, -1):
            flipped = [None if s is None else flip * s for s in signs]
            if flip == -1 and requirement.relation == POSITIVE:
                break
            if all(s in allowed for s in flipped) and 1 in flipped:
                return Verdict(requirement, Truth.TRUE, "affine in u, with one sign at both ends")
    return _root_with_parameters(requirement, parameters, domain)


def _root_with_parameters(requirement: Requirement, parameters: Parameters, domain: Interval) -> Verdict:
    """A root that lies inside for all parameters refutes."""
    verdict = Verdict(requirement, Truth.UNKNOWN)
    for root in solve(requirement.g).values:
        if root.is_real is False:
            continue
        low = sign_with_parameters(root - domain.lo, parameters)
        high = sign_with_parameters(domain.hi - root, parameters)
        if low == 1 and high == 1:
            verdict.holds = Truth.FALSE
            verdict.roots.append(root)
    return verdict


def sign_with_parameters(expr: Expr, parameters: Parameters) -> int | None:
    """The sign of a constant with parameters, if it is the same for all their values."""
    if not expr.free_symbols:
        return sign_of(expr)
    forms = [expr]
    with suppress(PolynomialError, ValueError):
        forms.append(sympy.factor(expr))
    for form in forms:
        found = Enclosure(OPEN, parameters).range(form)
        if found.positive():
            return 1
        if found.negative():
            return -1
    try:
        dom = ExactDomain(Ranges(dict(parameters)))
        return dom.sign(dom.constant(expr))
    except AsymptokError:
        return None
