"""K_nu on arrays of doubles, for one real order: a series next to 0, an integral elsewhere, a recurrence in nu."""

from __future__ import annotations

from functools import lru_cache
from math import ceil

import mpmath
import numpy as np

from asymptok.points import Array
from asymptok.precision import mpmath_precision

__all__ = ["bessel_k"]

#: the series is used up to here; its terms fall like (x/2)^(2n)/n!^2
_NEAR = 1.0
_TERMS = 17
#: step and number of nodes of the trapezoidal rule: e^(-s^2) is below 1e-17 at the last one
_STEP, _NODES = 0.2, 32


def bessel_k(order: float | int, x: object) -> Array:
    """K_order(x) for x > 0, infinite at 0; nan for an order that is no single real number or is beyond 60.

    >>> exact = np.sqrt(np.pi / 6) * np.exp(-3.0)
    >>> bool(abs(bessel_k(0.5, np.array([3.0]))[0] / exact - 1) < 2**-50)
    True
    """
    x = np.asarray(x, dtype=float)
    if np.ndim(order) or not abs(order) <= 60:
        return np.full(x.shape, np.nan)
    nu = abs(float(order))
    count = ceil(nu - 0.5)
    mu = nu - count  # |mu| <= 1/2
    before, here = np.empty_like(x), np.empty_like(x)
    near = x <= _NEAR
    before[near], here[near] = _series(mu, x[near])
    before[~near], here[~near] = _integral(mu, x[~near])
    if count == 0:
        return before
    # K_(m+1) = K_(m-1) + (2m/x) K_m: positive terms, no digit is lost
    for j in range(1, count):
        before, here = here, before + (2 * (mu + j) / x) * here
    return here


@lru_cache(maxsize=64)
def _gammas(mu: float) -> tuple[float, ...]:
    """Gamma(1+mu), Gamma(1-mu), pi mu/sin(pi mu), and the odd and even parts of 1/Gamma(1-mu)."""
    with mpmath_precision(140):
        m = mpmath.mpf(mu)
        plus, minus = mpmath.gamma(1 + m), mpmath.gamma(1 - m)
        odd = (1 / minus - 1 / plus) / (2 * m) if m else -mpmath.euler
        parts = (plus, minus, 1 / mpmath.sincpi(m), odd, (1 / minus + 1 / plus) / 2)
        return tuple(map(float, parts))


def _series(mu: float, x: Array) -> tuple[Array, Array]:
    """K_mu and K_(mu+1) from the power series of I_(-mu) and I_mu, joined so that mu -> 0 loses nothing."""
    plus, minus, ratio, odd, even = _gammas(mu)
    log = np.log(2 / x)
    sigma = mu * log
    # sinh(sigma)/mu, which is log for mu = 0
    f = ratio * (np.cosh(sigma) * odd + (np.sinh(sigma) / mu if mu else log) * even)
    p, q = np.exp(sigma) * plus / 2, np.exp(-sigma) * minus / 2
    scale = np.ones_like(x)
    first, second = f.copy(), p.copy()
    for n in range(1, _TERMS):
        f = (n * f + p + q) / (n * n - mu * mu)
        p, q = p / (n - mu), q / (n + mu)
        scale = scale * (x * x / 4) / n
        first += scale * f
        second += scale * (p - n * f)
    return first, 2 / x * second


def _integral(mu: float, x: Array) -> tuple[Array, Array]:
    """int_0^oo e^(-x cosh y) cosh(mu y) dy with x (cosh y - 1) = s^2, by the trapezoidal rule in s."""
    total = [np.zeros_like(x), np.zeros_like(x)]
    for j in range(_NODES):
        s = _STEP * j
        weight = _STEP * (0.5 if j == 0 else 1.0) * np.exp(-s * s) * 2 / np.sqrt(2 * x + s * s)
        y = 2 * np.arcsinh(s / np.sqrt(2 * x))
        for i, order in enumerate((mu, mu + 1)):
            total[i] += weight * np.cosh(order * y)
    decay = np.exp(-x)
    return decay * total[0], decay * total[1]
