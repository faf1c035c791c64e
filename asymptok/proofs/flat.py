r"""Kernels that are flat at an end and explode beyond it, as exp(-1/(1-u)): |mu_k| <= b k^p exp(-c k^g) for all k.

kappa = sum E(u) exp(-c_+ (1-u)^-a - c_- (1+u)^-a), c_+, c_- >= 0, E entire, |E(z)| <= M(|z|), times powers >= 0 of 1-+u
where c_+- > 0. Cauchy's contour around [-1, 1], u = cos(theta), runs through u = 1 itself (and through u = -1 if c_-
> 0):
along the ray theta = s e^(i alpha), 0 <= s <= s_1, and then along Im theta = h = s_1 sin(alpha).
(1) |q_k sin(theta)| <= A_k Q e^(-ky), y = Im theta, Q = 1/2, 1, 2^((d-4)/2) for d = 2, 3, >= 4: q_k is A_k
e^(-(k+1)y) times
    1/(1-x) for d = 2, else a mean of (1-sx)^(d/2-2), 0 <= s <= 1, x = e^(2 i theta), where |1-x| <= 2 |1-sx| and
    |1-x| = 2 |sin(theta)| e^-y, |sin(theta)| <= e^y.
(2) With alpha <= pi/6 and s_1 <= 2 the number t = 1 - u = 2 sin(theta/2)^2 has 0 <= arg t <= 2 alpha on the contour,
for
    arg sin(x+iy) = atan(tanh(y)/tan(x)) <= atan(y/x), and |t| <= s^2/2 on the ray: cosh(2Y) - cos(2X) <= 2 (X^2 +
    Y^2) for
    Y <= X/sqrt(3), X <= 1. So the exponential is at most exp(-c_+ cos(2 a alpha) 2^a s^(-2a)) on the ray, and at most 1
    elsewhere if 2 a alpha <= pi/2.
(3) C s^(-q) + S s >= (1 + 1/q) (q C)^(1/(q+1)) S^(q/(q+1)) for s > 0, here with q = 2a, C = c_+ cos(q alpha) 2^a and
    S = k sin(alpha): = c k^g, g = q/(q+1). The best angle is alpha = pi/(2(q+1)), the saddle point.
Hence |mu_k| <= A_k Q/pi sum M(cosh h) (rays s_1 e^(-c k^g) + pi e^(-kh)), rays = 0, 1, 2, and A_k <= 2 Gamma(d/2)
k^(1-d/2).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import sympy
from flint import arb, fmpq
from sympy import Expr, Rational, S

from asymptok.balls import ball, compile_ball
from asymptok.errors import AsymptokError
from asymptok.precision import flint_precision
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.decimals import down, number, up
from asymptok.proofs.entire import majorant, radius
from asymptok.symbols import u

__all__ = ["flat_bound", "flat_law", "flat_parts", "is_flat_law"]

#: s_1: two rays meet before Re theta = pi/2
_REACH = fmpq(3, 2)
_BITS, _DIGITS, _LATEST = 128, 12, 4000


@dataclass(frozen=True, slots=True)
class Part:
    """One summand: E by its majorant, powers beside it, and the coefficients c_+, c_-."""

    size: Expr
    powers: Expr
    plus: Expr
    minus: Expr

    @property
    def rays(self) -> int:
        return (self.plus != 0) + (self.minus != 0)


@dataclass(frozen=True)
class Flat:
    """All summands; a is the same in all of them."""

    a: Expr
    parts: tuple[Part, ...]

    @property
    def gamma(self) -> Expr:
        """g = 2a/(2a+1)."""
        return 2 * self.a / (2 * self.a + 1)

    def angle(self) -> arb:
        return arb.min(arb.pi() / 6, arb.pi() / (2 * (2 * ball(self.a) + 1)))

    def height(self) -> arb:
        return arb(_REACH) * self.angle().sin()

    def rate(self) -> arb:
        """c in exp(-c k^g): the least of all parts."""
        a, alpha = ball(self.a), self.angle()
        q = 2 * a
        factor = (q * alpha).cos() * arb(2) ** a
        least = arb.pos_inf()
        for part in self.parts:
            for end in (part.plus, part.minus):
                if end != 0:
                    least = arb.min(least, ball(end))
        power = 1 / (q + 1)
        return (1 + 1 / q) * (q * least * factor) ** power * alpha.sin() ** (q * power)

    def sizes(self) -> list[tuple[int, arb]]:
        """(rays, M(cosh h)) for each part."""
        most = self.height().cosh()
        return [
            (p.rays, compile_ball(p.size, [radius])(most) * (1 + most) ** ball(p.powers)) for p in self.parts
        ]


@lru_cache(maxsize=64)
def flat_parts(expr: Expr) -> Flat | None:
    """The kernel as such a sum; None if it is not seen to be one.

    >>> found = flat_parts(u*sympy.exp(-2/(1 - u)) + u**2)
    >>> found.a, sorted((p.plus, p.minus, p.rays) for p in found.parts)
    (1, [(0, 0, 0), (2, 0, 1)])
    """
    exponents: set[Expr] = set()
    parts: list[Part] = []
    try:
        for summand in sympy.Add.make_args(sympy.expand(expr, deep=False, power_base=False, power_exp=False)):
            part = _part(summand, exponents)
            if part is None or len(exponents) > 1:
                return None
            parts.append(part)
    except AsymptokError:
        return None
    return Flat(exponents.pop(), tuple(parts)) if exponents else None


def _part(summand: Expr, exponents: set[Expr]) -> Part | None:
    ends: dict[int, Expr] = {1: S.Zero, -1: S.Zero}
    powers: dict[int, Expr] = {1: S.Zero, -1: S.Zero}
    entire: list[Expr] = []
    for factor in sympy.Mul.make_args(summand):
        power = factor.as_base_exp()[1]
        if isinstance(factor, sympy.exp):
            inner = (
                sympy.apart(factor.args[0], u) if factor.args[0].is_rational_function(u) else factor.args[0]
            )
            for term in sympy.Add.make_args(inner):
                found = _end_power(term)
                if found is None:
                    entire.append(sympy.exp(term))
                    continue
                at, c, exponent = found
                if not (exponent < 0 and ball(c) < 0) or ends[at] != 0:
                    return None
                ends[at] = -c
                exponents.add(-exponent)
        elif power.is_Rational and not power.is_Integer:
            found = _end_power(factor)
            if found is None or found[2] < 0:
                return None
            powers[found[0]] += found[2]
            entire.append(found[1])
        else:
            entire.append(factor)
    if any(powers[at] != 0 and ends[at] == 0 for at in ends):
        return None
    size = majorant(sympy.Mul(*entire))
    return None if size is None else Part(size, powers[1] + powers[-1], ends[1], ends[-1])


def _end_power(term: Expr) -> tuple[int, Expr, Expr] | None:
    """c (1 -+ u)^e with e rational, not a polynomial; None for anything else."""
    c, varying = term.as_independent(u, as_Add=False)
    base, exponent = varying.as_base_exp()
    if not exponent.is_Rational or (exponent.is_Integer and exponent >= 0) or not base.is_polynomial(u):
        return None
    for at in (1, -1):
        scale = sympy.cancel(base / (1 - at * u))
        if not scale.has(u) and ball(scale) > 0:
            return at, c * scale**exponent, exponent
        if not scale.has(u) and exponent.is_Integer:
            return at, c * scale**exponent, exponent
    return None


def _scale(k: int, d: int) -> arb:
    """A_k Q/pi."""
    half = arb(fmpq(d, 2))
    q = {2: arb(fmpq(1, 2)), 3: arb(1)}.get(d, arb(2) ** arb(fmpq(d - 4, 2)))
    return 2 * (half.lgamma() + arb(k + 1).lgamma() - (k + half).lgamma()).exp() * q / arb.pi()


def flat_bound(expr: Expr, k: int, d: int) -> arb | None:
    """A bound of |mu_k|, k >= 1; None if the kernel is not of this kind."""
    found = flat_parts(expr)
    if found is None or k < 1:
        return None
    ray = arb(_REACH) * (-found.rate() * arb(k) ** ball(found.gamma)).exp()
    far = arb.pi() * (-k * found.height()).exp()
    return (_scale(k, d) * sum((m * (rays * ray + far) for rays, m in found.sizes()), arb(0))).upper()


def flat_high(found: Flat, c: arb, k0: int, d: int) -> arb | None:
    """b with |mu_k| <= b k^(1-d/2) exp(-c k^g) for all k >= k0, c at most the rate; None if k0 is too small."""
    g, h = ball(found.gamma), found.height()
    # exp(c k^g - k h) decreases from k0 on
    if not (k0 >= 1 and c * g * arb(k0) ** (g - 1) <= h and c <= found.rate()):
        return None
    far = arb.pi() * (c * arb(k0) ** g - k0 * h).exp()
    total = sum((m * (rays * arb(_REACH) + far) for rays, m in found.sizes()), arb(0))
    # A_k <= 2 Gamma(d/2) k^(1-d/2)
    scale = _scale(0, d) * arb(fmpq(d, 2)).gamma()
    return (scale * total).upper()


def flat_law(expr: Expr, parity: int, d: int) -> ParityClaim | None:
    """The law from a degree on at which the curve counts less than the rays."""
    found = flat_parts(expr)
    if found is None:
        return None
    with flint_precision(_BITS):
        rate = down(found.rate(), _DIGITS)
        c, g, h = number(rate), ball(found.gamma), found.height()
        for k in range(2 - parity, _LATEST, 2):
            if k * h >= c * arb(k) ** g:
                high = flat_high(found, c, k, d)
                if high is not None:
                    b = up(high, _DIGITS)
                    p = 1 - Rational(d, 2)
                    return ParityClaim(
                        Law.FLAT, rate=p, k0=k, low=f"-{b}", high=b, stretch=(rate, found.gamma)
                    )
    return None


def is_flat_law(expr: Expr, claim: ParityClaim, parity: int, d: int, bits: int) -> bool:
    """Whether |mu_k| <= b k^p exp(-c k^g) from k0 on follows."""
    found = flat_parts(expr)
    if found is None or claim.stretch is None or claim.k0 is None or claim.high is None or claim.log_power:
        return False
    if claim.stretch[1] != found.gamma or claim.rate != 1 - Rational(d, 2) or claim.low != f"-{claim.high}":
        return False
    with flint_precision(bits):
        c = number(claim.stretch[0])
        high = flat_high(found, c, claim.k0, d) if c > 0 else None
        return claim.k0 % 2 == parity and high is not None and bool(high <= number(claim.high))
