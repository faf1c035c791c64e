"""Expansions as formulas whose long constants bear the names of a table or a page."""

from __future__ import annotations

from asymptok.expansion import Expansion
from asymptok.show.blocks import Line
from asymptok.show.coefficients import Names, constant, printable
from asymptok.show.expansion import expansion_formula as formula_of
from asymptok.show.expansion import layout, leading_terms, long_name, term_power
from asymptok.show.formula import Formula, Piece
from asymptok.show.naming import in_factors

__all__ = ["coefficient_of", "definitions", "expansion_formula"]

#: characters of a coefficient in an expansion of a table
_LONGEST = 160


def coefficient_of(expansion: Expansion, j: int, label: str) -> Line:
    """What the coefficient of the term j is, in words."""
    power = Formula((Piece("", (term_power(expansion, j),)),))
    return ("the coefficient of ", power, f" at {expansion.at:+d} of {label} (in full in the csv)")


def expansion_formula(
    expansion: Expansion,
    leading: bool = False,
    names: Names | None = None,
    exact: bool = False,
    label: str = "the kernel",
) -> Formula:
    """The expansion with its O-term; with `leading` only up to the first term that is no polynomial.

    The constants of deep networks bear their names, unless `exact` asks for every one in full; with `names`, those too
    long for a cell bear one too, with what they are, and the kernel's `label`.

    >>> from asymptok import expand, kernels
    >>> print(expansion_formula(expand(kernels.ntk(2)), leading=True).text())
    2 - sqrt(2)/pi*t**(1/2) + O(t)
    """
    count = leading_terms(expansion) if leading else len(expansion.in_order[0])
    if exact:
        found = [in_factors(term.coefficient) for term in expansion.ordered[:count]]
        shown = tuple(value if printable(value) else constant(value) for value in found)
    else:
        page = layout(expansion, count, longest=_LONGEST) if leading else layout(expansion, count)
        shown = page.coefficients
        if names is not None:
            names.used.update(page.names)
            # a table has coefficients of several kernels, which one numbering has to tell apart
            for j in page.long:
                if page.coefficients[j] != long_name(j):
                    continue  # kappa(-1) says what it is
                name = names.long_name(expansion.ordered[j].coefficient, coefficient_of(expansion, j, label))
                shown = (*shown[:j], name, *shown[j + 1 :])
    return formula_of(expansion, shown, count)


def definitions(expansion: Expansion) -> tuple[Line, ...]:
    """The names that the full expansion uses; none for most kernels."""
    page = layout(expansion)
    return (*Names(set(page.names)).note(), *((note,) for note in page.long_notes))
