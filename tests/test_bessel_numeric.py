"""K_nu on arrays against mpmath, on both sides of the change of method and at every kind of order."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from asymptok import kernels
from asymptok.functions.bessel import bessel_k


@pytest.mark.parametrize("order", [0, 1e-9, 0.25, 0.5, 0.500001, 1, 7 / 3, 2.5, 3, -1.5, 12.25])
def test_against_mpmath(order: float) -> None:
    x = np.array([1e-9, 1e-3, 0.3, 0.999, 1.0, 1.001, 2.0, 7.5, 60.0, 600.0])
    with mpmath.workdps(40):
        exact = [mpmath.besselk(mpmath.mpf(order), mpmath.mpf(float(a))) for a in x]
        off = [abs(mpmath.mpf(float(b)) / e - 1) for b, e in zip(bessel_k(order, x), exact, strict=True)]
    # a dozen units in the last place
    assert max(off) < 12 * 2.0**-52


def test_what_it_does_not_know_is_nan_and_evaluated_with_care() -> None:
    assert np.isnan(bessel_k(100.0, np.array([1.0]))).all()
    kernel = kernels.matern(100)
    assert abs(kernel(np.array([0.5]))[0] / float(kernel.evaluate(0.5, 20)) - 1) < 2.0**-44
    assert kernels.matern(2)(np.array([1.0]))[0] == 1.0
