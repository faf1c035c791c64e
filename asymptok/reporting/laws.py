"""Decay laws as lines, blocks and data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sympy import Expr, Symbol, oo, sstr, sympify

from asymptok.laws import Decay, ParityDecay
from asymptok.reporting.blocks import Block, Display, Paragraph
from asymptok.reporting.expansions import Names, constant, digits, double, exact_text
from asymptok.reporting.model import Inline, Line
from asymptok.reporting.numbers import MU_WORD
from asymptok.show.formula import (
    BigO,
    Factor,
    Formula,
    Piece,
    Power,
    Word,
    expression,
    folded,
    relation,
    signed,
)
from asymptok.show.law import dimensions, stretched_rate
from asymptok.show.mathml import folded_mathml
from asymptok.symbols import d as dimension
from asymptok.symbols import k
from asymptok.truth import Truth

__all__ = ["constant_line", "constant_of", "decay_blocks", "law_data", "law_line", "rate_line", "sides"]

_R = Symbol("r", positive=True)


def rate_line(law: ParityDecay, d: int | None = None) -> Line:
    """The rate without its constant: k^-d, 0 for k >= 3, r^-k for r < rho, exp(-c k^(2/3) (1 + o(1))).

    >>> from asymptok import kernels
    >>> from asymptok.laws import decay
    >>> from asymptok.reporting.formats.text import line_text
    >>> line_text(rate_line(decay(kernels.ntk(2)).even)), line_text(rate_line(decay(kernels.ntk(2)).odd))
    ('k**(-d)', '0 for k >= 3')
    """
    law = law if d is None else law.at(d)
    if d is None and law.end is not None:
        return _by_dimension(law, rate_line)
    p = law.exponent(dimension if d is None else d)
    if law.kind == "algebraic":
        return (_formula(Power(k, p), *_logs(law)),)
    if law.kind == "oscillatory":
        logs = f" times (log k)^{law.log_power}" if law.log_power else ""
        return (_formula(BigO(Power(k, p))), f"{logs}, oscillating")
    if law.kind == "zero":
        return ("0 for ", Formula((Piece("", (k,)), Piece(">=", (expr(law.zero_from),)))))
    if law.kind == "geometric":
        bound: Factor = expr(law.rho) if law.rho is not None else Word("rho", r"\rho")
        return (_formula(BigO(Power(_R, -k))), " for ", Formula((Piece("", (_R,)), Piece("<", (bound,)))))
    if law.stretched is not None:
        power = law.beside(dimension if d is None else d)
        return (_formula(*(() if power is None else (Power(k, power),)), _stretched(law, power is not None)),)
    if law.rho is oo:
        return (_formula(BigO(Power(_R, -k))), " for all ", expression(_R))
    return (_formula(Word("o(k**(-N))", "o(k^{-N})")), " for all N")


def _by_dimension(law: ParityDecay, line: Callable[[ParityDecay], Line]) -> Line:
    """One line after the other, each with the dimensions in which it holds."""
    parts: list[Inline] = []
    for where, case in law.by_dimension:
        shown = line(case) if case.end is None else (*line(case.end), " plus an oscillation of that size")
        parts += ["; " if parts else "", *shown, " for ", _formula(dimensions(where))]
    return tuple(part for part in parts if part != "")


def law_line(law: ParityDecay, d: int | None = None, names: Names | None = None) -> Line:
    """The law with its constant: mu_k ~ -2 sqrt(2)/pi C(d, 1/2) k^-d, or with numbers for a given d."""
    law = law if d is None else law.at(d)
    if d is None and law.end is not None:
        return _by_dimension(law, lambda case: law_line(case, names=names))
    if law.stretched is not None and law.stretched.lead is None:
        return (relation(Word("log mu_k", r"\log \mu_k"), "~", _formula(stretched_rate(law.stretched.tau))),)
    if law.stretched is not None:
        return _stretched_line(law, d)
    if law.kind != "algebraic":
        equal = law.kind == "zero"
        first, *rest = rate_line(law, d)
        if isinstance(first, Formula):
            return (relation(MU_WORD, "=", first), *rest)
        return (_formula(MU_WORD), " = " if equal else " ", first, *rest)
    p = law.exponent(dimension if d is None else d)
    sign, factors = _constant_factors(law, d, names)
    power = (Power(k, p), *_logs(law))
    body = relation(MU_WORD, "~", Formula((Piece(sign, (*factors, *power)),)))
    value = None if d is None else constant_of(law, d)
    told = names is None and isinstance(factors[0], Word)
    if value is None or value.free_symbols or value.is_Rational or told:
        return (body,)
    return (Formula((*body.pieces, Piece("approx", (digits(value, 6), *power)))),)


def _stretched(law: ParityDecay, exact: bool) -> Word:
    """exp(-(3/2) (2 tau k)^(2/3)), with 1 + o(1) in it where nothing is known beside it."""
    assert law.stretched is not None
    rate = stretched_rate(law.stretched.tau)
    if exact:
        return Word(f"exp({rate.text})", rf"\exp({rate.latex})")
    return Word(f"exp({rate.text}*(1 + o(1)))", rf"\exp({rate.latex}\,(1 + o(1)))")


def _stretched_line(law: ParityDecay, d: int | None) -> Line:
    """mu_k ~ c k^p exp(-...), the constant for a given d by its digits."""
    power = law.beside(dimension if d is None else d)
    value = None if d is None else law.constant(d)
    number = Word("c(d)", "c(d)") if value is None or value.free_symbols else digits(value, 6)
    return (relation(MU_WORD, "~", _formula(number, Power(k, expr(power)), _stretched(law, True))),)


def _constant_factors(law: ParityDecay, d: int | None, names: Names | None) -> tuple[str, tuple[Factor, ...]]:
    """A sign and factors: c C(d, nu) for all dimensions, one number for a given one."""
    assert law.lead is not None
    symbolic = d is None and not law.lead.nu.is_Integer
    if symbolic:
        value = law.lead.coefficient * (-2) ** law.lead.log_power
    else:
        value = constant_of(law, d)
    sign, shown = signed(constant(value, names, _constant_words(law, "the kernel")))
    if not symbolic:
        return sign, (shown,)
    nu = law.lead.nu
    mathml = f"<mrow><mi>C</mi><mo>(</mo><mi>d</mi><mo>,</mo>{folded_mathml(nu)}<mo>)</mo></mrow>"
    return sign, (shown, Word(f"C(d, {sstr(nu)})", f"C(d, {folded(nu)})", mathml))


def _logs(law: ParityDecay) -> tuple[Factor, ...]:
    return (Power(k, expr(0), law.log_power),) if law.log_power else ()


def constant_of(law: ParityDecay, d: int | None) -> Expr | None:
    """The constant of the law, None where there is none."""
    return law.constant(dimension if d is None else d)


def _constant_words(law: ParityDecay, label: str) -> Line:
    return (f"the constant of {label} for {law.parity} k, in full in .{law.parity}.constant(d)",)


def constant_line(
    law: ParityDecay, d: int, names: Names | None = None, label: str = "the kernel"
) -> Line | None:
    """The constant for a dimension, exact and (if it has no parameters) with its first digits."""
    value = constant_of(law, d)
    if value is None or law.kind == "zero":
        return None
    shown = constant(value, names, _constant_words(law, label))
    if names is None and isinstance(shown, Word):
        return (_formula(shown),)
    body = _formula(shown) if isinstance(shown, Word) else expression(shown)
    if not value.free_symbols and not value.is_Rational:
        body = Formula((*body.pieces, Piece("approx", (digits(value, 6),))))
    # the branch of a singular point outside the interval is followed by numbers
    return (body, " (an estimate)") if law.kind == "geometric" else (body,)


def decay_blocks(law: Decay, d: int | None = None) -> list[Block]:
    """Both laws in words and formulas, the constant C(d, nu) explained where it occurs."""
    blocks: list[Block] = []
    names = Names()
    for who, side in sides(law):
        line = law_line(side, d, names)
        blocks.append(_displayed(who, line))
        if side.note:
            blocks.append(Paragraph((f"{who} k: {side.note}",)))
    if d is None and any(
        (side.end or side).kind == "algebraic" and not _whole(side) for side in (law.even, law.odd)
    ):
        blocks.append(Paragraph(("with ", _C_DEFINITION)))
    blocks += [Paragraph(note) for note in names.note()]
    if law.evidence:
        blocks.append(Paragraph((f"Between the ends: {law.evidence}.",)))
    return blocks


def sides(law: Decay) -> list[tuple[str, ParityDecay]]:
    """Both parities with their names, or one entry "all" where the same is true of both."""
    if replace(law.odd, parity="even", note=law.even.note) == law.even:
        return [("all", law.even)]
    return [("even", law.even), ("odd", law.odd)]


def _displayed(parity: str, line: Line) -> Block:
    only = line[0]
    if len(line) == 1 and isinstance(only, Formula):
        suffix = Word(f"({parity} k)", rf"\quad (k \text{{ {parity}}})", _condition(parity))
        return Display(Formula((*only.pieces, Piece("", (suffix,)))))
    return Paragraph((f"{parity} k: ", *line))


def _condition(parity: str) -> str:
    return f'<mspace width="1em"/><mtext>({parity}\u00a0</mtext><mi>k</mi><mtext>)</mtext>'


def _whole(law: ParityDecay) -> bool:
    return law.lead is not None and bool(law.lead.nu.is_Integer)


def law_data(law: ParityDecay, d: int | None = None) -> dict[str, float | int | str | None]:
    """One parity for a machine; exponents and constants as expressions in d, or as numbers."""
    at = dimension if d is None else d
    law = law if d is None else law.at(d)
    value = constant_of(law, d)
    data: dict[str, float | int | str | None] = {
        "kind": law.kind,
        "exponent": None,
        "constant": None,
        "constant_value": None,
    }
    if law.kind in ("algebraic", "oscillatory"):
        data["exponent"] = sstr(law.exponent(at))
        data["log_power"] = law.log_power
        data["nu"] = None if law.nu is None else sstr(law.nu)
        data["constant"] = None if value is None else exact_text(value)
        if value is not None and not value.free_symbols:
            data["constant_value"] = double(value)
        if law.kind == "oscillatory":
            # a limsup, or only a bound on it
            data["attained"] = law.attained(at) is Truth.TRUE
    if law.kind == "zero":
        data["zero_from"] = law.zero_from
    if law.kind == "geometric" or law.rho is not None:
        data["rho"] = None if law.rho is None else sstr(law.rho)
    if law.stretched is not None:
        data["log_rate"] = sstr(law.stretched.log_rate)
        data["beside"] = None if law.beside(at) is None else sstr(law.beside(at))
        data["constant"] = None if value is None else exact_text(value)
        if value is not None and not value.free_symbols:
            data["constant_value"] = double(value)
    return data


def expr(value: object) -> Expr:
    """An expression from an int or an expression."""
    return sympify(value)


def _formula(*factors: Factor) -> Formula:
    return Formula((Piece("", factors),))


_C_DEFINITION = Formula(
    (
        Piece(
            "",
            (
                Word(
                    "C(d, nu) = 2**(nu + d - 2)*Gamma(d/2)*Gamma(nu + (d - 1)/2)/(sqrt(pi)*Gamma(-nu))",
                    r"C(d,\nu) = \frac{2^{\nu+d-2}\,\Gamma(d/2)\,\Gamma(\nu+(d-1)/2)}{\sqrt{\pi}\,\Gamma(-\nu)}",
                ),
            ),
        ),
    )
)
