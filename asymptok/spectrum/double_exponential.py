"""mu_k by the double-exponential rule in theta, for kernels with logarithms, wild exponents or kinks inside.

On each piece [a, b] between kinks theta = (a + b e^y)/(1 + e^y), y = pi sinh(x), and the trapezoidal rule in x,
whose step is halved until two sums agree. The error is that difference: an estimate, not a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import asinh, ceil, floor, log, log2, pi
from typing import Any

import sympy
from flint import arb, fmpq
from sympy.core.relational import Relational

from asymptok import dag
from asymptok.balls import compile_ball
from asymptok.errors import AsymptokError, PrecisionError
from asymptok.precision import flint_precision
from asymptok.spectrum.moments import cosine_moments, gegenbauer_moments, normalisation
from asymptok.spectrum.value import Value, Values
from asymptok.symbols import u

#: halvings of the step, and bits of cancellation, before the method gives up
_LEVELS = 9
_MAX_EXTRA = 600
#: how much closer to the ends than for a bounded kernel the nodes may go
_DEEPEST = 8
#: points at which sign changes of |w|, Max, ... are looked for
_SAMPLES = 257


def double_exponential(
    expr: Any, d: int, ks: Sequence[int], bits: int, report: Callable[[float], None] | None = None
) -> Values:
    """mu_k to about `bits` bits relative to its size; the error is an estimate."""
    top = max(ks)
    extra = 24 + ceil((d + 1) * log2(top + 2))
    while True:
        values, errors = _converged(expr, d, ks, bits + extra, report)
        with flint_precision(bits + extra + 32):
            balls = {k: values[k] + arb(0, errors[k].upper()) for k in ks}
        missing = max(bits - (0 if b.contains(0) else int(b.rel_accuracy_bits())) for b in balls.values())
        if missing <= 0 or extra >= _MAX_EXTRA:
            break
        extra = min(_MAX_EXTRA, extra + missing + 8 if missing < bits else 2 * extra + 32)
    # what is still around zero is reported as zero, with the size of the ball as its error
    return {
        k: Value(arb(0, b.abs_upper()) if b.contains(0) else b, False, "quadrature") for k, b in balls.items()
    }


def _converged(
    expr: Any, d: int, ks: Sequence[int], target: int, report: Callable[[float], None] | None
) -> tuple[dict[int, Any], dict[int, Any]]:
    kinks = interior_kinks(expr, 2 * target)
    prec, reach = _extent(expr, d, kinks, target)
    previous: dict[int, Any] | None = None
    step = fmpq(1, 4)
    theta: list[Any] = []
    values: list[Any] = []
    for level in range(_LEVELS):
        with flint_precision(prec):
            fresh_theta, fresh_values = _nodes(expr, d, kinks, step, reach, only_odd=level > 0)
        theta, values = theta + fresh_theta, values + fresh_values
        if report is not None:
            report((level + 1) / _LEVELS)
        if len(theta) < max(ks) // 2:
            step /= 2
            continue  # fewer nodes than oscillations: the sum says nothing yet
        with flint_precision(target + 64):
            scale = normalisation(d) * arb(step)
            sums = gegenbauer_moments(cosine_moments(theta, values, values, max(ks)), d, ks)
            current = {k: scale * s for k, s in sums.items()}
            if previous is not None:
                errors = {k: abs(current[k] - previous[k]) + current[k].rad() for k in ks}
                if all(e < arb((1, -target)) for e in errors.values()):
                    floor = arb((1, -target))
                    return {k: current[k].mid() for k in ks}, {k: errors[k] + floor for k in ks}
        previous = current
        step /= 2
    raise PrecisionError(
        f"the quadrature does not settle to 2^-{target} for {_short(expr)}: the kernel may have a singularity "
        "inside (-1, 1) that was not found; try fewer digits, or split the kernel at that point"
    )


def _extent(expr: Any, d: int, kinks: Sequence[Any], target: int) -> tuple[int, float]:
    """Bits for the evaluation, and how far out in x the nodes go: until the terms fall below 2^-target.

    Next to an end at distance 2^-depth, u = cos(theta) needs twice that many bits more.
    """
    # theta^(d-1) < 2^-target at the ends of the interval; at a kink inside nothing vanishes but the weight
    depth = target + 8 if kinks else ceil(target / max(1, d - 1)) + 8
    while depth <= _DEEPEST * (target + 8):
        prec = target + 2 * depth + 64
        reach = asinh(depth * log(2) / pi) + 0.1
        with flint_precision(prec):
            _, outermost = _nodes(expr, d, kinks, fmpq(ceil(reach * 64), 64), reach, only_odd=True)
            if all(value.abs_upper() < arb((1, -target)) for value in outermost):
                return prec, reach
        depth *= 2
    raise AsymptokError(
        f"the kernel {_short(expr)} is not integrable on the sphere in dimension d = {d} (or its singularity at an "
        "end is too strong to be seen past): mu_k does not exist"
    )


def _nodes(
    expr: Any, d: int, kinks: Sequence[Any], step: Any, reach: float, only_odd: bool
) -> tuple[list[Any], list[Any]]:
    """theta_j and kappa(cos theta) sin^(d-2)(theta) theta'(x_j); only the new points after a halving."""
    kernel = compile_ball(expr, [u])
    ends = [arb(0), *kinks, arb.pi()]
    theta, values = [], []
    last = max(1, floor(reach / float(int(step.p)) * float(int(step.q))))
    for a, b in pairwise(ends):
        for j in range(-last, last + 1):
            if only_odd and j % 2 == 0:
                continue
            x = arb(step * j)
            e = (-abs(arb.pi() * x.sinh())).exp()
            offset = (b - a) * e / (1 + e)  # distance to the nearer end, without cancellation
            point = a + offset if j < 0 else b - offset
            slope = offset / (1 + e) * arb.pi() * x.cosh()
            sine, cosine = (
                (offset.sin_cos() if a.is_zero() else point.sin_cos()) if j < 0 else point.sin_cos()
            )
            value = kernel(cosine) * sine ** (d - 2) * slope
            if not value.is_finite():
                raise AsymptokError(
                    f"the kernel {_short(expr)} has no finite real value at u = {cosine.str(8, radius=False)}: "
                    "it must be real and integrable on (-1, 1)"
                )
            theta.append(point)
            values.append(value)
    return theta, values


