"""The radial kernels whose spectral density is known: scale mixtures of Gaussians, and sums of them.

Each component is normalised to 1 at r = 0 and equals E exp(-S r^2/2) for a positive random S, so that its frequencies
are sqrt(S) times a standard Gaussian vector, in every dimension. Fourier transforms are int phi(|x|) exp(-i w x) dx.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Add, Expr, Integer, Mul, Pow, Rational, S, besselk, exp, expand_mul, factorial, gamma, pi

from asymptok.symbols import r, w

__all__ = ["Component", "Gaussian", "Matern", "RationalQuadratic", "Stable", "decompose"]

#: degree of a polynomial times exp(-a r) up to which it is written as a sum of Matern kernels
_MAX_DEGREE = 60
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Gaussian:
    """exp(-a r^2); S = 2a."""

    a: Expr

    def transform(self, d: Expr) -> Expr | None:
        return (pi / self.a) ** (d / 2) * exp(-(w**2) / (4 * self.a))

    def scales(self, m: int, rng: np.random.Generator) -> Array:
        """m samples of S."""
        return np.full(m, 2 * float(self.a))


@dataclass(frozen=True, slots=True)
class Stable:
    """exp(-a r^p), 0 < p < 2; S = 2 a^(2/p) T with T positive and stable of index p/2."""

    a: Expr
    p: Expr

    def transform(self, d: Expr) -> Expr | None:
        return None  # elementary for p = 1 only, which is Matern(1/2)

    def scales(self, m: int, rng: np.random.Generator) -> Array:
        # Kanter's representation: E exp(-s T) = exp(-s^q) for T as below, U uniform and E exponential
        q = float(self.p) / 2
        angle, waiting = rng.uniform(0.0, np.pi, m), rng.exponential(size=m)
        stable = np.sin(q * angle) / np.sin(angle) ** (1 / q)
        stable *= (np.sin((1 - q) * angle) / waiting) ** ((1 - q) / q)
        return np.asarray(2 * float(self.a) ** (1 / q) * stable)


@dataclass(frozen=True, slots=True)
class RationalQuadratic:
    """(1 + b r^2)^(-alpha); S = 2 b G with G of the gamma distribution of shape alpha."""

    b: Expr
    alpha: Expr

    def transform(self, d: Expr) -> Expr | None:
        z = w / sympy.sqrt(self.b)
        order = d / 2 - self.alpha
        if isinstance(order, Rational) and order < 0:
            order = -order  # K is even in its order
        shape = (z / 2) ** (self.alpha - d / 2) * besselk(order, z)
        return 2 * pi ** (d / 2) / gamma(self.alpha) * self.b ** (-d / 2) * shape

    def scales(self, m: int, rng: np.random.Generator) -> Array:
        return 2 * float(self.b) * rng.gamma(float(self.alpha), size=m)


@dataclass(frozen=True, slots=True)
class Matern:
    """2^(1-nu)/Gamma(nu) (a r)^nu K_nu(a r); S = a^2/(2 G) with G of the gamma distribution of shape nu.

    The frequencies follow the multivariate t distribution with 2 nu degrees of freedom; nu = 1/2 is exp(-a r).
    """

    a: Expr
    nu: Expr

    def transform(self, d: Expr) -> Expr | None:
        size = 2**d * pi ** (d / 2) * gamma(self.nu + d / 2) / gamma(self.nu) * self.a ** (2 * self.nu)
        return size / (self.a**2 + w**2) ** (self.nu + d / 2)

    def scales(self, m: int, rng: np.random.Generator) -> Array:
        return float(self.a) ** 2 / (2 * rng.gamma(float(self.nu), size=m))


Component = Gaussian | Stable | RationalQuadratic | Matern
Mixture = tuple[tuple[Expr, Component], ...]


def decompose(expr: Expr) -> Mixture | None:
    """phi as a sum of weights times components, None if a term is of no known kind.

    >>> decompose(3*r*exp(-2*r))
    ((3/2, Matern(a=2, nu=3/2)), (-3/2, Matern(a=2, nu=1/2)))
    """
    found: dict[Component, Expr] = {}
    polynomials: dict[Expr, dict[int, Expr]] = {}
    for term in Add.make_args(expand_mul(expr)):
        weight, rest = term.as_independent(r, as_Add=False)
        known = _single(rest)
        if known is None:
            exponential = _power_times_exponential(rest)
            if exponential is None:
                return None
            degree, rate = exponential
            terms = polynomials.setdefault(rate, {})
            terms[degree] = terms.get(degree, S.Zero) + weight
        else:
            factor, component = known
            found[component] = found.get(component, S.Zero) + weight * factor
    for rate, terms in polynomials.items():
        for component, weight in _half_integers(rate, terms):
            found[component] = found.get(component, S.Zero) + weight
    return tuple((weight, component) for component, weight in found.items() if weight.is_zero is not True)


def _single(rest: Expr) -> tuple[Expr, Component] | None:
    """rest = factor * component for the kinds that stand alone in a term."""
    if isinstance(rest, exp):
        rate, power = (-rest.args[0]).as_independent(r, as_Add=False)
        base, p = power.as_base_exp()
        if base == r and rate.is_positive and p == 2:
            return S.One, Gaussian(rate)
        if base == r and rate.is_positive and p != 1 and p.is_positive and (2 - p).is_positive:
            return S.One, Stable(rate, p)
        return None
    if isinstance(rest, Pow) and isinstance(rest.base, Add):
        constant, square = rest.base.as_independent(r, as_Add=True)
        b, power = square.as_independent(r, as_Add=False)
        if power == r**2 and constant.is_positive and b.is_positive and rest.exp.is_negative:
            return constant**rest.exp, RationalQuadratic(b / constant, -rest.exp)
        return None
    powers = {factor.as_base_exp()[0]: factor.as_base_exp()[1] for factor in Mul.make_args(rest)}
    bessel = next((base for base in powers if isinstance(base, besselk)), None)
    if bessel is None or powers.pop(bessel) != 1 or set(powers) != {r}:
        return None
    nu, argument = bessel.args
    a = argument / r
    if powers[r] == nu and nu.is_positive and not a.has(r) and a.is_positive:
        return gamma(nu) * 2 ** (nu - 1) / a**nu, Matern(a, nu)
    return None


def _power_times_exponential(rest: Expr) -> tuple[int, Expr] | None:
    """(j, a) if rest = r^j exp(-a r)."""
    degree, rate = 0, S.Zero
    for factor in Mul.make_args(rest):
        if isinstance(factor, exp):
            rate -= factor.args[0] / r
        else:
            base, power = factor.as_base_exp()
            if base != r or not isinstance(power, Integer) or not 0 < power <= _MAX_DEGREE:
                return None
            degree += int(power)
    return (degree, rate) if not rate.has(r) and rate.is_positive else None


def _half_integers(rate: Expr, terms: dict[int, Expr]) -> list[tuple[Component, Expr]]:
    """sum_j c_j r^j exp(-a r) in the triangular basis of the Matern kernels of smoothness n + 1/2."""
    out: list[tuple[Component, Expr]] = []
    left = dict(terms)
    for n in range(max(left), -1, -1):
        top = left.get(n, S.Zero)
        if top.is_zero:
            continue
        scale = factorial(n) / factorial(2 * n)
        # the coefficient of r^j in the kernel of smoothness n + 1/2, which is 1 at j = 0
        basis = {
            n - i: scale * factorial(n + i) / (factorial(i) * factorial(n - i)) * (2 * rate) ** (n - i)
            for i in range(n + 1)
        }
        weight = expand_mul(top / basis[n])
        out.append((Matern(rate, Rational(2 * n + 1, 2)), weight))
        for j, c in basis.items():
            left[j] = expand_mul(left.get(j, S.Zero) - weight * c)
    return out
