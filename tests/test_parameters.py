"""Kernels with parameters: leads that are decided without the rest, and signs over ranges."""

from __future__ import annotations

import random

import mpmath
import pytest
import sympy
from flint import fmpq
from sympy import (
    Rational,
    Symbol,
    acos,
    asin,
    atan,
    cos,
    cosh,
    erf,
    exp,
    gamma,
    lambdify,
    log,
    oo,
    pi,
    prod,
    sin,
    sqrt,
    symbols,
    tan,
)  # fmt: skip

from asymptok import (
    AsymptokError,
    Kernel,
    Undecided,
    check,
    consequences,
    decay,
    dual,
    expand,
    kernels,
    table,
)
from asymptok.constants.boxes import _root
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import Ranges
from asymptok.functions.arccosine import kappa0, kappa1
from asymptok.laws.derive import decay as one_law
from asymptok.symbols import u

w, b, c, g, x = symbols("w b c g x", positive=True)
y, z = symbols("y z", real=True)
RANGES = {w: (0, 1), b: (0, oo), c: (0, oo), g: (0, 2), x: (1, 3), y: (-oo, oo), z: (-oo, oo)}


def sign(expr):
    domain = ExactDomain(Ranges(RANGES))
    found = domain.sign(domain.constant(expr))
    return found.number if found.known else None


SIGNS = [
    (1 - (b - w) ** 2 / (b + w) ** 2, 1),
    (sqrt(2) * (w - 1) / pi, -1),
    (-3 * c - 3 * sqrt(2) / pi + sqrt(2) * exp(-sqrt(2) * c) / (2 * pi), -1),
    (y**2 - 2 * y * z + z**2 + Rational(1, 10), 1),
    (c - 1 + exp(-c), 1),
    (1 - w + w * log(w), 1),
    (x**3 - x, 1),
    (2**g - 1, 1),
    (pi + 1 - x, 1),
    (w**4 - w**2 + Rational(251, 1000), 1),
    (c - 2 * sqrt(c) + 2, 1),
    (cosh(c) - 1, 1),
    (c**2 / (c**2 + 1) + 1 / (c**2 + 1) - 1, 0),
    (1 - (y**2 / (y**2 + 1) + 1 / (y**2 + 1)) ** 2, 0),
    (y**2 + kappa0(-(y**2) / (y**2 + 1)), 1),
    (c**2 + 2 * kappa0((1 - c**2) / (1 + c**2)) - 1, 1),
    (kappa0(-c / (c + 1)) * kappa0(kappa1(-c / (c + 1))) - 1, -1),
    # by one derivative or several, from either end, and for products of parameters
    (1 - (1 + c) * exp(-c), 1),
    (exp(-2 * sqrt(3) / c) * (1 + 2 * sqrt(3) / c) - 1, -1),
    (cosh(c) - 1 - c**2 / 2, 1),
    (c * exp(-c) - 1, -1),
    (1 - 2 * atan(c) / pi, 1),
    (1 - erf(b * c), 1),
    ((1 + c / b) * exp(-c / b) - 1, -1),
    (1 - (1 + c) * exp(-c) * exp(-b), 1),
    # by the side of 1 on which a power lies
    ((1 + b) ** c - 1, 1),
    (1 / (2 * (1 + 2 / (b * c**2)) ** b) - 3, -1),
    (1 - exp(-(2 ** (g / 2)) * c), 1),
    (gamma(1 - g / 2), 1),
    # by halving the range: a slope that vanishes somewhere, a minimum inside, two parameters, a power of both kinds
    (c - sin(c), 1),
    (1 + c * log(c), 1),
    (c - sin(c) - c**3 / 6, -1),
    (c**2 - 2 * c * cos(c) + 1, 1),
    (c**c - Rational(69, 100), 1),
    (1 + c * log(c) + b, 1),
    (sqrt(c) - log(c), 1),
    (acos(w) - sqrt(1 - w**2), 1),
    # by the order of values of one function
    (b + c * asin((b + c) / (1 + b + c)) - c * asin((b - c) / (1 + b + c)), 1),
    (c * atan(b - c) - c * atan(b + c), -1),
    # these take both signs, or vanish somewhere inside
    (c * atan(b - c) + c * atan(b), None),
    (c - 1 - log(c), None),
    (c**c - Rational(70, 100), None),
    (c * (b - 1) ** 2, None),
    (sqrt(2) - sin(c) - cos(c), None),
    (1 - (1 + 2 * c) * exp(-c), None),
    (1 - 3 * atan(c) / pi, None),
    ((1 + b - c) ** 2, None),
    (2 * (1 + b) ** (-c) - 1, None),
    (c * exp(-c) - Rational(367879, 10**6), None),
    (w - Rational(1, 3), None),
    (y**2 + z**2, None),
    (y**2 + z**3 + 1, None),
    (kappa0(-c / (c + 1)) - Rational(1, 3), None),
    (y**2 * kappa1(-c / (c + 1)), None),
    (w**2 - w + Rational(1, 4), None),
    (y**2 - z, None),
    (sqrt(c) + c - 2 * c ** Rational(3, 4), None),
    (exp(-c) - w, None),
    (y**2, None),
]


