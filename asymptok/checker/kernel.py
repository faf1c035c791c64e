"""A kernel as a straight-line program, and the places where it is run: with symbols, at the ends, in the strip.

With s0 = sqrt(2) sin(theta/2) and s1 = sqrt(2) cos(theta/2), so that 1 - u = s0^2 and 1 + u = s1^2, a power N^q is
s0^(2pq) s1^(2rq) U^q, U = N s0^(-2p) s1^(-2r), p and r the orders of N in t at the ends, and U must miss (-oo, 0];
a denominator must miss one and the same ray. log N is 2p log s0 + 2r log s1 + log U, and
acos N = -2i log((sqrt(1+N) + i sqrt(1-N))/sqrt 2). The formulas hold in the strip 0 < Re theta < pi and at its ends.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from math import factorial
from typing import Generic, TypeVar

from . import models
from .balls import EULER, HALF, Ball, Clock, I, Retry
from .balls import PI as PI_BALL
from .exact import PI, Form, Number, Unsupported, atom, ball, enclosed, leading, power, sized, whole
from .models import End, S, Taylor
from .read import BadInput, fields, integer, items, rational

# x^odd times the power series in x^2 with these coefficients, whose quotients |a_(n+1)/a_n| decrease
ENTIRE: dict[str, tuple[int, Callable[[int], Fraction]]] = {
    "cos": (0, lambda n: Fraction((-1) ** n, factorial(2 * n))),
    "sin": (1, lambda n: Fraction((-1) ** n, factorial(2 * n + 1))),
    "erf": (1, lambda n: Fraction((-1) ** n, factorial(n) * (2 * n + 1))),
}
ROOT_HALF = power(HALF, HALF)
_HARMONIC = [*accumulate((Fraction(1, k) for k in range(1, 430)), initial=Fraction(0))]
_ASIN = [Fraction(1)]  # (1/2)_m/(m! (2m+1)), decreasing
for _m in range(200):
    _ASIN.append(_ASIN[-1] * Fraction((2 * _m + 1) ** 2, 2 * (_m + 1) * (2 * _m + 3)))
Program = list[list[object]]
Node = tuple[int, str]  # a branch: an operation of the program and which of its roots
V = TypeVar("V", Number, Taylor, End)


def program(nodes: object) -> Program:
    """The operations of the file, each with earlier ones as its arguments."""
    out = [items(node) for node in items(nodes)]
    for i, node in enumerate(out):
        rest = node[1:2] if node[:1] == ["pow"] else node[2:] if node[:1] == ["kappa"] else node[1:]
        if not node or (node[0] != "num" and any(integer(j, 0, i) == i for j in rest)):
            raise BadInput(f"node {i} is not built of earlier ones")
    if not 1 <= len(out) <= 500:
        raise BadInput("expected one to 500 operations")
    return out


def written(nodes: Program) -> str:
    """The operations as a text for people; what is long is named."""
    out: list[str] = []
    named: list[str] = []
    for i, (name, *rest) in enumerate(nodes):
        texts = [str(j) if str(j).isdigit() else f"({j})" for j in rest]
        args = [
            out[j] if isinstance(j, int) else texts[n]
            for n, j in enumerate(rest)
            if (n, name) != (0, "kappa")
        ]
        sign = {"add": " + ", "mul": "*", "pow": "^", "powc": "^"}.get(str(name))
        text = f"({sign.join(args)})" if sign else f"{name}({', '.join(args)})" if args else str(name)
        text = f"kappa_{rest[0]}({args[0]})" if name == "kappa" else args[0] if name == "num" else text
        if len(text) > 60 and i < len(nodes) - 1:
            named.append(f"v{i} = {text}")
            text = f"v{i}"
        out.append(text)
    return ", ".join([out[-1], *reversed(named)])


class Place(Generic[V]):
    """Where a program is run: numbers and functions of the values there."""

    u: V
    number: Callable[[Number], V]
    times: Callable[[V, Number], V]
    power: Callable[[Node, V, Number], V]
    log: Callable[[Node, V], V]
    exp: Callable[[V], V]
    entire: Callable[[str, V], V]  # sin, cos, or erf without its factor 2/sqrt(pi)
    bessel: Callable[[Node, Fraction, V], V]  # K_n, I_n or J_n
    angle: Callable[[Node, V], tuple[V, V]]  # pi - acos N and sqrt(1 - N^2)

    def run(self, nodes: Program) -> V:
        values: list[V] = []
        for i, node in enumerate(nodes):
            Clock.tick()
            args = [values[j] for j in node[1:] if isinstance(j, int) and j < i]
            at = {"powc": 2, "besselk": 1, "besseli": 1, "besselj": 1, "gamma": 1}.get(str(node[0]))
            exponent = constant(nodes[: integer(node[at], 0, i) + 1]) if at else None
            values.append(self._value(i, node, args, exponent))
        return values[-1]

    def _value(self, i: int, node: list[object], args: list[V], exponent: Number | None) -> V:
        match node:
            case ["u"]:
                return self.u
            case ["num", str(text)]:
                return self.number(rational(text))
            case ["pi"]:
                return self.number(PI)
            case ["e"]:
                return self.exp(self.number(1))
            case ["gamma", int()] if exponent is not None:
                return self.number(atom("gamma", exponent))
            case ["add" | "mul" as op, _, *_]:
                out = args[0]
                for value in args[1:]:
                    out = out + value if op == "add" else out * value
                    if isinstance(out, Fraction):
                        sized(out)
                return out
            case ["pow" | "powc", int(), last]:
                q = rational(last) if exponent is None else exponent
                if not -64 <= q <= 64 or (not isinstance(q, Form) and q.denominator > 1000):
                    raise Unsupported("so large or so long an exponent")
                return self.power((i, ""), args[0], q)
            case ["exp", int()]:
                return self.exp(args[0])
            case ["log", int()]:
                return self.log((i, ""), args[0])
            case ["sinh" | "cosh" as op, int()]:
                back = self.times(self.exp(self.times(args[0], -1)), -1 if op == "sinh" else 1)
                return self.times(self.exp(args[0]) + back, HALF)
            case ["sin" | "cos" | "erf" as op, int()]:
                return self.times(self.entire(op, args[0]), 2 * power(PI, -HALF) if op == "erf" else 1)
            case ["tan" | "tanh" as op, int(j)]:
                odd, even = (self._value(i, [name + op[3:], j], args, None) for name in ("sin", "cos"))
                return odd * self.power((i, ""), even, -1)
            case ["besselk" | "besseli" | "besselj" as op, int(), int()]:
                n = (
                    Fraction(-1)
                    if exponent is None or isinstance(exponent, Form)
                    else abs(Fraction(exponent))
                )
                if not 0 <= n <= 20 or not (op == "besselk" or n == exponent == int(n)):
                    raise Unsupported("a Bessel function of that order")
                return self.bessel((i, op), n, args[1])
            case ["acos" | "asin" as op, int()]:  # acos = pi - pi kappa_0
                shift, sign = (1, -1) if op == "acos" else (-HALF, 1)
                return self.number(PI * shift) + self.times(self.kappa(0, i, args[0]), PI * sign)
            case ["kappa", n, int()]:
                return self.kappa(integer(n, 0, 12), i, args[-1])
        raise Unsupported(f"the operation {str(node[:1])[:40]}")

    def kappa(self, n: int, i: int, x: V) -> V:
        """J_n/((2n-1)!! pi): J_0 = pi - theta, J_1 = x J_0 + sin(theta), x = cos(theta), and since J_m' = m^2 J_(m-1)
        the definition J_(m+1) = (1-x^2) J_m' + (2m+1) x J_m is J_(m+1) = (2m+1) x J_m + m^2 (1-x^2) J_(m-1)."""
        before, sine = self.angle((i, ""), x)
        now, scale = before, 1
        for m in range(n):
            scale *= 2 * m + 1
            step = self.times(x * now, 2 * m + 1)
            step = step + (self.times(sine * sine * before, m * m) if m else sine)
            before, now = now, step
        return self.times(now, power(PI, -1) * Fraction(1, scale))


