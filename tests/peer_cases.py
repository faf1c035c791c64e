"""Twenty-two kernels on which computer algebra systems were compared, with what is known of them in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import (
    Expr,
    Rational,
    Symbol,
    acos,
    asin,
    besselk,
    cos,
    exp,
    log,
    pi,
    sin,
    sqrt,
)

from asymptok import Kernel, kernels
from asymptok.functions.arccosine import ArcCosine, kappa0, kappa1
from asymptok.symbols import u

c = Symbol("c", positive=True)
g = Symbol("g", positive=True)
HALF, THIRD = Rational(1, 2), Rational(3, 2)


@dataclass(frozen=True)
class Case:
    """A kernel and, at +1 and at -1, its leading non-polynomial term (exponent, coefficient, log power) or None."""

    name: str
    kernel: Kernel
    plus: tuple[Expr, Any, int] | None
    minus: tuple[Expr, Any, int] | None


def _chord() -> Expr:
    return sqrt(2 * (1 - u))


def _order_two() -> Expr:
    theta = acos(u)
    return (3 * sin(theta) * cos(theta) + (pi - theta) * (1 + 2 * cos(theta) ** 2)) / pi


#: products of kappa_0(b_j), j = 2 .. L-1, of the coefficients at -1 of networks of depth L
def nested(depth: int) -> Expr:
    product, b = Rational(1), Rational(0)
    for _ in range(2, depth):
        product *= ArcCosine(0, b)
        b = ArcCosine(1, b)
    return product


CASES = [
    Case("k0", Kernel(kappa0(u)), (HALF, -sqrt(2) / pi, 0), (HALF, sqrt(2) / pi, 0)),
    Case("k1", Kernel(kappa1(u)), (THIRD, 2 * sqrt(2) / (3 * pi), 0), (THIRD, 2 * sqrt(2) / (3 * pi), 0)),
    Case("ntk2", kernels.ntk(2), (HALF, -sqrt(2) / pi, 0), (HALF, -sqrt(2) / pi, 0)),
    Case(
        "rf3", kernels.random_features(3), (THIRD, 4 * sqrt(2) / (3 * pi), 0), (THIRD, sqrt(2) / (3 * pi), 0)
    ),
    Case("ntk3", kernels.ntk(3), (HALF, -3 * sqrt(2) / pi, 0), (HALF, -sqrt(2) / (2 * pi), 0)),
    Case(
        "rf5",
        kernels.random_features(5),
        (THIRD, 8 * sqrt(2) / (3 * pi), 0),
        (THIRD, 2 * sqrt(2) / (3 * pi) * nested(5), 0),
    ),
    Case("ntk5", kernels.ntk(5), (HALF, -10 * sqrt(2) / pi, 0), (HALF, -sqrt(2) / pi * nested(5), 0)),
    Case("ntk10", kernels.ntk(10), (HALF, -45 * sqrt(2) / pi, 0), (HALF, -sqrt(2) / pi * nested(10), 0)),
    Case("laplace", kernels.laplace(), (HALF, -1, 0), None),
    Case("laplace-c", kernels.laplace(c), (HALF, -c, 0), None),
    Case(
        "gamma-exponential", Kernel(exp(-((1 - u) ** (g / 2))), parameters={g: (0, 2)}), (g / 2, -1, 0), None
    ),
    Case("k1(k0)", Kernel(kappa1(kappa0(u))), (HALF, -sqrt(2) / pi, 0), (HALF, 1 / (sqrt(2) * pi), 0)),
    Case(
        "k1(k1(k0))",
        Kernel(kappa1(kappa1(kappa0(u)))),
        (HALF, -sqrt(2) / pi, 0),
        (HALF, sqrt(2) / pi * nested(4), 0),
    ),
    Case("matern1", Kernel(_chord() * besselk(1, _chord())), (Rational(1), HALF, 1), None),
    Case(
        "log + k1",
        Kernel((1 - u) * log(1 - u) + kappa1(u)),
        (Rational(1), 1, 1),
        (THIRD, 2 * sqrt(2) / (3 * pi), 0),
    ),
    Case("gaussian", Kernel(exp(u - 1)), None, None),
    Case(
        "arc-cosine 2",
        Kernel(_order_two()),
        (Rational(5, 2), -16 * sqrt(2) / (15 * pi), 0),
        (Rational(5, 2), 16 * sqrt(2) / (15 * pi), 0),
    ),
    Case("k0^2 + root", Kernel(kappa0(u) ** 2 + sqrt(1 + u)), (HALF, -2 * sqrt(2) / pi, 0), (HALF, 1, 0)),
    Case("asin", Kernel(2 / pi * asin(u)), (HALF, -2 * sqrt(2) / pi, 0), (HALF, 2 * sqrt(2) / pi, 0)),
    Case("erf network", kernels.erf_network(), None, None),
    Case("sqrt(1-u^4)", Kernel(sqrt(1 - u**4)), (HALF, 2, 0), (HALF, 2, 0)),
    Case("k1((9u+1)/10)", Kernel(kappa1((9 * u + 1) / 10)), (THIRD, 9 * sqrt(5) / (25 * pi), 0), None),
]

VALUES = {c: Rational(3, 2), g: Rational(4, 3)}
