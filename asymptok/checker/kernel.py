"""A kernel as a straight-line program, and what a place must offer in which it is run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from math import factorial
from typing import Generic, TypeVar

from .balls import HALF
from .ends import End
from .exact import PI, Form, Number, Unsupported, atom, ball, parts, power
from .read import BadInput, integer, items, rational
from .taylor import Taylor

# x^odd times the power series in x^2 with these coefficients, whose quotients |a_(n+1)/a_n| decrease
ENTIRE: dict[str, tuple[int, Callable[[int], Fraction]]] = {
    "cos": (0, lambda n: Fraction((-1) ** n, factorial(2 * n))),
    "sin": (1, lambda n: Fraction((-1) ** n, factorial(2 * n + 1))),
    "erf": (1, lambda n: Fraction((-1) ** n, factorial(n) * (2 * n + 1))),
}
Program = list[list[object]]
Node = tuple[int, str]  # a branch: an operation of the program and which of its roots
V = TypeVar("V", Number, Taylor, End)


def program(nodes: object) -> Program:
    """The operations of the file, each with earlier ones as its arguments."""
    out = [items(node) for node in items(nodes)]
    for i, node in enumerate(out):
        rest = node[1:2] if node[:1] == ["pow"] else node[2:] if node[:1] == ["kappa"] else node[1:]
        if node[:1] != ["num"] and any(integer(j, 0, i) == i for j in rest):
            raise BadInput(f"node {i} is not built of earlier ones")
    if not 1 <= len(out) <= 500:
        raise BadInput("one to 500 operations are due")
    return out


def written(nodes: Program) -> str:
    """The operations as a text for people."""
    out: list[str] = []
    named: list[str] = []
    for i, (name, *rest) in enumerate(nodes):
        args = [out[j] for j in rest if isinstance(j, int) and j < i]
        if name in ("add", "mul"):
            text = f"({(' + ' if name == 'add' else '*').join(args)})"
        elif name in ("pow", "powc"):
            text = f"{args[0]}^({rest[1] if name == 'pow' else args[1]})"
        elif name == "num":
            text = f"({rest[0]})" if "-" in str(rest[0]) or "/" in str(rest[0]) else str(rest[0])
        else:
            text = (
                f"{name}_{rest[0]}({args[-1]})"
                if name == "kappa"
                else f"{name}({args[0]})"
                if args
                else str(name)
            )
        if len(text) > 60 and i < len(nodes) - 1:
            named.append(f"v{i} = {text}")
            text = f"v{i}"
        out.append(text)
    return ", ".join([out[-1], *reversed(named)])


class Place(ABC, Generic[V]):
    """Where a program is run: numbers and functions of the values there."""

    u: V

    @abstractmethod
    def number(self, q: Number) -> V: ...
    @abstractmethod
    def times(self, value: V, q: Number) -> V: ...
    @abstractmethod
    def power(self, node: Node, value: V, q: Number) -> V: ...
    @abstractmethod
    def log(self, node: Node, value: V) -> V: ...
    @abstractmethod
    def exp(self, value: V) -> V: ...
    @abstractmethod
    def entire(self, name: str, value: V) -> V:
        """sin, cos, or erf without its factor 2/sqrt(pi)."""

    @abstractmethod
    def bessel(self, node: Node, n: Fraction, value: V) -> V:
        """K_n, I_n or J_n."""

    @abstractmethod
    def angle(self, node: Node, value: V) -> tuple[V, V]:
        """pi - acos N and sqrt(1 - N^2)."""

    def run(self, nodes: Program) -> V:
        values: list[V] = []
        for i, node in enumerate(nodes):
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
            case ["add" | "mul" as op, _, *_]:
                out = args[0]
                for value in args[1:]:
                    out = out + value if op == "add" else out * value
                return out
            case ["pow" | "powc", int(), last]:
                q = rational(last) if exponent is None else exponent
                if not -64 <= q <= 64:
                    raise Unsupported("so large an exponent")
                return self.power((i, ""), args[0], q)
            case ["exp", int()]:
                return self.exp(args[0])
            case ["e"]:
                return self.exp(self.number(1))
            case ["sinh" | "cosh" as op, int()]:
                out, sign = self.exp(self.times(args[0], -1)), -1 if op == "sinh" else 1
                return self.times(self.exp(args[0]) + self.times(out, sign), HALF)
            case ["sin" | "cos" | "erf" as op, int()]:
                return self.times(self.entire(op, args[0]), 2 * power(PI, -HALF) if op == "erf" else 1)
            case ["tan" | "tanh" as op, int(j)]:
                odd, even = (
                    self._value(i, [name, j], args, None)
                    for name in (("sin", "cos"), ("sinh", "cosh"))[op == "tanh"]
                )
                return odd * self.power((i, ""), even, -1)
            case ["log", int()]:
                return self.log((i, ""), args[0])
            case ["gamma", int()] if exponent is not None:
                return self.number(atom("gamma", exponent))
            case ["besselk" | "besseli" | "besselj" as op, int(), int()]:
                n = None if exponent is None or isinstance(exponent, Form) else abs(Fraction(exponent))
                if n is None or n > 20 or not (op == "besselk" or n == exponent == int(n)):
                    raise Unsupported("a Bessel function of that order")
                return self.bessel((i, str(op)), n, args[1])
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

    def number(self, q: Number) -> Number:
        return q

    def times(self, value: Number, q: Number) -> Number:
        return value * q

    def power(self, node: Node, value: Number, q: Number) -> Number:
        return power(value, q)

    def log(self, node: Node, value: Number) -> Number:
        return atom("log", value)

    def exp(self, value: Number) -> Number:
        return atom("exp", value)

    def entire(self, name: str, value: Number) -> Number:
        return atom(name, value * value) * (value if ENTIRE[name][0] else 1)

    def bessel(self, node: Node, n: Fraction, value: Number) -> Number:
        return atom(f"{node[1]} {n}", value)

    def angle(self, node: Node, value: Number) -> tuple[Number, Number]:
        """pi/2 + asin N, with the one of N and -N whose first part is positive, and sqrt(1 - N^2)."""
        first = min(parts(value), key=lambda part: sorted(map(repr, part[0])))
        sign = -1 if first[1] < 0 else 1
        root = power(1 - value, HALF) * power(1 + value, HALF)
        return PI * HALF + atom("asin", value * sign) * sign, root


def constant(nodes: Program) -> Number:
    """The exact number that a program computes."""
    value = Symbols().run(nodes)
    ball(value)  # raises if it is no number
    return value