class Symbols(Place[Number]):
    """Where a program is run symbolically, at u or -u."""

    def __init__(self, sign: int = 1) -> None:
        self.u = atom("u") * sign
        self.number = lambda q: q
        self.times = lambda value, q: value * q
        self.power = lambda node, value, q: power(value, q)
        self.log = lambda node, value: atom("log", value)
        self.exp = lambda value: atom("exp", value)
        self.entire = lambda name, x: atom(name, x * x) * (x if ENTIRE[name][0] else 1)
        self.bessel = lambda node, n, value: atom(f"{node[1]} {n}", value)
        self.angle = self._angle

    def _angle(self, node: Node, value: Number) -> tuple[Number, Number]:
        """pi/2 + asin N, with the one of N and -N whose first part is positive, and sqrt(1 - N^2)."""
        sign = -1 if leading(value) < 0 else 1
        root = power(1 - value, HALF) * power(1 + value, HALF)
        return PI * HALF + atom("asin", value * sign) * sign, root


def constant(nodes: Program) -> Number:
    """The exact number that a program computes."""
    value = Symbols().run(nodes)
    ball(value)  # raises if it is no number
    return value


def exact_number(value: object) -> Number:
    """A rational number, or a program for an exact one, in the file."""
    return constant(program(*fields(value, "nodes"))) if isinstance(value, dict) else rational(value)


