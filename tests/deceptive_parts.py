"""The parts of deceptive kernels: functions with known zeros, known bounds, and values that need no disguise.

A `Part` is shown as a SymPy expression and known as a function of mpmath numbers, its `plain` form, which has no
removable holes. Whatever is built of parts carries its truth along; nothing here asks the package.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import mpmath as mp
import numerics
import sympy
from sympy import Expr, Max, Min, Piecewise, Rational, S, atan, cos, cosh, erf, exp, log, pi, sin, sqrt, tanh

from asymptok.symbols import u

Real = Callable[[Any], Any]


def larger(*branches: Any) -> Expr:
    """Max as written: SymPy's own comparison of the branches can take minutes."""
    return Max(*branches, evaluate=False)


def smaller(*branches: Any) -> Expr:
    return Min(*branches, evaluate=False)


@dataclass(frozen=True)
class Part:
    """A function on [-1, 1]: the expression shown, the same function in plain form, and |f| <= bound (None: unbounded).

    `entire`: it is the restriction of an entire function. `degree`: it is a polynomial of at most this degree.
    """

    expr: Expr
    plain: Real
    bound: Rational | None
    entire: bool = False
    degree: int | None = None

    def shown_as(self, expr: Expr) -> Part:
        """The same function, written differently."""
        return Part(expr, self.plain, self.bound, self.entire, self.degree)


@dataclass(frozen=True)
class Gap(Part):
    """A function analytic on [-1, 1] whose zeros there are known: simple, inside, and no others.

    `starts` are decimal starting values for them; `root(i)` gives as many digits as mpmath is set to.
    """

    starts: tuple[str, ...] = ()
    at_zero: bool = False

    def shown_as(self, expr: Expr) -> Gap:
        return Gap(expr, self.plain, self.bound, self.entire, self.degree, self.starts, self.at_zero)

    @property
    def roots(self) -> tuple[Callable[[], Any], ...]:
        return tuple(_root(self, start) for start in self.starts)


def _root(gap: Gap, start: str) -> Callable[[], Any]:
    function = gap.plain

    @cache
    def at(dps: int) -> Any:
        with mp.workdps(dps + 10):
            return mp.findroot(function, mp.mpf(start), tol=mp.mpf(10) ** (-2 * dps), maxsteps=200)

    return lambda: at(mp.mp.dps)


# ------------------------------------------------------------------------------------- values by mpmath

_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **numerics._FUNCTIONS,
    sympy.csc: mp.csc,
    sympy.zeta: mp.zeta,
    sympy.digamma: mp.digamma,
}


