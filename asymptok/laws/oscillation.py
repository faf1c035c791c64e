"""Singular points inside (-1, 1): what each leaves in the eigenvalues (docs/spectrum.md, eqs. (11a) to (12))."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm

from sympy import (
    Abs,
    Add,
    Expr,
    Integer,
    Max,
    Rational,
    S,
    Symbol,
    acos,
    ceiling,
    cos,
    expand_mul,
    gamma,
    pi,
    sqrt,
)

from asymptok.balls import ball
from asymptok.constants.exponents import Ranges, exponent_from_expr
from asymptok.errors import AsymptokError
from asymptok.expansion import Expansion, puiseux
from asymptok.kernels.kernel import Kernel
from asymptok.laws.terms import vanishes
from asymptok.regularity import InteriorPoint
from asymptok.regularity.points import analytic_at
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = ["Extremes", "Wave", "extremes", "strongest", "waves"]

#: longest period, in steps of k by two, over which an oscillation is followed exactly
_LONGEST_PERIOD = 240
_BITS = 192


@dataclass(frozen=True, slots=True)
class Wave:
    """scale(d) Re(exp(i psi_k) sum_j c_j exp(i a_j)) k^(-d/2-nu) (log k)^log_power, eq. (11a): one point u0 >= 0.

    psi_k = (k + (d-2)/2) theta_0 - (d-2) pi/4 with u0 = cos(theta_0); `parts` are the pairs (c_j, a_j).
    """

    location: Expr
    nu: Expr
    log_power: int
    parts: tuple[tuple[Expr, Expr], ...]

    @property
    def turn(self) -> tuple[Truth, Rational | None]:
        """Whether theta_0/pi is rational, and if so its value; for rational u0 Niven's theorem decides."""
        ratio = acos(self.location) / pi
        if ratio.is_Rational:
            return Truth.TRUE, ratio
        return (Truth.FALSE if self.location.is_Rational else Truth.UNKNOWN), None

    def scale(self, d: Expr) -> Expr:
        """The factor of eq. (12) before the modulus."""
        # Gamma(d/2)/(sqrt(pi) Gamma((d-1)/2)) times 2^(1-l) Gamma(2l)/Gamma(l), l = (d-2)/2, by the duplication formula
        sphere = 2 ** (d / 2 - 1) * gamma(d / 2) / pi
        # points at +-u0 of the even or odd part count once; the one at 0 is its own mirror image, and counts half
        weight = Rational(1, 2) if self.location == 0 else S.One
        sine = sqrt(1 - self.location**2) ** (self.nu + (d - 2) / 2)
        return weight * sphere * gamma(self.nu + 1) * sine

    def modulus(self) -> Expr:
        """|sum_j c_j exp(i a_j)|."""
        (c0, a0), (c1, a1), *rest = self.parts
        if not rest and ((a0 - a1) / pi).is_Integer:
            return Abs(expand_mul(c0 + (-1) ** int((a0 - a1) / pi) * c1))
        squares = [c**2 for c, _ in self.parts]
        mixed = [
            2 * c * b * cos(a - e)
            for i, (c, a) in enumerate(self.parts)
            for b, e in self.parts[:i]
            if c != 0 and b != 0
        ]
        return sqrt(Add(*squares, *mixed))

    def amplitude(self, d: Expr) -> Expr:
        return self.scale(d) * self.modulus()

    def value(self, k: Expr | int, d: Expr) -> Expr:
        """scale(d) Re(...) at one k."""
        theta = acos(self.location)
        # at theta_0 = pi/2 the dimension drops out of psi_k
        psi = k * theta if self.location == 0 else (k + (d - 2) / 2) * theta - (d - 2) * pi / 4
        return self.scale(d) * Add(*[c * cos(psi + a) for c, a in self.parts])


# from points to waves ----------------------------------------------------------------------------------------


def strongest(
    points: Sequence[InteriorPoint], parameters: Mapping[Symbol, tuple[Expr, Expr]] | None = None
) -> tuple[InteriorPoint, ...]:
    """The points u0 >= 0 with the smallest exponent, the mirror images left out; empty if that is not known.

    Every point must be proved, and one exponent the smallest for all values of the parameters.
    """
    exponents = [p.nu for p in points if p.nu is not None and p.proved]
    if len(exponents) < len(points):
        return ()
    ranges = Ranges(parameters)
    for least in exponents:
        gaps = [ranges.sign(*exponent_from_expr(nu - least)) for nu in exponents]
        if all(gap.positive or gap.zero for gap in gaps):
            best = [p for p, gap in zip(points, gaps, strict=True) if gap.zero]
            # the wave of a whole nu may lose one logarithm, and is then as small as one that had none to lose
            logs = max(p.log_power for p in best)
            least_logs = logs - (least.is_integer is not False)
            near = [p for p in best if p.log_power >= least_logs and not _is_mirror_image(p)]
            return tuple(sorted(near, key=lambda p: -p.log_power))
    return ()


def _is_mirror_image(point: InteriorPoint) -> bool:
    if point.location is not None:
        return bool(point.location.is_negative)
    return bool(point.enclosure[1].is_negative)


def waves(part: Kernel, points: Sequence[InteriorPoint]) -> tuple[Wave, ...]:
    """The waves of the points of kappa(u) +- kappa(-u); empty if one of them is not known in all detail."""
    found = [_wave(part, p) for p in points]
    known = [w for w in found if w is not None]
    if not known or len(known) < len(found):
        return ()
    logs = max(w.log_power for w in known)
    return tuple(w for w in known if w.log_power == logs)


