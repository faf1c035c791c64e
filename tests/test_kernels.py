"""Kernels: construction, parameters, arithmetic, numbers up to the ends, display, and the named ones."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import I, Rational, Symbol, exp, latex, log, nan, oo, pi, sqrt, zoo

from asymptok import kernels
from asymptok.dag import derivative, free_symbols, rebuild, tree_size
from asymptok.errors import AsymptokError, ParseError, Undecided
from asymptok.functions.arccosine import ArcCosine, kappa0, kappa1
from asymptok.functions.arccosine_numeric import arccosine_mpmath
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.symbols import u

c = Symbol("c", positive=True)
gamma = Symbol("gamma", positive=True)

#: every named kernel once, with its value at u = 1
NAMED = {
    "arc_cosine": ({"order": 3}, 1),
    "random_features": ({"depth": 4}, 1),
    "ntk": ({"depth": 4}, 4),
    "step_features": ({"depth": 4}, 1),
    "network": ({"depth": 2, "activation": "hard_tanh"}, 1),
    "relu_network": ({"depth": 3, "weight_variance": 1, "bias_variance": "0.5", "tangent": True}, None),
    "laplace": ({"c": 2}, 1),
    "gamma_exponential": ({"gamma": "1.5", "c": 2}, 1),
    "gaussian": ({"c": 3}, 1),
    "matern": ({"nu": 1.5, "length": 2}, 1),
    "rational_quadratic": ({"alpha": 2, "length": 3}, 1),
    "cauchy": ({"c": 2}, 1),
    "poisson": ({"r": 0.5, "d": 4}, 12),
    "polynomial": ({"degree": 3, "c": 2}, 27),
    "exponential": ({"c": 1}, sympy.E),
    "erf_network": ({}, 2 * sympy.asin(Rational(2, 3)) / pi),
    "first_layer_ntk": ({}, Rational(1, 2)),
}


def network(depth: int, point: mpmath.mpf) -> tuple[mpmath.mpf, mpmath.mpf]:
    """RF_L and NTK_L by their recursions, with acos written out, at the current precision of mpmath."""
    features = tangent = point
    for _ in range(depth - 1):
        angle = mpmath.acos(features)
        step = (mpmath.pi - angle) / mpmath.pi
        features = features * step + mpmath.sqrt((1 - features) * (1 + features)) / mpmath.pi
        tangent = tangent * step + features
    return features, tangent


# ---------------------------------------------------------------------- construction


def test_from_expression_text_number_and_kernel() -> None:
    from_text = Kernel("exp(-np.sqrt(1 - u))", name="mine")
    assert from_text == Kernel(exp(-sqrt(1 - u))) == Kernel(from_text) == as_kernel(exp(-sqrt(1 - u)))
    assert Kernel(from_text).name == "mine"
    assert hash(from_text) == hash(Kernel(exp(-sqrt(1 - u))))
    assert Kernel(0.1).expr == Rational(1, 10)
    assert Kernel(sympy.Float(0.1) * u).expr == u / 10


def test_any_u_is_our_u() -> None:
    other = Symbol("u", positive=True)
    assert Kernel(other**2 + Symbol("u")).expr == u**2 + u
    assert not Kernel(Symbol("u")).parameters


@pytest.mark.parametrize(
    "bad", [nan * u, zoo, oo, I * u, log(-2) + u, sympy.Function("f")(u), (-1) ** Rational(1, 3) * u]
)
def test_what_is_not_a_real_function_is_refused(bad: sympy.Expr) -> None:
    with pytest.raises(AsymptokError):
        Kernel(bad)


@pytest.mark.parametrize("bad", [None, [u], {"u": 1}, True, 1j, float("nan"), float("inf"), u > 0])
def test_what_is_not_an_expression_is_refused(bad: object) -> None:
    with pytest.raises(AsymptokError):
        Kernel(bad)


def test_undeclared_names_are_parse_errors() -> None:
    with pytest.raises(ParseError, match="c"):
        Kernel("exp(-c*(1 - u))")


def test_kernels_are_immutable() -> None:
    kernel = kernels.laplace()
    with pytest.raises(AttributeError):
        kernel.expr = u  # type: ignore[misc]
    with pytest.raises(AttributeError):
        kernel._expr = u
    kernel.parameters[c] = (0, 1)  # a copy
    assert not kernel.parameters


# ---------------------------------------------------------------------- parameters


def test_ranges_from_assumptions() -> None:
    assert Kernel(exp(-c * (1 - u))).parameters == {c: (0, oo)}
    assert Kernel(Symbol("a", negative=True) * u).parameters == {Symbol("a", negative=True): (-oo, 0)}
    a = Symbol("a", real=True)
    assert Kernel(a * u).parameters == {a: (-oo, oo)}
    assert Kernel(Symbol("a") * u).parameters == {a: (-oo, oo)}  # made real
    with pytest.raises(AsymptokError, match="not real"):
        Kernel(Symbol("z", imaginary=True) * u)


def test_ranges_from_the_caller() -> None:
    kernel = Kernel("exp(-c*(1-u)**(gamma/2))", parameters={"c": (0, oo), "gamma": (0, 2)})
    assert kernel.parameters == {c: (0, oo), gamma: (0, 2)}
    assert Kernel(exp(-((1 - u) ** (gamma / 2))), parameters={gamma: (0, 2)}).parameters == {gamma: (0, 2)}
    assert Kernel(gamma * u, parameters={"gamma": (-1, 2)}).parameters == {gamma: (0, 2)}
    assert Kernel("b*u", parameters={"b": (-2, -1)}).parameters == {Symbol("b", negative=True): (-2, -1)}
    assert Kernel("b*u", parameters={"b": 0.5}).expr == u / 2
    lower, upper = Kernel("b*u", parameters={"b": (0.1, float("inf"))}).parameters[Symbol("b", positive=True)]
    assert (lower, upper) == (Rational(1, 10), oo)


@pytest.mark.parametrize(
    "parameters",
    [
        {"c": (1, 1)},
        {"c": (2, 1)},
        {"c": (0, 1, 2)},
        {"c": (0, nan)},
        {"c": "x"},
        {"u": (0, 1)},
        {3: (0, 1)},
        [("c", 1)],
    ],
)
def test_bad_ranges(parameters: object) -> None:
    with pytest.raises(AsymptokError):
        Kernel("c*u", parameters=parameters)  # type: ignore[arg-type]


def test_contradictions_and_leftovers() -> None:
    with pytest.raises(AsymptokError, match="no value is left"):
        Kernel(c * u, parameters={"c": (-2, -1)})
    with pytest.raises(AsymptokError, match="does not contain"):
        Kernel(u, parameters={"c": (0, 1)})


def test_subs() -> None:
    kernel = kernels.gamma_exponential(gamma, c)
    expected = Kernel(exp(-3 * sqrt(1 - u)))
    for result in (
        kernel.subs({"gamma": 1, "c": 3}),
        kernel.subs({gamma: 1, c: 3}),
        kernel.subs(gamma=1, c=3),
        kernel.subs(gamma, 1).subs("c", 3.0),
        kernel.subs([(gamma, 1), (c, 3)]),
    ):
        assert result == expected
    assert kernel.subs(gamma=1).parameters == {c: (0, oo)}
    assert kernel.subs(gamma=c).parameters == {c: (0, 2)}
    with pytest.raises(AsymptokError, match="outside"):
        kernel.subs(gamma=2)
    with pytest.raises(AsymptokError, match="not a parameter"):
        kernel.subs(delta=2)
    with pytest.raises(Undecided) as caught:
        kernel.subs(gamma=2 * c)
    assert caught.value.assumption == "gamma < 2"
    assert kernels.ntk(3).subs({u: 1}).expr == 3
    with pytest.raises(AsymptokError, match="outside"):
        kernels.ntk(3).subs(u=2)


# ---------------------------------------------------------------------- arithmetic


def test_arithmetic() -> None:
    first, second = Kernel(kappa0(u)), Kernel(c * u)
    assert (first + second).expr == kappa0(u) + c * u
    assert (first - second).expr == kappa0(u) - c * u
    assert (first * second).parameters == {c: (0, oo)}
    assert (2 * first + 1).expr == 2 * kappa0(u) + 1
    assert (1 - first).expr == 1 - kappa0(u)
    assert (u * first).expr == (first * u).expr == u * kappa0(u)
    assert isinstance(u * first, Kernel) and isinstance(np.float64(0.5) * first, Kernel)
    assert (first / 4).expr == kappa0(u) / 4
    assert (first**3).expr == kappa0(u) ** 3
    assert (-first).expr == -kappa0(u)
    assert (0.1 * first).expr == kappa0(u) / 10
    assert sum([first, second]) == first + second  # type: ignore[comparison-overlap]
    assert (second - second).parameters == {}
    with pytest.raises(AsymptokError):
        first / 0
    with pytest.raises(AsymptokError):
        first ** (-1)
    with pytest.raises(AsymptokError):
        np.ones(3) * first
    with pytest.raises(TypeError):
        first + None


def test_one_symbol_per_name() -> None:
    narrow = Kernel("a*u", parameters={"a": (0, 2)})
    wide = Kernel("a*u**2", parameters={"a": (-1, 1)})
    both = narrow + wide
    assert list(both.parameters.values()) == [(0, 1)]


def test_compose() -> None:
    assert kernels.arc_cosine(1).compose(kernels.arc_cosine(1)) == kernels.random_features(3)
    assert kernels.arc_cosine(1).compose("(9*u + 1)/10").expr == kappa1((9 * u + 1) / 10)
    deep = kernels.ntk(20)
    for _ in range(6):
        deep = deep.compose("u/20").compose(kernels.ntk(20)) * Rational(1, 20)
    # linear in the number of layers, though its printed tree is astronomical
    assert tree_size(deep.expr) > 10**12
    assert abs(deep(0.3) - float(deep.evaluate(0.3))) < 1e-13


def test_diff() -> None:
    assert kernels.arc_cosine(2).diff() == Rational(4, 3) * kernels.arc_cosine(1)
    kernel = Kernel(
        "exp(-c*sqrt(1-u))*kappa1(u**2) + log(2+u)**3 + besselk(1, 3-u)", parameters={"c": (0, oo)}
    )
    ours = kernel.diff(2).expr.subs(kernel.expr.free_symbols.difference({u}).pop(), 2)
    theirs = kernel.subs(c=2).expr.diff(u, 2)
    at = {u: Rational(1, 3)}
    assert abs((ours - theirs).subs(at).evalf(30)) < Rational(1, 10**25)
    assert derivative(sympy.Abs(u) + sympy.Max(u, 0), Symbol("other")) == 0


# ---------------------------------------------------------------------- numbers


@pytest.mark.parametrize("depth", [2, 3, 5, 12])
@pytest.mark.parametrize("end", [1, -1])
@pytest.mark.parametrize("exponent", [3, 40])
def test_fifty_digits_next_to_the_ends(depth: int, end: int, exponent: int) -> None:
    point = end * (1 - Fraction(1, 10**exponent))
    with mpmath.workdps(200):
        features, tangent = network(depth, mpmath.mpf(point.numerator) / point.denominator)
    for kernel, expected in ((kernels.random_features(depth), features), (kernels.ntk(depth), tangent)):
        value = kernel.evaluate(point, dps=50)
        with mpmath.workdps(200):
            assert abs(value - expected) <= abs(expected) * mpmath.mpf(10) ** -50


def test_every_kind_of_point() -> None:
    kernel = kernels.laplace()
    with mpmath.workdps(30):
        expected = mpmath.exp(-mpmath.sqrt(mpmath.mpf("0.75")))
    points = [
        0.25,
        "0.25",
        "1/4",
        Fraction(1, 4),
        Rational(1, 4),
        mpmath.mpf("0.25"),
        np.float64(0.25),
        sympy.Float(0.25),
    ]
    for point in points:
        value = kernel.evaluate(point, dps=25)
        assert abs(value - expected) < mpmath.mpf(10) ** -24
    assert kernel.evaluate(1) == 1
    # a float is its binary value, a text the decimal one
    with mpmath.workdps(40):
        assert Kernel(u).evaluate(0.1, dps=30) == mpmath.mpf(0.1)
        assert abs(Kernel(u).evaluate("0.1", dps=30) - mpmath.mpf("0.1")) < mpmath.mpf(10) ** -31
    assert abs(Kernel(u).evaluate(1 / pi) - 1 / mpmath.pi) < 1e-16


def test_points_between_numbers_of_the_working_precision() -> None:
    with mpmath.workdps(60):
        point = 1 - mpmath.mpf("1e-40")
    value = Kernel(sqrt(1 - u)).evaluate(point, dps=15)
    assert abs(value / mpmath.mpf("1e-20") - 1) < mpmath.mpf(10) ** -14


def test_zero_values() -> None:
    assert Kernel(kappa1(u)).evaluate(-1) == 0
    assert Kernel(sqrt(1 - u) * kappa0(u)).evaluate(1) == 0
    assert Kernel(sympy.acos(u) + sympy.asin(u) - pi / 2).evaluate(Rational(1, 3)) == 0
    assert kernels.random_features(2).evaluate(-1) == 0


@pytest.mark.parametrize(
    "point", [1.5, "-1.0000001", None, "x", 1j, True, u, float("nan"), oo, "1e999999999"]
)
def test_points_outside(point: object) -> None:
    with pytest.raises(AsymptokError):
        kernels.ntk(2).evaluate(point)


def test_no_value() -> None:
    with pytest.raises(AsymptokError, match="subs"):
        kernels.laplace(c).evaluate(0)
    with pytest.raises(AsymptokError, match="subs"):
        kernels.laplace(c)(0)
    with pytest.raises(AsymptokError, match="no finite real value"):
        Kernel(sqrt(u)).evaluate("-0.5")
    with pytest.raises(AsymptokError):
        kernels.ntk(2).evaluate(0, dps=0)


def test_removable_singularities_at_the_end() -> None:
    # z^nu K_nu(z) is 0 times infinity at z = 0; the expansion knows its value
    assert kernels.matern(1).evaluate(1) == 1
    assert abs(kernels.matern(1)([1.0])[0] - 1) < 1e-15
    assert Kernel((1 - u) * log(1 - u)).evaluate(1) == 0
    with pytest.raises(AsymptokError):
        Kernel(log(1 - u)).evaluate(1)


def test_arrays() -> None:
    kernel = kernels.ntk(3)
    x = np.linspace(-1, 1, 12).reshape(3, 4)
    values = kernel(x)
    assert values.shape == (3, 4) and values.dtype == float
    assert (
        isinstance(kernel(0.5), float)
        and isinstance(kernel(1), float)
        and isinstance(kernel(np.float64(0)), float)
    )
    assert kernel([1, 0]).shape == (2,)
    assert kernel(np.empty((0, 2))).shape == (0, 2)
    assert Kernel(3)(x).tolist() == np.full((3, 4), 3.0).tolist()
    assert Kernel(3)(0.5) == 3.0
    assert kernel(1 + 1e-13) == 3.0
    assert np.isnan(kernel([np.nan, 0.0])).tolist() == [True, False]
    assert kernel(Fraction(1, 2)) == kernel(Rational(1, 2)) == kernel(0.5)
    with pytest.raises(AsymptokError, match="outside"):
        kernel([0.0, 1.1])
    with pytest.raises(AsymptokError, match="real numbers"):
        kernel("x")


@pytest.mark.parametrize("name", NAMED)
def test_arrays_agree_with_proved_values(name: str) -> None:
    kernel = kernels.get(name, **NAMED[name][0])
    points = np.array([-1.0, -1 + 1e-9, -0.4, 0.0, 0.3, 0.99, 1 - 1e-9, 1.0])
    for point, value in zip(points, kernel(points), strict=True):
        exact = kernel.evaluate(float(point))
        # nested arc-cosines near 1 have the condition of a square root: half the digits of the inner value
        scale = 1e-13 if point < 0.999 else 1e-8
        assert abs(value - exact) <= scale * max(1, abs(exact))


@pytest.mark.parametrize(
    "text",
    [
        "Max(u, 0) + min(u, 0.5)",
        "abs(u)**1.5",
        "erf(u) + besselj(0, u)",
        "sign(u)*u",
        "gamma(2 + u)",
        "1/sqrt(2 - u)",
        "2**u",
    ],
)
def test_other_functions_on_arrays(text: str) -> None:
    kernel = Kernel(text)
    points = np.array([-0.9, -0.25, 0.125, 0.75])
    for point, value in zip(points, kernel(points), strict=True):
        assert abs(value - kernel.evaluate(float(point))) < 1e-14


def test_piecewise_on_arrays() -> None:
    kernel = Kernel(
        sympy.Piecewise((u**2, u > Rational(1, 2)), (kappa0(u), sympy.And(u > 0, u < 1)), (pi, True))
    )
    assert np.allclose(kernel([-0.5, 0.25, 0.75]), [np.pi, float(kappa0(Rational(1, 4))), 0.5625], rtol=1e-15)


def test_lambdify_and_evalf_of_the_expression() -> None:
    expr = kernels.ntk(30).expr
    expected = kernels.ntk(30).evaluate(0.3)
    for module in ("numpy", "mpmath"):
        assert abs(float(sympy.lambdify(u, expr, module)(0.3)) - expected) < 1e-12
    value = expr.subs(u, Rational(3, 10)).evalf(30)._to_mpmath(110)
    with mpmath.workdps(40):
        assert abs(value - kernels.ntk(30).evaluate("0.3", dps=35)) < mpmath.mpf(10) ** -28


# ---------------------------------------------------------------------- deep networks


def test_depth_one_hundred() -> None:
    kernel = kernels.ntk(100)
    assert kernel.evaluate(1) == 100
    with mpmath.workdps(80):
        expected = network(100, mpmath.mpf(-1) / 3)[1]
    assert abs(kernel.evaluate("-1/3", dps=40) - expected) < mpmath.mpf(10) ** -38
    assert abs(kernel(-1 / 3) - expected) < 1e-10
    restored = pickle.loads(pickle.dumps(kernel))
    assert restored == kernel and restored.name == kernel.name and hash(restored) == hash(kernel)
    assert str(kernel) == "NTK, depth 100"
    assert repr(kernel) == "Kernel(..., name='NTK, depth 100')"
    assert latex(kernel) == r"\kappa_{\mathrm{NTK}}^{(100)}(u)"
    assert len(str(kernel.expr)) > 10**4
    assert free_symbols(kernel.expr) == {u}
    assert kernel.subs(u=1).expr == 100
    assert kernel.expr.subs(u, 1) == 100
    slope = kernel.diff()
    h = Fraction(1, 10**20)
    quotient = (kernel.evaluate(h, dps=60) - kernel.evaluate(-h, dps=60)) * 10**20 / 2
    assert abs(slope.evaluate(0, dps=25) - quotient) < mpmath.mpf(10) ** -14


def test_long_recursions_are_balanced_but_the_same() -> None:
    features = tangent = u
    for depth in range(2, 12):
        features, tangent = kappa1(features), tangent * kappa0(features) + kappa1(features)
        assert Kernel(tangent).evaluate("0.7", dps=40) == kernels.ntk(depth).evaluate("0.7", dps=40)
        if depth <= 5:
            assert kernels.ntk(depth).expr == tangent
        assert kernels.random_features(depth).expr == features


def test_very_deep_networks_are_still_objects() -> None:
    kernel = kernels.random_features(1500)
    assert pickle.loads(pickle.dumps(kernel)).evaluate(0) == kernel.evaluate(0)
    assert copy.deepcopy(kernel) == kernel
    assert str(kernel) == "random features, depth 1500"


# ---------------------------------------------------------------------- display


def test_text_reads_back() -> None:
    for name, (arguments, _) in NAMED.items():
        kernel = kernels.get(name, **arguments)
        assert Kernel(str(kernel.expr)) == kernel, name


def test_latex() -> None:
    kernel = kernels.gamma_exponential(gamma)
    assert latex(kernel) == latex(kernel.expr)
    assert kernel._repr_latex_() == (
        r"$\displaystyle \kappa(u) = e^{- \left(1 - u\right)^{\frac{\gamma}{2}}},\quad 0 < \gamma < 2$"
    )
    assert "gamma-exponential" in kernel._repr_html_()
    html = Kernel(u, name="<script>")._repr_html_()
    assert "<script>" not in html
    assert sympy.pretty(kernels.arc_cosine(1)) != ""
    assert sympy.sstr(kernels.arc_cosine(1)) == "kappa1(u)"


# ---------------------------------------------------------------------- the named kernels


def test_registry() -> None:
    assert set(kernels.names()) == set(NAMED)
    for name in kernels.names():
        assert getattr(kernels, name).__doc__
    with pytest.raises(AsymptokError, match="there is no kernel"):
        kernels.get("nope")
    with pytest.raises(AsymptokError, match="depth"):
        kernels.get("ntk")
    with pytest.raises(AsymptokError, match="width"):
        kernels.get("ntk", depth=2, width=3)


@pytest.mark.parametrize("name", NAMED)
def test_value_at_one(name: str) -> None:
    arguments, expected = NAMED[name]
    kernel = kernels.get(name, **arguments)
    assert kernel.name
    if expected is not None:
        value = kernel.evaluate(1, dps=30)
        with mpmath.workdps(40):
            reference = sympy.S(expected)._to_mpmath(mpmath.mp.prec)
            assert abs(value - reference) < mpmath.mpf(10) ** -28


@pytest.mark.parametrize(
    ("depth", "digits"),
    [
        (2, "0"),
        (3, "0.318309886183791"),
        (4, "0.493731090200372"),
        (5, "0.604825720112945"),
        (6, "0.680953533355736"),
    ],
)
def test_deep_features_at_minus_one(depth: int, digits: str) -> None:
    value = kernels.random_features(depth).evaluate(-1)
    assert abs(value - mpmath.mpf(digits)) <= mpmath.mpf("5e-16")


@pytest.mark.parametrize("depth", [2, 3, 4, 5, 6])
def test_leading_coefficients_of_deep_kernels(depth: int) -> None:
    """NTK: L - kappa(1-t) ~ (L(L-1)/2) (sqrt(2)/pi) t^(1/2), and kappa(-1+t) - kappa(-1) ~ c t^(1/2)."""
    t = Fraction(1, 10**60)
    kernel = kernels.ntk(depth)
    with mpmath.workdps(110):
        root = mpmath.sqrt(mpmath.mpf(t.numerator) / t.denominator)
        at_one = (kernel.evaluate(1 - t, dps=100) - depth) / root
        assert abs(at_one + depth * (depth - 1) / mpmath.sqrt(2) / mpmath.pi) < mpmath.mpf(10) ** -25
        at_minus_one = (kernel.evaluate(t - 1, dps=100) - kernel.evaluate(-1, dps=100)) / root
        product, b = mpmath.mpf(1), mpmath.mpf(0)
        for _ in range(2, depth):
            product, b = product * arccosine_mpmath(0, b), arccosine_mpmath(1, b)
        assert abs(at_minus_one + mpmath.sqrt(2) / mpmath.pi * product) < mpmath.mpf(10) ** -25


@pytest.mark.parametrize(
    ("depth", "digits"), [(2, "0.45015816"), (3, "0.30202833"), (4, "0.24739389"), (5, "0.22390284")]
)
def test_step_networks(depth: int, digits: str) -> None:
    t = Fraction(1, 2**2400)
    power = mpmath.mpf(2) ** -(2400 // 2 ** (depth - 1))
    at_one = (1 - kernels.step_features(depth).evaluate(1 - t, dps=760)) / power
    at_minus_one = kernels.step_features(depth).evaluate(t - 1, dps=30) / mpmath.mpf(2) ** -1200
    with mpmath.workdps(20):
        assert abs(at_one) > 0 and at_minus_one >= 0
        # one of the ends carries the exponent 2^-(L-1), with the coefficient of the table
        assert abs(at_one - step_coefficient(depth)) < mpmath.mpf("1e-6")
        assert abs(step_coefficient(depth) - mpmath.mpf(digits)) < mpmath.mpf("5e-9")


def step_coefficient(depth: int) -> mpmath.mpf:
    """1 - kappa_0(1 - s) ~ (sqrt(2)/pi) s^(1/2), iterated."""
    value = mpmath.sqrt(2) / mpmath.pi
    for _ in range(depth - 2):
        value = mpmath.sqrt(2 * value) / mpmath.pi
    return value


def test_families_by_formula() -> None:
    assert kernels.step_features(4).expr == kappa0(kappa0(kappa0(u)))
    assert kernels.step_features(4, relu_above=True).expr == kappa1(kappa1(kappa0(u)))
    assert kernels.step_features(2, relu_above=True).expr == kappa0(u)
    assert kernels.arc_cosine(5).expr == ArcCosine(5, u)
    assert kernels.ntk(1).expr == kernels.random_features(1).expr == u
    assert kernels.rational_quadratic(2, 3).expr == (1 + (1 - u) / 18) ** (-2)
    assert kernels.poisson(Rational(1, 3), 3).expr == Rational(8, 9) / (
        Rational(10, 9) - 2 * u / 3
    ) ** Rational(3, 2)
    assert kernels.laplace(0.1).expr == exp(-sqrt(1 - u) / 10)


def test_biases() -> None:
    for depth in (1, 2, 4):
        assert kernels.relu_network(depth) == 2 * kernels.random_features(depth)
    plain, tangent = kernels.relu_network(4, 2, 0, tangent=True), 2 * kernels.ntk(4)
    assert plain.evaluate("0.3", dps=30) == tangent.evaluate("0.3", dps=30)
    w, b, point = 1.5, 0.25, 0.3
    size, covariance = w + b, b + w * point
    theta = covariance
    for _ in range(2):
        correlation = covariance / size
        angle = np.arccos(correlation)
        theta = theta * w * (np.pi - angle) / (2 * np.pi)
        covariance = b + w * size * (np.sin(angle) + (np.pi - angle) * correlation) / (2 * np.pi)
        size = b + w * size / 2
        theta += covariance
    assert abs(kernels.relu_network(3, w, b)(point) - covariance) < 1e-14
    assert abs(kernels.relu_network(3, w, b, tangent=True)(point) - theta) < 1e-14


@pytest.mark.parametrize("nu", [Rational(1, 2), Rational(3, 2), Rational(7, 2), 1, 2, Rational(1, 3)])
def test_matern(nu: sympy.Rational) -> None:
    with mpmath.workdps(30):
        s = mpmath.mpf(nu.p) / nu.q if isinstance(nu, Rational) else mpmath.mpf(nu)
        z = mpmath.sqrt(2 * s) * mpmath.sqrt(2 * (1 - mpmath.mpf("0.3"))) / 2
        expected = 2 ** (1 - s) / mpmath.gamma(s) * z**s * mpmath.besselk(s, z)
        assert abs(kernels.matern(nu, 2).evaluate("0.3", dps=25) - expected) < mpmath.mpf(10) ** -24
    assert kernels.matern(nu).expr.has(sympy.besselk) == (sympy.S(nu).q != 2)


def test_symbolic_arguments_carry_their_ranges() -> None:
    assert kernels.gamma_exponential(gamma, c).parameters == {c: (0, oo), gamma: (0, 2)}
    assert kernels.gamma_exponential(Symbol("gamma")).parameters == {gamma: (0, 2)}
    assert kernels.gamma_exponential("gamma").parameters == {gamma: (0, 2)}
    assert kernels.laplace(c).parameters == {c: (0, oo)}
    assert kernels.poisson(Symbol("r", positive=True), 3).parameters == {Symbol("r", positive=True): (0, 1)}
    assert kernels.matern(c, gamma).parameters == {c: (0, oo), gamma: (0, oo)}
    assert kernels.laplace(c**2 + 1).parameters == {c: (0, oo)}
    assert kernels.laplace(sqrt(2)).expr == exp(-sqrt(2) * sqrt(1 - u))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("ntk", {"depth": 0}),
        ("ntk", {"depth": -1}),
        ("ntk", {"depth": 2.5}),
        ("ntk", {"depth": "3"}),
        ("ntk", {"depth": True}),
        ("ntk", {"depth": None}),
        ("ntk", {"depth": float("inf")}),
        ("ntk", {"depth": Symbol("L")}),
        ("random_features", {"depth": 0}),
        ("step_features", {"depth": 1, "relu_above": True}),
        ("arc_cosine", {"order": -1}),
        ("laplace", {"c": 0}),
        ("laplace", {"c": -1}),
        ("laplace", {"c": "-1"}),
        ("laplace", {"c": oo}),
        ("laplace", {"c": I}),
        ("laplace", {"c": float("nan")}),
        ("laplace", {"c": Symbol("c", negative=True)}),
        ("gamma_exponential", {"gamma": 2}),
        ("gamma_exponential", {"gamma": 0}),
        ("gamma_exponential", {"gamma": 2 * gamma}),
        ("matern", {"nu": 0}),
        ("matern", {"nu": 1, "length": 0}),
        ("rational_quadratic", {"alpha": -2}),
        ("poisson", {"r": 1, "d": 3}),
        ("poisson", {"r": 0.5, "d": 1}),
        ("poisson", {"r": 0.5, "d": 2.5}),
        ("polynomial", {"degree": -1}),
        ("polynomial", {"degree": 0.5}),
        ("exponential", {"c": 0}),
        ("relu_network", {"depth": 2, "weight_variance": 0}),
        ("relu_network", {"depth": 2, "bias_variance": -1}),
    ],
)
def test_bad_arguments(name: str, arguments: dict[str, object]) -> None:
    with pytest.raises(AsymptokError):
        kernels.get(name, **arguments)


@pytest.mark.parametrize("name", NAMED)
def test_gram_matrices_are_positive(name: str) -> None:
    """Mercer: every kernel of the list is positive definite on the sphere of R^4."""
    rng = np.random.default_rng(7)
    points = rng.normal(size=(30, 4))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    gram = kernels.get(name, **NAMED[name][0])(points @ points.T)
    # rounding moves an eigenvalue by about the size of the matrix times the unit of a double
    assert np.linalg.eigvalsh((gram + gram.T) / 2).min() > -30 * 2.0**-50 * abs(gram).max() - 1e-7


@given(st.fractions(-1, 1, max_denominator=10**9), st.integers(1, 6))
def test_doubles_and_proved_values_agree(point: Fraction, depth: int) -> None:
    kernel = kernels.random_features(depth)
    double = float(point)
    assert abs(kernel(double) - kernel.evaluate(double)) <= 1e-14


def test_rebuild_evaluates() -> None:
    assert rebuild(kappa1(u) + u, {u: 1}) == 2
    assert rebuild(kappa1(u) + u, {kappa1(u): 3}) == u + 3


def test_derivative_of_a_piecewise_kernel() -> None:
    """A condition has no slope, but the branches behind it do."""
    kernel = Kernel("where(u > 0, u**2, 0) + u").diff()
    assert kernel.evaluate(Rational(1, 2)) == 2
    assert kernel.evaluate(Rational(-1, 2)) == 1
