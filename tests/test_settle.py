"""Digits relative to each mu_k: when the search for a value that may be zero ends."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest
from flint import arb, fmpq

from asymptok import eigenvalues
from asymptok.spectrum import integrate
from asymptok.spectrum import settle as module
from asymptok.spectrum.settle import settle


class Truth:
    """Exact values, given to whatever absolute accuracy is asked for; the rounds are noted."""

    def __init__(self, values: dict[int, Fraction]) -> None:
        self.values = values
        self.rounds: list[tuple[list[int], int]] = []

    def __call__(self, ks: Sequence[int], target: int) -> dict[int, Any]:
        self.rounds.append((list(ks), target))
        balls = {}
        for k in ks:
            value = self.values[k]
            balls[k] = arb(fmpq(value.numerator, value.denominator)) + arb(0, arb((1, -target)))
        return balls


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SECONDS", -1.0)


@pytest.mark.usefixtures("impatient")
def test_a_zero_that_costs_long_rounds_is_left_at_its_bound() -> None:
    truth = Truth({0: Fraction(1, 43), 2: Fraction(0)})
    found = settle(truth, [0, 2], 50, 40, 600)
    assert len(truth.rounds) == 1
    assert found[2].ball.contains(0) and found[2].ball.mid() == 0
    assert arb((1, -92)) < found[2].ball.abs_upper() < arb((1, -88))
    assert found[0].ball.rel_accuracy_bits() >= 50


@pytest.mark.usefixtures("impatient")
def test_a_small_value_is_sought_on_where_the_bound_is_no_smaller_than_the_digits_of_the_others() -> None:
    # after the first round 2^-90 bounds mu_2, and the digits of mu_0 reach to 2^-96
    tiny = Fraction(1, 2**100)
    truth = Truth({0: Fraction(1, 2**46), 2: tiny})
    found = settle(truth, [0, 2], 50, 40, 600)
    assert found[2].ball.contains(arb((1, -100))) and found[2].ball.rel_accuracy_bits() >= 50


@pytest.mark.usefixtures("impatient")
def test_values_that_are_all_small_show_no_scale() -> None:
    truth = Truth({0: Fraction(1, 2**300), 1: Fraction(3, 2**301)})
    found = settle(truth, [0, 1], 50, 40, 600)
    assert all(found[k].ball.rel_accuracy_bits() >= 50 for k in (0, 1))


def test_with_patience_a_zero_is_followed_to_the_limit() -> None:
    truth = Truth({0: Fraction(1, 43), 2: Fraction(0)})
    found = settle(truth, [0, 2], 50, 40, 600)
    assert truth.rounds[-1] == ([2], 650)
    assert found[2].ball.abs_upper() < arb((1, -640))


def test_summands_that_cancel_are_left_at_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """u^2 log u^2 = 2 u^2 log|u|, and u beside it keeps its digits."""
    monkeypatch.setattr(integrate, "_SECONDS", -1.0)
    found = eigenvalues("u**2*log(u**2) - 2*u**2*log(abs(u)) + u*log(u**2)**2", 3, ks=[0, 1], dps=12)
    assert found[0] == 0 and found.error(0) < 1e-12
    # half the integral of 4 u^2 log(u)^2 over [-1, 1]
    assert abs(found[1] - mp.mpf(8) / 27) <= found.error(1) < 1e-12
