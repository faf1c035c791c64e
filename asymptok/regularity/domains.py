"""What the records of the functions say about smoothness, as requirements on the expressions inside.

A requirement is an expression g(u) that has to be positive, or different from zero, for the function to be analytic
at its argument. Everything about smoothness is a statement on the signs of such g.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from asymptok import dag
from asymptok.functions import NONZERO, POSITIVE, record_of

__all__ = ["NONZERO", "POSITIVE", "Requirement", "requirements", "short"]


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

    >>> from sympy import hyper, log
    >>> from asymptok.symbols import u
    >>> requirements(hyper([-2, 1], [3], u)), requirements(log(1 - u))[0].relation
    ([], '> 0')
    """
    record = record_of(node.func)
    pairs = None if record is None else record.requirements(node)
    return None if pairs is None else [Requirement(node, g, relation) for g, relation in pairs]
