"""A decay law as a list of facts, which every format sets in its own way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Eq, Expr, Integer, Symbol, ceiling, oo, sstr

from asymptok import dag
from asymptok.balls import ball
from asymptok.parameters import conditions
from asymptok.show.blocks import Block, Facts, Inline, Line
from asymptok.show.coefficients import Names, constant, digits, inline
from asymptok.show.decimals import MU_WORD
from asymptok.show.formats.html import block_html
from asymptok.show.formats.latex import math_latex
from asymptok.show.formats.text import block_text, line_text
from asymptok.show.formula import (
    BigO,
    Factor,
    Formula,
    Piece,
    Power,
    Word,
    expression,
    first_digits,
    folded,
    relation,
    signed,
    to_latex,
)
from asymptok.show.mathml import folded_mathml
from asymptok.show.naming import definitions
from asymptok.show.prose import prose_html
from asymptok.show.ranges import parameter_ranges
from asymptok.show.subjects import Decay, ParityDecay
from asymptok.symbols import d as dimension
from asymptok.symbols import k

__all__ = [
    "constant_line",
    "decay_html",
    "decay_latex",
    "decay_text",
    "law_facts",
    "law_line",
    "parity_html",
    "parity_latex",
    "parity_text",
    "rate_line",
    "sides",
]

_RHO = Word("rho", r"\rho")
_R = Symbol("r", positive=True)
#: characters of a constant that a law shows in full, of one with parameters, and of one beside rho^-k
_LONG, _LONG_FORMULA, _BRIEF = 240, 800, 80
_LARGE = 3000
#: a longer 2 tau is shown by its digits, and a longer constant for d = 3 not at all
_SHORT = 48
_DIGITS = 6
#: the dimension of the example, the sphere that can be drawn
_EXAMPLE = 3


# one parity --------------------------------------------------------------------------------------------------


def rate_line(law: ParityDecay, d: int | None = None) -> Line:
    """The rate without its constant: k^-d, 0 for k >= 3, r^-k for r < rho, exp(-c k^(2/3) (1 + o(1))).

    >>> from asymptok import kernels
    >>> from asymptok.laws import decay
    >>> line_text(rate_line(decay(kernels.ntk(2)).even)), line_text(rate_line(decay(kernels.ntk(2)).odd))
    ('k^(-d)', '0 for k >= 3')
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
        return ("0 for ", _from(law))
    if law.kind == "geometric":
        bound: Factor = law.rho if law.rho is not None else _RHO
        return (_formula(BigO(Power(_R, -k))), " for ", Formula((Piece("", (_R,)), Piece("<", (bound,)))))
    if law.stretched is not None:
        power = law.beside(dimension if d is None else d)
        rate = stretched_rate(law.stretched.tau, " (1 + o(1))" if power is None else "")
        return (_formula(*(() if power is None else (Power(k, power),)), rate),)
    if law.rho is oo:
        return (_formula(BigO(Power(_R, -k))), " for every ", expression(_R))
    return (_formula(Word("o(k^(-N))", "o(k^{-N})")), " for every N")


def law_line(law: ParityDecay, d: int | None = None, names: Names | None = None) -> Line:
    """The law with its constant: mu_k ~ -2 sqrt(2)/pi C(d, 1/2) k^-d, or with numbers for a given d; and its reason."""
    law = law if d is None else law.at(d)
    points = ", ".join(f"{p.kind} at u = {_place(p)}" for p in law.interior)
    reason = f": {points}" if points else f" ({law.note})" if law.note and law.kind != "zero" else ""
    return tuple(part for part in (*_bare(law, d, names), reason) if part != "")


def _bare(law: ParityDecay, d: int | None, names: Names | None) -> Line:
    if d is None and law.end is not None:
        return _by_dimension(law, lambda case: _bare(case, None, names))
    if law.stretched is not None:
        return _stretched_line(law, d)
    if law.kind == "zero":
        return (relation(MU_WORD, "=", _formula(Integer(0))), f" for {law.parity} ", _from(law))
    if law.kind != "algebraic":
        first, *rest = rate_line(law, d)
        assert isinstance(first, Formula)
        if law.kind == "geometric":
            equal = () if law.rho is None else (Piece("=", (law.rho,)),)
            rest = [" for every ", Formula((Piece("", (_R,)), Piece("<", (_RHO,)), *equal))]
        return (relation(MU_WORD, "=", first), *rest, *_outside(law, d))
    sign, factors = _constant_factors(law, d, names)
    power = (Power(k, law.exponent(dimension if d is None else d)), *_logs(law))
    body = relation(MU_WORD, "~", Formula((Piece(sign, (*factors, *power)),)))
    value = None if d is None else law.constant(d)
    told = names is None and isinstance(factors[0], Word)
    if value is None or value.free_symbols or value.is_Rational or told:
        return (body,)
    return (Formula((*body.pieces, Piece("approx", (digits(value, _DIGITS), *power)))),)


