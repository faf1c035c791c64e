"""Expansions as text, LaTeX and HTML: one list of signed terms, three renderings.

The constants of deep networks bear the names of `naming`, with their definitions; a coefficient that is too long even
so bears a name of its own. Decimals are shown on request only.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb
from sympy import Add, Expr, Mul, Pow, Rational, S, Symbol, expand_mul, log, sstr
from sympy.printing.pretty.pretty import PrettyPrinter
from sympy.printing.pretty.stringpict import prettyForm, stringPict

from asymptok import dag
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import exponent_to_expr
from asymptok.constants.normal_form import divides_by_a_sum, written
from asymptok.constants.numbers import Number
from asymptok.errors import AsymptokError
from asymptok.precision import digits_to_bits, flint_precision
from asymptok.show.formula import BigO, Formula, Piece, Power, Word, first_digits, signed, to_latex
from asymptok.show.naming import definitions, gathered, in_factors, named, names_in
from asymptok.show.prose import prose_html
from asymptok.show.subjects import Expansion

__all__ = [
    "expansion_formula", "expansion_html", "expansion_latex", "expansion_pretty", "expansion_text", "layout",
    "leading_terms", "long_name", "term_power",
]  # fmt: skip

#: a coefficient of at most this many symbols and functions, and of this many characters, is written out
_LARGEST, _LONGEST = 1200, 1000
#: and none with longer numbers
_LONG_NUMBER = 10**24
#: together they have so many characters at most, unless all are shorter than this
_PAGE, _SHORTEST = 1200, 60
#: digits of a coefficient that is not written out
_SHOWN_DIGITS = 12
#: characters of LaTeX in a line of a notebook
_WIDTH = 66
_ENVIRONMENTS = ("align", "align*", "aligned", "split", "multline", "multline*")


@dataclass(frozen=True, slots=True)
class Layout:
    """The coefficients as they are shown, the names that occur in them, and what is said of those too long to show."""

    coefficients: tuple[Expr | Word, ...]
    names: tuple[Symbol, ...]
    #: which of them are too long to be shown, and what is said of these
    long: tuple[int, ...] = ()
    long_notes: tuple[Formula, ...] = ()

    def notes(self) -> list[Formula]:
        """What every name stands for."""
        return [*definitions(self.names), *self.long_notes]


def layout(
    expansion: Expansion, count: int | None = None, digits: int | None = None, longest: int = _LONGEST
) -> Layout:
    """What every rendering shows of the first `count` terms; with `digits` the numbers by their decimals.

    Coefficients of more than `longest` characters bear a name, a_j for that of the term j; the constant term is
    kappa(1) or kappa(-1) then.
    """
    dom = expansion.series.dom
    kept = expansion.in_order[0][:count]
    if not isinstance(dom, ExactDomain):
        shown = [dom.to_expr(c) if dom.as_rational(c) is not None else _as_word(str(c)) for c, *_ in kept]
        return Layout(tuple(shown), ())
    found = [_coefficient(dom, c, digits, longest) for c, *_ in kept]
    while longest > _SHORTEST and sum(len(sstr(c)) for c in found if isinstance(c, Expr)) > _PAGE:
        longest //= 2
        found = [c if isinstance(c, Word) or len(sstr(c)) <= longest else None for c in found]
    long = tuple(j for j, value in enumerate(found) if value is None)
    at_end = kept[0][1:] == ((), 0, 0) and _is_kernel(expansion) if kept else False
    given = [_value_at_end(expansion.at) if j == 0 and at_end else long_name(j) for j in range(len(found))]
    shown = [given[j] if value is None else value for j, value in enumerate(found)]
    notes = [_long_note(expansion, dom, j, given[j]) for j in long]
    names = names_in(*(c for c in shown if isinstance(c, Expr)))
    return Layout(tuple(shown), tuple(names), long, tuple(notes))


def term_power(expansion: Expansion, j: int) -> Power:
    """The power of t, and of its logarithm, in the term j."""
    _, form, rest, log_power = expansion.in_order[0][j]
    return Power(expansion.variable, exponent_to_expr(form, rest), log_power)


def _coefficient(dom: ExactDomain, number: Number, digits: int | None, longest: int) -> Expr | Word | None:
    """The coefficient with its constants named; None if even that is too long."""
    if digits is not None and not _is_symbolic(dom, number) and dom.as_rational(number) is None:
        return _digits(dom, number, digits)
    if len(dom.generators.closure(number.terms)) > _LARGEST or len(number.terms) > longest:
        return None
    value = named(written(dom, number))
    # a node takes a character or more, and SymPy takes seconds to put thousands of them in order
    if (
        dag.tree_size(value) > min(_LARGEST, longest)
        or dag.has_huge_powers(value)
        or _has_long_numbers(value)
    ):
        return None
    keeps = _is_symbolic(dom, number) or divides_by_a_sum(value)
    value = in_factors(gathered(value if keeps else expand_mul(value)))
    return value if dag.tree_size(value) <= longest and len(sstr(value)) <= longest else None


def _has_long_numbers(value: Expr) -> bool:
    """Powers of the constants of SELU, say, of sixty digits each."""
    return any(max(abs(n.p), n.q) > _LONG_NUMBER for n in value.atoms(Rational))


def _is_symbolic(dom: ExactDomain, number: Number) -> bool:
    return any(dom.info(g).symbolic for m in number.terms for g, _ in dom.monomials.keys[m])


def _is_kernel(expansion: Expansion) -> bool:
    return expansion.at in (1, -1) and hasattr(expansion.subject, "parameters")


def _value_at_end(at: object) -> Word:
    return Word(f"kappa({at})", rf"\kappa({at})")


def long_name(j: int) -> Word:
    """a_j."""
    return Word(f"a_{j}", f"a_{{{j}}}")


def _long_note(expansion: Expansion, dom: ExactDomain, j: int, name: Word) -> Formula:
    """a_j = its digits, or the coefficient of a power of t where it has none; the object has it in full."""
    number = expansion.in_order[0][j][0]
    if _is_symbolic(dom, number):
        power = Formula((Piece("", (term_power(expansion, j),)),))
        of = Word(f"coefficient of {power.text()}", rf"\text{{coefficient of }} {power.latex()}")
        of = Word(of.text, of.latex, f"<mtext>{of.text}</mtext>")
    else:
        of = _digits(dom, number, _SHOWN_DIGITS)
    exact = f" (exact in .terms[{j}].coefficient)"
    latex = rf"{of.latex} \text{{ (exact in \texttt{{.terms[{j}].coefficient}})}}"
    value = Word(f"{of.text}{exact}", latex, f"{of.mathml}<mtext>{exact}</mtext>")
    return Formula((Piece("", (name,)), Piece("=", (value,))))


def _digits(dom: ExactDomain, number: Number, count: int) -> Word:
    bits = 256 + digits_to_bits(count)
    value: arb = dom.generators.ball_at(number.terms, bits)
    with flint_precision(bits):
        return first_digits(str(value.str(count + 8, radius=False)), 8)


def _as_word(text: str) -> Word:
    """A ball with its radius."""
    return Word(text, text.replace("+/-", r"\pm"), f"<mtext>{text}</mtext>".replace("+/-", "\u00b1"))


def expansion_formula(
    expansion: Expansion, coefficients: tuple[Expr | Word, ...], count: int | None = None
) -> Formula:
    """The first `count` terms with these coefficients, and the O-terms behind them."""
    x, kept = expansion.variable, expansion.in_order[0]
    powers = [Power(x, exponent_to_expr(form, rest), j) for _, form, rest, j in kept]
    shown = powers[:count]
    pieces = [_term(c, p, first=i == 0) for i, (c, p) in enumerate(zip(coefficients, shown, strict=True))]
    rest = powers[len(shown) : len(shown) + 1]
    rest = rest or [Power(x, term.exponent, term.log_power) for term in expansion.tail]
    pieces += [Piece("+" if pieces or i else "", (BigO(power),)) for i, power in enumerate(rest)]
    return Formula(tuple(pieces) or (Piece("", (Add(),)),))


def leading_terms(expansion: Expansion) -> int:
    """The number of terms up to the first one that is no polynomial; at most those up to t if there is none."""
    if expansion.nu is None:
        return sum(1 for term in expansion.ordered if (term.exponent <= 1) is S.true)
    for i, term in enumerate(expansion.ordered):
        if term.exponent == expansion.nu and term.log_power == expansion.log_power:
            return i + 1
    return len(expansion.ordered)


def _term(coefficient: Expr | Word, power: Power, first: bool) -> Piece:
    sign, value = signed(coefficient)
    sign = sign or ("" if first else "+")
    if power.exponent == 0 and not power.log_power:
        return Piece(sign, (value,))
    return Piece(sign, (power,) if value == 1 else (value, power))


# text ------------------------------------------------------------------------------------------------------


def expansion_text(
    expansion: Expansion, digits: int | None = None, count: int | None = None, longest: int = _LONGEST
) -> str:
    """Python's syntax, so that what is printed can be typed in again; the first `count` terms, or all."""
    page = layout(expansion, count, digits, longest)
    parts = [expansion_formula(expansion, page.coefficients, count), *page.notes()]
    return ", ".join(part.text() for part in parts)


