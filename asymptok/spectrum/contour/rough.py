"""Functions with powers or logarithms of the distance to a point p inside: exp(-x^(1/3)), x^x, x = side (u - p).

On its side of p such a function F has a local model (`spectrum.models`) for |x| <= r, |arg x| <= pi, and is analytic in
the part of the ellipse |Im theta| <= H on that side, Re theta <= theta_0 or >= theta_0, with principal branches: x is
real and negative on the other side of p alone. Boxes cover that part but for |x| <= r. The contour of `inside` goes up
from p along Re theta = theta_0 and then along the ellipse; what is left of F without its terms below x^beta, P, is at
most K |x|^beta on the line: for |x| <= r by the model, farther up it is evaluated on short pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from heapq import heappop, heappush
from itertools import pairwise
from math import inf

import sympy
from flint import acb, arb, fmpq
from sympy import Expr, Rational

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.expansion import Term, puiseux
from asymptok.patience import tick
from asymptok.precision import flint_precision
from asymptok.spectrum.contour.branches import InnerPart
from asymptok.spectrum.contour.core import Effort
from asymptok.spectrum.contour.program import program
from asymptok.spectrum.contour.rewriting import rewritten
from asymptok.spectrum.local import Unproved
from asymptok.spectrum.models.rules import local_model
from asymptok.symbols import u

__all__ = ["RoughFunction", "is_rough"]

#: exponents are taken to half of the order, below this one, and a part of one at which neither halves nor thirds lie
_HIGHEST, _PART = 12, Rational(3, 8)
#: |x| <= r of models that are tried, and how much smaller K has to be for the next one
_SMALLER = fmpq(1, 2)
_RADII = tuple(fmpq(1, n) for n in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256))
#: how far above beta models reach: what they leave is less then, and products lose some of it
_REACHES = (fmpq(1), fmpq(4))
#: halvings of a box, and boxes at most
_DEEPEST, _MOST = 9, 6000
#: pieces of a curve: to begin with, and at most, in units of those of the effort
_MORE = 4
#: a curve is cut until its largest value is this near to the values at middles
_NEAR = fmpq(5, 4)


def is_rough(part: InnerPart, here: bool = False) -> bool:
    """Whether a power or logarithm of a linear function that vanishes inside stands in g; `here`: of x itself."""
    x = part.side * (u - part.location)
    return any(node.args[0] == x or not here for node in dag.postorder(part.g) if _branches(node))


def _branches(node: Expr) -> bool:
    power = node.is_Pow and not node.exp.is_Integer
    if not (power or node.func is sympy.log) or not node.args[0].is_polynomial(u):
        return False
    base = node.args[0]
    if sympy.degree(base, u) != 1:
        return False
    root = -base.coeff(u, 0) / base.coeff(u, 1)
    return bool(abs(ball(root, prec=64)) < 1)


class RoughFunction:
    """F = g on one side of a point: its exact terms, and what they leave."""

    def __init__(self, part: InnerPart, order: int) -> None:
        self.location, self.side, self.g = part.location, part.side, part.g
        if part.nu != 0 or part.log_power:
            raise Unproved("a power inside that is apart from its function")
        #: an exponent that no term has
        self.beta = min(order // 2 + 1, _HIGHEST) + _PART
        self.function = program(rewritten(self.g), ends=False).on_box
        # x = 1 - v: models are made at v = 1
        self.at_end = dag.rebuild(self.g, {u: sympy.expand(self.location + self.side * (1 - u))})
        try:
            found = puiseux(self.g, u, self.location, "+" if self.side == 1 else "-", self.beta)
        except AsymptokError as error:
            raise Unproved(str(error)) from error
        self.terms: list[Term] = [t for t in found.terms if t.exponent < self.beta]
        if any(not t.exponent > -1 for t in self.terms):
            raise Unproved("a power inside that is not integrable")
        #: what does not depend on the height, by effort: the model's r and K, the terms as balls
        self._near: tuple[Effort, tuple[fmpq, arb] | None] | None = None
        self._balls: list[tuple[arb, arb, int]] = []

    def left(self, height: fmpq, effort: Effort) -> tuple[arb, arb] | None:
        """K and G at one height; None if F is not shown to be analytic in that ellipse."""
        with flint_precision(effort.bits):
            if self._near is None or self._near[0] != effort:
                self._near = (effort, self._by_model())
                self._balls = [(ball(t.coefficient), ball(t.exponent), t.log_power) for t in self.terms]
            if self._near[1] is None:
                return None
            radius, near = self._near[1]
            if not self._covered(height, arb(radius)):
                return None
            start = self._leaves(arb(radius), height)
            line = arb(0) if start is None else self._largest(self._on_line, start, arb(height), effort)
            low, high = (arb(0), self._angle) if self.side == 1 else (self._angle, arb.pi())
            try:
                curve = self._integral(height, low, high, effort)
            except Unproved:
                return None
        size = arb.max(near, line).upper()
        return (size, (curve / arb.pi()).upper()) if size.is_finite() and curve.is_finite() else None

    # where F is analytic -----------------------------------------------------------------------------------

    @property
    def _angle(self) -> arb:
        """theta_0."""
        return ball(self.location).acos()

    def _by_model(self) -> tuple[fmpq, arb] | None:
        """r and K for |x| <= r, the largest r for which K is not much larger than for the next smaller one."""
        best: tuple[fmpq, arb] | None = None
        for radius in _RADII:
            size = self._model_size(radius)
            if best is not None and (size is None or not size < arb(_SMALLER) * best[1]):
                break
            best = best if size is None else (radius, size)
        return best

    def _model_size(self, radius: fmpq) -> arb | None:
        """sup |F - P|/|x|^beta by a model on that sector: its terms below beta are those of P."""
        beta, best = fmpq(int(self.beta.p), int(self.beta.q)), arb.pos_inf()
        for reach in _REACHES:
            with suppress(Unproved):
                model = local_model(self.at_end, 1, radius, beta + reach)
                best = arb.min(best, model.size_from(beta)) if model.top >= beta else best
        return best if best.is_finite() else None

    def _covered(self, height: fmpq, radius: arb) -> bool:
        """Whether boxes in theta show F to be analytic in its part of the ellipse, |x| <= r left out."""
        place = ball(self.location)
        low, high = (arb(0), self._angle) if self.side == 1 else (self._angle, arb.pi())
        try:
            _cover(
                lambda theta: self.function(theta.cos()),
                (low, high),
                (arb(0), arb(height)),
                lambda theta: bool(abs(theta.cos() - place).upper() < radius),
            )
        except Unproved:
            return False
        return True

    # how large the rest is ---------------------------------------------------------------------------------

    def _leaves(self, radius: arb, height: fmpq) -> arb | None:
        """y from which on the line may be beyond |x| = r: |x| = 2 sinh(y/2) |sin(theta_0 + iy/2)| increases."""
        y = arb(height)
        if abs(self._x(y)) < radius:
            return None
        for _ in range(60):
            if abs(self._x(y)).upper() < radius:
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
        log, value = x.log(), self.function(point)
        for coefficient, exponent, j in self._balls:
            value = value - coefficient * (exponent * log).exp() * log**j
        return abs(value)

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