def interior_kinks(expr: Any, prec: int) -> list[Any]:
    """Points theta in (0, pi) where |w|, sign, Max, Min, Heaviside or a condition changes branch.

    >>> [kink.overlaps(arb.pi() / 3) for kink in interior_kinks(sympy.Abs(u - sympy.Rational(1, 2)), 100)]
    [True]
    """
    found: list[Any] = []
    for w in _switches(expr):
        f = compile_ball(w, [u])
        with flint_precision(prec):
            grid = [arb.pi() * fmpq(2 * j + 1, 2 * _SAMPLES) for j in range(_SAMPLES)]
            signs = [_sign(f(x.cos())) for x in grid]
            for low, high, before, after in zip(grid, grid[1:], signs, signs[1:], strict=False):
                if before == 0:
                    found.append(low)
                elif before * after < 0:
                    found.append(_bisect(f, low, high, before, prec))
    return sorted(found, key=lambda x: float(x.mid()))


def _switches(expr: Any) -> Iterator[Any]:
    for node in dag.postorder(expr):
        if isinstance(node, sympy.Abs | sympy.sign | sympy.Heaviside):
            yield node.args[0]
        elif isinstance(node, sympy.Max | sympy.Min):
            yield from (a - b for i, a in enumerate(node.args) for b in node.args[:i])
        elif isinstance(node, Relational):
            yield node.args[0] - node.args[1]


def _sign(value: Any) -> int:
    return 1 if value > 0 else -1 if value < 0 else 0


def _bisect(f: Callable[[Any], Any], low: Any, high: Any, sign: int, prec: int) -> Any:
    for _ in range(prec):
        middle = ((low + high) / 2).mid()
        here = _sign(f(middle.cos()))
        if here == 0:
            return middle
        low, high = (middle, high) if here == sign else (low, middle)
    return ((low + high) / 2).mid()


def _short(expr: Any) -> str:
    if dag.tree_size(expr) > 60:
        return "of this size"
    return str(expr)
