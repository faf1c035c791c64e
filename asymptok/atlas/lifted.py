"""Polylogarithms, 2F1 and complete elliptic integrals beyond their cut [1, oo), on the surface of L = log(1-N).

As functions of L they have no singular points but L = 2 pi i m, m = +-1, +-2, ...: on all sheets but the first N = 0 is
one. So f(N) is analytic wherever L is and |Im L| < 2 pi, and since Im L is harmonic and bounded, this holds in a
domain if it holds on its boundary. With 1 - N = (1-u)^p0 (1+u)^p1 U, U off (-oo, 0],
    L = p0 log(1-u) + p1 log(1+u) + log U.
Where |Im L| < pi the value is the principal one; elsewhere |1-N| < 1 is needed for the expansion at N = 1.

Bessel functions of the second kind are entire functions of L = log N, on the sheets next to the first by their values
at -N:
    K(z e^(+-i pi)) = e^(-+i pi nu) K(z) -+ i pi I(z),      Y(z e^(+-i pi)) = e^(-+i pi nu) Y(z) +- 2i cos(pi nu) J(z).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import acb, arb, ctx, fmpq
from sympy import Expr

from asymptok.atlas.models.at_one import connection
from asymptok.atlas.samples import Sample, Straddles
from asymptok.balls import ball
from asymptok.functions.cuts import off_axis_from_one, off_negative_axis
from asymptok.functions.record import Record

#: functions whose only singular points are 1, infinity and, on other sheets, 0
WITH_BRANCH_AT_ONE = (sympy.polylog, sympy.hyper, sympy.elliptic_k, sympy.elliptic_e)
#: |1-N| up to which the expansion at 1 is used, its radius there, and how many terms of it
_REACH, _RADIUS, _TERMS = fmpq(15, 16), fmpq(31, 32), 160


def _logarithm(sample: Sample, rest: Any, orders: tuple[Expr, Expr]) -> Any:
    """log N of N = (1-u)^p0 (1+u)^p1 U, continued from the interval; Straddles if U meets the cut."""
    if not off_negative_axis(rest):
        raise Straddles
    log = rest.log()
    for at, order in zip((1, -1), orders, strict=True):
        log = log + sample.log(at) * ball(order) if order != 0 else log
    return log


def lifted(node: Expr, record: Record, orders: tuple[Expr, Expr] | None) -> Callable[..., Any]:
    """The step f(N), or with the orders of 1 - N at both ends the step of N and U; Straddles where nothing is known."""
    before = node.args[:-1]

    def principal(value: acb) -> acb:
        if isinstance(node, sympy.hyper):
            return record.complex(*([acb(ball(a)) for a in group] for group in before), value)
        return record.complex(*(acb(ball(a)) for a in before), value)

    def plain(_: Sample, value: Any) -> acb:
        if not off_axis_from_one(value):
            raise Straddles
        return principal(value)

    if orders is None:
        return plain

    def around(sample: Sample, value: Any, rest: Any) -> Any:
        log = _logarithm(sample, rest, orders)
        angle = abs(log.imag)
        if angle < arb.pi() and off_axis_from_one(value):
            return principal(value)
        y = 1 - value
        near = (
            connection(node, max(_TERMS, ctx.prec)) if angle < 2 * arb.pi() and abs(y) < arb(_REACH) else None
        )
        found = None if near is None else near.value(y, log, arb(_RADIUS))
        if found is None:
            raise Straddles
        return found

    return around


#: with a branch point at 0
BESSEL = (sympy.besselk, sympy.bessely)


def bessel(node: Expr, record: Record, orders: tuple[Expr, Expr]) -> Callable[..., Any]:
    """The step of N and U, N = (1-u)^p0 (1+u)^p1 U; Straddles unless |Im log N| < 2 pi, on one sheet."""
    nu = node.args[0]

    def step(sample: Sample, value: Any, rest: Any) -> Any:
        log = _logarithm(sample, rest, orders)
        order = acb(ball(nu))
        if abs(log.imag) < arb.pi() and off_negative_axis(value):
            found = record.complex(order, value)
            if found.is_finite():
                return found  # FLINT has no Y on some boxes across the imaginary axis
        sign = 1 if log.imag > 0 else -1
        if not (0 < sign * log.imag < 2 * arb.pi() and off_negative_axis(-value)):
            raise Straddles
        here, turn = record.complex(order, -value), (order * sign).exp_pi_i()
        if isinstance(node, sympy.besselk):
            return here / turn - acb(0, sign) * arb.pi() * (-value).bessel_i(order)
        return here / turn + acb(0, 2 * sign) * (order * arb.pi()).cos() * (-value).bessel_j(order)

    return step


__all__ = ["BESSEL", "WITH_BRANCH_AT_ONE", "bessel", "lifted"]
