"""kappa(cos theta) continued along a path of boxes, and proved analytic inside the ellipse.

Everything follows from values on the boundary, by three lemmas.
1. (Argument principle.) A function analytic on the ellipse has as many zeros inside as its argument turns
   around the boundary. If that number equals the order of the zeros that are known at the two ends of the
   interval, there are no others; roots and logarithms of the function are then analytic, and their branch is
   followed by continuity.
2. (Cuts.) If the image of the boundary avoids a connected unbounded cut, so does the image of the inside: the
   number of preimages is constant along the cut and zero far out.
3. (Maximum principle.) The values on the boundary bound the values inside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import sympy
from flint import acb, arb
from sympy import Expr, S

from asymptok import dag
from asymptok.balls import complex_ball
from asymptok.balls.functions import arc_cosine_closed, implementations, integer_power
from asymptok.functions import record_of
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.cuts import REAL_RAYS, Ray, off, off_axis_from_one
from asymptok.functions.orthant import Orthant
from asymptok.spectrum.boxes import Path
from asymptok.spectrum.local import Doubt, Local, Unproved, behaviour
from asymptok.spectrum.orthants import along, mixture
from asymptok.symbols import u

Values = list[Any]


def continued(expr: Expr, path: Path, p: int) -> Values:
    """kappa on every box of the path; Unproved if boxes are too coarse or kappa is not analytic inside."""
    return _Continuation(expr, path, p).run()


class _Continuation:
    def __init__(self, expr: Expr, path: Path, p: int) -> None:
        self.expr, self.path, self.p = expr, path, p
        self.ends = [behaviour(expr, 1), behaviour(expr, -1)]
        self.values: dict[Expr, Values] = {}
        self.sines: Values = []
        self.angles: dict[Expr, list[Angle]] = {}

    def run(self) -> Values:
        for node in dag.postorder(self.expr):
            result = self._node(node)
            if not all(v.is_finite() for v in result):
                raise Unproved(f"{node} is not finite on a box of the ellipse")
            self.values[node] = result
        return self.values[self.expr]

    def _node(self, node: Expr) -> Values:
        if node == u:
            self.sines, cosines = map(list, zip(*map(_sine_cosine, self.path.theta), strict=True))
            return cosines
        if self.constant(node):
            # tuples (the parameters of a hypergeometric function) are read by the rule that owns them
            value = acb(0) if isinstance(node, sympy.Tuple) else complex_ball(node)
            if not value.imag.contains(0):
                raise Unproved(f"{node} is not real")
            return [value] * len(self.path.s)
        return _rule(node)(self, node)

    def constant(self, node: Expr) -> bool:
        return self.ends[0][node].constant

    # -------------------------------------------------------------------------------- the three lemmas

    def zeros_at_ends(self, record: Callable[[dict[Expr, Local]], Local]) -> list[Expr]:
        """Orders in s of the zeros at the two ends, as far as the local rules know them."""
        return [2 * self.p * record(end).order for end in self.ends]

    def turns(self, values: Values) -> tuple[list[tuple[bool, int]], int]:
        """For each box the branch (flip, n), and the number of zeros inside.

        log v = log(v) + 2 pi i n, or log(-v) + i pi + 2 pi i n if `flip`.
        """
        pi = arb.pi()
        branch: list[tuple[bool, int]] = []
        arguments: list[arb] = []
        for i, v in enumerate(values):
            if v.contains(0):
                raise Unproved("a box of the boundary may contain a zero")
            flip = not v.real > 0 and v.imag.contains(0)
            argument = _safe_log(v).imag
            n = 0
            if i:
                before = arguments[self.path.before[i]]
                # the boxes share a point, so some n makes the arguments overlap: one n, if they are narrow
                if not argument.rad() + before.rad() < 3:
                    raise Unproved("boxes are too wide to follow the branch")
                n = round(float(((before - argument) / (2 * pi)).mid()))
                argument = argument + 2 * pi * n
                if not argument.overlaps(before):
                    raise Unproved("boxes are too wide to follow the branch")
            branch.append((flip, n))
            arguments.append(argument)
        # at the two real points the values are real: the upper half of the curve turns by a multiple of pi
        count = ((arguments[self.path.left] - arguments[self.path.right]) / pi).unique_fmpz()
        if count is None:
            raise Unproved("boxes are too wide to count zeros")
        return branch, int(count)

    def branches(
        self, values: Values, orders: list[Expr], *, positive: bool = True
    ) -> list[tuple[bool, int]]:
        """Lemma 1: the branch of log v on each box, once the zeros inside are exactly those at the ends.

        `positive`: v > 0 at the middle, hence on the whole segment, so that roots and logarithms of v are real
        there. Without that the next function would not be symmetric under conjugation.
        """
        if positive and not values[0].real > 0:
            raise Unproved("a root or a logarithm of something negative")
        branch, count = self.turns(values)
        if sum(orders) != count:
            raise Unproved(
                f"{count} zeros inside the ellipse, of which {sum(orders)} known at the ends", Doubt.INSIDE
            )
        return branch

    def root(self, values: Values, orders: list[Expr]) -> Values:
        """sqrt(v), analytic because every zero has even order."""
        if any(order % 2 for order in orders):
            raise Unproved("a square root of a zero of odd order")
        branch = self.branches(values, orders)
        return [
            _signed((-v).sqrt() * acb(0, 1) if flip else v.sqrt(), n)
            for v, (flip, n) in zip(values, branch, strict=True)
        ]

    def logarithm(self, values: Values) -> Values:
        branch = self.branches(values, [S.Zero, S.Zero])
        turn = acb(0, 2 * arb.pi())
        return [_safe_log(v) + turn * n for v, (_, n) in zip(values, branch, strict=True)]

    def angle_of(self, node: Expr) -> list[Angle]:
        """acos(w) and sqrt(1 - w^2) along the path, on each box and at its middle."""
        if node in self.angles:
            return self.angles[node]
        w = self.values[node]
        if node == u:
            result = []
            for z, sine in zip(self.path.theta, self.sines, strict=True):
                middle = z.mid()
                sine_middle, cosine_middle = middle.sin_cos()
                # mean values are taken in theta here: cos maps a box of theta to no box of w
                result.append(Angle(z, -sine * (z - middle), cosine_middle, middle, sine_middle))
        else:
            sines = [a * b for a, b in zip(self._distance(node, 1), self._distance(node, -1), strict=True)]
            result = self._following(w, sines)
        self.angles[node] = result
        return result

    def _distance(self, node: Expr, sign: int) -> Values:
        """sqrt(1 - sign w)."""

        def record(end: dict[Expr, Local]) -> Local:
            inner = end[node]
            if inner.value is None:
                raise Unproved(f"{node} is unbounded")
            return Local(1 - sign * inner.value, inner.rise, inner.grid)

        return self.root([1 - sign * x for x in self.values[node]], self.zeros_at_ends(record))

    def _following(self, w: Values, sines: Values) -> list[Angle]:
        """acos(w) = -i log(w + i sin), by continuity; no zero to count, for (w + i sin)(w - i sin) = 1."""
        i, turn = acb(0, 1), 2 * arb.pi()
        result: list[Angle] = []
        for j, (x, sine) in enumerate(zip(w, sines, strict=True)):
            # the middle of the box, with the square root that lies in the enclosure of sin
            middle = x.mid()
            sine_middle = ((1 - middle) * (1 + middle)).sqrt()
            sine_middle = sine_middle if sine_middle.overlaps(sine) else -sine_middle
            if not sine_middle.overlaps(sine) or (-sine_middle).overlaps(sine):
                raise Unproved("boxes are too wide to follow the branch")
            theta_middle = -i * _safe_log(middle + i * sine_middle)
            # mean value form, acos' = -1/sin: tight, where the logarithm of a wide box is not
            theta = theta_middle - (x - middle) / sine
            if j:
                before = result[self.path.before[j]].theta
                if not theta.real.rad() + before.real.rad() < 3:
                    raise Unproved("boxes are too wide to follow the branch")
                n = round(float(((before.real - theta.real) / turn).mid()))
                theta, theta_middle = theta + n * turn, theta_middle + n * turn
                if not theta.overlaps(before):
                    raise Unproved("boxes are too wide to follow the branch")
            result.append(Angle(theta, x - middle, middle, theta_middle, sine_middle))
        return result


class Angle(NamedTuple):
    """w = cos(theta) on a box and at its middle; `step` encloses w - w_middle."""

    theta: acb
    step: acb
    w_middle: acb
    theta_middle: acb
    sine_middle: acb

    def arc_cosine(self, n: int) -> acb:
        """kappa_n on the box, in mean value form with kappa_n' = n^2/(2n-1) kappa_{n-1}."""
        if n == 0:
            return 1 - self.theta / arb.pi()
        at_middle = arc_cosine_closed(n, self.w_middle, self.theta_middle, self.sine_middle)
        return at_middle + self.arc_cosine(n - 1) * n * n / (2 * n - 1) * self.step


