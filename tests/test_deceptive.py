"""Kernels made to deceive: no false claim of smoothness, law or number, and few questions left open.

The truth is known by construction (deceptive_kernels) and is itself put to the test here, by mpmath.
"""

from __future__ import annotations

import itertools
import os
from collections import Counter

import mpmath as mp
import pytest
from deceptive_judge import Outcome, judge, judge_numbers
from deceptive_kernels import Case, deceptive_kernels

SEED = int(os.environ.get("ASYMPTOK_SEED", "20261116"))
#: kernels of the long run; DECEPTIVE_KERNELS=5000 in the environment asks for more
MANY = int(os.environ.get("DECEPTIVE_KERNELS", "8"))
#: next to the ends too, where a function may pass the bound that its disguise relies on
_PLACES = tuple(map(mp.mpf, ("0.1234567", "-0.577", "0.9112", "-0.98", "0.999999", "-0.999999")))


# ------------------------------------------------------------------------------------- the truth itself


def _same_value(case: Case, x: mp.mpf) -> bool:
    return abs(case.value(x) - case.plain(x)) <= mp.mpf(10) ** -25 * (1 + abs(case.plain(x)))


def _two_sided(case: Case, where: mp.mpf, order: int) -> list[mp.mpf]:
    """|difference quotient from the right minus that from the left| for the derivatives 0, ..., order."""
    h = mp.mpf(10) ** -20
    right, left = ([case.plain(where + s * (j + 1) * h) for j in range(order + 1)] for s in (1, -1))
    found = []
    for n in range(order + 1):
        found.append(abs(right[0] - (-1) ** n * left[0]) / h**n)
        right, left = ([b - a for a, b in itertools.pairwise(side)] for side in (right, left))
    return found


def _is_singular(case: Case, where: mp.mpf, nu: object) -> bool:
    """A jump of one of the first derivatives, or no finite value; high orders are left to the way it was made."""
    if nu is not None and nu > 4:
        return True
    with mp.workdps(400):
        jumps = _two_sided(case, where, 5)
        return any(jump > mp.mpf(10) ** -9 for jump in jumps)


def test_disguises_change_no_value_and_singular_points_are_singular() -> None:
    with mp.workdps(60):
        for case in deceptive_kernels(120, SEED):
            for x in _PLACES:
                assert _same_value(case, x), (case.made, case.expr)
            for low, high in case.complex_on:
                with mp.workdps(30):
                    middle = mp.mpmathify((low.evalf(30) + 2 * high.evalf(30)) / 3)
                    assert mp.im(case.value(middle)) != 0, (case.made, case.expr)


@pytest.mark.slow
def test_hundreds_of_truths_by_mpmath() -> None:
    for case in deceptive_kernels(400, SEED):
        with mp.workdps(60):
            for x in _PLACES:
                assert _same_value(case, x), (case.made, case.expr)
        if "behind a flat" in case.made:
            continue  # exp(exp(1/g^2)) has no value close to the point
        for point in case.points:
            with mp.workdps(400):
                where = point.where()
            assert _is_singular(case, where, point.nu), (case.made, case.expr)
        for place in case.flat_at:
            with mp.workdps(400):
                where = place()
                if "end term" in case.made and 1 - abs(where) < mp.mpf(10) ** -6:
                    continue  # the differences would see the root at the end
                assert max(_two_sided(case, where, 5)) < mp.mpf(10) ** -9, (case.made, case.expr)


# ------------------------------------------------------------------------------------- the claims


def _tally(outcomes: list[Outcome], capsys: pytest.CaptureFixture[str], what: str) -> Counter[str]:
    grades = Counter(outcome.grade for outcome in outcomes)
    with capsys.disabled():
        print(f"\nseed {SEED}, {len(outcomes)} deceptive kernels, {what}: {dict(grades)}")
    return grades


def _lies(outcomes: list[Outcome]) -> list[str]:
    return [f"{o.case.expr}: {'; '.join(o.false)} ({o.case.made})" for o in outcomes if o.false]


def _judge_claims(count: int, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = [judge(case) for case in deceptive_kernels(count, seed)]
    grades = _tally(outcomes, capsys, "claims")
    assert not _lies(outcomes)
    assert grades["right"] > count / 3


def test_no_false_claim_about_some_deceptive_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    _judge_claims(5, SEED, capsys)


@pytest.mark.slow
def test_no_false_claim_about_many_deceptive_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    _judge_claims(MANY, SEED + 1, capsys)


@pytest.mark.slow
def test_no_false_number_of_many_deceptive_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = [judge_numbers(case, i) for i, case in enumerate(deceptive_kernels(MANY // 10 + 1, SEED + 3))]
    _tally(outcomes, capsys, "numbers")
    assert not _lies(outcomes)
