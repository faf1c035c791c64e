"""Signs of sums of exponentials, reflection of Gamma, and constants with positive arguments of Gamma."""

from __future__ import annotations

import mpmath
import pytest
from sympy import Expr, Rational, S, cos, cosh, exp, gamma, oo, pi, sin, sinh, sqrt, symbols

from asymptok import Kernel, decay
from asymptok.constants import decide
from asymptok.truth import Sign, Truth

b, s = symbols("b s", positive=True)
HALF_LINE = (S.Zero, oo)

SIGNS = [
    (exp(-3 * b) * exp(b / pi) - 6, Sign.NEGATIVE),
    (exp(sqrt(2) * b - b) - 1, Sign.POSITIVE),
    (Rational(3, 2) ** b - 1, Sign.POSITIVE),
    (exp(-3 * b) * exp(b / pi) - exp(-b), Sign.NEGATIVE),
    (exp(-b) * cosh(b) - 1, Sign.NEGATIVE),
    (cosh(b) - sinh(b), Sign.POSITIVE),
    (2 * exp(2 * b) - exp(b) - exp(-b), Sign.POSITIVE),
    (exp(b) * exp(-b / pi) - 2, Sign.UNKNOWN),
    (exp(b - b**2) - 1, Sign.UNKNOWN),
]


@pytest.mark.parametrize(("value", "sign"), SIGNS, ids=str)
def test_sums_of_exponentials(value: Expr, sign: Sign) -> None:
    assert decide.sign(value, {b: HALF_LINE}) is sign
    if sign.known:
        for x in ("0.01", "0.3", "1", "7", "40"):
            with mpmath.workdps(60):
                assert (value.subs(b, Rational(x)).evalf(40) > 0) == sign.positive


def test_reflection_of_gamma() -> None:
    for x in (Rational(1, 2), Rational(3, 2), 0, 2):
        value = gamma(x - s) * gamma(1 - x + s) - pi / sin(pi * (x - s))
        assert decide.is_zero(value, {s: (0, S.Half)}) is Truth.TRUE
    value = gamma(S.Half - s) * gamma(s + S.Half) + pi - pi * (1 + 1 / cos(pi * s))
    assert decide.is_zero(value, {s: (0, S.Half)}) is Truth.TRUE
    assert decide.is_zero(gamma(S.Half - s) * gamma(s + S.Half) - pi, {s: (0, S.Half)}) is not Truth.TRUE


@pytest.mark.parametrize("nu", [Rational(1, 4), Rational(4, 3), Rational(11, 5)])
def test_constants_have_positive_arguments_of_gamma(nu: Rational) -> None:
    u = Kernel("u").expr
    kernel = Kernel((1 - u) ** nu)
    for value in (
        decay(kernel).even.constant(),
        decay(kernel).even.constant(3),
        kernel.taylor_law().even.constant,
    ):
        assert all(node.args[0].is_positive for node in value.atoms(gamma) if node.args[0].is_number)
    exact = 2 ** (nu + 1) * gamma(S(3) / 2) * gamma(nu + 1) / (sqrt(pi) * gamma(-nu))
    assert abs((decay(kernel).even.constant(3) / exact).evalf(30) - 1) < 1e-28
