"""What stands behind a disguise: a function whose regularity is known because of how it was made.

`Core.smooth`: C-infinity on (-1, 1) once the isolated holes are filled. `Core.analytic`: analytic on [-1, 1] in the
same sense. `points`: all points of (-1, 1) where it is not smooth; `flat_at`: those where it is smooth, not analytic;
`complex_on`: intervals on which it is not real.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import sympy
from deceptive_disguises import disguise
from deceptive_parts import QUOTIENTS, Gap, Part, by_value, filler, gap, larger, number, smaller
from sympy import (
    Abs,
    Expr,
    I,
    Integer,
    Rational,
    acos,
    asin,
    atan,
    cos,
    cosh,
    exp,
    log,
    pi,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)

from asymptok.symbols import u


@dataclass(frozen=True)
class Point:
    """A point where the function is not smooth; nu as in |u - u0|^nu, None where no power describes it."""

    where: Callable[[], Any]
    kind: str
    nu: Rational | None = None


@dataclass(frozen=True)
class Core:
    """A function and the truth about it. `nearest`: the singular points on the largest ellipse, if they are known."""

    part: Part
    made: str
    smooth: bool = True
    analytic: bool = True
    points: tuple[Point, ...] = ()
    flat_at: tuple[Callable[[], Any], ...] = ()
    complex_on: tuple[tuple[Any, Any], ...] = ()
    nearest: tuple[Expr, ...] = field(default=())

    def real_valued(self) -> bool:
        return not self.complex_on


Maker = Callable[[random.Random], Core]


def hidden_gap(rng: random.Random, single: bool = False) -> Gap:
    """A function with known zeros, one time in four in disguise."""
    found = gap(rng, single)
    if rng.random() < 0.25:
        shown, _ = disguise(rng, found)
        assert isinstance(shown, Gap)
        return shown
    return found


def scaled(g: Gap, limit: Rational | None) -> tuple[Expr, Callable[[Any], Any]]:
    """g, or a multiple of it that stays below the limit."""
    if limit is None or g.bound <= limit:
        return g.expr, g.plain
    factor = limit / g.bound
    return factor * g.expr, lambda x: number(factor) * g.plain(x)


# ------------------------------------------------------------------------------------- analytic on [-1, 1]


def plain_function(rng: random.Random) -> Core:
    f = filler(rng)
    return Core(f, "an analytic function")


def removable_quotient(rng: random.Random) -> Core:
    """Q(g) with Q analytic at 0 and on the range of g: the hole at g = 0 is filled by Q(0)."""
    g = hidden_gap(rng)
    index = rng.randrange(len(QUOTIENTS))
    write, q, entire, limit = QUOTIENTS[index]
    shown, value = scaled(g, limit)
    # the largest value of each of these functions over |x| <= 6 is below e^6, and g/... below 20
    bound = Rational(int(sympy.ceiling(exp(g.bound))) + 1) if limit is None else Integer(4)
    return Core(
        Part(write(shown), lambda x: q(value(x)), bound, entire and g.entire), f"removable quotient {index}"
    )


def divided_difference(rng: random.Random) -> Core:
    """(F(x) - F(y))/(x - y) = F'(mean) is entire in (x, y) for entire F."""
    x, y = rng.choice(
        [
            lambda: (cos(u), u),
            lambda: (u, sqrt(2) / 3),
            lambda: (exp(u), Integer(2)),
            lambda: (u, pi / 7),
            lambda: (u, exp(-1)),
            lambda: (sin(2 * u), u / 2),
            lambda: (u**2, u / 3),
            lambda: (u, Rational(2, 3)),
        ]
    )()
    shape = rng.randrange(4)
    mean, half = by_value((x + y) / 2), by_value((x - y) / 2)
    sinc = lambda v: mp.hyp0f1(1.5, -(v**2) / 4)  # noqa: E731
    sinhc = lambda v: mp.hyp0f1(1.5, v**2 / 4)  # noqa: E731
    # e^x - e^y = 2 e^mean sinh(half), sin x - sin y = 2 cos(mean) sin(half), x^4 - y^4 = (x-y)(x+y)(x^2+y^2)
    expr, plain = [
        ((exp(x) - exp(y)) / (x - y), lambda v: mp.exp(mean(v)) * sinhc(half(v))),
        ((sin(x) - sin(y)) / (x - y), lambda v: mp.cos(mean(v)) * sinc(half(v))),
        ((cos(x) - cos(y)) / (x - y), lambda v: -mp.sin(mean(v)) * sinc(half(v))),
        ((x**4 - y**4) / (x - y), by_value((x + y) * (x**2 + y**2))),
    ][shape]
    return Core(Part(expr, plain, Integer(90), True), "divided difference")


