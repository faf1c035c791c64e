"""Powers: base**exponent with its principal value exp(exponent log base)."""

from __future__ import annotations

from typing import TypeVar

import sympy
from flint import acb, acb_series, arb, arb_series
from sympy import Expr, Rational, S

from asymptok.functions.cuts import off_negative_axis
from asymptok.functions.mean_value import around_middle
from asymptok.functions.record import NONZERO, POSITIVE, Pairs, Points, Record
from asymptok.quantities import by_squaring
from asymptok.symbols import u

#: a ball, real or complex, or a power series of such
B = TypeVar("B", arb, acb, arb_series, acb_series)


def hull(low: arb, high: arb) -> arb:
    """The smallest ball around both ends; nan as soon as one end is."""
    if not (low.is_finite() and high.is_finite()):
        return arb.nan()
    return low.union(high)


_HALF = acb((1, -1))


def integer_power(x: B, n: int) -> B:
    """x**n by repeated squaring.

    python-flint's own `arb ** int` goes through log as soon as the ball contains zero, and returns nan.
    """
    if n < 0:
        return integer_power(1 / x, -n)
    if n == 0:
        return x * 0 + 1
    result = by_squaring(x, n)
    # an even power is never negative: halve the enclosure when the base straddles zero
    return result.nonnegative_part() if n % 2 == 0 and isinstance(result, arb) else result


def real_power(x: arb, exponent: arb) -> arb:
    """x**e = exp(e log x) for x >= 0 (monotone in x: a ball touching zero is the hull of its ends)."""
    if x > 0:
        return x**exponent
    if x < 0 or not exponent > 0:
        return _real_integer_case(x, exponent)
    low = x.lower()
    if low < 0:
        return arb.nan()
    top = x.upper()
    return hull(arb(0), top**exponent) if top > 0 else arb(0)


def _real_integer_case(x: arb, exponent: arb) -> arb:
    n = _whole(exponent)
    return arb.nan() if n is None else integer_power(x, n)


def complex_power(z: acb, exponent: acb) -> acb:
    """z**e, principal value; a ball around zero with e > 0 is enclosed by its modulus."""
    if exponent == _HALF:
        return complex_sqrt(z)
    if exponent == -_HALF:
        return complex_rsqrt(z)
    if z.contains(0) and exponent.imag.is_zero() and exponent.real > 0:
        radius = real_power(z.abs_upper(), exponent.real).abs_upper()
        disc = arb(0, radius)
        return acb(0) if z.is_zero() else acb(disc, disc)
    return z.pow(exponent)


complex_sqrt = around_middle(acb.sqrt, lambda z: z.rsqrt() / 2, regular=off_negative_axis)
complex_rsqrt = around_middle(acb.rsqrt, lambda z: -z.rsqrt() / (2 * z), regular=off_negative_axis)


def real_sqrt(x: arb) -> arb:
    if x > 0:
        return x.sqrt()
    low = x.lower()
    if not low >= 0:
        return arb.nan()
    return hull(arb(0), x.upper().sqrt())


def _requirements(node: Expr) -> Pairs:
    """x**n needs nothing or x != 0; every other power x > 0, also of a constant: (-2)**u is complex."""
    base, exponent = node.args
    if base is S.Exp1 or (exponent.is_integer and exponent.is_nonnegative):
        return []
    return [(base, NONZERO if exponent.is_integer else POSITIVE)]


def _entire(node: Expr) -> bool:
    base, exponent = node.args
    if not base.has(u):
        return bool(base.is_positive)  # b**x = exp(x log b)
    return bool(exponent.is_integer and exponent.is_nonnegative and not exponent.has(u))


def _growth(node: Expr) -> Rational | None:
    """b**x is of order 1 as exp is, unless b = 1."""
    base, exponent = node.args
    exponential = exponent.has(u) and _entire(node) and (base - 1).is_zero is False
    return S.One if exponential else None


def _singular_values(node: Expr) -> Points | None:
    """Of the base if that varies; of the exponent if the base is a positive constant."""
    base, exponent = node.args
    if exponent.has(u):
        return () if not base.has(u) and base.is_positive else None
    return () if exponent.is_integer and exponent.is_nonnegative else (S.Zero,)


def regular_power(base: acb, exponent: acb) -> bool:
    """z**e is analytic off (-oo, 0], in both arguments; z**n for n >= 0 everywhere, for n < 0 away from zero."""
    if off_negative_axis(base):
        return True
    n = _whole(exponent.real) if exponent.imag.is_zero() else None
    return n is not None and bool(n >= 0 or not base.contains(0))


def _whole(exponent: arb) -> int | None:
    n = exponent.unique_fmpz() if exponent.is_exact() else None
    return None if n is None else int(n)


def _real(base: arb, exponent: arb) -> arb:
    n = _whole(exponent)
    return real_power(base, exponent) if n is None else integer_power(base, n)


def _complex(base: acb, exponent: acb) -> acb:
    n = _whole(exponent.real) if exponent.imag.is_zero() else None
    return complex_power(base, exponent) if n is None else integer_power(base, n)


RECORDS = (
    Record(
        function=sympy.Pow,
        real=_real,
        complex=_complex,
        series=lambda s, e: (s.log() * e).exp(),
        requirements=_requirements,
        entire=_entire,
        singular_values=_singular_values,
        regular=regular_power,
        growth=_growth,
        index=0,
    ),
)