def _sine_cosine(z: acb) -> tuple[acb, acb]:
    """sin and cos of a box in mean value form: near theta = 0 the box of cos shrinks with |sin|."""
    sine, cosine = z.sin_cos()
    middle = z.mid()
    sine_middle, cosine_middle = middle.sin_cos()
    sine = sine_middle + cosine * (z - middle)
    return sine, cosine_middle - sine * (z - middle)


def _safe_log(v: acb) -> acb:
    """Some branch of log that is continuous on the ball."""
    return v.log() if v.real > 0 or not v.imag.contains(0) else (-v).log() + acb(0, arb.pi())


def _signed(value: acb, n: int) -> acb:
    return -value if n % 2 else value


# ------------------------------------------------------------------------------------------- the rules


def _everywhere(walk: _Continuation, node: Expr) -> Values:
    """Sums, products and entire functions: box by box."""
    found = implementations(type(node))
    assert found is not None
    arguments = [walk.values[a] for a in node.args]
    return [found[1](*row) for row in zip(*arguments, strict=True)]


def _power(walk: _Continuation, node: Expr) -> Values:
    base, exponent = node.args
    values = walk.values[base]
    if not walk.constant(exponent):
        # the local rule allowed only a positive constant base here
        return _everywhere_power(walk, node)
    if isinstance(exponent, sympy.Integer):
        n = int(exponent)
        if n < 0:
            walk.branches(values, walk.zeros_at_ends(lambda end: end[base]), positive=False)
        return [integer_power(v, n) for v in values]
    orders = walk.zeros_at_ends(lambda end: end[base])
    if not all((order * exponent).is_integer for order in orders):
        raise Unproved(f"{node}: a fractional power is left at an end")
    if isinstance(exponent, sympy.Rational) and exponent.q == 2:
        if all(order % 2 == 0 for order in orders):
            return [integer_power(r, int(exponent.p)) for r in walk.root(values, orders)]
        raise Unproved(f"{node}: a square root is left at an end")
    branch = walk.branches(values, orders)
    e = complex_ball(exponent)
    turn, half = (acb(0, 2 * arb.pi()) * e), (acb(0, arb.pi()) * e).exp()
    return [
        ((-v).pow(e) * half if flip else v.pow(e)) * (turn * n).exp()
        for v, (flip, n) in zip(values, branch, strict=True)
    ]


