"""Activations with kinks: the mechanism without closed forms, held against closed forms that do not use it."""

from __future__ import annotations

import pickle
from typing import Any

import mpmath
import numpy as np
import pytest
from patience import Patience
from sympy import Rational, S, diff, sinh, tan, tanh

from asymptok import AsymptokError, Kernel, dual, eigenvalues, expand, kernels, u
from asymptok.functions.kinked import kinked_dual
from asymptok.kernels.pieces import pieces
from asymptok.symbols import x

#: cells on x >= 0 and parity, and the same activation with a closed form
KNOWN: dict[str, Any] = {
    "Abs(x)": (((None, x),), 0),
    "hard_tanh": (((S.One, x), (None, S.One)), 1),
    "sign(x)*x**2 + sign(x)": (((None, x**2 + 1),), 1),
    "Max(Abs(x) - 1/2, 0)**2": (((S.Half, S.Zero), (None, (x - S.Half) ** 2)), 0),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", KNOWN)
def test_expansions_are_those_of_the_closed_form(text: str) -> None:
    cells, parity = KNOWN[text]
    kernel, known = Kernel(kinked_dual(cells, (), parity)(u)), dual(text)
    for at in (1, -1):
        mine, other = (expand(k, at=at, order=4) for k in (kernel, known))
        assert mine.nu == other.nu
        with mpmath.workdps(30):
            for t in ("0.3", "0.7"):  # the polynomials in sqrt(t) themselves, not kappa
                first, second = (e.evaluate(mpmath.mpf(t), dps=25) for e in (mine, other))
                assert abs(first - second) < mpmath.mpf(10) ** -20


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 3, 6])
def test_eigenvalues_are_those_of_the_closed_form(d: int) -> None:
    kernel = Kernel(kinked_dual(((None, x),), (), 0)(u))
    mine, known = (
        eigenvalues(kernel, d, ks=[0, 2, 3, 8], dps=15),
        eigenvalues(dual("abs"), d, ks=[0, 2, 3, 8], dps=25),
    )
    assert mine.rigorous and mine[3] == 0
    for k in (0, 2, 8):
        assert abs(mine[k] - known[k]) <= mine.error(k) + known.error(k) < 1e-14 * known[k]


@pytest.mark.slow
def test_values_contain_the_closed_form_at_the_ends_and_beside_them() -> None:
    for text, (cells, parity) in KNOWN.items():
        kernel, known = Kernel(kinked_dual(cells, (), parity)(u)), dual(text)
        for point in (1, -1, 1 - Rational(1, 10**6), Rational(-999, 1000), 0, Rational(1, 7)):
            assert abs(kernel.evaluate(point, dps=15) - known.evaluate(point, dps=20)) < 1e-14


def test_deeper_formulas_and_unknown_switches_are_refused() -> None:
    with pytest.raises(AsymptokError, match="deeper network"):
        # as a formula: that it is a mean of products is not seen
        eigenvalues(kernels.network(3, "x/(1 + Abs(x))").expr, 3, kmax=1, dps=5)
    with pytest.raises(AsymptokError, match="not known"):
        dual("Abs(sin(x))")
    with pytest.raises(AsymptokError, match="not proved analytic"):
        dual("Abs(x)**(1/2)/(1 + Abs(x))")


def test_switches_that_are_no_polynomials() -> None:
    assert [p.low for p in pieces(dual_text("Max(x, tanh(x))"))][1:] == [0]
    with pytest.raises(AsymptokError):
        pieces(dual_text("x").subs(x, abs(tan(x) - x)))  # its slope is a square, and it has poles
    assert diff(tan(x) - x, x).expand() == tan(x) ** 2


def dual_text(text: str) -> Any:
    from asymptok.kernels.duals import as_activation

    return as_activation(text).expr


def test_named_activations_are_functions_in_a_text() -> None:
    assert dual("step(x - 1)").expr == dual("Heaviside(x - 1)").expr
    assert dual("relu + relu(-x)").expr == dual("abs").expr
    assert dual_text("elu(x, 2)").subs(x, -1) == dual_text("2*exp(x) - 2").subs(x, -1)


def test_classes_are_pickled_by_their_cells() -> None:
    kappa = kinked_dual(((S.One, tanh(x)), (None, sinh(x) / (1 + x**2))), (), 0)
    assert pickle.loads(pickle.dumps(kappa)) is kappa


@pytest.mark.slow
def test_a_second_moment_of_an_activation_with_kinks_is_a_constant_beside_another_dual() -> None:
    """mu_k is linear: nobody looks into the constant E[phi(X) phi(Y)] at corr 1/2 beside the kernel of tanh."""
    kappa, moment = dual("tanh").expr, dual("Abs(x)/(1+Abs(x))").expr.subs(u, Rational(1, 2))
    plain, more = (eigenvalues(Kernel(e), 3, kmax=1, dps=10) for e in (kappa, kappa + moment))
    assert abs(more[0] - plain[0] - mpmath.mpf(str(moment.n(15)))) < mpmath.mpf(10) ** -9
    assert abs(more[1] / plain[1] - 1) < mpmath.mpf(10) ** -9


def test_a_kink_at_an_irrational_place() -> None:
    """The variance 2 moves it to 1/sqrt(2); Gauss sums on the quadrant where phi(X) phi(Y) is not zero."""
    with Patience(20):
        kernel = dual("max(x - 1, 0)*sigmoid(x)", variance=2)
        found = float(kernel.evaluate("1/2"))
    nodes, weights = np.polynomial.legendre.leggauss(100)
    x = 1 / np.sqrt(2) + 5 * (1 + nodes)
    phi = (np.sqrt(2) * x - 1) / (1 + np.exp(-np.sqrt(2) * x)) * 5 * weights
    r = 0.5
    density = np.exp(-(x[:, None] ** 2 - 2 * r * np.outer(x, x) + x**2) / (2 * (1 - r * r)))
    assert found == pytest.approx(float(phi @ density @ phi) / (2 * np.pi * np.sqrt(1 - r * r)), rel=1e-12)


@pytest.mark.parametrize(
    ("text", "place", "jump"),
    [
        ("Min(exp(x), 2)", mpmath.log(2), 2),
        ("Max(0, exp(2*x - 1) - 3)", (1 + mpmath.log(3)) / 2, 6),
        ("Max(tanh(x), 1/2)", mpmath.atanh(0.5), mpmath.mpf(3) / 4),
        ("Heaviside(exp(-x) - 2)", -mpmath.log(2), 1),
    ],
)
def test_switches_that_are_polynomials_in_an_exponential(text: str, place: Any, jump: Any) -> None:
    """A jump J of phi^(m) at a puts (-1)^(m+1) J^2 exp(-a^2/2)/(2 sqrt(2 pi) Gamma(m + 3/2)) at nu = m + 1/2."""
    m = 0 if "Heaviside" in text else 1
    found = expand(dual(text), at=1, order=m + S.Half)
    known = (-1) ** (m + 1) * jump**2 * mpmath.exp(-(place**2) / 2)
    known *= mpmath.sqrt(mpmath.pi) / (2 * mpmath.sqrt(2) * mpmath.pi * mpmath.gamma(m + 1.5))
    assert found.nu == m + S.Half
    assert abs(found.coefficient.n(20) - known) < 1e-13
