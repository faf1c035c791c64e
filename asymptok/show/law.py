"""Decay laws as text, LaTeX and HTML."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from sympy import Expr, Symbol, latex, oo, sstr

from asymptok.balls import ball
from asymptok.show.subjects import Decay, ParityDecay
from asymptok.symbols import d

__all__ = ["decay_html", "decay_latex", "decay_text", "parity_latex", "parity_text"]

#: a constant whose text is longer than this is shown by its digits
_LONG = 70
_DIGITS = 15


def decay_text(law: Decay) -> str:
    """The law in aligned lines.

    >>> from asymptok import kernels
    >>> from asymptok.laws import decay
    >>> print(decay(kernels.ntk(2)))
    decay of NTK, depth 2
    nu      1/2
    even k  mu_k ~ -2 sqrt(2)/pi C(d, 1/2) k^(-d)
    odd k   mu_k = 0 for odd k >= 3
    with    C(d, nu) = 2^(nu+d-2) Gamma(d/2) Gamma(nu+(d-1)/2) / (sqrt(pi) Gamma(-nu))
    """
    lines = [f"decay of {law.kernel.name or law.kernel}"]
    if law.nu is not None:
        lines.append(f"nu      {_plain(law.nu)}")
    lines += [parity_text(law.even), parity_text(law.odd)]
    if any("C(d, " in line for line in lines[-2:]):
        lines.append("with    C(d, nu) = 2^(nu+d-2) Gamma(d/2) Gamma(nu+(d-1)/2) / (sqrt(pi) Gamma(-nu))")
    if law.least_dimension > 2:
        lines.append(f"where   d >= {law.least_dimension}: the kernel is not integrable on smaller spheres")
    lines += [f"note    assumes {what}" for what in law.assumes]
    return "\n".join(lines)


def parity_text(law: ParityDecay) -> str:
    head = f"{law.parity} k".ljust(8)
    if law.kind == "algebraic":
        return head + f"mu_k ~ {_constant_text(law)} k^({_plain(law.exponent(d))}){_log_text(law)}"
    if law.kind == "zero":
        return head + f"mu_k = 0 for {law.parity} k >= {law.zero_from}"
    if law.kind == "geometric":
        rho = "some rho > 1" if law.rho is None else f"rho = {sstr(law.rho)}"
        return head + f"geometric: mu_k = O(r^-k) for every r < {rho}"
    if law.kind == "superpolynomial":
        return head + f"smaller than every power of k ({law.note})"
    where = ", ".join(f"{p.kind} at u = {_where(p)}" for p in law.interior)
    return head + f"oscillatory of size k^({_plain(law.exponent(d))}){_log_text(law)}: {where}"


def _where(point: Any) -> str:
    return sstr(point.location) if point.location is not None else f"{float(point.enclosure[0]):.6g}..."


def _plain(value: Expr) -> str:
    return re.sub(r"\*\*", "^", sstr(value)).replace("*", " ")


def _is_theorem_form(law: ParityDecay) -> bool:
    """Whether C(d, nu) itself is the constant's factor: no whole nu, where a derivative of it takes its place."""
    return law.lead is not None and not law.lead.nu.is_Integer


def _constant_text(law: ParityDecay) -> str:
    if not _is_theorem_form(law):
        return _short(law.constant(d))
    assert law.lead is not None
    body = _short(law.lead.coefficient)
    body = f"({body})" if law.lead.coefficient.is_Add and not body.endswith("...") else body
    factor = f"C(d, {_plain(law.lead.nu)})"
    return factor if body == "1" else ("-" + factor if body == "-1" else f"{body} {factor}")


def _short(value: Expr | None) -> str:
    if value is None:
        return "?"
    # The size is measured before anything is printed: constants of deep networks would fill pages.
    if not value.free_symbols and value.count_ops() > _LONG // 3:
        digits = ball(value, prec=128).str(_DIGITS, radius=False)
        return f"{digits}..."
    return _plain(value)


