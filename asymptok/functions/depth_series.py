r"""Deep ReLU kernels of symbolic depth at u = 1 and u = -1.

With the chord s = |x - y|, u = 1 - s^2/2, kappa_1 is a series in s with coefficients in Q[1/pi], and u = 1 is a
parabolic fixed point: the coefficients of the iterates are polynomials in n = L - 1. They are found from the first
iterates by Newton's interpolation, and proved by induction: the recursion is checked as an identity of polynomials
in n and 1/pi, coefficient by coefficient.

At u = -1 the first layer leaves the branch point, kappa_1(-1 + t) = (2 sqrt(2)/(3 pi)) t^(3/2) + ..., and the layers
above multiply the leading term by kappa_0 of their values there (`SlopeProduct`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from flint import fmpq
from sympy import QQ, Expr, Rational, factorial, pi, ring, sqrt
from sympy.polys.rings import PolyElement

from asymptok.errors import AsymptokError, ExpansionError
from asymptok.functions.depth import DeepReLU, EndCoefficient, SlopeProduct
from asymptok.functions.expanding import Context, Series, exact_constants, expands, finite_limit
from asymptok.quantities import Element
from asymptok.truth import Truth

_RING, _N, _P = ring("n,p", QQ)
#: how many coefficients are made at once
_SIZES = (6, 11, 20, 40)


def _multiply(a: list[PolyElement], b: list[PolyElement], size: int) -> list[PolyElement]:
    out = [_RING.zero] * size
    for i, x in enumerate(a[:size]):
        if x:
            for j, y in enumerate(b[: size - i]):
                if y:
                    out[i + j] += x * y
    return out


def _binomial_power(a: list[PolyElement], exponent: Rational, size: int) -> list[PolyElement]:
    """a^exponent for a = 1 + O(s)."""
    x = [_RING.zero, *a[1:]]
    out = [_RING.one] + [_RING.zero] * (size - 1)
    term = out
    factor = Rational(1)
    for j in range(1, size):
        term = _multiply(term, x, size)
        factor = factor * (exponent - j + 1) / j
        out = [o + t * QQ(factor.p, factor.q) for o, t in zip(out, term, strict=True)]
    return out


@lru_cache(maxsize=8)
def _activation(size: int) -> tuple[list[PolyElement], list[PolyElement]]:
    """kappa_0 and kappa_1 at u = 1 - s^2/2, as series in s: theta = 2 asin(s/2), kappa_0 = 1 - theta/pi."""
    asin = [_RING.zero] * (size + 1)
    for j in range((size + 1) // 2 + 1):
        if 2 * j + 1 <= size:
            c = Rational(factorial(2 * j), 4**j * factorial(j) ** 2 * (2 * j + 1)) * Rational(
                1, 2 ** (2 * j + 1)
            )
            asin[2 * j + 1] = _RING(QQ((2 * c).p, (2 * c).q))
    zero = [_RING.one - _P * asin[0], *(-_P * c for c in asin[1:size])]
    # d kappa_1/ds = kappa_0 du/ds = -s kappa_0
    one = [_RING.one, _RING.zero] + [-zero[m - 2] * QQ(1, m) for m in range(2, size)]
    return zero, one[:size]


def _compose(f: list[PolyElement], s: list[PolyElement], size: int) -> list[PolyElement]:
    """f(s) by Horner's rule, s = O(s)."""
    out = [_RING.zero] * size
    for c in reversed(f):
        out = _multiply(out, s, size)
        out[0] += c
    return out


def _chord(layer: list[PolyElement], size: int) -> list[PolyElement]:
    """sqrt(2 (1 - layer)) for layer = 1 - s^2/2 + O(s^3); the layer is known to s^size."""
    quotient = [-2 * layer[m + 2] for m in range(size - 2)]
    root = _binomial_power(quotient, Rational(1, 2), size - 2)
    return [_RING.zero, *root]


def _step(
    layer: list[PolyElement], total: list[PolyElement], size: int
) -> tuple[list[PolyElement], list[PolyElement]]:
    """RF and NTK of the next layer; two orders are spent on the chord."""
    zero, one = _activation(size)
    # the chord is known to s^(size-2): enough for kappa_1, whose first term is s^2, and all but the last of kappa_0
    s = _chord(layer + [_RING.zero] * 2, size + 2)[:size]
    new = _compose(one, s, size)
    slope = _compose(zero, s, size)
    return new, [a + b for a, b in zip(_multiply(total, slope, size), new, strict=True)]


