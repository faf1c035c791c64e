"""O-terms with constants: |kappa(+-(1-t)) - sum of terms| <= B t^beta |log t|^J for all 0 < t <= r, proved.

Where the kernel is a power series in sigma = t^(1/q), discs along 0 <= sigma <= r^(1/q), each proved by tests on its
circle, give its coefficients and a bound of the rest. With logarithms, irrational exponents or a pole at the end its
local model does. The remainder over t^beta is then bounded on short pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath
import sympy
from flint import fmpq
from sympy import Expr, Rational, S

from asymptok.balls import exact_point
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import to_fmpq
from asymptok.errors import AsymptokError
from asymptok.expansion import Expansion
from asymptok.kernels.kernel import Kernel
from asymptok.parameters import exact_number
from asymptok.precision import flint_precision
from asymptok.proofs.decimals import exact, mpf_up
from asymptok.quantities import whole
from asymptok.show.preformatted import Prose
from asymptok.spectrum.contour.core import analytic_form
from asymptok.spectrum.contour.curves import NotProved
from asymptok.spectrum.contour.program import program
from asymptok.spectrum.contour.slits import Slit, cover
from asymptok.spectrum.local import Unproved
from asymptok.spectrum.models.lines import inward_line

_BITS = 256
#: points on a circle beside those that the exponent needs
_POINTS = 80
#: the radius unless told otherwise, and how much narrower the next attempt is
_RADIUS, _NARROWER = fmpq(1), fmpq(5, 8)
_ATTEMPTS = 8
#: radii of models: 1 (where log t occurs, less than 1), and so many times half of it
_BELOW_ONE, _HALVINGS = Rational(1, 2), (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 72, 108, 160)
#: terms of a model beyond the bound: at first, and where its rest is too large
_BEYOND = (15, 45)


@dataclass(frozen=True, slots=True)
class RemainderBound(Prose):
    """|kappa - sum of terms| <= constant t^exponent |log t|^log_power for 0 < t <= radius, proved."""

    constant: mpmath.mpf
    exponent: Expr
    log_power: int
    radius: Rational

    def __str__(self) -> str:
        logs = "" if not self.log_power else f" |log t|^{self.log_power}"
        power = f"t^({self.exponent}){logs}"
        return f"|kappa - sum of terms| <= {mpmath.nstr(self.constant, 8)} {power} for 0 < t <= {self.radius}"

    __repr__ = __str__

    def __call__(self, t: object) -> mpmath.mpf:
        """The bound at a number t, rounded up; a float means the decimal that it prints."""
        with flint_precision(_BITS):
            value = exact_number(t, "t")
            point = exact_point(value)
            inside = value <= self.radius if value.is_Rational else point <= exact_point(self.radius)
            if not (point > 0 and inside):
                raise AsymptokError(f"the bound holds for 0 < t <= {self.radius}, not at t = {t}")
            if self.constant == 0:
                return mpmath.mpf(0)
            bound = exact_point(self.constant) * point ** exact_point(self.exponent)
            return mpf_up(bound * abs(point.log()) ** self.log_power if self.log_power else bound)


def remainder_bound(expansion: Expansion, radius: object = None) -> RemainderBound:
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
    try:
        expr = analytic_form(kernel.expr)
    except Unproved as error:
        raise AsymptokError(f"no remainder of {kernel} is bounded: {error}") from error
    found = _by_discs(expr, expansion, asked) or _by_model(expr, expansion, asked)
    if isinstance(found, str):
        where = "at the end" if asked is None else f"up to t = {asked}: give a smaller radius"
        raise AsymptokError(f"no remainder of {kernel} is bounded {where} ({found})")
    return found


def _by_discs(expr: Expr, expansion: Expansion, asked: Rational | None) -> RemainderBound | None:
    """The bound for a kernel that is a series in a root of t."""
    beta, log_power = expansion.remainder[0].exponent, expansion.remainder[0].log_power
    try:
        kappa = program(expr)
    except Unproved:
        return None
    grid = kappa.grids[0 if expansion.at == 1 else 1]
    if not grid or not isinstance(beta, Rational) or log_power:
        return None
    line = _line(kappa, expansion.end, grid, asked, _POINTS + int(beta * grid))
    if line is None:
        return None
    with flint_precision(_BITS):
        constant = mpf_up(line.bound(beta))
    reach = asked if asked is not None else _power(line.length, grid)
    return RemainderBound(constant, beta, 0, reach)


def _by_model(expr: Expr, expansion: Expansion, asked: Rational | None) -> RemainderBound | str:
    """The bound by a local model, on as much of (0, 1] as it holds unless told otherwise; or what stands in the way."""
    beta, log_power = expansion.remainder[0].exponent, expansion.remainder[0].log_power
    if log_power and asked is not None and asked > _BELOW_ONE:
        # |log t| vanishes at t = 1, the remainder does not: half of the room to the last term takes its place
        last = max(
            (term.exponent for term in expansion.terms), default=beta - 1, key=lambda e: exact_point(e).mid()
        )
        beta, log_power = beta - sympy.Min((beta - last) / 2, Rational(1, 4)), 0
    radius = _BELOW_ONE if log_power else Rational(1)
    attempts = (
        [(radius / 2**j, _BEYOND[0]) for j in _HALVINGS] if asked is None else [(asked, n) for n in _BEYOND]
    )
    found: RemainderBound | str = "no radius is small enough"
    with flint_precision(_BITS):
        top = fmpq(whole(exact_point(beta).upper().ceil()))
        for length, beyond in attempts:
            try:
                line = inward_line(expr, expansion.end, to_fmpq(length), top, beyond)
                terms, rest = line.shares(beta, log_power)
            except Unproved as error:
                found = str(error) if isinstance(found, str) else found
                continue
            found = RemainderBound(mpf_up(terms + rest), beta, log_power, length)
            # on a shorter interval, or with more terms, the rest of the model would not count
            if rest < terms:
                break
    return found


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


def _radius(radius: object) -> Rational:
    value = exact_number(radius, "the radius")
    if not value.is_Rational:
        value = S(str(radius)) if isinstance(radius, str) else value
    if not (isinstance(value, Rational) and 0 < value < 2):
        raise AsymptokError(f"the radius is a rational number between 0 and 2, not {radius!r}")
    return value


def _root(radius: Rational, grid: int) -> fmpq:
    """A rational that is not below radius^(1/grid)."""
    y = exact((exact_point(radius).root(grid) if grid > 1 else exact_point(radius)).upper())
    return fmpq(y.numerator * 2**40 // y.denominator + 1, 2**40)


def _power(y: fmpq, grid: int) -> Rational:
    return Rational(int(y.p), int(y.q)) ** grid


__all__ = ["RemainderBound", "remainder_bound"]
