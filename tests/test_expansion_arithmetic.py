"""Expansions as objects one can compute with, against expansions of the combined kernels."""

from __future__ import annotations

import pytest
from sympy import Rational

from asymptok import AsymptokError, Kernel, expand, kernels

A, B = kernels.ntk(3), Kernel("exp(-sqrt(1 - u)) + (1-u)*log(1-u)")


@pytest.mark.parametrize("at", [1, -1])
def test_sums_products_and_multiples(at):
    a, b = expand(A, at, 3), expand(B, at, 3)
    assert a + b == expand(A + B, at, 3)
    assert a - b == expand(A - B, at, 3)
    assert a * b == expand(A * B, at, 3)
    assert 2 * a - 1 == expand(2 * A - 1, at, 3)
    assert a != b and a == expand(A, at, 3)


def test_derivative_and_rescaling():
    a = expand("(1-u)**(3/2) + (1-u)*log(1-u)", order=2)
    assert str(a.diff()) == "log(t) + 1 + 3/2*t**(1/2)"
    stretched = a.rescale(4)
    for t in (Rational(1, 7), Rational(1, 90)):
        assert abs(stretched.evaluate(t, 25) - a.evaluate(4 * t, 25)) < 1e-24
    with pytest.raises(AsymptokError, match="positive"):
        a.rescale(-1)
    with pytest.raises(AsymptokError, match="not combined"):
        a + expand("u", at=-1)


def test_the_remainder_is_carried():
    a = expand(A, order=1)
    assert [str(r.exponent) for r in (a * a).remainder] == ["3/2"]
    assert [str(r.exponent) for r in a.diff().remainder] == ["1/2"]
