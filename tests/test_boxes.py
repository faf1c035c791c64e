"""Every rule of the evaluation on complex boxes against mpmath: values contained, cuts and poles refused."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import pytest
import sympy
from flint import acb, arb
from sympy import I, Rational, pi

from asymptok.atlas.local import Unproved
from asymptok.atlas.program import program
from asymptok.atlas.rewriting import rewritten
from asymptok.balls import ball
from asymptok.functions.orthant import Orthant
from asymptok.precision import flint_precision
from asymptok.symbols import u

half = Rational(1, 2)


def analytic(expr: Any) -> Any:
    """The range on boxes of an expression, by its program without ends."""
    return program(rewritten(expr), ends=False).on_box


#: an expression and places on its cuts, at its poles and branch points: no box around them may be answered
CASES: list[tuple[Any, tuple[Any, ...]]] = [
    (sympy.log(u), (0, -1)),
    (sympy.sqrt(u), (0, -1)),
    (u ** Rational(5, 3), (0, -2)),
    (u**-3, (0,)),
    ((u + 2) ** u, (-2, -3)),
    (sympy.exp(u) * sympy.sin(u) + sympy.cos(u), ()),
    (sympy.sinh(u) - 2 * sympy.cosh(u), ()),
    (sympy.erf(u) + 3 * sympy.erfc(u / 2), ()),
    (sympy.acos(u), (2, -2, 1)),
    (sympy.asin(u), (2, -2, -1)),
    (sympy.atan(u), (2 * I, -2 * I, I)),
    (sympy.asinh(u), (2 * I, -2 * I)),
    (sympy.atanh(u), (2, -2, 1)),
    (sympy.acosh(u), (0, 1, -3)),
    (sympy.acot(u), (0, I / 2, -I / 2)),
    (sympy.acsch(u), (I / 2, -I / 2)),
    (sympy.asec(u), (half, -half, 0)),
    (sympy.acsc(u), (half, -half)),
    (sympy.acoth(u), (half, -half)),
    (sympy.asech(u), (-1, 2, 0)),
    (sympy.LambertW(u), (-1, -1 / sympy.E)),
    (sympy.tan(u), (pi / 2,)),
    (sympy.cot(u), (0, pi)),
    (sympy.sec(u), (pi / 2,)),
    (sympy.csc(u), (0, -pi)),
    (sympy.tanh(u), (I * pi / 2,)),
    (sympy.coth(u), (0, I * pi)),
    (sympy.sech(u), (I * pi / 2,)),
    (sympy.csch(u), (0, -I * pi)),
    (sympy.gamma(u), (0, -1, -4)),
    (sympy.factorial(u), (-1, -2)),
    (sympy.zeta(u), (1,)),
    (sympy.zeta(3, u), (0, -half)),
    (sympy.polylog(2, u), (1, 2)),
    (sympy.elliptic_k(u), (1, 2)),
    (sympy.elliptic_e(u), (1, 2)),
    (sympy.Ei(u), (0,)),
    (sympy.loggamma(u), (0, -Rational(3, 2))),
    (sympy.besselj(2, u), ()),
    (sympy.besselj(half, u), (0, -1)),
    (sympy.besseli(Rational(1, 3), u), (-1,)),
    (sympy.besselk(1, u), (0, -1)),
    (sympy.bessely(0, u), (0, -1)),
    (sympy.polygamma(1, u), (0, -half)),
    (sympy.hyper([1, half], [Rational(3, 2)], u), (1, 2)),
    (sympy.airyai(u), ()),
]

CENTRES = (
    (Rational(3, 10), 0),
    (Rational(1, 5), Rational(17, 10)),
    (-Rational(2, 5), -Rational(9, 10)),
    (Rational(5, 2), Rational(2, 5)),
    (-Rational(23, 10), Rational(3, 5)),
    (-6, 2),
)


def box(x: Any, y: Any, radius: str) -> acb:
    with flint_precision(80):
        return acb(ball(sympy.S(x)) + arb(0, radius), ball(sympy.S(y)) + arb(0, radius))


def names(cases: list[tuple[Any, Any]]) -> list[str]:
    return [str(case[0]) for case in cases]


@pytest.mark.parametrize("expr", [e for e, _ in CASES], ids=names(CASES))
def test_a_box_holds_the_values(expr: Any) -> None:
    f = sympy.lambdify(u, expr, "mpmath")
    kappa, answered = analytic(sympy.S(expr)), 0
    for x, y in CENTRES:
        for radius in ("0.02", "0.3"):
            try:
                with flint_precision(80):
                    found = kappa(box(x, y, radius))
            except Unproved:
                continue
            answered += 1
            r = mp.mpf(radius) * mp.mpf("0.99")
            for sx, sy in ((0, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)):
                z = mp.mpc(
                    mp.mpf(sympy.S(x).p) / sympy.S(x).q + sx * r, mp.mpf(sympy.S(y).p) / sympy.S(y).q + sy * r
                )
                value = mp.mpc(f(z))
                error = arb(0, "1e-11")  # mpmath has 15 digits
                error = error * (1 + abs(acb(value.real, value.imag)))
                assert found.overlaps(acb(arb(value.real) + error, arb(value.imag) + error)), (x, y, radius)
    assert answered >= 4


@pytest.mark.parametrize(("expr", "place"), [(e, p) for e, places in CASES for p in places], ids=str)
def test_a_box_around_a_cut_or_a_pole_is_refused(expr: Any, place: Any) -> None:
    with pytest.raises(Unproved), flint_precision(80):
        analytic(sympy.S(expr))(box(sympy.re(place), sympy.im(place), "0.1"))


def test_an_orthant_in_a_box() -> None:
    """d/du P(X > a, Y > b) = exp(-(a^2 - 2uab + b^2)/(2(1-u^2)))/(2 pi sqrt(1-u^2)), and at u = 0 it is a product."""
    a, b = mp.mpf(1) / 2, -mp.mpf(1) / 3
    kappa = analytic(Orthant(half, -Rational(1, 3), u))
    at_zero = mp.erfc(a / mp.sqrt(2)) * mp.erfc(b / mp.sqrt(2)) / 4
    for x, y in ((Rational(1, 5), Rational(1, 2)), (-half, -Rational(2, 5))):
        z = mp.mpc(mp.mpf(x.p) / x.q, mp.mpf(y.p) / y.q)
        with flint_precision(80):
            found = kappa(box(x, y, "0.02"))
        slope = mp.quad(
            lambda s, z=z: (
                z
                * mp.exp(-(a * a - 2 * s * z * a * b + b * b) / (2 * (1 - (s * z) ** 2)))
                / (2 * mp.pi * mp.sqrt(1 - (s * z) ** 2))
            ),
            [0, 1],
        )
        value = at_zero + slope
        assert found.overlaps(acb(arb(value.real) + arb(0, "1e-11"), arb(value.imag) + arb(0, "1e-11")))
        assert found.real.rad() < 1 and found.imag.rad() < 1
    with pytest.raises(Unproved), flint_precision(80):
        kappa(box(2, 0, "0.1"))
