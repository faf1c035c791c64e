"""A kernel with kappa(1) infinite has integrals and eigenvalues, and no reproducing kernel Hilbert space."""

from __future__ import annotations

import pytest

from asymptok import AsymptokError, consequences, embeds, kernels, same_rkhs

UNBOUNDED = ["(1-u)**(-1/4)", "-log(1-u)", "exp(u) - log(1-u)", "(1-u)**(-1/3) + (1-u)**(1/2)", "log(1-u)**2"]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", UNBOUNDED)
@pytest.mark.parametrize("other", [None, "itself", "exp(u)", "exp(-sqrt(1-u))"])
def test_no_space_no_comparison(kernel: str, other: str | None) -> None:
    second = {None: f"{kernel} + 1", "itself": kernel}.get(other, other)
    for question in (same_rkhs, embeds):
        for pair in ((kernel, second), (second, kernel)):
            found = question(*pair, 3)
            assert found.same is None and found.bounds is None
            assert "unbounded at u = 1 and has no RKHS" in found.reason or "no complete" in found.reason
    with pytest.raises(AsymptokError, match=r"unbounded|negative"):
        consequences(kernel, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kernel",
    ["Heaviside(u)", "Heaviside(u-1/3)+1", "(1+u)**(-1/4)+1", "abs(u-1/3)**(-1/4)+2", "-exp(u)", "sign(u)"],
)
def test_no_positive_definite_kernel_is_like_these(kernel: str) -> None:
    for question in (same_rkhs, embeds):
        assert question(kernel, f"{kernel}+1", 3).same is None
        assert question(kernel, kernel, 3).same is None


@pytest.mark.slow
def test_bounded_kernels_keep_their_answers() -> None:
    """mu_k ~ k^(1-d) is where the sum begins to diverge: nu > 0 however small is bounded."""
    assert same_rkhs("2-(1-u)**(1/10)", "3-(1-u)**(1/10)", 3).same is True
    assert same_rkhs(kernels.laplace(), kernels.ntk(3), 3).same is True
