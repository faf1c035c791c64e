"""The enclosures among the records of `asymptok.functions`, as tables."""

from __future__ import annotations

from asymptok.functions import RECORDS, record_of
from asymptok.functions.arccosine import (
    arc_cosine_closed,
    arc_cosine_complex,
    arc_cosine_real,
    arc_cosine_series,
)
from asymptok.functions.constants import CONSTANTS
from asymptok.functions.powers import complex_power, hull, integer_power, real_power, real_sqrt
from asymptok.functions.record import Implementation

__all__ = [
    "CONSTANTS",
    "SERIES",
    "TABLE",
    "Implementation",
    "arc_cosine_closed",
    "arc_cosine_complex",
    "arc_cosine_real",
    "arc_cosine_series",
    "complex_power",
    "hull",
    "implementations",
    "integer_power",
    "real_power",
    "real_sqrt",
]

#: SymPy class -> (over arb, over acb). The arguments are in SymPy's order and convention.
TABLE: dict[object, tuple[Implementation, Implementation]] = {
    cls: (record.real, record.complex) for cls, record in RECORDS.items()
}

#: SymPy class -> implementation on arb_series / acb_series arguments (at regular points).
SERIES: dict[object, Implementation] = {
    cls: record.series for cls, record in RECORDS.items() if record.series is not None
}


def implementations(cls: object) -> tuple[Implementation, Implementation, Implementation | None] | None:
    """The three implementations (real, complex, power series) of a SymPy class, None if unsupported."""
    record = record_of(cls)
    return None if record is None else (record.real, record.complex, record.series)
