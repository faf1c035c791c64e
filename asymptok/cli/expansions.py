"""asymptok expand and decay: formulas at the two ends, and what follows for large k."""

from __future__ import annotations

import argparse

from sympy import Expr, Rational, latex, sstr, true
from sympy.logic.boolalg import Boolean

from asymptok import dag
from asymptok.arguments import checked_dimension
from asymptok.cli.answer import Answer, kernel_data
from asymptok.cli.subjects import one_kernel
from asymptok.errors import AsymptokError
from asymptok.expansion import Expansion
from asymptok.expansion import expand as expand_kernel
from asymptok.kernels.kernel import Kernel
from asymptok.laws import Decay, ParityDecay
from asymptok.laws import decay as decay_of
from asymptok.quantities import JSON
from asymptok.reporting.columns import AT_END
from asymptok.reporting.expansions import definitions, expansion_formula
from asymptok.reporting.model import Column, Content, Line, Table, cell
from asymptok.show.blocks import Block, Display, Paragraph
from asymptok.show.cases import condition_text
from asymptok.show.coefficients import double, exact_text
from asymptok.show.formula import expression, relation
from asymptok.show.law import law_facts
from asymptok.symbols import d as dimension
from asymptok.truth import Truth

__all__ = ["decay", "expand", "expansion_blocks", "law_data", "order_of", "title"]


#: nodes of a formula that is shown next to the name of its kernel
_SHORT = 40


def expand(options: argparse.Namespace) -> Answer:
    """Both expansions, or the one that --at asks for."""
    kernel = one_kernel(options)
    order = order_of(options.order)
    ends = (1, -1) if options.at is None else (options.at,)
    expansions = [expand_kernel(kernel, at=end, order=order) for end in ends]
    blocks: list[Block] = [Paragraph(title(kernel))]
    for expansion in expansions:
        blocks += expansion_blocks(expansion)

    def data() -> dict[str, JSON]:
        return {"kernel": kernel_data(kernel), "expansions": [_data(expansion) for expansion in expansions]}

    return Answer(tuple(blocks), data, sheet=lambda: _sheet(expansions))


def order_of(text: str) -> Rational:
    """The value of --order."""
    try:
        return Rational(text)
    except (TypeError, ValueError, ZeroDivisionError):
        raise AsymptokError(f"--order takes a number such as 4 or 5/2, not {text!r}") from None


def decay(options: argparse.Namespace) -> Answer:
    """The law for even and for odd k."""
    kernel = one_kernel(options)
    d = None if options.dim is None else checked_dimension(options.dim)
    law = decay_of(kernel, None if options.order is None else order_of(options.order))
    head = (*title(kernel), "" if d is None else f"; d = {d}")
    blocks: list[Block] = [Paragraph(head)]
    for where, case in law.cases:
        if where is not true:
            blocks.append(Paragraph((condition_text(where),)))
        blocks.append(law_facts(case, d, options.verbose))

    def data() -> dict[str, JSON]:
        found: list[dict[str, JSON]] = [{"condition": condition_text(c), **_law(x, d)} for c, x in law.cases]
        whole = _law(law, d) if isinstance(law, Decay) else {"cases": [*found]}
        return {"kernel": kernel_data(kernel), "d": d, **whole}

    return Answer(tuple(blocks), data, sheet=lambda: _laws(law.cases, d))


def _law(law: Decay, d: int | None) -> dict[str, JSON]:
    nu = None if law.nu is None else sstr(law.nu)
    return {"nu": nu, "even": law_data(law.even, d), "odd": law_data(law.odd, d)}


def _laws(cases: tuple[tuple[Boolean, Decay], ...], d: int | None) -> Table:
    keys = ("kind", "exponent", "log_power", "constant")
    rows: list[list[Content]] = []
    for where, law in cases:
        for side in (law.even, law.odd):
            values = law_data(side, d)
            case = [] if where is true else [cell(plain=condition_text(where))]
            rows.append([*case, side.parity, *(cell(plain=_word(values.get(key))) for key in keys)])
    heads = ("parity", *keys) if len(cases) == 1 else ("case", "parity", *keys)
    return Table([Column(key, (key,)) for key in heads], rows)


