"""A root known by a change of sign, and what an expression is next to it, seen as a function of two variables.

Where g(u0) = 0 and u0 has no closed form, coefficients at u0 are balls, and no ball proves that two of them are the
same. So the expression is written as kappa(u) = Phi(w, y) with w = u and y = g(u): for g = cos u - u every cos u is
y + w. Phi is then looked at next to y = 0, w being a parameter in a bracket around u0, and zeros are exact statements
about functions of w.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Dummy, Expr, Rational, S, Symbol

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.regularity.boxes import Boxes, sign_on
from asymptok.regularity.identities import with_quotients
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
    """The only zero of g in [low, high], and in a wider bracket; g' does not vanish in either."""

    g: Expr
    low: Rational
    high: Rational
    bracket: tuple[Rational, Rational]

    def __str__(self) -> str:
        return f"{sympy.N((self.low + self.high) / 2, 15)}..."


# ------------------------------------------------------------------------------------------ finding roots


def all_roots(g: Expr) -> tuple[list[Root], list[Rational]]:
    """The simple roots of g in (-1, 1) that a quick search finds, and edges of its cells at which g may vanish.

    If it misses one, a proof is lost and no more.

    >>> [str(root) for root in all_roots(sympy.cosh(u) - Rational(4, 3))[0]]
    ['-0.795365461223906...', '0.795365461223906...']
    """
    if dag.free_symbols(g) != {u}:
        return [], []
    try:
        slope = Boxes(dag.derivative(g, u))
    except AsymptokError:
        return [], []
    boxes = Boxes(g)
    found: list[Root] = []
    edges: list[Rational] = []
    stack = [(Rational(-1), Rational(1))]
    for _ in range(_CELLS):
        if not stack:
            break
        a, b = stack.pop()
        value = boxes.on(a, b)
        if value is not None and (value > 0 or value < 0):
            continue
        monotone = value is not None and sign_on(slope, a, b) != 0
        root = _bracket(g, boxes, a, b) if monotone else None
        if root is not None:
            found.append(root)
        elif monotone:
            edges += [x for x in (a, b) if sign_on(boxes, x, x, _BITS) == 0]
        elif b - a > _NARROWEST:
            stack += [((a + b) / 2, b), (a, (a + b) / 2)]
    return sorted(found, key=lambda root: root.low), edges


def _bracket(g: Expr, boxes: Boxes, low: Rational, high: Rational) -> Root | None:
    """The root of a monotone function, by halving."""
    bracket, rising = (low, high), sign_on(boxes, high, high, _BITS)
    if not rising or sign_on(boxes, low, low, _BITS) != -rising:
        return None
    while high - low > Rational(1, 2**_NARROW):
        middle = (low + high) / 2
        sign = sign_on(boxes, middle, middle, _BITS)
        if sign == 0:
            break
        low, high = (low, middle) if sign == rising else (middle, high)
    return Root(g, low, high, bracket)


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
