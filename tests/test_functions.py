"""Every function of the expander at regular and at singular points, against mpmath."""

from __future__ import annotations

import pytest
from flint import arb, fmpq
from numerics import reference, residual_agrees
from sympy import (
    Expr,
    Heaviside,
    LambertW,
    Max,
    Min,
    Piecewise,
    Rational,
    Symbol,
    acosh,
    acot,
    acoth,
    acsc,
    asec,
    asin,
    asinh,
    atan,
    atanh,
    besseli,
    besselj,
    besselk,
    bessely,
    cos,
    cosh,
    coth,
    csch,
    elliptic_e,
    elliptic_k,
    erf,
    erfc,
    erfi,
    exp,
    gamma,
    hyper,
    log,
    loggamma,
    pi,
    polygamma,
    polylog,
    sech,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)

from asymptok import ExpansionError, Undecided, puiseux
from asymptok.functions.dawson import Dawson
from asymptok.functions.expanding import known_functions
from asymptok.functions.polylog import polylog_on_interval
from asymptok.functions.struve import StruveH, StruveL
from asymptok.precision import flint_precision

x = Symbol("x", real=True)
HALF, THIRD = Rational(1, 2), Rational(1, 3)

#: (expression, point); expanded from the right
CASES: list[tuple[Expr, Expr]] = [
    # Bessel: logarithms at zero for integer order, fractional orders, regular points
    *[(besselk(n, x), 0) for n in range(4)],
    *[(bessely(n, x), 0) for n in range(3)],
    (besselk(2, sqrt(x)), 0),
    (besselk(THIRD, x), 0),
    (bessely(THIRD, x), 0),
    (besselj(2, x), 0),
    (besselj(-3, x), 0),
    (besseli(THIRD, x), 0),
    (besselk(1, x), 2),
    (bessely(2, x), 1),
    (besselj(THIRD, x), 2),
    (besseli(1, x), HALF),
    (besselk(1, 1 / x) + x, 0),
    # polylogarithms
    (polylog(2, 1 - x), 0),
    (polylog(3, 1 - x), 0),
    (polylog(2, x), HALF),
    (polylog(2, x), -1),
    (polylog(2, x), 0),
    (polylog(-2, x), HALF),
    (polylog(Rational(3, 2), 1 - x), 0),
    (polylog(Rational(3, 2), x), HALF),
    (polylog(HALF, x), 0),
    # hypergeometric and elliptic: c-a-b an integer of either sign, or not
    (hyper([THIRD, HALF], [2], 1 - x), 0),
    (hyper([1, 2], [Rational(7, 2)], 1 - x), 0),
    *[(hyper([1, 2], [n], 1 - x), 0) for n in (3, 4, 5)],
    (hyper([2, 3], [4], 1 - x), 0),
    (hyper([HALF, HALF], [3], 1 - x), 0),
    (hyper([2, 3], [Rational(4, 3)], 1 - x), 0),
    (hyper([-3, HALF], [THIRD], 1 + x), 0),
    (hyper([1, HALF], [3, Rational(1, 4)], x), 1),
    (elliptic_k(1 - x), 0),
    (elliptic_e(1 - x), 0),
    (elliptic_k(x), 0),
    (elliptic_e(x), HALF),
    (elliptic_k(x), -HALF),
    # Lambert's W: regular, zero, the branch point from both branches
    (LambertW(x), 1),
    (LambertW(x), 0),
    (LambertW(x - exp(-1)), 0),
    (LambertW(x - exp(-1), -1), 0),
    # gamma
    (gamma(x), 1),
    (gamma(x), HALF),
    (gamma(x), 0),
    (gamma(x), -2),
    (loggamma(x), 1),
    (loggamma(x), 0),
    (polygamma(0, x), 2),
    (polygamma(2, x), 1),
    (StruveH(0, x), 2),
    (StruveH(1, sqrt(x)), 0),
    (StruveL(2, x), 1),
    (Dawson(x), 1),
    (Dawson(sqrt(x)), 0),
    # elementary functions at their special points
    (erf(sqrt(x)), 0),
    (erf(1 / x), 0),
    (erf(log(x)), 0),
    (tanh(log(x)), 0),
    (besselk(0, log(x) ** 2), 0),
    (erfc(x), 1),
    (erfc(-1 / x), 0),
    (erfi(x), 1),
    (tanh(x), 1),
    (tanh(1 / x), 0),
    (tan(x), 1),
    (tan(x), pi / 2),
    (acosh(1 + x), 0),
    (acosh(1 / x), 0),
    (asinh(x), 2),
    (asinh(-1 / x), 0),
    (atanh(1 - x), 0),
    (atanh(x), HALF),
    (acoth(1 + x), 0),
    (atan(1 / x), 0),
    (atan(-1 / x), 0),
    (acot(x), 0),
    (asec(1 + x), 0),
    (acsc(1 + x), 0),
    (asin(1 - x), 0),
    (sech(x), 0),
    (sech(1 / x) + x, 0),
    (csch(x), 1),
    (coth(x), 0),
    (cosh(x), 1),
    (sinh(sqrt(x)), 0),
    (sin(x) / x, 0),
    # powers and logarithms
    (x**x, 0),
    ((1 + x) ** sqrt(2), 1),
    (x ** sqrt(2) * exp(-x), 0),
    (x**pi / (1 + x ** sqrt(2)), 0),
    (exp(-1 / x) + x, 0),
    (x * log(x) ** 2, 0),
    (sqrt(x * log(1 / x) + 1), 0),
    # a negative power of a series with logarithms: terms above the working order come back below it
    (1 / sqrt(x**2 + x**3 * log(x)), 0),
    (1 / (x**3 + x**4 * log(x)), 0),
    (1 / (1 + sqrt(x)), 0),
    (cos(sqrt(x)) ** THIRD, 0),
    (exp(x * log(x)) / x, 0),
    ((1 - cos(x)) / x**2, 0),
    (x ** Rational(3, 17) + x, 0),
    (Max(x, x**2), 0),
    (Min(x, x**2, 1 - x), 0),
]


