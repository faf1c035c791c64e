"""The range of a real expression on an interval of u, by its ends: sharp where the domain of a function begins.

A ball around [0, r] sticks out below 0 by a rounding, and its square root is then undefined. With exact ends |w| >= 0,
1 - u >= 0 and w^2 >= 0 stay what they are. None means that the expression is not shown to be bounded and real.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import Expr, S
from sympy.core.relational import Relational
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import And, Boolean, BooleanFalse, BooleanTrue, Not, Or

from asymptok import dag
from asymptok.balls import ball
from asymptok.functions import record_of
from asymptok.functions.arccosine import ArcCosine, arc_cosine_real
from asymptok.functions.orthant import Orthant
from asymptok.functions.powers import integer_power, real_power
from asymptok.precision import flint_precision
from asymptok.symbols import u
from asymptok.truth import Truth

#: (lower end, upper end), exact or infinite; None where nothing is known
Range = tuple[arb, arb] | None
_INFINITE = (arb.neg_inf(), arb.pos_inf())


def range_on(expr: Expr, low: arb, high: arb) -> Range:
    """[a, b] with a <= expr <= b for all u in [low, high] (exact ends) but single points, or None.

    Inside the expression a range may be infinite: 1/u^2 is in [1, oo] on [-1, 1], and exp(-1/u^2) in [0, 1/e].

    >>> low, high = range_on(sympy.sqrt(1 - u), arb(0), arb(1))
    >>> low == 0, high == 1
    (True, True)
    >>> range_on(sympy.log(1 - u), arb(0), arb(1)) is None
    True
    """
    found: dict[Expr | int, Any] = {u: (low, high)}
    varying: set[Expr] = {u}
    for node in dag.postorder(expr):
        if node in found:
            continue
        if varying.isdisjoint(node.args):
            found[node] = _constant(node)
            continue
        varying.add(node)
        if isinstance(node, sympy.Piecewise | ExprCondPair | Relational | And | Or | Not):
            found[node] = _LOGIC[_kind(node)](node, found)
        elif any(found[a] is None for a in node.args if not isinstance(a, sympy.Tuple)):
            found[node] = None
        else:
            found[node] = _known(_image(node, [found[a] for a in node.args]))
    result: Range = found[expr]
    return result if result is not None and all(x.is_finite() for x in result) else None


@lru_cache(maxsize=256)
def is_bounded(expr: Expr, cells: int = 64) -> bool:
    """Whether the expression is shown to be real and bounded on [-1, 1], on one interval or on many.

    >>> is_bounded(sympy.exp(-sympy.sqrt(1 - u))), is_bounded(1 / u)
    (True, False)
    """
    with flint_precision(64):
        if range_on(expr, arb(-1), arb(1)) is not None:
            return True
        grid = [arb(fmpq(j, cells // 2) - 1) for j in range(cells + 1)]
        return all(range_on(expr, low, high) is not None for low, high in pairwise(grid))


def _constant(node: Expr) -> Any:
    if isinstance(node, BooleanTrue | BooleanFalse):
        return Truth.of(bool(node))
    if isinstance(node, Boolean):
        return Truth.UNKNOWN
    if not isinstance(node, sympy.Expr):
        return None  # the parameters of a hypergeometric function, read by the rule that owns them
    return _ends(ball(node))


def _ends(x: arb) -> Range:
    return (x.lower(), x.upper()) if x.is_finite() else None


def _known(x: Range) -> Range:
    return None if x is None or any(end.is_nan() for end in x) else x


def _hull(x: tuple[arb, arb]) -> arb:
    return x[0].union(x[1])


def _image(node: Expr, args: list[tuple[arb, arb]]) -> Range:
    rule = _RULES.get(type(node))
    if rule is not None:
        return rule(node, *args)
    found = record_of(type(node))
    if found is None or not all(end.is_finite() for a in args for end in a):
        return None
    return _ends(found.real(*(_hull(a) for a in args)))


# ------------------------------------------------------------------------------------------- arithmetic


def _add(node: Expr, *args: tuple[arb, arb]) -> Range:
    return sum((a[0] for a in args), arb(0)).lower(), sum((a[1] for a in args), arb(0)).upper()


def _mul(node: Expr, *args: tuple[arb, arb]) -> Range:
    low, high = args[0]
    for a, b in args[1:]:
        products = [low * a, low * b, high * a, high * b]
        low = _least(p.lower() for p in products)
        high = -_least(-p.upper() for p in products)
    return low, high


def _least(values: Any) -> Any:
    # arb.min of exact numbers is exact
    result = None
    for value in values:
        result = value if result is None or value < result else result
    return result


def _power(node: Expr, base: tuple[arb, arb], exponent: tuple[arb, arb]) -> Range:
    e = node.args[1]
    low, high = base
    if isinstance(e, sympy.Integer):
        return _whole_power(low, high, int(e))
    if node.args[0] == S.Exp1:
        return exponent[0].exp().lower(), exponent[1].exp().upper()
    if low > 0:
        return (
            _ends(real_power(_hull(base), _hull(exponent)))
            if node.args[1].has(u)
            else _monotone_power(low, high, e)
        )
    if low < 0 or node.args[1].has(u):
        return None
    if high > 0 and ball(e) < 0:
        # unbounded at an end, where erf and exp of it may still be bounded
        return real_power(high, ball(e)).lower(), _INFINITE[1]
    if not ball(e) > 0:
        return None
    return arb(0), (real_power(high, ball(e)).upper() if high > 0 else arb(0))


def _monotone_power(low: arb, high: arb, e: Expr) -> Range:
    exponent = ball(e)
    ends = [real_power(x, exponent) for x in (low, high)]
    return _least(x.lower() for x in ends), -_least(-x.upper() for x in ends)


def _whole_power(low: arb, high: arb, n: int) -> Range:
    if n < 0:
        if low >= 0:
            low, high, n = (1 / high).lower(), ((1 / low).upper() if low > 0 else _INFINITE[1]), -n
        elif high <= 0:
            low, high, n = ((1 / high).lower() if high < 0 else _INFINITE[0]), (1 / low).upper(), -n
        elif n % 2:
            return _INFINITE
        else:
            # the larger of the two ends gives the least value
            far = high if high > -low else -low
            return integer_power(1 / far, -n).lower(), _INFINITE[1]
    ends = [integer_power(x, n) for x in (low, high)]
    bottom, top = _least(x.lower() for x in ends), -_least(-x.upper() for x in ends)
    return (arb(0) if n % 2 == 0 and low < 0 < high else bottom), top


# --------------------------------------------------------------------------------------------- functions


def _absolute(node: Expr, x: tuple[arb, arb]) -> Range:
    low, high = x
    if low >= 0:
        return low, high
    return (-high, -low) if high <= 0 else (arb(0), high if high > -low else -low)


def _extreme(largest: bool) -> Callable[..., Range]:
    def rule(node: Expr, *args: Any) -> Range:
        sign = -1 if largest else 1
        return sign * _least(sign * a[0] for a in args), sign * _least(sign * a[1] for a in args)

    return rule


def _monotone(
    name: str, direction: int = 1, least: int | None = None, most: int | None = None
) -> Callable[..., Range]:
    """Monotone functions on their domain [least, most]: the values at the ends, or nothing outside of it."""

    def rule(node: Expr, x: tuple[arb, arb]) -> Range:
        low, high = x
        if (least is not None and low < least) or (most is not None and high > most):
            return None
        a, b = (_value(name, end) for end in x)
        return (a.lower(), b.upper()) if direction > 0 else (b.lower(), a.upper())

    return rule


def _value(name: str, x: object) -> Any:
    """f(x), and the limits of erf and erfc, which FLINT does not take."""
    if name in _LIMITS and x in _INFINITE:
        return arb(_LIMITS[name][_INFINITE.index(x)])
    return getattr(x, name)()


#: at -oo and at +oo
_LIMITS = {"erf": (-1, 1), "erfc": (2, 0)}


def _log(node: Expr, x: tuple[arb, arb]) -> Range:
    if x[0] < 0 or not x[1] > 0:
        return None
    return (x[0].log().lower() if x[0] > 0 else _INFINITE[0]), _upper(x[1].log())


def _upper(x: arb) -> arb:
    return x.upper() if x.is_finite() else x


def _lower(x: Any) -> Any:
    return x.lower() if x.is_finite() else x


def _between(name: str) -> Callable[..., Range]:
    """sin and cos: the ball, cut off at -1 and 1."""

    def rule(node: Expr, x: tuple[arb, arb]) -> Range:
        if not (x[0].is_finite() and x[1].is_finite()):
            return arb(-1), arb(1)
        found = getattr(_hull(x), name)()
        low, high = found.lower(), found.upper()
        return (low if low > -1 else arb(-1)), (high if high < 1 else arb(1))

    return rule


def _arc_cosine(node: Expr, order: tuple[arb, arb], x: tuple[arb, arb]) -> Range:
    """kappa_n increases from 0 to 1 on [-1, 1]."""
    low, high = x
    if low < -1 or high > 1:
        return None
    n = int(node.args[0])
    bottom, top = arc_cosine_real(n, low).lower(), arc_cosine_real(n, high).upper()
    return (bottom if bottom > 0 else arb(0)), (top if top < 1 else arb(1))


def _orthant(node: Expr, h: tuple[arb, arb], k: tuple[arb, arb], r: tuple[arb, arb]) -> Range:
    """It falls with both thresholds and rises with the correlation; a correlation lies in [-1, 1]."""
    if not all(end.is_finite() for a in (h, k, r) for end in a) or r[0] < -1 or r[1] > 1:
        return None
    found = record_of(Orthant)
    assert found is not None
    bottom, top = found.real(h[1], k[1], r[0]).lower(), found.real(h[0], k[0], r[1]).upper()
    return (bottom if bottom > 0 else arb(0)), (top if top < 1 else arb(1))


def _at_ends(direction: int, allowed: Callable[[Any], bool]) -> Callable[..., Range]:
    """Functions monotone in their last argument, whose ball implementations know the end of the domain."""

    def rule(node: Expr, *args: Any) -> Range:
        if not allowed(node):
            return None
        found = record_of(type(node))
        assert found is not None
        parameters = [_hull(a) for a in args[:-1]]
        a, b = (found.real(*parameters, x) for x in args[-1])
        return (a.lower(), b.upper()) if direction > 0 else (b.lower(), a.upper())

    return rule


def _hyper(node: Expr, upper: object, lower: object, z: Any) -> Range:
    a, b, _ = node.args
    if a.has(u) or b.has(u):
        return None
    found = record_of(sympy.hyper)
    assert found is not None
    return _ends(found.real([ball(x) for x in a], [ball(x) for x in b], _hull(z)))


def _sign(node: Expr, x: tuple[arb, arb]) -> Range:
    return (arb(1 if x[0] > 0 else -1 if x[0] < 0 else 0), arb(1 if x[1] > 0 else -1 if x[1] < 0 else 0))


_RULES: dict[object, Callable[..., Range]] = {
    sympy.Add: _add,
    sympy.Mul: _mul,
    sympy.Pow: _power,
    sympy.Abs: _absolute,
    sympy.sign: _sign,
    sympy.Max: _extreme(True),
    sympy.Min: _extreme(False),
    sympy.log: _log,
    sympy.sin: _between("sin"),
    sympy.cos: _between("cos"),
    sympy.asin: _monotone("asin", 1, -1, 1),
    sympy.acos: _monotone("acos", -1, -1, 1),
    sympy.acosh: _monotone("acosh", 1, 1),
    **{
        getattr(sympy, name): _monotone(name)
        for name in ("exp", "sinh", "tanh", "atan", "asinh", "erf", "erfi")
    },
    sympy.erfc: _monotone("erfc", -1),
    ArcCosine: _arc_cosine,
    Orthant: _orthant,
    # Li_s' = Li_(s-1)/x > 0 for s > 1, and E decreases up to m = 1
    sympy.polylog: _at_ends(1, lambda node: not node.args[0].has(u) and bool(ball(node.args[0]) > 1)),
    sympy.elliptic_e: _at_ends(-1, lambda node: len(node.args) == 1),
    sympy.hyper: _hyper,
}


# ------------------------------------------------------------------------------------------- conditions


def _kind(node: Expr) -> Any:
    return next(cls for cls in _LOGIC if isinstance(node, cls))


def _relation(node: Expr, found: dict[object, Any]) -> Truth:
    left, right = (found[a] for a in node.args)
    if left is None or right is None:
        return Truth.UNKNOWN
    less, more = left[1] < right[0], left[0] > right[1]
    if not (less or more):
        return Truth.UNKNOWN
    return Truth.of({"<": less, "<=": less, ">": more, ">=": more, "==": False, "!=": True}[node.rel_op])


def _all(node: Expr, found: dict[object, Any]) -> Truth:
    return Truth(min(found[a].value for a in node.args))


def _any(node: Expr, found: dict[object, Any]) -> Truth:
    return Truth(max(found[a].value for a in node.args))


def _not(node: Expr, found: dict[object, Any]) -> Truth:
    truth: Truth = found[node.args[0]]
    return ~truth


def _piecewise(node: Expr, found: dict[object, Any]) -> Range:
    """The hull of all branches that may be taken."""
    hull: Range = None
    for pair in node.args:
        value, truth = (found[part] for part in pair.args)
        if truth is not Truth.FALSE:
            if value is None:
                return None
            low, high = hull or value
            hull = (value[0] if value[0] < low else low, value[1] if value[1] > high else high)
        if truth is Truth.TRUE:
            return hull
    return None


_LOGIC: dict[Any, Callable[[Any, dict[Any, Any]], Any]] = {
    sympy.Piecewise: _piecewise,
    ExprCondPair: lambda node, found: None,  # read by the Piecewise around it
    Relational: _relation,
    And: _all,
    Or: _any,
    Not: _not,
}
