"""Eigenvalues as tables."""

from __future__ import annotations

from collections.abc import Iterable

import mpmath

from asymptok.reporting.model import Column, Content, Table, cell
from asymptok.show.decimals import MU, number
from asymptok.spectrum import Spectrum, multiplicity

__all__ = ["spectrum_table"]


def spectrum_table(spectrum: Spectrum, ks: Iterable[int] | None = None, digits: int | None = None) -> Table:
    """k, mu_k, error bound, multiplicity, method."""
    count = spectrum.dps if digits is None else digits
    rows: list[list[Content]] = []
    for k in spectrum.ks if ks is None else ks:
        value, error = spectrum[k], spectrum.error(k)
        method = spectrum.method(k) + ("" if spectrum.is_proved(k) else " (estimate)")
        exact = mpmath.nstr(value, spectrum.dps) if value else "0"
        rows.append(
            [
                str(k),
                cell(number(value, count), plain=exact),
                cell(number(error, 2), plain=mpmath.nstr(error, 3)),
                str(multiplicity(k, spectrum.d)),
                method,
            ]
        )
    heads = [
        Column("k", ("k",), "r"),
        Column("mu", (MU,)),
        Column("error", ("error",)),
        Column("multiplicity", ("multiplicity",), "r"),
        Column("method", ("method",)),
    ]
    return Table(heads, rows)
