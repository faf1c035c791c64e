"""Expansions of networks over balls, to orders that exact ones reach in minutes, against values and exact terms."""

from __future__ import annotations

import mpmath
import pytest
from flint import arb, fmpq
from mpmath import mp

from asymptok import expand, kernels
from asymptok.kernels.kernel import Kernel

#: 1/t at the place where the sums are compared with values
DISTANCE = 2000
NETWORKS = {
    "elu NTK": lambda: kernels.network(3, "elu", tangent=True),
    "celu NNGP, skips": lambda: kernels.network(3, "celu", residual="1/3"),
    "selu NTK, biases": lambda: kernels.network(2, "selu", weight_variance=1, bias_variance=1, tangent=True),
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
    kernel = NETWORKS[name]()
    with mp.workdps(60):
        value = kernel.evaluate(at * (1 - mpmath.mpf(1) / DISTANCE), dps=50)
        total = mpmath.mpf(0)
        for rest, c in series(kernel, at, 12):
            assert c.rad() < arb(10) ** -20
            total += mpmath.mpf(c.mid().str(60, radius=False)) * mpmath.mpf(DISTANCE) ** (-float(rest))
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
