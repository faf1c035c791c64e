"""Ends where the kernel is smooth without a power series of its own: exp(-1/t); and the growth of entire kernels."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from math import inf, pi, sin

import sympy
from flint import arb
from sympy import Expr, Integer, S

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.expansion import Term, puiseux
from asymptok.functions import SWITCHES, record_of
from asymptok.kernels.kernel import Kernel
from asymptok.laws.candidates import singular_candidates
from asymptok.regularity.forms import CHOICES, resolved
from asymptok.regularity.model import NotShown
from asymptok.regularity.points import analytic_at
from asymptok.regularity.side import Side
from asymptok.symbols import u

__all__ = [
    "flat_at_both_ends",
    "flat_sizes",
    "flat_terms",
    "growth_order",
    "log_flat_size",
    "smooth_by_record",
]

#: what is known of a part next to an end: smooth and flat, C-infinity up to the end, or no more than an expansion
_FLAT, _SMOOTH, _MODERATE, _UNKNOWN = range(4)
#: how far from the end case distinctions are looked at
_NEXT_TO = arb(1) / 256


@lru_cache(maxsize=128)
def flat_at_both_ends(kernel: Kernel) -> bool:
    """Whether kappa is proved C-infinity up to both ends: analytic there, but for terms like exp(-1/t).

    >>> flat_at_both_ends(Kernel("exp(-1/(1 - u)) + u")), flat_at_both_ends(Kernel("sqrt(1 - u)"))
    (True, False)
    >>> flat_at_both_ends(Kernel("exp(-1/(1 - u))*sinh(1/(1 - u))"))
    False
    """
    if kernel.parameters and kernel.mean and kernel.layers:
        # correlations stay in [-1, 1]: a network of such means is one
        return all(flat_at_both_ends(Kernel(mean)) for mean in kernel.mean.means)
    return all(_smooth_at(kernel, at) for at in (1, -1))


def _smooth_at(kernel: Kernel, at: int) -> bool:
    """Analytic next to the end as a whole, or by the calculus of flat parts from the leaves upwards."""
    if _is_analytic(kernel.expr, at, kernel):
        return True
    nodes = list(dag.postorder(kernel.expr))
    if not any(_flat_term(node, at, kernel) or _smooth_up_to_ends(node) for node in nodes):
        return False
    grades: dict[Expr, int] = {}
    for node in dag.postorder(kernel.expr):
        if isinstance(node, Expr):
            grades[node] = _grade(node, at, kernel, grades)
    return grades[kernel.expr] in (_FLAT, _SMOOTH)


def _grade(node: Expr, at: int, kernel: Kernel, grades: dict[Expr, int]) -> int:
    """One node from the grades of its arguments.

    exp(g) with g -> -oo like a negative power is flat: it and all its derivatives are smaller than every power of t.
    Flat times a part with an expansion, whose derivatives grow at most like powers, is flat; F(smooth) is smooth
    where F is analytic at the limit of its argument. Nothing else is concluded: 1/flat and log(flat) are not smooth.
    """
    if not node.has(u) or _is_analytic(node, at, kernel):
        return _SMOOTH
    if _flat_term(node, at, kernel) is not None:
        return _FLAT
    inner = [grades.get(a, _UNKNOWN) for a in node.args]
    if node.is_Add and max(inner) <= _SMOOTH:
        return max(inner)
    if node.is_Mul:
        if max(inner) <= _SMOOTH:
            return min(inner)
        if _FLAT in inner and max(inner) <= _MODERATE:
            return _FLAT
    if node.is_Pow and node.exp.is_Integer and node.exp > 0 and inner[0] <= _SMOOTH:
        return inner[0]
    if max(inner) <= _SMOOTH and (_smooth_up_to_ends(node) or _analytic_at_limit(node, at, kernel)):
        return _SMOOTH
    return _MODERATE if _expands(node, at, kernel) else _UNKNOWN


def smooth_by_record(kernel: Kernel) -> bool:
    """Whether there is a function inside that is C-infinity up to the ends of its interval without being analytic."""
    return any(_smooth_up_to_ends(node) for node in dag.postorder(kernel.expr))


def _smooth_up_to_ends(node: Expr) -> bool:
    """Whether the outermost function is C-infinity on a closed interval, which its argument does not leave."""
    record = record_of(node.func)
    return record is not None and record.smooth_ends and record.fixed_parameters(node)


def _side(at: int) -> str:
    return "-" if at == 1 else "+"


def _is_analytic(expr: Expr, at: int, kernel: Kernel) -> bool:
    """Whether the part agrees next to the end with a function analytic at the end."""
    if not isinstance(expr, Expr) or expr.has(sympy.nan, sympy.zoo):
        return False
    if expr.has(*CHOICES):
        # Max(0, u - 1/6)^(3/2) is 0 next to -1, where x^(3/2) is not analytic
        with suppress(NotShown, AsymptokError):
            expr = resolved(expr, Side(Integer(at), -at, _NEXT_TO, parameters=kernel.parameters))
    try:
        return bool(analytic_at(expr, Integer(at), kernel.parameters, _side(at)))
    except AsymptokError:
        return False


def _expands(node: Expr, at: int, kernel: Kernel) -> bool:
    """Whether there is an expansion; it may be differentiated (docs/theory.md, Termwise differentiation)."""
    try:
        puiseux(node, u, at, _side(at), 1, parameters=kernel.parameters)
    except AsymptokError:
        return False
    return True


def _analytic_at_limit(node: Expr, at: int, kernel: Kernel) -> bool:
    """Whether the outermost function is analytic at the limit of its one varying argument, on both sides of it."""
    if isinstance(node, SWITCHES):
        return False
    varying = [i for i, a in enumerate(node.args) if a.has(u)]
    if len(varying) != 1:
        return False
    place = varying[0]
    try:
        found = puiseux(node.args[place], u, at, _side(at), 0, parameters=kernel.parameters)
    except AsymptokError:
        return False
    if any(term.exponent != 0 or term.log_power for term in found.terms):
        return False
    value = sum((term.coefficient for term in found.terms), S.Zero)
    for step in (u - at, at - u):
        args = [*node.args[:place], value + step, *node.args[place + 1 :]]
        if not _is_analytic(node.func(*args), at, kernel):
            return False
    return True


def _exponent(node: Expr) -> Expr | None:
    """g for a node exp(g), or b^x = exp(x log b) with a constant b > 0."""
    if isinstance(node, sympy.exp):
        return node.args[0]
    if node.is_Pow and node.exp.has(u) and node.base.is_positive and not node.base.has(u):
        return node.exp * sympy.log(node.base)
    return None


def _flat_term(node: Expr, at: int, kernel: Kernel, side: str | None = None) -> Term | None:
    """The leading term of g for a node exp(g) with g -> -oo like a negative power of the distance from the point."""
    if not isinstance(node, Expr) or not node.has(u):
        return None
    exponent = _exponent(node)
    if exponent is None or not exponent.has(u):
        return None
    first = _pole(exponent, at, kernel, _side(at) if side is None else side)
    return first if first is not None and first.coefficient.is_negative else None


def _pole(expr: Expr, at: Expr | int, kernel: Kernel, side: str) -> Term | None:
    try:
        return puiseux(expr, u, at, side, 1, parameters=kernel.parameters).pole
    except AsymptokError:
        return None


@lru_cache(maxsize=128)
def flat_terms(kernel: Kernel) -> tuple[tuple[float, float], ...]:
    """(a, c) for each exp(-c t^-a ...) at an end: its eigenvalues are of size exp(-const k^(2a/(2a+1))), eq. (13).

    >>> flat_terms(Kernel("sqrt(1 - u) + exp(-2/(1 + u))"))
    ((1.0, 2.0),)
    """
    found = []
    for at in (1, -1):
        for node in dag.postorder(kernel.expr):
            term = _flat_term(node, at, kernel)
            if term is not None and not term.coefficient.free_symbols | term.exponent.free_symbols:
                found.append((-float(term.exponent), -float(term.coefficient)))
    return tuple(found)


@lru_cache(maxsize=128)
def flat_sizes(kernel: Kernel) -> tuple[tuple[float, float], ...]:
    """(b, c) for every part exp(-c |theta - theta_0|^-b), at an end or inside: what no power of k shows, eq. (13).

    An infinite argument of any other function gives (0, 0): then nothing is known about the size.

    >>> flat_sizes(Kernel("sqrt(1 - u) + exp(-1/u**2)")), flat_sizes(Kernel("exp(-1/(1 - u))"))
    (((2.0, 1.0), (2.0, 1.0)), ((2.0, 2.0),))
    """
    found: list[tuple[float, float]] = []
    for node in dag.postorder(kernel.expr):
        if not isinstance(node, Expr) or not node.args or not node.has(u) or node.is_Add or node.is_Mul:
            continue
        exponent = _exponent(node)
        if exponent is None and node.is_Pow:
            continue
        argument = node.args[-1] if exponent is None else exponent
        for at, side in _places(argument):
            term = _pole(argument, at, kernel, side)
            if term is None or term.coefficient.free_symbols:
                continue
            power, factor = (1, 1) if exponent is not None else _tail(node)
            a, c = (
                -float(term.exponent) * power,
                factor * abs(float(ball(term.coefficient, prec=64).mid())) ** power,
            )
            if exponent is not None and term.coefficient.is_positive:
                a, c = 0.0, 0.0
            # t = theta^2/2 next to an end, and |u - u_0| = |theta - theta_0| sin(theta_0) inside
            if at in (1, -1):
                found.append((2 * a, c * 2**a))
            else:
                found.append((a, c / float(sympy.sqrt(1 - at**2)) ** a))
    return tuple(found)


def _places(argument: Expr) -> list[tuple[Expr, str]]:
    """The ends, and the points inside where the argument may be infinite."""
    inside = [z for z in singular_candidates(argument) if z.is_real and abs(float(z)) < 1]
    return [(S.One, "-"), (S.NegativeOne, "+"), *((z, side) for z in inside for side in "+-")]


def _tail(node: Expr) -> tuple[int, int]:
    record = record_of(node.func)
    return (0, 0) if record is None or record.tail is None else record.tail


def log_flat_size(b: float, c: float, k: int) -> float:
    """log of the size of mu_k for exp(-c |theta|^-b): the saddle point of -c theta^-b + i k theta, eq. (13)."""
    if k == 0 or b == 0:
        return 0.0 if b else inf
    theta: float = (b * c / k) ** (1 / (b + 1))
    return -k * theta * (1 + 1 / b) * sin(pi / (2 * (b + 1)))


def growth_order(expr: Expr) -> Expr | None:
    """The order of an entire function built of polynomials, exponentials and error functions; None if not clear.

    Sums and products may cancel, so the answer is an upper bound for them and exact for a single function.

    >>> growth_order(sympy.exp(2*u)), growth_order(sympy.exp(-u**2) + u), growth_order(sympy.exp(sympy.exp(u)))
    (1, 2, None)
    """
    best: Expr = S.Zero
    for node in dag.postorder(expr):
        if not isinstance(node, Expr) or not node.args or not node.has(u) or node.is_polynomial(u):
            continue
        if (
            node.is_Add
            or node.is_Mul
            or (node.is_Pow and node.exp.is_Integer and node.exp > 0 and node.func is not sympy.exp)
        ):
            continue
        record = record_of(node.func)
        weight = record.growth(node) if record is not None and record.fixed_parameters(node) else None
        if record is None or weight is None or not record.argument(node).is_polynomial(u):
            return None
        best = max(best, weight * Integer(sympy.degree(record.argument(node), u)))
    return best if best > 0 else None
