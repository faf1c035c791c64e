r"""What leads the derivatives at 0 of an exponential sum, for all n of one parity from some n on.

A frame is base^n (n)_power, or base^n (n)_power/Gamma(order + n - power), or base^n (n)_power Gamma((n - power + 1)/2),
a square, for the n with the parity of power. Two frames have a quotient whose steps from n
to n + 2 are products of factors that tend to their limits monotonously, so that one look at n = K shows that it
decreases from there on. Hence kappa^(n)(0) = constant lead(n) (1 + r_n), |r_n| at most its bound at K for all n >= K.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from flint import arb, ctx, fmpq
from sympy import Expr, S

from asymptok.balls import ball, complex_ball
from asymptok.constants.decide import is_zero, sign
from asymptok.laws.exponential_sums import ExponentialSum, falling, spread
from asymptok.truth import Sign, Truth

__all__ = ["Frame", "ParityPart", "derivatives_nonnegative", "leading_part"]

#: derivatives below the degree from which the lead prevails
_MOST = 400
_HALF = arb(fmpq(1, 2))


@dataclass(frozen=True, slots=True)
class Frame:
    """base^n (n)_power/Gamma(order + n - power), base > 0; without an order no Gamma function.

    Of a square base^n (n)_power Gamma((n - power + 1)/2).
    """

    base: Expr
    power: int
    order: Expr | None = None
    square: bool = False

    def over(self, other: Frame, n: int) -> arb:
        """self/other at n."""
        value = falling(n, self.power) / falling(n, other.power)
        if self.base != other.base:
            value = value * (ball(self.base) / ball(other.base)) ** n
        return value * (other.log_gamma(n) - self.log_gamma(n)).exp()

    def log_gamma(self, n: int) -> arb:
        """log Gamma(order + n - power), 0 without an order; of a square -log Gamma((n - power + 1)/2)."""
        if self.square:
            return -((arb(n - self.power) + 1) / 2).lgamma()
        return arb(0) if self.order is None else (ball(self.order) + (n - self.power)).lgamma()

    def falls_behind(self, other: Frame, n: int) -> bool:
        """Whether self/other is shown to decrease, or stay, in steps of 2 from n on."""
        step = arb(1) if self.base == other.base else (ball(self.base) / ball(other.base)) ** 2
        for i in (1, 2):
            step = step * max(fmpq(1), fmpq(n + i - other.power, n + i - self.power))
        if self.square:
            gamma = max(fmpq(1), fmpq(n + 1 - self.power, n + 1 - other.power))
            return other.square and bool(step * gamma <= 1)
        if other.square:
            # the step of the Gamma function of the other grows, and what an order has is below 1
            order = fmpq(1) if self.order is None else ball(self.order) + (n - self.power)
            return bool(step / (fmpq(n + 1 - other.power, 2) * order) <= 1) and bool(arb(order) >= 1)
        if self.order is None:
            return other.order is None and bool(step <= 1)
        mine = ball(self.order) + (n - self.power)
        if other.order is None:
            return bool(step / (mine * (mine + 1)) <= 1)
        if not sign(self.order - self.power - other.order + other.power).nonnegative:
            gap = ball(other.order) + (n - other.power)
            step = step * (gap / mine) * ((gap + 1) / (mine + 1))
        return bool(step <= 1)

    def order_against(self, other: Frame) -> Sign:
        """NEGATIVE if self/other tends to 0, POSITIVE if other/self does, ZERO if neither."""
        if self.square != other.square:
            return Sign.POSITIVE if self.square else Sign.NEGATIVE
        if (self.order is None) != (other.order is None):
            return Sign.POSITIVE if self.order is None else Sign.NEGATIVE
        bases = sign(self.base - other.base)
        return sign(self._growth() - other._growth()) if bases is Sign.ZERO else bases

    def _growth(self) -> Expr:
        """g where the frame is about base^n n^g, or base^n n^g/n!, or base^n n^g Gamma((n+1)/2), up to a constant."""
        if self.square:
            return S(self.power) / 2
        return S(self.power) if self.order is None else 2 * self.power - self.order

    def step(self, k: int, half: arb) -> arb:
        """F(j+2) <= step F(j) for all j >= k >= power, F(j) = self(j)/(2^j Gamma(j+half))."""
        if self.square and not k >= half + 2 * self.power:
            return arb.pos_inf()  # (j-p+1)/((j+half)(j+half+1)) decreases where 2 (j-p+1) >= j + half + 1
        return self._growth_at(k) / (4 * (k + half) * (k + half + 1))

    def quotient(self, k: int, m: int, half: arb) -> arb:
        """self(n+2)/self(n)/(4 (m+1) (j+half+m)), n = j + 2m, is at most this for all j >= k."""
        if not self.square:
            return self._growth_at(k + 2 * m) / (4 * (m + 1) * (k + half + m))
        rest = self._growth_at(k + 2 * m) / fmpq(k + 2 * m + 1 - self.power, 2)
        # (j+2m+1-power)/(j+half+m) is monotone in j and tends to 1
        first = fmpq(k + 2 * m + 1 - self.power) / (k + half + m)
        return rest * arb.max(arb(1), first) / (8 * (m + 1))

    def least_quotient(self, k: int, m: int, half: arb) -> arb:
        """That quotient is at least this for all j >= k; 0 but for a square."""
        if not self.square:
            return arb(0)
        first = fmpq(k + 2 * m + 1 - self.power) / (k + half + m)
        return ball(self.base) ** 2 * arb.min(arb(1), first) / (8 * (m + 1))

    def _growth_at(self, k: int) -> arb:
        """self(j+2)/self(j) for j = k is this; for j >= k it is at most this, times (j-p+1)/(k-p+1) for a square."""
        growth = ball(self.base) ** 2
        if self.power > 0:
            growth = growth * fmpq((k + 1) * (k + 2), (k + 1 - self.power) * (k + 2 - self.power))
        if self.order is not None:
            b = ball(self.order) + (k - self.power)
            growth = growth / (b * (b + 1))
        return growth * fmpq(k - self.power + 1, 2) if self.square else growth


@dataclass(frozen=True, slots=True)
class _Piece:
    """frame(n) sum_i w_i 0F1(order + n - power; x_i): the sum of all terms with that frame."""

    frame: Frame
    weights: tuple[tuple[Expr, Expr], ...]
    #: of a complex base: the frame bounds its absolute value
    oscillates: bool = False

    def total(self) -> Expr:
        return sympy.Add(*(w for w, _ in self.weights))

    def departure(self, n: int) -> arb:
        """sum_i |w_i (0F1 - 1)| at n, which decreases."""
        if self.frame.order is None:
            return arb(0)
        b = ball(self.frame.order) + (n - self.frame.power)
        return sum((abs(complex_ball(w)) * spread(b, ball(x)) for w, x in self.weights), arb(0))

    def size(self, n: int) -> arb:
        """|sum_i w_i 0F1| for all later n as well."""
        return sum((abs(complex_ball(w)) for w, _ in self.weights), self.departure(n))


@dataclass(frozen=True, slots=True)
class ParityPart:
    """kappa^(n)(0) = constant lead(n) (1 + r_n) for the n of one parity."""

    lead: Frame
    constant: Expr
    piece: _Piece
    others: tuple[_Piece, ...]
    degree: int

    def rest(self, start: int) -> arb | None:
        """A bound of |r_n| for all n >= start of the parity; None if it does not follow."""
        if start <= max([self.degree, self.lead.power, 0, *(p.frame.power for p in self.others)]):
            return None
        total = self.piece.departure(start)
        for other in self.others:
            if not other.frame.falls_behind(self.lead, start):
                return None
            total = total + other.size(start) * other.frame.over(self.lead, start)
        found = (total / abs(ball(self.constant))).upper()
        return found if found.is_finite() else None

    def scale(self, k: int, d: int) -> arb:
        """Gamma(d/2)/(2^k Gamma(k+d/2)) lead(k)."""
        half = arb(fmpq(d, 2))
        logs = half.lgamma() - (k + half).lgamma() + k * (ball(self.lead.base) / 2).log()
        return (logs - self.lead.log_gamma(k)).exp() * falling(k, self.lead.power)

    def later(self, start: int, d: int) -> arb:
        """An upper bound of sum_m lead(k+2m)/lead(k)/(4^m m! (k+d/2) ... (k+d/2+m-1)) for all k >= start.

        Each summand is at most the product of the steps, and these decrease in k and in m.
        """
        half, total, summand = arb(fmpq(d, 2)), arb(1), arb(1)
        m = 0
        while True:
            step = self.lead.quotient(start, m, half)
            summand, m = summand * step, m + 1
            total = total + summand
            # of a square a quotient is at most twice an earlier one
            if 2 * step < _HALF and summand < arb((1, -ctx.prec)):
                return (total + summand).upper()

    def at_least(self, start: int, d: int) -> arb:
        """A lower bound of the same sum for all k >= start."""
        half, total, summand, m = arb(fmpq(d, 2)), arb(1), arb(1), 0
        while summand > arb((1, -ctx.prec)):
            summand = summand * self.lead.least_quotient(start, m, half)
            total, m = total + summand, m + 1
        return total.lower()


def leading_part(found: ExponentialSum, parity: int) -> ParityPart | None:
    """What leads in one parity; None if nothing is left there, or that is not decided, or it oscillates."""
    pieces = _pieces(found, parity)
    candidates = [p for p in pieces if not p.oscillates and is_zero(p.total()) is Truth.FALSE]
    if not candidates:
        return None
    # a guess; `rest` proves or refuses it
    best = max(candidates, key=_rank)
    others = tuple(p for p in pieces if p is not best)
    return ParityPart(best.frame, best.total(), best, others, found.degree)


def derivatives_nonnegative(found: ExponentialSum, first: int) -> bool:
    """Whether kappa^(n)(0) >= 0 is proved for all n >= first."""
    for parity in (0, 1):
        begin = max(first, found.degree + 1)
        end = begin + (begin - parity) % 2
        part = leading_part(found, parity)
        if part is None and found.by_parity[parity]:
            return False
        if part is not None:
            if not sign(part.constant).positive:
                return False
            rests = ((n, part.rest(n)) for n in range(end, end + _MOST, 2))
            start = next((n for n, rest in rests if rest is not None and rest < 1), None)
            if start is None:
                return False
            end = start
        if not all(_is_nonnegative(found, n) for n in range(first + (first - parity) % 2, end, 2)):
            return False
    return True


def _pieces(found: ExponentialSum, parity: int) -> list[_Piece]:
    """The terms of one parity by their frames."""
    pieces: list[_Piece] = []
    groups: dict[Frame, list[tuple[Expr, Expr]]] = {}
    for t in found.by_parity[parity]:
        # p c^(n-e) = w c^n, and Gamma(b) beside the Gamma function of the frame
        if t.square:
            positive = sign(t.base).positive
            root = 2 * sympy.sqrt(t.base if positive else -t.base)
            weight = t.coefficient * root**-t.power / sympy.sqrt(sympy.pi)
            frame = Frame(root, t.power, None, True)
            if positive:
                groups.setdefault(frame, []).append((weight, t.shift))
            else:
                pieces.append(_Piece(frame, ((weight, t.shift),), True))
            continue
        weight = t.coefficient * t.base**-t.power * (1 if t.order is None else sympy.gamma(t.order))
        if t.base.is_real and sign(t.base).positive:
            groups.setdefault(Frame(t.base, t.power, t.order), []).append((weight, t.shift))
        else:
            x, y = t.base.as_real_imag()
            size = Frame(sympy.sqrt(x**2 + y**2), t.power, t.order)
            pieces.append(_Piece(size, ((weight, t.shift),), True))
    return [*pieces, *(_Piece(frame, tuple(weights)) for frame, weights in groups.items())]


def _rank(piece: _Piece) -> tuple[bool, bool, float, float]:
    frame = piece.frame
    order = arb(0) if frame.order is None else ball(frame.order)
    growth = float((frame.power - order).mid())
    return frame.square, frame.order is None, float(ball(frame.base).mid()), growth


def _is_nonnegative(found: ExponentialSum, n: int) -> bool:
    if found.derivative(n) > 0:
        return True
    if any(t.order is not None or t.square for t in found.terms):
        return False
    exact = [
        t.coefficient * sympy.ff(n, t.power) * t.base ** (n - t.power)
        for t in found.by_parity[n % 2]
        if n >= t.power
    ]
    exact += [p * sympy.factorial(n) for m, p in found.polynomial if m == n]
    return sign(sympy.expand(sympy.Add(*exact))).nonnegative
