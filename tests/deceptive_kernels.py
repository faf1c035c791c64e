"""Kernels made to deceive, with the truth known by construction: 5,000 different ones from one seed.

    for case in deceptive_kernels(150, seed=1): case.expr, case.smooth, case.analytic, case.points, case.made

A case is a core (deceptive_cores, deceptive_singular), mixed with harmless functions, wrapped in monotone ones,
written under up to three identities (deceptive_disguises), with singular terms at the ends and parameters added. Why
the truth survives each step:

  core + h, h analytic on [-1, 1]             f is smooth (analytic) at a point if and only if f + h is
  core * h, h analytic and positive           the same, since f = (f h)/h
  F(core), F analytic, F' != 0 on the range   the same, since f = F^-1(F(f)); |u-u0|^nu keeps its nu (nu > 0, or a jump)
  an identity                                 the same function, up to holes at isolated points
  + c (1-u)^nu and the like                   analytic inside (-1, 1), singular at the end: the expansion is known
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import mpmath as mp
import sympy
from deceptive_cores import ANALYTIC, Core, Point
from deceptive_disguises import disguise
from deceptive_parts import Part, by_value, filler, number, shown
from deceptive_singular import BOUNDED, FLAT, UNBOUNDED
from sympy import Expr, Integer, Rational, Symbol, acos, atan, cos, exp, log, pi, sin, sinh, sqrt

from asymptok.symbols import u

#: a parameter, its range, and the value at which numbers are compared
c = Symbol("c", positive=True)
RANGE = (Rational(1, 2), Integer(2))
SAMPLE = Rational(5, 4)


@dataclass(frozen=True)
class End:
    """The leading non-polynomial term coefficient t^nu (log t)^log_power at an end; nu None: flat like exp(-1/t)."""

    nu: Rational | None
    log_power: int = 0
    coefficient: Expr = sympy.S.One


@dataclass(frozen=True)
class Case:
    """A kernel and what is true of it; `plain` evaluates it without disguise (at c = SAMPLE)."""

    expr: Expr
    made: str
    smooth: bool
    analytic: bool
    bounded: bool
    points: tuple[Point, ...]
    flat_at: tuple[Callable[[], Any], ...]
    complex_on: tuple[tuple[Any, Any], ...]
    ends: dict[int, End]
    plain: Callable[[Any], Any]
    entire: bool
    degree: int | None
    nearest: tuple[Expr, ...]
    parameters: dict[Symbol, tuple[Expr, Expr]]

    @property
    def real(self) -> bool:
        return not self.complex_on

    def rho(self) -> Any:
        """The sum of the semi-axes of the largest ellipse of analyticity: inf if entire, None if it was not tracked."""
        if self.entire:
            return mp.inf
        if not self.nearest:
            return None
        z = mp.mpmathify(sympy.N(self.nearest[0], 40))
        w = z + mp.sqrt(z * z - 1)
        return max(abs(w), 1 / abs(w))

    def value(self, x: Any) -> Any:
        """The expression as it is shown, by mpmath."""
        return shown(self.expr, {u: x, c: number(SAMPLE)})


# ------------------------------------------------------------------------------------- mixing


def _sum(core: Core, h: Part, factor: Rational) -> Core:
    f = core.part
    degree = None if f.degree is None or h.degree is None else max(f.degree, h.degree)
    bound = None if f.bound is None else f.bound + abs(factor) * h.bound
    part = Part(
        f.expr + factor * h.expr,
        lambda x: f.plain(x) + number(factor) * h.plain(x),
        bound,
        f.entire and h.entire,
        degree,
    )
    return replace(core, part=part, nearest=core.nearest if h.entire else ())


def _product(core: Core, h: Part) -> Core:
    f, shift = core.part, h.bound + Rational(1, 3)
    bound = None if f.bound is None else f.bound * (shift + h.bound)
    degree = None if f.degree is None or h.degree is None else f.degree + h.degree
    part = Part(
        f.expr * (shift + h.expr),
        lambda x: f.plain(x) * (number(shift) + h.plain(x)),
        bound,
        f.entire and h.entire,
        degree,
    )
    return replace(core, part=part, nearest=())


def _monotone(rng: random.Random, core: Core) -> Core:
    f = core.part
    b = f.bound
    assert b is not None
    x = f.expr / b
    expr, outer, bound, entire = rng.choice(
        [
            lambda: (exp(x), mp.exp, Integer(3), True),
            lambda: (sinh(x), mp.sinh, Integer(2), True),
            lambda: (atan(x), mp.atan, Integer(1), False),
            lambda: (log(2 + x), lambda y: mp.log(2 + y), Rational(3, 2), False),
            lambda: (sqrt(2 + x), lambda y: mp.sqrt(2 + y), Integer(2), False),
            lambda: (1 / (2 + x), lambda y: 1 / (2 + y), Integer(1), False),
            lambda: (sin(x), mp.sin, Integer(1), True),
        ]
    )()
    part = Part(expr, lambda y: outer(f.plain(y) / number(b)), bound, entire and f.entire)
    return replace(core, part=part, nearest=(), made=f"{expr.func.__name__} of {core.made}")


# ------------------------------------------------------------------------------------- the ends


def _end_term(rng: random.Random) -> tuple[Expr, Callable[[Any], Any], dict[int, End]]:
    """A bounded function, analytic inside, with its leading singular terms."""
    a = rng.choice([Integer(1), Rational(1, 2), Rational(-1, 3), Rational(2, 5)])
    p = rng.choice([Rational(*q) for q in ((1, 2), (3, 2), (1, 3), (5, 2), (7, 4), (4, 3))])
    s = rng.choice((1, -1))
    t = 1 - s * u
    n = rng.choice((1, 2))
    coefficient = a * 2**p
    options: list[tuple[Expr, Expr, dict[int, End]]] = [
        (a * t**p, a * t**p, {s: End(p, 0, a)}),
        (a * (1 - u**2) ** p / (1 + s * u) ** p, a * t**p, {s: End(p, 0, a)}),
        (a * t**n * log(t), a * t**n * log(t), {s: End(Integer(n), 1, a)}),
        (exp(-a * t**p), exp(-a * t**p), {s: End(p, 0, -a)}),
        (
            a * acos(u),
            a * acos(u),
            {1: End(Rational(1, 2), 0, a * sqrt(2)), -1: End(Rational(1, 2), 0, -a * sqrt(2))},
        ),
        (a * acos(u) ** 2, a * acos(u) ** 2, {-1: End(Rational(1, 2), 0, -2 * pi * sqrt(2) * a)}),
        (a * cos(acos(u) / 2), a * sqrt((1 + u) / 2), {-1: End(Rational(1, 2), 0, a / sqrt(2))}),
        (a * (1 - u**2) ** p, a * (1 - u**2) ** p, {1: End(p, 0, coefficient), -1: End(p, 0, coefficient)}),
        (a * exp(-1 / t), a * exp(-1 / t), {s: End(None)}),
        (a * sin(sqrt(t)), a * sin(sqrt(t)), {s: End(Rational(1, 2), 0, a)}),
    ]
    shape = rng.choice(options)
    return shape[0], by_value(shape[1]), shape[2]


def _end_decoy(rng: random.Random) -> tuple[Expr, Callable[[Any], Any], bool]:
    """Roots and logarithms at the ends that cancel: analytic on [-1, 1]. The last entry: entire."""
    s = rng.choice((1, -1))
    t = 1 - s * u
    r, v = sqrt(t), by_value(t)
    return rng.choice(
        [
            lambda: (cos(r), lambda x: mp.hyp0f1(0.5, -v(x) / 4), True),
            lambda: (sin(r) / r, lambda x: mp.hyp0f1(1.5, -v(x) / 4), True),
            lambda: (r * sinh(r), lambda x: v(x) * mp.hyp0f1(1.5, v(x) / 4), True),
            lambda: ((1 - u**2) / (1 + s * u), v, True),
            lambda: (t * log(t) - t * log(t * (4 - u)), by_value(-t * log(4 - u)), False),
            lambda: (cos(3 * acos(u)), by_value(4 * u**3 - 3 * u), True),
            lambda: (sqrt(1 - u**2) * sin(acos(u)), by_value(1 - u**2), True),
        ]
    )()


# ------------------------------------------------------------------------------------- a case


def _core(rng: random.Random) -> Core:
    kind = rng.random()
    if kind < 0.5:
        return rng.choice(ANALYTIC)(rng)
    if kind < 0.6:
        return rng.choice(FLAT)(rng)
    if kind < 0.8:
        return rng.choice(BOUNDED)(rng)
    return rng.choice(UNBOUNDED)(rng)


def _mixed(rng: random.Random, core: Core) -> Core:
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        kind = rng.random()
        if kind < 0.5:
            core = _sum(core, filler(rng), rng.choice([Integer(1), Rational(-1, 2), Rational(2, 3)]))
        elif kind < 0.75:
            core = _product(core, filler(rng))
        elif core.part.bound is not None:
            core = _monotone(rng, core)
    return core


def draw(rng: random.Random) -> Case:
    """One case; the truth is that of its core."""
    core = _mixed(rng, _core(rng))
    part, made = core.part, [core.made]
    ends: dict[int, End] = {}
    nearest, parameters = core.nearest, {}
    depth = rng.choice((0, 1, 1, 1, 2, 2, 3)) if core.made != "pole" else rng.choice((0, 0, 1, 2))
    before_ends = rng.random() < 0.7
    if before_ends:
        part, names = _disguised(rng, part, depth)
        made += names
    if core.real_valued() and rng.random() < 0.3:
        term, value, ends = _end_term(rng)
        part = _plus(part, term, value, entire=False)
        made.append("end term")
    elif core.real_valued() and rng.random() < 0.12:
        term, value, entire = _end_decoy(rng)
        part = _plus(part, term, value, entire)
        nearest = nearest if entire else ()
        made.append("end decoy")
    if not before_ends:
        part, names = _disguised(rng, part, depth)
        made += names
    if rng.random() < 0.06:
        part, parameters = _with_parameter(rng, part), {c: RANGE}
        nearest = ()
        made.append("parameter")
    return Case(
        part.expr,
        ", ".join(made),
        core.smooth,
        core.analytic and not ends,
        part.bound is not None,
        core.points,
        core.flat_at,
        core.complex_on,
        ends,
        part.plain,
        part.entire,
        part.degree if not parameters else None,
        () if ends else nearest,
        parameters,
    )


def _disguised(rng: random.Random, part: Part, depth: int) -> tuple[Part, list[str]]:
    names = []
    for _ in range(depth):
        if _size(part.expr) > _LARGEST // 3:
            break  # SymPy's constructors grow slow on large arguments
        part, name = disguise(rng, part)
        names.append(name)
    return part, names


def _size(expr: Expr) -> int:
    return sum(1 for _ in sympy.preorder_traversal(expr))


def _plus(part: Part, term: Expr, value: Callable[[Any], Any], entire: bool) -> Part:
    # every end term and decoy is below 40 in modulus
    f = part.plain
    bound = None if part.bound is None else part.bound + 40
    return Part(part.expr + term, lambda x: f(x) + value(x), bound, part.entire and entire)


def _with_parameter(rng: random.Random, part: Part) -> Part:
    """c f + h or f + c h for 1/2 < c < 2."""
    h, f = filler(rng), part.plain
    entire, bound = part.entire and h.entire, None if part.bound is None else 2 * (part.bound + h.bound)
    if rng.random() < 0.5:
        return Part(c * part.expr + h.expr, lambda x: number(SAMPLE) * f(x) + h.plain(x), bound, entire)
    return Part(part.expr + c * h.expr, lambda x: f(x) + number(SAMPLE) * h.plain(x), bound, entire)


_UNWANTED = (sympy.arg, sympy.re, sympy.im, sympy.I, sympy.nan, sympy.zoo, sympy.oo)
#: nodes; larger expressions test patience more than truth
_LARGEST = 120


def deceptive_kernels(count: int, seed: int) -> Iterator[Case]:
    """The first `count` different cases of a seed."""
    rng = random.Random(seed)
    seen: set[Expr] = set()
    while len(seen) < count:
        case = draw(rng)
        # SymPy writes the modulus of some complex-looking terms by arg, re and im: no kernel of ours
        if case.expr in seen or case.expr.has(*_UNWANTED) or not case.expr.has(u):
            continue
        if _size(case.expr) > _LARGEST:
            continue
        seen.add(case.expr)
        yield case


def without_parameters(case: Case) -> Case:
    """The case at c = SAMPLE."""
    return replace(case, expr=case.expr.subs(c, SAMPLE), parameters={})
