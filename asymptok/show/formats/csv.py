"""Tables as comma-separated values."""

from __future__ import annotations

import csv
import io

from asymptok.show.blocks import Sheet, plain_text
from asymptok.show.formats.format import Format

__all__ = ["table_csv"]


def table_csv(table: Sheet) -> str:
    """A header of keys, then one line for each row."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([column.key for column in table.columns])
    writer.writerows([plain_text(cell) for cell in row] for row in table.rows)
    return buffer.getvalue()


FORMAT = Format("csv", (".csv",), table_csv)
