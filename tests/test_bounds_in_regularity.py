"""Bounds that say where a kernel is smooth or analytic: each holds, and what is nearly as large shows it is needed."""

from __future__ import annotations

import math
from typing import Any

import mpmath as mp
import pytest
import sympy
from flint import acb, arb, fmpq
from sympy import I, Rational, S, Symbol, acos, asin, cos, exp, log, pi, sin, sqrt, tanh

from asymptok import u
from asymptok.precision import flint_precision
from asymptok.regularity.bernstein import _is_singular, _thick, continues_to, largest_ellipse
from asymptok.regularity.boxes import Boxes
from asymptok.regularity.rho import rho_ball, rho_of, smallest_rho
from asymptok.regularity.roots import all_roots


def number(value: arb) -> mp.mpf:
    return mp.mpf(value.mid().str(60, radius=False))


# ellipses ----------------------------------------------------------------------------------------------------


def rho(z: Any) -> Any:
    z = mp.mpc(z)
    a = (abs(z - 1) + abs(z + 1)) / 2
    return a + mp.sqrt(a * a - 1)


@pytest.mark.parametrize("z", [S(5) / 4, -S(3), 3 * I / 4, 1 + I, Rational(1, 2) - 2 * I, sqrt(2) + I / 5])
def test_rho_is_the_sum_of_the_semi_axes(z: Any) -> None:
    true = rho(complex(z))
    assert abs(number(rho_ball(z)) - true) < 1e-14 and abs(mp.mpf(sympy.N(rho_of(z, {}), 20)) - true) < 1e-14


def test_the_smallest_of_several() -> None:
    points = [S(2), -S(3) / 2, 3 * I / 2, Rational(9, 8) + I / 2, S.Half, -S(3) / 2 + S(10) ** -30]
    found = smallest_rho([(z, u) for z in points], {})
    assert found is not None and found[1] == [(Rational(9, 8) + I / 2, u)]
    found = smallest_rho([(z, u) for z in (-S(3) / 2, S(3) / 2, S(3))], {})
    assert found is not None and {z for z, _ in found[1]} == {-S(3) / 2, S(3) / 2}
    assert smallest_rho([(S.Half, u), (-S.One, u)], {}) == (None, [])


#: a kernel and its nearest singular point
ELLIPSES: list[tuple[Any, Any]] = [
    (1 / (u**2 + 4) + exp(u), 2j),
    (log(2 - u) + 1 / (3 - u), 2),
    (sqrt(2 - u) / (3 + u), 2),
    (exp(1 / (2 - u)), 2),
    (asin(2 * u / 3), 1.5),
    ((u - 2) / (u**2 - 4), -2),
    (tanh(u), 1j * mp.pi / 2),
    (exp(sqrt(3 + u)), -3),
]  # fmt: skip


@pytest.mark.parametrize(("kernel", "point"), ELLIPSES, ids=[str(k) for k, _ in ELLIPSES])
def test_rho_is_that_of_the_nearest_singular_point(kernel: Any, point: Any) -> None:
    found = largest_ellipse(kernel, {})
    assert found.complete and found.attained
    assert abs(mp.mpf(sympy.N(found.rho, 20)) - rho(point)) < 1e-12


@pytest.mark.parametrize(
    "kernel",
    [
        # acos(1 - w^2) = sqrt(2) w (1 + w^2/12 + ...) is analytic at w = 0
        acos(1 - (2 - u) ** 2 / 9),
        asin(1 - (2 - u) ** 2 / 9),
        acos(1 - (2 - u) ** 2 / 16) + u,
        1 / (u - 2) - 5 / (u**2 + u - 6),  # 1/(u + 3)
        (exp(u) - exp(2)) / (2 - u) + 1 / (3 + u),
        cos(sqrt(u**2 - 4 * u + 5)),  # even in the root
        sqrt((2 - u) ** 2 * (3 - u)) / 5,
        (asin(u / 2) - asin(u / 2)) + u,
        1 / (1 + exp(1 / (2 - u)) * exp(-1 / (2 - u))),
        log(exp(u)),
        cos(acos(u / 2)),
    ],
    ids=str,
)
def test_what_cancels_is_not_attained(kernel: Any) -> None:
    """The singular points of a part: 2, 2 +- i, ... are none of the whole."""
    found = largest_ellipse(kernel, {})
    if found.attained and found.rho is not sympy.oo:
        assert mp.mpf(sympy.N(found.rho, 20)) > rho(2.5)


