"""Kernels of architectures: recursions written out by hand, mpmath, and the depth as a symbol."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Rational, Symbol, pi, sqrt

from asymptok import AsymptokError, Kernel, activations, check, decay, dual, expand, kernels, u
from asymptok.balls import ball
from asymptok.functions.depth import SlopeProduct, coefficients
from asymptok.kernels.architecture import derivative
from asymptok.kernels.duals import as_activation

L = Symbol("L", integer=True, positive=True)
w, b = Symbol("w", positive=True), Symbol("b", positive=True)
ACTIVATIONS = (
    "relu",
    "leaky_relu",
    "abs",
    "elu",
    "selu",
    "gelu",
    "erf",
    "sin",
    "gaussian",
    "hard_tanh",
    "relu6",
)


def by_hand(
    name: str, depth: int, point: Any, weight: Any, bias: Any, skip: Any, trained: set[int] | None
) -> tuple[Any, Any]:
    """(NNGP, tangent kernel) at one point, in numbers: every dual is evaluated at its variance and correlation."""
    phi = as_activation(name)
    slope = derivative(phi)
    here, size = bias + weight * point, bias + weight
    blocks, factors = [here], []
    for _ in range(depth - 1):
        correlation = here / size
        kernel = dual(phi, variance=sympy.Rational(*mpmath.libmp.to_rational(size._mpf_)))
        rate = dual(slope, variance=sympy.Rational(*mpmath.libmp.to_rational(size._mpf_)))
        block = bias + weight * kernel.evaluate(correlation, dps=40)
        factors.append(skip**2 + weight * rate.evaluate(correlation, dps=40))
        size = skip**2 * size + bias + weight * kernel.evaluate(1, dps=40)
        here = skip**2 * here + block
        blocks.append(block)
    total = mpmath.mpf(0)
    for layer, block in enumerate(blocks, 1):
        if trained is None or layer in trained:
            total += block * mpmath.fprod(factors[layer - 1 :])
    return here, total


def test_relu_is_the_kernel_of_old() -> None:
    for depth in (1, 2, 3, 5):
        assert kernels.network(depth).expr == kernels.random_features(depth).expr
        first, second = kernels.network(depth, tangent=True), kernels.ntk(depth)
        assert abs(first.evaluate("0.3", dps=30) - second.evaluate("0.3", dps=30)) < mpmath.mpf(10) ** -29
    old = kernels.relu_network(3, weight_variance=w, bias_variance=b, tangent=True)
    new = kernels.network(3, weight_variance=w, bias_variance=b, tangent=True)
    values = {"w": Rational(3, 2), "b": Rational(1, 3)}
    assert abs(old.subs(values).evaluate("0.4", dps=25) - new.subs(values).evaluate("0.4", dps=25)) < 1e-24


@pytest.mark.slow
@pytest.mark.parametrize("name", ["relu", "gelu", "erf", "elu", "hard_tanh"])
@pytest.mark.parametrize("trained", [None, {1}, {2, 3}])
def test_the_recursion_in_numbers(name: str, trained: set[int] | None) -> None:
    weight, bias, skip = Rational(5, 4), Rational(1, 8), Rational(1, 2)
    with mpmath.workdps(40):
        numbers = [mpmath.mpf(int(v.p)) / int(v.q) for v in (weight, bias, skip)]
        nngp, ntk = by_hand(name, 3, mpmath.mpf("0.25"), *numbers, trained)
        found = kernels.network(3, name, weight, bias, residual=skip).evaluate("0.25", dps=30)
        assert abs(found - nngp) < mpmath.mpf(10) ** -29
        chosen: Any = "all" if trained is None else trained
        tangent = kernels.network(3, name, weight, bias, True, skip, chosen).evaluate("0.25", dps=30)
        assert abs(tangent - ntk) < mpmath.mpf(10) ** -28


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_layers_add_up_and_the_diagonal_is_one(name: str) -> None:
    """NTK = random features + what the layers below contribute, to 30 digits."""
    whole = kernels.network(2, name, tangent=True)
    parts = [kernels.network(2, name, tangent=True, trained=part) for part in ("first", "last")]
    features = kernels.network(2, name)
    for point in ("0.7", "-0.35"):
        with mpmath.workdps(35):
            total = mpmath.fsum([p.evaluate(point, dps=35) for p in parts])
            assert abs(whole.evaluate(point, dps=35) - total) < mpmath.mpf(10) ** -30
            assert (
                abs(parts[1].evaluate(point, dps=35) - features.evaluate(point, dps=35))
                < mpmath.mpf(10) ** -30
            )
    assert abs(features.evaluate(1) - 1) < 1e-14


@pytest.mark.parametrize(
    ("name", "nu"), [("relu", "3/2"), ("selu", "3/2"), ("elu", "5/2"), ("hard_tanh", "3/2"), ("relu6", "3/2")]
)
def test_nu_of_both_kernels(name: str, nu: str) -> None:
    assert expand(kernels.network(2, name), 1, 3).nu == Rational(nu)
    assert expand(kernels.network(2, name, tangent=True), 1, 3).nu == Rational(nu) - 1


def test_residual_networks() -> None:
    r = Symbol("r", positive=True)
    kernel = kernels.network(3, residual=r, weight_variance=1, tangent=True)
    assert expand(kernel, 1, 1).nu == Rational(1, 2)
    assert kernels.network(3, residual="1/2").evaluate(1) == 1


@pytest.mark.parametrize("tangent", [False, True])
def test_a_symbolic_skip_weight_keeps_the_diagonal_at_one(tangent: bool) -> None:
    alpha = Symbol("alpha", positive=True)
    kernel = kernels.network(3, residual=alpha, tangent=tangent)
    assert kernel.parameters[alpha] == (0, 1)
    law = decay(kernel)
    for value in (Rational(1, 5), Rational(9, 10)):
        numeric = decay(kernels.network(3, residual=value, tangent=tangent))
        assert law.nu == numeric.nu
        for one, other in ((law.even, numeric.even), (law.odd, numeric.odd)):
            assert abs(sympy.N(one.constant(3).subs(alpha, value) / other.constant(3) - 1, 30)) < 1e-25
    assert check(kernel).holds is True
    with pytest.raises(AsymptokError):
        kernel.subs(alpha=2)
    with pytest.raises(AsymptokError, match="bias_variance"):
        kernels.network(3, residual=alpha, bias_variance=b)
    with pytest.raises(AsymptokError, match="bias_variance"):
        kernels.network(3, residual=alpha + 1)
    assert kernels.network(2, residual=Symbol("r", real=True), bias_variance="3/4").parameters == {
        Symbol("r", real=True): (-Rational(1, 2), Rational(1, 2))
    }


@pytest.mark.parametrize("activation", ["relu", "abs"])
def test_a_skip_weight_of_any_sign_and_size(activation: str) -> None:
    r = Symbol("r", real=True) if activation == "relu" else Symbol("r", positive=True)
    kernel = kernels.network(3, activation, residual=r, weight_variance=1)
    for at in (1, -1):
        found = expand(kernel, at, 2)
        for value in (Rational(1, 3), Rational(2)):
            numeric = expand(kernels.network(3, activation, residual=value, weight_variance=1), at, 2)
            assert found.nu == numeric.nu == Rational(3, 2)
            assert abs(sympy.N(found.coefficient.subs(r, value) - numeric.coefficient, 30)) < 1e-25


def test_symbolic_variances_go_through() -> None:
    kernel = kernels.network(2, weight_variance=w, bias_variance=b, tangent=True)
    assert decay(kernel).nu == Rational(1, 2)
    assert check(kernel).holds is True


def test_symbolic_variances_of_smooth_networks() -> None:
    """Signs hang on the order of asin at two arguments, and of a mean at two correlations; values by substitution."""
    values = {w: Rational(5, 3), b: Rational(2, 7)}
    kernel = kernels.network(3, "erf", weight_variance=w, bias_variance=b)
    at_values = kernels.network(3, "erf", weight_variance=values[w], bias_variance=values[b])
    for at in (1, -1):
        for mine, theirs in zip(expand(kernel, at, 1).terms, expand(at_values, at, 1).terms, strict=True):
            assert abs(sympy.N(mine.coefficient.subs(values) - theirs.coefficient, 20)) < 1e-18
    assert check(kernel).holds is True and check(kernel, theorem="decay").holds is False
    assert check(kernels.network(3, "tanh", weight_variance=w)).by_clause


def test_layers_cancel_for_every_variance() -> None:
    """ELU of three layers with biases: t^(1/2) and t^(3/2) cancel in each layer; t^(5/2) against 50-digit values."""
    kernel = kernels.network(3, "elu", weight_variance=Rational(3, 2), bias_variance=Rational(1, 5))
    found = expand(kernel, 1, 3)
    assert found.nu == Rational(5, 2)
    near, far = (
        abs(kernel.evaluate(1 - t, dps=50) - found.evaluate(t, dps=50)) * mpmath.mpf(int(1 / t)) ** 3.5
        for t in (Rational(1, 10**8), Rational(1, 10**6))
    )
    assert 0.9 < near / far < 1.1


@pytest.mark.parametrize(
    ("name", "depth", "nu", "others"),
    [
        ("elu", 3, Rational(5, 2), {"weight_variance": w, "bias_variance": b}),
        pytest.param(
            "selu",
            2,
            Rational(1, 2),
            {"weight_variance": w, "bias_variance": b, "tangent": True},
            marks=pytest.mark.slow,
        ),
        ("relu", 4, Rational(3, 2), {"weight_variance": w, "residual": b}),
        pytest.param(
            "hard_tanh",
            3,
            Rational(1, 2),
            {"weight_variance": w, "residual": b, "tangent": True},
            marks=pytest.mark.slow,
        ),
        pytest.param("elu", 3, Rational(5, 2), {"weight_variance": w, "residual": b}, marks=pytest.mark.slow),
        ("abs", 3, Rational(3, 2), {"weight_variance": w, "bias_variance": b}),
    ],
)
def test_layers_with_symbols_have_the_law_of_their_values(
    name: str, depth: int, nu: Rational, others: dict[str, Any]
) -> None:
    """The coefficients at both ends at one place, against the network with numbers."""
    values = {w: Rational(5, 3), b: Rational(2, 7)}
    kernel = kernels.network(depth, name, **others)
    numbers = {key: values.get(value, value) for key, value in others.items()}
    at_values = kernels.network(depth, name, **numbers)
    law = decay(kernel)
    assert law.nu == nu and check(kernel).holds is True
    for at in (1, -1) if name in ("relu", "abs") else (1,):
        mine, theirs = (
            {term.exponent: ball(term.coefficient, values, 200) for term in expand(k, at, 1).terms}
            for k in (kernel, at_values)
        )
        assert all(abs(mine[e] - theirs.get(e, 0)) < 1e-30 for e in mine | theirs)


@pytest.mark.slow
def test_smooth_layers_with_symbols_are_analytic_up_to_the_ends() -> None:
    for name in ("gelu", "gaussian"):
        law = decay(kernels.network(3, name, weight_variance=w, bias_variance=b))
        assert law.nu is None and law.even.kind == law.odd.kind == "geometric"


@pytest.mark.slow
def test_what_fails_for_one_value_is_not_said_for_all() -> None:
    """(a - 1) relu is zero at a = 1, and leaky ReLU is linear there."""
    a = Symbol("a", positive=True)
    for phi in ((a - 1) * activations.relu, activations.leaky_relu(a)):
        kernel = kernels.network(3, phi, weight_variance=w, bias_variance=b)
        with pytest.raises(AsymptokError, match="a"):
            assert decay(kernel).nu
        assert check(kernel).holds is None
    narrowed = Kernel(kernel, parameters={"a": (0, 1)})
    assert decay(narrowed).nu == Rational(3, 2) and narrowed.subs(a=Rational(1, 2)).layers


def test_deep_values_do_not_lose_the_digits_of_a_variance() -> None:
    kernel = kernels.network(3, "tanh", weight_variance=Rational(1, 2), residual=1)
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    weights = weights / np.sqrt(2 * np.pi)

    def mean(c: float, v: float) -> float:
        second = c * nodes[:, None] + np.sqrt(1 - c * c) * nodes[None, :]
        return float(
            weights @ (np.tanh(np.sqrt(v) * nodes)[:, None] * np.tanh(np.sqrt(v) * second)) @ weights
        )

    layer, size = 0.5 * 0.85, 0.5
    for _ in range(2):
        layer, size = layer + 0.5 * mean(layer / size, size), size + 0.5 * mean(1.0, size)
    assert abs(float(kernel.evaluate("0.85")) - layer) < 1e-13


def test_an_activation_that_vanishes_for_a_parameter_is_no_kernel_for_all() -> None:
    a = Symbol("a", positive=True)
    kernel = kernels.network(3, (a - 1) * sympy.tanh(activations.x), weight_variance=1)
    with pytest.raises(AsymptokError, match="a"):
        expand(kernel, 1, 1)


@pytest.mark.slow
def test_symbolic_variances_go_through_two_hidden_layers() -> None:
    kernel = kernels.network(3, weight_variance=w, bias_variance=b, tangent=True)
    assert decay(kernel).nu == Rational(1, 2)
    assert check(kernel).holds is True


@pytest.mark.parametrize(
    "bad",
    [
        {"depth": 0},
        {"depth": "x"},
        {"depth": 2, "activation": "step", "tangent": True},
        {"depth": 2, "weight_variance": 0},
        {"depth": 2, "bias_variance": -1},
        {"depth": 2, "bias_variance": 1},
        {"depth": 2, "trained": "first"},
        {"depth": 2, "tangent": True, "trained": "middle"},
        {"depth": 2, "tangent": True, "trained": {3}},
        {"depth": 2, "tangent": True, "trained": set()},
        {"depth": 2, "activation": "1/sinh(x)"},
        {"depth": 2, "activation": "nothing"},
    ],
)
def test_what_is_no_network_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(AsymptokError):
        kernels.network(**bad)


# depth as a symbol ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", [kernels.ntk, kernels.random_features])
@pytest.mark.parametrize("depths", [(2, 3, 8), pytest.param(tuple(range(2, 13)), marks=pytest.mark.slow)])
def test_symbolic_depth_agrees_with_every_depth(family: Any, depths: tuple[int, ...]) -> None:
    general = {term.exponent: term.coefficient for term in expand(family(L), 1, 4).terms}
    for depth in depths:
        special = {term.exponent: term.coefficient for term in expand(family(depth), 1, 4).terms}
        assert set(special) <= set(general)
        for exponent, coefficient in general.items():
            difference = coefficient.subs(L, depth) - special.get(exponent, 0)
            assert sympy.expand(difference) == 0, (depth, exponent)


def test_the_constants_of_every_depth() -> None:
    plus = expand(kernels.ntk(L), 1, 1)
    assert sympy.expand(plus.coefficient + sqrt(2) * L * (L - 1) / (2 * pi)) == 0
    features = expand(kernels.random_features(L), 1, 2)
    assert sympy.expand(features.coefficient - 2 * sqrt(2) * (L - 1) / (3 * pi)) == 0
    assert (plus.nu, features.nu) == (Rational(1, 2), Rational(3, 2))
    # THEORY: independent values of c_-1
    minus = expand(kernels.ntk(L), -1, 1).coefficient
    values = {2: "-0.450158158078553", 3: "-0.225079079039277", 5: "-0.090186945551651"}
    for depth, value in values.items():
        assert abs(sympy.N(minus.subs(L, depth), 20) - sympy.Float(value, 20)) < 1e-14


def test_laws_of_every_depth() -> None:
    law = decay(kernels.ntk(L))
    assert law.nu == Rational(1, 2)
    assert check(kernels.ntk(L)).holds is True
    found = law.even.constant(3).subs(L, 4)
    assert abs(sympy.N(found - decay(kernels.ntk(4)).even.constant(3), 30)) < 1e-25


def test_a_depth_is_put_in() -> None:
    assert (
        kernels.ntk(L).subs(L=5).expr == kernels.ntk(5).expr.expand()
        or abs(kernels.ntk(L).subs(L=5).evaluate("0.2", dps=25) - kernels.ntk(5).evaluate("0.2", dps=25))
        < mpmath.mpf(10) ** -24
    )
    with pytest.raises(AsymptokError):
        kernels.ntk(L).subs(L=1)
    with pytest.raises(AsymptokError):
        kernels.ntk(Symbol("M", real=True))
    with pytest.raises(AsymptokError):
        kernels.ntk(L).evaluate("0.5")


def test_the_slopes_at_minus_one() -> None:
    assert SlopeProduct(L).is_positive
    product = mpmath.mpf(1)
    value = mpmath.mpf(0)
    for _ in range(2, 6):
        product *= (mpmath.pi - mpmath.acos(value)) / mpmath.pi
        value = (value * (mpmath.pi - mpmath.acos(value)) + mpmath.sqrt(1 - value**2)) / mpmath.pi
    assert abs(sympy.N(SlopeProduct(6), 20) - product) < 1e-14


def test_the_induction_sees_a_wrong_coefficient() -> None:
    from asymptok.functions import depth

    features, tangents = (list(rows) for rows in coefficients(8))
    features[5] += 1
    with pytest.raises(AsymptokError, match="not confirmed"):
        depth._prove(features, tangents, 8)


def test_depth_to_infinity() -> None:
    """1 - RF_L(1-t) ~ 9 pi^2/(2 L^2): the parabolic fixed point."""
    value, depth = mpmath.mpf("0.5"), 4000
    for _ in range(depth - 1):
        value = (value * (mpmath.pi - mpmath.acos(value)) + mpmath.sqrt(1 - value**2)) / mpmath.pi
    assert abs((1 - value) * depth**2 / (9 * mpmath.pi**2 / 2) - 1) < 0.02
    assert kernels.random_features(2).expr.has(u)


@pytest.mark.parametrize(
    "kernel", [dual("selu"), kernels.network(2, "gelu", tangent=True), 2 * dual("relu6") + dual("erf")]
)
def test_means_of_products_are_positive_definite_by_the_way_they_are_made(kernel: Kernel) -> None:
    assert kernel.mean_product
    assert check(kernel, 3)["positive definite"].status == "proved"


def test_what_is_no_mean_of_products_does_not_count_as_one() -> None:
    one, other = dual("selu"), dual("erf")
    for kernel in (
        one - other,
        1 - one,
        -one,
        -1 * one,
        one * -2,
        one / -2,
        one.compose("-u"),
        one.diff(),
        one + Kernel("-u"),
    ):
        assert not kernel.mean_product
    for kernel in (one * other, one + 3, one / 2, one**2, one.named("x"), Kernel(one)):
        assert kernel.mean_product
    a = Symbol("a", positive=True)
    assert dual(activations.elu(a)).subs(a=2).mean_product


@pytest.mark.parametrize("at", [1, -1])
@pytest.mark.parametrize(
    ("name", "tangent", "nu"),
    [("elu", True, Rational(3, 2)), ("hard_tanh", False, Rational(3, 2)), ("relu6", True, Rational(1, 2))],
)
def test_layers_whose_singular_parts_cancel(name: str, tangent: bool, nu: Rational, at: int) -> None:
    """Each quadrant probability of a layer has a square root at the ends; their sum must be seen not to have it."""
    kernel = kernels.network(3, name, tangent=tangent)
    expansion = expand(kernel, at=at, order=2)
    assert expansion.nu == nu
    with mpmath.workdps(40):
        far, near = mpmath.mpf(2) ** -16, mpmath.mpf(2) ** -20
        rest = [
            abs(kernel.evaluate(at * (1 - x), dps=35) - expansion.evaluate(x, dps=35)) for x in (far, near)
        ]
        slope = mpmath.log(rest[0] / rest[1]) / mpmath.log(far / near)
    # what follows is t^(5/2), or t^3 where that is absent, up to a relative sqrt(far)
    assert 2.45 < slope < 3.2


def test_a_network_is_smooth_inside_by_the_way_it_is_made() -> None:
    kernel = kernels.network(3, "Max(x - 1, 0)*x")
    verdicts = check(kernel)
    assert verdicts.holds is True
    assert decay(kernel).nu == Rational(3, 2) and expand(kernel, at=-1, order=2).nu is None


@pytest.mark.parametrize("other", ["abs(u)", "u**2*exp(-u)", "2 - abs(u)"])
def test_a_function_with_values_above_zero_is_no_mean(other: str) -> None:
    mean = dual("relu6")
    for kernel in (mean + Kernel(other), mean * Kernel(other), Kernel(other) * mean):
        assert not kernel.mean_product
    assert (mean * 2 + 1).mean_product and (mean * w).mean_product and not (mean * -2).mean_product


def test_a_name_as_a_variance_is_a_positive_parameter() -> None:
    w, b = sympy.symbols("w b", positive=True)
    named = kernels.network(3, weight_variance="w", bias_variance="b")
    assert named.expr == kernels.network(3, weight_variance=w, bias_variance=b).expr
    assert kernels.relu_network(2, weight_variance="w").parameters == {w: (0, sympy.oo)}
    for taken in ("u", "x"):
        with pytest.raises(AsymptokError, match=f"depends on {taken}"):
            kernels.network(2, weight_variance=taken)


def test_the_constants_of_a_deep_selu_network_are_well_conditioned() -> None:
    # powers of exp(4000) in their coefficients cancel before they are computed
    assert decay(kernels.network(3, "selu")).nu == Rational(3, 2)
