"""Depth separation: the tent map composed with itself, small for a deep network and large for a shallow one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sympy import Expr, Integer, Rational, S, pi

from asymptok.arguments import whole_number
from asymptok.errors import AsymptokError
from asymptok.points import as_numbers

__all__ = ["Sawtooth"]

_MAX_LAYERS = 1000
#: teeth that are still written out one by one
_MAX_LISTED = 20


@dataclass(frozen=True)
class Sawtooth:
    """Delta^k on [0, 1], Delta(x) = min(2x, 2 - 2x): 2^(k-1) teeth, 2^k pieces of slope 2^k and -2^k in turn.

    >>> saw = Sawtooth(3)
    >>> saw.teeth, saw.pieces, saw.deep_units, saw.shallow_units
    (4, 8, 6, 8)
    >>> saw(Fraction(5, 16))
    Fraction(1, 2)
    """

    k: int

    def __post_init__(self) -> None:
        if whole_number(self.k, "number of compositions k") > _MAX_LAYERS:
            raise AsymptokError(f"k is at most {_MAX_LAYERS}, not {self.k}")

    @property
    def teeth(self) -> int:
        return int(2 ** (self.k - 1))

    @property
    def pieces(self) -> int:
        return int(2**self.k)

    def __call__(self, x: Fraction | ArrayLike) -> Any:
        """Delta^k at x in [0, 1], exactly for a Fraction; only the place of x within its tooth matters."""
        if isinstance(x, Fraction | int):
            if not 0 <= x <= 1:
                raise AsymptokError(f"the sawtooth lives on [0, 1], and x = {x} lies outside")
            place = x * self.teeth % 1
            return min(2 * place, 2 - 2 * place)
        values = as_numbers(x, "the points")
        if values.min() < 0 or values.max() > 1:
            raise AsymptokError("the sawtooth lives on [0, 1], and a point lies outside")
        # multiplication by a power of two is exact
        places = (values * float(self.teeth)) % 1.0
        return np.minimum(2 * places, 2 - 2 * places)

    # ------------------------------------------------------------------ networks

    @property
    def deep_units(self) -> int:
        """Hidden ReLU units of a network of k hidden layers: Delta(x) = 2 max(x, 0) - 4 max(x - 1/2, 0) in each."""
        return 2 * self.k

    @property
    def shallow_units(self) -> int:
        """The least number of hidden ReLU units in one layer (with an output bias): exactly 2^k.

        Each of the 2^k - 1 kinks inside (0, 1) needs a unit of its own. They alone do not do: a unit that is active to
        the left of its kink contributes the jump of slope there, a multiple of 2^(k+1), to the first piece, whose
        slope is 2^k. One more unit, active on all of [0, 1], suffices.
        """
        return self.pieces

    def shallow(self) -> list[tuple[Fraction, int]]:
        """(x_j, a_j) with Delta^k(x) = sum_j a_j max(x - x_j, 0) on [0, 1].

        >>> Sawtooth(1).shallow()
        [(Fraction(0, 1), 2), (Fraction(1, 2), -4)]
        """
        if self.k > _MAX_LISTED:
            raise AsymptokError(f"2^{self.k} units are too many to list; k <= {_MAX_LISTED}")
        jumps = [(Fraction(j, self.pieces), (-1) ** j * 2 * self.pieces) for j in range(1, self.pieces)]
        return [(Fraction(0), self.pieces), *jumps]

    def distance_bound(self, units: object) -> Fraction:
        """A lower bound on int |f - Delta^k| over [0, 1] for every network f with one layer of that many units.

        f - 1/2 changes sign at most N + 1 times, Delta^k - 1/2 does 2^k times; on at least 2^(k-1) - N - 2 of the
        intervals between them f lies on the wrong side, at a cost of 2^(-k-2) each.

        >>> Sawtooth(10).distance_bound(100)
        Fraction(205, 2048)
        """
        N = whole_number(units, "number of units", least=0)
        return max(Fraction(0), Fraction(1, 8) - Fraction(N + 2, 2 ** (self.k + 2)))

    # ------------------------------------------------------------------ on the circle

    def coefficient(self, degree: object) -> Expr:
        """The coefficient of cos(n t) in Delta^k(t/(2 pi)): 1/2 for n = 0, -4/(pi j)^2 for n = j 2^(k-1), j odd, or 0.

        >>> Sawtooth(3).coefficient(12), Sawtooth(3).coefficient(8)
        (-4/(9*pi**2), 0)
        """
        n = whole_number(degree, "degree", least=0)
        if n == 0:
            return Rational(1, 2)
        j, rest = divmod(n, self.teeth)
        return S.Zero if rest or j % 2 == 0 else -4 / (pi**2 * Integer(j) ** 2)

    def powers(self, degree: object) -> dict[int, float]:
        """The mean square of the part of each degree that occurs, up to `degree`; their sum tends to 1/3."""
        top = whole_number(degree, "degree", least=0)
        odd = {n: n // self.teeth for n in range(self.teeth, top + 1, 2 * self.teeth)}
        return {0: 0.25, **{n: 8 / (np.pi * j) ** 4 for n, j in odd.items()}}
