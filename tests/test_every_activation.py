"""Every named activation, and unusual ones: kappa against quadrature in two dimensions and against Hermite sums.

Both references know nothing of the package: the activations are written here once more, for mpmath. Values at the nodes
carry 25 digits, sums those of an extended double. By default three points; ACTIVATION_POINTS=20 in the environment
makes it twenty.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
from sympy import Rational, pi, sqrt

from asymptok import activations, dual, expand

POINTS = int(os.environ.get("ACTIVATION_POINTS", "3"))
#: panels of length 1/2 end at all kinks of the activations below
REACH = 14
LONG = np.longdouble
SELU = (mpmath.mpf("1.0507009873554804934"), mpmath.mpf("1.6732632423543772848"))


def logistic(x: Any) -> Any:
    return 1 / (1 + mpmath.exp(-x))


NAMED: dict[str, Any] = {
    "relu": lambda x: max(x, 0),
    "leaky_relu": lambda x: x if x > 0 else x / 100,
    "prelu": lambda x: x if x > 0 else x / 4,
    "abs": abs,
    "step": lambda x: int(x > 0),
    "sign": lambda x: 1 if x > 0 else -1,
    "relu_power": lambda x: max(x, 0) ** 2,
    "elu": lambda x: x if x > 0 else mpmath.expm1(x),
    "selu": lambda x: SELU[0] * (x if x > 0 else SELU[1] * mpmath.expm1(x)),
    "celu": lambda x: x if x > 0 else 2 * mpmath.expm1(x / 2),
    "gelu": lambda x: x * mpmath.ncdf(x),
    "silu": lambda x: x * logistic(x),
    "mish": lambda x: x * mpmath.tanh(mpmath.log1p(mpmath.exp(x))),
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "tanh": mpmath.tanh,
    "sigmoid": logistic,
    "erf": mpmath.erf,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "exp": mpmath.exp,
    "gaussian": lambda x: mpmath.exp(-x * x / 2),
    "hard_tanh": lambda x: max(-1, min(x, 1)),
    "relu6": lambda x: min(max(x, 0), 6),
    "hermite": lambda x: (x**3 - 3 * x) / mpmath.sqrt(6),
    "polynomial": lambda x: 1 + x + x * x,
}
PARAMETERS: dict[str, dict[str, Any]] = {
    "prelu": {"slope": "1/4"},
    "relu_power": {"n": 2},
    "celu": {"alpha": 2},
    "hermite": {"n": 3},
    "polynomial": {"coefficients": (1, 1, 1)},
}
TEXTS: dict[str, Any] = {
    # with kinks, and without a closed form
    "Piecewise((x, x > 0), (tanh(x), True))": lambda x: x if x > 0 else mpmath.tanh(x),
    "x/(1 + Abs(x))": lambda x: x / (1 + abs(x)),
    "log(1 + Abs(x))": lambda x: mpmath.log1p(abs(x)),
    "Max(x, 0)/(1 + exp(-x))": lambda x: max(x, 0) * logistic(x),
    "tanh(Max(x, 0))": lambda x: mpmath.tanh(max(x, 0)),
    "cos(x)*Max(x, 0)": lambda x: mpmath.cos(x) * max(x, 0),
    "x*erf(x)*Heaviside(x)": lambda x: x * mpmath.erf(x) if x > 0 else 0,
    "Max(x - 1, 0)/(1 + exp(-x))": lambda x: max(x - 1, 0) * logistic(x),
    "Piecewise((atan(x + 2), x < -2), (0, x < 1), (tanh(x - 1), True))": lambda x: (
        mpmath.atan(x + 2) if x < -2 else 0 if x < 1 else mpmath.tanh(x - 1)
    ),
    # closed forms in unusual clothes
    "where(x > 0, x, 0.1*x)": lambda x: x if x > 0 else x / 10,
    "max(0, x)**3": lambda x: max(x, 0) ** 3,
    "x*exp(-x**2)": lambda x: x * mpmath.exp(-x * x),
    "Heaviside(x - 1)": lambda x: int(x > 1),
    "Max(x, 0) - 2*Max(x - 1, 0) + Max(x - 2, 0)": lambda x: max(x, 0) - 2 * max(x - 1, 0) + max(x - 2, 0),
    "exp(-Abs(x))": lambda x: mpmath.exp(-abs(x)),
    "Abs(x)**3": lambda x: abs(x) ** 3,
    "sin(3*x) + x": lambda x: mpmath.sin(3 * x) + x,
    "x*Min(Max(x + 3, 0), 6)/6": lambda x: x * min(max(x + 3, 0), 6) / 6,
}
CASES = [*((name, f, True) for name, f in NAMED.items()), *((text, f, False) for text, f in TEXTS.items())]


def extended(value: Any) -> Any:
    """A number of mpmath as an extended double."""
    high = float(value)
    return LONG(high) + LONG(float(value - high))


@cache
def rule() -> tuple[list[Any], Any, Any]:
    """The nodes as numbers of mpmath and as doubles, and their weights: Gauss-Legendre on panels of length 1/2."""
    with mpmath.workdps(30):
        base = []
        for start in np.polynomial.legendre.leggauss(16)[0]:
            x = mpmath.mpf(float(start))
            for _ in range(3):  # Newton's method; the last step sees P_16(x) = 0 to 30 digits
                slope = 16 * (x * mpmath.legendre(16, x) - mpmath.legendre(15, x)) / (x * x - 1)
                x -= mpmath.legendre(16, x) / slope
            base.append((x, 2 / ((1 - x * x) * slope**2)))
        nodes = [
            (mpmath.mpf(p) / 2 + (1 + x) / 4, w / 4) for p in range(-2 * REACH, 2 * REACH) for x, w in base
        ]
    points = np.array([extended(x) for x, _ in nodes])
    return [x for x, _ in nodes], points, np.array([extended(w) for _, w in nodes])


@cache
def density(point: Rational) -> Any:
    """w_i w_j p(x_i, x_j), the normal density with correlation `point`."""
    _, x, w = rule()
    u = LONG(int(point.p)) / LONG(int(point.q))
    form = (x[:, None] ** 2 - 2 * u * x[:, None] * x[None, :] + x[None, :] ** 2) / (2 * (1 - u * u))
    return w[:, None] * w[None, :] * np.exp(-form) / (2 * np.arccos(LONG(-1)) * np.sqrt(1 - u * u))


def hermite_squares(values: Any) -> Any:
    """a_n^2 for n <= 480."""
    _, x, w = rule()
    here = w * np.exp(-x * x / 2) / np.sqrt(2 * np.arccos(LONG(-1)))
    before, found = np.zeros_like(x), []
    for n in range(481):
        found.append(np.sum(here * values) ** 2)
        here, before = (x * here - np.sqrt(LONG(n)) * before) / np.sqrt(LONG(n + 1)), here
    return np.array(found)


@pytest.mark.slow
@pytest.mark.skipif(np.finfo(LONG).eps > 1e-18, reason="extended doubles are needed")
@pytest.mark.parametrize(("name", "phi", "named"), CASES, ids=[c[0] for c in CASES])
def test_values(name: str, phi: Any, named: bool) -> None:
    """To 15 digits of kappa(1), which bounds all values."""
    kernel = dual(activations.get(name, **PARAMETERS.get(name, {})) if named else name)
    with mpmath.workdps(25):
        values = np.array([extended(mpmath.mpf(phi(x))) for x in rule()[0]])
    squares = hermite_squares(values)
    size = float(kernel.evaluate(1, dps=18))
    for j in range(POINTS):
        point = Rational(-9, 10) + Rational(18 * j, 10 * (POINTS - 1))
        # 9/10 for the Hermite sum to end, and off the symmetric places
        point = point * Rational(97, 100)
        u = LONG(int(point.p)) / LONG(int(point.q))
        plane = values @ (density(point) @ values)
        line = np.sum(squares * u ** np.arange(481))
        found = extended(kernel.evaluate(point, dps=20))
        assert abs(found - plane) < 1e-15 * size
        assert abs(found - line) < 1e-15 * size


def test_all_names_are_here() -> None:
    assert list(NAMED) == activations.names()


SINGULAR: dict[str, tuple[Any, Any, Any]] = {
    # nu, and c_1, c_-1 from the jumps of the first derivative that has any, times sqrt(2)/pi
    "x/(1 + Abs(x))": (Rational(5, 2), Rational(-32, 15), Rational(32, 15)),
    "log(1 + Abs(x))": (Rational(3, 2), Rational(4, 3), Rational(4, 3)),
    "tanh(Max(x, 0))": (Rational(3, 2), Rational(1, 3), Rational(1, 3)),
    "Piecewise((x, x > 0), (tanh(x), True))": (Rational(7, 2), Rational(16, 105), Rational(16, 105)),
}


@pytest.mark.parametrize(
    "text", [t if t.startswith("x/") else pytest.param(t, marks=pytest.mark.slow) for t in SINGULAR]
)
def test_the_first_jump(text: str) -> None:
    """(-1)^n sqrt(pi)/(2 pi sqrt(2) Gamma(n+1/2)) J^2 for a jump J of the derivative of order n - 1 at zero."""
    nu, plus, minus = SINGULAR[text]
    for at, expected in ((1, plus), (-1, minus)):
        found = expand(dual(text), at=at, order=nu)
        assert found.nu == nu
        assert (found.coefficient - expected * sqrt(2) / pi).expand() == 0


@pytest.mark.slow
@pytest.mark.parametrize("text", ["tanh(Max(x, 0))", "log(1 + Abs(x))"])
def test_expansions_close_to_the_ends(text: str) -> None:
    """What is left of kappa is as small as the remainder says, and scales like it."""
    kernel = dual(text)
    for at in (1, -1):
        expansion = expand(kernel, at=at, order=3)
        left = []
        for t in (Rational(1, 50), Rational(1, 200)):
            value = kernel.evaluate(1 - t if at == 1 else t - 1, dps=13)
            with mpmath.workdps(20):
                left.append(abs(value - expansion.evaluate(mpmath.mpf(t.p) / t.q, dps=20)))
        assert mpmath.mpf(10) ** -9 < left[0] < mpmath.mpf("0.02") ** 3
        # t^(7/2) gives 128
        assert left[1] < left[0] / 100
