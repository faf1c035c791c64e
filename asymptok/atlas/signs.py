"""The sign of an expression without switches on a whole ball of u, proved or left open."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import sympy
from flint import arb
from sympy import Expr

from asymptok import dag
from asymptok.balls import compile_ball
from asymptok.functions import record_of
from asymptok.quantities import BallFunction
from asymptok.symbols import u

#: polynomials of a higher degree are not factored
_HIGHEST_DEGREE = 40
#: function of u -> its sign, proved on an interval
Signs = dict[Expr, int]


class Open(Exception):
    """A switch may go either way on the interval; `factor` is the function whose sign is open, if it is one."""

    def __init__(self, factor: Factor | None = None) -> None:
        super().__init__()
        self.factor = factor


@dataclass(frozen=True, slots=True)
class Where:
    """A ball of u, and the signs of functions that are proved on it."""

    ball: arb
    known: Signs


def sign_on(f: Expr, where: Where) -> int:
    """The sign of f on the whole ball, proved; Open if it may change."""
    result = 1
    for factor in _factors(f):
        result *= factor.on(where)
    return result


@lru_cache(maxsize=512)
def _factors(f: Expr) -> tuple[Factor | Even, ...]:
    """Functions on balls whose signs multiply to that of f: a double zero of a polynomial changes no sign."""
    found = polynomial_factors(f)
    if found is not None:
        constant, factors = found
        return (Factor(constant), *(Factor(g) for g, power in factors if power % 2))
    if f.is_Mul:
        return tuple(factor for part in f.args for factor in _factors(part))
    if f.is_Pow and f.exp.is_Integer:
        return _factors(f.base) if f.exp % 2 else (Even(f.base),)
    return (Factor(f),)


def polynomial_factors(f: Expr) -> tuple[Expr, list[tuple[Expr, int]]] | None:
    """f = c prod g^n with polynomials g over the rationals (or the field of its coefficients); None if it is none."""
    if not (f.is_polynomial(u) and f.has(u)):
        return None
    try:
        poly = sympy.Poly(f, u)
        if poly.degree() > _HIGHEST_DEGREE:
            return None
        constant, factors = poly.factor_list()
    except (sympy.PolynomialError, NotImplementedError):
        return None
    return constant, [(factor.as_expr(), power) for factor, power in factors]


class Factor:
    """The sign of a switch-free f, by its range or by the mean value form."""

    def __init__(self, f: Expr) -> None:
        self.f = f
        self._value = compile_ball(f, [u])
        self._slope: BallFunction | None = None
        self._differentiable: bool | None = None

    def on(self, where: Where) -> int:
        return where.known[self.f] if self.f in where.known else self(where.ball)

    def __call__(self, x: arb) -> int:
        if self.f == 0:
            return 0
        found = self._value(x)
        if found > 0 or found < 0:
            return 1 if found > 0 else -1
        if self._smooth() and self._slope is not None:
            middle = arb(x.mid())
            found = self._value(middle) + self._slope(x) * (x - middle)
            if found > 0 or found < 0:
                return 1 if found > 0 else -1
        raise Open(self)

    def _smooth(self) -> bool:
        """Whether a finite range of the derivative proves f differentiable: not for acot, which jumps at 0."""
        if self._differentiable is None:
            self._differentiable = _continuous_where_finite(self.f)
            if self._differentiable:
                self._slope = compile_ball(dag.derivative(self.f, u), [u])
        return self._differentiable


def _continuous_where_finite(f: Expr) -> bool:
    if any(isinstance(node, sympy.acot | sympy.zeta | sympy.LambertW) for node in dag.postorder(f)):
        return False
    return all(_has_rule(node) for node in dag.postorder(f) if node.args and node.has(u))


def _has_rule(node: Expr) -> bool:
    """Whether the function is continuous where its ball is finite."""
    record = record_of(type(node))
    if record is None:
        return False
    if isinstance(node, sympy.Pow | sympy.gamma | sympy.factorial | sympy.hyper):
        return True
    return record.entire(node) or record.ratio is not None or record.rays(node) is not None


class Even:
    """The sign of an even power: +1 where the base is proved not to vanish."""

    def __init__(self, base: object) -> None:
        self._factors = _factors(base)

    def on(self, where: Where) -> int:
        return 0 if any(factor.on(where) == 0 for factor in self._factors) else 1