def law_data(law: ParityDecay, d: int | None = None) -> dict[str, float | int | str | None]:
    """One parity for a machine; exponents and constants as expressions in d, or as numbers."""
    at = dimension if d is None else d
    law = law if d is None else law.at(d)
    value = law.constant(at)
    data: dict[str, float | int | str | None] = {
        "kind": law.kind,
        "exponent": None,
        "constant": None,
        "constant_value": None,
    }
    if law.kind in ("algebraic", "oscillatory"):
        data["exponent"] = sstr(law.exponent(at))
        data["log_power"] = law.log_power
        data["nu"] = None if law.nu is None else sstr(law.nu)
        data["constant"] = None if value is None else exact_text(value)
        if value is not None and not value.free_symbols:
            data["constant_value"] = double(value)
        if law.kind == "oscillatory":
            # a limsup, or only a bound on it
            data["attained"] = law.attained(at) is Truth.TRUE
    if law.kind == "zero":
        data["zero_from"] = law.zero_from
    if law.kind == "geometric" or law.rho is not None:
        data["rho"] = None if law.rho is None else sstr(law.rho)
    if law.stretched is not None:
        data["log_rate"] = sstr(law.stretched.log_rate)
        data["beside"] = None if law.beside(at) is None else sstr(law.beside(at))
        data["constant"] = None if value is None else exact_text(value)
        if value is not None and not value.free_symbols:
            data["constant_value"] = double(value)
    return data


def _word(value: object) -> str:
    return "" if value is None else str(value)


def title(kernel: Kernel) -> Line:
    """The name and the formula of a kernel."""
    if kernel.name is None:
        return (expression(kernel.expr),)
    if dag.tree_size(kernel.expr) > _SHORT:
        return (kernel.name,)
    return (f"{kernel.name}: ", expression(kernel.expr))


def expansion_blocks(expansion: Expansion) -> list[Block]:
    """kappa(1 - t) = ..., with the definitions of long constants."""
    left = AT_END[expansion.end]
    formula = expansion_formula(expansion)
    blocks: list[Block] = [Display(relation(left, "=", formula))]
    blocks += [Paragraph(note) for note in definitions(expansion)]
    return blocks


def _data(expansion: Expansion) -> dict[str, JSON]:
    terms = [
        {
            "coefficient": exact_text(term.coefficient),
            "value": _number(term.coefficient),
            "exponent": sstr(term.exponent),
            "log_power": term.log_power,
        }
        for term in expansion.ordered
    ]
    return {
        "at": expansion.end,
        "terms": terms,
        "remainder": [{"exponent": sstr(r.exponent), "log_power": r.log_power} for r in expansion.tail],
        "nu": None if expansion.nu is None else sstr(expansion.nu),
        "coefficient": None if expansion.coefficient is None else exact_text(expansion.coefficient),
        "log_power": expansion.log_power,
        "latex": latex(expansion),
    }


def _number(value: Expr) -> float | None:
    """The coefficient as a double, null if it has parameters."""
    return None if value.free_symbols else double(value)


def _sheet(expansions: list[Expansion]) -> Table:
    heads = [Column(key, (key,)) for key in ("at", "exponent", "log_power", "coefficient", "value")]
    rows: list[list[Content]] = []
    for expansion in expansions:
        for term in expansion.ordered:
            number = _number(term.coefficient)
            rows.append(
                [
                    str(expansion.at),
                    sstr(term.exponent),
                    str(term.log_power),
                    cell(plain=exact_text(term.coefficient)),
                    "" if number is None else repr(number),
                ]
            )
    return Table(heads, rows)