def _everywhere_power(walk: _Continuation, node: Expr) -> Values:
    base, exponent = node.args
    log = complex_ball(sympy.log(base))
    return [(log * v).exp() for v in walk.values[exponent]]


def _log(walk: _Continuation, node: Expr) -> Values:
    return walk.logarithm(walk.values[node.args[0]])


def _acos(walk: _Continuation, node: Expr) -> Values:
    return [angle.theta for angle in walk.angle_of(node.args[0])]


def _asin(walk: _Continuation, node: Expr) -> Values:
    return [arb.pi() / 2 - v for v in _acos(walk, node)]


def _arc_cosine_rule(walk: _Continuation, node: Expr) -> Values:
    n, inner = int(node.args[0]), node.args[1]
    return [angle.arc_cosine(n) for angle in walk.angle_of(inner)]


def _orthant(walk: _Continuation, node: Expr) -> Values:
    """Entire in the angle of its correlation, for the thresholds that `mixture` knows; else off both cuts."""
    found = mixture(node)
    if found is None:
        return _principal(walk, node, REAL_RAYS)
    angles = [angle.theta for angle in walk.angle_of(node.args[2])]
    function = implementations(Orthant)
    assert function is not None
    start = function[1](*(walk.values[x][0] for x in node.args))
    a, b = (complex_ball(x) for x in found)
    return along(a, b, angles, walk.path.before, start)


