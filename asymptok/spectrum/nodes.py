"""Nodes and weights of the Gauss-Legendre rules, kept for reuse."""

from __future__ import annotations

from functools import lru_cache

from flint import arb

from asymptok.precision import flint_precision
from asymptok.progress import each


@lru_cache(maxsize=128)
def gauss_legendre(n: int, prec: int) -> list[tuple[arb, arb]]:
    """The nodes s > 0 of the n-point rule (n even) with their weights.

    >>> [(node, weight)] = gauss_legendre(2, 64)
    >>> node.overlaps(1 / arb(3).sqrt()), weight.overlaps(arb(1))
    (True, True)
    """
    with flint_precision(prec):
        return [arb.legendre_p_root(n, j, weight=True) for j in each(range(n // 2))]
