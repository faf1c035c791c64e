"""Laws by cases as text, LaTeX and HTML: a condition, and the law under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import indent
from typing import Protocol

from sympy import And, Eq, Expr, Ne, sstr
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from asymptok.parameters import conditions
from asymptok.show.blocks import Facts, Line
from asymptok.show.formats.text import block_text, readable
from asymptok.show.formula import to_latex
from asymptok.show.law import decay_html, decay_latex, law_facts, parity_latex
from asymptok.show.ranges import parameter_ranges
from asymptok.show.subjects import Decay, Kernel

__all__ = ["cases_html", "cases_latex", "cases_text", "condition_text"]


class DecayByCases(Protocol):
    """Laws with the conditions under which they hold."""

    @property
    def kernel(self) -> Kernel: ...
    @property
    def cases(self) -> Sequence[tuple[Boolean, Decay]]: ...


def condition_text(condition: Boolean) -> str:
    """A condition as people write it.

    >>> from sympy import Symbol
    >>> g = Symbol("g")
    >>> condition_text(And(g > 1, g < 2)), condition_text(Ne(g, 1))
    ('1 < g < 2', 'g != 1')
    """
    return _condition(condition, sstr, " != ", " = ", " and ")


def _condition(condition: Boolean, write: Callable[[Expr], str], unequal: str, equal: str, join: str) -> str:
    if isinstance(condition, And):
        low = [r for r in condition.args if isinstance(r, Relational) and r.rel_op == ">"]
        high = [r for r in condition.args if isinstance(r, Relational) and r.rel_op == "<"]
        if len(condition.args) == 2 and len(low) == len(high) == 1 and low[0].lhs == high[0].lhs:
            return f"{write(low[0].rhs)} < {write(low[0].lhs)} < {write(high[0].rhs)}"
        parts = sorted(condition.args, key=str)
        return join.join(_condition(part, write, unequal, equal, join) for part in parts)
    if isinstance(condition, Eq | Ne):
        return (
            f"{write(condition.lhs)}{equal if isinstance(condition, Eq) else unequal}{write(condition.rhs)}"
        )
    if isinstance(condition, Relational):
        return f"{write(condition.lhs)} {condition.rel_op} {write(condition.rhs)}"
    return str(condition)


def _condition_latex(condition: Boolean) -> str:
    return _condition(condition, to_latex, r" \ne ", " = ", r",\ ")


def cases_text(law: DecayByCases) -> str:
    """The laws one below the other, each under its condition.

    >>> from asymptok import decay, Kernel
    >>> print(decay(Kernel("(1-u)**(3/2) + (1-u)**g", parameters={"g": (1, 2)})))
    decay of (1 - u)^(3/2) + (1 - u)^g
    g < 3/2
      all k  mu_k ~ C(d, g) k^(-d - 2 g + 1)
      nu     g
    g = 3/2
      all k  mu_k ~ 2 C(d, 3/2) k^(-d - 2)
      d = 3  mu_k ~ 9 sqrt(2)/4 k^(-5) (all k)
      nu     3/2
    g > 3/2
      all k  mu_k ~ C(d, 3/2) k^(-d - 2)
      d = 3  mu_k ~ 9 sqrt(2)/8 k^(-5) (all k)
      nu     3/2
    for   1 < g < 2
    with  C(d, nu) = 2^(nu + d - 2) Gamma(d/2) Gamma(nu + (d - 1)/2)/(sqrt(pi) Gamma(-nu))
    """
    lines = [readable(f"decay of {law.kernel.name or law.kernel}")]
    shared: dict[Line, Line] = dict(zip([("for",)], parameter_ranges([law.kernel]), strict=False))
    for condition, one in law.cases:
        rows = law_facts(one).rows
        # what a letter means is said once
        shared |= {head: body[:1] for head, body in rows if head == ("with",)}
        own = Facts(tuple((head, body) for head, body in rows if head not in shared))
        lines += [condition_text(condition), indent(block_text(own), "  ")]
    return "\n".join([*lines, block_text(Facts(tuple(shared.items())))])


def cases_latex(law: DecayByCases) -> str:
    """A brace over the cases."""
    rows = (rf"{_both(one)} & {_condition_latex(condition)}" for condition, one in law.cases)
    ranges = conditions(law.kernel.parameters, to_latex, r"\le", r"\ge")
    body = r"\begin{cases}" + r" \\ ".join(rows) + r"\end{cases}"
    return rf"{body}\quad {ranges}" if ranges else body


def _both(law: Decay) -> str:
    """One formula where both parities have the same law."""
    even, odd = parity_latex(law.even), parity_latex(law.odd)
    return even if even == odd else decay_latex(law).split(r"\end{cases}")[0] + r"\end{cases}"


def cases_html(law: DecayByCases) -> str:
    """The tables of the laws under their conditions."""
    parts = (rf"<p>$\displaystyle {_condition_latex(c)}$</p>{decay_html(one)}" for c, one in law.cases)
    return "".join(parts)
