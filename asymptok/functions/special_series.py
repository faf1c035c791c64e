"""Gamma and its relatives, the polylogarithm, and Lambert's W."""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq
from sympy import Expr, LambertW, digamma, exp, gamma, loggamma, pi, polygamma, polylog, sin, zeta
from sympy.functions.combinatorial.numbers import stirling

from asymptok.errors import ExpansionError
from asymptok.functions.expanding import (
    Context,
    Series,
    decided_zero,
    exact_constant,
    expands,
    finite_limit,
    no_pole,
    whole_value,
)
from asymptok.quantities import Element

_UNBOUNDED = "the argument is unbounded"


# gamma -----------------------------------------------------------------------------------------------------


def _log_gamma_difference(context: Context, z: Element) -> Callable[[int], Element]:
    """Taylor coefficients of loggamma(z + x) - loggamma(z): psi^(n-1)(z)/n!."""
    dom = context.dom

    def coefficient(n: int) -> Element:
        if n == 0:
            return dom.zero
        inverse_factorial = fmpq(1)
        for i in range(2, n + 1):
            inverse_factorial /= i
        return dom.scale(dom.apply(lambda y: polygamma(n - 1, y), z), inverse_factorial)

    return coefficient


@expands(gamma)
def _gamma(context: Context, node: Expr, a: Series) -> Series:
    z = finite_limit(a, node, _UNBOUNDED)
    if not no_pole(context, z, node):
        # Gamma(a) = pi/(sin(pi a) Gamma(1-a))
        sine = context.expand(sin, a.scaled(context.dom.constant(pi)), node=node)
        product = sine * context.expand(gamma, context.number(1) - a, node=node)
        return context.reciprocal(product, node).scaled(context.dom.constant(pi))
    exponent = context.compose(_log_gamma_difference(context, z), a.without_constant())
    return context.exponential(exponent, node).scaled(context.dom.apply(gamma, z))


@expands(loggamma)
def _loggamma(context: Context, node: Expr, a: Series) -> Series:
    z = finite_limit(a, node, _UNBOUNDED)
    if decided_zero(context, z, node):
        # loggamma(a) = loggamma(1 + a) - log a
        return context.expand(loggamma, context.number(1) + a, node=node) - context.logarithm(a, node)
    if not context.dom.sign(z).positive:
        raise context.dom.undecided(z, "the sign of {}", node)
    value = context.dom.apply(loggamma, z)
    return context.compose(_log_gamma_difference(context, z), a.without_constant()) + a.scalar(value)


@expands(polygamma)
def _polygamma(context: Context, node: Expr, order: Series, a: Series) -> Series:
    dom = context.dom
    known = exact_constant(order)
    m = None if known is None else dom.as_rational(known)
    if m is None or m.q != 1 or m < 0:
        raise ExpansionError(f"{node}: the order of polygamma must be a non-negative integer", node)
    z = finite_limit(a, node, _UNBOUNDED)
    if not no_pole(context, z, node):
        raise ExpansionError(f"{node} has a pole at the point", node)

    def coefficient(n: int) -> Element:
        inverse_factorial = fmpq(1)
        for i in range(2, n + 1):
            inverse_factorial /= i
        return dom.scale(dom.apply(lambda y: polygamma(int(m.p) + n, y), z), inverse_factorial)

    return context.compose(coefficient, a.without_constant())


@expands(digamma)
def _digamma(context: Context, node: Expr, a: Series) -> Series:
    return _polygamma(context, node, context.number(0), a)


# polylogarithm ---------------------------------------------------------------------------------------------


@expands(polylog)
def _polylog(context: Context, node: Expr, order: Series, a: Series) -> Series:
    dom = context.dom
    s = exact_constant(order)
    if s is None:
        raise ExpansionError(f"{node}: the order of a polylogarithm must not depend on the variable", node)
    rational = dom.as_rational(s)
    if rational is not None and rational.q == 1:
        return _polylog_integer(context, node, int(rational.p), a)
    whole_value(context, s, node)  # an order that may be an integer stays undecided
    return _polylog_fractional(context, node, s, a)


def _polylog_integer(context: Context, node: Expr, s: int, a: Series) -> Series:
    dom = context.dom
    one_minus = context.number(1) - a
    if s <= 0:
        # Li_(-n)(z) = sum_k k! S(n+1, k+1) y^(k+1), y = z/(1-z)
        y = a * context.reciprocal(one_minus, node)
        total, factorial = context.number(0), 1
        current = y
        for k in range(-s + 1):
            factorial *= max(k, 1)
            total = total + current.scaled(dom.rational(factorial * int(stirling(1 - s, k + 1))))
            current = current * y
        return total
    if s == 1:
        return -context.logarithm(one_minus, node)
    # d Li_s(a) = Li_(s-1)(a)/a da, for every position of a
    value = finite_limit(a, node, _UNBOUNDED)
    lower = _polylog_integer(context, node, s - 1, a)
    return context.primitive(
        dom.apply(lambda x: polylog(s, x), value), lower * context.reciprocal(a, node), a
    )


