"""mu_k of a kernel in plain form, by mpmath: the double-exponential rule in the angle, cut where it matters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

import mpmath as mp
from deceptive_kernels import Case

#: digits of the arithmetic: twice those of the results, for what loses half of them next to an end
DIGITS = 50
#: the nodes reach |x| <= RANGE, where weights have fallen below 10^-30
_RANGE = mp.mpf("3.6")


def moments(
    kappa: Callable[[Any], Any], d: int, ks: Sequence[int], cuts: Iterable[Any] = (), step: int = 24
) -> dict[int, tuple[Any, Any]]:
    """{k: (mu_k, error)}; the error is the difference between two step widths, 1/step and half of that.

    `cuts` are the points of (-1, 1) between which kappa is analytic; each piece in the angle has its own rule.
    """
    with mp.workdps(DIGITS):
        inside = sorted({mp.acos(x) for x in cuts if -1 < x < 1})
        angles = [mp.mpf(0), *inside, +mp.pi]
        coarse, fine = ({k: mp.mpf(0) for k in ks} for _ in range(2))
        for low, high in pairwise(angles):
            if high - low < mp.mpf(10) ** -25:
                continue
            for even, theta, weight in _nodes(low, high, 2 * step):
                u = mp.cos(theta)
                factor = kappa(u) * weight * mp.sin(theta) ** (d - 2)
                for k, value in _polynomials(u, d, ks).items():
                    fine[k] += factor * value
                    if even:
                        coarse[k] += 2 * factor * value
        norm = mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d - 1) / 2))
        return {k: (norm * fine[k], norm * abs(fine[k] - coarse[k]) + mp.mpf(10) ** -20) for k in ks}


def _nodes(low: Any, high: Any, per_unit: int) -> list[tuple[bool, Any, Any]]:
    count = int(_RANGE * per_unit)
    half = (high - low) / 2
    found = []
    for i in range(-count, count + 1):
        x = mp.mpf(i) / per_unit
        y = mp.pi / 2 * mp.sinh(x)
        weight = half * mp.pi / 2 * mp.cosh(x) / mp.cosh(y) ** 2 / per_unit
        # the distance to the nearer end keeps its digits
        distance = 2 * half / (1 + mp.exp(2 * abs(y)))
        theta = low + distance if y < 0 else high - distance
        # closer to an end the angle contributes less than the error that is stated
        if distance > mp.mpf(10) ** -23 and low < theta < high:
            found.append((i % 2 == 0, theta, weight))
    return found


def _polynomials(u: Any, d: int, ks: Sequence[int]) -> dict[int, Any]:
    """P_k(u) by (j+d-1) P_(j+2) = (2j+d) u P_(j+1) - (j+1) P_j."""
    before, here = mp.mpf(1), u
    found = {}
    for j in range(max(ks) + 1):
        if j in ks:
            found[j] = before
        before, here = here, ((2 * j + d) * u * here - (j + 1) * before) / (j + d - 1)
    return found


def cuts_of(case: Case) -> list[Any]:
    """Where the kernel is not analytic, and the real parts of complex points close by with a few widths around."""
    with mp.workdps(DIGITS):
        places = [p.where() for p in case.points] + [f() for f in case.flat_at]
        for z in case.nearest:
            value = mp.mpmathify(z.evalf(DIGITS))
            width = abs(value.imag) if isinstance(value, mp.mpc) else mp.mpf(0)
            places += [value.real + s * width * 4**j for s in (1, -1) for j in range(-1, 7)] if width else []
            if not width and abs(value) < 2:
                places += [mp.sign(value) * (1 - (abs(value) - 1) * 4**j) for j in range(12)]
        return places
