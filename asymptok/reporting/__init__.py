"""Results for people: tables in five formats, citations, and a page to send to a colleague."""

from __future__ import annotations

from asymptok.reporting.citations import Bibliography, cite
from asymptok.reporting.entries import table
from asymptok.reporting.model import Table
from asymptok.reporting.page import report

__all__ = ["Bibliography", "Table", "cite", "report", "table"]
