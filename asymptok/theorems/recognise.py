"""Is this kernel one of a known family? The answer is an identity of expressions, with the member of the family."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Expr, Rational, S, acos, pi, sqrt

from asymptok import dag
from asymptok.balls import ball
from asymptok.functions.arccosine import ArcCosine, arc_cosine_form
from asymptok.kernels import networks
from asymptok.kernels.kernel import Kernel
from asymptok.symbols import u
from asymptok.theorems.case import Case
from asymptok.truth import Truth

_MAX_DEPTH = 60
_LARGEST = 1000
#: two members of a family that differ do so here
_TEST_POINT = Rational(1, 3)


def scale_to(case: Case, target: Expr) -> Expr | None:
    """a > 0 with kappa = a * target as expressions, or None."""
    expr = case.kernel.expr
    for mine, theirs in ((expr, target), (arc_cosine_form(expr), target)):
        if mine == theirs:
            return S.One
        factor, rest = mine.as_independent(u, as_Add=False)
        if rest == theirs and case.sign(factor).positive:
            return factor
    if dag.tree_size(expr) > _LARGEST or dag.tree_size(target) > _LARGEST:
        return None
    ratio = _value_at_one(case, expr, target)
    if ratio is None or not case.sign(ratio).positive:
        return None
    if not case.kernel.parameters and not ball(expr - ratio * target, {u: _TEST_POINT}, prec=128).contains(0):
        return None
    return ratio if sympy.expand(acos_form(expr) - ratio * acos_form(target)) == 0 else None


def _value_at_one(case: Case, expr: Expr, target: Expr) -> Expr | None:
    top, bottom = (dag.value_at(x, u, S.One) for x in (expr, target))
    if top is None or bottom is None or case.is_zero(bottom) is not Truth.FALSE:
        return None
    return sympy.cancel(top / bottom)


def acos_form(expr: Expr) -> Expr:
    """Arc-cosine functions of order 0 and 1 written with acos and a square root."""
    replacements = {
        node: _by_acos(int(node.args[0]), node.args[1])
        for node in dag.postorder(expr)
        if node.func is ArcCosine and node.args[0] <= 1 and not node.args[1].has(ArcCosine)
    }
    return dag.rebuild(expr, replacements) if replacements else expr


def _by_acos(n: int, x: Expr) -> Expr:
    if n == 0:
        return 1 - acos(x) / pi
    return (x * (pi - acos(x)) + sqrt(1 - x**2)) / pi


def network_depth(case: Case, family: Callable[[int], Kernel]) -> tuple[int, Expr] | None:
    """(L, a) with kappa = a * family(L), L >= 2; only depths that fit the nesting of the expression are compared."""
    nesting = _nesting(arc_cosine_form(case.kernel.expr))
    for depth in dict.fromkeys((nesting + 1, nesting + 2)):
        if 2 <= depth <= _MAX_DEPTH:
            factor = scale_to(case, family(depth).expr)
            if factor is not None:
                return depth, factor
    return None


def _nesting(expr: Expr) -> int:
    level: dict[Expr, int] = {}
    for node in dag.postorder(expr):
        level[node] = max((level[a] for a in node.args), default=0) + (node.func is ArcCosine)
    return level[expr]


def step_under_relu(depth: int) -> Kernel:
    return networks.step_features(depth, relu_above=True)


def gamma_exponential(case: Case) -> tuple[Expr, Expr, Expr] | None:
    """(a, c, gamma) with kappa = a exp(-c (1-u)^(gamma/2)), a > 0, c > 0."""
    factor, rest = case.kernel.expr.as_independent(u, as_Add=False)
    if rest.func is not sympy.exp and not (rest.is_Pow and rest.base == S.Exp1):
        return None
    exponent = rest.exp if rest.is_Pow else rest.args[0]
    constant, inner = exponent.as_independent(u, as_Add=True)
    c, power = inner.as_independent(u, as_Add=False)
    base, half = power.as_base_exp()
    slope = base.coeff(u, 1) if base.is_polynomial(u) and sympy.degree(base, u) == 1 else None
    # the base is b (1 - u) with b > 0, and b goes into the constant
    if slope is None or half.has(u) or case.is_zero(base - slope * (u - 1)) is Truth.FALSE:
        return None
    if sympy.expand(base - slope * (u - 1)) != 0 or not case.sign(slope).negative:
        return None
    a, rate = factor * sympy.exp(constant), -c * (-slope) ** half
    if not case.sign(a).positive or not case.sign(rate).positive:
        return None
    return a, rate, 2 * half
