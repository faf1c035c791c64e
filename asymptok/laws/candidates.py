"""Where a kernel may be singular in the complex plane: in closed form, and as Taylor series on (-1, 1) show it."""

from __future__ import annotations

from functools import lru_cache
from math import cos, exp, inf, log, pi, sqrt

from flint import acb, arb, arb_series, fmpq
from sympy import Expr, Piecewise

from asymptok import dag
from asymptok.balls import compile_ball, complex_ball
from asymptok.errors import AsymptokError
from asymptok.functions import SWITCHES
from asymptok.functions.arccosine import ArcCosine
from asymptok.precision import flint_length, flint_precision
from asymptok.quantities import BallFunction
from asymptok.regularity.candidates import singular_points
from asymptok.symbols import u

__all__ = ["far_rate", "singular_candidates", "taylor_rate"]

#: Taylor series inside: number of points, of terms, and bits
_POINTS, _TERMS, _BITS = 15, 48, 256
#: the root test at that many terms finds a radius up to this factor too large
_ROOT_TEST = 1.15


def singular_candidates(expr: Expr) -> tuple[Expr, ...]:
    """The solutions of x(u) = s for every function of the expression with argument x that is singular at s.

    Only those that have a closed form; some may lie on another sheet, or cancel.

    >>> from sympy import sqrt
    >>> singular_candidates(sqrt(1 - u) + 1/(u**2 + 4))
    (1, -2*I, 2*I)
    """
    found: dict[Expr, None] = {}
    for node in dag.postorder(expr):
        if not isinstance(node, Expr) or not node.args or not node.has(u) or node.is_Add or node.is_Mul:
            continue
        try:
            points = singular_points(node)
        except AsymptokError:
            continue
        found.update(
            dict.fromkeys(z for z in (points.values if points is not None else ()) if not z.free_symbols)
        )
    return tuple(found)


@lru_cache(maxsize=128)
def far_rate(expr: Expr) -> float:
    """log rho of the nearest of these points that is not an end; infinite if there is none."""
    nearest = inf
    for z in singular_candidates(expr):
        value = complex_ball(z, prec=64)
        if not value.is_finite() or value.overlaps(acb(1)) or value.overlaps(acb(-1)):
            continue
        # Points of (-1, 1) are removable: the kernel is smooth there, or there would be no series.
        nearest = min(nearest, _log_rho(float(value.real.mid()), float(value.imag.mid())) or inf)
    return nearest


def _log_rho(x: float, y: float) -> float:
    """log of the sum of the semi-axes of the ellipse through x + iy; 0 on [-1, 1]."""
    half_sum = (sqrt((x - 1) ** 2 + y**2) + sqrt((x + 1) ** 2 + y**2)) / 2
    return log(half_sum + sqrt(half_sum**2 - 1)) if half_sum > 1 + 1e-12 else 0.0


@lru_cache(maxsize=128)
def taylor_rate(expr: Expr) -> float:
    """log rho of the nearest complex singular point inside the unit circle, as the Taylor series on (-1, 1) show it.

    At x the ends allow the radius 1 - |x|. A smaller one, by the root test, means a point at that distance; smooth
    on the real line, it lies above and below. Networks of arc-cosine functions are left out: the Taylor series of
    kappa_n at 0 has non-negative coefficients with the sum 1, so that it maps the unit disc to itself, and chains
    of such functions are analytic there.

    >>> from sympy import sqrt
    >>> round(taylor_rate(sqrt(1 - u) + 1/(4*u**2 + 1)), 1), taylor_rate(sqrt(1 - u))
    (0.4, inf)
    """
    if all(
        node.is_Add or node.is_Mul or isinstance(node, ArcCosine) for node in dag.postorder(expr) if node.args
    ):
        return inf
    if isinstance(expr, Piecewise):
        return min((taylor_rate(part) for part, _ in expr.args if part.has(u)), default=inf)
    if expr.has(*SWITCHES):
        # no power series arithmetic for a choice of branches: its arguments may have them
        return min((taylor_rate(a) for a in expr.args if a.has(u) and a != u), default=inf)
    function = compile_ball(expr, [u])
    nearest = inf
    for j in range(1, _POINTS + 1):
        centre = round(1024 * cos(pi * j / (_POINTS + 1)))
        try:
            radius = _radius(function, fmpq(centre, 1024))
        except AsymptokError:
            # A function without power series arithmetic: its arguments may have them.
            return min((taylor_rate(a) for a in expr.args if a.has(u) and a != u), default=inf)
        x = centre / 1024
        if radius < 1 - abs(x):
            nearest = min(nearest, _log_rho(x, radius / _ROOT_TEST))
    return nearest


def _radius(function: BallFunction, centre: fmpq) -> float:
    """The radius of convergence by the last third of the coefficients; infinite where they are not to be had."""
    with flint_precision(_BITS), flint_length(_TERMS):
        try:
            series = function(arb_series([arb(centre), 1], prec=_TERMS))
        except (ValueError, ZeroDivisionError):
            return inf  # flint divides by no series without a constant term: sin(u)/u at 0 tells nothing
        growth = -inf
        for n in range(2 * _TERMS // 3, _TERMS):
            size = abs(series[n]).upper()
            if not size.is_finite():
                return inf
            if size > 0:
                growth = max(growth, float(size.log().mid()) / n)
    return exp(-growth) if growth > -inf else inf
