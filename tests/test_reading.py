"""What LaTeX and MathML show is what was computed: random constants and those of kernels, read back."""

from __future__ import annotations

import random
from collections.abc import Callable

import mpmath
import pytest
import sympy
from mpmath import mpf
from reading import read_latex, read_mathml
from sympy import (
    Add,
    Expr,
    Float,
    Integer,
    Mul,
    N,
    Rational,
    S,
    besselk,
    exp,
    gamma,
    log,
    pi,
    polygamma,
    sqrt,
    symbols,
    sympify,
)

from asymptok import decay, dual, expand, kernels
from asymptok.kernels.kernel import Kernel
from asymptok.show.formula import Formula, Piece, Power, expression, folded, to_latex
from asymptok.show.mathml import folded_mathml, math_lines, to_mathml
from asymptok.symbols import u

C, GAMMA, D = symbols("c gamma d", positive=True)
VALUES = {"c": mpf("1.375"), "gamma": mpf("0.71875"), "d": mpf(3)}


def _in_numbers(expr: Expr) -> mpf | None:
    value = N(expr.subs({s: Float(str(VALUES[s.name]), 40) for s in expr.free_symbols}), 30)
    return mpf(str(value)) if value.is_real and value.is_finite and 1e-15 < abs(value) < 1e25 else None


def _agrees(expr: Expr) -> bool:
    truth = _in_numbers(expr)
    if truth is None:
        return True
    product = Formula((Piece("", (expr, Power(Integer(3), GAMMA))),))
    cube = 3 ** VALUES["gamma"]
    read = [
        read_latex(to_latex(expr), VALUES),
        read_latex(folded(expr), VALUES),
        read_latex(expression(expr).latex(), VALUES),
        read_latex(product.latex(), VALUES) / cube,
        read_mathml(to_mathml(expr), VALUES),
        read_mathml(folded_mathml(expr), VALUES),
        read_mathml(math_lines(expression(expr)), VALUES),
        read_mathml(math_lines(product), VALUES) / cube,
    ]
    return all(abs(value - truth) <= mpf(10) ** -12 * abs(truth) for value in read)


def _random_constant(rng: random.Random, depth: int) -> Expr:
    def number() -> Rational:
        return Rational(rng.choice([1, 2, 3, 5, 7, 11, -1, -2, -3]), rng.choice([1, 1, 2, 3, 4, 6]))

    atoms: list[Callable[[], Expr]] = [
        number,
        lambda: Integer(rng.randint(2, 12)) ** number(),
        lambda: Integer(rng.randint(2, 7)) ** (GAMMA * number() + number()),
        lambda: pi ** number(),
        lambda: C ** number(),
        lambda: sqrt(rng.randint(2, 9)),
        lambda: gamma(abs(number())),
        lambda: gamma(GAMMA + 1),
        lambda: log(rng.randint(2, 9)) ** rng.randint(1, 2),
        lambda: exp(number() * C),
        lambda: polygamma(rng.randint(0, 2), abs(number())),
        lambda: besselk(rng.choice([0, 1, Rational(1, 3)]), abs(number())),
        lambda: S.EulerGamma * GAMMA,
        lambda: D,
    ]
    if depth == 0:
        return rng.choice(atoms)()
    kind = rng.random()
    if kind < 0.5:
        return Mul(*(_random_constant(rng, depth - 1) for _ in range(rng.randint(2, 3))))
    if kind < 0.8:
        return Add(*(_random_constant(rng, depth - 1) for _ in range(2)))
    return _random_constant(rng, depth - 1) ** rng.choice(
        [2, -1, -2, Rational(1, 2), Rational(2, 3), Rational(-4, 3)]
    )


@pytest.mark.parametrize("seed", range(4))
def test_random_constants(seed: int) -> None:
    rng = random.Random(seed)
    with mpmath.workdps(30):
        for _ in range(25):
            constant = _random_constant(rng, rng.choice([1, 1, 2]))
            assert _agrees(constant), constant


@pytest.mark.parametrize(
    "kernel",
    [
        kernels.ntk(3),
        kernels.gamma_exponential("gamma", "c"),
        kernels.gamma_exponential("4/3", "3"),
        kernels.matern("7/3"),
        kernels.matern(1),
        kernels.relu_network(2, bias_variance="1/10"),
        dual("selu"),
        Kernel(sympify("5*(1-u)**(5/3)*exp(u/3)/7")),
    ],
    ids=str,
)
def test_constants_of_kernels(kernel: Kernel) -> None:
    constants = {sympify(x) for at in (1, -1) for term in expand(kernel, at=at, order=2).terms
                 for x in (term.coefficient, term.exponent)}  # fmt: skip
    law = decay(kernel)
    constants |= {
        sympify(c) for side in (law.even, law.odd) for d in (3, 4) if (c := side.constant(d)) is not None
    }
    with mpmath.workdps(30):
        assert [c for c in constants if not _agrees(c)] == []


def test_means_over_two_normal_variables_are_shown_as_such() -> None:
    """kappa^[f], its derivatives with marks, in LaTeX and MathML, and no name of a class."""
    expr = dual("x*tanh(x)").expr
    for order, mark in ((0, ""), (1, "'"), (4, "^{(4)}")):
        node = expr.diff(u, order) if order else expr
        assert rf"\right]{mark}\left(u\right)" in sympy.latex(node)
        assert "hermite" not in to_mathml(node).lower() and "<mover><mi>\u03ba</mi>" in to_mathml(node)
    assert '<mspace width="0.17em"/><mrow><mi>tanh</mi>' in to_mathml(expr)
    assert to_mathml(dual("Heaviside(x - 1)").expr).startswith("<mrow><msub><mi>\u03a6</mi><mn>2</mn></msub>")
