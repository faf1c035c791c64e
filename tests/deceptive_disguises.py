"""Identities: each writes a function f with |f| <= B in another way, equal to f wherever both are defined.

The truth about f is therefore the truth about the disguise: a pointwise identity on [-1, 1], up to isolated points
at which the written form has a hole, changes neither smoothness nor analyticity nor any eigenvalue. Each line
says why it is one. Nothing is assumed of f but its bound, so that disguises may be put on top of each other, and on
kinks as well as on analytic functions.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import sympy
from deceptive_parts import Part, filler, gap, larger, smaller
from sympy import (
    Abs,
    Expr,
    Piecewise,
    Rational,
    acos,
    asin,
    asinh,
    atan,
    atanh,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    gamma,
    log,
    pi,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)

from asymptok.symbols import u

Rule = Callable[[random.Random, Expr, Rational], Expr]


# ------------------------------------------------------------------------------------- the number 1


def _pythagoras(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    g = rng.choice([gap(rng).expr, filler(rng).expr, Abs(gap(rng).expr)])
    return f * (sin(g) ** 2 + cos(g) ** 2)


def _hyperbolic_pythagoras(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    g = rng.choice([gap(rng).expr, filler(rng).expr])
    return f * (cosh(g) ** 2 - sinh(g) ** 2)


def _error_functions(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    g = gap(rng).expr
    return f * (erf(g) + erfc(g))


def _two_arcs(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    # asin x + acos x = pi/2 on [-1, 1]; atan x + atan(1/x) = pi/2 for x > 0
    g = filler(rng)
    x = g.expr / (2 * g.bound)
    return f * 2 / pi * rng.choice([asin(x) + acos(x), atan(1 + x) + atan(1 / (1 + x))])


def _roots_of_a_product(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    # |x| <= 1/2: both factors are positive
    g = filler(rng)
    x = g.expr / (2 * g.bound)
    return f * sqrt(1 - x**2) / (sqrt(1 - x) * sqrt(1 + x))


# ------------------------------------------------------------------------------------- there and back


def _modulus(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    # f + 2B >= B > 0
    return Abs(f + 2 * bound) - 2 * bound


def _root_of_square(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    return sqrt(f**2 + 4 * bound * f + 4 * bound**2) - 2 * bound


def _cube_root_of_cube(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    return ((f + 2 * bound) ** 3) ** Rational(1, 3) - 2 * bound


def _inverse_function(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    # |x| <= 1: inside the range of every principal branch used here
    x = f / bound
    return (
        bound
        * rng.choice(
            [
                lambda: asin(sin(x)),
                lambda: atan(tan(x)),
                lambda: asinh(sinh(x)),
                lambda: atanh(tanh(x)),
                lambda: acos(cos(x + Rational(3, 2))) - Rational(3, 2),
                lambda: log(cosh(x) + sinh(x)),
                lambda: asin(2 * sin(x / 2) * cos(x / 2)),
            ]
        )()
    )


def _log_of_product(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    g = filler(rng)
    positive = 2 * g.bound + g.expr
    return bound * (log(exp(f / bound) * positive) - log(positive))


def _lambert(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    # x >= -1/2 > -1, the range of the principal branch
    x = f / (2 * bound)
    return 2 * bound * sympy.LambertW(x * exp(x))


def _half_angle(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    # (1 - cos x)/sin x = tan(x/2): a hole where f = 0
    x = f / bound
    return 2 * bound * atan((1 - cos(x)) / sin(x))


def _gamma_ratio(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    # Gamma(x+1)/Gamma(x) = x for x > 0, and with a hole at x = 0 for |x| < 1
    shift = rng.choice([2, 2, 0])
    x = f / (2 * bound) + shift
    return 2 * bound * (gamma(x + 1) / gamma(x) - shift)


# ------------------------------------------------------------------------------------- choices that are none


def _dominated(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    h = filler(rng)
    below = -bound - Rational(1, 2) - h.bound + h.expr
    return rng.choice(
        [
            lambda: larger(f, -2 * bound),
            lambda: smaller(f, 3 * bound),
            lambda: larger(f, below),
            lambda: smaller(f, -below),
            lambda: larger(f, below, -3 * bound),
            lambda: smaller(larger(f, -2 * bound), 2 * bound),
        ]
    )()


def _larger_and_smaller(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    # max(f, h) + min(f, h) = f + h, wherever the two cross
    h = rng.choice([gap(rng), filler(rng)]).expr
    return larger(f, h) + smaller(f, h) - h


def _cancelling_kinks(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    g = gap(rng).expr
    return (
        f
        + rng.choice(
            [lambda: larger(g, 0) - (g + Abs(g)) / 2, lambda: sqrt(sympy.expand(g**2)) - larger(g, -g)]
        )()
    )


def _same_pieces(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    a = rng.choice([Rational(0), Rational(1, 3), Rational(-1, 2), Rational(7, 10)])
    other = rng.choice(
        [_pythagoras, _inverse_function, _log_of_product, _root_of_square, _hyperbolic_pythagoras]
    )
    first, second = f, other(rng, f, bound)
    if rng.random() < 0.5:
        first, second = second, first
    return Piecewise((first, u < a), (second, True))


# ------------------------------------------------------------------------------------- quotients


def _difference_of_squares(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    # a hole where f = g; g carries an odd multiple so that f = g holds at isolated points only
    g = Rational(7, 13) * gap(rng).expr
    return (f**2 - g**2) / (f - g) - g


def _difference_of_cubes(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    # x^2 + xy + y^2 = 0 only where x = y = 0
    g = Rational(5, 11) * gap(rng).expr
    return (f**3 - g**3) / (f**2 + f * g + g**2) + g


def _common_factor(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    g = gap(rng).expr
    return (f * g + g**2) / g - g


def _reciprocals(rng: random.Random, f: Expr, bound: Rational) -> Expr:
    # 1/f - c + c
    c = rng.choice([1, 2, Rational(1, 3)])
    return 1 / ((1 - c * f) / f + c)


#: identities that ask nothing of f, those that use its bound, and those with holes; weights are how often they occur
FREE: list[Rule] = [_pythagoras, _hyperbolic_pythagoras, _error_functions, _two_arcs, _roots_of_a_product]
BOUNDED: list[Rule] = [
    _modulus,
    _root_of_square,
    _cube_root_of_cube,
    _inverse_function,
    _inverse_function,
    _log_of_product,
    _lambert,
    _gamma_ratio,
    _dominated,
    _dominated,
    _same_pieces,
]
CROSSING: list[Rule] = [_larger_and_smaller, _cancelling_kinks]
HOLES: list[Rule] = [
    _half_angle,
    _difference_of_squares,
    _difference_of_cubes,
    _common_factor,
    _common_factor,
    _reciprocals,
]


def disguise(rng: random.Random, part: Part) -> tuple[Part, str]:
    """The same function under one random identity, and its name."""
    kind = rng.random()
    if part.bound is None:
        rules = FREE if kind < 0.7 else [_common_factor, _difference_of_squares]
    elif kind < 0.25:
        rules = FREE
    elif kind < 0.7:
        rules = BOUNDED
    elif kind < 0.8:
        rules = CROSSING
    else:
        rules = HOLES
    rule = rng.choice(rules)
    bound = part.bound if part.bound is not None else Rational(1)
    return part.shown_as(rule(rng, part.expr, bound)), rule.__name__.strip("_")
