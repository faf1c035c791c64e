"""Formulas as short lists of signed pieces, so that one formula can be text, LaTeX and MathML, and be broken.

A piece is an operator followed by factors; lines are only ever broken in front of an operator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from sympy import Expr, Rational, S, sstr
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE

from asymptok.errors import SYMPY_ERRORS

__all__ = [
    "BigO",
    "Factor",
    "Formula",
    "Piece",
    "Power",
    "Word",
    "expression",
    "first_digits",
    "folded",
    "folds",
    "relation",
    "signed",
    "tidy_latex",
    "to_latex",
]


@dataclass(frozen=True, slots=True)
class Word:
    """Something that is not an expression: digits that go on, a name with an index, an ellipsis.

    The MathML is that of the LaTeX (`tex_mathml`) unless it is given.
    """

    text: str
    latex: str
    mathml: str = ""


@dataclass(frozen=True, slots=True)
class Power:
    """x^e (log x)^j, kept as it is (SymPy would turn t^(1/2) into a root); x^0 is not shown."""

    base: Expr
    exponent: Expr
    log_power: int = 0


@dataclass(frozen=True, slots=True)
class BigO:
    """O(x^e (log x)^j)."""

    power: Power


Factor: TypeAlias = Expr | Word | Power | BigO


@dataclass(frozen=True, slots=True)
class Piece:
    """An operator ("", "+", "-", "=", "~", ...) and the product that follows it."""

    operator: str
    factors: tuple[Factor, ...]

    @property
    def width(self) -> int:
        """The width on the page: marks of the LaTeX source, a fraction being as wide as its longer part."""
        total = 2 if self.operator else 0
        for factor in self.factors:
            if isinstance(factor, Expr) and factor.is_Add:
                total += 2 + sum(Piece("+", (term,)).width for term in factor.args)
            elif isinstance(factor, Expr):
                total += max(_marks(to_latex(part)) for part in factor.as_numer_denom())
            else:
                total += _marks(_latex(factor))
        return total


@dataclass(frozen=True, slots=True)
class Formula:
    """Pieces in a row.

    >>> from sympy import Rational, pi, sqrt
    >>> from asymptok import t
    >>> half = Power(t, Rational(1, 2))
    >>> f = Formula((Piece("", (sqrt(2),)), Piece("-", (1/pi, half)), Piece("+", (BigO(Power(t, Rational(1))),))))
    >>> print(f.text())
    sqrt(2) - 1/pi*t**(1/2) + O(t)
    >>> print(f.latex())
    \\sqrt{2} - \\frac{1}{\\pi}\\,t^{1/2} + O(t)
    """

    pieces: tuple[Piece, ...]

    def text(self, continued: bool = False) -> str:
        """Python's notation; `continued` if something stands before it."""
        return _joined(self.pieces, _TEXT_OPERATORS, _text, continued)

    def latex(self, continued: bool = False) -> str:
        return _joined(self.pieces, _LATEX_OPERATORS, _latex, continued)

    def lines(self, width: int, typeset: bool = True) -> list[Formula]:
        """The formula cut into lines of about `width` characters (set on a page, or as text); pieces stay whole."""
        rows: list[list[Piece]] = [[]]
        used = 0
        for piece in self.pieces:
            size = piece.width if typeset else len(Formula((piece,)).text(continued=True)) + 1
            if rows[-1] and used + size > width:
                rows.append([])
                used = 0
            rows[-1].append(piece)
            used += size
        return [Formula(tuple(row)) for row in rows]


def expression(expr: Expr) -> Formula:
    """An expression as a formula whose summands can be put on several lines."""
    if not expr.is_Add:
        return Formula((_signed(expr, first=True),))
    try:
        terms = expr.as_ordered_terms()
    except SYMPY_ERRORS:  # the order goes by numerical values, which SymPy does not find for all constants
        terms = list(expr.args)
    return Formula(tuple(_signed(term, first=i == 0) for i, term in enumerate(terms)))


