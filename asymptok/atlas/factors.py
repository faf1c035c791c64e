"""The numbers of the contour: what a term, the slits and the outer curve contribute to mu_k in dimension d.

mu_k((1-u)^nu)  = -sin(pi nu) T(nu, k)
T(beta, k)      = (1/pi) int_0^oo x^beta q_k(1+x) dx
                = 2^(beta+d-2) Gamma(d/2) Gamma(beta+(d-1)/2) Gamma(beta+1)/pi^(3/2) Gamma(k-beta)/Gamma(k+beta+d-1)
|q_k|           <= A_k S e^(-(k+1)h) on the curve Im theta = h
A_k             = 2 Gamma(d/2) k!/Gamma(k+d/2),   S = sum_j |(1-lambda)_j|/j! e^(-2jh),   lambda = (d-2)/2.
"""

from __future__ import annotations

from flint import arb, fmpq

#: terms of S that are added up before the rest is bounded by a geometric series
_TERMS = 64


def slit_factor(beta: arb, k: int, d: int) -> arb:
    """T(beta, k), for -1 < beta < k.

    >>> from asymptok.laws.numeric import term_balls
    >>> T = slit_factor(arb(fmpq(1, 2)), 5, 3)
    >>> T.overlaps(-term_balls(5, 3, arb(fmpq(1, 2)), 0)[0])
    True
    """
    half = arb(fmpq(d - 1, 2))
    constant = arb(2) ** (beta + (d - 2)) * arb(fmpq(d, 2)).gamma() / arb.pi() ** arb(fmpq(3, 2))
    return constant * (beta + half).gamma() * (beta + 1).gamma() * gamma_ratio(beta, k, d)


def gamma_ratio(nu: arb, k: int, d: int) -> arb:
    """Gamma(k-nu)/Gamma(k+nu+d-1) for k > nu."""
    return ((k - nu).lgamma() - (k + nu + (d - 1)).lgamma()).exp()


def curve_factor(height: arb, k: int, d: int) -> arb:
    """S A_k e^(-(k+1)h), the factor of G."""
    ratio = (arb(k + 1).lgamma() - arb(fmpq(2 * k + d, 2)).lgamma()).exp()
    return 2 * arb(fmpq(d, 2)).gamma() * ratio * (-(k + 1) * height).exp() * series_bound(height, d)


def series_bound(height: arb, d: int) -> arb:
    """S, (1-x)^(lambda-1) for lambda < 1 and else (1+x)^(lambda-1) with the negative binomial coefficients doubled.

    Of those of n-1/2 every other one is negative from the (n+1)-th on, and they fall in size.

    >>> series_bound(arb(1), 4) == 1, series_bound(arb(1), 2).overlaps(1 / (1 - arb(-2).exp()))
    (True, True)
    """
    x, exponent = (-2 * height).exp(), arb(fmpq(d - 4, 2))
    if d < 4:
        return (1 - x) ** exponent
    total = (1 + x) ** exponent
    if d % 2 == 0:
        return total
    # |binom(n-1/2, j)| = Gamma(n+1/2) Gamma(j-n+1/2)/(pi j!)
    j = (d - 1) // 2
    size = arb(fmpq(3, 2)).gamma() / arb.pi() * (exponent + 1).lgamma().exp() / arb(j + 1).lgamma().exp()
    term = 2 * size * x**j
    for i in range(j, j + _TERMS, 2):
        total = total + term
        term = term * (i - exponent) * (i + 1 - exponent) / ((i + 1) * (i + 2)) * x * x
    rest = (term / (1 - x * x)).upper()
    return total + arb(0, rest) + rest
