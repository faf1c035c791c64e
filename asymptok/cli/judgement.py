"""asymptok check and verify: a theorem condition by condition, a prediction number by number."""

from __future__ import annotations

from typing import Any

from asymptok.cli.answer import Answer, kernel_data
from asymptok.cli.expansions import title
from asymptok.cli.numbers import dimension
from asymptok.cli.subjects import one_kernel
from asymptok.reporting.agreement import agreement_data, checks_table, comparison_table, verdict_words
from asymptok.reporting.blocks import Paragraph
from asymptok.reporting.verdicts import conditions_table, report_data, summary
from asymptok.theorems import check as verdict
from asymptok.verification import verify as confront

__all__ = ["check", "verify"]


def check(options: Any) -> Answer:
    """Yes if every condition is proved; everything else is a no, and the summary says which kind."""
    kernel = one_kernel(options)
    report = verdict(kernel, options.dim, options.theorem)
    where = "" if options.dim is None else f"; d = {options.dim}"
    head = Paragraph((*title(kernel), where))
    theorem = Paragraph((f"{report.theorem.title}. {report.theorem.reference.where}.",))
    table = conditions_table(report)
    return Answer(
        (head, theorem, table, Paragraph((summary(report),))),
        lambda: {"kernel": kernel_data(kernel), "d": options.dim, **report_data(report)},
        code=0 if report.holds else 1,
        sheet=lambda: table,
    )


def verify(options: Any) -> Answer:
    """Yes if the numbers answer every question with yes."""
    d = dimension(options)
    kernel = one_kernel(options)
    found = confront(kernel, d, kmax=options.kmax, dps=options.dps)
    head = Paragraph((*title(kernel), f"; d = {d}; k = 0, ..., {found.kmax}"))
    return Answer(
        (head, checks_table(found), comparison_table(found), Paragraph((verdict_words(found),))),
        lambda: {"kernel": kernel_data(kernel), "d": d, **agreement_data(found)},
        code=0 if found.passed else 1,
        sheet=lambda: comparison_table(found, every=True),
    )
