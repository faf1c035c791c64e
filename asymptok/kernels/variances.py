"""The variances and weights of a network as a user gives them: numbers, names, or expressions in parameters."""

from __future__ import annotations

from sympy import Expr, S, Symbol, oo

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.parameters import (
    Given,
    Range,
    check_inside,
    condition,
    declared,
    fitting,
    intersect,
    number_or_symbol,
    range_of_symbol,
    symbol_in,
)
from asymptok.symbols import u, x

__all__ = ["GivenParameters"]


class GivenParameters:
    """The variances and the skip weight as a user gives them, with the ranges of their parameters."""

    def __init__(self, parameters: Given | None, ranges: dict[Symbol, Range]) -> None:
        """`ranges` has the parameters of the activation."""
        self.ranges = ranges
        self._wanted = declared(parameters)
        self._used: set[str] = set()

    def take(self, value: object, what: str) -> Expr:
        number = number_or_symbol(value, (S.Zero, oo), what)
        if isinstance(value, str) and isinstance(number, Symbol) and self._declared(number):
            number = Symbol(
                number.name
            )  # a name says nothing of its range, and is positive if nothing else does
        found: dict[Symbol, Expr] = {}
        for old in number.free_symbols:
            if old.name in (u.name, x.name):
                raise AsymptokError(f"{what} depends on {old.name}")
            bounds, declaration = range_of_symbol(old), self._declared(old)
            if isinstance(declaration, Expr):
                check_inside(old.name, declaration, bounds)
                found[old] = declaration
                continue
            if declaration is not None:
                bounds = intersect(old.name, declaration, bounds)
            # of a real symbol between positive numbers SymPy does not know that it is positive
            signed = old.is_nonnegative or bounds[0] < 0
            new = next((s for s in self.ranges if s.name == old.name), None)
            new = new or (fitting(old, bounds) if signed else symbol_in(old.name, bounds))
            found[old] = new
            self.ranges[new] = intersect(old.name, self.ranges.get(new, bounds), bounds)
        return dag.rebuild(number, found)

    def _declared(self, symbol: Symbol) -> Range | Expr | None:
        self._used |= {symbol.name} & self._wanted.keys()
        return self._wanted.get(symbol.name, (None, None))[1]

    def is_declared(self, symbol: Symbol) -> bool:
        return symbol.name in self._used

    def check_used(self, what: str) -> None:
        """What is declared and does not occur is a mistake."""
        if unused := sorted(self._wanted.keys() - self._used - {s.name for s in self.ranges}):
            raise AsymptokError(f"parameters declares {', '.join(unused)}, which {what} does not contain")

    def told(self, value: Expr) -> str:
        """The value, with what its parameters may be."""
        where = [condition(s, self.ranges[s]) for s in sorted(value.free_symbols, key=str)]
        return f"{value}{' with ' if any(where) else ''}{', '.join(filter(None, where))}"
