"""The names a text may use: those in the records of the functions, and the syntax in the table at the end.

A builder takes the arguments that were read and returns the SymPy expression with its ball (None unless all
arguments are constants). Balls come first: SymPy is asked only for constants known to be finite and real.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import Expr, Integer, Pow, Rational, S

from asymptok.functions import RECORDS, Record, record_of
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.powers import integer_power, real_power
from asymptok.parameters import CONSTANTS
from asymptok.parsing.limits import (
    MAX_ARGUMENT_BITS,
    MAX_DEGREE,
    MAX_HYPER,
    MAX_ORDER,
    MAX_RADICAND_BITS,
    Refused,
    Size,
    Value,
    bits_of,
    check_constant,
    check_growth,
)

Built = tuple[Any, Any]

#: prefixes that are read over, so that code can be pasted: np.sqrt, math.pi
MODULES = frozenset({"np", "numpy", "math", "sp", "sympy"})


@dataclass(frozen=True, slots=True)
class Entry:
    """How one function is called and built; `kinds` names the arguments, the last one repeats if `many`.

    `chooses` marks the functions whose arguments SymPy compares with one another.
    """

    build: Callable[..., Built]
    kinds: tuple[str, ...] = ("value",)
    optional: int = 0
    many: bool = False
    chooses: bool = False

    def arity(self) -> str:
        most = len(self.kinds)
        least = most - self.optional
        if self.many:
            return f"{least} or more arguments"
        return f"{most} argument{'s' * (most != 1)}" if least == most else f"{least} to {most} arguments"

    def accepts(self, count: int) -> bool:
        most = len(self.kinds)
        return most - self.optional <= count and (self.many or count <= most)

    def kind(self, index: int) -> str:
        return self.kinds[min(index, len(self.kinds) - 1)]


# ------------------------------------------------------------------------------------- arithmetic


def number(value: Expr | int) -> Value:
    """An exact rational as a value."""
    rational = Rational(value)
    return Value(rational, exact_ball(rational), Size(1, bits_of(rational), 0, 0, True))


def exact_ball(rational: Expr) -> arb:
    return arb(fmpq(int(rational.p), int(rational.q)))


def power(base: Value, exponent: Value) -> Built:
    """base**exponent; constants must have a real value."""
    if base.expr is S.Exp1:
        return exponential(exponent)
    whole = isinstance(exponent.expr, Integer)
    check_growth(base.size.bits, exponent.expr)
    if not whole:
        _check_radicand(base.expr)
    ball = None
    if base.ball is not None and exponent.ball is not None:
        ball = _constant_power(base.ball, exponent, whole)
    return Pow(base.expr, exponent.expr), ball


def _constant_power(base: arb, exponent: Value, whole: bool) -> arb:
    if base.contains(0) and not exponent.ball > 0 and exponent.expr != 0:
        raise Refused("division by zero, or by a constant that cannot be told from zero")
    if whole:
        ball = integer_power(base, int(exponent.expr))
    elif base < 0:
        raise Refused("a negative number to a fractional power is complex (cbrt takes real cube roots)")
    else:
        ball = real_power(base, exponent.ball)
    check_constant(ball, "the power")
    return ball


def _check_radicand(base: Expr) -> None:
    for term in sympy.Add.make_args(base):
        if bits_of(term.as_coeff_Mul()[0]) > MAX_RADICAND_BITS:
            raise Refused(f"a fractional power of a number of more than {MAX_RADICAND_BITS} bits")


def exponential(x: Value) -> Built:
    # exp(n*log(a)) becomes a**n, also as one term of a sum
    if x.expr.has(sympy.log):
        check_growth(x.size.bits, x.expr)
    return _apply(sympy.exp, x)


# --------------------------------------------------------------------------- functions of numbers


def _apply(cls: Any, *args: Value) -> Built:
    ball, record = None, record_of(cls)
    if all(a.ball is not None for a in args):
        if record is None:
            raise Refused(f"{cls.__name__} of a constant has no enclosure")
        if cls is not sympy.log and any(a.ball.abs_lower() > arb(2) ** MAX_ARGUMENT_BITS for a in args):
            # SymPy evaluates constants when it prints them, and mpmath cannot do that for every large number
            raise Refused(f"{cls.__name__} of a constant above 2**{MAX_ARGUMENT_BITS}")
        ball = record.real(*(a.ball for a in args))
        check_constant(ball, f"{cls.__name__} of this constant")
    make = cls if record is None or record.make is None else record.make
    return make(*(a.expr for a in args)), ball


def _plain(cls: object) -> Callable[..., Built]:
    return lambda *args: _apply(cls, *args)


def _check_order(order: Value, what: str) -> None:
    if order.ball is not None and not order.ball.abs_upper() <= MAX_ORDER:
        raise Refused(f"{what} must not exceed {MAX_ORDER} in absolute value")


def _ordered(cls: Any) -> Callable[..., Built]:
    """Functions whose first argument is an order, or gamma, whose values at integers are factorials."""

    def build(*args: Value) -> Built:
        _check_order(args[0], f"the first argument of {cls.__name__}")
        return _apply(cls, *args)

    return build


def _shifted(value: Value, ball_shift: int) -> Value:
    ball = None if value.ball is None else value.ball + ball_shift
    expr = value.expr + ball_shift
    if isinstance(expr, Rational):
        return number(expr)
    return Value(expr, ball, value.size)


def _logarithm(x: Value, base: Value | None = None) -> Built:
    if base is None:
        return _apply(sympy.log, x)
    if base.ball is not None and not (base.ball > 0 and not base.ball.contains(1)):
        raise Refused("the base of a logarithm is positive and not 1")
    return _apply(sympy.log, x, base)


def _expm1(x: Value) -> Built:
    expr, ball = exponential(x)
    return expr - 1, None if ball is None else ball - 1


def _root(x: Value, n: Value) -> Built:
    if not isinstance(n.expr, Integer) or n.expr < 1:
        raise Refused("the degree of a root is a positive integer")
    return power(x, number(1 / n.expr))


def _cbrt(x: Value) -> Built:
    # The real root, as in NumPy. SymPy's own cbrt is complex for x < 0, where no kernel could use it.
    third = number(Rational(1, 3))
    if x.ball is not None:
        if not x.ball < 0:
            return power(x, third)
        expr, ball = power(Value(-x.expr, -x.ball, x.size), third)
        return -expr, -ball
    if x.expr.is_nonnegative:
        return power(x, third)
    _check_radicand(x.expr)
    return sympy.sign(x.expr) * sympy.Abs(x.expr) ** Rational(1, 3), None


def _rational(p: Value, q: Value | None = None) -> Built:
    q = q or number(1)
    if not (isinstance(p.expr, Rational) and isinstance(q.expr, Rational)):
        raise Refused("Rational takes numbers: Rational(1, 3)")
    if q.expr == 0:
        raise Refused("division by zero")
    return p.expr / q.expr, None


def _arc_cosine(order: Value, x: Value) -> Built:
    if not (isinstance(order.expr, Integer) and 0 <= order.expr <= MAX_ORDER):
        raise Refused(f"the order of kappa is a whole number from 0 to {MAX_ORDER}")
    return _apply(ArcCosine, order, x)


def _polynomial(cls: Any) -> Callable[..., Built]:
    """An orthogonal polynomial of fixed degree, multiplied out; its parameters are numbers or symbols."""

    def build(degree: Value, *args: Value) -> Built:
        if not (isinstance(degree.expr, Integer) and 0 <= degree.expr <= MAX_DEGREE):
            raise Refused(f"the degree of {cls.__name__} is a whole number from 0 to {MAX_DEGREE}")
        x = args[-1]
        t = sympy.Dummy()
        # by Horner's rule in the argument, which may be long
        found = sympy.Poly(cls(degree.expr, *(a.expr for a in args[:-1]), t), t)
        if x.expr.is_Symbol:
            return found.as_expr().xreplace({t: x.expr}), None
        total: Any = S.Zero
        for c in found.all_coeffs():
            total = total * x.expr + c
        ball = None
        if x.ball is not None and not total.free_symbols:
            ball = sum((_ball_of(c) * x.ball**i for i, c in enumerate(reversed(found.all_coeffs()))), arb(0))
        return total, ball

    return build


def _ball_of(c: object) -> arb:
    if not isinstance(c, Rational):
        raise Refused("the parameters of a polynomial of a constant are rational numbers")
    return exact_ball(c)


def _heaviside(x: Value, at_zero: Value | None = None) -> Built:
    middle = Rational(1, 2) if at_zero is None else at_zero.expr
    if x.ball is None:
        return sympy.Heaviside(x.expr, middle), None
    sign = _sign_of(x)
    return (middle if sign == 0 else Integer((1 + sign) // 2)), None


def _hyper(upper: list[Value], lower: list[Value], z: Value) -> Built:
    if max(len(upper), len(lower)) > MAX_HYPER:
        raise Refused(f"hyper takes at most {MAX_HYPER} parameters in each list")
    for parameter in (*upper, *lower, z):
        _check_order(parameter, "a constant in hyper")
    ball = None
    if all(v.ball is not None for v in (*upper, *lower, z)):
        found = record_of(sympy.hyper)
        assert found is not None  # it is a fixed entry of the table of balls
        ball = found.real([a.ball for a in upper], [b.ball for b in lower], z.ball)
        check_constant(ball, "hyper of these constants")
    return sympy.hyper([a.expr for a in upper], [b.expr for b in lower], z.expr), ball


# ------------------------------------------------------------------------------------ choices


def compare(operator: str, left: Value, right: Value) -> Expr:
    """A SymPy condition; constants are compared by their balls, since SymPy would evaluate numerically."""
    if left.ball is None or right.ball is None:
        return _RELATIONS[operator](left.expr, right.expr)
    if left.expr == right.expr:
        return S.true if operator in ("<=", ">=") else S.false
    if left.ball < right.ball:
        return S.true if operator in ("<", "<=") else S.false
    if left.ball > right.ball:
        return S.true if operator in (">", ">=") else S.false
    raise Refused("these two constants are too close to compare")


_RELATIONS: dict[str, Any] = {"<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge}


def _absolute(x: Value) -> Built:
    if x.ball is None:
        return sympy.Abs(x.expr), None
    return (-x.expr, -x.ball) if _sign_of(x) < 0 else (x.expr, x.ball)


def _sign(x: Value) -> Built:
    return (sympy.sign(x.expr), None) if x.ball is None else (Integer(_sign_of(x)), None)


def _sign_of(x: Value) -> int:
    if x.ball > 0 or x.ball < 0:
        return 1 if x.ball > 0 else -1
    if x.expr == 0:
        return 0
    raise Refused("the sign of this constant cannot be told")


def _extreme(cls: Any, keep: str) -> Callable[..., Built]:
    def build(*args: Value) -> Built:
        best: Value | None = None
        for value in args:
            if value.ball is not None and (best is None or compare(keep, value, best) is S.true):
                best = value
        rest = [a.expr for a in args if a.ball is None]
        if best is not None and not rest:
            return best.expr, best.ball
        return cls(*rest, *([] if best is None else [best.expr])), None

    return build


def _piecewise(*branches: tuple[Value, object]) -> Built:
    possible: list[tuple[Value, Any]] = []
    for value, condition in branches:
        if condition is not S.false:
            possible.append((value, condition))
        if condition is S.true:
            break
    if not possible:
        raise Refused("no condition of this Piecewise ever holds")
    first, condition = possible[0]
    if condition is S.true:
        return first.expr, first.ball
    return sympy.Piecewise(*((value.expr, c) for value, c in possible)), None


def _where(condition: Expr, yes: Value, no: Value) -> Built:
    return _piecewise((yes, condition), (no, S.true))


# ------------------------------------------------------------------------------------ the table

_TWO = ("value", "value")

#: what is more than a function by its name: other spellings of powers and logarithms, choices, lists of parameters
_SYNTAX: dict[str, Entry] = {
    "exp": Entry(exponential),
    "expm1": Entry(_expm1),
    "log ln": Entry(_logarithm, _TWO, optional=1),
    "log2": Entry(lambda x: _logarithm(x, number(2))),
    "log10": Entry(lambda x: _logarithm(x, number(10))),
    "log1p": Entry(lambda x: _logarithm(_shifted(x, 1))),
    "sqrt": Entry(lambda x: power(x, number(Rational(1, 2)))),
    "cbrt": Entry(_cbrt),
    "root": Entry(_root, _TWO),
    "square": Entry(lambda x: power(x, number(2))),
    "power pow Pow": Entry(power, _TWO),
    "Rational": Entry(_rational, _TWO, optional=1),
    "hyper": Entry(_hyper, ("list", "list", "value")),
    "legendre": Entry(_polynomial(sympy.legendre), _TWO),
    "chebyshevt": Entry(_polynomial(sympy.chebyshevt), _TWO),
    "chebyshevu": Entry(_polynomial(sympy.chebyshevu), _TWO),
    "hermite": Entry(_polynomial(sympy.hermite), _TWO),
    "gegenbauer": Entry(_polynomial(sympy.gegenbauer), ("value",) * 3),
    "jacobi": Entry(_polynomial(sympy.jacobi), ("value",) * 4),
    "Abs abs absolute fabs": Entry(_absolute, chooses=True),
    "sign": Entry(_sign, chooses=True),
    "Heaviside heaviside": Entry(_heaviside, _TWO, optional=1, chooses=True),
    "Min min minimum": Entry(_extreme(sympy.Min, "<"), many=True, chooses=True),
    "Max max maximum": Entry(_extreme(sympy.Max, ">"), many=True, chooses=True),
    "Piecewise": Entry(_piecewise, ("branch",), many=True, chooses=True),
    "where": Entry(_where, ("condition", "value", "value"), chooses=True),
    "kappa": Entry(_arc_cosine, _TWO),
    "kappa0": Entry(lambda x: _arc_cosine(number(0), x)),
    "kappa1": Entry(lambda x: _arc_cosine(number(1), x)),
}


def _entry(record: Record) -> Entry:
    build = _ordered(record.function) if record.ordered else _plain(record.function)
    return Entry(build, ("value",) * record.arity)


_TABLE: dict[str, Entry] = {
    **{" ".join(record.names): _entry(record) for record in RECORDS.values() if record.names},
    **_SYNTAX,
}


@cache
def functions() -> dict[str, Entry]:
    """Every name with its entry, aliases apart."""
    return {name: entry for names, entry in _TABLE.items() for name in names.split()}


def known_functions() -> tuple[tuple[str, ...], ...]:
    """The functions a text may call, each with its other names.

    >>> [names for names in known_functions() if "acos" in names]
    [('acos', 'arccos')]
    """
    return tuple(tuple(names.split()) for names in _TABLE)


def known_constants() -> tuple[str, ...]:
    """The constants a text may name.

    >>> known_constants()
    ('pi', 'E', 'e', 'EulerGamma', 'euler_gamma', 'Catalan')
    """
    return tuple(CONSTANTS)
