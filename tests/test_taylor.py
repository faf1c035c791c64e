"""Taylor coefficients at 0 and their laws, against mpmath's differentiation and against the coefficients themselves."""

from __future__ import annotations

import mpmath
import pytest
from sympy import Rational, Symbol, exp, gamma, oo, pi, sqrt, symbols

from asymptok import ExpansionError, Kernel, Undecided, kernels

U = Symbol("u", real=True)


@pytest.mark.parametrize(
    "text",
    [
        "kappa1(u)",
        "ntk(3)",
        "exp(-sqrt(1-u))",
        "(1-u)**(3/2)*log(2-u)",
        "asin(2*u/3)",
        "matern(3/2)",
        "u**5 - u/3",
    ],
)
def test_coefficients_are_those_of_mpmath(text: str) -> None:
    kernel = Kernel(text)
    with mpmath.workdps(40):
        numbers = mpmath.taylor(lambda x: kernel.evaluate(x, mpmath.mp.dps + 5), 0, 6)
        for mine, number in zip(kernel.taylor(7), numbers, strict=True):
            assert abs(mpmath.mpf(mine.evalf(40)) - number) < mpmath.mpf(10) ** -18


def test_a_parameter_stays_in_the_coefficients() -> None:
    c = symbols("c", positive=True)
    assert kernels.gaussian(c).taylor(3) == (exp(-c), c * exp(-c), c**2 * exp(-c) / 2)


LAWS = [
    "kappa1(u)",
    "kappa0(u)",
    "kappa(3, u)",
    "ntk(2)",
    pytest.param("random_features(3)", marks=pytest.mark.slow),
    "exp(-sqrt(1-u))",
    "(1-u)**(3/2) + (1+u)**(3/2)/3",
]


@pytest.mark.parametrize("text", LAWS)
def test_the_law_is_that_of_the_coefficients(text: str) -> None:
    kernel = Kernel(text)
    law, b = kernel.taylor_law(), kernel.taylor(32)
    for side, n in ((law.even, 30), (law.odd, 31)):
        if side.kind == "zero":
            assert b[n] == 0
            assert n >= side.zero_from
        else:
            power = gamma(n + 1 + side.exponent) / gamma(n + 1)
            assert abs(b[n].evalf(20) / (side.constant * power).evalf(20) - 1) < 0.1


def test_logarithms() -> None:
    """(1-u)^m log(1-u) has b_n = (-1)^(m+1) m! (n-m-1)!/n! for n > m."""
    for m in (1, 2):
        kernel = Kernel(f"(1-u)**{m}*log((1-u)/2)")
        side, b = kernel.taylor_law().even, kernel.taylor(64)
        assert side.exponent == -m - 1
        assert abs(b[62] / (side.constant * 62**side.exponent) - 1) < 0.12
    half = Kernel("sqrt(1-u)*log(1-u)").taylor_law().even
    assert (half.exponent, half.log_power) == (Rational(-3, 2), 1)
    assert half.constant == 1 / (2 * sqrt(pi))
    # d/dnu of Gamma(n-nu)/(Gamma(-nu) n!) at 1/2, for n = 10^6
    n = mpmath.mpf(10) ** 6
    exact = mpmath.diff(
        lambda x: mpmath.exp(mpmath.loggamma(n - x) - mpmath.loggamma(n + 1)) / mpmath.gamma(-x), 0.5
    )
    assert abs(exact / (n ** mpmath.mpf("-1.5") * mpmath.log(n) / (2 * mpmath.sqrt(mpmath.pi))) - 1) < 0.2


def test_symbols_and_what_falls_faster() -> None:
    g = symbols("g", positive=True)
    law = kernels.gamma_exponential(g).taylor_law()
    assert law.even.exponent == -g / 2 - 1
    assert law.even.constant == -1 / gamma(-g / 2)
    assert kernels.gaussian().taylor_law().even.kind == "geometric"
    assert kernels.gaussian().taylor_law().even.exponent == -oo


def test_no_law_where_the_disc_is_not_free() -> None:
    with pytest.raises(ExpansionError, match="no power"):
        Kernel("1/(u**2 + 1/4)").taylor_law()
    with pytest.raises(Undecided):
        Kernel("abs(u) + sqrt(1-u)").taylor_law()
