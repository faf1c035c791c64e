"""mu_k by Gauss-Legendre quadrature in theta = acos(u) on charts, all k at once, with proved error bounds.

    mu_k = c_d int_0^pi kappa(cos theta) P_k(cos theta) sin^(d-2)(theta) dtheta.

Rounding is carried by balls. Truncation: if |F| <= M on the Bernstein ellipse of parameter rho = e^beta, the
Chebyshev coefficients of F are at most 2 M rho^-j, the n-point rule is exact to degree 2n-1 and errs by at
most 2 + 2/15 on each even T_j beyond, so the error is at most (64/15) M rho^(-2n)/(1 - rho^-2). On the ellipse
|P_k(cos theta)| <= exp(k |Im theta|) by Laplace's integral (P_k is a mean of (cos theta + i x sin theta)^k
over x in [-1, 1]), and kappa is bounded on its boundary (`charts`).

One chart serves kernels that are analytic around [0, pi], also in roots of the distance from the ends; the others are
cut into several (`panels`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import ceil, log2

from flint import arb, fmpq
from sympy import Expr

from asymptok.atlas.charts import Boundary, Chart, boundary
from asymptok.atlas.local import Doubt, Unproved, behaviour, substitution_power
from asymptok.atlas.program import program
from asymptok.atlas.rewriting import rewritten
from asymptok.balls import compile_ball
from asymptok.errors import PrecisionError
from asymptok.precision import flint_precision
from asymptok.progress import each, share
from asymptok.quantities import exponent_above
from asymptok.spectrum.moments import cosine_moments, gegenbauer_moments, normalisation
from asymptok.spectrum.nodes import gauss_legendre
from asymptok.spectrum.settle import settle
from asymptok.spectrum.value import Values
from asymptok.symbols import u

__all__ = ["around_interval", "best_ellipse", "folded_values", "quadrature"]

#: values of beta tried, ascending
_BETAS = tuple(fmpq(j, 64) for j in (2, 4, 8, 12, 16, 24, 32, 40, 48, 64, 80, 96, 128, 160))
#: the one that is tried first
_MIDDLE = 6
_MAX_SUBSTITUTION = 24
#: nodes for each bit and each degree beyond which panels are cheaper: a peak, or a pole next to the interval
_COSTLY = 20


def quadrature(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    """mu_k for k in `ks`, each to `bits` bits relative to its size, proved; Unproved if no ellipse is found.

    Where mu_k cannot be told from zero within the bound on effort, the ball is 0 +- a proved bound.
    """
    p = substitution_power(expr)
    if p > _MAX_SUBSTITUTION:
        raise Unproved(f"exponents with denominator {p} need a substitution of too high a degree")
    _require_analytic_integrand(expr, d, p)
    top = max(ks)
    # mu_k of a kernel with a kink decays like k^-d: start there, and let the outcome tell what is missing
    # in high dimension like d^-k: whichever is larger
    start = 24 + min(ceil((d + 1) * log2(top + 2)), ceil((top + 1) * log2(top + d + 2)))
    limit = 512 + 24 * (top + d)

    def moments(left: Sequence[int], target: int) -> dict[int, arb]:
        return _at(expr, d, left, target, p)

    return settle(moments, ks, bits, start, limit)


def _require_analytic_integrand(expr: Expr, d: int, p: int) -> None:
    for at in (1, -1):
        order = behaviour(expr, at)[expr].order
        # zero order in s of kappa sin^(d-2) theta'; the order is a bound from below, so that nothing more is known
        if order < 0 and 2 * p * order + p * (d - 2) + p - 1 < 0:
            raise Unproved("the integrand may be unbounded at an end")


def around_interval(expr: Expr, p: int, beta: fmpq) -> Boundary | None:
    """Bounds on the ellipse `beta` around all of [0, pi]; None if kappa is not shown to be analytic inside."""
    return boundary(program(rewritten(expr)), Chart(fmpq(0), fmpq(1), p), beta)


@lru_cache(maxsize=256)
def best_ellipse(expr: Expr, p: int, bits: int, d: int, k: int) -> tuple[Boundary, int]:
    """The ellipse that needs the fewest nodes, and their number."""
    best: tuple[int, Boundary] | None = None
    # upwards from the middle of the table while it pays, downwards if the middle fails
    for step in (range(_MIDDLE, len(_BETAS)), range(_MIDDLE - 1, -1, -1)):
        for j in step:
            found = around_interval(expr, p, _BETAS[j])
            if found is None:
                if j >= _MIDDLE:
                    break
                continue
            n = found.nodes(bits, d, k)
            if best is not None and n >= best[0]:
                break
            best = (n, found)
    if best is None:
        raise Unproved("no ellipse around the interval on which the kernel is shown to be analytic")
    return best[1], best[0]


def _at(expr: Expr, d: int, ks: Sequence[int], target: int, p: int) -> dict[int, arb]:
    """mu_k with absolute errors of about 2^-target."""
    ellipse, n = best_ellipse(expr, p, target, d, max(ks))
    if n > _COSTLY * (target + max(ks)) + 2000:
        raise Unproved(f"a single ellipse needs {n} nodes", Doubt.COSTLY)
    # round up, so that neighbouring requests share their nodes
    n = -(-n // 16) * 16
    goal = target + n.bit_length()
    prec = _round_up(goal + n.bit_length() + 16)
    with share(0, 0.1):
        guard = _guard(expr, d, p, prec, goal, lambda: arb.legendre_p_root(n, 0))
    node_prec = _round_up(prec + guard)
    with share(0.1, 0.3):
        rule = gauss_legendre(n, node_prec)
    with share(0.3, 0.7):
        theta, even, odd = folded_values(expr, d, rule, p, node_prec)
    with flint_precision(prec):
        with share(0.7, 0.9):
            moments = cosine_moments(theta, even, odd, max(ks))
        with share(0.9, 1):
            sums = gegenbauer_moments(moments, d, ks)
        factor = normalisation(d)
        errors = ellipse.log2_error(n, d, list(ks))
        return {
            k: factor * (sums[k] + arb(0, arb((1, ceil(error))))) for k, error in zip(ks, errors, strict=True)
        }


def _round_up(bits: int) -> int:
    return -(-bits // 64) * 64


def _guard(expr: Expr, d: int, p: int, prec: int, goal: int, outermost: Callable[[], arb]) -> int:
    """Bits beyond `prec` so that the integrand is good to 2^-goal at the node next to the ends.

    acos and roots lose digits there, and there the nodes cluster; no other node is worse off.
    """
    guard = 16
    while guard <= 64 * prec:
        with flint_precision(prec + guard):
            _, even, odd = folded_values(expr, d, [(outermost(), arb(1))], p, prec + guard)
        if not (even[0].is_finite() and odd[0].is_finite()):
            guard += prec
            continue
        worst = max(exponent_above(x.rad()) for x in (even[0], odd[0]))
        if worst <= -goal:
            return guard
        guard += int(worst) + goal + 8
    raise PrecisionError("the kernel cannot be evaluated to the digits asked for inside (-1, 1)")


def folded_values(
    expr: Expr, d: int, rule: Sequence[tuple[arb, arb]], p: int, prec: int
) -> tuple[list[arb], list[arb], list[arb]]:
    """Nodes theta < pi/2 with weight * kappa * sin^(d-2), summed and subtracted over theta and pi - theta."""
    kernel = compile_ball(expr, [u])
    theta, even, odd = [], [], []
    chart = Chart(fmpq(0), fmpq(1), p)
    with flint_precision(prec):
        for s, weight in each(rule):
            # theta(-s) = pi - theta(s): s > 0 is the half next to u = -1, mirrored here
            z, slope = chart.angle(-s)
            sine, cosine = z.sin_cos()
            factor = weight * slope * sine ** (d - 2)
            plus, minus = factor * kernel(cosine), factor * kernel(-cosine)
            theta.append(z)
            even.append(plus + minus)
            odd.append(plus - minus)
    return theta, even, odd
