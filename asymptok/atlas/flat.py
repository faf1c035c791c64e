r"""The contour for kernels of piecewise polynomial activations: where they are flat, exp(-A/(1+u)) explodes beyond.

Derivatives lead to exponentials alone (`quadrant_form`), and with D = d (d+2) ... (d+2n-2)

    mu_k(kappa; d) = mu_(k-n)(kappa^(n); d+2n)/D,        T(b-n, k-n; d+2n)/D = Gamma(b-n+1)/Gamma(b+1) T(b, k; d),
    A_(k-n)(d+2n) S(d+2n) e^(-(k-n+1)h)/D  <=  cosh(h)^n (k-n)!/k! A_k S e^(-(k+1)h),

the last since |binom(l, j)| <= |binom(l-1, j)| + |binom(l-1, j-1)| in S: bounds for kappa^(n) are bounds for kappa.
f = sum c (1-u)^p (1+u)^q e^(-A/(1+u)) is t^p times a power series of radius 2 at u = 1, where its contour has a slit as
usual. At u = -1 the contour leaves the ellipse and goes along u = -1 + x e^(+-i pi/3), |e^(-A/(1+u))| = e^(-A/(2x)).
With z = 1 + w, |w| = x, arg w = 2 pi/3, zeta = z + sqrt(z^2-1) one has

    |zeta| + 1/|zeta| = |w| + |w+2| >= 2 + x/2,          |zeta - 1/zeta| <= 2 (|zeta| - 1/|zeta|),

hence |q_k(z)| <= 2^max(0, d-3) q_k(1 + x/4): by the power series for d <= 4, whose coefficients are positive, else by
Euler's 2F1(1-l, k+1; k+1+l; y) = (1-y)^(2l-1) 2F1(k+2l, l; k+1+l; y). So |f| <= B x^b on the two rays adds at most
2^max(0, d-3) 4^(b+1) B T(b, k), in dimension d + 2n.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import ceil
from typing import Any

from flint import acb, arb, arb_poly, arb_series, fmpq
from sympy import Expr, Rational, S

from asymptok.atlas.core import (
    USUAL,
    Bound,
    Core,
    Effort,
    EndTerm,
    analytic_core,
    core_at,
    kernel_program,
    slit_length,
)
from asymptok.atlas.curves import NotProved
from asymptok.atlas.local import Unproved
from asymptok.atlas.quadrant_form import Powers, QuadrantForm, quadrant_form
from asymptok.atlas.samples import Exponent, StripSample
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.precision import flint_length, flint_precision
from asymptok.symbols import u

__all__ = ["core_in", "is_flat"]

#: heights of the ellipse that are tried: the two rays meet above 1.317
_HEIGHTS = tuple(fmpq(n, 16) for n in (20, 16, 12, 8))
#: radius of the discs of Cauchy's estimate, pieces of the slit and of the ellipse
_RADIUS = fmpq(7, 4)
_PIECES = 48


def core_in(
    expr: Expr,
    d: int,
    terms: int = 9,
    effort: Effort = USUAL,
    betas: tuple[Expr, ...] | None = None,
    height: fmpq | None = None,
    below: fmpq | None = None,
) -> Core:
    """The core of a kernel for one dimension, which matters where it is flat at an end."""
    form = quadrant_form(expr)
    if form is None or not form.order:
        return analytic_core(expr, terms, effort, below)
    heights = _HEIGHTS if height is None else (height,)
    chosen = tuple(h for h in heights if below is None or h < below)
    return _flat_core(expr, d, terms, effort, betas, chosen)


def is_flat(expr: Expr) -> bool:
    """Whether the core of the kernel depends on the dimension."""
    form = quadrant_form(expr)
    return form is not None and form.order > 0


@lru_cache(maxsize=32)
def _flat_core(
    expr: Expr, d: int, terms: int, effort: Effort, betas: tuple[Expr, ...] | None, heights: tuple[fmpq, ...]
) -> Core:
    form = quadrant_form(expr)
    assert form is not None
    reason = "no ellipse is found"
    for h in heights:
        try:
            with flint_precision(effort.bits):
                return _Flat(expr, form, d, h, effort).core(terms, betas)
        except NotProved:
            continue
        except AsymptokError as error:
            reason = str(error)
    raise Unproved(reason)


class _Series:
    """t^start (g_0 + g_1 t + ...), radius 2: what is singular at one end and flat at the other."""

    def __init__(self, groups: Iterable[tuple[Expr, Powers]], length: fmpq, count: int) -> None:
        groups = list(groups)
        exponents = [p for _, powers in groups for p, _ in powers]
        self.start = min(exponents, default=S.Zero)
        self.length = length
        radius = arb(_RADIUS)
        coefficients, self.size = arb_poly(), arb(0)
        for rate, powers in groups:
            for (p, q), c in powers.items():
                if (p - self.start) % 1 or not (p - S.Half).is_Integer:
                    raise Unproved("an exponential with a whole power at an end")
                shift, e, weight = int(p - self.start), ball(q), ball(c)
                with flint_length(count):
                    rest = arb_series([2, -1], prec=count)
                    series = (-ball(rate) / rest).exp() * (e * rest.log()).exp() * weight
                    coefficients += arb_poly([series[j] for j in range(count)]).left_shift(shift)
                # |exp(-A/(2-t))| <= 1 for |t| < 2
                most = arb.max((2 - radius) ** e, (2 + radius) ** e)
                self.size += abs(weight) * most * radius**shift
        self.poly = coefficients.truncate(count)
        self.count = count

    def bound(self, first: int) -> arb:
        """sup |sum_(j >= first) g_j (-x)^(j - first)| for 0 <= x <= length."""
        if not len(self.poly):
            return arb(0)
        tail = self.poly.right_shift(first)
        best, width = arb(0), self.length / _PIECES
        for j in range(_PIECES):
            middle = -arb(width * (2 * j + 1) / 2)
            best = arb.max(best, abs(tail(arb_poly([middle, 1]))(arb(0, arb(width / 2)))).upper())
        ratio = arb(self.length) / arb(_RADIUS)
        rest = self.size / arb(_RADIUS) ** first * ratio ** (self.count - first) / (1 - ratio)
        return (best + rest).upper()


class _Flat:
    def __init__(self, expr: Expr, form: QuadrantForm, d: int, height: fmpq, effort: Effort) -> None:
        self.expr, self.form, self.d, self.height, self.effort = expr, form, d, height, effort
        self.order = form.order
        self.groups = form.exponentials_after(self.order)
        length = slit_length(height, 1)
        count = effort.bits + 32
        plus = [(a, powers) for (a, b), powers in self.groups.items() if b == 0]
        minus = [(b, _mirrored(powers)) for (a, b), powers in self.groups.items() if a == 0]
        self.series = (_Series(plus, length, count), _Series(minus, length, count))
        cosh = arb(height).cosh()
        # where the rays meet the ellipse: x + |2 - x e^(i pi/3)| = 2 cosh(h)
        self.reach = 2 * (cosh * cosh - 1) / (2 * cosh - 1)
        self.angle = ((self.reach / 2 - 1) / cosh).acos()

    def core(self, terms: int, betas: tuple[Expr, ...] | None) -> Core:
        n = self.order
        start = max([S(-1), *(s.start for s in self.series if len(s.poly))])
        wanted = betas or tuple(_halves(start + n, terms))
        rest, inner = self.form.rest, None
        if not rest.is_polynomial(u):
            inner = core_at(kernel_program(rest), self.height, terms, self.effort, wanted)
        found: dict[tuple[int, Expr], Any] = {}
        for at, series in zip((1, -1), self.series, strict=True):
            for j, c in enumerate(series.poly.coeffs()):
                nu = series.start + j + n
                if nu < wanted[-1]:
                    # d/du = -+ d/dt, n times
                    found[at, nu] = c * (-at) ** n / _falling(nu, n)
        if inner is not None:
            for term in inner.terms:
                if term.log_power or term.exponent.is_Integer:
                    raise Unproved("a logarithm beside a flat part")
                key = (term.at, term.exponent)
                found[key] = found.get(key, arb(0)) + term.coefficient
        claims = tuple(
            EndTerm(at, nu, 0, c) for (at, nu), c in sorted(found.items(), key=lambda e: (-e[0][0], e[0][1]))
        )
        bounds = []
        for beta in wanted:
            mine = self._bound(beta)
            if inner is not None:
                other = next(b for b in inner.bounds if b.beta == beta)
                mine = [a + b for a, b in zip(mine, (other.plus, other.minus, other.curve), strict=True)]
            plus, minus, curve = (x.upper() for x in mine)
            bounds.append(Bound(beta, plus, minus, curve, self.height))
        return Core(self.expr, (None, None), claims, tuple(bounds), self.effort)

    def _bound(self, beta: Expr) -> list[arb]:
        """B_+, B_- (slits and rays together) and G for kappa."""
        n, inner = self.order, beta - self.order
        back = 1 / _falling(beta, n)
        sides = []
        for at, series in zip((1, -1), self.series, strict=True):
            first = inner - series.start
            if not (first.is_Integer and first >= 0 and inner > -1):
                if len(series.poly):
                    raise Unproved("a bound below the first term")
                first = S.Zero
            sides.append((series.bound(int(first)) + self._rays(at, ball(inner))) * back)
        return [*sides, self._curve(inner) * arb(self.height).cosh() ** n * back]

    def _rays(self, at: int, beta: Any) -> Any:
        """What the rays at one end add to B."""
        total = arb(0)
        widest = (4 - 2 * self.reach + self.reach**2).sqrt()
        for (a, b), powers in self.groups.items():
            rate, mine = (a, powers) if at == -1 else (b, _mirrored(powers))
            if rate == 0:
                continue
            half = ball(rate) / 2
            for (p, q), c in mine.items():
                e, other = beta - ball(q), ball(p)
                side = arb.max(arb(3) ** (other / 2), arb.max(arb(2) ** other, widest**other))
                # sup of x^-e exp(-A/(2x)) over 0 < x <= reach
                size = self.reach**-e * (-half / self.reach).exp()
                if e > 0 and not half / e > self.reach:
                    size = (e / half) ** e * (-e).exp()
                total += abs(ball(c)) * side * size
        scale = arb(2) ** max(0, self.d + 2 * self.order - 3)
        return total * scale * arb(4) ** (beta + 1)

    def _curve(self, beta: Expr) -> arb:
        """(1/pi) int |...| over the ellipse: each part where its contour follows it, the terms everywhere."""
        total = arb(0)
        pieces = self.effort.pieces
        with flint_precision(self.effort.box_bits):
            for j in range(pieces):
                theta = acb(
                    arb.pi() * arb(fmpq(2 * j + 1, 2 * pieces), fmpq(1, 2 * pieces)), arb(self.height)
                )
                sample = StripSample.of(theta)
                value, doubtful = -self._terms(sample, beta), arb(0)
                for (a, b), powers in self.groups.items():
                    inside = self._active(theta.real, a, b)
                    if inside is False:
                        continue
                    part = _value(sample, a, b, powers)
                    if inside:
                        value = value + part
                    else:
                        doubtful += abs(part)
                sine = abs(sample.halves[0] * sample.halves[1])
                total += sine * (abs(value) + doubtful) / pieces  # (1/pi) times the length pi/pieces
        return total.upper()

    def _active(self, x: arb, a: Expr, b: Expr) -> bool | None:
        """Whether the contour of this part is the ellipse at theta = x + i h; None if only on a piece of the box."""
        tests = []
        if a != 0:
            tests.append((x < self.angle, x > self.angle))
        if b != 0:
            tests.append((x > arb.pi() - self.angle, x < arb.pi() - self.angle))
        if any(no for _, no in tests):
            return False
        return True if all(yes for yes, _ in tests) else None

    def _terms(self, sample: StripSample, beta: Expr) -> Any:
        total = acb(0)
        for at, series in zip((1, -1), self.series, strict=True):
            for j in range(max(0, int(beta - series.start)) if len(series.poly) else 0):
                total += series.poly[j] * sample.power(at, Exponent.of(series.start + j))
        return total


def _mirrored(powers: Powers) -> Powers:
    return {(q, p): c for (p, q), c in powers.items()}


def _value(sample: StripSample, a: Expr, b: Expr, powers: Mapping[tuple[Expr, Expr], Expr]) -> Any:
    total = acb(0)
    for (p, q), c in powers.items():
        total += ball(c) * sample.power(1, Exponent.of(p)) * sample.power(-1, Exponent.of(q))
    exponent = acb(0)
    for rate, end in ((a, -1), (b, 1)):
        if rate != 0:
            exponent -= ball(rate) * sample.power(end, Exponent(-1, 1))
    return total * exponent.exp()


def _falling(nu: Expr, n: int) -> Any:
    """nu (nu-1) ... (nu-n+1)."""
    product: Expr = S.One
    for i in range(n):
        product *= nu - i
    return ball(product)


def _halves(first: Expr, count: int) -> list[Expr]:
    """The half-integers above `first`."""
    low = Rational(ceil(first + S.Half) * 2 - 1, 2)
    low = low if low > first else low + 1
    return [low + j for j in range(count)]
