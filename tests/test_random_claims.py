"""Random kernels through check, decay, eigenvalues and verify, each answer against mpmath: no false claim.

Seed and tally are printed. What mpmath says comes from random_truth and deceptive_numbers, which share no code with
the package.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import mpmath as mp
import numerics
import pytest
import sympy
from deceptive_judge import PATIENCE
from deceptive_numbers import moments
from patience import Hang, Patience
from random_kernels import draw, is_kernel
from random_truth import candidates, is_singular
from sympy import Expr

from asymptok import AsymptokError, check, decay, eigenvalues, verify
from asymptok.regularity import analyse
from asymptok.symbols import u
from asymptok.truth import Truth

SEED = int(os.environ.get("ASYMPTOK_SEED", "20261116"))
#: kernels of the long run; RANDOM_KERNELS=2000 in the environment asks for more
MANY = int(os.environ.get("RANDOM_KERNELS", "8"))
#: one kernel in so many has its numbers compared, one in so many goes through verify
_NUMBERS, _VERIFY = 8, 40


class Judgement:
    """The false claims about one kernel, and what was left open."""

    def __init__(self, expr: Expr) -> None:
        self.expr = expr
        self.false: list[str] = []
        self.grade = "unknown"

    def ask(self, name: str, question: Callable[[], Any]) -> Any:
        try:
            with Patience(PATIENCE):
                return question()
        except AsymptokError:
            return None
        except Hang:
            return None  # cut off: no answer, hence no false one
        except Exception as error:  # a foreign exception is a defect, and must be counted
            self.false.append(f"{name} raises {type(error).__name__}: {error}")
        return None


def judge(expr: Expr, index: int) -> Judgement:
    found = Judgement(expr)
    inside = found.ask("analyse", lambda: analyse(expr))
    report = found.ask("check", lambda: check(expr))
    law = found.ask("decay", lambda: decay(expr))
    if inside is not None:
        _smoothness(found, inside)
        if report is not None and report["smooth inside"].holds not in (None, inside.smooth is Truth.TRUE):
            found.false.append("check and analyse differ")
    if report is not None and law is not None and inside is not None and inside.smooth is Truth.TRUE:
        _agreement(found, report, law, inside)
    if index % _NUMBERS == 0:
        _numbers(found, law, inside, 2 + index // _NUMBERS % 5)
    if index % _VERIFY == 0:
        answer = found.ask("verify", lambda: verify(expr, 3, kmax=24, dps=15))
        if answer is not None and answer.verdict == "refuted":
            found.false.append("verify contradicts the law")
    if found.false:
        found.grade = "false"
    return found


def _smoothness(found: Judgement, inside: Any) -> None:
    if inside.smooth is Truth.UNKNOWN:
        return
    found.grade = "right"
    if inside.smooth is Truth.TRUE:
        places = candidates(found.expr)
        if places is None:
            found.false.append("smooth, and not real")
        elif any(is_singular(found.expr, x) for x in places):
            where = [mp.nstr(x, 8) for x in places if is_singular(found.expr, x)]
            found.false.append(f"smooth, and singular at {', '.join(where)}")
        return
    for point in inside.interior:
        if point.proved and point.location is not None and (point.nu is None or point.nu <= 5):
            with mp.workdps(220):
                where = mp.mpmathify(sympy.N(point.location, 220))
            if not is_singular(found.expr, where):
                found.false.append(f"{point.kind} at {point.location}, and smooth there")


def _agreement(found: Judgement, report: Any, law: Any, inside: Any) -> None:
    """What one answer says against what another says."""
    kinds = {law.even.kind, law.odd.kind}
    if "oscillatory" in kinds:
        found.false.append("smooth inside, and an oscillating law")
    if inside.analytic is Truth.TRUE and "algebraic" in kinds:
        found.false.append("analytic, and an algebraic law")
    if inside.analytic is Truth.FALSE and kinds <= {"geometric", "zero"}:
        found.false.append("not analytic, and a geometric law")


def _numbers(found: Judgement, law: Any, inside: Any, d: int) -> None:
    ks = (0, 1, 4, 20, 21)
    places = candidates(found.expr)
    answer = found.ask("eigenvalues", lambda: eigenvalues(found.expr, d, ks=ks, dps=12))
    if places is None:
        return
    try:
        truth = moments(lambda x: numerics.value(found.expr, {u: x}), d, ks, places, step=14)
    except ValueError:  # mpmath's own K_n at an argument that is rounded to zero: no reference
        return
    for k, (mu, slack) in truth.items():
        if slack > mp.mpf(10) ** -8:
            continue  # the reference did not settle
        if answer is not None:
            allowed = answer.error(k) * (1 if answer.is_proved(k) else 10) + 10 * slack
            if not abs(answer[k] - mp.re(mu)) <= allowed:
                grade = "proved" if answer.is_proved(k) else "estimated"
                text = f"mu_{k} = {mp.nstr(answer[k], 12)} {grade}, truth {mp.nstr(mu, 12)}, d = {d}"
                found.false.append(f"{text} ({answer.method(k)})")
        side = None if law is None else law.parity(k)
        if side is not None and side.kind == "zero" and k >= side.zero_from and abs(mu) > 100 * slack:
            found.false.append(f"mu_{k} = 0 by the law, truth {mp.nstr(mu, 8)}, d = {d}")


def _judge(count: int, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(seed)
    grades: Counter[str] = Counter()
    lies = []
    while sum(grades.values()) < count:
        expr = draw(rng)
        if not is_kernel(expr):
            continue
        found = judge(expr, sum(grades.values()))
        grades[found.grade] += 1
        if found.false:
            lies.append(f"{expr}: {'; '.join(found.false)}")
    with capsys.disabled():
        print(f"\nseed {seed}, {count} random kernels, claims: {dict(grades)}")
    assert not lies


@pytest.mark.slow
def test_no_false_claim_about_many_random_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    _judge(MANY, SEED + 6, capsys)
