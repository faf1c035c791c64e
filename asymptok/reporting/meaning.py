"""Consequences of the decay as a table and as data."""

from __future__ import annotations

from sympy import Expr, sstr

from asymptok.meaning.function_space import Consequences
from asymptok.quantities import JSON
from asymptok.reporting.model import Column, Content, Table, cell
from asymptok.show.coefficients import constant, inline
from asymptok.show.formula import Formula, Piece, Word, expression

__all__ = ["consequences_data", "consequences_table"]

_NAMES = {
    "krr_rate": "kernel ridge regression rate",
    "rkhs_smoothness": "RKHS smoothness",
    "matern_smoothness": "Mat\u00e9rn smoothness",
    "sobolev_order": "Sobolev order",
    "lipschitz_approximation": "Lipschitz approximation",
    "holder_exponent": "H\u00f6lder exponent",
    "holder_constant": "H\u00f6lder constant, local",
    "holder_supremum": "H\u00f6lder constant, supremum",
}


def consequences_table(found: Consequences) -> Table:
    """One row for each consequence that has something to say: name, value, statement."""
    heads = [Column("name", ("what",)), Column("value", ("value",)), Column("statement", ("meaning",), "p")]
    rows: list[list[Content]] = []
    for name, entry in found:
        if entry.value is None:
            value = cell("\u2014", plain="")
        else:
            value = cell(_shown(entry.value), plain=sstr(entry.value))
        rows.append([_NAMES.get(name, name.replace("_", " ")), value, entry.statement])
    return Table(heads, rows)


def _shown(value: Expr) -> Formula:
    if value.is_Rational:
        return inline(value)
    short = constant(value)
    return Formula((Piece("", (short,)),)) if isinstance(short, Word) else expression(short)


def consequences_data(found: Consequences) -> dict[str, JSON]:
    """The consequences for a machine, with the status of positive definiteness on which they rest."""
    gate = found.positive_definite
    entries = {
        name: {
            "value": None if entry.value is None else sstr(entry.value),
            "statement": entry.statement,
            "reason": entry.reason,
        }
        for name, entry in found
    }
    return {"positive_definite": {"status": gate.status, "evidence": gate.evidence}, **entries}
