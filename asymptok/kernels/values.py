"""kappa(u) with proved digits, through balls of rising precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mpmath
import sympy
from sympy import Rational, S

from asymptok import dag
from asymptok.errors import AsymptokError, PrecisionError
from asymptok.precision import digits_to_bits, flint_precision, mpmath_precision
from asymptok.symbols import u

if TYPE_CHECKING:
    from asymptok.kernels.kernel import Kernel

__all__ = ["evaluate", "require_no_parameters"]


def evaluate(kernel: Kernel, point: Any, dps: int = 15) -> Any:
    """See Kernel.evaluate."""
    if isinstance(dps, bool) or not isinstance(dps, int) or not 1 <= dps <= 1_000_000:
        raise AsymptokError(f"dps is a number of decimal digits from 1 to 1000000, not {dps!r}")
    require_no_parameters(kernel)
    x = _exact_point(point)
    _check_range(x, point)
    bits = digits_to_bits(dps)
    value = _ball_value(kernel, x, bits)
    with mpmath_precision(bits):
        return +value


def _exact_point(point: Any) -> Any:
    """The point as an exact SymPy number; a float is its binary value, a text its decimal one."""
    if hasattr(point, "item") and not isinstance(point, sympy.Basic):
        point = point.item()
    if isinstance(point, bool) or isinstance(point, complex):
        raise AsymptokError(f"kappa is evaluated at a real number, not {point!r}")
    if isinstance(point, float | sympy.Float):
        point = mpmath.mpf(point) if isinstance(point, float) else mpmath.make_mpf(point._mpf_)
    if isinstance(point, mpmath.mpf):
        if not mpmath.isfinite(point):
            raise AsymptokError(f"kappa is evaluated at a finite number, not {point}")
        return Rational(*mpmath.libmp.to_rational(point._mpf_))
    from asymptok.parameters import exact_number

    x = exact_number(point, "the point")
    if dag.free_symbols(x):
        raise AsymptokError(f"kappa is evaluated at a number, not {x}; use compose() for an expression")
    return x


def _check_range(x: Any, shown: Any) -> None:
    outside = abs(x) > 1 if isinstance(x, Rational) else (abs(x) - 1).is_positive
    if outside:
        raise AsymptokError(f"u = {shown} is outside [-1, 1], where a kernel on the sphere is defined")


def _ball_value(kernel: Kernel, x: Any, bits: int) -> Any:
    """The midpoint of a ball of relative radius below 2^-bits, found by doubling the precision."""
    from asymptok.balls import ball

    tiny = 2 * bits + 70 * bits // 3 + 3400  # about 10^-(1000 + 20 dps) for dps digits
    expr = kernel.expr
    prec, limit = bits + 40, 16 * bits + 20_000 + _size_in_bits(x)
    substituted = False
    while True:
        with flint_precision(prec):
            # A point such as 1/pi is enclosed anew at every precision.
            enclosure = ball(expr, {u: x} if expr.has(u) else None, prec=prec)
            if enclosure.is_finite():
                if enclosure.rel_accuracy_bits() >= bits or enclosure.is_exact():
                    return _midpoint(enclosure)
                if not substituted and enclosure.contains(0):
                    substituted = True
                    expr = _at_point(expr, x)
                    if expr is S.Zero:
                        return mpmath.mp.zero
                    continue
                if enclosure.abs_upper() < _power_of_two(-tiny):
                    return mpmath.mp.zero
            elif not substituted:
                substituted = True
                expr = _at_point(expr, x)
                continue
        if prec >= limit:
            break
        prec = min(2 * prec, limit)
    if not enclosure.is_finite():
        if abs(x) == 1:
            return _limit(kernel, int(x), bits)
        raise AsymptokError(f"{kernel} has no finite real value at u = {x}")
    raise PrecisionError(
        f"{kernel} at u = {x}: {bits} bits were not reached with {limit} bits of working precision; "
        "ask for fewer digits"
    )


def _at_point(expr: Any, x: Any) -> Any:
    """The expression with the point put in exactly, or as it was where that makes no sense (0 times infinity)."""
    exact = dag.rebuild(expr, {u: x})
    return (
        exact
        if exact.is_finite is not False and not exact.has(S.NaN, S.ComplexInfinity, S.Infinity)
        else expr
    )


def _limit(kernel: Kernel, end: int, bits: int) -> Any:
    """kappa at an end where the formula itself breaks down (0 times infinity): the constant term of the expansion."""
    try:
        from asymptok.expansion import expand
    except ImportError:
        raise AsymptokError(f"the formula of {kernel} has no value at u = {end}") from None
    constant = S.Zero
    for term in expand(kernel, at=end, order=0).terms:
        if term.exponent != 0 or term.log_power != 0:
            raise AsymptokError(f"{kernel} is not finite at u = {end}")
        constant = term.coefficient
    from asymptok.kernels.kernel import Kernel as MakeKernel

    return _ball_value(MakeKernel(constant), S.Zero, bits)


def _midpoint(enclosure: Any) -> Any:
    mantissa, exponent = enclosure.mid().man_exp()
    return mpmath.mp.make_mpf(mpmath.libmp.from_man_exp(int(mantissa), int(exponent)))


def _power_of_two(exponent: int) -> Any:
    from flint import arb

    return arb((1, exponent))


def _size_in_bits(x: Any) -> int:
    return 8 * (int(x.p).bit_length() + int(x.q).bit_length()) if isinstance(x, Rational) else 0


def require_no_parameters(kernel: Kernel) -> None:
    if kernel.parameters:
        names = ", ".join(s.name for s in kernel.parameters)
        first = next(iter(kernel.parameters)).name
        raise AsymptokError(f"give values to {names} first: kernel.subs({first}=...)")
