"""Arithmetic progressions of points in the complex plane: the poles of tan, of gamma, the solutions of e^x = s."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import acb, arb, fmpq
from sympy import Expr, I, pi

from asymptok.errors import AsymptokError
from asymptok.quantities import whole


@dataclass(frozen=True, slots=True)
class Progression:
    """first + n step for all n >= 0, and for all n < 0 too if `two_sided`.

    >>> from sympy import S
    >>> poles = Progression(pi / 2, pi)
    >>> poles.near(acb(100))
    (63*pi/2, 65*pi/2)
    >>> Progression(S.Zero, S.NegativeOne, two_sided=False).near(acb(7))
    (0,)
    """

    first: Expr
    step: Expr
    two_sided: bool = True

    def term(self, n: int) -> Expr:
        return self.first + n * self.step

    def meets(self, z: acb) -> bool:
        """Whether a term may lie in the closed ball."""
        at = self._index(z)
        if not at.imag.contains(0) or not at.real.contains_integer():
            return False
        return self.two_sided or not at.real < 0

    def near(self, z: acb, margin: int = 0) -> tuple[Expr, ...]:
        """The terms level with the ball and the next ones on either side, `margin` more of them."""
        at = self._index(z).real
        if not at.is_finite():
            raise AsymptokError(f"the ball {z} is unbounded: no term of a progression is nearest to it")
        low, high = whole(at.lower().floor()) - margin, whole(at.upper().ceil()) + margin
        if not self.two_sided:
            low, high = max(low, 0), max(high, 0)
        return tuple(self.term(n) for n in range(low, high + 1))

    def _index(self, z: acb) -> acb:
        return (z - point_ball(self.first)) / point_ball(self.step)


_UNITS: dict[object, Any] = {
    pi: lambda: acb(arb.pi()),
    I: lambda: acb(0, 1),
    I * pi: lambda: acb(0, arb.pi()),
}


def point_ball(point: Expr) -> acb:
    """A rational multiple of 1, i, pi or i pi as a ball: the points at which elementary functions are singular.

    >>> point_ball(-I * pi / 2).overlaps(acb(0, -arb.pi() / 2))
    True
    """
    factor, unit = point.as_coeff_Mul()
    if unit != 1 and unit not in _UNITS:
        raise AsymptokError(f"{point} is not a rational multiple of 1, i, pi or i*pi")
    rational = arb(fmpq(int(factor.p), int(factor.q)))
    return acb(rational) if unit == 1 else _UNITS[unit]() * rational
