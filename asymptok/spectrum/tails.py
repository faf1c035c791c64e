"""The integral over a tiny cell around a point where the kernel is unbounded: a bound by inequalities, or an estimate.

Next to a point that is known exactly |f| <= c x^a log(1/x)^b in the distance x from it, which is integrated. Otherwise:
panels up to the cell are proved. Inside it the integrand f is unknown, but at distances w, w/2, w/4, ... from the cell
w f(w) is a geometric sequence if f is a power, and nearly one with logarithms in front. Its ratio, at its worst over
many halvings, extrapolates the rest. A ratio near one (1/(1-u) in d = 3, 1/u) is a divergent integral, and refused.
"""

from __future__ import annotations

from itertools import pairwise

import sympy
from flint import arb, fmpq
from sympy import Expr, Rational

from asymptok import dag
from asymptok.balls import ball, compile_ball, complex_ball
from asymptok.errors import AsymptokError, Impossible, Undecided
from asymptok.precision import flint_precision
from asymptok.regularity import analyse
from asymptok.regularity.leading import Beside
from asymptok.regularity.model import NotShown
from asymptok.regularity.sizes import Lead
from asymptok.symbols import u

#: the farthest that inequalities are asked for
_NEAR = Rational(1, 16)
#: halvings over which the trend is followed, and those at the end that count
_FOLLOWED, _COUNTED = 40, 16
#: w f(w) must fall at least by this factor at each halving
_WORST = 0.97
#: the extrapolated rest is taken this many times
_SAFETY = 16


def bounded_tail(expr: Expr, d: int, low: fmpq, high: fmpq) -> arb | None:
    """A bound of the integral of |kappa| sin^(d-2) over theta/pi in [low, high] around a point inside, or None.

    >>> found = bounded_tail(sympy.log(sympy.Abs(u)), 3, fmpq(1, 2) - fmpq(1, 1024), fmpq(1, 2) + fmpq(1, 1024))
    >>> bool(found < 0.06)  # the integral of log(1/|u|) over |u| <= pi/1024 is 0.042
    True
    """
    if not 0 < low < high < 1:
        return None
    depth = int((high - low).q).bit_length()
    with flint_precision(4 * depth + 128):
        ends = [(arb.pi() * arb(x)).cos() for x in (high, low)]
        try:
            found = [p.location for p in analyse(expr).interior if p.proved]
        except AsymptokError:
            return None
        near = [p for p in found if p is None or not (ball(p) < ends[0] or ball(p) > ends[1])]
        if len(near) != 1 or near[0] is None:
            return None
        point = ball(near[0])
        reach = arb.max(ends[1] - point, point - ends[0]).upper().fmpq()
        weight = ((1 - point) * (1 + point) + arb(0, (3 * arb(reach)).upper())) ** arb(fmpq(d - 3, 2))
        h = Rational(int(reach.p), int(reach.q))
        if not h < _NEAR or not weight.is_finite():
            return None
        try:
            parts = [_integral(Beside(near[0], side, h, {})[expr], arb(reach)) for side in (1, -1)]
        except NotShown:
            return None
        total = ((parts[0] + parts[1]) * weight).upper()
    return total if total.is_finite() else None


def _integral(size: Lead, h: arb) -> arb:
    """int_0^h c x^a L^b dx, L = log(1/x), by parts: h^(a+1) sum_i b!/(b-i)! log(1/h)^(b-i)/(a+1)^(i+1)."""
    a, b = ball(size.power) + 1, max(0, int(sympy.ceiling(size.logs)))
    if not a > 0:
        raise NotShown("not integrable")
    total = arb(0)
    for i in range(b + 1):
        total += arb(int(sympy.ff(b, i))) * (-h.log()) ** (b - i) / a ** (i + 1)
    return arb.max(abs(size.low), abs(size.high)) * h**a * total


def tail(expr: Expr, d: int, low: fmpq, high: fmpq) -> arb:
    """An estimate of the integral of |kappa| sin^(d-2) over theta/pi in [low, high]; AsymptokError if it diverges."""
    total = arb(0)
    for edge, direction in ((low, -1), (high, 1)):
        if 0 < edge < 1:
            total += _one_sided(expr, d, edge, direction, high - low)
    return total


def _one_sided(expr: Expr, d: int, edge: fmpq, direction: int, width: fmpq) -> arb:
    kernel = compile_ball(expr, [u])
    depth = max(0, int(width.q).bit_length() - int(width.p).bit_length())
    sizes: list[arb] = []
    with flint_precision(4 * depth + 128):
        for j in range(_FOLLOWED, -1, -1):
            step = width * fmpq(1 << j)
            place = edge + direction * step
            if not 0 < place < 1:
                continue
            sine, cosine = (arb.pi() * arb(place)).sin_cos()
            value = abs(kernel(cosine))
            if not value.is_finite():
                raise no_value(expr, cosine)
            sizes.append(value * arb(step) * arb.pi() * sine ** (d - 2))
        late = sizes[-_COUNTED:]
        if not late or late[-1].contains(0):
            return (late[-1] if late else arb(0)).abs_upper() * _SAFETY
        ratios = [b / a for a, b in pairwise(late) if not a.contains(0)]
        worst = max((float(r.upper()) for r in ratios), default=1.0)
        if not worst < _WORST:
            at = round(float((arb.pi() * arb(edge)).cos()), 12) + 0.0
            raise Undecided(
                f"the kernel {short(expr)} is not seen to be integrable on the sphere in dimension d = {d} next to "
                f"u = {at:g}: mu_k exists only if it is"
            )
        return (late[-1] * _SAFETY).upper() / arb(1 - fmpq(round(worst * 1024) + 1, 1025))


def refuse_undefined(expr: Expr) -> None:
    """Impossible if a pole, a value that is not real or an essential singularity inside is proved."""
    try:
        found = analyse(expr).interior
    except AsymptokError:
        return  # what regularity has no answer to is left to the panels
    point = next((p for p in found if p.proved and p.undefined), None)
    if point is not None:
        raise Impossible(
            f"the kernel {short(expr)} is not real and integrable: mu_k does not exist ({point})"
        )


def no_value(expr: Expr, at: arb) -> AsymptokError:
    """The refusal where real balls give no value: cos(sqrt(u)) is real for u < 0 although they do not see it."""
    value, place = complex_ball(expr, {u: at}), f"at u = {at.str(8, radius=False)}"
    if value.is_finite() and not value.imag.contains(0):
        return Impossible(f"the kernel {short(expr)} is not real {place}: there are no eigenvalues")
    return AsymptokError(
        f"the kernel {short(expr)} is not shown to have a finite real value {place}: it must be real and integrable on "
        "(-1, 1), and written without complex intermediate values"
    )


def short(expr: Expr) -> str:
    """The expression for a message, if it is short enough."""
    return str(expr) if dag.tree_size(expr) <= 60 else "of this size"
