"""Kernels of the distance on the sphere, and other classical ones; |x - y|^2 = 2(1 - u)."""

from __future__ import annotations

from sympy import Expr, Integer, Rational, S, Symbol, besselk, exp, factorial, gamma, oo, sqrt

from asymptok.arguments import checked_dimension, whole_number
from asymptok.errors import AsymptokError
from asymptok.kernels.construction import named
from asymptok.kernels.kernel import Kernel
from asymptok.parameters import Range, assumed_in, intersect, number_or_symbol, symbol_in
from asymptok.symbols import u

__all__ = [
    "cauchy",
    "exponential",
    "gamma_exponential",
    "gaussian",
    "laplace",
    "matern",
    "poisson",
    "polynomial",
    "rational_quadratic",
]

_POSITIVE: Range = (S.Zero, oo)
#: of a Bessel function, whose Gamma(nu) is written out
_LARGEST_ORDER = 10**4


class _Arguments:
    """The arguments of one kernel: numbers are checked, symbols get the range that the formula needs."""

    def __init__(self, kernel: str) -> None:
        self.kernel = kernel
        self.ranges: dict[Symbol, Range] = {}
        self.shown: list[str] = []

    def take(self, value: object, name: str, bounds: Range) -> Expr:
        expr = number_or_symbol(value, bounds, f"{name} of the {self.kernel} kernel")
        if isinstance(expr, Symbol):
            if not expr.is_real:
                expr = symbol_in(expr.name, bounds)
            bounds = assumed_in(expr, bounds, f"{name} of the {self.kernel} kernel")
            self.ranges[expr] = intersect(expr.name, self.ranges.get(expr, bounds), bounds)
        elif not self._inside(expr, bounds):
            word = "does not" if self._outside(expr, bounds) else "is not known to"
            raise AsymptokError(
                f"{name} of the {self.kernel} kernel lies in ({bounds[0]}, {bounds[1]}), and {name} = {expr} {word}"
            )
        self.shown.append(name if str(expr) == name else f"{name} = {expr}")
        return expr

    @staticmethod
    def _inside(expr: Expr, bounds: Range) -> bool:
        lower, upper = bounds
        above = lower == -oo or (expr - lower).is_positive is True
        return above and (upper == oo or (upper - expr).is_positive is True)

    @staticmethod
    def _outside(expr: Expr, bounds: Range) -> bool:
        lower, upper = bounds
        below = lower != -oo and (expr - lower).is_positive is False
        return below or (upper != oo and (upper - expr).is_positive is False)

    def build(self, expr: Expr) -> Kernel:
        return Kernel(expr, name=f"{self.kernel} kernel, {', '.join(self.shown)}", parameters=self.ranges)


@named("Laplace", "Geifman2020", "ChenXu2021")
def laplace(c: object = 1) -> Kernel:
    """exp(-c sqrt(1 - u)), c > 0.

    >>> laplace(2)
    Kernel('exp(-2*sqrt(1 - u))', name='Laplace kernel, c = 2')
    """
    given = _Arguments("Laplace")
    return given.build(exp(-given.take(c, "c", _POSITIVE) * sqrt(1 - u)))


@named("gamma-exponential", "RasmussenWilliams2006", "BiettiBach2021")
def gamma_exponential(gamma: object, c: object = 1) -> Kernel:
    """exp(-c (1 - u)^(gamma/2)), 0 < gamma < 2, c > 0.

    >>> gamma_exponential(Symbol("gamma", positive=True)).parameters
    {gamma: (0, 2)}
    """
    given = _Arguments("gamma-exponential")
    g = given.take(gamma, "gamma", (S.Zero, Integer(2)))
    return given.build(exp(-given.take(c, "c", _POSITIVE) * (1 - u) ** (g / 2)))


@named("Gaussian", "RasmussenWilliams2006")
def gaussian(c: object = 1) -> Kernel:
    """exp(-c (1 - u)) = exp(-c |x - y|^2/2), c > 0.

    >>> gaussian()
    Kernel('exp(u - 1)', name='Gaussian kernel, c = 1')
    """
    given = _Arguments("Gaussian")
    return given.build(exp(-given.take(c, "c", _POSITIVE) * (1 - u)))


