"""The table as data: columns, rows of cells, notes. Renderers read it and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sympy import Expr

from asymptok.errors import AsymptokError
from asymptok.show.formula import Formula, expression
from asymptok.spectrum.frames import data_frame_class

__all__ = ["FORMATS", "Cell", "Column", "Inline", "Line", "Table", "cell", "line"]

#: prose or a formula
Inline = str | Formula
Line = tuple[Inline, ...]

FORMATS = ("text", "latex", "markdown", "html", "csv")


def line(*parts: str | Formula | Expr) -> Line:
    """Prose, formulas and expressions in a row."""
    return tuple(expression(part) if isinstance(part, Expr) else part for part in parts)


@dataclass(frozen=True, slots=True)
class Cell:
    """Lines of a cell; `plain` is what a program should read instead (exact, never shortened)."""

    lines: tuple[Line, ...] = ()
    plain: str | None = None


def cell(*parts: str | Formula | Expr, plain: str | None = None) -> Cell:
    """A cell of one line, or an empty one."""
    return Cell((line(*parts),) if parts else (), plain)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its key for selection and for programs, its heading for people."""

    key: str
    heading: Line
    #: l, r, c, or p for prose
    align: str = "l"


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Table:
    """Rows of formulas and words under headings, with notes; it prints itself in five formats.

    >>> table = Table((Column("k", ("k",)), Column("mu", ("mu",))), (("0", "1/2"), ("1", "1/3")))
    >>> print(table)
    k  mu
    -  ---
    0  1/2
    1  1/3
    >>> print(table.to_csv(), end="")
    k,mu
    0,1/2
    1,1/3
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    label: str = ""
    notes: tuple[Line, ...] = ()

    def __init__(
        self,
        columns: Iterable[Column],
        rows: Iterable[Iterable[Cell | str | Formula | Expr]],
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

    def render(self, format: str, path: Any = None) -> str:
        """The table in one of the formats text, latex, markdown, html, csv; written to `path` if given."""
        writers = {
            "text": self.to_text,
            "latex": self.to_latex,
            "markdown": self.to_markdown,
            "html": self.to_html,
            "csv": self.to_csv,
        }
        if format not in writers:
            raise AsymptokError(f"unknown format {format!r}: choose from {', '.join(FORMATS)}")
        return writers[format](path)

    def to_latex(
        self,
        path: Any = None,
        caption: str | None = None,
        label: str | None = None,
        standalone: bool = False,
        rotate: bool = False,
        *,
        environment: str | None = None,
        fontsize: str | None = None,
        width: int | None = None,
        siunitx: bool = False,
    ) -> str:
        """A booktabs table (packages amsmath, array, booktabs), or with `standalone` a document to compile.

        `environment` is the float: "table", "table*" across both columns of a paper, "sidewaystable" (also by
        `rotate`; package rotating). A float is set in `fontsize` ("small", "footnotesize", ...), by default in the
        largest size that fits, never below footnotesize: columns that do not fit in `width` characters go into a second
        table (width=45 for one column of a two-column paper). `siunitx` aligns columns of numbers at their points.
        The caption is LaTeX; it and the label default to those of the table, and "" leaves them out.
        """
        from asymptok.reporting.latex import Layout, escape_latex, table_latex

        caption = escape_latex(self.caption) if caption is None else caption
        label = self.label if label is None else label
        layout = Layout(environment or ("sidewaystable" if rotate else None), fontsize, width, siunitx)
        return _written(table_latex(self, caption, label, standalone, layout), path)

    def to_pandas(self) -> Any:
        """A pandas DataFrame of the plain values, exact and in Python's notation (needs pandas)."""
        frame = data_frame_class()
        keys = [column.key for column in self.columns]
        return frame(
            [dict(zip(keys, (plain_text(c) for c in row), strict=True)) for row in self.rows], columns=keys
        )

    def to_markdown(self, path: Any = None) -> str:
        """A pipe table with formulas between dollar signs."""
        from asymptok.reporting.markdown import table_markdown

        return _written(table_markdown(self), path)

    def to_html(self, path: Any = None) -> str:
        """An HTML table with MathML formulas; no script, no style sheet needed."""
        from asymptok.reporting.html import table_html

        return _written(table_html(self), path)

    def to_csv(self, path: Any = None) -> str:
        """Comma-separated values under the keys of the columns, exact and in Python's notation."""
        from asymptok.reporting.csv import table_csv

        return _written(table_csv(self), path)

    def to_text(self, path: Any = None) -> str:
        """Aligned columns for a terminal."""
        from asymptok.reporting.text import table_text

        return _written(table_text(self), path)

    def __str__(self) -> str:
        return self.to_text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.to_html()

    def _repr_latex_(self) -> str:
        return self.to_latex(caption="", label="")


def plain_text(item: Cell) -> str:
    """What a program reads in a cell."""
    if item.plain is not None:
        return item.plain
    return "; ".join("".join(p if isinstance(p, str) else p.text() for p in parts) for parts in item.lines)


def transposed(table: Table) -> Table:
    """Columns as rows: the first column becomes the headings."""
    first, *others = table.columns
    heads = [Column("", first.heading)]
    heads += [Column(plain_text(row[0]), row[0].lines[0] if row[0].lines else ("",)) for row in table.rows]
    rows = [
        [Cell((column.heading,), plain=column.key), *(row[i] for row in table.rows)]
        for i, column in enumerate(others, 1)
    ]
    return Table(heads, rows, table.caption, table.label, table.notes)


def _written(text: str, path: Any) -> str:
    if path is not None:
        try:
            Path(path).write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")
        except OSError as error:
            raise AsymptokError(f"cannot write {path}: {error.strerror or error}") from error
    return text