def expansion_pretty(expansion: Expansion, printer: PrettyPrinter) -> prettyForm:
    """Two-dimensional text, by SymPy's printer, in ascending order."""
    t = expansion.variable
    result: prettyForm | None = None
    page = layout(expansion)
    for coefficient, (_, form, rest, j) in zip(page.coefficients, expansion.in_order[0], strict=True):
        power = Mul(Pow(t, exponent_to_expr(form, rest)), Pow(log(t), j))
        sign, body = signed(coefficient)
        if isinstance(body, Word):
            shown = prettyForm(body.text)
            if power != 1:
                shown = prettyForm(*stringPict.next(shown, prettyForm(" "), printer._print(power)))
        else:
            assert isinstance(body, Expr)
            shown = printer._print(body * power)
            if body.is_Add and power == 1 and result is not None:
                shown = prettyForm(*shown.parens())
        result = _appended(result, sign or "+", shown)
    for bound in expansion.tail:
        inside = printer._print(bound.as_expr(t))
        result = _appended(result, "+", prettyForm(*prettyForm(*inside.parens()).left("O")))
    return result if result is not None else prettyForm("0")


def _appended(result: prettyForm | None, sign: str, form: prettyForm) -> prettyForm:
    if result is None:
        return prettyForm(*form.left("-")) if sign == "-" else form
    return prettyForm(*stringPict.next(result, prettyForm(f" {sign} "), form))


