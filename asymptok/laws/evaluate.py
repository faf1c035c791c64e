"""The asymptotic series as a number: how many terms, how many digits, and when to refuse.

The series diverges in general: its terms shrink and then grow. What is left out is estimated by the size that the
next terms would have without the factor sin(pi nu)/pi = -1/(Gamma(-nu) Gamma(1+nu)). Whole powers of t, whose
eigenvalues vanish, count with that size too: through them a pole of kappa beyond the ends shows itself, with the
right geometric rate (docs/spectrum.md, eq. (9)).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp, floor, inf, log

import mpmath
from flint import arb
from sympy import Dummy
from sympy import expand as sympy_expand

from asymptok import dag
from asymptok.arguments import checked_degree, checked_dimension
from asymptok.errors import AsymptokError, PrecisionError
from asymptok.expansion import Expansion, expand
from asymptok.kernels.kernel import Kernel
from asymptok.laws.candidates import far_rate, taylor_rate
from asymptok.laws.ellipses import ellipse_size
from asymptok.laws.flatness import flat_at_both_ends, flat_sizes, log_flat_size
from asymptok.laws.further import further, smooth_part
from asymptok.laws.numeric import BallGroup, ball_groups, contribution, log_size
from asymptok.laws.parity import parity_part
from asymptok.precision import digits_to_bits, flint_precision, mpmath_precision
from asymptok.quantities import midpoint
from asymptok.symbols import u

#: orders of the expansion that are tried one after the other
_ORDERS = (4, 8, 16, 32, 64, 128)
#: a finite expansion is looked for up to this order
_EXACT_ORDER = 16
#: rounds of doubling the precision or asking for a smaller error
_ROUNDS = 8
#: the error is the neglected terms times this factor (a log): they are sizes, not bounds
_SAFETY = log(4)
#: and they are to stay below the target by this one
_MARGIN = log(8)
#: and so does this multiple of what singular points elsewhere contribute
_HIDDEN = 100
#: beyond this k a geometric part has died out, unless rho is 1 to two digits
_FAR_OUT = 5_000
#: a window of terms this much larger (in log) than the smallest one shows that the series has turned
_TURNED = 3.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value of mu_k from the asymptotic series, with an estimate of the absolute error (not a bound)."""

    value: mpmath.mpf
    error: mpmath.mpf
    terms: int

    @property
    def digits(self) -> float:
        """Decimal digits that the estimate of the error leaves standing."""
        if self.error == 0:
            return inf
        return float(mpmath.log10(abs(self.value) / self.error)) if self.value else 0.0


# the sum -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Plan:
    """The groups to be summed, and the logarithm of the estimated error; None if the target is out of reach."""

    chosen: list[BallGroup] | None
    log_error: float


def estimate(
    kernel: Kernel, sign: int, k: int, d: int, terms: int | None, dps: int, *, ends: bool = True
) -> Estimate:
    """mu_k by the asymptotic series for one parity (sign = (-1)^k), with what singular points elsewhere add to it.

    `ends`: whether the ends contribute; an analytic kernel has nothing there. With terms=None the number of terms
    follows from the digits; PrecisionError says what can be had instead.
    """
    bits = digits_to_bits(dps) + 48 + 2 * k.bit_length()
    whole_sum = ends and terms is None and exact_end(kernel) is not None
    goal = dps * log(10) + _MARGIN
    for _ in range(_ROUNDS):
        if whole_sum:
            result = _exact_sum(kernel, k, d, dps, bits)
        else:
            result = _attempt(kernel, sign, k, d, terms, dps, bits, goal, ends)
        if result is None:
            bits *= 2
        elif terms is None and result.digits < dps:
            # The sum turned out smaller than its first term, or the neglected terms larger: ask for more.
            goal += (dps - result.digits) * log(10) + _MARGIN
        else:
            return result
    raise PrecisionError(f"{dps} digits of mu_{k} were not reached with {bits} bits")


@lru_cache(maxsize=128)
def exact_end(kernel: Kernel) -> int | None:
    """The end at which kappa is a finite sum of powers and logarithms: the series is then exact, for every k >= 0.

    >>> exact_end(Kernel("(1 - u)**(5/2) + u")), exact_end(Kernel("sqrt(1 - u**2)"))
    (1, None)
    """
    for at in (1, -1):
        try:
            # Balls do: what counts is that no remainder is left.
            if expand(kernel, at=at, order=_EXACT_ORDER, balls=True, unbounded=True).series.rem:
                continue
            # Near one end the sum is kappa. On all of (-1, 1) it is only if that is an identity of expressions: |u| is
            # 1 - t near u = 1, and a kernel that is smooth but not analytic may change its formula inside as well.
            if _is_identity(kernel, expand(kernel, at=at, order=_EXACT_ORDER, unbounded=True)):
                return at
        except AsymptokError:
            continue
    return None