def _quotient(walk: _Continuation, node: Expr) -> Values:
    """tan = sin/cos and the like: meromorphic, so the denominator must have no zero inside."""
    record = record_of(type(node))
    assert record is not None and record.ratio is not None
    above, below = ([f(v) for v in walk.values[node.args[0]]] for f in record.ratio)
    walk.branches(below, [S.Zero, S.Zero], positive=False)
    return [a / b for a, b in zip(above, below, strict=True)]


def _off_rays(walk: _Continuation, node: Expr) -> Values:
    """Lemma 2: principal values, the last argument staying off the rays of the record."""
    record = record_of(type(node))
    rays = None if record is None else record.rays(node)
    if rays is None:
        raise Unproved(f"{node} has no analytic continuation rule")
    return _principal(walk, node, rays)


def _principal(walk: _Continuation, node: Expr, rays: tuple[Ray, ...]) -> Values:
    if not all(walk.constant(a) for a in node.args[:-1]):
        raise Unproved(f"{node}: its parameters depend on u")
    if not all(off(v, rays) for v in walk.values[node.args[-1]]):
        raise Unproved(f"{node} meets its branch cut")
    return _everywhere(walk, node)


def _hyper(walk: _Continuation, node: Expr) -> Values:
    upper, lower, z = node.args
    if not (walk.constant(upper) and walk.constant(lower)):
        raise Unproved(f"{node}: parameters depend on u")
    if len(upper) > len(lower) and not all(off_axis_from_one(v) for v in walk.values[z]):
        raise Unproved(f"{node} meets its branch cut")
    f = implementations(sympy.hyper)
    assert f is not None
    a, b = [complex_ball(x) for x in upper], [complex_ball(x) for x in lower]
    return [f[1](a, b, v) for v in walk.values[z]]


def _gamma(walk: _Continuation, node: Expr) -> Values:
    shift = 1 if isinstance(node, sympy.factorial) else 0
    reciprocal = [(v + shift).rgamma() for v in walk.values[node.args[0]]]
    walk.branches(reciprocal, [S.Zero, S.Zero], positive=False)
    return [1 / r for r in reciprocal]


def _absolute(walk: _Continuation, node: Expr) -> Values:
    """|w| = w or -w: w is real on the segment and has no zero between its ends."""
    sign = _sign(walk, node)
    return [s * v for s, v in zip(sign, walk.values[node.args[0]], strict=True)]


def _sign(walk: _Continuation, node: Expr) -> Values:
    inner = node.args[0]
    values = walk.values[inner]
    walk.branches(values, walk.zeros_at_ends(lambda end: end[inner]), positive=False)
    positive = values[0].real > 0
    return [acb(1 if positive else -1)] * len(values)


_RULES: dict[object, Callable[[_Continuation, Expr], Values]] = {
    **dict.fromkeys((sympy.Add, sympy.Mul), _everywhere),
    sympy.Pow: _power,
    sympy.log: _log,
    sympy.acos: _acos,
    sympy.asin: _asin,
    ArcCosine: _arc_cosine_rule,
    Orthant: _orthant,
    **dict.fromkeys((sympy.gamma, sympy.factorial), _gamma),
    sympy.hyper: _hyper,
    sympy.Abs: _absolute,
    sympy.sign: _sign,
}


def _rule(node: Expr) -> Callable[[_Continuation, Expr], Values]:
    found = _RULES.get(type(node))
    if found is not None:
        return found
    record = record_of(type(node))
    return _off_rays if record is None or record.ratio is None else _quotient
