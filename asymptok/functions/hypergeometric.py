"""Generalised hypergeometric functions pFq, complete elliptic integrals and Lambert's W."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import sympy
from flint import acb, arb, fmpq
from sympy import E, Expr, Rational, S, oo

from asymptok.functions.cuts import (
    FROM_ONE,
    NEGATIVE_AXIS,
    RIGHT,
    UP_TO_MINUS_ONE_OVER_E,
    off,
    off_axis_from_one,
    off_ray,
)
from asymptok.functions.mean_value import around_middle, meet
from asymptok.functions.record import (
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
from asymptok.quantities import B
from asymptok.symbols import u

#: relative accuracy in bits of a ball that is called wide
_FEW = 4
_HALF = arb(fmpq(1, 2))

# --------------------------------------------------------------------------------------------- pFq


class Kind(Enum):
    """What the parameters make of sum over n of (a_1)_n ... (a_p)_n / ((b_1)_n ... (b_q)_n) z^n/n!."""

    POLYNOMIAL = "an upper parameter is 0, -1, -2, ..."
    ENTIRE = "p <= q"
    CUT = "p = q + 1: a branch point at 1"
    UNKNOWN = "divergent, undefined or with parameters that vary"


def kind(node: Expr) -> Kind:
    """The kind of a hypergeometric function with real parameters that do not depend on u.

    >>> from sympy import hyper
    >>> kind(hyper([-2, 1], [3], u)) is Kind.POLYNOMIAL, kind(hyper([1, 1, 1], [3], u)) is Kind.UNKNOWN
    (True, True)
    """
    upper, lower = node.ap, node.bq
    if any(a.has(u) or not a.is_real for a in (*upper, *lower)):
        return Kind.UNKNOWN
    # b = 0, -1, ... divides by zero; where an upper parameter stops the series before, conventions differ
    if not all(b.is_positive or b.is_integer is False for b in lower):
        return Kind.UNKNOWN
    if any(a.is_integer and a.is_nonpositive for a in upper):
        return Kind.POLYNOMIAL
    if len(upper) <= len(lower):
        return Kind.ENTIRE
    return Kind.CUT if len(upper) == len(lower) + 1 else Kind.UNKNOWN


def _hyper(a: Sequence[B], b: Sequence[B], z: B) -> B:
    return z.hypgeom_2f1(a[0], a[1], b[0]) if (len(a), len(b)) == (2, 1) else z.hypgeom(list(a), list(b))


def _hyper_requirements(node: Expr) -> Pairs | None:
    of = kind(node)
    if of is Kind.UNKNOWN:
        return None
    return [(1 - node.argument, POSITIVE)] if of is Kind.CUT else []


def _hyper_entire(node: Expr) -> bool:
    return kind(node) in (Kind.POLYNOMIAL, Kind.ENTIRE)


def _hyper_values(node: Expr) -> Points | None:
    of = kind(node)
    if of is Kind.UNKNOWN:
        return None
    return (S.One, S.Zero) if of is Kind.CUT else ()


def _hyper_elsewhere(node: Expr) -> Points:
    return (S.Zero,) if kind(node) is Kind.CUT else ()


def _hyper_growth(node: Expr) -> Rational | None:
    of = kind(node)
    if of is Kind.POLYNOMIAL:
        return S.Zero
    return Rational(1, len(node.bq) + 1 - len(node.ap)) if of is Kind.ENTIRE else None


def _hyper_regular(a: tuple[acb, ...], b: tuple[acb, ...], z: acb) -> bool:
    """As above; analytic in the parameters too as long as no lower one may be 0, -1, -2, ..."""
    if not all(x.is_finite() for x in (*a, *b)) or any(_may_be_pole(x) for x in b):
        return False
    if any(x.imag.is_zero() and x.real.is_integer() and x.real <= 0 for x in a) or len(a) <= len(b):
        return bool(z.is_finite())
    return len(a) == len(b) + 1 and off_axis_from_one(z)


def _hyper_derivative(order: int) -> Implementation:
    """F' = prod(a)/prod(b) F(a+1; b+1), taken `order` times."""

    def derivative(a: tuple[B, ...], b: tuple[B, ...], z: B) -> B:
        factor = z * 0 + 1
        for j in range(order):
            for x in a:
                factor *= x + j
            for x in b:
                factor /= x + j
        return factor * _hyper([x + order for x in a], [x + order for x in b], z)

    return derivative


def _may_be_pole(x: acb) -> bool:
    return bool(x.imag.contains(0) and x.real.contains_integer() and not x.real > 0)


_near_hyper = around_middle(_hyper, _hyper_derivative(1), _hyper_derivative(2), regular=_hyper_regular)