# LaTeX -----------------------------------------------------------------------------------------------------


def expansion_latex(
    expansion: Expansion, environment: str | None = None, width: int = _WIDTH, digits: int | None = None
) -> str:
    """The sum in one line; or kappa(1-t) = ... in an environment that breaks it, in lines of about that width."""
    page = layout(expansion, digits=digits)
    formula = expansion_formula(expansion, page.coefficients)
    if environment is None:
        names = r",\ ".join(note.latex() for note in page.notes())
        return formula.latex() + (rf",\quad {names}" if names else "")
    if environment not in _ENVIRONMENTS:
        raise AsymptokError(
            f"there is no environment {environment!r}: choose from {', '.join(_ENVIRONMENTS)}"
        )
    rows = [line.latex(continued=i > 0) for i, line in enumerate(_opened(formula, width).lines(width))]
    notes = _rows([note.latex() for note in page.notes()], width)
    if environment.startswith("multline"):
        body = [f"{_left_side(expansion)} = {rows[0]}", *rows[1:], *notes]
    else:
        body = [f"{_left_side(expansion)} &= {rows[0]}", *(rf"&\quad {row}" for row in rows[1:])]
        body += [rf"&\quad {note}" for note in notes]
    lines = " \\\\\n".join(body)
    return f"\\begin{{{environment}}}\n{lines}\n\\end{{{environment}}}"


def _rows(parts: list[str], width: int) -> list[str]:
    """The definitions, several in a line."""
    rows: list[str] = []
    for i, part in enumerate(parts):
        shown = part if i + 1 == len(parts) else part + ","
        if rows and len(rows[-1]) + len(shown) <= 2 * width:
            rows[-1] += rf"\ {shown}"
        else:
            rows.append(shown)
    return rows


def _opened(formula: Formula, width: int) -> Formula:
    """A coefficient that is a sum and wider than a line becomes pieces of its own, between brackets of fixed size."""
    pieces: list[Piece] = []
    for piece in formula.pieces:
        head = piece.factors[0] if piece.factors else None
        if not (isinstance(head, Expr) and head.is_Add and len(piece.factors) > 1 and piece.width > width):
            pieces.append(piece)
            continue
        terms = [signed(term) for term in head.as_ordered_terms()]
        opening, closing = _bracket("(", r"\biggl("), _bracket(")", r"\biggr)")
        for i, (sign, term) in enumerate(terms):
            after = (closing, *piece.factors[1:]) if i + 1 == len(terms) else ()
            if i == 0:
                first = (_bracket(sign, sign), term) if sign else (term,)
                pieces.append(Piece(piece.operator, (opening, *first, *after)))
            else:
                pieces.append(Piece(sign or "+", (term, *after)))
    return Formula(tuple(pieces))


def _bracket(text: str, latex: str) -> Word:
    return Word(text, latex, f"<mo>{text}</mo>")


def _left_side(expansion: Expansion) -> str:
    """kappa(1-t), kappa(-1+t), or f for an expression that is no kernel."""
    t = to_latex(expansion.variable)
    if _is_kernel(expansion):
        return rf"\kappa(1-{t})" if expansion.at == 1 else rf"\kappa(-1+{t})"
    return "f"


# HTML ------------------------------------------------------------------------------------------------------


def expansion_html(expansion: Expansion) -> str:
    """The name of the kernel and kappa(1-t) = ..., broken in front of its terms; LaTeX, which Jupyter typesets."""
    subject = expansion.subject
    name = getattr(subject, "name", None) or ("" if subject is None else str(subject))
    return f"<div><small>{prose_html(name)}</small><br>$${expansion_latex(expansion, 'aligned')}$$</div>"
