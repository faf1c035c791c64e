"""The record of the deep ReLU kernels: layer by layer, each layer mapping (-1, 1) into (0, 1)."""

from __future__ import annotations

from flint import acb, arb

from asymptok.functions.arccosine_record import arc_cosine_complex, arc_cosine_real
from asymptok.functions.cuts import off_both_real_rays
from asymptok.functions.depth import DeepReLU, layers
from asymptok.functions.inverse import unit_interval
from asymptok.functions.record import Record
from asymptok.quantities import Ball


def _whole(ball: Ball) -> int | None:
    if isinstance(ball, int):
        return ball
    real = ball.real if isinstance(ball, acb) else ball
    found = real.unique_fmpz() if real.is_exact() else None
    return None if found is None else int(found)


def _real(tangent: arb, depth: arb, x: arb) -> arb:
    kind, n = _whole(tangent), _whole(depth)
    if kind is None or n is None or n < 1:
        return arb.nan()
    return layers(bool(kind), n, x, arc_cosine_real) if -1 <= x <= 1 or x.overlaps(arb(1)) else arb.nan()


def _complex(tangent: acb, depth: acb, z: acb) -> acb:
    kind, n = _whole(tangent), _whole(depth)
    if kind is None or n is None or n < 1:
        return acb(arb.nan())
    return layers(bool(kind), n, z, arc_cosine_complex)


def _regular(tangent: acb, depth: acb, z: acb) -> bool:
    n = _whole(depth)
    if n is None or n < 1:
        return False
    for _ in range(n - 1):
        if not z.is_finite() or not off_both_real_rays(z):
            return False
        z = arc_cosine_complex(1, z)
    return True


RECORDS = (
    Record(
        function=DeepReLU,
        real=_real,
        complex=_complex,
        requirements=lambda node: unit_interval(node.args[2]),
        regular=_regular,
    ),
)
