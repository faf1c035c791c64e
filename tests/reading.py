"""A displayed formula, LaTeX or MathML, read as a person would and evaluated: digits that touch are one number."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Mapping

import mpmath
from mpmath import mpf

_TOKEN = re.compile(
    r"\\operatorname\{[A-Za-z]+\}|\\[A-Za-z]+|\\[,;:! ]|\d+(?:\.\d+)?|[A-Za-z]|\S",
)
_SPACE = {r"\left", r"\right", r"\,", r"\;", r"\:", r"\!", r"\ ", r"\displaystyle"}
_FUNCTIONS: dict[str, Callable[[mpf], mpf]] = {
    r"\Gamma": mpmath.gamma,
    r"\zeta": mpmath.zeta,
    r"\log": mpmath.log,
    r"\exp": mpmath.exp,
    r"\operatorname{erf}": mpmath.erf,
}
_INDEXED: dict[str, Callable[[mpf, mpf], mpf]] = {
    "K": mpmath.besselk,
    r"\psi": lambda order, x: mpmath.psi(int(order), x),
    r"\kappa": lambda order, x: (
        1 - mpmath.acos(x) / mpmath.pi
        if order == 0
        else (x * (mpmath.pi - mpmath.acos(x)) + mpmath.sqrt(1 - x * x)) / mpmath.pi
    ),
}
_GREEK = {
    "π": r"\pi ",
    "γ": r"\gamma ",
    "κ": r"\kappa ",
    "Γ": r"\Gamma ",
    "ψ": r"\psi ",
    "ζ": r"\zeta ",
    "log": r"\log ",
    "erf": r"\operatorname{erf}",
}
_SIGNS = {"−": "-", "\u2062": "", "·": r"\cdot "}


def read_latex(latex: str, values: Mapping[str, mpf]) -> mpf:
    """The value of the formula for these values of its letters."""
    return _Reader(latex, values).total(None)


def read_mathml(mathml: str, values: Mapping[str, mpf]) -> mpf:
    """The same for MathML, by what is seen of it."""
    return read_latex(_seen(ElementTree.fromstring(f"<math>{mathml}</math>")), values)


def _seen(node: ElementTree.Element) -> str:
    text, parts = node.text or "", [_seen(child) for child in node]
    match node.tag:
        case "mn":
            return text.replace("−", "-")
        case "mi":
            return _GREEK.get(text, text)
        case "mo":
            return _SIGNS.get(text, text)
        case "mfrac":
            return rf"\frac{{{parts[0]}}}{{{parts[1]}}}"
        case "msup" | "msub":
            return f"{parts[0]}{'^' if node.tag == 'msup' else '_'}{{{parts[1]}}}"
        case "msqrt":
            return rf"\sqrt{{{''.join(parts)}}}"
        case "mroot":
            return rf"\sqrt[{parts[1]}]{{{parts[0]}}}"
        case "mrow" | "math" | "mspace":
            return "".join(parts)
    raise ValueError(f"no rule for <{node.tag}>")


class _Reader:
    """Sums of products of powers, products without a sign."""

    def __init__(self, latex: str, values: Mapping[str, mpf]) -> None:
        self.left = [token for token in _TOKEN.findall(latex) if token not in _SPACE][::-1]
        self.values = values

    @property
    def next(self) -> str | None:
        return self.left[-1] if self.left else None

    def total(self, end: str | None) -> mpf:
        """Everything up to the token `end`, which is taken as well."""
        value = mpf(0)
        while self.next != end:
            sign = -1 if self.next == "-" else 1
            if self.next in ("+", "-"):
                self.left.pop()
            value += sign * self.product(end)
        if self.left:
            self.left.pop()
        return value

    def product(self, end: str | None) -> mpf:
        value = mpf(1)
        while self.next not in (end, "+", "-"):
            divided = self.next == "/"
            if self.next in ("/", r"\cdot"):
                self.left.pop()
            factor = self.factor()
            value = value / factor if divided else value * factor
        return value

    def factor(self) -> mpf:
        value = self.base()
        return value ** self.power()

    def power(self) -> mpf:
        if self.next != "^":
            return mpf(1)
        self.left.pop()
        return self.base()

    def base(self) -> mpf:
        token = self.left.pop()
        if token in ("(", "{"):
            return self.total({"(": ")", "{": "}"}[token])
        if token[0].isdigit():
            return mpf(token)
        if token == r"\frac":
            above = self.base()
            return above / self.base()
        if token == r"\sqrt":
            degree = mpf(2)
            if self.next == "[":
                self.left.pop()
                degree = self.total("]")
            return mpmath.root(self.base(), int(degree))
        if token in (r"\pi", "e"):
            return +{r"\pi": mpmath.pi, "e": mpmath.e}[token]
        if token == r"\gamma" and self.next == "_":
            assert "".join(self.left.pop() for _ in range(4)) == "_{E}"
            return +mpmath.euler
        if token in _FUNCTIONS:
            power = self.power()
            return _FUNCTIONS[token](self.base()) ** power
        if token in _INDEXED:
            return self.indexed(_INDEXED[token])
        return self.values[token.removeprefix("\\")]

    def indexed(self, function: Callable[[mpf, mpf], mpf]) -> mpf:
        """K_1(x), K^2_1(x); psi^(1)(x) is the one whose order stands above."""
        order, power = mpf(0), mpf(1)
        while self.next in ("_", "^"):
            above = self.left.pop() == "^"
            derivative = above and self.left[-2:] == ["(", "{"]
            value = self.base()
            if above and not derivative:
                power = value
            else:
                order = value
        return function(order, self.base()) ** power
