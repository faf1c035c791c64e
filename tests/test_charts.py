"""Charts: what the boundary of an ellipse proves about the inside, and which domains are refused."""

from __future__ import annotations

import mpmath as mp
import pytest
from flint import acb, fmpq
from sympy import Expr, Rational, cos, exp, sqrt

from asymptok.atlas.charts import WHOLE, Chart, boundary
from asymptok.atlas.program import program
from asymptok.symbols import u

THIRD = Rational(1, 3)


def test_a_pole_on_another_sheet_stays_outside() -> None:
    """It is lifted at theta = acos(1/3), and left where the root has turned, at -acos(1/3): s = -1.784."""
    kappa = program((sqrt(1 - u) - sqrt(Rational(2, 3))) / (3 * u - 1))
    assert {at for at, _ in kappa.hidden} == {1}
    assert boundary(kappa, WHOLE, fmpq(9, 8)) is not None  # cosh is 1.702
    assert boundary(kappa, WHOLE, fmpq(5, 4)) is None  # 1.888


@pytest.mark.parametrize("side", [1, -1])
def test_an_entire_function_of_a_pole_is_no_analytic_function(side: int) -> None:
    """exp(1/(u-1/3)) is finite all around u = 1/3; the mirror images of the point count as well."""
    kappa = program(exp(side / (u - THIRD)), ends=False)
    place = fmpq(int(mp.floor(mp.acos(mp.mpf(1) / 3) / mp.pi * 1000)), 1000)
    assert boundary(kappa, Chart(place - fmpq(1, 8), place + fmpq(1, 8)), fmpq(1, 2)) is None
    assert boundary(kappa, Chart(fmpq(0), fmpq(1, 4)), fmpq(1, 4)) is not None
    # half-width pi/8: the ellipse reaches theta = -acos(1/3) where cosh is larger than 4.13
    assert boundary(kappa, Chart(fmpq(0), fmpq(1, 4)), fmpq(17, 8)) is None


@pytest.mark.parametrize(
    ("expr", "inside", "outside"),
    [
        (1 / (2 - u), fmpq(3, 4), fmpq(9, 8)),  # the pole lies at theta = i acosh 2, sinh(beta) = 0.838
        (1 / (2 + cos(3 * u)), fmpq(3, 8), fmpq(3, 4)),
        (sqrt(Rational(5, 4) - u), fmpq(1, 2), fmpq(3, 4)),
    ],
    ids=str,
)
def test_a_singular_point_in_an_ellipse_is_noticed(expr: Expr, inside: fmpq, outside: fmpq) -> None:
    kappa = program(expr)
    assert boundary(kappa, WHOLE, inside) is not None and boundary(kappa, WHOLE, outside) is None


@pytest.mark.parametrize("p", [1, 2, 3])
def test_powers_beyond_the_end(p: int) -> None:
    """(1-u)^(1/(2p)) is analytic in s: (1+s)^p is a factor of theta, and s = -1.1 lies beyond the end."""
    kappa = program((1 - u) ** Rational(1, 2 * p))
    chart = Chart(fmpq(0), fmpq(1), p)
    s = acb("-1.1", "0.05")
    found = kappa.run(chart.sample(s))
    z = mp.mpc("-1.1", "0.05")
    ratio = mp.quad(lambda x: (1 - x * x) ** (p - 1), [-1, z]) / mp.quad(
        lambda x: (1 - x * x) ** (p - 1), [0, 1]
    )
    theta = mp.pi / 2 * ratio
    unit = mp.sqrt(2) * mp.sin(theta / 2) / (1 + z) ** p
    value = (1 + z) * mp.exp(mp.log(unit) / p)
    assert abs(complex(found.mid()) - complex(value)) < 1e-12
