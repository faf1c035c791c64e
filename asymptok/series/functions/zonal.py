"""Sums of Gegenbauer polynomials: polynomials in the argument, whatever its expansion is."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from asymptok.functions.zonal import ZonalSum, clenshaw
from asymptok.series.functions.registry import Context, expands, finite_integer
from asymptok.series.truncated import Series


@expands(ZonalSum)
def _zonal_sum(context: Context, node: Any, d: Series, *rest: Series) -> Series:
    *coefficients, x = rest
    value: Series = clenshaw(
        finite_integer(context, d),
        coefficients,
        x,
        lambda f: context.number(fmpq(f.numerator, f.denominator)),
    )
    return value
