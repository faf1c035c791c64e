"""Ends where the kernel is smooth without a power series of its own: exp(-1/t); and the growth of entire kernels."""

from __future__ import annotations

from functools import lru_cache
from math import inf, pi, sin

import sympy
from sympy import Expr, Integer, S

from asymptok import dag
from asymptok.balls import ball
from asymptok.functions import record_of
from asymptok.kernels.kernel import Kernel
from asymptok.laws.candidates import singular_candidates
from asymptok.regularity.flat import Grade, exponent_of, flat_term, grade_at, pole, smooth_up_to_ends
from asymptok.symbols import u

__all__ = [
    "flat_at_both_ends",
    "flat_sizes",
    "flat_terms",
    "growth_order",
    "log_flat_size",
    "smooth_by_record",
]


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
    ends = ((S.One, "-"), (S.NegativeOne, "+"))
    return all(grade_at(kernel.expr, at, kernel.parameters, side) <= Grade.SMOOTH for at, side in ends)


def smooth_by_record(kernel: Kernel) -> bool:
    """Whether there is a function inside that is C-infinity up to the ends of its interval without being analytic."""
    return any(smooth_up_to_ends(node) for node in dag.postorder(kernel.expr))


@lru_cache(maxsize=128)
def flat_terms(kernel: Kernel) -> tuple[tuple[float, float], ...]:
    """(a, c) for each exp(-c t^-a ...) at an end: its eigenvalues are of size exp(-const k^(2a/(2a+1))), eq. (13).

    >>> flat_terms(Kernel("sqrt(1 - u) + exp(-2/(1 + u))"))
    ((1.0, 2.0),)
    """
    found = []
    for at, side in ((S.One, "-"), (S.NegativeOne, "+")):
        for node in dag.postorder(kernel.expr):
            term = flat_term(node, at, kernel.parameters, side)
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
        exponent = exponent_of(node)
        if exponent is None and node.is_Pow:
            continue
        argument = node.args[-1] if exponent is None else exponent
        for at, side in _places(argument):
            term = pole(argument, at, kernel.parameters, side)
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
