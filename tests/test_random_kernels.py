"""Random kernels against mpmath: no wrong answer, no foreign exception, few refusals. Seed and tally are printed."""

from __future__ import annotations

import os

import pytest
from random_kernels import tally

SEED = int(os.environ.get("ASYMPTOK_SEED", "20261116"))
#: kernels of the long run; RANDOM_EXPANSIONS=2000 in the environment asks for more
MANY = int(os.environ.get("RANDOM_EXPANSIONS", "80"))


def _judge(count: int, seed: int, refusals: float, capsys: pytest.CaptureFixture[str]) -> None:
    outcomes, details = tally(count, seed)
    with capsys.disabled():
        print(f"\nseed {seed}, {count} random kernels: {dict(outcomes)}")
    assert outcomes["wrong"] == 0, details
    assert outcomes["crashed"] == 0, details
    assert outcomes["no reference"] == 0, details
    assert outcomes["refused"] < refusals * count, details


def test_some_random_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    # a small sample: the bound of 2 % is for the large one
    _judge(40, SEED + 1, refusals=0.05, capsys=capsys)


@pytest.mark.slow
def test_many_random_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    _judge(MANY, SEED, refusals=0.02, capsys=capsys)
