"""An activation taken apart: intervals on which it is one expression, and that expression as a sum of simple terms."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import (
    Abs,
    Expr,
    Heaviside,
    Max,
    Min,
    Poly,
    PolynomialError,
    S,
    Symbol,
    atanh,
    erf,
    exp,
    log,
    oo,
    sign,
    sqrt,
)
from sympy.core.relational import Relational

from asymptok import dag
from asymptok.constants import decide
from asymptok.errors import AsymptokError, Undecided
from asymptok.parameters import Range
from asymptok.symbols import x

__all__ = ["NoClosedForm", "Piece", "Term", "folded", "pieces", "terms"]

#: an activation is cut into at most this many intervals
_MOST_PIECES = 64
#: odd, and increasing on the real line
_INCREASING = (sympy.tanh, sympy.sinh, sympy.asinh, sympy.atan, sympy.erf)
_SWITCHES = (Abs, sign, Heaviside, Max, Min, Relational)
_RELATIONS = {"<": (-1,), "<=": (-1,), ">": (1,), ">=": (1,), "==": (), "!=": (-1, 1)}


class NoClosedForm(AsymptokError):
    """The activation is not made of polynomials, exponentials and error functions on intervals."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The activation on the open interval (low, high)."""

    low: Expr
    high: Expr
    expr: Expr


@dataclass(frozen=True, slots=True)
class Term:
    """coefficient * x^power * exp(square x^2 + rate x), times Phi(slope x + shift) if there is a slope."""

    coefficient: Expr
    power: int
    square: Expr
    rate: Expr
    slope: Expr = S.Zero
    shift: Expr = S.Zero


def pieces(expr: Expr, ranges: dict[Symbol, tuple[Expr, Expr]] | None = None) -> tuple[Piece, ...]:
    """The intervals, left to right, neighbours with the same expression joined.

    >>> for piece in pieces(Max(0, x) - Max(0, x - 6)):
    ...     print(piece.low, piece.high, piece.expr)
    -oo 0 0
    0 6 x
    6 oo 6
    """
    found = _resolved(expr, -oo, oo, _Signs(ranges or {}))
    joined: list[Piece] = []
    for piece in found:
        if joined and (joined[-1].expr - piece.expr).expand() == 0:
            joined[-1] = Piece(joined[-1].low, piece.high, joined[-1].expr)
        else:
            joined.append(piece)
    return tuple(joined)


def folded(found: tuple[Piece, ...], ranges: dict[Symbol, Range]) -> list[tuple[Piece, Piece]]:
    """phi(x) and phi(-x) on the intervals of x > 0, the kinks of both being their ends.

    >>> [(right.expr, left.expr, left.high) for right, left in folded(pieces(Max(0, x) + Max(0, -1 - x)), {})]
    [(x, 0, 1), (x, x - 1, oo)]
    """
    signs = _Signs(ranges)
    cuts = [
        S.Zero,
        *_sorted([e * side for e in (p.low for p in found[1:]) if (side := signs.of(e))], signs),
        oo,
    ]
    result = []
    for low, high in pairwise(cuts):
        inside = _sample(low, high)
        right, left = (
            next(p.expr for p in found if p.high is oo or signs.of(p.high - point) > 0)
            for point in (inside, -inside)
        )
        result.append((Piece(low, high, right), Piece(low, high, dag.rebuild(left, {x: -x}))))
    return result


class _Signs:
    """Signs of constants, the parameters staying in their ranges."""

    def __init__(self, ranges: dict[Symbol, tuple[Expr, Expr]]) -> None:
        self._ranges = ranges

    def of(self, value: Expr) -> int:
        if value.is_positive or value.is_negative:
            return 1 if value.is_positive else -1
        if value.is_zero:
            return 0
        found = decide.sign(value, self._ranges)
        if not found.known:
            raise Undecided(
                f"cannot decide the sign of {value}, on which the shape of the activation depends: give its parameters "
                "a range",
                value,
            )
        return found.number


def _resolved(expr: Expr, low: Expr, high: Expr, signs: _Signs) -> list[Piece]:
    switch = _innermost_switch(expr)
    if switch is None:
        return [Piece(low, high, expr)]
    g = _switching(switch)
    inside = [r for r in _roots(g, signs) if _between(r, low, high, signs)]
    cuts = [low, *_sorted(inside, signs), high]
    if len(cuts) > _MOST_PIECES:
        raise NoClosedForm(f"the activation has more than {_MOST_PIECES} pieces")
    result: list[Piece] = []
    for a, b in pairwise(cuts):
        side = signs.of(g.subs(x, _sample(a, b)).expand())
        result += _resolved(dag.rebuild(expr, {switch: _chosen(switch, side)}), a, b, signs)
    return result


