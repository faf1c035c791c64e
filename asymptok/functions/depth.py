r"""Deep ReLU kernels whose depth is a symbol, and the constants of their expansions at u = -1.

RF_1 = x, RF_L = kappa_1(RF_(L-1)); NTK_1 = x, NTK_L = NTK_(L-1) kappa_0(RF_(L-1)) + RF_L. For a whole number L
these are ordinary expressions, and the functions here evaluate to them.

At u = 1 and u = -1 for symbolic depth:

With the chord s = |x - y|, u = 1 - s^2/2, kappa_1 is a series in s with coefficients in Q[1/pi], and u = 1 is a
parabolic fixed point: the coefficients of the iterates are polynomials in n = L - 1. They are found from the first
iterates by Newton's interpolation, and proved by induction: the recursion is checked as an identity of polynomials
in n and 1/pi, coefficient by coefficient.

At u = -1 the first layer leaves the branch point, kappa_1(-1 + t) = (2 sqrt(2)/(3 pi)) t^(3/2) + ..., and the layers
above multiply the leading term by kappa_0 of their values there (`SlopeProduct`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from flint import acb, acb_series, arb, arb_series, fmpq
from mpmath import mp, mpc, mpf
from sympy import QQ, Expr, Integer, Mul, Rational, S, Symbol, factorial, pi, ring, sqrt, sstr
from sympy.polys.rings import PolyElement
from sympy.printing.printer import Printer

from asymptok.arguments import whole_number
from asymptok.errors import AsymptokError, ExpansionError
from asymptok.functions.arccosine import ArcCosine, arc_cosine_complex, arc_cosine_real
from asymptok.functions.arccosine_numeric import arccosine_value
from asymptok.functions.cuts import off_both_real_rays
from asymptok.functions.evaluated import EvaluatedFunction
from asymptok.functions.expanding import Context, Series, exact_constants, expands, finite_limit
from asymptok.functions.inverse import unit_interval
from asymptok.functions.record import Record, constantly
from asymptok.quantities import Ball, Element
from asymptok.slots import Slot
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = [
    "DeepReLU",
    "EndCoefficient",
    "SlopeProduct",
    "is_depth",
    "numbers_of",
    "whole_ball",
    "whole_depth",
]


#: layers that are written out
_DEEPEST = 10_000
_expand: Slot[..., Any] = Slot("expand")
X = TypeVar("X", mpf | mpc, Expr, arb, acb, arb_series, acb_series)


def is_depth(value: object) -> bool:
    """Whether a value is a symbol for a positive whole number."""
    return isinstance(value, Symbol) and bool(value.is_integer) and bool(value.is_positive)


def whole_depth(value: object, least: int = 1) -> int:
    """The depth as an integer >= `least`."""
    if isinstance(value, Symbol):
        raise AsymptokError(
            f"the depth is an integer >= 1, not {value}: a symbol with integer=True and positive=True stands for every "
            "depth in kernels.ntk(L), random_features(L) and step_features(L), and in no other network"
        )
    found = whole_number(value, "depth", least)
    if found > _DEEPEST:
        raise AsymptokError(
            f"the depth of a network written out is at most {_DEEPEST}, not {found}; for laws of every depth "
            "use a symbol, kernels.ntk(L) with L a positive integer"
        )
    return found


def layers(tangent: bool, depth: int, x: X, kappa: Callable[[int, X], X]) -> X:
    """The recursion with any implementation kappa(n, x) of the arc-cosine functions."""
    layer = total = x
    for _ in range(depth - 1):
        slope, layer = kappa(0, layer), kappa(1, layer)
        total = total * slope + layer
    return total if tangent else layer


def _value(tangent: int, depth: int, x: mpf | mpc) -> mpf | mpc:
    return layers(bool(tangent), int(depth), x, arccosine_value)


def numbers_of(function: Callable[..., Expr]) -> Callable[..., Any]:
    """The values for lambdify of what is an expression at whole numbers."""

    def value(*args: Any) -> Any:
        if any(isinstance(a, np.ndarray) for a in args):
            return np.vectorize(value, otypes=[float])(*args)
        exact = function(*(Integer(int(a)) for a in args))
        precise = any(isinstance(a, mpf) for a in args)
        return exact._to_mpmath(mp.prec) if precise else float(exact)

    return value


class DeepReLU(EvaluatedFunction):
    """RF_L(x) (tangent = 0) or NTK_L(x) (tangent = 1).

    >>> L, x = Symbol("L", integer=True, positive=True), Symbol("x", real=True)
    >>> DeepReLU(0, 3, x), DeepReLU(1, L, 1), DeepReLU(0, L, 1)
    (kappa1(kappa1(x)), L, 1)
    >>> DeepReLU(1, L, x)
    NTK_L(x)
    """

    nargs = 3
    _imp_ = staticmethod(_value)

    @classmethod
    def eval(cls, tangent: Expr, depth: Expr, x: Expr) -> Expr | None:
        if isinstance(depth, Integer):
            if depth < 1:
                raise AsymptokError(f"the depth is an integer >= 1, not {depth}")
            return layers(bool(tangent), int(depth), x, ArcCosine)
        if x is S.One:
            return depth if tangent == 1 else S.One
        return None

    def _eval_is_extended_real(self) -> bool | None:
        return True if self.args[2].is_extended_real else None

    def _sympystr(self, printer: Printer) -> str:
        tangent, depth, x = self.args
        return f"{'NTK' if tangent == 1 else 'RF'}_{printer._print(depth)}({printer._print(x)})"

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        tangent, depth, x = (self.args[0], *(printer._print(a) for a in self.args[1:]))
        power = "" if exp is None else f"^{{{exp}}}"
        label = "NTK" if tangent == 1 else "RF"
        return rf"\kappa_{{\mathrm{{{label}}}}}^{{({depth})}}\left({x}\right){power}"


class SlopeProduct(EvaluatedFunction):
    """prod_(j=2)^(L-1) kappa_0(RF_j(-1)), in (0, 1] for L >= 2: what the layers above do to the singularity at -1.

    >>> SlopeProduct(2), SlopeProduct(4)
    (1, kappa0(1/pi)/2)
    """

    nargs = 1
    _imp_ = staticmethod(numbers_of(lambda depth: SlopeProduct(depth)))

    @classmethod
    def eval(cls, depth: Expr) -> Expr | None:
        if not isinstance(depth, Integer):
            return None
        if depth < 2:
            raise AsymptokError(f"the depth of the product is an integer >= 2, not {depth}")
        factors: list[Expr] = []
        layer: Expr = S.Zero
        for _ in range(2, int(depth)):
            factors.append(ArcCosine(0, layer))
            layer = ArcCosine(1, layer)
        return Mul(*factors)

    def _eval_is_positive(self) -> bool:
        return True

    def _eval_is_finite(self) -> bool:
        return True

    def shown_latex(self, printer: Printer) -> str:
        depth = printer._print(self.args[0])
        return rf"\prod_{{j=2}}^{{{depth}-1}} \kappa_0(\kappa_{{\mathrm{{RF}}}}^{{(j)}}(-1))"


class EndCoefficient(EvaluatedFunction):
    """The coefficient of t^(m/2) in NTK_L(-1 + t) or RF_L(-1 + t): a name for it until L is a number.

    >>> L = Symbol("L", integer=True, positive=True)
    >>> EndCoefficient(0, L, 5), EndCoefficient(0, L, 5).subs(L, 2)
    ([t^5/2]RF_L(-1 + t), sqrt(2)/(30*pi))
    """

    nargs = 3
    _imp_ = staticmethod(numbers_of(lambda *args: EndCoefficient(*args)))

    @classmethod
    def eval(cls, tangent: Expr, depth: Expr, m: Expr) -> Expr | None:
        if not isinstance(depth, Integer):
            return None
        found = _expand(DeepReLU(tangent, depth, u), at=-1, order=m / 2).terms
        return sum((t.coefficient for t in found if t.exponent == m / 2), S.Zero)

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_is_finite(self) -> bool:
        return True

    def _sympystr(self, printer: Printer) -> str:
        tangent, depth, m = self.args
        return f"[t^{sstr(m / 2)}]{'NTK' if tangent == 1 else 'RF'}_{printer._print(depth)}(-1 + t)"

    def shown_latex(self, printer: Printer) -> str:
        tangent, depth, m = self.args
        label = "NTK" if tangent == 1 else "RF"
        return rf"[t^{{{m}/2}}]\,\kappa_{{\mathrm{{{label}}}}}^{{({printer._print(depth)})}}(-1+t)"


def whole_ball(ball: Ball) -> int | None:
    if isinstance(ball, int):
        return ball
    real = ball.real if isinstance(ball, acb) else ball
    found = real.unique_fmpz() if real.is_exact() else None
    return None if found is None else int(found)


def _real(tangent: arb, depth: arb, x: arb) -> arb:
    kind, n = whole_ball(tangent), whole_ball(depth)
    if kind is None or n is None or n < 1:
        return arb.nan()
    return layers(bool(kind), n, x, arc_cosine_real) if -1 <= x <= 1 or x.overlaps(arb(1)) else arb.nan()


def _complex(tangent: acb, depth: acb, z: acb) -> acb:
    kind, n = whole_ball(tangent), whole_ball(depth)
    if kind is None or n is None or n < 1:
        return acb(arb.nan())
    return layers(bool(kind), n, z, arc_cosine_complex)


def _regular(tangent: acb, depth: acb, z: acb) -> bool:
    n = whole_ball(depth)
    if n is None or n < 1:
        return False
    for _ in range(n - 1):
        if not z.is_finite() or not off_both_real_rays(z):
            return False
        z = arc_cosine_complex(1, z)
    return True


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


RECORDS = (
    Record(
        function=DeepReLU,
        real=_real,
        complex=_complex,
        requirements=lambda node: unit_interval(node.args[2]),
        regular=_regular,
        upward=constantly(S.One),
    ),
)
