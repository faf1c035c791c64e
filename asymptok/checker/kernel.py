"""A kernel as a straight-line program, u = cos(theta), and the points at which it is evaluated.

With s0 = sqrt(2) sin(theta/2) and s1 = sqrt(2) cos(theta/2), so that 1 - u = s0^2 and 1 + u = s1^2, a power N^q is
s0^(2pq) s1^(2rq) U^q, U = N s0^(-2p) s1^(-2r), p and r the orders of N in t at the ends, and U must miss (-oo, 0];
a denominator must miss one and the same ray. log N is 2p log s0 + 2r log s1 + log U, and
acos N = -2i log((sqrt(1+N) + i sqrt(1-N))/sqrt 2). The formulas hold in the strip 0 < Re theta < pi and at its ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, Protocol, Self, TypeVar

from .balls import HALF, ONE, Ball, Retry, number
from .exact import PI, Exact, Number, surd
from .models import MOST, Frame, Model, Unsupported
from .read import BadInput, integer, items, rational

__all__ = ["Kernel", "Local", "Place", "at_end", "in_strip"]

I = Ball(0, ONE, 0, surd(-1))  # noqa: E741
ROOT_HALF = number(surd(2) * HALF)


class Value(Protocol):
    def __add__(self, other: Self, /) -> Self: ...
    def __mul__(self, other: Self, /) -> Self: ...


V = TypeVar("V", bound=Value)


class Place(Protocol, Generic[V]):
    """Where a program is run: numbers and functions of the values there; `node` names the place in the program."""

    u: V

    def number(self, q: Number) -> V: ...
    def power(self, node: int, value: V, q: Number) -> V: ...
    def log(self, node: int, value: V) -> V: ...
    def exp(self, value: V) -> V: ...
    def roots(self, node: int, value: V) -> tuple[V, V]: ...
    def acos(self, node: int, value: V) -> V: ...
    def kappa_near_one(self, n: int, node: int, value: V) -> V | None: ...
    def exact(self, value: V) -> Number: ...


class Kernel:
    """The operations of the file, checked for form, and the orders of every branch at both ends."""

    def __init__(self, nodes: object) -> None:
        self.nodes = [items(node) for node in items(nodes)]
        if not self.nodes:
            raise BadInput("there is no kernel")
        for i, node in enumerate(self.nodes):
            indices = node[1:2] if node[:1] == ["pow"] else node[2:] if node[:1] == ["kappa"] else node[1:]
            if node[:1] != ["num"] and any(integer(j, 0, i) == i for j in indices):
                raise BadInput(f"node {i} is not built of earlier ones")
            if node[:1] == ["kappa"]:
                integer(node[1:2] and node[1], 0, 12)
        self.orders: dict[int, list[Number | None]] = {}
        self.rays: dict[int, bool] = {}
        self.slits: set[int] = set()  # the ends at which a branch is not analytic in t

    def run(self, place: Place[V]) -> V:
        values: list[V] = []
        for i, node in enumerate(self.nodes):
            values.append(self._value(i, node, values, place))
        return values[-1]

    def _value(self, i: int, node: list[object], values: list[V], place: Place[V]) -> V:
        args = [values[j] for j in node[1:] if isinstance(j, int) and j < i]
        match node:
            case ["u"]:
                return place.u
            case ["num", str(text)]:
                return place.number(rational(text))
            case ["pi"]:
                return place.number(PI)
            case ["add" | "mul" as op, *rest] if rest:
                out = args[0]
                for value in args[1:]:
                    out = out + value if op == "add" else out * value
                return out
            case ["pow", int(), text]:
                q = rational(text)
                if abs(q) > 64 or q.denominator > 64:
                    raise Unsupported("so large an exponent")
                return place.power(8 * i, args[0], q)
            case ["powc", int(), int()]:
                exponent = place.exact(args[1])
                if not -64 <= exponent <= 64:
                    raise Unsupported("so large an exponent")
                return place.power(8 * i, args[0], exponent)
            case ["exp", int()]:
                return place.exp(args[0])
            case ["log", int()]:
                return place.log(8 * i, args[0])
            case ["acos", int()]:
                return place.acos(8 * i, args[0])
            case ["asin", int()]:
                return place.number(PI * HALF) + place.number(-1) * place.acos(8 * i, args[0])
            case ["kappa", int(n), int(j)]:
                near = place.kappa_near_one(n, 8 * i, values[j])
                return _arc_cosine(n, 8 * i, values[j], place) if near is None else near
        raise Unsupported(f"the operation {str(node[:1])[:40]}")


def _arc_cosine(n: int, node: int, x: V, place: Place[V]) -> V:
    """kappa_n = (p_n (pi - acos x) + q_n sqrt(1 - x^2))/(pi (2n-1)!!): by J_n = (-1)^n sin^(2n+1) (1/sin d/dtheta)^n
    ((pi - theta)/sin), p_(m+1) = (1-x^2) p' + (2m+1) x p and q_(m+1) = p + (1-x^2) q' + 2m x q."""
    p, q, scale = [1], [0], 1
    for m in range(n):
        p, q = _step(p, [0], 2 * m + 1), _step(q, p, 2 * m)
        scale *= 2 * m + 1
    angle = place.number(PI) + place.number(-1) * place.acos(node, x)
    total = angle * _horner(p, x, place)
    if any(q):
        below, above = place.roots(node, x)
        total = total + below * above * _horner(q, x, place)
    return total * place.number(surd(1, -1) * Fraction(1, scale))


def _step(f: list[int], g: list[int], c: int) -> list[int]:
    """(1 - x^2) f' + c x f + g."""
    out = [0] * (max(len(f), len(g)) + 1)
    for n, a in enumerate(f):
        out[n + 1] += (c - n) * a
        if n:
            out[n - 1] += n * a
    for n, a in enumerate(g):
        out[n] += a
    return out