def _innermost_switch(expr: Expr) -> Expr | None:
    return next((node for node in dag.postorder(expr) if isinstance(node, _SWITCHES) and node.has(x)), None)


def _switching(node: Expr) -> Expr:
    """The function whose sign decides."""
    if isinstance(node, Max | Min):
        return node.args[0] - node.args[1]
    return node.lhs - node.rhs if isinstance(node, Relational) else node.args[0]


def _chosen(node: Expr, side: int) -> Expr:
    if isinstance(node, Relational):
        return S.true if side in _RELATIONS[node.rel_op] else S.false
    if isinstance(node, Abs):
        return side * node.args[0]
    if isinstance(node, sign):
        return S(side)
    if isinstance(node, Heaviside):
        return S(1 if side > 0 else 0)
    first, second, *others = node.args
    taken = first if (side >= 0) is isinstance(node, Max) else second
    return node.func(taken, *others)


def _roots(g: Expr, signs: _Signs) -> list[Expr]:
    g = _same_sign(g)
    try:
        poly = Poly(g, x)
    except PolynomialError:
        if _one_sign_change(g):
            return [S.Zero]
        found = _through_a_function(g, signs)
        if found is not None:
            return found
        raise NoClosedForm(
            f"where a switch of the activation, {g}, changes its sign is not known: it is no polynomial in x, nor "
            "in one exp or tanh"
        ) from None
    if poly.degree() <= 0:
        return []
    if poly.degree() == 1:
        a, b = poly.all_coeffs()
        if signs.of(a) == 0:
            return []
        return [-b / a]
    if poly.free_symbols - {x}:
        a, b, c = poly.all_coeffs() if poly.degree() == 2 and signs.of(poly.LC()) else (S.Zero, S.Zero, S.One)
        if a == 0:
            raise NoClosedForm(f"the zeros of a switch, {g}, are not known with parameters in it")
        square = b * b - 4 * a * c
        if signs.of(square) <= 0:
            return []
        return [(-b - s * sqrt(square)) / (2 * a) for s in (1, -1)]
    try:
        return list(dict.fromkeys(sympy.real_roots(poly)))
    except NotImplementedError:
        raise NoClosedForm(f"the zeros of a switch, {g}, have no closed form") from None


def _through_a_function(g: Expr, signs: _Signs) -> list[Expr] | None:
    """The zeros of a polynomial in exp(a x + b) or tanh(a x + b): 2 - exp(x), 1/2 - tanh(x)."""
    inside = {f for f in dag.postorder(g) if isinstance(f, exp | sympy.tanh) and f.has(x)}
    if len(inside) != 1:
        return None
    (f,) = inside
    y = Symbol("y", real=True)
    h, argument = dag.rebuild(g, {f: y}), f.args[0]
    if h.has(x) or not h.is_polynomial(y) or h.free_symbols - {y} or argument.free_symbols - {x}:
        return None
    if not argument.is_polynomial(x) or Poly(argument, x).degree() != 1:
        return None
    a, b = Poly(argument, x).all_coeffs()
    try:
        roots = list(dict.fromkeys(sympy.real_roots(Poly(h, y))))
    except NotImplementedError:
        return None
    if isinstance(f, exp):
        places = [log(r) for r in roots if signs.of(r) > 0]
    else:
        places = [atanh(r) for r in roots if signs.of(1 - r**2) > 0]  # tanh(atanh(r)) is r
    return [(place - b) / a for place in places]


def _same_sign(g: Expr) -> Expr:
    """A simpler function with the sign of g: odd increasing functions and positive factors are left out."""
    if g.is_Mul:
        return sympy.Mul(*(_same_sign(a) for a in g.args if not a.is_positive))
    if isinstance(g, _INCREASING):
        return _same_sign(g.args[0])
    return g


def _one_sign_change(g: Expr) -> bool:
    """g(0) = 0 and g' > 0 except at 0: x - tanh(x), for example, whose slope is tanh(x)^2."""
    if not all(_analytic_everywhere(node) for node in dag.postorder(g)):
        return False
    slope = sympy.diff(g, x).expand()
    return bool(g.subs(x, 0) == 0 and slope != 0 and all(_nonnegative(a) for a in sympy.Add.make_args(slope)))


