"""Taylor coefficients of a kernel in a proved disc, with proved errors.

kappa is analytic on |sigma - c| <= r with |kappa| <= M. The trapezoidal rule with P points on the circle of radius r/2
gives the coefficient a_n, n < P, up to what it cannot tell from it, a_(n+P) (r/2)^P + ...: at most
M r^-n 2^-P/(1 - 2^-P) by Cauchy's estimate |a_m| <= M r^-m. The rest of the series is at most M q^P/(1-q) on
|sigma - c| <= q r.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import acb, arb, arb_poly, fmpq

from asymptok.atlas.curves import Disc, slit_direction
from asymptok.atlas.program import Program
from asymptok.atlas.samples import DiscSample


@dataclass(frozen=True, slots=True)
class Germ:
    """kappa = sum_n coefficients[n] (sigma - c)^n + rest on a disc; the rest begins at n = len(coefficients)."""

    disc: Disc
    coefficients: tuple[acb, ...]

    @property
    def terms(self) -> int:
        return len(self.coefficients)

    def rest(self, distance: arb) -> arb:
        """A bound of the rest at that distance from the centre."""
        ratio = (distance / arb(self.disc.radius)).upper()
        return (self.disc.size * ratio**self.terms / (1 - ratio)).upper()

    def on_slit(self) -> arb_poly:
        """Im kappa along the slit, as a polynomial in y - centre, sigma = y e^(-i pi/grid); inward, kappa itself."""
        if self.disc.inward:
            return arb_poly([c.real for c in self.coefficients])
        direction = slit_direction(self.disc.grid)
        power, parts = acb(1), []
        for n, c in enumerate(self.coefficients):
            if self.disc.centre == 0:
                # c_n is real, and Im e^(-i pi n/grid) vanishes for whole exponents
                sine = arb(fmpq(-n, self.disc.grid)).sin_pi()
                parts.append(arb(0) if n % self.disc.grid == 0 else c.real * sine)
            else:
                parts.append((c * power).imag)
                power = power * direction
        return arb_poly(parts)


def germ(program: Program, disc: Disc, points: int) -> Germ:
    """The first `points` coefficients at the centre of the disc; real ones at sigma = 0.

    >>> from asymptok import kernels
    >>> from asymptok.atlas.curves import disc
    >>> from asymptok.atlas.program import program
    >>> laplace = program(kernels.laplace().expr)
    >>> found = germ(laplace, disc(laplace, 1, 2, fmpq(0), fmpq(1)), 64)
    >>> [c.contains(v) for c, v in zip(found.coefficients, (1, -1, fmpq(1, 2), fmpq(-1, 6)))]
    [True, True, True, True]
    """
    around_zero = disc.centre == 0
    middle, rho = disc.point(), arb(disc.radius) / 2
    roots = [acb(arb(fmpq(2 * j, points))).exp_pi_i() for j in range(points)]
    wanted = points // 2 + 1 if around_zero else points
    values = [
        program.run(DiscSample.of(middle + rho * roots[j], disc.at, disc.grid, thin=True))
        for j in range(wanted)
    ]
    # at sigma = 0 kappa is real on the real axis: the lower half of the circle carries the conjugates
    values += [values[points - j].conjugate() for j in range(wanted, points)]
    sums = acb.dft(values)
    alias = disc.size * arb(2) ** -points / (1 - arb(2) ** -points)
    coefficients: list[acb] = []
    scale, reach = arb(1), arb(1)
    for n in range(points):
        error = (alias / reach).upper()
        value = sums[n] / (points * scale)
        if around_zero:
            coefficients.append(acb(value.real + arb(0, error)))
        else:
            coefficients.append(value + acb(arb(0, error), arb(0, error)))
        scale, reach = scale * rho, reach * arb(disc.radius)
    return Germ(disc, tuple(coefficients))
