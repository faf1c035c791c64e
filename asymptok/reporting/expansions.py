"""Expansions and constants as formulas; constants that sprawl get a name that a whole table shares."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sympy import Add, Expr, S, Symbol, sstr

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.expansion import Expansion
from asymptok.functions.arccosine import ArcCosine
from asymptok.precision import digits_to_bits, flint_precision
from asymptok.reporting.model import Line
from asymptok.show.expansion import layout
from asymptok.show.formula import BigO, Factor, Formula, Piece, Power, Word, expression, folded, relation
from asymptok.show.mathml import folded_mathml

__all__ = [
    "Names",
    "constant",
    "definitions",
    "digits",
    "double",
    "exact_text",
    "expansion_formula",
    "inline",
    "leading_terms",
]

#: a constant with a longer text than this is abbreviated, and if that does not help shown by its digits
_LONG = 34
_TOO_LONG = 60
_MAX_NAMES = 12
#: a definition longer than this explains nothing
_LONGEST_NAMED = 40
_DIGITS = 8
#: nodes of a tree that is printed, and levels, of which SymPy's printers take several calls each
_LARGEST = 5000
_HIGHEST = 60
#: characters of a note after which the next line begins
_NOTE = 90


@dataclass
class Names:
    """Names a_1, a_2, ... for values of arc-cosine functions at constants, in the order of their first use."""

    given: dict[Expr, Symbol] = field(default_factory=dict)

    def short(self, expr: Expr, length: int = _TOO_LONG) -> Expr | None:
        """The expression with its arc-cosine constants named, None if even that is longer than `length`."""
        names = dict(self.given)
        if len(sstr(expr)) > _LONG:
            inner = {arg for node in dag.postorder(expr) if isinstance(node, ArcCosine) for arg in node.args}
            for node in dag.postorder(expr):
                if not isinstance(node, ArcCosine) or node in names or dag.free_symbols(node):
                    continue
                # what stands only inside another constant keeps its place in the definition
                if node not in inner or _stands_alone(expr, node):
                    names[node] = Symbol(f"a_{len(names) + 1}", positive=True)
        short = dag.rebuild(expr, names)
        nested = any(len(sstr(node)) > _LONGEST_NAMED for node in names)
        if len(sstr(short)) > length or len(names) > _MAX_NAMES or nested:
            return None
        self.given = {
            node: name for node, name in names.items() if node in self.given or name in short.free_symbols
        }
        return short

    def note(self) -> tuple[Line, ...]:
        """Where a_1 = ..., a_2 = ...: one line, empty if no name was given."""
        if not self.given:
            return ()
        lines: list[list[str | Formula]] = [["where "]]
        used = 0
        for i, (value, name) in enumerate(self.given.items()):
            known = {v: n for v, n in self.given.items() if v != value}
            whole = relation(name, "=", expression(dag.rebuild(value, known)))
            number = Formula((*whole.pieces, Piece("approx", (digits(value, 6),))))
            if used > _NOTE:
                lines.append([])
                used = 0
            used += len(number.text())
            lines[-1] += [number, ", " if i + 1 < len(self.given) else ""]
        return tuple(map(tuple, lines))


def _stands_alone(expr: Expr, node: Expr) -> bool:
    """Whether a constant occurs outside of other arc-cosine constants, too."""
    return any(node in parent.args for parent in dag.postorder(expr) if not isinstance(parent, ArcCosine))


def digits(expr: Expr, count: int = _DIGITS) -> Word:
    """The first digits of a constant, with dots to say that they go on."""
    with flint_precision(4 * digits_to_bits(count)):
        text = str(ball(expr).str(count + 8, radius=False))
    mantissa, _, power = text.partition("e")
    # cut, not rounded: dots promise that the digits before them are those of the number
    cut = mantissa[: len(mantissa) - 8]
    mantissa = mantissa[: mantissa.index(".") + 2] if "." not in cut or cut.endswith(".") else cut
    if not power:
        return Word(
            f"{mantissa}...", rf"{mantissa}\ldots", f"<mn>{mantissa}\u2026</mn>".replace("-", "\u2212")
        )
    exponent = int(power)
    return Word(
        f"{mantissa}...e{exponent}",
        rf"{mantissa}\ldots\cdot 10^{{{exponent}}}",
        f"<mn>{mantissa}\u2026</mn><mo>\u00b7</mo><msup><mn>10</mn><mn>{exponent}</mn></msup>".replace(
            "-", "\u2212"
        ),
    )


def double(expr: Expr) -> float:
    """The double nearest to a constant, or next to that one."""
    with flint_precision(128):
        return float(ball(expr).mid())


def exact_text(expr: Expr) -> str:
    """The constant in Python's notation; thirty digits of it if its tree is too large to be printed."""
    if _printable(expr):
        return str(sstr(expr))
    return digits(expr, 30).text