def _horner(f: Sequence[Fraction | int], x: V, place: Place[V]) -> V:
    out = place.number(f[-1])
    for a in reversed(f[:-1]):
        out = out * x + place.number(a)
    return out


class Local:
    """A sector at an end, or a disc in the strip, with models of u, s0 and s1."""

    def __init__(
        self, kernel: Kernel, frame: Frame, u: Model, s: tuple[Model, Model], end: int | None
    ) -> None:
        self.kernel, self.frame, self.u, self.s, self.end = kernel, frame, u, s, end
        self.sides: dict[tuple[int, Number], Model] = {}
        self.known: dict[
            int, tuple[Model, tuple[Model, Model], Model]
        ] = {}  # by the identity of the argument

    def number(self, q: Number) -> Model:
        return Model(self.frame, {(0, 0): number(q)})

    def exact(self, value: Model) -> Number:
        found = value.terms.get((0, 0), number(0)).exact
        if len(value.terms) > 1 or value.rest or found is None:
            raise Unsupported("an exponent that is not an exact number")
        return found

    def exp(self, value: Model) -> Model:
        return value.exp()

    def _angle(self, node: int, value: Model) -> tuple[Model, tuple[Model, Model], Model]:
        if id(value) not in self.known:
            one = self.number(1)
            roots = self.power(node + 1, one - value, HALF), self.power(node + 2, one + value, HALF)
            inside = (roots[1] + roots[0].times(I)).times(ROOT_HALF)
            self.known[id(value)] = value, roots, self.log(node + 3, inside).times(I.scaled(-2))
        return self.known[id(value)]

    def roots(self, node: int, value: Model) -> tuple[Model, Model]:
        """sqrt(1 - N) and sqrt(1 + N)."""
        return self._angle(node, value)[1]

    def acos(self, node: int, value: Model) -> Model:
        return self._angle(node, value)[2]

    def side(self, which: int, e: Number) -> Model:
        """s0^2e or s1^2e."""
        if (which, e) not in self.sides:
            lower = e > 1 and self.side(which, e - 1) * self.side(which, 1)
            self.sides[which, e] = lower or self.s[which].power(e * 2)
        return self.sides[which, e]

    def log_side(self, which: int) -> Model:
        """log s0^2 or log s1^2."""
        return self.s[which].log().times(number(2))

    def _unit(self, node: int, value: Model, q: Number) -> tuple[Model, list[tuple[int, Number]]]:
        """U, and the orders p and r that are not 0. They are found at the ends, exactly, and the same everywhere."""
        orders = self.kernel.orders.setdefault(node, [None, None])
        if self.end is not None:
            p = min((e for e, _ in value.terms), default=value.order)
            if orders[self.end] not in (None, p):
                raise Retry("an order at an end is not settled")
            orders[self.end] = p
            if any(isinstance(e, Exact) or e.denominator != 1 for e in (p, p * q)):
                self.kernel.slits.add(self.end)
        elif None in orders:
            raise Unsupported("a branch that was not met at an end")
        found = [(which, p) for which, p in enumerate(orders) if p]
        for which, p in found:
            value = value * self.side(which, -p)
        return value, found

    def power(self, node: int, value: Model, q: Number) -> Model:
        whole = not isinstance(q, Exact) and q.denominator == 1
        if whole and q >= 0:
            return value.power(q)
        unit, orders = self._unit(node, value, q)
        if whole and node not in self.kernel.rays:
            self.kernel.rays[node] = unit.terms.get((0, 0), number(0)).x < 0
        out = unit.power(q, whole and self.kernel.rays[node])
        for which, p in orders:
            out = out * self.side(which, p * q)
        return out

    def log(self, node: int, value: Model) -> Model:
        unit, orders = self._unit(node, value, 1)
        out = unit.log()
        for which, p in orders:
            out = out + self.log_side(which).times(number(p))
            if which == self.end:
                self.kernel.slits.add(which)
        return out

    def kappa_near_one(self, n: int, node: int, value: Model) -> Model | None:
        """kappa_n(1 - y) for y = 1 - N that vanishes at the end, where angle and root would cancel each other.

        kappa_0(1 - y) = 1 - (sqrt(2y)/pi) sum_m (1/2)_m/(m! (2m+1)) (y/2)^m, |y| < 2, kappa_n(1) = 1 and
        kappa_n' = n^2/(2n-1) kappa_(n-1), integrated term by term. There 1 + N = 2 - y and exp(i acos(N)/2) =
        exp(i asin sqrt(y/2)) miss (-oo, 0]; the former is tested if N = -1 at the other end.
        """
        if self.end is None or value.terms.get((0, 0), number(0)).exact != 1:
            return None
        y = self.number(1) - value
        singular, regular = [Fraction(-1)], [Fraction(1)]
        for m in range(MOST + 1):
            singular.append(singular[-1] * Fraction((2 * m + 1) ** 2, 4 * (m + 1) * (2 * m + 3)))
        for k in range(1, n + 1):
            c = Fraction(-k * k, 2 * k - 1)
            singular = [c * b / (m + k + HALF) for m, b in enumerate(singular)]
            regular = [Fraction(1), *(c * a / (m + 1) for m, a in enumerate(regular))]
        self._unit(node + 3, self.number(1), 1)
        above, orders = self._unit(node + 2, self.number(2) - y, HALF)
        if orders:
            above.power(HALF)
        series = y.compose(lambda m: singular[m], lambda m: HALF)
        branch = self.power(node + 1, y, n + HALF).times(number(surd(2, -1)))
        return series * branch + _horner(regular, y, self)


def at_end(kernel: Kernel, end: int, radius: Fraction, order: Number) -> Local:
    """The sector |t| <= radius, |arg t| <= pi, at u = +1 (end 0) or -1 (end 1)."""
    frame, sign = Frame(radius, order, False), 1 - 2 * end
    u = Model(frame, {(0, 0): number(sign), (1, 0): number(-sign)})
    near = Model(frame, {(HALF, 0): number(1)})
    far = Model(frame, {(0, 0): number(2), (1, 0): number(-1)}).power(HALF)
    return Local(kernel, frame, u, (far, near) if end else (near, far), end)


def in_strip(kernel: Kernel, centre: Ball, radius: Fraction, order: int) -> Local:
    """The disc |theta - centre| <= radius, or the point if the radius is 0."""
    frame = Frame(radius, order, True)
    theta = Model(frame, {(0, 0): centre, (1, 0): number(1)} if radius else {(0, 0): centre})
    w, inverse = (theta.times(I.scaled(q)).exp() for q in (HALF, -HALF))
    s = (inverse - w).times(I * ROOT_HALF), (w + inverse).times(ROOT_HALF)
    return Local(kernel, frame, Model(frame, {(0, 0): number(1)}) - s[0] * s[0], s, None)
