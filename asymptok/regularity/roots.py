"""A root known by a change of sign, and what an expression is next to it, seen as a function of two variables.

Where g(u0) = 0 and u0 has no closed form, coefficients at u0 are balls, and no ball proves that two of them are the
same. So the expression is written as kappa(u) = Phi(w, y) with w = u and y = g(u): for g = cos u - u every cos u is
y + w. Phi is then expanded in y at 0, w being a parameter in a cell around u0, and zeros are exact statements about
functions of w. If Phi(w, y) is analytic in y (or smooth, ...) for all w of the cell, kappa is so on the cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from flint import arb
from sympy import Dummy, Expr, Rational, S, Symbol

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.regularity.cells import CellTest, Parameters
from asymptok.regularity.model import NotShown
from asymptok.regularity.neighbourhood import Regular, regular_at
from asymptok.regularity.points import InteriorPoint
from asymptok.regularity.quotients import with_quotients
from asymptok.regularity.witness import compare_sides
from asymptok.symbols import u

#: bits to which a root is narrowed, and of the arithmetic with it
_NARROW, _BITS = 160, 256
#: cells in the search for the roots of one function, and the narrowest of them
_CELLS = 200
_NARROWEST = Rational(1, 2**14)
#: ways to bring g into the expression that are tried
_FORMS = 3

#: u, where it is held fixed while y moves
w = Symbol("w", real=True)


@dataclass(frozen=True, slots=True)
class Root:
    """The only zero of g in [low, high]; g' does not vanish there."""

    g: Expr
    low: Rational
    high: Rational

    def __str__(self) -> str:
        return f"{sympy.N((self.low + self.high) / 2, 15)}..."


# ------------------------------------------------------------------------------------------ finding roots


def isolate(g: Expr, a: Rational, b: Rational) -> Root | None:
    """The root of g in or next to [a, b], if g is analytic there, monotone, and changes its sign.

    >>> root = isolate(sympy.cos(u) - u, Rational(7, 10), Rational(8, 10))
    >>> print(root)
    0.739085133215161...
    """
    wide = b - a
    low, high = max(a - wide, Rational(-1)), min(b + wide, Rational(1))
    slope = _slope(g)
    return None if slope is None else _bracket(g, CellTest(g), slope, low, high)


def all_roots(g: Expr) -> list[Root]:
    """The simple roots of g in (-1, 1) that a quick search finds; none may be missed for a proof to be lost only.

    >>> [str(root) for root in all_roots(sympy.cosh(u) - Rational(4, 3))]
    ['-0.795365461223906...', '0.795365461223906...']
    """
    slope = _slope(g)
    if slope is None or dag.free_symbols(g) != {u}:
        return []
    test = CellTest(g)
    found: list[Root] = []
    stack = [(Rational(-1), Rational(1))]
    for _ in range(_CELLS):
        if not stack:
            break
        a, b = stack.pop()
        value = test.value(g, a, b)
        if not isinstance(value, arb) or value > 0 or value < 0:
            continue
        root = _bracket(g, test, slope, a, b)
        if root is not None:
            found.append(root)
        elif b - a > _NARROWEST and not (test.holds(a, b) and _has_one_sign(slope, a, b)):
            stack += [((a + b) / 2, b), (a, (a + b) / 2)]
    return sorted(found, key=lambda root: root.low)


def _slope(g: Expr) -> CellTest | None:
    try:
        return CellTest(dag.derivative(g, u))
    except AsymptokError:
        return None


def _has_one_sign(slope: CellTest, a: Rational, b: Rational) -> bool:
    value = slope.value(slope.expr, a, b)
    return isinstance(value, arb) and bool(value > 0 or value < 0)


def _bracket(g: Expr, test: CellTest, slope: CellTest, low: Rational, high: Rational) -> Root | None:
    if not (test.holds(low, high) and _has_one_sign(slope, low, high)):
        return None
    left, right = (test.value(g, x, x, _BITS) for x in (low, high))
    if not ((left > 0 and right < 0) or (left < 0 and right > 0)):
        return None
    rising = bool(left < 0)
    while high - low > Rational(1, 2**_NARROW):
        middle = (low + high) / 2
        value = test.value(g, middle, middle, _BITS)
        if value > 0 or value < 0:
            low, high = (middle, high) if bool(value < 0) == rising else (low, middle)
        else:
            break
    return Root(g, low, high)


# ---------------------------------------------------------------------------------------- two variables


