"""The look-up: SymPy class -> record."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from asymptok.functions import (
    arccosine_record,
    bessel,
    choices,
    depth_record,
    elementary,
    exponential_integrals,
    gamma,
    hypergeometric,
    inverse,
    orthant_record,
    powers,
    trigonometric,
)
from asymptok.functions.record import Record

_FAMILIES = (
    elementary,
    powers,
    trigonometric,
    inverse,
    exponential_integrals,
    gamma,
    bessel,
    hypergeometric,
    choices,
    arccosine_record,
    orthant_record,
    depth_record,
)

#: every record, by the class of SymPy
RECORDS: MappingProxyType[Any, Record] = MappingProxyType(
    {record.function: record for family in _FAMILIES for record in family.RECORDS}
)


def record_of(cls: Any) -> Record | None:
    """The record of a SymPy class, None for a function of which nothing is known.

    >>> import sympy
    >>> record_of(sympy.tan).singular_values(sympy.tan(sympy.Symbol("x")))
    (Progression(first=pi/2, step=pi, two_sided=True),)
    >>> record_of(sympy.Chi).monotone(None), record_of(sympy.mathieus)
    (None, None)
    """
    return RECORDS.get(cls)
