"""kappa on arrays: interpolants against proved digits, single precision, unbounded ends."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Rational

from asymptok import AsymptokError, Kernel, kernels
from asymptok.spectrum.interpolating import interpolant

EPS = 2.0**-52
POINTS = np.concatenate(
    [
        1 - 10.0 ** -np.arange(1, 16.5, 1.5),
        -1 + 10.0 ** -np.arange(1, 16.5, 1.5),
        np.random.default_rng(1).uniform(-1, 1, 12),
        [1.0, -1.0, 0.0],
    ]
)


@pytest.mark.parametrize(
    "kernel",
    [
        kernels.random_features(2),
        kernels.ntk(3),
        kernels.random_features(4),
        kernels.ntk(10),
        kernels.matern(Rational(5, 2)),
        kernels.matern(Rational(1, 3)),
        kernels.laplace(2),
        Kernel("(1 - u)**(2/7) + 1"),
    ],
    ids=str,
)
def test_an_interpolant_errs_by_units_in_the_last_place(kernel):
    found = interpolant(kernel.expr)
    assert found is not None and found.error < 2.0**-51
    exact = np.array([float(kernel.evaluate(float(x), 20)) for x in POINTS])
    # the slope in theta times the rounding of theta comes on top of the rounding of the value
    slope = np.abs(np.gradient(found(np.cos(np.linspace(0, np.pi, 2001))), np.pi / 2000)).max()
    assert np.all(
        np.abs(found(POINTS.copy()) - exact) <= EPS * (8 * np.abs(exact) + 4 * slope * (exact != 0))
    )


def test_what_has_a_kink_has_no_interpolant():
    assert interpolant(Kernel("abs(u)").expr) is None


@pytest.mark.parametrize(
    "text",
    [
        "(exp(u) - 1)/u",
        "(1 - cos(u))/u**2",
        "coth(u) - 1/u",
        "(1 - exp(-3*(1-u)))/(1-u)",
        "tan(2*u)*cos(2*u)",
    ],
)
@pytest.mark.parametrize("repeated", [1, 50])
def test_no_digits_are_lost_next_to_a_removable_point(text, repeated):
    kernel = Kernel(text)
    points = np.array([0, 1e-12, -1e-9, 1e-6, -1e-3, 1 - 1e-9, np.pi / 4])
    exact = np.array([float(kernel.evaluate(float(x), 20)) for x in points])
    # a few points by the formula with care, many by an interpolant
    found = kernel(np.tile(points, repeated)).reshape(repeated, -1)
    assert np.all(np.abs(found - exact) <= 1e-14)


def test_large_arrays_agree_with_small_ones():
    u = np.cos(np.linspace(0, np.pi, 60_001))
    large, small = kernels.ntk(3)(u), kernels.ntk(3)(u[::997])
    assert np.all(np.abs(large[::997] - small) < 1e-13)
    assert large[0] == 3.0


def test_single_precision_is_accepted_with_its_own_tolerance():
    u = np.array([1 + 1e-6, 0.5, -1 - 1e-6], dtype=np.float32)
    values = kernels.ntk(2)(u)
    assert values.dtype == np.float32 and values[0] == 2.0 and values[2] == 0.0
    with pytest.raises(AsymptokError, match="outside"):
        kernels.ntk(2)(np.array([1 + 1e-6]))


def test_an_unbounded_kernel_is_infinite_at_its_end():
    values = Kernel("-log((1 - u)/2)")(np.array([1.0, -1.0]))
    assert values[0] == np.inf and values[1] == 0.0
