"""Bessel and Airy functions: at zero by their series (with logarithms), elsewhere by Bessel's equation.

K_nu on arrays of doubles, for one real order: a series next to 0, an integral elsewhere, a recurrence in nu.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any

import mpmath
import numpy as np
import sympy
from flint import acb, arb, fmpq
from sympy import EulerGamma, Expr, Rational, S, besseli, besselj, besselk, bessely, cos, gamma, oo, pi, sin

from asymptok.errors import ExpansionError, Obstruction
from asymptok.functions.cuts import NEGATIVE_AXIS, off_negative_axis
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
from asymptok.functions.mean_value import around_middle
from asymptok.functions.record import (
    POSITIVE,
    Implementation,
    Monotone,
    Pairs,
    Points,
    Record,
    constantly,
    entire_record,
)
from asymptok.points import Array
from asymptok.precision import mpmath_precision
from asymptok.quantities import B, Element
from asymptok.symbols import u

__all__ = ["bessel_k"]


#: the series is used up to here; its terms fall like (x/2)^(2n)/n!^2
_NEAR = 1.0
_TERMS = 17
#: step and number of nodes of the trapezoidal rule: e^(-s^2) is below 1e-17 at the last one
_STEP, _NODES = 0.2, 32


def bessel_k(order: float | int, x: object) -> Array:
    """K_order(x) for x > 0, infinite at 0; nan for an order that is no single real number or is beyond 60.

    >>> exact = np.sqrt(np.pi / 6) * np.exp(-3.0)
    >>> bool(abs(bessel_k(0.5, np.array([3.0]))[0] / exact - 1) < 2**-50)
    True
    """
    x = np.asarray(x, dtype=float)
    if np.ndim(order) or not abs(order) <= 60:
        return np.full(x.shape, np.nan)
    nu = abs(float(order))
    count = ceil(nu - 0.5)
    mu = nu - count  # |mu| <= 1/2
    before, here = np.empty_like(x), np.empty_like(x)
    near = x <= _NEAR
    before[near], here[near] = _series(mu, x[near])
    before[~near], here[~near] = _integral(mu, x[~near])
    if count == 0:
        return before
    # K_(m+1) = K_(m-1) + (2m/x) K_m: positive terms, no digit is lost
    for j in range(1, count):
        before, here = here, before + (2 * (mu + j) / x) * here
    return here


@lru_cache(maxsize=64)
def _gammas(mu: float) -> tuple[float, ...]:
    """Gamma(1+mu), Gamma(1-mu), pi mu/sin(pi mu), and the odd and even parts of 1/Gamma(1-mu)."""
    with mpmath_precision(140):
        m = mpmath.mpf(mu)
        plus, minus = mpmath.gamma(1 + m), mpmath.gamma(1 - m)
        odd = (1 / minus - 1 / plus) / (2 * m) if m else -mpmath.euler
        parts = (plus, minus, 1 / mpmath.sincpi(m), odd, (1 / minus + 1 / plus) / 2)
        return tuple(map(float, parts))


def _series(mu: float, x: Array) -> tuple[Array, Array]:
    """K_mu and K_(mu+1) from the power series of I_(-mu) and I_mu, joined so that mu -> 0 loses nothing."""
    plus, minus, ratio, odd, even = _gammas(mu)
    log = np.log(2 / x)
    sigma = mu * log
    # sinh(sigma)/mu, which is log for mu = 0
    f = ratio * (np.cosh(sigma) * odd + (np.sinh(sigma) / mu if mu else log) * even)
    p, q = np.exp(sigma) * plus / 2, np.exp(-sigma) * minus / 2
    scale = np.ones_like(x)
    first, second = f.copy(), p.copy()
    for n in range(1, _TERMS):
        f = (n * f + p + q) / (n * n - mu * mu)
        p, q = p / (n - mu), q / (n + mu)
        scale = scale * (x * x / 4) / n
        first += scale * f
        second += scale * (p - n * f)
    return first, 2 / x * second


def _integral(mu: float, x: Array) -> tuple[Array, Array]:
    """int_0^oo e^(-x cosh y) cosh(mu y) dy with x (cosh y - 1) = s^2, by the trapezoidal rule in s."""
    total = [np.zeros_like(x), np.zeros_like(x)]
    for j in range(_NODES):
        s = _STEP * j
        weight = _STEP * (0.5 if j == 0 else 1.0) * np.exp(-s * s) * 2 / np.sqrt(2 * x + s * s)
        y = 2 * np.arcsinh(s / np.sqrt(2 * x))
        for i, order in enumerate((mu, mu + 1)):
            total[i] += weight * np.cosh(order * y)
    decay = np.exp(-x)
    return decay * total[0], decay * total[1]


def _entire(node: Expr) -> bool:
    """J_n and I_n for a fixed integer n."""
    order = node.args[0]
    return bool(order.is_integer and not order.has(u))


def _positive(node: Expr) -> Pairs:
    """x > 0: there all four are real and analytic in the argument and in a real order."""
    return [(node.args[1], POSITIVE)]


def _first_kind_requirements(node: Expr) -> Pairs:
    return [] if node.args[0].is_integer else _positive(node)


def _first_kind_values(node: Expr) -> Points | None:
    if node.args[0].has(u):
        return None
    return () if _entire(node) else (S.Zero,)


def _second_kind_values(node: Expr) -> Points | None:
    return None if node.args[0].has(u) else (S.Zero,)


def _first_kind_regular(order: acb, z: acb) -> bool:
    whole = order.imag.is_zero() and order.real.is_integer()
    return bool(whole) or _second_kind_regular(order, z)


def _second_kind_regular(order: acb, z: acb) -> bool:
    return bool(order.is_finite()) and off_negative_axis(z)


def _decreasing(node: Expr) -> Monotone | None:
    """K_nu' = -(K_(nu-1) + K_(nu+1))/2 < 0 for real nu."""
    order = node.args[0]
    return Monotone(-1, (S.Zero, oo), (oo, S.Zero)) if order.is_real and not order.has(u) else None


