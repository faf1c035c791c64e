"""A switch-free expression on a complex box: its range there, and a proof that it is analytic on the box.

Arb answers a ball across a branch cut with the union of both sides and does not complain. Here every function says
first where its cuts and poles are; a box that may meet one is refused (Unproved). What comes back is therefore the
range of one analytic function, the principal branch of the expression, on the whole box.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint
import sympy
from flint import acb, arb
from sympy import Expr

from asymptok import dag
from asymptok.balls import complex_ball
from asymptok.balls.functions import arc_cosine_closed, implementations, integer_power
from asymptok.functions import record_of
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.cuts import off, off_axis_from_one, off_both_real_rays, off_negative_axis
from asymptok.functions.orthant import Orthant
from asymptok.functions.record import never, unknown
from asymptok.spectrum.local import Doubt, Unproved
from asymptok.spectrum.removable import Quotient, normal_form
from asymptok.symbols import u

Rule = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class _Pole:
    """A value that may be infinite on the box, by its reciprocal: what is around it may still be finite."""

    reciprocal: acb


@lru_cache(maxsize=256)
def analytic(expr: Expr) -> Analytic:
    """The evaluator of `expr` on boxes; Unproved(RULE) if a function in it has no rule.

    >>> kappa = analytic(sympy.sqrt(1 - u))
    >>> box = acb(arb(0, "0.5"), arb(0, "0.5"))
    >>> kappa(box).contains(acb("0.75").sqrt())
    True
    """
    return Analytic(expr)


class Analytic:
    """A straight-line program over complex boxes; constants are computed once for each precision."""

    def __init__(self, expr: Expr) -> None:
        self.expr = expr
        place: dict[Expr, int] = {}
        self._constants: list[tuple[int, Any]] = []
        self._program: list[tuple[int, Any, Rule, list[int]]] = []
        varying: set[Expr] = {u}
        for node in dag.postorder(expr):
            place[node] = len(place)
            if node == u:
                self._input = place[node]
            elif varying.isdisjoint(node.args):
                # tuples (the parameters of a hypergeometric function) are read by the rule that owns them
                if not isinstance(node, sympy.Tuple):
                    self._constants.append((place[node], node))
            else:
                varying.add(node)
                self._program.append((place[node], node, _rule(node), [place[a] for a in node.args]))
        self._place, self._size, self._result = place, len(place), place[expr]
        self._varies = expr in varying and u in place
        self._known: dict[int, list[Any]] = {}
        self._quotients: dict[Any, Quotient] = {}
        self._other: Analytic | None = None

    def __call__(self, box: acb) -> acb:
        """The range of the expression over the box of u; Unproved unless it is analytic there."""
        try:
            return self._run(box)
        except Unproved as reason:
            if reason.kind is not Doubt.POLE:
                raise
            return self._rewritten(box, reason)

    def _run(self, box: acb) -> acb:
        values = self._start().copy()
        if self._varies:
            values[self._input] = box
        for at, node, rule, inputs in self._program:
            arguments = [values[i] for i in inputs]
            if any(isinstance(a, _Pole) for a in arguments):
                value = self._quotient(node)(box) if node.is_Mul else _power_of_pole(node, arguments[0])
            else:
                value = rule(node, *arguments)
            if not isinstance(value, _Pole) and not value.is_finite():
                raise Unproved(f"{_short(node)} is not finite on the box")
            values[at] = value
        found: Any = values[self._result]
        if isinstance(found, _Pole):
            raise Unproved(f"{_short(self.expr)} has a pole in the box", Doubt.POLE)
        return found

    def _start(self) -> list[acb | None]:
        prec = flint.ctx.prec
        if prec not in self._known:
            if len(self._known) > 16:
                self._known.clear()
            values: list[acb | None] = [None] * self._size
            for at, node in self._constants:
                values[at] = complex_ball(node)
            self._known[prec] = values
        return self._known[prec]

    def _quotient(self, node: Expr) -> Quotient:
        if node not in self._quotients:
            self._quotients[node] = Quotient(node, analytic)
        return self._quotients[node]

    def _rewritten(self, box: acb, reason: Unproved) -> acb:
        """The same function over one denominator, where poles of several terms meet: 1/u - 1/sin(u)."""
        if self._other is None:
            other = normal_form(self.expr)
            self._other = self if other is None or other == self.expr else Analytic(other)
        if self._other is self:
            raise reason
        return self._other._run(box)


@lru_cache(maxsize=256)
def _short(node: Expr) -> str:
    # asked for every box that fails, and SymPy takes milliseconds to write an expression
    return str(node) if dag.tree_size(node) <= 60 else type(node).__name__


# ------------------------------------------------------------------------------------------- the rules


def _rule(node: Expr) -> Rule:
    found = _RULES.get(type(node))
    record = record_of(type(node))
    if found is not None:
        return found
    if record is not None and record.ratio is not None:
        return _quotient
    if record is not None and record.rays is not unknown:
        return _off_rays
    if record is not None and record.continuation is None and record.regular is not never:
        return _by_record
    raise Unproved(f"{type(node).__name__} has no analytic continuation rule", Doubt.RULE)


def _by_record(node: Expr, *boxes: acb) -> acb:
    """A function without a sharper rule here: its record tells where it is analytic."""
    record = record_of(type(node))
    value = None if record is None else record.analytic(*boxes)
    if value is None:
        raise Unproved(f"{_short(node)} is not shown to be analytic on the box")
    return acb(value)


def has_own_rules(expr: Expr) -> bool:
    """Whether every function in it has a rule of this file, all of which are continuous where they are finite."""
    try:
        return all(rule is not _by_record for _, _, rule, _ in analytic(expr)._program)
    except Unproved:
        return False


def _entire(node: Expr, *args: object) -> acb:
    found = implementations(type(node))
    assert found is not None
    return found[1](*args)


def _power(node: Expr, base: acb, exponent: acb) -> Any:
    e = node.args[1]
    if isinstance(e, sympy.Integer):
        if e < 0 and base.contains(0):
            return _Pole(integer_power(base, -int(e)))
        return integer_power(base, int(e))
    if not off_negative_axis(base):
        raise Unproved(f"{_short(node)} meets its branch cut")
    if not node.args[1].has(u):
        return _real_power(base, exponent.real)
    return (exponent * _logarithm(base)).exp()


def _power_of_pole(node: Expr, pole: object) -> acb:
    """1/Gamma is entire."""
    if not (node.is_Pow and node.exp.is_Integer and node.exp < 0 and isinstance(pole, _Pole)):
        raise Unproved(f"{_short(node)} has a pole in the box", Doubt.POLE)
    return integer_power(pole.reciprocal, -int(node.exp))


def _polar(z: acb) -> tuple[Any, Any]:
    """|z| and arg z on a box off the negative axis: the argument is extreme at a corner.

    Arb's own sqrt and log of a wide box are several times as wide as the range.
    """
    modulus = z.abs_lower().union(z.abs_upper())
    angle = None
    for y in (z.imag.lower(), z.imag.upper()):
        for x in (z.real.lower(), z.real.upper()):
            corner = arb.atan2(y, x)
            angle = corner if angle is None else angle.union(corner)
    return modulus, angle


def _real_power(z: acb, e: arb) -> acb:
    """z^e for a real constant e, off the negative axis."""
    modulus, angle = _polar(z)
    if not modulus > 0:
        # a corner of the ball of |z| touches zero by rounding
        return z.pow(acb(e))
    sine, cosine = (angle * e).sin_cos()
    size = modulus**e
    return acb(size * cosine, size * sine)


def _logarithm(z: acb) -> acb:
    modulus, angle = _polar(z)
    return acb(modulus.log(), angle) if modulus > 0 else z.log()


def _log(node: Expr, z: acb) -> acb:
    if not off_negative_axis(z):
        raise Unproved(f"{_short(node)} meets its branch cut")
    return _logarithm(z)


def _off_rays(node: Expr, *args: acb) -> acb:
    """Principal values, the argument staying off the rays of the record."""
    record = record_of(type(node))
    assert record is not None
    rays = record.rays(node)
    if rays is None:
        raise Unproved(f"{_short(node)} has no analytic continuation rule", Doubt.RULE)
    if any(a.has(u) for a in node.args[:-1]):
        raise Unproved(f"{_short(node)}: its parameters depend on u", Doubt.RULE)
    if not off(args[-1], rays):
        raise Unproved(f"{_short(node)} meets its branch cut")
    return acb(record.complex(*args))


def _quotient(node: Expr, z: acb) -> acb:
    """tan = sin/cos and the like."""
    record = record_of(type(node))
    assert record is not None and record.ratio is not None
    above, below = (f(z) for f in record.ratio)
    if below.contains(0):
        raise Unproved(f"{_short(node)} may have a pole in the box", Doubt.POLE)
    return above / below


def _of_inverse(name: str) -> Rule:
    """acot(z) = atan(1/z) and the like."""
    record = record_of(getattr(sympy, name))
    assert record is not None
    inner = record

    def rule(node: Expr, z: acb) -> acb:
        if z.contains(0):
            raise Unproved(f"{_short(node)} is not analytic at 0")
        w = 1 / z
        if not inner.regular(w):
            raise Unproved(f"{_short(node)} meets its branch cut")
        return getattr(w, name)()

    return rule


def _angle(node: Expr, z: acb) -> acb:
    """acos(z) in mean value form, acos' = -1/sqrt(1-z^2): the acos of a wide box is very loose."""
    if not off_both_real_rays(z):
        raise Unproved(f"{_short(node)} meets its branch cut")
    middle = acb(z.mid())
    half = arb(1) / 2
    sine = _real_power(1 - z, half) * _real_power(1 + z, half)
    if sine.contains(0):
        return z.acos()
    return middle.acos() - (z - middle) / sine


