"""mu_k = c_d int kappa P_k (1-u^2)^((d-3)/2) du, c_d = Gamma(d/2)/(sqrt(pi) Gamma((d-1)/2)), for small k: models of the
kernel are integrated term by term, next to the ends in t = 1 -+ u, between them in theta, du = -sin(theta) dtheta."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from .balls import HALF, ONE, PI, Ball, P, Retry, log_gamma, rational, up
from .contour import Contour, cover
from .ends import End
from .exact import ball, enclosed
from .local import Local, at_end, in_strip
from .series import S, power


def small_eigenvalues(contour: Contour, d: int, top: int, error: int) -> list[Ball]:
    """Enclosures of mu_0, ..., mu_top; models are refined until each adds at most the given error."""
    length = 16 + (P - error.bit_length()) // 2
    totals, corners = [Ball(0)] * (top + 1), []
    for end, model in enumerate(contour.ends):
        place = at_end(contour.branches, end, model.radius, model.cut)
        half = Fraction(d - 3, 2)
        x = Fraction(1, 8)  # up to theta = pi x, where t = 1 - cos(theta) <= 5 x^2
        integrands = [f.shifted(half) for f in _moments(place, place.side(1 - end, half) * model, d, top)]
        while 5 * x * x > model.radius or any(_rest(f, 5 * x * x) > error for f in integrands):
            x /= 2
            if x < Fraction(1, 1 << 16):
                raise Retry("the first eigenvalues need longer expansions")
        t = Ball(ONE) - (PI.scaled(x) * Ball(0, ONE)).exp().real()
        totals = [total + _integral(f, t, 5 * x * x) for total, f in zip(totals, integrands, strict=True)]
        corners.append(x)

    def add(x: Fraction, half: Fraction) -> None:
        nonlocal totals
        place = in_strip(contour.branches, PI.scaled(x), PI.scaled(half), length)
        weighted = place.run(contour.nodes) * power(place.s[0] * place.s[1], d - 2)
        values = []
        for f in _moments(place, weighted, d, top):
            if f.rest > error:
                raise Retry("the kernel varies too much")
            values.append(f.integral().real() * PI.scaled(half))
        totals = [a + b for a, b in zip(totals, values, strict=True)]

    cover(corners[0], 1 - corners[1], 4, 12, add)
    scale = (
        log_gamma(rational(Fraction(d, 2))) - log_gamma(rational(Fraction(d - 1, 2))) - PI.log().scaled(HALF)
    )
    return [total * scale.exp() for total in totals]


def _moments(place: Local[S], f: S, d: int, top: int) -> Iterator[S]:
    """f P_0, ..., f P_top by the recurrence (k+d-2) P_(k+1) = (2k+d-2) u P_k - k P_(k-1)."""
    before, now = f, f * place.u
    for k in range(1, top + 2):
        yield before
        step = (now * place.u).times(2 * k + d - 2) + before.times(-k)
        before, now = now, step.times(Fraction(1, k + d - 2))


def _rest(f: End, t: Fraction) -> int:
    """A bound of the integral of the rest over [0, t], in units."""
    size = (rational(t).log() * ball(f.order + 1)).exp() * ball(f.order + 1).inverse()
    return up(f.rest * size.mag())


def _integral(f: End, t: Ball, above: Fraction) -> Ball:
    """int_0^t, t <= above, where I_j = int t^e (log t)^j = (t^(e+1) (log t)^j - j I_(j-1))/(e+1)."""
    total, log = Ball(0), t.log()
    for (e, j), c in f.terms.items():
        inverse = ball(e + 1).inverse()
        value = inverse
        for i in range(1, j + 1):  # in units of t^(e+1)
            value = (log.power(i) - value.scaled(i)) * inverse
        total = total + enclosed(c).real() * value * (log * ball(e + 1)).exp()
    return total.widened(_rest(f, above))
