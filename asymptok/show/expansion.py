"""Expansions as text, LaTeX and HTML: one list of signed terms, three renderings.

Constants that would sprawl (the nested values of deep networks) get a name and a definition; when there would be
too many definitions to read, the coefficient is shown by its first digits, with dots to say so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import Any

from flint import arb
from sympy import Add, Expr, Mul, Pow, Symbol, latex, log, sstr
from sympy.printing.pretty.stringpict import prettyForm, stringPict

from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import exponent_to_expr, to_rational
from asymptok.constants.numbers import Number, from_units
from asymptok.precision import flint_precision
from asymptok.show.subjects import Expansion

#: a coefficient of at most this many symbols and functions is written out in full
_FULL = 40
#: a generator larger than this gets a name where coefficients are too large to be written out
_NAMED = 3
_MAX_DEFINITIONS = 8
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Shown:
    """One term as displayed: the coefficient as an expression, or its digits; exponent and log power."""

    coefficient: Expr | None
    digits: str
    exponent: Expr
    log_power: int


@dataclass(frozen=True, slots=True)
class Layout:
    terms: tuple[Shown, ...]
    definitions: tuple[tuple[Symbol, Expr], ...]


class _Naming:
    """Names for large generators, so that a constant can be shown without unfolding them."""

    def __init__(self, domain: ExactDomain) -> None:
        self.domain = domain
        self.names: dict[int, Symbol] = {}

    def named(self, a: Number) -> Expr:
        """The constant with names for its large generators."""
        dom = self.domain
        parts = []
        for m, c in a.terms.items():
            factors = [Pow(self._generator(g), to_rational(from_units(e))) for g, e in dom.monomials.keys[m]]
            parts.append(Mul(to_rational(c), *factors))
        return Add(*parts)

    def _generator(self, g: int) -> Expr:
        if g in self.names:
            return self.names[g]
        info = self.domain.generators.info[g]
        if info.expr is not None and info.polynomial is None and (not info.expr.args or info.size <= _NAMED):
            return info.expr
        self.names[g] = Symbol(f"a_{len(self.names) + 1}", positive=info.sign == 1 or None)
        return self.names[g]

    def definitions(self) -> list[tuple[Symbol, Expr]]:
        """Definitions of all names in use, each in terms of later ones and of small constants."""
        found: list[tuple[Symbol, Expr]] = []
        done: set[int] = set()
        while len(done) < len(self.names) and len(self.names) <= _MAX_DEFINITIONS:
            for g, name in list(self.names.items()):
                if g in done:
                    continue
                done.add(g)
                info = self.domain.generators.info[g]
                found.append(
                    (name, info.expr if info.polynomial is None else self.named(Number(info.polynomial)))
                )
        return found


def layout(expansion: Expansion) -> Layout:
    """What every rendering shows."""
    dom = expansion.series.dom
    kept = expansion.in_order[0]
    exponents = [(exponent_to_expr(form, rest), j) for _, form, rest, j in kept]
    if not isinstance(dom, ExactDomain):
        shown = tuple(
            Shown(dom.to_expr(c) if dom.as_rational(c) is not None else None, str(c), e, j)
            for (c, _, _, _), (e, j) in zip(kept, exponents, strict=True)
        )
        return Layout(shown, ())
    naming = _Naming(dom)
    numbers = [c for c, _, _, _ in kept]
    sizes = [dom.generators.size(c.terms) for c in numbers]
    names = [dom.to_expr(c) if s <= _FULL else naming.named(c) for c, s in zip(numbers, sizes, strict=True)]
    definitions = naming.definitions()
    if len(naming.names) > _MAX_DEFINITIONS:
        definitions = []
    terms = []
    for number, size, name, (e, j) in zip(numbers, sizes, names, exponents, strict=True):
        if size > _FULL and not definitions:
            terms.append(Shown(None, _digits(dom, number), e, j))
        else:
            terms.append(Shown(name, "", e, j))
    return Layout(tuple(terms), tuple(definitions))


def _digits(dom: ExactDomain, number: Number) -> str:
    if any(dom.info(g).symbolic for m in number.terms for g, _ in dom.monomials.keys[m]):
        return "(...)"
    value: arb = dom.generators.ball_at(number.terms, 256)
    with flint_precision(256):
        text = str(value.str(_DIGITS, radius=False))
    mantissa, e, power = text.partition("e")
    return f"{mantissa}...{e}{power}"


# text ------------------------------------------------------------------------------------------------------


def expansion_text(expansion: Expansion) -> str:
    page = layout(expansion)
    name = expansion.variable.name
    pieces = [_signed_text(term, name) for term in page.terms]
    for term in expansion.tail:
        pieces.append(("+", f"O({_power_text(name, term.exponent, term.log_power) or '1'})"))
    text = _joined(pieces)
    if page.definitions:
        text += ", " + ", ".join(f"{name} = {sstr(value)}" for name, value in page.definitions)
    return text


def _signed_text(term: Shown, name: str) -> tuple[str, str]:
    power = _power_text(name, term.exponent, term.log_power)
    if term.coefficient is None:
        sign, digits = ("-", term.digits[1:]) if term.digits.startswith("-") else ("+", term.digits)
        return sign, _times(digits, power)
    sign, body = _split_sign(term.coefficient)
    if body == 1 and power:
        return sign, power
    text = sstr(body)
    return sign, _times(f"({text})" if body.is_Add and power else text, power)


def _times(first: str, second: str) -> str:
    return f"{first}*{second}" if second else first


def _power_text(name: str, exponent: Expr, log_power: int) -> str:
    """Python's syntax, so that what is printed can be typed in again."""
    parts = []
    if exponent == 1:
        parts.append(name)
    elif exponent != 0:
        plain = exponent.is_Symbol or (exponent.is_Integer and exponent >= 0)
        parts.append(f"{name}**{exponent}" if plain else f"{name}**({sstr(exponent)})")
    if log_power:
        parts.append(f"log({name})" + (f"**{log_power}" if log_power > 1 else ""))
    return "*".join(parts)


