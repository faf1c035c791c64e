"""asymptok check, verify and consequences: a theorem condition by condition, a prediction number by number."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable

import mpmath
from sympy import sstr

from asymptok.cli.answer import Answer, chosen_format, kernel_data
from asymptok.cli.expansions import title
from asymptok.cli.numbers import dimension
from asymptok.cli.subjects import listed_kernels, one_kernel
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.meaning.function_space import consequences as meaning
from asymptok.quantities import JSON
from asymptok.reporting.meaning import consequences_table
from asymptok.reporting.model import Column, Content
from asymptok.reporting.verdicts import conditions_table, report_data
from asymptok.show.blocks import Block, Listing, Paragraph, Sheet
from asymptok.show.theorem import report_blocks
from asymptok.show.verification import comparison_sheet, verification_blocks
from asymptok.theorems import check as verdict
from asymptok.verification import Verification
from asymptok.verification import verify as confront
from asymptok.verification.results import REFEREE_DIGITS

__all__ = ["check", "consequences", "verify"]

YES, NO, UNKNOWN = 0, 1, 4


def check(options: argparse.Namespace) -> Answer:
    """Yes if every condition is proved; a no if one is refuted; unknown otherwise."""
    return _each(options, _checked)


def _checked(kernel: Kernel, options: argparse.Namespace) -> Answer:
    report = verdict(kernel, options.dim, options.theorem)
    where = "" if options.dim is None else f"; d = {options.dim}"
    head = Paragraph((*title(kernel), where))
    return Answer(
        (head, *report_blocks(report, options.verbose)),
        lambda: {"kernel": kernel_data(kernel), "d": options.dim, **report_data(report)},
        code=UNKNOWN if report.holds is None else (YES if report.holds else NO),
        sheet=lambda: conditions_table(report),
    )


def verify(options: argparse.Namespace) -> Answer:
    """Yes if the numbers answer every question with yes; a no if they contradict the law."""
    return _each(options, _verified)


def _verified(kernel: Kernel, options: argparse.Namespace) -> Answer:
    d = dimension(options)
    found = confront(kernel, d, kmax=options.kmax, dps=options.dps, referee=_referee(options.referee))
    head = Paragraph((*title(kernel), f"; d = {d}; k = 0, ..., {found.kmax}"))
    codes = {"supported": YES, "refuted": NO, "unknown": UNKNOWN}
    return Answer(
        (head, *verification_blocks(found, options.verbose)),
        lambda: {"kernel": kernel_data(kernel), "d": d, **agreement_data(found)},
        code=codes[found.verdict],
        sheet=lambda: comparison_sheet(found, every=True),
    )


def agreement_data(found: Verification) -> dict[str, JSON]:
    """The verification for a machine."""
    return {
        "passed": found.passed,
        "verdict": found.verdict,
        "fitted_exponent": {side.parity: _text(side.fitted, 12) for side in (found.even, found.odd)},
        "referee_note": found.referee_note,
        "referee": [
            {
                "k": r.k,
                "mu": _text(r.mu, REFEREE_DIGITS),
                "mpmath": _text(r.mpmath, REFEREE_DIGITS),
                "agrees": r.agrees,
            }
            for r in found.referee
        ],
        "checks": [{"name": c.name, "passed": c.passed, "detail": c.detail} for c in found.checks],
        "rows": [
            {
                "k": row.k,
                "mu": _text(row.mu_k, found.dps),
                "predicted": _text(row.predicted, found.dps),
                "ratio": _text(row.ratio, found.dps),
            }
            for row in found.rows
        ],
    }


def _text(value: object, digits: int) -> str | None:
    return None if value is None else str(mpmath.nstr(value, digits))


def _referee(text: str | None) -> list[int] | None:
    if text is None or text == "none":
        return None if text is None else []
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise AsymptokError(f"--referee takes degrees such as 2,3,10, or none, not {text!r}") from None


def _each(options: argparse.Namespace, judge: Callable[[Kernel, argparse.Namespace], Answer]) -> Answer:
    """One answer for each kernel; the exit status is that of the worst verdict."""
    kernels = [kernel for _, kernel in listed_kernels(options)]
    answers = [judge(kernel, options) for kernel in kernels]
    if len(answers) == 1:
        return answers[0]
    blocks: list[Block] = [block for answer in answers for block in answer.blocks]
    codes = [answer.code for answer in answers]
    code = next((c for c in (NO, UNKNOWN) if c in codes), YES)
    return Answer(
        tuple(blocks), lambda: [answer.data() for answer in answers], code, lambda: _stacked(kernels, answers)
    )


def _stacked(kernels: Iterable[Kernel], answers: Iterable[Answer]) -> Sheet:
    """The sheets of all kernels under one another, with the kernel in the first column."""
    columns: list[Column] = []
    rows: list[list[Content]] = []
    for kernel, answer in zip(kernels, answers, strict=True):
        if answer.sheet is None:
            raise AsymptokError("this command has no table to show as csv")
        sheet = answer.sheet()
        columns = [Column("kernel", ("kernel",)), *sheet.columns]
        rows += [[kernel.name or str(kernel), *row] for row in sheet.rows]
    return Sheet(columns, rows)


def consequences(options: argparse.Namespace) -> Answer:
    """What the decay says about the space of functions, the feature map and rates of learning."""
    kernel = one_kernel(options)
    found = meaning(kernel) if options.dim is None else meaning(kernel, options.dim)

    def data() -> dict[str, JSON]:
        entries = {
            name: {"value": None if entry.value is None else sstr(entry.value), "statement": entry.statement}
            for name, entry in found
        }
        return {"kernel": kernel_data(kernel), "d": sstr(found.d), "space": found.space, "entries": entries}

    made = consequences_table(found)
    if chosen_format(options) == "text":
        return Answer((Listing(str(found)),), data, verbatim=True)
    head = Paragraph((*title(kernel), f"; d = {sstr(found.d)}"))
    return Answer((head, made), data, sheet=lambda: made)
