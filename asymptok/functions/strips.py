r"""Activations that are analytic in a strip |Im z| <= c: proved, with B^2 >= sup_y E|phi(X + iy)|^2, X standard normal.

A rectangle around the real axis is covered by boxes on which every function inside is analytic; beyond it the growth
is bounded by structure (`half_strip`). phi is even or odd and real on the real axis, so that a quarter of the strip
is enough.

On the edges |Im z| = tau (`Line`) |phi(x + i tau)| <= size e^(rate |x|) + psi(x), int psi <= excess. Hence
its normalised Hermite coefficients: with h_n = He_n/sqrt(n!) and Cauchy's formula for the generating function of the
He_n,

    a_n = sqrt(n!)/(2 pi i) oint Psi(w) w^(-n-1) dw,   Psi(w) = E[phi(X) e^(Xw - w^2/2)] = int phi(x) p(x-w) dx,

p the normal density; moving the path of x to Im x = +-tau gives |Psi(s+iy)| <= e^((|y|-tau)^2/2) E|phi(X+s+i tau)|. On
|w| = r, x = |cos(arg w)|, (r sin - tau)^2 <= (r-tau)^2 - 2 lam x^2 with lam = r^2/2 - tau r, since 1 - sin <= cos^2.
On the circle the mean of e^(-m cos^2) is at most sqrt(pi/m)/2, and e^(rate r x) <= e^(rate^2 r^2/(2 lam) + lam x^2/2).
Finally r = sqrt(n) + tau/2 and Stirling's formula: for sqrt(n) > 3 tau/2

    |a_n| <= w (2 pi n)^(1/4) e^(1/(24n) + tau^2/4 - tau sqrt(n)) lam^(-1/2),
    lam = (sqrt(n)+tau/2)(sqrt(n)-3tau/2)/2,

with w = sqrt(pi)/2 (size + excess/sqrt(2 pi)) for rate 0, and else sqrt(2) e^(rate^2 r^2/(2 lam)) E e^(rate |X|) beside
size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import sympy
from flint import acb, acb_series, arb, fmpq
from sympy import Expr, Symbol

import asymptok.functions as room
from asymptok import dag
from asymptok.functions.half_strip import constant, growth, in_exponentials
from asymptok.functions.powers import integer_power
from asymptok.precision import flint_length, flint_precision
from asymptok.quantities import whole

__all__ = ["Line", "Plan", "Strip", "analytic_value", "largest", "line_of", "strip_of"]


#: half widths that are tried, the largest first
_WIDTHS = tuple(fmpq(n, 16) for n in (80, 64, *range(48, 24, -4), *range(24, 16, -2), *range(16, 0, -1)))
#: where the half strips begin
_STARTS = (16, 40, 100)
#: columns of the cover per unit, and how often a box is cut in two
_COLUMNS, _CUTS = 2, 9
_BITS = 96


@dataclass(frozen=True, slots=True)
class Strip:
    """phi is analytic for |Im z| <= width, and E|phi(X+iy)|^2 <= norm^2; |phi| <= size e^(rate Re z) from start on."""

    width: arb
    norm: arb
    start: int
    size: arb
    rate: arb
    #: max |phi| for 0 <= |Im z| <= width on columns of width 1/_COLUMNS, from Re z = 0 to start
    columns: tuple[arb, ...]

    def derivative(self, order: int) -> Strip:
        """The same for the derivative of that order, by Cauchy's estimate on discs of half the width."""
        if order == 0:
            return self
        with flint_precision(_BITS):
            radius = self.width / 2
            factor = arb(order + 1).gamma() / radius**order
            reach = whole((radius * _COLUMNS).ceil())
            size = (factor * self.size * (abs(self.rate) * radius).exp()).upper()
            end = self.start + arb(2 * reach) / _COLUMNS + 1
            far = (self.size * (arb.max(self.rate, arb(0)) * end).exp()).upper()
            maxima = [*self.columns, *([arb.max(far, self.columns[-1])] * reach)]
            columns = []
            for j in range(len(self.columns) + reach):
                near = [maxima[abs(i)] for i in range(j - reach, min(j + reach + 1, len(maxima)))]
                most = near[0]
                for other in near[1:]:
                    most = arb.max(most, other)
                columns.append((factor * most).upper())
            start = self.start + (reach + _COLUMNS - 1) // _COLUMNS
            columns += [columns[-1]] * (start * _COLUMNS - len(columns))
            return _assembled(self.width - radius, start, size, self.rate, columns)


