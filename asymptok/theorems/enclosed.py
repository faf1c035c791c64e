"""One eigenvalue in ball arithmetic, from the ranges of the kernel on small cells: it asks for no smoothness."""

from __future__ import annotations

from flint import arb
from sympy import Expr, S

from asymptok.balls import ball, compile_ball
from asymptok.functions.powers import integer_power
from asymptok.precision import flint_precision
from asymptok.quantities import exact_midpoint
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.intervals import Interval
from asymptok.spectrum.moments import normalisation
from asymptok.symbols import u

__all__ = ["enclose_eigenvalue"]


def enclose_eigenvalue(expr: Expr, d: int, k: int, cells: int = 2048) -> arb:
    """A ball around mu_k = c_d int_0^pi kappa(cos x) P_k(cos x) sin^(d-2)(x) dx, from the ranges on small cells.

    >>> enclose_eigenvalue(u, 3, 1).overlaps(arb(1)/3)
    True
    """
    with flint_precision(64):
        kappa = compile_ball(expr, [u])
        total = arb(0)
        width = arb.pi() / cells
        for j in range(cells):
            x = width * (arb(j).union(arb(j + 1)))
            middle = width * (2 * j + 1) / 2
            # |d/dx P_k(cos x)| <= k, since P_k(cos x) is a mean of cos(j x), j <= k, with weights >= 0
            gegenbauer = _gegenbauer(middle.cos(), d, k) + arb(0, (width * k / 2).upper())
            cosine = arb.min(arb.max(x.cos(), arb(-1)), arb(1))
            value = kappa(cosine)
            if not value.is_finite() and j in (0, cells - 1):
                # the ball passes +-1, where a square root of 1 - u is no real number
                value = _range_next_to(expr, 1 if j == 0 else -1, cosine)
            total += value * gegenbauer * integer_power(x.sin().nonnegative_part(), d - 2) * width
        return total * normalisation(d)


def _range_next_to(expr: Expr, at: int, cosine: arb) -> arb:
    """The range of kappa between the ball and the end, from intervals with exact ends."""
    edge = cosine.lower() if at == 1 else cosine.upper()
    inner = exact_midpoint(edge)
    cell = Interval(inner, S.One) if at == 1 else Interval(S.NegativeOne, inner)
    found = Enclosure(cell, {}).range(expr)
    return ball(found.lo).union(ball(found.hi)) if found.is_bounded else arb("nan")


def _gegenbauer(x: arb, d: int, k: int) -> arb:
    before, here = arb(1), x
    if k == 0:
        return before
    for j in range(1, k):
        before, here = here, ((2 * j + d - 2) * x * here - j * before) / (j + d - 2)
    return here
