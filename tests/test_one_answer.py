"""Two answers of the package about one kernel never contradict each other, and what one road proves the others know."""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest
from deceptive_kernels import deceptive_kernels, without_parameters
from flint import arb
from kernel_table import CASES
from overlaps import Answers
from random_kernels import draw, is_kernel
from sympy import Expr, Integer, Rational, S, oo, sqrt

from asymptok import Kernel, certify, check, dual, kernels
from asymptok.errors import Contradiction
from asymptok.proofs.crosscheck import Size, require_agreement

SEED = int(os.environ.get("ASYMPTOK_SEED", "20261119"))
#: random and deceptive kernels that are drawn; RANDOM_KERNELS=1000 in the environment asks for more
MANY = int(os.environ.get("RANDOM_KERNELS", "8"))
WENDLAND = "max(1-sqrt(2*(1-u)),0)**4*(4*sqrt(2*(1-u))+1)"
TEXTS = (
    WENDLAND, "kappa1(u)+abs(u-1/3)**7", "kappa1(u)-abs(u-1/3)**7/1000", "abs(u)", "max(u-1/3,0)*exp(u)", "1/(1+u**2)",
    "exp(-1/(1-u))", "abs(u)**(1/3)", "log(abs(u-1/2))", "sign(u-1/3)", "sin(u)/u", "tan(u)", "cos(sqrt(1-u))",
    "abs(u-1/2)*sqrt(1-u)", "1/(101/100-u**2)", "(1-u)**(-1/4)", "acos(cos(u))", "sqrt(1-u)/(3*u-1)-sqrt(2/3)/(3*u-1)",
    "exp(-sqrt(2-2*u))", "exp(-(1-u)**(3/4))", "1/(5/4-u)", "-log(3/2-u)", "acos(u)", "(1-u**2)**(3/2)", "cosh(u)",
    "(1+u)**2*sqrt(1-u)*exp(u)", "(1-u)*log(1-u)", "(1-u)**sqrt(2)", "kappa1((9*u+1)/10)", "sqrt(1-u**4)",
    "ntk(3)*laplace(1)",
    "kappa0(u)**2+sqrt(1+u)", "besselj(0,u)", "log(1+sqrt(1-u))", "abs(u)**3/100+exp(-sqrt(1-u))", "cos(7*u)/(1+u**2)",
    "kappa1(u)+exp(u)", "acos(u)+cos(u)", "abs(u)+u*exp(u)", "u*acos(-u)+sqrt(1-u**2)", "u+1/(u+3/2)",
)  # fmt: skip
ACTIVATIONS = (
    "relu",
    "leaky_relu(1/10)",
    "step",
    "elu",
    "gelu",
    "tanh",
    "erf",
    "sin",
    "hard_tanh",
    "softplus",
)


def _tables() -> list[Kernel]:
    named = [case.kernel for case in CASES if "symbolic" not in case.tags]
    return [*named, *map(Kernel, TEXTS), *(dual(name) for name in ACTIVATIONS)]


# the comparison itself ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        (Size(S.Zero, Integer(-5)), Size(S.Zero, Integer(-3))),
        (Size(S.Zero, Integer(-3)), Size(S.Zero, Integer(-3), S.One)),
        (Size(S.Zero, -sqrt(2)), Size(S.Zero, Rational(-7, 5))),
        (Size(Integer(-1), Integer(9)), Size(S.Zero, Integer(-9))),
        (Size(S.Zero, -oo), Size(S.Zero, Integer(-99))),
        (Size(-oo, oo), Size(Integer(-9))),
        (Size(-oo, -oo), Size(-oo)),
        (Size(S.Zero, S.Zero, S.Zero, arb(1)), Size(S.Zero, S.Zero, S.Zero, arb(2))),
    ],
)
def test_sizes_are_ordered(smaller: Size, larger: Size) -> None:
    assert larger.surely_above(smaller)
    assert not smaller.surely_above(larger)
    assert not smaller.surely_above(smaller)


