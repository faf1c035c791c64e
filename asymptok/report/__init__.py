"""Results for people: tables in five formats, citations, and a page to send to a colleague."""

from __future__ import annotations

from asymptok.report.citations import Bibliography, cite
from asymptok.report.model import Table
from asymptok.report.page import report
from asymptok.report.table import table

__all__ = ["Bibliography", "Table", "cite", "report", "table"]