def _log_text(law: ParityDecay) -> str:
    if law.log_power == 0:
        return ""
    power = "" if law.log_power == 1 else f"^{law.log_power}"
    if law.kind == "algebraic" and _is_theorem_form(law):
        return f" (-2 log k){power}"
    return f" (log k){power}"


# LaTeX and HTML ----------------------------------------------------------------------------------------------


def decay_latex(law: Decay) -> str:
    """Both laws in one formula."""
    return (
        r"\begin{cases}"
        + rf"{parity_latex(law.even)} & k \text{{ even}} \\ {parity_latex(law.odd)} & k \text{{ odd}}"
        + r"\end{cases}"
    )


def parity_latex(law: ParityDecay) -> str:
    mu = r"\mu_k"
    if law.kind == "algebraic":
        power = rf"k^{{{latex(law.exponent(d))}}}"
        return rf"{mu} \sim {_constant_latex(law)}\,{power}{_log_latex(law)}"
    if law.kind == "zero":
        return rf"{mu} = 0,\quad k \ge {law.zero_from}"
    if law.kind == "geometric":
        bound = r"\rho" if law.rho is None else latex(law.rho)
        return rf"{mu} = O(r^{{-k}}),\quad r < {bound}"
    if law.kind == "superpolynomial":
        return rf"{mu} = o(k^{{-p}}) \text{{ for every }} p"
    return rf"{mu} = O\left(k^{{{latex(law.exponent(d))}}}{_log_latex(law)}\right)"


def _constant_latex(law: ParityDecay) -> str:
    if not _is_theorem_form(law):
        return str(latex(law.constant(d)))
    assert law.lead is not None
    text = _short(law.lead.coefficient)
    if text.endswith("..."):
        body = text[:-3] + r"\ldots"
    else:
        body = latex(law.lead.coefficient)
        body = rf"\left({body}\right)" if law.lead.coefficient.is_Add else body
    return rf"{body}\,C\left({latex(Symbol('d'))}, {latex(law.lead.nu)}\right)"


def _log_latex(law: ParityDecay) -> str:
    if law.log_power == 0:
        return ""
    power = "" if law.log_power == 1 else f"^{{{law.log_power}}}"
    theorem = law.kind == "algebraic" and _is_theorem_form(law)
    return (r"\,(-2\log k)" if theorem else r"\,(\log k)") + power


_CONSTANT = r"C(d, \nu) = \frac{2^{\nu+d-2}\,\Gamma(d/2)\,\Gamma(\nu+(d-1)/2)}{\sqrt{\pi}\,\Gamma(-\nu)}"


def _numerical(law: ParityDecay) -> str:
    """The law in dimension 3 with its constant as a number, where it has one without parameters."""
    if law.kind != "algebraic":
        return ""
    constant = law.constant(3)
    if constant is None or constant.free_symbols:
        return ""
    digits = ball(constant, prec=64).str(8, radius=False)
    mantissa, _, power = str(digits).partition("e")
    number = mantissa + (rf"\cdot 10^{{{int(power)}}}" if power else "")
    return rf"\mu_k \sim {number}\ldots\,k^{{{latex(law.exponent(3))}}}{_log_latex(law)}"


def decay_html(law: Decay) -> str:
    """A small table; formulas are LaTeX, which Jupyter typesets."""
    rows = [
        ("even <i>k</i>", parity_latex(law.even), law.even.note),
        ("odd <i>k</i>", parity_latex(law.odd), law.odd.note),
    ]
    if law.nu is not None and law.nu is not oo:
        rows.insert(0, ("&nu;", latex(law.nu), ""))
    if any(r"C\left(" in formula for _, formula, _ in rows):
        rows.append(("with", _CONSTANT, ""))
    for side in (law.even, law.odd):
        digits = _numerical(side)
        if digits:
            rows.append((f"{side.parity} <i>k</i>, <i>d</i> = 3", digits, ""))
    body = "".join(
        f"<tr><th>{head}</th><td>${formula}$</td><td>{escape(note)}</td></tr>" for head, formula, note in rows
    )
    return f"<table><caption>{escape(str(law.kernel.name or law.kernel))}</caption>{body}</table>"