class Branches:
    """What is found at the ends about every branch and must hold everywhere: orders in t at u = 1 and -1, the ray that
    a denominator misses, and the ends at which a branch is not analytic in t."""

    def __init__(self) -> None:
        self.orders: dict[Node, list[Number | None]] = {}
        self.rays: dict[Node, bool] = {}
        self.slits: set[int] = set()


class Local(Place[S], Generic[S]):
    """A sector at an end (0 or 1), or a disc in the strip, with models of u, s0 and s1."""

    def __init__(self, branches: Branches, u: S, s: tuple[S, S], end: int | None) -> None:
        self.branches, self.u, self.end = branches, u, end
        self.s: tuple[S, S] = s
        self.sides: dict[tuple[int, Number], S] = {}
        self.angles: dict[int, tuple[S, S, S]] = {}  # by the identity of the argument
        self.number, self.times, self.exp = u.constant, lambda value, q: value.times(q), models.exp
        self.power, self.log, self.entire = self._power, self._log, self._entire
        self.bessel, self.angle = self._bessel, self._angle

    def side(self, which: int, e: Number) -> S:
        """s0^2e or s1^2e."""
        if (which, e) not in self.sides:
            lower = self.side(which, e - 1) * self.side(which, 1) if e > 1 else None
            self.sides[which, e] = lower or models.power(self.s[which], e * 2)
        return self.sides[which, e]

    def log_side(self, which: int) -> S:
        """log s0^2 or log s1^2."""
        return models.log(self.s[which]).times(2)

    def _unit(self, node: Node, value: S, q: Number) -> tuple[S, list[tuple[int, Number]]]:
        """U, and the orders p and r that are not 0."""
        orders = self.branches.orders.setdefault(node, [None, None])
        if isinstance(value, End) and self.end is not None:
            p = min((e for e, _ in value.terms), default=value.order)
            if orders[self.end] not in (None, p):
                raise Retry("an order at an end is not settled")
            orders[self.end] = p
            if not whole(p) or not whole(p * q):
                self.branches.slits.add(self.end)
        elif None in orders:
            raise Unsupported("a branch that was not met at an end")
        found = [(which, p) for which, p in enumerate(orders) if p]
        for which, p in found:
            value = value * self.side(which, -p)
        return value, found

    def _power(self, node: Node, value: S, q: Number) -> S:
        if whole(q) and q >= 0:
            return models.power(value, q)
        unit, orders = self._unit(node, value, q)
        rays = self.branches.rays
        if whole(q) and node not in rays:
            rays[node] = enclosed(unit.lead(0)[1]).x < 0
        out = models.power(unit, q, whole(q) and rays[node])
        for which, p in orders:
            out = out * self.side(which, p * q)
        return out

    def _log(self, node: Node, value: S) -> S:
        unit, orders = self._unit(node, value, 1)
        out = models.log(unit)
        for which, p in orders:
            out = out + self.log_side(which).times(p)
            if which == self.end:
                self.branches.slits.add(which)
        return out

    def _entire(self, name: str, value: S) -> S:
        (odd, a), (_, c, y) = ENTIRE[name], value.lead(0)
        turns = Fraction(1, 2) if isinstance(c, Ball) else 2 * c * power(PI, -1)
        if name != "erf" and c != 0 and whole(turns):  # cos(y + n pi/2)
            n = (int(ball(turns).interval()[0]) - odd) % 4
            return self._entire(("cos", "sin")[n % 2], y).times(-1 if n in (1, 2) else 1)
        if name == "erf" or c == 0:
            out = models.entire(value * value, a)
            return out * value if odd else out
        turned, back = (models.exp(value.times(I.scaled(sign))) for sign in (1, -1))
        return (turned + back.times(1 - 2 * odd)).times(I.scaled(-HALF) if odd else HALF)

    def _bessel(self, node: Node, n: Fraction, value: S) -> S:
        """K_n(2y) = (-1)^n y^n sum_k [(H_k + H_(n+k))/2 - gamma - log y] y^2k/(k! (n+k)!)
        + 1/2 sum_(k<n) (-1)^k (n-k-1)!/k! y^(2k-n) for n = 0, 1, ...; otherwise the sum over m = n and -n of
        Gamma(m)/2 y^-m sum_k (-1)^k/(k!^2 binom(m-1, k)) y^2k, where Gamma(-n) = -pi/(sin(pi n) Gamma(n+1)).
        I_n(2y) and J_n(2y) are sum_k (+-1)^k y^(2k+n)/(k! (n+k)!)."""
        (i, name), m, y, out = node, int(n), value.times(HALF), self.number(0)
        square = y * y

        def entire(factor: Callable[[int], Fraction]) -> S:
            both = models.entire(square, lambda k: factor(k) * Fraction(1, factorial(k) * factorial(m + k)))
            return both * models.power(y, m)

        if name != "besselk":
            return entire(lambda k: Fraction(1 if name == "besseli" else (-1) ** k))
        if whole(n):
            for k in range(m):
                c = Fraction((-1) ** k * factorial(m - k - 1), 2 * factorial(k))
                out = out + self.power((i, f"{2 * k - m}"), y, 2 * k - m).times(c)
            logs = (self.log((i, "log"), y) + y.constant(EULER)) * entire(lambda k: Fraction(1))
            sums = entire(lambda k: (_HARMONIC[k] + _HARMONIC[m + k]) / 2)
            return out + (sums + logs.times(-1)).times(1 - 2 * (m % 2))

        def half(q: Fraction, gamma: Ball) -> S:
            b = models.binomials(q - 1)
            part = models.entire(square, lambda k: Fraction((-1) ** k, factorial(k) ** 2) / b[k], m + 2)
            return self.power((i, f"{q}"), y, -q) * part.times(gamma.scaled(HALF))

        sine = (PI_BALL * ball(n) * I).exp().imaginary()
        first, second = (enclosed(atom("gamma", x)) for x in (n, n + 1))
        return half(n, first) + half(-n, PI_BALL * (sine * second).inverse().scaled(-1))

    def _angle(self, node: Node, value: S) -> tuple[S, S]:
        """Where N vanishes at the end, pi - acos N is pi/2 + N sum_m (1/2)_m/(m! (2m+1)) N^2m, |N| < 1, so that nothing
        hides that asin N vanishes as well; there exp(i acos(N)/2) misses (-oo, 0]."""
        if id(value) not in self.angles:
            i, one = node[0], self.number(1)
            below = self.power((i, "1-N"), one + value.times(-1), HALF)
            above = self.power((i, "1+N"), one + value, HALF)
            if self.end is not None and value.lead(0)[1] == 0:
                self._unit((i, "log"), one, 1)
                arc = models.compose(value * value, lambda m: _ASIN[m], lambda m: Fraction(1))
                angle = self.number(PI * HALF) + value * arc
            else:
                log = self.log((i, "log"), (above + below.times(I)).times(ROOT_HALF))
                angle = self.number(PI) + log.times(I.scaled(2))
            self.angles[id(value)] = value, angle, below * above
        return self.angles[id(value)][1:]

    def kappa(self, n: int, i: int, x: S) -> S:
        """Where N = +-(1 - y) and y vanishes at the end, angle and root would cancel each other. Instead

        kappa_0(1-y) = 1 - (sqrt(2y)/pi) sum_m (1/2)_m/(m! (2m+1)) (y/2)^m, |y| < 2, and, integrated term by term,
        kappa_n' = n^2/(2n-1) kappa_(n-1), kappa_n(1) = 1; kappa_n(y-1) = (-1)^(n+1) times the part with sqrt(y).
        There 2 - y and exp(i acos(N)/2), where acos(N) = 2 asin sqrt(y/2) or pi minus that, miss (-oo, 0].
        """
        value = x.lead(0)[1] if self.end is not None else 0
        if value not in (1, -1):
            return Place.kappa(self, n, i, x)
        sign = 1 if value == 1 else -1
        y, (near, far) = self.number(1) + x.times(-sign), ("1-N", "1+N")[::sign]
        singular = [-b / (1 << m) for m, b in enumerate(_ASIN)]
        regular: list[Fraction] = [Fraction(1)]
        for k in range(1, n + 1):
            c: Fraction = Fraction(-k * k, 2 * k - 1)
            singular = [c * b / (m + k + HALF) for m, b in enumerate(singular)]
            regular = [Fraction(1), *(c * a / (m + 1) for m, a in enumerate(regular))]
        self._unit((i, "log"), self.number(1), 1)
        away, orders = self._unit((i, far), self.number(2) + y.times(-1), HALF)
        if orders:  # then 2 - y is not yet all
            models.power(away, HALF)
        branch = self.power((i, near), y, n + HALF).times(power(2, HALF) * power(PI, -1))
        out = branch * models.compose(y, lambda m: singular[m], lambda m: HALF)
        if sign == -1:
            return out.times((-1) ** (n + 1))
        for m, a in enumerate(regular):
            out = out + models.power(y, m).times(a)
        return out


