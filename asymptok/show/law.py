"""Decay laws as text, LaTeX and HTML."""

from __future__ import annotations

import re
from typing import Any

from sympy import Eq, Expr, Symbol, oo, sstr
from sympy.logic.boolalg import Boolean

from asymptok import dag
from asymptok.balls import ball
from asymptok.functions.long_constant import LongConstant
from asymptok.parameters import conditions
from asymptok.show.formula import Word, first_digits, folded, to_latex
from asymptok.show.naming import definitions, named, names_in
from asymptok.show.prose import prose_html
from asymptok.show.subjects import Decay, ParityDecay
from asymptok.symbols import d, k

__all__ = [
    "decay_html",
    "decay_latex",
    "decay_text",
    "dimensions",
    "parity_html",
    "parity_latex",
    "parity_text",
    "stretched_rate",
]

#: a constant of more nodes than this, or of a longer text, bears a name
_LARGE, _LONG = 3000, 240
#: the same for one with parameters, which no digits stand for
_LONG_FORMULA = 800
#: the constant before rho^-k is shown for every d up to this length, and by its digits for d = 3 beyond
_BRIEF = 80
_DIGITS = 15
#: a longer 2 tau is shown by its digits
_SHORT = 48


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
    if ranges := conditions(law.kernel.parameters):
        lines.append(f"for     {ranges}")
    if any("C(d, " in line for line in lines):
        lines.append("with    C(d, nu) = 2^(nu+d-2) Gamma(d/2) Gamma(nu+(d-1)/2) / (sqrt(pi) Gamma(-nu))")
    where = [_python(line.text()) for line in definitions(_names(law))]
    where += [f"a_{side.parity} {_long_value(side).text}" for side in (law.even, law.odd) if _is_long(side)]
    if where:
        lines.append("where   " + ", ".join(where))
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
        rho = "some rho > 1" if law.rho is None else f"rho = {dag.brief(law.rho)}"
        return head + f"geometric: mu_k = O(r^-k) for every r < {rho}{_outside_text(law)}"
    if law.kind == "superpolynomial":
        if law.stretched is not None:
            return head + f"{_stretched_text(law)} ({law.note})"
        return head + f"smaller than every power of k ({law.note})"
    where = ", ".join(f"{p.kind} at u = {_where(p)}" for p in law.interior)
    if law.end is None:
        return head + f"{_size_text(law)}: {where}"
    cases = (f"{_case_text(case)} for {dimensions(where).text}" for where, case in law.by_dimension)
    return head + f"{'; '.join(cases)}: {where}"


def _size_text(law: ParityDecay) -> str:
    return f"oscillatory of size k^({_plain(law.exponent(d))}){_log_text(law)}"


def _case_text(law: ParityDecay) -> str:
    """The law in some dimensions, without the points inside."""
    if law.kind == "oscillatory" and law.end is None:
        return _size_text(law)
    return parity_text(law.end or law)[8:] + (" plus an oscillation of the same size" if law.end else "")


def dimensions(where: Boolean) -> Word:
    """d <= 3, d = 4, d >= 5.

    >>> from sympy import Eq
    >>> dimensions(Eq(d, 4)).text
    'd = 4'
    """
    if isinstance(where, Eq):
        return Word(
            f"{sstr(where.lhs)} = {sstr(where.rhs)}", f"{to_latex(where.lhs)} = {to_latex(where.rhs)}"
        )
    return Word(sstr(where), to_latex(where))


def _stretched_text(law: ParityDecay) -> str:
    rate = _python(stretched_rate(law.stretched.tau).text)
    power = law.beside(d)
    if power is None:
        return f"log mu_k ~ {rate}"
    brief, digits = _constant_or_digits(law)
    shown = "c(d)" if brief is None else _plain(brief)
    return f"mu_k ~ {shown} k^({_plain(power)}) exp({rate}){f', c(3) = {digits}' if digits else ''}"


def stretched_rate(tau: Expr) -> Word:
    """log mu_k as people write it, -(3/2) (2 tau k)^(2/3), with the digits of a long constant.

    >>> from sympy import pi
    >>> stretched_rate(3*pi/4).text
    '-3*(3*pi*k/2)**(2/3)/2'
    """
    inside = 2 * tau * k
    if not tau.free_symbols and len(sstr(inside)) > _SHORT:
        shown = first_digits(str(ball(2 * tau, prec=96).str(16, radius=False)), 8)
        return Word(f"-3*({shown.text}*k)**(2/3)/2", rf"-3({shown.latex}\,k)^{{2/3}}/2")
    return Word(f"-3*({sstr(inside)})**(2/3)/2", rf"-3({folded(inside)})^{{2/3}}/2")