def _is_identity(kernel: Kernel, end: Expansion) -> bool:
    v = Dummy("v", positive=True)
    shifted = dag.rebuild(kernel.expr, {u: end.end * (1 - v)})
    return bool(sympy_expand(shifted - end.as_expr(v)) == 0)


def _exact_sum(kernel: Kernel, k: int, d: int, dps: int, bits: int) -> Estimate | None:
    at = exact_end(kernel)
    groups, _ = ball_groups(kernel, _EXACT_ORDER, bits)
    mine = [BallGroup(g.exponent, g.size, g.whole, g.plus if at == 1 else g.minus, {}) for g in groups]
    mine = [g for g in mine if g.plus]
    with flint_precision(bits):
        total = sum((contribution(g, 1, k, d) for g in mine), arb(0)) * (1 if at == 1 else (-1) ** k)
        return _settled(total, -inf, len([g for g in mine if _is_singular(g)]), dps)


def _attempt(
    kernel: Kernel, sign: int, k: int, d: int, terms: int | None, dps: int, bits: int, goal: float, ends: bool
) -> Estimate | None:
    """One sum; `goal` is the log of the lead over the error to be reached. None if the balls were too wide."""
    elsewhere = further(kernel, k, d, bits)
    rate = elsewhere.rate
    part = kernel.expr if rate else smooth_part(kernel)
    rest = ellipse_size(part, k, rate or _nearest(kernel, k)) if part is not None else None
    known = rate > 0 and rest is not None
    hidden = max(hidden_size(kernel, k, rate if known else 0.0), -inf if rest is None else rest)
    plan, visible = _Plan([], hidden) if not ends else _Plan(None, inf), []
    for order in _ORDERS if ends else ():
        groups, limit = ball_groups(kernel, order, bits)
        usable = [g for g in groups if g.size < k]
        sizes = [log_size(g, sign, k, d) for g in usable]
        reach = min(limit, k, order)
        visible = [(g, s) for g, s in zip(usable, sizes, strict=True) if s > -inf and _is_singular(g)]
        if not visible and elsewhere.lead > -inf and (flat_at_both_ends(kernel) or _flat_part(kernel, sign)):
            plan = _Plan([], hidden)
            break
        if known:
            # the points outside are known: whole powers, in which they would show, need not stand for them
            windows = _filled(_windows([g for g, _ in visible], [s for _, s in visible], reach))
        else:
            windows = _windows(usable, sizes, reach)
        lowest, turned = _bottom(windows)
        last = turned or order >= k or order == _ORDERS[-1]
        if terms is None:
            plan = _choose(visible, max(lowest, hidden), reach, goal, elsewhere.lead)
        else:
            plan = _first(visible, max(lowest, hidden), reach, terms, last)
        if plan.chosen is not None or last:
            break
    lead = max([elsewhere.lead, *(size for _, size in visible[:1])])
    with flint_precision(bits):
        more, more_error, count = elsewhere.summed(lead - goal, terms)
    error = max(plan.log_error, more_error)
    if plan.chosen is None or (terms is None and error > lead - goal + _MARGIN) or lead == -inf:
        raise PrecisionError(_refusal(kernel, k, d, dps, error, lead, hidden, ends))
    with flint_precision(bits):
        total = sum((contribution(g, sign, k, d) for g in plan.chosen), more)
        return _settled(total, error, max(len(plan.chosen), count), dps)


def _flat_part(kernel: Kernel, sign: int) -> bool:
    """Whether the ends leave nothing in the eigenvalues of one parity."""
    return flat_at_both_ends(Kernel(parity_part(kernel.expr, sign), parameters=kernel.parameters))


def _settled(total: arb, log_error: float, terms: int, dps: int) -> Estimate | None:
    """The ball as a number with the whole error; None if the ball is too wide for the digits."""
    wanted = digits_to_bits(dps)
    if total.rel_accuracy_bits() < wanted and not total.is_exact():
        return None
    value = midpoint(total, wanted)
    with mpmath_precision(53):
        # the radius of the ball, and the rounding of its centre to the digits asked for
        error = midpoint(total.rad(), 53) + abs(value) * mpmath.mpf(2) ** -wanted
        if log_error > -inf:
            error += mpmath.exp(log_error)
    return Estimate(value, error, terms)


def _is_singular(group: BallGroup) -> bool:
    return not group.whole or any(j > 0 for j in (*group.plus, *group.minus))


def _windows(usable: list[BallGroup], sizes: list[float], reach: float) -> list[float]:
    """The largest log size among the exponents in [m, m+1), for each m whose window is fully known."""
    windows = [-inf] * max(0, floor(reach))
    for group, size in zip(usable, sizes, strict=True):
        m = max(0, floor(group.size))
        if m < len(windows):
            windows[m] = max(windows[m], size)
    return windows


def _filled(windows: list[float]) -> list[float]:
    """Gaps take the size of the window before; four empty windows at the end are the end of the series."""
    last = max((m for m, size in enumerate(windows) if size > -inf), default=-1)
    for m in range(1, last):
        windows[m] = windows[m] if windows[m] > -inf else windows[m - 1]
    ended = len(windows) - last > 4
    return [size for size in windows[: last + 1] if size > -inf] + [-inf] * ended


