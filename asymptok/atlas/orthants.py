"""Orthant(a + b r, b + a r, r) is an entire function of the angle acos(r): exponentials that end at a kink in 0.

With r = cos(alpha) the two conditional thresholds are (k - r h)/sin = b sin(alpha) and (h - r k)/sin = a sin(alpha),
h^2 - 2 r h k + k^2 = sin^2 (a^2 + b^2 + 2 a b r), and the three partial derivatives add up to

    d/dalpha = sin(alpha) (b phi(h) Q(b sin(alpha)) + a phi(k) Q(a sin(alpha))) - exp(-(a^2 + b^2)/2 - a b r)/(2 pi),

phi and Q the normal density and tail. All other thresholds leave exp(-c/sin^2) behind at an end.
"""

from __future__ import annotations

import flint
import sympy
from flint import acb, arb
from sympy import Dummy, Expr

from asymptok.balls import ball
from asymptok.symbols import u

#: points that are kept
_KEPT = 64


def mixture(node: Expr) -> tuple[Expr, Expr] | None:
    """(a, b) if `node` is Orthant(a + b r, b + a r, r).

    >>> from asymptok.functions.orthant import Orthant
    >>> mixture(Orthant(1, u, u)), mixture(Orthant(u + 1, u + 1, u)), mixture(Orthant(1, 1, u))
    ((1, 0), (1, 1), None)
    """
    h, k, r = node.args
    x = Dummy("x", real=True)
    back = {-r: -x} if r.could_extract_minus_sign() else {r: x}
    h, k = (sympy.expand(a.xreplace(back)) for a in (h, k))
    a, b = h.coeff(x, 0), h.coeff(x, 1)
    if a.has(u) or b.has(u) or sympy.expand(h - a - b * x) != 0 or sympy.expand(k - b - a * x) != 0:
        return None
    return a, b


class AtAngle:
    """Orthant(a + b r, b + a r, r), r = cos(theta), at a complex point, or on a box in mean value form.

    It is Q(a + b) at theta = 0, and entire: its derivative is integrated along a segment from the nearest of the points
    that were asked for before.

    >>> from asymptok.functions.orthant_record import orthant_real
    >>> value = AtAngle(sympy.S.One, sympy.S.Zero)(acb(arb.pi() / 3))  # Orthant(1, 1/2, 1/2)
    >>> value.real.overlaps(orthant_real(arb(1), arb(1) / 2, arb(1) / 2))
    True
    """

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a, self.b = a, b
        self.known: dict[int, list[tuple[acb, acb]]] = {}

    def __call__(self, theta: acb) -> acb:
        a, b = acb(ball(self.a)), acb(ball(self.b))
        known = self.known.setdefault(flint.ctx.prec, [(acb(0), _tail(a + b))])
        middle, small = acb(theta.mid()), arb((1, -flint.ctx.prec))
        start, value = min(known, key=lambda point: float(abs(middle - point[0]).mid()))
        if not (middle - start).is_zero():
            value = value + acb.integral(
                lambda z, _: _slope(a, b, z), start, middle, abs_tol=small, rel_tol=small
            )
            if value.is_finite():
                known.append((middle, value))
                del known[1:-_KEPT]
        return value if theta.is_exact() else value + _slope(a, b, theta) * (theta - middle)


def _slope(a: acb, b: acb, alpha: acb) -> acb:
    sine, cosine = alpha.sin_cos()
    first = b * _density(a + b * cosine) * _tail(b * sine)
    second = first if (a - b).is_zero() else a * _density(b + a * cosine) * _tail(a * sine)
    return sine * (first + second) - (-(a * a + b * b) / 2 - a * b * cosine).exp() / (2 * arb.pi())


def _density(x: acb) -> acb:
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


def _tail(x: acb) -> acb:
    return (x / arb(2).sqrt()).erfc() / 2