def _acos(node: Expr, z: acb) -> acb:
    return _angle(node, z)


def _asin(node: Expr, z: Any) -> acb:
    return arb.pi() / 2 - _angle(node, z)


def _arc_cosine(node: Expr, order: object, z: Any) -> acb:
    """kappa_n in mean value form, kappa_n' = n^2/(2n-1) kappa_{n-1}."""
    n = int(node.args[0])
    result = 1 - _angle(node, z) / arb.pi()
    middle = acb(z.mid())
    if n:
        theta, sine = middle.acos(), (1 - middle).sqrt() * (1 + middle).sqrt()
    for m in range(1, n + 1):
        at_middle = arc_cosine_closed(m, middle, theta, sine)
        result = at_middle + result * m * m / (2 * m - 1) * (z - middle)
    return result


def _orthant(node: Expr, h: object, k: object, z: Any) -> acb:
    """Entire in both thresholds, whether they depend on u or not."""
    if not off_both_real_rays(z):
        raise Unproved(f"{_short(node)} meets its branch cut")
    return _entire(node, h, k, z)


def _hyper(node: Expr, upper: object, lower: object, z: Any) -> acb:
    a, b, _ = node.args
    if a.has(u) or b.has(u):
        raise Unproved(f"{_short(node)}: parameters depend on u", Doubt.RULE)
    if len(a) > len(b) + 1:
        raise Unproved(f"{_short(node)} is a divergent series", Doubt.RULE)
    # the series breaks down at lower parameters 0, -1, -2, ... alone
    if any(not x.is_positive and x.is_integer is not False for x in b):
        raise Unproved(f"{_short(node)}: a lower parameter is not known to be positive", Doubt.RULE)
    if len(a) == len(b) + 1 and not off_axis_from_one(z):
        raise Unproved(f"{_short(node)} meets its branch cut")
    return _entire(node, [complex_ball(x) for x in a], [complex_ball(x) for x in b], z)