def local_forms(expr: Expr, g: Expr) -> Iterator[Expr]:
    """Phi(w, y) with Phi(u, g(u)) = expr, y written as u: one function F of g = c F + rest is eliminated.

    >>> list(local_forms(sympy.exp(u*sympy.exp(u) - 2), u*sympy.exp(u) - 2))
    [exp(u)]
    """
    plain, known = with_quotients(expr), with_quotients(g)
    tried = 0
    for inner, value in _eliminations(known):
        form = _replaced(plain, inner, value)
        if form is not None and form.has(u):
            yield form
            tried += 1
        if tried >= _FORMS:
            return


_y = Dummy("y", real=True)


def _eliminations(g: Expr) -> Iterator[tuple[Expr, Expr]]:
    """(F, its value in w and y) for the functions F that occur in g as c F + rest, the largest first."""
    terms = sympy.Add.make_args(g)
    candidates: list[tuple[Expr, Expr, Expr]] = []
    for term in terms:
        factors = sympy.Mul.make_args(term)
        for factor in factors:
            if not factor.has(u) or factor == u:
                continue
            others = sympy.Mul(*(f for f in factors if f is not factor))
            candidates.append((factor, others, sympy.Add(*(t for t in terms if t is not term))))
    candidates.sort(key=lambda c: (bool(c[0].is_polynomial(u)), -dag.tree_size(c[0])))
    for factor, others, rest in candidates:
        yield factor, ((_y - rest) / others).xreplace({u: w})


def _replaced(expr: Expr, inner: Expr, value: Expr) -> Expr | None:
    """`expr` with F, and whole powers of an exponential F, by their value; every other u becomes w."""
    new: dict[Expr, Expr] = {u: w}
    for node in dag.postorder(expr):
        if node in new:
            continue
        if node == inner:
            new[node] = value
            continue
        power = _exponent(node, inner)
        if power is not None:
            new[node] = value**power
            continue
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        new[node] = node if same else node.func(*args)
    found = new[expr]
    if found.has(S.NaN, S.ComplexInfinity) or not found.has(_y):
        return None
    form: Expr = found.xreplace({_y: u})
    return form


def _exponent(node: Expr, inner: Expr) -> Expr | None:
    """n if node = inner^n is another exponential."""
    if node.func is not sympy.exp or inner.func is not sympy.exp:
        return None
    ratio = node.args[0] / inner.args[0]
    return ratio if ratio.is_Integer else None


def _setting(
    g: Expr, a: Rational, b: Rational, parameters: Parameters
) -> tuple[arb, dict[Symbol, tuple[Expr, Expr]]]:
    """A bound of |g| on the cell, and the ranges of w and of the parameters."""
    value = CellTest(g, parameters).value(g, a, b)
    if not isinstance(value, arb) or not value.is_finite():
        raise NotShown(f"{g} is not bounded on the cell")
    return abs(value).upper(), {**parameters, w: (a, b)}


def regular_near(expr: Expr, g: Expr, a: Rational, b: Rational, parameters: Parameters) -> Regular:
    """On the cell [a, b] the expression agrees with a regular function, zeros of g left out if it is undefined there.

    >>> g = sympy.cos(u) - u
    >>> regular_near(sympy.sin(g)/g, g, Rational(7, 10), Rational(8, 10), {})
    <Regular.ANALYTIC: 'analytic'>
    """
    radius, ranges = _setting(g, a, b, parameters)
    reason = NotShown("no function of g is seen")
    for form in local_forms(expr, g):
        try:
            return regular_at(form, S.Zero, radius, ranges)
        except NotShown as error:
            reason = error
    raise reason


def classify_near(
    expr: Expr, root: Root, a: Rational, b: Rational, parameters: Parameters
) -> InteriorPoint | None:
    """The singularity of `expr` at the root, analytic in [a, b] but there, if germs from both sides prove one."""
    slope = _slope(root.g)
    if slope is None or not _has_one_sign(slope, a, b):
        return None
    try:
        radius, ranges = _setting(root.g, a, b, parameters)
    except NotShown:
        return None
    for form in local_forms(expr, root.g):
        found = compare_sides(form, S.Zero, radius, ranges)
        if found is not None:
            kind, nu, reason = found
            return _point(root, kind, nu, reason)
    return None


def _point(root: Root, kind: str, nu: Expr | None, reason: str) -> InteriorPoint:
    where = f"{reason}, where {sympy.sstr(root.g)[:80]} = 0"
    return InteriorPoint(None, (root.low, root.high), kind, nu, None, None, True, where)
