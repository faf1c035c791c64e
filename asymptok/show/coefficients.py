"""Constants as formulas; those that sprawl get a name that a whole table, page or law shares."""

from __future__ import annotations

from dataclasses import dataclass, field

from sympy import Expr, Symbol, sstr

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.precision import digits_to_bits, flint_precision
from asymptok.show.blocks import Inline, Line
from asymptok.show.expansion import long_name
from asymptok.show.formula import Formula, Piece, Word, first_digits, folded
from asymptok.show.mathml import folded_mathml
from asymptok.show.naming import definitions, in_factors, named, names_in

__all__ = ["Names", "constant", "digits", "double", "exact_text", "inline", "printable"]

#: a constant with a longer text than this is shown by its digits
_TOO_LONG = 120
_DIGITS = 8
#: nodes of a tree that is printed, and levels, of which SymPy's printers take several calls each
_LARGEST = 5000
_HIGHEST = 60
#: characters of a note after which the next line begins
_NOTE = 90


@dataclass
class Names:
    """The names of constants that a table, a page or a law has used."""

    used: set[Symbol] = field(default_factory=set)
    #: constants too long for a cell, with the name that each bears and what it is
    long: dict[Expr, tuple[Word, Line]] = field(default_factory=dict)
    #: kernels whose formulas are too long, by what stands for them
    kernels: dict[str, str] = field(default_factory=dict)
    #: characters of a constant that is written out
    room: int = _TOO_LONG

    def short(self, expr: Expr) -> Expr | None:
        """The expression with its constants named, None if even that is too long."""
        short = in_factors(named(expr))
        if len(sstr(short)) > self.room:
            return None
        self.used.update(names_in(short))
        return short

    def long_name(self, value: Expr, what: Line) -> Word:
        """a_1, a_2, ... in the order in which they turn up."""
        return self.long.setdefault(value, (long_name(len(self.long) + 1), what))[0]

    def note(self) -> tuple[Line, ...]:
        """Where b_3 = ..., s_3 = ..., and what a_1, a_2, ... are: a line or more, empty if no name was used."""
        lines: list[list[Inline]] = [["where "]]
        length = 0
        shown_lines = definitions(self.used)
        for i, shown in enumerate(shown_lines):
            if length > _NOTE:
                lines.append([])
                length = 0
            length += len(shown.text())
            lines[-1] += [shown, ", " if i + 1 < len(shown_lines) else ""]
        if not self.used:
            lines = []
        lines += [[Formula((Piece("", (name,)),)), " is ", *what] for name, what in self.long.values()]
        lines += [[f"{label} is {begin} (in full in the csv)"] for label, begin in self.kernels.items()]
        return tuple(map(tuple, lines))


def digits(expr: Expr, count: int = _DIGITS) -> Word:
    """The first digits of a constant, with dots to say that they go on."""
    with flint_precision(4 * digits_to_bits(count)):
        text = str(ball(expr).str(count + 8, radius=False))
    return first_digits(text, 8)


def double(expr: Expr) -> float:
    """The double nearest to a constant, or next to that one."""
    with flint_precision(128):
        return float(ball(expr).mid())


def exact_text(expr: Expr) -> str:
    """The constant in Python's notation; thirty digits of it if its tree is too large to be printed."""
    if printable(expr):
        return str(sstr(in_factors(expr)))
    return digits(expr, 30).text


def inline(value: Expr) -> Formula:
    """A number or an expression with its leading fraction on one line."""
    return Formula((Piece("", (Word(sstr(value), folded(value), folded_mathml(value)),)),))


def constant(expr: Expr, names: Names | None = None, what: Line = ()) -> Expr | Word:
    """A coefficient as it is shown: in full, with names, or, if it is too long for that, by a name of its own.

    `what` says what it is; without names its first digits stand for it.
    """
    if printable(named(expr)):
        short = (names or Names()).short(expr)
        if short is not None and (names is not None or not names_in(short)):
            return short
    if names is not None:
        return names.long_name(expr, what)
    if dag.free_symbols(expr):
        return expr
    try:
        return digits(expr)
    except AsymptokError:
        return expr


def printable(expr: Expr) -> bool:
    """The tree of a deep constant may be far larger than what it is stored as, and deeper than Python's stack."""
    height: dict[Expr, int] = {}
    for node in dag.postorder(expr):
        height[node] = 1 + max((height[arg] for arg in node.args), default=0)
    return height[expr] <= _HIGHEST and dag.tree_size(expr) <= _LARGEST