def _bottom(windows: list[float]) -> tuple[float, bool]:
    """The smallest window, and whether the windows have begun to grow after it."""
    if not windows:
        return inf, False
    lowest = min(windows)
    place = windows.index(lowest)
    return lowest, lowest > -inf and max(windows[place:]) > lowest + _TURNED


def _choose(
    visible: list[tuple[BallGroup, float]], lowest: float, reach: float, goal: float, elsewhere: float
) -> _Plan:
    """The fewest terms that leave less than the target; what cannot be seen of the series must stay below it too."""
    if not visible:
        return _Plan(None, lowest)
    target = max(visible[0][1], elsewhere) - goal
    if visible[0][1] <= target and visible[0][0].size + 1 <= reach:
        return _Plan([], max(_neglected(visible, 0), lowest) + _SAFETY)
    if lowest <= target:
        for count in range(1, len(visible) + 1):
            # All exponents of the next unit must be known: a small term may hide a larger one behind it.
            if count < len(visible) and visible[count][0].size + 1 > reach:
                break
            rest = _neglected(visible, count)
            if rest <= target:
                return _Plan([g for g, _ in visible[:count]], max(rest, lowest) + _SAFETY)
    return _Plan(None, lowest)


def _neglected(visible: list[tuple[BallGroup, float]], count: int) -> float:
    """The log of the sum of the sizes of the first neglected terms, over two units: one coefficient may be small."""
    if count >= len(visible):
        return -inf
    start = visible[count][0].size
    logs = [s for g, s in visible[count:] if g.size < start + 2]
    top = max(logs)
    return top + log(sum(exp(s - top) for s in logs))


def _first(
    visible: list[tuple[BallGroup, float]], lowest: float, reach: float, terms: int, last: bool
) -> _Plan:
    """Exactly the first `terms` terms, or all below t^k if there are fewer."""
    known = len(visible) > terms and visible[terms][0].size + 1 <= reach
    if not known and not last:
        return _Plan(None, lowest)
    rest = _neglected(visible, terms)
    if visible and reach < inf and (terms >= len(visible) or visible[terms][0].size + 2 > reach):
        # What follows is not all known: the largest of the last two units stands for it. The last term alone would
        # not do, for a small one of another family may come last.
        end = visible[-1][0].size
        rest = max(rest, *(size for g, size in visible if g.size > end - 2))
    return _Plan([g for g, _ in visible[:terms]] or None, max(rest, lowest) + _SAFETY)


def hidden_size(kernel: Kernel, k: int, known: float = 0.0) -> float:
    """log of the part of mu_k that no term shows: singular points off the ends, and flat terms exp(-c/t^a).

    `known`: up to this rate the singular points off the ends are known, and their terms are added.
    """
    sizes = [log_flat_size(b, c, k) for b, c in flat_sizes(kernel)]
    rate = known or _nearest(kernel, k)
    if rate < inf:
        sizes.append(-k * rate)
    return max(sizes) + log(_HIDDEN) if sizes else -inf


def _nearest(kernel: Kernel, k: int) -> float:
    """log rho of the nearest singular point off the ends, as far as it shows itself."""
    rate = far_rate(kernel.expr)
    return min(rate, taylor_rate(kernel.expr)) if k <= _FAR_OUT else rate


def _refusal(
    kernel: Kernel, k: int, d: int, dps: int, error: float, lead: float, hidden: float, ends: bool
) -> str:
    if lead == -inf and not ends:
        return (
            f"the nearest singular points of {kernel} outside of [-1, 1] are not known, or not of a kind that leaves "
            f"powers and logarithms in mu_{k}: use eigenvalues()"
        )
    if lead == -inf:
        return f"the series of {kernel} has no term below t^{k}: mu_{k} needs the integral, use eigenvalues()"
    digits = max(0, floor((lead - _MARGIN - error) / log(10))) if -inf < error < inf else 0
    cause = "the smallest terms of the asymptotic series"
    if hidden >= error:
        cause = "singular points away from the ends, or flat ends, which no term shows,"
    return (
        f"k = {k} is too small for {dps} digits of mu_k in dimension {d}: {cause} "
        f"leave about {digits}; ask for fewer digits (dps), fix the number of terms, or use eigenvalues()"
    )


def require_numbers(kernel: Kernel, k: object, d: object) -> tuple[int, int]:
    """k and d as Python integers, for a kernel without parameters."""
    if kernel.parameters:
        names = ", ".join(f"{s}=..." for s in kernel.parameters)
        raise AsymptokError(f"a number needs values for the parameters: decay(kernel.subs({names}))")
    return checked_degree(k), checked_dimension(d)


__all__ = ["Estimate", "estimate", "exact_end", "hidden_size", "require_numbers"]
