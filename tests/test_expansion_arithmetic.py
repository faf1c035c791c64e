"""Expansions as objects one can compute with, against expansions of the combined kernels."""

from __future__ import annotations

import random

import pytest
from sympy import Rational

from asymptok import AsymptokError, Kernel, expand, kernels, u

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


PARTS = [
    "kappa0(u)", "kappa1(u)", "exp(-sqrt(1-u))", "(1-u)**(1/3)", "(1-u)**2*log(1-u) + u", "exp(u)", "sqrt(1+u)",
    "1/(3+u)",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_random_combinations_are_those_of_the_kernels(seed):
    rng = random.Random(seed)
    # of two equal ones the difference is known to be 0, and that of their expansions only up to the remainder
    f, g = map(Kernel, rng.sample(PARTS, 2))
    at, order = rng.choice((1, -1)), rng.choice((1, 2, 3))
    first, second = expand(f, at, order), expand(g, at, order)
    assert first + second == expand(f + g, at, order)
    assert first - second == expand(f - g, at, order)
    assert first * second == expand(f * g, at, order)
    assert first / 3 == expand(Rational(1, 3) * f, at, order)
    assert first**2 == expand(f * f, at, order)
    slope = expand(Kernel(-at * f.expr.diff(u)), at, order - 1, unbounded=True)
    assert first.diff().terms == slope.terms


def test_what_is_no_quotient_and_no_power():
    a = expand(A, order=1)
    with pytest.raises(AsymptokError, match="not zero"):
        a / 0
    with pytest.raises(AsymptokError, match="positive whole"):
        a**-1
