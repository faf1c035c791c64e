"""The terms of an expansion in their order, as far as the ranges of the parameters settle it."""

from __future__ import annotations

from flint import fmpq
from sympy import pi, sin, sstr

from asymptok.constants.advice import integer_advice
from asymptok.constants.domain import Domain
from asymptok.constants.exponents import Form, Ranges, exponent_to_expr, form_sub
from asymptok.errors import Undecided
from asymptok.quantities import Element
from asymptok.series.truncated import Series
from asymptok.truth import Truth

__all__ = ["RawTerm", "ascending", "dominant", "is_polynomial"]

#: coefficient of the domain, symbolic part and rational part of the exponent, power of the logarithm
RawTerm = tuple[Element, Form, fmpq, int]


def ascending(ranges: Ranges, terms: list[RawTerm]) -> tuple[list[RawTerm], list[RawTerm]]:
    """The terms that lie below all later ones whatever the parameters, ascending; and those that none leads."""
    left = list(terms)
    if not any(term[1] for term in left):
        return sorted(left, key=lambda term: (term[2], -term[3])), []
    found: list[RawTerm] = []
    while left:
        least = next((a for a in left if all(_precedes(ranges, a, b) for b in left if b is not a)), None)
        if least is None:
            break
        found.append(least)
        left.remove(least)
    return found, left


def dominant(dom: Domain, terms: list[RawTerm]) -> RawTerm | None:
    """The lowest exponent, with the highest power of the logarithm; a term that is zero needs no place.

    Those that some other leads are put aside, and need no order among themselves.
    """
    ranges = dom.ranges
    front: list[RawTerm] = []
    for term in terms:
        if not any(_precedes(ranges, other, term) for other in front):
            front = [other for other in front if not _precedes(ranges, term, other)] + [term]
    if len(front) > 1:
        zeros = [term for term in front if dom.is_zero(term[0]) is Truth.TRUE]
        if zeros:
            return dominant(dom, [term for term in terms if term not in zeros])
        raise ranges.undecided_order(front[1][1:3], front[0][1:3])
    return front[0] if front else None


def _precedes(ranges: Ranges, a: RawTerm, b: RawTerm) -> bool:
    """Whether a comes before b for every value of the parameters."""
    order = ranges.sign(form_sub(b[1], a[1]), b[2] - a[2])
    return order.positive or (order.zero and a[3] >= b[3])


def is_polynomial(series: Series, term: RawTerm) -> bool:
    """A whole non-negative exponent without a logarithm; a symbolic one must be settled by its range."""
    _, form, rest, j = term
    if j:
        return False
    if not form:
        return bool(rest.q == 1 and rest >= 0)
    exponent = exponent_to_expr(form, rest)
    if exponent.is_integer is False or series.dom.ranges.no_integer(form, rest):
        return False
    if exponent.is_integer:
        return True
    raise Undecided(
        f"cannot decide whether the exponent {sstr(exponent)} is an integer",
        exponent,
        lambda: integer_advice(form, rest, series.dom.ranges),
        sin(pi * exponent),
    )
