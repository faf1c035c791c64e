"""Eigenvalues of kernels on spheres by mpmath alone: series in powers of 1 - u, each term by its closed form.

mu_k((1-u)^e) = 2^(e+d-2) Gamma(d/2) Gamma(e+(d-1)/2)/sqrt(pi) (-e)_k/Gamma(k+e+d-1), and mu_k((1-u)^e log(1-u)) is its
derivative in e. Nothing of the package is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import mpmath
from mpmath import mpf

Moments = dict[int, Any]


def power(e: Any, d: int, ks: Iterable[int]) -> tuple[Moments, Moments]:
    """mu_k of (1-u)^e and of (1-u)^e log(1-u)."""
    half = mpf(d - 1) / 2
    value = mpf(2) ** (e + d - 2) * mpmath.gamma(mpf(d) / 2) * mpmath.gamma(e + half) / mpmath.sqrt(mpmath.pi)
    value /= mpmath.gamma(e + d - 1)
    slope = value * (mpmath.log(2) + mpmath.psi(0, e + half) - mpmath.psi(0, e + d - 1))
    values, slopes = {}, {}
    wanted = set(ks)
    for k in range(max(wanted) + 1):
        if k in wanted:
            values[k], slopes[k] = value, slope
        below = k + e + d - 1
        factor = (k - e) / below
        slope = slope * factor - value * (2 * k + d - 1) / below**2
        value *= factor
    return values, slopes


def summed(terms: Iterable[tuple[Any, Any, Any]], d: int, ks: list[int]) -> Moments:
    """sum of c (1-u)^e + b (1-u)^e log(1-u) over (e, c, b); the series must be long enough for the precision."""
    total = {k: mpf(0) for k in ks}
    for e, c, b in terms:
        values, slopes = power(mpf(e), d, ks)
        for k in ks:
            total[k] += c * values[k] + b * slopes[k]
    return total


def gamma_exponential(gamma: Any, c: Any = 1, terms: int = 60) -> list[tuple[Any, Any, Any]]:
    """exp(-c (1-u)^(gamma/2))."""
    return [(gamma * j / 2, mpf(-c) ** j / mpmath.factorial(j), 0) for j in range(terms)]


def matern(nu: Any, terms: int = 45) -> list[tuple[Any, Any, Any]]:
    """2^(1-nu)/Gamma(nu) x^nu K_nu(x), x = 2 sqrt(nu) sqrt(1-u)."""
    scale = 2 ** (1 - mpf(nu)) / mpmath.gamma(nu)
    q = mpf(nu)  # x^2/4 = nu (1-u)
    found = []
    if mpmath.isint(nu):
        n = int(nu)
        for j in range(n):
            c = mpf(2) ** (n - 1) * mpmath.factorial(n - j - 1) / mpmath.factorial(j) * (-q) ** j
            found.append((j, scale * c, 0))
        for j in range(terms):
            # K_n = ... + (-1)^n/2 (x/2)^n sum (psi(j+1) + psi(n+j+1) - log(x^2/4)) (x^2/4)^j/(j! (n+j)!), times x^n
            c = (
                mpf(-1) ** n
                * mpf(2) ** (n - 1)
                * q ** (n + j)
                / (mpmath.factorial(j) * mpmath.factorial(n + j))
            )
            inner = mpmath.psi(0, j + 1) + mpmath.psi(0, n + j + 1) - mpmath.log(q)
            found.append((n + j, scale * c * inner, -scale * c))
        return found
    outer = mpmath.pi / (2 * mpmath.sin(mpmath.pi * nu)) * scale * mpf(2) ** nu
    for j in range(terms):
        low = q**j / (mpmath.factorial(j) * mpmath.gamma(j - mpf(nu) + 1))
        high = q ** (mpf(nu) + j) / (mpmath.factorial(j) * mpmath.gamma(j + mpf(nu) + 1))
        found += [(j, outer * low, 0), (mpf(nu) + j, -outer * high, 0)]
    return found


def arc_cosine_one(d: int, ks: list[int]) -> Moments:
    """kappa_1, through the square of the coefficients of the activation."""
    found = {}
    for k in ks:
        root = (
            mpmath.gamma(mpf(d) / 2)
            / 4
            * mpmath.rgamma(1 + mpf(1 - k) / 2)
            * mpmath.rgamma(mpf(1 + k + d) / 2)
        )
        found[k] = 4 * mpmath.gamma(1 + mpf(d) / 2) / mpmath.gamma(mpf(d) / 2) * root**2
    return found


def by_quadrature(kappa: Callable[[Any], Any], d: int, k: int, cuts: Iterable[Any] = ()) -> Any:
    """c_d int kappa(1-t) P_k sin^(d-2) in theta, mpmath.quad on pieces."""
    pieces = sorted({*mpmath.linspace(0, mpmath.pi, 5 + k // 4), *cuts})
    order = mpf(d - 2) / 2

    def zonal(x: Any) -> Any:
        if d == 2:
            return mpmath.chebyt(k, x)
        return mpmath.gegenbauer(k, order, x) / mpmath.gegenbauer(k, order, 1)

    def integrand(theta: Any) -> Any:
        t = 2 * mpmath.sin(theta / 2) ** 2
        return kappa(t) * zonal(1 - t) * mpmath.sin(theta) ** (d - 2)

    scale = mpmath.gamma(mpf(d) / 2) / (mpmath.sqrt(mpmath.pi) * mpmath.gamma(mpf(d - 1) / 2))
    return scale * mpmath.quad(integrand, pieces)
