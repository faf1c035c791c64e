"""How a germ changes from one side of a point to the other, and around an end: a sign, or a root of unity.

Inside the interval (two sides, u = u0 + x): class k means that the model for x < 0 is (-1)^k times the continuation
of the one for x > 0. At an end (one side, t = s^q): class k means that the model is s^k times a function of s^q =
t. In both cases class 0 is what analyticity needs, and the classes multiply: k + l for a product, equal classes for
a sum, k n for a power; an even function of something of class k with 2k = 0 has class 0. Equality of functions is
thus proved by their form, never by comparing coefficients.

A germ with a scale counts by the rest of it, and has a class only if the scale is the same expression on both sides.
"""

from __future__ import annotations

import sympy
from sympy import Expr, S

from asymptok import dag
from asymptok.regularity.germ import Germ
from asymptok.regularity.model import NotShown
from asymptok.regularity.rules import parity as parity_of
from asymptok.regularity.rules import written
from asymptok.regularity.side import Side

#: nothing but a flat part, which fits to every class
ANY = -1


def class_of(expr: Expr, side: Side, other: Side | None) -> int | None:
    """The class of the model part of `expr`; None if it has none, ANY if there is no model part.

    >>> from flint import arb
    >>> from sympy import Abs, S, cos
    >>> from asymptok.symbols import u
    >>> right, left = (Side(S.Zero, sign, arb(1)/8) for sign in (1, -1))
    >>> [class_of(e, right, left) for e in (Abs(u), Abs(u)**2, cos(Abs(u)), Abs(u) + u)]
    [1, 0, 0, None]
    """
    if other is not None and side.grid != 1:
        return None  # fractional powers of x on two sides
    return _Classes([s for s in (side, other) if s is not None]).settled(expr)


