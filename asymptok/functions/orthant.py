r"""Orthant(h, k, r) = P(X > h, Y > k) for standard normal X, Y with correlation r: Gaussian integrals over quadrants.

All three derivatives are elementary, which is what everything else rests on (p and Q are the normal density and
its upper tail):

    d/dr = exp(-(h^2 - 2 r h k + k^2)/(2 (1 - r^2)))/(2 pi sqrt(1 - r^2)),
    d/dh = -p(h) Q((k - r h)/sqrt(1 - r^2)),          d/dk likewise.

Where the thresholds differ in the limit (h - k at r = 1, h + k at r = -1), the derivatives are flat at r = +-1; where
they agree, (h - k)^2/(1 - r^2) has a limit, and the expansion is one in powers of sqrt(1 - r^2).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from flint import fmpq
from mpmath import mpc, mpf
from numpy.typing import ArrayLike
from sympy import Expr, Rational, S, erf, exp, pi, sqrt
from sympy.printing.printer import Printer

from asymptok import dag
from asymptok.errors import AsymptokError, ExpansionError
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.evaluated import EvaluatedFunction
from asymptok.functions.expanding import Context, Series, exact_constant, expands, finite_limit
from asymptok.points import Array
from asymptok.quantities import Element
from asymptok.truth import Truth

__all__ = ["Orthant", "normal_density", "normal_tail", "orthant_mpmath", "orthant_numpy", "orthant_value"]


#: nodes of the Gauss rule for Owen's function on [0, 1]: its poles +-i leave 1e-17
_NODES = 24


def orthant_mpmath(h: mpf, k: mpf, r: mpf | mpc) -> mpf | mpc:
    """P(X > h, Y > k) at mpmath's precision, by one integral in the angle asin(r); complex arguments off the cuts.

    >>> import mpmath
    >>> mpmath.nstr(orthant_mpmath(mpmath.mpf(0), mpmath.mpf(0), mpmath.mpf(1) / 2), 12)
    '0.333333333333'
    """
    mp = mpmath.mp
    h, k, r = (mp.mpmathify(a) for a in (h, k, r))

    def tail(y: mpf) -> mpf:
        return mp.erfc(y / mp.sqrt(2)) / 2

    if isinstance(r, mpmath.mpf) and abs(r) >= 1:
        if abs(r) > 1 or not all(isinstance(a, mpmath.mpf) for a in (h, k)):
            return mp.nan
        if r == 1:
            return tail(max(h, k))
        return tail(h) - tail(-k) if h + k < 0 else mp.zero

    def integrand(theta: mpf) -> mpf:
        s, c = mp.sin(theta), mp.cos(theta)
        return mp.exp(-(h * h - 2 * h * k * s + k * k) / (2 * c * c))

    end = mp.asin(r)
    # The integrand changes on the scale of the distance to the ends: halve towards them.
    points = [mp.zero]
    gap = 1 - abs(mp.re(end)) / (mp.pi / 2)
    share = mp.mpf(1) / 2
    while share > gap:
        points.append((1 - share) * end / (1 - gap))
        share /= 2
    points.append(end)
    return tail(h) * tail(k) + mp.quad(integrand, points) / (2 * mp.pi)


def orthant_numpy(h: ArrayLike, k: ArrayLike, r: ArrayLike) -> Array:
    """P(X > h, Y > k) on arrays of doubles, to about 1e-15; nan where r lies outside [-1, 1].

    >>> float(orthant_numpy(0.0, 0.0, -1.0)), bool(abs(orthant_numpy(1.0, 1.0, 0.3) - 0.045457848515603966) < 1e-15)
    (0.0, True)
    """
    x, y, rho = np.broadcast_arrays(*(np.asarray(a, dtype=float) for a in (h, k, r)))
    outside = np.abs(rho) > 1 + 1e-14
    rho = np.clip(rho, -1.0, 1.0)
    tail = np.vectorize(lambda y: math.erfc(y / math.sqrt(2)) / 2, otypes=[float])
    # P(X > -h, Y > k) = P(Y > k) - P(-X > h, Y > k), for each threshold in turn
    flip_h, flip_k = x < 0, y < 0
    a, b = np.abs(x), np.abs(y)
    c = np.where(flip_h == flip_k, rho, -rho)
    sine = np.sqrt((1 - c) * (1 + c))
    with np.errstate(all="ignore"):
        v, w = (b - c * a) / sine, (a - c * b) / sine
        core = (tail(a) + tail(b)) / 2 - _ratio_t(a, v, tail) - _ratio_t(b, w, tail)
    core = np.where((a == 0) & (b == 0), 0.25 + np.arcsin(c) / (2 * np.pi), core)
    core = np.where(c == 1, tail(np.maximum(a, b)), np.where(c == -1, 0.0, core))
    one = np.where(flip_k, tail(a) - core, core)
    value = np.where(flip_h, tail(y) - one, one)
    return np.where(outside, np.nan, value)[()]


def _ratio_t(h: Array, v: Array, tail: Callable[[Array], Array]) -> Array:
    """T(h, v/h), h >= 0."""
    size = np.abs(v)
    small = size <= h
    first = np.where(small, h, size)
    slope = np.where(small, size, h) / np.where(first > 0, first, 1.0)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    y = 0.5 * slope[..., None] * (nodes + 1)
    inner = np.exp(-0.5 * first[..., None] ** 2 * (1 + y * y)) / (1 + y * y)
    t = 0.5 * slope * (inner @ weights) / (2 * np.pi)
    large = (tail(h) + tail(size)) / 2 - tail(h) * tail(size) - t
    return np.sign(v) * np.where(small, t, large)


def orthant_value(h: Any, k: Any, r: Any) -> Any:
    """P(X > h, Y > k) in the arithmetic of the arguments: mpmath numbers, or NumPy arrays and plain floats."""
    if any(isinstance(a, mpmath.mpf | mpmath.mpc) for a in (h, k, r)):
        return orthant_mpmath(h, k, r)
    value = orthant_numpy(h, k, r)
    return float(value) if all(isinstance(a, float | int) for a in (h, k, r)) else value


#: thresholds of more nodes are not evaluated to be brought to an order
_LONG = 400


def normal_tail(h: Expr) -> Expr:
    """Q(h) = P(X > h), written with erf, whose sign SymPy moves out.

    >>> normal_tail(S.Zero)
    1/2
    """
    return Rational(1, 2) - erf(h / sqrt(2)) / 2


def normal_density(h: Expr) -> Expr:
    """exp(-h^2/2)/sqrt(2 pi)."""
    return exp(-(h**2) / 2) / sqrt(2 * pi)


class Orthant(EvaluatedFunction):
    r"""P(X > h, Y > k), X and Y standard normal with correlation r in [-1, 1].

    >>> from sympy import Symbol
    >>> r = Symbol("r", real=True)
    >>> Orthant(0, 0, r)
    kappa0(r)/2
    >>> Orthant(1, 2, r).diff(r)
    exp(-(5 - 4*r)/(2 - 2*r**2))/(2*pi*sqrt(1 - r**2))

    Thresholds are brought to one order and one sign, P(X > -h, Y > k) = P(Y > k) - P(-X > h, Y > k):

    >>> Orthant(2, -1, r)
    -Orthant(1, 2, -r) - erf(sqrt(2))/2 + 1/2
    >>> Orthant(1, 2, 1), Orthant(1, 2, -1), Orthant(1, 2, 0)
    (1/2 - erf(sqrt(2))/2, 0, (1/2 - erf(sqrt(2)/2)/2)*(1/2 - erf(sqrt(2))/2))
    """

    nargs = 3
    # lambdify finds the implementation here, for NumPy, math and mpmath alike
    _imp_ = staticmethod(orthant_value)

    @classmethod
    def eval(cls, h: Expr, k: Expr, r: Expr) -> Expr | None:
        if S.NaN in (h, k, r):
            return S.NaN
        if h.is_zero and k.is_zero:
            return S.Half * ArcCosine(0, r)
        if _later(h, k):
            return cls(k, h, r)
        if h.could_extract_minus_sign():
            return normal_tail(k) - cls(-h, k, -r)
        if k.could_extract_minus_sign():
            return normal_tail(h) - cls(h, -k, -r)
        if r.could_extract_minus_sign() and (h.is_zero or k.is_zero):
            return normal_tail(k if h.is_zero else h) - cls(h, k, -r)
        if r is S.Zero:
            return normal_tail(h) * normal_tail(k)
        if r is S.One:
            return _at_one(h, k)
        if r is S.NegativeOne:
            return _at_minus_one(h, k)
        return None

    def fdiff(self, argindex: int = 3) -> Expr:
        h, k, r = self.args
        if argindex == 3:
            form = (h**2 - 2 * r * h * k + k**2) / (2 * (1 - r**2))
            return exp(-form) / (2 * pi * sqrt(1 - r**2))
        if argindex == 2:
            h, k = k, h
        elif argindex != 1:
            raise AsymptokError("Orthant has three arguments")
        return -normal_density(h) * normal_tail((k - r * h) / sqrt(1 - r**2))

    def _eval_is_extended_real(self) -> bool | None:
        return True if all(a.is_extended_real for a in self.args) else None

    def _eval_is_nonnegative(self) -> bool | None:
        return self._eval_is_extended_real()

    def _eval_is_finite(self) -> bool | None:
        return self._eval_is_extended_real()

    def shown_latex(self, printer: Printer) -> str:
        h, k, r = (printer._print(a) for a in self.args)
        return rf"\Phi_2\left({h}, {k}; {r}\right)"


def _later(h: Expr, k: Expr) -> bool:
    """Whether h comes after k; SymPy's own order evaluates long sums, for minutes where they are nested."""
    if dag.tree_size(h) + dag.tree_size(k) > _LONG:
        return h.compare(k) > 0
    return h.sort_key() > k.sort_key()


