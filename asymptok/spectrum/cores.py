"""Functions of u whose eigenvalues are known in closed form, as maps k -> ball at the current precision.

mu_k of (1-u)^nu is C (-nu)_k/Gamma(k+nu+d-1) with C = 2^(nu+d-2) Gamma(d/2) Gamma(nu+(d-1)/2)/sqrt(pi), for all
k >= 0: the Pochhammer symbol replaces Gamma(k-nu)/Gamma(-nu), so that integer nu needs no case of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import flint
from flint import arb, fmpq, fmpq_poly
from sympy import Expr

from asymptok.balls import ball
from asymptok.errors import AsymptokError, PrecisionError
from asymptok.functions.zonal import dimension_of_harmonics
from asymptok.kernels.given import law_ball
from asymptok.quantities import whole
from asymptok.spectrum.bessel_core import BesselSecondKind

#: up to this degree, products over k are cheaper than gamma functions
_RECURRENCE = 20000
#: up to this degree, the moments of a monomial are computed as fractions
_EXACT = 400
#: terms of the series of an exponential before it is given up
_MOST_TERMS = 200_000


class NotIntegrable(AsymptokError):
    """A core that is not integrable on the sphere, or not shown to be: it has no eigenvalues of its own."""


@dataclass(frozen=True, slots=True)
class Monomial:
    """u^n, from sum over j = k mod 2 of the connection coefficients."""

    degree: int

    def moments(self, d: int, ks: Iterable[int]) -> dict[int, arb]:
        return {k: self._moment(d, k) for k in ks}

    def _moment(self, d: int, k: int) -> arb:
        n = self.degree
        if k > n or (n - k) % 2:
            return arb(0)
        if n > _EXACT:
            value = arb(n + 1).gamma() * arb(n - k + 1).rgamma() * arb(fmpq(n - k + 1, 2)).gamma()
            value *= arb(fmpq(d, 2)).gamma() * arb(fmpq(n + k + d, 2)).rgamma()
            return value / (arb.const_sqrt_pi() * arb(2) ** k)
        # Gamma(d/2)/(sqrt(pi) 2^k) n!/(n-k)! Gamma((n-k+1)/2)/Gamma((n+k+d)/2), a rational number:
        # Gamma((n-k+1)/2)/sqrt(pi) = (1/2)_j and Gamma(d/2)/Gamma((n+k+d)/2) = 1/(d/2)_(j+k), j = (n-k)/2
        j = (n - k) // 2
        exact = fmpq(1, 2**k)
        for i in range(k):
            exact *= n - i
        for i in range(j):
            exact *= fmpq(2 * i + 1, 2)
        for i in range(j + k):
            exact /= fmpq(d + 2 * i, 2)
        return arb(exact)


@dataclass(frozen=True, slots=True)
class Power:
    """(1 - u)^nu; nu is a SymPy number > -(d-1)/2."""

    exponent: Expr

    def moments(self, d: int, ks: Iterable[int]) -> dict[int, arb]:
        return _power_moments(integrable(self.exponent, d), d, ks)


def integrable(exponent: Expr, d: int) -> arb:
    """The ball of nu > -(d-1)/2: then and only then (1-u)^nu (1-u^2)^((d-3)/2) is integrable at u = 1."""
    nu = ball(exponent)
    margin = nu + fmpq(d - 1, 2)
    if not margin > 0:
        verdict = "not integrable" if margin <= 0 else "not shown to be integrable"
        raise NotIntegrable(f"(1 - u)**({exponent}) is {verdict} on the sphere in dimension d = {d}")
    return nu


def _power_moments(nu: arb, d: int, ks: Iterable[int]) -> dict[int, arb]:
    wanted = sorted(ks)
    constant = arb(2) ** (nu + d - 2) * arb(fmpq(d, 2)).gamma() * (nu + fmpq(d - 1, 2)).gamma()
    constant /= arb.const_sqrt_pi()
    result: dict[int, arb] = {}
    if wanted and wanted[-1] > _RECURRENCE:
        # (-nu)_k = (-nu)_m Gamma(k-nu)/Gamma(m-nu) with m > nu: no pole, and an integer nu gives its zeros
        m = max(0, whole(nu.upper().floor()) + 1)
        head = _pochhammer(-nu, m) * (m - nu).rgamma()
        for k in wanted:
            rising = _pochhammer(-nu, k) if k < m else head * (k - nu).gamma()
            result[k] = constant * rising * (k + nu + d - 1).rgamma()
        return result
    value = constant * (nu + d - 1).rgamma()
    at = 0
    for k in wanted:
        while at < k:
            value = value * (at - nu) / (at + nu + d - 1)
            at += 1
        result[k] = value
    return result


def _pochhammer(x: arb, n: int) -> arb:
    value = arb(1)
    for i in range(n):
        value *= x + i
    return value


@dataclass(frozen=True, slots=True)
class StretchedExponential:
    """(1-u)^a exp(-c (1-u)^g) = sum_j (-c)^j/j! (1-u)^(a+gj), a > -(d-1)/2, g > 0.

    For nu >= 0 |mu_k((1-u)^nu)| <= 2^nu, since |P_k| <= 1 and the measure has mass one: from the first a + g j >= 0 on,
    the tail is below a geometric one. For nu < 0 that bound is false, (1-u)^nu being unbounded.
    """

    power: Expr
    rate: Expr
    exponent: Expr

    def moments(self, d: int, ks: Iterable[int]) -> dict[int, arb]:
        wanted = sorted(ks)
        a, c, g = integrable(self.power, d), ball(self.rate), ball(self.exponent)
        if not (c.is_finite() and g > 0):
            raise AsymptokError(
                f"exp(-({self.rate}) (1 - u)**({self.exponent})): the rate must be a real number, the exponent a "
                "positive one"
            )
        size = abs(c) * arb(2) ** g
        total = {k: arb(0) for k in wanted}
        coefficient, magnitude = arb(1), arb(2) ** a
        j = 0
        while True:
            for k, value in _power_moments(a + g * j, d, wanted).items():
                total[k] += coefficient * value
            j += 1
            coefficient = coefficient * -c / j
            magnitude = magnitude * size / j
            if j > _MOST_TERMS:
                raise PrecisionError(
                    f"the series of an exponential of size {size.str(5)} needs too many terms"
                )
            if size < fmpq(j, 2) and a + g * j >= 0 and magnitude < arb((1, -flint.ctx.prec)):
                # ratio of later terms at most 1/2
                tail = arb(0, 2 * magnitude.upper())
                return {k: value + tail for k, value in total.items()}


@dataclass(frozen=True, slots=True)
class ArcCosineCore:
    """kappa_n(u): proportional to the square of Gamma(n+1)/(2^(n+1) Gamma(1+(n-k)/2) Gamma((n+k+d)/2))."""

    order: int

    def moments(self, d: int, ks: Iterable[int]) -> dict[int, arb]:
        n = self.order
        half = arb(fmpq(d, 2)).gamma()
        constant = 2 ** (n + 1) * arb(fmpq(2 * n + d, 2)).gamma() / half
        for odd in range(1, 2 * n, 2):
            constant /= odd
        head = half * arb(n + 1).gamma() / 2 ** (n + 1)
        result = {}
        for k in ks:
            if k > n and (k - n) % 2 == 0:
                result[k] = arb(0)
                continue
            # 1/Gamma at a half-integer or a positive integer
            activation = head * arb(fmpq(2 + n - k, 2)).rgamma() * arb(fmpq(n + k + d, 2)).rgamma()
            result[k] = constant * activation * activation
        return result


@dataclass(frozen=True, slots=True)
class Exponential:
    """exp(c u), c > 0: Gamma(d/2) (2/c)^(d/2-1) I_{k+d/2-1}(c)."""

    rate: Expr

    def moments(self, d: int, ks: Iterable[int]) -> dict[int, arb]:
        c = ball(self.rate)
        order = fmpq(d - 2, 2)
        constant = arb(fmpq(d, 2)).gamma() * (2 / c) ** arb(order)
        return {k: constant * c.bessel_i(arb(k + order)) for k in ks}


@dataclass(frozen=True, slots=True)
class Multiquadric:
    """(1 + r^2 - 2 r u)^(-a), 0 < r < 1: r^k (a)_k/(d/2)_k 2F1(a+k, a-d/2+1; k+d/2; r^2)."""

    radius: Expr
    exponent: Expr

    def moments(self, d: int, ks: Iterable[int]) -> dict[int, arb]:
        wanted = sorted(ks)
        r, a = ball(self.radius), ball(self.exponent)
        half = fmpq(d, 2)
        factor = arb(1)
        at = 0
        result = {}
        for k in wanted:
            if k > _RECURRENCE:
                # (a)_k = (a)_m Gamma(a+k)/Gamma(a+m) with a + m > 0: a loop over 10^9 factors is none
                m = max(0, 1 - whole(a.lower().floor()))
                rising = _pochhammer(a, m) * (a + k).gamma() * (a + m).rgamma()
                factor = r**k * rising * arb(half).gamma() * arb(half + k).rgamma()
                at = k
            while at < k:
                factor = factor * r * (a + at) / (half + at)
                at += 1
            result[k] = factor * (r * r).hypgeom_2f1(a + k, a - half + 1, k + half)
        return result


@dataclass(frozen=True, slots=True)
class ZonalCore:
    """sum_j c_j P_j(u) with the polynomials of dimension `dimension`: there mu_k = c_k/N(d, k)."""

    dimension: int
    coefficients: tuple[Expr, ...]

    def moments(self, d: int, ks: Iterable[int]) -> dict[int, arb]:
        c = self.coefficients
        if d == self.dimension:
            return {k: ball(c[k]) / dimension_of_harmonics(k, d) if k < len(c) else arb(0) for k in ks}
        # in another dimension through the powers of u, whose cancellation the caller meets with more digits
        powers = [arb(0)] * len(c)
        before, here = fmpq_poly([]), fmpq_poly([1])
        for j, coefficient in enumerate(c):
            value = ball(coefficient)
            for n, rational in enumerate(here.coeffs()):
                powers[n] += value * rational
            a = fmpq(1) if j == 0 else fmpq(2 * j + self.dimension - 2, j + self.dimension - 2)
            b = fmpq(0) if j == 0 else fmpq(j, j + self.dimension - 2)
            before, here = here, a * here * fmpq_poly([0, 1]) - b * before
        total = {k: arb(0) for k in ks}
        for n, factor in enumerate(powers):
            if not factor.is_zero():
                for k in total:
                    total[k] += factor * Monomial(n)._moment(d, k)
        return total


@dataclass(frozen=True, slots=True)
class GivenCore:
    """sum_j mu_j N(d, j) P_j(u) with mu_j given by a formula, in the dimension in which they are the eigenvalues."""

    dimension: int
    law: Expr

    def moments(self, d: int, ks: Iterable[int]) -> dict[int, arb]:
        if d != self.dimension:
            raise AsymptokError(
                f"the kernel is given by its eigenvalues in dimension d = {self.dimension}; those in dimension {d} are "
                "others, and are not computed: ask for them in the dimension of the formula"
            )
        return {k: law_ball(self.law, k) for k in ks}


Core = (
    Monomial
    | ZonalCore
    | GivenCore
    | Power
    | StretchedExponential
    | ArcCosineCore
    | Exponential
    | Multiquadric
    | BesselSecondKind
)


def times_u(moments: dict[int, arb], d: int, ks: Iterable[int]) -> dict[int, arb]:
    """mu_k(u kappa) = ((k+d-2) mu_{k+1}(kappa) + k mu_{k-1}(kappa))/(2k+d-2), by the recurrence of P_k."""
    result = {}
    for k in ks:
        if k == 0:
            # also right for d = 2, where the formula reads 0/0
            result[k] = moments[1]
        else:
            result[k] = ((k + d - 2) * moments[k + 1] + k * moments[k - 1]) / (2 * k + d - 2)
    return result


__all__ = [
    "ArcCosineCore",
    "Core",
    "Exponential",
    "GivenCore",
    "Monomial",
    "Multiquadric",
    "NotIntegrable",
    "Power",
    "StretchedExponential",
    "ZonalCore",
    "integrable",
    "times_u",
]
