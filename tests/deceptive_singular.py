"""Cores that are not analytic: flat inside, singular inside, not real; each beside its harmless twin.

E = exp(-1/g^2) is C-infinity and flat where g = 0. E times a function whose derivatives grow at most like powers of
1/g is flat as well. What grows like exp(c/g^2) is compared with E exactly, in the comments.
"""

from __future__ import annotations

import random
from typing import Any

import mpmath as mp
import sympy
from deceptive_cores import Core, Maker, Point, hidden_gap
from deceptive_parts import Gap, Part, by_value, filler, gap, larger, number, smaller
from sympy import (
    Abs,
    Integer,
    Piecewise,
    Rational,
    S,
    acos,
    asin,
    atan,
    cos,
    cosh,
    erf,
    exp,
    log,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)

from asymptok.symbols import u


def _points(g: Gap, kind: str, nu: Any = None) -> tuple[Point, ...]:
    return tuple(Point(root, kind, None if nu is None else S(nu)) for root in g.roots)


def _flat(x: Any) -> Any:
    """exp(-1/x^2), 0 at x = 0."""
    return mp.mpf(0) if x == 0 else mp.exp(-1 / x**2)


def _filled(f: Any) -> Any:
    return lambda x: mp.mpf(0) if x == 0 else f(x)


# ------------------------------------------------------------------------------------- C-infinity, not analytic


def flat(rng: random.Random) -> Core:
    """Smooth plus something flat and not 0: the Taylor series converges to another function, so it is not analytic."""
    g = hidden_gap(rng)
    e, v = g.expr, g.plain
    E, m = exp(-1 / e**2), Abs(e)
    expr, f, bound = rng.choice(
        [
            lambda: (E, _flat, 1),
            # powers, moduli, signs and logarithms: derivatives grow like powers of 1/g (and logs)
            lambda: (E * m, lambda x: _flat(x) * abs(x), g.bound),
            lambda: (E * sign(e), lambda x: _flat(x) * mp.sign(x), 1),
            lambda: (E / e**3, _filled(lambda x: _flat(x) / x**3), 2),
            lambda: (E * log(m), _filled(lambda x: _flat(x) * mp.log(abs(x))), g.bound + 1),
            lambda: (E / sqrt(m), _filled(lambda x: _flat(x) / mp.sqrt(abs(x))), 2),
            lambda: (E * (2 + sin(1 / e)), _filled(lambda x: _flat(x) * (2 + mp.sin(1 / x))), 3),
            # E cosh(c/g^2) with c <= 1: (e^((c-1)/g^2) + e^(-(c+1)/g^2))/2
            lambda: (E * cosh(1 / e**2), lambda x: (1 + _flat(x) ** 2) / 2, 1),
            lambda: (E * sinh(1 / e**2), lambda x: (1 - _flat(x) ** 2) / 2, 1),
            lambda: (E * cosh(1 / (2 * e**2)), lambda x: (mp.sqrt(_flat(x)) + mp.sqrt(_flat(x)) ** 3) / 2, 1),
            # E/(E + E^2) = 1/(1 + E)
            lambda: (E / (E + E**2), lambda x: 1 / (1 + _flat(x)), 1),
            lambda: (e**2 * log(E + E**2), lambda x: -1 + x**2 * mp.log1p(_flat(x)), 1 + g.bound**2),
            lambda: (sqrt(E + E**2), lambda x: mp.sqrt(_flat(x)) * mp.sqrt(1 + _flat(x)), 2),
            lambda: (Abs(E * e), lambda x: _flat(x) * abs(x), g.bound),
            lambda: (E / (E + e**2), _filled(lambda x: _flat(x) / (_flat(x) + x**2)), 1),
            lambda: (exp(-1 / m), _filled(lambda x: mp.exp(-1 / abs(x))), 1),
            # tanh(1/g^2) = (1 - E^2)/(1 + E^2)
            lambda: (tanh(1 / e**2), lambda x: (1 - _flat(x) ** 2) / (1 + _flat(x) ** 2), 1),
            lambda: (erf(1 / e) ** 2, lambda x: mp.mpf(1) if x == 0 else mp.erf(1 / x) ** 2, 1),
            lambda: (cos(E), lambda x: mp.cos(_flat(x)), 1),
            lambda: (E ** Rational(1, 3), lambda x: mp.cbrt(_flat(x)), 1),
            lambda: (1 / (2 + sin(E)), lambda x: 1 / (2 + mp.sin(_flat(x))), 1),
        ]
    )()
    part = Part(expr, lambda x: f(v(x)), S(bound))
    return Core(part, "flat", smooth=True, analytic=False, flat_at=g.roots)


