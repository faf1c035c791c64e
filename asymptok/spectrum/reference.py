"""The referee: mu_k from its defining integral with mpmath.

It shares with the fast methods where to cut the interval (at kinks, around narrow features), and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import mpmath
import sympy
from flint import arb, fmpq

from asymptok.errors import AsymptokError, PrecisionError
from asymptok.precision import mpmath_precision
from asymptok.spectrum.local import Unproved, substitution_power
from asymptok.spectrum.panels import features
from asymptok.spectrum.quadrature import boundary
from asymptok.spectrum.switches import Resolver
from asymptok.spectrum.value import Value, Values
from asymptok.symbols import u

#: bits of cancellation up to which the referee follows a small eigenvalue
_LARGEST_LOSS = 4000
#: a kernel that is analytic on the ellipse of this parameter has no narrow feature
_PLAIN = fmpq(1, 4)


def reference(
    expr: Any, d: int, ks: Sequence[int], bits: int, report: Callable[[float], None] | None = None
) -> Values:
    """mu_k = c_d int_0^pi kappa(cos x) P_k(cos x) sin^(d-2)(x) dx by tanh-sinh; errors are estimates."""
    result: Values = {}
    for done, k in enumerate(ks):
        result[k] = _single(expr, d, k, bits)
        if report is not None:
            report((done + 1) / len(ks))
    return result


@lru_cache(maxsize=16)
def _function(expr: Any) -> Callable[[Any], Any]:
    f: Callable[[Any], Any] = sympy.lambdify(u, expr, "mpmath")
    return f


@lru_cache(maxsize=16)
def _cuts(expr: Any, d: int, bits: int) -> tuple[Any, ...]:
    """theta/pi where the interval is cut: a rule that does not know of a narrow peak does not see it either."""
    if not Resolver(expr).switching:
        try:
            if boundary(expr, substitution_power(expr), _PLAIN) is not None:
                return ()
        except Unproved:
            pass
    try:
        return tuple(features(expr, d, bits))
    except (Unproved, AsymptokError):
        return ()  # nothing is known: mpmath's own estimate of its error has to tell


def _single(expr: Any, d: int, k: int, bits: int) -> Value:
    loss = 16
    previous = mpmath.inf
    while loss <= _LARGEST_LOSS:
        value, error = _integral(_function(expr), d, k, bits + loss, _cuts(expr, d, bits + loss))
        with mpmath_precision(bits + loss):
            # rounding of the sum, and the quadrature's own estimate
            error = error + mpmath.mpf(2) ** (-bits - loss + 8)
            if not error < previous / 16:
                break  # more bits do not help: the rule does not converge
            previous = error
            if abs(value) * mpmath.mpf(2) ** (-bits) >= error:
                return Value(_as_ball(value, error), False, "mpmath")
            if error < mpmath.mpf(2) ** (-bits - 128) and abs(value) <= error:
                # nothing but rounding is left: an exact zero as far as numbers can tell
                return Value(_as_ball(mpmath.mpf(0), 2 * error), False, "mpmath")
            loss = 2 * loss + 32
    raise PrecisionError(
        f"mpmath.quad does not settle on mu_{k} to {bits} bits: a kink inside (-1, 1), or cancellation beyond "
        f"{_LARGEST_LOSS} bits; ask for fewer digits or use another method"
    )


def _integral(
    kernel: Callable[[Any], Any], d: int, k: int, bits: int, cuts: Sequence[Any]
) -> tuple[Any, Any]:
    with mpmath_precision(bits):
        constant = mpmath.gamma(mpmath.mpf(d) / 2) / (
            mpmath.sqrt(mpmath.pi) * mpmath.gamma(mpmath.mpf(d - 1) / 2)
        )

        def integrand(x: Any) -> Any:
            # next to the ends cos(x) is 1 - x^2/2: three times the bits keep what acos and sqrt need there
            with mpmath_precision(3 * bits):
                cosine = mpmath.cos(x)
                value = kernel(cosine)
                if mpmath.im(value):
                    raise AsymptokError(f"the kernel is not real at u = {mpmath.nstr(cosine, 8)}")
                value = mpmath.re(value) * _gegenbauer(cosine, d, k) * mpmath.sin(x) ** (d - 2)
            return +value

        pieces = 2 + k // 8
        inside = [mpmath.mpf(int(x.p)) / int(x.q) for x in cuts]
        grid = [
            mpmath.pi * x for x in sorted({*(mpmath.mpf(j) / pieces for j in range(pieces + 1)), *inside})
        ]
        value, error = mpmath.quad(integrand, grid, error=True)
        return constant * value, constant * error


def _gegenbauer(x: Any, d: int, k: int) -> Any:
    """P_k by (j+d-2) P_{j+1} = (2j+d-2) x P_j - j P_{j-1}."""
    if k == 0:
        return mpmath.mpf(1)
    before, here = mpmath.mpf(1), x
    for j in range(1, k):
        before, here = here, ((2 * j + d - 2) * x * here - j * before) / (j + d - 2)
    return here


def _as_ball(value: Any, error: Any) -> Any:
    return arb(mpmath.mpf(value), mpmath.mpf(error))
