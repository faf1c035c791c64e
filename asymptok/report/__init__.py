"""Results for people: tables in five formats, citations, and a page to send to a colleague."""

from __future__ import annotations

from asymptok.report.model import Table
from asymptok.report.table import table

__all__ = ["Table", "table"]