def flat_piece(rng: random.Random) -> Core:
    """exp(-1/(u-a)) to the right of a and 0 to the left: C-infinity, not analytic."""
    a = rng.choice([Rational(0), Rational(1, 3), Rational(-1, 2)])
    h = filler(rng)
    expr = Piecewise((h.expr, u <= a), (h.expr + exp(-1 / (u - a)), True))
    value = lambda x: h.plain(x) + (mp.exp(-1 / (x - number(a))) if x > number(a) else 0)  # noqa: E731
    where = (lambda: number(a),)
    return Core(Part(expr, value, h.bound + 1), "flat piece", smooth=True, analytic=False, flat_at=where)


FLAT: list[Maker] = [flat, flat, flat, flat, flat_piece]


# ------------------------------------------------------------------------------------- bounded, singular inside


def kink(rng: random.Random) -> Core:
    """An odd function of |g| with |g|^n in front, times a smooth function that is not 0 there: nu = n."""
    g = hidden_gap(rng, single=rng.random() < 0.8)
    e, v = g.expr, g.plain
    m = Abs(e)
    b = Rational(int(sympy.ceiling(exp(g.bound))) + 1)
    expr, f, nu, bound = rng.choice(
        [
            lambda: (m, abs, 1, g.bound),
            lambda: (sqrt(sympy.expand(e**2)), abs, 1, g.bound),
            lambda: (larger(e, -e), abs, 1, g.bound),
            lambda: (m**3, lambda x: abs(x) ** 3, 3, g.bound**3),
            lambda: (m**7, lambda x: abs(x) ** 7, 7, g.bound**7),
            lambda: ((e**2 + e**4) ** Rational(5, 2), lambda x: abs(x) ** 5 * (1 + x**2) ** 2.5, 5, (3 + g.bound) ** 9),
            lambda: (larger(e, 0) + 1, lambda x: max(x, 0) + 1, 1, g.bound + 1),
            lambda: (larger(e, 0) ** 2 - e, lambda x: max(x, 0) ** 2 - x, 2, g.bound**2 + g.bound),
            lambda: (smaller(e, e**2), lambda x: min(x, x**2), None, g.bound + g.bound**2),
            lambda: (sin(m), lambda x: mp.sin(abs(x)), 1, Integer(1)),
            lambda: (exp(-m), lambda x: mp.exp(-abs(x)), 1, Integer(1)),
            lambda: (m * sin(e), lambda x: abs(x) * mp.sin(x), 2, g.bound),
            lambda: (e * atan(1 / e), lambda x: mp.pi / 2 * abs(x) - x * mp.atan(x), 1, Integer(1)),
            lambda: (e * tanh(1 / e), _filled(lambda x: x * mp.tanh(1 / x)), 1, g.bound),
            lambda: (acos(cos(e / g.bound)), lambda x: abs(x) / number(g.bound), 1, Integer(1)),
            lambda: (cos(sqrt(m)), lambda x: mp.cos(mp.sqrt(abs(x))), 1, Integer(1)),
            lambda: (sinh(m) / e + e, lambda x: mp.sign(x) * mp.hyp0f1(1.5, x**2 / 4) + x, 0, b + g.bound),
            lambda: (sqrt(m), lambda x: mp.sqrt(abs(x)), Rational(1, 2), 1 + g.bound),
            lambda: (m ** Rational(7, 3), lambda x: abs(x) ** (mp.mpf(7) / 3), Rational(7, 3), (1 + g.bound) ** 3),
            lambda: (e**2 * log(m), _filled(lambda x: x**2 * mp.log(abs(x))), None, (1 + g.bound) ** 3),
            lambda: (sign(e) * e**2, lambda x: mp.sign(x) * x**2, 2, g.bound**2),
            lambda: (sign(e) + e, lambda x: mp.sign(x) + x, 0, 1 + g.bound),
            lambda: (tanh(1 / e), lambda x: mp.mpf(0) if x == 0 else mp.tanh(1 / x), 0, Integer(1)),
        ]
    )()  # fmt: skip
    made = "kink or the like"
    if expr.func is sympy.Min:
        # min(g, g^2): kinks at g = 0 and at g = 1, and the second may lie inside as well: known if |g| < 1
        if g.bound >= 1:
            return kink(rng)
        nu = 1
    return Core(Part(expr, lambda x: f(v(x)), S(bound)), made, False, False, _points(g, "kink", nu))