def poles_undone(rng: random.Random) -> Core:
    """Functions with poles inside a function that undoes them: |c g| < 1 keeps 1 - c g away from 0."""
    g = hidden_gap(rng)
    c = Rational(1, 2) / g.bound
    e, v = g.expr, g.plain
    expr, plain, bound = rng.choice(
        [
            lambda: (1 / (1 / e - c), lambda x: v(x) / (1 - number(c) * v(x)), 2 * g.bound),
            lambda: (1 / (1 + 1 / e**2), lambda x: v(x) ** 2 / (1 + v(x) ** 2), Integer(1)),
            lambda: (1 / (e + 1 / e), lambda x: v(x) / (1 + v(x) ** 2), Integer(1)),
            lambda: (exp(-1 / (1 + 1 / e**2)), lambda x: mp.exp(-(v(x) ** 2) / (1 + v(x) ** 2)), Integer(1)),
            lambda: (atan(1 / e**2), lambda x: mp.pi / 2 - mp.atan(v(x) ** 2), Integer(2)),
            lambda: (1 / (2 + 1 / e**4), lambda x: v(x) ** 4 / (1 + 2 * v(x) ** 4), Integer(1)),
            lambda: (sympy.coth(e) - 1 / e, lambda x: _langevin(v(x)), Integer(1)),
            lambda: (1 / sin(c * e) - 1 / (c * e), lambda x: _cosecant(number(c) * v(x)), Integer(1)),
            lambda: (1 / (exp(e) - 1) - 1 / e, lambda x: _bernoulli(v(x)), Integer(1)),
            lambda: (log(1 + 1 / e**2) + log(e**2), lambda x: mp.log(1 + v(x) ** 2), 2 + g.bound),
        ]
    )()
    return Core(Part(expr, plain, bound), "poles undone")


def _langevin(x: Any) -> Any:
    # coth x - 1/x = (x cosh x - sinh x)/(x sinh x) = x 0F1(;5/2;x^2/4)/(3 0F1(;3/2;x^2/4))
    return x * mp.hyp0f1(2.5, x**2 / 4) / (3 * mp.hyp0f1(1.5, x**2 / 4))


def _cosecant(x: Any) -> Any:
    # 1/sin x - 1/x = (x - sin x)/x^3 * x * (x/sin x)
    return mp.hyper([1], [2, 2.5], -(x**2) / 4) / 6 * x / mp.hyp0f1(1.5, -(x**2) / 4)


def _bernoulli(x: Any) -> Any:
    # (x - e^x + 1)/(x (e^x - 1)) = -((e^x - 1 - x)/x^2)/((e^x - 1)/x)
    return -mp.hyp1f1(1, 3, x) / 2 / mp.hyp1f1(1, 2, x)


def even_of_root(rng: random.Random) -> Core:
    """An even entire function of sqrt(g) is an entire function of g, also where g < 0 and the root is imaginary."""
    g = hidden_gap(rng)
    s, v = sqrt(g.expr), g.plain
    expr, f, entire = rng.choice(
        [
            lambda: (cos(s), lambda x: mp.hyp0f1(0.5, -x / 4), True),
            lambda: (cosh(s), lambda x: mp.hyp0f1(0.5, x / 4), True),
            lambda: (sin(s) / s, lambda x: mp.hyp0f1(1.5, -x / 4), True),
            lambda: (sinh(s) / s, lambda x: mp.hyp0f1(1.5, x / 4), True),
            lambda: (s * sin(s), lambda x: x * mp.hyp0f1(1.5, -x / 4), True),
            lambda: (s / sinh(s), lambda x: 1 / mp.hyp0f1(1.5, x / 4), False),
            lambda: (sympy.besselj(0, s), lambda x: mp.hyp0f1(1, -x / 4), True),
        ]
    )()
    bound = Rational(int(sympy.ceiling(exp(sqrt(g.bound)) * (1 + g.bound))) + 1)
    return Core(Part(expr, lambda x: f(v(x)), bound, entire and g.entire), "even function of a root")


