"""Exact terms at singular points inside (-1, 1), and a bound of what they leave on the lines above the points.

    kappa(u) - sum c (side (u-p))_+^nu log^j = (side (u-p))^nu log^j (g(u) - sum_(n<N) c_n (u-p)^n) beside p.

With K = max |g - sum c_n (u-p)^n|/|u-p|^N around the line Re theta = theta_0 and beta = nu + N, the line adds at most
    K/pi A_k Q E^beta X Gamma(beta+1)/(k+1)^(beta+1)
to mu_k, for |q_k| <= A_k Q e^(-(k+1)y) and |u-p| = 2 sinh(y/2) |sin(theta_0+iy/2)| <= E y on it, whose |sin| is at
most X; Q bounds 2F1(1-l, k+1; k+1+l; e^(-2y) e^(2i theta_0)), a mean of (1-sx)^(l-1) over 0 <= s <= 1, l = (d-2)/2.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import sympy
from flint import arb, fmpq
from sympy import Expr

from asymptok.balls import ball
from asymptok.laws.point_terms import inner_log_term

__all__ = [
    "InnerRest",
    "InnerTerm",
    "amplitude",
    "inner_sum",
    "least_degree",
    "rest_bound",
    "wave_factor",
    "wave_integral",
]


@dataclass(frozen=True, slots=True)
class InnerTerm:
    """c (side (u - location))_+^exponent log(side (u - location))^log_power, everything exact."""

    location: Expr
    exponent: Expr
    side: int
    coefficient: Expr
    log_power: int = 0


@dataclass(frozen=True, slots=True)
class InnerRest:
    """What `count` terms of one function at one point leave on the line up to that height: K."""

    location: Expr
    nu: Expr
    count: int
    size: arb
    height: fmpq
    log_power: int = 0

    @property
    def beta(self) -> Expr:
        """nu + N."""
        return self.nu + self.count


def least_degree(terms: tuple[InnerTerm, ...]) -> int:
    """The laws of the terms speak of all k from here on, beyond every exponent."""
    return max(int(sympy.floor(t.exponent)) for t in terms) + 1


def inner_sum(terms: tuple[InnerTerm, ...], k: int, d: int) -> arb:
    """What the terms add to mu_k, k beyond every exponent, as a ball."""
    total = arb(0)
    for t in terms:
        law = inner_log_term(k, d, t.location, t.exponent, t.log_power, t.side)
        total = total + ball(t.coefficient) * law
    return total


def rest_bound(rest: InnerRest, k: int, d: int) -> arb:
    """|mu_k| of what the terms leave is at most this."""
    falls = amplitude(k, d) * wave_integral(rest, k) / arb(k + 1) ** (ball(rest.beta) + 1)
    return (wave_factor(rest, d) * falls).upper()


def amplitude(k: int, d: int) -> arb:
    """A_k = 2 Gamma(d/2) k!/Gamma(k+d/2)."""
    half = arb(fmpq(d, 2))
    return 2 * half.gamma() * (arb(k + 1).lgamma() - (k + half).lgamma()).exp()


def wave_factor(rest: InnerRest, d: int) -> arb:
    """K/pi Q E^beta X: the bound of the first part is this times A_k (k+1)^(-beta-1) times `wave_integral`."""
    place, height = ball(rest.location), arb(rest.height)
    x = ((1 - place) * (1 + place) + height.sinh() ** 2).sqrt()
    return rest.size / arb.pi() * _mean(place, d) * _slope(rest) ** ball(rest.beta) * x


def _slope(rest: InnerRest) -> arb:
    """E with |u-p| <= E y."""
    place, half = ball(rest.location), arb(rest.height) / 2
    return half.sinh() / half * ((1 - place) * (1 + place) + half.sinh() ** 2).sqrt()


def wave_integral(rest: InnerRest, k: int) -> arb:
    """A bound of int_0^oo v^beta (|log v| + log(k+1) + L)^j e^-v dv, which is Gamma(beta+1) for j = 0.

    With v = (k+1) y it stands for |log(u-p)|^j <= (|log y| + L)^j, since y sin(theta_0) <= |u-p| <= E y and the
    argument is at most pi; and |log v|^i <= (2i/e)^i (v^(1/2) + v^(-1/2)).
    """
    place, beta, j = ball(rest.location), ball(rest.beta), rest.log_power
    if j == 0:
        return (beta + 1).gamma()
    sine = ((1 - place) * (1 + place)).sqrt()
    logs = arb(k + 1).log() + arb.max(abs(_slope(rest).log()), abs(sine.log())) + arb.pi()
    half, total = arb(fmpq(1, 2)), logs**j * (beta + 1).gamma()
    for i in range(1, j + 1):
        power = (2 * i / arb(1).exp()) ** i * ((beta + 1 + half).gamma() + (beta + half).gamma())
        total = total + comb(j, i) * logs ** (j - i) * power
    return total


def _mean(place: arb, d: int) -> arb:
    """Q: |1 - sx| lies between the distance of 1 from the ray through e^(2i theta_0), and 2."""
    lam = arb(fmpq(d - 2, 2))
    if d >= 4:
        return arb(2) ** (lam - 1)
    cosine = 2 * place * place - 1
    sine = 2 * abs(place) * ((1 - place) * (1 + place)).sqrt()
    distance = arb(1) if cosine < 0 else sine
    return distance ** (lam - 1)
