"""One table of nodes, at least one for every record of a special function, with the places that tests should attack.

The variable is u, because records ask whether parameters depend on u.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from sympy import I
from sympy import Rational as Q

from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.dawson import Dawson
from asymptok.functions.depth import DeepReLU
from asymptok.functions.orthant import Orthant
from asymptok.functions.steps import DeepStep
from asymptok.functions.struve import StruveH, StruveL
from asymptok.functions.zonal import ZonalSum
from asymptok.symbols import u


@dataclass(frozen=True)
class Case:
    """`on_cut`: complex points at which the principal branch is not analytic.

    `cautious`: real points where the function is analytic although its requirements do not hold there.
    `real_range`: where real points are drawn; `silent`: real values may be missing where the requirements hold.
    """

    node: Any
    on_cut: tuple[Any, ...] = ()
    cautious: bool = False
    real_range: tuple[int, int] = (-6, 6)
    silent: bool = False
    #: complex points are drawn from the square over this interval
    plane: tuple[int, int] = (-4, 4)


_RIGHT = (1, Q(5, 4), 3)
_LEFT = (0, Q(-1, 3), -4)
_BOTH = (1, -1, 2, -3)
_IMAGINARY = (I, -I, 2 * I, -3 * I)
_SEGMENT = (0, 1, -1, Q(1, 2), Q(-2, 3))
_IMAGINARY_SEGMENT = (0, I, -I, I / 2, -2 * I / 3)


def _case(f: Any, *on_cut: Any, **others: Any) -> Case:
    return Case(f(u, evaluate=False), on_cut, **others)


CASES: dict[str, Case] = {
    "ZonalSum": Case(ZonalSum(4, 1, Q(-1, 3), 0, Q(2, 7), Q(1, 5), u)),
    **{
        f.__name__: _case(f)
        for f in (
            *(sympy.exp, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.sinc),
            *(sympy.erf, sympy.erfc, sympy.erfi, sympy.Si, sympy.Shi, sympy.airyai, sympy.airybi),
        )
    },
    "sum": Case(u + 3),
    "product": Case(u * sympy.sqrt(2)),
    "log": _case(sympy.log, *_LEFT),
    "log to base 2": Case(sympy.log(u, 2, evaluate=False), _LEFT),
    "square": Case(u**2),
    "pole": Case(u**-3, (0,)),
    "sqrt": Case(sympy.sqrt(u), _LEFT),
    "reciprocal root": Case(1 / sympy.sqrt(u), _LEFT),
    "cube root": Case(u ** Q(1, 3), _LEFT),
    "irrational power": Case(u**sympy.pi, _LEFT),
    "power of 2": Case(sympy.Pow(2, u)),
    "power of 1/3": Case(sympy.Pow(Q(1, 3), u)),
    "unevaluated power of e": Case(sympy.Pow(sympy.E, u, evaluate=False)),
    "tan": _case(sympy.tan, sympy.pi / 2, -5 * sympy.pi / 2),
    "sec": _case(sympy.sec, sympy.pi / 2, -3 * sympy.pi / 2),
    "cot": _case(sympy.cot, 0, sympy.pi, -2 * sympy.pi),
    "csc": _case(sympy.csc, 0, sympy.pi, -sympy.pi),
    "tanh": _case(sympy.tanh, I * sympy.pi / 2, -3 * I * sympy.pi / 2),
    "sech": _case(sympy.sech, I * sympy.pi / 2, -I * sympy.pi / 2),
    "coth": _case(sympy.coth, 0, I * sympy.pi, -I * sympy.pi),
    "csch": _case(sympy.csch, 0, I * sympy.pi),
    "asin": _case(sympy.asin, *_BOTH, real_range=(-2, 2)),
    "acos": _case(sympy.acos, *_BOTH, real_range=(-2, 2)),
    "atan": _case(sympy.atan, *_IMAGINARY),
    "acot": _case(sympy.acot, *_IMAGINARY_SEGMENT),
    "asec": _case(sympy.asec, *_SEGMENT),
    "acsc": _case(sympy.acsc, *_SEGMENT),
    "asinh": _case(sympy.asinh, *_IMAGINARY),
    "acosh": _case(sympy.acosh, 1, 0, Q(1, 2), -1, -3),
    "atanh": _case(sympy.atanh, *_BOTH, real_range=(-2, 2)),
    "acoth": _case(sympy.acoth, 1, -1, Q(1, 2), Q(-2, 3), 0),
    "asech": _case(sympy.asech, 0, -1, -2, 1, 3, real_range=(0, 1)),
    "acsch": _case(sympy.acsch, *_IMAGINARY_SEGMENT),
    "Ei": _case(sympy.Ei, *_LEFT),
    "Ci": _case(sympy.Ci, *_LEFT),
    "Chi": _case(sympy.Chi, *_LEFT),
    "gamma": _case(sympy.gamma, 0, -1, -4, cautious=True),
    "factorial": _case(sympy.factorial, -1, -2, -4, cautious=True),
    "loggamma": _case(sympy.loggamma, *_LEFT),
    "digamma": Case(sympy.polygamma(0, u), (0, -1, -3), cautious=True),
    "polygamma 3": Case(sympy.polygamma(3, u), (0, -1, -3), cautious=True),
    "zeta": _case(sympy.zeta, 1),
    "dirichlet_eta": _case(sympy.dirichlet_eta, 1),
    "zeta(3, a)": Case(sympy.zeta(3, u), (0, -1, -3), cautious=True),
    "zeta(5/2, a)": Case(sympy.zeta(Q(5, 2), u), _LEFT),
    "zeta(s, 3/4)": Case(sympy.zeta(u, Q(3, 4)), (1,)),
    "polylog 2": Case(sympy.polylog(2, u), _RIGHT),
    "polylog 5/2": Case(sympy.polylog(Q(5, 2), u), _RIGHT),
    "polylog 1": Case(sympy.polylog(1, u, evaluate=False), _RIGHT),
    "polylog 1/2": Case(sympy.polylog(Q(1, 2), u), _RIGHT),
    "polylog -2": Case(sympy.polylog(-2, u), (1,)),
    "polylog of a varying order": Case(sympy.polylog(u, Q(-2, 3))),
    "besselj 2": Case(sympy.besselj(2, u)),
    "besseli 1": Case(sympy.besseli(1, u)),
    "besselj 1/3": Case(sympy.besselj(Q(1, 3), u), _LEFT),
    "besseli -1/2": Case(sympy.besseli(Q(-1, 2), u), _LEFT),
    "bessely 1": Case(sympy.bessely(1, u), _LEFT),
    "besselk 1": Case(sympy.besselk(1, u), _LEFT),
    "besselk 5/2": Case(sympy.besselk(Q(5, 2), u), _LEFT),
    "besselk 1/3": Case(sympy.besselk(Q(1, 3), u), _LEFT),
    "besselj of a varying order": Case(sympy.besselj(u, 2)),
    "besselk of a varying order": Case(sympy.besselk(u, 2), silent=True),  # Arb gives up around whole orders
    "StruveH 0": Case(StruveH(0, u)),
    "StruveH 3": Case(StruveH(3, u)),
    "StruveL 1": Case(StruveL(1, u)),
    "Dawson": Case(Dawson(u)),
    "2F1": Case(sympy.hyper([Q(1, 2), Q(1, 3)], [2], u), _RIGHT),
    "2F1, terminating": Case(sympy.hyper([-2, 1], [3], u)),
    "2F1, terminating, many": Case(sympy.hyper([-3, 1, 4], [3], u)),
    "1F0": Case(sympy.hyper([Q(1, 2)], [], u), _RIGHT),
    "1F1": Case(sympy.hyper([Q(1, 2)], [Q(-7, 3)], u)),
    "0F1": Case(sympy.hyper([], [Q(7, 3)], u)),
    "3F2": Case(
        sympy.hyper([1, Q(1, 2), Q(1, 3)], [2, 3], u), _RIGHT, silent=True, plane=(-1, 1), real_range=(-1, 1)
    ),
    "elliptic_k": _case(sympy.elliptic_k, *_RIGHT),
    "elliptic_e": _case(sympy.elliptic_e, *_RIGHT),
    "incomplete elliptic_e": Case(sympy.elliptic_e(u, Q(1, 3)), (3,)),
    "elliptic_f": Case(sympy.elliptic_f(u, Q(1, 3)), (3,)),
    "LambertW": _case(sympy.LambertW, -1 / sympy.E, -1, -3),
    "LambertW -1": Case(sympy.LambertW(u, -1), (0, -1, -3, Q(-1, 5)), real_range=(-1, 1)),
    "Abs": _case(sympy.Abs, 0, 1),
    "sign": _case(sympy.sign, 0, 1),
    "Heaviside": _case(sympy.Heaviside, 0, 1),
    "floor": _case(sympy.floor, 0, 1, Q(1, 2)),
    "ceiling": _case(sympy.ceiling, 0, 1, Q(1, 2)),
    "Max": Case(sympy.Max(u, Q(1, 3)), (0,)),
    "Min": Case(sympy.Min(u, Q(1, 3), 5), (0,), cautious=True),
    "atan2": Case(sympy.atan2(u, Q(-1, 2)), (0,)),
    "atan2 of a varying second argument": Case(sympy.atan2(Q(1, 3), u), (0,)),
    "kappa 0": Case(ArcCosine(0, u), _BOTH),
    "kappa 1": Case(ArcCosine(1, u), _BOTH),
    "kappa 2": Case(ArcCosine(2, u), _BOTH),
    "deep random features": Case(DeepReLU(0, 3, u, evaluate=False), _BOTH, real_range=(-2, 2)),
    "deep NTK": Case(DeepReLU(1, 3, u, evaluate=False), _BOTH, real_range=(-2, 2)),
    "deep steps": Case(DeepStep(3, u, evaluate=False), _BOTH, real_range=(-2, 2)),
    "Orthant": Case(Orthant(1, 2, u), _BOTH, real_range=(-1, 1)),
    "Orthant of equal thresholds": Case(Orthant(Q(1, 2), Q(1, 2), u), _BOTH, real_range=(-2, 2)),
    "Orthant of a varying threshold": Case(Orthant(u, Q(3, 2), Q(-1, 3))),
}

#: nodes of which nothing may be claimed: requirements, singular values and entireness are unknown
OPAQUE: dict[str, Any] = {
    "divergent series": sympy.hyper([1, 1, 1], [3], u),
    "divergent series without lower parameters": sympy.hyper([Q(1, 2), 1], [], -u),
    "upper parameter varies": sympy.hyper([u, 1], [3], Q(1, 2)),
    "lower parameter varies": sympy.hyper([1], [u], Q(1, 2)),
    "undefined lower parameter": sympy.hyper([1], [-2], u),
    "undefined lower parameter, terminating": sympy.hyper([-1, 2], [-2], u),
    "lower parameter that may vanish": sympy.hyper([1], [sympy.Symbol("b", real=True)], u),
    "complex parameter": sympy.hyper([I], [2], u),
    "order of polygamma varies": sympy.polygamma(u, 2),
    "fractional order of polygamma": sympy.polygamma(Q(1, 2), u),
    "negative order of polygamma": sympy.polygamma(-2, u, evaluate=False),
    "other branch of W": sympy.LambertW(u, 1),
    "branch of W varies": sympy.LambertW(Q(1, 2), u),
    "incomplete elliptic integral": sympy.elliptic_e(u, Q(1, 3)),
    "incomplete elliptic integral of the first kind": sympy.elliptic_f(u, Q(1, 3)),
}
