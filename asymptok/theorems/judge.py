"""check(kernel): the hypotheses of a theorem, one verdict each; and which of the known theorems apply."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from sympy import Expr, Integer, Symbol, oo

from asymptok.arguments import checked_dimension
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.patience import Portion
from asymptok.theorems.case import Case
from asymptok.theorems.catalogue import DECAY, SMOOTH_CLAUSE, THEOREMS
from asymptok.theorems.conditions import SMOOTH
from asymptok.theorems.positive import POSITIVE_DEFINITE
from asymptok.theorems.theorem import Condition, ConditionReport, Hypothesis, Reports, Theorem, Verdict
from asymptok.truth import REFUTED, UNKNOWN


def check(
    kernel: Kernel | Expr | str, d: object = None, theorem: Theorem | str | None = None
) -> ConditionReport:
    """The conditions of a theorem (by default the decay theorem) for one kernel, each with status and evidence.

    With d the report also says whether the kernel is positive definite on the sphere in R^d (d = oo: in all
    dimensions). That is a question of its own: the decay theorem does not ask for it, and `holds` does not either.

    >>> from asymptok import kernels
    >>> check(kernels.ntk(3)).holds
    True
    >>> report = check("abs(u)")
    >>> report.holds, report["smooth inside"].status, report["smooth inside"].evidence
    (False, 'refuted', 'kink at u = 0: the derivative of order 1 jumps, from -1 to 1')

    Without the name of a theorem it is Theorem 1 in both its clauses; a smooth kernel has no nu, and the second holds:

    >>> check(kernels.gaussian()).holds, check(kernels.gaussian()).conclusion
    (True, 'mu_k = O(k^-N) for every N')
    """
    kernel = as_kernel(kernel)
    case = Case(kernel, _dimension(d))
    time = Portion(1)
    report = _report(case, _theorem(theorem), time)
    if theorem is not None or report.holds or report[SMOOTH.name].status == REFUTED:
        return report
    return replace(report, clause=_report(case, SMOOTH_CLAUSE, time, report.conditions))


def applicable_theorems(kernel: Kernel | Expr | str, d: object = None) -> Reports:
    """Every known theorem all of whose hypotheses are proved for the kernel, with the report that proves them.

    >>> from asymptok import kernels
    >>> [report.theorem.name for report in applicable_theorems(kernels.laplace())]
    ['decay', 'gamma-exponential', 'Taylor coefficients']
    """
    case = Case(as_kernel(kernel), _dimension(d))
    # positive definite is a question about one sphere
    candidates = [t for t in THEOREMS.values() if case.d is not None or POSITIVE_DEFINITE not in t.hypotheses]
    reports = [_report(case, theorem, Portion(1)) for theorem in candidates]
    return Reports(report for report in reports if report.holds)


def _report(case: Case, theorem: Theorem, time: Portion, known: Iterable[Condition] = ()) -> ConditionReport:
    found = {condition.name: condition for condition in known}
    conditions = tuple(found.get(h.name) or _condition(case, h, time) for h in theorem.hypotheses)
    asked = (POSITIVE_DEFINITE,) if case.d is not None and theorem is DECAY else ()
    questions = tuple(_condition(case, hypothesis, time) for hypothesis in asked)
    others = partial(applicable_theorems, case.kernel, case.d)
    report = ConditionReport(theorem, case.kernel, case.d, conditions, None, questions, others)
    if report.holds and theorem.rate is not None:
        return replace(report, exponent=theorem.rate(case))
    return report


def _condition(case: Case, hypothesis: Hypothesis, time: Portion) -> Condition:
    verdict = None
    with time:
        try:
            verdict = hypothesis.decide(case)
        except AsymptokError as error:
            verdict = Verdict(UNKNOWN, str(error))
    if verdict is None:
        verdict = Verdict(UNKNOWN, str(time))
    return Condition(
        hypothesis.name, hypothesis.statement, verdict.status, verdict.evidence, hypothesis.latex
    )


def _theorem(theorem: Theorem | str | None) -> Theorem:
    if theorem is None:
        return DECAY
    if isinstance(theorem, Theorem):
        return theorem
    found = THEOREMS.get(theorem) if isinstance(theorem, str) else None
    if found is None:
        raise AsymptokError(f"there is no theorem {theorem!r}; there are {', '.join(THEOREMS)}")
    return found


def _dimension(d: object) -> Expr | None:
    """d as a number; oo for all dimensions, and for a symbol, of which nothing more is known."""
    if d is None:
        return None
    return oo if d is oo or isinstance(d, Symbol) else Integer(checked_dimension(d))