def flat_and_kink(rng: random.Random) -> Core:
    """A kink that flat factors seem to hide: E cosh(1/g^2) = (1 + E^2)/2 is 1/2 where g = 0."""
    g = gap(rng, single=True)
    e, v = g.expr, g.plain
    E, m = exp(-1 / e**2), Abs(e)
    expr, f, nu, bound = rng.choice(
        [
            lambda: (m * E * cosh(1 / e**2), lambda x: abs(x) * (1 + _flat(x) ** 2) / 2, 1, g.bound),
            lambda: (sign(e) * E * sinh(1 / e**2), lambda x: mp.sign(x) * (1 - _flat(x) ** 2) / 2, 0, 1),
            lambda: (E * m / (E + E**2), lambda x: abs(x) / (1 + _flat(x)), 1, g.bound),
            lambda: (m**3 * E / (E + E**3), lambda x: abs(x) ** 3 / (1 + _flat(x) ** 2), 3, g.bound**3),
            lambda: (sqrt(e**2 + E), lambda x: mp.sqrt(x**2 + _flat(x)), 1, 1 + g.bound),
            lambda: (Abs(e + E * e), lambda x: abs(x) * (1 + _flat(x)), 1, 2 * g.bound),
            lambda: (e**2 * log(E + m), _filled(lambda x: x**2 * mp.log(abs(x) + _flat(x))), None, 9 + 9 * g.bound**3),
            # bounded by E, and its derivative is not: cos(e^(1/g^2)) (-2/g^3) + ...
            lambda: (E * (2 + sin(1 / E)), _filled(lambda x: _flat(x) * (2 + mp.sin(mp.exp(1 / x**2)))), None, 3),
        ]
    )()  # fmt: skip
    return Core(
        Part(expr, lambda x: f(v(x)), S(bound)),
        "kink behind a flat factor",
        False,
        False,
        _points(g, "kink", nu),
    )


def active_branch(rng: random.Random) -> Core:
    """max(a, b, low): the branches cross above `low`, so the kink is real; a - b = g has simple zeros only."""
    g, h = gap(rng, single=True), filler(rng)
    low = -g.bound - h.bound - 1
    a, b = h.expr + g.expr, h.expr
    expr, f = rng.choice(
        [
            lambda: (larger(a, b, low), lambda x: h.plain(x) + max(g.plain(x), 0)),
            lambda: (smaller(a, b, -low), lambda x: h.plain(x) + min(g.plain(x), 0)),
            lambda: (larger(smaller(a, b), low - 1), lambda x: h.plain(x) + min(g.plain(x), 0)),
        ]
    )()
    return Core(Part(expr, f, g.bound + h.bound), "active branch", False, False, _points(g, "kink", 1))


