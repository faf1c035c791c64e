"""Ranges by monotonicity: a derivative of one sign makes the limits at the ends the range."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Piecewise, S, Symbol, oo

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.factoring import factored
from asymptok.regularity.intervals import Interval, sign_of
from asymptok.symbols import u

Parameters = Mapping[Symbol, tuple[Expr, Expr]]


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
