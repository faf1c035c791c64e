r"""How a function grows on the half strip Re z >= R, |Im z| <= c: upper and lower bounds, the argument, a box.

|f(z)| <= A e^(b Re z), |f(z)| >= alpha e^(beta Re z), arg f(z) in a ball, f(z) in a box: what is known of the parts of
an expression gives what is known of the whole, and that the whole is analytic there. Nothing is known by default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce

import sympy
from flint import acb, arb
from sympy import Expr, Poly, Symbol

import asymptok.functions as room
from asymptok import dag
from asymptok.functions.constants import CONSTANTS

__all__ = ["Growth", "constant", "growth", "in_exponentials"]

_HYPERBOLIC = (sympy.tanh, sympy.coth, sympy.sech, sympy.csch, sympy.sinh, sympy.cosh)
#: a power of Re z is at most this exponential of it, from Re z + c >= 8 on
_SLOW = arb("0.125")
_LEAST = 8


@dataclass(frozen=True, slots=True)
class Growth:
    """|f| <= size e^(rate x), |f| >= least e^(least_rate x) > 0, arg f in `angle`, f in `box`; None: not known."""

    size: arb
    rate: arb
    least: arb | None = None
    least_rate: arb | None = None
    angle: arb | None = None
    box: acb | None = None


class _Unknown(Exception):
    """A part of which nothing is known."""


def in_exponentials(expr: Expr) -> Expr:
    """The expression with hyperbolic functions written as exponentials."""
    found = {n: n.rewrite(sympy.exp) for n in expr.atoms(*_HYPERBOLIC)}
    found |= {n: n.rewrite(sympy.log) for n in expr.atoms(sympy.asinh)}
    return dag.rebuild(expr, found) if found else expr


def growth(expr: Expr, x: Symbol, values: Mapping[Symbol, arb], start: arb, width: arb) -> Growth | None:
    """What holds for all z with Re z >= start and |Im z| <= width; None if f is not shown analytic and bounded so.

    >>> from sympy.abc import x
    >>> found = growth(sympy.log(1 + sympy.exp(x)), x, {}, arb(16), arb(3))
    >>> found.rate < 1, growth(1/(sympy.exp(x) - sympy.exp(20)), x, {}, arb(16), arb(1))
    (True, None)
    """
    if not start >= _LEAST:
        return None
    try:
        return _HalfStrip(x, dict(values), start, width).of(in_exponentials(expr))
    except _Unknown:
        return None


def constant(expr: Expr, values: Mapping[Symbol, arb]) -> arb:
    """A constant in balls; nan where it is not real."""
    done: dict[Expr, arb] = {}
    for node in dag.postorder(expr):
        if isinstance(node, Symbol) and node in values:
            done[node] = values[node]
        elif node in CONSTANTS:
            found = CONSTANTS[node]()
            done[node] = found if isinstance(found, arb) else arb.nan()
        elif isinstance(node, sympy.Rational):
            done[node] = arb(int(node.p)) / int(node.q)
        else:
            record = room.record_of(node.func)
            if record is None or not node.args:
                return arb.nan()
            done[node] = record.real(*(done[a] for a in node.args))
    return done[expr]


class _HalfStrip:
    def __init__(self, x: Symbol, values: dict[Symbol, arb], start: arb, width: arb) -> None:
        self.x, self.values, self.start, self.width = x, values, start, width

    def of(self, expr: Expr) -> Growth:
        done: dict[Expr, Growth] = {}
        for node in dag.postorder(expr):
            if node.has(self.x):
                done[node] = self._node(node, done)
        return done[expr] if expr in done else self._constant(expr)

    def _node(self, node: Expr, done: dict[Expr, Growth]) -> Growth:
        if node.is_polynomial(self.x):
            return self._polynomial(node)
        parts = [done[a] if a in done else self._constant(a) for a in node.args]
        if node.is_Add:
            return self._sum(parts)
        if node.is_Mul:
            found = parts[0]
            for part in parts[1:]:
                found = self._product(found, part)
            return found
        if isinstance(node, sympy.exp):
            return self._exponential(node.args[0], parts[0])
        if node.is_Pow and not node.exp.has(self.x):
            return self._power(parts[0], self._real(node.exp), node.exp.is_Integer)
        if isinstance(node, sympy.log):
            return self._logarithm(parts[0])
        if isinstance(node, sympy.sin | sympy.cos | sympy.erf | sympy.erfc | sympy.atan):
            bounded = self._special(node, parts[0])
            if bounded is not None:
                return bounded
        record = room.record_of(node.func)
        if record is None or any(part.box is None for part in parts):
            raise _Unknown
        return self._boxed(record.analytic(*(part.box for part in parts)))

    # leaves ----------------------------------------------------------------------------------------------

    def _real(self, expr: Expr) -> arb:
        value = constant(expr, self.values)
        if not value.is_finite():
            raise _Unknown
        return value

    def _constant(self, expr: Expr) -> Growth:
        return self._boxed(acb(self._real(expr)))

    def _boxed(self, box: acb | None) -> Growth:
        if box is None or not box.is_finite():
            raise _Unknown
        zero = arb(0)
        low = box.abs_lower()
        if not low > 0:
            return Growth(box.abs_upper(), zero, box=box)
        straddles = box.imag.contains(0) and not box.real > 0
        angle = acb(-box).arg() + arb.pi() if straddles and box.real < 0 else box.arg()
        return Growth(
            box.abs_upper(), zero, low, zero, None if straddles and not box.real < 0 else angle, box
        )

    def _disc(self, size: arb, rate: arb) -> acb | None:
        """The values of a function that does not grow."""
        if not rate <= 0:
            return None
        radius = (size * (rate * self.start).exp()).upper()
        return acb(arb(0, radius), arb(0, radius))

    def _coefficients(self, expr: object, degree: int | None = None) -> list[arb]:
        poly = Poly(expr, self.x)
        if degree is not None and poly.degree() > degree:
            raise _Unknown
        return [self._real(c) for c in poly.all_coeffs()]

    def _polynomial(self, expr: Expr) -> Growth:
        """a z^m (1 + e), |e| <= sum |a_j/a_m| R^(j-m)."""
        lead, *others = self._coefficients(expr)
        m, a = len(others), abs(lead)
        if not a > 0:
            raise _Unknown
        rest = sum((abs(c) / a / self.start ** (j + 1) for j, c in enumerate(others)), arb(0)).upper()
        if not rest < 1:
            raise _Unknown
        tilt = m * (self.width / self.start).atan() + rest.asin()
        base = 0 if lead > 0 else arb.pi()
        x0 = self.start + self.width
        return Growth(
            (a * (1 + rest) * (x0 * (-_SLOW * self.start).exp()) ** m).upper(),
            m * _SLOW,
            (a * (1 - rest) * self.start**m).lower(),
            arb(0),
            base + arb(0, tilt.upper()),
        )

    # rules -----------------------------------------------------------------------------------------------

    def _sum(self, parts: list[Growth]) -> Growth:
        rate = parts[0].rate
        for p in parts[1:]:
            rate = arb.max(rate, p.rate)
        rate = rate.upper()
        size = sum((p.size * ((p.rate - rate) * self.start).exp() for p in parts), arb(0)).upper()
        boxes = [p.box for p in parts if p.box is not None]
        box = sum(boxes, acb(0)) if len(boxes) == len(parts) else self._disc(size, rate)
        for i, p in enumerate(parts):
            if p.least is None or p.least_rate is None:
                continue
            floor = p.least_rate
            others = [q for j, q in enumerate(parts) if j != i]
            if not all(q.rate <= floor for q in others):
                continue
            share = sum((q.size * ((q.rate - floor) * self.start).exp() for q in others), arb(0)) / p.least
            share = share.upper()
            if share < 1:
                angle = None if p.angle is None else p.angle + arb(0, share.asin().upper())
                return Growth(size, rate, (p.least * (1 - share)).lower(), floor, angle, box)
        floors = [(p.least, p.least_rate) for p in parts if p.least is not None and p.least_rate is not None]
        turns = [abs(p.angle) for p in parts if p.angle is not None]
        if len(floors) == len(turns) == len(parts):
            # in one sector around the positive axis nothing cancels
            turn = reduce(arb.max, turns)
            if turn < arb.pi() / 2:
                least, floor = max(floors, key=lambda pair: float(pair[1].mid()))
                return Growth(size, rate, (least * turn.cos()).lower(), floor, arb(0, turn.upper()), box)
        if box is not None:
            found = self._boxed(box)
            return Growth(size, rate, found.least, found.least_rate, found.angle, box)
        return Growth(size, rate)

    def _product(self, f: Growth, g: Growth) -> Growth:
        size, rate = (f.size * g.size).upper(), (f.rate + g.rate).upper()
        box = f.box * g.box if f.box is not None and g.box is not None else self._disc(size, rate)
        if f.least is None or g.least is None or f.least_rate is None or g.least_rate is None:
            return Growth(size, rate, box=box)
        angle = None if f.angle is None or g.angle is None else f.angle + g.angle
        return Growth(
            size, rate, (f.least * g.least).lower(), (f.least_rate + g.least_rate).lower(), angle, box
        )

    def _power(self, f: Growth, p: arb, whole: bool) -> Growth:
        if not whole and (f.angle is None or not abs(f.angle) < arb.pi()):
            raise _Unknown
        upper = (f.size, f.rate)
        lower = None if f.least is None or f.least_rate is None else (f.least, f.least_rate)
        top, bottom = (upper, lower) if p > 0 else (lower, upper)
        if top is None or not (p > 0 or p < 0):
            raise _Unknown
        size, rate = (top[0] ** p).upper(), (top[1] * p).upper()
        angle = None if f.angle is None else f.angle * p
        box = self._disc(size, rate)
        if f.box is not None:
            found = room.record_of(sympy.Pow)
            direct = None if found is None else found.analytic(f.box, acb(p))
            box = box if direct is None else direct
        if bottom is None or not bottom[0] > 0:
            return Growth(size, rate, box=box)
        return Growth(size, rate, (bottom[0] ** p).lower(), (bottom[1] * p).lower(), angle, box)

    def _exponential(self, exponent: Expr, f: Growth) -> Growth:
        if f.box is not None:
            return self._boxed(f.box.exp())
        if not exponent.is_polynomial(self.x):
            raise _Unknown
        c = [arb(0), arb(0), *self._coefficients(exponent, 2)][-3:]
        square, slope, offset = c
        if square.is_zero():
            scale = offset.exp()
            angle = slope * arb(0, self.width.upper())
            size, rate = scale.upper(), slope.upper()
            return Growth(size, rate, scale.lower(), slope.lower(), angle, self._disc(size, rate))
        if not square < 0:
            raise _Unknown
        vertex = arb.max(self.start, -slope / (2 * square))
        size = (offset - square * self.width**2 + square * vertex**2 + slope * vertex).exp().upper()
        return Growth(size, arb(0), box=self._disc(size, arb(0)))

    def _logarithm(self, f: Growth) -> Growth:
        if f.angle is None or f.least is None or f.least_rate is None or not abs(f.angle) < arb.pi():
            raise _Unknown
        if f.box is not None:
            record = room.record_of(sympy.log)
            direct = None if record is None else record.analytic(f.box)
            if direct is not None:
                return self._boxed(direct)
        turn = abs(f.angle).upper()
        # |log|f|| <= |log size| + |log least| + (|rate| + |least_rate|) x, and x <= start e^((x - start)/8)
        slope = abs(f.rate) + abs(f.least_rate)
        flat = abs(f.size.log()) + abs(f.least.log()) + turn
        size = (flat + slope * self.start) * (-_SLOW * self.start).exp()
        low = f.least.log() + f.least_rate * self.start
        if f.least_rate >= 0 and low > turn:
            return Growth(size.upper(), _SLOW, low.lower(), arb(0), arb(0, (turn / low).asin().upper()))
        return Growth(size.upper(), _SLOW)

    def _special(self, node: Expr, f: Growth) -> Growth | None:
        """Functions that stay bounded although their argument does not."""
        argument = node.args[0]
        if isinstance(node, sympy.atan):
            if f.least is None or f.least_rate is None or f.angle is None or not abs(f.angle) < arb.pi() / 2:
                return None
            low = (f.least * (f.least_rate * self.start).exp()).lower()
            if not f.least_rate >= 0 or not low > 1:
                return None
            inverse = (1 / low).upper()
            return self._boxed(arb.pi() / 2 - acb(arb(0, inverse), arb(0, inverse)).atan())
        if f.box is not None or not argument.is_polynomial(self.x):
            return None
        slope, offset = [arb(0), *self._coefficients(argument, 1)][-2:]
        height = (abs(slope) * self.width).upper()
        if isinstance(node, sympy.sin | sympy.cos):
            bound = height.cosh().upper()
            return self._boxed(acb(arb(0, bound), arb(0, bound)))
        # erfc(x + iy) is at most exp(y^2) erfc(x) in modulus, for x >= 0
        near = abs(slope) * self.start + (offset if slope > 0 else -offset)
        if not near > 0 or not (slope > 0 or slope < 0):
            return None
        radius = ((height * height).exp() * near.erfc()).upper()
        tail = acb(arb(0, radius), arb(0, radius))
        value = 1 - tail if slope > 0 else tail - 1  # erf
        return self._boxed(value if isinstance(node, sympy.erf) else 1 - value)
