"""An independent opinion on expansions: values next to the point by mpmath or arb, at a few hundred digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flint
import mpmath
import sympy
from sympy import Expr, Symbol

from asymptok import Expansion
from asymptok.balls import ball
from asymptok.functions.arccosine import ArcCosine
from asymptok.precision import flint_precision
from asymptok.symbols import u

#: digits of the reference, at least, and the larger distance 10^-FAR from the point at which it is compared
DIGITS = 220
FAR = 20


def _arc_cosine(n: Any, x: Any) -> Any:
    """kappa_n for n <= 3 from the angle, written out by hand."""
    theta = mpmath.acos(x)
    s, rest = mpmath.sin(theta), mpmath.pi - theta
    by_order = {
        0: lambda: rest,
        1: lambda: s + rest * x,
        2: lambda: (3 * s * x + rest * (1 + 2 * x**2)) / 3,
        3: lambda: (rest * (9 * x + 6 * x**3) + s * (4 + 11 * x**2)) / 15,
    }
    return by_order[int(n)]() / mpmath.pi


def _real_if_real(value: Any) -> Any:
    """mpmath gives W as a complex number even on the real axis."""
    return value.real if value.imag == 0 else value


def _by_arb(method: str, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """f(parameters, x) by arb where all is real: mpmath needs seconds where its formula takes a limit."""

    def f(*arguments: Any) -> Any:
        if all(isinstance(a, mpmath.mpf) for a in arguments):
            with flint_precision(mpmath.mp.prec + 64):
                # mpf.man has no sign
                *parameters, x = (
                    flint.arb(int(mpmath.sign(a)) * a.man) * flint.arb(2) ** a.exp for a in arguments
                )
                found = getattr(x, method)(*parameters)
                if found.rel_accuracy_bits() >= mpmath.mp.prec:
                    man, exp = found.mid().man_exp()
                    return mpmath.mpf((int(man), int(exp)))
        return otherwise(*arguments)

    return f


_hyp2f1 = _by_arb("hypgeom_2f1", mpmath.hyp2f1)
_SAME_NAME = (
    *("exp", "log", "sin", "cos", "tan", "sec", "cot", "sinh", "cosh", "tanh", "coth", "sech", "csch"),
    *("asin", "acos", "atan", "acot", "asec", "acsc", "asinh", "acosh", "atanh", "acoth"),
    *("erf", "erfc", "erfi", "gamma", "loggamma"),
)
_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **{getattr(sympy, name): getattr(mpmath, name) for name in _SAME_NAME},
    **{
        getattr(sympy, f"bessel{kind}"): _by_arb(f"bessel_{kind}", getattr(mpmath, f"bessel{kind}"))
        for kind in "jyik"
    },
    sympy.polylog: _by_arb("polylog", mpmath.polylog),
    sympy.polygamma: lambda n, x: mpmath.psi(int(n), x),
    sympy.elliptic_k: mpmath.ellipk,
    sympy.elliptic_e: mpmath.ellipe,
    sympy.LambertW: lambda x, k=0: _real_if_real(mpmath.lambertw(x, int(k))),
    sympy.Abs: abs,
    sympy.Max: max,
    sympy.Min: min,
    sympy.Add: lambda *terms: mpmath.fsum(terms),
    sympy.Mul: lambda *factors: mpmath.fprod(factors),
    sympy.Pow: mpmath.power,
    sympy.atan2: mpmath.atan2,
    sympy.sign: mpmath.sign,
    ArcCosine: _arc_cosine,
}


def value(expr: Expr, values: dict[Any, Any]) -> Any:
    """The expression by mpmath, each subexpression once; shares no code with the package."""
    memo: dict[Any, Any] = dict(values)

    def visit(node: Any) -> Any:
        if node not in memo:
            if node.is_Rational:
                memo[node] = mpmath.mpf(int(node.p)) / int(node.q)
            elif node is sympy.E:
                memo[node] = mpmath.e
            elif node.is_NumberSymbol:
                memo[node] = mpmath.mpmathify(node.evalf(mpmath.mp.dps + 10))
            elif node.func is sympy.hyper:
                upper, lower = ([visit(x) for x in group] for group in (node.ap, node.bq))
                if (len(upper), len(lower)) == (2, 1):
                    memo[node] = _hyp2f1(*upper, *lower, visit(node.argument))
                else:
                    memo[node] = mpmath.hyper(upper, lower, visit(node.argument))
            elif node.func is sympy.Piecewise:
                raise NotImplementedError("the reference takes no conditions")
            else:
                f = _FUNCTIONS.get(node.func) or node.func._imp_  # mpmath's value, of a class of our own
                memo[node] = f(*[visit(child) for child in node.args])
        return memo[node]

    return visit(expr)


def reference(expr: Expr, x: Symbol = u, point: Any = 1, direction: int = -1) -> Callable[[Any], Any]:
    """t -> f(point + direction*t)."""

    def f(distance: Any) -> Any:
        start = point if isinstance(point, int) else value(sympy.sympify(point), {})
        return value(expr, {x: start + direction * distance})

    return f


def _truncated(expansion: Expansion, values: dict[Symbol, Any]) -> Callable[[Any], Any]:
    """The sum of the terms as a function; constants are enclosed by balls, which is faster than lambdify."""
    terms = []
    with flint_precision(mpmath.mp.prec + 64):
        for term in expansion.terms:
            coefficient = ball(term.coefficient.subs(values) if values else term.coefficient)
            exponent = mpmath.mpmathify(term.exponent.subs(values).evalf(mpmath.mp.dps + 10))
            man, exp = coefficient.mid().man_exp()
            terms.append((mpmath.mpf((int(man), int(exp))), exponent, term.log_power))
    return lambda x: mpmath.fsum(c * x**e * mpmath.log(x) ** j for c, e, j in terms)


def residual_agrees(
    expansion: Expansion, f: Callable[[Any], Any], order: int = 4, values: dict[Symbol, Any] | None = None
) -> bool:
    """Does f minus the truncated sum shrink towards the point as the remainder claims?

    From t = 10^-20 to 10^-40 a wrong coefficient at t^a, a below the exponent e of the remainder, makes the residual
    larger by 10^(20 (e - a)) than what is accepted, up to the factor 10 that later terms of the expansion
    may contribute. Where two of these nearly cancel at the first point, a second pair of points decides; where mpmath
    itself loses digits (ellipe next to 1), four times as many digits do.
    """
    tries = ((FAR, 1), (2 * FAR, 1), (FAR, 4))
    return any(_shrinks(expansion, f, order, values or {}, far, digits) for far, digits in tries)


def _shrinks(
    expansion: Expansion,
    f: Callable[[Any], Any],
    order: int,
    values: dict[Symbol, Any],
    exponent: int,
    digits: int,
) -> bool:
    with mpmath.workdps(digits * max(DIGITS, 2 * exponent * (order + 1) + 80)):
        far, near = mpmath.mpf(10) ** -exponent, mpmath.mpf(10) ** (-2 * exponent)
        truncated = _truncated(expansion, values)
        residuals = [abs(mpmath.mpmathify(f(x)) - truncated(x)) for x in (far, near)]
        if residuals[1] <= mpmath.mpf(10) ** (40 - mpmath.mp.dps):
            return True
        claims = [
            (near / far) ** mpmath.mpmathify(term.exponent.subs(values).evalf(50))
            * (mpmath.log(near) / mpmath.log(far)) ** term.log_power
            for term in expansion.remainder
        ]
        return bool(claims and residuals[1] <= 10 * max(claims) * residuals[0])
