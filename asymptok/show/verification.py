"""A verification as text and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import mpmath
from mpmath import mpf

from asymptok.show.prose import prose_html
from asymptok.show.subjects import Check, Comparison, ParityVerdict, Verification

__all__ = ["explanation", "verification_html", "verification_text"]

_MARKS = {True: "yes", False: "NO", None: "open"}
_HEADS = ("k", "mu_k", "predicted", "ratio - 1", "allowed", "terms", "one term: ratio - 1", "allowed")
_REFEREE = ("k", "mu_k", "mpmath.quad", "agree")
#: lines of the table: the first ones, then every so many, and the last
_SHOWN = 12


def _title(v: Verification) -> str:
    name = v.kernel.name or str(v.kernel)
    later = [c.k for c in v.comparisons if c.k > v.kmax]
    beyond = f" and {len(later)} degrees up to {later[-1]}" if later else ""
    return f"{name}, d = {v.d}, k = 0..{v.kmax}{beyond}: {v.verdict}"


def verification_text(v: Verification) -> str:
    """The verdict, the laws, the checks in one line each, and a few rows."""
    lines = [_title(v), "", *(_law(v, side) for side in (v.even, v.odd)), ""]
    lines += [f"{_MARKS[check.passed]:<5}{check.name}" for check in v.checks]
    table = [_HEADS, *(_cells(c) for c in _sample(v))]
    lines += ["", *_aligned(table), *_referee(v)]
    return "\n".join(lines)


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)).rstrip() for row in table]


def _referee(v: Verification) -> list[str]:
    """The digits of mpmath beside ours, and what it was not asked."""
    rows = v.referee_table()
    lines = ["", *_aligned([_REFEREE, *rows])] if rows else []
    return [*lines, *(["", v.referee_note] if v.referee_note else [])]


def explanation(v: Verification) -> str:
    """What was asked, how, and what the numbers said, in sentences."""
    opening = {
        "confirmed": "The predicted decay agrees with the numbers.",
        "contradicted": "The predicted decay does not agree with the numbers.",
        "undecided": "The numbers contradict nothing, but some questions stay open; that is no pass.",
    }[v.verdict]
    lines = [_title(v), "", opening, "", "What was predicted"]
    lines += [f"  {_law(v, side)}" for side in (v.even, v.odd)]
    lines += ["", "What was compared"]
    for check in v.checks:
        lines.append(f"  [{_MARKS[check.passed]}] {check.name}: {check.detail}")
    lines += [f"  {line}" if line else "" for line in _referee(v)]
    failed = [check for check in v.checks if check.passed is not True]
    if failed:
        lines += ["", "Why not"]
        lines += [f"  {_reason(check)}" for check in failed]
    if any(side.kind == "algebraic" for side in (v.even, v.odd)):
        lines += [
            "",
            "The pass mark is not a fixed tolerance: at each k the ratio may differ from one by four times the size of "
            "the first terms that the series leaves out there, plus the error of mu_k; where that is more than one, k "
            "is not judged.",
        ]
    return "\n".join(lines)


def _reason(check: Check) -> str:
    return f"{check.name}: " + ("not answered, " if check.passed is None else "") + check.detail


def _law(v: Verification, side: ParityVerdict) -> str:
    law = v.prediction.even if side.parity == "even" else v.prediction.odd
    fitted = (
        ""
        if side.fitted is None
        else f"   (exponent at d = {v.d}: {law.exponent(v.d)}, fitted {_fitted(side)})"
    )
    return f"{law.at(v.d)}{fitted}"


def _fitted(side: ParityVerdict) -> str:
    return str(mpmath.nstr(side.fitted, 10))


def _sample(v: Verification) -> list[Comparison]:
    """About a dozen k of each parity, the largest among them."""
    chosen = []
    for parity in (0, 1):
        side = [c for c in v.comparisons if c.k % 2 == parity]
        step = max(1, -(-len(side) // (_SHOWN // 2)))
        chosen += side[::-1][::step]
    return sorted(chosen, key=lambda c: c.k)


def _cells(c: Comparison) -> tuple[str, ...]:
    return (
        str(c.k),
        _number(c.mu, 12),
        _number(c.predicted, 12),
        _distance(c.ratio),
        _number(c.tolerance, 2),
        str(c.terms) if c.terms else "",
        _distance(c.one_ratio),
        _number(c.one_tolerance, 2),
    )


def _number(value: object, digits: int) -> str:
    return "" if value is None else str(mpmath.nstr(value, digits))


def _distance(ratio: mpf | None) -> str:
    return "" if ratio is None else str(mpmath.nstr(ratio - 1, 2))


def verification_html(v: Verification) -> str:
    """The same as a table that Jupyter shows."""
    checks = "".join(
        f"<tr><td><b>{_MARKS[check.passed]}</b></td><td style='text-align:left'>{prose_html(check.name)}</td>"
        f'<td style="text-align:left">{prose_html(check.detail)}</td></tr>'
        for check in v.checks
    )
    head = "".join(f"<th>{prose_html(h)}</th>" for h in _HEADS)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in _cells(c)) + "</tr>" for c in _sample(v)
    )
    return (
        f"<p><b>{prose_html(_title(v))}</b></p><table><tbody>{checks}</tbody></table>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{_referee_html(v)}"
    )


def _referee_html(v: Verification) -> str:
    head = "".join(f"<th>{prose_html(h)}</th>" for h in _REFEREE)
    rows = "".join("<tr>" + "".join(f"<td>{x}</td>" for x in row) + "</tr>" for row in v.referee_table())
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" if rows else ""
    return f"{table}<p>{prose_html(v.referee_note)}</p>" if v.referee_note else table
