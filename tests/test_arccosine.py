"""The arc-cosine functions against their definition, their differential equation and each other."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import I, Rational, S, Symbol, acos, expand_func, lambdify, latex, pi, sqrt

from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine, kappa0, kappa1
from asymptok.functions.arccosine_numeric import arccosine_mpmath, arccosine_numpy, odd_factorial, polynomials

x = Symbol("x")
ORDERS = range(7)


def by_definition(n: int) -> sympy.Expr:
    """J_n/J_n(0) by n literal applications of (1/sin) d/dtheta."""
    theta = Symbol("theta")
    f = (pi - theta) / sympy.sin(theta)
    for _ in range(n):
        f = sympy.diff(f, theta) / sympy.sin(theta)
    return lambdify(
        theta, (-1) ** n * sympy.sin(theta) ** (2 * n + 1) * f / (pi * odd_factorial(n)), "mpmath"
    )


def by_integral(n: int, value: mpmath.mpf) -> mpmath.mpf:
    """E[max(X,0)^n max(Y,0)^n] for correlation x, in polar coordinates, over its value at x = 1.

    With X = r cos(a), Y = r cos(a - theta) the radius integrates out, and both are positive for
    theta - pi/2 < a < pi/2.
    """
    theta = mpmath.acos(value)
    top = mpmath.quad(
        lambda a: (mpmath.cos(a) * mpmath.cos(a - theta)) ** n,
        mpmath.linspace(theta - mpmath.pi / 2, mpmath.pi / 2, 4),
    )
    bottom = mpmath.quad(lambda a: mpmath.cos(a) ** (2 * n), [-mpmath.pi / 2, 0, mpmath.pi / 2])
    return top / bottom


def by_hypergeometric(n: int, value: mpmath.mpf) -> mpmath.mpf:
    """The expansion about -1, all of whose terms are positive."""
    z = (1 + value) / 2
    scale = 2 * 2**n * mpmath.factorial(n) ** 2 / (mpmath.rf(mpmath.mpf(3) / 2, n) * odd_factorial(n))
    half = mpmath.mpf(1) / 2
    return scale / mpmath.pi * z ** (n + half) * mpmath.hyp2f1(half, half, n + 3 * half, z)


@pytest.mark.parametrize("n", ORDERS)
@pytest.mark.parametrize("point", ["-0.99", "-0.3", "0.2", "0.5", "0.97"])
def test_closed_form_is_the_definition(n: int, point: str) -> None:
    with mpmath.workdps(60):
        value = mpmath.mpf(point)
        ours = arccosine_mpmath(n, value)
        assert abs(ours - by_definition(n)(mpmath.acos(value))) < mpmath.mpf(10) ** -40
        assert abs(ours - by_hypergeometric(n, value)) < mpmath.mpf(10) ** -55 * ours


@pytest.mark.parametrize("n", ORDERS)
def test_closed_form_is_the_gaussian_expectation(n: int) -> None:
    with mpmath.workdps(30):
        value = mpmath.mpf(1) / 3
        assert abs(arccosine_mpmath(n, value) - by_integral(n, value)) < mpmath.mpf(10) ** -25


@pytest.mark.parametrize("n", ORDERS)
def test_exact_values(n: int) -> None:
    assert ArcCosine(n, 1) == 1
    assert ArcCosine(n, -1) == 0
    zero = ArcCosine(n, 0)
    assert zero == ArcCosine(n, x).rewrite(acos).subs(x, 0)
    assert isinstance(ArcCosine(n, Rational(1, 3)), ArcCosine)
    assert ArcCosine(0, Rational(1, 2)) == Rational(2, 3) and ArcCosine(0, -Rational(1, 2)) == Rational(1, 3)


def test_values_at_zero() -> None:
    assert [ArcCosine(n, 0) for n in range(4)] == [S.Half, 1 / pi, Rational(1, 6), 4 / (15 * pi)]


@pytest.mark.parametrize("n", ORDERS)
def test_derivative(n: int) -> None:
    ours = ArcCosine(n, x).diff(x)
    if n:
        assert ours == Rational(n**2, 2 * n - 1) * ArcCosine(n - 1, x)
    else:
        assert ours == 1 / (pi * sqrt(1 - x**2))
    closed = ArcCosine(n, x).rewrite(acos).diff(x)
    at = {x: Rational(1, 3)}
    assert abs((ours - closed).subs(at).evalf(30)) < Rational(1, 10**28)


def test_derivative_of_a_chain() -> None:
    y = Symbol("y")
    assert kappa1(kappa1(x * y)).diff(x) == y * kappa0(x * y) * kappa0(kappa1(x * y))
    assert kappa1(kappa1(x)).diff(y) == 0
    assert kappa1(x).diff(x, 2) == kappa0(x).diff(x)
    assert kappa1(x).diff((x, 1)) == kappa0(x)


def test_polynomials() -> None:
    assert polynomials(0) == ((1,), (0,))
    assert polynomials(1) == ((0, 1), (1,))
    assert polynomials(3) == ((0, 9, 0, 6), (4, 0, 11))
    for n in range(30):
        a, b = polynomials(n)
        assert all(c >= 0 for c in a + b)
        assert sum(a) == odd_factorial(n)  # J_n(0) = pi (2n-1)!!


def test_rewrite() -> None:
    assert expand_func(kappa0(x)) == (pi - acos(x)) / pi
    closed = x * (pi - acos(x)) / pi + sqrt(1 - x**2) / pi
    assert kappa1(x).rewrite(acos) == kappa1(x).rewrite(sqrt) == expand_func(kappa1(x)) == closed


@pytest.mark.parametrize("n", ORDERS)
@pytest.mark.parametrize("exponent", [1, 10, 40, 120])
@pytest.mark.parametrize("end", [1, -1])
def test_evalf_next_to_the_ends(n: int, exponent: int, end: int) -> None:
    point = end * (1 - Rational(1, 10**exponent))
    ours = ArcCosine(n, point).evalf(50)
    with mpmath.workdps(400):
        gap = mpmath.mpf(10) ** -exponent
        reference = by_hypergeometric(n, end * (1 - gap)) if end < 0 else arccosine_mpmath(n, 1 - gap)
        assert abs(ours._to_mpmath(mpmath.mp.prec) / reference - 1) < mpmath.mpf(10) ** -49


@pytest.mark.parametrize(
    "point", [2 + I, -3 + I / 10, -1 + I / 10**30, -Rational(99, 100) - I / 100, 20 - 30 * I]
)
@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_complex_values(n: int, point: sympy.Expr) -> None:
    ours = ArcCosine(n, point).evalf(30)
    with mpmath.workdps(100):
        reference = by_hypergeometric(n, point._to_mpmath(mpmath.mp.prec))
        assert abs(ours._to_mpmath(mpmath.mp.prec) / reference - 1) < mpmath.mpf(10) ** -29


def test_nested_constants() -> None:
    value = kappa0(kappa1(1 / pi))
    assert str(value) == "kappa0(kappa1(1/pi))"
    assert value.is_positive and value.is_real and value.is_finite
    with mpmath.workdps(30):
        expected = arccosine_mpmath(0, arccosine_mpmath(1, 1 / mpmath.pi))
        assert abs(value.evalf(25)._to_mpmath(90) - expected) < mpmath.mpf(10) ** -24
    deep = 1 / pi
    for _ in range(150):
        deep = kappa1(deep)
    assert deep.is_positive
    with mpmath.workdps(120):
        expected = 1 / mpmath.pi
        for _ in range(150):
            expected = arccosine_mpmath(1, expected)
        assert abs(deep.evalf(50)._to_mpmath(400) - expected) < mpmath.mpf(10) ** -49


def test_assumptions_claim_nothing_outside_the_interval() -> None:
    assert kappa1(Symbol("r", real=True)).is_real is None
    assert kappa1(Rational(3, 2)).is_real is None
    assert kappa0(-Rational(1, 2)).is_nonnegative is True
    assert kappa1(S(2)).evalf().as_real_imag()[1] != 0


def test_printing() -> None:
    assert [str(ArcCosine(n, x)) for n in range(3)] == ["kappa0(x)", "kappa1(x)", "kappa(2, x)"]
    assert latex(kappa1(x)) == r"\kappa_{1}\left(x\right)"
    assert latex(kappa1(x) ** 2) == r"\kappa_{1}^{2}\left(x\right)"


@pytest.mark.parametrize("module", ["numpy", "mpmath", "math", None])
def test_lambdify(module: str | None) -> None:
    expr = kappa1(ArcCosine(2, x)) + x
    for cse in (False, True):
        f = lambdify(x, expr, module, cse=cse) if module else lambdify(x, expr, cse=cse)
        assert abs(float(f(0.3)) - float(expr.subs(x, Rational(3, 10)))) < 1e-15


def test_lambdify_mpmath_has_all_digits() -> None:
    with mpmath.workdps(40):
        got = lambdify(x, kappa1(x), "mpmath")(0.5)
        assert abs(got - by_hypergeometric(1, mpmath.mpf(0.5))) < mpmath.mpf(10) ** -39


@pytest.mark.parametrize("n", [*ORDERS, 12])
def test_doubles_are_accurate_up_to_the_ends(n: int) -> None:
    rng = np.random.default_rng(20)
    near = 10.0 ** -rng.uniform(0, 16, 60)
    points = np.concatenate([rng.uniform(-1, 1, 80), 1 - near, -1 + near, [-1.0, 0.0, 1.0]])
    values = arccosine_numpy(n, points)
    for point, value in zip(points, values, strict=True):
        exact = arccosine_mpmath(n, mpmath.mpf(float(point)))
        assert abs(value - exact) <= 4 * 2.0**-52 * exact


def test_doubles_at_and_over_the_ends() -> None:
    assert arccosine_numpy(1, 1 + 1e-16) == 1.0
    assert arccosine_numpy(1, -1 - 2e-16) == 0.0
    assert np.isnan(arccosine_numpy(1, 1.1))
    assert arccosine_numpy(0, np.array([[1, -1]])).tolist() == [[1.0, 0.0]]


@given(st.integers(1, 20), st.fractions(-1, 1, max_denominator=10**6))
def test_recurrence_and_range(n: int, point: Fraction) -> None:
    """kappa_(n+1) = x kappa_n + n^2/((2n+1)(2n-1)) (1-x^2) kappa_(n-1), and all values lie in [0, 1]."""
    with mpmath.workdps(30):
        value = mpmath.mpf(point.numerator) / point.denominator
        before, current, after = (arccosine_mpmath(m, value) for m in (n - 1, n, n + 1))
        assert all(0 <= term <= 1 for term in (before, current, after))
        factor = mpmath.mpf(n * n) / ((2 * n + 1) * (2 * n - 1))
        assert abs(value * current + factor * (1 - value**2) * before - after) < mpmath.mpf(10) ** -29


@pytest.mark.parametrize("order", [-1, Rational(1, 2), Symbol("n"), S(2.0)])
def test_orders_that_do_not_exist(order: object) -> None:
    with pytest.raises(AsymptokError, match="non-negative integer"):
        ArcCosine(order, x)
