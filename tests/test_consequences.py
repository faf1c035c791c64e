"""Consequences of the decay, against known statements."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import pytest
from kernel_table import named, tagged
from sympy import Rational, S, latex, oo, pi, symbols

from asymptok import AsymptokError, kernels
from asymptok.asymptotics import decay
from asymptok.implications import consequences
from asymptok.symbols import d as dim


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_ntk_and_random_features(depth: int) -> None:
    """Bietti & Mairal: d/2 derivatives for the NTK, d/2 + 1 for random features; Holder 1/2 and Lipschitz."""
    tangent, random = consequences(kernels.ntk(depth)), consequences(kernels.random_features(depth))
    assert tangent.sobolev_order.value == dim / 2 and random.sobolev_order.value == dim / 2 + 1
    assert tangent.rkhs_smoothness.value == dim / 2 and random.rkhs_smoothness.value == dim / 2 + 1
    assert tangent.holder_exponent.value == Rational(1, 2) and random.holder_exponent.value == 1
    # |Phi(x)-Phi(y)|^2 ~ (L(L-1)/pi) |x-y| for the NTK, and ~ |x-y|^2 for random features
    assert (tangent.holder_constant.value**2 - Rational(depth * (depth - 1)) / pi).equals(0)
    assert random.holder_constant.value == 1
    assert tangent.lipschitz_approximation.value == -1 / (dim / 2 - 1)
    assert random.lipschitz_approximation.value == -2 / dim
    assert tangent.matern_smoothness.value == Rational(1, 2)
    assert ("even" in tangent.rkhs_smoothness.statement) == (depth == 2)


@pytest.mark.parametrize("name", ["ntk 3", "Laplace", "Matern 3/2", "gamma-exponential", "step 3"])
@pytest.mark.parametrize("d", [dim, 2, 3, 10])
def test_rates_follow_from_the_order(name: str, d: Any) -> None:
    case = named(name)
    found = consequences(case.kernel, d)
    s = case.nu + (S(d) - 1) / 2
    for entry, wanted in (
        (found.sobolev_order, s),
        (found.index_decay, -2 * s / (S(d) - 1)),
        (found.effective_dimension, -(S(d) - 1) / (2 * s)),
        (found.krr_rate, -2 * s / (2 * s + S(d) - 1)),
    ):
        assert (entry.value - wanted).simplify() == 0


def test_sorted_eigenvalues_have_the_constant() -> None:
    """Laplace kernel in d = 3: mu_k ~ a k^-3, 2k+1 times each; the eigenvalue number (k+1)^2 is mu_k."""
    found = consequences(kernels.laplace(), 3)
    k = 10**6
    n = mp.mpf(k) ** 2
    predicted = mp.mpf(found.index_constant.value.evalf(20)) * n ** mp.mpf(found.index_decay.value.evalf(20))
    assert abs(decay(kernels.laplace()).evaluate(k, 3, dps=15) / predicted - 1) < 10 / mp.mpf(k)


def test_parities_of_different_smoothness() -> None:
    found = consequences("2 - (1-u)**(1/3) + (1+u)**(1/3) - sqrt(1-u)", 3)
    assert found.sobolev_order.value == Rational(4, 3)
    assert found.rkhs_smoothness.value == Rational(3, 2)
    assert "even" in found.space and "odd" in found.space


def test_matern_one_has_a_logarithm_in_the_features_only() -> None:
    found = consequences(kernels.matern(1), 3)
    assert found.sobolev_order.value == 2 and found.index_constant.value is not None
    assert found.holder_constant.value is None and "every order below" in found.holder_exponent.statement


def test_symbolic_parameters() -> None:
    g, c = symbols("gamma c", positive=True)
    found = consequences(kernels.gamma_exponential(g, c))
    assert found.holder_exponent.value == g / 2
    assert (found.holder_constant.value**2 - 2 * c / 2 ** (g / 2)).simplify() == 0


@pytest.mark.parametrize("case", [*tagged("entire"), *tagged("analytic"), *tagged("finite-rank")], ids=str)
def test_kernels_without_a_power_law(case: Any) -> None:
    found = consequences(case.kernel, 3)
    assert found.sobolev_order.value is oo and found.krr_rate.value == -1
    assert found.index_decay.value is None


@pytest.mark.parametrize(
    ("kernel", "reason"), [("sqrt(1-u)", "negative"), ("abs(u)", "both signs"), ("exp(u) - sqrt(1+u)", "odd")]
)
def test_no_rkhs(kernel: str, reason: str) -> None:
    with pytest.raises(AsymptokError, match=reason):
        consequences(kernel, 3)


def test_lipschitz_functions_in_the_circle() -> None:
    assert consequences(kernels.ntk(2), 2).lipschitz_approximation.value == 0


def test_bad_dimension() -> None:
    with pytest.raises(AsymptokError, match="dimension"):
        consequences(kernels.laplace(), 1)


def test_display() -> None:
    found = consequences(kernels.ntk(3), 3)
    assert "H^(3/2)" in str(found) and latex(found).startswith(r"\begin{array}")
    assert found._repr_html_().startswith("<table>")
    assert next(name for name, _ in found) == "sobolev_order"
    assert all(entry.reason for _, entry in found)
