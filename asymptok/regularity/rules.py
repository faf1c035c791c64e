"""How germs are made: a rule for sums, products, powers, choices, and one for all other functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

import sympy
from flint import acb, arb, arb_series, fmpq
from sympy import Expr

from asymptok.functions import record_of
from asymptok.functions.record import Implementation
from asymptok.precision import flint_length
from asymptok.regularity.flat import Envelope
from asymptok.regularity.germ import Germ, constant
from asymptok.regularity.model import Analytic, Model, NotShown, Taylor, coefficients_at_zero
from asymptok.regularity.quotients import QUOTIENTS

if TYPE_CHECKING:
    from asymptok.regularity.side import Side

#: a power of a germ is multiplied out up to this exponent
_LARGEST_POWER = 64
#: steps by which the argument of a gamma function is moved to the right
_LONGEST_SHIFT = 12


# ------------------------------------------------------------------------------------------- arithmetic


def _add(side: Side, node: Expr) -> Germ:
    total = side.raw(node.args[0])
    for term in node.args[1:]:
        total = side.plus(total, side.raw(term))
    return total


def _mul(side: Side, node: Expr) -> Germ:
    total = side.raw(node.args[0])
    for factor in node.args[1:]:
        total = side.times(total, side.raw(factor))
    return total


def _pow(side: Side, node: Expr) -> Germ:
    base, exponent = node.args
    if side.varies(exponent):
        return _exponential_power(side, base, exponent)
    if exponent.is_Integer and abs(exponent) <= _LARGEST_POWER:
        return _integer_power(side, base, int(exponent))
    germ, model = side.raw(base), side.lead(base)
    if not model.values() > 0:
        raise NotShown(f"{base} is not known to be positive")
    share = side.relative_flat(germ, model)
    scale = None if germ.scale is None else germ.scale * exponent
    if exponent.is_Rational:
        e = arb(fmpq(int(exponent.p), int(exponent.q)))
        result = model.root_power(int(exponent.p), int(exponent.q))
        return Germ(result, _power_flat(germ, model, e, share), scale=scale)
    e = side.value(exponent)
    if scale is not None:
        raise NotShown("an irrational power of an exponential")
    if model.order == 0 and germ.flat is None:
        return Germ(model.compose(lambda z: z.pow(acb(e)) if z.real > 0 else None))
    power = (model.order * e).lower()
    weight = ceil(-float(power)) + 1
    # with a flat part (1+z)^e, |z| <= 1/2, is at most 2^|e|
    return Germ(None, None, ((model.values() ** e * 2 ** abs(e)).abs_upper(), weight))


def _exponential_power(side: Side, base: Expr, exponent: Expr) -> Germ:
    """base^exponent = exp(exponent log base), base > 0."""
    if side.varies(base):
        logarithm = _logarithm(side, base)
    else:
        value = side.value(base).log()
        if not value.is_finite():
            raise NotShown(f"the logarithm of {base}")
        logarithm = constant(value, side.radius)
    germ = side.times(side[exponent], logarithm)
    if germ.model is None or germ.scale is not None:
        raise NotShown("a power whose exponent has no series")
    model = germ.model.normal()
    if model.order >= 0:
        return exponential(side, model, germ.flat)
    if model.values().contains(0):
        raise NotShown("a power whose exponent may stay bounded")
    return side.exp(exponent * sympy.log(base))


def _power_flat(germ: Germ, model: Model, e: arb, share: arb) -> Envelope | None:
    """(L + Z)^e - L^e = L^e ((1+z)^e - 1), and |(1+z)^e - 1| <= |e| 2^(|e|+1) |z| for |z| <= 1/2."""
    if germ.flat is None:
        return None
    size = (model.values() ** (e - 1)).abs_upper() * abs(e) * 2 ** (abs(e) + 1)
    return germ.flat.times(size.upper(), ceil(float((-model.order * (e - 1)).upper())))


def _integer_power(side: Side, base: Expr, n: int) -> Germ:
    if n >= 0:
        result = constant(1, side.radius)
        for _ in range(n):
            result = side.times(result, side.raw(base))
        return result
    germ, model = side.raw(base), side.lead(base)
    side.relative_flat(germ, model)
    flat = None
    if germ.flat is not None:
        # 1/(L+Z) - 1/L = -Z/(L (L+Z)), and |L + Z| >= |L|/2
        least = abs(model.values()).lower()
        flat = germ.flat.times((2 / least**2).upper(), 2 * model.order)
    inverse = Germ(model.inverse(), flat, scale=None if germ.scale is None else -germ.scale)
    result = inverse
    for _ in range(-n - 1):
        result = side.times(result, inverse)
    return result


# ------------------------------------------------------------------------------ exponentials, logarithms


def _exp(side: Side, node: Expr) -> Germ:
    return side.exp(node.args[0])


def exponential(side: Side, model: Model, flat: Envelope | None) -> Germ:
    """exp of something bounded."""
    slack = arb(0) if flat is None else flat.largest(side.radius, 0)
    result, slope = model.composed(acb.exp, slack, _taylor(lambda x: x.exp()))
    return Germ(result, None if flat is None else flat.times(slope, 0))


def _log(side: Side, node: Expr) -> Germ:
    if len(node.args) != 1:
        raise NotShown("a logarithm with a base")
    return _logarithm(side, node.args[0])


def _logarithm(side: Side, argument: Expr) -> Germ:
    """log(exp(scale) (L + Z)) = scale + log(L + Z)."""
    model = side.lead(argument)
    if not model.values() > 0:
        raise NotShown(f"{argument} is not known to be positive")
    germ = side.raw(argument)
    share = side.relative_flat(germ, model)
    if model.order:
        # |log s| <= 1/s for 0 < s <= 1, and |log(1 + z)| <= 2 |z| <= 1
        size = abs(model.order) + model.values().log().abs_upper() + 2 * share
        found = Germ(None, None, (arb(size).upper(), 1))
    else:
        result = model.composed(
            lambda z: z.log() if z.real > 0 else None, arb(0), _taylor(lambda x: x.log())
        )[0]
        flat = germ.flat
        found = Germ(
            result, None if flat is None else flat.times((2 / abs(model.values()).lower()).upper(), 0)
        )
    return found if germ.scale is None else side.plus(side[germ.scale], found)


# ---------------------------------------------------------------------------------------------- choices


def _abs(side: Side, node: Expr) -> Germ:
    sign = side.sign(node.args[0])
    germ = side.raw(node.args[0])
    if sign == 0 or germ.model is None:
        return germ
    model = side.lead(node.args[0])  # without the coefficients that are known to vanish
    return replace(germ, model=model if sign > 0 else -model)


def _sign(side: Side, node: Expr) -> Germ:
    return constant(side.sign(node.args[0]), side.radius)


def _heaviside(side: Side, node: Expr) -> Germ:
    sign = side.sign(node.args[0])
    if sign == 0:
        raise NotShown("a step at a function that vanishes")
    return constant(1 if sign > 0 else 0, side.radius)


def _choice(side: Side, node: Expr) -> Germ:
    return side.raw(side.branch(node))


# -------------------------------------------------------------------------------------------- functions


def function(side: Side, node: Expr) -> Germ:
    """f(L + Z) = f(L) + flat, f analytic on a disc around the values of L; or what f is where it is not."""
    form = written(side, node)
    if form is not None:
        return side.raw(form)
    varying = [i for i, a in enumerate(node.args) if side.varies(a)]
    if len(varying) != 1 or not isinstance(node.args[varying[0]], Expr):
        raise NotShown(f"{node.func} of several arguments")
    argument = node.args[varying[0]]
    if side.with_order(argument).order < 0:
        return _far_away(side, node, argument)
    record = record_of(node.func)
    if record is None:
        raise NotShown(f"nothing is known about {node.func}")
    balls = [None if i in varying else _constant_balls(side, a) for i, a in enumerate(node.args)]

    def f(z: acb) -> acb | None:
        return record.analytic(*(z if b is None else b for b in balls))

    series = record.series if len(node.args) == 1 else None
    return _composed(side, f, argument, series, parity(node.func, node.args, varying[0]))


def _composed(
    side: Side, f: Analytic, argument: Expr, series: Implementation | None, symmetry: int | None
) -> Germ:
    inner = side.without_pole(argument)
    flat = side[argument].flat
    slack = arb(0) if flat is None else flat.largest(side.radius, 0)
    taylor = None if series is None else _taylor(series)
    if symmetry is not None and (inner.order > 0 or inner.body[0].is_zero()):
        taylor = _symmetric(taylor, f, symmetry)
    model, slope = inner.composed(f, slack, taylor)
    return Germ(model, None if flat is None else flat.times(slope, 0))


def written(side: Side, node: Expr) -> Expr | None:
    """The same function in a form that shows what it is next to a pole, or far away; None where that is not needed."""
    if node.func in QUOTIENTS:
        return QUOTIENTS[node.func](node.args[0])
    if node.func in (sympy.gamma, sympy.zeta) and side.varies(node.args[-1]):
        return _shifted(side, node)
    if len(node.args) != 1 or node.func not in _FAR or side.with_order(node.args[0]).order >= 0:
        return None
    return _FAR[node.func](node.args[0], side.sign(node.args[0]))


def _shifted(side: Side, node: Expr) -> Expr | None:
    """Gamma(x) = Gamma(x+m)/(x (x+1) ... (x+m-1)), and zeta(s, x) likewise a sum, if x + m > 0 only for m > 0."""
    x = node.args[-1]
    lowest = side.without_pole(x).values().lower()
    if not lowest > -_LONGEST_SHIFT or lowest > 0 or len(node.args) > 2:
        return None
    m = 1 + int(float(-lowest))
    steps = [x + j for j in range(m)]
    if node.func is sympy.gamma:
        return sympy.gamma(x + m) / sympy.Mul(*steps)
    s = node.args[0]
    if len(node.args) != 2 or not s.is_Integer:
        return None
    return sympy.zeta(s, x + m) + sympy.Add(*(step**-s for step in steps))


def _far_exponentials(rewrite: Callable[[Expr, Expr], Expr]) -> Callable[[Expr, int], Expr]:
    """Written with e^x and e^-x."""
    return lambda x, sign: rewrite(sympy.exp(x), sympy.exp(-x))


#: functions of something that tends to infinity (with the sign) by functions that have a germ there
_FAR: dict[object, Callable[[Expr, int], Expr]] = {
    sympy.cosh: _far_exponentials(lambda p, q: (p + q) / 2),
    sympy.sinh: _far_exponentials(lambda p, q: (p - q) / 2),
    sympy.tanh: _far_exponentials(lambda p, q: (p - q) / (p + q)),
    sympy.sech: _far_exponentials(lambda p, q: 2 / (p + q)),
    sympy.atan: lambda x, sign: sign * sympy.pi / 2 - sympy.atan(1 / x),
    sympy.acot: lambda x, sign: sympy.atan(1 / x),
}


def _far_away(side: Side, node: Expr, argument: Expr) -> Germ:
    """sin and cos are bounded, and their derivatives grow like powers; erf is 1 up to something flat."""
    if len(node.args) == 1 and node.func in (sympy.sin, sympy.cos):
        return Germ(None, None, (arb(1), 0))
    if len(node.args) == 1 and node.func in (sympy.erf, sympy.erfc):
        sign = side.sign(argument)
        # 0 < erfc(x) < exp(-x^2) for x > 0
        flat = side.settled(side.exp(-(argument**2))).flat
        limit = sign if node.func is sympy.erf else 1 - sign
        return replace(constant(limit, side.radius), flat=flat)
    raise NotShown(f"{node.func} of something unbounded")


def _constant_balls(side: Side, argument: Expr) -> acb | tuple[acb, ...]:
    """A constant, or the parameters of a hypergeometric function, as complex balls."""
    if isinstance(argument, sympy.Tuple):
        return tuple(acb(side.value(a)) for a in argument)
    return acb(side.value(argument))


def _taylor(series: Implementation) -> Taylor:
    def coefficients(centre: arb, count: int) -> list[arb] | None:
        with flint_length(count):
            found = series(arb_series([centre, 1], prec=count))
        values = [found[j] for j in range(count)]
        return values if all(v.is_finite() for v in values) else None

    return coefficients


def _symmetric(taylor: Taylor | None, f: Analytic, symmetry: int) -> Taylor:
    """The Taylor coefficients at 0 of an even or odd function: every other one is zero."""

    def coefficients(centre: arb, count: int) -> list[arb]:
        found = None if taylor is None else taylor(centre, count)
        if found is None:
            found = coefficients_at_zero(f, count)
        return [c if (j % 2 == 0) == (symmetry > 0) else arb(0) for j, c in enumerate(found)]

    return coefficients


@lru_cache(maxsize=256)
def parity(function: Callable[..., Expr], args: tuple[Expr, ...], place: int) -> int | None:
    """1 if the function is even in that argument, -1 if odd, as SymPy knows it; None if it is neither.

    >>> from asymptok.symbols import u
    >>> parity(sympy.cos, (u,), 0), parity(sympy.asin, (u,), 0), parity(sympy.exp, (u,), 0)
    (1, -1, None)
    """
    x = sympy.Dummy("x", real=True)

    def at(value: Expr) -> Expr:
        return function(*args[:place], value, *args[place + 1 :])

    if at(-x) == at(x):
        return 1
    return -1 if at(-x) == -at(x) else None


RULES: dict[object, Callable[[Side, Expr], Germ]] = {
    sympy.Add: _add,
    sympy.Mul: _mul,
    sympy.Pow: _pow,
    sympy.exp: _exp,
    sympy.log: _log,
    sympy.Abs: _abs,
    sympy.sign: _sign,
    sympy.Heaviside: _heaviside,
    sympy.Max: _choice,
    sympy.Min: _choice,
    sympy.Piecewise: _choice,
}
