"""O-terms with constants: |kappa(+-(1-t)) - sum of terms| <= B t^beta for all 0 < t <= r, proved.

With t = sigma^q the kernel is a power series in sigma. Discs along 0 <= sigma <= r^(1/q), each proved by tests on its
circle, give its coefficients and a bound of the rest; the remainder over t^beta is then bounded on short pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath
from flint import fmpq
from sympy import Expr, Rational, S

from asymptok.balls import exact_point
from asymptok.constants.exact import ExactDomain
from asymptok.errors import AsymptokError
from asymptok.expansion import Expansion
from asymptok.kernels.kernel import Kernel
from asymptok.parameters import exact_number
from asymptok.precision import flint_precision
from asymptok.proofs.decimals import exact, mpf_up
from asymptok.spectrum.contour.core import analytic_form
from asymptok.spectrum.contour.curves import NotProved
from asymptok.spectrum.contour.program import program
from asymptok.spectrum.contour.slits import Slit, cover
from asymptok.spectrum.local import Unproved

_BITS = 256
#: points on a circle beside those that the exponent needs
_POINTS = 80
#: the radius unless told otherwise, and how much narrower the next attempt is
_RADIUS, _NARROWER = fmpq(1), fmpq(5, 8)
_ATTEMPTS = 8


@dataclass(frozen=True, slots=True)
class RemainderBound:
    """|kappa - sum of terms| <= constant t^exponent |log t|^log_power for 0 < t <= radius, proved."""

    constant: mpmath.mpf
    exponent: Expr
    log_power: int
    radius: Rational

    def __call__(self, t: Any) -> mpmath.mpf:
        """The bound at a number t, rounded up."""
        with flint_precision(_BITS):
            point = exact_point(t)
            if not (point > 0 and point <= exact_point(self.radius)):
                raise AsymptokError(f"the bound holds for 0 < t <= {self.radius}, not at t = {t}")
            if self.constant == 0:
                return mpmath.mpf(0)
            return mpf_up(exact_point(self.constant) * point ** exact_point(self.exponent))


def remainder_bound(expansion: Expansion, radius: Any = None) -> RemainderBound:
    """The bound for an expansion of a kernel at +1 or -1; AsymptokError, with the reason, where none is proved."""
    kernel = expansion.subject
    if not isinstance(kernel, Kernel) or expansion.at not in (1, -1):
        raise AsymptokError("a remainder is bounded for the expansion of a kernel at +1 or -1")
    if kernel.parameters or not isinstance(expansion.series.dom, ExactDomain):
        raise AsymptokError("a bound needs a kernel without parameters and exact coefficients: give values")
    asked = None if radius is None else _radius(radius)
    if not expansion.remainder:
        return RemainderBound(mpmath.mpf(0), expansion.order, 0, Rational(2) if asked is None else asked)
    if len(expansion.remainder) > 1:
        raise AsymptokError("the exponents of the remainder are not ordered")
    beta = expansion.remainder[0].exponent
    try:
        kappa = program(analytic_form(kernel.expr))
    except Unproved as error:
        raise AsymptokError(f"no remainder of {kernel} is bounded: {error}") from error
    grid = kappa.grids[0 if expansion.at == 1 else 1]
    if not grid or not isinstance(beta, Rational) or expansion.remainder[0].log_power:
        raise AsymptokError(f"no remainder of {kernel} is bounded: its terms are no powers of a root of t")
    line = _line(kappa, expansion.at, grid, asked, _POINTS + int(beta * grid))
    if line is None:
        where = "at the end" if asked is None else f"up to t = {asked}"
        raise AsymptokError(f"{kernel} is not shown to be analytic {where}: give a smaller radius")
    with flint_precision(_BITS):
        constant = mpf_up(line.bound(beta))
    reach = asked if asked is not None else _power(line.length, grid)
    return RemainderBound(constant, beta, 0, reach)


def _line(kappa: Any, at: int, grid: int, asked: Rational | None, points: int) -> Slit | None:
    """Discs along the radius that was asked for, or along the widest of a few."""
    length = _RADIUS if asked is None else _root(asked, grid)
    with flint_precision(_BITS):
        for _ in range(1 if asked is not None else _ATTEMPTS):
            try:
                return cover(kappa, at, grid, length, points, inward=True)
            except NotProved:
                length = length * _NARROWER
    return None


def _radius(radius: Any) -> Rational:
    value = exact_number(radius, "the radius")
    if not value.is_Rational:
        value = S(str(radius)) if isinstance(radius, str) else value
    if not (value.is_Rational and 0 < value < 2):
        raise AsymptokError(f"the radius is a rational number between 0 and 2, not {radius!r}")
    return value


def _root(radius: Rational, grid: int) -> fmpq:
    """A rational that is not below radius^(1/grid)."""
    y = exact((exact_point(radius).root(grid) if grid > 1 else exact_point(radius)).upper())
    return fmpq(y.numerator * 2**40 // y.denominator + 1, 2**40)


def _power(y: fmpq, grid: int) -> Rational:
    return Rational(int(y.p), int(y.q)) ** grid


__all__ = ["RemainderBound", "remainder_bound"]
