"""The law of a parity as an order of magnitude in one dimension: what the reproducing space sees of it."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, ceiling

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants import decide
from asymptok.constants.exponents import Ranges, exponent_from_expr
from asymptok.errors import AsymptokError, Impossible, Undecided
from asymptok.kernels.kernel import Kernel
from asymptok.laws.exact_terms import leading_constant
from asymptok.laws.results import ParityDecay
from asymptok.laws.terms import vanishes
from asymptok.truth import Sign, Truth

__all__ = ["Order", "order_of", "slower_first"]

#: a symbolic nu is placed between two whole numbers up to this one
_LARGEST_NU = 64


@dataclass(frozen=True, slots=True)
class Order:
    """mu_k of the order k^(-2nu-d+1) (log k)^log_power for one parity; `constant` where mu_k is asymptotic to it."""

    parity: str
    nu: Expr
    log_power: int
    constant: Expr | None


def order_of(law: ParityDecay, kernel: Kernel, d: Expr) -> Order | None:
    """The power law of a parity in dimension d, None where mu_k beats all powers; negative eigenvalues are refused."""
    here = law.at(d)
    if here.kind == "algebraic" and here.lead is not None:
        if _sign(here, kernel).negative:
            raise Impossible(
                f"the eigenvalues of {kernel} are negative for all large {law.parity} k: it is not positive definite "
                "and has no RKHS"
            )
        return Order(law.parity, here.lead.nu, here.log_power, here.constant(d))
    if here.kind != "oscillatory":
        return None
    where = ", ".join(p.place for p in law.interior)
    found = here.extremes(d)
    if found is not None and d.is_number:
        if here.lead is None or (found.exact and _number_sign(found.lower).negative):
            raise Impossible(
                f"{kernel} is singular inside (-1, 1), at {where}: its eigenvalues take both signs, so it is not "
                "positive definite"
            )
        if _number_sign(found.lower).positive:
            # between two multiples of one power of k
            return Order(law.parity, (1 - d - here.exponent(d)) / 2, here.log_power, None)
    elif here.lead is None:
        raise Impossible(
            f"{kernel} is singular inside (-1, 1), at {where}: its eigenvalues take both signs, so it is not positive "
            "definite"
        )
    raise AsymptokError(
        f"{kernel} is singular inside (-1, 1), at {where}: its eigenvalues follow no single power of k"
        + ("" if d.is_number else "; give d")
    )


def _number_sign(value: Expr) -> Sign:
    if value.free_symbols:
        return Sign.UNKNOWN
    enclosed = ball(value, prec=192)
    return Sign.shown(enclosed > 0, enclosed < 0)


def _sign(law: ParityDecay, kernel: Kernel) -> Sign:
    """The sign of the constant, the same wherever there are eigenvalues; UNKNOWN if a parameter leaves it open."""
    assert law.lead is not None
    law_constant = leading_constant(_some_dimension(law.lead.nu), law.lead.nu, law.lead.log_power)
    coefficient = law.lead.coefficient
    if not (coefficient.free_symbols or law_constant.free_symbols):
        return _number_sign(coefficient * law_constant)
    sign = decide.sign(coefficient, kernel.parameters)
    outer = _constant_sign(law.lead.nu, law.lead.log_power, kernel)
    return sign * outer


def _some_dimension(nu: Expr) -> int:
    """A dimension in which t^nu is integrable: Gamma(nu + (d-1)/2) changes its sign below it."""
    return 3 + 2 * int(ceiling(-nu)) if nu.is_number and nu.is_negative else 3


def _constant_sign(nu: Expr, log_power: int, kernel: Kernel) -> Sign:
    """C(d, nu) has the sign of 1/Gamma(-nu), which is (-1)^(floor(nu)+1) for nu > 0."""
    if nu.is_Rational:
        return (
            Sign.POSITIVE
            if ball(leading_constant(_some_dimension(nu), nu, log_power), prec=64) > 0
            else Sign.NEGATIVE
        )
    ranges = Ranges(kernel.parameters)
    form, rest = exponent_from_expr(nu)
    for whole in range(_LARGEST_NU):
        if ranges.sign(form, rest - whole).positive and ranges.sign(form, rest - whole - 1).negative:
            return Sign.NEGATIVE if (whole + 1 + log_power) % 2 else Sign.POSITIVE
    return Sign.UNKNOWN


def slower_first(orders: list[Order], kernel: Kernel) -> tuple[Order, Order]:
    """The parity that decays more slowly, and the other."""
    if len(orders) == 1:
        return orders[0], orders[0]
    first, second = orders
    difference = second.nu - first.nu
    if vanishes(difference, kernel) is Truth.TRUE:
        return (first, second) if first.log_power >= second.log_power else (second, first)
    if difference.is_positive:
        return first, second
    if difference.is_negative:
        return second, first
    raise Undecided(
        f"cannot tell which parity decays more slowly: the sign of {dag.brief(difference)} is open",
        difference,
    )
