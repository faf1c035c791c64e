"""Eigenvalues of Matern kernels through the series of the Bessel function, against mpmath's integrals."""

from __future__ import annotations

import mpmath
import pytest
from sympy import Rational

from asymptok import eigenvalues, kernels


def integral(nu, d, k):
    """mu_k by mpmath.quad in theta, from the definition of the kernel."""

    def kappa(theta):
        z = 2 * mpmath.sqrt(nu) * mpmath.sqrt(2) * mpmath.sin(theta / 2)
        return 2 ** (1 - nu) / mpmath.gamma(nu) * z**nu * mpmath.besselk(nu, z) if z else mpmath.mpf(1)

    half = mpmath.mpf(d - 2) / 2
    top = mpmath.gegenbauer(k, half, 1)
    weight = mpmath.gamma(mpmath.mpf(d) / 2) / mpmath.sqrt(mpmath.pi) / mpmath.gamma(mpmath.mpf(d - 1) / 2)
    return weight * mpmath.quad(
        lambda x: kappa(x) * mpmath.gegenbauer(k, half, mpmath.cos(x)) / top * mpmath.sin(x) ** (d - 2),
        [0, 0.01, 0.1, 0.5, 1, 2, mpmath.pi],
    )


@pytest.mark.parametrize(("nu", "d"), [(Rational(1), 3), (Rational(2), 5), (Rational(1, 3), 4)])
def test_series_against_integrals(nu, d):
    found = eigenvalues(kernels.matern(nu), d, ks=[0, 1, 4], dps=15)
    assert found.rigorous and {found.method(k) for k in found.ks} == {"closed_form"}
    with mpmath.workdps(15):
        for k in found.ks:
            assert abs(integral(mpmath.mpf(nu.p) / nu.q, d, k) / found[k] - 1) < 1e-12


def test_a_short_length_in_high_dimension():
    found = eigenvalues(kernels.matern(1, Rational(1, 100)), 100, kmax=10, dps=15)
    assert found.rigorous and all(found[k] > 0 for k in found.ks)


def test_networks_in_high_dimension():
    """mu_k = kappa^(k)(0)/(d (d+2) ... ) (1 + O(1/d)): mu_0 tends to kappa(0)."""
    found = eigenvalues(kernels.ntk(3), 10_000, kmax=3, dps=15)
    assert found.rigorous and abs(found[0] - kernels.ntk(3).evaluate(0)) < 1e-3