def high_jump(rng: random.Random) -> Core:
    """A jump of the derivative of order n, and of none before: c (u-a)^n on one side only."""
    a = rng.choice([Rational(0), Rational(1, 3), Rational(-1, 2), Rational(3, 5)])
    n = rng.choice([1, 2, 3, 5, 8, 12, 20, 40])
    h = filler(rng)
    c = rng.choice([Integer(1), Rational(1, 2), Rational(-1, 3)])
    shape = rng.randrange(3)
    power = c * (u - a) ** n
    if shape == 0:
        expr = Piecewise((h.expr, u < a), (h.expr + power, True))
    elif shape == 1:
        expr = Piecewise((h.expr + power, u > a), (h.expr, True))
    else:
        expr = h.expr + power * (1 + sign(u - a)) / 2
    value = lambda x: h.plain(x) + (number(c) * (x - number(a)) ** n if x > number(a) else 0)  # noqa: E731
    return Core(
        Part(expr, value, h.bound + 2**n),
        f"jump of order {n}",
        False,
        False,
        (Point(lambda: number(a), "kink", S(n)),),
    )


BOUNDED: list[Maker] = [kink, kink, kink, flat_and_kink, flat_and_kink, active_branch, high_jump]


# ------------------------------------------------------------------------------------- unbounded or not real


def pole(rng: random.Random) -> Core:
    """1/g and relatives: the zeros of g are simple, so |f| -> oo there."""
    g = hidden_gap(rng)
    e, v = g.expr, g.plain
    E = exp(-1 / e**2)
    c = 1 / (2 * g.bound)
    expr, f, nu = rng.choice(
        [
            lambda: (1 / e, lambda x: 1 / x, -1),
            lambda: (1 / e**2, lambda x: 1 / x**2, -2),
            lambda: ((1 + e) / sin(c * e), lambda x: (1 + x) / mp.sin(number(c) * x), -1),
            lambda: (1 / (exp(e) - 1), lambda x: 1 / mp.expm1(x), -1),
            lambda: (cos(e) / e, lambda x: mp.cos(x) / x, -1),
            lambda: (1 / (1 - cos(c * e)), lambda x: 1 / (1 - mp.cos(number(c) * x)), -2),
            lambda: (log(1 + c * e) / e**2, lambda x: mp.log(1 + number(c) * x) / x**2, -1),
            lambda: (1 / tanh(e), lambda x: 1 / mp.tanh(x), -1),
            lambda: (log(Abs(e)), lambda x: mp.log(abs(x)), None),
            lambda: (1 / sqrt(Abs(e)), lambda x: 1 / mp.sqrt(abs(x)), Rational(-1, 2)),
            # flat parts that do not save it
            lambda: (log(E + E**2), lambda x: -1 / x**2 + mp.log1p(_flat(x)), -2),
            lambda: (1 / (E + E**2), lambda x: 1 / (_flat(x) + _flat(x) ** 2), None),
            lambda: (E * sinh(2 / e**2), lambda x: (mp.exp(1 / x**2) - mp.exp(-3 / x**2)) / 2, None),
            lambda: (E * cosh(3 / e**2), lambda x: (mp.exp(2 / x**2) + mp.exp(-4 / x**2)) / 2, None),
            lambda: (exp(1 / e**2) / (1 + E), lambda x: mp.exp(1 / x**2) / (1 + _flat(x)), None),
            lambda: ((E + E**2) / (E**2 + E**3), lambda x: mp.exp(1 / x**2), None),
            lambda: (sympy.gamma(c * e), lambda x: mp.gamma(number(c) * x), -1),
            lambda: (sympy.zeta(2, c * e), lambda x: mp.zeta(2, number(c) * x), -2),
        ]
    )()
    return Core(Part(expr, lambda x: f(v(x)), None), "pole", False, False, _points(g, "pole", nu))


def second_zero(rng: random.Random) -> Core:
    """p/(p q) with the product written out: the zero of p is removable, that of q is a pole."""
    p = rng.choice([u, u - Rational(1, 3), u + Rational(1, 2)])
    a = rng.choice(
        [
            lambda: Rational(2, 5),
            lambda: Rational(-3, 7),
            lambda: 1 - Rational(1, 2**18),
            lambda: Rational(-9, 10),
            lambda: Rational(1, 7) + Rational(1, 2**40),
        ]
    )()
    q, nu = rng.choice(
        [
            lambda: (cos(u) - cos(a), -1),
            lambda: (exp(u) - exp(a), -1),
            lambda: (u - a, -1),
            lambda: ((sin(u) - sin(a)) ** 2, -2),
            lambda: ((exp(u) - exp(a)) ** 2, -2),
            lambda: ((u - a) ** 2 * (2 + u), -2),
        ]
    )()  # fmt: skip
    points = [Point(lambda: number(a), "pole", S(nu))]
    if q.func is sympy.Add and q.has(cos):
        points.append(Point(lambda: -number(a), "pole", S(nu)))
    return Core(
        Part(p / sympy.expand(p * q), by_value(1 / q), None), "second zero", False, False, tuple(points)
    )


