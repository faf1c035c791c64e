"""The gamma function and what is made of it: log-gamma, polygamma, zeta and polylogarithm."""

from __future__ import annotations

import sympy
from flint import acb, arb
from sympy import Expr, S, oo

from asymptok.functions.cuts import FROM_ONE, NEGATIVE_AXIS, off_axis_from_one, off_negative_axis
from asymptok.functions.mean_value import around_middle
from asymptok.functions.polylog_numeric import polylog_on_interval
from asymptok.functions.powers import hull
from asymptok.functions.progression import Progression
from asymptok.functions.record import (
    NONZERO,
    POSITIVE,
    Implementation,
    Monotone,
    Pairs,
    Points,
    Record,
    constantly,
    cut_along,
    of_argument,
)
from asymptok.quantities import B, Ball
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


# --------------------------------------------------------------------------------------- polylog


def _is_rational(s: Expr) -> bool:
    """Li_s for s = 0, -1, -2, ... is a rational function with its pole at 1."""
    return bool(s.is_integer and s.is_nonpositive and not s.has(u))


def _exactly_rational(s: arb) -> bool:
    return bool(s.is_integer() and s <= 0)


def _polylog_slope(s: B, z: B) -> B:
    """Li_s' = Li_(s-1)/z; of modulus at most its value at |z| if that is below 1, all coefficients being positive."""
    size = arb(z.abs_upper())
    if size >= 1 or size == 0:
        return z.polylog(s - 1) / z if size >= 1 else z * 0 + 1
    bound = arb(0, (size.polylog((s.real if isinstance(s, acb) else s) - 1) / size).abs_upper())
    return bound if isinstance(z, arb) else acb(bound, bound)


def _polylog_direct(s: B, z: B) -> B:
    found = polylog_on_interval(s, z) if isinstance(s, arb) and isinstance(z, arb) else None
    return z.polylog(s) if found is None else found


def _polylog_real(s: arb, x: arb) -> arb:
    if x < 1 or (x > 1 and _exactly_rational(s)):
        return _sharp_polylog(s, x)
    # Li_s increases on (-oo, 1] and Li_s(1) = zeta(s) is finite for s > 1; beyond 1 it is complex.
    if not s > 1 or not x.upper() <= 1:
        return arb.nan()
    low = x.lower()
    return s.zeta() if low == 1 else hull(low.polylog(s), s.zeta())


def _polylog_complex(s: acb, z: acb) -> acb:
    if z == 1:
        return s.zeta() if s.real > 1 else acb(arb.nan())
    return _sharp_polylog(s, z)


def _polylog_requirements(node: Expr) -> Pairs:
    # entire in s off the cut, so that the order may vary
    s, x = node.args
    return [(1 - x, NONZERO if _is_rational(s) else POSITIVE)]


def _polylog_values(node: Expr) -> Points | None:
    s = node.args[0]
    if s.has(u):
        return None
    return (S.One,) if _is_rational(s) or s == 1 else (S.One, S.Zero)


def _polylog_elsewhere(node: Expr) -> Points:
    s = node.args[0]
    return () if _is_rational(s) or s == 1 else (S.Zero,)


def _polylog_regular(s: acb, z: acb) -> bool:
    if s.imag.is_zero() and _exactly_rational(s.real):
        return not z.contains(1)
    return bool(s.is_finite()) and off_axis_from_one(z)


_sharp_polylog = around_middle(_polylog_direct, _polylog_slope, regular=_polylog_regular)


def _polylog_monotone(node: Expr) -> Monotone | None:
    """Li_s' = Li_(s-1)/x > 0 on (-oo, 1) for s >= 1."""
    s: Expr = node.args[0]
    if s.has(u) or not (s.is_real and (s - 1).is_nonnegative):
        return None
    limit = oo if s == 1 else sympy.zeta(s)
    return Monotone(1, (-oo, S.One), (-oo, limit))


def _eta(s: Ball, a: Ball | None = None) -> Ball:
    """The alternating zeta function (1 - 2^(1-s)) zeta(s), away from the removable point s = 1, of one argument."""
    if a is not None:
        return s * arb.nan()
    return (1 - type(s)(2) ** (1 - s)) * s.zeta()


def _polylog_unevaluated(s: Expr, z: Expr) -> Expr:
    """Li_s(z) with SymPy's closed forms; SymPy itself asks first whether z equals 1, which may take any time."""
    if s in (0, -1):
        return z / (1 - z) ** (1 - s)
    if s == 1:
        return -sympy.log(1 - z)
    return sympy.polylog(s, z, evaluate=z.is_Rational)


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
        real=_zeta,
        complex=_zeta,
        requirements=_zeta_requirements,
        singular_values=_zeta_values,
        regular=_zeta_regular,
    ),
    Record(
        function=sympy.polylog,
        real=_polylog_real,
        complex=_polylog_complex,
        requirements=_polylog_requirements,
        singular_values=_polylog_values,
        elsewhere=_polylog_elsewhere,
        regular=_polylog_regular,
        rays=constantly(FROM_ONE),
        monotone=_polylog_monotone,
        names=("polylog",),
        make=_polylog_unevaluated,
        arity=2,
        ordered=True,
    ),
)