def _outside_text(law: ParityDecay) -> str:
    """The constant before rho^-k, which is no part of what is proved."""
    if law.outside is None:
        return ""
    power = law.beside(d)
    assert power is not None
    brief, number = _constant_or_digits(law)
    shown = "c(d)" if brief is None else _plain(brief)
    digits = f", c(3) = {number}" if number else ""
    if law.outside.one_sign:
        shown = f"({shown})" if brief is not None and brief.is_Add else shown
        return f"; estimate: mu_k ~ {shown} k^({_plain(power)}){_log_text(law)} rho^-k{digits}"
    over = f" (log k)^-{law.log_power}" if law.log_power else ""
    return f"; estimate: limsup |mu_k| rho^k k^({_plain(-power)}){over} = {shown}{digits}"


def _constant_or_digits(law: ParityDecay) -> tuple[Expr | None, str]:
    """The constant for every d if it fits on a line, or else its digits for d = 3, if it is a number."""
    value = law.constant(d)
    assert value is not None
    if dag.tree_size(value) <= _LARGE and len(sstr(value)) <= _BRIEF:
        return value, ""
    if value.free_symbols - {d}:
        return None, ""
    number = law.outside.constant_ball(3) if law.outside is not None else ball(value.subs(d, 3), prec=96)
    return None, f"{number.str(_DIGITS, radius=False)}..."


def _where(point: Any) -> str:
    return sstr(point.location) if point.location is not None else f"{float(point.enclosure[0]):.6g}..."


def _plain(value: Expr) -> str:
    return _python(sstr(value))


def _python(text: str) -> str:
    """Powers with ^, products with a blank, but 3*2^(1/3) where numbers meet."""
    return re.sub(r"(?<!\d)\*|\*(?!\d)", " ", text.replace("**", "^"))


def _names(law: Decay) -> list[Symbol]:
    """The names of constants that the two laws use, in order of depth."""
    shown = [_shown(c) for c in (_constant(law.even), _constant(law.odd)) if c is not None]
    return names_in(*(c for c in shown if c is not None))


def _constant(law: ParityDecay) -> Expr | None:
    """The factor that stands before C(d, nu), or the whole constant where there is no such factor."""
    if law.end is not None:
        return _constant(law.end)
    if law.kind != "algebraic":
        return None
    return law.lead.coefficient if law.lead is not None and _is_theorem_form(law) else law.constant(d)


def _shown(value: Expr) -> Expr | None:
    """The constant with names, None if it is too long even so."""
    # The size is measured before anything is printed: constants of deep networks would fill pages.
    short = named(value)
    if dag.tree_size(short) > _LARGE or short.has(LongConstant):
        return None
    most = _LONG_FORMULA if short.free_symbols - set(names_in(short)) else _LONG
    return short if len(sstr(short)) <= most else None


def _is_long(law: ParityDecay) -> bool:
    """Whether the constant bears a name, a_even or a_odd, because it is too long to be shown."""
    value = _constant(law)
    return value is not None and _shown(value) is None


def _place(law: ParityDecay) -> str:
    """Where the object has a constant in full."""
    return f"decay(...).{law.parity}.{'end.' if law.end else ''}" + (
        "lead.coefficient" if _is_theorem_form(law) else "constant(d)"
    )


def _long_value(law: ParityDecay) -> Word:
    """What the name of a long constant stands for: its digits, and where it is exact."""
    value, place = _constant(law), _place(law)
    if value is None or value.free_symbols:
        return Word(f"is {place}", rf"\text{{ is }} \texttt{{{place}}}")
    digits = first_digits(str(ball(value, prec=128).str(20, radius=False)), 8)
    exact = rf"\text{{ (exact in \texttt{{{place}}})}}"
    return Word(f"= {digits.text} (exact in {place})", f"= {digits.latex} {exact}")


def _definitions_latex(names: list[Symbol], *laws: ParityDecay) -> list[str]:
    """What the names stand for, and where the constants are that are too long."""
    long = [f"{_long_latex(x)} {_long_value(x).latex}" for x in laws if _is_long(x)]
    return [line.latex() for line in definitions(names)] + long


def _long_latex(law: ParityDecay) -> str:
    return rf"a_{{\text{{{law.parity}}}}}"


def _is_theorem_form(law: ParityDecay) -> bool:
    """Whether C(d, nu) itself is the constant's factor: no whole nu, where a derivative of it takes its place."""
    return law.lead is not None and not law.lead.nu.is_Integer


