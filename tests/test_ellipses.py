"""Analytic kernels of which no more is known than ellipses: one power of rho and of k for every k >= 1."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import pytest
from sympy import N

from asymptok import certify

#: kernels with their singular point nearest to the interval
CASES: dict[str, tuple[Any, Any]] = {
    "1/(2 + sin(u))": (lambda u: 1 / (2 + mp.sin(u)), lambda: mp.mpc(-mp.pi / 2, mp.acosh(2))),
    "exp(1/(cos(u) + 1))": (lambda u: mp.exp(1 / (mp.cos(u) + 1)), lambda: mp.pi),
}


@pytest.mark.parametrize("text", CASES)
def test_the_ellipse_is_nearly_the_widest(text: str) -> None:
    z = CASES[text][1]()
    rho = N(certify(text, 3).rho, 20)
    most = mp.acosh((abs(z - 1) + abs(z + 1)) / 2)
    # an essential singularity makes the bounds next to it useless: the one that is told lies farther inside
    assert mp.exp(most - mp.mpf("0.35")) < rho < mp.exp(most)
    heights = [bound.height for bound in certify(text, 3).bounds]
    assert most - mp.mpf(1) / 32 < max(float(h.p) / float(h.q) for h in heights) < most


@pytest.mark.parametrize("d", [2, 3, 7])
@pytest.mark.parametrize("text", CASES)
def test_the_bound_holds_from_the_first_degree_on(text: str, d: int) -> None:
    found, kappa = certify(text, d), CASES[text][0]
    assert found.constants is not None and float(found.rate) == 1 - d / 2 and found.k0 == 1
    b, rho = found.constants[1], mp.mpf(N(found.rho, 20))
    scale = mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d - 1) / 2))
    for k in (1, 2, 5, 12):
        order = mp.mpf(d - 2) / 2

        def polynomial(a: Any, k: int = k, order: Any = order) -> Any:
            return (
                mp.cos(k * a)
                if order == 0
                else mp.gegenbauer(k, order, mp.cos(a)) / mp.binomial(k + d - 3, k)
            )

        value = scale * mp.quad(
            lambda a: kappa(mp.cos(a)) * polynomial(a) * mp.sin(a) ** (d - 2), [0, mp.pi / 2, mp.pi]
        )
        assert abs(value) <= b * rho**-k * mp.mpf(k) ** (1 - mp.mpf(d) / 2)
        assert found.lower(k) - mp.mpf(10) ** -13 <= value <= found.upper(k) + mp.mpf(10) ** -13
    assert "k >= 1: |mu_k| <= " in str(found) and "A_k \\le 2\\Gamma" in found.statement
