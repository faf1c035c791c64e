"""Special functions: one record for each, of everything that the package knows about it."""

from __future__ import annotations

from asymptok.functions.progression import Progression
from asymptok.functions.record import NONZERO, POSITIVE, Monotone, Pairs, Points, Record
from asymptok.functions.registry import RECORDS, SWITCHES, record_of

__all__ = [
    "NONZERO",
    "POSITIVE",
    "RECORDS",
    "SWITCHES",
    "Monotone",
    "Pairs",
    "Points",
    "Progression",
    "Record",
    "record_of",
]