@pytest.mark.parametrize(("expr", "point"), CASES, ids=str)
def test_against_mpmath(expr: Expr, point: Expr) -> None:
    # digits for an order of 6: some of these cancel, or have a pole, and lose three orders in the reference
    assert residual_agrees(puiseux(expr, x, point, "+", 3), reference(expr, x, point, 1), 6)


def test_branches() -> None:
    piecewise = Piecewise((x**2, x > 0), (1 / x, True))
    assert puiseux(piecewise, x).as_expr(x) == x**2
    assert puiseux(piecewise, x, 0, "-").terms[0].exponent == -1
    assert puiseux(abs(x) + Heaviside(x), x, 0, "-").as_expr(x) == x
    assert puiseux(abs(x) + Heaviside(x), x, 0, "+").as_expr(x) == 1 + x


REFUSED = [
    (sin(1 / x), "oscillates"),
    (besselj(0, 1 / x), "oscillates"),
    (exp(1 / x), "faster than every power"),
    (cosh(1 / x), "faster than every power"),
    (sqrt(-x), "complex"),
    (log(-x), "complex"),
    (asin(1 + x), "complex"),
    (log(log(1 / x)), "log"),
    (sqrt(log(1 / x)), "log"),
    (hyper([1, 1], [2], 2 + x), "complex"),
    (1 / (x - x**2 - x * (1 - x)), "zero"),
    (besselk(0, -log(x)), "logarithm"),  # sqrt(pi/(2 log(1/x))) x, not flat
]


@pytest.mark.parametrize(("expr", "reason"), REFUSED, ids=str)
def test_what_has_no_expansion_is_refused(expr: Expr, reason: str) -> None:
    with pytest.raises(ExpansionError, match=reason):
        puiseux(expr, x)


def test_cancellation_to_all_orders_is_undecided() -> None:
    """1/(1 - sin^2 - cos^2): the denominator is zero, but only to every order that was tried."""
    with pytest.raises((Undecided, ExpansionError)):
        puiseux(1 / (1 - sin(x) ** 2 - cos(x) ** 2), x)


def test_symbolic_order_of_a_bessel_function() -> None:
    nu = Symbol("nu", positive=True)
    with pytest.raises(Undecided, match="integer"):
        puiseux(besselk(nu, x), x)
    expansion = puiseux(x**nu * besselk(nu, x), x, order=1, parameters={nu: (0, 1)})
    assert [term.exponent for term in expansion.terms][:2] == [0, 2 * nu]


def test_the_table_of_functions_is_public() -> None:
    assert {"besselk", "ArcCosine", "elliptic_k", "LambertW", "polylog"} <= set(known_functions())


@pytest.mark.parametrize(
    "order", [fmpq(1, 2), fmpq(1), fmpq(2), fmpq(7, 3), fmpq(5, 2), fmpq(39, 2)], ids=str
)
def test_polylogarithms_from_tables_hold_those_of_arb(order):
    for place in (fmpq(-1), fmpq(-9, 10), fmpq(-42, 100), fmpq(1, 10), fmpq(42, 100), fmpq(999, 1000)):
        with flint_precision(96):
            found = polylog_on_interval(arb(order), arb(place))
        with flint_precision(300):
            expected = arb(place).polylog(arb(order))
        if found is None:
            assert place == -1 and order <= 1
            continue
        assert found.contains(expected) and found.rel_accuracy_bits() > 60


def test_polylogarithms_outside_of_the_tables_are_left_to_arb():
    assert polylog_on_interval(arb(2), arb(fmpq(3, 2))) is None
    assert polylog_on_interval(arb(-1), arb(fmpq(1, 2))) is None
    assert polylog_on_interval(arb(2), arb(fmpq(1, 2)).union(arb(fmpq(3, 4)))) is None
