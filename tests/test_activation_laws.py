"""Strips of analyticity against Hermite coefficients by the trapezoidal rule; the table of activations."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import pi

from asymptok import AsymptokError, activations
from asymptok.cli import main
from asymptok.laws.activations import activation_law, strip_law
from asymptok.reporting.networks import network_table


@pytest.mark.parametrize(
    ("name", "tau"),
    [("tanh", pi / 2), ("sigmoid", pi), ("softplus", pi), ("silu", pi), ("mish", 3 * pi / 4)],
)
def test_strips(name: str, tau: object) -> None:
    assert strip_law(name).tau == tau


@pytest.mark.parametrize(
    ("name", "even", "odd"),
    [("tanh", 0, None), ("sigmoid", 2, None), ("softplus", None, 3), ("silu", None, 3), ("mish", None, None)],
)
def test_parities_that_vanish(name: str, even: int | None, odd: int | None) -> None:
    law = strip_law(name)
    assert (law.even_zero_from, law.odd_zero_from) == (even, odd)


@pytest.mark.slow
def test_hermite_coefficients_of_tanh_fall_with_the_width_of_the_strip() -> None:
    """a_n = exp(-tau sqrt(n) (1 + o(1))), by the trapezoidal rule, which is exponentially accurate here."""
    z = np.arange(-1100, 1101) / 30  # beyond it the weight is below 1e-290
    weight = np.tanh(z) * np.exp(-z * z / 2) / np.sqrt(2 * np.pi) / 30
    before, here, found = np.zeros_like(z), np.ones_like(z), {}
    for n in range(202):
        found[n] = abs(weight @ here)
        before, here = here, (z * here - np.sqrt(n) * before) / np.sqrt(n + 1)
    slope = -np.log(found[201] / found[101]) / (np.sqrt(201) - np.sqrt(101))
    assert abs(slope / (np.pi / 2) - 1) < 0.1


@pytest.mark.parametrize("bad", ["relu", "erf", "exp(x)", "1/x", "1/(exp(x) - 2)", "tanh(x**2)"])
def test_no_strip(bad: str) -> None:
    with pytest.raises(AsymptokError):
        strip_law(bad)


def test_laws() -> None:
    assert [str(activation_law(name).nu) for name in ("selu", "elu", "relu", "step")] == [
        "3/2",
        "5/2",
        "3/2",
        "1/2",
    ]
    assert activation_law("step").tangent is None


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    made = network_table([("relu", {}), ("tanh", {})])
    assert "k^(-d - 2)" in str(made) and "pi/2" in str(made)
    assert main(["table", "--networks", "--format", "csv"]) == 0
    lines = capsys.readouterr().out.strip().splitlines()
    rows = [line for line in lines if line.split(",")[0].split("(")[0].strip('"') in activations.names()]
    assert len(rows) == len(activations.names())
    assert any(line.startswith("relu (every depth L > 2),3/2,1/2,k**(-d - 2),k**(-d - 2),") for line in lines)
    assert main(["table", "ntk", "--networks"]) == 2
