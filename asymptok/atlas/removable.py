"""Zeros of denominators inside (-1, 1) that the numerators lift, as in sin(u)/u.

A denominator D with the exact zeros p of order m is (u-p)^m times a function that is to miss a ray on the boundary of a
domain, as any other denominator; so D vanishes nowhere else in it, and a quotient by D is meromorphic. Where the exact
expansion of the quotient at p has no negative power, it is analytic there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from flint import acb, arb, fmpq
from sympy import Expr

from asymptok import dag
from asymptok.atlas.local import Unproved, is_zero
from asymptok.balls import ball, compile_ball, complex_ball
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.precision import flint_precision, mpmath_precision
from asymptok.symbols import u

#: pieces of the interval in which zeros are looked for, and the highest order
_PIECES, _HIGHEST = 16, 6
_LARGEST_DENOMINATOR = 1000
#: bits of the guess at a zero, and steps towards it
_DOUBLE, _STEPS = 53, 30


def zeros_inside(base: Expr) -> tuple[tuple[Expr, int], ...]:
    """(p, m) with base = O((u-p)^m), -1 < p < 1, exact; some zeros may be missing.

    >>> from sympy import sin
    >>> zeros_inside(u * sin(u)), zeros_inside(u - 2)
    (((0, 2),), ())
    """
    found: dict[Expr, int] = {}
    with flint_precision(64):
        value = compile_ball(base, [u])
        if not value(arb(0, 1)).contains(0):
            return ()
        for j in range(_PIECES):
            here = arb(fmpq(2 * j + 1 - _PIECES, _PIECES), fmpq(1, _PIECES))
            if not value(here).contains(0):
                continue
            try:
                point = exact_zero([base], acb(here))
                if point is not None and point not in found and abs(ball(point)) < 1:
                    found[point] = _order(base, point)
            except (Unproved, AsymptokError):
                continue
    return tuple(found.items())


def lifted_zeros(expr: Expr) -> list[Expr]:
    """The points inside (-1, 1) at which denominators in the expression vanish."""
    below = {
        node.base for node in dag.postorder(expr) if node.is_Pow and node.exp.is_Integer and node.exp < 0
    }
    found = {point for base in below if base.has(u) for point, _ in zeros_inside(base)}
    return sorted(found, key=lambda point: float(ball(point)))


def _order(f: Expr, point: Expr) -> int:
    """How many of f, f', ... vanish at the point; each zero is proved."""
    count = 0
    while count < _HIGHEST and vanishes(f, point):
        count, f = count + 1, dag.derivative(f, u)
    return count


def poles_left(node: Expr, points: Iterable[Expr]) -> set[Expr]:
    """Those of the points at which the meromorphic function has a pole; Unproved if that is not decided."""
    left = set()
    for point in points:
        try:
            found = puiseux(node, u, point, "+", 0)
        except AsymptokError as error:
            raise Unproved(str(error)) from error
        if any(not t.exponent >= 0 for t in found.terms):
            left.add(point)
    return left


def vanishes(f: Expr, point: Expr) -> bool:
    """Whether f(point) = 0, proved; Unproved where f has no value or it is open."""
    value = dag.value_at(f, u, point)
    if value is None:
        raise Unproved(f"{f} has no value at u = {point}")
    try:
        return is_zero(value)
    except AsymptokError as error:
        raise Unproved(str(error)) from error


def exact_zero(functions: list[Expr], box: acb) -> Expr | None:
    """An exact real point in the box at which all the functions are proved to vanish; None if none is seen."""
    for point in _candidates(functions[0], box):
        if all(vanishes(f, point) for f in functions):
            return point
    return None


def _candidates(f: Expr, box: acb) -> list[Expr]:
    found: list[Expr] = []
    if f.is_polynomial(u) and f.has(u):
        try:
            poly = sympy.Poly(f, u)
            found = [
                r for factor, _ in poly.factor_list()[1] if factor.degree() <= 2 for r in sympy.roots(factor)
            ]
        except sympy.PolynomialError:
            found = []
    else:
        where = _newton(f, float(box.real.mid()))
        if where is not None:
            rational = Fraction(where).limit_denominator(_LARGEST_DENOMINATOR)
            over_pi = Fraction(where / float(sympy.pi)).limit_denominator(_LARGEST_DENOMINATOR)
            found = [sympy.Rational(rational), sympy.Rational(over_pi) * sympy.pi]
    return [p for p in found if p.is_real and box.contains(complex_ball(p))]


def _newton(f: Expr, x: float) -> float | None:
    """A zero near x in doubles: a guess, to be proved."""
    value, slope = _in_doubles(f)
    try:
        with mpmath_precision(_DOUBLE):
            for _ in range(_STEPS):
                step = complex(value(x) / slope(x))
                x -= step.real
                if abs(x) > 2:  # mpmath takes minutes for a cosine of something huge
                    return None
                if abs(step) < 1e-14:
                    break
    except (ArithmeticError, ValueError, TypeError):  # mpmath's, at a pole or outside a domain
        return None
    return x


@lru_cache(maxsize=64)
def _in_doubles(f: Expr) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """f and f': the same denominator is asked for in thousands of boxes."""
    return sympy.lambdify(u, f, "mpmath"), sympy.lambdify(u, dag.derivative(f, u), "mpmath")


__all__ = ["lifted_zeros", "poles_left", "zeros_inside"]