def _wave(part: Kernel, point: InteriorPoint) -> Wave | None:
    if point.nu is None or point.location is None:
        return None
    if point.left is None or point.right is None:
        found = _sides(part, point, point.log_power)
        if found is None:
            return None
        point = replace(point, left=found[0], right=found[1])
    assert point.nu is not None and point.left is not None and point.right is not None
    nu, j = point.nu, point.log_power
    whole = _plain_wave(point, j)
    if j == 0:
        return whole
    # x^nu (log x)^j is the j-th derivative of x^nu in nu: a factor -log k for each, unless the wave itself vanishes
    if not nu.is_Integer:
        return whole if nu.is_number else None
    smooth = vanishes(point.left - (-1) ** int(nu) * point.right, part)
    if smooth is Truth.FALSE:
        return whole
    return _derived_wave(part, point, j) if smooth is Truth.TRUE else None


def _sides(part: Kernel, point: InteriorPoint, log_power: int) -> tuple[Expr, Expr] | None:
    """The coefficients of x^nu (log x)^log_power, x = |u - u0|, left and right, up to what is smooth at the point."""
    assert point.nu is not None and point.location is not None
    if not point.nu.is_number:
        return None
    summands = Add.make_args(part.expr)
    rough = Add(*[a for a in summands if not analytic_at(a, point.location, part.parameters)])
    try:
        left, right = (
            puiseux(rough, u, point.location, side, ceiling(point.nu), parameters=part.parameters)
            for side in "-+"
        )
    except AsymptokError:
        return None
    return _coefficient(left, point.nu, log_power), _coefficient(right, point.nu, log_power)


def _plain_wave(point: InteriorPoint, j: int) -> Wave | None:
    assert point.nu is not None and point.left is not None and point.right is not None
    assert point.location is not None
    phase, sign = pi * (point.nu + 1) / 2, (-1) ** j
    return Wave(point.location, point.nu, j, ((sign * point.left, phase), (sign * point.right, -phase)))


def _derived_wave(part: Kernel, point: InteriorPoint, j: int) -> Wave | None:
    """u^n (log|u|)^j: the derivative in nu falls on the phases, and one logarithm is gone (eq. (11b))."""
    assert point.nu is not None and point.left is not None and point.right is not None
    assert point.location is not None
    found = _sides(part, point, j - 1)
    if found is None:
        return None
    left, right = found
    phase, sign = pi * (point.nu + 1) / 2, (-1) ** (j - 1)
    half = j * pi / 2
    parts = [
        (sign * half * point.left, phase + pi / 2),
        (sign * half * point.right, -phase - pi / 2),
        (sign * left, phase),
        (sign * right, -phase),
    ]
    return Wave(point.location, point.nu, j - 1, tuple(parts))


def _coefficient(side: Expansion, nu: Expr, log_power: int) -> Expr:
    for term in side.terms:
        if term.exponent == nu and term.log_power == log_power:
            return term.coefficient
    return S.Zero


# sizes -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Extremes:
    """limsup and liminf of a constant plus waves; if not `exact`, a bound from above and one from below."""

    upper: Expr
    lower: Expr
    exact: bool

    @property
    def modulus(self) -> Expr:
        """limsup of the absolute value, or a bound on it."""
        return _largest([self.upper, -self.lower])


def extremes(found: Sequence[Wave], end: Expr, d: Expr, parity: int) -> Extremes:
    """limsup and liminf over k of one parity of end + the waves, divided by their common power of k.

    theta_0/pi rational: the waves are periodic in k, and the extremes are those of one period. One wave with
    theta_0/pi irrational: psi_k is equidistributed, and the amplitude is attained. Otherwise the sum of the amplitudes
    bounds them.

    >>> third = Wave(Rational(1, 2), S.One, 0, ((S.One, pi), (S.One, -pi)))  # |u - 1/2|, theta_0 = pi/3
    >>> extremes([third], S.Zero, Integer(2), 0)
    Extremes(upper=sqrt(3)/(2*pi), lower=-sqrt(3)/pi, exact=True)
    """
    turns = [w.turn for w in found]
    same_for_all = d.is_number or all(w.location == 0 for w in found)
    numbers = (
        not any(c.free_symbols for w in found for c, _ in w.parts) and not end.free_symbols - d.free_symbols
    )
    ratios = [ratio for _, ratio in turns if ratio is not None]
    if same_for_all and len(ratios) == len(found):
        period = lcm(*(int(ratio.q) for ratio in ratios))
        if period <= _LONGEST_PERIOD and (numbers or all(w.location == 0 for w in found)):
            values = [Add(end, *[w.value(parity + 2 * m, d) for w in found]) for m in range(period)]
            return Extremes(_largest(values), -_largest([-v for v in values]), True)
    total = Add(*[w.amplitude(d) for w in found])
    exact = len(found) == 1 and turns[0][0] is Truth.FALSE
    return Extremes(end + total, end - total, exact)


def _largest(values: Sequence[Expr]) -> Expr:
    """The largest of some exact numbers, by balls; what balls do not order stays a Max."""
    distinct = list(dict.fromkeys(values))
    if any(v.free_symbols for v in distinct):
        return Max(*distinct)
    balls = [ball(v, prec=_BITS) for v in distinct]
    best = max(range(len(distinct)), key=lambda i: balls[i].mid())
    rivals = [v for v, b in zip(distinct, balls, strict=True) if not b < balls[best]]
    # two forms of one number cannot be told apart by balls; the first stands for both if their difference is zero
    others = [
        v for v in rivals if v != distinct[best] and vanishes(v - distinct[best], _NUMBERS) is not Truth.TRUE
    ]
    return Max(distinct[best], *others, evaluate=False) if others else distinct[best]


_NUMBERS = Kernel(Integer(0))
