"""Polylogarithms of real order on [-1, 1] from two tables per order and precision: powers of z, and powers of log z.

For 0 < z <= 1 and x = -log z < 2 pi, Li_s(z) = Gamma(1-s) x^(s-1) + sum_j zeta(s-j) (-x)^j/j!; for whole s = n the
singular term and the one at j = n-1 become (-x)^(n-1)/(n-1)! (H_(n-1) - log x). By the functional equation of zeta and
Gamma(j-s+1) <= j!, the terms from J >= s + 2 on add up to at most 4 (2 pi)^(s-1) r^J/(1-r), r = x/(2 pi). Next to 0
the power series, and Li_s(-y) = 2^(1-s) Li_s(y^2) - Li_s(y) for the rest.
"""

from __future__ import annotations

import flint
from flint import arb, arb_poly

__all__ = ["polylog_on_interval"]

#: |z| up to which the power series is summed, and bits that a term of it brings at least
_SMALL, _BITS_OF_POWER = 0.42, 1.25
#: bits that a power of x/(2 pi) brings at least, for z >= _SMALL^2
_BITS_OF_LOG = 1.85
_MAX_ORDER = 40
#: wider balls are left to Arb
_NARROW = 48

_tables: dict[tuple[str, str, int], tuple[arb_poly, arb_poly]] = {}


def polylog_on_interval(s: arb, z: arb) -> arb | None:
    """Li_s(z) for a narrow ball z in [-1, 1] and 0 < s < 40; None outside of that.

    >>> polylog_on_interval(arb(2), arb(1) / 2).overlaps(arb.pi() ** 2 / 12 - arb(2).log() ** 2 / 2)
    True
    """
    if not (0 < s < _MAX_ORDER and -1 <= z <= 1) or (z.rel_accuracy_bits() < _NARROW and not z.is_exact()):
        return None
    powers, zetas = _table(s)
    if abs(z) < _SMALL:
        n = powers.degree() + 1
        size = abs(z)
        return powers(z) + arb(0, (size**n / (1 - size)).abs_upper())
    if z < 0:
        value = arb(2) ** (1 - s) * _by_logarithm(s, z * z, zetas) - _by_logarithm(s, -z, zetas)
    else:
        value = _by_logarithm(s, z, zetas)
    return value if value.is_finite() else None


def _by_logarithm(s: arb, z: arb, zetas: arb_poly) -> arb:
    x = -z.log()
    if not x >= 0:
        x = x.union(arb(0)) if z <= 1 else arb.nan()
    ratio = x / (2 * arb.pi())
    count = zetas.degree() + 1
    tail = 4 * (2 * arb.pi()) ** (s - 1) * ratio**count / (1 - ratio)
    return zetas(x) + _singular(s, x) + arb(0, tail.abs_upper())


def _singular(s: arb, x: arb) -> arb:
    whole = s.unique_fmpz() if s.is_integer() else None
    if whole is None:
        return (1 - s).gamma() * x ** (s - 1)
    n = int(whole)
    if x == 0:
        return arb(0) if n > 1 else arb.nan()
    harmonic = sum((arb(1) / j for j in range(1, n)), arb(0))
    return (-x) ** (n - 1) / arb(n).gamma() * (harmonic - x.log())


def _table(s: arb) -> tuple[arb_poly, arb_poly]:
    """n^-s for the powers of z, and zeta(s-j) (-1)^j/j! for those of x, as polynomials."""
    bits = flint.ctx.prec
    key = (str(s.mid().man_exp()), str(s.rad().man_exp()), bits)
    found = _tables.get(key)
    if found is None:
        powers = arb_poly([0, *(arb(n) ** -s for n in range(1, int(bits / _BITS_OF_POWER) + 8))])
        whole = s.unique_fmpz() if s.is_integer() else None
        skipped = -1 if whole is None else int(whole) - 1
        factor, zetas = arb(1), []
        for j in range(int(bits / _BITS_OF_LOG) + _MAX_ORDER + 8):
            zetas.append(arb(0) if j == skipped else (s - j).zeta() * factor)
            factor = -factor / (j + 1)
        if len(_tables) > 16:
            _tables.clear()
        found = _tables[key] = powers, _filled(zetas)
    return found


def _filled(coefficients: list[arb]) -> arb_poly:
    """The polynomial; a last coefficient that is zero (zeta at -2, -4, ...) is left out with the one before it kept."""
    while coefficients[-1] == 0:
        coefficients.pop()
    return arb_poly(coefficients)
