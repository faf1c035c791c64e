"""Kernels without a closed form: E[phi(X) phi(Y)] as functions that are defined by Hermite coefficients."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sympy
from sympy import (
    Add,
    Dummy,
    Expr,
    Mul,
    Piecewise,
    Poly,
    S,
    Symbol,
    asinh,
    atan,
    cos,
    cosh,
    erf,
    exp,
    log,
    oo,
    sin,
    sinh,
    tanh,
)

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.functions.half_strip import constant
from asymptok.functions.hermite import HermiteDual, hermite_dual
from asymptok.functions.kinked import Cells, kinked_dual
from asymptok.kernels.pieces import NoClosedForm, Piece, folded, pieces
from asymptok.kernels.strips import normal_part, parity_parts
from asymptok.parameters import Range
from asymptok.precision import flint_precision
from asymptok.symbols import u, x

__all__ = ["by_hermite"]

#: bits of the parameters with which the strip of analyticity is proved
_BITS = 128


def by_hermite(
    expr: Expr, ranges: Mapping[Symbol, Range], shown: str, reason: str, known: Callable[[Expr], Expr]
) -> Expr:
    """The kernels of the even and of the odd part of phi; their sum, for E[even(X) odd(Y)] = 0.

    `known` gives the kernel of a part that has a closed form, and raises NoClosedForm for another.
    """
    refusal = (
        f"no closed form is known for the kernel of {shown}: {reason} (there is one for polynomials times exponentials "
        "of quadratic polynomials on intervals, error functions, sines and cosines)"
    )
    # constants that are no rational numbers are parameters: a moment of the layer below, a symbol
    template, names = _template(expr)
    bounds: dict[Symbol, Range] = {**ranges, **dict.fromkeys(names, (S.Zero, oo))}
    total: Expr = S.Zero
    for parity, cells in enumerate(_halves(pieces(template, bounds), bounds)):
        if len(cells) == 1 and _whole(cells[0][1], parity):
            total += _smooth(cells[0][1], parity, names, refusal)
            continue
        try:
            total += dag.rebuild(known(_on_the_line(cells, parity)), names)
        except NoClosedForm:
            used = tuple(sorted({s for h, f in cells for s in f.free_symbols | _symbols(h)} - {x}, key=str))
            total += _applied(kinked_dual(cells, used, parity), used, names, refusal)
    return total


def _smooth(part: Expr, parity: int, names: Mapping[Symbol, Expr], refusal: str) -> Expr:
    """The kernel of a part that is one expression on the whole line."""
    if part.is_polynomial(x):
        return dag.rebuild(_polynomial(part), names)
    used = tuple(s for s in sorted(part.free_symbols - {x}, key=str))
    return _applied(hermite_dual(part, used, parity), used, names, refusal)


def _applied(
    kappa: type[HermiteDual], used: tuple[Symbol, ...], names: Mapping[Symbol, Expr], refusal: str
) -> Expr:
    given = [names.get(s, s) for s in used]
    if not any(g.free_symbols for g in given):
        _require_coefficients(kappa, given, refusal)
    else:
        cells = getattr(kappa, "cells", None)
        for part in [f for _, f in cells] if cells else [kappa.template]:
            _require_tame(part, bool(cells), refusal)
    return kappa(*given, u)


def _require_tame(part: Expr, half: bool, refusal: str) -> None:
    """Analytic on the line (or on x >= 0) with exponential growth at most, whatever the parameters are."""
    y = Dummy("y", nonnegative=True) if half else Dummy("y", real=True)

    def fine(node: Expr) -> bool:
        if node.is_Pow or isinstance(node, exp):
            base, power = node.as_base_exp()
            if power.has(y):
                return not base.has(y) and bool(base.is_positive) and _at_most_linear(power, y)
            return bool(power.is_Integer and (power > 0 or base.is_positive))
        if isinstance(node, log):
            return bool(node.args[0].is_positive)
        if isinstance(node, sin | cos | sinh | cosh):
            return _at_most_linear(node.args[0], y)
        return isinstance(node, Symbol | Add | Mul | tanh | erf | atan | asinh)

    if not all(fine(node) for node in dag.postorder(part.xreplace({x: y})) if node.has(y)):
        raise NoClosedForm(
            f"{refusal}; that it is analytic and square integrable for all values of its parameters is not seen: give "
            "values"
        )


def _at_most_linear(expr: Expr, y: Symbol) -> bool:
    """A polynomial of degree 1 in y, or of degree 2 with a negative leading coefficient."""
    if not expr.is_polynomial(y):
        return False
    poly = Poly(expr, y)
    return poly.degree() <= 1 or (poly.degree() == 2 and bool(poly.LC().is_negative))


def _symbols(end: Expr | None) -> set[Symbol]:
    return set() if end is None else end.free_symbols


def parity_part(found: tuple[Piece, ...], ranges: dict[Symbol, Range], parity: int) -> Expr:
    """The even (0) or the odd (1) part of phi, as one expression where it is one."""
    cells = _halves(found, ranges)[parity]
    first = cells[0][1]
    return first if len(cells) == 1 and _whole(first, parity) else _on_the_line(cells, parity)


def _halves(found: tuple[Piece, ...], ranges: dict[Symbol, Range]) -> tuple[Cells, Cells]:
    """The even and the odd part of phi on x > 0, as cells."""
    if len(found) == 1:
        even, odd = parity_parts(found[0].expr)
        return ((None, even),), ((None, odd),)
    parts: tuple[list[tuple[Expr | None, Expr]], list[tuple[Expr | None, Expr]]] = ([], [])
    for right, left in folded(found, ranges):
        for parity, cells in enumerate(parts):
            value = normal_part((right.expr + (-1) ** parity * left.expr) / 2)
            if cells and (cells[-1][1] - value).expand() == 0:
                cells.pop()
            cells.append((None if right.high is oo else right.high, value))
    return tuple(parts[0]), tuple(parts[1])


def _on_the_line(cells: Cells, parity: int) -> Expr:
    """The part as an expression in x for all real x."""
    lows: list[Expr] = [S.Zero, *(high for high, _ in cells[:-1] if high is not None)]
    left = [
        ((-1) ** parity * dag.rebuild(f, {x: -x}), x < -low) for low, (_, f) in zip(lows, cells, strict=True)
    ]
    return Piecewise(*reversed(left), *((f, S.true if high is None else x < high) for high, f in cells))


def _whole(f: Expr, parity: int) -> bool:
    """Whether the expression itself has the parity."""
    return bool(normal_part(f - (-1) ** parity * dag.rebuild(f, {x: -x})) == 0)


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


def _require_coefficients(kappa: type[HermiteDual], given: list[Expr], refusal: str) -> None:
    """The activation is proved analytic and square integrable before anything is said about it."""
    with flint_precision(_BITS):
        try:
            kappa.require(*(constant(g, {}) for g in given))
        except AsymptokError as error:
            raise NoClosedForm(f"{refusal}; {error}") from None
