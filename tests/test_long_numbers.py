"""Expressions that SymPy, left alone, would work on for ages."""

from __future__ import annotations

import mpmath as mp
import pytest
from sympy import Expr, Integer, Rational, S, cos, log, sin

from asymptok import Kernel, check, dag, u
from asymptok.constants.relations import by_half_angle


@pytest.mark.parametrize("multiple", [Rational(23, 4), Rational(10, 21), Integer(24)])
@pytest.mark.parametrize("f", [sin, cos])
def test_multiples_of_an_angle_are_rational_in_a_tangent(f: type[Expr], multiple: Rational) -> None:
    """By the binomial coefficients: products that are not multiplied out grow to 2^48 terms."""
    form = by_half_angle(f(multiple * log(3)))
    assert form is not None
    (tangent,) = form.free_symbols
    with mp.workdps(30):
        half = mp.log(3) / (2 * int(multiple.q))
        assert mp.almosteq(form.subs(tangent, mp.tan(half)), f(multiple * log(3)).evalf(30), 1e-25)


@pytest.mark.parametrize(
    "text",
    [
        "(2 + sin(exp(1/(u - 1 + 1/2**30)**2)))*exp(-1/(u - 1 + 1/2**30)**2)",
        "931*log((exp(u/2) + 4)*exp(180/931*(3/4 + 5/(18 - 6*u))*(4*u/15 - 1/6"
        " + log(1 - 16*u/27 + 8*cos(u)/27)/(8*cos(u)/27 - 16*u/27))))/180",
    ],
)
def test_long_numbers_do_not_hold_up_a_judgement(text: str) -> None:
    """SymPy would evaluate sin(exp(2^60)) to put terms in order, and look for roots of degree 10^16."""
    assert {condition.name for condition in check(text)} >= {"smooth inside", "expansion at +1"}


def test_roots_of_a_number_with_a_long_exponent_are_not_looked_for() -> None:
    """SymPy factors r in r^(9/18000052) for ever; the kernel is judged without its exact values."""
    power = "((u-1/3)**2 + 1/1000000)**(9/18000052)"
    assert check(f"exp({power}*u) + sqrt(1-u)")["smooth inside"].status == "proved"
    assert dag.value_at(Kernel(power).expr, u, S.Zero) is None


def test_a_number_that_sympy_fails_to_factor_is_no_foreign_error() -> None:
    """The square roots of u^2/4 - 10^-12 are asked for at numbers of thirty digits; kappa is complex around 0."""
    x = "(2*u**2/9 + 5*u/18)"
    text = f"sqrt(1 - {x}**2)*sqrt(u**2/4 - 1/10**12)/(sqrt(1 - {x})*sqrt(1 + {x}))"
    assert check(text)["smooth inside"].status != "proved"