def _analytic_everywhere(node: Expr) -> bool:
    """On the whole real line, as a function of its arguments: such a slope vanishes at isolated points at most."""
    if node.is_Pow and not isinstance(node, exp):
        return bool(node.exp.is_Integer and node.exp > 0) or not node.has(x)
    return not isinstance(node, sympy.Function) or isinstance(
        node, (*_INCREASING, exp, sympy.sin, sympy.cos, sympy.cosh)
    )


def _nonnegative(term: Expr) -> bool:
    """A product of positive factors and of even powers."""
    return all(
        bool(f.is_positive) or bool(f.is_Pow and f.exp.is_Integer and f.exp % 2 == 0 and f.base.is_real)
        for f in sympy.Mul.make_args(term)
    )


def _between(r: Expr, low: Expr, high: Expr, signs: _Signs) -> bool:
    return (low is -oo or signs.of(r - low) > 0) and (high is oo or signs.of(high - r) > 0)


def _sorted(roots: list[Expr], signs: _Signs) -> list[Expr]:
    ordered: list[Expr] = []
    for r in roots:
        place = 0
        while place < len(ordered) and signs.of(r - ordered[place]) > 0:
            place += 1
        if place == len(ordered) or signs.of(r - ordered[place]) != 0:
            ordered.insert(place, r)
    return ordered


def _sample(low: Expr, high: Expr) -> Expr:
    if low is -oo:
        return S.Zero if high is oo else high - 1
    return low + 1 if high is oo else (low + high) / 2


# one piece as a sum of terms ------------------------------------------------------------------------------------


def terms(expr: Expr) -> tuple[Term, ...]:
    """The expression as a sum of terms; NoClosedForm if it is none.

    >>> [(term.coefficient, term.power, term.rate) for term in terms(x*exp(x)*(x - 2))]
    [(1, 2, 1), (-2, 1, 1)]
    """
    plain = expr.replace(sympy.erfc, lambda z: 1 - erf(z))
    circular = (sympy.sin, sympy.cos, sympy.sinh, sympy.cosh)
    plain = plain.replace(lambda e: isinstance(e, circular), lambda e: e.rewrite(exp))
    merged: dict[tuple[int, Expr, Expr, Expr, Expr], Expr] = {}
    for summand in sympy.Add.make_args(plain.expand(log=False)):
        for term in _term(summand):
            key = (term.power, term.square, term.rate, term.slope, term.shift)
            merged[key] = merged.get(key, S.Zero) + term.coefficient
    return tuple(Term(c, *key) for key, c in merged.items() if c.expand() != 0)


def _term(summand: Expr) -> tuple[Term, ...]:
    coefficient, power, exponent, error = S.One, 0, S.Zero, None
    for factor in sympy.Mul.make_args(summand):
        base, degree = factor.as_base_exp()
        if not factor.has(x):
            coefficient *= factor
        elif base == x and degree.is_Integer and degree > 0:
            power += int(degree)
        elif isinstance(factor, exp):
            exponent += factor.args[0]
        elif factor.is_Pow and not base.has(x) and base.is_positive:
            exponent += degree * sympy.log(base)
        elif isinstance(factor, erf) and error is None:
            error = factor.args[0]
        else:
            raise NoClosedForm(f"{factor} is no polynomial, exponential or error function of a polynomial")
    c, rate, square = _coefficients(exponent, 2)
    coefficient *= exp(c)
    if error is None:
        return (Term(coefficient, power, square, rate),)
    # erf(cx + d) = 2 Phi(sqrt(2)(cx + d)) - 1
    d, slope, _ = _coefficients(error, 1)
    return (
        Term(2 * coefficient, power, square, rate, sqrt(2) * slope, sqrt(2) * d),
        Term(-coefficient, power, square, rate),
    )


def _coefficients(expr: Expr, degree: int) -> tuple[Expr, Expr, Expr]:
    try:
        poly = Poly(expr, x)
    except PolynomialError:
        raise NoClosedForm(f"{expr} is no polynomial in x") from None
    if poly.degree() > degree:
        raise NoClosedForm(f"{expr} is a polynomial of too high a degree inside a function")
    return tuple(poly.coeff_monomial(x**j) for j in range(3))
