"""The part of mu_k that lies next to an end, integrated term by term from the local model of the kernel.

With t = 1 - cos theta and the polynomial P_k,
    int_0^theta0 kappa P_k sin^(d-2) dtheta = int_0^T kappa(1-t) S(t) t^((d-3)/2) dt,   S(t) = P_k(1-t) (2-t)^((d-3)/2),
and int_0^T t^(a-1) (log t)^j dt = T^a sum_l (-1)^l j!/(j-l)! (log T)^(j-l)/a^(l+1). The Taylor series of S at 0 is
cut off by Cauchy's estimate on |t| = R, where |P_k(cos theta)| <= exp(k |Im theta|) <= exp(k acosh(1+R)).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log2

import sympy
from flint import arb, arb_poly, fmpq
from sympy import Expr

from asymptok.atlas.local import Local, Unproved, behaviour, is_zero
from asymptok.atlas.models.arithmetic import Model
from asymptok.atlas.models.rules import local_model
from asymptok.balls import ball
from asymptok.constants.exponents import exponent_to_expr
from asymptok.errors import Impossible
from asymptok.functions.arccosine import ArcCosine
from asymptok.precision import flint_precision

#: radii that are tried: 2^-j
_HALVINGS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
#: T is at most 2^-_BITS_APART of the radius of the model, and of R
_BITS_APART = 8
#: k^2 R at most
_STEEP = 200


@dataclass(frozen=True)
class Cap:
    """0 <= theta <= pi 2^-level next to the end `at`, with a model of the kernel there."""

    at: int
    level: int
    model: Model
    goal: int

    @property
    def width(self) -> fmpq:
        """theta0/pi."""
        return fmpq(1, 1 << self.level)

    def moments(self, d: int, ks: list[int]) -> dict[int, arb]:
        """The integrals for each k, up to 2^-goal, at the current precision."""
        half = fmpq(d - 3, 2)
        edge = (arb.pi() * arb(self.width) / 2).sin() ** 2 * 2
        model, count = self.model, -(-self.goal // _BITS_APART) + 4
        terms = _integrals(model, edge, half, count)
        order = model.order
        if not order + half + 1 > 0:
            raise Unproved("the kernel is not shown to be integrable next to the end")
        whole = model.size(order) * edge ** arb(order + half + 1) / (order + half + 1)
        left = model.rest * edge ** arb(model.top + half + 1) / (model.top + half + 1)
        steep = arb.max(arb(2) ** arb(half), (2 - edge) ** arb(half))
        weight = arb_poly(_binomial(half, count))
        found = {}
        for k in ks:
            radius = arb(1) if k * k < _STEEP else arb(fmpq(_STEEP, k * k))
            size = (k * (1 + radius).acosh()).exp() * arb.max(
                (2 + radius) ** arb(half), (2 - radius) ** arb(half)
            )
            ratio = edge / radius
            error = size * ratio**count / (1 - ratio) * whole + steep * left
            series = (arb_poly(_gegenbauer(k, d, count)) * weight).truncate(count)
            total = sum((series[i] * g for i, g in enumerate(terms)), arb(0)) + arb(0, error.upper())
            found[k] = total if self.at == 1 or k % 2 == 0 else -total
        return found


def _integrals(model: Model, edge: arb, half: fmpq, count: int) -> list[arb]:
    """int_0^T (terms of the model) t^((d-3)/2 + i) dt for i < count."""
    total = [arb(0)] * count
    log = edge.log()
    for form, rest, j, c in model.terms():
        start = (arb(rest) if not form else ball(exponent_to_expr(form, rest))) + arb(half + 1)
        if not start > 0:
            where = exponent_to_expr(form, rest)
            if c.contains(0):
                raise Unproved(f"the kernel is not shown to be integrable: its term with t^({where})")
            raise Impossible(
                f"the kernel is not integrable on the sphere: it has a term with t^({where}) at an end"
            )
        power = edge**start
        for i in range(count):
            a = start + i
            value, falling = arb(0), arb(1)
            for n in range(j + 1):
                value += falling * log ** (j - n) / a ** (n + 1)
                falling = falling * -(j - n)
            total[i] += c * power * value
            power = power * edge
    return total


def _binomial(half: fmpq, count: int) -> list[arb]:
    """The coefficients of (2-t)^half."""
    value, found = arb(2) ** arb(half), []
    for i in range(count):
        found.append(value)
        value = value * arb(half - i) / (-2 * (i + 1))
    return found


def _gegenbauer(k: int, d: int, count: int) -> list[arb]:
    """P_k(1-t) = 2F1(-k, k+d-2; (d-1)/2; t/2)."""
    value, found = fmpq(1), []
    for i in range(count):
        found.append(arb(value))
        value = value * fmpq((i - k) * (i + k + d - 2), (i + 1) * (2 * i + d - 1))
    return found


def cap(expr: Expr, at: int, top_degree: int, goal: int) -> Cap | None:
    """The cap at an end where the kernel is not analytic in t; None where it is, and where there is no model.

    >>> from asymptok.symbols import u
    >>> from sympy import log
    >>> found = cap(log(1 - u), 1, 4, 60)
    >>> with flint_precision(128):
    ...     value = found.moments(3, [0])[0]
    ...     T = 1 - (arb.pi() / 2**found.level).cos()
    >>> value.overlaps(T * T.log() - T)
    True
    """
    if _plain(expr, at):
        return None
    try:
        model, radius = _widest(expr, at, fmpq(-(-goal // _BITS_APART) + 2), goal + 64)
    except Unproved:
        return None
    steep = max(1.0, top_degree * top_degree / _STEEP)
    # T = theta0^2/2 <= 5 * 4^-level
    level = ceil((_BITS_APART + log2(5) + max(radius, log2(steep))) / 2) + 1
    return Cap(at, level, model, goal)


def _plain(expr: Expr, at: int) -> bool:
    """Whether kappa is analytic at the end and no subexpression has a branch point there, as acos(u (3-u^2)/2) has."""
    try:
        here = behaviour(expr, at)
        branches = any(_branches(node, here) for node in here)
    except Unproved:
        return False
    return here[expr].value is not None and here[expr].grid == 1 and not branches


def _branches(node: Expr, here: dict[Expr, Local]) -> bool:
    if isinstance(node, sympy.Pow):
        return not node.exp.is_Integer and not here[node.base].constant and here[node.base].order != 0
    if not isinstance(node, sympy.acos | sympy.asin | ArcCosine) or here[node].constant:
        return False
    value = here[node.args[-1]].value
    return value is None or is_zero(1 - value**2)


@lru_cache(maxsize=64)
def _widest(expr: Expr, at: int, top: fmpq, bits: int) -> tuple[Model, int]:
    """The model for the largest radius 2^-j for which there is one, and j."""
    reason = Unproved("no local model")
    with flint_precision(bits):
        for j in _HALVINGS:
            try:
                return local_model(expr, at, fmpq(1, 1 << j), top), j
            except Unproved as error:
                reason = error
    raise reason
