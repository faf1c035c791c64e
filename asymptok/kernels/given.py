"""The values of sum_k mu_k N(d, k) P_k(u) for eigenvalues given by a formula, with a bound of what is neglected.

Where mu_k falls like a power of k, the powers of 1 - u behind it are taken off, and the rest falls faster; where it
falls at least geometrically, nothing needs to be taken off. What lies beyond the last degree is bounded by the formula.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from flint import arb, ctx, fmpq
from sympy import Expr, Function, Mul, Pow, Rational, S, exp, factorial, gamma, log

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions.zonal import ZonalSeries, clenshaw, dimension_of_harmonics
from asymptok.kernels.at_infinity import Infinity, Model, NotModelled, harmonics_above
from asymptok.kernels.singular_part import SingularPart, singular_part
from asymptok.points import Array
from asymptok.precision import flint_precision
from asymptok.quantities import exponent_above
from asymptok.series.truncated import floor
from asymptok.symbols import k
from asymptok.truth import Sign

__all__ = [
    "Cut",
    "cut",
    "fast_step",
    "is_fast",
    "largest_beyond",
    "law_ball",
    "neglected",
    "part_of_law",
    "require_sum",
    "rest_beyond",
    "sign_of_law",
    "zonal_value",
    "zonal_values",
]

#: powers of 1/k taken off, and degrees after which the rest is cut
_POWERS = (4, 6, 10, 16, 24, 36)
_STARTS = (64, 128, 256, 512, 1024, 2048)
_BITS = (64, 96, 128, 160, 256, 384, 640)
_MOST_BITS, _MODEL_BITS = _BITS[-1], 320
#: bits of the values at doubles: the trace of what is neglected, relative to the whole, and of the rest
_DOUBLES, _TOLERABLE, _LONGEST = 54, 50.0, 256
#: how many times the whole the summands at doubles may be
_CANCELLING = 2**14
#: of a ratio mu_(k+1)/mu_k from which on the sum is bounded by a geometric one
_FALLING = fmpq(999, 1000)
#: degrees up to which a formula is evaluated exactly
_WRITTEN_OUT = 2048
#: where the ratio is bounded from
_EARLIEST = 8


def law_ball(law: Expr, degree: int) -> arb:
    """mu_degree at the current precision; AsymptokError where it is no finite real number."""
    if degree > _WRITTEN_OUT:
        found = ball(law, {k: degree})  # 2^(-10^12) is no number to write down
        if found.is_finite():
            return found
    value = law.subs(k, degree)
    found = arb.nan() if value.has(S.ComplexInfinity, S.NaN, S.Infinity, S.NegativeInfinity) else ball(value)
    if not found.is_finite():
        raise AsymptokError(
            f"mu_{degree} is not a finite real number: {law} has none at k = {degree}. Give a formula with a value for "
            "every k = 0, 1, 2, ..., or a sequence"
        )
    return found


# what falls faster than every power --------------------------------------------------------------------------


def is_fast(term: Expr) -> bool:
    """Whether a factor is exp(-a k^b), r^k or 1/k!, as far as the form of the formula tells."""
    for node in term.atoms(exp, Pow, Function):
        if isinstance(node, factorial | gamma) and node.has(k):
            return True
        exponent = node.args[-1] if isinstance(node, exp | Pow) else S.Zero
        if exponent.has(k):
            try:
                if Infinity(exponent, 2, _STARTS[0], 8).model(exponent).power < 0:
                    return True
            except NotModelled:
                return True
    return False


def _step(law: Expr) -> tuple[Expr, Expr]:
    """(f, E) with mu_(k+1)/mu_k = f e^E, factor by factor."""
    f: Expr = S.One
    e: Expr = S.Zero
    for factor in Mul.make_args(law):
        base, exponent = factor.as_base_exp()
        if isinstance(factor, exp):
            base, exponent = S.Exp1, factor.args[0]
        if not factor.has(k):
            continue
        if isinstance(base, factorial | gamma) and exponent.is_Integer and (base.args[0] - k).is_number:
            f *= (base.args[0] + (1 if isinstance(base, factorial) else 0)) ** exponent
        elif exponent.has(k):
            if base.has(k) or not base.is_real or base.is_zero:
                raise NotModelled(f"{factor} is not followed to k = oo")
            gap = (exponent.subs(k, k + 1) - exponent).expand()
            if base.is_negative and not gap.is_Integer:
                raise NotModelled(f"{factor} is not real for all k")
            f *= (-1) ** gap if base.is_negative else 1
            e += gap if base == S.Exp1 else gap * log(abs(base))
        else:
            f *= factor.subs(k, k + 1) / factor
    return f, e


def fast_step(law: Expr) -> tuple[int, Expr]:
    """(n, E): the ratio of neighbours is k^n e^E up to a factor that tends to a constant; n counts Gamma functions."""
    pairs = (factor.as_base_exp() for factor in Mul.make_args(law))
    count = sum(int(exponent) for base, exponent in pairs if isinstance(base, factorial | gamma))
    return count, _step(law)[1]


def _largest_ratio(law: Expr, d: int, start: int) -> arb:
    """A bound of N(d, k+1) |mu_(k+1)| / (N(d, k) |mu_k|) for all k >= start."""
    f, e = _step(law)
    f *= (2 * k + d) * (k + d - 2) / ((2 * k + d - 2) * (k + 1))
    infinity = Infinity(f * e if e.has(k) else f, d, start, 8)
    size = infinity.model(f)
    if size.power < 0:
        return arb.pos_inf()
    return size.size() * size.top**size.power * _top(infinity.model(e)).exp()


def largest_beyond(law: Expr, d: int, power: int, start: int) -> arb:
    """A bound of |mu_k| N^power for all k >= start of a formula that falls faster, infinite where that is not seen."""
    if not _largest_ratio(law * (k + Rational(d - 2, 2)) ** power, 2, start) < 1:
        return arb.pos_inf()
    return arb(abs(law_ball(law, start) * arb(fmpq(2 * start + d - 2, 2)) ** power).upper())


def _top(model: Model) -> arb:
    """The largest value for 0 < v <= top, infinite if it grows."""
    if model.power >= 0:
        more = Model(model.top, 0, (arb(0), *model.c[1:]), model.rest).size()
        first = model.c[0] if model.power == 0 else abs(model.c[0]) * model.top**model.power
        return arb((first + more * model.top**model.power).upper())
    slope = model.c[0] + Model(model.top, 0, (arb(0), *model.c[1:]), model.rest).size()
    return arb((slope * model.top**model.power).upper()) if slope < 0 else arb.pos_inf()


# the sum, in parts that can be computed ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cut:
    """kappa(u) = part(u) + sum_(k <= K) c_k P_k(u) + E, |E| <= neglected on [-1, 1]."""

    part: SingularPart | None
    c: tuple[arb, ...]
    neglected: arb

    @property
    def trace(self) -> arb:
        return sum((abs(x) for x in self.c), arb(0))


@lru_cache(maxsize=256)
def rest_beyond(law: Expr, d: int, powers: int | fmpq, start: int) -> tuple[SingularPart, Model, int] | None:
    """The powers of 1 - u behind the formula, what they leave of it for k >= start, and g; None without any."""
    part = part_of_law(law, d, powers)
    if part is None:
        return None
    infinity = Infinity(law, d, start, 8)
    g = infinity.roots
    infinity = Infinity(law, d, start, floor((powers + fmpq(4)) * g))
    left = infinity.model(law)
    half = fmpq(d - 1, 2)
    ratios: dict[fmpq, Model] = {}
    for nu, c in part.terms:
        if nu >= start:
            raise NotModelled("a power of 1 - u beyond the degree")
        before = ratios.get(nu - 1)
        found = infinity.ratio(nu + half) if before is None else infinity.next_ratio(before, nu - 1 + half)
        ratios[nu] = found
        left = left + found.scaled(-ball(c))
    last = (2 * part.terms[0][0] + d - 1 + powers) * g
    # all powers up to that one are those of the part
    return part, left.without(floor(last) - left.power + 1), g


@lru_cache(maxsize=256)
def part_of_law(law: Expr, d: int, powers: int | fmpq) -> SingularPart | None:
    """The powers and logarithms of 1 - u behind a formula of powers of k; None where they are not seen."""
    found = singular_part(law, d, powers)
    return found if found is not None and found.terms else None


def require_sum(law: Expr, d: int) -> None:
    """An error unless sum N(d, k) |mu_k| is proved finite, with a value for each k."""
    with flint_precision(_MODEL_BITS):
        start = _STARTS[0] if is_fast(law) else _followed_from(law, d)
        for j in range(start or _STARTS[0]):
            law_ball(law, j)
        if start is None or (is_fast(law) and _fast(law, d, 0) is None):
            raise AsymptokError(
                f"it is not seen how fast the eigenvalues {law} fall: formulas of powers of k, with r^k, exp(-a k^b) "
                "or 1/k! as factors, are followed to k = oo. Say where to cut it with degree=..."
            )


def _followed_from(law: Expr, d: int) -> int | None:
    """From where on the formula is one of powers of k whose sum is finite: see `singular_part`."""
    if part_of_law(law, d, _POWERS[0]) is None:
        return None
    return next((start for start in _STARTS if _left(law, d, _POWERS[0], start).is_finite()), None)


def _fast(law: Expr, d: int, bits: int) -> tuple[int, arb] | None:
    """K and a bound of sum_(k > K) N(d, k) |mu_k|, below 2^-bits of that up to K if there is such a K <= 2048."""
    start, best = _EARLIEST, None
    while start <= _STARTS[-1]:
        try:
            ratio = _largest_ratio(law, d, start)
        except NotModelled:
            ratio = arb.pos_inf()
        if ratio < arb(_FALLING):
            last = abs(law_ball(law, start)) * dimension_of_harmonics(start, d)
            best = start, arb((last * ratio / (1 - ratio)).upper())
            whole = sum(
                (abs(law_ball(law, j)) * dimension_of_harmonics(j, d) for j in range(start + 1)), arb(0)
            )
            if best[1] <= whole * arb(2) ** -bits:
                return best
        start = start * 3 // 2
    return best


@lru_cache(maxsize=64)
def cut(law: Expr, d: int, bits: int, longest: int = _STARTS[-1], tolerable: float | None = None) -> Cut:
    """The sum up to 2^-bits of its trace, as far as that can be had; the best that there is otherwise.

    With `tolerable` it is the one whose rest has the least trace, or one with a trace below that multiple.
    """
    with flint_precision(bits + 64):
        if is_fast(law):
            found = _fast(law, d, bits)
            if found is None:
                raise NotModelled(f"it is not seen how fast {law} falls")
            c = tuple(law_ball(law, j) * dimension_of_harmonics(j, d) for j in range(found[0] + 1))
            return Cut(None, c, found[1])
        scale = sum((abs(law_ball(law, j)) * dimension_of_harmonics(j, d) for j in range(_STARTS[0])), arb(0))
    goal = arb((scale * arb(2) ** -bits).lower())
    sizes: dict[tuple[int, int], arb] = {}
    kept: Cut | None = None
    # few degrees are quick; powers of 1 - u that are few cancel less in doubles
    places = [(powers, start) for start in _STARTS if start <= longest for powers in _POWERS]
    for powers, start in places if tolerable is None else sorted(places):
        size = sizes[powers, start] = _left(law, d, powers, start)
        if not size <= goal:
            continue
        made = _made(law, d, powers, start, size, bits)
        if tolerable is None or made.trace < scale * arb(tolerable):
            return made
        kept = made if kept is None or made.trace < kept.trace else kept
    if kept is not None:
        return kept
    best = min(sizes, key=lambda place: float(sizes[place].log().mid()))
    if not sizes[best].is_finite():
        raise NotModelled(f"it is not seen how fast {law} falls")
    return _made(law, d, *best, sizes[best], bits)


@lru_cache(maxsize=1024)
def _left(law: Expr, d: int, powers: int, start: int) -> arb:
    """A bound of the trace of the rest from `start` on; infinite where the formula is not followed so early."""
    with flint_precision(_MODEL_BITS):
        try:
            found = rest_beyond(law, d, powers, start)
        except NotModelled:
            return arb.pos_inf()
        return arb.pos_inf() if found is None else harmonics_above(found[1], d, start - 1, found[2])


def _made(law: Expr, d: int, powers: int, start: int, size: arb, bits: int) -> Cut:
    part = part_of_law(law, d, powers)
    assert part is not None
    spare = 64
    while True:
        with flint_precision(bits + spare):
            c = [
                (law_ball(law, j) - part.eigenvalue(j, bits + spare)) * dimension_of_harmonics(j, d)
                for j in range(start)
            ]
            # the rest may be larger than the whole, and cancel against the powers of 1 - u
            if spare > bits + 2000 or sum((x.rad() for x in c), arb(0)) <= size:
                return Cut(part, tuple(c), size)
        spare *= 2


# values ------------------------------------------------------------------------------------------------------


def zonal_value(law: Expr, d: int, x: arb) -> arb:
    """A ball around sum_k mu_k N(d, k) P_k(x), -1 <= x <= 1, what is neglected included; nan elsewhere."""
    if not (-1 <= x <= 1 or (x.is_finite() and abs(x.mid()) <= 1)):
        return arb.nan()
    bits = next((b for b in _BITS if b >= ctx.prec), _MOST_BITS)
    found = cut(law, d, bits)
    c, more = found.c, max(0, int(exponent_above(found.trace)))
    number = lambda f: fmpq(f.numerator, f.denominator)  # noqa: E731
    # a ball grows by 1 + sqrt(2) at each step of the recurrence: bits for that, and centres alone
    with flint_precision(bits + 64 + more + 2 * len(c)):
        value = clenshaw(d, [a.mid() for a in c], x.mid(), number)
    with flint_precision(bits + 64 + more):
        value += arb(0, sum((a.rad() for a in c), found.neglected).upper())
        if not x.is_exact():
            # |P_k'| <= P_k'(1) = k (k+d-2)/(d-1) on [-1, 1]
            slope = sum((abs(a) * fmpq(j * (j + d - 2), d - 1) for j, a in enumerate(c)), arb(0))
            value += arb(0, (slope * x.rad()).upper())
        return value if found.part is None else value + found.part.value(1 - x)


def neglected(node: ZonalSeries) -> arb:
    """A bound of what values at doubles leave out of the sum."""
    return _at_doubles(node.law, node.dimension)[1]


def zonal_values(law: Expr, d: int, x: Array) -> Array:
    """The sum at doubles: what is neglected is below 2^-54 of its trace, or as `neglected` says."""
    return _at_doubles(law, d)[0](np.asarray(x, dtype=float))


@cache
def _at_doubles(law: Expr, d: int) -> tuple[Callable[[Array], Array], arb]:
    found = cut(law, d, _DOUBLES, _LONGEST, _TOLERABLE)
    powers = [] if found.part is None else found.part.powers()
    with flint_precision(_DOUBLES):
        whole = sum((abs(law_ball(law, j)) * dimension_of_harmonics(j, d) for j in range(_STARTS[0])), arb(0))
        summands = sum((abs(ball(a)) * arb(2) ** arb(nu) for nu, a in powers), found.trace)
    if summands > whole * arb(_CANCELLING):
        # parts that cancel leave nothing of a double: ball by ball
        return (lambda x: _by_balls(law, d, x)), cut(law, d, _BITS[0]).neglected
    c = [float(a.mid()) for a in found.c]
    terms = [(float(nu.p) / float(nu.q), float(ball(a).mid()), nu.q == 1) for nu, a in powers]

    def value(x: Array) -> Array:
        total = np.asarray(clenshaw(d, c, x), dtype=float)
        t = np.maximum(1 - x, 0.0)
        with np.errstate(all="ignore"):
            for nu, a, logs in terms:
                total = total + a * (np.where(t > 0, t**nu * np.log(t), 0.0) if logs else t**nu)
        return total

    return value, found.neglected


def _by_balls(law: Expr, d: int, x: Array) -> Array:
    places, back = np.unique(np.clip(x, -1.0, 1.0), return_inverse=True)
    with flint_precision(_BITS[0]):
        values = [float(zonal_value(law, d, arb(place)).mid()) for place in places.tolist()]
    return np.asarray(values)[back].reshape(np.shape(x))


# signs -------------------------------------------------------------------------------------------------------


def sign_of_law(slow: Expr, fast: tuple[Expr, ...], d: int) -> tuple[Sign, int]:
    """The sign of mu_k = slow + sum(fast) for all k >= the degree that comes with it; UNKNOWN if it is not seen."""
    law = sum(fast, slow)
    if law == 0:
        return Sign.ZERO, 0
    if law.is_positive or law.is_negative:
        return (Sign.POSITIVE if law.is_positive else Sign.NEGATIVE), 0
    if slow == 0:
        return Sign.UNKNOWN, 0
    with flint_precision(256):
        for start in _STARTS:
            try:
                infinity = Infinity(slow, d, start, 8)
                model = infinity.model(slow)
                while len(model.c) > 1 and model.c[0].is_zero():
                    model = model.without(1)
                power = -(-model.power // infinity.roots)
                others = Model(model.top, 0, (arb(0), *model.c[1:]), model.rest).size()
                small = sum((largest_beyond(term, d, power, start) for term in fast), others)
            except NotModelled:
                continue
            if small < abs(model.c[0]):
                return Sign.shown(model.c[0] > 0, model.c[0] < 0), start
    return Sign.UNKNOWN, 0