def even_of_modulus(rng: random.Random) -> Core:
    """An even function of |g| is that function of g."""
    g = gap(rng)
    m, v = Abs(g.expr), g.plain
    bound = Rational(int(sympy.ceiling(2 * exp(g.bound))) + 1)
    expr, f = rng.choice(
        [
            lambda: (exp(m) + exp(-m), lambda x: 2 * mp.cosh(x)),
            lambda: (sin(m) / m, lambda x: mp.hyp0f1(1.5, -(x**2) / 4)),
            lambda: (m * atan(m), lambda x: x * mp.atan(x)),
            lambda: (sqrt(g.expr**2) * sin(m), lambda x: x * mp.sin(x)),
            lambda: (m * tanh(m), lambda x: x * mp.tanh(x)),
            lambda: (larger(g.expr, 0) ** 2 + smaller(g.expr, 0) ** 2, lambda x: x**2),
            lambda: (larger(g.expr, 0) ** 3 + smaller(g.expr, 0) ** 3, lambda x: x**3),
            lambda: (log(1 + m) + log(1 / (1 + m)) + g.expr**2, lambda x: x**2),
        ]
    )()
    return Core(Part(expr, lambda x: f(v(x)), bound * (1 + g.bound) ** 3), "even function of a modulus")


def polynomial(rng: random.Random) -> Core:
    """Polynomials that do not look like one: terminating series, Chebyshev, expansions of a power."""
    b, c = rng.choice([(1, 3), (Rational(1, 2), Rational(3, 2)), (2, Rational(5, 2))])
    n = rng.choice([2, 3, 4])
    argument = rng.choice([u, (1 - u) / 2, 2 * u - 1])
    series = sum(
        (
            sympy.rf(-n, j) * sympy.rf(b, j) / sympy.rf(c, j) / sympy.factorial(j) * argument**j
            for j in range(n + 1)
        ),
        Integer(0),
    )
    r = sqrt(2) * (u**n - u)
    expr, plain, degree = rng.choice(
        [
            lambda: (sympy.hyper([-n, b], [c], argument), series, n),
            lambda: (cos(n * acos(u)), sympy.chebyshevt(n, u), n),
            lambda: (r + pi * u, r + pi * u, n),
            lambda: ((1 - u ** (n + 1)) / (1 - u), sum((u**j for j in range(n + 1)), Integer(0)), n),
            lambda: ((u**2 - Rational(1, 9)) / (u - Rational(1, 3)), u + Rational(1, 3), 1),
            lambda: (sqrt(1 - u**2) * sin(2 * acos(u)), 2 * u * (1 - u**2), 3),
        ]
    )()
    # |u| <= 1: the moduli of the coefficients add up to a bound
    bound = sympy.ceiling(sum(abs(a) for a in sympy.Poly(plain, u).all_coeffs()))
    return Core(Part(expr, by_value(plain), bound, True, degree), "polynomial")


def dominated_choice(rng: random.Random) -> Core:
    """The kinks of inner branches lie below (above) a branch that is larger (smaller) everywhere."""
    g, h, top = gap(rng), gap(rng), filler(rng)
    high = g.bound + h.bound + top.bound + 1
    above = high + top.expr
    expr, sign = rng.choice(
        [
            lambda: (larger(g.expr, h.expr, above), 1),
            lambda: (larger(Abs(g.expr), above), 1),
            lambda: (smaller(g.expr, -Abs(h.expr), -above), -1),
            lambda: (larger(smaller(g.expr, h.expr), above), 1),
            lambda: (Abs(above + larger(g.expr, 0)) - larger(g.expr, 0), 1),
        ]
    )()
    return Core(
        Part(expr, lambda x: sign * (number(high) + top.plain(x)), high + top.bound, top.entire, top.degree),
        "dominated branch",
    )


