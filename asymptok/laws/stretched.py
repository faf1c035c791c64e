r"""log mu_k ~ -(3/2) (2 tau k)^(2/3): kernels of activations that are analytic in a strip |Im z| < tau and no further.

Their Hermite coefficients are a_n = exp(-tau sqrt(n) (1 + o(1))), and mu_k(u^n) = exp(-k^2/(2n) (1 + o(1))) for
k << n << k^2: the largest of a_n^2 mu_k(u^n) is found at n = (k^2/(2 tau))^(2/3) (docs/networks.md). Sums and products
of such series in u, all with coefficients >= 0, follow the narrowest strip.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sympy import Expr, Rational, oo

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions.hermite import HermiteDual
from asymptok.kernels.strips import heights
from asymptok.symbols import k, u

__all__ = ["Stretched", "stretched_law"]


@dataclass(frozen=True, slots=True)
class Stretched:
    """log mu_k ~ -constant k^exponent, exponent = 2/3 and constant = (3/2) (2 tau)^(2/3).

    >>> from sympy import pi
    >>> Stretched(pi/2).constant
    3*pi**(2/3)/2
    """

    tau: Expr

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


@lru_cache(maxsize=128)
def stretched_law(expr: Expr) -> Stretched | None:
    """The law of a kernel with one parity, twice its even or odd part; None where it is not known.

    >>> from asymptok import dual
    >>> stretched_law(dual("tanh").expr).tau
    pi/2
    """
    try:
        tau = _width(expr)
    except AsymptokError:
        return None
    return None if tau is None or tau is oo else Stretched(tau)


def _width(node: Expr) -> Expr | None:
    """tau of a power series in u with coefficients >= 0; oo for polynomials, None if something is not known."""
    if node == u:
        return oo
    if not node.has(u):
        return oo if _positive(node) else None
    if node.is_Add or node.is_Mul:
        return _least([_width(a) for a in node.args])
    if node.is_Pow and node.exp.is_Integer and node.exp > 0:
        return _width(node.base)
    if isinstance(node, HermiteDual) and node.args[-1] == u:
        return _least(list(heights(type(node).activation(*node.args[:-1]))))
    return None


def _least(widths: list[Expr | None]) -> Expr | None:
    least: Expr = oo
    for width in widths:
        if width is None:
            return None
        if width == least or width is oo:
            continue
        if least is oo or _positive(least - width):
            least = width
        elif not _positive(width - least):
            return None
    return least


def _positive(value: Expr) -> bool:
    if value.is_positive is not None or value.free_symbols:
        return bool(value.is_positive)
    return bool(ball(value, prec=128) > 0)
