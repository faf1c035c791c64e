"""A verification as a list of facts: the verdict, the questions with their answers, the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

import mpmath
from mpmath import mpf

from asymptok.show.blocks import Badge, Block, Cell, Column, Content, Facts, Line, Paragraph, Sheet, cell
from asymptok.show.decimals import MU, number
from asymptok.show.formats.html import block_html
from asymptok.show.formats.text import block_text
from asymptok.show.law import law_line
from asymptok.show.subjects import Check, Comparison, Verification

__all__ = [
    "comparison_sheet",
    "explanation",
    "verdict_words",
    "verification_blocks",
    "verification_html",
    "verification_text",
]

_ANSWERS = {True: "yes", False: "no", None: "unknown"}
_VERDICTS = {
    "supported": "the computed eigenvalues agree with the predicted law.",
    "refuted": "the computed eigenvalues do not follow the predicted law.",
    "unknown": "the computed eigenvalues contradict nothing, but some questions have no answer.",
}
_PASS_MARK = (
    "The pass mark is not a fixed tolerance: at each k the ratio may differ from one by four times the size of the "
    "first terms that the series leaves out there, plus the error of mu_k; where that is more than one, k is not "
    "judged."
)
#: characters of what was seen where details are left out
_BRIEF = 74
#: rows of the comparison that are shown
_SHOWN = 16


def verdict_words(v: Verification) -> str:
    """The verdict in a sentence."""
    return _VERDICTS[v.verdict]


def verification_blocks(v: Verification, verbose: bool = True) -> tuple[Block, ...]:
    """The verdict, the law, what was asked and seen; with `verbose` the numbers, and mpmath's digits beside ours."""
    verdict = Paragraph((Badge(v.verdict), f": {verdict_words(v)}"))
    asked = Facts(tuple(map(_asked if verbose else _asked_briefly, v.checks)))
    if not verbose:
        return (verdict, Facts(_laws(v)), asked)
    note = (Paragraph((v.referee_note,)),) if v.referee_note else ()
    digits = (_referee(v),) if v.referee_table() else ()
    return (verdict, Facts(_laws(v)), asked, comparison_sheet(v), *digits, *note)


def _asked(check: Check) -> tuple[Line, Line]:
    return (Badge(_ANSWERS[check.passed]), " ", check.name), (check.detail,)


def _asked_briefly(check: Check) -> tuple[Line, Line]:
    head, detail = _asked(check)
    return head, (shorten(check.detail, _BRIEF, placeholder=" ..."),) if check.passed else detail


def _laws(v: Verification) -> tuple[tuple[Line, Line], ...]:
    rows: list[tuple[Line, Line]] = []
    for side, law in ((v.even, v.prediction.even), (v.odd, v.prediction.odd)):
        fitted = "" if side.fitted is None else f"; fitted exponent {mpmath.nstr(side.fitted, 10)}"
        rows.append(((f"{side.parity} k",), (*law_line(law, v.d), fitted)))
    return tuple(rows)


def comparison_sheet(v: Verification, every: bool = False) -> Sheet:
    """k, mu_k, the law, how far their ratio is from 1, and how far it may be."""
    waves = [law.at(v.d).kind == "oscillatory" for law in (v.prediction.even, v.prediction.odd)]
    predicted = "envelope" if all(waves) else "law or envelope" if any(waves) else "law"
    heads = [
        Column("k", ("k",), "r"),
        Column("mu", (MU,)),
        Column("predicted", (predicted,)),
        Column("off", ("ratio \u2212 1",)),
        Column("allowed", ("allowed",)),
    ]
    rows: list[list[Content]] = [
        [
            str(c.k),
            _number(c.mu, 12, v.dps),
            _number(c.predicted, 12, v.dps),
            _number(None if c.ratio is None else c.ratio - 1, 2, 3),
            _number(c.tolerance, 2, 3),
        ]
        for c in (v.comparisons if every else _sample(v.comparisons))
    ]
    return Sheet(heads, rows)


def _number(value: mpf | None, shown: int, exact: int) -> Cell:
    return cell(plain="") if value is None else cell(number(value, shown), plain=mpmath.nstr(value, exact))


def _sample(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """A few k of each parity up to the largest."""
    chosen: list[Comparison] = []
    for parity in (0, 1):
        side = [c for c in comparisons if c.k % 2 == parity]
        step = max(1, -(-2 * len(side) // _SHOWN))
        chosen += side[::-1][::step]
    return sorted(chosen, key=lambda c: c.k)


def _referee(v: Verification) -> Sheet:
    """The digits of mpmath beside ours."""
    heads = [Column("k", ("k",), "r"), Column("mu", (MU,))]
    heads += [Column("mpmath", ("mpmath.quad",)), Column("agree", ("agree",))]
    return Sheet(heads, v.referee_table())


def _title(v: Verification) -> str:
    name = v.kernel.name or str(v.kernel)
    later = [c.k for c in v.comparisons if c.k > v.kmax]
    beyond = f" and {len(later)} degrees up to {later[-1]}" if later else ""
    return f"{name}, d = {v.d}, k = 0..{v.kmax}{beyond}"


def verification_text(v: Verification) -> str:
    """The kernel, then one block below the other."""
    return "\n\n".join([_title(v), *map(block_text, verification_blocks(v))])


def explanation(v: Verification) -> str:
    """What was asked and seen, and what would have counted as a failure."""
    judged = any(side.kind == "algebraic" for side in (v.even, v.odd))
    return verification_text(v) + (f"\n\n{_PASS_MARK}" if judged else "")


def verification_html(v: Verification) -> str:
    """The same for a notebook."""
    blocks = (Paragraph((_title(v),)), *verification_blocks(v))
    return "\n".join(map(block_html, blocks))
