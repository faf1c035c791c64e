"""kappa(u) with proved digits, through balls of rising precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mpmath
import sympy
from flint import arb, fmpq
from mpmath import mpf
from sympy import Expr, Rational, S, Symbol

from asymptok import dag, ways_out
from asymptok.arguments import checked_digits
from asymptok.balls import ball, complex_ball
from asymptok.constants.domain import opaque
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import Ranges
from asymptok.errors import SYMPY_ERRORS, AsymptokError, ExpansionError, PrecisionError
from asymptok.parameters import exact_number
from asymptok.precision import digits_to_bits, flint_precision, mpmath_precision
from asymptok.quantities import midpoint
from asymptok.series.ends import expand_at_point
from asymptok.symbols import u
from asymptok.truth import Truth

if TYPE_CHECKING:
    from asymptok.kernels.kernel import Kernel

__all__ = ["constant_value", "evaluate", "require_no_parameters"]


def evaluate(kernel: Kernel, point: Any, dps: int = 15) -> mpf:
    """See Kernel.evaluate."""
    dps = checked_digits(dps)
    require_no_parameters(kernel)
    x = _exact_point(point)
    _check_range(x, point)
    bits = digits_to_bits(dps)
    diagonal = kernel.mean.diagonal if kernel.mean and x == 1 else None
    value = _ball_value(kernel.expr if diagonal is None else diagonal, x, bits, kernel)
    with mpmath_precision(bits):
        return +value


def constant_value(expr: Expr, dps: int) -> mpf:
    """A constant to `dps` proved digits."""
    return _ball_value(expr, S.Zero, digits_to_bits(dps), expr)


def _exact_point(point: Any) -> Expr:
    """The point as an exact SymPy number; a float is its binary value, a text its decimal one."""
    if getattr(point, "shape", None) == ():  # a scalar of NumPy
        point = point.item()
    if isinstance(point, bool | complex):
        raise AsymptokError(f"kappa is evaluated at a real number, not {point!r}")
    if isinstance(point, float | sympy.Float):
        point = mpmath.mpf(point) if isinstance(point, float) else mpmath.make_mpf(point._mpf_)
    if isinstance(point, mpmath.mpf):
        if not mpmath.isfinite(point):
            raise AsymptokError(f"kappa is evaluated at a finite number, not {point}")
        return Rational(*mpmath.libmp.to_rational(point._mpf_))
    x = exact_number(point, "the point")
    if dag.free_symbols(x):
        raise AsymptokError(f"kappa is evaluated at a number, not {x}; use compose() for an expression")
    return x


def _check_range(x: Expr, shown: mpf) -> None:
    outside = abs(x) > 1 if isinstance(x, Rational) else (abs(x) - 1).is_positive
    if outside:
        raise AsymptokError(f"u = {shown} is outside [-1, 1], where a kernel on the sphere is defined")


def _ball_value(expr: Expr, x: Expr, bits: int, shown: object) -> mpf:
    """The midpoint of a ball of relative radius below 2^-bits, found by doubling the precision.

    Where that makes no headway the point is put in exactly: SymPy sees zeros that balls cannot.
    """
    original, values = expr, {u: x}
    # 2^-tiny is below 10^-(1000 + 20 dps)
    prec, limit, tiny = bits + 40, 32 * bits + 20_000 + _size_in_bits(x), 20 * bits + 3400
    patience, at_end = 4 * prec, abs(x) == 1
    while True:
        with flint_precision(prec):
            enclosure = ball(expr, values, prec=prec)
            if enclosure.is_finite():
                if enclosure.is_exact() or enclosure.rel_accuracy_bits() >= bits:
                    return midpoint(enclosure)
                if enclosure.abs_upper() < _power_of_two(-tiny):
                    return mpmath.mp.zero
        if patience and (prec >= patience or (at_end and not enclosure.is_finite())):
            patience = 0
            expr = _at_point(expr, values)
        elif prec >= limit or (at_end and not enclosure.is_finite()):
            break
        else:
            prec = min(2 * prec, limit)
    if enclosure.is_finite():
        raise PrecisionError(
            f"{shown} at u = {x}: {bits} bits were not reached with {limit} bits of working precision; "
            "ask for fewer digits"
        )
    return _limit(original, x, bits, shown)


def _at_point(expr: Expr, values: dict[Symbol, Expr]) -> Expr:
    """The expression with the point put in exactly; unchanged where that is not finite (0 times infinity)."""
    try:
        exact = dag.rebuild(expr, values)
    except SYMPY_ERRORS:  # Max of numbers that are not real
        return expr
    infinite = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)
    return expr if any(node in infinite for node in dag.postorder(exact)) else exact


def _limit(expr: Expr, x: Expr, bits: int, shown: object) -> mpf:
    """kappa where the formula breaks down (0 times infinity, 0/0), from its expansions: a removable singularity."""
    try:
        limits = [_one_sided(expr, x, side, shown) for side in (-1, 1) if abs(x) != 1 or side != x]
    except ExpansionError as error:
        value = complex_ball(expr, {u: x}, prec=128)
        if value.is_finite() and not value.imag.contains(0):
            raise AsymptokError(f"{shown} has no finite real value at u = {x}, where it is complex") from None
        raise AsymptokError(f"no finite real value of {shown} is known at u = {x}: {error}") from None
    if len(limits) == 2 and _ball_value(limits[0] - limits[1], S.Zero, bits, shown) != 0:
        raise AsymptokError(f"{shown} has no value at u = {x}, where it jumps")
    return _ball_value(limits[0], S.Zero, bits, shown)


def _one_sided(expr: Expr, x: Expr, side: int, shown: object) -> Expr:
    dom = opaque(ExactDomain(Ranges({})))
    constant: Expr = S.Zero
    for coefficient, form, exponent, log_power in expand_at_point(dom, expr, u, x, side, fmpq(0)).terms():
        if dom.is_zero(coefficient) is Truth.TRUE or (not form and exponent > 0):
            continue
        if form or exponent != 0 or log_power != 0:
            if dom.is_zero(coefficient) is Truth.UNKNOWN:
                raise dom.undecided(coefficient, "whether {} is zero", f"a coefficient of {shown} at u = {x}")
            raise AsymptokError(f"{shown} is not finite at u = {x}")
        constant = dom.to_expr(coefficient)
    return constant


def _power_of_two(exponent: int) -> arb:
    return arb((1, exponent))


def _size_in_bits(x: Expr) -> int:
    return 8 * (int(x.p).bit_length() + int(x.q).bit_length()) if isinstance(x, Rational) else 0


def require_no_parameters(kernel: Kernel) -> None:
    if kernel.parameters:
        names = [s.name for s in kernel.parameters]
        raise AsymptokError(f"give values to {', '.join(names)} first: {ways_out.value(*names)}")
