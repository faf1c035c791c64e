"""Constants with parameters as people write them: fractions in lowest terms, of several equal forms the shortest.

Whatever is not a sum, a product or a whole power is an unknown of its own, so that only identities between rational
functions are used: what is true of independent unknowns is true of the functions in their places.
"""

from __future__ import annotations

from functools import lru_cache
from math import lcm, prod
from typing import TypeVar

from sympy import Abs, Add, Dummy, Expr, Mul, PolynomialError, Pow, S, Symbol, factor

from asymptok import dag
from asymptok.constants.domain import DomainOf

E = TypeVar("E")

__all__ = ["divides_by_a_sum", "fraction", "gathered", "shortest", "written"]

#: longer constants are left as they are: polynomial algebra would cost more than the expansion
_MOST_TERMS, _LARGEST, _LONGEST, _ROUNDS = 12000, 1000, 5000, 3


@lru_cache(maxsize=1024)
def fraction(expr: Expr, roots: bool = True) -> Expr:
    """Numerator and denominator without a common factor, both factored; without `roots` each of them is an unknown.

    >>> from sympy.abc import a
    >>> fraction(a**2/(a**2/2 + S.Half) - 2*a/(a**2/2 + S.Half) + 1/(a**2/2 + S.Half))
    2*(a - 1)**2/(a**2 + 1)
    """
    if not (expr.is_Add or expr.is_Mul or expr.is_Pow) or not (
        dag.free_symbols(expr) or divides_by_a_sum(expr)
    ):
        return expr
    # until no root meets its base: (b + w)^2, of which sqrt(b + w) cancels a part
    for _ in range(_ROUNDS if roots else 1):
        algebraic, values, _ = _with_unknowns(expr, roots)
        if _too_long(algebraic, values):
            break
        try:
            found = _signs(dag.rebuild(factor(algebraic), values))
        except PolynomialError:
            break
        if found == expr or not values:
            return found
        expr = found
    return expr


@lru_cache(maxsize=1024)
def shortest(expr: Expr) -> Expr:
    """The constant, its functions taken at fractions: the sum as it is, factored, or by its functions.

    >>> from sympy import sqrt
    >>> from sympy.abc import b, w
    >>> shortest(b*sqrt(w)/(b + w) + w*sqrt(w)/(b + w)), shortest(sqrt(b) + sqrt(w))
    (sqrt(w), sqrt(b) + sqrt(w))
    """
    if (
        not (dag.free_symbols(expr) or divides_by_a_sum(expr))
        or dag.tree_size(expr) > _LONGEST
        or dag.has_huge_powers(expr)
    ):
        return expr
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[arg] for arg in node.args]
        if args and not (node.is_Add or node.is_Mul or (node.is_Pow and node.exp.is_Integer)):
            args = [min(fraction(arg), arg, key=dag.tree_size) for arg in args]
        if node.is_Pow and node.exp.is_Rational:
            content, rest = args[0].as_content_primitive()
            new[node] = Pow(content, args[1]) * Pow(rest, args[1])
        else:
            unchanged = all(one is other for one, other in zip(args, node.args, strict=True))
            new[node] = node if unchanged else node.func(*args)
        if node.is_Add and node is not expr:
            new[node] = min(fraction(new[node]), new[node], key=dag.tree_size)
    return min(_forms(new[expr]), key=dag.tree_size)


def divides_by_a_sum(expr: Expr) -> bool:
    """Whether something may cancel in a number: sqrt(3)/(sqrt(3) + 2 pi) + 2 pi/(sqrt(3) + 2 pi) is 1."""
    return any(n.is_Pow and n.base.is_Add and n.exp.is_Integer and n.exp < 0 for n in dag.postorder(expr))


def written(domain: DomainOf[E], a: E) -> Expr:
    """A constant of a domain as people write it, |p| as p or -p where the ranges of the parameters tell."""
    value = shortest(dag.plain(domain.to_expr(a)))
    signs = {
        node: domain.sign(domain.constant(node.args[0]))
        for node in dag.postorder(value)
        if isinstance(node, Abs) and dag.free_symbols(node)
    }
    known: dict[Expr, Expr] = {node: s.number * node.args[0] for node, s in signs.items() if s.nonzero}
    return shortest(dag.rebuild(value, known)) if known else value


def gathered(expr: Expr, x: Symbol, factor: Expr = S.One) -> Expr:
    """factor * expr as a sum of functions of x, with coefficients in lowest terms and what these share in front.

    >>> from sympy.abc import a, b, w, x
    >>> gathered(a**2*x/2 - a*x + x/2 + x**2/2, x, 2/(a**2 + 1)), gathered(b + w*x, x, 1/(b + w))
    ((x**2 + x*(a - 1)**2)/(a**2 + 1), (b + w*x)/(b + w))
    """
    if not (expr.free_symbols | factor.free_symbols) - {x}:
        return Add(*(factor * term for term in Add.make_args(expr)))
    sums: dict[Expr, Expr] = {}
    for term in Add.make_args(expr):
        c, function = _in_factors(term).as_independent(x, as_Add=False)
        sums[function] = sums.get(function, S.Zero) + c
    found = [(c, function) for function, total in sums.items() if (c := fraction(factor * total)) != 0]
    shared = [f for f in Mul.make_args(found[0][0]) if f.free_symbols] if len(found) > 1 else []
    shared = [f for f in shared if all(f in Mul.make_args(c) for c, _ in found)]
    front = Mul(*shared)
    return front * Add(*(c / front * function for c, function in found))


