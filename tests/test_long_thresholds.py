"""Thresholds that are long constants are brought to an order without evaluating them."""

from __future__ import annotations

import pytest

from asymptok import kernels
from asymptok.functions.orthant import Orthant
from asymptok.symbols import u


def test_short_ones_keep_the_order_of_sympy() -> None:
    assert Orthant(2, 1, u).args[:2] == (1, 2)


@pytest.mark.slow
def test_a_deep_network_with_biases_is_made() -> None:
    """It took minutes."""
    kernel = kernels.network(5, "elu", weight_variance=1, bias_variance=1, tangent=True)
    assert kernel.expr.has(Orthant)
