"""Random kernels against mpmath: no wrong answer, no foreign exception, few refusals. Seed and tally are printed."""

from __future__ import annotations

import os

import pytest
from random_kernels import tally

SEED = int(os.environ.get("ASYMPTOK_SEED", "20261116"))
#: kernels of the long run; RANDOM_EXPANSIONS=2000 in the environment asks for more
MANY = int(os.environ.get("RANDOM_EXPANSIONS", "50"))


@pytest.mark.slow
def test_many_random_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    outcomes, details = tally(MANY, SEED)
    with capsys.disabled():
        print(f"\nseed {SEED}, {MANY} random kernels: {dict(outcomes)}")
    assert outcomes["wrong"] == 0, details
    assert outcomes["crashed"] == 0, details
    assert outcomes["no reference"] == 0, details
    assert outcomes["refused"] <= 0.02 * MANY, details
