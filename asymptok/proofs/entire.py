"""Entire kernels: one bound for all ellipses at once, hence one that falls faster than every geometric sequence.

If |kappa(z)| <= M(r) for |z| <= r, then for every k >= 0 and every h > 0, since |cos theta|, |sin theta| <= cosh h,
    |mu_k| <= M(cosh h) cosh(h) S A_k e^(-(k+1)h),
and h may depend on k. M is read off the formula of the kernel: numbers are replaced by their absolute values, u by r,
sin, cos and erf by sinh, cosh and erfi, whose power series have the absolute values of the coefficients.
exp(c + f) has |exp(c + f)| <= e^c exp(M_f), c the real constant of a polynomial c + f.
"""

from __future__ import annotations

from functools import lru_cache

import sympy
from flint import arb, fmpq
from sympy import Expr, Poly, Symbol

from asymptok import dag
from asymptok.balls import ball, compile_ball
from asymptok.precision import flint_precision
from asymptok.quantities import whole
from asymptok.spectrum.contour.factors import curve_factor
from asymptok.symbols import u

__all__ = ["entire_bound", "entire_law", "majorant"]

#: r >= |z|
radius = Symbol("r", positive=True)
#: functions whose power series at 0 have the coefficients of these up to signs
_ABSOLUTE = {
    sympy.sin: sympy.sinh,
    sympy.cos: sympy.cosh,
    sympy.sinh: sympy.sinh,
    sympy.cosh: sympy.cosh,
    sympy.erf: sympy.erfi,
    sympy.erfi: sympy.erfi,
}
#: steps of the search for the best h, and its denominator
_STEPS, _GRAIN = 60, 256


@lru_cache(maxsize=64)
def majorant(expr: Expr) -> Expr | None:
    """M(r) >= |kappa(z)| for all |z| <= r, an increasing function; None if the kernel is not seen to be entire.

    >>> majorant(sympy.exp(2*u - 2) - sympy.sin(u)), majorant(1/(2 - u))
    (exp(2*r - 2) + sinh(r), None)
    """
    found: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
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
    return _ABSOLUTE[node.func](args[0]) if node.func in _ABSOLUTE else None


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

    low, high = 1, whole(((arb(k + 2).log() + 4) * _GRAIN).ceil().upper())
    with flint_precision(64 + 2 * k.bit_length()):
        # log M(e^s) is convex in s: by thirds
        for _ in range(_STEPS):
            if high - low < 3:
                break
            a, b = low + (high - low) // 3, high - (high - low) // 3
            low, high = (low, b) if not value(fmpq(a, _GRAIN)) > value(fmpq(b, _GRAIN)) else (a, high)
        return value(fmpq(low + high, 2 * _GRAIN)).upper()