def near_second_zero(rng: random.Random) -> Core:
    """u/(e^u - 1 - c u): 0 is removable, and the other zero w of (e^u - 1)/u = c is a pole; c is rounded."""
    w = rng.choice([1 - Rational(1, 2**19), Rational(3, 7), -1 + Rational(1, 2**15), Rational(-5, 8)])
    c = Rational(str(sympy.N((exp(w) - 1) / w, 40)))
    start = str(sympy.N(w, 17))
    ratio = lambda x: mp.hyp1f1(1, 2, x)  # noqa: E731
    where = lambda: mp.findroot(lambda x: ratio(x) - number(c), mp.mpf(start))  # noqa: E731
    part = Part(u / (exp(u) - 1 - c * u), lambda x: 1 / (ratio(x) - number(c)), None)
    return Core(part, "second zero near an end", False, False, (Point(where, "pole", S(-1)),))


def tangent(rng: random.Random) -> Core:
    """tan(u/s + c) with one pole inside: c is pi/2 + j pi less the shift, rounded to a rational."""
    s, j = rng.choice([(10, 31), (3, 4), (7, 100), (1, 12)])
    a = rng.choice([Rational(1, 4), Rational(-3, 5), 1 - Rational(1, 2**12)])
    c = Rational(str(sympy.N(sympy.pi / 2 + j * sympy.pi - a / s, 30)))
    where = lambda: s * (mp.pi / 2 + j * mp.pi - number(c))  # noqa: E731
    expr = tan(u / s + c)
    points = [Point(where, "pole", S(-1))]
    if s == 1 and a - 3 > -1:
        raise AssertionError("a second pole")
    return Core(Part(expr, by_value(expr), None), "tangent", False, False, tuple(points))


def not_real(rng: random.Random) -> Core:
    """Complex on an interval, if only on a short one."""
    a = rng.choice([Rational(1, 3), Rational(-1, 5), Rational(0), Rational(3, 4)])
    delta = Rational(1, 10 ** rng.choice((1, 2, 4, 8, 12)))
    x = (u - a) ** 2 / 4  # below 1
    h = filler(rng)
    everywhere = ((Integer(-1), Integer(1)),)
    inside = ((a - 2 * sqrt(delta), a + 2 * sqrt(delta)),)
    expr, where = rng.choice(
        [
            lambda: (Integer(-2) ** u, everywhere),
            lambda: ((1 - sqrt(2)) ** u, everywhere),
            lambda: ((-h.expr - 2 * h.bound) ** Rational(1, 2) + u, everywhere),
            lambda: (log(-1 - u**2), everywhere),
            lambda: (log(x - delta), inside),
            lambda: (sqrt(x - delta), inside),
            lambda: ((x - delta) ** Rational(3, 4), inside),
            lambda: (asin(1 + delta - x), inside),
            lambda: (acos(1 + delta - x), inside),
            lambda: (sympy.acosh(1 + x - delta), inside),
            lambda: (sympy.atanh(1 + delta - x), inside),
            lambda: (sqrt(u - a), ((Integer(-1), a),)),
            lambda: ((u - a) ** Rational(1, 3), ((Integer(-1), a),)),
            lambda: (sin(sqrt(u - a)), ((Integer(-1), a),)),
            lambda: (log(u - a), ((Integer(-1), a),)),
            lambda: (sympy.elliptic_k(1 + delta - x), inside),
        ]
    )()
    return Core(Part(expr, by_value(expr), None), "not real", False, False, complex_on=where)


UNBOUNDED: list[Maker] = [pole, pole, pole, second_zero, near_second_zero, tangent, not_real, not_real]
