"""A requirement decided by subdivision: balls on closed cells inside, open ranges on the two cells at the ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb, fmpq
from sympy import Expr, Rational

from asymptok import dag
from asymptok.balls import compile_ball, complex_ball
from asymptok.errors import AsymptokError
from asymptok.precision import flint_precision
from asymptok.series.exact import ExactDomain
from asymptok.series.exponents import Ranges
from asymptok.singularities.domains import POSITIVE, Requirement
from asymptok.singularities.enclosure import Enclosure
from asymptok.singularities.equations import solve
from asymptok.singularities.intervals import Interval
from asymptok.singularities.monotone import monotone_range
from asymptok.symbols import u
from asymptok.truth import Truth

#: bits, narrowest cell (as a power of two) and number of cells
_BITS = 96
_NARROWEST = 16
_MAX_CELLS = 4000
#: widths tried for the cells at the ends
_END_WIDTHS = (Rational(1, 8), Rational(1, 64), Rational(1, 1024), Rational(1, 2**16))
#: bits to which a root is narrowed before a closed form is guessed
_ROOT_BITS = 200


@dataclass
class Verdict:
    """What is known of one requirement on the interval: settled, or where it fails."""

    requirement: Requirement
    holds: Truth
    how: str = ""
    roots: list[Expr] = field(default_factory=list)
    brackets: list[tuple[Rational, Rational]] = field(default_factory=list)
    violated: list[tuple[Rational, Rational]] = field(default_factory=list)
    doubtful: list[tuple[Rational, Rational]] = field(default_factory=list)


def by_subdivision(requirement: Requirement, domain: Interval) -> Verdict:
    """g > 0 or g != 0 on every cell, or the cells where that fails or stays open."""
    verdict = Verdict(requirement, Truth.UNKNOWN)
    try:
        function = compile_ball(requirement.g, [u])
    except AsymptokError as error:
        verdict.how = str(error)
        return verdict
    low, left = _end_cell(requirement, domain, at_low=True)
    high, right = _end_cell(requirement, domain, at_low=False)
    doubtful: list[tuple[Rational, Rational]] = []
    cells = _cells(low, high)
    used = 0
    with flint_precision(_BITS):
        while cells:
            a, b = cells.pop()
            used += 1
            value = _on_cell(function, a, b)
            if value > 0 or (value < 0 and requirement.relation != POSITIVE):
                continue
            if value < 0:
                verdict.violated.append((a, b))
                continue
            if b - a <= Rational(1, 2**_NARROWEST) or used > _MAX_CELLS:
                doubtful.append((a, b))
                continue
            middle = (a + b) / 2
            cells += [(a, middle), (middle, b)]
    verdict.how = f"subdivision into {used} cells at {_BITS} bits"
    verdict.violated = _merged(verdict.violated)
    for cell in _merged(doubtful):
        _examine(verdict, function, cell)
    if verdict.roots or verdict.brackets or verdict.violated:
        verdict.holds = Truth.FALSE
    elif not verdict.doubtful and left and right:
        verdict.holds = Truth.TRUE
        verdict.how += f"; {left}; {right}"
    return verdict


def _cells(low: Rational, high: Rational) -> list[tuple[Rational, Rational]]:
    step = (high - low) / 16
    return [(low + i * step, low + (i + 1) * step) for i in range(16)]


def _end_cell(requirement: Requirement, domain: Interval, at_low: bool) -> tuple[Rational, str]:
    """The inner end of the end cell on which the requirement is proved, and how; the narrowest one if it is not."""
    closed_here = not (domain.lo_open if at_low else domain.hi_open)
    for width in _END_WIDTHS:
        inner = domain.lo + width if at_low else domain.hi - width
        cell = Interval(inner, domain.hi, False, not closed_here)
        if at_low:
            cell = Interval(domain.lo, inner, not closed_here, False)
        enclosure = Enclosure(cell, {})
        found = enclosure.range(requirement.g)
        if not _settled(found, requirement):
            better = monotone_range(requirement.g, {}, cell)
            if better is None or not _settled(better, requirement):
                continue
            found = better
        return inner, f"on {cell} it lies in {_short_interval(found)}"
    return inner, ""


def _settled(found: Interval, requirement: Requirement) -> bool:
    return found.positive() if requirement.relation == POSITIVE else found.nonzero()


def _on_cell(function: Any, a: Rational, b: Rational) -> Any:
    x = arb(fmpq(int(a.p), int(a.q))).union(arb(fmpq(int(b.p), int(b.q))))
    value = function(x)
    return value if isinstance(value, arb) else arb.nan()


def _merged(cells: list[tuple[Rational, Rational]]) -> list[tuple[Rational, Rational]]:
    result: list[tuple[Rational, Rational]] = []
    for a, b in sorted(cells):
        if result and result[-1][1] == a:
            result[-1] = (result[-1][0], b)
        else:
            result.append((a, b))
    return result


def _examine(verdict: Verdict, function: Any, cell: tuple[Rational, Rational]) -> None:
    """An exact root in a narrow cell if one can be named and verified, otherwise a change of sign."""
    g = verdict.requirement.g
    a, b = cell
    inside = Interval(a, b)
    for root in solve(g).values:
        if (
            root.is_real is not False
            and not root.free_symbols
            and _is_real_in(root, inside)
            and _vanishes(g, root)
        ):
            verdict.roots.append(root)
            return
    with flint_precision(_ROOT_BITS):
        left, right = (_on_cell(function, x, x) for x in cell)
        changes = (left > 0 and right < 0) or (left < 0 and right > 0)
        # a change of sign is a root only of a continuous function
        changes = changes and _is_analytic_on(g, inside)
        narrow = _narrowed(function, a, b, bool(left > 0)) if changes else (a, b)
    middle = (narrow[0] + narrow[1]) / 2
    guess = Fraction(int(middle.p), int(middle.q)).limit_denominator(10**4)
    root = Rational(guess.numerator, guess.denominator)
    if a <= root <= b and _vanishes(g, root):
        verdict.roots.append(root)
    elif changes:
        verdict.brackets.append(narrow)
    else:
        verdict.doubtful.append(cell)


def _is_analytic_on(g: Expr, cell: Interval) -> bool:
    enclosure = Enclosure(cell, {})
    enclosure.range(g)
    return not enclosure.failed and not enclosure.unknown


def _narrowed(function: Any, a: Rational, b: Rational, left_positive: bool) -> tuple[Rational, Rational]:
    for _ in range(64):
        middle = (a + b) / 2
        value = _on_cell(function, middle, middle)
        if value > 0:
            a, b = (middle, b) if left_positive else (a, middle)
        elif value < 0:
            a, b = (a, middle) if left_positive else (middle, b)
        else:
            break
    return a, b


def _is_real_in(root: Expr, interval: Interval) -> bool:
    try:
        value = complex_ball(root, prec=128)
    except AsymptokError:
        return False
    return bool(value.imag.contains(0)) and bool(value.real.overlaps(interval.as_ball()))


def _vanishes(g: Expr, root: Expr) -> bool:
    try:
        dom = ExactDomain(Ranges())
        return dom.is_zero(dom.constant(dag.rebuild(g, {u: root}))) is Truth.TRUE
    except (AsymptokError, ZeroDivisionError, ValueError):
        return False


def _short_interval(found: Interval) -> str:
    return repr(found) if len(repr(found)) < 80 else "an interval of one sign"
