"""The analytic work, independent of the dimension: where the kernel is analytic, its terms at the ends, and the
bounds of what is left on the two slits and on the curve Im(theta) = h.

If N is analytic in a bounded domain, continuous up to its boundary, and N(boundary) misses a closed ray that goes to
infinity, then N(domain) misses it. So the branches are tested in the sectors at the ends, along the slits theta = iy
and pi + iy, and along the curve; the rectangle (0, pi) x (-h, h) is then free of cuts. An end where every branch is
analytic in t has no slit, and there is nothing to be tested inside of the curve.

Small eigenvalues are mu_k = c_d int kappa P_k (1-u^2)^((d-3)/2) du, c_d = Gamma(d/2)/(sqrt(pi) Gamma((d-1)/2)): models
of the kernel are integrated term by term, next to the ends in t = 1 -+ u, between them in theta.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from .balls import HALF, ONE, PI, Ball, Clock, I, P, Retry, log_gamma, rational, up
from .exact import Coefficient, Form, Number, Unsupported, ball, enclosed, whole
from .kernel import Branches, Local, Program, at_end, in_strip
from .models import End, Key, S, Taylor, power, weight

CURVE = 14  # terms of the models there
Test = Callable[[Fraction, Fraction], None]


class Refuted(ValueError):
    """A claim of the certificate could not be confirmed."""


class Bound(NamedTuple):
    """|Im R| <= slit[end] x^beta on the slits and (1/pi) int |R sin| <= curve on Im(theta) = height, where R is the
    kernel without its terms below beta (none of them if beta < 0)."""

    beta: Number
    slit: tuple[Fraction, Fraction]
    curve: Fraction
    height: Fraction


def cover(a: Fraction, b: Fraction, pieces: int, halvings: int, test: Test, where: str = "") -> None:
    """Apply the test to pieces (centre, half-width) that cover [a, b], halving those that fail."""
    half = (b - a) / (2 * pieces)
    stack = [(a + (2 * i + 1) * half, half, halvings) for i in range(pieces)]
    while stack:
        Clock.tick()
        centre, half, left = stack.pop()
        try:
            test(centre, half)
        except Retry as error:
            if not left:
                raise Refuted(f"{where}: {error}") if where else error from None
            stack += [(centre + sign * half / 2, half / 2, left - 1) for sign in (1, -1)]


def on_slit(e: Number, j: int, log: Ball) -> Ball:
    """Im t^e (log t)^j / x^e on t = x e^(i pi), log = log x."""
    turn = (PI * ball(e if isinstance(e, Form) else e % 2) * I).exp()
    for _ in range(j):
        turn = turn * (log + PI * I)
    return turn.imaginary()


class Contour:
    """All this for kappa(scale v) and -1 <= v <= 1."""

    def __init__(self, nodes: Program, bounds: list[Bound], scale: Number = 1) -> None:
        self.nodes, self.bounds, self.scale, self.branches = nodes, bounds, scale, Branches()
        top = max(bound.beta for bound in bounds)
        # of models along the slits, where R is small
        self.length = 8 + (ball(top).interval()[1] * 3 / 2).__ceil__()
        for end in (0, 1):  # for the orders of all branches at both ends
            self._end(end, 0, 6)
        self.ends = [self._end(end, top, max(top, 8) + 4) for end in (0, 1)]
        self.slits = sorted(self.branches.slits)
        if self.slits and any(bound.beta < 0 for bound in bounds):
            raise Refuted("a bound without terms for a kernel that is not analytic at the ends")
        for end in self.slits:
            self._slit(end)
        for height in {bound.height for bound in bounds}:
            self._curve(height, [bound for bound in bounds if bound.height == height])

    def _end(self, end: int, top: Number, order: Number) -> End:
        """The model at an end up to `top` and more, in the largest sector in which its rest is of use."""
        for n in range(2, 24, 2):
            try:
                model = at_end(self.branches, end, Fraction(1, 1 << n), order, self.scale).run(self.nodes)
            except Retry:
                continue
            if self.scale == 1 and not model.low > -1:
                raise Unsupported("a kernel that may be unbounded at an end like 1/t")
            if model.order < top + 2:
                order += top + 3 - model.order
            elif model.rest * model.radius**8 < model.norm:
                return model
        raise Refuted(f"no expansion is found at u = {1 - 2 * end}")

    def terms(self, end: int, beta: Number) -> dict[Key, Coefficient]:
        """The terms below beta that are not real on the slit, and poles."""
        found = {key: c for key, c in self.ends[end].terms.items() if end in self.slits or key[0] < 0}
        return {(e, j): c for (e, j), c in found.items() if e < beta and (j or e < 0 or not whole(e))}

    def _rest(self, place: Local[Taylor], value: Taylor, bound: Bound) -> Taylor:
        """R."""
        for end in (0, 1):
            for (e, j), c in self.terms(end, bound.beta).items():
                term = place.side(end, e).times(enclosed(c).scaled(-1))
                for _ in range(j):
                    term = term * place.log_side(end)
                value = value + term
        return value

    def _slit(self, end: int) -> None:
        """The model of the end near it, then models along theta = iy or pi + iy."""
        model, x, where = self.ends[end], self.ends[end].radius, f"the slit at u = {1 - 2 * end}"
        # a kernel that is a finite sum of powers near the end is this sum everywhere: then R is real on the slit
        exact = [] if model.rest else [self.terms(end, 10**6)]
        bounds = [bound for bound in self.bounds if self.terms(end, bound.beta) not in exact]
        while True:
            try:
                for bound in bounds:
                    self._near(end, bound, x)
                break
            except Retry as error:
                x /= 2
                if x < Fraction(1, 1 << 16):
                    raise Refuted(f"{where}: {error}") from None
        # from y on, where cosh y - 1 <= y^2/2 (1 + y^2/2) <= x, y <= 1
        low = Fraction(isqrt((2 * x / (1 + x) * ONE).__floor__() << P), ONE)
        high = max(bound.height for bound in self.bounds)
        cover(low, high, 5, 12, lambda y, half: self._along(end, bounds, y, half), where)

    def _near(self, end: int, bound: Bound, x: Fraction) -> None:
        """|Im R| <= B x^beta up to x, by the terms of the model and its rest."""
        model, beta, b = self.ends[end], bound.beta, int(bound.slit[end] * ONE)
        below = self.terms(end, beta)
        left = [(e, j, enclosed(c)) for (e, j), c in self.terms(end, 10**6).items() if (e, j) not in below]
        for _ in range(400):
            rest = up(model.rest * weight(x, model.order - beta))
            if any(e == beta and j > whole(e) for e, j, _ in left) or rest > b:
                raise Retry("a logarithm or the rest is larger than the bound")
            # on (0, x], where Im t^n log t has no logarithm, and on [x', x], x' = 31 x/32: |log - log(centre)| <= 1/62
            log, sizes, total = rational(x * Fraction(63, 64)).log().widened(ONE // 62), 0, Ball(0)
            for e, j, c in left:
                turn, logs = (ONE, j) if j > whole(e) else (on_slit(e, j, Ball(0)).mag(), 0)
                sizes += c.mag() * weight(x, e - beta, logs) * turn
                total = total + c.real() * on_slit(e, j, log) * (log * ball(e - beta)).exp()
            if rest + up(sizes, ONE * ONE) <= b:
                return
            if total.mag() + rest > b:
                raise Retry("the bound does not hold near the end")
            x = x * Fraction(31, 32)
        raise Retry("the bound does not hold near the end")

    def _along(self, end: int, bounds: list[Bound], y: Fraction, half: Fraction) -> None:
        """The bounds and the branches on theta = iy + i half z or pi + iy + i half z, |z| <= 1."""
        origin = PI if end else Ball(0)
        place = in_strip(self.branches, origin + I * rational(y), I * rational(half), self.length, self.scale)
        value = place.run(self.nodes)
        for bound in bounds:
            rest = self._rest(place, value, bound).imaginary()

            def test(v: Fraction, width: Fraction, f: Taylor = rest, bound: Bound = bound) -> None:
                start = y + half * (v - width)
                if start >= bound.height:
                    return
                x = (rational(start).exp() + rational(-start).exp()).scaled(HALF) - Ball(ONE)
                allowed = rational(bound.slit[end]) * (x.log() * ball(bound.beta)).exp()
                if f.at(rational(v).widened((width * ONE).__ceil__())).mag() > allowed.x - allowed.r:
                    raise Retry(f"the bound for beta = {bound.beta} does not hold")

            cover(Fraction(-1), Fraction(1), 4, 5, test)

    def _curve(self, height: Fraction, bounds: list[Bound]) -> None:
        """(1/pi) int |R sin| as a sum of length times supremum."""
        goal = min(int(bound.curve * ONE) for bound in bounds)
        found: list[list[tuple[Taylor, Fraction]]] = [[] for _ in bounds]

        def test(x: Fraction, half: Fraction) -> None:
            centre = PI.scaled(x) + I * rational(height)
            place = in_strip(self.branches, centre, PI.scaled(half), CURVE, self.scale)
            value = place.run(self.nodes)
            if value.rest << 8 > max(value.size, goal):
                raise Retry("the kernel varies too much")
            for bound, pieces in zip(bounds, found, strict=True):
                pieces.append((self._rest(place, value, bound) * place.s[0] * place.s[1], half))

        cover(Fraction(0), Fraction(1), 12, 12, test, f"the curve Im(theta) = {float(height):g}")
        for bound, pieces in zip(bounds, found, strict=True):
            n = 4
            while sum(_integral(f, half, n) for f, half in pieces) > int(bound.curve * ONE):
                n *= 4
                if n > 1024:
                    raise Refuted(f"the integral over the curve, beta = {bound.beta}, exceeds its bound")


def _integral(f: Taylor, half: Fraction, pieces: int) -> int:
    """An upper bound of half int |f| over [-1, 1], as a sum of length times supremum."""
    points = [rational(Fraction(2 * n + 1, pieces) - 1).widened(ONE // pieces + 1) for n in range(pieces)]
    return up(sum(f.at(z).mag() for z in points) * 2 * (half / pieces * ONE).__ceil__())


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
        totals = [total + _end_integral(f, t, 5 * x * x) for total, f in zip(totals, integrands, strict=True)]
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
    gammas = [log_gamma(rational(Fraction(x, 2))) for x in (d, d - 1)]
    scale = (gammas[0] - gammas[1] - PI.log().scaled(HALF)).exp()
    return [total * scale for total in totals]


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


def _end_integral(f: End, t: Ball, above: Fraction) -> Ball:
    """int_0^t, t <= above, where I_j = int t^e (log t)^j = (t^(e+1) (log t)^j - j I_(j-1))/(e+1)."""
    total, log = Ball(0), t.log()
    for (e, j), c in f.terms.items():
        inverse = ball(e + 1).inverse()
        value = inverse
        for i in range(1, j + 1):  # in units of t^(e+1)
            value = (log.power(i) - value.scaled(i)) * inverse
        total = total + enclosed(c).real() * value * (log * ball(e + 1)).exp()
    return total.widened(_rest(f, above))