def strip_of(expr: Expr, x: Symbol, values: Mapping[Symbol, arb], most: arb | None = None) -> Strip | None:
    """The widest strip of those tried in which phi is proved analytic; None if there is none.

    >>> from sympy.abc import x
    >>> found = strip_of(sympy.tanh(x), x, {})
    >>> found.width < arb.pi() / 2, strip_of(1/x, x, {})
    (True, None)
    """
    with flint_precision(_BITS):
        plan = Plan(expr, x, values)
        for width in _WIDTHS:
            if most is not None and not arb(width) < most:
                continue
            found = _strip(plan, arb(width))
            if found is not None:
                return found
    return None


def _strip(plan: Plan, width: arb) -> Strip | None:
    for start in _STARTS:
        far = growth(plan.expr, plan.x, plan.values, arb(start), width)
        if far is None or not far.size.is_finite():
            continue
        columns = []
        for j in range(start * _COLUMNS):
            low, high = arb(j) / _COLUMNS, arb(j + 1) / _COLUMNS
            most = largest(plan, low, high, arb(0), width, _CUTS)
            if most is None:
                return None
            columns.append(most)
        found = _assembled(width, start, far.size, far.rate, columns)
        return found if found.norm.is_finite() else None
    return None


def _assembled(width: arb, start: int, size: arb, rate: arb, columns: list[arb]) -> Strip:
    """With norm^2 = 2 sum over columns of P(X in the column) max |phi|^2, and what lies beyond them."""
    total, below = arb(0), arb(0)
    for j, most in enumerate(columns):
        above = (arb(j + 1) / _COLUMNS / arb(2).sqrt()).erf() / 2
        total += (above - below) * most**2
        below = above
    # int_R^oo e^(2bx) p(x) dx = e^(2b^2) Q(R - 2b)
    gap = (arb(start) - 2 * rate) / arb(2).sqrt()
    outer = size**2 * (2 * rate**2).exp() * gap.erfc() / 2
    return Strip(width, (2 * (total + outer)).sqrt().upper(), start, size, rate, tuple(columns))


def largest(plan: Plan, a: arb, b: arb, low: arb, high: arb, cuts: int = _CUTS) -> arb | None:
    """max |phi| on [a, b] x [low, high]; None where it is not shown analytic."""
    box = plan.at(acb(a.union(b), low.union(high)))
    if box is not None and (cuts <= _CUTS - 3 or box.rad() < 1 + box.mid().abs_upper()):
        return box.abs_upper()
    if cuts == 0:
        return None
    if b - a > high - low:
        middle = (a + b) / 2
        halves = ((a, middle, low, high), (middle, b, low, high))
    else:
        middle = (low + high) / 2
        halves = ((a, b, low, middle), (a, b, middle, high))
    most = arb(0)
    for half in halves:
        found = largest(plan, *half, cuts - 1)
        if found is None:
            return None
        most = arb.max(most, found)
    return most


class Plan:
    """An expression as a list of steps; constants are computed once for each precision."""

    def __init__(self, expr: Expr, x: Symbol, values: Mapping[Symbol, arb]) -> None:
        self.expr, self.x, self.values = expr, x, values
        self._jets: Plan | None = None
        self._order = [n for n in dag.postorder(expr) if n.has(x)]
        inside = set(self._order)
        self._constants = {
            a: acb(constant(a, values)) for n in self._order for a in n.args if a not in inside
        }

    def at(self, z: acb) -> acb | None:
        done: dict[Expr, acb] = {**self._constants, self.x: z}
        for node in self._order:
            if node == self.x:
                continue
            args = [done[a] for a in node.args]
            if node.is_Add:
                value = sum(args[1:], args[0])
            elif node.is_Mul:
                value = args[0]
                for a in args[1:]:
                    value = value * a
            elif isinstance(node, sympy.exp):
                value = args[0].exp()
            else:
                record = room.record_of(node.func)
                found = None if record is None else record.analytic(*args)
                if found is None:
                    return None
                value = found
            if not value.is_finite():
                return None
            done[node] = value
        return done[self.expr] if self._order else acb(constant(self.expr, self.values))

    def jet(self, z: acb, order: int) -> acb | None:
        """The derivative of that order at a point; None if a function inside has no power series."""
        found = self.taylor(z, order)
        return None if found is None else found[order] * arb(order + 1).gamma()

    def taylor(self, z: acb, order: int) -> list[acb] | None:
        """The Taylor coefficients up to that order at a point; None if a function inside has no power series."""
        if not self._order:
            return [acb(constant(self.expr, self.values)), *([acb(0)] * order)]
        plan = Plan(in_exponentials(self.expr), self.x, self.values) if self._jets is None else self._jets
        self._jets = plan
        with flint_length(order + 1):
            done: dict[Expr, acb_series] = {a: acb_series([c]) for a, c in plan._constants.items()}
            done[self.x] = acb_series([z, 1], prec=order + 1)
            for node in plan._order:
                if node == self.x:
                    continue
                value = _series_step(node, [done[a] for a in node.args])
                if value is None:
                    return None
                done[node] = value
            return [done[plan.expr][j] for j in range(order + 1)]