@pytest.mark.parametrize(("expr", "expected"), SIGNS, ids=str)
def test_signs_over_ranges(expr, expected):
    assert sign(expr) == expected


def test_signs_agree_with_random_points():
    rng = random.Random(7)
    decided = 0
    for _ in range(120):
        atoms = [w, b, x, exp(-c), sqrt(b), 1 / (1 + c)]
        expr = sum(
            rng.randint(-2, 3) * rng.choice(atoms) * rng.choice(atoms) for _ in range(3)
        ) + rng.randint(0, 2)
        found = sign(expr)
        if found in (1, -1):
            decided += 1
            value = lambdify([w, b, c, x], expr, "mpmath")
            for _ in range(40):
                point = (
                    rng.uniform(0, 1),
                    10 ** rng.uniform(-4, 4),
                    10 ** rng.uniform(-4, 2),
                    rng.uniform(1, 3),
                )
                assert found * value(*map(mpmath.mpf, point)) > 0, expr
    assert decided > 30


CONSTANTS = [
    cos(pi / 7) * cos(2 * pi / 7) * cos(3 * pi / 7) - Rational(1, 8),
    sin(pi / 7) * sin(2 * pi / 7) * sin(3 * pi / 7) - sqrt(7) / 8,
    tan(pi / 7) * tan(2 * pi / 7) * tan(3 * pi / 7) - sqrt(7),
    gamma(Rational(1, 4)) * gamma(Rational(3, 4)) - pi * sqrt(2),
    gamma(Rational(1, 6)) - sqrt(3) * gamma(Rational(1, 3)) ** 2 / (2 ** Rational(1, 3) * sqrt(pi)),
    gamma(Rational(1, 5)) * gamma(Rational(4, 5)) * sin(pi / 5) - pi,
    gamma(Rational(9, 4)) - Rational(5, 16) * gamma(Rational(1, 4)),
    gamma(Rational(1, 10)) * gamma(Rational(6, 10)) - 2 ** Rational(4, 5) * sqrt(pi) * gamma(Rational(1, 5)),
    prod(gamma(Rational(j, 5)) for j in range(1, 5)) - 4 * pi**2 / sqrt(5),
    prod(gamma(Rational(j, 8)) for j in (1, 3, 5, 7)) - 2 * sqrt(2) * pi**2,
    prod(gamma(Rational(j, 24)) for j in (1, 11)) / prod(gamma(Rational(j, 24)) for j in (5, 7))
    - sqrt(3) * sqrt(2 + sqrt(3)),
    sqrt(11 + 2 * sqrt(29))
    + sqrt(16 - 2 * sqrt(29) + 2 * sqrt(55 - 10 * sqrt(29)))
    - sqrt(5)
    - sqrt(22 + 2 * sqrt(5)),
    4 * atan(Rational(1, 5)) - atan(Rational(1, 239)) - pi / 4,
    (asin(Rational(3, 5)) + asin(Rational(4, 5))) / pi - Rational(1, 2),
    sqrt(3) * (log(2 - sqrt(3)) + log(2 + sqrt(3))),
    cos(3) - 4 * cos(1) ** 3 + 3 * cos(1),
    sin(sqrt(2)) ** 2 + cos(sqrt(2)) ** 2 - 1,
    sin(1 + sqrt(2)) - sin(1) * cos(sqrt(2)) - cos(1) * sin(sqrt(2)),
]