def at_end(branches: Branches, end: int, radius: Fraction, cut: Number, scale: Number = 1) -> Local[End]:
    """The sector |t| <= radius at v = +1 (end 0) or -1 (end 1), u = scale v."""
    sign = 1 - 2 * end
    u = End(radius, cut, {(0, 0): sign * scale, (1, 0): -sign * scale})
    near = End(radius, cut, {(HALF, 0): 1})
    far = models.power(End(radius, cut, {(0, 0): 2, (1, 0): -1}), HALF)
    return Local(branches, u, (far, near) if end else (near, far), end)


def in_strip(branches: Branches, centre: Ball, step: Ball, length: int, scale: Number = 1) -> Local[Taylor]:
    """theta = centre + step z, |z| <= 1, u = scale cos(theta)."""
    zeros = [0] * (length - 2)
    theta = Taylor([centre.x, step.x, *zeros], [centre.y, step.y, *zeros], centre.r + step.r)
    w, inverse = (models.exp(theta.times(I.scaled(q))) for q in (HALF, -HALF))
    half = enclosed(ROOT_HALF)
    s = (inverse + w.times(-1)).times(I * half), (w + inverse).times(half)
    return Local(branches, (theta.constant(1) + (s[0] * s[0]).times(-1)).times(scale), s, None)
