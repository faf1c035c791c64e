"""Consequences of the decay, against known statements."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import pytest
from kernel_table import named, tagged
from sympy import Rational, S, latex, oo, pi, symbols

from asymptok import AsymptokError, kernels
from asymptok.laws import decay
from asymptok.meaning.function_space import consequences
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


# positive definiteness is the gate --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["exp(-sqrt(1-u)) - 1", "2*u**2 - 1", "-u", "exp(-1/(1-u))", "u**2 - u", "cos(3*u)"]
)
def test_no_space_without_positive_definiteness(text: str) -> None:
    with pytest.raises(AsymptokError, match="not positive definite"):
        consequences(text, 3)
    with pytest.raises(AsymptokError, match="not positive definite"):
        consequences(text)


def test_the_gate_is_shown() -> None:
    proved = consequences(kernels.laplace(), 3)
    assert proved.positive_definite.status == "proved" and "positive definite: proved" in str(proved)
    assert proved.space == "RKHS = H^(3/2)"
    # 2 u^2 - 1 = T_2 is positive definite on the circle: mu_2 = 1/2, all others 0
    assert consequences("2*u**2 - 1", 2).positive_definite.status == "proved"
    # the lead cancels for even k, sqrt(1-u) takes over: every mu_k > 0, by a certificate
    assert consequences("2 - (1-u)**(1/3) + (1+u)**(1/3) - sqrt(1-u)", 3).positive_definite.status == "proved"
    open_question = consequences("abs(u)/4 + exp(-sqrt(1-u))", 2)
    assert open_question.positive_definite.status == "unknown"
    assert open_question.space.startswith("if positive definite")


def test_a_tie_with_a_point_inside_is_no_counterexample() -> None:
    """|u|/4 + exp(-sqrt(1-u)), d = 2: k^2 mu_k lies between (sqrt(2) -+ 1)/(2 pi), so s = 1."""
    found = consequences("abs(u)/4 + exp(-sqrt(1-u))", 2)
    assert found.sobolev_order.value == 1 and found.index_constant.value is None
    with pytest.raises(AsymptokError, match="both signs"):
        consequences("abs(u)/4 + exp(-sqrt(1-u))", 3)
    # mu_k = (2/pi^2)(1 - cos(k pi/2))/k^2 for even k: no power law, but nothing negative either
    with pytest.raises(AsymptokError, match="no single power") as refusal:
        consequences("max(0, 1 - 2*acos(u)/pi)", 2)
    assert "positive definite" not in str(refusal.value)


def test_logarithms_enter_the_rates() -> None:
    """mu_k ~ k^-3 log k in d = 3: q = 2/3, N(l) ~ l^-q (log 1/l)^q, and l = N(l)/n."""
    found = consequences("3 - sqrt(1-u) + sqrt(1-u)*log(1-u)/10", 3)
    assert found.effective_dimension.value == Rational(-2, 3)
    assert "(log(1/l))^(2/3)" in found.effective_dimension.statement
    assert "(log n)^(2/5)" in found.krr_rate.statement and found.krr_rate.value == Rational(-3, 5)
    # the exponent of the logarithm from numbers: N(l) is about k^2 with k^-3 log k = l
    logs = []
    for digits in (10**3, 10**6):
        level = -digits * mp.log(10)
        degree = mp.findroot(lambda x, level=level: -3 * x + mp.log(x) - level, -level / 3)  # x = log k
        logs.append(2 * degree + level * 2 / 3)
    slope = (logs[1] - logs[0]) / mp.log(1000)
    assert abs(slope - mp.mpf(2) / 3) < 0.01


def test_parities_of_different_smoothness_have_no_single_one() -> None:
    found = consequences(kernels.ntk(2) + kernels.random_features(3), 3)
    assert found.matern_smoothness.value is None
    assert (
        "1/2 for even" in found.matern_smoothness.statement
        and "3/2 for odd" in found.matern_smoothness.statement
    )
    assert consequences(kernels.ntk(3), 3).matern_smoothness.value == Rational(1, 2)


def test_lipschitz_functions_are_bounded_too() -> None:
    """A large constant is Lipschitz with eta = 0, and no g of small norm is near it."""
    assert "|f| <= eta" in consequences(kernels.ntk(3), 5).lipschitz_approximation.statement


def test_local_and_global_holder_constants() -> None:
    """NTK_2: the local limit sqrt(2/pi) = 0.798, the supremum 1.551 (by mpmath's own search)."""
    found = consequences(kernels.ntk(2), 3)
    assert abs(float(found.holder_constant.value) - 0.7978845608) < 1e-9

    def ratio(t: Any) -> Any:
        x = mp.acos(1 - t)
        kappa = 2 * (1 - t) * (mp.pi - x) / mp.pi + mp.sin(x) / mp.pi
        return mp.sqrt(2 * (2 - kappa)) / (2 * t) ** (mp.mpf(1) / 4)

    best = max(ratio(mp.mpf(j) / 1000) for j in range(1, 2001))
    assert (
        abs(float(found.holder_supremum.value) - best) < 1e-5
        and "estimated" in found.holder_supremum.statement
    )
    # Lipschitz: 1 - P_k(u) <= P_k'(1)(1-u) makes the local constant the supremum
    features = consequences(kernels.random_features(2), 3)
    assert features.holder_supremum.value == features.holder_constant.value == 1
    assert "proved" in features.holder_supremum.statement
    laplace = consequences(kernels.laplace(), 3)  # 1 - exp(-x) <= x
    assert laplace.holder_supremum.value == laplace.holder_constant.value
    g, c = symbols("gamma c", positive=True)
    assert consequences(kernels.gamma_exponential(g, c)).holder_supremum.value is None
