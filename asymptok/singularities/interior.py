"""Is kappa analytic on (-1, 1)? Ranges with open ends first, then monotonicity, exact roots and subdivision.

The argument (docs/theory.md, "Smoothness inside"): an expression is analytic on an interval if every function in it is
analytic at its argument, which is a list of conditions g > 0 or g != 0. Each is settled, in this order, by the range
of g over the open interval, by a derivative of one sign and the limits at the ends, by the roots of a polynomial, or by
subdivision in ball arithmetic with open ranges on the two end cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import ComplexRootOf, Expr, Piecewise, Poly, PolynomialError, Rational, S, Symbol, oo

from asymptok import dag
from asymptok.balls import compile_ball, complex_ball
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.precision import flint_precision
from asymptok.series.exact import ExactDomain
from asymptok.series.exponents import Ranges
from asymptok.singularities.domains import POSITIVE, Requirement, short
from asymptok.singularities.enclosure import Enclosure
from asymptok.singularities.equations import solve
from asymptok.singularities.intervals import Interval, end_ball, sign_of
from asymptok.symbols import u
from asymptok.truth import Truth

Parameters = Mapping[Symbol, tuple[Expr, Expr]]

OPEN = Interval(S.NegativeOne, S.One, True, True)
CLOSED = Interval(S.NegativeOne, S.One)

#: rounds of sharpening ranges by monotonicity
_ROUNDS = 8
#: bits, narrowest cell (as a power of two) and number of cells of the subdivision
_BITS = 96
_NARROWEST = 16
_MAX_CELLS = 4000
#: degree up to which the roots of a polynomial are isolated exactly
_MAX_DEGREE = 40
#: a derivative is factored only up to this size
_LARGEST_FACTORED = 150
#: widths tried for the cells at the ends
_END_WIDTHS = (Rational(1, 8), Rational(1, 64), Rational(1, 1024), Rational(1, 2**16))
#: bits to which a root is narrowed before a closed form is guessed
_ROOT_BITS = 200
#: half the width of the bracket of a root without a closed form
_ROOT_WIDTH = Rational(1, 2**70)


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
    lemmas = [f"{short(node)} is strictly monotone with values in {r}" for node, r in sharper.items()]
    return Proof(verdicts, enclosure.unknown, lemmas)


def _worth_sharpening(requirement: Requirement) -> list[Expr]:
    inside = [a for a in requirement.node.args if isinstance(a, Expr) and a.has(u) and a != u]
    return [*inside, requirement.g] if requirement.g not in inside and requirement.g != u else inside


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
    ends = [limit(g, domain.lo, "+", parameters), limit(g, domain.hi, "-", parameters)]
    if any(end is None for end in ends):
        return None
    flags = (domain.lo_open, domain.hi_open)
    if found.negative():
        ends, flags = ends[::-1], flags[::-1]
    return Interval(ends[0], ends[1], flags[0] or ends[0] is -oo, flags[1] or ends[1] is oo)


def slope_range(g: Expr, enclosure: Enclosure) -> Interval | None:
    """The range of g', also in factored form, if it proves that g' has one sign."""
    if any(isinstance(node, Piecewise) for node in dag.postorder(g)):
        return None  # the derivative of a case distinction is not taken here
    try:
        slope = dag.derivative(g, u)
        forms = [slope] if dag.tree_size(slope) > _LARGEST_FACTORED else [slope, sympy.factor(slope)]
    except (AttributeError, TypeError, ValueError, NotImplementedError, PolynomialError):
        return None
    before = len(enclosure.failed) + len(enclosure.unknown)
    for form in forms:
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
                sign = sign_of(term.coefficient) if not term.coefficient.free_symbols else None
                if sign is None:
                    return None
                return oo if (sign > 0) == (term.log_power % 2 == 0) else -oo
        value = sum((t.coefficient for t in found.terms if t.exponent == 0), S.Zero)
    except AsymptokError:
        return None
    return value if not value.free_symbols else None


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
    return _by_subdivision(requirement, domain)


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


# ------------------------------------------------------------------------------------------- subdivision


def _by_subdivision(requirement: Requirement, domain: Interval) -> Verdict:
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