@pytest.mark.parametrize("expr", CONSTANTS, ids=str)
def test_hidden_zeros(expr):
    with mpmath.workdps(60):
        assert abs(mpmath.mpf(str(expr.evalf(60)))) < mpmath.mpf(10) ** -50
    assert sign(expr) == 0
    assert sign(expr + Rational(1, 10**60)) == 1


def test_angles_that_add_up_to_a_turn_are_not_zero():
    assert sign(atan(1) + atan(2) + atan(3) - pi) == 0
    assert sign(atan(1) + atan(2) + atan(3)) == 1
    assert sign(atan(1) + atan(2) + atan(3) - 2 * pi) == -1


def test_a_lead_needs_no_order_behind_it():
    kernel = Kernel(
        "exp(-c*(1-u)**(gamma/2)) + a*kappa1(u)", parameters={"c": (0, oo), "gamma": (0, 2), "a": (0, oo)}
    )
    gamma_ = next(s for s in kernel.parameters if s.name == "gamma")
    law = decay(kernel)
    assert law.nu == gamma_ / 2
    assert law.even.lead.nu == law.odd.lead.nu == gamma_ / 2
    assert check(kernel).holds is True
    assert "gamma/2" in table([kernel]).to_text()
    assert consequences(kernel, 3) is not None
    # numbers in place of the parameters lead to the same law
    numbers = decay(kernel.subs(c=2, gamma="3/2", a=1))
    assert numbers.nu == Rational(3, 4)
    assert numbers.even.coefficient == law.even.coefficient.subs(
        dict(zip(sorted(kernel.parameters, key=str), (1, 2, Rational(3, 2)), strict=True))
    )


def test_products_and_mixtures():
    product = decay(kernels.laplace(Symbol("c", positive=True)) * kernels.ntk(3))
    assert product.nu == Rational(1, 2)
    assert product.odd.kind == "algebraic"
    length = Symbol("l", positive=True)
    product = decay(kernels.matern(Rational(3, 2), length) * kernels.ntk(2))
    assert (product.nu, product.odd.kind) == (Rational(1, 2), "algebraic")
    for value in (Rational(1, 3), 5):
        assert product.odd.coefficient.subs(length, value).evalf() == pytest.approx(
            float(decay(kernels.matern(Rational(3, 2), value) * kernels.ntk(2)).odd.coefficient)
        )
    mixture = decay(Kernel("w*kappa1(u)+(1-w)*kappa0(u)", parameters={"w": (0, 1)}))
    assert mixture.nu == Rational(1, 2)
    assert mixture.even.nu == Rational(3, 2)
    assert mixture.odd.nu == Rational(1, 2)


def test_an_expansion_that_cannot_be_ordered_shows_what_it_knows():
    kernel = Kernel("exp(-(1-u)**a) + kappa0(u)", parameters={"a": (0, 1)})
    expansion = expand(kernel)
    assert repr(expansion) == "2 + O(t**(1/2)) + O(t**a)"
    assert [str(term.exponent) for term in expansion.ordered] == ["0"]
    with pytest.raises(Undecided, match="a < 1/2"):
        _ = expansion.terms
    with pytest.raises(Undecided, match=r'parameters=\{"a": \(0, 1/2\)\}'):
        one_law(kernel)
    for bounds, nu in (((0, Rational(1, 2)), "a"), ((Rational(1, 2), 1), "1/2")):
        assert str(decay(Kernel("exp(-(1-u)**a) + kappa0(u)", parameters={"a": bounds})).nu) == nu


