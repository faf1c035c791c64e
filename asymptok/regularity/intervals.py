"""Intervals that remember whether an end belongs to them: u in (-1, 1) gives 1 - u > 0, never just 1 - u >= 0.

Ends are exact SymPy constants (or infinite), so that 1 - kappa_1(1) is 0 and not a ball around it. Where an exact
end would grow too large it is moved outwards to a dyadic number, which only enlarges the interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from flint import arb
from sympy import Expr, Integer, Rational, S, exp, nan, oo, zoo

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants import decide
from asymptok.errors import SYMPY_ERRORS, AsymptokError
from asymptok.truth import Sign, Truth

#: bits of the balls that compare two ends
_BITS = 128
_FINE_BITS = 1024
#: an end with more distinct subexpressions than this is replaced by a dyadic number
_LARGEST_END = 24
#: dyadic ends with a larger exponent are not written down
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Interval:
    """From lo to hi, each end open or closed; infinite ends are open.

    >>> x = Interval(S(-1), S(1), True, True)
    >>> S.One - x, x**2, 1 - x**2
    ((0, 2), [0, 1), (0, 1])
    """

    lo: Expr
    hi: Expr
    lo_open: bool = False
    hi_open: bool = False

    @staticmethod
    def point(value: Expr) -> Interval:
        return Interval(value, value)

    def __repr__(self) -> str:
        return f"{'(' if self.lo_open else '['}{self.lo}, {self.hi}{')' if self.hi_open else ']'}"

    @property
    def is_point(self) -> bool:
        return bool(self.lo == self.hi)

    @property
    def is_bounded(self) -> bool:
        return self.lo is not -oo and self.hi is not oo

    def positive(self) -> bool:
        """Whether every number in the interval is > 0; False may also mean that this is not known."""
        sign = sign_of(self.lo)
        return sign.positive or (sign.zero and self.lo_open)

    def negative(self) -> bool:
        return (-self).positive()

    def nonnegative(self) -> bool:
        return sign_of(self.lo).nonnegative

    def nonzero(self) -> bool:
        return self.positive() or self.negative()

    def holds(self, other: Interval) -> bool:
        """Whether the other interval is shown to lie inside this closed one."""
        return sign_of(other.lo - self.lo).nonnegative and sign_of(self.hi - other.hi).nonnegative

    def __neg__(self) -> Interval:
        return Interval(-self.hi, -self.lo, self.hi_open, self.lo_open)

    def __add__(self, other: Interval) -> Interval:
        return _outward(
            _plus(self.lo, other.lo, -oo), _plus(self.hi, other.hi, oo),
            self.lo_open or other.lo_open, self.hi_open or other.hi_open,
        )  # fmt: skip

    def __sub__(self, other: Interval) -> Interval:
        return self + (-other)

    def __rsub__(self, number: Expr | int) -> Interval:
        return Interval.point(S(number)) + (-self)

    def __mul__(self, other: Interval) -> Interval:
        mine = ((self.lo, self.lo_open), (self.hi, self.hi_open))
        theirs = ((other.lo, other.lo_open), (other.hi, other.hi_open))
        return hull_of_ends([_corner(a, b) for a in mine for b in theirs])

    def __pow__(self, n: int) -> Interval:
        """An integer power n >= 1."""
        if n % 2 or self.nonnegative():
            return _outward(self.lo**n, self.hi**n, self.lo_open, self.hi_open)
        if (-self).nonnegative():
            return (-self) ** n
        top = hull_of_ends([((-self.lo) ** n, self.lo_open), (self.hi**n, self.hi_open)])
        return Interval(S.Zero, top.hi, False, top.hi_open)

    def inverse(self) -> Interval:
        """1/x over the interval without 0; everything if both signs occur."""
        if self.positive():
            return _outward(
                S.Zero if self.hi is oo else 1 / self.hi, oo if sign_of(self.lo).zero else 1 / self.lo,
                self.hi_open, self.lo_open,
            )  # fmt: skip
        if self.negative():
            return -((-self).inverse())
        return REALS

    def absolute(self) -> Interval:
        if self.nonnegative():
            return self
        if (-self).nonnegative():
            return -self
        top = hull_of_ends([(-self.lo, self.lo_open), (self.hi, self.hi_open)])
        return Interval(S.Zero, top.hi, False, top.hi_open)

    def meet(self, other: Interval) -> Interval:
        """The common part (of two intervals known to enclose the same values)."""
        lo, lo_open = _larger((self.lo, self.lo_open), (other.lo, other.lo_open))
        hi, hi_open = _larger((-self.hi, self.hi_open), (-other.hi, other.hi_open))
        return Interval(lo, -hi, lo_open, hi_open)

    def hull(self, other: Interval) -> Interval:
        return hull_of_ends(
            [
                (self.lo, self.lo_open),
                (self.hi, self.hi_open),
                (other.lo, other.lo_open),
                (other.hi, other.hi_open),
            ]
        )

    def as_ball(self) -> arb:
        """The closed hull as a ball, not finite if the interval is unbounded."""
        if not self.is_bounded:
            return arb.nan()
        return end_ball(self.lo).union(end_ball(self.hi))


REALS = Interval(-oo, oo, True, True)
OPEN = Interval(S.NegativeOne, S.One, True, True)
CLOSED = Interval(S.NegativeOne, S.One)


def from_ball(value: arb) -> Interval:
    """The ball as a closed interval with dyadic ends."""
    if not value.is_finite() or any(
        abs(int(x.man_exp()[1])) > _LONGEST for x in (value.lower(), value.upper())
    ):
        return REALS
    return Interval(_dyadic(value.lower()), _dyadic(value.upper()))


def increasing(
    f: Callable[[Expr], Expr], x: Interval, domain: tuple[Expr, Expr], ends: tuple[Expr, Expr]
) -> Interval:
    """The image under a strictly increasing f, given on `domain` with the limits `ends` there."""
    inside = _without_long_numbers(x).meet(Interval(*domain))

    def at(value: Expr) -> Expr:
        if value == domain[0]:
            return ends[0]
        return ends[1] if value == domain[1] else f(value)

    try:
        low, high = at(inside.lo), at(inside.hi)
    except SYMPY_ERRORS:  # of the factors of a number: no more is known than the whole image
        return Interval(*ends)
    return _outward(low, high, inside.lo_open, inside.hi_open)


def _without_long_numbers(x: Interval) -> Interval:
    """The interval or a little more: SymPy looks for roots in e^(p/q log r) = r^(p/q), for long q without end."""
    lo, hi, lo_open, hi_open = x.lo, x.hi, x.lo_open, x.hi_open
    if not lo.is_Atom and dag.has_long_numbers(lo):
        lo, lo_open = _lower(end_ball(lo)), True
    if not hi.is_Atom and dag.has_long_numbers(hi):
        hi, hi_open = -_lower(-end_ball(hi)), True
    return Interval(lo, hi, lo_open, hi_open)


# --------------------------------------------------------------------------------------------- ends

End = tuple[Expr, bool]


@lru_cache(maxsize=4096)
def end_ball(value: Expr, bits: int = _BITS) -> arb:
    if value is oo:
        return arb.pos_inf()
    if value is -oo:
        return arb.neg_inf()
    try:
        return ball(value, prec=bits)
    except AsymptokError:
        return arb.nan()


@lru_cache(maxsize=4096)
def sign_of(value: Expr) -> Sign:
    """The sign, proved."""
    if value is oo or value is -oo:
        return Sign.shown(value is oo, value is -oo)
    if isinstance(value, Rational):
        return Sign.of(value)
    for bits in (_BITS, _FINE_BITS):
        enclosure = end_ball(value, bits)
        if enclosure > 0 or enclosure < 0:
            return Sign.shown(enclosure > 0, enclosure < 0)
    return Sign.ZERO if decide.is_zero(value) is Truth.TRUE else Sign.UNKNOWN


def hull_of_ends(ends: Iterable[End]) -> Interval:
    """The smallest interval around the given ends."""
    known = list(ends)
    if any(value is nan for value, _ in known):
        return REALS
    lo, lo_open = _smallest(known)
    hi, hi_open = _smallest([(-value, is_open) for value, is_open in known])
    return _outward(lo, -hi, lo_open, hi_open)


def _smallest(ends: list[End]) -> End:
    best, best_open = ends[0]
    for value, is_open in ends[1:]:
        order = _compare(value, best)
        if not order.known:
            best, best_open = _lower(end_ball(value).union(end_ball(best))), True
        elif order.negative:
            best, best_open = value, is_open
        elif order.zero:
            best_open = best_open and is_open
    return best, best_open


def _larger(a: End, b: End) -> End:
    order = _compare(a[0], b[0])
    if not order.known:
        return a
    if order.zero:
        return a[0], a[1] or b[1]
    return a if order.positive else b


def _compare(a: Expr, b: Expr) -> Sign:
    if a == b:
        return Sign.ZERO
    x, y = end_ball(a), end_ball(b)
    if x < y:
        return Sign.NEGATIVE
    return Sign.POSITIVE if x > y else sign_of(a - b)


def _corner(a: End, b: End) -> End:
    (x, x_open), (y, y_open) = a, b
    if x == 0 or y == 0:
        # a zero that is attained makes the product 0 attained, whatever the other factor
        closed = (x == 0 and not x_open) or (y == 0 and not y_open)
        return S.Zero, not closed
    return x * y, x_open or y_open


def _plus(a: Expr, b: Expr, infinite: Expr) -> Expr:
    return infinite if a in (oo, -oo) or b in (oo, -oo) else a + b


def _outward(lo: Expr, hi: Expr, lo_open: bool, hi_open: bool) -> Interval:
    if lo in (nan, zoo) or hi in (nan, zoo):
        return REALS
    if _is_large(lo):
        lo, lo_open = _lower(end_ball(lo)), True
    if _is_large(hi):
        hi, hi_open = -_lower(-end_ball(hi)), True
    return Interval(lo, hi, lo_open or lo is -oo, hi_open or hi is oo)


def _is_large(value: Expr) -> bool:
    if value.is_Atom:
        return False
    if value.func is exp:
        found = end_ball(value)
        # SymPy asks for the sign of x + e^(-10^15) with all the digits that lie between
        if not found.is_finite() or abs(int(found.mid().man_exp()[1])) > _LONGEST:
            return True
    return any(count >= _LARGEST_END for count, _ in enumerate(dag.postorder(value)))


def _lower(value: arb) -> Expr:
    """A number strictly below the ball, so that the interval may be called open there."""
    if not value.is_finite():
        return -oo
    low = value.lower()
    exponent = int(low.man_exp()[1])
    if exponent > _LONGEST:
        return -oo if low < 0 else S.Zero
    if exponent < -_LONGEST:
        # closer to zero than any comparison here
        return S.Zero if low > 0 else -Rational(1, 2**_BITS)
    return _dyadic(low) - Rational(1, 2**_BITS)


def _dyadic(value: arb) -> Expr:
    exact = value.fmpq()
    return Integer(int(exact.p)) / Integer(int(exact.q))