def _in_factors(term: Expr) -> Expr:
    """1/(x p + x q) as 1/(x (p + q)), so that what does not depend on x can be told; and the zeros under a root."""
    factors = (f.as_base_exp() for f in Mul.make_args(term))
    split = (Pow(fraction(base), e) if base.is_Add and _divides(e) else Pow(base, e) for base, e in factors)
    return Mul(*split)


def _divides(e: Expr) -> bool:
    return bool(e == -1 or (e.is_Rational and not e.is_Integer))


def _forms(expr: Expr) -> list[Expr]:
    """As a product, as a sum over the products of functions and roots in it, and as it is."""
    whole = fraction(expr)
    algebraic, values, degrees = _with_unknowns(whole)
    long = _too_long(algebraic, values)
    top, bottom = (algebraic, S.One) if long else algebraic.as_numer_denom()
    parts: dict[tuple[Expr, ...], list[Expr]] = {}
    for term in Add.make_args(top if long else top.expand()):
        powers = term.as_powers_dict()
        key = tuple(powers[s] % q if (q := degrees.get(s)) else powers[s] for s in values)
        parts.setdefault(key, []).append(term)
    gathered = Add(*(fraction(dag.rebuild(Add(*part) / bottom, values)) for part in parts.values()))
    return [whole, gathered, expr]


def _too_long(expr: Expr, unknowns: dict[Expr, Expr]) -> bool:
    """By the terms of the numerator and of the common denominator, multiplied out, and by the symbols; roots of sums
    count twice.
    """
    powers: dict[Expr, int] = {}
    for node in dag.postorder(expr):
        if node.is_Pow and node.exp.is_Integer and node.exp.is_negative and node.base.is_Add:
            powers[node.base] = max(powers.get(node.base, 0), -int(node.exp))
    terms = dag.most_terms(dag.rebuild(expr, {base: Dummy() for base in powers}))
    terms *= prod(dag.most_terms(base**n) for base, n in powers.items())
    symbols = len(expr.free_symbols) + sum(value.is_Pow and value.base.is_Add for value in unknowns.values())
    return terms * symbols**2 > _MOST_TERMS or dag.tree_size(expr) > _LARGEST


def _with_unknowns(expr: Expr, joined: bool = True) -> tuple[Expr, dict[Expr, Expr], dict[Expr, int]]:
    """The expression as a rational function of unknowns, what those stand for, and the degrees of roots among them.

    Of all broken powers of one base the common root is the unknown.
    """
    roots: dict[Expr, int] = {}
    values: dict[Expr, Expr] = {}
    new: dict[Expr, Expr] = {}
    outermost = _outermost(expr)
    for node in outermost:
        if joined and node.is_Pow and node.exp.is_Rational:
            roots[node.base] = lcm(roots.get(node.base, 1), int(node.exp.q))
        else:
            new[node] = unknown = Dummy()
            values[unknown] = node
    degrees: dict[Expr, int] = {}
    for base, q in roots.items():
        unknown = Dummy()
        values[unknown], degrees[unknown] = Pow(base, S.One / q), q
        if base.is_Symbol:
            new[base] = unknown**q
        for node in outermost:
            if node.is_Pow and node.base == base:
                new[node] = unknown ** (node.exp * q)
    return dag.rebuild(expr, new), values, degrees


def _outermost(expr: Expr) -> list[Expr]:
    """The functions, broken powers and constants such as pi of which the expression is a rational function."""
    found: dict[Expr, None] = {}
    stack = [expr]
    while stack:
        node = stack.pop()
        if node.is_Add or node.is_Mul or (node.is_Pow and node.exp.is_Integer):
            stack += node.args
        elif node.args or node.is_NumberSymbol:
            found[node] = None
    return list(found)


def _signs(expr: Expr) -> Expr:
    """(r - 1)(r + 1) as r^2 - 1, -(r^2 - 1) as 1 - r^2, and -(u - v - 1) as 1 + v - u."""
    factors = list(Mul.make_args(expr))
    pairs = {f: base for f in factors for base, _ in [f.as_base_exp()] if base.is_Add and len(base.args) == 2}
    for one, base in list(pairs.items()):
        first, second = base.as_two_terms()
        exponent = one.as_base_exp()[1]
        for other in (first - second, second - first):
            if one in factors and other**exponent in factors:
                factors = [f for f in factors if f not in (one, other**exponent)]
                factors.append((base * other).expand() ** exponent)
    if factors[0].is_Number and factors[0].is_negative:
        sums = [f for f in factors if f.is_Add]
        turned = [f for f in sums if 2 * _minuses(f) > len(f.args)]
        odd = [f for f in sums if len(f.args) == 2 and _minuses(f) == 1]
        for chosen in turned[:1] or (odd if len(odd) == 1 else []):
            factors = [-f if f is chosen or f is factors[0] else f for f in factors]
    return Mul(*factors)


def _minuses(total: Expr) -> int:
    return sum(term.could_extract_minus_sign() for term in total.args)
