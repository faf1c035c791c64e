"""mu_k for small k by quadrature of kappa(cos theta) P_k(cos theta) sin(theta)^(d-2), with a proved error.

Fejer's rule with n nodes on a piece: for f analytic and |f| <= M in the ellipse with foci at the ends of the piece and
sum of semi-axes rho (in half-lengths) the error is at most 8 M rho^-n/(1 - 1/rho) half-lengths: |a_m| <= 2 M rho^-m for
the Chebyshev coefficients, the rule is exact below degree n and has positive weights with sum 2.
P_k(cos theta) is a convex combination of cos((k-2j) theta): |P_k(cos theta)| <= exp(k |Im theta|).
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from .balls import ONE, Ball, Jet, gamma_log, number, pi_ball
from .contour import Contour, slit_length
from .kernel import Base, local, strip

__all__ = ["small_eigenvalues"]

NODES = 96
HALF = Fraction(1, 2)


def _rule() -> tuple[list[Ball], list[Ball]]:
    nodes, weights = [], []
    cosine = [pi_ball.scaled(Fraction(j, NODES)).turned().exp().real() for j in range(2 * NODES)]
    for i in range(NODES):
        nodes.append(pi_ball.scaled(Fraction(2 * i + 1, 2 * NODES)).turned().exp().real())
        total = Ball(ONE)
        for m in range(1, NODES // 2 + 1):
            total = total - cosine[(2 * i + 1) * m % (2 * NODES)].scaled(Fraction(2, 4 * m * m - 1))
        weights.append(total.scaled(Fraction(2, NODES)))
    return nodes, weights


def _legendre(u: Ball, d: int, top: int) -> list[Ball]:
    out = [Ball(ONE), u]
    for k in range(1, top):
        step = (u * out[k]).scaled(2 * k + d - 2) - out[k - 1].scaled(k)
        out.append(step.scaled(Fraction(1, k + d - 2)))
    return out[: top + 1]


class _Sum:
    """The integrals for all k at once, and their error bounds, in units."""

    def __init__(self, contour: Contour, d: int, top: int) -> None:
        self.contour, self.d, self.top = contour, d, top
        self.totals = [Ball(0)] * (top + 1)
        self.nodes, self.weights = _rule()

    def piece(
        self, a: Ball, b: Ball, end: int | None, g: int, rho: Fraction, size: Ball, height: Ball
    ) -> None:
        """Add the piece [a, b] of theta (end None) or of sigma, t = sigma^2g, at an end; in the ellipse size bounds
        the integrand without P_k, and height bounds |Im theta|."""
        middle, half = (a + b).scaled(HALF), (b - a).scaled(HALF)
        for node, weight in zip(self.nodes, self.weights, strict=True):
            point = Jet(middle + half * node)
            base = strip(point) if end is None else local(end, point, 2 * g)
            value = self._integrand(base, g) * weight * half
            polynomials = _legendre(base.u.c.real(), self.d, self.top)
            self.totals = [t + value * p for t, p in zip(self.totals, polynomials, strict=True)]
        error = (size * half).mag()
        for k in range(self.top + 1):
            growth = height.scaled(k).exp().mag()
            bound = Fraction(8 * error * growth, ONE * ONE) / rho**NODES / (1 - 1 / rho)
            self.totals[k] = self.totals[k].widened((bound * ONE).__ceil__())

    def _integrand(self, base: Base, g: int) -> Ball:
        value, sin = self.contour.kernel.at(base).c, (base.roots[0] * base.roots[1]).c
        if base.end is not None:  # sin = s sqrt(2 - s^2), d theta = 2 d s/sqrt(2 - s^2), s = sigma^g
            sigma, other = base.roots[base.end].c, base.roots[1 - base.end].c
            power = sigma.power(Fraction(g - 1))
            sin, value = power * sin, value * power.scaled(2 * g) * other.inverse()
        return (value * sin.power(Fraction(self.d - 2))).real()


def _disc(contour: Contour, end: int, height: Fraction) -> tuple[int, Fraction, int]:
    """g, r and M: the kernel is analytic and at most M in |sigma| <= r, t = sigma^2g."""
    if not contour.discs[end]:  # |t| < cosh h - 1 lies inside of the curve
        room = min(slit_length(height)[0] * Fraction(9, 10), Fraction(1, 2))
        return 1, Fraction(isqrt(int(room * 2**20)), 2**10), contour.sizes[height]
    disc = contour.discs[end][0]
    if disc.q % 2 == 0:
        return disc.q // 2, min(disc.r, Fraction(1)), disc.size
    return disc.q, Fraction(isqrt(int(min(disc.r, Fraction(1)) * 2**20)), 2**10), disc.size


def small_eigenvalues(contour: Contour, d: int, top: int) -> list[Ball]:
    """Enclosures of mu_0, ..., mu_top."""
    work, corners = _Sum(contour, d, top), []
    # the least height that leaves room for the ellipses: the kernel is smallest there
    strip_height = min((h for h in contour.sizes if h >= HALF), default=max(contour.sizes))
    for end in (0, 1):
        g, r, bound = _disc(contour, end, strip_height)
        s, edge = number(r**g), number(r / 2)
        near, far = (Ball(2 * ONE) - s * s).sqrt(), (Ball(2 * ONE) + s * s).sqrt()
        size = Ball(bound) * (s * far).power(Fraction(d - 2)) * near.inverse()
        size = size * number(2 * g * r ** (g - 1))
        root = s * number(HALF).sqrt()
        height = (
            (root + (root * root + Ball(ONE)).sqrt()).log().scaled(2)
        )  # |Im theta| <= 2 asinh(|s|/sqrt 2)
        # centre r/4 and semi-axis 2.8 r/4: inside |sigma| <= 0.95 r; 2.8 + sqrt(2.8^2 - 1) > 5.41
        work.piece(Ball(0), edge, end, g, Fraction(541, 100), size, height)
        t = number((r / 2) ** (2 * g))
        near, far = t.sqrt(), (Ball(2 * ONE) - t).sqrt()
        s0, s1 = (near, far) if end == 0 else (far, near)
        corners.append(((s1 + s0.turned()) * number(HALF).sqrt()).log().turned().scaled(-2).real())
    a, stop = corners
    while (stop - a).x > 0:
        # no wider than the ellipses allow: away from both ends, and below Im(theta) = h
        near, far = a.scaled(Fraction(5, 2)), pi_ball - (pi_ball - a).scaled(Fraction(2, 5))
        b = min(near, far, a + number(strip_height * Fraction(3, 2)), stop, key=lambda z: z.x)
        if (stop - b).x < (b - a).x // 8:
            b = stop
        half, middle = (b - a).scaled(HALF), (a + b).scaled(HALF)
        room = min(middle.interval()[0], (pi_ball - middle).interval()[0]) / half.interval()[1]
        axis, minor = min(room, Fraction(5)) * Fraction(99, 100), half
        while True:  # the ellipse must stay below Im(theta) = h
            minor = (number(axis * axis) - Ball(ONE)).sqrt()
            if minor.mag() * half.mag() < int(strip_height * ONE) * ONE:
                break
            axis = 1 + (axis - 1) * Fraction(3, 4)
        height = minor * half
        rho = axis + minor.interval()[0]
        size = Ball(contour.sizes[strip_height]) * height.exp().power(Fraction(d - 2))
        work.piece(a, b, None, 1, rho, size, height)
        a = b
    factor = gamma_log(number(Fraction(d, 2))) - gamma_log(number(Fraction(d - 1, 2)))
    scale = (factor - pi_ball.log().scaled(HALF)).exp()
    return [total * scale for total in work.totals]