def first_digits(text: str, spare: int) -> Word:
    """A decimal without its last `spare` digits, and dots: cut and not rounded, as the dots promise.

    >>> first_digits("-0.13574862467", 8).text, first_digits("2.7182e-12", 2).latex
    ('-0.135...', '2.71\\\\ldots\\\\cdot 10^{-12}')
    >>> first_digits("0e-20", 8).text
    '0...e-20'
    """
    mantissa, _, power = text.partition("e")
    cut = mantissa[: len(mantissa) - spare]
    if "." in mantissa:  # a ball around zero has no digit after a point
        mantissa = mantissa[: mantissa.index(".") + 2] if "." not in cut or cut.endswith(".") else cut
    shown = f"<mn>{mantissa}\u2026</mn>"
    if not power:
        return Word(f"{mantissa}...", rf"{mantissa}\ldots", shown.replace("-", "\u2212"))
    exponent = int(power)
    shown += f"<mo>\u00b7</mo><msup><mn>10</mn><mn>{exponent}</mn></msup>"
    return Word(
        f"{mantissa}...e{exponent}",
        rf"{mantissa}\ldots\cdot 10^{{{exponent}}}",
        shown.replace("-", "\u2212"),
    )


def relation(left: Factor, operator: str, right: Formula) -> Formula:
    """left = right, or with any other operator."""
    head, *tail = right.pieces
    if head.operator == "-":
        # a sign cannot share its place with the relation
        return Formula((Piece("", (left,)), Piece(operator, ()), Piece("neg", head.factors), *tail))
    return Formula((Piece("", (left,)), Piece(operator, head.factors), *tail))


def signed(factor: Factor) -> tuple[str, Factor]:
    """A minus in front and what it stands before; an empty sign if there is none."""
    if isinstance(factor, Word) and factor.text.startswith("-"):
        return "-", Word(factor.text[1:], factor.latex[1:], factor.mathml.replace("\u2212", "", 1))
    if isinstance(factor, Expr) and factor.could_extract_minus_sign() and not factor.is_Add:
        return "-", -factor
    return "", factor


def _signed(expr: Expr, first: bool) -> Piece:
    sign, body = signed(expr)
    return Piece(sign or ("" if first else "+"), (body,))


def _marks(source: str) -> int:
    spaceless = re.sub(r"\\(left|right|operatorname|[,;:! ])", "", source)
    return len(re.sub(r"[{}^_ ]", "", re.sub(r"\\[a-zA-Z]+", "x", spaceless)))


# ----------------------------------------------------------------------------- text and LaTeX

_TEXT_OPERATORS = {"neg": "-", "approx": "\u2248"}
_LATEX_OPERATORS = {"~": r"\sim", "<=": r"\le", ">=": r"\ge", "!=": r"\ne", "neg": "-", "approx": r"\approx"}


def _joined(
    pieces: Iterable[Piece], operators: dict[str, str], show: Callable[[Factor], str], continued: bool
) -> str:
    out = ""
    for piece in pieces:
        sign = operators.get(piece.operator, piece.operator)
        body = _product(piece.factors, show)
        # a unary minus stands close to what it negates
        unary = piece.operator == "neg" or (piece.operator == "-" and not out and not continued)
        shown = sign + body if unary else f"{sign} {body}".strip()
        out += f" {shown}" if out else shown
    return out


def _product(factors: tuple[Factor, ...], show: Callable[[Factor], str]) -> str:
    several = len(factors) > 1
    shown = []
    for factor in factors:
        part = show(factor)
        if several and isinstance(factor, Expr) and factor.is_Add:
            part = f"({part})" if show is _text else rf"\left({part}\right)"
        if several and part == "1":
            continue
        shown.append(part)
    return ("*" if show is _text else r"\,").join(shown)


def _text(factor: Factor) -> str:
    if isinstance(factor, Word):
        return factor.text
    if isinstance(factor, BigO):
        return f"O({_text(factor.power)})"
    if isinstance(factor, Power):
        return _power_text(factor)
    return str(sstr(factor))


def _power_text(power: Power) -> str:
    name, e = sstr(power.base), power.exponent
    parts = []
    if e == 1:
        parts.append(name)
    elif e != 0:
        plain = e.is_Symbol or (e.is_Integer and e >= 0)
        parts.append(f"{name}**{sstr(e)}" if plain else f"{name}**({sstr(e)})")
    if power.log_power:
        parts.append(f"log({name})" + (f"**{power.log_power}" if power.log_power > 1 else ""))
    return "*".join(parts) or "1"


def _latex(factor: Factor) -> str:
    if isinstance(factor, Word):
        return factor.latex
    if isinstance(factor, BigO):
        return f"O({_latex(factor.power)})"
    if isinstance(factor, Power):
        return _power_latex(factor)
    return to_latex(factor)


