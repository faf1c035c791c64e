r"""mu_k ~ C k^p exp(-(3/2) (2 tau k)^(2/3)): kernels of activations that are analytic in a strip |Im z| < tau only.

Their Hermite coefficients are a_n = exp(-tau sqrt(n) (1 + o(1))), and mu_k(u^n) = exp(-k^2/(2n) (1 + o(1))) for
k << n << k^2: the largest of a_n^2 mu_k(u^n) is found at n = (k^2/(2 tau))^(2/3). Sums and products of such series, all
with coefficients >= 0, follow the narrowest strip. The nearest singular points give C and p (docs/network-theory.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import product

from sympy import (
    Add,
    Expr,
    Mul,
    Rational,
    S,
    cancel,
    exp,
    factorial,
    gamma,
    oo,
    pi,
    powsimp,
    sqrt,
    sympify,
    together,
)

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants import decide
from asymptok.errors import AsymptokError
from asymptok.functions.hermite import HermiteDual
from asymptok.kernels.strip_points import StripPoint, nearest_points
from asymptok.symbols import d as dimension
from asymptok.symbols import k, u
from asymptok.truth import Truth

__all__ = ["Stretched", "StripLead", "stretched_law"]


@dataclass(frozen=True, slots=True)
class StripLead:
    """In the mean a_n^2 ~ sqrt(pi/2) weight n^(order-3/2) e^(-2 tau sqrt(n))."""

    order: Expr
    weight: Expr


@dataclass(frozen=True, slots=True)
class Stretched:
    """log mu_k ~ -constant k^exponent, exponent = 2/3 and constant = (3/2) (2 tau)^(2/3).

    Where the leading terms at the nearest singular points are known
        mu_k ~ factor(d) k^power(d) exp(-constant k^exponent).

    >>> from asymptok import decay, dual
    >>> law = decay(dual("tanh")).odd.stretched
    >>> law.constant, law.power(), law.factor(2)
    (3*pi**(2/3)/2, 1 - 2*d/3, 4*sqrt(6)*pi**(1/6)*exp(pi**2/24)/3)
    """

    tau: Expr
    #: of the leading terms y^-m; None where they are not known
    lead: StripLead | None = None

    @property
    def exponent(self) -> Expr:
        return Rational(2, 3)

    @property
    def constant(self) -> Expr:
        return Rational(3, 2) * (2 * self.tau) ** self.exponent

    @property
    def log_rate(self) -> Expr:
        """The leading term of log mu_k, an expression in k."""
        return -self.constant * k**self.exponent

    def power(self, d: object = dimension) -> Expr | None:
        """p in mu_k ~ C k^p exp(-constant k^exponent); None where it is not known."""
        return None if self.lead is None else (4 * self.lead.order - 1 - 2 * sympify(d)) / 3

    def factor(self, d: object = dimension) -> Expr | None:
        """C in mu_k ~ C k^p exp(-constant k^exponent); None where it is not known."""
        power = self.power(d)
        if self.lead is None or power is None:
            return None
        half, tau = sympify(d) / 2, self.tau
        weight = powsimp(self.lead.weight * exp(-(tau**2) / 3), combine="exp")
        return gamma(half) * 2**half / 2 * sqrt(pi / (3 * tau)) * (2 * tau) ** (-power / 2) * weight


@dataclass(frozen=True, slots=True)
class Coefficients:
    """A series in u with coefficients >= 0: the law of those of even and of odd degree, and whether there are any.

    tau = oo where they fall faster than every exp(-c sqrt(n)).
    """

    laws: tuple[Stretched, Stretched]
    occur: tuple[bool, bool]


@lru_cache(maxsize=128)
def stretched_law(expr: Expr, parity: int) -> Stretched | None:
    """The law of mu_k for the k of one parity; None where it is not known.

    >>> from asymptok import dual
    >>> stretched_law(dual("tanh").expr, 1)
    Stretched(tau=pi/2, lead=StripLead(order=1, weight=4*exp(pi**2/8)))
    """
    try:
        found = _coefficients(expr)
    except AsymptokError:
        return None
    law = None if found is None else found.laws[parity]
    return None if law is None or law.tau is oo else law


_FAST = Stretched(oo)


def _coefficients(node: Expr) -> Coefficients | None:
    """What is known of a series; None if it is not seen to be one with coefficients >= 0."""
    if node == u:
        return _monomial(1)
    if not node.has(u):
        return _monomial(0) if _positive(node) else None
    if node.is_Add:
        return _each(_sum, node.args)
    if node.is_Mul:
        constant, varying = node.as_independent(u, as_Add=False)
        monomials = [a for a in Mul.make_args(varying) if a.as_base_exp()[0] == u]
        others = [a for a in Mul.make_args(varying) if a not in monomials]
        shift = Mul(*monomials).as_base_exp()[1] if monomials else S.Zero
        if not (_positive(constant) and shift.is_Integer and shift >= 0):
            return None
        return _shifted(_each(_product, others), constant, int(shift)) if others else _monomial(int(shift))
    if node.is_Pow and node.exp.is_Integer and node.exp > 0:
        return _monomial(int(node.exp)) if node.base == u else _each(_product, [node.base] * int(node.exp))
    if isinstance(node, HermiteDual):
        outer = _of_points(nearest_points(type(node).activation(*node.args[:-1])))
        return _composed(outer, type(node).parity, node.args[-1])
    return None


def _each(
    together: Callable[[Coefficients, Coefficients], Coefficients], nodes: Sequence[Expr]
) -> Coefficients | None:
    parts = [_coefficients(node) for node in nodes]
    known = [part for part in parts if part is not None]
    return reduce(together, known) if len(known) == len(parts) else None


def _monomial(degree: int) -> Coefficients:
    return Coefficients((_FAST, _FAST), _flags(degree % 2))


def _shifted(found: Coefficients | None, factor: Expr, degree: int) -> Coefficients | None:
    """c u^j times a series: j more for n changes no law."""
    if found is None:
        return None
    even, odd = (
        Stretched(law.tau, None if law.lead is None else StripLead(law.lead.order, factor * law.lead.weight))
        for law in found.laws
    )
    occur = found.occur
    return Coefficients((odd, even), (occur[1], occur[0])) if degree % 2 else Coefficients((even, odd), occur)


def _of_points(points: tuple[StripPoint, ...]) -> Stretched:
    """The law of an even or odd activation: all points count, with the modulus of their leading terms."""
    if not points:
        return _FAST
    tau = points[0].height
    leads = []
    for p in points:
        if p.order is None or p.size is None:
            return Stretched(tau)
        m, real = p.order, p.place.as_real_imag()[0]
        # 1/Gamma(m) comes with y^-m, and (-1)^(q+1) q! with y^q log(y)
        scale = factorial(-m) if m.is_Integer and m <= 0 else 1 / gamma(m)
        leads.append(StripLead(m, 4 * scale**2 * p.size * exp((tau**2 - real**2) / 2)))
    return Stretched(tau, _total(leads))


def _composed(outer: Stretched, parity: int, inner: Expr) -> Coefficients | None:
    """f(g(u)) with g(1) = 1 = sum g_j, a distribution with the mean g'(1): f^(n) is a mean over sums of its draws.

    n is the sum of about n/g'(1) draws, or one draw is that large: the narrower of tau_f/sqrt(g'(1)) and tau_g.
    """
    if inner == u:
        return Coefficients(_at(parity, outer), _flags(parity))
    drawn = _coefficients(inner)
    if drawn is None or cancel(together(dag.rebuild(inner, {u: S.One}))) != 1:
        return None
    slope = dag.rebuild(inner.diff(u), {u: S.One})
    narrowest = reduce(_narrower, drawn.laws, Stretched(oo if outer.tau is oo else outer.tau / sqrt(slope)))
    law = Stretched(narrowest.tau)
    if all(drawn.occur):
        return Coefficients((law, law), (True, True))
    reached = parity if drawn.occur[1] else 0
    return Coefficients(_at(reached, law), _flags(reached))


def _at(parity: int, law: Stretched) -> tuple[Stretched, Stretched]:
    return (_FAST, law) if parity else (law, _FAST)


def _flags(parity: int) -> tuple[bool, bool]:
    return parity == 0, parity == 1


def _total(leads: list[StripLead]) -> StripLead:
    """The highest order prevails, and its weights add up."""
    m = max(lead.order for lead in leads)
    return StripLead(m, Add(*[lead.weight for lead in leads if lead.order == m]))


def _sum(first: Coefficients, second: Coefficients) -> Coefficients:
    even, odd = (_narrower(f, g) for f, g in zip(first.laws, second.laws, strict=True))
    occur = (first.occur[0] or second.occur[0], first.occur[1] or second.occur[1])
    return Coefficients((even, odd), occur)


def _narrower(first: Stretched, second: Stretched) -> Stretched:
    """The narrower strip prevails; leads of the same strip add up."""
    sign = _compare(first.tau, second.tau)
    if sign:
        return first if sign < 0 else second
    leads = [law.lead for law in (first, second) if law.lead is not None]
    return Stretched(first.tau, _total(leads) if len(leads) == 2 else None)


def _product(first: Coefficients, second: Coefficients) -> Coefficients:
    """Almost all of a large degree comes from one factor."""
    laws, occur = [_FAST, _FAST], [False, False]
    for i, j in product((0, 1), repeat=2):
        if first.occur[i] and second.occur[j]:
            occur[(i + j) % 2] = True
            for law in (first.laws[i], second.laws[j]):
                laws[(i + j) % 2] = _narrower(laws[(i + j) % 2], Stretched(law.tau))
    return Coefficients((laws[0], laws[1]), (occur[0], occur[1]))


def _compare(first: Expr, second: Expr) -> int:
    """The sign of a difference of heights; AsymptokError where it is not known."""
    if first == second:
        return 0
    if first is oo or second is oo:
        return 1 if first is oo else -1
    if _positive(first - second) or _positive(second - first):
        return 1 if _positive(first - second) else -1
    if decide.is_zero(first - second) is Truth.TRUE:
        return 0
    raise AsymptokError("which of two strips is the narrower one is not decided")


def _positive(value: Expr) -> bool:
    if value.is_positive is not None or value.free_symbols:
        return bool(value.is_positive)
    return bool(ball(value, prec=128) > 0)
