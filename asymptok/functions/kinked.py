r"""kappa(z) = E[phi(X) phi(Y)] for an even or odd activation with kinks and without a closed form, and its derivatives.

phi is given on x >= 0 by cells: (upper end, expression), the last without an end, each analytic around its closed
interval. kappa is analytic for |z| < 1; at the ends it has an expansion in powers of sqrt(1 - |z|).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import flint
import numpy as np
from flint import acb, arb
from numpy.polynomial import chebyshev
from sympy import Abs, Expr, Piecewise, Rational, S, Symbol, diff, expand_mul, sign, sstr
from sympy.printing.printer import Printer

from asymptok.errors import AsymptokError
from asymptok.functions.hermite import (
    HermiteDual,
    Key,
    family_member,
    hermite_dual,
    real_value,
    remembered,
    without_low_powers,
)
from asymptok.functions.kinked_numeric import KinkedCoefficients
from asymptok.points import Array
from asymptok.precision import flint_precision
from asymptok.symbols import x

__all__ = ["Cells", "KinkedDual", "derivative", "kinked_dual"]

Cells = tuple[tuple[Expr | None, Expr], ...]

#: nodes of the interpolation that serves arrays of doubles, and its error at points between them
_NODES = (48, 96, 192)
_CLOSE = 2e-15


class KinkedDual(HermiteDual):
    """What all kernels of activations with kinks have in common; see `kinked_dual`.

    `parity` is that of the function of z, kappa or its derivative of the given order.
    """

    cells: Cells
    smooth_ends = False

    _pieces: dict[Key, KinkedCoefficients]
    _series: dict[tuple[str, ...], Array]

    @classmethod
    def eval(cls, *args: Expr) -> Expr | None:
        *given, z = args
        if z is S.One and not cls.order and not any(isinstance(v, Rational) for v in given):
            # equal numbers are written alike, whatever kernel they belong to
            found = cls.inner(0, *given)
            return None if isinstance(found, cls) else found
        return super().eval(*args)

    @classmethod
    def _with(cls, fixed: Mapping[Symbol, Expr], kept: tuple[Symbol, ...]) -> type[HermiteDual]:
        cells = tuple((None if h is None else h.subs(fixed), f.subs(fixed)) for h, f in cls.cells)
        return kinked_dual(cells, kept, cls.base_parity(), cls.order)

    @classmethod
    def base_parity(cls) -> int:
        """That of phi."""
        return (cls.parity + cls.order) % 2

    @classmethod
    def slope(cls, order: int) -> type[KinkedDual]:
        return kinked_dual(cls.cells, cls.symbols, cls.base_parity(), cls.order + order)

    @classmethod
    def activation(cls, *given: Expr) -> Expr:
        raise AsymptokError("an activation with kinks is analytic in no strip")

    @classmethod
    def inner(cls, order: int, *given: Expr) -> Expr:
        """E[phi^(order)(X)^2], phi differentiated cell by cell: the jumps are left out.

        It depends on |phi^(order)| for x > 0 alone; equal numbers are written alike, whatever kernel they belong to.
        """
        if len(cls.cells) == 1:
            plain = without_low_powers(cls.cells[0][1], order)
            for parity in (0, 1):
                if (plain - (-1) ** parity * plain.subs(x, -x)).expand() == 0 and not plain.is_polynomial(x):
                    return hermite_dual(plain, cls.symbols, (parity + order) % 2, order)(*given, S.One)
        slopes = [derivative(f, order) for _, f in cls.cells]
        first = next((f for f in slopes if f != 0), None)
        if first is None:
            return S.Zero
        sign = -1 if first.could_extract_minus_sign() else 1
        cells = tuple((high, sign * f) for (high, _), f in zip(cls.cells, slopes, strict=True))
        made = kinked_dual(cells, cls.symbols, 0)
        return made(*given, S.One, evaluate=False) if made is cls else made(*given, S.One)

    @classmethod
    def pieces(cls, *given: arb) -> KinkedCoefficients:
        """What kappa is computed from, for parameters that are balls."""
        if cls.order:
            return cls.slope(-cls.order).pieces(*given)

        def make(given: tuple[arb, ...]) -> KinkedCoefficients:
            values = dict(zip(cls.symbols, given, strict=True))
            return KinkedCoefficients(cls.cells, x, cls.base_parity(), values)

        return remembered(cls._pieces, given, make)

    @classmethod
    def exists(cls, *given: arb) -> bool:
        return cls.pieces(*given).exists

    @classmethod
    def require(cls, *given: arb) -> None:
        cls.pieces(*given).require()

    @classmethod
    def at_point(cls, given: list[arb], z: arb) -> arb:
        found = cls.pieces(*given)
        if not cls.order:
            return found.at(z, flint.ctx.prec)
        return found.derivative(z, cls.order, flint.ctx.prec) if z < 1 else arb.nan()

    @classmethod
    def at_complex(cls, given: list[arb], z: acb) -> acb:
        return acb(cls.pieces(*given).derivative(z, cls.order, flint.ctx.prec))

    @classmethod
    def doubles(cls, given: list[arb], z: Array) -> Array:
        """By interpolation in theta = acos(z), in which kappa is smooth up to both ends."""

        def exact(points: list[arb]) -> Array:
            with flint_precision(70):
                return np.array([float(real_value(cls, *given, p).mid()) for p in points])

        if np.size(z) <= _NODES[0] or cls.order:
            return np.reshape(exact([arb(float(p)) for p in np.ravel(z)]), np.shape(z))
        key = tuple(map(str, given))
        if key not in cls._series:
            with flint_precision(70):
                probe = np.linspace(0.01, 3.13, 9)
                between = exact([arb(float(t)).cos() for t in probe])
                for count in _NODES:
                    nodes = (np.cos(np.pi * (np.arange(count) + 0.5) / count) + 1) * np.pi / 2
                    values = exact([arb(float(t)).cos() for t in nodes])
                    series = np.asarray(
                        chebyshev.chebfit(nodes * 2 / np.pi - 1, values, count - 1), dtype=float
                    )
                    gap = np.abs(chebyshev.chebval(probe * 2 / np.pi - 1, series) - between).max()
                    if gap <= _CLOSE * np.abs(series).max():
                        break
            cls._series[key] = series
        return np.asarray(chebyshev.chebval(np.arccos(z) * 2 / np.pi - 1, cls._series[key]), dtype=float)

    def _sympystr(self, printer: Printer) -> str:
        f = "f" if not self.order else f"d^{self.order}/du^{self.order} f"
        phi = self.template.subs(dict(zip(self.symbols, self.args[:-1], strict=True)))
        return f"E[{f}(X) f(Y); f = {sstr(phi)}, corr = {printer._print(self.args[-1])}]"


@lru_cache(maxsize=512)
def derivative(f: Expr, order: int) -> Expr:
    """The derivative of that order in x, one after the other."""
    return f if order == 0 else expand_mul(diff(derivative(f, order - 1), x))


def kinked_dual(cells: Cells, symbols: tuple[Symbol, ...], parity: int, order: int = 0) -> type[KinkedDual]:
    """The class of the function (parameters, z) -> E[phi(X) phi(Y)], or of its derivative of that order in z.

    |x| has a closed form to compare with, (2/pi) (sqrt(1-z^2) + z asin(z)):

    >>> kappa = kinked_dual(((None, x),), (), 0)
    >>> kappa(S.Half).n(15), kappa(-S.One).n(12)
    (0.717995562088459, 1.00000000000)
    """
    return family_member(
        KinkedDual,
        (kinked_dual, cells, symbols, parity, order),
        lambda: {
            "template": _shown(cells, parity),
            "cells": cells,
            "symbols": symbols,
            "parity": (parity + order) % 2,
            "order": order,
            "_pieces": {},
            "_series": {},
        },
    )


def _shown(cells: Cells, parity: int) -> Expr:
    """phi as an expression in x, for people."""
    size = Abs(x)
    branches = [(f.subs(x, size), True if high is None else size < high) for high, f in cells]
    phi = branches[0][0] if len(branches) == 1 else Piecewise(*branches)
    return sign(x) * phi if parity else phi