def _by_dimension(law: ParityDecay, line: Callable[[ParityDecay], Line]) -> Line:
    """One line after the other, each with the dimensions in which it holds."""
    parts: list[Inline] = []
    for where, case in law.by_dimension:
        shown = line(case) if case.end is None else (*line(case.end), " plus an oscillation of that size")
        parts += ["; " if parts else "", *shown, " for ", _dimensions(where)]
    return tuple(part for part in parts if part != "")


def _dimensions(where: Any) -> Formula:
    """d <= 3, d = 4, d >= 5."""
    if isinstance(where, Eq):
        return relation(where.lhs, "=", expression(where.rhs))
    return relation(where.lhs, where.rel_op, expression(where.rhs))


def _from(law: ParityDecay) -> Formula:
    return Formula((Piece("", (k,)), Piece(">=", (Integer(law.zero_from or 0),))))


def _place(point: Any) -> str:
    return sstr(point.location) if point.location is not None else f"{float(point.enclosure[0]):.6g}..."


def stretched_rate(tau: Expr, beside: str = "") -> Word:
    """exp(-(3/2) (2 tau k)^(2/3)), with the digits of a long constant.

    >>> from sympy import pi
    >>> stretched_rate(3*pi/4).text
    'exp(-3*(3*pi*k/2)**(2/3)/2)'
    """
    rate = _rate(tau)
    return Word(f"exp({rate.text}{beside})", rf"\exp({rate.latex}{beside})")


def _rate(tau: Expr) -> Word:
    inside = 2 * tau * k
    if not tau.free_symbols and len(sstr(inside)) > _SHORT:
        shown = first_digits(str(ball(2 * tau, prec=96).str(16, radius=False)), 8)
        return Word(f"-3*({shown.text}*k)**(2/3)/2", rf"-3({shown.latex}\,k)^{{2/3}}/2")
    return Word(f"-3*({sstr(inside)})**(2/3)/2", rf"-3({folded(inside)})^{{2/3}}/2")


def _stretched_line(law: ParityDecay, d: int | None) -> Line:
    """mu_k ~ c k^p exp(-...), or log mu_k ~ -... where no more is known."""
    power = law.beside(dimension if d is None else d)
    if power is None:
        return (relation(Word("log mu_k", r"\log \mu_k"), "~", _formula(_rate(law.stretched.tau))),)
    shown, more = _brief(law, d)
    return (relation(MU_WORD, "~", _formula(shown, Power(k, power), stretched_rate(law.stretched.tau))), more)


def _outside(law: ParityDecay, d: int | None) -> Line:
    """The constant before rho^-k, which is no part of what is proved."""
    if law.outside is None:
        return ()
    power = law.beside(dimension if d is None else d)
    assert power is not None
    shown, more = _brief(law, d)
    if law.outside.one_sign:
        rest = (Power(k, power), *_logs(law), Word("rho^-k", r"\rho^{-k}"))
        found = relation(MU_WORD, "~", _formula(shown, *rest))
    else:
        logs = law.log_power
        limit = Word(
            f"limsup |mu_k| rho^k k^({sstr(-power)})" + (f" (log k)^-{logs}" if logs else ""),
            rf"\limsup |\mu_k|\,\rho^k k^{{{folded(-power)}}}" + (rf"(\log k)^{{-{logs}}}" if logs else ""),
        )
        found = relation(limit, "=", _formula(shown))
    return ("; estimate: ", found, more)


def _brief(law: ParityDecay, d: int | None) -> tuple[Factor, str]:
    """The constant if it fits on a line; else c(d), with its digits for d = 3 if it is a number."""
    value = law.constant(dimension if d is None else d)
    assert value is not None
    if d is not None and not value.free_symbols:
        return (value if value.is_Rational else digits(value, _DIGITS)), ""
    if dag.tree_size(value) <= _LARGE and len(sstr(value)) <= _BRIEF:
        return value, ""
    unknown = Word("c(d)", "c(d)")
    if value.free_symbols - {dimension}:
        return unknown, ""
    at = law.outside.constant_ball(3) if law.outside is not None else ball(value.subs(dimension, 3), prec=96)
    return unknown, f", c(3) = {at.str(15, radius=False)}..."


