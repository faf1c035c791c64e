"""Signs of polynomials in two parameters on open boxes: never a sign that a point refutes."""

from __future__ import annotations

import random

import pytest
from flint import fmpq
from sympy import Poly, Rational, Symbol, factor_list, oo, sqrt, symbols

from asymptok.constants.cylinders import sign_on_box
from asymptok.constants.decide import sign
from asymptok.truth import Sign

a, b = symbols("a b")
HALF_LINE = (fmpq(0), None)
BOXES = [(HALF_LINE, HALF_LINE), ((fmpq(0), fmpq(1)), HALF_LINE), ((None, None), (fmpq(-1), fmpq(2)))]


def _inside(rng: random.Random, bounds: tuple[fmpq | None, fmpq | None]) -> Rational:
    low, high = bounds
    if low is not None and high is not None:
        return Rational(int(low.p), int(low.q)) + (high - low).p * Rational(rng.randint(1, 96), 97)
    return Rational(rng.randint(1, 400), 97) * (1 if low is not None else rng.choice((-1, 1)))


@pytest.mark.parametrize("seed", range(24))
def test_no_point_refutes_a_sign(seed: int) -> None:
    rng = random.Random(seed)
    draw = lambda degree: sum(  # noqa: E731
        rng.randint(-3, 3) * a**i * b**j for i in range(degree + 1) for j in range(degree + 1 - i)
    )
    # a square and something small: near to zero, or through it
    expr = Poly(
        draw(1) ** 2 + Rational(rng.randint(-1, 3), 50) * draw(1) ** 2 + Rational(rng.randint(-1, 2), 9), a, b
    )
    if len(factor_list(expr)[1]) != 1 or factor_list(expr)[1][0][1] != 1 or not {a, b} <= expr.free_symbols:
        return
    terms = {place: fmpq(int(c.p), int(c.q)) for place, c in expr.terms()}
    for x, y in BOXES:
        found = sign_on_box(terms, x, y)
        values = {expr.eval((_inside(rng, x), _inside(rng, y))) > 0 for _ in range(60)}
        assert not found.known or values == {found.positive}


def test_zeros_on_a_critical_line_are_seen() -> None:
    # (a - 1)^2 + (b - 2)^2 vanishes at one point
    terms = {(2, 0): fmpq(1), (1, 0): fmpq(-2), (0, 2): fmpq(1), (0, 1): fmpq(-4), (0, 0): fmpq(5)}
    assert sign_on_box(terms, HALF_LINE, HALF_LINE) is Sign.UNKNOWN
    assert sign_on_box(terms, (fmpq(1), None), HALF_LINE) is Sign.POSITIVE
    assert sign_on_box({**terms, (0, 0): fmpq(6)}, HALF_LINE, HALF_LINE) is Sign.POSITIVE


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (-(b**2) / (a + b) ** 2 + 2 * a * b / (a + b) ** 2 - a**2 / (a + b) ** 2 + 1, Sign.POSITIVE),
        (a**4 + b**4 - a**3 * b - a * b**3 + 1, Sign.POSITIVE),
        (a**3 + b**3 - a * b * (a + b) + 1, Sign.POSITIVE),
        ((a - b) ** 2, Sign.UNKNOWN),
        (sqrt(1 + a**2) - a, Sign.POSITIVE),
        (a / sqrt(1 + a**2) - 1, Sign.NEGATIVE),
        (sqrt(a**2 + b) - a, Sign.POSITIVE),
        (sqrt(1 + a) - 2, Sign.UNKNOWN),
    ],
)
def test_signs_of_constants_with_two_parameters(expr: object, expected: Sign) -> None:
    assert sign(expr, {a: (0, oo), b: (0, oo)}) is expected  # type: ignore[arg-type]


def test_names_do_not_matter() -> None:
    x, y = Symbol("x"), Symbol("y")
    assert sign(x**4 + y**4 - x**3 * y - x * y**3 + 1, {x: (0, oo), y: (0, oo)}) is Sign.POSITIVE