def near_miss(rng: random.Random) -> Core:
    """The twins of the hidden poles: the zero of the denominator lies outside [-1, 1], if only just."""
    shape = rng.randrange(7)
    if shape == 0:  # u/(u q(u)) with q > 0
        q = rng.choice(
            [Rational(6, 5) - cos(u), exp(u) + Rational(1, 9), u**2 + Rational(1, 50), 2 + sin(3 * u)]
        )
        expr = u / sympy.expand(u * q)
        return Core(Part(expr, by_value(1 / q), Integer(60)), "removable factor, no other zero")
    if shape == 1:  # a zero at 1 + 2^-j
        a = rng.choice((1, -1)) * (1 + Rational(1, 2 ** rng.choice((6, 12, 20))))
        form = rng.choice([1 / (u - a), 1 / (exp(u) - exp(a)), 1 / (sin(u) - sin(a))])
        return Core(Part(form, by_value(form), Integer(2**23)), "pole just outside", nearest=(a,))
    if shape == 2:  # a tangent whose poles are outside
        c, scale = rng.choice([(Integer(100), 10), (Integer(31), 7), (Rational(1, 3), 2), (Integer(7), 8)])
        form = tan(u / scale + c)
        poles = [scale * (pi / 2 + j * pi - c) for j in range(-3, 40)]
        assert all(abs(float(z)) > 1 for z in poles)
        nearest = min(poles, key=lambda z: abs(float(z)))
        return Core(Part(form, by_value(form), Integer(2000)), "tangent", nearest=(nearest,))
    if shape == 3:  # sqrt of a quadratic that just stays positive
        a = rng.choice([Rational(1, 3), Rational(-1, 5), Rational(0)])
        delta = Rational(1, 10 ** rng.choice((1, 3, 6)))
        form = rng.choice([sqrt((u - a) ** 2 + delta), log((u - a) ** 2 + delta), 1 / ((u - a) ** 2 + delta)])
        z = a + I * sqrt(delta)
        bound = Integer(2) + 1 / delta
        return Core(Part(form, by_value(form), bound), "quadratic", nearest=(z, sympy.conjugate(z)))
    if shape == 4:  # asin of something that just stays below 1
        a = rng.choice([Rational(1, 3), Rational(-1, 5)])
        delta = Rational(1, 10 ** rng.choice((2, 4, 8)))
        form = asin(1 - delta - (u - a) ** 2 / 4)
        return Core(Part(form, by_value(form), Integer(2)), "arcsine just below 1")
    if shape == 5:  # Hurwitz, gamma and its derivatives: the nearest pole is at u = -a
        a = rng.choice([Rational(3, 2), Integer(2), Rational(21, 20)])
        form = rng.choice([sympy.zeta(2, u + a), sympy.gamma(u + a), sympy.polygamma(1, u + a)])
        return Core(Part(form, by_value(form), Integer(500)), "gamma family", nearest=(-a,))
    # 1/(1 + 1/(u^2 + b)) = (u^2 + b)/(u^2 + b + 1): poles at +-i sqrt(b+1), not at +-i sqrt(b)
    b = rng.choice([4, 1, Rational(1, 4)])
    form = 1 / (1 + 1 / (u**2 + b))
    z = I * sqrt(Integer(1) + b)
    plain = by_value((u**2 + b) / (u**2 + b + 1))
    return Core(Part(form, plain, Integer(1)), "poles moved", nearest=(z, -z))


ANALYTIC: list[Maker] = [
    plain_function,
    plain_function,
    removable_quotient,
    removable_quotient,
    divided_difference,
    poles_undone,
    even_of_root,
    even_of_modulus,
    polynomial,
    dominated_choice,
    near_miss,
    near_miss,
]
