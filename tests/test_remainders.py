"""Remainders with constants: true at fifty points of each end, and not silly."""

from __future__ import annotations

import mpmath
import pytest
from sympy import Rational

from asymptok import AsymptokError, Kernel, expand, kernels

KERNELS = {
    "ntk 2": kernels.ntk(2),
    "ntk 3": kernels.ntk(3),
    "ntk 6": kernels.ntk(6),
    "rf 3": kernels.random_features(3),
    "rf 5": kernels.random_features(5),
    "laplace": kernels.laplace(3),
    "matern 5/2": kernels.matern(Rational(5, 2)),
    "gamma 1/2": kernels.gamma_exponential(Rational(1, 2)),
    "step 3": kernels.step_features(3),
    "relu with bias": kernels.relu_network(3, 1, 1),
    "arc-cosine 2": kernels.arc_cosine(2),
    "gaussian": kernels.gaussian(),
    "cauchy": kernels.cauchy(),
    "product": Kernel("u*sqrt(1 - u**2)*exp(-(1+u)**(3/2))"),
}


@pytest.mark.parametrize("at", [1, -1])
@pytest.mark.parametrize("name", KERNELS)
def test_true_and_sharp(name, at):
    kernel = KERNELS[name]
    expansion = expand(kernel, at=at, order=2)
    bound = expansion.bound()
    if bound.constant == 0:
        assert not expansion.remainder
        return
    best = mpmath.mpf(0)
    with mpmath.workdps(180):
        radius = mpmath.mpf(bound.radius.p) / bound.radius.q
        for j in range(50):
            t = radius * mpmath.mpf(10) ** (-mpmath.mpf(j) * 30 / 49)
            truth = abs(kernel.evaluate(at * (1 - t), dps=150) - expansion.evaluate(t, dps=150))
            assert truth <= bound(t)
            best = max(best, truth / bound(t))
    assert best > mpmath.mpf(1) / 100


def test_the_radius_asked_for():
    expansion = expand(kernels.ntk(3), order=3)
    small, large = expansion.bound("1/100"), expansion.bound(radius=Rational(3, 2))
    assert small.radius == Rational(1, 100) and large.radius == Rational(3, 2)
    assert small.constant <= large.constant * (1 + mpmath.mpf("1e-10"))
    with pytest.raises(AsymptokError, match="0 < t"):
        small("0.5")
    for bad in (0, 2, -1, "x"):
        with pytest.raises(AsymptokError):
            expansion.bound(bad)


def test_no_claim_where_nothing_is_proved():
    with pytest.raises(AsymptokError):
        expand(Kernel("exp(-(1-u)**(g/2))", parameters={"g": (0, 2)}), order=1).bound()
    # a pole at u = -3/10 lies in the way, at t = 13/10
    expansion = expand(Kernel("sqrt(1-u)/(u + 3/10)"), order=1)
    assert expansion.bound().radius <= 1
    with pytest.raises(AsymptokError, match="smaller radius"):
        expansion.bound("7/5")
