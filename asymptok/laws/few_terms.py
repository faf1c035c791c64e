"""The first terms of mu_k as one expression in k and d: gamma ratios of the ends, and the waves of points inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Add, Expr, S, gamma, log

from asymptok.constants.exponents import Ranges, exponent_from_expr
from asymptok.errors import Undecided
from asymptok.kernels.kernel import Kernel
from asymptok.laws.exact_terms import decay_exponent, term_law
from asymptok.laws.terms import Group, groups
from asymptok.truth import Sign, Truth

if TYPE_CHECKING:
    from asymptok.laws.results import ParityDecay

__all__ = ["first_terms", "terms_of_parity"]

#: orders of the expansions that are tried until there are as many terms as asked for
_ORDERS = (4, 8, 16, 32, 64)


def first_terms(kernel: Kernel, laws: tuple[ParityDecay, ParityDecay], k: Expr, d: Expr, terms: int) -> Expr:
    """The first terms, eq. (5); for a symbol k that may be even or odd with a factor (-1)^k.

    Beside points inside the terms of the ends are those above the leading wave, which is the last term.
    """
    signs = S.NegativeOne**k
    mine = laws if k.is_even is None and k.is_odd is None else (laws[0 if k.is_even else 1],)
    if not any(law.kind == "oscillatory" for law in mine):
        return S.Zero if [law.kind for law in mine] == ["zero"] else _of_ends(kernel, k, d, terms, signs)
    found = [terms_of_parity(kernel, law, k, d, terms) for law in mine]
    if all(value == found[0] for value in found):
        return found[0]
    return (1 + signs) / 2 * found[0] + (1 - signs) / 2 * found[1]


def _of_ends(kernel: Kernel, k: Expr, d: Expr, terms: int, signs: Expr) -> Expr:
    total: list[Expr] = []
    for order in _ORDERS:
        total = [value for group in groups(kernel, order) if (value := _value(group, k, d, signs)) != 0]
        if len(total) >= terms:
            break
    return Add(*total[:terms])


def _value(group: Group, k: Expr, d: Expr, signs: Expr) -> Expr:
    """All that stands at one exponent of t."""
    parts = [
        (group.plus.get(j, S.Zero) + signs * group.minus.get(j, S.Zero)) * term_law(k, d, group.exponent, j)
        for j in group.log_powers
        if j or group.whole is not Truth.TRUE
    ]
    return Add(*parts)


def terms_of_parity(kernel: Kernel, law: ParityDecay, k: Expr, d: Expr, terms: int) -> Expr:
    """The first terms for the k of one parity."""
    if law.kind == "zero":
        return S.Zero
    signs = S(law.sign)
    if law.kind != "oscillatory":
        return _of_ends(kernel, k, d, terms, signs)
    assert law.nu is not None
    total, level, complete = (
        _above(kernel, law.nu, k, d, terms, signs) if law.lead is not None else ([], S.Zero, True)
    )
    if len(total) >= terms or not complete:
        return Add(*total[:terms])
    if not law.waves:
        raise Undecided(
            f"the amplitude of the waves of {kernel} for {law.parity} k is not known: ask for fewer terms than "
            f"{len(total) + 1}"
        )
    sizes = [gamma(k - w.nu) / gamma(k + d / 2) * log(k) ** w.log_power for w in law.waves]
    return Add(*total, level, *[w.value(k, d) * size for w, size in zip(law.waves, sizes, strict=True)])


def _above(
    kernel: Kernel, nu: Expr, k: Expr, d: Expr, terms: int, signs: Expr
) -> tuple[list[Expr], Expr, bool]:
    """The terms of the ends above k^(-d/2-nu), those of that order, and whether these are all."""
    ranges = Ranges(kernel.parameters)

    def gap(exponent: Expr) -> Sign:
        found = ranges.sign(*exponent_from_expr(decay_exponent(d, exponent) + d / 2 + nu))
        if not found.known:
            raise Undecided(
                "whether terms at the ends or the points inside come first depends on d and the parameters: give their "
                "values"
            )
        return found

    above: list[Expr] = []
    level: Expr = S.Zero
    complete = False
    for order in _ORDERS:
        above, level = [], S.Zero
        for group in groups(kernel, order):
            sign, value = gap(group.exponent), _value(group, k, d, signs)
            if sign.negative:
                break
            if sign.zero:
                level += value
            elif value != 0:
                above.append(value)
        complete = not gap(S(order)).positive
        if complete or len(above) >= terms:
            break
    return above, level, complete
