"""Complete elliptic integrals K and E, as functions of the parameter m = k^2."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import acb, arb, fmpq
from sympy import Expr, S, elliptic_e, elliptic_k, oo, pi

from asymptok.errors import ExpansionError
from asymptok.functions.cuts import (
    FROM_ONE,
    off_axis_from_one,
)
from asymptok.functions.expanding import Context, Series, expands, finite_limit
from asymptok.functions.hypergeometric import hyper_derivative, hypergeometric
from asymptok.functions.mean_value import around_middle
from asymptok.functions.record import (
    POSITIVE,
    Implementation,
    Monotone,
    Points,
    Record,
    constantly,
    cut_along,
    of_argument,
)
from asymptok.quantities import Element
from asymptok.truth import Truth

# ---------------------------------------------------------------------------------------- elliptic


def _elliptic_derivative(upper: int, order: int) -> Implementation:
    """The derivatives of K = pi/2 2F1(1/2, 1/2; 1; m) and of E = pi/2 2F1(-1/2, 1/2; 1; m)."""
    parameters = (acb(fmpq(upper, 2)), acb(fmpq(1, 2))), (acb(1),)
    return lambda m: arb.pi() / 2 * hyper_derivative(order)(*parameters, m)


_complex_k = around_middle(
    acb.elliptic_k, _elliptic_derivative(1, 1), _elliptic_derivative(1, 2), regular=off_axis_from_one
)

_complex_e = around_middle(
    acb.elliptic_e, _elliptic_derivative(-1, 1), _elliptic_derivative(-1, 2), regular=off_axis_from_one
)


def _elliptic_k_real(m: arb) -> arb:
    return _complex_k(acb(m)).real if m < 1 else arb.nan()


def _elliptic_e_real(*args: arb) -> arb:
    return _complex_e(acb(args[0])).real if len(args) == 1 and args[0] <= 1 else arb.nan()


def _elliptic_e_complex(*args: acb) -> acb:
    return _complex_e(args[0]) if len(args) == 1 else acb.elliptic_e_inc(args[0], args[1])


def _elliptic_e_regular(*args: acb) -> bool:
    return len(args) == 1 and off_axis_from_one(args[0])


def _elliptic_values(node: Expr) -> Points | None:
    # at 0 only once a path has gone around 1
    return (S.One, S.Zero) if len(node.args) == 1 else None


def _elliptic_elsewhere(node: Expr) -> Points:
    return (S.Zero,) if len(node.args) == 1 else ()


@expands(elliptic_k)
def _elliptic_k(context: Context, node: Expr, m: Series) -> Series:
    return _elliptic(context, node, m, fmpq(1, 2), 0)


@expands(elliptic_e)
def _elliptic_e(context: Context, node: Expr, m: Series, *more: Series) -> Series:
    if more:
        raise ExpansionError(f"{node}: only the complete elliptic integral is expanded", node)
    return _elliptic(context, node, m, fmpq(-1, 2), 1)


def _elliptic(context: Context, node: Expr, m: Series, first: fmpq, which: int) -> Series:
    """K = (pi/2) 2F1(1/2, 1/2; 1; m) and E = (pi/2) 2F1(-1/2, 1/2; 1; m); inside (0, 1) by their own equations."""
    dom = context.dom
    value = finite_limit(m, node, "the argument is unbounded")
    at_zero = dom.is_zero(value)
    at_one = dom.is_zero(dom.add(value, dom.rational(-1)))
    if at_zero is Truth.FALSE and at_one is Truth.FALSE:
        pair = _elliptic_taylor(context, value)
        return context.compose(lambda n: pair(n)[which], m.without_constant())
    upper = [dom.rational(first), dom.rational(fmpq(1, 2))]
    return hypergeometric(context, node, upper, [dom.one], m).scaled(dom.constant(pi / 2))


def _elliptic_taylor(context: Context, z: Element) -> Callable[[int], tuple[Element, Element]]:
    """Coefficients of K and E from 2m E' = E - K and 2m(1-m) K' = E - (1-m) K."""
    dom = context.dom
    known = [(dom.apply(elliptic_k, z), dom.apply(elliptic_e, z))]
    one_minus = dom.add(dom.one, dom.neg(z))
    product = dom.mul(z, one_minus)
    slope = dom.add(one_minus, dom.neg(z))

    def coefficients(n: int) -> tuple[Element, Element]:
        while len(known) <= n:
            i = len(known) - 1
            k, e = known[i]
            next_e = dom.add(dom.scale(e, fmpq(1 - 2 * i)), dom.neg(k))
            next_e = dom.scale(dom.mul(next_e, dom.inverse(z)), fmpq(1, 2 * (i + 1)))
            right = dom.add(e, dom.neg(dom.mul(one_minus, k)))
            right = dom.add(right, dom.scale(dom.mul(slope, k), fmpq(-2 * i)))
            if i:
                right = dom.add(right, dom.scale(known[i - 1][0], fmpq(1 + 2 * (i - 1))))
            next_k = dom.scale(dom.mul(right, dom.inverse(product)), fmpq(1, 2 * (i + 1)))
            known.append((next_k, next_e))
        return known[n]

    return coefficients


RECORDS = (
    # flint and SymPy agree: K and E are functions of the parameter m = k^2
    Record(
        function=sympy.elliptic_k,
        real=_elliptic_k_real,
        complex=_complex_k,
        requirements=of_argument(lambda m: [(1 - m, POSITIVE)]),
        singular_values=_elliptic_values,
        elsewhere=_elliptic_elsewhere,
        **cut_along(FROM_ONE),
        monotone=of_argument(lambda m: Monotone(1, (-oo, S.One), (S.Zero, oo))),
        upward=of_argument(constantly(S.One)),
        names=("elliptic_k", "ellipk"),
    ),
    Record(
        function=sympy.elliptic_e,
        real=_elliptic_e_real,
        complex=_elliptic_e_complex,
        requirements=of_argument(lambda m: [(1 - m, POSITIVE)]),
        singular_values=_elliptic_values,
        elsewhere=_elliptic_elsewhere,
        regular=_elliptic_e_regular,
        rays=of_argument(constantly(FROM_ONE)),
        monotone=of_argument(lambda m: Monotone(-1, (-oo, S.One), (oo, S.One))),
        downward=of_argument(constantly(S.One)),
        names=("elliptic_e", "ellipe"),
    ),
    # nothing but its complex values is known
    Record(
        function=sympy.elliptic_f,
        real=lambda z, m: arb.nan(),
        complex=lambda z, m: acb.elliptic_f(z, m),
    ),
)
