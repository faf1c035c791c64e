"""The exponent of a power law from the numbers: Richardson on the logarithm of mu_k over the leading term.

With N = k + (d-2)/2, log(mu_k/leading term) = (p - p_0) log N + b + sum_j c_j N^(-e_j): the gamma ratio of the leading
term and its logarithms drop out, the e_j are known, and the slope is the error of the predicted exponent p_0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log10

import mpmath
from mpmath import mpf
from sympy import Expr

from asymptok.balls import ball
from asymptok.laws import Decay, ParityDecay
from asymptok.laws.numeric import ball_groups
from asymptok.precision import digits_to_bits, flint_precision, mpmath_precision
from asymptok.quantities import midpoint
from asymptok.spectrum import Spectrum
from asymptok.verification.fits import Basis, Fit, correction_exponents, richardson, short
from asymptok.verification.results import Check, Comparison

__all__ = ["judge_exponent"]

#: order to which the ends are expanded for the exponents of the corrections
_ORDER = 4
#: if the neglected terms may bend the slope by more than this, they are divided out first
_STEEP = 0.5
#: and so they are if the extrapolation still moves by more than this
_RESTLESS = 0.001
#: pass marks of the whole series that are worth a slope
_SHARP = 0.01


def judge_exponent(
    prediction: Decay, law: ParityDecay, spectrum: Spectrum, found: Sequence[Comparison]
) -> tuple[Fit | None, Check]:
    """The extrapolated exponent, and whether it is the predicted one."""
    name = f"{law.parity} k: exponent"
    d, dps = spectrum.d, spectrum.dps
    top = spectrum.ks[-1]
    usable = [c for c in found if c.group and c.mu and abs(c.mu) > 4 * c.error and 16 * c.k >= top]
    if len(usable) < 4:
        return None, Check(name, None, "too few k to extrapolate an exponent: raise kmax")
    shift = mpmath.mpf(d - 2) / 2
    with mpmath_precision(digits_to_bits(dps)):
        stated = _number(law.exponent(d), dps)
        bend = _bend(usable, lambda c: c.group_tolerance, shift)
        fit, text = None, ""
        if bend < _STEEP:
            points, values = [c.k + shift for c in usable], [_log_ratio(c) for c in usable]
            others = [_power(e) for e in correction_exponents(_gaps(prediction, law, dps))]
            fit = richardson(points, values, mpmath.log, others, dps)
            text = "extrapolated"
        if fit is None or fit.change > _RESTLESS:
            # slowly fading corrections hide the slope: divide by the predicted sum of the later terms
            fit, bend = _divided(usable, shift)
            text = "with the later terms of the series divided out"
        if fit is None:
            return None, Check(name, None, "too few k to extrapolate an exponent: raise kmax")
        bend += fit.change + mpmath.mpf(10) ** (-dps / 2)  # what the difference of large numbers costs
        exponent = stated + fit.value
        passed = bool(abs(fit.value) <= bend) if bend < _STEEP else None
        text += (
            f" {_digits(exponent, fit.change)}, predicted {mpmath.nstr(stated, 12)}; the neglected terms may bend the "
            f"slope by {short(bend)}"
        )
    return Fit(exponent, fit.change), Check(name, passed, text)


def _log_ratio(c: Comparison) -> mpf:
    assert c.group is not None
    return mpmath.log(abs(c.mu / c.group))


def _divided(usable: Sequence[Comparison], shift: mpf) -> tuple[Fit | None, mpf]:
    """The slope between K/2 and K of the ratio to the whole series, and what its pass marks leave open."""
    # k at which the series says little would spoil the slope
    some = [c for c in usable if c.gain and c.tolerance is not None and c.tolerance < _SHARP]
    if len(some) < 2:
        return None, mpmath.inf
    first, last = _two(some)
    width = mpmath.log((last.k + shift) / (first.k + shift))
    ratios = [_log_ratio(c) - mpmath.log(abs(c.gain)) for c in (first, last) if c.gain]
    # log(1 + x) differs from x in the second order: marks above a half mean nothing here
    return Fit((ratios[1] - ratios[0]) / width, mpmath.mpf(0)), _bend(some, lambda c: c.tolerance, shift)


def _two(usable: Sequence[Comparison]) -> tuple[Comparison, Comparison]:
    last = usable[-1]
    return min(usable[:-1], key=lambda c: abs(c.k - last.k / 2)), last


def _bend(usable: Sequence[Comparison], mark: Callable[[Comparison], mpf | None], shift: mpf) -> mpf:
    """How much two ratios inside their pass marks can tilt the line through them."""
    first, last = _two(usable)
    width = mpmath.log((last.k + shift) / (first.k + shift))
    low, high = mark(first), mark(last)
    return mpmath.inf if low is None or high is None else (low + high) / width


def _number(expr: Expr, dps: int) -> mpf:
    with flint_precision(digits_to_bits(dps) + 32):
        return midpoint(ball(expr), mpmath.mp.prec)


def _digits(value: mpf, change: mpf) -> str:
    """As many digits as did not move."""
    if change == 0:
        return str(mpmath.nstr(value, 12))
    moved = float(change) / max(1.0, abs(float(value)))
    return str(mpmath.nstr(value, max(2, min(12, int(1 - log10(max(1e-300, moved)))))))


def _power(e: float) -> Basis:
    exponent = -mpmath.mpf(e)
    return lambda x: x**exponent


def _gaps(prediction: Decay, law: ParityDecay, dps: int) -> list[float]:
    """2 (nu_j - nu) for the later terms that this parity sees."""
    bits = digits_to_bits(dps)
    groups, _ = ball_groups(prediction.behind, _ORDER, bits)
    with flint_precision(bits):
        assert law.nu is not None
        start = float(ball(law.nu).mid())
        seen = [
            g.size
            for g in groups
            if any(not c.contains(0) for j, c in g.combined(law.sign).items() if j or not g.whole)
        ]
    return [2 * (size - start) for size in seen if size > start + 1e-9]