def _constant_text(law: ParityDecay) -> str:
    value = _constant(law)
    shown = None if value is None else _shown(value)
    body = "?" if value is None else (f"a_{law.parity}" if shown is None else _plain(shown))
    if not _is_theorem_form(law):
        return body
    assert law.lead is not None
    body = f"({body})" if shown is not None and shown.is_Add else body
    factor = f"C(d, {_plain(law.lead.nu)})"
    return factor if body == "1" else ("-" + factor if body == "-1" else f"{body} {factor}")


def _log_text(law: ParityDecay) -> str:
    if law.log_power == 0:
        return ""
    power = "" if law.log_power == 1 else f"^{law.log_power}"
    if law.kind == "algebraic" and _is_theorem_form(law):
        return f" (-2 log k){power}"
    return f" (log k){power}"


# LaTeX and HTML ----------------------------------------------------------------------------------------------


def decay_latex(law: Decay) -> str:
    """Both laws in one formula, or one where they agree; below it C(d, nu) and the constants that bear names."""
    even, odd = parity_latex(law.even), parity_latex(law.odd)
    cases = rf"\begin{{cases}}{even} & k \text{{ even}} \\ {odd} & k \text{{ odd}}\end{{cases}}"
    laws = even if even == odd else cases
    ranges = conditions(law.kernel.parameters, to_latex, r"\le", r"\ge")
    names = r",\ ".join(line.latex() for line in definitions(_names(law)))
    digits = [
        _long_latex(x) + _long_value(x).latex.partition(r" \text")[0]
        for x in (law.even, law.odd)
        if _is_long(x)
    ]
    below = [_CONSTANT if "C(d, " in laws else "", names, *digits]
    lines = [r"\quad ".join(filter(None, (laws, ranges))), *filter(None, below)]
    shown = r" \\ ".join(lines)
    return rf"\begin{{gathered}}{shown}\end{{gathered}}" if len(lines) > 1 else shown


def parity_latex(law: ParityDecay) -> str:
    mu = r"\mu_k"
    if law.kind == "algebraic":
        power = rf"k^{{{folded(law.exponent(d))}}}"
        return rf"{mu} \sim {_constant_latex(law)}\,{power}{_log_latex(law)}"
    if law.kind == "zero":
        return rf"{mu} = 0,\quad k \ge {law.zero_from}"
    if law.kind == "geometric":
        bound = r"\rho" if law.rho is None else to_latex(law.rho)
        return rf"{mu} = O(r^{{-k}}),\quad r < {bound}{_outside_latex(law)}"
    if law.kind == "superpolynomial":
        if law.stretched is not None:
            return _stretched_latex(law)
        if law.rho is oo:
            return rf"{mu} = O(r^{{-k}}) \text{{ for every }} r"
        return rf"{mu} = o(k^{{-p}}) \text{{ for every }} p"
    if law.end is not None:
        rows = (rf"{_case_latex(case)} & {dimensions(where).latex}" for where, case in law.by_dimension)
        return r"\begin{cases}" + r" \\ ".join(rows) + r"\end{cases}"
    return rf"{mu} = O\left(k^{{{folded(law.exponent(d))}}}{_log_latex(law)}\right)"


def _case_latex(law: ParityDecay) -> str:
    if law.kind == "oscillatory" and law.end is not None:
        return parity_latex(law.end) + r" + \text{an oscillation of the same size}"
    return parity_latex(law)


def _stretched_latex(law: ParityDecay) -> str:
    rate, power = stretched_rate(law.stretched.tau).latex, law.beside(d)
    if power is None:
        return rf"\log \mu_k \sim {rate}"
    brief, number = _constant_or_digits(law)
    shown = "c(d)" if brief is None else to_latex(brief)
    return rf"\mu_k \sim {shown}\,k^{{{folded(power)}}}\exp({rate}){_digits_latex(number)}"


def _digits_latex(number: str) -> str:
    return rf",\ c(3) = {number[:-3]}\ldots" if number else ""


def _outside_latex(law: ParityDecay) -> str:
    if law.outside is None:
        return ""
    power = law.beside(d)
    assert power is not None
    brief, number = _constant_or_digits(law)
    shown, digits = "c(d)" if brief is None else to_latex(brief), _digits_latex(number)
    if law.outside.one_sign:
        shown = rf"\left({shown}\right)" if brief is not None and brief.is_Add else shown
        formula = rf"\mu_k \sim {shown}\,k^{{{folded(power)}}}{_log_latex(law)}\rho^{{-k}}"
    else:
        over = rf"(\log k)^{{-{law.log_power}}}" if law.log_power else ""
        formula = rf"\limsup |\mu_k|\,\rho^k k^{{{folded(-power)}}}{over} = {shown}"
    return rf" = \rho;\quad \text{{estimate: }} {formula}{digits}"


