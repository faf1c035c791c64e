"""Lambert's W on its two real branches: at 0, at the branch point -1/e and at regular points."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import acb, arb, fmpq
from sympy import (
    E,
    Expr,
    LambertW,
    S,
    exp,
    oo,
)

from asymptok.errors import ExpansionError
from asymptok.functions.cuts import (
    NEGATIVE_AXIS,
    RIGHT,
    UP_TO_MINUS_ONE_OVER_E,
    off,
    off_ray,
)
from asymptok.functions.expanding import (
    Context,
    Series,
    decided_zero,
    exact_constant,
    expands,
    finite_limit,
)
from asymptok.functions.record import (
    POSITIVE,
    Monotone,
    Pairs,
    Points,
    Record,
    constantly,
    of_argument,
)
from asymptok.quantities import Element

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


_UNBOUNDED = "the argument is unbounded"


def _log_ratio(context: Context, a: Series, value: Element) -> Series:
    """log(a/a_0), whose constant term is zero by construction."""
    return context.log1p(a.without_constant().scaled(a.dom.inverse(value)))


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


RECORDS = (
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
