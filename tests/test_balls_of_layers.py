"""Expansions of networks over balls, to orders that exact ones reach in minutes: against values by mpmath, and exact ones."""

from __future__ import annotations

import mpmath
import pytest
from flint import arb, fmpq
from mpmath import mp

from asymptok import expand, kernels
from asymptok.kernels.kernel import Kernel

NETWORKS = {
    "elu NTK": lambda: kernels.network(3, "elu", tangent=True),
    "celu NNGP, skips": lambda: kernels.network(3, "celu", residual="1/3"),
    "selu NTK, biases": lambda: kernels.network(3, "selu", weight_variance=1, bias_variance=1, tangent=True),
    "leaky ReLU NTK, biases": lambda: kernels.network(
        5, "leaky_relu", weight_variance=1, bias_variance="1/3", tangent=True
    ),
    "ReLU NTK, thirds": lambda: kernels.network(4, weight_variance="5/3", bias_variance="1/7", tangent=True),
}


def series(kernel: Kernel, at: int, order: int) -> list[tuple[fmpq, arb]]:
    found = expand(kernel, at=at, order=order, balls=True, bits=256, unbounded=True).series
    assert all(not form and not j for _, form, _, j in found.terms())
    return [(rest, c) for c, _, rest, _ in found.terms()]


@pytest.mark.parametrize("at", [1, -1])
@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.slow
def test_the_sum_is_the_kernel(name: str, at: int) -> None:
    kernel, order, t = NETWORKS[name](), 12, fmpq(1, 2000)
    with mp.workdps(60):
        place = at * (1 - mpmath.mpf(1) / 2000)
        value = kernel.evaluate(place, dps=50)
        total = mpmath.mpf(0)
        for rest, c in series(kernel, at, order):
            assert c.rad() < arb(10) ** -20
            total += (
                mpmath.mpf(c.mid().str(60, radius=False))
                * mpmath.power(t.p, 1) ** 0
                * mpmath.mpf(1)
                / mpmath.power(2000, mpmath.mpf(int(rest.p)) / int(rest.q))
            )
        assert abs(total - value) < mpmath.mpf(10) ** -30


@pytest.mark.parametrize("at", [1, -1])
@pytest.mark.parametrize("name", ["elu NTK", "leaky ReLU NTK, biases", "ReLU NTK, thirds"])
@pytest.mark.slow
def test_the_first_terms_are_the_exact_ones(name: str, at: int) -> None:
    kernel = NETWORKS[name]()
    exact = expand(kernel, at=at, order=1, unbounded=True).series
    balls = dict(series(kernel, at, 1))
    for c, _, rest, _ in exact.terms():
        if rest <= 1 and not exact.dom.is_proved_zero(c):
            assert balls[rest].overlaps(exact.dom.enclosure(c, 512))
    assert all(
        rest in {r for _, _, r, _ in exact.terms()} or c.contains(0) for rest, c in balls.items() if rest <= 1
    )
