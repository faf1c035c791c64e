"""Power laws: every mu_k against the leading term and against many terms of the asymptotic series.

The pass mark comes from the series itself: |mu_k/S_n - 1| may be as large as the first neglected terms of S_n (over two
units of the exponent, without their factor sin(pi nu), which may be small by accident), times four, and no larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

import mpmath
from flint import arb

from asymptok.balls import ball
from asymptok.decay import Decay, Estimate, ParityDecay
from asymptok.decay.numeric import ball_groups, term_balls
from asymptok.errors import AsymptokError
from asymptok.precision import digits_to_bits, flint_precision, mpmath_precision
from asymptok.spectrum import Spectrum
from asymptok.verification.fits import Fit, correction_exponents, richardson
from asymptok.verification.results import Check, Comparison, ParityVerdict

__all__ = ["judge_power_law"]

#: numbers of terms that are tried where the series does not reach all digits; the long ones only if need be
_TERMS, _MORE_TERMS = (1, 2, 4, 8), (16, 32)
_SHARP = 1e-6
#: `Estimate.error` is four times the size of the neglected terms; the pass mark is this many times the estimate
_MARGIN = 2
#: the sharpest pass mark must show a constant that is wrong by a hundredth
CONCLUSIVE = 0.005
#: order to which the ends are expanded for the exponents of the corrections
_ORDER = 4


def judge_power_law(
    prediction: Decay, law: ParityDecay, spectrum: Spectrum, ks: Sequence[int]
) -> tuple[ParityVerdict, list[Comparison]]:
    """The verdict on mu_k ~ constant(d) k^exponent(d) (log k)^j for the k of one parity."""
    found = [_compare(prediction, law, spectrum, k) for k in ks]
    judged = [c for c in found if c.inside is not None]
    checks = [_ratios(judged, law), _sharpness(judged)]
    fit, check = _exponent(prediction, law, spectrum, found)
    checks.append(check)
    value, error = (None, None) if fit is None else (fit.value, fit.change)
    return ParityVerdict(law.parity, law.kind, tuple(checks), value, error), found


# the ratios --------------------------------------------------------------------------------------------------


def _compare(prediction: Decay, law: ParityDecay, spectrum: Spectrum, k: int) -> Comparison:
    mu, error = spectrum[k], spectrum.error(k)
    many = _many_terms(prediction, k, spectrum.d, spectrum.dps)
    if many is None or many.value == 0:
        return Comparison(k, mu, error)
    one = _estimate(prediction, k, spectrum.d, 1, spectrum.dps)
    lead = _leading_term(law, k, spectrum.d, spectrum.dps)
    with mpmath_precision(digits_to_bits(spectrum.dps)):
        tolerance = (_MARGIN * many.error + error) / abs(many.value)
        comparison = Comparison(k, mu, error, many.value, tolerance, many.terms)
        if one is None or not lead:
            return comparison
        # the next terms by their sizes, or, where the series is a finite sum, by their values
        rest = _MARGIN * min(one.error, 2 * abs(many.value - one.value) + many.error)
        rest += _lower_logs(prediction, law, k, spectrum.d, spectrum.dps) + error
        return Comparison(
            k, mu, error, many.value, tolerance, many.terms, one_term=lead, one_tolerance=rest / abs(lead)
        )


def _many_terms(prediction: Decay, k: int, d: int, dps: int) -> Estimate | None:
    """The series to all digits if it gets there, otherwise the best of a few lengths."""
    best = _estimate(prediction, k, d, None, dps)
    if best is not None:
        return best
    for terms in (*_TERMS, *_MORE_TERMS):
        if best is not None and terms in _MORE_TERMS and best.error < _SHARP * abs(best.value):
            break
        found = _estimate(prediction, k, d, terms, dps)
        if found is None or (best is not None and found.terms == best.terms):
            break
        if best is None or found.error < best.error:
            best = found
    return best


def _estimate(prediction: Decay, k: int, d: int, terms: int | None, dps: int) -> Estimate | None:
    try:
        return prediction.estimate(k, d, terms, dps)
    except AsymptokError:
        return None


def _leading_term(law: ParityDecay, k: int, d: int, dps: int) -> Any:
    """The term that the law names, with its gamma ratio: a law that was tampered with speaks for itself here."""
    if law.lead is None:
        return None
    bits = digits_to_bits(dps) + 64 + 2 * k.bit_length()
    with flint_precision(bits):
        value = ball(law.lead.coefficient) * term_balls(k, d, ball(law.lead.nu), law.lead.log_power)[law.lead.log_power]
        return _mpf(value, dps)


def _lower_logs(prediction: Decay, law: ParityDecay, k: int, d: int, dps: int) -> Any:
    """The size of what has the exponent of the lead and fewer logarithms: smaller by 1/log k only."""
    lead = law.lead
    if lead is None or lead.log_power == 0:
        return mpmath.mpf(0)
    bits = digits_to_bits(dps) + 64 + 2 * k.bit_length()
    total = arb(0)
    with flint_precision(bits):
        nu = ball(lead.nu)
        groups, _ = ball_groups(prediction.kernel, _ORDER, bits)
        for group in groups:
            if group.exponent.overlaps(nu):
                laws = term_balls(k, d, group.exponent, lead.log_power)
                lower = [j for j in group.combined(law.sign) if j < lead.log_power and (j or not group.whole)]
                total += sum((abs(group.combined(law.sign)[j] * laws[j]) for j in lower), arb(0))
        return _mpf(total, dps)


def _mpf(value: Any, dps: int) -> Any:
    man, e = value.mid().man_exp()
    with mpmath_precision(digits_to_bits(dps)):
        return mpmath.mpf((int(man), int(e)))


def _ratios(judged: Sequence[Comparison], law: ParityDecay) -> Check:
    name = f"{law.parity} k: ratios"
    if not judged:
        return Check(name, None, "no k up to kmax is large enough for the series to say anything: raise kmax")
    wrong = [c for c in judged if not c.inside]
    if not wrong:
        last = judged[-1]
        return Check(
            name,
            True,
            f"all {len(judged)} ratios mu_k/prediction lie within four times the size of the neglected terms; at k = {last.k} "
            f"{_words(last)}",
        )
    worst = wrong[-1]
    return Check(
        name,
        False,
        f"{len(wrong)} of {len(judged)} ratios lie outside four times the size of the neglected terms; at k = {worst.k} "
        f"{_words(worst)}",
    )


def _words(c: Comparison) -> str:
    parts = []
    if c.one_ratio is not None:
        parts.append(f"|ratio - 1| = {_short(abs(c.one_ratio - 1))} with one term (allowed {_short(c.one_tolerance)})")
    parts.append(
        f"{_short(abs(c.ratio - 1))} with {c.terms} term{'s' * (c.terms != 1)} (allowed {_short(c.tolerance)})"
    )
    return ", ".join(parts)


def _short(value: Any) -> str:
    return str(mpmath.nstr(value, 2))


def _sharpness(judged: Sequence[Comparison]) -> Check:
    name = "sharp enough"
    marks = [c.tolerance for c in judged[-3:]]
    if not marks:
        return Check(name, None, "there is no pass mark")
    finest = max(marks)
    passed = True if finest <= CONCLUSIVE else None
    return Check(
        name,
        passed,
        f"the pass mark at the largest k is {_short(finest)}: a constant wrong by 1 % would "
        + ("show" if passed else "not show; raise kmax"),
    )


# the exponent ------------------------------------------------------------------------------------------------


def _exponent(
    prediction: Decay, law: ParityDecay, spectrum: Spectrum, found: Sequence[Comparison]
) -> tuple[Fit | None, Check]:
    """Richardson on log(mu_k/leading term): its slope in log N is the error of the exponent."""
    name = f"{law.parity} k: exponent"
    d, dps = spectrum.d, spectrum.dps
    usable = [c for c in found if c.one_term and c.mu and abs(c.mu) > 4 * c.error]
    usable = [c for c in usable if 4 * c.k >= spectrum.ks[-1] // 4]
    stated = _stated(law, d, dps)
    if len(usable) < 4:
        return None, Check(name, None, "too few k to extrapolate an exponent: raise kmax")
    shift = mpmath.mpf(d - 2) / 2
    others = [_power(e) for e in correction_exponents(_gaps(prediction, law, dps))]
    with mpmath_precision(digits_to_bits(dps)):
        points = [c.k + shift for c in usable]
        values = [mpmath.log(abs(c.one_ratio)) for c in usable]
    fit = richardson(points, values, mpmath.log, others, dps)
    if fit is None:
        return None, Check(name, None, "too few k to extrapolate an exponent: raise kmax")
    with mpmath_precision(digits_to_bits(dps)):
        exponent = stated + fit.value
        bend = _bend(usable, shift) + fit.change
        # slowly fading corrections say nothing about a slope; what the extrapolation itself says is then the measure
        distance = abs(exponent - stated)
        passed = bool(distance <= bend) if bend < 1 else (True if distance <= 10 * fit.change < 0.1 else None)
        text = (
            f"extrapolated {_digits(exponent, fit.change)}, predicted {mpmath.nstr(stated, 12)}; the neglected terms may bend "
            f"the slope by {_short(bend)}"
        )
    return Fit(exponent, fit.change), Check(name, passed, text)


def _stated(law: ParityDecay, d: int, dps: int) -> Any:
    with flint_precision(digits_to_bits(dps) + 32):
        return _mpf(ball(law.exponent(d)), dps)


def _digits(value: Any, change: Any) -> str:
    """As many digits as did not move."""
    known = 15 if change == 0 else max(2, min(15, int(1 - log10(max(1e-300, float(change) / max(1.0, abs(float(value))))))))
    return str(mpmath.nstr(value, known))


def _bend(usable: Sequence[Comparison], shift: Any) -> Any:
    """How much two ratios inside their pass marks can tilt the line through them."""
    last = usable[-1]
    first = min(usable, key=lambda c: abs(c.k - last.k / 2))
    width = mpmath.log((last.k + shift) / (first.k + shift))
    marks = [c.one_tolerance if c.one_tolerance is not None else mpmath.inf for c in (first, last)]
    return sum(marks) / width if width else mpmath.inf


def _power(e: float) -> Any:
    exponent = -mpmath.mpf(e)
    return lambda x: x**exponent


def _gaps(prediction: Decay, law: ParityDecay, dps: int) -> list[float]:
    """2 (nu_j - nu) for the later terms that this parity sees."""
    bits = digits_to_bits(dps)
    assert law.lead is not None
    groups, _ = ball_groups(prediction.kernel, _ORDER, bits)
    with flint_precision(bits):
        start = float(ball(law.lead.nu).mid())
        seen = [
            g.size
            for g in groups
            if any(not c.contains(0) for j, c in g.combined(law.sign).items() if j or not g.whole)
        ]
    return [2 * (size - start) for size in seen if size > start + 1e-9]