def _sharp_hyper(a: Sequence[B], b: Sequence[B], z: B) -> B:
    """pFq; on wide balls at most its value at |z| where p <= q and all coefficients are positive.

    0F1(b; z), b > 1/2, is a mean of cosh(2 sqrt(z) cos phi), and so at most cosh(2 Re sqrt(z)); and so is 0F1(1/2; z).
    """
    value = _near_hyper(a, b, z)
    if not isinstance(z, acb) or value.rel_accuracy_bits() > _FEW or len(a) > len(b):
        return value
    upper: list[acb] = [acb(x) for x in a]
    lower: list[acb] = [acb(x) for x in b]
    if not all(x.imag.is_zero() and x.real > 0 for x in (*upper, *lower)):
        return value
    if not upper and len(lower) == 1 and lower[0].real >= _HALF:
        most = (2 * (abs(z) + z.real).upper()).sqrt().cosh()
    else:
        most = _hyper([x.real for x in upper], [x.real for x in lower], arb(abs(z).upper()))
    box = arb(0, most.upper())
    return meet(value, acb(box, box)) if box.is_finite() else value


# ---------------------------------------------------------------------------------------- elliptic


def _elliptic_derivative(upper: int, order: int) -> Implementation:
    """The derivatives of K = pi/2 2F1(1/2, 1/2; 1; m) and of E = pi/2 2F1(-1/2, 1/2; 1; m)."""
    parameters = (acb(fmpq(upper, 2)), acb(fmpq(1, 2))), (acb(1),)
    return lambda m: arb.pi() / 2 * _hyper_derivative(order)(*parameters, m)


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


# ---------------------------------------------------------------------------------------- Lambert's W


def _branch(node: Expr) -> Expr:
    return node.args[1] if len(node.args) == 2 else S.Zero


def _lambertw_real(x: arb, branch: arb | None = None) -> arb:
    n = 0 if branch is None else branch.unique_fmpz()
    return arb.nan() if n not in (0, -1) else x.lambertw(int(n))


def _lambertw_complex(z: acb, branch: acb | None = None) -> acb:
    n = 0 if branch is None else branch.real.unique_fmpz()
    return acb(arb.nan()) if n is None else z.lambertw(int(n))


def _lambertw_requirements(node: Expr) -> Pairs | None:
    """W_0 is real for x > -1/e, W_-1 for -1/e < x < 0, the others nowhere."""
    x, branch = node.args[0], _branch(node)
    if branch == 0:
        return [(x + 1 / E, POSITIVE)]
    return [(x + 1 / E, POSITIVE), (-x, POSITIVE)] if branch == -1 else None


def _lambertw_regular(z: acb, branch: acb | None = None) -> bool:
    n = 0 if branch is None else branch.real.unique_fmpz()
    if n is None:
        return False
    return off(z, UP_TO_MINUS_ONE_OVER_E if n == 0 else NEGATIVE_AXIS)


def _lambertw_continued(z: acb, branch: acb | None = None) -> acb | None:
    """W_-1 on (-1/e, 0), where its principal values have a cut: from above, and from below by reflection."""
    if branch is None or branch.real.unique_fmpz() != -1:
        return _lambertw_complex(z, branch) if _lambertw_regular(z, branch) else None
    if not (off(z, UP_TO_MINUS_ONE_OVER_E) and off_ray(z, 0, RIGHT)):
        return None
    if z.imag > 0:
        return z.lambertw(-1)
    if z.imag < 0:
        return z.conjugate().lambertw(-1).conjugate()
    above = acb(z.real, z.imag.abs_upper().union(arb(0)).nonnegative_part()).lambertw(-1)
    return above.union(above.conjugate())


def _lambertw_values(node: Expr) -> Points | None:
    return (-1 / E, S.Zero) if _branch(node).is_Integer else None


def _lambertw_elsewhere(node: Expr) -> Points:
    # from below the branch -1 passes -1/e without noticing it
    return (S.Zero,) if _branch(node) == 0 else (-1 / E,)


def _lambertw_monotone(node: Expr) -> Monotone | None:
    branch = _branch(node)
    if branch == 0:
        return Monotone(1, (-1 / E, oo), (S.NegativeOne, oo))
    return Monotone(-1, (-1 / E, S.Zero), (S.NegativeOne, -oo)) if branch == -1 else None


RECORDS = (
    Record(
        function=sympy.hyper,
        real=_sharp_hyper,
        complex=_sharp_hyper,
        requirements=_hyper_requirements,
        entire=_hyper_entire,
        singular_values=_hyper_values,
        elsewhere=_hyper_elsewhere,
        regular=_hyper_regular,
        growth=_hyper_growth,
    ),
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
        names=("elliptic_e", "ellipe"),
    ),
    # nothing but its complex values is known
    Record(
        function=sympy.elliptic_f,
        real=lambda z, m: arb.nan(),
        complex=lambda z, m: acb.elliptic_f(z, m),
    ),
    Record(
        function=sympy.LambertW,
        real=_lambertw_real,
        complex=_lambertw_complex,
        requirements=_lambertw_requirements,
        singular_values=_lambertw_values,
        elsewhere=_lambertw_elsewhere,
        regular=_lambertw_regular,
        rays=of_argument(constantly(UP_TO_MINUS_ONE_OVER_E)),
        continuation=_lambertw_continued,
        monotone=_lambertw_monotone,
        preimages=lambda s: (s * sympy.exp(s),),
        index=0,
        names=("LambertW", "lambertw"),
    ),
)
