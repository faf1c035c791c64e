"""Eigenvalues as tables."""

from __future__ import annotations

from collections.abc import Iterable

import mpmath

from asymptok.reporting.model import Column, Content, Table, cell
from asymptok.show.formula import Formula, Piece, Word
from asymptok.spectrum import Spectrum, multiplicity

__all__ = ["MU", "MU_WORD", "decimal", "number", "spectrum_table"]

MU_WORD = Word("mu_k", r"\mu_k")
MU = Formula((Piece("", (MU_WORD,)),))


def number(value: object, count: int = 6) -> Formula:
    """An mpf with `count` digits, in powers of ten where that is shorter.

    >>> number(mpmath.mpf("1.25e-7")).latex()
    '1.25 \\\\cdot 10^{-7}'
    """
    return decimal(mpmath.nstr(value, count, min_fixed=-4, max_fixed=7))


def decimal(text: str) -> Formula:
    """A decimal as it stands.

    >>> decimal("-2.5e-9").latex()
    '-2.5 \\\\cdot 10^{-9}'
    """
    mantissa, _, power = text.partition("e")
    mantissa = mantissa.removesuffix(".0")
    shown = Word(mantissa, mantissa)
    if power:
        shown = Word(f"{mantissa}e{int(power)}", rf"{mantissa} \cdot 10^{{{int(power)}}}")
    return Formula((Piece("", (shown,)),))


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