def _split_sign(value: Expr) -> tuple[str, Expr]:
    if value.could_extract_minus_sign() and not value.is_Add:
        return "-", -value
    return "+", value


def _joined(pieces: list[tuple[str, str]]) -> str:
    if not pieces:
        return "0"
    first = ("-" if pieces[0][0] == "-" else "") + pieces[0][1]
    return first + "".join(f" {sign} {body}" for sign, body in pieces[1:])


def expansion_pretty(expansion: Expansion, printer: Any) -> prettyForm:
    """Two-dimensional text, by SymPy's printer, in ascending order."""
    page = layout(expansion)
    t = expansion.variable
    result: prettyForm | None = None
    for term in page.terms:
        power = Mul(Pow(t, term.exponent), Pow(log(t), term.log_power))
        if term.coefficient is None:
            negative = term.digits.startswith("-")
            form = prettyForm(term.digits.lstrip("-"))
            if power != 1:
                form = prettyForm(*stringPict.next(form, prettyForm(" "), printer._print(power)))
        else:
            sign, body = _split_sign(term.coefficient)
            negative = sign == "-"
            form = printer._print(body * power)
            if body.is_Add and power == 1 and result is not None:
                form = prettyForm(*form.parens())
        result = _appended(result, "-" if negative else "+", form)
    for bound in expansion.tail:
        inside = printer._print(bound.as_expr(t))
        result = _appended(result, "+", prettyForm(*prettyForm(*inside.parens()).left("O")))
    return result if result is not None else prettyForm("0")


def _appended(result: prettyForm | None, sign: str, form: prettyForm) -> prettyForm:
    if result is None:
        return prettyForm(*form.left("-")) if sign == "-" else form
    return prettyForm(*stringPict.next(result, prettyForm(f" {sign} "), form))


# LaTeX -----------------------------------------------------------------------------------------------------