def _constant_factors(law: ParityDecay, d: int | None, names: Names | None) -> tuple[str, tuple[Factor, ...]]:
    """A sign and factors: c C(d, nu) for all dimensions, one number for a given one."""
    assert law.lead is not None
    symbolic = d is None and not law.lead.nu.is_Integer
    if symbolic:
        value = law.lead.coefficient * (-2) ** law.log_power
    else:
        found = law.constant(dimension if d is None else d)
        assert found is not None
        value = found
    place = f".{law.parity}.{'lead.coefficient' if symbolic else 'constant(d)'}"
    sign, shown = signed(constant(value, names, _long_value(value, place)))
    if not symbolic:
        return sign, (shown,)
    return sign, (shown, _c_of(law.lead.nu))


def _c_of(nu: Expr) -> Word:
    mathml = f"<mrow><mi>C</mi><mo>(</mo><mi>d</mi><mo>,</mo>{folded_mathml(nu)}<mo>)</mo></mrow>"
    return Word(f"C(d, {sstr(nu)})", f"C(d, {folded(nu)})", mathml)


def _long_value(value: Expr, place: str) -> Line:
    """What the name of a long constant stands for."""
    if dag.free_symbols(value):
        return (f"in full in {place}",)
    return (
        _formula(first_digits(str(ball(value, prec=128).str(20, radius=False)), 8)),
        f" (exact in {place})",
    )


def _logs(law: ParityDecay) -> tuple[Factor, ...]:
    return (Power(k, Integer(0), law.log_power),) if law.log_power else ()


def constant_line(
    law: ParityDecay, d: int, names: Names | None = None, label: str = "the kernel"
) -> Line | None:
    """The constant for a dimension, exact and (if it has no parameters) with its first digits."""
    value = law.constant(d)
    if value is None or law.kind == "zero":
        return None
    what = (f"the constant of {label} for {law.parity} k, in full in .{law.parity}.constant(d)",)
    shown = constant(value, names, what)
    if names is None and isinstance(shown, Word):
        return (_formula(shown),)
    body = _formula(shown) if isinstance(shown, Word) else expression(shown)
    if not value.free_symbols and not value.is_Rational:
        body = Formula((*body.pieces, Piece("approx", (digits(value, _DIGITS),))))
    # the branch of a singular point outside the interval is followed by numbers
    return (body, " (an estimate)") if law.kind == "geometric" else (body,)


def _formula(*factors: Factor) -> Formula:
    return Formula((Piece("", factors),))


# both parities -----------------------------------------------------------------------------------------------


def sides(law: Decay) -> list[tuple[str, ParityDecay]]:
    """Both parities with their names, or one entry "all" where the same is true of both."""
    if _bare(law.even, None, None) == _bare(law.odd, None, None) and law.even.kind != "zero":
        return [("all", law.even)]
    return [("even", law.even), ("odd", law.odd)]


def law_facts(law: Decay, d: int | None = None, verbose: bool = False) -> Facts:
    """The law of each parity, then what its letters stand for; with `verbose` why it is the law."""
    names = _names(law)
    rows: list[tuple[Line, Line]] = [((f"{who} k",), law_line(side, d, names)) for who, side in sides(law)]
    example = _example(law) if d is None else None
    rows += [example] if example is not None and not names.long else []
    if law.nu is not None and law.nu is not oo:
        inside = law.even.interior or law.odd.interior
        rows.append((("nu at the ends" if inside else "nu",), (inline(law.nu),)))
    rows += [(("for",), line) for line in parameter_ranges([law.kernel])]
    nus = _exponents(law) if d is None else []
    if nus:
        rows.append((("with",), (_C_DEFINITION, *(part for nu in nus for part in _sign_of_c(nu)))))
    where = definitions(names.used)
    if where:
        parts = (part for line in where for part in (", ", line))
        rows.append((("where",), tuple(parts)[1:]))
    rows += [(("where",), (_formula(name), " is ", *what)) for name, what in names.long.values()]
    if law.least_dimension > 2:
        rows.append(
            (("where",), (f"d >= {law.least_dimension}: the kernel is not integrable on smaller spheres",))
        )
    rows += [(("note",), (f"assumes {what}",)) for what in law.assumes]
    notes = dict.fromkeys(side.note for side in (law.even, law.odd) if side.kind == "zero" and side.note)
    rows += [(("reason",), (note,)) for note in notes if verbose]
    if verbose and law.evidence:
        rows.append((("reason",), (f"between the ends {law.evidence}",)))
    return Facts(tuple(rows))


def _names(law: Decay) -> Names:
    return Names(room=_LONG_FORMULA if law.kernel.parameters else _LONG)