def _at_one(h: Expr, k: Expr) -> Expr | None:
    """P(X > max(h, k))."""
    above = (k - h).is_nonnegative
    if above is None and (k - h).is_nonpositive is not True:
        return None
    return normal_tail(k if above else h)


def _at_minus_one(h: Expr, k: Expr) -> Expr | None:
    """P(h < X < -k)."""
    if (h + k).is_nonnegative:
        return S.Zero
    return normal_tail(h) - normal_tail(-k) if (h + k).is_nonpositive else None


_UNBOUNDED = "a threshold is unbounded at the point"


@expands(Orthant)
def _orthant(context: Context, node: Expr, h: Series, k: Series, r: Series) -> Series:
    dom = context.dom
    values = [finite_limit(a, node, _UNBOUNDED) for a in (h, k, r)]
    result = h.scalar(_value(context, node, *values))
    square = context.number(1) - r * r
    half = dom.rational(fmpq(1, 2))
    if _varies(r):
        form = (h * h - (r * h * k).scaled(dom.rational(2)) + k * k).scaled(half)
        exponent = -(form * context.power(square, fmpq(-1), node))
        root = context.power(square, fmpq(-1, 2), node).scaled(dom.constant(1 / (2 * pi)))
        result = result + context.primitive(dom.zero, context.exponential(exponent, node) * root, r)
    for a, b in ((h, k), (k, h)):
        if _varies(a):
            distance = (b - r * a) * context.power(square, fmpq(-1, 2), node)
            cdf = context.expand(erf, distance.scaled(dom.constant(1 / sqrt(2))), node=node)
            density = context.exponential(-(a * a).scaled(half), node).scaled(dom.constant(1 / sqrt(2 * pi)))
            tail = (context.number(1) - cdf).scaled(half)
            result = result - context.primitive(dom.zero, density * tail, a)
    return result


def _varies(a: Series) -> bool:
    return exact_constant(a) is None


def _value(context: Context, node: Expr, h: Element, k: Element, r: Element) -> Element:
    """Orthant of the limits; at r = +-1 it is a probability in one variable."""
    dom = context.dom
    for end in (1, -1):
        if dom.is_zero(dom.add(r, dom.rational(-end))) is Truth.TRUE:
            gap = dom.add(h, dom.neg(k)) if end == 1 else dom.add(h, k)
            side = dom.sign(gap)
            if not side.known:
                raise dom.undecided(gap, "the sign of {}", node)
            if end == 1:
                return dom.apply(normal_tail, h if side.nonnegative else k)
            if side.nonnegative:
                return dom.zero
            return dom.add(dom.apply(normal_tail, h), dom.neg(dom.apply(normal_tail, dom.neg(k))))
    inside = dom.sign(dom.add(dom.one, dom.neg(dom.mul(r, r))))
    if not inside.known:
        raise dom.undecided(r, "whether {} lies in [-1, 1]", node)
    if inside.negative:
        raise ExpansionError(f"{node}: the correlation leaves [-1, 1]", node)
    return dom.apply(Orthant, h, k, r)
