"""What the package says about a case, held against the truth: each claim that is false, and nothing by its wording."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import mpmath as mp
import sympy
from deceptive_kernels import Case, without_parameters
from deceptive_numbers import cuts_of, moments
from patience import Hang, Patience

from asymptok import AsymptokError, Kernel, check, consequences, decay, eigenvalues, verify
from asymptok.regularity import analyse
from asymptok.truth import Truth

#: seconds of processor time that any one question may take
PATIENCE = 10


@dataclass
class Outcome:
    """false: claims that are not true; slow: questions cut off; grade: "right" or "unknown" on smoothness, or worse."""

    case: Case
    false: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    grade: str = "refused"
    analytic: str = "unknown"
    law: str = "refused"
    seconds: float = 0.0


def judge(case: Case) -> Outcome:
    """analyse, check and decay of one case."""
    outcome = Outcome(case)
    kernel = _ask(outcome, "Kernel", lambda: Kernel(case.expr, parameters=dict(case.parameters)))
    if kernel is None:
        return outcome
    found = _ask(outcome, "analyse", lambda: analyse(kernel))
    if found is not None:
        _regularity(outcome, found)
    report = _ask(outcome, "check", lambda: check(kernel))
    if report is not None:
        _conditions(outcome, report)
    law = _ask(outcome, "decay", lambda: decay(kernel))
    if law is not None:
        assumed = found is None or found.smooth is Truth.UNKNOWN
        _laws(outcome, law, assumed)
    return _graded(outcome, outcome.grade)


def _ask(outcome: Outcome, name: str, question: Callable[[], Any]) -> Any:
    """The answer; None for a refusal. A foreign exception is a false claim; what takes too long is cut off."""
    start = time.process_time()
    try:
        with Patience(PATIENCE):
            return question()
    except AsymptokError:
        return None
    except Hang:
        outcome.slow.append(name)
        return None
    except Exception as error:  # anything but our own errors is a defect, and must be counted
        where = traceback.extract_tb(error.__traceback__)[-1]
        outcome.false.append(
            f"{name} raises {type(error).__name__} at {where.filename.rsplit('/', 2)[-1]}:{where.lineno}"
        )
        return None
    finally:
        outcome.seconds += time.process_time() - start


# ------------------------------------------------------------------------------------- regularity


def _regularity(outcome: Outcome, found: Any) -> None:
    case = outcome.case
    outcome.grade = _compare(outcome, "smooth", found.smooth, case.smooth)
    outcome.analytic = _compare(outcome, "analytic", found.analytic, case.analytic)
    for point in found.interior:
        if point.proved:
            _point(outcome, point)
    rho = case.rho()
    ellipse = found.ellipse
    if ellipse.rho is None or found.analytic is not Truth.TRUE or rho is None or case.parameters:
        return
    claimed = _number(ellipse.rho)
    if ellipse.complete and claimed > rho * (1 + mp.mpf(10) ** -12):
        outcome.false.append(f"rho = {mp.nstr(claimed, 8)}, truth {mp.nstr(rho, 8)}")
    if ellipse.attained and not _close(claimed, rho):
        outcome.false.append(f"rho = {mp.nstr(claimed, 8)} attained, truth {mp.nstr(rho, 8)}")
    if case.degree is not None and found.degree is not None and found.degree > case.degree:
        outcome.false.append(f"degree {found.degree}, truth {case.degree}")


def _compare(outcome: Outcome, name: str, claim: Truth, truth: bool) -> str:
    if claim is Truth.UNKNOWN:
        return "unknown"
    if (claim is Truth.TRUE) != truth:
        outcome.false.append(f"{name} is {claim.name}")
        return "false"
    return "right"


def _number(expr: Any) -> Any:
    return mp.inf if expr is sympy.oo else mp.mpmathify(sympy.N(expr, 30))


def _close(x: Any, y: Any) -> bool:
    return bool(x == y) or bool(
        mp.isfinite(x) and mp.isfinite(y) and abs(x - y) <= mp.mpf(10) ** -9 * (1 + abs(y))
    )


def _point(outcome: Outcome, point: Any) -> None:
    """A proved singular point must be one: its location or enclosure holds a true one."""
    case = outcome.case
    low, high = (_number(x) for x in (point.enclosure if point.location is None else 2 * (point.location,)))
    slack = mp.mpf(10) ** -13
    for a, b in case.complex_on:
        if _number(a) - slack <= high and low <= _number(b) + slack:
            return
    for truth in case.points:
        with mp.workdps(40):  # a tangent far from 0 loses digits
            where = truth.where()
        if low - slack <= where <= high + slack:
            claimed = None if point.nu is None else point.nu
            if truth.nu is not None and claimed is not None and not case.parameters and claimed != truth.nu:
                outcome.false.append(f"nu = {claimed} at {mp.nstr(where, 6)}, truth {truth.nu}")
            return
    outcome.false.append(f"{point.kind} at {mp.nstr(low, 10)}")


# ------------------------------------------------------------------------------------- check


def _conditions(outcome: Outcome, report: Any) -> None:
    case = outcome.case
    for condition in report:
        if (
            condition.name == "smooth inside"
            and condition.holds is not None
            and condition.holds != case.smooth
        ):
            outcome.false.append(f"check: smooth inside {condition.status}")
        # every core is analytic next to the ends; only a logarithm there breaks the form p(t) + c t^nu
        at = {"expansion at +1": 1, "expansion at -1": -1}.get(condition.name)
        if at is not None and condition.status == "refuted" and case.real and not _has_log(case, at):
            outcome.false.append(f"check: {condition.name} refuted")
    if report.holds is True and not case.smooth:
        outcome.false.append("check: the theorem holds")
    if report.holds is False and _theorem_applies(case):
        outcome.false.append("check: the theorem is refuted")


def _has_log(case: Case, at: int) -> bool:
    return at in case.ends and case.ends[at].log_power > 0


def _theorem_applies(case: Case) -> bool:
    """Smooth inside, and the leading non-polynomial terms are pure powers that are no integers."""
    leads = [end for end in case.ends.values() if end.nu is not None]
    return case.smooth and bool(leads) and all(not e.log_power and not e.nu.is_integer for e in leads)


# ------------------------------------------------------------------------------------- decay


def _laws(outcome: Outcome, law: Any, assumed: bool) -> None:
    """A law that rests on smoothness, where smoothness is said not to be proved, is no claim."""
    case = outcome.case
    if assumed:
        outcome.law = "assumed"
        return
    outcome.law = "right"
    before = len(outcome.false)
    if not case.smooth and (not case.real or _not_integrable(case)):
        outcome.false.append("decay: a law for what is no kernel")
    for parity in (law.even, law.odd):
        _law(outcome, parity)
    if len(outcome.false) > before:
        outcome.law = "false"


def _not_integrable(case: Case) -> bool:
    return any(p.nu is not None and p.nu <= -1 for p in case.points)


def _law(outcome: Outcome, parity: Any) -> None:
    case, kind = outcome.case, parity.kind
    say = f"decay: {parity.parity} k {kind}"
    sign = 1 if parity.parity == "even" else -1
    if kind == "oscillatory" and case.smooth:
        outcome.false.append(say)
    elif kind == "geometric":
        if not case.analytic and not _part_is_regular(case):
            outcome.false.append(say)
        rho = case.rho()
        known = rho is not None and parity.rho is not None and not case.parameters and not _symmetric(case)
        if known and _number(parity.rho) > rho * (1 + mp.mpf(10) ** -12):
            outcome.false.append(f"{say}, rho = {parity.rho}, truth {mp.nstr(rho, 8)}")
    elif kind == "superpolynomial":
        if not case.smooth and not _part_is_regular(case, flat=False):
            outcome.false.append(say)
        ends_matter = any(end.nu is not None for end in case.ends.values()) and not _ends_cancel(case, sign)
        if ends_matter and not _part_is_regular(case, flat=False):
            outcome.false.append(say)
        if parity.rho is sympy.oo and not _symmetric(case) and case.rho() not in (None, mp.inf):
            outcome.false.append(f"{say}, entire")
    elif kind == "zero":
        if not _vanishes(case, sign, parity.zero_from):
            outcome.false.append(f"{say} from {parity.zero_from}")
    elif kind == "algebraic":
        _power_law(outcome, parity, say, sign)


def _symmetric(case: Case) -> bool:
    """Whether singular points may cancel in one parity."""
    return len(case.nearest) > 1


def _part_is_regular(case: Case, flat: bool = True) -> bool:
    """Whether a parity part may be regular though kappa is not: each singular point has its mirror image, or is 0.

    Without `flat` points at which kappa is smooth do not count.
    """
    with mp.workdps(30):
        places = [p.where() for p in case.points] + [f() for f in case.flat_at if flat]
        places += [at for at, end in case.ends.items() if flat or end.nu is not None]
        return all(any(abs(a + b) < mp.mpf(10) ** -20 for b in places) for a in places)


def _ends_cancel(case: Case, sign: int) -> bool:
    """Whether the leading terms at the two ends cancel in this parity: the even part of acos is a constant."""
    if set(case.ends) != {1, -1}:
        return False
    plus, minus = case.ends[1], case.ends[-1]
    same = (plus.nu, plus.log_power) == (minus.nu, minus.log_power)
    return same and plus.coefficient + sign * minus.coefficient == 0


def _vanishes(case: Case, sign: int, start: int) -> bool:
    """mu_k = 0 from `start` on: the part of this parity is a polynomial of degree below `start`."""
    with mp.workdps(60):
        count = start + 2
        nodes = [mp.mpf(2 * j + 1) / (2 * count + 7) + mp.mpf(1) / 97 for j in range(count)]
        values = [case.plain(x) + sign * case.plain(-x) for x in nodes]
        scale = 1 + max(abs(v) for v in values)
        # the divided difference of an order above the degree is 0
        for level in range(1, count):
            values = [(b - a) / (nodes[j + level] - nodes[j]) for j, (a, b) in enumerate(pairwise(values))]
        return bool(abs(values[0]) < mp.mpf(10) ** -30 * scale)


def _power_law(outcome: Outcome, parity: Any, say: str, sign: int) -> None:
    case = outcome.case
    leads = {at: end for at, end in case.ends.items() if end.nu is not None}
    if not leads:
        outcome.false.append(say)
        return
    if not case.smooth:
        return  # the strongest of several singularities: judged by numbers elsewhere
    nu = min(end.nu for end in leads.values())
    plus, minus = (
        leads[at].coefficient if at in leads and leads[at].nu == nu else sympy.S.Zero for at in (1, -1)
    )
    expected = plus + sign * minus
    if expected == 0:
        return  # the next term leads: not tracked
    if sympy.S(parity.exponent(3)) != 3 - 2 * 3 - 2 * nu + 1:
        outcome.false.append(f"{say}, exponent {parity.exponent(3)} at d = 3, nu = {nu}")
    elif not case.parameters and not _close(_number(parity.coefficient), _number(expected)):
        outcome.false.append(f"{say}, coefficient {parity.coefficient}, truth {expected}")


# ------------------------------------------------------------------------------------- numbers

_DEGREES = (0, 1, 2, 5)


def judge_numbers(case: Case, index: int) -> Outcome:
    """eigenvalues against mpmath; positive definiteness, consequences and verify where the numbers speak."""
    outcome = Outcome(case)
    d = 2 + index % 5
    if case.parameters:
        case = without_parameters(case)
    kernel = _ask(outcome, "Kernel", lambda: Kernel(case.expr))
    if kernel is None:
        return outcome
    found = _ask(outcome, "eigenvalues", lambda: eigenvalues(kernel, d, ks=_DEGREES, dps=12))
    if not case.real or any(p.nu is not None and p.nu <= -1 for p in case.points):
        if found is not None:
            outcome.false.append(f"eigenvalues of what has none, d = {d}")
        return _graded(outcome, "right" if found is None else "false")
    if not case.bounded or "behind a flat" in case.made:
        # sin(exp(1/g^2)) close to the point would take mpmath all memory: there is no reference
        return _graded(outcome, "refused" if found is None else "unknown")
    truth = moments(case.plain, d, _DEGREES, cuts_of(case))
    if found is not None:
        _values(outcome, found, truth, d)
    _definite(outcome, kernel, truth, d)
    if index % 8 == 0 and case.ends and case.smooth:
        answer = _ask(outcome, "verify", lambda: verify(kernel, d, kmax=30, dps=15))
        if answer is not None and answer.verdict == "refuted" and not outcome.false:
            outcome.false.append(f"verify contradicts a true law, d = {d}")
    return _graded(outcome, "refused" if found is None else "right")


def _graded(outcome: Outcome, grade: str) -> Outcome:
    outcome.grade = "false" if outcome.false else ("slow" if outcome.slow else grade)
    return outcome


def _values(outcome: Outcome, found: Any, truth: dict[int, tuple[Any, Any]], d: int) -> None:
    for k, (mu, slack) in truth.items():
        if slack > mp.mpf(10) ** -6 * (1 + abs(mu)):
            continue  # the reference did not settle
        # a proved error is a bound; an estimate may be short by a factor, not by an order of magnitude
        allowed = found.error(k) * (1 if found.is_proved(k) else 10) + 10 * slack
        if not abs(found[k] - mu) <= allowed:
            grade = "proved" if found.is_proved(k) else "estimated"
            outcome.false.append(
                f"mu_{k} = {mp.nstr(found[k], 12)} {grade}, truth {mp.nstr(mu, 12)}, d = {d}, {found.method(k)}"
            )


def _definite(outcome: Outcome, kernel: Kernel, truth: dict[int, tuple[Any, Any]], d: int) -> None:
    negative = any(mu < -1000 * slack for mu, slack in truth.values())
    report = _ask(outcome, "check", lambda: check(kernel, d))
    names = () if report is None else tuple(c.name for c in report)
    if report is not None and "positive definite" in names:
        status = report["positive definite"].status
        if status == "proved" and negative:
            outcome.false.append(f"positive definite proved, d = {d}")
    answer = _ask(outcome, "consequences", lambda: consequences(kernel, d))
    if answer is not None and negative and answer.positive_definite.status == "proved":
        outcome.false.append(f"consequences of a kernel that is not positive definite, d = {d}")
