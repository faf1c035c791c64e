"""The table that prints itself in every format."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any

from asymptok.arguments import write_text
from asymptok.errors import AsymptokError
from asymptok.show.blocks import Cell, Column, Content, Inline, Line, Sheet, cell, line, plain_text
from asymptok.show.formats import FORMATS
from asymptok.show.formats.latex import Layout, table_latex
from asymptok.show.latex_prose import escape_latex
from asymptok.spectrum.frames import data_frame_class

__all__ = ["FORMATS", "Cell", "Column", "Content", "Inline", "Line", "Table", "cell", "line", "plain_text"]


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Table(Sheet):
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

    def render(self, format: str, path: str | PathLike[str] | None = None) -> str:
        """The table in one of the FORMATS, written to `path` if given."""
        if format not in FORMATS:
            raise AsymptokError(f"unknown format {format!r}: choose from {', '.join(FORMATS)}")
        return _written(FORMATS[format].table(self), path)

    def to_latex(
        self,
        path: str | PathLike[str] | None = None,
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
        table (width=40 for one column of a two-column paper). `siunitx` aligns columns of numbers at their points.
        The caption is LaTeX; it and the label default to those of the table, and "" leaves them out.
        """
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

    def to_markdown(self, path: str | PathLike[str] | None = None) -> str:
        """A pipe table with formulas between dollar signs."""
        return self.render("markdown", path)

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """An HTML table with MathML formulas; no script, no style sheet needed."""
        return self.render("html", path)

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        """Comma-separated values under the keys of the columns, exact and in Python's notation."""
        return self.render("csv", path)

    def to_text(self, path: str | PathLike[str] | None = None) -> str:
        """Aligned columns for a terminal."""
        return self.render("text", path)

    def __str__(self) -> str:
        return self.to_text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.to_html()

    def _repr_latex_(self) -> str:
        return self.to_latex(caption="", label="")


def transposed(table: Table) -> Table:
    """Columns as rows: the first column becomes the headings."""
    first, *others = table.columns
    heads = [Column("", first.heading)]
    heads += [Column(plain_text(row[0]), row[0].lines[0] if row[0].lines else ("",)) for row in table.rows]
    rows = [
        [Cell((column.title,), plain=column.key), *(row[i] for row in table.rows)]
        for i, column in enumerate(others, 1)
    ]
    return Table(heads, rows, table.caption, table.label, table.notes)


def _written(text: str, path: str | PathLike[str] | None) -> str:
    if path is not None:
        write_text(path, text)
    return text
