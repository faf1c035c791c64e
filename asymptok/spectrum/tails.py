"""The integral over a tiny cell around a point where the kernel is unbounded: an estimate from its trend.

Panels up to the cell are proved. Inside it the integrand f is unknown, but at distances w, w/2, w/4, ... from the cell
w f(w) is a geometric sequence if f is a power, and nearly one with logarithms in front. Its ratio, at its worst over
many halvings, extrapolates the rest. A ratio near one (1/(1-u) in d = 3, 1/u) is a divergent integral, and refused.
"""

from __future__ import annotations

from itertools import pairwise

from flint import arb, fmpq
from sympy import Expr

from asymptok import dag
from asymptok.balls import compile_ball, complex_ball
from asymptok.errors import AsymptokError, Impossible, Undecided
from asymptok.precision import flint_precision
from asymptok.regularity import analyse
from asymptok.symbols import u

#: halvings over which the trend is followed, and those at the end that count
_FOLLOWED, _COUNTED = 40, 16
#: w f(w) must fall at least by this factor at each halving
_WORST = 0.97
#: the extrapolated rest is taken this many times
_SAFETY = 16


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
