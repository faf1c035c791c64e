"""A kernel next to a singular point off [-1, 1], on the sheet that continues it from the interval.

The expression is followed from the interval up to the point z and around it, each logarithm, power and inverse function
by continuity from step to step. Next to z it is a sum of powers and logarithms of z - u times Laurent series (`turns`),
whose coefficients are read off a circle. The numbers are estimates: points, no enclosures, and the circle has finitely
many of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf

import flint
import sympy
from flint import acb, arb, fmpq
from sympy import ComplexRootOf, Expr, floor

from asymptok import dag
from asymptok.balls import ball, complex_ball
from asymptok.errors import AsymptokError
from asymptok.functions import Progression, record_of
from asymptok.functions.arccosine import ArcCosine, arc_cosine_closed
from asymptok.laws.turns import fits, models, parts
from asymptok.precision import flint_precision
from asymptok.regularity.candidates import all_singular_points, singular_points
from asymptok.regularity.equations import solve
from asymptok.regularity.rho import number_ball, rho_ball
from asymptok.symbols import u

__all__ = ["FarPoint", "FarTerm", "far_points"]

#: points on one turn, steps on the way to the point
_CIRCLE, _WAY = 120, 64
#: where the way begins
_START = fmpq(37, 512)
#: the values on a circle three times as large are taken to be at most this multiple of those on the circle
_GROWTH = 2**10
#: the circle has this part of the distance to the next candidate as its radius
_SHARE = fmpq(1, 3)
#: two values are taken as equal, and a coefficient as zero, below this part of the largest value on the circle, or
#: below 2^(_LESS - bits) if that is smaller
_CLOSE, _LESS = 1e-38, 128
#: poles of higher order are taken for essential singularities
_HIGHEST_POLE = 8
#: terms of a progression of singular points that are looked at on either side
_MARGIN = 3
#: turns of at most this angle are followed from one step to the next
_STEP = fmpq(5, 4)
_BITS = 512


class _Lost(Exception):
    """A branch could not be followed."""


@dataclass(frozen=True, slots=True)
class FarTerm:
    """c (z-u)^exponent (log(z-u))^log_power; for z < -1 with |z| + u instead of z - u."""

    coefficient: acb
    exponent: Expr
    log_power: int


@dataclass(frozen=True, slots=True)
class FarPoint:
    """A singular point z with Im z >= 0 off [-1, 1] and the first terms of kappa there, ascending; log rho."""

    location: Expr
    ball: acb
    rate: float
    terms: tuple[FarTerm, ...]
    #: terms with exponents from here on are not known
    reach: float

    @property
    def real(self) -> bool:
        return bool(self.ball.imag.is_zero())


@lru_cache(maxsize=64)
def far_points(expr: Expr, bits: int = 128, farthest: int = 8) -> tuple[tuple[FarPoint, ...], float]:
    """The singular points nearest to [-1, 1], no ends, none inside; and the rate e^(-k rate) of all others.

    >>> (point,), rest = far_points(sympy.sqrt(2 - u))
    >>> point.location, rest, [(str(t.exponent), t.coefficient.contains(1)) for t in point.terms]
    (2, inf, [('1/2', True)])
    """
    with flint_precision(_BITS + bits):
        try:
            candidates, horizon = _candidates(expr)
        except AsymptokError:
            return (), 0.0
        places = [place for place in _places(candidates) if place[2] < horizon]
        found: list[FarPoint] = []
        for z, value, rate in places[:farthest]:
            try:
                others = [w for _, w, _ in places if w is not value] + _mirrored(places, value)
                point = _point(expr, z, value, rate, [*others, acb(1), acb(-1)], bits)
            except (_Lost, AsymptokError):
                return tuple(found), rate
            if point is not None:
                found.append(point)
        return tuple(found), (places[farthest][2] if len(places) > farthest else horizon)


def _candidates(expr: Expr) -> tuple[list[Expr], float]:
    """Points that may be singular, and the rate beyond which others may lie; none and 0 if they are not known."""
    listed, missing = all_singular_points(expr)
    if missing or any(z.free_symbols for z, _ in listed):
        return [], 0.0
    points, horizon = [z for z, _ in listed], inf
    for node in dag.postorder(expr):
        if not isinstance(node, Expr) or not node.args or not node.has(u):
            continue
        found, record = singular_points(node), record_of(node.func)
        values = None if record is None or node.is_Pow else record.singular_values(node)
        runs = [s for s in values or () if isinstance(s, Progression)]
        if record is not None and runs:
            x = record.argument(node)
            middle = number_ball(x.subs(u, 0))
            more = [z for run in runs for s in run.near(middle, _MARGIN) for z in solve(x, s).values]
            points += more
            horizon = min(horizon, _outermost(more))
        elif found is not None and found.periodic:
            horizon = min(horizon, _outermost(found.values))
    return points, horizon


def _outermost(points: Sequence[Expr]) -> float:
    """The smaller rate at the two ends of a run of points on a line: those left out lie beyond."""
    balls = sorted(((number_ball(z), z) for z in points), key=lambda b: _along(b[0], points))
    return (
        min((float(rho_ball(z).log().mid()) for _, z in (balls[0], balls[-1])), default=inf) if balls else inf
    )


def _along(value: acb, points: Sequence[Expr]) -> float:
    reals = [float(number_ball(z).real.mid()) for z in points]
    upright = max(reals) - min(reals) < 1e-9
    return float((value.imag if upright else value.real).mid())


def _places(candidates: Sequence[Expr]) -> list[tuple[Expr, acb, float]]:
    """(z, ball, log rho) of the distinct points with Im z >= 0 off [-1, 1], nearest first."""
    out: list[tuple[Expr, acb, float]] = []
    for z in dict.fromkeys(candidates):
        value = number_ball(z) if z.has(ComplexRootOf) else complex_ball(z, prec=flint.ctx.prec)
        if value.imag < 0 or (value.imag.contains(0) and not (value.real > 1 or value.real < -1)):
            continue  # points inside and the ends have laws of their own
        if value.imag.contains(0):
            value = acb(value.real)
        if not any(value.overlaps(w) for _, w, _ in out):
            out.append((z, value, float(rho_ball(z).log().mid())))
    return sorted(out, key=lambda entry: entry[2])


def _mirrored(places: Sequence[tuple[Expr, acb, float]], value: acb) -> list[acb]:
    conjugates = [w.conjugate() for _, w, _ in places if not w.imag.is_zero()]
    return [w for w in conjugates if not w.overlaps(value)]


def _point(expr: Expr, z: Expr, value: acb, rate: float, others: Sequence[acb], bits: int) -> FarPoint | None:
    """The terms at z; None if kappa turns out to be analytic there."""
    circle = max(_CIRCLE, -(-bits // 24) * 16)  # 3^-circle is below 2^-bits
    close = min(_CLOSE, 2.0 ** (_LESS - bits))
    distance = min((float(abs(value - w).lower()) for w in others), default=1.0)
    radius = arb(fmpq(int(min(distance, 4.0) * 2**20), 2**20) * _SHARE)
    walk = _Walk(expr)
    corner = _corner(value, others)
    away = value - corner
    way = away / abs(away)
    stops = [corner, corner + way * (abs(away) - radius)]
    for a, b in pairwise([acb(arb(_START)), *stops]):
        for j in range(_WAY + 1):
            walk.to(a + (b - a) * fmpq(j, _WAY))
    # a point z < -1 has its terms in |z| + u
    away = -way * radius if value.imag.is_zero() and value.real < 0 else way * radius
    values: list[acb] = []
    for model in models(expr):
        size = sum(logs for _, logs in model)
        while len(values) < size * circle:
            values.append(walk.value)
            j = len(values) % circle
            walk.to(value - way * radius * acb(arb(fmpq(2 * j, circle))).exp_pi_i())
        # the walk stands where the last turn ends, and may have gone farther for another model of the same size
        gap = abs(fits(model, values, circle) - walk.value)
        if float(gap.upper()) <= close * max(_scale(values), 1e-300):
            found = _terms(parts(model, values, circle, away.log()), away, _scale(values), close)
            return _made(z, value, rate, found, circle / 3) if found else None
    raise _Lost


def _corner(value: acb, others: Sequence[acb]) -> acb:
    """Where the way turns towards z: for a real z, which may lie on a cut, it leads through the upper half plane."""
    if not value.imag.is_zero():
        return acb(arb(_START), value.imag / 2)
    low = min([0.5, *(float(w.imag.mid()) for w in others if w.imag > 0)])
    return acb((value.real + arb(_START)) / 2, arb(fmpq(int(low * 2**9) + 1, 2**10)))


def _coefficients(values: Sequence[acb], away: acb, scale: float, close: float) -> list[tuple[int, acb]]:
    """(n, a_n) of sum a_n s^n, s = z - u = away e^(i phi) with phi from 0 on."""
    count = len(values)
    sums = acb.dft(list(values))
    log, out = away.log(), []
    for n in range(-2 * _HIGHEST_POLE, count // 3):
        c = sums[n % count] / count
        # what the rule cannot tell from it: a_(n+count), and a_(count-|n|) for a negative n
        error = max(close * scale, scale * _GROWTH * 3.0 ** (-(count - max(-n, 0))))
        if float(abs(c).mid()) > error:
            if n < -_HIGHEST_POLE:
                raise _Lost
            out.append((n, (c + acb(arb(0, error), arb(0, error))) * (-n * log).exp()))
    return out


def _scale(values: Sequence[acb]) -> float:
    return max(float(abs(v).mid()) for v in values)


def _terms(found: dict[tuple[Expr, int], list[acb]], away: acb, scale: float, close: float) -> list[FarTerm]:
    """What is singular, by the functions beside each power and logarithm."""
    terms: list[FarTerm] = []
    log = away.log()
    for (a, j), g in found.items():
        # g is beside s^a (log s)^j
        size = scale * float(abs((-ball(a) * log).exp()).mid()) / max(1.0, float(abs(log).mid())) ** j
        series = _coefficients(g, away, size, close)
        terms += [FarTerm(c, a + n, j) for n, c in series if j or n < 0 or not a.is_zero]
    return sorted(terms, key=lambda t: (float(t.exponent), -t.log_power))


def _made(z: Expr, value: acb, rate: float, terms: list[FarTerm], reach: float) -> FarPoint:
    """All terms are known if there are but one or two beside each power: a finite sum."""
    exponents: dict[Expr, set[Expr]] = {}
    for t in terms:
        exponents.setdefault(t.exponent - floor(t.exponent), set()).add(t.exponent)
    whole = all(len(e) < 3 and all(x < 4 for x in e) for e in exponents.values())
    return FarPoint(z, value, rate, tuple(terms), inf if whole else reach)


# following the branches ------------------------------------------------------------------------------------


class _Walk:
    """The expression at a point that moves; `value` is where it has come to."""

    def __init__(self, expr: Expr) -> None:
        self.nodes = [n for n in dag.postorder(expr) if isinstance(n, Expr) and n.has(u) and n != u]
        self.constants = {
            n: acb(ball(n)) for n in dag.postorder(expr) if isinstance(n, Expr) and not n.has(u)
        }
        self.expr = expr
        self.last: dict[Expr, acb] = {}
        self.value = acb(arb.nan())

    def to(self, z: acb) -> None:
        values = {**self.constants, u: z.mid()}
        for node in self.nodes:
            if any(a not in values for a in node.args):
                raise _Lost  # conditions, tuples of parameters
            found = self._at(node, [values[a] for a in node.args])
            if not found.is_finite():
                raise _Lost
            values[node] = found.mid()
        self.value = values[self.expr]

    def _at(self, node: Expr, args: list[acb]) -> acb:
        if isinstance(node, sympy.log) and len(args) == 1:
            return self._log(node, args[0])
        if isinstance(node, sympy.Pow) and not node.exp.is_Integer:
            return (args[1] * self._log(node, args[0])).exp() if node.base.has(u) else args[0] ** args[1]
        if isinstance(node, ArcCosine):
            theta = self._angle(node, args[1])
            return arc_cosine_closed(int(node.args[0]), args[1], theta, theta.sin())
        if isinstance(node, sympy.acos | sympy.asin):
            theta = self._angle(node, args[0])
            return theta if isinstance(node, sympy.acos) else arb.pi() / 2 - theta
        if isinstance(node, sympy.atan | sympy.atanh):
            turn = acb(0, 1) if isinstance(node, sympy.atan) else acb(1)
            return self._log(node, (1 + turn * args[0]) / (1 - turn * args[0])) / (2 * turn)
        record = record_of(node.func)
        if record is None or (record.many_sheets and not (node.is_Add or node.is_Mul or node.is_Pow)):
            raise _Lost
        return record.complex(*args)

    def _log(self, node: Expr, x: acb) -> acb:
        value, before = x.log(), self.last.get(node)
        if not value.is_finite():
            raise _Lost  # a point so near that its distance has no digits left
        if before is not None:
            turns = round(float(((before - value).imag / (2 * arb.pi())).mid()))
            value = value + acb(0, 2 * arb.pi() * turns)
            if abs((value - before).imag) > arb(_STEP):
                raise _Lost
        self.last[node] = value
        return value

    def _angle(self, node: Expr, x: acb) -> acb:
        value, before = x.acos(), self.last.get(node)
        if not value.is_finite():
            raise _Lost
        if before is not None:
            choices = []
            for here in (value, -value):
                turns = round(float(((before - here).real / (2 * arb.pi())).mid()))
                choices.append(here + 2 * arb.pi() * turns)
            choices.sort(key=lambda c: float(abs(c - before).mid()))
            near, next_one = (abs(c - before) for c in choices)
            if not 2 * near < next_one:
                raise _Lost
            value = choices[0]
        self.last[node] = value
        return value
