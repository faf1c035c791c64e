"""Quotients 0/0: sin(u)/u and (1-u^2)/(1-u) on a box around the zero of the denominator.

If F is analytic on a convex box and vanishes at u0 to order m, F(z)/(z-u0)^m is a mean of F^(m)/m! over the segment
from u0 to z, so it lies in the enclosure of F^(m)/m! on the box. Numerator and denominator are both divided by
(z-u0)^m; the zeros are proved exactly, at an exact point u0, or the quotient is left unproved.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import factorial
from typing import Any

import sympy
from flint import acb
from sympy import Expr, S

from asymptok import dag
from asymptok.balls import complex_ball
from asymptok.balls.functions import integer_power
from asymptok.errors import AsymptokError
from asymptok.precision import mpmath_precision
from asymptok.spectrum.local import Doubt, Unproved, is_zero
from asymptok.symbols import u

#: orders of a zero that are looked at
_HIGHEST = 12
_LARGEST_DENOMINATOR = 1000
#: bits of the guess at a zero, and steps towards it
_DOUBLE, _STEPS = 53, 30
#: larger expressions are not brought over one denominator
_LARGEST = 200


class Quotient:
    """A product with inverse powers that may have a pole in the box, and a numerator that may lift it."""

    def __init__(self, node: Expr, evaluator: Callable[[Any], Callable[[Any], Any]]) -> None:
        self._evaluator = evaluator
        self._factors = [
            factor.as_base_exp()
            if factor.is_Pow and factor.exp.is_Integer and factor.exp < 0
            else (factor, S.One)
            for factor in node.args
        ]
        self._zeros: dict[Any, dict[Any, int]] = {}

    def __call__(self, box: acb) -> acb:
        below: list[tuple[Any, Any]] = []
        above: list[tuple[Any, Expr | int]] = []
        for base, exponent in self._factors:
            poles = exponent.is_negative and self._evaluator(base)(box).contains(0)
            (below if poles else above).append((base, exponent))
        # without a denominator a factor such as Gamma(u) is infinite by itself
        point = exact_zero([base for base, _ in below], box) if below else None
        if point is None:
            raise Unproved("a denominator may vanish in the box, at no exact point that is known", Doubt.POLE)
        total, result = 0, acb(1)
        for base, exponent in below:
            order = self._order(base, point, _HIGHEST)
            reduced = self._divided(base, order, box)
            if reduced.contains(0):
                raise Unproved("a denominator may have further zeros in the box", Doubt.POLE)
            total -= order * int(exponent)
            result = result * integer_power(reduced, int(exponent))
        numerator = sympy.Mul(*(base**exponent for base, exponent in above))
        if self._order(numerator, point, total) < total:
            raise Unproved("a pole in the box that the numerator does not lift", Doubt.POLE)
        # analytic on the box, and not only its derivative
        self._evaluator(numerator)(box)
        return self._divided(numerator, total, box) * result

    def _divided(self, f: Expr, order: int, box: acb) -> acb:
        for _ in range(order):
            f = dag.derivative(f, u)
        return self._evaluator(f)(box) / factorial(order)

    def _order(self, f: Expr, point: Expr, most: int) -> int:
        """How many of f, f', ... vanish at the point, at most `most`; each zero is proved."""
        known = self._zeros.setdefault(f, {})
        if point not in known:
            count, g = 0, f
            while count < most and vanishes(g, point):
                count += 1
                g = dag.derivative(g, u)
            known[point] = count
        return known[point]


def vanishes(f: Expr, point: Expr) -> bool:
    """Whether f(point) = 0, proved; Unproved where f has no value or it is open."""
    value = dag.value_at(f, u, point)
    if value is None:
        raise Unproved(f"{f} has no value at u = {point}", Doubt.POLE)
    try:
        return is_zero(value)
    except AsymptokError as error:
        raise Unproved(str(error), Doubt.POLE) from error


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
    return [p for p in found if p.is_real and box.contains(_ball(p))]


def _ball(point: Expr) -> acb:
    return complex_ball(point)


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


def normal_form(expr: Expr) -> Any:
    """The expression over one denominator, tan and its kin as quotients; None if it is too large."""
    if dag.tree_size(expr) > _LARGEST:
        return None
    replaced = {
        node: _QUOTIENTS[type(node)](node.args[0]) for node in dag.postorder(expr) if type(node) in _QUOTIENTS
    }
    return sympy.together(dag.rebuild(expr, replaced))


_QUOTIENTS: dict[object, Callable[[Any], Any]] = {
    sympy.tan: lambda x: sympy.sin(x) / sympy.cos(x),
    sympy.cot: lambda x: sympy.cos(x) / sympy.sin(x),
    sympy.sec: lambda x: 1 / sympy.cos(x),
    sympy.csc: lambda x: 1 / sympy.sin(x),
    sympy.tanh: lambda x: sympy.sinh(x) / sympy.cosh(x),
    sympy.coth: lambda x: sympy.cosh(x) / sympy.sinh(x),
    sympy.sech: lambda x: 1 / sympy.cosh(x),
    sympy.csch: lambda x: 1 / sympy.sinh(x),
}
