"""How much a text may ask for, and the measure of what SymPy made of it.

SymPy evaluates as it builds: 9**9**9, gamma(10**9) or (2*u)**(10**9) would never come back. Every such step
is therefore bounded before it is taken, by the sizes below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import arb
from sympy import Abs, Add, Basic, Expr, I, Max, Min, Piecewise, Rational, Symbol, nan, oo, sign, zoo

#: characters of a text
MAX_LENGTH = 10_000
#: numbers, names, operators and brackets of a text
MAX_TOKENS = 2_000
#: brackets, powers and signs inside one another
MAX_DEPTH = 100
#: digits of one number, and the power of ten after its "e"
MAX_DIGITS = 1_000
#: bits of all exact numbers of an expression together; Python prints integers of up to 4300 digits
MAX_BITS = 14_000
#: bits of an exact number that is put to a fractional power, which SymPy tries to factor
MAX_RADICAND_BITS = 512
#: order of a Bessel function, polylogarithm or arc-cosine kernel, argument of gamma, parameter of hyper
MAX_ORDER = 1_000
#: size of the constant arguments of functions
MAX_ARGUMENT_BITS = 300
#: parameters in each list of hyper
MAX_HYPER = 10
#: degree of an orthogonal polynomial
MAX_DEGREE = 60
#: nodes of the SymPy expression
MAX_SIZE = 5_000
#: nodes that rewriting adds: sin(atan(x)) becomes x/sqrt(1 + x**2) and doubles x, again at each nesting
MAX_GROWTH = 100
#: nodes that one call may add without being counted
FREE_GROWTH = 20
#: Abs, sign, Min, Max and Piecewise inside one another; SymPy compares the branches at each level
MAX_CHOICE_DEPTH = 4
#: arguments of all of these together; SymPy compares them in pairs
MAX_CHOICES = 32
#: working precision of the constants
PRECISION = 256

_FORBIDDEN = (I, zoo, nan, oo, -oo)
_CHOICES = (Abs, sign, Min, Max, Piecewise)


class Refused(Exception):
    """Why a step is not taken; the walk over the text adds the position and raises ParseError."""


@dataclass(frozen=True, slots=True)
class Size:
    """Nodes of an expression written out in full, bits of its numbers, its branchings, is it constant."""

    nodes: int
    bits: int
    choice_depth: int
    choices: int
    constant: bool


@dataclass(frozen=True, slots=True)
class Value:
    """A part of the text that has been read; `ball` encloses it if it is a constant."""

    expr: Expr
    ball: Any
    size: Size


class Ruler:
    """Sizes of expressions, each distinct subexpression measured once.

    >>> from sympy import symbols
    >>> Ruler().measure(255 * symbols("x") ** 2)
    Size(nodes=5, bits=10, choice_depth=0, choices=0, constant=False)
    """

    def __init__(self) -> None:
        self._known: dict[Basic, Size] = {}

    def measure(self, expr: Expr) -> Size:
        found = self._known.get(expr)
        if found is None:
            found = self._known[expr] = self._measure(expr)
        return found

    def _measure(self, expr: Expr) -> Size:
        if isinstance(expr, Rational):
            return Size(1, bits_of(expr), 0, 0, True)
        if expr in _FORBIDDEN:
            raise Refused("the value is infinite, undefined or complex")
        inner = [self.measure(a) for a in expr.args]
        branches = isinstance(expr, _CHOICES)
        return Size(
            1 + sum(s.nodes for s in inner),
            sum(s.bits for s in inner),
            max((s.choice_depth for s in inner), default=0) + branches,
            sum(s.choices for s in inner) + branches * len(inner),
            not isinstance(expr, Symbol) and all(s.constant for s in inner),
        )


def bits_of(number: Expr) -> int:
    """Bits of numerator and denominator; 0 and +-1 weigh one bit as well, since sums of them grow."""
    top, bottom = abs(int(number.p)), int(number.q)
    return max(1, top.bit_length()) + (bottom.bit_length() if bottom > 1 else 0)


def check_size(size: Size) -> None:
    if size.nodes > MAX_SIZE:
        raise Refused(f"the expression grows beyond {MAX_SIZE} nodes when it is written out")
    if size.bits > MAX_BITS:
        raise Refused(f"the numbers of the expression grow beyond {MAX_BITS} bits")
    if size.choice_depth > MAX_CHOICE_DEPTH:
        raise Refused(f"Abs, sign, Min, Max and Piecewise are nested more than {MAX_CHOICE_DEPTH} deep")
    check_choices(size.choices)


def check_choices(count: int) -> None:
    if count > MAX_CHOICES:
        raise Refused(f"Abs, sign, Min, Max and Piecewise have more than {MAX_CHOICES} arguments together")


def check_constant(ball: arb, what: str) -> None:
    """A constant must be proved finite and real, and of a size that further evaluation can stand."""
    if not ball.is_finite():
        raise Refused(f"{what} is not a finite real number (or too large to tell)")
    bound = arb(2) ** MAX_BITS
    if not ball.abs_upper() < bound or not (ball.contains(0) or ball.abs_lower() * bound > 1):
        raise Refused(f"{what} is out of range: constants lie between 2**-{MAX_BITS} and 2**{MAX_BITS}")


def check_growth(bits: int, exponent: Expr) -> None:
    """The numbers of a base of `bits` bits, raised to `exponent`, must stay printable."""
    # Visible rational coefficients are what SymPy can move out of an exponent: 2**(gamma + 9) = 512*2**gamma
    height = sum(abs(term.as_coeff_Mul()[0]) for term in Add.make_args(exponent))
    if max(bits, 1) * height > MAX_BITS:
        raise Refused(f"the power would have numbers of more than {MAX_BITS} bits: the exponent is too large")
