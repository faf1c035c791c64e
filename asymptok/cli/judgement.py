"""asymptok check: the conditions of a theorem, one by one."""

from __future__ import annotations

from typing import Any

from asymptok.cli.answer import Answer, kernel_data
from asymptok.cli.series import title
from asymptok.cli.subjects import one_kernel
from asymptok.report.blocks import Paragraph
from asymptok.report.verdicts import conditions_table, report_data, summary
from asymptok.theorems import check as verdict

__all__ = ["check"]


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
