"""What singular points away from the ends add to mu_k: those inside (-1, 1), and those outside of [-1, 1].

Each term of kappa at such a point has an exact law (`point_terms`); the terms of one point form an asymptotic series
like that of an end, times a wave (inside) or times rho^-k (outside).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, log

from flint import arb, fmpq
from sympy import Add, Expr

from asymptok.balls import ball
from asymptok.constants.exponents import exponent_to_expr
from asymptok.errors import AsymptokError, PrecisionError
from asymptok.expansion import puiseux
from asymptok.kernels.kernel import Kernel
from asymptok.laws.point_terms import inner_log_term, outer_size, outer_term
from asymptok.laws.sheets import FarPoint, far_points
from asymptok.patience import remembered
from asymptok.precision import flint_precision
from asymptok.quantities import Ball
from asymptok.regularity import InteriorPoint, analyse
from asymptok.regularity.points import analytic_at
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = ["Family", "Further", "further", "inner_terms", "smooth_part"]

#: orders to which kappa is expanded at a point inside
_ORDERS = (4, 12, 24)
#: terms whose size has grown by this much (a log) over the smallest are of no use
_TURNED = 3.0
_SAFETY = log(4)


@dataclass(frozen=True, slots=True)
class Addend:
    """One exact term of mu_k: exponent, logarithm of its size, value."""

    exponent: float
    size: float
    value: arb


@dataclass(frozen=True, slots=True)
class Family:
    """The terms of one point, ascending; `beyond` is the logarithm of the size of the first that is not known."""

    addends: tuple[Addend, ...]
    beyond: float

    @property
    def lead(self) -> float:
        return max((a.size for a in self.addends[:3]), default=-inf)

    def summed(self, target: float, terms: int | None) -> tuple[arb, float, int]:
        """(sum, log of its estimated error, number of terms): down to the target, to the smallest, or just `terms`."""
        used, smallest = 0, inf
        for a in self.addends:
            if (terms is not None and used >= terms) or a.size > smallest + _TURNED:
                break
            smallest = min(smallest, a.size)
            used += 1
            if terms is None and self._rest(used) <= target:
                break
        value = sum((a.value for a in self.addends[:used]), arb(0))
        return value, self._rest(used) + _SAFETY, used

    def _rest(self, used: int) -> float:
        """The log of the sizes of the neglected terms down to the smallest, and of the first that is not known."""
        sizes: list[float] = []
        for a in self.addends[used:]:
            if a.size > min(sizes, default=inf) + _TURNED:
                break
            sizes.append(a.size)
        else:
            sizes.append(self.beyond)
        top = max(sizes, default=-inf)
        return top + log(sum(exp(s - top) for s in sizes)) if top > -inf else -inf


@dataclass(frozen=True, slots=True)
class Further:
    """The families of all points away from the ends; all others decay at least like e^(-k rate).

    Of a part without singular points no term tells: `ellipse_size` has its size.
    """

    families: tuple[Family, ...]
    rate: float

    @property
    def lead(self) -> float:
        return max((f.lead for f in self.families), default=-inf)

    def summed(self, target: float, terms: int | None) -> tuple[arb, float, int]:
        parts = [f.summed(target, terms) for f in self.families]  # one error for each family
        total = sum((value for value, _, _ in parts), arb(0))
        worst = max((error for _, error, _ in parts), default=-inf)
        return total, worst + (log(len(parts)) if parts else 0), max((n for *_, n in parts), default=0)


def further(kernel: Kernel, k: int, d: int, bits: int) -> Further:
    """All that the singular points away from the ends add to mu_k."""
    with flint_precision(bits):
        inside = [_inner(kernel, point, k, d, bits) for point in _points(kernel)]
        outside, rate = far_points(kernel.expr, -(-bits // 128) * 128) if not inside else ((), 0.0)
        families = inside + [_outer(point, k, d) for point in outside]
    return Further(tuple(families), rate)


def smooth_part(kernel: Kernel) -> Expr | None:
    """The summands of kappa that are analytic at its singular points inside (-1, 1); None without such points.

    >>> smooth_part(Kernel("abs(u) + u*cos(40*u)"))
    u*cos(40*u)
    """
    places = [p.location for p in _points(kernel) if p.location is not None]
    if not places:
        return None
    parts = Add.make_args(kernel.expr)
    return Add(*[a for a in parts if all(analytic_at(a, z, kernel.parameters) for z in places)])


@remembered(maxsize=128)
def _points(kernel: Kernel) -> tuple[InteriorPoint, ...]:
    found = analyse(kernel)
    # a law that knew of singular points is not to lose them because the time was over now
    if found.smooth is Truth.TRUE or (found.smooth is Truth.UNKNOWN and not found.cut):
        return ()
    if not found.complete or any(p.location is None or not p.proved for p in found.interior):
        raise PrecisionError(f"the singular points of {kernel} inside (-1, 1) are not all known exactly")
    return found.interior


# inside ------------------------------------------------------------------------------------------------------


#: exponent, power of the logarithm, side and coefficient of a term at a point inside
Inside = tuple[Expr, int, int, arb]


@lru_cache(maxsize=256)
def inner_terms(kernel: Kernel, location: Expr, order: int, bits: int) -> tuple[tuple[Inside, ...], float]:
    """(exponent, log power, side, coefficient) of the terms that are not smooth, ascending; and the size of later ones.

    c_+ x_+^n + c_- x_-^n is (c_+ - (-1)^n c_-) x_+^n up to a polynomial. Coefficients are balls: written
    out, those of a nested function at a point inside are longer than SymPy can add in a minute.

    >>> from sympy import Rational
    >>> inner_terms(Kernel("abs(u - 1/3)"), Rational(1, 3), 4, 64)
    (((1, 0, 1, 2.00000000000000),), 0.0)
    """
    parts = Add(*[a for a in Add.make_args(kernel.expr) if not analytic_at(a, location, kernel.parameters)])
    sides = {
        side: puiseux(parts, u, location, name, order, parameters=kernel.parameters).series
        for side, name in ((1, "+"), (-1, "-"))
    }
    sums: dict[tuple[Expr, int, int], arb] = {}
    late = [arb(0)]
    for side, series in sides.items():
        for element, form, rest, j in series.terms():
            where, e, c = side, exponent_to_expr(form, rest), series.dom.enclosure(element, bits)
            if not e.is_number:
                raise PrecisionError(f"the terms of {kernel} at u = {location} have no law here")
            if e > order - 2:
                late.append(c)
            if e.is_Integer and e >= 0 and not j and side == -1:
                where, c = 1, -c * (-1) ** int(e)
            sums[e, j, where] = sums.get((e, j, where), arb(0)) + c
    found = [(e, j, side, c) for (e, j, side), c in sums.items() if not c.is_zero()]
    found.sort(key=lambda entry: (float(entry[0]), -entry[1]))
    exact = not any(series.rem for series in sides.values())
    return tuple(found), 0.0 if exact else max(float(abs(c).upper()) for c in late) or 1.0


def _inner(kernel: Kernel, point: InteriorPoint, k: int, d: int, bits: int) -> Family:
    for order in _ORDERS:
        try:
            terms, later = inner_terms(kernel, point.location, order, 4 * bits)
        except AsymptokError:
            if order == _ORDERS[0]:
                raise
            break
        assert point.location is not None
        place, last = ball(point.location, prec=4 * bits), arb(min(order, k - 1) + fmpq(1, 2))
        beyond = log(later) + _inner_size(k, d, place, last) if later else -inf
        beyond = max(beyond, _steep(terms, later, order, place, k))
        family = Family(tuple(_inner_addends(terms, point.location, k, d, bits)), beyond)
        if beyond < family.lead - bits * log(2):
            break
    return family


def _inner_addends(terms: Sequence[Inside], location: Expr, k: int, d: int, bits: int) -> list[Addend]:
    out, place = [], ball(location, prec=4 * bits)
    for exponent, j, side, c in terms:
        nu = ball(exponent, prec=4 * bits)
        if not nu < k:
            continue
        if c.contains(0) and abs(c) < arb(2) ** -(bits // 2):
            continue
        value = c * inner_log_term(k, d, location, exponent, j, side)
        size = _log(c) + _inner_size(k, d, place, nu) + j * log(log(k + 3))
        out.append(Addend(float(exponent), size, value))
    return out


def _steep(terms: Sequence[Inside], later: float, order: int, place: arb, k: int) -> float:
    """The log of a bound of all terms with exponents from k on, whose laws begin only beyond k."""
    width = float(1 + abs(place).upper())
    sizes = [_log(c) + float(e) * log(width) for e, _, _, c in terms if float(e) >= k]
    if later and order >= k:
        sizes.append(log(later) + order * log(width))
    return max(sizes, default=-inf) + log(len(sizes) + 1)


def _inner_size(k: int, d: int, place: arb, nu: arb) -> float:
    """The logarithm of the amplitude of the wave."""
    sine, lam = ((1 - place) * (1 + place)).sqrt(), arb(fmpq(d - 2, 2))
    size = arb(fmpq(d, 2)).gamma() * arb(2) ** lam / arb.pi() * (nu + 1).gamma() * sine ** (nu + lam)
    return float((size.log() + (k - nu).lgamma() - (k + lam + 1).lgamma()).mid())


# outside -----------------------------------------------------------------------------------------------------


def _outer(point: FarPoint, k: int, d: int) -> Family:
    out = []
    for term in point.terms:
        if not term.exponent < k:
            continue
        nu, c, z, sign = ball(term.exponent), term.coefficient, point.ball, 1
        if point.real and z.real < 0:
            z, sign = -z, (-1) ** k
        value = (1 if point.real else 2) * (sign * c * outer_term(k, d, z, nu, term.log_power)).real
        size = _log(abs(c)) + _log(outer_size(k, d, z, nu)) + (0.0 if point.real else log(2))
        size += term.log_power * log(log(k + 3))
        out.append(Addend(float(term.exponent), size, value))
    late = [a.size for a in out if a.exponent > out[-1].exponent - 2]
    whole = point.reach == inf and len(out) == len(point.terms)
    return Family(tuple(out), -inf if whole else max(late, default=inf))


def _log(value: Ball) -> float:
    """log |value| without overflow; -oo for 0."""
    bound = abs(value).upper()
    return float(bound.log().mid()) if bound > 0 else -inf
