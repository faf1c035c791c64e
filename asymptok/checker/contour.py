"""The analytic work, independent of the dimension: where the kernel is analytic, its terms at the ends, and the
bounds of what is left on the two slits and on the curve Im(theta) = h.

If N is analytic in a bounded domain, continuous up to its boundary, and N(boundary) misses a closed ray that goes to
infinity, then N(domain) misses it. So the branches are tested in the sectors at the ends, along the slits theta = iy
and pi + iy, and along the curve; the rectangle (0, pi) x (-h, h) is then free of cuts. An end where every branch is
analytic in t has no slit, and there is nothing to be tested inside of the curve.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from .balls import HALF, ONE, PI_BALL, Ball, P, Retry, number, up
from .exact import Exact, Number
from .exact import bounds as limits
from .kernel import I, Kernel, Local, at_end, in_strip
from .models import Frame, Key, Model, Unsupported

__all__ = ["Bound", "Contour", "Refuted", "on_slit"]

CURVE = 12  # the order of the models there


class Refuted(ValueError):
    """A claim of the certificate could not be confirmed."""


class Bound(NamedTuple):
    """|Im R| <= slit[end] x^beta on the slits and (1/pi) int |R sin| <= curve on Im(theta) = height, where R is the
    kernel without its terms below beta (none of them if beta < 0)."""

    beta: Number
    slit: tuple[Fraction, Fraction]
    curve: Fraction
    height: Fraction


def cover(
    a: Fraction, b: Fraction, pieces: int, halvings: int, test: Callable[[Fraction, Fraction], None]
) -> None:
    """Apply the test to pieces (centre, half-width) that cover [a, b], halving those that fail."""
    half = (b - a) / (2 * pieces)
    stack = [(a + (2 * i + 1) * half, half, halvings) for i in range(pieces)]
    while stack:
        centre, half, left = stack.pop()
        try:
            test(centre, half)
        except Retry:
            if not left:
                raise
            stack += [(centre + sign * half / 2, half / 2, left - 1) for sign in (1, -1)]


def on_slit(e: Number, j: int, log: Ball) -> Ball:
    """Im t^e (log t)^j / x^e on t = x e^(i pi), log = log x."""
    turn = (number(e) * PI_BALL * I).exp() if isinstance(e, Exact) else (PI_BALL.scaled(e % 2) * I).exp()
    for _ in range(j):
        turn = turn * (log + PI_BALL * I)
    return turn.imaginary()


def real_on_slit(key: Key) -> bool:
    return key[1] == 0 and not isinstance(key[0], Exact) and key[0].denominator == 1


class Contour:
    def __init__(self, kernel: Kernel, bounds: list[Bound]) -> None:
        self.kernel, self.bounds = kernel, bounds
        top = max(bound.beta for bound in bounds)
        self.order = (
            8 + (limits(top)[1] * 3 / 2).__ceil__()
        )  # of the models along the slits, where R is small
        for end in (0, 1):  # for the orders of all branches at both ends
            self._end(end, 0, 6)
        self.ends = [self._end(end, top, max(top, 8) + 4) for end in (0, 1)]
        self.slits = sorted(kernel.slits)
        self.inside = max([self.ends[end].size(0) for end in self.slits], default=0)
        self.sizes: dict[Fraction, int] = {}  # height -> a bound of the kernel in that part of the strip
        if self.slits and any(bound.beta < 0 for bound in bounds):
            raise Refuted("a bound without terms for a kernel that is not analytic at the ends")
        for end in self.slits:
            self._slit(end)
        for height in {bound.height for bound in bounds}:
            self._curve(height, [bound for bound in bounds if bound.height == height])

    def _end(self, end: int, top: Number, order: Number) -> Model:
        """The model at an end up to `top` and more, in the largest sector in which its rest is of use."""
        for n in range(2, 24, 2):
            try:
                model = self.kernel.run(at_end(self.kernel, end, Fraction(1, 1 << n), order))
            except Retry:
                continue
            if model.low < 0 or any(e == 0 and j for e, j in model.terms):
                raise Unsupported("a kernel that may be unbounded at an end")
            if model.order < top + 2:
                order += top + 3 - model.order
            elif model.rest * model.frame.radius**8 < model.size(0):
                return model
        raise Refuted(f"no expansion is found at u = {1 - 2 * end}")

    def terms(self, end: int, beta: Number) -> dict[Key, Ball]:
        """The terms below beta that are not real on the slit."""
        if end not in self.slits:
            return {}
        return {key: c for key, c in self.ends[end].terms.items() if key[0] < beta and not real_on_slit(key)}

    # the slits -------------------------------------------------------------------------------------------

    def _slit(self, end: int) -> None:
        """The model of the end near it, then models along theta = iy or pi + iy."""
        x, keys = self.ends[end].frame.radius, [key for key in self.ends[end].terms if not real_on_slit(key)]
        # a kernel that is a finite sum of powers near the end is this sum everywhere: then R is real on the slit
        finite = self.ends[end].rest == 0
        bounds = [b for b in self.bounds if not finite or any(e >= b.beta for e, _ in keys)]
        while True:
            try:
                for bound in bounds:
                    self._near(end, bound, x)
                break
            except Retry as error:
                x /= 2
                if x < Fraction(1, 1 << 16):
                    raise Refuted(f"the slit at u = {1 - 2 * end}: {error}") from None
        low = Fraction(
            isqrt((2 * x / (1 + x) * ONE).__floor__() << P), ONE
        )  # cosh y - 1 <= y^2/2 (1 + y^2/2), y <= 1
        high = max(bound.height for bound in self.bounds)
        origin = PI_BALL if end else Ball(0)
        ratio = Fraction(1, 4)
        while high > low:
            a = max(high * (1 - ratio), low)
            try:
                self._along(end, bounds, origin + number((a + high) / 2) * I, a, high)
                high = a
            except Retry as error:
                ratio /= 2
                if ratio < Fraction(1, 1 << 10):
                    raise Refuted(f"the slit at u = {1 - 2 * end} near y = {float(a):.3g}: {error}") from None

    def _near(self, end: int, bound: Bound, x: Fraction) -> None:
        """|Im R| <= B x^beta up to x, by the terms of the model and its rest."""
        model, beta, b = self.ends[end], bound.beta, int(bound.slit[end] * ONE)
        left = [(e, j, c) for (e, j), c in model.terms.items() if e >= beta and not real_on_slit((e, j))]
        for _ in range(400):
            frame = Frame(x, model.order, False)
            rest = up(model.rest * frame.weight(model.order - beta), ONE)
            if any(j and e == beta for e, j, _ in left) or rest > b:
                raise Retry("a logarithm or the rest is larger than the bound")
            sizes = (
                c.mag() * frame.weight(e - beta, j) * (ONE if j else on_slit(e, 0, Ball(0)).mag())
                for e, j, c in left
            )
            if rest + up(sum(sizes), ONE * ONE) <= b:
                return
            # on [x', x], x' = 31 x/32: |log - log(centre)| <= 1/62
            log = number(x * Fraction(63, 64)).log().widened(ONE // 62)
            total = Ball(0)
            for e, j, c in left:
                total = total + c.real() * on_slit(e, j, log) * (log * number(e - beta)).exp()
            if total.mag() + rest > b:
                raise Retry("the bound does not hold near the end")
            x = x * Fraction(31, 32)
        raise Retry("the bound does not hold near the end")

    def _along(self, end: int, bounds: list[Bound], centre: Ball, a: Fraction, b: Fraction) -> None:
        """The bounds and the branches on theta = iy or pi + iy, a <= y <= b."""
        y, half = (a + b) / 2, (b - a) / 2
        place = in_strip(self.kernel, centre, half, self.order)
        value = self.kernel.run(place)
        for bound in bounds:
            rest = self._rest(place, value, bound).imaginary_along(I)

            def test(v: Fraction, width: Fraction, rest: Model = rest, bound: Bound = bound) -> None:
                if y + v - width >= bound.height:
                    return
                size = rest.at(number(v).widened(_units(width))).mag()
                x = _cosh(y + v - width) - Ball(ONE)
                allowed = number(bound.slit[end]) * x.power(bound.beta)
                if size > allowed.x - allowed.r:
                    raise Retry(f"the bound for beta = {bound.beta} does not hold")

            cover(-half, half, 4, 5, test)
        self.inside = max(self.inside, value.size(0))

    def _rest(self, place: Local, value: Model, bound: Bound) -> Model:
        """R."""
        for end in (0, 1):
            for (e, j), c in self.terms(end, bound.beta).items():
                term = place.side(end, e).times(c)
                for _ in range(j):
                    term = term * place.log_side(end)
                value = value - term
        return value

    # the curve -------------------------------------------------------------------------------------------

    def _curve(self, height: Fraction, bounds: list[Bound]) -> None:
        """The integral of |R sin| as a sum of length times supremum."""
        size, goal = self.inside, min(int(bound.curve * ONE) for bound in bounds)
        rests: list[list[tuple[Model, Fraction]]] = [[] for _ in bounds]

        def test(x: Fraction, half: Fraction) -> None:
            nonlocal size
            place = in_strip(
                self.kernel, PI_BALL.scaled(x) + number(height) * I, half * Fraction(22, 7), CURVE
            )
            value = self.kernel.run(place)
            if up(value.rest * place.frame.weight(CURVE), ONE) << 8 > max(
                value.terms.get((0, 0), Ball(0)).mag(), goal
            ):
                raise Retry("the kernel varies too much")
            size = max(size, value.size(0))
            for bound, found in zip(
                bounds, [self._rest(place, value, bound) for bound in bounds], strict=True
            ):
                rests[bounds.index(bound)].append((found * place.s[0] * place.s[1], half))

        try:
            cover(Fraction(0), Fraction(1), 12, 12, test)
        except Retry as error:
            raise Refuted(f"the curve Im(theta) = {float(height):g}: {error}") from None
        for bound, found in zip(bounds, rests, strict=True):
            pieces = 4
            while sum(_integral(rest, half, pieces) for rest, half in found) > int(bound.curve * ONE):
                pieces *= 4
                if pieces > 1024:
                    raise Refuted(f"the integral over the curve, beta = {bound.beta}, exceeds its bound")
        self.sizes[height] = size


def _integral(f: Model, half: Fraction, pieces: int) -> int:
    """An upper bound of (1/pi) int |f| over |x| <= pi half, as a sum of length times supremum."""
    width = half / pieces
    step = width * Fraction(22, 7)
    points = (PI_BALL.scaled((2 * n + 1 - pieces) * width).widened(_units(step)) for n in range(pieces))
    return up(sum(f.at(z).mag() for z in points) * 2 * _units(width), ONE)


def _units(q: Fraction) -> int:
    return up(q.numerator << P, q.denominator)


def _cosh(y: Fraction) -> Ball:
    return (number(y).exp() + number(-y).exp()).scaled(HALF)
