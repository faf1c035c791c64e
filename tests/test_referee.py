"""mpmath beside our numbers, by default and on request."""

from __future__ import annotations

import mpmath

from asymptok import kernels, verify
from asymptok.spectrum.reference import _bessel_k


def test_the_referee_is_asked_by_itself() -> None:
    found = verify(kernels.laplace(), 3, kmax=24)
    assert found.passed and {row.k % 2 for row in found.referee} == {0, 1}
    assert all(row.agrees and abs(row.mu - row.mpmath) < 1e-28 for row in found.referee)
    assert any(check.name == "mpmath" and check.passed for check in found.checks)


def test_the_referee_can_be_switched_off_and_told() -> None:
    assert verify(kernels.laplace(), 3, kmax=8, referee=()).referee == ()
    assert [row.k for row in verify(kernels.laplace(), 3, kmax=8, dps=15, referee=[4, 1]).referee] == [1, 4]


def test_what_is_skipped_is_said_without_a_verdict() -> None:
    found = verify(kernels.laplace(), 3, kmax=8)
    assert found.referee == () and "not asked at k = 0, 1, 2, 3, 6" in found.referee_note
    assert not any(check.name == "mpmath" for check in found.checks)


def test_bessel_functions_of_whole_order_are_those_of_mpmath() -> None:
    with mpmath.workdps(60):
        for n, z in ((0, "1e-20"), (0, "3"), (1, "0.01"), (2, "9"), (5, "0.7")):
            expected = mpmath.besselk(n, mpmath.mpf(z))
            assert (
                abs(_bessel_k(mpmath.mpf(n), mpmath.mpf(z)) - expected)
                < abs(expected) * mpmath.mpf(10) ** -58
            )


def test_matern_kernels_of_whole_order_are_refereed() -> None:
    found = verify(kernels.matern(2), 3, kmax=12, referee=[2, 5])
    assert [row.agrees for row in found.referee] == [True, True]
