"""Signs of constants with two parameters on open ranges: never a sign that a point refutes."""

from __future__ import annotations

import random

import pytest
from sympy import Expr, Rational, oo, sqrt, symbols

from asymptok.constants.decide import sign
from asymptok.truth import Sign

a, b = symbols("a b")


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (-(b**2) / (a + b) ** 2 + 2 * a * b / (a + b) ** 2 - a**2 / (a + b) ** 2 + 1, Sign.POSITIVE),
        ((a - b) ** 2, Sign.UNKNOWN),
        (sqrt(1 + a**2) - a, Sign.POSITIVE),
        (a / sqrt(1 + a**2) - 1, Sign.NEGATIVE),
        (sqrt(a**2 + b) - a, Sign.POSITIVE),
        (sqrt(1 + a) - 2, Sign.UNKNOWN),
    ],
)
def test_signs_of_constants_with_two_parameters(expr: Expr, expected: Sign) -> None:
    assert sign(expr, {a: (0, oo), b: (0, oo)}) is expected


@pytest.mark.parametrize("seed", range(24))
def test_no_point_refutes_a_sign(seed: int) -> None:
    rng = random.Random(seed)

    def draw() -> Expr:
        return rng.randint(-3, 3) * a + rng.randint(-3, 3) * b + rng.randint(-3, 3)

    # a square and something small: near to zero, or through it
    expr = draw() ** 2 + Rational(rng.randint(-1, 3), 50) * draw() ** 2 + Rational(rng.randint(-1, 2), 9)
    for top in (1, oo):
        found = sign(expr, {a: (0, top), b: (0, oo)})
        places = [
            {
                a: Rational(rng.randint(1, 96), 97) * (1 if top == 1 else 4),
                b: Rational(rng.randint(1, 400), 97),
            }
            for _ in range(60)
        ]
        if found.nonzero:
            assert {expr.subs(place) > 0 for place in places} == {found.positive}
