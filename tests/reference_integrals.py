"""mu_k by its defining integral with mpmath alone: the double-exponential rule in the angle, kernels written by hand.

Nothing here uses the package: the functions are the textbook formulas, the rule is a trapezoid after
theta = (pi/2)(1 + tanh((pi/2) sinh x)), and all values of one kernel serve every k and d.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import mpmath as mp

#: digits of the arithmetic: three times those of the results, for acos and sqrt next to the ends
DIGITS = 110
STEP = mp.mpf(1) / 64
RANGE = mp.mpf("4.3")


def nodes(step: Any = STEP) -> list[tuple[Any, Any]]:
    """(theta, weight) with sum of weight * f(theta) = the integral of f over (0, pi)."""
    found = []
    count = int(RANGE / step)
    for i in range(-count, count + 1):
        x = i * step
        y = mp.pi / 2 * mp.sinh(x)
        weight = step * (mp.pi / 2) ** 2 * mp.cosh(x) / mp.cosh(y) ** 2
        theta = mp.pi / (1 + mp.exp(-2 * y))
        found.append((theta, weight))
    return found


def reference(
    kappa: Callable[[Any], Any], ks: Iterable[int], ds: Iterable[int], step: Any = STEP
) -> dict[tuple[int, int], Any]:
    """{(k, d): mu_k} for a function kappa of u."""
    wanted = sorted(ks)
    with mp.workdps(DIGITS):
        points = nodes(step)
        samples = [(mp.cos(theta), mp.sin(theta), weight) for theta, weight in points]
        values = [kappa(u) * weight for u, _, weight in samples]
        result = {}
        for d in ds:
            constant = mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d - 1) / 2))
            totals = dict.fromkeys(wanted, mp.mpf(0))
            for (u, sine, _), value in zip(samples, values, strict=True):
                factor = value * sine ** (d - 2)
                before, here = mp.mpf(1), u
                for j in range(wanted[-1] + 1):
                    if j in totals:
                        totals[j] += factor * before
                    # (j+d-1) P_(j+2) = (2j+d) u P_(j+1) - (j+1) P_j
                    before, here = here, ((2 * j + d) * u * here - (j + 1) * before) / (j + d - 1)
            result.update({(k, d): constant * totals[k] for k in wanted})
        return result


def kappa0(u: Any) -> Any:
    return 1 - mp.acos(u) / mp.pi


def kappa1(u: Any) -> Any:
    return (u * (mp.pi - mp.acos(u)) + mp.sqrt(1 - u * u)) / mp.pi


def random_features(depth: int) -> Callable[[Any], Any]:
    def kappa(u: Any) -> Any:
        for _ in range(depth - 1):
            u = kappa1(u)
        return u

    return kappa


def ntk(depth: int) -> Callable[[Any], Any]:
    def kappa(u: Any) -> Any:
        tangent = layer = u
        for _ in range(depth - 1):
            following = kappa1(layer)
            tangent = tangent * kappa0(layer) + following
            layer = following
        return tangent

    return kappa


def step_features(depth: int) -> Callable[[Any], Any]:
    def kappa(u: Any) -> Any:
        for _ in range(depth - 1):
            u = kappa0(u)
        return u

    return kappa


def gamma_exponential(gamma: Any) -> Callable[[Any], Any]:
    return lambda u: mp.exp(-((1 - u) ** (gamma() / 2)))


def laplace(u: Any) -> Any:
    return mp.exp(-mp.sqrt(1 - u))


def matern_one(u: Any) -> Any:
    """z K_1(z), z = 2 sqrt(t), t = 1 - u, by 1 + t sum (log t - psi(j+1) - psi(j+2)) t^j/(j! (j+1)!)."""
    t = 1 - u
    if t == 0:
        return mp.mpf(1)
    total, term, psi = mp.mpf(0), mp.mpf(1), 1 - 2 * mp.euler
    logarithm = mp.log(t)
    j = 0
    while term > mp.eps / 1000:
        total += (logarithm - psi) * term
        j += 1
        term *= t / (j * (j + 1))
        psi += mp.mpf(1) / j + mp.mpf(1) / (j + 1)
    return 1 + t * total
