"""How large the terms of one point inside are from some degree on: the sums of (+-(u-u_0))_+^nu log^j, j = 0, 1, ...

With psi = N theta - lambda pi/2 both sides have the law (`point_terms`)
    mu_k((+-(u-u_0))_+^nu) = C(nu) Gamma(k-nu)/Gamma(k+d/2) Re[ e^(i psi) e^(-+i pi (nu+1)/2) F(nu) ],
C(nu) = Gamma(d/2) 2^lambda/pi Gamma(nu+1) sin(theta)^(nu+lambda), and log^j is the j-th derivative in nu. So the sum
over both sides and over j is at most Gamma(k-nu)/Gamma(k+d/2) C(nu) sum_j j! [x^j] |Z_j|(x) W(x) F(x) with majorants of
    Z_j(x) = sum c_(+-,j) e^(-+i pi (nu+1+x)/2),  C(nu+x) Gamma(k-nu-x)/(C(nu) Gamma(k-nu)),  F(nu+x):
of the second exp((log k + A) x + sum_(n>=2) |l_n| x^n), since 0 <= psi(k-nu) <= log k + max(0, -nu)/k; of the third
Cauchy's estimate. It is a polynomial in log k, and divided by its highest power it decreases.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import factorial

from flint import acb, arb, arb_poly, arb_series, fmpq
from sympy import Expr

from asymptok.balls import ball
from asymptok.constants import decide
from asymptok.laws.point_terms import inner_frame
from asymptok.precision import flint_length
from asymptok.truth import Truth

__all__ = ["Powers", "inner_logs", "inner_size"]

#: log power -> (coefficient left of the point, coefficient right of it)
Powers = Mapping[int, tuple[Expr, Expr]]
#: radius of the disc on which 2F1 is bounded
_RADIUS = fmpq(1, 4)


def inner_logs(nu: Expr, powers: Powers) -> int:
    """The highest power of log k: one is lost where the waves of both sides cancel.

    >>> from sympy import S
    >>> inner_logs(S.Zero, {1: (S.One, S.One)}), inner_logs(S.One, {1: (S.One, S.One)})    # log|x|, |x| log|x|
    (0, 1)
    """
    return max((j - _cancels(nu, *powers[j], 0) for j in powers), default=0)


def inner_size(k: int, d: int, location: Expr, nu: Expr, powers: Powers) -> arb_poly | None:
    """A polynomial p with |mu_j| <= Gamma(j-nu)/Gamma(j+d/2) p(log j) for all j >= k > nu; None without one.

    >>> from sympy import Rational, S
    >>> p = inner_size(40, 3, Rational(1, 3), S.Zero, {1: (S.One, S.One)})
    >>> p.degree(), bool(abs(p[0] - 1.0) < 0.3)
    (0, True)
    """
    e, place, top = ball(nu), ball(location), max(powers)
    size, spread = inner_frame(k, d, place, e)
    if not (e < k and spread.is_finite()):
        return None
    if top == 0:
        return arb_poly([size * (1 + spread) * abs(_waves(nu, powers[0], 0)[0])])
    wide = inner_frame(k, d, place, e, _RADIUS)[1]
    if not (wide.is_finite() and (k - e).digamma() > 0):
        return None
    gauss = [1 + spread, *(wide / arb(_RADIUS) ** n for n in range(1, top + 1))]
    growth = _growth(k, place, e, top)
    total = arb_poly([])
    for j, pair in powers.items():
        waves = [abs(z) for z in _waves(nu, pair, j)]
        for a in range(j + 1):
            for b in range(j + 1 - a):
                total = total + factorial(j) * waves[a] * gauss[b] * growth[j - a - b]
    # a power that is exactly zero in every summand is not there; one that the balls leave open is
    return arb_poly([size * total[i] for i in range(inner_logs(nu, powers) + 1)])


def _cancels(nu: Expr, left: Expr, right: Expr, power: int) -> bool:
    """Whether right + (-1)^power e^(i pi (nu+1)) left is exactly zero: so the coefficient of x^power in Z_j."""
    if not nu.is_Integer:
        return left == 0 and right == 0
    return decide.is_zero(right - (-1) ** (int(nu) + power) * left) is Truth.TRUE


def _waves(nu: Expr, pair: tuple[Expr, Expr], top: int) -> list[acb]:
    """The coefficients of Z_j."""
    left, right = (ball(c) for c in pair)
    turn = acb(0, arb.pi() * (ball(nu) + 1) / 2).exp()
    half = acb(0, arb.pi() / 2)
    found = []
    for n in range(top + 1):
        value = (right * (-half) ** n / turn + left * half**n * turn) / factorial(n)
        found.append(acb(0) if _cancels(nu, *pair, n) else value)
    return found


def _growth(k: int, location: arb, nu: arb, top: int) -> list[arb_poly]:
    """The coefficients of the majorant of C(nu+x) Gamma(k-nu-x), as polynomials in log k."""
    with flint_length(top + 1):
        first = arb_series([nu + 1, 1], prec=top + 1).lgamma()
        second = arb_series([k - nu, -1], prec=top + 1).lgamma()
    sine = ((1 - location) * (1 + location)).sqrt()
    slope = abs(first[1] + sine.log()) + (arb.max(arb(0), -nu) / k)
    # polygamma functions of k - nu decrease in k
    rest = [arb(0), arb(0), *(abs(first[n]) + abs(second[n]) for n in range(2, top + 1))][: top + 1]
    with flint_length(top + 1):
        later = arb_series(rest, prec=top + 1).exp()
    found = []
    for n in range(top + 1):
        total = arb_poly([])
        for m in range(n + 1):
            total = total + arb_poly([slope, 1]) ** m * (later[n - m] / factorial(m))
        found.append(total)
    return found
