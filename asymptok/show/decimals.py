"""Decimals as formulas."""

from __future__ import annotations

import mpmath

from asymptok.show.formula import Formula, Piece, Word

__all__ = ["MU", "MU_WORD", "decimal", "number"]

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