def _polylog_fractional(context: Context, node: Expr, s: Element, a: Series) -> Series:
    dom = context.dom
    value = finite_limit(a, node, _UNBOUNDED)
    if decided_zero(context, value, node):
        minus = dom.neg(s)
        return context.compose(
            lambda n: dom.power(dom.rational(n), *dom.exponent(minus)) if n else dom.zero,
            a.without_constant(),
        )
    below = dom.sign(dom.add(dom.one, dom.neg(value)))
    if not below.known:
        raise dom.undecided(value, "whether {} is below 1", node)
    if below.negative:
        raise ExpansionError(f"{node} is complex: the argument exceeds 1", node)
    if below.zero:
        # Li_s(e^-w) = Gamma(1-s) w^(s-1) + sum_k zeta(s-k) (-w)^k/k!
        w = -context.logarithm(a, node)
        minus_one = dom.add(s, dom.rational(-1))
        singular = context.power(w, minus_one, node).scaled(dom.apply(gamma, dom.neg(minus_one)))
        return singular + context.compose(_exponential_type(context, lambda n: _zeta(context, s, n)), -w)
    # Li_s(z e^w) = sum_n Li_(s-n)(z) w^n/n!
    w = _log_ratio(context, a, value)

    def derivative(n: int) -> Element:
        return dom.apply(polylog, dom.add(s, dom.rational(-n)), value)

    return context.compose(_exponential_type(context, derivative), w)


def _log_ratio(context: Context, a: Series, value: Element) -> Series:
    """log(a/a_0), whose constant term is zero by construction."""
    return context.log1p(a.without_constant().scaled(a.dom.inverse(value)))


def _zeta(context: Context, s: Element, n: int) -> Element:
    return context.dom.apply(zeta, context.dom.add(s, context.dom.rational(-n)))


def _exponential_type(context: Context, derivative: Callable[[int], Element]) -> Callable[[int], Element]:
    inverse_factorials = [fmpq(1)]

    def coefficient(n: int) -> Element:
        while len(inverse_factorials) <= n:
            inverse_factorials.append(inverse_factorials[-1] / len(inverse_factorials))
        return context.dom.scale(derivative(n), inverse_factorials[n])

    return coefficient


# Lambert's W -----------------------------------------------------------------------------------------------


@expands(LambertW)
def _lambertw(context: Context, node: Expr, a: Series, branch: Series | None = None) -> Series:
    dom = context.dom
    index = dom.zero if branch is None else exact_constant(branch)
    k = None if index is None else dom.as_rational(index)
    if k is None or k not in (0, -1):
        raise ExpansionError(f"{node} is complex: only the branches 0 and -1 are real", node)
    value = finite_limit(a, node, _UNBOUNDED)
    if decided_zero(context, value, node):
        if k != 0:
            raise ExpansionError(f"{node} contains log(log t)", node)
        return context.compose(lambda n: dom.rational(_tree(n)), a.without_constant())
    above = dom.sign(dom.add(value, dom.constant(exp(-1))))
    if not above.known:
        raise dom.undecided(value, "whether {} exceeds -1/e", node)
    if above.negative:
        raise ExpansionError(f"{node} is complex: the argument is below -1/e", node)
    if above.zero:
        # L = log(-e a) < 0, p = +-sqrt(-2L), and W = -1 + v with v v' = p (1 - v), ' = d/dp
        logs = context.logarithm(a.scaled(dom.neg(dom.constant(exp(1)))), node).without_constant()
        p = context.power(logs.scaled(dom.rational(-2)), fmpq(1, 2), node)
        p = p if k == 0 else -p
        return context.compose(_branch_point(context), p) - context.number(1)
    w0 = dom.apply(lambda x: LambertW(x, int(k.p)), value)
    # v = W - w0 solves (1 + w0 + v) v' = w0 + v in the variable log(a/a_0)
    return context.compose(_regular_w(context, w0), _log_ratio(context, a, value)) + a.scalar(w0)


def _tree(n: int) -> fmpq:
    """(-n)^(n-1)/n!, the Taylor coefficients of W at zero."""
    if n == 0:
        return fmpq(0)
    value = fmpq((-n) ** (n - 1))
    for i in range(2, n + 1):
        value /= i
    return value


def _regular_w(context: Context, w0: Element) -> Callable[[int], Element]:
    dom = context.dom
    inverse = dom.inverse(dom.add(dom.one, w0))
    known = [dom.zero]

    def coefficient(n: int) -> Element:
        while len(known) <= n:
            m = len(known) - 1
            # (m+1)(1+w0) c_(m+1) = [m=0] w0 + c_m - sum_i c_i (m+1-i) c_(m+1-i), 1 <= i <= m
            total = dom.add(w0, known[0]) if m == 0 else known[m]
            for i in range(1, m + 1):
                total = dom.add(total, dom.scale(dom.mul(known[i], known[m + 1 - i]), fmpq(-(m + 1 - i))))
            known.append(dom.scale(dom.mul(total, inverse), fmpq(1, m + 1)))
        return known[n]

    return coefficient


def _branch_point(context: Context) -> Callable[[int], Element]:
    """v = sum c_n p^n with v v' = p (1 - v), c_1 = 1; all coefficients are rational."""
    known = [fmpq(0), fmpq(1)]

    def coefficient(n: int) -> Element:
        while len(known) <= n:
            m = len(known)
            # coefficient of p^m:  (m+1) c_m c_1 + sum_{i=2}^{m-1} (m+1-i) c_i c_(m+1-i) = -c_(m-1)
            total = -known[m - 1]
            for i in range(2, m):
                total -= (m + 1 - i) * known[i] * known[m + 1 - i]
            known.append(total / (m + 1))
        return context.dom.rational(known[n])

    return coefficient