def test_advice_names_the_zero():
    with pytest.raises(Undecided, match=r"it is zero at w = 1/3: give parameters=\{\"w\": \(0, 1/3\)\}"):
        one_law(Kernel("(3*w-1)*kappa0(u)+kappa1(u)", parameters={"w": (0, 1)}))
    with pytest.raises(Undecided, match=r"near w = 0\.276"):
        one_law(Kernel("(w**2-w+1/5)*kappa0(u)", parameters={"w": (0, 1)}))


def test_coefficients_are_shown_in_normal_form():
    kernel = Kernel("a**2*u/(a**2+1) + kappa1(u)/(a**2+1)", parameters={"a": (0, oo)})
    assert expand(kernel, order=1).terms[0].coefficient == 1


def test_an_irrational_end_of_a_range_is_moved_outwards():
    for low, high in ((0, sqrt(2)), (-sqrt(2), 0)):
        v = Symbol("v", real=True)
        below, above = Ranges({v: (low, high)}).of(v)
        assert above**2 > 2 if high else below**2 > 2


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("a*u*coth(u) + sqrt(1-u)", True),
        ("u/sinh(a*u) + sqrt(1-u)", True),
        ("u/atan(a*u) + sqrt(1-u)", True),
        ("a/tanh(u) + sqrt(1-u)", False),
    ],
)
def test_removable_quotients_with_parameters(text, holds):
    assert check(Kernel(text, parameters={"a": (0, oo)})).holds is holds


def test_an_activation_that_may_be_constant_leaves_the_order_of_its_values_open():
    # kappa(1) - kappa(1/2) is positive for a > 0 and zero for a = 0, where the activation is constant
    for real, decided in ((Symbol("a", positive=True), True), (Symbol("a", real=True), False)):
        even = next(node for node in dual(log(1 + exp(real * Symbol("x")))).expr.args if not node.parity)
        top, half = (even.func(*even.args[:-1], c) for c in (1, Rational(1, 2)))
        kernel = Kernel(u + sqrt(1 - u) * (top - half))
        if decided:
            assert decay(kernel).nu == Rational(1, 2)
        else:
            with pytest.raises(Undecided):
                decay(kernel)


def test_names_that_are_numbers_or_nothing() -> None:
    """laplace("pi") is the kernel with c = pi, and nan is the name of no parameter."""
    assert kernels.laplace("pi") == kernels.laplace(sympy.pi) and not kernels.laplace("e").parameters
    for bad in ("nan", "inf", "oo", "I", "None", "Infinity"):
        with pytest.raises(AsymptokError):
            kernels.laplace(bad)
        with pytest.raises(AsymptokError):
            kernels.network(2, weight_variance=bad)


def test_numbers_are_written_as_in_formulas() -> None:
    assert kernels.gamma_exponential("sqrt(2)") == kernels.gamma_exponential(sqrt(2))
    assert kernels.laplace("c").subs(c="2*pi/3") == kernels.laplace(2 * sympy.pi / 3)
    assert kernels.ntk(2).evaluate("sqrt(2)/2", 30) == kernels.ntk(2).evaluate(sqrt(2) / 2, 30)
    for bad in ("sqrt(-2)", "1/0", "u", "c + 1", "", "9**9**9**9", "1 2"):
        with pytest.raises(AsymptokError):
            kernels.laplace("c").subs(c=bad)


def test_the_root_of_a_variable_on_a_box_without_its_values() -> None:
    """x^2 - y^2 > 0 where x = 1 and y = 3: nothing is known of its root."""
    assert _root((None, fmpq(-8)), 2) == (0, None)
    assert _root((fmpq(-8), fmpq(1)), 2) == (0, 1)
