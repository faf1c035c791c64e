"""The look-up: SymPy class -> record.

A function is one file in this folder, with its record in RECORDS and its local expansion under @expands; no list
has to be told.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any

from sympy import Piecewise

import asymptok.functions as room
from asymptok.functions.hermite import HermiteFamily, hermite_record
from asymptok.functions.record import Record
from asymptok.functions.zonal import ZonalFamily, zonal_record

#: every file of this folder: those that hold RECORDS, and those with rules that enter themselves when imported
_FILES = [
    import_module(f"asymptok.functions.{module.name}")
    for module in iter_modules(room.__path__)
    if module.name != "table"
]

#: every record, by the class of SymPy
RECORDS: MappingProxyType[Any, Record] = MappingProxyType(
    {record.function: record for file in _FILES for record in getattr(file, "RECORDS", ())}
)

#: what chooses by the order of its arguments
SWITCHES: tuple[Any, ...] = (Piecewise, *(f for f, record in RECORDS.items() if record.switch))


def record_of(cls: object) -> Record | None:
    """The record of a SymPy class, None for a function of which nothing is known.

    >>> import sympy
    >>> record_of(sympy.tan).singular_values(sympy.tan(sympy.Symbol("x")))
    (Progression(first=pi/2, step=pi, two_sided=True),)
    >>> record_of(sympy.Chi).monotone(None), record_of(sympy.mathieus)
    (None, None)
    """
    if isinstance(cls, ZonalFamily):
        return zonal_record(cls)
    return hermite_record(cls) if isinstance(cls, HermiteFamily) else RECORDS.get(cls)
