"""Zeros in closed form of a function of one parameter, found by undoing its operations and proved one by one.

Nothing here claims that there are no others: whoever cuts a range at these zeros asks again on each part.
"""

from __future__ import annotations

from sympy import Expr, Integer, Mul, PolynomialError, S, Symbol, exp, log, pi, roots, sin, sqrt

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants.decide import is_zero, sign
from asymptok.constants.exponents import Ranges
from asymptok.constants.normal_form import fraction
from asymptok.errors import AsymptokError
from asymptok.parameters import Range, WithZero
from asymptok.truth import Truth

__all__ = ["solutions", "zeros"]

#: integers at which a range is cut for one exponent, and the degree of polynomials that are solved
_MOST_INTEGERS, _MOST_DEGREE = 12, 4


def zeros(expr: Expr, symbol: Symbol, parameters: dict[Symbol, Range]) -> list[Expr]:
    """The zeros in closed form that lie in the range of the only parameter of the expression, ascending.

    >>> p = Symbol("p", positive=True)
    >>> zeros(pi/(3*pi)**p - 2, p, {p: (S.Zero, S.Infinity)})
    [log(pi/2)/log(3*pi)]
    >>> zeros(sin(pi*p/2), p, {p: (S.One, S(7))})
    [2, 4, 6]
    """
    found: list[Expr] = []
    for root in solutions(expr, symbol, parameters):
        if root.free_symbols or not _lies_in(root, parameters[symbol]) or root in found:
            continue
        if is_zero(dag.rebuild(expr, {symbol: root})) is Truth.TRUE:
            found.append(root)
    return sorted(found, key=lambda root: float(ball(root, prec=64).mid()))


def solutions(expr: Expr, symbol: Symbol, parameters: dict[Symbol, Range]) -> list[Expr]:
    """Candidates for the zeros, which may depend on the other parameters.

    >>> a, b = Symbol("a"), Symbol("b")
    >>> solutions(a - 2*b, a, {a: (S.Zero, S.Infinity), b: (S.Zero, S.Infinity)})
    [2*b]
    """
    try:
        return _solved(expr, symbol, S.Zero, Ranges(parameters))
    except (AsymptokError, PolynomialError, ZeroDivisionError):
        return []


def _lies_in(root: Expr, bounds: Range) -> bool:
    """Whether this is proved of a number."""
    low, high = bounds
    if root == 0 and isinstance(bounds, WithZero):
        return True
    above = low.is_infinite or sign(root - low).positive
    return above and bool(high.is_infinite or sign(high - root).positive)


def _solved(f: Expr, x: Symbol, value: Expr, ranges: Ranges) -> list[Expr]:
    """x with f(x) = value."""
    if f == x:
        return [value]
    if x not in dag.free_symbols(f):
        return []
    if f.is_Add:
        rest, moving = f.as_independent(x, as_Add=True)
        if not moving.is_Add:
            return _solved(moving, x, value - rest, ranges)
        return _of_sum(f - value, x, ranges)
    if f.is_Mul:
        constant, moving = f.as_independent(x, as_Add=False)
        if value == 0:
            return [root for factor in Mul.make_args(moving) for root in _solved(factor, x, value, ranges)]
        if not moving.is_Mul:
            return _solved(moving, x, value / constant, ranges)
        return _of_exponentials(moving, x, value / constant)
    base, power = f.as_base_exp()
    if x in dag.free_symbols(power):
        return _of_exponentials(f, x, value) if x not in dag.free_symbols(base) else []
    if power != 1:
        return _of_power(base, power, x, value, ranges)
    if isinstance(f, sin) and value == 0:
        return _at_integers(f.args[0] / pi, x, ranges)
    if isinstance(f, log):
        return _solved(f.args[0], x, exp(value), ranges)
    inverse = getattr(f, "inverse", None)
    return _solved(f.args[0], x, inverse()(value), ranges) if inverse and len(f.args) == 1 else []


def _of_power(base: Expr, power: Expr, x: Symbol, value: Expr, ranges: Ranges) -> list[Expr]:
    if value == 0:
        return _solved(base, x, value, ranges) if sign(power).positive else []
    root = value ** (1 / power)
    both = power.is_Rational and power.p % 2 == 0
    return [y for z in ((root, -root) if both else (root,)) for y in _solved(base, x, z, ranges)]


def _of_exponentials(product: Expr, x: Symbol, value: Expr) -> list[Expr]:
    """b_1^(p_1 x + q_1) b_2^(p_2 x + q_2) ... = value: one power B^x = C."""
    base: Expr = S.One
    rest = value
    for factor in Mul.make_args(product):
        b, power = factor.as_base_exp()
        slope = dag.derivative(power, x)
        if x in dag.free_symbols(slope) or x in dag.free_symbols(b):
            return []
        base *= b**slope
        rest /= b ** (power - slope * x).expand()
    if not sign(rest).positive:
        return []
    if sign(base - 1).negative:
        base, rest = 1 / base, 1 / rest
    return [log(rest) / log(base)]


def _at_integers(exponent: Expr, x: Symbol, ranges: Ranges) -> list[Expr]:
    low, high = ranges.bounds_of(exponent)
    if low is None or high is None or high - low > _MOST_INTEGERS:
        return []
    whole = range(int(low.p // low.q), int(high.p // high.q) + 2)
    return [root for n in whole for root in _solved(exponent, x, Integer(n), ranges)]


def _of_sum(f: Expr, x: Symbol, ranges: Ranges) -> list[Expr]:
    """The zeros of a sum with several terms in x: by factors, as a polynomial, or as a quotient of two exponentials."""
    factored = fraction(f)
    if factored.is_Mul:
        return _solved(factored, x, S.Zero, ranges)
    if f.is_polynomial(x):
        return _of_polynomial(f, x)
    _, moving = f.as_independent(x, as_Add=True)
    unknowns = sorted({n for n in dag.postorder(f) if _is_unknown(n, x)}, key=str)
    if len(unknowns) == 1:
        y = S.One * unknowns[0]
        name = Symbol("y", real=True)
        algebraic = dag.rebuild(f, {y: name})
        if x not in dag.free_symbols(algebraic) and algebraic.is_polynomial(name):
            return [z for root in _of_polynomial(algebraic, name) for z in _solved(y, x, root, ranges)]
    if f == moving and len(f.args) == 2:
        first, second = f.args
        return _solved(first / second, x, S.NegativeOne, ranges)
    return []


def _is_unknown(node: Expr, x: Symbol) -> bool:
    if not node.args or x not in dag.free_symbols(node) or node.is_Add or node.is_Mul:
        return False
    return not (node.is_Pow and node.exp.is_Integer)


def _of_polynomial(f: Expr, x: Symbol) -> list[Expr]:
    slope = dag.derivative(f, x)
    if x not in dag.free_symbols(slope):
        return [-dag.rebuild(f, {x: S.Zero}) / slope]
    bend = dag.derivative(slope, x)
    if x not in dag.free_symbols(bend):
        c, b, a = dag.rebuild(f, {x: S.Zero}), dag.rebuild(slope, {x: S.Zero}), bend / 2
        root = sqrt((b**2 - 4 * a * c).expand())
        return [(-b + s * root) / (2 * a) for s in (1, -1)]
    if f.free_symbols != {x} or not f.as_poly(x).domain.is_QQ | f.as_poly(x).domain.is_ZZ:
        return []
    if f.as_poly(x).degree() > _MOST_DEGREE:
        return []
    return [root for root in roots(f, x) if root.is_real]
