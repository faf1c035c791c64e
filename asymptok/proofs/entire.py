"""Entire kernels: one bound for all ellipses at once, hence one that falls faster than every geometric sequence.

If |kappa(z)| <= M(r) for |z| <= r, then for every k >= 0 and every h > 0, since |cos theta|, |sin theta| <= cosh h,
    |mu_k| <= M(cosh h) cosh(h) S A_k e^(-(k+1)h),
and h may depend on k. M is read off the formula of the kernel: numbers are replaced by their absolute values, u by r,
sin, cos and erf by sinh, cosh and erfi, whose power series have the absolute values of the coefficients.
exp(c + f) has |exp(c + f)| <= e^c exp(M_f), c the real constant of a polynomial c + f; a hypergeometric function pFq,
p <= q, with positive parameters has positive coefficients.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import sympy
from flint import arb, arb_series, fmpq
from sympy import Expr, Poly, Symbol

from asymptok import dag
from asymptok.atlas.factors import curve_factor
from asymptok.atlas.rooted import without_roots
from asymptok.balls import ball, compile_ball
from asymptok.errors import AsymptokError
from asymptok.functions import record_of
from asymptok.precision import flint_length, flint_precision
from asymptok.quantities import whole
from asymptok.symbols import u

__all__ = ["entire_bound", "entire_law", "entire_value", "majorant"]

#: r >= |z|
radius = Symbol("r", positive=True)
#: steps of the search for the best h, and its denominator
_STEPS, _GRAIN = 60, 256
#: coefficients of a power series at most, and the relative size of what is left out
_LENGTH, _GOAL = 3000, fmpq(1, 2**60)


@lru_cache(maxsize=64)
def majorant(expr: Expr) -> Expr | None:
    """M(r) >= |kappa(z)| for all |z| <= r, an increasing function; None if the kernel is not seen to be entire.

    >>> majorant(sympy.exp(2*u - 2) - sympy.sin(u)), majorant(1/(2 - u))
    (exp(2*r - 2) + sinh(r), None)
    """
    expr = without_roots(expr)
    found: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        if isinstance(node, sympy.Tuple):
            continue  # the parameters of a hypergeometric function
        size = _size(node, found)
        if size is None:
            return None
        found[node] = size
    return found[expr]


def _size(node: Expr, found: dict[Expr, Expr]) -> Expr | None:
    if node == u:
        return radius
    if not node.has(u):
        value = ball(node)
        return node if value >= 0 else -node if value < 0 else None
    if isinstance(node, sympy.hyper):
        entire = len(node.ap) <= len(node.bq) and all(a.is_positive for a in (*node.ap, *node.bq))
        return sympy.hyper(node.ap, node.bq, found[node.argument]) if entire else None
    args = [found[a] for a in node.args]
    if node.is_Add or node.is_Mul:
        return node.func(*args)
    if isinstance(node, sympy.exp):
        inner = node.args[0]
        if not inner.is_polynomial(u):
            return sympy.exp(args[0])
        parts = ((monomial[0], c) for monomial, c in Poly(inner, u).terms())
        sizes = [(n, c if n == 0 else _size(c, found)) for n, c in parts]
        return (
            sympy.exp(sum(c * radius**n for n, c in sizes)) if all(c is not None for _, c in sizes) else None
        )
    if node.is_Pow:
        return args[0] ** node.exp if node.exp.is_Integer and node.exp > 0 else None
    record = record_of(node.func)
    if record is None or not record.entire(node) or not record.fixed_parameters(node):
        return None
    absolute = record.majorant(node)
    return None if absolute is None else absolute(*record.parameters(node), found[record.argument(node)])


def entire_law(expr: Expr) -> str:
    """The bound as text."""
    return f"|mu_k| <= M(cosh h) cosh(h) S A_k exp(-(k+1)h) for every h > 0, M(r) = {majorant(expr)}"


def entire_bound(expr: Expr, k: int, d: int) -> arb | None:
    """The least value of the bound at k over heights h that are tried; None if the kernel is not seen to be entire."""
    size = majorant(expr)
    if size is None:
        return None
    function = compile_ball(size, [radius])

    def value(h: fmpq) -> arb:
        height = arb(h)
        return function(height.cosh()) * height.cosh() * curve_factor(height, k, d)

    with flint_precision(64 + 2 * k.bit_length()):
        return value(_least(value, k)).upper()


def _least(value: Callable[[fmpq], arb], k: int) -> fmpq:
    """Where a value is least, about: log M(e^s) is convex in s, so by thirds."""
    low, high = 1, whole(((arb(k + 2).log() + 4) * _GRAIN).ceil().upper())
    for _ in range(_STEPS):
        if high - low < 3:
            break
        a, b = low + (high - low) // 3, high - (high - low) // 3
        low, high = (low, b) if not value(fmpq(a, _GRAIN)) > value(fmpq(b, _GRAIN)) else (a, high)
    return fmpq(low + high, 2 * _GRAIN)


def _radius(bound: Callable[[arb], arb], n: int) -> arb:
    """r > 1 at which M(r) r^-n is least, about."""
    return arb(_least(lambda s: bound(arb(s).exp()) * (-arb(s) * n).exp(), n)).exp()


def entire_value(expr: Expr, k: int, d: int) -> arb | None:
    """mu_k by partial sums of the power series sum a_n u^n; None if the kernel is not seen to be entire, or k is large.

    |a_n| <= M(r) r^-n and 0 <= mu_k(u^n) <= 1: the terms from n = N on add at most M(r) r^-N/(1 - r^-2).
    """
    size = majorant(expr)
    if size is None:
        return None
    bound, kernel = compile_ball(size, [radius]), compile_ball(expr, [u])
    length, best = 2 * k + 64, None
    while length <= _LENGTH:
        with flint_precision(160 + 2 * length), flint_length(length):
            # a radius about which the coefficients with n near k are the largest, and one that makes the tail small
            r, far = _radius(bound, k).mid(), _radius(bound, length)
            rest = (bound(far) * far**-length / (1 - far**-2)).upper()
            try:
                series = kernel(arb_series([0, r], prec=length))
            except (AsymptokError, ValueError):
                return None
            weight, total = arb(1), arb(0)
            for j in range(k):
                weight = weight * (j + 1) / (d + 2 * j)
            for n in range(k, length, 2):
                total = total + series[n] * r**-n * weight
                weight = weight * ((n + 1) * (n + 2)) / ((n - k + 2) * (n + k + d))
            best = total + arb(0, rest)
        if not best.is_finite():
            return None
        if best.rad() < arb(_GOAL) * abs(best.mid()):
            break
        length *= 2
    return best