def test_a_singularity_needs_a_simple_crossing() -> None:
    """x crosses the branch point of f only where x' != 0 there; a pole stays one."""
    for x, crosses in (
        (1 - (2 - u) ** 2 / 9, False),
        (u / 2, True),
        (u - 1, True),
        (1 + (u - 2) ** 3, False),
    ):
        for f in (acos(x), asin(x)):
            assert _is_singular(f, f, S(2), {}) is crosses
    root = sympy.Pow(u**2 - 4 * u + 4, S.Half, evaluate=False)
    assert not _is_singular(root, root, S(2), {})
    assert _is_singular((u**2 - 4 * u + 4) ** -1, (u**2 - 4 * u + 4) ** -1, S(2), {})


def test_a_path_of_overlapping_discs() -> None:
    """Along it and at its end the expression is analytic; where it is not, no path gets by."""
    for kernel, z, regular in (
        (1 / (2 - u), S(2), False),
        (1 / (2 - u), Rational(19, 10), True),
        (1 / (2 - u), S(3), False),
        (sqrt(2 - u), S(2), False),
        (1 / (u**2 + 4), 2 * I, False),
        (1 / (u**2 + 4), 2 * I - I / 16, True),
        (1 / (u**2 + 4), 3 * I, False),
        (1 / (u - 2 - I / 10**6), S(3), False),
        (exp(u) * u, S(7), True),
        (asin(4 * asin(2 * u / 3) / (3 * pi)), 3 / (2 * sqrt(2)), True),
    ):
        assert continues_to(kernel, z) is regular
    with flint_precision(128):
        steps = 16
        pieces = [_thick(acb(arb(2 * j + 1, 1)) / (2 * steps), steps) for j in range(steps + 1)]
        for j, piece in enumerate(pieces):
            for x in (fmpq(j, steps), fmpq(j + 1, steps)):
                around = acb(arb(x) + arb(0, "1e-20"), arb(0, "1e-20"))
                assert piece.contains(around)
        assert Boxes(1 / (2 - u)).at(acb(arb(2, 0.5))) is None
        assert Boxes(exp(u)).at(acb(arb(2, 0.5))).contains(acb(2).exp())  # type: ignore[union-attr]


# roots ----------------------------------------------------------------------------------------


def test_roots_lie_in_their_brackets() -> None:
    for g, true in (
        (cos(u) - u, "0.73908513321516064165531208767387340401"),
        (exp(u) - Rational(3, 2), None),
    ):
        found, _ = all_roots(g)
        assert len(found) == 1 and found[0].high - found[0].low <= Rational(1, 2**150)
        exact = S(true) if true else log(Rational(3, 2))
        assert found[0].low <= exact + S(10) ** -37 and exact - S(10) ** -37 <= found[0].high
    assert len(all_roots(sin(7 * u) - Rational(1, 3))[0]) == 5 - (math.asin(1 / 3) + 2 * math.pi > 7)
    assert all_roots((u - Rational(1, 3)) ** 2) == ([], [])


def test_where_a_parameter_moves_the_singular_point() -> None:
    c = Symbol("c", positive=True)
    found = largest_ellipse(1 / (2 + c - u), {c: (S.Zero, S.One)})
    assert found.rho is not None and sympy.simplify(found.rho - (2 + c + sqrt((2 + c) ** 2 - 1))) == 0