def _gamma(node: Expr, z: acb) -> acb | _Pole:
    z = z + (1 if isinstance(node, sympy.factorial) else 0)
    if z.real > 0:
        return z.gamma()
    reciprocal = z.rgamma()
    return _Pole(reciprocal) if reciprocal.contains(0) else 1 / reciprocal


def _zeta(node: Expr, s: Any, a: Any = None) -> acb:
    if s.contains(1):
        raise Unproved(f"{_short(node)} may have a pole in the box", Doubt.POLE)
    if a is None:
        return s.zeta()
    if node.args[0].has(u) or not a.real > 0:
        raise Unproved(f"{_short(node)}: Hurwitz's function is continued in a, Re a > 0, only")
    return s.zeta(a)


def _hyperbolic(node: Expr, z: acb) -> acb:
    """tanh, coth, sech, csch: far from the imaginary axis by w = exp(-2|x|), else as quotients.

    cosh of a box that is tall and far out is a ball around zero, though cosh has no zero there.
    """
    if not abs(z.real) > 1:
        return _quotient(node, z)
    right = z.real > 0
    w = (-2 * z if right else 2 * z).exp()
    if not w.is_finite() or not abs(w) < 1:
        return _quotient(node, z)
    sign = 1 if right else -1
    if isinstance(node, sympy.tanh):
        return sign * (1 - w) / (1 + w)
    if isinstance(node, sympy.coth):
        return sign * (1 + w) / (1 - w)
    half = (-z if right else z).exp()
    return 2 * half / (1 + w) if isinstance(node, sympy.sech) else sign * 2 * half / (1 - w)


_RULES: dict[object, Rule] = {
    **dict.fromkeys((sympy.Add, sympy.Mul), _entire),
    sympy.Pow: _power,
    sympy.log: _log,
    sympy.acos: _acos,
    sympy.asin: _asin,
    ArcCosine: _arc_cosine,
    Orthant: _orthant,
    sympy.acot: _of_inverse("atan"),
    sympy.acsch: _of_inverse("asinh"),
    sympy.asec: _of_inverse("acos"),
    sympy.acsc: _of_inverse("asin"),
    sympy.acoth: _of_inverse("atanh"),
    sympy.asech: _of_inverse("acosh"),
    **dict.fromkeys((sympy.tanh, sympy.coth, sympy.sech, sympy.csch), _hyperbolic),
    **dict.fromkeys((sympy.gamma, sympy.factorial), _gamma),
    sympy.zeta: _zeta,
    sympy.hyper: _hyper,
}
