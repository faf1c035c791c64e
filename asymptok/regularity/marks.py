"""Where a cover has to look more closely: the zeros of the conditions that ranges leave open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import sympy
from flint import arb
from sympy import ComplexRootOf, Expr, Poly, PolynomialError, Rational

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants import decide
from asymptok.errors import AsymptokError
from asymptok.precision import flint_precision
from asymptok.regularity.boxes import Boxes
from asymptok.regularity.domains import Requirement
from asymptok.regularity.equations import solve
from asymptok.regularity.intervals import sign_of
from asymptok.regularity.roots import Root, all_roots
from asymptok.symbols import u
from asymptok.truth import Truth

#: the degree up to which all roots of a polynomial are isolated
_MAX_DEGREE = 60
#: derivatives in which multiple roots are looked for, and the largest tree of one
_DERIVATIVES = 4
_LARGEST = 300
#: nodes of a root in closed form; for a larger one, as those of quartics, its bracket is the better description
_SMALL = 40
#: functions whose roots are looked for by subdivision
_SEARCHED = 12


@dataclass
class Mark:
    """A point of (-1, 1): exact, or between two rationals, and the functions that vanish there."""

    low: Rational
    high: Rational
    exact: Expr | None = None
    roots: list[Root] = field(default_factory=list)

    def distance(self, other: Mark | Rational) -> Rational:
        """A rational number no larger than the distance."""
        low, high = (other.low, other.high) if isinstance(other, Mark) else (other, other)
        return max(low - self.high, self.low - high, Rational(0))


def find_marks(conditions: Iterable[Requirement]) -> list[Mark]:
    """The zeros of the conditions in (-1, 1), as far as a quick search goes; ascending."""
    marks: list[Mark] = []
    searched: set[Expr] = set()
    for requirement in conditions:
        g = requirement.g
        for root in _exact_roots(g):
            if sign_of(root + 1).positive and sign_of(1 - root).positive:
                _merge(marks, _exact_mark(root))
        for h in _vanishing(g):
            if h not in searched and -h not in searched and len(searched) < _SEARCHED:
                searched.add(h)
                roots, edges = all_roots(h)
                for found in roots:
                    _merge(marks, Mark(found.low, found.high, None, [found]))
                for root in (*_multiple_roots(h), *(x for x in edges if _vanishes(h, x))):
                    if sign_of(root + 1).positive and sign_of(1 - root).positive:
                        _merge(marks, _exact_mark(root))
    return sorted(marks, key=lambda mark: mark.low)


def merged(marks: list[Mark], more: list[Mark]) -> list[Mark]:
    """All of them, ascending, each place once."""
    found = [Mark(m.low, m.high, m.exact, list(m.roots)) for m in marks]
    for mark in more:
        _merge(found, mark)
    return sorted(found, key=lambda mark: mark.low)


def _vanishing(g: Expr) -> list[Expr]:
    """Functions that vanish where g does, the simplest first: of a f(h) + b the h - v with f(v) = -b/a."""
    if g.is_Mul or (g.is_Pow and g.exp.is_Integer):
        factors = g.args if g.is_Mul else (g.base,)
        return [h for factor in factors if factor.has(u) for h in _vanishing(factor)]
    b, rest = g.as_independent(u, as_Add=True)
    a, function = rest.as_independent(u, as_Add=False)
    found = [g]
    if rest.is_Add or len(function.args) != 1 or not function.args[0].has(u) or function.args[0] == u:
        return found
    values = solve(function.func(u), -b / a).values
    reach = Boxes(function.args[0]).on(Rational(-1), Rational(1))
    for v in values:
        if v.is_real and reach is not None and reach.overlaps(ball(v, prec=128)):
            found = _vanishing(function.args[0] - v) + found
    return found


def _exact_mark(point: Expr) -> Mark:
    if isinstance(point, Rational):
        return Mark(point, point, point)
    with flint_precision(192):
        value = ball(point)
        return Mark(_rational(value.lower()), _rational(value.upper()), point)


def _merge(marks: list[Mark], new: Mark) -> None:
    """Enclosures that overlap are one place; nothing is claimed about the equality of the points."""
    for mark in marks:
        if mark.low <= new.high and new.low <= mark.high:
            mark.roots += new.roots
            if mark.exact is None and new.exact is not None:
                mark.low, mark.high, mark.exact = new.low, new.high, new.exact
            return
    marks.append(new)


def _exact_roots(g: Expr) -> list[Expr]:
    """Those that have a closed form."""
    if dag.free_symbols(g) != {u}:
        return []
    if g.is_polynomial(u):
        try:
            polynomial = Poly(g, u)
        except PolynomialError:
            return []
        if polynomial.degree() < 1:
            return []
        if polynomial.degree() <= _MAX_DEGREE and all(c.is_Rational for c in polynomial.all_coeffs()):
            return [r for r in dict.fromkeys(polynomial.real_roots()) if not isinstance(r, ComplexRootOf)]
    parts = sympy.Mul.make_args(g) if g.is_Mul else (g,)
    found = [r for part in parts for r in solve(part).values if dag.tree_size(r) <= _SMALL]
    return [r for r in found if r.is_number and _is_real(r)]


def _multiple_roots(g: Expr) -> list[Expr]:
    """Exact points at which g and its first derivative vanish: each is a root of every derivative below its order."""
    found: dict[Expr, None] = {}
    slope = g
    for _ in range(_DERIVATIVES):
        try:
            slope = dag.derivative(slope, u)
        except AsymptokError:
            break
        if not slope.has(u) or dag.tree_size(slope) > _LARGEST:
            break
        for root in (Rational(0), *_exact_roots(slope)):
            if root not in found and _vanishes(slope, root) and _vanishes(g, root):
                found[root] = None
    return list(found)


def _vanishes(g: Expr, point: Expr) -> bool:
    value = dag.value_at(g, u, point)
    return value is not None and decide.is_zero(value) is Truth.TRUE


def _is_real(root: Expr) -> bool:
    if root.is_real is not None:
        return bool(root.is_real)
    try:
        return bool(ball(root, prec=128).is_finite())
    except AsymptokError:
        return False


def _rational(x: arb) -> Rational:
    exact = x.mid().fmpq() if not x.is_exact() else x.fmpq()
    return Rational(int(exact.p), int(exact.q))