def _of_square(sign: int) -> Callable[[Expr, Expr], Expr | None]:
    """J_n or I_n, n = 0, 1, ...: (x/2)^n/n! 0F1(; n + 1; sign x^2/4)."""

    def form(n: Expr, x: Expr) -> Expr | None:
        if not (n.is_Integer and n >= 0):
            return None
        return (x / 2) ** n / sympy.factorial(n) * sympy.hyper((), (n + 1,), sign * x**2 / 4)

    return form


def _first_kind(function: object, ball: Implementation, sign: int, *names: str) -> Record:
    return Record(
        function=function,
        real=ball,
        complex=ball,
        requirements=_first_kind_requirements,
        entire=_entire,
        singular_values=_first_kind_values,
        regular=_first_kind_regular,
        rays=lambda node: () if _entire(node) else NEGATIVE_AXIS,
        growth=lambda node: S.One if _entire(node) else None,
        of_square=_of_square(sign),
        upward=lambda node: oo if sign > 0 and _entire(node) and node.args[0].is_nonnegative else None,
        names=names,
        symbol=names[0][-1].upper(),
        arity=2,
        ordered=True,
    )


def _second_kind(function: object, ball: Implementation, *names: str, **others: Any) -> Record:
    return Record(
        function=function,
        real=ball,
        complex=ball,
        requirements=_positive,
        singular_values=_second_kind_values,
        regular=_second_kind_regular,
        rays=constantly(NEGATIVE_AXIS),
        names=names,
        symbol=names[0][-1].upper(),
        arity=2,
        ordered=True,
        **others,
    )


def _j(n: B, x: B) -> B:
    return x.bessel_j(n)


def _i(n: B, x: B) -> B:
    return x.bessel_i(n)


def _y(n: B, x: B) -> B:
    return x.bessel_y(n)


def _k(n: B, x: B) -> B:
    return x.bessel_k(n)


def _sharp(f: Implementation, sign: int, neighbours: int, regular: Callable[..., bool]) -> Implementation:
    """With 2 f' = +-(f_(n-1) +- f_(n+1)), where `neighbours` joins the two and `sign` stands before them."""
    return around_middle(
        f,
        lambda n, x: sign * (f(n - 1, x) + neighbours * f(n + 1, x)) / 2,
        lambda n, x: (f(n - 2, x) + 2 * neighbours * f(n, x) + f(n + 2, x)) / 4,
        regular=regular,
    )


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


RECORDS = (
    _first_kind(sympy.besselj, _sharp(_j, 1, -1, _first_kind_regular), -1, "besselj", "jv"),
    _first_kind(sympy.besseli, _sharp(_i, 1, 1, _first_kind_regular), 1, "besseli", "iv"),
    _second_kind(sympy.bessely, _sharp(_y, 1, -1, _second_kind_regular), "bessely", "yv"),
    _second_kind(
        sympy.besselk,
        _sharp(_k, -1, 1, _second_kind_regular),
        "besselk",
        "kv",
        monotone=_decreasing,
        tail=(1, 1),
        numpy=bessel_k,
    ),
    entire_record(sympy.airyai, arb.airy_ai, acb.airy_ai, order=Rational(3, 2)),
    entire_record(sympy.airybi, arb.airy_bi, acb.airy_bi, order=Rational(3, 2)),
)
