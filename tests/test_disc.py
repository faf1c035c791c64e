"""mu_k of means of products from values on the unit disc, against closed forms, own recursions and other rules."""

from __future__ import annotations

from math import erf, sqrt

import mpmath
import numpy as np
import pytest

from asymptok import Kernel, dual, eigenvalues, kernels
from asymptok.spectrum.disc import disc_quadrature

BITS = 80


@pytest.mark.parametrize(
    ("kernel", "d"),
    [
        (kernels.network(3), 3),
        (kernels.network(2, tangent=True), 2),
        (kernels.network(3, "step"), 4),
        (dual("gelu"), 12),
        (3 * dual("selu") + 1, 3),
    ],
)
def test_the_rule_agrees_with_closed_forms_and_ellipses(kernel: Kernel, d: int) -> None:
    other = eigenvalues(Kernel(kernel.expr), d, ks=[0, 1, 2, 4], dps=30)
    assert kernel.mean is not None and other.rigorous
    found = disc_quadrature(kernel.expr, kernel.mean, d, [0, 1, 2, 4], BITS)
    with mpmath.workdps(40):
        for k, value in found.items():
            assert value.proved and value.ball.rel_accuracy_bits() >= BITS
            gap = mpmath.mpf(value.ball.str(40, radius=False)) - other[k]
            assert abs(gap) <= abs(other[k]) * mpmath.mpf(2) ** (4 - BITS)


def _hard_tanh(c: np.ndarray) -> np.ndarray:
    """E[phi(X) phi(Y)] as the mean over X > 0 of 2 phi(X) E[phi(Y) | X], the inner mean by hand."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    x = np.concatenate([(nodes + 1) / 2, 1 + 4 * (nodes + 1)])
    p = np.concatenate([weights / 2, 4 * weights]) * 2 * np.minimum(x, 1) * _density(x)
    m, s = c[:, None] * x, np.sqrt(1 - c * c)[:, None]
    a, b = (-1 - m) / s, (1 - m) / s
    inside = m * (_chance(b) - _chance(a)) + s * (_density(a) - _density(b))
    return (inside - _chance(a) + 1 - _chance(b)) @ p


def _density(x: np.ndarray) -> np.ndarray:
    return np.exp(-x * x / 2) / np.sqrt(2 * np.pi)


_chance = np.vectorize(lambda x: (1 + erf(x / sqrt(2))) / 2)


def test_a_deep_network_with_kinks_against_its_own_recursion() -> None:
    spectrum = eigenvalues(kernels.network(3, "hard_tanh"), 3, ks=[0, 1, 3], dps=15)
    assert spectrum.rigorous and spectrum[0] == 0
    # u = 1 - s^2: the square root of 1 - u at the end goes away; E[phi^2] = 1 - 2 p(1)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    s = (nodes + 1) / 2
    variance = 1 - 2 * _density(np.ones(1))[0]
    kappa = _hard_tanh(_hard_tanh(1 - s * s) / variance) / variance
    assert abs(np.sum(weights * kappa * (1 - s * s) * s) - float(spectrum[1])) < 1e-6


def test_parity_and_diagonal_follow_from_the_activation() -> None:
    for depth in (2, 3):
        for tangent in (False, True):
            odd = kernels.network(depth, "hard_tanh", tangent=tangent)
            assert odd.mean is not None and odd.mean.parity == -1
            assert kernels.network(depth, "abs", tangent=tangent).mean.parity == 1
            assert kernels.network(3, "hard_tanh", 1, "1/3", tangent=tangent).mean.parity == 0
    skip = kernels.network(3, "abs", weight_variance=1, residual=1)
    assert skip.mean is not None and skip.mean.parity == 0
    ntk = kernels.network(3, "elu", tangent=True)
    assert abs(ntk.evaluate(1, dps=30) - ntk.evaluate("0.99999999999999999999", dps=30)) < 1e-18


def test_sums_and_products_keep_what_is_known() -> None:
    one, other = dual("hard_tanh"), dual("abs")
    assert one.mean is not None and other.mean is not None
    assert [k.mean.parity for k in (2 * one, one * one, one**3, one * other, one + other, one + 1)] == [
        -1,
        1,
        -1,
        -1,
        0,
        0,
    ]
    for kernel in (2 * one + other, one * other, (one + 1) ** 2):
        assert abs(kernel.evaluate(1, dps=20) - kernel.evaluate("0.9999999999999999999", dps=20)) < 1e-17