class _Classes:
    """The classes of all subexpressions."""

    def __init__(self, sides: list[Side]) -> None:
        self.sides = sides
        self.modulus = 2 if len(sides) == 2 else sides[0].grid
        self._known: dict[Expr, int | None] = {}

    def of(self, expr: Expr) -> int | None:
        for node in dag.postorder(expr):
            if node not in self._known:
                try:
                    self._known[node] = self._class(node)
                except NotShown:
                    self._known[node] = None
        return self._known[expr]

    def _germs(self, node: Expr) -> list[Germ]:
        return [side.raw(node) for side in self.sides]

    def _same_scale(self, germs: list[Germ]) -> bool:
        return len({germ.scale for germ in germs}) == 1

    def _class(self, node: Expr) -> int | None:
        if not isinstance(node, Expr):
            return None
        if not node.args or not self.sides[0].varies(node):
            return 0
        germs = self._germs(node)
        if all(germ.vanishes for germ in germs):
            return ANY
        if not self._same_scale(germs):
            return self._flat_or_none(node)
        if node.func in (sympy.Max, sympy.Min, sympy.Piecewise):
            taken = {s.branch(node) for s in self.sides}
            return self.of(taken.pop()) if len(taken) == 1 else None
        inner = [self.of(a) for a in node.args]
        if node.is_Add:
            return self._sum(node, germs)
        if node.is_Mul:
            return self._product(node, inner, germs)
        if node.is_Pow and node.func is not sympy.exp:
            return self._power(node, inner)
        if node.func in (sympy.Abs, sympy.sign, sympy.Heaviside):
            return self._of_sign(node, inner[0])
        if node.func is sympy.exp and germs[0].scale is not None:
            return 0  # the rest is 1
        if node.func is sympy.log:
            return self._logarithm(node, inner[0])
        forms = {written(s, node) for s in self.sides}
        if forms != {None}:
            form = forms.pop()
            return None if forms or form is None else self.of(form)
        return self._function(node, inner)

    def _flat_or_none(self, node: Expr) -> int | None:
        """Different scales on the two sides: nothing to compare, unless both fall."""
        return ANY if all(side[node].vanishes for side in self.sides) else None

    def _bounded_part(self, difference: Expr) -> int | None:
        """The class of exp(difference) if that is bounded; ANY if it falls."""
        factors = [side.exp(difference) for side in self.sides]
        if all(f.scale is None for f in factors):
            return 0 if difference == 0 or self.of(difference) in (0, ANY) else None
        if all(
            f.scale is not None and s.growth(f.scale)[0] < 0 for f, s in zip(factors, self.sides, strict=True)
        ):
            return ANY
        return None

    def _sum(self, node: Expr, germs: list[Germ]) -> int | None:
        whole = germs[0].scale or S.Zero
        distinct: set[int | None] = set()
        for term in node.args:
            k = self.of(term)
            if k == ANY and (whole == 0 or all(germ.vanishes for germ in self._germs(term))):
                continue
            scales = {germ.scale or S.Zero for germ in self._germs(term)}
            if len(scales) != 1:
                return None
            factor = self._bounded_part(scales.pop() - whole)
            if factor == ANY:
                continue
            distinct.add(None if factor is None or k == ANY else k)
        return distinct.pop() if len(distinct) == 1 else None

    def _product(self, node: Expr, inner: list[int | None], germs: list[Germ]) -> int | None:
        if None in inner or ANY in inner:
            return None
        scales = [self._germs(factor) for factor in node.args]
        if not all(self._same_scale(pair) for pair in scales):
            return None
        together = sum((pair[0].scale or S.Zero for pair in scales), S.Zero)
        if together != 0 and germs[0].scale is None and self._bounded_part(together) != 0:
            return None
        return sum(k for k in inner if k is not None) % self.modulus

    def _power(self, node: Expr, inner: list[int | None]) -> int | None:
        base, exponent = node.args
        side = self.sides[0]
        if inner[0] is None or inner[0] == ANY or not self._same_scale(self._germs(base)):
            return None
        if exponent.is_Integer:
            return inner[0] * int(exponent) % self.modulus
        if side.varies(exponent) or not exponent.is_Rational:
            whole = inner == [0, 0] and side.lead(base).order == 0 and side.raw(base).scale is None
            return 0 if whole and side.raw(node).scale is None else None
        # x^m h becomes |x|^(m e) h^e on either side, and s^(m e) h^e at an end
        power = side.lead(base).order * exponent
        return int(power) % self.modulus if power.is_Integer else None

    def _of_sign(self, node: Expr, inner: int | None) -> int | None:
        signs = [s.sign(node.args[0]) for s in self.sides]
        changes = len(set(signs)) > 1
        if changes and 0 in signs:
            return None  # zero on one side only: no sign relates the two
        if node.func is sympy.Abs:
            return None if inner is None or inner == ANY else (inner + changes) % self.modulus
        if node.func is sympy.sign:
            return int(changes) % self.modulus
        return None if changes else 0

    def _logarithm(self, node: Expr, inner: int | None) -> int | None:
        """log(exp(scale) h) = scale + log h."""
        argument = node.args[0]
        germs = self._germs(argument)
        if inner != 0 or not self._same_scale(germs) or self.sides[0].lead(argument).order != 0:
            return None
        scale = germs[0].scale
        return 0 if scale is None or self.of(scale) == 0 else None

    def _function(self, node: Expr, inner: list[int | None]) -> int | None:
        side, n = self.sides[0], self.modulus
        varying = [i for i, a in enumerate(node.args) if side.varies(a)]
        inner = [
            self.settled(a) if i in varying else k
            for i, (a, k) in enumerate(zip(node.args, inner, strict=True))
        ]
        if any(inner[i] is None for i in varying):
            return None
        if side.raw(node).model is None or any(
            s.with_order(node.args[i]).order < 0 for s in self.sides for i in varying
        ):
            return self._far(node)
        if all(inner[i] in (0, ANY) for i in varying):
            return 0
        k = inner[varying[0]]
        if len(varying) != 1 or k is None or 2 * k % n:
            return None
        parity = parity_of(node.func, node.args, varying[0])
        return None if parity is None else (0 if parity > 0 else k)

    def settled(self, node: Expr) -> int | None:
        """The class without a scale: ANY for what falls like an exponential."""
        if all(side[node].vanishes for side in self.sides):
            return ANY
        return self.of(node) if all(germ.scale is None for germ in self._germs(node)) else None

    def _far(self, node: Expr) -> int | None:
        """erf of something unbounded is a constant, up to a flat part."""
        if node.func in (sympy.erf, sympy.erfc):
            signs = {s.sign(node.args[0]) for s in self.sides}
            if len(signs) == 1:
                return 0
            return 1 if node.func is sympy.erf and self.modulus == 2 else None
        return None
