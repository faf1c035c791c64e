"""The gamma function and what is made of it: factorial, log-gamma, polygamma and zeta."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import acb, arb, fmpq
from sympy import Expr, S, digamma, gamma, loggamma, pi, polygamma, sin

from asymptok.errors import ExpansionError
from asymptok.functions.cuts import NEGATIVE_AXIS, off_negative_axis
from asymptok.functions.expanding import (
    Context,
    Series,
    decided_zero,
    exact_constant,
    expands,
    finite_limit,
    no_pole,
)
from asymptok.functions.mean_value import around_middle
from asymptok.functions.progression import Progression
from asymptok.functions.record import (
    NONZERO,
    POSITIVE,
    Implementation,
    Pairs,
    Points,
    Record,
    constantly,
    cut_along,
    of_argument,
)
from asymptok.quantities import Ball, Element
from asymptok.symbols import u

#: 0, -1, -2, ...
_POLES = Progression(S.Zero, S.NegativeOne, two_sided=False)
_POLES_OF_FACTORIAL = Progression(S.NegativeOne, S.NegativeOne, two_sided=False)


def _off_poles(z: acb) -> bool:
    return not _POLES.meets(z)


def _polygamma(n: int) -> Implementation:
    return lambda z: z.polygamma(acb(n))


_digamma = around_middle(acb.digamma, _polygamma(1), _polygamma(2), regular=_off_poles)
_complex_loggamma = around_middle(acb.lgamma, _digamma, regular=off_negative_axis)
_complex_gamma = around_middle(acb.gamma, lambda z: z.gamma() * _digamma(z), regular=_off_poles)


# -------------------------------------------------------------------------------------- polygamma


def _is_order(n: Expr) -> bool:
    """A fixed order 0, 1, 2, ...; of other orders nothing is claimed."""
    return bool(n.is_integer and n.is_nonnegative and not n.has(u))


def _polygamma_complex(n: acb, z: acb) -> acb:
    return _digamma(z) if n == 0 else z.polygamma(n)


def _polygamma_real(n: arb, x: arb) -> arb:
    # real on the real axis for every order 0, 1, 2, ...
    return _polygamma_complex(acb(n), acb(x)).real if n.is_integer() and n >= 0 else arb.nan()


def _polygamma_regular(n: acb, z: acb) -> bool:
    whole = n.imag.is_zero() and n.real.is_integer() and n.real >= 0
    return bool(whole) and not _POLES.meets(z)


# ------------------------------------------------------------------------------------------- zeta


def _zeta(s: Ball, a: arb | None = None) -> Ball:
    return s.zeta() if a is None else s.zeta(a)


def _zeta_requirements(node: Expr) -> Pairs:
    """zeta(s, a) = sum over n of (n+a)^-s: a pole at s = 1, and real powers only for a > 0.

    For integer s zeta(s, a) is also analytic between the poles a = 0, -1, ...; that is not claimed.
    """
    s, *shift = node.args
    return [(s - 1, NONZERO), *((a, POSITIVE) for a in shift)]


def _zeta_values(node: Expr) -> Points | None:
    s, *shift = node.args
    if not any(a.has(u) for a in shift):
        return (S.One,)
    if s.has(u) or (s - 1).is_zero is not False:
        return None
    # Bernoulli polynomials for s = 0, -1, ...
    return () if s.is_integer and s.is_nonpositive else (_POLES,)


def _zeta_regular(s: acb, a: acb | None = None) -> bool:
    return bool(not s.contains(1) and (a is None or a.real > 0))


def _eta(s: Ball, a: Ball | None = None) -> Ball:
    """The alternating zeta function (1 - 2^(1-s)) zeta(s), away from the removable point s = 1, of one argument."""
    if a is not None:
        return s * arb.nan()
    return (1 - type(s)(2) ** (1 - s)) * s.zeta()


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
def _polygamma_rule(context: Context, node: Expr, order: Series, a: Series) -> Series:
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
def _digamma_rule(context: Context, node: Expr, a: Series) -> Series:
    return _polygamma_rule(context, node, context.number(0), a)


RECORDS = (
    # at s = 1, a removable point, the formula has no value
    Record(
        function=sympy.dirichlet_eta,
        real=_eta,
        complex=_eta,
        requirements=of_argument(lambda s: [(s - 1, NONZERO)]),
        regular=lambda s, a=None: a is None and not s.contains(1),
    ),
    # also analytic between the poles on the negative axis, which a list of inequalities cannot say; `regular` does
    Record(
        function=sympy.gamma,
        real=arb.gamma,
        complex=_complex_gamma,
        series=lambda x: x.gamma(),
        requirements=of_argument(lambda x: [(x, POSITIVE)]),
        singular_values=constantly((_POLES,)),
        many_sheets=False,
        regular=_off_poles,
        rays=constantly(NEGATIVE_AXIS),
        names=("gamma",),
        ordered=True,
    ),
    Record(
        function=sympy.factorial,
        real=lambda x: (x + 1).gamma(),
        complex=lambda z: _complex_gamma(z + 1),
        requirements=of_argument(lambda x: [(x + 1, POSITIVE)]),
        singular_values=constantly((_POLES_OF_FACTORIAL,)),
        many_sheets=False,
        regular=lambda z: not _POLES_OF_FACTORIAL.meets(z),
    ),
    Record(
        function=sympy.loggamma,
        real=arb.lgamma,
        complex=_complex_loggamma,
        series=lambda x: x.lgamma(),
        requirements=of_argument(lambda x: [(x, POSITIVE)]),
        singular_values=constantly((_POLES,)),
        **cut_along(NEGATIVE_AXIS),
    ),
    Record(
        function=sympy.polygamma,
        symbol="\u03c8",
        real=_polygamma_real,
        complex=_polygamma_complex,
        requirements=lambda node: [(node.args[1], POSITIVE)] if _is_order(node.args[0]) else None,
        singular_values=lambda node: (_POLES,) if _is_order(node.args[0]) else None,
        many_sheets=False,
        regular=_polygamma_regular,
        rays=lambda node: NEGATIVE_AXIS if _is_order(node.args[0]) else None,
    ),
    Record(
        function=sympy.zeta,
        names=("zeta",),
        real=_zeta,
        complex=_zeta,
        requirements=_zeta_requirements,
        singular_values=_zeta_values,
        regular=_zeta_regular,
    ),
)
