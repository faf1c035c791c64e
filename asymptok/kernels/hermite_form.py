"""Kernels without a closed form: E[phi(X) phi(Y)] as functions that are defined by Hermite coefficients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.functions.half_strip import constant
from asymptok.functions.hermite import HermiteDual, hermite_dual
from asymptok.kernels.pieces import NoClosedForm, pieces
from asymptok.kernels.strips import parity_parts
from asymptok.parameters import Range
from asymptok.precision import flint_precision
from asymptok.symbols import u, x

__all__ = ["by_hermite"]

#: bits of the parameters with which the strip of analyticity is proved
_BITS = 128


def by_hermite(expr: Expr, ranges: Mapping[Symbol, Range], shown: str, reason: str) -> Expr:
    """The kernels of the even and of the odd part of phi; their sum, for E[even(X) odd(Y)] = 0.

    >>> by_hermite(1/(1 + sympy.exp(-x)), {}, "sigmoid", "").subs(u, 0)
    1/4
    """
    refusal = (
        f"no closed form is known for the kernel of {shown}: {reason} (there is one for polynomials times exponentials "
        "of quadratic polynomials on intervals, error functions, sines and cosines)"
    )
    cells = pieces(expr, dict(ranges))
    if len(cells) > 1:
        raise NoClosedForm(refusal)
    # constants that are no rational numbers are parameters: a moment of the layer below, a symbol
    template, names = _template(cells[0].expr)
    total: Expr = S.Zero
    for parity, part in enumerate(parity_parts(template)):
        if part.is_polynomial(x):
            total += dag.rebuild(_polynomial(part), names)
            continue
        used = tuple(s for s in sorted(part.free_symbols - {x}, key=str))
        kappa = hermite_dual(part, used, parity)
        given = [names.get(s, s) for s in used]
        if not any(g.free_symbols for g in given):
            _require_strip(kappa, given, refusal)
        total += kappa(*given, u)
    return total


def _template(expr: Expr) -> tuple[Expr, dict[Symbol, Expr]]:
    """phi with second moments of other activations, positive numbers, named."""
    moments = [n for n in dag.postorder(expr) if isinstance(n, HermiteDual)]
    names: dict[Symbol, Expr] = {Symbol(f"m{i}", positive=True): n for i, n in enumerate(moments)}
    return dag.rebuild(expr, {n: s for s, n in names.items()}), names


def _polynomial(part: Expr) -> Expr:
    """sum_n E[P^(n)(X)]^2 u^n/n!, exactly."""
    total = S.Zero
    derivative, n = part, 0
    while derivative != 0:
        mean = sum(
            (c * sympy.factorial2(m - 1) for (m,), c in sympy.Poly(derivative, x).terms() if m % 2 == 0),
            S.Zero,
        )
        total += mean**2 * u**n / sympy.factorial(n)
        derivative, n = sympy.diff(derivative, x).expand(), n + 1
    return total


def _require_strip(kappa: Any, given: list[Expr], refusal: str) -> None:
    """The activation is proved analytic and square integrable before anything is said about it."""
    with flint_precision(_BITS):
        try:
            found = kappa.coefficients(*(constant(g, {}) for g in given)).strip
        except AsymptokError as error:
            raise NoClosedForm(f"{refusal}; {error}") from None
        assert found.norm.is_finite()
