"""High degrees, high dimensions, tiny and huge parameters: the numbers stay right, or there are none."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest
from sympy import Rational
from thorough import THOROUGH

from asymptok import AsymptokError, Kernel, decay, eigenvalues, kernels
from asymptok.verification.double import double_spectrum

MILLIONTH = Rational(1, 10**6)
WILD = [
    kernels.laplace(MILLIONTH),
    kernels.laplace(1000),
    kernels.gaussian(MILLIONTH),
    kernels.gaussian(10**4),
    kernels.matern(Rational(3, 2), Rational(1, 1000)),
    kernels.matern(Rational(3, 2), 1000),
    kernels.rational_quadratic(1, Rational(1, 1000)),
    kernels.poisson(Rational(999, 1000), 3),
    kernels.gamma_exponential(Rational(1, 100)),
    kernels.gamma_exponential(Rational(199, 100)),
    kernels.arc_cosine(20),
    kernels.step_features(6 if THOROUGH else 5),
]


#: towers of square roots take a minute in the three dimensions together: one, unless all are asked for
WILD_CASES = [
    (kernel, d) for kernel in WILD for d in (2, 3, 100) if THOROUGH or kernel is not WILD[-1] or d == 2
]


@pytest.mark.parametrize(("kernel", "d"), WILD_CASES, ids=lambda x: x.name if isinstance(x, Kernel) else None)
def test_wild_parameters_agree_with_another_rule(kernel: Kernel, d: int) -> None:
    exact = eigenvalues(kernel, d, kmax=24, dps=20)
    other = double_spectrum(kernel, d, 24)
    for k in range(25):
        assert abs(float(exact[k]) - other.values[k]) <= other.errors[k]
        # digits are relative to each value, however small
        assert exact.error(k) <= abs(exact[k]) * mpmath.mpf("1e-20")


@pytest.mark.parametrize(
    ("kernel", "d", "ks"),
    [
        (kernels.laplace(MILLIONTH), 3, [1, 6]),
        (kernels.laplace(1000), 3, [0, 5]),
        (kernels.gaussian(10**4), 3, [0, 5]),
        (kernels.laplace(1000), 2, [40]),
        pytest.param(kernels.ntk(3), 100, [1, 4], marks=pytest.mark.slow),
        pytest.param(kernels.laplace(1000), 100, [0, 2], marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_mpmath_says_the_same(kernel: Kernel, d: int, ks: list[int]) -> None:
    ours = eigenvalues(kernel, d, ks=ks, dps=20)
    theirs = eigenvalues(kernel, d, ks=ks, dps=15, method="mpmath")
    for k in ks:
        assert abs(ours[k] - theirs[k]) <= ours.error(k) + theirs.error(k)


def test_a_float_parameter_is_the_decimal_it_looks_like() -> None:
    assert (
        eigenvalues(kernels.laplace(1e-6), 3, ks=[40])[40]
        == eigenvalues(kernels.laplace(MILLIONTH), 3, ks=[40])[40]
    )


@pytest.mark.parametrize(
    "kernel",
    [kernels.laplace(), kernels.ntk(2), kernels.ntk(3)],
    ids=str,
)
@pytest.mark.parametrize("d", [2, 3, 100])
def test_very_high_degrees_follow_the_law(kernel: Kernel, d: int) -> None:
    k = 10**12
    value = eigenvalues(kernel, d, ks=[k], dps=30)[k]
    law = decay(kernel).even
    with mpmath.workdps(40):
        leading = mpmath.mpf(law.constant(d).evalf(40)) * mpmath.mpf(k) ** mpmath.mpf(
            law.exponent(d).evalf(40)
        )
        # N = k + (d-2)/2 against k: a relative difference of d^2/(2k), and corrections below k^-1.3
        assert abs(value / leading - 1) < mpmath.mpf(d * d + 1) / k


@pytest.mark.parametrize(
    "kernel", [kernels.cauchy(4), kernels.poisson(Rational(1, 2), 3), kernels.gaussian()], ids=str
)
def test_geometric_decay_at_very_high_degrees_takes_no_loop(kernel: Kernel) -> None:
    value = eigenvalues(kernel, 3, ks=[10**9], dps=20)[10**9]
    assert 0 < value < mpmath.mpf(10) ** -(10**8)


def test_poisson_at_a_very_high_degree_is_a_power() -> None:
    value = eigenvalues(kernels.poisson(Rational(1, 2), 3), 3, ks=[10**9], dps=20)[10**9]
    assert abs(value * mpmath.mpf(2) ** (10**9) - 1) < 1e-14


def test_the_circle_at_high_degrees_by_two_methods() -> None:
    # d = 2 has the slowest decay, and weights that are singular at both ends
    ks = [999, 1000]
    proved = eigenvalues(kernels.ntk(3), 2, ks=ks, dps=30, method="quadrature")
    series = eigenvalues(kernels.ntk(3), 2, ks=ks, dps=30, method="asymptotic")
    assert proved.rigorous
    for k in ks:
        assert abs(proved[k] - series[k]) <= proved.error(k) + series.error(k)


@pytest.mark.parametrize(
    ("kernel", "d"), [("(1-u)**(-1)", 3), ("(1-u)**(-1/2)", 2), ("log(u)", 3), ("1/u", 3), ("sqrt(u)", 3)]
)
def test_what_has_no_eigenvalues_is_refused(kernel: Any, d: int) -> None:
    with pytest.raises(AsymptokError):
        eigenvalues(kernel, d, kmax=3)


def test_degrees_out_of_reach_are_refused() -> None:
    with pytest.raises(AsymptokError):
        eigenvalues("abs(u-cos(u))", 3, ks=[10**6 + 1, 10**6], dps=15)


def test_a_kink_at_large_degrees() -> None:
    """int_0^1 u P_k du = (-1)^(k/2+1) (k-2)!/(2^k (k/2-1)! (k/2+1)!) for even k."""
    k = 10**6
    found = eigenvalues("abs(u)", 3, ks=[k + 1, k], dps=15)
    with mpmath.workdps(60):  # the logarithms of Gamma cancel to eight digits and more
        gamma = mpmath.loggamma
        logarithm = gamma(k - 1) - k * mpmath.log(2) - gamma(k // 2) - gamma(k // 2 + 2)
        assert abs(found[k] + mpmath.exp(logarithm)) <= found.error(k)
    assert found[k + 1] == 0
