"""Bessel functions: at zero by their series (with logarithms for integer order), elsewhere by Bessel's equation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import fmpq
from sympy import EulerGamma, Expr, besseli, besselj, besselk, bessely, cos, gamma, pi, sin

from asymptok.errors import ExpansionError, Obstruction
from asymptok.functions.expanding import (
    Context,
    Series,
    decided_zero,
    direction,
    exact_constant,
    expands,
    grows_like_a_power,
    whole_value,
)
from asymptok.quantities import Element


@dataclass(frozen=True, slots=True)
class _Family:
    """z^2 f'' + z f' + (sign z^2 - nu^2) f = 0 and f' = before f_(nu-1) - (nu/z) f."""

    function: Callable[..., Expr]
    sign: int
    before: int


_J = _Family(besselj, 1, 1)
_Y = _Family(bessely, 1, 1)
_I = _Family(besseli, -1, 1)
_K = _Family(besselk, -1, -1)


@expands(besselj)
def _besselj(context: Context, node: Expr, order: Series, a: Series) -> Series:
    return _bessel(context, node, order, a, _J)


@expands(bessely)
def _bessely(context: Context, node: Expr, order: Series, a: Series) -> Series:
    return _bessel(context, node, order, a, _Y)


@expands(besseli)
def _besseli(context: Context, node: Expr, order: Series, a: Series) -> Series:
    return _bessel(context, node, order, a, _I)


@expands(besselk)
def _besselk(context: Context, node: Expr, order: Series, a: Series) -> Series:
    return _bessel(context, node, order, a, _K)


def _bessel(context: Context, node: Expr, order: Series, a: Series, family: _Family) -> Series:
    nu = exact_constant(order)
    if nu is None:
        raise ExpansionError(f"{node}: the order of a Bessel function must not depend on the variable", node)
    value = a.limit()
    if value is None:
        return _at_infinity(context, a, node, family)
    if decided_zero(context, value, node):
        return _at_zero(context, node, nu, a.without_constant(), family)
    return context.compose(_taylor(context, nu, value, family), a.without_constant())


def _at_infinity(context: Context, a: Series, node: Expr, family: _Family) -> Series:
    if family is _K and direction(a, node) > 0:
        lead = a.lead()
        if a.dom.ranges.sign(lead.form, lead.rest).negative or lead.log_power >= 2:
            return context.flat(a)  # K decays like exp(-a), and a outgrows every multiple of log(1/t)
        raise ExpansionError(f"{node} has no expansion: its argument grows like a logarithm", node)
    if family.sign > 0:
        raise ExpansionError(f"{node} oscillates at the point", node, Obstruction.IRREGULAR)
    grows = family is not _K and direction(a, node) > 0 and grows_like_a_power(a)
    kind = Obstruction.GROWS if grows else Obstruction.METHOD
    raise ExpansionError(f"{node} grows faster than every power, or is complex, at the point", node, kind)


def _taylor(context: Context, nu: Element, z: Element, family: _Family) -> Callable[[int], Element]:
    """Taylor coefficients at z != 0; coefficient n of Bessel's equation gives c_(n+2)."""
    dom = context.dom
    minus_one = dom.add(nu, dom.rational(-1))
    inverse = dom.inverse(z)
    value = dom.apply(family.function, nu, z)
    before = dom.scale(dom.apply(family.function, minus_one, z), fmpq(family.before))
    slope = dom.add(before, dom.neg(dom.mul(dom.mul(nu, inverse), value)))
    known = [value, slope]
    square, nu_square = dom.mul(z, z), dom.mul(nu, nu)
    base = dom.add(dom.scale(square, fmpq(family.sign)), dom.neg(nu_square))
    inverse_square = dom.mul(inverse, inverse)

    def coefficient(n: int) -> Element:
        while len(known) <= n:
            m = len(known) - 2
            total = dom.scale(dom.mul(z, known[m + 1]), fmpq((m + 1) * (2 * m + 1)))
            total = dom.add(total, dom.mul(dom.add(base, dom.rational(m * m)), known[m]))
            if m >= 1:
                total = dom.add(total, dom.scale(dom.mul(z, known[m - 1]), fmpq(2 * family.sign)))
            if m >= 2:
                total = dom.add(total, dom.scale(known[m - 2], fmpq(family.sign)))
            known.append(dom.scale(dom.mul(total, inverse_square), fmpq(-1, (m + 1) * (m + 2))))
        return known[n]

    return coefficient