def inline(value: Expr) -> Formula:
    """A number or an expression with its leading fraction on one line."""
    return Formula((Piece("", (Word(sstr(value), folded(value), folded_mathml(value)),)),))


def constant(expr: Expr, names: Names | None = None) -> Expr | Word:
    """A coefficient as it is shown: in full, with names, or by its first digits."""
    if _printable(expr):
        short = expr if names is None else names.short(expr)
        if short is not None and len(sstr(short)) <= (_LONG if names is None else _TOO_LONG):
            return short
    if dag.free_symbols(expr):
        return expr
    try:
        return digits(expr)
    except AsymptokError:
        return expr


def _printable(expr: Expr) -> bool:
    """The tree of a deep constant may be far larger than what it is stored as, and deeper than Python's stack."""
    height: dict[Any, int] = {}
    for node in dag.postorder(expr):
        height[node] = 1 + max((height[arg] for arg in node.args), default=0)
    return height[expr] <= _HIGHEST and dag.tree_size(expr) <= _LARGEST


def leading_terms(expansion: Expansion) -> int:
    """The number of terms up to the first one that is no polynomial; at most those up to t if there is none."""
    if expansion.nu is None:
        return sum(1 for term in expansion.ordered if (term.exponent <= 1) is S.true)
    for i, term in enumerate(expansion.ordered):
        if term.exponent == expansion.nu and term.log_power == expansion.log_power:
            return i + 1
    return len(expansion.ordered)


def expansion_formula(
    expansion: Expansion, leading: bool = False, names: Names | None = None, exact: bool = False
) -> Formula:
    """The expansion with its O-term; with `leading` only up to the first term that is no polynomial.

    Long constants are shortened, unless `exact` asks for every one in full.

    >>> from asymptok import expand, kernels
    >>> print(expansion_formula(expand(kernels.ntk(2)), leading=True).text())
    2 - sqrt(2)/pi*t**(1/2) + O(t)
    """
    x = expansion.variable
    terms = expansion.ordered
    shown = leading_terms(expansion) if leading else len(terms)
    coefficients: list[Any] = []
    if exact:
        found = [term.coefficient for term in terms[:shown]]
        coefficients = [value if _printable(value) else constant(value) for value in found]
    elif leading or names is not None:
        coefficients = [constant(term.coefficient, names) for term in terms[:shown]]
    else:
        page = layout(expansion)
        coefficients = [
            item.coefficient if item.coefficient is not None else _dotted(item.digits) for item in page.terms
        ]
    pieces = [
        _term(c, Power(x, term.exponent, term.log_power), first=i == 0)
        for i, (c, term) in enumerate(zip(coefficients, terms[:shown], strict=True))
    ]
    rest = terms[shown : shown + 1] or expansion.tail
    for term in rest:
        power = Power(x, term.exponent, term.log_power)
        pieces.append(Piece("+" if pieces else "", (BigO(power),)))
    return Formula(tuple(pieces or [Piece("", (Add(),))]))


def definitions(expansion: Expansion) -> tuple[Line, ...]:
    """The names that the full expansion uses, one line for each; none for most kernels."""
    return tuple(
        ("where " if i == 0 else "and ", relation(name, "=", expression(value)))
        for i, (name, value) in enumerate(layout(expansion).definitions)
    )


def _dotted(text: str) -> Word:
    mantissa, _, power = text.partition("e")
    tail = rf"\cdot 10^{{{power}}}" if power else ""
    return Word(
        text,
        mantissa.replace("...", r"\ldots") + tail,
        f"<mn>{text.replace('...', chr(0x2026))}</mn>".replace("-", "\u2212"),
    )


def _term(coefficient: Expr | Word, power: Power, first: bool) -> Piece:
    sign = "" if first else "+"
    value: Factor = coefficient
    if isinstance(coefficient, Word):
        if coefficient.text.startswith("-"):
            sign = "-"
            value = Word(
                coefficient.text[1:], coefficient.latex[1:], coefficient.mathml.replace("\u2212", "", 1)
            )
    elif coefficient.could_extract_minus_sign() and not coefficient.is_Add:
        sign, value = "-", -coefficient
    if power.exponent == 0 and not power.log_power:
        return Piece(sign, (value,))
    return Piece(sign, (power,) if value == 1 else (value, power))