def _power_latex(power: Power) -> str:
    name, e = to_latex(power.base), power.exponent
    parts = []
    if e == 1:
        parts.append(name)
    elif e != 0:
        parts.append(f"{name}^{{{folded(e)}}}")
    if power.log_power:
        parts.append(r"\log" + (f"^{{{power.log_power}}}" if power.log_power > 1 else "") + f" {name}")
    return r"\,".join(parts) or "1"


def folded(exponent: Expr) -> str:
    r"""An exponent with its fractions on one line: 3/2, gamma/2, gamma/2 + 1.

    >>> from sympy import Integer, Rational
    >>> print(folded(3*Integer(2)**Rational(1, 3)/4))
    3\cdot 2^{1/3}/4
    """
    if exponent.is_Add:
        (first, lead), *terms = signed_terms(exponent)
        return (
            first.replace("+", "") + folded(lead) + "".join(f" {sign} {folded(term)}" for sign, term in terms)
        )
    number, rest = exponent.as_coeff_Mul(rational=True)
    if isinstance(number, Rational) and number.q != 1:
        if rest == 1:
            return f"{number.p}/{number.q}"
        head = {1: "", -1: "-"}.get(int(number.p), str(number.p))
        inner = rf"({to_latex(rest)})" if rest.is_Add else to_latex(rest)
        # 3 times 2^g must not read 32^g
        times = r"\cdot " if head[-1:].isdigit() and inner[0].isdigit() else ""
        return f"{head}{times}{inner}/{number.q}"
    return to_latex(exponent)


def signed_terms(total: Expr) -> list[tuple[str, Expr]]:
    """The summands as pairs of a sign and what it stands before; those with a plus first."""
    terms = [
        ("-", -term) if term.could_extract_minus_sign() else ("+", term) for term in total.as_ordered_terms()
    ]
    return sorted(terms, key=lambda pair: pair[0] == "-")


class _Latex(LatexPrinter):
    """SymPy's LaTeX with fractions in exponents on one line and roots only where they are square roots."""

    def _print_Pow(self, expr: Expr) -> str:
        if folds(expr):
            return f"{self.parenthesize(expr.base, PRECEDENCE['Pow'])}^{{{folded(expr.exp)}}}"
        return str(super()._print_Pow(expr))

    def _print(self, expr: object, **options: object) -> str:
        # SymPy's constant prints itself as gamma, which is the parameter of the gamma-exponential kernel
        return r"\gamma_{E}" if expr is S.EulerGamma else str(super()._print(expr, **options))

    def _print_polygamma(self, expr: Expr, exp: str | None = None) -> str:
        n, x = expr.args
        order = "" if n == 0 else rf"^{{({self._print(n)})}}"
        head = rf"\psi{order}\left({self._print(x)}\right)"
        return head if exp is None else rf"{head}^{{{exp}}}"


def folds(power: Expr) -> bool:
    """Whether the exponent of a power is a fraction to be written on one line (and not a square root)."""
    if power.exp.is_Add:
        return any(term.as_coeff_Mul(rational=True)[0].q != 1 for term in power.exp.args)
    number, rest = power.exp.as_coeff_Mul(rational=True)
    if not number.is_Rational or number.q == 1:
        return False
    return bool(rest != 1 or (number > 0 and power.exp != Rational(1, 2)))


def tidy_latex(text: str) -> str:
    r"""SymPy's LaTeX without the blanks that a person would not type: 2 \sqrt{2} becomes 2\sqrt{2}."""
    return re.sub(r"(?<=\d) (?=\\)", "", text)


def to_latex(expr: Expr) -> str:
    """An expression in LaTeX as one would type it.

    >>> from sympy import Rational, pi
    >>> print(to_latex(2**Rational(3, 4)/pi**Rational(3, 2)))
    \\frac{2^{3/4}}{\\pi^{3/2}}
    """
    text = tidy_latex(_Latex({"fold_frac_powers": True, "inv_trig_style": "full"}).doprint(expr))
    # growing brackets bring a space that does not belong between a function and its argument
    return re.sub(r"(\\(?:kappa|psi)(?:_\{\d+\})?(?:\^\{[^{}]*\})?|\\Gamma)\\left\(", r"\1\\!\\left(", text)
