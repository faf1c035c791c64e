"""Exact zeros: if kappa(u) - kappa(-u) is a polynomial, mu_k = 0 for every odd k above its degree (eq. (10)).

The proof is algebra. kappa(-u) is written with the same functions as kappa(u), by identities such as
acos(-x) = pi - acos(x), and the difference is multiplied out with all functions taken as independent unknowns.
If nothing but a polynomial remains, that is a proof; if something remains, nothing has been shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from flint import arb, fmpq
from sympy import (
    Abs,
    Dummy,
    Expr,
    GreaterThan,
    Heaviside,
    LessThan,
    Max,
    Min,
    Piecewise,
    Poly,
    PolynomialError,
    StrictGreaterThan,
    StrictLessThan,
    Symbol,
    cancel,
    div,
    expand_mul,
    expand_multinomial,
)
from sympy import sign as sign_function

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions import record_of
from asymptok.precision import flint_precision
from asymptok.symbols import u

__all__ = [
    "first_of_parity",
    "keeps_all",
    "mirrored",
    "parity_part",
    "polynomial_part_degree",
    "singular_nodes",
]

#: printed trees larger than this are not multiplied out
_LARGEST = 4_000
#: and trees larger than this only if a function in them may cancel
_CHEAP = 60
#: nor sums of more terms than this, or with more of them multiplied out, brought over one denominator
_LARGEST_FRACTION, _TERMS = 60, 1500
#: nor is anything multiplied out that may have more terms than this
_MOST_TERMS = 20_000
_BITS = 128


def polynomial_part_degree(expr: Expr, sign: int) -> int | None:
    """The degree in u of kappa(u) + sign kappa(-u) if that is proved to be a polynomial (-1 for zero), else None.

    >>> from sympy import acos
    >>> from asymptok.functions.arccosine import ArcCosine
    >>> polynomial_part_degree(ArcCosine(1, u), -1), polynomial_part_degree(ArcCosine(1, u), 1)
    (1, None)
    >>> polynomial_part_degree(acos(u), -1), polynomial_part_degree(acos(u), 1)
    (None, 0)
    """
    part = parity_part(expr, sign)
    if part == 0:
        return -1
    if not part.is_polynomial(u):
        return None
    found = Poly(part, u)  # multiplied out: pi (u^3 - u) + pi (u - u^3) is zero only then
    return -1 if found.is_zero else int(found.degree())


@lru_cache(maxsize=128)
def parity_part(expr: Expr, sign: int) -> Expr:
    """kappa(u) + sign kappa(-u), twice the even (sign = 1) or odd (sign = -1) part, multiplied out where that is cheap.

    >>> from sympy import exp, sqrt
    >>> parity_part(sqrt(1 - u**2) + exp(u), -1)
    exp(u) - exp(-u)
    """
    here, there = mirrored(expr)
    total = here + sign * there
    size = dag.tree_size(total)
    if total.is_polynomial(u) or size > _LARGEST or (size > _CHEAP and _all_stay(total)):
        return total
    if dag.most_terms(total) > _MOST_TERMS:
        return total
    # Only products and whole powers are multiplied out: all other functions stay as they are.
    expanded = expand_mul(expand_multinomial(expand_mul(total)))
    if not expanded.is_polynomial(u) and len(expanded.args) <= _LARGEST_FRACTION:
        expanded = _over_one_denominator(total, expanded)
    # Worth the loss of the shape that it was written in only if a function has cancelled.
    return expanded if _functions(expanded) < _functions(total) else total


def keeps_all(expr: Expr, part: Expr) -> bool:
    """Whether every function, fraction and broken power of kappa(u) is still there in one of its parts."""
    return singular_nodes(_canonical(expr)) <= set(dag.postorder(part))


def singular_nodes(expr: Expr) -> set[Expr]:
    """The functions, fractions and broken powers of u, whatever is no polynomial of others."""
    found = (n for n in dag.postorder(expr) if n.args and n.has(u) and not (n.is_Add or n.is_Mul))
    return {n for n in found if not (n.is_Pow and n.exp.is_Integer and n.exp.is_positive)}


def _all_stay(expr: Expr) -> bool:
    """Whether the expression, rational in its outermost functions, is seen to change with each of them."""
    unknowns: dict[Expr, Symbol] = {node: Dummy() for node in _functions(expr)}
    algebraic = dag.rebuild(expr, unknowns)
    names = dag.free_symbols(algebraic) & set(unknowns.values())
    return all(_depends_on(algebraic, [x], names - {x}) for x in names)


def _functions(expr: Expr) -> set[Expr]:
    """The functions and broken powers of u in the expression."""
    return {
        node
        for node in dag.postorder(expr)
        if node.args
        and node.has(u)
        and not (node.is_Add or node.is_Mul or (node.is_Pow and node.exp.is_Integer))
    }


def _over_one_denominator(expr: Expr, expanded: Expr) -> Expr:
    """Cancel common factors, functions of u being independent unknowns; if that gives no polynomial, `expanded`."""
    for form in (expanded, expr):
        unknowns: dict[Expr, Symbol] = {node: Dummy() for node in _functions(form)}
        algebraic = dag.rebuild(form, unknowns)
        if _depends_on(algebraic, list(unknowns.values())):
            return expanded  # cancelling takes long, and would not make it a polynomial in u
        if (len(form.args) > _LARGEST_FRACTION // 4 and form is expanded) or dag.most_terms(form) > _TERMS:
            continue  # a sum that was written as a product is shorter as such
        try:
            reduced = cancel(algebraic)
        except PolynomialError:
            return expanded
        restored = dag.rebuild(reduced, {name: node for node, name in unknowns.items()})
        if restored.is_polynomial(u):
            return restored
    return expanded


def _depends_on(expr: Expr, unknowns: list[Symbol], fixed: Iterable[Symbol] = ()) -> bool:
    """Whether a rational function is seen to change with its unknowns: two exact values of it differ."""
    others = {x: fmpq(7 * j + 2, 3 * j + 5) for j, x in enumerate(fixed)}
    values = []
    try:
        with flint_precision(_BITS):
            for start in (3, 7):
                numbers = {x: fmpq(start + 5 * j, 2 * j + 3) for j, x in enumerate(unknowns)}
                points = {**others, **numbers, u: fmpq(2, 11)}
                values.append(ball(expr, {x: arb(value) for x, value in points.items()}))
            difference = values[0] - values[1]
    except AsymptokError:
        return False
    return bool(difference.is_finite()) and not difference.contains(0)


def mirrored(expr: Expr) -> tuple[Expr, Expr]:
    """kappa(u) and kappa(-u), both with every even or odd function taken at the argument of canonical sign.

    >>> from sympy import acos
    >>> mirrored(acos(u))
    (acos(u), pi - acos(u))
    """
    return _canonical(expr), _canonical(dag.rebuild(expr, {u: -u}))


def _canonical(expr: Expr) -> Expr:
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        rebuilt = node if same else node.func(*args)
        new[node] = _reflected(rebuilt)
    return new[expr]


def _reflected(node: Expr) -> Expr:
    """SymPy moves a sign out of sin, cosh, erf, ... by itself; for the other functions their records tell how."""
    if node.is_Pow and node.exp.is_Integer and node.base.is_Add and node.base.could_extract_minus_sign():
        return (-1) ** (node.exp % 2) * (-node.base) ** node.exp
    record = record_of(node.func) if node.args and not (node.is_Add or node.is_Mul or node.is_Pow) else None
    if record is not None and record.argument(node).could_extract_minus_sign():
        found = record.mirrored(node)
        if found is not None:
            return found
    if isinstance(node, Max | Min) and len(node.args) == 2:
        a, b = node.args
        return (a + b + (1 if isinstance(node, Max) else -1) * Abs(a - b)) / 2
    if isinstance(node, Heaviside):
        return (1 + sign_function(node.args[0])) / 2
    if isinstance(node, Piecewise):
        return _without_pieces(node)
    return node


def _without_pieces(node: Expr) -> Expr:
    """A choice between two values by the sign of g, through sgn(g), or |g| where they meet at g = 0.

    The value at g = 0 may be another one, which no integral sees.
    """
    if len(node.args) != 2 or node.args[1].cond != True:  # noqa: E712 - SymPy's true is not Python's
        return node
    (first, condition), (second, _) = node.args
    if not isinstance(condition, StrictGreaterThan | GreaterThan | StrictLessThan | LessThan):
        return node
    g = condition.gts - condition.lts
    gap = first - second
    if g.is_polynomial(u) and gap.is_polynomial(u) and g.has(u) and not gap.has(Piecewise):
        quotient, rest = div(gap, g, u)
        if rest == 0:
            return second + quotient * (g + Abs(g)) / 2
    return second + gap * (1 + sign_function(g)) / 2


def first_of_parity(above: int, parity: int) -> int:
    """The least k > above that is even (parity 0) or odd (parity 1).

    >>> first_of_parity(1, 1), first_of_parity(-1, 0), first_of_parity(1, 0)
    (3, 0, 2)
    """
    k = above + 1
    return k if k % 2 == parity else k + 1
