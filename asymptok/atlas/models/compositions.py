"""Functions of a model w that tends to 0, by their power series: (1+w)^a, log(1+w), and entire ones."""

from __future__ import annotations

from flint import arb, fmpq

from asymptok.atlas.local import Unproved
from asymptok.atlas.models.arithmetic import Model
from asymptok.quantities import whole


def binomial(w: Model, exponent: arb) -> Model:
    """(1 + w)^a."""
    rho = inside_one(w)
    coefficients = [arb(1)]
    for m in range(w.depth):
        coefficients.append(coefficients[-1] * (exponent - m) / (m + 1))
    size = arb.max((1 - rho) ** exponent, (1 + rho) ** exponent)
    return w.composed(coefficients, arb.max(size, arb(1)), rho)


def inside_one(w: Model) -> arb:
    """A radius below 1 and above |w|."""
    variation = w.size(fmpq(0))
    if not variation < 1:
        raise Unproved("a root or a logarithm of something that may vanish near the end")
    rho = 1 - 1 / arb(w.depth + 2)
    return (rho if variation < rho * rho else (1 + variation) / 2).mid()


def log_unit(w: Model) -> Model:
    """log(1 + w)."""
    rho = inside_one(w)
    coefficients = [arb(0), *(arb(fmpq((-1) ** (m + 1), m)) for m in range(1, w.depth + 1))]
    return w.composed(coefficients, -(1 - rho).log(), rho)


def bessel_series(z: Model, nu: arb) -> Model:
    """sum_m z^m/(m! Gamma(nu+m+1))."""
    count = z.depth
    rho = arb.max(arb(count), 2 * z.size(fmpq(0)))
    coefficients = [(nu + m + 1).rgamma() / arb(m).fac() for m in range(count)]
    # 1/|Gamma(nu+m+1)| is at most its largest value up to nu + m + 1 >= 2, for Gamma increases from there on
    last = max(0, 2 - whole(nu.lower().floor()))
    size = arb(0)
    for m in range(last + 1):
        size = arb.max(size, abs((nu + m + 1).rgamma()))
    return z.composed(coefficients, size.upper() * rho.exp(), rho)


def inside_two(y: Model) -> arb:
    """A radius below 2 and above |y|."""
    variation = y.size(fmpq(0))
    if not variation < 2:
        raise Unproved("an arc-cosine beyond the radius of its series")
    rho = 2 - 2 / arb(y.depth + 2)
    return (rho if 2 * variation < rho * rho else (2 + variation) / 2).mid()


__all__ = ["bessel_series", "binomial", "inside_one", "inside_two", "log_unit"]
