"""The referee: mu_k from its defining integral with mpmath.

It shares with the fast methods where to cut the interval (at kinks, around narrow features), and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import factorial

import mpmath
import sympy
from flint import arb, fmpq
from mpmath import mpf
from sympy import Expr

from asymptok.atlas.local import Unproved, substitution_power
from asymptok.atlas.switches import Resolver
from asymptok.errors import AsymptokError, Impossible, PrecisionError
from asymptok.patience import tick
from asymptok.precision import mpmath_precision
from asymptok.progress import each
from asymptok.spectrum.panels import features
from asymptok.spectrum.quadrature import around_interval
from asymptok.spectrum.value import Value, Values
from asymptok.symbols import u

#: bits of cancellation up to which the referee follows a small eigenvalue
_LARGEST_LOSS = 4000
#: a kernel that is analytic on the ellipse of this parameter has no narrow feature
_PLAIN = fmpq(1, 4)
#: bits beyond those asked for that an exact zero must stay below
_ZERO = 136
#: arguments of Bessel functions up to which the ascending series is summed
_SERIES = 400
#: equal pieces of [0, pi] up to degree _WAVES, twice as many up to 2 _WAVES, and so on
_PIECES, _WAVES = 4, 32


def reference(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    """mu_k = c_d int_0^pi kappa(cos x) P_k(cos x) sin^(d-2)(x) dx by tanh-sinh; errors are estimates."""
    return {k: _single(expr, d, k, bits) for k in each(ks)}


@lru_cache(maxsize=16)
def mpmath_function(expr: Expr) -> Callable[[mpf], mpf]:
    f: Callable[[mpf], mpf] = sympy.lambdify(u, expr, [{"besselk": _bessel_k}, "mpmath"], cse=True)
    return f


def _bessel_k(order: mpf, z: mpf) -> mpf:
    """K_n(z) by its ascending series for whole n: mpmath takes a limit in the order there, a hundred times as slow.

    2 K_n(z) (z/2)^n = sum_(j<n) (n-j-1)!/j! (-w)^j + (-1)^n w^n sum_j (psi(j+1) + psi(n+j+1) - log w) w^j/(j! (n+j)!),
    w = z^2/4.
    """
    if not (mpmath.isint(order) and isinstance(z, mpf) and 0 < z < _SERIES):
        return mpmath.besselk(order, z)
    n = abs(int(order))
    # the terms reach e^z, the sum e^-z; whole numbers in units of 2^-bits, since the sum is at least of order e^-z
    bits = -(-(mpmath.mp.prec + 3 * int(z) + 4 * n + 48) // 64) * 64
    with mpmath_precision(bits + 16):
        w = z * z / 4
        unit, step = 1 << bits, int(mpmath.ldexp(w, bits))
        shift, psi = int(mpmath.ldexp(mpmath.log(w), bits)), _digammas(n, bits)
        total, term = 0, factorial(n - 1) * unit if n else 0
        for j in range(1, n + 1):
            total += term
            term = -(term * step >> bits) // (j * max(n - j, 1))
        term, j = int(mpmath.ldexp((-w) ** n / factorial(n), bits)), 0
        while term:
            if j == len(psi):
                psi.append(psi[-1] + unit // j + unit // (n + j))
            total += term * (psi[j] - shift) >> bits
            j += 1
            term = (term * step >> bits) // (j * (n + j))
            if -1 <= term <= 1 and j > w:
                break
        value = mpmath.ldexp(mpmath.mpf(total), -bits) / (2 * (z / 2) ** n)
    return +value


@lru_cache(maxsize=16)
def _digammas(n: int, bits: int) -> list[int]:
    """psi(j+1) + psi(n+j+1) for j = 0, 1, ..., as far as they were asked for, in units of 2^-bits."""
    with mpmath_precision(bits + 16):
        return [int(mpmath.ldexp(-2 * mpmath.euler, bits)) + sum((1 << bits) // j for j in range(1, n + 1))]


@lru_cache(maxsize=16)
def _cuts(expr: Expr, d: int, bits: int) -> tuple[fmpq, ...]:
    """theta/pi where the interval is cut: a rule that does not know of a narrow peak does not see it either."""
    if not Resolver(expr).switching:
        try:
            if around_interval(expr, substitution_power(expr), _PLAIN) is not None:
                return ()
        except Unproved:
            pass
    try:
        return tuple(features(expr, d, bits))
    except (Unproved, AsymptokError):
        return ()  # nothing is known: mpmath's own estimate of its error has to tell


def _single(expr: Expr, d: int, k: int, bits: int) -> Value:
    loss = 32
    previous = mpmath.inf
    while loss <= _LARGEST_LOSS:
        value, error = _integral(expr, d, k, bits + loss)
        with mpmath_precision(bits + loss):
            # rounding of the sum, and the quadrature's own estimate
            error = error + mpmath.mpf(2) ** (-bits - loss + 8)
            if not error < previous / 16:
                break  # more bits do not help: the rule does not converge
            previous = error
            if abs(value) * mpmath.mpf(2) ** (-bits) >= error:
                return Value(_as_ball(value, error), False, "mpmath")
            if error < mpmath.mpf(2) ** (-bits - _ZERO + 8) and abs(value) <= error:
                # nothing but rounding is left: an exact zero as far as numbers can tell
                return Value(_as_ball(mpmath.mpf(0), 2 * error), False, "mpmath")
            # what looks like zero is held against the bound for zeros next
            loss = max(2 * loss + 32, _ZERO + 8 if abs(value) <= error else 0)
    raise PrecisionError(
        f"mpmath.quad does not settle on mu_{k} to {bits} bits: a kink inside (-1, 1), or cancellation beyond "
        f"{_LARGEST_LOSS} bits; ask for fewer digits or use another method"
    )


class _Nodes:
    """kappa(cos x) sin^(d-2)(x) and P_0, P_1, ... at every x that was asked for: all degrees ask at the same places."""

    def __init__(self, expr: Expr, d: int, bits: int) -> None:
        self._kernel, self._d, self._bits = mpmath_function(expr), d, bits
        self._known: dict[mpf, tuple[mpf, mpf, list[mpf]]] = {}

    def integrand(self, x: mpf, k: int) -> mpf:
        if x not in self._known:
            self._known[x] = self._at(x)
        cosine, weight, legendre = self._known[x]
        # (j+d-2) P_{j+1} = (2j+d-2) x P_j - j P_{j-1}
        for j in range(len(legendre) - 1, k):
            above = (2 * j + self._d - 2) * cosine * legendre[j] - j * legendre[j - 1]
            legendre.append(above / (j + self._d - 2))
        return weight * legendre[k]

    def _at(self, x: mpf) -> tuple[mpf, mpf, list[mpf]]:
        tick("an integral by mpmath")
        # next to the ends cos(x) is 1 - x^2/2: three times the bits keep what acos and sqrt need there
        with mpmath_precision(3 * self._bits):
            cosine = mpmath.cos(x)
            value = self._kernel(cosine)
            # polylogarithms come with an imaginary part of the size of a rounding
            if abs(mpmath.im(value)) > abs(value) * mpmath.mpf(2) ** (-2 * self._bits):
                raise Impossible(f"the kernel is not real at u = {mpmath.nstr(cosine, 8)}")
            weight = mpmath.re(value) * mpmath.sin(x) ** (self._d - 2)
        return +cosine, +weight, [mpmath.mpf(1), +cosine]


@lru_cache(maxsize=4)
def _nodes(expr: Expr, d: int, bits: int) -> _Nodes:
    return _Nodes(expr, d, bits)


def _integral(expr: Expr, d: int, k: int, bits: int) -> tuple[mpf, mpf]:
    nodes, cuts = _nodes(expr, d, bits), _cuts(expr, d, bits)
    with mpmath_precision(bits):
        constant = mpmath.gamma(mpmath.mpf(d) / 2) / (
            mpmath.sqrt(mpmath.pi) * mpmath.gamma(mpmath.mpf(d - 1) / 2)
        )
        pieces = _PIECES * (1 + k // _WAVES)
        inside = [mpmath.mpf(int(x.p)) / int(x.q) for x in cuts]
        grid = [
            mpmath.pi * x for x in sorted({*(mpmath.mpf(j) / pieces for j in range(pieces + 1)), *inside})
        ]
        value, error = mpmath.quad(lambda x: nodes.integrand(x, k), grid, error=True)
        return constant * value, constant * error


def _as_ball(value: mpf, error: mpf) -> arb:
    return arb(mpmath.mpf(value), arb(mpmath.mpf(error)))
