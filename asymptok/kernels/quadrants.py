"""E[X^m Y^n 1[W_1 > a_1] 1[W_2 > a_2]] for Gaussian X, Y, in closed form: integration by parts, and conditioning.

Stein's lemma, E[(X - EX) F] = sum over the variables V of F of Cov(X, V) E[dF/dV], lowers the powers; the derivative
of an indicator is a point mass, that is, the density of W at a times an expectation given W = a, which is Gaussian
again. What is left are the probabilities of half planes (erf) and of quadrants (Orthant).
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Poly, PolynomialError, S, asin, cancel, exp, factorial2, pi, sqrt

from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.orthant import Orthant, normal_tail
from asymptok.symbols import u

__all__ = ["Indicator", "Normal", "moment", "reduced"]


@dataclass(frozen=True, slots=True)
class Indicator:
    """1[c V + s Z > a], V = X (variable 0) or Y (variable 1), Z an independent standard normal variable.

    s = 0 is a jump of an activation at a/c; s = 1 is the normal distribution function Phi(c V - a).
    """

    variable: int
    slope: Expr
    noise: Expr
    threshold: Expr


@dataclass(frozen=True, slots=True)
class Normal:
    """The means and covariances of (X, Y), rational in u."""

    mean: tuple[Expr, Expr]
    xx: Expr
    xy: Expr
    yy: Expr

    def covariance(self, i: int, j: int) -> Expr:
        return (self.xx, self.xy, self.yy)[i + j]

    def variance(self, w: Indicator) -> Expr:
        return reduced(w.slope**2 * self.covariance(w.variable, w.variable) + w.noise**2)

    def gap(self, w: Indicator) -> Expr:
        """a - E W."""
        return reduced(w.threshold - w.slope * self.mean[w.variable])

    def given(self, w: Indicator) -> Normal:
        """(X, Y) given W = a."""
        variance, gap = self.variance(w), self.gap(w)
        with_w = [w.slope * self.covariance(w.variable, i) for i in (0, 1)]
        mean = tuple(reduced(m + c * gap / variance) for m, c in zip(self.mean, with_w, strict=True))
        return Normal(
            (mean[0], mean[1]),
            reduced(self.xx - with_w[0] ** 2 / variance),
            reduced(self.xy - with_w[0] * with_w[1] / variance),
            reduced(self.yy - with_w[1] ** 2 / variance),
        )


def moment(m: int, n: int, law: Normal, indicators: tuple[Indicator, ...]) -> Expr:
    """E[X^m Y^n times the indicators].

    >>> plain = Normal((S.Zero, S.Zero), S.One, u, S.One)
    >>> right = [Indicator(i, S.One, S.Zero, S.Zero) for i in (0, 1)]
    >>> moment(2, 0, plain, ()), moment(1, 1, plain, tuple(right)), moment(0, 2, plain, (right[0],))
    (1, kappa1(u)/2, 1/2)
    """
    known = _arc_cosine(m, n, law, indicators)
    if known is not None:
        return known
    if m == n == 0:
        return _probability(law, indicators)
    i, powers = (0, (m - 1, n)) if m else (1, (m, n - 1))
    total = law.mean[i] * moment(*powers, law, indicators)
    for j in (0, 1):
        if powers[j] and law.covariance(i, j) != 0:
            lower = (powers[0] - (j == 0), powers[1] - (j == 1))
            total += law.covariance(i, j) * powers[j] * moment(*lower, law, indicators)
    for w in indicators:
        coupling = w.slope * law.covariance(i, w.variable)
        if coupling != 0:
            others = tuple(v for v in indicators if v is not w)
            total += coupling * _density(law, w) * moment(*powers, law.given(w), others)
    return total


def _density(law: Normal, w: Indicator) -> Expr:
    variance = law.variance(w)
    return exp(reduced(-(law.gap(w) ** 2) / (2 * variance))) / (sqrt(2 * pi) * sqrt(variance))


def _arc_cosine(m: int, n: int, law: Normal, indicators: tuple[Indicator, ...]) -> Expr | None:
    """E[X^n Y^n 1[X > 0] 1[Y > 0]] = (2n-1)!!/2 kappa_n(u), up to signs."""
    if m != n or len(indicators) != 2 or law != Normal((S.Zero, S.Zero), S.One, u, S.One):
        return None
    if any(w.noise != 0 or w.threshold != 0 or w.slope**2 != 1 for w in indicators):
        return None
    sign = indicators[0].slope * indicators[1].slope
    return sign**n * factorial2(2 * n - 1) * ArcCosine(n, sign * u) / 2


def _probability(law: Normal, indicators: tuple[Indicator, ...]) -> Expr:
    if not indicators:
        return S.One
    heights = [_ratio(law.gap(w), law.variance(w)) for w in indicators]
    if len(indicators) == 1:
        return normal_tail(heights[0])
    first, second = indicators
    cross = reduced(first.slope * second.slope * law.xy)
    correlation = cross / (sqrt(law.variance(first)) * sqrt(law.variance(second)))
    if all(h == 0 for h in heights) and first.noise != 0:
        # no branch point at the ends: the arcsine says so
        return S.One / 4 + asin(correlation) / (2 * pi)
    return Orthant(*heights, correlation)


def _ratio(gap: Expr, variance: Expr) -> Expr:
    """gap/sqrt(variance), with what both have in common at u = 1 and u = -1 taken out."""
    return gap if variance == 1 else quotient_root(gap, variance) if gap != 0 else S.Zero


# normal forms in u ---------------------------------------------------------------------------------------------


def reduced(expr: Expr) -> Expr:
    """A rational function of u in lowest terms, a polynomial multiplied out.

    >>> reduced((1 - u**2)/(1 - u))
    u + 1
    """
    if u not in expr.free_symbols:
        return expr
    return cancel(expr)


def quotient_root(gap: Expr, variance: Expr) -> Expr:
    """gap/sqrt(variance) for gap != 0, where powers of 1 - u > 0 and 1 + u > 0 cancel.

    >>> quotient_root(2 - 2*u, 1 - u**2), quotient_root(S.One, 1 - u**2)
    (2*sqrt(1 - u)/sqrt(u + 1), 1/sqrt(1 - u**2))
    """
    (top, i, j), (bottom, p, q) = _ends_apart(gap), _ends_apart(variance)
    below = sqrt(bottom) if bottom != 1 else S.One
    if i or j:
        return top / below * (1 - u) ** (i - p / S(2)) * (1 + u) ** (j - q / S(2))
    return gap / sqrt(variance)


def _ends_apart(expr: Expr) -> tuple[Expr, int, int]:
    """expr = rest (1-u)^i (1+u)^j with rest different from zero at both ends; expr is rational in u."""
    numerator, denominator = expr.as_numer_denom()
    top, i, j = _factors(numerator)
    bottom, p, q = _factors(denominator)
    return top / bottom, i - p, j - q


def _factors(expr: Expr) -> tuple[Expr, int, int]:
    try:
        poly = Poly(expr, u)
    except PolynomialError:
        return expr, 0, 0
    if poly.is_zero:
        return expr, 0, 0
    counts = []
    for end in (1, -1):
        count = 0
        while poly.eval(end).expand() == 0:
            poly = poly.quo(Poly(1 - end * u, u))
            count += 1
        counts.append(count)
    return (poly.as_expr(), counts[0], counts[1]) if any(counts) else (expr, 0, 0)
