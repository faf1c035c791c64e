"""Functions of a fractional power inside: exp(-x^(1/3)), x = side (u - p), on one side of a point p of (-1, 1).

Such a function F is analytic in s = x^(1/q) on a disc |s| <= r, with the series sum c_n s^n, and in the part of the
ellipse |Im theta| <= H on its side of p, Re theta <= theta_0 or >= theta_0, where x^(1/q) is the principal root: x is
real and negative on the other side of p alone. Boxes cover the disc, and that part but for |x| <= r^q. The contour of
`inside` goes up from p along Re theta = theta_0 and then along the ellipse; what is left of F without its terms up to
x^M, P, is at most K |x|^beta, beta = M + 1/q, on the line: for |x| <= r^q, K = max |F - P|/r^(q beta) on |s| = r, since
(F - P)/s^(q beta) is analytic in s; farther up it is evaluated on short pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise
from math import inf, lcm

import sympy
from flint import acb, acb_poly, arb, fmpq
from sympy import Dummy, Expr, Rational

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.expansion import Term, puiseux
from asymptok.patience import tick
from asymptok.precision import flint_precision
from asymptok.spectrum.analytic import analytic
from asymptok.spectrum.contour.branches import InnerPart
from asymptok.spectrum.contour.core import Effort
from asymptok.spectrum.local import Unproved
from asymptok.symbols import u

__all__ = ["RoughFunction", "is_rough"]

#: exponents are taken up to this one
_HIGHEST = 5
#: |x| <= r^q of discs that are tried
_DISCS = tuple(fmpq(1, n) for n in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256))
#: halvings of a box, and boxes at most
_DEEPEST, _MOST = 9, 6000
#: pieces of a curve: to begin with, and at most, in units of those of the effort
_MORE = 4
#: a curve is cut until its largest value is this near to the values at middles
_NEAR = fmpq(5, 4)


def is_rough(part: InnerPart, here: bool = False) -> bool:
    """Whether a fractional power of a linear function that vanishes inside stands in g; `here`: of x itself."""
    x = part.side * (u - part.location)
    return any(node.base == x or not here for node in dag.postorder(part.g) if _is_fractional(node))


def _is_fractional(node: Expr) -> bool:
    if not (node.is_Pow and node.exp.is_Rational and not node.exp.is_Integer and node.base.is_polynomial(u)):
        return False
    if sympy.degree(node.base, u) != 1:
        return False
    root = -node.base.coeff(u, 0) / node.base.coeff(u, 1)
    return bool(abs(ball(root, prec=64)) < 1)


class RoughFunction:
    """F = g on one side of a point: its exact terms, and what they leave."""

    def __init__(self, part: InnerPart, order: int) -> None:
        self.location, self.side, self.g = part.location, part.side, part.g
        self.order = min(order, _HIGHEST)
        x = self.side * (u - self.location)
        powers = {
            node
            for node in dag.postorder(self.g)
            if node.is_Pow and node.base == x and not node.exp.is_Integer
        }
        if part.nu != 0 or part.log_power or not all(node.exp.is_Rational for node in powers):
            raise Unproved("a power inside that is not a fraction")
        self.q = lcm(*(int(node.exp.q) for node in powers))
        s = Dummy("s")
        local = {node: s ** (node.exp * self.q) for node in powers} | {
            u: self.location + self.side * s**self.q
        }
        self.function, self.germ = analytic(self.g), analytic(dag.rebuild(self.g, local).xreplace({s: u}))
        try:
            found = puiseux(self.g, u, self.location, "+" if self.side == 1 else "-", self.order)
        except AsymptokError as error:
            raise Unproved(str(error)) from error
        self.terms: list[Term] = list(found.terms)
        #: what does not depend on the height, by effort: r and P, and K on the disc
        self._near: tuple[Effort, arb | None, acb_poly] | None = None
        self._on_disc: tuple[Effort, arb] | None = None
        for t in self.terms:
            steps = t.exponent * self.q
            if t.log_power or not (steps.is_Integer and steps >= 0):
                raise Unproved(
                    f"{self.g} is no power series in the root of order {self.q} at u = {self.location}"
                )

    @property
    def beta(self) -> Expr:
        """The next exponent that may occur."""
        return self.order + Rational(1, self.q)

    def left(self, height: fmpq, effort: Effort) -> tuple[arb, arb] | None:
        """K and G at one height; None if F is not shown to be analytic in that ellipse."""
        with flint_precision(effort.bits):
            if self._near is None or self._near[0] != effort:
                self._near = (effort, self._disc(), self._polynomial())
            radius = self._near[1]
            if radius is None or not self._covered(height, radius):
                return None
            if self._on_disc is None or self._on_disc[0] != effort:
                self._on_disc = (effort, self._largest_on_circle(radius, effort))
            disc = self._on_disc[1]
            start = self._leaves_disc(radius, height)
            line = arb(0) if start is None else self._largest(self._on_line, start, arb(height), effort)
            low, high = (arb(0), self._angle) if self.side == 1 else (self._angle, arb.pi())
            try:
                curve = self._integral(height, low, high, effort)
            except Unproved:
                return None
        size = arb.max(disc, line).upper()
        return (size, (curve / arb.pi()).upper()) if size.is_finite() and curve.is_finite() else None

    # where F is analytic -----------------------------------------------------------------------------------

    @property
    def _angle(self) -> arb:
        """theta_0."""
        return ball(self.location).acos()

    def _disc(self) -> arb | None:
        """r for the largest disc |s| <= r in which F is shown to be analytic."""
        for size in _DISCS:
            r = arb(size).root(self.q)
            try:
                _cover(self.germ, (-r, r), (arb(0), r), partial(_is_outside, radius=r))
            except Unproved:
                continue
            return r
        return None

    def _covered(self, height: fmpq, radius: arb) -> bool:
        """Whether boxes in theta show F to be analytic in its part of the ellipse, |x| <= r^q left out."""
        place, size = ball(self.location), radius**self.q
        low, high = (arb(0), self._angle) if self.side == 1 else (self._angle, arb.pi())
        try:
            _cover(
                lambda theta: self.function(theta.cos()),
                (low, high),
                (arb(0), arb(height)),
                lambda theta: bool(abs(theta.cos() - place).upper() < size),
            )
        except Unproved:
            return False
        return True

    # how large the rest is ---------------------------------------------------------------------------------

    def _polynomial(self) -> acb_poly:
        coefficients = [acb(0)] * (self.q * self.order + 1)
        for t in self.terms:
            coefficients[int(t.exponent * self.q)] += acb(ball(t.coefficient))
        return acb_poly(coefficients)

    def _largest_on_circle(self, radius: arb, effort: Effort) -> arb:
        """max |F - P|/r^(q beta) on |s| = r; real for real s, so on its upper half."""
        power = radius ** (self.q * self.order + 1)

        def value(angle: arb) -> arb:
            s = radius * acb(angle.cos(), angle.sin())
            return abs(self.germ(s) - self._terms_at(s)) / power

        return self._largest(value, arb(0), arb.pi(), effort)

    def _leaves_disc(self, radius: arb, height: fmpq) -> arb | None:
        """y from which on the line may be outside of the disc: |x| = 2 sinh(y/2) |sin(theta_0 + iy/2)| increases."""
        size, y = radius**self.q, arb(height)
        if abs(self._x(y)) < size:
            return None
        for _ in range(60):
            if abs(self._x(y)).upper() < size:
                return y
            y = y * arb(fmpq(7, 8))
        return arb(0)

    def _x(self, y: arb) -> acb:
        """side (u - p) on the line, u - p = -2i sinh(y/2) sin(theta_0 + iy/2)."""
        half = y / 2
        return -2 * self.side * acb(0, half.sinh()) * acb(self._angle, half).sin()

    def _on_line(self, y: arb) -> arb:
        x = self._x(y)
        return self._distance(ball(self.location) + self.side * x, x) / abs(x) ** ball(self.beta)

    def _distance(self, point: acb, x: acb) -> arb:
        """|F - P| at a point off the other side of p."""
        if not (x.real > 0 or x.imag > 0 or x.imag < 0):
            raise Unproved("a box meets the other side of the point")
        return abs(self.function(point) - self._terms_at(x.root(self.q)))

    def _terms_at(self, s: acb) -> acb:
        assert self._near is not None
        value: acb = self._near[2](s)
        return value

    def _largest(self, value: Callable[[arb], arb], low: arb, high: arb, effort: Effort) -> arb:
        """The largest value on a segment: the piece with the largest bound is cut until that is near to the truth."""
        count, most = effort.pieces, _MORE * effort.pieces
        ends = [low + (high - low) * fmpq(i, count) for i in range(count + 1)]
        found: list[tuple[float, int, arb, arb, arb]] = []
        truth = arb(0)
        waiting = list(pairwise(ends))
        for serial in range(most):
            tick()
            if not waiting:
                if not found[0][2] > arb(_NEAR) * truth:
                    break
                _, _, _, a, b = heappop(found)
                middle = ((a + b) / 2).mid()
                waiting = [(a, middle), (middle, b)]
            a, b = waiting.pop()
            truth = arb.max(truth, _or_infinite(value, ((a + b) / 2).mid()).lower())
            bound = _or_infinite(value, a.union(b)).upper()
            heappush(found, (-float(bound.log()) if bound > 0 else inf, serial, bound, a, b))
        if waiting:
            return arb.pos_inf()
        largest = arb(0)
        for entry in found:
            largest = arb.max(largest, entry[2])
        return largest

    def _integral(self, height: fmpq, low: arb, high: arb, effort: Effort) -> arb:
        """int |F - P| |sin theta| on Im theta = H, on the side of p."""
        count, place, total = 2 * effort.pieces, ball(self.location), arb(0)
        for i in range(count):
            a, b = (low + (high - low) * fmpq(j, count) for j in (i, i + 1))
            theta = acb(a.union(b), arb(height))
            point = theta.cos()
            x = self.side * (point - place)
            total = total + (b - a) * self._distance(point, x) * abs(theta.sin())
        return total


def _or_infinite(value: Callable[[arb], arb], piece: arb) -> arb:
    try:
        found = value(piece)
    except Unproved:
        return arb.pos_inf()
    return found if found.is_finite() else arb.pos_inf()


def _is_outside(box: acb, radius: arb) -> bool:
    return bool(abs(box).lower() > radius)


def _cover(
    function: Callable[[acb], acb],
    real: tuple[arb, arb],
    imaginary: tuple[arb, arb],
    skipped: Callable[[acb], bool],
) -> None:
    """Boxes on each of which the function is shown to be analytic cover the rectangle, but for those skipped."""
    waiting = [(*real, *imaginary, 0)]
    asked = 0
    while waiting:
        a, b, c, d, depth = waiting.pop()
        tick()
        asked += 1
        box = acb(a.union(b), c.union(d))
        if skipped(box):
            continue
        try:
            function(box)
        except Unproved:
            if depth >= 2 * _DEEPEST or asked > _MOST:
                raise
            if depth % 2:
                m = ((a + b) / 2).mid()
                waiting += [(a, m, c, d, depth + 1), (m, b, c, d, depth + 1)]
            else:
                m = ((c + d) / 2).mid()
                waiting += [(a, b, c, m, depth + 1), (a, b, m, d, depth + 1)]
