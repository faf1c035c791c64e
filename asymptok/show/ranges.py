"""The ranges of parameters as formulas."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Symbol

from asymptok.parameters import Range, relations
from asymptok.show.blocks import Inline, Line
from asymptok.show.formula import Formula, Piece
from asymptok.show.subjects import Kernel

__all__ = ["parameter_ranges"]


def parameter_ranges(subjects: Sequence[Kernel]) -> tuple[Line, ...]:
    """The ranges of the parameters that occur, as one note."""
    found: dict[str, Line] = {}
    for kernel in subjects:
        for symbol, bounds in kernel.parameters.items():
            text = _range(symbol, bounds)
            if text is not None:
                found.setdefault(f"{symbol}:{bounds!r}", text)
    parts: list[Inline] = []
    for i, text in enumerate(found.values()):
        parts += [", " if i else "", *text]
    return (tuple(parts),) if parts else ()


def _range(symbol: Symbol, bounds: Range) -> Line | None:
    low, high = relations(symbol, bounds)
    above = (Piece(high[1], (high[0],)),) if high else ()
    if low and high:
        return (Formula((Piece("", (low[0],)), Piece(low[1], (symbol,)), *above)),)
    if low:
        above = (Piece(low[1].replace("<", ">"), (low[0],)),)
    return (Formula((Piece("", (symbol,)), *above)),) if above else None
