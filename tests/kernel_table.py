"""One table of named kernels with their exact behaviour at the ends and the law of their eigenvalues.

Every number is written down from the formulas of the literature, by hand; nothing is computed by the package. All
test modules share it: `CASES` is the list, `tagged("deep")` a part of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import (
    Expr,
    Rational,
    S,
    factorial,
    factorial2,
    gamma,
    pi,
    rf,
    sqrt,
    symbols,
)

from asymptok import Kernel, kernels
from asymptok.functions.arccosine import ArcCosine

g, c, r, n = symbols("gamma c r nu", positive=True)
HALF = Rational(1, 2)


@dataclass(frozen=True)
class Law:
    """What holds for one parity; nu, coefficient (c_1 +- c_-1) and log power for "algebraic"."""

    kind: str
    nu: Expr | None = None
    coefficient: Expr | None = None
    log_power: int = 0
    zero_from: int | None = None
    rho: Expr | None = None


@dataclass(frozen=True)
class Case:
    """A kernel with nu, the coefficients of t^nu (log t)^log_power at both ends, both laws, and tags."""

    name: str
    make: Callable[[], Kernel]
    nu: Expr | None
    plus: Expr | None
    minus: Expr | None
    even: Law
    odd: Law
    tags: frozenset[str]
    log_power: int = 0

    @property
    def kernel(self) -> Kernel:
        return self.make()

    def __str__(self) -> str:
        return self.name


def zero(start: int) -> Law:
    return Law("zero", zero_from=start)


def geometric(rho: Any) -> Law:
    return Law("geometric", rho=S(rho))


FAST = Law("superpolynomial")


def both_ends(
    name: str,
    make: Callable[[], Kernel],
    nu: Any,
    plus: Any,
    minus: Any,
    *tags: str,
    log_power: int = 0,
    **laws: Law,
) -> Case:
    """A case of the theorem; a parity whose coefficient vanishes must be given its law."""
    nu, plus, minus = S(nu), S(plus), S(minus)
    even = laws.get("even") or Law("algebraic", nu, plus + minus, log_power)
    odd = laws.get("odd") or Law("algebraic", nu, plus - minus, log_power)
    return Case(name, make, nu, plus, minus, even, odd, frozenset(tags), log_power)


def no_power(name: str, make: Callable[[], Kernel], even: Law, odd: Law, *tags: str) -> Case:
    return Case(name, make, None, None, None, even, odd, frozenset(tags))


# arc-cosine kernels: kappa_n = (J_n/pi)/(2n-1)!! ---------------------------------------------------------------


def _arc_cosine(n: int) -> Case:
    size = sqrt(2) / pi * factorial(n) ** 2 / rf(Rational(3, 2), n) / factorial2(2 * n - 1)
    law = {"odd": zero(n + 2)} if n % 2 else {"even": zero(n + 2)}
    tags = ("theorem", "arc-cosine", "half-integer")
    return both_ends(
        f"arc-cosine {n}", lambda: kernels.arc_cosine(n), n + HALF, (-1) ** (n + 1) * size, size, *tags, **law
    )


# deep networks: b_2 = 0, b_l = kappa_1(b_(l-1)), and the product of kappa_0(b_j) for j = 2 .. L-1 ----------------


def _product(depth: int) -> Expr:
    result, b = S.One, S.Zero
    for _ in range(2, depth):
        result *= ArcCosine(0, b)
        b = ArcCosine(1, b)
    return result


def _random_features(depth: int) -> Case:
    size = 2 * sqrt(2) / (3 * pi)
    law = {"odd": zero(3)} if depth == 2 else {}
    tags = ("theorem", "half-integer", "random-features", "deep" if depth > 2 else "shallow")
    return both_ends(
        f"random features {depth}", lambda: kernels.random_features(depth), Rational(3, 2), (depth - 1) * size,
        size * _product(depth), *tags, **law,
    )  # fmt: skip


def _ntk(depth: int) -> Case:
    size = -sqrt(2) / pi
    law = {"odd": zero(3)} if depth == 2 else {}
    tags = ("theorem", "half-integer", "ntk", "deep" if depth > 2 else "shallow")
    return both_ends(
        f"ntk {depth}", lambda: kernels.ntk(depth), HALF, Rational(depth * (depth - 1), 2) * size,
        size * _product(depth), *tags, **law,
    )  # fmt: skip


def _step(depth: int) -> Case:
    """kappa_0(1-x) = 1 - (sqrt(2)/pi) x^(1/2) - ..., applied again and again."""
    size = S.One
    for _ in range(depth - 1):
        size = sqrt(2) / pi * sqrt(size)
    nu = Rational(1, 2 ** (depth - 1))
    if depth == 2:
        return both_ends(
            "step 2", lambda: kernels.step_features(2), nu, -size, size, "theorem", "step", even=zero(2)
        )
    return both_ends(
        f"step {depth}", lambda: kernels.step_features(depth), nu, -size, 0, "step", "two-exponents"
    )


def _step_relu(depth: int) -> Case:
    size = sqrt(2) / pi
    return both_ends(
        f"step under ReLU {depth}", lambda: kernels.step_features(depth, relu_above=True), HALF, -size,
        size * _product(depth), "theorem", "step",
    )  # fmt: skip


def _matern(nu: Any) -> Case:
    """nu^nu Gamma(-nu)/Gamma(nu) t^nu, from the two power series that make up K_nu."""
    nu = S(nu)
    coefficient = nu**nu * gamma(-nu) / gamma(nu)
    tag = "half-integer" if nu.q == 2 else "fraction"
    return both_ends(f"Matern {nu}", lambda: kernels.matern(nu), nu, coefficient, 0, "stationary", tag)


CASES: tuple[Case, ...] = (
    *(_arc_cosine(n) for n in range(6)),
    *(_random_features(depth) for depth in range(2, 7)),
    *(_ntk(depth) for depth in (2, 3, 4, 5, 6, 10)),
    *(_step(depth) for depth in range(2, 6)),
    *(_step_relu(depth) for depth in (3, 4)),
    both_ends(
        "first-layer NTK", kernels.first_layer_ntk, HALF, -sqrt(2) / (2 * pi), -sqrt(2) / (2 * pi), "theorem",
        "half-integer", odd=zero(3),
    ),
    both_ends("Laplace", kernels.laplace, HALF, -1, 0, "stationary", "half-integer"),
    both_ends("Laplace, c", lambda: kernels.laplace(c), HALF, -c, 0, "stationary", "symbolic"),
    both_ends("gamma-exponential", lambda: kernels.gamma_exponential(g, c), g / 2, -c, 0, "stationary", "symbolic"),
    both_ends(
        "gamma-exponential, sqrt(2)", lambda: kernels.gamma_exponential(sqrt(2)), sqrt(2) / 2, -1, 0, "stationary",
        "irrational",
    ),
    *(_matern(nu) for nu in (HALF, Rational(3, 2), Rational(5, 2), Rational(1, 3), Rational(7, 4))),
    both_ends(
        "Matern, 0 < nu < 1", lambda: Kernel(kernels.matern(n), parameters={n: (0, 1)}), n, n**n * gamma(-n) / gamma(n),
        0, "stationary", "symbolic",
    ),
    both_ends("Matern 1", lambda: kernels.matern(1), 1, 1, 0, "stationary", "log", log_power=1),
    both_ends("Matern 2", lambda: kernels.matern(2), 2, -2, 0, "stationary", "log", log_power=1),
    both_ends(
        "sign activation", lambda: Kernel("1 - (2/pi)*acos(u)"), HALF, -2 * sqrt(2) / pi, 2 * sqrt(2) / pi, "theorem",
        "half-integer", even=zero(0),
    ),
    both_ends(
        "leaky ReLU, slopes 1 and 1/5",
        lambda: Kernel("(8/25)*(u*(pi - acos(u)) + sqrt(1 - u**2))/pi + u/5"), Rational(3, 2),
        Rational(8, 25) * 2 * sqrt(2) / (3 * pi), Rational(8, 25) * 2 * sqrt(2) / (3 * pi), "theorem", "half-integer",
        odd=zero(3),
    ),
    both_ends(
        "residual NTK of one block", lambda: Kernel(kernels.ntk(2).expr + kernels.ntk(1).expr), HALF, -sqrt(2) / pi,
        -sqrt(2) / pi, "theorem", "half-integer", odd=zero(3),
    ),
    # laws beyond the theorem's class
    both_ends(
        "two exponents", lambda: Kernel("(1-u)**(1/3) + sqrt(1+u)"), Rational(1, 3), 1, 0, "two-exponents"
    ),
    both_ends(
        "a lead that cancels", lambda: Kernel("(1-u)**(1/3) - (1+u)**(1/3) + sqrt(1-u)"), Rational(1, 3), 1, -1,
        "cancelling", even=Law("algebraic", HALF, S.One),
    ),
    both_ends(
        "odd part entire", lambda: Kernel("sqrt(1-u**2) + sin(u)"), HALF, sqrt(2), sqrt(2), "cancelling", odd=FAST
    ),
    both_ends("log times root", lambda: Kernel("sqrt(1-u)*log(1-u)"), HALF, 1, 0, "log", log_power=1),
    both_ends("log squared", lambda: Kernel("(1-u)*log(1-u)**2"), 1, 1, 0, "log", log_power=2),
    no_power("Gaussian", kernels.gaussian, FAST, FAST, "entire"),
    no_power("Gaussian, c", lambda: kernels.gaussian(c), FAST, FAST, "entire", "symbolic"),
    no_power("exponential", lambda: kernels.exponential(2), FAST, FAST, "entire"),
    no_power("sin activation", lambda: Kernel("sinh(u)/E"), zero(0), FAST, "entire"),
    no_power("cos activation", lambda: Kernel("cosh(u)/E"), FAST, zero(1), "entire"),
    no_power("erf network", kernels.erf_network, zero(0), geometric((3 + sqrt(5)) / 2), "analytic"),
    no_power(
        "GELU activation", lambda: Kernel("u/4 + (1/sqrt(4-u**2) + u*asin(u/2))/(2*pi)"), geometric(2 + sqrt(3)),
        zero(3), "analytic",
    ),
    no_power(
        "rational quadratic", lambda: kernels.rational_quadratic(1), geometric(2 + sqrt(3)), geometric(2 + sqrt(3)),
        "analytic",
    ),
    no_power("Cauchy", lambda: kernels.cauchy(4), geometric(2), geometric(2), "analytic"),
    no_power("Poisson", lambda: kernels.poisson(Rational(1, 3), 3), geometric(3), geometric(3), "analytic"),
    no_power("Poisson, r", lambda: kernels.poisson(r, 5), geometric(1 / r), geometric(1 / r), "analytic", "symbolic"),
    no_power("polynomial", lambda: kernels.polynomial(3), zero(4), zero(5), "finite-rank"),
    no_power("monomial", lambda: kernels.polynomial(4, 0), zero(6), zero(1), "finite-rank"),
    no_power("flat end", lambda: Kernel("exp(-1/(1-u)) + u**2"), FAST, FAST, "flat"),
    no_power("flat ends, even", lambda: Kernel("exp(-1/(1-u**2))"), FAST, zero(1), "flat"),
)  # fmt: skip


def tagged(*tags: str) -> list[Case]:
    """The cases that carry all the tags."""
    return [case for case in CASES if case.tags.issuperset(tags)]


def named(name: str) -> Case:
    return next(case for case in CASES if case.name == name)
