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
    if isinstance(point, bool | complex):
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
    """The midpoint of a ball of relative radius below 2^-bits, found by doubling the precision.

    Where that makes no headway the point is put in exactly: SymPy sees zeros that balls cannot.
    """
    from asymptok.balls import ball

    expr, values = kernel.expr, {u: x}
    # 2^-tiny is below 10^-(1000 + 20 dps)
    prec, limit, tiny = bits + 40, 32 * bits + 20_000 + _size_in_bits(x), 20 * bits + 3400
    patience, at_end = 4 * prec, abs(x) == 1
    while True:
        with flint_precision(prec):
            enclosure = ball(expr, values, prec=prec)
            if enclosure.is_finite():
                if enclosure.is_exact() or enclosure.rel_accuracy_bits() >= bits:
                    return _midpoint(enclosure)
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
            f"{kernel} at u = {x}: {bits} bits were not reached with {limit} bits of working precision; "
            "ask for fewer digits"
        )
    return _limit(kernel, x, bits)


def _at_point(expr: Any, values: dict[Any, Any]) -> Any:
    """The expression with the point put in exactly; unchanged where that is not finite (0 times infinity)."""
    exact = dag.rebuild(expr, values)
    infinite = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)
    return expr if any(node in infinite for node in dag.postorder(exact)) else exact


def _limit(kernel: Kernel, x: Any, bits: int) -> Any:
    """kappa where the formula breaks down (0 times infinity, 0/0), from its expansions: a removable singularity."""
    from asymptok.expansion import puiseux
    from asymptok.kernels.kernel import Kernel as MakeKernel

    sides = {S.One: "-", S.NegativeOne: "+"}.get(x, "+-")
    limits = []
    for side in sides:
        try:
            found = puiseux(kernel.expr, u, x, side, 0)
        except AsymptokError:
            raise AsymptokError(f"{kernel} has no finite real value at u = {x}") from None
        constant = S.Zero
        for term in found.terms:
            if term.exponent != 0 or term.log_power != 0:
                raise AsymptokError(f"{kernel} is not finite at u = {x}")
            constant = term.coefficient
        limits.append(constant)
    if len(limits) == 2 and _ball_value(MakeKernel(limits[0] - limits[1]), S.Zero, bits) != 0:
        raise AsymptokError(f"{kernel} has no value at u = {x}, where it jumps")
    return _ball_value(MakeKernel(limits[0]), S.Zero, bits)


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
