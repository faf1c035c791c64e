"""Analytic on an interval by ranges: every function inside is analytic at its argument, shown with exact open ends.

The argument (docs/conditions.md, "Smooth inside"): an expression is analytic on an interval if every function in it
is analytic at its argument, which is a list of conditions g > 0 or g != 0. Each is settled by the range of g over
the interval, sharpened where needed by a derivative of one sign and the limits at the ends. It is the one argument
that serves parameters.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, S

from asymptok.regularity.domains import Requirement, short
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.intervals import Interval
from asymptok.regularity.monotone import Parameters, monotone_range
from asymptok.symbols import u

OPEN = Interval(S.NegativeOne, S.One, True, True)
CLOSED = Interval(S.NegativeOne, S.One)

#: ranges shown as evidence
_SHOWN = 4
#: rounds of sharpening ranges by monotonicity
_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class RangeProof:
    """The conditions that ranges left open, and the functions nobody knows; a proof if there are none of either."""

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
    lemmas += [f"{short(node)} is strictly monotone with values in {r}" for node, r in sharper.items()]
    return RangeProof(tuple(enclosure.failed), tuple(enclosure.unknown), tuple(lemmas))


def _worth_sharpening(requirement: Requirement) -> list[Expr]:
    inside = [a for a in requirement.node.args if isinstance(a, Expr) and a.has(u) and a != u]
    return [*inside, requirement.g] if requirement.g not in inside and requirement.g != u else inside
