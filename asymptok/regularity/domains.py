"""What the records of the functions say about smoothness, as requirements on the expressions inside.

A requirement is an expression g(u) that has to be positive, or different from zero, for the function to be analytic
at its argument. Everything about smoothness is a statement on the signs of such g.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy
from sympy import Expr

from asymptok import dag
from asymptok.functions import NONZERO, POSITIVE, RECORDS, Monotone, record_of
from asymptok.functions.progression import Progression
from asymptok.symbols import u

__all__ = [
    "COMPLEX_ENTIRE",
    "ENTIRE",
    "MONOTONE",
    "NONZERO",
    "POSITIVE",
    "SINGULAR_VALUES",
    "Requirement",
    "requirements",
    "short",
]


@dataclass(frozen=True, slots=True)
class Requirement:
    """g > 0 or g != 0, so that `node` is analytic where g is."""

    node: Expr
    g: Expr
    relation: str

    def __str__(self) -> str:
        return f"{short(self.g)} {self.relation}"


def short(expr: Expr | str, length: int = 120) -> str:
    """The expression as text, cut where nobody would read on."""
    text = dag.brief(expr, length + 1)
    return text if len(text) <= length else text[: length - 3] + "..."


def requirements(node: Expr) -> list[Requirement] | None:
    """What has to hold for the outermost function of `node` to be real analytic; None if that is not known.

    >>> requirements(sympy.hyper([-2, 1], [3], sympy.Symbol("u", real=True)))
    []
    """
    record = record_of(node.func)
    pairs = None if record is None else record.requirements(node)
    return None if pairs is None else [Requirement(node, g, relation) for g, relation in pairs]


_x = sympy.Symbol("x", real=True)
#: a node of each function of one argument
_NODES: dict[Callable[..., Expr], Expr] = {
    cls: cls(_x, evaluate=False)
    for cls in RECORDS
    if issubclass(cls, sympy.Function) and 1 in cls.nargs and cls not in (sympy.Max, sympy.Min)
}

#: functions of one argument (and sums and products) that are analytic on the whole real line
ENTIRE: frozenset[Callable[..., Expr]] = frozenset(
    cls for cls, node in _NODES.items() if RECORDS[cls].requirements(node) == []
) | {sympy.Add, sympy.Mul}

#: entire in the complex plane: with polynomials inside they are entire functions of u
COMPLEX_ENTIRE: frozenset[Callable[..., Expr]] = frozenset(
    cls for cls in ENTIRE if RECORDS[cls].entire(_NODES.get(cls, u))
)

#: strictly monotone functions of one argument
MONOTONE: dict[object, Monotone] = {
    cls: found for cls, node in _NODES.items() if (found := RECORDS[cls].monotone(node)) is not None
}

_VALUES = {cls: RECORDS[cls].singular_values(node) for cls, node in _NODES.items()}
#: finite singular points in the complex plane, on every sheet that continuation can reach, where they are finitely
#: many; zeta is left out, since zeta(s, a) is singular at other points than zeta(s)
SINGULAR_VALUES: dict[object, tuple[object, ...]] = {
    cls: values
    for cls, values in _VALUES.items()
    if values and cls is not sympy.zeta and not any(isinstance(v, Progression) for v in values)
}