def _series_step(node: Expr, args: list[acb_series]) -> acb_series | None:
    if node.is_Add:
        return sum(args[1:], args[0])
    if node.is_Mul:
        product = args[0]
        for a in args[1:]:
            product = product * a
        return product
    if isinstance(node, sympy.exp):
        return args[0].exp()
    if node.is_Pow and node.exp.is_Integer:
        return integer_power(args[0], int(node.exp))
    record = room.record_of(node.func)
    return None if record is None or record.series is None else record.series(*args)


def analytic_value(
    expr: Expr, x: Symbol, values: Mapping[Symbol, arb], order: int = 0
) -> Callable[[acb], acb | None]:
    """The derivative of phi of that order as a function of a complex ball; None where it is not shown analytic."""
    plan = Plan(expr, x, values)
    return partial(plan.jet, order=order) if order else plan.at


#: where the half strips begin, columns per unit in the strip and on its edge, and how often a box is cut in two
_LINE_STARTS = (16, 40)

_FINE, _MORE_CUTS = 64, 22
#: sizes that are tried are multiples of the least one by powers of 2
_SIZES = 12


@dataclass(frozen=True, slots=True)
class Line:
    """What is known on the edges |Im z| = tau."""

    tau: fmpq
    size: arb
    rate: arb
    excess: arb

    def squares(self, start: int) -> arb:
        """D with a_n^2 <= D n^(-1/2) e^(-2 tau sqrt(n)) for all n >= start; start > (3 tau/2)^2."""
        tau, root = arb(self.tau), arb(start).sqrt()
        lam = (root + tau / 2) * (root - 3 * tau / 2) / 2
        if not lam > 0:
            return arb.pos_inf()
        r = root + tau / 2
        half = arb.pi().sqrt() / 2
        weight = self.size
        if self.rate > 0:
            # E e^(b|X|) = 2 e^(b^2/2) P(X < b)
            mean = (self.rate**2 / 2).exp() * (1 + (self.rate / arb(2).sqrt()).erf())
            weight = weight * arb(2).sqrt() * (self.rate**2 * r**2 / (2 * lam)).exp() * mean
        w = half * (weight + self.excess / (2 * arb.pi()).sqrt())
        stirling = (2 * arb.pi()).sqrt() * (tau**2 / 2 + arb(1) / (12 * start)).exp()
        # n/lam decreases in n, and so does r^2/lam
        return (w**2 * stirling * start / lam).upper()


def line_of(expr: Expr, x: Symbol, values: Mapping[Symbol, arb], tau: fmpq) -> Line | None:
    """phi is analytic for |Im z| <= tau, and what holds on the edge; None if that is not shown.

    >>> from sympy import tanh
    >>> from sympy.abc import x
    >>> found = line_of(tanh(x), x, {}, fmpq(3, 2))
    >>> found.size < 3, line_of(tanh(x), x, {}, fmpq(8, 5))
    (True, None)
    """
    with flint_precision(_BITS):
        plan, width = Plan(expr, x, values), arb(tau)
        for start in _LINE_STARTS:
            far = growth(expr, x, values, arb(start), width)
            if far is None or not far.size.is_finite():
                continue
            for j in range(start * _COLUMNS):
                if largest(plan, arb(j) / _COLUMNS, arb(j + 1) / _COLUMNS, arb(0), width, _MORE_CUTS) is None:
                    return None
            maxima = []
            for j in range(start * _FINE):
                most = largest(plan, arb(j) / _FINE, arb(j + 1) / _FINE, width, width, _MORE_CUTS)
                if most is None:
                    return None
                maxima.append(most)
            rate = arb.max(far.rate, arb(0)).upper()
            least = (far.size * ((far.rate - rate) * start).exp()).upper()
            return min((_line(tau, least * 2**i, rate, maxima) for i in range(_SIZES)), key=_weight)
    return None


def _line(tau: fmpq, size: arb, rate: arb, maxima: list[arb]) -> Line:
    excess = arb(0)
    for j, most in enumerate(maxima):
        above = most - size * (rate * j / _FINE).exp()
        excess += arb.max(above, arb(0)) * 2 / _FINE
    return Line(tau, size, rate, excess.upper())


def _weight(line: Line) -> float:
    return float((line.size + line.excess / (2 * arb.pi()).sqrt()).mid())
