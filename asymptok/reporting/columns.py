"""The columns of a table of kernels: what each asks of a kernel, and the notes that define what the cells name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import mpmath
from sympy import Expr, Symbol, oo

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError, PrecisionError, Undecided
from asymptok.expansion import Expansion, expand
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.depth import DeepReLU, SlopeProduct
from asymptok.kernels.kernel import Kernel
from asymptok.laws import Decay, ParityDecay
from asymptok.laws.derive import decay
from asymptok.precision import digits_to_bits, flint_precision
from asymptok.reporting.expansions import coefficient_of, expansion_formula
from asymptok.reporting.model import Cell, Line, cell, plain_text
from asymptok.reporting.verdicts import verdict_lines
from asymptok.show.coefficients import Names, constant, exact_text, inline
from asymptok.show.decimals import MU, decimal
from asymptok.show.expansion import leading_terms
from asymptok.show.formula import Formula, Piece, Word, expression
from asymptok.show.law import constant_line, rate_line
from asymptok.theorems import ConditionReport, check

__all__ = [
    "AT_END",
    "COLUMNS",
    "KAPPA",
    "NU",
    "Entry",
    "Subject",
    "dimension",
    "full",
    "notes_on",
    "settled",
]

_NONE = "\u2014"
#: nodes of a formula that is shown below the name of its kernel
_SHORT = 16
_LONG_NAME = 35
#: of constants as numbers
_DIGITS = 4
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
    #: of constants, None for exact ones
    digits: int | None = None
    #: whether a name stands without the formula
    compact: bool = False

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


def settled(value: Callable[[Subject], Cell], subject: Subject) -> Cell:
    """The cell, or a word for what is not known or does not exist: one kernel does not spoil the table."""
    try:
        return value(subject)
    except (Undecided, PrecisionError) as error:
        return Cell((("undecided",),), plain=f"undecided: {error}")
    except AsymptokError as error:
        return Cell((("none",),), plain=f"none: {error}")


def full(key: str) -> Callable[[Subject], Cell]:
    if key not in ("at_1", "at_-1"):
        return COLUMNS[key].value

    def whole(subject: Subject) -> Cell:
        expansion = subject.plus if key == "at_1" else subject.minus
        exact = expansion_formula(expansion, exact=True).text()
        shown = expansion_formula(expansion, names=subject.names, label=subject.label)
        return Cell(((shown,),), plain=exact)

    return whole


@dataclass(frozen=True, slots=True)
class Entry:
    heading: Line
    value: Callable[[Subject], Cell]
    needs_d: bool = False
    #: whether it depends on the dimension
    by_d: bool = False
    #: whether it is there unless columns are named
    usual: bool = True


def _kernel(subject: Subject) -> Cell:
    """The name, and the formula where it is short enough to stand below it."""
    kernel = subject.kernel
    if kernel.name is not None and subject.compact:
        return Cell(_name(kernel.name), plain=kernel.name)
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
    """A name, with formulas between dollar signs; a long one on two lines, broken after a comma."""
    if name.count("$") % 2 == 0 and "$" in name:
        parts = name.split("$")
        return (tuple(_single(Word(x, x)) if i % 2 else x for i, x in enumerate(parts) if x),)
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
    return Cell((rate_line(law, d),))


def _conditions(subject: Subject) -> Cell:
    lines = verdict_lines(subject.verdict)
    if subject.verdict.by_clause and check(subject.kernel, theorem="analytic").holds:
        lines = (("analytic: proved",),)
    return Cell(lines, plain="; ".join(f"{c.name}: {c.status}" for c in subject.verdict))


def _constant(law: ParityDecay, subject: Subject) -> Cell:
    assert subject.d is not None
    shown, value = constant_line(law, subject.d, subject.names, subject.label), law.constant(subject.d)
    if shown is None or value is None:
        return Cell(((_NONE,),), plain="")
    if subject.digits is not None and not value.free_symbols:
        shown = (_rounded(value, subject.digits), *shown[1:])
    return Cell((shown,), plain=exact_text(value))


def _law(law: ParityDecay, subject: Subject) -> Cell:
    """The leading term with its constant as a number; in a word or two what else is known, `law_notes` says how."""
    assert subject.d is not None
    digits, own = subject.digits or _DIGITS, law.at(subject.d)
    rate = _rate(law, subject.d)
    if own.kind == "geometric" and own.rho is not None:
        return cell(
            Formula((Piece("", (_RHO,)), Piece("=", _rounded(own.rho, digits).pieces[0].factors))),
            plain=plain_text(rate),
        )
    if own.kind == "superpolynomial" and own.rho is oo:
        return cell(Formula((Piece("", (_RHO,)), Piece("=", (oo,)))), plain=plain_text(rate))
    power = rate.lines[0][0]
    assert isinstance(power, Formula) or own.kind == "zero"
    if own.kind == "oscillatory" and isinstance(power, Formula):
        return Cell(((power,),), plain=plain_text(rate)) if not own.log_power else rate
    value = own.constant(subject.d) if own.kind == "algebraic" else None
    if value is None or value.free_symbols or not isinstance(power, Formula):
        return rate
    number = _rounded(value, digits).pieces[0].factors
    term = Formula((Piece("", (*number, *power.pieces[0].factors)),))
    return cell(term, plain=f"{exact_text(value)}*{plain_text(rate)}")


def law_notes(laws: Sequence[ParityDecay]) -> tuple[Line, ...]:
    """What rho and O stand for in the cells of `_law`."""
    notes: list[Line] = []
    if any(law.kind == "geometric" or law.rho is oo for law in laws):
        notes.append(
            (_single(_RHO), ": ", _single(_GEOMETRIC), " for every ", _single(Word("r < rho", r"r < \rho")))
        )
    if any(law.kind == "oscillatory" for law in laws):
        notes.append((_single(Word("O(k^p)", "O(k^p)")), ": of this size, with signs that oscillate"))
    return tuple(notes)


def _rounded(value: Expr, digits: int) -> Formula:
    """A constant rounded to so many digits."""
    with flint_precision(4 * digits_to_bits(digits) + 64):
        middle = mpmath.mpf(ball(value).str(digits + 20, radius=False))
    return decimal(
        str(mpmath.nstr(middle, digits, strip_zeros=False, min_fixed=-4, max_fixed=digits)).rstrip(".")
    )


def _coefficient(expansion: Expansion, subject: Subject) -> Cell:
    value = expansion.coefficient
    if value is None:
        return Cell(((_NONE,),), plain="")
    if subject.digits is not None and not value.free_symbols:
        return cell(_rounded(value, subject.digits), plain=exact_text(value))
    what = coefficient_of(expansion, leading_terms(expansion) - 1, subject.label)
    shown = constant(value, subject.names, what)
    formula = Formula((Piece("", (shown,)),)) if isinstance(shown, Word) else expression(shown)
    return Cell(((formula,),), plain=exact_text(value))


def notes_on(rows: Sequence[Sequence[Cell]], names: Names) -> tuple[Line, ...]:
    """What kappa_n is, where a formula of the table mentions it."""
    formulas = [
        part for row in rows for c in row for line in c.lines for part in line if isinstance(part, Formula)
    ]
    factors = [factor for formula in formulas for piece in formula.pieces for factor in piece.factors]
    shown = [factor for factor in factors if isinstance(factor, Expr)]
    products = sorted({p for factor in shown for p in factor.atoms(SlopeProduct)}, key=str)
    orders = {arc.args[0] for factor in shown for arc in factor.atoms(ArcCosine)}
    notes: list[Line] = []
    if names.used or products or orders & {0, 1}:
        notes.append((_single(_KAPPA_0), ", ", _single(_KAPPA_1), *_about_iterates(names)))
    if orders - {0, 1}:
        notes.append(
            (
                _single(Word("kappa_n", r"\kappa_n")),
                " is the arc-cosine kernel of order n, ",
                _single(_AT_ONE),
            )
        )
    return (*notes, *map(_about_slopes, products))


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


def _single(word: Word) -> Formula:
    return Formula((Piece("", (word,)),))


def dimension(d: int | None) -> Formula:
    """d = 3."""
    return _single(Word(f"d = {d}", f"d = {d}"))


_RHO = Word("rho", r"\rho")
_GEOMETRIC = Word("mu_k = O(r^(-k))", r"\mu_k = O(r^{-k})")
_AT_ONE = Word("kappa_n(1) = 1", r"\kappa_n(1) = 1")
_KAPPA_0 = Word("kappa_0(u) = 1 - acos(u)/pi", r"\kappa_0(u) = 1 - \arccos(u)/\pi")
_KAPPA_1 = Word(
    "kappa_1(u) = u*kappa_0(u) + sqrt(1 - u**2)/pi", r"\kappa_1(u) = u \kappa_0(u) + \sqrt{1-u^2}/\pi"
)
_C1, _CM1 = Word("c_1", "c_1"), Word("c_-1", "c_{-1}")
_K = _single(Word("k", "k"))
NU = Word("nu", r"\nu")
KAPPA = Word("kappa(u)", r"\kappa(u)")
#: the kernel near the ends, as a function of t
AT_END = {1: Word("kappa(1 - t)", r"\kappa(1-t)"), -1: Word("kappa(-1 + t)", r"\kappa(-1+t)")}

COLUMNS: dict[str, Entry] = {
    "kernel": Entry(("kernel",), _kernel),
    "at_1": Entry((_single(AT_END[1]),), lambda s: _expansion(s.plus, s)),
    "at_-1": Entry((_single(AT_END[-1]),), lambda s: _expansion(s.minus, s)),
    "nu": Entry((_single(NU),), _nu),
    "c_1": Entry((_single(_C1),), lambda s: _coefficient(s.plus, s)),
    "c_-1": Entry((_single(_CM1),), lambda s: _coefficient(s.minus, s)),
    "even": Entry((MU, ", even ", _K), lambda s: _rate(s.decay.even, s.d), by_d=True),
    "odd": Entry((MU, ", odd ", _K), lambda s: _rate(s.decay.odd, s.d), by_d=True),
    "conditions": Entry(("conditions",), _conditions),
    "constant_even": Entry(("constant, even ", _K), lambda s: _constant(s.decay.even, s), True, True),
    "constant_odd": Entry(("constant, odd ", _K), lambda s: _constant(s.decay.odd, s), True, True),
    "law_even": Entry(("even ", _K), lambda s: _law(s.decay.even, s), True, True, usual=False),
    "law_odd": Entry(("odd ", _K), lambda s: _law(s.decay.odd, s), True, True, usual=False),
}