def expansion_latex(expansion: Expansion) -> str:
    page = layout(expansion)
    name = latex(expansion.variable)
    pieces = [_signed_latex(term, name) for term in page.terms]
    for term in expansion.tail:
        power = _power_latex(name, term.exponent, term.log_power) or "1"
        pieces.append(("+", rf"O({power})"))
    text = _joined(pieces)
    if page.definitions:
        text += r",\quad " + r",\ ".join(f"{latex(n)} = {tidy_latex(latex(v))}" for n, v in page.definitions)
    return text


def tidy_latex(text: str) -> str:
    r"""SymPy's LaTeX without the blanks that a person would not type: 2 \sqrt{2} becomes 2\sqrt{2}."""
    return re.sub(r"(?<=\d) (?=\\)", "", text)


def _signed_latex(term: Shown, name: str) -> tuple[str, str]:
    power = _power_latex(name, term.exponent, term.log_power)
    if term.coefficient is None:
        sign, digits = ("-", term.digits[1:]) if term.digits.startswith("-") else ("+", term.digits)
        return sign, f"{digits.replace('...', chr(92) + 'ldots')} {power}".strip()
    sign, body = _split_sign(term.coefficient)
    if body == 1 and power:
        return sign, power
    text = tidy_latex(latex(body))
    if body.is_Add and power:
        text = rf"\left({text}\right)"
    return sign, f"{text} {power}".strip()


def _power_latex(name: str, exponent: Expr, log_power: int) -> str:
    parts = []
    if exponent == 1:
        parts.append(name)
    elif exponent != 0:
        parts.append(f"{name}^{{{_exponent_latex(exponent)}}}")
    if log_power:
        parts.append(r"\log" + (f"^{{{log_power}}}" if log_power > 1 else "") + f" {name}")
    return r"\,".join(parts)


def _exponent_latex(exponent: Expr) -> str:
    if exponent.is_Rational and exponent.q != 1:
        return f"{exponent.p}/{exponent.q}"
    number, rest = exponent.as_coeff_Mul(rational=True)
    if number.is_Rational and number.q != 1 and rest.is_Symbol:
        head = "" if number.p == 1 else ("-" if number.p == -1 else str(number.p))
        return f"{head}{latex(rest)}/{number.q}"
    return tidy_latex(latex(exponent))


# HTML ------------------------------------------------------------------------------------------------------


def expansion_html(expansion: Expansion) -> str:
    """The name of the kernel and kappa(1-t) = ..., broken in front of its terms; LaTeX, which Jupyter typesets."""
    subject = expansion.subject
    name = getattr(subject, "name", None) or ("" if subject is None else str(subject))
    formula = expansion_lines(expansion)
    return f"<div><small>{escape(name)}</small><br>$$\\begin{{aligned}}{formula}\\end{{aligned}}$$</div>"


def expansion_lines(expansion: Expansion, width: int = 90) -> str:
    """The equation as rows of an aligned environment, none much longer than `width` characters of LaTeX."""
    page = layout(expansion)
    name = latex(expansion.variable)
    pieces = [_signed_latex(term, name) for term in page.terms]
    pieces += [("+", rf"O({_power_latex(name, r.exponent, r.log_power) or '1'})") for r in expansion.tail]
    rows, current = [], ""
    for i, (sign, body) in enumerate(pieces or [("", "0")]):
        part = body if i == 0 and sign != "-" else f"{sign} {body}"
        if current and len(current) + len(part) > width:
            rows.append(current)
            current = r"\quad {}" + part
        else:
            current = f"{current} {part}".strip()
    rows.append(current)
    rows[0] = f"{_left_side(expansion)} &= {rows[0]}"
    rows[1:] = [f"&{row}" for row in rows[1:]]
    rows += [f"{latex(n)} &= {tidy_latex(latex(v))}" for n, v in page.definitions]
    return r" \\ ".join(rows)


def _left_side(expansion: Expansion) -> str:
    """kappa(1-t), kappa(-1+t), or f for an expression that is no kernel."""
    t = latex(expansion.variable)
    if expansion.at in (1, -1) and hasattr(expansion.subject, "parameters"):
        return rf"\kappa(1-{t})" if expansion.at == 1 else rf"\kappa(-1+{t})"
    return "f"
