"""Analytic on an interval by ranges: every function inside is analytic at its argument, shown with exact open ends.

The argument (docs/conditions.md, "Smooth inside"): an expression is analytic on an interval if every function in it
is analytic at its argument, which is a list of conditions g > 0 or g != 0. Each is settled by the range of g over
the interval, sharpened where needed by a derivative of one sign and the limits at the ends. It is the one argument
that serves parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import Expr, Piecewise, S, oo

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.regularity.boxes import Parameters
from asymptok.regularity.domains import Requirement, short
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.factoring import factored
from asymptok.regularity.intervals import OPEN, Interval, sign_of
from asymptok.symbols import u

#: ranges shown as evidence
_SHOWN = 4
#: rounds of sharpening ranges by monotonicity
_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class RangeProof:
    """The conditions that ranges left open, and the unknown functions; a proof if there are none of either."""

    open: tuple[Requirement, ...]
    unknown: tuple[Expr, ...]
    lemmas: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.open and not self.unknown


def by_ranges(expr: Expr, parameters: Parameters, domain: Interval = OPEN) -> RangeProof:
    """Try to prove `expr` analytic on the domain for all values of the parameters.

    >>> import sympy
    >>> x = (u*(sympy.pi - sympy.acos(u)) + sympy.sqrt(1 - u**2))/sympy.pi
    >>> by_ranges(sympy.acos(x), {}).holds
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
                found = enclosure.range(factored(node)) if node == requirement.g else None
                if found is None or not found.nonzero():
                    found = monotone_range(node, parameters, domain, sharper)
                if found is not None:
                    sharper[node] = found
                    progress = True
        if not progress:
            break
    settled = list(dict.fromkeys(r.g for r in enclosure.settled))
    lemmas = [f"{short(g, 60)} in {enclosure.range(g)}" for g in settled[:_SHOWN]]
    if len(settled) > _SHOWN:
        lemmas.append(f"and {len(settled) - _SHOWN} more of the kind")
    lemmas += [f"{short(node)} has values in {r}" for node, r in sharper.items()]
    return RangeProof(tuple(enclosure.failed), tuple(enclosure.unknown), tuple(lemmas))


def _worth_sharpening(requirement: Requirement) -> list[Expr]:
    inside = [a for a in requirement.node.args if isinstance(a, Expr) and a.has(u) and a != u]
    return [*inside, requirement.g] if requirement.g not in inside and requirement.g != u else inside


# ------------------------------------------------------------------------------- by monotonicity


def monotone_range(
    g: Expr, parameters: Parameters, domain: Interval, sharper: Mapping[Expr, Interval] | None = None
) -> Interval | None:
    """(g(a), g(b)) if g is analytic inside and g' has one sign there."""
    inner = Interval(domain.lo, domain.hi, True, True)
    enclosure = Enclosure(inner, parameters)
    for node, better in (sharper or {}).items():
        enclosure.refine(node, better)
    enclosure.range(g)
    if enclosure.failed or enclosure.unknown:
        return None
    found = slope_range(g, enclosure)
    if found is None:
        return None
    low, high = limit(g, domain.lo, "+", parameters), limit(g, domain.hi, "-", parameters)
    if low is None or high is None:
        return None
    flags = (domain.lo_open, domain.hi_open)
    if found.negative():
        low, high, flags = high, low, flags[::-1]
    return Interval(low, high, flags[0] or low is -oo, flags[1] or high is oo)


def slope_range(g: Expr, enclosure: Enclosure) -> Interval | None:
    """The range of g', also in factored form, if it proves that g' has one sign."""
    if any(isinstance(node, Piecewise) for node in dag.postorder(g)):
        return None  # the derivative of a case distinction is not taken here
    try:
        slope = dag.derivative(g, u)
    except AsymptokError:
        return None
    before = len(enclosure.failed) + len(enclosure.unknown)
    for form in dict.fromkeys((slope, factored(slope))):
        found = enclosure.range(form)
        if len(enclosure.failed) + len(enclosure.unknown) == before and found.nonzero():
            return found
    return None


def limit(g: Expr, point: Expr, side: str, parameters: Parameters) -> Expr | None:
    """The limit of g at the point as an exact constant (or an infinity), None if it is not known or has parameters."""
    try:
        found = puiseux(g, u, point, side, 0, parameters=parameters)
        for term in found.terms:
            if term.exponent.is_negative or (term.exponent == 0 and term.log_power):
                if term.coefficient.free_symbols or not (sign := sign_of(term.coefficient)).known:
                    return None
                return oo if sign.positive == (term.log_power % 2 == 0) else -oo
        value = sum((t.coefficient for t in found.terms if t.exponent == 0), S.Zero)
    except AsymptokError:
        return None
    return value if not value.free_symbols else None