def shown(expr: Expr, values: dict[Any, Any]) -> Any:
    """The expression as it stands, by mpmath; a hole that can be filled divides by zero here."""
    memo: dict[Any, Any] = dict(values)

    def visit(node: Any) -> Any:
        if node in memo:
            return memo[node]
        if node.is_Rational:
            result = mp.mpf(int(node.p)) / int(node.q)
        elif node is sympy.E:
            result = +mp.e
        elif node.is_NumberSymbol:
            result = mp.mpmathify(node.evalf(mp.mp.dps + 10))
        elif isinstance(node, sympy.hyper):
            upper, lower = ([visit(x) for x in group] for group in (node.ap, node.bq))
            result = mp.hyper(upper, lower, visit(node.argument))
        elif isinstance(node, Piecewise):
            result = next(visit(branch) for branch, condition in node.args if holds(condition))
        else:
            result = _FUNCTIONS[node.func](*[visit(child) for child in node.args])
            if isinstance(result, mp.mpc) and result.imag == 0:
                result = result.real
        memo[node] = result
        return result

    def holds(condition: Any) -> bool:
        if condition in (S.true, S.false):
            return bool(condition)
        left, right = visit(condition.lhs), visit(condition.rhs)
        return bool(
            {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[condition.rel_op]
        )

    return visit(expr)


def number(q: Rational) -> Any:
    """A rational at the precision that mpmath is set to when the value is asked for."""
    return mp.mpf(int(q.p)) / int(q.q)


def by_value(expr: Expr) -> Real:
    """The plain form of an expression that has no hole."""
    return lambda x: shown(expr, {u: x})


#: functions with the hole at 0 filled: how they are written, plain, whether entire, and a bound on |g| that they need
QUOTIENTS: list[tuple[Callable[[Expr], Expr], Real, bool, Rational | None]] = [
    (lambda g: sin(g) / g, lambda x: mp.hyp0f1(1.5, -(x**2) / 4), True, None),
    (lambda g: (exp(g) - 1) / g, lambda x: mp.hyp1f1(1, 2, x), True, None),
    (lambda g: (1 - cos(g)) / g**2, lambda x: mp.hyper([1], [1.5, 2], -(x**2) / 4) / 2, True, None),
    (lambda g: sympy.sinh(g) / g, lambda x: mp.hyp0f1(1.5, x**2 / 4), True, None),
    (lambda g: erf(g) / g, lambda x: 2 / mp.sqrt(mp.pi) * mp.hyp1f1(0.5, 1.5, -(x**2)), True, None),
    (lambda g: sympy.besselj(1, g) / g, lambda x: mp.hyp0f1(2, -(x**2) / 4) / 2, True, None),
    (lambda g: g / (exp(g) - 1), lambda x: 1 / mp.hyp1f1(1, 2, x), False, None),
    (lambda g: g / sympy.sinh(g), lambda x: 1 / mp.hyp0f1(1.5, x**2 / 4), False, None),
    (lambda g: g / sympy.tanh(g), lambda x: mp.cosh(x) / mp.hyp0f1(1.5, x**2 / 4), False, None),
    (lambda g: log(1 + g) / g, lambda x: mp.hyp2f1(1, 1, 2, -x), False, Rational(4, 5)),
    (lambda g: g / log(1 + g), lambda x: 1 / mp.hyp2f1(1, 1, 2, -x), False, Rational(4, 5)),
    (lambda g: sympy.tan(g) / g, lambda x: mp.hyp0f1(1.5, -(x**2) / 4) / mp.cos(x), False, Rational(6, 5)),
    (lambda g: g / sin(g), lambda x: 1 / mp.hyp0f1(1.5, -(x**2) / 4), False, Rational(5, 2)),
    (lambda g: sympy.asin(g) / g, lambda x: mp.hyp2f1(0.5, 0.5, 1.5, x**2), False, Rational(4, 5)),
    (lambda g: atan(g) / g, lambda x: mp.hyp2f1(0.5, 1, 1.5, -(x**2)), False, None),
    (lambda g: (exp(g) - 1 - g) / g**2, lambda x: mp.hyp1f1(1, 3, x) / 2, True, None),
    (lambda g: (g - sin(g)) / g**3, lambda x: mp.hyper([1], [2, 2.5], -(x**2) / 4) / 6, True, None),
]


# ------------------------------------------------------------------------------------- functions with zeros


def _monotone(expr: Expr, start: str, entire: bool, degree: int | None = None) -> Gap:
    """A function monotone on [-1, 1] with one zero: its largest modulus is at an end."""
    plain = by_value(expr)
    largest = max(abs(plain(mp.mpf(1))), abs(plain(mp.mpf(-1))))
    bound = Rational(int(mp.ceil(10 * largest)) + 1, 10)
    return Gap(expr, plain, bound, entire, degree, (start,), start == "0")


def _even(expr: Expr, start: str, entire: bool, degree: int | None = None) -> Gap:
    """An even function monotone on [0, 1] with the zeros +-start."""
    plain = by_value(expr)
    largest = max(abs(plain(mp.mpf(1))), abs(plain(mp.mpf(0))))
    bound = Rational(int(mp.ceil(10 * largest)) + 1, 10)
    return Gap(expr, plain, bound, entire, degree, (start, "-" + start), False)


def _gaps() -> list[Callable[[random.Random], Gap]]:
    def linear(rng: random.Random) -> Gap:
        a = rng.choice(
            [Rational(p, q) for p, q in ((1, 3), (-2, 5), (1, 7), (9, 10), (-31, 100), (3, 4), (-5, 6))]
        )
        return _monotone(u - a, str(mp.mpf(a.p) / a.q), True, 1)

    def origin(rng: random.Random) -> Gap:
        return _monotone(rng.choice([S.One, S(2), Rational(1, 2)]) * u, "0", True, 1)

    def near_end(rng: random.Random) -> Gap:
        # a zero at distance 2^-j of an end
        s = rng.choice((1, -1))
        a = s * (1 - Rational(1, 2 ** rng.choice((9, 14, 20, 30))))
        return _monotone(u - a, str(mp.mpf(a.p) / a.q), True, 1)

    def irrational(rng: random.Random) -> Gap:
        a = rng.choice([sqrt(2) / 3, -sqrt(3) / 4, pi / 7, -pi / 5, sqrt(5) - 2, exp(-1), log(2), 1 / pi - 1])
        return _monotone(u - a, str(sympy.N(a, 17)), True, 1)

    def exponential(rng: random.Random) -> Gap:
        q = rng.choice(
            [Rational(1, 2), Rational(3, 2), S(2), Rational(12, 5), Rational(7, 5), Rational(3, 5)]
        )
        return _monotone(exp(u) - q, str(sympy.N(log(q), 17)), True)

    def cosine(rng: random.Random) -> Gap:
        # -sin u - 1 < 0 on [-1, 1]
        return rng.choice(
            [
                _monotone(cos(u) - u, "0.7390851332151606", True),
                _monotone(u - cos(u), "0.7390851332151606", True),
            ]
        )

    def cosine_half(rng: random.Random) -> Gap:
        # cos u = 2u: the derivative is -sin u - 2
        return _monotone(cos(u) - 2 * u, "0.4501836112948736", True)

    def cubic(rng: random.Random) -> Gap:
        q, start = rng.choice([(Rational(1, 2), "0.4238537990697832"), (S.One, "0.6823278038280193")])
        return _monotone(u**3 + u - q, start, True, 3)

    def sine(rng: random.Random) -> Gap:
        q = rng.choice([Rational(1, 3), Rational(-2, 5), Rational(3, 4)])
        return _monotone(sin(u) - q, str(sympy.N(sympy.asin(q), 17)), True)

    def lambert(rng: random.Random) -> Gap:
        # (1 + u) e^u >= 0 on [-1, 1]
        q = rng.choice([Rational(1, 2), S.One, S(2)])
        return _monotone(u * exp(u) - q, str(sympy.N(sympy.LambertW(q), 17)), True)

    def error_function(rng: random.Random) -> Gap:
        q, start = rng.choice(
            [(Rational(1, 2), "0.4769362762044699"), (Rational(-1, 3), "-0.3045701941739857")]
        )
        return _monotone(erf(u) - q, start, True)

    def arctangent(rng: random.Random) -> Gap:
        q = rng.choice([Rational(1, 2), Rational(-2, 3)])
        return _monotone(atan(3 * u) - q, str(sympy.N(sympy.tan(q) / 3, 17)), False)

    def logarithm(rng: random.Random) -> Gap:
        q = rng.choice([Rational(1, 2), Rational(2, 3), Rational(9, 10)])
        return _monotone(log(2 + u) - q, str(sympy.N(exp(q) - 2, 17)), False)

    def root(rng: random.Random) -> Gap:
        q = rng.choice([Rational(3, 2), Rational(4, 3), Rational(5, 4)])
        return _monotone(sqrt(2 + u) - q, str(sympy.N(q**2 - 2, 17)), False)

    def hyperbolic(rng: random.Random) -> Gap:
        q = rng.choice([Rational(1, 2), Rational(-1, 4)])
        return _monotone(tanh(2 * u) - q, str(sympy.N(sympy.atanh(q) / 2, 17)), False)

    def square(rng: random.Random) -> Gap:
        q = rng.choice([Rational(1, 2), Rational(1, 3), Rational(2, 7), Rational(1, 4)])
        return _even(u**2 - q, str(sympy.N(sqrt(q), 17)), True, 2)

    def hyperbolic_cosine(rng: random.Random) -> Gap:
        q = rng.choice([Rational(6, 5), Rational(5, 4), Rational(4, 3)])
        return _even(cosh(u) - q, str(sympy.N(sympy.acosh(q), 17)), True)

    simple = [linear, linear, origin, origin, exponential, cosine, square, cubic]
    hard = [
        near_end,
        irrational,
        cosine_half,
        sine,
        lambert,
        error_function,
        arctangent,
        logarithm,
        root,
        hyperbolic,
    ]
    return [*simple, *hard, hyperbolic_cosine]


_GAPS = _gaps()


def gap(rng: random.Random, single: bool = False) -> Gap:
    """A function with known simple zeros inside; `single`: just one, not at 0, so that no parity hides it."""
    while True:
        found = rng.choice(_GAPS)(rng)
        if not single or (len(found.starts) == 1 and not found.at_zero):
            return found


# ------------------------------------------------------------------------------------- harmless functions


def filler(rng: random.Random, entire: bool | None = None) -> Part:
    """A function analytic on [-1, 1], of modulus at most its bound."""
    a = rng.choice([Rational(1, 2), Rational(1, 3), Rational(2, 5), Rational(3, 7), Rational(5, 6)])
    b = rng.choice([Rational(1, 2), Rational(1, 3), Rational(-1, 4), Rational(2, 3), Rational(-3, 5)])
    whole: list[tuple[Expr, Rational, int | None]] = [
        (a * u + b, a + abs(b), 1),
        (a * u**2 + b * u, a + abs(b), 2),
        (b * u**3 - a * u**2 + a, 2 * a + abs(b), 3),
        (a * cos(2 * u + b), a, None),
        (b * sin(3 * u), abs(b), None),
        (a * exp(u / 2), 2 * a, None),
        (b * exp(-u), 3 * abs(b), None),
        (a * cosh(u + b), 3 * a, None),
    ]
    others: list[tuple[Expr, Rational]] = [
        (a / (3 - u), a / 2),
        (b * sqrt(2 + u), 2 * abs(b)),
        (a * log(3 + u), 2 * a),
        (b * atan(2 * u), 2 * abs(b)),
        (a * tanh(u + b), a),
        (b / (1 + u**2), abs(b)),
    ]
    if entire is None:
        entire = rng.random() < 0.6
    if entire:
        expr, bound, degree = rng.choice(whole)
        return Part(expr, by_value(expr), bound, True, degree)
    expr, bound = rng.choice(others)
    return Part(expr, by_value(expr), bound)