@named("Matern", "RasmussenWilliams2006")
def matern(nu: object, length: object = 1) -> Kernel:
    """2^(1-nu)/Gamma(nu) z^nu K_nu(z), z = sqrt(2 nu) |x - y|/length: smoothness nu > 0, value 1 at u = 1.

    For nu = 1/2, 3/2, ... the Bessel function is elementary and written so.

    >>> matern(Rational(1, 2))
    Kernel('exp(-sqrt(2)*sqrt(1 - u))', name='Matern kernel, nu = 1/2, length = 1')
    """
    given = _Arguments("Matern")
    order = given.take(nu, "nu", _POSITIVE)
    if order.is_number and order > _LARGEST_ORDER:
        raise AsymptokError(
            f"nu of the Matern kernel is at most {_LARGEST_ORDER}: beyond it is the Gaussian kernel, nu = oo"
        )
    # sqrt(2 nu) |x - y| = sqrt(4 nu (1 - u))
    z = 2 * sqrt(order) * sqrt(1 - u) / given.take(length, "length", _POSITIVE)
    if isinstance(order, Rational) and order.q == 2 and order < 1000:
        p = int(order - Rational(1, 2))
        scale = factorial(p) / factorial(2 * p)
        total = sum(
            factorial(p + i) / (factorial(i) * factorial(p - i)) * (2 * z) ** (p - i) for i in range(p + 1)
        )
        return given.build(scale * total * exp(-z))
    return given.build(2 ** (1 - order) / gamma(order) * z**order * besselk(order, z))


@named("rational quadratic", "RasmussenWilliams2006")
def rational_quadratic(alpha: object, length: object = 1) -> Kernel:
    """(1 + |x - y|^2/(2 alpha length^2))^(-alpha), alpha > 0, length > 0.

    >>> rational_quadratic(1)
    Kernel('1/(2 - u)', name='rational quadratic kernel, alpha = 1, length = 1')
    """
    given = _Arguments("rational quadratic")
    a = given.take(alpha, "alpha", _POSITIVE)
    scale = given.take(length, "length", _POSITIVE)
    return given.build((1 + (1 - u) / (a * scale**2)) ** (-a))


@named("Cauchy", "RasmussenWilliams2006")
def cauchy(c: object = 1) -> Kernel:
    """1/(1 + c (1 - u)), c > 0.

    >>> cauchy(3).evaluate(0)
    mpf('0.25')
    """
    given = _Arguments("Cauchy")
    return given.build(1 / (1 + given.take(c, "c", _POSITIVE) * (1 - u)))


@named("Poisson")
def poisson(r: object, d: object) -> Kernel:
    """(1 - r^2)/(1 - 2 r u + r^2)^(d/2), |r| < 1, on the sphere of R^d: its eigenvalues are r^k.

    >>> poisson(Rational(1, 2), 2).evaluate(1)
    mpf('3.0')
    """
    given = _Arguments("Poisson")
    radius = given.take(r, "r", (S.NegativeOne, S.One))
    if isinstance(d, Symbol):
        dimension = given.take(d, "d", (S.One, oo))
    else:
        dimension = Integer(checked_dimension(d))
        given.shown.append(f"d = {dimension}")
    return given.build((1 - radius**2) / (1 - 2 * radius * u + radius**2) ** (dimension / 2))


@named("polynomial", "Smola2001")
def polynomial(degree: object, c: object = 1) -> Kernel:
    """(u + c)^degree, c real; positive definite for c >= 0.

    >>> polynomial(2)
    Kernel('(u + 1)**2', name='polynomial kernel, degree = 2, c = 1')
    """
    given = _Arguments("polynomial")
    power = whole_number(degree, "degree", least=0)
    given.shown.append(f"degree = {power}")
    return given.build((u + given.take(c, "c", (-oo, oo))) ** power)


@named("exponential", "Smola2001")
def exponential(c: object = 1) -> Kernel:
    """exp(c u), c > 0.

    >>> exponential(2)
    Kernel('exp(2*u)', name='exponential kernel, c = 2')
    """
    given = _Arguments("exponential")
    return given.build(exp(given.take(c, "c", _POSITIVE) * u))
