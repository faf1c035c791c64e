r"""mu_k ~ C k^p exp(-(3/2) (2 tau k)^(2/3)): kernels of activations that are analytic in a strip |Im z| < tau only.

Their Hermite coefficients are a_n = exp(-tau sqrt(n) (1 + o(1))), and mu_k(u^n) = exp(-k^2/(2n) (1 + o(1))) for
k << n << k^2: the largest of a_n^2 mu_k(u^n) is found at n = (k^2/(2 tau))^(2/3). Sums and products of such series, all
with coefficients >= 0, follow the narrowest strip. The nearest singular points give C and p (docs/networks.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sympy import Add, Expr, Mul, Rational, exp, factorial, gamma, oo, pi, powsimp, sqrt, sympify

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions.hermite import HermiteDual
from asymptok.kernels.strip_points import StripPoint, nearest_points
from asymptok.symbols import d as dimension
from asymptok.symbols import k, u

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


@lru_cache(maxsize=128)
def stretched_law(expr: Expr) -> Stretched | None:
    """The law of a kernel with one parity, twice its even or odd part; None where it is not known.

    >>> from asymptok import dual
    >>> stretched_law(2*dual("tanh").expr)
    Stretched(tau=pi/2, lead=StripLead(order=1, weight=4*exp(pi**2/8)))
    """
    try:
        found = _law(expr)
    except AsymptokError:
        return None
    if found is None or found.tau is oo:
        return None
    return _times(found, Rational(1, 2))


def _law(node: Expr) -> Stretched | None:
    """The law of a series in u with coefficients >= 0, tau = oo for polynomials; None if something is not known."""
    if node == u:
        return Stretched(oo)
    if not node.has(u):
        return Stretched(oo) if _positive(node) else None
    if node.is_Add:
        return _sum([_law(a) for a in node.args])
    if node.is_Mul:
        return _product(node)
    if node.is_Pow and node.exp.is_Integer and node.exp > 0:
        base = _law(node.base)
        return None if base is None else Stretched(base.tau)
    if isinstance(node, HermiteDual) and node.args[-1] == u:
        return _of_points(nearest_points(type(node).activation(*node.args[:-1])))
    return None


def _of_points(points: tuple[StripPoint, ...]) -> Stretched:
    """The law of an even or odd activation: all points count, with the modulus of their leading terms."""
    if not points:
        return Stretched(oo)
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


def _total(leads: list[StripLead]) -> StripLead:
    """The highest order prevails, and its weights add up."""
    m = max(lead.order for lead in leads)
    return StripLead(m, Add(*[lead.weight for lead in leads if lead.order == m]))


def _sum(laws: list[Stretched | None]) -> Stretched | None:
    """The narrowest strip prevails."""
    least: list[Stretched] = []
    for law in laws:
        if law is None:
            return None
        sign = -1 if not least else _compare(law.tau, least[0].tau)
        if sign is None:
            return None
        least = [law] if sign < 0 else ([*least, law] if sign == 0 else least)
    leads = [law.lead for law in least if law.lead is not None]
    return Stretched(least[0].tau, _total(leads) if len(leads) == len(least) else None)


def _product(node: Expr) -> Stretched | None:
    """c u^j times one series: a shift of n and a factor; of products of series only tau is known."""
    laws = [_law(a) for a in node.args]
    narrowest = _sum(laws)
    others = [a for a, law in zip(node.args, laws, strict=True) if law is None or law.tau is oo]
    if narrowest is None or len(others) < len(laws) - 1 or not all(_is_monomial(a) for a in others):
        return None if narrowest is None else Stretched(narrowest.tau)
    return _times(narrowest, Mul(*[a for a in others if not a.has(u)]))


def _times(law: Stretched, factor: Expr) -> Stretched:
    lead = law.lead
    return law if lead is None else Stretched(law.tau, StripLead(lead.order, factor * lead.weight))


def _is_monomial(a: Expr) -> bool:
    return not a.has(u) or a.as_base_exp()[0] == u


def _compare(first: Expr, second: Expr) -> int | None:
    """The sign of a difference of heights; None where it is not known."""
    if first == second:
        return 0
    if first is oo or second is oo:
        return 1 if first is oo else -1
    if _positive(first - second):
        return 1
    return -1 if _positive(second - first) else None


def _positive(value: Expr) -> bool:
    if value.is_positive is not None or value.free_symbols:
        return bool(value.is_positive)
    return bool(ball(value, prec=128) > 0)
