"""table(): what a paper prints about several kernels, one row each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sympy import Expr, Symbol

from asymptok import dag, ways_out
from asymptok import kernels as named
from asymptok.errors import AsymptokError, PrecisionError, Undecided
from asymptok.expansion import Expansion, expand
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.depth import DeepReLU, SlopeProduct
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.laws import Decay, ParityDecay
from asymptok.laws.derive import decay
from asymptok.parameters import Range, relations
from asymptok.progress import each, share, task
from asymptok.reporting.expansions import (
    Names,
    coefficient_of,
    constant,
    exact_text,
    expansion_formula,
    inline,
)
from asymptok.reporting.formats.text import line_text
from asymptok.reporting.laws import constant_line, constant_of, rate_line
from asymptok.reporting.model import Cell, Column, Line, Table, cell, transposed
from asymptok.reporting.numbers import MU
from asymptok.reporting.verdicts import verdict_lines
from asymptok.show.expansion import leading_terms
from asymptok.show.formula import Formula, Piece, Word, expression
from asymptok.theorems import ConditionReport, check

__all__ = ["AT_END", "COLUMNS", "KAPPA", "NU", "deep_equals_shallow", "parameter_ranges", "table"]

_NONE = "\u2014"
#: nodes of a formula that is shown below the name of its kernel
_SHORT = 16
_LONG_NAME = 35
#: nodes of a kernel without a name beyond which its number stands for its formula
_WIDE = 60


@dataclass(frozen=True)
class Subject:
    """One kernel of a table and what its columns ask for, each computed once."""

    kernel: Kernel
    d: int | None
    names: Names
    order: Any = 4
    #: by which notes call the kernel
    label: str = "the kernel"

    @cached_property
    def plus(self) -> Expansion:
        return expand(self.kernel, at=1, order=self.order, unbounded=True)

    @cached_property
    def minus(self) -> Expansion:
        return expand(self.kernel, at=-1, order=self.order, unbounded=True)

    @cached_property
    def verdict(self) -> ConditionReport:
        return check(self.kernel, self.d)

    @cached_property
    def decay(self) -> Decay:
        return decay(self.kernel)


#: far enough for the leading term of every kernel with nu <= 4
_ORDER = 4


def table(
    kernels: Any,
    columns: Iterable[str] | None = None,
    d: int | None = None,
    *,
    order: object = None,
    headings: Mapping[str, str] | None = None,
    transpose: bool = False,
    group_by: str | Callable[[Kernel], str] | None = None,
) -> Table:
    """One row for each kernel: expansions at both ends, nu, c_1, c_-1, decay laws, conditions.

    `columns` selects and orders them (COLUMNS lists the keys); with the dimension `d` the decay columns hold
    numbers instead of expressions in d, and their constants are added. `order` shows the expansions up to t^order
    instead of up to their leading terms. `headings` renames columns, `transpose` makes them rows, and `group_by`, a
    column or a function of a kernel, puts the rows together that agree in it. What is undecided is a cell that says so.

    >>> from asymptok import kernels
    >>> print(table([kernels.ntk(3), "exp(u - 1)"], columns=["kernel", "nu", "c_1"]))
    kernel        nu   c_1
    ------------  ---  -------------
    NTK, depth 3  1/2  -3*sqrt(2)/pi
    exp(u - 1)    —    —
    """
    rows = (
        list(kernels) if isinstance(kernels, Iterable) and not isinstance(kernels, Expr | str) else [kernels]
    )
    if not rows:
        raise AsymptokError("a table needs at least one kernel")
    chosen = _chosen(columns, d)
    names = Names()
    subjects = [
        Subject(kernel, d, names, _ORDER if order is None else order, kernel.name or f"kernel {i}")
        for i, kernel in enumerate(map(as_kernel, rows), 1)
    ]
    if order is not None:
        expand("u", order=order)  # an order that is none is a mistake, and no word in every cell
    for key in headings or {}:
        if key not in COLUMNS:
            raise AsymptokError(f"there is no column {key!r} to rename: choose from {', '.join(COLUMNS)}")
    # with an order of its own the whole expansion is shown
    values = {key: _full(key) if order is not None else COLUMNS[key].value for key in chosen}
    # The second pass knows all names, so that the first rows use them as well.
    with task("table"):
        for part in ((0.0, 0.9), (0.9, 1.0)):
            with share(*part):
                body = [[_settled(values[key], subject) for key in chosen] for subject in each(subjects)]
    heads = [
        Column(key, (headings[key],) if headings and key in headings else COLUMNS[key].heading, "l")
        for key in chosen
    ]
    notes = (*names.note(), *_about_kappa(body, names), *parameter_ranges([s.kernel for s in subjects]))
    if group_by is not None:
        body = _grouped(body, [_group(group_by, subject) for subject in subjects])
    made = Table(heads, body, notes=notes)
    return transposed(made) if transpose else made


def _settled(value: Callable[[Subject], Cell], subject: Subject) -> Cell:
    """The cell, or a word for what is not known or does not exist: one kernel does not spoil the table."""
    try:
        return value(subject)
    except (Undecided, PrecisionError) as error:
        return Cell((("undecided",),), plain=f"undecided: {error}")
    except AsymptokError as error:
        return Cell((("none",),), plain=f"none: {error}")


def _full(key: str) -> Callable[[Subject], Cell]:
    if key not in ("at_1", "at_-1"):
        return COLUMNS[key].value

    def whole(subject: Subject) -> Cell:
        expansion = subject.plus if key == "at_1" else subject.minus
        exact = expansion_formula(expansion, exact=True).text()
        shown = expansion_formula(expansion, names=subject.names, label=subject.label)
        return Cell(((shown,),), plain=exact)

    return whole


def _group(group_by: str | Callable[[Kernel], str], subject: Subject) -> Line:
    if callable(group_by):
        return (str(group_by(subject.kernel)),)
    if group_by not in COLUMNS:
        raise AsymptokError(f"there is no column {group_by!r} to group by: choose from {', '.join(COLUMNS)}")
    found = _settled(COLUMNS[group_by].value, subject)
    value = [part for i, line in enumerate(found.lines) for part in (*(("; ",) if i else ()), *line)]
    return (*COLUMNS[group_by].heading, " = ", *value)


def _grouped(body: list[list[Cell]], groups: list[Line]) -> list[list[Cell]]:
    """The rows of each group under a row with its name, in the order of their first members."""
    rows: list[list[Cell]] = []
    for group in dict.fromkeys(groups):
        rows.append([Cell((group,), plain=line_text(group)), *(Cell(((),), plain="") for _ in body[0][1:])])
        rows += [row for row, own in zip(body, groups, strict=True) if own == group]
    return rows


@dataclass(frozen=True, slots=True)
class _Entry:
    heading: Line
    value: Callable[[Subject], Cell]
    needs_d: bool = False


def _chosen(columns: Iterable[str] | None, d: int | None) -> Sequence[str]:
    if columns is None:
        return [key for key, entry in COLUMNS.items() if d is not None or not entry.needs_d]
    chosen = list(columns) if isinstance(columns, Iterable) and not isinstance(columns, str) else [columns]
    for key in chosen:
        if not isinstance(key, str) or key not in COLUMNS:
            raise AsymptokError(f"there is no column {key!r}: choose from {', '.join(COLUMNS)}")
        if COLUMNS[key].needs_d and d is None:
            raise AsymptokError(f"the column {key!r} needs the dimension: {ways_out.dimension()}")
    if not chosen:
        raise AsymptokError(f"no columns: choose from {', '.join(COLUMNS)}")
    return chosen


# ----------------------------------------------------------------------------------- the columns


def _kernel(subject: Subject) -> Cell:
    """The name, and the formula where it is short enough to stand below it."""
    kernel = subject.kernel
    if kernel.name is None and dag.tree_size(kernel.expr) > _WIDE:
        subject.names.kernels[subject.label] = dag.brief(kernel.expr, _WIDE) + "..."
        return cell(subject.label, plain=str(kernel))
    if kernel.name is None:
        return cell(expression(kernel.expr), plain=str(kernel.expr))
    if dag.tree_size(kernel.expr) > _SHORT:
        return Cell(_name(kernel.name), plain=kernel.name)
    # "Laplace kernel, c = 2": the formula below says the rest
    head, kind, _ = kernel.name.partition(" kernel, ")
    return Cell((*_name(head + kind.rstrip(", ")), (expression(kernel.expr),)), plain=kernel.name)


def _name(name: str) -> tuple[Line, ...]:
    """A long name on two lines, broken after a comma."""
    head, comma, tail = name.rpartition(", ")
    return ((head + comma.rstrip(),), (tail,)) if comma and len(name) > _LONG_NAME else ((name,),)


def _expansion(expansion: Expansion, subject: Subject) -> Cell:
    exact = expansion_formula(expansion, leading=True, exact=True).text()
    shown = expansion_formula(expansion, leading=True, names=subject.names, label=subject.label)
    return Cell(((shown,),), plain=exact)


def _nu(subject: Subject) -> Cell:
    """The smaller of the two exponents: it governs the decay."""
    plus, minus = subject.plus.nu, subject.minus.nu
    value = minus if plus is None else plus
    if value is None:
        return Cell(((_NONE,),), plain="")
    if plus is None or minus is None or plus == minus:
        return cell(inline(value), plain=exact_text(value))
    return Cell(((inline(plus), " at +1"), (inline(minus), " at \u22121")), plain=f"{plus}; {minus}")


def _rate(law: ParityDecay, d: int | None) -> Cell:
    shown = rate_line(law, d)
    return Cell((shown,), plain=line_text(shown))


def _conditions(subject: Subject) -> Cell:
    lines = verdict_lines(subject.verdict)
    if subject.verdict.by_clause and check(subject.kernel, theorem="analytic").holds:
        lines = (("analytic: proved",),)
    return Cell(lines, plain="; ".join(f"{c.name}: {c.status}" for c in subject.verdict))


def _constant(law: ParityDecay, subject: Subject) -> Cell:
    assert subject.d is not None
    shown, value = constant_line(law, subject.d, subject.names, subject.label), constant_of(law, subject.d)
    if shown is None or value is None:
        return Cell(((_NONE,),), plain="")
    return Cell((shown,), plain=exact_text(value))


def _coefficient(expansion: Expansion, subject: Subject) -> Cell:
    value = expansion.coefficient
    if value is None:
        return Cell(((_NONE,),), plain="")
    what = coefficient_of(expansion, leading_terms(expansion) - 1, subject.label)
    shown = constant(value, subject.names, what)
    formula = Formula((Piece("", (shown,)),)) if isinstance(shown, Word) else expression(shown)
    return Cell(((formula,),), plain=exact_text(value))


def _about_kappa(rows: Sequence[Sequence[Cell]], names: Names) -> tuple[Line, ...]:
    """What kappa_n is, where a formula of the table mentions it."""
    formulas = [
        part for row in rows for c in row for line in c.lines for part in line if isinstance(part, Formula)
    ]
    factors = [factor for formula in formulas for piece in formula.pieces for factor in piece.factors]
    shown = [factor for factor in factors if isinstance(factor, Expr)]
    products = sorted({p for factor in shown for p in factor.atoms(SlopeProduct)}, key=str)
    if not names.used and not products and not any(factor.has(ArcCosine) for factor in shown):
        return ()
    return (
        (
            _single(Word("kappa_n", r"\kappa_n")),
            " is the arc-cosine kernel of order n, ",
            _single(Word("kappa_n(1) = 1", r"\kappa_n(1) = 1")),
            *_about_iterates(names),
        ),
        *map(_about_slopes, products),
    )


def _about_slopes(product: Expr) -> Line:
    """What the text calls SlopeProduct(L)."""
    factor = ArcCosine(0, DeepReLU(0, Symbol("j", integer=True, positive=True), -1))
    last = expression(product.args[0] - 1)
    return (expression(product), " is the product of ", expression(factor), " over j = 2, ..., ", last)


def _about_iterates(names: Names) -> Line:
    """What kappa_1^(l) is, where a constant is defined by it."""
    if not any(name.name.startswith("b") for name in names.used):
        return ()
    iterate, one = Word("kappa_1^(l)", r"\kappa_1^{(l)}"), Word("kappa_1", r"\kappa_1")
    return ("; ", _single(iterate), " is ", _single(one), " applied l times")


def parameter_ranges(subjects: Sequence[Kernel]) -> tuple[Line, ...]:
    """The ranges of the parameters that occur, as one note."""
    found: dict[str, Line] = {}
    for kernel in subjects:
        for symbol, bounds in kernel.parameters.items():
            text = _range(symbol, bounds)
            if text is not None:
                found.setdefault(f"{symbol}:{bounds!r}", text)
    parts: list[str | Formula] = []
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


def _single(word: Word) -> Formula:
    return Formula((Piece("", (word,)),))


_C1, _CM1 = Word("c_1", "c_1"), Word("c_-1", "c_{-1}")
_K = _single(Word("k", "k"))
NU = Word("nu", r"\nu")
KAPPA = Word("kappa(u)", r"\kappa(u)")
#: the kernel near the ends, as a function of t
AT_END = {1: Word("kappa(1 - t)", r"\kappa(1-t)"), -1: Word("kappa(-1 + t)", r"\kappa(-1+t)")}

COLUMNS: dict[str, _Entry] = {
    "kernel": _Entry(("kernel",), _kernel),
    "at_1": _Entry((_single(AT_END[1]),), lambda s: _expansion(s.plus, s)),
    "at_-1": _Entry((_single(AT_END[-1]),), lambda s: _expansion(s.minus, s)),
    "nu": _Entry((_single(NU),), _nu),
    "c_1": _Entry((_single(_C1),), lambda s: _coefficient(s.plus, s)),
    "c_-1": _Entry((_single(_CM1),), lambda s: _coefficient(s.minus, s)),
    "even": _Entry((MU, ", even ", _K), lambda s: _rate(s.decay.even, s.d)),
    "odd": _Entry((MU, ", odd ", _K), lambda s: _rate(s.decay.odd, s.d)),
    "conditions": _Entry(("conditions",), _conditions),
    "constant_even": _Entry(("constant, even ", _K), lambda s: _constant(s.decay.even, s), needs_d=True),
    "constant_odd": _Entry(("constant, odd ", _K), lambda s: _constant(s.decay.odd, s), needs_d=True),
}


def deep_equals_shallow() -> list[Kernel]:
    """The kernels of "Deep Equals Shallow for ReLU Networks in Kernel Regimes", parameters symbolic.

    >>> len(deep_equals_shallow())
    12
    """
    return [
        *(named.random_features(depth) for depth in (2, 3, 5)),
        *(named.ntk(depth) for depth in (2, 3, 5)),
        *(named.step_features(depth) for depth in (2, 3)),
        named.step_features(3, relu_above=True),
        named.laplace("c"),
        named.gamma_exponential("gamma", "c"),
        named.gaussian("c"),
    ]
