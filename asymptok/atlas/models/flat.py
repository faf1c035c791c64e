"""What is flat at an end, on the interval alone: exp(-c/t), erf(c/sqrt(t)), P(X > h, Y > k) for correlations near +-1.

With S = c t^-a (1+w), c, a > 0, |w| <= v < 1, and C = (c (1-v))^n
    exp(-S^n) <= exp(-C t^(-an)) <= t^top sup x^(top/(an)) e^(-Cx),     x = t^(-an) >= r^(-an).
Such a function has no terms; beyond the end it explodes, so that models on a sector have no place for it.
Orthant(h, k, r) has the derivative exp(-A/(1+r) - B/(1-r))/(2 pi sqrt(1-r^2)), A = (h+k)^2/4, B = (h-k)^2/4. Hence
    |Orthant(h, k, 1-y) - Orthant(h, k, 1)| <= exp(-B/y)/2,      or, if B = 0,
    Orthant(h, k, 1-y) = Orthant(h, k, 1) - sqrt(y) sum_n g_n y^n/(n+1/2),
    sum_n g_n s^n      = exp(-A/(2-s))/(2 pi sqrt(2-s)),
and likewise at r = -1, with A and B exchanged and the other sign.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy
from flint import arb, arb_series, fmpq
from sympy import Expr, S

from asymptok.atlas.local import Unproved, is_zero
from asymptok.atlas.models.arithmetic import Model
from asymptok.atlas.models.branches import limit_of
from asymptok.atlas.models.compositions import inside_two
from asymptok.balls import ball
from asymptok.constants.exponents import exponent_to_expr
from asymptok.precision import flint_length
from asymptok.symbols import u

if TYPE_CHECKING:
    from asymptok.atlas.models.rules import Modeller


def flat(self: Modeller, size: Model, expr: Expr, power: int = 1) -> Model:
    """A function f with |f| <= exp(-S^power) for 0 < t <= r, where `size` is the model of S, and S -> oo."""
    if not self.real:
        raise Unproved(f"exp(-{expr}) is flat at the end, and explodes beyond it")
    c, form, rest, w = self.lead(size, expr)
    variation = w.size(fmpq(0))
    a = -ball(exponent_to_expr(form, rest)) * power
    if not (c > 0 and a > 0 and variation < 1):
        raise Unproved(f"{expr} is not shown to tend to infinity at the end")
    rate = (c * (1 - variation)) ** power
    steps = arb(self.frame.top) / a
    x = steps / rate
    least = arb(self.frame.radius) ** -a
    x = least if x < least else x
    return Model(self.frame, {}, self.frame.top, (x**steps * (-rate * x).exp()).upper())


def error_function(self: Modeller, node: Expr) -> Model:
    """erf and erfc: |erf(x) - 1| <= exp(-x^2) for x >= 0."""
    inner = node.args[0]
    found = self.known[inner]
    if found.order >= 0:
        return self.regular(node)
    c, *_ = self.lead(found, inner)
    sign = 1 if c > 0 else -1
    erf = flat(self, found.scaled(arb(sign)), sign * inner, 2) + arb(sign)
    return erf if isinstance(node, sympy.erf) else erf.__rsub__(arb(1))


def orthant(self: Modeller, node: Expr) -> Model:
    """P(X > h, Y > k) with fixed thresholds."""
    h, k, inner = node.args
    limit = 0 if h.has(u) or k.has(u) else limit_of(self, inner)
    if not limit:
        return self.regular(node)
    near, far = (h - limit * k) ** 2 / 4, (h + limit * k) ** 2 / 4
    root, y = self.complement(inner, limit)
    value = ball(node.func(h, k, sympy.Integer(limit)))
    if not is_zero(near):
        away = 1 - limit * inner
        inverse = self.to_power(y, away, S.NegativeOne).scaled(ball(near))
        return flat(self, inverse, near / away).scaled(arb(fmpq(1, 2))) + value
    rho, count = inside_two(y), y.depth
    with flint_length(count):
        rest = arb_series([2, -1], prec=count)
        series = (-ball(far) / rest).exp() / rest.sqrt() / (2 * arb.pi())
        coefficients = [series[n] / arb(fmpq(2 * n + 1, 2)) for n in range(count)]
    # |exp(-A/(2-s))| <= 1 and |2-s| >= 2 - rho on |s| = rho, and 1/(n+1/2) <= 2
    size = 1 / (arb.pi() * (2 - rho).sqrt())
    grown: Model = root * y.composed(coefficients, size, rho)
    return grown.scaled(arb(-limit)) + value


__all__ = ["error_function", "flat", "orthant"]
