"""Taylor coefficients of a kernel at u = 0, exact."""

from __future__ import annotations

from functools import lru_cache

from sympy import Expr, Poly, S

from asymptok.arguments import whole_number
from asymptok.constants.decide import is_zero
from asymptok.errors import AsymptokError, ExpansionError
from asymptok.expansion.compute import puiseux
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = ["taylor"]


def taylor(kernel: Kernel | Expr | str, n: int) -> tuple[Expr, ...]:
    """b_0, ..., b_(n-1) of kappa(u) = sum b_j u^j; the kernel must be smooth next to u = 0.

    >>> taylor("kappa1(u)", 5)
    (1/pi, 1/2, 1/(2*pi), 0, 1/(24*pi))
    """
    n = whole_number(n, "number of coefficients", least=0)
    # by powers of two: the series is computed a few times, whatever is asked
    order = max(8, 1 << max(n - 2, 1).bit_length())
    return _coefficients(as_kernel(kernel), order)[:n]


@lru_cache(maxsize=64)
def _coefficients(kernel: Kernel, order: int) -> tuple[Expr, ...]:
    expr = kernel.expr
    if expr.is_polynomial(u):
        found = {n: c for (n,), c in Poly(expr, u).terms()}
        return tuple(found.get(n, S.Zero) for n in range(order + 1))
    sides = []
    for direction, sign in (("+", 1), ("-", -1)):
        try:
            expansion = puiseux(expr, u, 0, dir=direction, order=order, parameters=kernel.parameters)
        except ExpansionError as error:
            raise AsymptokError(f"{kernel} has no Taylor series at u = 0: {error}") from error
        if any(not t.exponent.is_Integer or t.exponent < 0 or t.log_power for t in expansion.terms):
            raise AsymptokError(f"{kernel} is not smooth at u = 0")
        sides.append({int(t.exponent): t.coefficient * sign ** int(t.exponent) for t in expansion.terms})
    for n in set(sides[0]) | set(sides[1]):
        gap = sides[0].get(n, S.Zero) - sides[1].get(n, S.Zero)
        if gap != 0 and is_zero(gap, kernel.parameters) is not Truth.TRUE:
            raise AsymptokError(
                f"{kernel} has different one-sided expansions at u = 0, and is not smooth there"
            )
    return tuple(sides[0].get(n, S.Zero) for n in range(order + 1))
