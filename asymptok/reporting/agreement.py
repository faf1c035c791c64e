"""verify() as tables, HTML and data: every question put to the numbers, and their answers."""

from __future__ import annotations

from html import escape

import mpmath
from mpmath import mpf

from asymptok.precision import digits_to_bits, mpmath_precision
from asymptok.quantities import JSON
from asymptok.reporting.blocks import Paragraph, render_blocks
from asymptok.reporting.model import Cell, Column, Content, Table, cell
from asymptok.reporting.numbers import MU, number
from asymptok.show.prose import prose_html
from asymptok.verification import Check, Comparison, Verification
from asymptok.verification.results import REFEREE_DIGITS

__all__ = [
    "agreement_data",
    "agreement_html",
    "checks_table",
    "comparison_table",
    "referee_blocks",
    "verdict_words",
]

_WORDS = {True: "passed", False: "failed", None: "open"}
_MARKS = {True: "\u2713", False: "\u2717", None: "?"}
_VERDICTS = {
    "confirmed": "The predicted decay agrees with the numbers.",
    "contradicted": "The predicted decay does not agree with the numbers.",
    "undecided": "The numbers contradict nothing, but some questions stay open, which is no pass.",
}
#: rows of the comparison that are shown
_SHOWN = 16


def verdict_words(found: Verification) -> str:
    """The verdict in a sentence."""
    return _VERDICTS[found.verdict]


def checks_table(found: Verification) -> Table:
    """One row for each question: answer, name, what was seen."""
    heads = [Column("answer", ("answer",)), Column("check", ("check",)), Column("detail", ("seen",), "p")]
    rows = [[f"{_MARKS[c.passed]} {_WORDS[c.passed]}", c.name, c.detail] for c in found.checks]
    return Table(heads, rows)


def comparison_table(found: Verification, every: bool = False) -> Table:
    """k, mu_k, the prediction, how far their ratio is from 1, and how far it may be."""
    heads = [
        Column("k", ("k",), "r"),
        Column("mu", (MU,)),
        Column("predicted", ("predicted",)),
        Column("off", ("ratio \u2212 1",)),
        Column("allowed", ("allowed",)),
    ]
    chosen = found.comparisons if every else _sample(found)
    rows: list[list[Content]] = [
        [
            str(c.k),
            _number(c.mu, 12, found.dps),
            _number(c.predicted, 12, found.dps),
            _number(_off(c, found.dps), 2, 3),
            _number(c.tolerance, 2, 3),
        ]
        for c in chosen
    ]
    return Table(heads, rows)


def _number(value: object, shown: int, exact: int) -> Cell:
    return cell(plain="") if value is None else cell(number(value, shown), plain=mpmath.nstr(value, exact))


def _off(c: Comparison, dps: int) -> mpf | None:
    """mu_k/predicted - 1, which loses all the digits that the two have in common."""
    if not c.predicted:
        return None
    with mpmath_precision(digits_to_bits(dps)):
        return (c.mu - c.predicted) / c.predicted


def _sample(found: Verification) -> list[Comparison]:
    """A few k of each parity up to the largest."""
    chosen: list[Comparison] = []
    for parity in (0, 1):
        side = [c for c in found.comparisons if c.k % 2 == parity]
        step = max(1, -(-2 * len(side) // _SHOWN))
        chosen += side[::-1][::step]
    return sorted(chosen, key=lambda c: c.k)


def referee_blocks(found: Verification) -> tuple[Table | Paragraph, ...]:
    """The digits of mpmath beside ours, and what it was not asked."""
    heads = [
        Column("k", ("k",), "r"),
        Column("mu", (MU,)),
        Column("mpmath", ("mpmath.quad",)),
        Column("agree", ("agree",)),
    ]
    rows = found.referee_table()
    table = (Table(heads, rows),) if rows else ()
    return (*table, Paragraph((found.referee_note,))) if found.referee_note else table


def agreement_html(found: Verification) -> str:
    """Every question with its answer as a badge, and the digits of the referee."""
    items = "\n".join(
        f"<li>{_badge(c)} <strong>{escape(c.name)}</strong>: {prose_html(c.detail)}</li>"
        for c in found.checks
    )
    digits = f'<div class="wide" tabindex="0">{render_blocks(referee_blocks(found), "html")}</div>'
    return f'<p>{escape(verdict_words(found))}</p>\n<ul class="verdicts">\n{items}\n</ul>\n{digits}'


def _badge(check: Check) -> str:
    word = _WORDS[check.passed]
    return f'<span class="badge {word}">{_MARKS[check.passed]} {word}</span>'


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
