"""(1-u)^a K_nu(c sqrt(1-u)) through its power series in y = 1 - u: the eigenvalues of Matern kernels.

With q = c^2/4 and x = c sqrt(y), for nu that is no integer,

    K_nu(x) = pi/(2 sin(pi nu)) sum_j q^j y^j/j! [ (x/2)^-nu/Gamma(j-nu+1) - (x/2)^nu/Gamma(j+nu+1) ],

and for nu = n = 0, 1, 2, ...

    K_n(x) = (1/2)(x/2)^-n sum_(j<n) (n-j-1)!/j! (-q y)^j
             + (-1)^n (1/2)(x/2)^n sum_j (q y)^j/(j!(n+j)!) [psi(j+1) + psi(n+j+1) - 2 log(c/2) - log y].

Both series converge for every y; mu_k of y^e is known, and mu_k of y^e log y is its derivative in e.
|mu_k(y^e)| <= 2^e for e >= 0 and |mu_k(y^e log y)| <= 2^e for e >= 1, since y runs through [0, 2], |P_k| <= 1 and the
measure has mass one: from there on the tails are below geometric ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import flint
from flint import arb, fmpq
from sympy import Expr

from asymptok.balls import ball
from asymptok.errors import PrecisionError

__all__ = ["BesselSecondKind"]

#: beyond this degree the products over k would take too long
_HIGHEST_DEGREE = 20_000
_MOST_TERMS = 20_000
#: a step from k to k+1 is this many times as cheap as one from e to e+1
_FEW = 2

#: mu_k and its derivative in the exponent
Jet = tuple[arb, arb]


@dataclass(frozen=True, slots=True)
class BesselSecondKind:
    """(1-u)^power K_order(rate sqrt(1-u)), rate > 0, power - |order|/2 > -(d-1)/2."""

    power: Expr
    order: Expr
    rate: Expr

    def moments(self, d: int, ks: Iterable[int]) -> dict[int, arb]:
        wanted = sorted(ks)
        if wanted and wanted[-1] > _HIGHEST_DEGREE:
            raise PrecisionError(f"the series of a Bessel function is not summed for k = {wanted[-1]}")
        whole = self.order.is_Integer
        return self._whole(d, wanted) if whole else self._broken(d, wanted)

    def _broken(self, d: int, ks: Sequence[int]) -> dict[int, arb]:
        nu, c, a = ball(self.order), ball(self.rate), ball(self.power)
        half, q = c / 2, c * c / 4
        outer = arb.pi() / (2 * (arb.pi() * nu).sin())
        total = {k: arb(0) for k in ks}
        for sign in (-1, 1):
            # x^nu y^(a + nu/2 + j) q^j/(j! Gamma(j + nu + 1)), and the same with -nu
            shift = sign * nu
            coefficient = -sign * outer * half**shift * (shift + 1).rgamma()
            for j, (e, jets) in enumerate(_ascending(a + shift / 2, d, ks), 1):
                for k, (value, _) in jets.items():
                    total[k] += coefficient * value
                coefficient = coefficient * q / (j * (j + shift))
                if self._done(j, e + 1, abs(coefficient), 2 * q / ((j + 1) * (j + 1 + shift)), total):
                    break
        return total

    def _whole(self, d: int, ks: Sequence[int]) -> dict[int, arb]:
        n = abs(int(self.order))
        c, a = ball(self.rate), ball(self.power)
        half, q = c / 2, c * c / 4
        total = {k: arb(0) for k in ks}
        # the finite sum
        coefficient = half**-n * arb(max(n - 1, 0)).fac() / 2
        for j in range(n):
            for k, (value, _) in _jets(a + j - fmpq(n, 2), d, ks).items():
                total[k] += coefficient * value
            if j + 1 < n:
                coefficient = coefficient * -q / ((j + 1) * (n - j - 1))
        # the one with logarithms
        coefficient = (-1) ** n * half**n / (2 * arb(n).fac())
        harmonic = arb(1).digamma() + arb(n + 1).digamma() - 2 * half.log()
        for j, (e, jets) in enumerate(_ascending(a + fmpq(n, 2), d, ks), 1):
            for k, (value, slope) in jets.items():
                total[k] += coefficient * (harmonic * value - slope)
            coefficient = coefficient * q / (j * (n + j))
            harmonic += arb(1) / j + arb(1) / (n + j)
            # harmonic grows by at most 2/(j+1) in a step, a factor below 3/2 once it exceeds 1
            size = abs(coefficient) * (abs(harmonic) + 3)
            if self._done(j, e, size, 3 * q / ((j + 1) * (n + j + 1)), total):
                break
        return total

    def _done(self, j: int, e: arb, size: arb, ratio: arb, total: dict[int, arb]) -> bool:
        """Whether the rest of the series is negligible; it is then added to the balls."""
        if j > _MOST_TERMS:
            raise PrecisionError(f"the series of a Bessel function of size {self.rate} needs too many terms")
        if not (ratio < fmpq(1, 2) and e >= 1 and j > 2):
            return False
        bound = (2 * size * arb(2) ** (e + 1)).upper()
        if not bound < arb((1, -flint.ctx.prec)):
            return False
        for k in total:
            total[k] += arb(0, bound)
        return True


def _ascending(e: arb, d: int, ks: Sequence[int]) -> Iterator[tuple[arb, dict[int, Jet]]]:
    """The exponents e, e+1, e+2, ... with their jets, for a few degrees each from the one before."""
    jets = _jets(e, d, ks)
    few = _FEW * len(ks) < max(ks, default=0)
    while True:
        yield e, jets
        jets = {k: _raised(e, d, k, jet) for k, jet in jets.items()} if few else _jets(e + 1, d, ks)
        e = e + 1


def _raised(e: arb, d: int, k: int, jet: Jet) -> Jet:
    """The jet at e + 1: mu_k(y^(e+1))/mu_k(y^e) = -2 (e + (d-1)/2)(e+1)/((k-1-e)(k+e+d-1)), and its derivative."""
    below = (k - 1 - e) * (e + (k + d - 1))
    if below.contains(0):
        return _jets(e + 1, d, [k])[k]
    half, (value, slope) = fmpq(d - 1, 2), jet
    above = -2 * (e + half) * (e + 1)
    factor = above / below
    change = (-2 * (2 * e + (half + 1)) + factor * (2 * e + d)) / below
    return value * factor, slope * factor + value * change


def _jets(e: arb, d: int, ks: Sequence[int]) -> dict[int, Jet]:
    """mu_k of y^e and of y^e log y for ascending ks: C(e) (-e)_k/Gamma(k+e+d-1) and its derivative in e."""
    half = fmpq(d - 1, 2)
    value = (e + (d - 2)) * arb(2).log() + (e + half).lgamma() - (e + (d - 1)).lgamma()
    value = value.exp() * arb(fmpq(d, 2)).gamma() / arb.const_sqrt_pi()
    slope = value * (arb(2).log() + (e + half).digamma() - (e + (d - 1)).digamma())
    found: dict[int, Jet] = {}
    at = 0
    for k in ks:
        while at < k:
            # (at - e)/(at + e + d - 1) and its derivative
            below = 1 / (e + (at + d - 1))
            factor = (at - e) * below
            slope = slope * factor - value * (2 * at + d - 1) * below * below
            value = value * factor
            at += 1
        found[k] = (value, slope)
    return found