def _at_zero(context: Context, node: Expr, nu: Element, a: Series, family: _Family) -> Series:
    n = whole_value(context, nu, node)
    if n is None:
        return _fractional(context, node, nu, a, family)
    if n < 0:
        # f_(-n) = (-1)^n f_n for J and Y; I and K are even in the order.
        sign = -1 if n % 2 and family.sign > 0 else 1
        return _at_zero(context, node, context.dom.rational(-n), a, family).scaled(context.dom.rational(sign))
    if family in (_J, _I):
        return _regular(context, node, context.dom.rational(n), a, family)
    return _logarithmic(context, node, n, a, family)


def _half(context: Context, a: Series) -> Series:
    return a.scaled(context.dom.rational(fmpq(1, 2)))


def _regular(context: Context, node: Expr, nu: Element, a: Series, family: _Family) -> Series:
    """(z/2)^nu / Gamma(nu+1) * sum_m (-sign z^2/4)^m / (m! (nu+1)_m)."""
    dom = context.dom
    scale = dom.inverse(dom.apply(gamma, dom.add(nu, dom.one)))
    return _factor(context, node, nu, a) * _even_series(context, nu, a, -family.sign).scaled(scale)


def _factor(context: Context, node: Expr, nu: Element, a: Series) -> Series:
    return context.power(_half(context, a), nu, node)


def _even_series(context: Context, nu: Element, a: Series, sign: int) -> Series:
    """sum_m (sign z^2/4)^m / (m! (nu+1)_m)."""
    dom = context.dom
    known = [dom.one]

    def coefficient(m: int) -> Element:
        while len(known) <= m:
            n = len(known)
            step = dom.inverse(dom.scale(dom.add(nu, dom.rational(n)), fmpq(n)))
            known.append(dom.scale(dom.mul(known[-1], step), fmpq(sign)))
        return known[m]

    half = _half(context, a)
    return context.compose(coefficient, half * half)


def _fractional(context: Context, node: Expr, nu: Element, a: Series, family: _Family) -> Series:
    dom = context.dom
    minus = dom.neg(nu)
    if family in (_J, _I):
        return _regular(context, node, nu, a, family)
    if family is _K:
        # K_nu = (Gamma(nu) (z/2)^-nu F_-nu + Gamma(-nu) (z/2)^nu F_nu)/2
        first = _factor(context, node, minus, a) * _even_series(context, minus, a, 1)
        second = _factor(context, node, nu, a) * _even_series(context, nu, a, 1)
        total = first.scaled(dom.apply(gamma, nu)) + second.scaled(dom.apply(gamma, minus))
        return total.scaled(dom.rational(fmpq(1, 2)))
    # Y_nu = (cos(nu pi) J_nu - J_-nu)/sin(nu pi)
    plus = _regular(context, node, nu, a, _J).scaled(dom.apply(lambda x: cos(pi * x), nu))
    difference = plus - _regular(context, node, minus, a, _J)
    return difference.scaled(dom.inverse(dom.apply(lambda x: sin(pi * x), nu)))


def _logarithmic(context: Context, node: Expr, n: int, a: Series, family: _Family) -> Series:
    """K_n and Y_n: a finite sum of negative powers, log(z/2) times I_n or J_n, and a series with harmonic numbers."""
    dom = context.dom
    half = _half(context, a)
    square = half * half
    partner = _I if family is _K else _J
    sign = 1 if family is _K else -1  # of z^2/4 in the partner series
    factorials = [fmpq(1)]
    harmonic = [fmpq(0)]

    def grow(m: int) -> None:
        while len(factorials) <= m:
            i = len(factorials)
            factorials.append(factorials[-1] * i)
            harmonic.append(harmonic[-1] + fmpq(1, i))

    euler = dom.constant(EulerGamma)

    def digammas(m: int) -> Element:
        # [psi(m+1) + psi(n+m+1)] / (m! (n+m)!)
        grow(n + m)
        value = dom.add(dom.rational(harmonic[m] + harmonic[n + m]), dom.scale(euler, fmpq(-2)))
        return dom.scale(value, fmpq(sign**m) / (factorials[m] * factorials[n + m]))

    tail = context.power(half, fmpq(n), node) * context.compose(digammas, square)
    logs = context.logarithm(half, node) * _regular(context, node, dom.rational(n), a, partner)
    result = tail.scaled(dom.rational(fmpq((-1) ** n, 2))) - logs.scaled(dom.rational((-1) ** n))
    if family is _Y:
        result = (logs + logs - tail).scaled(dom.constant(1 / pi))
    if n > 0:
        grow(n)

        def finite(m: int) -> Element:
            return dom.rational(factorials[n - m - 1] / factorials[m] * (-sign) ** m)

        head = context.power(half, fmpq(-n), node) * context.compose(finite, square, last=n - 1)
        scale = dom.rational(fmpq(1, 2)) if family is _K else dom.constant(-1 / pi)
        result = result + head.scaled(scale)
    return result
