"""Powers of log k in front: the terms c_j t^nu (log t)^j, j <= J, of one exponent, for all k >= K at once.

mu_k((1-u)^nu) = M(nu) G(nu, k), G = Gamma(k-nu)/Gamma(k+nu+d-1), and logarithms are derivatives in nu. With
x = psi(k-nu) + psi(k+nu+d-1) and zeta Hurwitz's function
    log G(nu+e, k)/G(nu, k) = -x e + sum_(i >= 2) g_i e^i,  g_i = (zeta(i, k-nu) - (-1)^i zeta(i, k+nu+d-1))/i,
so that g_i >= 0 decreases in k (2 nu + d - 1 > 0), and with it every coefficient E_i of exp(sum g_i e^i). Hence
    sum_j c_j mu_k(t^nu (log t)^j) = G(nu, k) sum_n (-x)^n D_n,   D_n = (1/n!) sum_i E_i sum_j j! c_j m_(j-n-i),
m_i the Taylor coefficients of M at nu, m_0 = 0 if nu = 0, 1, ...: a polynomial in x of degree q = J or J - 1. Over
(-x)^q it is a polynomial in 1/x, 0 < 1/x <= 1/x_K, for x increases. And x/log k = 2 + r/log k with
    r = log(1-nu/k) + log(1+(nu+d-1)/k) + (psi - log)(k-nu) + (psi - log)(k+nu+d-1),
four functions that tend to 0 monotonously.
"""

from __future__ import annotations

from math import factorial

from flint import arb, arb_poly, arb_series, fmpq

from asymptok.balls import ball
from asymptok.precision import flint_length
from asymptok.proofs.claims import Claims, Lead, is_whole

#: pieces of 0 <= 1/x <= 1/x_K
_PIECES = 64

__all__ = ["leading_range"]


def leading_range(claims: Claims, k: int, lead: Lead) -> tuple[arb, arb] | None:
    """(Q, L) with |lead of mu_j| in Q G(nu, j) (x_j/x_k)^q and (x_j/(x_k log j))^q in L for all j >= k; None if Q
    may vanish."""
    d, nu, q = claims.d, ball(lead.nu), lead.log_power
    low, high = k - nu, k + nu + (d - 1)
    x = low.digamma() + high.digamma()
    if k < 2 or not low > 0 or not x > 0:
        return None
    polynomial = _in_inverse(claims.leading(k % 2, lead), lead, k, d)
    inverse, found = 1 / x, None
    for i in range(_PIECES):
        # mean value form around the middle of the piece
        middle = inverse * arb(fmpq(2 * i + 1, 2 * _PIECES))
        value = abs(polynomial(arb_poly([middle, 1]))(arb(0, (inverse / (2 * _PIECES)).upper())))
        found = value if found is None else found.union(value)
    if found is None or not found > 0 or not found.is_finite():
        return None
    zero = arb(0)
    r = zero.union((1 - nu / k).log()) + zero.union((1 + (nu + (d - 1)) / k).log())
    for place in (low, high):
        r = r + zero.union(place.digamma() - place.log())
    logs = 2 + r * zero.union(1 / arb(k).log())
    if not logs > 0:
        return None
    return found * x**q, (logs / x) ** q


def _in_inverse(coefficients: dict[int, arb], lead: Lead, k: int, d: int) -> arb_poly:
    """sum_n D_n (-y)^(q-n), good for every degree from k on."""
    nu, top, q = ball(lead.nu), lead.logs, lead.log_power
    with flint_length(top + 1):
        length = top + 1

        def jet(start: arb, slope: int) -> arb_series:
            return arb_series([start, slope], prec=length)

        gammas = jet(nu + arb(fmpq(d - 1, 2)), 1).lgamma() + jet(nu + (d - 2), 1) * arb(2).log()
        factor = gammas.exp() * jet(-nu, -1).rgamma() * (arb(fmpq(d, 2)).gamma() / arb.pi().sqrt())
        m = [factor[i] for i in range(length)]
        ratio = jet(k - nu, -1).lgamma() - jet(nu + (k + d - 1), 1).lgamma()
        spread = arb_series([0, 0, *(ratio[i] for i in range(2, length))], prec=length).exp()
        e = [arb(1), arb(0), *(arb(0).union(spread[i]) for i in range(2, length))]
    if is_whole(lead.nu):
        m[0] = arb(0)
    found = []
    for n in range(q, -1, -1):
        total = arb(0)
        for i in range(top - n + 1):
            for j, c in coefficients.items():
                if j >= n + i:
                    total += e[i] * factorial(j) * c * m[j - n - i]
        found.append(total * (-1) ** (q - n) / factorial(n))
    return arb_poly(found)
