"""A table and what stands around it, as data. The formats read it and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sympy import Expr

from asymptok.errors import AsymptokError
from asymptok.show.formula import Formula, expression

__all__ = [
    "Badge",
    "Block",
    "Cell",
    "Column",
    "Content",
    "Display",
    "Facts",
    "Heading",
    "Inline",
    "Line",
    "Listing",
    "Paragraph",
    "Sheet",
    "cell",
    "line",
    "plain_text",
]

_MARKS = {
    "proved": "\u2713",
    "refuted": "\u2717",
    "supported": "~",
    "unknown": "?",
    "yes": "\u2713",
    "no": "\u2717",
}
_LATEX_MARKS = {"\u2713": "+", "\u2717": r"\times", "~": r"\sim", "?": "?"}


@dataclass(frozen=True, slots=True)
class Badge:
    """A verdict, proved, refuted, supported or unknown; or the answer to a question, yes, no or unknown."""

    status: str

    def text(self) -> str:
        return f"{_MARKS[self.status]} {self.status}"

    def latex(self) -> str:
        return rf"{_LATEX_MARKS[_MARKS[self.status]]}\ \text{{{self.status}}}"


#: prose, a formula or a verdict
Inline = str | Formula | Badge
Line = tuple[Inline, ...]


def line(*parts: Inline | Expr) -> Line:
    """Prose, formulas and expressions in a row."""
    return tuple(expression(part) if isinstance(part, Expr) else part for part in parts)


@dataclass(frozen=True, slots=True)
class Cell:
    """Lines of a cell; `plain` is what a program should read instead (exact, never shortened)."""

    lines: tuple[Line, ...] = ()
    plain: str | None = None


#: what a row may be given as
Content = Cell | Inline | Expr


def cell(*parts: Inline | Expr, plain: str | None = None) -> Cell:
    """A cell of one line, or an empty one."""
    return Cell((line(*parts),) if parts else (), plain)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its key for selection and for programs, its heading for people."""

    key: str
    heading: Line
    #: l, r, c, or p for prose
    align: str = "l"
    #: what neighbouring columns have in common, set once above them
    group: Line = ()

    @property
    def title(self) -> Line:
        """The heading with that of its group, for formats with one line of headings."""
        return (*self.group, ", ", *self.heading) if self.group else self.heading


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Sheet:
    """Rows of formulas and words under headings, with notes."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    label: str = ""
    notes: tuple[Line, ...] = ()

    def __init__(
        self,
        columns: Iterable[Column],
        rows: Iterable[Iterable[Content]],
        caption: str = "",
        label: str = "",
        notes: Iterable[Line] = (),
    ) -> None:
        heads = tuple(columns)
        body = tuple(tuple(x if isinstance(x, Cell) else cell(x) for x in row) for row in rows)
        for row in body:
            if len(row) != len(heads):
                raise AsymptokError(f"a row of {len(row)} cells does not fit a table of {len(heads)} columns")
        for name, value in (("columns", heads), ("rows", body), ("caption", caption), ("label", label)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "notes", tuple(notes))


def plain_text(item: Cell) -> str:
    """What a program reads in a cell."""
    if item.plain is not None:
        return item.plain
    return "; ".join("".join(p if isinstance(p, str) else p.text() for p in parts) for parts in item.lines)


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    line: Line


@dataclass(frozen=True, slots=True)
class Display:
    """A formula on lines of its own."""

    formula: Formula


@dataclass(frozen=True, slots=True)
class Listing:
    """Text to be copied as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What is said about a few things, each under its name."""

    rows: tuple[tuple[Line, Line], ...]


Block = Heading | Paragraph | Display | Listing | Facts | Sheet
