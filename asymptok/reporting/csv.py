"""Tables as comma-separated values."""

from __future__ import annotations

import csv
import io

from asymptok.reporting.model import Cell, Table
from asymptok.reporting.text import line_text

__all__ = ["table_csv"]


def table_csv(table: Table) -> str:
    """A header of keys, then one line for each row."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([column.key for column in table.columns])
    writer.writerows([_plain(cell) for cell in row] for row in table.rows)
    return buffer.getvalue()


def _plain(cell: Cell) -> str:
    return cell.plain if cell.plain is not None else "; ".join(line_text(line) for line in cell.lines)
