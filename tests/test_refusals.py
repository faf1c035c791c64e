"""Questions that have no answer, or not one answer: each must be refused, with the reason, and never guessed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numerics import reference, residual_agrees
from sympy import (
    Derivative,
    Expr,
    I,
    Integral,
    LambertW,
    Matrix,
    Order,
    Rational,
    Symbol,
    besseli,
    besselj,
    cos,
    exp,
    gamma,
    hyper,
    loggamma,
    oo,
    polygamma,
    polylog,
    sin,
    sqrt,
)

from asymptok import (
    AsymptokError,
    ExpansionError,
    Kernel,
    Undecided,
    activations,
    consequences,
    decay,
    expand,
    kernels,
    puiseux,
    table,
)
from asymptok.symbols import d, t, u

x = Symbol("x", positive=True)
y = Symbol("y", real=True)
z = Symbol("z", real=True)
g = Symbol("g", positive=True)
n = Symbol("n", integer=True, positive=True)
w = 1 - u


@pytest.mark.parametrize(
    "expr",
    [
        hyper([x], [2], x),
        hyper([1, x + 1], [3], Rational(1, 2)),
        LambertW(1, x),
        Derivative(sin(x), x),
        Integral(sin(x * z), (z, 0, 1)),
        Order(x),
    ],
    ids=str,
)
def test_the_variable_may_not_hide_where_no_rule_sees_it(expr: Expr) -> None:
    with pytest.raises(ExpansionError):
        puiseux(expr, x)


@pytest.mark.parametrize(
    "expr",
    [
        gamma(y + x),
        polygamma(0, y + x),
        loggamma(y + x),
        LambertW(y + x),
        polylog(Rational(1, 2), y + x),
        hyper([1, 2], [y], x),
    ],
    ids=str,
)
def test_a_parameter_that_may_sit_on_a_singular_point(expr: Expr) -> None:
    with pytest.raises(Undecided):
        puiseux(expr, x)


@pytest.mark.parametrize("bounds", [(0, 1), (-1, 0)])
def test_a_range_without_the_singular_point_settles_it(bounds: tuple[int, int]) -> None:
    expansion = expand(Kernel(gamma(y + 1 - u), parameters={y: bounds}), order=2)
    value = Rational(sum(bounds), 2)
    assert residual_agrees(expansion, reference(gamma(value + 1 - u)), values={y: value})


@pytest.mark.parametrize(
    "expr", [exp(-(w**g)) + w**g + sqrt(w), cos(w**g) - 1 + w ** (2 * g) / 2 + sqrt(w)], ids=str
)
def test_what_the_remainder_hides_may_lead(expr: Expr) -> None:
    expansion = expand(Kernel(expr, parameters={g: (0, 1)}), order=1)
    with pytest.raises(Undecided, match="g < 1/4 or g > 1/4"):
        _ = expansion.nu


def test_a_coefficient_behind_an_integer_exponent_is_tested_too() -> None:
    kernel = Kernel(w**n + (1 - g) * w ** Rational(5, 2), parameters={n: (0, 2)})
    with pytest.raises(Undecided, match="whether 1 - g is zero"):
        _ = expand(kernel).nu


def test_irrational_exponents_reach_the_order() -> None:
    """Three terms cancel and three orders are divided away; t^(4 sqrt(2) - 3)/24 is still below t^4."""
    s = sqrt(2)
    rest = exp(w**s) - 1 - w**s - w ** (2 * s) / 2 - w ** (3 * s) / 6
    expr = rest / w**3 + w ** Rational(7, 2)
    expansion = expand(expr)
    assert expansion.nu == 4 * s - 3 and expansion.coefficient == Rational(1, 24)
    assert len(expansion.terms) == 2 and residual_agrees(expansion, reference(expr), 9)


def test_a_range_with_a_lower_bound_reaches_the_order() -> None:
    expansion = puiseux(exp(x**g) / x**3, x, order=1, parameters={g: (Rational(1, 2), Rational(3, 5))})
    assert expansion.remainder[0].exponent == 8 * g - 3


@pytest.mark.parametrize("function", [cos, sin, exp, lambda a: besselj(0, a), lambda a: besseli(1, a)])
@pytest.mark.parametrize("power", [1, 2, 3, 5])
def test_what_is_divided_away_is_computed_again(function: Any, power: int) -> None:
    """Series in x^2, x^3 ... gain nothing from a small raise of the order; the order is reached all the same."""
    for divisor in (0, 1, 2, 5, Rational(1, 2), Rational(7, 3)):
        for order in (Rational(1, 2), 1, 4):
            expansion = puiseux(function(x**power) / x**divisor, x, order=order)
            assert all(term.exponent > order for term in expansion.remainder)


def test_a_coarse_lattice_with_a_parameter_reaches_the_order() -> None:
    for power in (1, 2, 3):
        for divisor in (0, 1, 3):
            expr = cos(x ** (power * g)) / x**divisor
            expansion = puiseux(expr, x, order=2, parameters={g: (1, Rational(3, 2))})
            assert all((term.exponent - 2).subs(g, 1) >= 0 for term in expansion.remainder)


def test_terms_below_the_order_for_every_parameter_are_given_behind_a_pole_too() -> None:
    """0 < g < 1: t^(4g-3) lies below t^1 for every g, t^(5g-3) does not."""
    expansion = puiseux(exp(x**g) / x**3, x, order=1, parameters={g: (0, 1)})
    assert [term.exponent for term in expansion.terms[:5]] == [-3, g - 3, 2 * g - 3, 3 * g - 3, 4 * g - 3]
    assert all(term.exponent.subs(g, 1) > 1 for term in expansion.remainder)


BAD_CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((exp(t * x), x), {}),
    ((sin(x), "x"), {}),
    ((sin(x), x**2), {}),
    ((sin(x), x, x), {}),
    ((sin(x), x, None), {}),
    ((sin(x), x, [0]), {}),
    ((sin(x), x, I), {}),
    ((sin(x), x, 0, "up"), {}),
    ((sin(x), x), {"order": None}),
    ((sin(x), x), {"order": "("}),
    ((sin(x), x), {"order": True}),
    ((sin(x) + y, x), {"parameters": {y: 3}}),
    ((sin(x) + y, x), {"parameters": {y: (2, 1)}}),
    ((sin(x) + y, x), {"parameters": {y: (I, 1)}}),
    ((Matrix([x]), x), {}),
    (([x], x), {}),
    ((None, x), {}),
    ((exp(x ** Rational(1, 100000)), x), {}),
    ((exp(x**g), x), {"parameters": {g: (Rational(1, 10000), 1)}}),
]


@pytest.mark.parametrize(("arguments", "options"), BAD_CALLS, ids=str)
def test_bad_calls_end_in_our_own_error(arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    with pytest.raises(AsymptokError):
        puiseux(*arguments, **options)


def test_the_distance_is_no_parameter() -> None:
    with pytest.raises(AsymptokError, match="another name"):
        expand(exp(t * u))


@pytest.mark.parametrize(
    "bad", [None, True, "3", "", 5 / 2, np.array([3]), [], {3}, float("nan"), 10**31, -1, 3j]
)
def test_numbers_of_a_law_that_are_none(bad: Any) -> None:
    """No text is evaluated, no dimension 1/2 answered, nothing foreign raised."""
    law = decay("sqrt(1 - u)")
    for ask in (
        law.even.exponent,
        law.even.constant,
        lambda d: law.series(20, d),
        lambda d: law.evaluate(20, d),
        lambda d: consequences("exp(-sqrt(1-u))", d),
        lambda at: expand("u", at=at) if at != -1 else Kernel("u").subs([3]),
    ):
        with pytest.raises(AsymptokError):
            ask(bad)
    for ask in (
        lambda n: law.series(20, 3, n),
        lambda n: law.evaluate(20, 3, n),
        lambda n: law.evaluate(20, 3, dps=n),
    ):
        if bad is not None and bad != 10**31:
            with pytest.raises(AsymptokError):
                ask(bad)


def test_laws_at_large_numbers_stay_formulas() -> None:
    """C(d, nu) doubled, Gamma(d/2) 2^(d-1)/sqrt(pi) = Gamma(d)/Gamma((d+1)/2); no number of 10^10 digits is written."""
    law = decay(kernels.ntk(2))
    assert str(law.series(10**12, 3, 1)) == "gamma(1999999999999/2)/(pi*gamma(2000000000005/2))"
    assert str(consequences(kernels.laplace(), 3072)).startswith("Laplace")
    exact = law.even.constant(d).subs(d, 400)
    assert abs((law.even.constant(400) / exact).evalf(30) - 1) < Rational(1, 10**28)
    assert law.even.constant(10**9).has(gamma)
    with pytest.raises(AsymptokError):
        Kernel("u**2")(0.5 + 0.5j)


def test_names_points_and_lists_that_are_none() -> None:
    """Each is refused by the package itself; a float that is infinite is oo."""
    for ask in (
        lambda: kernels.get([]),
        lambda: activations.get({}),
        lambda: table(object()),
        lambda: table(["u"], columns=3),
        lambda: kernels.network(2, tangent=True, trained=np.array(1)),
        lambda: puiseux(sqrt(x), x, np.array([2, 3])),
        lambda: puiseux(sqrt(x), x, 0, np.array(["+", "-"])),
        lambda: kernels.matern(10**9),
    ):
        with pytest.raises(AsymptokError):
            ask()
    assert puiseux(1 / x, x, float("inf"), order=1) == puiseux(1 / x, x, oo, order=1)
    trained = kernels.network(3, tangent=True, trained=np.array([1, 3]))
    assert trained == kernels.network(3, tangent=True, trained={1, 3})
