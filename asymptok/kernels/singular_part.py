"""Eigenvalues that fall like a power of k: the powers of 1 - u behind them, and the little that is left.

With N = k + (d-2)/2 and s = nu + (d-1)/2, t^nu has the eigenvalues C(d, nu) Gamma(N+1/2-s)/Gamma(N+1/2+s), and
t^n log t, n = 0, 1, ..., has them with another constant for k > n. The ratio is N^(-2s) times a series in 1/N^2. So an
expansion of mu_k in powers of 1/N is one in these ratios, term by term, and its terms are those of kappa(1 - t).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from flint import arb, fmpq, fmpq_poly
from sympy import Expr, Rational, Symbol, factorial, gamma, log

from asymptok.balls import ball
from asymptok.constants.domain import opaque
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import RATIONAL, Ranges, to_rational
from asymptok.constants.sphere import regular_factor
from asymptok.errors import AsymptokError, ExpansionError, Undecided
from asymptok.precision import flint_precision
from asymptok.series.truncated import NeedMoreTerms, Series, floor
from asymptok.series.walk import expand_expression
from asymptok.symbols import k, u
from asymptok.truth import Truth

__all__ = ["SingularPart", "singular_part"]

#: a power of 1/k above the dimension by more than this is as good as an exponential
_STEEPEST = 20
BITS = 256


@dataclass(frozen=True, slots=True)
class SingularPart:
    """sum_j a_j t^nu_j, with log t where nu_j is whole: as an expression, and its eigenvalues in balls."""

    d: int
    #: nu and the factor before Gamma(N+1/2-s)/Gamma(N+1/2+s)
    terms: tuple[tuple[fmpq, Expr], ...]

    @property
    def expr(self) -> Expr:
        """The function of u."""
        t = 1 - u
        return sum(
            (a * t ** to_rational(nu) * (log(t) if nu.q == 1 else 1) for nu, a in self.powers()), Rational(0)
        )

    def powers(self) -> tuple[tuple[fmpq, Expr], ...]:
        """(nu, a), the term a t^nu, or a t^nu log t for a whole nu."""
        return _powers(self)

    def value(self, t: arb) -> arb:
        """The function at t = 1 - u >= 0; every nu is positive."""
        total = arb(0)
        for nu, a in self.powers():
            exponent, top = arb(nu), arb(t.upper())
            if t.is_zero():
                continue
            if t > 0:
                power = t**exponent
                total += ball(a) * (power * t.log() if nu.q == 1 else power)
                continue
            # from 0 to t^nu, or t^nu log t, which falls up to e^(-1/nu)
            if nu.q == 1 and not top < (-1 / exponent).exp():
                return arb.nan()
            end = top**exponent * (top.log() if nu.q == 1 else 1)
            total += ball(a) * arb(0).union(end)
        return total

    def eigenvalue(self, degree: int, bits: int = BITS) -> arb:
        """mu_k of the function, also where k <= n for t^n log t."""
        with flint_precision(bits):
            total = arb(0)
            for nu, c in self.terms:
                if nu.q == 1 and degree <= nu:
                    total += ball(c / _front(self.d, nu) * _low_degree(self.d, int(nu.p), degree))
                else:
                    ratio = arb(degree - nu).gamma() / arb(degree + nu + self.d - 1).gamma()
                    total += ball(c) * ratio
            return total


@lru_cache(maxsize=64)
def _powers(part: SingularPart) -> tuple[tuple[fmpq, Expr], ...]:
    return tuple((nu, c / _front(part.d, nu)) for nu, c in part.terms)


def _front(d: int, nu: fmpq) -> Expr:
    exponent = to_rational(nu)
    if nu.q == 1:
        return regular_factor(d, exponent) * (-1) ** (int(nu.p) + 1) * factorial(exponent)
    return regular_factor(d, exponent) / gamma(-exponent)


def _low_degree(d: int, n: int, degree: int) -> Expr:
    """mu_k of t^n log t for k <= n: the derivative at nu = n of C(d, nu) Gamma(-nu) (-nu)_k / Gamma(k+nu+d-1)."""
    nu = Symbol("nu", positive=True)
    rising: Expr = Rational(1)
    for i in range(degree):
        rising *= i - nu
    return (regular_factor(d, nu) * rising / gamma(degree + nu + d - 1)).diff(nu).subs(nu, n)


def _ratio_series(s: fmpq, count: int) -> list[fmpq]:
    """g_m in Gamma(N+1/2-s)/Gamma(N+1/2+s) ~ N^(-2s) sum_m g_m N^(-2m), m < count.

    The logarithm of the ratio is -2s log N + sum_m 2 B_(2m+1)(1/2+s)/((2m+1) 2m) N^(-2m), with Bernoulli polynomials.
    """
    at = s + fmpq(1, 2)
    logs = [2 * fmpq_poly.bernoulli_poly(2 * m + 1)(at) / ((2 * m + 1) * 2 * m) for m in range(1, count)]
    found = [fmpq(1)]
    for m in range(1, count):
        # m g_m = sum_i i l_i g_(m-i)
        found.append(sum((i * logs[i - 1] * found[m - i] for i in range(1, m + 1)), fmpq(0)) / m)
    return found


def singular_part(law: Expr, d: int, powers: int | fmpq = 16) -> SingularPart | None:
    """The powers and logarithms behind eigenvalues mu_k that have an expansion in powers of 1/k; None without one.

    `powers` is how far behind the leading one they are taken.

    >>> singular_part(k**-3 / 2, 3, powers=0).expr
    -sqrt(2)*sqrt(1 - u)
    """
    distance = Symbol("x", positive=True)
    dom = opaque(ExactDomain(Ranges()))

    def leaf(top: fmpq) -> Series:
        return Series(dom, top, 1, {(RATIONAL, 0): {1: dom.one}})

    try:
        expr = law.subs(k, 1 / distance - Rational(d - 2, 2))
        lead = expand_expression(dom, expr, distance, leaf, fmpq(d + _STEEPEST)).lead()
        if lead.form or lead.log_power:
            return None
        last = lead.rest + powers
        series = expand_expression(dom, expr, distance, leaf, last)
    except (ExpansionError, Undecided, NeedMoreTerms):
        return None
    left = {rest: c for c, form, rest, j in series.terms() if not (form or j)}
    if any(form or j for _, form, _, j in series.terms()):
        return None
    if lead.rest <= d - 1:
        raise AsymptokError(
            f"the eigenvalues {law} fall like k^({-lead.rest}), and kappa(1) = sum N(d, k) mu_k is finite only for "
            f"a power below {1 - d}"
        )
    terms = []
    while left:
        power = min(left)
        c = left.pop(power)
        if dom.is_zero(c) is Truth.TRUE:
            continue
        nu = (power - d + 1) / 2
        terms.append((nu, dom.to_expr(c)))
        count = floor((last - power) / 2) + 1
        for m, g in enumerate(_ratio_series(power / 2, count)):
            if m:
                taken = dom.scale(c, -g)
                left[power + 2 * m] = dom.add(left.get(power + 2 * m, dom.zero), taken)
    return SingularPart(d, tuple(terms))