def _exponents(law: Decay) -> list[Expr]:
    """Every nu whose C(d, nu) a line shows."""
    leads = [
        (side.end or side).lead for side in (law.even, law.odd) if (side.end or side).kind == "algebraic"
    ]
    found = [lead.nu for lead in leads if lead is not None and not lead.nu.is_Integer]
    return list(dict.fromkeys(found))


def _sign_of_c(nu: Expr) -> Line:
    """C(d, nu) has the sign of Gamma(-nu)."""
    if not nu.is_number:
        return ()
    below = bool(nu > 0) and int(ceiling(nu)) % 2 == 1
    return "; ", Formula((Piece("", (_c_of(nu),)), Piece("<" if below else ">", (Integer(0),))))


def _example(law: Decay) -> tuple[Line, Line] | None:
    """The law on the sphere that can be drawn, with numbers."""
    parts: list[Inline] = []
    for who, side in sides(law):
        at = side.at(_EXAMPLE) if law.least_dimension <= _EXAMPLE else side
        value = at.constant(_EXAMPLE) if at.kind == "algebraic" and law.least_dimension <= _EXAMPLE else None
        if value is None or value.free_symbols or len(sstr(value)) > _SHORT:
            continue
        power = (Power(k, at.exponent(_EXAMPLE)), *_logs(at))
        parts += ["; " if parts else "", relation(MU_WORD, "~", _formula(value, *power)), f" ({who} k)"]
    return ((f"d = {_EXAMPLE}",), tuple(part for part in parts if part != "")) if parts else None


# in the formats ----------------------------------------------------------------------------------------------


def decay_text(law: Decay) -> str:
    """The law in aligned lines.

    >>> from asymptok import kernels
    >>> from asymptok.laws import decay
    >>> print(decay(kernels.ntk(2)))
    decay of NTK, depth 2
    even k  mu_k ~ -2 sqrt(2)/pi C(d, 1/2) k^(-d)
    odd k   mu_k = 0 for odd k >= 3
    d = 3   mu_k ~ 1/pi k^(-3) (even k)
    nu      1/2
    with    C(d, nu) = 2^(nu + d - 2) Gamma(d/2) Gamma(nu + (d - 1)/2)/(sqrt(pi) Gamma(-nu)); C(d, 1/2) < 0
    """
    return f"decay of {line_text((_label(law),))}\n{block_text(law_facts(law))}"


def decay_html(law: Decay) -> str:
    """A small table under the name of the kernel."""
    return f"<div><strong>{prose_html(_label(law))}</strong>{block_html(law_facts(law))}</div>"


def _label(law: Decay) -> str:
    return law.kernel.name or str(law.kernel)


def decay_latex(law: Decay) -> str:
    """Both laws in one formula, or one where they agree; below it C(d, nu) and the constants that bear names."""
    names = _names(law)
    even, odd = (math_latex(law_line(side, names=names)) for side in (law.even, law.odd))
    cases = rf"\begin{{cases}}{even} & k \text{{ even}} \\ {odd} & k \text{{ odd}}\end{{cases}}"
    laws = even if even == odd else cases
    ranges = conditions(law.kernel.parameters, to_latex, r"\le", r"\ge")
    where = r",\ ".join(line.latex() for line in definitions(names.used))
    # where a constant is exact is said to those who have the object
    long = [
        relation(name, "=", what[0]).latex()
        for name, what in names.long.values()
        if isinstance(what[0], Formula)
    ]
    lines = [r"\quad ".join(filter(None, (laws, ranges)))]
    lines += filter(None, [_C_DEFINITION.latex() if "C(d, " in laws else "", where, *long])
    shown = r" \\ ".join(lines)
    return rf"\begin{{gathered}}{shown}\end{{gathered}}" if len(lines) > 1 else shown


def parity_text(law: ParityDecay) -> str:
    return f"{law.parity} k".ljust(8) + line_text(law_line(law))


def parity_latex(law: ParityDecay) -> str:
    return math_latex(law_line(law))


def parity_html(law: ParityDecay) -> str:
    """The law of one parity."""
    return block_html(_parity(law))


def _parity(law: ParityDecay) -> Block:
    return Facts((((f"{law.parity} k",), law_line(law)),))


_C_DEFINITION = _formula(
    Word(
        "C(d, nu) = 2**(nu + d - 2)*Gamma(d/2)*Gamma(nu + (d - 1)/2)/(sqrt(pi)*Gamma(-nu))",
        r"C(d, \nu) = \frac{2^{\nu+d-2}\,\Gamma(d/2)\,\Gamma(\nu+(d-1)/2)}{\sqrt{\pi}\,\Gamma(-\nu)}",
    )
)
