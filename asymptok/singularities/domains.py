"""For each function: where it is analytic on the real line, and how it maps an interval.

A requirement is an expression g(u) that has to be positive, or different from zero, for the function to be analytic
at its argument. Everything about smoothness is a statement on the signs of such g. A further function is one line
in `REQUIREMENTS` (in `ENTIRE` if it is analytic on the whole real line) and, for sharp ranges, one in `MONOTONE`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import E, Expr, I, Integer, S, pi

from asymptok.kernels.arccosine import ArcCosine

POSITIVE = "> 0"
NONZERO = "!= 0"

oo = sympy.oo


@dataclass(frozen=True, slots=True)
class Requirement:
    """g > 0 or g != 0, so that `node` is analytic where g is."""

    node: Expr
    g: Expr
    relation: str

    def __str__(self) -> str:
        return f"{short(self.g)} {self.relation}"


def short(expr: Any, length: int = 120) -> str:
    """The expression as text, cut where nobody would read on."""
    text: str = sympy.sstr(expr)
    return text if len(text) <= length else text[: length - 3] + "..."


#: analytic on the whole real line
ENTIRE: frozenset[Any] = frozenset(
    {
        sympy.Add, sympy.Mul, sympy.exp, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh, sympy.sech,
        sympy.atan, sympy.asinh, sympy.erf, sympy.erfc, sympy.erfi, sympy.sinc, sympy.Si, sympy.Shi,
        sympy.airyai, sympy.airybi,
    }
)  # fmt: skip

#: entire in the complex plane: with polynomials inside they are entire functions of u
COMPLEX_ENTIRE: frozenset[Any] = ENTIRE - {sympy.tanh, sympy.sech, sympy.atan, sympy.asinh}

Pairs = list[tuple[Expr, str]]


def _unit_disc(x: Expr) -> Pairs:
    return [(1 - x, POSITIVE), (1 + x, POSITIVE)]


def _bessel_first_kind(order: Expr, x: Expr) -> Pairs:
    return [] if order.is_integer else [(x, POSITIVE)]


def _hyper(node: Any) -> Pairs:
    return [(1 - node.argument, POSITIVE)] if len(node.ap) == len(node.bq) + 1 else []


REQUIREMENTS: dict[Any, Callable[..., Pairs]] = {
    sympy.log: lambda x: [(x, POSITIVE)],
    sympy.asin: _unit_disc,
    sympy.acos: _unit_disc,
    sympy.atanh: _unit_disc,
    ArcCosine: lambda n, x: _unit_disc(x),
    sympy.acosh: lambda x: [(x - 1, POSITIVE)],
    sympy.acoth: lambda x: [(x**2 - 1, POSITIVE)],
    sympy.asec: lambda x: [(x**2 - 1, POSITIVE)],
    sympy.acsc: lambda x: [(x**2 - 1, POSITIVE)],
    sympy.asech: lambda x: [(x, POSITIVE), (1 - x, POSITIVE)],
    sympy.acsch: lambda x: [(x, NONZERO)],
    sympy.acot: lambda x: [(x, NONZERO)],
    sympy.tan: lambda x: [(sympy.cos(x), NONZERO)],
    sympy.sec: lambda x: [(sympy.cos(x), NONZERO)],
    sympy.cot: lambda x: [(sympy.sin(x), NONZERO)],
    sympy.csc: lambda x: [(sympy.sin(x), NONZERO)],
    sympy.coth: lambda x: [(x, NONZERO)],
    sympy.csch: lambda x: [(x, NONZERO)],
    sympy.gamma: lambda x: [(x, POSITIVE)],
    sympy.loggamma: lambda x: [(x, POSITIVE)],
    sympy.factorial: lambda x: [(x + 1, POSITIVE)],
    sympy.polygamma: lambda n, x: [(x, POSITIVE)],
    sympy.zeta: lambda s, *a: [(s - 1, NONZERO)],
    sympy.Ei: lambda x: [(x, NONZERO)],
    sympy.Ci: lambda x: [(x, POSITIVE)],
    sympy.Chi: lambda x: [(x, POSITIVE)],
    sympy.besselj: _bessel_first_kind,
    sympy.besseli: _bessel_first_kind,
    sympy.bessely: lambda n, x: [(x, POSITIVE)],
    sympy.besselk: lambda n, x: [(x, POSITIVE)],
    sympy.polylog: lambda s, x: [(1 - x, POSITIVE)],
    sympy.LambertW: lambda x: [(x + 1 / E, POSITIVE)],
    sympy.elliptic_k: lambda x: [(1 - x, POSITIVE)],
    sympy.elliptic_e: lambda x: [(1 - x, POSITIVE)],
    sympy.Abs: lambda x: [(x, NONZERO)],
    sympy.sign: lambda x: [(x, NONZERO)],
    sympy.Heaviside: lambda x, *a: [(x, NONZERO)],
    sympy.floor: lambda x: [(sympy.sin(pi * x), NONZERO)],
    sympy.ceiling: lambda x: [(sympy.sin(pi * x), NONZERO)],
}

#: gamma(x) and its relatives are also analytic between the poles on the negative axis; that is not claimed here


def requirements(node: Expr) -> list[Requirement] | None:
    """What has to hold for the outermost function of `node` to be analytic; None if the function is not known."""
    pairs: Pairs | None
    if node.is_Pow and node.func is not sympy.exp:
        pairs = _power(node.base, node.exp)
    elif node.func in ENTIRE:
        pairs = []
    elif node.func in (sympy.Max, sympy.Min):
        args = node.args
        pairs = [(a - b, NONZERO) for i, a in enumerate(args) for b in args[i + 1 :]]
    elif node.func is sympy.hyper:
        pairs = _hyper(node)
    else:
        rule = REQUIREMENTS.get(node.func)
        try:
            pairs = None if rule is None else rule(*node.args)
        except TypeError:  # an optional argument (the branch of LambertW, ...) that no rule covers
            pairs = None
    return None if pairs is None else [Requirement(node, g, relation) for g, relation in pairs]


def _power(base: Expr, exponent: Expr) -> Pairs:
    if exponent.is_integer and exponent.is_nonnegative:
        return []
    if exponent.is_integer:
        return [(base, NONZERO)]
    return [(base, POSITIVE)]


#: class -> (+1 or -1, domain, limits at the two ends of the domain); strictly monotone functions of one argument
MONOTONE: dict[Any, tuple[int, tuple[Expr, Expr], tuple[Expr, Expr]]] = {
    sympy.exp: (1, (-oo, oo), (S.Zero, oo)),
    sympy.log: (1, (S.Zero, oo), (-oo, oo)),
    sympy.asin: (1, (S.NegativeOne, S.One), (-pi / 2, pi / 2)),
    sympy.acos: (-1, (S.NegativeOne, S.One), (pi, S.Zero)),
    sympy.atan: (1, (-oo, oo), (-pi / 2, pi / 2)),
    sympy.sinh: (1, (-oo, oo), (-oo, oo)),
    sympy.tanh: (1, (-oo, oo), (S.NegativeOne, S.One)),
    sympy.asinh: (1, (-oo, oo), (-oo, oo)),
    sympy.acosh: (1, (S.One, oo), (S.Zero, oo)),
    sympy.atanh: (1, (S.NegativeOne, S.One), (-oo, oo)),
    sympy.erf: (1, (-oo, oo), (S.NegativeOne, S.One)),
    sympy.erfc: (-1, (-oo, oo), (Integer(2), S.Zero)),
    sympy.erfi: (1, (-oo, oo), (-oo, oo)),
    sympy.Shi: (1, (-oo, oo), (-oo, oo)),
    sympy.LambertW: (1, (-1 / E, oo), (S.NegativeOne, oo)),
    sympy.elliptic_k: (1, (-oo, S.One), (S.Zero, oo)),
    sympy.elliptic_e: (-1, (-oo, S.One), (oo, S.One)),
}

#: finite singular points in the complex plane, on every sheet that continuation can reach
SINGULAR_VALUES: dict[Any, tuple[Expr, ...]] = {
    sympy.log: (S.Zero,),
    sympy.asin: (S.One, S.NegativeOne),
    sympy.acos: (S.One, S.NegativeOne),
    sympy.atanh: (S.One, S.NegativeOne),
    sympy.acosh: (S.One, S.NegativeOne),
    sympy.acoth: (S.One, S.NegativeOne),
    sympy.atan: (I, -I),
    sympy.asinh: (I, -I),
    sympy.acot: (I, -I, S.Zero),
    sympy.LambertW: (-1 / E, S.Zero),
    sympy.elliptic_k: (S.One, S.Zero),
    sympy.elliptic_e: (S.One, S.Zero),
    sympy.coth: (S.Zero,),
    sympy.csch: (S.Zero,),
    sympy.Ei: (S.Zero,),
    sympy.Ci: (S.Zero,),
    sympy.Chi: (S.Zero,),
}