def _constant_latex(law: ParityDecay) -> str:
    value = _constant(law)
    shown = None if value is None else _shown(value)
    body = "?" if value is None else (_long_latex(law) if shown is None else to_latex(shown))
    if not _is_theorem_form(law):
        return body
    assert law.lead is not None
    body = rf"\left({body}\right)" if shown is not None and shown.is_Add else body
    factor = f"C(d, {folded(law.lead.nu)})"
    return factor if body == "1" else ("-" + factor if body == "-1" else rf"{body}\,{factor}")


def _log_latex(law: ParityDecay) -> str:
    if law.log_power == 0:
        return ""
    power = "" if law.log_power == 1 else f"^{{{law.log_power}}}"
    theorem = law.kind == "algebraic" and _is_theorem_form(law)
    return (r"\,(-2\log k)" if theorem else r"\,(\log k)") + power


_CONSTANT = r"C(d, \nu) = \frac{2^{\nu+d-2}\,\Gamma(d/2)\,\Gamma(\nu+(d-1)/2)}{\sqrt{\pi}\,\Gamma(-\nu)}"


def _numerical(law: ParityDecay) -> str:
    """The law in dimension 3 with its constant as a number, where it has one without parameters."""
    law = law.at(3) if law.least_dimension <= 3 else law
    if law.kind != "algebraic" or law.least_dimension > 3:
        return ""
    constant = law.constant(3)
    if constant is None or constant.free_symbols:
        return ""
    if constant.is_Rational:
        number = "" if constant == 1 else rf"{to_latex(constant)}\,"
    else:
        number = first_digits(str(ball(constant, prec=96).str(16, radius=False)), 8).latex + r"\,"
    return rf"\mu_k \sim {number}k^{{{folded(law.exponent(3))}}}{_log_latex(law)}"


def decay_html(law: Decay) -> str:
    """A small table; formulas are LaTeX, which Jupyter typesets."""
    rows = [(_head(side), parity_latex(side), _remark(side)) for side in (law.even, law.odd)]
    if law.nu is not None and law.nu is not oo:
        rows.insert(0, ("<i>\u03bd</i>", to_latex(law.nu), ""))
    if any(_constant(side) is not None and _is_theorem_form(side) for side in (law.even, law.odd)):
        rows.append(("with", _CONSTANT, ""))
    where = _definitions_latex(_names(law), law.even, law.odd)
    if where:
        rows.append(("where", r",\ ".join(where), ""))
    if ranges := conditions(law.kernel.parameters, to_latex, r"\le", r"\ge"):
        rows.append(("for", ranges, ""))
    for side in (law.even, law.odd):
        digits = _numerical(side)
        if digits:
            rows.append((f"{_head(side)}, <i>d</i> = 3", digits, ""))
    rows += [("assumes", "", what) for what in law.assumes]
    return _table(rows, law.kernel.name or str(law.kernel))


def parity_html(law: ParityDecay) -> str:
    """The law of one parity, and where it is from."""
    rows = [(_head(law), parity_latex(law), _remark(law))]
    constant = _constant(law)
    if constant is not None and _is_theorem_form(law):
        rows.append(("with", _CONSTANT, ""))
    shown = None if constant is None else _shown(constant)
    where = _definitions_latex([] if shown is None else names_in(shown), law)
    if where:
        rows.append(("where", r",\ ".join(where), ""))
    return _table(rows, "")


def _head(law: ParityDecay) -> str:
    return f"{law.parity} <i>k</i>"


def _remark(law: ParityDecay) -> str:
    points = ", ".join(f"{p.kind} at u = {_where(p)}" for p in law.interior)
    return "; ".join(part for part in (points, law.note) if part)


def _set(formula: str) -> str:
    return rf"$\displaystyle {formula}$" if formula else ""


def _table(rows: list[tuple[str, str, str]], caption: str) -> str:
    left = 'style="text-align:left"'
    body = "".join(
        f"<tr><th {left}>{head}</th><td {left}>{_set(formula)}</td><td {left}>{prose_html(note)}</td></tr>"
        for head, formula, note in rows
    )
    above = f"<caption {left}>{prose_html(caption)}</caption>" if caption else ""
    return f"<table>{above}{body}</table>"
