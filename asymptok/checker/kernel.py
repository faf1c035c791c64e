"""A kernel as a straight-line program, and its analytic continuation to the strip 0 < Re theta < pi, u = cos(theta).

With s0 = sqrt(2) sin(theta/2) and s1 = sqrt(2) cos(theta/2), so that 1 - u = s0^2 and 1 + u = s1^2, a power N^q is
s0^(p q) s1^(r q) U^q, U = N/(s0^p s1^r), p and r proved orders of vanishing at the ends, and U must miss (-oo, 0].
The same formula holds in the strip and, in sigma with t = s^2 = sigma^q, in full discs at the ends.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, cached_property
from typing import NamedTuple

from . import exact
from .balls import ONE, Ball, Jet, number, pi_ball

__all__ = ["Base", "Kernel", "Unsupported", "local", "strip"]

HALF = Fraction(1, 2)
ROOT_HALF = number(HALF).sqrt()


class Unsupported(ValueError):
    """The certificate is about something that this program cannot verify."""


class Node(NamedTuple):
    op: str
    args: tuple[int, ...] = ()
    value: Fraction = Fraction(0)


class Base:
    """A point or a small disc: u, s0 and s1; at an end sigma, t = sigma^q, in the place of s."""

    def __init__(self, u: Jet, roots: tuple[Jet, Jet | None], end: int | None = None, q: int = 1) -> None:
        self.u, self.end, self.q, self._roots = u, end, q, roots

    @cached_property
    def roots(self) -> tuple[Jet, Jet]:
        first, second = self._roots
        if (
            second is None
        ):  # at an end the other root is sqrt(2 - t), needed by few kernels and not in every disc
            second = (Jet(Ball(2 * ONE)) - first.power(Fraction(self.q))).power(HALF)
        return (second, first) if self.end == 1 else (first, second)

    def root_power(self, which: int, e: Fraction) -> Jet:
        """s0^e or s1^e; at an end s = sigma^(q/2)."""
        if self.end != which:
            return self.roots[which].power(e)
        if (e * self.q / 2).denominator != 1:
            raise Unsupported(f"the power s^{e} in a disc around an end, where t = sigma^{self.q}")
        return self._roots[0].power(e * self.q / 2)


def strip(theta: Jet) -> Base:
    w = theta.scaled(HALF).turned().exp()
    inverse, root = w.power(Fraction(-1)), Jet(ROOT_HALF)
    s0, s1 = (inverse - w).turned() * root, (w + inverse) * root
    return Base(Jet(Ball(ONE)) - s0 * s0, (s0, s1))


def local(end: int, sigma: Jet, q: int) -> Base:
    """A point near u = +1 (end 0) or u = -1 (end 1), t = 1 -+ u = sigma^q."""
    t = sigma.power(Fraction(q))
    one = Jet(Ball(ONE))
    return Base(one - t if end == 0 else t - one, (sigma, None), end, q)


class Kernel:
    """The program, with arc-cosine functions spelled out and the orders of every branch at both ends."""

    def __init__(self, nodes: list[list[object]]) -> None:
        self.nodes: list[Node] = []
        self.index: dict[Node, int] = {}
        self.series: list[tuple[exact.Series, exact.Series]] = []
        self.constant: list[bool] = []
        self.cache: dict[int, Jet] = {}
        self.rays: dict[Node, int] = {}
        place: list[int] = []
        for node in nodes:
            place.append(self._read(node, place))
        self.root = place[-1]
        if any(series.known < 0 for pair in self.series for series in pair):
            raise Unsupported("a function without a series in fractional powers at an end")
        if any(exact.order(series) < 0 for series in self.series[self.root]):
            raise Unsupported("a kernel that may be unbounded at an end")
        self.at(strip(Jet(pi_ball.scaled(HALF))))  # settles the rays that denominators must miss

    def _read(self, node: list[object], place: list[int]) -> int:
        match node:
            case ["u"]:
                return self._put("u")
            case ["num", str(text)]:
                return self._put("num", value=Fraction(text))
            case ["pi"]:
                return self._put("pi")
            case ["add" | "mul" as op, *args] if args:
                return self._put(op, *(place[_int(i)] for i in args))
            case ["pow", i, str(text)]:
                exponent = Fraction(text)
                if abs(exponent) > 64 or exponent.denominator > 64:
                    raise Unsupported(f"the exponent {text[:20]}")
                return self._put("power", place[_int(i)], value=exponent)
            case ["exp" | "log" as op, i]:
                return self._put(op, place[_int(i)])
            case ["acos", i]:
                return self._acos(place[_int(i)])
            case ["asin", i]:
                return self._sum(
                    self._times(HALF, self._put("pi")), self._times(-1, self._acos(place[_int(i)]))
                )
            case ["kappa", n, i] if isinstance(n, int) and 0 <= n <= 12:
                return self._arc_cosine(n, place[_int(i)])
        raise Unsupported(f"the operation {node[0] if node else None!r}")

    def _put(self, op: str, *args: int, value: Fraction = Fraction(0)) -> int:
        node = Node(op, args, value)
        if node not in self.index:
            self.index[node] = len(self.nodes)
            self.nodes.append(node)
            self.constant.append(op != "u" and all(self.constant[i] for i in args))
            self.series.append((self._expand(node, 0), self._expand(node, 1)))
        return self.index[node]

    def _num(self, q: Fraction | int) -> int:
        return self._put("num", value=Fraction(q))

    def _sum(self, *args: int) -> int:
        return self._put("add", *args)

    def _times(self, q: Fraction | int, i: int) -> int:
        return self._put("mul", self._num(q), i)

    def _sides(self, i: int) -> tuple[int, int]:
        """sqrt(1 - N) and sqrt(1 + N)."""
        below, above = self._sum(self._num(1), self._times(-1, i)), self._sum(self._num(1), i)
        return self._put("power", below, value=HALF), self._put("power", above, value=HALF)

    def _acos(self, i: int) -> int:
        return self._put("acos", *self._sides(i), i)

    def _arc_cosine(self, n: int, i: int) -> int:
        """kappa_n = (p_n (pi - acos N) + q_n S)/(pi (2n-1)!!), S = sqrt(1 - N^2), from the definition of J_n."""
        p, q, double_factorial = [Fraction(1)], [Fraction(0)], 1
        for m in range(n):
            p, q = (
                _poly([(1, _diff(p), 0), (-1, _diff(p), 2), (2 * m + 1, p, 1)]),
                _poly([(1, p, 0), (1, _diff(q), 0), (-1, _diff(q), 2), (2 * m, q, 1)]),
            )
            double_factorial *= 2 * m + 1
        a, b = self._sides(i)
        angle = self._sum(self._put("pi"), self._times(-1, self._acos(i)))
        scale = self._put("power", self._times(double_factorial, self._put("pi")), value=Fraction(-1))
        parts = [self._put("mul", self._horner(p, i), angle, scale)]
        if any(q):
            parts.append(self._put("mul", self._horner(q, i), a, b, scale))
        out = self._sum(*parts)
        if self.nodes[i].op != "u":
            here, there = (self._at_one(n, i, end) or self.series[out][end] for end in (0, 1))
            self.series[out] = (here, there)
        return out

    def _at_one(self, n: int, i: int, end: int) -> exact.Series | None:
        """kappa_n(1 - y) as the sum of f_e y^(e/2), f_e from N = u: nothing is lost where angle and root cancel."""
        inner = self.series[i][end]
        if inner.terms.get(Fraction(0)) != exact.constant(1):
            return None
        y = exact.mul(exact.scalar(exact.constant(-1)), exact.add(inner, exact.scalar(exact.constant(-1))))
        if not y.terms:
            return None
        f = _alone(n)
        out = exact.Series({}, min(exact.KNOWN, exact.order(y) * f.known / 2))
        for e, c in f.terms.items():
            out = exact.add(out, exact.mul(exact.scalar(c), exact.power(y, e / 2)))
        return out

    def _horner(self, p: list[Fraction], i: int) -> int:
        powers = [
            self._put("mul", self._num(c), *([i] * n)) if n else self._num(c) for n, c in enumerate(p) if c
        ]
        return self._sum(*powers)

    def _expand(self, node: Node, end: int) -> exact.Series:
        args = [self.series[i][end] for i in node.args]
        match node.op:
            case "u":
                sign = 1 - 2 * end
                return exact.Series({Fraction(0): exact.constant(sign), Fraction(2): exact.constant(-sign)})
            case "num":
                return exact.scalar(exact.constant(node.value))
            case "pi":
                return exact.scalar(exact.constant(1, 1))
            case "power":
                return exact.power(args[0], node.value)
            case "exp":
                return exact.exp(args[0])
            case "log":
                return exact.log(args[0])
            case "acos":
                return exact.acos(args[2])
        out = args[0]
        for other in args[1:]:
            out = exact.add(out, other) if node.op == "add" else exact.mul(out, other)
        return out

    def orders(self, i: int) -> tuple[Fraction, Fraction]:
        """Proved orders of vanishing of node i in s0 and s1."""
        return exact.order(self.series[i][0]), exact.order(self.series[i][1])

    def grid(self, end: int) -> int:
        """The least q for which every branch is a series in t^(1/q) at the end."""
        q = 1
        for node in self.nodes:
            if node.op == "power" and (node.value.denominator != 1 or node.value < 0):
                p = self.orders(node.args[0])[end]
                for e in (p, p * node.value):
                    q *= (e * q / 2).denominator
        return q

    def at(self, base: Base) -> Jet:
        """The kernel's value, with every branch tested: Retry if a disc meets a cut."""
        values: list[Jet] = []
        for i, node in enumerate(self.nodes):
            value = self.cache.get(i)
            if value is None:
                value = self._value(node, values, base)
                if self.constant[i]:
                    self.cache[i] = value
            values.append(value)
        return values[self.root]

    def _value(self, node: Node, values: list[Jet], base: Base) -> Jet:
        args = [values[i] for i in node.args]
        match node.op:
            case "u":
                return base.u
            case "num":
                return Jet(number(node.value))
            case "pi":
                return Jet(pi_ball)
            case "exp":
                return args[0].exp()
            case "power":
                return self._power(node, args[0], base)
            case "log":
                if any(self.orders(node.args[0])):
                    raise Unsupported("the logarithm of a function that vanishes at an end")
                return args[0].log()
            case "acos":  # acos N = -2i log((sqrt(1+N) + i sqrt(1-N))/sqrt 2)
                return ((args[1] + args[0].turned()) * Jet(ROOT_HALF)).log().turned().scaled(-2)
        out = args[0]
        for other in args[1:]:
            out = out + other if node.op == "add" else out * other
        return out

    def _power(self, node: Node, value: Jet, base: Base) -> Jet:
        q = node.value
        if q.denominator == 1 and q >= 0:
            return value.power(q)
        unit, factor = value, None
        for which, p in enumerate(self.orders(node.args[0])):
            if p:
                unit = unit * base.root_power(which, -p)
                root = base.root_power(which, p * q)
                factor = root if factor is None else factor * root
        if q.denominator == 1:  # a denominator: U must miss one and the same ray of the real axis everywhere
            (unit.v if self.rays.setdefault(node, 1 if unit.c.x > 0 else -1) == 1 else -unit.v).off_cut()
        out = unit.power(q)
        return out if factor is None else out * factor


@cache
def _alone(n: int) -> exact.Series:
    kernel = Kernel([["u"], ["kappa", n, 0]])
    return kernel.series[kernel.root][0]


def _int(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Unsupported(f"{value!r} where the index of an earlier node is due")
    return value


def _diff(p: list[Fraction]) -> list[Fraction]:
    return [c * n for n, c in enumerate(p)][1:] or [Fraction(0)]


def _poly(parts: list[tuple[int, list[Fraction], int]]) -> list[Fraction]:
    """The sum of c p(x) x^n."""
    out = [Fraction(0)] * 40
    for c, p, n in parts:
        for j, value in enumerate(p):
            out[j + n] += c * value
    while len(out) > 1 and not out[-1]:
        out.pop()
    return out
