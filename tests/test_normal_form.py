"""Constants with parameters as they are written: the same numbers, in forms that a person would choose."""

import random

import pytest
from mpmath import mp
from sympy import Add, Mul, Pow, Rational, S, Symbol, asin, exp, pi, sqrt

from asymptok import Kernel, activations, decay, expand, kernels
from asymptok.constants.normal_form import fraction, gathered, shortest
from asymptok.symbols import u

a, b, w = (Symbol(name, positive=True) for name in "abw")


def _random(rng: random.Random, depth: int = 2) -> object:
    """A constant that is defined for all positive a, b, w: sums, products, roots of sums of positive terms."""
    if depth == 0:
        return rng.choice([a, b, w, S(2), Rational(1, 3), pi, a**2, sqrt(2)])
    parts = [_random(rng, depth - 1) for _ in range(rng.choice((2, 3)))]
    kind = rng.randrange(6)
    if kind == 0:
        return Mul(*parts)
    if kind == 1:
        return Pow(Add(*(part**2 for part in parts)), Rational(rng.choice((-3, -2, -1, 1, 3)), 2))
    if kind == 2:
        return asin(parts[0] ** 2 / (1 + parts[0] ** 2 + parts[1] ** 2))
    if kind == 3:
        return parts[0] / (parts[1] ** 2 + parts[-1] ** 2)
    return Add(*parts) if kind == 4 else parts[0] - parts[1] * Rational(1, 2)


@pytest.mark.parametrize("seed", range(24))
def test_the_value_stays(seed):
    rng = random.Random(seed)
    expr = _random(rng)
    with mp.workdps(40):
        at = {s: Rational(rng.randrange(1, 40), rng.randrange(7, 23)) for s in (a, b, w)}
        wanted = mp.mpmathify(S(expr).subs(at).evalf(40))
        for form in (shortest, fraction):
            found = mp.mpmathify(form(S(expr)).subs(at).evalf(40))
            assert mp.almosteq(found, wanted, 1e-30, 1e-30), (form, expr)
        made = gathered(S(expr), a, 1 / (b + w)).subs(at)
        assert mp.almosteq(
            mp.mpmathify(made.evalf(40)), wanted / mp.mpmathify((b + w).subs(at)), 1e-30, 1e-30
        )


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (sqrt(a**4 + 2 * a**2 + 1), "a**2 + 1"),
        (a**2 / (2 * (a**2 / 2 + S.Half)), "a**2/(a**2 + 1)"),
        (
            b * w ** Rational(5, 2) / (b + w) ** Rational(3, 2)
            + w ** Rational(7, 2) / (b + w) ** Rational(3, 2),
            "w**(5/2)/sqrt(b + w)",
        ),
        ((1 - a) * (a + 1) * pi / (b + 1), "pi*(1 - a**2)/(b + 1)"),
        (
            exp(-a) * b + exp(-a) * w + asin(b / (b + w) - w / (b + w)),
            "(b + w)*exp(-a) + asin((b - w)/(b + w))",
        ),
    ],
)
def test_the_form(expr, text):
    assert str(shortest(expr)) == text


def test_leaky_networks_read_as_the_mathematics():
    """The kernel is a mixture of the identity and kappa_1, so that c_1 is that of ReLU times (1-a)^2/(1+a^2)."""
    slope = activations.leaky_relu("a")
    assert str(kernels.network(2, slope).expr) == "(2*a*u + (a - 1)**2*kappa1(u))/(a**2 + 1)"
    for depth in (2, 3, 4):
        found = (
            expand(kernels.network(depth, slope, tangent=True), order=Rational(1, 2)).terms[-1].coefficient
        )
        assert found == -depth * (depth - 1) / S(2) * sqrt(2) / pi * (a - 1) ** 2 / (a**2 + 1)
    law = decay(kernels.network(2, "leaky_relu(x, a)", parameters={"a": (0, 1)}))
    assert law.even.constant(3) == 3 * (a - 1) ** 2 / (pi * (a**2 + 1))


def test_variances_and_skips_read_as_the_mathematics():
    both = {"weight_variance": "w", "bias_variance": "b"}
    assert str(kernels.network(2, **both).expr) == "b + w*(b + w)*kappa1((b + u*w)/(b + w))/2"
    assert decay(kernels.network(2, **both)).odd.constant(3) == 3 * w ** Rational(5, 2) / (
        4 * pi * sqrt(b + w)
    )
    skip = str(kernels.network(2, residual="r").expr)
    assert skip == "r**2*u + (1 - r**2)*kappa1(u)"


def test_a_sign_comes_from_the_range():
    """sqrt((b - 1)^2) is 1 - b for 0 < b < 1, though SymPy knows b > 0 only."""
    for low, high, value in ((0, 1, 1 - b), (1, "oo", b - 1)):
        kernel = Kernel("kappa1(u)*sqrt(b**2 - 2*b + 1 + (1-u)**2)", parameters={"b": (low, high)})
        assert expand(kernel, order=0).terms[0].coefficient.equals(value)


def test_names_of_activations():
    assert kernels.network(2, activations.prelu()).name == "network of leaky_relu(a) units, NNGP, depth 2"
    assert u not in activations.elu("alpha").free_symbols
    for taken in ("x", "u"):
        with pytest.raises(Exception, match=f"depends on {taken}"):
            activations.leaky_relu(taken)


@pytest.mark.parametrize(
    ("name", "rate"),
    [("erf", (2 * w + 1 + sqrt(4 * w + 1)) / (2 * w)), ("gelu", (w + 1 + sqrt(2 * w + 1)) / w)],
)
@pytest.mark.parametrize("tangent", [False, True])
def test_the_rate_of_two_layers_is_a_formula(name, rate, tangent):
    """The nearest singular point is where b + w u is what makes the mean singular: q + 1/2 for erf, q + 1 for GELU."""
    law = decay(kernels.network(2, name, weight_variance="w", bias_variance="b", tangent=tangent))
    assert law.even.kind == law.odd.kind == "geometric" and law.even.rho == rate
    if not tangent:
        at_values = decay(kernels.network(2, name, weight_variance="5/3", bias_variance="2/7"))
        assert abs((at_values.even.rho - rate.subs(w, Rational(5, 3))).evalf(30)) < 1e-25


def test_numbers_over_a_sum() -> None:
    """The constant term of a normalised network is 1, and a coefficient has one denominator."""
    found = expand(kernels.network(2, "gelu"), at=1, order=1)
    assert str(found) == "1 - 2*(2*sqrt(3) + 3*pi)/(3*(sqrt(3) + 2*pi))*t + O(t**2)"
    assert all(
        str(expand(kernels.network(2, name), at=1, order=1)).startswith("1 ") for name in ("elu", "selu")
    )