@lru_cache(maxsize=8)
def coefficients(size: int) -> tuple[tuple[PolyElement, ...], tuple[PolyElement, ...]]:
    """The coefficients of s^m, m < size, in RF_(n+1) and NTK_(n+1), as polynomials in n and p = 1/pi.

    >>> rf, ntk = coefficients(4)
    >>> rf[3], ntk[1]
    (1/3*n*p, -1/2*n**2*p - 1/2*n*p)
    """
    work = size + 2
    first = [_RING.one, _RING.zero, _RING(QQ(-1, 2))] + [_RING.zero] * (work - 3)
    layers, totals = [first], [first]
    for _ in range(work + 1):
        new, total = _step(layers[-1], totals[-1], work)
        layers.append(new)
        totals.append(total)
    found = [_interpolated(rows, work) for rows in (layers, totals)]
    _prove(found[0], found[1], work)
    return tuple(found[0][:size]), tuple(found[1][:size])


def _interpolated(rows: list[list[PolyElement]], size: int) -> list[PolyElement]:
    """Newton's forward differences: sum_j binom(n, j) Delta^j."""
    out = []
    for m in range(size):
        values, total, binomial = [row[m] for row in rows], _RING.zero, _RING.one
        for j in range(len(rows)):
            total += values[0] * binomial
            values = [b - a for a, b in pairwise(values)]
            if not values:
                break
            binomial = binomial * (_N - j) * QQ(1, j + 1)
        out.append(total)
    return out


def _prove(layer: list[PolyElement], total: list[PolyElement], size: int) -> None:
    """Induction: right at n = 0, and the recursion turns the values at n into those at n + 1, for every n."""
    shifted = [[c.compose(_N, _N + 1) for c in rows] for rows in (layer, total)]
    start = [[c.evaluate(_N, 0).set_ring(_RING) if c else c for c in rows] for rows in (layer, total)]
    first = [_RING.one, _RING.zero, _RING(QQ(-1, 2))] + [_RING.zero] * (size - 3)
    if start != [first, first] or list(_step(layer, total, size)) != shifted:
        raise AsymptokError("the coefficients of a deep network are not confirmed by the recursion")


@expands(DeepReLU)
def _deep(context: Context, node: Expr, tangent: Series, depth: Series, x: Series) -> Series:
    dom = context.dom
    constants = exact_constants((tangent, depth))
    if constants is None:
        raise ExpansionError("the depth of a network must not depend on the variable", node)
    whole, L = dom.as_rational(constants[0]), constants[1]
    kind = 1 if whole is not None and whole == 1 else 0
    value = finite_limit(x, node, "the argument is unbounded")
    for end in (1, -1):
        if dom.is_zero(dom.add(value, dom.rational(-end))) is Truth.TRUE:
            y = (context.number(1) - x.scaled(dom.rational(end))).without_constant()
            return (_right if end == 1 else _left)(context, node, kind, L, y)
    raise ExpansionError(f"{node}: a network of symbolic depth is expanded at 1 and at -1 only", node)


def _right(context: Context, node: Expr, kind: int, depth: Element, y: Series) -> Series:
    dom = context.dom
    n = dom.to_expr(depth) - 1

    def coefficient(m: int) -> Element:
        size = next((size for size in _SIZES if m < size), None)
        if size is None:
            raise ExpansionError(
                "more terms of a network of symbolic depth are asked for than are made", node
            )
        return dom.constant(coefficients(size)[kind][m].as_expr(n, 1 / pi).expand())

    chord = context.power(y.scaled(dom.rational(2)), fmpq(1, 2), node)
    return context.compose(coefficient, chord)


def _left(context: Context, node: Expr, kind: int, depth: Element, y: Series) -> Series:
    dom = context.dom
    L = dom.to_expr(depth)

    def coefficient(m: int) -> Element:
        if m == 0:
            return dom.constant(DeepReLU(kind, L, -1))
        if kind and m == 1:
            return dom.constant(-sqrt(2) / pi * SlopeProduct(L))
        if not kind and m <= 3:
            return dom.constant(2 * sqrt(2) / (3 * pi) * SlopeProduct(L)) if m == 3 else dom.zero
        return dom.constant(EndCoefficient(kind, L, m))

    return context.compose(coefficient, context.power(y, fmpq(1, 2), node))
