"""mu_k for small k: next to the ends the models are integrated term by term, between them Fejer's rule has a proved
error.

Fejer's rule with n nodes on a piece: for f analytic and |f| <= M in the ellipse with foci at the ends of the piece and
sum of semi-axes rho (in half-lengths) the error is at most 8 M rho^-n/(1 - 1/rho) half-lengths: |a_m| <= 2 M rho^-m for
the Chebyshev coefficients, the rule is exact below degree n and has positive weights with sum 2.
P_k(cos theta) is a convex combination of cos((k-2j) theta): |P_k(cos theta)| <= exp(k |Im theta|).
"""

from __future__ import annotations

from fractions import Fraction

from .balls import HALF, ONE, PI_BALL, Ball, Retry, log_gamma, number
from .contour import Contour
from .kernel import I, at_end, in_strip
from .models import Model

__all__ = ["small_eigenvalues"]

ACCURACY = 90  # bits


def small_eigenvalues(contour: Contour, d: int, top: int) -> list[Ball]:
    """Enclosures of mu_0, ..., mu_top: (Gamma(d/2)/(sqrt(pi) Gamma((d-1)/2))) int kappa P_k (1-u^2)^((d-3)/2) du."""
    totals, corners = [Ball(0)] * (top + 1), []
    for end, model in enumerate(contour.ends):
        integrands, t = _near_end(contour, end, d, top), model.frame.radius / 8
        while any(_rest(f, t) > ONE >> ACCURACY for f in integrands):
            t /= 2
            if t < Fraction(1, 1 << 24):
                raise Retry("the first eigenvalues need longer expansions")
        totals = [a + _integral(f, t) for a, f in zip(totals, integrands, strict=True)]
        sine, cosine = (number(q / 2).power(HALF) for q in (t, 2 - t))  # of theta/2, cos(theta) = 1 - t
        corners.append(((cosine + sine * I).log().imaginary()).scaled(2))
    totals = [a + b for a, b in zip(totals, _between(contour, d, top, corners), strict=True)]
    factor = log_gamma(number(Fraction(d, 2))) - log_gamma(number(Fraction(d - 1, 2)))
    scale = (factor - PI_BALL.log().scaled(HALF)).exp()
    return [total * scale for total in totals]


def _near_end(contour: Contour, end: int, d: int, top: int) -> list[Model]:
    """kappa P_k (1-u^2)^((d-3)/2) as functions of t = 1 -+ u."""
    model, half = contour.ends[end], Fraction(d - 3, 2)
    place = at_end(contour.kernel, end, model.frame.radius, model.frame.order)
    two = place.number(2) - place.number(1).shifted(1)
    weighted = Model(place.frame, model.terms, model.rest, model.order) * two.power(half)
    out, before, now = [], place.number(1), place.u
    for k in range(top + 1):
        out.append((weighted * before).shifted(half))
        step = (place.u * now).times(number(2 * k + d)) - before.times(number(k + 1))
        before, now = now, step.times(number(Fraction(1, k + d - 1)))
    return out


def _rest(f: Model, t: Fraction) -> int:
    """A bound of the integral of the rest over [0, t], in units."""
    return (number(t).power(f.order + 1) * number(f.order + 1).inverse() * Ball(f.rest)).mag()


def _integral(f: Model, t: Fraction) -> Ball:
    """int_0^t, where I_j = int z^e (log z)^j = (t^(e+1) (log t)^j - j I_(j-1))/(e+1)."""
    total, log = Ball(0), number(t).log()
    for (e, j), c in f.terms.items():
        inverse = number(e + 1).inverse()
        value = inverse
        for i in range(1, j + 1):  # in units of t^(e+1)
            value = (log.power(i) - value.scaled(i)) * inverse
        total = total + c.real() * value * number(t).power(e + 1)
    return total.widened(_rest(f, t))


def _between(contour: Contour, d: int, top: int, corners: list[Ball]) -> list[Ball]:
    a, b = corners[0], PI_BALL - corners[1]
    middle, half = (a + b).scaled(HALF), (b - a).scaled(HALF)
    # the least height that leaves room for the ellipse: the kernel is smallest there
    height = min((h for h in contour.sizes if h >= HALF), default=max(contour.sizes))
    room = min(middle.interval()[0], (PI_BALL - middle).interval()[0]) / half.interval()[1]
    axis = 1 + (room - 1) * Fraction(99, 100)
    while True:  # the ellipse must stay below Im(theta) = h
        minor = number(axis * axis - 1).power(HALF)
        if minor.mag() * half.mag() < int(height * ONE) * ONE:
            break
        axis = 1 + (axis - 1) * Fraction(3, 4)
    rho, tall = axis + minor.interval()[0], minor * half
    # |sin theta| <= e^|Im theta|
    error = Ball(contour.sizes[height]) * tall.scaled(top + d - 2).exp() * half.scaled(8 / (1 - 1 / rho))
    n = 8
    while error.mag() > int(rho**n * ONE) >> ACCURACY:
        n += 8
        if n > 2000:
            raise Retry("too many nodes are needed for the first eigenvalues")
    wide = (error.mag() / rho**n).__ceil__()
    totals = [Ball(0, 0, wide)] * (top + 1)
    for node, weight in _rule(n):
        place = in_strip(contour.kernel, middle + half * node, Fraction(0), 1)
        u, sine = place.u.terms.get((0, 0), Ball(0)).real(), (place.s[0] * place.s[1]).terms[0, 0].real()
        value = (
            contour.kernel.run(place).terms.get((0, 0), Ball(0)).real() * weight * half * sine.power(d - 2)
        )
        before, now = Ball(ONE), u
        for k in range(top + 1):
            totals[k] = totals[k] + value * before
            step = ((u * now).scaled(2 * k + d) - before.scaled(k + 1)).scaled(Fraction(1, k + d - 1))
            before, now = now, step
    return totals


def _rule(n: int) -> list[tuple[Ball, Ball]]:
    """Nodes cos((2i+1) pi/2n) and weights (2/n) (1 - sum_m 2 cos((2i+1) m pi/n)/(4m^2-1)), m <= n/2."""
    cosine = [(PI_BALL.scaled(Fraction(j, 2 * n)) * I).exp().real() for j in range(4 * n)]
    out = []
    for i in range(n):
        total = Ball(ONE)
        for m in range(1, n // 2 + 1):
            total = total - cosine[2 * (2 * i + 1) * m % (4 * n)].scaled(Fraction(2, 4 * m * m - 1))
        out.append((cosine[2 * i + 1], total.scaled(Fraction(2, n))))
    return out
