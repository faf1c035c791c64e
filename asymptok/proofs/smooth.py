r"""Kernels sum a_n u^n with a_n >= 0, as those of networks: bounds of mu_k from their derivatives at u = 1 alone.

Then kappa^(n) has such coefficients too, and with d' = d + 2n, D_n = d (d+2) ... (d+2n-2), multiplicities N(d, k)

    mu_k(kappa; d) = mu_(k-n)(kappa^(n); d')/D_n,        sum_j N(d', j) mu_j(kappa^(n); d') = kappa^(n)(1),

mu_j >= 0 in the sum, so that 0 <= mu_k <= kappa^(n)(1)/(D_n N(d', k-n)) for k >= n. If kappa(1-t) = c_0 + ... + c_n t^n
+ o(t^n), then kappa^(n)(1) = (-1)^n n! c_n: the n-th difference quotients at 1 tend to that, those of u^m increase to
its n-th derivative, and a_m >= 0. Finally

    N(d', k-n) = 2/(d'-2)! (k + d/2 - 1) (k-n+1) (k-n+2) ... (k+n+d-3),

and k/(k+c) is at most max(1, k0/(k0+c)) for k >= k0, so that mu_k <= b k^(2-d-2n) from k0 on.
"""

from __future__ import annotations

from math import factorial, prod

from flint import arb, fmpq
from sympy import Integer

from asymptok.atlas.local import Unproved
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.expansion import expand
from asymptok.kernels.kernel import Kernel
from asymptok.laws.taylor_signs import positive_series
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.decimals import number, up
from asymptok.spectrum.spectrum import multiplicity

__all__ = [
    "derivative_bound",
    "derivatives_at_one",
    "smooth_high",
    "smooth_law",
    "written",
]

#: (n, a decimal that is not below kappa^(n)(1))
Derivatives = tuple[tuple[int, str], ...]
#: orders of expansions that are asked for one after the other
_ORDERS = (3, 12)
#: derivatives that the law of all k uses at most, and digits of the numbers
_MOST, _DIGITS = 6, 12


def derivatives_at_one(kernel: Kernel) -> tuple[arb, ...]:
    """kappa(1), kappa'(1), ... as balls, as many as exist and are asked for; Unproved without one."""
    if positive_series(kernel) is None:
        raise Unproved("a Taylor coefficient at 0 may be negative")
    found: tuple[arb, ...] = ()
    for order in _ORDERS:
        try:
            expansion = expand(kernel, at=1, order=order)
        except AsymptokError:
            break
        singular = [
            t.exponent for t in expansion.terms if t.log_power or not t.exponent.is_Integer or t.exponent < 0
        ]
        # every term up to t^order is there: below the first that is no power of t the kernel is a polynomial and o(t^n)
        count = min([order + 1, *(int(e.ceiling()) if e > 0 else 0 for e in singular)])
        known = {t.exponent: t.coefficient for t in expansion.terms}
        found = tuple(
            (-1) ** n * factorial(n) * ball(known.get(Integer(n), Integer(0))) for n in range(count)
        )
        if count <= order:
            break
    if not found or not all(x.is_finite() for x in found):
        raise Unproved("the kernel is not shown to be bounded at u = 1")
    return found


def derivative_bound(derivatives: Derivatives, k: int, d: int) -> arb:
    """The least of kappa^(n)(1)/(D_n N(d+2n, k-n)), n <= k."""
    best: arb | None = None
    for n, size in derivatives:
        if n <= k:
            value = number(size) / (_product(d, n) * multiplicity(k - n, d + 2 * n))
            best = value if best is None else arb.min(best, value)
    assert best is not None
    return best


def smooth_law(derivatives: Derivatives, parity: int, d: int) -> ParityClaim:
    """0 <= mu_k <= b k^(2-d-2n) for all k >= k0, with one of the derivatives."""
    n = min(derivatives[-1][0], _MOST)
    k0 = n + 2 + (n + parity) % 2
    b = up(smooth_high(derivatives, n, k0, d), _DIGITS)
    return ParityClaim(Law.SMOOTH, rate=Integer(2 - d - 2 * n), k0=k0, low="0", high=b)


def smooth_high(derivatives: Derivatives, n: int, k0: int, d: int) -> arb:
    """b for the n-th derivative."""
    size = number(dict(derivatives)[n]) / _product(d, n)
    if d + 2 * n == 2:
        return size / 2  # cos(k theta) and sin(k theta)
    shifts = [fmpq(d - 2, 2), *(fmpq(c) for c in range(1 - n, n + d - 2))]
    factors = (max(fmpq(1), k0 / (k0 + c)) for c in shifts)
    return size * factorial(d + 2 * n - 2) / 2 * arb(prod(factors, start=fmpq(1)))


def written(sizes: tuple[arb, ...]) -> Derivatives:
    """The numbers, rounded up."""
    return tuple((n, up(size, _DIGITS)) for n, size in enumerate(sizes))


def _product(d: int, n: int) -> int:
    return prod(d + 2 * i for i in range(n))