def _tampered(expr: str, **changes: object) -> None:
    found = certify(expr, 3)
    require_agreement(found)
    require_agreement(replace(found, even=replace(found.even, **changes)))


@pytest.mark.parametrize(
    ("expr", "changes"),
    [
        ("exp(-sqrt(1-u))", {"low": "0.354", "high": "0.36"}),  # the limit is sqrt(2)/4 = 0.35355...
        ("exp(-sqrt(1-u))", {"low": "0.35", "high": "0.3535"}),
        ("exp(-sqrt(1-u))", {"low": "-0.36", "high": "-0.35"}),
        ("exp(-sqrt(1-u))", {"rate": Integer(-4)}),
        ("exp(-sqrt(1-u))", {"rate": Integer(-2)}),
        ("exp(-sqrt(1-u))", {"log_power": 1}),
        ("abs(u-1/3)", {"low": "-0.73", "high": "0.73"}),  # the limsup is 0.73042...
        ("abs(u-1/3)", {"rate": Integer(-3)}),
    ],
)
def test_a_certificate_that_says_something_else_than_the_law_is_a_defect(
    expr: str, changes: dict[str, object]
) -> None:
    with pytest.raises(Contradiction, match="decay"):
        _tampered(expr, **changes)


def test_bounds_that_are_weaker_than_the_law_are_none() -> None:
    _tampered("exp(-sqrt(1-u))", low="0.3535", high="0.3536")
    _tampered("abs(u-1/3)", low="-0.731", high="0.731")
    _tampered("abs(u-1/3)", rate=Integer(-2))


# what one road proves the others know -----------------------------------------------------------------------------


def test_wendlands_kernel_has_one_answer() -> None:
    found = Answers(Kernel(WENDLAND), 3)
    assert found.contradictions == []
    assert found.definite.status == "proved"
    assert found.certificate.positive_definite
    assert found.law.even.at(3).exponent(3) == -5


@pytest.mark.parametrize("expr", ["1/(1+u**2)", "abs(u-1/3)", "abs(u)**3+9*kappa1(u)", "exp(-1/(1-u))"])
def test_a_negative_eigenvalue_is_in_the_certificate(expr: str) -> None:
    found = certify(expr, 4)
    assert found.positive_definite is False
    assert found.upper(found.offending) < 0
    assert check(expr, 4)["positive definite"].status == "refuted"
    assert found.recheck().holds


@pytest.mark.slow
@pytest.mark.parametrize("kernel", _tables(), ids=str)
def test_no_two_answers_about_the_tables(kernel: Kernel) -> None:
    for d in (3, 6) if len(str(kernel)) < 60 else (4,):
        assert Answers(kernel, d).contradictions == []


@pytest.mark.slow
@pytest.mark.parametrize("depth", [3, 5])
def test_no_two_answers_about_deep_networks(depth: int) -> None:
    for kernel in (kernels.ntk(depth), kernels.network(3, bias_variance=Rational(1, 10), weight_variance=2)):
        assert Answers(kernel, depth).contradictions == []


def _drawn(count: int, seed: int) -> list[Expr]:
    rng, found = random.Random(seed), []
    while len(found) < count:
        expr = draw(rng, 2)
        if is_kernel(expr):
            found.append(expr)
    return found


@pytest.mark.slow
def test_no_two_answers_about_random_kernels() -> None:
    false = [(e, lies) for e in _drawn(MANY, SEED) if (lies := Answers(Kernel(e), 3).contradictions)]
    assert not false, f"seed {SEED}"


@pytest.mark.slow
def test_no_two_answers_about_deceptive_kernels() -> None:
    cases = [without_parameters(case) for case in deceptive_kernels(MANY // 2, SEED)]
    false = [(c.expr, lies) for c in cases if (lies := Answers(Kernel(c.expr), 4).contradictions)]
    assert not false, f"seed {SEED}"
