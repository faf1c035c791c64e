"""The feature map of a positive definite kernel: how continuous it is, close by and over the whole sphere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from sympy import Expr, Float, S, sqrt, sstr

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants import decide
from asymptok.errors import AsymptokError, Impossible
from asymptok.expansion import Term, expand
from asymptok.kernels.kernel import Kernel
from asymptok.laws import Decay
from asymptok.points import Array
from asymptok.symbols import u
from asymptok.truth import Sign

__all__ = ["Entry", "holder_entries"]

#: points of the grid on which the supremum is looked for, rounds of refinement, and digits that are shown
_POINTS, _ROUNDS, _DIGITS = 2001, 3, 6
#: the smallest distance t of the grid: below it kappa(1) - kappa(1-t) loses its digits in doubles
_CLOSE = 1e-7

_REASON = "|Phi(x)-Phi(y)|^2 = 2 kappa(1) - 2 kappa(1-t), |x-y|^2 = 2t, and the expansion at u = 1"


@dataclass(frozen=True, slots=True)
class Entry:
    """One consequence: its exact value (None where there is none), what it says, and why it holds."""

    value: Expr | None
    statement: str
    reason: str


def holder_entries(kernel: Kernel, law: Decay) -> tuple[Entry, Entry, Entry]:
    """Hoelder exponent, local constant and supremum: |Phi(x)-Phi(y)|^2 = 2 kappa(1) - 2 kappa(1-t), |x-y|^2 = 2t."""
    first = _first_term(kernel, law)
    if first is None or first.coefficient == 0:
        told = "its constant vanishes to first order"
        return (
            Entry(S.One, "the feature map is Lipschitz", _REASON),
            Entry(S.Zero, told, _REASON),
            Entry(
                S.Zero, "the kernel is constant", "kappa'(1) = 0 is the sum of P_k'(1) mu_k N(d, k), all >= 0"
            ),
        )
    e, c = first.exponent, first.coefficient
    if first.log_power:
        told = f"Holder of every order below {sstr(e)}: |x-y|^{sstr(e)} up to a power of log |x-y|"
        none = Entry(None, "no constant: the logarithm is unbounded", _REASON)
        return Entry(e, told, _REASON), none, none
    sign = _sign(c, kernel)
    if sign.positive:
        raise Impossible(
            f"{kernel} grows away from u = 1, like kappa(1) + ({sstr(c)}) t^({sstr(e)}): it is not positive definite "
            "and has no feature map"
        )
    name = "Lipschitz" if e == 1 else f"Holder of order {sstr(e)}"
    distance = "|x-y|" if e == 1 else f"|x-y|^({sstr(e)})"
    constant = sqrt(-2 * c / 2**e)
    return (
        Entry(e, f"the feature map is {name}{', and no better' if sign.nonzero else ''}", _REASON),
        Entry(
            constant,
            f"the local limit: |Phi(x)-Phi(y)| ~ constant {distance} as y -> x; over all x, y see the supremum",
            _REASON,
        ),
        _supremum(kernel, e, constant),
    )


def _first_term(kernel: Kernel, law: Decay) -> Term | None:
    """The first term after the constant of kappa(1-t)."""
    try:
        return expand(kernel, at=1, order=1).first(lambda term: bool(term.exponent != 0 or term.log_power))
    except AsymptokError:
        if law.nu is not None:
            raise
    # smooth up to the end: the slope there is a derivative, whatever the parameters
    slope = dag.rebuild(dag.derivative(kernel.expr, u), {u: S.One})
    if slope.has(sympy.nan, sympy.zoo, sympy.oo):
        raise AsymptokError(f"the slope of {kernel} at u = 1 is not known")
    return Term(-slope, S.One, 0)


def _sign(value: Expr, kernel: Kernel) -> Sign:
    return decide.sign(value, kernel.parameters)


def _supremum(kernel: Kernel, e: Expr, local: Expr) -> Entry:
    """The smallest C with |Phi(x)-Phi(y)| <= C |x-y|^e for all x and y."""
    if e == 1:
        return Entry(
            local,
            "the supremum over all x, y is the local limit: |Phi(x)-Phi(y)| <= constant |x-y| (proved)",
            "1 - P_k(u) <= P_k'(1) (1-u), and mu_k >= 0",
        )
    if kernel.parameters or local.free_symbols:
        return Entry(None, "the supremum over all x, y needs numbers for the parameters", _REASON)
    limit = float(ball(local, prec=64).mid())
    top = max(limit, _on_grid(kernel, float(ball(e, prec=64).mid())))
    reason = f"the largest value on a grid of {_POINTS} distances, refined {_ROUNDS} times: an estimate, not a bound"
    if top <= limit * (1 + 1e-9):
        return Entry(
            local, "the supremum over all x, y: no larger value than the local limit was found", reason
        )
    shown = Float(top, _DIGITS)
    return Entry(
        shown,
        f"the supremum of |Phi(x)-Phi(y)|/|x-y|^({sstr(e)}) over all x, y, estimated: about {shown}",
        reason,
    )


def _on_grid(kernel: Kernel, e: float) -> float:
    top = float(kernel(1.0))

    def ratio(t: Array) -> Any:
        gap = np.maximum(2 * (top - kernel(1 - t)), 0.0)
        return np.sqrt(gap) / (2 * t) ** (e / 2)

    t = np.unique(np.concatenate([np.geomspace(_CLOSE, 2, _POINTS), np.linspace(_CLOSE, 2, _POINTS)]))
    for _ in range(_ROUNDS):
        values = ratio(t)
        best = int(values.argmax())
        t = np.linspace(t[max(best - 1, 0)], t[min(best + 1, len(t) - 1)], _POINTS)
    return float(ratio(t).max())
