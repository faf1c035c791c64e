"""The ball domain: coefficients are real balls, for speed and for a second opinion on the exact ones."""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, arb_poly, fmpq
from sympy import Dummy, Expr, Float

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants.domain import VectorOf
from asymptok.constants.exponents import (
    Form,
    Ranges,
    exponent_to_expr,
    to_rational,
)
from asymptok.constants.numbers import ball_sign
from asymptok.constants.vectors import SparseVectors
from asymptok.errors import ExpansionError, Undecided
from asymptok.symbols import Known
from asymptok.truth import Sign, Truth

#: below this many products the plain double loop beats the conversion to a flint polynomial
_DENSE = 40


class BallDomain(SparseVectors[arb]):
    """Real numbers as balls at the current flint precision; a ball that contains zero is UNKNOWN, not zero.

    >>> from sympy import sqrt
    >>> dom = BallDomain()
    >>> root = dom.constant(sqrt(2))
    >>> dom.is_zero(dom.add(dom.mul(root, root), dom.rational(-2)))
    UNKNOWN
    """

    zero = arb(0)
    one = arb(1)

    def __init__(self, ranges: Ranges | None = None) -> None:
        self.ranges = ranges or Ranges()

    def is_empty(self, a: arb) -> bool:
        return bool(a.is_zero())

    def rational(self, value: fmpq | int) -> arb:
        return arb(value)

    def constant(self, expr: Expr) -> arb:
        if any(not isinstance(symbol, Known) for symbol in dag.free_symbols(expr)):
            raise ExpansionError(f"balls need values for the parameters of {dag.brief(expr)}", expr)
        value = ball(expr)
        if not value.is_finite():
            raise ExpansionError(f"{dag.brief(expr)} is not a finite real number", expr)
        return value

    def to_expr(self, a: arb) -> Expr:
        rational = self.as_rational(a)
        if rational is not None:
            return to_rational(rational)
        return Float(a.mid().str(40, radius=False), 30)

    def apply(self, function: Callable[..., Expr], *args: arb) -> arb:
        exact = [self.as_rational(a) for a in args]
        if all(x is not None for x in exact):
            return self.constant(function(*[to_rational(x) for x in exact if x is not None]))
        return _ball_function(function, args)

    def add(self, a: arb, b: arb) -> arb:
        return a + b

    def neg(self, a: arb) -> arb:
        return -a

    def mul(self, a: arb, b: arb) -> arb:
        return a * b

    def scale(self, a: arb, r: fmpq) -> arb:
        return a * r

    def inverse(self, a: arb) -> arb:
        return 1 / a

    def compact(self, a: arb) -> arb:
        return a

    def held(self, a: arb, low: int | None = None, high: int | None = None) -> arb:
        return a

    def enclosure(self, a: arb, bits: int) -> arb:
        return a

    def power(self, a: arb, form: Form, rest: fmpq) -> arb:
        if not form and rest.q == 1:
            return a ** int(rest.p)
        return a ** (arb(rest) + (ball(exponent_to_expr(form, fmpq(0))) if form else 0))

    def exponent(self, a: arb) -> tuple[Form, fmpq]:
        rational = self.as_rational(a)
        if rational is None:
            raise Undecided("an inexact number cannot be an exponent: expand exactly")
        return (), rational

    def from_exponent(self, form: Form, rest: fmpq) -> arb:
        return self.constant(exponent_to_expr(form, rest))

    def as_rational(self, a: arb) -> fmpq | None:
        return a.fmpq() if a.is_exact() else None

    def is_zero(self, a: arb) -> Truth:
        if a.is_zero():
            return Truth.TRUE
        return Truth.UNKNOWN if a.contains(0) else Truth.FALSE

    def is_proved_zero(self, a: arb) -> bool:
        return self.is_zero(a) is Truth.TRUE

    def sign(self, a: arb) -> Sign:
        return ball_sign(a)

    def undecided(self, a: arb, what: str, blame: object) -> Undecided:
        open_question = f"cannot decide {what.format(a)}, which is needed for {dag.brief(blame)}"
        return Undecided(f"{open_question}: expand exactly, or with more bits")

    def vector_mul(self, a: VectorOf[arb], b: VectorOf[arb], stop: int | None) -> VectorOf[arb]:
        if not a or not b:
            return {}
        if len(a) * len(b) > _DENSE and _is_dense(a) and _is_dense(b):
            first, second = min(a), min(b)
            product = _polynomial(a, first) * _polynomial(b, second)
            start = first + second
            length = len(product) if stop is None else min(len(product), stop - start)
            found = ((start + i, product[i]) for i in range(length))
            return {n: c for n, c in found if not c.is_zero()}
        result: VectorOf[arb] = {}
        for i, x in a.items():
            for j, y in b.items():
                n = i + j
                if stop is None or n < stop:
                    old = result.get(n)
                    result[n] = x * y if old is None else old + x * y
        return {n: c for n, c in result.items() if not c.is_zero()}


def _is_dense(a: VectorOf[arb]) -> bool:
    return max(a) - min(a) < 4 * len(a)


def _polynomial(a: VectorOf[arb], start: int) -> arb_poly:
    zero = arb(0)
    return arb_poly([a.get(i, zero) for i in range(start, max(a) + 1)])


def _ball_function(function: Callable[..., Expr], args: tuple[arb, ...]) -> arb:
    """f at inexact points: the SymPy function names the expression, the ball evaluator encloses it."""
    symbols = [Dummy(real=True) for _ in args]
    value = ball(function(*symbols), dict(zip(symbols, args, strict=True)))
    if not value.is_finite():
        raise ExpansionError(
            f"the function {getattr(function, '__name__', 'applied here')} is not real at {args}"
        )
    return value
